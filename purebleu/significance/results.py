"""Scores, intervals, p-values, differences and ranks of systems, computed from rows."""

from __future__ import annotations

from itertools import chain, combinations, islice, product
from math import ceil

from ..engines.resampling.intervals import estimate_ci, warn_of_one_segment
from ..engines.resampling.packed import number_of_swaps
from ..metrics.base import Metric
from ..metrics.evaluation import signed_score, sum_statistics
from ..metrics.score import ROUNDING, Score
from ..metrics.segments import listed
from ..runtime.errors import LengthError, OptionError, PurebleuError, counted, warn
from ..runtime.hints import Any, Beside, Mapping, Mean, Sequence, SystemRows
from .paired import (
    SIGNIFICANT,
    Differences,
    Result,
    add_p_values,
    bootstrap_p_value,
    intervals_beside_randomization,
    randomization_p_values,
    rounding_of,
    share_of_trials,
    standard_error,
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
    from .paired import Difference, Pair, Resampled
    from .sampling import Metrics

    #: The p-values of pairs of systems, under each metric.
    PValues = Sequence[Mapping[Pair, float]]


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
        resampled: for each system, under each metric, its scores in bootstrap resamples: those of the test `bs`, or
            else those for differences, or else (without a test) those for intervals. Empty if there are none.
        beside: for each item of `results_of`'s argument `beside`, its value in each resample of `resampled`.
        sampling: the settings of resampling; `None` if nothing was resampled.
        segments: the number of segments; 0 if nothing was resampled, because rows may then be partial sums.
    """

    def __init__(self, scores: list[list[Score]], systems: list[list[Result]],
                 sampling: Sampling | None = None) -> None:
        super().__init__(sampling)
        self.scores = scores
        self.systems = systems
        #: For each metric, whether lower scores are better.
        self.lower_is_better: Sequence[bool] = ()
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

    def from_best(self, metric: int) -> list[int]:
        """Return the indices of the systems, the best score first; systems with equal scores keep their order."""
        return _from_best([system[metric].score for system in self.systems], self.lower_is_better[metric])

    def best(self, metric: int) -> int:
        """Return the index of the system with the best score under a metric (the lowest index if several are best)."""
        return self.from_best(metric)[0]

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

    @property
    def lowest_p_of_units(self) -> float:
        """The share of possible trials that swap all units or no unit; 0 without a randomization test.

        A p-value cannot be much lower than this share.
        """
        units = self.units.count if self.units else self.segments
        return 2.0 ** (1 - units) if self.test == RANDOMIZATION.name else 0.0

    @property
    def lowest_p(self) -> float:
        """The lowest possible p-value (before a correction) with this number of units and samples; 0 without a test."""
        if self.test is None or self.exact:
            return self.lowest_p_of_units
        return max(self.lowest_p_of_units, share_of_trials(0, self.samples))

    def differs_from_first(self, metric: int, system: int) -> bool:
        """Return whether a system differs significantly from the first system (by corrected p-values if possible).

        All formats of output mark exactly the systems for which this method returns true.
        """
        score, first_score = self.systems[system][metric].score, self.systems[0][metric].score
        p_value = self.decisive_p(metric, 0, system)
        return p_value is not None and p_value <= SIGNIFICANT and not is_same_score(score, first_score)

    def __repr__(self) -> str:
        return f"Results({self.systems!r})"


def listed_rows(systems: Sequence[SystemRows]) -> list[Any]:
    """Return the rows of systems; lists replace iterators, which could be read only once."""
    by_system: list[Any] = []
    for system in listed(systems, "systems"):
        rows: Sequence[Any] = _read_once(system)
        by_system.append(list(map(_read_once, rows)) if isinstance(rows, (list, tuple)) else rows)
    return by_system


def _read_once(items: Any) -> Any:
    return list(items) if hasattr(items, "__next__") else items


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
    systems = listed_rows(systems)
    check_rows(systems, metrics, is_resampled)
    scores: list[list[Score]] = []
    bare: list[list[Result]] = []
    for system in systems:
        scores.append([signed_score(metric, sum_statistics(rows)) for metric, rows in zip(metrics, system)])
        bare.append([Result(score.score) for score in scores[-1]])
    segments = len(systems[0][0])
    if sampling.test == RANDOMIZATION.name:
        units = sampling.units.count if sampling.units else segments
        sampling = sampling.of_trials(number_of_swaps(units))
    results = Results(scores, bare, sampling if is_resampled else None)
    results.lower_is_better = [metric.LOWER_IS_BETTER for metric in metrics]
    if not is_resampled:
        return results
    results.segments = segments
    if sampling.test is not None:
        _add_tests(results, systems, metrics, rank, holm, beside)
    if not results.resampled and (sampling.test is None or sampling.differences):
        results.resampled, results.beside = sampling.resampled(systems, metrics, sampling.drawn, beside)
        if sampling.test is None and sampling.resamples:
            add_resampled_intervals(results, sampling.mean)
    if sampling.differences:
        _add_differences(results)
    if results.resampled or sampling.drawn:
        warn_of_one_segment(segments)
        if sampling.units is not None:
            warn_of_few_documents(sampling.units, systems, metrics, sampling.test == BOOTSTRAP.name)
    for score, result in zip(chain.from_iterable(scores), chain.from_iterable(results.systems)):
        score.mean, score.ci = result.mean, result.ci
    return results


def _add_differences(results: Results) -> None:
    """Add differences and standard errors from `results.resampled`."""
    results.differences = list(map(Differences, zip(*results.systems), zip(*results.resampled)))
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
        samples = max(samples, _TIMES_NEEDED * samples_needed(tests))
    if rank or holm:
        warn_of_few_samples(samples, tests, 2 if sampling.exact else 0)
    if sampling.test == BOOTSTRAP.name:
        resampled, results.beside = sampling.resampled(systems, metrics, samples,
                                                       beside if samples == sampling.samples else ())
        results.resampled = [[scores[:sampling.samples] for scores in system] for system in resampled]
        if beside and not results.beside:  # (`beside` does not need the additional resamples for ranks)
            _, results.beside = sampling.resampled((), metrics, sampling.samples, beside)
        stream = sampling.stream()
        roundings = [rounding_of(metric, stream) for metric in metrics]
        add_resampled_intervals(results, sampling.mean)
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
        results.rankings = _rankings(results)
        results.rank_samples = samples


def correct_together(parts: Sequence[Results]) -> None:
    """Correct the p-values of several results together (Holm), such as the results of all language pairs in a table.

    Args:
        parts: results with corrected p-values. Their `corrected`, `family` and `rankings` are replaced.
    """
    tests = list(chain.from_iterable([results.tested for results in parts]))
    corrected = iter(corrected_together(tests))
    family = sum(map(len, tests))
    for results in parts:
        results.corrected = list(islice(corrected, len(results.tested)))
        results.family = family
        if results.rankings:
            results.rankings = _rankings(results)
    tested = [results for results in parts if results.tested]
    if len(tested) > 1:
        fewest = min(tested, key=lambda results: results.rank_samples or results.samples)
        warn_of_few_samples(fewest.rank_samples or fewest.samples, family, 2 if fewest.exact else 0)


# Ranks, and the correction of p-values


#: The default number of samples of tests for ranks is at least this number times `samples_needed`.
_TIMES_NEEDED = 10


class Ranking:
    """The order of systems under a metric, and the possible ranks of each system, from tests of all pairs.

    Args:
        scores: the scores of the systems.
        lower_is_better: whether lower scores are better.
        p_values: the p-value of each pair of systems, corrected for the number of tests.

    Attributes:
        order: the indices of the systems, the best score first.
        ranges: the first and the last possible rank of each system. The first rank is 1 plus the number of systems that
            are significantly better. The last rank is the number of all systems minus the number of systems that are
            significantly worse.
        clusters: `order`, divided into groups. A group ends if all systems up to its end differ significantly from all
            later systems, as in the findings of WMT.
        p_values: the argument `p_values`.

    Example:
        Systems 0 and 1 differ significantly from system 2, but not from each other:

        >>> ranking = Ranking([20.0, 19.0, 30.0], False, {(0, 1): 0.4, (0, 2): 0.01, (1, 2): 0.02})
        >>> ranking.order, ranking.ranges, ranking.clusters
        ([2, 0, 1], [(2, 3), (2, 3), (1, 1)], [[2], [0, 1]])
        >>> ranking.rank(0), ranking.rank(2), ranking.cluster(0)
        ('2-3', '1', 2)
    """

    def __init__(self, scores: Sequence[float], lower_is_better: bool, p_values: Mapping[Pair, float]) -> None:
        self.order = _from_best(scores, lower_is_better)
        self.p_values = dict(p_values)
        self._different: set[Pair] = set()
        for (one, two), p_value in p_values.items():
            if p_value <= SIGNIFICANT and not is_same_score(scores[one], scores[two]):
                self._different.add((one, two))
        positions = {system: index for index, system in enumerate(self.order)}
        self.ranges: list[tuple[int, int]] = []
        for system in range(len(scores)):
            differing = [other for other in positions if other != system and self.differ(system, other)]
            better = sum([positions[other] < positions[system] for other in differing])
            self.ranges.append((1 + better, len(scores) - len(differing) + better))
        self.clusters: list[list[int]] = [[]]
        for index, system in enumerate(self.order):
            if index and all(self.differ(*pair) for pair in product(self.order[:index], self.order[index:])):
                self.clusters.append([])
            self.clusters[-1].append(system)

    def differ(self, one: int, other: int) -> bool:
        """Return whether two systems differ significantly, by the corrected p-value."""
        return (min(one, other), max(one, other)) in self._different

    def rank(self, system: int) -> str:
        """Return the possible ranks of a system, such as `2` or `1-3`."""
        first, last = self.ranges[system]
        return f"{first}" if first == last else f"{first}-{last}"

    def cluster(self, system: int) -> int:
        """Return the number of a system's cluster; clusters are numbered from 1."""
        return next(number for number, cluster in enumerate(self.clusters, 1) if system in cluster)

    def __repr__(self) -> str:
        return f"Ranking({[(system, self.rank(system)) for system in self.order]!r})"


def _rankings(results: Results) -> list[Ranking]:
    """Return the ranking of the systems under each metric, from corrected p-values."""
    rankings: list[Ranking] = []
    for index, (lower_is_better, p_values) in enumerate(zip(results.lower_is_better, results.corrected)):
        rankings.append(Ranking([system[index].score for system in results.systems], lower_is_better, p_values))
    return rankings


def _from_best(scores: Sequence[float], lower_is_better: bool) -> list[int]:
    """Return the indices of scores, the best score first; equal scores keep their order."""
    return sorted(range(len(scores)), key=scores.__getitem__, reverse=not lower_is_better)


def is_same_score(one: float, other: float) -> bool:
    """Return whether two scores are the same up to rounding errors.

    Systems with the same score do not differ significantly, even if p is small. (With sacreBLEU's random stream, p is
    very low if all outputs are the same, because tests count only differences that are larger than the observed
    difference.)
    """
    return abs(one - other) <= ROUNDING * max(abs(one), abs(other))


def bootstrap_p_values(results: Sequence[Sequence[Result]], resampled: Resampled, roundings: Sequence[float],
                       pairs: Sequence[Pair]) -> list[dict[Pair, float]]:
    """Return the p-value of each pair of systems under each metric, from scores in the same bootstrap resamples.

    `roundings` has the result of `rounding_of` for each metric. (Separate tests of each pair would have the same
    p-values, because each test would start at the beginning of the random stream.)
    """
    p_values: list[dict[Pair, float]] = []
    for metric, rounding in enumerate(roundings):
        by_pair: dict[Pair, float] = {}
        for one, two in pairs:
            difference = abs(results[one][metric].score - results[two][metric].score)
            by_pair[one, two] = bootstrap_p_value(resampled[two][metric], resampled[one][metric], difference, rounding)
        p_values.append(by_pair)
    return p_values


def holm_adjusted(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of several tests, adjusted for the number of tests (Holm, 1979).

    The smallest of n p-values is multiplied by n, the second smallest by n - 1, and so on. If a product is smaller than
    the previous product, it becomes equal to the previous product. A product above 1 becomes 1. By hand: 0.01 * 3 =
    0.03; 0.02 * 2 = 0.04; 0.5 * 1 = 0.5.

    >>> holm_adjusted([0.02, 0.5, 0.01])
    [0.04, 0.5, 0.03]
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for smaller, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - smaller) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def p_values_to_correct(p_values: PValues, results: Sequence[Sequence[Result]]) -> list[dict[Pair, float]]:
    """Return p-values of pairs, but 1 for each pair of systems that have the same score (see `is_same_score`)."""
    to_correct: list[dict[Pair, float]] = []
    for metric, by_pair in enumerate(p_values):
        to_correct.append(dict(by_pair))
        for one, two in by_pair:
            if is_same_score(results[one][metric].score, results[two][metric].score):
                to_correct[-1][one, two] = 1.0
    return to_correct


def corrected_by_metric(p_values: PValues) -> list[dict[Pair, float]]:
    """Return the p-values under each metric, corrected for the number of tests under this metric (Holm)."""
    return [dict(zip(by_pair, holm_adjusted(list(by_pair.values())))) for by_pair in p_values]


def corrected_together(p_values: PValues) -> list[dict[Pair, float]]:
    """Return the p-values, corrected for the number of all tests under all metrics (Holm).

    >>> corrected_together([{(0, 1): 0.02}, {(0, 1): 0.5}])
    [{(0, 1): 0.04}, {(0, 1): 0.5}]
    """
    adjusted = iter(holm_adjusted(list(chain.from_iterable([by_pair.values() for by_pair in p_values]))))
    return [dict(zip(by_pair, islice(adjusted, len(by_pair)))) for by_pair in p_values]


def samples_needed(tests: int) -> int:
    """Return the lowest number of samples that allows a significant p after the correction for `tests` tests.

    The lowest p-value from n samples is 1 / (n + 1). By hand: with 55 tests and 1099 samples, the lowest corrected p is
    55 / (1099 + 1) = 0.05.

    >>> samples_needed(55)
    1099
    """
    return ceil(tests / SIGNIFICANT) - 1


def warn_of_few_samples(samples: int, tests: int, as_extreme: int = 0) -> None:
    """Issue the warning that `doubt_of_few_samples` returns, if there is one."""
    doubt = doubt_of_few_samples(samples, tests, as_extreme)
    if doubt:
        warn(doubt)


def doubt_of_few_samples(samples: int, tests: int, as_extreme: int = 0) -> str:
    """Return a warning that no p-value can be significant after the correction; an empty string if p-values can be.

    Args:
        samples: the number of trials or resamples.
        tests: the number of tests.
        as_extreme: for an exact test, the number of trials that always have the observed difference: 2 (the trial that
            swaps nothing, and the trial that swaps everything). If systems have several runs, and their numbers
            differ, it is 1. 0: the test is not exact.
    """
    family = counted(tests, "test")
    if as_extreme and as_extreme * tests > samples * SIGNIFICANT:
        return f"no p-value of all {samples} possible trials can be significant after the correction for {family}"
    if not as_extreme and samples < samples_needed(tests):
        return (f"with {counted(samples, 'sample')}, no p-value can be significant after the correction for {family}: "
                f"at least {samples_needed(tests)} samples are needed")
    return ""
