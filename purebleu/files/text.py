"""Lines in: opening files, decoding, splitting at line feeds, keeping parallel streams parallel."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from contextlib import suppress
from io import BufferedReader, StringIO, TextIOWrapper
from itertools import islice, repeat

from ..blocks import BLOCK_CHARACTERS, BLOCK_SEGMENTS
from ..errors import LengthError, PurebleuError, warn
from ..unicode.whitespace import WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Iterator, Protocol, Sequence, TypeVar

    Line = TypeVar("Line", str, bytes)

    class ParallelStream(Protocol[Line]):
        """The lines of a file, or of several."""

        name: str
        count: int

        def read(self, limit: int) -> list[Line]: ...

        def close(self) -> None: ...

#: The number of lines that are read at once, at first and later: few enough for very long ones to fit into memory, and
#: enough for reading to go on at C speed for a while.
_LINES_AT_FIRST = 8
_LINES_AT_ONCE = 128

#: Devices that give bytes for ever.
_ENDLESS = ("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

#: The first bytes of files that are compressed, or of UTF-16 or UTF-32: the longest number, and their beginnings.
_HEAD = 6
_FIRST_BYTES = (b"\x1f", b"\xfd", b"B", b"\x28", b"P")
_BYTE_ORDER_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"),
                     (b"\xfe\xff", "utf-16"))
_UTF_8 = ("utf-8", "utf8")

#: The bytes of a compressed file's content that are read at once.
_EXPANDED_AT_ONCE = 1 << 16

#: The ends of the names of files that are no lines of text.
_ENDS_OF_FORMS = (".xml", ".sgm", ".sgml", ".xml.gz", ".sgm.gz", ".sgml.gz")


class FileStream:
    """A file whose lines are read some at a time; `count` is the number of those before the next one.

    Lines end at a line feed and nowhere else.
    """

    def __init__(self, path: str | None, encoding: str) -> None:
        self.path = path
        self.name = "standard input" if path is None else path
        self.encoding = encoding
        self.count = 0
        self._file: IO[Any] | None = None
        self._at_end = False

    def _open(self) -> IO[Any]:
        raise NotImplementedError

    def _read(self, limit: int, ends: str | None = None) -> list[Any]:
        """The next lines, without the characters `ends` at their ends: `limit` of them, or fewer at the end.

        Raises `PurebleuError` with the name (and the line, where there is one) for whatever can't be opened,
        decompressed or decoded.
        """
        lines: list[Any] = []
        if self._at_end:
            return lines  # (a terminal would ask for the end once more)
        try:
            if self._file is None:
                self._file = self._open()
            following = islice(self._file, limit)
            lines.extend(following if ends is None else map(str.rstrip, following, repeat(ends)))
        except Exception as error:
            message = self._explain(error, self.count + len(lines))
            if message is None:
                raise
            raise PurebleuError(message).at(self.name) from error
        self.count += len(lines)
        self._at_end = len(lines) < limit
        return lines

    def fraction_read(self) -> float | None:
        """The share of the file, as it is on disk, that has been read; `None` where that can't be told."""
        if self._file is None:
            return 0.0
        if self._file.closed:
            return 1.0
        try:
            descriptor = self._file.fileno()
            return os.lseek(descriptor, 0, os.SEEK_CUR) / os.fstat(descriptor).st_size
        except (OSError, ZeroDivisionError):
            return None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _explain(self, error: Exception, lines_before: int) -> str | None:
        """The message about an error of reading; `None` where it is no such error."""
        if isinstance(error, UnicodeDecodeError):
            # Decoding goes ahead of the lines only to the end of the chunk that holds the next one.
            # (The error names the byte order that a mark at the start of the file gave.)
            encoding = error.encoding.replace("utf16", "utf-16").replace("utf32", "utf-32")  # PyPy's spelling
            line_feeds = error.object[:error.start].decode(encoding, "replace").count("\n")
            where = f"{self.name}: line {lines_before + line_feeds + 1}"
            byte = error.object[error.start]
            # (A byte-order mark may have chosen another encoding than the expected one.)
            read_as = getattr(self._file, "encoding", self.encoding)
            return f"{where}: not valid {read_as} (byte 0x{byte:02x}); -e and --reference-encoding name others"
        if isinstance(error, UnicodeEncodeError) and error.object == self.encoding:
            return f"unknown encoding {self.encoding!r}"  # its name is no text
        if isinstance(error, UnicodeError):
            return f"{self.name}: not valid {self.encoding} ({error})"
        if isinstance(error, LookupError):
            return f"unknown encoding {self.encoding!r}"
        if isinstance(error, EOFError):
            return f"{self.name}: the compressed data is cut off"
        if isinstance(error, FileNotFoundError) and os.path.isfile(self.name.rpartition(":")[0]):
            from .forms import KINDS

            smart_open(self.name.rpartition(":")[0]).close()  # (which explains a form that is no text)
            *most, last = KINDS
            return (f"{self.name}: {error.strerror}, and columns are those of files that end in {', '.join(most)} or "
                    f"{last}")
        if isinstance(error, OSError):
            return f"{self.name}: {error.strerror or error}"
        if isinstance(error, ImportError):  # zlib is missing from some Pythons
            return f"{self.name}: this Python can't decompress it ({error})"
        # The libraries' classes of errors, without importing them where nothing is compressed.
        is_damaged = type(error).__module__ in ("zlib", "_lzma", "lzma", "_zstd", "compression.zstd")
        return f"{self.name}: the compressed data is damaged ({error})" if is_damaged else None


