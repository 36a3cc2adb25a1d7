"""Evaluations add up the rows of a corpus, block by block, and compute the score and the signature from the sums."""

from __future__ import annotations

from functools import reduce
from operator import add

from ..runtime.blocks import CACHED_SEGMENTS, slices
from ..runtime.errors import PurebleuError, warn
from ..runtime.hints import Any, Callable, Columns, Iterable, Iterator, Mapping, Row, Segment, Sequence
from ..runtime.progress import observer
from .score import OfScore, OwnScore, Score, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    from .base import Metric

    #: A block: the hypotheses of each system, and the streams of references, with `None` for a missing reference.
    Block = Tuple[Sequence[Sequence[Any]], Sequence[Sequence[Any]]]

#: The lowest number of hypotheses ending in " ." for a warning that the text is probably tokenized.
_MANY_TOKENIZED_LINES = 100


def sum_statistics(rows: Iterable[Sequence[float]]) -> list[float]:
    """Return the column sums of rows of sufficient statistics.

    Args:
        rows: rows of one metric, or sums of such rows.

    Returns:
        One sum for each column: an integer if all numbers of the column are integers, else a float. (With three
        references or more, the last bit of TER's sums may depend on the grouping of rows.)

    Example:
        >>> sum_statistics([(6, 5, 3), (2, 2, 1)])
        [8, 7, 4]
    """
    try:
        rows = list(rows)
        if len(rows) == 1:
            return list(rows[0])
        if len(set(map(len, rows))) > 1:
            raise PurebleuError("the rows have different numbers of columns, so they can't be added up")
        return list(map(_sum, zip(*rows)))
    except TypeError:
        raise TypeError("rows must be sequences of numbers, as in the result of corpus_statistics, not "
                        f"{rows!r:.80}") from None


def _sum(numbers: Sequence[float]) -> float:
    """Return the sum of numbers. Floats are added one by one, as in `sum` before Python 3.12."""
    total = sum(numbers)
    return reduce(add, numbers) if isinstance(total, float) else total


class References:
    """The references of some segments: parallel streams, with `None` for a missing reference.

    Each call of `columns` preprocesses the streams, unless the constructor gets preprocessed references.

    Attributes:
        streams: the streams of references.
        are_prepared: whether the references are preprocessed already.
    """

    def __init__(self, metric: Metric[Score], streams: Sequence[Sequence[Segment | None]],
                 columns: Columns | None = None) -> None:
        self._metric = metric
        self.streams = streams
        self._columns = columns
        self.are_prepared = columns is not None

    def part(self, indices: slice) -> References:
        """Return the references of the segments with these indices."""
        columns = None if self._columns is None else [column[indices] for column in self._columns]
        return References(self._metric, [stream[indices] for stream in self.streams], columns)

    def columns(self) -> Columns:
        """Return the preprocessed references: a list for each stream, with `None` for a missing reference."""
        if self._columns is not None:
            return self._columns
        return [_preprocess_stream(self._metric, stream) for stream in self.streams]

    def by_segment(self) -> list[list[Any]]:
        """Return the preprocessed references of each segment, without missing references."""
        present: list[list[Any]] = []
        for segment in zip(*self.columns()):
            present.append([reference for reference in segment if reference is not None])
        return present

    def prepared(self) -> References:
        """Return a copy whose references are preprocessed already."""
        columns: list[list[Any]] = [[] for _ in self.streams]
        for indices in slices(len(self.streams[0]), CACHED_SEGMENTS):
            for column, references in zip(columns, self.part(indices).columns()):
                column += references
        return References(self._metric, self.streams, columns)

    def counts(self) -> set[int]:
        """Return the different numbers of references per segment."""
        if any(None in stream for stream in self.streams):
            return set(self.counts_by_segment())
        return {len(self.streams)}

    def counts_by_segment(self) -> list[int]:
        """Return the number of references of each segment."""
        return [len(segment) - segment.count(None) for segment in zip(*self.streams)]


def _preprocess_stream(metric: Metric[Score], stream: Sequence[Segment | None]) -> Sequence[Any]:
    present = [segment for segment in stream if segment is not None]
    preprocessed = metric.preprocess_references(present)
    if len(present) == len(stream):
        return preprocessed
    in_order = iter(preprocessed)
    return [None if segment is None else next(in_order) for segment in stream]


