"""Reading lines: streams of lines, several of them in parallel, and columns that tabs separate."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from io import StringIO
from itertools import islice, repeat

from ..blocks import BLOCK_CHARACTERS, BLOCK_SEGMENTS
from ..errors import FieldCountError, LengthError, PurebleuError, counted, warn
from ..hints import Any, Iterator, Sequence
from ..unicode.properties import WHITESPACE
from .opening import HYPOTHESES, smart_open

#: The number of lines that are read at once, at first and later: few enough that very long ones fit into memory, and
#: enough that most of the time is spent in C.
_LINES_AT_FIRST = 8
_LINES_AT_ONCE = 128


class LineStream:
    """The lines of a file or of standard input, read a few at a time.

    Lines end at a line feed and nowhere else. Compressed files are decompressed.

    Attributes:
        path: the path of the file; `None` for standard input.
        name: the name in errors.
        count: the number of lines that have been read.
        text: the content, if it is held in memory; else `None`.
        role: that of its lines, for advice on columns.

    Args:
        path: the path of the file; `None` for standard input.
        encoding: the encoding of the file; `None`: lines are bytes, which may be valid in no encoding.
        ends: the characters that are removed from the ends of lines; `None`: lines keep their line feeds.
        text: the content, if it is held in memory; then `path` is only a name.
    """

    def __init__(self, path: str | None, encoding: str | None = "utf-8", ends: str | None = WHITESPACE,
                 text: str | None = None) -> None:
        self.path = path
        self.name = "standard input" if path is None else path
        self.count = 0
        self.text = text
        self.role = HYPOTHESES
        self._encoding = encoding
        self._ends = ends
        self._file: Any = None
        self._at_end = False

    def _open(self) -> Any:
        if self.text is not None:
            return StringIO(self.text, newline="\n")
        if self._encoding is None:
            return open(self.name, "rb")
        return smart_open(0 if self.path is None else self.path, encoding=self._encoding)

    def read(self, limit: int) -> list[Any]:
        """Return the next lines: `limit` of them, or fewer at the end.

        Raises `PurebleuError`, with the name and maybe the line, if the file can't be opened, decompressed or decoded.
        """
        lines: list[Any] = []
        if self._at_end:
            return lines  # (a terminal would wait for Ctrl-D once more)
        try:
            if self._file is None:
                self._file = self._open()
            following = islice(self._file, limit)
            lines.extend(following if self._ends is None else map(str.rstrip, following, repeat(self._ends)))
        except Exception as error:
            message = self.explain(error, self.count + len(lines))
            if message is None:
                raise
            raise PurebleuError(message).at(self.name) from error
        if self.count == 0 and lines and self._ends is not None and lines[0].startswith("\ufeff"):
            warn(f"{self.name} starts with a byte-order mark, which is scored as part of its first word")
        self.count += len(lines)
        self._at_end = len(lines) < limit
        return lines

    def fraction_read(self) -> float | None:
        """Return the share of the bytes of the file that has been read; `None` if that is not known."""
        if self._file is None:
            return 0.0
        if self._file.closed:
            return 1.0
        if self.text is not None:
            return float(self._file.tell() / max(1, len(self.text)))
        try:
            descriptor = self._file.fileno()
            return os.lseek(descriptor, 0, os.SEEK_CUR) / os.fstat(descriptor).st_size
        except (OSError, ZeroDivisionError):
            return None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def explain(self, error: Exception, lines_before: int) -> str | None:
        """Return the message for an error of reading; `None` for another error."""
        if isinstance(error, UnicodeDecodeError):
            # Decoding is ahead of the lines that were returned, but only by the chunk of bytes that contains the next
            # line. (With a byte-order mark, the name of the encoding in the error includes the byte order.)
            encoding = error.encoding.replace("utf16", "utf-16").replace("utf32", "utf-32")  # PyPy's spelling
            line_feeds = error.object[:error.start].decode(encoding, "replace").count("\n")
            where = f"{self.name}: line {lines_before + line_feeds + 1}"
            byte = error.object[error.start]
            # (The encoding may come from a byte-order mark.)
            read_as = getattr(self._file, "encoding", self._encoding)
            return f"{where}: not valid {read_as} (byte 0x{byte:02x}); -e and --reference-encoding set another encoding"
        # (The name of the encoding may be no valid text.)
        if isinstance(error, LookupError) or (isinstance(error, UnicodeEncodeError) and error.object == self._encoding):
            return f"unknown encoding {self._encoding!r}"
        if isinstance(error, UnicodeError):
            return f"{self.name}: not valid {self._encoding} ({error})"
        if isinstance(error, EOFError):
            return f"{self.name}: the compressed data is cut off"
        file = self.name.rpartition(":")[0]
        if isinstance(error, FileNotFoundError) and os.path.isfile(file):
            smart_open(file).close()  # (this raises the error for a file that is no text)
            return (f"{self.name}: {error.strerror}, and {file} looks like lines of text: only JSON Lines, CSV, "
                    "TSV and XML have columns")
        if isinstance(error, OSError):
            return f"{self.name}: {error.strerror or error}"
        if isinstance(error, ImportError):  # zlib is missing from some Pythons
            return f"{self.name}: this Python can't decompress it ({error})"
        # (To import the classes of these errors would take time even if nothing is compressed.)
        is_damaged = type(error).__module__ in ("zlib", "_lzma", "lzma", "_zstd", "compression.zstd")
        return f"{self.name}: the compressed data is damaged ({error})" if is_damaged else None


class HeldLines:
    """Lines or scores in memory, which are read as a `LineStream` is.

    `source` is the file or column that they come from, and `varies` is that of a `RecordColumn`.
    """

    def __init__(self, name: str, lines: Sequence[str], source: str = "", varies: bool = False) -> None:
        self.name = name
        self.source = source
        self.varies = varies
        self.has_lists = any(isinstance(line, list) for line in lines)
        self.lines = lines
        self.count = 0

    def read(self, limit: int) -> list[str]:
        """Return the next lines: `limit` of them, or fewer at the end."""
        lines = [*self.lines[self.count:self.count + limit]]
        self.count += len(lines)
        return lines

    def close(self) -> None:
        """Do nothing: no file is open."""

    def fraction_read(self) -> float:
        """Return the share of the lines that has been read."""
        return self.count / max(1, len(self.lines))


def read_lines(path: str | None, ends: str = WHITESPACE, encoding: str = "utf-8") -> list[str]:
    """Return all lines of a file."""
    with closing(LineStream(path, encoding, ends)) as stream:
        return stream.read(sys.maxsize)


def is_blank(line: str | bytes) -> bool:
    """Whether a line (of text, or of bytes in UTF-8) has nothing but whitespace."""
    return not _text_of_line(line).strip(WHITESPACE)


def _text_of_line(line: str | bytes) -> str:
    return line.decode("utf-8", "replace") if isinstance(line, bytes) else line


def aligned_blocks(streams: Sequence[Any], advice: str = "") -> Iterator[list[list[Any]]]:
    """Read parallel streams to their ends, block by block.

    Args:
        streams: the streams (`LineStream` or others that are read as it is), which are closed at the end.
        advice: a text to add to the error if the first stream is empty.

    Returns:
        Blocks: for each stream a list of lines, all of the same length.

    Raises:
        LengthError: the streams have different numbers of lines.
        PurebleuError: they are empty, or can't be read.
    """
    leader = streams[0]
    at_once = _LINES_AT_FIRST
    block: list[list[Any]] = [[] for _ in streams]
    characters = 0  # (or bytes)
    try:
        while True:
            parts = [leader.read(at_once)]
            parts += [stream.read(len(parts[0]) or 1) for stream in streams[1:]]
            if leader.count == len(parts[0]):
                warn_of_records(streams, parts)
            if len(set(map(len, parts))) > 1:
                raise LengthError(_different_lengths(streams) + ("" if leader.count else advice))
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
    """Warn of files that are read as lines of text, although their first lines are records with columns."""
    named: dict[str, list[str]] = {}
    for stream, part in zip(streams, parts):
        if isinstance(stream, LineStream) and part and _may_be_record(part[0]):
            from .forms import advice_on_lines

            lines = list(map(_text_of_line, part[:_LINES_AT_FIRST]))
            if advice := advice_on_lines(stream.name, lines, stream.text is None, stream.role):
                named.setdefault(advice.replace(stream.name, ""), []).append(advice)
    if named:
        # (Files with the same columns have the same advice.)
        warn("; ".join([alike[0] + (f"; the same for {counted(len(alike) - 1, 'other file')}" if alike[1:] else "")
                        for alike in named.values()]))


def _may_be_record(line: str | bytes) -> bool:
    """Whether a line may be JSON or headings of columns. (Neither ends as a sentence does.)"""
    text = _text_of_line(line)
    if text.lstrip()[:1] in ("", "{", "["):
        return True
    end = text.rstrip()[-1:]
    return (end.isalnum() or end == '"') and any(separator in text for separator in "\t,;")


def _different_lengths(streams: Sequence[Any]) -> str:
    """Read streams that are not parallel to their ends, and return the message about their numbers of lines."""
    for stream in streams:
        while stream.read(_LINES_AT_ONCE):
            pass
    return "the numbers of lines differ: " + ", ".join([f"{stream.count} in {stream.name}" for stream in streams])


# Columns


def split_systems(lines: Sequence[str], systems: int | None, name: str, first: int = 1) -> list[list[str]]:
    """Return the tab-separated columns of lines, one for each system.

    Args:
        lines: one or more.
        systems: the number of systems; `None` for as many as the first line has.
        name: the name of the file in errors.
        first: the number of the first of these lines in the file.

    Raises:
        FieldCountError: a line has another number of fields.
    """
    rows = [line.split("\t") for line in lines]
    systems = systems or len(rows[0])
    columns = _columns(rows, systems, f"the first line has {systems}", name, first)
    return [list(map(str.rstrip, column, repeat(WHITESPACE))) for column in columns]


def split_fields(lines: Sequence[str], fields: int, name: str, first: int = 1) -> list[list[str]]:
    """Return the tab-separated columns of lines. Further tabs belong to the last field.

    Args:
        lines: one or more.
        fields: the number of columns.
        name: the name of the file in errors.
        first: the number of the first of these lines in the file.

    Raises:
        FieldCountError: a line has fewer fields.
    """
    rows = [line.split("\t", fields - 1) for line in lines]
    return _columns(rows, fields, f"{fields} are needed", name, first)


def _columns(rows: Sequence[list[str]], count: int, expected: str, name: str, first: int) -> list[list[str]]:
    """Return the columns of rows with `count` fields each. For another number, the error says what was expected."""
    for number, row in enumerate(rows, first):
        if len(row) != count:
            raise FieldCountError(f"{name}: line {number}: {counted(len(row), 'tab-separated field')}, but {expected}")
    return list(map(list, zip(*rows)))
