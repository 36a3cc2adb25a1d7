"""Stored rows in place of texts: they give the same results as the texts."""

from __future__ import annotations

from ...errors import OptionError, printable, without_commands
from ...rows.file import read
from ...rows.merging import check_pairing, merge
from .inputs import Examined
from .scored import Scored, System

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ...rows.stored import Naming, StoredRows
    from .inputs import Inputs


def scored_rows(paths: Sequence[str], inputs: Inputs, metrics: Sequence[str], *, paired: bool = False,
                keeps_order: bool = False, stored_baseline: str = "", by_segment: bool = False) -> Scored:
    """Score the systems in files of rows.

    Args:
        paths: the files.
        inputs: the names of the systems, and files of their documents and strata; all else in them is empty.
        metrics: the names of the metrics; empty: all that have rows.
        paired: whether systems are compared in pairs, so that they need rows of the same segments.
        keeps_order: whether the metrics stay in the order given.
        stored_baseline: a file of rows with a baseline, which becomes the first system; empty: none.
        by_segment: whether the metrics are those of single segments.
    """
    parts, names = _read(paths)
    wanted = _wanted_metrics(metrics, parts, keeps_order)
    chosen = [(part, name) for part, name in zip(parts, names) if part.registered_name.lower() in wanted]
    merged = merge(*map(list, zip(*chosen)))
    if paired:
        check_pairing(*map(list, zip(*chosen)))
    made, systems = _by_system(merged, wanted, by_segment)
    shown, naming = _named(inputs, merged)
    scored = Scored(made, systems, shown, naming)
    if stored_baseline:
        from .baseline import add_baseline

        add_baseline(stored_baseline, scored, merged[0].references_sha256)
    if inputs.has_units:
        from .units import stored_units

        scored.units = stored_units(inputs, merged)
    if inputs.examines:
        raise Examined
    return scored


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


def _named(inputs: Inputs, merged: Sequence[StoredRows]) -> tuple[Sequence[str], Naming]:
    """The names of the systems, and their origin: if files of rows have different origins, it is "given"."""
    names = list(dict.fromkeys([stored.system for stored in merged]))
    if inputs.names:
        return inputs.system_names(len(names)), "given"
    namings = {stored.naming for stored in merged}
    return names, merged[0].naming if len(namings) == 1 else "given"


def _wanted_metrics(metrics: Sequence[str], parts: Sequence[StoredRows], keeps_order: bool) -> list[str]:
    """The metrics that are asked for, or else all that have rows, in the order of the results."""
    available = list(dict.fromkeys([part.registered_name.lower() for part in parts]))
    for name in metrics:
        if name not in available:
            raise OptionError(f"there are no rows of {name}, but of {', '.join(available)}", option="metrics")
    wanted = list(dict.fromkeys(metrics or available))
    return wanted if keeps_order else sorted(wanted)


def _by_system(merged: Sequence[StoredRows], wanted: Sequence[str],
               by_segment: bool) -> tuple[list[Metric[Score]], list[System]]:
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
    if by_segment:
        from ...analysis.segments import sentence_metric

        metrics = list(map(sentence_metric, metrics))
    systems = [System([stored.evaluation(metric) for metric, stored in zip(metrics, column)],
                      [list(stored.rows) for stored in column]) for column in columns]
    for evaluation in systems[0].evaluations if by_segment else ():
        if "eff" in evaluation.signature().info:
            evaluation.signature().info["eff"] = "yes"  # as it is for single segments
    return metrics, systems


def _part_line(part: StoredRows, path: str) -> str:
    fields = (path, part.system, part.registered_name, part.offset, len(part.rows), part.signature)
    return without_commands("\t".join([printable(str(field)) for field in fields]))
