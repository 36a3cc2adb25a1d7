"""Exact sums of floats, as fixed-point numbers: integers in units of a negative power of two.

A sum of floats is rounded with every addition, and so depends on their order. A sum of integers does not: the segments
of a corpus may be added up by several processes, or as samples, in any order.
"""

from __future__ import annotations

#: The number of bits behind the binary point of a quotient of two counts in a segment (of words, say), and of the
#: harmonic mean of two such quotients. No bit is lost: a float above 2**-52 is a multiple of 2**-104, because it has 53
#: bits; and a quotient below that would take a segment of some 2**50 characters, more than an address space of 48 bits.
QUOTIENT_BITS = 104


def truncate_to_fixed(number: float, bits: int) -> int:
    """A number as a fixed-point number: times `2 ** bits`, rounded down.

    Args:
        number: not negative.
        bits: the number of bits behind the binary point, at most 1023.

    Example:
        >>> truncate_to_fixed(0.375, 4)
        6
    """
    return int(number * 2.0 ** bits)  # (The product is exact, because only the exponent changes.)


def fixed_mean(total: float, count: float, bits: int) -> float:
    """The mean of fixed-point numbers as a float, rounded once.

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
