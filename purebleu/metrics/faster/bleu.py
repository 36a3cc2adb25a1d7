"""Faster functions for BLEU: rows of many segments at once, scores of many resamples at once, and scores of pairs."""

from __future__ import annotations

import math
from itertools import repeat
from operator import add, mul

from ...engines.ngrams.matching import MAX_TOKENS, NgramMatcher, ids_of_characters, ids_of_tokens
from ..tokens import slices_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...runtime.hints import Iterable, Number, Row, Segment, Sequence, Tokens
    from ..bleu import BLEU
    from ..evaluation import References


def bleu_rows(metric: BLEU, hypotheses: Sequence[Segment], references: References) -> list[Row]:
    order = metric.max_ngram_order
    if metric.tokenizer.OF_CHARACTERS and isinstance(hypotheses[0], str):
        matcher = NgramMatcher(order, ids_of_characters)  # (Ids of characters take half the time.)
    else:
        matcher = NgramMatcher(order, ids_of_tokens, MAX_TOKENS)
    for indices in slices_for(metric.tokenizer, hypotheses):
        matcher.add(metric.preprocess_lines(hypotheses[indices]), references.part(indices).preprocessed_streams())
    totals = {length: metric.total_ngrams(length, order) for length in set(matcher.hypothesis_lengths)}
    return [(length, reference_length, *matches, *totals[length]) for length, reference_length, matches
            in zip(matcher.hypothesis_lengths, _closest_lengths(metric, matcher), matcher.counts())]


def _closest_lengths(metric: BLEU, matcher: NgramMatcher) -> list[int]:
    """Return, for each hypothesis, the reference length that is closest to its length."""
    if len(matcher.reference_lengths) == 1:
        return [length or 0 for length in matcher.reference_lengths[0]]
    closest: list[int] = []
    for length, reference_lengths in zip(matcher.hypothesis_lengths, zip(*matcher.reference_lengths)):
        present = [reference_length for reference_length in reference_lengths if reference_length is not None]
        closest.append(metric.closest_length(length, present))
    return closest


def bleu_values(metric: BLEU, sums: Sequence[Sequence[Number]]) -> list[float]:
    lengths, reference_lengths, *counts = sums
    if any(0 in column for column in counts) or metric.smooth_method == "add-k":
        return list(map(metric.value, zip(*sums)))  # (A score may be smoothed, or an order may have no n-grams.)
    order = metric.max_ngram_order
    sums_of_logs: Iterable[float] = repeat(0.0)
    for matched, total in zip(counts, counts[order:]):
        logs = [math.log(100.0 * match_sum / ngram_sum) for match_sum, ngram_sum in zip(matched, total)]
        sums_of_logs = map(add, sums_of_logs, logs)
    return [metric.brevity_penalty(int(length), int(reference_length)) * math.exp(sum_of_logs / order)
            for length, reference_length, sum_of_logs in zip(lengths, reference_lengths, sums_of_logs)]


def bleu_pair_values(metric: BLEU, hypotheses: Sequence[Tokens], references: Sequence[Tokens]) -> list[list[float]]:
    from ...engines.ngrams.pairs import matches_of_pairs

    order = metric.max_ngram_order
    rows: list[list[float]] = [[] for _ in hypotheses]
    # For each length of a hypothesis: the brevity penalties for all lengths of references, and the known scores without
    # a penalty for matches of all orders.
    known: dict[int, tuple[dict[int, float], dict[tuple[int, ...], float]]] = {}
    reference_lengths = list(map(len, references))
    for block, by_hypothesis in matches_of_pairs(hypotheses, references, order):
        for row, hypothesis, matches in zip(rows, hypotheses, by_hypothesis):
            length = len(hypothesis)
            if length not in known:
                known[length] = ({other: metric.brevity_penalty(length, other) for other in set(reference_lengths)}, {})
            penalties, unpenalized = known[length]
            counts = list(zip(*matches))
            for different in set(counts) - unpenalized.keys():
                unpenalized[different] = metric.value((length, 0, *different, *metric.total_ngrams(length, order)))
            row += map(mul, map(penalties.__getitem__, reference_lengths[block]), map(unpenalized.__getitem__, counts))
    return rows


def bleu_rising_columns(metric: BLEU) -> list[bool]:
    # (The score falls with the length of the references, and with the numbers of n-grams of the hypotheses.)
    return [name == "sys_len" or name.startswith("correct") for name in metric.column_names()]


BLEU_WAYS = {"block_statistics": bleu_rows, "values": bleu_values, "pair_values": bleu_pair_values,
             "rising_columns": bleu_rising_columns}
