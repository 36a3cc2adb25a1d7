"""Sums of rows of sufficient statistics, over and over, of segments that are sampled.

All numbers of a segment, those of every system and every metric, are fields of one integer (see `bitfields`). So one
sum of integers adds up all of them, and a resample takes hardly more time for ten systems than for one.
"""

from __future__ import annotations

import sys
from array import array
from itertools import chain, compress
from math import gcd
from operator import add, itemgetter, sub

from ...errors import PurebleuError
from ...runtime.progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Literal, Sequence

    from .streams import RandomStream

    #: Sufficient statistics, a row for each segment.
    Rows = Sequence[Sequence[float]]

    def _item(table: list[int], index: int) -> int: ...
else:
    _item = list.__getitem__

#: Limit of the denominators of a mean reference length, which is that of the number of references, too.
_MAX_DENOMINATOR = 1000

#: The largest number that a field holds.
_MAX_PACKED = (1 << 63) - 1

#: Limit of the bytes that tables of partial sums take.
_MAX_BYTES = 1 << 26

#: The bits of each byte, from the lowest on, a byte for each.
_BITS = [bytes([byte >> bit & 1 for bit in range(8)]) for byte in range(256)]

#: Tables for `bytes.translate`: the lower and the upper four bits of each byte.
_LOW_HALVES = bytes([byte & 15 for byte in range(256)])
_HIGH_HALVES = bytes([byte >> 4 for byte in range(256)])


class _Columns:
    """Rows in several groups, as columns of integers: fractions are multiplied with what makes them so.

    Attributes:
        columns: the columns of all groups.
        scales: what each of them was multiplied with.
    """

    def __init__(self, groups: Sequence[Rows]) -> None:
        self.columns: list[Sequence[int]] = []
        self.scales: list[int] = []
        self._groups: list[slice] = []
        for rows in groups:
            start = len(self.columns)
            for column in zip(*rows):
                is_exact = isinstance(sum(column), int)  # pyright: ignore[reportUnnecessaryIsInstance]  # a sum of floats is not
                scale = 1 if is_exact else _common_denominator(column)
                self.scales.append(scale)
                self.columns.append(column if is_exact else [round(number * scale) for number in column])
            self._groups.append(slice(start, len(self.columns)))
        self._fractions = [(index, scale) for index, scale in enumerate(self.scales) if scale != 1]

    def by_group(self, sums: list[Any]) -> list[list[Any]]:
        """Sums of all columns as those of each group, and as fractions again."""
        for index, scale in self._fractions:
            sums[index] /= scale
        return [sums[group] for group in self._groups]


class _Packed:
    """Columns of integers, all numbers of a segment in one integer: sums of these have the sums of columns in them.

    `bound` tells of a column what no sum, of as many segments as there are, exceeds, nor its negative falls below.
    `size` is the number of bytes that sums fit into.
    """

    def __init__(self, columns: Sequence[Sequence[int]], bound: Callable[[Sequence[int]], int]) -> None:
        self._wide = _WideColumns(columns, bound)
        self._pack(self._wide.columns, max(map(bound, self._wide.columns)))

    def _pack(self, columns: Sequence[Sequence[int]], bound: int) -> None:
        # Many columns are the same, such as the lengths of references, or that nothing differs in them.
        distinct: dict[tuple[int, ...], int] = {}
        indices = [distinct.setdefault(tuple(column), len(distinct)) for column in columns]
        # (One more index, because of a single one it would not make a tuple.)
        self._columns_of: Callable[[list[Any]], Sequence[Any]] = itemgetter(*indices, 0)
        self._code = _code_for(bound)
        packed = _in_order(array(self._code, chain.from_iterable(zip(*distinct)))).tobytes()
        self.size = len(packed) // len(columns[0])
        # With its sign bit turned over, the two's complement of a number is the number and that bit's worth.
        sign = bytes(array(self._code).itemsize - 1) + b"\x80"
        self._signs = int.from_bytes(sign * len(distinct), "little")
        self.integers = [(int.from_bytes(packed[start:start + self.size], "little") ^ self._signs) - self._signs
                         for start in range(0, len(packed), self.size)]

    def unpack(self, total: int) -> list[Any]:
        """The sums of the columns in a sum of `integers`."""
        fields = ((total + self._signs) ^ self._signs).to_bytes(self.size, "little")
        return self._wide.joined(list(self._columns_of(_in_order(array(self._code, fields)).tolist())[:-1]))


class _WideColumns:
    """Columns of integers, those of which are split that have numbers (such as `fixed_point`'s) too large for a field.

    The pieces of a number have as many bits as leave room for their sum; the highest has the sign. So the sums of
    pieces, each times its worth, add up to the sum of the numbers.
    """

    def __init__(self, columns: Sequence[Sequence[int]], bound: Callable[[Sequence[int]], int]) -> None:
        self.columns: list[Sequence[int]] = []
        #: For each column, the positions of its pieces, the highest last.
        self._pieces: list[range] = []
        self._bits = _MAX_PACKED.bit_length() - len(columns[0]).bit_length()
        mask = (1 << self._bits) - 1
        for column in columns:
            start = len(self.columns)
            while bound(column) > _MAX_PACKED:
                self.columns.append([number & mask for number in column])
                column = [number >> self._bits for number in column]
            self.columns.append(column)
            self._pieces.append(range(start, len(self.columns)))
        self._is_split = len(self.columns) > len(columns)

    def joined(self, sums: list[Any]) -> list[Any]:
        """The sums of columns, from those of pieces."""
        if not self._is_split:
            return sums
        found: list[Any] = []
        for positions in self._pieces:
            total = 0
            for position in reversed(positions):
                total = (total << self._bits) + sums[position]
            found.append(total)
        return found


