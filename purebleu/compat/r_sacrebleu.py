"""Computes BLEU of token ids, from 0 to 1. The scores are those of the R package sacRebleu 0.1.2.

The scores of this R package differ from sacreBLEU's. Comments with `sacRebleu-compat` explain the differences. (For
sacreBLEU's scores of token ids, use `BLEU`.) Functions take the references before the candidates.

A row of sufficient statistics has these integers: the length of the candidate; the closest reference length; for each
order, the number of matched n-grams; for each order, the number of n-grams of the candidate (1 if the candidate is too
short); and for each order, 1 if no n-gram matches, else 0. `purebleu.sum_statistics` adds up rows.
"""

from __future__ import annotations

import math
import operator
import struct
import sys
from itertools import islice

from ..engines.ngrams.counting import checked_order, count_matches
from ..engines.ngrams.matching import MAX_TOKENS, NgramMatcher, ids_of_tokens
from ..metrics.evaluation import sum_statistics
from ..metrics.segments import listed
from ..runtime.blocks import CACHED_SEGMENTS, slices
from ..runtime.errors import LengthError, OptionError, PurebleuError, check_text, counted, is_between
from ..runtime.hints import Any, Callable, Iterable, Sequence, Tokens
from ..tokenizers import make_tokenizer

__all__ = ["bleu_corpus", "bleu_corpus_ids", "bleu_of_sums", "bleu_sentence", "bleu_sentence_ids",
           "corpus_statistics_ids"]

#: The smoothing methods. Without smoothing, a score is 0 if an order has no match.
_SMOOTHING_METHODS = ("floor", "add-k")

#: sacRebleu-compat: k becomes a 32-bit integer.
_MAX_K = (1 << 31) - 1


# Scores


def bleu_corpus_ids(references: Sequence[Sequence[Iterable[int]]], candidates: Sequence[Iterable[int]], n: int = 4,
                    weights: Sequence[float] | None = None, smoothing: str | None = None, epsilon: float = 0.1,
                    k: float = 1) -> float:
    """Compute BLEU (Papineni et al., 2002) of a corpus of token ids, as the R package sacRebleu does.

    Args:
        references: for each candidate, a list of one or more references, each a sequence of integers.
        candidates: sequences of integers, in any number.
        n: the highest order of n-grams, at least 1. If there are `weights`, their number is the highest order.
        weights: a finite weight for each order. Weights are rounded to float32, and their sum need not be 1. `None`:
            1/n for each order.
        smoothing: `None`, `"floor"` or `"add-k"` (Chen and Cherry, 2014).
        epsilon: for `floor`: for each candidate without a match of an order, this number (at least 0) is added to the
            matches of the order.
        k: for `add-k`: this number (at least 0) is added to the matches and to the n-grams of each order, including
            unigrams. The fraction of `k` is cut off.

    Returns:
        The score, usually from 0 to 1. (A negative weight, or an epsilon above 1, can lead to a larger score.) The
        score is 0 if the corpus is empty or if an order has no match. As in R, the score is `nan` if all candidates and
        their closest references are empty, or if an order without a match has weight 0.

    Raises:
        OptionError: the smoothing method is unknown, or a number is out of range.
        LengthError: there are not as many lists of references as candidates.
        PurebleuError: a candidate has no reference.
        TypeError: an argument has a wrong type.

    Example:
        >>> references = [[[1, 2, 3], [2, 3, 4]], [[1, 2, 6], [781, 21, 9], [7, 3]]]
        >>> round(bleu_corpus_ids(references, [[1, 2, 3], [1, 2]], n=3), 12)
        0.793700520519
    """
    order_weights, added = _checked_weights(n, weights), _checked_smoothing(smoothing, epsilon, k)
    rows = corpus_statistics_ids(references, candidates, len(order_weights))
    return _score(sum_statistics(rows), order_weights, *added)


def bleu_sentence_ids(references: Sequence[Iterable[int]], candidate: Iterable[int], n: int = 4,
                      weights: Sequence[float] | None = None, smoothing: str | None = None, epsilon: float = 0.1,
                      k: float = 1) -> float:
    """Compute BLEU of one candidate of token ids, as the R package sacRebleu does.

    Args:
        references: one or more references, each a sequence of integers.
        candidate: a sequence of integers.

    The other arguments, the result and the errors are those of `bleu_corpus_ids`.

    Example:
        >>> round(bleu_sentence_ids([[1, 2, 3, 5]], [1, 2, 3, 4], smoothing="floor", epsilon=0.01), 12)
        0.22360679775
    """
    return bleu_corpus_ids([references], [candidate], n, weights, smoothing, epsilon, k)


