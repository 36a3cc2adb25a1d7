"""Columns of lines: fields that are separated by tabs."""

from __future__ import annotations

from ..errors import FieldCountError
from ..unicode.whitespace import WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence


def split_systems(lines: Sequence[str], systems: int | None, name: str, first: int = 1) -> list[list[str]]:
    """The tab-separated columns of lines, one for each system.

    Args:
        lines: one or more.
        systems: the number of systems; `None` for as many as the first line has.
        name: that of the file, for the error.
        first: the number of the first line in it.

    Raises:
        FieldCountError: a line has another number of fields.
    """
    rows = [line.split("\t") for line in lines]
    systems = systems or len(rows[0])
    columns = _columns(rows, systems, f"the first line has {systems}", name, first)
    return [[field.rstrip(WHITESPACE) for field in column] for column in columns]


def split_fields(lines: Sequence[str], fields: int, name: str, first: int = 1) -> list[list[str]]:
    """The tab-separated columns of lines; tabs beyond the last field belong to it.

    Args:
        lines: one or more.
        fields: the number of columns.
        name: that of the file, for the error.
        first: the number of the first line in it.

    Raises:
        FieldCountError: a line has fewer fields.
    """
    rows = [line.split("\t", fields - 1) for line in lines]
    return _columns(rows, fields, f"{fields} are needed", name, first)


def _columns(rows: Sequence[list[str]], count: int, expected: str, name: str, first: int) -> list[list[str]]:
    """The columns of rows that have `count` fields each; an error says what is expected."""
    for number, row in enumerate(rows, first):
        if len(row) != count:
            raise FieldCountError(f"{name}: line {number}: {len(row)} tab-separated field{'s'[:len(row) > 1]} where "
                                  f"{expected}")
    return list(map(list, zip(*rows)))
