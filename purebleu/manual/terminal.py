"""A page of the manual as lines for a terminal of any width, with headings in bold if it takes that."""

from __future__ import annotations

from .markdown import Code, Heading, Items, Table, blocks_of, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

    from .markdown import Block

#: The spaces between the columns of a table.
_GAP = "  "

#: The last column of a table is wrapped. If there is less room than this for it, the table is shown row by row.
_MIN_LAST = 30

#: The escape sequences that begin and end bold text.
_BOLD, _END = "\x1b[1m", "\x1b[0m"


def page_in_terminal(text: str, width: int, color: bool) -> str:
    """Return a page of the manual as text.

    Args:
        text: the Markdown of the page.
        width: the largest number of columns. (Code is not wrapped.)
        color: whether escape sequences are used.

    Returns:
        The lines, joined.
    """
    found: list[str] = []
    for block in blocks_of(text):
        lines = list(_lines_of(block, width))
        if isinstance(block, Heading) and color:
            lines = [f"{_BOLD}{line}{_END}" for line in lines]
        if found and not (isinstance(block, Heading) and block.level == 1):
            found.append("")
        found += lines
    return "\n".join([line.rstrip() for line in found])


def _lines_of(block: Block, width: int) -> Iterator[str]:
    if isinstance(block, Heading):
        title = plain_text(block.text)
        yield from _wrapped(title.upper() if block.level == 1 else title, width)
        if block.level == 2:
            yield "-" * min(len(title), width)
    elif isinstance(block, Code):
        for line in block.text.split("\n"):
            yield f"    {line}"
    elif isinstance(block, Items):
        for number, item in enumerate(block.items, 1):
            mark = f"{number}. " if block.ordered else "- "
            yield from _wrapped(plain_text(item, with_targets=True), width, mark, " " * len(mark))
    elif isinstance(block, Table):
        yield from _table(block, width)
    else:
        yield from _wrapped(plain_text(block.text, with_targets=True), width)


def _wrapped(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """Return text in lines of this width. The first line begins with `first`, and the others with `others`."""
    from textwrap import wrap

    return wrap(text, width, initial_indent=first, subsequent_indent=others, break_long_words=False,
                break_on_hyphens=False) or [first]


def _table(table: Table, width: int) -> Iterator[str]:
    """Return a table in columns; or row by row, if there is no room for the last column."""
    rows: list[list[str]] = []
    for cells in (table.head, *table.rows):
        rows.append([plain_text(cell, with_targets=True) for cell in cells])
    *widths, last = [max(map(len, column)) for column in zip(*rows)]
    head, *rows = rows
    if sum(widths) + len(_GAP) * len(widths) + min(last, _MIN_LAST) <= width:
        if any(head):
            rows = [head, ["-" * column for column in (*widths, min(last, _MIN_LAST))], *rows]
        for row in rows:
            start = "".join([cell.ljust(column) + _GAP for cell, column in zip(row, widths)])
            yield from _wrapped(row[-1], width, start, " " * len(start))
        return
    for row in rows:
        yield from _wrapped(row[0], width)
        for name, cell in zip(head[1:], row[1:]):
            if cell:
                yield from _wrapped(f"{name}: {cell}" if name else cell, width, "    ", "    ")
