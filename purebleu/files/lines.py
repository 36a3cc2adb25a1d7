"""Streams of lines, which can be read in parallel, and tab-separated columns in lines."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from io import StringIO
from itertools import islice, repeat

from ..runtime.blocks import BLOCK_CHARACTERS, BLOCK_SEGMENTS
from ..runtime.errors import FieldCountError, LengthError, PurebleuError, counted, warn
from ..runtime.hints import Any, Iterator, Sequence
from ..unicode.properties import WHITESPACE
from .opening import HYPOTHESES, SCORED, smart_open

#: The number of lines that are read at once. At first, few lines are read, because very long lines must fit into
#: memory. Later, more lines are read at once, which is faster.
_LINES_AT_FIRST = 8
_LINES_AT_ONCE = 128


class LineStream:
    """A stream of the lines of a file or of standard input, which are read a few at a time.

    Lines end at a line feed and nowhere else. Compressed files are decompressed.

    Attributes:
        path: the path of the file; `None` for standard input.
        name: the name in errors.
        count: the number of lines that have been read.
        text: the content, if it is held in memory; else `None`.
        role: the role of the lines, such as `HYPOTHESES`. Advice on columns depends on the role. If the lines are
            scored, they keep a byte-order mark, else they drop it.

    Args:
        path: the path of the file; `None` for standard input.
        encoding: the encoding of the file.
        ends: the characters that are removed from the ends of lines; `None`: lines keep their line feeds.
        text: the content, if it is held in memory; then `path` is only a name.
    """

    def __init__(self, path: str | None, encoding: str = "utf-8", ends: str | None = WHITESPACE,
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
        return smart_open(0 if self.path is None else self.path, encoding=self._encoding)

    def read(self, limit: int) -> list[Any]:
        """Return the next `limit` lines, or fewer at the end.

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
            if self.role in SCORED:
                warn(f"{self.name} starts with a byte-order mark, which is scored as part of its first word")
            else:
                lines[0] = lines[0][1:]
        self.count += len(lines)
        self._at_end = len(lines) < limit
        return lines

    def fraction_read(self) -> float | None:
        """Return the share of the file's bytes that has been read; `None` if the share is unknown."""
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
        """Return the message for an error that reading raised after `lines_before` lines; `None` for unknown errors."""
        if isinstance(error, UnicodeDecodeError):
            # `error.object` is the chunk of bytes after the lines that were read. Lines in this chunk count, too.
            encoding = error.encoding.replace("utf16", "utf-16").replace("utf32", "utf-32")  # PyPy's spelling
            line_feeds = error.object[:error.start].decode(encoding, "replace").count("\n")
            where = f"{self.name}: line {lines_before + line_feeds + 1}"
            byte = error.object[error.start]
            # (The byte-order mark of the file may have changed the encoding.)
            read_as = getattr(self._file, "encoding", self._encoding)
            return (f"{where}: not valid {read_as} (byte 0x{byte:02x}); if the file has another encoding, name it with "
                    "-e or --reference-encoding")
        # (If the name of an encoding has half of a surrogate pair, Python raises `UnicodeEncodeError`.)
        if isinstance(error, LookupError) or (isinstance(error, UnicodeEncodeError) and error.object == self._encoding):
            return f"unknown encoding {self._encoding!r}"
        if isinstance(error, UnicodeError):
            return f"{self.name}: not valid {self._encoding} ({error})"
        if isinstance(error, EOFError):
            return f"{self.name}: the compressed data is cut off"
        file = self.name.rpartition(":")[0]
        if isinstance(error, FileNotFoundError) and os.path.isfile(file):
            smart_open(file).close()  # (`smart_open` has better errors, for example for ZIP archives)
            return (f"{self.name}: {error.strerror} ({file} has no columns, because it does not look like JSON Lines, "
                    "CSV, TSV or XML)")
        if isinstance(error, FileNotFoundError) and os.path.exists(file) and not os.path.isdir(file):
            return (f"{self.name}: {error.strerror} (the format of a pipe with columns is not recognized: send it to "
                    f"standard input, and name its format, as in -:jsonl:{self.name[len(file) + 1:]})")
        if isinstance(error, OSError):
            return f"{self.name}: {error.strerror or error}"
        if isinstance(error, ImportError):  # (some builds of Python lack zlib)
            return f"{self.name}: this Python can't decompress the file ({error})"
        # (The names of modules are compared, because the modules can't be imported in every Python.)
        is_damaged = type(error).__module__ in ("zlib", "_lzma", "lzma", "_zstd", "compression.zstd")
        return f"{self.name}: the compressed data is damaged ({error})" if is_damaged else None


class HeldLines:
    """Lines or scores in memory, with the methods of a `LineStream`.

    `source` is the file or column that the lines come from. `varies` means the same as in `RecordColumn`. If only some
    lines of a file are held, `mask` says for each line of the file whether it is held.
    """

    def __init__(self, name: str, lines: Sequence[str], source: str = "", varies: bool = False,
                 mask: Sequence[bool] = ()) -> None:
        self.name = name
        self.source = source
        self.varies = varies
        self.mask = mask
        self.has_lists = any(isinstance(line, list) for line in lines)
        self.lines = lines
        self.count = 0

    def read(self, limit: int) -> list[str]:
        """Return the next `limit` lines, or fewer at the end."""
        lines = [*self.lines[self.count:self.count + limit]]
        self.count += len(lines)
        return lines

    def close(self) -> None:
        """Do nothing: no file is open."""

    def fraction_read(self) -> float:
        """Return the share of the lines that has been read."""
        return self.count / max(1, len(self.lines))


