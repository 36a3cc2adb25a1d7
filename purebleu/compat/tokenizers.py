"""Tokenizers that sacreBLEU has as classes of their own, and purebleu as a part, or with an argument, of others."""

from __future__ import annotations

from ..textio import BLANKS
from ..tokenizers import spm
from ..tokenizers.base import BaseTokenizer
from ..tokenizers.mteval13a import separate_marks, separate_symbols
from ..tokenizers.separation import join_lines, split_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence


class TokenizerRegexp(BaseTokenizer):
    """Sets ASCII punctuation apart as `zh` does: 13a's rules, which see no blanks around the line."""

    def signature(self) -> str:
        return "re"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        block = join_lines([line.translate(BLANKS) for line in lines])
        return split_block(separate_marks(separate_symbols(block), padded=False))


class TokenizerSPM(spm.Tokenizer):
    """Splits lines into the pieces of the model that is called `key`."""

    def __init__(self, key: str = "spm", *arguments: Any) -> None:
        super().__init__(key, *arguments)


class Flores101Tokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of FLORES-101."""

    def __init__(self, key: str = "flores101", *arguments: Any) -> None:
        super().__init__(key, *arguments)


class Flores200Tokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of FLORES-200."""

    def __init__(self, key: str = "flores200", *arguments: Any) -> None:
        super().__init__(key, *arguments)


class spBLEU1KTokenizer(TokenizerSPM):
    """Splits lines into the pieces of the model of spBLEU-1K."""

    def __init__(self, key: str = "spBLEU-1K", *arguments: Any) -> None:
        super().__init__(key, *arguments)
