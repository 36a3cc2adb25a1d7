"""`purebleu check`: faults in outputs, compared with their source and references, without scores."""

from __future__ import annotations

from itertools import chain

from ...errors import OptionError
from ...files.writing import write_content
from ...metrics.input_checks import InputChecks
from ...report.checks import annotations_of_checks, check_report
from ...report.formats import FORMATS, GITHUB, PAPER, SIGNED_JSON
from ...report.gates import junit
from ..arguments.command import Answer, Command, CorpusValues, style_of
from ..arguments.groups import OUTPUT, Option, input_groups
from ..arguments.values import check_names, one_each
from ..corpus.inputs import inputs_of
from ..corpus.read import read_texts
from ..output.findings import check_needs, findings_in, gates_in, write_fixed
from ..output.gates import add_to_summary, gated


class CheckValues(CorpusValues):
    """The values of its options."""

    only: list[list[str]] = []
    check_threshold: list[tuple[str, float]] = []
    fail_on: list[list[tuple[str, str]]] = []
    fix: list[str] = []
    junit: str = ""


def run_check(values: CheckValues) -> Answer:
    """Look for faults in all systems; if there are gates, the exit code says whether they pass."""
    style = style_of(values)
    inputs = inputs_of(values, needs_references=False)
    fail_on = one_each(chain(*values.fail_on), "fail_on")
    only = list(dict.fromkeys(chain(*values.only)))
    thresholds = one_each(values.check_threshold, "check_threshold")
    for name in (*fail_on, *thresholds):
        if only and name not in only:
            raise OptionError(f"{name} is not among the checks of --only {','.join(only)}", option="only")
    check_needs(fail_on, inputs)
    inputs.check_targets({"--junit": values.junit, "--fix": values.fix})
    if values.fix and len(values.fix) != (len(inputs.files) or 1):
        raise OptionError(f"--fix takes a file for each system: give {len(inputs.files) or 1}, not {len(values.fix)}",
                          option="fix")
    if any(path.endswith(".gz") for path in values.fix):
        raise OptionError("--fix writes no compressed files", option="fix")
    texts = read_texts(inputs, InputChecks(samples=True))
    names = inputs.short_system_names(len(texts.outputs))
    findings = findings_in(names, texts, thresholds, only)
    if only and set(only) <= set(findings.not_looked_at):
        needs = "; ".join([f"{check} needs {needed}" for check, needed in findings.not_looked_at.items()])
        raise OptionError(f"--only chooses checks that can't be made: {needs}", option="only")
    gates = gates_in(findings, fail_on)
    fixed = write_fixed(values.fix, names, texts) if values.fix else []
    if values.junit:
        write_content(values.junit, junit(gates).encode("utf-8"))
    if style.form == GITHUB:
        add_to_summary(check_report(findings, names, style.in_format("markdown")), gates)
        answer = gated(annotations_of_checks(findings, gates, [*fail_on]), gates, GITHUB)
    else:
        answer = gated(check_report(findings, names, style), gates, style.form, values.quiet)
    answer.messages = [*answer.messages, *([] if values.quiet else fixed)]
    return answer


CHECK = Command(
    "check", "check [options] [REFERENCE ... | -t NAME -l SRC-TRG] [-i FILE ...]",
    "Find faults in outputs, without scores: copies, loops, blank lines, chatter, lost numbers and so on. If there "
    "are references or a source, outputs are compared with them.",
    run_check, CheckValues, (
        Option("--only", form="each", convert=check_names, metavar="CHECKS",
               help="make only these checks (separated by commas)"),
        "check_threshold", "fail_on", "junit", "source",
        Option("--fix", form="several", metavar="FILE",
               help="also write the outputs without reasoning, preambles and code fences, a file for each system; "
                    "JSON Lines with the member text, if the file's name ends in .jsonl"),
    ), (*input_groups("manifest"), OUTPUT.only("format", "no_color")),
    ("text", *[form for form in FORMATS if form not in ("text", SIGNED_JSON, PAPER)]), (
        ("ref.txt -i out.txt --source src.txt", "all checks"),
        ("-i out.txt --source src.txt --fail-on empty,loop=0.5% -q", "fail if a check finds too many lines"),
    ))
