"""Compute the results of systems, format them, and report the verdicts of gates."""

from __future__ import annotations

import os
import sys

from ...metrics.evaluation import warn_of_doubts
from ...metrics.score import Score, Signature
from ...report.formats import FORMATS, GITHUB, PAPER, PairResults, Style, short_names, system_names, system_results
from ...runtime.errors import PurebleuError, warn
from ...runtime.hints import Mean, NamedTuple, Row, Seed, Sequence
from ..arguments.command import Answer
from ..process import is_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...report.gates import WordedGate
    from ...report.worth import Wanted
    from ...significance.results import Results
    from ...significance.sampling import Sampling
    from ..arguments.groups import SamplingValues
    from ..corpus.score import Scored

#: The exit code if a gate fails.
GATE_FAILED = 3


class Testing:
    """How systems are resampled and tested.

    Attributes:
        test: the test, `bs` or `ar`; `None`: none.
        samples: the number of trials or resamples of the test; 0: the default.
        ranks: whether all pairs of systems are tested; if not, each system is tested against the first system.
        corrects: whether p-values are corrected for the number of tests.
        exact: whether all possible trials are made.
        intervals: the number of resamples for intervals of scores; 0: none.
        differences: the number of resamples for differences between systems; 0: none.
        rng, seed: the generator and the seed of the random numbers.
    """

    def __init__(self, values: SamplingValues, test: str | None = None, samples: int = 0, *, corrects: bool = False,
                 exact: bool = False, differences: int = 0) -> None:
        self.test = test
        self.samples = samples if test else 0
        self.ranks = False
        self.corrects = corrects
        self.exact = exact
        self.intervals: int = values.confidence_n if values.confidence else 0
        self.differences = differences
        self.rng: str = values.rng
        self.seed: Seed = values.seed

    def sampling(self, scored: Scored, mean: Mean | None = None, test: str | None = None) -> Sampling:
        """Return the settings of the resampling.

        `mean` is a function for the mean of resampled scores (`None`: the default), and `test` replaces `self.test`.
        """
        from ...engines.resampling.intervals import pairwise_mean
        from ...significance.sampling import Sampling

        return Sampling(test or self.test, self.samples, self.intervals, self.differences, units=scored.units,
                        exact=self.exact, rng=self.rng, seed=self.seed, mean=mean or pairwise_mean)

    def results(self, scored: Scored) -> Results:
        """Compute the results of systems."""
        from ...significance.results import results_of

        rows: list[list[list[Row]]] = []
        for system in scored.systems:
            rows.append([kept or [evaluation.totals()] for evaluation, kept in zip(system.evaluations, system.rows)])
        results = results_of(rows, scored.metrics, self.sampling(scored), rank=self.ranks, holm=self.corrects)
        results.segments = scored.systems[0].evaluations[0].segments
        return results


# Text


class Printing(NamedTuple):
    """How results are printed.

    Attributes:
        style: the format and its settings.
        wanted: which figures are shown beside differences of scores; `None`: none.
        signature: the value of `--signature`; empty: none.
        score_only: whether only the number of a score is printed.
        as_sacrebleu: whether tables have the names and the words of sacreBLEU's tables.
    """

    style: Style
    wanted: Wanted | None = None
    signature: str = ""
    score_only: bool = False
    as_sacrebleu: bool = False


def warn_of_scores(scored: Scored, results: Results, signature: str = "") -> None:
    """Warn of doubtful scores. Also warn if a published signature (may be empty) differs from that of the scores."""
    warn_of_doubts(scored.systems, scored.names_in_warnings)
    warn_of_signature(signature, next(iter(scored.signed(results).values())))


def warn_of_signature(published: str, signature: Signature, has_groups: bool = False) -> None:
    """Warn of differences between a published signature (may be empty) and the signature of a score."""
    if published:
        from ...metrics.reading import warn_of_differences

        warn_of_differences(published, signature, has_groups)


