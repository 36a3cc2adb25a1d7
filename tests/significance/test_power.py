"""Power: figures by hand, figures in every format, and the standard error of a mean over documents in closed form."""

from __future__ import annotations

import csv
import functools
import io
import json
import math
import random
import re
import statistics
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.engines.resampling.streams import make_stream
from purebleu.significance import paired as power_module
from purebleu.significance.paired import resampled_scores
from purebleu.significance.sampling import Units, clustered_standard_error

from ..helpers import first_by_default, output_of, read_fixture, results_of, texts_of, write_systems

#: Inspect-ai's figures of means over clusters.
CLUSTERED = [case for case in read_fixture("trust.json.gz")["cases"] if case["kind"] == "clustered"]

#: A difference whose power is asked for, and the number of bootstrap resamples.
WANTED = 0.5
FIGURES = ["--power", f"{WANTED:g}", "-cin", "60", "-q"]

METRICS = ["-m", "bleu", "chrf", "ter"]
NAMES = ["BLEU", "chrF2", "TER"]
SYSTEMS = {"a": 0.9, "b": 0.88, "same": 0.9}
SEGMENTS = 40

NORMAL = statistics.NormalDist()
BOTH_QUANTILES = NORMAL.inv_cdf(0.975) + NORMAL.inv_cdf(0.8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("power")
    write_systems(made, {"ref": 1.0, **SYSTEMS}, SEGMENTS)
    (made / "same").write_bytes((made / "a").read_bytes())
    return made


@functools.lru_cache(maxsize=None)
def told(folder: Path, form: str, systems: tuple[str, ...], *arguments: str) -> str:
    return output_of(["test", "ref", "-i", *systems, *METRICS, *FIGURES, "-f", form, *arguments], folder)


# By hand

@given(st.floats(1e-3, 100), st.floats(1e-3, 100))
def test_figures_are_those_of_the_normal_distribution(error: float, difference: float) -> None:
    assert power_module.detectable_difference(error) == pytest.approx(BOTH_QUANTILES * error, rel=1e-9)
    shift, level = difference / error, NORMAL.inv_cdf(0.975)
    found = power_module.power(difference, error)
    assert found == pytest.approx(NORMAL.cdf(shift - level) + NORMAL.cdf(-shift - level), abs=1e-9)
    assert power_module.power(-difference, error) == found
    assert 0.05 <= found <= 1


@given(st.integers(2, 10_000), st.floats(0.01, 5), st.floats(0.05, 5))
def test_the_segments_needed_are_the_fewest_that_do(segments: int, error: float, difference: float) -> None:
    needed = power_module.segments_needed(segments, error, difference)

    def detectable(number: int) -> float:
        return BOTH_QUANTILES * error * math.sqrt(segments / number)

    assert detectable(needed) <= difference * (1 + 1e-9)
    assert needed == 1 or detectable(needed - 1) > difference * (1 - 1e-9)


# The closed form of means over documents

def test_the_closed_form_is_that_of_inspect_ai() -> None:
    assert len(CLUSTERED) > 10
    for case in CLUSTERED:
        found = clustered_standard_error(case["values"], case["documents"])
        assert found == pytest.approx(case["standard_error"], rel=1e-12), case


def test_the_bootstrap_over_documents_comes_to_the_closed_form() -> None:
    # (Without its C / (C - 1), of which the bootstrap knows nothing.)
    source = random.Random(4)
    documents = [document for document in range(60) for _ in range(5)]
    shifts = [source.gauss(0, 3) for _ in range(60)]
    values = [round(100 + 10 * (shifts[document] + source.gauss(0, 1))) for document in documents]
    metric = purebleu.TER()  # (of edits and words: with 100 words in each segment, a mean)
    rows = [(value, 100) for value in values]
    results = results_of([[rows]], [metric], differences=1500, units=Units(documents), seed=1)
    closed = clustered_standard_error(list(map(float, values)), documents)
    assert results.standard_errors[0][0] == pytest.approx(closed * math.sqrt(59 / 60), rel=0.06)
    naive = statistics.stdev(values) / math.sqrt(300)
    assert closed > 1.8 * naive


def test_rounding_errors_have_no_power() -> None:
    scores = [100 / 3, 700 / 11, 3.3]
    others = [score - 11.1 for score in scores]
    assert 0 < statistics.stdev([one - other for one, other in zip(scores, others)]) < 1e-12
    assert power_module.resampled_difference(1.0, scores, others).standard_error == 0
    assert power_module.standard_error([0.1 + 0.2, 0.3, 0.3]) == 0 < power_module.standard_error([0.3, 0.3001])


# One system

def test_one_system_has_figures_for_each_correlation(folder: Path) -> None:
    [system] = json.loads(told(folder, "json", ("a",)))
    for score in map(system.get, NAMES):
        half, more, most = score["power_by_correlation"]
        assert [line["correlation"] for line in (half, more, most)] == [0.5, 0.8, 0.9]
        error = half["mde"] / BOTH_QUANTILES  # sqrt(2 * 0.5) = 1
        for line in (half, more, most):
            # var(x - y) = var(x) + var(y) - 2 cov(x, y)
            pair_error = error * math.sqrt(2 * (1 - line["correlation"]))
            assert line["mde"] == pytest.approx(BOTH_QUANTILES * pair_error)
            assert line["segments_needed"] == power_module.segments_needed(SEGMENTS, pair_error, WANTED)
            assert line["power"] == pytest.approx(power_module.power(WANTED, pair_error))
        assert score["mde"] is score["segments_needed"] is score["power"] is None  # never one figure


def test_one_system_whose_resampled_scores_are_all_the_same_has_no_figures(folder: Path) -> None:
    # (The reference itself has a BLEU of 100 in every resample. A standard error of 0 says nothing about differences.)
    arguments = ["test", "ref", "-i", "ref", "-m", "bleu", *FIGURES]
    [system] = json.loads(output_of([*arguments, "-f", "json"], folder))
    for line in system["BLEU"]["power_by_correlation"]:
        assert line["mde"] is line["segments_needed"] is line["power"] is None
    table = normalized(output_of([*arguments, "-f", "text"], folder))
    for correlation in ("0.5", "0.8", "0.9"):
        assert f" {correlation} – – – " in table


def test_the_standard_error_is_that_of_resampled_scores(folder: Path) -> None:
    output, reference = texts_of(folder, "a", "ref")
    metrics = [purebleu.BLEU(), purebleu.CHRF(), purebleu.TER()]
    rows = [metric.corpus_statistics(output, [reference]) for metric in metrics]
    resampled = resampled_scores([rows], metrics, make_stream("mt19937", 12345), 60)[0][0]
    [system] = json.loads(told(folder, "json", ("a",)))
    for score, scores in zip(map(system.get, NAMES), resampled):
        error = score["power_by_correlation"][0]["mde"] / BOTH_QUANTILES
        assert error == pytest.approx(statistics.stdev(scores), rel=1e-9)


def cells(folder: Path, systems: tuple[str, ...]) -> list[list[Any]]:
    """Under each metric, the lines with figures as tables have them: detectable, needed, power."""
    table = json.loads(told(folder, "json", systems))
    if len(systems) == 1:
        lines = [table[0][name]["power_by_correlation"] for name in NAMES]
    else:
        lines = [[later[name]["pairs"][first["system"]] for first, later in combinations(table, 2)] for name in NAMES]
    return [["–"] * 3 if line["mde"] is None else
            [f"{line['mde']:.2f}", f"{line['segments_needed']:,}", f"{line['power']:.0%}".replace("%", " %")]
            for metric_lines in lines for line in metric_lines]


def normalized(text: str) -> str:
    """A table of any format as words."""
    return " ".join(re.sub(r"[│|&]|</?t[dhr]>|\\\\", " ", text.replace(r"\%", "%").replace(r"\*", "*")).split())


@pytest.mark.parametrize("form", first_by_default(1, ["text", "markdown", "latex", "html"]))
@pytest.mark.parametrize("systems", [("a",), ("a", "b", "same")], ids=" ".join)
def test_tables_have_the_figures_of_json(folder: Path, form: str, systems: tuple[str, ...]) -> None:
    text = normalized(told(folder, form, systems))
    position = text.index("Power" if len(systems) == 1 else "Differences")
    expected = cells(folder, systems)
    assert len(expected) == 9
    for line in expected:
        position = text.index(" ".join(line), position) + 1
    assert "Card et al., 2020" in text


def test_lines_have_the_figures_of_json(folder: Path) -> None:
    [system] = json.loads(told(folder, "json", ("a",)))
    lines = list(csv.DictReader(io.StringIO(told(folder, "csv", ("a",)))))
    assert [(line["metric"], line["mde"], line["power"]) for line in lines[:3]] == [(name, "", "") for name in NAMES]
    figures = [{"system": "a", "metric": name, "score": "", **line}
               for name in NAMES for line in system[name]["power_by_correlation"]]
    assert [{key: line[key] for key in figures[0]} for line in lines[3:]] == [
        {key: str(figure) for key, figure in line.items()} for line in figures]


# Several systems

def test_pairs_have_their_own_standard_error(folder: Path) -> None:
    table = json.loads(told(folder, "json", ("a", "b", "same")))
    for name in NAMES:
        first, other, same = [line[name] for line in table]
        assert first["mde"] is first["segments_needed"] is first["power"] is None
        error = other["mde"] / BOTH_QUANTILES
        assert other["segments_needed"] == power_module.segments_needed(SEGMENTS, error, WANTED)
        assert other["power"] == pytest.approx(power_module.power(WANTED, error))
        # Of outputs that are the same, no test set shows a difference.
        assert (same["mde"], same["segments_needed"], same["power"], same["difference"]) == (None, None, None, 0)


def test_resamples_of_a_test_serve(folder: Path) -> None:
    plain, tested = [json.loads(told(folder, "json", ("a", "b"), *further))[1]
                     for further in ([], ["-pbs", "--samples", "60"])]
    assert [tested[name]["mde"] for name in NAMES] == [plain[name]["mde"] for name in NAMES]


def test_ranked_systems_have_the_power_of_all_pairs(folder: Path) -> None:
    command = ["test", "ref", "-i", "a", "b", "same", "-m", "ter", *FIGURES, "--samples", "100"]
    table = {line["system"]: line["TER"] for line in json.loads(output_of([*command, "-f", "json"], folder))}
    assert set(table["a"]["pairs"]) == {"b", "same"}
    one, other = table["b"]["pairs"]["same"], table["same"]["pairs"]["b"]
    assert (one["mde"], one["power"], one["difference"]) == (other["mde"], other["power"], -other["difference"])
    assert (one["difference_low"], one["difference_high"]) == (-other["difference_high"], -other["difference_low"])
    lines = list(csv.DictReader(io.StringIO(output_of([*command, "-f", "csv"], folder))))
    assert [(line["system"], line["against"]) for line in lines if line["against"]] == [
        ("b", "a"), ("same", "a"), ("same", "b")]
