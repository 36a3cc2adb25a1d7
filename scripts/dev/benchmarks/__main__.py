"""Start of `python scripts/dev/benchmarks`: measures tasks, and prints each row when it is measured."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Sequence

# Python puts the folder that it runs first on the path. The package `dev` needs the folder `scripts` there.
sys.path[0] = str(Path(__file__).resolve().parents[2])

from dev.benchmarks.corpora import CHECKOUT, Failed, Skipped  # noqa: E402
from dev.benchmarks.measuring import Bench, Side, python_of, versions_of  # noqa: E402
from dev.benchmarks.page import HEADS, markdown, missed_targets, page_row, with_rows  # noqa: E402
from dev.benchmarks.tasks import TASKS  # noqa: E402

#: The page that `--write` puts rows into. (The manual's page of speed has ten of these rows.)
PAGE = Path(__file__).resolve().parent / "speed.md"


def complain(message: str) -> None:
    """Print one line on standard error."""
    print(f"bench: {message}", file=sys.stderr, flush=True)


def machine_text(bench: Bench) -> str:
    """Return a sentence with the programs, their versions, the interpreters and the machine. Raise `Failed`."""
    theirs, ours = bench.sides["sacrebleu"], bench.sides["purebleu"]
    rivals = versions_of(theirs, sorted({task.rival for task in TASKS} - {"purebleu"}))
    version = rivals.pop("sacrebleu")
    return (f"Measured with purebleu {versions_of(ours, [])['purebleu']} on {python_of(ours)}, {platform.system()} "
            f"{platform.machine()}, {os.cpu_count()} processors, against sacreBLEU {version} ({python_of(theirs)})"
            + "".join([f", {name} {version}" for name, version in rivals.items()])
            + f"; {bench.runs} pairs of runs of each task, fewer of long ones.")


def measure_all(bench: Bench, only: str, writes: bool) -> int:
    """Measure tasks, and print each row as soon as it is measured. Return the exit code."""
    text, code = machine_text(bench), 0
    print(f"{text}\n\n{markdown(HEADS['sacrebleu'])}\n{markdown(['---'] * 4)}", flush=True)
    for task in [task for task in TASKS if only.lower() in task.name.lower()]:
        try:
            measurement = bench.measure(task)
        except Skipped as reason:
            complain(f"skipped {task.name!r}: {reason}")
            continue
        except Failed as reason:
            complain(f"could not measure {task.name!r}: {reason}")
            code = 1
            continue
        row = page_row(task, measurement)
        print(row, flush=True)
        if missed_targets(task, measurement):
            complain(f"{task.name!r} misses {', '.join(missed_targets(task, measurement))}")
        if measurement.differs:
            complain(f"results differ in {task.name!r}")
            code = 1
        elif writes:
            PAGE.write_text(with_rows(PAGE.read_text(encoding="utf-8"), {task.name: row}, text), encoding="utf-8")
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the tasks that the arguments choose. Return the exit code."""
    parser = argparse.ArgumentParser(description="Measure purebleu (this checkout) against sacreBLEU.")
    parser.add_argument("--data", type=Path, metavar="DIR", required=True, help="folder with the WMT22 files")
    parser.add_argument("--oracle", metavar="PYTHON", required=True, help="interpreter that has sacreBLEU 2.6.0")
    parser.add_argument("--python", metavar="PYTHON", help="interpreter for purebleu (default: the oracle's)")
    parser.add_argument("-n", "--runs", type=int, metavar="RUNS", default=7, help="pairs of runs for each task (7)")
    parser.add_argument("--only", metavar="SUBSTRING", default="", help="only tasks with SUBSTRING in their names")
    parser.add_argument("--write", action="store_true", help="also put the rows into speed.md beside this file")
    options = parser.parse_args(argv)
    if options.runs < 1:
        parser.error("-n must be at least 1")
    with tempfile.TemporaryDirectory(prefix="purebleu-bench-") as name:
        ours = Side("purebleu", os.path.abspath(options.python or options.oracle), CHECKOUT)
        theirs = Side("sacrebleu", os.path.abspath(options.oracle), Path(name))
        try:
            bench = Bench({"purebleu": ours, "sacrebleu": theirs}, options.data.resolve(), Path(name), options.runs)
            return measure_all(bench, options.only, options.write)
        except Failed as reason:
            complain(f"cannot start: {reason}")
            return 2
        except KeyboardInterrupt:
            return 130


if __name__ == "__main__":
    raise SystemExit(main())
