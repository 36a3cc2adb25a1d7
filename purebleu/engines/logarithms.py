"""Binary logarithms and powers of two as fixed-point numbers (see `fixed_point`).

The C library's differ in the last bit between machines. These are the same everywhere, and their sums are exact.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

#: The number of bits behind the binary point of a logarithm.
LOGARITHM_BITS = 64

#: The number of bits behind the binary point of a power, and of intermediate values of logarithms. (Each bit of a
#: logarithm takes a squaring, which doubles the relative error.)
POWER_BITS = 2 * LOGARITHM_BITS + 16


@lru_cache(1 << 16)
def fixed_log2(number: int) -> int:
    """The binary logarithm of an integer above 0, times `2 ** LOGARITHM_BITS`, rounded down.

    Example:
        >>> fixed_log2(8) >> LOGARITHM_BITS, fixed_log2(10) / 2 ** LOGARITHM_BITS
        (3, 3.321928094887362)
    """
    logarithm = number.bit_length() - 1
    rest = (number << POWER_BITS) >> logarithm  # from 1 to 2; its square is above 2 where the next bit is set
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
