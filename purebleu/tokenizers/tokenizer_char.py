"""The tokenizer of characters. Each character of a line is a token, except whitespace."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer, words_of


class TokenizerChar(BaseTokenizer):
    """Splits a line into its characters. The sequence of tokens is a string."""

    OF_CHARACTERS = True
    SIGNATURE = "char"
    FASTER = "char"

    def tokenize_line(self, line: str) -> str:
        return b"".join(words_of(line)).decode("utf-8", "surrogatepass")

    def __call__(self, line: str) -> str:
        # sacreBLEU-compat: the line's own whitespace stays, although whitespace is no token of BLEU.
        return " ".join(line)
