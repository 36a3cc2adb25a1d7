"""All pairs of hypotheses and references: `pairwise` of each metric, held to `sentence_score` of each pair."""

from __future__ import annotations

import itertools
from typing import Any, Dict, Sequence, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu import metrics
from purebleu.engines.ngrams import counting, pairs
from purebleu.metrics import BLEU, CHRF, FURTHER_MODULES, TER
from purebleu.runtime.errors import PurebleuError, PurebleuWarning

from ..helpers import OF_SUBTITLES, part

Way = Tuple[str, Dict[str, Any]]

#: Metrics and options of which no two take the same way.
WAYS: list[Way] = [
    ("BLEU", {"effective_order": True}),
    ("BLEU", {"tokenize": "intl", "lowercase": True, "smooth_method": "floor", "effective_order": True}),
    ("BLEU", {"smooth_method": "add-k", "smooth_value": 0.3, "max_ngram_order": 2}),
    ("BLEU", {"tokenize": "char", "smooth_method": "none", "max_ngram_order": 6}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2}),
    ("CHRF", {"char_order": 0, "word_order": 3, "beta": 0}),
    ("CHRF", {"char_order": 3, "beta": 3, "lowercase": True, "whitespace": True}),
    ("CHRF", {"word_order": 1, "eps_smoothing": True}),
    ("CHRF", {"eps_smoothing": True, "whitespace": True, "beta": 10 ** 15}),
    ("GLEU", {}),
    ("GLEU", {"lowercase": True, "min_order": 2, "max_order": 5}),
    ("TER", {}),
    ("TER", {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True}),
    *[(name, {}) for name in FURTHER_MODULES if name not in ("GLEU", *OF_SUBTITLES)],  # (which have no faster way)
]

words = st.sampled_from(["the", "cat", "Cat", "sat", "on", "3.5", "(mat)", "it's", "中文", "é", "𝄞", "&amp;", ".", "-"])
lines = st.one_of(st.just(""), st.lists(words, max_size=12).map(" ".join), st.text(max_size=8),
                  st.text(alphabet="ab ", max_size=15))
segments = st.lists(lines, min_size=1, max_size=6)

assert {name for name, _ in WAYS} == {*metrics.MODULES, *metrics.FURTHER_MODULES} .difference(OF_SUBTITLES)


def make_metric(way: Way) -> Any:
    name, options = way
    return part("metrics", name)(**options)


def by_sentence(metric: Any, hypotheses: Sequence[Any], references: Sequence[Any]) -> list[list[float]]:
    return [[metric.sentence_score(text, [reference]).score for reference in references] for text in hypotheses]


@pytest.mark.filterwarnings("ignore:BLEU of single segments")
@pytest.mark.parametrize("way", WAYS, ids=repr)
@given(hypotheses=segments, references=segments)
def test_scores_are_those_of_each_pair(way: Way, hypotheses: list[str], references: list[str]) -> None:
    metric = make_metric(way)
    assert metric.pairwise(hypotheses, references) == by_sentence(metric, hypotheses, references)
    assert metric.pairwise(hypotheses, hypotheses) == by_sentence(metric, hypotheses, hypotheses)


@pytest.mark.filterwarnings("ignore:BLEU of single segments")
@pytest.mark.parametrize("way", [
    # (CharacTER tries very many moves of words that are all the same; EED has a cost for each pair of characters.)
    pytest.param(way, marks=pytest.mark.heavy) if way[0] in ("CharacTER", "EED") else
    pytest.param(way, marks=[pytest.mark.full] * (place % 3 > 0)) for place, way in enumerate(WAYS)], ids=repr)
def test_counts_that_take_more_than_a_byte(way: Way) -> None:
    metric = make_metric(way)
    # (Enough edits for TER to meet the beam.)
    hypotheses = ["a " * 300, "ab " * 150, "b", "a b c d " * 40, ""]
    references = ["a " * 400, "ab a " * 130, "a", "d c b a " * 30, "x"]
    assert metric.pairwise(hypotheses, references) == by_sentence(metric, hypotheses, references)
    assert metric.pairwise(references, references) == by_sentence(metric, references, references)


