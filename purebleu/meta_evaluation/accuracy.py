"""Pairwise accuracy: the share of pairs of outputs that a metric orders as people do."""

from __future__ import annotations

from itertools import combinations
from math import inf

from ..engines.resampling.packed import common_multiple
from ..hints import Iterator, Sequence
from .judged import Judged, mean_over_groups


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

        >>> from purebleu.meta_evaluation import Judged
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

        >>> from purebleu.meta_evaluation import Judged
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


def _correct_pairs(human: Sequence[float], metric: Sequence[float], epsilon: float) -> list[bool]:
    """Return, for each pair of a group in the order of its outputs, whether metric and people agree."""
    return [abs(score - other_score) <= epsilon if one == other
            else abs(score - other_score) > epsilon and (score > other_score) == (one > other)
            for (one, score), (other, other_score) in combinations(zip(human, metric), 2)]


def correct_pairs(judged: Judged, outputs: Sequence[float], epsilon: float) -> list[list[bool]]:
    """Return, for each pair of each group, whether metric and people agree at this threshold."""
    return [_correct_pairs(*group, epsilon) for group in _groups(judged, outputs)]


def _groups(judged: Judged, outputs: Sequence[float]) -> Iterator[tuple[list[float], list[float]]]:
    """Yield the human scores and the metric's scores of each group."""
    for scores, positions in zip(judged.groups, judged.positions):
        yield scores, [outputs[position] for position in positions]
