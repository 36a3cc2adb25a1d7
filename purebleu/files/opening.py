"""Open files (decompress and decode them), and parse names of files and columns on the command line.

The format of a compressed file is recognized by its first bytes. Other files that are not text are refused.
"""

from __future__ import annotations

import codecs
import os
import stat
import sys
from contextlib import suppress
from io import BufferedReader, RawIOBase, TextIOWrapper

from ..runtime.errors import OptionError, PurebleuError, warn
from ..runtime.hints import Any, NamedTuple, Sequence, TextFile

#: The roles of columns. The role decides which values are valid in a column, and which column `forms` advises.
HYPOTHESES, REFERENCES, IDS, SOURCE, SCORES, SAMPLES, KEYS = "hyp", "ref", "id", "src", "score", "samples", "key"

#: The roles of text that is scored.
SCORED = (HYPOTHESES, REFERENCES, SAMPLES)

#: Devices that never end.
_ENDLESS = ("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

#: The number of bytes at the start of a file that are enough to recognize compression, UTF-16 and UTF-32.
_HEAD = 6

#: The first bytes of files that are not text, with the names of their formats. (ZIP and Parquet are refused.)
_FORMS = ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "Zstandard"),
         (b"PK\x03\x04", "ZIP"), (b"PAR1\x15", "Parquet"))

#: The modules that decompress files, by the names of formats.
_DECOMPRESSORS = {"gzip": "gzip", "xz": "lzma", "bzip2": "bz2", "Zstandard": "compression.zstd"}

#: Content is refused if it exceeds both limits: a number of bytes, and a multiple of the compressed size.
#: (The usual ratio of text is 2 to 4. Logs that repeat a long prompt on each line have a ratio of 50 to 150.)
_ALWAYS_ALLOWED = 1 << 23
_MAX_RATIO = 300

#: The byte-order marks with their encodings; the names of UTF-8.
_BOMS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_UTF_8 = ("utf-8", "utf8")

#: The size in bytes of the buffer for decompressed content.
_EXPANDED_AT_ONCE = 1 << 16

#: The kinds of files with columns, by the endings of file names (before `.gz`).
KINDS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".xml": "xml",
         ".sgm": "sgm", ".sgml": "sgm", ".srt": "srt", ".vtt": "srt"}

#: To guess the kind of a file, at most this many characters of its first line are read.
_MAX_FIRST_LINE = 1 << 20

#: The kinds of files that are never read as lines of text.
_NEVER_LINES = ("xml", "sgm")

STDIN = "-"


def smart_open(file: object, mode: str = "rt", encoding: str = "utf-8") -> TextFile:
    """Open a text file whose lines end only at line feeds.

    For reading, a compressed file is decompressed (gzip, xz, bzip2; from Python 3.14 on, Zstandard). If `encoding` is
    UTF-8, but a file has the byte-order mark of UTF-16 or UTF-32, the file is read in the encoding of its mark. For
    writing, a file is compressed if its name ends in `.gz`.

    `file` is a path, or the number of an open file descriptor, which stays open.
    """
    is_read = "r" in mode and "+" not in mode
    if not is_read and not isinstance(file, int) and str(file).endswith(".gz"):
        import gzip

        return gzip.open(str(file), mode if "t" in mode or "b" in mode else f"{mode}t",  # type: ignore[return-value]
                         encoding=encoding, newline="\n")
    if not is_read or "b" in mode:
        return open(file, mode, encoding=None if "b" in mode else encoding,  # type: ignore[call-overload, no-any-return]
                    newline=None if "b" in mode else "\n", closefd=not isinstance(file, int))
    # (The large buffer is for `_warn_of_utf_8`, which checks the bytes in the buffer.)
    raw = open_decompressed(file, -1 if is_utf_8(encoding) else _EXPANDED_AT_ONCE)
    try:
        return _decoded(raw, _name_of(file), encoding)
    except BaseException:
        raw.close()
        raise


