"""A baseline whose rows were stored when it was scored, put beside the systems that are scored now."""

from __future__ import annotations

from ...errors import LengthError, OptionError, PurebleuError
from ...report.names import without_folders
from .scored import System

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score, Signature
    from ...rows.stored import StoredRows
    from .scored import Scored


def add_baseline(path: str, scored: Scored, references_sha256: Sequence[str]) -> None:
    """Put a baseline, from the rows in a file, before the systems that were scored.

    Raises:
        OptionError: the baseline has another signature, or was not scored under one of these metrics.
        LengthError: the baseline has another number of segments.
        PurebleuError: the baseline was scored against other references, or its file can't be read.
    """
    from ...rows.file import read
    from ...rows.merging import merge

    parts = read(path)
    merged = merge(parts, [path] * len(parts))
    if len({stored.system for stored in merged}) > 1:
        raise OptionError(f"{path} has rows of several systems, but the baseline is one")
    first = scored.systems[0]
    chosen: list[StoredRows] = []
    for metric, evaluation, metric_rows in zip(scored.metrics, first.evaluations, first.rows):
        stored = _stored_like(path, metric, evaluation.signature(), merged)
        if len(stored.rows) != len(metric_rows):
            raise LengthError(f"the baseline {path} has {len(stored.rows)} segments, not {len(metric_rows)}")
        if not (stored.references_sha256 and references_sha256):
            raise PurebleuError(f"it is not known whether the baseline {path} was scored against the same references: "
                                "the checksums of references are missing there, or in the other rows")
        if stored.references_sha256 != list(references_sha256):
            raise PurebleuError(f"the baseline {path} was scored against other references")
        chosen.append(stored)
    baseline = System([stored.evaluation(metric) for stored, metric in zip(chosen, scored.metrics)],
                      [list(stored.rows) for stored in chosen])
    scored.systems = [baseline, *scored.systems]
    scored.inputs = [path if scored.naming == "files" else without_folders(path), *scored.inputs]
    scored.naming = "files" if scored.naming == "files" else "given"


def _stored_like(path: str, metric: Metric[Score], signature: Signature, merged: Sequence[StoredRows]) -> StoredRows:
    """The stored rows under a metric, with this signature."""
    name = metric.registered_name
    candidates = [stored for stored in merged if stored.registered_name == name]
    if not candidates:
        raise OptionError(f"the baseline {path} has no rows of {name}")
    for stored in candidates:
        if stored.signature == signature.format() and stored.options == metric.scoring_options():
            return stored
    raise OptionError(f"the baseline {path} has another signature: {name}|{candidates[0].signature} instead of "
                      f"{name}|{signature}")
