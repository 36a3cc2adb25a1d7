"""`purebleu audit`: BLEU of the same output by preprocessing. (The words of Moses themselves: `test_moses.py`.)"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import purebleu
from purebleu.audit.moses import MosesWords
from purebleu.cli.arguments.parser import read_line
from purebleu.cli.commands.audit import run_audit
from purebleu.report.formats import short_names
from purebleu.runtime import progress

from ..helpers import WMT22, needs_wmt22, output_of, read_fixture, refusal, unpacked, write_lines

REFERENCE = ["Dr. Smith said: it's a well-known 3.5-litre engine.", "The cat sat on the mat, didn't it?", "Ja!"]
OTHER_REFERENCE = ["Dr. Smith called it a well-known 3.5 litre engine.", "The cat was sitting on the mat.", "Yes!"]
SYSTEM = ["dr. Smith said: It's a well known 3.5-litre engine.", "The cat sat on a mat, did it not?", "ja !"]
BETTER = ["Dr. Smith said it is a well-known 3.5 litre engine .", "the cat sat on the mat , didn't it ?", "Ja!"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in [("ref", REFERENCE), ("ref2", OTHER_REFERENCE), ("a.out", SYSTEM), ("b.out", BETTER)]:
        write_lines(tmp_path / name, lines)
    return tmp_path


def audited(folder: Path, *arguments: str, **env: str) -> Any:
    command = ["audit", "ref", "-i", "a.out", "-f", "json", "-w", "12", *arguments]
    return json.loads(output_of(command, folder, b"", **env))


def by_name(audit: Any, part: str = "preprocessing") -> dict[str, tuple[float, float]]:
    return {row["name"]: (row["cased"][0], row["lower-cased"][0]) for row in audit[part]}


def bleu(hypotheses: list[str], references: list[list[str]], **options: Any) -> tuple[float, ...]:
    return tuple([round(purebleu.corpus_bleu(hypotheses, references, lowercase=lowercase, **options).score, 12)
                  for lowercase in (False, True)])


def test_progress_gets_to_its_end(folder: Path) -> None:
    _, values = read_line(
        ["audit", str(folder / "ref"), "-i", str(folder / "a.out"), str(folder / "b.out"), "-l", "de-en"])
    observer = progress.Observer()
    progress.observe(observer)
    try:
        run_audit(values)
    finally:
        progress.observe(progress.Observer())
    assert observer.total == observer.done == 2 * 3 * 6 * 2  # systems, lines, choices and cases


def test_rows_are_bleu_of_what_is_prepared(folder: Path) -> None:
    rows = by_name(audited(folder, "-l", "de-en"))
    assert list(rows) == ["none", "basic (en)", "split (en)", "unk (references)", "13a", "intl"]
    for name in ("none", "13a", "intl"):
        assert rows[name] == bleu(SYSTEM, [REFERENCE], tokenize=name)
    for name, aggressive in (("basic (en)", False), ("split (en)", True)):
        words = MosesWords("en", aggressive)
        lines = [[words(line) for line in text] for text in (SYSTEM, REFERENCE)]
        assert rows[name] == bleu(lines[0], [lines[1]], tokenize="none")
    assert len({*rows.values()}) > 4


def test_unknown_words_are_those_that_the_references_have_less_than_twice(folder: Path) -> None:
    words = MosesWords("en")
    count = Counter([word for text in (REFERENCE, OTHER_REFERENCE) for line in text for word in words(line).split()])
    texts = [[" ".join([word if count[word] >= 2 else "<unk>" for word in words(line).split()]) for line in text]
             for text in (SYSTEM, REFERENCE, OTHER_REFERENCE)]
    command = ["audit", "ref", "ref2", "-i", "a.out", "-l", "de-en", "-f", "json", "-w", "12"]
    assert by_name(json.loads(output_of(command, folder)))["unk (references)"] == bleu(
        texts[0], texts[1:], tokenize="none")


def test_counts_may_come_from_a_file(folder: Path) -> None:
    (folder / "counts.tsv").write_text("Smith\t1\nthe\t2\nmat\t7\nSmith\t1\ncat\t1\n", encoding="utf-8")
    audit = audited(folder, "-l", "de-en", "--counts", "counts.tsv")
    words = MosesWords("en")
    texts = [[" ".join([word if word in ("Smith", "the", "mat") else "<unk>" for word in words(line).split()])
              for line in text] for text in (SYSTEM, REFERENCE)]
    assert by_name(audit)["unk (counts.tsv)"][0] == bleu(texts[0], [texts[1]], tokenize="none")[0]


@pytest.mark.parametrize(("content", "message"), [
    ("the\t2\nmat 7\n", "counts.tsv, line 2: 'mat 7' must be a word, a tab and a count"),
    ("the\tmany\n", "line 1: 'the\\tmany' must be"), ("\t2\n", "line 1: "), ("the\t-2\n", "line 1: "),
    ("the\t²\n", "line 1: "),
])
def test_wrong_counts_are_an_error(folder: Path, content: str, message: str) -> None:
    (folder / "counts.tsv").write_text(content, encoding="utf-8")
    assert message in refusal(folder, "audit", "ref", "-i", "a.out", "--counts", "counts.tsv", code=1)


def test_a_file_of_prefixes_takes_the_place_of_the_own_list(folder: Path) -> None:
    (folder / "prefixes.en").write_text("# none of its own\n", encoding="utf-8")
    (folder / "a.out").write_text("Dr. Smith said: no.\n" * 3, encoding="utf-8")
    own = audited(folder, "-l", "de-en")["preprocessing"]
    given = audited(folder, "-l", "de-en", "--nonbreaking-prefixes", "prefixes.en")["preprocessing"]
    assert [row["name"] for row in given][1:3] == ["basic (en, prefixes.en)", "split (en, prefixes.en)"]
    assert "|tok:moses-en|" in own[1]["signatures"]["cased"]
    assert "|tok:moses-en-prefixes-sha256-" in given[1]["signatures"]["cased"]


@pytest.mark.parametrize(("pair", "names", "usual"), [
    ([], ["basic (no language, no prefixes)", "13a", "intl"], "13a"),
    (["-l", "en-fr"], ["basic (fr, no prefixes)", "13a", "intl"], "13a"),
    (["-l", "en-zh"], ["basic (zh, no prefixes)", "13a", "intl", "zh", "char"], "zh"),
])
def test_rows_depend_on_the_language(folder: Path, pair: list[str], names: list[str], usual: str) -> None:
    audit = audited(folder, *pair)
    found = [row["name"] for row in audit["preprocessing"]]
    assert [name for name in found if not name.startswith(("none", "split", "unk"))] == names
    assert audit["usual"] == usual


def test_tokenizers_without_data_are_left_out_and_named(folder: Path) -> None:
    audit = audited(folder, "-l", "en-ja", "-q", HOME=str(folder), PUREBLEU_CACHE=str(folder))
    if not audit["left_out"]:
        pytest.skip("this machine has a dictionary")
    assert audit["left_out"][0].startswith("ja-mecab: ")
    assert [row["name"] for row in audit["preprocessing"]][-2:] == ["intl", "char"]


def test_a_model_in_the_cache_makes_a_row(folder: Path) -> None:
    model = read_fixture("sentencepiece.models.json.gz")["cases"][0]
    (folder / "cache" / "models").mkdir(parents=True)
    (folder / "cache" / "models" / "sacrebleu_tokenizer_spm.model").write_bytes(unpacked(model["content"]))
    assert audited(folder, "-q", PUREBLEU_CACHE=str(folder / "cache"))["preprocessing"][-1]["name"] == "flores101"


def test_smoothing_is_bleus(folder: Path) -> None:
    rows = by_name(audited(folder, "-l", "de-en"), "smoothing")
    assert list(rows) == ["none", "floor[0.10]", "add-k[1.00]", "exp"]
    for name, values in rows.items():
        assert values == bleu(SYSTEM, [REFERENCE], smooth_method=name.partition("[")[0])
    # Smoothing that changes nothing is left out.
    write_lines(folder / "a.out", REFERENCE)
    assert audited(folder)["smoothing"] == []
    assert "smoothing (" not in output_of(["audit", "ref", "-i", "a.out"], folder)


def test_the_range_and_what_it_means(folder: Path) -> None:
    audit = audited(folder, "-l", "de-en")
    cased, lowered = zip(*by_name(audit).values())
    assert audit["range"] == {name: [round(max(scores) - min(scores), 12)]
                              for name, scores in (("cased", cased), ("lower-cased", lowered))}
    every = cased + lowered
    text = output_of(["audit", "ref", "-i", "a.out", "-l", "de-en", "-w", "2"], folder)
    assert " ".join(text.split()).count(
        "Scores with different signatures cannot be compared. In this audit, preprocessing alone changes the score "
        f"from {min(every):.2f} to {max(every):.2f}, a range of {max(every) - min(every):.2f} points.") == 1


def test_scores_that_stay_the_same_have_no_range(tmp_path: Path) -> None:
    write_lines(tmp_path / "ref", ["a b"])
    write_lines(tmp_path / "out", ["c"])
    text = output_of(["audit", "ref", "-i", "out"], tmp_path)
    assert "preprocessing alone does not change any score." in " ".join(text.split())


def test_systems_that_turn_over_are_marked(folder: Path) -> None:
    command = ["audit", "ref", "-i", "a.out", "b.out", "-l", "de-en"]
    audit = json.loads(output_of([*command, "-f", "json"], folder))
    rows = {row["name"]: row for row in audit["preprocessing"]}
    assert rows["none"]["cased"][0] > rows["none"]["cased"][1]
    assert rows["13a"]["cased"][0] < rows["13a"]["cased"][1]
    turned, = audit["turned_over"]
    assert (turned["better"], turned["worse"]) == ("b", "a")
    for case, names in turned["rows"].items():
        assert names == [name for name, row in rows.items() if row[case][0] > row[case][1]]
    text = output_of(command, folder)
    assert next(line.count("*") for line in text.splitlines() if " none │" in line) == 2
    assert " ".join(text.split()).count("* b is better than a under 13a, but worse under: none") == 1


def test_names_without_what_they_share() -> None:
    for names, short in (
        (["out/wmt.A.de", "out/wmt.B.de"], ["A", "B"]), (["one/x.txt", "two/x.txt"], ["one", "two"]),
        (["a.txt", "b.txt", "a.txt"], ["a", "b", "a"]), (["Online-A.de", "Online-B.de"], ["Online-A", "Online-B"]),
        (["/x/a", "/x/b"], ["a", "b"]), (["only/one.txt"], ["one.txt"]), (["a", "b"], ["a", "b"]),
    ):
        assert short_names(names) == short


# The command line

def test_every_format_has_the_figures(folder: Path) -> None:
    rows = by_name(audited(folder, "-l", "de-en"))
    for form in ("text", "latex", "markdown", "html", "json-signed", "csv", "tsv"):
        text = output_of(["audit", "ref", "-i", "a.out", "-l", "de-en", "-f", form, "-w", "3"], folder)
        for cased, lowered in rows.values():
            assert f"{cased:.3f}".rstrip("0") in text and f"{lowered:.3f}".rstrip("0") in text, form
        assert "basic (en)" in text and "moses-en" in text, form


def test_standard_input_gives_the_same(folder: Path) -> None:
    from_file, from_input = [output_of(["audit", "ref", "-i", first, "b.out", "-f", "json", "-q"], folder,
                                       (folder / "a.out").read_bytes()) for first in ("a.out", "-")]
    assert from_input.replace('"-"', '"a"').replace("b.out", "b") == from_file


@pytest.mark.parametrize("option", ["--counts", "--nonbreaking-prefixes"])
def test_files_of_an_audit_go_with_an_audit_alone(folder: Path, option: str) -> None:
    assert f"error: {option} needs --audit\n" in refusal(folder, "report", "ref", "-i", "a.out", option, "ref")
    assert "missing: No such file" in refusal(folder, "audit", "ref", "-i", "a.out", option, "missing", code=1)
    # A report finds that, too, before it reads outputs, which are missing here.
    assert "missing: No such file" in refusal(folder, "report", "ref", "-i", "none", "--audit", option, "missing",
                                              code=1)


@needs_wmt22
def test_figures_of_moses_own_words_in_real_text() -> None:
    names = [f"generaltest2022.en-de.{name}.de" for name in ("ref.B", "hyp.Online-B")]
    rows = by_name(json.loads(output_of(["audit", names[0], "-i", names[1], "-l", "en-de", "-f", "json", "-w", "6"],
                                        WMT22)))
    assert rows["none"] == (33.340389, 33.731750)
    assert rows["basic (de)"] == (38.380730, 38.774109)
    assert rows["split (de)"] == (39.044012, 39.435713)
    assert rows["unk (references)"] == (43.856227, 44.112286)
    assert rows["13a"] == (38.299859, 38.691253)
