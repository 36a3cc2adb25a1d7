"""Files of rows: JSON Lines, compressed where the name ends in `.gz`.

The first line says which parts the file has, and the last one that this is all of them. Each part is a header, then an
array for each row, then a line with the number of rows, their sums, and the SHA-256 sum of the part's lines before it;
the last line of the file has that of all lines. So a file that was cut off or changed is seen, wherever that was. Files
may be put one after another.

In version 1 of the form, which is read with a warning, a file had nothing but its parts.
"""

from __future__ import annotations

import os

from ..errors import PurebleuError, warn
from ..files.text import LineStream
from ..files.writing import write_named
from ..metrics.contract import sum_statistics
from .checking import (
    checked_columns,
    checked_header,
    checked_opening,
    checked_row,
    object_of,
    parsed,
    part_of_opening,
    ranges_of,
    version_of,
)
from .labels import as_runs, from_runs
from .stored import VERSION, StoredRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Iterable, Iterator, Sequence, Tuple

    from ..metrics.contract import Row

    #: The lines of a file, with their numbers.
    NumberedLines = Iterator[Tuple[int, str]]

FORMAT = "purebleu-rows"

#: The number of lines that are read at once.
_LINES_AT_ONCE = 4096


def write(path: str, parts: Iterable[StoredRows]) -> None:
    """Write rows to a file, in the order given.

    Args:
        path: that of the file; a file of this name is replaced, once all is written.
        parts: one or more for each system and metric.

    Raises:
        PurebleuError: the file can't be written.

    Example:
        >>> import os, tempfile
        >>> from purebleu import TER
        >>> metric = TER()
        >>> rows = metric.corpus_statistics(["a b", "c"], [["a x", "c"]])
        >>> part = StoredRows.of_evaluation("out.txt", metric, metric.get_signature(), rows)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write(os.path.join(folder, "out.rows"), [part])
        ...     [stored] = read(os.path.join(folder, "out.rows"))
        >>> stored.rows, stored.columns
        ([(1, 2.0), (0, 1.0)], ('num_edits', 'ref_length'))
    """
    def write_all(file: IO[bytes]) -> None:
        if not path.endswith(".gz"):
            file.writelines(lines_of(parts))
            return
        from gzip import GzipFile

        with GzipFile("", "wb", fileobj=file, mtime=0) as compressed:  # the same rows, the same bytes
            compressed.writelines(lines_of(parts))

    write_named(path, write_all)


def lines_of(parts: Iterable[StoredRows]) -> Iterator[bytes]:
    """The lines of a file of rows."""
    import hashlib

    all_parts = list(parts)
    checksum = hashlib.sha256()
    for line in _opened_parts(all_parts):
        checksum.update(line)
        yield line
    yield _json_line({"closed": True, "parts": len(all_parts), "sha256": checksum.hexdigest()})


def _opened_parts(parts: Sequence[StoredRows]) -> Iterator[bytes]:
    """The first line, and the lines of all parts."""
    import hashlib

    yield _json_line({"format": FORMAT, "version": VERSION, "parts": [
        part_of_opening(part.system, part.metric, part.offset, len(part.rows)) for part in parts]})
    for part in parts:
        checksum = hashlib.sha256()
        for line in _described(part):
            checksum.update(line)
            yield line
        yield _json_line({"end": True, "rows": len(part.rows), "totals": sum_statistics(part.rows),
                          "sha256": checksum.hexdigest()})


def _described(part: StoredRows) -> Iterator[bytes]:
    """The header and the rows of a part, each as a line."""
    labels = {name: as_runs(segment_labels) for name, segment_labels in part.labels.items()}
    yield _json_line({
        "metric": part.metric, "options": part.options, "signature": part.signature, "columns": list(part.columns),
        "system": part.system, "naming": part.naming, "offset": part.offset, "segments": len(part.rows),
        "hypothesis_sha256": part.hypothesis_sha256, "references_sha256": part.references_sha256,
        "ids_sha256": part.ids_sha256, "ranges": part.ranges, **({"labels": labels} if labels else {}),
    })
    for row in part.rows:
        # (`repr` of a float is the shortest text that reads back as the same one.)
        yield f"[{','.join(map(repr, row))}]\n".encode("ascii")


def _json_line(value: dict[str, Any]) -> bytes:
    import json

    return (json.dumps(value) + "\n").encode("ascii")


def is_file_of_rows(path: str) -> bool:
    """Whether a plain file begins as those that `write` wrote."""
    if not os.path.isfile(path):
        return False
    stream = LineStream(path, "ascii")  # as rows are
    try:
        return "".join(stream.read(1)).startswith(f'{{"format": "{FORMAT}"')
    except PurebleuError:
        return False
    finally:
        stream.close()


