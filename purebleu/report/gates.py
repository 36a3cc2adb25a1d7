"""Verdicts of gates as lines of text, as GitHub's annotations and step summary, and as JUnit's XML."""

from __future__ import annotations

from ..errors import printable
from ..significance.gates import MARGIN, MUST_NOT_LOSE, UNDER, keeps_limit
from .colors import printable_cell
from .layouts import LAYOUTS, Section
from .markup import xml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.gates import Verdict
    from ..significance.results import Results

#: The minimum number of decimal places, so that a score near a limit reads differently from the limit.
_MIN_WIDTH = 4

#: The escapes of GitHub's commands, in a message and in a property.
_IN_MESSAGES = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_IN_PROPERTIES = {**_IN_MESSAGES, ord(":"): "%3A", ord(","): "%2C"}


class WordedGate:
    """The verdict of a gate on a system, in words.

    Attributes:
        name: the name of the gate: the option that asks for it.
        system: the name of the system.
        sentence: the result, as a sentence.
        passed: whether the system passes.
    """

    def __init__(self, name: str, system: str, sentence: str, passed: bool) -> None:
        self.name = name
        self.system = system
        self.sentence = sentence
        self.passed = passed


def worded_verdicts(verdicts: Sequence[Verdict], width: int) -> list[WordedGate]:
    """Verdicts in words; `width` is the minimum number of decimal places of scores."""
    return [WordedGate(gate_name(verdict), verdict.system, gate_sentence(verdict, width), verdict.passed)
            for verdict in verdicts]


def gate_name(verdict: Verdict) -> str:
    """The name of a gate: the option that asks for it, with the metric.

    >>> from purebleu.significance.gates import Gate, Verdict
    >>> gate_name(Verdict(Gate("min", 30.0, "bleu"), "out.txt", "BLEU", 29.96, False))
    '--min BLEU=30'
    """
    gate = verdict.gate
    limit = f"{gate.limit:g}" if float(f"{gate.limit:g}") == gate.limit else repr(gate.limit)
    if verdict.difference:
        return f"--{gate.kind} {limit} ({verdict.metric})"
    return f"--{gate.kind} {verdict.metric}={limit}"


def gate_sentence(verdict: Verdict, width: int) -> str:
    """The verdict of a gate on a system, in one line."""
    digits = _digits_needed(verdict, width)
    sentence = f"{verdict.metric} of {verdict.system} is {verdict.score:.{digits}f}"
    difference = verdict.difference
    if difference is None:
        kind = "below" if verdict.gate.kind == UNDER else "above"
        return f"{sentence}, {'not ' if verdict.passed else ''}{kind} the limit"
    sentence += (f", {difference.value:+.{digits}f} ± {difference.half_width:.{digits}f} from the baseline's "
              f"{verdict.score - difference.value:.{digits}f}")
    if verdict.gate.kind == MUST_NOT_LOSE:
        return f"{sentence} (p = {verdict.p_value:.4f}), {'not ' if verdict.passed else ''}significantly worse"
    assert verdict.gate.kind == MARGIN
    return (f"{sentence} (95 % interval: {difference.low:+.{digits}f} to {difference.high:+.{digits}f}), "
            f"{'within' if verdict.passed else 'not shown to be within'} the margin")


def _digits_needed(verdict: Verdict, width: int) -> int:
    """The number of decimal digits that shows on which side of its limit a score is."""
    digits = max(width, _MIN_WIDTH)
    if verdict.difference is None:
        while keeps_limit(verdict.gate, float(f"{verdict.score:.{digits}f}")) != verdict.passed:
            digits += 1
    return digits


def gate_lines(gates: Sequence[WordedGate]) -> list[str]:
    """A line for each gate and system."""
    return [f"gate {'passed' if gate.passed else 'FAILED'}: {gate.name}: {gate.sentence}" for gate in gates]


def gates_section(gates: Sequence[WordedGate]) -> Section:
    """A table of gates."""
    return Section("Gates", tables=[[
        ("Gate", [gate.name for gate in gates]),
        ("Result", ["passed" if gate.passed else "FAILED" for gate in gates]),
        ("What was found", [gate.sentence for gate in gates])]])


def github_annotations(names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                       gates: Sequence[WordedGate], width: int) -> str:
    """Commands for GitHub's workflows: an error for each failed gate, a notice for each other gate and each score."""
    lines = gate_annotations(gates)
    for name, system_results in zip(names, results.systems):
        lines += [annotation("notice", metric, f"{name}: {result.score:.{results.places(index, width)}f} "
                                               f"({signature.format()})")
                  for index, ((metric, signature), result) in enumerate(zip(signatures.items(), system_results))]
    return "\n".join(lines)


def gate_annotations(gates: Sequence[WordedGate]) -> list[str]:
    """A command for each gate and system; the failed ones come first."""
    return [annotation("notice" if gate.passed else "error", gate.name, gate.sentence)
            for gate in sorted(gates, key=lambda gate: gate.passed)]


def annotation(level: str, title: str, message: str) -> str:
    """A command of GitHub's: a `notice`, a `warning` or an `error`.

    >>> annotation("error", "a: b", "50 %")
    '::error title=a%3A b::50 %25'
    """
    shown = printable_cell(message, ("\n", "\r")).translate(_IN_MESSAGES)
    return f"::{level} title={printable(title).translate(_IN_PROPERTIES)}::{shown}"


def github_summary(table: str, gates: Sequence[WordedGate]) -> str:
    """A step summary in Markdown: the gates, and below them the table of results."""
    layout = LAYOUTS["markdown"]
    sections = [layout.section(gates_section(gates))] if gates else []
    return layout.document([*sections, table]) + "\n"


def junit(gates: Sequence[WordedGate]) -> str:
    """JUnit's XML: a test case for each gate and system."""
    failures = sum([not gate.passed for gate in gates])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>",
             f'<testsuite name="purebleu" tests="{len(gates)}" failures="{failures}" errors="0" skipped="0">']
    for gate in gates:
        case = f'<testcase classname="{xml_text(gate.system)}" name="{xml_text(gate.name)}"'
        sentence = xml_text(gate.sentence)
        content = "" if gate.passed else f'<failure message="{sentence}"/>'
        lines.append(f"{case}>{content}<system-out>{sentence}</system-out></testcase>")
    return "\n".join([*lines, "</testsuite>", "</testsuites>", ""])
