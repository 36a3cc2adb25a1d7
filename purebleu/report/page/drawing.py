"""Elements of SVG as strings, and axes with round ticks.

All functions make strings of plain numbers, and the same numbers make the same bytes. Elements have classes, which
`charts.css` defines, but no `style`, which a page's Content-Security-Policy forbids. Systems differ not only in colour,
but also in their number or their row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from ...errors import PurebleuError
from ...unicode.columns import columns_taken, pieces_of_width
from ..tables import xml_text

#: The number of colours of systems, and of dash patterns. After the last colour, the first follows in another pattern.
_COLOR_COUNT, _PATTERN_COUNT = 8, 3


def finite(value: float) -> float:
    """Return the number itself; raise `PurebleuError` if it is infinite or NaN."""
    if not math.isfinite(value):
        raise PurebleuError(f"a chart cannot show {value!r}: it needs finite numbers")
    return value


def coordinate(value: float) -> str:
    """Return a coordinate with at most two decimals.

    >>> coordinate(2 / 3), coordinate(5.0), coordinate(-0.001)
    ('0.67', '5', '0')
    """
    text = f"{finite(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", **attributes: str | float) -> str:
    """Return an element. Its content is markup; in names of attributes, `_` stands for `-`.

    >>> element("text", "a", x=1.5, class_="n", text_anchor="end")
    '<text x="1.5" class="n" text-anchor="end">a</text>'
    """
    start = f"<{tag}"
    for key, value in attributes.items():
        shown = xml_text(value) if isinstance(value, str) else coordinate(value)
        start += f' {key.rstrip("_").replace("_", "-")}="{shown}"'
    return f"{start}>{content}</{tag}>" if content else f"{start}/>"


def svg_label(x: float, y: float, text: str, style: str = "label", anchor: str = "start") -> str:
    """Return a line of text, whose start, middle or end is at `x`, as `anchor` says."""
    return element("text", xml_text(text), x=x, y=y, class_=style, text_anchor=anchor)


def svg_line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a straight line."""
    return element("path", class_=style, d=f"M{coordinate(x1)} {coordinate(y1)}L{coordinate(x2)} {coordinate(y2)}")


def svg_chart(name: str, title: str, description: str, size: tuple[float, float], parts: Iterable[str]) -> str:
    """Return an image that is as wide as the element around it.

    Args:
        name: the prefix of the ids in the image: letters, digits and hyphens, unique in the page.
        title: the title, which a screen reader reads first.
        description: the description, which a screen reader reads next.
        size: the width and the height in user units.
        parts: the elements of the image.
    """
    head = [element("title", xml_text(title), id=f"{name}-title"),
            element("desc", xml_text(description), id=f"{name}-desc")]
    # (In text from right to left, "start" would be the right end of a label.)
    return element("svg", "\n".join(["", *head, *parts, ""]), class_="chart", role="img", direction="ltr",
                   viewBox=f"0 0 {coordinate(size[0])} {coordinate(size[1])}",
                   aria_labelledby=f"{name}-title {name}-desc")


def series_style(index: int) -> str:
    """Return the classes of a system: a colour, and from the ninth system on, a pattern. (After 24, they repeat.)

    >>> series_style(0), series_style(9)
    ('s0', 's1 d1')
    """
    pattern = index // _COLOR_COUNT % _PATTERN_COUNT
    return f"s{index % _COLOR_COUNT} d{pattern}" if pattern else f"s{index % _COLOR_COUNT}"


def shortened(text: str, limit: int = 24) -> str:
    """Return the text on one line; if it is wider than `limit` narrow characters, its middle is left out.

    >>> shortened("newstest2021.en-de.hyp.online-b.txt", 16)
    'newstest…e-b.txt'
    """
    text = " ".join(text.split())
    if columns_taken(text) <= limit:
        return text
    first = next(pieces_of_width(text, limit // 2))
    last = next(pieces_of_width(text[::-1], limit - 1 - limit // 2))
    return f"{first}…{last[::-1]}"


#: The largest number on an axis, so that a tick beyond it is finite.
_MAX_VALUE = 1e300

#: The ends of an axis count as equal if their relative difference is smaller.
_MIN_SPAN = 1e-9

#: Numbers that are closer to zero count as zero.
_MIN_VALUE = 1e-290

#: The exponents of ten of ticks that are written without an exponent.
_PLAIN_EXPONENTS = range(-6, 13)


def nice_ticks(low: float, high: float, most: int) -> list[str]:
    """Return round numbers at equal intervals, from one that is at most `low` to one that is at least `high`.

    The interval is 1, 2 or 5 times a power of ten: the smallest one with which there are at most `most` intervals. If
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
    from decimal import Decimal

    low, high = _spread(low, high)
    most = max(most, 2)  # a range around zero needs an interval on either side
    exponent = math.floor(math.log10(high / most - low / most)) - 1
    while True:
        for factor in (1, 2, 5):
            step = Decimal(factor).scaleb(exponent)
            first, last = math.floor(Decimal(low) / step), math.ceil(Decimal(high) / step)
            if last - first <= most:
                form = "f" if exponent in _PLAIN_EXPONENTS else "e"
                return [format(index * step, form) for index in range(first, last + 1)]
        exponent += 1


def _spread(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range; equal ones are moved apart."""
    low, high = sorted([float(finite(low)), float(finite(high))])
    largest = max(-low, high)
    if largest > _MAX_VALUE:
        raise PurebleuError(f"a chart cannot show {low if -low == largest else high!r}: it is beyond {_MAX_VALUE:g}")
    if high - low > max(_MIN_SPAN * largest, _MIN_VALUE):
        return low, high
    room = largest / 10 if largest > _MIN_VALUE else 1.0
    return low - room, high + room


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
        """Return the coordinate of a value."""
        return self.start + (self.end - self.start) * ((finite(value) - self.low) / (self.high - self.low))

    def horizontal_grid(self, top: float, bottom: float) -> Iterator[str]:
        """Yield the ticks of an axis from left to right: lines from top to bottom, and labels below them."""
        for tick in self.ticks:
            x = self.at(float(tick))
            yield svg_line("grid", x, top, x, bottom)
            yield svg_label(x, bottom + 14, tick, "tick", "middle")

    def vertical_grid(self, left: float, right: float) -> Iterator[str]:
        """Yield the ticks of an axis from bottom to top: lines from left to right, and labels to the left of them."""
        for tick in self.ticks:
            y = self.at(float(tick))
            yield svg_line("grid", left, y, right, y)
            yield svg_label(left - 6, y + 4, tick, "tick", "end")
