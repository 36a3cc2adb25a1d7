"""Counting the n-grams that a hypothesis shares with its references, one segment at a time (the plain code)."""

from __future__ import annotations

from collections import Counter
from operator import add

from ...runtime.errors import OptionError, whole_number
from ...runtime.hints import Any, Hashable, Sequence, Tokens

#: The highest order of n-grams. (Rows have columns for each order, so without a limit, memory could run out.)
MAX_ORDER = 1000

#: If a segment has more symbols, its n-grams are counted with `Counter`. This takes more time than lists of n-grams,
#: but half the memory.
MAX_LISTED_SYMBOLS = 10_000


def checked_order(kind: str, order: int, lowest: int) -> int:
    """Return the n-gram order as an integer.

    Args:
        kind: a word before "n-gram order" in errors, such as "maximum".
        order: the value to check.
        lowest: the lowest order that is allowed.

    Raises:
        OptionError: the order is not from `lowest` to `MAX_ORDER`.
        TypeError: the order is not an integer.
    """
    order = whole_number(f"the {kind} n-gram order", order)
    if not lowest <= order <= MAX_ORDER:
        raise OptionError(f"the {kind} n-gram order must be from {lowest} to {MAX_ORDER}, not {order}")
    return order


def ngram_counts(symbols: Tokens, order: int) -> Counter[Hashable]:
    """Count each n-gram of one order in a sequence of symbols.

    Args:
        symbols: a string, or a sequence of hashable values.
        order: the length of the n-grams, in symbols; 1 or more.

    Returns:
        The count of each n-gram. The n-grams of a string are strings. The n-grams of other sequences are tuples.

    Example:
        >>> ngram_counts("abab", 2)
        Counter({'ab': 2, 'ba': 1})
        >>> ngram_counts(["a", "b", "c"], 2)
        Counter({('a', 'b'): 1, ('b', 'c'): 1})
    """
    if isinstance(symbols, (str, bytes)):
        return Counter(_ngrams(symbols, order))
    return Counter(zip(*[symbols[start:] for start in range(order)]))


def count_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> tuple[int, ...]:
    """Return the number of matching n-grams of each order in a hypothesis (Papineni et al., 2002, section 2.1).

    The count of an n-gram in the hypothesis is clipped to the highest count of the n-gram in a single reference.

    Args:
        hypothesis: a sequence of symbols.
        references: sequences of symbols. Without references, nothing matches.
        max_order: the highest order.

    Returns:
        The number of matching n-grams for each order from 1 to `max_order`.

    Example:
        >>> count_matches("the the the cat".split(), ["the cat sat on the mat".split()], 2)
        (3, 1)
    """
    orders = range(1, 1 + min(max_order, len(hypothesis)))
    if len(references) == 1 and max(len(hypothesis), len(references[0])) <= MAX_LISTED_SYMBOLS:
        matches = _matches_in_lists(hypothesis, references[0], orders)
    else:
        matches = _matches_in_counts(hypothesis, references, orders)
    return (*matches, *[0] * (max_order - len(matches)))


def _matches_in_lists(hypothesis: Tokens, reference: Tokens, orders: range) -> list[int]:
    """Return the numbers of `count_matches` for one reference, up to the first order without a match.

    First, the different n-grams that both sides have are counted. Then, the repetitions of these n-grams are added.
    """
    matches: list[int] = []
    ngrams: Sequence[Any] = hypothesis
    reference_ngrams: Sequence[Any] = reference
    repeated = True  # whether both sides repeat n-grams (if no bigram is repeated, no trigram is repeated)
    for order in orders:
        if order > 1 and isinstance(hypothesis, str):  # (each n-gram of the order before gets one more character)
            ngrams = list(map(add, ngrams, hypothesis[order - 1:]))
            reference_ngrams = list(map(add, reference_ngrams, reference[order - 1:]))
        elif order > 1:
            ngrams, reference_ngrams = _ngrams(hypothesis, order), _ngrams(reference, order)
        different = set(reference_ngrams)
        in_both = different.intersection(ngrams)
        matched = len(in_both)
        repeated = repeated and len(different) < len(reference_ngrams)
        if repeated and in_both:
            counts = Counter(ngrams)
            repeated = len(counts) < len(ngrams)
            if repeated:
                limits = Counter(reference_ngrams)
                matched += sum([min(count, limits[ngram]) - 1 for ngram, count in counts.items()
                                if count > 1 and ngram in in_both])
        matches.append(matched)
        if not matched:
            break
    return matches


def _matches_in_counts(hypothesis: Tokens, references: Sequence[Tokens], orders: range) -> list[int]:
    """Return the numbers of `count_matches`, up to the first order without a match."""
    matches: list[int] = []
    for order in orders:
        limits: dict[Hashable, int] = {}
        for reference in references:
            for ngram, count in ngram_counts(reference, order).items():
                if count > limits.get(ngram, 0):  # (`limits |= counts` with a Counter takes longer.)
                    limits[ngram] = count
        counts = ngram_counts(hypothesis, order)
        matches.append(sum([min(count, limits[ngram]) for ngram, count in counts.items() if ngram in limits]))
        if not matches[-1]:
            break
    return matches


def _ngrams(symbols: Tokens, order: int) -> list[Any]:
    """Return the n-grams of one order, from the first to the last."""
    if isinstance(symbols, (str, bytes)):
        # (Slices take less memory than tuples.)
        return [symbols[start:start + order] for start in range(len(symbols) - order + 1)]
    return list(zip(*[symbols[start:] for start in range(order)])) if order > 1 else list(symbols)