class LineStream(FileStream):
    """The lines of a file (or of standard input, where `path` is None), without the characters `ends` at their ends.

    Compressed files are decompressed.
    """

    def __init__(self, path: str | None, encoding: str = "utf-8", ends: str = WHITESPACE) -> None:
        super().__init__(path, encoding)
        self.ends = ends

    def _open(self) -> IO[Any]:
        return smart_open(0 if self.path is None else self.path, encoding=self.encoding)

    def read(self, limit: int) -> list[str]:
        """The next lines: `limit` of them, or fewer at the end; raises `PurebleuError` where they can't be read."""
        is_first = self.count == 0
        lines = self._read(limit, self.ends)
        if is_first and lines and lines[0].startswith("\ufeff"):
            warn(f"{self.name} starts with a byte-order mark, which is scored as part of its first word")
        return lines


class HeldText(LineStream):
    """Text in memory, read as the file that it could be the content of."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name)
        self._text = text

    def _open(self) -> IO[Any]:
        return StringIO(self._text, newline="\n")

    def fraction_read(self) -> float | None:
        """The share of the text that has been read."""
        if self._file is None or self._file.closed:
            return float(self._file is not None)
        return self._file.tell() / max(1, len(self._text))


class HeldLines:
    """Lines in memory, read as a `LineStream`."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.name = name
        self.lines = lines
        self.count = 0

    def read(self, limit: int) -> list[str]:
        """The next lines: `limit` of them, or fewer at the end."""
        lines = [*self.lines[self.count:self.count + limit]]
        self.count += len(lines)
        return lines

    def close(self) -> None:
        """Nothing is open."""

    def fraction_read(self) -> float:
        """The share of the lines that has been read."""
        return self.count / max(1, len(self.lines))


def read_lines(path: str | None, ends: str = WHITESPACE, encoding: str = "utf-8") -> list[str]:
    """All lines of a `LineStream`, which is closed."""
    stream = LineStream(path, encoding, ends)
    try:
        return stream.read(sys.maxsize)
    finally:
        stream.close()


class JoinedStream:
    """The lines of files, one file after another, read as a `LineStream`."""

    def __init__(self, paths: Sequence[str], name: str) -> None:
        self._left = [LineStream(path) for path in paths]
        self.name = name
        self.count = 0

    def read(self, limit: int) -> list[str]:
        """The next lines: `limit` of them, or fewer at the end of the last file."""
        lines: list[str] = []
        while self._left and len(lines) < limit:
            added = self._left[0].read(limit - len(lines))
            if not added:
                self._left.pop(0).close()
            lines += added
        self.count += len(lines)
        return lines

    def close(self) -> None:
        for stream in self._left:
            stream.close()


