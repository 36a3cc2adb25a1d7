"""Rankings of systems: their order by score, their possible ranks by tests, and corrected p-values."""

from __future__ import annotations

import math
from itertools import chain, islice, product

from ..errors import counted, warn
from ..metrics.score import ROUNDING
from .paired import SIGNIFICANT, bootstrap_p_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from .paired import Pair, Resampled, Result
    from .sampling import Metrics

    #: The p-values of pairs of systems, under each metric.
    PValues = Sequence[Mapping[Pair, float]]

#: The default number of samples of tests for ranks is at least this number times `samples_needed`.
_TIMES_NEEDED = 10


class Ranking:
    """The order of systems under a metric, and the possible ranks of each system, from tests of all pairs.

    Args:
        scores: the scores of the systems.
        lower_is_better: whether lower scores are better.
        p_values: the p-value of each pair of systems, corrected for the number of tests.

    Attributes:
        order: the indices of the systems, the best score first.
        ranges: the first and the last possible rank of each system. The first rank is 1 plus the number of systems that
            are significantly better. The last rank is the number of all systems minus the number of systems that are
            significantly worse.
        clusters: `order`, divided into groups. A group ends if all systems up to its end differ significantly from all
            later systems, as in the findings of WMT.
        p_values: the argument `p_values`.

    Example:
        Systems 0 and 1 differ significantly from system 2, but not from each other:

        >>> ranking = Ranking([20.0, 19.0, 30.0], False, {(0, 1): 0.4, (0, 2): 0.01, (1, 2): 0.02})
        >>> ranking.order, ranking.ranges, ranking.clusters
        ([2, 0, 1], [(2, 3), (2, 3), (1, 1)], [[2], [0, 1]])
        >>> ranking.rank(0), ranking.rank(2), ranking.cluster(0)
        ('2-3', '1', 2)
    """

    def __init__(self, scores: Sequence[float], lower_is_better: bool, p_values: Mapping[Pair, float]) -> None:
        self.order = sorted(range(len(scores)), key=scores.__getitem__, reverse=not lower_is_better)
        self.p_values = dict(p_values)
        self._different: set[Pair] = set()
        for (one, two), p_value in p_values.items():
            if p_value <= SIGNIFICANT and not is_same_score(scores[one], scores[two]):
                self._different.add((one, two))
        positions = {system: index for index, system in enumerate(self.order)}
        self.ranges: list[tuple[int, int]] = []
        for system in range(len(scores)):
            differing = [other for other in positions if other != system and self.differ(system, other)]
            better = sum([positions[other] < positions[system] for other in differing])
            self.ranges.append((1 + better, len(scores) - len(differing) + better))
        self.clusters: list[list[int]] = [[]]
        for index, system in enumerate(self.order):
            if index and all(self.differ(*pair) for pair in product(self.order[:index], self.order[index:])):
                self.clusters.append([])
            self.clusters[-1].append(system)

    def differ(self, one: int, other: int) -> bool:
        """Return whether two systems differ significantly, by the corrected p-value."""
        return (min(one, other), max(one, other)) in self._different

    def rank(self, system: int) -> str:
        """Return the possible ranks of a system, such as `2` or `1-3`."""
        first, last = self.ranges[system]
        return f"{first}" if first == last else f"{first}-{last}"

    def cluster(self, system: int) -> int:
        """Return the number of a system's cluster; clusters are numbered from 1."""
        return next(number for number, cluster in enumerate(self.clusters, 1) if system in cluster)

    def __repr__(self) -> str:
        return f"Ranking({[(system, self.rank(system)) for system in self.order]!r})"


def rank_systems(results: Sequence[Sequence[Result]], metrics: Metrics, corrected: PValues) -> list[Ranking]:
    """Return the ranking of the systems under each metric.

    Args:
        results: the results of each system.
        metrics: the metrics of the results.
        corrected: under each metric, the p-value of each pair of systems, corrected for the number of tests.
    """
    rankings: list[Ranking] = []
    for index, (metric, p_values) in enumerate(zip(metrics, corrected)):
        scores = [system[index].score for system in results]
        rankings.append(Ranking(scores, metric.LOWER_IS_BETTER, p_values))
    return rankings


def is_same_score(one: float, other: float) -> bool:
    """Return whether two scores are the same up to rounding errors.

    Systems with the same score do not differ significantly, even if p is small. (With sacreBLEU's random stream, p is
    very low if all outputs are the same, because tests count only differences that are larger than the observed
    difference.)
    """
    return abs(one - other) <= ROUNDING * max(abs(one), abs(other))


