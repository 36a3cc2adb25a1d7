"""Outputs with line breaks of their own: broken anew as mweralign does it, and what errors on numbers of lines say."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import purebleu
from purebleu.files.lines import HeldLines
from purebleu.metrics import mismatch
from purebleu.metrics.mismatch import advice_on_lengths
from purebleu.resegmentation import resegment, segment_ends
from purebleu.runtime import errors

from ..helpers import WMT22, needs_wmt22, read_fixture, refusal, refused, told, write_lines, write_texts

CASES = read_fixture("resegmentation.json.gz")["cases"]
SIGNATURE = "BLEU|nrefs:1{}|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"

REFERENCE = ["The cat sat on the mat.", "It was a grey cat.", "", "Nobody knew its name, or asked for it."]
OUTPUT = ["the cat sat", "on a mat. It was grey. Nobody knew", "the name or asked"]
ANEW = ["the cat sat on a mat.", "It was grey.", "", "Nobody knew the name or asked"]


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


# Equal to mweralign

@pytest.mark.parametrize("unspaced", [False, True])
def test_lines_are_those_of_mweralign(unspaced: bool) -> None:
    cases = [case for case in CASES if case["unspaced"] == unspaced]
    assert len(cases) >= 300
    for case in cases:
        found = resegment(case["output"], list(zip(*case["segments"])), "characters" if unspaced else "words")
        assert found == case["lines"], case["output"]


FOUR = [["a b", "c", "a b", "c"]]


@pytest.mark.parametrize(("error", "hypothesis", "references", "options", "message"), [
    (TypeError, "a b", [["a", "b"]], {}, "hypothesis must be a sequence, such as a list, not a"),
    (TypeError, ["a b"], "a b", {}, "references must be a sequence"),
    (TypeError, ["a b"], [["a"], "b"], {}, r"references\[1\] must be a sequence"),
    *[(TypeError, ["a b"], [["a", wrong]], {}, r"references\[0\]\[1\] is a") for wrong in (1, float("nan"), ["a"])],
    (errors.PurebleuError, ["a b"], [], {}, "there are no reference streams"),
    (errors.PurebleuError, ["a b"], [["a", None], ["b", None]], {},
     "segment 1 has no reference: all of its references are None"),
    (errors.LengthError, ["a"], [["a"], ["a", "b"]], {}, "reference streams differ in length: 1, 2"),
    (errors.LengthError, ["a", "b", "c"], FOUR, {"documents": ["x", "x", "y", "y"]},
     "lines is 3, but each of the 2 documents"),
    (errors.LengthError, ["a"], FOUR, {"documents": ["x"]}, "4 segments, but the list documents has 1 item"),
    (errors.OptionError, ["a"], [["a"]], {"tokens": "klingon"}, "klingon"),
])
def test_wrong_arguments_are_refused(error: type[Exception], hypothesis: Any, references: Any, options: Any,
                                     message: str) -> None:
    with pytest.raises(error, match=message):
        resegment(hypothesis, references, **options)


def test_strings_alone_are_one_stream_and_a_generator_is_read_once() -> None:
    assert resegment(iter(["hello world"]), ["hello", "world"]) == ["hello", "world"]


# Held to its definition

def minimal_cost(hypothesis: Sequence[str], segments: Sequence[Sequence[Sequence[str]]]) -> int:
    """The last number of the whole matrix, in which row 0 counts the ends of segments, too."""
    column = list(range(len(hypothesis) + 1))
    zeroth = 0
    for references in segments:
        ends = [_last_column(hypothesis, column, reference) for reference in references]
        zeroth += max(map(len, references)) + 1
        column = [zeroth, *list(map(min, zip(*ends)))[1:]]
    return column[-1]


def _last_column(hypothesis: Sequence[str], column: Sequence[int], reference: Sequence[str]) -> Sequence[int]:
    for word in reference:
        new = [column[0] + 1]
        for row, ours in enumerate(hypothesis, 1):
            new.append(min(column[row] + 1, new[-1] + 1, column[row - 1] + (ours != word)))
        column = new
    return column


def cost_of(hypothesis: Sequence[str], segments: Sequence[Sequence[Sequence[str]]], ends: Sequence[int]) -> int:
    """The sum of the edit distances between what ends make of a hypothesis and the nearest references."""
    cost = 0
    for references, start, end in zip(segments, [0, *ends], ends):
        part = hypothesis[start:end]
        cost += min([_last_column(part, range(len(part) + 1), reference)[-1] for reference in references])
    return cost


words = st.lists(st.sampled_from("abc"), max_size=7)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=16),
       st.lists(st.lists(words, min_size=1, max_size=3), min_size=1, max_size=5))
@example(hypothesis=["a", "a", "a"], segments=[[["a", "a"]], [[], ["a"]]])  # empty references beside others
@example(hypothesis=["a", "a", "a"], segments=[[[]], [[], []], [[], ["a"]]])
def test_no_segmentation_costs_less(hypothesis: list[str], segments: list[list[list[str]]]) -> None:
    ends = segment_ends(hypothesis, segments)
    assert ends == sorted(ends) and ends[-1] == len(hypothesis) and len(ends) == len(segments)
    cost = cost_of(hypothesis, segments, ends)
    # (A leading segment that is left empty costs more than the deletion of its words.)
    assert minimal_cost(hypothesis, segments) == cost if ends[0] else minimal_cost(hypothesis, segments) >= cost


@given(st.lists(st.text("ab ÄЖ東。", max_size=12), max_size=6), st.lists(st.text("ab ÄЖ東。", max_size=8), min_size=1,
                                                                       max_size=5),
       st.sampled_from(["words", "characters", "13a", "zh", "char", "intl", "none"]))
def test_resegmentation_loses_no_text(output: list[str], reference: list[str], tokens: str) -> None:
    found = resegment(output, [reference], tokens)
    assert len(found) == len(reference)
    assert "".join("".join(found).split()) == "".join("".join(output).split())
    assert all(line == line.strip() for line in found)


@given(st.integers(0, 10**6))
def test_an_output_with_the_breaks_of_the_references_keeps_them(seed: int) -> None:
    rng = random.Random(seed)
    reference = [" ".join([f"{line}.{place}" for place in range(rng.randint(1, 9))]) for line in range(12)]
    assert resegment(reference, [reference]) == resegment([" ".join(reference)], [reference]) == reference


def test_the_square_root_of_the_columns_is_enough() -> None:
    """A long output, cut in a hundred groups of segments, against the same in a matrix of its own for each half."""
    rng = random.Random(4)
    texts = [[rng.choice("abcdefgh") + str(line % 7) for _ in range(rng.randint(0, 6))] for line in range(900)]
    noisy = [word for text in texts for word in text if rng.random() > 0.1]
    ends = segment_ends(noisy, [[text] for text in texts])
    middle = ends[449]
    assert segment_ends(noisy[:middle], [[text] for text in texts[:450]]) == ends[:450]


# Tokens

def test_breaks_and_spaces_follow_the_script() -> None:
    reference = ["東京は日本の首都です。", "大阪は大きい町です。"]
    output = ["東京は日本の首", "都です。大阪は大きい", "町だ。"]
    anew = ["東京は日本の首都です。", "大阪は大きい町だ。"]
    for tokens in ("characters", "zh", "char", "intl"):
        assert resegment(output, [reference], tokens) == anew, tokens
    assert resegment(["東京Tokyo タワー"], [["東京Tokyo", "タワー"]], "characters") == ["東京Tokyo", "タワー"]
    # (There is a space between lines only in scripts that write one, and no line begins within words of these.)
    assert resegment(["世界", "abc", " de ", "", "你"], [["x"]], "characters") == ["世界abc de你"]
    assert resegment(["one,two three"], [["one", ", two three"]], "13a") == ["one,two", "three"]


def test_documents_are_searched_apart_and_references_may_be_missing() -> None:
    assert resegment(["a b c a b", "c"], FOUR, documents=["x", "x", "y", "y"]) == ["a b", "c a b", "c", ""]
    assert resegment(["a b c d"], [["a b", "c d"], [None, "c d"]]) == ["a b", "c d"]
    assert resegment([], [["a", "b"]]) == ["", ""]


# The command line

@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in {"ref": REFERENCE, "out": OUTPUT, "anew": ANEW, "other": [" ".join(ANEW)]}.items():
        write_lines(tmp_path / name, lines)
    return tmp_path


@pytest.mark.full
def test_scores_are_those_of_lines_that_are_broken_anew(folder: Path) -> None:
    for metrics in (["bleu"], ["bleu", "chrf", "ter"], ["nist"]):
        anew, _ = told(folder, "ref", "-i", "anew", "-m", *metrics, "-q", "-f", "text")
        arguments = ["ref", "-i", "out", "-m", *metrics, "-q", "-f", "text", "--resegment"]
        scored, _ = told(folder, *arguments, "--save-resegmented", "saved")
        assert lines_of(folder / "saved") == ANEW
        assert scored.replace("|reseg:words", "") == anew and "|reseg:words" in scored
        assert told(folder, *arguments, "-j", "2")[0] == scored


def test_several_systems_tests_segments_and_rows(folder: Path) -> None:
    arguments = ["ref", "-i", "out", "other", "--resegment", "words", "-q"]
    table = json.loads(told(folder, *arguments, "--paired-bs", "-f", "json-signed")[0])
    assert "|reseg:words|" in table["signatures"]["BLEU"]
    assert [system["BLEU"]["score"] for system in table["systems"]] == [table["systems"][0]["BLEU"]["score"]] * 2
    told(folder, *arguments, "--save-rows", "rows", "--save-resegmented", "one", "two")
    assert lines_of(folder / "one") == lines_of(folder / "two") == ANEW
    assert "reseg:words" in told(folder, "--rows", "rows", "-f", "json-signed", "-q")[0]
    sentences, signatures = told(folder, "ref", "-i", "out", "--resegment", "-sl", "-f", "csv")
    assert len(sentences.splitlines()) == 5 and "reseg:words" in signatures
    assert "4" in told(folder, "check", "ref", "-i", "out", "--resegment", "-q")[0]
    assert "nobody" in told(folder, "compare", *arguments, "--worst", "4")[0].lower()


def test_the_signature_asks_for_it(folder: Path) -> None:
    asked = ("ref", "-i", "out", "-f", "text", "--signature")
    scored, complaints = told(folder, *asked, SIGNATURE.format("|reseg:13a"))
    assert "|reseg:13a|" in scored and "is not the one" not in complaints
    assert "reseg:words instead of (none)" in told(folder, *asked, SIGNATURE.format(""), "--resegment")[1]


def test_documents_bound_the_search(folder: Path) -> None:
    write_texts(folder, {"docs": "x\nx\ny\ny\n",
                         "by_document": "the cat sat on a mat. It was grey.\nNobody knew the name or asked\n"})
    told(folder, "ref", "-i", "by_document", "--resegment", "--docs", "docs", "--save-resegmented", "saved", "-q")
    assert lines_of(folder / "saved") == ANEW
    asked = ("ref", "-i", "by_document", "-f", "text", "--signature", SIGNATURE.format("|reseg:words-docs"))
    scored, complaints = told(folder, *asked, "--resegment", "words", "--docs", "docs")
    assert "|reseg:words-docs|" in scored and "reseg" not in complaints
    assert "reseg:words-docs in a signature needs the documents of the segments: --resegment words --docs" in refusal(
        folder, *asked)
    assert refusal(folder, "ref", "-i", "out", "--resegment", "--docs", "docs", code=1) == (
        "purebleu: error: out: the number of lines is 3, but each of the 2 documents must be one line\n")


def test_the_target_language_chooses_characters(folder: Path) -> None:
    write_lines(folder / "ja", ["東京は日本の首都です。", "大阪は町です。"])
    write_lines(folder / "ja.out", ["東京は", "日本の首都です。大阪は町です。"])
    scored, _ = told(folder, "ja", "-i", "ja.out", "-m", "chrf", "--resegment", "-l", "en-ja", "-f", "text", "-q")
    assert "|reseg:characters|" in scored and "= 100.0" in scored


def test_standard_input_and_columns(folder: Path) -> None:
    expected = told(folder, "ref", "-i", "anew", "-b", "-q")
    assert told(folder, "ref", "-i", "-", "--resegment", "-b", "-q", stdin=(folder / "out").read_bytes()) == expected
    write_lines(folder / "refs.jsonl", [json.dumps({"ref": [line, line.lower()]}) for line in REFERENCE])
    told(folder, "refs.jsonl:ref", "-i", "out", "--resegment", "-q", "--save-resegmented", "saved")
    assert lines_of(folder / "saved") == ANEW
    write_lines(folder / "tabs", [f"{line or '-'}\t{line or '-'}" for line in REFERENCE])
    told(folder, "tabs", "-nr", "2", "-i", "out", "--resegment", "-q", "--save-resegmented", "saved")
    assert [line for line in lines_of(folder / "saved") if line] == [line for line in ANEW if line]


@refused("resegmentation")
def test_wrong_usage_is_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)


# Where files part

@pytest.mark.full
def test_the_error_tells_the_line_from_which_on_files_part(folder: Path) -> None:
    rng = random.Random(5)
    reference = _sentences(80)
    output = [" ".join([word for word in line.split() if rng.random() > 0.3]) for line in reference]
    for name, lines in {"long": reference, "short": [*output[:40], *output[41:]], "twice": reference * 2,
                        "other": [f"autre{line}" for line in range(79)]}.items():
        write_lines(folder / name, lines)
    for reference_file, output_file, jobs in (("long", "short", "1"), ("long", "short", "2"), ("short", "long", "1")):
        complaint = refusal(folder, reference_file, "-i", output_file, "-j", jobs, code=1)
        assert "; from line 41 on, line n of short matches line n + 1 of long" in complaint
        assert "--resegment" in complaint
    assert "such as the source?" in refusal(folder, "long", "-i", "other", code=1)
    complaint = refusal(folder, "twice", "-i", "long", code=1)
    assert "-nr 2" in complaint and "from line" not in complaint


def _advice(output: Sequence[Any], reference: Sequence[Any]) -> str:
    """The advice about an output and a reference with different numbers of lines."""
    return advice_on_lengths([HeldLines("out", output), HeldLines("ref", reference)], 1, 1)


def _sentences(count: int, seed: int = 5) -> list[str]:
    rng = random.Random(seed)
    vocabulary = [f"word{index}" for index in range(400)]
    return [" ".join(rng.choices(vocabulary, k=9)) for _ in range(count)]


@pytest.mark.parametrize("count", [3, 80])
def test_the_cause_of_different_numbers_of_lines_comes_first(count: int) -> None:
    lines = _sentences(count)
    assert _advice([*lines, ""], lines) == "; out ends with an empty line, which counts as a segment: remove it"
    assert _advice(lines, [*lines, "", ""]) == "; ref ends with 2 empty lines, which count as segments: remove them"
    assert _advice(["\r".join(lines)], lines) == (
        "; out has old Mac line breaks (carriage returns alone): tr '\\r' '\\n' < out turns them into line feeds")
    assert _advice(lines[:-1], lines) == f"; out is cut at the end: its lines match the first {count - 1} lines of ref"
    assert _advice(lines, lines[:-1]) == f"; ref is cut at the end: its lines match the first {count - 1} lines of out"


def test_lists_of_references_are_compared_by_their_first_texts() -> None:
    lines = _sentences(20)
    references = [["", line] for line in [*lines, "one more"]]
    assert _advice(lines, references) == "; out is cut at the end: its lines match the first 20 lines of ref"
    assert _advice(lines[:4], [None, None, *references[:3]]) != ""


def test_resegmentation_is_advised_only_if_the_words_agree() -> None:
    lines = _sentences(100)
    documents = [" ".join(lines[start:start + 10]) for start in range(0, 100, 10)]
    advice = "; --resegment divides outputs into the lines of the references"
    assert _advice(documents, lines) == advice
    assert _advice([*documents, "one more line"], lines) == advice
    others = _sentences(30, seed=6)  # of the same words, in other sentences
    assert "--resegment" not in _advice(others, lines)
    assert "such as the source?" in _advice([line.replace("word", "mot") for line in documents], lines)


def test_files_of_very_many_lines_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"this is line {number}" for number in range(10)]
    for limit, is_searched in ((11, True), (10, False), (8, False)):
        monkeypatch.setattr(mismatch, "_MAX_LINES", limit)
        assert bool(_advice(texts[:7], texts)) == is_searched


# Real text

@needs_wmt22
def test_real_outputs_of_other_lines_of_shared_data_are_told_apart() -> None:
    reference = lines_of(WMT22 / "generaltest2022.en-de.ref.A.de")
    for path in sorted(WMT22.glob("generaltest2022.en-de.hyp.*.de")):
        output = lines_of(path)
        for size in (30, 300, 900):
            documents = [" ".join(output[start:start + 10]) for start in range(0, size, 10)]
            assert "--resegment" in _advice(documents, reference[:size])
            assert "--resegment" not in _advice(output[size:size + size // 2 + 1], reference[:size])
            assert "is cut at the end" in _advice(output[:size - 5], reference[:size])


@needs_wmt22
def test_real_outputs_lose_little() -> None:
    reference = lines_of(WMT22 / "generaltest2022.en-de.ref.A.de")[:700]
    output = lines_of(WMT22 / "generaltest2022.en-de.hyp.Online-W.de")[:700]
    rng = random.Random(6)
    words = " ".join(output).split(" ")
    lines: list[str] = []
    while words:
        length = rng.randint(3, 60)
        lines.append(" ".join(words[:length]))
        words = words[length:]
    bleu: Any = purebleu.BLEU()
    before = bleu.corpus_score(output, [reference]).score
    for tokens, share, lost in (("words", 0.6, 0.3), ("13a", 0.8, 0.1)):
        anew = resegment(lines, [reference], tokens)
        assert sum(map(str.__eq__, anew, output)) > share * len(output)
        assert abs(bleu.corpus_score(anew, [reference]).score - before) < lost
