"""Pieces of `foreign.py` and its machines: interpreters with a copy of this checkout, commands that may fail."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    Process = subprocess.CompletedProcess[bytes]

ROOT = Path(__file__).resolve().parents[3]

#: Runs a program with /proc in its root folder, where nobody else sees that, and until it ends.
ENTER = ("unshare", "--mount-proc")

#: The longest that any process is waited for, in seconds; what is emulated takes twenty times as long as usual.
PATIENCE = 3600


class Unavailable(Exception):
    """Something that cannot be had here."""


class Place(NamedTuple):
    """An interpreter, and the folder that has a copy of this checkout for it."""

    folder: Path
    command: Sequence[str]
    is_root: bool
    variables: Mapping[str, str] = MappingProxyType({})

    @property
    def project(self) -> Path:
        """The copy, as the interpreter finds it."""
        return Path("/project") if self.is_root else self.folder / "project"

    def run(self, arguments: Sequence[str], stdin: bytes = b"", environment: Mapping[str, str] = MappingProxyType({}),
            folder: str = ".", patience: float = PATIENCE) -> Process:
        """Run the interpreter in a folder of the checkout, in an environment that is the same everywhere."""
        # (The C locale is the only one that needs no files.)
        everywhere = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(self.project.parent / "tmp"),
                      "PYTHONPATH": os.pathsep.join([str(self.project), str(self.project / "site")])}
        inside = [*ENTER, f"--root={self.folder}", f"--wd={self.project / folder}"] if self.is_root else []
        return subprocess.run([*inside, *self.command, *arguments], cwd=None if inside else self.project / folder,
                              input=stdin, capture_output=True, env={**everywhere, **self.variables, **environment},
                              timeout=patience)


def checked(command: Sequence[str], folder: Path | None = None) -> str:
    """Run a command, in the folder; returns what it prints, or raises `Unavailable` with its last words."""
    done = subprocess.run(command, cwd=folder, capture_output=True)
    if done.returncode:
        raise Unavailable("\n    ".join([command[0], *lines_of(done.stderr)[-4:]]))
    return done.stdout.decode()


def lines_of(output: bytes) -> list[str]:
    return output.decode(errors="replace").splitlines()


def tell(failure: str, details: Sequence[str] = ()) -> None:
    """Print at once what fails."""
    print("\n".join([f"failed: {failure}", *[f"    {line}" for line in details]]), flush=True)
