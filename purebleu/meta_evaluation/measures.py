"""Measures of the agreement of a metric with people, by their names; and correlations between two lists of scores."""

from __future__ import annotations

from collections import Counter
from math import fsum, isnan, nan, sqrt
from operator import mul

from ..engines.word_order import ascending_pairs
from ..errors import LengthError, OptionError, nearest
from ..hints import Callable, Hashable, Iterable, Judgements, NamedTuple, Sequence
from ..metrics.segments import listed
from .accuracy import calibrate, pairwise_accuracy, soft_accuracies
from .judged import GROUPINGS, Judged, mean_over_groups


class Measure(NamedTuple):
    """A measure of agreement.

    Attributes:
        title: the name for users.
        by: the usual groups of the measure, as for `Judged`.
        complete: whether segments take part only if all systems have human scores; then no other groups are possible.
    """

    title: str
    by: str
    complete: bool = False


class Question(NamedTuple):
    """A measure, and the scores that it compares.

    Attributes:
        level: `segments` for scores of segments, or `systems` for a single score of each system.
        measure: one of `MEASURES`.
        by: the groups of the measure, as for `Judged`.
    """

    level: str
    measure: str
    by: str


#: The measures by their names.
MEASURES = {
    "acc-eq": Measure("Pairwise accuracy with tie calibration", "item"),
    "accuracy": Measure("Pairwise accuracy", "none"),
    "pearson": Measure("Pearson's r", "none"),
    "spa": Measure("Soft pairwise accuracy", "system", complete=True),
    "tau-b": Measure("Kendall's tau-b", "none"),
}

#: The measures that are negative if a metric reverses people's order of outputs.
CORRELATIONS = ("pearson", "tau-b")

#: The measure whose tests swap verdicts on pairs, as WMT's do.
PAIRS_MEASURE = "acc-eq"


def measure_named(name: str) -> Measure:
    """Return the measure of this name; raise `OptionError` if there is none."""
    if name not in tuple(MEASURES):
        raise OptionError(f"unknown measure {name!r}{nearest(str(name), MEASURES)}; choose from {', '.join(MEASURES)}",
                          option="measure")
    return MEASURES[name]


def judged_for(name: str, human: Judgements, by: str | Sequence[int] | None) -> Judged:
    """Return human scores in groups for a measure; if `by` is `None`, in its usual groups.

    Raise `OptionError` if the measure does not allow these groups.
    """
    measure = measure_named(name)
    if measure.complete and by not in (None, measure.by):
        raise OptionError(f"{name} compares systems, so it can't be grouped by {by!r}", option="by")
    return Judged(human, measure.by if by is None else by, measure.complete)


