"""Pairwise accuracy: the share of pairs of outputs that a metric puts into the same order as people."""

from __future__ import annotations

from itertools import combinations
from math import fsum, inf

from ..engines.resampling.packed import common_multiple
from ..errors import OptionError
from .correlations import Average
from .judged import Judged, checked_shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, NamedTuple, Sequence

    from .judged import Grouping, Scores

    class PairCounts(NamedTuple):
        """Counts of pairs of outputs.

        Attributes:
            agreeing: the number of pairs on whose order, or tie, a metric agrees with people.
            pairs: the number of all pairs.
            accuracy: their quotient, which is averaged over groups by item or by system; 0 without any pair.
        """

        agreeing: int
        pairs: int
        accuracy: float

    class Calibration(NamedTuple):
        """The best pairwise accuracy of a metric over all thresholds for ties.

        Attributes:
            accuracy: the mean over groups; 0 where no group has two outputs.
            epsilon: the smallest threshold with this accuracy; outputs whose scores differ by no more are tied.
            groups: the number of groups with two outputs or more.
        """

        accuracy: float
        epsilon: float
        groups: int
else:
    from collections import namedtuple

    PairCounts = namedtuple("PairCounts", "agreeing pairs accuracy")
    Calibration = namedtuple("Calibration", "accuracy epsilon groups")


def pairwise_accuracy(human: Scores, metric: Scores, by: Grouping = "none") -> PairCounts:
    """The number of pairs of systems that a metric puts into the same order as people (Kocmi et al., 2021).

    A pair that is tied for both agrees; a pair that is tied for only one of them does not. The pairs of several test
    sets are pooled, as in mt-metrics-eval (`CompareMetricsWithGlobalAccuracy` in `data.py`). Groups by item or by
    system are averaged, as under all other measures: all groups with a pair have the same weight.

    Args:
        human: the score of each system: `[[score], [score], ...]`; `None` for a system that takes no part.
        metric: scores of the same shape.
        by: `"none"` for systems on one test set; for several test sets, the number of systems on each; or the groups of
            outputs within which pairs are formed, as for `Judged`.

    Returns:
        The number of pairs that agree, the number of all pairs, and the accuracy.

    Raises:
        As `Judged` and `Judged.outputs` do.

    Example:
        By hand: the metric swaps the last two of three systems.

        >>> found = pairwise_accuracy([[3], [2], [1]], [[0.9], [0.5], [0.7]])
        >>> found.agreeing, found.pairs, round(found.accuracy, 3)
        (2, 3, 0.667)
    """
    judged = Judged(human, by)
    return pairs_over_groups(judged, judged.outputs(metric))


def pairs_over_groups(judged: Judged, outputs: Sequence[float]) -> PairCounts:
    """`pairwise_accuracy` for scores of a metric that `Judged.outputs` returned."""
    correct = correct_pairs(judged, outputs, 0.0)
    agreeing, pairs = sum(map(sum, correct)), sum(map(len, correct))
    if judged.pools_pairs:
        return PairCounts(agreeing, pairs, agreeing / pairs if pairs else 0.0)
    return PairCounts(agreeing, pairs, _mean_share(correct).value)


def accuracy_with_ties(human: Scores, metric: Scores, epsilon: float = 0.0, by: Grouping = "item") -> Average:
    """Pairwise accuracy, averaged over groups, where scores that are close to each other are ties (acc-eq, acc23).

    A pair is correct where metric and people agree on its order, or on a tie (Deutsch et al., 2023).

    Args:
        human: the score of each system and segment, or `None`.
        metric: scores of the same shape.
        epsilon: the threshold for ties, in the unit of the metric: outputs whose scores differ by no more are tied.
        by: the groups within which pairs are formed, as for `Judged`.

    Returns:
        The mean of the shares of correct pairs, from 0 to 1, and the number of groups with two outputs or more.

    Raises:
        OptionError: epsilon is negative.
        And as `Judged` and `Judged.outputs` do.

    Example:
        With the figures of `testKendallVariants` in mt-metrics-eval's `stats_test.py`:

        >>> human, metric = [[1, 2, 2, 3, 4]], [[2, 1, 1.5, 5, 3]]
        >>> [accuracy_with_ties(human, metric, epsilon, "none").value for epsilon in (0.0, 2.0)]
        [0.6, 0.4]
    """
    if not epsilon >= 0:
        raise OptionError(f"epsilon is {epsilon!r}, but can't be negative", option="epsilon")
    judged = Judged(human, by)
    return _mean_share(correct_pairs(judged, judged.outputs(metric), epsilon))


