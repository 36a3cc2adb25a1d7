"""Faster functions for GLEU, ROUGE-1 and ROUGE-2: the rows of many segments at once."""

from __future__ import annotations

from ...blocks import CACHED_SEGMENTS, slices
from ...engines.ngrams.matching import MAX_TOKENS, NgramMatcher, ids_of_tokens
from ..tokens import slices_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...hints import Row, Segment, Sequence
    from ..evaluation import References
    from ..gleu import GLEU
    from ..rouge import ROUGE1


def gleu_rows(metric: GLEU, hypotheses: Sequence[Segment], references: References) -> list[Row]:
    matcher = NgramMatcher(metric.max_order, ids_of_tokens, MAX_TOKENS)
    for indices in slices_for(metric.tokenizer, hypotheses):
        matcher.add(metric.preprocess_lines(hypotheses[indices]), references.part(indices).columns())
    return [metric.best_row(length, against)
            for length, against in zip(matcher.hypothesis_lengths, matcher.against_each())]


def rouge_rows(metric: ROUGE1, hypotheses: Sequence[Segment], references: References) -> list[Row]:
    matcher = NgramMatcher(metric.ORDER, ids_of_tokens, MAX_TOKENS)
    for indices in slices(len(hypotheses), CACHED_SEGMENTS):
        matcher.add(metric.preprocess_lines(hypotheses[indices]), references.part(indices).columns())
    rows: list[Row] = []
    for length, against in zip(matcher.hypothesis_lengths, matcher.against_each()):
        rows.append(metric.best_row([metric.with_totals(counts[-1], length, reference_length)
                                     for reference_length, counts in against]))
    return rows


ROUGE_WAYS = {"block_statistics": rouge_rows}
GLEU_WAYS = {"block_statistics": gleu_rows}
