"""The base class of metrics whose corpus score is the mean of segment scores: CharacTER, EED and RIBES."""

from __future__ import annotations

from ..engines.exact import QUOTIENT_BITS, fixed_mean, truncate_to_fixed
from ..runtime.hints import Any, Callable, Row, Segment, Sequence, Streams
from ..unicode.casing import lower_case
from .base import Metric
from .score import OwnScore, Score
from .signature import BEST_REFERENCE_FIELD, CASE_FIELD, ORACLE_FIELD


class MeanScore(Score):
    """The mean of the scores of segments, from 0 to 100."""

    NAME = ""

    def __init__(self, score: float) -> None:
        super().__init__(self.NAME, score)


class MeanOfSegments(Metric[OwnScore], abstract=True):
    """A metric whose corpus score is the mean of segment scores. A subclass defines `prepared`, `pair_score`, `SCORE`.

    A row of sufficient statistics is (score of the segment, 1). The score, from 0 to 1, is an integer in units of
    2 ** -`BITS`. If a segment has several references, its score is the best score against any reference.
    """

    OPTIONS_OF_BLEU = ("lowercase",)
    SIGNATURE_FIELDS = (CASE_FIELD, BEST_REFERENCE_FIELD, ORACLE_FIELD)

    #: The class of the metric's scores.
    SCORE: Callable[[float], OwnScore]

    #: Another program that computes the same scores.
    ORACLE = ""

    #: The number of fractional bits of the numbers in rows.
    BITS = QUOTIENT_BITS

    def __init__(self, lowercase: bool = False, references: Streams | None = None) -> None:
        self.lowercase = lowercase
        super().__init__(references)

    def prepared(self, line: str) -> Any:
        """Preprocess a line, after it has been converted to lower case if requested."""
        raise NotImplementedError

    def pair_score(self, hypothesis: Any, reference: Any) -> float | None:
        """Return the score of a hypothesis against a reference, from 0 to 1; `None` if the reference does not count."""
        raise NotImplementedError

    def preprocess(self, segment: Segment) -> Any:
        assert isinstance(segment, str)
        return self.prepared(lower_case(segment) if self.lowercase else segment)

    def segment_statistics(self, hypothesis: Any, references: Sequence[Any]) -> Row:
        return self.best_row([self.pair_score(hypothesis, reference) for reference in references])

    def best_row(self, scores_by_reference: Sequence[float | None]) -> Row:
        """Return the row of the best score."""
        scores = [score for score in scores_by_reference if score is not None]
        if not scores:
            return 0, 0
        return truncate_to_fixed(min(scores) if self.LOWER_IS_BETTER else max(scores), self.BITS), 1

    def score(self, totals: Sequence[float]) -> OwnScore:
        self._check_sums(totals, 2)
        return self.SCORE(self.value(totals))

    def value(self, totals: Sequence[float]) -> float:
        total, segments = totals
        return 100 * fixed_mean(total, segments, self.BITS)

    def column_names(self) -> list[str]:
        return ["score", "segments"]
