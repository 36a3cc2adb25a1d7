"""Names that clients of sacreBLEU import from here."""

from .zh import TokenizerZh as TokenizerZh

__all__ = ["TokenizerZh"]
