"""Human scores, divided into groups. A metric's scores are compared with human scores only within a group."""

from __future__ import annotations

from itertools import chain, islice
from math import fsum, isfinite

from ..engines.resampling.packed import common_multiple
from ..errors import LengthError, OptionError, PurebleuError, whole_number
from ..hints import Judgements, Sequence
from ..metrics.segments import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

#: A group has all outputs (`none`), the outputs for one segment (`item`), or the outputs of one system (`system`).
GROUPINGS = ("none", "item", "system")


class Judged:
    """The outputs that have human scores, divided into groups. Outputs are compared only within a group.

    An output without a human score is not used, as in mt-metrics-eval (google-research, 68a481a). Outputs are ordered
    by system, then by segment.

    Args:
        human: the human score of each system and segment, or `None`. Higher scores must be better.
        by: the groups: `"none"`: one group with all outputs; `"item"`: a group for each segment; `"system"`: a group
            for each system. A list of numbers divides the systems into groups of these sizes, for several test sets
            with one score for each system.
        complete: whether a segment is used only if all systems have a human score for it.

    Attributes:
        groups: the human scores in each group that is not empty.
        positions: for each group in `groups`, the positions of its outputs in the list of all used outputs.
        systems: for each system, the indices of its used segments.
        pools_pairs: whether the groups are test sets. If so, the pairs of systems of all groups are counted together.

    Raises:
        TypeError: a score is neither a number nor `None`.
        PurebleuError: a score is infinite or NaN, or there are no scores.
        LengthError: systems have different numbers of segments.
        OptionError: the name of the groups is unknown, or the sizes of the groups do not add up to the number of
            systems.

    Example:
        There are two systems and three segments. The first system has no score for the second segment:

        >>> judged = Judged([[1.0, None, 2.0], [0.0, 1.0, 2.0]], "item")
        >>> judged.groups, judged.positions
        ([[1.0, 0.0], [1.0], [2.0, 2.0]], [[0, 2], [3], [1, 4]])
        >>> judged.outputs([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
        [0.1, 0.3, 0.4, 0.5, 0.6]
    """

    def __init__(self, human: Judgements, by: str | Sequence[int] = "none", complete: bool = False) -> None:
        self._segments = checked_shape(human, "human scores")
        self._complete = complete
        self.pools_pairs = not isinstance(by, str)
        left_out = {segment for segment, scores in enumerate(zip(*human)) if complete and None in scores}
        self.systems: list[list[int]] = []
        for scores in human:
            judged = [segment for segment, score in enumerate(scores) if score is not None and segment not in left_out]
            self.systems.append(judged)
        test_sets = _test_sets(by, len(human))
        by_label: dict[int, tuple[list[float], list[int]]] = {}
        position = 0
        for system, segments in enumerate(self.systems):
            for segment in segments:
                label = segment if by == "item" else system if by == "system" else test_sets[system]
                group, positions = by_label.setdefault(label, ([], []))
                group.append(checked_score(human[system][segment], "human scores", system, segment))
                positions.append(position)
                position += 1
        self.groups = [by_label[label][0] for label in sorted(by_label)]
        self.positions = [by_label[label][1] for label in sorted(by_label)]

    def used_outputs(self) -> list[int]:
        """Return for each system the number of outputs that are compared with other outputs."""
        is_used = [self._complete] * sum(map(len, self.systems))
        for positions in self.positions:
            for position in positions:
                is_used[position] = self._complete or len(positions) > 1
        in_order = iter(is_used)
        return [sum(islice(in_order, len(segments))) for segments in self.systems]

    def outputs(self, metric: Judgements) -> list[float]:
        """Return a metric's scores of all used outputs, ordered by system, then by segment.

        Args:
            metric: the metric's score of each system and segment.

        Raises:
            PurebleuError: the score of a used output is missing, infinite or NaN.
            LengthError: the metric's scores and the human scores are of different numbers of systems or segments.
        """
        segments = checked_shape(metric, "scores of the metric")
        if len(metric) != len(self.systems) or segments != self._segments:
            raise LengthError(f"the metric has scores of {len(metric)} systems and {segments} segments, but people "
                              f"scored {len(self.systems)} systems and {self._segments} segments")
        outputs: list[float] = []
        for system, system_segments in enumerate(self.systems):
            for segment in system_segments:
                outputs.append(checked_score(metric[system][segment], "scores of the metric", system, segment))
        return outputs


