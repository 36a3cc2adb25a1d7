"""The verdicts of gates: from results and findings to messages, files and the exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...errors import PurebleuError
from ...report.formats import GITHUB
from ...report.gates import WordedGate, gate_lines, github_summary
from ..arguments.command import Answer

#: The exit code if a gate fails.
GATE_FAILED = 3


def gated(text: str | None, gates: Sequence[WordedGate], form: str, quiet: bool = False) -> Answer:
    """The answer with a message for each gate (in GitHub's format, the text has these).

    If `quiet`, gates that pass have no message.
    """
    reported = [] if form == GITHUB else [gate for gate in gates if not (quiet and gate.passed)]
    return Answer(text, gate_lines(reported), 0 if all(gate.passed for gate in gates) else GATE_FAILED)


def add_to_summary(markdown: str, gates: Sequence[WordedGate]) -> None:
    """Append gates, and results in Markdown, to the file that GitHub shows for a run; elsewhere, do nothing."""
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with open(path, "a", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(github_summary(markdown, gates))
        except OSError as error:
            raise PurebleuError(f"{path}: {error.strerror or error}") from error
