"""Alignments: shifts and operations of segments; in files, in a terminal, as tables; TER with the kinds of edits."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.metrics import CER, TER, WER, metric_class
from purebleu.metrics.alignment import TERShift
from purebleu.report.alignments import AlignedSegment, AlignmentView, _alignment_json, _block
from purebleu.report.formats import Style
from purebleu.runtime.errors import PurebleuError
from purebleu.unicode.columns import columns_taken
from purebleu.unicode.properties import WHITESPACE

from ..helpers import first_by_default, needs_wmt22, output_of, refusal, refused, told, wmt22_lines, write_lines

#: Segments whose alignments are shown: shifts, wide characters, marks that combine, letters from right to left, a
#: whole line missing, and one that is the same.
HEBREW = ("\u05e9\u05dc\u05d5\u05dd", "\u05db\u05dc", "\u05d4\u05d9\u05d5\u05dd")
CHINESE = ("\u4eca\u5929", "\u7684", "\u5929\u6c14", "\u5f88\u597d", "\u597d")
REFERENCE = ["the cat sat on the mat", "Hello there, dear world", "same line", " ".join(HEBREW),
             " ".join([CHINESE[0], *CHINESE[2:4]]), "", "cafe\u0301 noir"]
OUTPUT = ["sat the cat on a mat", "hello world", "same line", " ".join(HEBREW[::2]),
          " ".join([*CHINESE[:3], CHINESE[4]]), "foo", "cafe\u0301s noirs"]
OTHER = ["the cat", "hello there, world", *REFERENCE[2:]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("alignments")
    write_lines(folder / "ref", REFERENCE)
    write_lines(folder / "out", OUTPUT)
    write_lines(folder / "other", OTHER)
    return folder


def aligned(folder: Path, *args: str) -> str:
    return output_of(["align", "ref", "-i", "out", "-q", *args], folder)


# JSON

def test_json_has_each_metric_of_each_system(folder: Path) -> None:
    command = ["align", "ref", "-i", "out", "second=other", "-m", "bleu", "ter", "wer", "cer", "-q"]
    assert output_of([*command, "-o", "all.json"], folder) == ""
    shown = output_of([*command, "--confusions", "3", "-o", "again.json"], folder)
    assert shown == output_of([*command, "--confusions", "3"], folder)
    assert (folder / "again.json").read_bytes() == (folder / "all.json").read_bytes()
    found = json.loads((folder / "all.json").read_text(encoding="utf-8"))["alignments"]
    systems = {"out": OUTPUT, "second": OTHER}
    assert [(one["system"], one["metric"]) for one in found] == [*product(systems, ("CER", "TER", "WER"))]
    for system_alignments in found:
        metric: Any = metric_class(system_alignments["metric"])()
        lines = systems[system_alignments["system"]]
        assert system_alignments["signature"] == str(metric.corpus_score(lines, [REFERENCE]).signature)
        for number, (segment, line, reference) in enumerate(zip(system_alignments["segments"], lines, REFERENCE), 1):
            alignment = metric.alignment(line, [reference])
            expected = {
                "line": number, "operations": [list(one) for one in alignment.operations()],
                "shifts": [{"start": one.start, "target": one.target, "words": one.words} for one in alignment.shifts],
                "hypothesis": alignment.hypothesis, "score": metric.sentence_score(line, [reference]).score}
            assert {key: segment[key] for key in expected} == expected


def test_missing_references_and_ids(folder: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "ref.jsonl", ['{"ref": ["a b", "a c"]}', '{"ref": ["x"]}'])
    write_lines(tmp_path / "out.jsonl", ['{"text": "a c"}', '{"text": "y"}'])
    write_lines(tmp_path / "ids", ["first one", "second"])
    told(tmp_path, "align", "ref.jsonl:ref", "-i", "out.jsonl:text", "-m", "wer", "ter", "--ids", "ids", "-o", "a.json")
    for metric_alignments in json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["alignments"]:
        first, second = metric_alignments["segments"]
        assert (first["reference"], first["id"], first["edits"]) == (1, "first one", 0)
        assert second["operations"] == [["substitution", "y", "x"]]


def test_halves_of_surrogate_pairs_are_escaped() -> None:
    assert list(map(_alignment_json, ["\ud800\xe9", "\xe9"])) == ['"\\ud800\\u00e9"', '"\xe9"']


# TER's alignments

lines = st.lists(st.sampled_from("abcd"), max_size=14).map(" ".join)


def assert_consistent(found: Any, hypothesis: str, references: list[str | None]) -> None:
    """Invariants of every alignment."""
    words = found.hypothesis
    assert words == hypothesis.lower().split()
    assert found.reference == (references[found.reference_index] or "").lower().split()
    for shift in found.shifts:
        end = shift.start + len(shift.words)
        assert words[shift.start:end] == shift.words
        assert not shift.start <= shift.target <= end
        before = [*enumerate(words)]
        moved, others = before[shift.start:end], before[:shift.start] + before[end:]
        place = len([position for position, _ in others if position < shift.target])
        words = [word for _, word in others[:place] + moved + others[place:]]
    assert found.shifted == words
    operations = found.operations()
    assert [one for _, one, _ in operations if one is not None] == words
    assert [other for _, _, other in operations if other is not None] == found.reference
    for kind, one, other in operations:
        assert kind == ("insertion" if other is None else "deletion" if one is None
                        else "match" if one == other else "substitution")
    counts = found.counts()
    assert counts["shifted_words"] == sum([len(shift.words) for shift in found.shifts]) >= counts["shifts"]
    assert found.num_edits == sum(counts.values()) - counts["shifted_words"]


@given(lines, st.lists(lines, min_size=1, max_size=3))
def test_an_alignment_is_what_the_score_counts(hypothesis: str, references: list[str]) -> None:
    found = TER().alignment(hypothesis, references)
    assert_consistent(found, hypothesis, references)  # type: ignore[arg-type]
    score = TER().sentence_score(hypothesis, references)
    assert (found.num_edits, found.ref_length) == (score.num_edits, score.ref_length)
    single = [TER().sentence_score(hypothesis, [reference]).num_edits for reference in references]
    assert found.reference_index == single.index(min(single))


def test_a_corpus_has_the_alignments_of_its_segments() -> None:
    source = random.Random(3)
    hypotheses, first, second = [
        [" ".join(source.choices("abcdefgh", k=source.randrange(15))) for _ in range(530)] for _ in range(3)]
    streams: list[Sequence[str | None]] = [first, [None if number % 3 else text for number, text in enumerate(second)]]
    lists = [list(pair) for pair in zip(*streams)]
    found = TER().corpus_alignments(hypotheses, streams)
    for alignment, hypothesis, references in zip(found, hypotheses, lists):
        assert_consistent(alignment, hypothesis, references)
        assert repr(TER().alignment(hypothesis, references)) == repr(alignment)
    rows = TER().corpus_statistics(hypotheses, streams)
    assert [(alignment.num_edits, alignment.ref_length) for alignment in found] == rows
    for same in (TER(references=streams).corpus_alignments(hypotheses, None),
                 TER().corpus_alignments(hypotheses, lists, transpose_references=True)):
        assert list(map(repr, same)) == list(map(repr, found))


def test_words_are_those_that_are_compared() -> None:
    text, reference = "\ud800 Ann&amp;Bob, (was) here.", "here, Ann"
    assert TER(case_sensitive=True).alignment(text, [reference]).hypothesis == text.split(" ")
    found = TER(normalized=True).alignment(text, [None, reference])
    assert found.hypothesis == ["\ud800", "ann", "&", "bob", ",", "(", "was", ")", "here", "."]
    assert (found.reference, found.reference_index) == (["here", ",", "ann"], 1)


def test_places_of_blocks() -> None:
    for text, reference, expected in (("d e a b c", "a b c d e", (0, 5, ["d", "e"])),
                                      ("b b a a c", "c c c b c b c c b b a a", (4, 0, ["c"])),
                                      ("c b c c", "a c c c b b", (0, 4, ["c", "b"]))):
        found = TER().alignment(text, [reference])
        assert [(one.start, one.target, one.words) for one in found.shifts] == [expected]


def test_wrong_arguments_are_named() -> None:
    table: list[tuple[Any, Any, type[Exception], str]] = [
        ("a", "a", TypeError, "references must be a sequence"), (["a"], ["a"], TypeError, "hypothesis is a list"),
        ("a", [], PurebleuError, "no reference"), ("a", [None], PurebleuError, "no reference")]
    for hypothesis, references, error, message in table:
        with pytest.raises(error, match=message):
            TER().alignment(hypothesis, references)


@needs_wmt22
def test_the_kinds_of_edits_of_real_text_are_those_of_tercom() -> None:
    # (For Tercom, only ASCII whitespace separates words.)
    others = str.maketrans({character: "_" for character in WHITESPACE if character > "\x7f"})
    texts = wmt22_lines("hyp.Online-B", "ref.B")
    hypotheses, references = [[line.translate(others) for line in lines] for lines in texts]
    expected = {"insertions": 2116, "deletions": 2462, "substitutions": 11141, "shifts": 1167, "shifted_words": 1480}
    found = TER(case_sensitive=True).corpus_alignments(hypotheses, [references])
    assert {kind: sum([alignment.counts()[kind] for alignment in found]) for kind in found[0].counts()} == expected
    score = TER(case_sensitive=True, kinds=True).corpus_score(hypotheses, [references])
    assert {kind: getattr(score, kind) for kind in expected} == expected
    assert sum([alignment.num_edits for alignment in found]) == score.num_edits == 16886


# WER's alignments

@given(st.lists(st.sampled_from("ab c"), max_size=9).map("".join),
       st.lists(st.lists(st.sampled_from("ab c"), max_size=9).map("".join), min_size=1, max_size=3))
def test_alignments_of_words_and_characters_are_what_their_scores_count(hypothesis: str, references: list[str]) -> None:
    for kind in (WER, CER):
        found = kind().alignment(hypothesis, [None, *references])
        score = kind().sentence_score(hypothesis, references)
        edits = {name: getattr(score, name) for name in ("substitutions", "deletions", "insertions")}
        assert found.counts() == {**edits, "shifts": 0, "shifted_words": 0}
        assert tuple(found.statistics()) == (score.hits, *edits.values())
        assert found.num_edits == sum(edits.values())
        single = [kind().sentence_score(hypothesis, [reference]).score for reference in references]
        assert found.reference_index == 1 + single.index(min(single))
        assert [ours for _, ours, _ in found.operations() if ours is not None] == found.hypothesis
        assert [theirs for _, _, theirs in found.operations() if theirs is not None] == found.reference


@given(st.lists(st.sampled_from("abcde"), max_size=12), st.lists(st.sampled_from("abcde"), max_size=12))
def test_shifts_tell_which_words_they_have_moved(one: list[str], other: list[str]) -> None:
    found = TER().alignment(" ".join(one), [" ".join(other)])
    moved = found.moved()
    assert len(moved) == len(found.shifted) == len(one)
    for number, shift in enumerate(found.shifts):
        assert sorted([word for word, numbers in zip(found.shifted, moved) if number in numbers]) == sorted(shift.words)
    # A shift to where the block stands moves nothing.
    shift = TERShift(1, 1, ["b", "c"])
    assert (shift.start_after, shift.applied("abcd")) == (1, list("abcd"))


# In a terminal

def test_references_stand_above_outputs(folder: Path) -> None:
    text = aligned(folder)
    assert text == aligned(folder, "--show")
    assert "out: 6 segments with errors (TER), of 7 in all\n" in text
    assert ("line 1: TER 33.33, 2 edits for 6 words\n  REF: the cat sat on the mat\n  HYP: the cat sat on a   mat\n"
            "               1      S\n  shift 1: \u201csat\u201d moves 2 words to the right\n") in text
    assert "  REF: hello there, dear world\n  HYP: hello ****** **** world\n             D      D\n" in text
    assert "  REF: ***\n  HYP: foo\n       I\n" in text
    assert "line 3" not in text
    today, of, weather, fine, good = CHINESE
    assert f"  REF: {today} ** {weather} {fine}\n  HYP: {today} {of} {weather} {good}\n            I       S\n" in text


def test_each_word_from_right_to_left_is_isolated(folder: Path) -> None:
    for line in aligned(folder, "-m", "wer").split("\n"):
        letters = re.findall("[\u05d0-\u05ea]+", line)
        assert len(re.findall("\u2068[\u05d0-\u05ea]+\u2069", line)) == len(letters)
    write_lines(folder / "override", ["a \u202eb"] * 7)
    text = output_of(["align", "ref", "-i", "override", "-m", "wer", "-q"], folder)
    assert "\u202e" not in text and "\ufffdb" in text


def test_the_first_segments_with_errors(folder: Path) -> None:
    text = aligned(folder, "--show", "2", "-m", "wer")
    assert "out: 2 of 6 segments with errors (WER), of 7 in all\n" in text
    assert re.findall(r"^line (\d+)", text, re.M) == ["1", "2"]
    assert "0 segments with errors (WER), of 7 in all\n" in output_of(
        ["align", "ref", "-i", "x=ref", "-m", "wer", "--show", "-q"], folder)
    # One segment and one word are singular.
    write_lines(folder / "single.ref", ["yes", "no"])
    write_lines(folder / "single", ["yes", "nay"])
    text = output_of(["align", "single.ref", "-i", "single", "-m", "wer", "-q"], folder)
    assert "single: 1 segment with errors (WER), of 2 in all\n" in text
    assert "line 2: WER 100.00, 1 edit for 1 word\n" in text


def test_characters_stand_side_by_side(folder: Path) -> None:
    text = aligned(folder, "-m", "cer")
    assert "  REF: cafe\u0301* noir*\n  HYP: cafe\u0301s noirs\n           I     I\n" in text
    assert "Hello\N{OPEN BOX}there," in text


@pytest.mark.parametrize("columns", first_by_default(2, [1, 33, 20, 80]))
@pytest.mark.parametrize("metric", ["ter", "wer", "cer"])
def test_lines_fit_the_terminal(metric: str, columns: int) -> None:
    rng = random.Random(columns)
    words = ["word", "\u4eca\u5929", "e\u0301" * 5, "long" * 12, "\u05e9\u05dc\u05d5\u05dd", "a", "b", "\u0301", "a\tb"]
    for _ in range(30):
        reference, output = [" ".join(rng.choices(words, k=rng.randint(0, 14))) for _ in range(2)]
        kind: Any = metric_class(metric.upper())
        alignment = kind().alignment(output, [reference])
        view = AlignmentView("x", metric, metric == "cer", [AlignedSegment(1, None, alignment, 0.0)], 1, 1)
        lines = "\n\n".join(view.texts(Style("text", columns=columns))).split("\n")[1:]
        cell_lines = [line for line in lines if line.startswith(("  REF: ", "  HYP: ", "       "))]
        assert max(map(columns_taken, cell_lines), default=0) <= max(columns, 15)
        plain = ["".join([line[7:] for line in lines if line.startswith(head)]) for head in ("  REF:", "  HYP:")]
        for text, side in zip(plain, (alignment.reference, alignment.shifted)):
            wanted = re.sub("[\\s\N{OPEN BOX}]", "", "".join(side))
            assert re.sub("[*\\s\u2068\u2069\N{OPEN BOX}\N{DOTTED CIRCLE}]", "", text) == wanted
        colored = "\n\n".join(view.texts(Style("text", color=True, columns=columns)))
        assert re.sub("\x1b\\[\\d+m", "", colored).split("\n")[1:] == lines


def test_markdown_and_json(folder: Path) -> None:
    text = aligned(folder, "--show", "1", "-f", "markdown")
    assert text.startswith("## out: 1 of 6 segments with errors") and "```text\nline 1: TER" in text
    [view] = json.loads(aligned(folder, "--show", "1", "-f", "json"))["views"]
    assert (view["system"], view["metric"], len(view["segments"])) == ("out", "TER", 1)
    assert view["segments"][0]["shifts"] == [{"start": 0, "target": 3, "words": ["sat"]}]
    assert "````text" in _block("a ``` b")


# Confusions

def test_the_most_frequent_confusions(folder: Path) -> None:
    [view] = json.loads(aligned(folder, "--confusions", "2", "-m", "wer", "-f", "json"))["views"]
    counts = Counter([operation for alignment in WER().corpus_alignments(OUTPUT, [REFERENCE])
                      for operation in alignment.operations()])
    for found in view["kinds"]:
        counts_of_kind = {one[1:]: count for one, count in counts.items() if one[0] == found["kind"]}
        assert (found["different"], found["total"]) == (len(counts_of_kind), {"out": sum(counts_of_kind.values())})
        assert len(found["confusions"]) == min(2, len(counts_of_kind))
        for one in found["confusions"]:
            count = counts_of_kind[one["hypothesis"], one["reference"]]
            assert one["counts"] == {"out": count} and count == max(counts_of_kind.values())


def test_confusions_of_several_systems_as_tables(folder: Path) -> None:
    command = ["align", "ref", "-i", "out", "other", "-m", "wer", "--confusions", "1", "-f", "markdown", "-q"]
    text = output_of(command, folder)
    assert "| Deleted | out | other |" in text and "others" in text
    rows = [line for line in aligned(folder, "--confusions").split("\n") if line.startswith("\u2502")]
    assert len({columns_taken(row) for row in rows[:3]}) == 1
    assert "There are no confusions." in output_of(["align", "ref", "-i", "x=ref", "--confusions", "-q"], folder)


# TER with the kinds of edits

@given(st.lists(st.tuples(lines, lines, st.none() | lines), min_size=1, max_size=4))
def test_kinds_are_columns_of_the_same_score(segments: list[tuple[str, str, str | None]]) -> None:
    hypotheses, *references = map(list, zip(*segments))  # type: Any, Any
    metric: Any = TER(kinds=True)
    plain, found = TER().corpus_score(hypotheses, references), metric.corpus_score(hypotheses, references)
    assert (plain.score, plain.num_edits, plain.ref_length) == (found.score, found.num_edits, found.ref_length)
    assert found.num_edits == found.insertions + found.deletions + found.substitutions + found.shifts
    assert found.shifted_words >= found.shifts
    assert (plain.insertions, plain.shifted_words) == (None, None)
    rows = metric.corpus_statistics(hypotheses, references)
    assert [row[:2] for row in rows] == TER().corpus_statistics(hypotheses, references)
    for row, alignment in zip(rows, TER().corpus_alignments(hypotheses, references)):
        assert dict(zip(metric.column_names()[2:], row[2:])) == alignment.counts()


def test_the_signature_and_stored_rows_tell_kinds_apart(folder: Path) -> None:
    assert "|kinds:yes|version" in str(TER(kinds=True).sentence_score("a", ["b"]).signature)
    assert "kinds" not in str(TER().sentence_score("a", ["b"]).signature)
    assert TER.from_signature("TER|nrefs:1|case:lc|k:yes").kinds
    for name, args in (("plain", []), ("kinds", ["--ter-kinds"])):
        output_of(["ref", "-i", "out", "-m", "ter", "--save-rows", f"{name}.rows", *args], folder)
    text = output_of(["--rows", "kinds.rows", "-f", "text"], folder)
    assert text == output_of(["ref", "-i", "out", "-m", "ter", "--ter-kinds", "-f", "text"], folder)
    assert "1 shifts, 1 shifted words; " in text
    refusal(folder, "--rows", "plain.rows", "kinds.rows", code=1)


# Errors

@refused("alignments")
def test_wrong_options_are_one_line(folder: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)
    assert not (folder / "a.ter").exists()


def test_tables_of_systems_have_kinds_beside_the_score(folder: Path) -> None:
    options = ["ref", "-i", "out", "other", "-m", "ter", "--ter-kinds"]
    scores = [TER(kinds=True).corpus_score(lines, [REFERENCE]) for lines in (OUTPUT, OTHER)]
    names = ("insertions", "deletions", "substitutions", "shifts", "shifted_words")
    numbers = [[getattr(score, name) for name in names] for score in scores]
    table = output_of([*options, "-w", "3", "-f", "markdown"], folder).splitlines()
    assert table[0] == "| System | TER | Ins | Del | Sub | Shft | WdSh |"
    assert [line.split(" | ")[1:] for line in table[2:4]] == [
        [f"{score.score:.3f}", *map(str, score_numbers[:-1]), f"{score_numbers[-1]} |"]
        for score, score_numbers in zip(scores, numbers)]
    rows = json.loads(output_of(options, folder))
    assert [[row[head] for head in ("Ins", "Del", "Sub", "Shft", "WdSh")] for row in rows] == numbers
    lines = [line.split(",") for line in output_of([*options, "-f", "csv"], folder).splitlines()]
    assert [line[:3] for line in lines if line[:2] == ["other", "TER shifted words"]] == [
        ["other", "TER shifted words", str(numbers[1][-1])]]
