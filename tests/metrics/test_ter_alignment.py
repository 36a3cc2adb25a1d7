"""TER's alignments: shifts and operations of single segments, and the numbers of their kinds on real data."""

from __future__ import annotations

import random
from typing import Any, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.errors import PurebleuError
from purebleu.metrics import TER
from purebleu.unicode.properties import WHITESPACE

from ..helpers import needs_wmt22, wmt22_lines

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
    texts = [[" ".join(source.choices("abcdefgh", k=source.randrange(15))) for _ in range(530)] for _ in range(3)]
    hypotheses, first, second = texts
    third = [None if index % 3 else text for index, text in enumerate(second)]
    streams: list[Sequence[str | None]] = [first, third]
    found = TER().corpus_alignments(hypotheses, streams)
    for alignment, hypothesis, one, two in zip(found, hypotheses, first, third):
        assert_consistent(alignment, hypothesis, [one, two])
        assert repr(TER().alignment(hypothesis, [one, two])) == repr(alignment)
    rows = TER().corpus_statistics(hypotheses, streams)
    assert [(alignment.num_edits, alignment.ref_length) for alignment in found] == rows
    transposed = TER(references=streams).corpus_alignments(hypotheses, None)
    assert list(map(repr, transposed)) == list(map(repr, found))
    lists = [list(pair) for pair in zip(*streams)]
    assert len(TER().corpus_alignments(hypotheses, lists, transpose_references=True)) == len(found)


def test_words_are_those_that_are_compared() -> None:
    text, reference = "\ud800 Ann&amp;Bob, (was) here.", "here, Ann"
    assert TER(case_sensitive=True).alignment(text, [reference]).hypothesis == ["\ud800", "Ann&amp;Bob,", "(was)",
                                                                               "here."]
    found = TER(normalized=True).alignment(text, [None, reference])
    assert found.hypothesis == ["\ud800", "ann", "&", "bob", ",", "(", "was", ")", "here", "."]
    assert (found.reference, found.reference_index) == (["here", ",", "ann"], 1)


def test_places_of_blocks() -> None:
    found = TER().alignment("d e a b c", ["a b c d e"])
    assert [(shift.start, shift.target, shift.words) for shift in found.shifts] == [(0, 5, ["d", "e"])]
    assert found.shifted == ["a", "b", "c", "d", "e"]
    for text, reference, expected in (("b b a a c", "c c c b c b c c b b a a", (4, 0, ["c"])),
                                      ("c b c c", "a c c c b b", (0, 4, ["c", "b"]))):
        found = TER().alignment(text, [reference])
        assert [(one.start, one.target, one.words) for one in found.shifts] == [expected]


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="references must be a sequence"):
        TER().alignment("a", "a")
    with pytest.raises(TypeError, match="hypothesis is a list"):
        TER().alignment(["a"], ["a"])  # type: ignore[arg-type]
    for none in ([], [None]):
        with pytest.raises(PurebleuError, match="no reference"):
            TER().alignment("a", none)


@needs_wmt22
def test_the_kinds_of_edits_of_real_text_are_those_of_tercom() -> None:
    # (For Tercom, only ASCII whitespace separates words.)
    others = str.maketrans({character: "_" for character in WHITESPACE if character > "\x7f"})
    hypotheses, references = [[line.translate(others) for line in lines]
                              for lines in wmt22_lines("hyp.Online-B", "ref.B")]
    expected = {"insertions": 2116, "deletions": 2462, "substitutions": 11141, "shifts": 1167, "shifted_words": 1480}
    found = TER(case_sensitive=True).corpus_alignments(hypotheses, [references])
    assert {kind: sum([alignment.counts()[kind] for alignment in found]) for kind in found[0].counts()} == expected
    score = TER(case_sensitive=True, kinds=True).corpus_score(hypotheses, [references])
    assert {kind: getattr(score, kind) for kind in expected} == expected
    assert sum([alignment.num_edits for alignment in found]) == score.num_edits == 16886
