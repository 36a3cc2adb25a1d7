"""Compressed files, and others that are no text: their first bytes tell, whatever their names."""

from __future__ import annotations

import sys
from io import RawIOBase

from ..errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

#: The forms (the last two of which are refused), each after its first bytes.
FORMS = ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "Zstandard"),
         (b"PK\x03\x04", "ZIP"), (b"PAR1\x15", "Parquet"))

#: Compressed data may unpack to this many bytes, and beyond it to this many times its size. (Text has ratios of 2 to 4,
#: logs that repeat a long prompt on each line 50 to 150.)
_ALWAYS_ALLOWED = 1 << 23
_MAX_RATIO = 300


def form_of(head: bytes) -> str:
    """Return the form of a compressed file that starts with these bytes; empty if they are no known form's.

    >>> form_of(b"BZh91AY"), form_of(b"plain")
    ('bzip2', '')
    """
    return next((form for start, form in FORMS if head.startswith(start)), "")


def check_expansion(name: str, size: int, compressed: int, advice: str = "") -> None:
    """Raise `PurebleuError` if data called `name` unpacks to far more bytes (`size`) than compressed text does."""
    if size > max(_ALWAYS_ALLOWED, _MAX_RATIO * compressed):
        raise PurebleuError(f"{name} expands to more than {_MAX_RATIO} times its size, as no text does{advice}")


class _Counted:
    """A file, which may be a pipe, and the number of bytes that were read from it."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.size = 0

    def peek(self) -> bytes:
        """The next bytes, which are read all the same."""
        beginning: bytes = self._raw.peek()
        return beginning

    def read(self, size: int = -1) -> bytes:
        content: bytes = self._raw.read(size)
        self.size += len(content)
        return content


def _opened(raw: _Counted, form: str, name: str) -> IO[bytes]:
    opened: Any
    if form in ("ZIP", "Parquet"):
        raise PurebleuError(f"{name} is {_no_text(raw, form)}")
    if form == "gzip":
        import gzip as opened
    elif form == "xz":
        import lzma as opened
    elif form == "bzip2":
        import bz2 as opened
    elif sys.version_info >= (3, 14):
        # (By name: before, a module that is called like this is somebody else's.)
        opened = __import__("compression.zstd", fromlist=["open"])
    else:
        raise PurebleuError(f"{name}: Python decompresses Zstandard from 3.14 on")
    content: IO[bytes] = opened.open(raw, "rb")
    return content


def _no_text(raw: _Counted, form: str) -> str:
    """The form of a file that is no text, in words, and how to make text of it."""
    if form == "Parquet":
        return ("Parquet, not text: pandas.read_parquet(FILE).to_json('x.jsonl', orient='records', lines=True) makes "
                "JSON Lines of it, and x.jsonl:COLUMN is a column")
    beginning = raw.peek()
    if b"xl/" in beginning or b"opendocument.spreadsheet" in beginning:
        return "a workbook of spreadsheets, not text: save it as CSV, and x.csv:COLUMN is a column"
    return "a ZIP archive, not text: unpack it"


class Expanded(RawIOBase):
    """The content of a compressed file, unless it is far larger than any text: such a file would fill the memory.

    Args:
        raw: the file, from its beginning; it is closed with this.
        form: one of `FORMS`.
        name: its name in errors.

    Raises:
        ImportError: this Python lacks the module for that form.
        PurebleuError: this Python is older than the module; the content is no text; or, while it is read, it grows
            beyond the limit.
    """

    def __init__(self, raw: IO[bytes], form: str, name: str) -> None:
        self._raw = raw
        self._name = name
        self._size = 0
        self._content = raw  # (`close`, called by `__del__`, needs it if no module reads the form)
        self._compressed = _Counted(raw)
        self._content = _opened(self._compressed, form, name)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes of the content; 0 at its end."""
        content = self._content.read(len(buffer))
        buffer[:len(content)] = content
        self._size += len(content)
        check_expansion(self._name, self._size, self._compressed.size, " (decompress it, if it is right all the same)")
        return len(content)

    def fileno(self) -> int:
        return self._raw.fileno()

    def close(self) -> None:
        if not self.closed:
            self._content.close()
            self._raw.close()
        super().close()