def is_blank(line: str | bytes) -> bool:
    """Whether a line, in UTF-8 where it is bytes, has nothing but whitespace."""
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    return not text.strip(WHITESPACE)


def smart_open(file: object, mode: str = "rt", encoding: str = "utf-8") -> IO[str]:
    """Open a text file, with lines that end at line feeds only.

    A compressed file is decompressed where it is read (gzip, xz, bzip2; from Python 3.14 on, Zstandard). Where UTF-8 is
    expected, but the first bytes are the byte-order mark of UTF-16 or UTF-32, the file is read as that. A file that is
    written is compressed where its name ends in `.gz`.

    `file` is a path or the number of an open file descriptor, which then stays open.
    """
    is_read = "r" in mode and "+" not in mode
    if not is_read and not isinstance(file, int) and str(file).endswith(".gz"):
        import gzip

        return gzip.open(str(file), mode if "t" in mode or "b" in mode else f"{mode}t",  # type: ignore[return-value]
                         encoding=encoding, newline="\n")
    if not is_read or "b" in mode:
        return open(file, mode, encoding=None if "b" in mode else encoding,  # type: ignore[call-overload, no-any-return]
                    newline=None if "b" in mode else "\n", closefd=not isinstance(file, int))
    raw = open_decompressed(file, -1 if is_utf_8(encoding) else _EXPANDED_AT_ONCE)  # (enough to tell if it is UTF-8)
    try:
        return _decoded(raw, _name_of(file), encoding)
    except BaseException:
        raw.close()
        raise


def is_utf_8(encoding: str) -> bool:
    """Whether an encoding is UTF-8, by its usual names."""
    return encoding.lower().replace("_", "-") in _UTF_8


def open_decompressed(file: object, buffering: int = -1) -> IO[bytes]:
    """Open a file, which is decompressed if it is compressed; as `smart_open` does, but for its bytes."""
    name = _name_of(file)
    if not isinstance(file, int):
        check_end(name)
    raw: IO[bytes] = open(file if isinstance(file, int) else name, "rb", buffering,  # noqa: SIM115  # the caller closes it
                          closefd=not isinstance(file, int))
    try:
        head = _head(raw)
        if head[:1] in _FIRST_BYTES or name.endswith(".gz"):
            from .compressed import Expanded, form_of

            form = "gzip" if name.endswith(".gz") else form_of(head)
            if form:
                return BufferedReader(Expanded(raw, form, name), _EXPANDED_AT_ONCE)
        return raw
    except BaseException:
        raw.close()
        raise


def _name_of(file: object) -> str:
    """The name, for errors, of a path or a descriptor."""
    return "standard input" if isinstance(file, int) else str(file)


def _decoded(raw: IO[bytes], name: str, encoding: str) -> IO[str]:
    """An open file as text, in the encoding that its byte-order mark names if UTF-8 is expected."""
    if not is_utf_8(encoding):
        text = TextIOWrapper(raw, encoding, newline="\n")
        _warn_of_utf_8(raw.peek(), name, encoding)  # type: ignore[attr-defined]
        return text
    head = _head(raw)
    if mark := next((name_of_mark for mark, name_of_mark in _BYTE_ORDER_MARKS if head.startswith(mark)), ""):
        warn(f"{name} starts with the byte-order mark of {mark.upper()}, and is read as that")
        encoding = mark
    return TextIOWrapper(raw, encoding, newline="\n")


def _warn_of_utf_8(beginning: bytes, name: str, encoding: str) -> None:
    """Warn of a file that is read as something else than UTF-8, although its beginning is UTF-8 beyond ASCII."""
    if beginning.isascii() or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii"):
        return
    with suppress(UnicodeDecodeError):
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
        warn(f"{name} is valid UTF-8, but is read as {encoding}: -e and --reference-encoding set the encodings of "
             "outputs and references")