def _mean_share(correct: Sequence[Sequence[bool]]) -> Average:
    """The mean over groups of the share of correct pairs; groups without a pair do not count."""
    shares = [sum(group_correct) / len(group_correct) for group_correct in correct if group_correct]
    return Average(fsum(shares) / len(shares) if shares else 0.0, len(shares))


def calibrated_accuracy(human: Scores, metric: Scores, by: Grouping = "item") -> Calibration:
    """Pairwise accuracy with tie calibration: at the threshold that is best for the metric (Deutsch et al., 2023).

    Averaged by item, it is WMT's measure for segments since 2023. The thresholds to choose from are 0 and all
    differences between scores that are compared. (mt-metrics-eval: `KendallWithTiesOpt`, variant `acc23`,
    `sample_rate=1.0`. That adds up floats, whose last digits may decide between thresholds that are equally good.)

    Args:
        human: the score of each system and segment, or `None`.
        metric: scores of the same shape, or `None` for an output that takes no part; metrics with missing scores can't
            be compared with each other.
        by: the groups within which pairs are formed, as for `Judged`. (Time and memory grow with the number of pairs,
            and so, in large groups as by `"none"`, with the square of the number of outputs.)

    Returns:
        The mean of the shares of correct pairs, the threshold, and the number of groups with two outputs or more.

    Raises:
        As `Judged` and `Judged.outputs` do.

    Example:
        With the figures of `testKendallWithTiesOpt` in mt-metrics-eval's `stats_test.py`:

        >>> calibrated_accuracy([[1, 2, 2, 3, 4]], [[2, 1, 1.5, 5, 3]], "none")
        Calibration(accuracy=0.7, epsilon=0.5, groups=1)
    """
    checked_shape(metric, "scores of the metric")
    scored = [[None if score is None else human_score for human_score, score in zip(scores, metric_scores)]
              for scores, metric_scores in zip(human, metric)]
    judged = Judged(scored if len(human) == len(metric) else human, by)
    return calibrate(judged, judged.outputs(metric))


def calibrate(judged: Judged, outputs: Sequence[float], rounding: float = 0.0) -> Calibration:
    """`calibrated_accuracy` for scores of a metric that `Judged.outputs` returned.

    Neighbouring differences that are no more than `rounding` apart count as one threshold.
    """
    groups = [(scores, metric_scores) for scores, metric_scores in _groups(judged, outputs) if len(scores) > 1]
    if not groups:
        return Calibration(0.0, 0.0, 0)
    # All counts are integers: a correct pair has a weight, which is larger in groups with fewer pairs.
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
    return Calibration(best / (whole * len(groups)), epsilon, len(groups))


def _changes_with_ties(human: Sequence[float], metric: Sequence[float]) -> tuple[int, list[float], list[float]]:
    """The changes of a group's correct pairs with a rising threshold.

    Returns:
        The number of pairs that are correct at 0; the differences at which pairs become correct, because they are tied
        for people; and the differences at which pairs become wrong, because they are not.
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
    """For each pair of a group, in the order of its outputs, whether metric and people agree."""
    return [abs(score - other_score) <= epsilon if one == other
            else abs(score - other_score) > epsilon and (score > other_score) == (one > other)
            for (one, score), (other, other_score) in combinations(zip(human, metric), 2)]


def correct_pairs(judged: Judged, outputs: Sequence[float], epsilon: float) -> list[list[bool]]:
    """For each group, and each of its pairs, whether metric and people agree at this threshold."""
    return [_correct_pairs(*group, epsilon) for group in _groups(judged, outputs)]


def _groups(judged: Judged, outputs: Sequence[float]) -> Iterator[tuple[list[float], list[float]]]:
    """The human scores and the metric's scores of each group."""
    for scores, positions in zip(judged.groups, judged.positions):
        yield scores, [outputs[position] for position in positions]
