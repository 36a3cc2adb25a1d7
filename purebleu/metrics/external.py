"""Metrics whose segment scores come from another program, from a person or from a function."""

from __future__ import annotations

from ..files.numbers import STORED_PLACES, scaled_integer
from ..runtime.errors import OptionError, PurebleuError, check_text
from ..runtime.hints import Any, Callable, Iterable, Mapping, Row, Segment, Sequence, SignatureValue
from . import METRIC_FAMILIES, registered_metric
from .base import Metric
from .score import LEADING_FIELDS, Score
from .segments import listed
from .signature import signature_pairs

#: Characters that separate names in signatures, tables and options, so the name of scores must not have them.
_NOT_IN_NAMES = "|=,:"


def check_name(name: str) -> None:
    """Raise `OptionError` if `name` can't be the name of scores from another program.

    >>> check_name("COMET-22")
    """
    check_text("the name of scores", name)
    if not name or not name.isprintable() or name != name.strip() or any(sign in name for sign in _NOT_IN_NAMES):
        raise OptionError(f"{name!r:.40} can't be the name of scores: a name must be printable text without any of "
                          f"{' '.join(_NOT_IN_NAMES)}, and without spaces at its ends")
    # (Names of scores, such as chrF2 and ROUGE-L, also count as names of metrics.)
    plain = name.replace("-", "").lower()
    if registered_metric(name) or plain.startswith("chrf") or plain in METRIC_FAMILIES:
        raise OptionError(f"{name} is a metric that purebleu computes: choose another name for the scores")


#: The default number of decimal places in tables.
DEFAULT_WIDTH = 4

#: The number of hexadecimal digits of a checksum in a signature.
_CHECKSUM_DIGITS = 12


class OutsideScore(Score):
    """The mean of scores from another program.

    Args:
        name: the name of the metric.
        score: the mean.
        width: the number of decimal places in tables.
        lower_is_better: whether a lower score is better.
    """

    IS_FROM_OUTSIDE = True
    range = (None, None)

    def __init__(self, name: str, score: float, width: int = DEFAULT_WIDTH, lower_is_better: bool = False) -> None:
        super().__init__(name, score)
        self.lower_is_better = lower_is_better
        self._width = width

    def places(self, width: int) -> int:
        return self._width

    def __repr__(self) -> str:
        return self.format(self._width)


class SegmentScores(Metric[OutsideScore]):
    """A metric whose segment scores come from another program, such as a learned metric.

    A row of sufficient statistics is (score of the segment, 1). The score is an integer in units of 10 ** -30, so sums
    are exact. The score of a corpus is the mean over segments, rounded once.

    Args:
        name: the name of the metric, such as `COMET`.
        numbers: the score of each segment of one system, as a finite number or as text. All digits of a text are kept.
            Without numbers, the metric only scores rows from elsewhere, such as the rows of a file.
        lower_is_better: whether a lower score is better.
        signature: the signature of the other program: fields joined with `|`; '' for a checksum of the numbers.
        width: the number of decimal places in tables.

    Attributes:
        rows: the row of each segment.

    Raises:
        OptionError: the name or the signature is invalid. (A field of a signature must not be empty, occur twice, or
            have the name of a field that purebleu adds.)
        PurebleuError: a score is not a number, or is not finite.

    Example:
        >>> from purebleu.significance import Sampling, results_of
        >>> one = SegmentScores("COMET", [0.8, 0.7, 0.9], signature="Comet2.2.2|unite-mup")
        >>> other = SegmentScores("COMET", [0.6, 0.8, 0.8], signature="Comet2.2.2|unite-mup")
        >>> results = results_of([[one.rows], [other.rows]], [one], Sampling("ar", seed=1))
        >>> [[score] for score, in results.scores]
        [[COMET = 0.8000], [COMET = 0.7333]]
    """

    COUNTS_TEXT = False
    SCALE = None

    #: The class of the metric's scores.
    SCORE = OutsideScore

    def __init__(self, name: str = "scores", numbers: Iterable[float | str] = (), lower_is_better: bool = False,
                 signature: str = "", width: int = DEFAULT_WIDTH) -> None:
        super().__init__()
        check_name(name)
        check_text("signature", signature)
        self.name = name
        self.LOWER_IS_BETTER = lower_is_better
        self._width = width
        self.rows: list[Row] = outside_rows(numbers)
        self._fields = _checked_fields(signature)

    @property
    def registered_name(self) -> str:
        return self.name

    def signed(self, signature: str) -> SegmentScores:
        """Return a metric with this signature, or the metric itself if it has a signature already."""
        if self._fields:
            return self
        return SegmentScores(self.name, (), self.LOWER_IS_BETTER, signature, self._width)

    def score(self, totals: Sequence[float]) -> OutsideScore:
        self._check_sums(totals, 2)
        return self.SCORE(self.name, self.value(totals), self._width, self.LOWER_IS_BETTER)

    def value(self, totals: Sequence[float]) -> float:
        total, segments = totals
        # (Python divides integers of any size with a single rounding.)
        return int(total) / (int(segments) * 10**STORED_PLACES) if segments else 0.0

    def exact_ratio(self, totals: Sequence[int]) -> tuple[int, int] | None:
        total, segments = totals
        return total, segments * 10**STORED_PLACES

    def column_names(self) -> list[str]:
        return ["score", "segments"]

    def scoring_options(self) -> dict[str, Any]:
        return {"name": self.name, "lower_is_better": self.LOWER_IS_BETTER}

    def signature_fields(self, given_tokens: bool) -> dict[str, SignatureValue]:
        if not self._fields:
            self._fields = _checked_fields(checksum_of([self.rows]) if self.rows else "")
        return {**self._fields}

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Segment]:
        raise PurebleuError(f"{self.name} has only scores from another program, so text can't be scored: use the "
                            "attribute rows")


