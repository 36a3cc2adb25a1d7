"""Alignments of minimal edit distance (Levenshtein, 1966): which one of many, and its counts for many pairs at once.

The edit distance is unique, but several alignments have it, with different numbers of hits and substitutions. This is
the alignment of rapidfuzz, whose steps jiwer counts. It is found in three steps:

1. Where both sides begin or end with equal symbols, these are hits.
2. The rest is traced back through the matrix of edit distances, from its end. Of steps that are as good, a deletion
   comes first; then an insertion, if a diagonal step would be a hit; then the diagonal step; then any insertion.
3. A matrix that would take too much memory is split first (Hirschberg, 1975): the hypothesis in the middle, the
   reference where the distances of both halves have the lowest sum, at the first such place.

**Many pairs.** The matrices are computed by `levenshtein.last_rows`, as fields of large integers, and so is the way
back: the current column of each pair is one bit in its field. With the order of columns reversed, a run of deletions
(columns that are each higher than the one before) is the carry of an addition.
"""

from __future__ import annotations

from collections import deque
from itertools import accumulate, groupby

from ..bitfields import field_popcounts
from .levenshtein import batches_by_width, field_maker, field_width, last_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Iterator, Sequence, Tuple

    from .levenshtein import Field, History

    Symbols = Sequence[Hashable]

    #: Hits, substitutions, deletions (symbols that only the reference has) and insertions.
    Counts = Tuple[int, int, int, int]

    #: A run of equal steps: what they are; where it begins and ends in the reference, and in the hypothesis.
    Operation = Tuple[str, int, int, int, int]

    #: The begin and end of a part of a pair in the reference, and in the hypothesis.
    Part = Tuple[int, int, int, int]

    #: A part to be counted: the width of its field, its numbers of rows and columns, the field, and the index of its
    #: pair.
    Task = Tuple[int, int, int, Field, int]

HIT, SUBSTITUTION, DELETION, INSERTION = "hit", "substitution", "deletion", "insertion"

#: A matrix of this number of bytes, in rapidfuzz's count, is split, unless it has fewer columns or rows than these.
_SPLIT_BYTES = 1 << 20
_MIN_SPLIT_COLUMNS = 65
_MIN_SPLIT_ROWS = 10

#: Matrices wait until they have more bytes than this: enough for fields that fill large integers.
_MAX_WAITING_BYTES = 1 << 22

#: Each byte with its bits in reverse order.
_REVERSED_BITS = bytes([int(f"{byte:08b}"[::-1], 2) for byte in range(256)])


def count_operations(pairs: Sequence[tuple[Symbols, Symbols]]) -> list[Counts]:
    """The numbers of hits, substitutions, deletions and insertions in the alignment of each pair.

    Args:
        pairs: a hypothesis and a reference each, as sequences of words, or as strings of characters.

    Example:
        >>> count_operations([("b a".split(), "a b".split()), ("kitten", "sitting")])
        [(1, 0, 1, 1), (4, 2, 1, 0)]
    """
    hits, diagonal = [0] * len(pairs), [0] * len(pairs)
    waiting: list[Task] = []
    waiting_bytes = 0
    for index, (hypothesis, reference) in enumerate(pairs):
        equal_at_ends = len(reference)
        for part in _parts(hypothesis, reference):
            first, end, first_row, end_row = part
            equal_at_ends -= end - first
            if first < end and first_row < end_row:
                field = _field(hypothesis, reference, part)
                waiting.append((field_width(end - first), end_row - first_row, end - first, field, index))
                waiting_bytes += len(field[0])
        hits[index] += equal_at_ends
        diagonal[index] += equal_at_ends
        if waiting_bytes > _MAX_WAITING_BYTES or index == len(pairs) - 1:
            for width, batch in batches_by_width(waiting):
                for (*_, pair), hits_of_task, diagonal_of_task in zip(batch, *_hits_and_diagonal_steps(batch, width)):
                    hits[pair] += hits_of_task
                    diagonal[pair] += diagonal_of_task
            waiting, waiting_bytes = [], 0
    return [(of_pair, steps - of_pair, len(reference) - steps, len(hypothesis) - steps)
            for (hypothesis, reference), of_pair, steps in zip(pairs, hits, diagonal)]