@pytest.mark.full
def test_counts_that_take_more_than_two_bytes() -> None:
    metric = CHRF(char_order=2)
    hypotheses, references = ["a" * 70_000, "ab"], ["a" * 66_000, "b" * 70_000, "ab" * 40_000]
    assert metric.pairwise(hypotheses, references) == by_sentence(metric, hypotheses, references)


@pytest.mark.parametrize("way", [("BLEU", {"effective_order": True}), ("GLEU", {})], ids=repr)
@given(tokens=st.lists(st.lists(st.one_of(st.integers(-2, 2), st.tuples(st.integers(0, 1)), st.booleans(),
                                          st.sampled_from("ab")), max_size=9), min_size=1, max_size=5))
def test_segments_may_be_given_as_tokens(way: Way, tokens: list[list[Any]]) -> None:
    metric = make_metric(way)
    hypotheses, references = tokens[::2], tokens[1::2] or tokens
    assert metric.pairwise(hypotheses, references) == by_sentence(metric, hypotheses, references)


def test_the_same_segment_again_has_a_list_of_its_own() -> None:
    rows = CHRF().pairwise(["a b", "c", "a b"], ["a", "b", "a"])
    assert rows[0] == rows[2] and rows[0] is not rows[2]
    assert [row[0] for row in rows] == [row[2] for row in rows]


def test_wrong_segments_are_refused() -> None:
    table: list[tuple[Any, Any, type[Exception], str]] = [
        ([], ["a"], PurebleuError, "there are no hypotheses"), (["a"], [], PurebleuError, "there are no references"),
        (["a", None], ["a"], TypeError, r"hypotheses\[1\] is None, but no hypothesis may be missing \(an empty hyp"),
        (["a"], ["b", None], TypeError, r"references\[1\] is None, but no reference may be missing \(an empty ref"),
        ("a", ["a"], TypeError, "hypotheses must be a sequence, such as a list, not a str"),
        (["a"], [["a"]], TypeError, "hypotheses and references must both be strings or both be sequences of tokens"),
        (["a"], [1], TypeError, r"references\[0\] is an int, not a string or a sequence of tokens"),
    ]
    for hypotheses, references, error, message in table:
        with pytest.raises(error, match=message):
            BLEU(effective_order=True).pairwise(hypotheses, references)


def test_warnings_are_those_of_single_segments() -> None:
    with pytest.warns(PurebleuWarning, match="effective_order=True"):
        BLEU().pairwise(["a"], ["a"])
    BLEU(smooth_method="add-k").pairwise(["a"], ["a"])  # (effective order would change nothing)
    with pytest.warns(PurebleuWarning, match="may take long to score a line of 10,002 characters"):
        assert TER().pairwise(["a"], ["a " * 5001]) == [[pytest.approx(100 * 5000 / 5001)]]


symbols = st.one_of(st.text(alphabet="ab", max_size=20), st.text(max_size=5))


@pytest.mark.parametrize("limits", [{}, {"_MAX_BYTES_OF_BLOCK": 1}, {"_MAX_BYTES_OF_BLOCK": 2000}, {"_MAX_SYMBOLS": 3},
                                    {"_MAX_CHARACTERS": 20}], ids=repr)
@given(hypotheses=st.lists(symbols, min_size=1, max_size=4), references=st.lists(symbols, min_size=1, max_size=5),
       max_order=st.integers(0, 7), as_lists=st.booleans())
def test_matches_are_the_plain_counts(limits: dict[str, int], hypotheses: list[Any], references: list[Any],
                                      max_order: int, as_lists: bool) -> None:
    if as_lists:
        hypotheses, references = list(map(list, hypotheses)), list(map(list, references))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(pairs, name, value)
        found: list[list[tuple[int, ...]]] = [[] for _ in hypotheses]
        for block, by_hypothesis in pairs.matches_of_pairs(hypotheses, references, max_order):
            assert block.start == len(found[0]) < block.stop
            for row, matches in itertools.zip_longest(found, by_hypothesis):
                row.extend(zip(*matches) if max_order else [()] * (block.stop - block.start))
    assert found == [[counting.count_matches(hypothesis, [reference], max_order) for reference in references]
                     for hypothesis in hypotheses]
