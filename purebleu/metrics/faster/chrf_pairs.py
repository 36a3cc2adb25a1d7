"""Scores of all pairs of hypotheses and references, for metrics on n-grams: many pairs at a time."""

from __future__ import annotations

from itertools import repeat

from ...engines.ngrams.pairs import matches_of_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Sequence

    from ...engines.ngrams.counting import Symbols

    #: A segment in each kind that is compared: its characters and its words, say.
    Kinds = Sequence[Symbols]

    #: From the number of n-grams of a hypothesis, those of references, and its matches with each of these, all of one
    #: order, to what each pair adds to a sum.
    Summands = Callable[[int, Sequence[int], Sequence[int]], Iterable[float]]

    # (The types that checkers know of `operator` are less exact.)
    def add(one: float, other: float) -> float: ...
    def truediv(one: float, other: float) -> float: ...
else:
    from operator import add, truediv

#: Limit of the numbers of n-grams whose quotients are looked up.
_MAX_IN_TABLE = 300


def sums_over_orders(hypotheses: Sequence[Kinds], references: Sequence[Kinds], orders: Sequence[int],
                     summands: Summands) -> list[list[float]]:
    """For each hypothesis and each reference, what `summands` makes of the orders of each kind, added one by one.

    `orders` has the highest order of each kind.
    """
    sums = [[0.0] * len(references) for _ in hypotheses]
    for ours, theirs, max_order in zip(zip(*hypotheses), zip(*references), orders):
        lengths = list(map(len, theirs))
        for block, by_hypothesis in matches_of_pairs(ours, theirs, max_order):
            by_order = [[max(0, length - order) for length in lengths[block]] for order in range(max_order)]
            for sums_of_hypothesis, symbols, matches in zip(sums, ours, by_hypothesis):
                so_far: Iterable[float] = sums_of_hypothesis[block]
                for order, (their_ngrams, matched) in enumerate(zip(by_order, matches)):
                    so_far = map(add, so_far, summands(max(0, len(symbols) - order), their_ngrams, matched))
                sums_of_hypothesis[block] = so_far
    return sums


def mean_precisions(hypotheses: Sequence[Kinds], references: Sequence[Kinds],
                    orders: Sequence[int]) -> list[list[float]]:
    """For each hypothesis and each reference, the mean n-gram precision over the orders that both have.

    (The recall of a pair is the precision of its reference against its hypothesis.)

    Args:
        hypotheses: one or more.
        references: likewise.
        orders: for each kind, the highest order of its n-grams.

    Example:
        >>> mean_precisions([("ab", [])], [("ab", []), ("a", []), ("bc", [])], orders=[2, 0])
        [[1.0, 0.5, 0.25]]
    """
    tables: dict[int, list[float]] = {}

    def precisions(ngrams: int, _: object, matched: Sequence[int]) -> Iterable[float]:
        if ngrams > _MAX_IN_TABLE:
            return map(truediv, matched, repeat(ngrams))
        if ngrams not in tables:  # a look-up takes half the time of a division
            tables[ngrams] = [matches / max(1, ngrams) for matches in range(ngrams + 1)]
        return map(tables[ngrams].__getitem__, matched)

    ours, theirs = ([[min(len(symbols), order) for symbols, order in zip(kinds, orders)] for kinds in segments]
                    for segments in (hypotheses, references))
    counts = {lengths: [max(1, sum(map(min, lengths, other))) for other in theirs] for lengths in set(map(tuple, ours))}
    return [list(map(truediv, sums, counts[tuple(lengths)]))
            for sums, lengths in zip(sums_over_orders(hypotheses, references, orders, precisions), ours)]
