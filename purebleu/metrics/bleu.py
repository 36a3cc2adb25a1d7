"""BLEU (Papineni et al., 2002), with the smoothing methods that Chen and Cherry (2014) compare.

    p_n  = matched n-grams / n-grams of the hypotheses, for n = 1 to 4, counted over the whole corpus
    BP   = 1 if the hypotheses are at least as long as the references,
           else exp(1 - length of the references / length of the hypotheses)
    BLEU = 100 * BP * exp(mean of log p_n)

In a segment, the count of an n-gram in the hypothesis is clipped to its highest count in a single reference. If a
segment has several references, BP uses the reference length that is closest to the length of the hypothesis (at a tie,
the shorter length). If no n-gram of order n matches, the smoothing method `floor` counts a constant (0.1), and
`exp` counts 1/2 of a match (1/4 at the next order without a match, and so on). The method `add-k` adds k to the
numerator and the denominator of each p_n except p_1. With `effective_order`, the mean leaves out orders of which the
hypotheses have no n-grams.
"""

from __future__ import annotations

import math
from operator import index

from ..engines.ngrams.counting import checked_order, count_matches
from ..runtime.errors import OptionError, is_between, warn
from ..runtime.hints import Any, Callable, Iterable, Mapping, Number, Row, Segment, Sequence, Streams, Tokens
from ..tokenizers import DEFAULT, TOKENIZERS, tokenizer_class
from ..unicode.properties import WHITESPACE
from .base import Metric
from .score import Score
from .signature import CASE_FIELD, Field, FlagField, IntegerField, TokenizerField, number_of
from .tokens import advice_on_tokenizer, tokenizer_for, tokens_of

MAX_NGRAM_ORDER = 4

#: sacreBLEU's value for the logarithm of 0: a finite number whose exponential is 0.
_LOG_OF_ZERO = -9999999999

#: The largest smoothing value. (A larger value might make scores too large for the float32 of sacreBLEU's resampling.)
_MAX_SMOOTHING = 1e30

#: Names of sacreBLEU that programs import.
_TOKENIZERS = TOKENIZERS
_get_tokenizer = tokenizer_class


class _Smoothing(Field):
    """The field of the smoothing method and its parameter."""

    def value(self, metric: BLEU, given_tokens: bool) -> str:
        method, value = metric.smooth_method, metric.smooth_value
        default = metric.SMOOTH_DEFAULTS[method]
        return method if default is None else f"{method}[{_number_in_signature(default if value is None else value)}]"

    def options(self, metric: type[BLEU], fields: Mapping[str, str]) -> dict[str, Any]:
        method, _, value = fields.get(self.key, "exp").partition("[")
        if method not in metric.SMOOTH_DEFAULTS:
            raise OptionError(f"unknown smoothing method {method!r} in the signature; choose from "
                              f"{', '.join(metric.SMOOTH_DEFAULTS)}")
        return {"smooth_method": method,
                "smooth_value": number_of(self.key, value.rstrip("]"), float) if value else None}


class BLEUScore(Score):
    """A BLEU score, and the numbers that it was computed from.

    Attributes:
        counts: the number of matched n-grams of each order (with `add-k`: smoothed).
        totals: the number of n-grams of each order in the hypotheses (with `add-k`: smoothed).
        precisions: the smoothed precision of each order, in percent.
        bp: the brevity penalty, from 0 to 1.
        sys_len: the length of the hypotheses, in tokens.
        ref_len: the length of the closest references, in tokens.
        ratio: `sys_len / ref_len`, or 0 if `ref_len` is 0.
    """

    def __init__(self, score: float, counts: list[Number], totals: list[Number], precisions: list[float], bp: float,
                 sys_len: int, ref_len: int) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join([f"{precision:.1f}" for precision in precisions])
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
                         f"hyp_len = {sys_len:d} ref_len = {ref_len:d})")

    @property
    def orders(self) -> list[float]:
        """The scores BLEU-1, BLEU-2 and so on. BLEU-n counts n-grams of 1 to n tokens. The last score is `score`.

        >>> [round(score, 2) for score in BLEU().corpus_score(["the cat sat on a mat"], [["the cat sat on it"]]).orders]
        [66.67, 63.25, 58.48, 50.81]
        """
        # (If an order has no n-grams, the score is 0, unless `effective_order` leaves out this order.)
        averaged = orders_with_ngrams(self.totals) if self.score else len(self.totals)
        return [self.bp * geometric_mean(self.precisions[:min(order, averaged)])
                for order in range(1, 1 + len(self.precisions))]


