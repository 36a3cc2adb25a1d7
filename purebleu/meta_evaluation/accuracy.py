"""Pairwise accuracy: the share of pairs of outputs that a metric orders as people do; and soft accuracy, of systems."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import frexp, inf, ldexp
from operator import add, le, sub

from ..engines.resampling.numpy_stream import NumpyGenerator
from ..engines.resampling.packed import common_multiple, selected_sums
from ..errors import OptionError, PurebleuError
from ..hints import Callable, Iterator, Sequence
from .judged import Judged, mean_over_groups

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Number = TypeVar("Number", int, float)


def pairwise_accuracy(judged: Judged, outputs: Sequence[float]) -> float:
    """Return the share of pairs that a metric orders as people do (Kocmi et al., 2021).

    A tie is correct if people and the metric both have it, and wrong if only one of them has it. The pairs of several
    test sets count together, as in mt-metrics-eval (`CompareMetricsWithGlobalAccuracy` in `data.py`). For groups by
    item or by system, the mean over groups is returned, as under all other measures: groups with a pair have the same
    weight.

    Args:
        judged: the human scores.
        outputs: the metric's scores, as `Judged.outputs` returns them.

    Example:
        By hand: the metric swaps the last two of three systems.

        >>> from purebleu.meta_evaluation.judged import Judged
        >>> round(pairwise_accuracy(Judged([[3], [2], [1]]), [0.9, 0.5, 0.7]), 3)
        0.667
    """
    correct = correct_pairs(judged, outputs, 0.0)
    if judged.pools_pairs:
        pairs = sum(map(len, correct))
        return sum(map(sum, correct)) / pairs if pairs else 0.0
    return accuracy_over_groups(correct)


def accuracy_over_groups(correct: Sequence[Sequence[bool]]) -> float:
    """Return the mean share of correct pairs over groups. Groups without a pair do not count."""
    return mean_over_groups([sum(group) / len(group) for group in correct if group])


def calibrate(judged: Judged, outputs: Sequence[float], rounding: float = 0.0) -> tuple[float, float]:
    """Return the best pairwise accuracy of a metric over all thresholds for ties, and that threshold.

    This is pairwise accuracy with tie calibration (Deutsch et al., 2023). WMT has used it for segments since 2023,
    averaged by item. Two outputs are tied if their scores differ by no more than the threshold. The candidates for the
    threshold are 0 and all differences between scores that are compared; the smallest of the best ones is taken.
    (mt-metrics-eval: `KendallWithTiesOpt`, variant `acc23`, `sample_rate=1.0`. It adds up floats, so rounding may
    decide between thresholds that are equally good.) Time and memory grow with the number of pairs.

    Args:
        judged: the human scores.
        outputs: the metric's scores, as `Judged.outputs` returns them.
        rounding: two neighbouring differences count as the same threshold if they are no further apart than this.

    Example:
        With the figures of `testKendallWithTiesOpt` in mt-metrics-eval's `stats_test.py`:

        >>> from purebleu.meta_evaluation.judged import Judged
        >>> calibrate(Judged([[1, 2, 2, 3, 4]]), [2, 1, 1.5, 5, 3])
        (0.7, 0.5)
    """
    groups = [(scores, metric_scores) for scores, metric_scores in _groups(judged, outputs) if len(scores) > 1]
    if not groups:
        return 0.0, 0.0
    # All sums are of integers: each correct pair has an integer weight, which is larger in groups with fewer pairs.
    sizes = {len(scores) * (len(scores) - 1) // 2 for scores, _ in groups}
    whole = common_multiple(sizes)
    total = 0
    changes: dict[float, int] = {}
    for scores, metric_scores in groups:
        worth = whole // (len(scores) * (len(scores) - 1) // 2)
        correct, gained, lost = _changes_with_ties(scores, metric_scores)
        total += worth * correct
        for differences, change in ((gained, worth), (lost, -worth)):
            for difference in differences:
                changes[difference] = changes.get(difference, 0) + change
    best, epsilon = total, 0.0
    thresholds = sorted(changes)
    for difference, following in zip(thresholds, [*thresholds[1:], inf]):
        total += changes[difference]
        if total > best and following - difference > rounding:
            best, epsilon = total, difference
    return best / (whole * len(groups)), epsilon


def _changes_with_ties(human: Sequence[float], metric: Sequence[float]) -> tuple[int, list[float], list[float]]:
    """Return how the number of correct pairs in a group changes while the threshold rises.

    Returns:
        The number of pairs that are correct at 0; the thresholds at which a pair becomes correct, because people tie
        it; and the thresholds at which a pair becomes wrong, because people do not.
    """
    correct = 0
    gained: list[float] = []
    lost: list[float] = []
    for (one, score), (other, other_score) in combinations(zip(human, metric), 2):
        if one == other:
            if score == other_score:
                correct += 1
            else:
                gained.append(abs(score - other_score))
        elif score > other_score if one > other else score < other_score:
            lost.append(abs(score - other_score))
    return correct + len(lost), gained, lost


def correct_pairs(judged: Judged, outputs: Sequence[float], epsilon: float) -> list[list[bool]]:
    """Return, for each pair of each group in the order of its outputs, whether metric and people agree.

    `epsilon` is the threshold for ties.
    """
    correct: list[list[bool]] = []
    for human, metric in _groups(judged, outputs):
        correct.append([abs(score - other_score) <= epsilon if one == other
                        else abs(score - other_score) > epsilon and (score > other_score) == (one > other)
                        for (one, score), (other, other_score) in combinations(zip(human, metric), 2)])
    return correct


def _groups(judged: Judged, outputs: Sequence[float]) -> Iterator[tuple[list[float], list[float]]]:
    """Yield the human scores and the metric's scores of each group."""
    for scores, positions in zip(judged.groups, judged.positions):
        yield scores, [outputs[position] for position in positions]


