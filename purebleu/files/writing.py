"""Files that are written as a whole, or else stay as they were: a temporary file beside them gets their name."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial

from ..errors import PurebleuError
from ..runtime.progress import observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BytesIO
    from typing import IO, Callable, ContextManager, Iterator

    #: Writes the content of a file.
    Write = Callable[[IO[bytes]], object]

#: The prefix of temporary files; and the age in seconds from which on such a file is taken for abandoned where nothing
#: else tells whether a process still has it.
_TEMPORARY = ".purebleu-"
_DAY = 24 * 60 * 60

#: The number of attempts to give a file its name, and the seconds between them.
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
    """The content of a file; raises `PurebleuError` with its name where it can't be read."""
    try:
        check_no_device(path)
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise PurebleuError(f"{path}: {error.strerror or error}") from error


def write_whole(path: str, write: Write, called: str | None = None) -> None:
    """Write a file: afterwards it is there as a whole, or else as it was before.

    It keeps the permissions of the file that it replaces, and the owner and the group, where that is permitted.

    Args:
        path: that of the file, in a folder that is there.
        write: writes the content to a file that it gets.
        called: the name of the file in errors; `None`: the path.

    Raises:
        PurebleuError: the file can't be written; and whatever `write` raises.
    """
    with _staged(path, write, called or path) as place:
        place()


@contextmanager
def _staged(path: str, write: Write, called: str) -> Iterator[Callable[[], None]]:
    """Context manager: a function that gives a file, which is written as a whole by now, its name."""
    temporary = os.path.join(os.path.dirname(path), _TEMPORARY + os.urandom(8).hex())
    with (observer().guard or nullcontext)(temporary), ExitStack() as stack:
        stack.callback(_remove, temporary)
        with _named_errors(called):
            file = stack.enter_context(_created(temporary, path))
            write(file)
            file.flush()
            os.fsync(file.fileno())
            if os.name == "nt":
                file.close()  # (Windows renames no open file.)
        yield partial(_place, temporary, path, called)


def _place(temporary: str, path: str, called: str) -> None:
    with _named_errors(called):
        if os.name == "nt":
            _replace_with_patience(temporary, path)
        else:
            os.replace(temporary, path)


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


@contextmanager
def written_together() -> Iterator[None]:
    """Context manager: the files of `write_named` are put in place at the end of its block, and none if it fails."""
    global _waiting
    before = _waiting
    with ExitStack() as stack:
        places: list[Callable[[], None]] = []
        _waiting = stack, places
        try:
            yield
        finally:
            _waiting = before
        for place in places:
            place()


@contextmanager
def _created(temporary: str, path: str) -> Iterator[IO[bytes]]:
    """A new file that is to replace the one at `path`; only those who may read that one may read it.

    It is locked, as long as it is open, so that `sweep` leaves it alone.
    """
    try:
        before = os.stat(path)
    except OSError:
        before = None
    # (The `tempfile` module would make files that nobody else can read, whatever the umask says.)
    with open(_locked(temporary, 0o666 if before is None else 0o600), "w+b") as file:
        if before is not None:
            _take_over(file.fileno(), before)
        yield file


def _locked(path: str, mode: int) -> int:
    """The descriptor of a new file, which is locked where files can be."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, mode)
        _lock(descriptor)
        if os.path.exists(path):
            return descriptor
        os.close(descriptor)  # somebody has swept it away, before it was locked


def _lock(descriptor: int, wait: bool = True) -> bool | None:
    """Lock an open file: whether nobody else has it locked; `None`, where that can't be told."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # the file system does not have it
        return None
    return True


def _take_over(descriptor: int, before: os.stat_result) -> None:
    """Give an open file the owner, the group and the permissions of another one, as far as that is permitted."""
    if hasattr(os, "fchown"):
        for owner, group in ((before.st_uid, -1), (-1, before.st_gid)):
            with suppress(OSError):
                os.fchown(descriptor, owner, group)
        os.fchmod(descriptor, before.st_mode & 0o777)


def _replace_with_patience(temporary: str, path: str) -> None:
    """Give a file its name on Windows, where another process may have the replaced file open."""
    import time

    for _ in range(_ATTEMPTS):
        try:
            return os.replace(temporary, path)
        except PermissionError:
            time.sleep(_PAUSE)
    os.replace(temporary, path)


def write_named(path: str, write: Write) -> None:
    """`write_whole` for a path that a user gives; in `written_together`, it gets there at the end.

    A symbolic link still leads to the file afterwards; other hard links to it keep the content from before. A path that
    is no plain file, such as a device or a FIFO, is never replaced: the output of `write` goes through it, once all of
    it is there. So it does where standard output or standard error goes to the file.

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
    """`write_whole` for a file in a folder of this program's own, which is made where it is missing.

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
        write_whole(path, write)
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
    """Remove the temporary files that killed processes, whosever they were, left in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_TEMPORARY) and entry.is_file(follow_symlinks=False):
                _remove_abandoned(entry)


def _remove_abandoned(entry: os.DirEntry[str]) -> None:
    """Remove a temporary file that no process has any more."""
    import time

    with suppress(OSError):
        descriptor = os.open(entry.path, os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0))
        try:
            is_free = _lock(descriptor, wait=False)
            # As long as it is locked: a process that has just made it, and waits for the lock, sees it gone, and makes
            # it anew. That one is another file, even where the one that is locked was removed by somebody else.
            if is_free and os.path.samestat(os.fstat(descriptor), os.stat(entry.path)):
                _remove(entry.path)
        finally:
            os.close(descriptor)
        if is_free is not None:
            return
    if entry.stat().st_mtime < time.time() - _DAY:
        _remove(entry.path)


def _remove(path: str) -> None:
    with suppress(OSError):  # it was never there, or can't be removed; then it is of no use, but does no harm
        os.remove(path)
