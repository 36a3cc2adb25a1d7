"""`purebleu report`: one page of HTML."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property

from ...analysis.summary import Summary
from ...errors import OptionError
from ...report.agreement import agreement_sections
from ...report.formats import Style
from ...report.names import PairResults
from ...report.page.content import Page
from ...report.page.document import PAGE_MARK, page_text
from ...report.page.document import pairs_text as pages_text
from ...report.pairs import group_sections, pairs_report
from ...report.worth import Wanted
from ...significance.results import Results
from ..arguments.command import Answer, Command, CorpusValues, check_style, style_of
from ..arguments.groups import (
    HUMAN,
    OUTPUT,
    AuditValues,
    HumanValues,
    Option,
    TestValues,
    corpus_groups,
    testing_groups,
)
from ..arguments.values import MAX_NUMBER, not_negative, thresholds_of
from ..corpus.inputs import Inputs, check_readable, check_targets, inputs_of
from ..corpus.metrics import MetricChoice
from ..corpus.score import Scoring, save_rows, scored_from
from ..corpus.scored import CorpusTexts, Scored, check_called
from ..output.page import PageSettings, page_of, summarized, write_page
from ..output.results import Printing, is_table, system_text, table_text, warn_of_scores
from ..output.testing import Testing
from ..process.collected_warnings import collected_warnings
from .agree import HumanFiles, check_tests_of_metrics, measured_agreement
from .test import RESULT_FORMATS, check_room, ran_text, testing_of, wanted_in

_USUAL_FILE = "report.html"

#: The number of bytes at the beginning of a page that show who wrote it.
_HEAD = 2000


class ReportValues(CorpusValues, TestValues, AuditValues, HumanValues):
    """The values of its options."""

    output: str = ""
    title: str = ""
    segments: int = MAX_NUMBER
    paths: bool = False
    no_tests: bool = False
    no_checks: bool = False
    check_threshold: list[tuple[str, float]] = []
    audit: bool = False
    save_rows: str = ""


def run_report(values: ReportValues) -> Answer:
    """Write a page, and print what `purebleu test` prints (of one system, what `purebleu score` prints)."""
    check_style(values, width=())
    path = _target_of(values.output)
    check_room(values, style_of(values))
    if values.manifest and not values.langpair:
        return _report_pairs(values, path)
    with collected_warnings() as warned:
        report = made_report(values, warned, path)
        page = page_text(report.page)
    style = style_of(values)
    text = report.text(style, wanted_in(values, style, report.scored))
    save_rows(values.save_rows, report.scored)
    write_page(path, page)
    return _answer(values, text, [ran_text(report.results)], path)


class Report:
    """A report, not yet written. Results and the page are computed when they are asked for.

    Attributes:
        scored: the systems with their scores.
    """

    def __init__(self, values: ReportValues, scored: Scored, human: HumanFiles) -> None:
        self._values = values
        self._human = human
        self.scored = scored

    @cached_property
    def _groups(self) -> list[PairResults]:
        """The results of groups, and over all of them, if there are groups."""
        if not self._values.group:
            return []
        from ..output.pairs import groups_of, results_of_groups

        testing = _testing_of_report(self._values, len(self.scored.systems))
        return results_of_groups(groups_of(self.scored, testing, style_of(self._values)), testing)

    @cached_property
    def _summary(self) -> Summary:
        _ = self._groups  # (they become the strata of the whole corpus)
        return summarized(self.scored, _testing_of_report(self._values, len(self.scored.systems)))

    @cached_property
    def results(self) -> Results:
        """The results; warn of doubtful scores."""
        warn_of_scores(self.scored, self._summary.results, self._values.signature)
        return self._summary.results

    @cached_property
    def page(self) -> Page:
        """The page."""
        page = page_of(self.scored, self._summary, _settings(self._values, [*self._values.rows, *self._human.paths]))
        _add_parts(page, self._values, self.scored, self._human)
        if self._groups:
            style = style_of(self._values).in_format("html")
            page.groups = group_sections(self._groups, style, self.scored.inputs.group_column)
            page.groups[0].heading = f"Scores by {self.scored.inputs.group_column}"
        return page

    def text(self, style: Style, wanted: Wanted) -> str:
        """What is printed beside the page."""
        if self._groups:
            return pairs_report(self._groups, style, group=self.scored.inputs.group_column)
        printing = Printing(style, self.scored.inputs.corpus, wanted, signature=self._values.signature)
        if is_table(len(self.scored.systems), style.form) or self._values.power is not None:
            return table_text(self.scored, self.results, printing)
        return system_text(self.scored, Testing(self._values), printing)


def made_report(values: ReportValues, warned: list[str], path: str = "", checksums: bool = False) -> Report:
    """Make a report of one corpus.

    Args:
        values: the options.
        warned: the warnings so far.
        path: the file that will be written; empty: none.
        checksums: whether checksums of the texts are needed, as for stored rows.
    """
    inputs = inputs_of(values, unit=values.unit, needs_files=True)
    human = _human_files(values, inputs)
    choice = MetricChoice(values, inputs, keeps_order=True)
    check_tests_of_metrics(values, choice.names, "trials")
    if values.audit and "bleu" not in choice.names:
        raise OptionError("--audit is for BLEU, which is not scored: add bleu to -m", option="audit")
    check_readable([values.nonbreaking_prefixes, values.counts])
    if path:
        check_targets({"--output": path, "--save-rows": values.save_rows,
                       "--save-resegmented": values.save_resegmented},
                      [*inputs.all_files, *values.rows, *human.paths])
    human.read()
    check_called(values.against, inputs)
    texts = None if values.rows else CorpusTexts(warned)
    scoring = Scoring(values.jobs, keeps_rows=True, checks_references=True,
                      offset=0 if values.save_rows or checksums else None)
    scored = scored_from(inputs, choice, scoring, texts)
    if values.against:
        scored.put_first(values.against)
    return Report(values, scored, human)


def _answer(values: ReportValues, text: str, ran: Sequence[str], path: str) -> Answer:
    """The answer: the results, what was tested, and where the page is; nothing if `quiet`."""
    return Answer() if values.quiet else Answer(text, [*ran, f"the report is in {path}"])


def _target_of(path: str) -> str:
    """The file to write; raises `OptionError` if it was not named, and another program wrote the usual one."""
    if path or not os.path.exists(_USUAL_FILE):
        return path or _USUAL_FILE
    with open(_USUAL_FILE, "rb") as file:
        if PAGE_MARK.encode("ascii") not in file.read(_HEAD):
            raise OptionError(f"there is a {_USUAL_FILE} that purebleu did not write: name another file with -o",
                              option="output")
    return _USUAL_FILE


def _testing_of_report(values: ReportValues, systems: int) -> Testing:
    testing = testing_of(values, systems)
    testing.intervals = testing.differences = values.confidence_n
    if values.no_tests:
        testing.test, testing.corrects, testing.ranks, testing.exact = None, False, False, False
    return testing


def _settings(values: ReportValues, files: Sequence[str]) -> PageSettings:
    return PageSettings(values.title, values.segments, values.paths, values.arguments, values.width, files)


def _human_files(values: HumanValues, inputs: Inputs) -> HumanFiles:
    files = HumanFiles(values, inputs)
    inputs.check_standard_input(*files.paths)
    return files


def _add_parts(page: Page, values: ReportValues, scored: Scored, human: HumanFiles) -> None:
    """Add the parts of a page that are made of texts: checks, agreement with people, the audit."""
    texts = scored.texts
    if texts is None:
        return
    if not values.no_checks:
        from ..output.findings import findings_in

        page.add_checks(findings_in(scored.names, texts, thresholds_of(values.check_threshold)))
    if human.paths:
        table = measured_agreement(scored, human, values, values, values.short)
        first, *others, _ = agreement_sections(table, style_of(values).in_format("html"))
        first.heading = "Measures and ranks"  # (The page has the signatures elsewhere.)
        page.agreement = [first, *others]
    if values.audit:
        from ...report.audit import audit_sections
        from .audit import audit_of

        audit = audit_of(scored.inputs, [(texts.outputs, texts.references)], values, jobs=values.jobs,
                         short=values.short, warned_as=None)
        page.audit = audit_sections(scored.names, audit, values.width)


def _report_pairs(values: ReportValues, path: str) -> Answer:
    """One page of all language pairs of a manifest."""
    from ..output.pairs import correct_pairs, pair_results, pairs_text, scored_pairs

    style = style_of(values)
    with collected_warnings() as warned:
        scoring = Scoring(values.jobs, keeps_rows=True, checks_references=True)
        pairs = scored_pairs(values, scoring, Testing(values), warned, path)
        summaries: list[Summary] = []
        results: list[PairResults] = []
        for pair in pairs:
            testing = _testing_of_report(values, len(pair.systems))
            summaries.append(summarized(pair, testing))
            results.append(pair_results(pair, testing, summaries[-1].results))
        if values.correction == "holm" and not values.no_tests:
            correct_pairs(pairs, results)
        pages: list[Page] = []
        for number, (pair, summary) in enumerate(zip(pairs, summaries), 1):
            page = page_of(pair, summary, _settings(values, [values.manifest]), f"p{number}-")
            _add_parts(page, values, pair, _human_files(HumanValues(), pair.inputs))
            pages.append(page)
    write_page(path, pages_text(results, pages, values.width))
    text = pairs_text(results, Printing(style, wanted=wanted_in(values, style, pairs[0])), values.autorank)
    return _answer(values, text, [f"{of_pair.pair}: {ran_text(of_pair.results)}" for of_pair in results], path)


REPORT = Command(
    "report", "report [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE ...",
    "One HTML page, for a browser, without a network or a server: scores, how certain they are, where systems differ, "
    "faults in outputs. Prints what test prints; of a single system (without --power), what score prints.",
    run_report, ReportValues, (
        Option("--output", "-o", metavar="FILE",
               help=f"the page (default: {_USUAL_FILE}, which replaces only a page of purebleu)"),
        Option("--title", metavar="TEXT",
               help="its title (default: metrics, test set, language pair and systems)"),
        Option("--segments", convert=not_negative, metavar="N",
               help="include the texts of at most N segments (0: none, for private data)"),
        Option("--paths", form="switch",
               help="show whole paths in its command line"),
        Option("--no-tests", form="switch", not_with=("test", "samples", "exact", "correction"),
               help="leave out tests between systems"),
        Option("--no-checks", form="switch", not_with=("check_threshold",),
               help="leave out the checks of outputs"),
        "check_threshold",
        Option("--audit", form="switch",
               help="also show how far preprocessing moves BLEU"),
        "nonbreaking_prefixes", "counts", "source", "ids", "against", "power", "no_power", "no_worth", "autorank",
        "confidence_n", "save_rows", "signature",
    ), (HUMAN, *testing_groups(), *corpus_groups("rows", "manifest", "group"), OUTPUT),
    RESULT_FORMATS, (
        ("ref.txt -i a.txt b.txt --source src.txt", "report.html"),
        ("ref.txt -i out.txt -m bleu chrf -o out.html -q", "one system, nothing printed"),
    ), not_with={"quiet": ("power", "short")})
