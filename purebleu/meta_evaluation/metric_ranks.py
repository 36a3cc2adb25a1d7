"""Ranks metrics by their agreement with human scores, with a permutation test between each pair of metrics."""

from __future__ import annotations

from itertools import chain, combinations
from math import fsum, sqrt

from ..engines.resampling.packed import common_multiple, spread_bits
from ..engines.resampling.streams import make_stream, resolved_seed
from ..metrics.score import ROUNDING
from ..runtime.errors import OptionError, PurebleuError, whole_number
from ..runtime.hints import HumanScore, Iterable, Iterator, Judgements, Mapping, NamedTuple, Seed, Sequence
from ..runtime.progress import tracked
from ..significance.paired import SIGNIFICANT
from .measures import (
    PAIRS_MEASURE,
    Judged,
    Question,
    agreement_function,
    calibrate,
    correct_pairs,
    judged_for,
    listed_scores,
    mean_scores,
    measure_named,
    name_of_question,
    soft_differences,
)

#: The default number of trials, as in mt-metrics-eval, which computes WMT's results.
TRIALS = 1000

#: Standardized scores are rounded to this number of decimal places. Two differences of such scores count as equal if
#: they differ by at most ten units of the last place.
_DECIMALS = 12

#: The default measures for scores of segments, and for scores of systems.
USUAL_OF_SEGMENTS = ("spa", "acc-eq")
USUAL_OF_SYSTEMS = ("sys:accuracy", "sys:pearson")


class Comparison(NamedTuple):
    """The result of a test between two metrics.

    Attributes:
        p_value: the probability of a difference of at least `difference`, under the null hypothesis that the metrics
            are equal.
        difference: the agreement of the first metric minus the agreement of the second metric.
        trials: the number of trials.
    """

    p_value: float
    difference: float
    trials: int


class MetricRanking(NamedTuple):
    """Metrics in the order of their agreement with human scores, the best first.

    Attributes:
        names: the names of the metrics. Metrics with equal agreement are sorted by name.
        agreements: the agreement of each metric with human scores.
        ranks: the rank of each metric, from 1; see `ranks_from_p_values`.
        p_values: the p-value of each pair of metrics. A key has the indices of two metrics in `names`, the lower index
            first.
    """

    names: list[str]
    agreements: list[float]
    ranks: list[int]
    p_values: dict[tuple[int, int], float]


class Answer(NamedTuple):
    """The agreement of all metrics with human scores under a measure.

    Attributes:
        question: the measure.
        ranking: the ranking of the metrics.
        systems: the number of systems with human scores that the measure uses.
        judged: the number of human scores that the measure uses.
    """

    question: Question
    ranking: MetricRanking
    systems: int
    judged: int


class PeopleScores(NamedTuple):
    """Human scores. Higher scores are better, and `None` is a missing score.

    Attributes:
        segments: the scores by system and segment; `None` if there are only scores of systems.
        systems: the score of each system; `None`: the mean of its scores of segments.
    """

    segments: Judgements | None
    systems: Sequence[HumanScore] | None = None


class MetricScores(NamedTuple):
    """The scores of a metric. Higher scores are better.

    Attributes:
        segments: the scores by system and segment.
        systems: the score of each system.
    """

    segments: Judgements
    systems: Sequence[float]


# Tests between two metrics


