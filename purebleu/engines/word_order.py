"""Word order compared with a reference: word alignment by context, and rank correlation (Isozaki et al., 2010)."""

from __future__ import annotations

import sys
from bisect import bisect_left, insort

from ..errors import PurebleuError
from ..hints import Hashable, Sequence

#: These numbers of context words are tried one by one. Larger numbers are found by binary search.
_NARROW = range(1, 4)


def aligned_positions(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """Return the position in the reference of each word of the hypothesis that can be aligned.

    A word is aligned if it occurs exactly once on both sides. Other words need context: an n-gram that begins or ends
    with the word, and occurs exactly once on both sides. The shortest n-gram is taken; of two, the one that ends with
    the word.

    Example:
        Both "b" are aligned to the same word: the first one by "a b", the second one by "b c". Nothing distinguishes
        the two "x".

        >>> aligned_positions("a b b c x x".split(), "x a b c b x".split())
        [1, 2, 2, 3]
    """
    ids: dict[Hashable, int] = {}
    for word in (*hypothesis, *reference):
        ids.setdefault(word, len(ids))
    if len(ids) > sys.maxunicode:
        raise PurebleuError(f"a segment has {len(ids):,} different words: at most {sys.maxunicode:,} can be aligned")
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
    """Return how many words before the word at `index` make it unique on both sides; 0 if no number of words does."""
    for count in _NARROW:
        if count > index:
            return 0
        occurrences = _occurrences(hypothesis[index - count:index + 1], hypothesis, reference)
        if occurrences <= 1:
            return count * occurrences
    low, high = _NARROW[-1], index
    while low < high:  # (Binary search works, because a longer n-gram never occurs more often.)
        middle = (low + high + 1) // 2
        if _occurrences(hypothesis[index - middle:index + 1], hypothesis, reference) > 1:
            low = middle
        else:
            high = middle - 1
    count = low + 1
    return count * (count <= index and _occurrences(hypothesis[index - count:index + 1], hypothesis, reference))


def _occurrences(ngram: str, hypothesis: str, reference: str) -> int:
    """Return 0 if an n-gram of the hypothesis is not in the reference, 1 if it is once on both sides, and else 2."""
    position = reference.find(ngram)
    if position < 0:
        return 0
    if reference.find(ngram, position + 1) >= 0 or hypothesis.find(ngram) != hypothesis.rfind(ngram):
        return 2
    return 1


def ascending_pairs(numbers: Sequence[float]) -> int:
    """Return the number of pairs of which the second number is higher.

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
