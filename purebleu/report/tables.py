"""Tables as text, LaTeX, Markdown, HTML and JSON; documents with sections in all of these formats except JSON."""

from __future__ import annotations

from itertools import chain

from ..runtime.errors import printable, without_commands
from ..runtime.hints import Callable, Mapping, NamedTuple, Sequence
from ..runtime.json_writer import to_json
from .formats import CELL_SEQUENCES, Style, colored, names_in, printable_cell, printable_line, width_of, wrapped_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    #: A column: its head and its cells. A cell may have several lines, and escape sequences for colours.
    TableColumn = Tuple[str, Sequence[str]]
else:
    TableColumn = tuple

#: The escapes of the special characters of LaTeX.
LATEX_ESCAPES = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "^": r"\^{}", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "\\": r"\textbackslash{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
})

#: The escapes of the special characters of Markdown. Line ends become spaces, because a line end ends a row of a table.
_MARKDOWN = {**{ord(character): "\\" + character for character in "\\`*_{}[]<>#|~&"}, **dict.fromkeys(b"\r\n", " ")}


#: The minimum width of a cell whose lines are broken, even in very narrow terminals.
_MIN_NAME = 8


def text_table(columns: Sequence[TableColumn]) -> str:
    """Return the columns as a table with ruled lines. The first column is flush right, and other columns are centred.

    >>> print(text_table([("System", ["A", "B"]), ("BLEU", ["1.0", "2.0"])]))
    ╒══════════╤════════╕
    │   System │  BLEU  │
    ╞══════════╪════════╡
    │        A │  1.0   │
    ├──────────┼────────┤
    │        B │  2.0   │
    ╘══════════╧════════╛
    """
    padded = _padded(columns)
    widths = [width_of(head.partition("\n")[0]) + 2 for head, _ in padded]
    lines = [_rule(widths, "╒═╤╕"), *_row([head for head, _ in padded]), _rule(widths, "╞═╪╡")]
    for number, cells in enumerate(zip(*[cells for _, cells in padded])):
        if number:
            lines.append(_rule(widths, "├─┼┤"))
        lines += _row(cells)
    lines.append(_rule(widths, "╘═╧╛"))
    return "\n".join(lines)


def columns_in(style: Style, columns: Sequence[TableColumn]) -> list[TableColumn]:
    """Return the columns with `names_in` applied to heads and cells, which must have no colours and no line breaks."""
    return [(names_in(style, [head])[0], names_in(style, cells)) for head, cells in columns]


