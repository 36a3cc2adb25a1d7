"""From segments to a score: references, and the sums of a corpus that is taken in block by block."""

from __future__ import annotations

from functools import reduce
from operator import add

from ..errors import PurebleuError, warn
from ..progress import observer
from .score import Score, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Sequence, Tuple

    from .base import Metric
    from .segments import Segment

    #: The statistics of one segment: what each column is, the metric's docstring says.
    Row = Tuple[Any, ...]

    #: Preprocessed references: a column for each reference stream, with `None` where a segment has no such reference.
    Columns = Sequence[Sequence[Any]]

#: So many segments, with all that is made of their text, stay in a processor's cache: measured, it saves a fifth.
CACHED_SEGMENTS = 100

#: So many hypotheses that end in " ." make tokenized text likely.
_MANY_TOKENIZED_LINES = 100


def sum_statistics(rows: Iterable[Sequence[Any]]) -> list[Any]:
    """The column sums of rows, from any iterable; rows of partial sums may be among them.

    >>> sum_statistics([(6, 5, 3), (2, 2, 1)])
    [8, 7, 4]

    Raises `PurebleuError` where they differ in length, as rows of different metrics do.
    """
    rows = list(rows)
    if len(set(map(len, rows))) > 1:
        raise PurebleuError("the rows have different numbers of columns, so they do not belong together")
    return list(map(_sum, zip(*rows)))


def _sum(numbers: Sequence[Any]) -> Any:
    """The sum, exact for integers; floats are added one after the other, as `sum` does before Python 3.12 only."""
    total = sum(numbers)
    return reduce(add, numbers) if isinstance(total, float) else total


class References:
    """The references of a run of segments: parallel streams, with `None` where a segment has no such reference.

    They are preprocessed when they are needed, unless `columns` brings what they are preprocessed to.
    """

    def __init__(self, metric: Metric, streams: Sequence[Sequence[Segment | None]],
                 columns: Columns | None = None) -> None:
        self._metric = metric
        self._streams = streams
        self._columns = columns

    def part(self, places: slice) -> References:
        """The references of some of the segments."""
        columns = None if self._columns is None else [column[places] for column in self._columns]
        return References(self._metric, [stream[places] for stream in self._streams], columns)

    def columns(self) -> Columns:
        """What the metric compares of them: a column for each stream, with `None` where a reference is missing."""
        if self._columns is not None:
            return self._columns
        return [_preprocess_stream(self._metric, stream) for stream in self._streams]

    def prepared(self) -> References:
        """The same references, preprocessed once and for all."""
        parts = [self.part(places).columns() for places in slices(len(self._streams[0]), CACHED_SEGMENTS)]
        columns = [[reference for part in column for reference in part] for column in zip(*parts)]
        return References(self._metric, self._streams, columns)

    def counts(self) -> set[int]:
        """The numbers of references per segment that occur."""
        if any(None in stream for stream in self._streams):
            return {len(segment) - segment.count(None) for segment in zip(*self._streams)}
        return {len(self._streams)}


def _preprocess_stream(metric: Metric, stream: Sequence[Segment | None]) -> Sequence[Any]:
    present = [segment for segment in stream if segment is not None]
    preprocessed = metric.preprocess_references(present)
    if len(present) == len(stream):
        return preprocessed
    in_order = iter(preprocessed)
    return [None if segment is None else next(in_order) for segment in stream]


def slices(length: int, size: int) -> Iterator[slice]:
    """Slices of `size` that cover a sequence of this length.

    >>> list(slices(5, 3))
    [slice(0, 3, None), slice(3, 6, None)]
    """
    return (slice(start, start + size) for start in range(0, length, size))


class Part:
    """What an evaluation needs to know of a run of segments, one or more: their rows of statistics, and a few counts.

    Unless the rows are to be kept, those whose sums do not depend on the order of adding become a single one.
    """

    def __init__(self, metric: Metric, hypotheses: Sequence[Segment], references: References,
                 keep_rows: bool = True) -> None:
        self.rows: Sequence[Row] = metric.block_statistics(hypotheses, references)
        self.reference_counts = references.counts()
        self.tokenized_lines = metric.looks_tokenized(hypotheses)
        self.given_tokens = not isinstance(hypotheses[0], str)
        observer().advance(len(hypotheses))
        if not keep_rows:
            totals = sum_statistics(self.rows)
            if not any(isinstance(total, float) for total in totals):
                self.rows = [tuple(totals)]


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

    def add(self, part: Part) -> None:
        """Take in a part of the corpus; parts come in the order of their segments."""
        self._given_tokens = part.given_tokens
        self._tokenized_lines += part.tokenized_lines
        self._reference_counts |= part.reference_counts
        self._totals = sum_statistics(part.rows if self._totals is None else [self._totals, *part.rows])

    def signature(self) -> Signature:
        """What the score of the segments so far depends on."""
        return signature_of(self._metric, self._reference_counts, self._given_tokens)

    def score(self) -> Any:
        """The score of the segments so far, of which there is one or more, with its signature."""
        assert self._totals is not None
        if self._tokenized_lines >= _MANY_TOKENIZED_LINES:
            warn(f"{self._tokenized_lines} hypotheses end in ' .': they look tokenized, but should be detokenized "
                 "text, or the score may suffer (--force, or force=True in Python, silences this)")
        score: Score = self._metric.score(self._totals)
        score.signature = self.signature()
        return score


def signature_of(metric: Metric, reference_counts: set[int], given_tokens: bool = False) -> Signature:
    """The signature of an evaluation in which segments had these numbers of references."""
    nrefs = next(iter(reference_counts)) if len(reference_counts) == 1 else "var"
    return Signature(nrefs, metric.signature_fields(given_tokens), metric.SHORT_FIELDS)
