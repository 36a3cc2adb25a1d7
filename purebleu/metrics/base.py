"""What all metrics have in common: three pure steps, and the evaluation of a corpus that stands on them."""

from __future__ import annotations

from ..errors import PurebleuError
from .evaluation import Evaluation, Part, References, signature_of, slices, sum_statistics
from .score import Score, Signature
from .segments import (
    check_parallel,
    checked_hypotheses,
    checked_hypothesis,
    checked_references,
    checked_stream,
    is_text,
    transposed,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Sequence

    from .evaluation import Columns as Columns
    from .evaluation import Row as Row
    from .score import SignatureValue
    from .segments import OptionalStream
    from .segments import Segment as Segment

#: How many segments of a corpus are worked on at once.
BLOCK = 4096

__all__ = ["Metric", "Score", "Signature", "sum_statistics"]


class Metric:
    """The base of all metrics. A derived class defines the three steps; everything else needs nothing but rows.

    1. `preprocess_lines(segments)`: what is compared of each segment, such as tokens;
    2. `segment_statistics(hypothesis, references)`: the row of numbers of a segment, from preprocessed input;
    3. `score(totals)`: a `Score` from column sums of rows (`sum_statistics`).

    Options do not change after construction, and a metric holds no results: only the references that it was made with,
    and, for `get_signature`, the signature of its latest evaluation.
    """

    #: Whether a segment may also be a sequence of tokens or ids.
    TAKES_TOKENS = False

    #: Whether a lower score is a better one.
    LOWER_IS_BETTER = False

    #: Abbreviations of the metric's own fields of a signature.
    SHORT_FIELDS: dict[str, str] = {}

    def __init__(self, references: Sequence[Sequence[Segment]] | None = None) -> None:
        self._streams: list[OptionalStream] | None = None
        self._latest: Signature | None = None
        if references is not None:
            self._streams = checked_references(references, self.TAKES_TOKENS)
            self._references = References(self, self._streams).prepared()
            given_tokens = any(is_text(stream) is False for stream in self._streams)
            self._latest = signature_of(self, self._references.counts(), given_tokens)

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Any]:
        """Step 1: what of segments is compared."""
        raise NotImplementedError

    def segment_statistics(self, hypothesis: Any, references: Sequence[Any]) -> Row:
        """Step 2: the row of a preprocessed hypothesis against its preprocessed references (one or more)."""
        raise NotImplementedError

    def score(self, totals: Sequence[Any]) -> Score:
        """Step 3: the score from the column sums of rows."""
        raise NotImplementedError

    def value(self, totals: Sequence[Any]) -> float:
        """The bare number of `score`; a derived class may have a faster way, for resampling."""
        return float(self.score(totals).score)

    def preprocess(self, segment: Segment) -> Any:
        """`preprocess_lines` for a single segment."""
        return self.preprocess_lines([segment])[0]

    def preprocess_references(self, segments: Sequence[Segment]) -> Sequence[Any]:
        """`preprocess_lines` for references, should the metric treat them in another way."""
        return self.preprocess_lines(segments)

    def block_statistics(self, hypotheses: Sequence[Segment], references: References) -> list[Row]:
        """Steps 1 and 2 for many segments; a derived class may have a faster way."""
        return [
            self.segment_statistics(hypothesis, [reference for reference in segment if reference is not None])
            for hypothesis, segment in zip(self.preprocess_lines(hypotheses), zip(*references.columns()))
        ]

    def _check_sums(self, totals: Sequence[Any], columns: int) -> None:
        """Raise `PurebleuError` unless there are as many sums as a row of this metric has columns."""
        if len(totals) != columns:
            raise PurebleuError(f"{len(totals)} sums do not make a score: with these options, a row has {columns} "
                                "columns")

    def signature_fields(self, given_tokens: bool) -> dict[str, SignatureValue]:
        """The metric's own fields of a signature; `given_tokens` where segments came as tokens."""
        raise NotImplementedError

    def looks_tokenized(self, hypotheses: Sequence[Segment]) -> int:
        """How many hypotheses look tokenized although they should not be."""
        return 0

    def corpus_score(self, hypotheses: Sequence[Segment], references: Sequence[Sequence[Segment | None]] | None,
                     n_bootstrap: int = 1, rng: str = "mt19937", *, transpose_references: bool = False) -> Any:
        """The score of a corpus.

        `hypotheses` is one stream of segments; `references` is a sequence of such streams, each parallel to the
        hypotheses, with `None` where a segment has fewer references than others (an empty string is a reference). If
        `references` is `None`, those given to the constructor serve. With `transpose_references`, it is one list of
        references per hypothesis instead.

        With `n_bootstrap` greater than 1, so many bootstrap resamples estimate an interval: `mean` and `ci` of the
        score. `rng` names the random stream, a key of `resampling.streams.STREAMS`; its seed is that of
        `resampling.streams.seed_from_environment`.

        Raises `TypeError` for elements of a wrong type and `PurebleuError` for streams that are empty or of different
        lengths.
        """
        evaluation = Evaluation(self)
        rows: list[Row] = []
        for block in self._blocks(hypotheses, references, transpose_references):
            part = Part(self, *block, keep_rows=n_bootstrap > 1)
            evaluation.add(part)
            if n_bootstrap > 1:
                rows += part.rows
        score = evaluation.score()
        if n_bootstrap > 1:
            from ..resampling.intervals import add_intervals
            from ..resampling.streams import make_stream, seed_from_environment

            seed = seed_from_environment()
            stream = make_stream(rng, seed)
            add_intervals([score], [rows], [self.value], stream, n_bootstrap)
            score.signature = score.signature.with_resampling(seed, stream.SIGNATURE, bs=n_bootstrap)
        self._latest = score.signature
        return score

    def corpus_statistics(self, hypotheses: Sequence[Segment],
                          references: Sequence[Sequence[Segment | None]] | None, *,
                          transpose_references: bool = False) -> list[Row]:
        """The rows of all segments, in order; arguments and errors as for `corpus_score`."""
        evaluation = Evaluation(self)
        rows: list[Row] = []
        for block in self._blocks(hypotheses, references, transpose_references):
            part = Part(self, *block)
            evaluation.add(part)
            rows += part.rows
        self._latest = evaluation.signature()
        return rows

    def sentence_score(self, hypothesis: Segment, references: Sequence[Segment | None]) -> Any:
        """The score of one segment against a sequence of references, at least one of which is not `None`."""
        hypotheses = checked_hypothesis(hypothesis, self.TAKES_TOKENS)
        present = [reference for reference in checked_stream(references, "references", self.TAKES_TOKENS)
                   if reference is not None]
        if not present:
            raise PurebleuError("the segment has no reference")
        check_parallel(hypotheses, [[reference] for reference in present])
        row = self.segment_statistics(self.preprocess(hypothesis), self.preprocess_references(present))
        score = self.score(row)
        score.signature = self._latest = signature_of(self, {len(present)}, not isinstance(hypothesis, str))
        return score

    def get_signature(self) -> Signature:
        """The signature of the latest evaluation. (That of a certain score is its attribute `signature`.)"""
        if self._latest is None:
            raise PurebleuError("the signature depends on the number of references: score something first")
        return self._latest

    def _blocks(self, hypotheses: object, references: object,
                transpose: bool) -> Iterator[tuple[Sequence[Segment], References]]:
        """The corpus in blocks of segments; all of it is checked before the first."""
        stream = checked_hypotheses(hypotheses, self.TAKES_TOKENS)
        if transpose and references is not None:
            references = transposed(references, len(stream))
        streams = self._streams if references is None else checked_references(references, self.TAKES_TOKENS)
        if streams is None:
            raise PurebleuError("no references: give them here or to the constructor")
        check_parallel(stream, streams)
        every = self._references if references is None else References(self, streams)
        for places in slices(len(stream), BLOCK):
            yield stream[places], every.part(places)

    # Names that clients of sacreBLEU call

    def _preprocess_segment(self, sent: str) -> str:
        """A line as sacreBLEU's metric compares it: where it compares tokens, they are separated by blanks."""
        raise NotImplementedError

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """What sacreBLEU's metric keeps of the references of a segment, in new objects, which clients change."""
        raise NotImplementedError

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> list[dict[str, Any]]:
        streams = checked_references(references, tokens_allowed=False)
        return [self._extract_reference_info([reference for reference in segment if isinstance(reference, str)])
                for segment in zip(*streams)]

    def _extract_corpus_statistics(self, hypotheses: Sequence[Segment],
                                   references: Sequence[Sequence[Segment | None]] | None) -> list[list[Any]]:
        return [list(row) for row in self.corpus_statistics(hypotheses, references)]

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> Any:
        return self.score(stats)

    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> Any:
        return self.score(sum_statistics(stats))
