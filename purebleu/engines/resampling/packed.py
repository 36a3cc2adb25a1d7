"""Sums of rows of sufficient statistics over many samples of segments.

All numbers of a segment, those of every system and every metric, are fields of one integer (see `bits`). So one
sum of integers adds up all of them, and a resample takes hardly more time for ten systems than for one.
"""

from __future__ import annotations

import sys
from array import array
from itertools import combinations, compress, islice, product, repeat
from math import gcd
from operator import add, sub

from ...errors import PurebleuError
from ...runtime.progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Iterator, Sequence, Union

    from .streams import RandomStream

    #: Sufficient statistics, a row for each segment.
    Rows = Sequence[Sequence[float]]

    #: For each column of rows, its sum in each of several resamples or trials.
    Sums = Sequence[Sequence[float]]

    #: The rows of each stratum, by their indices; `None` if there is one stratum.
    Strata = Union[Sequence[Sequence[int]], None]

    def _item(table: list[int], index: int) -> int: ...
else:
    _item = list.__getitem__

#: Limit of the denominators of a mean reference length, which is that of the number of references, too.
_MAX_DENOMINATOR = 1000

#: Limit of the outputs of a segment that are dealt to two systems: `_subset_sampler` has numbers for no more.
_MAX_OUTPUTS = 128

#: The largest number of bytes of a field, and the largest number that it holds.
_FIELD_BYTES = 8
_MAX_PACKED = (1 << 63) - 1

#: About the number of values of a column that tell whether it may differ from another by a constant.
_LOOKED_AT = 8

#: The number of resamples or trials whose sums are unpacked together.
_UNPACKED_AT_ONCE = 250

#: Limit of the sums that `_all_totals` holds.
_SUMMED_BEFORE = 1 << 12

#: Limit of the bytes that tables of partial sums take.
_MAX_BYTES = 1 << 26

#: The bits of each byte, from the lowest on, a byte for each.
_BITS = [bytes([byte >> bit & 1 for bit in range(8)]) for byte in range(256)]

#: Tables for `bytes.translate`: the lower and the upper four bits of each byte.
_LOW_HALVES = bytes([byte & 15 for byte in range(256)])
_HIGH_HALVES = bytes([byte >> 4 for byte in range(256)])


class _Columns:
    """The columns of several groups of rows, as integers: fractions are multiplied by their common denominator.

    Attributes:
        columns: the columns of all groups.
        scales: the factor that each of them was multiplied by.
        groups: the columns of each group, as a slice.
    """

    def __init__(self, groups: Sequence[Rows]) -> None:
        self.columns: list[Sequence[int]] = []
        self.scales: list[int] = []
        self.groups: list[slice] = []
        for rows in groups:
            start = len(self.columns)
            for column in zip(*rows):
                is_exact = isinstance(sum(column), int)  # pyright: ignore[reportUnnecessaryIsInstance]  # a sum of floats is not
                scale = 1 if is_exact else _common_denominator(column)
                self.scales.append(scale)
                self.columns.append(column if is_exact else [round(number * scale) for number in column])
            self.groups.append(slice(start, len(self.columns)))

    def by_group(self, sums: Sequence[Sequence[int]]) -> list[Sums]:
        """Sums of all columns as those of each group, and as fractions again."""
        unscaled = [column if scale == 1 else [number / scale for number in column]
                    for column, scale in zip(sums, self.scales)]
        return [unscaled[group] for group in self.groups]


