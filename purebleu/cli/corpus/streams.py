"""Files that the options name, as parallel streams, whatever their form."""

from __future__ import annotations

from ...errors import OptionError
from ...files.lines import LineStream
from ...files.opening import Column, column_of
from ...files.records import HYPOTHESES, READERS, REFERENCES, RecordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence


def open_columns(inputs: Sequence[str | None], references: Sequence[str], further: Mapping[str, str],
                 encodings: Sequence[str], by_paragraph: bool = False) -> list[Any]:
    """A stream for each name; all columns of one file are read together.

    Args:
        inputs: the names in `-i`; `None`: standard input, as lines.
        references: the names of references.
        further: the names of further columns, by their roles.
        encodings: the encoding of each of these names, in this order. A file has that of its first name, but XML
            declares its own.
        by_paragraph: whether each paragraph of a text is a segment.

    Raises:
        OptionError: standard input would have to be read twice, or a name lacks a column.
    """
    named = [(name, HYPOTHESES) for name in inputs]
    named += [(name, REFERENCES) for name in references]
    named += [(name, role) for role, name in further.items()]
    columns = [(Column("standard input", None) if name is None else column_of(name), role) for name, role in named]
    _check_standard_input([column for column, _ in columns])
    readers: dict[tuple[str | None, str], RecordReader] = {}
    streams: list[Any] = []
    for (column, role), encoding in zip(columns, encodings):
        if not column.kind:
            streams.append(LineStream(column.path, encoding))
            continue
        key = (column.path, column.kind)
        if key not in readers:
            readers[key] = _reader_class(column.kind)(column.path, encoding)
        streams.append(readers[key].column(column.name, column.selector, role))
    if by_paragraph:
        from ...files.paragraphs import ParagraphReader

        return list(ParagraphReader(streams, [role for _, role in columns]).columns())
    return streams


def _check_standard_input(columns: Sequence[Column]) -> None:
    """Raise `OptionError` unless standard input is read once, or in columns of one kind."""
    kinds = [column.kind for column in columns if column.path is None]
    if len(kinds) > 1 and (not all(kinds) or len(set(kinds)) > 1):
        raise OptionError("standard input can be read only once: as the hypotheses (without -i), as - or as columns "
                          "of one kind")


def _reader_class(kind: str) -> type[RecordReader]:
    if kind in READERS:
        return READERS[kind]
    from ...datasets.wmt_xml import WMT_READERS

    return WMT_READERS[kind]
