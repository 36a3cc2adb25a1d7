"""The checks of `--check` and `--fail-on`, with their inputs from the options and the corpus."""

from __future__ import annotations

from ...checks.against import Against
from ...checks.findings import checked_systems, missing_for
from ...errors import OptionError
from ...report.checks import check_gates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...checks.findings import CheckedSystems
    from ...report.gates import WordedGate
    from ..arguments.options import Options
    from ..scoring.types import CorpusTexts, Scored


def gates_of_scored(options: Options, scored: Scored) -> list[WordedGate]:
    """The gates of `--fail-on` for the systems that were scored, except for a baseline."""
    texts = scored.texts
    assert texts is not None, "they are kept for this"
    baselines_with_text = 1 if options.baseline and not options.stored_baseline else 0
    names = scored.inputs[1 if options.baseline else 0:]
    findings = findings_in(options, names, texts, options.fail_on, baselines_with_text)
    return check_gates(findings, options.fail_on)


def findings_in(options: Options, names: Sequence[str], texts: CorpusTexts, checks: Sequence[str] = (),
             first: int = 0) -> CheckedSystems:
    """The findings of checks in systems.

    Args:
        options: the options of the command line.
        names: the names of the systems.
        texts: the text of the corpus.
        checks: the names of the checks; empty: all of them.
        first: the index of the first of these systems in the text.

    Raises:
        OptionError: an input that a gate needs is missing.
    """
    against = Against(texts.listed.columns.get("src"), texts.references)
    check_needs(options, against.source is not None, bool(against.references), len(names))
    return checked_systems(names, texts.outputs[first:], against, dict(options.check_threshold), checks,
                           texts.listed.numbers)


def check_needs(options: Options, has_source: bool, has_references: bool, systems: int) -> None:
    """Raise `OptionError` where an input that a gate needs is missing."""
    missing = missing_for(options.fail_on, has_source, has_references, systems)
    for check, needed in missing.items():
        hint = " (--source FILE)" if "source" in needed else ""
        raise OptionError(f"--fail-on {check} needs {needed}{hint}", option="fail_on")
