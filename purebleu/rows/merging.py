"""Joining rows from several machines or runs, and checks that systems were scored on the same corpus."""

from __future__ import annotations

from ..errors import PurebleuError
from ..hints import Iterable, Sequence
from ..metrics.signature import signature_pairs
from .checksums import added_checksums
from .file import StoredRows

#: The words of errors for fields of stored rows whose names are not clear enough.
_CALLED = {"end": "the number of segments", "references_sha256": "the checksums of the references",
           "ids_sha256": "the checksum of the segments' ids", "naming": "the origin of the systems' names"}


def merge(parts: Iterable[StoredRows], names: Sequence[str] = ()) -> list[StoredRows]:
    """Merge parts of corpora, in any order.

    Args:
        parts: rows of systems under metrics. The rows of the same system and metric are parts of one corpus.
        names: the name of each part in errors, such as its file.

    Returns:
        The rows of each system under each metric, in the order in which they first appear.

    Raises:
        PurebleuError: segments are missing or there twice; or parts that belong together differ in options, columns,
            signature or references; or two systems have the same name. The error names both parts.
    """
    groups: dict[tuple[str, str, str], list[tuple[StoredRows, str]]] = {}
    for index, part in enumerate(parts):
        name = names[index] if index < len(names) else f"part {index}"
        groups.setdefault((part.system, part.metric, _label(part)), []).append((part, name))
    merged = [(_merged(group), group[0][1]) for group in groups.values()]
    _check_systems(merged)
    return [stored for stored, _ in merged]


def check_pairing(parts: Sequence[StoredRows], names: Sequence[str]) -> None:
    """Raise `PurebleuError` if it is not known that systems have the same segments: a paired comparison needs that.

    Args:
        parts: the parts, as for `merge`.
        names: the files that they come from.
    """
    if len({part.system for part in parts}) < 2:
        return
    for part, name in zip(parts, names):
        if not part.references_sha256:
            raise PurebleuError(f"{name}: the rows of {part.system} have no checksums of references. So it is not "
                                "known whether other systems have the same segments, and a paired test is not possible")


def _label(part: StoredRows) -> str:
    """Return the variant of the metric, as the name of its scores: chrF2 or chrF2++."""
    return part.make_metric().score([0] * len(part.columns)).name


def _merged(group: Sequence[tuple[StoredRows, str]]) -> StoredRows:
    """Join the rows of one system under one metric; each part has its name in errors."""
    ordered = sorted(group, key=lambda pair: (pair[0].offset, pair[0].end))
    first, first_name = ordered[0]
    if first.offset:
        raise PurebleuError(f"{first_name}: the rows of {first.system} before segment {first.offset} are missing")
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
            problem = "given twice" if part.offset < previous.end else "missing"
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
    """Return the checksum of each stream of references over all parts; none if a part lacks checksums."""
    streams = [len(part.references_sha256) for part in parts]
    added: list[str] = []
    for stream in range(max(streams) if all(streams) else 0):
        # A part may have fewer streams than others, if its segments have fewer references. What it lacks counts as
        # empty.
        added.append(added_checksums([part.references_sha256[stream] if stream < len(part.references_sha256) else "0"
                                      for part in parts]))
    return added


def _labels_of_all(parts: Sequence[StoredRows]) -> dict[str, list[str]]:
    """Return the labels of all segments, of each kind that all parts have."""
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
    """Raise `PurebleuError` if a checksum differs. Those that only one of the parts has are ignored."""
    known = [field for field in fields if getattr(one, field) and getattr(other, field)]
    _check_fields(one, one_name, other, other_name, known)


def _check_texts(one: StoredRows, one_name: str, other: StoredRows, other_name: str) -> None:
    """Raise `PurebleuError` if two parts of the same system and segments come from different outputs or references."""
    if one.hypothesis_sha256 and other.hypothesis_sha256:
        is_same = one.hypothesis_sha256 == other.hypothesis_sha256
    else:
        is_same = one_name == other_name
    if not is_same:
        raise PurebleuError(f"{one_name} and {other_name} both have a system called {one.system}, but the checksums "
                            "of its outputs differ: save the two with different names (-i NAME=FILE)")
    _check_checksums(one, one_name, other, other_name, ("references_sha256", "ids_sha256"))


def _common_signature(signature: str, name: str, part: StoredRows, part_name: str) -> str:
    """Return the signature of both parts. If only their numbers of references differ, it has `nrefs:var`."""
    one, other = signature_pairs(signature), signature_pairs(part.signature)
    for field in [*one, *other]:
        if field != "nrefs" and one.get(field) != other.get(field):
            raise PurebleuError(f"{name} and {part_name} differ in the signature's {field}: {one.get(field)} and "
                                f"{other.get(field)}")
    if one.get("nrefs") == other.get("nrefs"):
        return signature
    return "|".join([f"{key}:{'var' if key == 'nrefs' else value}" for key, value in one.items()])


def _check_systems(merged: Sequence[tuple[StoredRows, str]]) -> None:
    """Raise `PurebleuError` if systems were not scored alike, or not on the same corpus.

    The rows of each are compared with the first ones, and with the first ones under the same metric. Rows with the same
    name of a system must come from the same outputs.
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
        if same_metric.signature != part.signature:
            _common_signature(same_metric.signature, same_metric_name, part, name)
            raise PurebleuError(f"{same_metric_name} and {name} differ in the signature's nrefs")
