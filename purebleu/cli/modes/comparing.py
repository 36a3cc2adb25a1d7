"""Several systems, side by side."""

from __future__ import annotations

import sys

from ...report import DELIMITED_FORMATS, GITHUB
from ...report.comparison import comparison
from ...report.names import short_names, system_names
from ...significance.results import results_of
from ..process.terminal import columns_of, is_terminal
from ..scoring.corpus import warn_of_doubts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score, Signature
    from ...rows.stored import Naming
    from ...significance.gates import Verdict
    from ...significance.results import Results
    from ..arguments.options import Options
    from ..scoring.types import System

#: Formats that are read by people alone.
_FOR_READERS = ("html", "markdown", GITHUB)


def compare_systems(options: Options, metrics: list[Metric[Score]], systems: list[System], inputs: Sequence[str],
                    naming: Naming, formats: Sequence[str]) -> list[str]:
    """A table of systems, with intervals, a test of each against the first one, a ranking, and gates if asked for.

    There is one in each of these formats.
    """
    results, signatures = compared(options, metrics, systems, inputs if len(systems) > 1 else [""])
    if options.signature:
        from ..arguments.signature import warn_of_differences

        warn_of_differences(options.signature, next(iter(signatures.values())))
    verdicts: list[Verdict] = []
    if options.gates:
        from .gates import verdicts_of

        verdicts = verdicts_of(options, metrics, systems, inputs, results)
    texts = [_table_text(options, form, inputs, naming, results, signatures, verdicts) for form in formats]
    if options.gates:
        from .gates import gated

        return [gated(options, text, verdicts) for text in texts]
    return texts


def compared(options: Options, metrics: Sequence[Metric[Score]], systems: Sequence[System],
             warned_as: Sequence[str]) -> tuple[Results, dict[str, Signature]]:
    """The results of systems, which warnings call like this, and their signatures by the names of scores."""
    rows = [[kept or [evaluation.totals()] for evaluation, kept in zip(evaluations, rows_of_system)]
            for evaluations, rows_of_system in systems]
    results = results_of(rows, metrics, test=options.test, samples=options.samples, rank=options.rank,
                         resamples=options.confidence_n if options.confidence else 0, rng=options.rng,
                         seed=options.seed)
    warn_of_doubts(systems, warned_as)
    return results, {score.name: results.signed(evaluation.signature())
                     for score, evaluation in zip(results.scores[0], systems[0][0])}


def _table_text(options: Options, form: str, inputs: Sequence[str], naming: Naming, results: Results,
                signatures: Mapping[str, Signature], verdicts: Sequence[Verdict]) -> str:
    if form in DELIMITED_FORMATS:
        from ...report.delimited import delimited_comparison

        return delimited_comparison(inputs, results, signatures, form, options.width)
    shown = short_names(inputs) if naming == "files" and _is_for_readers(form) else inputs
    names = system_names(shown, bool(options.test), naming == "numbers")
    if form == GITHUB:
        from .gates import github_text

        table = comparison(names, results, signatures, "markdown", options.width, options.short, False)
        return github_text(options, inputs, results, signatures, verdicts, table)
    return comparison(names, results, signatures, form, options.width, options.short, options.color,
                      columns_of(sys.stdout) if is_terminal(sys.stdout) else None)


def _is_for_readers(form: str) -> bool:
    """Whether names of files are shown without what all have in common: not for programs and for LaTeX."""
    return form in _FOR_READERS or (form == "text" and is_terminal(sys.stdout))
