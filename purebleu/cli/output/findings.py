"""Checks of outputs, with what they need from the corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...checks.findings import CheckedSystems, checked_systems, missing_for
from ...checks.texts import Against
from ...errors import OptionError
from ...report.checks import check_gates
from ...report.gates import WordedGate
from ..corpus.scored import CorpusTexts


def findings_in(names: Sequence[str], texts: CorpusTexts, thresholds: Mapping[str, float],
                checks: Sequence[str] = (), first: int = 0) -> CheckedSystems:
    """Look for faults in systems.

    Args:
        names: the names of the systems.
        texts: the text of the corpus.
        thresholds: other thresholds than the usual ones, by the names of checks.
        checks: the names of the checks; empty: all of them.
        first: the index of the first of these systems in the text.
    """
    against = Against(texts.listed.columns.get("src"), texts.references)
    return checked_systems(names, texts.outputs[first:], against, thresholds, checks, texts.listed.numbers)


def check_needs(checks: Sequence[str], has_source: bool, has_references: bool, systems: int) -> None:
    """Raise `OptionError` if an input that a gate of these checks needs is missing."""
    for check, needed in missing_for(checks, has_source, has_references, systems).items():
        hint = " (--source FILE)" if "source" in needed else ""
        raise OptionError(f"--fail-on {check} needs {needed}{hint}", option="fail_on")


def gates_in(found: CheckedSystems, checks: Mapping[str, str]) -> list[WordedGate]:
    """The gates of checks; raises `OptionError` for one that needs more systems (as standard input may have one)."""
    for check in checks:
        if check in found.not_looked_at:
            raise OptionError(f"--fail-on {check} needs {found.not_looked_at[check]}", option="fail_on")
    return check_gates(found, checks)
