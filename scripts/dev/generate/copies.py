"""Write the table of copies at the top of the manual's page on vendoring: the parts of each copy, and its size.

    python3 scripts/dev/generate copies --oracle PYTHON [--runs N]

PYTHON is an interpreter that has sacreBLEU 2.6.0. The time is the CPU seconds of a new process that imports the copy
and computes BLEU of 2,000 different lines. It is the median of N interleaved runs.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import NamedTuple

from dev.benchmarks.measuring import Side, run

SCRIPTS = Path(__file__).resolve().parents[2]
SAMPLE = SCRIPTS.parent / "purebleu" / "datasets" / "sample"
PAGE = SCRIPTS.parent / "purebleu" / "manual" / "vendoring.md"
BEGIN, END = "<!-- copies -->\n", "<!-- end -->\n"

THREE_METRICS = "--only bleu chrf ter --tokenizers 13a zh intl char none"

#: The copies, by their names in the table: options of `vendor.py`, and whether the copy is one file.
COPIES: dict[str, tuple[str, bool]] = {
    "BLEU; 13a": ("--only bleu --tokenizers 13a", False),
    "the same, one file, `--plain`": ("--only bleu --tokenizers 13a --plain", True),
    "BLEU, chrF, TER; 13a, zh, intl, char, none": (THREE_METRICS, False),
    "these, one file": (THREE_METRICS, True),
    "these, with the command line (`--with cli`)": (f"{THREE_METRICS} --with cli", False),
    "all": ("", False),
}

SCORE = """
import {module} as scorer
hypotheses, reference = [open(path, encoding="utf-8").read().split("\\n")[:-1] for path in {files!r}]
numbers = range(2000)
scorer.corpus_bleu([f"{{hypotheses[number % len(hypotheses)]}} {{number}}" for number in numbers],
                   [[f"{{reference[number % len(reference)]}} {{number}}" for number in numbers]])
"""


class Weight(NamedTuple):
    """The files of a copy, their lines, and their size."""

    files: int
    lines: int
    kilobytes: int


def make_copy(folder: Path, options: str, as_file: bool) -> Weight:
    """Make a copy called `copied` in a folder. Return its size."""
    where = ["--single-file", str(folder / "copied.py")] if as_file else [str(folder), "--name", "copied"]
    subprocess.run([sys.executable, str(SCRIPTS / "vendor.py"), *where, *options.split()], check=True,
                   stdout=subprocess.DEVNULL)
    files = [path for path in folder.rglob("*") if path.is_file()]
    modules = [path.read_text(encoding="utf-8") for path in files if path.suffix == ".py"]
    return Weight(len(files), sum([text.count("\n") for text in modules]),
                  round(sum([path.stat().st_size for path in files]) / 1000))


def processor_seconds(python: str, module: str, folder: Path) -> float:
    """Return the CPU seconds of a process that imports a module from a folder and scores 2,000 lines."""
    script = SCORE.format(module=module, files=[str(SAMPLE / f"sample.en-de.{name}") for name in ("mixed", "ref-A")])
    return run(Side(module, python, folder), ["-c", script]).cpu


def table(oracle: str, runs: int) -> str:
    """Return the table in Markdown."""
    with tempfile.TemporaryDirectory(prefix="purebleu-copies-") as name:
        folders = {asked: Path(name, str(number)) for number, asked in enumerate(COPIES)}
        weights: dict[str, Weight] = {}
        for asked, folder in folders.items():
            folder.mkdir()
            weights[asked] = make_copy(folder, *COPIES[asked])
        seconds: dict[str, list[float]] = {asked: [] for asked in (*COPIES, "sacreBLEU")}
        for _ in range(runs):
            for asked, folder in folders.items():
                seconds[asked].append(processor_seconds(sys.executable, "copied", folder))
            seconds["sacreBLEU"].append(processor_seconds(oracle, "sacrebleu", Path(name)))
    rows = ["| a copy of | files | lines | kB | seconds |", "| --- | --- | --- | --- | --- |"]
    for asked, weight in weights.items():
        figures = " | ".join([f"{number:,}" for number in weight])
        rows.append(f"| {asked} | {figures} | {statistics.median(seconds[asked]):.2f} |")
    rows.append(f"| (sacreBLEU 2.6.0) | | | | {statistics.median(seconds['sacreBLEU']):.2f} |")
    return "".join([f"{row}\n" for row in rows])


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--oracle", required=True, metavar="PYTHON", help="a Python that has sacreBLEU 2.6.0")
    parser.add_argument("--runs", type=int, default=9, metavar="N", help="runs of each process (9)")
    options = parser.parse_args()
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + table(options.oracle, options.runs) + END + rest.partition(END)[2],
                    encoding="utf-8")
    return 0
