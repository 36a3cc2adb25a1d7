"""Names that clients of sacreBLEU import from here."""

from .ter_words import TercomTokenizer

__all__ = ["TercomTokenizer"]