def checked_shape(scores: Judgements, name: str) -> int:
    """Return the number of segments. Raise an error if systems have no segments or different numbers of segments."""
    lengths = {len(listed(system, f"{name}: the scores of a system")) for system in listed(scores, name)}
    if len(lengths) > 1:
        raise LengthError(f"{name}: systems have different numbers of segments: {', '.join(map(str, sorted(lengths)))}")
    if not lengths or 0 in lengths:
        raise PurebleuError(f"{name}: there are no scores")
    return lengths.pop()


def checked_score(score: object, name: str, system: int, segment: int | None = None) -> float:
    """Return a score as a float. If it is not finite, raise an error that names the system and the segment."""
    try:
        if isfinite(score):  # type: ignore[arg-type]
            return float(score)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        pass
    where = f"{name}: the score of system {system + 1}" + (f", segment {segment + 1}," if segment is not None else "")
    if score is None:
        raise PurebleuError(f"{where} is missing")
    if not hasattr(score, "__float__"):
        raise TypeError(f"{where} is {score!r:.80}, but must be a number or None")
    raise PurebleuError(f"{where} is {score!r:.80}, but must be finite")


def exact_score(score: float | Fraction) -> Fraction:
    """Return the exact value of a score. The exact value of a float is the decimal number that Python prints.

    Example:
        >>> exact_score(0.1) + exact_score(0.2) == exact_score(0.3)
        True
    """
    from fractions import Fraction

    return score if isinstance(score, Fraction) else Fraction(repr(float(score)))


def scores_as_integers(scores: Judgements) -> tuple[list[list[int | None]], int]:
    """Multiply scores by their common denominator. Return the products, as integers, and the denominator.

    Example:
        >>> scores_as_integers([[0.25, None], [1, -0.5]])
        ([[1, None], [4, -2]], 4)
    """
    known = [exact_score(score) for score in chain.from_iterable(scores) if score is not None]
    denominator = common_multiple({score.denominator for score in known})
    integers = iter([score.numerator * (denominator // score.denominator) for score in known])
    by_system: list[list[int | None]] = []
    for system_scores in scores:
        by_system.append([None if score is None else next(integers) for score in system_scores])
    return by_system, denominator


def mean_over_groups(values: Sequence[float]) -> float:
    """Return the mean of the values of groups; 0 if there are no groups."""
    return fsum(values) / len(values) if values else 0.0


def mean_scores(scores: Judgements) -> list[float | None]:
    """Return the exact mean score of each system, rounded to a float; `None` for a system without scores."""
    integers, denominator = scores_as_integers(scores)
    means: list[float | None] = []
    for system_scores in integers:
        known = [score for score in system_scores if score is not None]
        means.append(sum(known) / (denominator * len(known)) if known else None)
    return means


def _test_sets(by: str | Sequence[int], systems: int) -> list[int]:
    """Return the index of the test set of each system. If `by` has no sizes, all systems are in one test set."""
    if isinstance(by, str):
        if by not in GROUPINGS:
            raise OptionError(f"scores can't be grouped by {by!r}; choose from {', '.join(GROUPINGS)}", option="by")
        return [0] * systems
    sizes = [whole_number("the size of a test set", size) for size in listed(by, "by")]
    if sum(sizes) != systems or min(sizes) < 1:
        raise OptionError(f"the sizes of test sets must be at least 1 and add up to the number of systems, but are "
                          f"{', '.join(map(str, sizes))} for {systems} systems", option="by")
    return [index for index, size in enumerate(sizes) for _ in range(size)]
