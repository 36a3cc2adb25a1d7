"""Names that clients of sacreBLEU import from here."""

from .ko_mecab import TokenizerKoMecab as TokenizerKoMecab

__all__ = ["TokenizerKoMecab"]
