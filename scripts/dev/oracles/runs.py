"""Write tests/fixtures/runs.json.gz: MultEval's results for systems with several runs each.

    python3 scripts/dev/oracles runs --classpath CLASSES

CLASSES is a Java class path with MultEval 0.5.1 (https://github.com/jhclark/multeval, without its metric METEOR) and
its libraries. MultEval runs in a temporary folder, with one thread, because its counts of trials are wrong with more.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Sequence

from dev.oracles.files import Case, write_answers

VERSION = "0.5.1"

TRIALS = 10_000
RESAMPLES = 2000


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--classpath", required=True, metavar="CLASSES", help="MultEval and its libraries")
    options = parser.parse_args()
    classpath = ":".join([str(Path(part).resolve()) for part in options.classpath.split(":")])
    return write_answers("runs.json.gz", partial(results, classpath), f"MultEval {VERSION}")


def results(classpath: str, case: Case) -> Case:
    """Return the figures of each system under each metric, by MultEval's names."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "constants").write_text(f"version={VERSION}\n")
        arguments = ["java", "-cp", classpath, "multeval.MultEval", "eval", "--metrics", "bleu", "ter", "--threads",
                     "1", "--boot-samples", str(RESAMPLES), "--ar-shuffles", str(TRIALS),
                     "--refs", write_lines(folder / "ref", case["references"])]
        for index, runs in enumerate(case["systems"]):
            arguments.append(f"--hyps-sys{index}" if index else "--hyps-baseline")
            arguments += [write_lines(folder / f"{index}.{run}", lines) for run, lines in enumerate(runs)]
        log = subprocess.run(arguments, cwd=name, check=True, capture_output=True, text=True).stderr
    figures: list[dict[str, dict[str, float]]] = [{} for _ in case["systems"]]
    for system, metric, kind, value in re.findall(r"^RESULT: (.+): (\w+): (\w+): (\S+)$", log, re.MULTILINE):
        index = 0 if system == "baseline" else int(system.split()[1])
        if value != "NaN":
            figures[index].setdefault(metric, {})[kind] = float(value)
    return {"results": figures}


def write_lines(path: Path, lines: Sequence[str]) -> str:
    """Write lines to a file; return its path as text."""
    path.write_text("".join([line + "\n" for line in lines]), encoding="utf-8")
    return str(path)
