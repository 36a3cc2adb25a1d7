"""Names that clients of sacreBLEU import from here."""

from .char import Tokenizer as TokenizerChar

__all__ = ["TokenizerChar"]