def align(hypothesis: Symbols, reference: Symbols) -> list[Operation]:
    """The alignment of a pair, whose steps `count_operations` counts.

    Args:
        hypothesis: a sequence of words, or a string of characters.
        reference: likewise.

    Returns:
        Runs of steps in order: `HIT`, `SUBSTITUTION`, `DELETION` or `INSERTION`; where the run begins and ends in the
        reference; and where in the hypothesis.

    Example:
        >>> align("b a".split(), "a b".split())
        [('insertion', 0, 0, 0, 1), ('hit', 0, 1, 1, 2), ('deletion', 1, 2, 2, 2)]
    """
    steps: list[str] = []
    done = 0
    for part in _parts(hypothesis, reference):
        first, end, _, _ = part
        steps += [HIT] * (first - done)
        steps += _steps(hypothesis, reference, part)
        done = end
    steps += [HIT] * (len(reference) - done)
    return list(_runs(steps))


def _runs(steps: Sequence[str]) -> Iterator[Operation]:
    """The steps, those of a kind that follow each other together."""
    column = row = 0
    for kind, run in groupby(steps):
        length = len(list(run))
        first, first_row = column, row
        column += length * (kind != INSERTION)
        row += length * (kind != DELETION)
        yield kind, first, column, first_row, row


# Steps 1 and 3: what is equal at both ends, and what is split

def _parts(hypothesis: Symbols, reference: Symbols) -> Iterator[Part]:
    """The parts of a pair that have matrices of their own, in order; all that is between them are hits."""
    if hypothesis == reference:
        return
    waiting = [(0, len(reference), 0, len(hypothesis), len(reference) + len(hypothesis))]
    while waiting:
        first, end, first_row, end_row, distance = waiting.pop()
        while first < end and first_row < end_row and reference[first] == hypothesis[first_row]:
            first += 1
            first_row += 1
        while first < end and first_row < end_row and reference[end - 1] == hypothesis[end_row - 1]:
            end -= 1
            end_row -= 1
        part = first, end, first_row, end_row
        if _is_large(end - first, end_row - first_row, distance):
            column, left, right = _split_of_part(hypothesis, reference, part)
            row = (first_row + end_row) // 2
            waiting += [(column, end, row, end_row, right), (first, column, first_row, row, left)]
        elif first < end or first_row < end_row:
            yield part


def _is_large(columns: int, rows: int, distance: int) -> bool:
    """Whether a matrix is split; `distance` is an upper bound of the edit distance."""
    # As many columns as can be within this distance of the diagonal, two bits each.
    columns_within = min(columns, 2 * min(distance, max(columns, rows)) + 1)
    return (2 * columns_within * rows // 8 >= _SPLIT_BYTES and columns >= _MIN_SPLIT_COLUMNS
            and rows >= _MIN_SPLIT_ROWS)


def _split_of_part(hypothesis: Symbols, reference: Symbols, part: Part) -> tuple[int, int, int]:
    """The index at which the reference is split, and the edit distances of both halves."""
    first, end, first_row, end_row = part
    row = (first_row + end_row) // 2
    left = _last_row(hypothesis[first_row:row], reference[first:end])
    right = _last_row(hypothesis[row:end_row][::-1], reference[first:end][::-1])[::-1]
    sums = [one + other for one, other in zip(left, right)]
    column = sums.index(min(sums))
    return first + column, left[column], right[column]


