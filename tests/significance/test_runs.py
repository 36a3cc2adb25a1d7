"""Systems with several runs: means, standard deviations, stratified approximate randomization, and `--runs`."""

from __future__ import annotations

import csv
import io
import json
import random
import statistics
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any, Sequence, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.engines.resampling.intervals import bootstrap_scores
from purebleu.engines.resampling.packed import _subset_sampler, stratified_totals
from purebleu.engines.resampling.streams import make_stream
from purebleu.runtime.errors import PurebleuError

from ..helpers import output_of, read_fixture, refusal, refused, texts_of, told, write_lines
from ..helpers import runs_of as runs_of_systems

#: Rows of TER: edits and words.
Rows = Sequence[Tuple[float, float]]

#: MultEval's figures of some systems.
CASES = read_fixture("runs.json.gz")["cases"]

#: A seed with which no test is at its limit.
SEED = 20_111

rows_of_ter = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=3, max_size=3)


def runs_of(systems: Sequence[Sequence[Rows]], **options: Any) -> Any:
    """The results of systems whose runs are rows of TER."""
    given_options = {"samples": 100, "seed": SEED, **options}
    return runs_of_systems([[[rows] for rows in runs] for runs in systems], [purebleu.TER()], **given_options)


def ter_of(rows: Sequence[tuple[float, float]]) -> float:
    return 100 * sum(edits for edits, _ in rows) / sum(words for _, words in rows)


# Means and deviations

