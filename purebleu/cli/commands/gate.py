"""`purebleu gate`: fail in continuous integration."""

from __future__ import annotations

from functools import partial
from itertools import chain

from ...checks.table import CHECKS
from ...files.writing import write_content
from ...metrics.base import Metric
from ...metrics.score import Score
from ...report.formats import FORMATS, GITHUB, PairResults, Style
from ...report.gates import MARGIN, MUST_NOT_LOSE, OVER, UNDER, Gate, WordedGate, gates_of_scores, hidden_losses, junit
from ...report.worth import ran_text, ran_texts
from ...runtime.errors import OptionError, warn
from ...runtime.hints import Mapping, Sequence
from ..arguments.command import FOR_PROGRAMS, Answer, Command, CorpusValues, style_of
from ..arguments.groups import OUTPUT, Option, corpus_groups
from ..arguments.values import check_needs, metric_and_limit, metric_settings, not_negative_float, one_each, probability
from ..corpus.inputs import check_baseline, inputs_of
from ..corpus.score import MetricChoice, Scored, Scoring, save_rows, scored_from
from ..output.results import Printing, Testing, gated, is_table, system_text, table_text, warn_of_scores
from ..process import collected_warnings
from .test import TestValues, test_groups

#: The default of `--must-not-lose`: the largest p-value of a significant loss.
_USUAL_P = 0.05


class GateValues(CorpusValues, TestValues):
    """The values of the options of `purebleu gate`. (By default, p-values are not corrected.)"""

    min: list[tuple[str, float]] = []
    max: list[tuple[str, float]] = []
    baseline: str = ""
    must_not_lose: float | None = None
    margin: float | None = None
    fail_on: list[list[tuple[str, str]]] = []
    check_threshold: list[tuple[str, float]] = []
    junit: str = ""
    report: str = ""
    save_rows: str = ""
    correction: str = "none"


def run_gate(values: GateValues) -> Answer:
    """Score outputs, and fail if a gate fails."""
    gates, checks = _gates_of(values), one_each(chain(*values.fail_on), "fail_on")
    check_needs(gates or checks, "gate", "at least one of --min M=X, --max M=X, --baseline FILE, --fail-on CHECKS")
    style = style_of(values)
    testing = Testing(values, values.test if values.baseline else None, values.samples,
                      corrects=values.correction == "holm", exact=values.exact,
                      differences=values.confidence_n if values.baseline else 0)
    thresholds = _thresholds(values, checks)
    if values.manifest and not values.langpair:
        return _gate_pairs(values, gates, style)
    scored = _scored_for_gates(values, gates, checks)
    of_checks = _verdicts_of_checks(checks, thresholds, scored, 1 if values.baseline else 0) if checks else []
    if values.group:
        from ..output.pairs import groups_of, results_of_groups

        groups = groups_of(scored, testing)
        of_groups = results_of_groups(groups, testing, values.signature)
        save_rows(values.save_rows, scored)
        return _gated_pairs(values, style, gates, groups, of_groups, of_checks)
    if values.report:
        from ..output.page import summarized

        testing.intervals = values.confidence_n
        summary = summarized(scored, testing)
        results = summary.results
    else:
        summary, results = None, testing.results(scored)
    warn_of_scores(scored, results, values.signature)
    verdicts = gates_of_scores(gates, scored.names, scored.metrics, results, bool(values.baseline), style.width)
    verdicts += of_checks
    printing = Printing(style, signature=values.signature)
    text = (table_text(scored, results, printing, verdicts) if is_table(scored, style) else
            system_text(scored, testing, printing))
    save_rows(values.save_rows, scored)
    if summary is not None:
        from ...report.gates import gates_section
        from ...report.page.document import page_text
        from ..output.page import PageSettings, page_of

        page = page_of(scored, summary, PageSettings(values.arguments, values.width, values.rows))
        page.gates = [gates_section(verdicts)]
        write_content(values.report, page_text(page).encode("utf-8", "replace"))
    return _gate_answer(values, style, text, verdicts, [ran_text(results)], hidden_losses(gates, results, style.width))


