"""Paired tests of two systems (bootstrap resampling, approximate randomization), score differences, and power."""

from __future__ import annotations

from itertools import chain, combinations, islice, repeat
from math import ceil, erf, fsum, inf, ldexp, sqrt
from operator import gt, ne, sub

from ..engines.resampling.intervals import add_intervals, bootstrap_scores, exact_mean, interval_ends, pairwise_mean
from ..engines.resampling.packed import randomization_totals
from ..metrics import MODULES
from ..metrics.score import ROUNDING, Score
from ..runtime.hints import Any, Beside, Iterable, Iterator, Mapping, NamedTuple, Row, Sequence, SystemRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Collection, Tuple

    from ..engines.resampling.intervals import Values
    from ..engines.resampling.packed import PairTrials, Strata, Trials
    from ..engines.resampling.streams import RandomStream
    from ..metrics.base import Metric
    from .sampling import Metrics, Sampling

    #: The indices of two systems, the lower index first.
    Pair = Tuple[int, int]

    #: The scores of each system under each metric in bootstrap resamples.
    Resampled = Sequence[Sequence[Sequence[float]]]

#: If two differences are closer to each other than this share of the highest score, they are compared as exact
#: fractions. (Only the scores of some metrics are fractions.)
_CLOSE = 1e-9


def rounding_of(metric: Metric[Score], stream: RandomStream) -> float:
    """Return the largest gap between two differences that count as equal, as a share of the highest score.

    With sacreBLEU's random stream and metrics, the result is 0, so that p-values equal sacreBLEU's p-values. Otherwise,
    the result is `ROUNDING`. (In about one of a million tests, two unequal differences are that close.)
    """
    return 0.0 if stream.TELLS_ROUNDING_APART and type(metric).__name__ in MODULES else ROUNDING


class TrialCounts:
    """Counts the trials whose score difference is larger than the observed difference, or the same.

    Args:
        metric: the metric of the rows.
        group: the index of the metric's rows among the groups of `PairTrials`.
        rounding: the result of `rounding_of`. If `rounding` is 0, differences are compared only as floats. Otherwise,
            nearly equal differences are compared as exact fractions.

    Attributes:
        larger: the number of trials with a larger absolute difference.
        equal: the number of trials with the same absolute difference.
        trials: the number of trials so far.
    """

    def __init__(self, metric: Metric[Score], group: int, rounding: float = ROUNDING) -> None:
        self.larger = self.equal = self.trials = 0
        self._metric = metric
        self._group = group
        self._rounding = rounding
        self._observed: float | None = None
        # The observed difference, as a fraction.
        self._exact: tuple[int, int] | None = None
        # The cached results (-1, 0 or 1) of exact comparisons of trials with the observed difference. The keys are the
        # sums of the first system in a trial, which determine the sums of the second system.
        self._compared: dict[tuple[int, ...], int] = {}

    def add(self, trials_of_pair: PairTrials) -> None:
        """Count trials. In the first call, the only trial swaps nothing: its difference is the observed difference."""
        trials = trials_of_pair.of_group(self._group)
        if self._observed is None:
            scores, others = self._scores_of(trials)
            self._observed = abs(scores[0] - others[0])
            if self._rounding:
                self._exact = self._exact_difference(trials, 0)
                if self._exact is not None:
                    self._rounding = _CLOSE
            return
        self.trials += len(trials)
        if self._bound_of(trials) < self._observed:
            return
        scores, others = self._scores_of(trials)
        differences = list(map(abs, map(sub, scores, others)))
        margin = self._rounding * max(map(abs, [*scores, *others]))
        low, high = self._observed - margin, self._observed + margin
        larger = sum([difference > high for difference in differences])
        self.larger += larger
        if sum([difference >= low for difference in differences]) > larger:
            for trial, difference in enumerate(differences):
                if low <= difference <= high:
                    self._decide(trials, trial)

    def _bound_of(self, trials: Trials) -> float:
        """Return an upper bound of the differences of all `trials`; infinity if no bound is known.

        (If the bound is below the observed difference, the trials are not scored. So a test of two clearly different
        systems takes a tenth of the time.)
        """
        rises = self._metric.rising_columns()
        if rises is None:
            return inf
        extremes = trials.extremes(rises)
        if min(map(min, chain(*extremes.sums()))) <= 0:
            return inf
        scores, others = self._scores_of(extremes)
        largest = max([abs(one - other) for one, other in zip(scores, others)])
        return largest + _CLOSE * max(map(abs, [*scores, *others]))

    def _scores_of(self, trials: Trials) -> tuple[list[float], list[float]]:
        """Return the scores of the first and of the second system in each trial."""
        sums, other_sums = trials.sums()
        return self._metric.values(sums), self._metric.values(other_sums)

    def _decide(self, trials: Trials, trial: int) -> None:
        """Count a trial whose difference is close to the observed difference."""
        compared = 0
        if self._exact is not None:
            key = tuple(trials.exact(trial)[0])
            if key not in self._compared:
                exact = self._exact_difference(trials, trial)
                assert exact is not None
                excess = exact[0] * self._exact[1] - self._exact[0] * exact[1]
                self._compared[key] = (excess > 0) - (excess < 0)
            compared = self._compared[key]
        self.larger += compared > 0
        self.equal += compared == 0

    def _exact_difference(self, trials: Trials, trial: int) -> tuple[int, int] | None:
        """Return the absolute difference of a trial as a fraction; `None` if the metric's scores are not ratios."""
        ratio, other_ratio = map(self._metric.exact_ratio, trials.exact(trial))
        if ratio is None or other_ratio is None:
            return None
        return abs(ratio[0] * other_ratio[1] - other_ratio[0] * ratio[1]), ratio[1] * other_ratio[1]


