"""`--runs`: systems with several runs each. (It is the only option that expands patterns of file names itself.)"""

from __future__ import annotations

import os

from ...errors import OptionError
from ...files.forms import column_of
from ...report import PAPER
from ...report.runs import runs_report
from ...significance.runs import runs_of
from ..scoring.corpus import evaluate_systems, list_of_units, warn_of_doubts
from ..scoring.metrics import make_metrics
from ..scoring.naming import corpus_text
from ..scoring.units import units_of
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..arguments.options import Options


def files_of_runs(values: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The name of each system, and the files of its runs, from values such as `A=out.A.*.txt`.

    Raises:
        OptionError: a value has another form, a pattern matches no file, or a name or a file is given twice.
    """
    systems: dict[str, list[str]] = {}
    for value in values:
        name, equals, pattern = value.partition("=")
        if not (name and equals and pattern):
            raise OptionError(f"--runs takes NAME=PATTERN, which {value!r} is not: put quotes around it, so that the "
                              "shell leaves patterns alone")
        if name in systems:
            raise OptionError(f"--runs has {name} twice: give one pattern for all runs of a system")
        systems[name] = _expanded(pattern)
        if not systems[name]:
            raise OptionError(f"--runs: there is no file for {value}")
    _check_files([(name, path) for name, paths in systems.items() for path in paths])
    return list(systems.items())


def _expanded(pattern: str) -> list[str]:
    """The files that a pattern matches, sorted; if the pattern itself is the name of a file, that file alone."""
    path = column_of(pattern).path
    if path is None or os.path.lexists(path):
        return [pattern]
    from glob import glob

    return [matched + pattern[len(path):] for matched in sorted(glob(path))]


def _check_files(files: Sequence[tuple[str, str]]) -> None:
    """Raise `OptionError` where a file is given twice, be it under two names."""
    seen: dict[tuple[str, str], str] = {}
    for name, given in files:
        path = column_of(given).path or ""
        described = f"{given} of {name}"
        before = seen.setdefault((os.path.realpath(path), given[len(path):]), described)
        if before is not described:
            raise OptionError(f"--runs: {before} and {described} are the same file")


def score_runs(options: Options) -> str:
    """The results of systems with several runs, as a table."""
    metrics = make_metrics(options)
    listed = list_of_units(options)
    evaluated = evaluate_systems(options, metrics, listed=listed)
    if not evaluated:
        raise OptionError(NOTHING_LEFT)
    rows = iter([system.rows for system in evaluated])
    systems = [[next(rows) for _ in paths] for _, paths in options.run_files]
    results = runs_of(systems, metrics, samples=options.paired_ar_n, rng=options.rng, seed=options.seed,
                      resamples=options.confidence_n if options.confidence else 0, holm=options.holm,
                      exact=options.exact, units=units_of(options, listed))
    warn_of_doubts(evaluated, options.input)
    signatures = [(metric.score(evaluation.totals()).name, evaluation.signature())
                  for metric, evaluation in zip(metrics, evaluated[0].evaluations)]
    names = [name for name, _ in options.run_files]
    signed = {name: results.signed(signature) for name, signature in signatures}
    lower_is_better = [metric.LOWER_IS_BETTER for metric in metrics]
    if options.report:
        from .report import write_report_of_runs

        write_report_of_runs(options, names, results, signed, lower_is_better)
    if options.format == PAPER:
        from ...report.paper.runs import paper_table_of_runs

        return paper_table_of_runs(names, results, signed, lower_is_better, options.width, options.short,
                                   corpus_text(options))
    return runs_report(names, results, signed, options.style)
