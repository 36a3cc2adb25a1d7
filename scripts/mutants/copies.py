"""A copy of the project, in which faults are put, and runs of its tests in an environment with the hook."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path
from typing import Iterable, NamedTuple, Sequence

from .edits import Mutant
from .hook import CHOSEN, OUTCOMES

#: Files and folders that are not copied.
LEFT_OUT = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "dist", "build")

#: Memory (address space, in bytes) of a process of the tests: a mutant may fill a list for ever.
MEMORY = 6 << 30


class Outcome(NamedTuple):
    """The outcome of a test."""

    test: str
    passed: bool
    seconds: float


class Run(NamedTuple):
    """The outcome of a run of tests: pytest's exit code, or `None` after the limit, and the tests that ran."""

    exit_code: int | None
    outcomes: list[Outcome]
    output: str


class Copy:
    """A copy of a project in `folder`, beside the environment that its tests run in."""

    def __init__(self, project: Path, package: str, folder: Path) -> None:
        self.folder = folder.resolve()
        self.project = self.folder / "project"
        self.lines = self.folder / "lines"
        shutil.copytree(project, self.project, ignore=shutil.ignore_patterns(*LEFT_OUT))
        # Byte code that is checked by what the source contains: an edit may change neither size nor time of a file.
        subprocess.run([sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", package],
                       cwd=str(self.project), check=True, stdout=subprocess.DEVNULL)
        self.python, self.site = self._environment()
        self.package = package

    def _environment(self) -> tuple[Path, Path]:
        """The Python of an environment with all that this one has, and the folder where the hook stands."""
        root = self.folder / "environment"
        venv.create(root, with_pip=False, symlinks=os.name != "nt")
        python = root / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        find = "import sysconfig; print(sysconfig.get_path('purelib'))"
        found = subprocess.run([str(python), "-c", find], check=True, stdout=subprocess.PIPE, text=True)
        site = Path(found.stdout.strip())
        here = Path(__file__).resolve().parent
        shutil.copyfile(here / "hook.py", site / "mutants_hook.py")
        packages = [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
        (site / "packages.pth").write_text("\n".join(packages), encoding="utf-8")
        return python, site

    def write_down_lines(self) -> None:
        """Have each process from now on write down which lines of the package it reaches, in the folder `lines`."""
        self.lines.mkdir()
        package = os.path.join(str(self.project), self.package, "")
        (self.site / "zz_lines.pth").write_text(
            f"import mutants_hook; mutants_hook.start({package!r}, {str(self.lines)!r})\n", encoding="utf-8")

    def run(self, arguments: Sequence[str], limit: float | None = None, chosen: Iterable[str] | None = None) -> Run:
        """Run pytest with these arguments; with `chosen`, these tests of the files that are named, in this order."""
        outcomes = self.folder / "outcomes.txt"
        outcomes.unlink() if outcomes.exists() else None
        variables = {name: value for name, value in os.environ.items()
                     if not name.startswith(("PUREBLEU", "PYTHONPATH", "PYTEST_", "PYTHONDONTWRITEBYTECODE"))}
        variables[OUTCOMES] = str(outcomes)
        if chosen is not None:
            variables[CHOSEN] = str(self.folder / "chosen.txt")
            Path(variables[CHOSEN]).write_text("\n".join(chosen), encoding="utf-8")
        command = [str(self.python), "-m", "pytest", "-q", "-p", "mutants_hook", "--tb=no", *arguments]
        exit_code, output = run_limited(command, self.project, variables, limit)
        return Run(exit_code, read_outcomes(outcomes), output)

    def run_with(self, mutant: Mutant, tests: Sequence[str], limit: float) -> Run:
        """Run these tests, until one fails, on the package with this fault."""
        path = self.project / mutant.key.path
        source = path.read_bytes()
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        path.write_bytes(mutant.applied(source))
        try:
            return self.run(["-x", "-p", "no:cacheprovider", *files], limit, tests)
        finally:
            path.write_bytes(source)


def run_limited(command: Sequence[str], folder: Path, variables: dict[str, str],
                limit: float | None) -> tuple[int | None, str]:
    """The exit code of a command, or `None` where it took longer than the limit and was ended; and what it printed."""
    seconds = None if limit is None else int(limit) + 1

    def restrict() -> None:
        """Limit each process by itself: a test may start one in a session of its own, which outlives the run."""
        import resource

        signal.signal(signal.SIGINT, signal.SIG_DFL)  # (ignored by what a shell starts in the background)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    posix = os.name == "posix"
    # (Into a file: what a process of a test leaves behind would keep a pipe open.)
    with open(os.path.join(str(folder.parent), "output.txt"), "w+b") as output:
        process = subprocess.Popen(command, cwd=str(folder), env=variables, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=posix,
                                   preexec_fn=restrict if posix else None)
        exit_code: int | None = None
        try:
            exit_code = process.wait(limit)
        except subprocess.TimeoutExpired:
            pass
        finally:
            if posix:
                with contextlib.suppress(ProcessLookupError):  # (nothing may be left of it)
                    os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            process.wait()
        output.seek(0)
        return exit_code, output.read().decode("utf-8", "replace")


def read_outcomes(path: Path) -> list[Outcome]:
    """The outcomes of tests, in the order in which they ran; a test passes if it, its setup and its teardown do."""
    found: dict[str, Outcome] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        outcome, when, duration, test = line.split("\t", 3)
        before = found.get(test, Outcome(test, False, 0.0))
        # A skipped test kills nothing; a test that has not been called has not passed.
        passed = outcome == "passed" and (when != "teardown" or before.passed)
        found[test] = Outcome(test, passed, before.seconds + float(duration))
    return list(found.values())
