"""Systems on many language pairs, from a manifest."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import OptionError
from ...metrics.evaluation import warn_of_doubts
from ...report.formats import PAPER
from ...report.names import PairResults
from ...report.pairs import pairs_report
from ...report.worth import NOTHING_WANTED
from ...significance.results import Results, correct_together
from ..arguments.command import CorpusValues
from ..corpus.inputs import Examined, check_targets, pair_inputs, pairs_of_manifest
from ..corpus.metrics import MetricChoice
from ..corpus.score import Scoring, scored_corpus
from ..corpus.scored import CorpusTexts, Scored
from .results import Printing
from .testing import Testing


def scored_pairs(values: CorpusValues, scoring: Scoring, testing: Testing, warned_texts: list[str] | None = None,
                 written: str = "") -> list[Scored]:
    """Score the systems of each pair of a manifest.

    Args:
        values: the options of the command.
        scoring: how each pair is scored.
        testing: how systems are tested, which needs some.
        warned_texts: the warnings so far, if texts are kept for a page; else `None`.
        written: a file that will be written.

    Raises:
        OptionError: a pair has fewer systems than the test takes, or its files and options do not go together.
    """
    pairs = pairs_of_manifest(values)
    for pair in pairs:
        if testing.test and len(pair.names) < 2:
            raise OptionError(f"{values.manifest}: a paired test compares two systems or more, but of {pair.pair}, "
                              f"there is {', '.join(pair.names)}")
    warned: set[str] = set()
    all_scored: list[Scored] = []
    for pair in pairs:
        inputs = pair_inputs(values, pair, None)
        check_targets({"the page": written}, [values.manifest, *inputs.all_files])
        choice = MetricChoice(values, inputs, keeps_order=testing.test is not None)
        choice.check_unused(warned_texts is not None)
        texts = None if warned_texts is None else CorpusTexts(warned_texts)
        try:
            scored = scored_corpus(inputs, choice, scoring, texts, warned)
            scored.pair = pair.pair
            all_scored.append(scored)
        except Examined:
            if pair is pairs[-1]:
                raise
    return all_scored


def pair_results(scored: Scored, testing: Testing, results: Results | None = None) -> PairResults:
    """The results of a pair; warn of doubtful scores. `results` are those of its page, if it has one."""
    if results is None:
        results = testing.results(scored)
    warn_of_doubts(scored.systems, [f"{name} on {scored.pair}" for name in scored.names])
    return PairResults(scored.pair, scored.names, results, scored.signed(results))


def correct_pairs(pairs: Sequence[Scored], results: Sequence[PairResults]) -> None:
    """Correct the p-values of all pairs together."""
    correct_together([(of_pair.results, pair.metrics) for pair, of_pair in zip(pairs, results)])


def pairs_text(results: Sequence[PairResults], printing: Printing, autorank: bool = False) -> str:
    """The results of all pairs as one table."""
    style = printing.style
    if style.form == PAPER:
        from ...report.paper import paper_table

        return paper_table(results, style.width, style.short, style.label)
    return pairs_report(results, style, printing.wanted or NOTHING_WANTED, autorank)
