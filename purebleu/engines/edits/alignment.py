"""Alignments of minimum edit distance (Levenshtein, 1966), and the counts of their steps for many pairs at once.

Several alignments of a pair may have the minimum edit distance, with different numbers of hits and substitutions. This
is the one that rapidfuzz finds and jiwer counts. Its tie rules:

1. Equal symbols at the beginning and at the end of both sides are hits.
2. The rest is traced back through the matrix of edit distances, from its end. Of equally good steps, a deletion comes
   first; then an insertion, if a diagonal step would be a hit; then the diagonal step; then any other insertion.
3. A matrix that would take too much memory is split before (Hirschberg, 1975): the hypothesis in the middle; the
   reference where the edit distances of both halves have the lowest sum, at the first of several such positions.

**Many pairs.** `myers.last_rows` computes the matrices as fields of large integers. The way back works on such
fields, too: the current column of each pair is one bit in its field. With the order of columns reversed, the carry of
an addition takes that bit through a whole run of deletions (columns that are each higher than the one before).
"""

from __future__ import annotations

from collections import deque
from itertools import accumulate, groupby

from ..bits import field_popcounts
from .myers import batches_by_width, field_maker, field_width, last_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Iterator, Sequence, Tuple

    from .myers import Field, History

    Symbols = Sequence[Hashable]

    #: Hits, substitutions, deletions (symbols that only the reference has) and insertions.
    Counts = Tuple[int, int, int, int]

    #: A run of equal steps: their kind; its begin and end in the reference, and in the hypothesis.
    Operation = Tuple[str, int, int, int, int]

    #: The begin and end of a part of a pair in the reference, and in the hypothesis.
    Part = Tuple[int, int, int, int]

    #: A part whose steps are to be counted: the width of its field, its numbers of rows and columns, the field, and the
    #: index of its pair.
    Task = Tuple[int, int, int, Field, int]

HIT, SUBSTITUTION, DELETION, INSERTION = "hit", "substitution", "deletion", "insertion"

#: The minimum size of a matrix that is split: bytes (as rapidfuzz counts them), columns, and rows.
_SPLIT_BYTES = 1 << 20
_MIN_SPLIT_COLUMNS = 65
_MIN_SPLIT_ROWS = 10

#: Matrices are collected up to this number of bytes, so that there are enough of each width to fill large integers.
_MAX_WAITING_BYTES = 1 << 22

#: Each byte with its bits in reverse order.
_REVERSED_BITS = bytes([int(f"{byte:08b}"[::-1], 2) for byte in range(256)])


def count_operations(pairs: Sequence[tuple[Symbols, Symbols]]) -> list[Counts]:
    """Return the numbers of hits, substitutions, deletions and insertions in the alignment of each pair.

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
        hits_outside = len(reference)
        for part in _parts(hypothesis, reference):
            first, end, first_row, end_row = part
            hits_outside -= end - first
            if first < end and first_row < end_row:
                field = _field(hypothesis, reference, part)
                waiting.append((field_width(end - first), end_row - first_row, end - first, field, index))
                waiting_bytes += len(field[0])
        hits[index] += hits_outside
        diagonal[index] += hits_outside
        if waiting_bytes > _MAX_WAITING_BYTES or index == len(pairs) - 1:
            for width, batch in batches_by_width(waiting):
                for (*_, pair), task_hits, task_diagonal in zip(batch, *_hits_and_diagonal_steps(batch, width)):
                    hits[pair] += task_hits
                    diagonal[pair] += task_diagonal
            waiting, waiting_bytes = [], 0
    return [(pair_hits, steps - pair_hits, len(reference) - steps, len(hypothesis) - steps)
            for (hypothesis, reference), pair_hits, steps in zip(pairs, hits, diagonal)]


def align(hypothesis: Symbols, reference: Symbols) -> list[Operation]:
    """Return the alignment of a pair, whose steps `count_operations` counts.

    Args:
        hypothesis: a sequence of words, or a string of characters.
        reference: likewise.

    Returns:
        Runs of equal steps, in order, each as its kind (`HIT`, `SUBSTITUTION`, `DELETION` or `INSERTION`), its begin
        and end in the reference, and its begin and end in the hypothesis.

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
    """Yield the steps grouped into runs of the same kind."""
    column = row = 0
    for kind, run in groupby(steps):
        length = len(list(run))
        first, first_row = column, row
        column += length * (kind != INSERTION)
        row += length * (kind != DELETION)
        yield kind, first, column, first_row, row


# Rules 1 and 3: equal ends, and splits

def _parts(hypothesis: Symbols, reference: Symbols) -> Iterator[Part]:
    """Yield the parts of a pair that have matrices of their own, in order; all symbols between them are hits."""
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
            column, left, right = _best_split(hypothesis, reference, part)
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


