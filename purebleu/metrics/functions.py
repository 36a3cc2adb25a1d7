"""Metrics that are made from functions."""

from __future__ import annotations

from ..errors import PurebleuError
from ..hints import Any, Callable, Row, Segment, Sequence
from .external import OutsideScore, SegmentScores, scaled_number


class FunctionScore(OutsideScore):
    """The mean of the scores that a function has given to segments."""

    IS_FROM_OUTSIDE = False


class FunctionMetric(SegmentScores):
    """A metric that is a function of a segment, as `metric_from` makes it."""

    COUNTS_TEXT = True
    SCORE = FunctionScore

    def __init__(self, name: str, function: Callable[[str, list[str]], float], lower_is_better: bool, signature: str,
                 width: int) -> None:
        super().__init__(name, (), lower_is_better, signature or "unsigned", width)
        self.IS_SIGNED = bool(signature)
        self._function = function

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Segment]:
        return list(segments)

    def segment_statistics(self, hypothesis: Any, references: Sequence[Any]) -> Row:
        number = self._function(hypothesis, list(references))
        try:
            return scaled_number(number), 1
        except PurebleuError as error:
            raise PurebleuError(f"the function of {self.name} has to return numbers: {error}") from None


def metric_from(name: str, function: Callable[[str, list[str]], float], *, lower_is_better: bool = False,
                signature: str = "", width: int = 2) -> FunctionMetric:
    """Make a metric from a function that scores a segment. The score of a corpus is the mean over its segments.

    Args:
        name: the name of its scores, which must not be one of purebleu's.
        function: from a hypothesis and the list of its references to a number. (With `jobs`, it has to be picklable,
            which a lambda is not.)
        lower_is_better: whether a lower number is better.
        signature: what a number depends on, such as `case:mixed|oracle:mine-1.0`; without it, scores have no signature.
        width: the decimal places of scores in tables.

    Returns:
        The metric, which has all that others have: rows, resampling, tests.

    Raises:
        OptionError: the name or the signature has a character that it must not have.

    Example:
        >>> exact = metric_from("EXACT", lambda hypothesis, references: 100.0 * (hypothesis in references))
        >>> exact.corpus_score(["a b", "c"], [["a b", "d"]])
        EXACT = 50.00
    """
    if not callable(function):
        raise TypeError(f"function must be a function of a hypothesis and its references, not {function!r:.80}")
    return FunctionMetric(name, function, lower_is_better, signature, width)
