"""Names on the command line: of a file of lines, or of a column of a file that has several."""

from __future__ import annotations

import os

from ..errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable

#: The kinds of files that have columns, by the ends of their names (before `.gz`).
KINDS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".xml": "xml",
         ".sgm": "sgm", ".sgml": "sgm"}

#: Those that are never read as lines of text.
_NEVER_LINES = ("xml", "sgm")

STDIN = "-"


class Column:
    """A file, or a column of one.

    Attributes:
        name: as given.
        path: that of the file; `None` for standard input.
        kind: a value of `KINDS`, or an empty string for lines of text.
        selector: the column, as a file of this kind has it; it may be empty where the file needs none.
    """

    def __init__(self, name: str, path: str | None, kind: str = "", selector: str = "") -> None:
        self.name = name
        self.path = path
        self.kind = kind
        self.selector = selector


def column_of(name: str) -> Column:
    """The file or column of a name: `FILE`, `FILE:COLUMN` (`out.jsonl:hypothesis`), `-` or `-:KIND:COLUMN`.

    A file that exists under the whole name is taken as it is, as lines of text (unless its name ends in `.xml` or
    `.sgm`).

    Raises:
        OptionError: the column or the kind is missing.

    Example:
        >>> column = column_of("out.jsonl.gz:hypothesis")
        >>> column.path, column.kind, column.selector
        ('out.jsonl.gz', 'jsonl', 'hypothesis')
    """
    if not os.path.lexists(name):
        if name == STDIN:
            return Column(name, None)
        if name.startswith(STDIN + ":"):
            return _checked(_column_of_stdin(name))
        path, colon, selector = name.partition(":")
        while colon:
            if kind := kind_of(path):
                return _checked(Column(name, path, kind, selector))
            further, colon, selector = selector.partition(":")
            path += ":" + further
    kind = kind_of(name)
    return Column(name, name, kind if kind in _NEVER_LINES else "")


def _column_of_stdin(name: str) -> Column:
    kind, _, selector = name[2:].partition(":")
    if kind not in KINDS.values():
        raise OptionError(f"{name}: of standard input, a column is -:KIND:COLUMN, where KIND is one of "
                          f"{', '.join(dict.fromkeys(KINDS.values()))}")
    return Column(name, None, kind, selector)


def _checked(column: Column) -> Column:
    if not column.selector and column.kind not in _NEVER_LINES:
        raise OptionError(f"{column.name}: the name of a column is missing behind the colon")
    return column


def can_be_read_again(names: Iterable[str]) -> bool:
    """Whether all of these names are those of files, or of columns of files, rather than of pipes, say."""
    paths = [column_of(name).path for name in names]
    return all(path is not None and os.path.isfile(path) for path in paths)


def kind_of(path: str) -> str:
    """The kind of a file with columns by its name: a value of `KINDS`, or an empty string."""
    suffix = os.path.splitext(path[:-len(".gz")] if path.endswith(".gz") else path)[1]
    return KINDS.get(suffix.lower(), "")
