"""Each character of a line is a token, except whitespace."""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer, words_of


class TokenizerChar(BaseTokenizer):
    """Splits a line into its characters; the sequence of them is a string."""

    OF_CHARACTERS = True
    SIGNATURE = "char"
    FASTER = "char"

    def tokenize_line(self, line: str) -> str:
        return b"".join(words_of(line)).decode("utf-8", "surrogatepass")

    def __call__(self, line: str) -> str:
        # sacreBLEU-compat: whitespace of the line stays between the spaces; it makes no difference to the tokens.
        return " ".join(line)
