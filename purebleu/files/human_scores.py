"""Scores that people gave to segments, in the forms in which campaigns of evaluation keep them."""

from __future__ import annotations

from ..errors import PurebleuError
from .lines import is_blank, read_lines
from .numbers import STORED_PLACES, scaled_integer
from .opening import column_of
from .records import IDS, READERS, SCORES, read_columns
from .scores import is_missing, scores_in_column, scores_in_lines, without_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Iterable, Iterator, Mapping, NamedTuple, Sequence, Tuple

    #: A system, the text of a segment's number, a rater, and a score, which `scaled_integer` returned.
    Rating = Tuple[str, str, str, int]

    class HumanScores(NamedTuple):
        """The scores of a system.

        Attributes:
            by_line: the exact scores by the numbers of lines, from 1; lines that nobody has judged are not there.
            lines: the number of lines that the file has for the system; `None` if it does not tell.
        """

        by_line: Mapping[int, Fraction]
        lines: int | None
else:
    from collections import namedtuple

    HumanScores = namedtuple("HumanScores", "by_line lines")

#: The column of tables with a row for each judgement that has the system.
_SYSTEM = "system"

#: The columns that may have the number of the segment, in the order in which they are looked for.
_SEGMENT_COLUMNS = ("seg_id", "line_id", "segment_id", "segment", "line")

#: The column that has the language pair of a row.
_PAIR = "langs"

#: The columns of a table of MQM's errors that are read.
_MQM_COLUMNS = (_SYSTEM, "seg_id", "rater", "category", "severity")

#: The weights of MQM's errors by their severities; and those of some categories, which go before these.
_MQM_WEIGHTS = {"major": "5", "minor": "1"}
_MQM_CATEGORIES = {("major", "non-translation!"): "25", ("minor", "fluency/punctuation"): "0.1"}


def read_human_scores(name: str, encoding: str = "utf-8") -> dict[str, HumanScores]:
    """Return the scores in a file, by its names of the systems; an empty name if the file does not name its system.

    The forms are those of `read_scores`, in which a blank or `None` means that nobody judged the segment; tables with
    a row for each judgement (`FILE:COLUMN`, beside columns `system` and `seg_id`); tables of MQM's errors, as Google
    publishes them, and of their averages. Several judgements of a segment are averaged.

    Args:
        name: of a file, or of a column of one.
        encoding: of the file.

    Raises:
        PurebleuError: the file can't be read, or something in it is no score; it names the line.
    """
    # (A file is read once: it may be a pipe.)
    column = column_of(name)
    if column.kind in READERS:
        scores, ratings = _read_score_column(name, encoding)
        if ratings:
            return _averaged(ratings, name)
        found = scores_in_column(scores, name, may_lack=True)
    else:
        lines = read_lines(column.path, encoding=without_mark(encoding))
        head = lines[0] if lines else ""
        if set(_MQM_COLUMNS) <= set(head.split("\t")):
            return _averaged(_errors_as_ratings(lines, name), name)
        if head.split()[:1] == [_SYSTEM] and head.split()[2:] == ["seg_id"]:
            return _averaged(_ratings_in_lines(lines[1:], name), name)
        found = scores_in_lines(lines, name, may_lack=True)
    return {system: _scores_by_line(scores) for system, scores in found.items()}


def _scores_by_line(scores: Sequence[str]) -> HumanScores:
    by_line: dict[int, Fraction] = {}
    for number, score in enumerate(scores, 1):
        if not is_missing(score):
            by_line[number] = _mean([scaled_integer(score)])
    return HumanScores(by_line, len(scores))


