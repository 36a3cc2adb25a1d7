"""`purebleu compare`: where systems differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from purebleu.analysis.segments import decile_counts
from purebleu.metrics.bleu import BLEU
from purebleu.metrics.chrf import CHRF

from ..helpers import call_cli, output_of, part, refusal, refused, texts_of, told, write_lines, write_systems

SYSTEMS = ["-i", "out.A", "out.B", "out.C"]
FORMS = ["text", "latex", "html", "markdown", "csv", "tsv", "json", "json-signed"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("views")
    write_systems(folder, {"ref": 1.0, "out.A": 0.9, "out.B": 0.7, "out.C": 0.5}, 100)
    write_lines(folder / "src", [f"source {number}" for number in range(1, 101)])
    write_lines(folder / "ids", [f"id{number}" for number in range(1, 101)])
    for name, metric in (("all.rows", "bleu"), ("chrf.rows", "chrf")):
        output_of(["ref", *SYSTEMS, "--save-rows", name, "-m", metric], folder)
    return folder


def views(folder: Path, *args: str) -> Any:
    return json.loads(output_of(["compare", "ref", *SYSTEMS, "-f", "json", *args], folder))["views"]


def test_a_bucket_has_the_score_of_its_segments(folder: Path) -> None:
    [view] = views(folder, "--buckets", "length", "-m", "chrf")
    reference, *outputs = texts_of(folder, "ref", "out.A", "out.B")
    words = BLEU().preprocess_lines(reference)
    chrf = CHRF()
    assert sum(bucket["segments"] for bucket in view["buckets"]) == 100
    for bucket in view["buckets"]:
        low = int(bucket["bucket"].rstrip("+").partition("-")[0])
        indices = [index for index, tokens in enumerate(words) if min(len(tokens) // 10 * 10, 60) == low]
        assert len(indices) == bucket["segments"]
        for name, output in zip("AB", outputs):
            score = chrf.corpus_score([output[index] for index in indices], [[reference[index] for index in indices]])
            assert bucket["scores"][name] == score.score


def test_intervals_if_they_are_asked_for(folder: Path) -> None:
    for view in views(folder, "--buckets", "length", "frequency", "-ci", "-cin", "50"):
        for bucket in view["buckets"]:
            for system_view in bucket["scores"].values():
                is_single = bucket.get("segments") == 1
                assert (system_view["low"] is None) == (system_view["high"] is None) == is_single
                assert is_single or system_view["low"] <= system_view["high"]
    text = output_of(["compare", "ref", *SYSTEMS, "--buckets", "frequency", "-ci", "-cin", "50"], folder)
    assert "bs:50|seed:12345" in text
    assert "bs:50" not in output_of(["compare", "ref", *SYSTEMS, "--buckets", "frequency"], folder)


def test_sentence_scores_are_those_of_sentence_level(folder: Path) -> None:
    [view] = views(folder, "--buckets", "score")
    for name in "ABC":
        scores = output_of(["ref", "-i", f"out.{name}", "-sl", "-b", "-w", "6"], folder).split()
        counts = decile_counts(list(map(float, scores)))
        assert [bucket["scores"][name] for bucket in view["buckets"]] == counts


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_segments_that_are_worth_a_look(folder: Path, metric: str) -> None:
    scores = {name: [float(line) for line in
                     output_of(["ref", "-i", f"out.{name}", "-sl", "-b", "-w", "9", "-m", metric], folder).split()]
              for name in "ABC"}
    best_first = sorted(range(100), key=lambda index: (-1 if metric == "bleu" else 1) * scores["A"][index])
    worst, best, compared = views(folder, "--worst", "3", "--best", "3", "--differences", "3", "-m", metric,
                                  "--source", "src", "--ids", "ids")
    worst_first = sorted(range(100), key=lambda index: (1 if metric == "bleu" else -1) * scores["A"][index])
    assert [segment["line"] - 1 for segment in best["segments"]] == best_first[:3]
    assert [segment["line"] - 1 for segment in worst["segments"]] == worst_first[:3]
    ranges = [max(column) - min(column) for column in zip(*scores.values())]
    assert [segment["line"] - 1 for segment in compared["segments"]] == sorted(
        range(100), key=lambda index: -ranges[index])[:3]
    segment = compared["segments"][0]
    number = segment["line"]
    assert (segment["id"], segment["source"]) == (f"id{number}", f"source {number}")
    assert segment["references"] == [(folder / "ref").read_text().splitlines()[number - 1]]
    for system_view in segment["systems"]:
        output = (folder / f"out.{system_view['system']}").read_text().splitlines()[number - 1]
        assert system_view["output"] == output
        kept = [text for kind, text in system_view["difference"] if kind != "del"]
        assert " ".join(kept) == " ".join(output.split())


def test_text_and_markdown_mark_words(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("the dog sat\nsame\n")
    (tmp_path / "a").write_text("the *cat* sat down\nsame\n")
    (tmp_path / "b").write_text("the dog sat\n\n")
    args = ["compare", "ref", "-i", "a", "b", "--worst", "1", "-q"]
    text = output_of(args, tmp_path)
    assert "    the [-dog-] {+*cat*+} sat {+down+}\n" in text
    assert "\x1b" not in text
    assert r"the ~~dog~~ **\*cat\*** sat **down**" in output_of([*args, "-f", "markdown"], tmp_path)
    assert "    [-same-]\n" in output_of(["compare", "ref", "-i", "b", "--worst", "1", "-q"], tmp_path)
    # Control characters reach no terminal.
    (tmp_path / "ref").write_text("a\x1b[31m b\n")
    (tmp_path / "a").write_text("\x1b]0;title\x07 a\u2028b\n", encoding="utf-8")
    shown = output_of(["compare", "ref", "-i", "a", "--worst", "1", "-q"], tmp_path)
    assert {character for character in shown if ord(character) < 32} == {"\n"}


def test_stored_rows_have_views_without_text(folder: Path) -> None:
    from_text = views(folder, "--buckets", "score", "--worst", "2")
    found = json.loads(output_of(["compare", "--rows", "all.rows", "-f", "json", "--buckets", "score", "--worst", "2"],
                                 folder))["views"]
    assert found[0] == from_text[0]
    for own, other in zip(found[1]["segments"], from_text[1]["segments"]):
        assert own["line"] == other["line"]
        assert [system_view["scores"] for system_view in own["systems"]] == [
            system_view["scores"] for system_view in other["systems"]]
        assert "output" not in own["systems"][0]
    assert output_of(["compare", "--rows", "all.rows", "--lengths"], folder) == output_of(
        ["compare", "ref", *SYSTEMS, "--lengths"], folder)


def test_the_documents_of_a_test_set(tmp_path: Path) -> None:
    selection = ["-t", "sample", "-l", "en-de"]
    lines = output_of([*selection, "--echo", "ref"], tmp_path)
    (tmp_path / "out").write_text(lines, encoding="utf-8")
    options = ["-i", "out", "--buckets", "document", "-f", "json"]
    [view] = json.loads(output_of(["compare", *selection, *options], tmp_path))["views"]
    assert sum(bucket["segments"] for bucket in view["buckets"]) == lines.count("\n")
    assert all(score == pytest.approx(100) for bucket in view["buckets"] for score in bucket["scores"].values())


@refused("views")
def test_wrong_options_of_views_are_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)


def test_without_views_there_is_an_overview(folder: Path) -> None:
    for systems, segments_shown in ((SYSTEMS, "--differences"), (SYSTEMS[:2], "--worst")):
        overview = output_of(["compare", "ref", *systems, "-m", "chrf", "-q"], folder)
        assert overview == output_of(
            ["compare", "ref", *systems, "-m", "chrf", "-q", "--buckets", "length", segments_shown, "3"], folder)
        assert overview.count("\n") <= 60


# Systems against each other

def systems_of(folder: Path) -> dict[str, list[str]]:
    return dict(zip("ABC", texts_of(folder, *SYSTEMS[1:])))


def test_systems_are_scored_against_each_other(folder: Path) -> None:
    found = views(folder, "--cross", "-m", "bleu", "chrf", "ter", "--chrf-word-order", "2")
    used = [("bleu", "BLEU", {}), ("chrf", "CHRF", {"word_order": 2}), ("ter", "TER", {})]
    for view, (module, name, options) in zip(found, used):
        metric = part(f"metrics.{module}", name)(**options)
        lines = systems_of(folder)
        assert view["scores"] == {
            system: {other: metric.corpus_score(lines[system], [lines[other]]).score for other in lines
                     if other != system} for system in lines}
    assert view["scores"]["A"]["C"] != view["scores"]["C"]["A"]


def test_lengths_are_those_of_bleu(folder: Path) -> None:
    lines, [reference] = systems_of(folder), texts_of(folder, "ref")
    for options in ([], ["-lc"], ["-tok", "char"]):
        [view] = views(folder, "--lengths", *options)
        metric = BLEU(tokenize="char" if "char" in options else "13a", lowercase="-lc" in options)
        scores = [metric.corpus_score(system_view, [reference]) for system_view in lines.values()]
        assert view["systems"] == [
            {"system": name, "tokens": score.sys_len, "reference": score.ref_len, "ratio": score.ratio}
            for name, score in zip(lines, scores)]


def test_matrices_come_in_every_format(folder: Path) -> None:
    lines = systems_of(folder)
    score = BLEU().corpus_score(lines["B"], [lines["C"]])
    shown = {form: output_of(["compare", "ref", *SYSTEMS, "--cross", "--lengths", "-m", "bleu", "chrf", "-f", form],
                             folder) for form in FORMS}
    for form, text in shown.items():
        assert (str(score.score) if form in FORMS[4:] else f"{score.score:.1f}") in text, form
        assert text.count("nrefs:1") == (15 + 6 if form in ("csv", "tsv") else 3), form
    heading, *cells = shown["csv"].splitlines()
    assert heading == "measure,system,reference,value,signature"
    assert f"cross-BLEU,B,C,{score.score},{score.signature.format()}" in cells
    assert sum(cell.startswith("length ratio,") for cell in cells) == 3
    assert "Cross-BLEU: systems (lines)" in shown["text"] and "–" in shown["text"]


# Two ways to the same table

def test_references_without_words_have_no_words_by_frequency(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("\n\n")
    (tmp_path / "out").write_text("x y\nz\n")
    for form in ("text", "markdown", "json"):
        for further in ([], ["-ci", "-cin", "5"]):
            told(tmp_path, "compare", "ref", "-i", "out", "--buckets", "frequency", "-f", form, *further)
    told(tmp_path, "report", "ref", "-i", "out")


def test_lengths_from_rows_are_those_from_text_or_are_not_told(tmp_path: Path) -> None:
    references = {"m1": "a b c d e f g h i\na b c\n", "m2": "a b c d e f g h i j k l\na b c\n"}
    outputs = {"x": "a b c d e f g h i\na b c\n", "y": "a b c d e f g h i j k l\na b d\n"}
    for name, text in {**references, **outputs}.items():
        (tmp_path / name).write_text(text)
    for several, metric in (([], "bleu"), (["m2"], "bleu"), ([], "ter"), ([], "chrf")):
        for name in outputs:
            output_of(["m1", *several, "-i", name, "-m", metric, "--save-rows", f"{name}.rows"], tmp_path)
        found = [call_cli(["compare", "--rows", *rows, "--buckets", "length", "-f", "json"], cwd=tmp_path)
                 for rows in (["x.rows", "y.rows"], ["y.rows", "x.rows"])]
        if several or metric != "bleu":
            assert [done.returncode for done in found] == [2, 2]
            assert all(b"--buckets length needs stored rows of BLEU with one reference" in done.stderr
                       for done in found)
            continue
        text = json.loads(output_of(["compare", "m1", "-i", "x", "y", "--buckets", "length", "-f", "json"],
                                    tmp_path))["views"]
        assert all(json.loads(done.stdout)["views"] == text for done in found)


def test_words_are_those_of_the_tokenizer_whatever_the_metric(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("今天会下雨。\n他说明天会下雨。\n", encoding="utf-8")
    (tmp_path / "out").write_text("今天下雨。\n他说今天会下雨。\n", encoding="utf-8")
    for options in (["-l", "en-zh"], ["-tok", "char"], ["-tok", "zh", "-lc"]):
        for view in (["--buckets", "frequency"], ["--buckets", "length"]):
            found = [json.loads(output_of(["compare", "ref", "-i", "out", "-m", metric, *options, *view, "-f", "json"],
                                          tmp_path)) for metric in ("bleu", "chrf")]
            if view[-1] == "length":
                buckets = [[(bucket["bucket"], bucket["segments"]) for bucket in one["views"][0]["buckets"]]
                           for one in found]
                assert buckets[0] == buckets[1]
            else:
                assert found[0]["views"] == found[1]["views"]
