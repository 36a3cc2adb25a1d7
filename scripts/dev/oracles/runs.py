"""Write tests/fixtures/runs.json.gz with MultEval's own results for systems with several runs.

    python3 scripts/dev/oracles runs --classpath CLASSES

CLASSES are those of MultEval 0.5.1 (https://github.com/jhclark/multeval, without its metric METEOR) and of its
libraries, as Java takes them. It runs in a temporary folder, with one thread: its counts of trials are not made for
more.

Exit codes: 0 fine, 2 wrong usage.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterator, Sequence

from dev.oracles.making import maker_parser, write_cases

VERSION = "0.5.1"

#: The number of systems, of their runs, and of segments of each case. (MultEval has no p-value for single runs in its
#: table, but in what it logs.)
CASES = [(2, 1, 40), (3, 2, 30), (2, 2, 5), (2, 3, 40), (2, 5, 20)]

TRIALS = 10_000
RESAMPLES = 2000

WORDS = ["the", "a", "cat", "dog", "mat", "house", "of", "on", "under", "sat", "slept", "and", ",", ".", "small", "old",
         "very", "it", "was"]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture; returns the exit code."""
    parser = maker_parser(__doc__)
    parser.add_argument("--classpath", required=True, metavar="CLASSES", help="MultEval and its libraries")
    options = parser.parse_args(argv)
    classpath = ":".join([str(Path(part).resolve()) for part in options.classpath.split(":")])
    return write_cases("runs.json.gz", cases(classpath), f"MultEval {VERSION}")


def cases(classpath: str) -> Iterator[dict[str, Any]]:
    """The texts of each case, with MultEval's results for each system under each metric."""
    for seed, (systems, runs, segments) in enumerate(CASES):
        source = random.Random(seed)
        references = [source.choices(WORDS, k=source.randrange(6, 15)) for _ in range(segments)]
        outputs = [[[" ".join(changed(line, 0.2 + 0.01 * system, source)) for line in references]
                    for _ in range(runs)] for system in range(systems)]
        lines = list(map(" ".join, references))
        yield {"references": lines, "systems": outputs, "results": results(classpath, lines, outputs)}


def changed(words: Sequence[str], share: float, source: random.Random) -> list[str]:
    """The words after random edits: this share of them is replaced, a quarter as many are deleted."""
    kept = [word if source.random() > share else source.choice(WORDS) for word in words]
    return [word for word in kept if source.random() > share / 4] or kept


def results(classpath: str, references: Sequence[str],
            systems: Sequence[Sequence[Sequence[str]]]) -> list[dict[str, dict[str, float]]]:
    """For each system, its figures under each metric, by the names that MultEval has for them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "constants").write_text(f"version={VERSION}\n")
        arguments = ["java", "-cp", classpath, "multeval.MultEval", "eval", "--metrics", "bleu", "ter", "--threads",
                     "1", "--boot-samples", str(RESAMPLES), "--ar-shuffles", str(TRIALS),
                     "--refs", write_lines(folder / "ref", references)]
        for index, runs in enumerate(systems):
            arguments.append(f"--hyps-sys{index}" if index else "--hyps-baseline")
            arguments += [write_lines(folder / f"{index}.{run}", lines) for run, lines in enumerate(runs)]
        log = subprocess.run(arguments, cwd=name, check=True, capture_output=True, text=True).stderr
    figures: list[dict[str, dict[str, float]]] = [{} for _ in systems]
    for system, metric, kind, value in re.findall(r"^RESULT: (.+): (\w+): (\w+): (\S+)$", log, re.MULTILINE):
        index = 0 if system == "baseline" else int(system.split()[1])
        if value != "NaN":
            figures[index].setdefault(metric, {})[kind] = float(value)
    return figures


def write_lines(path: Path, lines: Sequence[str]) -> str:
    """Write the lines to a file; returns its path as text."""
    path.write_text("".join([line + "\n" for line in lines]), encoding="utf-8")
    return str(path)


if __name__ == "__main__":
    raise SystemExit(main())