def is_utf_8(encoding: str) -> bool:
    """Whether an encoding has one of the usual names of UTF-8."""
    return encoding.lower().replace("_", "-") in _UTF_8


def open_decompressed(file: object, buffering: int = -1) -> BufferedReader:
    """Open a file for reading its bytes, decompressed as in `smart_open`."""
    name = _name_of(file)
    if not isinstance(file, int):
        check_end(name)
    source = file if isinstance(file, int) else name
    raw: Any = open(source, "rb", buffering, closefd=source is name)  # noqa: SIM115  # the caller closes it
    try:
        form = _compression(name, _head(raw))
        if not form:
            return raw  # type: ignore[no-any-return]
        return BufferedReader(Expanded(raw, form, name), _EXPANDED_AT_ONCE)
    except BaseException:
        raw.close()
        raise


def _name_of(file: object) -> str:
    """Return the name that errors use for a path or a file descriptor."""
    return "standard input" if isinstance(file, int) else str(file)


def _decoded(raw: BufferedReader, name: str, encoding: str) -> TextFile:
    """Return a text stream that decodes `raw`. A byte-order mark of UTF-16 or UTF-32 takes precedence over UTF-8."""
    if not is_utf_8(encoding):
        text = TextIOWrapper(raw, encoding, newline="\n")
        _warn_of_utf_8(raw.peek(), name, encoding)
        return text
    if mark := _encoding_by_mark(_head(raw)):
        warn(f"{name} starts with the byte-order mark of {mark.upper()}, and is read as {mark.upper()}")
        encoding = mark
    return TextIOWrapper(raw, encoding, newline="\n")


def _warn_of_utf_8(beginning: bytes, name: str, encoding: str) -> None:
    """Warn if the beginning of a file is valid UTF-8 (and not only ASCII), but the file is read in another encoding."""
    if beginning.isascii() or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii"):
        return
    with suppress(UnicodeDecodeError):
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
        warn(f"{name} is valid UTF-8, but is read as {encoding}: -e and --reference-encoding set the encodings of "
             "outputs and references")


def _compression(name: str, head: bytes) -> str:
    """Return the format in `_FORMS` of a file with this name and these first bytes; empty if the file may be text.

    >>> _compression("a", b"BZh91AY"), _compression("a.gz", b""), _compression("a", b"plain")
    ('bzip2', 'gzip', '')
    """
    if name.endswith(".gz"):
        return "gzip"
    return next((form for start, form in _FORMS if head.startswith(start)), "")


def _encoding_by_mark(head: bytes) -> str:
    """Return the encoding that the byte-order mark of a file stands for; empty if the file has no such mark."""
    return next((encoding for mark, encoding in _BOMS if head.startswith(mark)), "")


def _head(raw: BufferedReader) -> bytes:
    """Return the first bytes of an open file without consuming them."""
    return raw.peek(_HEAD)[:_HEAD]


def check_end(path: str) -> None:
    """Raise `PurebleuError` if a path leads to an endless device or to a whole disk, or can't be the name of a file."""
    try:
        mode = os.stat(path).st_mode
        is_endless = stat.S_ISCHR(mode) and os.path.realpath(path) in _ENDLESS
    except OSError:  # (opening the file will report this error)
        return
    except ValueError:  # the path has a NUL character or half of a surrogate pair
        raise PurebleuError(f"{path!r:.80} can't be the name of a file") from None
    if is_endless:
        raise PurebleuError(f"{path} is a device that never ends")
    if stat.S_ISBLK(mode):
        raise PurebleuError(f"{path} is a device, not a file")


# Compressed files


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
        form: the name of a format in `_FORMS`.
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


# Names on the command line


def may_have_columns(name: str) -> bool:
    """Whether a name on the command line may mean a column. (To be certain, call `column_of`.)"""
    return ":" in name or name == STDIN or kind_of(name) in _NEVER_LINES


