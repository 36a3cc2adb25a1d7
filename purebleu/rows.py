"""Writes, reads and merges files with the rows (sufficient statistics) of segments.

Scores, intervals and tests can be computed from such a file alone. The file has no text.

**Files** are JSON Lines, compressed if the name ends in `.gz`. A file is a sequence of parts. Each part is a header,
then an array for each row, then a line with the number of rows and the SHA-256 sum of all earlier lines of the part. If
a part was cut off or changed, the reader raises an error with the number of the line. Files can be concatenated.

**Checksums** of texts show whether two files of rows come from the same texts. The checksum of a line is the SHA-256
sum of these bytes: the line's index in the corpus (8 bytes, the highest byte first), and the SHA-256 sum of the line's
text. The checksum of a stream is the sum of the checksums of its lines, modulo 2 ** 256. So the checksums of the parts
of a corpus add up to the checksum of the corpus. Checksums detect mistakes, but not forgery.

>>> import purebleu.rows
>>> [part.system for part in purebleu.rows.merge([])]
[]
"""

from __future__ import annotations

import os
from itertools import chain, groupby

from .files.lines import LineStream
from .files.writing import write_named
from .metrics import FURTHER_MODULES, MODULES, OUTSIDE_MODULES, metric_class
from .metrics.base import Metric
from .metrics.evaluation import Evaluation, sum_statistics
from .metrics.score import Score, Signature
from .metrics.signature import signature_pairs
from .runtime.errors import OptionError, PurebleuError, warn
from .runtime.hints import Any, BinaryFile, Iterable, Iterator, Mapping, Naming, Row, Sequence

__all__ = ["StoredRows", "merge", "read", "text_checksum", "write"]

#: The labels that a segment can have: its document, and strata (by their names in signatures).
LABELS = ("docid", "domain", "origlang", "file")

#: The origins of systems' names: the paths of files, the user, or the numbers of the systems.
NAMINGS = ("files", "given", "numbers")


#: The names of the metrics whose rows can be stored.
_KNOWN_METRICS = (*MODULES, *FURTHER_MODULES, *OUTSIDE_MODULES)


