"""Correlations of two lists of scores: Pearson's r, Kendall's tau-b and tau-c; and their averages over groups."""

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

    #: The correlation of two lists of the same length, human scores first; NaN where it is undefined.
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
    squares = [fsum([deviation * deviation for deviation in list_deviations]) for list_deviations in deviations]
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
    """Kendall's tau-b, from -1 to 1: concordant minus discordant pairs, corrected for ties.

    Args:
        human, metric: scores of the same outputs, in the same order.

    Returns:
        The coefficient; NaN where all pairs are tied in either list, or there are no pairs.

    Raises:
        LengthError: the lists differ in length.

    Example:
        With the figures of `testKendallVariants` in mt-metrics-eval's `stats_test.py`. By hand: of ten pairs, six are
        concordant and three discordant; one is tied for people, none for the metric: 3 / sqrt(9 * 10).

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
        The coefficient; NaN where all pairs are tied in either list, or there are no pairs.

    Raises:
        LengthError: the lists differ in length.

    Example:
        With the figures of `testKendallVariants` in mt-metrics-eval's `stats_test.py`. By hand: six concordant minus
        three discordant pairs, and four different human scores: 2 * 3 / (25 * 3 / 4).

        >>> kendall_tau_c([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3])
        0.32
    """
    pairs, excess, tied_human, tied_metric = _ordered_pairs(human, metric)
    if pairs in (tied_human, tied_metric):
        return nan
    different = min(len(set(human)), len(set(metric)))
    return max(-1.0, min(1.0, 2 * excess / (len(human) ** 2 * (different - 1) / different)))


def _ordered_pairs(human: Sequence[float], metric: Sequence[float]) -> tuple[int, int, int, int]:
    """The numbers of pairs, of concordant minus discordant ones, and of pairs tied for people and for the metric."""
    _check_lengths(human, metric)
    pairs = len(human) * (len(human) - 1) // 2
    tied_human, tied_metric, tied_both = map(_tied_pairs, (human, metric, zip(human, metric)))
    # In pairs that are tied for people, the metric's scores descend, so that only concordant pairs ascend.
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
    """The correlation of a metric's scores with human scores, averaged over groups of outputs.

    All groups have the same weight. As in mt-metrics-eval (`AverageCorrelation` in `stats.py`), groups do not count
    where either side has no variance, or fewer than two outputs have a human score.

    Args:
        correlation: a function of two lists, such as `kendall_tau_b`.
        human: the score of each system and segment, or `None`.
        metric: scores of the same shape.
        by: the groups, as for `Judged`.

    Returns:
        The mean, and the number of groups that count; 0 and 0 without any.

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
    """`average_correlation` for scores of a metric that `Judged.outputs` returned."""
    values = [correlation(scores, [outputs[position] for position in positions])
              for scores, positions in zip(judged.groups, judged.positions)]
    values = [value for value in values if not isnan(value)]
    return Average(fsum(values) / len(values) if values else 0.0, len(values))
