"""Read scores of segments from another program or from people, in several formats, and match them with systems."""

from __future__ import annotations

import os

from ..runtime.errors import OptionError, PurebleuError, warn
from ..runtime.hints import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence
from .lines import is_blank, read_lines
from .numbers import STORED_PLACES, finite_decimal, scaled_integer
from .opening import IDS, SCORES, Column, column_of
from .records import READERS, read_columns
from .writing import named_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

#: The texts before the index of a segment and before a score, in a line of comet-score.
_COMET_INDEX = "\tSegment "
_COMET_SCORE = "\tscore: "

#: The start of the last line of comet-score, which is printed if comet-score also writes JSON.
_COMET_END = "Predictions saved in: "

#: The name of a segment's score in the JSON of comet-score.
_COMET_MEMBER = "COMET"


def read_scores(name: str, encoding: str = "utf-8", may_lack: bool = False,
                has_lists: bool = False) -> Mapping[str, Sequence[str]]:
    """Return the scores in a file, by the name of the system.

    The file may have one of these formats: a number on each line; a column of CSV, TSV or JSON Lines (`FILE:COLUMN`);
    the text or the JSON of comet-score; lines with the name of a system and a score, as in mt-metrics-eval.

    Args:
        name: the name of a file, or of a column (`FILE:COLUMN`).
        encoding: the encoding of the file.
        may_lack: whether scores may be missing (blank or `None`). If `may_lack` is false, a missing score is an error.
        has_lists: whether a record of JSON may have a list of scores, one for each paragraph.

    Returns:
        The scores of each system, by the system's name in the file. The name is empty if the file names no systems.

    Raises:
        PurebleuError: the file can't be read, or a score is not a number. The message has the number of the line.
    """
    column = column_of(name)
    if column.kind in READERS:
        [scores] = read_columns(column.path, column.kind, encoding, [(column.selector, SCORES, False)])
        return scores_in_column(scores, name, may_lack, has_lists)
    return scores_in_lines(read_lines(column.path, encoding=encoding, role=SCORES), name, may_lack)


def scores_in_column(scores: Sequence[Any], name: str, may_lack: bool = False,
                     has_lists: bool = False) -> Mapping[str, Sequence[str]]:
    """Return the scores in the values of a column, in the form that `read_scores` returns."""
    for number, score in enumerate(scores, 1):
        if isinstance(score, list) and not has_lists:
            raise PurebleuError(f"{name}: record {number} has a list of scores, which is possible only with "
                                "--paragraphs (a score for each paragraph)")
        for single in score if isinstance(score, list) else [score]:  # pyright: ignore[reportUnknownVariableType]
            _check_score(single, name, f"record {number}", may_lack)  # pyright: ignore[reportUnknownArgumentType]
    return {"": scores}


def scores_in_lines(lines: Sequence[str], name: str, may_lack: bool = False) -> Mapping[str, Sequence[str]]:
    """Return the scores in the lines of a file, in the form that `read_scores` returns."""
    first = next(filter(None, lines), "")
    if not first:
        raise PurebleuError(f"{name}: the file is empty, so it has no scores")
    by_system: dict[str, list[str]] = {}
    for system, position, score in _form_of(first)(lines, name):
        _check_score(score, name, position, may_lack)
        by_system.setdefault(system, []).append(score)
    if not by_system:
        raise PurebleuError(f"{name}: there are no scores of segments (was the file made with --only_system?)")
    return by_system


def _form_of(first: str) -> Callable[[Sequence[str], str], Iterator[tuple[str, str, str]]]:
    """Return the function that reads the format of a file. `first` is the first line of the file that is not blank.

    For each score, the function yields the name of the system (empty if there is none), the position in the file, and
    the score.
    """
    if first.startswith(("{", "[")):
        return _read_comet_json
    if _COMET_SCORE in first:
        return _read_comet_lines
    return _read_named_lines if len(first.split()) == 2 else _read_numbers


