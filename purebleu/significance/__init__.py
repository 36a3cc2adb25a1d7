"""Significance tests, from nothing but rows of statistics."""

from ..resampling.intervals import estimate_ci
from .paired import PairedTest, Result
from .paired import p_value as _compute_p_value

__all__ = ["PairedTest", "Result", "_compute_p_value", "estimate_ci"]
