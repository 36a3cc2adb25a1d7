"""Several systems, side by side."""

from __future__ import annotations

import sys

from ..report import DELIMITED_FORMATS, GITHUB
from ..report.comparison import comparison
from ..report.names import short_names, system_names
from ..significance.results import results_of
from .terminal import columns_of, is_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Mapping, Sequence

    from ..metrics.base import Metric
    from ..metrics.score import Score, Signature
    from ..rows.stored import Naming
    from ..significance.gates import Verdict
    from ..significance.results import Results
    from .corpus import System

#: Formats that are read by people alone.
_FOR_READERS = ("html", "markdown", GITHUB)


def compare_systems(options: Namespace, metrics: list[Metric[Score]], systems: list[System], inputs: Sequence[str],
                    naming: Naming) -> str:
    """A table of systems, with intervals, a test of each against the first one, a ranking, and gates if asked for."""
    results, signatures = compared(options, metrics, systems)
    names = system_names(_shown_names(options, inputs, naming), bool(options.test), naming != "numbers")
    if options.signature:
        from .published import warn_of_differences

        warn_of_differences(options.signature, next(iter(signatures.values())))
    verdicts: list[Verdict] = []
    if options.gates:
        from .gates import verdicts_of

        verdicts = verdicts_of(options, metrics, systems, inputs, results)
    text = _table_text(options, inputs, names, results, signatures, verdicts)
    if options.gates:
        from .gates import gated

        text = gated(options, text, verdicts)
    return text


def compared(options: Namespace, metrics: Sequence[Metric[Score]],
             systems: Sequence[System]) -> tuple[Results, dict[str, Signature]]:
    """The results of systems, and their signatures by the names of scores."""
    rows = [[kept or [evaluation.totals()] for evaluation, kept in zip(evaluations, rows_of_system)]
            for evaluations, rows_of_system in systems]
    results = results_of(rows, metrics, test=options.test, samples=options.samples, rank=options.rank,
                         resamples=options.confidence_n if options.confidence else 0, rng=options.rng,
                         seed=options.seed)
    scores = [evaluation.score() for evaluation in systems[0][0]]
    return results, {score.name: results.signed(score.signature) for score in scores}


def _table_text(options: Namespace, inputs: Sequence[str], names: Sequence[str], results: Results,
                signatures: Mapping[str, Signature], verdicts: Sequence[Verdict]) -> str:
    if options.format in DELIMITED_FORMATS:
        from ..report.delimited import delimited_comparison

        return delimited_comparison(inputs, results, signatures, options.format, options.width)
    if options.format == GITHUB:
        from .gates import github_text

        table = comparison(names, results, signatures, "markdown", options.width, options.short, False)
        return github_text(options, inputs, results, signatures, verdicts, table)
    return comparison(names, results, signatures, options.format, options.width, options.short, options.color,
                      columns_of(sys.stdout) if is_terminal(sys.stdout) else None)


def _shown_names(options: Namespace, inputs: Sequence[str], naming: Naming) -> Sequence[str]:
    """What systems are called: for readers without what all have in common, but not for programs and for LaTeX."""
    for_readers = options.format in _FOR_READERS or (options.format == "text" and is_terminal(sys.stdout))
    return short_names(inputs) if naming == "files" and for_readers else inputs
