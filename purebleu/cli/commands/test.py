"""`purebleu test`: which systems differ significantly, and what a difference is worth."""

from __future__ import annotations

from ...report.formats import FORMATS, GITHUB, PAPER, PairResults, Style
from ...report.worth import NOTHING_WANTED, USUAL_DIFFERENCE, Wanted, ran_text, ran_texts, reason_without_power
from ...runtime.errors import warn
from ...runtime.hints import Sequence
from ...significance.results import Results, correct_together
from ..arguments.command import FOR_PROGRAMS, Answer, Command, CorpusValues, style_of
from ..arguments.groups import OUTPUT, Group, Option, SamplingValues, corpus_groups, resampling
from ..arguments.values import check_apart, positive
from ..corpus.inputs import inputs_of
from ..corpus.score import MetricChoice, Scored, Scoring, check_called, save_rows, scored_from
from ..output.results import Printing, Testing, table_text, warn_of_scores


class TestValues(SamplingValues):
    """The values of the options of commands that test systems."""

    test: str = "ar"
    samples: int = 0
    exact: bool = False
    correction: str = "holm"
    against: str = ""
    power: float | None = None
    no_power: bool = False
    no_worth: bool = False
    autorank: bool = False


def test_groups(usual: str = "holm", needs: Sequence[str] = (), sampling_needs: Sequence[str] = ()
                ) -> tuple[Group, Group]:
    """Return the groups of the options of paired tests and of resampling.

    Args:
        usual: the default correction.
        needs: the attribute `needs` of the options of tests (see `Option`).
        sampling_needs: the attribute `needs` of the options of resampling.
    """
    paired = Group("paired", "the paired test", (
        Option("--paired-ar", "-par", destination="test", form="switch", constant="ar", needs=needs,
               help="approximate randomization (default)"),
        Option("--paired-bs", "-pbs", destination="test", form="switch", constant="bs", needs=needs,
               not_with=("exact",), help="bootstrap resampling, which rejects 10 to 13 % of true null hypotheses"),
        Option("--samples", convert=positive, metavar="N", needs=needs,
               help="number of trials or resamples (default: 10000 or 1000, or more if the correction needs more)"),
        Option("--exact", form="switch", needs=needs,
               help="make every possible trial of --paired-ar instead of a sample of trials",
               more="--exact works for up to 20 segments or documents"),
        Option("--correction", choices=("holm", "none"), needs=needs,
               help=f"correction of p-values for the number of tests, or none (default: {usual})",
               more="holm corrects the tests of all systems and metrics together"),
    ), ("--paired-bs", "--samples N", f"--correction {'none' if usual == 'holm' else 'holm'}"))
    return paired, resampling(sampling_needs)


def wanted_in(values: TestValues, style: Style, scored: Scored) -> Wanted:
    """Return which figures are shown beside differences: the power of the test, people's agreement, both, or none."""
    if style.form == PAPER:
        return NOTHING_WANTED
    return Wanted(not values.no_worth and len(scored.systems) > 1,
                  None if values.no_power else values.power or USUAL_DIFFERENCE)


#: Options about tests between systems, by their destinations.
_OF_TESTS = {"test": "--paired-bs", "samples": "--samples", "exact": "--exact", "correction": "--correction"}


def testing_of(values: TestValues, systems: int, with_differences: bool = True) -> Testing:
    """Return how a command tests systems: all pairs of systems, or each system against the first system.

    All pairs are tested if there are three systems or more, p-values are corrected for the number of tests, and
    `--against` is not given.
    """
    differences = values.confidence_n if with_differences else 0
    if systems < 2:
        for destination, option in _OF_TESTS.items():
            if destination in values.given():
                warn(f"{option} has no effect: tests compare systems, but there is only one system")
        return Testing(values, differences=0 if values.no_power else differences)
    testing = Testing(values, values.test, values.samples, corrects=values.correction == "holm", exact=values.exact,
                      differences=differences)
    testing.ranks = testing.corrects and systems > 2 and not values.against
    return testing


#: The formats of results; the first one is the default.
RESULT_FORMATS = ("text", *[form for form in FORMATS if form not in ("text", GITHUB)])


class TestCommandValues(CorpusValues, TestValues):
    """The values of the options of `purebleu test`."""

    save_rows: str = ""


