"""The folder that keeps test sets and models, laid out as sacreBLEU's; and its files, which are whole or
absent."""

from __future__ import annotations

import os
from contextlib import suppress

from .errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Callable, Iterable

#: Variables that name the folder, and the folder itself where none does.
VARIABLES = ("PUREBLEU_CACHE", "SACREBLEU")
_DEFAULT = os.path.join("~", ".sacrebleu")


def cache_folder() -> str:
    """The folder: what `PUREBLEU_CACHE`, or else `SACREBLEU`, names; by default, `.sacrebleu` in the home folder."""
    for variable in VARIABLES:
        if variable in os.environ:
            if not os.environ[variable]:
                raise PurebleuError(f"{variable} is empty, but it should name the folder for test sets")
            return os.path.abspath(os.environ[variable])
    folder = os.path.expanduser(_DEFAULT)
    if not os.path.isabs(folder):
        raise PurebleuError(f"there is no home folder to keep test sets in: set {VARIABLES[0]} to a folder")
    return folder


def read_whole(path: str) -> bytes:
    """The content of a file; raises `PurebleuError` with its name where it can't be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise PurebleuError(f"{path}: {error.strerror or error}") from error


def write_whole(path: str, write: Callable[[IO[bytes]], object]) -> None:
    """Make the file at `path` of what `write` writes: afterwards it is there as a whole, or else as it was before."""
    import tempfile

    folder = os.path.dirname(path)
    temporary = ""
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".purebleu-", delete=False) as file:
            temporary = file.name
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        _remove(temporary)
        raise PurebleuError(f"{error.filename or path}: {error.strerror or error}") from error
    except BaseException:
        _remove(temporary)
        raise


def write_lines(path: str, lines: Iterable[str]) -> None:
    """`write_whole` for lines of text, in UTF-8."""
    write_whole(path, lambda file: file.writelines([f"{line}\n".encode() for line in lines]))


def _remove(path: str) -> None:
    with suppress(OSError):  # it was never there, or can't be removed; then it is of no use, but does no harm
        os.remove(path)
