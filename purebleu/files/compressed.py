"""Compressed files, told by their first bytes, whatever they are called."""

from __future__ import annotations

from importlib import import_module
from io import RawIOBase

from ..errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

#: The first bytes of each form, and the module of the standard library that reads it.
FORMS = ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\x00", "lzma"), (b"BZh", "bz2"), (b"\x28\xb5\x2f\xfd", "compression.zstd"))

#: A file may grow to this many bytes, and beyond it to this many times its size: text does not.
_ALLOWED = 1 << 28
_MOST_TIMES = 300


def form_of(head: bytes) -> str:
    """The module that reads what starts with these bytes; empty where they are no known form's.

    >>> form_of(b"BZh91AY"), form_of(b"plain")
    ('bz2', '')
    """
    return next((module for start, module in FORMS if head.startswith(start)), "")


class Expanded(RawIOBase):
    """The content of a compressed file, unless it is far larger than any text: such a file would fill the memory.

    Args:
        raw: the file, from its beginning; it is closed with this.
        form: the module that reads it.
        name: what errors call it.

    Raises:
        ImportError: this Python lacks that module.
    """

    def __init__(self, raw: IO[bytes], form: str, name: str) -> None:
        module: Any = import_module(form)
        self._raw = raw
        self._name = name
        self._size = 0
        self._content: IO[bytes] = module.open(raw, "rb")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes of the content; 0 at its end."""
        content = self._content.read(len(buffer))
        buffer[:len(content)] = content
        self._size += len(content)
        if self._size > _ALLOWED and self._raw.seekable() and self._size > _MOST_TIMES * self._raw.tell():
            raise PurebleuError(f"{self._name} expands to more than {_MOST_TIMES} times its size, as no text does")
        return len(content)

    def fileno(self) -> int:
        return self._raw.fileno()

    def close(self) -> None:
        if not self.closed:
            self._content.close()
            self._raw.close()
        super().close()
