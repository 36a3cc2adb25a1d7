"""Streams of random numbers for resampling.

The default is the generator of Python's `random`. The alternative is NumPy's generator, which sacreBLEU uses. With
NumPy's generator, and its arithmetic in float32, intervals and p-values equal sacreBLEU's to the last digit.
"""

from __future__ import annotations

import os
import sys
from array import array
from itertools import chain
from operator import itemgetter
from struct import Struct

from ...runtime.errors import OptionError, whole_number
from ...runtime.hints import Callable, Iterable, Iterator, Seed, Sequence
from ..bits import bit_planes, field_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    RandomStream = Union["MersenneTwister", "NumpyGenerator"]

#: The largest number of digits of a seed. (Python refuses to convert more than 4300.)
_MAX_SEED_DIGITS = 1000

#: The number of draws that are computed together. (Their numbers fit into the processor's cache.)
_DRAWN_TOGETHER = 2048


class MersenneTwister:
    """The generator of Python's `random`, whose numbers are the same on every version of Python since 3.2."""

    #: The name of the stream in signatures; `None`: signatures do not name the stream.
    SIGNATURE: str | None = "mt19937"

    #: The type of numbers that scores of bootstrap resamples are computed with; `None`: the type of the sums.
    NUMBER: type[float] | None = None

    #: Whether the resamples for intervals continue the stream of a randomization test. Otherwise, the resamples begin a
    #: new stream. (The resamples of the baseline always begin a new stream.)
    CONTINUES_AFTER_TRIALS = False

    #: Whether two score differences count as different even if only rounding errors distinguish them (as in sacreBLEU).
    TELLS_ROUNDING_APART = False

    def __init__(self, seed: int | None) -> None:
        import random

        self._random = random.Random(seed)

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        """Return a function that samples a number of items with replacement. If the function returns a 0, draw again.

        For up to 65,536 items, a table has an item for each random number of 16 bits. All items are in the table
        equally often. For the remaining random numbers, the table has 0.
        """
        if len(items) > 1 << 16:
            return _sampler_of_many(items, self._random.getrandbits)
        table = list(items) * ((1 << 16) // len(items))
        table += [0] * ((1 << 16) - len(table))

        def sample(count: int) -> Iterable[int]:
            numbers = field_numbers(self._random.getrandbits(16 * count), 2 * count, "H")
            return map(table.__getitem__, numbers)

        return sample

    def bits(self, count: int) -> bytes:
        """Return `count` random bits, eight to a byte, the lowest first. Unused bits of the last byte are zero."""
        return self._random.getrandbits(count).to_bytes(-(-count // 8), "little") if count else b""


def _sampler_of_many(items: Sequence[int], getrandbits: Callable[[int], int]) -> Callable[[int], Iterable[int]]:
    """Return a function that samples a number of items as `random.choices` does.

    For 100,000 items, waiting for memory would take most of the time. Two measures halve the time: equal items become
    the same object (many segments have equal statistics), and the items of many draws are looked up together.
    """
    shared: dict[int, int] = {}
    items = [shared.setdefault(item, item) for item in items]
    choices = len(items)
    # Each draw takes two random numbers of 32 bits, in a field of 64 bits. The upper 27 bits of the first number, and
    # the upper 26 bits of the second number, make a fraction. The index is the integer part of this fraction times
    # `choices`.
    upper = int.from_bytes(b"\xe0\xff\xff\xff\0\0\0\0" * _DRAWN_TOGETHER, "little")
    lower = int.from_bytes(b"\xc0\xff\xff\xff\0\0\0\0" * _DRAWN_TOGETHER, "little")
    carries = int.from_bytes(b"\xff\xff\xff\xff\x1f\0\0\0" * _DRAWN_TOGETHER, "little")

    def indices(count: int) -> Sequence[int]:
        drawn = getrandbits(64 * count)
        # Each field gets the fraction times `choices` times 2 ** 32. (The mask `carries` removes bits of other fields.)
        products = (drawn & upper) * choices + ((drawn >> 32 & lower) * choices >> 27 & carries)
        if b"\xff\xff\xff" not in products.to_bytes(8 * count, "little"):
            return field_numbers(products, 8 * count, "I")[1::2]
        # If a product is just below an integer, `random.choices`, which computes with 53 bits, may round the product
        # up.
        numbers = field_numbers(drawn, 8 * count, "I")
        return [int(((first >> 5 << 26) + (second >> 6)) / (1 << 53) * choices)
                for first, second in zip(numbers[::2], numbers[1::2])]

    def sample(count: int) -> Iterable[int]:
        sizes = [min(_DRAWN_TOGETHER, count - start) for start in range(0, count, _DRAWN_TOGETHER)]
        # (With a single index, `itemgetter` would return the item itself, not a tuple.)
        return chain.from_iterable(itemgetter(*indices(size))(items) if size > 1 else [items[indices(1)[0]]]
                                   for size in sizes)

    return sample


# NumPy's numbers

_24_BITS = 0xFFFFFF
_32_BITS = 0xFFFFFFFF
_64_BITS = 0xFFFFFFFFFFFFFFFF
_128_BITS = (1 << 128) - 1

#: The multiplier of PCG64, the number of states that are computed together, and the number of bytes for each state.
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_STATES = 256
_FIELD_SIZE = 32

#: The number of random numbers that are turned into indices together.
_TOGETHER = 2048

_FLOAT32 = Struct("f")


class Single(float):
    """A floating-point number of 32 bits (IEEE 754), like NumPy's `float32`.

    The result of arithmetic with a `Single` is a `Single`. An operand of another type is first rounded to float32.

    Example:
        >>> print(Single(1) / 3, 1 - Single(0.9))
        0.3333333432674408 0.10000002384185791
    """

    def __new__(cls, number: float) -> Single:
        return float.__new__(cls, _FLOAT32.unpack(_FLOAT32.pack(number))[0])

    def __abs__(self) -> Single:
        return Single(float.__abs__(self))

    def __gt__(self, other: float) -> bool:
        return float.__gt__(self, Single(other))


def _rounded(operation: Callable[[float, float], float]) -> Callable[[float, float], Single]:
    """Return a method of `Single` that rounds the result of an operation to float32."""
    def method(one: float, other: float) -> Single:
        return Single(operation(one, other if other.__class__ is Single else Single(other)))

    return method


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"):
    setattr(Single, f"__{_name}__", _rounded(getattr(float, f"__{_name}__")))


class NumpyGenerator:
    """The numbers of `numpy.random.default_rng(seed)`: a permuted congruential generator (O'Neill, 2014; PCG64).

    `sampler` samples as `Generator.choice` does. If no other method was called before, `bits` returns the bits of
    `Generator.integers(2, dtype=bool)`. `rounded_floats` returns the random bits of mt-metrics-eval.
    """

    #: sacreBLEU's signatures have no field for the random stream.
    SIGNATURE: str | None = None

    #: sacreBLEU-compat: scores of bootstrap resamples have only seven correct digits. (fixtures: resampling)
    NUMBER: type[float] | None = Single

    #: sacreBLEU-compat: after a randomization test, only the first system has the same resamples as in a bootstrap
    #: test. (fixtures: tables)
    CONTINUES_AFTER_TRIALS = True

    #: sacreBLEU-compat: floats are compared as if they had no rounding errors. (fixtures: tables)
    TELLS_ROUNDING_APART = True

    def __init__(self, seed: int | None) -> None:
        entropy = int.from_bytes(os.urandom(16), "little") if seed is None else seed
        self._blocks = _blocks(_words(entropy))
        self._ahead = b""  # random numbers that have been generated, but not taken
        self._bits = 0  # random bits that have not been taken
        self._bits_left = 0  # the number of these bits

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        """Return a function that samples a number of items with replacement."""
        if len(items) == 1:
            return lambda count: list(items) * count  # (NumPy needs no random number for a single item)
        choices = len(items)

        def sample(count: int) -> Iterable[int]:
            indices: list[int] = []
            while len(indices) < count:
                indices += _indices(self._take(min(count - len(indices), _TOGETHER)), choices)
            return map(items.__getitem__, indices)

        return sample

    def bits(self, count: int) -> bytes:
        """Return `count` random bits, eight to a byte, the lowest first. Unused bits of the last byte are zero."""
        missing = max(0, -(-(count - self._bits_left) // 32))
        self._bits |= int.from_bytes(self._take(missing), "little") << self._bits_left
        self._bits_left += 32 * missing
        bits = self._bits & (1 << count) - 1
        self._bits >>= count
        self._bits_left -= count
        return bits.to_bytes(-(-count // 8), "little")

    def rounded_floats(self, count: int) -> bytes:
        """Return the bits of `numpy.rint(Generator.random(count, numpy.float32))`, eight to a byte, the lowest first.

        Each bit is a float32 from 0 up to 1 that has been rounded to 0 or 1. The float is the upper 24 bits of a random
        number of 32 bits, divided by `2 ** 24`. The float 1/2 is rounded to 0.
        """
        ones = int.from_bytes(b"\1\0\0\0" * count, "little")
        floats = int.from_bytes(self._take(count), "little") >> 8 & ones * _24_BITS
        # A float above 1/2 carries into the highest of its four bytes.
        rounded = (floats + ones * (_24_BITS >> 1)).to_bytes(4 * count, "little")[3::4]
        return bit_planes(rounded, 1)[0].to_bytes(-(-count // 8), "little")

    def _take(self, count: int) -> bytes:
        """Return the next `count` numbers of 32 bits. The lowest byte of each number comes first."""
        size = 4 * count
        parts = [self._ahead]
        made = len(self._ahead)
        while made < size:
            parts.append(next(self._blocks))
            made += len(parts[-1])
        numbers = b"".join(parts)
        self._ahead = numbers[size:]
        return numbers[:size]


def _blocks(words: Sequence[int]) -> Iterator[bytes]:
    """Yield the numbers of PCG64, in blocks. A number has 64 bits, the lowest byte first. `words` is the seed.

    Each state is the state before, times a multiplier, plus an increment, modulo `2 ** 128`. The number of a state is
    the exclusive or of both halves of the state, rotated right by the upper six bits of the state.
    """
    increment = (words[2] << 65 | words[3] << 1 | 1) & _128_BITS
    states = [((increment + (words[0] << 64 | words[1])) * _MULTIPLIER + increment) & _128_BITS]
    while len(states) <= _STATES:
        states.append((states[-1] * _MULTIPLIER + increment) & _128_BITS)
    # From here on, the states of a block are *fields* of one integer (see `bits`). One multiplication and one addition
    # move each state `_STATES` steps ahead. A field has room for a product of 256 bits.
    multiplier = pow(_MULTIPLIER, _STATES, 1 << 128)
    ones = int.from_bytes((b"\1" + bytes(_FIELD_SIZE - 1)) * _STATES, "little")
    increments = ones * ((states[_STATES] - states[0] * multiplier) & _128_BITS)
    fields = int.from_bytes(b"".join([state.to_bytes(_FIELD_SIZE, "little") for state in states[1:]]), "little")
    low_halves = ones * _128_BITS
    size = _FIELD_SIZE * _STATES
    while True:
        mixed = field_numbers(fields ^ fields >> 64, size)[::_FIELD_SIZE // 8]
        rotations = fields.to_bytes(size, "little")[15::_FIELD_SIZE]  # the upper six bits of these bytes
        rotated = array("Q", [(number << 64 | number) >> (rotation >> 2) & _64_BITS
                              for number, rotation in zip(mixed, rotations)])
        if sys.byteorder == "big":
            rotated.byteswap()
        yield rotated.tobytes()
        fields = fields * multiplier + increments & low_halves


def _indices(numbers: bytes, choices: int) -> list[int]:
    """Return an index for each number of 32 bits: the high half of its product with `choices` (Lemire, 2019).

    Products whose low half is below `2 ** 32 % choices` are left out. Otherwise, some indices would be more likely.
    """
    count = len(numbers) // 4
    integer = int.from_bytes(numbers, "little")
    lowest = (1 << 32) % choices
    indices = [0] * count
    for first in range(2):  # (even and odd numbers apart, so that there is room for the products)
        fields = (count + 1 - first) // 2
        ones = int.from_bytes(b"\1\0\0\0\0\0\0\0" * fields, "little")
        low_halves = ones * _32_BITS
        products = (integer >> 32 * first & low_halves) * choices
        # (A product whose field in `fair` is 0 is left out. If a product is left out, all products are computed one by
        # one.)
        fair = (products & low_halves) + ones * ((1 << 32) - lowest) >> 32 & ones
        if fair != ones:
            each = [choices * int.from_bytes(numbers[start:start + 4], "little") for start in range(0, 4 * count, 4)]
            return [product >> 32 for product in each if product & _32_BITS >= lowest]
        indices[first::2] = field_numbers(products >> 32 & low_halves, 8 * fields)
    return indices


def _words(entropy: int) -> list[int]:
    """Return the four words of 64 bits that NumPy's `SeedSequence` makes of a number from 0 upwards."""
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
    """A hash function of 32 bits. Each call changes the constant of the function."""

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


# Names and seeds

#: The streams, by their names in `--rng`.
STREAMS: dict[str, type[RandomStream]] = {"mt19937": MersenneTwister, "numpy": NumpyGenerator}


def make_stream(name: str, seed: int | None) -> RandomStream:
    """Return a random stream, at its beginning.

    Args:
        name: a name in `STREAMS`, or `environment` (see `resolved_rng`).
        seed: a number from 0 upwards; `None`: a different seed every time.

    Raises:
        OptionError: there is no stream of this name.
    """
    return STREAMS[resolved_rng(name)](seed)


def resolved_rng(name: str) -> str:
    """Return the name of a stream. `environment` means the value of `PUREBLEU_RNG`, or `mt19937` without a value.

    Raises:
        OptionError: there is no stream of this name.
    """
    where = ""
    if name == "environment":
        name, where = os.environ.get("PUREBLEU_RNG", "mt19937"), " in PUREBLEU_RNG"
    if name not in tuple(STREAMS):
        raise OptionError(f"unknown random stream {name!r}{where}; choose from {', '.join(STREAMS)}")
    return name


def resolved_seed(seed: Seed) -> int | None:
    """Return the seed. `environment` stands for the seed of `seed_from_environment`."""
    if seed == "environment":
        return seed_from_environment()
    return None if seed is None else whole_number("seed", seed)


def seed_from_environment() -> int | None:
    """Return the seed in `PUREBLEU_SEED`, or else in `SACREBLEU_SEED`, or else 12345. "none" means `None`.

    Raises `OptionError` if the variable is neither "none" nor a whole number from 0 upwards.
    """
    for variable in ("PUREBLEU_SEED", "SACREBLEU_SEED"):
        if variable in os.environ:
            return parse_seed(os.environ[variable], variable)
    return 12345


def parse_seed(text: str, name: str) -> int | None:
    """Return the seed in a text.

    Args:
        text: digits, or "none".
        name: the name of the seed in errors, such as the name of an environment variable.

    Returns:
        The seed; `None`: a different seed every time.

    Raises:
        OptionError: the text is neither digits nor "none", or has too many digits.
    """
    if text.strip().lower() == "none":
        return None
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        raise OptionError(f"{name} is {text!r}, but a seed must be a whole number from 0 upwards, or 'none'")
    if len(digits) > _MAX_SEED_DIGITS:
        raise OptionError(f"{name} has {len(digits)} digits, but a seed can have at most {_MAX_SEED_DIGITS}")
    return int(digits)
