"""Names that clients of sacreBLEU import from here."""

from .base import BaseTokenizer

__all__ = ["BaseTokenizer"]
