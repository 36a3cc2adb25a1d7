"""Decompress files, and refuse other files that are not text. The format is recognized by the first bytes of a file."""

from __future__ import annotations

import sys
from io import RawIOBase

from ..errors import PurebleuError
from ..hints import Any

#: The first bytes of files that are not text, with the names of their formats. (ZIP and Parquet are refused.)
FORMS = ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "Zstandard"),
         (b"PK\x03\x04", "ZIP"), (b"PAR1\x15", "Parquet"))

#: The modules that decompress files, by the names of formats.
_DECOMPRESSORS = {"gzip": "gzip", "xz": "lzma", "bzip2": "bz2", "Zstandard": "compression.zstd"}

#: Content is refused if it exceeds both limits: a number of bytes, and a multiple of the compressed size.
#: (The usual ratio of text is 2 to 4. Logs that repeat a long prompt on each line have a ratio of 50 to 150.)
_ALWAYS_ALLOWED = 1 << 23
_MAX_RATIO = 300


def form_of(head: bytes) -> str:
    """Return the format of a file that starts with these bytes; empty if the format is not in `FORMS`.

    >>> form_of(b"BZh91AY"), form_of(b"plain")
    ('bzip2', '')
    """
    return next((form for start, form in FORMS if head.startswith(start)), "")


def check_expansion(name: str, size: int, compressed: int, advice: str = "") -> None:
    """Raise `PurebleuError` if `compressed` bytes expand to `size` bytes, which is too much for text.

    `name` is the name of the file in the error.
    """
    if size > max(_ALWAYS_ALLOWED, _MAX_RATIO * compressed):
        raise PurebleuError(f"{name} expands to more than {_MAX_RATIO} times its size, which is too much for text"
                            f"{advice}")


class _Counted:
    """Wraps a file (perhaps a pipe), and counts the bytes that are read from the file."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        content: bytes = self._raw.read(size)
        self.size += len(content)
        return content


def _no_text(beginning: bytes, form: str) -> str:
    """Return the part of the error that names the format of a file that is not text, and says how to convert it."""
    if form == "Parquet":
        return ("Parquet, not text: convert it to JSON Lines with pandas.read_parquet(FILE).to_json('x.jsonl', "
                "orient='records', lines=True), and name a column of the new file (x.jsonl:COLUMN)")
    if b"xl/" in beginning or b"opendocument.spreadsheet" in beginning:
        return "a spreadsheet, not text: save it as CSV, and name a column (x.csv:COLUMN)"
    return "a ZIP archive, not text: unpack it"


class Expanded(RawIOBase):
    """The content of a compressed file. Content that expands far more than text is refused, to protect the memory.

    Args:
        raw: the compressed file, at its beginning. The file is closed together with this object.
        form: the name of a format in `FORMS`.
        name: the name of the file in errors.

    Raises:
        ImportError: this Python lacks the module for the format.
        PurebleuError: this Python is too old for the format; the file is not text; or the content turns out to be too
            large while it is read.
    """

    def __init__(self, raw: Any, form: str, name: str) -> None:
        self._raw = raw
        self._name = name
        self._size = 0
        self._content = raw  # (`__del__` calls `close` even if the next lines fail)
        if form in ("ZIP", "Parquet"):
            raise PurebleuError(f"{name} is {_no_text(raw.peek(), form)}")
        self._compressed = _Counted(raw)
        if form == "Zstandard" and sys.version_info < (3, 14):
            raise PurebleuError(f"{name} is compressed with Zstandard, which needs Python 3.14 or newer")
        self._content = __import__(_DECOMPRESSORS[form], fromlist=["open"]).open(self._compressed, "rb")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes of the content into a buffer; return their number, which is 0 at the end."""
        content = self._content.read(len(buffer))
        buffer[:len(content)] = content
        self._size += len(content)
        check_expansion(self._name, self._size, self._compressed.size,
                        " (if this size is right, decompress the file first)")
        return len(content)

    def fileno(self) -> int:
        return self._raw.fileno()  # type: ignore[no-any-return]

    def close(self) -> None:
        if not self.closed:
            self._content.close()
            self._raw.close()
        super().close()