def share_of_trials(counted: int, trials: int) -> float:
    """Return the p-value if `counted` of all `trials` are extreme.

    The observed difference counts as another extreme trial (Phipson and Smyth, 2010), so p is never 0.

    By hand: one of three trials is extreme, so p = (1 + 1) / (3 + 1).

    >>> share_of_trials(1, 3)
    0.5
    """
    return (counted + 1) / (trials + 1)


#: The level of significance: p-values up to this number are significant.
SIGNIFICANT = 0.05

#: The random trials of two systems end early only if at least this number of trials had a larger difference than the
#: observed difference. With this number, the relative standard error of p is at most a tenth.
_ENOUGH_LARGER = 100


def p_value(differences: Sequence[float], observed: float) -> float:
    """Return the probability that a difference is larger than the observed difference, under the null hypothesis.

    Args:
        differences: differences that were sampled under the null hypothesis.
        observed: the observed difference.

    Returns:
        A probability above 0, at most 1: see `share_of_trials`.

    Example:
        By hand: one of three differences exceeds 2, so p = (1 + 1) / (3 + 1).

        >>> p_value([1.0, 4.0, 2.0], 2.0)
        0.5
    """
    return share_of_trials(sum(map(gt, differences, repeat(observed))), len(differences))


#: sacreBLEU's name of `p_value`, for programs that import it.
_compute_p_value = p_value


def bootstrap_p_value(resampled: Sequence[float], baseline: Sequence[float], difference: float,
                      rounding: float = ROUNDING) -> float:
    """Return the p-value of a system's difference from the baseline, by paired bootstrap resampling (Koehn, 2004).

    Under the null hypothesis, differences would spread around zero in the same way as the resampled differences spread
    around their mean. So a resample is extreme if its difference, minus the mean of all resampled differences, is
    larger than the observed difference. (As in sacreBLEU, a resample with an equal difference is not extreme. If both
    systems have the same score in each resample, p is 1, except with sacreBLEU's random stream.)

    Args:
        resampled: the scores of the system in bootstrap resamples.
        baseline: the scores of the baseline in the same resamples.
        difference: the absolute difference of the scores of all segments.
        rounding: the result of `rounding_of`.

    Returns:
        A probability above 0, at most 1.

    Example:
        By hand: the differences are 1, 2, 2 and 7, and their mean is 3. After subtraction of the mean, the differences
        are -2, -1, -1 and 4. Only one of these differences is above 3, so p = (1 + 1) / (4 + 1).

        >>> bootstrap_p_value([11.0, 12.0, 8.0, 17.0], [10.0, 10.0, 10.0, 10.0], 3.0)
        0.4
    """
    differences = list(map(abs, map(sub, resampled, baseline)))
    if rounding and not any(differences):
        return 1.0
    expected = pairwise_mean(differences)
    margin = rounding * max(max(map(abs, resampled)), max(map(abs, baseline))) if rounding else 0.0
    return p_value(list(map(sub, differences, repeat(expected))), difference + margin)