@given(st.lists(rows_of_ter, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_runs_does_not_matter(runs: list[Any], source: random.Random) -> None:
    [[result]] = runs_of([runs]).systems
    source.shuffle(runs)
    [[shuffled]] = runs_of([runs]).systems
    assert (shuffled.mean, shuffled.deviation) == (result.mean, result.deviation)
    assert result.mean == pytest.approx(statistics.mean(map(ter_of, runs)))
    assert result.deviation == pytest.approx(statistics.stdev(map(ter_of, runs)), abs=1e-6)


def test_the_deviation_from_the_choice_of_segments_is_that_of_resamples() -> None:
    source = random.Random(1)
    systems = [[[(source.randrange(5), 5) for _ in range(30)] for _ in range(runs)] for runs in (2, 1)]
    results = runs_of(systems, resamples=50)
    all_runs = [run for runs in systems for run in runs]
    scores = bootstrap_scores(all_runs, [purebleu.TER().values] * 3, make_stream("mt19937", SEED), 50)
    deviations = [statistics.stdev(resampled) for resampled in scores]
    assert [result.selection for [result] in results.systems] == pytest.approx(
        [(deviations[0] + deviations[1]) / 2, deviations[2]])


# MultEval

def rows_of_case(case: Any) -> tuple[list[Any], list[Any]]:
    """The metrics, and for each system and run its rows under each."""
    metrics = [purebleu.BLEU(tokenize="none", force=True), purebleu.TER()]
    return metrics, [[[metric.corpus_statistics(run, [case["references"]]) for metric in metrics] for run in runs]
                     for runs in case["systems"]]


@pytest.mark.parametrize("case", CASES)
def test_figures_are_those_of_multeval(case: Any) -> None:
    metrics, rows = rows_of_case(case)
    results = runs_of_systems(rows, metrics, samples=0, resamples=500, seed=SEED)
    for system_runs, expected in zip(results.systems, case["results"]):
        for result, figures in zip(system_runs, (expected["BLEU"], expected["TER"])):
            found = [result.mean, min(result.scores), max(result.scores), result.deviation]
            assert found == pytest.approx([figures.get(name) for name in ("AVG", "MIN", "MAX", "STDDEV")], abs=6e-7)
            assert result.selection == pytest.approx(figures["RESAMPLED_STDDEV_AVG"], rel=0.15)
            assert result.p_value is None


@pytest.mark.parametrize("case", CASES)
def test_p_is_about_that_of_multeval(case: Any) -> None:
    # MultEval counts only larger differences. It deals outputs in pairs, one of each system; of three runs or more, it
    # may deal one of them twice, and leave out another.
    metrics, rows = rows_of_case(case)
    stream = make_stream("mt19937", SEED)
    runs = len(rows[0])
    blocks = list(stratified_totals([*rows[0], *rows[1]], runs, stream, 2000))
    for index, (name, metric) in enumerate(zip(("BLEU", "TER"), metrics)):
        observed, *differences = [abs(one - other) for block in blocks
                                  for one, other in zip(*map(metric.values, block.of_group(index).sums()))]
        share = sum(difference > observed for difference in differences) / 2000
        assert share == pytest.approx(case["results"][1][name]["P_VALUE"], abs=0.04 if runs == 1 else 0.1)


# The test

@given(st.lists(rows_of_ter, min_size=1, max_size=4))
def test_systems_that_are_the_same_have_a_p_of_one(runs: list[Any]) -> None:
    [[baseline], [system]] = runs_of([runs, runs]).systems
    assert (baseline.p_value, system.p_value) == (None, 1)
    assert system.scores == baseline.scores


def test_p_does_not_depend_on_further_systems_and_metrics() -> None:
    source = random.Random(3)
    one, two, three = [[[(source.randrange(5), 5) for _ in range(20)] for _ in range(2)] for _ in range(3)]
    alone = runs_of([one, three]).systems
    assert runs_of([one, two, three]).systems[2] == alone[1]
    doubled = [[[run, run] for run in runs] for runs in (one, three)]
    both = runs_of_systems(doubled, [purebleu.TER()] * 2, samples=100, seed=SEED)
    assert [result.p_value for result in both.systems[1]] == [alone[1][0].p_value] * 2


@pytest.mark.parametrize("rng, expected", [("mt19937", 0.27), ("numpy", 0.296)])
def test_p_is_the_same_on_every_python(rng: str, expected: float) -> None:
    source = random.Random(9)
    one, two = [[[(source.randrange(20 + system), 20) for _ in range(50)] for _ in range(3)] for system in range(2)]
    assert runs_of([one, two], samples=499, rng=rng).systems[1][0].p_value == expected


@pytest.mark.parametrize("rng", ["mt19937", "numpy"])
@pytest.mark.parametrize("outputs, size", [(2, 1), (4, 2), (5, 1), (5, 4), (6, 3)])
def test_all_subsets_are_equally_likely(rng: str, outputs: int, size: int) -> None:
    sample = _subset_sampler(outputs, size, make_stream(rng, SEED))
    found = Counter([subset for _ in range(10) for subset in zip(*sample(600))])
    assert {sum(subset) for subset in found} == {size, size - 1}  # (without the last output)
    expected = 6000 / len(list(combinations(range(outputs), size)))
    assert sum(found.values()) == 6000
    assert all(abs(number - expected) < 5 * expected ** 0.5 for number in found.values())


def test_subsets_of_many_outputs() -> None:
    stream = make_stream("mt19937", SEED)
    for outputs, size in ((128, 64), (128, 127), (128, 1), (100, 7)):
        taken = list(zip(*_subset_sampler(outputs, size, stream)(400)))
        assert {len(subset) for subset in taken} == {outputs - 1}
        assert {sum(subset) for subset in taken} <= {size, size - 1}
        share = sum(map(sum, taken)) / (400 * (outputs - 1))
        assert share == pytest.approx(size / outputs, abs=0.01)


def test_no_number_of_samples_means_the_usual_one() -> None:
    usual, given = [purebleu.significance.runs_of([[[[(1, 2), (0, 2)]]], [[[(2, 2), (1, 2)]]]], [purebleu.TER()],
                                                  purebleu.significance.Sampling("sar", samples, seed=SEED))
                    for samples in (0, 10_000)]
    assert (usual.samples, usual.test, usual.systems) == (10_000, "sar", given.systems)


def test_wrong_runs_are_refused() -> None:
    one = [[(1, 2)]]
    table: list[tuple[Any, str, str]] = [
        ([one, []], "numpy", "a system has no runs"),
        ([one, [[(1, 2), (1, 2)]]], "numpy", "different numbers of segments"),
        ([one, one * 128], "numpy", "the two systems have 129 runs, but at most 128 runs can be compared"),
        ([one], "x", "unknown random stream 'x'")]
    for systems, rng, message in table:
        with pytest.raises(PurebleuError, match=message):
            runs_of(systems, rng=rng)


# The command line

SHARES = {"ref": 1, "A.1.txt": 0.8, "A.2.txt": 0.7, "A.10.txt": 0.75, "B.1.txt": 0.9, "B.2.txt": 0.92, "C[1].txt": 0.5}
SEGMENTS = 40

ARGS = ["test", "ref", "--runs", "A=A.*.txt", "B=B.?.txt", "--samples", "200", "-q"]

#: The lowest p-value of 200 trials, as JSON has it.
FLOOR = 0.00497512

TABLE = """\
╒══════════╤════════╤════════════════╕
│   System │  Runs  │      BLEU      │
╞══════════╪════════╪════════════════╡
│        A │   3    │ 50.7 (s = 6.2) │
├──────────┼────────┼────────────────┤
│        B │   2    │ 78.5 (s = 5.3) │
│          │        │ (p = 0.0050)*  │
╘══════════╧════════╧════════════════╛
"""


def test_scores_are_those_of_single_files(folder: Path) -> None:
    [a, b] = json.loads(output_of([*ARGS, "-m", "bleu", "chrf", "wer", "-f", "json"], folder))
    assert (a["system"], b["system"]) == ("A", "B")
    for system, files in ((a, ["A.1.txt", "A.10.txt", "A.2.txt"]), (b, ["B.1.txt", "B.2.txt"])):
        single = [json.loads(output_of(["ref", "-i", file, "-m", "bleu", "chrf", "wer", "-w", "20"], folder))
                  for file in files]
        for metric_rows in zip(*single):
            name, scores = metric_rows[0]["name"], [score["score"] for score in metric_rows]
            assert system[name]["scores"] == pytest.approx(scores, abs=1e-12)
            assert system[name]["mean"] == pytest.approx(statistics.mean(scores))
            assert system[name]["deviation"] == pytest.approx(statistics.stdev(scores))
    assert (a["BLEU"]["p_value"], b["BLEU"]["p_value"]) == (None, FLOOR)
    [means, _] = json.loads(output_of(["ref", *ARGS[2:5], "-m", "bleu", "chrf", "wer"], folder))
    assert means == {**a, "baseline": False}  # `score` tests nothing


def test_tables_in_every_format(folder: Path) -> None:
    assert output_of([*ARGS, "-f", "text"], folder).startswith(TABLE)
    [a, b] = json.loads(output_of([*ARGS, "-f", "json"], folder))
    signed = json.loads(output_of([*ARGS, "-f", "json-signed"], folder))
    signature = signed["signatures"]["BLEU"]
    assert signed["systems"] == [a, b]
    assert signature.startswith("nrefs:1|sar:200|seed:12345|rng:mt19937|case:mixed|")
    lines = list(csv.DictReader(io.StringIO(output_of([*ARGS, "-f", "csv"], folder))))
    cell = b["BLEU"]
    assert lines[1] == {"system": "B", "metric": "BLEU", "runs": "2", "mean": str(cell["mean"]),
                        "deviation": str(cell["deviation"]), "lowest": str(min(cell["scores"])),
                        "highest": str(max(cell["scores"])), "selection": "", "p_value": str(FLOOR),
                        "p_holm": str(cell["p_holm"]), "lower_is_better": "False", "lowest_possible": "0",
                        "highest_possible": "100", "signature": signature}
    for form, expected in (
            ("tsv", f"A\tBLEU\t3\t{a['BLEU']['mean']}\t"), ("latex", "A & "),
            ("markdown", "| System | Runs | BLEU |\n| ---: | :---: | :---: |\n| A | 3 | 50.7 (s = 6.2) |"),
            ("html", "<tr><th scope=\"row\">B</th><td>2</td><td>78.5 (s = 5.3)<br>(p = 0.0050)*</td></tr>")):
        assert expected in output_of([*ARGS, "-f", form], folder)


def test_a_single_system_and_intervals(folder: Path) -> None:
    args = ["test", "ref", "--runs", "A=A.*.txt", "-m", "ter", "-q"]
    shown = output_of([*args, "-f", "text"], folder)
    assert "randomization" not in shown and "seed" not in shown
    shown = " ".join(output_of([*args, "-ci", "-cin", "50", "-f", "text"], folder).split())
    assert all(part in shown for part in ("s_sel = ", "50 bootstrap resamples", "nrefs:1|bs:50|seed:12345|"))
    assert output_of(["test", "ref", "--runs", "A=A.1.txt", "-f", "markdown", "-m", "ter", "-q"], folder).startswith(
        "| System | Runs | TER |\n| ---: | :---: | :---: |\n| A | 1 | ")


def test_other_ways_to_score(folder: Path) -> None:
    assert output_of([*ARGS, "--seed", "12345"], folder) == output_of(ARGS, folder)
    assert json.loads(output_of([*ARGS, "--rng", "numpy", "-f", "json"], folder))[1]["BLEU"]["p_value"] < 0.05
    for name in ("A.1", "A.2", "B.1", "B.2"):
        [lines] = texts_of(folder, f"{name}.txt")
        write_lines(folder / f"{name}.jsonl", [json.dumps({"text": line}) for line in lines])
    in_columns = output_of([*ARGS[:3], "A=A.*.jsonl:text", "B=B.*.jsonl:text", *ARGS[5:]], folder)
    assert in_columns == output_of([*ARGS[:3], "A=A.[12].txt", "B=B.*.txt", *ARGS[5:]], folder)
    # A file with this very name is taken as it is.
    [system] = json.loads(output_of(["ref", "--runs", "C=C[1].txt"], folder))
    assert len(system["BLEU"]["scores"]) == 1


def test_each_system_is_tested_against_one(folder: Path) -> None:
    """All tests are one family; standard error says what was tested."""
    command = [*ARGS[:5], "C=C[1].txt", *ARGS[5:7], "-m", "bleu", "ter", "-f", "json"]
    for further, first in (([], "A"), (["--against", "C"], "C")):
        output, errors = told(folder, *command, *further)
        assert errors == (f"purebleu: tested: each system against {first}, over all runs (--runs shows no ranks, power "
                          "or agreement with people)\n")
        [baseline, *others] = json.loads(output)
        assert (baseline["system"], baseline["BLEU"]["p_value"], len(others)) == (first, None, 2)
        cells = [other[name] for other in others for name in ("BLEU", "TER")]
        assert [(cell["p_value"], cell["p_holm"]) for cell in cells] == 4 * [(FLOOR, pytest.approx(4 * FLOOR, 1e-4))]
        plain = json.loads(output_of([*command, *further, "--correction", "none", "-q"], folder))
        assert [(other[name]["p_value"], other[name]["p_holm"]) for other in plain[1:] for name in ("BLEU", "TER")] == [
            (cell["p_value"], None) for cell in cells]
    assert told(folder, "test", "ref", "--runs", "A=A.*.txt")[1] == (
        "purebleu: not tested: there is one system (--runs shows no ranks, power or agreement with people)\n")


@refused("runs")
def test_wrong_options_of_runs_are_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "short").write_text("a\n")
    assert message in refusal(folder, *arguments, code=code)
