"""The passages of the manual that have a word."""

from __future__ import annotations

from . import PAGES, page_text
from .markdown import Heading, Table, blocks_of, plain_text, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: What words have besides letters and digits.
_IN_WORDS = "-_+"


class Passages:
    """What the manual says of a word.

    Attributes:
        rows: the rows of tables whose first cell has the word, each with the page and the heading above it.
        sections: the headings under which it stands anywhere, by the names of pages.
    """

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, Sequence[str]]] = []
        self.sections: dict[str, list[str]] = {}


def passages_with(word: str) -> Passages:
    """The passages that have a word, whatever its case, and the dashes before it.

    Example:
        >>> [page for page, _, row in passages_with("141").rows]
        ['exit-codes']
    """
    wanted, found = word.lower().strip("-"), Passages()
    for page in PAGES:
        heading = page
        for block in blocks_of(page_text(page)):
            if isinstance(block, Heading):
                heading = plain_text(block.text)
            if isinstance(block, Table):
                found.rows += [(page, heading, row) for row in block.rows if wanted in _words(plain_text(row[0]))]
            sections = found.sections.setdefault(page, [])
            if heading not in sections and any(wanted in _words(text) for text in texts_of(block)):
                sections.append(heading)
    found.sections = {page: sections for page, sections in found.sections.items() if sections}
    return found


def _words(text: str) -> set[str]:
    separated = "".join([character if character.isalnum() or character in _IN_WORDS else " "
                         for character in text.lower()])
    return {word.strip("-") for word in separated.split()}
