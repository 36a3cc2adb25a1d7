"""Faster functions for GLEU, ROUGE-1 and ROUGE-2: rows of many segments at once, and scores of many pairs at once."""

from __future__ import annotations

from ...engines.ngrams.matching import MAX_TOKENS, NgramMatcher, ids_of_tokens
from ...runtime.blocks import CACHED_SEGMENTS, slices
from ..tokens import slices_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...runtime.hints import Row, Segment, Sequence, Tokens
    from ..evaluation import References
    from ..gleu import GLEU
    from ..rouge import ROUGE1


def gleu_rows(metric: GLEU, hypotheses: Sequence[Segment], references: References) -> list[Row]:
    matcher = NgramMatcher(metric.max_order, ids_of_tokens, MAX_TOKENS)
    for indices in slices_for(metric.tokenizer, hypotheses):
        matcher.add(metric.preprocess_lines(hypotheses[indices]), references.part(indices).preprocessed_streams())
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


def rouge_rows(metric: ROUGE1, hypotheses: Sequence[Segment], references: References) -> list[Row]:
    matcher = NgramMatcher(metric.ORDER, ids_of_tokens, MAX_TOKENS)
    for indices in slices(len(hypotheses), CACHED_SEGMENTS):
        matcher.add(metric.preprocess_lines(hypotheses[indices]), references.part(indices).preprocessed_streams())
    rows: list[Row] = []
    for length, against in zip(matcher.hypothesis_lengths, matcher.against_each()):
        rows.append(metric.best_row([metric.with_totals(counts[-1], length, reference_length)
                                     for reference_length, counts in against]))
    return rows


ROUGE_WAYS = {"block_statistics": rouge_rows}
GLEU_WAYS = {"block_statistics": gleu_rows, "pair_values": gleu_pair_values}
