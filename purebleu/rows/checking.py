"""Checks of the lines of a file of rows: they have the right form, and are such as text can give."""

from __future__ import annotations

from operator import gt

from ..errors import PurebleuError
from ..metrics import FURTHER_MODULES, MODULES, OUTSIDE_MODULES, metric_class
from ..metrics.score import value_text
from ..metrics.signatures import signature_pairs
from .labels import LABELS, from_runs
from .stored import NAMINGS, VERSION, Range, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Sequence

    from ..metrics.base import Metric
    from ..metrics.contract import Row
    from ..metrics.score import Score

#: The members of a header in version 1 of the form, and their types. (Of lists and objects, what is in them is checked
#: where it is used.)
_FIELDS: dict[str, type] = {
    "metric": str, "options": dict, "signature": str, "columns": list, "system": str, "naming": str, "offset": int,
    "segments": int, "hypothesis_sha256": str, "references_sha256": list,
}

#: Its further members in version 2.
_FIELDS_OF_VERSION_2: dict[str, type] = {"ids_sha256": str, "ranges": list}

#: No count of what is in a segment is higher.
_MAX_COUNT = 1 << 53


def parsed(path: str, number: int, line: str) -> Any:
    """The JSON in a line."""
    import json

    try:
        return json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise PurebleuError(f"{path}, line {number}: not a line of a file of rows") from None


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def object_of(value: Any) -> dict[str, Any]:
    """A value of JSON, if it is an object, else an empty one."""
    found: dict[str, Any] = value if type(value) is dict else {}  # pyright: ignore[reportUnknownVariableType]  # JSON
    return found


def version_of(path: str, number: int, line: str, form: str) -> int:
    """The version of the form in which a file begins at this line."""
    opening = object_of(parsed(path, number, line))
    if opening.get("format") != form:
        raise PurebleuError(f"{path}, line {number}: not the header of a file of rows")
    version = opening.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise PurebleuError(f"{path}, line {number}: version {version!r:.40} of the form is unknown here")
    return version


def part_of_opening(system: str, metric: str, offset: int, segments: int) -> dict[str, Any]:
    """The description of a part in the first line of a file."""
    return {"system": system, "metric": metric, "offset": offset, "segments": segments}


def checked_opening(path: str, number: int, line: str) -> list[Any]:
    """The descriptions of the parts in the first line of a file."""
    parts = object_of(parsed(path, number, line)).get("parts")
    if type(parts) is not list or not parts:
        raise PurebleuError(f"{path}, line {number}: the file's first line tells of no parts")
    return parts  # pyright: ignore[reportUnknownVariableType]  # JSON


def checked_header(path: str, number: int, line: str, version: int) -> tuple[dict[str, Any], Metric[Score]]:
    """The header of a part, and the metric that scores its rows."""
    header = object_of(parsed(path, number, line))
    if "metric" not in header:
        raise PurebleuError(f"{path}, line {number}: not the header of a file of rows")
    fields = {**_FIELDS, **(_FIELDS_OF_VERSION_2 if version > 1 else {})}
    for name, kind in fields.items():
        if type(header.get(name)) is not kind:
            raise PurebleuError(f"{path}, line {number}: the header's {name!r} is {header.get(name)!r:.40}")
    for problem in _problems_of(header):
        raise PurebleuError(f"{path}, line {number}: {problem}")
    return header, metric_class(header["metric"])(**header["options"])


def _problems_of(header: dict[str, Any]) -> Iterator[str]:
    """The problems of a header that has all its members; the first one may lead to the next ones."""
    name, options = header["metric"], header["options"]
    if name not in (*MODULES, *FURTHER_MODULES, *OUTSIDE_MODULES):
        yield f"the metric {name!r:.40} is unknown here"
    further = {*metric_class(name).OPTIONS_OF_COLUMNS} & options.keys()
    if options.keys() != metric_class(name)().scoring_options().keys() | further:
        yield f"the options of {name} are {sorted(options)!r:.80}"
    try:
        metric = metric_class(name)(**options)
        columns = metric.column_names()
    except (PurebleuError, TypeError) as error:
        yield f"the options of {name} are wrong: {error}"
        return
    if header["columns"] != columns:
        yield f"the columns of {name} are {header['columns']!r:.80}"
    if header["naming"] not in NAMINGS:
        yield f"the header's 'naming' is {header['naming']!r:.40}"
    if header["offset"] < 0 or not header["signature"].isprintable():
        yield "the header has a negative offset, or a signature that can't be printed"
    yield from _contradictions(metric, header)
    checksums = [header["hypothesis_sha256"], *header["references_sha256"], header.get("ids_sha256", "")]
    if not all(map(_is_checksum, checksums)):
        yield "the header has a checksum that is none"
    if "labels" in header and not _are_labels(header["labels"], header["segments"]):
        yield "the header's 'labels' are not those of its segments"
    if "ranges" in header and not _are_ranges(header):
        yield "the header's 'ranges' are not those of its segments and checksums"


