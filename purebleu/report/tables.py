"""Tables of several systems: as text, LaTeX, Markdown, HTML and JSON."""

from __future__ import annotations

from ..errors import printable
from .colors import width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence, Tuple

    #: A column's head and its cells. A cell may have several lines, and escape sequences for colours.
    Column = Tuple[str, Sequence[str]]

#: The escapes of the special characters of LaTeX.
LATEX_ESCAPES = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "^": r"\^{}", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "\\": r"\textbackslash{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
})

#: The escapes of the special characters of Markdown; line ends, which would end a row of a table, become spaces.
_MARKDOWN = {**{ord(character): "\\" + character for character in "\\`*_{}[]<>#|~&"}, **dict.fromkeys(b"\r\n", " ")}


#: The minimum number of characters of a name in a line, however narrow the terminal is.
_MIN_NAME = 8


def text_table(columns: Sequence[Column]) -> str:
    """The columns in boxes: the first one flush right, the others centred.

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


def fitted(columns: Sequence[Column], limit: int | None) -> list[Column]:
    r"""The columns with line breaks in cells, so that a table of text is no wider than `limit`, if that is possible.

    Lines are broken before parentheses first, and then within the names of the first column.

    >>> fitted([("System", ["a/long/name"]), ("BLEU", ["1.0 (1.0 ± 0.5)"])], 28)
    [('System', ['a/long/nam\ne']), ('BLEU', ['1.0\n(1.0 ± 0.5)'])]
    """
    if fits(columns, limit):
        return list(columns)
    assert limit is not None
    name, *others = columns
    others = [(head.replace(" (", "\n("), [cell.replace(" (", "\n(") for cell in cells]) for head, cells in others]
    room = max(_MIN_NAME, limit - _table_width([("", [""]), *others]) + 2)
    if _table_width([name, *others]) > limit:
        from textwrap import wrap

        name = (name[0], ["\n".join(wrap(cell, room, break_on_hyphens=False)) for cell in name[1]])
    return [name, *others]


def fits(columns: Sequence[Column], limit: int | None) -> bool:
    """Whether a table of text is no wider than `limit`; with `None`, it may have any width."""
    return limit is None or _table_width(columns) <= limit


def _table_width(columns: Sequence[Column]) -> int:
    """The number of terminal columns that a table of text takes."""
    return 1 + sum([width_of(_padded([column])[0][0].partition("\n")[0]) + 3 for column in columns])


def latex_table(columns: Sequence[Column]) -> str:
    """The columns as a tabular environment, for the package booktabs."""
    padded = _padded(columns)
    lines = [rf"\begin{{tabular}}{{r{'c' * (len(columns) - 1)}}}", r"\toprule",
             _latex_row([head for head, _ in padded]), r"\midrule"]
    lines += [_latex_row(cells) for cells in zip(*[cells for _, cells in padded])]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def latex_text(text: str) -> str:
    """The text on one line, with the special characters of LaTeX escaped."""
    return printable(text).translate(LATEX_ESCAPES)


def markdown_table(columns: Sequence[Column]) -> str:
    """The columns as a table of GitHub's Markdown.

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
    """The text, with a backslash before each character that is special in Markdown."""
    return text.translate(_MARKDOWN)


def html_table(columns: Sequence[Column]) -> str:
    """The columns as a table of HTML, in which the first column has the headers of the rows."""
    from html import escape

    def header(cell: str, scope: str) -> str:
        return f'<th scope="{scope}">{escaped(cell)}</th>'

    def escaped(cell: str) -> str:
        return escape(cell).replace("\n", "<br>")

    head = "".join([header(head, "col") for head, _ in columns])
    rows = ["<tr>" + header(name, "row") + "".join([f"<td>{escaped(cell)}</td>" for cell in cells]) + "</tr>"
            for name, *cells in zip(*[cells for _, cells in columns])]
    return "\n".join(["<table>", "<thead>", f"<tr>{head}</tr>", "</thead>",
                      "<tbody>", *rows, "</tbody>", "</table>"])


def json_table(columns: Mapping[str, Sequence[object]], signatures: Mapping[str, str] | None = None,
               further: Mapping[str, object] | None = None) -> str:
    """A list of JSON with an object for each system; `columns` has the key "System", then a key for each metric.

    With `signatures`, by the names of metrics, it is an object with these, the list, and `further` members.
    """
    from ..runtime.json_writer import to_json

    rows = [{key.lower() if key == "System" else key: value for key, value in zip(columns, row)}
            for row in zip(*columns.values())]
    return to_json(rows if signatures is None else {"signatures": dict(signatures), "systems": rows, **(further or {})},
                   indent=4)


def _rule(widths: Sequence[int], marks: str) -> str:
    """A line between rows; the four `marks` are its start, its stroke, a crossing, and its end."""
    return marks[0] + marks[2].join([marks[1] * width for width in widths]) + marks[3]


def _row(cells: Sequence[str]) -> list[str]:
    """The lines of a row of padded cells."""
    lines = [cell.split("\n") for cell in cells]
    height = max(map(len, lines))
    filled = [one + [" " * width_of(one[0])] * (height - len(one)) for one in lines]
    return ["│ " + " │ ".join(line) + " │" for line in zip(*filled)]


def _latex_row(cells: Sequence[str]) -> str:
    # (A bracket or an asterisk would be taken for an argument of the command before the row.)
    start = "{}" if cells[0].lstrip().startswith(("[", "*")) else ""
    return f" {start}" + " & ".join([cell.translate(LATEX_ESCAPES) for cell in cells]) + r" \\"


def _padded(columns: Sequence[Column]) -> list[tuple[str, list[str]]]:
    """The columns with all their lines of the same width: flush right in the first one, centred in the others."""
    padded: list[tuple[str, list[str]]] = []
    for index, (head, cells) in enumerate(columns):
        # A head has one more space on either side than a cell.
        width = max([2 + max(map(width_of, head.split("\n"))),
                     *[width_of(line) for cell in cells for line in cell.split("\n")]])
        head, *padded_cells = ["\n".join([_pad(line, width, index > 0) for line in cell.split("\n")])
                               for cell in (head, *cells)]
        padded.append((head, padded_cells))
    return padded


def _pad(line: str, width: int, centred: bool) -> str:
    missing = width - width_of(line)
    left = missing // 2 if centred else missing
    return " " * left + line + " " * (missing - left)
