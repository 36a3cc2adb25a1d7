"""Outputs in which a decoder went round in circles."""

from __future__ import annotations

from collections import Counter

from .words import words_or_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    from .against import Against, Found

#: The orders of n-grams: of words, and of characters where there are no spaces between words (about as much text).
_OF_WORDS, _OF_CHARACTERS = 4, 8

#: Words of more characters than this are looked at, too, for n-grams of characters of this order.
_LONG_WORD, _IN_WORD = 25, 4


def looping_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs whose most frequent n-gram comes far more often than any in their source and references.

    The n-grams are of four words; of eight characters in lines without spaces between words; and of four characters
    within words of more than 25. The value is the n-gram's count, divided by that of the most frequent one of the
    source or a reference, which is taken to be at least 1.

    >>> from purebleu.checks.against import Against
    >>> looping_lines(["no " * 12, "no " * 4], Against(["nein"] * 2), 4)
    [(0, 9.0)]
    """
    found: Found = []
    for index, output in enumerate(outputs):
        count = _highest_count(output, threshold)
        if count >= threshold:
            value = count / max([1, *[_highest_count(text, 1) for text in against.texts_of(index)]])
            if value >= threshold:
                found.append((index, value))
    return found


def _highest_count(line: str, least: float) -> int:
    """The count of the most frequent n-gram of a line; where that is below `least`, it may also be 0."""
    units, are_characters = words_or_characters(line)
    counts = [_count_of_ngrams(units, _OF_CHARACTERS if are_characters else _OF_WORDS, least)]
    if not are_characters:
        counts += [_count_of_ngrams(word, _IN_WORD, least) for word in units
                   if len(word) > _LONG_WORD and any(map(str.isalpha, word))]
    return max(counts)


def _count_of_ngrams(units: Sequence[Hashable], order: int, least: float) -> int:
    """The count of the most frequent n-gram, as `_highest_count` has it."""
    # Far faster to find out: no n-gram is more frequent than its first unit.
    if len(units) - len(set(units)) < least - 1 or max(Counter(units).values(), default=0) < least:
        return 0
    counts = Counter(zip(*[units[start:] for start in range(order)]))
    return max(counts.values(), default=0)
