"""Names that clients of sacreBLEU import from here."""

from .none import NoneTokenizer as NoneTokenizer

__all__ = ["NoneTokenizer"]
