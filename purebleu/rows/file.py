"""Files of rows: JSON Lines, compressed if the name ends in `.gz`.

A file is a sequence of parts. Each part is a header, then an array for each row, then a line with the number of rows
and the SHA-256 sum of the part's lines before it. So a reader notices if a part was cut off or changed, and in which
line. Files can be joined by writing one after another.
"""

from __future__ import annotations

import os
from itertools import groupby

from ..errors import PurebleuError
from ..files.lines import LineStream
from ..files.writing import write_named
from ..hints import Any, Iterable, Iterator, Row, Sequence
from ..metrics import FURTHER_MODULES, MODULES, OUTSIDE_MODULES
from .checksums import LABELS
from .stored import NAMINGS, StoredRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, NoReturn, Tuple

    #: The lines of a file, with their numbers.
    NumberedLines = Iterator[Tuple[int, str]]

FORMAT = "purebleu-rows"
VERSION = 1

#: The members of a header, and their types.
_FIELDS: dict[str, type] = {
    "metric": str, "options": dict, "signature": str, "columns": list, "system": str, "naming": str, "offset": int,
    "hypothesis_sha256": str, "references_sha256": list, "ids_sha256": str, "labels": dict,
}

#: The number of lines that are read at once.
_LINES_AT_ONCE = 4096