class StoredRows:
    """The rows of one system under one metric, for consecutive segments.

    Attributes:
        system: the name of the system in tables.
        naming: the origin of the system's name, one of `NAMINGS`.
        metric: the metric's name in the registry, such as `BLEU`.
        options: the arguments of the metric that the score depends on.
        signature: the signature of the evaluation that the rows come from.
        columns: the names of the columns of a row.
        offset: the index in the corpus of the first segment.
        rows: a row for each segment.
        hypothesis_sha256: the `text_checksum` of the hypotheses; '' if it is not known.
        references_sha256: the `text_checksum` of each stream of references; an empty list if it is not known.
        ids_sha256: the `text_checksum` of the ids that give the order of segments; '' if segments have no ids.
        labels: the `label_digests` of all segments, for each stored label: the document (`docid`) or a stratum
            (`domain`, `origlang`, `file`).
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
        """Return `StoredRows` for the rows of a metric. `further` has more arguments of the constructor.

        Raises:
            OptionError: the metric is not one of this package, so `read` could not make it.
        """
        kind = type(metric).__name__
        if kind == "FunctionMetric":
            kind = "SegmentScores"  # (The function is not stored, but both metrics compute the mean of the rows.)
        elif kind not in _KNOWN_METRICS or metric_class(kind) is not type(metric):
            raise OptionError(f"rows of {kind} can't be stored: the class is not a metric of purebleu")
        return cls(system, kind, metric.scoring_options(), signature.format(), metric.column_names(), rows, **further)

    @property
    def end(self) -> int:
        """The index of the first segment after these rows, counted in the whole corpus."""
        return self.offset + len(self.rows)

    @property
    def registered_name(self) -> str:
        """The registered name of the metric, or the name that the user chose for scores of another program."""
        return self.make_metric().registered_name

    def make_metric(self) -> Metric[Score]:
        """Make a metric that scores these rows. (It does not have the tokenizer of the text, which is not stored.)

        Raises:
            OptionError: the metric does not have one of the options.
        """
        return metric_class(self.metric)(**self.options)

    def evaluation(self, metric: Metric[Score]) -> Evaluation[Score]:
        """Return the evaluation of these rows. `metric` must come from `make_metric`."""
        return _StoredEvaluation(metric, self)

    def __repr__(self) -> str:
        return f"<StoredRows {self.system!r} {self.metric}|{self.signature}, segments {self.offset} to {self.end}>"


class _StoredEvaluation(Evaluation[Score]):
    """The evaluation of stored rows, with the stored signature."""

    def __init__(self, metric: Metric[Score], stored: StoredRows) -> None:
        super().__init__(metric)
        self._totals = sum_statistics(stored.rows)
        self.segments = len(stored.rows)
        self._signature = parsed_signature(stored.signature, metric.SHORT_FIELDS)

    def signature(self) -> Signature:
        return self._signature


def parsed_signature(text: str, short_fields: dict[str, str]) -> Signature:
    """Parse the long form of a signature."""
    fields = signature_pairs(text)
    signature = Signature(None, {**fields}, short_fields)
    signature.info.update(fields)  # the stored version replaces the version of this program
    return signature


# Files

FORMAT = "purebleu-rows"
VERSION = 1

#: The fields of a header, with their types.
_FIELDS: dict[str, type] = {
    "metric": str, "options": dict, "signature": str, "columns": list, "system": str, "naming": str, "offset": int,
    "hypothesis_sha256": str, "references_sha256": list, "ids_sha256": str, "labels": dict,
}

#: The number of lines that are read together.
_LINES_AT_ONCE = 4096


def write(path: str | os.PathLike[str], parts: Iterable[StoredRows]) -> None:
    """Write rows to a file, in the order of `parts`.

    Args:
        path: the path of the file. An existing file is replaced after all rows are written.
        parts: the rows, in one or more parts for each system and metric.

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
    name = os.fspath(path)

    def write_all(file: BinaryFile) -> None:
        if not name.endswith(".gz"):
            file.writelines(lines_of(parts))
            return
        from gzip import GzipFile

        # (Without a name and a time in the file, equal rows give equal bytes.)
        with GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
            compressed.writelines(lines_of(parts))

    write_named(name, write_all)


def lines_of(parts: Iterable[StoredRows]) -> Iterator[bytes]:
    """Yield the lines of a file with these rows."""
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
    rows = part.rows
    if not {int, float}.issuperset(map(type, chain.from_iterable(rows))):
        rows = [tuple(map(_plain_number, row)) for row in rows]
    for row in rows:
        # (`repr` of a float is the shortest text from which Python reads the same float.)
        line = f"[{','.join(map(repr, row))}]\n"
        if len(row) != len(part.columns) or "n" in line:  # (nan, inf)
            raise PurebleuError(f"{part.system}, {part.metric}: a row must have {len(part.columns)} finite numbers, "
                                f"but is {line[:-1]:.80}")
        yield line.encode("ascii")


def _plain_number(number: Any) -> float:
    """Return a number of NumPy as a number of Python."""
    return int(number) if hasattr(number, "__index__") else float(number)


def _runs_of(labels: Sequence[str]) -> list[tuple[str, int]]:
    """Return the label and the length of each run of equal labels."""
    return [(label, len(list(run))) for label, run in groupby(labels)]


def _json_line(value: dict[str, Any]) -> bytes:
    import json

    return (json.dumps(value) + "\n").encode("ascii")


