"""Edit distances of many pairs at once, within the beam of Tercom if that matters.

**The matrix.** It has a row for each word of the hypothesis and a column for each word of the reference; row 0 and
column 0 come before them. Cell D[i][j] is the edit distance between the first i words of the hypothesis and the first j
words of the reference:

    for i, word in enumerate(hypothesis, 1):
        for j, other in enumerate(reference, 1):
            D[i][j] = min(D[i - 1][j - 1] + (word != other), D[i - 1][j] + 1, D[i][j - 1] + 1)

**The step.** Neighbours in a row differ by -1, 0 or 1. So two bits a column describe a row: is the column higher, or
lower, than the one before? A further bit says whether the column's word equals the row's word. From these bits, a
dozen operations on integers compute the next row (Myers, 1999; in the form of Hyyrö, 2003). Here, the rows of hundreds
of matrices are fields of one integer (see `bits`), so each operation works on all of them.

**The beam.** Tercom computes only a band of the matrix around its diagonal, so it may miss the shortest path. To get
its distance, equal words are hidden if their free diagonal step starts or ends outside the band. Then no path through a
cell outside is shorter than those inside. (On the left of the band, no cell is smaller than the one above it. On the
right, each cell is larger by one than the one before it.)

**Rules.** If some words must not be aligned, they can't be substituted either, so a diagonal step may cost two. A field
is twice as wide then: its lower half has the columns of equal words, as usual, and its upper half those of words that
may be aligned. One more addition finds the columns that cost as much as both steps around the diagonal one.
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

    #: Rows of a matrix that are computed in a field: for each row, the columns whose word equals the row's word; for
    #: the row before these rows, the columns that are higher than the one before, and those that are lower; and all
    #: columns of the matrix. Each set of columns is a bit mask in bytes, as wide as the field.
    Field = Tuple[bytes, bytes, bytes, bytes]

    #: Three bit masks in packed fields for each row: the columns that a free diagonal step leads to (D0); and in the
    #: row before, the columns that are higher (VP), and those that are lower (VN), than the one before.
    History = MutableSequence[Tuple[bytes, bytes, bytes]]

    #: A matrix to compute: the width of its field in bytes, its number of rows, and members of any kind.
    AnyTask = TypeVar("AnyTask", bound=Tuple[Any, ...])

#: The largest number of bytes of matrices that are computed together. (A single one may be larger.)
_BYTES_TOGETHER = 1 << 18

#: The types of `array` for fields of these widths, in bytes. Wider fields consist of several items of the widest type.
_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
_WIDEST = max(_FORMATS)

#: The width of a field by the number of bytes that its columns need.
_FIELD_WIDTHS = (1, 2, 4, 4, 8, 8, 8, 8)


def field_width(columns: int) -> int:
    """Return the width of a field in bytes. It has room for `columns` columns and a spare bit before the next field."""
    filled = columns // 8
    return _FIELD_WIDTHS[filled] if filled < _WIDEST else (filled // _WIDEST + 1) * _WIDEST


def rows_in_bytes(masks: Sequence[int], width: int) -> bytes:
    r"""Return the rows of a field as bytes, one after another. Each row is a bit mask of columns.

    >>> rows_in_bytes([1, 2], width=2)
    b'\x01\x00\x02\x00'
    """
    if width <= _WIDEST:
        return pack(f"<{len(masks)}{_FORMATS[width]}", *masks)
    return b"".join([mask.to_bytes(width, "little") for mask in masks])


def field_maker(reference: Sequence[Hashable], width: int) -> Callable[[Sequence[Hashable]], Field]:
    r"""Return a function from a hypothesis to its whole matrix against the reference, with `width` bytes a row.

    >>> field_maker("aba", width=1)("ab")
    (b'\x05\x02', b'\x07', b'\x00', b'\x07')
    """
    masks = {item: columns.to_bytes(width, "little") for item, columns in positions_of_items(reference).items()}
    nowhere = bytes(width)
    every_column = ((1 << len(reference)) - 1).to_bytes(width, "little")  # (in row 0, all of them rise)
    return lambda items: (b"".join(map(masks.get, items, repeat(nowhere))), every_column, nowhere, every_column)


def batches_by_width(tasks: Iterable[AnyTask]) -> Iterator[tuple[int, list[AnyTask]]]:
    """Yield groups of tasks whose matrices are computed together (see `last_rows`).

    Args:
        tasks: matrices to compute.

    Returns:
        For each group, the width of its fields, and its tasks; those with most rows come first.

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


