"""The tests of the API on vendored copies: in another package, under another name, or as a single file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..helpers import SCRIPTS, needs_checkout

ROOT = SCRIPTS.parent

pytestmark = needs_checkout

#: The only files of tests that run on a package of another name.
API_SUITE = ("tests/test_api.py", "tests/metrics/test_golden.py", "tests/metrics/test_metric_properties.py")

SMALLEST = ("--only", "bleu", "--tokenizers", "13a")

COPIES = (
    SMALLEST,
    (*SMALLEST, "--plain"),
    ("--only", "bleu", "--with", "cli"),
    ("--only", "bleu", "chrf", "--tokenizers", "13a", "zh", "intl", "--with", "cli", "significance"),
    ("--without", "datasets", "mecab", "sentencepiece"),
    ("--single-file", *SMALLEST),
    ("--single-file", *SMALLEST, "--plain"),
    ("--single-file", "--only", "bleu", "--with", "cli"),
    ("--single-file", "--only", "bleu", "chrf", "ter", "--with", "cli", "report", "significance"),
)


def run_on_copy(options: tuple[str, ...], folder: Path, files: tuple[str, ...], tier: str) -> None:
    """Run tests of a tier on a copy; those of what it lacks are skipped."""
    if options[0] == "--single-file":
        package, target = "bleu", ["--single-file", str(folder / "bleu.py"), *options[1:]]
    else:
        package, target = "host.bleu", [str(folder / "host"), "--name", "bleu", *options]
    subprocess.run([sys.executable, str(SCRIPTS / "vendor.py"), *target], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-m", tier, *files],
                          env={**os.environ, "PUREBLEU_PACKAGE": package, "PYTHONPATH": str(folder)},
                          cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and " passed" in done.stdout.splitlines()[-1], done.stdout[-5000:]


def test_api_of_the_smallest_copy(tmp_path: Path) -> None:
    run_on_copy(SMALLEST, tmp_path, API_SUITE[:1], "not full and not heavy")


@pytest.mark.heavy
@pytest.mark.parametrize("options", COPIES, ids=lambda options: " ".join(options[:6]))
def test_api_of_copies(options: tuple[str, ...], tmp_path: Path) -> None:
    run_on_copy(options, tmp_path, API_SUITE, "not heavy")
