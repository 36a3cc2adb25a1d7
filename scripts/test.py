"""Run the tests in an environment of their own: `python3 scripts/test.py [options] [arguments of pytest]`.

Without options, this Python runs the default tests. Arguments of pytest can choose some of them. Each interpreter has a
virtual environment in `.environments/`. It is made once, with pytest, hypothesis and pytest-xdist (which spreads the
tests over the processors) from the package index.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterator, NamedTuple, Sequence

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / ".environments"
OLDEST_SUPPORTED = (3, 8)

TEST_REQUIREMENTS = ["pytest", "hypothesis", "pytest-xdist"]
LINT_REQUIREMENTS = [*TEST_REQUIREMENTS, "mypy", "pyright[nodejs]", "ruff", "check-jsonschema"]

#: pytest's exit code if it ran no test.
NO_TESTS = 5

DESCRIBE = "import json, platform, sys; print(json.dumps([platform.python_implementation(), *sys.version_info[:2]]))"


class Interpreter(NamedTuple):
    """A Python on this machine."""

    path: str
    implementation: str
    version: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.implementation} {self.version[0]}.{self.version[1]}"


def described(path: str) -> Interpreter | None:
    """Return the interpreter at `path`; `None` if it does not run, or if it is too old."""
    try:
        output = subprocess.run([path, "-c", DESCRIBE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                                timeout=60).stdout
        implementation, major, minor = json.loads(output)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return Interpreter(path, implementation, (major, minor)) if (major, minor) >= OLDEST_SUPPORTED else None


def candidates() -> Iterator[str]:
    """Return the paths of possible interpreters: this interpreter, pyenv's, and those on the PATH."""
    yield sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob("versions/*/bin/python3")))
    for name in ["python3", *[f"python3.{minor}" for minor in range(OLDEST_SUPPORTED[1], 20)], "pypy3"]:
        yield from filter(None, [shutil.which(name)])


def found_interpreters() -> list[Interpreter]:
    """Return an interpreter of each implementation and version: CPython first, then PyPy, each oldest first."""
    found: dict[tuple[str, tuple[int, int]], Interpreter] = {}
    for path in candidates():
        interpreter = described(path)
        if interpreter is not None:
            found.setdefault((interpreter.implementation, interpreter.version), interpreter)
    return [found[key] for key in sorted(found)]


def chosen_interpreters(args: argparse.Namespace) -> list[Interpreter]:
    """Return the interpreters that the options choose."""
    if args.everywhere:
        return found_interpreters()
    if args.oldest:
        return found_interpreters()[:1]
    chosen: list[Interpreter] = []
    for path in args.python or [sys.executable]:
        interpreter = described(path)
        if interpreter is None:
            raise SystemExit(f"{path} is not a working Python {'.'.join(map(str, OLDEST_SUPPORTED))} or later")
        chosen.append(interpreter)
    return chosen


def folder_of(interpreter: Interpreter) -> Path:
    """Return the folder of the virtual environment of an interpreter."""
    return ENVIRONMENTS / str(interpreter).lower().replace(" ", "-")


def environment(interpreter: Interpreter, requirements: Sequence[str]) -> str:
    """Return the Python of a virtual environment with the requirements. Make the environment if it is missing."""
    folder = folder_of(interpreter)
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    installed = folder / f"{len(requirements)} requirements are installed"
    if not installed.exists():
        print(f"making {folder.relative_to(ROOT)}", flush=True)
        # The interpreter's own pip saves the time to install another one. (The option `--python` needs pip 22.3.)
        shared_pip = [interpreter.path, "-m", "pip", "--python"]
        if subprocess.run([*shared_pip, interpreter.path, "--version"], capture_output=True).returncode == 0:
            options, pip = ["--without-pip"], [*shared_pip, python]
        else:
            options, pip = [], [python, "-m", "pip"]
        subprocess.run([interpreter.path, "-m", "venv", *options, str(folder)], check=True)
        subprocess.run([*pip, "install", "--no-compile", "-q", "--disable-pip-version-check", *requirements],
                       check=True)
        installed.touch()
    return python


def write_bytecode_of_tests(pytest: Sequence[str]) -> None:
    """Collect the tests once, in one process for each processor.

    Without the bytecode that this writes, each process of a test run would compile all tests.
    """
    files = sorted([str(path.relative_to(ROOT)) for path in ROOT.glob("tests/**/test_*.py")])
    count = os.cpu_count() or 1
    processes = [subprocess.Popen([*pytest, "--collect-only", "-q", "-p", "no:cacheprovider", *files[start::count]],
                                  cwd=ROOT, env=variables_for_tests(), stdout=subprocess.DEVNULL)
                 for start in range(count)]
    for process in processes:
        process.wait()


