"""Clipped n-gram counts of all pairs: those of one hypothesis against hundreds of references at once.

**The idea.** For each n-gram there is an integer with a field for each reference (see `bits`), which is 1 if
the reference has that n-gram. Summed over the n-grams of a hypothesis, these integers give the number of matches with
each reference in its field. To clip the counts, the second occurrence of an n-gram in a segment is an n-gram of its
own, and so is the third: it matches if the reference has a second one, and a third.

Fields are wide enough for as many matches as the longest hypothesis can have. References come in blocks, so that the
integers take no more memory than a limit.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from operator import add

from .counting import count_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, List, Literal, Sequence, Tuple

    from .counting import Symbols

    #: For each order, the matches of a hypothesis with each reference of a block.
    MatchesByOrder = List[Sequence[int]]

    #: The references of a block, and the matches of each hypothesis with them.
    PairsOfBlock = Tuple[slice, Iterable[MatchesByOrder]]

#: Approximate limit of the bytes of a block, unless a single reference needs more; and those of an n-gram alone.
_MAX_BYTES_OF_BLOCK = 1 << 27
_BYTES_OF_NGRAM = 64

#: The number of characters that stand for other symbols.
_MAX_SYMBOLS = sys.maxunicode + 1

#: Limit of the characters of all n-grams of a segment (twice as many, in fact), and so of its length: beyond it, they
#: are counted order by order.
_MAX_CHARACTERS = 1 << 20


def matches_of_pairs(hypotheses: Sequence[Symbols], references: Sequence[Symbols],
                     max_order: int) -> Iterator[PairsOfBlock]:
    """Yield the clipped counts of the n-grams of each hypothesis against each reference alone, as `count_matches` has them.

    Args:
        hypotheses: one sequence of symbols or more.
        references: likewise.
        max_order: the highest order; 0: none.

    Returns:
        Blocks of references, as slices that follow one another; with each, for each hypothesis and each order from 1
        on, the number of matches with each reference of the block.

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


def _counted_plainly(hypotheses: Sequence[Symbols], references: Sequence[Symbols],
                     max_order: int) -> Iterator[MatchesByOrder]:
    for hypothesis in hypotheses:
        yield list(zip(*[count_matches(hypothesis, [reference], max_order) for reference in references]))


class _ReferenceBlock:
    """The first `count` references (one or more: as many as fit into memory), and an index of their n-grams."""

    def __init__(self, references: Sequence[str], max_order: int, code: Literal["B", "H", "I", "Q"]) -> None:
        self._code = code
        self._width = width = array(code).itemsize
        self._ngrams: dict[str, list[list[str]]] = {}  # of the references, for they may be hypotheses, too
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

    def matches(self, hypothesis: str) -> MatchesByOrder:
        """Return the matches of a hypothesis with each reference."""
        by_order = self._ngrams.get(hypothesis) or _ngrams_by_order(hypothesis, len(self._tables))
        # (No integer is 0, and `filter` costs less than a default for the n-grams that no reference has.)
        return [self._fields(sum(filter(None, map(table.get, ngrams))))
                for table, ngrams in zip(self._tables, by_order)]

    def _fields(self, integer: int) -> Sequence[int]:
        """Return the number in each field."""
        data = integer.to_bytes(self._size, "little")
        if self._width == 1:
            return data
        numbers = array(self._code, data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers


def _as_strings(segments: Sequence[Symbols]) -> list[str] | None:
    """Return the segments as strings with a character for each symbol; `None` if there are more symbols than characters."""
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
    r"""Return the n-grams of each order, all of them different: further occurrences have their numbers at their ends.

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
            by_order.append([*counts, *[ngram + chr(number) for ngram, count in counts.items() if count > 1
                                        for number in range(1, count)]])
    return by_order


def _integer_with(ones: Iterable[int], size: int) -> int:
    """Return the integer of `size` bytes in which these bytes, counted from the lowest, are 1, and the others 0."""
    fields = bytearray(size)
    for position in ones:
        fields[position] = 1
    return int.from_bytes(fields, "little")


def _code_of(largest: int) -> Literal["B", "H", "I", "Q"]:
    """Return the code of an array whose fields hold numbers up to the largest."""
    for code in ("B", "H", "I"):
        if largest < 1 << 8 * array(code).itemsize:
            return code
    return "Q"
