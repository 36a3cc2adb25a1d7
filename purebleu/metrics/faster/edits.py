"""Faster ways of TER, of WER and its family, and of CharacTER: the edits of many pairs of segments at once."""

from __future__ import annotations

from ...engines.edits.block_moves import character_scores
from ...engines.edits.shifts import edits_of_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

    from ..character import CHARACTER
    from ..evaluation import Row
    from ..ter import TER, Words
    from ..wer import WER, Units
    from . import Ways


def pairs_of(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[tuple[Any, Any]]:
    """Each hypothesis with each of its references."""
    return [(hypothesis, reference) for hypothesis, segment in zip(hypotheses, references) for reference in segment]


def _ter_rows(metric: TER, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> list[Row]:
    if metric.kinds:
        return metric.rows_with_kinds(hypotheses, references)
    edits = iter(edits_of_pairs(pairs_of(hypotheses, references)))
    return [metric.row_of([next(edits) for _ in segment], segment) for segment in references]


def _ter_pair_values(metric: TER, hypotheses: Sequence[Words], references: Sequence[Words]) -> list[list[float]]:
    edits = iter(edits_of_pairs(pairs_of(hypotheses, [references] * len(hypotheses))))
    return [[metric.value((next(edits), float(len(reference)))) for reference in references] for _ in hypotheses]


def _wer_rows(metric: WER, hypotheses: Sequence[Units], references: Sequence[Sequence[Units]]) -> list[Row]:
    return list(*metric.best_counts([metric], hypotheses, references))


def _character_rows(metric: CHARACTER, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[Row]:
    scores = iter(character_scores(pairs_of(hypotheses, references)))
    return [metric.best_row([next(scores) for _ in segment]) for segment in references]


TER_WAYS: Ways = {"rows_of": _ter_rows, "pair_values": _ter_pair_values}
WER_WAYS: Ways = {"rows_of": _wer_rows}
CHARACTER_WAYS: Ways = {"rows_of": _character_rows}
