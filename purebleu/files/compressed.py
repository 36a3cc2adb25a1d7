"""Compressed files, and other files that are no text. Their first bytes decide, and not their names."""

from __future__ import annotations

import sys
from io import RawIOBase

from ..errors import PurebleuError
from ..hints import Any

#: Forms of files that are no text, each with its first bytes. (The last two are refused.)
FORMS = ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "Zstandard"),
         (b"PK\x03\x04", "ZIP"), (b"PAR1\x15", "Parquet"))

#: Compressed data may always expand to this many bytes. Larger content may have this many times the size of the
#: compressed data. (Text has 2 to 4 times the size; logs that repeat a long prompt on each line, 50 to 150 times.)
_ALWAYS_ALLOWED = 1 << 23
_MAX_RATIO = 300


def form_of(head: bytes) -> str:
    """Return the form of a compressed file that starts with these bytes; empty if no form is known to.

    >>> form_of(b"BZh91AY"), form_of(b"plain")
    ('bzip2', '')
    """
    return next((form for start, form in FORMS if head.startswith(start)), "")


def check_expansion(name: str, size: int, compressed: int, advice: str = "") -> None:
    """Raise `PurebleuError` if text of `compressed` bytes can't have `size` bytes. `name` is its name in the error."""
    if size > max(_ALWAYS_ALLOWED, _MAX_RATIO * compressed):
        raise PurebleuError(f"{name} expands to more than {_MAX_RATIO} times its size, too much for text{advice}")


class _Counted:
    """A file (perhaps a pipe) that counts the bytes that are read from it."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        content: bytes = self._raw.read(size)
        self.size += len(content)
        return content


def _opened(raw: _Counted, form: str, name: str) -> Any:
    opened: Any
    if form == "gzip":
        import gzip as opened
    elif form == "xz":
        import lzma as opened
    elif form == "bzip2":
        import bz2 as opened
    elif sys.version_info >= (3, 14):
        # (By name, for type checkers: before 3.14, `compression` is not in the standard library.)
        opened = __import__("compression.zstd", fromlist=["open"])
    else:
        raise PurebleuError(f"{name}: Zstandard needs Python 3.14 or newer")
    return opened.open(raw, "rb")


def _no_text(beginning: bytes, form: str) -> str:
    """Return the words for a file that is no text, and how to make text of it."""
    if form == "Parquet":
        return ("Parquet, not text: pandas.read_parquet(FILE).to_json('x.jsonl', orient='records', lines=True) "
                "converts it to JSON Lines; then name a column (x.jsonl:COLUMN)")
    if b"xl/" in beginning or b"opendocument.spreadsheet" in beginning:
        return "a workbook of spreadsheets, not text: save it as CSV, and name a column (x.csv:COLUMN)"
    return "a ZIP archive, not text: unpack it"


class Expanded(RawIOBase):
    """The content of a compressed file. If it is far larger than any text, it is refused, as it would fill the memory.

    Args:
        raw: the file, at its beginning. It is closed together with this.
        form: one of `FORMS`.
        name: its name in errors.

    Raises:
        ImportError: this Python lacks the module for that form.
        PurebleuError: this Python is too old for that form; the content is no text; or, while it is read, it becomes
            too large.
    """

    def __init__(self, raw: Any, form: str, name: str) -> None:
        self._raw = raw
        self._name = name
        self._size = 0
        self._content = raw  # (for `close`, which `__del__` calls even if the next lines fail)
        if form in ("ZIP", "Parquet"):
            raise PurebleuError(f"{name} is {_no_text(raw.peek(), form)}")
        self._compressed = _Counted(raw)
        self._content = _opened(self._compressed, form, name)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes of the content into a buffer; return their number, which is 0 at the end."""
        content = self._content.read(len(buffer))
        buffer[:len(content)] = content
        self._size += len(content)
        check_expansion(self._name, self._size, self._compressed.size, " (if the file is right, decompress it first)")
        return len(content)

    def fileno(self) -> int:
        return self._raw.fileno()  # type: ignore[no-any-return]

    def close(self) -> None:
        if not self.closed:
            self._content.close()
            self._raw.close()
        super().close()
