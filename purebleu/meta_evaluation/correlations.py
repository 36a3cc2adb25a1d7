"""Correlation of two lists of scores: Pearson's r, Kendall's tau-b and tau-c; and its average over groups."""

from __future__ import annotations

from collections import Counter
from math import fsum, isnan, nan, sqrt

from ..engines.word_order import ascending_pairs
from ..errors import LengthError
from .judged import Judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Hashable, Iterable, NamedTuple, Sequence

    from .judged import Grouping, Scores

    #: From two lists of the same length, human scores first, to their correlation; NaN where it has none.
    Correlation = Callable[[Sequence[float], Sequence[float]], float]

    class Average(NamedTuple):
        """A mean over groups of outputs.

        Attributes:
            value: the mean; 0 where no group has a value.
            groups: the number of groups that have one.
        """

        value: float
        groups: int
else:
    from collections import namedtuple

    Average = namedtuple("Average", "value groups")


def pearson(human: Sequence[float], metric: Sequence[float]) -> float:
    """Pearson's correlation coefficient r, from -1 to 1.

    Args:
        human, metric: scores of the same outputs, in the same order.

    Returns:
        The coefficient; NaN where either list has no variance, or fewer than two scores.

    Raises:
        LengthError: the lists differ in length.

    Example:
        With the figures of `testPearson` in mt-metrics-eval's `stats_test.py`:

        >>> round(pearson([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 3, 7]), 3)
        0.776
    """
    _check_lengths(human, metric)
    deviations = [_deviations(scores) for scores in (human, metric)]
    if not all(deviations):
        return nan
    product = fsum([one * other for one, other in zip(*deviations)])
    squares = [fsum([deviation * deviation for deviation in of_scores]) for of_scores in deviations]
    return max(-1.0, min(1.0, product / sqrt(squares[0] * squares[1])))


def _deviations(scores: Sequence[float]) -> list[float]:
    """The deviations from the mean, divided by the largest one, so that no square overflows; empty without variance."""
    if len(scores) < 2 or min(scores) == max(scores):
        return []
    extreme = max(map(abs, scores))
    scaled = [score / extreme for score in scores]
    mean = fsum(scaled) / len(scaled)
    deviations = [score - mean for score in scaled]
    largest = max(map(abs, deviations))
    return [deviation / largest for deviation in deviations]


def kendall_tau_b(human: Sequence[float], metric: Sequence[float]) -> float:
    """Kendall's tau-b, from -1 to 1: pairs in the same order less those in the other one, corrected for ties.

    Args:
        human, metric: scores of the same outputs, in the same order.

    Returns:
        The coefficient; NaN where all pairs are tied on either side, or there is none.

    Raises:
        LengthError: the lists differ in length.

    Example:
        With the figures of `testKendallVariants` in mt-metrics-eval's `stats_test.py`. By hand: of ten pairs, six are
        in the same order and three are not; one is tied for people, none for the metric: 3 / sqrt(9 * 10).

        >>> round(kendall_tau_b([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]), 9)
        0.316227766
    """
    pairs, excess, tied_human, tied_metric = _ordered_pairs(human, metric)
    if pairs in (tied_human, tied_metric):
        return nan
    return max(-1.0, min(1.0, excess / sqrt(pairs - tied_metric) / sqrt(pairs - tied_human)))


def kendall_tau_c(human: Sequence[float], metric: Sequence[float]) -> float:
    """Kendall's tau-c (Stuart, 1953), from -1 to 1: for lists with different numbers of different scores.

    Args:
        human, metric: scores of the same outputs, in the same order.

    Returns:
        The coefficient; NaN where all pairs are tied on either side, or there is none.

    Raises:
        LengthError: the lists differ in length.

    Example:
        With the figures of `testKendallVariants` in mt-metrics-eval's `stats_test.py`. By hand: six pairs less three;
        there are four different human scores: 2 * 3 / (25 * 3 / 4).

        >>> kendall_tau_c([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3])
        0.32
    """
    pairs, excess, tied_human, tied_metric = _ordered_pairs(human, metric)
    if pairs in (tied_human, tied_metric):
        return nan
    different = min(len(set(human)), len(set(metric)))
    return max(-1.0, min(1.0, 2 * excess / (len(human) ** 2 * (different - 1) / different)))


def _ordered_pairs(human: Sequence[float], metric: Sequence[float]) -> tuple[int, int, int, int]:
    """The number of pairs; concordant less discordant ones; pairs tied for people; pairs tied for the metric."""
    _check_lengths(human, metric)
    pairs = len(human) * (len(human) - 1) // 2
    tied_human, tied_metric, tied_both = map(_tied_pairs, (human, metric, zip(human, metric)))
    # Where people see a tie, the metric's scores descend, so that ascending ones are concordant pairs.
    ordered = sorted(zip(human, [-score for score in metric]))
    concordant = ascending_pairs([-score for _, score in ordered])
    discordant = pairs - concordant - tied_human - tied_metric + tied_both
    return pairs, concordant - discordant, tied_human, tied_metric


def _tied_pairs(scores: Iterable[Hashable]) -> int:
    return sum([count * (count - 1) // 2 for count in Counter(scores).values() if count > 1])


def _check_lengths(human: Sequence[float], metric: Sequence[float]) -> None:
    if len(human) != len(metric):
        raise LengthError(f"there are {len(human)} human scores and {len(metric)} of the metric")


def average_correlation(correlation: Correlation, human: Scores, metric: Scores, by: Grouping = "none") -> Average:
    """The correlation of a metric's scores with those of people, averaged over groups of outputs.

    Groups count the same, whatever their size. Those where either side has no variance, or that have fewer than two
    outputs with a human score, don't count, as in mt-metrics-eval (`AverageCorrelation` in `stats.py`).

    Args:
        correlation: of two lists, such as `kendall_tau_b`.
        human: a score of each system and segment, or `None`.
        metric: scores of the same shape.
        by: what is a group, as `Judged` has it.

    Returns:
        The mean, and the number of groups that it is over; without any, 0 and 0.

    Raises:
        As `Judged` and `Judged.outputs` do.

    Example:
        With the figures of `testKendall` in mt-metrics-eval's `stats_test.py`: two systems, three segments.

        >>> human, metric = [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]
        >>> [round(average_correlation(kendall_tau_b, human, metric, by).value, 3) for by in ("none", "system", "item")]
        [0.552, 0.575, 1.0]
    """
    judged = Judged(human, by)
    return average_over_groups(correlation, judged, judged.outputs(metric))


def average_over_groups(correlation: Correlation, judged: Judged, outputs: Sequence[float]) -> Average:
    """`average_correlation` of a metric's scores as `Judged.outputs` has them."""
    values = [correlation(scores, [outputs[position] for position in positions])
              for scores, positions in zip(judged.groups, judged.positions)]
    values = [value for value in values if not isnan(value)]
    return Average(fsum(values) / len(values) if values else 0.0, len(values))
