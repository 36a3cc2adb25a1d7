"""`--manifest`: many systems on many pairs, in one table in every format, with means, and in one report."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from purebleu.significance.results import holm_adjusted

from ..helpers import SHARED, csv_rows, output_of, refusal, refused, told, write_lines, write_systems
from ..report.test_report import Page

WMT22 = SHARED / "data" / "wmt22"

FEW = ["--samples", "300", "-cin", "40"]
HEADING = "name\tpair\treferences\thypothesis"

ROWS = [("A", "en-de", "ref.de", "A.de"), ("B", "en-de", "ref.de", "B.de"), ("C", "en-de", "ref.de", "C.de"),
        ("B", "en-zh", "ref.zh;ref2.zh", "B.zh"), ("A", "en-zh", "ref.zh;ref2.zh", "A.zh"),
        ("D", "en-zh", "ref.zh;ref2.zh", "D.zh")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manifest")
    (folder / "data").mkdir()
    write_systems(folder / "data", {"ref.de": 1.0, "A.de": 0.9, "B.de": 0.8, "C.de": 0.4}, 60)
    write_systems(folder / "data", {"ref.zh": 1.0, "ref2.zh": 0.9, "A.zh": 0.6, "B.zh": 0.7, "D.zh": 0.8}, 50)
    write_table(folder, "all.tsv", *map("\t".join, ROWS))
    return folder


def write_table(folder: Path, name: str, *rows: str, heading: str = HEADING) -> None:
    write_lines(folder / "data" / name, [heading, *rows])


def page_of(folder: Path, *options: str) -> str:
    """The page of a report."""
    output_of(["report", *options, "-o", "page.html", *FEW, "-q"], folder)
    return (folder / "page.html").read_text(encoding="utf-8")


def test_a_report_has_the_sources_of_a_manifest(folder: Path) -> None:
    write_lines(folder / "data" / "src.de", [f"Zeile {line}" for line in range(60)])
    rows = ["A\tcs-de\tref.de\tA.de\tsrc.de", "A\ten-zh\tref.zh\tA.zh\t"]
    write_table(folder, "sources.tsv", *rows, "B\tcs-de\tref.de\tB.de\tsrc.de", heading=f"{HEADING}\tsource")
    page = Page(page_of(folder, "--manifest", "data/sources.tsv"))
    czech, english = [json.loads(script) for script in page.scripts if script.startswith("{")]
    assert (czech["source"][7], czech["languages"][0], english["source"]) == ("Zeile 7", "cs", None)
    write_table(folder, "two.tsv", *rows, "B\tcs-de\tref.de\tB.de\tA.de", heading=f"{HEADING}\tsource")
    assert "the source of cs-de is not the same as in the rows above" in refusal(
        folder, "--manifest", "data/two.tsv", code=1)
    write_lines(folder / "data" / "some.jsonl", [json.dumps({
        "name": name, "pair": "cs-de", "references": "ref.de", "hypothesis": f"{name}.de", "source": "src.de"})
        for name in "AB"])
    assert '"Zeile 7"' in page_of(folder, "--manifest", "data/some.jsonl")


def test_scores_are_those_of_single_runs(folder: Path) -> None:
    table = json.loads(output_of(["--manifest", "data/all.tsv", "-m", "bleu", "chrf"], folder))
    assert [system["system"] for system in table["systems"]] == ["A", "B", "C", "D"]
    single: dict[tuple[str, str], Any] = {}
    for name, pair, references, hypothesis in ROWS:
        line = [*references.split(";"), "-i", hypothesis, "-l", pair, "-w", "20", "-m", "bleu", "chrf"]
        single[name, pair] = json.loads(output_of(line, folder / "data"))
    for system in table["systems"]:
        for pair, scores in system["pairs"].items():
            bleu, chrf = single[system["system"], pair]
            assert scores["BLEU"]["score"] == pytest.approx(bleu["score"], abs=1e-12)
            assert scores["chrF2"]["score"] == pytest.approx(chrf["score"], abs=1e-12)
        complete = len(system["pairs"]) == 2
        for metric in ("BLEU", "chrF2"):
            both = [scores[metric]["score"] for scores in system["pairs"].values()]
            assert system["mean"][metric] == (pytest.approx(sum(both) / 2) if complete else None)
    assert "tok:zh" in table["signatures"]["en-zh"]["BLEU"]
    assert "nrefs:2" in table["signatures"]["en-zh"]["BLEU"]
    assert "tok:13a" in table["signatures"]["en-de"]["BLEU"]


@pytest.mark.parametrize("command", [["--paired-bs", "-pbsn", "40"], ["test", "--samples", "100", "-q"]], ids=" ".join)
def test_tests_are_those_of_single_runs(folder: Path, command: list[str]) -> None:
    form = ["-m", "chrf", "-f", "json"]
    table = json.loads(output_of([*command, "--manifest", "data/all.tsv", *form], folder))
    found = {system["system"]: system["pairs"]["en-de"]["chrF2"] for system in table["systems"]
             if "en-de" in system["pairs"]}
    single = [*command[:1], "ref.de", *command[1:]] if command[0] == "test" else ["ref.de", *command]
    expected = json.loads(output_of([*single, "-i", "A.de", "B.de", "C.de", "--names", "A", "B", "C", *form],
                                    folder / "data"))
    assert len(expected) == 3
    for system in expected:
        name = system["system"].rpartition(" ")[2]
        for member in ("score", "mean", "ci", "p_value"):
            wanted = system["chrF2"][member]
            assert found[name][member] == (wanted and pytest.approx(wanted, rel=1e-5)), (name, member)
    # (The family of the correction is larger for a table of several pairs.)
    one_pair = json.loads(output_of([*command, "--manifest", "data/all.tsv", "-l", "en-de", *form], folder))
    assert [system["chrF2"] for system in one_pair] == [system["chrF2"] for system in expected]


def test_one_table_in_every_format(folder: Path) -> None:
    args = ["--manifest", "data/all.tsv", "-m", "ter"]
    expected = {(system["system"], pair): f"{scores['TER']['score']:.2f}"
                for system in json.loads(output_of(args, folder))["systems"]
                for pair, scores in system["pairs"].items()}
    lines = csv_rows(folder, *args)
    assert {(line["system"], line["pair"]): f"{float(line['score']):.2f}"
            for line in lines if line["pair"] != "mean"} == expected
    assert [line["system"] for line in lines if line["pair"] == "mean"] == ["A", "B"]
    for form in ("text", "latex", "markdown", "html"):
        shown = output_of([*args, "-f", form, "-w", "2"], folder)
        assert all(score in shown for score in expected.values())
        assert "en-zh" in shown
    assert "| System | TER en-de | TER en-zh | TER mean |" in output_of([*args, "-f", "markdown"], folder)


@pytest.mark.parametrize("jobs", [[], pytest.param(["-j", "2"], marks=pytest.mark.full)])
def test_tables_of_other_kinds(folder: Path, jobs: list[str]) -> None:
    expected = output_of(["--manifest", "data/all.tsv"], folder)
    write_lines(folder / "data" / "all.csv", ["pair,hypothesis,references,name", *[
        f"{pair},{hypothesis},{references},{name}" for name, pair, references, hypothesis in ROWS]])
    write_lines(folder / "data" / "all.jsonl", [json.dumps({
        "name": name, "pair": pair, "references": references.split(";"), "hypothesis": hypothesis})
        for name, pair, references, hypothesis in ROWS])
    for name in ("all.csv", "all.jsonl"):
        assert output_of(["--manifest", f"data/{name}"], folder) == expected
        assert output_of(["--manifest", name, *jobs], folder / "data") == expected


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_a_single_system_has_its_power_in_lines(folder: Path, form: str) -> None:
    # (Of one pair, there is a single system, of the other one there are two.)
    write_table(folder, "few.tsv", *map("\t".join, ROWS[2:5]))
    args = ["test", "--manifest", "few.tsv", "-m", "ter", "--power", "1", *FEW, "-q"]
    table = {system["system"]: system["pairs"]
             for system in json.loads(output_of([*args, "-f", "json"], folder / "data"))["systems"]}
    found = list(csv.DictReader(io.StringIO(output_of([*args, "-f", form], folder / "data")),
                                delimiter="," if form == "csv" else "\t"))
    by_correlation = [(line["system"], line["pair"], float(line["correlation"]), float(line["mde"]),
                       int(line["segments_needed"])) for line in found if line["correlation"]]
    assert by_correlation == [("C", "en-de", line["correlation"], line["mde"], line["segments_needed"])
                              for line in table["C"]["en-de"]["TER"]["power_by_correlation"]]
    assert len(by_correlation) == 3
    [line_of_two] = [line for line in found if line["against"]]
    assert (line_of_two["system"], line_of_two["against"], float(line_of_two["mde"])) == (
        "A", "B", table["A"]["en-zh"]["TER"]["mde"])


def test_one_report_of_all_pairs(folder: Path) -> None:
    content = page_of(folder, "--manifest", "data/all.tsv", "-m", "bleu", "ter")
    page = Page(content)
    for part_name in ("overview", "p1-scores", "p1-segments", "p2-scores", "p2-segments"):
        assert part_name in page.ids
    assert "A has the best mean" in page.text["overview"] or "B has the best mean" in page.text["overview"]
    data = [json.loads(script) for script in page.scripts if script.startswith("{")]
    assert [(one["prefix"], one["numbers"][-1]) for one in data] == [("p1-", 60), ("p2-", 50)]
    assert data[0]["systems"] == ["A", "B", "C"]
    assert str(folder) not in content
    assert page_of(folder, "--manifest", "data/all.tsv", "-m", "bleu", "ter") == content


def test_too_few_samples_for_the_tests_of_all_pairs_are_warned_of(folder: Path) -> None:
    # (70 are enough for the three tests of either pair.)
    _, errors = told(folder, "test", "--manifest", "data/all.tsv", "-m", "bleu", "--paired-bs", "--samples", "70")
    assert "no p-value can be significant after the correction for 6 tests: at least 119 samples are" in errors


@pytest.mark.parametrize(("lines", "message"), [
    (["name\tpair\treferences"], "no column is called 'hypothesis'"),
    (["name\tpair\thypothesis", "A\ten-de\tA.de"], "no column is called 'references'"),
    (["name\treferences\thypothesis", "A\tref.de\tA.de"], "no column is called 'pair'"),
    (["pair\treferences\thypothesis", "en-de\tref.de\tA.de"], "no column is called 'name'"),
    ([HEADING], "the manifest has no systems"),
    ([HEADING, "A\ten-de\t\tA.de"], "system 1 has no references"),
    ([HEADING, "A\ten-de\tref.de;\tA.de"], "system 1 has no references"),
    ([HEADING, "\ten-de\tref.de\tA.de"], "system 1 has no name"),
    ([HEADING, "A\ten-de\tref.de\tA.de", "B\ten-de\tref2.zh\tB.de"],
     "system 2: the references of en-de are not the same as in the rows above"),
    ([HEADING, "A\ten-de\tref.de\tA.de", "A\ten-de\tref.de\tB.de"], "system 2: A already has an output for en-de"),
    ([HEADING, "A\ten-de\tref.de\tnothing.de"], "nothing.de"), ([HEADING, "A\ten-de\tref.de\tA.zh"], "ref.de"),
    ([HEADING, "A\ten-de\tref.de\tA\0.de"], "system 1: 'A\\x00.de' has a NUL character"),
    ([f"{HEADING}\tsource", "A\ten-de\tref.de\tA.de\ts\0"], "'s\\x00' has a NUL character"),
])
def test_wrong_tables(folder: Path, lines: list[str], message: str) -> None:
    write_lines(folder / "data" / "wrong.tsv", lines)
    assert message in refusal(folder / "data", "report", "--manifest", "wrong.tsv", "-o", "wrong.html", code=1)
    assert not (folder / "data" / "wrong.html").exists()


@refused("manifests")
def test_options_that_do_not_go_together(folder: Path, arguments: list[str], code: int, message: str) -> None:
    write_table(folder, "one.tsv", "A\ten-de\tref.de\tA.de")
    assert message in refusal(folder / "data", *arguments, code=code)


@pytest.mark.skipif(not WMT22.is_dir(), reason="PUREBLEU_SHARED names no folder with real data")
def test_real_data(tmp_path: Path) -> None:
    start = f"{WMT22}/generaltest2022."
    rows = [(system, pair, f"{start}{pair}.ref.{reference}.{pair[3:]}", f"{start}{pair}.hyp.{system}.{pair[3:]}")
            for pair, reference, systems in (("en-de", "B", ["OpenNMT", "Online-A", "Online-B"]),
                                             ("en-zh", "A", ["Online-A", "HuaweiTSC"])) for system in systems]
    write_lines(tmp_path / "all.tsv", [HEADING, *map("\t".join, rows)])
    shown = output_of(["--manifest", "all.tsv", "-f", "markdown", "-w", "2"], tmp_path).splitlines()
    assert shown[2:6] == ["| OpenNMT | 35.70 | – | – |", "| Online-A | 37.23 | 46.44 | 41.83 |",
                          "| Online-B | 38.30 | – | – |", "| HuaweiTSC | – | 49.74 | – |"]


def test_holm_is_over_all_tests_of_the_table(folder: Path) -> None:
    args = ["--manifest", "data/all.tsv", "-m", "bleu", "chrf", "--samples", "300"]
    # (All pairs of systems are tested, three on each of two language pairs, under two metrics.)
    table = json.loads(output_of(["test", *args, "-f", "json", "-q"], folder))
    found = {(language_pair, metric, *sorted((system["system"], other))): figures["p_holm"]
             for system in table["systems"] for language_pair, scores in system["pairs"].items()
             for metric, members in scores.items() for other, figures in members["pairs"].items()}
    assert len(found) == 12
    lowest = min(scores["p_value"] for system in table["systems"] for pair in system["pairs"].values()
                 for scores in pair.values() if scores["p_value"] is not None)
    assert min(found.values()) == pytest.approx(holm_adjusted([lowest, *[1.0] * 11])[0])
    text = told(folder, "report", *args, "-o", "page.html")[0]
    assert "corrected for all 12 tests together" in " ".join(text.split())
    page = Page((folder / "page.html").read_text(encoding="utf-8"))
    assert all("corrected for all 12 tests together" in page.text[name] for name in ("p1-scores", "p2-scores"))