class Column(NamedTuple):
    """A file, or a column of a file.

    Attributes:
        name: the name on the command line.
        path: the path of the file; `None` for standard input.
        kind: a value of `KINDS`, or an empty string for lines of text.
        selector: the text that selects the column; empty if the file needs no selector.
    """

    name: str
    path: str | None
    kind: str = ""
    selector: str = ""


def column_of(name: str) -> Column:
    """Return the file or column with a name: `FILE`, `FILE:COLUMN` (`out.jsonl:hypothesis`), `-` or `-:KIND:COLUMN`.

    If a file with the whole name exists, the file is read as lines of text, unless the name ends in `.xml` or `.sgm`.
    If the ending of a file's name is unknown, the kind of the file is guessed from its first line.

    Raises:
        OptionError: the column is missing, or the kind is unknown.

    Example:
        >>> column = column_of("out.jsonl.gz:hypothesis")
        >>> column.path, column.kind, column.selector
        ('out.jsonl.gz', 'jsonl', 'hypothesis')
    """
    if not os.path.lexists(name):
        if name == STDIN:
            return Column(name, None)
        if name.startswith(STDIN + ":"):
            return _checked(_column_of_stdin(name))
        path, colon, selector = name.partition(":")
        while colon:
            if kind := kind_of(path):
                return _checked(Column(name, path, kind, selector))
            further, colon, selector = selector.partition(":")
            path += ":" + further
        path, _, selector = name.rpartition(":")
        if os.path.isfile(path) and (kind := _kind_of_content(path)):
            return _checked(Column(name, path, kind, selector))
    kind = kind_of(name)
    return Column(name, name, kind if kind in _NEVER_LINES else "")


def has_subtitles(column: Column) -> bool:
    """Whether a file or column is one of subtitles."""
    return "srt" in (column.kind, kind_of(column.path or ""))


def _column_of_stdin(name: str) -> Column:
    kind, _, selector = name[2:].partition(":")
    if kind not in KINDS.values():
        raise OptionError(f"{name}: to name a column of standard input, write -:KIND:COLUMN; KIND can be "
                          f"{', '.join(dict.fromkeys(KINDS.values()))}")
    return Column(name, None, kind, selector)


def _checked(column: Column) -> Column:
    if not column.selector and column.kind not in _NEVER_LINES:
        raise OptionError(f"{column.name}: after the colon, the name of a column is missing")
    return column


def _kind_of_content(path: str) -> str:
    """Guess the kind of a file from its first line. The kind is empty for lines of text, or if reading fails."""
    try:
        with smart_open(path) as file:
            first = file.readline(_MAX_FIRST_LINE).lstrip("\ufeff")
    except (OSError, ValueError):
        return ""
    if first.startswith(("{", "[")):
        return "jsonl"
    return "tsv" if "\t" in first else "csv" if "," in first or ";" in first else ""


def is_same_input(one: str, other: str) -> bool:
    """Whether two names mean the same file or column, perhaps with different paths (such as `a` and `./a`)."""
    if one == other:
        return True
    first, second = column_of(one), column_of(other)
    if (first.kind, first.selector) != (second.kind, second.selector):
        return False
    try:
        return os.path.samefile(first.path or "", second.path or "")
    except (OSError, ValueError):
        return False


def check_readable(paths: Sequence[str | None]) -> None:
    """Raise `OSError` if a file can't be opened. Standard input (`None`) and pipes are not checked."""
    for path in paths:
        if path is not None and (not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path)):
            open(path, "rb").close()


def files_of_pattern(name: str) -> list[str]:
    """Return the sorted names of files (or columns) that match a pattern; only `name` itself if such a file exists."""
    path = column_of(name).path
    if path is None or os.path.lexists(path):
        return [name]
    from glob import glob

    return [matched + name[len(path):] for matched in sorted(glob(path))]


def kind_of(path: str) -> str:
    """Return the kind of a file by the ending of its name: a value of `KINDS`; an empty string for lines of text."""
    suffix = os.path.splitext(path[:-len(".gz")] if path.endswith(".gz") else path)[1]
    return KINDS.get(suffix.lower(), "")
