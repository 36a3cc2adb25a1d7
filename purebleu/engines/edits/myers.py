"""Edit distances of many pairs at once, with the beam of Tercom if it matters.

**The matrix.** It has a row for each word of the hypothesis, a column for each word of the reference, and before them
row 0 and column 0; cell D[i][j] is the minimum number of insertions, deletions and substitutions that turn the first i
words of the one into the first j words of the other:

    for i, word in enumerate(hypothesis, 1):
        for j, other in enumerate(reference, 1):
            D[i][j] = min(D[i - 1][j - 1] + (word != other), D[i - 1][j] + 1, D[i][j - 1] + 1)

**The step.** Neighbours in a row differ by -1, 0 or 1. So two bits a column describe a row (is it higher, is it lower
than the column before?), and the next row follows from them by a dozen operations on integers, given the columns whose
word equals the row's word (Myers, 1999; in the form of Hyyrö, 2003). Here the rows of hundreds of matrices are fields
of one integer (see `bits`), so that each operation works on all of them.

**The beam.** Tercom looks at no more than a band of the matrix around its diagonal, which may cost edits. To get its
distance, it is enough to hide equal words wherever the diagonal step that they would make free starts or ends outside
of the band: then no path through a cell outside is shorter than those inside. (On the left, without equal words, no
cell is smaller than the one above it; on the right, each row grows by one with each column.)
"""

from __future__ import annotations

from array import array
from itertools import count, repeat
from operator import itemgetter, sub
from struct import pack, unpack

from ..bits import field_popcounts, positions_of_items
from .ter import BEAM, band_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Hashable, Iterable, Iterator, Literal, MutableSequence, Sequence, Tuple, TypeVar

    #: Part of a matrix, to be computed in a field. For each of its rows, the columns whose word equals the row's; of
    #: the row before the first, the columns that are higher, and lower, than the column before them; and all columns
    #: that there are. Each set of columns is a bit mask in bytes, as wide as the field.
    Field = Tuple[bytes, bytes, bytes, bytes]

    #: For each row, masks in packed fields: the columns that a diagonal step reaches at no cost (D0); and of the row
    #: before, the columns that are higher (VP), and lower (VN), than the column before them.
    History = MutableSequence[Tuple[bytes, bytes, bytes]]

    #: A matrix to compute: the width of its field in bytes, its number of rows, and further members of any kind.
    AnyTask = TypeVar("AnyTask", bound=Tuple[Any, ...])

#: Limit of the bytes of matrices that are computed together, if they are more than one.
_BYTES_TOGETHER = 1 << 18

#: Fields of these widths, in bytes, are single items of an `array`; wider ones consist of several of the widest.
_FORMATS: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}
_WIDEST = max(_FORMATS)

#: The widths of fields by the number of bytes that columns fill.
_FIELD_WIDTHS = (1, 2, 4, 4, 8, 8, 8, 8)


