"""Systems with several runs each: their means, deviations and tests."""

from __future__ import annotations

from ...report import PAPER
from ...report.runs import runs_report
from ...significance.runs import runs_of
from ..corpus.runs import files_of_runs
from ..corpus.score import warn_of_doubts
from ..corpus.scored import index_called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..corpus.scored import Scored
    from .results import Printing
    from .testing import Testing


class RunsOfSystems:
    """The files of the runs of each system, by the system's name."""

    def __init__(self, values: Sequence[str], against: str = "") -> None:
        """Find the files; the system `against` comes first, if one is named."""
        self.by_system = files_of_runs(values)
        if against:
            first = index_called(against, [[name] for name in self.names])
            self.by_system.insert(0, self.by_system.pop(first))

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [name for name, _ in self.by_system]

    @property
    def files(self) -> list[str]:
        """All files, system by system."""
        return [path for _, paths in self.by_system for path in paths]


def runs_text(runs: RunsOfSystems, scored: Scored, testing: Testing, printing: Printing) -> str:
    """The results of systems with several runs as a table; each system is tested against the first, if asked for."""
    rows = iter(scored.rows)
    systems = [[next(rows) for _ in paths] for _, paths in runs.by_system]
    results = runs_of(systems, scored.metrics, samples=testing.samples, rng=testing.rng, seed=testing.seed,
                      resamples=testing.intervals, holm=testing.corrects, exact=testing.exact, units=scored.units)
    warn_of_doubts(scored.systems, runs.files)
    signed = {score.name: results.signed(signature)
              for score, signature in zip(scored.systems[0].scores(), scored.signatures)}
    style = printing.style
    if style.form == PAPER:
        from ...report.paper.runs import paper_table_of_runs

        lower_is_better = [metric.LOWER_IS_BETTER for metric in scored.metrics]
        return paper_table_of_runs(runs.names, results, signed, lower_is_better, style.width, style.short,
                                   printing.corpus)
    return runs_report(runs.names, results, signed, style)
