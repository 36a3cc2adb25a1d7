"""Charts of distributions: densities of resampled scores, and the scores of segments as points or hexagons."""

from __future__ import annotations

import math
from itertools import chain

from ...tables import xml_text
from .drawing import (
    ROWS_SPAN,
    WIDTH,
    Axis,
    coordinate,
    element,
    finite,
    fixed,
    opening,
    series_style,
    shortened,
    svg_chart,
    svg_label,
    svg_line,
    value_and_interval,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, Sequence, Tuple

    from ...tables import Column

    #: A system's name, its scores on resamples, its score, and the ends of the 95 % interval.
    Distribution = Tuple[str, Sequence[float], float, Tuple[float, float]]

    Point = Tuple[float, float]

#: Limit of the points of a scatter plot; a larger number is counted in hexagons.
MAX_POINTS = 2000

#: The height of a row of densities, and of the curve in it.
_ROW_HEIGHT, _CURVE_HEIGHT = 46, 34

#: The side of the square of a scatter plot, its left and its upper edge, and the room from an edge to the first tick.
_SQUARE, _SQUARE_LEFT, _SQUARE_TOP, _SQUARE_ROOM = 440, 62, 12, 10

#: The number of hexagons side by side, and the largest number of their sizes.
_HEXAGONS, _MAX_LEVELS = 26, 5

#: The number of points of a density curve.
_CURVE_POINTS = 97

#: The number of bandwidths that a curve goes on beyond the smallest and the largest sample.
_TAIL = 3.5

#: The minimum bandwidth as a fraction of the range of the samples: a curve has no room for more detail.
_MIN_BANDWIDTH = 1 / 64


def is_degenerate(samples: Sequence[float]) -> bool:
    """Return whether all samples are the same number, up to rounding errors; true without samples, too."""
    return not samples or max(samples) - min(samples) <= 1e-9 * max(1.0, abs(max(samples)))


def kernel_density(samples: Sequence[float]) -> list[tuple[float, float]]:
    """Return the density of samples, estimated with a Gaussian kernel and Silverman's rule of thumb for its bandwidth.

    Silverman: Density Estimation for Statistics and Data Analysis, 1986, section 3.4.2, equation 3.31.

    Args:
        samples: numbers, in any order, not all of them the same.

    Returns:
        Points of the curve (value, density) at equal distances; the area below it is about 1.
    """
    width = bandwidth(samples)
    low, high = min(samples) - _TAIL * width, max(samples) + _TAIL * width
    step = (high - low) / (_CURVE_POINTS - 1)
    # The weight of each sample is shared between the two points around it (linear binning): the time of the sums below
    # then depends on the number of points, not on that of samples.
    weights = [0.0] * (_CURVE_POINTS + 1)
    for sample in samples:
        index = int((sample - low) / step)
        share = (sample - low) / step - index
        weights[index] += 1 - share
        weights[index + 1] += share
    scale = 1 / (len(samples) * width * math.sqrt(2 * math.pi))
    kernel = [scale * math.exp(-0.5 * (distance * step / width) ** 2) for distance in range(_CURVE_POINTS + 1)]
    used = [(position, weight) for position, weight in enumerate(weights) if weight]
    points: list[Point] = []
    for index in range(_CURVE_POINTS):
        density = sum([weight * kernel[abs(index - position)] for position, weight in used])
        points.append((low + index * step, density))
    return points


def bandwidth(samples: Sequence[float]) -> float:
    """Silverman's rule of thumb: 0.9 min(standard deviation, interquartile range / 1.34) n^(-1/5).

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
    """Return the number of points in each hexagon of a honeycomb, by the hexagon's centre.

    The hexagons have a corner at the bottom and are `width` wide; one has its centre at (0, 0). The centres are two
    rectangular lattices. A point belongs to the nearest centre in either.

    >>> hexagon_counts([(0.1, 0.0), (0.2, 0.1), (0.9, 0.0)], 1.0)
    {(0.0, 0.0): 2, (1.0, 0.0): 1}
    """
    height = width * math.sqrt(3)
    counts: dict[tuple[float, float], int] = {}
    for x, y in points:
        centres = [((math.floor(x / width - shift + 0.5) + shift) * width,
                    (math.floor(y / height - shift + 0.5) + shift) * height) for shift in (0.0, 0.5)]
        # (page.js finds the same hexagon: products are the same everywhere, powers are not.)
        centre = min(centres, key=lambda centre: (centre[0] - x) * (centre[0] - x) + (centre[1] - y) * (centre[1] - y))
        counts[centre] = counts.get(centre, 0) + 1
    return counts


def count_levels(largest: int) -> list[int]:
    """Round counts from 1 to `largest`, at each of which a level begins: at most five levels.

    >>> count_levels(4), count_levels(300)
    ([1, 2], [1, 2, 10, 50, 200])
    """
    starts = [1]
    while True:
        # After 1, 2, 5 come 10, 20, 50.
        last = starts[-1]
        following = last * 5 // 2 if str(last)[0] == "2" else last * 2
        if following > largest:
            break
        starts.append(following)
    if len(starts) <= _MAX_LEVELS:
        return starts
    return [starts[index * (len(starts) - 1) // (_MAX_LEVELS - 1)] for index in range(_MAX_LEVELS)]


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
    ends: list[float] = []
    curves: list[list[Point]] = []
    for _, samples, score, interval in rows:
        ends += map(finite, (score, *interval, *samples))
        curves.append([] if is_degenerate(samples) else kernel_density(samples))
        ends += [value for value, _ in curves[-1]]
    if left_out is not None or not ends:
        ends.append(0.0)
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
    """Yield a row of `density_chart`, whose curve rises from the height `base`."""
    system, samples, score, interval = row
    style = series_style(index)
    text = value_and_interval((score, interval), places)
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
    """Return the numbers of `density_chart`, a row for each system.

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
        limits: the minimum range of both axes; it is larger if points need it.
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
    numbers = [*limits, *map(finite, chain.from_iterable(points))]
    return min(numbers), max(numbers)


def _sides(points: Sequence[Point]) -> list[tuple[str, int]]:
    """Return the numbers of points above, on and below the line of equal scores."""
    return [("above", sum([y > x for x, y in points])), ("on", sum([y == x for x, y in points])),
            ("below", sum([y < x for x, y in points]))]


def _points(placed: Sequence[Point]) -> Iterator[str]:
    """Yield a dot for each point, drawn as a line of length zero with round ends."""
    dots = [element("path", d=f"M{coordinate(x)} {coordinate(y)}h0") for x, y in placed]
    yield element("g", "".join(dots), class_="points")


def _hexagons(points: Sequence[Point], across: Axis, upwards: Axis, legend_left: float,
              opens: str) -> Iterator[str]:
    """Yield hexagons at the points, the larger the more points there are; and a legend of counts.

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
    """Return a hexagon around a point; the highest level is full size. `text` is shown while the pointer is over it."""
    half = width / 2 * (0.5 + 0.5 * level / levels)
    side = 2 * half / 3**0.5
    right, left, down, up = coordinate(half), coordinate(-half), coordinate(side / 2), coordinate(-side / 2)
    path = (f"M{coordinate(x)} {coordinate(y - side)}l{right} {down}v{coordinate(side)}l{left} {down}l{left} {up}"
            f"v{coordinate(-side)}z")
    # With fewer levels than colours, the weakest colours are left out.
    return element("path", element("title", text) if text else "", **opening(show, f"h{level + 5 - levels}"), d=path)


def scatter_table(x_label: str, y_label: str, points: Sequence[Point],
                  limits: tuple[float, float] = (0.0, 100.0)) -> list[Column]:
    """Return the numbers of `scatter_chart`: the count of points for each pair of ranges of the two scores.

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