class BLEU(Metric[BLEUScore]):
    """BLEU (Papineni et al., 2002).

    A row of sufficient statistics has only integers: the length of the hypothesis, the length of the closest reference,
    the number of matched n-grams of each order, and the number of n-grams of each order in the hypothesis.

    Args:
        lowercase: compare in lower case.
        force: do not warn of hypotheses that look tokenized.
        tokenize: a name in `TOKENIZERS`, or `spm:` followed by the path of a SentencePiece model, or a function that
            returns the tokens of a line; `None`: the default for `trg_lang`.
        smooth_method: a key of `SMOOTH_DEFAULTS` (Chen and Cherry, 2014).
        smooth_value: the parameter of `floor` and `add-k`, at least 0; `None`: the value in `SMOOTH_DEFAULTS`.
        max_ngram_order: the highest order of n-grams, 1 or more.
        effective_order: leave out orders for which the hypotheses are too short (recommended for single segments).
        trg_lang: the code of the target language, such as `ja`, which selects the default tokenizer.
        references: streams of references, which are preprocessed only once, even for many systems.
        tokenize_name: the name in signatures, such as `mine-1`, if `tokenize` is a function.

    Raises:
        OptionError: a name is unknown, or a number is out of range.

    Example:
        >>> BLEU(smooth_method="floor").corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
        BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    """

    SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = TOKENIZERS.keys()
    TOKENIZER_DEFAULT = DEFAULT
    TAKES_TOKENS = True
    SIGNATURE_FIELDS: tuple[Field, ...] = (
        CASE_FIELD, FlagField("eff", "effective_order"), TokenizerField(), _Smoothing("smooth"),
        # (Signatures of sacreBLEU lack this field, although the order changes the score.)
        IntegerField("order", "max_ngram_order", MAX_NGRAM_ORDER, leaves_out_default=True))

    def __init__(self, lowercase: bool = False, force: bool = False,
                 tokenize: str | Callable[[str], object] | None = None, smooth_method: str = "exp",
                 smooth_value: float | None = None, max_ngram_order: int = MAX_NGRAM_ORDER,
                 effective_order: bool = False, trg_lang: str = "", references: Streams | None = None, *,
                 tokenize_name: str = "") -> None:
        _check_smoothing(smooth_method, smooth_value)
        self.lowercase = lowercase
        self.force = force
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = checked_order("maximum", max_ngram_order, lowest=1)
        self.effective_order = effective_order
        self.trg_lang = trg_lang
        self.tokenizer = tokenizer_for(tokenize, trg_lang, tokenize_name)
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    # Step 1: from a line to its tokens

    def preprocess_lines(self, segments: Sequence[Segment]) -> Sequence[Tokens]:
        return tokens_of(segments, self.tokenizer, self.lowercase)

    # Step 2: from segments to rows of statistics

    def segment_statistics(self, hypothesis: Tokens, references: Sequence[Tokens]) -> Row:
        length = len(hypothesis)
        closest = self.closest_length(length, [len(reference) for reference in references])
        matches = count_matches(hypothesis, references, self.max_ngram_order)
        return (length, closest, *matches, *self.total_ngrams(length, self.max_ngram_order))

    @staticmethod
    def closest_length(length: int, reference_lengths: Iterable[int]) -> int:
        """Return the reference length that is closest to `length`; at a tie, the shorter length.

        >>> BLEU.closest_length(5, [8, 6, 4])
        4
        """
        return min(reference_lengths, key=lambda reference_length: (abs(length - reference_length), reference_length))

    @staticmethod
    def total_ngrams(length: int, max_order: int) -> tuple[int, ...]:
        """Return the number of n-grams of each order in a segment of `length` tokens."""
        return tuple([max(0, length - order + 1) for order in range(1, max_order + 1)])

    # Step 3: from sums of rows to a score

    def score(self, totals: Sequence[Number]) -> BLEUScore:
        self._check_sums(totals, 2 + 2 * self.max_ngram_order)
        sys_len, ref_len, matched, ngrams = self._split_sums(totals)
        return self.compute_bleu(
            correct=matched, total=ngrams, sys_len=sys_len, ref_len=ref_len, smooth_method=self.smooth_method,
            smooth_value=self.smooth_value, effective_order=self.effective_order, max_ngram_order=self.max_ngram_order)

    def value(self, totals: Sequence[Number]) -> float:
        sys_len, ref_len, matched, ngrams = self._split_sums(totals)
        value = self.SMOOTH_DEFAULTS[self.smooth_method] if self.smooth_value is None else self.smooth_value
        matched, ngrams = _with_add_k(matched, ngrams, self.smooth_method, value)
        penalty = self.brevity_penalty(sys_len, ref_len)
        return _smoothed_score(matched, ngrams, penalty, self.smooth_method, value, self.effective_order)[0]

    def _split_sums(self, totals: Sequence[Number]) -> tuple[int, int, Sequence[Number], Sequence[Number]]:
        """Return the two lengths, and the numbers of matched n-grams and of n-grams of each order."""
        end = 2 + self.max_ngram_order
        return int(totals[0]), int(totals[1]), totals[2:end], totals[end:]

    @staticmethod
    def compute_bleu(correct: Sequence[Number], total: Sequence[Number], sys_len: int, ref_len: int,
                     smooth_method: str = "none", smooth_value: float | None = None,
                     effective_order: bool = False, max_ngram_order: int = MAX_NGRAM_ORDER) -> BLEUScore:
        """Compute BLEU from its sufficient statistics, as a score without a signature.

        Args:
            correct: the number of matched n-grams of each order.
            total: the number of n-grams of each order in the hypotheses.
            sys_len: the length of the hypotheses, in tokens.
            ref_len: the length of the references, in tokens.
            smooth_method: as for the constructor, but `none` by default. (The remaining arguments are as for the
                constructor.)

        Example:
            >>> BLEU.compute_bleu([5, 3, 2, 1], [6, 5, 4, 3], 6, 6)
            BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
        """
        _check_smoothing(smooth_method, smooth_value)
        if smooth_value is None:
            smooth_value = BLEU.SMOOTH_DEFAULTS[smooth_method]
        matched, ngrams = _with_add_k(_numbers(correct, max_ngram_order), _numbers(total, max_ngram_order),
                                      smooth_method, smooth_value)
        sys_len, ref_len = int(sys_len), int(ref_len)
        penalty = BLEU.brevity_penalty(sys_len, ref_len)
        score, precisions = _smoothed_score(matched, ngrams, penalty, smooth_method, smooth_value, effective_order)
        return BLEUScore(score, matched, ngrams, precisions, penalty, sys_len, ref_len)

    @staticmethod
    def brevity_penalty(sys_len: int, ref_len: int) -> float:
        """Return the penalty, from 0 to 1, for hypotheses that are shorter than their references."""
        if sys_len >= ref_len:
            return 1.0
        return math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0

    # Methods for an evaluation

    def column_names(self) -> list[str]:
        orders = range(1, 1 + self.max_ngram_order)
        counts = [f"{kind}_{order}" for kind in ("correct", "total") for order in orders]
        return ["sys_len", "ref_len", *counts]

    def scoring_options(self) -> dict[str, Any]:
        return {"smooth_method": self.smooth_method, "smooth_value": self.smooth_value,
                "max_ngram_order": self.max_ngram_order, "effective_order": self.effective_order}

    def looks_tokenized(self, hypotheses: Sequence[Segment]) -> int:
        if self.force:
            return 0
        return sum([hypothesis.endswith(" .") for hypothesis in hypotheses if isinstance(hypothesis, str)])

    def advice_without_spaces(self, language: str) -> str:
        return advice_on_tokenizer(self.tokenizer_signature, language)

    def doubt_of(self, totals: Row) -> str:
        matched_words, longest_ngrams = totals[2], totals[-1]
        if self.effective_order or longest_ngrams or not matched_words:
            return ""
        effect = f"BLEU with n-grams of up to {self.max_ngram_order} words is 0 even if all words match"
        advice = "-sl, or effective_order=True in Python, leaves out n-grams longer than the hypotheses"
        if self.smooth_method == "add-k":
            effect = "add-k smoothing counts n-grams longer than the hypotheses as matched"
            advice = f"with another smoothing, {advice}"
        return f"no hypothesis has {self.max_ngram_order} words or more, so {effect} ({advice})"

    def _warn_of_single_segments(self) -> None:
        if not self.effective_order and self.smooth_method != "add-k":  # (`add-k` leaves no order without n-grams)
            warn("BLEU of single segments should be computed with effective_order=True")

    # Methods of sacreBLEU that programs call

    def _preprocess_segment(self, sent: str) -> str:
        if self.lowercase:
            from ..unicode.casing import lower_case

            sent = lower_case(sent)
        return self.tokenizer(sent.rstrip(WHITESPACE))

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        from .helpers import extract_all_word_ngrams

        counts, lengths = zip(*[extract_all_word_ngrams(self._preprocess_segment(ref), 1, self.max_ngram_order)
                                for ref in refs])
        in_references = counts[0]
        for counts_of_reference in counts[1:]:
            in_references |= counts_of_reference
        return {"ref_ngrams": in_references, "ref_lens": list(lengths)}


