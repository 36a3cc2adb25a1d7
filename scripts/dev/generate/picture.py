"""Write README's picture: the top of the report of README's example, as Chromium shows it.

    python3 scripts/dev/generate picture [--chromium PROGRAM]

Also writes a checksum of the report beside the picture. A test compares it, to see whether the picture is up to date.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PICTURE = ROOT / ".github" / "report.png"
CHECKSUM = PICTURE.with_suffix(".sha256")

#: The size of the picture, in pixels.
SIZE = (1200, 860)

#: Parts of a report that the checksum ignores: the version, the command line, and the hashes of scripts.
PASSING = re.compile(r"<footer>.*?</footer>|version:[\w.+-]+|<meta http-equiv=[^>]*>", re.DOTALL)


def report_in(folder: Path) -> str:
    """Return the report of README's example. Its files are made in the folder."""
    for name, field in (("src.txt", "src"), ("ref.txt", "ref:A"), ("ref2.txt", "ref:B"), ("output.txt", "mixed")):
        (folder / name).write_bytes(_run(folder, "-t", "sample", "-l", "en-de", "--echo", field))
    lines = (folder / "output.txt").read_text(encoding="utf-8")
    (folder / "no-commas.txt").write_text(lines.replace(",", ""), encoding="utf-8")
    (folder / "cut.txt").write_text(re.sub(" [^ \n]*$", "", lines, flags=re.MULTILINE), encoding="utf-8")
    _run(folder, "report", "ref.txt", "ref2.txt", "-i", "output.txt", "no-commas.txt", "cut.txt", "-m", "bleu", "chrf",
         "--source", "src.txt", "-q")
    return (folder / "report.html").read_text(encoding="utf-8")


def _run(folder: Path, *arguments: str) -> bytes:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return subprocess.run([sys.executable, "-m", "purebleu", *arguments], cwd=folder, env=environment, check=True,
                          stdout=subprocess.PIPE).stdout


def checksum_of(report: str) -> str:
    """Return the SHA-256 sum of a report without its version and its command line."""
    return hashlib.sha256(PASSING.sub("", report).encode("utf-8")).hexdigest()


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--chromium", metavar="PROGRAM", default="chromium", help="the browser (default: chromium)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        report = report_in(Path(name))
        size = ",".join(map(str, SIZE))
        subprocess.run([arguments.chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={name}/profile", f"--window-size={size}", f"--screenshot={PICTURE}",
                        f"file://{name}/report.html"], check=True, stderr=subprocess.DEVNULL)
    CHECKSUM.write_text(checksum_of(report) + "\n", encoding="ascii")
    return 0