def _read_numbers(lines: Sequence[str], _: str) -> Iterator[tuple[str, str, str]]:
    for number, line in enumerate(lines, 1):
        yield "", f"line {number}", line


def _read_named_lines(lines: Sequence[str], name: str) -> Iterator[tuple[str, str, str]]:
    """Read lines `SYSTEM SCORE`, in which the segments of each system are in order."""
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != 2:
            raise PurebleuError(f"{name}: line {number} is not of the form SYSTEM SCORE, unlike the first line")
        yield fields[0], f"line {number}", fields[1]


def _read_comet_lines(lines: Sequence[str], name: str) -> Iterator[tuple[str, str, str]]:
    """Read lines `FILE<tab>Segment INDEX<tab>score: SCORE`, and skip lines with scores of whole files."""
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        before, is_scored, score = line.rpartition(_COMET_SCORE)
        if not is_scored:
            if not line or line.startswith(_COMET_END):
                continue
            raise PurebleuError(f"{name}: line {number} is not of the form that comet-score prints")
        file, is_of_segment, index = before.rpartition(_COMET_INDEX)
        if not is_of_segment:
            continue  # the line has the score of a whole file
        expected = counts.setdefault(file, 0)
        if index != str(expected):
            raise PurebleuError(f"{name}: line {number} has segment {index} of {file}, not segment {expected}")
        counts[file] += 1
        yield file, f"line {number}", score


