"""What the command line does with its options: from the corpus to results, and the text to print."""

from __future__ import annotations

from functools import partial
from itertools import compress

from ..errors import OptionError
from ..metrics import metric_class
from ..metrics.contract import sum_statistics
from ..metrics.evaluation import Evaluation
from ..report import TABLE_FORMATS, subset_results, system_results
from .corpus import evaluate_systems, score_block, score_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, Sequence

    from ..metrics.base import Metric
    from ..metrics.contract import Row
    from ..metrics.score import Score
    from .corpus import System

_NOTHING_LEFT = "no segment of the test set is left by --origlang and --subset"

#: What `--detail` says of test sets that don't tell where their segments come from (as sacreBLEU does).
_NO_SUBSETS = "No subset information found. Consider using --origlang argument."


def run_command(options: Namespace) -> str | None:
    """What the options ask for, as the text to print."""
    if options.mirror or options.offline:
        from ..files.download import fetching

        with fetching(options.mirror, options.offline):
            return _run(options)
    return _run(options)


def _run(options: Namespace) -> str | None:
    if options.command:
        from .testset_commands import COMMANDS

        return COMMANDS[options.command](options)
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
        return compare_systems(options, metrics, systems)
    return score_system(options, metrics, *systems[0])


def score_system(options: Namespace, metrics: list[Metric[Score]], evaluations: list[Evaluation[Score]],
                 rows: list[list[Row]]) -> str:
    """The scores of one system, with intervals, and with those of subsets of the test set, if asked for."""
    scores = [evaluation.score() for evaluation in evaluations]
    of_subsets = ""
    if options.detail:
        of_subsets = "\n" + subset_scores(options, metrics, rows)
        if kept := options.selection.kept_segments():
            rows = [list(compress(rows_of_metric, kept)) for rows_of_metric in rows]
            scores = [rescored(metric, rows_of_metric, score)
                      for metric, rows_of_metric, score in zip(metrics, rows, scores)]
    if options.confidence:
        from ..engines.resampling.intervals import exact_mean
        from ..significance.results import results_of

        results = results_of([rows], metrics, resamples=options.confidence_n, rng=options.rng, seed=options.seed,
                             mean=exact_mean)
        for score, result in zip(scores, results.systems[0]):
            score.mean, score.ci, score.signature = result.mean, result.ci, results.signed(score.signature)
    return system_results(scores, options.format, options.width, options.score_only, options.short,
                          options.color) + of_subsets


def rescored(metric: Metric[Score], rows: Sequence[Row], score: Score) -> Score:
    """The score of some of the segments that a score is of."""
    if not rows:
        raise OptionError(_NOTHING_LEFT)
    selected = metric.score(sum_statistics(rows))
    selected.signature = score.signature
    return selected


def subset_scores(options: Namespace, metrics: Sequence[Metric[Score]], rows: Sequence[Sequence[Row]]) -> str:
    """The scores of subsets of the test sets, by original language and domain, from the rows under each metric."""
    results: list[tuple[str, int, Score]] = []
    by_name = {name: (metric, rows_of_metric) for name, metric, rows_of_metric in zip(options.metrics, metrics, rows)}
    for label, kept in options.selection.subsets():
        # sacreBLEU-compat: here, the metrics are in the order given. (fixtures: test_set_commands)
        for metric, rows_of_metric in map(by_name.__getitem__, options.metrics_as_given):
            results.append((label, sum(kept), metric.score(sum_statistics(list(compress(rows_of_metric, kept))))))
    return subset_results(results, options.width, options.color) if results else _NO_SUBSETS


def compare_systems(options: Namespace, metrics: list[Metric[Score]], systems: list[System]) -> str:
    """A table of systems, with intervals, a test of each against the first one, and a ranking if asked for."""
    from ..report.comparison import comparison, system_names
    from ..significance.results import results_of

    scores = [[evaluation.score() for evaluation in evaluations] for evaluations, _ in systems]
    rows = [[kept or [evaluation.totals()] for evaluation, kept in zip(evaluations, rows_of_system)]
            for evaluations, rows_of_system in systems]
    results = results_of(rows, metrics, test=options.test, samples=options.samples, rank=options.rank,
                         resamples=options.confidence_n if options.confidence else 0, rng=options.rng,
                         seed=options.seed)
    inputs = options.input or [f"System {number}" for number in range(1, len(systems) + 1)]
    names = system_names(inputs, bool(options.test), bool(options.input))
    signatures = {score.name: results.signed(score.signature) for score in scores[0]}
    return comparison(names, results, signatures, options.format, options.width, options.short, options.color)


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
