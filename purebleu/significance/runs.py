"""Systems with several runs each, such as those of a training with different seeds (Clark et al., 2011)."""

from __future__ import annotations

from itertools import chain

from ..engines.resampling.intervals import exact_mean
from ..engines.resampling.packed import number_of_deals, stratified_totals
from ..metrics.base import Metric
from ..metrics.evaluation import signed_score, sum_statistics
from ..metrics.score import Score
from ..metrics.segments import listed
from ..runtime.errors import OptionError, PurebleuError
from ..runtime.hints import Any, Sequence, SystemRows
from .paired import SIGNIFICANT, TrialCounts, resampled_scores, share_of_trials, standard_deviation, standard_error
from .results import check_rows, holm_adjusted, listed_rows, warn_of_few_samples
from .sampling import STRATIFIED, Sampled, Sampling, checked_sampling, sums_of_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.resampling.streams import RandomStream
    from .sampling import Metrics


class RunsResult:
    """The result of the runs of a system under a metric. Two results are equal if their attributes are equal.

    Attributes:
        mean: the mean of the scores of all runs.
        deviation: the standard deviation of these scores; `None` for a single run.
        selection: the standard deviation that comes from the choice of segments: the standard deviation of a run's
            scores in bootstrap resamples, averaged over runs. `None` without resamples.
        p_value: the p-value of the difference from the baseline; `None` for the baseline, and without a test.
        scores: the score of each run, in the order of the runs.
    """

    def __init__(self, scores: Sequence[float]) -> None:
        self.mean = exact_mean(scores)
        self.deviation = standard_deviation(scores)
        self.selection: float | None = None
        self.p_value: float | None = None
        self.scores = list(scores)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(self.mean)

    def __repr__(self) -> str:
        return f"RunsResult({vars(self)!r})"


class RunsResults(Sampled):
    """The results of systems with several runs, as `runs_of` returns them.

    Attributes:
        systems: for each system, its `RunsResult` under each metric.
        scores: the score of the first run of the first system under each metric. Outputs take the names and the decimal
            places of scores from these scores.
        corrected: for each system, under each metric, the p-value corrected for the number of tests (Holm); `None` for
            the baseline. `corrected` is empty unless the correction was requested.
        sampling: the settings of resampling; `None` if nothing was resampled.
        segments: the number of segments.
    """

    def __init__(self, systems: list[list[RunsResult]], sampling: Sampling | None, segments: int = 0) -> None:
        super().__init__(sampling, segments)
        self.systems = systems
        self.scores: list[Score] = []
        self.corrected: list[list[float | None]] = []

    def places(self, metric: int, width: int) -> int:
        """Return the number of decimal places of a metric's scores, if BLEU's scores have `width` decimal places."""
        return self.scores[metric].places(width) if self.scores else width

    def differs_from_first(self, metric: int, system: int) -> bool:
        """Return whether a system differs significantly from the first system (by corrected p-values if possible)."""
        p_value = self.corrected[system][metric] if self.corrected else self.systems[system][metric].p_value
        return p_value is not None and p_value <= SIGNIFICANT

    @property
    def corrected_tests(self) -> int:
        """The number of tests for which p-values are corrected; 0 without a correction."""
        return sum([p_value is not None for p_value in chain.from_iterable(self.corrected)])

    def __repr__(self) -> str:
        return f"RunsResults({self.systems!r})"


def stratified_randomization(baseline: Sequence[SystemRows], system: Sequence[SystemRows], metrics: Metrics,
                             stream: RandomStream | None, count: int) -> list[float]:
    """Test a system against the baseline by stratified approximate randomization (Clark et al., 2011).

    For each segment, a trial divides the outputs of all runs between the two systems at random. As in multeval, a
    system is scored as one corpus with the outputs of all its runs. If k of n trials have at least the observed
    difference, p is (k + 1) / (n + 1), so p is 1 for identical systems. If all possible trials are made (including the
    trial that changes nothing), p is k / n.

    Args:
        baseline: the rows of the baseline's runs under each metric.
        system: the rows of the system's runs; it may have more or fewer runs.
        metrics: the metrics of the rows.
        stream: the random stream, at its beginning; `None`: all trials are made.
        count: the number of trials.

    Returns:
        The p-value under each metric: a probability above 0, at most 1.

    Raises:
        PurebleuError: the systems have too many runs.
    """
    counts = [TrialCounts(metric, group) for group, metric in enumerate(metrics)]
    for trials in stratified_totals([*baseline, *system], len(baseline), stream, count):
        for counted in counts:
            counted.add(trials)
    if stream is None:
        return [(counted.larger + counted.equal) / count for counted in counts]
    return [share_of_trials(counted.larger + counted.equal, count) for counted in counts]


