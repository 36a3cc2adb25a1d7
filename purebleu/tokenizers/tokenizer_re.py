"""The tokenizer with only the four substitutions of `tokenizer_13a`. No spaces are added around the line."""

from __future__ import annotations

from .tokenizer_13a import separate_marks, separate_symbols
from .tokenizer_base import BaseTokenizer, words_of


class TokenizerRegexp(BaseTokenizer):
    """Separates ASCII punctuation, except in numbers and at the ends of the line."""

    SIGNATURE = "re"

    def tokenize_line(self, line: str) -> list[bytes]:
        return words_of(separate_marks(separate_symbols(line)))
