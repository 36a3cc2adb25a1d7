"""A tokenizer that sacreBLEU has as a class of its own, and purebleu as a part of another: its clients import it."""

from __future__ import annotations

from ..unicode.whitespace import SPACES
from .base import BaseTokenizer
from .mteval13a import separate_marks, separate_symbols
from .separation import join_lines, split_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence


class TokenizerRegexp(BaseTokenizer):
    """Separates ASCII punctuation as `zh` does: by 13a's rules, which see no spaces around the line."""

    def signature(self) -> str:
        return "re"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        block = join_lines([line.translate(SPACES) for line in lines])
        return split_block(separate_marks(separate_symbols(block), padded=False))
