"""Significance tests, from nothing but rows of statistics."""

from ..engines.resampling.intervals import estimate_ci
from .paired import Result
from .paired import p_value as _compute_p_value
from .paired_systems import PairedTest
from .results import Results, results_of

__all__ = ["PairedTest", "Result", "Results", "_compute_p_value", "estimate_ci", "results_of"]
