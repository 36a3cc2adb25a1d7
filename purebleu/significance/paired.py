"""Is the difference between two systems more than chance? Two tests that pair their segments."""

from __future__ import annotations

from functools import partial

from ..errors import OptionError
from ..metrics.evaluation import sum_statistics
from ..resampling.intervals import bootstrap_scores, estimate_ci, pairwise_mean
from ..resampling.packed import randomization_totals
from ..resampling.streams import make_stream, seed_from_environment
from ..workers import number_of_workers, spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping, Sequence

    from ..metrics.base import Metric
    from ..metrics.evaluation import Row
    from ..metrics.score import Signature
    from ..metrics.segments import Segment
    from ..resampling.streams import Stream

    #: The rows of a system under each metric.
    SystemRows = Sequence[Sequence[Row]]

#: A p-value up to this is called significant.
SIGNIFICANT = 0.05


def p_value(differences: Sequence[float], observed: float) -> float:
    """How likely chance alone makes a difference larger than the observed one, from those that it made in trials.

    What was observed counts as one of the trials (Phipson and Smyth, 2010), so that p is never 0. By hand: one of three
    differences exceeds 2, and p = (1 + 1) / (3 + 1):

    >>> p_value([1.0, 4.0, 2.0], 2.0)
    0.5
    """
    exceeding = [difference for difference in differences if difference > observed]
    return (len(exceeding) + 1) / (len(differences) + 1)


def bootstrap_p_value(resampled: Sequence[float], baseline: Sequence[float], difference: float) -> float:
    """The p-value of a difference between two systems, from their scores in the same bootstrap resamples.

    Under the null hypothesis, resampled differences would spread about zero as they now do about their mean. So those
    count that are above their mean by more than the observed difference. By hand: the differences are 1, 2, 2 and 7,
    their mean is 3, so that they are above it by -2, -1, -1 and 4; one exceeds 3, and p = (1 + 1) / (4 + 1):

    >>> bootstrap_p_value([11.0, 12.0, 8.0, 17.0], [10.0, 10.0, 10.0, 10.0], 3.0)
    0.4
    """
    differences = [abs(one - other) for one, other in zip(resampled, baseline)]
    expected = pairwise_mean(differences)
    return p_value([one - expected for one in differences], difference)


def randomization_p_value(shuffled: Sequence[float], others: Sequence[float], difference: float) -> float:
    """The p-value of a difference between two systems, from the scores of pairs that exchanged segments at random.

    Under the null hypothesis, it makes no difference which of the two a segment comes from. So those trials count whose
    difference is larger than the observed one (Riezler and Maxwell, 2005). By hand: the differences are 1, 3, 0 and 4;
    one exceeds 3, and p = (1 + 1) / (4 + 1):

    >>> randomization_p_value([11.0, 13.0, 10.0, 8.0], [10.0, 10.0, 10.0, 12.0], 3.0)
    0.4
    """
    return p_value([abs(one - other) for one, other in zip(shuffled, others)], difference)


class Result:
    """A system's score under a metric; where they were asked for, the p-value of its difference to the baseline, and
    the mean and half the width of the 95 % interval (`estimate_ci`) of its resampled scores."""

    def __init__(self, score: float, p_value: float | None = None, mean: float | None = None,
                 ci: float | None = None) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join([f"{name}={value}" for name, value in vars(self).items()])


def paired_bootstrap(systems: Sequence[SystemRows], metrics: Sequence[Metric], stream: Stream,
                     count: int) -> list[list[Result]]:
    """Test each system against the first one by paired bootstrap resampling (Koehn, 2004); also estimates intervals.

    Returns the results of each system under each metric.
    """
    resampled = _resampled(systems, metrics, stream, count)
    results = _bare_results(systems, metrics)
    baseline = results[0]
    for system, (of_system, scores_of_system) in enumerate(zip(results, resampled)):
        for result, of_baseline, scores, baseline_scores in zip(of_system, baseline, scores_of_system, resampled[0]):
            result.mean, result.ci = estimate_ci(scores)
            if system > 0:
                result.p_value = bootstrap_p_value(scores, baseline_scores, abs(of_baseline.score - result.score))
    return results


def paired_randomization(systems: Sequence[SystemRows], metrics: Sequence[Metric], stream: Stream,
                         count: int) -> list[list[Result]]:
    """Test each system against the first one by approximate randomization (Riezler and Maxwell, 2005).

    Returns the results of each system under each metric.
    """
    results = _bare_results(systems, metrics)
    if len(systems) == 1:
        return results
    groups = [rows for system in systems for rows in system]
    values = [metric.value for metric in metrics] * (len(systems) - 1)
    shuffled: list[list[float]] = []
    others: list[list[float]] = []
    for one, other in randomization_totals(groups, len(systems), stream, count):
        shuffled.append([value(totals) for value, totals in zip(values, one)])
        others.append([value(totals) for value, totals in zip(values, other)])
    pairs = [(result, of_baseline) for of_system in results[1:] for result, of_baseline in zip(of_system, results[0])]
    for (result, of_baseline), scores, other_scores in zip(pairs, zip(*shuffled), zip(*others)):
        result.p_value = randomization_p_value(scores, other_scores, abs(of_baseline.score - result.score))
    return results


def intervals_of_systems(results: Sequence[Sequence[Result]], systems: Sequence[SystemRows],
                         metrics: Sequence[Metric], stream: Stream, count: int) -> None:
    """Set the mean and the interval of each system's result under each metric, from so many bootstrap resamples."""
    for of_system, scores_of_system in zip(results, _resampled(systems, metrics, stream, count)):
        for result, scores in zip(of_system, scores_of_system):
            result.mean, result.ci = estimate_ci(scores)


