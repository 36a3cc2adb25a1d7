"""Finds the segments that are most useful to annotate, because systems translate them most differently."""

from __future__ import annotations

from itertools import chain
from math import fsum

from ..metrics import CHRF
from ..metrics.base import Metric
from ..runtime.errors import LengthError, OptionError, PurebleuError
from ..runtime.hints import Any, Sequence
from ..runtime.progress import tracked


def similarities(outputs: Sequence[Sequence[str]], metric: Metric[Any] | None = None) -> list[float]:
    """Return, for each segment, the mean score of the systems' outputs against each other.

    The mean is over all ordered pairs of systems, including pairs of a system with itself. WMT25 used this mean to
    select segments for annotation (`diversity_chrf` in subset2evaluate; Zouhar et al., 2025).

    Args:
        outputs: the outputs by system and segment.
        metric: the metric that scores an output with another output as the reference; `None`: chrF.

    Returns:
        The means, in the metric's unit. If outputs are different, the mean is low under chrF, but high under a metric
        whose lower scores are better, such as TER.

    Raises:
        PurebleuError: there are no outputs.
        LengthError: systems have different numbers of segments.
        TypeError: an output is not a string.

    Example:
        >>> [round(number, 2) for number in similarities([["a cat", "no"], ["a cat", "yes"]])]
        [100.0, 50.0]
    """
    if not outputs or not outputs[0]:
        raise PurebleuError("there are no outputs to compare")
    if len(set(map(len, outputs))) > 1:
        raise LengthError("systems have different numbers of segments: "
                          + ", ".join([str(len(segments)) for segments in outputs]))
    compared = CHRF() if metric is None else metric
    means: list[float] = []
    for segment in tracked("comparing", list(zip(*outputs)), len(outputs[0])):
        scores = chain.from_iterable(compared.pairwise(segment, segment))
        means.append(fsum(scores) / len(segment) ** 2)
    return means


def chosen_segments(scores: Sequence[float], number: int, lower_is_better: bool = False) -> list[int]:
    """Return the indices of the `number` segments with the most different outputs, from the result of `similarities`.

    Raises `OptionError` if `number` is below 1, or above the number of segments.
    """
    if not 1 <= number <= len(scores):
        raise OptionError(f"the number of segments to choose must be from 1 to {len(scores)}, not {number}",
                          option="count")
    sign = -1 if lower_is_better else 1
    return sorted(range(len(scores)), key=lambda segment: sign * scores[segment])[:number]
