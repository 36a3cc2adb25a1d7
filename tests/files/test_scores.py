"""Scores from outside: the forms that they come in, what is made of them, and what is refused."""

from __future__ import annotations

import contextlib
import csv
import json
import random
import re
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import purebleu
from purebleu.cli.arguments.parser import parse, read_line
from purebleu.cli.arguments.signature import with_signature
from purebleu.files import scores as scores_module
from purebleu.files.opening import smart_open
from purebleu.files.records import read_manifest
from purebleu.files.scores import in_order_of_systems, matched_names, read_human_scores
from purebleu.metrics.external import check_name
from purebleu.runtime.errors import OptionError, PurebleuError, PurebleuWarning

from ..helpers import csv_rows, one_in, program, read_fixture, refusal, refused, results_of, told, write_lines

FIXTURE = read_fixture("scores.json.gz")["cases"]
COMET = [case for case in FIXTURE if case["kind"] == "comet" and not case["only_system"]]

SYSTEMS = ("a.txt", "b.txt", "c.txt")
EACH = ["--scores", "COMET=a.comet", "COMET=b.comet", "COMET=c.comet"]
SHARES, SEGMENTS = {"ref": 1.0, "a.txt": 0.9, "b.txt": 0.6, "c.txt": 0.85}, 60
SIGNATURE = "Python3.11.8|Comet2.2.2|fp32|unite-mup|r1"


def read_scores(path: Path) -> Any:
    return scores_module.read_scores(str(path))


@pytest.fixture(scope="module")
def folder(folder: Path) -> Path:
    """References, three systems, and their scores in every form."""
    source = random.Random(3)
    scores = {name: [f"{source.betavariate(8, 2) - shift:.4f}" for _ in range(SEGMENTS)]
              for name, shift in (("a", 0.0), ("b", 0.2), ("c", 0.02))}
    (folder / "each").mkdir()
    for name, system_scores in scores.items():
        write_lines(folder / f"{name}.comet", system_scores)
        write_lines(folder / "each" / f"{name}.txt", system_scores)
        write_lines(folder / f"{name}.jsonl", [json.dumps({"hypothesis": "x", "prediction": float(score)})
                                               for score in system_scores])
    write_lines(folder / "all.tsv", ["a\tb\tc", *map("\t".join, zip(*scores.values()))])
    (folder / "all.json").write_text(json.dumps({f"out/{name}.txt": [
        {"src": "s", "mt": "m", "COMET": float(score)} for score in system_scores]
        for name, system_scores in scores.items()}))
    write_lines(folder / "all.txt", [
        *[f"{name}.txt\tSegment {index}\tscore: {scores[name][index]}" for index in range(SEGMENTS) for name in "abc"],
        *[f"{name}.txt\tscore: 0.5" for name in "abc"], "Predictions saved in: x.json."])
    write_lines(folder / "all.seg.score", [f"{name}\t{score}" for name in "cab" for score in scores[name]])
    return folder


def scores_of(folder: Path, name: str) -> list[float]:
    return list(map(float, (folder / f"{name}.comet").read_text().split()))


def mean_of(folder: Path, name: str) -> str:
    """The mean of a system's scores, as tables have it."""
    return f"{sum(scores_of(folder, name)) / SEGMENTS:.4f}"


# Files of other programs

@pytest.mark.parametrize("case", COMET)
def test_output_of_comet_score_is_read(case: Any, tmp_path: Path) -> None:
    for name, kind in (("printed.txt", "printed"), ("written.json", "written")):
        (tmp_path / name).write_text(case[kind], encoding="utf-8")
    expected = dict(zip(case["systems"], case["scores"]))
    written, printed = read_scores(tmp_path / "written.json"), read_scores(tmp_path / "printed.txt")
    assert {name: list(map(float, scores)) for name, scores in written.items()} == expected
    assert printed == {name: [f"{score:.4f}" for score in scores] for name, scores in expected.items()}


def test_scores_of_whole_files_are_none_of_segments(tmp_path: Path) -> None:
    [case] = [case for case in FIXTURE if case["kind"] == "comet" and case["only_system"]]
    (tmp_path / "printed.txt").write_text(case["printed"], encoding="utf-8")
    with pytest.raises(PurebleuError, match="no scores of segments"):
        read_scores(tmp_path / "printed.txt")


