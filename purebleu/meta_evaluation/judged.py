"""Scores that people gave, in the groups within which a metric's scores are held against them."""

from __future__ import annotations

from math import isfinite

from ..errors import LengthError, OptionError, PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Sequence, Union

    #: Scores by system and segment: `scores[system][segment]`; `None` where there is none. Higher is better.
    Scores = Sequence[Sequence[Optional[float]]]

    #: One of `GROUPINGS`, or the numbers of systems that stand one after another for each test set.
    Grouping = Union[str, Sequence[int]]

#: The groups within which outputs are compared: all together; those of each segment (item); those of each system.
GROUPINGS = ("none", "item", "system")


class Judged:
    """Outputs that people scored, in the groups within which they are compared.

    An output without a human score takes no part, as in mt-metrics-eval (google-research, 68a481a). Outputs are in the
    order of systems, those of a system in the order of segments; both are known by their indices.

    Args:
        human: a score of each system and segment, or `None`; a higher score is a better one.
        by: `"none"`: all outputs are one group; `"item"`: the outputs for a segment; `"system"`: those of a system.
            A list of numbers of systems: so many of them are a group, as with one score for each system of several
            test sets.
        complete: whether a segment that lacks the human score of any system takes no part at all.

    Attributes:
        groups: for each group that has any, the human scores in it.
        positions: for each of these groups, the positions of its outputs among all that take part.
        systems: for each system, the indices of its segments that take part.

    Raises:
        TypeError: a score is neither a number nor `None`.
        PurebleuError: a score is infinite or not a number, or there are no scores.
        LengthError: systems have different numbers of segments.
        OptionError: the grouping is unknown, or doesn't add up to the number of systems.

    Example:
        Two systems and three segments, of which the second one lacks a score:

        >>> judged = Judged([[1.0, None, 2.0], [0.0, 1.0, 2.0]], "item")
        >>> judged.groups, judged.positions
        ([[1.0, 0.0], [1.0], [2.0, 2.0]], [[0, 2], [3], [1, 4]])
        >>> judged.outputs([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
        [0.1, 0.3, 0.4, 0.5, 0.6]
    """

    def __init__(self, human: Scores, by: Grouping = "none", complete: bool = False) -> None:
        self._segments = checked_shape(human, "human scores")
        left_out = {segment for segment in range(self._segments) if any(scores[segment] is None for scores in human)}
        self.systems = [[segment for segment, score in enumerate(scores)
                         if score is not None and not (complete and segment in left_out)] for scores in human]
        labels = _labels(by, len(human), self._segments)
        of_label: dict[int, tuple[list[float], list[int]]] = {}
        position = 0
        for system, segments in enumerate(self.systems):
            for segment in segments:
                scores, positions = of_label.setdefault(labels[system][segment], ([], []))
                scores.append(checked_score(human[system][segment], "human scores", system, segment))
                positions.append(position)
                position += 1
        self.groups = [of_label[label][0] for label in sorted(of_label)]
        self.positions = [of_label[label][1] for label in sorted(of_label)]

    def outputs(self, metric: Scores) -> list[float]:
        """A metric's scores of the outputs that take part, one system after the other.

        Args:
            metric: of the same shape as the human scores.

        Raises:
            PurebleuError: a score is missing where people gave one, infinite, or not a number.
            LengthError: the shape is another one.
        """
        segments = checked_shape(metric, "scores of the metric")
        if len(metric) != len(self.systems) or segments != self._segments:
            raise LengthError(f"the metric has scores of {len(metric)} systems and {segments} segments, people of "
                              f"{len(self.systems)} systems and {self._segments} segments")
        return [checked_score(metric[system][segment], "scores of the metric", system, segment)
                for system, segments in enumerate(self.systems) for segment in segments]


def checked_shape(scores: Scores, name: str) -> int:
    """The number of segments of each system. Raises `PurebleuError` where there are none, or not the same."""
    lengths = set(map(len, scores))
    if len(lengths) > 1:
        raise LengthError(f"{name}: systems have different numbers of segments: {', '.join(map(str, sorted(lengths)))}")
    if not lengths or 0 in lengths:
        raise PurebleuError(f"{name}: there are none")
    return lengths.pop()


def checked_score(score: object, name: str, system: int, segment: int | None = None) -> float:
    """A score as a float. Raises `PurebleuError` or `TypeError` for what is none, with its place."""
    try:
        if isfinite(score):  # type: ignore[arg-type]
            return float(score)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        pass
    where = f"{name}: that of system {system + 1}" + (f", segment {segment + 1}," if segment is not None else "")
    if score is None:
        raise PurebleuError(f"{where} is missing")
    if not hasattr(score, "__float__"):
        raise TypeError(f"{where} is {score!r:.80}, but must be a number or None")
    raise PurebleuError(f"{where} is {score!r:.80}, but must be finite")


def _labels(by: Grouping, systems: int, segments: int) -> list[list[int]]:
    """For each system, the group of each of its segments."""
    if by == "item":
        return [list(range(segments))] * systems
    if by == "system":
        return [[system] * segments for system in range(systems)]
    if by == "none":
        by = [systems]
    if isinstance(by, str):
        raise OptionError(f"scores can't be grouped by {by!r}: there are {', '.join(GROUPINGS)}", option="by")
    if sum(by) != systems or min(by) < 1:
        raise OptionError(f"test sets of {', '.join(map(str, by))} systems are not the {systems} systems that there "
                          "are", option="by")
    return [[group] * segments for group, size in enumerate(by) for _ in range(size)]
