"""Write tests/fixtures/agreement.json.gz: the agreement of metrics with human scores, as other programs compute it.

    PYTHON scripts/dev/oracles agreement --mteval FOLDER

PYTHON is a Python 3.11 that has `numpy==2.4.6`, `scipy==1.17.1`, `dacite`, `sacrebleu==2.6.0`, and
`subset2evaluate==1.0.27` without its dependencies. FOLDER is a checkout of google-research/mt-metrics-eval on GitHub at
68a481a. (PyPI has a different project of this name.) Its functions are only run. Those that need Apache Beam are not.
"""

from __future__ import annotations

import sys
import warnings
from argparse import ArgumentParser
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import combinations
from typing import Any, Callable, Mapping, Sequence
from unittest.mock import MagicMock, patch

from dev.oracles.cases import agreement as cases
from dev.oracles.cases.agreement import Case, random_bits, random_case
from dev.oracles.files import Case as Question
from dev.oracles.files import write_answers

numpy: Any = import_module("numpy")
scipy_stats: Any = import_module("scipy.stats")

ORACLES = ("numpy", "scipy", "sacrebleu", "subset2evaluate")

#: The names of groupings in mt-metrics-eval.
GROUPINGS = {"none": "none", "item": "item", "system": "sys"}

#: The number of trials of a test between metrics.
TRIALS = 100

#: A trial may count or not if its difference in agreement is this close to the observed difference. The larger value is
#: for soft pairwise accuracy: by rounding, one permutation of a thousand may count or not.
ROUNDED = {False: 1e-9, True: 1e-3}


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--mteval", required=True, metavar="FOLDER", help="mt-metrics-eval at 68a481a")
    options = parser.parse_args()
    sys.path.append(options.mteval)
    sys.modules["apache_beam"] = MagicMock()
    warnings.simplefilter("ignore")
    versions = ", ".join([f"{name} {version(name)}" for name in ORACLES])
    return write_answers("agreement.json.gz", answered, f"mt-metrics-eval 68a481a, {versions}")


def answered(case: Question) -> Question:
    """Return the figures of a case. The case has a seed or scores (some are from mt-metrics-eval's own tests)."""
    if "seed" in case:
        return {"figures": FIGURES[case["kind"]](case["seed"])}
    if case["kind"] == "regression":
        return {"calibration": calibrated(case["human"], case["metric"], "item")}
    scores = Case(case["human"], case["metric"], [])
    return {"correlations": correlations(scores), "calibration": calibration(scores),
            "soft": soft(scores) if len(scores.human) > 1 else None}


def flat(scores: Sequence[Sequence[Any]]) -> list[Any]:
    return [score for system_scores in scores for score in system_scores]


# Single metrics


def correlations(case: Case) -> dict[str, Any]:
    """Return each correlation by each grouping, with its number of groups, and pairwise accuracy."""
    stats: Any = import_module("mt_metrics_eval.stats")
    human, metric = flat(case.human), flat(case.metric)
    figures: dict[str, Any] = {}
    for by, theirs in GROUPINGS.items():
        for name, function, more in (
                ("pearson", scipy_stats.pearsonr, {}), ("tau-b", scipy_stats.kendalltau, {"variant": "b"}),
                ("tau-c", scipy_stats.kendalltau, {"variant": "c"}),
                ("accuracy at 0", stats.KendallVariants, {"variant": "acc23"}),
                ("accuracy at 0.5", stats.KendallVariants, {"variant": "acc23", "epsilon": 0.5})):
            average = stats.AverageCorrelation(function, len(case.human), theirs, **more)
            value, _, groups = average(human, metric)
            figures[f"{name} by {by}"] = [float(value), int(groups)]
    figures["agreement"] = [int(number) for number in stats.Agreement(human, metric)]
    return figures


def calibration(case: Case) -> dict[str, Any]:
    """Return `calibrated` for each grouping."""
    return {by: calibrated(case.human, case.metric, by) for by in GROUPINGS}


def calibrated(human: Any, metric: Any, by: str) -> Any:
    """Return `KendallWithTiesOpt`'s best accuracy, and its thresholds; `None` if no group has two outputs."""
    stats: Any = import_module("mt_metrics_eval.stats")
    try:
        best, epsilon, result = stats.KendallWithTiesOpt(flat(human), flat(metric), "acc23", len(human), GROUPINGS[by],
                                                         1.0)
    except ZeroDivisionError:
        return None
    as_good = [float(threshold) for threshold, accuracy in zip(result.thresholds, result.taus)
               if abs(accuracy - best) < 1e-9]
    return {"accuracy": float(best), "epsilon": float(epsilon), "as good": as_good}


def soft(case: Case) -> dict[str, Any]:
    """Return soft pairwise accuracy, and for human and metric scores the numbers of `permutations`."""
    stats: Any = import_module("mt_metrics_eval.stats")
    value, = stats.PairwiseConfidenceError(flat(case.human), flat(case.metric), len(case.human), filter_nones=True)
    complete = [segment for segment, scores in enumerate(zip(*case.human)) if None not in scores]
    sides = [permutations([[system_scores[segment] for segment in complete] for system_scores in scores])
             for scores in (case.human, case.metric)]
    return {"value": float(value), "counts": [side[0] for side in sides], "near": [side[1] for side in sides]}


