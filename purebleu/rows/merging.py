"""Rows of several machines or runs put together: parts of a corpus become one, and systems are held to each other."""

from __future__ import annotations

from ..errors import PurebleuError
from ..metrics.signatures import signature_pairs
from .stored import StoredRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence, Tuple

    #: Which rows belong together: those of a system under a metric, and of its variant (chrF2 or chrF2++).
    Key = Tuple[str, str, str]


#: What errors call fields of stored rows, where the name alone does not say it.
_CALLED = {"end": "the number of segments", "references_sha256": "the checksums of the references",
           "naming": "where the names of systems come from"}


def merge(parts: Iterable[StoredRows], names: Sequence[str] = ()) -> list[StoredRows]:
    """Parts of corpora put together, in any order.

    Args:
        parts: rows of systems under metrics; those of one system and metric are parts of its corpus.
        names: for errors, what each part is called, such as the file it comes from.

    Returns:
        The rows of each system under each metric, in the order in which they first appear.

    Raises:
        PurebleuError: where segments are missing or there twice, and where parts that belong together differ in
            options, columns, signature or references. It names both.
    """
    groups: dict[Key, list[tuple[StoredRows, str]]] = {}
    for index, part in enumerate(parts):
        name = names[index] if index < len(names) else f"part {index}"
        groups.setdefault((part.system, part.metric, _label(part)), []).append((part, name))
    merged = [(_merged(group), group[0][1]) for group in groups.values()]
    _check_systems(merged)
    return [stored for stored, _ in merged]


def _label(part: StoredRows) -> str:
    """What tells several variants of a metric apart, as their scores are called: chrF2 and chrF2++."""
    return part.make_metric().score([0] * len(part.columns)).name


def _merged(group: Sequence[tuple[StoredRows, str]]) -> StoredRows:
    """The rows of one system under one metric."""
    ordered = sorted(group, key=lambda pair: (pair[0].offset, pair[0].end))
    first, first_name = ordered[0]
    if first.offset:
        raise PurebleuError(f"{first_name}: the rows of {first.system} start at segment {first.offset}; those before "
                            "are missing")
    rows = list(first.rows)
    signature, end, previous = first.signature, first.end, first_name
    for part, name in ordered[1:]:
        _check_fields(first, first_name, part, name, ("options", "columns", "naming"))
        signature = _common_signature(signature, first_name, part, name)
        if part.offset != end:
            problem = "there twice" if part.offset < end else "missing"
            low, high = sorted((part.offset, end))
            raise PurebleuError(f"{previous} and {name}: of {part.system}, segments from {low} to {high - 1} are "
                                f"{problem}")
        rows += part.rows
        end, previous = part.end, name
    whole = len(ordered) == 1
    return StoredRows(first.system, first.metric, first.options, signature, first.columns, rows, 0,
                      first.hypothesis_sha256 if whole else "", first.references_sha256 if whole else (),
                      first.naming)


def _check_fields(one: StoredRows, one_name: str, other: StoredRows, other_name: str, fields: Sequence[str]) -> None:
    for field in fields:
        here, there = getattr(one, field), getattr(other, field)
        if here != there:
            raise PurebleuError(f"{one_name} and {other_name} differ in {_CALLED.get(field, field)}: {here!r:.80} and "
                                f"{there!r:.80}")


def _common_signature(signature: str, name: str, part: StoredRows, part_name: str) -> str:
    """The signature of both; only their numbers of references may differ, which then vary."""
    one, other = signature_pairs(signature), signature_pairs(part.signature)
    for field in [*one, *other]:
        if field != "nrefs" and one.get(field) != other.get(field):
            raise PurebleuError(f"{name} and {part_name} differ in the signature's {field}: {one.get(field)} and "
                                f"{other.get(field)}")
    if one.get("nrefs") == other.get("nrefs"):
        return signature
    return "|".join([f"{key}:{'var' if key == 'nrefs' else value}" for key, value in one.items()])


def _check_systems(merged: Sequence[tuple[StoredRows, str]]) -> None:
    """Raise `PurebleuError` where systems were not scored alike: by metric, all are held to the first one."""
    first: dict[tuple[str, str], tuple[StoredRows, str]] = {}
    for part, name in merged:
        key = (part.metric, _label(part))
        one, one_name = first.setdefault(key, (part, name))
        _check_fields(one, one_name, part, name, ("options", "columns", "end"))
        if one.references_sha256 and part.references_sha256:
            _check_fields(one, one_name, part, name, ("references_sha256",))
        if one.signature != part.signature:
            _common_signature(one.signature, one_name, part, name)
            raise PurebleuError(f"{one_name} and {name} differ in the signature's nrefs")
