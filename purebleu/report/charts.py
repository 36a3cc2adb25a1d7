"""Charts as inline SVG: grouped bars, densities, scatter plots, intervals; and figures with captions around them.

All functions make strings of plain numbers, and the same numbers make the same bytes. Colours, lines and type are
classes, which `charts.css` defines. Systems can be told apart without colours: by order and number, or by their row.
"""

from __future__ import annotations

from .axes import Axis
from .densities import count_levels, hexagon_counts, is_degenerate, kernel_density
from .markup import xml_characters, xml_text
from .svg import coordinate, element, finite, series_style, shortened, svg_chart, svg_label, svg_line, text_width
from .tables import html_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, Optional, Sequence, Tuple

    from .tables import Column

    #: The name of a group of bars, and the number of segments in it (`None`: not shown).
    Group = Tuple[str, Optional[int]]
    #: A value with the ends of its interval, if it has one; `None` where there is nothing to score.
    Bar = Optional[Tuple[float, Optional[Tuple[float, float]]]]
    #: A system's name, its scores on resamples, its score, and the ends of the 95 % interval.
    Distribution = Tuple[str, Sequence[float], float, Tuple[float, float]]
    Point = Tuple[float, float]

#: Groups of fewer segments than this show little; their bars are grey.
FEW = 30

#: Limit of the points of a scatter plot; a larger number is counted in hexagons.
MAX_POINTS = 2000

#: The width of charts, in user units.
WIDTH = 720

#: Limits of the height of bars, of their number side by side, of the width of a bar, and of the names of groups (in
#: narrow characters).
_BAR_HEIGHT, _MAX_BARS, _MAX_BAR_WIDTH, GROUP_NAME = 190, 40, 40.0, 14

#: The fraction of its space that a group of bars fills, and the minimum width of bars with numbers.
_GROUP_SHARE, _NUMBERED_WIDTH = 0.84, 7.0

#: The left and the right end of the room for bars, and of the room for rows such as densities.
BARS_SPAN, ROWS_SPAN = (48.0, 712.0), (176.0, 560.0)

#: The height of a row of densities, and of the curve in it.
_ROW_HEIGHT, _CURVE_HEIGHT = 46, 34

#: The side of the square of a scatter plot, its left and its upper edge, and the room from an edge to the first tick.
_SQUARE, _SQUARE_LEFT, _SQUARE_TOP, _SQUARE_ROOM = 440, 62, 12, 10

#: The number of hexagons side by side.
_HEXAGONS = 26

#: The size of the image of an interval, and its room on the left and on the right.
_INTERVAL_WIDTH, _INTERVAL_HEIGHT, _INTERVAL_ROOM = 120, 16, 2


# Bars


def bar_chart(name: str, title: str, description: str, groups: Sequence[Group], series: Sequence[str],
              values: Sequence[Sequence[Bar]], opens: Sequence[Sequence[str]] = ()) -> str:
    """Grouped bars: a group for each bucket of segments, with a bar for each system.

    Bars begin at zero, which is always on the axis. Bars of groups with fewer than 30 segments are grey and hatched.
    Many bars are divided into panels, one below the other, with the same axis.

    Args:
        name: the prefix of the ids in the image.
        title: the title of the image.
        description: a description of the image.
        groups: the label and the number of segments of each bucket.
        series: the names of the systems.
        values: for each system, its bar in each group: the value, and the ends of its interval or `None`; `None`
            instead of a bar where there is nothing to score.
        opens: for each system and each group, the view that a click on the bar opens (see `page_views.js`); empty:
            clicks open nothing.

    Returns:
        an `<svg>` element.

    Raises:
        PurebleuError: a number is infinite or not a number.
    """
    few = any(has_few(group) and any(bars[index] for bars in values) for index, group in enumerate(groups))
    parts, top = legend([*enumerate(series)], few, name)
    if few:
        parts.insert(0, _hatching(name))
    low, high = range_of_bars(values)
    in_panel = _groups_in_panel(groups, len(series))
    for first in range(0, len(groups) or 1, in_panel):
        axis = Axis(low, high, top + _BAR_HEIGHT + 8, top + 8)
        parts += axis.vertical_grid(*BARS_SPAN)
        for index in range(first, min(first + in_panel, len(groups))):
            left = BARS_SPAN[0] + (index - first) * _space_of_group(in_panel)
            shows = [views[index] for views in opens] or [""] * len(series)
            parts += _group(name, groups[index], series, [bars[index] for bars in values], axis, left, in_panel, shows)
        parts.append(svg_line("axis", BARS_SPAN[0], axis.at(0.0), BARS_SPAN[1], axis.at(0.0)))
        top += _BAR_HEIGHT + 62
    return svg_chart(name, title, description, (WIDTH, top), parts)