def items_in_common(masks: Sequence[int]) -> int:
    """Return the number of items that can be paired with an equal item of the other side, each item once.

    Args:
        masks: for each item, the positions of equal items on the other side (see `positions_of_items`).

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
        fields: the matrices, or the lower parts of them, those with most rows first. The last rows of all are computed
            together, so that shorter ones begin later.
        width: the width of each field, in bytes.
        history: takes in the masks of each row, beginning with the first row of the longest; `None`: they are dropped.
            With halves, the lower half of the first mask has all steps that are no substitutions, and the upper half
            the deletions among them.
        half: the width of the halves of a field, in bytes; 0: a field has none, so any words may be aligned.

    Returns:
        For each matrix of m rows and n columns, D[m][n] - D[m][0].

    Example:
        One word is compared with the same word, and with another one. There is one column, in bit 0. The last rows are
        1 0 and 1 1.

        >>> last_rows([(b"\1", b"\1", b"\0", b"\1"), (b"\0", b"\1", b"\0", b"\1")], width=1)
        [-1, 0]
    """
    equal, rising, falling, columns = zip(*fields)
    starts = _starts(equal, width)
    rows, size = len(equal[0]) // width, width * len(fields)
    equal_by_row = by_row(equal, width)
    one = bytes([1]) + bytes(width - 1)
    higher = lower = every = first = 0  # the columns of all fields that have started
    barred = double = 0  # the columns whose diagonal step is barred, and those among them that it would raise by two
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
        # above = HP << 1 | 1; `free & higher` is HN. A diagonal step is free if the words are equal; if it undercuts a
        # rise (the carries of the addition run along the rise); and if the row before falls.
        # (Here and below, spare bits may be set. They change no column of another field.)
        free = ((same & higher) + higher ^ higher) | same | lower
        # The columns in which this row is higher than the row before, shifted by one column, so that column 0 comes
        # first.
        above = ((every ^ (free | higher)) | lower) << 1 | first
        if half:
            rising_barred = barred & higher
            above |= (above & rising_barred) + rising_barred ^ rising_barred
            double = above & rising_barred
        if history is not None:
            steps = free
            if half:
                deletions = lower | barred & ~(free | higher ^ double)
                steps = (free | barred) & every | (deletions & every) << 8 * half
            history.append((steps.to_bytes(size, "little"), higher.to_bytes(size, "little"),
                            lower.to_bytes(size, "little")))
        higher = ((free & higher) << 1 | (every ^ (free | above)) | double) & every
        lower = above & free
    rises_and_falls = field_popcounts(higher | lower << 8 * size, 2 * len(fields), width)
    return list(map(sub, rises_and_falls, rises_and_falls[len(fields):]))


def _starts(equal: Sequence[bytes], width: int) -> dict[int, int]:
    """Return the rows of the longest field at which others start, each with the number of fields that have started.

    >>> _starts([b"abc", b"bc", b"bc"], width=1)
    {0: 1, 1: 3}
    """
    started_with = dict(zip(map(len, equal), count(1)))
    return {(len(equal[0]) - size) // width: started for size, started in started_with.items()}


def by_row(equal: Sequence[bytes], width: int) -> Iterator[int]:
    r"""Return the packed fields of each row, from rows stored field by field. Fields that have not started are zero.

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
    # For few fields, this is faster than to put them together from their units (measured).
    rows, size = equal[0], width * len(equal)
    if len(equal) > 1:
        rows = b"".join([field[start:start + width] for start in range(0, longest, width) for field in padded])
    return (int.from_bytes(rows[start:start + size], "little") for start in range(0, len(rows), size))


def _transposed(by_field: array[int], fields: int, units: int) -> Iterator[bytes]:
    """Yield the rows across all fields, from rows stored field by field. In each field, a row has `units` units."""
    units_of_field = len(by_field) // fields
    row = by_field[:fields * units]
    for first in range(0, units_of_field, units):
        for unit in range(units):
            row[unit::units] = by_field[first + unit::units_of_field]
        yield row.tobytes()


# The beam

def beam_matters(distance: int, rows: int, columns: int, beam: int) -> bool:
    """Whether a beam may change the edit distance or the alignment of a pair.

    Args:
        distance: the edit distance without a beam. It is compared with a limit: a path that leaves the band, and comes
            back to the end of the diagonal, costs more than that.
        rows: the number of words of the hypothesis.
        columns: the number of words of the reference.
        beam: half the width of the beam.
    """
    return columns >= beam and distance >= 2 * beam - 2 - abs(columns - rows)


class Beam:
    """The beam of a matrix.

    Attributes:
        band: the columns in the band, for each row.
        inside: for each row from 1 on, a bit mask of the columns from 1 on that a diagonal step within the band leads
            to.
    """

    def __init__(self, rows: int, columns: int, width: int, rules: Rules, half: int = 0) -> None:
        self.band = band_of(rows, columns, rules)
        self.inside = [(1 << min(end, end_before + 1) - 1) - (1 << max(first, first_before + 1) - 1)
                       for (first_before, end_before), (first, end) in zip(self.band, self.band[1:])]
        in_halves = [inside | inside << 8 * half for inside in self.inside] if half else self.inside
        self._inside_rows = int.from_bytes(rows_in_bytes(in_halves, width), "little")

    def seen(self, equal: bytes, start: int = 0) -> bytes:
        """Return rows of equal words without the words that the beam hides; `start`: the offset of the first row."""
        return (int.from_bytes(equal, "little") & self._inside_rows >> 8 * start).to_bytes(len(equal), "little")
