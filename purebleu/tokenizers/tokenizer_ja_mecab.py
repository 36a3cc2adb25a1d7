"""Names that clients of sacreBLEU import from here."""

from .ja_mecab import TokenizerJaMecab as TokenizerJaMecab

__all__ = ["TokenizerJaMecab"]
