"""Trials of a randomization test, compared with the observed difference.

Where the difference of a trial equals the observed one in exact arithmetic, floats may differ in their last digit, and
rounding would decide which is larger. Here, such trials are ties, however their scores were rounded.
"""

from __future__ import annotations

from operator import sub

from ..errors import OptionError
from ..metrics import MODULES
from ..metrics.score import ROUNDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.resampling.packed import TrialSums
    from ..engines.resampling.streams import RandomStream
    from ..metrics.base import Metric
    from ..metrics.score import Score
    from .units import Units

#: For scores that are ratios of sums, differences that are this close, relative to the scores, are compared exactly.
_CLOSE = 1e-9


def rounding_of(metric: Metric[Score], stream: RandomStream) -> float:
    """The fraction of scores up to which two differences count as the same.

    It is `ROUNDING`: differences that are not the same are that close in about one of a million tests. With sacreBLEU's
    random stream and metrics it is 0, so that p-values are sacreBLEU's.
    """
    return 0.0 if stream.TELLS_ROUNDING_APART and type(metric).__name__ in MODULES else ROUNDING


class TrialCounts:
    """The numbers of trials whose difference in score is larger than the observed one, or equal to it.

    Args:
        metric: the metric of the rows.
        group: the index of the metric's rows among the groups of `TrialSums`.
        rounding: the result of `rounding_of`; with 0, not even ratios of sums are compared exactly.

    Attributes:
        larger: the number of trials with a larger absolute difference.
        equal: the number of trials with the same absolute difference.
    """

    def __init__(self, metric: Metric[Score], group: int, rounding: float = ROUNDING) -> None:
        self.larger = self.equal = 0
        self._metric = metric
        self._group = group
        self._rounding = rounding
        self._observed: float | None = None
        # The observed difference, as a fraction.
        self._exact: tuple[int, int] | None = None
        # The exact comparison of close trials with the observed difference (-1, 0 or 1), cached by the sums of one
        # system: these determine the sums of the other one, and there are often few different ones.
        self._compared: dict[tuple[int, ...], int] = {}

    def add(self, one: TrialSums, other: TrialSums) -> None:
        """Count some trials, from the sums of both systems. The first call has the sums of the systems as they are."""
        scores = self._metric.values(one.groups[self._group])
        others = self._metric.values(other.groups[self._group])
        differences = list(map(abs, map(sub, scores, others)))
        if self._observed is None:
            self._observed = differences[0]
            if self._rounding:
                self._exact = self._exact_difference(one, other, 0)
                if self._exact is not None:
                    self._rounding = _CLOSE
            return
        margin = self._rounding * max(map(abs, [*scores, *others]))
        low, high = self._observed - margin, self._observed + margin
        larger = sum([difference > high for difference in differences])
        self.larger += larger
        if sum([difference >= low for difference in differences]) > larger:
            for trial, difference in enumerate(differences):
                if low <= difference <= high:
                    self._decide(one, other, trial)

    def _decide(self, one: TrialSums, other: TrialSums, trial: int) -> None:
        """Count a trial whose difference is close to the observed one."""
        compared = 0
        if self._exact is not None:
            key = tuple(one.exact(self._group, trial))
            if key not in self._compared:
                exact = self._exact_difference(one, other, trial)
                assert exact is not None
                excess = exact[0] * self._exact[1] - self._exact[0] * exact[1]
                self._compared[key] = (excess > 0) - (excess < 0)
            compared = self._compared[key]
        self.larger += compared > 0
        self.equal += compared == 0

    def _exact_difference(self, one: TrialSums, other: TrialSums, trial: int) -> tuple[int, int] | None:
        """The absolute difference of a trial as a fraction; `None` for a metric whose scores are not exact ratios."""
        ratio, other_ratio = [self._metric.exact_ratio(sums.exact(self._group, trial)) for sums in (one, other)]
        if ratio is None or other_ratio is None:
            return None
        return abs(ratio[0] * other_ratio[1] - other_ratio[0] * ratio[1]), ratio[1] * other_ratio[1]


#: Limit of the number of trials of an exact test: that of 20 segments, each of which is swapped or not.
MAX_ENUMERATED = 1 << 20


def check_enumeration(trials: int, units: Units | None) -> None:
    """Raise `OptionError` where an exact test would have too many trials."""
    if trials > MAX_ENUMERATED:
        digits = f"{trials:,}" if trials < 1 << 60 else "far more"
        raise OptionError(f"of these {units.plural if units else 'segments'}, there are {digits} trials, too many for "
                          f"an exact test: the limit is {MAX_ENUMERATED:,}", option="exact")


def is_enumerated(exact: bool, units: Units | None, trials: int, samples: int) -> bool:
    """Whether a test makes all trials: on request, and where documents allow for no more trials than samples.

    Args:
        exact: whether an exact test is requested.
        units: documents or segments.
        trials: the number of all trials.
        samples: the number of trials that would be sampled.
    """
    return exact or (units is not None and units.documents is not None and trials <= samples)


def share_of_trials(counted: int, trials: int) -> float:
    """The p-value from the number of trials that are at least as extreme.

    The observed difference counts as one of the trials (Phipson and Smyth, 2010), so that p is never 0.

    By hand: one of three trials is as extreme, and p = (1 + 1) / (3 + 1).

    >>> share_of_trials(1, 3)
    0.5
    """
    return (counted + 1) / (trials + 1)