@pytest.mark.parametrize("case", [case for case in FIXTURE if case["kind"] == "mteval"])
def test_files_of_mt_metrics_eval(case: Any, tmp_path: Path) -> None:
    path = tmp_path / "metric.seg.score"
    path.write_text(case["text"], encoding="utf-8")
    if any(None in scores for scores in case["read"].values()):
        with pytest.raises(PurebleuError, match=r"metric.seg.score: line 6: the score is missing"):
            read_scores(path)
    else:
        assert {name: list(map(float, scores)) for name, scores in read_scores(path).items()} == case["read"]


def test_every_form_has_the_same_results(folder: Path) -> None:
    command = ["ref", "-i", *SYSTEMS, "-m", "bleu", "--paired-ar", "-parn", "500", "-f", "json-signed"]
    expected = told(folder, *command, *EACH)
    for files in ([f"COMET={name}.jsonl:prediction" for name in "abc"], [f"COMET=all.tsv:{name}" for name in "abc"],
                  ["COMET=all.json"], ["COMET=all.txt"], ["COMET=all.seg.score"], ["COMET=each"]):
        assert told(folder, *command, "--scores", *files) == expected, files


# Figures

@pytest.mark.parametrize("test", ["bs", "ar"])
def test_sampled_tests_are_those_of_sacrebleu(test: str) -> None:
    for case in [case for case in FIXTURE if case["kind"] == "sampled"]:
        metrics = [purebleu.metrics.SegmentScores("Mean", numbers) for numbers in case["systems"]]
        samples = case[test]["samples"]
        results = results_of([[metric.rows] for metric in metrics], metrics[:1], test=test, samples=samples,
                             resamples=case["resamples"], rng="numpy", seed=12345)
        for [result], (score, p_value, mean, ci) in zip(results.systems, case[test]["results"]):
            assert result.score == pytest.approx(score, abs=1e-12)
            # (Randomization counts trials with a larger difference. Among numbers with one decimal place, many trials
            # have the same one, and rounding makes some of these larger in sacreBLEU.)
            is_coarse = all(len(number.partition(".")[2]) == 1 for number in case["systems"][0])
            if test == "ar" and is_coarse and p_value is not None:
                assert p_value - 0.1 < result.p_value <= p_value
            else:
                assert result.p_value == pytest.approx(p_value, abs=1e-12 if test == "bs" else 3 / samples)
            # (Its resamples of intervals are sums of 32 bits.)
            assert (result.mean, result.ci) == pytest.approx((mean, ci), abs=1e-6)


def exact_results(*systems: Sequence[str]) -> Any:
    """The results of the exact test of two systems with these scores."""
    metrics = [purebleu.metrics.SegmentScores("Mean", numbers) for numbers in systems]
    return results_of([[metric.rows] for metric in metrics], metrics[:1], test="ar", exact=True)


def test_exact_tests_are_those_of_scipy() -> None:
    for case in [case for case in FIXTURE if case["kind"] == "exact"]:
        [first], [second] = exact_results(*case["systems"]).systems
        assert (second.p_value, second.score > first.score) == (case["p"], case["t"] > 0)


def test_differences_that_are_equal_in_decimals_are_ties() -> None:
    # By hand: of the four trials, both that swap nothing or all have the difference 0.1 - 0.3 + 0.3 - 0.2 = -0.1, and
    # so have both others, |0.3 - 0.1 + 0.3 - 0.2| = 0.3 above it: floats tell 0.1 and 0.30000000000000004 - 0.2 apart.
    results = exact_results(["0.1", "0.3"], ["0.3", "0.2"])
    assert results.systems[1][0].p_value == 1.0
    assert [score.score for score, in results.scores] == [0.2, 0.25]


@given(st.lists(st.decimals(-1000, 1000, places=6).map(str), min_size=1, max_size=30))
def test_a_score_is_the_mean_of_decimals_rounded_once(numbers: list[str]) -> None:
    metric = purebleu.metrics.SegmentScores("S", numbers)
    mean = sum(map(Fraction, numbers), Fraction(0)) / len(numbers)
    assert metric.score(purebleu.sum_statistics(metric.rows)).score == mean.numerator / mean.denominator


