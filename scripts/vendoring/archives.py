"""Reads the project's version and files, and writes archives. The same files always give the same bytes."""

from __future__ import annotations

import ast
import base64
import contextlib
import functools
import hashlib
import os
import re
import time
import zipfile
from pathlib import Path
from typing import IO, Any, Iterable, Tuple

ROOT = Path(__file__).resolve().parents[2]

Member = Tuple[str, bytes]  # a POSIX path, and the content

#: The first and the last time that a zip file can hold, in seconds since 1970. (It has 7 bits for the years from 1980.)
FIRST_ZIP_TIME, LAST_ZIP_TIME = 315532800, 4354819198

WHEEL_TAG = "py3-none-any"
WHEEL_FILE = f"Wheel-Version: 1.0\nGenerator: purebleu-build-backend\nRoot-Is-Purelib: true\nTag: {WHEEL_TAG}\n"


class BuildError(ValueError):
    """An error of a build. The message names the file and says what is wrong."""


def read_version(source: str, name: str = "__version__") -> str:
    """Return the literal that is assigned to `name` in a source. The source is parsed, but not executed."""
    with contextlib.suppress(KeyError, ValueError):
        version = literal(source, name)
        if isinstance(version, str):
            return version
    raise BuildError(f"version.py: there is no {name} that is a string")


def literal(source: str, name: str) -> Any:
    """Return the literal that is assigned to `name` at the top level of a module's source."""
    for statement in _statements(source):
        targets = statement.targets if isinstance(statement, ast.Assign) else (
            [statement.target] if isinstance(statement, ast.AnnAssign) else [])
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return ast.literal_eval(statement.value)  # type: ignore[attr-defined]  # one of the two
    raise KeyError(name)


@functools.lru_cache(maxsize=100)  # (To make a copy, `vendor.py` asks for many literals of a few sources.)
def _statements(source: str) -> list[ast.stmt]:
    """Return the statements of a module's source."""
    return ast.parse(source).body


def folder_members(root: Path, folder: str) -> list[Member]:
    """Return the files below `root/folder`, sorted by path, without compiled, hidden and backup files."""
    members = []
    for path in (root / folder).rglob("*"):
        relative = path.relative_to(root)
        # The name of `folder` is not checked, because it may begin with a dot (`.ci`).
        if path.is_file() and not any(map(_is_litter, relative.parts[1:])):
            members.append((relative.as_posix(), path.read_bytes()))
    # The paths are sorted as strings, because Windows compares Path objects differently.
    return sorted(members)


def _is_litter(name: str) -> bool:
    return name == "__pycache__" or name.startswith(".") or name.endswith((".pyc", ".pyo", "~"))


def record(members: Iterable[Member], path: str) -> Member:
    """Return the RECORD of a wheel with these `members`. The RECORD has the path `path` in the wheel."""
    rows = []
    for name, content in members:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        field = '"{}"'.format(name.replace('"', '""')) if re.search('[",\r\n]', name) else name
        rows.append(f"{field},sha256={digest},{len(content)}\n")
    return path, "".join([*rows, f"{path},,\n"]).encode()


def archive_time() -> int:
    """Return the time stamp of all members, in seconds since 1970: `SOURCE_DATE_EPOCH`, or else the start of 1980."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if text and not re.fullmatch("[0-9]{1,18}", text):
        raise BuildError(f"SOURCE_DATE_EPOCH must be a whole number of seconds, not {text!r}")
    return int(text or FIRST_ZIP_TIME)


def write_zip(file: IO[bytes], members: Iterable[Member]) -> None:
    """Write `members` in their order as a zip archive, from the current position of `file`."""
    moment = time.gmtime(min(max(archive_time(), FIRST_ZIP_TIME), LAST_ZIP_TIME))[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, even on Windows: so the mode is read, and the bytes are the same
            info.external_attr = 0o100644 << 16
            archive.writestr(info, content)


def write_whole(path: Path, content: bytes, is_program: bool = False) -> None:
    """Write a file. If this fails, the file is unchanged. If `is_program`, everybody who may read it may also run it.

    If the path is a link, its target is written. Raise `BuildError` if the target is not a file, such as a device.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise BuildError(f"{path} is no file")
    temporary = path.with_name(f".purebleu-{os.urandom(8).hex()}")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        mode = (path if path.exists() else temporary).stat().st_mode
        temporary.chmod(mode | (mode & 0o444) >> 2 if is_program else mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
