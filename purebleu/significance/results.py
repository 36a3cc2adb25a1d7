"""Results from rows: scores, intervals, p-values, differences and ranks of systems, for all callers that have rows."""

from __future__ import annotations

from itertools import chain, combinations

from ..engines.resampling.intervals import estimate_ci, pairwise_mean
from ..engines.resampling.packed import number_of_swaps
from ..engines.resampling.streams import STREAMS, make_stream, resolved_rng, resolved_seed
from ..errors import LengthError, OptionError, PurebleuError
from ..metrics.evaluation import sum_statistics
from .differences import differences_of, standard_deviation
from .paired import (
    SIGNIFICANT,
    Result,
    add_bootstrap_tests,
    add_p_values,
    bare_results,
    estimate_intervals,
    intervals_beside_randomization,
    randomization_p_values,
    resampled_scores,
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
from .tests import BOOTSTRAP, TESTS, check_paired_test
from .trials import check_enumeration, is_enumerated, rounding_of
from .units import Units, sums_of_units, warn_of_few_documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from ..engines.resampling.intervals import Mean
    from ..engines.resampling.streams import RandomStream, Seed
    from ..metrics.score import Score, Signature
    from .differences import Difference
    from .paired import Beside, Pair, Resampled
    from .ranking import PValues, Ranking
    from .types import Metrics, SystemRows


class Sampling:
    """The resampling of rows.

    Attributes:
        test: the test between systems, `bs` or `ar`; `None`: none.
        samples: the number of resamples or trials of the test; 0 without a test.
        resamples: the number of bootstrap resamples for intervals and differences; 0 where these come from the
            resamples of the test, or are not computed.
        units: the units of resampling; `None`: single segments without strata.
        exact: whether all trials are made instead of a sample of them.

    Raises:
        OptionError: the test is unknown, or an exact test is not `ar` or needs too many trials.
    """

    def __init__(self, test: str | None, samples: int, resamples: int, rng: str, seed: Seed,
                 units: Units | None = None, exact: bool = False, segments: int = 0) -> None:
        if test is not None:
            check_paired_test(test)
        if exact and test != "ar":
            raise OptionError("an exact test is one by randomization (ar)", option="exact")
        self.test = test
        self.samples = (samples or TESTS[test].samples) if test else 0
        self.resamples = 0 if test == BOOTSTRAP.name else resamples
        self.units = units
        self.exact = False
        self._seed = resolved_seed(seed)
        self._rng = resolved_rng(rng)
        if test == "ar" and segments:
            trials = number_of_swaps(units.count if units else segments)
            if is_enumerated(exact, units, trials, self.samples):
                check_enumeration(trials, units)
                self.exact, self.samples = True, trials

    def stream(self) -> RandomStream:
        """The random stream, at its beginning."""
        return make_stream(self._rng, self._seed)

    @property
    def drawn(self) -> int:
        """The number of bootstrap resamples, whether of the test or for intervals; 0 without any."""
        return self.samples if self.test == BOOTSTRAP.name else self.resamples

    @property
    def strata(self) -> Sequence[Sequence[int]] | None:
        """The indices of the units in each stratum; `None` without strata."""
        return self.units.strata if self.units else None

    def resampled(self, systems: Sequence[SystemRows], metrics: Metrics, count: int,
                  beside: Beside = ()) -> tuple[Resampled, list[list[Any]]]:
        """The result of `resampled_scores` for bootstrap resamples of the units."""
        return resampled_scores(sums_of_units(systems, self.units), metrics, self.stream(), count, self.strata,
                                [(sums_of_units([[rows]], self.units)[0][0], values) for rows, values in beside])

    def signed(self, signature: Signature) -> Signature:
        """A signature with the fields of resampling added."""
        counts: dict[str, int | str] = {self.test: "exact" if self.exact else self.samples} if self.test else {}
        if self.resamples:
            counts["bs"] = self.resamples
        return signature.with_resampling(self._seed, STREAMS[self._rng].SIGNATURE,
                                         **counts, **(self.units.fields if self.units else {}))


class Results:
    """The results of systems under several metrics, as `results_of` returns them.

    Attributes:
        scores: for each system, its score under each metric, with the interval where it was requested. (They have no
            signatures, because rows do not contain these: see `signed`.)
        systems: for each system, its `Result` under each metric.
        rankings: for each metric, a `Ranking` of the systems; empty unless it was requested.
        rank_samples: the number of samples from which the rankings come; 0 without rankings.
        corrected: for each metric, by pairs of systems, p-values corrected for the number of tests (Holm); empty unless
            a correction or a ranking was requested.
        tested: the p-values before the correction.
        family: the number of tests that were corrected together: those under one metric for a ranking alone, else
            those under all metrics (and on all language pairs of a table); 0 without a correction.
        differences: for each metric, by pairs of systems, the `Difference` of the second to the first; empty unless
            differences were requested.
        standard_errors: for each system, under each metric, the standard deviation of its scores in the same resamples.
        sampling: the resampling of the rows; `None` where they were not resampled.
        resampled: for each system, under each metric, its scores in the bootstrap resamples of the test `bs`, or else
            in those for differences; empty without either.
        beside: for each of the rows `beside`, its value in each of these resamples.
        segments: the number of segments; 0 where nothing was resampled, and rows may be partial sums.
    """

    def __init__(self, scores: list[list[Score]], systems: list[list[Result]],
                 sampling: Sampling | None = None) -> None:
        self.scores = scores
        self.systems = systems
        self.rankings: Sequence[Ranking] = ()
        self.rank_samples = 0
        self.corrected: PValues = ()
        self.tested: PValues = ()
        self.family = 0
        self.differences: Sequence[Mapping[Pair, Difference]] = ()
        self.standard_errors: Sequence[Sequence[float]] = ()
        self.sampling = sampling
        self.resampled: Resampled = ()
        self.beside: Sequence[Sequence[Any]] = ()
        self.segments = 0

    @property
    def test(self) -> str | None:
        """The test, `bs` or `ar`; `None` where there was none."""
        return self.sampling.test if self.sampling else None

    @property
    def samples(self) -> int:
        """The number of resamples or trials of the test; 0 where there was none."""
        return self.sampling.samples if self.sampling else 0

    def places(self, metric: int, width: int) -> int:
        """The decimal places of scores under a metric, in tables with usually `width` decimal places."""
        return self.scores[0][metric].places(width) if self.scores else width

    def best(self, metric: int, lower_is_better: bool) -> int:
        """The index of the system with the best score under a metric; of equal ones, the first."""
        scores = [system[metric].score for system in self.systems]
        return scores.index((min if lower_is_better else max)(scores))

    def difference(self, metric: int, other: int, system: int) -> Difference:
        """The difference of a system to another one; `differences` must not be empty."""
        differences = self.differences[metric]
        return differences[other, system] if other < system else -differences[system, other]

    @property
    def units(self) -> Units | None:
        """The units of resampling; `None`: single segments without strata."""
        return self.sampling.units if self.sampling else None

    def corrected_p(self, metric: int, one: int, other: int) -> float | None:
        """The corrected p-value of a pair of systems; `None` without a correction, or if the pair was not tested."""
        return self.corrected[metric].get((min(one, other), max(one, other))) if self.corrected else None

    def differs_from_first(self, metric: int, system: int) -> bool:
        """Whether a system differs significantly from the first one, after the correction if there is one.

        Every output marks these systems, and no others.
        """
        score, first_score = self.systems[system][metric].score, self.systems[0][metric].score
        p_value = self.corrected_p(metric, 0, system) if self.corrected else self.systems[system][metric].p_value
        return p_value is not None and p_value <= SIGNIFICANT and not is_same_score(score, first_score)

    def signed(self, signature: Signature) -> Signature:
        """The signature of an evaluation, with the fields of the resampling of its rows, if there was any."""
        return self.sampling.signed(signature) if self.sampling else signature

    def __repr__(self) -> str:
        return f"Results({self.systems!r})"


def check_samples(samples: int, resamples: int) -> None:
    """Raise `OptionError` for negative numbers of samples; 0 stands for the default, or for no resampling."""
    if samples < 0:
        raise OptionError(f"{samples} is no number of samples: it must be at least 1 (0: the usual one)")
    if resamples < 0:
        raise OptionError(f"{resamples} is no number of resamples: it must be at least 1 (0: none)")


def check_rows(systems: Sequence[SystemRows], metrics: Metrics, resampled: bool) -> None:
    """Raise `PurebleuError` for rows whose numbers of metrics or (if they are `resampled`) of segments do not agree."""
    if not systems or not metrics:
        raise PurebleuError("there are no systems" if not systems else "there are no metrics")
    for index, system in enumerate(systems):
        if len(system) != len(metrics):
            raise PurebleuError(f"system {index} has rows under {len(system)} metrics, not {len(metrics)}")
    lengths = {len(rows) for system in systems for rows in system}
    if 0 in lengths:
        raise PurebleuError("a system has no rows")
    if resampled and len(lengths) > 1:
        raise LengthError(f"systems have different numbers of segments: {', '.join(map(str, sorted(lengths)))}")


def results_of(systems: Sequence[SystemRows], metrics: Metrics, *, test: str | None = None, samples: int = 0,
               resamples: int = 0, differences: int = 0, rank: bool = False, holm: bool = False, exact: bool = False,
               units: Units | None = None, rng: str = "environment",
               seed: Seed = "environment", mean: Mean = pairwise_mean, beside: Beside = ()) -> Results:
    """The results of systems, from their rows alone.

    Args:
        systems: for each system, its rows under each metric, as `Metric.corpus_statistics` returns them; with a test,
            the first system is the baseline. Without resampling, rows may be partial sums.
        metrics: the metrics of the rows, in the same order.
        test: the test of each system against the baseline: `bs`, paired bootstrap resampling, or `ar`, paired
            approximate randomization; `None`: none.
        samples: the number of resamples or trials of the test (0: 1000 or 10000, and for ranks at least ten times as
            many as the correction for the number of pairs needs).
        resamples: the number of bootstrap resamples for a 95 % confidence interval of each score (0: none). With `bs`,
            intervals come from the resamples of the test.
        differences: the number of bootstrap resamples for the differences between any two systems, and for standard
            errors (0: none). With `bs`, they come from the resamples of the test; with `resamples`, from that many.
        rank: whether to rank the systems by tests between any two of them. Their p-values are corrected (Holm) for
            their number: under each metric separately, or with `holm`, under all metrics together.
        holm: whether to correct the p-values of all systems and metrics together (Holm, 1979); with `rank`, those of
            all pairs of systems.
        exact: whether to make all trials of `ar` instead of a sample. (With few documents, all trials are made anyway.)
        units: the units of resampling: documents, or strata; `None`: single segments without strata.
        rng: the random stream, a key of `STREAMS`; `environment`: `PUREBLEU_RNG`, else `mt19937`.
        seed: the seed; `None`: a different one every time; `environment`: `PUREBLEU_SEED` or `SACREBLEU_SEED`, else
            12345.
        mean: the function for the mean of resampled scores.
        beside: rows of other statistics of the same segments, to be resampled with them for `differences`.

    Raises:
        OptionError: the test or the random stream is unknown, a number of samples is negative, a ranking or a
            correction is requested without a test, or an exact test is not `ar` or needs too many trials.
        PurebleuError: there is no system, a system has rows under more or fewer metrics than there are, or (with
            resampling) systems have different numbers of segments.

    Example:
        >>> from purebleu import TER
        >>> metric = TER()
        >>> systems = [["a b", "c x", "e f", "g x"], ["a x", "c d", "e x", "g x"]]
        >>> rows = [[metric.corpus_statistics(system, [["a b", "c d", "e f", "g h"]])] for system in systems]
        >>> results = results_of(rows, [metric], test="ar", samples=100, seed=1)
        >>> [[(result.score, result.p_value) for result in system] for system in results.systems]
        [[(25.0, None)], [(37.5, 0.1782178217821782)]]
    """
    if test is None and (rank or holm or exact):
        raise OptionError(f"{'a ranking' if rank else 'a correction' if holm else 'an exact test'} needs a test")
    check_samples(samples, resamples)
    is_resampled = bool(test or resamples or differences)
    check_rows(systems, metrics, is_resampled)
    scores = [[metric.score(sum_statistics(rows)) for metric, rows in zip(metrics, system)] for system in systems]
    results = Results(scores, [[Result(score.score) for score in scores_of_system] for scores_of_system in scores])
    if not is_resampled:
        return results
    results.segments = len(systems[0][0])
    drawn = resamples or differences
    results.sampling = Sampling(test, samples, drawn, rng, seed, units, exact, results.segments)
    if test is not None:
        _add_tests(results, systems, metrics, bool(resamples), rank, holm, bool(samples), beside)
    elif not differences:
        estimate_intervals(results.systems, sums_of_units(systems, units), metrics, results.sampling.stream(),
                           resamples, mean, results.sampling.strata)
    if differences:
        if not results.resampled:
            results.resampled, results.beside = results.sampling.resampled(systems, metrics, drawn, beside)
        if test is None and resamples:
            for result, resampled in zip(chain.from_iterable(results.systems),
                                         chain.from_iterable(results.resampled)):
                result.mean, result.ci = estimate_ci(resampled, mean)
        results.differences = differences_of(results.systems, results.resampled)
        results.standard_errors = [[standard_deviation(list(map(float, scores))) or 0.0 for scores in system_scores]
                                   for system_scores in results.resampled]
    if units is not None and (results.resampled or drawn):
        warn_of_few_documents(units, systems, metrics, test == BOOTSTRAP.name)
    for score, result in zip(chain.from_iterable(scores), chain.from_iterable(results.systems)):
        score.mean, score.ci = result.mean, result.ci
    return results


def _add_tests(results: Results, systems: Sequence[SystemRows], metrics: Metrics, intervals: bool, rank: bool,
               holm: bool, keeps_samples: bool, beside: Beside) -> None:
    """Add the results of the test in `results.sampling`; the bootstrap resamples the rows `beside`, too.

    `keeps_samples`: ranks come from the same number of samples, even where it is too low for the correction.
    """
    sampling = results.sampling
    assert sampling is not None, "there is a test"
    results.systems = bare_results(systems, metrics)
    sums = sums_of_units(systems, sampling.units)
    with_baseline = [(0, index) for index in range(1, len(systems))]
    pairs = list(combinations(range(len(systems)), 2)) if rank else with_baseline
    tests = len(pairs) * (len(metrics) if holm else 1)
    samples = sampling.samples
    if rank and not (keeps_samples or sampling.exact):
        samples = samples_for_ranks(samples, tests)
    if rank or holm:
        warn_of_few_samples(samples, tests, 2 if sampling.exact else 0)
    if sampling.test == BOOTSTRAP.name:
        resampled, results.beside = sampling.resampled(systems, metrics, samples,
                                                       beside if samples == sampling.samples else ())
        results.resampled = [[scores[:sampling.samples] for scores in system_scores] for system_scores in resampled]
        if beside and not results.beside:  # (the further resamples for ranks are used for ranks alone)
            _, results.beside = sampling.resampled((), metrics, sampling.samples, beside)
        stream = sampling.stream()
        roundings = [rounding_of(metric, stream) for metric in metrics]
        add_bootstrap_tests(results.systems, results.resampled, roundings)
        p_values = bootstrap_p_values(results.systems, resampled, roundings, pairs) if rank or holm else []
    else:
        first = pairs if samples == sampling.samples else with_baseline
        p_values = _randomized(results, sums, metrics, first, intervals)
        if samples > sampling.samples:
            p_values = randomization_p_values(sums, metrics, pairs, sampling.stream(), samples)
    if rank or holm:
        results.tested = p_values_to_correct(p_values, results.systems)
        results.corrected = (corrected_together if holm else corrected_by_metric)(results.tested)
        results.family = tests
    if rank:
        results.rankings = rank_systems(results.systems, metrics, results.corrected)
        results.rank_samples = samples


def correct_together(parts: Sequence[tuple[Results, Metrics]]) -> None:
    """Correct the p-values of several results together (Holm), such as those of language pairs in one table.

    Args:
        parts: results with `corrected`, each with its metrics; both `corrected` and ranks are computed anew.
    """
    corrected = iter(corrected_together([by_pair for results, _ in parts for by_pair in results.tested]))
    family = sum([len(by_pair) for results, _ in parts for by_pair in results.tested])
    for results, metrics in parts:
        results.corrected, results.family = [next(corrected) for _ in results.tested], family
        if results.rankings:
            results.rankings = rank_systems(results.systems, metrics, results.corrected)
    tested = [results for results, _ in parts if results.tested]
    if len(tested) > 1:
        fewest = min(tested, key=lambda results: results.rank_samples or results.samples)
        assert fewest.sampling is not None, "it was tested"
        warn_of_few_samples(fewest.rank_samples or fewest.samples, family, 2 if fewest.sampling.exact else 0)


def _randomized(results: Results, sums: Sequence[SystemRows], metrics: Metrics, pairs: Sequence[Pair],
                intervals: bool) -> list[dict[Pair, float]]:
    """The p-values of pairs by randomization; adds those with the first system, and intervals, to the results."""
    sampling = results.sampling
    assert sampling is not None, "there is a test"
    stream = sampling.stream()
    p_values = randomization_p_values(sums, metrics, pairs, None if sampling.exact else stream, sampling.samples)
    add_p_values(results.systems, p_values)
    if intervals:
        intervals_beside_randomization(results.systems, sums, metrics, stream, sampling.stream, sampling.resamples,
                                       sampling.strata)
    return p_values
