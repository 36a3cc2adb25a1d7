"""Streams of random numbers for resampling.

The default is Python's own generator. The other one is NumPy's (`numpy_stream`): sacreBLEU samples from it, so its
intervals and p-values can be computed to the last digit.
"""

from __future__ import annotations

import os
from itertools import chain
from operator import itemgetter

from ...errors import OptionError, whole_number
from ..bits import field_numbers
from .numpy_stream import NumpyGenerator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Sequence, Union

    from ...hints import Seed

    RandomStream = Union["MersenneTwister", "NumpyGenerator"]

#: The largest number of digits of a seed. (Python refuses to convert 4300 or more.)
_MAX_SEED_DIGITS = 1000

#: The number of draws that are computed together: so few that they stay in the processor's cache.
_DRAWN_TOGETHER = 2048


class MersenneTwister:
    """Python's generator, the same on every version of Python since 3.2."""

    #: The name of the stream in signatures; `None` leaves it out.
    SIGNATURE: str | None = "mt19937"

    #: The type of numbers with which scores of bootstrap resamples are computed; `None`: the type of the sums.
    NUMBER: type[float] | None = None

    #: Whether resamples for intervals use the random numbers after those of a randomization test. (The baseline's do
    #: not.)
    CONTINUES_AFTER_TRIALS = False

    #: Whether two differences count as different if only rounding errors distinguish them, as in sacreBLEU.
    TELLS_ROUNDING_APART = False

    def __init__(self, seed: int | None) -> None:
        import random

        self._random = random.Random(seed)

    def sampler(self, items: Sequence[int]) -> Callable[[int], Iterable[int]]:
        """Return a function that samples a number of items with replacement. A 0 among them means: draw again.

        The random numbers have 16 bits. Some of them would make some items more likely than others, and give a 0
        instead.
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
        """Return `count` random bits, eight to a byte, the lowest first. The rest of the last byte is zero."""
        return self._random.getrandbits(count).to_bytes(-(-count // 8), "little") if count else b""


def _sampler_of_many(items: Sequence[int], getrandbits: Callable[[int], int]) -> Callable[[int], Iterable[int]]:
    """Return a function that samples a number of items as `random.choices` does.

    For 100,000 segments, most of the time would be spent on waiting for memory. So equal items become the same object,
    and the items of a block are looked up together, which halves the time. (Many segments have the statistics of
    another one.)
    """
    shared: dict[int, int] = {}
    items = [shared.setdefault(item, item) for item in items]
    choices = len(items)
    # Each draw takes two numbers of 32 bits. The upper 27 bits of the first and the upper 26 bits of the second make a
    # fraction. The index is the integer part of that fraction times `choices`.
    upper = int.from_bytes(b"\xe0\xff\xff\xff\0\0\0\0" * _DRAWN_TOGETHER, "little")
    lower = int.from_bytes(b"\xc0\xff\xff\xff\0\0\0\0" * _DRAWN_TOGETHER, "little")
    carries = int.from_bytes(b"\xff\xff\xff\xff\x1f\0\0\0" * _DRAWN_TOGETHER, "little")

    def indices(count: int) -> Sequence[int]:
        drawn = getrandbits(64 * count)
        products = (drawn & upper) * choices + ((drawn >> 32 & lower) * choices >> 27 & carries)
        if b"\xff\xff\xff" not in products.to_bytes(8 * count, "little"):
            return field_numbers(products, 8 * count, "I")[1::2]
        # Maybe a product is so close to the next integer that `random.choices`, which computes with 53 bits, rounds it
        # up.
        numbers = field_numbers(drawn, 8 * count, "I")
        return [int(((first >> 5 << 26) + (second >> 6)) / (1 << 53) * choices)
                for first, second in zip(numbers[::2], numbers[1::2])]

    def sample(count: int) -> Iterable[int]:
        sizes = [min(_DRAWN_TOGETHER, count - start) for start in range(0, count, _DRAWN_TOGETHER)]
        # (For a single index, `itemgetter` returns the bare item.)
        return chain.from_iterable(itemgetter(*indices(size))(items) if size > 1 else [items[indices(1)[0]]]
                                   for size in sizes)

    return sample


#: The streams, by their names in `--rng`.
STREAMS: dict[str, type[RandomStream]] = {"mt19937": MersenneTwister, "numpy": NumpyGenerator}


def make_stream(name: str, seed: int | None) -> RandomStream:
    """Return a random stream, at its beginning.

    Args:
        name: one of `STREAMS`, or `environment` (see `resolved_rng`).
        seed: a number from 0 upwards; `None`: a different one every time.

    Raises:
        OptionError: there is no stream of this name.
    """
    return STREAMS[resolved_rng(name)](seed)


def resolved_rng(name: str) -> str:
    """Return the name of a stream. For `environment`, it is that in `PUREBLEU_RNG`, or else `mt19937`.

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
    """Return the seed; for `environment`, that of the environment."""
    if seed == "environment":
        return seed_from_environment()
    return None if seed is None else whole_number("seed", seed)


def seed_from_environment() -> int | None:
    """Return the seed in `PUREBLEU_SEED`, or else in `SACREBLEU_SEED`; by default, 12345. "none" means `None`.

    Raises `OptionError` for anything else that is no number from 0 upwards.
    """
    for variable in ("PUREBLEU_SEED", "SACREBLEU_SEED"):
        if variable in os.environ:
            return parse_seed(os.environ[variable], variable)
    return 12345


def parse_seed(text: str, name: str) -> int | None:
    """Return the seed in a text.

    Args:
        text: digits, or "none".
        name: the origin of the text, for the error.

    Returns:
        The seed; `None`: a different one every time.

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
