"""The tokenizer of Tercom, for TER. (It is no choice for BLEU, so it is not in the registry.)"""

from __future__ import annotations

from ..unicode.casing import lower_case_of_lines
from .base import BaseTokenizer
from .categories import Spacing, in_category
from .mteval13a import resolve_entities, separate_marks, separate_symbols
from .separation import foreign_characters, join_lines, split_block, unbroken, with_spaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: The characters that `no_punct` removes, in ASCII; and with `asian_support`, as boundaries of a category.
_REMOVED_MARKS = b'.,?:;!"()'
_ASIAN_PUNCTUATION = (
    0x3001, 0x3003, 0x3008, 0x3012, 0x3014, 0x3020, 0x30FB, 0x30FC,  # CJK punctuation, the middle dot of katakana
    0xFF01, 0xFF03, 0xFF08, 0xFF0A, 0xFF0C, 0xFF0D, 0xFF0E, 0xFF0F, 0xFF1A, 0xFF1C, 0xFF1F, 0xFF20,  # full-width forms
    0xFF61, 0xFF66,  # half-width forms
)

#: The letters that are words of their own with `normalized` and `asian_support`.
_ASIAN_LETTERS = (
    # sacreBLEU-compat: neither hangul nor kana. (Its rules for kana need them at the very start of a line, but there is
    # a space.) (fixtures: tokens of tercom)
    0x2E80, 0x2F00,  # radicals
    0x31C0, 0x31F0,  # strokes
    0x3200, 0x4DC0,  # enclosed letters, compatibility, ideographs of extension A
    0x4E00, 0xA000,  # ideographs
    0xF900, 0xFB00,  # compatibility ideographs
    0xFE30, 0xFE50,  # compatibility forms
)

_POSSESSIVE = b"'s"


class TercomTokenizer(BaseTokenizer):
    """Splits a line at whitespace, in lower case unless `case_sensitive`, after what its other options ask for.

    `normalized` resolves entities, separates ASCII punctuation as 13a does, and the possessive "'s"; `no_punct`
    removes punctuation. `asian_support` extends either of them to Chinese and Japanese.
    """

    def __init__(self, normalized: bool = False, no_punct: bool = False, asian_support: bool = False,
                 case_sensitive: bool = False) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive
        self._spacing = Spacing(sorted(_ASIAN_LETTERS + _ASIAN_PUNCTUATION), {})

    def signature(self) -> str:
        return "tercom"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        if not self._case_sensitive:
            lines = lower_case_of_lines(lines)
        # (Only the API can bring line feeds inside of a line. They are whitespace, except to normalization.)
        block = self._normalize(lines) if self._normalized else join_lines(unbroken(lines))
        if self._no_punct:
            block = block.translate(None, _REMOVED_MARKS)
            if self._asian_support:
                for mark in in_category(_ASIAN_PUNCTUATION, foreign_characters(block)):
                    block = block.replace(mark, b"")
        return split_block(with_spaces(block.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass"))

    def _normalize(self, lines: Sequence[str]) -> bytes:
        block = join_lines([line.replace("\n-", "").replace("\n", " ") for line in lines])
        block = separate_symbols(resolve_entities(block))
        for end in (b" ", b"\n"):
            block = block.replace(_POSSESSIVE + end, b" " + _POSSESSIVE + end)
        block = separate_marks(block, padded=True)
        if self._asian_support:
            text = block.decode("utf-8", "surrogatepass").translate(self._spacing)
            block = text.encode("utf-8", "surrogatepass")
        return block
