"""Edit distances of many pairs at once, with the beam of Tercom where it matters.

**The matrix.** It has a row for each word of the hypothesis, a column for each word of the reference, and before them
row 0 and column 0; cell D[i][j] is the minimum number of insertions, deletions and substitutions that turn the first i
words of the one into the first j words of the other.

**The step.** Neighbours in a row differ by -1, 0 or 1. So two bits a column describe a row (is it higher, is it lower
than the column before?), and the next row follows from them by a dozen operations on integers, given the columns whose
word equals the row's word (Myers, 1999; in the form of Hyyrö, 2003). Here the rows of hundreds of matrices are fields
of one integer (see `bitfields`), so that each operation works on all of them.

**The beam.** Tercom looks at no more than a band of the matrix around its diagonal, which may cost edits. To get its
distance, it is enough to hide equal words wherever the diagonal step that they would make free starts or ends outside
of the band: then no path through a cell outside is shorter than those inside. (On the left, without equal words, no
cell is smaller than the one above it; on the right, each row grows by one with each column.)
"""

from __future__ import annotations

from itertools import count
from operator import itemgetter, sub

from ..bitfields import field_popcounts
from .tercom import BEAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Literal, MutableSequence, Sequence, Tuple, TypeVar

    from .tercom import Band

    #: Part of a matrix, to be computed in a field. For each of its rows, the columns whose word equals the row's; of
    #: the row before the first, the columns that are higher, and lower, than the column before them; and all columns
    #: that there are. Each set of columns is a bit mask in bytes, as wide as the field.
    Field = Tuple[bytes, bytes, bytes, bytes]

    #: What was found of each row, as masks in packed fields: the columns that a diagonal step reaches at no cost (D0);
    #: and of the row before, the columns that are higher (VP), and lower (VN), than the column before them.
    History = MutableSequence[Tuple[bytes, bytes, bytes]]

    #: A matrix to compute: its number of rows, and further members of any kind.
    AnyTask = TypeVar("AnyTask", bound=Tuple[Any, ...])

#: Limit of the bytes of matrices that are computed together, where they are more than one.
_BYTES_TOGETHER = 1 << 18

#: Fields of these widths, in bytes, are single items of a `memoryview`; wider ones consist of several of the widest.
_FORMATS: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}
_WIDEST = max(_FORMATS)

#: The widths of fields by the number of bytes that columns fill.
_FIELD_WIDTHS = (1, 2, 4, 4, 8, 8, 8, 8)


def field_width(columns: int) -> int:
    """The width, in bytes, of a field for `columns` columns and one spare bit before the next field."""
    filled = columns // 8
    return _FIELD_WIDTHS[filled] if filled < _WIDEST else (filled // _WIDEST + 1) * _WIDEST


def fields_together(tasks: Sequence[AnyTask], width: int) -> Iterator[list[AnyTask]]:
    """The tasks in groups whose matrices are computed together, those with the most rows first.

    Args:
        tasks: of each, the first member is the number of rows.
        width: that of their fields, in bytes.
    """
    tasks = sorted(tasks, key=itemgetter(0), reverse=True)
    start = 0
    while start < len(tasks):
        end = start + max(1, _BYTES_TOGETHER // (width * max(1, tasks[start][0])))
        yield tasks[start:end]
        start = end


def items_in_common(masks: Sequence[int]) -> int:
    """The number of items that can each be paired with an equal one of the other side.

    Args:
        masks: for each item, the positions of the equal ones (see `positions_of_items`).

    Example:
        >>> items_in_common([0b101, 0b101, 0b101, 0b010, 0])
        3
    """
    found = [mask for mask in masks if mask]
    different = set(found)
    if len(different) == len(found):
        return len(found)
    counts = [(mask, found.count(mask)) for mask in different]
    return sum([count if count == 1 else min(count, bin(mask).count("1")) for mask, count in counts])


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
    equal_by_row = _by_row(equal, width)
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
        same = int.from_bytes(equal_by_row[row * size:(row + 1) * size], "little")
        # Hyyrö's variables, with rows for his columns: same = PM, free = D0, higher = VP, lower = VN,
        # above = HP << 1 | 1; `free & higher` is HN. A diagonal step is free where words are equal, where it undercuts
        # a rise (along which the carries of the addition run), and where the row before falls.
        # (Here and below, spare bits may be set. They get into no column of another field that could differ by them.)
        free = ((same & higher) + higher ^ higher) | same | lower
        # Where this row is above the row before it: one column further on, so that column 0 is the first.
        above = ((every ^ (free | higher)) | lower) << 1 | first
        if history is not None:
            history.append((free.to_bytes(size, "little"), higher.to_bytes(size, "little"),
                            lower.to_bytes(size, "little")))
        higher = ((free & higher) << 1 | (every ^ (free | above))) & every
        lower = above & free
    return list(map(sub, field_popcounts(higher, len(fields), width),
                    field_popcounts(lower, len(fields), width)))


def _starts(equal: Sequence[bytes], width: int) -> dict[int, int]:
    """The rows of the longest field before which others start, each with the number of fields that have started then.

    >>> _starts([b"abc", b"bc", b"bc"], width=1)
    {0: 1, 1: 3}
    """
    started_with = dict(zip(map(len, equal), count(1)))
    return {(len(equal[0]) - size) // width: started for size, started in started_with.items()}


def _by_row(equal: Sequence[bytes], width: int) -> bytes | bytearray:
    r"""What lies field by field, row by row; the rows that a shorter field does not have are zeros, and come first.

    >>> bytes(_by_row([b"abc", b"ef"], width=1)).replace(b"\0", b"-")
    b'a-becf'
    """
    if len(equal) == 1:
        return equal[0]
    longest = len(equal[0])
    padded = [rows.rjust(longest, b"\0") for rows in equal]
    unit = min(width, _WIDEST)
    units = width // unit
    if len(equal) < 8 * units:  # measured: with few fields, it takes longer to put them together from their units
        return b"".join([rows[start:start + width] for start in range(0, longest, width) for rows in padded])
    code = _FORMATS[unit]
    by_field = memoryview(b"".join(padded)).cast(code)
    result = bytearray(longest * len(equal))
    by_row = memoryview(result).cast(code)
    step = len(equal) * units
    for index in range(longest // unit):
        row, unit_of_field = divmod(index, units)
        start = row * step + unit_of_field
        # (The copy is for PyPy, which can't assign from a view with a stride.)
        by_row[start:(row + 1) * step:units] = memoryview(by_field[index::longest // unit].tobytes()).cast(code)
    return result


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


def steps_inside(band: Band) -> list[int]:
    """For each row from 1 on, the columns from 1 on, as a bit mask, that a diagonal step within the band leads to."""
    masks: list[int] = []
    for (first_before, end_before), (first, end) in zip(band, band[1:]):
        lowest, highest = max(first, first_before + 1), min(end, end_before + 1)
        masks.append((1 << highest - 1) - (1 << lowest - 1))
    return masks