def _read_comet_json(lines: Sequence[str], name: str) -> Iterator[tuple[str, str, str]]:
    """Read the JSON of comet-score: an object that has, for each file, a list of segments with their scores."""
    import json

    try:
        # (Numbers are kept as texts, so that no digits are lost.)
        content = json.loads("\n".join(lines), parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise PurebleuError(f"{name}: expected a number on each line, or the JSON of comet-score ({error}); to read a "
                            "column of JSON Lines, write FILE.jsonl:COLUMN") from None
    if not isinstance(content, dict):
        raise PurebleuError(f"{name} is not the JSON of comet-score, which is an object with a list of segments for "
                            "each file")
    files: dict[str, Any] = content  # pyright: ignore[reportUnknownVariableType]  # JSON
    for file, segments in files.items():
        if not isinstance(segments, list):
            raise PurebleuError(f"{name}: {file!r:.80} is not a list of segments, as comet-score writes it")
        members: list[Any] = segments  # pyright: ignore[reportUnknownVariableType]  # JSON
        for index, segment in enumerate(members):
            score: Any = segment.get(_COMET_MEMBER) if isinstance(segment, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            if not isinstance(score, str):
                raise PurebleuError(f"{name}: segment {index} of {file} has no score {_COMET_MEMBER}")
            yield file, f"segment {index} of {file}", score


def _check_score(score: str, name: str, position: str, may_lack: bool) -> None:
    """Raise `PurebleuError` if a score is not a finite number. If `may_lack` is true, the score may also be missing."""
    if may_lack and is_missing(score):
        return
    try:
        finite_decimal(score)
    except PurebleuError as error:
        problem = "the score is missing" if is_missing(score) else error
        if "\t" in score or "," in score:
            problem = f"{error} (if this is a table, name the column with the scores: {name}:COLUMN)"
        raise PurebleuError(f"{name}: {position}: {problem}") from None


def is_missing(score: str) -> bool:
    """Return whether a text stands for a missing score: the text is blank or `None`."""
    return score.strip() in ("", "None")


def scores_in_folder(path: str, systems: Sequence[tuple[str, str]], encoding: str) -> list[Sequence[str]]:
    """Return the scores of each system from a folder that has one file for each system.

    The names of the files are matched with systems as in `matched_systems`.

    Raises:
        PurebleuError: the folder has no files; a file can't be read; a file has scores of several systems, or of
            another system than its file name says; or files and systems do not match.
    """
    with named_errors(path):
        names = sorted([entry.name for entry in os.scandir(path) if entry.is_file() and not entry.name.startswith(".")])
    if not names:
        raise PurebleuError(f"{path}: there is no file in the folder")
    chosen = matched_systems({name: (os.path.join(path, name), read_scores(os.path.join(path, name), encoding))
                              for name in names}, systems, path)
    return [scores for _, scores in scores_of_files(chosen, systems)]


def only_system(by_system: Mapping[str, Any], name: str) -> tuple[str, Any]:
    """Return the name and the scores of the only system in a file."""
    if len(by_system) != 1:
        raise PurebleuError(f"{name} must have the scores of one system, but has scores of {len(by_system)} systems: "
                            f"{', '.join(by_system)}")
    return next(iter(by_system.items()))


def in_order_of_systems(files: Sequence[tuple[str, Mapping[str, Any]]],
                        systems: Sequence[tuple[str, str]]) -> list[tuple[str, Any]]:
    """Put files of scores into the order of the systems. Each file has the scores of one system.

    A file that names a system goes to the position of that system. If a system would then have no file or several
    files, the order of the files stays unchanged.

    Args:
        files: for each system, the name of a file, and the scores in the file by the name of the system.
        systems: the name of each system, and the file with its outputs.

    Returns:
        For each system, the name of the file and the scores.

    Raises:
        PurebleuError: a file has scores of several systems, or of another system than the system at its position.
    """
    positions = list(range(len(files)))
    for index, (file, by_system) in enumerate(files):
        meant = systems_called(only_system(by_system, file)[0], systems)
        if len(meant) == 1:
            positions[index] = meant[0]
    if sorted(positions) == list(range(len(files))):
        files = [files[positions.index(index)] for index in range(len(files))]
    return scores_of_files(files, systems)


def scores_of_files(files: Sequence[tuple[str, Mapping[str, Any]]],
                    systems: Sequence[tuple[str, str]]) -> list[tuple[str, Any]]:
    """Return the name and the scores of each file. `files` has one file for each system, in the same order.

    Raises `PurebleuError` if a file names the system of another file. Warns if a file names an unknown system.
    """
    unknown: list[str] = []
    read: list[tuple[str, Any]] = []
    for index, (file, by_system) in enumerate(files):
        key, scores = only_system(by_system, file)
        read.append((file, scores))
        meant = systems_called(key, systems)
        if meant and index not in meant:
            raise PurebleuError(f"{file} should have the scores of {systems[index][0]}, but has the scores of {key}")
        if key and not meant:
            unknown.append(f"{file} names {key}, but is used for {systems[index][0]}")
    if unknown:
        warn(f"some files of scores name an unknown system: {', '.join(unknown)}")
    return read


def index_called(name: str, names: Sequence[Sequence[str]]) -> int:
    """Return the index of the system that `--against` names; raises `OptionError` for an unknown or ambiguous name.

    `names` has the possible names of each system. The first name of a system is the name in results.
    """
    indices = systems_called(name, names)
    if len(indices) != 1:
        shown = ", ".join([first for first, *_ in names])
        problem = "several systems have this name" if indices else "no system has this name"
        raise OptionError(f"--against {name}: {problem}; the systems are {shown}", option="against")
    return indices[0]


def systems_called(key: str, systems: Sequence[Sequence[str]]) -> list[int]:
    """Return the indices of the systems that a name may mean."""
    return _matching([key], systems) if key else []


def _matching(names: Sequence[str], others: Sequence[Sequence[str]]) -> list[int]:
    """Return the indices of the systems that have one of `names`. `others` has the names of each system.

    The comparisons in `_SAME` are tried one after another, until a comparison finds a match.
    """
    for form in _SAME:
        wanted = set(map(form, names))
        indices = [index for index, other in enumerate(others) if not wanted.isdisjoint(map(form, other))]
        if indices:
            return indices
    return []


def matched_systems(found: Mapping[str, Any], systems: Sequence[tuple[str, str]], name: str) -> list[Any]:
    """Return the scores of each system.

    A name in `found` matches the name of a system or the name of its file. Folders and endings of names may differ.

    Args:
        found: the scores in a file or a folder, by names of systems or files.
        systems: the name of each system, and the file with its outputs.
        name: the name of the file or folder in errors.

    Raises:
        PurebleuError: no name or several names match a system, or a name matches no system.

    Example:
        >>> matched_systems({"a.txt": ["0.5"], "B": ["0.25"]}, [("B", "out/b.txt"), ("A", "out/a.txt")], "all.json")
        [['0.25'], ['0.5']]
    """
    chosen, foreign = matched_names(list(found), systems, name)
    if foreign:
        raise PurebleuError(f"{name} also has scores of systems whose outputs were not given with -i: "
                            f"{', '.join(foreign)}")
    return [found[key] for key in chosen]


def matched_names(keys: Sequence[str], systems: Sequence[tuple[str, str]], name: str) -> tuple[list[str], list[str]]:
    """Return the name in `keys` for each system (see `matched_systems`), and the names that match no system."""
    chosen: list[str] = []
    names = [[key] for key in keys]
    for system, path in systems:
        matches = [keys[index] for index in _matching([system, path], names)]
        if not matches:
            raise PurebleuError(f"{name} has no scores of {system}, only of {', '.join(keys)}: give each system the "
                                f"name that it has in {name} (-i NAME=OUTPUT)")
        if len(matches) > 1 or matches[0] in chosen:
            raise PurebleuError(f"it is not clear which scores in {name} belong to {system}: give each system the name "
                                f"that it has in {name} (-i NAME=OUTPUT)")
        chosen += matches
    return chosen, [key for key in keys if key not in chosen]


def _last_part(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _without_ending(path: str) -> str:
    return os.path.splitext(_last_part(path))[0]


#: Functions that return the part of a name that is compared, the strictest comparison first.
_SAME: Sequence[Callable[[str], str]] = (str, _last_part, _without_ending)


# Human scores, in the formats that evaluation campaigns publish


class HumanScores(NamedTuple):
    """The human scores of one system.

    Attributes:
        by_line: the exact score of each judged line, by the line's number from 1.
        lines: the number of lines that the file has for the system; `None` if that number is unknown.
        from_zero: whether the file counts segments from 0.
    """

    by_line: Mapping[int, Fraction]
    lines: int | None
    from_zero: bool = False


#: The column with the name of the system, in tables that have a row for each judgement.
_SYSTEM = "system"

#: The columns that may have the number of the segment. If several columns of a row have a number, the first of
#: these columns is used.
_SEGMENT_COLUMNS = ("seg_id", "line_id", "segment_id", "segment", "line")

#: The column with the language pair of a row.
_PAIR = "langs"

#: The columns that are read from a table of MQM errors.
_MQM_COLUMNS = (_SYSTEM, "seg_id", "rater", "category", "severity")

#: The weights of MQM errors by severity, and the weights of some categories, which take precedence.
_MQM_WEIGHTS = {"major": "5", "minor": "1", "neutral": "0", "no-error": "0", "": "0"}
_MQM_CATEGORIES = {("major", "non-translation!"): "25", ("minor", "fluency/punctuation"): "0.1"}


def read_human_scores(name: str, encoding: str = "utf-8") -> dict[str, HumanScores]:
    """Return the human scores in a file, by the name of the system; the name is empty if the file names no systems.

    The file may have any format of `read_scores`. (A blank score or `None` means that nobody judged the segment.) Two
    more formats are read: a table with a row for each judgement (`FILE:COLUMN`) and with the columns `system` and
    `seg_id`, and Google's tables of MQM errors or of average MQM scores. If a segment has several judgements, their
    mean is the score.

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
        by_system = scores_in_column(scores, name, may_lack=True)
    else:
        lines = read_lines(column.path, encoding=encoding, role=SCORES)
        head = lines[0] if lines else ""
        if set(_MQM_COLUMNS) <= set(head.split("\t")):
            return _averaged(_errors_as_ratings(lines, name), name)
        if head.split()[:1] == [_SYSTEM] and head.split()[2:] == ["seg_id"]:
            return _averaged(_ratings_in_lines(lines[1:], name), name)
        by_system = scores_in_lines(lines, name, may_lack=True)
    return {system: _scores_by_line(scores) for system, scores in by_system.items()}


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
            ratings.append((system, next(filter(None, numbers)), str(count), _scaled_score(score, where)))
    return scores, ratings


def _ratings_in_lines(lines: Sequence[str], name: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield a rating (system, segment, no rater, score) for each line `SYSTEM SCORE SEGMENT`."""
    for number, line in enumerate(lines, 2):
        fields = line.split()
        where = f"{name}: line {number}"
        if len(fields) != 3:
            raise PurebleuError(f"{where} is not of the form SYSTEM SCORE SEGMENT, unlike the first line")
        if not is_missing(fields[1]):
            yield fields[0], fields[2], "", _scaled_score(fields[1], where)


def _errors_as_ratings(lines: Sequence[str], name: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield ratings from a table of MQM errors.

    A rating is the sum of the weights of a rater's errors in a segment, with a minus sign. Warns if the severity of an
    error has no weight.
    """
    head = lines[0].split("\t")
    indices = [head.index(column) for column in _MQM_COLUMNS]
    sums: dict[tuple[str, str, str], int] = {}
    without_weight: set[str] = set()
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) <= max(indices):
            if is_blank(line):
                continue
            raise PurebleuError(f"{name}: line {number} has {len(fields)} fields, but the first line has {len(head)}")
        system, segment, rater, category, severity = [fields[index] for index in indices]
        if severity.lower() not in _MQM_WEIGHTS:
            without_weight.add(severity)
        key = system, segment, rater
        sums[key] = sums.get(key, 0) - scaled_integer(_weight(severity.lower(), category.lower()))
    if without_weight:
        warn(f"{name}: errors of these severities have no weight, so they count as 0: "
             f"{', '.join(sorted(without_weight))}")
    for (system, segment, rater), score in sums.items():
        yield system, segment, rater, score


def _weight(severity: str, category: str) -> str:
    """Return the weight of an error: the weight of its category or of a parent category, or else of its severity."""
    while category:
        if (severity, category) in _MQM_CATEGORIES:
            return _MQM_CATEGORIES[severity, category]
        category = category.rpartition("/")[0]
    return _MQM_WEIGHTS.get(severity, "0")


def _averaged(ratings: Iterable[tuple[str, str, str, int]], name: str) -> dict[str, HumanScores]:
    """Return the scores of each system: the score of a segment is the mean of its ratings."""
    by_system: dict[str, dict[int, dict[str, int]]] = {}
    for system, segment, rater, score in ratings:
        scores_by_rater = by_system.setdefault(system, {}).setdefault(_segment_number(segment, name), {})
        if rater in scores_by_rater:
            raise PurebleuError(f"{name}: segment {segment} of {system} is listed twice")
        scores_by_rater[rater] = score
    # (If a segment has the number 0, the numbers in the file begin at 0.)
    shift = 1 if any(0 in system_scores for system_scores in by_system.values()) else 0
    averages: dict[str, HumanScores] = {}
    for system, system_scores in by_system.items():
        by_line = {number + shift: _mean(list(scores.values())) for number, scores in system_scores.items()}
        averages[system] = HumanScores(by_line, None, shift == 1)
    return averages


def _mean(scores: Sequence[int]) -> Fraction:
    """Return the exact mean of scores that `scaled_integer` returned."""
    from fractions import Fraction

    return Fraction(sum(scores), len(scores) * 10**STORED_PLACES)


def _segment_number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise PurebleuError(f"{name}: {text!r:.40} is not the number of a segment")
    return int(text)


def _scaled_score(text: str, where: str) -> int:
    try:
        return scaled_integer(text)
    except PurebleuError as error:
        raise PurebleuError(f"{where}: {error}") from None
