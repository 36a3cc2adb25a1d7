"""The numbers of a report: scores of systems on groups of segments and of words, matched n-grams, and their summary."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import chain, combinations, repeat
from operator import sub

from ..engines.resampling.intervals import bootstrap_scores, estimate_ci
from ..metrics.base import Metric
from ..metrics.score import Score, Signature
from ..runtime.hints import Any, Mapping, NamedTuple, Row, Sequence, SystemRows
from ..runtime.progress import tracked
from ..significance.paired import resampled_difference
from ..significance.results import Results, results_of
from ..significance.sampling import Sampling, Units, indices_by_value
from .segments import (
    STORED_DIGITS,
    Outcome,
    decile_counts,
    decile_labels,
    limits_of,
    outcome,
    segment_scores,
    sentence_metric,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional, Tuple

    #: Three numbers for each bucket of words: matched words, words of the output, words of the reference.
    WordRow = Tuple[int, ...]

    #: The tokens of outputs, by system (`None` for a system that has only rows) and segment; and the tokens of
    #: references, by segment and stream.
    Tokens = Tuple[Sequence[Optional[Sequence[Sequence[str]]]], Sequence[Sequence[Sequence[str]]]]

    #: A value, and the ends of its 95 % interval (`None` without resampling).
    Estimate = Optional[Tuple[float, Optional[Tuple[float, float]]]]

    #: The title of a property (such as the domain), and the label and the segments' indices of each group.
    Grouping = Tuple[str, List[Tuple[str, List[int]]]]

    #: The indices of two systems.
    Pair = Tuple[int, int]

    NGram = Tuple[str, ...]

    #: An n-gram, and the number of its matches in the outputs of each of two systems.
    Gain = Tuple[NGram, int, int]

#: All segments of this length or more are in the same bucket.
_LONG = 60

#: The score of a bucket with fewer segments than this is unreliable.
FEW = 30

#: The lowest frequency in each bucket of words, and the labels of the buckets.
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)
_FREQUENCY_LABELS = ("1", "2", "3", "4", "5-9", "10-99", "100-999", "1000+")

#: The number of columns that a bucket has in a `WordRow`.
_COLUMNS = 3


def length_buckets(lengths: Sequence[float]) -> list[tuple[str, list[int]]]:
    """Divide segments into buckets by their lengths: 0 to 9, 10 to 19, and so on, and 60 and more.

    Args:
        lengths: the length of each segment.

    Returns:
        The label of each nonempty bucket, and the indices of its segments.

    Example:
        >>> length_buckets([3, 12, 75, 8])
        [('0-9', [0, 3]), ('10-19', [1]), ('60+', [2])]
    """
    buckets = indices_by_value([min(int(length) // 10 * 10, _LONG) for length in lengths])
    return [(f"{low}+" if low == _LONG else f"{low}-{low + 9}", buckets[low]) for low in sorted(buckets)]


def label_buckets(labels: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Divide segments by their labels, such as documents or domains. Labels are in the order of first appearance.

    >>> label_buckets(["news", "speech", "news"])
    [('news', [0, 2]), ('speech', [1])]
    """
    return list(indices_by_value(labels).items())


def word_rows_of(tokens: Tokens) -> list[list[WordRow]]:
    """Count matched words in buckets. The bucket of a word depends on its frequency in all first references.

    Returns:
        For each system that has text, the row of each segment. A row has three numbers for each bucket of
        `FREQUENCIES`: matched words (clipped), words of the output, and words of the reference. Words that no first
        reference has are in no bucket. The sum of the rows of all segments is the row of the corpus.

    Example:
        >>> word_rows_of(([[["a", "b", "x"]]], [[["a", "a", "c"]]]))[0][0][:6]  # frequency 1: "c"; frequency 2: "a"
        (0, 0, 1, 1, 1, 2)
    """
    systems = [system for system in tokens[0] if system is not None]
    references = [segment_references[0] for segment_references in tokens[1]]
    # For each word, the first column of its bucket.
    columns = {word: _COLUMNS * (bisect_right(FREQUENCIES, count) - 1)
               for word, count in Counter(chain.from_iterable(references)).items()}
    rows_by_system: list[list[WordRow]] = [[] for _ in systems]
    for segment, reference in tracked("matching words", enumerate(references), len(references)):
        reference_row = [0] * (_COLUMNS * len(FREQUENCIES))
        for word in reference:
            reference_row[columns[word] + 2] += 1
        expected = Counter(reference)
        for rows, outputs in zip(rows_by_system, systems):
            row = reference_row[:]
            for word, count in Counter(outputs[segment]).items():
                column = columns.get(word)
                if column is not None:
                    row[column] += min(count, expected[word])
                    row[column + 1] += count
            rows.append(tuple(row))
    return rows_by_system


