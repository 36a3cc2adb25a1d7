"""All numbers of a report, from the rows and the tokens of systems."""

from __future__ import annotations

from itertools import combinations

from ..engines.resampling.intervals import bootstrap_scores, estimate_ci
from ..significance.paired import SIGNIFICANT
from ..significance.results import Results, Sampling, results_of
from .buckets import FREQUENCIES, frequency_label, label_buckets, length_buckets, word_f, word_rows
from .ngrams import matched_counts, most_different
from .segments import decile_counts, outcome, segment_scores, sentence_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Optional, Sequence, Tuple

    from ..metrics.base import Metric
    from ..metrics.score import Score, Signature
    from ..significance.paired import SystemRows
    from .ngrams import NGram
    from .segments import Outcome

    #: The tokens of each system's segments (`None` for a system of which there are only rows), and of the references of
    #: each segment.
    Tokens = Tuple[Sequence[Optional[Sequence[Sequence[str]]]], Sequence[Sequence[Sequence[str]]]]

    #: A value, and the ends of its 95 % interval.
    Estimate = Optional[Tuple[float, Tuple[float, float]]]

    #: Two systems by their indices.
    Pair = Tuple[int, int]

#: More kinds of segments than this are too many to be shown; such are the documents of a large test set.
MAX_BUCKETS = 40

#: The n-grams that are listed of a pair of systems, and the number of systems up to which this is done for all pairs.
MAX_NGRAMS, _MAX_PAIRED_SYSTEMS = 20, 6

#: What buckets by the labels of a test set are called.
_LABELS = {"docid": "Documents", "origlang": "Original languages", "domain": "Domains"}


class Buckets:
    """What systems score on kinds of segments, or of words.

    Attributes:
        title: what they differ in.
        groups: the label of each bucket, and the number of segments (or words) in it.
        estimates: under each metric, for each system, the score on each bucket with its interval; `None` where there is
            nothing to score.
    """

    def __init__(self, title: str, groups: Sequence[tuple[str, int]],
                 estimates: Sequence[Sequence[Sequence[Estimate]]]) -> None:
        self.title = title
        self.groups = groups
        self.estimates = estimates


class Summary:
    """What a report tells.

    Attributes:
        metrics: what systems were scored with.
        results: of `results_of`.
        signatures: one for each metric, with the fields of resampling.
        resampled: under each metric, for each system, its score in each bootstrap resample.
        segments: under each metric, for each system, the score of each segment.
        deciles: under each metric, for each system, `decile_counts` of these.
        outcomes: under each metric, for each pair of systems, how the second fares against the first.
        lengths: the length of each segment's first reference; none where neither text nor rows tell.
        buckets: of segments, by each thing that is known of them.
        words: `Buckets` of words by their frequency; `None` where there is no text.
        ngrams: for each pair of systems, the n-grams that the second gets more often than the first, with both counts,
            and those that it gets less often; none where there is no text.
    """

    def __init__(self, metrics: Sequence[Metric[Score]], results: Results, signatures: Sequence[Signature]) -> None:
        self.metrics = metrics
        self.results = results
        self.signatures = signatures
        self.resampled: list[list[list[float]]] = []
        self.segments: list[list[list[float]]] = []
        self.deciles: list[list[list[int]]] = []
        self.outcomes: list[dict[Pair, Outcome]] = []
        self.lengths: list[int] = []
        self.buckets: list[Buckets] = []
        self.words: Buckets | None = None
        self.ngrams: dict[Pair, tuple[list[tuple[NGram, int, int]], list[tuple[NGram, int, int]]]] = {}


def summary_of(systems: Sequence[SystemRows], metrics: Sequence[Metric[Score]], signatures: Sequence[Signature],
               labels: Mapping[str, Sequence[str]], tokens: Tokens | None, *, test: str | None, samples: int,
               resamples: int, rng: str, seed: int | None) -> Summary:
    """The numbers of a report.

    Args:
        systems: for each system, its rows under each metric; the baseline is the first.
        metrics: what the rows are of.
        signatures: of the evaluations that the rows come from, one for each metric.
        labels: what the test set tells of each segment: `docid`, `origlang`, `domain`.
        tokens: of the segments; `None` where there is no text.
        test: the paired test, `bs` or `ar`; `None` for a single system.
        samples: its resamples or trials.
        resamples: the number of bootstrap resamples for intervals.
        rng: the random stream.
        seed: its seed.
    """
    pairs = len(systems) * (len(systems) - 1) // 2
    rank = test is not None and len(systems) > 2 and pairs / (samples + 1) <= SIGNIFICANT
    sampled: Any = {"rng": rng, "seed": seed}
    results = results_of(systems, metrics, test=test, samples=samples, resamples=resamples, rank=rank, **sampled)
    summary = Summary(metrics, results, list(map(results.signed, signatures)))
    count = samples if test == "bs" else resamples
    summary.resampled = _resampled_scores(systems, metrics, Sampling(None, 0, count, rng, seed), count)
    _add_segments(summary, systems)
    _add_buckets(summary, systems, labels, tokens, count, sampled)
    if tokens is not None:
        _add_words(summary, tokens, Sampling(None, 0, count, rng, seed), count)
    return summary


