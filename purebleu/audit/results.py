"""The findings of an audit: scores by preprocessing, their range, and pairs of systems whose order changes."""

from __future__ import annotations

from itertools import chain, combinations

from ..metrics.bleu import BLEU
from .choices import CASES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Sequence

    from ..metrics.bleu import BLEUScore

    #: A score for each system.
    ScoresOfSystems = List[float]


class AuditRow:
    """The scores of systems under one choice.

    Attributes:
        name: the name of the choice.
        scores: for each of `CASES`, the score of each system.
        signatures: for each of `CASES`, the signature of the scores. Empty in rows for smoothing methods, whose
            signatures are those of another row but for the smoothing.
    """

    def __init__(self, name: str, scores: Sequence[ScoresOfSystems], signatures: Sequence[str] = ()) -> None:
        self.name = name
        self.scores = scores
        self.signatures = signatures


class TurnedPair:
    """Two systems that some choice puts in another order than the usual choice.

    Attributes:
        better: the index of the system that is better under the usual choice.
        worse: the index of the other system.
        rows: for each of `CASES`, the indices of the rows in which the other system has the higher score.
    """

    def __init__(self, better: int, worse: int, rows: Sequence[list[int]]) -> None:
        self.better = better
        self.worse = worse
        self.rows = rows


class Audit:
    """The scores of systems under several choices of preprocessing.

    Attributes:
        rows: a row for each choice.
        usual: the index of the row that is usual for the language.
        smoothing: rows for the methods of smoothing, under the usual choice.
        left_out: the choices whose tokenizer is missing, each with the reason.
    """

    def __init__(self, rows: Sequence[AuditRow], usual: int, smoothing: Sequence[AuditRow],
                 left_out: Sequence[str]) -> None:
        self.rows = rows
        self.usual = usual
        self.smoothing = smoothing
        self.left_out = left_out

    def ranges(self) -> list[ScoresOfSystems]:
        """For each of `CASES`, the difference between the highest and the lowest score of each system."""
        return [[max(scores) - min(scores) for scores in zip(*[row.scores[case] for row in self.rows])]
                for case in range(len(CASES))]

    def widest(self) -> tuple[int, float, float]:
        """The system whose scores range most over all rows in both cases, its lowest and its highest score."""
        by_system = list(zip(*chain.from_iterable([row.scores for row in self.rows])))
        return max([(system, min(scores), max(scores)) for system, scores in enumerate(by_system)],
                   key=lambda extremes: extremes[2] - extremes[1])

    def turned_pairs(self) -> list[TurnedPair]:
        """The pairs of systems whose order in some row is not the usual one. (Equal scores fit any order.)"""
        usual = self.rows[self.usual].scores[0]
        pairs = [(better, worse) if usual[better] > usual[worse] else (worse, better)
                 for better, worse in combinations(range(len(usual)), 2) if usual[better] != usual[worse]]
        turned = [TurnedPair(better, worse, [list(self._rows_with(worse, better, case)) for case in range(len(CASES))])
                  for better, worse in pairs]
        return [pair for pair in turned if any(pair.rows)]

    def _rows_with(self, better: int, worse: int, case: int) -> Iterator[int]:
        return (index for index, row in enumerate(self.rows) if row.scores[case][better] > row.scores[case][worse])


def smoothed_rows(scores: Sequence[Sequence[BLEUScore]]) -> list[AuditRow]:
    """Rows for the methods of smoothing, with their usual parameters.

    Args:
        scores: for each of `CASES`, the score of each system, with any smoothing but `add-k`.

    Returns:
        A row for each method.
    """
    rows: list[AuditRow] = []
    for method, value in BLEU.SMOOTH_DEFAULTS.items():
        name = method if value is None else f"{method}[{value:.2f}]"
        rows.append(AuditRow(name, [[_smoothed(score, method) for score in case_scores] for case_scores in scores]))
    return rows


def _smoothed(score: BLEUScore, method: str) -> float:
    return BLEU.compute_bleu(score.counts, score.totals, score.sys_len, score.ref_len, smooth_method=method,
                             max_ngram_order=len(score.counts)).score
