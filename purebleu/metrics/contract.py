"""The contract of a metric: three pure steps, on rows of sufficient statistics.

    lines -> preprocess -> segment statistics (a row of numbers) -> column sums -> score

A row holds the *sufficient statistics* of one segment: all that the score of a corpus depends on. Rows add up column by
column, so the score of a corpus, of a resample, or of parts from several machines comes from nothing but sums of rows.
"""

from __future__ import annotations

from functools import reduce
from operator import add

from ..blocks import CACHED_SEGMENTS, slices
from ..errors import PurebleuError
from .score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, Iterable, Mapping, Sequence, Tuple, TypeVar

    from .fields import Field
    from .score import SignatureValue
    from .segments import Segment

    #: The sufficient statistics of one segment; the metric's docstring names the columns.
    Row = Tuple[float, ...]

    #: Preprocessed references: a column for each reference stream, with `None` where a segment has no such reference.
    Columns = Sequence[Sequence[Any]]

    #: A metric's own kind of score.
    OwnScore = TypeVar("OwnScore", bound=Score, covariant=True)

    class OfScore(Generic[OwnScore]):
        """The base that makes metrics generic in their kind of score."""
else:
    OwnScore = Score

    class OfScore:
        """`typing.Generic`, without the time that it takes to import `typing`."""

        def __class_getitem__(cls, score: object) -> type:
            return cls


