"""Names that clients of sacreBLEU import from here."""

from ..compat.tokenizers import TokenizerRegexp

__all__ = ["TokenizerRegexp"]
