"""Human scores, in the groups within which a metric's scores are compared with them."""

from __future__ import annotations

from math import isfinite

from ..errors import LengthError, OptionError, PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Sequence, Union

    #: Scores by system and segment: `scores[system][segment]`; `None` for a missing one. Higher scores are better.
    Scores = Sequence[Sequence[Optional[float]]]

    #: One of `GROUPINGS`, or the number of systems on each test set, whose systems follow each other.
    Grouping = Union[str, Sequence[int]]

#: The groups within which outputs are compared: all outputs; the outputs for each segment (item); those of each system.
GROUPINGS = ("none", "item", "system")


class Judged:
    """Outputs with human scores, in the groups within which they are compared.

    An output without a human score takes no part, as in mt-metrics-eval (google-research, 68a481a). Outputs are ordered
    by system and then by segment; both are identified by their indices.

    Args:
        human: the score of each system and segment, or `None`; a higher score is a better one.
        by: `"none"`: all outputs are one group; `"item"`: the outputs for each segment are a group; `"system"`: those
            of each system are. A list of numbers divides the systems into groups of these sizes, as for several test
            sets with one score for each system.
        complete: whether a segment takes no part at all where the human score of any system is missing.

    Attributes:
        groups: the human scores in each group that has any.
        positions: for each of these groups, the positions of its outputs among all outputs that take part.
        systems: for each system, the indices of its segments that take part.

    Raises:
        TypeError: a score is neither a number nor `None`.
        PurebleuError: a score is infinite or NaN, or there are no scores.
        LengthError: systems have different numbers of segments.
        OptionError: the grouping is unknown, or its numbers do not add up to the number of systems.

    Example:
        Two systems and three segments, the second of which lacks a score:

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
        by_label: dict[int, tuple[list[float], list[int]]] = {}
        position = 0
        for system, segments in enumerate(self.systems):
            for segment in segments:
                scores, positions = by_label.setdefault(labels[system][segment], ([], []))
                scores.append(checked_score(human[system][segment], "human scores", system, segment))
                positions.append(position)
                position += 1
        self.groups = [by_label[label][0] for label in sorted(by_label)]
        self.positions = [by_label[label][1] for label in sorted(by_label)]

    def outputs(self, metric: Scores) -> list[float]:
        """A metric's scores of the outputs that take part, ordered by system.

        Args:
            metric: scores of the same shape as the human scores.

        Raises:
            PurebleuError: a score is infinite or NaN, or missing where there is a human score.
            LengthError: the scores have a different shape.
        """
        segments = checked_shape(metric, "scores of the metric")
        if len(metric) != len(self.systems) or segments != self._segments:
            raise LengthError(f"the metric has scores of {len(metric)} systems and {segments} segments, people of "
                              f"{len(self.systems)} systems and {self._segments} segments")
        return [checked_score(metric[system][segment], "scores of the metric", system, segment)
                for system, segments in enumerate(self.systems) for segment in segments]


def checked_shape(scores: Scores, name: str) -> int:
    """The number of segments of each system; raises `PurebleuError` where there are none, or the numbers differ."""
    lengths = set(map(len, scores))
    if len(lengths) > 1:
        raise LengthError(f"{name}: systems have different numbers of segments: {', '.join(map(str, sorted(lengths)))}")
    if not lengths or 0 in lengths:
        raise PurebleuError(f"{name}: there are none")
    return lengths.pop()


def checked_score(score: object, name: str, system: int, segment: int | None = None) -> float:
    """A score as a float; raises `PurebleuError` or `TypeError`, with the position, where it is not a finite number."""
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
