"""Sections of plain files, which other processes can read: they get an offset and a size."""

from __future__ import annotations

import os
import sys
from io import BytesIO, TextIOWrapper

from ..blocks import MIN_PIECE_SEGMENTS, slices
from ..errors import PurebleuError
from ..hints import Any, Iterable, Iterator, Sequence
from .lines import LineStream
from .opening import is_plain_text


def is_plain_file(path: str) -> bool:
    """Whether any process can read the file from any offset, and it is not compressed."""
    # In these folders, the same name may be a different file in each process.
    is_own = os.path.abspath(path).startswith(("/dev/", "/proc/"))
    return os.path.isfile(path) and not is_own and is_plain_text(path)


class FileSection(LineStream):
    """A section of a plain file in UTF-8. It is read when `lines` is called, perhaps in another process.

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
        """Return the next section, with these lines. `lines_before` is the number of lines before it in the file."""
        return FileSection(self.name, self._start + self._size, sum(map(len, lines)), lines_before)


def divided(block: Sequence[Sequence[Any]], workers: int) -> list[list[Sequence[Any]]]:
    """Divide parallel columns into one piece for each worker, of about equal length; short ones into fewer."""
    size = max(MIN_PIECE_SEGMENTS, -(-len(block[0]) // workers))
    pieces: list[list[Sequence[Any]]] = []
    for indices in slices(len(block[0]), size):
        pieces.append([column[indices] for column in block])
    return pieces


def divided_blocks(blocks: Iterable[tuple[Any, Any]], workers: int) -> Iterator[tuple[Any, Any]]:
    """Divide blocks, each of some columns of outputs and some of references, as `divided` does."""
    for systems, references in blocks:
        for piece in divided([*systems, *references], workers):
            yield piece[:len(systems)], piece[len(systems):]
