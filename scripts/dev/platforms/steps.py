"""Functions that several platforms use: running commands, environments, messages, command lines to test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Iterable, Sequence

ROOT = Path(__file__).resolve().parents[3]

#: The folder for environments and downloads, which later runs use again.
ENVIRONMENTS = ROOT / ".environments"

#: The command line that prints the standard input for the command lines to test.
ECHO = "-t sample -l en-de --echo mixed"

PIP = ("-m", "pip", "install", "-q", "--disable-pip-version-check")


class Failed(Exception):
    """A platform or program is missing, or a check failed."""


def checked(*command: object, folder: Path = ROOT, code: int = 0) -> str:
    """Run a command in a folder, and return its output. If it fails, raise `Failed` with its last lines."""
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True)
    if done.returncode != code:
        name = " ".join([Path(str(command[0])).name, *map(str, command[1:3])])
        last = lines_of(done.stderr or done.stdout)[-4:]
        raise Failed("\n    ".join([f"{name} ends with {done.returncode}, not {code}", *last]))
    return done.stdout.decode(errors="replace")


def environment(folder: Path, packages: Iterable[str] = ()) -> Path:
    """Return the Python of a virtual environment with these packages. Make the environment if it is missing."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        checked(sys.executable, "-m", "venv", folder)
        if packages:
            print(f"installing {' '.join(packages)}", flush=True)
            checked(python, *PIP, *packages)
    return python


def lines_of(output: bytes) -> list[str]:
    return output.decode(errors="replace").splitlines()


def command_lines() -> list[list[str]]:
    """Return command lines that work on every Python, and command lines that may need more of the standard library.

    They read files in `tests/fixtures/cli`, and two long files.
    """
    text = Path(__file__).with_name("command_lines.txt").read_text(encoding="utf-8")
    return [part.splitlines() for part in text.split("\n\n")]


def write_long_files(folder: Path) -> None:
    """Write the two long files for `command_lines`."""
    for name in ("reference.txt", "hypothesis.txt"):
        (folder / f"long.{name}").write_bytes((folder / name).read_bytes() * 300)


def tell(failure: str, details: Sequence[str] = ()) -> None:
    """Print a failure immediately."""
    print("\n".join([f"failed: {failure}", *[f"    {line}" for line in details]]), flush=True)
