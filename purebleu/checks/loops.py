"""Outputs in which a decoder went round in circles."""

from __future__ import annotations

from collections import Counter

from .words import words_or_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    from .against import Against, Found

#: The orders of n-grams: of words, and of characters where there are no spaces between words (about as much text).
_WORD_ORDER, _CHARACTER_ORDER = 4, 8

#: Words of more characters than the first number are searched, too, for character n-grams of the second one's order.
_LONG_WORD, _ORDER_IN_WORD = 25, 4


def looping_lines(outputs: Sequence[str], against: Against, threshold: float) -> Found:
    """The outputs whose most frequent n-gram is far more frequent than any in their source and references.

    The n-grams are of four words; of eight characters in lines without spaces between words; and of four characters
    within words of more than 25. The value is the count of the n-gram, divided by the count of the most frequent n-gram
    in the source or a reference (at least 1).

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


def _highest_count(line: str, minimum: float) -> int:
    """The count of the most frequent n-gram of a line; a count below `minimum` may be returned as 0."""
    units, are_characters = words_or_characters(line)
    counts = [_highest_ngram_count(units, _CHARACTER_ORDER if are_characters else _WORD_ORDER, minimum)]
    if not are_characters:
        counts += [_highest_ngram_count(word, _ORDER_IN_WORD, minimum) for word in units
                   if len(word) > _LONG_WORD and any(map(str.isalpha, word))]
    return max(counts)


def _highest_ngram_count(units: Sequence[Hashable], order: int, minimum: float) -> int:
    """The count of the most frequent n-gram of this order; a count below `minimum` may be returned as 0."""
    # A far faster test comes first: no n-gram is more frequent than its first unit.
    if len(units) - len(set(units)) < minimum - 1 or max(Counter(units).values(), default=0) < minimum:
        return 0
    counts = Counter(zip(*[units[start:] for start in range(order)]))
    return max(counts.values(), default=0)
