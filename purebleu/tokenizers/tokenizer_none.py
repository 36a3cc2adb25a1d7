"""Names that clients of sacreBLEU import from here."""

from .none import Tokenizer as NoneTokenizer

__all__ = ["NoneTokenizer"]
