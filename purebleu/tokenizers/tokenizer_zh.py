"""The tokenizer for Chinese. Each Chinese character is a token. The substitutions of 13a separate punctuation.

The steps, in this order:

 1. Whitespace at the ends of the line is removed.
 2. Spaces are put on both sides of each character that counts as Chinese (`CHINESE`).
 3. The four substitutions of `tokenizer_13a` follow. No spaces are added around the line.
 4. The tokens are the words between whitespace.

`separation` finds the same tokens in many lines at once.
"""

from __future__ import annotations

from ..unicode.properties import WHITESPACE
from .tokenizer_13a import separate_marks, separate_symbols
from .tokenizer_base import BaseTokenizer, brackets, words_of


class TokenizerZh(BaseTokenizer):
    """Separates Chinese characters one by one, and ASCII punctuation as 13a does.

    >>> TokenizerZh()("他昨天去了U.S.，3.5天")
    '他 昨 天 去 了 U . S . ， 3.5 天'
    """

    SIGNATURE = "zh"
    FASTER = "zh"

    #: The boundaries (see `boundaries_of`) of the ranges of characters that count as Chinese.
    CHINESE = (
        # sacreBLEU-compat: two ranges of sacreBLEU's table were meant to be above U+FFFF. But the ends of both ranges
        # are strings of two characters ("\u2000" and "0" instead of U+20000), and sacreBLEU compares strings. So curly
        # quotes, dashes, arrows and the euro sign count as Chinese, but ideographs above U+FFFF do not. (fixtures:
        # tokens of zh)
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

    def tokenize_line(self, line: str) -> list[bytes]:
        import re

        line = re.sub(f"([{brackets(self.CHINESE)}])", r" \1 ", line.strip(WHITESPACE))
        return words_of(separate_marks(separate_symbols(line)))
