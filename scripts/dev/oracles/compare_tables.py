"""Compare purebleu's tables, intervals and paired tests with sacreBLEU's, byte for byte, on real data.

    python scripts/dev/oracles compare_tables --oracle PYTHON --data DIR

Both command lines run on the corpus of DIR that has most systems, with one and two references, every metric,
every test and every format, with a few decimal places and with many; purebleu with NumPy's random stream. The version
is not compared, nor the explanation of a test, which each program has in its own words. Where sacreBLEU fails (its JSON
does, for chrF and TER with --paired-bs), purebleu only has to succeed.

Exit codes: 0 all equal, 1 something differs, 2 wrong usage.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from itertools import product
from pathlib import Path
from typing import Iterator, Sequence

from dev.oracles.files import CHECKOUT
from dev.oracles.sacrebleu.shared_data import SharedCorpus, shared_corpora

#: Options: of metrics, of resampling (few trials, as sacreBLEU is slow), and of printing.
METRICS = (["-m", "bleu"], ["-m", "chrf"], ["-m", "ter"], ["-m", "ter", "chrf", "bleu"])
RESAMPLING: Sequence[list[str]] = (["--paired-bs"], ["--paired-ar", "-parn", "500"], ["-ci"], [])
PRINTING = list(product(["json", "text", "latex"], ["1", "12"]))


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--oracle", required=True, metavar="PYTHON", help="an interpreter that has sacreBLEU")
    parser.add_argument("--data", required=True, type=Path, metavar="DIR", help="a folder of hypotheses and references")
    options = parser.parse_args()
    corpus = max(shared_corpora(options.data), key=lambda corpus: len(corpus.systems))
    compared = different = refused = 0
    for arguments in command_lines(corpus):
        theirs = run([options.oracle, "-m", "sacrebleu", *arguments], options.data)
        ours = run([sys.executable, "-m", "purebleu", *arguments, "--rng", "numpy"], options.data)
        compared += 1
        refused += theirs is None
        if ours is None or theirs not in (None, ours):
            different += 1
            print(f"different: {' '.join(arguments)}", flush=True)
    print(f"{compared} command lines, of which sacreBLEU failed with {refused}; {different} are different")
    return int(different > 0)


def command_lines(corpus: SharedCorpus) -> Iterator[list[str]]:
    """The arguments to compare. (sacreBLEU has intervals without a test for single systems only.)"""
    for count in (1, 2):
        for metric, resampling, (form, width) in product(METRICS, RESAMPLING, PRINTING):
            for systems in [[one] for one in corpus.systems] if resampling == ["-ci"] else [corpus.systems]:
                yield [*corpus.references[:count], "-i", *systems, *metric, *resampling, "-f", form, "-w", width]


def run(command: Sequence[str], folder: Path) -> str | None:
    """The output of the command, without versions and explanations; `None` where it fails."""
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    text = re.sub(r"\b(purebleu-)?\d+\.\d+\.\d+(\+\w+)?\b", "VERSION", done.stdout.decode("utf-8"))
    explanation = re.compile(r"\n\n(?=---)[\s\S]*(?=\n-+\nMetric signatures\n)") if "paired" in text.lower() else None
    return None if done.returncode else explanation.sub("", text) if explanation else text
