"""The measures of agreement by their names, in a form in which tests between metrics compute them repeatedly."""

from __future__ import annotations

from ..errors import OptionError, nearest
from .accuracy import calibrate, pairs_over_groups
from .correlations import average_over_groups, kendall_tau_b, kendall_tau_c, pearson
from .judged import Judged
from .soft_accuracy import soft_accuracies, soft_differences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, NamedTuple, Sequence

    from .correlations import Correlation
    from .judged import Grouping, Scores

    #: Computes the agreement with people from the scores of a metric that `Judged.outputs` returned.
    Agreeing = Callable[[Sequence[float]], float]

    #: Computes the difference between the agreements of two metrics from a number for each output: 0 if their scores
    #: are swapped, else 1.
    Differing = Callable[[Sequence[int]], float]

    class Measure(NamedTuple):
        """A measure of agreement.

        Attributes:
            title: the name for users.
            by: the usual groups of the measure, as for `Judged`.
            prepare: a function that takes human scores, and the gap up to which differences between a metric's scores
                count as the same (0 for unrounded scores); it returns a function that measures a metric.
            complete: whether segments take part only where all systems have human scores.
            differences: a function that takes human scores and the scores of two metrics, and returns a `Differing`,
                where that is faster than to measure both metrics; else `None`.
        """

        title: str
        by: str
        prepare: Callable[[Judged, float], Agreeing]
        complete: bool = False
        differences: Callable[[Judged, Sequence[float], Sequence[float]], Differing] | None = None
else:
    from collections import namedtuple

    Measure = namedtuple("Measure", "title by prepare complete differences", defaults=(False, None))


def _averaged(correlation: Correlation) -> Callable[[Judged, float], Agreeing]:
    return lambda judged, _: lambda outputs: average_over_groups(correlation, judged, outputs).value


def _calibrated(judged: Judged, rounding: float) -> Agreeing:
    return lambda outputs: calibrate(judged, outputs, rounding).accuracy


def _pairwise(judged: Judged, _: float) -> Agreeing:
    return lambda outputs: pairs_over_groups(judged, outputs).accuracy


def _soft(judged: Judged, _: float) -> Agreeing:
    return soft_accuracies(judged)


#: The measures by their names.
MEASURES = {
    "acc-eq": Measure("Pairwise accuracy with tie calibration", "item", _calibrated),
    "accuracy": Measure("Pairwise accuracy", "none", _pairwise),
    "pearson": Measure("Pearson's r", "none", _averaged(pearson)),
    "spa": Measure("Soft pairwise accuracy", "system", _soft, complete=True, differences=soft_differences),
    "tau-b": Measure("Kendall's tau-b", "none", _averaged(kendall_tau_b)),
    "tau-c": Measure("Kendall's tau-c", "none", _averaged(kendall_tau_c)),
}


def measure_named(name: str) -> Measure:
    """The measure of this name; raises `OptionError` where there is none."""
    if name not in MEASURES:
        raise OptionError(f"unknown measure {name!r}; there are {', '.join(MEASURES)}{nearest(name, MEASURES)}",
                          option="measure")
    return MEASURES[name]


def judged_for(name: str, human: Scores, by: Grouping | None) -> Judged:
    """Human scores in groups for a measure; with `None`, in the usual groups of the measure.

    Raises `OptionError` for other groups than the usual ones, if the measure allows only these.
    """
    measure = measure_named(name)
    if measure.complete and by not in (None, measure.by):
        raise OptionError(f"{name} is of systems, and can't be grouped by {by!r}", option="by")
    return Judged(human, measure.by if by is None else by, measure.complete)


def agreement_of(name: str, human: Scores, metric: Scores, by: Grouping | None = None) -> float:
    """A metric's agreement with people.

    Args:
        name: the name of the measure, one of `MEASURES`.
        human: the score of each system and segment, or `None`.
        metric: scores of the same shape.
        by: the groups, as for `Judged`; `None`: the usual ones of the measure.

    Raises:
        OptionError: there is no measure of this name.
        And as `Judged` and `Judged.outputs` do.

    Example:
        >>> round(agreement_of("spa", [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]), 3)
        0.872
    """
    judged = judged_for(name, human, by)
    return measure_named(name).prepare(judged, 0.0)(judged.outputs(metric))
