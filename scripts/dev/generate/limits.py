"""Measure how time and memory grow: with the segments of a corpus, with their length, with resamples, with systems.

    python3 scripts/dev/generate limits [--data DIR] [--python PYTHON] [--patience SECONDS] [--only WORD] [--write]

Prints a table in Markdown for each, with the seconds that a whole process takes and the peak of its memory in MB. Each
figure is that of one run: have the machine to yourself. A row ends where its next figure would take longer than the
patience (by default 600 seconds), as far as the one before tells. The lines are those of the package's sample (or, with
`--data`, of WMT22 en-de), spliced so that there are as many different ones as it takes. Standard library only; needs
`os.wait4` (Linux, macOS). Exit code 1 if a run fails, which the table shows.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from dev.benchmarks.command_line import interpreter
from dev.benchmarks.corpora import columns_in, distinct, more_systems, original_files, read_rows, write_columns
from dev.benchmarks.errors import Failed, Skipped
from dev.benchmarks.measuring import CHECKOUT, Side, python_of, run
from dev.benchmarks.table import markdown
from dev.benchmarks.tasks import EN_DE_5_SYSTEMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

    from dev.benchmarks.corpora import Recipe, Row

#: The page that `--write` puts the rows into.
PAGE = CHECKOUT / "purebleu" / "manual" / "limits.md"

#: Segments where something else than their number grows: those of a test set.
USUAL_SEGMENTS = 2000


def one_system(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """`size` segments of one system."""
    return distinct([(system, reference) for system, _, reference in rows], size)


def one_long_segment(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """One segment of `size` words."""
    columns = zip(*one_system(rows, size))
    yield tuple([" ".join(islice(chain.from_iterable(map(str.split, column)), size)) for column in columns])


def one_system_of_usual_size(rows: Sequence[Row], _: int) -> Iterator[Row]:
    """A usual number of segments, whatever grows."""
    return one_system(rows, USUAL_SEGMENTS)


def two_systems_of_usual_size(rows: Sequence[Row], _: int) -> Iterator[Row]:
    """A usual number of segments of two systems, whatever grows."""
    return distinct(rows, USUAL_SEGMENTS)


def two_systems(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """`size` segments of two systems."""
    return distinct(rows, size)


def many_systems(rows: Sequence[Row], size: int) -> Iterator[Row]:
    """A usual number of segments of `size` systems."""
    return more_systems(list(distinct(rows, USUAL_SEGMENTS)), size)


class Growth(NamedTuple):
    """A row of a table: options of the command line, where `{size}` stands for the size, and `{folder}` for a folder to
    write to; and a corpus.

    The recipe makes it from rows of two systems and a reference: rows of one system or more, and a reference.
    """

    name: str
    options: str
    recipe: Recipe
    sizes: tuple[int, ...]


def powers(least: int, most: int) -> tuple[int, ...]:
    """The powers of ten between two of their exponents.

    >>> powers(1, 3)
    (10, 100, 1000)
    """
    return tuple(10**exponent for exponent in range(least, most + 1))


#: The tables, by what grows.
TABLES: dict[str, tuple[Growth, ...]] = {
    "segments": (
        Growth("BLEU", "-m bleu", one_system, powers(3, 6)),
        Growth("chrF", "-m chrf", one_system, powers(3, 6)),
        Growth("chrF++", "-m chrf -cw 2", one_system, powers(3, 6)),
        Growth("TER", "-m ter", one_system, powers(3, 5)),
        Growth("BLEU, `-ci` (keeps the rows)", "-m bleu -ci", one_system, powers(3, 5)),
        Growth("BLEU, `-sl` (keeps its output in a file)", "-m bleu -sl", one_system, powers(3, 6)),
    ),
    "words in a single segment": (
        Growth("BLEU", "-m bleu", one_long_segment, powers(3, 6)),
        Growth("chrF", "-m chrf", one_long_segment, powers(3, 6)),
        Growth("TER", "-m ter -q", one_long_segment, powers(2, 5)),
    ),
    "resamples of 2,000 segments": (
        Growth("BLEU, `-ci`", "-m bleu -ci -cin {size}", one_system_of_usual_size, powers(3, 5)),
        Growth("BLEU, `-ci --rng numpy`", "-m bleu -ci -cin {size} --rng numpy", one_system_of_usual_size,
               powers(3, 4)),
        Growth("chrF, `-ci`", "-m chrf -ci -cin {size}", one_system_of_usual_size, powers(3, 5)),
        Growth("BLEU, two systems, `--paired-bs`", "-m bleu -f text --paired-bs --paired-bs-n {size}",
               two_systems_of_usual_size, powers(3, 5)),
        Growth("BLEU, two systems, `--paired-ar`", "-m bleu -f text --paired-ar --paired-ar-n {size}",
               two_systems_of_usual_size, powers(3, 5)),
    ),
    "systems of 2,000 segments": (
        Growth("BLEU", "-m bleu -f text", many_systems, (2, 10, 50, 100, 1000)),
        Growth("BLEU, `--paired-bs`", "-m bleu -f text --paired-bs", many_systems, (2, 10, 50, 100, 1000)),
        Growth("BLEU, `--paired-ar`", "-m bleu -f text --paired-ar", many_systems, (2, 10, 50)),
        Growth("BLEU, `--paired-bs --rank`", "-m bleu -f text -q --paired-bs --rank", many_systems, (10, 20)),
    ),
    "segments of two systems in a report": (
        Growth("BLEU", "-m bleu -q --report {folder}/report.html", two_systems, powers(3, 5)),
        Growth("BLEU, chrF", "-m bleu chrf -q --report {folder}/report.html", two_systems, powers(3, 5)),
    ),
    "systems of 2,000 segments in a report": (
        Growth("BLEU, chrF, TER", "-m bleu chrf ter -q --report {folder}/report.html", many_systems, (2, 10, 20)),
    ),
}


class Limits(NamedTuple):
    """Settings and files that all measurements share."""

    side: Side
    rows: Sequence[Row]
    folder: Path
    patience: float

    def cells(self, growth: Growth, sizes: Sequence[int]) -> Iterator[str]:
        """The figures of a row, as they come; nothing for sizes that it does not have, or that would take too long."""
        before, seconds = 0, 0.0
        for size in sizes:
            if size not in growth.sizes or (before and seconds * size / before > self.patience):
                yield ""
                continue
            try:
                sample = run(self.side, self.arguments(growth, size))
            except Failed as reason:
                print(f"limits: {growth.name}, {size}: {reason}", file=sys.stderr, flush=True)
                yield "failed"
                continue
            before, seconds = size, sample.wall
            yield f"{in_digits(sample.wall)} s, {sample.memory:.0f} MB"

    def arguments(self, growth: Growth, size: int) -> list[str]:
        """Write the corpus; the arguments to run Python with."""
        paths = self.corpus(growth.recipe, size)
        options = growth.options.replace("{size}", str(size)).replace("{folder}", str(self.folder)).split()
        return ["-m", "purebleu", str(paths[-1]), "-i", *map(str, paths[:-1]), *options]

    def corpus(self, recipe: Recipe, size: int) -> list[Path]:
        """The files of a corpus, those of systems first, which are made when it is first asked for."""
        folder = self.folder / f"{recipe.__name__}.{size}"
        if not folder.exists():
            write_columns(recipe(self.rows, size), folder)
        return columns_in(folder)


def in_digits(seconds: float) -> str:
    """Two digits of it, or more.

    >>> in_digits(0.1234), in_digits(4.567), in_digits(123.4)
    ('0.12', '4.6', '123')
    """
    return f"{seconds:.2f}" if seconds < 1 else f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}"


def base_rows(data: Path | None) -> list[Row]:
    """Rows of two systems and a reference: of the package's sample, or of WMT22."""
    if data is not None:
        files = original_files(EN_DE_5_SYSTEMS, data)
        return read_rows((*files.systems[:2], *files.references))
    folder = CHECKOUT / "purebleu" / "datasets" / "sample"
    return read_rows([folder / f"sample.en-de.{name}" for name in ("mixed", "ref-B", "ref-A")])