def bleu_corpus(references: Sequence[Sequence[str]], candidates: Sequence[str],
                tokenizer: str | Callable[[str], object] = str.split, n: int = 4,
                weights: Sequence[float] | None = None, smoothing: str | None = None, epsilon: float = 0.1,
                k: float = 1) -> float:
    """Compute BLEU of a corpus of text: `bleu_corpus_ids` of its tokens.

    Args:
        references: for each candidate, a list of one or more references.
        candidates: texts, in any number.
        tokenizer: a function from a text to a list of its tokens, or of their ids, such as
            `lambda text: hugging_face_tokenizer.encode(text).ids`; or the name of a tokenizer, as for `BLEU`.

    The other arguments, the result and the errors are those of `bleu_corpus_ids`. An unknown tokenizer raises
    `OptionError`.

    Example:
        >>> references = [["the cat sat on a mat", "a cat sat on the mat"], ["it is a rainy day"]]
        >>> round(bleu_corpus(references, ["the cat sat on the mat", "it was a rainy day"]), 12)
        0.722656881146
    """
    order_weights, added = _checked_weights(n, weights), _checked_smoothing(smoothing, epsilon, k)
    reference_texts, texts = _checked_corpus(references, candidates, _checked_text)
    tokenize = make_tokenizer(tokenizer).tokenize_lines
    tokens = iter(tokenize([text for segment in reference_texts for text in segment]))
    reference_tokens = [list(islice(tokens, len(segment))) for segment in reference_texts]
    rows = _id_rows(reference_tokens, list(tokenize(texts)), len(order_weights))
    return _score(sum_statistics(rows), order_weights, *added)


def bleu_sentence(references: Sequence[str], candidate: str,
                  tokenizer: str | Callable[[str], object] = str.split, n: int = 4,
                  weights: Sequence[float] | None = None, smoothing: str | None = None, epsilon: float = 0.1,
                  k: float = 1) -> float:
    """Compute BLEU of a single text: `bleu_sentence_ids` of its tokens.

    Args:
        references: one or more references.
        candidate: the text.

    The other arguments, the result and the errors are those of `bleu_corpus`.

    Example:
        >>> bleu_sentence(["the cat sat"], "the cat sat", n=3)
        1.0
    """
    return bleu_corpus([references], [candidate], tokenizer, n, weights, smoothing, epsilon, k)


# Sufficient statistics


def corpus_statistics_ids(references: Sequence[Sequence[Iterable[int]]], candidates: Sequence[Iterable[int]],
                          n: int = 4) -> list[tuple[int, ...]]:
    """Return the rows of sufficient statistics of a corpus of token ids.

    Args:
        references: for each candidate, a list of one or more references, each a sequence of integers.
        candidates: sequences of integers, in any number.
        n: the highest order of n-grams, at least 1.

    Returns:
        A row for each candidate. The module's docstring describes the columns. `bleu_of_sums` takes the column sums.

    Raises:
        OptionError: the order is out of range.
        LengthError: there are not as many lists of references as candidates.
        PurebleuError: a candidate has no reference.
        TypeError: an argument has a wrong type.

    Example:
        >>> corpus_statistics_ids([[[1, 2, 3]], [[4, 5]]], [[1, 2, 4], [5]], n=2)
        [(3, 3, 2, 1, 3, 2, 0, 0), (1, 2, 1, 0, 1, 1, 0, 1)]
    """
    order = checked_order("maximum", n, lowest=1)
    return _id_rows(*_checked_corpus(references, candidates, _checked_ids), order)