def permutations(scores: Any) -> tuple[list[int], list[int]]:
    """Return, for each pair of systems, the number of permutations that count, and the number of ties in float32."""
    pce: Any = import_module("mt_metrics_eval.pce")
    matrix = numpy.array(scores, dtype=float)
    p_values = pce.compute_pairwise_p_values(matrix)
    signs = 2 * numpy.rint(numpy.random.default_rng(4).random((1000, matrix.shape[1]), dtype=numpy.float32)) - 1
    partial_sums = signs.astype(float) @ matrix.T
    counts, near = [], []
    for one, other in combinations(range(len(scores)), 2):
        excess = partial_sums[:, one] - partial_sums[:, other] - (matrix[one] - matrix[other]).sum()
        size = numpy.abs(matrix[one]).sum() + numpy.abs(matrix[other]).sum()
        counts.append(round(float(p_values[one, other]) * 1000))
        near.append(int((numpy.abs(excess) <= 1e-6 * size).sum()))
    return counts, near


# Tests between two metrics

#: For each measure, a function that returns mt-metrics-eval's function for a number of systems, and its arguments.
MEASURES: dict[str, tuple[Callable[[int], Any], dict[str, Any]]] = {
    "pearson": (lambda _: scipy_stats.pearsonr, {}),
    "tau-b": (lambda _: scipy_stats.kendalltau, {}),
    "tau-c": (lambda _: scipy_stats.kendalltau, {"variant": "c"}),
    "acc-eq": (lambda _: import_module("mt_metrics_eval.stats").KendallWithTiesOpt,
               {"variant": "acc23", "sample_rate": 1.0}),
    "accuracy": (lambda _: accuracy, {}),
    "spa": (lambda systems: partial(import_module("mt_metrics_eval.stats").PairwiseConfidenceError, num_sys=systems,
                                    filter_nones=True), {}),
}


def accuracy(human: Any, metric: Any) -> tuple[float, int]:
    """Return pairwise accuracy as in `CompareMetricsWithGlobalAccuracy`, and the number of pairs."""
    agreeing, pairs = import_module("mt_metrics_eval.stats").Agreement(human, metric)
    return agreeing / pairs, pairs


def by_scores(seed: int) -> dict[str, Any] | None:
    """Return the figures of `PermutationSigDiff` with known random bits.

    Standardized scores are rounded, so only scores that are equal in exact arithmetic are ties.
    """
    stats: Any = import_module("mt_metrics_eval.stats")
    measure, case = cases.case_of_test(seed)
    function, more = MEASURES[measure]
    by = "none" if measure == "spa" else cases.TESTED[measure]  # (Soft pairwise accuracy itself groups by system.)
    if any(len(set(flat(metric))) == 1 for metric in (case.metric, case.other)):
        return None  # (The standardized values are not numbers.)
    human = flat(case.human)
    kept = random_bits(seed, TRIALS, sum(score is not None for score in human))
    # mt-metrics-eval has the outputs in the order of groups.
    positions = iter(range(len(human)))
    numbered = numpy.array([None if score is None else next(positions) for score in human], dtype=object)
    order = [number for group in stats._Reshape(numbered, len(case.human), GROUPINGS[by]) for number in group
             if number is not None]
    if measure == "acc-eq":
        order = sorted(order)
    drawn = iter([numpy.array([bits >> position & 1 for position in order]) for bits in kept])
    one, other = [stats.Correlation(len(case.human), human, flat(scores)) for scores in (case.metric, case.other)]
    standardize = stats.scipy.stats.zscore
    with patch.object(numpy.random, "binomial", lambda *_: next(drawn)), \
            patch.object(stats.scipy.stats, "zscore", lambda scores: numpy.round(standardize(scores), 12)):
        p_value, difference, trials, pairs = stats.PermutationSigDiff(other, one, function(len(case.human)),
                                                                      GROUPINGS[by], TRIALS, **more)
    return figures_of_test(p_value, difference, trials, pairs, ROUNDED[measure == "spa"])


