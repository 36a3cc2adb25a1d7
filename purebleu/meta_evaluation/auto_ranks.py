"""AutoRank: a single rank of systems from several metrics, as WMT computes it."""

from __future__ import annotations

from ..errors import LengthError, PurebleuError
from .judged import checked_score, exact_score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Sequence

#: The lower percentile for the scale of a metric: systems below it may be outliers.
_LOWER_PERCENTILE = 25


def autorank(scores: Sequence[Sequence[float]]) -> list[float]:
    """AutoRank of systems (Kocmi et al., 2025): their scores under several metrics on a common scale, averaged.

    A score becomes z = (score - median) / (P100 - P25), with the median and the percentiles over all systems. The mean
    of z over metrics is scaled so that the best system has 1, and the worst one the number of systems. (Where both
    percentiles are the same, the divisor is 1, as in WMT25's code.) All of it is exact, of the decimal numbers that
    floats are printed as, so that equal means are ties.

    Args:
        scores: for each metric, the score of each system. Higher scores have to be better under all metrics, so negate
            error rates.

    Returns:
        For each system, a number from 1, the best, to the number of systems; 1 for all systems if none is better than
        another.

    Raises:
        PurebleuError: there are no scores, or one is missing, infinite or NaN.
        LengthError: metrics have scores of different numbers of systems.
        TypeError: a score is not a number.

    Example:
        By hand: the medians are 2 and 20, and P25 is 1.5 and 15. So z is (-2/3, 0, 2/3) and (0, 2/3, -2/3), and its
        mean (-1/3, 1/3, 0).

        >>> autorank([[1, 2, 3], [20, 30, 10]])
        [3.0, 1.0, 2.0]
    """
    if not scores or not scores[0]:
        raise PurebleuError("there are no scores to rank systems by")
    if len(set(map(len, scores))) > 1:
        raise LengthError("metrics have scores of different numbers of systems: "
                          + ", ".join([str(len(metric_scores)) for metric_scores in scores]))
    checked = [[exact_score(checked_score(score, f"scores of metric {number}", system))
                for system, score in enumerate(metric_scores)] for number, metric_scores in enumerate(scores, 1)]
    sums = [sum(scaled) for scaled in zip(*map(_robust_scale, checked))]
    best, worst = max(sums), min(sums)
    if best == worst:
        return [1.0] * len(sums)
    return [float(1 + (len(sums) - 1) * (best - scaled) / (best - worst)) for scaled in sums]


def _robust_scale(scores: Sequence[Fraction]) -> list[Fraction]:
    """Scores of systems minus their median, divided by the range from the lower quartile to the highest score."""
    ordered = sorted(scores)
    median = _percentile(ordered, 50)
    scale = ordered[-1] - _percentile(ordered, _LOWER_PERCENTILE) or 1
    return [(score - median) / scale for score in scores]


def _percentile(ordered: Sequence[Fraction], percent: int) -> Fraction:
    """A percentile of numbers in ascending order, interpolated between two neighbours (as NumPy's `linear`)."""
    below, rest = divmod(percent * (len(ordered) - 1), 100)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * rest / 100
