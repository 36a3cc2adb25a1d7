"""The base class of all metrics. A metric computes a score in three steps, which have no side effects:

    line -(preprocess)-> tokens -(segment_statistics)-> row of numbers
    rows -(sum_statistics)-> sums of the columns -(score)-> score

A row holds the *sufficient statistics* of one segment. A score depends only on the column sums of rows, so the scores
of a corpus, of a resample, and of rows from several machines are computed in the same way.

Each step is defined for one line, one segment, or one list of sums. A method that does a step many times, such as
`preprocess_lines`, `rows_of` and `values`, calls the step in a loop, unless `faster` has a function for the metric's
class.
"""

from __future__ import annotations

from abc import ABCMeta
from itertools import repeat

from ..runtime.blocks import BLOCK_SEGMENTS, CACHED_SEGMENTS, EDIT_SEGMENTS, slices
from ..runtime.errors import OptionError, PurebleuError, whole_number
from ..runtime.hints import Any, Callable, Iterable, Mapping, Row, Segment, Sequence, SignatureValue, Streams
from .evaluation import Evaluation, References, part_of, signature_of, signed_score, sum_statistics
from .score import OfScore, OwnScore, Score, Signature
from .signature import Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from .segments import OptionalStream

    Self = TypeVar("Self", bound="Metric[Any]")
else:
    Self = object

__all__ = ["Metric", "Score", "Signature", "sum_statistics"]

#: The names that `dir` shows for the metrics of this package.
_SHOWN_BY_DIR = {
    "BETA", "CHAR_ORDER", "LOWER_IS_BETTER", "SMOOTH_DEFAULTS", "TOKENIZERS", "TOKENIZER_DEFAULT", "WORD_ORDER",
    "__doc__", "__module__", "alignment", "column_names", "compute_bleu", "corpus_alignments",
    "corpus_score", "corpus_statistics", "from_signature", "get_signature", "pairwise", "score", "sentence_score",
    "sentence_scores",
}
#: Further names that `dir` shows for `Metric` itself.
_SHOWN_FOR_METRIC = {"SIGNATURE_FIELDS", "TAKES_TOKENS", "__init_subclass__", "preprocess", "preprocess_lines",
                     "preprocess_references", "segment_statistics", "value"}

#: Pairs of methods. A subclass that redefines the first method has to redefine the second method, too. (For example, a
#: subclass of BLEU that redefines only `score` would inherit `value`, so its intervals would be those of BLEU.)
_REDEFINED_TOGETHER = (("preprocess", "preprocess_lines"), ("score", "value"), ("score", "exact_ratio"),
                       ("value", "exact_ratio"))

_METRICS_PACKAGE = __name__.rpartition(".")[0] + "."


class MetricType(ABCMeta):
    """The metaclass that limits `dir` and `help` of metrics to names that users need (for `Metric`, also the steps)."""

    def __dir__(cls) -> list[str]:
        names = set(super().__dir__())
        shown = {*_SHOWN_BY_DIR, *(_SHOWN_FOR_METRIC if cls.__base__ is OfScore else ())}
        for base in reversed(cls.__mro__):
            if f"{base.__module__}.".startswith(_METRICS_PACKAGE):
                names -= vars(base).keys() - shown
            else:  # a class that a user wrote
                names |= vars(base).keys()
        return sorted(names)


def _mro_index(cls: type, name: str) -> int:
    """Return the index in `cls.__mro__` of the class from which `cls` has the member `name`."""
    return next(index for index, base in enumerate(cls.__mro__) if name in vars(base))


