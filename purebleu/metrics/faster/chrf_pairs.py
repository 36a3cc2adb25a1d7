"""The mean n-gram precisions of all pairs of hypotheses and references, many pairs at a time."""

from __future__ import annotations

from functools import lru_cache
from itertools import repeat

from ...engines.ngrams.pairs import matches_of_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

    from ...hints import Tokens

    #: A segment as several sequences that are compared, such as its characters and its words.
    Kinds = Sequence[Tokens]

    # (These declarations are more exact than the types that checkers have for `operator`.)
    def add(one: float, other: float) -> float: ...
    def truediv(one: float, other: float) -> float: ...
else:
    from operator import add, truediv

#: The highest number of n-grams for which a table has the quotients.
_MAX_IN_TABLE = 300


def mean_precisions(hypotheses: Sequence[Kinds], references: Sequence[Kinds],
                    orders: Sequence[int]) -> list[list[float]]:
    """Return, for each hypothesis and each reference, the mean n-gram precision over the orders that both have.

    (The recall of a pair is the precision of its reference against its hypothesis.)

    Args:
        hypotheses: one or more segments.
        references: one or more segments.
        orders: for each kind, the highest order of n-grams.

    Example:
        >>> mean_precisions([("ab", [])], [("ab", []), ("a", []), ("bc", [])], orders=[2, 0])
        [[1.0, 0.5, 0.25]]
    """
    sums = [[0.0] * len(references) for _ in hypotheses]
    for ours, theirs, max_order in zip(zip(*hypotheses), zip(*references), orders):
        for block, by_hypothesis in matches_of_pairs(ours, theirs, max_order):
            for sums_of_hypothesis, symbols, matches in zip(sums, ours, by_hypothesis):
                so_far: Iterable[float] = sums_of_hypothesis[block]
                for order, matched in enumerate(matches):
                    so_far = map(add, so_far, _precisions(max(0, len(symbols) - order), matched))
                sums_of_hypothesis[block] = so_far
    own_orders = _orders_of(hypotheses, orders)
    other_orders = _orders_of(references, orders)
    counts: dict[tuple[int, ...], list[int]] = {}
    for own in set(own_orders):
        counts[own] = [max(1, sum(map(min, own, other))) for other in other_orders]
    return [list(map(truediv, row, counts[own])) for row, own in zip(sums, own_orders)]


def _orders_of(segments: Sequence[Kinds], orders: Sequence[int]) -> list[tuple[int, ...]]:
    """Return, for each segment and each kind of sequence, the number of orders that have n-grams."""
    return [tuple(map(min, map(len, kinds), orders)) for kinds in segments]


def _precisions(ngrams: int, matched: Sequence[int]) -> Iterable[float]:
    """Return the precisions of a hypothesis with this number of n-grams, from its matches with each reference."""
    if ngrams > _MAX_IN_TABLE:
        return map(truediv, matched, repeat(ngrams))
    return map(_quotients(ngrams).__getitem__, matched)  # (a lookup takes half the time of a division)


@lru_cache(maxsize=None)
def _quotients(ngrams: int) -> list[float]:
    return [matches / max(1, ngrams) for matches in range(ngrams + 1)]
