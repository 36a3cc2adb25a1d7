"""The order of systems by their scores, and which of them can be told apart."""

from __future__ import annotations

import math
from itertools import combinations, product

from ..errors import warn
from ..metrics.score import ROUNDING
from .paired import SIGNIFICANT, bootstrap_p_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from .paired import Metrics, Pair, Resampled, Result

    #: Systems by their indices, the best first; those of a group can't be told apart.
    Groups = Sequence[Sequence[int]]

def rank_systems(results: Sequence[Sequence[Result]], metrics: Metrics, p_values: Sequence[Mapping[Pair, float]],
                 samples: int) -> list[Groups]:
    """The ranking of the systems under each metric, by the paired test between any two of them.

    Args:
        results: of each system.
        metrics: what they are scored under.
        p_values: under each metric, that of each pair of systems.
        samples: the number of resamples or trials that these come from.
    """
    pairs = len(p_values[0])
    if pairs / (samples + 1) > SIGNIFICANT:
        warn(f"with {samples} samples, no p-value can be low enough for {pairs} tests: at least "
             f"{math.ceil(pairs / SIGNIFICANT) - 1} are needed")
    ranked: list[Groups] = []
    for index, (metric, of_pairs) in enumerate(zip(metrics, p_values)):
        adjusted = dict(zip(of_pairs, holm(list(of_pairs.values()))))
        scores = [system[index].score for system in results]
        order = sorted(range(len(scores)), key=scores.__getitem__, reverse=not metric.LOWER_IS_BETTER)
        ranked.append(groups(order, {pair: p_value <= SIGNIFICANT and not is_same_score(*map(scores.__getitem__, pair))
                                     for pair, p_value in adjusted.items()}))
    return ranked


def is_same_score(one: float, other: float) -> bool:
    """Whether two scores are the same but for rounding.

    Then nothing tells systems apart, however small p is: the tests ask for larger differences than the observed one,
    and of systems with the same outputs, there are none.
    """
    return abs(one - other) <= ROUNDING * max(abs(one), abs(other))


def bootstrap_p_values(results: Sequence[Sequence[Result]], resampled: Resampled,
                       roundings: Sequence[float]) -> list[dict[Pair, float]]:
    """Under each metric, the p-value of each pair of systems, from their scores in the same bootstrap resamples.

    `roundings` are those of `bootstrap_results`.

    (A test of its own of each pair would draw the very same resamples.)
    """
    return [{(one, two): bootstrap_p_value(resampled[two][metric], resampled[one][metric],
                                           abs(results[one][metric].score - results[two][metric].score), rounding)
             for one, two in combinations(range(len(results)), 2)}
            for metric, rounding in enumerate(roundings)]


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, adjusted for their number (Holm, 1979).

    The smallest of n is multiplied with n, the next one with n - 1, and so on; none becomes smaller than the one
    before, or larger than 1. By hand: 0.01 * 3 = 0.03; 0.02 * 2 = 0.04; 0.5 * 1 = 0.5.

    >>> holm([0.02, 0.5, 0.01])
    [0.04, 0.5, 0.03]
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for smaller, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - smaller) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def groups(order: Sequence[int], differ: Mapping[Pair, bool]) -> Groups:
    """Systems in this order, split where each one before differs from each one after.

    By hand: systems 0 and 1 both differ from 2, but not from each other:

    >>> groups([2, 0, 1], {(0, 1): False, (0, 2): True, (1, 2): True})
    [[2], [0, 1]]
    """
    grouped: list[list[int]] = [[]]
    for index, system in enumerate(order):
        if index and all(differ[min(pair), max(pair)] for pair in product(order[:index], order[index:])):
            grouped.append([])
        grouped[-1].append(system)
    return grouped
