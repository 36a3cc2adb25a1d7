"""Faster functions for chrF: words and rows of many segments at once, and scores of many resamples or pairs at once."""

from __future__ import annotations

from itertools import repeat
from operator import add, itemgetter

from ...engines.ngrams.matching import MAX_TOKENS, NgramMatcher, ids_of_characters, ids_of_tokens
from ...runtime.blocks import CACHED_SEGMENTS, slices
from ...tokenizers.separation import block_with_spaces, lines_without_spaces, positions_of, split_block
from ...unicode.casing import lower_case_of_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...engines.ngrams.matching import Counts
    from ...runtime.hints import Any, Iterable, Row, Segment, Sequence
    from ..chrf import CHRF, Compared
    from ..evaluation import References

_PUNCTUATION_BYTES = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

#: A table for `bytes.translate`: "." for punctuation marks, " " for word separators, and "-" for all other bytes.
_CLASSES = bytes([(b"." if byte in _PUNCTUATION_BYTES else b" " if byte in b" \n" else b"-")[0] for byte in range(256)])

#: The arguments of `NgramMatcher` after the order: for n-grams of characters, and for n-grams of words.
_ENCODINGS: tuple[tuple[Any, ...], ...] = ((ids_of_characters,), (ids_of_tokens, MAX_TOKENS))


def chrf_segments(metric: CHRF, segments: Sequence[Segment]) -> Sequence[Compared]:
    lines = [segment for segment in segments if isinstance(segment, str)]
    if metric.lowercase:
        lines = lower_case_of_lines(lines)
    block = block_with_spaces(lines)
    characters = lines if metric.whitespace else lines_without_spaces(block)
    if not metric.word_order:
        return [(line, []) for line in characters]
    return list(zip(characters, split_block(_with_marks_apart(block))))


def _with_marks_apart(block: bytes) -> bytes:
    r"""Split punctuation marks off the words of a `block_with_spaces`, as `chrf.words_and_marks` does.

    >>> _with_marks_apart(b"\n(hi) 'tis (a -\n")
    b"\n(hi ) ' tis ( a -\n"
    """
    classes = block.translate(_CLASSES)
    # Most words have no mark at their ends, so a search for marks in a block is faster than a loop over all words.
    cuts = [mark for mark in positions_of(b". ", classes) if classes[mark - 1:mark] != b" "]
    for space in positions_of(b" .", classes):
        end = classes.find(b" ", space + 1)
        if classes[end - 1:end] != b".":
            cuts.append(space + 2)
    cuts.sort()
    return b" ".join([block[start:end] for start, end in zip([0, *cuts], [*cuts, None])])


def chrf_rows(metric: CHRF, hypotheses: Sequence[Segment], references: References) -> list[Row]:
    kinds = [kind for kind, order in enumerate((metric.char_order, metric.word_order)) if order]
    orders = (metric.char_order, metric.word_order)
    matchers = [NgramMatcher(orders[kind], *_ENCODINGS[kind]) for kind in kinds]
    for indices in slices(len(hypotheses), CACHED_SEGMENTS):
        columns = [metric.preprocess_lines(hypotheses[indices]), *references.part(indices).preprocessed_streams()]
        for kind, matcher in zip(kinds, matchers):
            compared, *others = [_of_kind(column, kind) for column in columns]
            matcher.add(compared, others)
    by_kind = [matcher.counts_by_reference() for matcher in matchers]
    by_reference: list[list[Row]] = []
    for stream in range(len(by_kind[0])):
        numbers: list[Sequence[int]] = []
        for matcher, counts in zip(matchers, by_kind):
            numbers += _numbers_of_orders(matcher.hypothesis_lengths, matcher.reference_lengths[stream], counts[stream])
        by_reference.append(list(zip(*numbers)))
    if len(by_reference) == 1:
        return by_reference[0]
    best: list[Row] = []
    for rows, reference_lengths in zip(zip(*by_reference), zip(*matchers[0].reference_lengths)):
        # (A missing reference was matched as an empty reference, but its row does not count.)
        best.append(metric.best_row([row for row, length in zip(rows, reference_lengths) if length is not None]))
    return best


def _of_kind(column: Sequence[Compared | None], kind: int) -> list[Any]:
    """Return the characters (`kind` 0) or the words (`kind` 1) of each segment; `None` for a missing segment."""
    if None in column:
        return [compared and compared[kind] for compared in column]
    return list(map(itemgetter(kind), column))  # type: ignore[arg-type]  # just checked


