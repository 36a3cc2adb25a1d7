"""Alignments with the minimum edit distance (Levenshtein, 1966), and the counts of their steps for many pairs at once.

Several alignments of a pair may have the minimum edit distance, with different numbers of hits and substitutions. This
finds the alignment that rapidfuzz finds and jiwer counts. Its rules for ties:

1. Equal symbols at the beginning and at the end of both sides are hits.
2. The rest is traced back through the matrix of edit distances, from its end. Of equally good steps, a deletion comes
   first; then an insertion, if a diagonal step would be a hit; then a diagonal step; then another insertion.
3. If the matrix would take too much memory, both sides are split first (Hirschberg, 1975). The hypothesis is split in
   the middle, and the reference at the first position with the lowest sum of the edit distances of both halves.

**Many pairs.** `myers.last_rows` computes the matrices as fields of large integers. The way back uses such fields, too:
the current column of each pair is one bit in its field. The columns are in reverse order. So the carry of a single
addition moves that bit through a whole run of deletions. (In such a run, each column is higher than the one before.)
"""

from __future__ import annotations

from collections import deque
from itertools import accumulate, groupby

from ...hints import Iterator, Sequence, Tokens
from ..bits import field_popcounts
from .myers import batches_by_width, field_maker, field_width, last_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    from .myers import Field, History

    #: Hits, substitutions, deletions (symbols that only the reference has) and insertions.
    Counts = Tuple[int, int, int, int]

    #: A run of equal steps: their kind, its start and end in the reference, and its start and end in the hypothesis.
    Operation = Tuple[str, int, int, int, int]

    #: A part of a pair: its start and end in the reference, and its start and end in the hypothesis.
    Part = Tuple[int, int, int, int]

    #: A part whose steps are counted: the width of its field, its number of rows, its number of columns, the field, and
    #: the index of its pair.
    Task = Tuple[int, int, int, Field, int]

HIT, SUBSTITUTION, DELETION, INSERTION = "hit", "substitution", "deletion", "insertion"

#: A matrix is split only if it has this size or more: in bytes (as rapidfuzz counts them), in columns, and in rows.
_SPLIT_BYTES = 1 << 20
_MIN_SPLIT_COLUMNS = 65
_MIN_SPLIT_ROWS = 10

#: The number of bytes of matrices that are collected, so that there are enough of each width for large integers.
_MAX_WAITING_BYTES = 1 << 22

#: Each byte with its bits in reverse order.
_REVERSED_BITS = bytes([int(f"{byte:08b}"[::-1], 2) for byte in range(256)])


def count_operations(pairs: Sequence[tuple[Tokens, Tokens]]) -> list[Counts]:
    """Count the hits, substitutions, deletions and insertions in the alignment of each pair.

    Args:
        pairs: pairs of a hypothesis and a reference, as sequences of words, or as strings of characters.

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


def align(hypothesis: Tokens, reference: Tokens) -> list[Operation]:
    """Return the alignment of a pair: `count_operations` counts its steps.

    Args:
        hypothesis: a sequence of words, or a string of characters.
        reference: the same.

    Returns:
        Runs of equal steps, in order. Each has its kind (`HIT`, `SUBSTITUTION`, `DELETION` or `INSERTION`), its start
        and end in the reference, and its start and end in the hypothesis.

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
    """Yield runs of equal steps."""
    column = row = 0
    for kind, run in groupby(steps):
        length = len(list(run))
        first, first_row = column, row
        column += length * (kind != INSERTION)
        row += length * (kind != DELETION)
        yield kind, first, column, first_row, row


# Rules 1 and 3: equal ends, and splits

def _parts(hypothesis: Tokens, reference: Tokens) -> Iterator[Part]:
    """Yield the parts of a pair that need a matrix, in order. All symbols between them are hits."""
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
    """Whether a matrix has to be split. `distance` is an upper bound of the edit distance."""
    # The columns within this distance of the diagonal; each takes two bits.
    columns_within = min(columns, 2 * min(distance, max(columns, rows)) + 1)
    return (2 * columns_within * rows // 8 >= _SPLIT_BYTES and columns >= _MIN_SPLIT_COLUMNS
            and rows >= _MIN_SPLIT_ROWS)