def outside_rows(numbers: Iterable[float | str]) -> list[Row]:
    """Return the rows of `SegmentScores` for the scores `numbers`.

    Raises:
        PurebleuError: a score is not a finite number.

    Example:
        >>> [(score // 10**28, segments) for score, segments in outside_rows(["0.25", -1.5])]
        [(25, 1), (-150, 1)]
    """
    rows: list[Row] = []
    for index, number in enumerate(listed(numbers, "numbers")):
        try:
            rows.append((scaled_number(number), 1))
        except PurebleuError as error:
            raise PurebleuError(f"score {index}: {error}") from None
    return rows


def checksum_of(systems: Iterable[Sequence[Row]]) -> str:
    """Return a field for signatures: a checksum of all scores (the first digits of their SHA-256 sum).

    >>> checksum_of([outside_rows(["0.5"])]) == checksum_of([outside_rows([0.50])])
    True
    """
    import hashlib

    digest = hashlib.sha256()
    for rows in systems:
        digest.update((" ".join([str(score) for score, _ in rows]) + "\n").encode("ascii"))
    return f"scores:{digest.hexdigest()[:_CHECKSUM_DIGITS]}"


def scaled_number(number: float | str) -> int:
    """Return the number as an integer (see `scaled_integer`)."""
    try:
        text = number if isinstance(number, str) else repr(float(number))
    except (TypeError, ValueError):
        raise PurebleuError(f"{number!r:.40} is not a number") from None
    except OverflowError:
        raise PurebleuError("an integer is too large for a score") from None
    return scaled_integer(text)


def _checked_fields(signature: str) -> Mapping[str, str]:
    """Return the fields of another program's signature. A field without a colon has an empty value.

    Raises `OptionError` if a field is empty or repeated, or has the name of a field that purebleu adds.
    """
    if not signature:
        return {}
    fields = signature_pairs(signature)
    if not signature.isprintable() or "" in fields or len(fields) <= signature.count("|"):
        raise OptionError(f"the signature {signature!r:.80} has an empty field, a repeated field, or a "
                          "character that can't be printed")
    if taken := [key for key in fields if key in (*LEADING_FIELDS, "version")]:
        raise OptionError(f"the signature {signature!r:.80} must not have the field {taken[0]}, because purebleu adds "
                          "this field")
    return fields


# Metrics that are made from functions


class FunctionScore(OutsideScore):
    """The mean of the scores that a function returns for segments."""

    IS_FROM_OUTSIDE = False


class FunctionMetric(SegmentScores):
    """A metric whose segment scores a function computes (see `metric_from`)."""

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
        name: the name of the metric, which must not be the name of one of purebleu's metrics.
        function: takes a hypothesis and the list of its references, and returns a number. With `jobs`, the function has
            to be picklable. (Lambdas are not picklable.)
        lower_is_better: whether a lower number is better.
        signature: the options that the numbers depend on, such as `case:mixed|oracle:mine-1.0`; '' for scores without a
            signature.
        width: the number of decimal places in tables.

    Returns:
        The metric, which supports rows, resampling and significance tests, as all metrics do.

    Raises:
        OptionError: the name or the signature has an invalid character.

    Example:
        >>> exact = metric_from("EXACT", lambda hypothesis, references: 100.0 * (hypothesis in references))
        >>> exact.corpus_score(["a b", "c"], [["a b", "d"]])
        EXACT = 50.00
    """
    if not callable(function):
        raise TypeError(f"function must be a function of a hypothesis and its references, not {function!r:.80}")
    return FunctionMetric(name, function, lower_is_better, signature, width)
