"""Measure how time and memory grow with the number of segments, their length, resamples and systems.

    python3 scripts/dev/generate limits [--data DIR] [--patience SECONDS] [--only WORD] [--write]

Prints a table in Markdown for each of these, with the seconds and the peak memory (MB) of a whole process. Each figure
comes from a single run, so nothing else should run on the machine. A row ends before a figure that would probably take
longer than the patience (by default 600 seconds). The lines are spliced from lines of the package's sample (or, with
`--data`, of WMT22 en-de), so that all are different. Needs `os.wait4` (Linux, macOS). If a run fails, the table shows
this, and the exit code is 1.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from argparse import ArgumentParser
from itertools import chain, islice
from pathlib import Path
from typing import Iterable, Iterator, Mapping, NamedTuple, Sequence

from dev.benchmarks.corpora import (
    CHECKOUT,
    Failed,
    Recipe,
    Row,
    columns_in,
    distinct,
    more_systems,
    original_files,
    read_rows,
    write_columns,
)
from dev.benchmarks.measuring import Side, python_of, run
from dev.benchmarks.page import markdown
from dev.benchmarks.tasks import EN_DE_5_SYSTEMS

#: The page that `--write` puts the rows into.
PAGE = CHECKOUT / "scripts" / "dev" / "benchmarks" / "limits.md"

#: The number of segments in tables in which another number grows.
USUAL = 2000

SIDE = Side("purebleu", sys.executable, CHECKOUT)

# Recipes make rows of one or more systems and a reference. They get rows of two systems and a reference, and a size.


def one_system(rows: Sequence[Row], size: int) -> Iterator[Row]:
    return distinct([(system, reference) for system, _, reference in rows], size)


def one_long_segment(rows: Sequence[Row], size: int) -> Iterator[Row]:
    columns = zip(*one_system(rows, size))
    yield tuple([" ".join(islice(chain.from_iterable(map(str.split, column)), size)) for column in columns])


def one_usual_system(rows: Sequence[Row], _: int) -> Iterator[Row]:
    return one_system(rows, USUAL)


def two_usual_systems(rows: Sequence[Row], _: int) -> Iterator[Row]:
    return distinct(rows, USUAL)


def many_systems(rows: Sequence[Row], size: int) -> Iterator[Row]:
    return more_systems(list(distinct(rows, USUAL)), size)


class Growth(NamedTuple):
    """A row of a table: options of the command line, the recipe of a corpus, the sizes, and the command if not `score`.

    In options, `{size}` stands for the size, and `{folder}` for a folder to write to.
    """

    name: str
    options: str
    recipe: Recipe
    sizes: Iterable[int]
    command: Sequence[str] = ()


TO_A_MILLION = (1_000, 10_000, 100_000, 1_000_000)
TO_100_000 = TO_A_MILLION[:3]

#: The tables. The key says which number grows.
TABLES: dict[str, tuple[Growth, ...]] = {
    "segments": (
        Growth("BLEU", "-m bleu", one_system, TO_A_MILLION),
        Growth("chrF", "-m chrf", one_system, TO_A_MILLION),
        Growth("chrF++", "-m chrf -cw 2", one_system, TO_A_MILLION),
        Growth("TER", "-m ter", one_system, TO_100_000),
        Growth("BLEU, `-ci` (keeps the rows)", "-m bleu -ci", one_system, TO_100_000),
        Growth("BLEU, `-sl` (keeps its output in a file)", "-m bleu -sl", one_system, TO_A_MILLION),
    ),
    "words in a single segment": (
        Growth("BLEU", "-m bleu", one_long_segment, TO_A_MILLION),
        Growth("chrF", "-m chrf", one_long_segment, TO_A_MILLION),
        Growth("TER", "-m ter -q", one_long_segment, (100, *TO_100_000)),
    ),
    "resamples of 2,000 segments": (
        Growth("BLEU, `-ci`", "-m bleu -ci -cin {size}", one_usual_system, TO_100_000),
        Growth("BLEU, `-ci --rng numpy`", "-m bleu -ci -cin {size} --rng numpy", one_usual_system, TO_100_000[:2]),
        Growth("chrF, `-ci`", "-m chrf -ci -cin {size}", one_usual_system, TO_100_000),
        Growth("BLEU, two systems, `--paired-bs`", "-m bleu -f text --paired-bs --paired-bs-n {size}",
               two_usual_systems, TO_100_000),
        Growth("BLEU, two systems, `--paired-ar`", "-m bleu -f text --paired-ar --paired-ar-n {size}",
               two_usual_systems, TO_100_000),
    ),
    "systems of 2,000 segments": (
        Growth("BLEU", "-m bleu -f text", many_systems, (2, 10, 50, 100, 1000)),
        Growth("BLEU, `--paired-bs`", "-m bleu -f text --paired-bs", many_systems, (2, 10, 50, 100, 1000)),
        Growth("BLEU, `--paired-ar`", "-m bleu -f text --paired-ar", many_systems, (2, 10, 50)),
        Growth("BLEU, `test --paired-bs`", "-m bleu -q --paired-bs", many_systems, (10, 20), ["test"]),
    ),
    "segments of two systems in a report": (
        Growth("BLEU", "-m bleu -q -o {folder}/report.html", distinct, TO_100_000, ["report"]),
        Growth("BLEU, chrF", "-m bleu chrf -q -o {folder}/report.html", distinct, TO_100_000, ["report"]),
    ),
    "systems of 2,000 segments in a report": (
        Growth("BLEU, chrF, TER", "-m bleu chrf ter -q -o {folder}/report.html", many_systems, (2, 10, 20), ["report"]),
    ),
}


def cells(growth: Growth, sizes: Sequence[int], rows: Sequence[Row], folder: Path, patience: float) -> Iterator[str]:
    """Yield each figure of a row when it is measured. A figure is empty if the row lacks the size, or lacks time."""
    before, seconds = 0, 0.0
    for size in sizes:
        if size not in growth.sizes or (before and seconds * size / before > patience):
            yield ""
            continue
        made = folder / f"{growth.recipe.__name__}.{size}"
        if not made.exists():
            write_columns(growth.recipe(rows, size), made)
        *systems, reference = map(str, columns_in(made))
        options = growth.options.replace("{size}", str(size)).replace("{folder}", str(folder)).split()
        try:
            sample = run(SIDE, ["-m", "purebleu", *growth.command, reference, "-i", *systems, *options])
        except Failed as reason:
            print(f"limits: {growth.name}, {size}: {reason}", file=sys.stderr, flush=True)
            yield "failed"
            continue
        before, seconds = size, sample.wall
        digits = 2 if seconds < 1 else 1 if seconds < 10 else 0
        yield f"{seconds:.{digits}f} s, {sample.memory:.0f} MB"


def base_rows(data: Path | None) -> list[Row]:
    """Return rows of two systems and a reference, from the package's sample or from WMT22."""
    if data is not None:
        files = original_files(EN_DE_5_SYSTEMS, data)
        return read_rows((*files.systems[:2], *files.references))
    folder = CHECKOUT / "purebleu" / "datasets" / "sample"
    return read_rows([folder / f"sample.en-de.{name}" for name in ("mixed", "ref-B", "ref-A")])


