"""Names that clients of sacreBLEU import from here."""

from .zh import Tokenizer as TokenizerZh

__all__ = ["TokenizerZh"]