def by_pairs(seed: int) -> dict[str, Any] | None:
    """Return the figures of `PairwisePermutationSigDiff` with known random bits."""
    stats: Any = import_module("mt_metrics_eval.stats")
    case = random_case(seed, 3 + seed % 4)
    by = list(GROUPINGS)[seed % 3]
    human = flat(case.human)
    one, other = [stats.Correlation(len(case.human), human, flat(scores)) for scores in (case.metric, case.other)]
    lengths, human_differences, *metric_differences = stats._ReshapeAndFilter(one, other, GROUPINGS[by])
    if 1 in lengths or not lengths:
        return None  # (mt-metrics-eval would divide by zero pairs.)
    epsilons = [stats.KendallWithTiesOpt(human, flat(scores), "acc23", len(case.human), GROUPINGS[by], 1.0)[1]
                for scores in (case.metric, case.other)]
    differing = differing_pairs(lengths, human_differences.tolist(),
                                [differences.tolist() for differences in metric_differences], epsilons)
    kept = random_bits(seed, TRIALS, sum(map(len, differing)))
    masks = []
    for bits in kept:
        position = 0
        for length, pairs in zip(lengths, differing):
            mask = numpy.zeros((length, length), dtype=int)
            for pair in pairs:
                mask[pair] = bits >> position & 1
                position += 1
            masks.append(mask)
    drawn = iter(masks)
    with patch.object(numpy.random, "binomial", lambda *_: next(drawn)):
        p_value, difference, trials, figures = stats.PairwisePermutationSigDiff(
            other, one, "acc23", GROUPINGS[by], TRIALS, epsilon1=epsilons[1], epsilon2=epsilons[0])
    return {**figures_of_test(p_value, difference, trials, figures, ROUNDED[False]),
            "epsilons": list(map(float, epsilons))}


def differing_pairs(lengths: Any, human: Any, metrics: Any, epsilons: Any) -> list[list[tuple[int, int]]]:
    """Return, for each group, the pairs of outputs that only one of the two metrics orders as people do."""
    found, start = [], 0
    for length in lengths:
        pairs = []
        for one, other in combinations(range(start, start + length), 2):
            order = (human[one] > human[other]) - (human[one] < human[other])
            orders = []
            for scores, epsilon in zip(metrics, epsilons):
                excess = scores[one] - scores[other]
                orders.append(0 if abs(excess) <= epsilon else (excess > 0) - (excess < 0))
            if (orders[0] == order) != (orders[1] == order):
                pairs.append((one - start, other - start))
        found.append(pairs)
        start += length
    return found


def figures_of_test(p_value: float, difference: float, trials: int, pairs: Any, rounded: float) -> dict[str, Any]:
    """Return the figures of a test. `near` is the number of trials that are ties, except for rounding errors."""
    near = sum([bool(abs(one - other - difference) < rounded) for one, other in pairs])
    return {"count": round(p_value * trials), "difference": float(difference), "near": near, "trials": trials}


def ranks(seed: int) -> dict[str, Any]:
    """Return random p-values of pairs of metrics, and the ranks of the metrics by `AssignRanks`."""
    data: Any = import_module("mt_metrics_eval.data")
    source = numpy.random.default_rng(seed)
    count = int(source.integers(1, 9))
    matrix = numpy.round(numpy.triu(source.random((count, count)) ** 3, 1), 2)
    p_values = [[one, other, float(matrix[one, other])] for one, other in combinations(range(count), 2)]
    return {"count": count, "p values": p_values, "ranks": list(map(int, data.AssignRanks(
        numpy.where(numpy.triu(numpy.ones_like(matrix), 1) > 0, matrix, 1.0), 0.05)))}


# Systems


def wilcoxon(seed: int) -> float | None:
    """Return SciPy's one-sided p-value; `None` if SciPy has none."""
    differences = cases.random_differences(seed)
    if differences == [0.0]:
        return None  # (SciPy raises an error.)
    p_value = float(scipy_stats.wilcoxon(differences, alternative="greater").pvalue)
    return None if p_value != p_value else p_value


def autoranks(seed: int) -> list[float] | None:
    """Return AutoRank, with NumPy's percentiles; `None` if all systems are equal."""
    scores = numpy.array(random_case(seed).metric)
    scale = numpy.percentile(scores, 100, axis=1) - numpy.percentile(scores, 25, axis=1)
    scaled = (scores - numpy.median(scores, axis=1)[:, None]) / numpy.where(scale == 0, 1, scale)[:, None]
    mean = scaled.mean(axis=0)
    if mean.max() == mean.min():
        return None
    ranked: list[float] = (1 + (len(mean) - 1) * (mean.max() - mean) / (mean.max() - mean.min())).tolist()
    return ranked


def similarities(seed: int) -> list[float]:
    """Return the mean chrF of pairs of outputs, for each segment."""
    segments = [{"tgt": dict(enumerate(segment))} for segment in zip(*cases.random_outputs(seed))]
    return [-float(value) for value in import_module("subset2evaluate.methods").diversity_chrf(segments)]


def bits(seed: int) -> str:
    """Return rounded float32 numbers of NumPy's generator, as digits 0 and 1."""
    drawn = numpy.rint(numpy.random.default_rng(seed).random(3000, dtype=numpy.float32))
    return "".join([str(int(bit)) for bit in drawn])


FIGURES: Mapping[str, Callable[[int], Any]] = {
    "correlations": lambda seed: correlations(random_case(seed)),
    "calibration": lambda seed: calibration(random_case(seed)),
    "soft": lambda seed: soft(random_case(seed, complete=True)),
    "by scores": by_scores, "by pairs": by_pairs, "ranks": ranks,
    "wilcoxon": wilcoxon, "autorank": autoranks, "similarities": similarities, "bits": bits,
}