def _number_in_signature(number: float) -> str:
    """Return a smoothing parameter for signatures, with two decimal places, or more if it needs more.

    sacreBLEU-compat: sacreBLEU always rounds, even 0.001 to 0.00.

    >>> _number_in_signature(1), _number_in_signature(0.001)
    ('1.00', '0.001')
    """
    text = f"{number:.2f}"
    return text if float(text) == number else repr(float(number))


def _check_smoothing(method: str, value: float | None) -> None:
    if method not in tuple(BLEU.SMOOTH_DEFAULTS):
        raise OptionError(f"unknown smoothing method {method!r}; choose from {', '.join(BLEU.SMOOTH_DEFAULTS)}")
    if value is not None and not is_between(value, 0, _MAX_SMOOTHING):
        raise OptionError(f"the smoothing value must be a number from 0 to {_MAX_SMOOTHING}, not {value!r}")


def _numbers(values: Iterable[Number], expected: int) -> list[Number]:
    """Return the numbers as a new list of Python's own `int` and `float` objects."""
    numbers = list(values)
    if len(numbers) != expected:
        raise OptionError(f"{len(numbers)} n-gram counts were given for {expected} n-gram orders")
    return [number if isinstance(number, int) else _number(number) for number in numbers]


def _number(value: Number) -> Number:
    try:
        return index(value)  # type: ignore[arg-type]  # a float raises TypeError
    except TypeError:
        return float(value)