#: The number of permutations and their seed in mt-metrics-eval, and so in WMT's results.
PERMUTATIONS = 1000
PERMUTATION_SEED = 4

#: The largest number of bits of a score, and of a sum of scores. (A float has more bits: the last ones are cut off. A
#: field of eight bytes has room for the difference of two such sums.)
_SCORE_BITS = 36
_SUM_BITS = 61


def soft_accuracies(judged: Judged) -> Callable[[Sequence[float]], float]:
    """Return a function from a metric's scores to soft pairwise accuracy (SPA; Thompson et al., 2024).

    Each pair of systems has a p-value under human scores, and one under the metric's scores. The accuracy is 1 minus
    the mean difference between the two. It is WMT's measure for systems since 2024. (mt-metrics-eval:
    `PairwiseConfidenceError` in `stats.py`, which is right only if each segment has the human scores of all systems or
    of none. Here, a segment takes no part if a score is missing.)

    Args:
        judged: complete segments, grouped by system.

    Raises:
        PurebleuError: there are fewer than two systems, or there is no segment with human scores of all systems.

    Example:
        With the figures of `testPairwiseConfidenceError` in mt-metrics-eval's `stats_test.py`:

        >>> from purebleu.meta_evaluation.judged import Judged
        >>> judged = Judged([[1, 2, 3], [2, 3, 4]], "system", complete=True)
        >>> round(soft_accuracies(judged)(judged.outputs([[2, 2, 4], [1, 3, 5]])), 3)
        0.872
    """
    human_counts = _extreme_permutations(_checked_systems(judged))
    segments = len(judged.systems[0])
    return lambda outputs: _accuracy(human_counts, _extreme_permutations(_by_system(outputs, segments)))


def soft_differences(judged: Judged, ours: Sequence[float],
                     theirs: Sequence[float]) -> Callable[[Sequence[int]], float]:
    """Return a function from a trial to the difference between the soft pairwise accuracies of two metrics in it.

    The function takes a number for each output: 0 if the metrics' scores of the output are swapped, else 1. Sums of
    scores are computed for one metric only: those of the other metric are the sums of both, minus these.
    """
    human_counts = _extreme_permutations(_checked_systems(judged))
    segments = len(judged.systems[0])
    swapped = _swapped_segments(segments, PERMUTATIONS, PERMUTATION_SEED)
    our_numbers, their_numbers = _whole_numbers([ours, theirs], segments)
    both_sums = selected_sums(_by_system(list(map(add, our_numbers, their_numbers)), segments), swapped)

    def difference(kept: Sequence[int]) -> float:
        mixed = [one if keep else other for keep, one, other in zip(kept, our_numbers, their_numbers)]
        sums = selected_sums(_by_system(mixed, segments), swapped)
        left = [list(map(sub, totals, system_sums)) for totals, system_sums in zip(both_sums, sums)]
        return (_accuracy(human_counts, _count_extreme(sums, segments))
                - _accuracy(human_counts, _count_extreme(left, segments)))

    return difference