def read(path: str) -> list[StoredRows]:
    """The rows in a file.

    Args:
        path: that of a file that `write` wrote, or of several of them one after another; it is decompressed where its
            name ends in `.gz`.

    Returns:
        The parts, in the order of the file.

    Raises:
        PurebleuError: the file can't be read, is something else, was cut off or changed, has numbers that no text has,
            or comes from a later version of the form.
    """
    lines = _numbered_lines(path)
    parts: list[StoredRows] = []
    versions: set[int] = set()
    for number, line in lines:
        version = version_of(path, number, line, FORMAT)
        versions.add(version)
        if version == VERSION:
            parts += _read_parts(path, number, line, lines)
        else:
            parts.append(_read_part(path, number, line, lines, version))
    if not parts:
        raise PurebleuError(f"{path}: no rows, the file is empty")
    if 1 in versions:
        warn(f"{path} has version 1 of the form, in which nothing tells whether parts are missing: save it again")
    return parts


def _numbered_lines(path: str) -> NumberedLines:
    stream = LineStream(path, ends="\r\n")  # (git may have changed the ends of lines, on Windows)
    try:
        while lines := stream.read(_LINES_AT_ONCE):
            yield from enumerate(lines, stream.count - len(lines) + 1)
    finally:
        stream.close()


def _read_parts(path: str, number: int, line: str, lines: NumberedLines) -> list[StoredRows]:
    """The parts after a first line, up to the last line."""
    import hashlib

    announced = checked_opening(path, number, line)
    checksum = hashlib.sha256()

    def seen(numbered: NumberedLines) -> NumberedLines:
        """The lines, as they are; the checksum of all is that of those which were taken."""
        for place, text in numbered:
            checksum.update(_encoded(text))
            yield place, text

    checksum.update(_encoded(line))
    lines_seen = seen(lines)
    parts: list[StoredRows] = []
    for expected in announced:
        number, line = next(lines_seen, (number, ""))
        if not line:
            break
        part = _read_part(path, number, line, lines_seen, VERSION)
        if part_of_opening(part.system, part.metric, part.offset, len(part.rows)) != expected:
            raise PurebleuError(f"{path}, line {number}: the rows of {part.system} are not those that the file's first "
                                "line tells of: the file was changed")
        parts.append(part)
    number, line = next(lines, (number, ""))
    if not line or len(parts) < len(announced):
        raise PurebleuError(f"{path}: the file is cut off: its first line tells of {len(announced)} parts, and its "
                            "last line is missing")
    if parsed(path, number, line) != {"closed": True, "parts": len(parts), "sha256": checksum.hexdigest()}:
        raise PurebleuError(f"{path}, line {number}: not the last line of what was written: the file was changed")
    return parts


def _read_part(path: str, number: int, line: str, lines: NumberedLines, version: int) -> StoredRows:
    """A part, whose header is this line, and whose rows are the next ones."""
    import hashlib

    header, metric = checked_header(path, number, line, version)
    checksum = hashlib.sha256(_encoded(line))
    first = number + 1
    rows: list[Row] = []
    for number, line in lines:
        if line.startswith("{"):
            checked_columns(path, first, metric, header["columns"], rows)
            _check_end(path, number, line, header, rows, checksum.hexdigest())
            return StoredRows(header["system"], header["metric"], header["options"], header["signature"],
                              header["columns"], rows, header["offset"], header["hypothesis_sha256"],
                              header["references_sha256"], header["naming"], header.get("ids_sha256", ""),
                              ranges_of(header.get("ranges", ())), version,
                              {name: from_runs(runs, len(rows)) for name, runs in header.get("labels", {}).items()})
        rows.append(checked_row(path, number, line, len(header["columns"])))
        checksum.update(_encoded(line))
    raise PurebleuError(f"{path}: the file is cut off after line {number}, in the rows of {header['system']}")


def _encoded(line: str) -> bytes:
    return (line + "\n").encode("utf-8", "surrogatepass")


def _check_end(path: str, number: int, line: str, header: dict[str, Any], rows: Sequence[Row], checksum: str) -> None:
    """Raise `PurebleuError` unless the line that ends a part says what its lines are."""
    end = object_of(parsed(path, number, line))
    expected = {"end": True, "rows": len(rows), "totals": sum_statistics(rows), "sha256": checksum}
    if end.get("end") is not True:
        raise PurebleuError(f"{path}, line {number}: neither a row nor the end of those before")
    if end != expected or header["segments"] != len(rows):
        raise PurebleuError(f"{path}, line {number}: the rows of {header['system']} are not those that were written: "
                            "the file was changed")
