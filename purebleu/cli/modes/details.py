"""`--detail`: the scores of subsets of the test sets."""

from __future__ import annotations

from itertools import compress

from ...metrics.contract import sum_statistics
from ...report.subsets import subset_results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...metrics.base import Metric
    from ...metrics.contract import Row
    from ...metrics.score import Score
    from ..arguments.options import Options
    from ..scoring.selection import Selection

#: The text of `--detail` for test sets that don't tell the origin of their segments (sacreBLEU's own).
_NO_SUBSETS = "No subset information found. Consider using --origlang argument."


def subset_scores(options: Options, metrics: Sequence[Metric[Score]], rows: Sequence[Sequence[Row]]) -> str:
    """The scores of subsets of the test sets, by original language and domain, from the rows under each metric."""
    results: list[tuple[str, int, Score]] = []
    by_name = {name: (metric, rows_of_metric) for name, metric, rows_of_metric in zip(options.metrics, metrics, rows)}
    for label, kept in options.chosen.subsets():
        # sacreBLEU-compat: here, the metrics are in the order given. (fixtures: test_set_commands)
        for metric, rows_of_metric in map(by_name.__getitem__, options.metrics_as_given):
            results.append((label, sum(kept), metric.score(sum_statistics(list(compress(rows_of_metric, kept))))))
    return subset_results(results, options.style) if results else _NO_SUBSETS


def selected_rows_and_scores(selection: Selection, metrics: Sequence[Metric[Score]], rows: Sequence[list[Row]],
                             scores: list[Score]) -> tuple[Sequence[list[Row]], list[Score]]:
    """The rows and the scores of the selected segments, from the rows and the scores of all segments."""
    kept = selection.kept_segments()
    if kept is None:
        return rows, scores
    rows = [list(compress(rows_of_metric, kept)) for rows_of_metric in rows]
    if not rows[0]:
        return rows, []
    return rows, [_rescored(metric, rows_of_metric, score)
                  for metric, rows_of_metric, score in zip(metrics, rows, scores)]


def _rescored(metric: Metric[Score], rows: Sequence[Row], score: Score) -> Score:
    """The score of these rows, which are a selection, with the signature of the score of all."""
    selected = metric.score(sum_statistics(rows))
    selected.signature = score.signature
    return selected
