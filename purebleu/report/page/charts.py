"""Charts as SVG: bars, differences with intervals, densities, scatter plots; and intervals in cells of tables.

The same numbers always make the same bytes of SVG. Elements have classes (which `charts.css` defines) and no attribute
`style`, because the page's Content-Security-Policy forbids it. Systems differ not only in colour, but also in their
number or their row.
"""

from __future__ import annotations

import math
from itertools import chain

from ...analysis.summary import FEW
from ...runtime.hints import Any, Iterable, Iterator, NamedTuple, Sequence
from ...unicode.columns import columns_taken, pieces_of_width
from ..tables import TableColumn, xml_text
from .markup import figure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...analysis.summary import Estimate

# Shapes and axes

#: The number of colours, and the number of dash patterns. After the last colour, colours repeat with another pattern.
_COLOR_COUNT, _PATTERN_COUNT = 8, 3


def coordinate(value: float) -> str:
    """Return a coordinate with at most two decimals.

    >>> coordinate(2 / 3), coordinate(5.0), coordinate(-0.001)
    ('0.67', '5', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str = "", **attributes: str | float) -> str:
    """Return an element with markup as its content. In names of attributes, `_` stands for `-`.

    >>> element("text", "a", x=1.5, class_="n", text_anchor="end")
    '<text x="1.5" class="n" text-anchor="end">a</text>'
    """
    start = f"<{tag}"
    for key, value in attributes.items():
        shown = xml_text(value) if isinstance(value, str) else coordinate(value)
        start += f' {key.rstrip("_").replace("_", "-")}="{shown}"'
    return f"{start}>{content}</{tag}>" if content else f"{start}/>"


def svg_label(x: float, y: float, text: str, style: str = "label", anchor: str = "start") -> str:
    """Return a line of text; `anchor` says which part is at `x`: the `start`, the `middle` or the `end`."""
    return element("text", xml_text(text), x=x, y=y, class_=style, text_anchor=anchor)


def svg_line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a straight line."""
    return element("path", class_=style, d=f"M{coordinate(x1)} {coordinate(y1)}L{coordinate(x2)} {coordinate(y2)}")


class ChartHead(NamedTuple):
    """The name and the description of an image.

    Attributes:
        name: the prefix of the ids in the image: letters, digits and hyphens, unique in the page.
        title: the title, which a screen reader reads first.
        description: the description, which a screen reader reads next.
    """

    name: str
    title: str
    description: str


def svg_chart(head: ChartHead, size: tuple[float, float], parts: Iterable[str]) -> str:
    """Return an image that becomes as wide as the element around it.

    Args:
        head: the name and the description.
        size: the width and the height in user units.
        parts: the elements of the image.
    """
    name = head.name
    heading = [element("title", xml_text(head.title), id=f"{name}-title"),
               element("desc", xml_text(head.description), id=f"{name}-desc")]
    # (`direction`: in text from right to left, the anchor "start" would be the right end of a label.)
    return element("svg", "\n".join(["", *heading, *parts, ""]), class_="chart", role="img", direction="ltr",
                   viewBox=f"0 0 {coordinate(size[0])} {coordinate(size[1])}",
                   aria_labelledby=f"{name}-title {name}-desc")


def series_style(index: int) -> str:
    """Return the classes of a system: its colour and, from the ninth system on, its pattern of dashes.

    After 24 systems, the classes repeat.

    >>> series_style(0), series_style(9)
    ('s0', 's1 d1')
    """
    pattern = index // _COLOR_COUNT % _PATTERN_COUNT
    return f"s{index % _COLOR_COUNT} d{pattern}" if pattern else f"s{index % _COLOR_COUNT}"


