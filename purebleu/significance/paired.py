"""Two paired tests of the difference between two systems: bootstrap resampling and approximate randomization."""

from __future__ import annotations

from itertools import repeat
from operator import gt, sub

from ..engines.resampling.intervals import add_intervals, bootstrap_scores, estimate_ci, pairwise_mean
from ..engines.resampling.packed import randomization_totals
from ..metrics.evaluation import sum_statistics
from ..metrics.score import ROUNDING
from .trials import TrialCounts, rounding_of, share_of_trials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping, Sequence, Tuple

    from ..engines.resampling.intervals import Mean, Values
    from ..engines.resampling.packed import Strata
    from ..engines.resampling.streams import RandomStream
    from ..metrics.evaluation import Row
    from .types import Metrics, SystemRows

    #: The indices of two systems, the lower one first.
    Pair = Tuple[int, int]

    #: Rows of other statistics than a metric's, each with a function that takes the column sums in several resamples
    #: and returns a value for each resample.
    Beside = Sequence[Tuple[Sequence[Row], Callable[[Any], Sequence[Any]]]]

    #: For each system, under each metric, its scores in bootstrap resamples.
    Resampled = Sequence[Sequence[Sequence[float]]]

#: A p-value is significant up to this level.
SIGNIFICANT = 0.05


def p_value(differences: Sequence[float], observed: float) -> float:
    """The probability of a difference larger than the observed one under the null hypothesis, from sampled differences.

    Args:
        differences: differences that were sampled under the null hypothesis.
        observed: the observed difference.

    Returns:
        A probability above 0, at most 1: see `share_of_trials`.

    Example:
        By hand: one of three differences exceeds 2, and p = (1 + 1) / (3 + 1).

        >>> p_value([1.0, 4.0, 2.0], 2.0)
        0.5
    """
    return share_of_trials(sum(map(gt, differences, repeat(observed))), len(differences))


#: The name that clients of sacreBLEU import.
_compute_p_value = p_value


def bootstrap_p_value(resampled: Sequence[float], baseline: Sequence[float], difference: float,
                      rounding: float = ROUNDING) -> float:
    """The p-value of a difference between a system and the baseline, by paired bootstrap resampling (Koehn, 2004).

    Under the null hypothesis, resampled differences would spread around zero as they now spread around their mean. So
    the count is of those that exceed their mean by more than the observed difference. (As in sacreBLEU, those that
    exceed it by exactly that much do not count.)

    Args:
        resampled: the scores of the system in bootstrap resamples.
        baseline: the scores of the baseline in the same resamples.
        difference: the absolute difference of the scores of all segments.
        rounding: differences that are equal up to this fraction of the scores count as the same: see `rounding_of`.

    Returns:
        A probability above 0, at most 1.

    Example:
        By hand: the differences are 1, 2, 2 and 7, and their mean is 3. They exceed it by -2, -1, -1 and 4. One of
        these is above 3, so p = (1 + 1) / (4 + 1).

        >>> bootstrap_p_value([11.0, 12.0, 8.0, 17.0], [10.0, 10.0, 10.0, 10.0], 3.0)
        0.4
    """
    differences = list(map(abs, map(sub, resampled, baseline)))
    expected = pairwise_mean(differences)
    margin = rounding * max(max(map(abs, resampled)), max(map(abs, baseline))) if rounding else 0.0
    return p_value(list(map(sub, differences, repeat(expected))), difference + margin)


class Result:
    """The result of a system under a metric. Results with the same attributes compare equal.

    Attributes:
        score: the score on all segments.
        p_value: p of the difference to the baseline; `None` for the baseline, and without a test.
        mean: the mean of the scores of bootstrap resamples; `None` where there were none.
        ci: half the width of the 95 % confidence interval of these scores; `None` where there were none.
    """

    def __init__(self, score: float, p_value: float | None = None, mean: float | None = None,
                 ci: float | None = None) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(self.score)

    def __repr__(self) -> str:
        return ",".join([f"{name}={value}" for name, value in vars(self).items()])


def bare_results(systems: Sequence[SystemRows], metrics: Metrics) -> list[list[Result]]:
    """The scores of each system under each metric, as results without intervals and p-values."""
    return [[Result(metric.value(sum_statistics(rows))) for metric, rows in zip(metrics, system)] for system in systems]


def add_bootstrap_tests(results: Sequence[Sequence[Result]], resampled: Resampled, roundings: Sequence[float]) -> None:
    """Test each system against the first one by paired bootstrap resampling (Koehn, 2004); set intervals and p-values.

    Args:
        results: the result of each system under each metric; the first system is the baseline.
        resampled: the scores of the systems in the same bootstrap resamples.
        roundings: the result of `rounding_of` for each metric.
    """
    for index, (system, scores_of_system) in enumerate(zip(results, resampled)):
        for result, baseline, scores, baseline_scores, rounding in zip(system, results[0], scores_of_system,
                                                                       resampled[0], roundings):
            result.mean, result.ci = estimate_ci(scores)
            if index > 0:
                difference = abs(baseline.score - result.score)
                result.p_value = bootstrap_p_value(scores, baseline_scores, difference, rounding)