class Result:
    """The result of a system under a metric. Two results are equal if their attributes are equal.

    Attributes:
        score: the score on all segments.
        p_value: the p-value of the difference from the baseline; `None` for the baseline, and without a test.
        mean: the mean of the system's scores in bootstrap resamples; `None` without resamples.
        ci: half the width of the 95 % confidence interval of the score; `None` without resamples.
    """

    def __init__(self, score: float, p_value: float | None = None, mean: float | None = None,
                 ci: float | None = None) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(self.score)

    def __repr__(self) -> str:
        return ",".join([f"{name}={value}" for name, value in vars(self).items()])


def add_p_values(results: Sequence[Sequence[Result]], p_values: Sequence[Mapping[Pair, float]]) -> None:
    """Set the p-value of each system (except the first) to the p-value of its test against the first system."""
    for index, system in enumerate(results[1:], 1):
        for result, by_pair in zip(system, p_values):
            result.p_value = by_pair[0, index]


def randomization_p_values(systems: Sequence[SystemRows], metrics: Metrics, pairs: Sequence[Pair],
                           stream: RandomStream | None, count: int,
                           stopping: Collection[Pair] = ()) -> list[dict[Pair, float]]:
    """Return the p-values of differences between systems, by approximate randomization (Riezler and Maxwell, 2005).

    Under the null hypothesis, the outputs of two systems for a unit are exchangeable. If k of n trials have a larger
    difference than the observed difference, p is (k + 1) / (n + 1). (As in sacreBLEU and multeval, trials with an equal
    difference do not count.) p is at least `lowest_p_value`, unless the random stream is sacreBLEU's.

    Without a random stream, the test is exact: all possible trials are made, including the trial that swaps nothing.
    Then p is the share of trials whose difference is at least the observed difference.

    Args:
        systems: the rows of each system under each metric.
        metrics: the metrics of the rows.
        pairs: the indices of the systems to compare.
        stream: the random stream, or `None`.
        count: the number of trials.
        stopping: pairs whose random trials may end early (Besag and Clifford, 1991). Under each metric, the trials of a
            pair end if 100 trials had larger differences than the observed difference, and if p can't become
            significant after Holm's correction for all pairs. So p comes from fewer trials, but significant p-values
            stay the same.

    Returns:
        For each metric, the p-value of each pair: a probability above 0, at most 1.
    """
    counts: list[dict[Pair, TrialCounts]] = []
    for group, metric in enumerate(metrics):
        rounding = ROUNDING if stream is None else rounding_of(metric, stream)
        counts.append({pair: TrialCounts(metric, group, rounding) for pair in pairs})
    # The pairs with further trials. (`randomization_totals` reads `left` again before each block of trials.)
    left = list(pairs)
    left_by_metric = [set(pairs) for _ in metrics]
    for pair, trials in randomization_totals(systems, left, stream, count) if pairs else ():
        for by_pair, pairs_left in zip(counts, left_by_metric):
            if pair in pairs_left:
                by_pair[pair].add(trials)
        if stopping and stream is not None and pair == left[-1]:
            for by_pair, pairs_left in zip(counts, left_by_metric):
                pairs_left -= _pairs_to_stop(by_pair, count).intersection(stopping)
            running = set(chain.from_iterable(left_by_metric))
            left[:] = [pair for pair in left if pair in running]
    p_values: list[dict[Pair, float]] = []
    for group, (metric, by_pair) in enumerate(zip(metrics, counts)):
        if stream is None:
            p_values.append({pair: (counted.larger + counted.equal) / count for pair, counted in by_pair.items()})
            continue
        p_values.append({pair: share_of_trials(counted.larger, counted.trials) for pair, counted in by_pair.items()})
        if rounding_of(metric, stream):
            for pair, share in p_values[-1].items():
                p_values[-1][pair] = max(share, lowest_p_value(*[systems[system][group] for system in pair]))
    return p_values


