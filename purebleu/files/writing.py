"""Write files as a whole or not at all. The content goes to a temporary file, which then replaces the old file.

A `Spool` stores the items of an iterator in a temporary file.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial

from ..runtime.errors import PurebleuError
from ..runtime.hints import Any, BinaryFile, Callable, Iterable, Iterator
from .opening import check_end

#: The prefix of temporary files, and the age in seconds after which `sweep` removes them.
_TEMPORARY = ".purebleu-"
_DAY = 24 * 60 * 60

#: The number of attempts to replace a file on Windows, and the seconds between them.
_ATTEMPTS = 50
_PAUSE = 0.1

#: The beginnings of paths that stand for files which this process has open.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")

_BINARY = getattr(os, "O_BINARY", 0)


def read_whole(path: str) -> bytes:
    """Return the content of a file; raises `PurebleuError`, with the file's name, if reading fails."""
    with named_errors(path):
        check_end(path)
        with open(path, "rb") as file:
            return file.read()


@contextmanager
def _staged(path: str, write: Callable[[BinaryFile], object], called: str) -> Iterator[Callable[[], None]]:
    """Context manager: writes a temporary file, and yields a function that moves the temporary file to `path`.

    The new file has the permissions of the old file at `path`.

    Args:
        path: the path of the file, in a folder that exists.
        write: a function that writes the content to a file.
        called: the name of the file in errors.

    Raises:
        PurebleuError: the file can't be written. (`write` may raise other errors.)
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
    """Rename a temporary file to its final path."""
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
    """Context manager: turns each `OSError` except a broken pipe into a `PurebleuError` with the name of a file."""
    try:
        yield
    except BrokenPipeError:
        raise  # (A program that reads the output of this program may end at any time.)
    except OSError as error:
        raise PurebleuError(f"{called}: {error.strerror or error}") from error


#: The contexts of the temporary files in a block of `written_together`, and the functions that rename these files.
_waiting: tuple[ExitStack, list[Callable[[], None]]] | None = None

#: The argument `guard` of `written_together`.
_guard: Callable[[], Any] = nullcontext


@contextmanager
def written_together(guard: Callable[[], Any] = nullcontext) -> Iterator[None]:
    """Context manager: files of `write_named` appear at the end of the block. If the block fails, no file appears.

    Args:
        guard: a function that returns a context manager, which is entered while a temporary file exists. The context
            manager has to turn signals into exceptions, so that the temporary file is removed.
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
    """Write a file as a whole, or leave the file unchanged. In `written_together`, the file is replaced at the end.

    If the path is a symbolic link, the target of the link is replaced. Other hard links to the file keep the old
    content. The complete content is written into the existing file if the path is a device, a FIFO, or a file to which
    standard output or standard error goes.

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
    """Write `content` to a file, as `write_named` does."""
    write_named(path, writer_of(content))


def _write_through(path: str, content: Any) -> None:
    with named_errors(path), open(path, "wb", opener=_open_as_it_is) as file:
        file.write(content.getbuffer())


def store(path: str, write: Callable[[BinaryFile], object]) -> None:
    """Write a file as a whole into a folder that purebleu manages. If the folder is missing, it is created.

    Raises:
        PurebleuError: the file can't be written. (`write` may raise other errors.)
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
        with suppress(OSError):  # (Another process may have written a file into one of the folders.)
            for made in missing:
                os.rmdir(made)
        raise


def _missing_folders(folder: str) -> list[str]:
    """Return the missing folders among a folder and its parent folders, innermost first."""
    missing: list[str] = []
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def can_write_into(folder: str) -> bool:
    """Return whether a file can be written into a folder. (The function creates a file, and removes it.)"""
    temporary = os.path.join(folder, _TEMPORARY + os.urandom(8).hex())
    try:
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    _remove(temporary)
    return True


def check_writable(path: str) -> None:
    """Raise `PurebleuError` if a file can't be written. The file stays unchanged. Devices and pipes are not checked."""
    if os.path.isdir(path):
        raise PurebleuError(f"{path} is a folder, not a file")
    if os.path.exists(path) and not os.path.isfile(path):
        return
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise PurebleuError(f"{path}: {os.strerror(errno.ENOENT)}")
    if not can_write_into(folder):
        raise PurebleuError(f"{path}: the folder {folder} can't be written to")


def _is_replaceable(path: str) -> bool:
    """Return whether a path leads to no file, or to a plain file that is not the target of a standard stream."""
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
        with suppress(OSError):  # (the descriptor may be closed)
            if os.path.samestat(os.fstat(descriptor), there):
                return descriptor
    return None


def _open_as_it_is(path: str, _: int) -> int:
    """Open a file that can't be replaced, and return its descriptor."""
    # (A duplicate of the standard stream's descriptor shares its position in the file. If the positions were separate,
    # printed text would overwrite the content.)
    descriptor = standard_stream(path)
    if descriptor is not None:
        return os.dup(descriptor)
    return os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY)


def sweep(folder: str) -> None:
    """Remove temporary files that killed processes have left in a folder, if the files are older than a day."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            is_temporary = entry.name.startswith(_TEMPORARY) and entry.is_file(follow_symlinks=False)
            if is_temporary and entry.stat().st_mtime < time.time() - _DAY:
                _remove(entry.path)


def _remove(path: str) -> None:
    with suppress(OSError):  # (The file may not exist. A file that can't be removed does no harm.)
        os.remove(path)


# Items that are read several times

#: The number of items that a `Spool` keeps in memory.
HELD_IN_MEMORY = 16


class Spool:
    """Stores the items of an iterable, which can then be iterated over any number of times.

    The constructor reads all items. The first `HELD_IN_MEMORY` items stay in memory. Further items go to a temporary
    file. If the file can't be created, or the disk is full, further items stay in memory, too.

    Example:
        >>> spool = Spool(iter([["a", "b"], ["c"]]))
        >>> list(spool), list(spool)
        ([['a', 'b'], ['c']], [['a', 'b'], ['c']])
    """

    _file: Any = None

    def __init__(self, items: Iterable[Any]) -> None:
        self._items: list[Any] = []  # (an item in the file is replaced by the range of its offsets)
        self._size = 0
        for item in items:
            self._items.append(item if len(self._items) < HELD_IN_MEMORY else self._written(item))

    def _written(self, item: Any) -> Any:
        """Write an item to the file, and return the range of its offsets; return the item itself if writing fails."""
        try:
            import pickle
            from tempfile import TemporaryFile

            content = pickle.dumps(item)
            if self._file is None:
                # (With a buffer, a failed write would be tried again when the file is closed.)
                self._file = TemporaryFile(buffering=0)  # noqa: SIM115  # `__del__` closes it
            self._file.seek(self._size)
            written = 0
            while written < len(content):
                written += self._file.write(content[written:])
        except (OSError, ImportError):  # (a minimal Python may lack these modules)
            return item
        self._size += written
        return range(self._size - written, self._size)

    def __len__(self) -> int:
        return len(self._items)

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def __iter__(self) -> Iterator[Any]:
        for item in self._items:
            if isinstance(item, range):
                import pickle

                self._file.seek(item.start)
                yield pickle.loads(self._file.read(len(item)))
            else:
                yield item
