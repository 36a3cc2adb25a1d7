"""What the command line does with its options: from the corpus to results, and the text to print."""

from __future__ import annotations

from functools import partial

from ..errors import OptionError
from ..metrics import metric_class
from ..metrics.evaluation import Evaluation
from ..report import TABLE_FORMATS, system_results
from .corpus import evaluate_systems, score_block, score_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from ..metrics.base import Metric
    from ..metrics.contract import Row
    from ..metrics.score import Score

_NOTHING_LEFT = "no segment of the test set is left by --origlang and --subset"


def run_command(options: Namespace) -> str | None:
    """What the options ask for, as the text to print."""
    if hasattr(globals().get("__loader__"), "archive"):  # (asked here, so as to import nothing where it is not so)
        from .carried import run_with_carried

        return run_with_carried(options, _run_with_source)
    return _run_with_source(options)


def _run_with_source(options: Namespace) -> str | None:
    if options.mirror or options.offline:
        from ..files.download import fetching

        with fetching(options.mirror, options.offline):
            return _run(options)
    return _run(options)


def _run(options: Namespace) -> str | None:
    if options.command == "doctor":
        from .doctor import doctor

        return doctor(options)
    if options.command:
        from .testset_commands import COMMANDS

        return COMMANDS[options.command](options)
    if options.audit:
        from .audit import audit

        return audit(options)
    metrics = make_metrics(options)
    if options.sentence_level:
        return score_sentences(options, metrics[0])
    return score_corpus(options, metrics)


def make_metrics(options: Namespace) -> list[Metric[Score]]:
    """The metrics that are asked for; their options are those with the metric's name as prefix."""
    metrics: list[Metric[Score]] = []
    for name in options.metrics:
        prefix = name + "_"
        arguments: dict[str, Any] = {
            key[len(prefix):]: value for key, value in vars(options).items() if key.startswith(prefix)
        }
        if name == "bleu":
            arguments["effective_order"] = options.sentence_level
            arguments["trg_lang"] = options.langpair.split("-")[1] if options.langpair else ""
        metrics.append(metric_class(name.upper())(**arguments))
    return metrics


def score_corpus(options: Namespace, metrics: list[Metric[Score]]) -> str:
    """The results of one system, or a table of several."""
    systems = evaluate_systems(options, metrics)
    if not systems:
        raise OptionError(_NOTHING_LEFT)
    if options.test and len(systems) == 1:
        raise OptionError("a paired test compares systems, but there is only one")
    if options.rank and len(systems) < 3:
        raise OptionError(f"--rank orders three systems or more, but there are {len(systems)}")
    if len(systems) > 1 or options.format in TABLE_FORMATS:
        from .comparing import compare_systems

        return compare_systems(options, metrics, systems)
    return score_system(options, metrics, *systems[0])


def score_system(options: Namespace, metrics: list[Metric[Score]], evaluations: list[Evaluation[Score]],
                 rows: list[list[Row]]) -> str:
    """The scores of one system, with intervals, and with those of subsets of the test set, if asked for."""
    scores = [evaluation.score() for evaluation in evaluations]
    of_subsets = ""
    if options.detail:
        from .details import of_selected, subset_scores

        of_subsets = "\n" + subset_scores(options, metrics, rows)
        rows, scores = of_selected(options.selection, metrics, rows, scores)
        if not rows[0]:
            raise OptionError(_NOTHING_LEFT)
    if options.confidence:
        from ..engines.resampling.intervals import exact_mean
        from ..significance.results import results_of

        results = results_of([rows], metrics, resamples=options.confidence_n, rng=options.rng, seed=options.seed,
                             mean=exact_mean)
        for score, result in zip(scores, results.systems[0]):
            score.mean, score.ci, score.signature = result.mean, result.ci, results.signed(score.signature)
    return system_results(scores, options.format, options.width, options.score_only, options.short,
                          options.color) + of_subsets


def score_sentences(options: Namespace, metric: Metric[Score]) -> str:
    """A line of text for each segment, all of them held back until the last has been scored without an error."""
    evaluation: Evaluation[Score] = Evaluation(metric)
    lines: list[str] = []
    for systems in score_blocks(options, partial(score_block, [metric], True)):
        if len(systems) > 1:
            raise OptionError(f"--sentence-level takes one system, but there are {len(systems)}")
        part = systems[0][0]
        evaluation.add(part)
        signature = evaluation.signature().format(options.short)
        lines += [metric.score(row).format(options.width, options.score_only, signature) for row in part.rows]
    if not lines:
        raise OptionError(_NOTHING_LEFT)
    return "\n".join(lines)
