"""Gates (limits of scores, and comparisons with a baseline). Verdicts are text, GitHub's commands, or JUnit XML."""

from __future__ import annotations

import math
from functools import partial

from ..metrics.base import Metric
from ..metrics.score import Score
from ..runtime.errors import PurebleuError, counted, printable, warn
from ..runtime.hints import Callable, NamedTuple, Sequence
from ..significance.paired import POWER, SIGNIFICANT, Difference, detectable_difference
from ..significance.results import Results
from ..significance.sampling import FEW_UNITS, too_narrow_text
from .formats import PairResults, printable_cell
from .tables import LAYOUTS, Section, xml_text

UNDER, OVER, MUST_NOT_LOSE, MARGIN = "min", "max", "must-not-lose", "margin"

#: The gates that compare a system with the baseline.
PAIRED_GATES = (MUST_NOT_LOSE, MARGIN)


class Gate(NamedTuple):
    """A requirement that systems have to meet.

    Attributes:
        kind: `min` and `max` are limits of a score. `must-not-lose` fails if a system is significantly worse than the
            baseline. `margin` passes if the whole 95 % interval of the system's gain is above minus the margin.
        limit: the limit of the score or of the p-value, or the margin.
        metric: the name of the metric in the registry, in lower case; `None` for all metrics.
    """

    kind: str
    limit: float
    metric: str | None = None


class WordedGate(NamedTuple):
    """The verdict of a gate on a system, in words.

    Attributes:
        name: the name of the gate: its option on the command line.
        system: the name of the system.
        sentence: the result as a sentence.
        passed: whether the system passes.
    """

    name: str
    system: str
    sentence: str
    passed: bool


#: The minimum number of decimal places. (A score near a limit must look different from the limit.)
_MIN_WIDTH = 4


def keeps_limit(gate: Gate, score: float) -> bool:
    """Return whether an unrounded score is within the limit of `min` or `max`.

    >>> keeps_limit(Gate(UNDER, 30.0), 30.0), keeps_limit(Gate(OVER, 30.0), 30.0000001)
    (True, False)
    """
    return score >= gate.limit if gate.kind == UNDER else score <= gate.limit


def keeps_up(gate: Gate, difference: Difference, p_value: float, lower_is_better: bool) -> bool:
    """Return whether a system's difference from the baseline passes `must-not-lose` or `margin`.

    Example:
        The system is significantly worse, by 1 point (95 % interval: 0.5 to 1.5):

        >>> difference = Difference(-1.0, -1.5, -0.5, 0.25)
        >>> [keeps_up(gate, difference, 0.01, False) for gate in (Gate(MUST_NOT_LOSE, 0.05), Gate(MARGIN, 2.0))]
        [False, True]
    """
    if lower_is_better:
        difference = -difference
    if gate.kind == MUST_NOT_LOSE:
        return difference.value >= 0 or p_value > gate.limit
    return difference.low > -gate.limit


def limit_verdicts(gates: Sequence[Gate], names: Sequence[str], metrics: Sequence[str],
                   scores: Sequence[Sequence[Score]], width: int) -> list[WordedGate]:
    """Return the verdicts of limits on systems.

    Args:
        gates: the gates. Gates of the kinds in `PAIRED_GATES` are ignored.
        names: the names of the systems.
        metrics: the names of the metrics in the registry, in lower case.
        scores: for each system, its score under each metric.
        width: the minimum number of decimal places of scores.
    """
    verdicts: list[WordedGate] = []
    for gate in gates:
        if gate.kind in PAIRED_GATES or gate.metric not in metrics:
            continue
        metric = metrics.index(gate.metric)
        for name, system_scores in zip(names, scores):
            score = system_scores[metric]
            passed = keeps_limit(gate, score.score)
            digits = _digits_apart(score.score, partial(keeps_limit, gate), width)
            sentence = (f"{score.name} of {name} is {score.score:.{digits}f}, {'not ' if passed else ''}"
                        f"{'below' if gate.kind == UNDER else 'above'} the limit")
            verdicts.append(WordedGate(f"--{gate.kind} {score.name}={_limit_text(gate)}", name, sentence, passed))
    return verdicts


def _limit_text(gate: Gate) -> str:
    return f"{gate.limit:g}" if float(f"{gate.limit:g}") == gate.limit else repr(gate.limit)


def _digits_apart(number: float, passes: Callable[[float], bool], width: int = 0) -> int:
    """Return a number of decimal places with which the rounded number has the same verdict as the exact number.

    >>> _digits_apart(0.00390625, lambda p_value: p_value > 0.0039)
    5
    """
    digits = max(width, _MIN_WIDTH)
    while passes(float(f"{number:.{digits}f}")) != passes(number):
        digits += 1
    return digits


