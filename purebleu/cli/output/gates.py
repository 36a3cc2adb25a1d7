"""The verdicts of gates: from results and findings to messages, files and the exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...errors import PurebleuError
from ...report.formats import GITHUB
from ...report.gates import (
    Gate,
    WordedGate,
    gate_lines,
    github_summary,
    limit_verdicts,
    paired_verdicts,
    worded_verdicts,
)
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


def add_to_summary(markdown: str, gates: Sequence[WordedGate]) -> None:
    """Append gates, and results in Markdown, to the file that GitHub names; outside GitHub, do nothing."""
    if path := os.environ.get(_SUMMARY):
        try:
            with open(path, "a", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(github_summary(markdown, gates))
        except OSError as error:
            raise PurebleuError(f"{path}: {error.strerror or error}") from error
