"""SVG as strings: coordinates, elements, labels, and the frame of a chart.

Nothing here has a `style`, which a page's Content-Security-Policy forbids: looks are classes, defined in `charts.css`.
"""

from __future__ import annotations

import math

from ..errors import PurebleuError
from .markup import xml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable

#: How wide a narrow character of a chart's text is at most, on average, in user units.
CHARACTER_WIDTH = 6.6

#: From this code point on, characters may be twice as wide (the first are Korean letters).
_FIRST_WIDE = 0x1100

#: How many systems have a colour of their own; as many again are told apart by a dash pattern, and once more.
_COLOR_COUNT, _PATTERN_COUNT = 8, 3


def finite(value: float) -> float:
    """The number itself; PurebleuError if it is infinite or not a number."""
    if not math.isfinite(value):
        raise PurebleuError(f"a chart cannot show {value!r}: it needs finite numbers")
    return value


def coordinate(value: float) -> str:
    """A coordinate with at most two decimals.

    >>> coordinate(2 / 3), coordinate(5.0), coordinate(-0.001)
    ('0.67', '5', '0')
    """
    text = f"{finite(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", **attributes: str | float) -> str:
    """An element with content that is markup already; in attributes' names, `_` stands for `-`.

    >>> element("text", "a", x=1.5, class_="n", text_anchor="end")
    '<text x="1.5" class="n" text-anchor="end">a</text>'
    """
    pairs = "".join([f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
                     for key, value in attributes.items()])
    return f"<{tag}{pairs}>{content}</{tag}>" if content else f"<{tag}{pairs}/>"


def _attribute(value: str | float) -> str:
    return xml_text(value) if isinstance(value, str) else coordinate(value)


def svg_label(x: float, y: float, text: str, style: str = "label", anchor: str = "start") -> str:
    """A line of text; `anchor` says which of its points is at `x`: start, middle or end."""
    return element("text", xml_text(text), x=x, y=y, class_=style, text_anchor=anchor)


def svg_line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line."""
    return element("path", class_=style, d=f"M{coordinate(x1)} {coordinate(y1)}L{coordinate(x2)} {coordinate(y2)}")


def svg_chart(name: str, title: str, description: str, size: tuple[float, float], parts: Iterable[str],
              style: str = "chart") -> str:
    """An image of `size` (width and height in user units) that takes the width of where it stands.

    Args:
        name: what ids in it begin with: letters, digits and hyphens, and no other image's of the page.
        title: what a screen reader says first.
        description: what it says then: what the image shows.
        size: width and height in user units.
        parts: the elements.
        style: its classes.
    """
    head = [element("title", xml_text(title), id=f"{name}-title"),
            element("desc", xml_text(description), id=f"{name}-desc")]
    # (In text from right to left, "start" would be the right end of a label.)
    return element("svg", "\n".join(["", *head, *parts, ""]), class_=style, role="img", direction="ltr",
                   viewBox=f"0 0 {coordinate(size[0])} {coordinate(size[1])}",
                   aria_labelledby=f"{name}-title {name}-desc")


def series_style(index: int) -> str:
    """The classes of a system: its colour, and from the ninth on a pattern (after 24 systems all begin again).

    >>> series_style(0), series_style(9)
    ('s0', 's1 d1')
    """
    pattern = index // _COLOR_COUNT % _PATTERN_COUNT
    return f"s{index % _COLOR_COUNT} d{pattern}" if pattern else f"s{index % _COLOR_COUNT}"


def text_width(text: str) -> float:
    """About how wide a label is, in user units, in whatever font.

    >>> text_width("abc") < text_width("中文字")
    True
    """
    return CHARACTER_WIDTH * sum(map(_cells, text))


def _cells(character: str) -> int:
    return 2 if ord(character) >= _FIRST_WIDE and not "\u2000" <= character < "\u2e80" else 1


def shortened(text: str, limit: int = 24) -> str:
    """The text on one line, without its middle if it is wider than `limit` narrow characters.

    >>> shortened("newstest2021.en-de.hyp.online-b.txt", 16)
    'newstest…e-b.txt'
    """
    text = " ".join(text.split())
    if sum(map(_cells, text)) <= limit:
        return text
    return _beginning(text, limit // 2) + "…" + _beginning(text[::-1], limit - 1 - limit // 2)[::-1]


def _beginning(text: str, limit: int) -> str:
    """As much of the start of the text as `limit` narrow characters have room for."""
    for index, character in enumerate(text):
        limit -= _cells(character)
        if limit < 0:
            return text[:index]
    return text
