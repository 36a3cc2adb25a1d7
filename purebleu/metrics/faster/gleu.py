"""Faster functions for GLEU: rows of many segments at once, and scores of many pairs at once."""

from __future__ import annotations

from ...engines.ngrams.matching import MAX_TOKENS, NgramMatcher, ids_of_tokens
from ..tokens import slices_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...hints import Row, Segment, Sequence, Tokens
    from ..evaluation import References
    from ..gleu import GLEU


def gleu_rows(metric: GLEU, hypotheses: Sequence[Segment], references: References) -> list[Row]:
    matcher = NgramMatcher(metric.max_order, ids_of_tokens, MAX_TOKENS)
    for indices in slices_for(metric.tokenizer, hypotheses):
        matcher.add(metric.preprocess_lines(hypotheses[indices]), references.part(indices).columns())
    return [metric.best_row(length, against)
            for length, against in zip(matcher.hypothesis_lengths, matcher.against_each())]


def gleu_pair_values(metric: GLEU, hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> list[list[float]]:
    from ...engines.ngrams.pairs import matches_of_pairs

    rows: list[list[float]] = [[] for _ in hypotheses]
    lengths = list(map(len, references))
    for block, by_hypothesis in matches_of_pairs(hypotheses, references, metric.max_order):
        for row, hypothesis, matches in zip(rows, hypotheses, by_hypothesis):
            row += [metric.value(metric.best_row(len(hypothesis), [against]))
                    for against in zip(lengths[block], zip(*matches))]
    return rows


GLEU_WAYS = {"block_statistics": gleu_rows, "pair_values": gleu_pair_values}