def run_test(values: TestCommandValues) -> Answer:
    """Test systems."""
    style = style_of(values)
    if values.runs:
        return _test_runs(values, style)
    if values.manifest and not values.langpair:
        return _test_pairs(values, style)
    inputs = inputs_of(values, needs_files=True)
    choice = MetricChoice(values, inputs, keeps_order=True)
    inputs.check_targets({"--save-rows": values.save_rows})
    check_called(values.against, inputs)
    scored = scored_from(inputs, choice, Scoring(
        values.jobs, keeps_rows=True, checks_references=True, offset=0 if values.save_rows else None))
    if values.against:
        scored.put_first(values.against)
    wanted = NOTHING_WANTED if values.group else wanted_in(values, style, scored)
    testing = testing_of(values, len(scored.systems), bool(wanted) or style.form in FOR_PROGRAMS)
    if values.group:
        from ..output.pairs import groups_text

        text, of_groups = groups_text(scored, testing, style, values.signature)
        messages = ran_texts(of_groups)
    else:
        results = testing.results(scored)
        warn_of_scores(scored, results, values.signature)
        _warn_without_power(values, style, [results])
        text = table_text(scored, results, Printing(style, wanted))
        messages = [ran_text(results)]
    save_rows(values.save_rows, scored)
    return Answer(text, [] if values.quiet else messages)


def _warn_without_power(values: TestCommandValues, style: Style, tested: Sequence[Results]) -> None:
    """Warn if `--power` is given, but there are no figures of power. (Formats for people have this message anyway.)"""
    reasons = [reason for results in tested if (reason := reason_without_power(results))]
    if "power" in values.given() and style.form in FOR_PROGRAMS and reasons:
        warn(f"--power: {reasons[0]}")


def _test_runs(values: TestCommandValues, style: Style) -> Answer:
    """Test systems with several runs each."""
    from ..output.pairs import runs_text, scored_runs

    check_apart(values.test == "bs", "--paired-bs", "--runs", "test", "runs are tested by approximate randomization")
    values.check_uses(confidence_n=(values.confidence, "--confidence, if --runs is given"))
    runs, scored = scored_runs(values, values.against)
    testing = testing_of(values, len(runs))
    testing.samples = testing.samples or 10_000
    text = runs_text(runs, scored, testing, style)
    tested = (f"tested: each system against {next(iter(runs))}, over all runs" if len(runs) > 1 else
              "not tested: there is one system")
    return Answer(text, [] if values.quiet else [f"{tested} (--runs shows no ranks, power or agreement with people)"])


def _test_pairs(values: TestCommandValues, style: Style) -> Answer:
    """Test the systems of each language pair of a manifest."""
    from ..output.pairs import pair_results, pairs_text, scored_pairs

    pairs = scored_pairs(values, Scoring(values.jobs, keeps_rows=True, checks_references=True))
    wanted = wanted_in(values, style, pairs[0])
    tested: list[PairResults] = []
    for pair in pairs:
        testing = testing_of(values, len(pair.systems), bool(wanted) or style.form in FOR_PROGRAMS)
        tested.append(pair_results(pair, testing.results(pair)))
    if values.correction == "holm":
        correct_together([pair.results for pair in tested])
    _warn_without_power(values, style, [pair.results for pair in tested])
    text = pairs_text(tested, style, wanted, values.autorank)
    return Answer(text, [] if values.quiet else ran_texts(tested))


TEST = Command(
    "test", "test [options] {REFERENCE ... | -t NAME -l SRC-TRG} -i FILE FILE ...",
    "Test which systems differ significantly, and print how often people agree with a difference of "
    "that size. All pairs of systems are tested, and p-values are corrected for the number of tests. For a single "
    "system, print the power of the test set.",
    run_test, TestCommandValues, (
        "against", "power", "no_power", "no_worth", "autorank", "confidence", "confidence_n", "save_rows", "signature",
        "label"),
    (*test_groups(), *corpus_groups("rows", "runs", "manifest", "group"), OUTPUT),
    RESULT_FORMATS, (
        ("ref.txt -i a.txt b.txt c.txt", "ranges of ranks"),
        ("ref.txt -i base.txt new.txt -m bleu chrf --against base", "is the new system better?"),
        ("ref.txt -i a.txt b.txt -f paper", "a LaTeX table for a paper"),
    ), ignored=(("width", FOR_PROGRAMS), ("short", FOR_PROGRAMS)))