def paired_verdicts(gates: Sequence[Gate], names: Sequence[str], metrics: Sequence[Metric[Score]],
                    results: Results, width: int) -> list[WordedGate]:
    """Return the verdicts on all systems after the first system, which is the baseline.

    Args:
        gates: the gates. Only gates of the kinds in `PAIRED_GATES` are used.
        names: the names of the systems.
        metrics: the metrics of the rows.
        results: the results of a paired test, with differences.
        width: the minimum number of decimal places of scores.

    Raises:
        PurebleuError: a margin needs intervals, but there is a single segment.
    """
    gates = [gate for gate in gates if gate.kind in PAIRED_GATES]
    if not gates:
        return []
    has_documents = results.units is not None and results.units.documents is not None
    if any(gate.kind == MARGIN for gate in gates) and not has_documents:  # (`results_of` warns of few documents)
        if results.segments < 2:
            raise PurebleuError(f"--margin needs the interval of {names[1]}, but resampling needs at least 2 segments, "
                                f"not {results.segments}")
        if results.segments < FEW_UNITS:
            warn(too_narrow_text(results.segments, "segments"))
    for gate in gates:
        if gate.kind == MUST_NOT_LOSE and results.lowest_p > gate.limit:
            warn(_too_few_text(gate, results))
    verdicts: list[WordedGate] = []
    for gate in gates:
        level = _strictest_level(gate, results)
        can_fail = gate.kind != MUST_NOT_LOSE or results.lowest_p <= level
        few = "samples"
        if results.lowest_p_of_units > level:
            few = results.units.plural if results.units else "segments"
        for system, name in enumerate(names[1:], 1):
            for index, metric in enumerate(metrics):
                score, p_value = results.scores[system][index], results.decisive_p(index, 0, system)
                assert p_value is not None, "there was a test"
                passed = keeps_up(gate, results.difference(index, 0, system), p_value, metric.LOWER_IS_BETTER)
                text = _difference_text(gate, results, index, system, passed, width)
                sentence = f"{score.name} of {name} is {text}"
                if not can_fail:
                    sentence += f", but with so few {few}, no system can fail"
                gate_name = f"--{gate.kind} {_limit_text(gate)} ({score.name})"
                verdicts.append(WordedGate(gate_name, name, sentence, passed))
    return verdicts


def _strictest_level(gate: Gate, results: Results) -> float:
    """Return the level for the lowest p-value: the limit of the gate, divided by the number of corrected tests."""
    return gate.limit / max(1, results.family)


def _too_few_text(gate: Gate, results: Results) -> str:
    """Return a warning that no p-value can be as low as the limit of the gate."""
    if results.exact:
        return (f"even with all {results.samples} trials, no p-value is as low as {gate.limit:g}, so no system can "
                "fail")
    if results.lowest_p_of_units > gate.limit:
        units = results.units
        number = counted(units.count, units.name) if units else counted(results.segments, "segment")
        return (f"with {number}, p can't fall much below {results.lowest_p_of_units:.4g}, so no system can fail "
                f"--must-not-lose {gate.limit:g}")
    return (f"with {results.samples} samples, no p-value is as low as {gate.limit:g}, so no system can fail: at least "
            f"{math.ceil(1 / gate.limit) - 1} samples are needed")


def _difference_text(gate: Gate, results: Results, metric: int, system: int, passed: bool, width: int) -> str:
    """Return a system's score, its difference from the baseline's score, and the verdict of the gate, as text."""
    score, difference = results.scores[system][metric].score, results.difference(metric, 0, system)
    digits = max(width, _MIN_WIDTH)
    if gate.kind == MARGIN:
        worst = -difference.high if results.lower_is_better[metric] else difference.low
        digits = _digits_apart(worst, lambda low: low > -gate.limit, width)
    text = (f"{score:.{digits}f}, {difference.value:+.{digits}f} from the baseline's "
            f"{score - difference.value:.{digits}f} (95 % interval: {difference.low:+.{digits}f} to "
            f"{difference.high:+.{digits}f}")
    if gate.kind == MARGIN:
        return f"{text}), {'within' if passed else 'not shown to be within'} the margin"
    worse = "significantly worse" if gate.limit == SIGNIFICANT else f"worse at p <= {_limit_text(gate)}"
    return f"{text}; {_p_text(gate, results, metric, system)}), {'not ' if passed else ''}{worse}"


def _p_text(gate: Gate, results: Results, metric: int, system: int) -> str:
    """Return the p-value of a system's test against the baseline, followed by the corrected p-value if there is one."""
    p_value, decisive = results.systems[system][metric].p_value, results.decisive_p(metric, 0, system)
    assert p_value is not None and decisive is not None, "there was a test"
    digits = _digits_apart(decisive, lambda p: p <= gate.limit)
    if results.family > 1:
        return f"p = {p_value:.{_MIN_WIDTH}f}, Holm {decisive:.{digits}f}"
    return f"p = {decisive:.{digits}f}"


#: The escapes in messages and in properties of GitHub's commands.
_IN_MESSAGES = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_IN_PROPERTIES = {**_IN_MESSAGES, ord(":"): "%3A", ord(","): "%2C"}


