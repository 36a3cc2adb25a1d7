"""Agreement of metrics with human scores: as mt-metrics-eval, SciPy, NumPy and subset2evaluate have it, and as defined.

Each kind of case in the fixture has a check in `CHECKS`, which the script that makes the fixture uses on further cases.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations
from typing import Any, Callable, Iterator, Sequence
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.engines.resampling.streams import NumpyGenerator
from purebleu.meta_evaluation import diversity, measures, metric_ranks, system_ranks
from purebleu.meta_evaluation.measures import Judged, mean_over_groups, mean_scores, scores_as_integers
from purebleu.metrics import WER
from purebleu.runtime.errors import PurebleuError

from ..helpers import load_script, read_fixture, shares

cases = load_script("dev/oracles/cases/agreement")
TESTED, case_of_test, random_bits, random_case = cases.TESTED, cases.case_of_test, cases.random_bits, cases.random_case

GROUPINGS = ("none", "item", "system")
TRIALS = 100

class KnownBits:
    """A random stream that has these bits, a number for each trial."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = iter(numbers)

    def bits(self, count: int) -> bytes:
        return next(self._numbers).to_bytes(-(-count // 8), "little")


# Equal to the oracles

def check_correlations(case: dict[str, Any], scores: Any = None) -> None:
    figures = case["figures"]
    human, metric = scores or random_case(case["seed"])[:2]
    for by in GROUPINGS:
        found = {name: measures.agreement_of(name, human, metric, by) for name in ("pearson", "tau-b")}
        for epsilon in (0, 0.5):
            found[f"accuracy at {epsilon}"] = accuracy_with_ties(human, metric, epsilon, by)
        for name, value in found.items():
            expected, _ = figures[f"{name} by {by}"]
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12), (name, by)
    agreeing, pairs = figures["agreement"]
    assert measures.agreement_of("accuracy", human, metric) == (agreeing / pairs if pairs else 0.0)


def accuracy_with_ties(human: Any, metric: Any, epsilon: float, by: str) -> float:
    """Pairwise accuracy at a threshold for ties."""
    judged = Judged(human, by)
    correct = measures.correct_pairs(judged, judged.outputs(metric), epsilon)
    return mean_over_groups([sum(group) / len(group) for group in correct if group])


def calibrated(human: Any, metric: Any, by: str = "item") -> tuple[float, float]:
    """The best pairwise accuracy, and its threshold; an output without a score of the metric takes no part."""
    scored = [[None if score is None else human_score for human_score, score in zip(scores, metric_scores)]
              for scores, metric_scores in zip(human, metric)]
    judged = Judged(scored, by)
    return measures.calibrate(judged, judged.outputs(metric))


def check_calibration(case: dict[str, Any], scores: Any = None) -> int:
    human, metric = scores or random_case(case["seed"])[:2]
    return sum([check_best(expected, human, metric, by) for by, expected in case["figures"].items()])


def check_best(expected: Any, human: Any, metric: Any, by: str) -> int:
    """Check a best accuracy; returns 1 where the oracle has another one of several thresholds that are as good."""
    best, epsilon = calibrated(human, metric, by)
    if expected is None:
        assert (best, epsilon) == (0.0, 0.0)
        return 0
    assert best == pytest.approx(expected["accuracy"], rel=1e-12)
    assert epsilon == min(expected["as good"])
    return int(epsilon != expected["epsilon"])


def check_soft(case: dict[str, Any], scores: Any = None) -> int:
    """Check soft pairwise accuracy; returns the number of permutations that count otherwise: near ties."""
    figures = case["figures"]
    human, metric = scores or random_case(case["seed"], complete=True)[:2]
    complete = [segment for segment, human_scores in enumerate(zip(*human)) if None not in human_scores]
    otherwise = 0
    for rows, counts, near in zip((human, metric), figures["counts"], figures["near"]):
        own_counts = measures.extreme_permutations([[row[segment] for segment in complete] for row in rows])
        for own_count, count, ties in zip(own_counts, counts, near):
            assert abs(own_count - count) < ties + 0.5
            otherwise += abs(own_count - count)
    found = measures.agreement_of("spa", human, metric)
    assert abs(found - figures["value"]) < 1e-12 + otherwise / 1000 / len(figures["counts"][0])
    return otherwise


def check_by_scores(case: dict[str, Any]) -> int:
    """Check a test between two metrics; returns the number of trials that count otherwise: near ties."""
    if case["figures"] is None:
        return 0
    seed = case["seed"]
    measure, (human, metric, other) = case_of_test(seed)
    if measure not in measures.MEASURES:
        return 0
    outputs = sum([score is not None for scores in human for score in scores])
    return check_test(case["figures"], lambda: metric_ranks.compare_by_scores(
        measure, human, metric, other, TESTED[measure], TRIALS), random_bits(seed, TRIALS, outputs),
        1e-3 if measure == "spa" else 1e-9)


def check_by_pairs(case: dict[str, Any]) -> int:
    """Check a test between the accuracies of two metrics; returns the number of trials that count otherwise."""
    if case["figures"] is None:
        return 0
    seed = case["seed"]
    human, metric, other = random_case(seed, 3 + seed % 4)
    by, epsilons = GROUPINGS[seed % 3], case["figures"]["epsilons"]
    judged = Judged(human, by)
    right = [measures.correct_pairs(judged, judged.outputs(scores), epsilon)
             for scores, epsilon in zip((metric, other), epsilons)]
    differing = sum([one != two for group in zip(*right) for one, two in zip(*group)])
    return check_test(case["figures"], lambda: metric_ranks.compare_by_pairs(right[0], right[1], TRIALS),
                      random_bits(seed, TRIALS, differing))


def check_test(figures: dict[str, Any], compare: Callable[[], Any], bits: Sequence[int], rounded: float = 1e-9) -> int:
    """Check a test with known bits; of soft accuracies, a permutation in a thousand may count otherwise by rounding."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metric_ranks, "make_stream", lambda *_: KnownBits(bits))
        found = compare()
    assert found.trials == figures["trials"]
    assert found.difference == pytest.approx(figures["difference"], abs=rounded)
    otherwise: int = round(found.p_value * found.trials) - figures["count"]
    assert abs(otherwise) <= figures["near"]
    assert otherwise >= 0 or rounded > 1e-9
    return abs(otherwise)


def check_ranks(case: dict[str, Any]) -> None:
    figures = case["figures"]
    p_values = {(one, other): p_value for one, other, p_value in figures["p values"]}
    assert metric_ranks.ranks_from_p_values(figures["count"], p_values) == figures["ranks"]


def check_wilcoxon(case: dict[str, Any]) -> None:
    expected = 1.0 if case["figures"] is None else case["figures"]
    assert system_ranks.wilcoxon_p_value(cases.random_differences(case["seed"])) == pytest.approx(
        expected, rel=1e-11, abs=1e-15)


def check_autorank(case: dict[str, Any]) -> None:
    scores = random_case(case["seed"]).metric
    expected = [1.0] * len(scores[0]) if case["figures"] is None else case["figures"]
    assert system_ranks.autorank(scores) == pytest.approx(expected, rel=1e-9)


def check_similarities(case: dict[str, Any]) -> None:
    found = diversity.similarities(cases.random_outputs(case["seed"]))
    assert found == pytest.approx(case["figures"], rel=1e-12, abs=1e-12)
    assert found[diversity.chosen_segments(found, 1)[0]] == min(found)


def check_bits(case: dict[str, Any]) -> None:
    stream = NumpyGenerator(case["seed"])
    expected = case["figures"]
    start = 0
    for count in (1, 7, 8, 9, 1000, 1, 1974):
        bits = int.from_bytes(stream.rounded_floats(count), "little")
        assert bin(bits | 1 << count)[:2:-1] == expected[start:start + count]
        start += count
    assert start == len(expected)


CHECKS: dict[str, Any] = {
    "correlations": check_correlations, "calibration": check_calibration, "soft": check_soft,
    "by scores": check_by_scores, "by pairs": check_by_pairs, "ranks": check_ranks, "wilcoxon": check_wilcoxon,
    "autorank": check_autorank, "similarities": check_similarities, "bits": check_bits,
}


def cases_of(kind: str) -> list[dict[str, Any]]:
    return [case for case in read_fixture("agreement.json.gz")["cases"] if case["kind"] == kind]


@pytest.mark.parametrize("kind", CHECKS)
@shares(4)
def test_random_cases_are_as_the_oracle_has_them(kind: str, share: int) -> None:
    all_cases = cases_of(kind)
    assert len([case for case in all_cases if case["figures"] is not None]) >= 10
    tried = all_cases[share::4]
    near_ties = list(map(CHECKS[kind], tried))
    # They are few, or equality within them would say little.
    if kind == "soft":
        permutations = 1000 * sum([len(counts) for case in tried for counts in case["figures"]["counts"]])
        assert 0 < sum(near_ties) < permutations / 50
    elif kind == "calibration":
        assert sum(near_ties) <= 10


def test_figures_of_the_oracles_own_tests() -> None:
    written = cases_of("written")
    assert len(written) == 3
    for case in written:
        scores = case["human"], case["metric"]
        check_correlations({"figures": case["correlations"]}, scores)
        check_calibration({"figures": case["calibration"]}, scores)
        if case["soft"]:
            check_soft({"figures": case["soft"]}, scores)
    assert written[1]["calibration"]["none"]["accuracy"] == 0.7
    assert written[1]["correlations"]["accuracy at 0 by none"] == [0.6, 1]
    assert written[2]["soft"]["value"] == pytest.approx(0.872, abs=0.0005)
    # The matrix of its regression test.
    case, = cases_of("regression")
    assert case["calibration"]["epsilon"] == 1.0
    assert case["calibration"]["accuracy"] == pytest.approx(0.49167, abs=0.00001)
    assert check_best(case["calibration"], case["human"], case["metric"], "item") == 0


# Definitions, and properties

@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_pearson_takes_numbers_of_any_size(scale: float) -> None:
    human = [number * scale for number in (1.0, 2.0, 4.0)]
    assert measures.pearson(human, [1, 2, 4]) == pytest.approx(1.0, abs=1e-15)
    assert measures.pearson([1, 2, 4], [-number for number in human]) == pytest.approx(-1.0, abs=1e-15)


@given(st.integers(0, 10 ** 6))
def test_soft_accuracy_is_exact_if_scores_are(seed: int) -> None:
    """Held to sums of integers: scores have six decimal places or are thirds, which floats do not have exactly."""
    human = [[score or 0.0 for score in system_scores] for system_scores in random_case(seed, 3).human]
    stream = NumpyGenerator(measures.PERMUTATION_SEED)
    segments = len(human[0])
    exact = [[round(3_000_000 * score) for score in system_scores] for system_scores in human]
    counts = dict.fromkeys(combinations(range(len(human)), 2), 0)
    for _ in range(measures.PERMUTATIONS):
        bits = int.from_bytes(stream.rounded_floats(segments), "little")
        for one, other in counts:
            differences = [a - b for a, b in zip(exact[one], exact[other])]
            signed = sum([number if bits >> index & 1 else -number for index, number in enumerate(differences)])
            counts[one, other] += signed >= sum(differences)
    assert measures.extreme_permutations(human) == list(counts.values())


@given(st.integers(0, 10 ** 6), st.randoms(use_true_random=False))
def test_soft_accuracies_of_two_metrics_differ_by_what_both_have(seed: int, source: Any) -> None:
    human, metric, other = random_case(seed, 3, 8, complete=True)
    judged = Judged(human, "system", complete=True)
    ours, theirs = judged.outputs(metric), judged.outputs(other)
    kept = [source.randint(0, 1) for _ in ours]
    mixed, left = [[pair[keep == side] for keep, pair in zip(kept, zip(ours, theirs))] for side in (0, 1)]
    accuracy_of = measures.soft_accuracies(judged)
    bits = sum([keep << place for place, keep in enumerate(kept)]).to_bytes(-(-len(kept) // 8), "little")
    [found] = measures.soft_differences(judged, ours, theirs, [bits])
    with mock.patch.object(measures, "_MAX_FIELDS", 300 * len(ours)):  # several blocks of permutations
        assert measures.soft_differences(judged, ours, theirs, [bits]) == [found]
    assert found == pytest.approx(accuracy_of(mixed) - accuracy_of(left), abs=1e-12)


def test_half_is_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """A float32 of exactly 1/2, of which there is one in 2 ** 24, is rounded to the even number, 0."""
    stream = NumpyGenerator(1)
    numbers = [0, 0x7FFFFFFF, 0x80000000, 0x800000FF, 0x80000100, 0xFFFFFFFF]
    monkeypatch.setattr(stream, "_take", lambda count: b"".join([number.to_bytes(4, "little")
                                                                 for number in numbers[:count]]))
    assert stream.rounded_floats(6) == bytes([0b110000])


def test_a_seed_and_a_stream_give_the_same_p_again() -> None:
    human, metric, other = random_case(8, 5, 8)
    found = [metric_ranks.compare_by_scores("pearson", human, metric, other, trials=100, seed=seed, rng=rng).p_value
             for seed, rng in ((1, "mt19937"), (1, "mt19937"), (2, "mt19937"), (1, "numpy"), (1, "numpy"))]
    assert found[0] == found[1] and found[3] == found[4]
    assert len({found[0], found[2], found[3]}) > 1


def test_metrics_are_ranked_in_order_of_agreement() -> None:
    human = [[float(system + segment % 3) for segment in range(20)] for system in range(5)]
    metrics = {"b": human, "a": human, "worst": human[::-1]}
    for measure in ("acc-eq", "spa"):
        ranking = metric_ranks.rank_metrics(measure, human, metrics, trials=60, seed=1)
        assert ranking.names == ["a", "b", "worst"]
        assert ranking.agreements[:2] == [1.0, 1.0] and ranking.agreements[2] < 0.5
        assert ranking.ranks == [1, 1, 2]
        assert ranking.p_values[0, 1] == 1.0 and ranking.p_values[0, 2] <= 0.05
        assert metric_ranks.marks(ranking)[0] == [".", "=", ">"]
    untested = metric_ranks.rank_metrics("acc-eq", human, metrics, trials=0)
    assert (untested.ranks, untested.p_values) == ([1, 1, 1], {})


@given(st.integers(0, 10 ** 6))
def test_ranges_of_ranks_hold_their_systems(seed: int) -> None:
    human = [scores if any(score is not None for score in scores) else [0.0] * len(scores)
             for scores in random_case(seed, segments=13).human]
    found = system_ranks.rank_systems_by_people(human)
    assert [system for cluster in found.clusters for system in cluster] == found.order
    assert [found.means[system] for system in found.order] == sorted(found.means, reverse=True)
    for place, system in enumerate(found.order, 1):
        first, last = found.ranges[system]
        assert 1 <= first <= place <= last <= len(human)


def test_autorank_is_between_one_and_the_number_of_systems_and_keeps_ties_as_they_are_printed() -> None:
    assert 31.4 - 30.1 != 32.7 - 31.4  # (In print, 31.4 is in the middle of the others.)
    for scores, ranks in (
            ([[5.0, 5.0, 5.0]], [1.0, 1.0, 1.0]), ([[1.0, 5.0, 5.0, 5.0, 5.0]], [5.0, 1.0, 1.0, 1.0, 1.0]),
            ([[0.1]], [1.0]), ([[30.1, 31.4], [60.2, 59.9]], [1.0, 1.0]),
            ([[30.1, 31.4, 32.7], [32.7, 31.4, 30.1]], [1.0, 1.0, 1.0])):
        assert system_ranks.autorank(scores) == ranks


ONE_DECIMAL = st.integers(0, 1000).map(lambda tenths: tenths / 10)


@given(st.lists(ONE_DECIMAL, min_size=4, max_size=4))
def test_two_systems_on_which_two_metrics_disagree_share_their_autorank(scores: list[float]) -> None:
    """z is 2/3 and -2/3 under any metric that tells two systems apart."""
    low, high, other_low, other_high = scores[0], scores[0] + scores[1] + 0.1, scores[2], scores[2] + scores[3] + 0.1
    assert system_ranks.autorank([[low, high], [other_high, other_low]]) == [1.0, 1.0]
    assert system_ranks.autorank([[low, high], [other_low, other_high]]) == [2.0, 1.0]


@given(st.lists(ONE_DECIMAL, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_means_of_systems_do_not_depend_on_the_order_of_segments(scores: list[float], source: random.Random) -> None:
    """A system whose segments all have the mean of the others' is as good as they are."""
    shuffled = source.sample(scores, len(scores))
    exact = sum([Fraction(repr(score)) for score in scores]) / len(scores)
    human: list[Sequence[float | Fraction | None]] = [scores, shuffled, [exact] * len(scores)]
    assert set(mean_scores(human)) == {float(exact)}
    assert set(system_ranks.rank_systems_by_people(human).means) == {float(exact)}
    [answer] = metric_ranks.answers([measures.question_of("sys:accuracy")], metric_ranks.PeopleScores(human),
                                    {"M": metric_ranks.MetricScores(human, [1.0, 1.0, 1.0])}, trials=0)
    assert answer.ranking.agreements == [1.0]


def test_differences_that_are_equal_in_print_have_the_same_rank() -> None:
    """The differences -0.1, 0.1, 0.1 and 0.1 are ties; as floats, the negative one is the largest."""
    worse, better = [[-1.0, -0.3, 0.1, 0.5]], [[-1.1, -0.2, 0.2, 0.6]]
    integers, denominator = scores_as_integers(worse + better)
    assert denominator == 10 and [one - other for other, one in zip(*integers)] == [-1, 1, 1, 1]
    ranks = system_ranks.rank_systems_by_people(worse + better, level=0.32)
    assert system_ranks.wilcoxon_p_value([-1, 1, 1, 1]) == 0.3125
    assert ranks.ranges == [(2, 2), (1, 1)]


@pytest.mark.parametrize("by", ["item", "system"])
def test_pairwise_accuracy_is_averaged_over_groups(by: str) -> None:
    """Three right pairs in one group, and a wrong one in the other."""
    human: Any = [[1, 1], [2, 2], [3, None]]
    metric: Any = [[1, 2], [2, 1], [3, 3]]
    if by == "system":
        human, metric = [list(zip(*scores)) for scores in (human, metric)]
    assert measures.agreement_of("accuracy", human, metric, by) == accuracy_with_ties(human, metric, 0.0, by) == 0.5
    # (The pairs of all outputs together, and those of test sets, are pooled.)
    assert measures.agreement_of("accuracy", human, metric, "none") == 5 / 10


@pytest.mark.parametrize(("measure", "used"), [
    ("spa", (3, 3)), ("acc-eq", (3, 5)), ("accuracy:item", (3, 5)), ("tau-b:system", (2, 5)), ("pearson", (3, 6)),
    ("sys:accuracy", (3, 3))])
def test_human_scores_that_a_measure_does_not_use_are_not_counted(measure: str, used: tuple[int, int]) -> None:
    human: Any = [[1, 2, None], [2, 1, 3], [3, None, None]]
    [answer] = metric_ranks.answers([measures.question_of(measure)], metric_ranks.PeopleScores(human),
                                    {"M": metric_ranks.MetricScores([[1.0, 2.0, 3.0]] * 3, [1.0, 2.0, 3.0])}, trials=0)
    assert (answer.systems, answer.judged) == used


def test_the_most_diverse_segments_come_first() -> None:
    outputs = [["same", "one", "x y z", "one"], ["same", "two", "x y q", "two"]]
    assert diversity.chosen_segments(diversity.similarities(outputs), 4) == [1, 3, 2, 0]
    assert diversity.chosen_segments(diversity.similarities(outputs, WER()), 2, WER.LOWER_IS_BETTER) == [1, 3]


def test_several_test_sets_have_no_pairs_between_them() -> None:
    for sizes, accuracy in (([2, 2], 1.0), (None, 2 / 6)):
        assert measures.agreement_of("accuracy", [[1], [2], [30], [20]], [[1], [2], [0.3], [0.2]], sizes) == accuracy


def test_without_scores_there_is_no_agreement() -> None:
    for measure in ("pearson", "accuracy", "acc-eq"):
        assert measures.agreement_of(measure, [[None, None], [None, 1]], [[1, 2], [3, 4]]) == 0


class ColumnOfTable:
    """A column of a table whose index is in reverse order."""

    def __init__(self, values: list[Any]) -> None:
        self.tolist = values.copy

    def __len__(self) -> int:
        return len(self.tolist())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, index: int) -> Any:
        return self.tolist()[-1 - index]


