"""The command line: what is measured, on which sides, and the printing of rows as they come."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from .errors import Failed, Skipped
from .measuring import CHECKOUT, Bench, Side, python_of, version_of, versions_of
from .page import page_row, with_rows
from .table import HEADINGS, markdown, table_row, target_cell
from .tasks import TASKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .tasks import Task

#: The page that `--write` puts rows into.
PAGE = CHECKOUT / "purebleu" / "manual" / "speed.md"

TARGETS_SET_AGAINST = "2.6.0"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure purebleu (this checkout) against sacreBLEU.")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the WMT22 files (or the one above it)")
    parser.add_argument("--oracle", metavar="PYTHON", help="interpreter that has sacreBLEU 2.6.0")
    parser.add_argument("--python", metavar="PYTHON", help="interpreter for purebleu (the oracle's)")
    parser.add_argument("-n", "--runs", type=int, metavar="RUNS", default=7, help="pairs of runs for each task (7)")
    parser.add_argument("--only", metavar="SUBSTRING", default="", help="only tasks with this in their name")
    parser.add_argument("--write", action="store_true", help="also put the rows into the manual's page of speed")
    parser.add_argument("--list", action="store_true", help="print the names of the tasks and stop")
    return parser


def check_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End with usage where something is missing that the measuring needs."""
    if not hasattr(os, "wait4"):
        parser.error("this system has no os.wait4, which the measuring needs")
    if options.data is None or options.oracle is None:
        parser.error("--data and --oracle are needed")
    if not options.data.is_dir():
        parser.error(f"--data: no folder {str(options.data)!r}")
    if options.runs < 1:
        parser.error("-n: at least 1 run")


def interpreter(parser: argparse.ArgumentParser, name: str) -> str:
    """The absolute path of an interpreter, links not followed (they make an environment); or end with usage."""
    path = shutil.which(name)
    if path is None:
        parser.error(f"no interpreter {name!r}")
    return os.path.abspath(path)


def complain(message: str) -> None:
    """Print one line on standard error."""
    print(f"bench: {message}", file=sys.stderr, flush=True)


def print_heading(bench: Bench) -> None:
    """Print what is compared with what, on what, and the head of the table. Raises `Failed`."""
    ours, theirs = bench.sides["purebleu"], bench.sides["sacrebleu"]
    print(f"purebleu {version_of(ours)} ({python_of(ours)}) against sacreBLEU {bench.oracle_version} "
          f"({python_of(theirs)}); {platform.system()} {platform.machine()}, {os.cpu_count()} CPUs; "
          f"{bench.runs} pairs of runs unless the task says otherwise.")
    print("Ratios: sacreBLEU / purebleu, median (lowest-highest of the pairs); then the medians of both sides.\n")
    print(markdown(HEADINGS))
    print(markdown(["---"] * len(HEADINGS)), flush=True)


def machine_text(bench: Bench) -> str:
    """A sentence on what was measured: the programs, the interpreters, the machine. Raises `Failed`."""
    ours, theirs = bench.sides["purebleu"], bench.sides["sacrebleu"]
    rivals = versions_of(theirs, sorted({task.rival for task in TASKS} - set(bench.sides)))
    return (f"Measured with purebleu {version_of(ours)} on {python_of(ours)}, {platform.system()} "
            f"{platform.machine()}, {os.cpu_count()} processors, against sacreBLEU {bench.oracle_version} "
            f"({python_of(theirs)})"
            + "".join([f", {name} {version}" for name, version in rivals.items()])
            + f"; {bench.runs} pairs of runs of each task, fewer of long ones.")


def print_rows(bench: Bench, tasks: Sequence[Task], writes: bool = False) -> bool:
    """Measure tasks and print their rows as they come; returns whether all went well and all results were equal.

    Args:
        bench: what measures.
        tasks: what is measured.
        writes: whether the manual's page of speed gets the rows of equal results.
    """
    well = True
    for task in tasks:
        try:
            measurement = bench.measure(task)
        except Skipped as reason:
            complain(f"skipped {task.name!r}: {reason}")
            continue
        except Failed as reason:
            complain(f"could not measure {task.name!r}: {reason}")
            well = False
            continue
        print(markdown(table_row(task, measurement)), flush=True)
        if measurement.difference:
            complain(f"results differ in {task.name!r}: {measurement.difference}")
            well = False
        elif writes:
            page = with_rows(PAGE.read_text(encoding="utf-8"), {task.name: page_row(task, measurement)},
                             machine_text(bench))
            PAGE.write_text(page, encoding="utf-8")
    return well


def print_table(ours: Side, theirs: Side, options: argparse.Namespace, tasks: Sequence[Task]) -> int:
    """Measure tasks and print the table; returns the exit code."""
    sides = {side.package: side for side in (ours, theirs)}
    try:
        bench = Bench(sides, version_of(theirs), options.data.resolve(), theirs.folder, options.runs)
        if bench.oracle_version != TARGETS_SET_AGAINST:
            complain(f"the targets were set against sacreBLEU {TARGETS_SET_AGAINST}, not {bench.oracle_version}")
        print_heading(bench)
        return 0 if print_rows(bench, tasks, options.write) else 1
    except Failed as reason:
        complain(f"cannot start: {reason}")
        return 2
    except KeyboardInterrupt:
        complain("interrupted")
        return 130


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what the arguments ask for; returns the exit code."""
    parser = build_parser()
    options = parser.parse_args(argv)
    tasks = [task for task in TASKS if options.only.lower() in task.name.lower()]
    if not tasks:
        parser.error(f"no task has {options.only!r} in its name; see --list")
    if options.list:
        print("\n".join([f"{task.name}  [{target_cell(task.target)}]" for task in tasks]))
        return 0
    check_options(parser, options)
    with tempfile.TemporaryDirectory(prefix="purebleu-bench-") as name:
        ours = Side("purebleu", interpreter(parser, options.python or options.oracle), CHECKOUT)
        theirs = Side("sacrebleu", interpreter(parser, options.oracle), Path(name))
        return print_table(ours, theirs, options, tasks)
