"""Permutation tests between two metrics: does one agree with people better than the other?"""

from __future__ import annotations

from math import fsum, sqrt

from ..engines.resampling.packed import common_multiple, spread_bits
from ..engines.resampling.streams import make_stream, resolved_seed
from ..errors import OptionError
from ..metrics.score import ROUNDING
from ..runtime.progress import tracked
from .accuracy import calibrate, correct_pairs
from .judged import Judged
from .measures import judged_for, measure_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, NamedTuple, Sequence

    from ..engines.resampling.streams import RandomStream, Seed
    from .judged import Grouping, Scores
    from .measures import Differing, Measure

    class Comparison(NamedTuple):
        """The result of a test between two metrics.

        Attributes:
            p_value: the probability of a difference at least this large, if the metrics were the same.
            difference: the agreement of the first metric minus that of the second.
            trials: the number of trials from which p comes.
        """

        p_value: float
        difference: float
        trials: int
else:
    from collections import namedtuple

    Comparison = namedtuple("Comparison", "p_value difference trials")

#: The decimal places of standardized scores; differences that are up to ten units of the last place apart are equal.
_DECIMALS = 12


class Stopping:
    """The condition that ends a test between two metrics before all of its trials: p is clear after a block of them.

    Args:
        block: the number of trials in a block, after each of which p is checked.
        low: the test ends where p is below this.
        high: the test ends where p is above this.

    Raises:
        OptionError: a block has no trial.

    Example:
        >>> Stopping().is_clear(3, 200), Stopping().is_clear(30, 200), Stopping().is_clear(3, 250)
        (True, False, False)
    """

    def __init__(self, block: int = 100, low: float = 0.02, high: float = 0.5) -> None:
        if block < 1:
            raise OptionError(f"a block is to have {block} trials, but it takes one at least", option="stopping")
        self.block = block
        self.low = low
        self.high = high

    def is_clear(self, extreme: int, trials: int) -> bool:
        """Whether the test ends after `trials` trials, of which `extreme` are extreme."""
        return trials % self.block == 0 and not self.low <= extreme / trials <= self.high


#: The number of trials in mt-metrics-eval, and so at WMT.
TRIALS = 1000


def compare_by_scores(measure: str, human: Scores, metric: Scores, other: Scores, by: Grouping | None = None,
                      trials: int = TRIALS, stopping: Stopping | None = None, seed: Seed = "environment",
                      rng: str = "environment") -> Comparison:
    """Test of whether a metric agrees with people better than another one (PERM-BOTH; Deutsch et al., 2021).

    Both metrics are standardized over all outputs with a human score (mean 0, variance 1). In a trial, the scores of
    each output are swapped with probability 1/2. p is the share of trials whose difference in agreement is at least the
    observed one (up to rounding errors), without adding 1, as in mt-metrics-eval (`PermutationSigDiff` in `stats.py`,
    which has no seed). If a metric gives all outputs the same score, its standardized scores are 0 here, and NaN there.

    Args:
        measure: one of `MEASURES`.
        human: the score of each system and segment, or `None`.
        metric: scores of the same shape.
        other: the scores of the metric to compare with.
        by: the groups of the measure, as for `Judged`; `None`: its usual ones.
        trials: the number of trials.
        stopping: the condition that ends the test earlier; `None`: there is none. (WMT's tables come from
            `Stopping()`.)
        seed: the seed of the random stream, from 0 upwards; `None`: a different one every time.
        rng: the random stream: `mt19937` or `numpy`.

    Raises:
        OptionError: there is no measure or no random stream of this name, or the number of trials is below 1.
        And as `Judged` and `Judged.outputs` do.

    Example:
        A metric with the right order of three systems, and one with the reverse order. The difference is as large as
        the observed one where neither the first nor the last system is swapped, so p is near 1/4.

        >>> human, wrong = [[1], [2], [3]], [[3], [2], [1]]
        >>> compare_by_scores("accuracy", human, human, wrong, seed=1)
        Comparison(p_value=0.24, difference=1.0, trials=1000)
    """
    judged = judged_for(measure, human, by)
    ours, theirs = [standardized(judged.outputs(scores)) for scores in (metric, other)]
    difference = _difference_function(measure_named(measure), judged, ours, theirs)
    observed = difference([1] * len(ours))
    stream = make_stream(rng, resolved_seed(seed))
    extremes = (difference(spread_bits(bits)) >= observed - ROUNDING
             for bits in _random_bits(stream, len(ours), checked_trials(trials)))
    extreme, done = _counted(extremes, stopping)
    return Comparison(extreme / done, observed, done)


def _difference_function(measure: Measure, judged: Judged, ours: Sequence[float], theirs: Sequence[float]) -> Differing:
    """A function that takes, for each output, 1 if its scores are kept and 0 if they are swapped between the metrics,
    and returns the difference of the metrics' agreements.
    """
    if measure.differences is not None:
        return measure.differences(judged, ours, theirs)
    agreement = measure.prepare(judged, 10.0 ** (1 - _DECIMALS))

    def difference(kept: Sequence[int]) -> float:
        mixed = [one if keep else other for keep, one, other in zip(kept, ours, theirs)]
        left = [other if keep else one for keep, one, other in zip(kept, ours, theirs)]
        return agreement(mixed) - agreement(left)

    return difference


