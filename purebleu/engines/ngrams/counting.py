"""Counting the n-grams that a hypothesis shares with its references: the plain way, one segment at a time."""

from __future__ import annotations

import operator
from collections import Counter

from ...errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    #: What n-grams are made of: the tokens or the characters of a segment.
    Symbols = Sequence[Hashable]

#: Limit of n-gram orders: a row of statistics has columns for each order, so without one, memory could run out.
MAX_ORDER = 1000


def checked_order(kind: str, order: int, lowest: int) -> int:
    """The n-gram order as an integer.

    Args:
        kind: what the n-grams consist of, as the error is to say it.
        order: the order that was asked for.
        lowest: the lowest one that is allowed.

    Raises:
        OptionError: it is not from `lowest` to `MAX_ORDER`.
        TypeError: it is no integer.
    """
    order = operator.index(order)
    if not lowest <= order <= MAX_ORDER:
        raise OptionError(f"the {kind} n-gram order must be from {lowest} to {MAX_ORDER}, not {order}")
    return order


def ngram_counts(symbols: Symbols, order: int) -> Counter[Hashable]:
    """The number of occurrences of each n-gram of one order in a sequence of symbols.

    Args:
        symbols: a string, or a sequence of hashable values.
        order: the length of the n-grams, in symbols; 1 or more.

    Returns:
        The counts by n-gram: parts of a string, or else tuples.

    Example:
        >>> ngram_counts("abab", 2)
        Counter({'ab': 2, 'ba': 1})
        >>> ngram_counts(["a", "b", "c"], 2)
        Counter({('a', 'b'): 1, ('b', 'c'): 1})
    """
    if isinstance(symbols, (str, bytes)):
        # slices take less memory than tuples
        return Counter([symbols[start:start + order] for start in range(len(symbols) - order + 1)])
    return Counter(zip(*[symbols[start:] for start in range(order)]))


def count_matches(hypothesis: Symbols, references: Sequence[Symbols], max_order: int) -> tuple[int, ...]:
    """The clipped counts of the n-grams of a hypothesis (Papineni et al., 2002, 2.1).

    An n-gram matches at most as often as it occurs in the one reference that has it most often.

    Args:
        hypothesis: a sequence of symbols.
        references: sequences of symbols; where there are none, nothing matches.
        max_order: the highest order.

    Returns:
        The number of matching n-grams for each order from 1 to `max_order`.

    Example:
        >>> count_matches("the the the cat".split(), ["the cat sat on the mat".split()], 2)
        (3, 1)
    """
    matches: list[int] = []
    for order in range(1, 1 + min(max_order, len(hypothesis))):
        in_references: Counter[Hashable] = ngram_counts(references[0], order) if references else Counter()
        for reference in references[1:]:
            in_references |= ngram_counts(reference, order)
        in_hypothesis = ngram_counts(hypothesis, order)
        in_both = in_hypothesis.keys() & in_references.keys()
        matches.append(sum(map(min, map(in_hypothesis.__getitem__, in_both), map(in_references.__getitem__, in_both))))
    return (*matches, *[0] * (max_order - len(matches)))