def is_file_of_rows(path: str) -> bool:
    """Whether a path is a plain file whose first line is the start of a file of rows."""
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
        path: a file that `write` has written, or a concatenation of such files. A file is decompressed if its name
            ends in `.gz`.

    Returns:
        The parts, in the order of the file.

    Raises:
        PurebleuError: the file can't be read, is not a file of rows, was cut off or changed, or has an unknown version.
    """
    lines = _numbered_lines(path)
    parts = [_read_part(path, number, line, lines) for number, line in lines]
    if not parts:
        raise PurebleuError(f"{path}: the file is empty, so it has no rows")
    return parts


def _numbered_lines(path: str) -> Iterator[tuple[int, str]]:
    stream = LineStream(path, ends="\r\n")  # (On Windows, git may have replaced line feeds by "\r\n".)
    try:
        while lines := stream.read(_LINES_AT_ONCE):
            yield from enumerate(lines, stream.count - len(lines) + 1)
    finally:
        stream.close()


def _read_part(path: str, number: int, line: str, lines: Iterator[tuple[int, str]]) -> StoredRows:
    """Read a part. `line` is its header, `number` is the header's number, and `lines` has the lines after it."""
    import hashlib

    header = _checked_header(path, number, line)
    checksum = hashlib.sha256(_encoded(line))
    rows: list[Row] = []
    for number, line in lines:
        if line.startswith("{"):
            if _object_in(path, number, line) != {"rows": len(rows), "sha256": checksum.hexdigest()}:
                raise PurebleuError(f"{path}, line {number}: the rows of {header['system']} do not match their "
                                    "checksum: the file was changed")
            return _part_of(path, number, header, rows)
        rows.append(_checked_row(path, number, line, len(header["columns"])))
        checksum.update(_encoded(line))
    raise PurebleuError(f"{path}: the file is cut off after line {number}, in the rows of {header['system']}")


def _encoded(line: str) -> bytes:
    return (line + "\n").encode("utf-8", "surrogatepass")


