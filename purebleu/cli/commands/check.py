"""`purebleu check`: find faults in outputs without scoring them, from the source and the references."""

from __future__ import annotations

from itertools import chain

from ...checks.findings import CheckedSystems, checked_systems, missing_for
from ...checks.phrases.matching import fixed
from ...checks.texts import Against
from ...files.writing import write_content
from ...metrics.input_checks import InputChecks
from ...report.checks import annotations_of_checks, check_gates, check_report
from ...report.formats import FORMATS, GITHUB, PAPER, SIGNED_JSON
from ...report.gates import WordedGate, junit
from ...runtime.errors import OptionError, counted
from ...runtime.hints import Mapping, Sequence
from ..arguments.command import Answer, Command, CorpusValues, style_of
from ..arguments.groups import OUTPUT, Option, input_groups
from ..arguments.values import check_names, check_needs, check_takes, one_each
from ..corpus.inputs import FIXED_MARK, Inputs, check_number, inputs_of
from ..corpus.read import CorpusTexts, read_texts
from ..output.results import add_to_summary, gated


class CheckValues(CorpusValues):
    """The values of the options of `purebleu check`."""

    only: list[list[str]] = []
    check_threshold: list[tuple[str, float]] = []
    fail_on: list[list[tuple[str, str]]] = []
    fix: list[str] = []
    junit: str = ""


def run_check(values: CheckValues) -> Answer:
    """Look for faults in all systems. If there are gates (`--fail-on`), the exit code says whether they pass."""
    style = style_of(values)
    inputs = inputs_of(values, needs_references=False)
    fail_on = one_each(chain(*values.fail_on), "fail_on")
    only = list(dict.fromkeys(chain(*values.only)))
    thresholds = one_each(values.check_threshold, "check_threshold")
    for name in (*fail_on, *thresholds):
        check_needs(not only or name in only, f"the check {name} (of --fail-on or --check-threshold)",
                    "to be in --only, too", "only")
    check_inputs_of_gates(fail_on, inputs)
    inputs.check_targets({"--junit": values.junit, "--fix": values.fix})
    if values.fix:
        check_number("fix", values.fix, len(inputs.files) or 1)
    check_takes(not any(path.endswith(".gz") for path in values.fix), "--fix", "uncompressed files, not .gz", "fix")
    texts = read_texts(inputs, InputChecks(samples=True))
    names = inputs.short_system_names(len(texts.outputs))
    findings = findings_in(names, texts, thresholds, only)
    needs = "; ".join([f"{needed} (for {check})" for check, needed in findings.not_looked_at.items()])
    check_needs(not only or set(only) - set(findings.not_looked_at), f"--only {','.join(only)}", needs, "only")
    gates = gates_in(findings, fail_on)
    removed = write_fixed(values.fix, names, texts) if values.fix else []
    if values.junit:
        write_content(values.junit, junit(gates).encode("utf-8"))
    if style.form == GITHUB:
        add_to_summary(check_report(findings, names, style.in_format("markdown")), gates)
        answer = gated(annotations_of_checks(findings, gates, [*fail_on]), gates, GITHUB)
    else:
        answer = gated(check_report(findings, names, style), gates, style.form, values.quiet)
    answer.messages = [*answer.messages, *([] if values.quiet else removed)]
    return answer


def findings_in(names: Sequence[str], texts: CorpusTexts, thresholds: Mapping[str, float],
                checks: Sequence[str] = (), first: int = 0) -> CheckedSystems:
    """Look for faults in systems.

    Args:
        names: the names of the systems.
        texts: the text of the corpus.
        thresholds: thresholds by the names of checks. (Other checks have their usual thresholds.)
        checks: the names of the checks; empty: all checks.
        first: the index of the first of these systems in `texts.outputs`.
    """
    against = Against(texts.listed.columns.get("src"), texts.references, texts.outputs[first:])
    return checked_systems(names, against, thresholds, checks, texts.listed.numbers)


def check_inputs_of_gates(checks: Mapping[str, str], inputs: Inputs) -> None:
    """Raise `OptionError` if one of `checks` needs an input that was not given."""
    has_source = bool(inputs.source or inputs.selection)
    _check_complete(missing_for([*checks], has_source, inputs.has_references, len(inputs.files) or 2))


def _check_complete(missing: Mapping[str, str]) -> None:
    """Raise `OptionError` if a check lacks an input. `missing` maps checks to the inputs that they lack."""
    for check, needed in missing.items():
        hint = " (--source FILE)" if "source" in needed else ""
        raise OptionError(f"--fail-on {check} needs {needed}{hint}", "fail_on")


def gates_in(found: CheckedSystems, checks: Mapping[str, str]) -> list[WordedGate]:
    """Return the gates of checks. Raise `OptionError` if a check needs several systems, but there is only one."""
    _check_complete({check: found.not_looked_at[check] for check in checks if check in found.not_looked_at})
    return check_gates(found, checks)


def write_fixed(paths: Sequence[str], names: Sequence[str], texts: CorpusTexts) -> list[str]:
    """Write the fixed outputs of each system, and return messages about the texts that were removed.

    In a file of JSON Lines, each line begins with `FIXED_MARK`, so that signatures have `fix:1`. The member `taken`
    has the removed texts.
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
        note = "" if is_json else "; signatures have fix:1 only if the name of the fixed file ends in .jsonl"
        messages.append(f"{path}: {counted(changed, 'line')} of {len(outputs):,} fixed{note}")
    return messages


CHECK = Command(
    "check", "check [options] [REFERENCE ... | -t NAME -l SRC-TRG] [-i FILE ...]",
    "Find faults in outputs, without scores: copies, loops, blank lines, chatter, lost numbers and so on. Outputs are "
    "also compared with references and a source, if there are any.",
    run_check, CheckValues, (
        Option("--only", form="each", convert=check_names, metavar="CHECKS",
               help="make only these checks (separated by commas)"),
        "check_threshold", "fail_on", "junit", "source",
        Option("--fix", form="several", metavar="FILE",
               help="also write each system's outputs, without reasoning, preambles and code fences, to a file; a file "
                    "whose name ends in .jsonl has JSON Lines with each output in the member text"),
    ), (*input_groups("manifest"), OUTPUT.only("format", "no_color")),
    ("text", *[form for form in FORMATS if form not in ("text", SIGNED_JSON, PAPER)]), (
        ("ref.txt -i out.txt --source src.txt", "all checks"),
        ("-i out.txt --source src.txt --fail-on empty,loop=0.5% -q", "fail if a check finds too many lines"),
    ))
