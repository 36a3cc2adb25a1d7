"""Names that clients of sacreBLEU import from here."""

from .tercom import TercomTokenizer

__all__ = ["TercomTokenizer"]
