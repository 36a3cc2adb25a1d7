"""Soft pairwise accuracy: whether a metric is as sure as people are that one system is better than another."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import frexp, ldexp
from operator import add, le, sub

from ..engines.resampling.packed import selected_sums
from ..engines.resampling.streams import NumpyGenerator
from ..errors import OptionError, PurebleuError
from .judged import Judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, NamedTuple, Sequence, TypeVar

    from .judged import Scores

    Number = TypeVar("Number", int, float)

    class SoftAccuracy(NamedTuple):
        """Soft pairwise accuracy.

        Attributes:
            value: from 0 to 1, which is best.
            segments: the number of segments that all systems have human scores of; others take no part.
        """

        value: float
        segments: int
else:
    from collections import namedtuple

    SoftAccuracy = namedtuple("SoftAccuracy", "value segments")

#: The number of permutations and their seed in mt-metrics-eval, and so at WMT.
PERMUTATIONS = 1000
PERMUTATION_SEED = 4

#: Limit of the bits of a score, which leave out the last digits of a float; and of a sum of scores, two of which, with
#: a sign, have room in a field of eight bytes.
_SCORE_BITS = 36
_SUM_BITS = 61


def soft_pairwise_accuracy(human: Scores, metric: Scores, permutations: int = PERMUTATIONS,
                           seed: int = PERMUTATION_SEED) -> SoftAccuracy:
    """Soft pairwise accuracy (SPA; Thompson et al., 2024): 1 less the mean difference between p-values.

    For each pair of systems, p under human scores is held against p under the metric's. It is WMT's
    measure for systems since 2024. (mt-metrics-eval: `PairwiseConfidenceError` in `stats.py`, which is right only where
    a segment lacks the human scores of all systems or of none. Here, one that lacks any takes no part.)

    Args:
        human: a score of each system and segment, or `None`.
        metric: scores of the same shape.
        permutations: their number, for each p.
        seed: of the random stream, from 0 upwards.

    Raises:
        PurebleuError: there are fewer than two systems, or no segment that all of them have human scores of.
        OptionError: there are to be no permutations.
        And as `Judged` and `Judged.outputs` do.

    Example:
        With the figures of `testPairwiseConfidenceError` in mt-metrics-eval's `stats_test.py`:

        >>> round(soft_pairwise_accuracy([[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]).value, 3)
        0.872
    """
    judged = Judged(human, "system", complete=True)
    of_outputs = soft_accuracies(judged, permutations, seed)
    return SoftAccuracy(of_outputs(judged.outputs(metric)), len(judged.systems[0]))


def soft_accuracies(judged: Judged, permutations: int = PERMUTATIONS,
                    seed: int = PERMUTATION_SEED) -> Callable[[Sequence[float]], float]:
    """The function from a metric's scores, as `Judged.outputs` has them, to its soft pairwise accuracy.

    The human scores are those of complete segments, grouped by system.
    """
    of_people = _extreme_permutations(_checked_systems(judged), permutations, seed)
    segments = len(judged.systems[0])
    return lambda outputs: _accuracy(
        of_people, _extreme_permutations(_by_system(outputs, segments), permutations, seed), permutations)


def soft_differences(judged: Judged, ours: Sequence[float], theirs: Sequence[float], permutations: int = PERMUTATIONS,
                     seed: int = PERMUTATION_SEED) -> Callable[[Sequence[int]], float]:
    """The function from what is not swapped between two metrics to the difference of their soft pairwise accuracies.

    It takes 1 for each output whose scores are not swapped, and 0 for others. Sums are computed for one metric; the
    other one has what is left of the sums of both.
    """
    of_people = _extreme_permutations(_checked_systems(judged), permutations, seed)
    segments = len(judged.systems[0])
    swapped = _swapped_segments(segments, permutations, seed)
    of_ours, of_theirs = _whole_numbers([ours, theirs], segments)
    of_both = selected_sums(_by_system(list(map(add, of_ours, of_theirs)), segments), swapped)

    def difference(kept: Sequence[int]) -> float:
        mixed = [one if keep else other for keep, one, other in zip(kept, of_ours, of_theirs)]
        sums = selected_sums(_by_system(mixed, segments), swapped)
        left = [list(map(sub, totals, of_system)) for totals, of_system in zip(of_both, sums)]
        accuracy, of_other = [_accuracy(of_people, _count_extreme(side, segments), permutations)
                              for side in (sums, left)]
        return accuracy - of_other

    return difference


def _checked_systems(judged: Judged) -> Sequence[Sequence[float]]:
    """The human scores of each system. Raises `PurebleuError` where there are no pairs of systems or no segments."""
    if len(judged.systems) < 2:
        raise PurebleuError("soft pairwise accuracy is of pairs of systems, and there is but one")
    if not judged.systems[0]:
        raise PurebleuError("there is no segment with human scores of all systems")
    return judged.groups


def _by_system(numbers: Sequence[Number], segments: int) -> list[Sequence[Number]]:
    """Numbers of all outputs, as those of each system."""
    return [numbers[start:start + segments] for start in range(0, len(numbers), segments)]


def _accuracy(of_people: Sequence[int], of_metric: Sequence[int], permutations: int) -> float:
    """The accuracy from the number of extreme permutations for each pair of systems."""
    apart = sum([abs(ours - theirs) for ours, theirs in zip(of_people, of_metric)])
    return 1 - apart / (permutations * len(of_people))


def system_p_values(scores: Sequence[Sequence[float]], permutations: int = PERMUTATIONS,
                    seed: int = PERMUTATION_SEED) -> dict[tuple[int, int], float]:
    """For each pair of systems, p of the first one being better, from a paired permutation test.

    In a permutation, the scores of each segment are swapped with probability 1/2, for all pairs alike. p is the share
    of permutations whose difference is at least the observed one; ties count, and nothing is added, as in
    mt-metrics-eval (`compute_pairwise_p_values` in `pce.py`). The random bits are its, too; but it adds up float32s, so
    that permutations whose difference is the observed one within their rounding may count or not. Here such ties are
    exact, for scores of up to ten digits.

    Args:
        scores: by system and segment, none missing; a higher score is a better one.
        permutations: their number.
        seed: of the random stream (NumPy's), from 0 upwards.

    Returns:
        p-values by the indices of both systems, the lower one first.

    Raises:
        OptionError: there are to be no permutations.

    Example:
        A system is better by 1, 1 and 0 in three segments; neither of the first two is swapped in a quarter of
        permutations.

        >>> system_p_values([[2, 2, 1], [1, 1, 1]], permutations=100_000)
        {(0, 1): 0.25115}
    """
    counts = _extreme_permutations(scores, permutations, seed)
    return {pair: count / permutations for pair, count in zip(combinations(range(len(scores)), 2), counts)}


def _extreme_permutations(scores: Sequence[Sequence[float]], permutations: int, seed: int) -> list[int]:
    """For each pair of systems, the number of permutations with at least the observed difference."""
    if permutations < 1:
        raise OptionError(f"there are to be {permutations} permutations, but it takes one at least", "permutations")
    segments = len(scores[0])
    sums = selected_sums(_whole_numbers(scores, segments), _swapped_segments(segments, permutations, seed))
    return _count_extreme(sums, segments)


def _count_extreme(sums: Sequence[Sequence[int]], segments: int) -> list[int]:
    """`_extreme_permutations`, from the sums of each system over the segments that each permutation swaps."""
    # A permutation has at least the observed difference where the segments that it swaps have none, or a negative one.
    # Each of two scores is rounded by half a unit at most; as much again is for the last digits that they came with.
    margin = 2 * segments
    raised = [[total + margin for total in of_system] for of_system in sums]
    return [sum(map(le, sums[one], raised[other])) for one, other in combinations(range(len(sums)), 2)]


def _whole_numbers(scores: Sequence[Sequence[float]], segments: int) -> list[list[int]]:
    """Scores as integers, in a unit that is a power of two: a fixed share of the largest one, if sums have room."""
    largest = max([max(map(abs, numbers)) for numbers in scores])
    bits = min(_SCORE_BITS, _SUM_BITS - segments.bit_length()) - frexp(largest)[1]
    return [[round(ldexp(number, bits)) for number in numbers] for numbers in scores]


@lru_cache(maxsize=2)
def _swapped_segments(segments: int, permutations: int, seed: int) -> list[bytes]:
    """For each permutation, the segments whose scores are swapped, as bits (eight to a byte, the lowest first).

    Where a rounded float is 0, they are.
    """
    generator = NumpyGenerator(seed)
    ones = (1 << segments) - 1
    size = -(-segments // 8)
    return [(int.from_bytes(generator.rounded_floats(segments), "little") ^ ones).to_bytes(size, "little")
            for _ in range(permutations)]
