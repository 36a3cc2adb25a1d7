"""AutoRank: a single rank of systems from several metrics, as WMT has it."""

from __future__ import annotations

from math import floor, fsum

from ..errors import LengthError, PurebleuError
from .judged import checked_score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: The percentile below which systems don't count for the scale of a metric, for they may be outliers.
_LOWER_PERCENTILE = 25


def autorank(scores: Sequence[Sequence[float]]) -> list[float]:
    """AutoRank of systems (Kocmi et al., 2025): their scores under several metrics on a common scale, averaged.

    A score becomes z = (score - median) / (P100 - P25); median and percentiles are over all systems. The mean of z over
    metrics is stretched so that the best system has 1 and the worst one has the number of systems. (Where both
    percentiles are the same, the division is by 1, as in WMT25's own code.)

    Args:
        scores: for each metric, a score of each system; a higher score is a better one under all of them, so that error
            rates are to be negated.

    Returns:
        For each system, a number from 1, which is best, to the number of systems; 1 for all, where none is better than
        another one.

    Raises:
        PurebleuError: there are no scores, or one is missing, infinite or not a number.
        LengthError: metrics have scores of different numbers of systems.
        TypeError: a score is not a number.

    Example:
        By hand: medians 2 and 20, P25 1.5 and 15, so z is (-2/3, 0, 2/3) and (0, 2/3, -2/3), the mean (-1/3, 1/3, 0).

        >>> autorank([[1, 2, 3], [20, 30, 10]])
        [3.0, 1.0, 2.0]
    """
    if not scores or not scores[0]:
        raise PurebleuError("there are no scores to rank systems by")
    if len(set(map(len, scores))) > 1:
        raise LengthError("metrics have scores of different numbers of systems: "
                          + ", ".join([str(len(of_metric)) for of_metric in scores]))
    checked = [[checked_score(score, f"scores of metric {number}", system) for system, score in enumerate(of_metric)]
               for number, of_metric in enumerate(scores, 1)]
    means = [fsum(of_system) / len(scores) for of_system in zip(*map(_robust_scale, checked))]
    best, worst = max(means), min(means)
    if best == worst:
        return [1.0] * len(means)
    return [1 + (len(means) - 1) * (best - mean) / (best - worst) for mean in means]


def _robust_scale(scores: Sequence[float]) -> list[float]:
    """Scores of systems, less their median, divided by what is between the highest and the lower quartile."""
    ordered = sorted(scores)
    median = percentile(ordered, 50)
    scale = ordered[-1] - percentile(ordered, _LOWER_PERCENTILE) or 1.0
    return [(score - median) / scale for score in scores]


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The percentile of numbers in ascending order, interpolated between the two next to it (as NumPy's `linear`).

    Example:
        >>> percentile([1, 2, 4], 75)
        3.0
    """
    position = percent / 100 * (len(ordered) - 1)
    below = floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
