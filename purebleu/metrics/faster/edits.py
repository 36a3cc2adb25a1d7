"""Faster functions for TER, SubER, WER, CER, MER and WIL: the edits of many pairs of segments at once."""

from __future__ import annotations

from itertools import islice

from ...engines.edits.ter_search import edits_of_pairs, shifts_of_pairs
from ..evaluation import pairs_of_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...runtime.hints import Any, Row, Sequence
    from ..suber import SubER
    from ..ter import TER, Words
    from ..wer import WER


def ter_rows(metric: TER, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> list[Row]:
    if metric.kinds:
        return metric.rows_with_kinds(hypotheses, references)
    edits = iter(edits_of_pairs(pairs_of_segments(hypotheses, references)))
    return [metric.row_of(list(islice(edits, len(segment))), segment) for segment in references]


def ter_pair_values(metric: TER, hypotheses: Sequence[Words], references: Sequence[Words]) -> list[list[float]]:
    edits = iter(edits_of_pairs(pairs_of_segments(hypotheses, [references] * len(hypotheses))))
    lengths = [float(len(reference)) for reference in references]
    return [list(map(metric.value, zip(islice(edits, len(lengths)), lengths))) for _ in hypotheses]


def ter_rising_columns(metric: TER) -> list[bool]:
    return [name != "ref_length" for name in metric.column_names()]


def suber_rows(metric: SubER, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[Row]:
    return metric.rows_by(hypotheses, references, edits_of_pairs)


def wer_rows(metric: WER, hypotheses: Sequence[Sequence[str]],
             references: Sequence[Sequence[Sequence[str]]]) -> list[Row]:
    return list(*metric.best_counts([metric], hypotheses, references))


WER_WAYS = {"rows_of": wer_rows}
SUBER_WAYS = {"rows_of": suber_rows, "traces": shifts_of_pairs}
TER_WAYS = {"rows_of": ter_rows, "pair_values": ter_pair_values, "traces": shifts_of_pairs,
            "rising_columns": ter_rising_columns}
