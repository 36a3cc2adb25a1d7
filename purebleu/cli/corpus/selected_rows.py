"""`--where` and `--group`: the rows of files that are kept, and the group of each."""

from __future__ import annotations

import re
import sys
from collections import deque
from itertools import compress, zip_longest

from ...errors import LengthError, OptionError
from ...files.lines import HeldLines
from ...files.opening import KEYS, column_of
from ...files.records import READERS, RecordColumn, read_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

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
    conditions = inputs.conditions
    group = inputs.group_column
    columns = list(dict.fromkeys([*[condition.column for condition in conditions], *filter(None, [group])]))
    values: dict[str | None, dict[str, list[str]]] = {}
    paths = [None if name is None else column_of(name).path for name in names]
    for name, path, encoding in zip(names, paths, encodings):
        kind = "" if name is None else column_of(name).kind
        if kind not in READERS or path in values:
            continue
        if name is None or not inputs.can_be_read_again([name]):
            raise OptionError(f"--where and --group read files twice, but {name} can be read only once")
        found = read_columns(path, kind, encoding, [(column, KEYS, True) for column in columns])
        values[path] = {column: texts for column, texts in zip(columns, found) if any(texts)}
    leaders: dict[str, str | None] = {}
    for column in columns:
        having = [path for path in values if column in values[path]]
        if not having:
            option = "group" if column == group else "where"
            raise OptionError(f"--{option}: no file has a column {column!r} (-i FILE:COLUMN names a column of JSON "
                              "Lines, CSV or TSV; -t has fields)", option=option)
        leaders[column] = having[0]
    masks: dict[str | None, list[bool]] = {}
    for path in dict.fromkeys(paths):
        tested = [values.get(path, {}).get(condition.column, values[leaders[condition.column]][condition.column])
                  for condition in conditions]
        if len({*map(len, tested)}) > 1:
            raise LengthError(f"the columns {', '.join([condition.column for condition in conditions])} for {path} are "
                              f"not parallel: they have {', '.join([str(len(texts)) for texts in tested])} rows")
        masks[path] = [all(condition.is_met(text) for condition, text in zip(conditions, row))
                       for row in zip(*tested)]
        if conditions and not any(masks[path]):
            raise OptionError(f"no row of {path} meets {', '.join(map(str, conditions))}", option="where")
    groups = None
    for path in [path for path in values if group in values[path]]:
        texts = values[path][group]
        of_file = HeldLines(f"{path}:{group}", list(compress(texts, masks[path])) if conditions else texts)
        groups = groups or of_file
        _check_same(groups, of_file)
    if conditions:
        streams = [_kept(stream, masks[path], leaders[conditions[0].column]) for stream, path in zip(streams, paths)]
    return list(streams), groups


def _kept(stream: Any, mask: Sequence[bool], leader: str | None) -> RecordColumn:
    """Return a stream of the rows of a stream that a mask keeps; raises `LengthError` if it is not as long as that."""
    rows: list[Any] = stream.read(sys.maxsize)
    if len(rows) != len(mask):
        raise LengthError(f"{stream.name} has {len(rows)} rows, but {leader}, which has a column of --where, has "
                          f"{len(mask)}")
    varies = getattr(stream, "varies", False)
    return RecordColumn(stream.name, varies, stream, deque(compress(rows, mask)), lambda _: None)


def _check_same(one: HeldLines, other: HeldLines) -> None:
    """Raise `LengthError` unless two files have the same groups."""
    for number, texts in enumerate(zip_longest(one.lines, other.lines), 1):
        if texts[0] != texts[1]:
            raise LengthError(f"files differ in their groups: row {number} of those that are kept has {texts[0]!r} in "
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
