"""Significance tests, from nothing but rows of statistics."""

from ..resampling.intervals import estimate_ci
from .paired import PairedTest, Result

__all__ = ["PairedTest", "Result", "estimate_ci"]
