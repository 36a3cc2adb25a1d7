"""Summaries of many numbers for charts: kernel densities, and counts in hexagons."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: The number of points of a density curve.
_CURVE_POINTS = 97

#: The number of bandwidths that a curve goes on beyond the smallest and the largest sample.
_TAIL = 3.5

#: The minimum bandwidth as a fraction of the range of the samples: a curve has no room for more detail.
_MIN_BANDWIDTH = 1 / 64


def is_degenerate(samples: Sequence[float]) -> bool:
    """Whether all samples are the same number, up to rounding errors; true without samples, too."""
    return not samples or max(samples) - min(samples) <= 1e-9 * max(1.0, abs(max(samples)))


def kernel_density(samples: Sequence[float]) -> list[tuple[float, float]]:
    """The density of samples, estimated with a Gaussian kernel and Silverman's rule of thumb for its bandwidth.

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
    return [(low + index * step, sum([weight * kernel[abs(index - position)] for position, weight in used]))
            for index in range(_CURVE_POINTS)]


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
    """The number of points in each hexagon of a honeycomb, by the hexagon's centre.

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


def count_levels(largest: int, most: int = 5) -> list[int]:
    """Round counts from 1 to `largest`, at each of which a level begins: at most `most` levels.

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
    if len(starts) <= most:
        return starts
    return [starts[index * (len(starts) - 1) // (most - 1)] for index in range(most)]
