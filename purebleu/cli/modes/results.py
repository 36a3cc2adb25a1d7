"""From the evaluations and rows of systems to the text of their results."""

from __future__ import annotations

from ...errors import OptionError, warn
from ...report import FORMATS, system_results
from ..scoring.corpus import warn_of_doubts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...metrics.score import Score
    from ...report.gates import WordedGate
    from ...significance.results import Results
    from ..arguments.options import Options
    from ..scoring.types import Scored

NOTHING_LEFT = "no segment of the test set is left by --origlang and --subset"


def results_texts(options: Options, scored: Scored,
                  formats: Sequence[str]) -> tuple[list[str], Sequence[WordedGate] | None]:
    """The results of one system, or a table of several, in each of these formats; and the gates, if there are any.

    Args:
        options: the options of the command line.
        scored: the systems.
        formats: values of `--format`.
    """
    systems = scored.systems
    if len(systems) == 1:
        if options.test:
            raise OptionError("a paired test compares systems, but there is only one", option="test")
        if options.worth:
            raise OptionError("--worth is for differences between systems, but there is only one", option="worth")
    if options.rank and len(systems) < 3:
        raise OptionError(f"--rank orders three systems or more, but there are {len(systems)}", option="rank")
    tables = [form for form in formats if len(systems) > 1 or FORMATS[form].is_table]
    others = [form for form in formats if form not in tables]
    texts: dict[str, str] = {}
    gates: Sequence[WordedGate] | None = None
    if tables and options.score_only:
        warn("--score-only is for a single system, as text or JSON: a table has its signatures, too")
    if tables:
        from .comparing import compare_systems

        table_texts, gates = compare_systems(options, scored, tables)
        texts.update(zip(tables, table_texts))
    if others:
        texts.update(zip(others, score_system(options, scored, others)))
        if options.has_gates:
            from .gates import worded_gates

            gates = worded_gates(options, scored, None)
    return [texts[form] for form in formats], gates


def score_system(options: Options, scored: Scored, formats: Sequence[str]) -> list[str]:
    """The scores of one system in each of these formats; with intervals and subset scores, if asked for."""
    warn_of_doubts(scored.systems)
    [system], metrics = scored.systems, scored.metrics
    rows, scores = system.rows, system.scores()
    subset_text = ""
    if options.detail:
        from .details import selected_rows_and_scores, subset_scores

        subset_text = "\n" + subset_scores(options, metrics, rows)
        rows, scores = selected_rows_and_scores(options.chosen, metrics, rows, scores)
        if not rows[0]:
            raise OptionError(NOTHING_LEFT)
    results: Results | None = None
    if options.confidence or options.power is not None:
        from ...engines.resampling.intervals import exact_mean
        from ...significance.results import results_of

        results = results_of([rows], metrics, resamples=options.confidence_n if options.confidence else 0,
                             differences=options.confidence_n if options.power is not None else 0, rng=options.rng,
                             seed=options.seed, mean=exact_mean, units=scored.units)
        for score, result in zip(scores, results.systems[0]):
            score.mean, score.ci, score.signature = result.mean, result.ci, results.signed(score.signature)
    if options.signature:
        from ..arguments.signature import warn_of_differences

        warn_of_differences(options.signature, scores[0].signature)
    if options.power is None or results is None:
        return [system_results(scores, options.style_in(form), options.score_only) + subset_text for form in formats]
    return [_with_power(options, scores, results, form) + subset_text for form in formats]


def _with_power(options: Options, scores: Sequence[Score], results: Results, form: str) -> str:
    """The scores of one system, with the power of its test set."""
    from ...report.layouts import LAYOUTS
    from ...report.worth import power_of_one_by_metric, power_of_one_section

    assert options.power is not None, "it was asked for"
    figures = power_of_one_by_metric(results, options.power)
    if form == "json":
        members = [{"power_by_correlation": metric_figures} for metric_figures in figures]
        return system_results(scores, options.style_in(form), further=members)
    text = system_results(scores, options.style_in(form), options.score_only)
    section = power_of_one_section([score.name for score in scores], figures, options.power,
                                   [score.places(options.width) for score in scores])
    return f"{text}\n\n{LAYOUTS[form].section(section)}"