def shortened(text: str, limit: int = 24) -> str:
    """Return the text on one line. If it is wider than `limit` narrow characters, its middle is left out.

    >>> shortened("newstest2021.en-de.hyp.online-b.txt", 16)
    'newstest…e-b.txt'
    """
    text = " ".join(text.split())
    if columns_taken(text) <= limit:
        return text
    first = next(pieces_of_width(text, limit // 2))
    last = next(pieces_of_width(text[::-1], limit - 1 - limit // 2))
    return f"{first}…{last[::-1]}"


#: The ends of an axis count as equal if their relative difference is at most this number.
_MIN_SPAN = 1e-9

#: The exponents of ten for which ticks are written without an exponent.
_PLAIN_EXPONENTS = range(-6, 13)


def nice_ticks(low: float, high: float, most: int) -> list[str]:
    """Return the ticks of an axis that contains `low` and `high`: round numbers at equal intervals.

    The length of an interval is 1, 2 or 5 times a power of ten. It is the smallest such length with at most `most`
    intervals. If `low` and `high` are equal, the axis extends beyond them on both sides.

    Args:
        low: the smallest value.
        high: the largest value.
        most: the maximum number of intervals, at least 2. (There is one more tick than intervals.)

    Returns:
        The ticks as exact decimals: `float(tick)` is the tick's value.

    Example:
        >>> nice_ticks(0.03, 0.91, 5)
        ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']
    """
    from decimal import Decimal

    largest = max(-low, high)
    if high - low <= _MIN_SPAN * largest:
        room = largest / 10 or 1.0
        low, high = low - room, high + room
    most = max(most, 2)  # (if zero is inside the range, zero is a tick between two intervals)
    exponent = math.floor(math.log10(high / most - low / most)) - 1
    while True:
        for factor in (1, 2, 5):
            step = Decimal(factor).scaleb(exponent)
            first, last = math.floor(Decimal(low) / step), math.ceil(Decimal(high) / step)
            if last - first <= most:
                form = "f" if exponent in _PLAIN_EXPONENTS else "e"
                return [format(index * step, form) for index in range(first, last + 1)]
        exponent += 1


class Axis:
    """An axis from its first tick to its last tick.

    Attributes:
        ticks: the labels of the ticks.
        low, high: the values of the first tick and of the last tick.
        start, end: the coordinates of the first tick and of the last tick.
    """

    def __init__(self, low: float, high: float, start: float, end: float, most: int = 6) -> None:
        self.ticks = nice_ticks(low, high, most)
        self.low, self.high = float(self.ticks[0]), float(self.ticks[-1])
        self.start, self.end = start, end

    def at(self, value: float) -> float:
        """Return the coordinate of a value."""
        return self.start + (self.end - self.start) * ((value - self.low) / (self.high - self.low))

    def horizontal_grid(self, top: float, bottom: float) -> Iterator[str]:
        """Yield the grid of a horizontal axis: for each tick, a line from top to bottom, and a label below it."""
        for tick in self.ticks:
            x = self.at(float(tick))
            yield svg_line("grid", x, top, x, bottom)
            yield svg_label(x, bottom + 14, tick, "tick", "middle")

    def vertical_grid(self, left: float, right: float) -> Iterator[str]:
        """Yield the grid of a vertical axis: for each tick, a line from left to right, and a label to its left."""
        for tick in self.ticks:
            y = self.at(float(tick))
            yield svg_line("grid", left, y, right, y)
            yield svg_label(left - 6, y + 4, tick, "tick", "end")


# Numbers and series

#: The width of charts, in user units.
WIDTH = 600

#: The left and the right end of bars, and of rows such as densities.
BARS_SPAN, ROWS_SPAN = (48.0, 592.0), (152.0, 440.0)

#: The width of a narrow character in a chart's text, in user units. (In most fonts, the average character is narrower.)
CHARACTER_WIDTH = 6.6

#: The maximum length of the name above a panel, in narrow characters.
_PANEL_NAME = 60

#: The height of a panel of bars for a single system, and for each of several systems; the maximum width of a bar; the
#: width of a bar as a share of the distance between bars.
_BAR_HEIGHT, _SMALL_HEIGHT, _MAX_BAR_WIDTH, _BAR_SHARE = 190, 56, 40.0, 0.84

#: The maximum length of the name of a group, in narrow characters.
_GROUP_NAME = 14

#: The width and the height of the image of an interval, and its margin on the left and on the right.
_INTERVAL_WIDTH, _INTERVAL_HEIGHT, _INTERVAL_ROOM = 120, 16, 2


class Series(NamedTuple):
    """The values of a system in several groups.

    Attributes:
        system: the index of the system, which selects its colour.
        name: the name of the system.
        values: a value for each group.
    """

    system: int
    name: str
    values: Sequence[Any]


class Distribution(NamedTuple):
    """The scores of a system in resamples.

    Attributes:
        system: the index of the system, which selects its colour.
        name: the name of the system.
        samples: the scores in resamples.
        score: the score on all segments.
        interval: the ends of the 95 % interval.
    """

    system: int
    name: str
    samples: Sequence[float]
    score: float
    interval: tuple[float, float]


def text_width(text: str) -> float:
    """Return the approximate width of a label in any font, in user units.

    >>> text_width("abc") < text_width("中文字")
    True
    """
    return CHARACTER_WIDTH * columns_taken(text)


def opening(show: str, style: str = "") -> dict[str, str]:
    """Return the attributes of an element: its classes `style`, and the view `show` that a click opens (if any)."""
    if show:
        return {"class_": f"{style} opens".lstrip(), "data_show": show}
    return {"class_": style} if style else {}


def fixed(value: float, places: int, sign: str = "") -> str:
    """Return a number with `places` decimals. Zero has no minus. If `sign` is `+`, positive numbers have a plus."""
    return f"{round(value, places) + 0.0:{sign}.{places}f}"


def value_and_interval(bar: tuple[float, tuple[float, float] | None], places: int, sign: str = "") -> str:
    """Return a number with its interval, if it has one.

    >>> value_and_interval((0.25, (-0.5, 1.0)), 1, "+")
    '+0.2 (-0.5 to +1.0)'
    """
    value, interval = bar
    text = fixed(value, places, sign)
    if interval:
        text += f" ({fixed(interval[0], places, sign)} to {fixed(interval[1], places, sign)})"
    return text


# Bars


def bar_chart(head: ChartHead, labels: Sequence[str], series: Sequence[Series], opens: Sequence[Sequence[str]]) -> str:
    """Return a chart of bars with a panel for each system. All panels have the same axis.

    Args:
        head: the name and the description of the image.
        labels: the labels of the bars, the same for all systems.
        series: the heights of the bars of each system, at least 0.
        opens: for each bar of each system, the view that a click on the bar opens (see `page_views.js`).

    Returns:
        an `<svg>` element.
    """
    parts: list[str] = []
    top = 0.0
    largest = max([value for one in series for value in one.values], default=0.0)
    height, most = (_BAR_HEIGHT, 6) if len(series) == 1 else (_SMALL_HEIGHT, 2)
    space = (BARS_SPAN[1] - BARS_SPAN[0]) / max(1, len(labels))
    middles = [BARS_SPAN[0] + (index + 0.5) * space for index in range(len(labels))]
    width = min(_MAX_BAR_WIDTH, _BAR_SHARE * space)
    for (system, name, heights), views in zip(series, opens):
        if len(series) > 1:
            top += 14
            parts.append(element("g", element("title", xml_text(name))
                                 + svg_label(BARS_SPAN[0], top, shortened(name, _PANEL_NAME))))
        axis = Axis(0.0, largest, top + height + 8, top + 8, most)
        parts += axis.vertical_grid(*BARS_SPAN)
        for label, middle, value, view in zip(labels, middles, heights, views):
            end = axis.at(value)
            text = element("title", xml_text(f"{fixed(value, 2)}; {label}; {name}"))
            bar = element("rect", class_=f"bar {series_style(system)}", x=middle - width / 2, width=width, y=end,
                          height=axis.at(0.0) - end)
            parts.append(element("g", text + bar, **opening(view)))
        parts.append(svg_line("axis", BARS_SPAN[0], axis.at(0.0), BARS_SPAN[1], axis.at(0.0)))
        top += height + 16
    for label, middle in zip(labels, middles):
        parts.append(svg_label(middle, top + 8, label, "label", "middle"))
    return svg_chart(head, (WIDTH, top + 16), parts)


def _has_few(group: tuple[str, int | None]) -> bool:
    return group[1] is not None and group[1] < FEW


def _legend(series: Sequence[Series]) -> tuple[list[str], float]:
    """Return the elements of a legend (the numbers, colours and names of systems), and the height of the legend."""
    parts: list[str] = []
    x, y = BARS_SPAN[0], 14.0
    for index, system, _ in series:
        text = f"{index + 1}  {shortened(system)}"
        width = 16 + text_width(text) + 14
        if x + width > WIDTH and x > BARS_SPAN[0]:
            x, y = BARS_SPAN[0], y + 18
        swatch = element("rect", class_=f"bar {series_style(index)}", x=x, y=y - 9, width=10, height=10)
        parts.append(element("g", element("title", xml_text(system)) + swatch + svg_label(x + 16, y, text)))
        x += width
    return parts, y + 8


# Differences


#: The minimum height of a group, and the height of each of its rows.
_BLOCK_HEIGHT, _DOT_HEIGHT = 24.0, 17.0

#: The number of characters for which there is room to the right of a row.
_MAX_CHARACTERS = 23


def difference_chart(head: ChartHead, groups: Sequence[tuple[str, int | None]], series: Sequence[Series],
                     places: int = 2, opens: Sequence[str] = (), signed: bool = True) -> str:
    """Return a chart of differences or scores by group. A group has a row for each system: a dot and its interval.

    The dots of a group with fewer than 30 segments are hollow.

    Args:
        head: the name and the description of the image.
        groups: the label and the number of segments of each group (`None`: no number is shown).
        series: for each system and group, the number and the ends of its interval (`None`: no interval); `None` if
            there is no number.
        places: the number of decimal places.
        opens: for each group, the view that a click on the group opens (see `page_views.js`), or empty text. If `opens`
            is empty, no group opens a view.
        signed: whether numbers have signs: true for differences, false for scores.

    Returns:
        an `<svg>` element.
    """
    sign = "+" if signed else ""
    bars = [bar for one in series for bar in one.values if bar]
    longest = max([len(value_and_interval(bar, places, sign)) for bar in bars], default=0)
    end = ROWS_SPAN[1] - CHARACTER_WIDTH * max(0, longest - _MAX_CHARACTERS)
    ends = [0.0]
    for value, interval in bars:
        ends += [value, *(interval or ())]
    axis = Axis(min(ends), max(ends), ROWS_SPAN[0], end)
    few = any(map(_has_few, groups))
    parts, top = _legend(series) if len(series) > 1 else ([], 0.0)
    if few:
        parts.append(svg_label(BARS_SPAN[0], top + 12, f"hollow: n below {FEW}", "tick"))
        top += 18
    height = max(_BLOCK_HEIGHT, _DOT_HEIGHT * len(series) + 8)
    bottom = top + height * len(groups)
    parts += [*axis.horizontal_grid(top, bottom), svg_line("axis", axis.at(0.0), top, axis.at(0.0), bottom)]
    for index, group in enumerate(groups):
        left, below = (8 + CHARACTER_WIDTH * _GROUP_NAME, 0) if len(series) == 1 else (8, 14)
        content = [element("rect", class_="block", x=0, y=top, width=WIDTH, height=height),
                   svg_label(8, top + 16, shortened(group[0], _GROUP_NAME)),
                   *([] if group[1] is None else [svg_label(left, top + 16 + below, f"n {group[1]:,}", "tick")])]
        for row, (system, name, differences) in enumerate(series):
            difference = differences[index]
            if difference:
                middle = top + (height - _DOT_HEIGHT * len(series)) / 2 + _DOT_HEIGHT * (row + 0.5)
                number = str(system + 1) if len(series) > 1 else ""
                text = value_and_interval(difference, places, sign)
                content.append(element("g", "".join([
                    element("title", xml_text(f"{text}; {group[0]}; {name}")),
                    *_dot(difference, axis, middle, system, number, _has_few(group)),
                    svg_label(end + 8, middle + 4, text, "tick")])))
        parts.append(element("g", "".join(content), **opening(opens[index] if opens else "", "block")))
        top += height
    return svg_chart(head, (WIDTH, bottom + 22), parts)


def _dot(bar: tuple[float, tuple[float, float] | None], axis: Axis, y: float, system: int, number: str,
         few: bool) -> Iterator[str]:
    """Yield a row of `difference_chart`: the number of the system (if not empty), an interval, and a dot."""
    value, interval = bar
    if number:
        yield svg_label(ROWS_SPAN[0] - 8, y + 3, number, "number", "end")
    if interval:
        low, high = [coordinate(axis.at(limit)) for limit in interval]
        yield element("path", class_="whisker", d=f"M{low} {coordinate(y)}H{high}")
    style = f"dot {series_style(system)}{' hollow' if few else ''}"
    yield element("circle", class_=style, cx=axis.at(value), cy=y, r=4)


def group_table(groups: Sequence[tuple[str, int | None]], series: Sequence[Series],
                differences: Sequence[Sequence[Estimate]] = (), places: int = 2,
                of: str = "Segments") -> list[TableColumn]:
    """Return a table with a row for each group: scores with intervals, or with differences from the best system.

    If the sizes of all groups are known, there is a column of them, whose head is `of`.

    >>> group_table([("0-9", 427)], [Series(0, "A", [(36.5, (35.0, 38.0))])])
    [('Group', ['0-9']), ('Segments', ['427']), ('A', ['36.50 (35.00 to 38.00)'])]
    >>> series = [Series(0, "A", [(36.5, None)]), Series(1, "B", [(35.0, None)])]
    >>> group_table([("0-9", 427)], series, [[None], [(-1.5, (-2, -1))]], 1)
    [('Group', ['0-9']), ('Segments', ['427']), ('A', ['36.5']), ('B', ['35.0; -1.5 (-2.0 to -1.0)'])]
    """
    table: list[TableColumn] = [("Group", [label for label, _ in groups])]
    if None not in [count for _, count in groups]:
        table.append((of, [str(count) for _, count in groups]))
    for index, (_, name, scores) in enumerate(series):
        cells = [value_and_interval(score, places) if score else "" for score in scores]
        if differences:
            cells = [fixed(score[0], places) if score else "" for score in scores]
            for group, difference in enumerate(differences[index]):
                if difference:
                    cells[group] += f"; {value_and_interval(difference, places, '+')}"
        table.append((name, cells))
    return table


# Intervals


def interval_bar(low: float, value: float, high: float, axis_low: float, axis_high: float, places: int = 2) -> str:
    """Return an image of an interval for a cell of a table: a bar with a mark at the score.

    Args:
        low, high: the ends of the interval.
        value: the score.
        axis_low, axis_high: the values at the left and the right edge, the same in all cells of a column. A number
            beyond an edge is drawn at the edge.
        places: the number of decimal places in the text of the image.

    Returns:
        an `<svg>` element.
    """
    span = axis_high - axis_low
    room = _INTERVAL_WIDTH - 2 * _INTERVAL_ROOM
    shares = [(number - axis_low) / span if span else 0.5 for number in (low, value, high)]
    left, middle, right = [_INTERVAL_ROOM + room * min(max(share, 0.0), 1.0) for share in shares]
    half = _INTERVAL_HEIGHT / 2
    text = value_and_interval((value, (low, high)), places)
    parts = [element("title", text), svg_line("axis", _INTERVAL_ROOM, half, _INTERVAL_WIDTH - _INTERVAL_ROOM, half),
             element("rect", class_="bar s0", x=left, y=half - 3, width=right - left, height=6),
             svg_line("halo", middle, 1, middle, _INTERVAL_HEIGHT - 1),
             svg_line("score", middle, 1, middle, _INTERVAL_HEIGHT - 1)]
    return element("svg", "".join(parts), class_="chart interval", role="img", aria_label=text,
                   viewBox=f"0 0 {_INTERVAL_WIDTH} {_INTERVAL_HEIGHT}")


#: The height of a row of densities, and the maximum height of its curve.
_ROW_HEIGHT, _CURVE_HEIGHT = 46, 34

#: The square of a scatter plot: its side, its left edge, its upper edge, and the distance from an edge to a tick.
_SQUARE, _SQUARE_LEFT, _SQUARE_TOP, _SQUARE_ROOM = 340, 62, 12, 10

#: The number of hexagons in a row, and the maximum number of sizes of hexagons.
_HEXAGONS, _MAX_LEVELS = 20, 5

#: The number of points of a density curve.
_CURVE_POINTS = 97

#: The number of bandwidths by which a curve extends beyond the lowest and the highest sample.
_TAIL = 3.5

#: The minimum bandwidth, as a share of the range of samples. (Charts are too small for more detail.)
_MIN_BANDWIDTH = 1 / 64


def is_degenerate(samples: Sequence[float]) -> bool:
    """Return whether all samples are the same number, up to rounding errors. (True if there are no samples.)"""
    return not samples or max(samples) - min(samples) <= 1e-9 * max(1.0, abs(max(samples)))


def kernel_density(samples: Sequence[float]) -> list[tuple[float, float]]:
    """Return the density of samples, estimated with a Gaussian kernel and Silverman's rule of thumb for its bandwidth.

    Silverman: Density Estimation for Statistics and Data Analysis, 1986, section 3.4.2, equation 3.31.

    Args:
        samples: numbers in any order, at least two of them different.

    Returns:
        Points of the curve (value, density) at equal distances. The area below the curve is about 1.
    """
    width = bandwidth(samples)
    low, high = min(samples) - _TAIL * width, max(samples) + _TAIL * width
    step = (high - low) / (_CURVE_POINTS - 1)
    # The weight of each sample is divided between the two nearest points (linear binning), so that the sums below
    # take a time that depends on the number of points, but not on the number of samples.
    weights = [0.0] * (_CURVE_POINTS + 1)
    for sample in samples:
        index = int((sample - low) / step)
        share = (sample - low) / step - index
        weights[index] += 1 - share
        weights[index + 1] += share
    scale = 1 / (len(samples) * width * math.sqrt(2 * math.pi))
    kernel = [scale * math.exp(-0.5 * (distance * step / width) ** 2) for distance in range(_CURVE_POINTS + 1)]
    used = [(position, weight) for position, weight in enumerate(weights) if weight]
    points: list[tuple[float, float]] = []
    for index in range(_CURVE_POINTS):
        density = sum([weight * kernel[abs(index - position)] for position, weight in used])
        points.append((low + index * step, density))
    return points


def bandwidth(samples: Sequence[float]) -> float:
    """Return the bandwidth by Silverman's rule: 0.9 min(standard deviation, interquartile range / 1.34) n^(-1/5).

    >>> round(bandwidth([1.0, 2.0, 3.0, 4.0]), 4)
    0.8806
    """
    ordered, count = sorted(samples), len(samples)
    mean = math.fsum(ordered) / count
    deviation = math.sqrt(math.fsum([(sample - mean) ** 2 for sample in ordered]) / (count - 1))
    quartiles = (ordered[3 * count // 4] - ordered[count // 4]) / 1.34
    width: float = 0.9 * (min(deviation, quartiles) or deviation) * count**-0.2
    return max(width, (ordered[-1] - ordered[0]) * _MIN_BANDWIDTH)


def hexagon_counts(points: Sequence[tuple[float, float]], width: float) -> dict[tuple[float, float], int]:
    """Return the number of points in each hexagon of a honeycomb, by the centre of the hexagon.

    The hexagons are `width` wide and stand on a corner. One hexagon has its centre at (0, 0). The centres form two
    rectangular lattices, so the nearest centre to a point is the nearest one of two candidates.

    >>> hexagon_counts([(0.1, 0.0), (0.2, 0.1), (0.9, 0.0)], 1.0)
    {(0.0, 0.0): 2, (1.0, 0.0): 1}
    """
    height = width * math.sqrt(3)
    counts: dict[tuple[float, float], int] = {}
    for x, y in points:
        centres = [((math.floor(x / width - shift + 0.5) + shift) * width,
                    (math.floor(y / height - shift + 0.5) + shift) * height) for shift in (0.0, 0.5)]
        # (`page_words.js` must find the same hexagon. Products are equal in JavaScript, but its powers may differ.)
        centre = min(centres, key=lambda centre: (centre[0] - x) * (centre[0] - x) + (centre[1] - y) * (centre[1] - y))
        counts[centre] = counts.get(centre, 0) + 1
    return counts


def count_levels(largest: int) -> list[int]:
    """Return the lowest count for each size of hexagon: at most five numbers up to `largest`, rounded to one digit.

    >>> count_levels(4), count_levels(300)
    ([1, 2, 3], [1, 3, 10, 30, 100])
    """
    starts = [largest ** (level / _MAX_LEVELS) for level in range(_MAX_LEVELS)]
    return sorted({int(float(f"{start:.0e}")) for start in starts})


# Densities


def density_chart(head: ChartHead, rows: Sequence[Distribution], places: int = 2, differences: bool = False) -> str:
    """Return a chart of distributions of scores in resamples, with a row for each system.

    A row has a kernel density, which is as high as the row, and marks at the score and its interval. If all samples are
    the same, the density is a vertical line. If rows show differences, there is a line at zero.

    Args:
        head: the name and the description of the image.
        rows: a row for each system.
        places: the number of decimal places.
        differences: whether the rows show differences, which have signs.

    Returns:
        an `<svg>` element.
    """
    ends: list[float] = []
    curves: list[list[tuple[float, float]]] = []
    for _, _, samples, score, interval in rows:
        ends += [score, *interval, *samples]
        curves.append([] if is_degenerate(samples) else kernel_density(samples))
        ends += [value for value, _ in curves[-1]]
    if differences or not ends:
        ends.append(0.0)
    bottom = 8 + _ROW_HEIGHT * len(rows)
    axis = Axis(min(ends), max(ends), *ROWS_SPAN)
    parts = list(axis.horizontal_grid(4, bottom + 4))
    if differences or axis.low < 0 < axis.high:
        parts.append(svg_line("axis", axis.at(0.0), 0, axis.at(0.0), bottom + 4))
    for index, (row, curve) in enumerate(zip(rows, curves)):
        text = value_and_interval((row.score, row.interval), places, "+" if differences else "")
        parts += _density_row(row, curve, axis, _ROW_HEIGHT * (index + 1), text)
    return svg_chart(head, (WIDTH, bottom + 24), parts)


def _density_row(row: Distribution, curve: Sequence[tuple[float, float]], axis: Axis, base: float,
                 text: str) -> Iterator[str]:
    """Yield a row of `density_chart`. The base of the curve has the y coordinate `base`; `text` has the numbers."""
    system, name, samples, score, interval = row
    style = series_style(system)
    yield element("g", element("title", xml_text(name)) + svg_label(8, base, shortened(name, 21)))
    yield element("g", svg_label(ROWS_SPAN[1] + 8, base - 14, text.partition(" ")[0], "label strong")
                  + svg_label(ROWS_SPAN[1] + 8, base, text.partition(" ")[2], "tick"))
    if curve:
        highest = max([density for _, density in curve])
        path = "L".join([f"{coordinate(axis.at(value))} {coordinate(base - _CURVE_HEIGHT * density / highest)}"
                         for value, density in curve])
        left, right = coordinate(axis.at(curve[0][0])), coordinate(axis.at(curve[-1][0]))
        yield element("path", class_=f"density {style}", d=f"M{left} {coordinate(base)}L{path}L{right} "
                                                           f"{coordinate(base)}Z")
    elif samples:
        yield svg_line(f"density {style}", axis.at(samples[0]), base, axis.at(samples[0]), base - _CURVE_HEIGHT)
    low, high = [coordinate(axis.at(limit)) for limit in interval]
    top, bottom = coordinate(base - 5), coordinate(base + 5)
    yield element("path", class_="whisker", d=f"M{low} {top}V{bottom}M{high} {top}V{bottom}M{low} {coordinate(base)}"
                                              f"H{high}")
    yield svg_line("score", axis.at(score), base - _CURVE_HEIGHT, axis.at(score), base + 5)


def density_table(rows: Sequence[Distribution], places: int = 2, signed: bool = False) -> list[TableColumn]:
    """Return a table of the numbers of `density_chart`, with a row for each system.

    >>> density_table([Distribution(0, "A", [1.0, 2.0], 1.5, (1.0, 2.0))], 1)
    [('System', ['A']), ('Score', ['1.5']), ('Low end', ['1.0']), ('High end', ['2.0'])]
    """
    def cells(numbers: Iterable[float]) -> list[str]:
        return [fixed(number, places, "+" if signed else "") for number in numbers]

    return [("System", [row.name for row in rows]), ("Score", cells([row.score for row in rows])),
            ("Low end", cells([row.interval[0] for row in rows])),
            ("High end", cells([row.interval[1] for row in rows]))]


def density_figure(head: ChartHead, rows: Sequence[Distribution], places: int, differences: bool = False) -> str:
    """Return `density_chart` and its table, as a figure with the description as its caption."""
    chart = density_chart(head, rows, places, differences)
    return figure(chart, head.description, density_table(rows, places, differences))


# Points


def scatter_chart(head: ChartHead, x_label: str, y_label: str, points: Sequence[tuple[float, float]],
                  limits: tuple[float, float] = (0.0, 100.0), opens: str = "") -> str:
    """Return a scatter plot of the scores of two systems on each segment. Hexagons show the numbers of segments.

    Both axes have the same range. On the diagonal line, both scores are equal.

    Args:
        head: the name and the description of the image.
        x_label: the system on the horizontal axis.
        y_label: the system on the vertical axis.
        points: the two scores of each segment.
        limits: the range of both axes. It is extended to include all points.
        opens: the start of the view that a click on a hexagon opens (see `page_views.js`). The view ends with the
            position of the hexagon. If `opens` is empty, a click opens nothing.

    Returns:
        an `<svg>` element.
    """
    low, high = _range_of_points(points, limits)
    right, bottom = _SQUARE_LEFT + _SQUARE, _SQUARE_TOP + _SQUARE
    across = Axis(low, high, _SQUARE_LEFT + _SQUARE_ROOM, right - _SQUARE_ROOM, 10)
    upwards = Axis(low, high, bottom - _SQUARE_ROOM, _SQUARE_TOP + _SQUARE_ROOM, 10)
    middle = _SQUARE_TOP + _SQUARE / 2
    labels = [svg_label(_SQUARE_LEFT + _SQUARE / 2, bottom + 36, shortened(x_label, 56), "label", "middle"),
              element("text", xml_text(shortened(y_label, 56)), x=16, y=middle, class_="label", text_anchor="middle",
                      transform=f"rotate(-90 16 {coordinate(middle)})")]
    parts = [*across.horizontal_grid(_SQUARE_TOP, bottom), *upwards.vertical_grid(_SQUARE_LEFT, right), *labels,
             *_hexagons(points, across, upwards, right + 20.0, opens),
             *[svg_line(style, across.start, upwards.start, across.end, upwards.end) for style in ("halo", "diagonal")]]
    return svg_chart(head, (WIDTH, bottom + 46), parts)


def _range_of_points(points: Sequence[tuple[float, float]], limits: tuple[float, float]) -> tuple[float, float]:
    numbers = [*limits, *chain.from_iterable(points)]
    return min(numbers), max(numbers)


def _hexagons(points: Sequence[tuple[float, float]], across: Axis, upwards: Axis, legend_left: float,
              opens: str) -> Iterator[str]:
    """Yield the hexagons that contain points, and a legend of counts. Hexagons with more points are larger."""
    width = (_SQUARE - 2 * _SQUARE_ROOM) / _HEXAGONS
    in_scores = (across.high - across.low) / _HEXAGONS
    counts = hexagon_counts([(x - across.low, y - across.low) for x, y in points], in_scores)
    levels = count_levels(max(counts.values(), default=1))

    def hexagon(x: float, y: float, level: int, text: str = "", show: str = "") -> str:
        """Return a hexagon around a point; the highest level has the full size. `text` is the tooltip."""
        half = width / 2 * (0.5 + 0.5 * level / len(levels))
        side = 2 * half / 3**0.5
        path = (f"M{x:.1f} {y - side:.1f}l{half:.1f} {side / 2:.1f}v{side:.1f}l-{half:.1f} {side / 2:.1f}"
                f"-{half:.1f}-{side / 2:.1f}v-{side:.1f}z")
        # (If there are fewer levels than colours, the faintest colours are not used.)
        style = f"h{level + _MAX_LEVELS - len(levels)}"
        return element("path", element("title", text) if text else "", **opening(show, style), d=path)

    marks: list[str] = []
    for (x, y), count in counts.items():
        level = sum([count >= first for first in levels])
        # (`place` has x in halves of a hexagon's width, and y in halves of the height of two rows.)
        place = f"{round(2 * x / in_scores)},{round(2 * y / (in_scores * math.sqrt(3)))}"
        marks.append(hexagon(across.at(x + across.low), upwards.at(y + across.low), level, str(count), opens and place))
    yield element("g", "".join(marks), data_opens=f"{opens}hexagon={across.low!r},{across.high!r},{_HEXAGONS},")
    top = _SQUARE_TOP + 12.0
    yield svg_label(legend_left - 4, top, "per hexagon:")
    for index, (first, following) in enumerate(zip(levels, [*levels[1:], 0])):
        text = str(first) if following == first + 1 else f"{first}–{following - 1}" if following else f"from {first}"
        y = top + 20 * (index + 1)
        yield hexagon(legend_left + 4, y - 4, index + 1)
        yield svg_label(legend_left + 20, y, text)


def scatter_table(x_label: str, y_label: str, points: Sequence[tuple[float, float]],
                  limits: tuple[float, float] = (0.0, 100.0)) -> list[TableColumn]:
    """Return a table of the numbers of `scatter_chart`: the number of points for each pair of ranges of scores.

    >>> scatter_table("A", "B", [(1.0, 2.0), (9.0, 7.0)], (0.0, 10.0))[9]
    ('8–9', ['0', '0', '0', '0', '0', '0', '0', '0', '0', '0'])
    """
    axis = Axis(*_range_of_points(points, limits), 0, 1, 10)
    bounds = [float(tick) for tick in axis.ticks[1:-1]]
    ranges = [f"{low}–{high}" for low, high in zip(axis.ticks, axis.ticks[1:])]
    counts = [[0] * len(ranges) for _ in ranges]
    for x, y in points:
        counts[sum([x >= bound for bound in bounds])][sum([y >= bound for bound in bounds])] += 1
    return [(f"{y_label} \\ {x_label}", ranges), *zip(ranges, [list(map(str, column)) for column in counts])]


def scatter_figure(head: ChartHead, x_label: str, y_label: str, points: Sequence[tuple[float, float]],
                   limits: tuple[float, float], opens: str) -> str:
    """Return `scatter_chart` and its table, as a figure with the title as its caption."""
    chart = scatter_chart(head, x_label, y_label, points, limits, opens)
    return figure(chart, head.title, scatter_table(x_label, y_label, points, limits))