def write(path: str, parts: Iterable[StoredRows]) -> None:
    """Write rows to a file, in the order given.

    Args:
        path: the file to write. A file of this name is replaced when all is written.
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
    """Yield the lines of a file of rows."""
    import hashlib

    for part in parts:
        checksum = hashlib.sha256()
        for line in _described(part):
            checksum.update(line)
            yield line
        yield _json_line({"rows": len(part.rows), "sha256": checksum.hexdigest()})


def _described(part: StoredRows) -> Iterator[bytes]:
    """Yield the header and the rows of a part, each as a line."""
    fields = {name: getattr(part, name) for name in _FIELDS}
    fields["labels"] = {name: _runs_of(labels) for name, labels in part.labels.items()}
    yield _json_line({"format": FORMAT, "version": VERSION, **fields})
    for row in part.rows:
        # (`repr` of a float is the shortest text that reads back as the same one.)
        yield f"[{','.join(map(repr, row))}]\n".encode("ascii")


def _runs_of(labels: Sequence[str]) -> list[tuple[str, int]]:
    """Return the label of each run of equal labels, and the length of the run."""
    return [(label, len(list(run))) for label, run in groupby(labels)]


def _json_line(value: dict[str, Any]) -> bytes:
    import json

    return (json.dumps(value) + "\n").encode("ascii")


def is_file_of_rows(path: str) -> bool:
    """Whether a path is a plain file that `write` has written, as far as its first line shows."""
    if not os.path.isfile(path):
        return False
    stream = LineStream(path, "ascii")  # (all files of rows are ASCII)
    try:
        return "".join(stream.read(1)).startswith(f'{{"format": "{FORMAT}"')
    except PurebleuError:
        return False
    finally:
        stream.close()


def read(path: str) -> list[StoredRows]:
    """Read the rows in a file.

    Args:
        path: a file that `write` has written, or several of them, joined. It is decompressed if its name ends in
            `.gz`.

    Returns:
        The parts, in the order of the file.

    Raises:
        PurebleuError: the file can't be read, is no file of rows, was cut off or changed, or has a later version of the
            form.
    """
    lines = _numbered_lines(path)
    parts = [_read_part(path, number, line, lines) for number, line in lines]
    if not parts:
        raise PurebleuError(f"{path}: no rows, the file is empty")
    return parts


def _numbered_lines(path: str) -> NumberedLines:
    stream = LineStream(path, ends="\r\n")  # (on Windows, git may have changed the line feeds)
    try:
        while lines := stream.read(_LINES_AT_ONCE):
            yield from enumerate(lines, stream.count - len(lines) + 1)
    finally:
        stream.close()


def _read_part(path: str, number: int, line: str, lines: NumberedLines) -> StoredRows:
    """Read a part: `line` is its header, and the next of `lines` are its rows."""
    import hashlib

    header = _checked_header(path, number, line)
    checksum = hashlib.sha256(_encoded(line))
    rows: list[Row] = []
    for number, line in lines:
        if line.startswith("{"):
            if _object_in(path, number, line) != {"rows": len(rows), "sha256": checksum.hexdigest()}:
                raise PurebleuError(f"{path}, line {number}: the rows of {header['system']} are not those that were "
                                    "written: the file was changed")
            return _part_of(path, number, header, rows)
        rows.append(_checked_row(path, number, line, len(header["columns"])))
        checksum.update(_encoded(line))
    raise PurebleuError(f"{path}: the file is cut off after line {number}, in the rows of {header['system']}")


def _encoded(line: str) -> bytes:
    return (line + "\n").encode("utf-8", "surrogatepass")


def _parsed(path: str, number: int, line: str) -> Any:
    """Parse the JSON in a line."""
    import json

    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    try:
        return json.loads(line, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise PurebleuError(f"{path}, line {number}: not a line of a file of rows") from None


def _object_in(path: str, number: int, line: str) -> dict[str, Any]:
    """Return the object of JSON in a line; an empty one if the line has another value."""
    value = _parsed(path, number, line)
    found: dict[str, Any] = value if type(value) is dict else {}  # pyright: ignore[reportUnknownVariableType]  # JSON
    return found


def _checked_header(path: str, number: int, line: str) -> dict[str, Any]:
    """Return the header of a part; raises `PurebleuError` if something in it is wrong."""
    header = _object_in(path, number, line)
    if header.get("format") != FORMAT:
        raise PurebleuError(f"{path}, line {number}: not the header of a part of a file of rows")
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        raise PurebleuError(f"{path}, line {number}: version {version!r:.40} of the form is unknown here")
    for name, kind in _FIELDS.items():
        if type(header.get(name)) is not kind:
            raise PurebleuError(f"{path}, line {number}: the header's {name!r} is {header.get(name)!r:.40}")
    if header["metric"] not in (*MODULES, *FURTHER_MODULES, *OUTSIDE_MODULES):
        raise PurebleuError(f"{path}, line {number}: the metric {header['metric']!r:.40} is unknown here")
    if header["naming"] not in NAMINGS or header["offset"] < 0 or not header["labels"].keys() <= {*LABELS}:
        raise PurebleuError(f"{path}, line {number}: the header's naming, offset or labels are wrong")
    return header


def _checked_row(path: str, number: int, line: str, columns: int) -> Row:
    """Parse a row, which must have this many numbers."""
    value = _parsed(path, number, line)
    if type(value) is not list or len(value) != columns or not {*map(type, value)} <= {int, float}:  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON
        raise PurebleuError(f"{path}, line {number}: not a row of {columns} numbers")
    return tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON


def _part_of(path: str, number: int, header: dict[str, Any], rows: list[Row]) -> StoredRows:
    """Return the part with this header and these rows. `number` is the number of its last line."""
    fields = {name: header[name] for name in _FIELDS}
    try:
        fields["labels"] = {name: _labels_of_runs(runs, len(rows)) for name, runs in header["labels"].items()}
        part = StoredRows(**fields, rows=rows)
        if part.make_metric().column_names() != header["columns"]:
            raise PurebleuError(f"the columns of {header['metric']} are {header['columns']!r:.80}")
    except (PurebleuError, TypeError, ValueError) as error:
        raise PurebleuError(f"{path}, line {number}: the part that ends here is not as it was written ({error})"
                            ) from error
    return part


def _labels_of_runs(runs: list[tuple[str, int]], segments: int) -> list[str]:
    """Return the label of each segment: the opposite of `_runs_of`."""
    count = sum([length for _, length in runs])
    if count != segments:
        raise PurebleuError(f"there are labels of {count} segments, not of {segments}")
    labels: list[str] = []
    for label, length in runs:
        labels += [label] * length
    return labels