def print_tables(limits: Limits, only: str) -> dict[tuple[str, str], str]:
    """Measure, and print rows as they come; returns them by the names of their table and of themselves."""
    rows: dict[tuple[str, str], str] = {}
    for what, growths in TABLES.items():
        sizes = sorted({size for growth in growths for size in growth.sizes})
        growths = tuple(growth for growth in growths if only.lower() in f"{what}, {growth.name}".lower())
        if growths:
            print("\n" + markdown([what, *[f"{size:,}" for size in sizes]]))
            print(markdown(["---"] * (1 + len(sizes))), flush=True)
        for growth in growths:
            row = rows[what, growth.name] = markdown([growth.name, *limits.cells(growth, sizes)])
            print(row, flush=True)
    return rows


def with_rows(page: str, rows: Mapping[tuple[str, str], str]) -> str:
    """A page of the manual with these rows in its tables, in place of those with the same names."""
    table = ""
    lines: list[str] = []
    for line, following in zip(page.split("\n"), [*page.split("\n")[1:], ""]):
        name = line.split("|")[1].strip() if line.startswith("|") else ""
        table = name if following.startswith("| ---") else table if name else ""
        lines.append(rows.get((table, name), line))
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure how time and memory grow with the size of a task.")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the WMT22 files (or the one above it)")
    parser.add_argument("--python", metavar="PYTHON", default=sys.executable, help="interpreter (default: this one)")
    parser.add_argument("--patience", type=float, metavar="SECONDS", default=600.0, help="for one figure (600)")
    parser.add_argument("--only", metavar="WORD", default="", help="only rows with this in their name or table")
    parser.add_argument("--write", action="store_true", help="also put the rows into the manual's page of limits")
    options = parser.parse_args(argv)
    if not hasattr(os, "wait4"):
        parser.error("this system has no os.wait4, which the measuring needs")
    side = Side("purebleu", interpreter(parser, options.python), CHECKOUT)
    with tempfile.TemporaryDirectory(prefix="purebleu-limits-") as name:
        try:
            limits = Limits(side, base_rows(options.data), Path(name), options.patience)
            run(side, limits.arguments(Growth("", "-m bleu chrf ter -ci", one_system, ()), 10))  # to have byte code
            print(f"{python_of(side)}, {platform.system()} {platform.machine()}; one run each.", flush=True)
            rows = print_tables(limits, options.only)
            if options.write:
                PAGE.write_text(with_rows(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
            return int(any("failed" in row for row in rows.values()))
        except (Failed, Skipped) as reason:
            print(f"limits: {reason}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            return 130


if __name__ == "__main__":
    raise SystemExit(main())