def with_rows(page: str, rows: Mapping[tuple[str, str], str]) -> str:
    """Return the page with new rows in its tables. They replace rows with the same names."""
    table = ""
    lines: list[str] = []
    for line, following in zip(page.split("\n"), [*page.split("\n")[1:], ""]):
        name = line.split("|")[1].strip() if line.startswith("|") else ""
        table = name if following.startswith("| ---") else table if name else ""
        lines.append(rows.get((table, name), line))
    return "\n".join(lines)


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the WMT22 files (or its parent)")
    parser.add_argument("--patience", type=float, metavar="SECONDS", default=600.0,
                        help="the longest time for one figure (600)")
    parser.add_argument("--only", metavar="WORD", default="", help="only rows with WORD in their name or table")
    parser.add_argument("--write", action="store_true", help="also put the rows into scripts/dev/benchmarks/limits.md")
    options = parser.parse_args()
    base = base_rows(options.data)
    rows: dict[tuple[str, str], str] = {}
    print(f"{python_of(SIDE)}, {platform.system()} {platform.machine()}; one run each.", flush=True)
    with tempfile.TemporaryDirectory(prefix="purebleu-limits-") as name:
        for what, growths in TABLES.items():
            sizes = sorted({size for growth in growths for size in growth.sizes})
            print("\n" + markdown([what, *[f"{size:,}" for size in sizes]]))
            print(markdown(["---"] * (1 + len(sizes))), flush=True)
            for growth in growths:
                if options.only.lower() in f"{what}, {growth.name}".lower():
                    figures = cells(growth, sizes, base, Path(name), options.patience)
                    row = rows[what, growth.name] = markdown([growth.name, *figures])
                    print(row, flush=True)
    if options.write:
        PAGE.write_text(with_rows(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    return int(any("failed" in row for row in rows.values()))
