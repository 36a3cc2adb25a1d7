"""Scores of segments that another program, or a person, has written, in the forms in which such programs write them."""

from __future__ import annotations

import os

from ..errors import PurebleuError, warn
from .lines import read_lines
from .numbers import finite_decimal
from .opening import column_of, is_utf_8
from .records import READERS, SCORES, read_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Mapping, Sequence, TypeVar

    #: What a file has of a system.
    OfSystem = TypeVar("OfSystem")

    #: The scores of each system, by its name in the file; an empty name if the file has none.
    BySystem = Mapping[str, Sequence[str]]

    #: From a score, the name of its file, and the kind and the number of its position, to the score, if it is one.
    Check = Callable[[str, str, str, int], str]

#: The text before the index of a segment, and that before a score, in a line of comet-score.
_COMET_INDEX = "\tSegment "
_COMET_SCORE = "\tscore: "

#: The beginning of comet-score's last line, where it wrote JSON, too.
_COMET_END = "Predictions saved in: "

#: The member that comet-score's JSON has the score of a segment in.
_COMET_MEMBER = "COMET"


def read_scores(name: str, encoding: str = "utf-8", may_lack: bool = False) -> BySystem:
    """Return the scores in a file, whatever their form.

    The forms are: a number a line; a column of CSV, TSV or JSON Lines (`FILE:COLUMN`); the text and the JSON of
    comet-score; and lines of a system's name and a score, as mt-metrics-eval has them.

    Args:
        name: of a file, or of a column of one.
        encoding: of the file.
        may_lack: whether a blank, or `None`, may stand for a missing score; else, that is an error.

    Raises:
        PurebleuError: the file can't be read, or something in it is no score; it names the line.
    """
    column = column_of(name)
    if column.kind in READERS:
        [scores] = read_columns(column.path, column.kind, encoding, [(column.selector, SCORES, False)])
        return scores_in_column(scores, name, may_lack)
    return scores_in_lines(read_lines(column.path, encoding=without_mark(encoding)), name, may_lack)


def without_mark(encoding: str) -> str:
    """The encoding that leaves out a byte-order mark, which is no part of a number."""
    return "utf-8-sig" if is_utf_8(encoding) else encoding


def scores_in_column(scores: Sequence[str], name: str, may_lack: bool = False) -> BySystem:
    """As `read_scores`, of a column that has been read."""
    check = _checked_if_there if may_lack else _checked_score
    return {"": [check(score, name, "record", number) for number, score in enumerate(scores, 1)]}


def scores_in_lines(lines: Sequence[str], name: str, may_lack: bool = False) -> BySystem:
    """As `read_scores`, of the lines of a file, which have been read."""
    check = _checked_if_there if may_lack else _checked_score
    first = next(filter(None, lines), "")
    if not first:
        raise PurebleuError(f"{name}: no scores, the file is empty")
    return _form_of(first)(lines, name, check)


def _form_of(first: str) -> Callable[[Sequence[str], str, Check], BySystem]:
    """The reader of the lines of a file; the first line that is not blank tells which one."""
    if first.startswith(("{", "[")):
        return _read_comet_json
    if _COMET_SCORE in first:
        return _read_comet_lines
    return _read_named_lines if len(first.split()) == 2 else _read_numbers


def _read_numbers(lines: Sequence[str], name: str, check: Check) -> BySystem:
    return {"": [check(line, name, "line", number) for number, line in enumerate(lines, 1)]}


