"""`-sl`: the score of each segment, held back until the last one has been scored without an error."""

from __future__ import annotations

from functools import partial

from ...errors import OptionError
from ...files.spool import Spool
from ...metrics import BLEU
from ...metrics.evaluation import Evaluation
from ...report.delimited import SegmentTable
from ..scoring.checks import InputChecks
from ..scoring.corpus import input_fields, score_block, score_blocks, weighted_metrics
from ..scoring.metrics import bleu_of
from ..scoring.naming import naming_of, shown_names, system_inputs
from ..scoring.types import SegmentList
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

    from ...metrics.base import Metric
    from ...metrics.evaluation import Part
    from ...metrics.score import Score
    from ..arguments.options import Options


def score_sentences(options: Options, metrics: Sequence[Metric[Score]]) -> Iterable[str]:
    """The scores of segments, in pieces of whole lines; for several metrics or systems, a table of them."""
    if len(metrics) > 1 or len(options.input) > 1:
        return _table(options, metrics)
    [metric] = metrics
    listed = None if options.format == "text" else SegmentList()
    checks = InputChecks([metric])
    [metric], blocks = weighted_metrics(options, [metric], listed, checks)
    evaluation: Evaluation[Score] = Evaluation(metric, input_fields(options))

    def scores_of(part: Part) -> list[str]:
        evaluation.add(part)
        if listed is not None:
            return [metric.score(row).numbers(options.width) for row in part.rows]
        signature = evaluation.signature().format(options.short)
        return [metric.score(row).format(options.width, options.score_only, signature) for row in part.rows]

    parts = map(_only_part, score_blocks(options, partial(score_block, [metric], True), checks, listed=listed,
                                        blocks=blocks))
    spool = Spool(map(scores_of, parts))
    if not spool:
        raise OptionError(NOTHING_LEFT)
    if options.signature:
        from ..arguments.signature import warn_of_differences

        warn_of_differences(options.signature, evaluation.signature())
    if listed is None:
        return map("\n".join, spool)
    from ...report.delimited import sentence_records

    return sentence_records(metric.score(evaluation.totals()).name, evaluation.signature(), spool, listed.numbers,
                            listed.columns.get("id", []), options.format)


def _table(options: Options, metrics: Sequence[Metric[Score]]) -> Iterable[str]:
    """A table of the lengths of each segment in tokens of BLEU, and of its scores: all systems, all metrics."""
    listed = SegmentList()
    bleu = bleu_of(options, metrics)
    checks = InputChecks(metrics)
    computed, blocks = weighted_metrics(options, [*metrics, *([] if bleu in metrics else [bleu])], listed, checks)
    lengths = next(index for index, metric in enumerate(computed) if isinstance(metric, BLEU))
    evaluations: list[list[Evaluation[Score]]] = []

    def rows_of(block: Sequence[Sequence[Part]]) -> list[list[list[str]]]:
        if not evaluations:
            evaluations.extend([[Evaluation(metric, input_fields(options)) for metric in computed]
                                for _ in block])
        for system_evaluations, parts in zip(evaluations, block):
            for evaluation, part in zip(system_evaluations, parts):
                evaluation.add(part)
        by_system = [[[*map(str, rows[lengths][:2]), *[metric.score(row).numbers(options.width)
                                                      for metric, row in zip(computed[:len(metrics)], rows)]]
                      for rows in zip(*[part.rows for part in parts])] for parts in block]
        return [list(segment_cells) for segment_cells in zip(*by_system)]

    spool = Spool(map(rows_of, score_blocks(options, partial(score_block, computed, True), checks, listed=listed,
                                            blocks=blocks)))
    if not spool:
        raise OptionError(NOTHING_LEFT)
    scores = [evaluation.score() for evaluation in evaluations[0][:len(metrics)]]
    inputs = shown_names(options, system_inputs(options, len(evaluations)), naming_of(options))
    table = SegmentTable(listed.numbers, listed.columns.get("id", []), inputs, [score.name for score in scores],
                         [evaluation.signature() for evaluation in evaluations[0][:len(metrics)]])
    return table.records(spool, options.format)


def _only_part(systems: Sequence[Sequence[Part]]) -> Part:
    """The part that a block adds to the only system under the only metric."""
    if len(systems) > 1:
        raise OptionError(f"--sentence-level of {len(systems)} systems is a table: name them by -i, and add -f csv, "
                          "tsv or json")
    return systems[0][0]
