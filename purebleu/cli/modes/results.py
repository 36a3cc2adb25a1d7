"""From the evaluations and rows of systems to the text that tells their results."""

from __future__ import annotations

from ...errors import OptionError, warn
from ...report import TABLE_FORMATS, system_results
from ..scoring.corpus import warn_of_doubts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...metrics.base import Metric
    from ...metrics.contract import Row
    from ...metrics.evaluation import Evaluation
    from ...metrics.score import Score
    from ...rows.stored import Naming
    from ..arguments.options import Options
    from ..scoring.types import System

NOTHING_LEFT = "no segment of the test set is left by --origlang and --subset"


def results_text(options: Options, metrics: list[Metric[Score]], systems: list[System], inputs: Sequence[str],
                 naming: Naming) -> str:
    """The results of one system, or a table of several; the arguments are those of `results_texts`."""
    return results_texts(options, metrics, systems, inputs, naming, [options.format])[0]


def results_texts(options: Options, metrics: list[Metric[Score]], systems: list[System], inputs: Sequence[str],
                  naming: Naming, formats: Sequence[str]) -> list[str]:
    """The results of one system, or a table of several, in each of these formats.

    Args:
        options: those of the command line.
        metrics: in the order of the results.
        systems: one or more.
        inputs: what each system is called.
        naming: where these names come from: as `StoredRows` has it.
        formats: what `--format` takes.
    """
    if options.test and len(systems) == 1:
        raise OptionError("a paired test compares systems, but there is only one", option="test")
    if options.rank and len(systems) < 3:
        raise OptionError(f"--rank orders three systems or more, but there are {len(systems)}", option="rank")
    tables = [form for form in formats if len(systems) > 1 or form in TABLE_FORMATS]
    others = [form for form in formats if form not in tables]
    texts: dict[str, str] = {}
    if tables and options.score_only:
        warn("--score-only is for a single system, as text or JSON: a table has its signatures, too")
    if tables:
        from .comparing import compare_systems

        texts.update(zip(tables, compare_systems(options, metrics, systems, inputs, naming, tables)))
    if others:
        texts.update(zip(others, score_system(options, metrics, *systems[0], others)))
        if options.gates:
            from .gates import gated, verdicts_of

            verdicts = verdicts_of(options, metrics, systems, inputs, None)
            texts.update([(form, gated(options, texts[form], verdicts)) for form in others])
    return [texts[form] for form in formats]


def score_system(options: Options, metrics: list[Metric[Score]], evaluations: list[Evaluation[Score]],
                 rows: list[list[Row]], formats: Sequence[str]) -> list[str]:
    """The scores of one system, with intervals, and with those of subsets of the test set, if asked for."""
    warn_of_doubts([(evaluations, rows)])
    scores = [evaluation.score() for evaluation in evaluations]
    of_subsets = ""
    if options.detail:
        from .details import of_selected, subset_scores

        of_subsets = "\n" + subset_scores(options, metrics, rows)
        rows, scores = of_selected(options.chosen, metrics, rows, scores)
        if not rows[0]:
            raise OptionError(NOTHING_LEFT)
    if options.confidence:
        from ...engines.resampling.intervals import exact_mean
        from ...significance.results import results_of

        results = results_of([rows], metrics, resamples=options.confidence_n, rng=options.rng, seed=options.seed,
                             mean=exact_mean)
        for score, result in zip(scores, results.systems[0]):
            score.mean, score.ci, score.signature = result.mean, result.ci, results.signed(score.signature)
    if options.signature:
        from ..arguments.signature import warn_of_differences

        warn_of_differences(options.signature, scores[0].signature)
    return [system_results(scores, form, options.width, options.score_only, options.short, options.color) + of_subsets
            for form in formats]