def range_of_bars(values: Sequence[Sequence[Bar]]) -> tuple[float, float]:
    """The smallest and the largest number in a chart of bars, whose range always includes zero."""
    ends = [0.0, *[finite(end) for bars in values for bar in bars if bar for end in (bar[0], *(bar[1] or ()))]]
    return min(ends), max(ends)


def _groups_in_panel(groups: Sequence[Group], series: int) -> int:
    """The number of groups in a panel: bars and labels have room, and all panels are about equally full."""
    widest = max([text_width(line) for group in groups for line in _lines_of_group(group)] or [1.0])
    most = max(1, min(_MAX_BARS // max(series, 1), int((BARS_SPAN[1] - BARS_SPAN[0]) / (widest + 4))))
    panels = -(-len(groups) // most) or 1
    return -(-len(groups) // panels) or 1


def _lines_of_group(group: Group) -> tuple[str, str]:
    """The two lines of the label below a group of bars."""
    return shortened(group[0], GROUP_NAME), "" if group[1] is None else f"n {group[1]}"


def has_few(group: Group) -> bool:
    return group[1] is not None and group[1] < FEW


def _space_of_group(in_panel: int) -> float:
    return (BARS_SPAN[1] - BARS_SPAN[0]) / in_panel


def _group(name: str, group: Group, series: Sequence[str], bars: Sequence[Bar], axis: Axis, left: float,
           in_panel: int, shows: Sequence[str]) -> Iterator[str]:
    """The bars of a group, with the labels below them."""
    width = min(_MAX_BAR_WIDTH, _GROUP_SHARE * _space_of_group(in_panel) / max(len(bars), 1))
    middle = left + _space_of_group(in_panel) / 2
    for index, (system, bar) in enumerate(zip(series, bars)):
        x = middle + (index - len(bars) / 2) * width
        if bar:
            fill = {"fill": f"url(#{name}-hatching)"} if has_few(group) else {}
            style = "few" if fill else series_style(index)
            yield _bar(bar, axis, x, width, f"{_value_and_interval(bar, 2)}; {group[0]}; {system}", style, fill,
                       shows[index])
        if bar and len(bars) > 1 and width >= _NUMBERED_WIDTH:
            yield svg_label(x + width / 2, axis.start + 10, str(index + 1), "number", "middle")
    for line, text in enumerate(_lines_of_group(group)):
        yield svg_label(middle, axis.start + 25 + 14 * line, text, ("label", "tick")[line], "middle")


def _bar(bar: tuple[float, tuple[float, float] | None], axis: Axis, x: float, width: float, text: str, style: str,
         fill: dict[str, str], show: str) -> str:
    """A bar with its whisker; `text` is shown while the pointer is over it, and a click opens the view `show`."""
    value, interval = bar
    zero, end = axis.at(0.0), axis.at(value)
    parts = [element("title", xml_text(text)),
             element("rect", class_=f"bar {style}", **fill, x=x + width * 0.08, width=width * 0.84,
                     y=min(zero, end), height=abs(zero - end))]
    if interval:
        low, high = [coordinate(axis.at(limit)) for limit in interval]
        middle, cap = x + width / 2, min(4.0, width * 0.25)
        left, right = coordinate(middle - cap), coordinate(middle + cap)
        path = f"M{left} {low}H{right}M{left} {high}H{right}M{coordinate(middle)} {low}V{high}"
        parts += [element("path", class_=layer, d=path) for layer in ("halo", "whisker")]
    return element("g", "".join(parts), **opening(show))


def opening(show: str, style: str = "") -> dict[str, str]:
    """The attributes of an element of a chart: its classes, and the view that a click on it opens, if any."""
    if show:
        return {"class_": f"{style} opens".lstrip(), "data_show": show}
    return {"class_": style} if style else {}


def _hatching(name: str) -> str:
    """The pattern of bars of few segments."""
    line = element("path", class_="hatch", d="M0 0V5")
    return element("defs", f'<pattern id="{name}-hatching" width="5" height="5" patternUnits="userSpaceOnUse" '
                           f'patternTransform="rotate(45)">{line}</pattern>')


def legend(series: Sequence[tuple[int, str]], few: bool, name: str) -> tuple[list[str], float]:
    """A legend with the names and colours of systems, given with their indices; and the height that it takes."""
    parts: list[str] = []
    x, y = BARS_SPAN[0], 14.0
    entries = [(f"{index + 1}  {shortened(system)}" if len(series) > 1 else shortened(system), system,
                series_style(index)) for index, system in series]
    if few:
        entries.append((f"fewer than {FEW} segments (n)", f"n < {FEW}", "few"))
    for text, whole, style in entries:
        width = 16 + text_width(text) + 14
        if x + width > WIDTH and x > BARS_SPAN[0]:
            x, y = BARS_SPAN[0], y + 18
        fill = {"fill": f"url(#{name}-hatching)"} if style == "few" else {}
        swatch = element("rect", class_=f"bar {style}", **fill, x=x, y=y - 9, width=10, height=10)
        parts.append(element("g", element("title", xml_text(whole)) + swatch + svg_label(x + 16, y, text)))
        x += width
    return parts, y + 8


def bar_table(groups: Sequence[Group], series: Sequence[str], values: Sequence[Sequence[Bar]],
              places: int = 2, of: str = "Segments") -> list[Column]:
    """The numbers of `bar_chart`, a row for each group; `of` is the head of the column of sizes, if these are known.

    >>> bar_table([("0-9", 427)], ["A"], [[(36.5, (35.0, 38.0))]])
    [('Group', ['0-9']), ('Segments', ['427']), ('A', ['36.50 (35.00 to 38.00)'])]
    """
    counts = [] if None in [count for _, count in groups] else [(of, [str(count) for _, count in groups])]
    return [("Group", [label for label, _ in groups]), *counts,
            *[(system, [_value_and_interval(bar, places) if bar else "" for bar in bars])
              for system, bars in zip(series, values)]]


def _value_and_interval(bar: tuple[float, tuple[float, float] | None], places: int) -> str:
    value, interval = bar
    if interval is None:
        return fixed(value, places)
    return f"{fixed(value, places)} ({fixed(interval[0], places)} to {fixed(interval[1], places)})"


def fixed(value: float, places: int) -> str:
    """A number with `places` decimals; zero has no sign."""
    return f"{round(finite(value), places) + 0.0:.{places}f}"


# Densities


def density_chart(name: str, title: str, description: str, rows: Sequence[Distribution], places: int = 2,
                  left_out: int | None = None) -> str:
    """The distributions of scores in resamples: a row for each system, with its score and the ends of its interval.

    Curves are kernel densities, each as high as its row; if all scores are the same, the curve is a vertical line. For
    distributions of differences, the axis includes zero, with a line.

    Args:
        name: the prefix of the ids in the image.
        title: the title of the image.
        description: a description of the image.
        rows: for each system its name, its scores in resamples, its score, and the ends of its 95 % interval.
        places: the number of decimal places.
        left_out: for differences, the index of the system that the others are compared with: it has no row, and no
            other system has its colour.

    Returns:
        an `<svg>` element.

    Raises:
        PurebleuError: a number is infinite or not a number.
    """
    ends = [finite(end) for _, samples, score, interval in rows for end in (score, *interval, *samples)] or [0.0]
    ends += [0.0] * (left_out is not None)
    curves = [[] if is_degenerate(samples) else kernel_density(samples) for _, samples, _, _ in rows]
    ends += [value for curve in curves for value, _ in curve]
    bottom = 8 + _ROW_HEIGHT * len(rows)
    axis = Axis(min(ends), max(ends), *ROWS_SPAN)
    parts = list(axis.horizontal_grid(4, bottom + 4))
    if left_out is not None or axis.low < 0 < axis.high:
        parts.append(svg_line("axis", axis.at(0.0), 0, axis.at(0.0), bottom + 4))
    for index, (row, curve) in enumerate(zip(rows, curves)):
        system = index if left_out is None or index < left_out else index + 1
        parts += _density_row(row, curve, axis, 8 + _ROW_HEIGHT * (index + 1) - 8, system, places)
    return svg_chart(name, title, description, (WIDTH, bottom + 24), parts)


def _density_row(row: Distribution, curve: Sequence[Point], axis: Axis, base: float, index: int,
                 places: int) -> Iterator[str]:
    """A row of `density_chart`, whose curve rises from the height `base`."""
    system, samples, score, interval = row
    style = series_style(index)
    text = _value_and_interval((score, interval), places)
    yield element("g", element("title", xml_text(system)) + svg_label(8, base, shortened(system, 22)))
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


def density_table(rows: Sequence[Distribution], places: int = 2) -> list[Column]:
    """The numbers of `density_chart`, a row for each system.

    >>> [head for head, _ in density_table([])]
    ['System', 'Score', 'Low end', 'High end', 'Resamples', 'Smallest', 'Median', 'Largest']
    """
    ordered = [sorted(map(finite, samples)) for _, samples, _, _ in rows]

    def cells(numbers: Iterable[float]) -> list[str]:
        return [fixed(number, places) for number in numbers]

    def order_statistics(share: float) -> list[str]:
        return ["".join(cells(samples[round(share * (len(samples) - 1)):][:1])) for samples in ordered]

    return [("System", [system for system, _, _, _ in rows]), ("Score", cells([score for _, _, score, _ in rows])),
            ("Low end", cells([low for _, _, _, (low, _) in rows])),
            ("High end", cells([high for _, _, _, (_, high) in rows])),
            ("Resamples", [str(len(samples)) for samples in ordered]), ("Smallest", order_statistics(0)),
            ("Median", order_statistics(0.5)), ("Largest", order_statistics(1))]


# Points


def scatter_chart(name: str, title: str, description: str, x_label: str, y_label: str, points: Sequence[Point],
                  limits: tuple[float, float] = (0.0, 100.0), opens: str = "") -> str:
    """Two scores of each segment: a point for each, or, for more than 2,000, hexagons that show how many there are.

    Both axes have the same range. The two scores are equal on the diagonal line.

    Args:
        name: the prefix of the ids in the image.
        title: the title of the image.
        description: a description of the image.
        x_label: the system on the horizontal axis.
        y_label: the system on the vertical axis.
        points: the scores of each segment.
        limits: the minimum range of both axes; it is larger where points need it.
        opens: the view that a click on a hexagon opens, with its segments (see `page_views.js`); empty: none.

    Returns:
        an `<svg>` element.

    Raises:
        PurebleuError: a number is infinite or not a number.
    """
    low, high = _range_of_points(points, limits)
    right, bottom = _SQUARE_LEFT + _SQUARE, _SQUARE_TOP + _SQUARE
    across = Axis(low, high, _SQUARE_LEFT + _SQUARE_ROOM, right - _SQUARE_ROOM, 10)
    upwards = Axis(low, high, bottom - _SQUARE_ROOM, _SQUARE_TOP + _SQUARE_ROOM, 10)
    middle = _SQUARE_TOP + _SQUARE / 2
    labels = [svg_label(_SQUARE_LEFT + _SQUARE / 2, bottom + 36, shortened(x_label, 56), "label", "middle"),
              element("text", xml_text(shortened(y_label, 56)), x=16, y=middle, class_="label", text_anchor="middle",
                      transform=f"rotate(-90 16 {coordinate(middle)})")]
    placed = [(across.at(x), upwards.at(y)) for x, y in points]
    marks = _hexagons(points, across, upwards, right + 20.0, opens) if len(points) > MAX_POINTS else _points(placed)
    parts = [*across.horizontal_grid(_SQUARE_TOP, bottom), *upwards.vertical_grid(_SQUARE_LEFT, right), *labels, *marks,
             *[svg_line(style, across.start, upwards.start, across.end, upwards.end) for style in ("halo", "diagonal")]]
    for line, (side, count) in enumerate(_sides(points)):
        parts.append(svg_label(right + 16, _SQUARE_TOP + 12 + 18 * line, f"{side} the line: {count}"))
    return svg_chart(name, title, description, (right + 140, bottom + 46), parts, "chart square")


def _range_of_points(points: Sequence[Point], limits: tuple[float, float]) -> tuple[float, float]:
    numbers = [*limits, *[finite(number) for point in points for number in point]]
    return min(numbers), max(numbers)


def _sides(points: Sequence[Point]) -> list[tuple[str, int]]:
    """The numbers of points above, on and below the line of equal scores."""
    return [("above", sum([y > x for x, y in points])), ("on", sum([y == x for x, y in points])),
            ("below", sum([y < x for x, y in points]))]


def _points(placed: Sequence[Point]) -> Iterator[str]:
    """A dot for each point, drawn as a line of length zero with round ends."""
    dots = [element("path", d=f"M{coordinate(x)} {coordinate(y)}h0") for x, y in placed]
    yield element("g", "".join(dots), class_="points")


def _hexagons(points: Sequence[Point], across: Axis, upwards: Axis, legend_left: float,
              opens: str) -> Iterator[str]:
    """Hexagons at the points, larger where there are more of them; and a legend of counts.

    One hexagon has its centre at the origin, for the segments in which both systems have no match.
    """
    width = (_SQUARE - 2 * _SQUARE_ROOM) / _HEXAGONS
    in_scores = (across.high - across.low) / _HEXAGONS
    counts = hexagon_counts([(x - across.low, y - across.low) for x, y in points], in_scores)
    levels = count_levels(max(counts.values()))
    for (x, y), count in counts.items():
        level = sum([count >= first for first in levels])
        yield _hexagon(across.at(x + across.low), upwards.at(y + across.low), width, level, len(levels), str(count),
                       opens and f"{opens}hexagon={x!r},{y!r},{in_scores!r},{across.low!r}")
    top = _SQUARE_TOP + 92.0
    yield svg_label(legend_left - 4, top, "per hexagon:")
    for index, (first, following) in enumerate(zip(levels, [*levels[1:], 0])):
        text = str(first) if following == first + 1 else f"{first}–{following - 1}" if following else f"from {first}"
        y = top + 20 * (index + 1)
        yield _hexagon(legend_left + 4, y - 4, width, index + 1, len(levels))
        yield svg_label(legend_left + 20, y, text)


def _hexagon(x: float, y: float, width: float, level: int, levels: int, text: str = "", show: str = "") -> str:
    """A hexagon around a point; the highest level is full size. `text` is shown while the pointer is over it."""
    half = width / 2 * (0.5 + 0.5 * level / levels)
    side = 2 * half / 3**0.5
    right, left, down, up = coordinate(half), coordinate(-half), coordinate(side / 2), coordinate(-side / 2)
    path = (f"M{coordinate(x)} {coordinate(y - side)}l{right} {down}v{coordinate(side)}l{left} {down}l{left} {up}"
            f"v{coordinate(-side)}z")
    # With fewer levels than colours, the weakest colours are left out.
    return element("path", element("title", text) if text else "", **opening(show, f"h{level + 5 - levels}"), d=path)


def scatter_table(x_label: str, y_label: str, points: Sequence[Point],
                  limits: tuple[float, float] = (0.0, 100.0)) -> list[Column]:
    """The numbers of `scatter_chart`: the count of points for each pair of ranges of the two scores.

    >>> scatter_table("A", "B", [(1.0, 2.0), (9.0, 7.0)], (0.0, 10.0))[9]
    ('8–9', ['0', '0', '0', '0', '0', '0', '0', '0', '0', '0'])
    """
    axis = Axis(*_range_of_points(points, limits), 0, 1, 10)
    bounds = [float(tick) for tick in axis.ticks[1:-1]]
    ranges = [f"{low}–{high}" for low, high in zip(axis.ticks, axis.ticks[1:])]
    counts = [[0] * len(ranges) for _ in ranges]
    for x, y in points:
        counts[sum([x >= bound for bound in bounds])][sum([y >= bound for bound in bounds])] += 1
    return [(f"{y_label} \\ {x_label}", ranges),
            *[(head, [str(count) for count in column]) for head, column in zip(ranges, counts)]]


# Intervals, and figures


def interval_bar(low: float, value: float, high: float, axis_low: float, axis_high: float, places: int = 2) -> str:
    """An interval as a bar with a mark at the value, for a cell of a table.

    Args:
        low: the low end of the interval.
        value: the score.
        high: the high end of the interval.
        axis_low: the value at the left edge, the same in all cells of a column.
        axis_high: the value at the right edge. Numbers beyond an edge are drawn at the edge.
        places: the number of decimal places in the text of the image.

    Returns:
        an `<svg>` element.

    Raises:
        PurebleuError: a number is infinite or not a number.
    """
    span = finite(axis_high) - finite(axis_low)
    room = _INTERVAL_WIDTH - 2 * _INTERVAL_ROOM
    shares = [(finite(number) - axis_low) / span if span else 0.5 for number in (low, value, high)]
    left, middle, right = [_INTERVAL_ROOM + room * min(max(share, 0.0), 1.0) for share in shares]
    half = _INTERVAL_HEIGHT / 2
    text = _value_and_interval((value, (low, high)), places)
    parts = [element("title", text), svg_line("axis", _INTERVAL_ROOM, half, _INTERVAL_WIDTH - _INTERVAL_ROOM, half),
             element("rect", class_="bar s0", x=left, y=half - 3, width=right - left, height=6),
             svg_line("halo", middle, 1, middle, _INTERVAL_HEIGHT - 1),
             svg_line("score", middle, 1, middle, _INTERVAL_HEIGHT - 1)]
    return element("svg", "".join(parts), class_="chart interval", role="img", aria_label=text,
                   viewBox=f"0 0 {_INTERVAL_WIDTH} {_INTERVAL_HEIGHT}")


def figure(svg: str, caption: str, table: Sequence[Column], summary: str = "Numbers", rows: str = "") -> str:
    """A chart with its caption, and the table of its numbers, which opens below it.

    Args:
        svg: a chart.
        caption: one line of text.
        table: columns of text, such as those of `bar_table`.
        summary: the text that opens the table.
        rows: the view that a row of the table opens, without the row's index at its end (see `page_views.js`); empty:
            rows open nothing.

    Returns:
        a `<figure>` element.
    """
    cleaned = [(xml_characters(head), [*map(xml_characters, cells)]) for head, cells in table]
    opens = f' data-rows="{xml_text(rows)}"' if rows else ""
    return "\n".join([
        f'<figure class="chart-figure"{opens}>', element("figcaption", xml_text(caption)), svg,
        f"<details><summary>{xml_text(summary)}</summary>",
        f'<div class="scroll" tabindex="0" role="group" aria-label="{xml_text(f"{summary}: {caption}")}">',
        html_table(cleaned), "</div>", "</details>", "</figure>"])
