"""Ranks systems by human scores, as in WMT's findings (Wilcoxon signed-rank tests), or by metrics (AutoRank)."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from math import erfc, sqrt

from ..metrics.segments import listed
from ..runtime.errors import LengthError, OptionError, PurebleuError, is_between
from ..runtime.hints import Iterator, Judgements, NamedTuple, Sequence
from ..significance.paired import SIGNIFICANT
from .measures import Judged, checked_score, exact_score, listed_scores, mean_scores, scores_as_integers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

#: The maximum number of differences for which p is exact, and the maximum if there are ties or zeros.
_MAX_EXACT = 50
_MAX_EXACT_WITH_TIES = 13

#: The number of bits of a counter in `_share_of_signs`.
_FIELD_BITS = 64


class SystemRanks(NamedTuple):
    """The ranks and clusters of systems.

    Attributes:
        order: the indices of the systems, from the highest to the lowest mean score.
        means: the mean score of each system.
        ranges: for each system, its first and its last possible rank.
        clusters: `order`, split into clusters. A new cluster begins at rank r if all earlier systems have ranges that
            end before r, and all other systems have ranges that begin at r or later.
    """

    order: list[int]
    means: list[float]
    ranges: list[tuple[int, int]]
    clusters: list[list[int]]


def wilcoxon_p_value(differences: Sequence[float]) -> float:
    """Return p of a one-sided Wilcoxon signed-rank test. The null hypothesis is that differences are not above zero.

    p equals the p-value of `scipy.stats.wilcoxon(differences, alternative="greater")` in SciPy 1.17. Zeros are left out
    (`zero_method="wilcox"`). For up to 50 differences (13, if there are ties or zeros), p is exact. For more
    differences, p is a normal approximation without a correction for continuity (`method="auto"`).

    Args:
        differences: the differences of pairs, including zeros.

    Returns:
        p: the share of all assignments of signs for which the sum of positive ranks is at least the observed sum. If
        all differences are zero, p is 1. (In this case, SciPy returns NaN, unless it computes an exact p.)

    Example:
        By hand: the positive differences have the ranks 1, 3 and 4, whose sum is 8. Three of the 16 assignments of
        signs have a sum of 8 or more: no rank is negative, only rank 1 is negative, or only rank 2 is negative.

        >>> wilcoxon_p_value([0.5, -1.0, 2.0, 3.0])
        0.1875
    """
    magnitudes = [abs(difference) for difference in differences if difference]
    if not magnitudes:
        return 1.0
    counts = Counter(magnitudes)
    # Equal magnitudes share the mean of their ranks. Ranks are doubled, so that means are integers.
    doubled: dict[float, int] = {}
    ranked = 0
    for magnitude in sorted(counts):
        doubled[magnitude] = 2 * ranked + counts[magnitude] + 1
        ranked += counts[magnitude]
    positive = sum([doubled[difference] for difference in differences if difference > 0])
    has_ties = len(counts) < len(differences)
    if len(differences) <= (_MAX_EXACT_WITH_TIES if has_ties else _MAX_EXACT):
        return _share_of_signs([doubled[magnitude] for magnitude in magnitudes], positive)
    number = len(magnitudes)
    ties = sum([count ** 3 - count for count in counts.values()])
    variance = (number * (number + 1) * (2 * number + 1) - ties / 2) / 24
    excess = (positive / 2 - number * (number + 1) / 4) / sqrt(variance)
    return erfc(excess / sqrt(2)) / 2


def _share_of_signs(ranks: Sequence[int], least: int) -> float:
    """Return the share of assignments of signs to ranks for which the sum of positive ranks is at least `least`."""
    # The integer `ways` has a counter for each sum: the number of assignments with this sum.
    ways = 1
    for rank in ranks:
        ways += ways << _FIELD_BITS * rank
    mask = (1 << _FIELD_BITS) - 1
    return sum([ways >> _FIELD_BITS * total & mask for total in range(least, sum(ranks) + 1)]) / (1 << len(ranks))


def rank_systems_by_people(human: Judgements, level: float = SIGNIFICANT) -> SystemRanks:
    """Return ranges of ranks and clusters of systems, as in WMT's findings since 2024.

    Systems are ordered by their mean scores. The range of a system begins after the nearest higher system that is
    significantly better, and ends before the nearest lower system that is significantly worse. The tests are one-sided
    Wilcoxon signed-rank tests on the segments for which both systems have scores. p-values are not corrected for the
    number of tests. Means and differences are computed exactly from the printed decimal numbers, so rounding does not
    hide ties.

    Args:
        human: the human score of each system and segment, or `None`. Higher scores must be better.
        level: the level of significance. A p-value below this level is significant.

    Raises:
        PurebleuError: a system has no scores, or a score is infinite or NaN.
        TypeError: a score is neither a number nor `None`.
        LengthError: systems have different numbers of segments.

    Example:
        >>> human = [[60, 70, 80, 65, 75, 85], [90, 91, 99, 96, 97, 90], [70, 60, 80, 75, 66, 85]]
        >>> ranks = rank_systems_by_people(human)
        >>> ranks.order, ranks.ranges, ranks.clusters
        ([1, 2, 0], [(2, 3), (1, 1), (2, 3)], [[1], [2, 0]])
    """
    if not is_between(level, 0, 1):
        raise OptionError(f"the level of significance must be a number from 0 to 1, not {level!r:.80}", option="level")
    human = listed_scores(human, "human scores")
    Judged(human)  # checks the scores
    means = _checked_means(human)
    scores, _ = scores_as_integers(human)
    order = sorted(range(len(scores)), key=means.__getitem__, reverse=True)
    ranges = [(0, 0)] * len(scores)
    for position, system in enumerate(order):
        above = _before_significant(_one_sided(scores[other], scores[system]) < level
                                    for other in order[:position][::-1])
        below = _before_significant(_one_sided(scores[system], scores[other]) < level for other in order[position + 1:])
        ranges[system] = (position + 1 - above, position + 1 + below)
    clusters: list[list[int]] = [[]]
    for position, system in enumerate(order):
        if (position and all(ranges[other][1] <= position for other in order[:position])
                and all(ranges[other][0] > position for other in order[position:])):
            clusters.append([])
        clusters[-1].append(system)
    return SystemRanks(order, means, ranges, clusters)


def _checked_means(scores: Judgements) -> list[float]:
    """Return the mean score of each system. Raise `PurebleuError` if a system has no scores."""
    means: list[float] = []
    for system, mean in enumerate(mean_scores(scores), 1):
        if mean is None:
            raise PurebleuError(f"system {system} has no human scores")
        means.append(mean)
    return means


def _one_sided(better: Sequence[int | None], worse: Sequence[int | None]) -> float:
    """Return p of the test whether `better` is better than `worse`, on segments for which both systems have scores."""
    return wilcoxon_p_value([score - other for score, other in zip(better, worse)
                             if score is not None and other is not None])


def _before_significant(significant: Iterator[bool]) -> int:
    """Return the number of systems before the first system whose difference is significant."""
    return len(list(takewhile(lambda differs: not differs, significant)))


#: The scale of a metric is the distance from this percentile to the maximum, because the lowest scores may be outliers.
_LOWER_PERCENTILE = 25


def autorank(scores: Sequence[Sequence[float]]) -> list[float]:
    """Return the AutoRank of each system (Kocmi et al., 2025): the mean of its scaled scores under several metrics.

    A score becomes z = (score - median) / (P100 - P25), with the median and the percentiles over all systems. (If P100
    equals P25, the divisor is 1, as in WMT25's code.) The mean of z over metrics is scaled linearly: of N systems, the
    best system gets 1, and the worst system gets N. Means are computed exactly from the printed decimal numbers, so
    rounding does not hide ties.

    Args:
        scores: for each metric, the score of each system. Higher scores must be better under all metrics: change the
            sign of error rates.

    Returns:
        For each system, a number from 1 (the best) to the number of systems. If all means are equal, all numbers are 1.

    Raises:
        PurebleuError: there are no scores, or a score is missing, infinite or NaN.
        LengthError: metrics have scores of different numbers of systems.
        TypeError: a score is not a number.

    Example:
        By hand: under the two metrics, the medians are 2 and 20, P25 is 1.5 and 15, and z is (-2/3, 0, 2/3) and (0,
        2/3, -2/3). So the means of z are (-1/3, 1/3, 0).

        >>> autorank([[1, 2, 3], [20, 30, 10]])
        [3.0, 1.0, 2.0]
    """
    scores = [listed(of_metric, "scores of a metric") for of_metric in listed(scores, "scores")]
    if not scores or not scores[0]:
        raise PurebleuError("there are no scores to rank systems by")
    if len(set(map(len, scores))) > 1:
        raise LengthError("the metrics have scores for different numbers of systems: "
                          + ", ".join([str(len(metric_scores)) for metric_scores in scores]))
    checked: list[list[Fraction]] = []
    for number, metric_scores in enumerate(scores, 1):
        name = f"scores of metric {number}"
        checked.append([exact_score(checked_score(score, name, system)) for system, score in enumerate(metric_scores)])
    sums = [sum(scaled) for scaled in zip(*map(_robust_scale, checked))]
    best, worst = max(sums), min(sums)
    if best == worst:
        return [1.0] * len(sums)
    return [float(1 + (len(sums) - 1) * (best - scaled) / (best - worst)) for scaled in sums]


def _robust_scale(scores: Sequence[Fraction]) -> list[Fraction]:
    """Return scores minus their median, divided by the distance from their lower quartile to their maximum."""
    ordered = sorted(scores)
    median = _percentile(ordered, 50)
    scale = ordered[-1] - _percentile(ordered, _LOWER_PERCENTILE) or 1
    return [(score - median) / scale for score in scores]


def _percentile(ordered: Sequence[Fraction], percent: int) -> Fraction:
    """Return a percentile of ascending numbers, interpolated between neighbours (`linear` in NumPy)."""
    below, rest = divmod(percent * (len(ordered) - 1), 100)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * rest / 100
