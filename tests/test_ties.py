"""p-values held against the enumeration of all trials, in small corpora, where differences are often the same."""

from __future__ import annotations

import math
import random
from itertools import combinations, product

import pytest

from .helpers import load, part
from .test_metric_properties import WAYS, make_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Sequence, Tuple

    #: Rows of a system under one metric.
    Rows = Sequence[Tuple[float, ...]]

    #: Streams of references, and outputs of several systems or runs.
    Corpus = Tuple[List[List[str]], List[List[str]]]

#: Scores that differ by less are the same: far above what rounding does, far below any difference of so few words.
SAME = 1e-9

#: The numbers of references per segment, whose thirds, fifths and sevenths are rounded where lengths are added up.
REFERENCES = (1, 2, 3, 5, 6, 7)

SEEDS = range(12)


class Everything:
    """A stream in which each way to draw segments comes once, and each way to swap them."""

    NUMBER = None
    TELLS_ROUNDING_APART = False

    def __init__(self, segments: int) -> None:
        self._draws = product(range(segments), repeat=segments)
        self._swaps = product([0, 1], repeat=segments)

    def sampler(self, items: Sequence[int]) -> Callable[[int], list[int]]:
        return lambda _: [items[index] for index in next(self._draws)]

    def bits(self, count: int) -> bytes:
        return sum(bit << index for index, bit in enumerate(next(self._swaps))).to_bytes(1, "little")


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
    return sum(difference > observed for difference in differences
               if abs(difference - observed) >= SAME), equal


@pytest.mark.parametrize("way", list(WAYS))
def test_randomization_counts_what_is_larger_among_all_trials(way: str) -> None:
    paired = load("significance.paired")
    ties = 0
    for seed in SEEDS:
        corpus = corpus_of(way, seed, 2)
        metric = metric_of(way, corpus)
        one, two = rows_of(metric, corpus)
        trials = [zip(*[(second, first) if swap else (first, second) for first, second, swap in zip(one, two, swaps)])
                  for swaps in product([0, 1], repeat=len(one))]
        differences = [abs(value_of(metric, first) - value_of(metric, second)) for first, second in trials]
        larger, equal = larger_and_equal(differences, abs(value_of(metric, one) - value_of(metric, two)))
        ties += equal > 2
        stream = Everything(len(one))
        result = paired.paired_randomization([[one], [two]], [metric], stream, len(trials))[1][0]
        assert result.p_value == (larger + 1) / (len(trials) + 1), seed
    assert ties, "no corpus has ties besides the observed difference itself and its mirror image"


@pytest.mark.parametrize("way", list(WAYS))
def test_the_bootstrap_counts_what_is_larger_among_all_resamples(way: str) -> None:
    paired = load("significance.paired")
    for seed in SEEDS:
        corpus = corpus_of(way, seed, 2)
        metric = metric_of(way, corpus)
        rows = rows_of(metric, corpus)
        one, two = rows
        draws = list(product(range(len(one)), repeat=len(one)))
        differences = [abs(value_of(metric, [one[index] for index in draw])
                           - value_of(metric, [two[index] for index in draw])) for draw in draws]
        mean = math.fsum(differences) / len(draws)
        larger, _ = larger_and_equal([difference - mean for difference in differences],
                                     abs(value_of(metric, one) - value_of(metric, two)))
        result = paired.paired_bootstrap([[one], [two]], [metric], Everything(len(one)), len(draws))[1][0]
        assert result.p_value == (larger + 1) / (len(draws) + 1), seed


@pytest.mark.parametrize("way", list(WAYS))
def test_dealing_runs_counts_what_is_at_least_as_large(way: str) -> None:
    runs_of = part("significance.runs", "runs_of")
    samples = 1000
    for seed, (of_baseline, of_system) in zip(SEEDS, [(1, 1), (1, 2), (2, 1), (3, 1), (2, 2), (1, 3)] * 2):
        corpus = corpus_of(way, seed, of_baseline + of_system)
        metric = metric_of(way, corpus)
        rows = rows_of(metric, corpus)
        deals = []
        subsets = list(combinations(range(len(rows)), of_baseline))
        for chosen in product(subsets, repeat=len(rows[0])):
            dealt: list[list[Any]] = [[], []]
            for segment, subset in enumerate(chosen):
                for run, of_run in enumerate(rows):
                    dealt[run in subset].append(of_run[segment])
            deals.append(abs(value_of(metric, dealt[0]) - value_of(metric, dealt[1])))
        observed = abs(value_of(metric, [row for run in rows[:of_baseline] for row in run])
                       - value_of(metric, [row for run in rows[of_baseline:] for row in run]))
        expected = sum(larger_and_equal(deals, observed)) / len(deals)
        systems = [[[run] for run in rows[:of_baseline]], [[run] for run in rows[of_baseline:]]]
        found = runs_of(systems, [metric], samples=samples, seed=seed).systems[1][0].p_value
        error = math.sqrt(expected * (1 - expected) / samples)
        assert abs(found - expected) <= 5 * error + 2 / samples, seed


@pytest.mark.parametrize("rng", ["mt19937", "numpy"])
@pytest.mark.parametrize("references", REFERENCES)
def test_ter_with_any_number_of_references(references: int, rng: str) -> None:
    # Lengths are whole numbers of halves, thirds, fifths, sixths and sevenths. Each of the two segments has a system
    # that is better by one edit: of four trials, two differ by two edits, the observed ones do not.
    lengths = [(9 + segment) / references for segment in range(2)]
    one, two = [(1, lengths[0]), (3, lengths[1])], [(2, lengths[0]), (2, lengths[1])]
    results = load("significance").results_of([[one], [two]], [load().TER()], test="ar", samples=4000, rng=rng, seed=1)
    assert abs(results.systems[1][0].p_value - 0.5) < 5 * math.sqrt(0.25 / 4000)


def test_ratios_of_sums_are_compared_exactly() -> None:
    # Both differences are 1 in 10**13: as floats, they can't be told apart, but they are not the same.
    trials = load("significance.trials")
    sums = load("engines.resampling.packed")
    size = 10 ** 13
    rows = [[(size + 1, size), (1, 0)], [(size, size), (0, 0)]]
    counts = trials.TrialCounts(load().TER(), 0)
    for _, one, other in sums.randomization_totals([[rows[0]], [rows[1]]], [(0, 1)], Everything(2), 4):
        counts.add(one, other)
    assert (counts.larger, counts.equal) == (0, 2)