def intervals_beside_randomization(results: Sequence[Sequence[Result]], systems: Sequence[SystemRows],
                                   metrics: Sequence[Metric], stream: Stream, new_stream: Callable[[], Stream],
                                   count: int) -> None:
    """`intervals_of_systems` after a randomization test, whose trials have been drawn from `stream`."""
    # The number of systems, the baseline first, whose resamples are drawn from the beginning of the stream.
    afresh = 1 if stream.CONTINUES_AFTER_TRIALS else len(systems)
    intervals_of_systems(results[:afresh], systems[:afresh], metrics, new_stream(), count)
    if systems[afresh:]:
        intervals_of_systems(results[afresh:], systems[afresh:], metrics, stream, count)


def _resampled(systems: Sequence[SystemRows], metrics: Sequence[Metric], stream: Stream,
               count: int) -> list[list[list[float]]]:
    """The scores of each system under each metric in the same bootstrap resamples."""
    groups = [rows for system in systems for rows in system]
    scores = iter(bootstrap_scores(groups, [metric.value for metric in metrics] * len(systems), stream, count))
    return [[next(scores) for _ in metrics] for _ in systems]


def _rows_and_signatures(metrics: Sequence[Metric], references: Sequence[Sequence[Segment | None]] | None,
                         hypotheses: Sequence[Segment]) -> list[tuple[list[Row], Signature]]:
    """The rows of a system under each metric, with the signature of this evaluation, which may be in a worker."""
    return [(metric.corpus_statistics(hypotheses, references), metric.get_signature()) for metric in metrics]


def _bare_results(systems: Sequence[SystemRows], metrics: Sequence[Metric]) -> list[list[Result]]:
    return [[Result(metric.value(sum_statistics(rows))) for metric, rows in zip(metrics, system)] for system in systems]


class PairedTest:
    """Tests systems against a baseline, under several metrics.

    `named_systems` are pairs of a name and hypotheses, the baseline's first; the values of `metrics` are metrics (its
    keys are not used), and `references` are as for `Metric.corpus_score` (`None`: those that the metrics were made
    with). `test_type` is `bs` for paired bootstrap resampling or `ar` for approximate randomization, with `n_samples`
    resamples or trials (0: 1000 or 10000). With `ar`, `n_ar_confidence` bootstrap resamples estimate intervals (0:
    1000; -1: none are estimated). `rng` names the random stream, a key of `STREAMS`; the seed is that of
    `seed_from_environment`. `n_jobs` processes share the systems between them (0: one for each processor; there are no
    more than that, or 2). Where processes are not forked, they import the main module: a script that has several of
    them needs its `if __name__ == "__main__":`.

    A single system has intervals, but is not tested. Raises `OptionError` where there is none, or no metric.

    Called, it returns the signatures by the names of scores (such as "chrF2++"), and the table: the names of the
    systems under "System", and the `Result` of each under each score's name.
    """

    def __init__(self, named_systems: Sequence[tuple[str, Sequence[Segment]]], metrics: Mapping[str, Metric],
                 references: Sequence[Sequence[Segment | None]] | None, test_type: str = "ar", n_samples: int = 0,
                 n_ar_confidence: int = -1, n_jobs: int = 1, rng: str = "mt19937") -> None:
        if test_type not in TESTS:
            raise OptionError(f"unknown test {test_type!r}; there are {', '.join(TESTS)}")
        self.test_type = test_type
        self.n_samples = n_samples or _DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence or _DEFAULT_SAMPLES["bs"]
        if self.n_samples < 1 or self.n_ar_confidence < -1:
            raise OptionError("the number of samples must be at least 1")
        self.n_jobs = n_jobs
        self.named_systems = list(named_systems)
        self.metrics = dict(metrics)
        if not self.named_systems or not self.metrics:
            raise OptionError("a test needs a system and a metric at least")
        self.references = references
        self._seed = seed_from_environment()
        self._new_stream = partial(make_stream, rng, self._seed)
        self._stream_signature = self._new_stream().SIGNATURE

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        metrics = list(self.metrics.values())
        evaluate = partial(_rows_and_signatures, metrics, self.references)
        evaluated = list(spread(evaluate, [hypotheses for _, hypotheses in self.named_systems],
                                number_of_workers(self.n_jobs)))
        systems = [[rows for rows, _ in of_system] for of_system in evaluated]
        signatures = {}
        table: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        results = self._results(systems, metrics)
        for metric, (rows, signature), column in zip(metrics, evaluated[0], zip(*results)):
            name = metric.score(sum_statistics(rows)).name
            table[name] = list(column)
            signatures[name] = self._signed(signature)
        return signatures, table

    def _results(self, systems: Sequence[SystemRows], metrics: Sequence[Metric]) -> list[list[Result]]:
        stream = self._new_stream()
        results = TESTS[self.test_type](systems, metrics, stream, self.n_samples)
        if self.test_type == "ar" and self.n_ar_confidence > 0:
            intervals_beside_randomization(results, systems, metrics, stream, self._new_stream, self.n_ar_confidence)
        return results

    def _signed(self, signature: Signature) -> Signature:
        samples = {self.test_type: self.n_samples}
        if self.test_type == "ar" and self.n_ar_confidence > 0:
            samples["bs"] = self.n_ar_confidence
        return signature.with_resampling(self._seed, self._stream_signature, **samples)


#: The tests by their names in signatures.
TESTS = {"bs": paired_bootstrap, "ar": paired_randomization}
_DEFAULT_SAMPLES = {"bs": 1000, "ar": 10_000}
