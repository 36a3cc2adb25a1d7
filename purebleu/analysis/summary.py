"""Compute all numbers of a report from the rows and the tokens of systems."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, repeat
from operator import sub

from ..hints import Mapping, NamedTuple, Sequence, SystemRows
from ..metrics.base import Metric
from ..metrics.score import Score, Signature
from ..runtime.progress import tracked
from ..significance.results import Results, results_of
from ..significance.sampling import Sampling, Units
from .buckets import reference_lengths, score_buckets, segment_groups, word_buckets, word_f_values, word_rows_of
from .segments import STORED_DIGITS, Outcome, decile_counts, limits_of, outcome, segment_scores, sentence_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    from .buckets import Buckets, Tokens

    #: The indices of two systems.
    Pair = Tuple[int, int]

    NGram = Tuple[str, ...]

    #: An n-gram, and the number of its matches in the outputs of each of two systems.
    Gain = Tuple[NGram, int, int]

#: The maximum order of n-grams, as in BLEU.
MAX_ORDER = 4

#: Segments are not grouped by a property (such as the document) if there would be more groups than this.
MAX_BUCKETS = 40

#: The maximum number of n-grams in a list for a pair of systems.
MAX_NGRAMS = 20

#: If there are more systems than this, the n-grams of each system are compared only with the baseline's n-grams.
MAX_PAIRED_SYSTEMS = 6


def different_ngrams(tokens: Tokens, limit: int = MAX_NGRAMS) -> dict[Pair, tuple[list[Gain], list[Gain]]]:
    """Return the n-grams (of orders 1 to 4) whose number of matches differs most between two systems.

    Args:
        tokens: the tokens of the segments.
        limit: the maximum number of n-grams in a list.

    Returns:
        For each pair of systems that have text, two lists in the order of `most_different`: the n-grams with more
        matches by the second system, and the n-grams with more matches by the first system. If there are more than
        `MAX_PAIRED_SYSTEMS` systems, only pairs with the baseline are compared.
    """
    outputs, references = tokens
    known = {index: system for index, system in enumerate(outputs) if system is not None}
    lists: dict[Pair, tuple[list[Gain], list[Gain]]] = {}
    for one, two in combinations(known, 2):
        if one == 0 or len(outputs) <= MAX_PAIRED_SYSTEMS:
            lists[one, two] = ([], [])
    # (Each order is counted by itself, because the n-grams of a large corpus take a lot of memory.)
    for order in range(1, MAX_ORDER + 1) if lists else ():
        matched = dict(zip(known, matched_counts([*known.values()], references, order)))
        for (one, two), (gained, lost) in lists.items():
            gained += most_different(matched[two], matched[one], limit)
            lost += most_different(matched[one], matched[two], limit)
    return {pair: (sorted(gained, key=_rank)[:limit], sorted(lost, key=_rank)[:limit])
            for pair, (gained, lost) in lists.items()}


def matched_counts(systems: Sequence[Sequence[Sequence[str]]], references: Sequence[Sequence[Sequence[str]]],
                   order: int) -> list[Counter[NGram]]:
    """Return, for each system, the number of matches of each n-gram of an order, clipped in each segment as in BLEU.

    Args:
        systems: for each system, the words of each segment.
        references: for each segment, the words of its references.
        order: the number of words in an n-gram.

    Example:
        >>> sorted(matched_counts([[["a", "a", "b"]]], [[["a", "b"]]], 1)[0].items())
        [(('a',), 1), (('b',), 1)]
    """
    matched: list[Counter[NGram]] = [Counter() for _ in systems]
    for segment, segment_references in tracked(f"matching {order}-grams", enumerate(references), len(references)):
        streams = [_ngrams_of_order(reference, order) for reference in segment_references]
        allowed = set(streams[0]).union(*streams[1:])
        repeats = any(len({*ngrams}) < len(ngrams) for ngrams in streams)
        for counts, outputs in zip(matched, systems):
            ngrams = _ngrams_of_order(outputs[segment], order)
            distinct = {*ngrams}
            # Each matched n-gram is counted once. An n-gram has further matches only if the output and a reference
            # repeat it.
            counts.update(distinct & allowed)
            if repeats and len(distinct) < len(ngrams):
                limits: Counter[NGram] = Counter()
                for stream in streams:
                    limits |= Counter(stream)
                counts.update({ngram: count - 1 for ngram, count in (Counter(ngrams) & limits).items() if count > 1})
    return matched


def _ngrams_of_order(words: Sequence[str], order: int) -> list[NGram]:
    return list(zip(*[words[start:] for start in range(order)]))


def most_different(one: Counter[NGram], other: Counter[NGram], limit: int) -> list[Gain]:
    """Return the n-grams that one system matches more often than another system.

    Returns:
        At most `limit` n-grams, each with both counts. The n-grams are sorted by the difference of the counts (largest
        first), then by the order (longest n-grams first), then by their words.

    Example:
        >>> most_different(Counter({("a",): 3, ("b",): 1}), Counter({("a",): 1, ("c",): 2}), 20)
        [(('a',), 3, 1), (('b',), 1, 0)]
    """
    import heapq

    gains = list(map(sub, one.values(), map(other.get, one, repeat(0))))
    # For most n-grams, the difference is 0 or 1, so n-grams with a difference below `least` are not sorted.
    least = max([1, *heapq.nlargest(limit, gains)[-1:]])
    more = [(ngram, one[ngram], other[ngram]) for gain, ngram in zip(gains, one) if gain >= least]
    return heapq.nsmallest(limit, more, key=_rank)


def _rank(gain: Gain) -> tuple[int, int, NGram]:
    ngram, own, other = gain
    return other - own, -len(ngram), ngram


class SummaryInput(NamedTuple):
    """The systems of a report, as `summary_of` takes them.

    Attributes:
        systems: for each system, its rows under each metric; the baseline is the first system.
        metrics: the metrics of the rows.
        signatures: for each metric, the signature of the evaluation that the rows come from.
        labels: for each field that the test set has (`docid`, `origlang`, `domain`), the value of each segment.
        tokens: the tokens of the segments; `None` if there is no text.
    """

    systems: Sequence[SystemRows]
    metrics: Sequence[Metric[Score]]
    signatures: Sequence[Signature]
    labels: Mapping[str, Sequence[str]]
    tokens: Tokens | None


class Summary:
    """The numbers of a report.

    Attributes:
        metrics: the metrics that systems were scored with.
        results: the results of the systems, as `results_of` returns them.
        signatures: the signature of each metric, with the fields of resampling.
        other_units: the results of the same tests with other units: documents if `results` has segments as units, and
            segments if `results` has documents. `None` if there are no documents.
        resampled: under each metric, for each system, its score in each bootstrap resample.
        segments: under each metric, for each system, the score of each segment.
        limits: under each metric, the ends of the scale of segment scores.
        deciles: under each metric, for each system, `decile_counts` of segment scores rounded to `STORED_DIGITS`.
        outcomes: under each metric, for each pair of systems, the `outcome` of the second system against the first.
        lengths: the length of each segment's first reference; empty if neither text nor rows have it.
        buckets: `Buckets` of segments, one for each known property.
        words: `Buckets` of words by their frequency; `None` if there is no text.
        ngrams: the result of `different_ngrams`; empty if there is no text.
    """

    def __init__(self, metrics: Sequence[Metric[Score]], results: Results, signatures: Sequence[Signature]) -> None:
        self.metrics = metrics
        self.results = results
        self.signatures = signatures
        self.other_units: Results | None = None
        self.resampled: list[list[list[float]]] = []
        self.segments: list[list[list[float]]] = []
        self.limits: list[tuple[int, int]] = []
        self.deciles: list[list[list[int]]] = []
        self.outcomes: list[dict[Pair, Outcome]] = []
        self.lengths: list[int] = []
        self.buckets: list[Buckets] = []
        self.words: Buckets | None = None
        self.ngrams: dict[Pair, tuple[list[Gain], list[Gain]]] = {}


def summary_of(scored: SummaryInput, sampling: Sampling, *, rank: bool = False, holm: bool = False) -> Summary:
    """Return the numbers of a report.

    Args:
        scored: the systems with their rows and tokens.
        sampling: the paired test (no test for a single system), and the resamples for intervals and for differences.
        rank, holm: as for `results_of`.
    """
    systems, metrics, signatures, labels, tokens = scored
    words = [] if tokens is None else word_rows_of(tokens)
    results = results_of(systems, metrics, sampling, rank=rank, holm=holm,
                         beside=[(rows, word_f_values) for rows in words])
    summary = Summary(metrics, results, list(map(results.signed, signatures)))
    if sampling.test is not None and "docid" in labels:
        summary.other_units = _results_of_other_units(systems, metrics, sampling, labels["docid"])
    for metric_scores in zip(*results.resampled):
        # (With NumPy's random numbers, scores are `Single`s instead of floats.)
        summary.resampled.append([list(map(float, scores)) for scores in metric_scores])
    _add_segments(summary, systems)
    best: list[int] = []
    if len(systems) > 1:
        best = [results.best(index) for index in range(len(metrics))]
    summary.lengths = reference_lengths(metrics, systems[0], summary.signatures, tokens)
    bucket_sampling = sampling.intervals_alone(differences=bool(best))
    for title, groups in segment_groups(summary.lengths, labels).values():
        if 1 < len(groups) <= MAX_BUCKETS:
            summary.buckets.append(score_buckets(title, groups, systems, metrics, bucket_sampling, best))
    if tokens is not None:
        summary.words = word_buckets(tokens, words, results.beside, best[0] if best else None)
        summary.ngrams = different_ngrams(tokens)
    return summary


def _results_of_other_units(systems: Sequence[SystemRows], metrics: Sequence[Metric[Score]], sampling: Sampling,
                            documents: Sequence[str]) -> Results | None:
    """Return the results of the same test with other units (see `Summary.other_units`)."""
    if sampling.units is None:
        return results_of(systems, metrics, sampling.with_units(Units(documents))) if len({*documents}) > 1 else None
    return None if sampling.units.documents is None else results_of(systems, metrics, sampling.with_units(None))


def _add_segments(summary: Summary, systems: Sequence[SystemRows]) -> None:
    """Set the attributes of a summary that describe single segments."""
    for index, metric in enumerate(summary.metrics):
        segment_metric = sentence_metric(metric)
        scores = [segment_scores(segment_metric, system[index]) for system in systems]
        summary.segments.append(scores)
        limits = limits_of(metric, scores)
        summary.limits.append(limits)
        deciles: list[list[int]] = []
        for system_scores in scores:
            deciles.append(decile_counts([round(score, STORED_DIGITS) for score in system_scores], limits))
        summary.deciles.append(deciles)
        summary.outcomes.append({(one, two): outcome(scores[two], scores[one], metric.LOWER_IS_BETTER)
                                 for one, two in combinations(range(len(systems)), 2)})
