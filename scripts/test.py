"""Run the tests in an environment of their own: `python3 scripts/test.py [options] [arguments of pytest]`.

Each interpreter gets a virtual environment in `.venv/`, with pytest and hypothesis from the package index; it is made
once and used again. Without options, the interpreter that runs this script runs the tests: all of them, or those that
arguments for pytest choose, spread over the processors (`-n 0`: in one process).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Iterator, Mapping, NamedTuple, Sequence

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / ".venv"
OLDEST_SUPPORTED = (3, 8)

#: Requirements of the tests, and of the linters' environment on top; each with a module of its own.
TEST_REQUIREMENTS = {"pytest": "pytest", "pytest-xdist": "xdist", "hypothesis": "hypothesis"}
LINT_REQUIREMENTS = {"mypy": "mypy", "pyright[nodejs]": "pyright", "ruff": "ruff",
                     "check-jsonschema": "check_jsonschema"}

#: The tests that run against vendored copies; and the copies, as what `vendor.py` is given (it takes a single file with
#: its name). The first one is the smallest: it belongs to every run, with the first file of tests.
API_SUITE = ("tests/test_api.py", "tests/metrics/test_golden.py", "tests/metrics/test_metric_properties.py")
WITHOUT = ("--without", "datasets", "mecab", "sentencepiece", "significance", "agreement", "audit", "checks", "rows",
           "page", "mbr", "serve", "evaluate", "ids", "report")
VENDORED = (
    ("--only", "bleu", "--tokenizers", "13a", *WITHOUT, "cli"),
    ("--only", "bleu", *WITHOUT),
    ("--only", "bleu", "chrf", "--tokenizers", "13a", "zh", "intl", "--without", "datasets", "report"),
    ("--only", "bleu", "chrf", "ter", "--without", "datasets", "mecab", "sentencepiece"),
    ("--single-file", "--only", "bleu", "--tokenizers", "13a", "--without", "significance", "report", "cli"),
    ("--single-file", "--only", "bleu"),
    ("--single-file", "--only", "bleu", "chrf"),
    ("--single-file", "--only", "bleu", "chrf", "ter"),
)

DESCRIBE = "import json, platform, sys; print(json.dumps([platform.python_implementation(), *sys.version_info[:2]]))"


class Interpreter(NamedTuple):
    """A Python on this machine."""

    path: str
    implementation: str
    version: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.implementation} {self.version[0]}.{self.version[1]}"


def described(path: str) -> Interpreter | None:
    """The interpreter at `path`; `None` where there is none that runs, or one that is too old."""
    try:
        output = subprocess.run([path, "-c", DESCRIBE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                                timeout=60).stdout
        implementation, major, minor = json.loads(output)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return Interpreter(path, implementation, (major, minor)) if (major, minor) >= OLDEST_SUPPORTED else None


def candidates() -> Iterator[str]:
    """Where interpreters may be: this one, pyenv's, and those on the PATH."""
    yield sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob("versions/*/bin/python3")))
    for name in ["python3", *[f"python3.{minor}" for minor in range(OLDEST_SUPPORTED[1], 20)], "pypy3"]:
        yield from filter(None, [shutil.which(name)])


def found_interpreters() -> list[Interpreter]:
    """One interpreter of each implementation and version, CPython first, from the oldest to the newest."""
    found: dict[tuple[str, tuple[int, int]], Interpreter] = {}
    for path in candidates():
        interpreter = described(path)
        if interpreter is not None:
            found.setdefault((interpreter.implementation, interpreter.version), interpreter)
    return [found[key] for key in sorted(found)]


def chosen_interpreters(args: argparse.Namespace) -> list[Interpreter]:
    """The interpreters that the options ask for."""
    if args.everywhere:
        return found_interpreters()
    if args.oldest or args.oldest_and_newest:
        found = [interpreter for interpreter in found_interpreters() if interpreter.implementation == "CPython"]
        return found[:1] if args.oldest else found[:1] + found[1:][-1:]
    paths = args.python or [sys.executable]
    found = [interpreter for interpreter in map(described, paths) if interpreter is not None]
    if len(found) < len(paths):
        raise SystemExit(f"not every one of these is a Python of at least 3.8 that runs: {', '.join(paths)}")
    return found


def environment(interpreter: Interpreter, requirements: Mapping[str, str]) -> str:
    """The Python of a virtual environment for `interpreter` in which the requirements are installed."""
    folder = ENVIRONMENTS / str(interpreter).lower().replace(" ", "-")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    imports = ", ".join(requirements.values())
    if not python.exists() or subprocess.run([python, "-c", f"import {imports}"], stderr=subprocess.DEVNULL).returncode:
        print(f"making {folder.relative_to(ROOT)}", flush=True)
        subprocess.run([interpreter.path, "-m", "venv", str(folder)], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements], check=True)
    return str(python)


