"""Streams of random numbers for resampling.

The default is Python's own generator. The other is NumPy's, computed here: sacreBLEU samples from it, so the intervals
and p-values that it publishes can be had to the last digit.
"""

from __future__ import annotations

import os
import sys
from array import array

from ...errors import OptionError
from .single import Single

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Iterator, Literal, Sequence, Union

    RandomStream = Union["MersenneTwister", "NumpyGenerator"]

    #: A seed; `None` for another one every time; or what the environment says.
    Seed = Union[int, Literal["environment"], None]

#: Limit of the digits of a seed. (From 4300 on, Python refuses to make a number of them.)
_MAX_SEED_DIGITS = 1000

_32_BITS = 0xFFFFFFFF
_64_BITS = 0xFFFFFFFFFFFFFFFF
_128_BITS = (1 << 128) - 1


class MersenneTwister:
    """Python's generator, the same on every version of Python since 3.2."""

    #: What a signature says of the stream; `None` leaves it out.
    SIGNATURE: str | None = "mt19937"

    #: What scores of bootstrap resamples are computed with; `None`: with the sums as they are, which are exact.
    NUMBER: type[float] | None = None

    #: Whether intervals beside a randomization test go on where its trials ended, except for the baseline.
    CONTINUES_AFTER_TRIALS = False

    def __init__(self, seed: int | None) -> None:
        import random

        self._random = random.Random(seed)

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        """A function from a number to a sample of that many items, with replacement, a few of which may be 0 instead.

        It takes random numbers of 16 bits; 0 stands for those that would make some items more likely than others.
        """
        if len(items) > 1 << 16:
            return lambda count: self._random.choices(items, k=count)
        table = list(items) * ((1 << 16) // len(items))
        table += [0] * ((1 << 16) - len(table))

        def sample(count: int) -> Iterable[int]:
            numbers = array("H", self._random.getrandbits(16 * count).to_bytes(2 * count, "little"))
            if sys.byteorder == "big":
                numbers.byteswap()
            return map(table.__getitem__, numbers)

        return sample

    def bits(self, count: int) -> bytes:
        """`count` random bits, eight to a byte, the lowest first; what is left of the last byte is zero."""
        return self._random.getrandbits(count).to_bytes(-(-count // 8), "little") if count else b""


class NumpyGenerator:
    """The numbers of `numpy.random.default_rng(seed)`: a permuted congruential generator (O'Neill, 2014; PCG64).

    A sampler does as `Generator.choice`, `bits` as `Generator.integers(2, dtype=bool)`, provided that all random bits
    are taken from a generator before it is used for anything else.
    """

    #: sacreBLEU signs nothing for it.
    SIGNATURE: str | None = None

    #: sacreBLEU-compat: scores of bootstrap resamples are right to the seventh digit only. (fixtures: resampling)
    NUMBER: type[float] | None = Single

    #: sacreBLEU-compat: its resamples of all systems but the first are others than beside a bootstrap test.
    #: (fixtures: tables)
    CONTINUES_AFTER_TRIALS = True

    def __init__(self, seed: int | None) -> None:
        entropy = int.from_bytes(os.urandom(16), "little") if seed is None else seed
        self._halves = _halves(_words(entropy))
        self._bits = 0
        self._bits_left = 0

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        """A function from a number to a sample of that many items, with replacement."""
        if len(items) == 1:
            return lambda count: list(items) * count  # NumPy takes no random number where there is no choice
        choices = len(items)
        # Lemire (2019): the high half of a product is the index, unless the low half is among those that would make
        # some indices more likely than others.
        unfair = (1 << 32) % choices

        def sample(count: int) -> Iterable[int]:
            sampled: list[int] = []
            for number in self._halves:
                product = number * choices
                if product & _32_BITS >= unfair:
                    sampled.append(items[product >> 32])
                    if len(sampled) == count:
                        break
            return sampled

        return sample

    def bits(self, count: int) -> bytes:
        """`count` random bits, eight to a byte, the lowest first; what is left of the last byte is zero."""
        while self._bits_left < count:
            self._bits |= next(self._halves) << self._bits_left
            self._bits_left += 32
        bits = self._bits & (1 << count) - 1
        self._bits >>= count
        self._bits_left -= count
        return bits.to_bytes(-(-count // 8), "little")


def _halves(words: Sequence[int]) -> Iterator[int]:
    """The numbers of 32 bits of PCG64, the low half of each of its numbers first, from four words of seed."""
    multiplier = 0x2360ED051FC65DA44385DF649FCCF645
    increment = (words[2] << 65 | words[3] << 1 | 1) & _128_BITS
    state = increment + (words[0] << 64 | words[1])
    state = (state * multiplier + increment) & _128_BITS
    while True:
        state = (state * multiplier + increment) & _128_BITS
        mixed = (state >> 64 ^ state) & _64_BITS
        rotation = state >> 122
        mixed = mixed >> rotation | mixed << (64 - rotation) & _64_BITS
        yield mixed & _32_BITS
        yield mixed >> 32


def _words(entropy: int) -> list[int]:
    """Four words of 64 bits that NumPy's `SeedSequence` makes of a number from 0 upwards."""
    pool_size = 4
    parts = [entropy >> bit & _32_BITS for bit in range(0, max(1, entropy.bit_length()), 32)]
    hashing = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [hashing(part) for part in [*parts, *[0] * pool_size][:pool_size]]
    for source in range(pool_size):
        for target in range(pool_size):
            if source != target:
                pool[target] = _mix(pool[target], hashing(pool[source]))
    for part in parts[pool_size:]:
        for target in range(pool_size):
            pool[target] = _mix(pool[target], hashing(part))
    output = _Hash(0x8B51F9DD, 0x58F38DED)
    numbers = [output(pool[index % pool_size]) for index in range(8)]
    return [low | high << 32 for low, high in zip(numbers[::2], numbers[1::2])]


class _Hash:
    """A hash of 32 bits whose constant changes with every use."""

    def __init__(self, constant: int, multiplier: int) -> None:
        self._constant = constant
        self._multiplier = multiplier

    def __call__(self, value: int) -> int:
        value ^= self._constant
        self._constant = self._constant * self._multiplier & _32_BITS
        value = value * self._constant & _32_BITS
        return value ^ value >> 16


def _mix(one: int, other: int) -> int:
    mixed = (one * 0xCA01F9DD - other * 0x4973F715) & _32_BITS
    return mixed ^ mixed >> 16


#: The streams by the names that `--rng` takes.
STREAMS: dict[str, type[RandomStream]] = {"mt19937": MersenneTwister, "numpy": NumpyGenerator}


def make_stream(name: str, seed: int | None) -> RandomStream:
    """A random stream, at its beginning.

    Args:
        name: one of `STREAMS`.
        seed: from 0 upwards; `None` for another one every time.

    Raises:
        OptionError: there is no stream of this name.
    """
    if name not in STREAMS:
        raise OptionError(f"unknown random stream {name!r}; there are {', '.join(STREAMS)}")
    return STREAMS[name](seed)


def resolved_seed(seed: Seed) -> int | None:
    """The seed itself, or the one that the environment asks for."""
    return seed_from_environment() if seed == "environment" else seed


def seed_from_environment() -> int | None:
    """The seed that `PUREBLEU_SEED`, or else `SACREBLEU_SEED`, asks for: 12345 by default; `None` for "none".

    Raises `OptionError` for anything else but a number from 0 upwards.
    """
    for variable in ("PUREBLEU_SEED", "SACREBLEU_SEED"):
        if variable in os.environ:
            return parse_seed(os.environ[variable], variable)
    return 12345


def parse_seed(text: str, name: str) -> int | None:
    """The seed that a text stands for.

    Args:
        text: digits, or "none".
        name: where the text comes from, for the error.

    Returns:
        The seed; `None` for another one every time.

    Raises:
        OptionError: the text is neither, or too long.
    """
    if text.strip().lower() == "none":
        return None
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        raise OptionError(f"{name} is {text!r}, but a seed is a whole number from 0 upwards, or 'none'")
    if len(digits) > _MAX_SEED_DIGITS:
        raise OptionError(f"{name} has {len(digits)} digits, but a seed has at most {_MAX_SEED_DIGITS}")
    return int(digits)
