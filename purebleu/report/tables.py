"""Tables as text, LaTeX, Markdown, HTML, JSON, CSV and TSV; and text with the escapes of these formats."""

from __future__ import annotations

from itertools import chain, repeat

from ..errors import printable
from ..hints import Any, Iterable, Iterator, Mapping, Sequence
from ..metrics.score import Signature
from ..runtime.json_writer import to_json
from .formats import width_of, wrapped_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    #: A column's head and its cells. A cell may have several lines, and escape sequences for colours.
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
    """Return the columns as a table of text with lines; the first column is flush right, and the rest are centred.

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


def fitted(columns: Sequence[TableColumn], limit: int | None) -> list[TableColumn]:
    r"""Return columns with line breaks in cells, so that a table of text is at most `limit` wide, if possible.

    First, lines are broken before parentheses. If the table is still too wide, lines of the first or the last column
    (the wider one) are broken.

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
    """Return several tables, each of which fits into `limit` and repeats the first column.

    Args:
        columns: the first column, then groups of further columns.
        limit: the width, as for `fitted`.
        size: the number of columns in a group; a group stays in one table.
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
    """Return the columns as a table of HTML, in which the first column has the headers of the rows."""
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
    """Return JSON: a list with an object for each system. With signatures, return an object with this list.

    Args:
        columns: the names of the systems, whose key is "System", then the results of all systems by metric.
        signatures: the signatures by the names of metrics; `None`: the result is the list alone.
        further: further members of the object with signatures.
    """
    keys = ["system" if key == "System" else key for key in columns]
    rows = [dict(zip(keys, row)) for row in zip(*columns.values())]
    if signatures is None:
        return to_json(rows, indent=4)
    return to_json({"signatures": dict(signatures), "systems": rows, **(further or {})}, indent=4)


def _rule(widths: Sequence[int], marks: str) -> str:
    """Return a horizontal line of a table; `marks` has the characters for its start, strokes, crossings and end."""
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
    """Return the columns, each with its cells padded to one width: the first column flush right, the rest centred."""
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
    """Return the text, escaped for XML and HTML, in elements and between quotation marks.

    >>> xml_text('a<"\\x07')
    'a&lt;&quot;\\ufffd'
    """
    from html import escape

    return escape(xml_characters(text))


#: The separator of fields in each format.
DELIMITERS = {"csv": ",", "tsv": "\t"}

#: The headings of tables of segments, before the names of scores.
_SEGMENT_HEADINGS = ("line", "id", "system", "hyp_len", "ref_len")


def delimited(form: str, headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return headings and rows in a format of `DELIMITERS`. Fields are quoted if necessary (RFC 4180); `None` is empty.

    >>> print(delimited("csv", ["system", "score"], [("a,b", 1.5), ("c", None)]))
    system,score
    "a,b",1.5
    c,
    """
    import csv
    from types import SimpleNamespace

    lines: list[str] = []
    # (Before Python 3.13, a field with a carriage return is quoted only if `lineterminator` also has one.)
    file: Any = SimpleNamespace(write=lines.append)
    writer = csv.writer(file, delimiter=DELIMITERS[form], lineterminator="\r\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return "\n".join([_without_command(line[:-2], DELIMITERS[form]) for line in lines])


def _without_command(line: str, delimiter: str) -> str:
    """Return a line, with its first field in quotes if GitHub would otherwise execute the line as a command."""
    if not line.lstrip().startswith("::"):
        return line
    first, separator, others = line.partition(delimiter)
    return f'"{first}"{separator}{others}'


def segment_records(numbers: Sequence[int], ids: Sequence[str], systems: Sequence[str],
                    signatures: Mapping[str, Signature], blocks: Iterable[Sequence[Sequence[Sequence[str]]]],
                    form: str) -> Iterator[str]:
    """Yield a table with a row for each segment and system, block by block, as text.

    Args:
        numbers: the line numbers of the segments.
        ids: the ids of the segments; empty if they have none.
        systems: the names of the systems.
        signatures: the signatures by the names of the scores. (CSV and TSV have only the names of the scores.)
        blocks: blocks of segments. For each segment and system, a block has the length of the output, the length of the
            reference, and the scores. Unknown lengths are empty.
        form: the format: `csv`, `tsv` or `json`.
    """
    signed = {name: signature.format() for name, signature in signatures.items()}
    segments = zip(numbers, ids or repeat(""))
    text = f'{{"signatures": {to_json(signed, indent=None, ascii_only=False)}, "segments": ['
    if form != "json":
        yield delimited(form, [*_SEGMENT_HEADINGS, *signed], [])
    for block in blocks:
        rows: list[Sequence[Any]] = []
        for segment_rows, (number, name) in zip(block, segments):
            rows += [(number, name, system, *row) for system, row in zip(systems, segment_rows)]
        if form == "json":
            yield text
            text = ",\n".join([_segment_json(row, list(signed)) for row in rows]) + ","
        else:
            yield delimited(form, rows[0], rows[1:])
    if form == "json":
        yield text[:-1]
        yield "]}"


def _segment_json(row: Sequence[Any], metrics: Sequence[str]) -> str:
    """Return a row of `segment_records` as an object of JSON, on one line."""
    number, name, system, length, reference_length, *scores = row
    return to_json({"line": number, "id": name or None, "system": system, "hyp_len": int(length) if length else None,
                    "ref_len": int(reference_length) if reference_length else None,
                    "scores": dict(zip(metrics, map(float, scores)))}, indent=None, ascii_only=False)
