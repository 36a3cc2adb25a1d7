"""Power: the smallest difference that a test set can show, and the number of segments that a difference needs.

All figures are normal approximations from the standard error of the difference, for a two-sided test at 5 % with a
power of 80 % (Card et al., 2020). They are for a difference that is stated beforehand: the "observed power" of a
measured difference says nothing beyond its p-value (Hoenig and Heisey, 2001).
"""

from __future__ import annotations

from math import ceil, erf, sqrt

#: The quantiles 0.975 and 0.8 of the normal distribution, as `statistics.NormalDist` computes them. (Minimal Pythons
#: lack that module.)
_Z_OF_LEVEL = 1.9599639845400536
_Z_OF_POWER = 0.8416212335729144

#: The power with which a difference should be found.
POWER = 0.8

#: For a single system, assumed correlations between its scores over resamples and those of another system.
CORRELATIONS = (0.5, 0.8, 0.9)


def detectable_difference(standard_error: float, level: float = 0.05) -> float:
    """Return the smallest difference that a two-sided test at this level finds with a probability of 80 %.

    Example:
        About 2.80 times the standard error at 5 %, 3.42 times at 1 %:

        >>> round(detectable_difference(0.5), 4), round(detectable_difference(0.5, 0.01), 4)
        (1.4008, 1.7087)
    """
    quantile = _Z_OF_LEVEL if level == 0.05 else _normal_quantile(1 - level / 2)
    return (quantile + _Z_OF_POWER) * standard_error


def segments_needed(segments: int, standard_error: float, difference: float) -> int:
    """Return the number of segments with which a difference is found with a probability of 80 %.

    The standard error falls with the square root of the number of segments.

    Args:
        segments: the number of segments from which the standard error comes.
        standard_error: the standard error of the difference.
        difference: the true difference that the test should find, above 0.

    Example:
        By hand: a quarter of the smallest detectable difference takes 16 times the segments.

        >>> segments_needed(100, 0.5, detectable_difference(0.5) / 4)
        1600
    """
    # (Without rounding first, a quotient that is a whole number up to rounding errors could come to one segment more.)
    return ceil(round(segments * (detectable_difference(standard_error) / difference) ** 2, 9))


def power(difference: float, standard_error: float) -> float:
    """Return the probability that the test finds a true difference of this size significant, in either direction.

    Example:
        >>> round(power(detectable_difference(0.5), 0.5), 4)
        0.8
    """
    shift = abs(difference) / standard_error
    return _normal_share(shift - _Z_OF_LEVEL) + _normal_share(-shift - _Z_OF_LEVEL)


def standard_error_of_pair(standard_error: float, correlation: float) -> float:
    """Return the standard error of the difference between two systems whose scores have the same standard error.

    Args:
        standard_error: the standard error of the score of one system.
        correlation: the correlation of their scores over resamples.

    Example:
        >>> standard_error_of_pair(0.4, 0.5)
        0.4
    """
    return standard_error * sqrt(2 * (1 - correlation))


def _normal_quantile(share: float) -> float:
    """The quantile of the normal distribution below which this share of it is, from 0.5 on."""
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _normal_share(middle) < share else (low, middle)
    return low


def _normal_share(quantile: float) -> float:
    """Return the share of the normal distribution below a quantile."""
    return (1 + erf(quantile / sqrt(2))) / 2
