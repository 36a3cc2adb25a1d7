"""Files of rows: JSON Lines, compressed where the name ends in `.gz`.

Each part of a file is a header, then an array for each row, then a line that ends it with the number of rows, their
sums, and the SHA-256 sum of all lines before it; so that a part that was cut off or changed is seen.
"""

from __future__ import annotations

import math
import os

from ..errors import PurebleuError
from ..files.cache import write_named
from ..files.text import LineStream
from ..metrics import FURTHER_MODULES, MODULES, metric_class
from ..metrics.contract import sum_statistics
from .stored import NAMINGS, StoredRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Iterable, Iterator, Sequence

    from ..metrics.contract import Row

FORMAT = "purebleu-rows"
VERSION = 1

#: The number of lines that are read at once.
_LINES_AT_ONCE = 4096

#: What a header has, and of which type. (Of lists and objects, what is in them is checked where it is used.)
_FIELDS: dict[str, type] = {
    "format": str, "version": int, "metric": str, "options": dict, "signature": str, "columns": list, "system": str,
    "naming": str, "offset": int, "segments": int, "hypothesis_sha256": str, "references_sha256": list,
}


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

    for part in parts:
        checksum = hashlib.sha256()
        for line in _described(part):
            checksum.update(line)
            yield line
        end = {"end": True, "rows": len(part.rows), "totals": sum_statistics(part.rows), "sha256": checksum.hexdigest()}
        yield _json_line(end)


def _described(part: StoredRows) -> Iterator[bytes]:
    """The header and the rows of a part, each as a line."""
    yield _json_line({
        "format": FORMAT, "version": VERSION, "metric": part.metric, "options": part.options,
        "signature": part.signature, "columns": list(part.columns), "system": part.system, "naming": part.naming,
        "offset": part.offset, "segments": len(part.rows), "hypothesis_sha256": part.hypothesis_sha256,
        "references_sha256": part.references_sha256,
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
    stream = LineStream(path, "latin-1")  # in which anything can be read
    try:
        return "".join(stream.read(1)).startswith(f'{{"format": "{FORMAT}"')
    except PurebleuError:
        return False
    finally:
        stream.close()


def read(path: str) -> list[StoredRows]:
    """The rows in a file.

    Args:
        path: that of a file that `write` wrote; it is decompressed where its name ends in `.gz`.

    Returns:
        The parts, in the order of the file.

    Raises:
        PurebleuError: the file can't be read, is something else, was cut off or changed, or comes from a later
            version of the format.
    """
    lines = _numbered_lines(path)
    parts: list[StoredRows] = []
    for number, line in lines:
        parts.append(_read_part(path, number, line, lines))
    if not parts:
        raise PurebleuError(f"{path}: no rows, the file is empty")
    return parts


def _numbered_lines(path: str) -> Iterator[tuple[int, str]]:
    stream = LineStream(path, ends="\n")
    try:
        while lines := stream.read(_LINES_AT_ONCE):
            yield from enumerate(lines, stream.count - len(lines) + 1)
    finally:
        stream.close()


def _read_part(path: str, number: int, line: str, lines: Iterator[tuple[int, str]]) -> StoredRows:
    """A part, whose header is this line, and whose rows are the next ones."""
    import hashlib

    header = _checked_header(path, number, line)
    checksum = hashlib.sha256((line + "\n").encode("utf-8", "surrogatepass"))
    rows: list[Row] = []
    for number, line in lines:
        if line.startswith("{"):
            _check_end(path, number, line, header, rows, checksum.hexdigest())
            return StoredRows(header["system"], header["metric"], header["options"], header["signature"],
                              header["columns"], rows, header["offset"], header["hypothesis_sha256"],
                              header["references_sha256"], header["naming"])
        rows.append(_checked_row(path, number, line, len(header["columns"])))
        checksum.update((line + "\n").encode("utf-8", "surrogatepass"))
    raise PurebleuError(f"{path}: the file is cut off after line {number}, in the rows of {header['system']}")


def _parsed(path: str, number: int, line: str) -> Any:
    import json

    try:
        return json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise PurebleuError(f"{path}, line {number}: not a line of a file of rows") from None


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _checked_header(path: str, number: int, line: str) -> dict[str, Any]:
    header = _object(_parsed(path, number, line))
    if header.get("format") != FORMAT:
        raise PurebleuError(f"{path}, line {number}: not the header of a file of rows")
    if header.get("version") != VERSION:
        raise PurebleuError(f"{path}, line {number}: version {header.get('version')!r} of the format is unknown here")
    for name, kind in _FIELDS.items():
        if type(header.get(name)) is not kind:
            raise PurebleuError(f"{path}, line {number}: the header's {name!r} is {header.get(name)!r:.40}")
    problem = _problem_of(header)
    if problem:
        raise PurebleuError(f"{path}, line {number}: {problem}")
    return header


def _problem_of(header: dict[str, Any]) -> str | None:
    """What is wrong in a header that has all that it should have."""
    name, options = header["metric"], header["options"]
    if name not in (*MODULES, *FURTHER_MODULES):
        return f"the metric {name!r:.40} is unknown here"
    further = {*metric_class(name).OPTIONS_OF_COLUMNS} & options.keys()
    if options.keys() != metric_class(name)().scoring_options().keys() | further:
        return f"the options of {name} are {sorted(options)!r:.80}"
    try:
        columns = metric_class(name)(**options).column_names()
    except (PurebleuError, TypeError) as error:
        return f"the options of {name} are wrong: {error}"
    if header["columns"] != columns:
        return f"the columns of {name} are {header['columns']!r:.80}"
    if header["naming"] not in NAMINGS:
        return f"the header's 'naming' is {header['naming']!r:.40}"
    if header["offset"] < 0 or not header["signature"].isprintable():
        return "the header has a negative offset, or a signature that can't be printed"
    return None


def _object(value: Any) -> dict[str, Any]:
    """A value of JSON, if it is an object, else an empty one."""
    found: dict[str, Any] = value if type(value) is dict else {}  # pyright: ignore[reportUnknownVariableType]  # JSON
    return found


def _checked_row(path: str, number: int, line: str, columns: int) -> Row:
    parsed = _parsed(path, number, line)
    row: list[Any] = parsed if type(parsed) is list else []  # pyright: ignore[reportUnknownVariableType]  # JSON
    if len(row) != columns or not all(map(_is_number, row)):
        raise PurebleuError(f"{path}, line {number}: not a row of {columns} numbers")
    return tuple(row)


def _is_number(value: object) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _check_end(path: str, number: int, line: str, header: dict[str, Any], rows: Sequence[Row], checksum: str) -> None:
    """Raise `PurebleuError` unless the line that ends a part says what its lines are."""
    end = _object(_parsed(path, number, line))
    expected = {"end": True, "rows": len(rows), "totals": sum_statistics(rows), "sha256": checksum}
    if end.get("end") is not True:
        raise PurebleuError(f"{path}, line {number}: neither a row nor the end of those before")
    if end != expected or header["segments"] != len(rows):
        raise PurebleuError(f"{path}, line {number}: the rows of {header['system']} are not those that were written: "
                            "the file was changed")
