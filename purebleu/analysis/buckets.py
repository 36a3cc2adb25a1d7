"""Scores of systems on groups of segments (by length, document, domain), and on groups of words (by frequency)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import chain

from ..engines.resampling.intervals import estimate_ci
from ..hints import Any, Mapping, NamedTuple, Row, Sequence, SystemRows
from ..metrics.base import Metric
from ..metrics.score import Score, Signature
from ..runtime.progress import tracked
from ..significance.paired import resampled_difference
from ..significance.results import Results, results_of
from ..significance.sampling import Sampling
from .segments import decile_counts, decile_labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Optional, Tuple

    #: Three numbers for each bucket of words in a segment: matched words, words of the output, words of the reference.
    WordRow = Tuple[int, ...]

    #: The tokens of outputs by system and segment (`None` for a system that has only rows), and the tokens of
    #: references by segment.
    Tokens = Tuple[Sequence[Optional[Sequence[Sequence[str]]]], Sequence[Sequence[Sequence[str]]]]

    #: A value, and the ends of its 95 % interval (`None` without resampling).
    Estimate = Optional[Tuple[float, Optional[Tuple[float, float]]]]

    #: The title of a property, and the groups of segments by this property: the label and the indices of each group.
    Grouping = Tuple[str, List[Tuple[str, List[int]]]]

#: All segments of at least this length are in the same bucket.
_LONG = 60

#: The scores of buckets with fewer segments than this are unreliable.
FEW = 30

#: The lowest frequency of each bucket of words, and the labels of the buckets.
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)
_FREQUENCY_LABELS = ("1", "2", "3", "4", "5-9", "10-99", "100-999", "1000+")

#: The number of columns of a bucket in a row of `word_rows_of`.
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
    buckets: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        buckets.setdefault(min(int(length) // 10 * 10, _LONG), []).append(index)
    return [(f"{low}+" if low == _LONG else f"{low}-{low + 9}", buckets[low]) for low in sorted(buckets)]


def label_buckets(labels: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Divide segments by their labels, such as documents or domains. Labels are in the order of first appearance.

    >>> label_buckets(["news", "speech", "news"])
    [('news', [0, 2]), ('speech', [1])]
    """
    buckets: dict[str, list[int]] = {}
    for index, label in enumerate(labels):
        buckets.setdefault(label, []).append(index)
    return list(buckets.items())


def word_rows_of(tokens: Tokens) -> list[list[WordRow]]:
    """Count matched words, grouped by the frequency of these words in the first references.

    Returns:
        For each system that has text, the row of each segment. A row has three numbers for each bucket of
        `FREQUENCIES`: matched words (clipped), words of the output, and words of the reference. Words that no reference
        has are in no bucket. The sum of the rows of all segments is the row of the corpus.

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
    """Return the F-scores of all buckets in each resample, from `totals`: the sums of each column of `word_rows_of`.

    >>> word_f_values([[1, 2], [1, 2], [2, 2]])
    [(66.66666666666667,), (100.0,)]
    """
    buckets = [totals[start:start + _COLUMNS] for start in range(0, len(totals), _COLUMNS)]
    return list(zip(*[map(word_f, zip(*columns)) for columns in buckets]))


def word_f(totals: Sequence[float]) -> float:
    """Return the F-score (from 0 to 100) of a bucket. `totals` has the sums of the bucket's three columns.

    Example:
        By hand: precision is 1/1, and recall is 1/2, so F is 2/3.

        >>> round(word_f([1, 1, 2]), 3)
        66.667
    """
    matched, output_words, reference_words = totals
    return 200 * matched / (output_words + reference_words) if output_words + reference_words else 0.0


#: The properties of segments that a test set may have, each with its field, its name for users, and its title.
_LABELS = (("docid", "document", "Documents"), ("origlang", "origlang", "Original languages"),
           ("domain", "domain", "Domains"))


class Buckets(NamedTuple):
    """Scores of systems on groups of segments or of words.

    Attributes:
        title: the property that groups segments or words.
        groups: the label of each bucket, and the number of its segments or words (`None` if that number depends on the
            system).
        estimates: under each metric, for each system, the score on each bucket with its interval; `None` if the system
            has no text to score.
        differences: under each metric, for each system, the difference from the best system on each bucket (`None` for
            the best system itself). The intervals come from paired resamples. `differences` is empty if systems are not
            compared.
        members: for each bucket, the indices of its segments; empty for words, and if systems have different buckets.
    """

    title: str
    groups: Sequence[tuple[str, int | None]]
    estimates: Sequence[list[list[Estimate]]]
    members: Sequence[Sequence[int]] = ()
    differences: Sequence[list[list[Estimate]]] = ()


def segment_groups(lengths: Sequence[int], labels: Mapping[str, Sequence[str]]) -> dict[str, Grouping]:
    """Divide segments into groups by each known property: `length`, `document`, `origlang`, `domain`.

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

    A row of BLEU has only the length of the closest reference, so without text, the result is empty if segments have
    several references.
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
        best: under each metric, the index of the best system, which other systems are compared with; empty: no
            comparison.
    """
    estimates = [_empty_lists(len(systems)) for _ in metrics]
    differences = [_empty_lists(len(systems)) for _ in best]
    for _, indices in groups:
        results = results_of([_rows_at(system, indices) for system in systems], metrics, sampling)
        for metric, metric_estimates in enumerate(estimates):
            for system, system_estimates in enumerate(metric_estimates):
                score = results.scores[system][metric]
                system_estimates.append((score.score, score.interval))
        for metric, metric_differences in enumerate(differences):
            for system, system_differences in enumerate(metric_differences):
                system_differences.append(_difference(results, system, metric, best[metric]))
    return Buckets(title, [(label, len(indices)) for label, indices in groups], estimates,
                   [indices for _, indices in groups], differences)


def _empty_lists(count: int) -> list[list[Estimate]]:
    return [[] for _ in range(count)]


def _rows_at(system: SystemRows, indices: Sequence[int]) -> list[list[Row]]:
    """Return the rows of a system at `indices`, under each metric."""
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
    """Return the difference between a system and the best system, with its interval; `None` for the best system."""
    if system == best:
        return None
    difference = results.difference(metric, best, system)
    return difference.value, (difference.low, difference.high)


def word_buckets(tokens: Tokens, rows: Sequence[Sequence[WordRow]],
                 resampled: Sequence[Sequence[Any]], best: int | None = None) -> Buckets:
    """Return the F-scores of words by their frequency in the first references.

    Args:
        tokens: the tokens of the segments.
        rows: the result of `word_rows_of` for these tokens: for each system that has text, a row for each segment.
        resampled: for each system that has text, its `word_f_values` in bootstrap resamples; empty: no intervals.
        best: the index of the system that other systems are compared with in `resampled`; `None`: no comparison.
    """
    totals = [list(map(sum, zip(*system_rows))) for system_rows in rows]
    counts = totals[0][2::_COLUMNS] if totals else []
    buckets = [bucket for bucket, count in enumerate(counts) if count]
    values = [word_f_values(list(zip(system_totals)))[0] for system_totals in totals]  # (totals are one resample)
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


def _interval_around_mean(scores: Sequence[float]) -> tuple[float, float]:
    mean, half = estimate_ci(scores)
    return mean - half, mean + half