class Contract(OfScore[OwnScore]):
    """The methods and attributes of metrics that evaluations, significance tests and reports need.

    A metric defines `preprocess_lines`, `segment_statistics`, `score` and `SIGNATURE_FIELDS`; the rest has defaults.
    """

    #: Whether rows are counted from text; else, they come from outside.
    COUNTS_TEXT = True

    #: Whether a segment may also be a sequence of tokens or ids.
    TAKES_TOKENS = False

    #: Whether a lower score is a better one.
    LOWER_IS_BETTER = False

    #: The upper end of tables and charts of segment scores (some may be higher); `None`: the highest score.
    SCALE: int | None = 100

    #: The number of characters from which on a line may take long; `None`, where time is in proportion to it.
    LONG_LINE: int | None = None

    #: Arguments that the command line takes from BLEU's options of these names.
    OPTIONS_OF_BLEU: tuple[str, ...] = ()

    #: The metric's own fields of a signature, in the order in which they are printed.
    SIGNATURE_FIELDS: tuple[Field, ...] = ()

    #: Abbreviations of these.
    SHORT_FIELDS: dict[str, str] = {}

    @property
    def registered_name(self) -> str:
        """The metric's name in the registry; that of scores from outside is their own."""
        return type(self).__name__

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Any]:
        """Step 1: the compared form of segments, such as their tokens.

        Args:
            segments: lines of text (or sequences of tokens, where `TAKES_TOKENS`).

        Returns:
            One value for each segment, of a type of the metric's own.
        """
        raise NotImplementedError

    def segment_statistics(self, hypothesis: Any, references: Sequence[Any]) -> Row:
        """Step 2: the row of a preprocessed hypothesis against its preprocessed references.

        Args:
            hypothesis: a value that `preprocess_lines` has returned.
            references: one or more values that `preprocess_references` has returned.

        Returns:
            The sufficient statistics, as many numbers as a row of this metric has columns.
        """
        raise NotImplementedError

    def lacks_weights(self) -> bool:
        """Whether rows depend on all references of a corpus, which the metric has not seen yet.

        Then `base.Metric.with_weights` comes before step 2.
        """
        return False

    def take_weights(self, blocks: Iterable[Columns]) -> None:
        """Take in all references of a corpus, preprocessed, if rows depend on them; `base.Metric` calls this."""

    def score(self, totals: Sequence[float]) -> OwnScore:
        """Step 3: the score from the column sums of rows.

        Args:
            totals: one number for each column, as `sum_statistics` returns them; a single row will do.

        Returns:
            The score. It belongs to no evaluation, so it has no signature.

        Raises:
            PurebleuError: where there are more or fewer sums than a row has columns.
        """
        raise NotImplementedError

    def value(self, totals: Sequence[float]) -> float:
        """The bare number of `score`; a derived class may have a faster way, for resampling."""
        return float(self.score(totals).score)

    def values(self, sums: Sequence[Sequence[float]]) -> list[float]:
        """The bare numbers of many scores, for resampling; a derived class may have a faster way.

        Args:
            sums: for each column of rows, its sum in each resample.

        Returns:
            `value` of each resample.
        """
        return list(map(self.value, zip(*sums)))

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int] | None:
        """`value` without rounding; paired tests ask for it where differences may be the same but for rounding.

        Args:
            totals: the column sums of rows, or a common multiple of them that makes integers of all.

        Returns:
            Its numerator and its denominator; `None`, where the score is no ratio of sums, or rows are rounded
            themselves.
        """
        return None

    def signature_fields(self, given_tokens: bool) -> dict[str, SignatureValue]:
        """The metric's own fields of a signature; `given_tokens` where segments came as tokens."""
        return {field.key: field.value(self, given_tokens) for field in self.SIGNATURE_FIELDS}

    def column_names(self) -> list[str]:
        """The names of the columns of a row, in files of rows."""
        raise NotImplementedError

    def alignment_key(self) -> object:
        """A key for `rows_together`: the rows of metrics with the same key come from the same alignments.

        `None`: no other metric has them.
        """
        return None

    def rows_together(self, metrics: Sequence[Any], hypotheses: Sequence[Segment],
                      references: References) -> list[list[Row]]:
        """Steps 1 and 2 for many segments: for each of these metrics, its rows. All have this one's `alignment_key`."""
        return [metric.block_statistics(hypotheses, references) for metric in metrics]

    def scoring_options(self) -> dict[str, Any]:
        """The arguments of the metric that step 3 depends on, as JSON can hold them."""
        return {}

    @classmethod
    def options_from_fields(cls, name: str, fields: Mapping[str, str]) -> dict[str, Any]:
        """The arguments that make the metric sign with these fields: the opposite of `signature_fields`.

        Args:
            name: that of the score.
            fields: by their long names; others than the metric's own are not looked at.

        Raises:
            OptionError: for a value that the metric can't have.
        """
        options: dict[str, Any] = {}
        for field in cls.SIGNATURE_FIELDS:
            options.update(field.options(cls, fields))
        return options

    def preprocess(self, segment: Segment) -> Any:
        """`preprocess_lines` for a single segment."""
        return self.preprocess_lines([segment])[0]

    def preprocess_references(self, segments: Sequence[Segment]) -> Sequence[Any]:
        """`preprocess_lines` for references, should the metric treat them in another way."""
        return self.preprocess_lines(segments)

    def block_statistics(self, hypotheses: Sequence[Segment], references: References) -> list[Row]:
        """Steps 1 and 2 for many segments: their rows, in order; a derived class may have a faster way."""
        return [
            self.segment_statistics(hypothesis, [reference for reference in segment if reference is not None])
            for hypothesis, segment in zip(self.preprocess_lines(hypotheses), zip(*references.columns()))
        ]

    def pair_values(self, hypotheses: Sequence[Any], references: Sequence[Any]) -> list[list[float]]:
        """Steps 2 and 3 for all pairs of preprocessed hypotheses and references; a derived class may have a faster way.

        Args:
            hypotheses: one value or more that `preprocess_lines` has returned.
            references: likewise, from `preprocess_references`.

        Returns:
            For each hypothesis, the bare score against each reference alone.
        """
        return [[self.value(self.segment_statistics(hypothesis, [reference])) for reference in references]
                for hypothesis in hypotheses]

    @classmethod
    def takes_long(cls, hypothesis: str, reference: str) -> bool:
        """Whether a segment takes seconds, one of whose lines has more than `LONG_LINE` characters."""
        return False

    @classmethod
    def length_text(cls, texts: Sequence[str]) -> str:
        """The length of the longest of these texts, in what the metric compares, for a warning."""
        return f"{max([len(text.split()) for text in texts]):,} words"

    def looks_tokenized(self, hypotheses: Sequence[Segment]) -> int:
        """The number of hypotheses that look tokenized although they should not be."""
        return 0

    def advice_without_spaces(self, language: str) -> str:
        """The options that suit text without spaces between words, for a warning; empty if the metric suits it as is.

        Args:
            language: `zh`, `ja`, or empty for another language.
        """
        return ""

    def doubt_of(self, totals: Row, segments: int) -> str:
        """Why the score of a corpus says little of it, for a warning; empty where nothing speaks against it.

        Args:
            totals: the column sums of its rows.
            segments: their number.
        """
        return ""

    def _check_sums(self, totals: Sequence[float], columns: int) -> None:
        """Raise `PurebleuError` unless there are as many sums as a row of this metric has columns."""
        if len(totals) != columns:
            raise PurebleuError(f"{len(totals)} sums do not make a score: with these options, a row has {columns} "
                                "columns")


