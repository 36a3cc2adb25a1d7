"""Families of tests and ranks: Holm's correction by hand, floors, ranges and clusters by definition, all formats."""

from __future__ import annotations

import functools
import json
import random
from itertools import combinations, product
from pathlib import Path
from typing import Any, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.significance import paired
from purebleu.significance.results import Ranking, holm_adjusted, samples_needed
from purebleu.significance.sampling import TESTS

from ..helpers import call_cli, first_by_default, output_of, refusal, runs_of, texts_of, write_lines, write_systems
from .test_power import normalized
from .test_units import results_of

SYSTEMS = {"one": 0.9, "two": 0.86, "three": 0.85, "four": 0.6, "same": 0.9}
METRICS = ["bleu", "ter"]
NAMES = ["BLEU", "TER"]

#: Pairs of the five systems.
PAIRS = list(combinations(range(5), 2))


def holm_by_hand(p_values: Sequence[float]) -> list[float]:
    """Holm (1979): of n p-values in order, the k-th is multiplied with n - k + 1; none is below one before."""
    steps = {p_value: (len(p_values) - sum(before < p_value for before in p_values)) * p_value for p_value in p_values}
    return [min(1.0, max([step for other, step in steps.items() if other <= p_value])) for p_value in p_values]


def corpus(seed: int, segments: int = 30, systems: int = 4) -> list[list[list[tuple[int, int]]]]:
    """Rows of several systems under TER and WER."""
    source = random.Random(seed)
    lengths = [source.randrange(5, 20) for _ in range(segments)]
    return [[[(round(length * source.random() * (0.6 + 0.1 * system)), length) for length in lengths]
             for _ in range(2)] for system in range(systems)]