def word_f_values(totals: Sequence[Sequence[float]]) -> list[Any]:
    """Return the F-scores of all buckets in each resample; `totals` has each column's sum in each resample.

    >>> word_f_values([[1, 2], [1, 2], [2, 2]])
    [(66.66666666666667,), (100.0,)]
    """
    buckets = [totals[start:start + _COLUMNS] for start in range(0, len(totals), _COLUMNS)]
    return list(zip(*[map(word_f, zip(*columns)) for columns in buckets]))


def word_f(totals: Sequence[float]) -> float:
    """Return the F-score (from 0 to 100) of a bucket, from the sums of its three columns.

    Example:
        By hand: precision is 1/1, and recall is 1/2, so F is 2/3.

        >>> round(word_f([1, 1, 2]), 3)
        66.667
    """
    matched, output_words, reference_words = totals
    return 200 * matched / (output_words + reference_words) if output_words + reference_words else 0.0


#: The properties of segments that a test set may have: the field, the name for users, and the title.
_LABELS = (("docid", "document", "Documents"), ("origlang", "origlang", "Original languages"),
           ("domain", "domain", "Domains"))


class Buckets(NamedTuple):
    """Scores of systems on groups of segments or of words.

    Attributes:
        title: the property that groups segments or words.
        groups: the label of each bucket, and the number of its segments or words (`None` if this number depends on the
            system).
        estimates: by metric, system and bucket, the score with its interval (a single segment has none); `None` if the
            system has no text to score.
        members: for each bucket, the indices of its segments; empty for words, and if systems have different buckets.
        differences: by metric, system and bucket, the difference from the best system, with an interval from paired
            resamples; `None` for the best system itself. Without a comparison, `differences` is empty.
    """

    title: str
    groups: Sequence[tuple[str, int | None]]
    estimates: Sequence[list[list[Estimate]]]
    members: Sequence[Sequence[int]] = ()
    differences: Sequence[list[list[Estimate]]] = ()


def segment_groups(lengths: Sequence[int], labels: Mapping[str, Sequence[str]]) -> dict[str, Grouping]:
    """Return the groups of segments by each known property: `length`, `document`, `origlang`, `domain`.

    Args:
        lengths: the length of each segment's reference; empty if lengths are unknown.
        labels: for each field that the test set has (`docid`, `origlang`, `domain`), the value of each segment.

    Example:
        >>> segment_groups([3, 12], {"domain": ["news", "news"]})["domain"]
        ('Domains', [('news', [0, 1])])
    """
    groups: dict[str, Grouping] = {}
    if lengths:
        groups["length"] = ("Reference length in tokens", length_buckets(lengths))
    for field, kind, title in _LABELS:
        if field in labels:
            groups[kind] = (title, label_buckets(labels[field]))
    return groups


def reference_lengths(metrics: Sequence[Metric[Score]], system: SystemRows, signatures: Sequence[Signature],
                      tokens: Tokens | None) -> list[int]:
    """Return the number of tokens in each segment's first reference, from the text or else from rows of BLEU.

    Rows of BLEU only have the length of the closest reference. So they are used only if there is one reference.
    Without text and such rows, the list is empty.
    """
    if tokens is not None:
        return [len(references[0]) for references in tokens[1]]
    for metric, rows, signature in zip(metrics, system, signatures):
        names = metric.column_names()
        if "ref_len" in names and str(signature.info["nrefs"]) == "1":
            return [int(row[names.index("ref_len")]) for row in rows]
    return []


def score_buckets(title: str, groups: Sequence[tuple[str, Sequence[int]]], systems: Sequence[SystemRows],
                  metrics: Sequence[Metric[Score]], sampling: Sampling, best: Sequence[int] = ()) -> Buckets:
    """Return the scores of groups of segments. Each group is scored as a separate corpus.

    Args:
        title: the title of the property that groups segments.
        groups: the label of each group, and the indices of its segments.
        systems: for each system, its rows under each metric.
        metrics: the metrics of the rows.
        sampling: the resamples for intervals and for differences.
        best: for each metric, the index of the best system, with which others are compared; empty: no comparison.
    """
    estimates = [_empty_lists(len(systems)) for _ in metrics]
    differences = [_empty_lists(len(systems)) for _ in best]
    for _, indices in groups:
        results = results_of([_rows_at(system, indices) for system in systems], metrics, sampling)
        for metric, metric_estimates in enumerate(estimates):
            for system, system_estimates in enumerate(metric_estimates):
                score = results.scores[system][metric]
                system_estimates.append((score.score, score.interval if len(indices) > 1 else None))
        for metric, metric_differences in enumerate(differences):
            for system, system_differences in enumerate(metric_differences):
                system_differences.append(_difference(results, system, metric, best[metric]))
    return Buckets(title, [(label, len(indices)) for label, indices in groups], estimates,
                   [indices for _, indices in groups], differences)


