"""The tokenizer for Chinese: every Chinese character is a token, and 13a's rules apply to the rest."""

from __future__ import annotations

from .base import BaseTokenizer
from .mteval13a import separate_western
from .separation import join_lines, split_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: First and last code points of what counts as Chinese.
_CHINESE = (
    # sacreBLEU-compat: two entries of its table were meant for planes beyond the first, but their ends are strings of
    # two characters ("\u2000" and "0" in place of U+20000), compared as strings. So curly quotes, dashes, arrows and
    # the euro sign count as Chinese, and no supplementary ideograph does. (fixtures: tokens.zh)
    (0x2001, 0x2A6D), (0x2F81, 0x2FA1),
    (0x2600, 0x26FF), (0x2700, 0x27BF),
    (0x2E80, 0x2EFF), (0x2F00, 0x2FDF), (0x2FF0, 0x2FFF),
    (0x3000, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31BF), (0x31C0, 0x31EF), (0x3200, 0x32FF), (0x3300, 0x33FF),
    (0x3400, 0x4DB5), (0x4E00, 0x9FA5), (0x9FA6, 0x9FBB),
    (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF),
)


class _Spacing(dict):  # type: ignore[type-arg]  # Python 3.8 cannot subscript dict
    """A table for `str.translate` that puts blanks around Chinese characters and fills itself as they come up."""

    def __missing__(self, code_point: int) -> int | str:
        chinese = any(first <= code_point <= last for first, last in _CHINESE)
        self[code_point] = replacement = f" {chr(code_point)} " if chinese else code_point
        return replacement


class Tokenizer(BaseTokenizer):
    """Sets Chinese characters apart one by one, and ASCII punctuation as 13a does."""

    def __init__(self) -> None:
        self._spacing: dict[int, int | str] = _Spacing()

    def signature(self) -> str:
        return "zh"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        if not lines:
            return []
        # A line feed inside a line (only the API can bring one) is white space like any other here.
        spaced = [line.strip().replace("\n", " ").translate(self._spacing) for line in lines]
        return split_block(separate_western(join_lines(spaced), padded=False))
