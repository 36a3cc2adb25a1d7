"""The base of all metrics: scoring a corpus or a segment, on top of the contract's three steps."""

from __future__ import annotations

from ..blocks import BLOCK_SEGMENTS, CACHED_SEGMENTS, slices
from ..errors import OptionError, PurebleuError
from .contract import Contract, OwnScore, References, sum_statistics
from .evaluation import Evaluation, Part, signature_of
from .score import Score, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Sequence, TypeVar

    from .contract import Row
    from .segments import OptionalStream, Segment
    from .text_warnings import TextWarnings

    Self = TypeVar("Self", bound="Metric[Any]")

__all__ = ["Metric", "Score", "Signature", "sum_statistics"]


class Metric(Contract[OwnScore]):
    """The base of all metrics. A derived class defines the steps of the contract; all else needs nothing but rows.

    Options do not change after construction, and a metric holds no results: only the references that it was made with,
    and, for `get_signature`, the signature of its latest evaluation.
    """

    def __init__(self, references: Sequence[Sequence[Segment | None]] | None = None) -> None:
        self._streams: list[OptionalStream] | None = None
        self._latest: Signature | None = None
        if references is not None:
            from .segments import checked_references, is_text

            self._streams = checked_references(references, self.TAKES_TOKENS)
            self._references = References(self, self._streams).prepared()
            self.take_weights([self._references.columns()])
            given_tokens = any(is_text(stream) is False for stream in self._streams)
            self._latest = signature_of(self, self._references.counts(), given_tokens)

    def corpus_score(self, hypotheses: Sequence[Segment], references: Sequence[Sequence[Segment | None]] | None,
                     n_bootstrap: int = 1, rng: str = "environment", *, transpose_references: bool = False,
                     normalize: str = "") -> OwnScore:
        """The score of a corpus.

        Args:
            hypotheses: a segment each: a string, or (BLEU only) a sequence of tokens or ids.
            references: a sequence of streams, each parallel to the hypotheses, with `None` where a segment has fewer
                references than others (an empty string is a reference). `None`: those given to the constructor.
            n_bootstrap: the number of bootstrap resamples that estimate `mean` and `ci` of the score; 1: none.
            rng: the random stream, `mt19937` (Python's) or `numpy` (as sacreBLEU's); `environment`: that of
                `PUREBLEU_RNG`, else `mt19937`. Its seed comes from the environment (`PUREBLEU_SEED` or
                `SACREBLEU_SEED`, else 12345).
            transpose_references: whether `references` is one list of references per hypothesis instead.
            normalize: `nfc` or `nfkc`: the normal form of Unicode that both hypotheses and references are brought into
                first; empty: they are compared as they are.

        Returns:
            The score, with its signature.

        Raises:
            TypeError: for elements of a wrong type.
            PurebleuError: for streams that are empty or of different lengths, and for another form.

        Example:
            >>> from purebleu import BLEU
            >>> BLEU().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
            BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
        """
        metric, blocks, texts = self._corpus(hypotheses, references, transpose_references, normalize, warns=True)
        evaluation: Evaluation[OwnScore] = Evaluation(metric, {"unicode": normalize} if normalize else None)
        rows: list[Row] = []
        for block in blocks:
            part = Part(metric, *block, keep_rows=n_bootstrap > 1)
            evaluation.add(part)
            if n_bootstrap > 1:
                rows += part.rows
        evaluation.suits_text = texts.suits(metric)
        evaluation.warn_of_doubts()
        score = evaluation.score()
        if n_bootstrap > 1:
            from ..engines.resampling.intervals import add_intervals, exact_mean
            from ..engines.resampling.streams import make_stream, seed_from_environment

            seed = seed_from_environment()
            stream = make_stream(rng, seed)
            add_intervals([score], [rows], [self.values], stream, n_bootstrap, exact_mean)
            score.signature = score.signature.with_resampling(seed, stream.SIGNATURE, bs=n_bootstrap)
        self._latest = score.signature
        return score

    def corpus_statistics(self, hypotheses: Sequence[Segment],
                          references: Sequence[Sequence[Segment | None]] | None, *,
                          transpose_references: bool = False, normalize: str = "") -> list[Row]:
        """The sufficient statistics of a corpus, a row for each segment.

        Arguments and errors are those of `corpus_score`. The docstring of each metric lists the columns of its rows.

        Returns:
            The rows, in the order of the segments.

        Example:
            >>> from purebleu import TER, sum_statistics
            >>> metric = TER()
            >>> rows = metric.corpus_statistics(["a b", "c"], [["a x", "c"]])
            >>> rows
            [(1, 2.0), (0, 1.0)]
            >>> metric.score(sum_statistics(rows))
            TER = 33.33
        """
        metric, blocks, _ = self._corpus(hypotheses, references, transpose_references, normalize)
        evaluation: Evaluation[OwnScore] = Evaluation(metric, {"unicode": normalize} if normalize else None)
        rows: list[Row] = []
        for block in blocks:
            part = Part(metric, *block)
            evaluation.add(part)
            rows += part.rows
        self._latest = evaluation.signature()
        return rows

    def sentence_score(self, hypothesis: Segment, references: Sequence[Segment | None]) -> OwnScore:
        """The score of one segment.

        Args:
            hypothesis: a segment: a string, or (BLEU only) a sequence of tokens or ids.
            references: its references, at least one of which is not `None`.

        Returns:
            The score, with its signature.

        Raises:
            TypeError: for elements of a wrong type, and for references that are a string, not a list.
            PurebleuError: where there is no reference.

        Example:
            >>> from purebleu import CHRF
            >>> CHRF(word_order=2).sentence_score("The cat sat.", ["The cat sits."])
            chrF2++ = 54.98
        """
        from .segments import check_parallel, checked_hypothesis, checked_stream

        hypotheses = checked_hypothesis(hypothesis, self.TAKES_TOKENS)
        present = [reference for reference in checked_stream(references, "references", self.TAKES_TOKENS)
                   if reference is not None]
        if not present:
            raise PurebleuError("the segment has no reference")
        check_parallel(hypotheses, [[reference] for reference in present])
        self._warn_of_long(hypotheses, [[reference] for reference in present])
        compared, in_references = self._preprocess_together(hypothesis, present)
        row = self.segment_statistics(compared, in_references)
        score = self.score(row)
        score.signature = self._latest = signature_of(self, {len(present)}, not isinstance(hypothesis, str))
        return score

    def sentence_scores(self, hypotheses: Sequence[Segment],
                        references: Sequence[Sequence[Segment | None]]) -> list[OwnScore]:
        """The scores of a batch of segments (as rewards, say): those of `sentence_score`, computed faster together.

        Args:
            hypotheses: segments: strings, or (BLEU and GLEU only) sequences of tokens or ids.
            references: for each hypothesis, a list of its references, at least one of which is not `None`.

        Returns:
            A score for each hypothesis, with its signature.

        Raises:
            TypeError: for elements of a wrong type.
            PurebleuError: where there are no hypotheses, or a segment has no reference.

        Example:
            >>> from purebleu import CHRF
            >>> CHRF().sentence_scores(["the cat", "a dog"], [["the cat"], ["the dog", "one dog"]])
            [chrF2 = 100.00, chrF2 = 31.25]
        """
        from .segments import check_parallel, checked_hypotheses, checked_references, transposed

        stream = checked_hypotheses(hypotheses, self.TAKES_TOKENS)
        by_reference = transposed(references, len(stream), self.TAKES_TOKENS, "sentence_scores")
        streams = checked_references(by_reference, self.TAKES_TOKENS)
        check_parallel(stream, streams)
        self._warn_of_long(stream, streams)
        given_tokens = not isinstance(stream[0], str)
        every = References(self, streams)
        signatures = {count: signature_of(self, {count}, given_tokens) for count in every.counts()}
        self._latest = signature_of(self, every.counts(), given_tokens)
        # (Without weights from a corpus, those of each segment are its own.)
        block_statistics = super().block_statistics if self.lacks_weights() else self.block_statistics
        scores: list[OwnScore] = []
        for indices in slices(len(stream), BLOCK_SEGMENTS):
            scores += map(self.score, block_statistics(stream[indices], every.part(indices)))
        for score, segment in zip(scores, zip(*streams)):
            score.signature = signatures[len(segment) - segment.count(None)]
        return scores

    def _preprocess_together(self, hypothesis: Segment, references: Sequence[Segment]) -> tuple[Any, Sequence[Any]]:
        """The compared form of a hypothesis and of references; in one call, if possible: each call has a fixed cost."""
        if self._treats_references_differently():
            return self.preprocess(hypothesis), self.preprocess_references(references)
        compared, *in_references = self.preprocess_lines([hypothesis, *references])
        return compared, in_references

    def _warn_of_long(self, hypotheses: Sequence[Segment], references: Sequence[Sequence[Segment | None]]) -> None:
        """Warn, before the segments are scored, of those that take seconds."""
        if self.LONG_LINE is not None:
            from .long_lines import warn_of_long_segments

            warn_of_long_segments(self, hypotheses, references)

    def _treats_references_differently(self) -> bool:
        """Whether references are preprocessed in another way than hypotheses."""
        return type(self).preprocess_references is not Metric.preprocess_references  # pyright: ignore[reportUnknownMemberType]

    def pairwise(self, hypotheses: Sequence[Segment], references: Sequence[Segment]) -> list[list[float]]:
        """The scores of all pairs of hypotheses and references, for minimum Bayes risk decoding, say (see `mbr`).

        Args:
            hypotheses: segments: strings, or (BLEU and GLEU only) sequences of tokens or ids.
            references: segments likewise, of any number.

        Returns:
            A list for each hypothesis, of its scores against each reference alone: those of `sentence_score`, to the
            last bit.

        Raises:
            TypeError: for elements of a wrong type.
            PurebleuError: where there are no hypotheses or no references.

        Example:
            >>> from purebleu import TER
            >>> TER().pairwise(["a b", "a c"], ["a b", "a d", "c b a d"])
            [[0.0, 50.0, 75.0], [50.0, 50.0, 75.0]]
        """
        from .segments import check_kinds, checked_segments

        ours = checked_segments(hypotheses, "hypotheses", self.TAKES_TOKENS)
        theirs = checked_segments(references, "references", self.TAKES_TOKENS)
        check_kinds(ours, [theirs])
        self._warn_of_long([max(ours, key=len)], [[max(theirs, key=len)]])
        if not isinstance(ours[0], str):
            return self.pair_values(self.preprocess_lines(ours), self.preprocess_references(theirs))
        # Samples of a model are often the same, and a line is scored only once.
        different, others = list(dict.fromkeys(ours)), list(dict.fromkeys(theirs))
        rows = self.pair_values(self.preprocess_lines(different), self.preprocess_references(others))
        if len(others) < len(theirs):
            columns = list(map({line: index for index, line in enumerate(others)}.__getitem__, theirs))
            rows = [list(map(row.__getitem__, columns)) for row in rows]
        row_of = dict(zip(different, rows))
        return rows if len(different) == len(ours) else [list(row_of[line]) for line in ours]

    @classmethod
    def from_signature(cls: type[Self], signature: str, **others: Any) -> Self:
        """The metric that a published score was computed with.

        Args:
            signature: with the name of the score, as sacreBLEU and purebleu print it, in the long or the short form.
                Its version, number of references, test set and resampling are not the metric's, and left aside.
            others: further arguments of the metric.

        Raises:
            OptionError: it is no signature, is one of another metric, or has a field or a value that is unknown.

        Example:
            >>> from purebleu import BLEU
            >>> BLEU.from_signature("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:floor[0.30]|version:2.4.3")
            ... # doctest: +ELLIPSIS
            <BLEU case:lc|eff:no|tok:intl|smooth:floor[0.30]|version:purebleu-...>
        """
        from .signatures import read_signature

        read = read_signature(signature)
        if read.metric != cls.__name__:
            raise OptionError(f"{signature!r:.80} is not a signature of {cls.__name__}")
        return cls(**{**read.options(), **others})

    def get_signature(self) -> Signature:
        """The signature of the latest evaluation. (That of a certain score is its attribute `signature`.)

        Raises:
            PurebleuError: where nothing has been scored, for it depends on the number of references.
        """
        if self._latest is None:
            raise PurebleuError("the signature depends on the number of references: score something first")
        return self._latest

    def with_weights(self: Self, blocks: Iterable[References]) -> Self:
        """The metric for a corpus whose references these are; `self`, if rows depend on nothing but their segment.

        Args:
            blocks: all references, in blocks of segments.
        """
        if not self.lacks_weights():
            return self
        from copy import copy

        weighted = copy(self)
        weighted.take_weights(block.columns() for block in blocks)
        return weighted

    def _corpus(self: Self, hypotheses: object, references: object, transpose: bool, normalize: str = "",
                warns: bool = False) -> tuple[Self, Iterator[tuple[Sequence[Segment], References]], TextWarnings]:
        """The metric, with its weights, and the corpus in blocks of segments, once all of it is checked.

        `warns` says whether texts that hardly are what was meant are looked for.
        """
        from .segments import check_parallel, checked_hypotheses, checked_references, transposed
        from .text_warnings import TextWarnings

        stream = checked_hypotheses(hypotheses, self.TAKES_TOKENS)
        if transpose and references is not None:
            references = transposed(references, len(stream), self.TAKES_TOKENS)
        streams = self._streams if references is None else checked_references(references, self.TAKES_TOKENS)
        if streams is None:
            raise PurebleuError("no references: give them here or to the constructor")
        check_parallel(stream, streams)
        if normalize:
            from .segments import normalized

            if references is None:
                raise OptionError("normalize= needs the references here, not in the constructor", option="normalize")
            stream, *streams = normalized([stream, *streams], normalize)
        self._warn_of_long(stream, streams)
        texts = TextWarnings([self])
        if warns and isinstance(stream[0], str):
            texts.see([stream], streams, range(len(stream)))
            texts.warn()
        every = self._references if references is None else References(self, streams)
        metric = self.with_weights(every.part(indices) for indices in slices(len(stream), CACHED_SEGMENTS))
        blocks = ((stream[indices], every.part(indices)) for indices in slices(len(stream), BLOCK_SEGMENTS))
        return metric, blocks, texts

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {Signature(None, self.signature_fields(False), self.SHORT_FIELDS)}>"

    # Names that clients of sacreBLEU call

    def _preprocess_segment(self, sent: str) -> str:
        """A line as sacreBLEU's metric compares it: where it compares tokens, they are separated by spaces."""
        raise NotImplementedError

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """The facts that sacreBLEU's metric keeps of a segment's references, in new objects, which clients change."""
        raise NotImplementedError

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> list[dict[str, Any]]:
        from .segments import checked_references

        streams = checked_references(references, tokens_allowed=False)
        return [self._extract_reference_info([reference for reference in segment if isinstance(reference, str)])
                for segment in zip(*streams)]

    def _extract_corpus_statistics(self, hypotheses: Sequence[Segment],
                                   references: Sequence[Sequence[Segment | None]] | None) -> list[list[Any]]:
        return [list(row) for row in self.corpus_statistics(hypotheses, references)]

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> OwnScore:
        return self.score(stats)

    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> OwnScore:
        return self.score(sum_statistics(stats))
