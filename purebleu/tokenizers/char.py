"""Every character a token, except whitespace."""

from __future__ import annotations

from .base import BaseTokenizer
from .separation import block_with_spaces, lines_without_spaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence


class TokenizerChar(BaseTokenizer):
    """Splits a line into its characters; the sequence of them is a string."""

    OF_CHARACTERS = True

    def signature(self) -> str:
        return "char"

    def tokenize_lines(self, lines: Sequence[str]) -> list[str]:
        return lines_without_spaces(block_with_spaces(lines))

    def __call__(self, line: str) -> str:
        # sacreBLEU-compat: whitespace of the line stays between the spaces; it makes no difference to the tokens.
        return " ".join(line)
