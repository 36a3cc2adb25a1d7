"""Streams of random numbers for resampling.

The default is Python's own generator. The other is NumPy's, computed here: sacreBLEU samples from it, so the intervals
and p-values that it publishes can be had to the last digit.
"""

from __future__ import annotations

import os
import sys
from array import array

from ...errors import OptionError
from .numpy_stream import NumpyGenerator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Literal, Sequence, Union

    RandomStream = Union["MersenneTwister", "NumpyGenerator"]

    #: A seed; `None` for another one every time; or what the environment says.
    Seed = Union[int, Literal["environment"], None]

#: Limit of the digits of a seed. (From 4300 on, Python refuses to make a number of them.)
_MAX_SEED_DIGITS = 1000


class MersenneTwister:
    """Python's generator, the same on every version of Python since 3.2."""

    #: The name of the stream in signatures; `None` leaves it out.
    SIGNATURE: str | None = "mt19937"

    #: The type in which scores of bootstrap resamples are computed; `None`: from the sums as they are, which are exact.
    NUMBER: type[float] | None = None

    #: Whether intervals beside a randomization test go on from the end of its trials, except for the baseline.
    CONTINUES_AFTER_TRIALS = False

    #: Whether differences that are the same but for rounding are told apart, as sacreBLEU does.
    TELLS_ROUNDING_APART = False

    def __init__(self, seed: int | None) -> None:
        import random

        self._random = random.Random(seed)

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        """Return a function from a number to a sample of that many items, with replacement, a few of which may be 0 instead.

        It takes random numbers of 16 bits; 0 stands for those that would make some items more likely than others.
        """
        if len(items) > 1 << 16:
            return lambda count: map(items.__getitem__, self._choices(len(items), count))
        table = list(items) * ((1 << 16) // len(items))
        table += [0] * ((1 << 16) - len(table))

        def sample(count: int) -> Iterable[int]:
            numbers = array("H", self._random.getrandbits(16 * count).to_bytes(2 * count, "little"))
            if sys.byteorder == "big":
                numbers.byteswap()
            return map(table.__getitem__, numbers)

        return sample

    def _choices(self, choices: int, count: int) -> Sequence[int]:
        """`count` of the numbers below `choices`, as `random.choices` draws them, which computes one after another."""
        # Each draw takes two numbers of 32 bits. The upper 27 bits of the first, then the upper 26 of the second, are
        # those of a fraction; the draw is the integer part of this times `choices`.
        state = self._random.getstate()
        drawn = self._random.getrandbits(64 * count)
        upper = int.from_bytes(b"\xe0\xff\xff\xff\0\0\0\0" * count, "little")
        lower = int.from_bytes(b"\xc0\xff\xff\xff\0\0\0\0" * count, "little")
        carried = (drawn >> 32 & lower) * choices >> 27
        carried &= int.from_bytes(b"\xff\xff\xff\xff\x1f\0\0\0" * count, "little")
        products = array("I", ((drawn & upper) * choices + carried).to_bytes(8 * count, "little"))
        if sys.byteorder == "big":
            products.byteswap()
        if max(products[::2]) >= 0xFFFFFFFF - (choices >> 21):
            # So near to the next number, `random.choices` may have rounded to it: it has 53 bits for the product.
            self._random.setstate(state)
            return self._random.choices(range(choices), k=count)
        return products[1::2]

    def bits(self, count: int) -> bytes:
        """`count` random bits, eight to a byte, the lowest first; what is left of the last byte is zero."""
        return self._random.getrandbits(count).to_bytes(-(-count // 8), "little") if count else b""


#: The streams by the names that `--rng` takes.
STREAMS: dict[str, type[RandomStream]] = {"mt19937": MersenneTwister, "numpy": NumpyGenerator}


def make_stream(name: str, seed: int | None) -> RandomStream:
    """Return a random stream, at its beginning.

    Args:
        name: one of `STREAMS`, or `environment` (see `resolved_rng`).
        seed: from 0 upwards; `None` for another one every time.

    Raises:
        OptionError: there is no stream of this name.
    """
    return STREAMS[resolved_rng(name)](seed)


def resolved_rng(name: str) -> str:
    """Return the name of a stream itself, or for `environment` the one that `PUREBLEU_RNG` asks for (else `mt19937`).

    Raises:
        OptionError: there is no stream of this name.
    """
    where = ""
    if name == "environment":
        name, where = os.environ.get("PUREBLEU_RNG", "mt19937"), " in PUREBLEU_RNG"
    if name not in STREAMS:
        raise OptionError(f"unknown random stream {name!r}{where}; there are {', '.join(STREAMS)}")
    return name


def resolved_seed(seed: Seed) -> int | None:
    """Return the seed itself, or the one that the environment asks for."""
    return seed_from_environment() if seed == "environment" else seed


def seed_from_environment() -> int | None:
    """Return the seed that `PUREBLEU_SEED`, or else `SACREBLEU_SEED`, asks for: 12345 by default; `None` for "none".

    Raises `OptionError` for anything else but a number from 0 upwards.
    """
    for variable in ("PUREBLEU_SEED", "SACREBLEU_SEED"):
        if variable in os.environ:
            return parse_seed(os.environ[variable], variable)
    return 12345


def parse_seed(text: str, name: str) -> int | None:
    """Return the seed that a text stands for.

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
