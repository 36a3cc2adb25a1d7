"""Edit distances of many pairs at once (bit-parallel dynamic programming), also within Tercom's beam.

**The matrix.** Row 0 comes first, then a row for each word of the hypothesis. Column 0 comes first, then a column for
each word of the reference. Cell D[i][j] is the edit distance between the first i words of the hypothesis and the first
j words of the reference. D[i][0] is i, and D[0][j] is j. All other cells are computed from their neighbours:

    for i, word in enumerate(hypothesis, 1):
        for j, other in enumerate(reference, 1):
            D[i][j] = min(D[i - 1][j - 1] + (word != other), D[i - 1][j] + 1, D[i][j - 1] + 1)

**A row as bits.** Each cell differs from the cell to its left by -1, 0 or 1. So two bit masks describe a row. In the
*higher* columns, the cell is higher than the cell to its left. In the *lower* columns, the cell is lower. The last cell
of row i is i, plus the number of higher columns in this row, minus the number of lower columns.

**The next row.** A third bit mask has the columns whose word equals the word of the next row. From the three masks, a
dozen operations on integers compute the masks of the next row (Myers, 1999; in the form of Hyyrö, 2003).

**Many pairs.** Each matrix has its own *field* of an integer (see `bits`), with a bit for each column. So each
operation on the integer works on hundreds of matrices.

**The beam.** Tercom computes only a band of the matrix around its diagonal, so it may miss the shortest path. `Beam`
makes `last_rows` return the same distance as Tercom: two equal words count as different if the diagonal step for them
starts or ends outside the band. Then a path never gets shorter by leaving the band: left of the band, no cell is
smaller than the cell above it, and right of the band, each cell is the cell to its left plus 1.

**Rules.** If rules say that two words must not be aligned, one word can't be substituted for the other, either. So the
diagonal step for these words is *barred*, and D[i][j] may be D[i - 1][j - 1] + 2: a deletion and an insertion. With
rules, a field is twice as wide: it has two *halves*. The lower half of a row has the columns of equal words that may be
aligned. The upper half has the columns of all words that may be aligned. One more addition for each row finds the cells
that are D[i - 1][j - 1] + 2.
"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import count, repeat
from operator import itemgetter, sub
from struct import pack, unpack

from ..bits import field_popcounts, positions_of_items
from .ter import Rules, band_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Hashable, Iterable, Iterator, MutableSequence, Sequence, Tuple, TypeVar

    #: The input for a whole matrix, or for its lower rows. The first member has, for each row, the columns whose word
    #: equals the word of the row. The second and third member are the higher columns and the lower columns of the row
    #: before the first of these rows. The fourth member has all columns of the matrix. Each set of columns is a bit
    #: mask in bytes, as wide as the field.
    Field = Tuple[bytes, bytes, bytes, bytes]

    #: For each row i, three bit masks of columns j, with a field for each matrix. The first mask (Hyyrö's D0) has the
    #: columns in which D[i][j] equals D[i - 1][j - 1]. The other masks have the higher columns (VP) and the lower
    #: columns (VN) of row i - 1.
    History = MutableSequence[Tuple[bytes, bytes, bytes]]

    #: A matrix to compute: the width of its field in bytes, its number of rows, and any further items.
    AnyTask = TypeVar("AnyTask", bound=Tuple[Any, ...])

#: The largest number of bytes of matrices that are computed together. (A single matrix may have more bytes.)
_BYTES_TOGETHER = 1 << 18

#: For each width of a field in bytes, its type code in `array` and `struct`. A field of more than eight bytes is
#: several items of type Q.
_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
_WIDEST = max(_FORMATS)

#: The width of a field, in bytes, by the number of bytes that its columns fill.
_FIELD_WIDTHS = (1, 2, 4, 4, 8, 8, 8, 8)


def field_width(columns: int) -> int:
    """Return the width, in bytes, of a field with room for `columns` columns and a spare bit before the next field."""
    filled = columns // 8
    return _FIELD_WIDTHS[filled] if filled < _WIDEST else (filled // _WIDEST + 1) * _WIDEST


def rows_in_bytes(masks: Sequence[int], width: int) -> bytes:
    r"""Return the rows of a field in bytes, one after another. `masks` has a bit mask of columns for each row.

    >>> rows_in_bytes([1, 2], width=2)
    b'\x01\x00\x02\x00'
    """
    if width <= _WIDEST:
        return pack(f"<{len(masks)}{_FORMATS[width]}", *masks)
    return b"".join([mask.to_bytes(width, "little") for mask in masks])


def field_maker(reference: Sequence[Hashable], width: int) -> Callable[[Sequence[Hashable]], Field]:
    r"""Return a function that makes the `Field` of a hypothesis, for the whole matrix of distances from the reference.

    `width` is the number of bytes of a row.

    >>> field_maker("aba", width=1)("ab")
    (b'\x05\x02', b'\x07', b'\x00', b'\x07')
    """
    masks = {item: columns.to_bytes(width, "little") for item, columns in positions_of_items(reference).items()}
    nowhere = bytes(width)
    every_column = ((1 << len(reference)) - 1).to_bytes(width, "little")  # (the higher columns of row 0)
    return lambda items: (b"".join(map(masks.get, items, repeat(nowhere))), every_column, nowhere, every_column)


def batches_by_width(tasks: Iterable[AnyTask]) -> Iterator[tuple[int, list[AnyTask]]]:
    """Yield groups of tasks whose matrices are computed together (see `last_rows`).

    Args:
        tasks: the matrices to compute.

    Returns:
        For each group, the width of its fields, and its tasks. The tasks with the most rows come first.

    Example:
        >>> list(batches_by_width([(1, 2, "b"), (4, 9, "c"), (1, 3, "a")]))
        [(1, [(1, 3, 'a'), (1, 2, 'b')]), (4, [(4, 9, 'c')])]
    """
    by_width: dict[int, list[AnyTask]] = {}
    for task in tasks:
        by_width.setdefault(task[0], []).append(task)
    for width, same_width in by_width.items():
        same_width.sort(key=itemgetter(1), reverse=True)
        start = 0
        while start < len(same_width):
            end = start + max(1, _BYTES_TOGETHER // (width * max(1, same_width[start][1])))
            yield width, same_width[start:end]
            start = end


def common_ends(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[int, int]:
    """Return the length of the common prefix, and the length of the common suffix after this prefix.

    >>> common_ends("abcd", "abed")
    (2, 1)
    """
    shorter = min(len(one), len(other))
    start = end = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return start, end


def items_in_common(masks: Sequence[int]) -> int:
    """Return how many pairs of equal items both sides can form, if each item is in at most one pair.

    Args:
        masks: for each item of one side, the positions of equal items on the other side (see `positions_of_items`).

    Example:
        >>> items_in_common([0b101, 0b101, 0b101, 0b010, 0])
        3
    """
    counts = Counter(masks)
    counts.pop(0, None)
    return sum([count if count == 1 else min(count, bin(mask).count("1")) for mask, count in counts.items()])


def last_rows(fields: Sequence[Field], width: int, history: History | None = None, half: int = 0) -> list[int]:
    r"""Compute matrices of edit distances down to their last rows (Myers, 1999; Hyyrö, 2003).

    Args:
        fields: the matrices, or their lower rows. The matrices with the most rows come first. Matrices with fewer rows
            begin later, because the last rows of all matrices are computed in the same step.
        width: the width of each field, in bytes.
        history: a list to which the masks of each row are appended, from the first row of the longest matrix on;
            `None`: the masks are not kept. If fields have halves, the first mask has another meaning: its lower half
            has the columns whose best step is not a substitution, and its upper half has the columns whose best step is
            a deletion.
        half: the width of half a field, in bytes; 0: fields have no halves, because any words may be aligned.

    Returns:
        For each matrix of m rows and n columns, D[m][n] - D[m][0].

    Example:
        Two matrices have one row and one column. The words are equal in the first matrix, and differ in the second
        matrix. The last row is 1 0 in the first matrix, and 1 1 in the second matrix.

        >>> last_rows([(b"\1", b"\1", b"\0", b"\1"), (b"\0", b"\1", b"\0", b"\1")], width=1)
        [-1, 0]
    """
    equal, rising, falling, columns = zip(*fields)
    starts = _starts(equal, width)
    rows, size = len(equal[0]) // width, width * len(fields)
    equal_by_row = by_row(equal, width)
    one = bytes([1]) + bytes(width - 1)
    # Bit masks of columns, in the first `started` fields. (`every`: all columns; `first`: the first column.)
    higher = lower = every = first = 0
    barred = double = 0  # columns with a barred diagonal step; cells that are D[i - 1][j - 1] + 2
    started = 0
    for row in range(rows + 1):
        if row in starts:
            bit, starting = 8 * width * started, slice(started, starts[row])
            higher |= int.from_bytes(b"".join(rising[starting]), "little") << bit
            lower |= int.from_bytes(b"".join(falling[starting]), "little") << bit
            every |= int.from_bytes(b"".join(columns[starting]), "little") << bit
            first |= int.from_bytes(one * (starts[row] - started), "little") << bit
            started = starts[row]
        if row == rows:
            break
        same = next(equal_by_row)
        if half:
            barred = every & ~(same >> 8 * half)
            same &= every
        # Hyyrö's variables, with rows in place of his columns: same = PM, free = D0, higher = VP, lower = VN,
        # above = HP << 1 | 1; `free & higher` is HN.
        # `free` has the columns j of row i in which D[i][j] equals D[i - 1][j - 1]. There are three cases: the words
        # are equal; column j is lower in row i - 1; or column j - 1 is in `free`, and is higher in row i - 1. In the
        # third case, the carries of the addition run from column to column.
        # (The spare bits of a field in `free` and `above` may be set. They change no column of another field.)
        free = ((same & higher) + higher ^ higher) | same | lower
        # The columns in which this row is higher than the row before. Bit 0 is for column 0, bit 1 for column 1, and so
        # on.
        above = ((every ^ (free | higher)) | lower) << 1 | first
        if half:
            # In a barred column j, D[i][j] is D[i - 1][j - 1] + 2 if both neighbours, D[i - 1][j] and D[i][j - 1], are
            # D[i - 1][j - 1] + 1. Then D[i][j] is also higher than D[i - 1][j], so the carries of the addition run on
            # to column j + 1.
            rising_barred = barred & higher
            above |= (above & rising_barred) + rising_barred ^ rising_barred
            double = above & rising_barred
        if history is not None:
            steps = free
            if half:
                deletions = lower | barred & ~(free | higher ^ double)  # (in these columns, D[i][j] is D[i - 1][j] + 1)
                steps = (free | barred) & every | (deletions & every) << 8 * half
            history.append((steps.to_bytes(size, "little"), higher.to_bytes(size, "little"),
                            lower.to_bytes(size, "little")))
        higher = ((free & higher) << 1 | (every ^ (free | above)) | double) & every
        lower = above & free
    rises_and_falls = field_popcounts(higher | lower << 8 * size, 2 * len(fields), width)
    return list(map(sub, rises_and_falls, rises_and_falls[len(fields):]))


def _starts(equal: Sequence[bytes], width: int) -> dict[int, int]:
    """Return, for each row of the longest field at which a field starts, how many fields have started.

    >>> _starts([b"abc", b"bc", b"bc"], width=1)
    {0: 1, 1: 3}
    """
    started_with = dict(zip(map(len, equal), count(1)))
    return {(len(equal[0]) - size) // width: started for size, started in started_with.items()}


def by_row(equal: Sequence[bytes], width: int) -> Iterator[int]:
    r"""Return an integer for each row, with all fields side by side. A field that has not started is zero.

    Each member of `equal` has all rows of a field.

    >>> [hex(row) for row in by_row([b"\1\2\3", b"\4\5"], width=1)]
    ['0x1', '0x402', '0x503']
    """
    longest = len(equal[0])
    units = max(1, width // _WIDEST)
    if len(equal) == units == 1:
        return iter(unpack(f"<{longest // width}{_FORMATS[width]}", equal[0]))
    padded = [rows.rjust(longest, b"\0") for rows in equal]
    if len(equal) >= 2 * units:
        by_field = array(_FORMATS[min(width, _WIDEST)], b"".join(padded))
        return (int.from_bytes(row, "little") for row in _transposed(by_field, len(equal), units))
    # For few fields, slices are faster than `_transposed` (measured).
    rows, size = equal[0], width * len(equal)
    if len(equal) > 1:
        rows = b"".join([field[start:start + width] for start in range(0, longest, width) for field in padded])
    return (int.from_bytes(rows[start:start + size], "little") for start in range(0, len(rows), size))


def _transposed(by_field: array[int], fields: int, units: int) -> Iterator[bytes]:
    """Yield the bytes of each row of all fields. `by_field` has field after field, with `units` items for each row."""
    units_of_field = len(by_field) // fields
    row = by_field[:fields * units]
    for first in range(0, units_of_field, units):
        for unit in range(units):
            row[unit::units] = by_field[first + unit::units_of_field]
        yield row.tobytes()


# The beam

def beam_matters(distance: int, rows: int, columns: int, beam: int) -> bool:
    """Return whether a beam may change the edit distance or the alignment of a pair.

    A path that leaves the band needs many steps to come back to the end of the diagonal. If the edit distance is lower
    than the cost of these steps, no best path leaves the band.

    Args:
        distance: the edit distance without a beam.
        rows: the number of words of the hypothesis.
        columns: the number of words of the reference.
        beam: half the width of the beam.
    """
    return columns >= beam and distance >= 2 * beam - 2 - abs(columns - rows)


class Beam:
    """The beam of a matrix.

    Attributes:
        band: the columns in the band, for each row (see `ter.band_of`).
        inside: for each row from 1 on, a bit mask of the columns from 1 on. A column is in the mask if the diagonal
            step to its cell starts and ends in the band.
    """

    def __init__(self, rows: int, columns: int, width: int, rules: Rules, half: int = 0) -> None:
        self.band = band_of(rows, columns, rules)
        self.inside = [(1 << min(end, end_before + 1) - 1) - (1 << max(first, first_before + 1) - 1)
                       for (first_before, end_before), (first, end) in zip(self.band, self.band[1:])]
        in_halves = [inside | inside << 8 * half for inside in self.inside] if half else self.inside
        self._inside_rows = int.from_bytes(rows_in_bytes(in_halves, width), "little")

    def seen(self, equal: bytes, start: int = 0) -> bytes:
        """Remove words outside the beam from `equal`, the masks of rows. `start` is the first row's offset in bytes."""
        return (int.from_bytes(equal, "little") & self._inside_rows >> 8 * start).to_bytes(len(equal), "little")