def two_metrics() -> list[Any]:
    return [purebleu.TER(), purebleu.TER(case_sensitive=True)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("ranking")
    write_systems(made, {"ref": 1.0, **SYSTEMS}, 40)
    (made / "same").write_bytes((made / "one").read_bytes())
    write_lines(made / "docs", [index // 4 for index in range(40)])
    return made


@functools.lru_cache(maxsize=None)
def told(folder: Path, *arguments: str) -> str:
    """The verdicts on the systems under both metrics."""
    return output_of(["test", "ref", "-i", *SYSTEMS, "-m", *METRICS, "-q", "--no-power", "--no-worth", "-cin", "20",
                      *arguments], folder)


def members(folder: Path, *arguments: str) -> dict[str, Any]:
    """The systems of a table in JSON, by their names."""
    return {line["system"]: line for line in json.loads(told(folder, *arguments))}


# Holm's correction

@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_that_of_the_definition(p_values: list[float]) -> None:
    assert holm_adjusted(p_values) == pytest.approx(holm_by_hand(p_values), rel=1e-12)


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_the_family_is_every_p_value_of_the_table(test: str) -> None:
    results = results_of(corpus(1), two_metrics(), test=test, samples=300, holm=True)
    adjusted = iter(holm_by_hand([system[metric].p_value for metric in range(2) for system in results.systems[1:]]))
    assert results.corrected == [{(0, index): pytest.approx(next(adjusted)) for index in (1, 2, 3)} for _ in range(2)]
    assert repr(results.systems) == repr(results_of(corpus(1), two_metrics(), test=test, samples=300).systems)


@pytest.mark.parametrize("holm", [False, True])
@pytest.mark.parametrize("test", ["ar", "bs"])
def test_the_family_of_ranks_is_all_pairs(test: str, holm: bool) -> None:
    systems = corpus(2)
    results = results_of(systems, two_metrics(), test=test, samples=500, rank=True, holm=holm)
    plain = [{(one, two): results_of([systems[one], systems[two]], two_metrics(), test=test,
                                     samples=results.rank_samples).systems[1][metric].p_value
              for one, two in combinations(range(4), 2)} for metric in range(2)]
    # Pairs and metrics together, or metric by metric.
    families = [[p_value for one in plain for p_value in one.values()]] if holm else [[*one.values()] for one in plain]
    adjusted = iter([p_value for family in families for p_value in holm_by_hand(family)])
    expected = [{pair: pytest.approx(next(adjusted)) for pair in metric_results} for metric_results in plain]
    assert results.corrected == expected
    assert results.family == (12 if holm else 6)
    assert [metric_results.p_values for metric_results in results.rankings] == expected


def test_the_family_of_runs() -> None:
    runs = corpus(3, systems=6)
    systems = [runs[:2], runs[2:4], runs[4:]]
    results = runs_of(systems, two_metrics(), samples=200, holm=True, seed=1)
    plain = [result.p_value for system in results.systems[1:] for result in system if result.p_value is not None]
    assert results.corrected[0] == [None, None]
    assert [p_value for system in results.corrected[1:] for p_value in system] == pytest.approx(holm_by_hand(plain))


# Floors

def test_the_samples_needed_are_the_fewest_whose_floor_is_low_enough() -> None:
    for tests in range(1, 60):
        needed = samples_needed(tests)
        assert tests / (needed + 1) <= 0.05 < tests / needed, tests


def test_ranks_alone_take_more_samples() -> None:
    # Nine systems are 36 pairs: 719 samples are needed; with the other metric, 1439.
    systems = [[[(edits * (1 + index % 3) % 7, 10) for edits in range(8)]] * 2 for index in range(9)]
    for holm, rank_samples in ((False, 7190), (True, 14_390)):
        ranked = results_of(systems, two_metrics(), test="bs", rank=True, holm=holm)
        assert (ranked.samples, ranked.rank_samples) == (1000, rank_samples)
    plain = results_of(systems, two_metrics(), test="bs")
    assert repr(ranked.systems) == repr(plain.systems)  # p-values and intervals keep their number
    given_number = results_of(systems, two_metrics(), test="bs", samples=800, rank=True)
    assert (given_number.samples, given_number.rank_samples) == (800, 800)


@pytest.mark.parametrize("options", first_by_default(2, [
    {"samples": 1000, "holm": True}, {"exact": True}, {}, {"holm": True}, {"rng": "numpy", "resamples": 20}]))
def test_trials_that_end_early_change_no_rank_and_no_significant_p_value(monkeypatch: pytest.MonkeyPatch,
                                                                         options: dict[str, Any]) -> None:
    # So that the ranks of 15 pairs, without a number, take more:
    monkeypatch.setitem(TESTS, "ar", TESTS["ar"]._replace(samples=1000))
    systems = [[rows, rows[::-1]] for rows, _ in corpus(5, 10 if "exact" in options else 30, 5)]
    systems.append(systems[0])
    stopped = results_of(systems, two_metrics(), test="ar", rank=True, **options)
    monkeypatch.setattr(paired, "_ENOUGH_LARGER", 10 ** 9)
    whole = results_of(systems, two_metrics(), test="ar", rank=True, **options)
    assert [ranked.ranges for ranked in stopped.rankings] == [ranked.ranges for ranked in whole.rankings]
    assert repr(stopped.systems) == repr(whole.systems)
    assert (stopped.tested == whole.tested) == ("exact" in options)
    for stopped_pairs, whole_pairs in zip(stopped.corrected, whole.corrected):
        for pair, p_value in whole_pairs.items():
            assert stopped_pairs[pair] == p_value if p_value <= 0.05 else stopped_pairs[pair] > 0.05, pair


@pytest.mark.parametrize("options, message", [
    ({"samples": 118, "rank": True}, "with 118 samples, no p-value can be significant after the "
                                     "correction for 6 tests: at least 119 samples are needed"),
    ({"samples": 119, "rank": True}, ""),
    ({"samples": 238, "rank": True, "holm": True}, "correction for 12 tests: at least 239 samples are needed"),
    ({"samples": 239, "rank": True, "holm": True}, ""),
    ({"samples": 118, "holm": True}, "after the correction for 6 tests: at least 119 samples are needed"),
    ({"samples": 18}, ""),
    ({"rank": True}, ""),
    ({"rank": True, "exact": True, "segments": 7}, "no p-value of all 128 possible trials can be "
                                                   "significant after the correction for 6 tests"),
    ({"rank": True, "exact": True, "segments": 8}, ""),  # 2 / 256 * 6 = 0.047
])
def test_numbers_that_are_too_low_are_warned_of(recwarn: pytest.WarningsRecorder, options: Any, message: str) -> None:
    systems = corpus(5, options.pop("segments", 30))
    results = results_of(systems, two_metrics(), test="ar", **options)
    assert message in "".join([str(warning.message) for warning in recwarn])
    assert len(recwarn) == bool(message)
    if "samples" in options:
        assert results.samples == options["samples"]


@pytest.mark.parametrize("sizes, segments, warns", [
    ((1, 1), 5, True), ((1, 1), 6, False),  # 2 / 32 and 2 / 64
    ((2, 1), 2, True), ((2, 1), 3, False),  # 1 / 9 and 1 / 27
])
def test_exact_tests_of_runs_warn_if_their_trials_are_too_few(recwarn: pytest.WarningsRecorder,
                                                              sizes: tuple[int, int], segments: int,
                                                              warns: bool) -> None:
    baseline, system = [[[[(edits, 10)] * segments]] * size for edits, size in zip((1, 9), sizes)]
    [[_], [result]] = runs_of([baseline, system], [purebleu.TER()], holm=True, exact=True).systems
    assert [str(warning.message).endswith("after the correction for 1 test") for warning in recwarn] == [True] * warns
    assert result.p_value is not None
    assert (result.p_value <= 0.05) == (not warns)  # no outputs differ more than these


# Ranges and clusters

p_values_of_pairs = st.lists(st.sampled_from([0.0001, 0.05, 0.0501, 0.4, 1.0]), min_size=10, max_size=10)


@given(st.lists(st.integers(0, 6), min_size=5, max_size=5), st.booleans(), p_values_of_pairs)
def test_ranks_are_those_of_the_definition(scores: list[int], lower_is_better: bool, p_values: list[float]) -> None:
    by_pair = dict(zip(PAIRS, p_values))
    found = Ranking(list(map(float, scores)), lower_is_better, by_pair)
    sign = -1 if lower_is_better else 1

    def is_better(one: int, other: int) -> bool:
        """Whether a system is significantly better than another one."""
        return by_pair[min(one, other), max(one, other)] <= 0.05 and sign * (scores[one] - scores[other]) > 0

    for system in range(5):
        others = [other for other in range(5) if other != system]
        first = 1 + sum(is_better(other, system) for other in others)
        last = 5 - sum(is_better(system, other) for other in others)
        assert (found.ranges[system], found.rank(system)) == (
            (first, last), f"{first}-{last}" if first < last else f"{first}")
    ordered = [sign * scores[system] for system in found.order]
    assert ordered == sorted(ordered, reverse=True)
    assert found.clusters == finest_clusters(found.order, is_better)
    assert [found.cluster(system) for system in found.order] == [
        number for number, cluster in enumerate(found.clusters, 1) for _ in cluster]


def finest_clusters(order: Sequence[int], is_better: Any) -> list[list[int]]:
    """Of all ways to split the order so that a system is significantly better than all of later parts, the finest."""
    allowed = []
    for cuts in product([False, True], repeat=len(order) - 1):
        borders = [0, *[index for index, cut in enumerate(cuts, 1) if cut], len(order)]
        parts = [list(order[start:end]) for start, end in zip(borders, borders[1:])]
        if all(is_better(above, below) for border in borders[1:-1]
               for above in order[:border] for below in order[border:]):
            allowed.append(parts)
    return max(allowed, key=len)


# In every format

def test_the_same_ranks_in_every_format(folder: Path) -> None:
    # (`test_lines_for_spreadsheets_have_the_figures_of_json` holds CSV to JSON.)
    reference, *outputs = texts_of(folder, "ref", *SYSTEMS)
    metrics = [purebleu.BLEU(), purebleu.TER()]
    rows = [[metric.corpus_statistics(output, [reference]) for metric in metrics] for output in outputs]
    results = results_of(rows, metrics, test="ar", samples=500, rank=True, holm=True, seed=12345)
    order = results.rankings[0].order
    table = members(folder, "--samples", "500", "-f", "json")
    for index, name in enumerate(SYSTEMS):
        for metric, metric_results in zip(NAMES, results.rankings):
            cell = table[name][metric]
            assert (cell["rank"], cell["cluster"]) == (metric_results.rank(index), metric_results.cluster(index))
    for form in ("text", "markdown", "latex", "html"):
        text = normalized(told(folder, "--samples", "500", "-f", form))
        position = text.index("Ranking")
        for system in order:
            cells = [f"{result.score:.1f} {metric_results.rank(system)} {metric_results.cluster(system)}"
                     for result, metric_results in zip(results.systems[system], results.rankings)]
            position = text.index(f"{list(SYSTEMS)[system]} {' '.join(cells)}", position) + 1
    assert table["one"]["BLEU"]["rank"] == table["same"]["BLEU"]["rank"] != "1"
    assert table["four"]["BLEU"]["rank"] == "5"


def test_all_tests_are_one_family(folder: Path) -> None:
    """Of all pairs, or of each system against one, under all metrics; the line on standard error counts them."""
    outputs = dict(zip(["ref", *SYSTEMS], texts_of(folder, "ref", *SYSTEMS)))
    metrics = [purebleu.BLEU(), purebleu.TER()]
    rows = {name: [metric.corpus_statistics(outputs[name], [outputs["ref"]]) for metric in metrics] for name in SYSTEMS}
    trials = ["--samples", "500"]
    for against, tests in (("", 20), ("three", 8)):
        order = sorted(SYSTEMS, key=lambda name: name != against)  # (the one that others are tested against first)
        ordered = [rows[name] for name in order]
        results = results_of(ordered, metrics, test="ar", samples=500, rank=not against, holm=True, seed=12345)
        further = ["--against", against] if against else []
        table = members(folder, *trials, *further, "-f", "json")
        assert [(name, table[name]["baseline"]) for name in table] == [(name, name == against) for name in order]
        found = {(name, other, metric): pair["p_holm"] for name in order for metric in NAMES
                 for other, pair in table[name][metric]["pairs"].items() if pair["p_holm"] is not None}
        assert found == {(order[side], order[other], metric): pytest.approx(p_value, rel=1e-5)
                         for metric, corrected in zip(NAMES, results.corrected)
                         for pair, p_value in corrected.items() for side, other in (pair, pair[::-1])}
        assert len(found) == 2 * tests
        assert all((table[name][metric]["rank"] is None) == bool(against) for name in order for metric in NAMES)
        assert f"corrected for all {tests} tests together" in normalized(told(folder, *trials, *further))
        plain = members(folder, *trials, *further, "--correction", "none", "-f", "json")
        for name, metric in product(order, NAMES):
            assert plain[name][metric]["p_value"] == table[name][metric]["p_value"]
            assert plain[name][metric]["p_holm"] is plain[name][metric]["rank"] is None
        assert "Holm" not in normalized(told(folder, *trials, *further, "--correction", "none"))
    command = ["test", "ref", "-m", "ter", *trials, "-i"]
    for systems, said in (
            ([*SYSTEMS], "Holm's correction for all 10 tests together"),
            ([*SYSTEMS, "--against", "two"], "Holm's correction for all 4 tests together"),
            ([*SYSTEMS, "--correction", "none"], "4 tests without a correction"), (["one", "two"], "one test")):
        assert call_cli([*command, *systems], cwd=folder).stderr.decode() == (
            f"purebleu: tested: paired approximate randomization, 500 trials of segments, {said}\n")
    alone = call_cli([*command, "one"], cwd=folder).stderr.decode()
    assert alone == ("purebleu: warning: --samples has no effect: tests compare systems, but there is only "
                     "one system\npurebleu: not tested: there is one system (with 40 segments)\n")
    for name in ("ref", "one"):
        write_lines(folder / f"{name}1", texts_of(folder, name)[0][:1])
    assert call_cli(["test", "ref1", "-i", "one1"], cwd=folder).stderr.endswith(b"one system (with 1 segment)\n")
    assert "--against ten: no system has this name; the systems are one, two, three, four, same" in refusal(
        folder, *command, *SYSTEMS, "--against", "ten")


def test_exact_ranks_say_so(folder: Path) -> None:
    # Ten documents: 2 ** 10 trials are fewer than 10,000, so that all of them are made.
    arguments = ("-m", "ter", "--docs", "docs", "-f")
    text = normalized(told(folder, *arguments, "text"))
    assert "Paired approximate randomization, all 1,024 trials" in text
    assert "were tested (with all 1,024 trials), and the p-values are corrected" in text
    assert "ar:exact unit:doc " in text  # (nothing is sampled, so that there is no seed)
    p_values = [members(folder, *arguments, "json")[name]["TER"]["p_value"] for name in list(SYSTEMS)[1:]]
    assert all(p_value * 1024 == pytest.approx(round(p_value * 1024), rel=1e-5) for p_value in p_values)
    assert p_values[-1] == 1  # the same outputs
    assert told(folder, *arguments, "json", "--exact") == told(folder, *arguments, "json")