def _last_row(hypothesis: Symbols, reference: Symbols) -> list[int]:
    """The last row of the matrix of edit distances, from column 0 on."""
    width = field_width(len(reference))
    last: History = deque(maxlen=1)
    last_rows([_field(hypothesis, reference, (0, len(reference), 0, len(hypothesis)))], width, last)
    _, rising, falling = last[0]
    changes = [(higher > "0") - (lower > "0") for higher, lower in zip(_bits(rising), _bits(falling))]
    return list(accumulate([len(hypothesis), *changes[:len(reference)]]))


def _bits(columns: bytes) -> str:
    """The bits of a field as digits, the first column first."""
    return f"{int.from_bytes(columns, 'little'):0{8 * len(columns)}b}"[::-1]


# Step 2: the matrix, and the way back

def _field(hypothesis: Symbols, reference: Symbols, part: Part) -> Field:
    """The matrix of a part. It has one row more than words, so that the history covers the last of them, too."""
    first, end, first_row, end_row = part
    make_field = field_maker(reference[first:end], field_width(end - first))
    equal, rising, falling, every_column = make_field(hypothesis[first_row:end_row])
    return equal + bytes(len(every_column)), rising, falling, every_column


def _steps(hypothesis: Symbols, reference: Symbols, part: Part) -> list[str]:
    """The steps from the beginning of a part's matrix to its end."""
    first, end, first_row, end_row = part
    history: History = []
    last_rows([_field(hypothesis, reference, part)], field_width(end - first), history)
    column, row = end - first, end_row - first_row
    steps: list[str] = []
    while row and column:
        byte, bit = column - 1 >> 3, 1 << (column - 1 & 7)
        _, rising, _ = history[row]
        free, _, falling = history[row - 1]
        if rising[byte] & bit:
            steps.append(DELETION)
        elif falling[byte] & bit:
            steps.append(INSERTION)
        else:
            # (A free diagonal step between different words would be no better than one of the two before.)
            steps.append(HIT if free[byte] & bit else SUBSTITUTION)
        column -= steps[-1] != INSERTION
        row -= steps[-1] != DELETION
    return [DELETION] * column + [INSERTION] * row + steps[::-1]


def _hits_and_diagonal_steps(tasks: Sequence[Task], width: int) -> tuple[list[int], list[int]]:
    """For each task, the number of hits, and of all diagonal steps; see `_steps` for the choice of steps.

    Args:
        tasks: those with the most rows first.
        width: that of each field, in bytes.
    """
    history: History = []
    last_rows([field for _, _, _, field, _ in tasks], width, history)
    bits = 8 * width
    # In reverse order, column n of a field is n bits below the next field, whose lowest bit is spare: column 0 is that.
    starts = [(1 << bits - columns).to_bytes(width, "big") for _, _, columns, _, _ in tasks]
    at = int.from_bytes(b"".join(starts), "big")
    edge = int.from_bytes((bytes(width - 1) + b"\1") * len(tasks), "big") << bits
    diagonal = 0
    _, last_rising, last_falling = history[-1]
    rising = int.from_bytes(last_rising.translate(_REVERSED_BITS), "big")
    # Rows before a field's first one do not matter: in row 0 all columns rise, and the way back ends at its edge.
    for _, rising_bytes, falling_bytes in history[-2::-1]:
        passed = at + rising
        at = passed & rising ^ passed
        staying = at & (int.from_bytes(falling_bytes.translate(_REVERSED_BITS), "big") | edge)
        moving = at ^ staying
        diagonal |= moving
        at = staying | moving << 1
        rising = int.from_bytes(rising_bytes.translate(_REVERSED_BITS), "big")
    diagonal_steps = list(field_popcounts(diagonal, len(tasks), width))[::-1]
    rises, falls = [field_popcounts(int.from_bytes(columns, "little"), len(tasks), width)
                    for columns in (last_rising, last_falling)]
    # The distance is that of column 0 plus the rise from there. It is below the number of all symbols by 1 for each
    # diagonal step, and by 1 more for each hit.
    return [columns + rows - steps - (rows + rise - fall)
            for (_, rows, columns, _, _), steps, rise, fall in zip(tasks, diagonal_steps, rises, falls)], diagonal_steps
