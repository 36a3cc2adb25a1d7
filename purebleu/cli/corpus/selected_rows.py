"""`--where` and `--group`: select rows of files, and find the group of each row."""

from __future__ import annotations

import sys
from itertools import compress, zip_longest

from ...files.lines import HeldLines
from ...files.opening import KEYS, column_of
from ...files.records import READERS, Condition, RecordReader
from ...runtime.errors import LengthError, OptionError
from ...runtime.hints import Any, Mapping, Sequence
from ..arguments.values import check_needs
from .inputs import Inputs


def selected_rows(inputs: Inputs, streams: Sequence[Any], owners: Sequence[int]) -> tuple[list[Any], HeldLines | None]:
    """Keep only the rows that meet the conditions of `--where`, and find the groups of these rows.

    If a file has the column of a condition, its own values decide. Scores without the column keep the same rows as
    their outputs. Any other file without the column keeps the same rows as the first file that has the column.

    Args:
        inputs: the inputs of the run.
        streams: parallel streams from which nothing has been read.
        owners: an index for each stream. Scores have the index of their outputs; other streams have their own index.

    Returns:
        The streams of the selected rows; and a stream with the values of the column of `--group`, or `None`.

    Raises:
        OptionError: no file has the column of a condition or of `--group`, or a file can't be read twice.
        LengthError: files are not parallel.
    """
    columns = list(dict.fromkeys([condition.column for condition in inputs.conditions]))
    if inputs.group_column and inputs.group_column not in columns:
        columns.append(inputs.group_column)
    readers = _readers_of(inputs, streams)
    tables: dict[RecordReader | None, dict[str, list[str]]] = {None: {}}
    for file in filter(None, dict.fromkeys(readers)):
        keys = [file.column(column, column, KEYS, optional=True) for column in columns]
        found = [key.read(sys.maxsize) for key in keys]
        tables[file] = {column: values for column, values in zip(columns, found) if any(values)}
    leaders: dict[str, list[str]] = {}
    for column in columns:
        having = [table[column] for table in tables.values() if column in table]
        option = "group" if column == inputs.group_column else "where"
        check_needs(having, f"--{option}", f"a file with the column {column!r} (-i FILE:COLUMN names a column of JSON "
                    "Lines, CSV or TSV; with -t, the columns are the fields of the test set)", option)
        leaders[column] = having[0]
    left: list[Any] = []
    groups = None
    masks: dict[tuple[RecordReader | None, RecordReader | None], list[bool]] = {}
    for stream, reader, owner in zip(streams, readers, owners):
        name = reader.name if reader else stream.name
        key = reader, readers[owner]
        is_new = key not in masks
        if is_new:
            columns_of_row = {**leaders, **tables[readers[owner]], **tables[reader]}
            masks[key] = _mask(inputs.conditions, columns_of_row, name)
        mask = masks[key]
        left.append(_kept(stream, mask) if inputs.conditions else stream)
        values = tables[reader].get(inputs.group_column)
        if is_new and values is not None:
            kept = list(compress(values, mask)) if inputs.conditions else values
            groups_of_file = HeldLines(f"{name}:{inputs.group_column}", kept)
            groups = groups or groups_of_file
            _check_same(groups, groups_of_file)
    return left, groups


def _readers_of(inputs: Inputs, streams: Sequence[Any]) -> list[RecordReader | None]:
    """Return a reader of the file of each stream (a new reader for scores); `None` if the file has no columns."""
    of_scores: dict[str | None, RecordReader] = {}
    readers: list[RecordReader | None] = []
    for stream in streams:
        reader: RecordReader | None = getattr(stream, "file", None)
        source = column_of(getattr(stream, "source", ""))
        if source.kind in READERS:
            if not inputs.can_be_read_again([source.name]):
                raise OptionError(f"--where and --group read {source.name} twice, but it can be read only once")
            reader = of_scores.setdefault(source.path, READERS[source.kind](source.path, inputs.encoding))
        readers.append(reader if isinstance(reader, tuple(READERS.values())) else None)
    return readers


def _mask(conditions: Sequence[Condition], columns: Mapping[str, Sequence[str]], path: str) -> list[bool]:
    """For each row of a file, return whether it meets the conditions.

    Raises:
        LengthError: the columns differ in length.
        OptionError: no row meets the conditions.
    """
    tested = [columns[condition.column] for condition in conditions]
    if len({*map(len, tested)}) > 1:
        raise LengthError(f"the columns of --where in {path} must have the same length, but the columns have "
                          f"{', '.join([str(len(texts)) for texts in tested])} rows")
    mask: list[bool] = []
    for row in zip(*tested):
        mask.append(all(condition.is_met(text) for condition, text in zip(conditions, row)))
    if conditions and not any(mask):
        raise OptionError(f"no row of {path} meets --where {', '.join(map(str, conditions))}", option="where")
    return mask


def _kept(stream: Any, mask: Sequence[bool]) -> HeldLines:
    """Return a stream of the rows whose value in the mask is true. Raise `LengthError` if the lengths differ."""
    rows: list[Any] = stream.read(sys.maxsize)
    if len(rows) != len(mask):
        raise LengthError(f"{stream.name} has {len(rows)} rows, but the columns of --where have {len(mask)} rows")
    return HeldLines(stream.name, list(compress(rows, mask)), varies=getattr(stream, "varies", False), mask=mask)


def _check_same(one: HeldLines, other: HeldLines) -> None:
    """Raise `LengthError` unless two files have the same groups."""
    for number, texts in enumerate(zip_longest(one.lines, other.lines), 1):
        if texts[0] != texts[1]:
            raise LengthError(f"all files must have the same groups, but row {number} of the selected rows has "
                              f"{texts[0]!r} in {one.name}, and {texts[1]!r} in {other.name}")


def group_labels(inputs: Inputs, values: Sequence[str]) -> list[str]:
    """Return the group of each segment: a value in the column, or the part of the value that the pattern matches.

    Raises:
        OptionError: a value does not match the pattern, or is empty.
    """
    import re

    pattern = inputs.group.partition("~")[2] or "(?s).+"
    labels: list[str] = []
    for number, value in enumerate(values, 1):
        match = re.search(pattern, value)
        labels.append(match.group(min(1, match.re.groups)) if match else "")
        if not labels[-1]:
            raise OptionError(f"--group {inputs.group}: segment {number} has no group: its value is {value!r:.60}",
                              option="group")
    return labels