def warn_of_uncorrected(results: Results) -> None:
    """Warn in a terminal if a table has several p-values, but they are not corrected for the number of tests.

    (The table itself does not say so, because tables are the same as in sacreBLEU.)
    """
    tests = (len(results.systems) - 1) * len(results.scores[0])
    if results.test and tests > 1 and not results.corrected and is_terminal(sys.stderr):
        warn(f"the p-values are not corrected for the number of tests ({tests}): purebleu test corrects p-values")


def is_table(scored: Scored, style: Style) -> bool:
    """Whether results are printed as a table: results of several systems always, of one system in some formats."""
    return len(scored.systems) > 1 or FORMATS[style.form].is_table


def table_text(scored: Scored, results: Results, printing: Printing, gates: Sequence[WordedGate] = ()) -> str:
    """Return a table that compares systems, in the format of `printing`."""
    from ...report.worth import NOTHING_WANTED

    style, signatures, names = printing.style, scored.signed(results), scored.names
    wanted = printing.wanted or NOTHING_WANTED
    # (Names of files are shortened, except in the formats of sacreBLEU.)
    if scored.naming == "files" and (style.form not in ("json", "text", "latex") or style.columns is not None):
        names = short_names(names)
    if style.form == PAPER:
        from ...report.paper import paper_table

        return paper_table([PairResults(scored.inputs.corpus, names, results, signatures)], style)
    from ...report.comparison import comparison

    if printing.as_sacrebleu and style.format.kind != "lines":
        names = system_names(names, bool(results.test), scored.naming == "numbers")
    pair = PairResults(scored.inputs.corpus, names, results, signatures)
    if style.form == GITHUB:
        from ...report.gates import github_annotations

        add_to_summary(comparison(pair, style.in_format("markdown"), wanted), gates)
        return github_annotations(pair, gates, style.width)
    return comparison(pair, style, wanted, printing.as_sacrebleu)


def system_text(scored: Scored, testing: Testing, printing: Printing) -> str:
    """Return the scores of one system as text or JSON, with intervals if options ask for them."""
    warn_of_doubts(scored.systems)
    return scores_text(scored.systems[0].scores(), scored, testing, printing)


def scores_text(scores: Sequence[Score], scored: Scored, testing: Testing, printing: Printing) -> str:
    """Format the scores of one system. Warn if a published signature differs.

    If options ask for intervals, the rows of `scored` are resampled, and the means of resampled scores are exact (as in
    sacreBLEU).
    """
    if testing.intervals:
        from ...engines.resampling.intervals import exact_mean
        from ...significance.results import results_of

        results = results_of(scored.rows, scored.metrics, testing.sampling(scored, exact_mean))
        for score, result in zip(scores, results.systems[0]):
            score.mean, score.ci, score.signature = result.mean, result.ci, results.signed(score.signature)
    warn_of_signature(printing.signature, scores[0].signature)
    return system_results(scores, printing.style, printing.score_only)


# Gates


def gated(text: str | None, gates: Sequence[WordedGate], form: str, quiet: bool = False) -> Answer:
    """Return an answer with a message for each gate. (In GitHub's format, the text already has these messages.)

    If `quiet`, only gates that fail have messages.
    """
    from ...report.gates import gate_lines

    reported = [] if form == GITHUB else [gate for gate in gates if not (quiet and gate.passed)]
    return Answer(text, gate_lines(reported), 0 if all(gate.passed for gate in gates) else GATE_FAILED)


def add_to_summary(markdown: str, gates: Sequence[WordedGate]) -> None:
    """Append gates, and results in Markdown, to the summary of a run on GitHub; do nothing outside of GitHub."""
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        from ...report.gates import github_summary

        try:
            with open(path, "a", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(github_summary(markdown, gates))
        except OSError as error:
            raise PurebleuError(f"{path}: {error.strerror or error}") from error