def gates_of_scores(gates: Sequence[Gate], names: Sequence[str], metrics: Sequence[Metric[Score]], results: Results,
                    has_baseline: bool, width: int) -> list[WordedGate]:
    """Return the verdicts of all gates on scores.

    Args:
        gates: the gates.
        names, metrics, results: the systems and their results.
        has_baseline: whether the first system is a baseline.
        width: the minimum number of decimal places of scores.
    """
    first = 1 if has_baseline else 0
    metric_names = [metric.registered_name.lower() for metric in metrics]
    verdicts = limit_verdicts(gates, names[first:], metric_names, results.scores[first:], width)
    if has_baseline:
        verdicts += paired_verdicts(gates, names, metrics, results, width)
    return verdicts


def gate_lines(gates: Sequence[WordedGate]) -> list[str]:
    """Return a line of text for each verdict."""
    return [f"gate {'passed' if gate.passed else 'FAILED'}: {gate.name}: {gate.sentence}" for gate in gates]


def gates_section(gates: Sequence[WordedGate]) -> Section:
    """Return a section with a table of gates and their verdicts."""
    return Section("Gates", tables=[[
        ("Gate", [gate.name for gate in gates]),
        ("Result", ["passed" if gate.passed else "FAILED" for gate in gates]),
        ("What was found", [gate.sentence for gate in gates])]])


def github_annotations(pair: PairResults, gates: Sequence[WordedGate], width: int) -> str:
    """Return commands for GitHub: an error for each failed gate, and a notice for each passed gate and each score."""
    lines = gate_annotations(gates)
    for name, system_results in zip(pair.names, pair.results.systems):
        for index, (metric, signature) in enumerate(pair.signatures.items()):
            score = f"{system_results[index].score:.{pair.results.places(index, width)}f}"
            lines.append(annotation("notice", metric, f"{name}: {score} ({signature.format()})"))
    return "\n".join(lines)


def gate_annotations(gates: Sequence[WordedGate]) -> list[str]:
    """Return a command for each verdict. Failed gates come first."""
    return [annotation("notice" if gate.passed else "error", gate.name, gate.sentence)
            for gate in sorted(gates, key=lambda gate: gate.passed)]


def annotation(level: str, title: str, message: str) -> str:
    """Return a command for GitHub's workflows: a `notice`, a `warning` or an `error`.

    >>> annotation("error", "a: b", "50 %")
    '::error title=a%3A b::50 %25'
    """
    shown = printable_cell(message, ("\n", "\r")).translate(_IN_MESSAGES)
    return f"::{level} title={printable(title).translate(_IN_PROPERTIES)}::{shown}"


def github_summary(table: str, gates: Sequence[WordedGate]) -> str:
    """Return the summary of a step of a GitHub workflow, in Markdown: the gates, then the table of results."""
    layout = LAYOUTS["markdown"]
    sections = [layout.section(gates_section(gates))] if gates else []
    return layout.document([*sections, table]) + "\n"


def junit(gates: Sequence[WordedGate]) -> str:
    """Return JUnit XML with a test case for each verdict."""
    failures = sum([not gate.passed for gate in gates])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>",
             f'<testsuite name="purebleu" tests="{len(gates)}" failures="{failures}" errors="0" skipped="0">']
    for gate in gates:
        case = f'<testcase classname="{xml_text(gate.system)}" name="{xml_text(gate.name)}"'
        sentence = xml_text(gate.sentence)
        content = "" if gate.passed else f'<failure message="{sentence}"/>'
        lines.append(f"{case}>{content}<system-out>{sentence}</system-out></testcase>")
    return "\n".join([*lines, "</testsuite>", "</testsuites>", ""])


def hidden_losses(gates: Sequence[Gate], results: Results, width: int) -> list[str]:
    """Return a list with a line on losses that `--must-not-lose` may overlook; empty if no system can fail such a gate.

    For each metric, the line has the smallest loss that the test finds in every system with a probability of 80 %. With
    Holm's correction, this probability holds if the test finds no other loss.
    """
    levels = [_strictest_level(gate, results) for gate in gates if gate.kind == MUST_NOT_LOSE]
    levels = [level for level in levels if results.lowest_p <= level]
    parts: list[str] = []
    for index, score in enumerate(results.scores[0] if levels else ()):
        error = max([results.differences[index][0, system].standard_error
                     for system in range(1, len(results.systems))])
        places = max(results.places(index, width), 2)
        if error:  # (an error of 0: all systems have the baseline's score in each resample)
            parts.append(f"{detectable_difference(error, levels[0]):.{places}f} {score.name}")
    corrected = ""
    if results.family > 1:
        corrected = f", which Holm's correction for {results.family} tests requires of the lowest p"
    return [f"the test may overlook losses below {', '.join(parts)}: it finds such a loss with a probability of "
            f"less than {100 * POWER:.0f} % (at p <= {levels[0]:.4g}{corrected})"] if parts else []
