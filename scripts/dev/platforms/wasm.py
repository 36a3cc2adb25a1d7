"""Test the package in WebAssembly: Pyodide (CPython built by Emscripten) under Node.js has to give the same results.

    python3 scripts/dev/platforms wasm
    python3 scripts/dev/platforms wasm --suite [arguments of pytest]    # with the tests that start no process

npm downloads Pyodide once, into `.environments/wasm`. The package is copied into Pyodide's own file system. Pyodide and
the interpreter that runs this script run command lines on files, and compute the digest (`digest.py`). For the tests,
pip puts pytest and hypothesis into the folder. Exit codes: 0 all the same, 1 something differs or fails, 2 Node.js or
npm is missing.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from argparse import REMAINDER, ArgumentParser
from pathlib import Path
from typing import Sequence
from unittest.mock import patch

from dev.platforms.steps import ECHO, ENVIRONMENTS, PIP, ROOT, Failed, checked, command_lines, tell, write_long_files

FOLDER = ENVIRONMENTS / "wasm"

#: The version of Pyodide. It has Python 3.14, and needs Node.js 18 or later.
PYODIDE = "314.0.7"

#: Folders and files of this checkout that are copied.
COPIED = ("purebleu", "scripts", "tests", "pyproject.toml", "README.md")

#: Requirements of the tests, as wheels of pure Python.
TEST_REQUIREMENTS = ("pytest", "hypothesis")


def smoke() -> dict[str, str]:
    """Return all results that are compared, by name. Both interpreters call this function."""
    import digest

    results = {f"digest of {line.partition('  ')[2]}": line for line in digest.digests("purebleu")}
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "tests" / "fixtures" / "cli", f"{folder}/cli")
        os.chdir(f"{folder}/cli")
        try:
            write_long_files(Path())
            _, hypotheses = answer(ECHO, "")
            core, more = command_lines()
            for line in (*core, *more):
                code, output = answer(line, hypotheses)
                results[line] = f"exit code {code}\n{output}"
        finally:
            os.chdir(before)
    return results


def answer(line: str, stdin: str) -> tuple[int, str]:
    """Return the exit code and the output of a command line. (Of help, only the start: its layout varies.)"""
    from purebleu.cli import main as command_line

    text = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8")), encoding="utf-8")
    with patch("sys.stdin", text), contextlib.redirect_stdout(io.StringIO()) as output, \
            contextlib.redirect_stderr(io.StringIO()):
        code = command_line(line.split())
    return code, output.getvalue()[:200] if "--help" in line else output.getvalue()


# Functions that run in Pyodide

def report() -> str:
    """Return the results and the version of Python, as JSON."""
    return json.dumps({"python": f"{sys.version.split()[0]} on {sys.platform}", "results": smoke()})


def suite(arguments: Sequence[str]) -> str:
    """Run the tests; return the exit code as text. Tests are skipped when they start processes, threads or pipes."""
    import threading

    import pytest

    def skip(*_: object, **__: object) -> None:
        pytest.skip("WebAssembly has no processes, threads or pipes")

    for module, name in ((subprocess, "Popen"), (threading.Thread, "start"), (os, "mkfifo"), (os, "_exit")):
        setattr(module, name, skip)
    os.chdir("/project")
    sys.dont_write_bytecode = True
    return f"{int(pytest.main(['-p', 'no:cacheprovider', *arguments]))}\n"


# Functions that run here


def install() -> None:
    """Put Pyodide and `run.mjs` into the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(__file__).with_suffix(".mjs"), FOLDER / "run.mjs")
    description = FOLDER / "node_modules" / "pyodide" / "package.json"
    if description.is_file() and json.loads(description.read_bytes())["version"] == PYODIDE:
        return
    print(f"installing pyodide {PYODIDE} in {FOLDER.relative_to(ROOT)}", flush=True)
    checked(shutil.which("npm") or "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", FOLDER,
            f"pyodide@{PYODIDE}")


def copies(with_requirements: bool) -> bytes:
    """Return a ZIP archive of the files that Pyodide needs from this checkout."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for base, name in [*[(ROOT, name) for name in COPIED], *([(FOLDER, "site")] if with_requirements else [])]:
            for path in [base / name, *sorted((base / name).rglob("*"))]:
                if path.is_file() and path.suffix != ".pyc":
                    archive.write(path, path.relative_to(base).as_posix())
    return packed.getvalue()


def in_webassembly(call: str, with_requirements: bool = False) -> str:
    """Call a function of this module in Pyodide; return the output, which ends with the result."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "copies.zip")
        archive.write_bytes(copies(with_requirements))
        return checked(shutil.which("node") or "node", "run.mjs", archive, call, folder=FOLDER)


def compare() -> bool:
    """Compare the results in Pyodide and here, and print differences; return whether all are the same."""
    there = json.loads(in_webassembly("report()"))
    here = smoke()
    differing = [name for name in here if there["results"].get(name) != here[name]]
    for name in differing:
        print(f"differs: {name}\n  here: {here[name]!r}\n  there: {there['results'].get(name)!r}")
    print(f"Python {there['python']}: {len(here) - len(differing)} of {len(here)} results as on Python "
          f"{sys.version.split()[0]}", flush=True)
    return not differing


def run_suite(arguments: Sequence[str]) -> bool:
    """Run the tests in Pyodide; return whether they pass."""
    if not (FOLDER / "site" / "hypothesis").is_dir():
        checked(sys.executable, *PIP, "--only-binary=:all:", "--python-version", "3.14", "--implementation", "py",
                "--abi", "none", "--platform", "any", "--target", FOLDER / "site", *TEST_REQUIREMENTS)
    output = in_webassembly(f"suite({json.dumps(arguments)})", with_requirements=True)
    print(output)
    return output.split()[-1] == "0"


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--suite", nargs=REMAINDER, metavar="ARGUMENT", help="run the tests, too")
    options = parser.parse_args()
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    if missing:
        print(f"{' and '.join(missing)} not found on the PATH: install Node.js and npm", file=sys.stderr)
        return 2
    try:
        install()
        same = compare()
        passed = options.suite is None or run_suite(options.suite)
    except Failed as error:
        tell(str(error))
        return 1
    return 0 if same and passed else 1
