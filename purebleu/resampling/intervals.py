"""Confidence intervals by bootstrap resampling."""

from __future__ import annotations

from math import fsum

from .packed import PackedRows, bootstrap_totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

    from .packed import Row
    from .streams import Stream

    #: From the column sums of rows to a metric's value.
    Value = Callable[[Sequence[Any]], float]


def bootstrap_scores(groups: Sequence[Sequence[Row]], values: Sequence[Value], stream: Stream,
                     count: int) -> list[list[float]]:
    """The scores of groups of rows of the same segments, in so many bootstrap resamples, the same ones for all groups.

    Each group has its own function from column sums to its value.
    """
    scores = [[value(totals) for value, totals in zip(values, of_groups)]
              for of_groups in bootstrap_totals(PackedRows(groups), stream, count)]
    return list(map(list, zip(*scores)))


def estimate_ci(scores: Sequence[float]) -> tuple[float, float]:
    """The mean of resampled scores, and half the width of the interval that holds 95 % of them.

    Of n scores in order, the interval leaves out n // 40 at either end (Koehn, 2004). By hand: of 0 to 79, two at
    either end, so that it goes from 2 to 77:

    >>> estimate_ci(range(80))
    (39.5, 37.5)
    """
    ordered = sorted(scores)
    left_out = len(ordered) // 40
    return fsum(ordered) / len(ordered), (ordered[-1 - left_out] - ordered[left_out]) / 2