def _read_named_lines(lines: Sequence[str], name: str, check: Check) -> BySystem:
    """Lines `SYSTEM SCORE`, the segments of each system in their order."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != 2:
            raise PurebleuError(f"{name}: line {number} is not of the form SYSTEM SCORE, as the first one is")
        found.setdefault(fields[0], []).append(check(fields[1], name, "line", number))
    return found


def _read_comet_lines(lines: Sequence[str], name: str, check: Check) -> BySystem:
    """Lines `FILE<tab>Segment INDEX<tab>score: SCORE`, then those of whole files."""
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        before, is_scored, score = line.rpartition(_COMET_SCORE)
        if not is_scored:
            if not line or line.startswith(_COMET_END):
                continue
            raise PurebleuError(f"{name}: line {number} is not one that comet-score prints")
        file, is_of_segment, index = before.rpartition(_COMET_INDEX)
        if not is_of_segment:
            continue  # the score of a whole file
        file_scores = found.setdefault(file, [])
        if index != str(len(file_scores)):
            raise PurebleuError(f"{name}: line {number} has segment {index} of {file}, where "
                                f"{len(file_scores)} should be")
        file_scores.append(check(score, name, "line", number))
    if not found:
        raise PurebleuError(f"{name}: there are scores of whole files, but none of segments (was it made with "
                            "--only_system?)")
    return found


def _read_comet_json(lines: Sequence[str], name: str, check: Check) -> BySystem:
    """An object with a list of segments for each file, each with its score."""
    import json

    try:
        # (The texts of numbers have all the digits that were printed.)
        content = json.loads("\n".join(lines), parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise PurebleuError(f"{name}: neither a number a line, nor the JSON of comet-score ({error}); a column of "
                            "JSON Lines is FILE.jsonl:COLUMN") from None
    if not isinstance(content, dict):
        raise PurebleuError(f"{name}: not the JSON of comet-score, which has a list of segments for each file")
    files: dict[str, Any] = content  # pyright: ignore[reportUnknownVariableType]  # JSON
    return {file: [check(score, name, f"segment of {file}", index)
                   for index, score in enumerate(_scores_of_segments(segments, name, file))]
            for file, segments in files.items()}


def _scores_of_segments(segments: Any, name: str, file: str) -> Iterator[str]:
    """The score of each segment in comet-score's JSON."""
    if not isinstance(segments, list):
        raise PurebleuError(f"{name}: {file!r:.80} is not a list of segments, as comet-score writes it")
    members: list[Any] = segments  # pyright: ignore[reportUnknownVariableType]  # JSON
    for index, segment in enumerate(members):
        score: Any = segment.get(_COMET_MEMBER) if isinstance(segment, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if not isinstance(score, str):
            raise PurebleuError(f"{name}: segment {index} of {file} has no {_COMET_MEMBER}")
        yield score


def _checked_score(score: str, name: str, kind: str, number: int) -> str:
    """A score, if it is a finite number."""
    try:
        finite_decimal(score)
    except PurebleuError as error:
        problem = "the score is missing" if is_missing(score) else error
        if "\t" in score:
            problem = f"{error} (of a table, name the column with the scores: {name}:COLUMN)"
        raise PurebleuError(f"{name}: {kind} {number}: {problem}") from None
    return score


def _checked_if_there(score: str, name: str, kind: str, number: int) -> str:
    """A score, if it is a finite number, or missing."""
    return score if is_missing(score) else _checked_score(score, name, kind, number)


def is_missing(score: str) -> bool:
    """Whether a text of a score says that there is none."""
    return score.strip() in ("", "None")


def scores_in_folder(path: str, systems: Sequence[tuple[str, str]], encoding: str) -> list[Sequence[str]]:
    """Return the scores of each system from a folder with a file for each; names match as in `matched_systems`.

    Raises:
        PurebleuError: the folder has no files, or a file can't be read, or has scores of several systems, or of another
            one than its name says; or as `matched_systems` does.
    """
    try:
        names = sorted([entry.name for entry in os.scandir(path) if entry.is_file() and not entry.name.startswith(".")])
    except OSError as error:
        raise PurebleuError(f"{path}: {error.strerror or error}") from error
    if not names:
        raise PurebleuError(f"{path}: there is no file in the folder")
    chosen = matched_systems({name: (os.path.join(path, name), read_scores(os.path.join(path, name), encoding))
                              for name in names}, systems, path)
    check_names_of_files(chosen, systems)
    return [only_system(found, file)[1] for file, found in chosen]


def only_system(found: Mapping[str, OfSystem], name: str) -> tuple[str, OfSystem]:
    """The name of the system, and its scores, in a file that is of one system."""
    if len(found) != 1:
        raise PurebleuError(f"{name} has scores of {len(found)} systems, where one is expected: {', '.join(found)}")
    return next(iter(found.items()))


def in_order_of_systems(files: Sequence[tuple[str, Mapping[str, OfSystem]]],
                        systems: Sequence[tuple[str, str]]) -> list[tuple[str, OfSystem]]:
    """Return files and their scores (each file is of one system) in the order of the systems.

    Files are taken by position, unless the names of systems in them say otherwise.

    Args:
        files: for each system, the name of a file, and what was read from it.
        systems: the name of each, and the file with its outputs.

    Raises:
        PurebleuError: a file has scores of several systems, or of another system than its position says.
    """
    positions = list(range(len(files)))
    for index, (file, found) in enumerate(files):
        meant = systems_called(only_system(found, file)[0], systems)
        if len(meant) == 1:
            positions[index] = meant[0]
    if sorted(positions) == list(range(len(files))):
        files = [files[positions.index(index)] for index in range(len(files))]
    check_names_of_files(files, systems)
    return [(file, only_system(found, file)[1]) for file, found in files]


def check_names_of_files(files: Sequence[tuple[str, Mapping[str, object]]],
                         systems: Sequence[tuple[str, str]]) -> None:
    """Check the names of systems in files, one file for each system.

    Raises `PurebleuError` if a file has the name of another system; warns of a name that no system has.
    """
    unknown: list[str] = []
    for index, (file, found) in enumerate(files):
        key, _ = only_system(found, file)
        meant = systems_called(key, systems)
        if meant and index not in meant:
            raise PurebleuError(f"{file} has scores of {key}, but is given for {systems[index][0]}: give each system "
                                "the file with its own scores")
        if key and not meant:
            unknown.append(f"{file} as those of {systems[index][0]}, though they are called {key}")
    if unknown:
        warn(f"the scores are taken by position, for no system has their name: {', '.join(unknown)}")


def systems_called(key: str, systems: Sequence[Sequence[str]]) -> list[int]:
    """The indices of the systems that a name may be of, compared with the names of each as strictly as possible."""
    for form in _SAME:
        meant = [index for index, names in enumerate(systems) if key and form(key) in map(form, names)]
        if meant:
            return meant
    return []


def matched_systems(found: Mapping[str, OfSystem], systems: Sequence[tuple[str, str]], name: str) -> list[OfSystem]:
    """Return the scores of each system. It is found by its name, its file, or the last part of its path (or the stem).

    Args:
        found: the scores in a file or a folder.
        systems: the name of each, and the file with its outputs.
        name: of the file or folder, for errors.

    Raises:
        PurebleuError: a system has no scores there, or several; or there are scores of other systems.

    Example:
        >>> matched_systems({"a.txt": ["0.5"], "B": ["0.25"]}, [("B", "out/b.txt"), ("A", "out/a.txt")], "all.json")
        [['0.25'], ['0.5']]
    """
    chosen, foreign = matched_names(list(found), systems, name)
    if foreign:
        raise PurebleuError(f"{name} has scores of {', '.join(foreign)}, too, which -i has no outputs of")
    return [found[key] for key in chosen]


def matched_names(found: Sequence[str], systems: Sequence[tuple[str, str]],
                  name: str) -> tuple[list[str], list[str]]:
    """The name of each system in a file, and the other names there: matched as in `matched_systems`."""
    chosen: list[str] = []
    for system, path in systems:
        for forms in _SAME:
            meant = {forms(system), forms(path)}
            matches = [key for key in found if forms(key) in meant]
            if matches:
                break
        else:
            raise PurebleuError(f"{name} has no scores of {system}, but of {', '.join(found)}: give the systems names, "
                                "as they are there (-i NAME=FILE)")
        if len(matches) > 1 or matches[0] in chosen:
            raise PurebleuError(f"{name}: nothing tells which scores are those of {system}: give the systems names, as "
                                "they are there (-i NAME=FILE)")
        chosen += matches
    return chosen, [key for key in found if key not in chosen]


def _last_part(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _without_ending(path: str) -> str:
    return os.path.splitext(_last_part(path))[0]


#: The parts of a system's name (or file) and of a name in a file that have to be the same, the strictest first.
_SAME: Sequence[Callable[[str], str]] = (str, _last_part, _without_ending)
