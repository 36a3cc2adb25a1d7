"""The Python API: what it refuses and how it says so, what it leaves alone, and the names that clients rely on."""

from __future__ import annotations

import copy
import functools
import gzip
import inspect
import itertools
import json
import os
import pickle
import random
import subprocess
import sys
import warnings
from array import array
from collections import Counter, UserList, UserString, deque
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

import pytest

from . import PACKAGE, helpers
from .helpers import Index, assert_errors, first_by_default, folder_of_package, load, needs_processes, part

sacrebleu = load()
metrics = load("metrics")
errors = load("runtime.errors")
BLEU = sacrebleu.BLEU
corpus_bleu = sacrebleu.corpus_bleu

# (Lines of one word and empty lines are many here, on purpose.)
pytestmark = pytest.mark.filterwarnings("ignore:no hypothesis has 4 words",
                                        "ignore:the references of .* segments are blank")

needs_modules = pytest.mark.skipif(not hasattr(sacrebleu, "__path__"), reason="a single file has no modules")

HYPOTHESES = ["The cat sat on a mat.", "It was a rainy day and no one came.", "The end."]
REFERENCES = [["The cat sat on the mat.", "It was a rainy day, and nobody came.", "The end."],
              ["A cat sat on the mat.", "On that rainy day no one came.", "This is the end."]]


def words(count: int, seed: int = 0, vocabulary: int = 30) -> list[str]:
    """Lines of words that are often equal, some of them empty."""
    source = random.Random(seed)
    return [" ".join(f"w{source.randrange(vocabulary)}" for _ in range(source.choice([0, 1, 3, 8, 20, 40])))
            for _ in range(count)]


# Lengths and shapes

def test_different_lengths_are_refused_with_both() -> None:
    bleu = BLEU()
    for hypotheses, references in [(1, 2), (2, 1), (3, 1), (2000, 1999), (1024, 2048), (5, 4)]:
        lines, message = ["x"] * hypotheses, rf"\b{hypotheses:,}\b.*\b{references:,}\b"
        for streams in ([["x"] * references], [["x"] * references] * 2):
            for function in (corpus_bleu, bleu.corpus_score, bleu.corpus_statistics):
                with pytest.raises(errors.LengthError, match=message):
                    function(lines, streams)
            with pytest.raises(errors.LengthError, match=message):
                BLEU(references=streams).corpus_score(lines, None)


def test_references_by_segment_are_refused_with_both_shapes_and_the_way_out() -> None:
    for references in ([["a", "x"], ["b", "x"], ["c", "x"]], [["a"], ["b"], ["c"]],
                       [("a", "x", "y", "z"), ("b", "x", "y", "z"), ("c", "x", "y", "z")]):
        with pytest.raises(errors.LengthError) as caught:
            corpus_bleu(["a", "b", "c"], references)
        message = str(caught.value)
        assert "3 hypotheses" in message and "\n" not in message
        assert f"{len(references)} reference streams of {len(references[0])}" in message
        assert message.endswith("or corpus_score with transpose_references=True")
        assert corpus_bleu(["a", "b", "c"], load("metrics.segments").transpose_references(references)).counts[0] == 3


#: References as one list per hypothesis, for three of them.
BY_HYPOTHESIS = [["a b c d", "x"], ["b"], ("c", "c d", "c e")]


@pytest.mark.parametrize(("name", "options"), [
    ("corpus_bleu", {}), ("raw_corpus_bleu", {}), ("corpus_chrf", {"word_order": 2}), ("corpus_ter", {}),
    ("BLEU.corpus_score", {"n_bootstrap": 5}), ("CHRF.corpus_score", {}), ("TER.corpus_score", {}),
    ("BLEU.corpus_statistics", {}), ("TER.corpus_statistics", {}),
])
def test_one_list_of_references_per_hypothesis_is_taken_if_an_argument_says_so(
        name: str, options: dict[str, Any]) -> None:
    metric, _, method = name.rpartition(".")
    function = getattr(getattr(metrics, metric)(), method) if metric else getattr(sacrebleu, name)
    found = function(["a b c", "b", "c d"], BY_HYPOTHESIS, transpose_references=True, **options)
    streams = load("metrics.segments").transpose_references(BY_HYPOTHESIS)
    expected = function(["a b c", "b", "c d"], streams, **options)
    if isinstance(found, list):
        assert found == expected
    else:
        assert str(found.signature).startswith("nrefs:var|")
        assert (str(found.signature), {**vars(found), "signature": None}) == (
            str(expected.signature), {**vars(expected), "signature": None})
    parameter = inspect.signature(function).parameters["transpose_references"]
    assert (parameter.kind, parameter.default) == (parameter.KEYWORD_ONLY, False)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_wrong_batches_are_refused(name: str) -> None:
    metric = part("metrics", name)(**({"effective_order": True} if name == "BLEU" else {}))
    assert_errors(
        metric.sentence_scores,
        (["a", "b"], [["a"]], errors.LengthError,
         "sentence_scores takes one list of references per hypothesis, not 1 list for 2 hypotheses"),
        (["a", "b"], [["a"], []], errors.PurebleuError, "segment 1 has no reference"),
        (["a", "b"], [["a", "b"], [None]], errors.PurebleuError, "segment 1 has no reference"),
        ([], [], errors.PurebleuError, "there are no hypotheses"),
        (["a", None], [["a"], ["b"]], TypeError, r"hypotheses\[1\] is None"),
        (["a", "b"], [7, "b"], TypeError, r"references\[0\]\[0\] is an int"),
        (["a", "b"], [float("nan"), "b"], TypeError, r"references\[0\]\[0\] is a missing value \(nan\)"),
        (["a", "b"], ["a", None], errors.PurebleuError, "segment 1 has no reference"),
        (["a", "b"], [["a"], [7]], TypeError, r"references\[1\]\[0\] is an int"),
        ("ab", [["a"], ["b"]], TypeError, "hypotheses must be a sequence"))


def test_references_of_the_constructor_are_streams_whatever_the_argument_says() -> None:
    bleu = BLEU(max_ngram_order=2, references=[["y z", "y z"]])
    assert bleu.corpus_score(["y z", "y z"], None, transpose_references=True).score == pytest.approx(100)


