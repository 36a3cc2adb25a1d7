"""`-sl`: the score of each segment, held back until the last one has been scored without an error."""

from __future__ import annotations

from functools import partial

from ...errors import OptionError
from ...files.spool import Spool
from ...metrics.evaluation import Evaluation
from ..scoring.corpus import SegmentList, field_of_resegmentation, score_block, score_blocks, weighted_metrics
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

    from ...metrics.base import Metric
    from ...metrics.evaluation import Part
    from ...metrics.score import Score
    from ..arguments.options import Options


def score_sentences(options: Options, metric: Metric[Score]) -> Iterable[str]:
    """What is to be printed of the segments, in pieces of whole lines."""
    listed = None if options.format == "text" else SegmentList()
    [metric], blocks = weighted_metrics(options, [metric], listed)
    evaluation: Evaluation[Score] = Evaluation(metric, field_of_resegmentation(options))

    def scores_of(part: Part) -> list[str]:
        evaluation.add(part)
        if listed is not None:
            return [metric.score(row).numbers(options.width) for row in part.rows]
        signature = evaluation.signature().format(options.short)
        return [metric.score(row).format(options.width, options.score_only, signature) for row in part.rows]

    parts = map(_only_part, score_blocks(options, partial(score_block, [metric], True), listed=listed, blocks=blocks))
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


def _only_part(systems: Sequence[Sequence[Part]]) -> Part:
    """The part of a block of the only system under the only metric."""
    if len(systems) > 1:
        raise OptionError(f"--sentence-level takes one system, but there are {len(systems)}")
    return systems[0][0]
