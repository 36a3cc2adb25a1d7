"""Confidence intervals and significance tests, from nothing but rows of statistics."""

from .paired import PairedTest, Result, estimate_ci

__all__ = ["PairedTest", "Result", "estimate_ci"]
