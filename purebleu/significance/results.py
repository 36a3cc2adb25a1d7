"""Scores, intervals, p-values, differences and ranks of systems, computed from rows."""

from __future__ import annotations

from itertools import chain, combinations, islice

from ..engines.resampling.intervals import estimate_ci, pairwise_mean
from ..engines.resampling.packed import number_of_swaps
from ..errors import LengthError, OptionError, PurebleuError
from ..hints import Any, Beside, Mapping, Mean, Sequence, SystemRows
from ..metrics.base import Metric
from ..metrics.evaluation import signed_score, sum_statistics
from ..metrics.score import Score
from ..metrics.segments import listed
from .paired import (
    SIGNIFICANT,
    Differences,
    Result,
    add_p_values,
    estimate_intervals,
    intervals_beside_randomization,
    randomization_p_values,
    rounding_of,
    standard_error,
)
from .ranking import (
    bootstrap_p_values,
    corrected_by_metric,
    corrected_together,
    is_same_score,
    p_values_to_correct,
    rank_systems,
    samples_for_ranks,
    warn_of_few_samples,
)
from .sampling import (
    BOOTSTRAP,
    RANDOMIZATION,
    Sampled,
    Sampling,
    check_paired_test,
    checked_sampling,
    sums_of_units,
    warn_of_few_documents,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .paired import Difference, Pair
    from .ranking import PValues, Ranking
    from .sampling import Metrics


class Results(Sampled):
    """The results of systems under several metrics, as `results_of` returns them.

    Attributes:
        scores: for each system, its score under each metric, with the interval if it was requested. The scores have no
            signatures, because rows have none (see `signed`).
        systems: for each system, its `Result` under each metric.
        rankings: for each metric, a `Ranking` of the systems; empty unless it was requested.
        rank_samples: the number of samples of the tests for the rankings; 0 without rankings.
        corrected: for each metric, the p-value of each pair of systems, corrected for the number of tests (Holm); empty
            unless a correction or a ranking was requested.
        tested: the p-values of `corrected` before the correction.
        family: the number of tests that were corrected together; 0 without a correction. For a ranking alone, these are
            the tests under one metric; else, the tests under all metrics (and for all language pairs of a table).
        differences: for each metric, the `Difference` of each pair of systems (the second one minus the first one);
            empty unless differences were requested.
        standard_errors: for each system, under each metric, the standard deviation of its resampled scores.
        resampled: for each system, under each metric, its scores in the bootstrap resamples of the test `bs`, else
            in the resamples for differences; empty if there are no resamples.
        beside: for each item of `results_of`'s argument `beside`, its value in each resample of `resampled`.
        sampling: the settings of resampling; `None` if nothing was resampled.
        segments: the number of segments; 0 if nothing was resampled, because rows may then be partial sums.
    """

    def __init__(self, scores: list[list[Score]], systems: list[list[Result]],
                 sampling: Sampling | None = None) -> None:
        super().__init__(sampling)
        self.scores = scores
        self.systems = systems
        self.rankings: Sequence[Ranking] = ()
        self.rank_samples = 0
        self.corrected: PValues = ()
        self.tested: PValues = ()
        self.family = 0
        self.differences: Sequence[Mapping[Pair, Difference]] = ()
        self.standard_errors: Sequence[Sequence[float]] = ()
        self.resampled: list[list[Sequence[float]]] = []
        self.beside: Sequence[Sequence[Any]] = ()

    def places(self, metric: int, width: int) -> int:
        """Return the number of decimal places of a metric's scores, if BLEU's scores have `width` decimal places."""
        return self.scores[0][metric].places(width) if self.scores else width

    def best(self, metric: int, lower_is_better: bool) -> int:
        """Return the index of the system with the best score under a metric (the lowest index if several are best)."""
        scores = [system[metric].score for system in self.systems]
        return scores.index((min if lower_is_better else max)(scores))

    def difference(self, metric: int, other: int, system: int) -> Difference:
        """Return the `Difference` of `system` from `other`; the results must have differences."""
        differences = self.differences[metric]
        return differences[other, system] if other < system else -differences[system, other]

    def corrected_p(self, metric: int, one: int, other: int) -> float | None:
        """Return the corrected p-value of a pair; `None` if the pair was not tested, or if there is no correction."""
        return self.corrected[metric].get((min(one, other), max(one, other))) if self.corrected else None

    def decisive_p(self, metric: int, one: int, other: int) -> float | None:
        """Return the corrected p-value of a pair, or p without a correction; `None` if the pair was not tested."""
        if self.corrected:
            return self.corrected_p(metric, one, other)
        return None if one and other else self.systems[one or other][metric].p_value

    def differs_from_first(self, metric: int, system: int) -> bool:
        """Return whether a system differs significantly from the first system (by corrected p-values if possible).

        All formats of output mark exactly the systems for which this method returns true.
        """
        score, first_score = self.systems[system][metric].score, self.systems[0][metric].score
        p_value = self.decisive_p(metric, 0, system)
        return p_value is not None and p_value <= SIGNIFICANT and not is_same_score(score, first_score)

    def __repr__(self) -> str:
        return f"Results({self.systems!r})"


def check_rows(systems: Sequence[SystemRows], metrics: Metrics, resampled: bool) -> None:
    """Raise an error if rows or metrics are missing, or if `resampled` systems have different numbers of segments."""
    if not all(isinstance(system, (list, tuple)) for system in listed(systems, "systems")):
        raise TypeError(f"each system must be a list that has rows for each metric, not {systems!r:.80}")
    if systems and systems[0] and isinstance(systems[0][0], str):
        raise PurebleuError("systems must be rows of statistics, not texts: call purebleu.compare for texts")
    if not hasattr(metrics, "__len__") or not all(hasattr(metric, "score") for metric in metrics):
        raise TypeError(f"metrics must be a list of metrics, not {metrics!r:.80}")
    if not systems or not metrics:
        raise PurebleuError("there are no systems" if not systems else "there are no metrics")
    for index, system in enumerate(systems):
        if len(system) != len(metrics):
            raise PurebleuError(f"system {index} has rows for {len(system)} metrics, but {len(metrics)} are expected")
    lengths = set(map(len, chain.from_iterable(systems)))
    if 0 in lengths:
        raise PurebleuError("a system has no rows")
    if resampled and len(lengths) > 1:
        raise LengthError(f"systems have different numbers of segments: {', '.join(map(str, sorted(lengths)))}")


def results_of(systems: Sequence[SystemRows], metrics: Sequence[Metric[Any]],
               sampling: Sampling | None = None, *, rank: bool = False, holm: bool = False,
               beside: Beside = ()) -> Results:
    """Compute the results of systems from their rows, without text.

    Args:
        systems: for each system, its rows under each metric, as `Metric.corpus_statistics` returns them; with a test,
            the first system is the baseline. Without resampling, rows may be partial sums.
        metrics: the metrics of the rows, in the same order.
        sampling: the settings of intervals, differences, and a test (`bs` or `ar`) of each system against the
            baseline; `None`: nothing is resampled.
        rank: whether to rank the systems by tests of all pairs. The p-values are corrected for the number of tests
            (Holm): under each metric separately, or with `holm`, under all metrics together. Random trials of a pair
            may end early (see `randomization_p_values`).
        holm: whether to correct the p-values of all systems and metrics together (Holm, 1979). With `rank`, the
            p-values of all pairs of systems are corrected together.
        beside: further rows of the same segments, each with a function that computes values from their sums. These rows
            are resampled with the systems, if the test is `bs` or differences are requested.

    Raises:
        OptionError: a ranking or a correction is requested without a test, the test is `sar`, or an exact test needs
            too many trials.
        PurebleuError: there is no system, a system does not have rows under each metric, or (with resampling) systems
            have different numbers of segments.

    Example:
        >>> from purebleu import TER
        >>> from purebleu.significance import Sampling
        >>> metric = TER()
        >>> systems = [["a b", "c x", "e f", "g x"], ["a x", "c d", "e x", "g x"]]
        >>> rows = [[metric.corpus_statistics(system, [["a b", "c d", "e f", "g h"]])] for system in systems]
        >>> results = results_of(rows, [metric], Sampling("ar", 100, seed=1))
        >>> [[(result.score, result.p_value) for result in system] for system in results.systems]
        [[(25.0, None)], [(37.5, 0.25)]]
    """
    sampling = checked_sampling(sampling)
    if sampling.test is None and (rank or holm):
        raise OptionError(f"{'a ranking' if rank else 'a correction of p-values'} needs a significance test")
    if sampling.test is not None:
        check_paired_test(sampling.test)
    is_resampled = bool(sampling.test or sampling.drawn)
    check_rows(systems, metrics, is_resampled)
    scores: list[list[Score]] = []
    bare: list[list[Result]] = []
    for system in systems:
        scores.append([signed_score(metric, sum_statistics(rows)) for metric, rows in zip(metrics, system)])
        bare.append([Result(score.score) for score in scores[-1]])
    if not is_resampled:
        return Results(scores, bare)
    segments = len(systems[0][0])
    if sampling.test == RANDOMIZATION.name:
        units = sampling.units.count if sampling.units else segments
        sampling = sampling.of_trials(number_of_swaps(units))
    results = Results(scores, bare, sampling)
    results.segments = segments
    if sampling.test is not None:
        _add_tests(results, systems, metrics, rank, holm, beside)
    elif not sampling.differences:
        estimate_intervals(results.systems, sums_of_units(systems, sampling.units), metrics, sampling.stream(),
                           sampling, sampling.mean)
    if sampling.differences:
        _add_differences(results, systems, metrics, beside)
    if sampling.units is not None and (results.resampled or sampling.drawn):
        warn_of_few_documents(sampling.units, systems, metrics, sampling.test == BOOTSTRAP.name)
    for score, result in zip(chain.from_iterable(scores), chain.from_iterable(results.systems)):
        score.mean, score.ci = result.mean, result.ci
    return results


def _add_differences(results: Results, systems: Sequence[SystemRows], metrics: Metrics, beside: Beside) -> None:
    """Add differences and standard errors, from the resamples of the test, or from new resamples if there are none."""
    sampling = results.sampling
    assert sampling is not None, "there are resamples"
    if not results.resampled:
        results.resampled, results.beside = sampling.resampled(systems, metrics, sampling.drawn, beside)
    if sampling.test is None and sampling.resamples:
        add_resampled_intervals(results, sampling.mean)
    differences: list[Mapping[Pair, Difference]] = []
    for by_system, resampled in zip(zip(*results.systems), zip(*results.resampled)):
        differences.append(Differences(by_system, resampled))
    results.differences = differences
    results.standard_errors = [list(map(standard_error, system)) for system in results.resampled]


def add_resampled_intervals(results: Results, mean: Mean) -> None:
    """Set the mean and the interval of each result from `results.resampled`."""
    for result, resampled in zip(chain.from_iterable(results.systems), chain.from_iterable(results.resampled)):
        result.mean, result.ci = estimate_ci(resampled, mean)


def _add_tests(results: Results, systems: Sequence[SystemRows], metrics: Metrics, rank: bool, holm: bool,
               beside: Beside) -> None:
    """Add the p-values, intervals and ranks of the test. The bootstrap test also adds resampled values of `beside`."""
    sampling = results.sampling
    assert sampling is not None, "there is a test"
    with_baseline = [(0, index) for index in range(1, len(systems))]
    pairs = list(combinations(range(len(systems)), 2)) if rank else with_baseline
    tests = len(pairs) * (len(metrics) if holm else 1)
    samples = sampling.samples
    if rank and sampling.has_default and not sampling.exact:
        samples = samples_for_ranks(samples, tests)
    if rank or holm:
        warn_of_few_samples(samples, tests, 2 if sampling.exact else 0)
    if sampling.test == BOOTSTRAP.name:
        resampled, results.beside = sampling.resampled(systems, metrics, samples,
                                                       beside if samples == sampling.samples else ())
        results.resampled = []
        for system_scores in resampled:
            results.resampled.append([scores[:sampling.samples] for scores in system_scores])
        if beside and not results.beside:  # (`beside` does not need the additional resamples for ranks)
            _, results.beside = sampling.resampled((), metrics, sampling.samples, beside)
        stream = sampling.stream()
        roundings = [rounding_of(metric, stream) for metric in metrics]
        add_resampled_intervals(results, pairwise_mean)
        add_p_values(results.systems, bootstrap_p_values(results.systems, results.resampled, roundings, with_baseline))
        p_values = bootstrap_p_values(results.systems, resampled, roundings, pairs) if rank or holm else []
    else:
        sums = sums_of_units(systems, sampling.units)
        first = pairs if samples == sampling.samples else with_baseline
        # (Tests against the baseline never end early, because outputs show their p-values without the correction, too.)
        stopping = [pair for pair in first if pair[0]]
        stream = sampling.stream()
        p_values = randomization_p_values(sums, metrics, first, None if sampling.exact else stream, sampling.samples,
                                          stopping)
        add_p_values(results.systems, p_values)
        if sampling.resamples:
            intervals_beside_randomization(results.systems, sums, metrics, stream, sampling)
        if samples > sampling.samples:
            p_values = randomization_p_values(sums, metrics, pairs, sampling.stream(), samples, pairs)
    if rank or holm:
        results.tested = p_values_to_correct(p_values, results.systems)
        results.corrected = (corrected_together if holm else corrected_by_metric)(results.tested)
        results.family = tests
    if rank:
        results.rankings = rank_systems(results.systems, metrics, results.corrected)
        results.rank_samples = samples


def correct_together(parts: Sequence[tuple[Results, Metrics]]) -> None:
    """Correct the p-values of several results together (Holm), such as the results of all language pairs in a table.

    Args:
        parts: results with corrected p-values, each with its metrics. The `corrected`, `family` and `rankings` of
            results are replaced.
    """
    tests = list(chain.from_iterable([results.tested for results, _ in parts]))
    corrected = iter(corrected_together(tests))
    family = sum(map(len, tests))
    for results, metrics in parts:
        results.corrected = list(islice(corrected, len(results.tested)))
        results.family = family
        if results.rankings:
            results.rankings = rank_systems(results.systems, metrics, results.corrected)
    tested = [results for results, _ in parts if results.tested]
    if len(tested) > 1:
        fewest = min(tested, key=lambda results: results.rank_samples or results.samples)
        warn_of_few_samples(fewest.rank_samples or fewest.samples, family, 2 if fewest.exact else 0)
