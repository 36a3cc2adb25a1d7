"""The tokenizer for Chinese: every Chinese character is a token, and 13a's rules apply to the rest."""

from __future__ import annotations

from ..unicode.whitespace import SPACES, WHITESPACE
from .base import BaseTokenizer
from .categories import Spacing
from .mteval13a import separate_marks, separate_symbols
from .separation import join_lines, split_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: The characters that count as Chinese, as boundaries: a code point does where an odd number of them are not above it.
_CHINESE = (
    # sacreBLEU-compat: two entries of its table were meant for planes beyond the first, but their ends are strings of
    # two characters ("\u2000" and "0" in place of U+20000), compared as strings. So curly quotes, dashes, arrows and
    # the euro sign count as Chinese, and no supplementary ideograph does. (fixtures: tokens of zh)
    0x2001, 0x2A6E,
    0x2E80, 0x2FE0,  # radicals
    0x2FF0, 0x3040,  # description of ideographs, punctuation
    0x3100, 0x3130, 0x31A0, 0x31F0,  # Bopomofo, strokes
    0x3200, 0x4DB6,  # enclosed letters, compatibility, ideographs of extension A
    0x4E00, 0x9FBC,  # ideographs
    0xF900, 0xFA2E, 0xFA30, 0xFA6B, 0xFA70, 0xFADA,  # compatibility ideographs
    0xFE10, 0xFE20, 0xFE30, 0xFE50,  # vertical and compatibility forms
    0xFF00, 0xFFF0,  # full-width and half-width forms
)


class TokenizerZh(BaseTokenizer):
    """Separates Chinese characters one by one, and ASCII punctuation as 13a does."""

    def __init__(self) -> None:
        # (Whitespace may be a line feed, too, which only the API can bring.)
        self._spacing = Spacing(_CHINESE, SPACES)

    def signature(self) -> str:
        return "zh"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        spaced = [line.strip(WHITESPACE).translate(self._spacing) for line in lines]
        return split_block(separate_marks(separate_symbols(join_lines(spaced)), padded=False))