def compare_by_pairs(human: Scores, metric: Scores, other: Scores, by: Grouping = "item",
                     epsilons: tuple[float, float] | None = None, trials: int = TRIALS,
                     stopping: Stopping | None = None, seed: Seed = "environment",
                     rng: str = "environment") -> Comparison:
    """Test of whether a metric has a higher pairwise accuracy with ties than another one (acc-eq, acc23).

    A trial swaps, with probability 1/2 for each pair of outputs, the verdicts of the metrics on that pair; so each
    metric keeps its own threshold for ties. It is the test of WMT's tables since 2023. p is the share of trials whose
    difference in accuracy is at least the observed one in exact arithmetic, without adding 1, as in mt-metrics-eval
    (`PairwisePermutationSigDiff` in `stats.py`, which adds up floats, and checks p at the end of a block only if the
    last trial was extreme).

    Args:
        human: the score of each system and segment, or `None`.
        metric: scores of the same shape.
        other: the scores of the metric to compare with.
        by: the groups within which pairs are formed, as for `Judged`.
        epsilons: the thresholds of the two metrics; `None`: the best one for each, as in `calibrated_accuracy`.
        trials, stopping, seed, rng: those of `compare_by_scores`.

    Raises:
        OptionError: a threshold is negative, there is no random stream of this name, or the number of trials is
            below 1.
        And as `Judged` and `Judged.outputs` do.

    Example:
        Of six pairs, one metric has all right, and the other one half of them. The difference is as large as the
        observed one where none of the three differing pairs is swapped, so p is near 1/8.

        >>> human, other = [[1], [2], [3], [4]], [[1], [4], [3], [2]]
        >>> compare_by_pairs(human, human, other, "none", (0, 0), seed=1)
        Comparison(p_value=0.134, difference=0.5, trials=1000)
    """
    judged = Judged(human, by)
    outputs = [judged.outputs(scores) for scores in (metric, other)]
    if epsilons is None:
        epsilons = (calibrate(judged, outputs[0]).epsilon, calibrate(judged, outputs[1]).epsilon)
    if not min(epsilons) >= 0:
        raise OptionError(f"thresholds are {epsilons!r}, but can't be negative", option="epsilons")
    ours, theirs = [correct_pairs(judged, scores, epsilon) for scores, epsilon in zip(outputs, epsilons)]
    differing = _DifferingPairs(ours, theirs)
    stream = make_stream(rng, resolved_seed(seed))
    extremes = map(differing.is_extreme, _random_bits(stream, differing.count, checked_trials(trials)))
    extreme, done = _counted(extremes, stopping)
    return Comparison(extreme / done, differing.difference, done)


class _DifferingPairs:
    """The pairs that one of two metrics has right and the other one wrong: swapping other pairs changes nothing.

    Args:
        ours, theirs: for each group, and each of its pairs, whether a metric has the pair right.

    Attributes:
        count: the number of differing pairs.
        difference: the accuracy of the first metric minus that of the second.
    """

    def __init__(self, ours: Sequence[Sequence[bool]], theirs: Sequence[Sequence[bool]]) -> None:
        # The weight of a pair is larger in groups with fewer pairs, and negative where the other metric is right.
        whole = common_multiple({len(group) for group in ours if group})
        worths = [whole // len(group) * (right - other_right) for group, other_group in zip(ours, theirs)
                  for right, other_right in zip(group, other_group) if right != other_right]
        self.count = len(worths)
        self._masks = {worth: int("".join(["01"[pair_worth == worth] for pair_worth in reversed(worths)]), 2)
                       for worth in set(worths)}
        self._observed = sum(worths)
        groups = sum(map(bool, ours))
        self.difference = self._observed / (whole * groups) if groups else 0.0

    def is_extreme(self, kept: bytes) -> bool:
        """Whether the difference is at least the observed one, if the pairs with a 1 in these bits are not swapped.

        A swapped pair changes its sign. So the difference is twice the sum of the kept pairs, minus the sum of all: it
        is at least the sum of all (the observed one) exactly if the sum of the kept pairs is.
        """
        bits = int.from_bytes(kept, "little")
        return sum([worth * bin(bits & mask).count("1") for worth, mask in self._masks.items()]) >= self._observed


def standardized(scores: Sequence[float]) -> list[float]:
    """Scores minus their mean, divided by their standard deviation (that of a population).

    They are rounded to 12 decimal places, so that scores of two metrics that differ only in their last digits are ties.

    Example:
        >>> standardized([1, 3, 1, 3]), standardized([2, 2])
        ([-1.0, 1.0, -1.0, 1.0], [0.0, 0.0])
    """
    if not scores or min(scores) == max(scores):
        return [0.0] * len(scores)
    mean = fsum(scores) / len(scores)
    deviation = sqrt(fsum([(score - mean) ** 2 for score in scores]) / len(scores))
    return [round((score - mean) / deviation, _DECIMALS) for score in scores]


def checked_trials(trials: int) -> int:
    """The number of trials; raises `OptionError` where it is below 1."""
    if trials < 1:
        raise OptionError(f"there are to be {trials} trials, but it takes one at least", option="trials")
    return trials


def _random_bits(stream: RandomStream, count: int, trials: int) -> Iterator[bytes]:
    """For each trial, `count` random bits, eight in a byte, the lowest first: 0 means that an item is swapped."""
    return (stream.bits(count) for _ in tracked("permuting", range(trials), trials))


def _counted(extremes: Iterator[bool], stopping: Stopping | None) -> tuple[int, int]:
    """The number of extreme trials, and the number of all trials, until the test ends."""
    extreme = done = 0
    for is_extreme in extremes:
        extreme += is_extreme
        done += 1
        if stopping is not None and stopping.is_clear(extreme, done):
            break
    return extreme, done
