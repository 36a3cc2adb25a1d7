"""Confidence intervals by bootstrap resampling."""

from __future__ import annotations

from functools import reduce
from operator import add

from ...runtime.errors import warn
from ...runtime.hints import Any, Callable, Mean, Sequence
from .packed import bootstrap_totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .packed import Rows, Strata, Sums
    from .streams import RandomStream

    #: A function that takes the column sums of several resamples, and returns the score of each resample.
    Values = Callable[[Sums], Sequence[float]]

#: The largest integer of 64 bits, as in NumPy.
_MAX_INTEGER = (1 << 63) - 1

#: `_pairwise_sum` splits more numbers than this into two halves.
_MAX_PAIRWISE_BLOCK = 128


def pairwise_mean(numbers: Sequence[float]) -> float:
    """Return the mean of one number or more, equal to NumPy's to the last digit.

    Example:
        >>> pairwise_mean([1.0, 2.0, 6.0])
        3.0
    """
    return _pairwise_sum(numbers) / len(numbers)


def _pairwise_sum(numbers: Sequence[float]) -> float:
    """Return the sum of numbers as NumPy does, with smaller rounding errors than in a plain sum (Higham, 1993).

    1. Many numbers are split into two halves. The sum of each half is computed in the same way, and both sums are
       added.
    2. For fewer numbers, eight sums are computed, each of every eighth number. Then these sums are added in pairs.
    """
    count = len(numbers)
    if count > _MAX_PAIRWISE_BLOCK:
        half = count // 16 * 8
        return _pairwise_sum(numbers[:half]) + _pairwise_sum(numbers[half:])
    in_eights = count // 8 * 8
    if not in_eights:
        return _sum_in_order(numbers)
    a, b, c, d, e, f, g, h = [_sum_in_order(numbers[index:in_eights:8]) for index in range(8)]
    return _sum_in_order([((a + b) + (c + d)) + ((e + f) + (g + h)), *numbers[in_eights:]])


def _sum_in_order(numbers: Sequence[float]) -> float:
    """Return the sum, rounded after each addition. (From Python 3.12 on, `sum` avoids some rounding errors.)"""
    return reduce(add, numbers)


def exact_mean(numbers: Sequence[float]) -> float:
    """Return the same mean as `statistics.mean`, which minimal Pythons lack, in the type of the numbers.

    Example:
        >>> exact_mean([0.1] * 10)
        0.1
    """
    ratios = [number.as_integer_ratio() for number in numbers]
    denominator = max([divisor for _, divisor in ratios])  # (all denominators are powers of 2)
    total = sum([numerator * (denominator // divisor) for numerator, divisor in ratios])
    return type(numbers[0])(total / (denominator * len(numbers)))


def bootstrap_scores(groups: Sequence[Rows], values: Sequence[Values], stream: RandomStream, count: int,
                     strata: Strata = None) -> list[list[float]]:
    """Return the scores of groups of rows in the same bootstrap resamples.

    Args:
        groups: rows of the same segments, such as those of several systems under several metrics.
        values: for each group, a function that computes scores from column sums. The column sums are converted to
            `stream.NUMBER`, unless the rows have fixed-point numbers.
        stream: the source of random numbers.
        count: the number of resamples.
        strata: the rows of each stratum. Each resample has the same number of rows of a stratum as the corpus.

    Returns:
        For each group, its score in each resample.
    """
    numbers = [None if stream.NUMBER is None or _is_fixed_point(rows) else stream.NUMBER for rows in groups]
    scores: list[list[float]] = [[] for _ in groups]
    for group_sums in bootstrap_totals(groups, stream, count, strata):
        for group_scores, values_of, number, sums in zip(scores, values, numbers, group_sums):
            group_scores += values_of([list(map(number, column)) for column in sums] if number else sums)
    return scores


def _is_fixed_point(rows: Rows) -> bool:
    """Return whether rows have numbers that need more than 64 bits, as only fixed-point numbers (see `exact`) do."""
    return max([max(map(abs, row)) for row in rows]) > _MAX_INTEGER


def warn_of_one_segment(segments: int) -> None:
    """Warn of intervals if there is only one segment."""
    if segments == 1:
        warn("with one segment, all bootstrap resamples are the same, so the intervals have a width of 0")


def add_intervals(scores: Sequence[Any], resampled: Sequence[Sequence[float]], mean: Mean = pairwise_mean) -> None:
    """Set `mean` and `ci` of each score from its resampled scores.

    sacreBLEU-compat: `mean` is `exact_mean` for a single system, and NumPy's mean in tables. (fixtures: command_lines)
    """
    for score, scores_of_resamples in zip(scores, resampled):
        score.mean, score.ci = estimate_ci(scores_of_resamples, mean)


def estimate_ci(scores: Sequence[float], mean: Mean = pairwise_mean) -> tuple[float, float]:
    """Return the mean of resampled scores, and half the width of their 95 % confidence interval.

    Of n sorted scores, n // 40 scores at each end are outside the interval (Koehn, 2004).

    Args:
        scores: the scores of one resample or more, in any order.
        mean: the function that computes the mean of the scores.

    Returns:
        The mean, and half the width of the interval.

    Example:
        By hand: of the numbers from 0 to 79, two are left out at each end. So the interval is from 2 to 77.

        >>> estimate_ci(range(80))
        (39.5, 37.5)
    """
    ordered = sorted(scores)
    low, high = interval_ends(ordered)
    return float(mean(ordered)), float((high - low) / 2)


def interval_ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the 95 % interval of resampled values, such as differences of scores (see `estimate_ci`).

    Example:
        By hand: of the numbers from 0 to 79, two are left out at each end.

        >>> interval_ends(range(80))
        (2, 77)
    """
    ordered = sorted(values)
    left_out = len(ordered) // 40
    return ordered[left_out], ordered[-1 - left_out]
