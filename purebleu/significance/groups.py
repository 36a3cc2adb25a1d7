"""The mean score over groups of segments (such as domains) as a metric, so that tests can compare such means."""

from __future__ import annotations

from math import fsum

from ..metrics.base import Metric
from ..metrics.score import Score
from ..runtime.hints import Any, Row, Sequence, SignatureValue


class MacroScore(Score):
    """The mean of the scores of groups."""

    def __init__(self, scores: Sequence[Score]) -> None:
        super().__init__(scores[0].name, fsum([score.score for score in scores]) / len(scores))
        self.lower_is_better = scores[0].lower_is_better
        self.range = scores[0].range
        self.places = scores[0].places  # type: ignore[method-assign]


def wide_row(group: int, groups: int, row: Row) -> Row:
    """Return a segment's row for `MacroMean`: `row` in the columns of the segment's group, and 0 in all other columns.

    >>> wide_row(1, 3, (4, 5))
    (0, 0, 4, 5, 0, 0)
    """
    zeros = (0,) * len(row)
    return zeros * group + tuple(row) + zeros * (groups - 1 - group)


class MacroMean(Metric[MacroScore]):
    """The mean of a metric's scores over groups of segments; all groups have the same weight.

    In the row of a segment, the metric's columns are repeated for each group. The columns of the segment's group
    contain the metric's row of the segment, and all other columns are 0. So the sum of all rows contains a sum for each
    group.

    Args:
        metric: the metric of the scores.
        groups: the number of groups.

    Example:
        By hand: the WER of the first group is 25 (1 edit in 4 words), and the WER of the second group is 75 (3 edits).

        >>> from purebleu.metrics import WER
        >>> rows = WER().corpus_statistics(["a b c x", "a x x x"], [["a b c d", "a b c d"]])
        >>> MacroMean(WER(), 2).score([*rows[0], *rows[1]])
        WER = 50.00
    """

    COUNTS_TEXT = False

    def __init__(self, metric: Metric[Any], groups: int) -> None:
        super().__init__()
        self._metric = metric
        self._groups = groups
        self.LOWER_IS_BETTER = metric.LOWER_IS_BETTER
        self.SHORT_FIELDS = metric.SHORT_FIELDS

    @property
    def registered_name(self) -> str:
        return self._metric.registered_name

    def score(self, totals: Sequence[float]) -> MacroScore:
        return MacroScore(list(map(self._metric.score, self._by_group(totals))))

    def values(self, sums: Sequence[Sequence[float]]) -> list[float]:
        by_group = list(map(self._metric.values, self._by_group(sums)))
        return [fsum(scores) / self._groups for scores in zip(*by_group)]

    def value(self, totals: Sequence[float]) -> float:
        return fsum(map(self._metric.value, self._by_group(totals))) / self._groups

    def column_names(self) -> list[str]:
        return [f"{name}_{group}" for group in range(self._groups) for name in self._metric.column_names()]

    def signature_fields(self, given_tokens: bool) -> dict[str, SignatureValue]:
        return {**self._metric.signature_fields(given_tokens), "mean": "macro"}

    def _by_group(self, columns: Sequence[Any]) -> list[Sequence[Any]]:
        """Return the columns of each group."""
        width = len(columns) // self._groups
        return [columns[start:start + width] for start in range(0, len(columns), width)]
