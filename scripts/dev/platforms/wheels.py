"""Test vendored copies in wheels of a project, with common build back ends.

    python3 scripts/dev/platforms wheels              # needs a package index, for the back ends

Each back end builds a small project with a copy. For setuptools, pyproject.toml gets the lines that `vendor.py` prints.
The wheel has to have every file of the copy. The installed copy has to pass its `doctor`, score its sample and write a
report. Without these lines, setuptools leaves out files, and `doctor` has to report them.

Exit codes: 0 all is well, 1 something fails.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from dev.platforms.steps import PIP, ROOT, Failed, checked, environment, tell

COPY = "host/_vendor/bleu"


class BackEnd(NamedTuple):
    """A build back end, and the first lines of the project's pyproject.toml."""

    name: str
    lines: str
    is_told: bool = False  # gets the lines that `vendor.py` prints
    takes_all: bool = True  # has to put all files of the copy into the wheel


def _of_system(requirement: str, module: str) -> str:
    return f'[build-system]\nrequires = ["{requirement}"]\nbuild-backend = "{module}"\n'


SETUPTOOLS = _of_system("setuptools>=61", "setuptools.build_meta")
BACK_ENDS = (
    BackEnd("setuptools", SETUPTOOLS, is_told=True),
    BackEnd("setuptools, not told", SETUPTOOLS, takes_all=False),
    BackEnd("hatchling", _of_system("hatchling", "hatchling.build")),
    BackEnd("flit", _of_system("flit_core>=3.4", "flit_core.buildapi")),
    BackEnd("poetry", _of_system("poetry-core>=2", "poetry.core.masonry.api")),
)


def built(back_end: BackEnd, folder: Path) -> Path:
    """Build a project with a copy; return the path of its wheel."""
    project = folder / "project"
    (project / "host").mkdir(parents=True)
    (project / "host" / "__init__.py").write_text('"""A project with a copy."""\n', encoding="utf-8")
    toml = f'{back_end.lines}\n[project]\nname = "host"\nversion = "1"\ndescription = "A project with a copy."\n'
    (project / "pyproject.toml").write_text(toml, encoding="utf-8")
    printed = checked(sys.executable, ROOT / "scripts" / "vendor.py", "host/_vendor", "--name", "bleu", folder=project)
    if back_end.is_told:
        told = printed[printed.index("[tool.setuptools"):]
        (project / "pyproject.toml").write_text(f"{toml}\n{told}", encoding="utf-8")
    checked(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, project)
    wheel, = folder.glob("host-*.whl")
    return wheel


def check_wheel(back_end: BackEnd, folder: Path) -> str:
    """Test the wheel of a back end; return a line about it. Raise `Failed` if something is wrong."""
    wheel = built(back_end, folder)
    copy = folder / "project" / COPY
    files = {f"{COPY}/{path.relative_to(copy).as_posix()}" for path in copy.rglob("*") if path.is_file()
             and "__pycache__" not in path.parts and path.name != ".gitattributes"}
    left_out = files - set(ZipFile(wheel).namelist())
    if bool(left_out) == back_end.takes_all:
        raise Failed(f"{len(left_out)} of the copy's {len(files)} files are left out")
    python = environment(folder / "env")
    checked(python, *PIP, "--no-index", wheel)
    start = (python, "-m", COPY.replace("/", "."))
    found = checked(*start, "doctor", folder=folder, code=0 if back_end.takes_all else 1)
    if not back_end.takes_all:
        if "files of purebleu are missing" not in found:
            raise Failed("the doctor does not say that files are missing")
        return f"{len(left_out)} of {len(files)} files are left out, and the doctor says so"
    sample = ("-t", "sample", "-l", "en-de")
    (folder / "out.txt").write_text(checked(*start, *sample, "--echo", "mixed", folder=folder), encoding="utf-8")
    checked(*start, "report", *sample, "-i", "out.txt", folder=folder)
    return f"all {len(files)} files"


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    failures = 0
    for back_end in BACK_ENDS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{back_end.name}: {check_wheel(back_end, Path(folder))}", flush=True)
            except Failed as error:
                failures += 1
                tell(f"{back_end.name}: {error}")
    return 1 if failures else 0