def _pairs_to_stop(counts: Mapping[Pair, TrialCounts], count: int) -> set[Pair]:
    """Return the pairs whose trials may end: p can't become significant, and many differences were larger."""
    lowest = {pair: share_of_trials(counted.larger, count) for pair, counted in counts.items()}
    return {pair for pair in never_significant(lowest) if counts[pair].larger >= _ENOUGH_LARGER}


def never_significant(lowest: Mapping[Pair, float]) -> set[Pair]:
    """Return the pairs that cannot be significant after Holm's correction; `lowest` has lower bounds of p-values.

    Suppose that n p-values are above 0.05 / n. Holm's correction multiplies the lowest of these n p-values by n or
    more, so all n corrected p-values are above 0.05. By hand: 0.03 and 0.04 are above 0.05 / 2, but 0.01 is not above
    0.05 / 3.

    >>> sorted(never_significant({(0, 1): 0.01, (0, 2): 0.04, (1, 2): 0.03}))
    [(0, 2), (1, 2)]
    """
    ordered = sorted(lowest, key=lowest.__getitem__, reverse=True)
    counts = [n for n, pair in enumerate(ordered, 1) if n * lowest[pair] > SIGNIFICANT]
    return set(ordered[:max(counts, default=0)])


def lowest_p_value(one: Sequence[Row], other: Sequence[Row]) -> float:
    """Return the lowest p-value that a randomization test of two systems can have.

    If n units differ, two of 2 ** n possible trials always have the observed difference: the trial that swaps no unit,
    and the trial that swaps all n units. (Counts of larger differences do not include these two trials.)

    >>> lowest_p_value([(3,), (1,), (2,)], [(3,), (0,), (1,)]), lowest_p_value([(3,)], [(3,)])
    (0.5, 1.0)
    """
    # (Rows may be lists, such as those of a JSON file, or arrays, and a list never equals a tuple.)
    differing = sum(map(ne, map(tuple, one), map(tuple, other)))
    return ldexp(1.0, -max(0, differing - 1))


def intervals_beside_randomization(results: Sequence[Sequence[Result]], systems: Sequence[SystemRows],
                                   metrics: Metrics, stream: RandomStream, sampling: Sampling) -> None:
    """Set the mean and the interval of each result from bootstrap resamples, after a randomization test.

    Args:
        results: the results of each system under each metric.
        systems: for each system and metric, a row for each unit.
        metrics: the metrics of the rows.
        stream: the random stream after the trials of the test.
        sampling: the number of resamples, the strata, and the function for means.
    """
    # The first `afresh` systems are resampled from the beginning of the random stream. For all other systems, the
    # stream continues after the trials.
    afresh = 1 if stream.CONTINUES_AFTER_TRIALS else len(systems)
    for part, part_stream in ((slice(afresh), sampling.stream()), (slice(afresh, None), stream)):
        if systems[part]:
            groups, values = _groups(systems[part], metrics)
            resampled = bootstrap_scores(groups, values, part_stream, sampling.resamples, sampling.strata)
            add_intervals(list(chain.from_iterable(results[part])), resampled, sampling.mean)


def _groups(systems: Sequence[SystemRows], metrics: Metrics) -> tuple[list[Sequence[Row]], Sequence[Values]]:
    """Return the rows of all systems under all metrics as one list, and the function that scores each of its items."""
    values = [metric.values for metric in metrics] * len(systems)
    return list(chain.from_iterable(systems)), values