def _empty_lists(count: int) -> list[list[Estimate]]:
    return [[] for _ in range(count)]


def _rows_at(system: SystemRows, indices: Sequence[int]) -> list[list[Row]]:
    """Return, for each metric, the rows of a system at `indices`."""
    rows_by_metric: list[list[Row]] = []
    for rows in system:
        rows_by_metric.append([rows[index] for index in indices])
    return rows_by_metric


def score_counts(metric: str, systems: Sequence[Sequence[float]], limits: tuple[int, int] = (0, 100)) -> Buckets:
    """Count, for each system, the segments with a score in each tenth of the metric's scale.

    >>> score_counts("BLEU", [[5.0, 12.5, 19.0]]).estimates[0][0][:3]
    [(1, None), (2, None), (0, None)]
    """
    estimates: list[list[Estimate]] = []
    for scores in systems:
        estimates.append([(count, None) for count in decile_counts(scores, limits)])
    return Buckets(f"Their {metric}", [(label, None) for label in decile_labels(limits)], [estimates])


def _difference(results: Results, system: int, metric: int, best: int) -> Estimate:
    """Return the difference between a system and the best system, with its interval; `None` for the best system.

    All resamples of a single segment are the same, so a single segment has no interval.
    """
    if system == best:
        return None
    difference = results.difference(metric, best, system)
    return difference.value, (difference.low, difference.high) if results.segments > 1 else None


def word_buckets(tokens: Tokens, rows: Sequence[Sequence[WordRow]],
                 resampled: Sequence[Sequence[Any]], best: int | None = None) -> Buckets:
    """Return the F-scores of words by their frequency in the first references.

    Args:
        tokens: the tokens of the segments.
        rows: the result of `word_rows_of` for these tokens.
        resampled: for each system that has text, its `word_f_values` in bootstrap resamples; empty: no intervals.
        best: the index of the system with which other systems are compared in `resampled`; `None`: no comparison.
    """
    totals = [list(map(sum, zip(*system_rows))) for system_rows in rows]
    counts = totals[0][2::_COLUMNS] if totals else []
    buckets = [bucket for bucket, count in enumerate(counts) if count]
    values = [word_f_values(list(zip(system_totals)))[0] for system_totals in totals]  # (as if from one resample)
    samples: list[list[list[float]]] = []
    for system_values in resampled:
        samples.append([list(map(float, bucket_values)) for bucket_values in zip(*system_values)])
    with_text = [index for index, system in enumerate(tokens[0]) if system is not None]
    no_estimates: list[Estimate] = [None] * len(buckets)
    estimates, differences = [list(no_estimates) for _ in tokens[0]], [list(no_estimates) for _ in tokens[0]]
    for position, system in enumerate(with_text):
        intervals = [_interval_around_mean(samples[position][bucket]) if samples else None for bucket in buckets]
        estimates[system] = [(values[position][bucket], interval) for bucket, interval in zip(buckets, intervals)]
        if best in with_text and system != best:
            baseline = with_text.index(best)
            for index, bucket in enumerate(buckets):
                difference = resampled_difference(values[position][bucket] - values[baseline][bucket],
                                                  samples[position][bucket], samples[baseline][bucket])
                differences[system][index] = (difference.value, (difference.low, difference.high))
    return Buckets("Frequency of words in the references",
                   [(_FREQUENCY_LABELS[bucket], counts[bucket]) for bucket in buckets], [estimates],
                   differences=[differences] if best in with_text and len(with_text) > 1 else ())


def word_score_buckets(tokens: Tokens, sampling: Sampling) -> Buckets:
    """Return the F-scores of words as `word_buckets` does, with intervals if `sampling` has resamples."""
    rows, resampled = word_rows_of(tokens), []
    if sampling.resamples:
        resampled = bootstrap_scores(rows, [word_f_values] * len(rows), sampling.stream(), sampling.resamples)
    return word_buckets(tokens, rows, resampled)


