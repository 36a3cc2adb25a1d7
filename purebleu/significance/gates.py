"""Gates: limits for scores, and comparisons with a baseline that a system must not fall behind."""

from __future__ import annotations

import math

from ..errors import warn
from .trials import share_of_trials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..metrics.base import Metric
    from ..metrics.score import Score
    from .differences import Difference
    from .results import Results

UNDER, OVER, MUST_NOT_LOSE, MARGIN = "min", "max", "must-not-lose", "margin"

#: The kinds of gates that compare a system with the baseline.
PAIRED_GATES = (MUST_NOT_LOSE, MARGIN)


class Gate:
    """A requirement that systems have to meet.

    Attributes:
        kind: `min` and `max` are limits of a score; `must-not-lose` fails if a system is significantly
            worse than the baseline; `margin` fails unless the 95 % interval of the difference shows that the system is
            worse by less than the margin.
        limit: the score, the p-value, or the margin.
        metric: the name of the metric in the registry, in lower case; `None` for all metrics.
    """

    def __init__(self, kind: str, limit: float, metric: str | None = None) -> None:
        self.kind = kind
        self.limit = limit
        self.metric = metric


class Verdict:
    """The verdict of a gate on a system under a metric.

    Attributes:
        gate: the gate.
        system: the name of the system.
        metric: the name of the score.
        score: the score of the system.
        passed: whether the system passes.
        difference: the difference to the baseline, for gates in `PAIRED_GATES`.
        p_value: the p-value of the paired test against the baseline, for these gates.
    """

    def __init__(self, gate: Gate, system: str, metric: str, score: float, passed: bool,
                 difference: Difference | None = None, p_value: float = 1.0) -> None:
        self.gate = gate
        self.system = system
        self.metric = metric
        self.score = score
        self.passed = passed
        self.difference = difference
        self.p_value = p_value


def keeps_limit(gate: Gate, score: float) -> bool:
    """Whether an unrounded score keeps the limit of `min` or `max`.

    >>> keeps_limit(Gate(UNDER, 30.0), 30.0), keeps_limit(Gate(OVER, 30.0), 30.0000001)
    (True, False)
    """
    return score >= gate.limit if gate.kind == UNDER else score <= gate.limit


def keeps_up(gate: Gate, difference: Difference, p_value: float, lower_is_better: bool) -> bool:
    """Whether a system keeps up with the baseline, as `must-not-lose` or `margin` requires.

    Example:
        A system that is worse by 1, significantly, and by no more than 1.5:

        >>> from purebleu.significance.differences import Difference
        >>> difference = Difference(-1.0, -1.5, -0.5, 0.25)
        >>> [keeps_up(gate, difference, 0.01, False) for gate in (Gate(MUST_NOT_LOSE, 0.05), Gate(MARGIN, 2.0))]
        [False, True]
    """
    gain, lowest = difference.value, difference.low
    if lower_is_better:
        gain, lowest = -gain, -difference.high
    if gate.kind == MUST_NOT_LOSE:
        return not (gain < 0 and p_value <= gate.limit)
    return lowest > -gate.limit


def limit_verdicts(gates: Sequence[Gate], names: Sequence[str], metrics: Sequence[str],
                   scores: Sequence[Sequence[Score]]) -> list[Verdict]:
    """The verdicts of limits on systems.

    Args:
        gates: the gates; those in `PAIRED_GATES` are ignored.
        names: the names of the systems.
        metrics: the names of the metrics in the registry, in lower case.
        scores: for each system, its score under each metric.
    """
    return [Verdict(gate, name, score.name, score.score, keeps_limit(gate, score.score))
            for gate in gates if gate.kind not in PAIRED_GATES
            for name, system_scores in zip(names, scores)
            for metric, score in zip(metrics, system_scores) if metric == gate.metric]


def paired_verdicts(gates: Sequence[Gate], names: Sequence[str], metrics: Sequence[Metric[Score]],
                    results: Results) -> list[Verdict]:
    """The verdicts of comparisons with the baseline, which is the first system, on all other systems.

    Args:
        gates: the gates; those that are not in `PAIRED_GATES` are ignored.
        names: the names of the systems.
        metrics: the metrics of the rows.
        results: the results of a paired test, with differences.
    """
    gates = [gate for gate in gates if gate.kind in PAIRED_GATES]
    if not gates:
        return []
    sampling = results.sampling
    assert sampling is not None, "there was a test"
    for gate in gates:
        if gate.kind == MUST_NOT_LOSE and not sampling.exact and share_of_trials(0, sampling.samples) > gate.limit:
            warn(f"with {sampling.samples} samples, no p-value is as low as {gate.limit:g}, so that no system can "
                 f"fail: at least {math.ceil(1 / gate.limit) - 1} are needed")
    verdicts: list[Verdict] = []
    for gate in gates:
        for system, name in enumerate(names[1:], 1):
            for index, metric in enumerate(metrics):
                result, difference = results.systems[system][index], results.difference(index, 0, system)
                p_value = results.corrected_p(index, 0, system) if results.corrected else result.p_value
                assert p_value is not None, "there was a test"
                passed = keeps_up(gate, difference, p_value, metric.LOWER_IS_BETTER)
                verdicts.append(Verdict(gate, name, metric.registered_name, result.score, passed, difference, p_value))
    return verdicts
