"""The Markdown of the manual's pages as blocks: the forms that these pages use, and no others."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence, Union

    Block = Union["Heading", "Paragraph", "Items", "Table", "Code"]

_FENCE = "```"

#: The styles of spans within a line.
PLAIN, CODE, STRONG, LINK = "plain", "code", "strong", "link"

#: The characters that spans begin with.
_MARKS = "`*["


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


class Paragraph:
    """Text whose lines go on."""

    def __init__(self, text: str) -> None:
        self.text = text


class Items:
    """A list; its items have numbers where it is `ordered`."""

    def __init__(self, items: list[str], ordered: bool) -> None:
        self.items = items
        self.ordered = ordered


class Table:
    """A table; all rows have as many cells as the head."""

    def __init__(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.head = head
        self.rows = rows


class Code:
    """Lines as they are; commands for a shell have no language."""

    def __init__(self, language: str, text: str) -> None:
        self.language = language
        self.text = text


class Span:
    """A part of a line, in one style; a link has a target."""

    def __init__(self, style: str, text: str, target: str = "") -> None:
        self.style = style
        self.text = text
        self.target = target


def blocks_of(text: str) -> Iterator[Block]:
    r"""The blocks of a page, in order; comments are left out.

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
    """The paragraph, the list or the table that lines without a blank one between them are."""
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
    r"""The cells of a row; a bar within one is written as `\|`."""
    cells = line.replace("\\|", "\0").strip().strip("|").split("|")
    return [cell.strip().replace("\0", "|") for cell in cells]


def spans_of(text: str) -> Iterator[Span]:
    """The spans of a line, from left to right.

    >>> [(span.style, span.text, span.target) for span in spans_of("a `b` [c](d.md)")]
    [('plain', 'a ', ''), ('code', 'b', ''), ('plain', ' ', ''), ('link', 'c', 'd.md')]
    """
    told = 0
    for start in range(len(text)):
        if start < told or text[start] not in _MARKS:
            continue
        span, end = _span_at(text, start)
        if span is None:
            continue
        if told < start:
            yield Span(PLAIN, text[told:start])
        yield span
        told = end
    if told < len(text):
        yield Span(PLAIN, text[told:])


def _span_at(text: str, start: int) -> tuple[Span | None, int]:
    """The span that begins with a mark at this index, if one does, and the index after it."""
    for mark, style in (("`", CODE), ("**", STRONG)):
        end = text.find(mark, start + len(mark))
        if text.startswith(mark, start) and end > 0:
            return Span(style, text[start + len(mark):end]), end + len(mark)
    middle = text.find("](", start)
    end = text.find(")", middle)
    if text[start] == "[" and 0 < middle < end and "[" not in text[start + 1:middle]:
        return Span(LINK, text[start + 1:middle], text[middle + 2:end]), end + 1
    return None, start


def plain_text(text: str) -> str:
    """A line without its marks.

    >>> plain_text("**a** `b` [c](d.md)")
    'a b c'
    """
    return "".join([plain_text(span.text) if span.style == LINK else span.text for span in spans_of(text)])


def texts_of(block: Block) -> Iterator[str]:
    """The texts of a block: cells, items, or a single one."""
    if isinstance(block, (Heading, Paragraph)):
        yield plain_text(block.text)
    elif isinstance(block, Items):
        yield from map(plain_text, block.items)
    elif isinstance(block, Table):
        for row in (block.head, *block.rows):
            yield from map(plain_text, row)
    else:
        yield block.text