def test_lists_of_references_that_do_not_fit_are_refused() -> None:
    assert_errors(
        functools.partial(BLEU().corpus_score, ["a", "b", "c"], transpose_references=True),
        ([["a"], ["b"]], errors.LengthError, "transpose_references=True takes .* not 2 lists for 3 hypotheses"),
        ([["a", "b", "c"]], errors.LengthError, "not 1 list for 3 hypotheses"),
        (["a", "b", "c"], TypeError, r"references\[0\] must be a sequence, such as a list, not a str"),
        ([["a"], None, ["c"]], TypeError, r"references\[1\]"),
        ([["a"], [], ["c"]], errors.PurebleuError, "segment 1 has no reference"),
        ([[], [], []], errors.PurebleuError, "no reference"),
        ([["a"], [3.5], ["c"]], TypeError, r"references\[1\]\[0\] is a float"))


def test_streams_of_references_that_differ_in_length_are_refused_with_their_lengths() -> None:
    with pytest.raises(errors.LengthError, match=r"4, 4, 3.*transpose_references"):
        corpus_bleu(["a"] * 4, [["a"] * 4, ["a"] * 4, ["a"] * 3])
    with pytest.raises(errors.LengthError, match="5000") as caught:
        corpus_bleu(["a"] * 5000, [["a"] * (1 + number % 3) for number in range(5000)])
    assert len(str(caught.value)) < 500


def test_empty_input_is_refused() -> None:
    error = sacrebleu.PurebleuError
    assert_errors(
        corpus_bleu, ([], [], error, "no hypotheses"), ([], [[]], error, "no hypotheses"),
        ([], [["a"]], error, "no hypotheses"), (["a"], [], error, "no reference"), (["a"], [[]], error, "empty"),
        (["a"], [[], []], error, "empty"), (["a"], None, error, "no references"),
        (["a"], [[None]], error, "segment 0 "), (["a", "b"], [["a", None], ["b", None]], error, "segment 1 "),
        (["a"] * 2000, [["a"] * 1999 + [None]], error, "segment 1999 "))
    assert_errors(sacrebleu.sentence_bleu, *[("a", [None] * count, error, "reference") for count in (0, 1, 2)])


# Types

def generator() -> Iterator[str]:
    yield "a"


def assert_type_errors(cases: Sequence[tuple[Any, Any, str]]) -> None:
    """That these hypotheses and references are refused with messages that match."""
    assert_errors(corpus_bleu, *[(*arguments, TypeError, message) for *arguments, message in cases])


def test_an_element_of_a_wrong_type_is_refused_with_its_place() -> None:
    streams: list[Any] = ["a string", b"bytes", None, 7, {"a"}, {"a": 1}, frozenset(["a"])]
    assert_type_errors([(stream, [["a"]], "hypotheses") for stream in streams])
    assert_type_errors([(["a"], stream, "references") for stream in streams if stream is not None])
    assert_type_errors([(["a"], [stream], r"references\[0\]") for stream in (b"a", 7)])
    assert_type_errors([(["a"], references, r"for one stream, give \[references\]")
                        for references in (["a"], ("a",), iter(["a"]), UserList(["a"]))])
    assert_type_errors([(["a"], [["a"], stream], r"references\[1\]") for stream in ("a", None, 7)])
    segments: list[Any] = [None, 7, 7.5, b"b", bytearray(b"a"), generator(), {"a"}]
    assert_type_errors([(["a", segment], [["a", "b"]], r"hypotheses\[1\]") for segment in segments])
    assert_type_errors([
        (["a"], generator(), r"for one stream, give \[references\]"),
        (["a"] * 1500 + [7], [["a"] * 1501], r"hypotheses\[1500\]"),
        (["a", "b"], [["a", 7]], r"references\[0\]\[1\]"),
        (["a", "b"], [["a", "b"], ["a", b"b"]], r"references\[1\]\[1\]"),
        (["a", "b"], [["a", "b"], [None, generator()]], r"references\[1\]\[1\]"),
    ])


@pytest.mark.filterwarnings("ignore:The 'u' type code:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:BLEU of single segments")
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_text_of_other_types_is_not_read_letter_by_letter(name: str) -> None:
    metric = getattr(load("metrics"), name)()
    for segment in (UserString("a b"), memoryview(b"a b"), array("u", "a b")):
        for hypotheses, references in (([segment], [[segment]]), (["a b"], [[segment]]), (segment, [segment])):
            with pytest.raises(TypeError, match=type(segment).__name__):
                metric.corpus_score(hypotheses, references)
        with pytest.raises(TypeError, match=type(segment).__name__):
            metric.sentence_score(segment, ["a b"])


def test_a_token_with_white_space_inside_is_refused_with_its_path() -> None:
    assert_type_errors([
        ([["the cat"], ["sat down"]], [[["the cat"], ["sat up"]]], r"hypotheses\[0\]\[0\] is 'the cat', but a token"),
        ([["the"], ["sat"]], [[["the cat"], ["sat up"]]], r"references\[0\]\[0\]\[0\] is 'the cat'"),
        ([["the", "cat"]], [[["the", "cat"]], [["the\u3000cat"]]], r"references\[1\]\[0\]\[0\]"),
        ([["Yes.", "No, not now."]], [[["Yes.", "Not now."]]], r"hypotheses\[0\]\[1\] is 'No, not now.'"),
        ([["the", "cat"], ["the cat", "sat"]], [[["the", "cat"], ["sat"]]], r"hypotheses\[1\]\[0\]"),
        ([["x" * 100 + "\n" + "y" * 100, 3]], [[[3]]], r"hypotheses\[0\]\[0\] is 'x{40}'\.\.\., but"),
        ([[1, "the\tcat"]], [[[3]]], r"hypotheses\[0\]\[1\]"),
    ])
    with pytest.raises(TypeError, match=r"^hypothesis\[0\] is 'the cat', but a token has no white space inside"):
        load().sentence_bleu(["the cat"], [["the", "cat"]])
    with pytest.raises(TypeError, match=r"references\[0\]\[0\] is 'the cat'"):
        load().sentence_bleu(["the", "cat"], [["the cat"]])


@pytest.mark.filterwarnings("error")
def test_white_space_at_the_ends_of_tokens_is_usual() -> None:
    cases: list[list[Any]] = [[" the", "cat\n", " ", "sat"], ["\u2581the", *"cat"], [1, 2, None, 3]]
    for tokens in cases:
        corpus_bleu([tokens], [[tokens]])


