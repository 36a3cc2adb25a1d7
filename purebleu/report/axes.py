"""Axes of charts: round ticks, and the coordinates of values."""

from __future__ import annotations

import math

from ..errors import PurebleuError
from .svg import finite, svg_label, svg_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

#: The largest number that an axis can have, so that a tick beyond it is finite.
_MAX_VALUE = 1e300

#: Ends of an axis with a smaller relative difference count as equal.
_MIN_SPAN = 1e-9

#: Numbers that are closer to zero count as zero.
_MIN_VALUE = 1e-290

#: The exponents of ten of ticks that are written without an exponent.
_PLAIN_EXPONENTS = range(-6, 13)


def nice_ticks(low: float, high: float, most: int) -> list[str]:
    """Round numbers at equal intervals, from one that is at most `low` to one that is at least `high`.

    The interval is 1, 2 or 5 times a power of ten: the smallest such number that makes at most `most` intervals. If
    both ends are the same, some room is added on either side.

    Args:
        low: the smallest value.
        high: the largest value.
        most: the maximum number of intervals, at least 2; there is one more tick than intervals.

    Returns:
        The ticks as exact decimals: `float(tick)` is the tick's value.

    Raises:
        PurebleuError: a value is not finite, or beyond 1e300.

    Example:
        >>> nice_ticks(0.03, 0.91, 5)
        ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']
    """
    low, high = _spread(low, high)
    most = max(most, 2)  # a range around zero needs an interval on either side
    exponent = math.floor(math.log10(high / most - low / most)) - 1
    while True:
        for factor in (1, 2, 5):
            first, last = _floored(low, factor, exponent), -_floored(-high, factor, exponent)
            if last - first <= most:
                return [_decimal(index * factor, exponent) for index in range(first, last + 1)]
        exponent += 1


def _spread(low: float, high: float) -> tuple[float, float]:
    """The ends of a range, moved apart where they are equal."""
    low, high = sorted([float(finite(low)), float(finite(high))])
    largest = max(-low, high)
    if largest > _MAX_VALUE:
        raise PurebleuError(f"a chart cannot show {low if -low == largest else high!r}: it is beyond {_MAX_VALUE:g}")
    if high - low > max(_MIN_SPAN * largest, _MIN_VALUE):
        return low, high
    room = largest / 10 if largest > _MIN_VALUE else 1.0
    return low - room, high + room


def _floored(value: float, factor: int, exponent: int) -> int:
    """The value divided by `factor` times a power of ten, exactly, rounded down."""
    numerator, denominator = value.as_integer_ratio()
    if exponent < 0:
        return numerator * int(10**-exponent) // (denominator * factor)
    return numerator // (denominator * factor * int(10**exponent))


def _decimal(digits: int, exponent: int) -> str:
    """`digits` times a power of ten as text.

    >>> _decimal(-15, -1), _decimal(2, 3), _decimal(5, -20)
    ('-1.5', '2000', '5e-20')
    """
    if exponent not in _PLAIN_EXPONENTS:
        return f"{digits}e{exponent}" if digits else "0"
    if exponent >= 0:
        return str(digits * 10**exponent)
    text = str(abs(digits)).rjust(1 - exponent, "0")
    return f"{'-' if digits < 0 else ''}{text[:exponent]}.{text[exponent:]}"


class Axis:
    """An axis from the first of its ticks to the last.

    Attributes:
        ticks: the labels of its ticks.
        low, high: the values of the first and the last tick.
        start, end: the coordinates of these two ticks.
    """

    def __init__(self, low: float, high: float, start: float, end: float, most: int = 6) -> None:
        self.ticks = nice_ticks(low, high, most)
        self.low, self.high = float(self.ticks[0]), float(self.ticks[-1])
        self.start, self.end = start, end

    def at(self, value: float) -> float:
        """The coordinate of a value."""
        return self.start + (self.end - self.start) * ((finite(value) - self.low) / (self.high - self.low))

    def horizontal_grid(self, top: float, bottom: float) -> Iterator[str]:
        """The ticks of an axis from left to right: lines from top to bottom, and labels below them."""
        for tick in self.ticks:
            x = self.at(float(tick))
            yield svg_line("grid", x, top, x, bottom)
            yield svg_label(x, bottom + 14, tick, "tick", "middle")

    def vertical_grid(self, left: float, right: float) -> Iterator[str]:
        """The ticks of an axis from bottom to top: lines from left to right, and labels to the left of them."""
        for tick in self.ticks:
            y = self.at(float(tick))
            yield svg_line("grid", left, y, right, y)
            yield svg_label(left - 6, y + 4, tick, "tick", "end")