def _best_split(hypothesis: Symbols, reference: Symbols, part: Part) -> tuple[int, int, int]:
    """Return the index at which the reference is split, and the edit distances of both halves."""
    first, end, first_row, end_row = part
    row = (first_row + end_row) // 2
    left = _last_row(hypothesis[first_row:row], reference[first:end])
    right = _last_row(hypothesis[row:end_row][::-1], reference[first:end][::-1])[::-1]
    sums = [one + other for one, other in zip(left, right)]
    column = sums.index(min(sums))
    return first + column, left[column], right[column]


def _last_row(hypothesis: Symbols, reference: Symbols) -> list[int]:
    """Return the last row of the matrix of edit distances, from column 0 on."""
    width = field_width(len(reference))
    last: History = deque(maxlen=1)
    last_rows([_field(hypothesis, reference, (0, len(reference), 0, len(hypothesis)))], width, last)
    _, rising, falling = last[0]
    changes = [(higher > "0") - (lower > "0") for higher, lower in zip(_bits(rising), _bits(falling))]
    return list(accumulate([len(hypothesis), *changes[:len(reference)]]))


def _bits(columns: bytes) -> str:
    """Return the bits of a field as digits, the first column first."""
    return f"{int.from_bytes(columns, 'little'):0{8 * len(columns)}b}"[::-1]


# Rule 2: the matrix, and the way back

def _field(hypothesis: Symbols, reference: Symbols, part: Part) -> Field:
    """Return the matrix of a part. It has one row more than words, so that the history covers the last of them, too."""
    first, end, first_row, end_row = part
    make_field = field_maker(reference[first:end], field_width(end - first))
    equal, rising, falling, every_column = make_field(hypothesis[first_row:end_row])
    return equal + bytes(len(every_column)), rising, falling, every_column


def _steps(hypothesis: Symbols, reference: Symbols, part: Part) -> list[str]:
    """Return the steps from the beginning of a part's matrix to its end."""
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
            # (A free diagonal step between different symbols ties with one of the two steps above, which come first.)
            steps.append(HIT if free[byte] & bit else SUBSTITUTION)
        column -= steps[-1] != INSERTION
        row -= steps[-1] != DELETION
    return [DELETION] * column + [INSERTION] * row + steps[::-1]


def _hits_and_diagonal_steps(tasks: Sequence[Task], width: int) -> tuple[list[int], list[int]]:
    """For each task, the number of hits, and of all diagonal steps; `_steps` is the plain form.

    Args:
        tasks: the tasks, in descending order of their numbers of rows.
        width: the width of each field, in bytes.
    """
    history: History = []
    last_rows([field for _, _, _, field, _ in tasks], width, history)
    bits = 8 * width
    # The bits are reversed, so that column n of a field is n bits below the next field. Column 0 is the lowest bit of
    # that next field, which is spare there.
    starts = [(1 << bits - columns).to_bytes(width, "big") for _, _, columns, _, _ in tasks]
    current = int.from_bytes(b"".join(starts), "big")
    edge = int.from_bytes((bytes(width - 1) + b"\1") * len(tasks), "big") << bits
    diagonal = 0
    _, last_rising, last_falling = history[-1]
    rising = int.from_bytes(last_rising.translate(_REVERSED_BITS), "big")
    # Rows before a field's first one do not matter: in row 0 all columns rise, and the way back ends at its edge.
    for _, rising_bytes, falling_bytes in history[-2::-1]:
        # Deletions: the carry moves each bit past the run of rising columns that begins at it; the rising columns of
        # other runs are in the sum as well, and are removed.
        passed = current + rising
        current = passed & rising ^ passed
        # Insertions keep the column: they come if the row before falls or column 0 is reached. All other steps move
        # diagonally.
        staying = current & (int.from_bytes(falling_bytes.translate(_REVERSED_BITS), "big") | edge)
        moving = current ^ staying
        diagonal |= moving
        current = staying | moving << 1
        rising = int.from_bytes(rising_bytes.translate(_REVERSED_BITS), "big")
    diagonal_steps = list(field_popcounts(diagonal, len(tasks), width))[::-1]
    rises, falls = [field_popcounts(int.from_bytes(columns, "little"), len(tasks), width)
                    for columns in (last_rising, last_falling)]
    # The edit distance is that in column 0 (the number of rows) plus the rise from there. It is also the number of
    # symbols on both sides, minus 1 for each diagonal step and minus 1 more for each hit; so the hits follow from it.
    return [columns + rows - steps - (rows + rise - fall)
            for (_, rows, columns, _, _), steps, rise, fall in zip(tasks, diagonal_steps, rises, falls)], diagonal_steps
