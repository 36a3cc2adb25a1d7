"""Differences between two systems: value, interval and standard error, from paired bootstrap resamples."""

from __future__ import annotations

from itertools import combinations
from math import fsum, sqrt

from ..engines.resampling.intervals import exact_mean, interval_ends

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .paired import Pair, Resampled, Result


class Difference:
    """The difference between two systems under a metric.

    Attributes:
        value: the score of the second system minus that of the first one.
        low, high: the ends of its 95 % interval, from bootstrap resamples that both systems share.
        standard_error: the standard deviation of the difference in these resamples.
    """

    def __init__(self, value: float, low: float, high: float, standard_error: float) -> None:
        self.value = value
        self.low = low
        self.high = high
        self.standard_error = standard_error

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __neg__(self) -> Difference:
        """The difference in the other direction."""
        return Difference(-self.value, -self.high, -self.low, self.standard_error)

    def __repr__(self) -> str:
        return f"Difference({vars(self)!r})"


def resampled_difference(value: float, scores: Sequence[float], others: Sequence[float]) -> Difference:
    """The difference of a system to another one.

    Args:
        value: the difference between the scores on all segments.
        scores: the scores of the system in two or more bootstrap resamples.
        others: the scores of the other system in the same resamples.

    Example:
        By hand: the differences are 1, 2 and 6, so that the mean is 3, and the variance (4 + 1 + 9) / 2.

        >>> difference = resampled_difference(2.5, [11.0, 12.0, 16.0], [10.0, 10.0, 10.0])
        >>> difference.low, difference.high, difference.standard_error == 7 ** 0.5
        (1.0, 6.0, True)
    """
    differences = [float(score) - float(other) for score, other in zip(scores, others)]
    return Difference(value, *interval_ends(differences), standard_deviation(differences) or 0.0)


def differences_of(results: Sequence[Sequence[Result]], resampled: Resampled) -> list[dict[Pair, Difference]]:
    """Under each metric, the difference for each pair of systems: the second one minus the first one.

    Args:
        results: the result of each system under each metric.
        resampled: the scores of the systems in the same bootstrap resamples.
    """
    return [{(one, two): resampled_difference(results[two][metric].score - results[one][metric].score,
                                              resampled[two][metric], resampled[one][metric])
             for one, two in combinations(range(len(results)), 2)}
            for metric in range(len(results[0]))]


def standard_deviation(numbers: Sequence[float]) -> float | None:
    """The standard deviation of a sample (with n - 1 in the denominator); `None` for fewer than two items.

    Example:
        By hand: the mean is 3, the squares of the differences to it are 4, 1 and 9, and 14 / 2 = 7.

        >>> standard_deviation([1.0, 2.0, 6.0]) == 7 ** 0.5
        True
    """
    if len(numbers) < 2:
        return None
    mean = exact_mean(numbers)
    return sqrt(fsum([(number - mean) ** 2 for number in numbers]) / (len(numbers) - 1))
