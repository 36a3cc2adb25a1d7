"""Exact sums of floats, as integers that count a fixed power of two below 1.

Floats that are added up round with every addition, so that sums depend on their order. The sums of these integers
don't: parts of a corpus may be added up by several processes, or be sampled, in any order.
"""

from __future__ import annotations

#: The bits behind the point of a quotient of two counts of what a segment is made of, or of the harmonic mean of two
#: such quotients. That loses nothing: a float above 2**-52 is a multiple of 2**-104, for it has 53 bits; and it would
#: take a segment of some 2**50 characters to get below, which no address space of 48 bits has room for.
QUOTIENT_BITS = 104


def truncate_to_fixed(number: float, bits: int) -> int:
    """A number times `2 ** bits`.

    Args:
        number: not negative.
        bits: the number of bits behind the point, at most 1023; further bits of the number are cut off.

    Example:
        >>> truncate_to_fixed(0.375, 4)
        6
    """
    return int(number * 2.0 ** bits)  # (both are exact: the product differs in its exponent alone)


def fixed_mean(total: float, count: float, bits: int) -> float:
    """The mean of numbers, rounded once, from the sum of what `truncate_to_fixed` makes of them.

    Args:
        total: the sum.
        count: the number of numbers; without any, their mean is 0.
        bits: those that `truncate_to_fixed` was given.

    Example:
        >>> total = sum([truncate_to_fixed(number, 104) for number in (0.1, 0.2, 0.3)])
        >>> (0.1 + 0.2 + 0.3) / 3, fixed_mean(total, 3, 104)
        (0.20000000000000004, 0.2)
    """
    # (Integers are divided without an error but the last rounding.)
    return int(total) / (int(count) << bits) if count else 0.0