def _contradictions(metric: Metric[Score], header: dict[str, Any]) -> Iterator[str]:
    """Where the signature says something else than the options that rows are scored with, or than the checksums."""
    fields = signature_pairs(header["signature"])
    if not fields.get("version") or not (fields.get("nrefs") or header["metric"] in OUTSIDE_MODULES):
        yield "the header's signature has no version, or no number of references"
    options = metric.signature_fields(False)
    for field in metric.SCORING_FIELDS:
        if fields.get(field) != value_text(options[field]):
            yield (f"the signature says {field}:{fields.get(field)}, but the options of {header['metric']} are "
                   f"{header['options']!r:.120}")
    references = header["references_sha256"]
    if references and "nrefs" in fields and fields["nrefs"] not in ("var", *map(str, range(1, 1 + len(references)))):
        yield f"the signature says nrefs:{fields['nrefs']:.20}, but there are checksums of {len(references)} references"


def _is_checksum(value: Any) -> bool:
    """Whether a value is 64 hexadecimal digits, or an empty string."""
    return type(value) is str and (not value or (len(value) == 64 and set(value) <= set("0123456789abcdef")))


def ranges_of(values: Sequence[Any]) -> list[Range]:
    """The ranges in a header."""
    return [Range(offset, end, hypothesis, tuple(references), ids)
            for offset, end, hypothesis, references, ids in values]


def _are_ranges(header: dict[str, Any]) -> bool:
    """Whether ranges follow one another from the first segment to the last, and have the checksums of the whole."""
    end: int = header["offset"]
    values: Any
    for values in header["ranges"]:
        if not (_is_list_of_types(values, [int, int, str, list, str]) and values[0] == end <= values[1]
                and all(map(_is_checksum, [values[2], *values[3], values[4]]))):
            return False
        end = values[1]
    return bool(header["ranges"]) and joined(ranges_of(header["ranges"])) == (
        header["offset"], header["offset"] + header["segments"], header["hypothesis_sha256"],
        tuple(header["references_sha256"]), header["ids_sha256"])


def _are_labels(labels: Any, segments: int) -> bool:
    """Whether these are labels of `segments` segments, by the names of fields."""
    try:
        for name, runs in labels.items():
            from_runs(runs, segments)
            if name not in LABELS:
                return False
    except (PurebleuError, AttributeError):
        return False
    return True


def _is_list_of_types(value: Any, types: Sequence[type]) -> bool:
    """Whether a value of JSON is a list whose items have these types."""
    return type(value) is list and list(map(type, value)) == types  # pyright: ignore[reportUnknownArgumentType]  # JSON


def checked_row(path: str, number: int, line: str, columns: int) -> Row:
    """A row, as far as it is a list of this length."""
    value = parsed(path, number, line)
    row: list[Any] = value if type(value) is list else []  # pyright: ignore[reportUnknownVariableType]  # JSON
    if len(row) != columns:
        raise PurebleuError(f"{path}, line {number}: not a row of {columns} numbers")
    return tuple(row)


def checked_columns(path: str, first: int, metric: Metric[Score], names: Sequence[str], rows: Sequence[Row]) -> None:
    """Raise `PurebleuError` for a row that no segment can have under the metric.

    Args:
        path: of the file.
        first: the number of the line of the first row.
        metric: what the rows are of.
        names: those of the columns.
        rows: all rows of a part.
    """
    columns = dict(zip(names, zip(*rows)))
    for name, column in columns.items():
        kinds = {int, float} if name in metric.FRACTIONAL_COLUMNS else {int}
        if not set(map(type, column)) <= kinds:
            wrong = next(index for index, value in enumerate(column) if type(value) not in kinds)
            raise PurebleuError(f"{path}, line {first + wrong}: not a row of {len(names)} numbers: {name} is "
                                f"{column[wrong]!r:.40}")
    bounds = metric.column_bounds()
    for name, column in columns.items():
        highest = next((bound for of, bound in bounds if of == name and isinstance(bound, int)), _MAX_COUNT)
        limits = [columns[bound] for of, bound in bounds if of == name and isinstance(bound, str)]
        excess = [list(map(gt, column, limit)) for limit in limits]
        lowest = -highest if name in metric.NEGATIVE_COLUMNS else 0
        if min(column) < lowest or max(column) > highest or any(map(any, excess)):
            wrong = next(index for index, value in enumerate(column)
                         if not lowest <= value <= highest or any(exceeds[index] for exceeds in excess))
            raise PurebleuError(f"{path}, line {first + wrong}: no segment can have the {name} in "
                                f"{dict(zip(names, rows[wrong]))!r:.150}")
