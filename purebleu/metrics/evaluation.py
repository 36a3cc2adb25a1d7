"""From segments to a score: prepared references, and the sums of a corpus that is taken in block by block."""

from __future__ import annotations

import warnings

from ..errors import PurebleuWarning
from .score import Score, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence, Tuple

    from .base import Metric
    from .segments import Segment

    #: The statistics of one segment: what each column is, the metric's docstring says.
    Row = Tuple[Any, ...]

    #: Preprocessed references: a column for each reference stream, with `None` where a segment has no such reference.
    Columns = Sequence[Sequence[Any]]

#: So many hypotheses that end in " ." make tokenized text likely.
_MANY_TOKENIZED_LINES = 100


def sum_statistics(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """The column sums of rows; rows of partial sums may be among them.

    >>> sum_statistics([(6, 5, 3), (2, 2, 1)])
    [8, 7, 4]
    """
    return [sum(column) for column in zip(*rows)]


class PreparedReferences:
    """The references of a run of segments, preprocessed by a metric; `counts` are their numbers that occur."""

    def __init__(self, metric: Metric, streams: Sequence[Sequence[Segment | None]]) -> None:
        self.columns: Columns = [_preprocess_stream(metric, stream) for stream in streams]
        self.counts: set[int] = {len(streams)}
        if any(None in stream for stream in streams):
            self.counts = {len(segment) - segment.count(None) for segment in zip(*streams)}

    def __getitem__(self, places: slice) -> PreparedReferences:
        part = PreparedReferences.__new__(PreparedReferences)
        part.columns = [column[places] for column in self.columns]
        part.counts = self.counts
        return part


def _preprocess_stream(metric: Metric, stream: Sequence[Segment | None]) -> Sequence[Any]:
    present = [segment for segment in stream if segment is not None]
    preprocessed = metric.preprocess_lines(present) if present else []
    if len(present) == len(stream):
        return preprocessed
    in_order = iter(preprocessed)
    return [None if segment is None else next(in_order) for segment in stream]


class Evaluation:
    """The sums of a corpus's statistics under one metric, from which its score and signature come.

    Nothing of the segments themselves is kept, so a corpus of any size can pass through it.
    """

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._totals: list[Any] | None = None
        self._reference_counts: set[int] = set()
        self._tokenized_lines = 0
        self._given_tokens = False

    def add(self, hypotheses: Sequence[Segment], references: PreparedReferences) -> list[Row]:
        """Take in a block of segments, one or more, and return its rows of statistics."""
        metric = self._metric
        self._given_tokens = not isinstance(hypotheses[0], str)
        self._tokenized_lines += metric.looks_tokenized(hypotheses)
        self._reference_counts |= references.counts
        rows = metric.block_statistics(metric.preprocess_lines(hypotheses), references.columns)
        totals = sum_statistics(rows)
        self._totals = totals if self._totals is None else sum_statistics([self._totals, totals])
        return rows

    def signature(self) -> Signature:
        """What the score of the segments so far depends on."""
        return signature_of(self._metric, self._reference_counts, self._given_tokens)

    def score(self) -> Any:
        """The score of the segments so far, of which there is one or more, with its signature."""
        assert self._totals is not None
        if self._tokenized_lines >= _MANY_TOKENIZED_LINES:
            warnings.warn(f"{self._tokenized_lines} hypotheses end in ' .': they look tokenized, but should be "
                          "detokenized text, or the score may suffer ('force' silences this)", PurebleuWarning,
                          stacklevel=3)
        score: Score = self._metric.score(self._totals)
        score.signature = self.signature()
        return score


def signature_of(metric: Metric, reference_counts: set[int], given_tokens: bool = False) -> Signature:
    """The signature of an evaluation in which segments had these numbers of references."""
    nrefs = next(iter(reference_counts)) if len(reference_counts) == 1 else "var"
    return Signature(nrefs, metric.signature_fields(given_tokens))
