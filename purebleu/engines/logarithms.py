"""Binary logarithms and powers of two, as integers that count a fixed power of two below 1.

Those of the C library differ in the last bit between machines. These are the same everywhere, and their sums are exact.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

#: The bits behind the point of a logarithm.
LOGARITHM_BITS = 64

#: The bits behind the point of a power, and of what logarithms are computed with. (Squaring doubles the relative error
#: of a number, once for each bit of its logarithm.)
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
    for _ in range(LOGARITHM_BITS):
        rest = rest * rest >> POWER_BITS
        carry = rest >> POWER_BITS + 1
        rest >>= carry
        logarithm = logarithm << 1 | carry
    return logarithm


def fixed_exp2(exponent: int) -> int:
    """Two to the power of an exponent, times `2 ** POWER_BITS`, rounded down.

    Args:
        exponent: at most 0; it counts `2 ** -LOGARITHM_BITS`.

    Example:
        >>> fixed_exp2(-3 << LOGARITHM_BITS - 1) / 2 ** POWER_BITS, 2 ** -1.5
        (0.3535533905932738, 0.3535533905932738)
    """
    whole, fraction = exponent >> LOGARITHM_BITS, exponent & (1 << LOGARITHM_BITS) - 1
    power = 1 << POWER_BITS
    # Two to the power of the fraction is the product of the roots that belong to the bits set in it.
    for root in _roots():
        fraction <<= 1
        if fraction >> LOGARITHM_BITS & 1:
            power = power * root >> POWER_BITS
    return power >> min(-whole, 2 * POWER_BITS)


@lru_cache(1)
def _roots() -> list[int]:
    """The square root of 2, the square root of that, and so on, a number for each bit of a fraction."""
    roots = [isqrt(2 << 2 * POWER_BITS)]
    while len(roots) < LOGARITHM_BITS:
        roots.append(isqrt(roots[-1] << POWER_BITS))
    return roots
