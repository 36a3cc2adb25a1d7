"""Alignments with the minimum edit distance (Levenshtein, 1966), and the counts of their steps for many pairs at once.

Several alignments of a pair may have the minimum edit distance, with different numbers of hits and substitutions. This
module selects the same alignment as rapidfuzz, whose steps jiwer counts. Three rules define the alignment:

1. Equal symbols at the beginning and at the end of both sides are hits.
2. The alignment of the symbols between the equal ends is traced back through the matrix of edit distances, from its
   end. If several steps are equally good, a deletion is taken, or else a substitution, or else an insertion, or else a
   hit.
3. If the matrix would take too much memory, both sides are split first (Hirschberg, 1975). The hypothesis is split in
   the middle. The reference is split at the first position at which the edit distances of both halves have the lowest
   sum.

**Many pairs.** `myers.last_rows` computes the matrices of many pairs together: each pair has a *field* of large
integers (see `bits`), with a bit for each column. To trace the alignments back, one bit in each field marks the current
column of the pair. The columns are in reverse order, so the tracing moves this bit up. The carry of a single addition
moves the bit through a whole run of deletions, because each column of such a run has a higher distance than the column
before.
"""

from __future__ import annotations

from collections import deque
from itertools import accumulate, groupby

from ...runtime.hints import Iterator, Sequence, Tokens
from ..bits import field_popcounts
from .myers import batches_by_width, common_ends, field_maker, field_width, last_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    from .myers import Field, History

    #: The numbers of hits, substitutions, deletions (of symbols of the reference) and insertions.
    Counts = Tuple[int, int, int, int]

    #: A run of equal steps: the kind of step, the start and end in the reference, the start and end in the hypothesis.
    Operation = Tuple[str, int, int, int, int]

    #: A part of a pair: its start and end in the reference, and its start and end in the hypothesis.
    Part = Tuple[int, int, int, int]

    #: A part whose steps are counted: the width of its field, its number of rows, its number of columns, the field, and
    #: the index of its pair.
    Task = Tuple[int, int, int, Field, int]

HIT, SUBSTITUTION, DELETION, INSERTION = "hit", "substitution", "deletion", "insertion"

#: A matrix is split if it has at least these numbers of bytes (as rapidfuzz counts bytes), columns and rows.
_SPLIT_BYTES = 1 << 20
_MIN_SPLIT_COLUMNS = 65
_MIN_SPLIT_ROWS = 10

#: Matrices are collected until they have more than this number of bytes, so that many matrices share large integers.
_MAX_WAITING_BYTES = 1 << 22