def _common_denominator(column: Sequence[float]) -> int:
    """What to multiply a column with to get integers. (A mean reference length is the only number that needs it.)"""
    fractions = {number for number in column if not float(number).is_integer()}
    if not fractions:
        return 1
    from fractions import Fraction

    denominator = 1
    for number in fractions:
        other = Fraction(number).limit_denominator(_MAX_DENOMINATOR).denominator
        denominator *= other // gcd(denominator, other)
    return denominator


def _in_order(numbers: array[int]) -> array[int]:
    """Numbers whose bytes are in the machine's order, with the lowest bytes first; or the other way round."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _code_for(largest: int) -> Literal["h", "i", "q"]:
    """The code of an array whose fields hold numbers up to the largest, at most `_MAX_PACKED`, and their negatives."""
    if largest < 1 << 15:
        return "h"
    return "i" if largest < 1 << 8 * array("i").itemsize - 1 else "q"


def bootstrap_totals(groups: Sequence[Rows], stream: RandomStream, count: int) -> Iterator[list[list[Any]]]:
    """The column sums of each group in bootstrap resamples: as many segments, sampled with replacement.

    Args:
        groups: rows of the same segments, such as those of several systems under several metrics.
        stream: where random numbers come from.
        count: the number of resamples.

    Returns:
        For each resample, and each group, the sums of its columns.
    """
    columns = _Columns(groups)
    segments = len(groups[0])
    packed = _Packed(columns.columns, lambda column: max(column) * segments)
    # Above all fields, the segments themselves are counted: a stream may sample fewer at a time than it is asked for.
    one = 1 << 8 * packed.size
    sample = stream.sampler([integer + one for integer in packed.integers])
    for _ in tracked("resampling", range(count), count):
        total = 0
        while total < segments * one:
            total += sum(sample(segments - (total >> 8 * packed.size)))
        yield columns.by_group(packed.unpack(total & one - 1))


def randomization_totals(groups: Sequence[Rows], systems: int, stream: RandomStream,
                         count: int) -> Iterator[tuple[list[list[Any]], list[list[Any]]]]:
    """The column sums of each group in trials of approximate randomization (Riezler and Maxwell, 2005).

    In a trial, each segment's output of the baseline is swapped with that of another system with probability 1/2.

    Args:
        groups: rows of the same segments; as many groups of each system, one system after the other, the baseline
            first.
        systems: the number of systems, with the baseline.
        stream: where random bits come from.
        count: the number of trials.

    Returns:
        For each trial, the sums of what stands in the baseline's stead, and of what stands in the other system's;
        either has the groups of all systems but the baseline.

    Raises:
        PurebleuError: the systems were scored against different references.
    """
    compared = len(groups) // systems
    baseline, columns = _Columns(groups[:compared]), _Columns(groups[compared:])
    if columns.scales != baseline.scales * (systems - 1):
        raise PurebleuError("the systems were scored against different references")
    first, others = baseline.columns, columns.columns
    # What moves is by how much a system differs from the first one: small numbers, often zero.
    differences = [[number - before for number, before in zip(column, of_baseline)]
                   for column, of_baseline in zip(others, first * (systems - 1))]
    packed = _Packed(differences, lambda column: sum(map(abs, column)))
    select = _selection(packed.integers, packed.size)
    of_baseline, of_others = list(map(sum, first)) * (systems - 1), list(map(sum, others))
    for _ in tracked("randomizing", range(count), count):
        moved = packed.unpack(select(stream.bits(len(packed.integers))))
        yield columns.by_group(list(map(sub, of_others, moved))), columns.by_group(list(map(add, of_baseline, moved)))


def _selection(integers: Sequence[int], size: int) -> Callable[[bytes], int]:
    """The function from bits, eight to a byte, to the sum of the integers (of `size` bytes) whose bit is set."""
    if len(integers) * 4 * size > _MAX_BYTES:
        return lambda bits: sum(compress(integers, b"".join(map(_BITS.__getitem__, bits))))
    # All 16 sums that half a byte can select: then four bits take no longer than one. (The 256 of whole bytes would
    # not stay in the processor's cache, and take longer than their halves.)
    tables: list[list[int]] = []
    for start in range(0, len(integers), 4):
        table = [0]
        for integer in integers[start:start + 4]:
            table += [partial + integer for partial in table]
        tables.append(table)
    of_low_halves, of_high_halves = tables[::2], tables[1::2]
    return lambda bits: (sum(map(_item, of_low_halves, bits.translate(_LOW_HALVES)))
                          + sum(map(_item, of_high_halves, bits.translate(_HIGH_HALVES))))