@pytest.mark.parametrize("measure", measures.MEASURES)
def test_scores_may_be_columns_and_generators(measure: str) -> None:
    human, metric, other = [[1, 2, 3], [2, 3, 5], [1, 1, 4]], [[1, 5, 3], [2, 2, 4], [0, 3, 3]], [[3, 2, 1]] * 3

    def shaped(kind: Any, scores: Any) -> Any:
        return kind([kind(system) for system in scores])

    for kind in (list, iter, ColumnOfTable):
        args = [shaped(kind, scores) for scores in (human, metric)]
        assert measures.agreement_of(measure, *args) == measures.agreement_of(measure, human, metric)
        metrics = {"a": metric, "b": other, "c": human}
        ranking = metric_ranks.rank_metrics(measure, shaped(kind, human), {name: shaped(kind, scores)
                                            for name, scores in metrics.items()}, trials=20)
        assert ranking.p_values == metric_ranks.rank_metrics(measure, human, metrics, trials=20).p_values
        assert system_ranks.rank_systems_by_people(shaped(kind, human)) == system_ranks.rank_systems_by_people(human)


# Errors

@pytest.mark.parametrize(("human", "metric", "message"), [
    ([[None, None], [None, None]], [[1, 2], [3, 4]], "human scores: there are no scores"),
    ([], [], "human scores: there are no scores"),
    ([[]], [[]], "human scores: there are no scores"),
    ([[1, 2], [1]], [[1, 2], [1, 2]], "human scores: systems have different numbers of segments: 1, 2"),
    ([[1, 2]], [[1], [2]], "the metric has scores of 2 systems and 1 segments, but people scored 1 systems "
     "and 2 segments"),
    ([[1, 2]], [[1, None]], "scores of the metric: the score of system 1, segment 2, is missing"),
    ([[1, math.nan]], [[1, 2]], "human scores: the score of system 1, segment 2, is nan, but must be finite"),
    ([[1, 2]], [[math.inf, 2]], "scores of the metric: the score of system 1, segment 1, is inf, but must be finite"),
    ([[1, 10 ** 400]], [[1, 2]], "but must be finite"),
])
def test_scores_that_are_none_are_refused(human: Any, metric: Any, message: str) -> None:
    with pytest.raises(PurebleuError) as raised:
        measures.agreement_of("pearson", human, metric)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_scores_of_a_wrong_type_are_refused() -> None:
    with pytest.raises(TypeError, match="the score of system 1, segment 2, is '2', but must be a number or None"):
        measures.agreement_of("pearson", [[1, "2"]], [[1, 2]])  # type: ignore[list-item]


