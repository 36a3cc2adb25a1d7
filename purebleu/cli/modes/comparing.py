"""Several systems, side by side."""

from __future__ import annotations

import sys

from ...errors import warn
from ...report import GITHUB, PAPER
from ...report.comparison import comparison
from ...report.names import short_names, system_names
from ...report.worth import Wanted
from ...significance.results import results_of
from ..process.terminal import is_terminal
from ..scoring.corpus import warn_of_doubts
from ..scoring.naming import corpus_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ...metrics.score import Signature
    from ...report.gates import WordedGate
    from ...report.style import Style
    from ...significance.results import Results
    from ..arguments.options import Options
    from ..scoring.types import Scored


def compare_systems(options: Options, scored: Scored,
                    formats: Sequence[str]) -> tuple[list[str], Sequence[WordedGate] | None]:
    """A table of systems in each of these formats, with intervals, tests and ranks if asked for; and the gates."""
    results, signatures = compared(options, scored, scored.names_in_warnings)
    if options.signature:
        from ..arguments.signature import warn_of_differences

        warn_of_differences(options.signature, next(iter(signatures.values())))
    gates: Sequence[WordedGate] | None = None
    if options.has_gates:
        from .gates import worded_gates

        gates = worded_gates(options, scored, results)
    return [_table_text(options, form, scored, results, signatures, gates or []) for form in formats], gates


def compared(options: Options, scored: Scored, warned_as: Sequence[str]) -> tuple[Results, dict[str, Signature]]:
    """The results of systems, and their signatures by the names of scores; `warned_as` names the systems in warnings.

    If systems are tested and there is a report, these are the results of the report: the same tests and corrections.
    """
    if scored.summary is not None and options.test:
        results = scored.summary.results
    else:
        rows = [[kept or [evaluation.totals()] for evaluation, kept in zip(system.evaluations, system.rows)]
                for system in scored.systems]
        results = results_of(rows, scored.metrics, test=options.test, samples=options.samples,
                             resamples=options.confidence_n if options.confidence else 0,
                             differences=options.confidence_n if wanted_of(options) else 0, rank=options.rank,
                             holm=options.holm, exact=options.exact, units=scored.units, rng=options.rng,
                             seed=options.seed)
        results.segments = scored.systems[0].evaluations[0].segments
    warn_of_doubts(scored.systems, warned_as)
    _warn_of_uncorrected_tests(options, results)
    return results, {score.name: results.signed(signature)
                     for score, signature in zip(results.scores[0], scored.signatures)}


def _warn_of_uncorrected_tests(options: Options, results: Results) -> None:
    """Warn a reader in a terminal where a table has several p-values that are not corrected for their number.

    (The tables themselves do not say so, as they are sacreBLEU's; and programs that read them need no reminder.)
    """
    tests = (len(results.systems) - 1) * len(results.scores[0])
    if results.test and tests > 1 and not (options.holm or options.rank) and is_terminal(sys.stderr):
        warn(f"the p-values of these {tests} tests are not corrected for their number: --holm corrects them")


def wanted_of(options: Options) -> Wanted:
    """The figures on differences between systems that the options ask for."""
    return Wanted(options.worth, options.power)


def _table_text(options: Options, form: str, scored: Scored, results: Results, signatures: Mapping[str, Signature],
                gates: Sequence[WordedGate]) -> str:
    inputs, wanted = scored.inputs, wanted_of(options)
    style = options.style_in(form)
    if style.format.kind == "lines":
        from ...report.comparison_lines import delimited_comparison

        return delimited_comparison(inputs, results, signatures, style, wanted)
    shown = short_names(inputs) if scored.naming == "files" and _is_for_readers(style) else inputs
    if form == PAPER:
        from ...report.paper.systems import paper_table

        lower_is_better = [metric.LOWER_IS_BETTER for metric in scored.metrics]
        return paper_table(shown, results, signatures, lower_is_better, style.width, style.short,
                           corpus_text(options))
    names = system_names(shown, bool(options.test), scored.naming == "numbers")
    if form == GITHUB:
        from .gates import github_text

        table = comparison(names, results, signatures, style.in_format("markdown"), wanted)
        return github_text(options, inputs, results, signatures, gates, table)
    return comparison(names, results, signatures, style, wanted)


def _is_for_readers(style: Style) -> bool:
    """Whether file names are shortened: in formats for people, but in text only for a terminal."""
    return style.format.for_readers and (style.form != "text" or style.columns is not None)
