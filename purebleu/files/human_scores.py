"""Read human scores of segments, in the formats that evaluation campaigns publish."""

from __future__ import annotations

from ..errors import PurebleuError
from ..hints import Iterable, Iterator, Mapping, NamedTuple, Sequence
from .lines import is_blank, read_lines
from .numbers import STORED_PLACES, scaled_integer
from .opening import IDS, SCORES, Column, column_of
from .records import READERS, read_columns
from .scores import is_missing, scores_in_column, scores_in_lines, without_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction


class HumanScores(NamedTuple):
    """The human scores of one system.

    Attributes:
        by_line: the exact score of each judged line, by the line's number from 1.
        lines: the number of lines that the file has for the system; `None` if that number is unknown.
    """

    by_line: Mapping[int, Fraction]
    lines: int | None


#: The column with the name of the system, in tables that have a row for each judgement.
_SYSTEM = "system"

#: The columns that may have the number of the segment. If several columns of a row have a number, the first of
#: these columns is used.
_SEGMENT_COLUMNS = ("seg_id", "line_id", "segment_id", "segment", "line")

#: The column with the language pair of a row.
_PAIR = "langs"

#: The columns that are read from a table of MQM errors.
_MQM_COLUMNS = (_SYSTEM, "seg_id", "rater", "category", "severity")

#: The weights of MQM errors by their severity, except for errors of some categories, which have other weights.
_MQM_WEIGHTS = {"major": "5", "minor": "1"}
_MQM_CATEGORIES = {("major", "non-translation!"): "25", ("minor", "fluency/punctuation"): "0.1"}


def read_human_scores(name: str, encoding: str = "utf-8") -> dict[str, HumanScores]:
    """Return the human scores in a file, by the name of the system; the name is empty if the file names no systems.

    The file may have any format of `read_scores`. (A blank score or `None` means that nobody judged the segment.) The
    file may also be a table with a row for each judgement (`FILE:COLUMN`), and with the columns `system` and `seg_id`,
    or one of Google's tables of MQM errors or of average MQM scores. If a segment has several judgements, their mean
    is the score.

    Args:
        name: the name of a file, or of a column (`FILE:COLUMN`).
        encoding: the encoding of the file.

    Raises:
        PurebleuError: the file can't be read, or a score is not a number. The message has the number of the line.
    """
    # (The file is read only once, because it may be a pipe.)
    column = column_of(name)
    if column.kind in READERS:
        scores, ratings = _read_score_column(column, encoding)
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
    judged = {number: score for number, score in enumerate(scores, 1) if not is_missing(score)}
    return HumanScores({number: _mean([scaled_integer(score)]) for number, score in judged.items()}, len(scores))


def _read_score_column(column: Column, encoding: str) -> tuple[list[str], list[tuple[str, str, str, int]]]:
    """Return the scores in a column, and the ratings (system, segment, rater, score) if the table names systems."""
    optional = [(selector, IDS, True) for selector in (_SYSTEM, _PAIR, *_SEGMENT_COLUMNS)]
    scores, systems, pairs, *segments = read_columns(column.path, column.kind, encoding,
                                                     [(column.selector, SCORES, False), *optional])
    if not any(systems):
        return scores, []
    ratings: list[tuple[str, str, str, int]] = []
    for count, (score, system, pair, *numbers) in enumerate(zip(scores, systems, pairs, *segments), 1):
        where = f"{column.name}: record {count}"
        if not system:
            raise PurebleuError(f"{where} has no system, but other records have a system")
        if pair != pairs[0]:
            raise PurebleuError(f"{where} is for the language pair {pair}, but record 1 is for {pairs[0]}: keep only "
                                "the records of one language pair")
        if not any(numbers):
            raise PurebleuError(f"{where} has a system, but no number of a segment (in the column "
                                f"{' or '.join(_SEGMENT_COLUMNS)})")
        if not is_missing(score):
            # (The raters are unknown, so each record counts as the judgement of another rater.)
            ratings.append((system, next(filter(None, numbers)), str(count), _number(score, where)))
    return scores, ratings


def _ratings_in_lines(lines: Sequence[str], name: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield a rating (system, segment, no rater, score) for each line `SYSTEM SCORE SEGMENT`."""
    for number, line in enumerate(lines, 2):
        fields = line.split()
        where = f"{name}: line {number}"
        if len(fields) != 3:
            raise PurebleuError(f"{where} is not of the form SYSTEM SCORE SEGMENT, unlike the first line")
        if not is_missing(fields[1]):
            yield fields[0], fields[2], "", _number(fields[1], where)


def _errors_as_ratings(lines: Sequence[str], name: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield ratings from a table of MQM errors.

    A rating is minus the sum of the weights of all errors that a rater has found in a segment.
    """
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
    """Return the weight of an error: the weight of its category or of a parent category, or else of its severity."""
    parts = category.split("/")
    for count in range(len(parts), 0, -1):
        weight = _MQM_CATEGORIES.get((severity, "/".join(parts[:count])))
        if weight is not None:
            return weight
    return _MQM_WEIGHTS.get(severity, "0")


def _averaged(ratings: Iterable[tuple[str, str, str, int]], name: str) -> dict[str, HumanScores]:
    """Return the scores of each system: the score of a segment is the mean of its ratings."""
    found: dict[str, dict[int, dict[str, int]]] = {}
    for system, segment, rater, score in ratings:
        scores_by_rater = found.setdefault(system, {}).setdefault(_segment_number(segment, name), {})
        if rater in scores_by_rater:
            raise PurebleuError(f"{name}: segment {segment} of {system} is listed twice")
        scores_by_rater[rater] = score
    # (If a segment has the number 0, the numbers in the file begin at 0.)
    shift = 1 if any(0 in system_scores for system_scores in found.values()) else 0
    averages: dict[str, HumanScores] = {}
    for system, system_scores in found.items():
        by_line = {number + shift: _mean(list(scores.values())) for number, scores in system_scores.items()}
        averages[system] = HumanScores(by_line, None)
    return averages


def _mean(scores: Sequence[int]) -> Fraction:
    """Return the exact mean of scores that `scaled_integer` returned."""
    from fractions import Fraction

    return Fraction(sum(scores), len(scores) * 10**STORED_PLACES)


def _segment_number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise PurebleuError(f"{name}: {text!r:.40} is not the number of a segment")
    return int(text)


def _number(text: str, where: str) -> int:
    try:
        return scaled_integer(text)
    except PurebleuError as error:
        raise PurebleuError(f"{where}: {error}") from None
