"""Sums of rows of sufficient statistics over many samples of segments.

All statistics of a segment, of all systems under all metrics, are packed into one integer: each statistic has its
*field*, a group of bits (see `bits`). So one sum of integers adds up all columns, and a resample takes hardly more time
for ten systems than for one system.
"""

from __future__ import annotations

import sys
from array import array
from itertools import combinations, compress, islice, product
from math import comb, gcd
from operator import add, sub

from ...runtime.errors import PurebleuError
from ...runtime.progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Iterator, Mapping, Sequence, Union

    from .streams import RandomStream

    #: Sufficient statistics, a row for each segment.
    Rows = Sequence[Sequence[float]]

    #: For each column of rows, its sum in each of several resamples or trials.
    Sums = Sequence[Sequence[float]]

    #: For each stratum, the indices of its rows; `None` if there is one stratum.
    Strata = Union[Sequence[Sequence[int]], None]

    def _item(table: list[int], index: int) -> int: ...
else:
    _item = list.__getitem__

#: The largest denominator of a mean reference length. (The denominator is at most the number of references.)
_MAX_DENOMINATOR = 1000

#: A float holds all integers below this number.
_MAX_EXACT = 1 << 53

#: The largest number of outputs that two systems have for a segment (see `_subset_sampler`).
_MAX_OUTPUTS = 128

#: About this number of values in each column are compared, to find columns that may differ by a constant number.
_LOOKED_AT = 8

#: The number of resamples or trials whose sums are unpacked together.
_UNPACKED_AT_ONCE = 250

#: For this number of systems or fewer, aligned fields (see `_Packed`) cost more time in additions than they save in
#: unpacking.
_FEW_SYSTEMS = 3

#: The largest number of sums that `_all_totals` keeps.
_SUMMED_BEFORE = 1 << 12

#: The largest number of bytes for the tables of `_selection`.
_MAX_BYTES = 1 << 26

#: For each byte from 0 to 255, its bits, the lowest bit first. Each bit is stored as a byte, 0 or 1.
_BITS = [bytes([byte >> bit & 1 for bit in range(8)]) for byte in range(256)]

#: Tables for `bytes.translate`: the lower and the upper four bits of each byte.
_LOW_HALVES = bytes([byte & 15 for byte in range(256)])
_HIGH_HALVES = bytes([byte >> 4 for byte in range(256)])


class _Columns:
    """The columns of several groups of rows, as integers. Fractions are multiplied by their common denominator.

    Attributes:
        columns: the columns of all groups.
        scales: for each column, the factor by which the column was multiplied.
        groups: for each group, the slice of its columns.
    """

    def __init__(self, groups: Sequence[Rows]) -> None:
        self.columns: list[Sequence[int]] = []
        self.scales: list[int] = []
        self.groups: list[slice] = []
        for rows in groups:
            start = len(self.columns)
            for column in zip(*rows):
                if isinstance(sum(column), int):  # pyright: ignore[reportUnnecessaryIsInstance]  # not for floats
                    self.scales.append(1)
                    self.columns.append(column)
                    continue
                # (`Fraction` takes no float32 of NumPy.)
                numbers = [number if hasattr(number, "numerator") else float(number) for number in column]
                self.scales.append(_common_denominator(numbers))
                self.columns.append(_scaled(numbers, self.scales[-1]))
            self.groups.append(slice(start, len(self.columns)))

    def by_group(self, sums: Sequence[Sequence[int]]) -> list[Sums]:
        """Return the column sums of each group from the sums of all columns. Scaled integers become fractions again."""
        unscaled = _unscaled(sums, self.scales)
        return [unscaled[group] for group in self.groups]