def add_p_values(results: Sequence[Sequence[Result]], p_values: Sequence[Mapping[Pair, float]]) -> None:
    """Set the p-values of results under each metric, from the p-values of pairs with the first system."""
    for index, system in enumerate(results[1:], 1):
        for result, by_pair in zip(system, p_values):
            result.p_value = by_pair[0, index]


def randomization_p_values(systems: Sequence[SystemRows], metrics: Metrics, pairs: Sequence[Pair],
                           stream: RandomStream | None, count: int) -> list[dict[Pair, float]]:
    """The p-values of differences between systems, by approximate randomization (Riezler and Maxwell, 2005).

    Under the null hypothesis, the two outputs of a unit are exchangeable. So the count is of trials with a larger
    difference than the observed one, and p is (count + 1) / (trials + 1). (As in sacreBLEU and multeval, trials with
    the same difference do not count.)

    Without a stream, all possible trials are made, one of which swaps nothing. Then p is the share of trials whose
    difference is at least the observed one: the p-value of the exact test, which is never 0.

    Args:
        systems: the rows of each system under each metric.
        metrics: the metrics of the rows.
        pairs: the indices of the systems to compare.
        stream: the random stream, or `None`.
        count: the number of trials.

    Returns:
        Under each metric, a probability above 0, at most 1, for each pair.
    """
    counts = [{pair: TrialCounts(metric, group, ROUNDING if stream is None else rounding_of(metric, stream))
               for pair in pairs} for group, metric in enumerate(metrics)]
    if pairs:
        for pair, one, other in randomization_totals(systems, pairs, stream, count):
            for by_pair in counts:
                by_pair[pair].add(one, other)
    if stream is None:
        return [{pair: (counted.larger + counted.equal) / count for pair, counted in by_pair.items()}
                for by_pair in counts]
    return [{pair: share_of_trials(counted.larger, count) for pair, counted in by_pair.items()}
            for by_pair in counts]


def estimate_intervals(results: Sequence[Sequence[Result]], systems: Sequence[SystemRows], metrics: Metrics,
                       stream: RandomStream, count: int, mean: Mean = pairwise_mean, strata: Strata = None) -> None:
    """Set the mean and the interval of each system's result under each metric, from `count` bootstrap resamples."""
    add_intervals([result for system in results for result in system], *_groups(systems, metrics), stream, count, mean,
                  strata)


def intervals_beside_randomization(results: Sequence[Sequence[Result]], systems: Sequence[SystemRows],
                                   metrics: Metrics, stream: RandomStream, new_stream: Callable[[], RandomStream],
                                   count: int, strata: Strata = None) -> None:
    """`estimate_intervals` after a randomization test, whose trials have been sampled from `stream`."""
    # The number of systems, from the baseline on, whose resamples are sampled from the beginning of the stream.
    afresh = 1 if stream.CONTINUES_AFTER_TRIALS else len(systems)
    estimate_intervals(results[:afresh], systems[:afresh], metrics, new_stream(), count, strata=strata)
    if systems[afresh:]:
        estimate_intervals(results[afresh:], systems[afresh:], metrics, stream, count, strata=strata)


def _groups(systems: Sequence[SystemRows], metrics: Metrics) -> tuple[list[Sequence[Row]], Sequence[Values]]:
    """The rows of each system under each metric, as one list; and for each of them, the function from sums to scores.
    """
    values = [metric.values for metric in metrics] * len(systems)
    return [rows for system in systems for rows in system], values


def resampled_scores(systems: Sequence[SystemRows], metrics: Metrics, stream: RandomStream, count: int,
                     strata: Strata = None, beside: Beside = ()) -> tuple[Resampled, list[list[Any]]]:
    """The scores of each system under each metric in the same bootstrap resamples.

    Args:
        systems: the rows of each system under each metric.
        metrics: the metrics of the rows.
        stream: the random stream.
        count: the number of resamples.
        strata: the units of each stratum; each resample has as many units of a stratum as the corpus.
        beside: other rows of the same units.

    Returns:
        The scores; and the value of each of the rows `beside` in each resample.
    """
    groups, values = _groups(systems, metrics)
    scores = iter(bootstrap_scores([*groups, *[rows for rows, _ in beside]], [*values, *[value for _, value in beside]],
                                   stream, count, strata))
    return [[next(scores) for _ in metrics] for _ in systems], list(scores)
