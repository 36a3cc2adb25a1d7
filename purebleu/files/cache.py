"""The folder that keeps test sets and models, laid out as sacreBLEU's; and its files, which are whole or
absent."""

from __future__ import annotations

import os
import stat
from contextlib import nullcontext, suppress

from ..errors import PurebleuError
from ..runtime.progress import observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Callable

    #: Writes the content of a file.
    Write = Callable[[IO[bytes]], object]

#: Variables that name the folder, and the folder itself where none does.
VARIABLES = ("PUREBLEU_CACHE", "SACREBLEU")
_DEFAULT = os.path.join("~", ".sacrebleu")

#: The prefix of temporary files, and the age in seconds from which on such a file is taken for abandoned.
_TEMPORARY = ".purebleu-"
_DAY = 24 * 60 * 60

#: How often a file is given its name, in vain, and the seconds in between.
_ATTEMPTS = 50
_PAUSE = 0.1

#: Below these are a process's open files, whatever they are.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")


def cache_folder() -> str:
    """The folder: what `PUREBLEU_CACHE`, or else `SACREBLEU`, names; by default, `.sacrebleu` in the home folder.

    Raises:
        PurebleuError: the variable is empty, or there is no home folder.
    """
    for variable in VARIABLES:
        if variable in os.environ:
            if not os.environ[variable]:
                raise PurebleuError(f"{variable} is empty, but it should name the folder for test sets")
            return os.path.abspath(os.environ[variable])
    folder = os.path.expanduser(_DEFAULT)
    # (An empty variable would make the folder of the root of the file system.)
    if not os.path.isabs(folder) or "" in (os.environ.get("HOME"), os.environ.get("USERPROFILE")):
        raise PurebleuError(f"there is no home folder to keep test sets in: set {VARIABLES[0]} to a folder")
    return folder


def cache_is_writable() -> bool:
    """Whether files can be put into the folder, or it can be made; nothing is changed."""
    try:
        folder = cache_folder()
    except PurebleuError:
        return False
    while not os.path.exists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


def read_whole(path: str) -> bytes:
    """The content of a file; raises `PurebleuError` with its name where it can't be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise PurebleuError(f"{path}: {error.strerror or error}") from error


def write_whole(path: str, write: Write) -> None:
    """Write a file: afterwards it is there as a whole, or else as it was before.

    Args:
        path: that of the file, whose folder is made where it is missing.
        write: writes the content to a file that it gets.

    Raises:
        PurebleuError: the file can't be written; and whatever `write` raises.
    """
    folder = os.path.dirname(path)
    temporary = os.path.join(folder, _TEMPORARY + os.urandom(8).hex())
    with (observer().guard or nullcontext)(temporary):
        try:
            os.makedirs(folder, exist_ok=True)
            # (The `tempfile` module would make files that nobody else can read, whatever the umask says.)
            with open(temporary, "x+b") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            _replace(temporary, path)
        except OSError as error:
            _remove(temporary)
            raise PurebleuError(f"{error.filename or path}: {error.strerror or error}") from error
        except BaseException:
            _remove(temporary)
            raise


def _replace(temporary: str, path: str) -> None:
    """Give a file its name; on Windows, that takes patience while another process has open what it replaces."""
    import time

    for _ in range(_ATTEMPTS if os.name == "nt" else 0):
        try:
            return os.replace(temporary, path)
        except PermissionError:
            time.sleep(_PAUSE)
    os.replace(temporary, path)


def write_named(path: str, write: Write) -> None:
    """`write_whole` for a path that a user gives.

    A link still leads to the file afterwards. What is no plain file, such as a device or a FIFO, is never replaced:
    what `write` writes goes through it, once all of it is there.
    """
    try:
        if _is_replaceable(path):
            write_whole(os.path.realpath(path), write)
        else:
            from io import BytesIO

            content = BytesIO()
            write(content)
            with open(path, "wb", opener=_open_as_it_is) as file:
                file.write(content.getbuffer())
    except BrokenPipeError:
        raise  # nobody reads it, as may happen to any output
    except OSError as error:
        raise PurebleuError(f"{path}: {error.strerror or error}") from error


def _is_replaceable(path: str) -> bool:
    """Whether there is a plain file, or nothing at all."""
    if os.path.abspath(path).startswith(_OPEN_FILES):
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


def _open_as_it_is(path: str, _: int) -> int:
    # (Of a plain file that standard output goes to, what is there stays there, as a shell's `>>` demands.)
    return os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))


def sweep(folder: str) -> None:
    """Remove the temporary files from a folder that processes left there, whosever they were, a day ago or earlier."""
    import time

    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_TEMPORARY) and entry.is_file(follow_symlinks=False) \
                    and entry.stat().st_mtime < time.time() - _DAY:
                _remove(entry.path)


def _remove(path: str) -> None:
    with suppress(OSError):  # it was never there, or can't be removed; then it is of no use, but does no harm
        os.remove(path)
