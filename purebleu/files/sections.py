"""Sections of plain files: each is read by another process, which gets its offset and its size."""

from __future__ import annotations

import os
import sys
from io import BytesIO, TextIOWrapper

from ..blocks import MIN_PIECE_SEGMENTS, slices
from ..errors import PurebleuError
from .lines import LineStream
from .opening import is_plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Sequence, TypeVar

    Piece = TypeVar("Piece")


def is_plain_file(path: str) -> bool:
    """Whether the file can be read from any offset on, by other processes, too, and is not compressed."""
    # The files in these folders may be different ones for each process.
    is_own = os.path.abspath(path).startswith(("/dev/", "/proc/"))
    return os.path.isfile(path) and not is_own and is_plain_text(path)


class FileSection(LineStream):
    """A section of a plain file in UTF-8. Nothing is read before `lines` is called, perhaps in another process.

    Args:
        path: that of the file.
        start: the offset of the section.
        size: its number of bytes.
        lines_before: the number of lines before it in the file.
    """

    def __init__(self, path: str, start: int = 0, size: int = 0, lines_before: int = 0) -> None:
        super().__init__(path)
        self.count = lines_before
        self._start = start
        self._size = size

    def _open(self) -> IO[Any]:
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
        """Return the section of `lines`, which are right behind this one, `lines_before` lines into the file."""
        return FileSection(self.name, self._start + self._size, sum(map(len, lines)), lines_before)


def divided(block: Sequence[Sequence[Piece]], workers: int) -> list[list[Sequence[Piece]]]:
    """Divide parallel columns into one piece for each worker, of about equal length; into fewer if they are short."""
    size = max(MIN_PIECE_SEGMENTS, -(-len(block[0]) // workers))
    return [[column[indices] for column in block] for indices in slices(len(block[0]), size)]
