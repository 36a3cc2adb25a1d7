"""SVG as strings: coordinates, elements, labels, and the frame of a chart.

Elements have classes, defined in `charts.css`, but no `style`: a page's Content-Security-Policy forbids that.
"""

from __future__ import annotations

import math

from ..errors import PurebleuError
from .markup import xml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable

#: The width of a narrow character in a chart's text, in user units: an upper limit of the average.
CHARACTER_WIDTH = 6.6

#: Characters may be twice as wide from this code point on, which is the first Korean letter.
_FIRST_WIDE = 0x1100

#: The number of colours of systems, and of dash patterns: once all colours are used, they start again with another
#: pattern.
_COLOR_COUNT, _PATTERN_COUNT = 8, 3


def finite(value: float) -> float:
    """The number itself; raises `PurebleuError` where it is infinite or NaN."""
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
    """An element; its content is markup, and in names of attributes, `_` stands for `-`.

    >>> element("text", "a", x=1.5, class_="n", text_anchor="end")
    '<text x="1.5" class="n" text-anchor="end">a</text>'
    """
    pairs = "".join([f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
                     for key, value in attributes.items()])
    return f"<{tag}{pairs}>{content}</{tag}>" if content else f"<{tag}{pairs}/>"


def _attribute(value: str | float) -> str:
    return xml_text(value) if isinstance(value, str) else coordinate(value)


def svg_label(x: float, y: float, text: str, style: str = "label", anchor: str = "start") -> str:
    """A line of text, whose start, middle or end is at `x`, as `anchor` says."""
    return element("text", xml_text(text), x=x, y=y, class_=style, text_anchor=anchor)


def svg_line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line."""
    return element("path", class_=style, d=f"M{coordinate(x1)} {coordinate(y1)}L{coordinate(x2)} {coordinate(y2)}")


def svg_chart(name: str, title: str, description: str, size: tuple[float, float], parts: Iterable[str],
              style: str = "chart") -> str:
    """An image, which is as wide as the element around it.

    Args:
        name: the prefix of the ids in the image: letters, digits and hyphens, unique in the page.
        title: the title, which a screen reader reads first.
        description: a description of the image, which a screen reader reads next.
        size: the width and the height in user units.
        parts: the elements of the image.
        style: the classes of the image.
    """
    head = [element("title", xml_text(title), id=f"{name}-title"),
            element("desc", xml_text(description), id=f"{name}-desc")]
    # (In text from right to left, "start" would be the right end of a label.)
    return element("svg", "\n".join(["", *head, *parts, ""]), class_=style, role="img", direction="ltr",
                   viewBox=f"0 0 {coordinate(size[0])} {coordinate(size[1])}",
                   aria_labelledby=f"{name}-title {name}-desc")


def series_style(index: int) -> str:
    """The classes of a system: a colour, and from the ninth system on a pattern, too (they repeat after 24 systems).

    >>> series_style(0), series_style(9)
    ('s0', 's1 d1')
    """
    pattern = index // _COLOR_COUNT % _PATTERN_COUNT
    return f"s{index % _COLOR_COUNT} d{pattern}" if pattern else f"s{index % _COLOR_COUNT}"


def text_width(text: str) -> float:
    """The approximate width of a label in any font, in user units.

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
    """The longest start of the text that is no wider than `limit` narrow characters."""
    for index, character in enumerate(text):
        limit -= _cells(character)
        if limit < 0:
            return text[:index]
    return text
