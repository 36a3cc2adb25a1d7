"""Scores of systems on kinds of segments and of words."""

from __future__ import annotations

from ..engines.resampling.intervals import estimate_ci
from ..significance.differences import resampled_difference
from ..significance.results import results_of
from .buckets import frequency_label, label_buckets, length_buckets, word_f_values, word_rows
from .segments import decile_counts, decile_labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Mapping, Optional, Sequence, Tuple

    from ..engines.resampling.streams import Seed
    from ..metrics.base import Metric
    from ..metrics.score import Score, Signature
    from ..significance.results import Results
    from ..significance.types import SystemRows
    from .buckets import WordRow
    from .segments import Limits

    #: The tokens of each system's segments (`None` for a system of which there are only rows), and of the references of
    #: each segment.
    Tokens = Tuple[Sequence[Optional[Sequence[Sequence[str]]]], Sequence[Sequence[Sequence[str]]]]

    #: A value, and the ends of its 95 % interval (`None` where nothing was resampled).
    Estimate = Optional[Tuple[float, Optional[Tuple[float, float]]]]

    #: The property that segments are grouped by, and the label and the indices of each group.
    Grouping = Tuple[str, List[Tuple[str, List[int]]]]

#: The properties of segments that a test set may have: the name of the field, the name for users, and a title.
_LABELS = (("docid", "document", "Documents"), ("origlang", "origlang", "Original languages"),
           ("domain", "domain", "Domains"))

#: The kinds of groups that `segment_groups` makes.
SEGMENT_KINDS = ("length", *[kind for _, kind, _ in _LABELS])


class Buckets:
    """Scores of systems on kinds of segments, or of words.

    Attributes:
        title: the property that the buckets differ in.
        groups: the label of each bucket, and the number of segments (or words) in it; `None` where that number depends
            on the system.
        estimates: under each metric, for each system, the score on each bucket with its interval; `None` where there is
            nothing to score.
        differences: likewise, the score minus that of the best system, with the interval of paired resamples; `None`
            for the best system itself. Empty where differences were not asked for.
        members: for each bucket, the indices of its segments; empty where buckets hold words, or depend on the system.
    """

    def __init__(self, title: str, groups: Sequence[tuple[str, int | None]],
                 estimates: Sequence[Sequence[Sequence[Estimate]]], members: Sequence[Sequence[int]] = (),
                 differences: Sequence[Sequence[Sequence[Estimate]]] = ()) -> None:
        self.title = title
        self.groups = groups
        self.estimates = estimates
        self.members = members
        self.differences = differences