def read_lines(path: str | None, ends: str = WHITESPACE, encoding: str = "utf-8", role: str = HYPOTHESES) -> list[str]:
    """Return all lines of a file. `role` is as for `LineStream`."""
    with closing(LineStream(path, encoding, ends)) as stream:
        stream.role = role
        return stream.read(sys.maxsize)


def is_blank(line: str) -> bool:
    """Return whether a line is empty or consists of whitespace."""
    return not line.strip(WHITESPACE)


def aligned_blocks(streams: Sequence[Any], advice: str = "") -> Iterator[list[list[Any]]]:
    """Read parallel streams to their ends, block by block.

    Args:
        streams: each a `LineStream`, or an object with the same methods. All streams are closed at the end.
        advice: a text to add to the error if the first stream is empty.

    Returns:
        Blocks. A block has a list of lines for each stream, and these lists have the same length.

    Raises:
        LengthError: the streams have different numbers of lines.
        PurebleuError: all streams are empty, or a stream can't be read.
    """
    leader = streams[0]
    at_once = _LINES_AT_FIRST
    block: list[list[Any]] = [[] for _ in streams]
    characters = 0
    try:
        while True:
            parts = [leader.read(at_once)]
            parts += [stream.read(len(parts[0]) or 1) for stream in streams[1:]]
            if leader.count == len(parts[0]):
                warn_of_other_formats(streams, parts)
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


def warn_of_other_formats(streams: Sequence[Any], parts: Sequence[Sequence[str]]) -> None:
    """Warn if files are read as lines of text, but their first lines look like records with columns, or like UTF-16."""
    named: dict[str, list[str]] = {}
    for stream, part in zip(streams, parts):
        if isinstance(stream, LineStream) and part and all("\0" in line for line in part):
            warn(f"{stream.name} has NUL characters: if it is UTF-16, name its encoding (such as utf-16-le) with "
                 "-e or --reference-encoding")
        if isinstance(stream, LineStream) and part and _may_be_record(part[0]):
            from .forms import advice_on_lines

            if advice := advice_on_lines(stream.name, part[:_LINES_AT_FIRST], stream.text is None, stream.role):
                named.setdefault(advice.replace(stream.name, ""), []).append(advice)
    if named:
        # (If several files have the same columns, the warning has only the advice for the first file.)
        warn("; ".join([first + (f"; the same for {counted(len(others), 'other file')}" if others else "")
                        for first, *others in named.values()]))


def _may_be_record(line: str) -> bool:
    """Return whether a line may be JSON or headings of columns. (Sentences end with a full stop, headings do not.)"""
    if line.lstrip()[:1] in ("", "{", "["):
        return True
    end = line.rstrip()[-1:]
    return (end.isalnum() or end == '"') and any(separator in line for separator in "\t,;")


def _different_lengths(streams: Sequence[Any]) -> str:
    """Read all streams to the end, and return the message that their numbers of lines differ."""
    for stream in streams:
        while stream.read(_LINES_AT_ONCE):
            pass
    return "the numbers of lines differ: " + ", ".join([f"{stream.count} in {stream.name}" for stream in streams])


# Columns


def split_systems(lines: Sequence[str], systems: int | None, name: str, first: int = 1) -> list[list[str]]:
    """Return the tab-separated columns of lines, one for each system.

    Args:
        lines: one or more lines.
        systems: the number of systems; `None`: the number of fields in the first line.
        name: the name of the file in errors.
        first: the number that the first line of `lines` has in the file.

    Raises:
        FieldCountError: a line has fewer or more fields.
    """
    rows = [line.split("\t") for line in lines]
    systems = systems or len(rows[0])
    columns = _columns(rows, systems, f"the first line has {systems}", name, first)
    return [list(map(str.rstrip, column, repeat(WHITESPACE))) for column in columns]


def split_fields(lines: Sequence[str], fields: int, name: str, first: int = 1) -> list[list[str]]:
    """Return the tab-separated columns of lines. Further tabs belong to the last field.

    Args:
        lines: one or more lines.
        fields: the number of columns.
        name: the name of the file in errors.
        first: the number that the first line of `lines` has in the file.

    Raises:
        FieldCountError: a line has fewer fields.
    """
    rows = [line.split("\t", fields - 1) for line in lines]
    return _columns(rows, fields, f"{fields} are needed", name, first)


def _columns(rows: Sequence[list[str]], count: int, expected: str, name: str, first: int) -> list[list[str]]:
    """Return the columns of rows that have `count` fields each.

    If a row has another number of fields, the message of the error ends with `expected`.
    """
    for number, row in enumerate(rows, first):
        if len(row) != count:
            raise FieldCountError(f"{name}: line {number} has {counted(len(row), 'tab-separated field')}, but "
                                  f"{expected}")
    return list(map(list, zip(*rows)))
