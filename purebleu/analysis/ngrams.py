"""N-grams of the references that one system gets, and another one does not."""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat
from operator import sub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Counter as CounterOf
    from typing import Sequence, Tuple

    NGram = Tuple[str, ...]

#: As in BLEU.
MAX_ORDER = 4


def allowed_counts(references: Sequence[Sequence[str]]) -> CounterOf[NGram]:
    """How often an output may have each n-gram (order 1 to 4): as often as the reference that has it most often.

    >>> sorted(allowed_counts([["a", "a"], ["a", "b"]]).items())
    [(('a',), 2), (('a', 'a'), 1), (('a', 'b'), 1), (('b',), 1)]
    """
    allowed = _ngrams(references[0])
    for reference in references[1:]:
        allowed |= _ngrams(reference)
    return allowed


def matched_counts(outputs: Sequence[Sequence[str]], allowed: Sequence[CounterOf[NGram]]) -> CounterOf[NGram]:
    """How often a system gets each n-gram (order 1 to 4), counted as BLEU does: clipped, by segment.

    Args:
        outputs: the words of each segment.
        allowed: for each segment, `allowed_counts` of its references.

    Example:
        >>> sorted(matched_counts([["a", "a", "b"]], [allowed_counts([["a", "b"]])]).items())
        [(('a',), 1), (('a', 'b'), 1), (('b',), 1)]
    """
    matched: CounterOf[NGram] = Counter()
    for output, of_segment in zip(outputs, allowed):
        found = _ngrams(output)
        matched.update(found.keys() & of_segment.keys())
        # (That has counted each of them once; few match more often.)
        for ngram, count in found.items():
            if count > 1 and of_segment[ngram] > 1:
                matched[ngram] += min(count, of_segment[ngram]) - 1
    return matched


def _ngrams(words: Sequence[str]) -> CounterOf[NGram]:
    return Counter(chain.from_iterable([zip(*[words[start:] for start in range(order)])
                                        for order in range(1, MAX_ORDER + 1)]))


def most_different(one: CounterOf[NGram], other: CounterOf[NGram], limit: int) -> list[tuple[NGram, int, int]]:
    """The n-grams that one system gets more often than another one.

    Returns:
        At most `limit` of them, each with both counts: those with the largest difference first, of equal ones the
        longer one, then in the order of their words.

    Example:
        >>> most_different(Counter({("a",): 3, ("b",): 1}), Counter({("a",): 1, ("c",): 2}), 20)
        [(('a',), 3, 1), (('b',), 1, 0)]
    """
    import heapq

    gains = list(map(sub, one.values(), map(other.get, one, repeat(0))))
    # Most n-grams differ by 1 or not at all: those are left out first that can't be among the most different ones.
    least = max([1, *heapq.nlargest(limit, gains)[-1:]])
    more = [(-gain, -len(ngram), ngram) for gain, ngram in zip(gains, one) if gain >= least]
    return [(ngram, one[ngram], other[ngram]) for _, _, ngram in heapq.nsmallest(limit, more)]
