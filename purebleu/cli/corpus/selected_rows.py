"""`--where` and `--group`: the rows of files that are kept, and the group of each."""

from __future__ import annotations

import re
import sys
from collections import deque
from itertools import compress, zip_longest

from ...errors import LengthError, OptionError
from ...files.lines import HeldLines
from ...files.opening import KEYS, STDIN, column_of
from ...files.records import READERS, RecordColumn, read_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ...files.conditions import Condition
    from .inputs import Inputs


def selected_rows(inputs: Inputs, names: Sequence[str | None], streams: Sequence[Any],
                  encodings: Sequence[str]) -> tuple[list[Any], HeldLines | None]:
    """Keep the rows of streams that meet the conditions of `--where`, and find the groups of these.

    A condition on a column is checked in each file that has it, for the rows of this file; other files follow the first
    one that has the column. (With a test set, the conditions are on its fields, and nothing is left out here.)

    Args:
        inputs: the inputs of the run.
        names: the files or columns of the streams.
        streams: the streams, all of them parallel.
        encodings: the encodings of the files.

    Returns:
        The streams that are left, and one of the values of the column that `--group` names.

    Raises:
        OptionError: no file has a column, or it can't be read twice.
        LengthError: files are not parallel.
    """
    columns = list(dict.fromkeys([condition.column for condition in inputs.conditions]))
    if inputs.group_column and inputs.group_column not in columns:
        columns.append(inputs.group_column)
    paths = [None if name is None else column_of(name).path for name in names]
    by_file = _columns_of_files(inputs, names, encodings, columns)
    leaders: dict[str, list[str]] = {}
    for column in columns:
        having = [found[column] for found in by_file.values() if column in found]
        if not having:
            option = "group" if column == inputs.group_column else "where"
            raise OptionError(f"--{option}: no file has a column {column!r} (-i FILE:COLUMN names a column of JSON "
                              "Lines, CSV or TSV; -t has fields)", option=option)
        leaders[column] = having[0]
    masks = {path: _mask(inputs.conditions, {**leaders, **by_file.get(path, {})}, path)
             for path in dict.fromkeys(paths)}
    groups = None
    for path, found in by_file.items():
        if inputs.group_column in found:
            values = found[inputs.group_column]
            of_file = HeldLines(f"{path}:{inputs.group_column}",
                                list(compress(values, masks[path])) if inputs.conditions else values)
            groups = groups or of_file
            _check_same(groups, of_file)
    if inputs.conditions:
        streams = [_kept(stream, masks[path]) for stream, path in zip(streams, paths)]
    return list(streams), groups


def _columns_of_files(inputs: Inputs, names: Sequence[str | None], encodings: Sequence[str],
                      columns: Sequence[str]) -> dict[str | None, dict[str, list[str]]]:
    """Return, by the path of each file with columns, those of these columns that it has."""
    by_file: dict[str | None, dict[str, list[str]]] = {}
    for name, encoding in zip(names, encodings):
        file = column_of(name or STDIN)
        if file.kind not in READERS or file.path in by_file:
            continue
        if not inputs.can_be_read_again([file.name]):
            raise OptionError(f"--where and --group read files twice, but {name} can be read only once")
        found = read_columns(file.path, file.kind, encoding, [(column, KEYS, True) for column in columns])
        by_file[file.path] = {column: values for column, values in zip(columns, found) if any(values)}
    return by_file


def _mask(conditions: Sequence[Condition], columns: Mapping[str, Sequence[str]], path: str | None) -> list[bool]:
    """Return whether each row of a file meets the conditions; raises an error if none does, or lengths differ."""
    tested = [columns[condition.column] for condition in conditions]
    if len({*map(len, tested)}) > 1:
        raise LengthError(f"the columns of --where are not parallel for {path}: they have "
                          f"{', '.join([str(len(texts)) for texts in tested])} rows")
    mask = [all(condition.is_met(text) for condition, text in zip(conditions, row)) for row in zip(*tested)]
    if conditions and not any(mask):
        raise OptionError(f"no row of {path} meets {', '.join(map(str, conditions))}", option="where")
    return mask


def _kept(stream: Any, mask: Sequence[bool]) -> RecordColumn:
    """Return a stream of the rows of a stream that a mask keeps; raises `LengthError` if it is not as long as that."""
    rows: list[Any] = stream.read(sys.maxsize)
    if len(rows) != len(mask):
        raise LengthError(f"{stream.name} has {len(rows)} rows, but the columns of --where have {len(mask)}")
    varies = getattr(stream, "varies", False)
    return RecordColumn(stream.name, varies, stream, deque(compress(rows, mask)), lambda _: None)


def _check_same(one: HeldLines, other: HeldLines) -> None:
    """Raise `LengthError` unless two files have the same groups."""
    for number, texts in enumerate(zip_longest(one.lines, other.lines), 1):
        if texts[0] != texts[1]:
            raise LengthError(f"files differ in their groups: row {number} of the rows kept has {texts[0]!r} in "
                              f"{one.name}, but {texts[1]!r} in {other.name}")


def group_labels(inputs: Inputs, values: Sequence[str]) -> list[str]:
    """Return the group of each segment, from the values of its column: the value, or what the pattern matches of it.

    Raises:
        OptionError: a value does not match the pattern, or there is none.
    """
    pattern = inputs.group.partition("~")[2] or "(?s).+"
    labels: list[str] = []
    for number, value in enumerate(values, 1):
        match = re.search(pattern, value)
        labels.append(match.group(min(1, match.re.groups)) if match else "")
        if not labels[-1]:
            raise OptionError(f"--group {inputs.group}: segment {number} has no group, its column has {value!r:.60}",
                              option="group")
    return labels
