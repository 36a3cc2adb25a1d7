"""Sums of floats that depend on no order, and logarithms that are the same on every machine: fixed-point numbers."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

#: The number of bits behind the binary point of a quotient of two counts in a segment (of words, say), and of the
#: harmonic mean of two such quotients. No bit is lost: a float above 2**-52 is a multiple of 2**-104, because it has 53
#: bits; and a quotient below that would take a segment of some 2**50 characters, more than an address space of 48 bits.
QUOTIENT_BITS = 104


def truncate_to_fixed(number: float, bits: int) -> int:
    """Return a number as a fixed-point number: times `2 ** bits`, rounded down.

    Args:
        number: not negative.
        bits: the number of bits behind the binary point, at most 1023.

    Example:
        >>> truncate_to_fixed(0.375, 4)
        6
    """
    return int(number * 2.0 ** bits)  # (The product is exact, because only the exponent changes.)


def fixed_mean(total: float, count: float, bits: int) -> float:
    """Return the mean of fixed-point numbers as a float, rounded once.

    Args:
        total: the sum of the numbers, each from `truncate_to_fixed`.
        count: the number of numbers; the mean of none is 0.
        bits: the number of bits behind their binary point.

    Example:
        >>> total = sum([truncate_to_fixed(number, 104) for number in (0.1, 0.2, 0.3)])
        >>> (0.1 + 0.2 + 0.3) / 3, fixed_mean(total, 3, 104)
        (0.20000000000000004, 0.2)
    """
    # (The quotient of two integers is the float nearest to the exact one.)
    return int(total) / (int(count) << bits) if count else 0.0


#: The number of bits behind the binary point of a logarithm.
LOGARITHM_BITS = 64

#: The number of bits behind the binary point of a power, and of intermediate values of logarithms. (Each bit of a
#: logarithm takes a squaring, which doubles the relative error.)
POWER_BITS = 2 * LOGARITHM_BITS + 16


@lru_cache(1 << 16)
def fixed_log2(number: int) -> int:
    """Return the binary logarithm of an integer above 0, times `2 ** LOGARITHM_BITS`, rounded down.

    Example:
        >>> fixed_log2(8) >> LOGARITHM_BITS, fixed_log2(10) / 2 ** LOGARITHM_BITS
        (3, 3.321928094887362)
    """
    logarithm = number.bit_length() - 1
    rest = (number << POWER_BITS) >> logarithm  # from 1 to 2; its square is above 2 if the next bit is set
    # Digit by digit: squaring the rest doubles its logarithm, so that the next bit gets before the point.
    for _ in range(LOGARITHM_BITS):
        rest = rest * rest >> POWER_BITS
        carry = rest >> POWER_BITS + 1
        rest >>= carry
        logarithm = logarithm << 1 | carry
    return logarithm


def fixed_exp2(exponent: int) -> int:
    """Two to the power of an exponent, times `2 ** POWER_BITS`, rounded down.

    Args:
        exponent: a fixed-point number with `LOGARITHM_BITS` bits behind the point, at most 0.

    Example:
        >>> fixed_exp2(-3 << LOGARITHM_BITS - 1) / 2 ** POWER_BITS, 2 ** -1.5
        (0.3535533905932738, 0.3535533905932738)
    """
    whole, fraction = exponent >> LOGARITHM_BITS, exponent & (1 << LOGARITHM_BITS) - 1
    power = 1 << POWER_BITS
    # Two to the power of the fraction is the product of one root for each bit that is set in it: 2 ** (1 / 2) for the
    # first bit behind the point, 2 ** (1 / 4) for the second, and so on.
    for root in _roots():
        fraction <<= 1
        if fraction >> LOGARITHM_BITS & 1:
            power = power * root >> POWER_BITS
    return power >> min(-whole, 2 * POWER_BITS)


@lru_cache(1)
def _roots() -> list[int]:
    """Two to the powers of 1/2, 1/4, 1/8 and so on, a number for each bit of a fraction."""
    roots = [isqrt(2 << 2 * POWER_BITS)]
    while len(roots) < LOGARITHM_BITS:
        roots.append(isqrt(roots[-1] << POWER_BITS))
    return roots
