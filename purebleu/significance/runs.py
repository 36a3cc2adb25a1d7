"""Systems with several runs each, such as those of a training with different seeds (Clark et al., 2011)."""

from __future__ import annotations

from ..engines.resampling.intervals import bootstrap_scores, exact_mean
from ..engines.resampling.packed import number_of_deals, stratified_totals
from ..engines.resampling.streams import STREAMS, make_stream, resolved_rng, resolved_seed
from ..errors import PurebleuError
from ..metrics.evaluation import sum_statistics
from .differences import standard_deviation
from .paired import SIGNIFICANT
from .ranking import corrected_together, warn_of_few_samples
from .results import check_rows, check_samples
from .tests import BOOTSTRAP, STRATIFIED
from .trials import TrialCounts, check_enumeration, is_enumerated, share_of_trials
from .units import sums_of_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from ..engines.resampling.packed import Strata
    from ..engines.resampling.streams import RandomStream, Seed
    from ..metrics.score import Score, Signature
    from .types import Metrics, SystemRows
    from .units import Units

    #: For each run of a system, its rows under each metric.
    RunRows = Sequence[SystemRows]


class RunsResult:
    """The result of the runs of a system under a metric. Results with the same attributes compare equal.

    Attributes:
        mean: the mean of the scores of all runs.
        deviation: the standard deviation of these scores; `None` for a single run.
        selection: the standard deviation that comes from the choice of segments: that of a run's scores in bootstrap
            resamples, as the mean over all runs. `None` where nothing was resampled.
        p_value: p of the difference to the baseline; `None` for the baseline itself.
        scores: the score of each run, in their order.
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


class RunsResults:
    """The results of systems with several runs, as `runs_of` returns them.

    Attributes:
        systems: for each system, its `RunsResult` under each metric.
        scores: the score of the first run of the first system under each metric, for the names and the decimal places
            of scores.
        samples: the number of trials of the test (in an exact test, the largest one); 0 without a test.
        resamples: the number of bootstrap resamples; 0 without any.
        units: the units of resampling; `None`: single segments without strata.
        exact: whether all trials were made.
        segments: the number of segments.
        corrected: for each system, under each metric, the p-value corrected for the number of tests (Holm); `None` for
            the baseline. Empty unless the correction was requested.
    """

    def __init__(self, systems: list[list[RunsResult]], samples: int, resamples: int, rng: str, seed: int | None,
                 units: Units | None = None, exact: bool = False, segments: int = 0) -> None:
        self.systems = systems
        self.scores: list[Score] = []
        self.samples = samples
        self.resamples = resamples
        self.units = units
        self.exact = exact
        self.segments = segments
        self.corrected: list[list[float | None]] = []
        self._rng = rng
        self._seed = seed

    def places(self, metric: int, width: int) -> int:
        """The decimal places of scores under a metric, in tables with usually `width` decimal places."""
        return self.scores[metric].places(width) if self.scores else width

    def differs_from_first(self, metric: int, system: int) -> bool:
        """Whether a system differs significantly from the first one, after the correction if there is one."""
        p_value = self.corrected[system][metric] if self.corrected else self.systems[system][metric].p_value
        return p_value is not None and p_value <= SIGNIFICANT

    @property
    def corrected_tests(self) -> int:
        """The number of tests for which p-values are corrected; 0 without a correction."""
        return sum([p_value is not None for system in self.corrected for p_value in system])

    def signed(self, signature: Signature) -> Signature:
        """The signature of an evaluation, with the fields of the resampling of its rows, if there was any."""
        counts: dict[str, int | str] = {BOOTSTRAP.name: self.resamples,
                                        STRATIFIED.name: "exact" if self.exact else self.samples}
        counts = {name: count for name, count in counts.items() if count}
        if not counts:
            return signature
        return signature.with_resampling(self._seed, STREAMS[self._rng].SIGNATURE, **counts,
                                         **(self.units.fields if self.units else {}))

    def __repr__(self) -> str:
        return f"RunsResults({self.systems!r})"


def stratified_randomization(baseline: RunRows, system: RunRows, metrics: Metrics, stream: RandomStream | None,
                             count: int) -> list[float]:
    """Test a system against the baseline by stratified approximate randomization (Clark et al., 2011).

    For each segment, a trial deals the outputs of all runs of both systems to the two systems anew. As in multeval, the
    score of a system is that of all its runs as one corpus. With n trials, p is (k + 1) / (n + 1), where k counts the
    trials whose difference is at least the observed one; so identical systems have a p of 1. If all possible trials are
    made (one of which leaves the outputs as they are), p is k / n.

    Args:
        baseline: the rows of the baseline's runs under each metric.
        system: the rows of the system's runs; it may have more or fewer runs.
        metrics: the metrics of the rows.
        stream: the random stream, at its beginning; `None`: all trials are made.
        count: the number of trials.

    Returns:
        Under each metric, a probability above 0, at most 1.

    Raises:
        PurebleuError: the systems were scored against different references, or have too many runs.
    """
    counts = [TrialCounts(metric, group) for group, metric in enumerate(metrics)]
    for baseline_sums, system_sums in stratified_totals([*baseline, *system], len(baseline), stream, count):
        for counted in counts:
            counted.add(system_sums, baseline_sums)
    if stream is None:
        return [(counted.larger + counted.equal) / count for counted in counts]
    return [share_of_trials(counted.larger + counted.equal, count) for counted in counts]


def runs_of(systems: Sequence[RunRows], metrics: Metrics, *, samples: int = 10_000, resamples: int = 0,
            holm: bool = False, exact: bool = False, units: Units | None = None, rng: str = "environment",
            seed: Seed = "environment") -> RunsResults:
    """Means and standard deviations over the runs of systems, and a test of each system against the first one.

    Args:
        systems: for each system, for each of its runs, the rows under each metric, as `Metric.corpus_statistics`
            returns them; the first system is the baseline.
        metrics: the metrics of the rows, in the same order.
        samples: the number of trials of `stratified_randomization`, for two systems or more (0: no test).
        resamples: the number of bootstrap resamples for `RunsResult.selection`, at least 2 (0: none).
        holm: whether to correct the p-values of all systems and metrics together (Holm, 1979).
        exact: whether to make all trials instead of a sample. (With few documents, all trials are made anyway.)
        units: the units of resampling: documents, or strata; `None`: single segments without strata.
        rng: the random stream, a key of `STREAMS`; `environment`: `PUREBLEU_RNG`, else `mt19937`. Each test and the
            resampling start at its beginning.
        seed: the seed; `None`: a different one every time; `environment`: `PUREBLEU_SEED` or `SACREBLEU_SEED`, else
            12345.

    Raises:
        PurebleuError: a system has no runs, a run has rows under more or fewer metrics than there are, runs have
            different numbers of segments, or `stratified_randomization` raises it.
        OptionError: the random stream is unknown, a number of samples is negative, or an exact test needs too many
            trials.

    Example:
        Two systems with two runs each:

        >>> from purebleu import TER
        >>> metric = TER()
        >>> systems = [[["a b", "c x"], ["a b", "c d"]], [["a x", "c x"], ["x b", "x d"]]]
        >>> rows = [[[metric.corpus_statistics(run, [["a b", "c d"]])] for run in runs] for runs in systems]
        >>> results = runs_of(rows, [metric], samples=100, seed=1)
        >>> [(result.scores, result.mean) for [result] in results.systems]
        [([25.0, 0.0], 12.5), ([50.0, 50.0], 50.0)]
    """
    if not all(systems):
        raise PurebleuError("a system has no runs")
    check_samples(samples, resamples)
    check_rows([run for runs in systems for run in runs], metrics, resampled=True)
    seed, rng = resolved_seed(seed), resolved_rng(rng)
    results = RunsResults([[RunsResult([metric.value(sum_statistics(rows)) for rows in rows_of_runs])
                            for metric, rows_of_runs in zip(metrics, zip(*runs))] for runs in systems],
                          samples if len(systems) > 1 else 0, resamples, rng, seed, units,
                          segments=len(systems[0][0][0]))
    results.scores = [metric.score(sum_statistics(rows)) for metric, rows in zip(metrics, systems[0][0])]
    sums = [sums_of_units(runs, units) for runs in systems]
    if resamples:
        strata = units.strata if units else None
        _add_selection(results.systems, sums, metrics, make_stream(rng, seed), resamples, strata)
    if results.samples:
        deals = [number_of_deals(len(sums[0][0][0]), len(sums[0]), len(runs)) for runs in sums[1:]]
        results.exact = is_enumerated(exact, units, max(deals), samples)
        for system_results, runs, trials in zip(results.systems[1:], sums[1:], deals):
            if results.exact:
                check_enumeration(trials, units)
                p_values = stratified_randomization(sums[0], runs, metrics, None, trials)
            else:
                p_values = stratified_randomization(sums[0], runs, metrics, make_stream(rng, seed), samples)
            for result, p_value in zip(system_results, p_values):
                result.p_value = p_value
        if results.exact:
            results.samples = max(deals)
        if holm:
            has_mirror = all(len(runs) == len(systems[0]) for runs in systems)
            _add_corrected(results, (2 if has_mirror else 1) if results.exact else 0)
    return results


def _add_corrected(results: RunsResults, as_extreme: int) -> None:
    """Add the corrected p-values; `as_extreme` is that of `warn_of_few_samples`."""
    p_values = [result.p_value for system in results.systems[1:] for result in system if result.p_value is not None]
    warn_of_few_samples(results.samples, len(p_values), as_extreme)
    by_system = corrected_together([{(0, index): p_value for index, p_value in enumerate(p_values)}])
    adjusted = iter(by_system[0].values())
    results.corrected = [[None if result.p_value is None else next(adjusted) for result in system]
                         for system in results.systems]


def _add_selection(results: Sequence[Sequence[RunsResult]], systems: Sequence[RunRows], metrics: Metrics,
                   stream: RandomStream, count: int, strata: Strata) -> None:
    """Set the `selection` of results; all runs of all systems are scored in the same resamples."""
    groups = [rows for runs in systems for run in runs for rows in run]
    values = [metric.values for metric in metrics] * sum(map(len, systems))
    resampled = iter(bootstrap_scores(groups, values, stream, count, strata))
    for system_results, runs in zip(results, systems):
        deviations = [[standard_deviation(list(map(float, next(resampled)))) or 0.0 for _ in metrics] for _ in runs]
        for result, run_deviations in zip(system_results, zip(*deviations)):
            result.selection = exact_mean(run_deviations)