def agreement_of(name: str, human: Judgements, metric: Judgements, by: str | Sequence[int] | None = None) -> float:
    """Return a metric's agreement with people.

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
    return agreement_function(name, judged)(judged.outputs(metric))


def agreement_function(name: str, judged: Judged, rounding: float = 0.0) -> Callable[[Sequence[float]], float]:
    """Return a function from a metric's scores, as `Judged.outputs` returns them, to its agreement with people.

    Args:
        name: one of `MEASURES`.
        judged: the human scores, in groups.
        rounding: that of `calibrate`, for `acc-eq`.
    """
    if name == "spa":
        return soft_accuracies(judged)
    if name == "acc-eq":
        return lambda outputs: calibrate(judged, outputs, rounding)[0]
    if name == "accuracy":
        return lambda outputs: pairwise_accuracy(judged, outputs)
    correlation = pearson if name == "pearson" else kendall_tau_b
    return lambda outputs: mean_correlation(correlation, judged, outputs)


def mean_correlation(correlation: Callable[[Sequence[float], Sequence[float]], float], judged: Judged,
                     outputs: Sequence[float]) -> float:
    """Return the correlation of a metric's scores with human scores, averaged over groups of outputs.

    All groups have the same weight. A group does not count if its metric's or human scores have no variance, or if it
    has fewer than two outputs with human scores, as in mt-metrics-eval (`AverageCorrelation` in `stats.py`).
    """
    values: list[float] = []
    for scores, positions in zip(judged.groups, judged.positions):
        value = correlation(scores, [outputs[position] for position in positions])
        if not isnan(value):
            values.append(value)
    return mean_over_groups(values)


def question_of(text: str) -> Question:
    """Return the question that a text asks: `MEASURE` or `MEASURE:GROUPS`; for scores of systems, `sys:MEASURE`.

    Raises:
        OptionError: there is no such measure or grouping, or the measure allows only its usual groups.

    Example:
        >>> question_of("tau-b:item"), question_of("sys:pearson").level
        (Question(level='segments', measure='tau-b', by='item'), 'systems')
    """
    parts = text.split(":")
    prefix = parts.pop(0) if parts[0] == "sys" and len(parts) > 1 else ""
    name, by = [*parts, ""][:2] if len(parts) < 3 else (text, "")
    measure = measure_named(name)
    if by and by not in GROUPINGS:
        raise OptionError(f"scores can't be grouped by {by!r}; choose from {', '.join(GROUPINGS)}", option="measures")
    if prefix and by:
        raise OptionError(f"{text}: scores of systems can't be grouped", option="measures")
    if prefix and (measure.complete or name == PAIRS_MEASURE):
        raise OptionError(f"{name} compares scores of segments, not of systems: leave out sys:", option="measures")
    if measure.complete and by not in ("", measure.by):
        raise OptionError(f"{name} compares systems, so it can't be grouped by {by!r}", option="measures")
    return Question("systems" if prefix else "segments", name, "none" if prefix else by or measure.by)


def name_of_question(question: Question) -> str:
    """Return the text of a question, as `question_of` reads it.

    >>> name_of_question(question_of("tau-b:none")), name_of_question(question_of("spa"))
    ('tau-b', 'spa')
    """
    prefix = "sys:" if question.level == "systems" else ""
    usual = prefix or question.by == measure_named(question.measure).by
    return f"{prefix}{question.measure}" + ("" if usual else f":{question.by}")


def pearson(human: Sequence[float], metric: Sequence[float]) -> float:
    """Return Pearson's correlation coefficient r, from -1 to 1.

    Args:
        human, metric: scores of the same outputs, in the same order.

    Returns:
        The coefficient; NaN if either list has no variance, or fewer than two scores.

    Raises:
        LengthError: the lists differ in length.

    Example:
        With the figures of `testPearson` in mt-metrics-eval's `stats_test.py`:

        >>> round(pearson([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 3, 7]), 3)
        0.776
    """
    _check_lengths(human, metric)
    deviations = [_deviations(scores) for scores in (human, metric)]
    if not all(deviations):
        return nan
    product = fsum(map(mul, *deviations))
    human_squares, metric_squares = [fsum(map(mul, numbers, numbers)) for numbers in deviations]
    return max(-1.0, min(1.0, product / sqrt(human_squares * metric_squares)))


def _deviations(scores: Sequence[float]) -> list[float]:
    """Return the deviations from the mean, divided by the largest one, so that no square overflows; empty if all are 0.
    """
    if len(scores) < 2 or min(scores) == max(scores):
        return []
    extreme = max(map(abs, scores))
    scaled = [score / extreme for score in scores]
    mean = fsum(scaled) / len(scaled)
    deviations = [score - mean for score in scaled]
    largest = max(map(abs, deviations))
    return [deviation / largest for deviation in deviations]


def kendall_tau_b(human: Sequence[float], metric: Sequence[float]) -> float:
    """Return Kendall's tau-b, from -1 to 1: concordant minus discordant pairs, corrected for ties.

    Args:
        human, metric: scores of the same outputs, in the same order.

    Returns:
        The coefficient; NaN if all pairs are tied in either list, or there are no pairs.

    Raises:
        LengthError: the lists differ in length.

    Example:
        With the figures of `testKendallVariants` in mt-metrics-eval's `stats_test.py`. By hand: of ten pairs, six are
        concordant and three discordant; one is tied for people, none for the metric: 3 / sqrt(9 * 10).

        >>> round(kendall_tau_b([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]), 9)
        0.316227766
    """
    _check_lengths(human, metric)
    pairs = len(human) * (len(human) - 1) // 2
    tied_human, tied_metric, tied_both = map(_tied_pairs, (human, metric, zip(human, metric)))
    if pairs in (tied_human, tied_metric):
        return nan
    # If people tie a pair, the metric's scores are in descending order. So only concordant pairs ascend.
    ordered = sorted(zip(human, [-score for score in metric]))
    concordant = ascending_pairs([-score for _, score in ordered])
    discordant = pairs - concordant - tied_human - tied_metric + tied_both
    excess = concordant - discordant
    return max(-1.0, min(1.0, excess / sqrt(pairs - tied_metric) / sqrt(pairs - tied_human)))


def _tied_pairs(scores: Iterable[Hashable]) -> int:
    return sum([count * (count - 1) // 2 for count in Counter(scores).values() if count > 1])


def _check_lengths(human: Sequence[float], metric: Sequence[float]) -> None:
    if len(listed(human, "human")) != len(listed(metric, "metric")):
        raise LengthError(f"there are {len(human)} human scores, but {len(metric)} of the metric")
