"""Makes rows of measurements, and writes them into the tables of the page speed.md."""

from __future__ import annotations

import math
import re
from statistics import median
from typing import Mapping, Sequence

from .measuring import Measurement
from .tasks import NO_TARGET, TASKS, Task

#: The heads of the page's tables, by the package on the other side.
HEADS = {
    "sacrebleu": ("task", "speed-up (x)", "CPU seconds", "peak memory (MB)"),
    "other": ("task", "speed-up (x)", "CPU seconds", "peak memory (MB)"),
    "purebleu": ("task", "ratio (x)", "seconds", "peak memory (MB)"),
}


def kind_of(task: Task) -> str:
    """Return the table of a task's row: a key of `HEADS`."""
    return task.rival if task.rival in HEADS else "other"


def page_row(task: Task, measurement: Measurement) -> str:
    """Return the row of a task: ratios, and medians of both sides. (CPU time, or wall time if the target is for it.)"""
    name = "wall" if task.target.wall is not None else "cpu"
    ratios = sorted(measurement.ratios(name))
    low, middle, high = (f"{value:.3g}" if value >= 10 else f"{value:.2f}"
                         for value in (ratios[0], median(ratios), ratios[-1]))
    theirs, ours = [median([getattr(sample, name) for sample in side])
                    for side in (measurement.theirs, measurement.ours)]
    memory = [f"{median([sample.memory for sample in side]):,.0f}" for side in (measurement.ours, measurement.theirs)]
    return markdown([task.name, f"{middle} ({low}-{high})", f"{ours:.3g}, against {theirs:.3g}",
                     ", against ".join(memory)])


def missed_targets(task: Task, measurement: Measurement) -> list[str]:
    """Return the missed targets of a task: ratios, and the additional memory compared with the smaller corpus."""
    if task.target == NO_TARGET:
        return []
    missed = [f"{name} {wanted:g}" for name, wanted in zip(("cpu", "wall", "memory"), task.target[:3])
              if wanted is not None and median(measurement.ratios(name)) < wanted]
    if task.target.extra_mb is not None:
        peaks = [median([sample.memory for sample in side] or [-math.inf])
                 for side in (measurement.ours, measurement.smaller)]
        missed += [f"extra {task.target.extra_mb:g} MB"] if peaks[0] - peaks[1] > task.target.extra_mb else []
    return missed


def rows_on(page: str, kind: str) -> dict[str, str]:
    """Return the rows of a table on the page, by the names of tasks."""
    rows = [line for line in _between(page, kind).split("\n") if line.startswith("| ")][2:]
    return {row.split("|")[1].strip(): row for row in rows}


def with_rows(page: str, rows: Mapping[str, str], machine: str = "") -> str:
    """Return the page with new rows (by the names of tasks) and with the sentence about the machine.

    Other rows stay, except those of tasks that are not in `TASKS`.
    """
    for kind, heads in HEADS.items():
        known = {**rows_on(page, kind), **rows}
        lines = [known[task.name] for task in TASKS if kind_of(task) == kind and task.name in known]
        table = "\n".join([markdown(heads), markdown(["---"] * len(heads)), *lines])
        page = page.replace(f"<!-- {kind} -->{_between(page, kind)}<!-- end -->",
                            f"<!-- {kind} -->\n\n{table}\n\n<!-- end -->")
    if machine:
        page = page.replace(_between(page, "machine"), f"\n\n{machine}\n\n")
    return page


def _between(page: str, name: str) -> str:
    """Return the text between a mark and its end."""
    found = re.search(f"<!-- {name} -->(.*?)<!-- end -->", page, re.DOTALL)
    if found is None:
        raise ValueError(f"the page has no {name}")
    return found[1]


def markdown(cells: Sequence[str]) -> str:
    """Return a line of a Markdown table."""
    return f"| {' | '.join(cells)} |"
