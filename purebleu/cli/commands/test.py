"""`purebleu test`: which systems differ, how surely, and what it is worth."""

from __future__ import annotations

from ...errors import OptionError, warn
from ...report.formats import FORMATS, GITHUB, PAPER, Style
from ...report.worth import NOTHING_WANTED, USUAL_DIFFERENCE, Wanted, family_text, samples_text, test_text
from ...significance.results import Results
from ..arguments.command import FOR_PROGRAMS, Answer, Command, CorpusValues, check_style, style_of
from ..arguments.groups import OUTPUT, TestValues, corpus_groups, testing_groups
from ..corpus.inputs import check_targets, inputs_of
from ..corpus.metrics import MetricChoice
from ..corpus.score import Scoring, save_rows, scored_corpus, scored_from
from ..corpus.scored import Scored, check_called
from ..output.results import Printing, table_text, warn_of_scores
from ..output.testing import Testing

#: Options that are for tests alone, by their destinations.
_OF_TESTS = {"test": "--paired-bs", "samples": "--samples", "exact": "--exact", "correction": "--correction"}


def testing_of(values: TestValues, systems: int, with_differences: bool = True) -> Testing:
    """How a command tests this many systems: all pairs, unless each system is tested against one of them.

    Ranks take three systems and a correction for the number of tests.
    """
    if systems < 2:
        given = values.given()
        for destination, option in _OF_TESTS.items():
            if destination in given:
                warn(f"{option} is for tests between systems, but there is only one: it has no effect")
    has_several = systems > 1
    is_resampled = with_differences and (has_several or not values.no_power)
    testing = Testing(values, values.test if has_several else None, values.samples,
                      corrects=has_several and values.correction == "holm", exact=has_several and values.exact,
                      differences=values.confidence_n if is_resampled else 0)
    testing.ranks = testing.corrects and systems > 2 and not values.against
    return testing


def shows_differences(style: Style, wanted: Wanted) -> bool:
    """Whether results have differences between systems with their intervals; signatures say how these are sampled."""
    return bool(wanted) or style.form in FOR_PROGRAMS


def wanted_figures(values: TestValues, scored: Scored) -> Wanted:
    """The figures on differences to show: power, and the agreement with people (or why there is none)."""
    return Wanted(not values.no_worth and len(scored.systems) > 1,
                  None if values.no_power else values.power or USUAL_DIFFERENCE)


def check_room(values: TestValues, style: Style) -> None:
    """Raise `OptionError` if a figure is asked for that has no room in a table for a paper."""
    for name in ("power", "autorank"):
        if style.form == PAPER and name in values.given():
            raise OptionError(f"-f {PAPER} has no room for --{name}: choose another format", option="format")


def ran_text(results: Results) -> str:
    """What was tested and how, in one line."""
    units = results.units.plural if results.units else "segments"
    if results.test is None:
        return ("not tested" if len(results.systems) > 1 else
                f"not tested: there is one system (of {results.segments:,} segments)")
    parts = [f"tested: {test_text(results.test, samples_text(results))} of {units}"]
    if results.rankings and results.rank_samples != results.samples:
        parts.append(f"{results.rank_samples:,} for ranks")
    tests = len(results.scores[0]) * (len(results.systems) - 1)
    parts.append(f"Holm's correction for {family_text(results)}" if results.corrected and results.family > 1
                 else "one test" if tests == 1 else f"{tests} tests without a correction")
    return ", ".join(parts)


#: The formats of results; the first one is the default.
RESULT_FORMATS = ("text", *[form for form in FORMATS if form not in ("text", GITHUB)])


class TestCommandValues(CorpusValues, TestValues):
    """The values of its options."""

    save_rows: str = ""


