"""Keeping the items of an iterator, to read them again: many items are kept in a temporary file."""

from __future__ import annotations

from ..hints import Any, Iterable, Iterator

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

    _file: Any = None

    def __init__(self, items: Iterable[Any]) -> None:
        self._items: list[Any] = []  # (a range stands for the bytes of the file)
        self._size = 0
        for item in items:
            self._items.append(item if len(self._items) < HELD_IN_MEMORY else self._written(item))

    def _written(self, item: Any) -> Any:
        """Write an item to the file, and return where it is; return the item if it can't be written."""
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
