"""Scores of single segments, and comparisons of systems segment by segment."""

from __future__ import annotations

from math import floor

from ..metrics.base import Metric
from ..metrics.score import Score
from ..runtime.hints import NamedTuple, Row, Sequence
from ..runtime.progress import tracked

#: Two scores of segments count as equal if they are equal to this many decimal places. (Smaller differences are
#: rounding errors.)
COMPARED_DIGITS = 9

#: Segment scores in the page of a report are rounded to this number of decimal places. Charts count the rounded scores,
#: so a click on a bar selects exactly the segments that the bar counts.
STORED_DIGITS = 4


def sentence_metric(metric: Metric[Score]) -> Metric[Score]:
    """Return the metric for single segments, as with `--sentence-level`: BLEU gets effective order."""
    from ..metrics import metric_class

    options = metric.scoring_options()
    if "effective_order" not in options:
        return metric
    options["effective_order"] = True
    return metric_class(type(metric).__name__)(**options)


def segment_scores(metric: Metric[Score], rows: Sequence[Row]) -> list[float]:
    """Return the score of each segment from its row; `metric` is a result of `sentence_metric`."""
    return [metric.value(row) for row in tracked("scoring single segments", rows, len(rows))]


def limits_of(metric: Metric[Score], systems: Sequence[Sequence[float]]) -> tuple[int, int]:
    """Return the ends of a metric's scale, or if the metric has no scale, round numbers below and above all scores."""
    if metric.SCALE is not None:
        return 0, metric.SCALE
    lowest, highest = min(map(min, systems)), max(map(max, systems))
    return -_round_above(-lowest), _round_above(highest) or int(lowest >= 0)


def _round_above(number: float) -> int:
    """Round a number up to 1, 2, 5, 10, 20, 50 and so on. Round 0 and negative numbers to 0.

    >>> _round_above(0.9), _round_above(23), _round_above(-4)
    (1, 50, 0)
    """
    if number <= 0:
        return 0
    power = 1
    while 5 * power < number:
        power *= 10
    return next(factor * power for factor in (1, 2, 5) if factor * power >= number)


def decile_counts(scores: Sequence[float], limits: tuple[int, int] = (0, 100)) -> list[int]:
    """Count the scores in each tenth of a scale. Scores outside the scale count in the first or the last tenth.

    >>> decile_counts([0.0, 9.9, 10.0, 100.0, 250.0])
    [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    """
    low, high = limits
    counts = [0] * 10
    for score in scores:
        # (Tenths of 1 are not exact as floats, so the score is multiplied by 10. Differences below 1e-9 are rounding
        # errors.)
        counts[min(max(floor((score - low) * 10 / (high - low) + 1e-9), 0), 9)] += 1
    return counts


def decile_labels(limits: tuple[int, int] = (0, 100)) -> list[str]:
    """Return the labels of the tenths of a scale.

    >>> decile_labels((0, 20))[-2:], decile_labels((-1, 1))[:2]
    (['16-18', '18+'], ['-1 to -0.8', '-0.8 to -0.6'])
    """
    ends = [f"{decile_start(limits, index):g}" for index in range(10)]
    between = " to " if limits[0] < 0 else "-"
    return [*[f"{start}{between}{end}" for start, end in zip(ends, ends[1:])], f"{ends[-1]}+"]


def decile_start(limits: tuple[int, int], index: int) -> float:
    """Return the start of the tenth of a scale with this index, from 0 to 9.

    >>> decile_start((0, 1), 3)
    0.3
    """
    low, high = limits
    return round(low + (high - low) * index / 10, STORED_DIGITS)


class Outcome(NamedTuple):
    """The numbers of segments in which a system is better than another system, equal to it, and worse than it."""

    wins: int
    ties: int
    losses: int


def outcome(scores: Sequence[float], others: Sequence[float], lower_is_better: bool = False) -> Outcome:
    """Return the numbers of segments that a system wins, ties and loses. Ties agree to `COMPARED_DIGITS` decimals.

    Args:
        scores: the system's score of each segment.
        others: the other system's score of each segment.
        lower_is_better: whether lower scores are better.

    Example:
        >>> outcome([50.0, 20.0, 30.0], [10.0, 20.0, 90.0])
        Outcome(wins=1, ties=1, losses=1)
    """
    sign = -1 if lower_is_better else 1
    gains = [sign * round(score - other, COMPARED_DIGITS) for score, other in zip(scores, others)]
    return Outcome(sum([gain > 0 for gain in gains]), sum([gain == 0 for gain in gains]),
                   sum([gain < 0 for gain in gains]))


def extreme_segments(which: str, systems: Sequence[Sequence[float]], count: int,
                     lower_is_better: bool = False) -> list[int]:
    """Return the segments with the worst scores, with the best scores, or with the largest differences.

    Args:
        which: `worst` and `best` order segments by the score of the first system. `differences` orders segments by the
            largest difference between two systems.
        systems: for each system, the score of each segment.
        count: the maximum number of segments.
        lower_is_better: whether lower scores are better.

    Returns:
        The indices of the segments, the most extreme segment first. Equally extreme segments are in the order of the
        corpus.

    Example:
        >>> extreme_segments("worst", [[50.0, 10.0, 30.0], [50.0, 90.0, 20.0]], 2)
        [1, 2]
        >>> extreme_segments("differences", [[50.0, 10.0, 30.0], [50.0, 90.0, 20.0]], 1)
        [1]
    """
    if which == "differences":
        keys = [min(scores) - max(scores) for scores in zip(*systems)]
    else:
        sign = -1 if (which == "best") != lower_is_better else 1
        keys = [sign * score for score in systems[0]]
    return sorted(range(len(keys)), key=keys.__getitem__)[:count]
