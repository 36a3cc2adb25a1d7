"""Parse the Markdown of the manual's pages, show pages in a terminal, and search pages.

Only the parts of Markdown that the manual uses are supported.
"""

from __future__ import annotations

from ..runtime.hints import Iterator, NamedTuple, Sequence
from . import known_pages, page_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match
    from typing import Union

    Block = Union["Heading", "Paragraph", "Items", "Table", "Code"]


_FENCE = "```"

#: A pattern for the spans of a line: code, strong text, and a link with its target.
SPAN = r"`([^`]*)`|\*\*(.+?)\*\*|\[([^][]*)\]\(([^)]*)\)"


class Heading(NamedTuple):
    """A heading; the title of a page has level 1."""

    level: int
    text: str

    @property
    def anchor(self) -> str:
        """The anchor of the heading in links, in the same form as on GitHub.

        >>> Heading(2, "Exit codes, and `--quiet`").anchor
        'exit-codes-and---quiet'
        """
        kept = [character for character in self.text.lower() if character.isalnum() or character in " -_"]
        return "".join(kept).replace(" ", "-")


class Paragraph(NamedTuple):
    """Running text."""

    text: str


class Items(NamedTuple):
    """A list. Its items have numbers if it is `ordered`."""

    items: list[str]
    ordered: bool


class Table(NamedTuple):
    """A table. Each row has as many cells as the head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Code(NamedTuple):
    """Lines of code, which are shown unchanged. `language` is empty for shell commands."""

    language: str
    text: str


def blocks_of(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a page, in order. Comments are left out.

    >>> [type(block).__name__ for block in blocks_of("# A\n\nb\nc\n\n- d\n  e\n- f\n")]
    ['Heading', 'Paragraph', 'Items']
    """
    lines = iter(text.splitlines())
    held: list[str] = []  # the lines of a paragraph, a list or a table
    for line in lines:
        is_fence = line.startswith(_FENCE)
        if held and (not line.strip() or is_fence or line.startswith("#")):
            yield _block(held)
            held = []
        if is_fence:
            yield Code(line[len(_FENCE):], "\n".join(iter(lines.__next__, _FENCE)))
        elif line.startswith("#"):
            marks, _, title = line.partition(" ")
            yield Heading(len(marks), title)
        elif line.strip() and not line.startswith("<!--"):
            held.append(line)
    if held:
        yield _block(held)


def _block(lines: Sequence[str]) -> Block:
    """Parse lines without blank lines between them as a paragraph, a list or a table."""
    if lines[0].startswith("|"):
        head, _, *rows = map(_cells, lines)
        return Table(head, rows)
    if not _is_item(lines[0]):
        return Paragraph(" ".join(map(str.strip, lines)))
    items: list[str] = []
    for line in lines:
        if _is_item(line):
            items.append(line.partition(" ")[2].strip())
        else:
            items[-1] += " " + line.strip()
    return Items(items, lines[0][0].isdigit())


def _is_item(line: str) -> bool:
    mark = line.partition(" ")[0]
    return mark == "-" or (mark.endswith(".") and mark[:-1].isdigit())


def _cells(line: str) -> list[str]:
    r"""Return the cells of a row. A bar in a cell is written as `\|`."""
    cells = line.replace("\\|", "\0").strip().strip("|").split("|")
    return [cell.strip().replace("\0", "|") for cell in cells]


def plain_text(text: str, with_targets: bool = False) -> str:
    """Return a line without the marks of Markdown. If `with_targets`, the text of a link is followed by its target.

    >>> plain_text("**a** `b` [c](d.md)"), plain_text("[c](d.md#e)", with_targets=True)
    ('a b c', 'c (--help d)')
    """
    from re import sub

    def without_marks(match: Match[str]) -> str:
        code, strong, label, target = match.groups()
        if code is not None:
            return code
        if strong is not None:
            return plain_text(strong, with_targets)
        label = plain_text(label)
        place = target if ":" in target else ""
        page = target.partition("#")[0]
        if page.endswith(".md") and not place:
            place = f"--help {page[:-len('.md')]}"
        return f"{label} ({place})" if place and with_targets else label

    return sub(SPAN, without_marks, text)