def run_tests(interpreter: Interpreter, arguments: Sequence[str], heavy: bool, vendored: bool) -> bool:
    """Whether the tests pass on this interpreter, with or without the heavy ones, and those of all vendored copies."""
    print(f"== {interpreter}", flush=True)
    # In one process more than there are processors, for some tests mostly wait.
    command = [environment(interpreter, TEST_REQUIREMENTS), "-m", "pytest", "-q", "-n", str(1 + (os.cpu_count() or 1)),
               "--dist", "worksteal"]
    command += [] if heavy else ["-m", "not heavy"]
    if interpreter.implementation == "PyPy":
        command.append("--assert=plain")  # PyPy 7.3.11 crashes where pytest rewrites the assertions of all modules
    # Bytecode of the tests and of the package serves all of the processes that they start.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if heavy:
        variables["PUREBLEU_EXAMPLES"] = "200"  # of each property, see tests/conftest.py
    passed = [not subprocess.run([*command, *arguments], cwd=ROOT, env=variables).returncode]
    if not arguments:
        copies, files = (VENDORED, API_SUITE) if vendored else (VENDORED[:1], API_SUITE[:1])
        passed += [run_on_copy([*command, *files], options, variables) for options in copies]
    return all(passed)


def run_on_copy(command: Sequence[str], options: Sequence[str], variables: Mapping[str, str]) -> bool:
    """Whether a command of tests of the API passes on a vendored copy; tests of what it lacks are skipped."""
    with tempfile.TemporaryDirectory() as folder:
        if options[0] == "--single-file":
            package, arguments = "bleu", ["--single-file", os.path.join(folder, "bleu.py"), *options[1:]]
        else:
            package, arguments = "host.bleu", [os.path.join(folder, "host"), "--name", "bleu", *options]
        subprocess.run([sys.executable, str(ROOT / "scripts" / "vendor.py"), *arguments], check=True,
                       stdout=subprocess.DEVNULL)
        print("vendored:", *options, flush=True)
        return not subprocess.run(command, cwd=ROOT,
                                  env={**variables, "PUREBLEU_PACKAGE": package, "PYTHONPATH": folder}).returncode


def run_linters(interpreter: Interpreter) -> bool:
    """Whether mypy, pyright and ruff are content, and workflows, the action and CITATION.cff follow their schemas."""
    print("== linters", flush=True)
    python = environment(interpreter, {**TEST_REQUIREMENTS, **LINT_REQUIREMENTS})
    schemas = ["check_jsonschema", "--force-filetype", "yaml", "--builtin-schema"]
    workflows = sorted(map(str, ROOT.glob(".github/workflows/*.yml")))
    commands = (
        ["mypy"],
        ["pyright"],
        ["pyright", "--project", "tests/types"],
        ["ruff", "check", "."],
        [*schemas, "vendor.github-workflows", *workflows],
        [*schemas, "vendor.github-actions", ".github/actions/gate/action.yml"],
        [*schemas, "vendor.citation-file-format", "CITATION.cff"],
    )
    exit_codes = [subprocess.run([python, "-m", *command], cwd=ROOT).returncode for command in commands]
    return not any(exit_codes)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="%(prog)s [options] [arguments of pytest]")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--python", nargs="+", metavar="PYTHON", help="run them on these interpreters")
    which.add_argument("--everywhere", action="store_true", help="run them on every interpreter found on this machine")
    which.add_argument("--oldest", action="store_true", help="run them on the oldest CPython found")
    which.add_argument("--oldest-and-newest", action="store_true", help="run them on these two of the CPythons found")
    parser.add_argument("--heavy", action="store_true",
                        help="run the tests that take many seconds each, too (memory and time of huge input)")
    parser.add_argument("--vendored", action="store_true",
                        help="run the tests of the API on vendored copies of every kind, too")
    parser.add_argument("--lint", action="store_true", help="run the linters, too")
    args, pytest_arguments = parser.parse_known_args(argv)
    try:
        chosen = chosen_interpreters(args)
        passed = {str(interpreter): run_tests(interpreter, pytest_arguments, args.heavy, args.vendored)
                  for interpreter in chosen}
        if args.lint:
            # mypy does not run on PyPy, which comes last
            passed["linters"] = run_linters(next(one for one in chosen[::-1] if one.implementation == "CPython"))
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"failed: {' '.join(map(str, error.cmd))}") from error
    if len(passed) > 1:
        print("\n".join(f"{'passed' if fine else 'FAILED'}: {name}" for name, fine in passed.items()))
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