def _best_split(hypothesis: Tokens, reference: Tokens, part: Part) -> tuple[int, int, int]:
    """Return the index at which to split the reference, and the edit distances of both halves."""
    first, end, first_row, end_row = part
    row = (first_row + end_row) // 2
    left = _last_row(hypothesis[first_row:row], reference[first:end])
    right = _last_row(hypothesis[row:end_row][::-1], reference[first:end][::-1])[::-1]
    sums = [one + other for one, other in zip(left, right)]
    column = sums.index(min(sums))
    return first + column, left[column], right[column]


def _last_row(hypothesis: Tokens, reference: Tokens) -> list[int]:
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

def _field(hypothesis: Tokens, reference: Tokens, part: Part) -> Field:
    """Return the matrix of a part. It has one row more than words, so that the history includes the last word."""
    first, end, first_row, end_row = part
    make_field = field_maker(reference[first:end], field_width(end - first))
    equal, rising, falling, every_column = make_field(hypothesis[first_row:end_row])
    return equal + bytes(len(every_column)), rising, falling, every_column


def _steps(hypothesis: Tokens, reference: Tokens, part: Part) -> list[str]:
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
            # (If a diagonal step between different symbols is free, one of the steps above is as good, and comes
            # first.)
            steps.append(HIT if free[byte] & bit else SUBSTITUTION)
        column -= steps[-1] != INSERTION
        row -= steps[-1] != DELETION
    return [DELETION] * column + [INSERTION] * row + steps[::-1]


def _hits_and_diagonal_steps(tasks: Sequence[Task], width: int) -> tuple[list[int], list[int]]:
    """Return, for each task, the number of hits, and that of all diagonal steps. `_steps` is the plain form.

    Args:
        tasks: the tasks, in descending order of their numbers of rows.
        width: the width of each field, in bytes.
    """
    history: History = []
    last_rows([field for _, _, _, field, _ in tasks], width, history)
    bits = 8 * width
    # The bits are reversed: column n of a field is n bits below the start of the next field. Column 0 is the lowest bit
    # of the next field, which is spare there.
    starts = [(1 << bits - columns).to_bytes(width, "big") for _, _, columns, _, _ in tasks]
    current = int.from_bytes(b"".join(starts), "big")
    edge = int.from_bytes((bytes(width - 1) + b"\1") * len(tasks), "big") << bits
    diagonal = 0
    _, last_rising, last_falling = history[-1]
    rising = int.from_bytes(last_rising.translate(_REVERSED_BITS), "big")
    # (Rows before the first one of a field change nothing: in row 0, all columns rise, so the way back is at the edge.)
    for _, rising_bytes, falling_bytes in history[-2::-1]:
        # Deletions: the carry moves each bit past the run of rising columns that begins at it. The sum also contains
        # the rising columns of other runs, which are removed.
        passed = current + rising
        current = passed & rising ^ passed
        # Insertions keep the column. There is one if the row before falls, or if column 0 is reached. All other steps
        # are diagonal.
        staying = current & (int.from_bytes(falling_bytes.translate(_REVERSED_BITS), "big") | edge)
        moving = current ^ staying
        diagonal |= moving
        current = staying | moving << 1
        rising = int.from_bytes(rising_bytes.translate(_REVERSED_BITS), "big")
    diagonal_steps = list(field_popcounts(diagonal, len(tasks), width))[::-1]
    rises = field_popcounts(int.from_bytes(last_rising, "little"), len(tasks), width)
    falls = field_popcounts(int.from_bytes(last_falling, "little"), len(tasks), width)
    # The edit distance is the value in column 0 (the number of rows) plus the rise from there. It is also the number of
    # symbols on both sides, minus 1 for each diagonal step, minus 1 more for each hit. So the number of hits follows.
    return [columns + rows - steps - (rows + rise - fall)
            for (_, rows, columns, _, _), steps, rise, fall in zip(tasks, diagonal_steps, rises, falls)], diagonal_steps
