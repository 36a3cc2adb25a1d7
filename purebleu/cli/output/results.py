"""The results of one system, or of several side by side, as text."""

from __future__ import annotations

import sys

from ...errors import warn
from ...metrics.evaluation import warn_of_doubts
from ...metrics.score import Score, Signature
from ...report.formats import FORMATS, GITHUB, PAPER, PairResults, Style, short_names, system_names, system_results
from ..process import is_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...report.gates import WordedGate
    from ...report.worth import Wanted
    from ...significance.results import Results
    from ..corpus.scored import Scored
    from .testing import Testing


class Printing:
    """How results are printed.

    Attributes:
        style: the format, and what belongs to it.
        wanted: further figures on differences; `None`: none.
        corpus: the test set and the language pair, for captions.
        signature: the published signature that options were set from; empty: none.
        score_only: whether numbers alone are printed.
        as_sacrebleu: whether tables have the names and the words of sacreBLEU's.
    """

    def __init__(self, style: Style, corpus: str = "", wanted: Wanted | None = None, *, signature: str = "",
                 score_only: bool = False, as_sacrebleu: bool = False) -> None:
        self.style = style
        self.wanted = wanted
        self.corpus = corpus
        self.signature = signature
        self.score_only = score_only
        self.as_sacrebleu = as_sacrebleu


def warn_of_scores(scored: Scored, results: Results, signature: str = "") -> None:
    """Warn of doubtful scores, and of differences between a published signature (if one was given) and theirs."""
    warn_of_doubts(scored.systems, scored.names_in_warnings)
    warn_of_signature(signature, next(iter(scored.signed(results).values())))


def warn_of_signature(published: str, signature: Signature, has_groups: bool = False) -> None:
    """Warn of differences between a published signature, if one was given, and that of a score."""
    if published:
        from ...metrics.reading import warn_of_differences

        warn_of_differences(published, signature, has_groups)


def warn_of_uncorrected_tests(results: Results) -> None:
    """Warn a reader in a terminal if a table has several p-values that are not corrected for their number.

    (The tables themselves do not say so, as they are sacreBLEU's; and programs that read them need no reminder.)
    """
    tests = (len(results.systems) - 1) * len(results.scores[0])
    if results.test and tests > 1 and not results.corrected and is_terminal(sys.stderr):
        warn(f"the p-values of these {tests} tests are not corrected for their number: purebleu test corrects them")


def is_table(systems: int, form: str) -> bool:
    """Whether results are a table in this format."""
    return systems > 1 or FORMATS[form].is_table


def table_text(scored: Scored, results: Results, printing: Printing, gates: Sequence[WordedGate] = ()) -> str:
    """Systems side by side, in the format of `printing`."""
    from ...report.worth import NOTHING_WANTED

    style, signatures, names = printing.style, scored.signed(results), scored.names
    wanted = printing.wanted or NOTHING_WANTED
    # (Names of files are shortened, except in formats that sacreBLEU has, too.)
    if scored.naming == "files" and (style.form not in ("json", "text", "latex") or style.columns is not None):
        names = short_names(names)
    if style.form == PAPER:
        from ...report.paper import paper_table

        pair = PairResults(printing.corpus, names, results, signatures)
        return paper_table([pair], style)
    from ...report.comparison import comparison

    if printing.as_sacrebleu and style.format.kind != "lines":
        names = system_names(names, bool(results.test), scored.naming == "numbers")
    pair = PairResults(printing.corpus, names, results, signatures)
    if style.form == GITHUB:
        from ...report.gates import github_annotations
        from .gates import add_to_summary

        add_to_summary(comparison(pair, style.in_format("markdown"), wanted), gates)
        return github_annotations(pair, gates, style.width)
    return comparison(pair, style, wanted, printing.as_sacrebleu)


def system_text(scored: Scored, testing: Testing, printing: Printing) -> str:
    """The scores of one system, with intervals if they are asked for, in a format that is no table."""
    warn_of_doubts(scored.systems)
    scores = scored.systems[0].scores()
    if testing.intervals:
        set_intervals(scores, testing.results_of_one(scored))
    return scores_text(scores, printing)


def set_intervals(scores: Sequence[Score], results: Results) -> None:
    """Add intervals to the scores of a system, and their resampling to signatures."""
    for score, result in zip(scores, results.systems[0]):
        score.mean, score.ci, score.signature = result.mean, result.ci, results.signed(score.signature)


def scores_text(scores: Sequence[Score], printing: Printing) -> str:
    """The scores of one system as text or JSON; warn if a published signature differs from theirs."""
    warn_of_signature(printing.signature, scores[0].signature)
    return system_results(scores, printing.style, printing.score_only)