def test_numbers_and_names_that_are_refused() -> None:
    numbers: list[Any] = [float("nan"), float("inf"), "nan", "-inf", "", "x", "1_0", "\u0663", "1e16", None]
    for number in numbers:
        with pytest.raises(PurebleuError, match=r"score 1: .* (not a (finite )?number|too large for a score)"):
            purebleu.metrics.SegmentScores("S", [0.5, number])
    for name, signature in (*[(name, "") for name in ("", "a|b", "a=b", "BLEU", "rouge", "chrF2", "Rouge-L")],
                            *[("S", text) for text in ("a||b", "fp32|fp32", "version:2", "bs:1000|x")]):
        with pytest.raises(OptionError):
            purebleu.metrics.SegmentScores(name, signature=signature)
    for name in ("", " a", "a ", "a\u200bb", "a|b", "a=b", "a,b", "a:b"):
        with pytest.raises(OptionError, match="can't be the name of scores"):
            check_name(name)


def test_outside_scores_score_no_text() -> None:
    with pytest.raises(PurebleuError, match="COMET has only scores from another program"):
        purebleu.metrics.SegmentScores("COMET", [0.5]).corpus_score(["a"], [["a"]])


# The command line

def test_scores_of_a_single_system(folder: Path) -> None:
    mean = sum(scores_of(folder, "a")) / SEGMENTS
    text, _ = told(folder, "ref", "-i", "a.txt", "--scores", "COMET=a.comet", "-m", "bleu", "-f", "text",
                   "--scores-signature", f"COMET={SIGNATURE}", "-w", "3")
    own, outside = text.strip().split("\n")
    assert own.startswith("BLEU|nrefs:1|") and outside.strip() == f"COMET|{SIGNATURE}|version:{program()} = {mean:.3f}"
    alone = json.loads(told(folder, "-i", "a.txt", "--scores", "COMET=a.comet", "-f", "json")[0])
    assert (alone["name"], alone["score"]) == ("COMET", round(mean, 4))
    assert alone["signature"].startswith("scores:") and "nrefs" not in alone


def test_own_scores_have_four_decimals_beside_others(folder: Path) -> None:
    for options, decimals in (((), (1, 4)), (("-w", "2"), (2, 2))):
        text, _ = told(folder, "ref", "-i", *SYSTEMS, "-m", "chrf", *EACH, "-ci", "-f", "markdown", *options)
        rows = [line.split("|")[2:4] for line in text.splitlines()[2:5]]
        found = [{len(number) for number in re.findall(r"\.(\d+)", cell)} for cell in map("".join, zip(*rows))]
        assert found == [{width} for width in decimals]


@pytest.mark.parametrize("form", ["text", "latex", "html", "markdown", "json", "json-signed", "csv", "tsv", "github",
                                  "paper"])
def test_tables_in_all_formats(folder: Path, form: str) -> None:
    text, _ = told(folder, "ref", "-i", *SYSTEMS, "-m", "bleu", *EACH, "--paired-bs", "-pbsn", "99", "-f", form)
    assert "COMET" in text and mean_of(folder, "b") in text


def test_ranks_and_corrected_tests_know_which_scores_are_better(folder: Path) -> None:
    for further, order in (((), "a c b"), (("--scores-lower", "COMET"), "b c a")):
        found = json.loads(told(folder, "test", "ref", "-i", *SYSTEMS, *EACH, *further, "-m", "comet", "--samples",
                                "999", "-f", "json")[0])
        ranks = {line["system"]: line["COMET"]["rank"] for line in found}
        assert ranks[order.split()[0]][0] == "1" and ranks[order.split()[-1]][-1] == "3", ranks


def test_rows_have_the_same_results(folder: Path) -> None:
    command = ["--samples", "200", "-ci", "-f", "json-signed"]
    text_output, _ = told(folder, "test", "ref", "-i", *SYSTEMS, "-m", "bleu", "ter", *EACH, "--scores-signature",
                          f"COMET={SIGNATURE}", "--save-rows", "all.rows.gz", *command)
    assert told(folder, "test", "--rows", "all.rows.gz", "-m", "bleu", "ter", "comet", *command)[0] == text_output
    assert "COMET" in told(folder, "rows", "all.rows.gz")[0]


