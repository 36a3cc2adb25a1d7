"""Word order: aligning the words of a hypothesis and a reference, and counting ordered pairs (Isozaki et al., 2010)."""

from __future__ import annotations

import sys
from bisect import bisect_left, insort

from ..runtime.errors import PurebleuError
from ..runtime.hints import Hashable, Sequence

#: The numbers of context words that are tried one by one. If a word needs more context words, binary search finds their
#: number.
_NARROW = range(1, 4)


def aligned_positions(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """Return the position in the reference of each word of the hypothesis that can be aligned.

    A word that occurs exactly once on each side is aligned. Any other word needs context: the shortest n-gram that
    begins or ends with the word, and that occurs exactly once on each side. If two such n-grams are equally short, the
    n-gram that ends with the word decides.

    Example:
        The bigram "a b" aligns the first "b". The bigram "b c" aligns the second "b" to the same word. The reference
        has no bigram around an "x" of the hypothesis, so neither "x" is aligned.

        >>> aligned_positions("a b b c x x".split(), "x a b c b x".split())
        [1, 2, 2, 3]
    """
    ids: dict[Hashable, int] = {}
    for word in (*hypothesis, *reference):
        ids.setdefault(word, len(ids))
    if len(ids) > sys.maxunicode:
        raise PurebleuError(f"a hypothesis and its reference have {len(ids):,} different words, but the limit is "
                            f"{sys.maxunicode:,}")
    # Each word becomes a character, because CPython searches strings in C.
    reference_text = "".join([chr(ids[word]) for word in reference])
    hypothesis_text = "".join([chr(ids[word]) for word in hypothesis])
    positions: list[int] = []
    for index, word in enumerate(hypothesis_text):
        position = reference_text.find(word)
        if position < 0:
            continue
        if (reference_text.find(word, position + 1) < 0
                and hypothesis_text.find(word) == index == hypothesis_text.rfind(word)):
            positions.append(position)
            continue
        before = _words_before(hypothesis_text, reference_text, index)
        from_end = len(hypothesis_text) - 1 - index
        after = _words_before(hypothesis_text[::-1], reference_text[::-1], from_end)
        if before and (not after or before <= after):
            positions.append(reference_text.find(hypothesis_text[index - before:index + 1]) + before)
        elif after:
            positions.append(reference_text.find(hypothesis_text[index:index + after + 1]))
    return positions


def _words_before(hypothesis: str, reference: str, index: int) -> int:
    """Find the shortest n-gram of two words or more that ends at `index`, and occurs exactly once on each side.

    Returns the number of words of the n-gram before `index`. If there is no such n-gram, returns 0.
    """
    for count in _NARROW:
        if count > index:
            return 0
        occurrences = _occurrences(hypothesis[index - count:index + 1], hypothesis, reference)
        if occurrences <= 1:
            return count * occurrences
    low, high = _NARROW[-1], index
    while low < high:  # (Binary search works, because a longer n-gram is never more frequent.)
        middle = (low + high + 1) // 2
        if _occurrences(hypothesis[index - middle:index + 1], hypothesis, reference) > 1:
            low = middle
        else:
            high = middle - 1
    if low == index:
        return 0
    return (low + 1) * _occurrences(hypothesis[index - low - 1:index + 1], hypothesis, reference)


def _occurrences(ngram: str, hypothesis: str, reference: str) -> int:
    """Return 0 if the reference lacks the n-gram, 1 if both sides have the n-gram exactly once, and 2 otherwise."""
    position = reference.find(ngram)
    if position < 0:
        return 0
    if reference.find(ngram, position + 1) >= 0 or hypothesis.find(ngram) != hypothesis.rfind(ngram):
        return 2
    return 1


def ascending_pairs(numbers: Sequence[float]) -> int:
    """Count the pairs of numbers in which the later number is higher.

    Example:
        >>> ascending_pairs([2, 1, 3, 3])
        4
    """
    ordered: list[float] = []
    pairs = 0
    for number in numbers:
        pairs += bisect_left(ordered, number)
        insort(ordered, number)
    return pairs
