"""Systems with several runs each: their files, and their means, deviations and tests."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...errors import OptionError
from ...files.opening import column_of
from ...metrics.evaluation import warn_of_doubts
from ...report.formats import PAPER
from ...report.runs import runs_report
from ...significance.runs import runs_of
from ...significance.sampling import STRATIFIED
from ..corpus.inputs import files_of_pattern
from ..corpus.scored import Scored, index_called
from .results import Printing
from .testing import Testing


class RunsOfSystems:
    """The files of the runs of each system.

    Attributes:
        by_system: the name of each system, and its files.
        names: the names of the systems.
        files: all files, system by system.
    """

    def __init__(self, values: Sequence[str], against: str = "") -> None:
        """Find the files; the system `against` comes first, if one is named."""
        self.by_system = files_of_runs(values)
        if against:
            first = index_called(against, [[name] for name, _ in self.by_system])
            self.by_system.insert(0, self.by_system.pop(first))
        self.names = [name for name, _ in self.by_system]
        self.files = [path for _, paths in self.by_system for path in paths]


def runs_text(runs: RunsOfSystems, scored: Scored, testing: Testing, printing: Printing) -> str:
    """The results of systems with several runs as a table; each system is tested against the first, if asked for."""
    rows = iter(scored.rows)
    systems = [[next(rows) for _ in paths] for _, paths in runs.by_system]
    sampling = testing.sampling(scored, test=STRATIFIED.name if testing.samples else None)
    results = runs_of(systems, scored.metrics, sampling, holm=testing.corrects)
    warn_of_doubts(scored.systems, runs.files)
    signed = scored.signed(results)
    style = printing.style
    if style.form == PAPER:
        from ...report.paper import paper_table_of_runs

        return paper_table_of_runs(runs.names, results, signed, style, printing.corpus)
    return runs_report(runs.names, results, signed, style)


def files_of_runs(values: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The name of each system, and the files of its runs, from values such as `A=out.A.*.txt`.

    Raises:
        OptionError: a value has another form, a pattern matches no file, or a name or a file is given twice.
    """
    systems: dict[str, list[str]] = {}
    for value in values:
        name, equals, pattern = value.partition("=")
        if not (name and equals and pattern):
            raise OptionError(f"--runs takes NAME=PATTERN, not {value!r}: put quotes around it, so that the shell does "
                              "not expand the pattern")
        if name in systems:
            raise OptionError(f"--runs has {name} twice: give one pattern for all runs of a system")
        systems[name] = files_of_pattern(pattern)
        if not systems[name]:
            raise OptionError(f"--runs: there is no file for {value}")
    _check_files([(name, path) for name, paths in systems.items() for path in paths])
    return list(systems.items())


def _check_files(files: Sequence[tuple[str, str]]) -> None:
    """Raise `OptionError` if a file is given twice, even under two names."""
    seen: dict[tuple[str, str], str] = {}
    for name, given in files:
        path = column_of(given).path or ""
        described = f"{given} of {name}"
        before = seen.setdefault((os.path.realpath(path), given[len(path):]), described)
        if before is not described:
            raise OptionError(f"--runs: {before} and {described} are the same file")