def test_parts_of_a_corpus_with_a_signature_add_up(folder: Path, tmp_path: Path) -> None:
    for part_of, lines in (("first", slice(0, 20)), ("second", slice(20, None))):
        for name in ("ref", "a.txt", "a.comet"):
            content = (folder / name).read_text().splitlines(keepends=True)[lines]
            (tmp_path / f"{part_of}.{name}").write_text("".join(content))
        told(tmp_path, f"{part_of}.ref", "-i", f"A={part_of}.a.txt", "--scores", f"COMET={part_of}.a.comet",
             "--scores-signature", f"COMET={SIGNATURE}", "--save-rows", f"{part_of}.rows", "--offset", str(lines.start))
    whole = told(folder, "ref", "-i", "A=a.txt", "--scores", "COMET=a.comet", "--scores-signature",
                 f"COMET={SIGNATURE}", "-f", "csv")
    assert told(tmp_path, "--rows", "first.rows", "second.rows", "-f", "csv") == whole


def test_gates(folder: Path) -> None:
    command = ["gate", "ref", "-i", "b.txt", "--scores", "COMET=b.comet", "-m", "comet"]
    _, errors = told(folder, *command, "--min", "comet=0.99", code=3)
    assert "gate FAILED: --min COMET=0.99: COMET of b.txt is 0." in errors
    told(folder, *command, "--max", "COMET=0.99", "--scores-lower", "COMET")
    _, errors = told(folder, *command[:4], "--baseline", "a.txt", "--scores", "COMET=a.comet", "COMET=b.comet",
                     "--must-not-lose", "0.05", "-m", "comet", "--samples", "99", code=3)
    assert "--must-not-lose 0.05 (COMET)" in errors and "significantly worse" in errors
    # (Rows, whose scores come with a signature.)
    signed = ["--scores-signature", f"COMET={SIGNATURE}", "-m", "comet"]
    told(folder, "ref", "-i", "a.txt", "--scores", "COMET=a.comet", *signed, "--save-rows", "base.rows")
    _, errors = told(folder, "gate", "ref", "-i", "c.txt", "--scores", "COMET=c.comet", *signed, "--baseline",
                     "base.rows", "--margin", "0.5", "--samples", "99")
    assert "gate passed: --margin 0.5 (COMET)" in errors
    _, errors = told(folder, *command, "--baseline", "base.rows", "--margin", "0.5", code=2)
    assert "but the systems have the signature" in errors


def test_views(folder: Path) -> None:
    text, _ = told(folder, "compare", "ref", "-i", *SYSTEMS, *EACH, "-m", "comet", "--worst", "1", "--buckets", "score",
                   "length")
    assert f"COMET {min(scores_of(folder, 'a')):.4f}" in text and "0.9+" in text and "COMET by reference length" in text
    counts = [line.split("│")[2].strip() for line in text.split("\n") if "0." in line and line.count("│") == 5]
    assert sum(map(int, [count for count in counts if count.isdigit()])) == SEGMENTS