def resampled_scores(systems: Sequence[SystemRows], metrics: Metrics, stream: RandomStream, count: int,
                     strata: Strata = None,
                     beside: Beside = ()) -> tuple[list[list[Sequence[float]]], list[list[Any]]]:
    """Return the scores of each system under each metric in the same bootstrap resamples.

    Args:
        systems: the rows of each system under each metric.
        metrics: the metrics of the rows.
        stream: the random stream.
        count: the number of resamples.
        strata: the indices of the units of each stratum. Each resample has as many units of a stratum as the corpus.
        beside: further rows of the same units, each with the function that computes values from their sums.

    Returns:
        The scores of each system under each metric, and the values of each item of `beside`, in all resamples.
    """
    groups, values = _groups(systems, metrics)
    further = [rows for rows, _ in beside]
    further_values = [value for _, value in beside]
    scores = iter(bootstrap_scores([*groups, *further], [*values, *further_values], stream, count, strata))
    by_system: list[list[Sequence[float]]] = [list(islice(scores, len(metrics))) for _ in systems]
    return by_system, list(scores)


class Difference(NamedTuple):
    """The difference between two systems under a metric.

    Attributes:
        value: the score of the second system minus the score of the first system.
        low, high: the ends of the 95 % interval of the difference, from bootstrap resamples that both systems share.
        standard_error: the standard deviation of the difference in these resamples; 0 if only rounding errors differ.
    """

    value: float
    low: float
    high: float
    standard_error: float

    def __neg__(self) -> Difference:
        """Return the difference with the two systems exchanged."""
        return Difference(-self.value, -self.high, -self.low, self.standard_error)


def resampled_difference(value: float, scores: Sequence[float], others: Sequence[float]) -> Difference:
    """Return the `Difference` between two systems, with its interval and its standard error.

    Args:
        value: the score of the second system minus the score of the first system, on all segments.
        scores: the scores of the second system in two or more bootstrap resamples.
        others: the scores of the first system in the same resamples.

    Example:
        By hand: the differences are 1, 2 and 6, their mean is 3, and their variance is (4 + 1 + 9) / 2.

        >>> difference = resampled_difference(2.5, [11.0, 12.0, 16.0], [10.0, 10.0, 10.0])
        >>> difference.low, difference.high, difference.standard_error == 7 ** 0.5
        (1.0, 6.0, True)
    """
    differences = [float(score) - float(other) for score, other in zip(scores, others)]
    error = _beyond_rounding(standard_deviation(differences), chain(scores, others))
    return Difference(value, *interval_ends(differences), error)


class Differences(Mapping):  # type: ignore[type-arg]
    """A mapping from each pair of systems to their `Difference` under a metric.

    A `Difference` is computed only when it is looked up. (A report of 20 systems shows only a tenth of all
    differences.)

    Args:
        results: the result of each system under the metric.
        resampled: the scores of each system in the same bootstrap resamples.
    """

    def __init__(self, results: Sequence[Result], resampled: Sequence[Sequence[float]]) -> None:
        self._results = results
        self._resampled = resampled
        self._computed: dict[Pair, Difference] = {}

    def __getitem__(self, pair: Pair) -> Difference:
        if pair not in self._computed:
            one, two = pair
            if not 0 <= one < two < len(self._results):
                raise KeyError(pair)
            value = self._results[two].score - self._results[one].score
            self._computed[pair] = resampled_difference(value, self._resampled[two], self._resampled[one])
        return self._computed[pair]

    def __iter__(self) -> Iterator[Pair]:
        return combinations(range(len(self._results)), 2)

    def __len__(self) -> int:
        return len(self._results) * (len(self._results) - 1) // 2

    def __repr__(self) -> str:
        return repr({pair: self[pair] for pair in self})


