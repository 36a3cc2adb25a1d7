"""Writing a file as a whole, or leaving it as it was: a temporary file beside it replaces it at the end."""

from __future__ import annotations

import os
import stat
import time
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial

from ..errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BytesIO
    from typing import IO, Any, Callable, ContextManager, Iterator

    #: Writes the content of a file.
    Write = Callable[[IO[bytes]], object]

#: The prefix of temporary files, and the age in seconds from which on such a file counts as abandoned.
_TEMPORARY = ".purebleu-"
_DAY = 24 * 60 * 60

#: The number of attempts to replace a file on Windows, and the seconds between them.
_ATTEMPTS = 50
_PAUSE = 0.1

#: Below these are a process's open files, whatever they are.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")

_BINARY = getattr(os, "O_BINARY", 0)


def check_no_device(path: str) -> None:
    """Raise `PurebleuError` for a device, such as /dev/zero, which never ends."""
    with suppress(OSError):  # (whoever opens it says what is wrong, on Windows in the same words as elsewhere)
        mode = os.stat(path).st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise PurebleuError(f"{path} is a device, not a file")


def read_whole(path: str) -> bytes:
    """Return the content of a file; raises `PurebleuError` with its name if it can't be read."""
    try:
        check_no_device(path)
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise PurebleuError(f"{path}: {error.strerror or error}") from error


@contextmanager
def _staged(path: str, write: Write, called: str) -> Iterator[Callable[[], None]]:
    """Context manager: writes a temporary file; the value is a function that replaces the file at `path` by it.

    It keeps the permissions of the file that it replaces.

    Args:
        path: that of the file, in a folder that is there.
        write: writes the content to a file that it gets.
        called: the name of the file in errors.

    Raises:
        PurebleuError: the file can't be written; and whatever `write` raises.
    """
    temporary = os.path.join(os.path.dirname(path), _TEMPORARY + os.urandom(8).hex())
    mode = None
    with suppress(OSError):
        mode = os.stat(path).st_mode & 0o777
    with _guard(), ExitStack() as stack:
        stack.callback(_remove, temporary)
        with _named_errors(called):
            # (The `tempfile` module would make files that nobody else can read, whatever the umask says.)
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY
            with open(os.open(temporary, flags, 0o666 if mode is None else 0o600), "w+b") as file:
                if mode is not None and hasattr(os, "fchmod"):
                    os.fchmod(file.fileno(), mode)
                write(file)
                file.flush()
                os.fsync(file.fileno())
        yield partial(_place, temporary, path, called)


def _place(temporary: str, path: str, called: str) -> None:
    """Give a temporary file its name."""
    with _named_errors(called):
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return os.replace(temporary, path)
            except PermissionError:
                if os.name != "nt" or attempt == _ATTEMPTS:
                    raise
                time.sleep(_PAUSE)  # another process may have the file open


@contextmanager
def _named_errors(called: str) -> Iterator[None]:
    """Context manager: errors of the system become `PurebleuError`s that name a file; a broken pipe stays one."""
    try:
        yield
    except BrokenPipeError:
        raise  # nobody reads it, as may happen to any output
    except OSError as error:
        raise PurebleuError(f"{called}: {error.strerror or error}") from error


#: The files that wait for the end of `written_together`: what keeps them, and what gives them their names.
_waiting: tuple[ExitStack, list[Callable[[], None]]] | None = None

#: Makes a context that is entered as long as there is a temporary file.
_guard: Callable[[], ContextManager[Any]] = nullcontext


@contextmanager
def written_together(guard: Callable[[], ContextManager[Any]] = nullcontext) -> Iterator[None]:
    """Context manager: the files of `write_named` are put in place at the end of its block, and none if it fails.

    Args:
        guard: makes a context that is entered as long as there is a temporary file: signals raise exceptions in it.
    """
    global _guard, _waiting
    before = _guard, _waiting
    with ExitStack() as stack:
        places: list[Callable[[], None]] = []
        _guard, _waiting = guard, (stack, places)
        try:
            yield
        finally:
            _guard, _waiting = before
        for place in places:
            place()


def write_named(path: str, write: Write) -> None:
    """Write a file as a whole, or leave it as it was; in `written_together`, it is replaced at the end.

    A symbolic link still leads to the file afterwards; other hard links to it keep the content from before. A path that
    is no plain file, such as a device or a FIFO, is never replaced: the output of `write` goes through it, once all of
    it is there. The same is true if standard output or standard error goes to the file.

    Raises:
        PurebleuError: the file can't be written; its folder is not there, for one.
    """
    with _named_errors(path):
        is_replaceable = _is_replaceable(path)
    if is_replaceable:
        target = os.path.realpath(path)
        sweep(os.path.dirname(target))
        staged: ContextManager[Callable[[], None]] = _staged(target, write, path)
    else:
        from io import BytesIO

        content = BytesIO()
        write(content)
        staged = nullcontext(partial(_write_through, path, content))
    if _waiting is None:
        with staged as place:
            place()
    else:
        stack, places = _waiting
        places.append(stack.enter_context(staged))


def _write_through(path: str, content: BytesIO) -> None:
    with _named_errors(path), open(path, "wb", opener=_open_as_it_is) as file:
        file.write(content.getbuffer())


def store(path: str, write: Write) -> None:
    """Write a file as a whole into a folder of this program's own, which is made if it is missing.

    Raises:
        PurebleuError: the file can't be written; and whatever `write` raises.
    """
    folder = os.path.dirname(path)
    missing = _missing_folders(folder)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise PurebleuError(f"{error.filename or folder}: {error.strerror or error}") from error
    sweep(folder)
    try:
        with _staged(path, write, path) as place:
            place()
    except BaseException:
        with suppress(OSError):  # (another process may have put something there)
            for made in missing:
                os.rmdir(made)
        raise


def _missing_folders(folder: str) -> list[str]:
    """A folder and those above it, as far as they do not exist, the innermost first."""
    missing: list[str] = []
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def can_write_into(folder: str) -> bool:
    """Whether files can be put into a folder, which is tried: no system tells that for certain beforehand."""
    temporary = os.path.join(folder, _TEMPORARY + os.urandom(8).hex())
    try:
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    _remove(temporary)
    return True


def _is_replaceable(path: str) -> bool:
    """Whether there is a plain file that no standard stream goes to, or nothing at all."""
    if os.path.abspath(path).startswith(_OPEN_FILES) or path == os.devnull:
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and _standard_stream(path) is None
    except FileNotFoundError:
        return True


def _standard_stream(path: str) -> int | None:
    """The descriptor of standard output or standard error, if it goes to the file at `path`."""
    there = os.stat(path)
    for descriptor in (1, 2):
        with suppress(OSError):  # it is closed
            if os.path.samestat(os.fstat(descriptor), there):
                return descriptor
    return None


def _open_as_it_is(path: str, _: int) -> int:
    # (With a descriptor of its own, a file that a standard stream goes to would be written over by what is printed.)
    descriptor = _standard_stream(path)
    if descriptor is not None:
        return os.dup(descriptor)
    return os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY)


def sweep(folder: str) -> None:
    """Remove the temporary files that killed processes left in a folder more than a day ago."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            is_temporary = entry.name.startswith(_TEMPORARY) and entry.is_file(follow_symlinks=False)
            if is_temporary and entry.stat().st_mtime < time.time() - _DAY:
                _remove(entry.path)


def _remove(path: str) -> None:
    with suppress(OSError):  # it was never there, or can't be removed; then it is of no use, but does no harm
        os.remove(path)
