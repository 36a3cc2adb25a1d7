"""Checks of outputs, with what they need from the corpus; and outputs without the phrases of language models."""

from __future__ import annotations

from ...checks.findings import CheckedSystems, checked_systems, missing_for
from ...checks.phrases.matching import fixed
from ...checks.texts import Against
from ...errors import OptionError, counted
from ...files.writing import write_content
from ...hints import Mapping, Sequence
from ...report.checks import check_gates
from ...report.gates import WordedGate
from ..corpus.inputs import FIXED_MARK, Inputs
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
    against = Against(texts.listed.columns.get("src"), texts.references, texts.outputs[first:])
    return checked_systems(names, against, thresholds, checks, texts.listed.numbers)


def check_needs(checks: Mapping[str, str], inputs: Inputs) -> None:
    """Raise `OptionError` if an input that a gate of these checks needs is missing."""
    has_source = bool(inputs.source or inputs.selection)
    for check, needed in missing_for([*checks], has_source, inputs.has_references, len(inputs.files) or 2).items():
        hint = " (--source FILE)" if "source" in needed else ""
        raise OptionError(f"--fail-on {check} needs {needed}{hint}", option="fail_on")


def gates_in(found: CheckedSystems, checks: Mapping[str, str]) -> list[WordedGate]:
    """The gates of checks; raises `OptionError` for one that needs more systems (as standard input may have one)."""
    for check in checks:
        if check in found.not_looked_at:
            raise OptionError(f"--fail-on {check} needs {found.not_looked_at[check]}", option="fail_on")
    return check_gates(found, checks)


def write_fixed(paths: Sequence[str], names: Sequence[str], texts: CorpusTexts) -> list[str]:
    """Write the fixed outputs of each system, and return what was taken away, line by line, in words.

    A file of JSON Lines has a mark, so that scores of it are signed (`fix:1`), and all that was taken away (`taken`).
    """
    import json

    against = Against(texts.listed.columns.get("src"), texts.references)
    messages: list[str] = []
    for path, name, outputs in zip(paths, names, texts.outputs):
        is_json, changed = path.endswith(".jsonl"), 0
        lines: list[str] = []
        for index, output in enumerate(outputs):
            text, taken = fixed(output, against, index)
            number = texts.listed.numbers[index] if texts.listed.numbers else index + 1
            if taken:
                changed += 1
                shown = ", ".join([json.dumps(part, ensure_ascii=False) for part in taken])
                messages.append(f"{name}, line {number}: removed {shown}")
            if is_json:
                record = {"line": number, "text": text, "taken": taken}
                lines.append(FIXED_MARK + json.dumps(record, ensure_ascii=False)[1:])
            else:
                lines.append(" ".join(text.splitlines()))
        write_content(path, "".join([f"{line}\n" for line in lines]).encode("utf-8", "replace"))
        note = "" if is_json else "; signatures say so (fix:1) only if the file's name ends in .jsonl"
        messages.append(f"{path}: {counted(changed, 'line')} of {len(outputs):,} fixed{note}")
    return messages
