"""Names of files and of their columns; and opening files: decompressed, decoded, refused if they never end."""

from __future__ import annotations

import codecs
import os
import stat
from contextlib import suppress
from io import BufferedReader, TextIOWrapper

from ..errors import OptionError, PurebleuError, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Iterable

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

#: The kinds of files that have columns, by the ends of their names (before `.gz`).
KINDS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".tsv": "tsv", ".xml": "xml",
         ".sgm": "sgm", ".sgml": "sgm"}

#: Those that are never read as lines of text.
_NEVER_LINES = ("xml", "sgm")

STDIN = "-"


def smart_open(file: object, mode: str = "rt", encoding: str = "utf-8") -> IO[str]:
    """Open a text file, with lines that end at line feeds only.

    A compressed file is decompressed when it is read (gzip, xz, bzip2; from Python 3.14 on, Zstandard). If UTF-8 is
    expected, but the first bytes are the byte-order mark of UTF-16 or UTF-32, the file is read as that. A file that is
    written is compressed if its name ends in `.gz`.

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


# Names on the command line


def may_have_columns(name: str) -> bool:
    """Whether a name on the command line may stand for something else than a file of lines (`column_of` decides it)."""
    return ":" in name or name == STDIN or kind_of(name) in _NEVER_LINES


class Column:
    """A file, or a column of one.

    Attributes:
        name: as given.
        path: that of the file; `None` for standard input.
        kind: a value of `KINDS`, or an empty string for lines of text.
        selector: the column, as a file of this kind has it; it may be empty if the file needs none.
    """

    def __init__(self, name: str, path: str | None, kind: str = "", selector: str = "") -> None:
        self.name = name
        self.path = path
        self.kind = kind
        self.selector = selector


def column_of(name: str) -> Column:
    """Return the file or column of a name: `FILE`, `FILE:COLUMN` (`out.jsonl:hypothesis`), `-` or `-:KIND:COLUMN`.

    A file that exists under the whole name is taken as it is, as lines of text (unless its name ends in `.xml` or
    `.sgm`).

    Raises:
        OptionError: the column or the kind is missing.

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
    kind = kind_of(name)
    return Column(name, name, kind if kind in _NEVER_LINES else "")


def _column_of_stdin(name: str) -> Column:
    kind, _, selector = name[2:].partition(":")
    if kind not in KINDS.values():
        raise OptionError(f"{name}: of standard input, a column is -:KIND:COLUMN, where KIND is one of "
                          f"{', '.join(dict.fromkeys(KINDS.values()))}")
    return Column(name, None, kind, selector)


def _checked(column: Column) -> Column:
    if not column.selector and column.kind not in _NEVER_LINES:
        raise OptionError(f"{column.name}: the name of a column is missing behind the colon")
    return column


def can_be_read_again(names: Iterable[str]) -> bool:
    """Whether all of these names are those of files, or of columns of files, rather than of pipes, say."""
    paths = [column_of(name).path for name in names]
    return all(path is not None and os.path.isfile(path) for path in paths)


def kind_of(path: str) -> str:
    """The kind of a file with columns by its name: a value of `KINDS`, or an empty string."""
    suffix = os.path.splitext(path[:-len(".gz")] if path.endswith(".gz") else path)[1]
    return KINDS.get(suffix.lower(), "")