def pairs_of_segments(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[tuple[Any, Any]]:
    """Return all pairs of a hypothesis and one of its references, without missing references (`None`)."""
    pairs: list[tuple[Any, Any]] = []
    for hypothesis, segment in zip(hypotheses, references):
        pairs += [(hypothesis, reference) for reference in segment if reference is not None]
    return pairs


class Part:
    """The rows of some segments, with the counts that an evaluation needs.

    With `keep_rows=False`, the sums of the columns replace the rows. But rows with floats are kept, because the sum of
    floats depends on the order of additions.
    """

    def __init__(self, metric: Metric[Score], hypotheses: Sequence[Segment], references: References,
                 keep_rows: bool = True, rows: Sequence[Row] | None = None) -> None:
        self.rows: Sequence[Row] = metric.block_statistics(hypotheses, references) if rows is None else rows
        self.reference_counts = references.counts()
        self.tokenized_lines = metric.looks_tokenized(hypotheses)
        self.given_tokens = not isinstance(hypotheses[0], str)
        self.segments = len(hypotheses)
        observer().advance(len(hypotheses))
        if not keep_rows and self.segments > 1:
            totals = sum_statistics(self.rows)
            if not any(isinstance(total, float) for total in totals):
                self.rows = [tuple(totals)]


class Evaluation(OfScore[OwnScore]):
    """The column sums of a corpus under one metric, with methods for the score and the signature of the corpus.

    An evaluation keeps no segments, so the corpus can have any size.

    Args:
        metric: the metric of the score.
        input_fields: the signature's fields for changes of the text, such as `unicode` for the normal form.

    Attributes:
        metric: the metric of the score. (A `NIST` without weights is replaced by a copy with weights before `add`.)
        segments: the number of segments that `add` has added.
        suits_text: whether the metric can find the words of the text; `False` if `TextWarnings` has warned about this.
    """

    def __init__(self, metric: Metric[OwnScore], input_fields: Mapping[str, str] | None = None) -> None:
        self.metric = metric
        self._input_fields = input_fields or {}
        self._totals: list[float] | None = None
        self._reference_counts: set[int] = set()
        self._tokenized_lines = 0
        self.segments = 0
        self.suits_text = True
        self._given_tokens = False

    def add(self, part: Part) -> None:
        """Add the next part of the corpus."""
        self._given_tokens = part.given_tokens
        self._tokenized_lines += part.tokenized_lines
        self.segments += part.segments
        self._reference_counts |= part.reference_counts
        self._totals = sum_statistics(part.rows if self._totals is None else [self._totals, *part.rows])

    def of_rows(self, rows: Sequence[Row], fields: Mapping[str, str],
                make: Callable[[Metric[Any]], Metric[Any]] | None = None) -> Evaluation[Any]:
        """Return an evaluation of different rows of the same system, with further `fields` in the signature.

        `make` is a function that returns the metric of the rows for this metric; `None` if the metric is the same.
        """
        from copy import copy

        evaluation: Evaluation[Any] = copy(self)
        evaluation.metric = make(self.metric) if make else self.metric
        evaluation._input_fields = {**self._input_fields, **fields}
        evaluation._totals = sum_statistics(rows)
        evaluation._tokenized_lines = 0  # (`self` has warned already.)
        evaluation.segments = len(rows)
        return evaluation

    def totals(self) -> Row:
        """Return the column sums of all added segments. At least one segment must have been added."""
        assert self._totals is not None
        return tuple(self._totals)

    def signature(self) -> Signature:
        """Return the signature for all added segments."""
        signature = signature_of(self.metric, self._reference_counts, self._given_tokens)
        for key, value in self._input_fields.items():
            signature.info[key] = value
        return signature

    def warn_of_doubts(self, system: str = "") -> None:
        """Warn if the hypotheses look tokenized, or if there is a reason to distrust the score.

        Args:
            system: the name of the system if there are several systems.
        """
        start = f"{system}: " if system else ""
        if self._tokenized_lines >= _MANY_TOKENIZED_LINES:
            warn(f"{start}{self._tokenized_lines} hypotheses end in ' .': they look tokenized, and tokenized text may "
                 "get a wrong score (--force, or force=True in Python, silences this warning)")
        self._warn_of_doubt(start)

    def _warn_of_doubt(self, start: str) -> None:
        doubt = self.metric.doubt_of(self.totals(), self.segments) if self.suits_text else ""
        if doubt:
            warn(f"{start}{doubt}")

    def score(self) -> OwnScore:
        """Return the score of all added segments, with its signature."""
        return signed_score(self.metric, self.totals(), self.signature())


def signed_score(metric: Metric[OwnScore], totals: Sequence[float], signature: Signature | None = None) -> OwnScore:
    """Return the score of column sums, with `signature` and with the metric's `lower_is_better`.

    (A metric that a user writes may return a plain `Score`, which lacks the metric's direction.)
    """
    score = metric.score(totals)
    if score.lower_is_better != metric.LOWER_IS_BETTER:
        score.lower_is_better = metric.LOWER_IS_BETTER
    if signature and metric.IS_SIGNED:
        score.signature = signature
    return score


def signature_of(metric: Metric[Score], reference_counts: set[int], given_tokens: bool = False) -> Signature:
    """Return the signature of a score. `reference_counts` has the different numbers of references per segment."""
    nrefs = next(iter(reference_counts), None) if len(reference_counts) < 2 else "var"
    return Signature(nrefs, metric.signature_fields(given_tokens), metric.SHORT_FIELDS)


# Systems under several metrics


class System:
    """The evaluations of a system under several metrics.

    Attributes:
        evaluations: the evaluation under each metric.
        rows: the rows of the segments under each metric; empty lists if rows are not kept.
    """

    def __init__(self, evaluations: Sequence[Evaluation[Score]], rows: Sequence[list[Row]]) -> None:
        self.evaluations = evaluations
        self.rows = rows

    def scores(self) -> list[Score]:
        return [evaluation.score() for evaluation in self.evaluations]


def evaluated_systems(blocks: Iterable[Sequence[Sequence[Part]]], metrics: Sequence[Metric[Score]], keeps_rows: bool,
                      input_fields: Mapping[str, str] | None = None) -> list[System]:
    """Add up the blocks of a corpus, and return its systems.

    Args:
        blocks: the results of `score_block` for the blocks, in order.
        metrics: the metrics of the parts.
        keeps_rows: whether the systems keep the rows.
        input_fields: as for `Evaluation`.
    """
    systems: list[System] = []
    for block in blocks:
        if not systems:
            systems = [_new_system(metrics, input_fields) for _ in block]
        for system, parts in zip(systems, block):
            for evaluation, rows_of_metric, part in zip(system.evaluations, system.rows, parts):
                evaluation.add(part)
                if keeps_rows:
                    rows_of_metric += part.rows
    return systems


def _new_system(metrics: Sequence[Metric[Score]], input_fields: Mapping[str, str] | None) -> System:
    return System([Evaluation(metric, input_fields) for metric in metrics], [[] for _ in metrics])


def score_block(metrics: Sequence[Metric[Score]], keep_rows: bool, block: Block) -> list[list[Part]]:
    """Score a block, and return the part of each system under each metric."""
    streams, references = block
    shared = [References(metric, references) for metric in metrics]
    if len(streams) > 1:
        shared = [references_of_metric.prepared() for references_of_metric in shared]
    return [_parts_of_system(metrics, keep_rows, hypotheses, shared) for hypotheses in streams]


def _parts_of_system(metrics: Sequence[Metric[Score]], keep_rows: bool, hypotheses: Sequence[Any],
                     references: Sequence[References]) -> list[Part]:
    """Score a block of one system, and return the part under each metric."""
    parts: list[Part] = []
    together: dict[object, Iterator[list[Row]]] = {}
    for metric, references_of_metric in zip(metrics, references):
        key = metric.alignment_key()
        if key is not None and key not in together:
            alike = [other for other in metrics if other.alignment_key() == key]
            together[key] = iter(metric.rows_together(alike, hypotheses, references_of_metric))
        rows = None if key is None else next(together[key])
        parts.append(Part(metric, hypotheses, references_of_metric, keep_rows, rows))
    return parts


def warn_of_doubts(systems: Iterable[System], names: Sequence[str] = ("",)) -> None:
    """Warn of reasons to distrust the scores of systems. If there are several systems, `names` has their names."""
    for name, system in zip(names, systems):
        for evaluation in system.evaluations:
            evaluation.warn_of_doubts(name)
