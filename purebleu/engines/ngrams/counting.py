"""Counting the n-grams that a hypothesis shares with its references: the plain way, one segment at a time."""

from __future__ import annotations

import operator
from collections import Counter

from ...errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    Symbols = Sequence[Hashable]

#: A row of statistics has columns for each order, so that much larger ones would take memory without end.
MAX_ORDER = 1000


def checked_order(kind: str, order: int, lowest: int) -> int:
    """The n-gram order of this kind as an integer; raises `OptionError` unless it is from `lowest` to `MAX_ORDER`."""
    order = operator.index(order)
    if not lowest <= order <= MAX_ORDER:
        raise OptionError(f"the {kind} n-gram order must be from {lowest} to {MAX_ORDER}, not {order}")
    return order


def ngram_counts(symbols: Symbols, order: int) -> Counter[Hashable]:
    """How often each n-gram of one order occurs in a sequence of symbols.

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
    """The clipped counts of orders 1 to `max_order`: how many n-grams of the hypothesis the references hold.

    An n-gram matches as often as it occurs in the one reference that has it most often (Papineni et al., 2002, 2.1).

    >>> count_matches("the the the cat".split(), ["the cat sat on the mat".split()], 2)
    (3, 1)
    """
    matches: list[int] = []
    for order in range(1, 1 + min(max_order, len(hypothesis))):
        in_references = ngram_counts(references[0], order) if references else Counter()
        for reference in references[1:]:
            in_references |= ngram_counts(reference, order)
        in_hypothesis = ngram_counts(hypothesis, order)
        in_both = in_hypothesis.keys() & in_references.keys()
        matches.append(sum(map(min, map(in_hypothesis.__getitem__, in_both), map(in_references.__getitem__, in_both))))
    return (*matches, *[0] * (max_order - len(matches)))
