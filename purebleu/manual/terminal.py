"""A page of the manual as lines for a terminal of any width, with colours where it takes them."""

from __future__ import annotations

from .markdown import CODE, LINK, STRONG, Code, Heading, Items, Table, blocks_of, spans_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from .markdown import Block

#: Between the columns of a table.
_GAP = "  "

#: Columns are not made narrower than this; a table whose columns would be is told row by row.
_MIN_COLUMN = 9

#: The escape sequences that begin a style, and the one that ends it.
_BOLD, _CODE, _LINK, _END = "\x1b[1m", "\x1b[36m", "\x1b[4m", "\x1b[0m"

#: Stand for these in text whose lines are not broken yet: one character each, which takes no column in the end.
_MARKS = {"\ue001": _BOLD, "\ue002": _CODE, "\ue003": _LINK, "\ue000": _END}

#: Stands for a space within code, at which no line is broken; and the limit of characters of such code.
_KEPT_SPACE = "\ue004"
_MAX_UNBROKEN = 24


def page_in_terminal(text: str, width: int, color: bool) -> str:
    """A page of the manual as text.

    Args:
        text: its Markdown.
        width: the limit of columns. (Code keeps its lines, whatever their width.)
        color: whether styles are shown by escape sequences.

    Returns:
        The lines, joined.
    """
    found: list[str] = []
    for block in blocks_of(text):
        lines = list(_lines_of(block, width))
        if found and not (isinstance(block, Heading) and block.level == 1):
            found.append("")
        found += lines
    joined = "\n".join([line.rstrip() for line in found]).replace(_KEPT_SPACE, " ")
    for mark, sequence in _MARKS.items():
        joined = joined.replace(mark, sequence if color else "")
    return joined


def _lines_of(block: Block, width: int) -> Iterator[str]:
    if isinstance(block, Heading):
        title = _styled(block.text.upper() if block.level == 1 else block.text)
        yield from _wrapped(f"\ue001{title}\ue000", width)
        if block.level == 2:
            yield "-" * min(_columns(title), width)
    elif isinstance(block, Code):
        for line in block.text.split("\n"):
            yield f"    {line}"
    elif isinstance(block, Items):
        for number, item in enumerate(block.items, 1):
            mark = f"{number}. " if block.ordered else "- "
            first, *more = _wrapped(_styled(item), width - len(mark))
            yield mark + first
            yield from [" " * len(mark) + line for line in more]
    elif isinstance(block, Table):
        yield from _table(block, width)
    else:
        yield from _wrapped(_styled(block.text), width)


def _styled(line: str) -> str:
    """A line with marks where styles begin and end; what a link leads to stands behind its text."""
    parts: list[str] = []
    for span in spans_of(line):
        if span.style == LINK:
            page = span.target.partition("#")[0]
            where = span.target if ":" in page else f"--help {page[:-len('.md')]}" if page.endswith(".md") else ""
            text = _styled(span.text)
            parts.append(f"{text} (\ue003{where.replace(' ', _KEPT_SPACE)}\ue000)" if where else text)
        elif span.style == CODE:
            code = span.text if len(span.text) > _MAX_UNBROKEN else span.text.replace(" ", _KEPT_SPACE)
            parts.append(f"\ue002{code}\ue000")
        else:
            parts.append(f"\ue001{span.text}\ue000" if span.style == STRONG else span.text)
    return "".join(parts)


def _columns(text: str) -> int:
    """The number of columns that text takes, without its marks."""
    return len(text) - sum(map(text.count, _MARKS))


def _wrapped(text: str, width: int) -> list[str]:
    """Text in lines that are no wider, if its words are not; a style does not go beyond its line."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if line and _columns(line) + 1 + _columns(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return _closed(lines)


def _closed(lines: Sequence[str]) -> list[str]:
    """Lines each of which ends the style that it begins, and begins the one that the line before it had."""
    open_mark = ""
    found: list[str] = []
    for line in lines:
        complete = open_mark + line
        marks = [character for character in complete if character in _MARKS]
        open_mark = marks[-1] if marks and _MARKS[marks[-1]] != _END else ""
        found.append(complete + "\ue000" * bool(open_mark))
    return found


def _table(table: Table, width: int) -> Iterator[str]:
    """A table in columns, or, where these would be too narrow, row by row."""
    head = list(map(_styled, table.head))
    rows = [list(map(_styled, row)) for row in table.rows]
    widths = _column_widths([head, *rows], width)
    if widths is None:
        for row in rows:
            yield from _wrapped(f"\ue001{row[0]}\ue000", width)
            for name, cell in zip(head[1:], row[1:]):
                if cell:
                    first, *more = _wrapped(f"{name}: {cell}" if name else cell, width - 4)
                    yield f"    {first}"
                    yield from [f"    {line}" for line in more]
        return
    if any(head):
        yield from _row(head, widths)
        yield _GAP.join(["-" * column for column in widths])
    broken = [row for row in rows if any(_columns(cell) > column for cell, column in zip(row, widths))]
    for number, row in enumerate(rows):
        if number and 2 * len(broken) > len(rows):
            yield ""
        yield from _row(row, widths)


def _row(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    broken = [_wrapped(cell, column) for cell, column in zip(cells, widths)]
    for line in range(max(map(len, broken))):
        parts = [lines[line] if line < len(lines) else "" for lines in broken]
        yield _GAP.join([part + " " * (column - _columns(part)) for part, column in zip(parts, widths)])


def _column_widths(rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """The widths of columns, so that they fit; `None` where they can't."""
    columns = list(zip(*rows))
    widths = [max(map(_columns, column)) for column in columns]
    least = [min(whole, max(_MIN_COLUMN, max(_columns(word) for cell in column for word in cell.split(" "))))
             for whole, column in zip(widths, columns)]
    room = width - len(_GAP) * (len(columns) - 1)
    if sum(least) > room:
        return None
    while sum(widths) > room:
        # The widest one that can be narrower, down to the next one's width, if need be.
        widest = max([index for index in range(len(widths)) if widths[index] > least[index]], key=widths.__getitem__)
        widths[widest] -= 1
    return widths
