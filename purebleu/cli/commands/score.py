"""`purebleu score`, the default: what sacreBLEU's command line does."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...report.formats import DELIMITED_FORMATS, FORMATS, GITHUB, PAPER, SIGNED_JSON, Style
from ...runtime.errors import warn
from ..arguments.command import Answer, Command, CorpusValues, check_format, style_of
from ..arguments.groups import OUTPUT, SACREBLEU_METRIC_OPTIONS, Option, SamplingValues, corpus_groups, resampling
from ..arguments.values import check_apart, check_needs, check_takes, not_negative, positive, resamples
from ..corpus.inputs import Inputs, check_several, inputs_of, shown_names
from ..corpus.score import MetricChoice, Scored, Scoring, save_rows, scored_corpus, scored_rows
from ..output.results import Printing, Testing, is_table, system_text, table_text, warn_of_scores, warn_of_uncorrected


class ScoreValues(CorpusValues, SamplingValues):
    """The values of the options of `purebleu score`."""

    sentence_level: bool = False
    listing: bool = False
    echo: list[str] = []
    citation: bool = False
    download: list[str] = []
    test: str | None = None
    paired_bs_n: int = 1000
    paired_ar_n: int = 10_000
    detail: bool = False
    score_only: bool = False
    save_rows: str = ""
    offset: int = 0

    @property
    def named_data(self) -> tuple[Sequence[str], str | None, str | None]:
        if self.listing or self.citation:
            return (), None, None
        return [*self.test_set, *self.download], self.bleu_tokenize, self.langpair


#: The formats for tables of several pairs or runs, and the formats for single segments.
_TABLES = ("json", *[form for form in FORMATS if form not in ("json", GITHUB)])
_LINES = ("text", "json", *DELIMITED_FORMATS)

#: The options that fetch or print test sets, each with the options that go with it (all as destinations).
_ACTS: dict[str, Sequence[str]] = {
    "download": ("langpair", "mirror"), "listing": ("test_set", "langpair"), "citation": ("test_set",),
    "echo": ("test_set", "langpair", "origlang", "subset", "mirror"),
}

#: Options that sacreBLEU ignores if an option of `_ACTS` is given.
_IGNORED_BESIDE_ACTS = (*SACREBLEU_METRIC_OPTIONS, "num_refs", "encoding", "confidence", "confidence_n",
                        "paired_bs_n", "paired_ar_n", "detail", "score_only", "width", "short", "sentence_level")

#: Options that go with every option of `_ACTS`.
_EVERYWHERE = ("quiet", "no_color", "offline")

_NEED_RESAMPLING = ("confidence", "test", "save_rows")


def run_score(values: ScoreValues) -> Answer:
    """Score outputs, or fetch or print test sets."""
    for act in _ACTS:
        if getattr(values, act):
            return _act(act, values)
    if values.sentence_level:
        return _score_segments(values)
    form = _format_of(values, _TABLES if values.runs or (values.manifest and not values.langpair) else SCORE.formats)
    _warn_of_options(values, form)
    if values.runs:
        return _score_runs(values, style_of(values, form))
    if values.manifest and not values.langpair:
        return _score_pairs(values, style_of(values, form))
    is_detailed = values.detail and not FORMATS[form].is_table
    check_apart(is_detailed and values.save_rows and (values.origlang or values.subset or values.where), "--save-rows",
                "--detail with selected segments", "save_rows", "save them in a run without --detail")
    inputs = inputs_of(values, paired=values.test is not None)
    inputs.scores_all = is_detailed
    choice = MetricChoice(values, inputs, keeps_order=values.test is not None)
    style = style_of(values, form)
    testing = _testing_of_score(values)
    if values.test and inputs.files not in ([], ["-"]):
        check_several(len(inputs.files), "a paired test", "test")
    if values.rows:
        scored = _scored_rows(values, choice, inputs)
    else:
        _warn_of_unused(values, choice)
        inputs.check_targets({"--save-rows": values.save_rows})
        keeps_rows = bool(values.test or values.confidence or is_detailed or values.save_rows or values.group)
        scored = scored_corpus(inputs, choice, Scoring(
            values.jobs, keeps_rows, checks_references=bool(values.test), paired=bool(values.test),
            offset=values.offset if values.save_rows else None))
    if values.test:
        check_several(len(scored.systems), "a paired test", "test")
    printing = Printing(style, signature=values.signature, score_only=values.score_only, as_sacrebleu=True)
    if values.group:
        from ..output.pairs import groups_text

        text, _ = groups_text(scored, testing, style, values.signature)
    else:
        text = _text_of_scores(scored, testing, printing, is_detailed)
    save_rows(values.save_rows, scored)
    return Answer(text)


def _text_of_scores(scored: Scored, testing: Testing, printing: Printing, is_detailed: bool) -> str:
    """Return results as text: a table of systems, or the scores of one system (if `is_detailed`, also of subsets)."""
    if is_table(scored, printing.style):
        if printing.score_only:
            warn("--score-only is for a single system, as text or JSON, not for a table")
        results = testing.results(scored)
        warn_of_uncorrected(results)
        warn_of_scores(scored, results, printing.signature)
        return table_text(scored, results, printing)
    if is_detailed and scored.inputs.selection:
        from ..output.sentences import detailed_text

        return detailed_text(scored, scored.inputs.selection, testing, printing)
    return system_text(scored, testing, printing)


def _testing_of_score(values: ScoreValues) -> Testing:
    return Testing(values, values.test, values.paired_bs_n if values.test == "bs" else values.paired_ar_n)


def _scored_rows(values: ScoreValues, choice: MetricChoice, inputs: Inputs) -> Scored:
    is_paired = values.test is not None
    scored = scored_rows(inputs, choice, Scoring(1), paired=is_paired, keeps_order=is_paired or values.sentence_level)
    scored.names = shown_names(scored.names, scored.naming, is_paired)
    return scored


def _format_of(values: ScoreValues, formats: Sequence[str], usual: str = "json") -> str:
    """Return the format that the environment or an option names, or else `usual` (with `--detail`, `text`)."""
    form = _format_in_environment() or values.format
    check_format(form, formats, "this output")
    # sacreBLEU-compat: subset scores are reported as text only
    return form if form and not (form == "json" and values.detail) else "text" if values.detail else usual


def _format_in_environment() -> str:
    """Return the format that an environment variable sets; empty if no variable is set.

    sacreBLEU-compat: the environment overrides `--format`. (fixtures: command_lines)
    """
    for variable in ("PUREBLEU_FORMAT", "SACREBLEU_FORMAT"):
        if form := os.environ.get(variable, "").lower():
            check_takes(form in FORMATS, variable, f"{', '.join(FORMATS)}, not {form}")
            return form
    return ""


def _score_segments(values: ScoreValues) -> Answer:
    """Score each segment."""
    form = _format_of(values, _LINES, "text")
    is_text = form == "text"
    as_given = list(dict.fromkeys(values.metrics or ["bleu"]))
    _warn_of_options(values, form)
    from ..output.sentences import check_single, score_sentences, sentences_of_rows

    if is_text:
        check_single(len(values.input), len(as_given))
    values.check_uses(signature=(len(values.input) < 2, "a single system, if -sl is given"),
                      ids=(not is_text, "-f json, csv or tsv, if -sl is given"),
                      score_only=(is_text, "-f text, if -sl is given"),
                      short=(is_text and not values.score_only, "-f text without --score-only, if -sl is given"))
    inputs = inputs_of(values)
    printing = Printing(style_of(values, form), signature=values.signature, score_only=values.score_only)
    choice = MetricChoice(values, inputs, keeps_order=True, effective_order=True)
    if values.rows:
        answer = sentences_of_rows(_scored_rows(values, choice, inputs), printing)
    else:
        _warn_of_unused(values, choice)
        answer = score_sentences(inputs, choice, values.jobs, printing)
    if values.quiet:
        answer.messages = []
    return answer


def _score_runs(values: ScoreValues, style: Style) -> Answer:
    """Compute means and deviations over the runs of systems."""
    check_apart(values.test, "a paired test", "score --runs", "test", "purebleu test --runs tests the systems")
    from ..output.pairs import runs_text, scored_runs

    runs, scored = scored_runs(values)
    return Answer(runs_text(runs, scored, _testing_of_score(values), style))


def _score_pairs(values: ScoreValues, style: Style) -> Answer:
    """Score systems on several language pairs, as one table."""
    from ..output.pairs import pair_results, pairs_text, scored_pairs

    testing = _testing_of_score(values)
    is_paired = bool(values.test)
    pairs = scored_pairs(values, Scoring(values.jobs, is_paired or values.confidence, checks_references=is_paired,
                                         paired=is_paired))
    return Answer(pairs_text([pair_results(pair, testing.results(pair)) for pair in pairs], style))


def _warn_of_options(values: ScoreValues, form: str) -> None:
    """Warn of options that have no effect. (sacreBLEU also ignores such options.)"""
    if values.sentence_level and values.detail:
        warn("--detail has no effect with --sentence-level")
    has_table = len(values.input) > 1 or bool(values.rows or values.runs or values.manifest)
    if values.short and not values.sentence_level and not (values.score_only and not has_table) and form not in (
            "text", "latex", "html", "markdown", PAPER):
        warn(f"--short is for text: {form} has the full signature anyway")
    has_all_digits = (SIGNED_JSON, *DELIMITED_FORMATS)
    if values.test or values.runs or (values.manifest and not values.langpair):
        has_all_digits = (*has_all_digits, "json")
    if values.width != 1 and not values.sentence_level and form in has_all_digits:
        warn(f"--width is for text and tables, but this output ({form}) has all digits")
    if values.confidence and values.test == "bs":
        warn("--confidence has no effect with --paired-bs, which has intervals anyway")
    for name, is_used, option in (("confidence_n", values.confidence, "--confidence"),
                                  ("paired_bs_n", values.test == "bs", "--paired-bs"),
                                  ("paired_ar_n", values.test == "ar", "--paired-ar")):
        if not is_used and getattr(values, name) != getattr(ScoreValues, name):
            warn(f"{SCORE.options[name].name} has no effect without {option}")


def _warn_of_unused(values: ScoreValues, choice: MetricChoice) -> None:
    """Warn of options that no metric uses. Raise `OptionError` if sacreBLEU lacks such an option."""
    for name, option, needed in choice.unused():
        check_needs(name in SACREBLEU_METRIC_OPTIONS, option, needed, name)
        warn(f"{option} has no effect without {needed}")


def _act(act: str, values: ScoreValues) -> Answer:
    """List, cite, print or fetch test sets."""
    called = SCORE.options[act].name
    for name, value in values.given().items():
        if name not in (act, *_ACTS[act], *_EVERYWHERE) and name in SCORE.options:
            option = SCORE.name_of(name, value)
            check_apart(name not in _IGNORED_BESIDE_ACTS, option, called, name)
            warn(f"{option} has no effect with {called}")
    from ..corpus.selection import names_in_values, select
    from ..output.testsets import citations, echo, fetch, listing

    check_needs(values.test_set or act not in ("citation", "echo"), called, "a test set: -t NAME (see purebleu --list)",
                "test_set")
    names = values.download if act == "download" else values.test_set
    selection = select(names_in_values(names), values.langpair, values.origlang, values.subset, act == "download")
    if act == "download":
        fetch(selection)
        return Answer()
    if act == "echo":
        selection.pair()  # raises an error if no pair was chosen
        return Answer(echo(selection, values.echo))
    return Answer(listing(selection) if act == "listing" else citations(selection))


SCORE = Command(
    "score", "[score] [options] {REFERENCE ... | -t NAME -l SRC-TRG} [-i FILE ...]",
    "Score outputs against references.", run_score, ScoreValues, (
        "confidence", "confidence_n",
        Option("--paired-bs", "-pbs", destination="test", form="switch", constant="bs",
               help="paired bootstrap resampling test", more="each system is tested against the first system"),
        Option("--paired-ar", "-par", destination="test", form="switch", constant="ar",
               help="paired approximate randomization test", more="each system is tested against the first system"),
        Option("--paired-bs-n", "-pbsn", convert=resamples, metavar="N",
               help="number of resamples of --paired-bs (default: 1000)"),
        Option("--paired-ar-n", "-parn", convert=positive, metavar="N",
               help="number of trials of --paired-ar (default: 10000)"),
        Option("--sentence-level", "-sl", form="switch", not_with=("test", "confidence", "save_rows", "scores", "runs"),
               help="print a score for each segment",
               more="the default format is text; BLEU uses effective n-gram order; scores of several metrics or "
                    "systems need a table (-f csv, tsv or json); tables also have lengths in BLEU's tokens"),
        Option("--score-only", "-b", form="switch", help="print only the score (of a single system)"),
        Option("--detail", "-d", form="switch", needs=("test_set",),
               help="also print scores by original language and domain",
               more="for a test set and a single system, with -f text"),
        Option("--list", destination="listing", form="switch", help="list the test sets",
               more="with -l, list only test sets with this language pair; with -t, list the fields of a test set"),
        Option("--echo", form="several", metavar="FIELD", help="print fields of a test set",
               more="FIELD is src, ref, docid, ... or all; tabs separate fields"),
        Option("--citation", "--cite", form="switch", help="print how to cite a test set, as BibTeX"),
        Option("--download", form="each", metavar="NAME",
               help="fetch a test set (or the model of flores101, flores200 or spBLEU-1K) into the cache"),
        "save_rows",
        Option("--offset", convert=not_negative, metavar="N", needs=("save_rows",),
               help="with --save-rows: the inputs are the part of a corpus after its first N segments"),
        "ids", "signature", "label",
    ), (*corpus_groups("rows", "runs", "manifest", "group"), resampling(_NEED_RESAMPLING), OUTPUT),
    ("json", *[form for form in FORMATS if form != "json"]), (
        ("ref.txt -i out.txt", "an output against a reference"),
        ("ref1.txt ref2.txt < out.txt", "several references, standard input"),
        ("ref.gz -i out.gz -m chrf -cw 2", "compressed files, chrF++"),
        ("ref.zh -i out.zh -l en-zh", "the usual tokenizer for Chinese"),
        ("-t wmt18 -l en-de -i out.txt", "a test set, fetched if needed"),
    ))