def test_text_and_tokens_do_not_mix() -> None:
    cases: list[tuple[Any, Any, str]] = [
        (["a", ["a"]], [["a", "a"]], r"hypotheses\[1\]"),
        ([["a"], "a"], [[["a"], ["a"]]], r"hypotheses\[1\]"),
        (["a", "b"], [["a", ["b"]]], r"references\[0\]\[1\]"),
        (["a", "b"], [["a", None], [None, ["b"]]], "both"),
        ([["a"]], [["a"]], "both"),
        (["a"], [[["a"]]], "both"),
        (["a"], [["a"], [["a"]]], "both"),
    ]
    assert_type_errors(cases)
    for hypotheses, references, message in cases:
        with pytest.raises(TypeError, match=message):
            BLEU(references=references).corpus_score(hypotheses, None)


LINES, TRANSLATIONS = ["the cat sat on the mat", "it is here"], ["the cat sat on a mat", "it is there"]


class Column:
    """A stand-in for a column of pyarrow, whose own iterator makes objects that are no strings."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __iter__(self) -> Iterator[object]:
        return iter([object()])

    def to_pylist(self) -> list[Any]:
        return self.values


class Text(str):
    """A stand-in for NumPy's `str_`."""


@pytest.mark.parametrize("kind", [
    iter, Column, lambda values: (value for value in values), lambda values: dict(enumerate(values)).values(),
    lambda values: dict.fromkeys(values).keys(), lambda values: map(Text, values), deque, tuple, UserList,
], ids=["iterator", "column", "generator", "values", "keys", "strings of another class", "deque", "tuple", "UserList"])
def test_any_iterable_is_taken_in_once(kind: Any) -> None:
    chrf = sacrebleu.CHRF()
    expected = chrf.corpus_score(LINES, [TRANSLATIONS])
    assert chrf.corpus_score(kind(LINES), iter([kind(TRANSLATIONS)])) == expected
    assert sacrebleu.CHRF(references=iter([kind(TRANSLATIONS)])).corpus_score(kind(LINES), None) == expected
    by_segment = (kind([line]) for line in TRANSLATIONS)
    assert chrf.corpus_score(kind(LINES), by_segment, transpose_references=True) == expected
    by_segment = (kind([line]) for line in TRANSLATIONS)
    assert chrf.sentence_scores(kind(LINES), by_segment) == chrf.sentence_scores(
        LINES, [[line] for line in TRANSLATIONS])
    assert chrf.sentence_score(LINES[0], kind(TRANSLATIONS)) == chrf.sentence_score(LINES[0], TRANSLATIONS)
    assert chrf.pairwise(kind(LINES), kind(TRANSLATIONS)) == chrf.pairwise(LINES, TRANSLATIONS)
    transposed = load("metrics.segments").transpose_references(iter([kind(["a", "b"]), kind(["c"])]))
    assert transposed == [["a", "c"], ["b", None]]
    assert load().mbr(kind(LINES), chrf) == load().mbr(LINES, chrf)
    assert load().mbr(iter([kind(LINES)]), chrf, iter([kind(TRANSLATIONS)]), iter([(1, 2)])) == load().mbr(
        [LINES], chrf, [TRANSLATIONS], [[1, 2]])


def test_missing_values_are_refused_with_their_index() -> None:
    for value in (float("nan"), type("NAType", (), {"__repr__": lambda _: "<NA>"})()):
        assert_type_errors([
            (Column(["a", value]), [["a", "b"]], rf"hypotheses\[1\] is a missing value \({value}\)"),
            (["a", "b"], [["a", value]],
             rf"references\[0\]\[1\] is a missing value \({value}\).* None for a missing reference")])


def test_columns_of_numpy_pandas_polars_and_pyarrow_are_streams() -> None:
    numpy = pytest.importorskip("numpy")
    kinds = [numpy.array, lambda values: numpy.array(values, dtype=object),
             lambda values: list(map(numpy.str_, values))]
    for name, function in (("pandas", "Series"), ("polars", "Series"), ("pyarrow", "array")):
        kinds.append(getattr(pytest.importorskip(name), function))
    for number, kind in enumerate(kinds):
        assert corpus_bleu(kind(LINES), [kind(TRANSLATIONS)]) == corpus_bleu(LINES, [TRANSLATIONS])
        if number not in (0, 2):  # (in which NumPy makes a string of it)
            with pytest.raises(TypeError, match=r"hypotheses\[1\] is (a missing value|None)"):
                corpus_bleu(kind(["a", None]), [["a", "b"]])


def test_a_sentence_of_a_wrong_type_is_refused() -> None:
    cases: list[tuple[Any, Any, str]] = [
        *[("a", references, "references") for references in ("a", b"a", None, 7, [b"a"], {"a"})],
        *[(hypothesis, ["a"], "hypothesis is") for hypothesis in (None, b"a", generator())],
        (7, ["a"], "hypothesis is an int, not a string or a sequence of tokens"),
        ("a", ["a", 7], r"references\[1\] is an int"), ("a", [["a"]], ""), (["a"], ["a"], "")]
    for score in (sacrebleu.sentence_bleu, BLEU(effective_order=True).sentence_score):
        assert_errors(score, *[(*arguments, TypeError, f"^{message}") for *arguments, message in cases])


def test_cached_references_of_a_wrong_type_are_refused_at_once() -> None:
    for references in ("ab", ["ab"], 7, [["a"], 7], generator()):
        with pytest.raises(TypeError, match="references"):
            BLEU(references=references)


def test_a_bad_option_is_refused_by_the_constructor() -> None:
    cases: dict[type[Exception], list[dict[str, Any]]] = {
        ValueError: [
            {"tokenize": "klingon"}, {"tokenize": "spm:no such file"}, {"smooth_method": "klingon"},
            {"smooth_method": None}, {"smooth_value": float("nan")}, {"smooth_value": float("inf")},
            {"smooth_value": -1, "smooth_method": "floor"}, {"smooth_value": "1"}, {"max_ngram_order": 0},
            {"max_ngram_order": -1}],
        TypeError: [{"tokenize": 7}, {"max_ngram_order": 1.5}, {"max_ngram_order": "4"}]}
    for error, refused in cases.items():
        for options in refused:
            with pytest.raises(error):
                BLEU(**options)