def _with_add_k(matched: Sequence[Number], ngrams: Sequence[Number], method: str,
                value: float | None) -> tuple[list[Number], list[Number]]:
    """Return the numbers of matched n-grams and of n-grams of each order. The method `add-k` adds `value`."""
    if method != "add-k" or value is None or not any(matched):
        return list(matched), list(ngrams)
    # As in Lin and Och (2004), order 1 is not smoothed.
    return ([*matched[:1], *[count + value for count in matched[1:]]],
            [*ngrams[:1], *[count + value for count in ngrams[1:]]])


def _smoothed_score(matched: Sequence[Number], ngrams: Sequence[Number], penalty: float, method: str,
                    value: float | None, effective_order: bool) -> tuple[float, list[float]]:
    """Return the score, and the smoothed precision of each order in percent.

    Args:
        matched: the number of matched n-grams of each order (after `_with_add_k`).
        ngrams: the number of n-grams of each order in the hypotheses (after `_with_add_k`).
        penalty: the brevity penalty.
        method: the smoothing method, a key of `SMOOTH_DEFAULTS`.
        value: the parameter of the method.
        effective_order: whether the score leaves out orders without n-grams.
    """
    if not any(matched):
        # Without any match, the score is 0 under all smoothing methods.
        return 0.0, [0.0] * len(matched)
    precisions = smoothed_precisions(matched, ngrams, method, value)
    # (There is at least one precision, even if a caller of `compute_bleu` passes no n-grams of order 1.)
    averaged = precisions[:max(1, orders_with_ngrams(ngrams))] if effective_order else precisions
    return penalty * geometric_mean(averaged), precisions


def geometric_mean(precisions: Sequence[float]) -> float:
    """Return the geometric mean of precisions. All numbers are in percent."""
    sum_of_logs = 0.0
    for precision in precisions:
        # (Since Python 3.12, `sum` rounds in another way. So the logarithms are added one by one.)
        sum_of_logs += math.log(precision) if precision else _LOG_OF_ZERO
    return math.exp(sum_of_logs / len(precisions))


def orders_with_ngrams(ngrams: Sequence[Number]) -> int:
    """Return the number of orders before the first order without n-grams. `ngrams` has their number for each order."""
    return ngrams.index(0) if 0 in ngrams else len(ngrams)


def smoothed_precisions(matched: Sequence[Number], ngrams: Sequence[Number], method: str,
                        value: float | None) -> list[float]:
    """Return the smoothed precision of each order, in percent.

    If the hypotheses have no n-grams of an order, the precisions of this order and of all higher orders are 0.
    """
    precisions: list[float] = []
    divisor = 1.0
    for matches, total in zip(matched, ngrams[:orders_with_ngrams(ngrams)]):
        precision = 100.0 * matches / total
        if not matches and method == "exp":
            # NIST's smoothing: the first order without a match counts as 1/2 of a match, the next order as 1/4, ...
            divisor *= 2
            precision = 100.0 / (divisor * total)
        elif not matches and method == "floor" and value is not None:
            precision = 100.0 * value / total
        precisions.append(precision)
    return precisions + [0.0] * (len(matched) - len(precisions))
