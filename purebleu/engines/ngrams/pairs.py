"""Clipped n-gram counts of all pairs: one hypothesis is compared with hundreds of references at once.

**The idea.** Each n-gram has an integer with a field for each reference (see `bits`): the field is 1 if the reference
has the n-gram. The sum of these integers over the n-grams of a hypothesis has the number of matches with each reference
in its field. To clip counts, the second occurrence of an n-gram in a segment counts as a different n-gram: it matches
only if the reference has a second occurrence, too. The same goes for the third one, and so on.

Fields are wide enough for the matches of the longest hypothesis. References are divided into blocks, so that the
integers do not take too much memory.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from operator import add

from ...hints import Iterable, Iterator, Sequence, Tokens
from ..bits import field_numbers
from .counting import count_matches

#: The approximate limit of the bytes of a block (a single reference may need more), and the bytes of an n-gram itself.
_MAX_BYTES_OF_BLOCK = 1 << 27
_BYTES_OF_NGRAM = 64

#: The number of characters that can stand for other symbols.
_MAX_SYMBOLS = sys.maxunicode + 1

#: If all n-grams of a segment have more characters than about twice this number, the orders are counted one by one.
_MAX_CHARACTERS = 1 << 20


def matches_of_pairs(hypotheses: Sequence[Tokens], references: Sequence[Tokens],
                     max_order: int) -> Iterator[tuple[slice, Iterable[list[Sequence[int]]]]]:
    """Yield the clipped counts (see `count_matches`) of each hypothesis against each single reference.

    Args:
        hypotheses: one sequence of symbols or more.
        references: the same.
        max_order: the highest order; 0: none.

    Returns:
        Blocks of references, as slices that follow one another. Each comes with numbers of matches: for each
        hypothesis, and each order from 1 on, a number for each reference of the block.

    Example:
        >>> for block, by_hypothesis in matches_of_pairs(["abab", "b"], ["ab", "bab", "bb"], max_order=2):
        ...     block, [[list(counts) for counts in matches] for matches in by_hypothesis]
        (slice(0, 3, None), [[[2, 3, 2], [1, 2, 0]], [[1, 1, 1], [0, 0, 0]]])
    """
    longest = max(map(len, [*hypotheses, *references]))
    strings = _as_strings([*hypotheses, *references]) if longest * max_order ** 2 <= _MAX_CHARACTERS else None
    if strings is None:
        yield slice(0, len(references)), _counted_plainly(hypotheses, references, max_order)
        return
    hypothesis_strings, reference_strings = strings[:len(hypotheses)], strings[len(hypotheses):]
    code = _code_of(max(map(len, hypothesis_strings)))
    start = 0
    while start < len(references):
        block = _ReferenceBlock(reference_strings[start:], max_order, code)
        yield slice(start, start + block.count), map(block.matches, hypothesis_strings)
        start += block.count


def _counted_plainly(hypotheses: Sequence[Tokens], references: Sequence[Tokens],
                     max_order: int) -> Iterator[list[Sequence[int]]]:
    for hypothesis in hypotheses:
        yield list(zip(*[count_matches(hypothesis, [reference], max_order) for reference in references]))


class _ReferenceBlock:
    """The first `count` references (as many as fit into memory, but at least one), and an index of their n-grams."""

    def __init__(self, references: Sequence[str], max_order: int, code: str) -> None:
        self._code = code
        width = array(code).itemsize
        self._ngrams: dict[str, list[list[str]]] = {}  # of the references, which may be hypotheses, too
        positions: list[dict[str, list[int]]] = [{} for _ in range(max_order)]
        self.count = size = 0
        for reference in references:
            if self.count * width * sum(map(len, positions)) + size >= _MAX_BYTES_OF_BLOCK:
                break
            self._ngrams[reference] = by_order = _ngrams_by_order(reference, max_order)
            for having, ngrams in zip(positions, by_order):
                for ngram in ngrams:
                    having.setdefault(ngram, []).append(self.count * width)
            self.count += 1
            size += _BYTES_OF_NGRAM * sum(map(len, by_order))
        self._size = self.count * width
        self._tables = [{ngram: _integer_with(ones, self._size) for ngram, ones in having.items()}
                        for having in positions]

    def matches(self, hypothesis: str) -> list[Sequence[int]]:
        """Return, for each order, the matches of a hypothesis with each reference."""
        by_order = self._ngrams.get(hypothesis) or _ngrams_by_order(hypothesis, len(self._tables))
        # (No integer is 0, so `filter` removes only n-grams without one. It is faster than a default for `get`.)
        sums = [sum(filter(None, map(table.get, ngrams))) for table, ngrams in zip(self._tables, by_order)]
        return [field_numbers(integer, self._size, self._code) for integer in sums]


def _as_strings(segments: Sequence[Tokens]) -> list[str] | None:
    """Return segments as strings, with a character for each symbol; `None` if there are too many symbols."""
    if all(isinstance(segment, str) for segment in segments):
        return segments  # type: ignore[return-value]  # just checked
    characters: dict[object, str] = {}
    for segment in segments:
        for symbol in segment:
            if symbol not in characters:
                if len(characters) == _MAX_SYMBOLS:
                    return None
                characters[symbol] = chr(len(characters))
    return ["".join(map(characters.__getitem__, segment)) for segment in segments]


def _ngrams_by_order(string: str, max_order: int) -> list[list[str]]:
    r"""Return the n-grams of each order. Further occurrences end with their numbers, so that all n-grams differ.

    >>> _ngrams_by_order("abab", 2)
    [['a', 'b', 'a\x01', 'b\x01'], ['ab', 'ba', 'ab\x01']]
    """
    by_order: list[list[str]] = []
    ngrams = [""] * len(string)
    for order in range(max_order):
        ngrams = list(map(add, ngrams, string[order:]))
        if len(set(ngrams)) == len(ngrams):
            by_order.append(ngrams)
        else:
            counts = Counter(ngrams)
            repeated = [ngram + chr(number) for ngram, count in counts.items() for number in range(1, count)]
            by_order.append([*counts, *repeated])
    return by_order


def _integer_with(ones: Iterable[int], size: int) -> int:
    """Return an integer of `size` bytes in which these bytes (counted from the lowest) are 1, and all others 0."""
    fields = bytearray(size)
    for position in ones:
        fields[position] = 1
    return int.from_bytes(fields, "little")


def _code_of(largest: int) -> str:
    """Return the type code of an array whose items have room for the largest number."""
    for code in ("B", "H", "I"):
        if largest < 1 << 8 * array(code).itemsize:
            return code
    return "Q"
