"""N-grams of the references that one system gets right, and another one does not."""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from operator import sub

from ..runtime.progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Counter as CounterOf
    from typing import Sequence, Tuple

    NGram = Tuple[str, ...]

    #: An n-gram, the number of its matches by one system, and that by another one.
    Gain = Tuple[NGram, int, int]

#: The maximum order of n-grams, as in BLEU.
MAX_ORDER = 4


def different_ngrams(outputs: Sequence[Sequence[Sequence[str]]], references: Sequence[Sequence[Sequence[str]]],
                     pairs: Sequence[tuple[int, int]],
                     limit: int) -> dict[tuple[int, int], tuple[list[Gain], list[Gain]]]:
    """Return the n-grams (order 1 to 4) that differ most between two systems.

    Args:
        outputs: for each system, the words of each segment.
        references: for each segment, the words of its references.
        pairs: pairs of systems, by their indices.
        limit: the maximum number of n-grams in a list.

    Returns:
        For each pair, two lists in the order of `most_different`: the n-grams that the second system gets more often
        than the first one, and those that the first system gets more often than the second one.
    """
    lists: dict[tuple[int, int], tuple[list[Gain], list[Gain]]] = {pair: ([], []) for pair in pairs}
    # (One order after the other: the n-grams of a large corpus take a lot of memory.)
    for order in range(1, MAX_ORDER + 1) if pairs else ():
        matched = matched_counts(outputs, references, order)
        for (one, two), (gained, lost) in lists.items():
            gained += most_different(matched[two], matched[one], limit)
            lost += most_different(matched[one], matched[two], limit)
    return {pair: (sorted(gained, key=_rank)[:limit], sorted(lost, key=_rank)[:limit])
            for pair, (gained, lost) in lists.items()}


def matched_counts(systems: Sequence[Sequence[Sequence[str]]], references: Sequence[Sequence[Sequence[str]]],
                   order: int) -> list[CounterOf[NGram]]:
    """Return the number of matches of each n-gram of an order, for each system: clipped in each segment, as in BLEU.

    Args:
        systems: for each system, the words of each segment.
        references: for each segment, the words of its references.
        order: the number of words in an n-gram.

    Example:
        >>> sorted(matched_counts([[["a", "a", "b"]]], [[["a", "b"]]], 1)[0].items())
        [(('a',), 1), (('b',), 1)]
    """
    matched: list[CounterOf[NGram]] = [Counter() for _ in systems]
    for segment, segment_references in tracked(f"matching {order}-grams", enumerate(references), len(references)):
        streams = [_ngrams(reference, order) for reference in segment_references]
        allowed = set(streams[0]).union(*streams[1:])
        repeats = any(len({*ngrams}) < len(ngrams) for ngrams in streams)
        for counts, outputs in zip(matched, systems):
            ngrams = _ngrams(outputs[segment], order)
            distinct = {*ngrams}
            # This counts each matched n-gram once. More matches of it are possible only if a segment repeats it.
            counts.update(distinct & allowed)
            if repeats and len(distinct) < len(ngrams):
                limits: CounterOf[NGram] = Counter()
                for stream in streams:
                    limits |= Counter(stream)
                counts.update({ngram: count - 1 for ngram, count in (Counter(ngrams) & limits).items() if count > 1})
    return matched


def _ngrams(words: Sequence[str], order: int) -> list[NGram]:
    return list(zip(*[words[start:] for start in range(order)]))


def most_different(one: CounterOf[NGram], other: CounterOf[NGram], limit: int) -> list[Gain]:
    """Return the n-grams that one system gets more often than another one.

    Returns:
        At most `limit` n-grams, each with both counts: sorted by their differences (the largest first), then by their
        lengths (the longest first), then by their words.

    Example:
        >>> most_different(Counter({("a",): 3, ("b",): 1}), Counter({("a",): 1, ("c",): 2}), 20)
        [(('a',), 3, 1), (('b',), 1, 0)]
    """
    import heapq

    gains = list(map(sub, one.values(), map(other.get, one, repeat(0))))
    # Most n-grams differ by 1 or not at all. So those that differ too little are left out before n-grams are sorted.
    least = max([1, *heapq.nlargest(limit, gains)[-1:]])
    more = [(ngram, one[ngram], other[ngram]) for gain, ngram in zip(gains, one) if gain >= least]
    return heapq.nsmallest(limit, more, key=_rank)


def _rank(gain: Gain) -> tuple[int, int, NGram]:
    ngram, own, other = gain
    return other - own, -len(ngram), ngram
