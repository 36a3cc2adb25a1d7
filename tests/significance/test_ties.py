"""p-values held against the enumeration of all trials, in small corpora, where differences are often the same."""

from __future__ import annotations

import math
import random
from itertools import combinations, product
from typing import Any, List, Sequence, Tuple

import pytest

import purebleu
from purebleu.engines.resampling.packed import randomization_totals
from purebleu.runtime.errors import OptionError
from purebleu.significance.paired import TrialCounts

from ..helpers import first_by_default, read_fixture, results_of, runs_of, sampled_results, shares
from ..metrics.test_metric_properties import WAYS, make_metric
from .test_significance import Exhaustive

#: Rows of a system under one metric.
Rows = Sequence[Tuple[float, ...]]

#: Streams of references, and outputs of several systems or runs.
Corpus = Tuple[List[List[str]], List[List[str]]]

#: Scores that differ by less are the same: far above what rounding does, far below any difference of so few words.
SAME = 1e-9

#: The numbers of references per segment, whose thirds, fifths and sevenths are rounded where lengths are added up.
REFERENCES = (1, 2, 3, 5, 6, 7)

SEEDS = range(16)

#: Exact tests under several metrics, as scipy has them.
EXACT = [case for case in read_fixture("trust.json.gz")["cases"] if case["kind"] == "exact"]


def corpus_of(way: str, seed: int, outputs: int) -> Corpus:
    """A corpus of few and short segments of few different words."""
    source = random.Random(f"{way}{seed}")
    segments = source.randint(2, 4)
    lines = [" ".join(source.choices("abcde", k=source.randint(1, 4))) for _ in range(source.choice([4, 40]))]

    def text() -> list[str]:
        return source.choices(lines, k=segments)

    return [text() for _ in range(source.choice(REFERENCES))], [text() for _ in range(outputs)]


def rows_of(metric: Any, corpus: Corpus) -> list[Rows]:
    """The rows of each output."""
    references, outputs = corpus
    return [metric.corpus_statistics(output, references) for output in outputs]


def metric_of(way: str, corpus: Corpus) -> Any:
    return make_metric(way, **({"references": corpus[0]} if WAYS[way][0] == "NIST" else {}))


def value_of(metric: Any, rows: Rows) -> float:
    """The score of rows, whose fractions are added up exactly before they are rounded."""
    return float(metric.value([math.fsum(column) if any(isinstance(number, float) for number in column)
                               else sum(column) for column in zip(*rows)]))


def larger_and_equal(differences: Sequence[float], observed: float) -> tuple[int, int]:
    equal = sum(abs(difference - observed) < SAME for difference in differences)
    return sum(difference >= observed + SAME for difference in differences), equal


def counts_of_swaps(metric: Any, one: Rows, two: Rows) -> tuple[int, int, int]:
    """Of all ways to swap outputs, how many have a larger difference than the observed one, or the same; and all."""
    trials = [zip(*[(second, first) if swap else (first, second) for first, second, swap in zip(one, two, swaps)])
              for swaps in product([0, 1], repeat=len(one))]
    differences = [abs(value_of(metric, first) - value_of(metric, second)) for first, second in trials]
    observed = abs(value_of(metric, one) - value_of(metric, two))
    return (*larger_and_equal(differences, observed), len(trials))


def counts_of_deals(metric: Any, baseline: Sequence[Rows], system: Sequence[Rows]) -> tuple[int, int, int]:
    """Likewise, of all ways to deal the outputs of runs to the two systems."""
    rows = [*baseline, *system]
    deals = []
    for chosen in product(combinations(range(len(rows)), len(baseline)), repeat=len(rows[0])):
        dealt: list[list[Any]] = [[], []]
        for segment, subset in enumerate(chosen):
            for run, run_rows in enumerate(rows):
                dealt[run in subset].append(run_rows[segment])
        deals.append(abs(value_of(metric, dealt[0]) - value_of(metric, dealt[1])))
    observed = abs(value_of(metric, [row for run in baseline for row in run])
                   - value_of(metric, [row for run in system for row in run]))
    return (*larger_and_equal(deals, observed), len(deals))


@pytest.mark.parametrize("way", list(WAYS))
@shares(2)
def test_randomization_counts_what_is_larger_among_all_trials(way: str, share: int) -> None:
    ties = 0
    for seed in SEEDS[share::2]:
        corpus = corpus_of(way, seed, 2)
        metric = metric_of(way, corpus)
        one, two = rows_of(metric, corpus)
        larger, equal, trials = counts_of_swaps(metric, one, two)
        ties += equal > 2
        stream = Exhaustive(len(one))
        result = sampled_results("ar", [[one], [two]], [metric], stream, trials)[1][0]
        lowest = 0.5 ** max(0, sum([first != second for first, second in zip(one, two)]) - 1)
        assert result.p_value == max((larger + 1) / (trials + 1), lowest), seed
        # An exact test counts those that are the same, too, and adds nothing.
        [[exact]] = exact_results([[one], [two]], metric).systems[1:]
        assert exact.p_value == (larger + equal) / trials >= lowest, seed
    assert ties, "no corpus has ties besides the observed difference itself and its mirror image"


@pytest.mark.parametrize("differing", first_by_default(3, [5, 6, 0, 1, 2, 3, 4]))
def test_a_few_changed_lines_are_never_significant(differing: int) -> None:
    lines = [f"the cat number {number} sat on the mat of number {number}" for number in range(200)]
    changed = [*["wrong"] * differing, *lines[differing:]]
    for metric in (purebleu.BLEU(), purebleu.CHRF(), purebleu.TER()):
        systems = [[metric.corpus_statistics(output, [lines])] for output in (lines, changed)]
        for test in ("ar", "bs"):
            result = results_of(systems, [metric], test=test, samples=1000, seed=1)
            p_value = result.systems[1][0].p_value
            assert p_value >= (0.5 ** max(0, differing - 1) if test == "ar" or not differing else 0.001), test
            assert result.differs_from_first(0, 1) == (p_value <= 0.05 and differing > 0)