def field_width(columns: int) -> int:
    """Return the width, in bytes, of a field for `columns` columns and one spare bit before the next field."""
    filled = columns // 8
    return _FIELD_WIDTHS[filled] if filled < _WIDEST else (filled // _WIDEST + 1) * _WIDEST


def rows_in_bytes(masks: Sequence[int], width: int) -> bytes:
    r"""Rows of a field as byte strings, one after another: for each row, columns as a bit mask.

    >>> rows_in_bytes([1, 2], width=2)
    b'\x01\x00\x02\x00'
    """
    if width <= _WIDEST:
        return pack(f"<{len(masks)}{_FORMATS[width]}", *masks)
    return b"".join([mask.to_bytes(width, "little") for mask in masks])


def field_maker(reference: Sequence[Hashable], width: int) -> Callable[[Sequence[Hashable]], Field]:
    r"""Return the function from a hypothesis to the field of its whole matrix against the reference, `width` bytes a row.

    >>> field_maker("aba", width=1)("ab")
    (b'\x05\x02', b'\x07', b'\x00', b'\x07')
    """
    masks = {item: columns.to_bytes(width, "little") for item, columns in positions_of_items(reference).items()}
    nowhere = bytes(width)
    every_column = ((1 << len(reference)) - 1).to_bytes(width, "little")  # in row 0, each is higher than the one before
    return lambda items: (b"".join(map(masks.get, items, repeat(nowhere))), every_column, nowhere, every_column)


def batches_by_width(tasks: Iterable[AnyTask]) -> Iterator[tuple[int, list[AnyTask]]]:
    """Group the tasks whose matrices are computed together (see `last_rows`).

    Args:
        tasks: each begins with the width of its field and its number of rows.

    Returns:
        For each batch, the width of its fields, and its tasks, those with the most rows first.

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
    """Return the number of items that can each be paired with an equal one of the other side.

    Args:
        masks: for each item, the positions of the equal ones (see `positions_of_items`).

    Example:
        >>> items_in_common([0b101, 0b101, 0b101, 0b010, 0])
        3
    """
    counts: dict[int, int] = {}
    for mask in masks:
        counts[mask] = counts.get(mask, 0) + 1
    counts.pop(0, None)
    return sum([count if count == 1 else min(count, bin(mask).count("1")) for mask, count in counts.items()])


def last_rows(fields: Sequence[Field], width: int, history: History | None = None) -> list[int]:
    r"""Compute matrices of edit distances down to their last rows (Myers, 1999; Hyyrö, 2003).

    Args:
        fields: the matrices, or their lower parts, in order of their numbers of rows, the longest first; all of them
            end together.
        width: that of each field, in bytes.
        history: if given, what is found of each row is appended, beginning with the first row of the longest.

    Returns:
        For each matrix of m rows and n columns, D[m][n] - D[m][0].

    Example:
        One word against the same word, and against another one (a column, in bit 0): the last row is 1 0, and 1 1.

        >>> last_rows([(b"\1", b"\1", b"\0", b"\1"), (b"\0", b"\1", b"\0", b"\1")], width=1)
        [-1, 0]
    """
    equal, rising, falling, columns = zip(*fields)
    starts = _starts(equal, width)
    rows, size = len(equal[0]) // width, width * len(fields)
    equal_by_row = by_row(equal, width)
    one = bytes([1]) + bytes(width - 1)
    higher = lower = every = first = 0  # columns of all fields that have started
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
        # Hyyrö's variables, with rows for his columns: same = PM, free = D0, higher = VP, lower = VN,
        # above = HP << 1 | 1; `free & higher` is HN. A diagonal step is free where words are equal, where it undercuts
        # a rise (along which the carries of the addition run), and if the row before falls.
        # (Here and below, spare bits may be set. They get into no column of another field that could differ by them.)
        free = ((same & higher) + higher ^ higher) | same | lower
        # The columns where this row is above the row before it, one column further on, so that column 0 is the first.
        above = ((every ^ (free | higher)) | lower) << 1 | first
        if history is not None:
            history.append((free.to_bytes(size, "little"), higher.to_bytes(size, "little"),
                            lower.to_bytes(size, "little")))
        higher = ((free & higher) << 1 | (every ^ (free | above))) & every
        lower = above & free
    rises_and_falls = field_popcounts(higher | lower << 8 * size, 2 * len(fields), width)
    return list(map(sub, rises_and_falls, rises_and_falls[len(fields):]))


def _starts(equal: Sequence[bytes], width: int) -> dict[int, int]:
    """Return the rows of the longest field before which others start, each with the number of fields that have started then.

    >>> _starts([b"abc", b"bc", b"bc"], width=1)
    {0: 1, 1: 3}
    """
    started_with = dict(zip(map(len, equal), count(1)))
    return {(len(equal[0]) - size) // width: started for size, started in started_with.items()}


def by_row(equal: Sequence[bytes], width: int) -> Iterator[int]:
    r"""Return the packed fields of each row, from rows stored field by field; fields that have not started yet are zero.

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
    # With few fields, it takes longer to put them together from their units (measured).
    rows, size = equal[0], width * len(equal)
    if len(equal) > 1:
        rows = b"".join([field[start:start + width] for start in range(0, longest, width) for field in padded])
    return (int.from_bytes(rows[start:start + size], "little") for start in range(0, len(rows), size))


def _transposed(by_field: array[int], fields: int, units: int) -> Iterator[bytes]:
    """Yield the rows across all fields, from rows stored field by field; in each field, a row has this number of units."""
    units_of_field = len(by_field) // fields
    row = by_field[:fields * units]
    for first in range(0, units_of_field, units):
        for unit in range(units):
            row[unit::units] = by_field[first + unit::units_of_field]
        yield row.tobytes()


# The beam

def beam_matters(distance: int, rows: int, columns: int) -> bool:
    """Whether a pair's edit distance, or its alignment, may be another with the beam.

    Args:
        distance: the edit distance without a beam. A path that leaves the band costs more than the limit that it is
            compared with here, once it is back at the end of the diagonal.
        rows: the number of words of the hypothesis.
        columns: the number of words of the reference.
    """
    return columns >= BEAM and distance >= 2 * BEAM - 2 - abs(columns - rows)


class Beam:
    """The beam of a matrix.

    Attributes:
        band: the columns that it leaves of each row.
        inside: for each row from 1 on, the columns from 1 on, as a bit mask, that a diagonal step within the band leads
            to.
    """

    def __init__(self, rows: int, columns: int, width: int) -> None:
        self.band = band_of(rows, columns)
        self.inside = [(1 << min(end, end_before + 1) - 1) - (1 << max(first, first_before + 1) - 1)
                       for (first_before, end_before), (first, end) in zip(self.band, self.band[1:])]
        self._inside_rows = int.from_bytes(rows_in_bytes(self.inside, width), "little")

    def seen(self, equal: bytes, start: int = 0) -> bytes:
        """Rows of equal words without those that the beam hides; `start` is the offset of the first row, in bytes."""
        return (int.from_bytes(equal, "little") & self._inside_rows >> 8 * start).to_bytes(len(equal), "little")
