"""The scores of all pairs of hypotheses and references, for minimum Bayes risk decoding."""

from __future__ import annotations

from .segments import check_kinds, checked_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..runtime.hints import Any, Iterable, Segment
    from .base import Metric


def scores_of_pairs(metric: Metric[Any], hypotheses: Iterable[Segment],
                    references: Iterable[Segment]) -> list[list[float]]:
    """Compute `Metric.pairwise`. Equal lines are scored only once, because samples of a model are often equal."""
    metric._warn_of_single_segments()
    ours = checked_segments(hypotheses, "hypotheses", metric.TAKES_TOKENS)
    theirs = checked_segments(references, "references", metric.TAKES_TOKENS)
    check_kinds(ours, [theirs])
    metric._warn_of_slow([max(ours, key=len)], [[max(theirs, key=len)]])
    if not isinstance(ours[0], str):
        return metric.pair_values(metric.preprocess_lines(ours), metric.preprocess_references(theirs))
    different, others = list(dict.fromkeys(ours)), list(dict.fromkeys(theirs))
    rows = metric.pair_values(metric.preprocess_lines(different), metric.preprocess_references(others))
    if len(others) < len(theirs):
        columns = list(map({line: index for index, line in enumerate(others)}.__getitem__, theirs))
        rows = [list(map(row.__getitem__, columns)) for row in rows]
    row_of = dict(zip(different, rows))
    return rows if len(different) == len(ours) else [list(row_of[line]) for line in ours]