def _parsed(path: str, number: int, line: str) -> Any:
    """Parse the JSON in a line."""
    import json

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return json.loads(line, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise PurebleuError(f"{path}, line {number}: not a line of a file of rows") from None


def _object_in(path: str, number: int, line: str) -> dict[str, Any]:
    """Return the JSON object in a line; an empty dict if the line has another JSON value."""
    value = _parsed(path, number, line)
    return value if type(value) is dict else {}  # pyright: ignore[reportUnknownVariableType]  # JSON


def _checked_header(path: str, number: int, line: str) -> dict[str, Any]:
    """Return the header of a part. Raise `PurebleuError` if the header is invalid."""
    header = _object_in(path, number, line)
    if header.get("format") != FORMAT:
        raise PurebleuError(f"{path}, line {number}: expected the header of stored rows")
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        raise PurebleuError(f"{path}, line {number}: unknown version {version!r:.40} of the file format")
    for name, kind in _FIELDS.items():
        if type(header.get(name)) is not kind:
            raise PurebleuError(f"{path}, line {number}: the header's {name!r} is wrong: {header.get(name)!r:.40}")
    if header["metric"] not in _KNOWN_METRICS:
        raise PurebleuError(f"{path}, line {number}: unknown metric {header['metric']!r:.40}")
    if header["naming"] not in NAMINGS or header["offset"] < 0 or not header["labels"].keys() <= {*LABELS}:
        raise PurebleuError(f"{path}, line {number}: the header's naming, offset or labels are wrong")
    return header


def _checked_row(path: str, number: int, line: str, columns: int) -> Row:
    """Parse a row, which must have `columns` numbers."""
    value = _parsed(path, number, line)
    if type(value) is not list or len(value) != columns or not {*map(type, value)} <= {int, float}:  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON
        raise PurebleuError(f"{path}, line {number}: not a row of {columns} numbers")
    return tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON


def _part_of(path: str, number: int, header: dict[str, Any], rows: list[Row]) -> StoredRows:
    """Return the part with this header and these rows. `number` is the number of the part's last line."""
    fields = {name: header[name] for name in _FIELDS}
    try:
        fields["labels"] = {name: _labels_of_runs(runs, len(rows)) for name, runs in header["labels"].items()}
        part = StoredRows(**fields, rows=rows)
        if part.make_metric().column_names() != header["columns"]:
            raise PurebleuError(f"wrong columns of {header['metric']}: {header['columns']!r:.80}")
    except (PurebleuError, TypeError, ValueError) as error:
        raise PurebleuError(f"{path}, line {number}: the part that ends on this line was changed ({error})") from error
    return part


def _labels_of_runs(runs: list[tuple[str, int]], segments: int) -> list[str]:
    """Return the label of each segment (the inverse of `_runs_of`)."""
    count = sum([length for _, length in runs])
    # (If lengths could be negative, huge lengths could have a small sum.)
    if count != segments or any(length < 1 for _, length in runs):
        raise PurebleuError(f"there are labels of {count} segments, but {segments} rows")
    labels: list[str] = []
    for label, length in runs:
        labels += [label] * length
    return labels


# Checksums

_MODULUS = 1 << 256

#: The number of hexadecimal digits of the SHA-256 sum that replaces the name of a document or stratum.
_DIGITS = 16


def digests_of_lines(lines: Iterable[str | None]) -> list[bytes]:
    """Return the SHA-256 sum of each line in UTF-8, and empty bytes for `None`."""
    from hashlib import sha256

    return [b"" if line is None else sha256(line.encode("utf-8", "surrogatepass")).digest() for line in lines]


def checksum_of_digests(digests: Iterable[bytes], offset: int = 0) -> str:
    """Return the `text_checksum` of lines from their `digests_of_lines`. The first line has the index `offset`."""
    from hashlib import sha256

    numbers = [int.from_bytes(sha256(index.to_bytes(8, "big") + digest).digest(), "big")
               for index, digest in enumerate(digests, offset) if digest]
    return f"{sum(numbers) % _MODULUS:064x}"


def text_checksum(lines: Iterable[str | None], offset: int = 0) -> str:
    """Return the checksum of a stream of lines (hypotheses, references or ids).

    Args:
        lines: the lines without their line feeds, with `None` for a missing reference.
        offset: the index in the corpus of the first line.

    Returns:
        64 hexadecimal digits.

    Example:
        The checksums of parts add up to the checksum of the whole:

        >>> parts = [text_checksum(["a", "b"]), text_checksum(["c"], offset=2)]
        >>> added_checksums(parts) == text_checksum(["a", "b", "c"])
        True
    """
    return checksum_of_digests(digests_of_lines(lines), offset)


def added_checksums(parts: Iterable[str]) -> str:
    """Return the checksum of a corpus from the checksums of its parts; '' if a part has no checksum."""
    checksums = list(parts)
    if not all(checksums):
        return ""
    return f"{sum([int(checksum, 16) for checksum in checksums]) % _MODULUS:064x}"


def label_digests(names: Sequence[str]) -> list[str]:
    """Return a short checksum of each name. (It depends only on the name.)

    >>> label_digests(["a", "b", "a"])
    ['ca978112ca1bbdca', '3e23e8160039594a', 'ca978112ca1bbdca']
    """
    from hashlib import sha256

    digests = {name: sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
               for name in dict.fromkeys(names)}
    return [digests[name] for name in names]


class TextChecksums:
    """Computes the checksums of the outputs and references of a corpus. `see` adds a block of segments.

    Attributes:
        offset: the index of the first segment.
        systems: the checksum of each system's outputs.
        references: the checksum of each stream of references. (A later block may have more streams than the first.)
    """

    def __init__(self, offset: int) -> None:
        self.systems: list[str] = []
        self.references: list[str] = []
        self.offset = offset
        self._seen = 0

    def see(self, block: Sequence[Sequence[Sequence[str | None]]]) -> None:
        """Add the next block: the hypotheses of each system, and the streams of references."""
        for checksums, streams in zip((self.systems, self.references), block):
            checksums += [text_checksum([])] * (len(streams) - len(checksums))
            for index, lines in enumerate(streams):
                checksums[index] = added_checksums([checksums[index], text_checksum(lines, self.offset + self._seen)])
        self._seen += len(block[0][0])


# Merging rows from several machines or runs

#: The names of some fields of `StoredRows` in error messages, because the names in the code are not clear enough.
_CALLED = {"end": "the number of segments", "references_sha256": "the checksums of the references",
           "ids_sha256": "the checksum of the segments' ids", "naming": "the origin of the systems' names"}


def merge(parts: Iterable[StoredRows], names: Sequence[str] = ()) -> list[StoredRows]:
    """Merge the rows of parts of a corpus. The parts may be in any order.

    Args:
        parts: the rows. All parts with the same system and metric are merged.
        names: a name for each part in error messages, such as its file.

    Returns:
        The rows of each system under each metric, in the order in which a system and metric first appear.

    Raises:
        PurebleuError: segments are missing or occur twice; parts differ in options, columns, signature or references;
            or two systems have the same name. The message names both parts.
    """
    groups: dict[tuple[str, str, str], list[tuple[StoredRows, str]]] = {}
    for index, part in enumerate(parts):
        name = names[index] if index < len(names) else f"part {index}"
        groups.setdefault((part.system, part.metric, _label(part)), []).append((part, name))
    merged = [(_merged(group), group[0][1]) for group in groups.values()]
    _check_systems(merged)
    warn_of_versions([part.signature for group in groups.values() for part, _ in group])
    return [stored for stored, _ in merged]


def public_signature(signature: str) -> str:
    """Return a signature without the end of its version that does not change scores, such as `+dev`."""
    head, key, version = signature.rpartition("|version:")
    return head + key + version.partition("+")[0] if key else signature


def warn_of_versions(signatures: Iterable[str]) -> None:
    """Warn if the versions in signatures differ."""
    versions = list(dict.fromkeys([signature_pairs(signature).get("version", "") for signature in signatures]))
    if len(versions) > 1:
        warn(f"the rows come from different versions of purebleu: {' and '.join(versions)}")


def check_pairing(parts: Sequence[StoredRows], names: Sequence[str]) -> None:
    """Raise `PurebleuError` if parts of several systems lack the checksums of references.

    (Without them, a paired test can't know whether all systems have the same segments.)

    Args:
        parts: the parts, as for `merge`.
        names: the file of each part.
    """
    if len({part.system for part in parts}) < 2:
        return
    for part, name in zip(parts, names):
        if not part.references_sha256:
            raise PurebleuError(f"{name}: the rows of {part.system} have no checksums of references, so a paired test "
                                "can't check that all systems have the same segments")


def _label(part: StoredRows) -> str:
    """Return the variant of the metric, which is the name of its scores (such as chrF2 or chrF2++)."""
    return part.make_metric().score([0] * len(part.columns)).name


def _merged(group: Sequence[tuple[StoredRows, str]]) -> StoredRows:
    """Merge the rows of one system under one metric. Each part comes with its name in error messages."""
    ordered = sorted(group, key=lambda pair: (pair[0].offset, pair[0].end))
    first, first_name = ordered[0]
    if first.offset:
        raise PurebleuError(f"{first_name}: the rows of {first.system} before segment {first.offset} are missing (give "
                            "all parts the same name: -i NAME=FILE)")
    if len(ordered) == 1:
        return first
    rows = list(first.rows)
    signature, previous, previous_name = first.signature, first, first_name
    for part, name in ordered[1:]:
        _check_fields(first, first_name, part, name, ("options", "columns", "naming"))
        signature = _common_signature(signature, first_name, part, name)
        if part.offset != previous.end:
            if (part.offset, part.end) == (previous.offset, previous.end):
                _check_texts(previous, previous_name, part, name)
            problem = ("given twice (set the first segment of a part with --offset)" if part.offset < previous.end
                       else "missing")
            low, high = sorted((part.offset, previous.end))
            raise PurebleuError(f"{previous_name} and {name}: segments {low} to {high - 1} of {part.system} are "
                                f"{problem}")
        rows += part.rows
        previous, previous_name = part, name
    parts = [part for part, _ in ordered]
    return StoredRows(
        first.system, first.metric, first.options, signature, first.columns, rows, 0,
        added_checksums([part.hypothesis_sha256 for part in parts]), _added_references(parts), first.naming,
        added_checksums([part.ids_sha256 for part in parts]), _labels_of_all(parts))


def _added_references(parts: Sequence[StoredRows]) -> list[str]:
    """Return the checksum of each stream of references over all parts; an empty list if a part lacks checksums."""
    streams = [len(part.references_sha256) for part in parts]
    added: list[str] = []
    for stream in range(max(streams) if all(streams) else 0):
        # If the segments of a part have fewer references, the part has fewer streams. A missing stream adds 0.
        added.append(added_checksums([part.references_sha256[stream] if stream < len(part.references_sha256) else "0"
                                      for part in parts]))
    return added


def _labels_of_all(parts: Sequence[StoredRows]) -> dict[str, list[str]]:
    """Return the labels of all segments, for each label that all parts have, such as `docid`."""
    labels: dict[str, list[str]] = {}
    for name in parts[0].labels:
        if all(name in part.labels for part in parts):
            labels[name] = [label for part in parts for label in part.labels[name]]
    return labels


def _check_fields(one: StoredRows, one_name: str, other: StoredRows, other_name: str, fields: Sequence[str]) -> None:
    for field in fields:
        here, there = getattr(one, field), getattr(other, field)
        if here != there:
            raise PurebleuError(f"{one_name} and {other_name} differ in {_CALLED.get(field, field)}: {here!r:.80} and "
                                f"{there!r:.80}")


def _check_checksums(one: StoredRows, one_name: str, other: StoredRows, other_name: str, fields: Sequence[str]) -> None:
    """Raise `PurebleuError` if a checksum differs. A checksum is ignored if one of the parts lacks it."""
    known = [field for field in fields if getattr(one, field) and getattr(other, field)]
    _check_fields(one, one_name, other, other_name, known)


def _check_texts(one: StoredRows, one_name: str, other: StoredRows, other_name: str) -> None:
    """Raise `PurebleuError` if two parts with the same system and segments come from different texts."""
    if one.hypothesis_sha256 and other.hypothesis_sha256:
        is_same = one.hypothesis_sha256 == other.hypothesis_sha256
    else:
        is_same = one_name == other_name
    if not is_same:
        raise PurebleuError(f"{one_name} and {other_name} both have a system called {one.system}, but checksums do not "
                            "show that its outputs are the same: save different systems under different names "
                            "(-i NAME=FILE)")
    _check_checksums(one, one_name, other, other_name, ("references_sha256", "ids_sha256"))


def _common_signature(signature: str, name: str, part: StoredRows, part_name: str) -> str:
    """Return the signature of two merged parts. If the numbers of references differ, the signature has `nrefs:var`.

    Raises `PurebleuError` if the signatures differ in another field (except the local part of the version).
    """
    one, other = signature_pairs(public_signature(signature)), signature_pairs(public_signature(part.signature))
    for field in [*one, *other]:
        if field != "nrefs" and one.get(field) != other.get(field):
            raise PurebleuError(f"{name} and {part_name} have different values of {field} in their signatures: "
                                f"{one.get(field)} and {other.get(field)}")
    if one.get("nrefs") == other.get("nrefs"):
        return signature
    return "|".join([f"{key}:{'var' if key == 'nrefs' else value}"
                     for key, value in signature_pairs(signature).items()])


def _check_systems(merged: Sequence[tuple[StoredRows, str]]) -> None:
    """Raise `PurebleuError` if systems were scored with different options or on different corpora.

    Each part is compared with the first part, and with the first part under the same metric. Parts with the same system
    must also come from the same outputs.
    """
    first_by_metric: dict[tuple[str, str], tuple[StoredRows, str]] = {}
    first_by_system: dict[str, tuple[StoredRows, str]] = {}
    for part, name in merged:
        first, first_name = merged[0]
        same_metric, same_metric_name = first_by_metric.setdefault((part.metric, _label(part)), (part, name))
        _check_fields(same_metric, same_metric_name, part, name, ("options", "columns"))
        _check_fields(first, first_name, part, name, ("end",))
        _check_checksums(first, first_name, part, name, ("references_sha256", "ids_sha256"))
        for label, segment_labels in first.labels.items():
            if part.labels.get(label, segment_labels) != segment_labels:
                raise PurebleuError(f"{first_name} and {name} differ in the {label} of segments")
        same_system, same_system_name = first_by_system.setdefault(part.system, (part, name))
        _check_texts(same_system, same_system_name, part, name)
        if public_signature(same_metric.signature) != public_signature(part.signature):
            _common_signature(same_metric.signature, same_metric_name, part, name)
            raise PurebleuError(f"{same_metric_name} and {name} have different values of nrefs in their signatures")
