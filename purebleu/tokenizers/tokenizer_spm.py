"""Tokenizers that sacreBLEU has as classes of their own, and purebleu with an argument: its clients import them."""

from __future__ import annotations

from .spm import PieceTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TokenizerSPM(PieceTokenizer):
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
