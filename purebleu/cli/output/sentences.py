"""The score of each segment, held back until the last one has been scored without an error."""

from __future__ import annotations

from functools import partial

from ...errors import OptionError
from ...files.spool import Spool
from ...metrics import BLEU
from ...metrics.evaluation import Evaluation
from ...report.delimited import SegmentTable
from ...report.names import short_names
from ..corpus.checks import InputChecks
from ..corpus.naming import naming_of, system_names_of
from ..corpus.score import NOTHING_LEFT, score_block, score_blocks, weighted_metrics
from ..corpus.scored import SegmentList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

    from ...metrics.base import Metric
    from ...metrics.evaluation import Part
    from ...metrics.score import Score
    from ..corpus.inputs import Inputs
    from ..corpus.metrics import MetricChoice
    from ..corpus.scored import Scored
    from .results import Printing


def score_sentences(inputs: Inputs, choice: MetricChoice, jobs: int, printing: Printing) -> Iterable[str]:
    """Score each segment; the scores come in pieces of whole lines. Several metrics or systems make a table."""
    metrics = choice.make()
    if len(metrics) > 1 or len(inputs.files) > 1:
        return _table(inputs, choice, metrics, jobs, printing)
    [metric] = metrics
    style = printing.style
    listed = None if style.form == "text" else SegmentList()
    checks = InputChecks([metric])
    [metric], blocks = weighted_metrics(inputs, [metric], listed, checks)
    evaluation: Evaluation[Score] = Evaluation(metric, inputs.signature_fields)

    def scores_of(part: Part) -> list[str]:
        evaluation.add(part)
        if listed is not None:
            return [metric.score(row).numbers(style.width) for row in part.rows]
        signature = evaluation.signature().format(style.short)
        return [metric.score(row).format(style.width, printing.score_only, signature) for row in part.rows]

    parts = map(_only_part, score_blocks(inputs, partial(score_block, [metric], True), checks, jobs, listed=listed,
                                         blocks=blocks))
    spool = Spool(map(scores_of, parts))
    if not spool:
        raise OptionError(NOTHING_LEFT)
    if printing.signature:
        from ..arguments.signature import warn_of_differences

        warn_of_differences(printing.signature, evaluation.signature())
    if listed is None:
        return map("\n".join, spool)
    from ...report.delimited import sentence_records

    return sentence_records(metric.score(evaluation.totals()).name, evaluation.signature(), spool, listed.numbers,
                            listed.columns.get("id", []), style.form)


def _table(inputs: Inputs, choice: MetricChoice, metrics: Sequence[Metric[Score]], jobs: int,
           printing: Printing) -> Iterable[str]:
    """A table of the lengths of each segment in tokens of BLEU, and of its scores: all systems, all metrics."""
    listed = SegmentList()
    bleu = choice.bleu_among(metrics)
    checks = InputChecks(metrics)
    computed, blocks = weighted_metrics(inputs, [*metrics, *([] if bleu in metrics else [bleu])], listed, checks)
    lengths = next(index for index, metric in enumerate(computed) if isinstance(metric, BLEU))
    evaluations: list[list[Evaluation[Score]]] = []

    def rows_of(block: Sequence[Sequence[Part]]) -> list[list[list[str]]]:
        if not evaluations:
            evaluations.extend([[Evaluation(metric, inputs.signature_fields) for metric in computed]
                                for _ in block])
        for system_evaluations, parts in zip(evaluations, block):
            for evaluation, part in zip(system_evaluations, parts):
                evaluation.add(part)
        by_system = [[[*map(str, rows[lengths][:2]), *[metric.score(row).numbers(printing.style.width)
                                                      for metric, row in zip(computed[:len(metrics)], rows)]]
                      for rows in zip(*[part.rows for part in parts])] for parts in block]
        return [list(segment_cells) for segment_cells in zip(*by_system)]

    spool = Spool(map(rows_of, score_blocks(inputs, partial(score_block, computed, True), checks, jobs, listed=listed,
                                            blocks=blocks)))
    if not spool:
        raise OptionError(NOTHING_LEFT)
    scores = [evaluation.score() for evaluation in evaluations[0][:len(metrics)]]
    names = system_names_of(inputs, len(evaluations))
    shown = short_names(names) if naming_of(inputs) == "files" else names
    table = SegmentTable(listed.numbers, listed.columns.get("id", []), shown, [score.name for score in scores],
                         [evaluation.signature() for evaluation in evaluations[0][:len(metrics)]])
    return table.records(spool, printing.style.form)


def _only_part(systems: Sequence[Sequence[Part]]) -> Part:
    """The part that a block adds to the only system under the only metric."""
    if len(systems) > 1:
        raise OptionError(f"--sentence-level of {len(systems)} systems is a table: name them by -i, and add -f csv, "
                          "tsv or json")
    return systems[0][0]


def sentences_of_rows(scored: Scored, printing: Printing) -> Iterable[str]:
    """The score of each segment from stored rows, in pieces; several metrics or systems make a table.

    The metrics of `scored` are those of single segments.
    """
    metrics, form, width = scored.metrics, printing.style.form, printing.style.width
    systems = [[list(map(metric.score, rows)) for metric, rows in zip(metrics, system.rows)]
               for system in scored.systems]
    numbers = range(1, 1 + len(systems[0][0]))
    if len(metrics) == len(systems) == 1:
        [signature], [scores] = scored.signatures, systems[0]
        if form == "text":
            signed = signature.format(printing.style.short)
            return [score.format(width, printing.score_only, signed) for score in scores]
        from ...report.delimited import sentence_records

        return sentence_records(scores[0].name, signature, [[score.numbers(width) for score in scores]], numbers, [],
                                form)
    if form == "text":
        raise OptionError("--sentence-level of several metrics or systems is a table: add -f csv, tsv or json")
    names = [scores[0].name for scores in systems[0]]
    shown = short_names(scored.inputs) if scored.naming == "files" else scored.inputs
    table = SegmentTable(numbers, [], shown, names, scored.signatures, has_lengths=False)
    cells = [[[score.numbers(width) for score in of_segment] for of_segment in zip(*system)] for system in systems]
    return table.records([list(map(list, zip(*cells)))], form)
