"""Names that clients of sacreBLEU import from here."""

from .textio import smart_open

__all__ = ["smart_open"]
