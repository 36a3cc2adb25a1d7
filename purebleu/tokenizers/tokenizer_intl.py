"""Names that clients of sacreBLEU import from here."""

from .intl import TokenizerV14International as TokenizerV14International

__all__ = ["TokenizerV14International"]
