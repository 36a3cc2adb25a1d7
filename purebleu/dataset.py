"""Names that users of sacreBLEU import from its module `dataset`."""

from .datasets import DATASETS

__all__ = ["DATASETS"]
