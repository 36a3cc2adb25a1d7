"""The rows of a corpus: they are added up part by part, and the sums give the score and its signature."""

from __future__ import annotations

from functools import reduce
from operator import add

from ..runtime.blocks import CACHED_SEGMENTS, slices
from ..runtime.errors import PurebleuError, warn
from ..runtime.hints import Any, Callable, Iterable, Iterator, Mapping, Row, Segment, Sequence
from ..runtime.progress import observer
from .score import OfScore, OwnScore, Score, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    from .base import Metric

    #: A block: the hypotheses of each system, and the streams of references, with `None` for a missing reference.
    Block = Tuple[Sequence[Sequence[Any]], Sequence[Sequence[Any]]]

#: If at least this number of hypotheses end in " .", there is a warning that the text is probably tokenized.
_MANY_TOKENIZED_LINES = 100


def sum_statistics(rows: Iterable[Sequence[float]]) -> list[float]:
    """Return the column sums of rows of sufficient statistics.

    Args:
        rows: rows of one metric, or sums of such rows.

    Returns:
        The sum of each column: an integer if all numbers in the column are integers, else a float. (The last bit of
        TER's sums may depend on the grouping of rows if there are three references or more.)

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
    total = sum(numbers)
    # (Since Python 3.12, `sum` rounds floats in another way. So floats are added one by one.)
    return reduce(add, numbers) if isinstance(total, float) else total


class References:
    """The references of some segments: one or more streams, and their preprocessed form for a metric.

    Args:
        metric: the metric that preprocesses the references.
        streams: the streams of references. Each stream has the reference, or `None`, of each segment.
        preprocessed: the preprocessed streams if they are known. If not, they are computed whenever they are needed.
    """

    def __init__(self, metric: Metric[Score], streams: Sequence[Sequence[Segment | None]],
                 preprocessed: Sequence[Sequence[Any]] | None = None) -> None:
        self._metric = metric
        self.streams = streams
        self._preprocessed = preprocessed
        self.are_preprocessed = preprocessed is not None

    def part(self, indices: slice) -> References:
        """Return the references of the segments with these indices."""
        preprocessed = self._preprocessed
        if preprocessed is not None:
            preprocessed = [stream[indices] for stream in preprocessed]
        return References(self._metric, [stream[indices] for stream in self.streams], preprocessed)

    def preprocessed_streams(self) -> Sequence[Sequence[Any]]:
        """Return the preprocessed references of each stream, with `None` for a missing reference."""
        if self._preprocessed is not None:
            return self._preprocessed
        return [_preprocess_stream(self._metric, stream) for stream in self.streams]

    def by_segment(self) -> list[list[Any]]:
        """Return the preprocessed references of each segment, without missing references."""
        present: list[list[Any]] = []
        for segment in zip(*self.preprocessed_streams()):
            present.append([reference for reference in segment if reference is not None])
        return present

    def preprocessed(self) -> References:
        """Return these references with their preprocessed form, which is then computed only once."""
        streams: list[list[Any]] = [[] for _ in self.streams]
        for indices in slices(len(self.streams[0]), CACHED_SEGMENTS):
            for stream, references in zip(streams, self.part(indices).preprocessed_streams()):
                stream += references
        return References(self._metric, self.streams, streams)

    def counts(self) -> set[int]:
        """Return the set of the numbers of references that segments have."""
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
    """The rows of a part of a corpus, with what its signature and its warnings need.

    Attributes:
        rows: the row of each segment, or only one row with the column sums.
        segments: the number of segments.
        reference_counts: the set of the numbers of references that segments have.
        tokenized_lines: the number of hypotheses that look tokenized.
        given_tokens: whether the segments are tokens instead of text.
    """

    def __init__(self, rows: Sequence[Row], segments: int, reference_counts: set[int] | frozenset[int] = frozenset(),
                 tokenized_lines: int = 0, given_tokens: bool = False) -> None:
        self.rows = rows
        self.segments = segments
        self.reference_counts = reference_counts
        self.tokenized_lines = tokenized_lines
        self.given_tokens = given_tokens


def part_of(rows: Sequence[Row], metric: Metric[Score], hypotheses: Sequence[Segment], references: References) -> Part:
    """Return the part of a corpus that has these rows, hypotheses and references."""
    observer().advance(len(hypotheses))
    given_tokens = not isinstance(hypotheses[0], str)
    return Part(rows, len(hypotheses), references.counts(), metric.looks_tokenized(hypotheses), given_tokens)


class Evaluation(OfScore[OwnScore]):
    """The column sums of a corpus under one metric. They give the score and the signature of the corpus.

    An evaluation keeps no segments, so the corpus can have any size.

    Args:
        metric: the metric of the score.
        input_fields: the fields and values that the signature has for changes of the text, such as `unicode`.

    Attributes:
        metric: the metric of the score. (A `NIST` without weights is replaced by a copy with weights before `add`.)
        segments: the number of added segments.
        suits_text: whether the metric can find words in the text; `False` if a warning has said that it can't.
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
        """Return the evaluation of other rows of the same system.

        Args:
            rows: the other rows.
            fields: further fields of the signature.
            make: makes the metric of the other rows from this metric; `None` if the metric is the same.
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
        """Return the column sums of all added segments (at least one)."""
        assert self._totals is not None
        return tuple(self._totals)

    def signature(self) -> Signature:
        """Return the signature for all added segments."""
        signature = signature_of(self.metric, self._reference_counts, self._given_tokens)
        signature.info.update(self._input_fields)
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
        doubt = self.metric.doubt_of(self.totals()) if self.suits_text else ""
        if doubt:
            warn(f"{start}{doubt}")

    def score(self) -> OwnScore:
        """Return the score of all added segments, with its signature."""
        return signed_score(self.metric, self.totals(), self.signature())


def signed_score(metric: Metric[OwnScore], totals: Sequence[float], signature: Signature | None = None) -> OwnScore:
    """Return the score of column sums, with its signature (unless the metric `IS_SIGNED` is false)."""
    score = metric.score(totals)
    # (A metric that a user wrote may return a plain `Score`, which does not know whether lower is better.)
    if score.lower_is_better != metric.LOWER_IS_BETTER:
        score.lower_is_better = metric.LOWER_IS_BETTER
    if signature and metric.IS_SIGNED:
        score.signature = signature
    return score


def signature_of(metric: Metric[Score], reference_counts: set[int], given_tokens: bool = False) -> Signature:
    """Return the signature of a score.

    Args:
        metric: the metric of the score.
        reference_counts: the set of the numbers of references that segments have.
        given_tokens: whether the segments are tokens instead of text.
    """
    nrefs = "var" if len(reference_counts) > 1 else next(iter(reference_counts), None)
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
    """Add up the scored blocks of a corpus, and return its systems.

    Args:
        blocks: the result of `score_block` for each block, in order.
        metrics: the metrics of `score_block`.
        keeps_rows: whether the systems keep their rows.
        input_fields: as for `Evaluation`.
    """
    systems: list[System] = []
    for block in blocks:
        if not systems:
            systems = [System([Evaluation(metric, input_fields) for metric in metrics], [[] for _ in metrics])
                       for _ in block]
        for system, parts in zip(systems, block):
            for evaluation, rows_of_metric, part in zip(system.evaluations, system.rows, parts):
                evaluation.add(part)
                if keeps_rows:
                    rows_of_metric += part.rows
    return systems


def score_block(metrics: Sequence[Metric[Score]], keep_rows: bool, block: Block) -> list[list[Part]]:
    """Score a block. Return a list for each system, with its part under each metric.

    If `keep_rows` is false, a part has only the column sums of its rows. (Rows with floats are always kept, because a
    sum of floats depends on the order of additions.)
    """
    systems, streams = block
    references = [References(metric, streams) for metric in metrics]
    if len(systems) > 1:  # (All systems share the preprocessed references.)
        references = [references_of_metric.preprocessed() for references_of_metric in references]
    return [_parts_of_system(metrics, keep_rows, hypotheses, references) for hypotheses in systems]


def _parts_of_system(metrics: Sequence[Metric[Score]], keep_rows: bool, hypotheses: Sequence[Any],
                     references: Sequence[References]) -> list[Part]:
    """Score the hypotheses of one system, and return their part under each metric."""
    parts: list[Part] = []
    # Metrics with the same alignments compute their rows together.
    together: dict[object, Iterator[list[Row]]] = {}
    for metric, references_of_metric in zip(metrics, references):
        key = metric.alignment_key()
        if key is not None and key not in together:
            alike = [other for other in metrics if other.alignment_key() == key]
            together[key] = iter(metric.rows_together(alike, hypotheses, references_of_metric))
        if key is None:
            rows: Sequence[Row] = metric.block_statistics(hypotheses, references_of_metric)
        else:
            rows = next(together[key])
        if not keep_rows:
            totals = sum_statistics(rows)
            if not any(isinstance(total, float) for total in totals):
                rows = [tuple(totals)]
        parts.append(part_of(rows, metric, hypotheses, references_of_metric))
    return parts


def warn_of_doubts(systems: Iterable[System], names: Sequence[str] = ("",)) -> None:
    """Warn of reasons to distrust scores. `names` has the names of the systems, or '' if there is only one system."""
    for name, system in zip(names, systems):
        for evaluation in system.evaluations:
            evaluation.warn_of_doubts(name)