def _gate_answer(values: GateValues, style: Style, text: str, verdicts: Sequence[WordedGate], ran: Sequence[str],
                 hidden: Sequence[str] = ()) -> Answer:
    """Return the answer with the verdicts. If `--junit` is given, write the verdicts to its file, too.

    The sentences in `ran` say what was tested. The sentences in `hidden` say which losses a test may have overlooked.
    """
    if values.junit:
        write_content(values.junit, junit(verdicts).encode("utf-8"))
    answer = gated(text, verdicts, style.form, values.quiet)
    if values.baseline and not values.quiet:
        answer.messages = [*ran, *answer.messages, *hidden]
    return answer


def _scored_for_gates(values: GateValues, gates: Sequence[Gate], checks: Mapping[str, str]) -> Scored:
    """Score the systems and the baseline. Keep rows and texts if checks, tests or output files need them."""
    baseline, is_stored = values.baseline, False
    if baseline:
        from ...rows import is_file_of_rows

        is_stored = is_file_of_rows(baseline)
        check_needs(is_stored or not values.rows, "--rows", f"a baseline of stored rows, but {baseline} has none",
                    "baseline")
        if values.rows:
            check_baseline(baseline, values.rows, "--rows")
    inputs = inputs_of(values, baseline="" if is_stored else baseline)
    choice = MetricChoice(values, inputs, keeps_order=bool(baseline))
    if checks:
        from .check import check_inputs_of_gates

        check_inputs_of_gates(checks, inputs)
    inputs.check_targets({"--save-rows": values.save_rows, "--report": values.report, "--junit": values.junit},
                         [*values.rows, *([baseline] if baseline else [])])
    with collected_warnings() as warned:
        scoring = Scoring(values.jobs, keeps_rows=bool(baseline or values.save_rows or values.report or values.group),
                          checks_references=bool(baseline), stored_baseline=baseline if is_stored else "",
                          offset=0 if values.save_rows else None, check=partial(_check_limits, gates))
        return scored_from(inputs, choice, scoring, warned if checks or values.report else None)


def _verdicts_of_checks(checks: Mapping[str, str], thresholds: Mapping[str, float], scored: Scored,
                        first: int) -> list[WordedGate]:
    """Return the verdicts of checks on systems. `first` is the index of the first system that is not the baseline."""
    from .check import findings_in, gates_in

    assert scored.texts is not None, "checks need texts"
    left_out = first if scored.inputs.has_baseline else 0
    return gates_in(findings_in(scored.names[first:], scored.texts, thresholds, [*checks], left_out), checks)


def _gates_of(values: GateValues) -> list[Gate]:
    """Return the gates for scores, in the order of the help."""
    gates = [Gate(kind, limit, metric_settings([name])[0][0])
             for kind, limits in ((UNDER, values.min), (OVER, values.max)) for name, limit in limits]
    loss = values.must_not_lose
    if values.baseline and loss is None and values.margin is None:
        loss = _USUAL_P
    if loss is not None:
        gates.append(Gate(MUST_NOT_LOSE, loss))
    if values.margin is not None:
        gates.append(Gate(MARGIN, values.margin))
    return gates


def _check_limits(gates: Sequence[Gate], metrics: Sequence[Metric[Score]]) -> None:
    """Check the limits of scores, and warn of limits that look like mistakes.

    Raises:
        OptionError: a metric with a limit is not scored, or lower scores are better, but there is only a lower limit.
    """
    upper = [gate.metric for gate in gates if gate.kind == OVER]
    by_name = {metric.registered_name.lower(): metric for metric in metrics}
    for gate in gates:
        check_needs(gate.metric in (None, *by_name), f"--{gate.kind}", f"-m {gate.metric}", gate.kind)
        if gate.metric is None:
            continue
        metric, option = by_name[gate.metric], f"--{gate.kind} {gate.metric}={gate.limit:g}"
        if gate.kind == UNDER and gate.metric not in upper and metric.LOWER_IS_BETTER:
            raise OptionError(f"lower {gate.metric} scores are better, so {option} would fail better systems: "
                              f"write --max {gate.metric}={gate.limit:g}", option="min")
        if gate.kind == UNDER and gate.limit <= 0 and metric.SCALE:
            warn(f"no score is below 0, so every system passes {option}")
        elif 0 < gate.limit < 1 and metric.SCALE == 100:
            warn(f"{option} means {gate.limit:g} on a scale up to 100: for {100 * gate.limit:g} %, "
                 f"write --{gate.kind} {gate.metric}={100 * gate.limit:g}")


