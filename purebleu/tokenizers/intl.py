"""The tokenizer of the mteval-v14 script, for any script: punctuation and symbols of all of Unicode are separated."""

from __future__ import annotations

from ..unicode.properties import boundaries_of
from ..unicode.tables import NUMBERS, PUNCTUATION, SYMBOLS
from .base import BaseTokenizer
from .categories import in_category
from .separation import (
    DIGIT,
    MARK,
    MARK_START,
    OTHER,
    foreign_characters,
    glued_marks,
    join_spaced,
    separate,
    separate_with_exceptions,
    spaced,
    split_block,
    unbroken,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

_ASCII_CHARACTERS = "".join(map(chr, range(128)))


def _ascii_classes() -> bytes:
    """A table for `bytes.translate` from an ASCII byte to its class; other bytes stay as they are."""
    table = bytearray(OTHER * 128 + bytes(range(128, 256)))
    for mark in in_category(boundaries_of(PUNCTUATION), _ASCII_CHARACTERS):
        table[ord(mark)] = ord(MARK)
    for number in in_category(boundaries_of(NUMBERS), _ASCII_CHARACTERS):
        table[ord(number)] = ord(DIGIT)
    # The rules see no space at either end of a line, so there is no non-digit there: see `separation`.
    table[ord("\n")] = ord(DIGIT)
    return bytes(table)


class TokenizerV14International(BaseTokenizer):
    """Separates punctuation, except next to numbers as in 13a, and every symbol (mteval-v14, NIST)."""

    def __init__(self) -> None:
        self._ascii_marks = spaced(in_category(boundaries_of(PUNCTUATION), _ASCII_CHARACTERS))
        self._ascii_symbols = spaced(in_category(boundaries_of(SYMBOLS), _ASCII_CHARACTERS))
        self._ascii_classes = _ascii_classes()

    def signature(self) -> str:
        return "intl"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        block = join_spaced(unbroken(lines))
        foreign = foreign_characters(block)
        marks = in_category(boundaries_of(PUNCTUATION), foreign)
        classes = block.translate(self._ascii_classes)
        for mark in marks:
            classes = classes.replace(mark, MARK_START * (len(mark) - 1) + MARK)
        for number in in_category(boundaries_of(NUMBERS), foreign):
            classes = classes.replace(number, DIGIT * len(number))
        block = separate_with_exceptions(block, self._ascii_marks + spaced(marks), glued_marks(block, classes))
        block = separate(block, self._ascii_symbols + spaced(in_category(boundaries_of(SYMBOLS), foreign)))
        return split_block(block)