class TrialSums:
    """The column sums of a system in several trials, for each group of its rows.

    Attributes:
        groups: for each group, its sums as metrics take them.
    """

    def __init__(self, columns: _Columns, sums: Sequence[Sequence[int]]) -> None:
        self._columns = columns
        self._sums = sums
        self.groups = columns.by_group(sums)

    def exact(self, group: int, trial: int) -> list[int]:
        """Return the sums of a group in one trial, times a common denominator. (In `groups`, some are rounded fractions.)"""
        columns = self._columns.groups[group]
        scales = self._columns.scales[columns]
        common = common_multiple(scales)
        return [column[trial] * (common // scale) for column, scale in zip(self._sums[columns], scales)]


class _Packed:
    """Columns of integers, all numbers of a segment packed into one integer: sums of these hold the sums of columns.

    Each field has only the bytes that the sums of its column need, because adding takes time in proportion to them.

    `bound` returns the largest absolute value that the sums of a column can have. `size` is the number of bytes of all
    fields.
    """

    def __init__(self, columns: Sequence[Sequence[int]], bound: Callable[[Sequence[int]], int]) -> None:
        self._wide = _WideColumns(columns, bound)
        self._related = _RelatedColumns(self._wide.columns, bound)
        columns = self._related.columns
        self._widths = [bound(column).bit_length() // 8 + 1 for column in columns]
        self.size = sum(self._widths)
        # The two's complement of a number with its sign bit inverted is the number plus the value of that bit. These
        # values are taken off here; `unpack` adds them again, so that no field is negative and borrows from the next.
        signs = b"".join([bytes(width - 1) + b"\x80" for width in self._widths])
        self._signs = int.from_bytes(signs, "little")
        rows = bytearray(self.size * len(columns[0]))
        start = 0
        for column, width in zip(columns, self._widths):
            numbers = _in_order(array("q", column)).tobytes()
            for index in range(width):
                rows[start + index::self.size] = numbers[index::_FIELD_BYTES]
            start += width
        self.integers = [(int.from_bytes(rows[start:start + self.size], "little") ^ self._signs) - self._signs
                         for start in range(0, len(rows), self.size)]

    def count_above(self, total: int) -> int:
        """Return the number above all fields in a sum of integers, to each of which 1 << 8 * `size` was added."""
        return (total + self._signs) >> 8 * self.size

    def unpack(self, totals: Sequence[int]) -> list[Sequence[int]]:
        """For each column, its sums in these sums of `integers`."""
        rows = b"".join([(total + self._signs).to_bytes(self.size, "little") for total in totals])
        sums: list[Sequence[int]] = []
        start = 0
        for width in self._widths:
            numbers = bytearray(_FIELD_BYTES * len(totals))
            for index in range(width):
                numbers[index::_FIELD_BYTES] = rows[start + index::self.size]
            sums.append(list(map(sub, _in_order(array("Q", numbers)), repeat(1 << 8 * width - 1))))
            start += width
        return self._wide.joined(self._related.restored(sums))


class _RelatedColumns:
    """Columns of integers, some of which are replaced by their difference to another column.

    Columns often differ by a constant: most segments have one bigram less than words. Then the difference is small, and
    often the same for several columns, so that it is stored once.

    Attributes:
        columns: the columns and differences, each once.
    """

    def __init__(self, columns: Sequence[Sequence[int]], bound: Callable[[Sequence[int]], int]) -> None:
        left: dict[tuple[int, ...], int] = {}
        # For each column, the index of itself, or of its difference, in `columns`.
        indices: list[int] = []
        #: The columns that are differences, each with the earlier column that it is the difference to.
        self._bases: list[tuple[int, int]] = []
        # The first of the columns that differ by a constant, as far as a few of their numbers tell.
        first: dict[tuple[int, ...], int] = {}
        step = 1 + len(columns[0]) // _LOOKED_AT
        for index, column in enumerate(columns):
            some = column[::step]
            base = first.setdefault(tuple([number - some[0] for number in some]), index)
            if base != index:
                difference = tuple(map(sub, column, columns[base]))
                if bound(difference) < bound(column):
                    self._bases.append((index, base))
                    column = difference
            indices.append(left.setdefault(tuple(column), len(left)))
        self.columns: list[Sequence[int]] = list(left)
        self._indices = indices

    def restored(self, sums: Sequence[Sequence[int]]) -> list[Sequence[int]]:
        """Return the sums of the original columns, from those of `columns`."""
        found = [sums[index] for index in self._indices]
        for index, base in self._bases:
            found[index] = list(map(add, found[index], found[base]))
        return found


class _WideColumns:
    """Columns of integers, split if their numbers (such as those of `exact`) are too large for a field.

    The pieces of a number have as many bits as leave room for their sum; the highest has the sign. So the sums of
    pieces, each times the value of its lowest bit, add up to the sum of the numbers.
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

    def joined(self, sums: Sequence[Sequence[int]]) -> list[Sequence[int]]:
        """Return the sums of columns, from those of pieces."""
        found: list[Sequence[int]] = []
        for positions in self._pieces:
            column = sums[positions[-1]]
            for position in positions[-2::-1]:
                column = [(above << self._bits) + below for above, below in zip(column, sums[position])]
            found.append(column)
        return found


def _common_denominator(column: Sequence[float]) -> int:
    """Return the factor that makes integers of a column. (Only mean reference lengths need one.)"""
    fractions = {number for number in column if not float(number).is_integer()}
    if not fractions:
        return 1
    from fractions import Fraction

    return common_multiple([Fraction(number).limit_denominator(_MAX_DENOMINATOR).denominator for number in fractions])


def common_multiple(numbers: Iterable[int]) -> int:
    """Return the least common multiple. (`math.lcm` came with Python 3.9.)

    >>> common_multiple([4, 6])
    12
    """
    multiple = 1
    for number in numbers:
        multiple *= number // gcd(multiple, number)
    return multiple


def _in_order(numbers: array[int]) -> array[int]:
    """Numbers whose bytes are in the machine's order, with the lowest bytes first; or the other way round."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def bootstrap_totals(groups: Sequence[Rows], stream: RandomStream, count: int,
                     strata: Strata = None) -> Iterator[list[Sums]]:
    """Yield the column sums of each group in bootstrap resamples: as many segments, sampled with replacement.

    Args:
        groups: rows of the same segments, such as those of several systems under several metrics.
        stream: the source of random numbers.
        count: the number of resamples.
        strata: each resample has as many segments of each stratum as there are.

    Returns:
        For one block of resamples after another: for each group, the sums of its columns.
    """
    columns = _Columns(groups)
    segments = len(groups[0])
    packed = _Packed(columns.columns, lambda column: max(map(abs, column)) * segments)
    for totals in _in_blocks(_resampled_totals(packed, stream, count, strata or [range(segments)])):
        yield columns.by_group(packed.unpack(totals))


def _resampled_totals(packed: _Packed, stream: RandomStream, count: int,
                      strata: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the sums of a packed corpus in resamples."""
    # Above all fields, the segments themselves are counted: a stream may sample fewer at a time than it is asked for.
    one = 1 << 8 * packed.size
    samplers = [(len(stratum), stream.sampler([packed.integers[index] + one for index in stratum]))
                for stratum in strata]
    for _ in tracked("resampling", range(count), count):
        total = 0
        sampled = 0
        for size, sample in samplers:
            sampled += size
            while missing := sampled - packed.count_above(total):
                total += sum(sample(missing))
        yield total - sampled * one


def _in_blocks(totals: Iterator[int]) -> Iterator[list[int]]:
    while block := list(islice(totals, _UNPACKED_AT_ONCE)):
        yield block


def randomization_totals(systems: Sequence[Sequence[Rows]], pairs: Sequence[tuple[int, int]],
                         stream: RandomStream | None,
                         count: int) -> Iterator[tuple[tuple[int, int], TrialSums, TrialSums]]:
    """Yield the column sums of each group in trials of approximate randomization (Riezler and Maxwell, 2005).

    In a trial, each segment's outputs of two systems are swapped with probability 1/2; the same segments for all pairs.

    Args:
        systems: for each system, its groups: rows of the same segments.
        pairs: which systems are compared, by their indices.
        stream: the source of random bits; `None`: trials are not sampled, but all `number_of_swaps` are made.
        count: the number of trials.

    Returns:
        First for the systems as they are, then for one block of trials after another, and each pair: the pair; the sums
        of the outputs in the first system's stead, and of those in the second one's.

    Raises:
        PurebleuError: the systems were scored against different references.
    """
    all_columns = list(map(_Columns, systems))
    baseline = all_columns[0]
    if any(columns.scales != baseline.scales for columns in all_columns):
        raise PurebleuError("the systems were scored against different references")
    # Trials move only differences between a system and the first one: small numbers, often zero.
    differences = [[number - before for number, before in zip(column, baseline_column)]
                   for columns in all_columns[1:] for column, baseline_column in zip(columns.columns, baseline.columns)]
    packed = _Packed(differences, lambda column: sum(map(abs, column)))
    unmoved = [list(map(sum, columns.columns)) for columns in all_columns]
    width = len(baseline.columns)
    as_they_are = [TrialSums(baseline, [[total] for total in totals]) for totals in unmoved]
    for one, two in pairs:
        yield (one, two), as_they_are[one], as_they_are[two]
    for totals in _in_blocks(tracked("randomizing", _swapped_totals(packed, stream, count), count)):
        sums = packed.unpack(totals)
        # The differences between each system and the first one, summed over the segments that are swapped.
        moved: list[list[Sequence[int]]] = [[]]
        moved += [sums[start:start + width] for start in range(0, len(sums), width)]
        for one, two in pairs:
            between = list(map(_differences, moved[two], moved[one])) if one else moved[two]
            yield ((one, two),
                   TrialSums(baseline, [[total + number for number in column]
                                        for total, column in zip(unmoved[one], between)]),
                   TrialSums(baseline, [[total - number for number in column]
                                        for total, column in zip(unmoved[two], between)]))


def _swapped_totals(packed: _Packed, stream: RandomStream | None, count: int) -> Iterator[int]:
    """Return the sums of swapped segments, in `count` random trials or, without a stream, in all possible ones."""
    if stream is None:
        return _all_totals([(0, integer) for integer in packed.integers])
    select = _selection(packed.integers, packed.size)
    return (select(stream.bits(len(packed.integers))) for _ in range(count))


def selected_sums(columns: Sequence[Sequence[int]], bits: Iterable[bytes]) -> list[list[int]]:
    """Return the sums of columns over selected rows, for several selections.

    Args:
        columns: integers, the same number in each column.
        bits: for each selection, a bit for each row, eight to a byte, the lowest first: whether it is selected.

    Returns:
        For each column, its sum over each selection.

    Example:
        >>> selected_sums([[1, 2, 3], [-1, 0, 5]], [bytes([0b101]), bytes([0b010])])
        [[4, 2], [4, 0]]
    """
    packed = _Packed(columns, lambda column: sum(map(abs, column)))
    sums: list[list[int]] = [[] for _ in columns]
    for totals in _in_blocks(map(_selection(packed.integers, packed.size), bits)):
        for column, more in zip(sums, packed.unpack(totals)):
            column += more
    return sums


def number_of_swaps(segments: int) -> int:
    """Return the number of ways in which outputs of two systems can be swapped.

    >>> number_of_swaps(3)
    8
    """
    return 1 << segments


def number_of_deals(segments: int, baseline_runs: int, system_runs: int) -> int:
    """Return the number of ways in which the outputs of all runs of two systems can be dealt to the two anew.

    By hand: of two runs and one, any of three outputs may be the one run's, in each of two segments.

    >>> number_of_deals(2, 2, 1)
    9
    """
    subsets = 1
    for index in range(baseline_runs):
        subsets = subsets * (system_runs + 1 + index) // (index + 1)
    return subsets ** segments  # type: ignore[no-any-return]  # a power of integers


def _all_totals(choices: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the sums of one integer of each of `choices`, in all ways."""
    lows, others = [0], list(choices)
    while others and len(lows) * len(others[-1]) <= _SUMMED_BEFORE:
        lows = [total + choice for choice in others.pop() for total in lows]
    for high in map(sum, product(*others)):
        for low in lows:
            yield high + low


def _differences(numbers: Sequence[int], others: Sequence[int]) -> list[int]:
    return list(map(sub, numbers, others))


def stratified_totals(runs: Sequence[Sequence[Rows]], baseline_runs: int, stream: RandomStream | None,
                      count: int) -> Iterator[tuple[TrialSums, TrialSums]]:
    """Yield the column sums of two systems with several runs each, in trials of stratified approximate randomization.

    In a trial, all outputs of a segment, those of the runs of both systems, are dealt to the two anew: each gets the
    number of outputs that it has. Every such division is equally likely, and segments are independent.

    Args:
        runs: the runs of the baseline, then those of the system; each has the same number of groups of rows.
        baseline_runs: the number of runs of the baseline.
        stream: the source of random bits; `None`: trials are not sampled, but all `number_of_deals` are made.
        count: the number of trials.

    Returns:
        First for the systems as they are, then for one block of trials after another: for each group, the sums over all
        outputs that are the baseline's, and over those that are the system's.

    Raises:
        PurebleuError: the runs were scored against different references, or there are too many of them.
    """
    if len(runs) > _MAX_OUTPUTS:
        raise PurebleuError(f"two systems with {len(runs)} runs can't be compared: the limit is {_MAX_OUTPUTS}")
    run_columns = list(map(_Columns, runs))
    first = run_columns[0]
    if any(columns.scales != first.scales for columns in run_columns):
        raise PurebleuError("the systems were scored against different references")
    # Trials move only differences between an output and that of the last run: small numbers, often zero.
    *others, last = [columns.columns for columns in run_columns]
    differences = [[number - subtracted for column in other_columns for number, subtracted in zip(column, last_column)]
                   for last_column, *other_columns in zip(last, *others)]
    packed = _Packed(differences, lambda column: sum(map(abs, column)))
    segments = len(last[0])
    integers = [packed.integers[start:start + segments] for start in range(0, len(packed.integers), segments)]
    totals = [list(map(sum, columns.columns)) for columns in run_columns]
    grand_totals = list(map(sum, zip(*totals)))
    unmoved = [baseline_runs * total for total in totals[-1]]

    def divided(in_baseline: Sequence[Sequence[int]]) -> tuple[TrialSums, TrialSums]:
        in_system = [[total - number for number in column] for total, column in zip(grand_totals, in_baseline)]
        return TrialSums(first, in_baseline), TrialSums(first, in_system)

    yield divided([[sum(column)] for column in zip(*totals[:baseline_runs])])
    dealt = _dealt_totals(integers, segments, baseline_runs, stream, count)
    for block in _in_blocks(tracked("randomizing", dealt, count)):
        yield divided([[total + number for number in column]
                       for total, column in zip(unmoved, packed.unpack(block))])


def _dealt_totals(integers: Sequence[Sequence[int]], segments: int, baseline_runs: int, stream: RandomStream | None,
                  count: int) -> Iterator[int]:
    """Return the sums of outputs dealt to the baseline, in `count` random trials or, without a stream, in all possible ones.

    Args:
        integers: the segments of all runs but the last one, whose outputs count as 0.
        segments: their number.
        baseline_runs: the number of outputs of each segment that the baseline gets.
        stream, count: those of `stratified_totals`.
    """
    if stream is None:
        return _all_totals([list(map(sum, combinations((*outputs, 0), baseline_runs))) for outputs in zip(*integers)])
    sample = _subset_sampler(len(integers) + 1, baseline_runs, stream)
    return (sum([sum(compress(run_integers, taken)) for run_integers, taken in zip(integers, sample(segments))])
            for _ in range(count))


def _subset_sampler(outputs: int, size: int, stream: RandomStream) -> Callable[[int], Iterator[bytes]]:
    """Return the function from a number of segments to random subsets, of this size, of the outputs of each.

    For each output but the last, it yields a byte for each segment: whether the output is in its subset. It is with the
    probability that is the number of outputs still needed, divided by the number still left (selection sampling: Knuth,
    volume 2, section 3.4.2). So all subsets are equally likely.
    """
    numbers = [_number_sampler(left, stream) for left in range(outputs, 1, -1)]

    def sample(segments: int) -> Iterator[bytes]:
        ones = int.from_bytes(b"\1" * segments, "little")
        needed = ones * size
        for sample_numbers in numbers:
            # Byte by byte, the highest bit is set if the random number is below the number needed.
            taken = needed + ones * 127 - int.from_bytes(sample_numbers(segments), "little") >> 7 & ones
            needed -= taken
            yield taken.to_bytes(segments, "little")

    return sample


def _number_sampler(limit: int, stream: RandomStream) -> Callable[[int], bytes]:
    """Return the function from a count to that many random numbers below the limit (at most 256), a byte for each."""
    remainders = bytes([byte % limit for byte in range(256)])
    # The highest bytes, from which no whole range of remainders fits: they would make low numbers more likely.
    unfair = bytes(range(256 - 256 % limit, 256))

    def sample(count: int) -> bytes:
        numbers = b""
        while len(numbers) < count:
            numbers += stream.bits(8 * (count - len(numbers))).translate(remainders, unfair)
        return numbers

    return sample


def spread_bits(bits: bytes) -> bytes:
    """Return a byte, 0 or 1, for each bit, the lowest of a byte first.

    >>> list(spread_bits(b"\x05"))
    [1, 0, 1, 0, 0, 0, 0, 0]
    """
    return b"".join(map(_BITS.__getitem__, bits))


def _selection(integers: Sequence[int], size: int) -> Callable[[bytes], int]:
    """Return the function from bits, eight to a byte, to the sum of the integers (of `size` bytes) whose bit is set."""
    if len(integers) * 4 * size > _MAX_BYTES:
        return lambda bits: sum(compress(integers, spread_bits(bits)))
    # All 16 sums that half a byte can select: then four bits take no longer than one. (The 256 of whole bytes would
    # not stay in the processor's cache, and take longer than their halves.)
    tables: list[list[int]] = []
    for start in range(0, len(integers), 4):
        table = [0]
        for integer in integers[start:start + 4]:
            table += [partial + integer for partial in table]
        tables.append(table)
    low_tables, high_tables = tables[::2], tables[1::2]
    return lambda bits: (sum(map(_item, low_tables, bits.translate(_LOW_HALVES)))
                         + sum(map(_item, high_tables, bits.translate(_HIGH_HALVES))))