def _checked_systems(judged: Judged) -> Sequence[Sequence[float]]:
    """Return the human scores of each system; raises an error if there are no pairs of systems, or no segments."""
    if len(judged.systems) < 2:
        raise PurebleuError("soft pairwise accuracy compares systems, and there is only one")
    if not judged.systems[0]:
        raise PurebleuError("there is no segment with human scores of all systems")
    return judged.groups


def _by_system(numbers: Sequence[Number], segments: int) -> list[Sequence[Number]]:
    """Return a list of numbers for each system, from the numbers of all outputs."""
    return [numbers[start:start + segments] for start in range(0, len(numbers), segments)]


def _accuracy(human_counts: Sequence[int], metric_counts: Sequence[int]) -> float:
    """Return the accuracy, from the number of extreme permutations of each pair of systems."""
    apart = sum([abs(ours - theirs) for ours, theirs in zip(human_counts, metric_counts)])
    return 1 - apart / (PERMUTATIONS * len(human_counts))


def system_p_values(scores: Sequence[Sequence[float]], permutations: int = PERMUTATIONS,
                    seed: int = PERMUTATION_SEED) -> dict[tuple[int, int], float]:
    """Return, for each pair of systems, the p-value of a paired permutation test that the first one is better.

    A permutation swaps the scores of each segment with probability 1/2, in the same segments for all pairs. p is the
    share of permutations whose difference is at least the observed one. Ties count, and 1 is not added, as in
    mt-metrics-eval (`compute_pairwise_p_values` in `pce.py`). The random bits are the same, too. But mt-metrics-eval
    adds up float32 numbers, so rounding decides whether a tie counts. Here, ties are exact for scores of up to ten
    digits.

    Args:
        scores: the scores by system and segment, without missing ones; a higher score is a better one.
        permutations: the number of permutations.
        seed: the seed of the random stream (NumPy's), from 0 upwards.

    Returns:
        The p-values by the indices of two systems, the lower one first.

    Raises:
        OptionError: the number of permutations is below 1.

    Example:
        One system is better by 1, 1 and 0 in three segments. A permutation has at least this difference if it swaps
        neither of the first two segments: a quarter of permutations.

        >>> system_p_values([[2, 2, 1], [1, 1, 1]], permutations=100_000)
        {(0, 1): 0.25115}
    """
    counts = _extreme_permutations(scores, permutations, seed)
    return {pair: count / permutations for pair, count in zip(combinations(range(len(scores)), 2), counts)}


def _extreme_permutations(scores: Sequence[Sequence[float]], permutations: int = PERMUTATIONS,
                          seed: int = PERMUTATION_SEED) -> list[int]:
    """Return, for each pair of systems, the number of permutations with at least the observed difference."""
    if permutations < 1:
        raise OptionError(f"permutations must be at least 1, not {permutations}", "permutations")
    segments = len(scores[0])
    sums = selected_sums(_whole_numbers(scores, segments), _swapped_segments(segments, permutations, seed))
    return _count_extreme(sums, segments)


def _count_extreme(sums: Sequence[Sequence[int]], segments: int) -> list[int]:
    """Return `_extreme_permutations`, from the sums of each system over the segments that each permutation swaps."""
    # A permutation has at least the observed difference if the difference over its swapped segments is not positive.
    # The margin allows for rounding errors: half a unit for each of two scores, and as much again for the digits that
    # were cut off.
    margin = 2 * segments
    raised: list[list[int]] = []
    for system_sums in sums:
        raised.append([total + margin for total in system_sums])
    return [sum(map(le, sums[one], raised[other])) for one, other in combinations(range(len(sums)), 2)]


def _whole_numbers(scores: Sequence[Sequence[float]], segments: int) -> list[list[int]]:
    """Return scores as integers, in units of a power of two: as small as the bits of scores and of sums allow."""
    largest = max([max(map(abs, numbers)) for numbers in scores])
    bits = min(_SCORE_BITS, _SUM_BITS - segments.bit_length()) - frexp(largest)[1]
    integers: list[list[int]] = []
    for numbers in scores:
        integers.append([round(ldexp(number, bits)) for number in numbers])
    return integers


@lru_cache(maxsize=2)
def _swapped_segments(segments: int, permutations: int, seed: int) -> list[bytes]:
    """Return, for each permutation, the segments to swap, as bits (eight in a byte, the lowest first).

    A segment is swapped if its random float is rounded to 0.
    """
    generator = NumpyGenerator(seed)
    ones = (1 << segments) - 1
    size = -(-segments // 8)
    return [(int.from_bytes(generator.rounded_floats(segments), "little") ^ ones).to_bytes(size, "little")
            for _ in range(permutations)]