@pytest.mark.parametrize(("call", "message"), [
    (lambda: measures.agreement_of("tau", [[1]], [[1]]),
     "unknown measure 'tau' (did you mean 'tau-b'?); choose from acc-eq"),
    (lambda: measures.agreement_of("spa", [[1], [2]], [[1], [2]], "item"), "can't be grouped by 'item'"),
    (lambda: measures.agreement_of("spa", [[1]], [[1]]), "but there is one system"),
    (lambda: measures.agreement_of("spa", [[None], [1]], [[1], [1]]), "no segment has human scores for all"),
    (lambda: Judged([[1]], "segment"), "can't be grouped by 'segment'; choose from none, item, system"),
    (lambda: Judged([[1], [2]], [1, 2]), "add up to the number of systems, but are 1, 2 for 2 systems"),
    (lambda: Judged([[1], [2]], [2, 0]), "the sizes of test sets must be at least 1 and add up"),
    (lambda: metric_ranks.compare_by_scores("tau-b", [[1]], [[1]], [[1]], trials=0), "trials must be at least 1"),
    (lambda: metric_ranks.rank_metrics("tau-b", [[1]], {}), "no metrics to rank"),
    (lambda: system_ranks.autorank([]), "no scores to rank systems by"),
    (lambda: system_ranks.autorank([[1, 2], [1]]), "different numbers of systems: 2, 1"),
    (lambda: system_ranks.autorank([[1, None]]),  # type: ignore[list-item]
     "scores of metric 1: the score of system 2 is missing"),
    (lambda: system_ranks.rank_systems_by_people([[1], [None]]), "system 2 has no human scores"),
    (lambda: diversity.similarities([]), "no outputs to compare"),
    (lambda: diversity.similarities([["a"], ["a", "b"]]), "different numbers of segments: 1, 2"),
    (lambda: diversity.chosen_segments([1.0], 2), "the number of segments to choose must be from 1 to 1, not 2"),
])
def test_wrong_arguments_are_refused_in_one_line(call: Callable[[], object], message: str) -> None:
    with pytest.raises(PurebleuError) as raised:
        call()
    assert message in str(raised.value) and "\n" not in str(raised.value)
