"""Names that clients of sacreBLEU import from here."""

from .datasets import DATASETS

__all__ = ["DATASETS"]
