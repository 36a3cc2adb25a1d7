"""The form of a file: of lines or of columns, by its name on the command line, and by its first lines."""

from __future__ import annotations

import os

from ..errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Sequence

#: The kinds of files that have columns, by the ends of their names (before `.gz`).
KINDS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".xml": "xml",
         ".sgm": "sgm", ".sgml": "sgm"}

#: Those that are never read as lines of text.
_NEVER_LINES = ("xml", "sgm")

STDIN = "-"

#: Usual headings of columns, in lower case.
_USUAL_HEADINGS = frozenset((
    "answer", "candidate", "doc", "doc_id", "docid", "document", "domain", "gold", "hyp", "hypotheses", "hypothesis",
    "id", "idx", "index", "input", "label", "lang", "line", "model", "mt", "output", "outputs", "prediction",
    "predictions", "prompt", "ref", "reference", "references", "refs", "response", "score", "seg_id", "segment",
    "sentence", "source", "src", "system", "target", "text", "tgt", "translation", "trg"))

#: A heading has at most this many words.
_MAX_HEADING_WORDS = 3

#: Limit of the columns that are named.
_MAX_NAMED_COLUMNS = 12

#: The separators of fields, each with the kind of file.
_FIELD_SEPARATORS = (("\t", "tsv"), (",", "csv"), (";", "csv"))


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


# Lines that look like something else than text


def is_heading(fields: Sequence[str]) -> bool:
    """Whether a record looks like the headings of columns.

    >>> is_heading(["id", "Human translation", "MT"]), is_heading(["1", "The text."])
    (True, False)
    """
    names = [field.strip('" \r\n').lower() for field in fields]
    is_short = all(len(name.split()) <= _MAX_HEADING_WORDS for name in names)
    return is_short and len(set(names)) == len(names) and not _USUAL_HEADINGS.isdisjoint(names)


def advice_on_lines(name: str, lines: Sequence[str], has_columns: bool = True) -> str:
    """Advice for a file whose first lines are no text: its form, and how to ask for a column; empty for text.

    Args:
        name: that of the file.
        lines: the first ones, of which there may be none.
        has_columns: whether a column of this file can be asked for.
    """
    lines = [line for line in lines if line.strip()]
    if not lines:
        return ""
    kind = "jsonl"
    if lines[0].lstrip().startswith(("{", "[")):
        what, record = _json_of(lines)
    else:
        what, kind, record = _heading_of(lines)
    return advice_on_columns(what, record, name, kind, has_columns) if what else ""


def advice_on_columns(what: str, record: dict[str, Any], name: str, kind: str, has_columns: bool = True) -> str:
    """Advice for a file with columns: its form, their names, and how to ask for the one with most text."""
    fields = f" ({', '.join(list(record)[:_MAX_NAMED_COLUMNS])})" if record else ""
    advice = f"{name} has {what}{fields}, scored as text"
    lengths = {field: len(value) for field, value in record.items() if isinstance(value, str)}
    if not lengths or not has_columns:
        return advice
    column = max(lengths, key=lambda field: lengths[field])
    if name == "standard input":
        return f"{advice}: -:{kind}:{column} is a column of it"
    if kind_of(name) == kind:
        return f"{advice}: {name}:{column} is a column of it"
    return f"{advice}: called {name}.{kind}, {name}.{kind}:{column} is a column of it"


def _json_of(lines: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """What the first lines of JSON are, and the first record; empty for text."""
    start = lines[0].strip()
    try:
        if start[0] == "[":
            return _array_of("".join([f"{line}\n" for line in lines]))
        if start != "{":
            return _objects_of(lines)
    except (ValueError, RecursionError):
        pass
    # It may be a value over more lines than these.
    goes_on = len(lines) > 1 and lines[1].lstrip().startswith(('"', "{"))
    if goes_on and start == "[":
        return "a JSON array", {}
    return ("a JSON object over several lines" if goes_on and start == "{" else ""), {}


def _array_of(text: str) -> tuple[str, dict[str, Any]]:
    """As `_json_of`, for the beginning of an array; raises `ValueError` if its first item is not whole."""
    from json import JSONDecoder

    text = text.lstrip()[1:].lstrip()
    item, end = JSONDecoder().raw_decode(text)
    if isinstance(item, dict):
        return "a JSON array of objects", item  # pyright: ignore[reportUnknownVariableType]  # JSON
    is_list = isinstance(item, str) and text[end:].lstrip().startswith((",", "]"))
    return ("a JSON array" if is_list else ""), {}


def _objects_of(lines: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """As `_json_of`, for a value a line; raises `ValueError` if a line is something else."""
    from json import loads

    records: list[Any] = list(map(loads, lines))
    if not all(records) or not all(isinstance(record, dict) for record in records):
        return "", {}
    return "JSON objects", records[0]


def _heading_of(lines: Sequence[str]) -> tuple[str, str, dict[str, Any]]:
    """`a heading` if the first line has one, the kind of the file, and its first record; else empty."""
    for separator, kind in _FIELD_SEPARATORS:
        fields = [field.strip('" \r\n') for field in lines[0].split(separator)]
        separators = [line.count(separator) for line in lines[1:]]
        if len(fields) > 1 and separators and min(separators) >= len(fields) - 1 and is_heading(fields):
            return "a heading", kind, dict(zip(fields, lines[1].split(separator)))
    return "", "", {}