def run_test(values: TestCommandValues) -> Answer:
    """Test systems."""
    check_style(values)
    style = style_of(values)
    check_room(values, style)
    if values.runs:
        return _test_runs(values, style)
    if values.manifest and not values.langpair:
        return _test_pairs(values, style)
    inputs = inputs_of(values, unit=values.unit, needs_files=True)
    choice = MetricChoice(values, inputs, keeps_order=True)
    check_targets({"--save-rows": values.save_rows, "--save-resegmented": values.save_resegmented}, inputs.all_files)
    check_called(values.against, inputs)
    scored = scored_from(inputs, choice, Scoring(
        values.jobs, keeps_rows=True, checks_references=True, offset=0 if values.save_rows else None))
    if values.against:
        scored.put_first(values.against)
    if values.group:
        from ..output.pairs import groups_text

        text = groups_text(scored, testing_of(values, len(scored.systems), style.form in FOR_PROGRAMS),
                           Printing(style, inputs.corpus))
        save_rows(values.save_rows, scored)
        return Answer(text)
    wanted = wanted_in(values, style, scored)
    results = testing_of(values, len(scored.systems), shows_differences(style, wanted)).results(scored)
    warn_of_scores(scored, results, values.signature)
    text = table_text(scored, results, Printing(style, inputs.corpus, wanted))
    save_rows(values.save_rows, scored)
    return Answer(text, [] if values.quiet else [ran_text(results)])


def wanted_in(values: TestValues, style: Style, scored: Scored) -> Wanted:
    """The figures on differences to show in this style."""
    return NOTHING_WANTED if style.form == PAPER else wanted_figures(values, scored)


def _test_runs(values: TestCommandValues, style: Style) -> Answer:
    """Test systems with several runs each."""
    from ..output.pairs import RunsOfSystems, runs_text

    if values.test == "bs":
        raise OptionError("runs are tested by approximate randomization: leave out --paired-bs", option="test")
    if "confidence_n" in values.given() and not values.confidence:
        raise OptionError("with --runs, --confidence-n goes with --confidence", option="confidence_n")
    runs = RunsOfSystems(values.runs, values.against)
    values.input = runs.files
    inputs = inputs_of(values, unit=values.unit, needs_files=True)
    choice = MetricChoice(values, inputs, keeps_order=True)
    choice.check_unused()
    scored = scored_corpus(inputs, choice, Scoring(values.jobs, keeps_rows=True))
    testing = testing_of(values, len(runs.names))
    testing.samples = testing.samples or 10_000
    text = runs_text(runs, scored, testing, Printing(style, inputs.corpus))
    tested = (f"tested: each system against {runs.names[0]}, over runs" if len(runs.names) > 1 else
              "not tested: there is one system")
    return Answer(text, [] if values.quiet else [f"{tested} (runs have no ranks, power or worth)"])


def _test_pairs(values: TestCommandValues, style: Style) -> Answer:
    """Test the systems of each language pair of a manifest."""
    from ..output.pairs import correct_pairs, pair_results, pairs_text, scored_pairs

    pairs = scored_pairs(values, Scoring(values.jobs, keeps_rows=True, checks_references=True), Testing(values))
    wanted = wanted_in(values, style, pairs[0])
    tested = [pair_results(pair, testing_of(values, len(pair.systems), shows_differences(style, wanted)))
              for pair in pairs]
    if values.correction == "holm":
        correct_pairs(pairs, tested)
    text = pairs_text(tested, Printing(style, wanted=wanted), values.autorank)
    return Answer(text, [] if values.quiet else [f"{of_pair.pair}: {ran_text(of_pair.results)}" for of_pair in tested])


TEST = Command(
    "test", "test [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE FILE ...",
    "Which systems differ, how surely, and what it is worth: all pairs of systems are tested, and their p-values are "
    "corrected for the number of tests. For a single system, it prints the power of the test set.",
    run_test, TestCommandValues, (
        "against", "power", "no_power", "no_worth", "autorank", "confidence", "confidence_n", "save_rows", "signature",
        "label"),
    (*testing_groups(), *corpus_groups("rows", "runs", "manifest", "group"), OUTPUT),
    RESULT_FORMATS, (
        ("ref.txt -i a.txt b.txt c.txt", "ranges of ranks"),
        ("ref.txt -i base.txt new.txt -m bleu chrf --against base", "is the new one better?"),
    ))