def bleu_of_sums(sums: Sequence[float], weights: Sequence[float] | None = None, smoothing: str | None = None,
                 epsilon: float = 0.1, k: float = 1) -> float:
    """Compute BLEU from the column sums of rows of sufficient statistics.

    Args:
        sums: the sum of each column, as `sum_statistics` returns them; or a single row; or an empty list for an empty
            corpus.
        weights: a weight for each order of the rows; `None`: equal weights.

    The other arguments and the result are those of `bleu_corpus_ids`.

    Raises:
        PurebleuError: there are more or fewer sums than a row has columns.
        OptionError: the smoothing method is unknown, or a number is out of range.
        TypeError: an argument has a wrong type.

    Example:
        >>> bleu_of_sums([4, 5, 3, 1, 4, 3, 0, 1], smoothing="add-k")  # doctest: +ELLIPSIS
        0.49255686360...
    """
    order = max(1, (len(sums) - 2) // 3)
    order_weights, added = _checked_weights(order, weights), _checked_smoothing(smoothing, epsilon, k)
    columns = 2 + 3 * len(order_weights)
    if len(sums) not in (0, columns):
        raise PurebleuError(f"there are {len(sums)} sums, but {columns} are needed for "
                            f"{counted(len(order_weights), 'n-gram order')} (one order for each weight)")
    return _score(sums, order_weights, *added)


# Checking arguments


def _checked_weights(n: int, weights: Sequence[float] | None) -> list[float]:
    """Return the weights by order, as float32."""
    order = checked_order("maximum", n, lowest=1)
    given = [1 / order] * order if weights is None else weights
    try:
        # sacRebleu-compat: weights are 32-bit floats.
        rounded = [struct.unpack("<f", struct.pack("<f", weight))[0] for weight in given]
    except (TypeError, struct.error):
        raise TypeError(f"weights must be a sequence of numbers, not {weights!r}") from None
    except OverflowError:
        rounded = [math.inf]
    if not all(map(math.isfinite, rounded)):
        raise OptionError("every weight must be a finite number that a float32 can hold")
    checked_order("maximum", len(rounded), lowest=1)
    return rounded


def _checked_smoothing(smoothing: str | None, epsilon: float, k: float) -> tuple[float, int]:
    """Return what smoothing adds to the matches of an order: for each candidate without a match, and in total."""
    if smoothing is not None and smoothing not in _SMOOTHING_METHODS:
        raise OptionError(f"unknown smoothing method {smoothing!r}; choose from "
                          f"{', '.join(_SMOOTHING_METHODS)} and None")
    for name, value in (("epsilon", epsilon), ("k", k)):
        if not hasattr(value, "__float__"):
            raise TypeError(f"{name} must be a number, not {type(value).__name__}")
        if not is_between(value, 0, sys.float_info.max):
            raise OptionError(f"{name} must be a finite number of at least 0, not {value!r}")
    if k > _MAX_K:
        raise OptionError(f"k must be at most {_MAX_K}, not {k!r}")
    # sacRebleu-compat: the fraction of k is cut off.
    return (float(epsilon) if smoothing == "floor" else 0.0), (int(k) if smoothing == "add-k" else 0)


def _checked_corpus(references: Sequence[Sequence[Any]], candidates: Sequence[Any],
                    checked: Callable[[Any, str], Any]) -> tuple[list[list[Any]], list[Any]]:
    """Return a corpus with checked segments. `checked` takes a segment, and its name for errors."""
    segments, texts = listed(references, "references"), listed(candidates, "candidates")
    if len(segments) != len(texts):
        raise LengthError(f"there must be one list of references for each of the {len(texts)} candidates, "
                          f"not {len(segments)}")
    checked_references: list[list[Any]] = []
    for number, segment in enumerate(segments):
        name = f"references[{number}]"
        of_segment = listed(segment, name)
        if not of_segment:
            raise PurebleuError(f"{name} is empty; every candidate needs a reference (which may be empty)")
        checked_references.append([checked(one, f"{name}[{index}]") for index, one in enumerate(of_segment)])
    return checked_references, [checked(one, f"candidates[{index}]") for index, one in enumerate(texts)]


def _checked_ids(ids: Iterable[int], name: str) -> list[int]:
    """Return ids as integers of Python. (In arrays and tensors, ids with equal values may differ.)"""
    given = listed(ids, name)
    try:
        return list(map(operator.index, given))
    except TypeError:
        index, wrong = next((index, one) for index, one in enumerate(given) if not hasattr(one, "__index__"))
        raise TypeError(f"{name}[{index}] must be an integer id, not {type(wrong).__name__}") from None


def _checked_text(text: Any, name: str) -> str:
    check_text(name, text)
    return str(text)


# From tokens to rows, and from their sums to a score


def _id_rows(references: list[list[Any]], candidates: list[Any], order: int) -> list[tuple[int, ...]]:
    """Return the rows of a corpus of tokens."""
    if len(candidates) < 2:  # `count_matches` is the definition, and is faster for a single segment
        matches = [count_matches(candidates[0], references[0], order)] if candidates else []
        return list(map(_id_row, candidates, references, matches))
    width = max(map(len, references))
    matcher = NgramMatcher(order, ids_of_tokens, MAX_TOKENS)
    for indices in slices(len(candidates), CACHED_SEGMENTS):
        # Missing references are replaced by empty references, which have no n-grams.
        filled = [segment + [()] * (width - len(segment)) for segment in references[indices]]
        matcher.add(candidates[indices], list(zip(*filled)))
    return list(map(_id_row, candidates, references, matcher.counts()))


def _id_row(candidate: Tokens, references: Sequence[Tokens], matches: Sequence[int]) -> tuple[int, ...]:
    length = len(candidate)
    # sacRebleu-compat: of equally close reference lengths, the first length counts. A candidate that is too short for
    # an order has one n-gram of this order in its row.
    closest = min([len(reference) for reference in references], key=lambda other: abs(length - other))
    totals = [max(1, length - index) for index in range(len(matches))]
    return (length, closest, *matches, *totals, *[int(not count) for count in matches])


def _score(sums: Sequence[float], weights: Sequence[float], per_unmatched: float, added: int) -> float:
    """Return the score from column sums, and the results of `_checked_weights` and `_checked_smoothing`."""
    if not any(sums):
        return 0.0  # (only the sums of an empty corpus are all 0)
    order = len(weights)
    length, reference_length = sums[:2]
    exponent = _log_brevity_penalty(length, reference_length)
    for weight, matches, total, unmatched in zip(weights, sums[2:], sums[2 + order:], sums[2 + 2 * order:]):
        precision = (matches + unmatched * per_unmatched + added) / (total + added)
        exponent += weight * (math.log(precision) if precision else -math.inf)
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


def _log_brevity_penalty(length: float, reference_length: float) -> float:
    if length > reference_length:
        return 0.0
    if length:
        return 1 - reference_length / length
    # sacRebleu-compat: the score of an empty candidate against an empty reference is NaN.
    return -math.inf if reference_length else math.nan
