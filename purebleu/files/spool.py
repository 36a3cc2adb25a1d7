"""Keeping the items of an iterator, to read them again: many items are kept in a temporary file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Iterable, Iterator

#: The number of items that are kept in memory.
HELD_IN_MEMORY = 16


class Spool:
    """The items of an iterable, which can be iterated over any number of times. All are read when this is made.

    The first items are kept in memory. The others are, too, if no temporary file can be made, or the disk is full.

    Example:
        >>> spool = Spool(iter([["a", "b"], ["c"]]))
        >>> list(spool), list(spool)
        ([['a', 'b'], ['c']], [['a', 'b'], ['c']])
    """

    def __init__(self, items: Iterable[Any]) -> None:
        from itertools import islice

        iterator = iter(items)
        self._first = list(islice(iterator, HELD_IN_MEMORY))
        self._file: IO[bytes] | None = None
        self._sizes: list[int] = []  # the size of each item in the file
        self._last: list[Any] = []
        for item in iterator:
            if self._last or not self._write(item):
                self._last.append(item)

    def _write(self, item: Any) -> bool:
        """Add an item to the file; return whether that was possible."""
        try:
            import pickle
            from tempfile import TemporaryFile

            content = pickle.dumps(item)
            if self._file is None:
                # (With a buffer, a failed write would be tried again when the file is closed.)
                self._file = TemporaryFile(buffering=0)  # noqa: SIM115  # it is closed with this object
            written = 0
            while written < len(content):
                written += self._file.write(content[written:])
        except (OSError, ImportError):  # (a minimal Python may lack these modules)
            return False
        self._sizes.append(len(content))
        return True

    def __len__(self) -> int:
        return len(self._first) + len(self._sizes) + len(self._last)

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self._file.close()  # type: ignore[union-attr]

    def __iter__(self) -> Iterator[Any]:
        yield from self._first
        if self._file is not None:
            import pickle

            position = 0
            for size in self._sizes:
                self._file.seek(position)
                position += size
                yield pickle.loads(self._file.read(size))
        yield from self._last