def _read_score_column(name: str, encoding: str) -> tuple[list[str], list[Rating]]:
    """The scores in a column; and the judgements, if it is the column of a table with a row for each judgement."""
    column = column_of(name)
    optional = [(selector, IDS, True) for selector in (_SYSTEM, _PAIR, *_SEGMENT_COLUMNS)]
    scores, systems, pairs, *segments = read_columns(column.path, column.kind, encoding,
                                                     [(column.selector, SCORES, False), *optional])
    if not any(systems):
        return scores, []
    ratings: list[Rating] = []
    for count, (score, system, pair, *numbers) in enumerate(zip(scores, systems, pairs, *segments), 1):
        where = f"{name}: record {count}"
        if not system:
            raise PurebleuError(f"{where} has no system, which others have")
        if pair != pairs[0]:
            raise PurebleuError(f"{where} is of {pair}, the first one of {pairs[0]}: keep the records of one pair")
        if not any(numbers):
            raise PurebleuError(f"{where} has a system, but none of {', '.join(_SEGMENT_COLUMNS)}, which tells the "
                                "segment")
        if not is_missing(score):
            # (Each record is a judgement of its own.)
            ratings.append((system, next(filter(None, numbers)), str(count), _number(score, where)))
    return scores, ratings


def _ratings_in_lines(lines: Sequence[str], name: str) -> Iterator[Rating]:
    """The averages in lines `SYSTEM SCORE SEGMENT`."""
    for number, line in enumerate(lines, 2):
        fields = line.split()
        where = f"{name}: line {number}"
        if len(fields) != 3:
            raise PurebleuError(f"{where} is not of the form SYSTEM SCORE SEGMENT, as the first one says")
        if not is_missing(fields[1]):
            yield fields[0], fields[2], "", _number(fields[1], where)


def _errors_as_ratings(lines: Sequence[str], name: str) -> Iterator[Rating]:
    """The judgements that MQM's errors make: of each rater, the sum of the weights of errors, which is negative."""
    head = lines[0].split("\t")
    indices = [head.index(column) for column in _MQM_COLUMNS]
    sums: dict[tuple[str, str, str], int] = {}
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) <= max(indices):
            if is_blank(line):
                continue
            raise PurebleuError(f"{name}: line {number} has {len(fields)} fields, but the first line has {len(head)}")
        system, segment, rater, category, severity = [fields[index] for index in indices]
        key = system, segment, rater
        sums[key] = sums.get(key, 0) - scaled_integer(_weight(severity.lower(), category.lower()))
    for (system, segment, rater), score in sums.items():
        yield system, segment, rater, score


def _weight(severity: str, category: str) -> str:
    """The weight of an error: that of its category, or of a category above it, or of its severity alone."""
    parts = category.split("/")
    for count in range(len(parts), 0, -1):
        weight = _MQM_CATEGORIES.get((severity, "/".join(parts[:count])))
        if weight is not None:
            return weight
    return _MQM_WEIGHTS.get(severity, "0")


def _averaged(ratings: Iterable[Rating], name: str) -> dict[str, HumanScores]:
    """The mean judgement of each segment of each system."""
    found: dict[str, dict[int, dict[str, int]]] = {}
    for system, segment, rater, score in ratings:
        scores_by_rater = found.setdefault(system, {}).setdefault(_segment_number(segment, name), {})
        if rater in scores_by_rater:
            raise PurebleuError(f"{name}: segment {segment} of {system} is there twice")
        scores_by_rater[rater] = score
    # (Numbers that begin at 0 are those of lists.)
    shift = 1 if any(0 in system_scores for system_scores in found.values()) else 0
    averages: dict[str, HumanScores] = {}
    for system, system_scores in found.items():
        by_line = {number + shift: _mean(list(scores.values())) for number, scores in system_scores.items()}
        averages[system] = HumanScores(by_line, None)
    return averages


def _mean(scores: Sequence[int]) -> Fraction:
    """The exact mean of scores that `scaled_integer` returned."""
    from fractions import Fraction

    return Fraction(sum(scores), len(scores) * 10**STORED_PLACES)


def _segment_number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise PurebleuError(f"{name}: {text!r:.40} is no number of a segment")
    return int(text)


def _number(text: str, where: str) -> int:
    try:
        return scaled_integer(text)
    except PurebleuError as error:
        raise PurebleuError(f"{where}: {error}") from None