def texts_of(block: Block) -> Iterator[str]:
    """Yield the texts of a block: cells, items, or a single text."""
    if isinstance(block, (Heading, Paragraph)):
        yield plain_text(block.text)
    elif isinstance(block, Items):
        yield from map(plain_text, block.items)
    elif isinstance(block, Table):
        for row in (block.head, *block.rows):
            yield from map(plain_text, row)
    else:
        yield block.text


# A search

#: The pages with tables of numbers. A search ignores their rows, because a row means nothing without the head.
_OF_FIGURES = ("speed",)

#: The pages whose headings a search ignores, because `help WORD` itself shows the same facts.
_OF_NAMES = ("python",)

#: Words that people search for, and the words of the manual for them.
_SYNONYMS = {
    "dataframe": "data frame", "llm": "language model", "llms": "language model", "significant": "significance",
    "quality": "good",
}

#: The characters that are part of words, in addition to letters and digits.
_IN_WORDS = "-_+"


class Passages:
    """The parts of the manual that contain a word.

    Attributes:
        headed: for each heading with the word or its plural: the page, the heading, and the first paragraph below it.
            Short headings come first.
        rows: for each row of a table whose first cell has the word: the page, the heading above it, and the row.
        texts: for each paragraph or item of a list with the word: the page, the heading above it, and the text.
        sections: the headings of all sections with the word, by the names of pages.
    """

    def __init__(self) -> None:
        self.headed: list[tuple[str, str, str]] = []
        self.rows: list[tuple[str, str, Sequence[str]]] = []
        self.texts: list[tuple[str, str, str]] = []
        self.sections: dict[str, list[str]] = {}


def passages_with(word: str) -> Passages:
    """Search the manual for a word, or for several words in this order. Case and outer dashes are ignored.

    Example:
        >>> [page for page, _, row in passages_with("141").rows]
        ['compatibility']
    """
    wanted, found = word.lower().strip("-"), Passages()
    forms = (wanted, _SYNONYMS.get(wanted, wanted))
    for page in known_pages():
        heading, is_headed = page, False
        for block in blocks_of(page_text(page)):
            if isinstance(block, Heading):
                heading = plain_text(block.text)
                is_headed = page not in _OF_NAMES and _has(heading, *forms, *[f"{form}s" for form in forms])
            elif isinstance(block, Paragraph) and is_headed:
                found.headed += [(page, heading, text) for text in texts_of(block)]
                is_headed = False
            if isinstance(block, Table) and page not in _OF_FIGURES:
                found.rows += [(page, heading, row) for row in block.rows if _has(plain_text(row[0]), *forms)]
            texts = [text for text in texts_of(block) if _has(text, *forms)]
            if texts and heading not in found.sections.setdefault(page, []):
                found.sections[page].append(heading)
            if isinstance(block, (Items, Paragraph)):
                found.texts += [(page, heading, text) for text in texts]
    found.headed.sort(key=lambda passage: len(passage[1]))
    return found


def _has(text: str, *forms: str) -> bool:
    """Whether a text has one of `forms`. A form is a word, or several adjacent words."""
    words = f" {' '.join(_words(text))} "
    return any(f" {form} " in words for form in forms)


def _words(text: str) -> list[str]:
    separated = "".join([character if character.isalnum() or character in _IN_WORDS else " "
                         for character in text.lower()])
    return [word.strip("-") for word in separated.split()]


# In a terminal

#: The spaces between the columns of a table.
_GAP = "  "

#: The minimum width of the last column of a table, which is wrapped. A table without this room is shown row by row.
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
        The page, as lines joined by line feeds.
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
    """Wrap a text at `width` columns. The first line begins with `first`, and all other lines begin with `others`."""
    from textwrap import wrap

    return wrap(text, width, initial_indent=first, subsequent_indent=others, break_long_words=False,
                break_on_hyphens=False) or [first]


def _table(table: Table, width: int) -> Iterator[str]:
    """Yield the lines of a table in columns, or row by row if there is no room for the last column."""
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
