"""`--rows`: results from stored rows, the same as from the text."""

from __future__ import annotations

from ...errors import OptionError, printable, without_commands
from ...rows.file import read
from ...rows.merging import check_pairing, merge
from ..scoring.naming import shown_names, system_inputs
from ..scoring.types import Scored, System
from .outputs import write_outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ...rows.stored import Naming, StoredRows
    from ..answer import Answer
    from ..arguments.options import Options


def results_of_rows(options: Options) -> Answer:
    """The results of the systems in files of rows."""
    parts, names = _read(options.rows or [])
    wanted = _wanted_metrics(options, parts)
    chosen = [(part, name) for part, name in zip(parts, names) if part.registered_name.lower() in wanted]
    merged = merge(*map(list, zip(*chosen)))
    if options.test or options.report or options.views or options.worth or options.power is not None:
        check_pairing(*map(list, zip(*chosen)))
    metrics, systems = _by_system(merged, wanted)
    inputs, naming = _named(options, merged)
    if options.gates:
        from .gates import check_metrics

        check_metrics(options.gates, wanted)
    if options.stored_baseline:
        from .gates import named_with_baseline, with_baseline

        systems = with_baseline(options.baseline, metrics, systems, merged[0].references_sha256)
        inputs, naming = named_with_baseline(options, inputs, naming)
    units = None
    if options.has_units:
        from ..scoring.units import stored_units

        units = stored_units(options, merged)
    scored = Scored(metrics, systems, shown_names(options, inputs, naming), naming, None, units)
    return write_outputs(options, scored)


def list_of_rows(paths: Sequence[str]) -> str:
    """A line for each part in files of rows: the file, the system, the metric, the offset, the number of rows, and the
    signature.
    """
    return "\n".join([_part_line(part, name) for part, name in zip(*_read(paths))])


def _read(paths: Sequence[str]) -> tuple[list[StoredRows], list[str]]:
    """All parts in files of rows, and the file of each part."""
    parts: list[StoredRows] = []
    names: list[str] = []
    for path in paths:
        parts_of_file = read(path)
        parts += parts_of_file
        names += [path] * len(parts_of_file)
    return parts, names


def _named(options: Options, merged: Sequence[StoredRows]) -> tuple[Sequence[str], Naming]:
    """The names of the systems, and their origin: where files of rows have different origins, it is "given"."""
    names = list(dict.fromkeys([stored.system for stored in merged]))
    if options.names:
        return system_inputs(options, len(names)), "given"
    namings = {stored.naming for stored in merged}
    return names, merged[0].naming if len(namings) == 1 else "given"


def _wanted_metrics(options: Options, parts: Sequence[StoredRows]) -> list[str]:
    """The metrics that are asked for, or else all that have rows, in the order of the results."""
    available = list(dict.fromkeys([part.registered_name.lower() for part in parts]))
    for name in options.metrics_as_given:
        if name not in available:
            raise OptionError(f"there are no rows of {name}, but of {', '.join(available)}")
    as_given = options.metrics_as_given or available
    return as_given if options.test else sorted(as_given)


def _by_system(merged: Sequence[StoredRows], wanted: Sequence[str]) -> tuple[list[Metric[Score]], list[System]]:
    """The metrics, and for each system its evaluations and rows under each of them."""
    by_system: dict[str, list[StoredRows]] = {}
    for stored in merged:
        by_system.setdefault(stored.system, []).append(stored)
    columns: list[list[StoredRows]] = []
    for stored_of_system in by_system.values():
        columns.append(sorted(stored_of_system, key=lambda stored: wanted.index(stored.registered_name.lower())))
    first = columns[0]
    for column in columns:
        if [(stored.metric, stored.options) for stored in column] != [(stored.metric, stored.options)
                                                                      for stored in first]:
            raise OptionError(f"{first[0].system} and {column[0].system} have rows of different metrics: choose "
                              "with -m")
    metrics = [stored.make_metric() for stored in first]
    return metrics, [System([stored.evaluation(metric) for metric, stored in zip(metrics, column)],
                            [list(stored.rows) for stored in column]) for column in columns]


def _part_line(part: StoredRows, path: str) -> str:
    fields = (path, part.system, part.registered_name, part.offset, len(part.rows), part.signature)
    return without_commands("\t".join([printable(str(field)) for field in fields]))