# Streams and segments: accepted types

def tokens(lines: Sequence[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def test_tokens_are_scored_as_they_are() -> None:
    lines, others = words(40, 1), words(40, 2)
    expected = corpus_bleu(lines, [others], tokenize="none")
    score = corpus_bleu(tokens(lines), [tokens(others)])
    assert (score.score, score.counts, score.totals) == (expected.score, expected.counts, expected.totals)
    assert "tok:custom|" in str(score.signature)
    assert "tok:none|" in str(expected.signature)


def test_a_segment_may_be_any_sequence_of_ids() -> None:
    sequences: list[Callable[[list[int]], Any]] = [tuple, UserList, lambda ids: array("i", ids), deque]
    for sequence, length in itertools.product(sequences, (0, 9, 300)):
        ids = [number * number % 7 for number in range(length)]
        score = corpus_bleu([sequence(ids), sequence([1, 2, 3, 4])], [[sequence(ids), sequence([1, 2, 3, 4])]])
        assert score.counts == score.totals
        assert score.sys_len == length + 4


def test_tokens_may_be_any_hashable_values() -> None:
    segment = ["a", 1, None, 2.5, ("b",), b"c", frozenset("d")]
    assert corpus_bleu([segment], [[segment]]).counts == [7, 6, 5, 4]
    with pytest.raises(TypeError):
        corpus_bleu([[["a"], ["b"]]], [[[["a"], ["b"]]]])


def test_tokens_are_compared_in_lower_case_if_they_are_text() -> None:
    assert corpus_bleu([["A", 1, "B", "C"]], [[["a", 1, "b", "C"]]], lowercase=True).counts == [4, 3, 2, 1]
    assert corpus_bleu([["A", 1, "B", "C"]], [[["a", 1, "b", "C"]]]).counts == [2, 0, 0, 0]


def test_missing_references_and_empty_ones_are_told_apart() -> None:
    assert corpus_bleu(["a", "b"], [["a", None], [None, "b"]]).signature.info["nrefs"] == 1
    assert corpus_bleu([["a"], ["b"]], [[["a"], None], [None, ["b"]]]).signature.info["nrefs"] == 1
    hypotheses = ["a b", "a b"]
    missing = corpus_bleu(hypotheses, [["a b c", "a b c"], [None, "a b"]])
    empty = corpus_bleu(hypotheses, [["a b c", "a b c"], ["", "a b"]])
    assert missing.signature.info["nrefs"] == "var"
    assert empty.signature.info["nrefs"] == 2
    assert (missing.ref_len, empty.ref_len) == (5, 5)
    assert corpus_bleu(["a"], [["a b c"], [None]]).ref_len == 3
    assert corpus_bleu(["a"], [["a b c"], [""]]).ref_len == 0


# Tokenizers of one's own

def letters(line: str, drop: str = "") -> list[str]:
    return [letter for letter in line if letter not in drop and not letter.isspace()]


class Splitter:
    def __call__(self, line: str) -> tuple[str, ...]:
        return tuple(line.split("-"))


def test_a_tokenizer_may_be_any_callable() -> None:
    tokenizers: list[tuple[Any, str]] = [
        (letters, "custom[letters]"), (str.split, "custom[split]"), (lambda line: line, "custom"),
        (lambda line: [*line], "custom"), (functools.partial(letters, drop="x"), "custom"), (Splitter(), "custom"),
        ("char", "char")]
    for tokenize, signature in tokenizers:
        score = corpus_bleu(["a-b-c-d x"], [["a-b-c-d x"]], tokenize=tokenize)
        assert score.counts == score.totals
        assert score.signature.info["tok"] == signature
        assert str(score.signature).count("|") == str(corpus_bleu(["a"], [["a"]]).signature).count("|")


def test_a_tokenizer_sees_the_text_that_the_others_see() -> None:
    seen: list[str] = []

    def spy(line: str) -> str:
        seen.append(line)
        if line == "broken":
            raise KeyError(line)
        return line

    corpus_bleu([" Ab \u2028", "C\n"], [["D", ""]], tokenize=spy, lowercase=True)
    assert sorted(seen) == ["", " ab", "c", "d"]
    with pytest.raises(KeyError, match="broken"):  # its errors come through
        corpus_bleu(["broken"], [["a"]], tokenize=spy)


def test_a_tokenizer_that_returns_nonsense_is_refused() -> None:
    kinds: list[Any] = [None, 7, b"bytes", {"a"}, {"a": 1}, iter("abc"), generator(), object()]
    for nonsense in kinds:
        with pytest.raises(TypeError, match=r"tokenizer.* returned "):
            corpus_bleu(["a"], [["a"]], tokenize=lambda line, found=nonsense: found)


# Nothing is changed, and nothing leaks

def test_inputs_are_never_changed() -> None:
    hypotheses = [["A", "b", "c", "D"], ["e"] * 300]
    references = [[["a", "b", "c", "d"], None], [["x"], ["e"] * 290]]
    before = copy.deepcopy((hypotheses, references))
    for options in ({}, {"lowercase": True}, {"smooth_method": "add-k", "smooth_value": 0.5}):
        corpus_bleu(hypotheses, references, **options)
        metric = BLEU(references=references, **options)
        metric.corpus_score(hypotheses, None)
        metric.corpus_statistics(hypotheses, references)
        metric.score([4, 4, 2, 1, 0, 0, 4, 3, 2, 1])
    load("metrics.segments").transpose_references(references)
    assert (hypotheses, references) == before


class Array:
    """As much of an array as `compute_bleu` may count on: it has a length, can be read, and refuses assignments."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = tuple(values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, place: int) -> Any:
        return self._values[place]

    def __eq__(self, other: object) -> Any:
        raise ValueError("the truth value of an array with more than one element is ambiguous")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array with more than one element is ambiguous")


CORRECT, TOTAL = [9, 5, 2, 0], [12, 11, 10, 9]


def test_scores_can_be_computed_from_arrays() -> None:
    kinds: list[tuple[Callable[[list[int]], Any], type]] = [
        (tuple, int), (lambda values: array("l", values), int), (Array, int),
        (lambda values: Array([*map(Index, values)]), int), (lambda values: Array([*map(Fraction, values)]), float)]
    for method, (wrap, number) in itertools.product(("none", "floor", "add-k", "exp"), kinds):
        expected = BLEU.compute_bleu(CORRECT, TOTAL, 12, 13, smooth_method=method)
        score = BLEU.compute_bleu(wrap(CORRECT), wrap(TOTAL), 12, 13, smooth_method=method)
        assert (score.score, score.format(), score.counts) == (expected.score, expected.format(), expected.counts)
        assert type(score.counts) is type(score.totals) is list
        assert method == "add-k" or {*map(type, score.counts + score.totals)} == {number}


def test_fractions_of_counts_are_kept_with_add_k_and_lists_are_a_scores_own() -> None:
    for value in (0.5, 1, 2.25, 0, None):
        correct, total = list(CORRECT), list(TOTAL)
        score = BLEU.compute_bleu(correct, total, 12, 13, smooth_method="add-k", smooth_value=value)
        k = 1 if value is None else value
        assert score.counts == [9, 5 + k, 2 + k, 0 + k]
        assert score.totals == [12, 11 + k, 10 + k, 9 + k]
        assert score.precisions == [100 * count / of for count, of in zip(score.counts, score.totals)]
        score.counts[0] = 99
        score.totals.append(99)
        assert (correct, total) == (CORRECT, TOTAL)


def test_the_numbers_of_counts_must_be_that_of_orders() -> None:
    with pytest.raises(ValueError, match="3"):
        BLEU.compute_bleu([1, 1, 1], [1, 1, 1, 1], 4, 4)
    for sums in ([5, 5, *CORRECT, *TOTAL, 1], []):
        with pytest.raises(ValueError, match=str(len(sums))):
            BLEU().score(sums)


def test_rows_to_add_up_may_come_from_anywhere() -> None:
    rows = [(6, 5, 3), (2, 2, 1)]
    assert sacrebleu.sum_statistics(iter(rows)) == sacrebleu.sum_statistics(row for row in rows) == [8, 7, 4]
    with pytest.raises(ValueError):
        sacrebleu.sum_statistics(iter([*rows, (1,)]))


def test_signatures_belong_to_results() -> None:
    metric = BLEU()
    with pytest.raises(sacrebleu.PurebleuError):
        metric.get_signature()
    first = metric.corpus_score(HYPOTHESES, REFERENCES)
    assert str(metric.get_signature()) == str(first.signature)
    second = metric.corpus_score(HYPOTHESES, REFERENCES[:1])
    third = metric.corpus_score(tokens(HYPOTHESES), [tokens(REFERENCES[0])])
    signed = [(score.signature.info["nrefs"], score.signature.info["tok"]) for score in (first, second, third)]
    assert signed == [(2, "13a"), (1, "13a"), (1, "custom")]
    assert str(metric.get_signature()) == str(third.signature)
    first.signature.update("nrefs", 7)
    assert second.signature.info["nrefs"] == 1
    assert metric.corpus_score(HYPOTHESES, REFERENCES).signature.info["nrefs"] == 2


def test_the_signature_of_cached_references_is_that_of_scores_against_them() -> None:
    cases: list[list[Any]] = [[["a b", "c"]], [[["a", "b"], ["c"]]], [[None, ["c"]], [["a"], None]]]
    for references in cases:
        metric = BLEU(references=references)
        before = str(metric.get_signature())
        hypotheses = [next(filter(None, segment)) for segment in zip(*references)]
        assert before == str(metric.corpus_score(hypotheses, None).signature)


def test_a_failed_evaluation_leaves_the_metric_as_it_was() -> None:
    metric = BLEU(references=REFERENCES)
    before = metric.corpus_score(HYPOTHESES, None)
    with pytest.raises(sacrebleu.PurebleuError):
        metric.corpus_score(HYPOTHESES, [["a"]])
    assert str(metric.get_signature()) == str(before.signature)
    assert str(metric.corpus_score(HYPOTHESES, None)) == str(before)


def test_cached_references_give_the_same_as_given_ones() -> None:
    references: list[list[str | None]] = [[*words(1100, 1)], [*words(1100, 2)]]  # (a block, and a part of one)
    references[1][3] = references[1][1050] = None
    choices: list[dict[str, Any]] = [{}, {"lowercase": True, "tokenize": "char", "max_ngram_order": 2},
                                     {"tokenize": "intl"}, {"tokenize": str.split}]
    for options in choices:
        metric = BLEU(references=references, **options)
        assert metric.get_signature().info["nrefs"] == "var"
        for seed in (3, 4):
            hypotheses = words(1100, seed)
            cached, given = metric.corpus_score(hypotheses, None), BLEU(**options).corpus_score(hypotheses, references)
            assert (cached.score, str(cached.signature)) == (given.score, str(given.signature))
        rows = metric.corpus_statistics(hypotheses, None)
        assert rows == BLEU(**options).corpus_statistics(hypotheses, references)
        score = metric.score(sacrebleu.sum_statistics(rows))
        assert (score.score, score.signature) == (given.score, None)  # (bare sums belong to no evaluation)


def test_cached_references_do_not_follow_later_changes() -> None:
    references = [list(REFERENCES[0])]
    metric = BLEU(references=references)
    expected = metric.corpus_score(HYPOTHESES, None).score
    references[0][0] = "changed"
    references[0].append("more")
    assert metric.corpus_score(HYPOTHESES, None).score == expected
    tokenized = [[["a", "b", "c", "d"]]]
    metric = BLEU(references=tokenized)
    tokenized[0][0][:] = ["x"]
    assert metric.corpus_score([["a", "b", "c", "d"]], None).counts == [4, 3, 2, 1]


def test_metrics_and_scores_can_be_copied_and_pickled() -> None:
    for tokenizer in helpers.plain_tokenizers():
        metric = BLEU(tokenize=tokenizer, references=REFERENCES)
        score = metric.corpus_score(HYPOTHESES, None)
        for other in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric), copy.copy(metric)):
            assert str(other.corpus_score(HYPOTHESES, None)) == str(score)
        for twin in (pickle.loads(pickle.dumps(score)), copy.deepcopy(score)):
            assert (str(twin), str(twin.signature)) == (str(score), str(score.signature))
    for metric in (metrics.CHRF(references=REFERENCES), metrics.TER(True, True, True, references=REFERENCES)):
        score = metric.corpus_score(HYPOTHESES, None)
        for other, twin in (pickle.loads(pickle.dumps((metric, score))), copy.deepcopy((metric, score))):
            for found in (twin, other.corpus_score(HYPOTHESES, None)):
                assert (str(found), str(found.signature)) == (str(score), str(score.signature))


@pytest.mark.parametrize(("name", "options"), first_by_default(1, [
    ("BLEU", {"tokenize": "intl", "lowercase": True}), ("CHRF", {"word_order": 2}), ("TER", {"normalized": True})]))
def test_many_threads_may_use_a_metric(name: str, options: dict[str, Any]) -> None:
    metric = getattr(metrics, name)(**options, references=[words(300, 1)])
    corpora = [words(300, seed) for seed in range(8)]
    expected = [metric.corpus_score(corpus, None) for corpus in corpora]
    with ThreadPoolExecutor(len(corpora)) as pool:
        assert list(pool.map(lambda corpus: metric.corpus_score(corpus, None), corpora)) == expected


# Warnings

def test_blank_references_are_warned_of_once() -> None:
    part("metrics.warnings", "TextWarnings")
    with pytest.warns(sacrebleu.PurebleuWarning) as caught:
        BLEU(effective_order=True).corpus_score(["a", "b", *["c"] * 9],
                                                [["", "b", *[" "] * 9], ["\t", "", *[None] * 9]])
    assert [str(warning.message) for warning in caught] == [
        "the references of 10 segments are blank (first: segment 0), so all words of the hypotheses for these segments "
        "count as wrong"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BLEU(effective_order=True).corpus_score(["a"] * 12, [[""] * 12, ["a"] * 12])  # another reference will do


def test_hypotheses_that_look_tokenized_are_warned_about() -> None:
    lines = ["They are already tokenized ."] * 100
    with pytest.warns(sacrebleu.PurebleuWarning, match="100"):
        corpus_bleu(lines, [lines])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus_bleu(lines, [lines], force=True)
        corpus_bleu(lines[1:], [lines[1:]])
        corpus_bleu([line.split() for line in lines], [[line.split() for line in lines]])
        sacrebleu.raw_corpus_bleu(lines, [lines])


def test_unusual_calls_are_warned_about() -> None:
    with pytest.warns(sacrebleu.PurebleuWarning, match="effective_order=True") as caught:
        BLEU().sentence_scores(["a b c d"] * 3, [["a b c d"]] * 3)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BLEU(effective_order=True).sentence_score("a", ["a"])
        sacrebleu.sentence_bleu("a", ["a"])
        for language, tokenizer, signed in [("zh", None, "zh"), ("zh", "zh", "zh"), ("de", None, "13a"),
                                            ("de", "intl", "intl")]:
            assert BLEU(trg_lang=language, tokenize=tokenizer).tokenizer_signature == signed
    part("metrics.warnings", "TextWarnings")
    with pytest.warns(sacrebleu.PurebleuWarning, match="'zh'"):
        BLEU(trg_lang="zh", tokenize="13a")


def test_a_warning_points_at_the_line_of_its_cause() -> None:
    lines = ["a b c ."] * 100
    calls: list[Callable[[], object]] = [
        lambda: corpus_bleu(lines, [lines]), lambda: BLEU().corpus_score(lines, [lines]),
        lambda: BLEU().sentence_score("a", ["a"])]
    for call in calls:
        with pytest.warns(sacrebleu.PurebleuWarning) as caught:
            call()
        assert [Path(warning.filename).name for warning in caught] == [Path(__file__).name]


# The names that clients of sacreBLEU use, as they use them

#: The names that clients import from modules.
IMPORTED = {
    "metrics": "BLEU CHRF TER BLEUScore CHRFScore TERScore",
    "metrics.bleu": "BLEU BLEUScore _get_tokenizer MAX_NGRAM_ORDER",
    "metrics.base": "Metric Score Signature",
    "metrics.helpers": "extract_word_ngrams extract_char_ngrams",
    "tokenizers": "BaseTokenizer",
    "utils": "smart_open",
    "compat": "corpus_bleu raw_corpus_bleu sentence_bleu corpus_chrf sentence_chrf corpus_ter sentence_ter",
    "metrics.chrf": "CHRF CHRFScore",
    "metrics.ter": "TER TERScore",
}


@pytest.mark.parametrize("module", ["", *IMPORTED])
def test_names_can_be_imported(module: str) -> None:
    found: dict[str, Any] = {}
    part("metrics.helpers", "extract_word_ngrams")
    exec(f"from {PACKAGE} import *", found)
    assert found["BLEU"] is BLEU and not hasattr(sacrebleu, "no_such_name")
    for name in IMPORTED[module].split() if module else sacrebleu.__all__:
        assert getattr(load(module), name) is not None


@pytest.mark.full
@needs_modules
def test_modules_can_be_reached_as_attributes_and_by_their_full_names() -> None:
    reached = ("compat", "tokenizers", "utils.smart_open", "metrics.base.Metric", "metrics.bleu.BLEU",
               "metrics.chrf.CHRF", "metrics.ter.TER")
    assert run_python("\n".join([f"import {PACKAGE} as sacrebleu", *[f"sacrebleu.{name}" for name in reached]])) == ""
    names = [f"{PACKAGE}.metrics.{name}" for name in ("helpers", "base", "ter", "chrf", "bleu")]
    assert run_python("".join([f"import {name}\nprint({name}.__name__)\n" for name in names])).split() == names


@pytest.mark.parametrize(("function", "defaults"), [
    (sacrebleu.corpus_bleu, ("exp", None, False, False, "13a", False)), (sacrebleu.raw_corpus_bleu, (0.1,)),
    (sacrebleu.sentence_bleu, ("exp", None, False, "13a", True)),
    (BLEU, (False, False, None, "exp", None, 4, False, "", None)), (BLEU.compute_bleu, ("none", None, False, 4)),
    ("BLEUScore", ()), ("corpus_chrf", (6, 0, 2, True, False)), ("sentence_chrf", (6, 0, 2, True, False)),
    ("CHRF", (6, 0, 2, False, False, False, None)), ("CHRFScore", ()), ("corpus_ter", (False,) * 4),
    ("sentence_ter", (False,) * 4), ("TER", (False, False, False, False, None, False)), ("TERScore", ((),)),
    (load("metrics.base").Score.format, (2, False, "", False)), ("extract_word_ngrams", ()),
    ("extract_char_ngrams", (False,)), ("smart_open", ("rt", "utf-8")),
], ids=lambda value: getattr(value, "__qualname__", None))
def test_parameters_have_their_defaults(function: Any, defaults: tuple[Any, ...]) -> None:
    """`test_promises.py` holds their names and places."""
    if isinstance(function, str):
        function = getattr(metrics if function.endswith("Score") else sacrebleu, function)
    assert (inspect.getfullargspec(function).defaults or ()) == defaults


def test_methods_that_clients_call_have_their_parameters() -> None:
    of_bleu = "correct total sys_len ref_len smooth_method smooth_value effective_order max_ngram_order"
    of_format = "self width score_only signature is_json"
    for method, names in ((BLEU.compute_bleu, of_bleu), (load("metrics.base").Score.format, of_format)):
        assert inspect.getfullargspec(method).args == names.split()


# (`compat/test_clients.py` holds the calls of known clients to sacreBLEU's results; this goes for copies, too.)
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_metrics_have_what_clients_reach_into(name: str) -> None:
    metric = getattr(metrics, name)()
    part("metrics.helpers", "extract_word_ngrams")
    rows = metric._extract_corpus_statistics(HYPOTHESES, [REFERENCES[0]])
    assert [type(row) for row in rows] == [list] * 3
    expected = metric.corpus_score(hypotheses=HYPOTHESES, references=[REFERENCES[0]])
    sums = [sum(column) for column in zip(*rows)]
    assert metric._compute_score_from_stats(sums).score == expected.score
    assert metric._compute_score_from_stats(list(map(float, sums))).score == expected.score
    assert metric._aggregate_and_compute(rows).format() == expected.format()
    assert isinstance(metric, load("metrics.base").Metric)
    assert isinstance(expected, load("metrics.base").Score)
    assert {"score", "name"} <= {*vars(expected)}
    if name == "BLEU":
        assert {"counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio"} <= {*vars(expected)}
        assert (sums[:2], sums[2:6], sums[6:]) == (
            [expected.sys_len, expected.ref_len], expected.counts, expected.totals)
        assert metric.TOKENIZER_DEFAULT == "13a" and "13a" in metric.TOKENIZERS
        assert load("metrics.bleu")._get_tokenizer("13a")()("Hello, world (3.5).") == "Hello , world ( 3.5 ) ."


def test_extracted_ngrams_are_counters() -> None:
    assert sacrebleu.extract_word_ngrams(["a", "b", "a", "b"], 2) == Counter({"a b": 2, "b a": 1})
    assert sacrebleu.extract_word_ngrams(["a"], 2) == Counter()
    assert sacrebleu.extract_char_ngrams("ab a", 2) == Counter({"ab": 1, "ba": 1})
    assert sacrebleu.extract_char_ngrams("ab a", 2, include_whitespace=True) == Counter({"ab": 1, "b ": 1, " a": 1})


def test_smart_open_reads_and_writes(tmp_path: Path) -> None:
    for name in ("plain.txt", "packed.gz"):
        with sacrebleu.smart_open(tmp_path / name, "wt") as file:
            file.write("eins\rzwei\u2028drei\nvier\r\n")
        with sacrebleu.smart_open(str(tmp_path / name)) as file:
            assert list(file) == ["eins\rzwei\u2028drei\n", "vier\r\n"]
        with pytest.warns(sacrebleu.PurebleuWarning, match="is valid UTF-8, but is read as latin-1"), \
                sacrebleu.smart_open(tmp_path / name, encoding="latin-1") as file:
            assert file.read().startswith("eins\rzweiâ")
    assert gzip.decompress((tmp_path / "packed.gz").read_bytes()).count(b"\n") == 2
    with sacrebleu.smart_open(tmp_path / "bytes", "wb") as binary:
        binary.write(b"\xff\r\n")
    with sacrebleu.smart_open(tmp_path / "bytes", "rb") as binary:
        assert binary.read() == b"\xff\r\n"
    with sacrebleu.smart_open(tmp_path / "plain.txt", "r+") as file:
        assert file.readline() == "eins\rzwei\u2028drei\n"


# Importing

def run_python(script: str) -> str:
    """The output of a fresh interpreter for a script that may import the package."""
    # Without compiled modules, as in a first run: compiling may need more than running.
    environment = {**os.environ, "PYTHONPATH": str(folder_of_package()), "PYTHONDONTWRITEBYTECODE": "1",
                   "PYTHONPYCACHEPREFIX": os.path.join(os.path.abspath(os.sep), "no", "such", "folder")}
    process = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=False)
    if b"LeftOutError: " in process.stderr:
        raise errors.LeftOutError(process.stderr.decode().rstrip().rpartition("LeftOutError: ")[2])
    assert process.returncode == 0, process.stderr.decode()
    assert process.stderr == b""
    return process.stdout.decode().replace("\r\n", "\n")


from_a_folder = pytest.mark.skipif(not os.path.exists(load().__file__),
                                   reason="to read the package from an archive, Python itself imports more")


@pytest.mark.full
@needs_processes
@from_a_folder
@needs_modules
def test_importing_the_package_alone_imports_nothing_else() -> None:
    parents = [PACKAGE.rsplit(".", depth)[0] for depth in range(PACKAGE.count(".") + 1)]
    loaded = run_python(f"import sys; before = {{*sys.modules}}; import {PACKAGE}; print(*{{*sys.modules}} - before)")
    assert {*loaded.split()} - {*parents, "__future__", "importlib._bootstrap_external"} == {f"{PACKAGE}.version"}


HEAVY = ("argparse", "json", "re", "typing", "dataclasses", "logging", "random", "unicodedata", "gzip", "zlib",
         "inspect", "socket", "urllib", "ssl", "multiprocessing", "concurrent", "asyncio", "numpy", "subprocess",
         "fractions", "decimal", "statistics", "tempfile", "ctypes")


def heavy_imports_of(*statements: str) -> list[str]:
    """The modules of `HEAVY` that a fresh interpreter imports for these statements, and for the package, `pb`."""
    lines = ["import sys, os", "before = set(sys.modules)", f"import {PACKAGE} as pb", *statements,
             f"print(*sorted(set(sys.modules).intersection({HEAVY!r}) - before))"]
    return run_python("\n".join(lines)).split()


@pytest.mark.full
@needs_processes
@from_a_folder
def test_modules_that_are_not_needed_are_not_imported() -> None:
    assert heavy_imports_of("pb.BLEU().corpus_score(['a b c d'], [['a b c d']])",
                            "pb.BLEU(tokenize='intl').corpus_score(['Äa, b. c d'], [['Äa, c.']])") == []
    assert heavy_imports_of("pb.corpus_chrf(['Äa, b.'], [['Äa, c.']], word_order=2)",
                            "pb.corpus_ter(['Äa, b.'], [['b. Äa,']], True, True, True)") == []
    if hasattr(sacrebleu, "__path__"):
        assert heavy_imports_of(f"import {PACKAGE}.cli.arguments.parser, {PACKAGE}.cli.commands.score") == []


@pytest.mark.full
@needs_processes
@needs_modules
def test_metrics_are_imported_only_when_they_are_used() -> None:
    names = ("metrics", "metrics.bleu", "metrics.ter", "metrics.chrf", "cli", "engines.edits.ter",
             "tokenizers.tokenizer_intl")
    show = f"print(*[name for name in {names} if '{PACKAGE}.' + name in sys.modules])\n"
    assert run_python(f"import sys, {PACKAGE} as pb\n{show}pb.BLEU\n{show}pb.TER\n{show}").splitlines() == [
        "", "metrics metrics.bleu", "metrics metrics.bleu metrics.ter engines.edits.ter"]


WATCHED = """
import sys
sys.dont_write_bytecode = True
events = []
opened = []

def watch(event, arguments):
    if event == "open":
        opened.append(arguments[0])
    elif event.split(".")[0] in ("socket", "subprocess", "ctypes", "shutil", "tempfile") or event in (
            "os.system", "os.mkdir", "os.putenv", "os.chdir", "os.remove", "os.rename", "signal.pthread_kill"):
        events.append(event)

import signal, locale, logging, warnings, importlib, pkgutil
handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
state = lambda: ([signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)], locale.setlocale(
    locale.LC_ALL), logging.root.level, list(logging.root.handlers), sorted(logging.root.manager.loggerDict),
    list(warnings.filters), sys.excepthook, sys.getrecursionlimit(), list(sys.path), sys.stdout.encoding)
import argparse, gzip, json, re, collections.abc, bisect, itertools, random  # so that their own doings do not count
before = state()
sys.addaudithook(watch)
package = importlib.import_module(PACKAGE)
for found in pkgutil.walk_packages(package.__path__, PACKAGE + "."):
    if found.name.rpartition(".")[2] != "__main__":
        importlib.import_module(found.name)
assert state() == before
assert not events, events
# Python's own reading of modules is all that there may be, and the catalogue of test sets.
strange = [path for path in opened if not (isinstance(path, str) and path.split(".")[-1].rstrip("0123456789") in (
    "py", "pyc", "so", "pyd", "pyz", "zip")) and not str(path).endswith("test_sets.txt")]
print(strange)
"""


@pytest.mark.full
@needs_processes
@needs_modules
@pytest.mark.skipif(not hasattr(sys, "addaudithook"), reason="this Python has no audit hooks")
def test_importing_opens_nothing_and_changes_nothing() -> None:
    assert run_python(f"PACKAGE = {PACKAGE!r}\n{WATCHED}") == "[]\n"


@pytest.mark.full
@needs_processes
def test_importing_and_scoring_work_without_modules_that_a_python_may_lack() -> None:
    lacking = ["ssl", "lzma", "bz2", "gzip", "_multiprocessing", "multiprocessing", "socket", "_ctypes", "ctypes",
               "unicodedata", "_decimal"]
    if os.path.exists(load().__file__):  # (An archive needs it.)
        lacking.append("zlib")
    script = f"import sys; sys.modules.update(dict.fromkeys({lacking!r}))\nimport {PACKAGE} as pb\n"
    script += "print(pb.corpus_bleu(['a b c d'], [['a b c d']], tokenize='intl', lowercase=True).counts)\n"
    script += "print(pb.corpus_chrf(['ab'], [['ab']], word_order=2), pb.corpus_ter(['b a'], [['A b']], True))"
    assert run_python(script) == "[4, 3, 2, 1]\nchrF2++ = 100.00 TER = 50.00\n"


def test_representations_say_what_they_are_of() -> None:
    values: list[tuple[Callable[[], object], str]] = [
        (lambda: BLEU(lowercase=True), "<BLEU case:lc|eff:no|tok:13a|smooth:exp|version:purebleu-"),
        (lambda: load().CHRF(word_order=2), "<CHRF case:mixed|eff:yes|nc:6|nw:2|space:no|version:purebleu-"),
        (lambda: load().TER(), "<TER case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:purebleu-"),
        (lambda: load("significance").results_of([[[(1, 2.0)]]], [load().TER()]),
         "Results([[score=50.0,p_value=None,mean=None,ci=None]])"),
        (lambda: load().DATASETS["wmt18"], "<TestSet wmt18: ")]
    for value, expected in values:
        assert repr(value()).startswith(expected)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER", "WER", "CER", "MER", "WIL", "GLEU", "NIST", "ROUGE1",
                                  "ROUGELSUM", "RIBES", "CharacTER", "EED"])
def test_scores_say_which_direction_is_better(name: str) -> None:
    metric = part("metrics", name)()
    score = metric.corpus_score(["a b c d e"], [["a b c d f"]])
    found = json.loads(json.dumps(score.to_dict()))
    assert found == {"name": score.name, "score": score.score, "mean": None, "ci": None,
                     "signature": str(score.signature), "lower_is_better": metric.LOWER_IS_BETTER,
                     "range": found["range"]}
    lowest, highest = found["range"]
    assert lowest <= score.score and (highest is None or score.score <= highest)
    worst = metric.corpus_score(["x " * 9], [["a"]])
    assert highest is None or worst.score <= highest


def test_scores_from_elsewhere_have_their_own_direction() -> None:
    for lower in (False, True):
        metric = load("metrics").SegmentScores("X", [1, 2], lower_is_better=lower)
        score = metric.score(sacrebleu.sum_statistics(metric.rows))
        assert score.to_dict() == {"name": "X", "score": 1.5, "mean": None, "ci": None, "lower_is_better": lower,
                                   "range": [None, None], "signature": None}