def test_runs_and_units(folder: Path) -> None:
    write_lines(folder / "docs", [line // 6 for line in range(SEGMENTS)])
    lines = csv_rows(folder, "test", "ref", "--runs", "A=[ac].txt", "B=b.txt", "--scores", "COMET=each", "--docs",
                     "docs", "--samples", "99")
    mean = sum(scores_of(folder, "a") + scores_of(folder, "c")) / SEGMENTS / 2
    [comet_line] = [line for line in lines if (line["system"], line["metric"]) == ("A", "COMET")]
    assert float(comet_line["mean"]) == pytest.approx(mean) and comet_line["runs"] == "2"
    assert "unit:doc" in lines[-1]["signature"]


def test_manifests(folder: Path) -> None:
    write_lines(folder / "manifest.tsv", ["name\tpair\treferences\thypothesis\tcomet", *[
        f"{name}\t{pair}\tref\t{name}.txt\t{name}.comet" for pair in ("en-de", "en-fr") for name in "ab"]])
    command = ["--manifest", "manifest.tsv", "--scores", "COMET=comet"]
    told(folder, "report", *command, "--no-checks", "-o", "manifest.html")
    lines = csv_rows(folder, *command)
    assert [f"{float(line['score']):.4f}" for line in lines if (line["system"], line["metric"]) == ("a", "COMET")] == [
        mean_of(folder, "a")] * 3
    assert "COMET" in (folder / "manifest.html").read_text(encoding="utf-8")
    _, errors = told(folder, "--manifest", "manifest.tsv", "--scores", "COMET=other", code=1)
    assert "'other'" in errors


def test_reports(folder: Path) -> None:
    for references in (["ref"], []):
        told(folder, "report", *references, "-i", *SYSTEMS, *EACH, "-o", "page.html", "--samples", "200", "--no-checks")
        page = (folder / "page.html").read_text(encoding="utf-8")
        # (The files' names stand there with their checksums.)
        for part in ("a.comet", "b.comet", "c.comet", "Under COMET, ", "Another program computed the scores of COMET"):
            assert part in page
        assert ("yes (the same references)" in page) == bool(references)


@refused("files of scores", "options of scores")
def test_wrong_scores_are_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    for name, text in (("short", "0.1\n0.2\n"), ("nan", "0.1\nnan\n"), ("gap", "0.1\n\n0.3\n"), ("empty", ""),
                       ("d.txt", (folder / "c.txt").read_text())):
        (folder / name).write_text(text)
    assert message in refusal(folder, *arguments, code=code)


def test_names_that_tell_no_system_are_refused() -> None:
    # One system with two names like its own, and two systems like one name.
    for found, systems in ((["x/a.txt", "y/a.txt"], ["a.txt"]), (["a"], ["x/a.txt", "y/a.txt"])):
        with pytest.raises(PurebleuError, match=r"it is not clear which scores in .* belong to .*a\.txt"):
            matched_names(found, list(zip(systems, systems)), "all.json")


# Files that name their systems

NAMED = [("A", "out/a.txt"), ("B", "out/b.txt"), ("C", "else/a.txt")]


def in_order(*names: str) -> list[str]:
    """The names of files in the order of `NAMED`, for files of these names with scores of systems of the same names."""
    files = [(f"{name}.comet", {name: ["0.5"]}) for name in names]
    return [file.partition(".comet")[0] for file, _ in in_order_of_systems(files, NAMED)]


def test_files_that_name_their_systems_are_matched_by_name(recwarn: pytest.WarningsRecorder) -> None:
    for names, expected in (
            (["", "", ""], ["", "", ""]), (["A", "B", "C"], ["A", "B", "C"]), (["B", "C", "A"], ["A", "B", "C"]),
            (["x/b.txt", "A", ""], ["A", "x/b.txt", ""]),
            (["else/a.txt", "b", "out/a.txt"], ["out/a.txt", "b", "else/a.txt"]),
            (["a", "b", "a"], ["a", "b", "a"])):  # (the last may be either of two systems)
        assert in_order(*names) == expected
    assert not recwarn


def test_a_name_of_another_system_is_an_error() -> None:
    for names, message in ((["B", "", ""], "B.comet should have the scores of A, but has the scores of B"),
                           (["A", "A", "C"], "A.comet should have the scores of B, but has the scores of A"),
                           (["A", "B", "b.txt"], "b.txt.comet should have the scores of C, but has the scores of b"),
                           (["b", "a", ""], "b.comet should have the scores of A, but has the scores of b")):
        with pytest.raises(PurebleuError, match=message):
            in_order(*names)


def test_a_name_of_no_system_is_warned_of() -> None:
    message = r"name an unknown system: x\.comet names x, but is used for A, y\.comet names y, but is used for C"
    with pytest.warns(PurebleuWarning, match=message):
        assert in_order("x", "B", "y") == ["x", "B", "y"]


def test_scores_for_another_system_are_never_taken(folder: Path, tmp_path: Path) -> None:
    for name in "abc":
        numbers = (folder / f"{name}.comet").read_text().split()
        write_lines(folder / f"{name}.printed", [f"out/{name}.txt\tSegment {index}\tscore: {number}"
                                                 for index, number in enumerate(numbers)])
        for path in (folder / f"{name}.seg.score", tmp_path / f"{name}.txt"):
            write_lines(path, [f"{name} {number}" for number in numbers])
    usual = told(folder, "-i", *SYSTEMS, *EACH)
    for names in ("abc", "cab"):
        files = [f"COMET={name}.{ending}" for name, ending in zip(names, ("printed", "seg.score", "printed"))]
        assert told(folder, "-i", *SYSTEMS, "--scores", *files) == usual
    assert told(folder, "-i", *SYSTEMS, "--scores", f"COMET={tmp_path}") == usual
    errors = [told(folder, *arguments, code=1)[1] for arguments in (
        ["-i", "a.txt", "b.txt", "--scores", "COMET=b.printed", "COMET=a.comet"],
        ["-i", "a.txt", "b.txt", "c.txt", "--scores", *["COMET=b.seg.score", "COMET=a.seg.score", "COMET=a.printed"]])]
    (tmp_path / "b.txt").write_text((folder / "a.seg.score").read_text())
    errors.append(told(folder, "-i", *SYSTEMS, "--scores", f"COMET={tmp_path}", code=1)[1])
    for error, name, system in zip(errors, ("b", "b", "a"), ("a.txt", "a.txt", "b.txt")):
        assert f"the scores of {system}, but has the scores of {name}" in error.replace(f"out/{name}.txt", name)
        assert error.count("\n") == 1
    _, errors_of_unknown = told(folder, "-i", "NEW=ref", "--scores", "COMET=a.seg.score")
    assert "a.seg.score names a, but is used for NEW" in errors_of_unknown


# Whatever stands where a number should

ODD_NUMBERS = [
    "nan", "sNaN", "nan123", "inf", "-Infinity", "1e400", "-1e400", "1e-400", "1e999999999", "1e-999999999", "9" * 5000,
    "0." + "1" * 5000, "1_0", "\u0663", "\uff11", "\u00bd", "\u00b2", "0x10", "1e", "+-1", "1.2.3", "1,5", "-0",
    "5e324", "", " ", "\t", "None", " None", "\x1c-3", "none", "null", "true", "[1]", "{}", '"1"', "\0", "\ud800",
    "\x1c", "\u200b", "\ufeff", "\x85", "\u2028", "\u3000", "\r", "|", ":", "[", "]", ";", "Segment 0", "system"]

FORMS_OF_NUMBERS = {
    "lines.txt": "{}\n{}\n{}\n",
    "named.txt": "a {}\na\t{}\nb {}\n",
    "comet.txt": "a\tSegment 0\tscore: {}\na\tSegment {}\tscore: 0.5\na\tscore: {}\n",
    "comet.json": '{{"a": [{{"COMET": {}}}, {{"COMET": "{}"}}], "{}": []}}',
    "column.csv": "system,seg_id,score\na,{},{}\na,2,{}\n",
    "column.tsv": "score\tline\tsystem\n{}\t{}\ta\n{}\t2\tb\n",
    "column.jsonl": '{{"score": {}, "system": "a", "seg_id": "{}"}}\n{{"score": "{}", "system": "a", "seg_id": 3}}\n',
    "average.txt": "system mqm_avg_score seg_id\na\t{} {}\na {} 2\n",
    "errors.txt": "system\tseg_id\trater\tcategory\tseverity\na\t{}\tr\t{}\tmajor\na\t2\t{}\tother\tminor\n",
    "manifest.tsv": "name\tpair\treferences\thypothesis\tscore\na{}\ten-de\tr{}\ta\t{}\n",
    "manifest.jsonl": '{{"name": "a", "pair": "b", "references": ["r{}"], "hypothesis": "{}", "score": {}}}\n',
}

FORMS_OF_SIGNATURES = ["BLEU|nrefs:{}|smooth:floor[{}]|order:{}", "BLEU|#:{}|s:add-k[{}|bs:{}",
                       "chrF{}|nrefs:1|nc:{}|nw:{}", "GLEU|min:{}|max:{}|ar:{}", "TER|norm:{}|bs:1000|seed:{}|reseg:{}",
                       "{}|tok:{}|nrefs:{}"]


def odd_numbers(seed: str) -> Iterator[list[str]]:
    """Three texts each, of which at least one is odd: each odd one in each position, and random ones."""
    for odd in ODD_NUMBERS:
        yield from ([odd, "1", "0.5"], ["0.5", odd, "1"], ["1", "0.5", odd])
    source = random.Random(seed)
    around = ("{}-3", "3{}", "{} ", "{}")
    for _ in range(settings().max_examples * 10):
        texts = [source.choice(["0.5", "1"]) for _ in range(3)]
        for _ in range(source.choice([1, 1, 2])):
            texts[source.randrange(3)] = source.choice(around).format(source.choice(ODD_NUMBERS))
        yield texts


def is_read_or_refused(read: Callable[[], object]) -> bool:
    """Whether something is read; else it is refused in one line. Any other error passes through."""
    try:
        read()
    except PurebleuError as error:
        assert str(error)
        return False
    return True


@pytest.mark.filterwarnings("ignore:.*have no weight")
@pytest.mark.parametrize("form", one_in(2, FORMS_OF_NUMBERS))
def test_odd_numbers_in_files_are_read_or_refused(form: str, tmp_path: Path) -> None:
    path = tmp_path / form
    name = f"{path}:score" if form.startswith("column") else str(path)
    reads: list[Callable[[], object]] = [
        lambda: scores_module.read_scores(name),
        lambda: scores_module.read_scores(name, may_lack=True),
        lambda: read_human_scores(name)]
    if form.startswith("manifest"):
        reads = [lambda: open_all(read_manifest(name, scores=["score"]))]
    outcomes = set()
    for texts in odd_numbers(form):
        path.write_bytes(FORMS_OF_NUMBERS[form].format(*texts).encode("utf-8", "surrogatepass"))
        outcomes |= set(map(is_read_or_refused, reads))
    assert outcomes == {True, False}


def open_all(pairs: Sequence[Any]) -> None:
    """Open the files of a manifest as a run does."""
    for pair in pairs:
        for file in [*pair.references, *pair.hypotheses, *pair.scores[0].values()]:
            with contextlib.suppress(OSError):
                smart_open(file).close()


@pytest.mark.parametrize("form", FORMS_OF_SIGNATURES)
def test_odd_numbers_in_signatures_are_read_or_refused(form: str) -> None:
    refused = 0
    for texts in odd_numbers(form):
        command, values = read_line(["ref", "-i", "a"])
        values.signature = form.format(*texts)
        refused += not is_read_or_refused(partial(with_signature, values, command, parse))
    assert refused > 100


def test_odd_scores_in_python_are_read_or_refused() -> None:
    segment_scores = purebleu.metrics.SegmentScores
    odd: list[Any] = [*ODD_NUMBERS, 10**400, -(10**400), 1e308, b"1", b"x", object(), None, [1], float("nan"), 1j]
    numbers = ("0." + "1" * 5000, "1e-400", "1e-999999999", "-0", "\x1c-3", b"1")
    assert not any(is_read_or_refused(lambda number=number: segment_scores("S", [number]))  # type: ignore[misc]
                   for number in odd if number not in numbers)


# Equal outputs

@pytest.fixture
def equal(tmp_path: Path) -> Path:
    """Three systems with the same output for some segments: twice for two of them, once for all, of unequal scores."""
    for name, lines in (("ref", "abcd"), ("A", "abcd"), ("B", "abxd"), ("C", "xbyd"), ("A.s", (0.5, 0.3, 0.7, 0.1)),
                        ("B.s", (0.6, 0.3, 0.9, 0.4)), ("C.s", (0.2, 0.3, 0.2, 0.1))):
        write_lines(tmp_path / name, lines)
    return tmp_path


@pytest.mark.full
def test_equal_outputs_with_unequal_scores_are_warned_of(equal: Path) -> None:
    arguments = ["ref", "-i", *"ABC", "--scores", *[f"COMET={name}.s" for name in "ABC"], "-m", "chrf", "-f", "csv"]
    for more in ([], ["--paired-ar", "-parn", "9"], ["-j", "2"]):
        _, errors = told(equal, *arguments, *more)
        assert errors == ("purebleu: warning: COMET has different scores for the same output on 2 segments (first on "
                          "line 1), which affects tests (--equal-outputs tie gives these systems the mean of their "
                          "scores)\n")
    assert told(equal, *arguments, "-q")[1] == ""
    (equal / "same").write_text((equal / "A.s").read_text())
    assert told(equal, "ref", "-i", "A", "B", "--scores", "COMET=A.s", "COMET=same", "-m", "chrf")[1] == ""


def test_equal_outputs_tie(equal: Path) -> None:
    arguments = ["ref", "-i", *"ABC", "--scores", *[f"COMET={name}.s" for name in "ABC"], "-m", "comet",
                 "--scores-signature", "COMET=x:1", "--equal-outputs", "tie", "-f", "csv", "--save-rows", "rows"]
    printed, errors = told(equal, *arguments)
    assert errors == "" and printed.count("equal:tie|x:1") == 3
    # 0.55 for the first segment of A and B; 0.2 for the last one of all.
    assert [line["score"] for line in csv.DictReader(printed.splitlines())] == ["0.4375", "0.4875", "0.225"]
    assert "equal:tie" in told(equal, "--rows", "rows", "-f", "json-signed")[0]
    assert "--equal-outputs needs --scores" in told(equal, "ref", "-i", *"AB", "--equal-outputs", "tie", code=2)[1]
