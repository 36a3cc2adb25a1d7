"""Systems with several runs each: their means, deviations and tests."""

from __future__ import annotations

from ...errors import OptionError
from ...report.formats import PAPER
from ...report.runs import runs_report
from ...significance.runs import runs_of
from ...significance.sampling import STRATIFIED
from ..corpus.runs import files_of_runs
from ..corpus.score import warn_of_doubts
from ..corpus.scored import no_system

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
        if against and against not in self.names:
            raise OptionError(f"--against {against}: there is no system of this name, but {', '.join(self.names)}",
                              option="against")
        if against:
            if against not in self.names:
                raise no_system(against, self.names)
            self.by_system.sort(key=lambda system: system[0] != against)

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
    sampling = testing.sampling(scored, test=STRATIFIED.name if testing.samples else None)
    results = runs_of(systems, scored.metrics, sampling, holm=testing.corrects)
    warn_of_doubts(scored.systems, runs.files)
    signed = {score.name: results.signed(signature)
              for score, signature in zip(scored.systems[0].scores(), scored.signatures)}
    style = printing.style
    if style.form == PAPER:
        from ...report.paper.systems import paper_table_of_runs

        return paper_table_of_runs(runs.names, results, signed, style.width, style.short, printing.corpus)
    return runs_report(runs.names, results, signed, style)
