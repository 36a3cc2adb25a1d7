"""Searching the manual for a word."""

from __future__ import annotations

from ..hints import Sequence
from . import PAGES, page_text
from .markdown import Heading, Items, Paragraph, Table, blocks_of, plain_text, texts_of

#: Pages with tables of figures, whose rows say nothing without their headings.
_OF_FIGURES = ("speed",)

#: Pages that repeat what `help WORD` shows anyway.
_OF_NAMES = ("python",)

#: The manual's words for words that people look for.
_SYNONYMS = {
    "dataframe": "data frame", "llm": "language model", "llms": "language model", "significant": "significance",
    "quality": "good",
}

#: Characters that are part of words, besides letters and digits.
_IN_WORDS = "-_+"


class Passages:
    """The paragraphs of the manual on a word.

    Attributes:
        headed: the first paragraphs under headings with the word or its plural, each with the page and the heading. The
            shortest headings come first.
        rows: the rows of tables whose first cell has the word, each with the page and the heading above it.
        texts: the paragraphs and the items of lists with the word, each with the page and the heading above it.
        sections: the headings of all sections with the word, by the names of pages.
    """

    def __init__(self) -> None:
        self.headed: list[tuple[str, str, str]] = []
        self.rows: list[tuple[str, str, Sequence[str]]] = []
        self.texts: list[tuple[str, str, str]] = []
        self.sections: dict[str, list[str]] = {}


def passages_with(word: str) -> Passages:
    """Return the passages with a word, or several words in this order. Case and dashes before the word do not matter.

    Example:
        >>> [page for page, _, row in passages_with("141").rows]
        ['compatibility']
    """
    wanted, found = word.lower().strip("-"), Passages()
    forms = (wanted, _SYNONYMS.get(wanted, wanted))
    for page in PAGES:
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
            sections = found.sections.setdefault(page, [])
            texts = [text for text in texts_of(block) if _has(text, *forms)]
            if texts and heading not in sections:
                sections.append(heading)
            if isinstance(block, (Items, Paragraph)):
                found.texts += [(page, heading, text) for text in texts]
    found.headed.sort(key=lambda passage: len(passage[1]))
    found.sections = {page: sections for page, sections in found.sections.items() if sections}
    return found


def _has(text: str, *forms: str) -> bool:
    """Whether text has one of these words, or of several words in this order."""
    words = f" {' '.join(_words(text))} "
    return any(f" {form} " in words for form in forms)


def _words(text: str) -> list[str]:
    separated = "".join([character if character.isalnum() or character in _IN_WORDS else " "
                         for character in text.lower()])
    return [word.strip("-") for word in separated.split()]
