"""`purebleu compare`: where systems differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from purebleu.analysis.segments import decile_counts
from purebleu.metrics import BLEU, CHRF, TER

from ..helpers import output_of, refusal, refused, texts_of, told, write_lines

SYSTEMS = ["-i", "out.A", "out.B", "out.C"]
FORMS = ["text", "latex", "html", "markdown", "csv", "tsv", "json", "json-signed"]
SHARES, SEGMENTS = {"ref": 1.0, "out.A": 0.9, "out.B": 0.7, "out.C": 0.5}, 100


@pytest.fixture(scope="module")
def folder(folder: Path) -> Path:
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
    assert sum(bucket["segments"] for bucket in view["buckets"]) == 100
    for bucket in view["buckets"]:
        low = int(bucket["bucket"].rstrip("+").partition("-")[0])
        indices = [index for index, tokens in enumerate(words) if min(len(tokens) // 10 * 10, 60) == low]
        assert len(indices) == bucket["segments"]
        for name, output in zip("AB", outputs):
            score = CHRF().corpus_score([output[index] for index in indices], [[reference[index] for index in indices]])
            assert bucket["scores"][name] == score.score


def test_intervals_if_they_are_asked_for(folder: Path) -> None:
    for view in views(folder, "--buckets", "length", "frequency", "-ci", "-cin", "50"):
        for bucket in view["buckets"]:
            for system_view in bucket["scores"].values():
                is_single = bucket.get("segments") == 1
                assert (system_view["low"] is None) == (system_view["high"] is None) == is_single
                assert is_single or system_view["low"] <= system_view["high"]
    plain = ["compare", "ref", *SYSTEMS, "--buckets", "frequency"]
    assert "bs:50|seed:12345" in output_of([*plain, "-ci", "-cin", "50"], folder)
    assert "bs:50" not in output_of(plain, folder)


def sentence_scores(folder: Path, name: str, metric: str) -> list[float]:
    lines = output_of(["ref", "-i", f"out.{name}", "-sl", "-b", "-w", "9", "-m", metric], folder).split()
    return list(map(float, lines))


def test_sentence_scores_are_those_of_sentence_level(folder: Path) -> None:
    [view] = views(folder, "--buckets", "score")
    for name in "ABC":
        counts = decile_counts(sentence_scores(folder, name, "bleu"))
        assert [bucket["scores"][name] for bucket in view["buckets"]] == counts


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_segments_that_are_worth_a_look(folder: Path, metric: str) -> None:
    columns = list(zip(*[sentence_scores(folder, name, metric) for name in "ABC"]))
    sign = 1 if metric == "bleu" else -1
    found = views(folder, "--worst", "3", "--best", "3", "--differences", "3", "-m", metric, "--source", "src",
                  "--ids", "ids")
    orders = ([sign * first for first, *_ in columns], [-sign * first for first, *_ in columns],
              [min(column) - max(column) for column in columns])
    for view, order in zip(found, orders):
        assert [segment["line"] - 1 for segment in view["segments"]] == sorted(range(100), key=order.__getitem__)[:3]
    segment = found[2]["segments"][0]
    number = segment["line"]
    reference, *outputs = [lines[number - 1] for lines in texts_of(folder, "ref", *SYSTEMS[1:])]
    assert (segment["id"], segment["source"], segment["references"]) == (f"id{number}", f"source {number}", [reference])
    assert [system_view["output"] for system_view in segment["systems"]] == outputs
    for system_view in segment["systems"]:
        kept = [text for kind, text in system_view["difference"] if kind != "del"]
        assert " ".join(kept) == " ".join(system_view["output"].split())


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
    assert found[0] == from_text[0] and '"output"' not in json.dumps(found)
    own, other = [[(segment["line"], [system_view["scores"] for system_view in segment["systems"]])
                   for segment in some[1]["segments"]] for some in (found, from_text)]
    assert own == other
    assert output_of(["compare", "--rows", "all.rows", "--lengths"], folder) == output_of(
        ["compare", "ref", *SYSTEMS, "--lengths"], folder)


def test_the_documents_of_a_test_set(tmp_path: Path) -> None:
    selection = ["-t", "sample", "-l", "en-de"]
    lines = output_of([*selection, "--echo", "ref"], tmp_path)
    (tmp_path / "out").write_text(lines, encoding="utf-8")
    command = ["compare", *selection, "-i", "out", "--buckets", "document", "-f", "json"]
    [view] = json.loads(output_of(command, tmp_path))["views"]
    assert sum(bucket["segments"] for bucket in view["buckets"]) == lines.count("\n")
    assert all(score == pytest.approx(100) for bucket in view["buckets"] for score in bucket["scores"].values())


@refused("views")
def test_wrong_options_of_views_are_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)


def test_without_views_there_is_an_overview(folder: Path) -> None:
    for systems, segments_shown in ((SYSTEMS, "--differences"), (SYSTEMS[:2], "--worst")):
        command = ["compare", "ref", *systems, "-m", "chrf", "-q"]
        overview = output_of(command, folder)
        assert overview == output_of([*command, "--buckets", "length", segments_shown, "3"], folder)
        assert overview.count("\n") <= 60


def test_systems_are_scored_against_each_other(folder: Path) -> None:
    found = views(folder, "--cross", "-m", "bleu", "chrf", "ter", "--chrf-word-order", "2")
    lines = dict(zip("ABC", texts_of(folder, *SYSTEMS[1:])))
    for view, metric in zip(found, (BLEU(), CHRF(word_order=2), TER())):
        assert view["scores"] == {
            system: {other: metric.corpus_score(lines[system], [lines[other]]).score for other in lines
                     if other != system} for system in lines}
    assert view["scores"]["A"]["C"] != view["scores"]["C"]["A"]


def test_lengths_are_those_of_bleu(folder: Path) -> None:
    for options, metric in (([], BLEU()), (["-lc"], BLEU(lowercase=True)), (["-tok", "char"], BLEU(tokenize="char"))):
        [view] = views(folder, "--lengths", *options)
        scores = [metric.corpus_score(lines, texts_of(folder, "ref")) for lines in texts_of(folder, *SYSTEMS[1:])]
        assert view["systems"] == [
            {"system": name, "tokens": score.sys_len, "reference": score.ref_len, "ratio": score.ratio}
            for name, score in zip("ABC", scores)]


def test_matrices_come_in_every_format(folder: Path) -> None:
    score = BLEU().corpus_score(texts_of(folder, "out.B")[0], texts_of(folder, "out.C"))
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


def test_references_without_words_have_no_words_by_frequency(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("\n\n")
    (tmp_path / "out").write_text("x y\nz\n")
    for form in ("text", "markdown", "json"):
        for further in ([], ["-ci", "-cin", "5"]):
            told(tmp_path, "compare", "ref", "-i", "out", "--buckets", "frequency", "-f", form, *further)
    told(tmp_path, "report", "ref", "-i", "out")


def test_lengths_from_rows_are_those_from_text_or_are_not_told(tmp_path: Path) -> None:
    for name, first, last in (("m1", "i", "c"), ("m2", "i j k l", "c"), ("x", "i", "c"), ("y", "i j k l", "d")):
        write_lines(tmp_path / name, [f"a b c d e f g h {first}", f"a b {last}"])
    view = ["--buckets", "length", "-f", "json"]
    for references, metric in ((["m1"], "bleu"), (["m1", "m2"], "bleu"), (["m1"], "ter"), (["m1"], "chrf")):
        for name in "xy":
            output_of([*references, "-i", name, "-m", metric, "--save-rows", f"{name}.rows"], tmp_path)
        for rows in (["x.rows", "y.rows"], ["y.rows", "x.rows"]):
            if (references, metric) == (["m1"], "bleu"):
                found, expected = [json.loads(output_of(["compare", *inputs, *view], tmp_path))["views"]
                                   for inputs in (["--rows", *rows], ["m1", "-i", "x", "y"])]
                assert found == expected
            else:
                assert "--buckets length needs stored rows of BLEU with one reference" in refusal(
                    tmp_path, "compare", "--rows", *rows, *view)


def test_words_are_those_of_the_tokenizer_whatever_the_metric(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("今天会下雨。\n他说明天会下雨。\n", encoding="utf-8")
    (tmp_path / "out").write_text("今天下雨。\n他说今天会下雨。\n", encoding="utf-8")
    for options in (["-l", "en-zh"], ["-tok", "char"], ["-tok", "zh", "-lc"]):
        for view in (["--buckets", "frequency"], ["--buckets", "length"]):
            found = [json.loads(output_of(["compare", "ref", "-i", "out", "-m", metric, *options, *view, "-f", "json"],
                                          tmp_path))["views"] for metric in ("bleu", "chrf")]
            if view[-1] == "length":
                found = [[(bucket["bucket"], bucket["segments"]) for bucket in one["buckets"]] for [one] in found]
            assert found[0] == found[1]
