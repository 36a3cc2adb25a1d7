"""Divide the blocks of a corpus into pieces for worker processes, and store blocks that are read several times.

A piece has lines of text or sections of plain files. A worker process gets only the offset and the size of a section,
and reads the section itself. A `Spool` stores the items of an iterator in a temporary file.
"""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper

from ..blocks import MIN_PIECE_SEGMENTS, slices
from ..errors import PurebleuError
from ..hints import Any, Iterable, Iterator, Sequence
from .lines import LineStream


class FileSection(LineStream):
    """A section of a plain file in UTF-8. The method `lines` reads the section, perhaps in another process.

    Args:
        path: the path of the file.
        start: the offset of the section.
        size: the number of bytes in the section.
        lines_before: the number of lines before the section.
    """

    def __init__(self, path: str, start: int = 0, size: int = 0, lines_before: int = 0) -> None:
        super().__init__(path)
        self.count = lines_before
        self._start = start
        self._size = size

    def _open(self) -> Any:
        with open(self.name, "rb") as file:
            file.seek(self._start)
            content = file.read(self._size)
        if len(content) < self._size:
            raise PurebleuError(f"{self.name} was cut off while it was read")
        return TextIOWrapper(BytesIO(content), "utf-8", newline="\n")

    def lines(self) -> list[str]:
        """Read the lines of the section."""
        return self.read(sys.maxsize)

    def following(self, lines: Sequence[bytes], lines_before: int) -> FileSection:
        """Return the next section, which has these lines. The file has `lines_before` lines before the new section."""
        return FileSection(self.name, self._start + self._size, sum(map(len, lines)), lines_before)


def divided(block: Sequence[Sequence[Any]], workers: int) -> list[list[Sequence[Any]]]:
    """Divide parallel columns into pieces of about equal length. If columns are long, each worker gets a piece."""
    size = max(MIN_PIECE_SEGMENTS, -(-len(block[0]) // workers))
    pieces: list[list[Sequence[Any]]] = []
    for indices in slices(len(block[0]), size):
        pieces.append([column[indices] for column in block])
    return pieces


def divided_blocks(blocks: Iterable[tuple[Any, Any]], workers: int) -> Iterator[tuple[Any, Any]]:
    """Divide each block, which has columns of outputs and columns of references, into pieces, as `divided` does."""
    for systems, references in blocks:
        for piece in divided([*systems, *references], workers):
            yield piece[:len(systems)], piece[len(systems):]


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
