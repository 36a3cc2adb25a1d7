"""The segments that are most worth annotating: those that systems translate in the most different ways."""

from __future__ import annotations

from math import fsum

from ..errors import LengthError, OptionError, PurebleuError
from ..metrics import CHRF
from ..metrics.base import Metric
from ..runtime.progress import tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence


def similarities(outputs: Sequence[Sequence[str]], metric: Metric[Any] | None = None) -> list[float]:
    """For each segment, how similar the outputs of systems are: their mean score against each other.

    The mean is over all ordered pairs of systems, each with itself, too: WMT25 selected what to annotate by it (as
    `diversity_chrf` in subset2evaluate; Zouhar et al., 2025).

    Args:
        outputs: by system and segment.
        metric: which compares two outputs, one as the reference of the other; `None`: chrF.

    Returns:
        A mean for each segment, in the metric's unit: the lower, the more different are the outputs. (Where a lower
        score is a better one, as under TER, it is the other way round.)

    Raises:
        PurebleuError: there are no outputs.
        LengthError: systems have different numbers of segments.
        TypeError: an output is no string.

    Example:
        >>> [round(number, 2) for number in similarities([["a cat", "no"], ["a cat", "yes"]])]
        [100.0, 50.0]
    """
    if not outputs or not outputs[0]:
        raise PurebleuError("there are no outputs to compare")
    if len(set(map(len, outputs))) > 1:
        raise LengthError("systems have different numbers of segments: "
                          + ", ".join([str(len(of_system)) for of_system in outputs]))
    compared = CHRF() if metric is None else metric
    return [fsum([score for row in compared.pairwise(segment, segment) for score in row]) / len(segment) ** 2
            for segment in tracked("comparing", list(zip(*outputs)), len(outputs[0]))]


def most_diverse(outputs: Sequence[Sequence[str]], number: int, metric: Metric[Any] | None = None) -> list[int]:
    """The segments whose outputs differ most between systems, and so tell most about them when people score them.

    Args:
        outputs: by system and segment.
        number: how many segments are chosen, at most all.
        metric: as `similarities` takes it.

    Returns:
        Their indices, the most different first; of those that are the same, in their order.

    Raises:
        OptionError: fewer than one, or more segments than there are, are to be chosen.
        And as `similarities` does.

    Example:
        >>> most_diverse([["a cat", "no", "so"], ["a cat", "yes", "so so"]], 2)
        [1, 2]
    """
    return chosen_segments(similarities(outputs, metric), number, metric is not None and metric.LOWER_IS_BETTER)


def chosen_segments(found: Sequence[float], number: int, lower_is_better: bool = False) -> list[int]:
    """The indices of the segments with the lowest similarities; of errors in place of similarities, the highest ones.

    Raises `OptionError` where fewer than one, or more segments than there are, are to be chosen.
    """
    if not 1 <= number <= len(found):
        raise OptionError(f"{number} of {len(found)} segments can't be chosen", option="select")
    sign = -1 if lower_is_better else 1
    return sorted(range(len(found)), key=lambda segment: sign * found[segment])[:number]