def segment_groups(lengths: Sequence[int], labels: Mapping[str, Sequence[str]]) -> dict[str, Grouping]:
    """The segments in groups, by each known property among `SEGMENT_KINDS`.

    Args:
        lengths: the length of each segment's reference; empty where lengths are not known.
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
    """The lengths of the first references in tokens, counted in the text, or else taken from the rows of BLEU.

    A row holds the length of the closest reference. That is the first one only where there is a single reference; with
    several, the list is empty.
    """
    if tokens is not None:
        return [len(references[0]) for references in tokens[1]]
    for metric, rows, signature in zip(metrics, system, signatures):
        names = metric.column_names()
        if "ref_len" in names and str(signature.info["nrefs"]) == "1":
            return [int(row[names.index("ref_len")]) for row in rows]
    return []


def score_buckets(title: str, groups: Sequence[tuple[str, Sequence[int]]], systems: Sequence[SystemRows],
                  metrics: Sequence[Metric[Score]], *, best: Sequence[int] = (), resamples: int, rng: str,
                  seed: Seed) -> Buckets:
    """The scores of groups of segments, each scored as a corpus of its own.

    Args:
        title: the property that the groups differ in.
        groups: the label of each, and the indices of its segments.
        systems: for each system, its rows under each metric.
        metrics: those of the rows.
        best: under each metric, the index of the system that the others are compared with; empty: none is.
        resamples: the number of bootstrap resamples for intervals; 0: none.
        rng: the random stream.
        seed: its seed.
    """
    group_results = [
        results_of([[[rows[index] for index in indices] for rows in system] for system in systems],
                   metrics, resamples=resamples, differences=resamples if best else 0, rng=rng, seed=seed)
        for _, indices in groups]
    estimates = [[[_estimate(results, system, metric) for results in group_results] for system in range(len(systems))]
                 for metric in range(len(metrics))]
    differences = [[[_difference(results, system, metric, best[metric]) for results in group_results]
                    for system in range(len(systems))] for metric in range(len(best))]
    return Buckets(title, [(label, len(indices)) for label, indices in groups], estimates,
                   [indices for _, indices in groups], differences)


def score_counts(metric: str, systems: Sequence[Sequence[float]], limits: Limits = (0, 100)) -> Buckets:
    """The number of segments of each system with a sentence score in each tenth of the metric's scale.

    >>> score_counts("BLEU", [[5.0, 12.5, 19.0]]).estimates[0][0][:3]
    [(1, None), (2, None), (0, None)]
    """
    counts = [decile_counts(scores, limits) for scores in systems]
    return Buckets(f"Their {metric}", [(label, None) for label in decile_labels(limits)],
                   [[[(count, None) for count in system_counts] for system_counts in counts]])


def _estimate(results: Results, system: int, metric: int) -> Estimate:
    result = results.systems[system][metric]
    if result.mean is None or result.ci is None:
        return result.score, None
    return result.score, (result.mean - result.ci, result.mean + result.ci)


def _difference(results: Results, system: int, metric: int, best: int) -> Estimate:
    """The score of a system minus that of the best one, with an interval where there were resamples."""
    if system == best:
        return None
    if not results.differences:
        return results.systems[system][metric].score - results.systems[best][metric].score, None
    difference = results.difference(metric, best, system)
    return difference.value, (difference.low, difference.high)


def word_rows_of(tokens: Tokens) -> list[list[WordRow]]:
    """`word_rows` of each system that has text, against the first references."""
    outputs, references = tokens
    return word_rows([system for system in outputs if system is not None],
                     [segment_references[0] for segment_references in references])


def word_buckets(tokens: Tokens, rows: Sequence[Sequence[WordRow]],
                 resampled: Sequence[Sequence[Any]], best: int | None = None) -> Buckets:
    """The F-scores of words by their frequency in the first references.

    Args:
        tokens: the tokens of the segments.
        rows: their `word_rows_of`: for each system that has text, a row for each segment.
        resampled: for each of these systems, its `word_f_values` in bootstrap resamples; empty: there are no intervals.
        best: the index of the system that the others are compared with; `None`: none is.
    """
    totals = [[[sum(column)] for column in zip(*system_rows)] for system_rows in rows]
    counts = [int(total) for total, in totals[0][2::3]] if totals else []
    buckets = [bucket for bucket, count in enumerate(counts) if count]
    values = [word_f_values(system_totals)[0] for system_totals in totals]
    samples = [[list(map(float, bucket_values)) for bucket_values in zip(*system_values)]
               for system_values in resampled]
    with_text = [index for index, system in enumerate(tokens[0]) if system is not None]
    no_estimates: list[Estimate] = [None] * len(buckets)
    estimates, differences = [list(no_estimates) for _ in tokens[0]], [list(no_estimates) for _ in tokens[0]]
    for position, system in enumerate(with_text):
        intervals = [_interval_around_mean(samples[position][bucket]) if samples else None for bucket in buckets]
        estimates[system] = [(values[position][bucket], interval) for bucket, interval in zip(buckets, intervals)]
        if best in with_text and system != best:
            baseline = with_text.index(best)
            differences[system] = [
                _paired(values[position][bucket] - values[baseline][bucket],
                        [samples[position][bucket], samples[baseline][bucket]] if samples else [])
                for bucket in buckets]
    return Buckets("Frequency of words in the references",
                   [(frequency_label(bucket), counts[bucket]) for bucket in buckets], [estimates],
                   differences=[differences] if best in with_text and len(with_text) > 1 else ())


def _interval_around_mean(scores: Sequence[float]) -> tuple[float, float]:
    mean, half = estimate_ci(scores)
    return mean - half, mean + half


def _paired(value: float, samples: Sequence[Sequence[float]]) -> Estimate:
    """A difference between two systems, with an interval where both were resampled (in the same resamples)."""
    if not samples:
        return value, None
    difference = resampled_difference(value, *samples)
    return value, (difference.low, difference.high)
