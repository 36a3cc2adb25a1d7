"""The functions of sacreBLEU 1.2 to 1.5, with their names, keywords, types and errors. Scores are those of sacreBLEU 2.

Projects with a copy of sacreBLEU's single module can import this module instead. Functions take the keywords of all
versions from 1.2 to 1.5, and have the defaults of 1.4.14. A string is one segment. chrF also takes a single stream of
references. BLEU is smoothed even if no n-gram matches.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, partial, wraps

from ..metrics import helpers
from ..metrics.bleu import BLEU, BLEUScore, geometric_mean, orders_with_ngrams, smoothed_precisions
from ..metrics.score import Score
from ..runtime.errors import LengthError
from ..runtime.hints import Any, Callable, Iterable, Sequence
from ..tokenizers import DEFAULT as DEFAULT_TOKENIZER
from ..tokenizers import make_tokenizer

__all__ = ["CHRF_BETA", "CHRF_ORDER", "DEFAULT_TOKENIZER", "NGRAM_ORDER", "SMOOTH_VALUE_DEFAULT", "TOKENIZERS",
           "compute_bleu", "corpus_bleu", "corpus_chrf", "extract_char_ngrams", "extract_ngrams", "raw_corpus_bleu",
           "ref_stats", "sentence_bleu", "sentence_chrf", "tokenize_13a", "tokenize_v14_international", "tokenize_zh"]

#: Keywords of early versions, and their names since version 1.3.
_LATER_KEYWORDS = {"smooth": "smooth_method", "smooth_floor": "smooth_value", "lc": "lowercase"}

NGRAM_ORDER = 4
CHRF_ORDER = 6
CHRF_BETA = 2
SMOOTH_VALUE_DEFAULT = 0.0

#: The default `smooth_value` of each smoothing method.
_SMOOTH_VALUES = {"floor": 0.0, "add-k": 1.0}


class StreamLengthError(LengthError, EOFError):
    """Streams that differ in length. (sacreBLEU 1.x raises an `EOFError`.)"""


class OldScore(float):
    """A score for users of sacreBLEU 1.x: a float that also has the attributes of a score.

    (Functions returned numbers up to 1.3, and later objects with an attribute `score`.)

    Attributes:
        scores: for BLEU, the cumulative scores BLEU-1 to BLEU-4, as in copies of sacreBLEU for sign languages.
    """

    score: float
    scores: list[float]

    def format(self, width: int = 2, score_only: bool = False, signature: str = "") -> str:
        """Return the score as one line of text."""
        number = f"{self.score:.{width}f}"
        head = f"{self.name}+{signature}" if signature else self.name  # type: ignore[attr-defined]  # as scores have it
        return number if score_only else f"{head} = {number} {self._verbose}".rstrip()  # type: ignore[attr-defined]

    def __str__(self) -> str:
        return self.format()


def _as_old(score: Score, scale: int = 1) -> OldScore:
    """Return a score as an `OldScore`, divided by `scale`."""
    old = OldScore(score.score / scale)
    vars(old).update(vars(score), score=float(old))
    return old


def _as_old_bleu(score: BLEUScore, method: str, value: float | None, effective_order: bool) -> OldScore:
    """Return a BLEU score as an `OldScore`. As in 1.x, the score is smoothed even if no n-gram matches."""
    precisions = score.precisions
    if not any(score.counts):
        precisions = smoothed_precisions(score.counts, score.totals, method, value)
    cumulative = [score.bp * geometric_mean(precisions[:order]) for order in range(1, 1 + len(precisions))]
    if not any(score.counts):
        orders = orders_with_ngrams(score.totals) if effective_order else len(precisions)
        score = BLEUScore([0.0, *cumulative][orders], score.counts, score.totals, precisions, score.bp, score.sys_len,
                          score.ref_len)
    old = _as_old(score)
    old.scores = cumulative
    return old


def _smooth_value(method: str, value: float | None) -> float | None:
    return _SMOOTH_VALUES.get(method) if value is None else value


def _with_earlier_keywords(function: Callable[..., OldScore]) -> Callable[..., OldScore]:
    """Decorate a function: it also takes the keywords of early versions."""
    @wraps(function)
    def renamed(*args: Any, **keywords: Any) -> OldScore:
        return function(*args, **{_LATER_KEYWORDS.get(name, name): value for name, value in keywords.items()})

    return renamed


def _streams(hypotheses: str | Iterable[str], references: str | Iterable[Any],
             flat: bool = False) -> tuple[list[str], list[list[str]]]:
    """Return hypotheses and streams of references as lists.

    Args:
        flat: whether references may also be a single stream, as a list of strings.

    Raises:
        StreamLengthError: streams differ in length, or a stream is a string.
    """
    lines = [hypotheses] if isinstance(hypotheses, str) else list(hypotheses)
    given: list[Any] = [[references]] if isinstance(references, str) else list(references)
    if given and isinstance(given[0], str):
        if isinstance(hypotheses, str):
            given = [[reference] for reference in given]
        elif flat:
            given = [given]
        else:
            raise StreamLengthError("references must be a list of streams: for one stream, give [references]")
    streams = list(map(list, given))
    lengths = [len(lines), *map(len, streams)]
    if len(set(lengths)) > 1:
        raise StreamLengthError("the streams of hypotheses and references have different lengths: "
                                f"{', '.join(map(str, lengths))}")
    return lines, streams


# Scores


@_with_earlier_keywords
def corpus_bleu(sys_stream: str | Iterable[str], ref_streams: str | Iterable[Any], smooth_method: str = "exp",
                smooth_value: float | None = None, force: bool = False, lowercase: bool = False,
                tokenize: str = DEFAULT_TOKENIZER, use_effective_order: bool = False) -> OldScore:
    """Compute BLEU of a corpus.

    Raises:
        StreamLengthError: streams differ in length.
    """
    value = _smooth_value(smooth_method, smooth_value)
    metric = BLEU(lowercase, force, tokenize, smooth_method, value, effective_order=use_effective_order)
    score = metric.corpus_score(*_streams(sys_stream, ref_streams))
    return _as_old_bleu(score, smooth_method, value, use_effective_order)


@_with_earlier_keywords
def raw_corpus_bleu(sys_stream: str | Iterable[str], ref_streams: str | Iterable[Any],
                    smooth_value: float | None = None) -> OldScore:
    """Compute BLEU of a tokenized corpus.

    Example:
        >>> score = raw_corpus_bleu(sys_stream=["the cat sat ."], ref_streams=[["the cat sat !"]])
        >>> [round(cumulative, 2) for cumulative in score.scores]
        [75.0, 70.71, 63.0, 0.0]
    """
    return corpus_bleu(sys_stream, ref_streams, "floor", smooth_value, True, False, "none", True)


@_with_earlier_keywords
def sentence_bleu(hypothesis: str, references: str | Iterable[Any], smooth_method: str | float = "floor",
                  smooth_value: float | None = None, use_effective_order: bool = True) -> OldScore:
    """Compute BLEU of one segment. (In 1.2, the third argument was the value of `floor`.)"""
    if not isinstance(smooth_method, str):
        smooth_value, smooth_method = smooth_method, "floor"
    return corpus_bleu(hypothesis, references, smooth_method, smooth_value, use_effective_order=use_effective_order)


@_with_earlier_keywords
def compute_bleu(correct: Sequence[float], total: Sequence[float], sys_len: int, ref_len: int,
                 smooth_method: str = "none", smooth_value: float | None = None,
                 use_effective_order: bool = False) -> OldScore:
    """Compute BLEU from its sufficient statistics."""
    value = _smooth_value(smooth_method, smooth_value)
    score = BLEU.compute_bleu(correct, total, sys_len, ref_len, smooth_method, value, use_effective_order)
    return _as_old_bleu(score, smooth_method, value, use_effective_order)


def corpus_chrf(hypotheses: str | Iterable[str], references: str | Iterable[Any], order: int = CHRF_ORDER,
                beta: int = CHRF_BETA, remove_whitespace: bool = True) -> OldScore:
    """Compute chrF of a corpus, from 0 to 1.

    Example:
        >>> print(f"{corpus_chrf(['The cat sat.'], ['The cat sits.']):.4f}")
        0.5522
    """
    from ..metrics.chrf import CHRF

    metric = CHRF(order, beta=beta, whitespace=not remove_whitespace)
    return _as_old(metric.corpus_score(*_streams(hypotheses, references, flat=True)), scale=100)


sentence_chrf = corpus_chrf  # (`corpus_chrf` also takes a single segment.)


# Tokens and n-grams


#: This function makes a tokenizer from its name. Each tokenizer is made only once.
_tokenizer = lru_cache(maxsize=None)(make_tokenizer)


def tokenized(name: str, line: str) -> str:
    """Tokenize a line with the tokenizer of this name. Return the tokens, separated by spaces."""
    return _tokenizer(name)(line)


def extract_ngrams(line: str, min_order: int = 1, max_order: int = NGRAM_ORDER) -> Counter[str]:
    """Count the n-grams of words of several orders in a line. An n-gram is a string of words joined by spaces."""
    counts: Counter[str] = Counter()
    for order in range(min_order, max_order + 1):
        counts.update(helpers.extract_word_ngrams(line.split(), order))
    return counts


def extract_char_ngrams(line: str, n: int) -> Counter[str]:
    """Count the n-grams of characters of one order in a line. Spaces are characters, too."""
    return helpers.extract_char_ngrams(line, n, include_whitespace=True)


def ref_stats(output: str, refs: Sequence[str]) -> tuple[Counter[str], int, int]:
    """Return what BLEU needs from the references of a tokenized line.

    Returns:
        The highest count of each n-gram in a single reference; the difference of length between the line and the
        closest reference; and the length of this reference.
    """
    length = len(output.split())
    closest = BLEU.closest_length(length, [len(reference.split()) for reference in refs])
    ngrams: Counter[str] = Counter()
    for reference in refs:
        ngrams |= extract_ngrams(reference)
    return ngrams, abs(length - closest), closest


tokenize_13a = partial(tokenized, "13a")
tokenize_v14_international = partial(tokenized, "intl")
tokenize_zh = partial(tokenized, "zh")
TOKENIZERS = {name: partial(tokenized, name) for name in BLEU.TOKENIZERS}