#: For each byte from 0 to 255, the byte with its bits in reverse order.
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
    """Return the alignment of a pair. (`count_operations` counts the steps of an alignment.)

    Args:
        hypothesis: a sequence of words, or a string of characters.
        reference: a sequence of words, or a string of characters.

    Returns:
        Runs of equal steps, in order. A run has its kind (`HIT`, `SUBSTITUTION`, `DELETION` or `INSERTION`), its start
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
    """Yield each run of equal steps, with its position on both sides."""
    column = row = 0
    for kind, run in groupby(steps):
        length = len(list(run))
        first, first_row = column, row
        if kind != INSERTION:
            column += length
        if kind != DELETION:
            row += length
        yield kind, first, column, first_row, row


# Rules 1 and 3: equal ends, and splits

def _parts(hypothesis: Tokens, reference: Tokens) -> Iterator[Part]:
    """Yield the parts of a pair that are aligned by rule 2, in order. All symbols outside these parts are hits."""
    if hypothesis == reference:
        return
    waiting = [(0, len(reference), 0, len(hypothesis), len(reference) + len(hypothesis))]
    while waiting:
        first, end, first_row, end_row, distance = waiting.pop()
        prefix, suffix = common_ends(reference[first:end], hypothesis[first_row:end_row])
        first, end, first_row, end_row = part = first + prefix, end - suffix, first_row + prefix, end_row - suffix
        if _is_large(end - first, end_row - first_row, distance):
            column, left, right = _best_split(hypothesis, reference, part)
            row = (first_row + end_row) // 2
            waiting += [(column, end, row, end_row, right), (first, column, first_row, row, left)]
        elif first < end or first_row < end_row:
            yield part


def _is_large(columns: int, rows: int, distance: int) -> bool:
    """Return whether a matrix has to be split. `distance` is an upper bound of the edit distance."""
    # rapidfuzz counts two bits for each cell at most `distance` columns away from the diagonal.
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
    """Return the bits of a field as a string of 0 and 1, the first column first."""
    return f"{int.from_bytes(columns, 'little'):0{8 * len(columns)}b}"[::-1]


# Rule 2: tracing steps back through the matrix

def _field(hypothesis: Tokens, reference: Tokens, part: Part) -> Field:
    """Return the input for the matrix of a part. An empty row at the end makes a `History` include the last row."""
    first, end, first_row, end_row = part
    make_field = field_maker(reference[first:end], field_width(end - first))
    equal, rising, falling, every_column = make_field(hypothesis[first_row:end_row])
    return equal + bytes(len(every_column)), rising, falling, every_column


def _steps(hypothesis: Tokens, reference: Tokens, part: Part) -> list[str]:
    """Trace the alignment of a part back by rule 2; return its steps from the beginning to the end."""
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
            # (If the symbols of a column in `free` differed, a deletion or an insertion would have been taken above.)
            steps.append(HIT if free[byte] & bit else SUBSTITUTION)
        column -= steps[-1] != INSERTION
        row -= steps[-1] != DELETION
    return [DELETION] * column + [INSERTION] * row + steps[::-1]


def _hits_and_diagonal_steps(tasks: Sequence[Task], width: int) -> tuple[list[int], list[int]]:
    """Count the hits, and the diagonal steps (hits and substitutions), among the steps of each task (see `_steps`).

    Args:
        tasks: the tasks, in descending order of their numbers of rows.
        width: the width of each field, in bytes.
    """
    history: History = []
    last_rows([field for _, _, _, field, _ in tasks], width, history)
    bits = 8 * width
    # The bits are reversed: bit `bits - n` of a field is for column n. So column 0 has the lowest bit of the next
    # field, which does not use this bit.
    starts = [(1 << bits - columns).to_bytes(width, "big") for _, _, columns, _, _ in tasks]
    current = int.from_bytes(b"".join(starts), "big")
    edge = int.from_bytes((bytes(width - 1) + b"\1") * len(tasks), "big") << bits
    diagonal = 0
    _, last_rising, last_falling = history[-1]
    rising = int.from_bytes(last_rising.translate(_REVERSED_BITS), "big")
    # (A matrix with fewer rows reaches its row 0 earlier. In row 0, all columns rise, so the bit of the pair moves on
    # to column 0, and stays in column 0.)
    for _, rising_bytes, falling_bytes in history[-2::-1]:
        # Deletions: the carry moves each bit past the run of rising columns that begins at the bit. The rising columns
        # of other runs are then removed from the sum.
        passed = current + rising
        current = passed & rising ^ passed
        # The next step is an insertion, which stays in the column, if the column is lower in the row before, or if it
        # is column 0. All other steps are diagonal.
        staying = current & (int.from_bytes(falling_bytes.translate(_REVERSED_BITS), "big") | edge)
        moving = current ^ staying
        diagonal |= moving
        current = staying | moving << 1
        rising = int.from_bytes(rising_bytes.translate(_REVERSED_BITS), "big")
    diagonal_steps = list(field_popcounts(diagonal, len(tasks), width))[::-1]
    rises = field_popcounts(int.from_bytes(last_rising, "little"), len(tasks), width)
    falls = field_popcounts(int.from_bytes(last_falling, "little"), len(tasks), width)
    # The edit distance is the last cell of the last row: rows + rise - fall. The edit distance is also the number of
    # symbols on both sides, minus 1 for each diagonal step, minus 1 more for each hit. So the number of hits follows
    # from these two formulas.
    return [columns + rows - steps - (rows + rise - fall)
            for (_, rows, columns, _, _), steps, rise, fall in zip(tasks, diagonal_steps, rises, falls)], diagonal_steps
