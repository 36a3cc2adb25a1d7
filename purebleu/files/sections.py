"""Plain files that several processes read: in pieces of their own, known by their offsets."""

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
    """Lines of a plain file in UTF-8 that are known by their offset, their size in bytes, and the lines before them.

    Nothing is read before `lines`, so that another process can do that.
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
        """The lines, as `LineStream` has them."""
        return self.read(sys.maxsize)

    def following(self, lines: Sequence[bytes], lines_before: int) -> FileSection:
        """The section right behind this one, which has these lines, `lines_before` lines into it."""
        return FileSection(self.name, self._start + self._size, sum(map(len, lines)), lines_before)


def divided(block: Sequence[Sequence[Piece]], workers: int) -> list[list[Sequence[Piece]]]:
    """Parallel columns in a piece of about the same length for each worker, or fewer, none of them too small."""
    size = max(MIN_PIECE_SEGMENTS, -(-len(block[0]) // workers))
    return [[column[indices] for column in block] for indices in slices(len(block[0]), size)]
