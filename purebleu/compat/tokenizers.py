"""Tokenizers that sacreBLEU has as classes of their own, and purebleu as a part, or with an argument, of others."""

from __future__ import annotations

from ..tokenizers import spm
from ..tokenizers.base import BaseTokenizer
from ..tokenizers.mteval13a import separate_marks, separate_symbols
from ..tokenizers.separation import join_lines, split_block
from ..unicode.whitespace import SPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence


class TokenizerRegexp(BaseTokenizer):
    """Separates ASCII punctuation as `zh` does: by 13a's rules, which see no spaces around the line."""

    def signature(self) -> str:
        return "re"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        block = join_lines([line.translate(SPACES) for line in lines])
        return split_block(separate_marks(separate_symbols(block), padded=False))


class TokenizerSPM(spm.Tokenizer):
    """Splits lines into the pieces of the model that is called `key`."""

    DEFAULT_KEY = "spm"

    def __init__(self, key: str | None = None, *arguments: Any) -> None:
        super().__init__(key or self.DEFAULT_KEY, *arguments)


class Flores101Tokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of FLORES-101."""

    DEFAULT_KEY = "flores101"


class Flores200Tokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of FLORES-200."""

    DEFAULT_KEY = "flores200"


class spBLEU1KTokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of spBLEU-1K."""

    DEFAULT_KEY = "spBLEU-1K"