def _thresholds(values: GateValues, checks: Mapping[str, str]) -> dict[str, float]:
    """Return the thresholds by check. Raise `OptionError` if a threshold or the source has no effect."""
    thresholds: dict[str, float] = one_each(values.check_threshold, "check_threshold")
    for name in thresholds:
        check_needs(name in checks, f"--check-threshold {name}", f"--fail-on {name}", "check_threshold")
    values.check_uses(source=(values.report or any(CHECKS[name].uses_source for name in checks),
                              "--report, or a check that uses the source (--fail-on)"))
    return thresholds


def _gate_pairs(values: GateValues, gates: Sequence[Gate], style: Style) -> Answer:
    """Check the limits of scores on each language pair of a manifest."""
    from ..output.pairs import pair_results, scored_pairs

    check_needs(style.form != GITHUB, f"-f {GITHUB}", "one language pair: choose it with -l", "format")
    testing = Testing(values)
    pairs = scored_pairs(values, Scoring(values.jobs, check=partial(_check_limits, gates)))
    results = [pair_results(pair, testing.results(pair)) for pair in pairs]
    return _gated_pairs(values, style, gates, pairs, results)


def _gated_pairs(values: GateValues, style: Style, gates: Sequence[Gate], pairs: Sequence[Scored],
                 results: Sequence[PairResults], of_checks: Sequence[WordedGate] = ()) -> Answer:
    """Return the answer with the verdicts on each language pair or group, and with the verdicts of checks."""
    from ..output.pairs import pairs_text

    verdicts: list[WordedGate] = []
    for scored, of_pair in zip(pairs, results):
        scored.names = [f"{name} on {scored.pair}" for name in scored.names]
        verdicts += gates_of_scores(gates, scored.names, scored.metrics, of_pair.results, bool(values.baseline),
                                    style.width)
    verdicts += of_checks
    text = pairs_text(results, style, group=pairs[0].inputs.group_column)
    return _gate_answer(values, style, text, verdicts, ran_texts(results))


GATE = Command(
    "gate", "gate [options] {REFERENCE ... | -t NAME -l SRC-TRG} [-i FILE ...] GATES",
    "Fail (exit code 3) if scores are too low, if a system is worse than a baseline, or if outputs have faults.",
    run_gate, GateValues, (
        Option("--min", form="several", convert=metric_and_limit, metavar="M=X",
               help="fail if a system's score under the metric M, before rounding, is below X"),
        Option("--max", form="several", convert=metric_and_limit, metavar="M=X",
               help="fail if a system's score under M is above X (for TER, or for scores too good to be true)"),
        Option("--baseline", metavar="FILE", help="the output to compare with, or a file of its rows (--save-rows)",
               more="without --margin, --must-not-lose 0.05 is the default"),
        Option("--must-not-lose", form="optional", constant=_USUAL_P, convert=probability, metavar="P",
               needs=("baseline",),
               help="fail if a system is worse than the baseline, and the paired test finds p <= P (default: 0.05)"),
        Option("--margin", convert=not_negative_float, metavar="X", needs=("baseline",),
               help="fail if the 95% interval of a system's difference from the baseline includes a loss of X or more"),
        "fail_on", "check_threshold", "source", "junit",
        Option("--report", metavar="FILE", help="also write an HTML page with all verdicts"),
        "save_rows", "signature",
    ), (*test_groups("none", ("baseline",), ("baseline", "report")), *corpus_groups("rows", "manifest", "group"),
        OUTPUT),
    ("text", *[form for form in FORMATS if form != "text"]), (
        ("ref.txt -i out.txt --min bleu=30 --max ter=60", "limits"),
        ("ref.txt -i out.txt --baseline last-week.txt", "is the output worse than last week's?"),
    ), ignored=(("width", FOR_PROGRAMS), ("short", FOR_PROGRAMS)))
