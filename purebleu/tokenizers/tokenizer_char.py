"""Names that clients of sacreBLEU import from here."""

from .char import TokenizerChar as TokenizerChar

__all__ = ["TokenizerChar"]
