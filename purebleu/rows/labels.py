"""Documents and strata of segments in stored rows: which segments are of the same one, but not what it is called."""

from __future__ import annotations

from itertools import groupby

from ..errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

#: The names of labels: documents, and strata by their names in signatures.
LABELS = ("docid", "domain", "origlang", "file")

#: As many hexadecimal digits of a SHA-256 sum stand for a name.
_DIGITS = 16


def label_digests(names: Sequence[str]) -> list[str]:
    """A short checksum in place of each name, so that the same names in other parts of the corpus are known as such.

    >>> label_digests(["a", "b", "a"])
    ['ca978112ca1bbdca', '3e23e8160039594a', 'ca978112ca1bbdca']
    """
    from hashlib import sha256

    digests = {name: sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
               for name in dict.fromkeys(names)}
    return [digests[name] for name in names]


def as_runs(labels: Sequence[str]) -> list[list[Any]]:
    """Labels of segments as plain data: pairs of a label and the number of segments in a row that have it.

    >>> as_runs(["a", "a", "b"])
    [['a', 2], ['b', 1]]
    """
    return [[label, len(list(run))] for label, run in groupby(labels)]


def from_runs(runs: Any, segments: int) -> list[str]:
    """The labels of segments, from `as_runs`.

    Raises:
        PurebleuError: the data is not of that form, or not of this number of segments.
    """
    labels: list[str] = []
    for run in _list_of(runs):
        if list(map(type, _list_of(run))) != [str, int]:
            raise PurebleuError("the labels of segments are not of the form that was written")
        if not 0 < run[1] <= segments - len(labels):
            raise PurebleuError(f"there are labels of more than {segments} segments, or of none")
        labels += [str(run[0])] * run[1]
    if len(labels) != segments:
        raise PurebleuError(f"there are labels of {len(labels)} segments, not of {segments}")
    return labels


def _list_of(value: Any) -> list[Any]:
    """A value of JSON that is a list; of any other, a list that no run is."""
    return value if type(value) is list else [None]  # pyright: ignore[reportUnknownVariableType]  # JSON