def _interval_around_mean(scores: Sequence[float]) -> tuple[float, float]:
    mean, half = estimate_ci(scores)
    return mean - half, mean + half


# N-grams


#: The maximum order of n-grams, as in BLEU.
MAX_ORDER = 4

#: Segments are grouped by a property (such as the document) only if there are at most this many groups.
MAX_BUCKETS = 40

#: The maximum number of n-grams in a list for a pair of systems.
MAX_NGRAMS = 20

#: If there are more systems than this, the n-grams of each system are compared only with those of the baseline.
MAX_PAIRED_SYSTEMS = 6


def different_ngrams(tokens: Tokens, limit: int = MAX_NGRAMS) -> dict[Pair, tuple[list[Gain], list[Gain]]]:
    """Return the n-grams (of orders 1 to 4) whose numbers of matches differ most between two systems.

    Args:
        tokens: the tokens of the segments.
        limit: the maximum number of n-grams in a list.

    Returns:
        For each pair of systems that have text, two lists in the order of `most_different`: the n-grams that the second
        system matches more often, and the n-grams that the first system matches more often. If there are more than
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
    """Return, for each system, the number of matches of each n-gram, clipped in each segment as in BLEU.

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
            # Each matched n-gram is counted once. It has further matches only if the output and a reference repeat it.
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
    # Most differences are 0 or 1. To save time, only n-grams with a difference of at least `least` are sorted.
    least = max([1, *heapq.nlargest(limit, gains)[-1:]])
    more = [(ngram, one[ngram], other[ngram]) for gain, ngram in zip(gains, one) if gain >= least]
    return heapq.nsmallest(limit, more, key=_rank)


def _rank(gain: Gain) -> tuple[int, int, NGram]:
    ngram, own, other = gain
    return other - own, -len(ngram), ngram


# The summary


class SummaryInput(NamedTuple):
    """The systems of a report, as the input of `summary_of`.

    Attributes:
        systems: for each system, its rows under each metric. The first system is the baseline.
        metrics: the metrics of the rows.
        signatures: the signature of each metric.
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
        results: the results of the systems, as `results_of` returns them.
        signatures: the signature of each metric, with the fields of resampling.
        other_units: the results of the same tests with other units: documents if the units of `results` are segments,
            segments if they are documents. `None` if there are no documents.
        resampled: by metric and system, the score in each bootstrap resample.
        segments: by metric and system, the score of each segment.
        limits: for each metric, the ends of the scale of segment scores.
        deciles: by metric and system, the `decile_counts` of segment scores rounded to `STORED_DIGITS`.
        outcomes: by metric and pair of systems, the `outcome` of the second system against the first.
        lengths: the length of each segment's first reference; empty if unknown.
        buckets: `Buckets` of segments, one for each known property.
        words: `Buckets` of words by their frequency; `None` if there is no text.
        ngrams: the result of `different_ngrams`; empty if there is no text.
    """

    def __init__(self, results: Results, signatures: Sequence[Signature]) -> None:
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
        sampling: the paired test (none for a single system), and the resamples for intervals and for differences.
        rank, holm: as for `results_of`.
    """
    systems, metrics, signatures, labels, tokens = scored
    words = [] if tokens is None else word_rows_of(tokens)
    results = results_of(systems, metrics, sampling, rank=rank, holm=holm,
                         beside=[(rows, word_f_values) for rows in words])
    summary = Summary(results, list(map(results.signed, signatures)))
    if sampling.test is not None and "docid" in labels:
        summary.other_units = _results_of_other_units(systems, metrics, sampling, labels["docid"])
    for metric_scores in zip(*results.resampled):
        # (With NumPy's random numbers, scores are `Single`s instead of floats.)
        summary.resampled.append([list(map(float, scores)) for scores in metric_scores])
    _add_segments(summary, systems, metrics)
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
    """Return the results of the same tests for the other kind of units: documents if `sampling` has segments.

    The result is `None` if there is only one document, or if `sampling` has segments in strata.
    """
    if sampling.units is None:
        return results_of(systems, metrics, sampling.with_units(Units(documents))) if len({*documents}) > 1 else None
    return None if sampling.units.documents is None else results_of(systems, metrics, sampling.with_units(None))


def _add_segments(summary: Summary, systems: Sequence[SystemRows], metrics: Sequence[Metric[Score]]) -> None:
    """Set the attributes of a summary that come from scores of single segments."""
    for index, metric in enumerate(metrics):
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
