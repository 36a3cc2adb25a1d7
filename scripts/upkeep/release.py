"""Build a release and check it.

    python3 scripts/upkeep release v2.6.0                       # into dist/, which has to be empty before
    python3 scripts/upkeep release v2.6.0 --digests FOLDER      # after comparing the digests of all machines
    python3 scripts/upkeep release v2.6.0 --checksums dist      # SHA-256 sums into the changelog, once it is published

Version, changelog and CITATION.cff have to name the release that the tag names. The source archive and the wheel are
then installed without an index, in a fresh environment, and like the zipapp and the single file they have to score
purebleu's own sample as the checkout does. With the conformance set and `SHA256SUMS`, they are moved into `dist/`.

FOLDER has a file `digest-MACHINE/digest.txt` with the output of `scripts/digest.py` for each machine of `MACHINES`; the
release is refused where one is missing, or where any file of the folder differs from the golden digest.
"""

from __future__ import annotations

import argparse
import hashlib
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
METRICS = ("-m", "bleu", "chrf", "ter")

#: The machines whose digests a release needs: those of `.github/workflows/ci.yml`.
SYSTEMS = ("ubuntu-latest", "macos-latest", "windows-latest")
PYTHONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "pypy3.11")
MACHINES = tuple([f"{system}-{python}" for system in SYSTEMS for python in PYTHONS])

GOLDEN_DIGEST = Path("tests", "fixtures", "digest.txt")
CONFORMANCE_SET = tuple([GOLDEN_DIGEST.with_name(name) for name in ("conformance.jsonl", "conformance.jsonl.sha256")])

#: The name of the list of checksums, in the form of `sha256sum`, and the heading of that in the changelog.
CHECKSUMS = "SHA256SUMS"
HEADING = "### Checksums"


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


def check_digests(root: Path, folder: Path) -> None:
    """BuildError unless the folder has a digest of each machine, and all its digests are the golden one."""
    golden = (root / GOLDEN_DIGEST).read_text(encoding="ascii").split()
    for machine in MACHINES:
        if not (folder / f"digest-{machine}" / "digest.txt").is_file():
            raise build_backend.BuildError(f"{folder}: there is no digest-{machine}/digest.txt")
    for path in sorted(folder.glob("*/digest.txt")):
        if path.read_text(encoding="utf-8", errors="replace").split() != golden:
            raise build_backend.BuildError(f"{path} differs from {GOLDEN_DIGEST.as_posix()}: numbers are not the same "
                                           "on that machine")


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
    return subprocess.run([*command, *SAMPLE, *METRICS], cwd=folder, input=output.stdout, stdout=subprocess.PIPE,
                          check=True).stdout


def compare(found: bytes, expected: bytes, archive: Path) -> None:
    """BuildError unless the archive's scores are those of the checkout."""
    if found != expected:
        raise build_backend.BuildError(f"{archive.name} gives {found!r}, the checkout {expected!r}")


def build_single_file(root: Path, folder: Path) -> Path:
    """Write the single file into `folder`, check that it scores the sample as the checkout, and return its path."""
    path = folder / "purebleu.py"
    subprocess.run([sys.executable, str(root / "scripts" / "vendor.py"), "--single-file", str(path)], check=True,
                   stdout=subprocess.DEVNULL)
    program = [sys.executable, "-m", "purebleu"]
    texts = folder / "sample"
    texts.mkdir()
    for text in ("ref", "mixed"):  # (single files have no test sets)
        with open(texts / text, "wb") as file:
            subprocess.run([*program, *SAMPLE, "--echo", text], cwd=root, stdout=file, check=True)
    scored = [str(texts / "ref"), "-i", str(texts / "mixed"), *METRICS]
    found, expected = [subprocess.run([*command, *scored], cwd=root, stdout=subprocess.PIPE, check=True).stdout
                       for command in ([sys.executable, "-I", str(path)], program)]
    compare(found, expected, path)
    return path


def checksum_lines(paths: Sequence[Path]) -> list[str]:
    """A line for each file, in the form of `sha256sum`, sorted by name."""
    return [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}"
            for path in sorted(paths, key=lambda path: path.name)]


def with_checksums(changelog: str, version: str, lines: Sequence[str]) -> str:
    """A changelog whose section of this version ends with these lines, in place of those that it had."""
    start = changelog.index(f"\n## {version} - ")
    end = changelog.find("\n## ", start + 1)
    section, rest = (changelog[start:], "") if end < 0 else (changelog[start:end], changelog[end:])
    section = section.partition(f"\n{HEADING}\n")[0].rstrip("\n")
    listed = "\n".join(lines)
    return f"{changelog[:start]}{section}\n\n{HEADING}\n\n```\n{listed}\n```\n{rest}"


def note_checksums(project: build_backend.Project, folder: Path) -> None:
    """Write the checksums of a folder's files into the changelog's section of the project's version."""
    release_date(project)
    paths = [path for path in folder.iterdir() if path.name != CHECKSUMS]
    if not paths:
        raise build_backend.BuildError(f"{folder} is empty")
    changelog = project.root / "CHANGELOG.md"
    text = with_checksums(changelog.read_text(encoding="utf-8"), project.version, checksum_lines(paths))
    build_backend.write_whole(changelog, text.encode("utf-8"))


def write_release(root: Path, folder: Path) -> list[Path]:
    """Write all files of the release into `folder`, check them, and return their paths."""
    *archives, zipapp = build(root, folder)
    check_built(archives, zipapp, folder)
    bill = zipapp.with_name(f"{zipapp.name}.cdx.json")  # (the wheel has its own inside)
    build_backend.write_whole(bill, bill_of(zipapp))
    released = [*archives, zipapp, bill, build_single_file(root, folder)]
    released += [Path(shutil.copyfile(str(root / path), str(folder / path.name))) for path in CONFORMANCE_SET]
    checksums = folder / CHECKSUMS
    build_backend.write_whole(checksums, "".join([f"{line}\n" for line in checksum_lines(released)]).encode("ascii"))
    return [*released, checksums]


def main(argv: Sequence[str] | None = None) -> int:
    """Build, check and move a release; return the exit code."""
    parser = argparse.ArgumentParser(description="Build a release and check what was built.")
    parser.add_argument("tag", help="the release's tag in git, such as v2.6.0")
    parser.add_argument("-o", "--output", metavar="DIR", default="dist", help="an empty or new folder (default: dist)")
    parser.add_argument("--digests", type=Path, metavar="FOLDER", help="digests of all machines, to compare first")
    parser.add_argument("--checksums", type=Path, metavar="DIR",
                        help="build nothing, and put the checksums of a release into the changelog")
    args = parser.parse_args(argv)
    target = Path(args.output)
    try:
        project = build_backend.read_project(build_backend.ROOT)
        check_tag(project, args.tag)
        if args.checksums:
            note_checksums(project, args.checksums)
            return 0
        if args.digests:
            check_digests(build_backend.ROOT, args.digests)
        else:
            print("release: note: no digests of other machines are compared (--digests)", file=sys.stderr)
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise build_backend.BuildError(f"{target} is not empty: what it holds would be published, too")
        with tempfile.TemporaryDirectory() as folder:
            for path in write_release(build_backend.ROOT, Path(folder)):
                print(shutil.move(str(path), str(target)))
    except (build_backend.BuildError, OSError, subprocess.CalledProcessError) as error:
        print(f"release: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