def runs_of(systems: Sequence[Sequence[SystemRows]], metrics: Sequence[Metric[Any]],
            sampling: Sampling | None = None, *, holm: bool = False) -> RunsResults:
    """Return means and standard deviations over the runs of systems, and test each system against the first system.

    Args:
        systems: the rows of each run of each system under each metric, as `Metric.corpus_statistics` returns them; the
            first system is the baseline.
        metrics: the metrics of the rows, in the same order.
        sampling: the settings: the test `sar`, and at least 2 bootstrap resamples for `RunsResult.selection` (0: none).
            Each test and the resampling start at the beginning of the random stream. `None`: `Sampling("sar")`.
        holm: whether to correct the p-values of all systems and metrics together (Holm, 1979).

    Raises:
        PurebleuError: a system has no runs, a run does not have rows under each metric, runs have different numbers of
            segments, or `stratified_randomization` raises this error.
        OptionError: the test is not `sar`, or an exact test needs too many trials.

    Example:
        Two systems with two runs each:

        >>> from purebleu import TER
        >>> from purebleu.significance import Sampling
        >>> metric = TER()
        >>> systems = [[["a b", "c x"], ["a b", "c d"]], [["a x", "c x"], ["x b", "x d"]]]
        >>> rows = [[[metric.corpus_statistics(run, [["a b", "c d"]])] for run in runs] for runs in systems]
        >>> results = runs_of(rows, [metric], Sampling("sar", 100, seed=1))
        >>> [(result.scores, result.mean) for [result] in results.systems]
        [([25.0, 0.0], 12.5), ([50.0, 50.0], 50.0)]
    """
    sampling = checked_sampling(sampling, STRATIFIED.name)
    systems = [listed_rows(listed(runs, "runs")) for runs in listed(systems, "systems")]
    if sampling.test not in (None, STRATIFIED.name):
        raise OptionError(f"systems with several runs need the test {STRATIFIED.name}, not {sampling.test}")
    if not all(systems):
        raise PurebleuError("a system has no runs")
    check_rows(list(chain.from_iterable(systems)), metrics, resampled=True)
    sampling = sampling.with_units(sampling.units)  # (without differences)
    sums = [sums_of_units(runs, sampling.units) for runs in systems]
    deals = [number_of_deals(len(sums[0][0][0]), len(sums[0]), len(runs)) for runs in sums[1:]]
    is_tested = bool(sampling.test and deals)
    if is_tested:
        sampling = sampling.of_trials(max(deals))
    elif sampling.test:
        sampling = sampling.without_test()
    by_system: list[list[RunsResult]] = []
    for runs in systems:
        by_system.append([])
        for metric, rows_of_runs in zip(metrics, zip(*runs)):
            by_system[-1].append(RunsResult([metric.value(sum_statistics(rows)) for rows in rows_of_runs]))
    is_resampled = is_tested or sampling.resamples
    results = RunsResults(by_system, sampling if is_resampled else None, len(systems[0][0][0]))
    results.scores = [signed_score(metric, sum_statistics(rows)) for metric, rows in zip(metrics, systems[0][0])]
    if sampling.resamples:
        _add_selection(results.systems, sums, metrics, sampling)
    if is_tested:
        for system_results, runs, trials in zip(results.systems[1:], sums[1:], deals):
            stream, count = (None, trials) if sampling.exact else (sampling.stream(), sampling.samples)
            p_values = stratified_randomization(sums[0], runs, metrics, stream, count)
            for result, p_value in zip(system_results, p_values):
                result.p_value = p_value
        if holm:
            has_mirror = all(len(runs) == len(systems[0]) for runs in systems)
            _add_corrected(results, (2 if has_mirror else 1) if sampling.exact else 0)
    return results


def _add_corrected(results: RunsResults, as_extreme: int) -> None:
    """Add the corrected p-values; `as_extreme` is an argument for `warn_of_few_samples`."""
    tested = chain.from_iterable(results.systems[1:])
    p_values = [result.p_value for result in tested if result.p_value is not None]
    warn_of_few_samples(results.samples, len(p_values), as_extreme)
    adjusted = iter(holm_adjusted(p_values))
    for system in results.systems:
        results.corrected.append([None if result.p_value is None else next(adjusted) for result in system])


def _add_selection(results: Sequence[Sequence[RunsResult]], systems: Sequence[Sequence[SystemRows]], metrics: Metrics,
                   sampling: Sampling) -> None:
    """Set `selection` of each result; all runs of all systems are scored in the same resamples."""
    all_runs = list(chain.from_iterable(systems))
    resampled, _ = resampled_scores(all_runs, metrics, sampling.stream(), sampling.resamples, sampling.strata)
    scores_by_run = iter(resampled)
    for system_results, runs in zip(results, systems):
        run_errors = [map(standard_error, next(scores_by_run)) for _ in runs]
        for result, errors_of_metric in zip(system_results, zip(*run_errors)):
            result.selection = exact_mean(errors_of_metric)
