"""The Markdown of the manual's pages as blocks: the forms that these pages use, and no others."""

from __future__ import annotations

from ..hints import Iterator, NamedTuple, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match
    from typing import Union

    Block = Union["Heading", "Paragraph", "Items", "Table", "Code"]

_FENCE = "```"

#: The spans of a line: code, strong text, and a link with its target.
SPAN = r"`([^`]*)`|\*\*(.+?)\*\*|\[([^][]*)\]\(([^)]*)\)"


class Heading:
    """A heading; the title of a page has level 1."""

    def __init__(self, level: int, text: str) -> None:
        self.level = level
        self.text = text

    @property
    def anchor(self) -> str:
        """Its name in addresses, as GitHub makes it.

        >>> Heading(2, "Exit codes, and `--quiet`").anchor
        'exit-codes-and---quiet'
        """
        kept = [character for character in self.text.lower() if character.isalnum() or character in " -_"]
        return "".join(kept).replace(" ", "-")


class Paragraph(NamedTuple):
    """Running text."""

    text: str


class Items(NamedTuple):
    """A list; its items have numbers if it is `ordered`."""

    items: list[str]
    ordered: bool


class Table(NamedTuple):
    """A table; all rows have as many cells as the head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Code(NamedTuple):
    """Lines as they are; commands for a shell have no language."""

    language: str
    text: str


def blocks_of(text: str) -> Iterator[Block]:
    r"""Return the blocks of a page, in order. Comments are left out.

    >>> [type(block).__name__ for block in blocks_of("# A\n\nb\nc\n\n- d\n  e\n- f\n")]
    ['Heading', 'Paragraph', 'Items']
    """
    lines = iter(text.splitlines())
    held: list[str] = []  # those of a paragraph, a list or a table
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
    """Return the paragraph, the list or the table in lines without a blank line between them."""
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
    """Return a line without its marks. The target of a link may follow its text.

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
    """Return the texts of a block: cells, items, or a single text."""
    if isinstance(block, (Heading, Paragraph)):
        yield plain_text(block.text)
    elif isinstance(block, Items):
        yield from map(plain_text, block.items)
    elif isinstance(block, Table):
        for row in (block.head, *block.rows):
            yield from map(plain_text, row)
    else:
        yield block.text
