"""Power: the smallest difference that a test set can show, and the number of segments that a difference takes.

All of it is a normal approximation from the standard error of the difference: of a two-sided test at 5 %, with a power
of 80 % (Card et al., 2020). It is of a difference that is stated beforehand; of the one that was found, "observed
power" says nothing beyond its p-value (Hoenig and Heisey, 2001).
"""

from __future__ import annotations

from math import ceil, erf, sqrt

#: Quantiles of the normal distribution, of 0.975 and of 0.8. (As `statistics.NormalDist` has them, which minimal
#: Pythons lack.)
_Z_OF_LEVEL = 1.9599639845400536
_Z_OF_POWER = 0.8416212335729144

#: The power that is asked for.
POWER = 0.8

#: For a single system, how far the segments' contributions to its score may go along with those of another one.
CORRELATIONS = (0.5, 0.8, 0.9)


def detectable_difference(standard_error: float) -> float:
    """The smallest difference that is found with a probability of 80 %.

    Example:
        About 2.80 times the standard error:

        >>> round(detectable_difference(0.5), 4)
        1.4008
    """
    return (_Z_OF_LEVEL + _Z_OF_POWER) * standard_error


def segments_needed(segments: int, standard_error: float, difference: float) -> int:
    """The number of segments with which a difference is found with a probability of 80 %.

    The standard error falls with the square root of their number.

    Args:
        segments: the number that the standard error is of.
        standard_error: of the difference.
        difference: which is to be found, above 0.

    Example:
        By hand: a quarter of the smallest detectable difference takes 16 times the segments.

        >>> segments_needed(100, 0.5, detectable_difference(0.5) / 4)
        1600
    """
    # (Where the quotient is whole but for rounding, one segment more would be wrong.)
    return ceil(round(segments * (detectable_difference(standard_error) / difference) ** 2, 9))


def power(difference: float, standard_error: float) -> float:
    """The probability that the test finds a difference of this size significant, in whichever direction.

    Example:
        >>> round(power(detectable_difference(0.5), 0.5), 4)
        0.8
    """
    shift = abs(difference) / standard_error
    return _normal_share(shift - _Z_OF_LEVEL) + _normal_share(-shift - _Z_OF_LEVEL)


def standard_error_of_pair(standard_error: float, correlation: float) -> float:
    """The standard error of the difference to another system that is as good and varies as much.

    Args:
        standard_error: of the score of one system.
        correlation: of the scores of both over resamples.

    Example:
        >>> standard_error_of_pair(0.4, 0.5)
        0.4
    """
    return standard_error * sqrt(2 * (1 - correlation))


def _normal_share(quantile: float) -> float:
    """The share of the normal distribution below a quantile."""
    return (1 + erf(quantile / sqrt(2))) / 2