def standard_error(resampled: Sequence[float]) -> float:
    """Return the standard error of a score: the standard deviation of its values in bootstrap resamples.

    If the values differ only by rounding errors, the standard error is 0.
    """
    # (A random stream may make scores of another type, such as float32.)
    return _beyond_rounding(standard_deviation(list(map(float, resampled))), resampled)


def _beyond_rounding(deviation: float | None, scores: Iterable[float]) -> float:
    """Return a standard deviation; 0 if there is none, or if it may come from rounding errors of the scores."""
    return deviation if deviation and deviation > ROUNDING * max(map(abs, scores)) else 0.0


def standard_deviation(numbers: Sequence[float]) -> float | None:
    """Return the standard deviation of a sample (with n - 1 in the denominator); `None` for fewer than two items.

    Example:
        By hand: the mean is 3, the squared deviations are 4, 1 and 9, and the variance is 14 / 2 = 7.

        >>> standard_deviation([1.0, 2.0, 6.0]) == 7 ** 0.5
        True
    """
    if len(numbers) < 2:
        return None
    mean = exact_mean(numbers)
    return sqrt(fsum([(number - mean) ** 2 for number in numbers]) / (len(numbers) - 1))


#: The quantiles 0.975 and 0.8 of the normal distribution. (Minimal Pythons lack `statistics.NormalDist`.)
_Z_OF_LEVEL = 1.9599639845400536
_Z_OF_POWER = 0.8416212335729144

#: The power that a test should have.
POWER = 0.8

#: The correlations that are assumed between the resampled scores of a system and of a second, unknown system.
CORRELATIONS = (0.5, 0.8, 0.9)


def detectable_difference(standard_error: float, level: float = 0.05) -> float:
    """Return the true difference that a two-sided test at `level` finds significant with a probability of 80 %.

    Example:
        The difference is about 2.80 times the standard error at a level of 5 %, and 3.42 times at 1 %:

        >>> round(detectable_difference(0.5), 4), round(detectable_difference(0.5, 0.01), 4)
        (1.4008, 1.7087)
    """
    quantile = _Z_OF_LEVEL if level == 0.05 else _normal_quantile(1 - level / 2)
    return (quantile + _Z_OF_POWER) * standard_error


def segments_needed(segments: int, standard_error: float, difference: float) -> int:
    """Return how many segments a two-sided test at 5 % needs to find a difference with a probability of 80 %.

    The standard error is assumed to fall with the square root of the number of segments.

    Args:
        segments: the number of segments for which the standard error was computed.
        standard_error: the standard error of the difference.
        difference: the true difference that the test should find, above 0.

    Example:
        By hand: to detect a quarter of the difference that 100 segments can detect, 16 times as many segments are
        needed.

        >>> segments_needed(100, 0.5, detectable_difference(0.5) / 4)
        1600
    """
    # (Without `round`, a rounding error could add one segment to a whole number.)
    return ceil(round(segments * (detectable_difference(standard_error) / difference) ** 2, 9))


def power(difference: float, standard_error: float) -> float:
    """Return the probability that a two-sided test at 5 % finds the true `difference` significant.

    Example:
        >>> round(power(detectable_difference(0.5), 0.5), 4)
        0.8
    """
    shift = abs(difference) / standard_error
    return _normal_share(shift - _Z_OF_LEVEL) + _normal_share(-shift - _Z_OF_LEVEL)


def standard_error_of_pair(standard_error: float, correlation: float) -> float:
    """Return the standard error of the difference between two systems whose scores have the same standard error.

    Args:
        standard_error: the standard error of the score of one system.
        correlation: the correlation between the resampled scores of both systems.

    Example:
        >>> standard_error_of_pair(0.4, 0.5)
        0.4
    """
    return standard_error * sqrt(2 * (1 - correlation))


def _normal_quantile(share: float) -> float:
    """Return the quantile of the normal distribution for `share` (0.5 or more), by bisection."""
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _normal_share(middle) < share else (low, middle)
    return low


def _normal_share(quantile: float) -> float:
    """Return the share of the normal distribution below a quantile."""
    return (1 + erf(quantile / sqrt(2))) / 2
