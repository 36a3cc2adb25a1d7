"""Layouts of sections (a heading, paragraphs, tables, a list) for each format."""

from __future__ import annotations

from ..errors import printable, without_commands
from ..hints import Callable, NamedTuple, Sequence
from .formats import CELL_SEQUENCES, Style, printable_cell, printable_line, width_of, wrapped_lines
from .tables import TableColumn, html_table, latex_table, latex_text, markdown_table, markdown_text, text_table

#: The maximum width of paragraphs in plain text.
_COLUMNS = 79

#: The minimum width of names in a list, and the minimum width of their values.
_MIN_LABEL, _MIN_VALUE = 10, 20

_STYLE = """\
body { font-family: sans-serif; line-height: 1.4; margin: 2em auto; max-width: 60em; padding: 0 1em }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1.5em 0 }
th, td { border-bottom: 1px solid #bbb; padding: 0.4em 0.9em; text-align: center }
thead th { border-bottom: 2px solid #555; border-top: 2px solid #555 }
tbody th { font-weight: normal; text-align: right }
code { overflow-wrap: anywhere }
dd { margin: 0 0 0.5em 1em }"""


class Section:
    """A section of a text: a heading, paragraphs, tables, and a list `items` of names and values.

    Layouts leave out empty elements.
    """

    def __init__(self, heading: str = "", paragraphs: Sequence[str] = (), tables: Sequence[Sequence[TableColumn]] = (),
                 items: Sequence[tuple[str, str]] = ()) -> None:
        self.heading = heading
        self.paragraphs = paragraphs
        self.tables = tables
        self.items = items


class Layout(NamedTuple):
    """A format: functions that write a section and a document, and the line break within a cell.

    The functions replace unprintable characters in names and in the cells of tables (see `printable`).
    """

    section: Callable[[Section], str]
    line_break: str
    document: Callable[[Sequence[str]], str]


def _section_writer(table: Callable[[Sequence[TableColumn]], str],
                    escaped: Callable[[str], str] = printable_line) -> Callable[[Section], str]:
    """Return a function that writes a section as plain text; `table` writes tables, and `escaped` escapes other text.
    """
    def section_as_text(section: Section) -> str:
        parts = ["\n".join(wrapped_lines(escaped(paragraph), _COLUMNS)) for paragraph in section.paragraphs]
        if section.items:
            items = [(escaped(printable(name)), escaped(printable(value))) for name, value in section.items]
            width = _width_of_names(items)
            lines: list[str] = []
            for name, value in items:
                padding = " " * (width - width_of(name))
                lines.append(f" {'-' if name else ' '} {name}{padding} {value}")
            parts.append("\n".join(lines))
        parts += map(table, map(_printable_columns, section.tables))
        heading = _underlined(escaped(printable(section.heading))) + "\n" if section.heading else ""
        return heading + "\n\n".join(parts)

    return section_as_text


def _printable_columns(columns: Sequence[TableColumn], kept: Sequence[str] = CELL_SEQUENCES) -> list[TableColumn]:
    printable_columns: list[TableColumn] = []
    for head, cells in columns:
        printable_columns.append((printable_cell(head, kept), [printable_cell(cell, kept) for cell in cells]))
    return printable_columns


def _text_document(sections: Sequence[str]) -> str:
    return without_commands("\n\n".join(sections))


def _width_of_names(items: Sequence[tuple[str, str]]) -> int:
    return max([_MIN_LABEL, *[width_of(name) for name, _ in items]])


def _underlined(text: str) -> str:
    line = "-" * width_of(text)
    return f"{line}\n{text}\n{line}"


def _section_as_markdown(section: Section) -> str:
    parts = ["## " + markdown_text(printable(section.heading))] if section.heading else []
    parts += [markdown_text(printable(paragraph)) for paragraph in section.paragraphs]
    if section.items:
        parts.append("\n".join([f"- {markdown_text(printable(name))}: {_code(printable(value))}"
                                for name, value in section.items]))
    parts += map(markdown_table, map(_printable_columns, section.tables))
    return "\n\n".join(parts)


def _code(text: str) -> str:
    """Return text as code in Markdown, between runs of backticks that the text does not contain."""
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence}{text}{fence}" if fence == "`" else f"{fence} {text} {fence}"


def _section_as_html(section: Section) -> str:
    from html import escape

    def escaped(text: str) -> str:
        return escape(printable(text))

    parts = [f"<h2>{escaped(section.heading)}</h2>"] if section.heading else []
    parts += [f"<p>{escaped(paragraph)}</p>" for paragraph in section.paragraphs]
    if section.items:
        pairs = [f"<dt>{escaped(name)}</dt>\n<dd><code>{escaped(value)}</code></dd>" for name, value in section.items]
        parts.append("\n".join(["<dl>", *pairs, "</dl>"]))
    parts += [html_table(_printable_columns(table, ("\n", "\t"))) for table in section.tables]
    return "\n".join(parts)


def _html_document(sections: Sequence[str]) -> str:
    content = "\n".join(sections).replace("##[", "#&#35;[")  # (see `without_commands`)
    return "\n".join(["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
                      '<meta name="viewport" content="width=device-width">', "<title>purebleu</title>",
                      f"<style>\n{_STYLE}\n</style>", "</head>", "<body>", content, "</body>", "</html>"])


#: The layouts by the names of their formats.
LAYOUTS = {
    "text": Layout(_section_writer(text_table), line_break="\n", document=_text_document),
    "latex": Layout(_section_writer(latex_table, latex_text), line_break=" ", document=_text_document),
    "markdown": Layout(_section_as_markdown, line_break=" ", document=_text_document),
    "html": Layout(_section_as_html, line_break="\n", document=_html_document),
}


def document_of(sections: Sequence[Section], style: Style) -> str:
    """Return sections as a document in one of `LAYOUTS`."""
    layout = LAYOUTS[style.form]
    for section in sections:
        section.items = fitted_items(section.items, style.columns)
    return layout.document(list(map(layout.section, sections)))


def fitted_items(items: Sequence[tuple[str, str]], limit: int | None) -> list[tuple[str, str]]:
    """Return names and values for a list; long values are broken after spaces and `|`, and further lines have no name.

    >>> fitted_items([("BLEU", "nrefs:1|case:mixed|eff:no|tok:13a")], 44)
    [('BLEU', 'nrefs:1|case:mixed|eff:no|'), ('', 'tok:13a')]
    """
    if limit is None:
        return list(items)
    shown = [(printable(name), printable(value)) for name, value in items]
    room = max(_MIN_VALUE, limit - _width_of_names(shown) - len(" -  "))
    broken: list[tuple[str, str]] = []
    for name, value in shown:
        for line in wrapped_lines(value, room, breaks_words=True):
            broken.append((name, line))
            name = ""
    return broken
