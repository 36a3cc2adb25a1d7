"""`--detail`: the scores of subsets of the test sets."""

from __future__ import annotations

from itertools import compress

from ...errors import OptionError
from ...metrics.evaluation import sum_statistics, warn_of_doubts
from ...metrics.score import Score
from ...report.formats import Style, subset_results
from ..corpus.read import NOTHING_LEFT
from ..corpus.scored import Scored
from ..corpus.selection import Selection
from .results import Printing, scores_text, set_intervals
from .testing import Testing

#: The text of `--detail` for test sets that don't tell the origin of their segments (sacreBLEU's own).
_NO_SUBSETS = "No subset information found. Consider using --origlang argument."


def detailed_text(scored: Scored, selection: Selection, testing: Testing, printing: Printing) -> str:
    """The scores of one system on the selected segments, and those of subsets of all segments.

    Raises:
        OptionError: no segment is selected.
    """
    warn_of_doubts(scored.systems)
    [system] = scored.systems
    subsets = _subset_scores(scored, selection, printing.style)
    scores = system.scores()
    kept = selection.kept_segments()
    if kept is not None:
        system.rows = [list(compress(rows, kept)) for rows in system.rows]
        if not system.rows[0]:
            raise OptionError(NOTHING_LEFT)
        scores = [evaluation.of_rows(rows, {}).score() for evaluation, rows in zip(system.evaluations, system.rows)]
    if testing.intervals:
        set_intervals(scores, testing.results_of_one(scored))
    return f"{scores_text(scores, printing)}\n{subsets}"


def _subset_scores(scored: Scored, selection: Selection, style: Style) -> str:
    """The scores of subsets of the test sets, by original language and domain."""
    results: list[tuple[str, int, Score]] = []
    by_name = dict(zip(scored.choice.names, zip(scored.metrics, scored.systems[0].rows)))
    for label, kept in selection.subsets():
        # sacreBLEU-compat: here, the metrics are in the order given. (fixtures: test_set_commands)
        for metric, rows in map(by_name.__getitem__, scored.choice.as_given):
            results.append((label, sum(kept), metric.score(sum_statistics(list(compress(rows, kept))))))
    return subset_results(results, style) if results else _NO_SUBSETS
