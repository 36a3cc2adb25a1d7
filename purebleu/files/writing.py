"""Writing files: either all of a file is written, or it stays as it was. A temporary file replaces it at the end."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial

from ..errors import PurebleuError
from ..hints import Any, BinaryFile, Callable, Iterator
from .opening import check_end

#: The prefix of temporary files. Such a file is abandoned if it is older than `_DAY`, in seconds.
_TEMPORARY = ".purebleu-"
_DAY = 24 * 60 * 60

#: The number of attempts to replace a file on Windows, and the seconds between them.
_ATTEMPTS = 50
_PAUSE = 0.1

#: Paths that begin like this are those of files that this process has open.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")

_BINARY = getattr(os, "O_BINARY", 0)


def read_whole(path: str) -> bytes:
    """Return the content of a file; raises `PurebleuError` with its name if it can't be read."""
    with named_errors(path):
        check_end(path)
        with open(path, "rb") as file:
            return file.read()


@contextmanager
def _staged(path: str, write: Callable[[BinaryFile], object], called: str) -> Iterator[Callable[[], None]]:
    """Context manager: writes a temporary file, and provides a function that replaces the file at `path` by it.

    The permissions of the file stay the same.

    Args:
        path: the path of the file, in a folder that exists.
        write: a function that writes the content to a file.
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
        with named_errors(called):
            # (The module `tempfile` would ignore the umask, and make a file that only this user can read.)
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY
            with open(os.open(temporary, flags, 0o666 if mode is None else 0o600), "w+b") as file:
                if mode is not None and hasattr(os, "fchmod"):
                    os.fchmod(file.fileno(), mode)
                write(file)
                file.flush()
                os.fsync(file.fileno())
        yield partial(_place, temporary, path, called)


def _place(temporary: str, path: str, called: str) -> None:
    """Give a temporary file its final name."""
    with named_errors(called):
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return os.replace(temporary, path)
            except PermissionError:
                if os.name != "nt" or attempt == _ATTEMPTS:
                    raise
                time.sleep(_PAUSE)  # another process may have the file open


@contextmanager
def named_errors(called: str) -> Iterator[None]:
    """Context manager: an `OSError` becomes a `PurebleuError` with the name of a file; but not a broken pipe."""
    try:
        yield
    except BrokenPipeError:
        raise  # (the reader of an output may end at any time)
    except OSError as error:
        raise PurebleuError(f"{called}: {error.strerror or error}") from error


#: In `written_together`: the contexts of temporary files, and the functions that give them their final names.
_waiting: tuple[ExitStack, list[Callable[[], None]]] | None = None

#: The `guard` of `written_together`.
_guard: Callable[[], Any] = nullcontext


@contextmanager
def written_together(guard: Callable[[], Any] = nullcontext) -> Iterator[None]:
    """Context manager: files of `write_named` get their names at the end of its block. If the block fails, none does.

    Args:
        guard: makes a context for the time in which a temporary file exists. Signals raise exceptions in it.
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


def write_named(path: str, write: Callable[[BinaryFile], object]) -> None:
    """Write a file as a whole, or leave it as it was; in `written_together`, it is replaced at the end.

    If the path is a symbolic link, the file that it leads to is replaced. Other hard links to the file keep the old
    content. A path that is no plain file, such as a device or a FIFO, is never replaced: the content is written into it
    when all of it has been computed. The same is done if standard output or standard error goes to the file.

    Raises:
        PurebleuError: the file can't be written; for example, its folder does not exist.
    """
    with named_errors(path):
        is_replaceable = _is_replaceable(path)
    if is_replaceable:
        target = os.path.realpath(path)
        sweep(os.path.dirname(target))
        staged: Any = _staged(target, write, path)
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


def writer_of(content: bytes) -> Callable[[BinaryFile], object]:
    """Return a function that writes this content, for `write_named` and `store`."""
    return lambda file: file.write(content)


def write_content(path: str, content: bytes) -> None:
    """Write this to a file, as `write_named` does."""
    write_named(path, writer_of(content))


def _write_through(path: str, content: Any) -> None:
    with named_errors(path), open(path, "wb", opener=_open_as_it_is) as file:
        file.write(content.getbuffer())


def store(path: str, write: Callable[[BinaryFile], object]) -> None:
    """Write a file as a whole into a folder of purebleu. If the folder is missing, it is made.

    Raises:
        PurebleuError: the file can't be written; and whatever `write` raises.
    """
    folder = os.path.dirname(path)
    missing = _missing_folders(folder)
    with named_errors(folder):
        os.makedirs(folder, exist_ok=True)
    sweep(folder)
    try:
        with _staged(path, write, path) as place:
            place()
    except BaseException:
        with suppress(OSError):  # (another process may have written a file there)
            for made in missing:
                os.rmdir(made)
        raise


def _missing_folders(folder: str) -> list[str]:
    """Return the folders that do not exist: the given one and those above it, innermost first."""
    missing: list[str] = []
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def can_write_into(folder: str) -> bool:
    """Whether a file can be written into a folder. This writes one, because no system can say for certain."""
    temporary = os.path.join(folder, _TEMPORARY + os.urandom(8).hex())
    try:
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    _remove(temporary)
    return True


def check_writable(path: str) -> None:
    """Raise `PurebleuError` if a file can't be written, without changing anything. Devices and pipes are not tried."""
    if os.path.isdir(path):
        raise PurebleuError(f"{path}: is a folder")
    if os.path.exists(path) and not os.path.isfile(path):
        return
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise PurebleuError(f"{path}: {os.strerror(errno.ENOENT)}")
    if not can_write_into(folder):
        raise PurebleuError(f"{path}: the folder {folder} can't be written to")


def _is_replaceable(path: str) -> bool:
    """Whether a path has no file, or a plain file that no standard stream goes to."""
    if os.path.abspath(path).startswith(_OPEN_FILES) or path == os.devnull:
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and standard_stream(path) is None
    except FileNotFoundError:
        return True


def standard_stream(path: str) -> int | None:
    """Return the descriptor of standard output or standard error, if one of them goes to the file at `path`."""
    there = os.stat(path)
    for descriptor in (1, 2):
        with suppress(OSError):  # it is closed
            if os.path.samestat(os.fstat(descriptor), there):
                return descriptor
    return None


def _open_as_it_is(path: str, _: int) -> int:
    # (A copy of the standard stream's descriptor shares its position in the file. With another descriptor, printed text
    # would overwrite the content.)
    descriptor = standard_stream(path)
    if descriptor is not None:
        return os.dup(descriptor)
    return os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY)


def sweep(folder: str) -> None:
    """Remove temporary files that are older than a day: killed processes have left them in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            is_temporary = entry.name.startswith(_TEMPORARY) and entry.is_file(follow_symlinks=False)
            if is_temporary and entry.stat().st_mtime < time.time() - _DAY:
                _remove(entry.path)


def _remove(path: str) -> None:
    with suppress(OSError):  # it does not exist; or it can't be removed, which does no harm
        os.remove(path)