def sum_statistics(rows: Iterable[Sequence[float]]) -> list[float]:
    """The column sums of rows of sufficient statistics.

    Args:
        rows: rows of one metric, from any iterable; rows of partial sums may be among them.

    Returns:
        One sum for each column: an integer where all numbers of the column are, else a float. (The mean reference
        lengths of TER are added one after the other, as in sacreBLEU. With three references or more, the sum of partial
        sums may differ from that of all rows in the last bit.)

    Raises:
        PurebleuError: where rows differ in length, as those of different metrics do.

    Example:
        >>> sum_statistics([(6, 5, 3), (2, 2, 1)])
        [8, 7, 4]
    """
    rows = list(rows)
    if len(set(map(len, rows))) > 1:
        raise PurebleuError("the rows have different numbers of columns, so they do not belong together")
    return list(map(_sum, zip(*rows)))


def _sum(numbers: Sequence[float]) -> float:
    """The sum, exact for integers; floats are added one after the other, as `sum` does before Python 3.12 only."""
    total = sum(numbers)
    return reduce(add, numbers) if isinstance(total, float) else total


class References:
    """The references of a run of segments: parallel streams, with `None` where a segment has no such reference.

    They are preprocessed when they are needed, unless `columns` brings what they are preprocessed to.
    """

    def __init__(self, metric: Contract[Score], streams: Sequence[Sequence[Segment | None]],
                 columns: Columns | None = None) -> None:
        self._metric = metric
        self._streams = streams
        self._columns = columns

    def part(self, indices: slice) -> References:
        """The references of some of the segments."""
        columns = None if self._columns is None else [column[indices] for column in self._columns]
        return References(self._metric, [stream[indices] for stream in self._streams], columns)

    def columns(self) -> Columns:
        """Their compared form: a column for each stream, with `None` where a reference is missing."""
        if self._columns is not None:
            return self._columns
        return [_preprocess_stream(self._metric, stream) for stream in self._streams]

    def prepared(self) -> References:
        """The same references, preprocessed once and for all."""
        parts = [self.part(indices).columns() for indices in slices(len(self._streams[0]), CACHED_SEGMENTS)]
        columns = [[reference for part in column for reference in part] for column in zip(*parts)]
        return References(self._metric, self._streams, columns)

    def counts(self) -> set[int]:
        """The numbers of references per segment that occur."""
        if any(None in stream for stream in self._streams):
            return {len(segment) - segment.count(None) for segment in zip(*self._streams)}
        return {len(self._streams)}


def _preprocess_stream(metric: Contract[Score], stream: Sequence[Segment | None]) -> Sequence[Any]:
    present = [segment for segment in stream if segment is not None]
    preprocessed = metric.preprocess_references(present)
    if len(present) == len(stream):
        return preprocessed
    in_order = iter(preprocessed)
    return [None if segment is None else next(in_order) for segment in stream]
