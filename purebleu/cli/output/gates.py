"""The verdicts of gates: from results and findings to messages, files and the exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...errors import PurebleuError
from ...report.formats import GITHUB
from ...report.gates import (
    MUST_NOT_LOSE,
    Gate,
    WordedGate,
    gate_lines,
    github_summary,
    junit,
    limit_verdicts,
    paired_verdicts,
    worded_verdicts,
)
from ...significance.paired import POWER, detectable_difference
from ...significance.results import Results
from ..arguments.command import Answer
from ..corpus.scored import Scored

#: The variable that names the file which GitHub shows on the page of a run.
_SUMMARY = "GITHUB_STEP_SUMMARY"

#: The exit code if a gate fails.
GATE_FAILED = 3


def gates_of_scores(gates: Sequence[Gate], scored: Scored, results: Results, has_baseline: bool,
                    width: int) -> list[WordedGate]:
    """The gates of scores with their verdicts in words.

    Args:
        gates: the gates.
        scored, results: the systems and their results; the first is the baseline, if there is one.
        has_baseline: whether there is one.
        width: the minimum number of decimal places of scores.
    """
    first = 1 if has_baseline else 0
    names = scored.names
    metric_names = [metric.registered_name.lower() for metric in scored.metrics]
    verdicts = limit_verdicts(gates, names[first:], metric_names, results.scores[first:])
    if has_baseline:
        verdicts += paired_verdicts(gates, names, scored.metrics, results)
    return worded_verdicts(verdicts, width)


def gated(text: str | None, gates: Sequence[WordedGate], form: str, quiet: bool = False) -> Answer:
    """The answer with a message for each gate (in GitHub's format, the text has these).

    If `quiet`, gates that pass have no message.
    """
    reported = [] if form == GITHUB else [gate for gate in gates if not (quiet and gate.passed)]
    return Answer(text, gate_lines(reported), 0 if all(gate.passed for gate in gates) else GATE_FAILED)


def hidden_losses(gates: Sequence[Gate], results: Results, width: int) -> list[str]:
    """The loss that `--must-not-lose` may have overlooked, as one line; none without such a gate.

    It is the smallest one that the test finds with a probability of 80 %; of several systems, the largest.
    """
    levels = [gate.limit for gate in gates if gate.kind == MUST_NOT_LOSE]
    parts: list[str] = []
    for index, score in enumerate(results.scores[0] if levels else ()):
        error = max([results.differences[index][0, system].standard_error
                     for system in range(1, len(results.systems))])
        places = max(results.places(index, width), 2)
        parts.append(f"{detectable_difference(error, levels[0]):.{places}f} {score.name}")
    return [f"the test finds a loss smaller than {', '.join(parts)} with a probability of less than {100 * POWER:.0f} "
            f"% (at p <= {levels[0]:g})"] if parts else []


def write_junit(path: str, gates: Sequence[WordedGate]) -> None:
    """Write the verdicts of gates as JUnit's XML."""
    from ...files.writing import write_named, writer_of

    write_named(path, writer_of(junit(gates).encode("utf-8")))


def add_to_summary(markdown: str, gates: Sequence[WordedGate]) -> None:
    """Append gates, and results in Markdown, to the file that GitHub names; outside GitHub, do nothing."""
    if path := os.environ.get(_SUMMARY):
        try:
            with open(path, "a", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(github_summary(markdown, gates))
        except OSError as error:
            raise PurebleuError(f"{path}: {error.strerror or error}") from error