def exact_results(systems: Sequence[Any], metric: Any, **options: Any) -> Any:
    return results_of(systems, [metric], test="ar", exact=True, **options)


@pytest.mark.parametrize("way", list(WAYS))
@shares(4)
def test_the_bootstrap_counts_what_is_larger_among_all_resamples(way: str, share: int) -> None:
    for seed in SEEDS[share::4]:
        corpus = corpus_of(way, seed, 2)
        metric = metric_of(way, corpus)
        one, two = rows_of(metric, corpus)
        draws = list(product(range(len(one)), repeat=len(one)))
        differences = [abs(value_of(metric, [one[index] for index in draw])
                           - value_of(metric, [two[index] for index in draw])) for draw in draws]
        mean = math.fsum(differences) / len(draws)
        larger, _ = larger_and_equal([difference - mean for difference in differences],
                                     abs(value_of(metric, one) - value_of(metric, two)))
        result = sampled_results("bs", [[one], [two]], [metric], Exhaustive(len(one)), len(draws))[1][0]
        expected = (larger + 1) / (len(draws) + 1) if any(differences) else 1.0
        assert result.p_value == expected, seed


@pytest.mark.parametrize("way", list(WAYS))
@shares(6, full=3)
def test_dealing_runs_counts_what_is_at_least_as_large(way: str, share: int) -> None:
    samples = 1000
    sizes = [(1, 1), (1, 2), (2, 1), (3, 1), (2, 2), (1, 3), (1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (3, 1)]
    for seed, (baseline_runs, system_runs) in list(zip(SEEDS, sizes))[share::6]:
        corpus = corpus_of(way, seed, baseline_runs + system_runs)
        metric = metric_of(way, corpus)
        rows = rows_of(metric, corpus)
        larger, equal, deals = counts_of_deals(metric, rows[:baseline_runs], rows[baseline_runs:])
        expected = (larger + equal) / deals
        systems = [[[run] for run in rows[:baseline_runs]], [[run] for run in rows[baseline_runs:]]]
        [[_], [found]] = runs_of(systems, [metric], samples=samples, seed=seed).systems
        error = math.sqrt(expected * (1 - expected) / samples)
        assert abs(found.p_value - expected) <= 5 * error + 2 / samples, seed
        exact = runs_of(systems, [metric], exact=True)
        assert (exact.systems[1][0].p_value, exact.samples, exact.exact) == (expected, deals, True), seed


def test_ratios_of_sums_are_compared_exactly() -> None:
    # Both differences are 1 in 10**13: as floats, they can't be told apart, but they are not the same.
    size = 10 ** 13
    rows = [[(size + 1, size), (1, 0)], [(size, size), (0, 0)]]
    counts = TrialCounts(purebleu.TER(), 0)
    for _, trials in randomization_totals([[rows[0]], [rows[1]]], [(0, 1)], Exhaustive(2), 4):  # type: ignore[arg-type]
        counts.add(trials)
    assert (counts.larger, counts.equal) == (0, 2)


@pytest.mark.parametrize("metric", first_by_default(
    1, [purebleu.BLEU(), purebleu.CHRF(word_order=2), purebleu.TER()]), ids=str)
def test_trials_that_are_not_scored_would_not_count(monkeypatch: pytest.MonkeyPatch, metric: Any) -> None:
    source = random.Random(7)
    references = [" ".join(source.choices("abcdefgh", k=12)) for _ in range(60)]
    rows: list[Any] = []
    for share_of_errors in (0.1, 0.15, 0.3, 0.5):
        output = [" ".join([word if source.random() > share_of_errors else "x" for word in line.split()])
                  for line in references]
        rows.append([metric.corpus_statistics(output, [references])])
    skipped: list[bool] = []
    bound_of = TrialCounts._bound_of

    def noted(counts: TrialCounts, trials: Any) -> float:
        bound = bound_of(counts, trials)
        assert counts._observed is not None
        skipped.append(bound < counts._observed)
        return bound

    monkeypatch.setattr(TrialCounts, "_bound_of", noted)
    with_bounds = results_of(rows, [metric], test="ar", samples=5000, rank=True, seed=1).tested
    monkeypatch.setattr(TrialCounts, "_bound_of", lambda counts, trials: math.inf)
    assert results_of(rows, [metric], test="ar", samples=5000, rank=True, seed=1).tested == with_bounds
    assert {*skipped} == {True, False}


# Exact tests

def test_exact_tests_are_those_of_scipy() -> None:
    assert len(EXACT) == 24 and len({case["p_value"] for case in EXACT}) > 8
    for case in EXACT:
        metric = getattr(purebleu.metrics, case["metric"])()
        rows = [[metric.corpus_statistics(output, [case["references"]])] for output in case["systems"]]
        for rng in ("mt19937", "numpy"):
            assert exact_results(rows, metric, rng=rng).systems[1][0].p_value == case["p_value"], case


def test_too_many_trials_for_an_exact_test_are_refused() -> None:
    rows = [[[(edits, 9) for edits in range(21)]], [[(5, 9)] * 21]]
    for test, message in (("ar", "of these segments needs 2,097,152 trials; at most 1,048,576 are allowed"),
                          ("bs", "has no exact test"), (None, "exact=True needs a test")):
        with pytest.raises(OptionError, match=message):
            results_of(rows, [purebleu.TER()], test=test, exact=True)
    with pytest.raises(OptionError, match="trials; at most"):
        runs_of([[system, system] for system in rows], [purebleu.TER()], exact=True)
