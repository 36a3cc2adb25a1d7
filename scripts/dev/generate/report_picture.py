"""Write the picture of a report that README shows, `.github/report.png`, with headless Chromium.

    python3 scripts/dev/generate report_picture [--browser COMMAND]

The report is that of README's examples: the sample, and two systems made from it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Sequence

ROOT = Path(__file__).resolve().parents[3]
TARGET = ROOT / ".github" / "report.png"

#: In pixels: as wide as README is shown, and as much of the page as has its table and its first chart.
SIZE = (960, 1120)

#: Nothing but the page: no network, no first run, no profile that stays.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars")


def purebleu(folder: Path, *arguments: str) -> str:
    """The output of the command line in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", "purebleu", *arguments], cwd=folder, env=environment, check=True,
                          stdout=subprocess.PIPE, encoding="utf-8").stdout


def write_report(folder: Path) -> Path:
    """A report of three systems; returns its path."""
    for name, field in (("ref.txt", "ref:A"), ("src.txt", "src"), ("output.txt", "mixed")):
        (folder / name).write_text(purebleu(folder, "-t", "sample", "-l", "en-de", "--echo", field), encoding="utf-8")
    lines = (folder / "output.txt").read_text(encoding="utf-8").splitlines()
    (folder / "no-commas.txt").write_text("".join([line.replace(",", "") + "\n" for line in lines]), encoding="utf-8")
    (folder / "cut.txt").write_text("".join([line.rpartition(" ")[0] + "\n" for line in lines]), encoding="utf-8")
    purebleu(folder, "ref.txt", "-i", "output.txt", "no-commas.txt", "cut.txt", "-m", "bleu", "chrf", "--source",
             "src.txt", "--report", "report.html", "-q")
    return folder / "report.html"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the picture; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browser", default="chromium", metavar="COMMAND", help="default: %(default)s")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        page = write_report(Path(name))
        subprocess.run([args.browser, *FLAGS, f"--user-data-dir={name}/profile", f"--window-size={SIZE[0]},{SIZE[1]}",
                        f"--screenshot={TARGET}", page.as_uri()], check=True, stderr=subprocess.DEVNULL)
    print(TARGET.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