def _numbers_of_orders(lengths: Sequence[int], reference_lengths: Sequence[int | None],
                       counts: Sequence[Counts]) -> list[Sequence[int]]:
    """Return the columns of rows for n-grams of one kind, in the same order as in `CHRF.row_against`."""
    numbers: list[Sequence[int]] = []
    for order, matched in enumerate(zip(*counts)):
        in_references = [length - order if length and length > order else 0 for length in reference_lengths]
        # sacreBLEU-compat: if the reference has no n-grams of this order, the hypothesis gets 0 n-grams.
        in_hypotheses = [length - order if there and length > order else 0
                         for length, there in zip(lengths, in_references)]
        numbers += [in_hypotheses, in_references, matched]
    return numbers


def chrf_values(metric: CHRF, sums: Sequence[Sequence[float]]) -> list[float]:
    if metric.eps_smoothing or any(0 in column for column in (*sums[::3], *sums[1::3])):
        return list(map(metric.value, zip(*sums)))  # (chrF may leave out an order.)
    precisions: Iterable[float] = repeat(0.0)
    recalls: Iterable[float] = repeat(0.0)
    for in_hypothesis, in_reference, matched in zip(sums[::3], sums[1::3], sums[2::3]):
        precisions = map(add, precisions, [one / other for one, other in zip(matched, in_hypothesis)])
        recalls = map(add, recalls, [one / other for one, other in zip(matched, in_reference)])
    return list(map(metric.score_from_sums, precisions, recalls, repeat(metric.order)))


def chrf_pair_values(metric: CHRF, hypotheses: Sequence[Compared], references: Sequence[Compared]) -> list[list[float]]:
    if metric.eps_smoothing:
        return metric._plain_pair_values(hypotheses, references)
    orders = (metric.char_order, metric.word_order)
    precisions = mean_precisions(hypotheses, references, orders)
    recalls = precisions if references == hypotheses else mean_precisions(references, hypotheses, orders)
    # The formula is that of `CHRF.score_from_sums`. The integers are converted to floats once, in advance.
    factor = metric.beta ** 2
    precision_weight, both_weights = float(factor), float(1 + factor)
    scores: list[list[float]] = []
    for precisions_of_hypothesis, recalls_of_hypothesis in zip(precisions, zip(*recalls)):
        scores.append([100.0 * (both_weights * precision * recall / (precision_weight * precision + recall))
                       if precision else 0.0
                       for precision, recall in zip(precisions_of_hypothesis, recalls_of_hypothesis)])
    return scores


def mean_precisions(hypotheses: Sequence[Compared], references: Sequence[Compared],
                    orders: Sequence[int]) -> list[list[float]]:
    """Return the mean n-gram precision of each hypothesis against each reference.

    The mean is over the orders of which the hypothesis and the reference have n-grams.

    (The recall of a pair is the precision of its reference against its hypothesis.)

    Args:
        hypotheses: one or more segments.
        references: one or more segments.
        orders: for each kind, the highest order of n-grams.

    Example:
        >>> mean_precisions([("ab", [])], [("ab", []), ("a", []), ("bc", [])], orders=[2, 0])
        [[1.0, 0.5, 0.25]]
    """
    from ...engines.ngrams.pairs import matches_of_pairs

    sums = [[0.0] * len(references) for _ in hypotheses]
    for ours, theirs, max_order in zip(zip(*hypotheses), zip(*references), orders):
        for block, by_hypothesis in matches_of_pairs(ours, theirs, max_order):
            for sums_of_hypothesis, symbols, by_order in zip(sums, ours, by_hypothesis):
                so_far: Iterable[float] = sums_of_hypothesis[block]
                for order, matched in enumerate(by_order):
                    ngrams = max(1, len(symbols) - order)
                    so_far = map(add, so_far, [matches / ngrams for matches in matched])
                sums_of_hypothesis[block] = so_far
    own_orders = _orders_of(hypotheses, orders)
    other_orders = _orders_of(references, orders)
    counts: dict[tuple[int, ...], list[int]] = {}
    for own in set(own_orders):
        counts[own] = [max(1, sum(map(min, own, other))) for other in other_orders]
    means: list[list[float]] = []
    for row, own in zip(sums, own_orders):
        means.append([total / count for total, count in zip(row, counts[own])])
    return means


def _orders_of(segments: Sequence[Compared], orders: Sequence[int]) -> list[tuple[int, ...]]:
    """Return, for each segment, the number of orders that have n-grams: for characters, and for words."""
    return [tuple(map(min, map(len, kinds), orders)) for kinds in segments]


def chrf_rising_columns(metric: CHRF) -> list[bool]:
    return [name.startswith("correct") for name in metric.column_names()]


CHRF_WAYS = {"preprocess_lines": chrf_segments, "block_statistics": chrf_rows, "values": chrf_values,
             "pair_values": chrf_pair_values, "rising_columns": chrf_rising_columns}
