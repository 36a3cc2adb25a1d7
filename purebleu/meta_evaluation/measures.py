"""Human scores in groups, and measures of a metric's agreement with human scores: accuracies and correlations."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from functools import lru_cache
from itertools import chain, combinations, compress, islice
from math import frexp, fsum, inf, isfinite, isnan, ldexp, nan, sqrt
from operator import add, le, mul, sub

from ..engines.resampling.packed import common_multiple, selected_sums, spread_bits
from ..engines.resampling.streams import NumpyGenerator
from ..engines.word_order import ascending_pairs
from ..metrics.segments import listed
from ..runtime.errors import LengthError, OptionError, PurebleuError, nearest, whole_number
from ..runtime.hints import Any, Callable, Hashable, Iterable, Iterator, Judgements, NamedTuple, Sequence
from ..runtime.progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

#: The outputs in a group: all outputs (`none`), the outputs for one segment (`item`) or of one system (`system`).
GROUPINGS = ("none", "item", "system")


class Judged:
    """The outputs that have human scores, divided into groups. Outputs are compared only within a group.

    An output without a human score is not used, as in mt-metrics-eval (google-research, 68a481a). Outputs are ordered
    by system, then by segment.

    Args:
        human: the human score of each system and segment, or `None`. Higher scores must be better.
        by: the groups: `"none"` for one group with all outputs, `"item"` for a group for each segment, `"system"` for
            a group for each system. A list of numbers divides the systems into groups of these sizes, for several test
            sets with one score for each system.
        complete: whether a segment is used only if all systems have a human score for it.

    Attributes:
        groups: for each group, its human scores. (There are no empty groups.)
        positions: for each group, the positions of its outputs in the list of all used outputs.
        systems: for each system, the indices of its used segments.
        pools_pairs: whether the groups are test sets. If so, pairwise accuracy counts the pairs of all groups together.

    Raises:
        TypeError: a score is neither a number nor `None`.
        PurebleuError: a score is infinite or NaN, or there are no scores.
        LengthError: systems have different numbers of segments.
        OptionError: the name of the groups is unknown, or the sizes of the groups do not add up to the number of
            systems.

    Example:
        There are two systems and three segments. The first system has no score for the second segment:

        >>> judged = Judged([[1.0, None, 2.0], [0.0, 1.0, 2.0]], "item")
        >>> judged.groups, judged.positions
        ([[1.0, 0.0], [1.0], [2.0, 2.0]], [[0, 2], [3], [1, 4]])
        >>> judged.outputs([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
        [0.1, 0.3, 0.4, 0.5, 0.6]
    """

    def __init__(self, human: Judgements, by: str | Sequence[int] = "none", complete: bool = False) -> None:
        human = listed_scores(human, "human scores")
        if not any(score is not None for score in chain.from_iterable(human)):
            raise PurebleuError("human scores: there are no scores")
        self._segments = len(human[0])
        self._complete = complete
        self.pools_pairs = not isinstance(by, str)
        left_out = {segment for segment, scores in enumerate(zip(*human)) if complete and None in scores}
        self.systems: list[list[int]] = []
        for scores in human:
            judged = [segment for segment, score in enumerate(scores) if score is not None and segment not in left_out]
            self.systems.append(judged)
        test_sets = _test_sets(by, len(human))
        by_label: dict[int, tuple[list[float], list[int]]] = {}
        position = 0
        for system, segments in enumerate(self.systems):
            for segment in segments:
                label = segment if by == "item" else system if by == "system" else test_sets[system]
                group, positions = by_label.setdefault(label, ([], []))
                group.append(checked_score(human[system][segment], "human scores", system, segment))
                positions.append(position)
                position += 1
        self.groups = [by_label[label][0] for label in sorted(by_label)]
        self.positions = [by_label[label][1] for label in sorted(by_label)]

    def used_outputs(self) -> list[int]:
        """Return, for each system, the number of outputs that are compared with other outputs."""
        if self._complete:
            return list(map(len, self.systems))
        is_used = [False] * sum(map(len, self.systems))
        for positions in self.positions:
            for position in positions:
                is_used[position] = len(positions) > 1
        in_order = iter(is_used)
        return [sum(islice(in_order, len(segments))) for segments in self.systems]

    def outputs(self, metric: Judgements) -> list[float]:
        """Return a metric's scores of all used outputs, ordered by system, then by segment.

        Args:
            metric: the metric's score of each system and segment.

        Raises:
            PurebleuError: the score of a used output is missing, infinite or NaN.
            LengthError: the metric and people scored different numbers of systems or segments.
        """
        metric = listed_scores(metric, "scores of the metric")
        segments = len(metric[0])
        if len(metric) != len(self.systems) or segments != self._segments:
            raise LengthError(f"the metric has scores of {len(metric)} systems and {segments} segments, but people "
                              f"scored {len(self.systems)} systems and {self._segments} segments")
        outputs: list[float] = []
        for system, system_segments in enumerate(self.systems):
            for segment in system_segments:
                outputs.append(checked_score(metric[system][segment], "scores of the metric", system, segment))
        return outputs


def listed_scores(scores: Judgements, name: str) -> list[list[Any]]:
    """Return scores as lists. Raise an error if systems have no segments, or different numbers of segments."""
    systems = [listed(system, f"{name}: the scores of a system") for system in listed(scores, name)]
    lengths = set(map(len, systems))
    if len(lengths) > 1:
        raise LengthError(f"{name}: systems have different numbers of segments: {', '.join(map(str, sorted(lengths)))}")
    if not lengths or 0 in lengths:
        raise PurebleuError(f"{name}: there are no scores")
    return systems


def checked_score(score: object, name: str, system: int, segment: int | None = None) -> float:
    """Return a score as a float. If it is not finite, raise an error that names the system and the segment."""
    try:
        if isfinite(score):  # type: ignore[arg-type]
            return float(score)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        pass
    where = f"{name}: the score of system {system + 1}" + (f", segment {segment + 1}," if segment is not None else "")
    if score is None:
        raise PurebleuError(f"{where} is missing")
    if not hasattr(score, "__float__"):
        raise TypeError(f"{where} is {score!r:.80}, but must be a number or None")
    raise PurebleuError(f"{where} is {score!r:.80}, but must be finite")


def exact_score(score: float | Fraction) -> Fraction:
    """Return the exact value of a score. A float stands for the decimal number that Python prints.

    Example:
        >>> exact_score(0.1) + exact_score(0.2) == exact_score(0.3)
        True
    """
    from fractions import Fraction

    return score if isinstance(score, Fraction) else Fraction(repr(float(score)))


def scores_as_integers(scores: Judgements) -> tuple[list[list[int | None]], int]:
    """Return scores as integer multiples of 1/d, and d, which is their common denominator.

    Example:
        >>> scores_as_integers([[0.25, None], [1, -0.5]])
        ([[1, None], [4, -2]], 4)
    """
    known = [exact_score(score) for score in chain.from_iterable(scores) if score is not None]
    denominator = common_multiple({score.denominator for score in known})
    integers = iter([score.numerator * (denominator // score.denominator) for score in known])
    by_system: list[list[int | None]] = []
    for system_scores in scores:
        by_system.append([None if score is None else next(integers) for score in system_scores])
    return by_system, denominator


def mean_over_groups(values: Sequence[float]) -> float:
    """Return the mean of the groups' values; 0 if there are no groups."""
    return fsum(values) / len(values) if values else 0.0


def mean_scores(scores: Judgements) -> list[float | None]:
    """Return the exact mean score of each system, rounded to a float; `None` if a system has no scores."""
    integers, denominator = scores_as_integers(scores)
    means: list[float | None] = []
    for system_scores in integers:
        known = [score for score in system_scores if score is not None]
        means.append(sum(known) / (denominator * len(known)) if known else None)
    return means


def _test_sets(by: str | Sequence[int], systems: int) -> list[int]:
    """Return, for each system, the index of its test set. If `by` is a name, there is only one test set."""
    if isinstance(by, str):
        if by not in GROUPINGS:
            raise OptionError(f"scores can't be grouped by {by!r}; choose from {', '.join(GROUPINGS)}", option="by")
        return [0] * systems
    sizes = [whole_number("the size of a test set", size) for size in listed(by, "by")]
    if sum(sizes) != systems or min(sizes) < 1:
        raise OptionError(f"the sizes of test sets must be at least 1 and add up to the number of systems, but are "
                          f"{', '.join(map(str, sizes))} for {systems} systems", option="by")
    return [index for index, size in enumerate(sizes) for _ in range(size)]


# Measures


class Measure(NamedTuple):
    """A measure of agreement.

    Attributes:
        title: the name of the measure in tables.
        by: the default groups of outputs (see `Judged`).
        complete: whether only complete judgements are used (see `Judged`). Then the measure allows only its default
            groups.
    """

    title: str
    by: str
    complete: bool = False


class Question(NamedTuple):
    """A measure with its groups and with the level of the scores that it compares.

    Attributes:
        level: `segments` for scores of segments, or `systems` for a single score of each system.
        measure: the name of the measure, one of `MEASURES`.
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

#: The measures with values from -1 (if a metric orders outputs in reverse) to 1.
CORRELATIONS = ("pearson", "tau-b")

#: The measure for which `compare_by_pairs` tests metrics, as in WMT.
PAIRS_MEASURE = "acc-eq"


def measure_named(name: str) -> Measure:
    """Return the measure with this name, or raise `OptionError`."""
    if name not in tuple(MEASURES):
        raise OptionError(f"unknown measure {name!r}{nearest(str(name), MEASURES)}; choose from {', '.join(MEASURES)}",
                          option="measure")
    return MEASURES[name]


def judged_for(name: str, human: Judgements, by: str | Sequence[int] | None) -> Judged:
    """Return human scores in groups for a measure. If `by` is `None`, use the measure's default groups.

    Raises `OptionError` if the measure does not allow the groups.
    """
    measure = measure_named(name)
    if measure.complete and by not in (None, measure.by):
        raise OptionError(f"{name} compares systems, so its scores can't be grouped by {by!r}", option="by")
    return Judged(human, measure.by if by is None else by, measure.complete)


def agreement_of(name: str, human: Judgements, metric: Judgements, by: str | Sequence[int] | None = None) -> float:
    """Return a metric's agreement with human scores.

    Args:
        name: the name of the measure, one of `MEASURES`.
        human: the human score of each system and segment, or `None`.
        metric: the metric's score of each system and segment.
        by: the groups, as for `Judged`; `None`: the default groups of the measure.

    Raises:
        OptionError: the name of the measure is unknown.
        `Judged` and `Judged.outputs` raise further errors.

    Example:
        >>> round(agreement_of("spa", [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]), 3)
        0.872
    """
    judged = judged_for(name, human, by)
    return agreement_function(name, judged)(judged.outputs(metric))


def agreement_function(name: str, judged: Judged, rounding: float = 0.0) -> Callable[[Sequence[float]], float]:
    """Return a function that computes a metric's agreement from its scores, which `Judged.outputs` returns.

    Args:
        name: the name of the measure, one of `MEASURES`.
        judged: the human scores, in groups.
        rounding: as for `calibrate`; only `acc-eq` uses it.
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
    """Return the mean over groups of the correlation between a metric's scores and human scores.

    All groups have the same weight. A group is left out if it has fewer than two outputs, or if its human scores or the
    metric's scores have no variance. mt-metrics-eval leaves out the same groups (`AverageCorrelation` in `stats.py`).
    """
    values: list[float] = []
    for scores, metric_scores in _groups(judged, outputs):
        value = correlation(scores, metric_scores)
        if not isnan(value):
            values.append(value)
    return mean_over_groups(values)


def question_of(text: str) -> Question:
    """Return the question that a text names: `MEASURE`, `MEASURE:GROUPS`, or `sys:MEASURE` for scores of systems.

    Raises:
        OptionError: the measure or the groups are unknown, or the measure does not allow the groups.

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
        raise OptionError(f"{text} names groups, but only scores of segments can be grouped", option="measures")
    if prefix and (measure.complete or name == PAIRS_MEASURE):
        raise OptionError(f"{name} needs scores of segments: write {name}, not sys:{name}", option="measures")
    if measure.complete and by not in ("", measure.by):
        raise OptionError(f"{name} compares systems, so its scores can't be grouped by {by!r}", option="measures")
    return Question("systems" if prefix else "segments", name, "none" if prefix else by or measure.by)


def name_of_question(question: Question) -> str:
    """Return the text that names a question for `question_of`. Default groups are left out.

    >>> name_of_question(question_of("tau-b:none")), name_of_question(question_of("spa"))
    ('tau-b', 'spa')
    """
    prefix = "sys:" if question.level == "systems" else ""
    usual = prefix or question.by == measure_named(question.measure).by
    return f"{prefix}{question.measure}" + ("" if usual else f":{question.by}")


# Correlations


def pearson(human: Sequence[float], metric: Sequence[float]) -> float:
    """Return Pearson's correlation coefficient r, from -1 to 1.

    Args:
        human, metric: scores of the same outputs, in the same order.

    Returns:
        The coefficient; NaN if one of the lists has no variance, or has fewer than two scores.

    Raises:
        LengthError: the lists differ in length.

    Example:
        The numbers come from `testPearson` in mt-metrics-eval's `stats_test.py`:

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
    """Return the deviations from the mean, divided by the largest deviation; an empty list if all deviations are 0.

    The division prevents overflows of squares.
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
        The coefficient; NaN if all pairs are tied in one of the lists, or if there are no pairs.

    Raises:
        LengthError: the lists differ in length.

    Example:
        The numbers come from `testKendallVariants` in mt-metrics-eval's `stats_test.py`. By hand: of ten pairs, six
        pairs are concordant, three pairs are discordant, and one pair is tied in the human scores, so tau-b is (6 - 3)
        / sqrt(9 * 10).

        >>> round(kendall_tau_b([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]), 9)
        0.316227766
    """
    _check_lengths(human, metric)
    pairs = len(human) * (len(human) - 1) // 2
    tied_human, tied_metric, tied_both = map(_tied_pairs, (human, metric, zip(human, metric)))
    if pairs in (tied_human, tied_metric):
        return nan
    # If human scores are equal, the metric's scores are in descending order, so exactly the concordant pairs ascend.
    ordered = sorted(zip(human, [-score for score in metric]))
    concordant = ascending_pairs([-score for _, score in ordered])
    discordant = pairs - concordant - tied_human - tied_metric + tied_both
    excess = concordant - discordant
    return max(-1.0, min(1.0, excess / sqrt(pairs - tied_metric) / sqrt(pairs - tied_human)))


def _tied_pairs(scores: Iterable[Hashable]) -> int:
    return sum([count * (count - 1) // 2 for count in Counter(scores).values() if count > 1])


def _check_lengths(human: Sequence[float], metric: Sequence[float]) -> None:
    if len(listed(human, "human")) != len(listed(metric, "metric")):
        raise LengthError(f"there are {len(human)} human scores, but {len(metric)} scores of the metric")


# Accuracies of pairs of outputs, and of pairs of systems


def pairwise_accuracy(judged: Judged, outputs: Sequence[float]) -> float:
    """Return the share of pairs that a metric orders in the same way as human scores (Kocmi et al., 2021).

    A pair is correct if both the human scores and the metric's scores are tied. A pair is wrong if only one of them is
    tied. The pairs of several test sets are counted together, as in mt-metrics-eval
    (`CompareMetricsWithGlobalAccuracy` in `data.py`). For groups by item or by system, the result is the mean share
    over all groups that have a pair.

    Args:
        judged: the human scores.
        outputs: the metric's scores, as `Judged.outputs` returns them.

    Example:
        By hand: the metric orders the last two of three systems wrongly, so two of three pairs are correct.

        >>> round(pairwise_accuracy(Judged([[3], [2], [1]]), [0.9, 0.5, 0.7]), 3)
        0.667
    """
    correct = correct_pairs(judged, outputs, 0.0)
    if judged.pools_pairs:
        pairs = sum(map(len, correct))
        return sum(map(sum, correct)) / pairs if pairs else 0.0
    return mean_over_groups([sum(group) / len(group) for group in correct if group])


def calibrate(judged: Judged, outputs: Sequence[float], rounding: float = 0.0) -> tuple[float, float]:
    """Return the best pairwise accuracy of a metric over all thresholds for ties, and the best threshold.

    This is pairwise accuracy with tie calibration (Deutsch et al., 2023). WMT has used this accuracy for scores of
    segments since 2023, as the mean over items. Two outputs are tied if their scores differ by at most the threshold.
    The possible thresholds are 0 and all differences between two scores of a group. If several thresholds are the best,
    the smallest one is returned. Time and memory grow with the number of pairs.

    In mt-metrics-eval, this is `KendallWithTiesOpt` with the variant `acc23` and `sample_rate=1.0`. That function adds
    up floats, so rounding can decide which threshold is the best.

    Args:
        judged: the human scores.
        outputs: the metric's scores, as `Judged.outputs` returns them.
        rounding: two differences are the same threshold if the gap between them is at most this number.

    Example:
        The numbers come from `testKendallWithTiesOpt` in mt-metrics-eval's `stats_test.py`:

        >>> calibrate(Judged([[1, 2, 2, 3, 4]]), [2, 1, 1.5, 5, 3])
        (0.7, 0.5)
    """
    groups = [(scores, metric_scores) for scores, metric_scores in _groups(judged, outputs) if len(scores) > 1]
    if not groups:
        return 0.0, 0.0
    # The weights of correct pairs are integers, so sums are exact. Pairs of smaller groups have larger weights.
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
    """Return how the number of correct pairs in a group changes as the threshold rises.

    Returns:
        The number of correct pairs at threshold 0, and two lists of thresholds. At each threshold of the first list, a
        pair with tied human scores becomes correct. At each threshold of the second list, a pair whose human scores
        differ becomes wrong.
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


def correct_pairs(judged: Judged, outputs: Sequence[float], epsilon: float) -> list[list[bool]]:
    """Return, by group and pair, whether a metric orders the pair correctly; `epsilon` is the threshold for ties."""
    correct: list[list[bool]] = []
    for human, metric in _groups(judged, outputs):
        correct.append([abs(score - other_score) <= epsilon if one == other
                        else abs(score - other_score) > epsilon and (score > other_score) == (one > other)
                        for (one, score), (other, other_score) in combinations(zip(human, metric), 2)])
    return correct


def _groups(judged: Judged, outputs: Sequence[float]) -> Iterator[tuple[list[float], list[float]]]:
    """Yield the human scores and the metric's scores of each group."""
    for scores, positions in zip(judged.groups, judged.positions):
        yield scores, [outputs[position] for position in positions]


#: The number of permutations and their seed, as in mt-metrics-eval, which computes WMT's results.
PERMUTATIONS = 1000
PERMUTATION_SEED = 4

#: The largest number of bits of a rounded score, and of a sum of such scores. (The difference of two sums fits into
#: eight bytes.)
_SCORE_BITS = 36
_SUM_BITS = 61

#: The largest number of fields of eight bytes that `soft_differences` has in memory at once (128 MB).
_MAX_FIELDS = 1 << 24


def soft_accuracies(judged: Judged) -> Callable[[Sequence[float]], float]:
    """Return a function that computes soft pairwise accuracy from a metric's scores (SPA; Thompson et al., 2024).

    For each pair of systems, one p-value comes from human scores, and another p-value from the metric's scores. SPA is
    1 minus the mean absolute difference between the two p-values. WMT has used SPA for systems since 2024. A segment is
    left out if a system has no human score for it. (If human scores are missing, the result of mt-metrics-eval's
    `PairwiseConfidenceError` in `stats.py` is wrong.)

    Args:
        judged: the human scores, with `complete=True` and grouped by system.

    Raises:
        PurebleuError: there are fewer than two systems, or there is no segment with human scores of all systems.

    Example:
        The numbers come from `testPairwiseConfidenceError` in mt-metrics-eval's `stats_test.py`:

        >>> judged = Judged([[1, 2, 3], [2, 3, 4]], "system", complete=True)
        >>> round(soft_accuracies(judged)(judged.outputs([[2, 2, 4], [1, 3, 5]])), 3)
        0.872
    """
    human_counts = extreme_permutations(_checked_systems(judged))
    segments = len(judged.systems[0])
    return lambda outputs: _accuracy(human_counts, extreme_permutations(_by_system(outputs, segments)))


def soft_differences(judged: Judged, first: Sequence[float], second: Sequence[float],
                     trials: Sequence[bytes]) -> list[float]:
    """Return the difference between the soft pairwise accuracies of two metrics in each trial.

    For each permutation, a system has a sum of scores. An integer holds the sums for many permutations, in eight bytes
    each, so a single addition adds the score of an output to all of them. The sums for both metrics together are known,
    so a subtraction gives the sums for the second metric.

    Args:
        judged: the human scores, as for `soft_accuracies`.
        first: the first metric's score of each output.
        second: the second metric's score of each output.
        trials: for each trial, a bit for each output, eight in a byte, the lowest bit first. A bit of 0 swaps the two
            metrics' scores of the output.
    """
    human_counts = extreme_permutations(_checked_systems(judged))
    pairs, segments = len(human_counts), len(judged.systems[0])
    first_numbers, second_numbers = _whole_numbers([first, second], segments)
    second_parts = _by_system(second_numbers, segments)
    both_parts = _by_system(list(map(add, first_numbers, second_numbers)), segments)
    gained_parts = _by_system(list(map(sub, first_numbers, second_numbers)), segments)
    counts = [[0] * (2 * pairs) for _ in trials]
    at_once = max(1, min(PERMUTATIONS, _MAX_FIELDS // len(first)))
    for start in range(0, PERMUTATIONS, at_once):
        swapped = [spread_bits(bits)[:segments] for bits in _swapped_segments(segments)[start:start + at_once]]
        # For each segment, an integer with a 1 for each permutation that swaps the segment.
        marks = list(map(_fields, zip(*swapped)))
        none_kept, both = [[sum(map(mul, part, marks)) for part in parts] for parts in (second_parts, both_parts)]
        gains = [list(map(mul, part, marks)) for part in gained_parts]
        for trial, count in tracked("permuting", zip(trials, counts), len(trials)):
            kept = _by_system(spread_bits(trial), segments)
            sums = [sum(compress(gain, bits), total) for gain, bits, total in zip(gains, kept, none_kept)]
            left = list(map(sub, both, sums))
            count[:] = map(add, count, [*_count_fields(sums, len(swapped), segments),
                                        *_count_fields(left, len(swapped), segments)])
    return [_accuracy(human_counts, count[:pairs]) - _accuracy(human_counts, count[pairs:]) for count in counts]


def _fields(numbers: Iterable[int]) -> int:
    """Return an integer that holds each number in eight bytes."""
    return int.from_bytes(array("Q", numbers), sys.byteorder)


def _count_fields(sums: Sequence[int], count: int, segments: int) -> list[int]:
    """Return the result of `_count_extreme`, from integers that hold the sums for `count` permutations."""
    # The highest bit of each field says whether the difference, with the margin of `_count_extreme`, is at least 0.
    ones = _fields([1] * count)
    high_bits, margin = ones << 63, ones * (2 * segments)
    return [((other - one + margin + high_bits) & high_bits).to_bytes(8 * count, "little").count(b"\x80")
            for one, other in combinations(sums, 2)]


def _checked_systems(judged: Judged) -> Sequence[Sequence[float]]:
    """Return the human scores of each system. Raise `PurebleuError` if there are no pairs of systems or no segments."""
    if len(judged.systems) < 2:
        raise PurebleuError("soft pairwise accuracy (spa) needs at least two systems, but there is one system")
    if not judged.systems[0]:
        raise PurebleuError("no segment has human scores for all systems")
    return judged.groups


def _by_system(numbers: Sequence[Any], segments: int) -> list[Sequence[Any]]:
    """Return the numbers of all outputs, split into a list for each system."""
    return [numbers[start:start + segments] for start in range(0, len(numbers), segments)]


def _accuracy(human_counts: Sequence[int], metric_counts: Sequence[int]) -> float:
    """Return soft pairwise accuracy from the `extreme_permutations` of human scores and of a metric's scores."""
    apart = sum([abs(human - metric) for human, metric in zip(human_counts, metric_counts)])
    return 1 - apart / (PERMUTATIONS * len(human_counts))


def extreme_permutations(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return, for each pair of systems, the number of permutations with at least the observed difference.

    This number, divided by the number of permutations, is p of a one-sided test whether the first system is better. A
    permutation swaps the two systems' scores of each segment with probability 1/2. It swaps the same segments for all
    pairs of systems. As in mt-metrics-eval (`compute_pairwise_p_values` in `pce.py`), permutations with exactly the
    observed difference count, and the observed difference itself does not count as a permutation. The random bits are
    the same as in mt-metrics-eval. But mt-metrics-eval adds up float32 numbers, so that rounding can hide a tie. This
    function finds all ties between scores of up to ten digits.

    Args:
        scores: the score of each system and segment. No score may be missing. Higher scores must be better.

    Example:
        The first system is better by 1, 1 and 0 in three segments. A permutation has at least the observed difference
        if it swaps neither of the first two segments, so about a quarter of the 1,000 permutations count.

        >>> extreme_permutations([[2, 2, 1], [1, 1, 1]])
        [245]
    """
    segments = len(scores[0])
    sums = selected_sums(_whole_numbers(scores, segments), _swapped_segments(segments))
    return _count_extreme(sums, segments)


def _count_extreme(sums: Sequence[Sequence[int]], segments: int) -> list[int]:
    """Return the result of `extreme_permutations`, from each system's sum over the swapped segments, by permutation."""
    # A permutation has at least the observed difference if the difference over its swapped segments is not positive.
    # The margin allows for a rounding error of one unit in each of the two scores of a segment.
    margin = 2 * segments
    raised = [list(map(margin.__add__, totals)) for totals in sums]
    return [sum(map(le, sums[one], raised[other])) for one, other in combinations(range(len(sums)), 2)]


def _whole_numbers(scores: Sequence[Sequence[float]], segments: int) -> list[list[int]]:
    """Return scores as integers. The unit is the smallest power of two with which sums fit into `_SUM_BITS`."""
    largest = max([max(map(abs, numbers)) for numbers in scores])
    bits = min(_SCORE_BITS, _SUM_BITS - segments.bit_length()) - frexp(largest)[1]

    def whole(number: float) -> int:
        return round(ldexp(number, bits))

    return [list(map(whole, numbers)) for numbers in scores]


@lru_cache(maxsize=2)
def _swapped_segments(segments: int) -> list[bytes]:
    """Return, for each permutation, a bit for each segment: 1 swaps it (eight in a byte, the lowest bit first).

    A segment is swapped if its random float, rounded, is 0.
    """
    generator = NumpyGenerator(PERMUTATION_SEED)
    ones = (1 << segments) - 1
    size = -(-segments // 8)
    return [(int.from_bytes(generator.rounded_floats(segments), "little") ^ ones).to_bytes(size, "little")
            for _ in range(PERMUTATIONS)]
