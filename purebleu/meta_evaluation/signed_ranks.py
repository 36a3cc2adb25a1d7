"""Ranks of systems by human scores, as WMT prints them: ranges and clusters from Wilcoxon signed-rank tests."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from math import erfc, fsum, sqrt

from ..errors import PurebleuError
from ..significance.paired import SIGNIFICANT
from .judged import checked_score, checked_shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, NamedTuple, Optional, Sequence

    from .judged import Scores

    #: Scores of the segments of a system.
    OfSystem = Sequence[Optional[float]]

    class SystemRanks(NamedTuple):
        """Systems, in the order of their mean scores.

        Attributes:
            order: their indices, the best first.
            means: for each system, by its index, its mean score.
            ranges: for each system, by its index, its first and last possible rank.
            clusters: the order, split where all systems above have higher ranks than all systems below can have.
        """

        order: list[int]
        means: list[float]
        ranges: list[tuple[int, int]]
        clusters: list[list[int]]
else:
    from collections import namedtuple

    SystemRanks = namedtuple("SystemRanks", "order means ranges clusters")

#: Limits of the number of differences up to which p-values are exact: without ties and zeros, and with them.
_MAX_EXACT = 50
_MAX_EXACT_WITH_TIES = 13

#: The bits that the number of ways of a sum of ranks has room in.
_FIELD_BITS = 64


def wilcoxon_p_value(differences: Sequence[float]) -> float:
    """p of a one-sided Wilcoxon signed-rank test of the null hypothesis that differences are not above zero.

    It is that of `scipy.stats.wilcoxon(differences, alternative="greater")` in SciPy 1.17: zeros are left out
    (`zero_method="wilcox"`), and with `method="auto"`, p is exact up to 50 differences, or 13 where there are ties or
    zeros; else it comes from the normal approximation, without a correction for continuity.

    Args:
        differences: of pairs, zeros included.

    Returns:
        The probability of a sum of ranks of positive differences that is at least as large, if signs were random; 1
        without any difference but zeros. (There, SciPy's is not a number, where it is not exact.)

    Example:
        By hand: positive differences have the ranks 1, 3 and 4. Of the 16 ways of signs, three have at least their sum
        of 8: those in which nothing is negative, or rank 1 alone, or rank 2 alone.

        >>> wilcoxon_p_value([0.5, -1.0, 2.0, 3.0])
        0.1875
    """
    magnitudes = [abs(difference) for difference in differences if difference]
    if not magnitudes:
        return 1.0
    counts = Counter(magnitudes)
    # Twice the rank of each magnitude, which is the mean of those that ties would have.
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
    """The share of all ways to give signs to ranks in which the positive ones have at least this sum."""
    # The number of ways for each sum, as fields of one integer.
    ways = 1
    for rank in ranks:
        ways += ways << _FIELD_BITS * rank
    mask = (1 << _FIELD_BITS) - 1
    return sum([ways >> _FIELD_BITS * total & mask for total in range(least, sum(ranks) + 1)]) / (1 << len(ranks))


def rank_systems_by_people(human: Scores, level: float = SIGNIFICANT) -> SystemRanks:
    """Ranges of ranks and clusters of systems, as in WMT's findings since 2024.

    From a system, one goes up the order of mean scores until one system is significantly better, and down until one is
    significantly worse; both are one-sided Wilcoxon signed-rank tests of the segments that both systems have scores of.
    p-values are not corrected for the number of tests.

    Args:
        human: a score of each system and segment, or `None`; a higher score is a better one.
        level: p-values below this one are significant.

    Raises:
        PurebleuError: a system has no score, or there is one that is infinite or not a number.
        TypeError: a score is neither a number nor `None`.
        LengthError: systems have different numbers of segments.

    Example:
        >>> human = [[60, 70, 80, 65, 75, 85], [90, 91, 99, 96, 97, 90], [70, 60, 80, 75, 66, 85]]
        >>> ranks = rank_systems_by_people(human)
        >>> ranks.order, ranks.ranges, ranks.clusters
        ([1, 2, 0], [(2, 3), (1, 1), (2, 3)], [[1], [2, 0]])
    """
    checked_shape(human, "human scores")
    scores = [[None if score is None else checked_score(score, "human scores", system, segment)
               for segment, score in enumerate(of_system)] for system, of_system in enumerate(human)]
    means = _means(scores)
    order = sorted(range(len(scores)), key=means.__getitem__, reverse=True)
    ranges = [(0, 0)] * len(scores)
    for place, system in enumerate(order):
        above = _before_significant(_one_sided(scores[other], scores[system]) < level for other in order[:place][::-1])
        below = _before_significant(_one_sided(scores[system], scores[other]) < level for other in order[place + 1:])
        ranges[system] = (place + 1 - above, place + 1 + below)
    clusters: list[list[int]] = [[]]
    for place, system in enumerate(order):
        if (place and all(ranges[other][1] <= place for other in order[:place])
                and all(ranges[other][0] > place for other in order[place:])):
            clusters.append([])
        clusters[-1].append(system)
    return SystemRanks(order, means, ranges, clusters)


def _means(scores: Sequence[OfSystem]) -> list[float]:
    """The mean score of each system. Raises `PurebleuError` where one has no score."""
    means: list[float] = []
    for system, of_system in enumerate(scores, 1):
        there = [score for score in of_system if score is not None]
        if not there:
            raise PurebleuError(f"human scores: system {system} has none")
        means.append(fsum(there) / len(there))
    return means


def _one_sided(better: OfSystem, worse: OfSystem) -> float:
    """The p-value of a system being better, from the segments that both have scores of."""
    return wilcoxon_p_value([score - other for score, other in zip(better, worse)
                             if score is not None and other is not None])


def _before_significant(significant: Iterator[bool]) -> int:
    """The number of systems before the first one that differs significantly."""
    return sum([1 for _ in takewhile(lambda differs: not differs, significant)])
