"""Properties of characters that are the same on every Python: reads the generated tables of `tables` and `letters`.

A property is a sorted tuple of boundaries. A code point has it if an odd number of boundaries are not above it. A table
has the first boundary, and then the steps from each boundary to the next, in base 36.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate


@lru_cache(maxsize=None)
def boundaries_of(table: str) -> tuple[int, ...]:
    """The boundaries of a table, which is decoded when it is first asked for.

    >>> boundaries_of("a 10 1")
    (10, 46, 47)
    """
    return tuple(accumulate(code_points(table)))


def code_points(words: str) -> list[int]:
    """Numbers in base 36.

    >>> code_points("2p 2q")
    [97, 98]
    """
    return [int(word, 36) for word in words.split()]


def has_property(table: str, character: str) -> bool:
    """Whether a character has the property of a table.

    >>> from purebleu.unicode.tables import NUMBERS
    >>> has_property(NUMBERS, "7"), has_property(NUMBERS, "x")
    (True, False)
    """
    return bisect_right(boundaries_of(table), ord(character)) % 2 == 1