def _resampled_scores(systems: Sequence[SystemRows], metrics: Sequence[Metric[Score]], sampling: Sampling,
                      count: int) -> list[list[list[float]]]:
    groups = [system[index] for index in range(len(metrics)) for system in systems]
    values = [metric.value for metric in metrics for _ in systems]
    scores = iter(bootstrap_scores(groups, values, sampling.stream(), count))
    return [[[float(score) for score in next(scores)] for _ in systems] for _ in metrics]


def _add_segments(summary: Summary, systems: Sequence[SystemRows]) -> None:
    """Add what single segments tell."""
    for index, metric in enumerate(summary.metrics):
        of_segments = sentence_metric(metric)
        scores = [segment_scores(of_segments, system[index]) for system in systems]
        summary.segments.append(scores)
        summary.deciles.append(list(map(decile_counts, scores)))
        summary.outcomes.append({(one, two): outcome(scores[two], scores[one], metric.LOWER_IS_BETTER)
                                 for one, two in combinations(range(len(systems)), 2)})


def _add_buckets(summary: Summary, systems: Sequence[SystemRows], labels: Mapping[str, Sequence[str]],
                 tokens: Tokens | None, resamples: int, sampled: Any) -> None:
    """Add what kinds of segments tell."""
    summary.lengths = _reference_lengths(summary.metrics, systems[0], tokens)
    kinds = [("Reference length in tokens", length_buckets(summary.lengths))] if summary.lengths else []
    kinds += [(title, label_buckets(labels[name])) for name, title in _LABELS.items() if name in labels]
    for title, buckets in kinds:
        if not 1 < len(buckets) <= MAX_BUCKETS:
            continue
        found = [results_of([[[rows[index] for index in indices] for rows in system] for system in systems],
                            summary.metrics, resamples=resamples, **sampled) for _, indices in buckets]
        estimates = [[[_estimate(results, system, metric) for results in found] for system in range(len(systems))]
                     for metric in range(len(summary.metrics))]
        summary.buckets.append(Buckets(title, [(label, len(indices)) for label, indices in buckets], estimates))


def _reference_lengths(metrics: Sequence[Metric[Score]], system: SystemRows, tokens: Tokens | None) -> list[int]:
    """The lengths of the first references: from their tokens, or else from rows that have them."""
    if tokens is not None:
        return [len(references[0]) for references in tokens[1]]
    for metric, rows in zip(metrics, system):
        names = metric.column_names()
        if names.count("ref_len") or names.count("ref_length"):
            column = names.index("ref_len" if "ref_len" in names else "ref_length")
            return [int(row[column]) for row in rows]
    return []


def _estimate(results: Results, system: int, metric: int) -> Estimate:
    result = results.systems[system][metric]
    assert result.mean is not None and result.ci is not None, "there were resamples"
    return result.score, (result.mean - result.ci, result.mean + result.ci)


def _add_words(summary: Summary, tokens: Tokens, sampling: Sampling, resamples: int) -> None:
    """Add what words and n-grams tell."""
    outputs, references = tokens
    firsts = [of_segment[0] for of_segment in references]
    known = [index for index, system in enumerate(outputs) if system is not None]
    rows = [word_rows(system, firsts) for system in outputs if system is not None]
    sums = [sum(column) for column in zip(*rows[0])]
    counts = [int(sums[3 * bucket + 2]) for bucket in range(len(FREQUENCIES))]
    buckets = [bucket for bucket, count in enumerate(counts) if count]
    estimates: list[list[Estimate]] = [[] for _ in outputs]
    for bucket in buckets:
        # (All of a row's columns would be resampled for each bucket.)
        narrow = [[row[3 * bucket:3 * bucket + 3] for row in of_system] for of_system in rows]
        scores = bootstrap_scores(narrow, [word_f] * len(narrow), sampling.stream(), resamples)
        for of_system in estimates:
            of_system.append(None)
        for index, resampled, system_rows in zip(known, scores, narrow):
            mean, half = estimate_ci([float(score) for score in resampled])
            estimates[index][-1] = (word_f([sum(column) for column in zip(*system_rows)]), (mean - half, mean + half))
    summary.words = Buckets("Frequency of words in the references",
                            [(frequency_label(bucket), counts[bucket]) for bucket in buckets], [estimates])
    matched = {index: matched_counts(system, references) for index, system in enumerate(outputs) if system is not None}
    for one, two in combinations(known, 2):
        if one == 0 or len(outputs) <= _MAX_PAIRED_SYSTEMS:
            summary.ngrams[one, two] = (most_different(matched[two], matched[one], MAX_NGRAMS),
                                        most_different(matched[one], matched[two], MAX_NGRAMS))
