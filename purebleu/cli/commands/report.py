"""`purebleu report`: one page of HTML."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...analysis.summary import Summary
from ...files.opening import check_readable
from ...files.writing import write_content
from ...report.agreement import agreement_sections
from ...report.comparison import group_sections
from ...report.formats import PairResults, Style
from ...report.page.content import Page
from ...report.page.document import page_text
from ...report.page.document import pairs_text as pages_text
from ...report.page.markup import PAGE_MARK
from ...report.worth import ran_text, ran_texts
from ...runtime.errors import OptionError
from ...significance.results import Results, correct_together
from ..arguments.command import FOR_PROGRAMS, Answer, Command, CorpusValues, style_of
from ..arguments.groups import OUTPUT, Option, corpus_groups
from ..arguments.values import MAX_NUMBER, not_negative, one_each
from ..corpus.inputs import inputs_of
from ..corpus.score import MetricChoice, Scored, Scoring, check_called, save_rows, scored_from
from ..output.page import PageSettings, page_of, summarized
from ..output.results import Printing, Testing, is_table, system_text, table_text, warn_of_scores
from ..process import collected_warnings
from .agree import HUMAN, HumanFiles, HumanValues, check_tests_of_metrics, measured_agreement
from .test import RESULT_FORMATS, TestValues, test_groups, testing_of, wanted_in

_USUAL_FILE = "report.html"

#: The number of bytes that are read from the beginning of a page to find `PAGE_MARK`.
_HEAD = 2000


class ReportValues(CorpusValues, TestValues, HumanValues):
    """The values of the options of `purebleu report`."""

    output: str = ""
    title: str = ""
    segments: int = MAX_NUMBER
    paths: bool = False
    no_tests: bool = False
    no_checks: bool = False
    check_threshold: list[tuple[str, float]] = []
    audit: bool = False
    nonbreaking_prefixes: str | None = None
    counts: str | None = None
    save_rows: str = ""


def run_report(values: ReportValues) -> Answer:
    """Write a page, and print the same as `purebleu test` (for a single system, the same as `purebleu score`)."""
    style = style_of(values)
    printed = not values.quiet, "printed results: leave out --quiet"
    values.check_uses(power=printed, short=printed)
    path = _target_of(values.output)
    if values.manifest and not values.langpair:
        return _report_pairs(values, path, style)
    with collected_warnings() as warned:
        scored, human = scored_for_report(values, warned, path)
        testing = testing_of_report(values, scored)
        text = ""
        groups: list[PairResults] = []
        if values.group:
            from ..output.pairs import groups_text

            text, groups = groups_text(scored, testing, style, values.signature)
        summary = summarized(scored, testing)
        page = page_of_report(values, scored, summary, human)
        if groups:
            page.groups = group_sections(groups, style.in_format("html"), scored.inputs.group_column)
            page.groups[0].heading = f"Scores by {scored.inputs.group_column}"
        content = page_text(page)
    if groups:
        ran = ran_texts(groups)
    else:
        text, ran = text_of_report(values, style, scored, summary.results), [ran_text(summary.results)]
    save_rows(values.save_rows, scored)
    write_content(path, content.encode("utf-8", "replace"))
    return _report_answer(values.quiet, text, ran, path)


def scored_for_report(values: ReportValues, warned: list[str], path: str = "",
                      checksums: bool = False) -> tuple[Scored, HumanFiles]:
    """Score the systems of one corpus, and read the human scores.

    Args:
        values: the options.
        warned: the warnings so far.
        path: the file that will be written; empty: there is none.
        checksums: whether checksums of the texts are needed for stored rows.
    """
    inputs = inputs_of(values, needs_files=True)
    choice = MetricChoice(values, inputs, keeps_order=True)
    human = HumanFiles(values, inputs)
    check_tests_of_metrics(values, choice.names, "trials")
    values.check_uses(audit=("bleu" in choice.names, "BLEU: add bleu to -m"))
    check_readable([values.nonbreaking_prefixes, values.counts])
    inputs.check_targets({"--output": path, "--save-rows": values.save_rows}, [*values.rows, *human.paths])
    human.read()
    check_called(values.against, inputs)
    scoring = Scoring(values.jobs, keeps_rows=True, checks_references=True,
                      offset=0 if values.save_rows or checksums else None)
    scored = scored_from(inputs, choice, scoring, warned)
    if values.against:
        scored.put_first(values.against)
    return scored, human


def testing_of_report(values: ReportValues, scored: Scored) -> Testing:
    """Return how the systems of a report are tested."""
    testing = testing_of(values, len(scored.systems))
    testing.intervals = values.confidence_n
    if values.no_tests:
        testing.test, testing.corrects, testing.ranks, testing.exact = None, False, False, False
    return testing


def text_of_report(values: ReportValues, style: Style, scored: Scored, results: Results) -> str:
    """Return the results that `purebleu report` prints. Warn of doubtful scores."""
    warn_of_scores(scored, results, values.signature)
    printing = Printing(style, wanted_in(values, style, scored), signature=values.signature)
    if is_table(scored, style) or values.power is not None:
        return table_text(scored, results, printing)
    return system_text(scored, Testing(values), printing)


def page_of_report(values: ReportValues, scored: Scored, summary: Summary, human: HumanFiles | None = None,
                   prefix: str = "") -> Page:
    """Return the page of one corpus. The ids in the page begin with `prefix` (see `page_of`)."""
    files = [*values.rows, *([values.manifest] if scored.pair else []), *(human.paths if human else [])]
    page = page_of(scored, summary, PageSettings(values.arguments, values.width, files, values.title, values.segments,
                                                 values.paths), prefix)
    texts = scored.texts
    if texts is None:
        return page
    if not values.no_checks:
        from .check import findings_in

        page.add_checks(findings_in(scored.names, texts, one_each(values.check_threshold, "check_threshold")))
    if human and human.paths:
        table = measured_agreement(scored, human, values.short)
        first, *others, _ = agreement_sections(table, Style("html", values.width, values.short))
        first.heading = "Measures and ranks"  # (Another section of the page has the signatures.)
        page.agreement = [first, *others]
    if values.audit:
        from ...audit.preprocessing import MosesSettings, audit_of
        from ...report.audit import audit_sections

        settings = MosesSettings(scored.inputs.target_language, values.nonbreaking_prefixes, values.counts)
        audit = audit_of([(texts.outputs, texts.references)], settings, scored.inputs.signature_fields,
                         jobs=values.jobs, short=values.short, warned_as=None)
        page.audit = audit_sections(scored.names, audit, values.width)
    return page


def _report_answer(is_quiet: bool, text: str, ran: Sequence[str], path: str) -> Answer:
    """Return the answer: the results, what was tested, and the file of the page. If `is_quiet`, it is empty."""
    return Answer() if is_quiet else Answer(text, [*ran, f"the report is in {path}"])


def _target_of(path: str) -> str:
    """Return `path`, or `_USUAL_FILE` if `path` is empty. Raise `OptionError` if another program wrote this file."""
    if path or not os.path.exists(_USUAL_FILE):
        return path or _USUAL_FILE
    with open(_USUAL_FILE, "rb") as file:
        if PAGE_MARK.encode("ascii") not in file.read(_HEAD):
            raise OptionError(f"{_USUAL_FILE} exists, and purebleu did not write it: choose another file with -o",
                              option="output")
    return _USUAL_FILE


def _report_pairs(values: ReportValues, path: str, style: Style) -> Answer:
    """Write one page of all language pairs of a manifest."""
    from ..output.pairs import pair_results, pairs_text, scored_pairs

    with collected_warnings() as warned:
        scoring = Scoring(values.jobs, keeps_rows=True, checks_references=True)
        pairs = scored_pairs(values, scoring, warned, path)
        summaries = [summarized(pair, testing_of_report(values, pair)) for pair in pairs]
        results = [pair_results(pair, summary.results) for pair, summary in zip(pairs, summaries)]
        if values.correction == "holm" and not values.no_tests:
            correct_together([pair.results for pair in results])
        pages = [page_of_report(values, pair, summary, prefix=f"p{number}-")
                 for number, (pair, summary) in enumerate(zip(pairs, summaries), 1)]
    write_content(path, pages_text(results, pages, values.width).encode("utf-8", "replace"))
    text = pairs_text(results, style, wanted_in(values, style, pairs[0]), values.autorank)
    return _report_answer(values.quiet, text, ran_texts(results), path)


REPORT = Command(
    "report", "report [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE ...",
    "Write one HTML page for a browser, which needs no network and no server. The page has scores, how certain they "
    "are, where systems differ, and faults in outputs. Also print what 'purebleu test -ci' prints. "
    "(For a single system without --power, print what 'purebleu score' prints.)",
    run_report, ReportValues, (
        Option("--output", "-o", metavar="FILE",
               help=f"the file of the page (default: {_USUAL_FILE}, unless another program wrote such a file)"),
        Option("--title", metavar="TEXT",
               help="the title of the page (default: metrics, test set, language pair and systems)"),
        Option("--segments", convert=not_negative, metavar="N",
               help="include the texts of at most N segments (0: none, for private data)"),
        Option("--paths", form="switch", help="show whole paths in the command line on the page"),
        Option("--no-tests", form="switch", not_with=("test", "samples", "exact", "correction"),
               help="leave out tests between systems"),
        Option("--no-checks", form="switch", not_with=("check_threshold",), help="leave out the checks of outputs"),
        "check_threshold",
        Option("--audit", form="switch", help="also show how much preprocessing changes BLEU"),
        "nonbreaking_prefixes", "counts", "source", "ids", "against", "power", "no_power", "no_worth", "autorank",
        "confidence_n", "save_rows", "signature",
    ), (HUMAN, *test_groups(), *corpus_groups("rows", "manifest", "group"), OUTPUT),
    RESULT_FORMATS, (
        ("ref.txt -i a.txt b.txt --source src.txt", "report.html"),
        ("ref.txt -i out.txt -m bleu chrf -o out.html -q", "one system; nothing is printed"),
    ), ignored=(("short", FOR_PROGRAMS),))