def compare_by_scores(measure: str, human: Judgements, metric: Judgements, other: Judgements,
                      by: str | Sequence[int] | None = None, trials: int = TRIALS, seed: Seed = "environment",
                      rng: str = "environment") -> Comparison:
    """Test whether one metric agrees with human scores better than another metric (PERM-BOTH; Deutsch et al., 2021).

    The scores of each metric are standardized over all outputs with a human score (mean 0, variance 1). In a trial, the
    two metrics' scores of each output are swapped with probability 1/2. p is the share of trials whose difference in
    agreement is at least the observed difference (up to rounding errors). As in mt-metrics-eval (`PermutationSigDiff`
    in `stats.py`, which has no seed), the observed difference does not count as a trial. If a metric gives all outputs
    the same score, its standardized scores are 0. (In mt-metrics-eval, they are NaN.)

    Args:
        measure: one of `MEASURES`.
        human: the human score of each system and segment, or `None`.
        metric: the first metric's score of each system and segment.
        other: the second metric's score of each system and segment.
        by: the groups, as for `Judged`; `None`: the default groups of the measure.
        trials: the number of trials.
        seed: the seed of the random stream, 0 or more; `None`: a new seed every time.
        rng: the random stream: `mt19937` or `numpy`.

    Raises:
        OptionError: the measure or the random stream is unknown, or the number of trials is below 1.
        `Judged` and `Judged.outputs` raise further errors.

    Example:
        The first metric has three systems in the right order, and the second metric has them in reverse order. A trial
        reaches the observed difference if it swaps neither the first nor the last system, so p is near 1/4.

        >>> human, wrong = [[1], [2], [3]], [[3], [2], [1]]
        >>> compare_by_scores("accuracy", human, human, wrong, seed=1)
        Comparison(p_value=0.24, difference=1.0, trials=1000)
    """
    judged = judged_for(measure, human, by)
    first, second = [standardized(judged.outputs(scores)) for scores in (metric, other)]
    every = b"\xff" * -(-len(first) // 8)
    kept = chain([every], _random_bits(rng, seed, len(first), trials))
    observed, *differences = (soft_differences(judged, first, second, list(kept)) if measure == "spa" else
                              _differences(measure, judged, first, second, kept))
    extreme = sum([difference >= observed - ROUNDING for difference in differences])
    return Comparison(extreme / trials, observed, trials)


def _differences(measure: str, judged: Judged, first: Sequence[float], second: Sequence[float],
                 trials: Iterable[bytes]) -> Iterator[float]:
    """Yield the difference between the agreements of two metrics in each trial; see `soft_differences` for `trials`."""
    agreement = agreement_function(measure, judged, 10.0 ** (1 - _DECIMALS))
    for bits in trials:
        kept = spread_bits(bits)
        mixed = [one if keep else other for keep, one, other in zip(kept, first, second)]
        left = [other if keep else one for keep, one, other in zip(kept, first, second)]
        yield agreement(mixed) - agreement(left)


def standardized(scores: Sequence[float]) -> list[float]:
    """Return scores minus their mean, divided by their standard deviation (of a population, not of a sample).

    The results are rounded to 12 decimal places, because rounding errors must not break ties between two metrics.

    Example:
        >>> standardized([1, 3, 1, 3]), standardized([2, 2])
        ([-1.0, 1.0, -1.0, 1.0], [0.0, 0.0])
    """
    if not scores or min(scores) == max(scores):
        return [0.0] * len(scores)
    mean = fsum(scores) / len(scores)
    deviation = sqrt(fsum([(score - mean) ** 2 for score in scores]) / len(scores))
    return [round((score - mean) / deviation, _DECIMALS) for score in scores]


def compare_by_pairs(first: Sequence[Sequence[bool]], second: Sequence[Sequence[bool]], trials: int = TRIALS,
                     seed: Seed = "environment", rng: str = "environment") -> Comparison:
    """Test whether one metric has a higher pairwise accuracy with ties than another metric (acc-eq, acc23).

    Each metric keeps its own threshold for ties. For each pair of outputs, each metric is right or wrong. In a trial,
    the verdicts on the two metrics are swapped for each pair with probability 1/2. p is the share of trials whose
    difference in accuracy is at least the observed difference. WMT's tables have used this test since 2023. As in
    mt-metrics-eval (`PairwisePermutationSigDiff` in `stats.py`), the observed difference does not count as a trial.
    But the differences of this function are exact, while mt-metrics-eval adds up floats.

    Args:
        first: for each pair of each group, whether the first metric is right, as `correct_pairs` returns it.
        second: for each pair of each group, whether the second metric is right.
        trials, seed, rng: the arguments of `compare_by_scores`.

    Example:
        The first metric is right on all six pairs, and the second metric on three of them. A trial reaches the observed
        difference if it swaps none of the other three pairs, so p is near 1/8.

        >>> compare_by_pairs([[True] * 6], [[True, False] * 3], seed=1)
        Comparison(p_value=0.134, difference=0.5, trials=1000)
    """
    # Only pairs with different verdicts have weights, because other swaps change nothing. Pairs of smaller groups have
    # larger weights. The weight is negative if only the second metric is right.
    whole = common_multiple({len(group) for group in first if group})
    weights: list[int] = []
    for group, other_group in zip(first, second):
        for right, other_right in zip(group, other_group):
            if right != other_right:
                weight = whole // len(group)
                weights.append(weight if right else -weight)
    # For each weight, `masks` has an integer with a bit for each pair that has this weight.
    masks: dict[int, int] = {}
    for position, weight in enumerate(weights):
        masks[weight] = masks.get(weight, 0) | 1 << position
    observed = sum(weights)
    extreme = 0
    for kept in _random_bits(rng, seed, len(weights), trials):
        # A swap changes the sign of a pair's weight, so the difference is 2 * (sum of the kept weights) - observed. It
        # is at least `observed` exactly if the sum of the kept weights is at least `observed`.
        bits = int.from_bytes(kept, "little")
        extreme += sum([weight * bin(bits & mask).count("1") for weight, mask in masks.items()]) >= observed
    groups = sum(map(bool, first))
    return Comparison(extreme / trials, observed / (whole * groups) if groups else 0.0, trials)


def _random_bits(rng: str, seed: Seed, count: int, trials: int) -> Iterator[bytes]:
    """Yield `count` random bits for each trial, eight in a byte, the lowest bit first. A bit of 0 swaps an item."""
    if whole_number("trials", trials) < 1:
        raise OptionError(f"trials must be at least 1, not {trials}", option="trials")
    stream = make_stream(rng, resolved_seed(seed))
    for _ in tracked("permuting", range(trials), trials):
        yield stream.bits(count)


# Ranks


def rank_metrics(measure: str, human: Judgements, metrics: Mapping[str, Judgements],
                 by: str | Sequence[int] | None = None, trials: int = TRIALS, seed: Seed = "environment",
                 rng: str = "environment") -> MetricRanking:
    """Rank metrics by their agreement with human scores, and test every pair of metrics, as in WMT's tables.

    The test is `compare_by_pairs` for the measure `acc-eq`, and `compare_by_scores` for other measures, as in WMT.
    (mt-metrics-eval: `CompareMetrics`, `CompareMetricsWithGlobalAccuracy` and
    `CompareMetricsWithPairwiseConfidenceError` in `data.py`.)

    Args:
        measure: one of `MEASURES`.
        human: the human score of each system and segment, or `None`.
        metrics: the score of each system and segment under each metric, by the name of the metric.
        by: the groups, as for `Judged`; `None`: the default groups of the measure.
        trials: the number of trials; 0: no tests are made, and all metrics share rank 1.
        seed, rng: the arguments of `compare_by_scores`. Each test starts at the beginning of the random stream.

    Raises:
        PurebleuError: there are no metrics.
        `compare_by_scores` raises further errors.

    Example:
        >>> human = [[1], [2], [3], [4], [5], [6]]
        >>> metrics = {"bad": human[::-1], "fair": [[2], [1], [3], [4], [6], [5]], "good": human}
        >>> ranking = rank_metrics("tau-b", human, metrics, seed=1)
        >>> ranking.names, [round(agreement, 2) for agreement in ranking.agreements], ranking.ranks
        (['good', 'fair', 'bad'], [1.0, 0.73, -1.0], [1, 1, 2])
    """
    if not isinstance(metrics, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"metrics must be a dict from names of metrics to scores, not {metrics!r:.80}")
    if not metrics:
        raise PurebleuError("there are no metrics to rank")
    # (Each pair of metrics reads all scores again, so iterables become lists.)
    human = listed_scores(human, "human scores")
    metrics = {name: listed_scores(scores, "scores of the metric") for name, scores in metrics.items()}
    judged = judged_for(measure, human, by)
    agreement = agreement_function(measure, judged)
    outputs = {name: judged.outputs(scores) for name, scores in metrics.items()}
    agreements = {name: agreement(scores) for name, scores in outputs.items()}
    names = sorted(agreements, key=lambda name: (-agreements[name], name))
    thresholds: dict[str, float] = {}
    if measure == PAIRS_MEASURE and trials:
        thresholds = {name: calibrate(judged, scores)[1] for name, scores in outputs.items()}
    p_values: dict[tuple[int, int], float] = {}
    for one, other in combinations(range(len(names) if trials else 0), 2):
        name, other_name = names[one], names[other]
        if measure == PAIRS_MEASURE:
            correct = correct_pairs(judged, outputs[name], thresholds[name])
            other_correct = correct_pairs(judged, outputs[other_name], thresholds[other_name])
            comparison = compare_by_pairs(correct, other_correct, trials, seed, rng)
        else:
            comparison = compare_by_scores(measure, human, metrics[name], metrics[other_name], by, trials, seed, rng)
        p_values[one, other] = comparison.p_value
    return MetricRanking(names, [agreements[name] for name in names], ranks_from_p_values(len(names), p_values),
                         p_values)


def ranks_from_p_values(count: int, p_values: Mapping[tuple[int, int], float]) -> list[int]:
    """Return the rank of each metric from the p-values of pairs. The best metric is the first one.

    If any metric with the current rank is significantly better than the next metric, the next metric begins a new rank.
    Otherwise, the next metric also has the current rank. (mt-metrics-eval: `AssignRanks` in `data.py`.)

    Args:
        count: the number of metrics.
        p_values: the p-values of pairs, as in `MetricRanking`. Two metrics without a p-value do not differ
            significantly.

    Example:
        By hand: the third metric is significantly worse than the first metric, so the third metric begins rank 2. The
        fourth metric is not significantly worse than the third metric, so it also has rank 2.

        >>> ranks_from_p_values(4, {(0, 1): 0.3, (0, 2): 0.04, (1, 2): 0.2, (0, 3): 0.01, (1, 3): 0.04, (2, 3): 0.5})
        [1, 1, 2, 2]
    """
    ranks: list[int] = []
    first = 0  # the first metric with the current rank
    for position in range(count):
        if any(p_values.get((better, position), 1.0) <= SIGNIFICANT for better in range(first, position)):
            first = position
        ranks.append(1 if not position else ranks[-1] + (first == position))
    return ranks


def marks(ranking: MetricRanking) -> list[list[str]]:
    """Return a table of marks with a row and a column for each metric.

    The mark is `>` if the row's metric is significantly better than the column's metric, and `=` if it is not. The
    marks on and below the diagonal are `.`. If a p-value equals the level of significance, the mark is `>`. (In this
    case, `PrintMetricComparison` in mt-metrics-eval's `data.py` has the mark `=`.)

    Example:
        >>> marks(MetricRanking(["a", "b", "c"], [0.9, 0.8, 0.5], [1, 1, 2], {(0, 1): 0.3, (0, 2): 0.01, (1, 2): 0.2}))
        [['.', '=', '>'], ['.', '.', '='], ['.', '.', '.']]
    """
    count = len(ranking.names)
    rows = [["."] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        rows[one][other] = ">" if ranking.p_values.get((one, other), 1.0) <= SIGNIFICANT else "="
    return rows


# Several measures


def answers(questions: Iterable[Question], human: PeopleScores, metrics: Mapping[str, MetricScores],
            trials: int = TRIALS, seed: Seed = "environment", rng: str = "environment") -> list[Answer]:
    """Return the agreement of metrics with human scores, and their ranks, under each of several measures.

    Args:
        questions: the measures.
        human: the human scores.
        metrics: the scores of each metric, by its name.
        trials, seed, rng: the arguments of `rank_metrics`.

    Raises:
        PurebleuError: a measure needs human scores of segments or of systems that are missing.
        `rank_metrics` raises further errors.

    Example:
        >>> from purebleu.meta_evaluation.measures import question_of
        >>> human = PeopleScores([[1, 2, 3], [2, 3, 4]])
        >>> metric = MetricScores([[2, 2, 4], [1, 3, 5]], [2.7, 3.0])
        >>> [spa, pearson] = answers([question_of("spa"), question_of("sys:pearson")], human, {"M": metric})
        >>> [round(value, 3) for value in (*spa.ranking.agreements, *pearson.ranking.agreements)]
        [0.872, 1.0]
    """
    results: list[Answer] = []
    for question in questions:
        metric_scores = {name: metric.segments for name, metric in metrics.items()}
        if question.level == "systems":
            human_scores: Judgements = [[score] for score in _system_scores(human)]
            for name, metric in metrics.items():
                metric_scores[name] = [[score] for score in metric.systems]
        elif human.segments is None:
            raise PurebleuError(f"{name_of_question(question)} needs human scores of segments, which are missing")
        else:
            human_scores = human.segments
        by = None if measure_named(question.measure).complete else question.by
        ranking = rank_metrics(question.measure, human_scores, metric_scores, by, trials, seed, rng)
        counts = judged_for(question.measure, human_scores, by).used_outputs()
        results.append(Answer(question, ranking, sum(map(bool, counts)), sum(counts)))
    return results


def _system_scores(human: PeopleScores) -> Sequence[HumanScore]:
    """Return the human score of each system; without such scores, the mean of its human scores of segments."""
    if human.systems is not None:
        return human.systems
    if human.segments is None:
        raise PurebleuError("there are no human scores")
    return mean_scores(human.segments)
