"""No tokenization: the words between whitespace, for text that is tokenized already."""

from __future__ import annotations

from .base import BaseTokenizer
from .separation import words_of_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence


class NoneTokenizer(BaseTokenizer):
    """Leaves the line as it is."""

    def signature(self) -> str:
        return "none"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        return words_of_lines(lines)

    def __call__(self, line: str) -> str:
        return line
