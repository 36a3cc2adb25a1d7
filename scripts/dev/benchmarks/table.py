"""The table: a row for each task, from its measurement."""

from __future__ import annotations

import math
from statistics import median

from .tasks import NO_TARGET, Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from .measuring import Measurement
    from .tasks import Task

HEADINGS = ("task", "CPU ratio", "wall ratio", "memory ratio", "CPU s", "wall s", "peak MB", "target", "met", "equal")


def quotients(theirs: Sequence[float], ours: Sequence[float]) -> list[float]:
    """Ratios, pair by pair.

    >>> quotients([6.0, 8.0], [2.0, 0.0])
    [3.0, inf]
    """
    return [a / b if b else math.inf for a, b in zip(theirs, ours)]


def ratio_cell(ratios: Sequence[float]) -> str:
    """A median with its spread.

    >>> ratio_cell([3.0, 2.5, 4.25])
    '3.00 (2.50-4.25)'
    """
    low, middle, high = (f"{value:.3g}" if value >= 10 else f"{value:.2f}"
                         for value in (min(ratios), median(ratios), max(ratios)))
    return f"{middle} ({low}-{high})"


def table_row(task: Task, measurement: Measurement) -> list[str]:
    """The cells of a task's row, as in `HEADINGS`."""
    ratio_cells, median_cells, medians = [], [], {}
    for name, digits in (("cpu", 3), ("wall", 3), ("memory", 1)):
        theirs, ours = ([getattr(sample, name) for sample in side] for side in (measurement.theirs, measurement.ours))
        ratios = quotients(theirs, ours)
        medians[name] = median(ratios)
        ratio_cells.append(ratio_cell(ratios))
        median_cells.append(f"{median(theirs):.{digits}f} / {median(ours):.{digits}f}")
    extra_mb = extra_memory(measurement)
    if extra_mb is not None:
        ratio_cells[2] += f", {extra_mb:+.1f} MB"
    met = verdict(task.target, medians, extra_mb)
    equal = "-" if not task.compare else "no" if measurement.difference else "yes"
    return [task.name, *ratio_cells, *median_cells, target_cell(task.target), met, equal]


def extra_memory(measurement: Measurement) -> float | None:
    """By how many MB purebleu's median peak exceeds that of the smaller corpus; `None` if there is no such corpus."""
    if not measurement.smaller:
        return None
    return median([run.memory for run in measurement.ours]) - median([run.memory for run in measurement.smaller])


def target_cell(target: Target) -> str:
    """A target in words.

    >>> target_cell(Target(cpu=10, extra_mb=40)), target_cell(NO_TARGET)
    ('CPU 10, extra at most 40 MB', '-')
    """
    parts = [f"{label} {value:g}" for label, value in zip(("CPU", "wall", "memory"), target[:3]) if value is not None]
    if target.extra_mb is not None:
        parts.append(f"extra at most {target.extra_mb:g} MB")
    return ", ".join(parts) or "-"


def verdict(target: Target, medians: Mapping[str, float], extra_mb: float | None) -> str:
    """Whether median ratios (by the names in `Target`) and extra memory meet a target, and if not, where.

    >>> verdict(Target(cpu=9, memory=3), {"cpu": 10.0, "wall": 9.0, "memory": 2.9}, None)
    'no: memory'
    """
    if target == NO_TARGET:
        return "-"
    wanted = {name: getattr(target, name) for name in medians}
    missed = [name for name, value in wanted.items() if value is not None and medians[name] < value]
    if target.extra_mb is not None and (extra_mb is None or extra_mb > target.extra_mb):
        missed.append("extra")
    return f"no: {', '.join(missed)}" if missed else "yes"


def markdown(cells: Sequence[str]) -> str:
    """A line of a Markdown table."""
    return f"| {' | '.join(cells)} |"
