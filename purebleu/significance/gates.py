"""Gates: limits that scores must keep to, and a baseline that a system must not fall behind."""

from __future__ import annotations

import math

from ..errors import warn
from .paired import difference_intervals
from .trials import share_of_trials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..engines.resampling.streams import RandomStream
    from ..metrics.base import Metric
    from ..metrics.score import Score
    from .paired import Result, SystemRows

UNDER, OVER, MUST_NOT_LOSE, MARGIN = "fail-under", "fail-over", "must-not-lose", "margin"

#: Gates that compare a system with the baseline.
PAIRED_GATES = (MUST_NOT_LOSE, MARGIN)


class Gate:
    """What is asked of systems.

    Attributes:
        kind: `fail-under` and `fail-over` are limits of a score; `must-not-lose` fails where a system is significantly
            worse than the baseline; `margin` fails unless its 95 % interval shows that it is worse by less than this.
        limit: the score, the p-value, or the margin.
        metric: the name in the registry, in lower case; `None` for all metrics.
    """

    def __init__(self, kind: str, limit: float, metric: str | None = None) -> None:
        self.kind = kind
        self.limit = limit
        self.metric = metric


class Difference:
    """How a system differs from the baseline.

    Attributes:
        baseline: the baseline's score.
        value: the system's score minus that.
        low, high: the ends of its 95 % interval, from the same bootstrap resamples of both.
        p_value: of the paired test.
    """

    def __init__(self, baseline: float, value: float, interval: tuple[float, float], p_value: float) -> None:
        self.baseline = baseline
        self.value = value
        self.low, self.high = interval
        self.p_value = p_value

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Verdict:
    """What a gate says of a system under a metric.

    Attributes:
        gate: the gate.
        system: what the system is called.
        metric: the name of the score.
        score: the system's.
        difference: to the baseline, for gates in `PAIRED_GATES`.
        passed: whether the system may pass.
    """

    def __init__(self, gate: Gate, system: str, metric: str, score: float, difference: Difference | None,
                 passed: bool) -> None:
        self.gate = gate
        self.system = system
        self.metric = metric
        self.score = score
        self.difference = difference
        self.passed = passed


def keeps_limit(gate: Gate, score: float) -> bool:
    """Whether a score keeps to the limit of `fail-under` or `fail-over`, to the last digit.

    >>> keeps_limit(Gate(UNDER, 30.0), 30.0), keeps_limit(Gate(OVER, 30.0), 30.0000001)
    (True, False)
    """
    return score >= gate.limit if gate.kind == UNDER else score <= gate.limit


def keeps_up(gate: Gate, difference: Difference, lower_is_better: bool) -> bool:
    """Whether a system keeps up with the baseline, as `must-not-lose` or `margin` asks.

    Example:
        A system that is worse by 1, significantly, and by no more than 1.5:

        >>> difference = Difference(30.0, -1.0, (-1.5, -0.5), 0.01)
        >>> keeps_up(Gate(MUST_NOT_LOSE, 0.05), difference, False), keeps_up(Gate(MARGIN, 2.0), difference, False)
        (False, True)
    """
    gain, lowest = difference.value, difference.low
    if lower_is_better:
        gain, lowest = -gain, -difference.high
    if gate.kind == MUST_NOT_LOSE:
        return not (gain < 0 and difference.p_value <= gate.limit)
    return lowest > -gate.limit


def limit_verdicts(gates: Sequence[Gate], names: Sequence[str], metrics: Sequence[str],
                   scores: Sequence[Sequence[Score]]) -> list[Verdict]:
    """What limits say of systems.

    Args:
        gates: those in `PAIRED_GATES` are left aside.
        names: of the systems.
        metrics: the names of the metrics in the registry, in lower case.
        scores: for each system, its score under each metric.
    """
    return [Verdict(gate, name, score.name, score.score, None, keeps_limit(gate, score.score))
            for gate in gates if gate.kind not in PAIRED_GATES
            for name, of_system in zip(names, scores)
            for metric, score in zip(metrics, of_system) if metric == gate.metric]


def paired_verdicts(gates: Sequence[Gate], names: Sequence[str], metrics: Sequence[Metric[Score]],
                    systems: Sequence[SystemRows], results: Sequence[Sequence[Result]], stream: RandomStream,
                    samples: int, resamples: int) -> list[Verdict]:
    """What comparisons say of all systems but the first, which is the baseline.

    Args:
        gates: those that are not in `PAIRED_GATES` are left aside.
        names: of the systems.
        metrics: what the rows are of.
        systems: for each system, its rows under each metric.
        results: of a paired test, as `Results.systems` has them.
        stream: where random numbers come from, at its beginning.
        samples: the number of resamples or trials of the test.
        resamples: the number of bootstrap resamples for the interval of the difference.
    """
    gates = [gate for gate in gates if gate.kind in PAIRED_GATES]
    if not gates:
        return []
    for gate in gates:
        if gate.kind == MUST_NOT_LOSE and share_of_trials(0, samples) > gate.limit:
            warn(f"with {samples} samples, no p-value is as low as {gate.limit:g}, so that no system can fail: at "
                 f"least {math.ceil(1 / gate.limit) - 1} are needed")
    intervals = difference_intervals(systems, metrics, stream, resamples)
    verdicts: list[Verdict] = []
    for gate in gates:
        for name, of_system, of_intervals in zip(names[1:], results[1:], intervals):
            for metric, result, baseline, interval in zip(metrics, of_system, results[0], of_intervals):
                assert result.p_value is not None, "there was a test"
                difference = Difference(baseline.score, result.score - baseline.score, interval, result.p_value)
                verdicts.append(Verdict(gate, name, type(metric).__name__, result.score, difference,
                                        keeps_up(gate, difference, metric.LOWER_IS_BETTER)))
    return verdicts