def is_plain_text(path: str) -> bool:
    """Whether a file is read as it is: not compressed, and without a byte-order mark of another encoding than UTF-8."""
    with open(path, "rb") as file:
        head = _head(file)
    if path.endswith(".gz") or any(map(head.startswith, [mark for mark, _ in _BYTE_ORDER_MARKS])):
        return False
    if head[:1] not in _FIRST_BYTES:
        return True
    from .compressed import form_of

    return not form_of(head)


def _head(raw: Any) -> bytes:
    """The first bytes of an open file, which are read all the same."""
    head: bytes = raw.peek(_HEAD)[:_HEAD]
    return head


def check_end(path: str) -> None:
    """Raise `PurebleuError` for a device that can be read without an end, and for what no file's name can be."""
    try:
        is_endless = stat.S_ISCHR(os.stat(path).st_mode) and os.path.realpath(path) in _ENDLESS
    except OSError:  # (as in `writing.check_no_device`)
        return
    except ValueError:  # a NUL character, or half of a surrogate pair
        raise PurebleuError(f"{path!r:.80} can't be the name of a file") from None
    if is_endless:
        raise PurebleuError(f"{path} is a device without an end")


def may_have_columns(name: str) -> bool:
    """Whether a name on the command line may stand for something else than a file of lines (which `forms` decides)."""
    return ":" in name or name == "-" or name.lower().endswith(_ENDS_OF_FORMS)


def aligned_blocks(streams: Sequence[ParallelStream[Line]], advice: str = "") -> Iterator[list[list[Line]]]:
    """Read parallel streams to their ends, block by block.

    Args:
        streams: they are closed in the end.
        advice: added to the error where the first stream is empty.

    Returns:
        Blocks: for each stream a list of lines, all of the same length.

    Raises:
        LengthError: the streams have different numbers of lines.
        PurebleuError: they are empty, or can't be read.
    """
    leader = streams[0]
    at_once = _LINES_AT_FIRST
    block: list[list[Line]] = [[] for _ in streams]
    characters = 0  # or bytes
    try:
        while True:
            parts = [leader.read(at_once)]
            parts += [stream.read(len(parts[0]) or 1) for stream in streams[1:]]
            if leader.count == len(parts[0]):
                warn_of_records(streams, parts)
            if len(set(map(len, parts))) > 1:
                raise LengthError(_different_lengths(streams) + advice * (leader.count == 0))
            if not parts[0]:
                break
            for column, part in zip(block, parts):
                column += part
                characters += sum(map(len, part))
            if len(block[0]) >= BLOCK_SEGMENTS or characters >= BLOCK_CHARACTERS:
                yield block
                characters = 0
                block = [[] for _ in streams]
            at_once = min(2 * at_once, _LINES_AT_ONCE)
    finally:
        for stream in streams:
            stream.close()
    if block[0]:
        yield block
    elif leader.count == 0:
        raise PurebleuError(f"{leader.name} is empty{advice}").at(leader.name)


def warn_of_records(streams: Sequence[Any], parts: Sequence[Sequence[str | bytes]]) -> None:
    """Warn of files whose first lines are records with columns, but are read as lines of text."""
    advice: list[str] = []
    for stream, part in zip(streams, parts):
        if isinstance(stream, FileStream) and part and _may_be_record(part[0]):
            from .structured import advice_on_lines

            lines = [line.decode("utf-8", "replace") if isinstance(line, bytes) else line
                     for line in part[:_LINES_AT_FIRST]]
            advice += filter(None, [advice_on_lines(stream.name, lines, not isinstance(stream, HeldText))])
    if advice:
        warn("; ".join(advice))


def _may_be_record(line: str | bytes) -> bool:
    """Whether a line may be JSON, or the headings of several columns: neither ends as a sentence does."""
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    if text.lstrip()[:1] in ("", "{", "["):
        return True
    end = text.rstrip()[-1:]
    return (end.isalnum() or end == '"') and any(separator in text for separator in "\t,;")


def _different_lengths(streams: Sequence[ParallelStream[Line]]) -> str:
    """The message about streams that are not parallel, after reading them to their ends."""
    for stream in streams:
        while stream.read(_LINES_AT_ONCE):
            pass
    return "the numbers of lines differ: " + ", ".join([f"{stream.count} in {stream.name}" for stream in streams])
