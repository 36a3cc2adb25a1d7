"""Ranks of metrics by their agreement with people, with significance tests between them."""

from __future__ import annotations

from itertools import combinations

from ..errors import OptionError, PurebleuError
from ..significance.paired import SIGNIFICANT
from .comparison import TRIALS, compare_by_pairs, compare_by_scores
from .measures import judged_for, measure_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, NamedTuple, Sequence

    from ..engines.resampling.streams import Seed
    from .comparison import Stopping
    from .judged import Grouping, Scores

    class MetricRanking(NamedTuple):
        """Metrics, in the order of their agreement with people, the best first.

        Attributes:
            names: the names of the metrics; where two agree with people equally well, they are sorted by name.
            agreements: the agreement of each metric with people.
            ranks: the rank of each metric, from 1; see `ranks_from_p_values`.
            p_values: by the positions of two metrics in this order, the better one first: the probability of a
                difference at least this large, if the metrics were the same.
        """

        names: list[str]
        agreements: list[float]
        ranks: list[int]
        p_values: dict[tuple[int, int], float]
else:
    from collections import namedtuple

    MetricRanking = namedtuple("MetricRanking", "names agreements ranks p_values")


def rank_metrics(measure: str, human: Scores, metrics: Mapping[str, Scores], by: Grouping | None = None,
                 swap: str = "scores", trials: int = TRIALS, stopping: Stopping | None = None,
                 seed: Seed = "environment", rng: str = "environment", level: float = SIGNIFICANT) -> MetricRanking:
    """Metrics by their agreement with people, with tests between any two of them and ranks, as in WMT's tables.

    (mt-metrics-eval: `CompareMetrics`, `CompareMetricsWithGlobalAccuracy` and
    `CompareMetricsWithPairwiseConfidenceError` in `data.py`.)

    Args:
        measure: one of `MEASURES`.
        human: the score of each system and segment, or `None`.
        metrics: by name, scores of the same shape.
        by: the groups of the measure, as for `Judged`; `None`: its usual ones.
        swap: the kind of trials: `"scores"` swaps scores, `"pairs"` verdicts on pairs (under `acc-eq` only, as WMT
            does).
        trials: the number of trials; 0: no tests, so that all metrics share rank 1.
        stopping, seed, rng: those of `compare_by_scores`. Each test starts at the beginning of the random stream.
        level: p-values up to this one are significant.

    Raises:
        PurebleuError: there are no metrics.
        OptionError: pairs are to be swapped under another measure than `acc-eq`.
        And as `compare_by_scores` does.

    Example:
        >>> human = [[1], [2], [3], [4], [5], [6]]
        >>> metrics = {"bad": human[::-1], "fair": [[2], [1], [3], [4], [6], [5]], "good": human}
        >>> ranking = rank_metrics("tau-b", human, metrics, seed=1)
        >>> ranking.names, [round(agreement, 2) for agreement in ranking.agreements], ranking.ranks
        (['good', 'fair', 'bad'], [1.0, 0.73, -1.0], [1, 1, 2])
    """
    if not metrics:
        raise PurebleuError("there are no metrics to rank")
    if swap not in ("scores", "pairs"):
        raise OptionError(f"trials can't swap {swap!r}: there are scores, pairs", option="swap")
    if swap == "pairs" and measure != "acc-eq":
        raise OptionError(f"trials swap pairs under acc-eq, not under {measure}", option="swap")
    judged = judged_for(measure, human, by)
    agreement = measure_named(measure).prepare(judged, 0.0)
    agreements = {name: agreement(judged.outputs(scores)) for name, scores in metrics.items()}
    names = sorted(agreements, key=lambda name: (-agreements[name], name))
    p_values: dict[tuple[int, int], float] = {}
    for one, other in combinations(range(len(names) if trials else 0), 2):
        pair = metrics[names[one]], metrics[names[other]]
        if swap == "pairs":
            comparison = compare_by_pairs(human, *pair, "item" if by is None else by, None, trials, stopping, seed, rng)
        else:
            comparison = compare_by_scores(measure, human, *pair, by, trials, stopping, seed, rng)
        p_values[one, other] = comparison.p_value
    return MetricRanking(names, [agreements[name] for name in names], ranks_from_p_values(len(names), p_values, level),
                         p_values)


def ranks_from_p_values(count: int, p_values: Mapping[tuple[int, int], float],
                        level: float = SIGNIFICANT) -> list[int]:
    """Ranks of metrics in order, the best first, from the p-values of pairs.

    A metric gets the rank of the one before it, unless some metric of that rank is significantly better: then the next
    rank begins with it. (mt-metrics-eval: `AssignRanks` in `data.py`.)

    Args:
        count: the number of metrics.
        p_values: by the positions of two metrics, the better one first; a pair without a p-value does not differ.
        level: p-values up to this one are significant.

    Example:
        By hand: the third metric is significantly worse than the first one, and so begins rank 2. The fourth one is
        not significantly worse than the third one, and shares its rank.

        >>> ranks_from_p_values(4, {(0, 1): 0.3, (0, 2): 0.04, (1, 2): 0.2, (0, 3): 0.01, (1, 3): 0.04, (2, 3): 0.5})
        [1, 1, 2, 2]
    """
    ranks: list[int] = []
    first = 0  # the first metric with the current rank
    for position in range(count):
        if any(p_values.get((better, position), 1.0) <= level for better in range(first, position)):
            first = position
        ranks.append(1 if not position else ranks[-1] + (first == position))
    return ranks


def marks(ranking: MetricRanking, level: float = SIGNIFICANT) -> list[Sequence[str]]:
    """For each metric (row), a mark for each metric (column): `>` where the row's metric is significantly better, `=`
    where it is not; `.` for itself and for metrics before it.

    (mt-metrics-eval: `PrintMetricComparison` in `data.py`, which marks p-values below the level alone.)

    Example:
        >>> marks(MetricRanking(["a", "b", "c"], [0.9, 0.8, 0.5], [1, 1, 2], {(0, 1): 0.3, (0, 2): 0.01, (1, 2): 0.2}))
        [['.', '=', '>'], ['.', '.', '='], ['.', '.', '.']]
    """
    count = len(ranking.names)
    return [["." if other <= one else ">" if ranking.p_values.get((one, other), 1.0) <= level else "="
             for other in range(count)] for one in range(count)]