class Metric(OfScore[OwnScore], metaclass=MetricType):
    """The base class of all metrics. A subclass defines the three steps, `SIGNATURE_FIELDS` and `column_names`.

    The options of a metric must not change after construction. A metric keeps the references of its constructor and,
    for `get_signature`, the signature of the latest score. It keeps no scores.
    """

    #: Whether the metric computes rows from text; `False` for scores from another program.
    COUNTS_TEXT = True

    #: Whether the scores of the metric have signatures.
    IS_SIGNED = True

    #: Whether a segment may also be a sequence of tokens or ids.
    TAKES_TOKENS = False

    #: Whether a lower score is better.
    LOWER_IS_BETTER = False

    #: The upper end of the scale in tables and charts of segments; `None` if this end depends on the scores.
    SCALE: int | None = 100

    #: The number of characters above which a line may be slow to score; `None` if all lines are fast.
    SLOW_LENGTH: int | None = None

    #: The arguments of this metric that command-line options for BLEU and for TER also set.
    OPTIONS_OF_BLEU: tuple[str, ...] = ()
    OPTIONS_OF_TER: tuple[str, ...] = ()

    #: The fields that the metric adds to signatures, in the order of printing; and the short names of some fields.
    SIGNATURE_FIELDS: tuple[Field, ...] = ()
    SHORT_FIELDS: dict[str, str] = {}

    def __init_subclass__(cls, abstract: bool = False) -> None:
        """Raise `TypeError` if a subclass lacks a method (unless `abstract=True`) or has wrong `SIGNATURE_FIELDS`."""
        super().__init_subclass__()
        needed = {"preprocess (or preprocess_lines)": ("preprocess", "preprocess_lines"), "score": ("score",),
                  "segment_statistics": ("segment_statistics",), "column_names": ("column_names",)}
        missing: list[str] = []
        for what, names in needed.items():
            if all(getattr(cls, name) is getattr(Metric, name) for name in names):
                missing.append(what)
        if missing and cls.COUNTS_TEXT and not abstract:
            raise TypeError(f"the metric {cls.__name__} has to define {', '.join(missing)} (write abstract=True if "
                            f"{cls.__name__} is only a base class of metrics)")
        for changed, depending in _REDEFINED_TOGETHER:
            index = _mro_index(cls, changed)
            if index < _mro_index(cls, depending) < cls.__mro__.index(Metric):
                raise TypeError(f"the metric {cls.__name__} redefines {changed}, so it has to redefine {depending} too")
        if not all(hasattr(field, "value") for field in cls.SIGNATURE_FIELDS):
            raise TypeError(f"SIGNATURE_FIELDS of {cls.__name__} must contain only objects of the class Field")

    def __init__(self, references: Streams | None = None) -> None:
        self._streams: list[OptionalStream] | None = None
        self._latest: Signature | None = None
        if references is not None:
            from .segments import checked_references, cut_streams, cuts_streams, is_text

            if cuts_streams():
                references = cut_streams(references)
            self._streams = checked_references(references, self.TAKES_TOKENS)
            self._references = References(self, self._streams).preprocessed()
            self.take_weights([self._references.preprocessed_streams()])
            given_tokens = any(is_text(stream) is False for stream in self._streams)
            self._latest = signature_of(self, self._references.counts(), given_tokens)

    # The three steps

    def preprocess(self, segment: Segment) -> Any:
        """Step 1: convert a segment to the units that are compared, such as tokens.

        A subclass defines this method or `preprocess_lines`.

        Args:
            segment: a line of text or, if `TAKES_TOKENS` is true, a sequence of tokens.
        """
        return self.preprocess_lines([segment])[0]

    def segment_statistics(self, hypothesis: Any, references: Sequence[Any]) -> Row:
        """Step 2: compute the row of sufficient statistics of a segment.

        Args:
            hypothesis: the preprocessed hypothesis.
            references: one or more preprocessed references.
        """
        raise NotImplementedError

    def score(self, totals: Sequence[float]) -> OwnScore:
        """Step 3: compute the score, without a signature, from column sums of rows (see `sum_statistics`).

        Raises `PurebleuError` if the number of sums is not the number of columns.
        """
        raise NotImplementedError

    def value(self, totals: Sequence[float]) -> float:
        """Return `score(totals).score`. (To make resampling faster, a subclass may redefine it without checks.)"""
        return float(self.score(totals).score)

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int] | None:
        """Return `value(totals)` as a fraction of integers. (Paired tests compare nearly equal scores as fractions.)

        Args:
            totals: the column sums of rows as integers. (A caller may multiply all sums by the same number.)

        Returns:
            The numerator and the denominator; `None` if the score is not a ratio of sums, or if rows are rounded.
        """
        return None

    # The steps for many segments, or many sums

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Any]:
        """Preprocess each segment."""
        faster = self._faster("preprocess_lines")
        return faster(self, segments) if faster else list(map(self.preprocess, segments))

    def preprocess_references(self, segments: Sequence[Segment]) -> Sequence[Any]:
        """Preprocess each reference. (A few metrics do this differently than for hypotheses.)"""
        return self.preprocess_lines(segments)

    def rows_of(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[Row]:
        """Compute the row of each preprocessed segment."""
        faster = self._faster("rows_of")
        rows = faster(self, hypotheses, references) if faster else map(self.segment_statistics, hypotheses, references)
        return list(rows)

    def block_statistics(self, hypotheses: Sequence[Segment], references: References) -> list[Row]:
        """Do steps 1 and 2 for many segments, and return their rows in order."""
        if len(hypotheses) == 1 and not references.are_preprocessed:  # (For one segment, `_row` is faster.)
            return [self._row(hypotheses[0], [stream[0] for stream in references.streams if stream[0] is not None])]
        faster = self._faster("block_statistics")
        return faster(self, hypotheses, references) if faster else self._rows_in_blocks(hypotheses, references)

    def _row(self, hypothesis: Segment, references: Sequence[Segment]) -> Row:
        """Do steps 1 and 2 for one segment."""
        if type(self).preprocess_references is not Metric.preprocess_references:  # pyright: ignore[reportUnknownMemberType]
            return self.rows_of(self.preprocess_lines([hypothesis]), [self.preprocess_references(references)])[0]
        # (One call for all lines is faster than two calls.)
        preprocessed, *others = self.preprocess_lines([hypothesis, *references])
        return self.rows_of([preprocessed], [others])[0]

    def _rows_in_blocks(self, hypotheses: Sequence[Segment], references: References) -> list[Row]:
        """Do steps 1 and 2 for blocks of `EDIT_SEGMENTS` segments."""
        rows: list[Row] = []
        for indices in slices(len(hypotheses), EDIT_SEGMENTS):
            rows += self.rows_of(self.preprocess_lines(hypotheses[indices]), references.part(indices).by_segment())
        return rows

    def values(self, sums: Sequence[Sequence[float]]) -> list[float]:
        """Return the `value` of each resample. `sums[c][r]` is the sum of column `c` in resample `r`."""
        faster = self._faster("values")
        return faster(self, sums) if faster else list(map(self.value, zip(*sums)))

    def rising_columns(self) -> Sequence[bool] | None:
        """Return, for each column, `True` if the score rises with the column's sum, and `False` if it falls.

        The result holds for positive sums. It is `None` if the directions are unknown.
        """
        faster = self._faster("rising_columns")
        return faster(self) if faster else None

    def pair_values(self, hypotheses: Sequence[Any], references: Sequence[Any]) -> list[list[float]]:
        """Do steps 2 and 3 for all pairs: return, for each hypothesis, its scores against each single reference.

        Args:
            hypotheses: preprocessed hypotheses.
            references: preprocessed references.
        """
        faster = self._faster("pair_values")
        return faster(self, hypotheses, references) if faster else self._plain_pair_values(hypotheses, references)

    def _plain_pair_values(self, hypotheses: Sequence[Any], references: Sequence[Any]) -> list[list[float]]:
        scores: list[list[float]] = []
        for hypothesis in hypotheses:
            scores.append([self.value(self.segment_statistics(hypothesis, [reference])) for reference in references])
        return scores

    def _faster(self, step: str) -> Callable[..., Any] | None:
        """Return the faster function for a step; `None` if there is no such function, or if plain code is requested."""
        try:
            from .faster import faster_step
        except ImportError:  # (a vendored copy may lack the module)
            return None
        return faster_step(self, step)

    # Metrics whose weights come from a whole corpus, and metrics that combine the rows of several metrics

    def lacks_weights(self) -> bool:
        """Return whether the rows need weights from all references of a corpus, and the metric has no weights yet."""
        return False

    def take_weights(self, blocks: Iterable[Sequence[Sequence[Any]]]) -> None:
        """Compute the weights of rows from the preprocessed references of a corpus. (Most metrics have no weights.)"""

    def with_weights(self: Self, blocks: Iterable[References]) -> Self:
        """Return a copy of the metric with weights from references, or the metric itself if it needs no weights."""
        if not self.lacks_weights():
            return self
        from copy import copy

        weighted = copy(self)
        weighted.take_weights(block.preprocessed_streams() for block in blocks)
        return weighted

    def _check_weights(self) -> None:
        """Raise `OptionError` if the metric lacks weights. (Weights from a part of a corpus would give wrong sums.)"""
        if self.lacks_weights():
            name = self.registered_name
            raise OptionError(f"the rows of {name} depend on all references of the corpus: give all references to the "
                              f"constructor, as {name}(references=[...])", option="references")

    def alignment_key(self) -> object:
        """Return a key that is equal for metrics with the same alignments; `None` if no other metric has them."""
        return None

    def rows_together(self, metrics: Sequence[Any], hypotheses: Sequence[Segment],
                      references: References) -> list[list[Row]]:
        """Return the rows of segments for each of `metrics`, which all have the same `alignment_key`."""
        return [metric.block_statistics(hypotheses, references) for metric in metrics]

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *vars(self)})

    # Names, signatures and files of rows

    @property
    def registered_name(self) -> str:
        """The metric's name in the registry. (For `SegmentScores`, the user chooses the name.)"""
        return type(self).__name__

    def column_names(self) -> list[str]:
        """Return the names of the columns of a row."""
        raise NotImplementedError

    def scoring_options(self) -> dict[str, Any]:
        """Return the constructor's arguments that `score` depends on, as values for JSON."""
        return {}

    def signature_fields(self, given_tokens: bool) -> dict[str, SignatureValue]:
        """Return the values of `SIGNATURE_FIELDS` by key. `given_tokens`: whether segments are tokens."""
        return {field.key: field.value(self, given_tokens) for field in self.SIGNATURE_FIELDS}

    @classmethod
    def options_from_fields(cls, name: str, fields: Mapping[str, str]) -> dict[str, Any]:
        """Return the arguments of the constructor for the fields of a signature (the inverse of `signature_fields`).

        Args:
            name: the name of the score.
            fields: the values of fields by their long names. Other metrics' fields are ignored.

        Raises:
            OptionError: a value is impossible for this metric.
        """
        options: dict[str, Any] = {}
        for field in cls.SIGNATURE_FIELDS:
            options.update(field.options(cls, fields))
        return options

    # Reasons to distrust a score

    def looks_tokenized(self, hypotheses: Sequence[Segment]) -> int:
        """Return how many hypotheses look tokenized; 0 if the metric does not tokenize text."""
        return 0

    def advice_without_spaces(self, language: str) -> str:
        """Return what to use instead for text without spaces between words; '' if the metric suits such text.

        Args:
            language: the language of the text: `zh`, `ja`, or '' for any other language.
        """
        return ""

    def doubt_of(self, totals: Row) -> str:
        """Return a reason to distrust the score of these column sums; '' if there is none."""
        return ""

    def _check_sums(self, totals: Sequence[float], columns: int) -> None:
        """Raise `PurebleuError` if the number of sums is not `columns`, and `TypeError` if a sum is not a number."""
        try:
            sum(totals)
        except TypeError:
            raise TypeError("the sums of rows must be numbers, such as the result of sum_statistics, not "
                            f"{totals!r:.80}") from None
        if len(totals) != columns:
            raise PurebleuError(f"there are {len(totals)} sums, but a row has {columns} columns with the options of "
                                "this metric")

    def _warn_of_single_segments(self) -> None:
        """Warn if the metric's options do not suit single segments."""

    # Scores

    def corpus_score(self, hypotheses: Iterable[Segment], references: Streams | None,
                     n_bootstrap: int = 1, rng: str = "environment", *, transpose_references: bool = False,
                     normalize: str = "") -> OwnScore:
        """Return the score of a corpus.

        Args:
            hypotheses: strings, or (BLEU and GLEU only) sequences of tokens or ids.
            references: streams of references. Each stream has a reference, or `None`, for each hypothesis. If
                `references` is `None`, the references of the constructor are used.
            n_bootstrap: the number of bootstrap resamples for `mean` and `ci` of the score; 1 for no resampling.
            rng: the random number generator: `mt19937` (as in Python), `numpy` (as in sacreBLEU), or `environment`
                (the value of `PUREBLEU_RNG`, by default `mt19937`). The seed is the environment variable
                `PUREBLEU_SEED` or `SACREBLEU_SEED`, by default 12345.
            transpose_references: whether `references` has one list of references for each hypothesis.
            normalize: the Unicode normal form, `nfc` or `nfkc`, to which all text is converted; '' for no conversion.

        Raises:
            TypeError: an argument, or an element of an argument, has a wrong type.
            PurebleuError: streams are empty or differ in length, or a segment has no reference.

        Example:
            >>> from purebleu import BLEU
            >>> BLEU().corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
            BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
        """
        n_bootstrap = whole_number("n_bootstrap", n_bootstrap)
        resampling = _seed_and_stream(rng) if n_bootstrap > 1 else None
        evaluation = Evaluation(self, {"unicode": normalize} if normalize else None)
        segments, all_references = self._checked_corpus(hypotheses, references, transpose_references, normalize)
        self._warn_of_texts(evaluation, segments, all_references)
        rows = self._add_corpus(evaluation, segments, all_references, keeps_rows=n_bootstrap > 1)
        evaluation.warn_of_doubts()
        score: OwnScore = evaluation.score()
        if resampling:
            self._add_interval(score, rows, n_bootstrap, *resampling)
        self._latest = score.signature or evaluation.signature()
        return score

    def _add_interval(self, score: Score, rows: Sequence[Row], n_bootstrap: int, seed: int | None,
                      stream: Any) -> None:
        """Resample the rows, and set the mean and the confidence interval of the score."""
        from ..engines.resampling.intervals import add_intervals, bootstrap_scores, exact_mean, warn_of_one_segment

        warn_of_one_segment(len(rows))
        resampled = bootstrap_scores([rows], [self.values], stream, n_bootstrap)
        add_intervals([score], resampled, exact_mean)
        if self.IS_SIGNED:
            score.signature = score.signature.with_resampling(seed, stream.SIGNATURE, bs=n_bootstrap)

    def corpus_statistics(self, hypotheses: Iterable[Segment], references: Streams | None, *,
                          transpose_references: bool = False, normalize: str = "") -> list[Row]:
        """Return the sufficient statistics of a corpus: a row for each segment.

        For the arguments and the errors, see `corpus_score`. `column_names` returns the names of the columns. NIST
        needs all references of the corpus in its constructor.

        Example:
            >>> from purebleu import BLEU, sum_statistics
            >>> rows = BLEU(max_ngram_order=2).corpus_statistics(["a b", "c d e"], [["a x", "c d e"]])
            >>> rows, BLEU(max_ngram_order=2).value(sum_statistics(rows)) > 73
            ([(2, 2, 1, 0, 2, 1), (3, 3, 3, 2, 3, 2)], True)
        """
        self._check_weights()
        return self._rows_of_corpus(hypotheses, references, transpose_references, normalize)

    def _rows_of_corpus(self, hypotheses: Iterable[Segment], references: Streams | None,
                        transpose_references: bool = False, normalize: str = "") -> list[Row]:
        """Return the rows of a corpus. If the metric lacks weights, the corpus's references give them."""
        evaluation = Evaluation(self, {"unicode": normalize} if normalize else None)
        segments, all_references = self._checked_corpus(hypotheses, references, transpose_references, normalize)
        rows = self._add_corpus(evaluation, segments, all_references, keeps_rows=True)
        self._latest = evaluation.signature()
        return rows

    def _checked_corpus(self, hypotheses: object, references: object, transpose: bool,
                        normalize: str) -> tuple[Sequence[Segment], References]:
        """Check a corpus, and return its hypotheses and its references, converted to a normal form if requested."""
        from .segments import checked_corpus

        stream, streams = checked_corpus(hypotheses, references, self._streams, self.TAKES_TOKENS, transpose)
        are_own = streams is self._streams  # (the references of the constructor)
        if normalize:
            from .segments import normalized

            if are_own:
                raise OptionError("normalize= needs references in the same call, not in the constructor",
                                  option="normalize")
            stream, *streams = normalized([stream, *streams], normalize)
        self._warn_of_slow(stream, streams)
        return stream, self._references if are_own else References(self, streams)

    def _add_corpus(self, evaluation: Evaluation[OwnScore], hypotheses: Sequence[Segment], references: References,
                    keeps_rows: bool) -> list[Row]:
        """Add a corpus to an evaluation, block by block. Return its rows; an empty list if `keeps_rows` is false."""
        if self.lacks_weights():
            evaluation.metric = self.with_weights(references.part(indices)
                                                  for indices in slices(len(hypotheses), CACHED_SEGMENTS))
        metric = evaluation.metric
        kept: list[Row] = []
        for indices in slices(len(hypotheses), BLOCK_SEGMENTS):
            block, block_references = hypotheses[indices], references.part(indices)
            rows = metric.block_statistics(block, block_references)
            evaluation.add(part_of(rows, metric, block, block_references))
            if keeps_rows:
                kept += rows
        return kept

    def sentence_score(self, hypothesis: Segment, references: Iterable[Segment | None]) -> OwnScore:
        """Return the score of one segment against a list of references. For the errors, see `corpus_score`.

        Example:
            >>> from purebleu import BLEU
            >>> BLEU(effective_order=True).sentence_score("The cat sat.", ["The cat sits."])
            BLEU = 35.36 75.0/33.3/25.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)
        """
        from .segments import checked_segment

        self._warn_of_single_segments()
        hypotheses, streams = checked_segment(hypothesis, references, self.TAKES_TOKENS)
        self._warn_of_slow(hypotheses, streams)
        present = [reference for [reference] in streams if reference is not None]
        self._latest = signature_of(self, {len(present)}, not isinstance(hypothesis, str))
        return signed_score(self, self._row(hypothesis, present), self._latest)

    def sentence_scores(self, hypotheses: Iterable[Segment],
                        references: Iterable[str | Iterable[Segment | None]]) -> list[OwnScore]:
        """Return the scores of many segments, faster than calls of `sentence_score`.

        Args:
            hypotheses: strings, or (BLEU and GLEU only) sequences of tokens or ids.
            references: for each hypothesis, its reference (a string) or a list of references.

        Example:
            >>> from purebleu import BLEU
            >>> metric = BLEU(effective_order=True)
            >>> metric.sentence_scores(["the cat", "a dog"], ["the cat", ["the dog", "one dog"]])[1]
            BLEU = 50.00 50.0/50.0/0.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 2 ref_len = 2)
        """
        from .segments import check_parallel, checked_references, checked_segments, listed, transposed

        self._warn_of_single_segments()
        stream = checked_segments(hypotheses, "hypotheses", self.TAKES_TOKENS)
        lists: list[Any] = []
        for item in listed(references, "references"):
            is_list = hasattr(item, "__iter__") and not isinstance(item, str)
            lists.append(item if is_list else [item])
        streams = transposed(lists, len(stream), self.TAKES_TOKENS, "sentence_scores")
        streams = checked_references(streams, self.TAKES_TOKENS)
        check_parallel(stream, streams)
        self._warn_of_slow(stream, streams)
        given_tokens = not isinstance(stream[0], str)
        all_references = References(self, streams)
        counts = all_references.counts()
        signatures = {count: signature_of(self, {count}, given_tokens) for count in counts}
        self._latest = signature_of(self, counts, given_tokens)
        # (If the metric lacks weights, each segment's weights come from its own references.)
        block_statistics = self._rows_in_blocks if self.lacks_weights() else self.block_statistics
        signature_by_segment = map(signatures.__getitem__, all_references.counts_by_segment())
        scores: list[OwnScore] = []
        for indices in slices(len(stream), BLOCK_SEGMENTS):
            rows = block_statistics(stream[indices], all_references.part(indices))
            # (`map` takes a row before a signature. So at the end of the rows, it does not lose a signature.)
            scores += map(signed_score, repeat(self), rows, signature_by_segment)
        return scores

    def _warn_of_slow(self, hypotheses: Sequence[Segment], references: Sequence[Sequence[Segment | None]]) -> None:
        """Warn of segments that may take seconds to score."""
        if self.SLOW_LENGTH is not None:
            from .warnings import SlowLines

            lines = SlowLines(self)
            lines.see(hypotheses, references, "segment", range(len(hypotheses)))
            lines.warn_of_more()

    def _warn_of_texts(self, evaluation: Evaluation[OwnScore], hypotheses: Sequence[Segment],
                       references: References) -> None:
        """Warn if the text probably has to be changed before it is scored."""
        if isinstance(hypotheses[0], str):
            from .warnings import TextWarnings

            texts = TextWarnings([self])
            texts.see([hypotheses], references.streams, range(len(hypotheses)))
            texts.warn()
            evaluation.suits_text = texts.suits(self)

    def pairwise(self, hypotheses: Iterable[Segment], references: Iterable[Segment]) -> list[list[float]]:
        """Return the scores of all pairs of hypotheses and references, for example for minimum Bayes risk decoding
        (see `mbr`).

        Args:
            hypotheses: strings, or (BLEU and GLEU only) sequences of tokens or ids.
            references: strings, or (BLEU and GLEU only) sequences of tokens or ids.

        Returns:
            For each hypothesis, the scores against each single reference, as `sentence_score` computes them.

        Example:
            >>> from purebleu import BLEU
            >>> rows = BLEU(effective_order=True, max_ngram_order=1).pairwise(["a b", "a c"], ["a b", "c d"])
            >>> [[round(score) for score in row] for row in rows]
            [[100, 0], [50, 50]]
        """
        from .pairs import scores_of_pairs

        return scores_of_pairs(self, hypotheses, references)

    @classmethod
    def from_signature(cls: type[Self], signature: str, **others: Any) -> Self:
        """Make a metric with the options of a published score.

        Args:
            signature: the name of the score, followed by its signature in the long or the short form.
            others: further arguments of the metric, which override the options in the signature.

        Raises:
            OptionError: the text is no signature, belongs to another metric, or has an unknown field or value.

        Example:
            >>> from purebleu import BLEU
            >>> BLEU.from_signature("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:floor[0.30]|version:2.4.3")
            ... # doctest: +ELLIPSIS
            <BLEU case:lc|eff:no|tok:intl|smooth:floor[0.30]|version:purebleu-...>
        """
        from .reading import read_signature

        read = read_signature(signature)
        if read.metric != cls.__name__:
            raise OptionError(f"{signature!r:.80} is not a signature of {cls.__name__}")
        return cls(**read.options_with(others))

    def get_signature(self) -> Signature:
        """Return the signature of the latest score. (Each score also has the attribute `signature`.)"""
        if self._latest is None:
            raise PurebleuError("the signature depends on the number of references: score a corpus first")
        return self._latest

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {Signature(None, self.signature_fields(False), self.SHORT_FIELDS)}>"

    # Methods of sacreBLEU that programs call

    def _preprocess_segment(self, sent: str) -> str:
        """Preprocess a line as sacreBLEU's metric does, with spaces between tokens."""
        raise NotImplementedError

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """Return what sacreBLEU's metric stores about a segment's references. (Callers may change the dict.)"""
        raise NotImplementedError

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> list[dict[str, Any]]:
        from .segments import checked_references

        cached: list[dict[str, Any]] = []
        for segment in zip(*checked_references(references, tokens_allowed=False)):
            present = [reference for reference in segment if isinstance(reference, str)]
            cached.append(self._extract_reference_info(present))
        return cached

    def _extract_corpus_statistics(self, hypotheses: Iterable[Segment],
                                   references: Streams | None) -> list[list[Any]]:
        return [list(row) for row in self.corpus_statistics(hypotheses, references)]

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> OwnScore:
        return self.score(stats)

    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> OwnScore:
        return self.score(sum_statistics(stats))


def _seed_and_stream(rng: str) -> tuple[int | None, Any]:
    """Return the seed from the environment, and its random stream. Raise an error for a wrong seed or `rng`."""
    from ..engines.resampling.streams import make_stream, seed_from_environment

    seed = seed_from_environment()
    return seed, make_stream(rng, seed)