def with_colored_heads(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """Return the columns with heads that a terminal shows in cyan."""
    return [(colored(head, "cyan"), cells) for head, cells in columns]


def fitted(columns: Sequence[TableColumn], limit: int | None) -> list[TableColumn]:
    r"""Return the columns with line breaks in cells, so that a table of text is at most `limit` wide, if possible.

    First, lines are broken before parentheses. If the table is still too wide, lines in the wider one of the first and
    the last column are broken.

    >>> fitted([("System", ["a/long/name"]), ("BLEU", ["1.0 (1.0 ± 0.5)"])], 28)
    [('System', ['a/long/nam\ne']), ('BLEU', ['1.0\n(1.0 ± 0.5)'])]
    """
    if fits(columns, limit):
        return list(columns)
    table = _broken(columns)
    if limit is not None and _table_width(table) > limit:
        widest = max((0, len(table) - 1), key=lambda index: _table_width([table[index]]))
        head, cells = table[widest]
        room = max(_MIN_NAME, limit - _table_width([("", [""]), *table[:widest], *table[widest + 1:]]) + 2)
        lines_of_cells: list[str] = []
        for cell in cells:
            lines = [wrapped_lines(line, room, breaks_words=True) for line in cell.split("\n")]
            lines_of_cells.append("\n".join(chain.from_iterable(lines)))
        table[widest] = (head, lines_of_cells)
    return table


def fitted_tables(columns: Sequence[TableColumn], limit: int | None, size: int = 1) -> list[list[TableColumn]]:
    """Divide columns into tables that fit into `limit`, if possible. Each table begins with the first column.

    Args:
        columns: the first column, then groups of further columns. The columns of a group stay in one table.
        limit: the width, as for `fitted`.
        size: the number of columns in a group.
    """
    tables: list[list[TableColumn]] = []
    name, start = columns[0], 1
    for end in range(1 + 2 * size, len(columns) + 1, size):
        if end > start + size and not fits(_broken([name, *columns[start:end]]), limit):
            tables.append(fitted([name, *columns[start:end - size]], limit))
            start = end - size
    return [*tables, fitted([name, *columns[start:]], limit)]


def _broken(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """Return the columns with line breaks before parentheses and corrected p-values, except in the first column."""
    broken = [columns[0]]
    for head, cells in columns[1:]:
        broken_cells = [cell.replace(" (", "\n(").replace(", Holm", ",\nHolm") for cell in cells]
        broken.append((head.replace(" (", "\n("), broken_cells))
    return broken


def fits(columns: Sequence[TableColumn], limit: int | None) -> bool:
    """Return whether a table of text is at most `limit` wide; always true if `limit` is `None`."""
    return limit is None or _table_width(columns) <= limit


def _table_width(columns: Sequence[TableColumn]) -> int:
    """Return the width of a table of text in terminal columns."""
    return 1 + sum([width_of(_padded([column])[0][0].partition("\n")[0]) + 3 for column in columns])


def latex_table(columns: Sequence[TableColumn]) -> str:
    """Return the columns as a tabular environment, for the package booktabs."""
    padded = _padded(columns)
    lines = [rf"\begin{{tabular}}{{r{'c' * (len(columns) - 1)}}}", r"\toprule",
             _latex_row([head for head, _ in padded]), r"\midrule"]
    lines += map(_latex_row, zip(*[cells for _, cells in padded]))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def latex_text(text: str) -> str:
    """Return the text on one line, with the special characters of LaTeX escaped."""
    return printable(text).translate(LATEX_ESCAPES)


def markdown_table(columns: Sequence[TableColumn]) -> str:
    """Return the columns as a table of GitHub's Markdown.

    >>> print(markdown_table([("System", ["a_b"]), ("BLEU", ["1.0"])]))
    | System | BLEU |
    | ---: | :---: |
    | a\\_b | 1.0 |
    """
    rows = [[head for head, _ in columns], *map(list, zip(*[cells for _, cells in columns]))]
    lines = [f"| {' | '.join(map(markdown_text, row))} |" for row in rows]
    lines.insert(1, f"| ---:{' | :---:' * (len(columns) - 1)} |")
    return "\n".join(lines)


def markdown_text(text: str) -> str:
    """Return the text, with a backslash before each character that is special in Markdown."""
    return text.translate(_MARKDOWN)


def html_table(columns: Sequence[TableColumn]) -> str:
    """Return the columns as a table of HTML. The cells of the first column are the headers of rows."""
    from html import escape

    def escaped(cell: str) -> str:
        return escape(cell).replace("\n", "<br>")

    head = "".join([f'<th scope="col">{escaped(head)}</th>' for head, _ in columns])
    rows: list[str] = []
    for name, *cells in zip(*[cells for _, cells in columns]):
        data = "".join([f"<td>{escaped(cell)}</td>" for cell in cells])
        rows.append(f'<tr><th scope="row">{escaped(name)}</th>{data}</tr>')
    return "\n".join(["<table>", "<thead>", f"<tr>{head}</tr>", "</thead>",
                      "<tbody>", *rows, "</tbody>", "</table>"])


def json_table(columns: Mapping[str, Sequence[object]], signatures: Mapping[str, str] | None = None,
               further: Mapping[str, object] | None = None) -> str:
    """Return JSON: a list with an object for each system, or an object that has this list and the signatures.

    Args:
        columns: the cells of each column by its name, with a cell for each system. The column "System" has the names.
        signatures: the signatures by the names of metrics; `None`: the result is the list alone.
        further: further members of the object with signatures.
    """
    keys = ["system" if key == "System" else key for key in columns]
    rows = [dict(zip(keys, row)) for row in zip(*columns.values())]
    if signatures is None:
        return to_json(rows, indent=4)
    return to_json({"signatures": dict(signatures), "systems": rows, **(further or {})}, indent=4)


def _rule(widths: Sequence[int], marks: str) -> str:
    """Return a horizontal line of a table. `marks` has four characters: the start, a stroke, a crossing, the end."""
    return marks[0] + marks[2].join([marks[1] * width for width in widths]) + marks[3]


def _row(cells: Sequence[str]) -> list[str]:
    """Return the lines of a row of padded cells."""
    lines = [cell.split("\n") for cell in cells]
    height = max(map(len, lines))
    filled = [one + [" " * width_of(one[0])] * (height - len(one)) for one in lines]
    return ["│ " + " │ ".join(line) + " │" for line in zip(*filled)]


def _latex_row(cells: Sequence[str]) -> str:
    # (Without braces, LaTeX reads a bracket or an asterisk as an argument of the command before the row.)
    start = "{}" if cells[0].lstrip().startswith(("[", "*")) else ""
    return f" {start}" + " & ".join([cell.translate(LATEX_ESCAPES) for cell in cells]) + r" \\"


def _padded(columns: Sequence[TableColumn]) -> list[tuple[str, list[str]]]:
    """Return the columns with padded cells: the first column is flush right, and other columns are centred."""
    padded: list[tuple[str, list[str]]] = []
    for index, (head, cells) in enumerate(columns):
        # (A head has one more space than a cell on either side.)
        width = max([2 + _width_of_cell(head), *map(_width_of_cell, cells)])
        padded.append((_pad(head, width, index > 0), [_pad(cell, width, index > 0) for cell in cells]))
    return padded


def _width_of_cell(cell: str) -> int:
    return max(map(width_of, cell.split("\n")))


def _pad(cell: str, width: int, centred: bool) -> str:
    """Return a cell with all of its lines padded to a width."""
    lines: list[str] = []
    for line in cell.split("\n"):
        missing = width - width_of(line)
        left = missing // 2 if centred else missing
        lines.append(" " * left + line + " " * (missing - left))
    return "\n".join(lines)


def xml_characters(text: str) -> str:
    """Return the text with U+FFFD for characters that XML 1.0 forbids: control characters and surrogates.

    >>> xml_characters("a\\x00b\\tc")
    'a\\ufffdb\\tc'
    """
    return "".join([character if character in "\t\n\r" or " " <= character < "\ud800" or
                    "\ue000" <= character < "\ufffe" or character > "\uffff" else "\ufffd"
                    for character in text])


def xml_text(text: str) -> str:
    """Return the text, escaped for elements and attributes of XML and HTML.

    >>> xml_text('a<"\\x07')
    'a&lt;&quot;\\ufffd'
    """
    from html import escape

    return escape(xml_characters(text))


# Sections


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
    """A section of a document: a heading, paragraphs, tables, and a list `items` of names and values.

    Layouts leave out what is empty.
    """

    def __init__(self, heading: str = "", paragraphs: Sequence[str] = (), tables: Sequence[Sequence[TableColumn]] = (),
                 items: Sequence[tuple[str, str]] = ()) -> None:
        self.heading = heading
        self.paragraphs = paragraphs
        self.tables = tables
        self.items = items


class Layout(NamedTuple):
    """A format: functions that write a section and a document, and the text that breaks a line within a cell.

    The functions escape unprintable characters in names and in the cells of tables (see `printable`).
    """

    section: Callable[[Section], str]
    line_break: str
    document: Callable[[Sequence[str]], str]


def _section_writer(table: Callable[[Sequence[TableColumn]], str],
                    escaped: Callable[[str], str] = printable_line) -> Callable[[Section], str]:
    """Return a function that writes a section as text; `table` writes its tables, and `escaped` escapes other text."""
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
    """Return the text as code in Markdown."""
    fence = fence_around(text, "`")
    return f"{fence}{text}{fence}" if fence == "`" else f"{fence} {text} {fence}"


def fence_around(text: str, fence: str) -> str:
    """Return a run of backticks that the text does not contain, at least as long as `fence`."""
    while fence in text:
        fence += "`"
    return fence


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
    """Return the items of a list, with long values broken after spaces and `|`. Further lines of a value have no name.

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
