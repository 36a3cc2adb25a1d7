"""Similarity of systems: scores of systems with another system's output as the reference, and lengths of outputs."""

from __future__ import annotations

from functools import partial

from ..metrics.base import Metric
from ..metrics.bleu import BLEU
from ..metrics.evaluation import Evaluation, References, part_of, sum_statistics
from ..metrics.score import Score
from ..runtime.blocks import BLOCK_SEGMENTS, slices
from ..runtime.hints import Sequence
from ..runtime.progress import observer
from ..runtime.workers import number_of_workers, spread


def cross_scores(metrics: Sequence[Metric[Score]], outputs: Sequence[Sequence[str]],
                 jobs: int = 1) -> list[list[list[float | None]]]:
    """Return the score of each system with the output of each other system as the only reference ("cross-BLEU").

    Args:
        metrics: one or more metrics.
        outputs: the lines of each system, at least one line.
        jobs: the maximum number of processes; 0: one for each processor.

    Returns:
        The scores by metric, then by system, then by the system that is the reference; `None` for a system with itself
        as the reference. (Scores are not symmetric, for example because outputs differ in length.)

    Example:
        >>> from purebleu import TER
        >>> cross_scores([TER()], [["a b c d"], ["a b"]])
        [[[None, 100.0], [50.0, None]]]
    """
    observer().begin("comparing systems", len(metrics) * len(outputs) * (len(outputs) - 1) * len(outputs[0]))
    columns = list(spread(partial(_scores_against, metrics, outputs), range(len(outputs)), number_of_workers(jobs),
                          own_process=True))
    return [list(map(list, zip(*metric_columns))) for metric_columns in zip(*columns)]


def _scores_against(metrics: Sequence[Metric[Score]], outputs: Sequence[Sequence[str]],
                    reference: int) -> list[list[float | None]]:
    """Return the scores by metric, then by system, with the output of the system `reference` as the reference."""
    columns: list[list[float | None]] = []
    for metric in metrics:
        evaluations = [Evaluation(metric) for _ in outputs]
        for indices in slices(len(outputs[0]), BLOCK_SEGMENTS):
            references = References(metric, [outputs[reference][indices]]).preprocessed()
            for system, lines in enumerate(outputs):
                if system != reference:
                    rows = metric.block_statistics(lines[indices], references)
                    evaluations[system].add(part_of(rows, metric, lines[indices], references))
        columns.append([None if system == reference else metric.score(evaluation.totals()).score
                        for system, evaluation in enumerate(evaluations)])
    return columns


def length_totals(metric: BLEU, outputs: Sequence[Sequence[str]],
                  references: Sequence[Sequence[str | None]]) -> list[tuple[int, int]]:
    """Return, for each system, the numbers of tokens that BLEU counts in its outputs and in the closest references."""
    scores = [metric.score(sum_statistics(metric.corpus_statistics(lines, references))) for lines in outputs]
    return [(score.sys_len, score.ref_len) for score in scores]
