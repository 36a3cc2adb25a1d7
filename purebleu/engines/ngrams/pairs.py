"""Clipped n-gram counts of all pairs: one hypothesis is compared with hundreds of references at once.

**The idea.** Each n-gram of the references has an integer with a *field*, a group of bits, for each reference (see
`bits`). The field is 1 if the reference has the n-gram, else 0. For a hypothesis, the integers of its n-grams are added
up. In the sum, each field is the number of matches with that reference.

**Clipping.** The second occurrence of an n-gram in a segment counts as a different n-gram. So this occurrence matches
only if the n-gram occurs twice on the other side, too. Further occurrences are treated in the same way.

Fields are wide enough for the matches of the longest hypothesis. References are divided into blocks, so that the
integers do not take too much memory.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from operator import add

from ...runtime.hints import Iterable, Iterator, Sequence, Tokens
from ..bits import field_numbers
from .counting import count_matches

#: A block has about this number of bytes at most. (A single reference may need more bytes.)
_MAX_BYTES_OF_BLOCK = 1 << 27

#: An n-gram takes about this number of bytes, apart from its integer.
_BYTES_OF_NGRAM = 64

#: The largest number of different symbols. (Each symbol is represented by a character.)
_MAX_SYMBOLS = sys.maxunicode + 1

#: If the n-grams of a segment may have more than about half this number of characters, `count_matches` counts all
#: pairs.
_MAX_CHARACTERS = 1 << 20


def matches_of_pairs(hypotheses: Sequence[Tokens], references: Sequence[Tokens],
                     max_order: int) -> Iterator[tuple[slice, Iterable[list[Sequence[int]]]]]:
    """Yield the clipped counts (see `count_matches`) of each hypothesis against each single reference.

    Args:
        hypotheses: one sequence of symbols or more.
        references: one sequence of symbols or more.
        max_order: the highest order; 0: no n-grams are counted.

    Returns:
        For each block of references, its slice and its matches. `matches[hypothesis][order - 1]` has the number of
        matches with each reference of the block.

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
    """An index of the n-grams of the first `count` references. `_MAX_BYTES_OF_BLOCK` limits `count`."""

    def __init__(self, references: Sequence[str], max_order: int, code: str) -> None:
        self._code = code
        width = array(code).itemsize
        self._ngrams: dict[str, list[list[str]]] = {}  # by reference (some hypotheses equal a reference)
        # For each order, the n-grams, each with the offsets of the fields that are 1.
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
        self._tables: list[dict[str, int]] = []
        for having in positions:
            self._tables.append({ngram: _integer_with(ones, self._size) for ngram, ones in having.items()})

    def matches(self, hypothesis: str) -> list[Sequence[int]]:
        """Return, for each order, the matches of a hypothesis with each reference."""
        by_order = self._ngrams.get(hypothesis) or _ngrams_by_order(hypothesis, len(self._tables))
        # (`filter` removes `None`, which `get` returns if no reference has an n-gram. No integer in a table is 0.)
        sums = [sum(filter(None, map(table.get, ngrams))) for table, ngrams in zip(self._tables, by_order)]
        return [field_numbers(integer, self._size, self._code) for integer in sums]


def _as_strings(segments: Sequence[Tokens]) -> list[str] | None:
    """Return segments as strings, with a character for each symbol. Return `None` if there are too many symbols."""
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
    r"""Return the n-grams of each order. The repetitions of an n-gram are numbered, so that all n-grams differ.

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
    """Return an integer of `size` bytes. The bytes at the offsets `ones` are 1, and all other bytes are 0."""
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
