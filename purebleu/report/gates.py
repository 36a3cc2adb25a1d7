"""What gates say, as lines of text, as GitHub's annotations and step summary, and as JUnit's XML."""

from __future__ import annotations

from ..significance.gates import MARGIN, MUST_NOT_LOSE, UNDER, keeps_limit
from .layouts import LAYOUTS, Section
from .markup import xml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ..metrics.score import Signature
    from ..significance.gates import Verdict
    from ..significance.results import Results

#: As many decimal places as this at least, so that a score near a limit can be told from it.
_MIN_WIDTH = 4

#: What GitHub's commands can't hold as it is, in a message and in a property.
_IN_MESSAGES = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_IN_PROPERTIES = {**_IN_MESSAGES, ord(":"): "%3A", ord(","): "%2C"}


def gate_name(verdict: Verdict) -> str:
    """What a gate is called: the option that asks for it, with the metric.

    >>> from purebleu.significance.gates import Gate, Verdict
    >>> gate_name(Verdict(Gate("fail-under", 30.0, "bleu"), "out.txt", "BLEU", 29.96, False))
    '--fail-under BLEU=30'
    """
    gate = verdict.gate
    limit = f"{gate.limit:g}" if float(f"{gate.limit:g}") == gate.limit else repr(gate.limit)
    if verdict.difference:
        return f"--{gate.kind} {limit} ({verdict.metric})"
    return f"--{gate.kind} {verdict.metric}={limit}"


def gate_sentence(verdict: Verdict, width: int) -> str:
    """What a gate says of a system, in one line."""
    digits = _digits_needed(verdict, width)
    found = f"{verdict.metric} of {verdict.system} is {verdict.score:.{digits}f}"
    difference = verdict.difference
    if difference is None:
        kind = "below" if verdict.gate.kind == UNDER else "above"
        return f"{found}, {'not ' * verdict.passed}{kind} the limit"
    found += (f", {difference.value:+.{digits}f} ± {difference.half_width:.{digits}f} from the baseline's "
              f"{verdict.score - difference.value:.{digits}f}")
    if verdict.gate.kind == MUST_NOT_LOSE:
        return f"{found} (p = {verdict.p_value:.4f}), {'not ' * verdict.passed}significantly worse"
    assert verdict.gate.kind == MARGIN
    return (f"{found} (95 % interval: {difference.low:+.{digits}f} to {difference.high:+.{digits}f}), "
            f"{'within' if verdict.passed else 'not shown to be within'} the margin")


def _digits_needed(verdict: Verdict, width: int) -> int:
    """The number of decimal digits that shows on which side of its limit a score is."""
    digits = max(width, _MIN_WIDTH)
    if verdict.difference is None:
        while keeps_limit(verdict.gate, float(f"{verdict.score:.{digits}f}")) != verdict.passed:
            digits += 1
    return digits


def gate_lines(verdicts: Sequence[Verdict], width: int) -> list[str]:
    """A line for each gate and system."""
    return [f"gate {'passed' if verdict.passed else 'FAILED'}: {gate_name(verdict)}: {gate_sentence(verdict, width)}"
            for verdict in verdicts]


def gates_section(verdicts: Sequence[Verdict], width: int) -> Section:
    """A table of gates."""
    return Section("Gates", tables=[[
        ("Gate", list(map(gate_name, verdicts))),
        ("Result", ["passed" if verdict.passed else "FAILED" for verdict in verdicts]),
        ("What was found", [gate_sentence(verdict, width) for verdict in verdicts])]])


def github_annotations(names: Sequence[str], results: Results, signatures: Mapping[str, Signature],
                       verdicts: Sequence[Verdict], width: int) -> str:
    """Commands for GitHub's workflows: an error for each gate that fails, a notice for each other, and each score."""
    lines = [_annotation("notice" if verdict.passed else "error", gate_name(verdict), gate_sentence(verdict, width))
             for verdict in sorted(verdicts, key=lambda verdict: verdict.passed)]
    for name, of_system in zip(names, results.systems):
        lines += [_annotation("notice", metric, f"{name}: {result.score:.{width}f} ({signature.format()})")
                  for (metric, signature), result in zip(signatures.items(), of_system)]
    return "\n".join(lines)


def _annotation(level: str, title: str, message: str) -> str:
    """A command of GitHub's.

    >>> _annotation("error", "a: b", "50 %")
    '::error title=a%3A b::50 %25'
    """
    return f"::{level} title={title.translate(_IN_PROPERTIES)}::{message.translate(_IN_MESSAGES)}"


def github_summary(table: str, verdicts: Sequence[Verdict], width: int) -> str:
    """A step summary: gates, and below them the comparison, as Markdown."""
    layout = LAYOUTS["markdown"]
    gates = [layout.section(gates_section(verdicts, width))] if verdicts else []
    return layout.document([*gates, table]) + "\n"


def junit(verdicts: Sequence[Verdict], width: int) -> str:
    """JUnit's XML: a test case for each gate and system."""
    failures = sum([not verdict.passed for verdict in verdicts])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>",
             f'<testsuite name="purebleu" tests="{len(verdicts)}" failures="{failures}" errors="0" skipped="0">']
    for verdict in verdicts:
        case = f'<testcase classname="{xml_text(verdict.system)}" name="{xml_text(gate_name(verdict))}"'
        sentence = xml_text(gate_sentence(verdict, width))
        content = "" if verdict.passed else f'<failure message="{sentence}"/>'
        lines.append(f"{case}>{content}<system-out>{sentence}</system-out></testcase>")
    return "\n".join([*lines, "</testsuite>", "</testsuites>", ""])
