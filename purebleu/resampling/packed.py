"""Sums of rows of statistics, over and over, of segments that chance selects.

All numbers of a segment, those of every system and every metric, are fields of one integer (see `bitfields`). So one
sum of integers adds up all of them, and a resample takes hardly more time for ten systems than for one.
"""

from __future__ import annotations

import sys
from array import array
from itertools import chain, compress
from math import gcd

from ..errors import PurebleuError
from ..progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Literal, Sequence

    from .streams import Stream

    #: The statistics of a segment.
    Row = Sequence[float]

#: More references than this nobody has; the mean of so many integers is a fraction with at most this denominator.
_MOST_REFERENCES = 1000

#: Tables of partial sums take at most so many bytes.
_MOST_BYTES = 1 << 26

#: The bits of each byte, from the lowest on, a byte for each.
_BITS = [bytes([byte >> bit & 1 for bit in range(8)]) for byte in range(256)]


class PackedRows:
    """Rows of statistics of the same segments, in several groups: one for each system under each metric.

    `integers` has all rows of a segment in one integer. Sums of these, of as many as there are, are unpacked to sums
    of columns, which are exact.
    """

    def __init__(self, groups: Sequence[Sequence[Row]]) -> None:
        columns: list[Sequence[int]] = []
        #: Where a column stands whose numbers are fractions, and what they were multiplied with.
        self._scales: list[tuple[int, int]] = []
        self._bounds: list[slice] = []
        for rows in groups:
            start = len(columns)
            for column in zip(*rows):
                scale = _common_denominator(column)
                if scale != 1:
                    self._scales.append((len(columns), scale))
                columns.append([round(number * scale) for number in column])
            self._bounds.append(slice(start, len(columns)))
        self._code = _code_for(max(map(max, columns)) * len(columns[0]))
        packed = _in_order(array(self._code, chain.from_iterable(zip(*columns)))).tobytes()
        #: The number of bytes of each integer.
        self.size = len(packed) // len(columns[0])
        self.integers = [int.from_bytes(packed[start:start + self.size], "little")
                         for start in range(0, len(packed), self.size)]

    def unpack(self, total: int) -> list[list[Any]]:
        """The column sums of each group in a sum of `integers`."""
        numbers: list[Any] = _in_order(array(self._code, total.to_bytes(self.size, "little"))).tolist()
        for place, scale in self._scales:
            numbers[place] /= scale
        return [numbers[bounds] for bounds in self._bounds]


def _common_denominator(column: Sequence[float]) -> int:
    """What to multiply a column with to get integers. (A mean reference length is the only number that needs it.)"""
    denominator = 1
    if not isinstance(sum(column), int):
        from fractions import Fraction

        for number in set(column):
            other = Fraction(number).limit_denominator(_MOST_REFERENCES).denominator
            denominator *= other // gcd(denominator, other)
    return denominator


def _in_order(numbers: array[int]) -> array[int]:
    """Numbers whose bytes are in the machine's order, with the lowest bytes first; or the other way round."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _code_for(largest: int) -> Literal["I", "Q"]:
    """The code of an array whose fields hold numbers up to the largest."""
    if largest < 1 << 8 * array("I").itemsize:
        return "I"
    if largest < 1 << 64:
        return "Q"
    raise PurebleuError("the statistics are too large to be resampled")


def bootstrap_totals(packed: PackedRows, stream: Stream, count: int) -> Iterator[list[list[Any]]]:
    """The column sums of each group in so many bootstrap resamples: as many segments, drawn with replacement."""
    for _ in tracked("resampling", range(count), count):
        yield packed.unpack(sum(stream.resample(packed.integers)))


def randomization_totals(packed: PackedRows, systems: int, stream: Stream,
                         count: int) -> Iterator[tuple[list[list[Any]], list[list[Any]]]]:
    """The column sums of each group after each system has exchanged segments with the first one, so many times.

    `packed` has as many groups of each system as of the others, one system after the other. Chance decides of each
    segment whether it is exchanged. The former sums are those of what takes the place of the first system, the latter
    of what takes that of the other.
    """
    block = 8 * packed.size // systems
    first_system = (1 << block) - 1
    each_system = sum([1 << place * block for place in range(systems)])
    select = _selection(packed.integers, packed.size)
    everything = sum(packed.integers)
    first_everywhere = (everything & first_system) * each_system
    for _ in tracked("randomizing", range(count), count):
        kept = select(stream.flips(len(packed.integers)))
        kept_of_first = (kept & first_system) * each_system
        yield (packed.unpack(kept_of_first + (everything - kept)),
               packed.unpack(kept + (first_everywhere - kept_of_first)))


def _selection(integers: Sequence[int], size: int) -> Callable[[bytes], int]:
    """The function from bits, eight to a byte, to the sum of the integers (of so many bytes) whose bit is set."""
    if len(integers) * 32 * size > _MOST_BYTES:
        return lambda flips: sum(compress(integers, b"".join(map(_BITS.__getitem__, flips))))
    # All 256 sums that the bits of a byte can select: then a byte takes no longer than a bit.
    tables = []
    for start in range(0, len(integers), 8):
        table = [0]
        for integer in integers[start:start + 8]:
            table += [partial + integer for partial in table]
        tables.append(table)
    return lambda flips: sum(map(list.__getitem__, tables, flips))
