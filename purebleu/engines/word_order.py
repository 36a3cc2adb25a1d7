"""Whether words come in the order of a reference: alignment by context, and rank correlation (Isozaki et al., 2010)."""

from __future__ import annotations

import sys
from bisect import bisect_left, insort

from ..errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

#: The numbers of words of context that are tried one by one, before the rest is searched by halves.
_NARROW = range(1, 4)


def aligned_positions(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """The position in the reference of each word of the hypothesis that can be told to belong to one.

    A word can be told where it occurs once on both sides; else, where an n-gram does that it ends, or begins: the
    shortest of these counts, and of two that are as long, the one that it ends.

    Example:
        The first "b" is the one behind "a", and so is the other one, before "c"; nothing tells the two "x" apart.

        >>> aligned_positions("a b b c x x".split(), "x a b c b x".split())
        [1, 2, 2, 3]
    """
    ids: dict[Hashable, int] = {}
    for word in (*hypothesis, *reference):
        ids.setdefault(word, len(ids))
    if len(ids) > sys.maxunicode:
        raise PurebleuError(f"a segment has {len(ids):,} different words: at most {sys.maxunicode:,} can be aligned")
    # Words as characters, because strings are searched at the speed of C.
    text, in_text = ["".join([chr(ids[word]) for word in words]) for words in (reference, hypothesis)]
    positions: list[int] = []
    for index, word in enumerate(in_text):
        position = text.find(word)
        if position < 0:
            continue
        if text.find(word, position + 1) < 0 and in_text.find(word) == index == in_text.rfind(word):
            positions.append(position)
            continue
        by_left, by_right = _words_before(in_text, text, index), _words_after(in_text, text, index)
        if by_left and (not by_right or by_left <= by_right):
            positions.append(text.find(in_text[index - by_left:index + 1]) + by_left)
        elif by_right:
            positions.append(text.find(in_text[index:index + by_right + 1]))
    return positions


def _words_before(hypothesis: str, reference: str, index: int) -> int:
    """The fewest words before the word at `index` with which it occurs once on both sides; 0 where there are none."""
    for count in _NARROW:
        if count > index:
            return 0
        occurs = _occurs(hypothesis[index - count:index + 1], hypothesis, reference)
        if occurs <= 1:
            return count * occurs
    low, high = _NARROW[-1], index
    while low < high:  # occurrences get fewer as n-grams get longer
        middle = (low + high + 1) // 2
        if _occurs(hypothesis[index - middle:index + 1], hypothesis, reference) > 1:
            low = middle
        else:
            high = middle - 1
    count = low + 1
    return count * (count <= index and _occurs(hypothesis[index - count:index + 1], hypothesis, reference))


def _words_after(hypothesis: str, reference: str, index: int) -> int:
    """`_words_before`, for the words after it."""
    return _words_before(hypothesis[::-1], reference[::-1], len(hypothesis) - 1 - index)


def _occurs(ngram: str, hypothesis: str, reference: str) -> int:
    """Whether an n-gram of the hypothesis occurs once on both sides: 1; 0 where the reference lacks it; else 2."""
    position = reference.find(ngram)
    if position < 0:
        return 0
    if reference.find(ngram, position + 1) >= 0 or hypothesis.find(ngram) != hypothesis.rfind(ngram):
        return 2
    return 1


def ascending_pairs(numbers: Sequence[float]) -> int:
    """The number of pairs of which the second number is higher.

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