def _columns_of_systems(systems: Sequence[Sequence[Rows]]) -> list[_Columns]:
    """Return the columns of each system, with the same scales for all systems."""
    by_system = list(map(_Columns, systems))
    scales = [common_multiple(scales) for scales in zip(*[columns.scales for columns in by_system])]
    for columns in by_system:
        for index, (own, common) in enumerate(zip(columns.scales, scales)):
            if own != common:
                columns.columns[index] = [number * (common // own) for number in columns.columns[index]]
        columns.scales = scales
    return by_system


def _scaled(column: Sequence[float], scale: int) -> list[int]:
    """Multiply the numbers of a column by `scale`, a common multiple of their denominators."""
    if scale < _MAX_EXACT:
        return [round(number * scale) for number in column]
    from fractions import Fraction

    return [round(Fraction(number) * scale) for number in column]


def _unscaled(sums: Sequence[Sequence[int]], scales: Sequence[int]) -> Sums:
    """Divide the sums of each column by the scale of the column."""
    unscaled: list[Sequence[float]] = []
    for column, scale in zip(sums, scales):
        unscaled.append(column if scale == 1 else [number / scale for number in column])
    return unscaled


class PairTrials:
    """Several trials of two systems under all metrics.

    Args:
        columns: the columns of one of the two systems. (Only the scales and groups of the columns are used.)
        totals: for each system, its column sums before the sums in `moved` are added or subtracted.
        moved: for each column, the sum that each trial adds to the first system and subtracts from the second system.
        moved_back: sums to subtract from the sums in `moved`; empty if there are none.
    """

    def __init__(self, columns: _Columns, totals: Sequence[Sequence[int]], moved: Sequence[Sequence[int]],
                 moved_back: Sequence[Sequence[int]] = ()) -> None:
        self._columns = columns
        self._totals = totals
        self._moved = moved
        self._moved_back = moved_back

    def of_group(self, group: int) -> Trials:
        """Return the trials of a group of columns. (A group belongs to one metric.)"""
        columns = self._columns.groups[group]
        moved = self._moved[columns]
        if self._moved_back:
            moved = [list(map(sub, *pair)) for pair in zip(moved, self._moved_back[columns])]
        totals, other_totals = self._totals
        return Trials(self._columns.scales[columns], totals[columns], other_totals[columns], moved)


class Trials:
    """Several trials of two systems under one metric. For the arguments, see `PairTrials`."""

    def __init__(self, scales: Sequence[int], totals: Sequence[int], other_totals: Sequence[int],
                 moved: Sequence[Sequence[int]]) -> None:
        self._scales = scales
        self._totals = totals
        self._other_totals = other_totals
        self._moved = moved

    def __len__(self) -> int:
        return len(self._moved[0])

    def sums(self) -> tuple[Sums, Sums]:
        """Return the column sums of both systems in each trial, in the form that `Metric.values` takes."""
        first: list[Sequence[int]] = []
        second: list[Sequence[int]] = []
        for total, other_total, column in zip(self._totals, self._other_totals, self._moved):
            first.append([total + number for number in column])
            second.append([other_total - number for number in column])
        return _unscaled(first, self._scales), _unscaled(second, self._scales)

    def exact(self, trial: int) -> tuple[list[int], list[int]]:
        """Return exact column sums of both systems in a trial, times a common denominator. (`sums` may round them.)"""
        common = common_multiple(self._scales)
        first: list[int] = []
        second: list[int] = []
        for scale, total, other_total, column in zip(self._scales, self._totals, self._other_totals, self._moved):
            first.append((total + column[trial]) * (common // scale))
            second.append((other_total - column[trial]) * (common // scale))
        return first, second

    def extremes(self, rises: Sequence[bool]) -> Trials:
        """Return two trials that bound all trials: the first system's best column sums, then its worst column sums.

        Args:
            rises: for each column, whether the score rises if the column rises. Otherwise, the score falls if the
                column rises.
        """
        moved = [[max(column), min(column)] if rising else [min(column), max(column)]
                 for rising, column in zip(rises, self._moved)]
        return Trials(self._scales, self._totals, self._other_totals, moved)


class _Packed:
    """Columns of integers, packed: each row becomes one integer, and a sum of these integers contains all column sums.

    The time for adding integers is in proportion to their bits. So the field of each column is only as wide as the sums
    of the column need, with a sign bit.

    Args:
        columns: the columns.
        bound: a function that returns the largest absolute value of the sums of a column.
        aligned: whether fields of up to 16 bits come first, widened to 16 bits. Such aligned fields are unpacked
            together as an array, in a twentieth of the time. But sums take longer, so aligned fields save time only in
            trials of many systems.

    Attributes:
        integers: the integer of each row.
        size: the number of bytes of all fields.
    """

    def __init__(self, columns: Sequence[Sequence[int]], bound: Callable[[Sequence[int]], int],
                 aligned: bool = False) -> None:
        self._related = _RelatedColumns(columns, bound)
        left = self._related.columns
        widths = [bound(column).bit_length() + 1 for column in left]
        #: The indices of columns with aligned fields; then the index and the width of each other field.
        self._short = [index for index, width in enumerate(widths) if aligned and width <= 16]
        self._others = [(index, width) for index, width in enumerate(widths) if not (aligned and width <= 16)]
        # The sign bits of all fields. These bits are added to a sum before the sum is unpacked, so that no field is
        # negative, and no field borrows from the next field.
        self._signs = 0
        self.integers = [0] * len(columns[0])
        start = 0
        for index, width in [*[(index, 16) for index in self._short], *self._others]:
            self._signs += 1 << start + width - 1
            self.integers = [integer + (number << start) for integer, number in zip(self.integers, left[index])]
            start += width
        self.size = -(-start // 8)

    def count_above(self, total: int) -> int:
        """Return how many integers were added to a sum, if `1 << 8 * size` was first added to each of them."""
        return (total + self._signs) >> 8 * self.size

    def unpack(self, totals: Sequence[int]) -> list[Sequence[int]]:
        """Unpack several sums of `integers`. Return, for each column, its sum in each of them."""
        shifted = [total + self._signs for total in totals]
        sums: dict[int, Sequence[int]] = dict(zip(self._short, self._unpacked_short(shifted)))
        start = 16 * len(self._short)
        for index, width in self._others:
            sign, mask = 1 << width - 1, (1 << width) - 1
            sums[index] = [(total >> start & mask) - sign for total in shifted]
            start += width
        return self._related.restored(sums)

    def _unpacked_short(self, shifted: Sequence[int]) -> Iterator[Sequence[int]]:
        """Yield the sums of each column with aligned fields."""
        count = len(self._short)
        mask = (1 << 16 * count) - 1
        # (If its sign bit is inverted, a field is a number in two's complement.)
        fields = [((total ^ self._signs) & mask).to_bytes(2 * count, "little") for total in shifted if count]
        numbers = array("h", b"".join(fields))
        if sys.byteorder == "big":
            numbers.byteswap()
        for index in range(count):
            yield numbers[index::count]


class _RelatedColumns:
    """Columns of integers. Some columns are replaced by their difference from an earlier column.

    Columns often differ by a constant: for example, most segments have one bigram less than words. Such differences are
    small numbers. Equal differences are stored only once. (The differences save a fifth of the time of `test` for
    twenty systems under BLEU, and no time for one system.)

    Attributes:
        columns: the columns and the differences, without repetitions.
    """

    def __init__(self, columns: Sequence[Sequence[int]], bound: Callable[[Sequence[int]], int]) -> None:
        left: dict[tuple[int, ...], int] = {}
        # For each column, its index in `self.columns`, or the index of its difference.
        indices: list[int] = []
        #: The columns that were replaced by a difference, each with the earlier column that was subtracted.
        self._bases: list[tuple[int, int]] = []
        # The first column with each pattern: a few numbers of the column, each minus the first number of the column.
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

    def restored(self, sums: Mapping[int, Sequence[int]]) -> list[Sequence[int]]:
        """Return the sums of the original columns, from the sums of `columns`."""
        restored = [sums[index] for index in self._indices]
        for index, base in self._bases:
            restored[index] = list(map(add, restored[index], restored[base]))
        return restored


def _common_denominator(column: Sequence[float]) -> int:
    """Return the factor that makes the numbers of a column integers.

    Mean reference lengths, such as 7/3, are rounded to floats. Other fractions have the denominators of their floats.

    >>> _common_denominator([1.0, 7 / 3, 0.25])
    12
    """
    fractions = {number for number in column if not float(number).is_integer()}
    if not fractions:
        return 1
    from fractions import Fraction

    denominators: list[int] = []
    for number in fractions:
        mean_length = Fraction(number).limit_denominator(_MAX_DENOMINATOR)
        denominators.append((mean_length if float(mean_length) == number else Fraction(number)).denominator)
    return common_multiple(denominators)


def common_multiple(numbers: Iterable[int]) -> int:
    """Return the least common multiple of numbers. (Python 3.8 lacks `math.lcm`.)

    >>> common_multiple([4, 6])
    12
    """
    multiple = 1
    for number in numbers:
        multiple *= number // gcd(multiple, number)
    return multiple


def bootstrap_totals(groups: Sequence[Rows], stream: RandomStream, count: int,
                     strata: Strata = None) -> Iterator[list[Sums]]:
    """Yield the column sums of each group in bootstrap resamples: samples with replacement, of the size of the corpus.

    Args:
        groups: rows of the same segments, such as those of several systems under several metrics.
        stream: the source of random numbers.
        count: the number of resamples.
        strata: the rows of each stratum. Each resample has the same number of rows of a stratum as the corpus.

    Returns:
        For each block of resamples, the column sums of each group.
    """
    columns = _Columns(groups)
    segments = len(groups[0])
    packed = _Packed(columns.columns, lambda column: max(map(abs, column)) * segments)
    for totals in _in_blocks(_resampled_totals(packed, stream, count, strata or [range(segments)])):
        yield columns.by_group(packed.unpack(totals))


def _resampled_totals(packed: _Packed, stream: RandomStream, count: int,
                      strata: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the sum of `packed.integers` over each resample."""
    # The bits above all fields count the sampled segments, because a stream may return 0 instead of a segment.
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
                         count: int) -> Iterator[tuple[tuple[int, int], PairTrials]]:
    """Yield the column sums of each group in trials of approximate randomization (Riezler and Maxwell, 2005).

    In a trial, the outputs of two systems for a segment are swapped with probability 1/2. A trial swaps the outputs of
    the same segments in all pairs of systems.

    Args:
        systems: for each system, its groups (the rows under each metric). All groups have the same segments.
        pairs: the pairs of systems to compare, by their indices. The caller may remove pairs from this list after each
            block. If the list is empty, the trials end.
        stream: the source of random bits; `None`: all possible trials are made (see `number_of_swaps`).
        count: the number of trials.

    Returns:
        Pairs of systems, each with several trials. First, each pair of systems has one trial that swaps no outputs.
        Then, for each block of trials, each pair has the trials of this block.
    """
    all_columns = _columns_of_systems(systems)
    baseline = all_columns[0]
    # A swap changes sums only by the difference between the two systems. So the rows of each system are replaced by
    # their differences from the rows of the first system, which are small numbers, and often zero.
    differences: list[Sequence[int]] = []
    for columns in all_columns[1:]:
        for column, baseline_column in zip(columns.columns, baseline.columns):
            differences.append(list(map(sub, column, baseline_column)))
    packed = _Packed(differences, lambda column: sum(map(abs, column)), aligned=len(systems) > _FEW_SYSTEMS)
    unmoved = [list(map(sum, columns.columns)) for columns in all_columns]
    width = len(baseline.columns)
    for one, two in pairs:
        yield (one, two), PairTrials(baseline, (unmoved[one], unmoved[two]), [[0]] * width)
    for totals in _in_blocks(tracked("randomizing", _swapped_totals(packed, stream, count), count)):
        if not pairs:
            return
        sums = packed.unpack(totals)
        # For each system, its differences from the first system, summed over the swapped segments.
        moved: list[list[Sequence[int]]] = [[]]
        moved += [sums[start:start + width] for start in range(0, len(sums), width)]
        for one, two in pairs:
            yield (one, two), PairTrials(baseline, (unmoved[one], unmoved[two]), moved[two], moved[one])


def _swapped_totals(packed: _Packed, stream: RandomStream | None, count: int) -> Iterator[int]:
    """Return the sum over the swapped segments in each random trial; without a stream, in each possible trial."""
    if stream is None:
        return _all_totals([(0, integer) for integer in packed.integers])
    select = _selection(packed.integers, packed.size)
    return (select(stream.bits(len(packed.integers))) for _ in range(count))


def selected_sums(columns: Sequence[Sequence[int]], bits: Iterable[bytes]) -> list[list[int]]:
    """Return the sums of columns over selected rows, for each of several selections.

    Args:
        columns: columns of integers, all of the same length.
        bits: for each selection, a bit for each row, which is 1 if the row is selected (eight bits to a byte, the
            lowest first).

    Returns:
        For each column, its sum over the rows of each selection.

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
    """Return the number of ways to swap the outputs of two systems.

    >>> number_of_swaps(3)
    8
    """
    return 1 << segments


def number_of_deals(segments: int, baseline_runs: int, system_runs: int) -> int:
    """Return the number of ways to deal the outputs of all runs of two systems to the two systems.

    By hand: the baseline has two runs, and the system has one. For each of two segments, the system gets one of three
    outputs. So there are 3 * 3 deals.

    >>> number_of_deals(2, 2, 1)
    9
    """
    return comb(baseline_runs + system_runs, baseline_runs) ** segments  # type: ignore[no-any-return]


def _all_totals(choices: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the sums of all ways to choose one integer from each of `choices`."""
    # `lows` has the sums for the last items of `choices`. Each of these sums is added to each sum for the first items.
    lows, others = [0], list(choices)
    while others and len(lows) * len(others[-1]) <= _SUMMED_BEFORE:
        lows = [total + choice for choice in others.pop() for total in lows]
    for high in map(sum, product(*others)):
        for low in lows:
            yield high + low


def stratified_totals(runs: Sequence[Sequence[Rows]], baseline_runs: int, stream: RandomStream | None,
                      count: int) -> Iterator[PairTrials]:
    """Yield the column sums of two systems with several runs each, in trials of stratified approximate randomization.

    In a trial, all outputs for a segment, of all runs of both systems, are *dealt* to the two systems at random, as
    cards are dealt to players. Each system gets as many outputs as it has runs. All deals are equally likely, and the
    deals of different segments are independent.

    Args:
        runs: the runs of the baseline, then the runs of the system. Each run has the same number of groups of rows.
        baseline_runs: the number of runs of the baseline.
        stream: the source of random bits; `None`: all possible trials are made (see `number_of_deals`).
        count: the number of trials.

    Returns:
        Trials of the baseline and the system: first one trial that moves no outputs, then each block of trials.

    Raises:
        PurebleuError: there are too many runs.
    """
    if len(runs) > _MAX_OUTPUTS:
        raise PurebleuError(f"the two systems have {len(runs)} runs, but at most {_MAX_OUTPUTS} runs can be compared")
    run_columns = _columns_of_systems(runs)
    first = run_columns[0]
    # The statistics of the last run are subtracted from the statistics of each run, because the differences are small,
    # and often zero.
    *others, last = [columns.columns for columns in run_columns]
    differences: list[Sequence[int]] = []
    for last_column, *other_columns in zip(last, *others):
        difference: list[int] = []  # the numbers of all other runs, one run after another
        for column in other_columns:
            difference += map(sub, column, last_column)
        differences.append(difference)
    packed = _Packed(differences, lambda column: sum(map(abs, column)))
    segments = len(last[0])
    integers = [packed.integers[start:start + segments] for start in range(0, len(packed.integers), segments)]
    totals = [list(map(sum, columns.columns)) for columns in run_columns]
    grand_totals = list(map(sum, zip(*totals)))
    # (In `packed`, the statistics of the last run are 0. The totals of the last run are added here.)
    unmoved = [baseline_runs * total for total in totals[-1]]
    both = unmoved, list(map(sub, grand_totals, unmoved))
    own = list(map(sum, zip(*totals[:baseline_runs])))
    yield PairTrials(first, both, [[number] for number in map(sub, own, unmoved)])
    dealt = _dealt_totals(integers, segments, baseline_runs, stream, count)
    for block in _in_blocks(tracked("randomizing", dealt, count)):
        yield PairTrials(first, both, packed.unpack(block))


def _dealt_totals(integers: Sequence[Sequence[int]], segments: int, baseline_runs: int, stream: RandomStream | None,
                  count: int) -> Iterator[int]:
    """Return, for each of `count` random trials, the sum of the outputs that the baseline gets.

    Args:
        integers: for each run except the last, the integer of each segment. (The outputs of the last run are 0.)
        segments: the number of segments.
        baseline_runs: the number of outputs of each segment that the baseline gets.
        stream: the source of random bits; `None`: all possible trials are made.
        count: the number of trials.
    """
    if stream is None:
        return _all_totals([list(map(sum, combinations((*outputs, 0), baseline_runs))) for outputs in zip(*integers)])
    sample = _subset_sampler(len(integers) + 1, baseline_runs, stream)
    return (sum([sum(compress(run_integers, taken)) for run_integers, taken in zip(integers, sample(segments))])
            for _ in range(count))


def _subset_sampler(outputs: int, size: int, stream: RandomStream) -> Callable[[int], Iterator[bytes]]:
    """Return a function that draws a random subset of the outputs of each segment. A subset has `size` outputs.

    The argument of the function is the number of segments. For each output except the last, the function yields a byte
    for each segment: 1 if the output is in the segment's subset, else 0. The probability of 1 is the number of outputs
    that the subset still needs, divided by the number of outputs that have not been decided yet. So all subsets are
    equally likely (selection sampling; Knuth, volume 2, section 3.4.2).
    """
    numbers = [_number_sampler(left, stream) for left in range(outputs, 1, -1)]

    def sample(segments: int) -> Iterator[bytes]:
        ones = int.from_bytes(b"\1" * segments, "little")
        needed = ones * size
        for sample_numbers in numbers:
            # Before the shift, the highest bit of each byte is set if the random number of the byte is below `needed`.
            taken = needed + ones * 127 - int.from_bytes(sample_numbers(segments), "little") >> 7 & ones
            needed -= taken
            yield taken.to_bytes(segments, "little")

    return sample


def _number_sampler(limit: int, stream: RandomStream) -> Callable[[int], bytes]:
    """Return a function that draws as many random bytes as its argument says, all below the limit (at most 256)."""
    remainders = bytes([byte % limit for byte in range(256)])
    # The highest bytes are left out, because they would make low remainders more likely than high remainders.
    unfair = bytes(range(256 - 256 % limit, 256))

    def sample(count: int) -> bytes:
        numbers = b""
        while len(numbers) < count:
            numbers += stream.bits(8 * (count - len(numbers))).translate(remainders, unfair)
        return numbers

    return sample


def spread_bits(bits: bytes) -> bytes:
    """Return, for each bit, a byte that is 0 or 1. The lowest bit of each byte comes first.

    >>> list(spread_bits(b"\x05"))
    [1, 0, 1, 0, 0, 0, 0, 0]
    """
    return b"".join(map(_BITS.__getitem__, bits))


def _selection(integers: Sequence[int], size: int) -> Callable[[bytes], int]:
    """Return a function from bits, eight to a byte, to the sum of the integers whose bits are set.

    `size` is the number of bytes of an integer.
    """
    if len(integers) * 4 * size > _MAX_BYTES:
        return lambda bits: sum(compress(integers, spread_bits(bits)))
    # Each table has the 16 sums that half a byte can select, so one addition handles four bits. (Tables of 256 sums for
    # whole bytes would take longer, because they do not fit into the processor's cache.)
    tables: list[list[int]] = []
    for start in range(0, len(integers), 4):
        table = [0]
        for integer in integers[start:start + 4]:
            table += [partial + integer for partial in table]
        tables.append(table)
    low_tables, high_tables = tables[::2], tables[1::2]
    return lambda bits: (sum(map(_item, low_tables, bits.translate(_LOW_HALVES)))
                         + sum(map(_item, high_tables, bits.translate(_HIGH_HALVES))))
