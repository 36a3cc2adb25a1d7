"""Build a release and check what was built: `python3 scripts/upkeep release v2.6.0`.

Version, changelog and CITATION.cff have to name the release that the tag names. The source archive and the wheel are
then installed without an index, in a fresh environment, and like the zipapp they have to score purebleu's own sample
as the checkout does. What passes is moved into `dist/`, which has to be empty before.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Sequence

import build_backend
import make_zipapp
from bill_of_materials import bill_of

SAMPLE = ("-t", "sample", "-l", "en-de")


def check_tag(project: build_backend.Project, tag: str) -> None:
    """BuildError unless `tag` is that of the project's version, which the changelog and CITATION.cff have, too."""
    if tag != f"v{project.version}":
        raise build_backend.BuildError(f"the tag is {tag!r}, but the package is version {project.version}")
    date = release_date(project)
    citation = (project.root / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    for line in (f"version: {project.version}", f"date-released: {date}"):
        if line not in citation:
            raise build_backend.BuildError(f"CITATION.cff: there is no line `{line}`, as the changelog has it")


def release_date(project: build_backend.Project) -> str:
    """The date that the changelog gives the project's version, such as `2026-11-22`; BuildError where it has none."""
    changelog = (project.root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(rf"^## {re.escape(project.version)} - (\d{{4}}-\d\d-\d\d)$", changelog, re.MULTILINE)
    if heading is None:
        raise build_backend.BuildError(f"CHANGELOG.md: there is no heading `## {project.version} - YEAR-MONTH-DAY`")
    return heading[1]


def build(root: Path, folder: Path) -> list[Path]:
    """Write the source archive, the wheel and the zipapp into `folder`, and return their paths."""
    zipapp = folder / "purebleu.pyz"
    make_zipapp.write_zipapp(root, zipapp)
    archives = [folder / hook(str(folder)) for hook in (build_backend.build_sdist, build_backend.build_wheel)]
    return [*archives, zipapp]


def check_built(archives: Sequence[Path], zipapp: Path, folder: Path) -> None:
    """BuildError or CalledProcessError unless all that was built scores as the checkout; `folder` is for its use."""
    expected = sample_score([sys.executable, "-m", "purebleu"], build_backend.ROOT)
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = str(environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pip = [python, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "-q", "--no-index"]
    for archive in archives:
        subprocess.run([*pip, "--force-reinstall", str(archive)], cwd=folder, check=True)
        compare(sample_score([python, "-I", "-m", "purebleu"], folder), expected, archive)
    compare(sample_score([sys.executable, "-I", "-S", str(zipapp)], folder), expected, zipapp)


def sample_score(command: Sequence[str], folder: Path) -> bytes:
    """The scores, with signatures, that a command that starts purebleu in `folder` gives the sample's output."""
    output = subprocess.run([*command, *SAMPLE, "--echo", "mixed"], cwd=folder, stdout=subprocess.PIPE, check=True)
    metrics = ["-m", "bleu", "chrf", "ter"]
    return subprocess.run([*command, *SAMPLE, *metrics], cwd=folder, input=output.stdout, stdout=subprocess.PIPE,
                          check=True).stdout


def compare(found: bytes, expected: bytes, archive: Path) -> None:
    """BuildError unless the archive's scores are those of the checkout."""
    if found != expected:
        raise build_backend.BuildError(f"{archive.name} gives {found!r}, the checkout {expected!r}")


def main(argv: Sequence[str] | None = None) -> int:
    """Build, check and move a release; return the exit code."""
    parser = argparse.ArgumentParser(description="Build a release and check what was built.")
    parser.add_argument("tag", help="the release's tag in git, such as v2.6.0")
    parser.add_argument("-o", "--output", metavar="DIR", default="dist", help="an empty or new folder (default: dist)")
    args = parser.parse_args(argv)
    target = Path(args.output)
    try:
        check_tag(build_backend.read_project(build_backend.ROOT), args.tag)
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise build_backend.BuildError(f"{target} is not empty: what it holds would be published, too")
        with tempfile.TemporaryDirectory() as folder:
            *archives, zipapp = build(build_backend.ROOT, Path(folder))
            check_built(archives, zipapp, Path(folder))
            bill = zipapp.with_name(f"{zipapp.name}.cdx.json")  # (the wheel has its own inside)
            build_backend.write_whole(bill, bill_of(zipapp))
            for path in (*archives, zipapp, bill):
                print(shutil.move(str(path), str(target)))
    except (build_backend.BuildError, OSError, subprocess.CalledProcessError) as error:
        print(f"release: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