def variables_for_tests() -> dict[str, str]:
    """Return this process's variables, without the one that keeps Python from writing bytecode."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run_tests(interpreter: Interpreter, tier: str, arguments: Sequence[str]) -> bool:
    """Run the tests of a tier on this interpreter; return whether they pass."""
    print(f"== {interpreter}", flush=True)
    is_new = not folder_of(interpreter).exists()
    pytest = [environment(interpreter, TEST_REQUIREMENTS), "-m", "pytest"]
    if interpreter.implementation == "PyPy":
        pytest.append("--assert=plain")  # PyPy 7.3.11 crashes if pytest rewrites the assertions of all modules
    if is_new and not arguments:
        write_bytecode_of_tests(pytest)
    # Use one more process than there are processors, because some tests mostly wait.
    spread = ["-n", str(1 + (os.cpu_count() or 1)), "--dist", "worksteal"]
    code = subprocess.run([*pytest, *spread, "-m", tier, *arguments], cwd=ROOT, env=variables_for_tests()).returncode
    if code == NO_TESTS and tier:
        print(f"no test that was named is in this tier ({tier}): try --full or --heavy", file=sys.stderr)
    return not code


def has_test(path: Path, name: str) -> bool:
    """Whether a file defines a test (`NAME`, `CLASS::NAME`, perhaps with `[PARAMETERS]`)."""
    source = path.read_text(encoding="utf-8")
    parts = name.partition("[")[0].split("::")
    return all(re.search(rf"^ *(def|class) {re.escape(part)}\b", source, re.MULTILINE) for part in parts)


def run_linters() -> bool:
    """Run mypy, pyright and ruff, and check workflows, the action and CITATION.cff against their schemas."""
    newest = [interpreter for interpreter in found_interpreters() if interpreter.implementation == "CPython"][-1]
    python = environment(newest, LINT_REQUIREMENTS)
    schemas = {
        "vendor.github-workflows": sorted(ROOT.glob(".github/workflows/*.yml")),
        "vendor.github-actions": [ROOT / ".github" / "actions" / "gate" / "action.yml"],
        "vendor.citation-file-format": [ROOT / "CITATION.cff"],
    }
    commands = [["mypy"], ["pyright"], ["pyright", "--project", "tests/types"], ["ruff", "check", "."]]
    exit_codes = [subprocess.run([python, "-m", *command], cwd=ROOT).returncode for command in commands]
    for schema, paths in schemas.items():
        print(f"{', '.join([path.name for path in paths])}: ", end="", flush=True)  # (the checker names no file)
        command = ["check_jsonschema", "--force-filetype", "yaml", "--builtin-schema", schema, *map(str, paths)]
        exit_codes.append(subprocess.run([python, "-m", *command], cwd=ROOT).returncode)
    return not any(exit_codes)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="%(prog)s [options] [arguments of pytest]")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--python", action="append", metavar="PYTHON", help="run on this interpreter (can be repeated)")
    which.add_argument("--oldest", action="store_true", help="run on the oldest CPython on this machine")
    which.add_argument("--everywhere", action="store_true", help="run on every interpreter on this machine")
    which.add_argument("--lint", action="store_true", help="run only the linters")
    tier = parser.add_mutually_exclusive_group()
    tier.add_argument("--full", dest="tier", action="store_const", const="not heavy", default="not full and not heavy",
                      help="also run tests of processes, servers, documents, vendored copies and scripts")
    tier.add_argument("--heavy", dest="tier", action="store_const", const="", help="run all tests, also slow ones")
    args, pytest_arguments = parser.parse_known_args(argv)
    for argument in pytest_arguments:  # (pytest-xdist would not name the wrong argument.)
        path, _, name = argument.partition("::")
        if path.endswith(".py") and not (ROOT / path).exists():
            parser.error(f"{path}: there is no such test file")
        if path.endswith(".py") and name and not has_test(ROOT / path, name):
            raise SystemExit(f"{argument}: no test has this name")
    try:
        if args.lint:
            passed = {"linters": run_linters()}
        else:
            passed = {str(interpreter): run_tests(interpreter, args.tier, pytest_arguments)
                      for interpreter in chosen_interpreters(args)}
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"failed: {' '.join(map(str, error.cmd))}") from error
    if args.lint or len(passed) > 1:
        print("\n".join([f"{'passed' if fine else 'FAILED'}: {name}" for name, fine in passed.items()]))
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
