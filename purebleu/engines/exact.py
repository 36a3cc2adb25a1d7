"""Fixed-point numbers: sums that do not depend on the order of additions, and logarithms equal on every machine."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

#: The number of bits after the binary point of a quotient of two counts in a segment, and of the harmonic mean of two
#: quotients. No bit is lost: a float above 2**-52 has 53 bits, so it is a multiple of 2**-104. (A quotient below 2**-52
#: would need a segment of about 2**50 characters, which no memory can hold.)
QUOTIENT_BITS = 104


def truncate_to_fixed(number: float, bits: int) -> int:
    """Return a number times `2 ** bits`, rounded down: a fixed-point number.

    Args:
        number: a number that is not negative.
        bits: the number of bits after the binary point, at most 1023.

    Example:
        >>> truncate_to_fixed(0.375, 4)
        6
    """
    return int(number * 2.0 ** bits)  # (the product is exact, because only the exponent changes)


def fixed_mean(total: float, count: float, bits: int) -> float:
    """Return the mean of fixed-point numbers as a float, rounded once.

    Args:
        total: the sum of the numbers, each from `truncate_to_fixed`.
        count: the number of numbers. If the count is 0, the mean is 0.
        bits: the number of bits after the binary point of each number.

    Example:
        >>> total = sum([truncate_to_fixed(number, 104) for number in (0.1, 0.2, 0.3)])
        >>> (0.1 + 0.2 + 0.3) / 3, fixed_mean(total, 3, 104)
        (0.20000000000000004, 0.2)
    """
    # (Python rounds the exact quotient of two integers to the nearest float.)
    return int(total) / (int(count) << bits) if count else 0.0


#: The number of bits after the binary point of a logarithm.
LOGARITHM_BITS = 64

#: The number of bits after the binary point of a power, and of the number that `fixed_log2` squares. (The number is
#: squared once for each bit of a logarithm, and each square doubles its relative error.)
POWER_BITS = 2 * LOGARITHM_BITS + 16


@lru_cache(1 << 16)
def fixed_log2(number: int) -> int:
    """Return the binary logarithm of an integer above 0, times `2 ** LOGARITHM_BITS`, rounded down.

    1. The part of the logarithm before the binary point is the number of bits of the integer, minus 1. `rest` is the
       integer divided by 2 to the power of this part. So `rest` is at least 1, and less than 2.
    2. To find the next bit of the logarithm, `rest` is squared, which doubles its logarithm. If the square is 2 or
       more, the next bit is 1, and the square is halved.

    Example:
        >>> fixed_log2(8) >> LOGARITHM_BITS, fixed_log2(10) / 2 ** LOGARITHM_BITS
        (3, 3.321928094887362)
    """
    logarithm = number.bit_length() - 1
    rest = (number << POWER_BITS) >> logarithm
    for _ in range(LOGARITHM_BITS):
        rest = rest * rest >> POWER_BITS
        carry = rest >> POWER_BITS + 1
        rest >>= carry
        logarithm = logarithm << 1 | carry
    return logarithm


def fixed_exp2(exponent: int) -> int:
    """Return two to the power of an exponent, times `2 ** POWER_BITS`, rounded down.

    Args:
        exponent: a fixed-point number with `LOGARITHM_BITS` bits after the point, at most 0.

    Example:
        >>> fixed_exp2(-3 << LOGARITHM_BITS - 1) / 2 ** POWER_BITS, 2 ** -1.5
        (0.3535533905932738, 0.3535533905932738)
    """
    whole, fraction = exponent >> LOGARITHM_BITS, exponent & (1 << LOGARITHM_BITS) - 1
    power = 1 << POWER_BITS
    # For each bit of the fraction that is 1, the result is multiplied by a root of 2: by 2 ** (1 / 2) for the first
    # bit, by 2 ** (1 / 4) for the second bit, and so on.
    for root in _roots():
        fraction <<= 1
        if fraction >> LOGARITHM_BITS & 1:
            power = power * root >> POWER_BITS
    return power >> min(-whole, 2 * POWER_BITS)


@lru_cache(1)
def _roots() -> list[int]:
    """Return the factors of `fixed_exp2`, one for each bit: two to the powers of 1/2, 1/4, 1/8 and so on."""
    roots = [isqrt(2 << 2 * POWER_BITS)]
    while len(roots) < LOGARITHM_BITS:
        roots.append(isqrt(roots[-1] << POWER_BITS))
    return roots
