"""Segmenting a stream of words so that its word error rate against the segments of references is lowest.

AS-WER (Matusov et al., 2005): the words of a hypothesis are one stream, and the words of the references another one.
Both are aligned with the fewest insertions, deletions and substitutions. The words that are aligned to a segment become
its line. If a segment has several references, the one with the lowest cost is taken, for each position where it may
end.

Of alignments with the same cost, this finds mweralign's. It goes back from the end. A deletion (of a word of the
reference) comes first, then an insertion (of a word of the hypothesis), then a diagonal step, even between equal words.
As in mweralign, the end of a segment costs a word in row 0, too. So segments at the start are less often left empty.

**Columns as integers.** A column of the matrix belongs to a word of a reference, and a row to a word of the hypothesis.
From row to row, costs differ by -1, 0 or 1. So two integers describe a column: one has a bit for each row that is
higher than the row above, the other one for each that is lower. A few operations compute the next column (Myers, 1999;
Hyyrö, 2003). Row 0 breaks this rule, because the ends of segments cost something there. So the costs of rows 0 and 1
are kept as numbers, and bit 0 of the integers is for the difference between rows 1 and 2.

**Memory.** Only the columns at the ends of some segments are kept: of about the square root of their number, at equal
distances. On the way back, the columns between them are computed again.
"""

from __future__ import annotations

from itertools import accumulate
from math import isqrt
from operator import sub

from ...hints import Hashable, Iterator, Sequence, Tokens

#: The bits of a word are kept if it occurs this often or more.
_FREQUENT = 32

#: A byte for each difference of two rows (-1 is an index from the end); and a table that keeps only falls, as 1.
_CHANGES = b"01-"
_FALLS = bytes.maketrans(b"1-", b"01")


class _Column:
    """A column of the matrix of costs.

    Attributes:
        rising: a bit for each row from 2 on, which is set if the row costs more than the row above.
        falling: the same, but set if the row costs less.
        zeroth: the cost of row 0, before all words of the hypothesis.
        first: the cost of row 1.
    """

    __slots__ = ("falling", "first", "rising", "zeroth")

    def __init__(self, rising: int, falling: int, zeroth: int, first: int) -> None:
        self.rising = rising
        self.falling = falling
        self.zeroth = zeroth
        self.first = first

    def cost(self, row: int) -> int:
        """Return the cost of a row, from 1 on."""
        below = (1 << row - 1) - 1
        return self.first + bin(self.rising & below).count("1") - bin(self.falling & below).count("1")

    def upper_rows(self, rows: int) -> _Column:
        """Return the column for only the first `rows` words of the hypothesis."""
        below = (1 << max(0, rows - 1)) - 1
        return _Column(self.rising & below, self.falling & below, self.zeroth, self.first)

    def costs(self, rows: int) -> Iterator[int]:
        """Return the costs of the rows 1 to `rows`."""
        higher, lower = [f"{bits:0{rows}b}"[:0:-1].encode() for bits in (self.rising, self.falling)]
        return accumulate(map(sub, higher, lower), initial=self.first)


