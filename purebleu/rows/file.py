"""Rows of a system under a metric, and files of them: JSON Lines, compressed if the name ends in `.gz`.

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
from ..hints import Any, Iterable, Iterator, Mapping, Naming, Row, Sequence
from ..metrics import FURTHER_MODULES, MODULES, OUTSIDE_MODULES, metric_class
from ..metrics.base import Metric
from ..metrics.evaluation import Evaluation, sum_statistics
from ..metrics.score import Score, Signature
from ..metrics.signature import signature_pairs
from .checksums import LABELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, NoReturn, Tuple

    #: The lines of a file, with their numbers.
    NumberedLines = Iterator[Tuple[int, str]]

#: The origins of names of systems: paths of files, names that users gave, or mere numbers.
NAMINGS = ("files", "given", "numbers")


class StoredRows:
    """The rows of one system under one metric, for consecutive segments.

    Attributes:
        system: the name of the system in tables.
        naming: the origin of that name, one of `NAMINGS`.
        metric: the metric's name in the registry, such as `BLEU`.
        options: the arguments of the metric that the score depends on.
        signature: the signature of the evaluation that the rows come from.
        columns: the names of the columns of a row.
        offset: the number of segments of the corpus before the first one.
        rows: one for each segment.
        hypothesis_sha256: the `text_checksum` of the hypotheses; an empty string if it is not known.
        references_sha256: the same of each stream of references; none if they are not known.
        ids_sha256: the same of the ids that give the order of segments; an empty string if there are none.
        labels: the documents (`docid`) and strata (`domain`, `origlang`, `file`) of the segments, if they were stored:
            by these names, the `label_digests` of the segments.
    """

    def __init__(self, system: str, metric: str, options: Mapping[str, Any], signature: str, columns: Sequence[str],
                 rows: Sequence[Row], offset: int = 0, hypothesis_sha256: str = "",
                 references_sha256: Sequence[str] = (), naming: Naming = "files", ids_sha256: str = "",
                 labels: Mapping[str, Sequence[str]] | None = None) -> None:
        self.system = system
        self.naming: Naming = naming
        self.metric = metric
        self.options = dict(options)
        self.signature = signature
        self.columns = tuple(columns)
        self.offset = offset
        self.rows = list(rows)
        self.hypothesis_sha256 = hypothesis_sha256
        self.references_sha256 = list(references_sha256)
        self.ids_sha256 = ids_sha256
        self.labels = {name: list(segment_labels) for name, segment_labels in (labels or {}).items()}

    @classmethod
    def of_evaluation(cls, system: str, metric: Metric[Score], signature: Signature, rows: Sequence[Row],
                      **further: Any) -> StoredRows:
        """Return the rows that a metric has counted; further arguments are those of the constructor."""
        return cls(system, type(metric).__name__, metric.scoring_options(), signature.format(), metric.column_names(),
                   rows, **further)

    @property
    def end(self) -> int:
        """The number of segments of the corpus up to the last one."""
        return self.offset + len(self.rows)

    @property
    def registered_name(self) -> str:
        """The name of the metric in the registry; for scores from outside, the name that users gave them."""
        return self.make_metric().registered_name

    def make_metric(self) -> Metric[Score]:
        """Make a metric that scores these rows. (It can't score text: only the signature has the tokenizer.)

        Raises:
            OptionError: for options that the metric does not take.
        """
        return metric_class(self.metric)(**self.options)

    def evaluation(self, metric: Metric[Score]) -> Evaluation[Score]:
        """Return the evaluation of the segments that these rows are from. `metric` comes from `make_metric`."""
        return _StoredEvaluation(metric, self)

    def __repr__(self) -> str:
        return f"<StoredRows {self.system!r} {self.metric}|{self.signature}, segments {self.offset} to {self.end}>"


class _StoredEvaluation(Evaluation[Score]):
    """An evaluation from stored rows, with their signature."""

    def __init__(self, metric: Metric[Score], stored: StoredRows) -> None:
        super().__init__(metric)
        self._totals = sum_statistics(stored.rows)
        self.segments = len(stored.rows)
        self._signature = parsed_signature(stored.signature, metric.SHORT_FIELDS)

    def signature(self) -> Signature:
        return self._signature


def parsed_signature(text: str, short_fields: dict[str, str]) -> Signature:
    """Return the signature with this long form."""
    fields = signature_pairs(text)
    signature = Signature(None, {**fields}, short_fields)
    signature.info.update(fields)  # also the version
    return signature


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
    """Write rows to a file, in the order of `parts`.

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
        raise PurebleuError(f"{path}: the file is empty, so it has no rows")
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
        raise PurebleuError(f"{path}, line {number}: version {version!r:.40} of the file format is unknown here")
    for name, kind in _FIELDS.items():
        if type(header.get(name)) is not kind:
            raise PurebleuError(f"{path}, line {number}: the header's {name!r} is wrong: {header.get(name)!r:.40}")
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
        raise PurebleuError(f"{path}, line {number}: the part that ends here was changed ({error})") from error
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