def bootstrap_p_values(results: Sequence[Sequence[Result]], resampled: Resampled, roundings: Sequence[float],
                       pairs: Sequence[Pair]) -> list[dict[Pair, float]]:
    """Return the p-value of each pair of systems under each metric, from scores in the same bootstrap resamples.

    `roundings` has the result of `rounding_of` for each metric. (Separate tests of each pair would have the same
    p-values, because each test would start at the beginning of the random stream.)
    """
    p_values: list[dict[Pair, float]] = []
    for metric, rounding in enumerate(roundings):
        by_pair: dict[Pair, float] = {}
        for one, two in pairs:
            difference = abs(results[one][metric].score - results[two][metric].score)
            by_pair[one, two] = bootstrap_p_value(resampled[two][metric], resampled[one][metric], difference, rounding)
        p_values.append(by_pair)
    return p_values


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of several tests, adjusted for the number of tests (Holm, 1979).

    The smallest of n p-values is multiplied by n, the second smallest by n - 1, and so on. If a product is smaller than
    the previous product, it becomes equal to the previous product. A product above 1 becomes 1. By hand: 0.01 * 3 =
    0.03; 0.02 * 2 = 0.04; 0.5 * 1 = 0.5.

    >>> holm([0.02, 0.5, 0.01])
    [0.04, 0.5, 0.03]
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for smaller, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - smaller) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def p_values_to_correct(p_values: PValues, results: Sequence[Sequence[Result]]) -> list[dict[Pair, float]]:
    """Return p-values of pairs, but 1 for each pair of systems that have the same score (see `is_same_score`)."""
    to_correct: list[dict[Pair, float]] = []
    for metric, by_pair in enumerate(p_values):
        to_correct.append(dict(by_pair))
        for one, two in by_pair:
            if is_same_score(results[one][metric].score, results[two][metric].score):
                to_correct[-1][one, two] = 1.0
    return to_correct


def corrected_by_metric(p_values: PValues) -> list[dict[Pair, float]]:
    """Return the p-values under each metric, corrected for the number of tests under this metric (Holm)."""
    return [dict(zip(by_pair, holm(list(by_pair.values())))) for by_pair in p_values]


def corrected_together(p_values: PValues) -> list[dict[Pair, float]]:
    """Return the p-values, corrected for the number of all tests under all metrics (Holm).

    >>> corrected_together([{(0, 1): 0.02}, {(0, 1): 0.5}])
    [{(0, 1): 0.04}, {(0, 1): 0.5}]
    """
    adjusted = iter(holm(list(chain.from_iterable([by_pair.values() for by_pair in p_values]))))
    return [dict(zip(by_pair, islice(adjusted, len(by_pair)))) for by_pair in p_values]


def samples_needed(tests: int) -> int:
    """Return the lowest number of samples with which p can be significant after the correction for `tests` tests.

    The lowest p-value from n samples is 1 / (n + 1). By hand: with 55 tests and 1099 samples, the lowest corrected p is
    55 / (1099 + 1) = 0.05.

    >>> samples_needed(55)
    1099
    """
    return math.ceil(tests / SIGNIFICANT) - 1


def samples_for_ranks(usual: int, tests: int) -> int:
    """Return the default number of samples for ranks; `usual` is the test's default without ranks."""
    return max(usual, _TIMES_NEEDED * samples_needed(tests))


def warn_of_few_samples(samples: int, tests: int, as_extreme: int = 0) -> None:
    """Warn with the result of `doubt_of_few_samples`, unless this result is empty."""
    doubt = doubt_of_few_samples(samples, tests, as_extreme)
    if doubt:
        warn(doubt)


def doubt_of_few_samples(samples: int, tests: int, as_extreme: int = 0) -> str:
    """Return a doubt that any p-value can be significant after the correction; an empty string if there is no doubt.

    Args:
        samples: the number of trials or resamples.
        tests: the number of tests.
        as_extreme: for an exact test, the number of trials that always have the observed difference. The number is 2
            (the trial that swaps nothing, and the trial that swaps everything), or 1 if systems have different numbers
            of runs. 0: the test is not exact.
    """
    family = counted(tests, "test")
    if as_extreme and as_extreme * tests > samples * SIGNIFICANT:
        return f"no p-value of all {samples} possible trials can be significant after the correction for {family}"
    if not as_extreme and samples < samples_needed(tests):
        return (f"with {counted(samples, 'sample')}, no p-value can be significant after the correction for {family}: "
                f"at least {samples_needed(tests)} samples are needed")
    return ""