class _Stream:
    """The words of a hypothesis that the way back has not passed yet, and the positions of each word."""

    def __init__(self, words: Tokens) -> None:
        self.rows = len(words)
        self._first = words[0]
        self._below = (1 << self.rows - 1) - 1
        positions: dict[Hashable, list[int]] = {}
        for position, word in enumerate(words[1:]):
            positions.setdefault(word, []).append(position)
        self._positions = positions
        self._frequent_bits = {word: _bits_at(word_positions, self.rows) for word, word_positions in positions.items()
                               if len(word_positions) >= _FREQUENT}

    def _rows_of(self, word: Hashable) -> int:
        """Return a bit for each row from the second on that belongs to this word."""
        rows = self._frequent_bits.get(word)
        if rows is None:  # (If all were kept, memory would grow with the square of the length of a text.)
            rows = _bits_at(self._positions.get(word, ()), self.rows)
        return rows & self._below

    def cut(self, rows: int) -> None:
        """Leave out all words but the first `rows`."""
        self.rows = rows
        self._below = (1 << max(0, rows - 1)) - 1

    def after(self, column: _Column, words: Tokens, steps: list[tuple[int, int]] | None = None) -> _Column:
        """Return the column after some words of a reference.

        The steps into each column are appended to `steps`, as two bit masks: the rows that are higher than in the
        column before, and the rows that are higher than the row above.
        """
        below, first_word = self._below, self._first
        rising, falling, zeroth, first = column.rising, column.falling, column.zeroth, column.first
        for word in words:
            equal = self._rows_of(word)
            before = first
            first = min(first + 1, zeroth + 2, zeroth + (word != first_word))
            zeroth += 1
            change = first - before  # the change of row 1, which is shifted into the bits of the rows below
            lower_or_equal = equal | falling
            if change < 0:
                equal |= 1 & below  # (Hyyrö: if the cost falls above, the diagonal step into row 2 is free.)
            diagonal = (((equal & rising) + rising) ^ rising) | equal
            higher = falling | (below ^ ((diagonal | rising) & below))
            lower = rising & diagonal
            risen = higher  # (against the column before; `steps` needs it unshifted)
            higher = (higher << 1 | (change > 0)) & below
            lower = (lower << 1 | (change < 0)) & below
            rising = lower | (below ^ ((lower_or_equal | higher) & below))
            falling = higher & lower_or_equal
            if steps is not None:
                steps.append((risen << 1 | (change > 0), rising << 1 | (first > zeroth)))
        return _Column(rising, falling, zeroth, first)

    def after_segment(self, column: _Column, references: Sequence[Tokens]) -> _Column:
        """Return the column after the end of a segment. In each row, the reference with the lowest cost counts."""
        zeroth = column.zeroth + max(map(len, references)) + 1
        ends = [self.after(column, words) for words in references]
        if len(ends) == 1:
            return _Column(ends[0].rising, ends[0].falling, zeroth, ends[0].first)
        costs = list(map(min, *[end.costs(self.rows) for end in ends]))
        changes = bytes([*map(_CHANGES.__getitem__, map(sub, costs[1:], costs))])[::-1]
        return _Column(int(b"0" + changes.replace(b"-", b"0"), 2), int(b"0" + changes.translate(_FALLS), 2), zeroth,
                       costs[0])

    def segment_start(self, column: _Column, references: Sequence[Tokens]) -> int:
        """Return the row at which the segment begins that ends at the last row; `column` is the column before it."""
        candidates: list[tuple[int, list[tuple[int, int]]]] = []
        for words in references:
            steps: list[tuple[int, int]] = []
            candidates.append((self.after(column, words, steps).cost(self.rows), steps))
        _, best = min(candidates, key=lambda way: way[0])
        row, index = self.rows, len(best)
        while row and index:
            bit = 1 << row - 1
            deletion, insertion = best[index - 1]
            if deletion & bit:
                index -= 1
            elif insertion & bit:
                row -= 1
            else:
                index -= 1
                row -= 1
        return row


def segment_ends(hypothesis: Tokens, segments: Sequence[Sequence[Tokens]]) -> list[int]:
    """Return the end of each segment in the words of a hypothesis.

    Args:
        hypothesis: the words of all lines.
        segments: for each segment, the words of one reference or more.

    Returns:
        For each segment, the number of words of the hypothesis up to its end.

    Example:
        >>> segment_ends("a b c d e".split(), [["a x".split()], ["c d".split()]])
        [2, 5]
    """
    if not hypothesis:
        return [0] * len(segments)
    stream = _Stream(hypothesis)
    column = _Column((1 << len(hypothesis) - 1) - 1, 0, 0, 1)
    spacing = isqrt(len(segments)) + 1
    checkpoints: list[_Column] = []
    for number, references in enumerate(segments):
        if number % spacing == 0:
            checkpoints.append(column)
        column = stream.after_segment(column, references)
    ends: list[int] = []  # from the last segment on, backwards
    row = len(hypothesis)
    for group in reversed(range(len(checkpoints))):
        part = segments[group * spacing:(group + 1) * spacing]
        starts = [checkpoints[group].upper_rows(row)]
        for references in part[:-1]:
            starts.append(stream.after_segment(starts[-1], references))
        for start, references in zip(reversed(starts), reversed(part)):
            ends.append(row)
            if row:
                row = stream.segment_start(start.upper_rows(row), references)
                stream.cut(row)
    return ends[::-1]


def _bits_at(positions: Sequence[int], size: int) -> int:
    """Return an integer with a bit for each position below `size`. Positions are in ascending order."""
    bits = bytearray(size // 8 + 1)
    for position in positions:
        if position >= size:
            break
        bits[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(bits, "little")
