"""BLEU of token ids, against the R package sacRebleu, as `scripts/dev/oracles/ids.py` has written down its scores.

(Those of real data are in `test_golden_shared_data.py`.)
"""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.compat import r_sacrebleu
from purebleu.runtime.errors import PurebleuError

from .helpers import Index, read_fixture

CASES = read_fixture("ids.json.gz")["cases"]

#: R has 80 bits for logarithms and powers, so the last digits may differ (measured: 2e-14 at most).
TOLERANCE = 1e-12

ids = st.lists(st.integers(0, 3), max_size=8)
corpora = st.lists(st.tuples(st.lists(ids, min_size=1, max_size=3), ids), max_size=12)
options = st.fixed_dictionaries({
    "smoothing": st.sampled_from([None, "floor", "add-k"]), "epsilon": st.sampled_from([0.1, 0.01, 1]),
    "k": st.sampled_from([0, 1, 2.7])})


# The oracle

def test_scores_are_the_oracles_and_segments_that_it_refuses_an_error_of_one_line() -> None:
    for name, references, candidates, given_options, score in CASES:
        if score is None:
            with pytest.raises((PurebleuError, TypeError)) as caught:
                getattr(r_sacrebleu, name)(references, candidates, **given_options)
            assert "\n" not in str(caught.value)
        else:
            found = getattr(r_sacrebleu, name)(references, candidates, **given_options)
            # (It may be infinite, or none at all.)
            assert type(found) is float
            assert found == pytest.approx(float.fromhex(score), rel=TOLERANCE, abs=0, nan_ok=True)


# Properties

@given(corpus=corpora, given_options=options, source=st.randoms(use_true_random=False))
def test_rows_add_up_in_any_order_and_in_any_pieces(corpus: Any, given_options: Any, source: random.Random) -> None:
    references, candidates = [list(column) for column in zip(*corpus)] or [[], []]
    expected = r_sacrebleu.bleu_corpus_ids(references, candidates, **given_options)
    rows = r_sacrebleu.corpus_statistics_ids(references, candidates)
    assert rows == [r_sacrebleu.corpus_statistics_ids([several], [one])[0] for several, one in corpus]
    assert {type(number) for row in rows for number in row} <= {int}
    source.shuffle(rows)
    cut = source.randint(0, len(rows))
    sums = [purebleu.sum_statistics(piece) for piece in (rows[:cut], rows[cut:]) if piece]
    score = r_sacrebleu.bleu_of_sums(purebleu.sum_statistics(sums), **given_options)
    assert score == expected or (math.isnan(score) and math.isnan(expected))


@given(corpus=corpora, given_options=options)
def test_a_score_of_text_is_that_of_its_tokens_as_ids(corpus: Any, given_options: Any) -> None:
    def text(tokens: list[int]) -> str:
        return " ".join(["abcd"[token] for token in tokens])

    def tokenizer(line: str) -> list[int]:
        return ["abcd".index(word) for word in line.split()]

    in_text = [[text(reference) for reference in references] for references, _ in corpus]
    texts = [text(candidate) for _, candidate in corpus]
    expected = r_sacrebleu.bleu_corpus_ids([one for one, _ in corpus], [one for _, one in corpus], **given_options)
    for choice in (str.split, tokenizer, "none"):
        assert repr(r_sacrebleu.bleu_corpus(in_text, texts, choice, **given_options)) == repr(expected)
    for references, candidate in zip(in_text, texts):
        score = r_sacrebleu.bleu_sentence(references, candidate, **given_options)
        assert repr(score) == repr(r_sacrebleu.bleu_corpus([references], [candidate], **given_options))


def test_ids_are_compared_by_their_values_and_only_read() -> None:
    candidate: list[Any] = [Index(7), Index(1 << 40)]
    references: list[Any] = [[7, 1 << 40], (Index(7),), iter([3])]
    assert r_sacrebleu.bleu_sentence_ids(references, candidate, n=2) == 1.0
    assert len(candidate) == 2 and len(references) == 3


def test_long_segments_and_high_orders() -> None:
    source = random.Random(2)
    candidates = [[source.randrange(40) for _ in range(length)] for length in (700, 3, 254, 90)]
    references = [[candidate[:-1], candidate[1:]] for candidate in candidates]
    rows = r_sacrebleu.corpus_statistics_ids(references, candidates, 9)
    assert rows == [r_sacrebleu.corpus_statistics_ids([several], [one], 9)[0]
                    for several, one in zip(references, candidates)]
    assert r_sacrebleu.bleu_sentence_ids([[1, 2]], [1, 2], n=1000) == 0.0


# Errors

WRONG_OPTIONS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"n": 1001}, PurebleuError, "the maximum n-gram order must be from 1 to 1000, not 1001"),
    ({"weights": []}, PurebleuError, "the maximum n-gram order must be from 1 to 1000, not 0"),
    ({"weights": [1e39]}, PurebleuError, "every weight must be a finite number that a float32 can hold"),
    ({"weights": [0.5, math.nan]}, PurebleuError, "every weight must be a finite number that a float32 can hold"),
    ({"weights": 0.25}, TypeError, "weights must be a sequence of numbers, not 0.25"),
    ({"smoothing": "exp"}, PurebleuError, "unknown smoothing method 'exp'; choose from floor, add-k and None"),
    ({"epsilon": -0.1}, PurebleuError, "epsilon must be a finite number of at least 0, not -0.1"),
    ({"epsilon": math.inf}, PurebleuError, "epsilon must be a finite number of at least 0, not inf"),
    ({"epsilon": "0.1"}, TypeError, "epsilon must be a number, not str"),
    ({"k": math.nan}, PurebleuError, "k must be a finite number of at least 0, not nan"),
    ({"k": 1 << 31}, PurebleuError, "k must be at most 2147483647, not 2147483648"),
    ({"k": 10 ** 400}, PurebleuError, f"k must be a finite number of at least 0, not {10 ** 400}"),
]


def test_wrong_options_are_refused() -> None:
    calls = [("bleu_sentence_ids", [[1, 2]], [1, 2]), ("bleu_corpus_ids", [], []), ("bleu_sentence", ["a"], "a"),
             ("bleu_corpus", [], [])]
    for given_options, error, message in WRONG_OPTIONS:
        for name, references, candidates in calls:
            with pytest.raises(error) as caught:
                getattr(r_sacrebleu, name)(references, candidates, **given_options)
            assert str(caught.value) == message


EMPTY = "references is empty; every candidate needs a reference (which may be empty)"

WRONG_ARGUMENTS: list[tuple[str, tuple[Any, ...], type[Exception], str]] = [
    ("bleu_corpus_ids", ([[[1]]], [[1], [2]]), PurebleuError,
     "there must be one list of references for each of the 2 candidates, not 1"),
    ("bleu_corpus_ids", ([[[1]], []], [[1], [2]]), PurebleuError, EMPTY.replace("references", "references[1]", 1)),
    ("bleu_corpus_ids", ([[[1]]], [[1.5]]), TypeError, "candidates[0][0] must be an integer id, not float"),
    ("bleu_corpus_ids", ([[[1], "1"]], [[1]]), TypeError,
     "references[0][1] must be a sequence, such as a list, not a str"),
    ("bleu_corpus_ids", ([[1]], [[1]]), TypeError, "references[0][0] must be a sequence, such as a list, not an int"),
    ("bleu_corpus_ids", ([1], [[1]]), TypeError, "references[0] must be a sequence, such as a list, not an int"),
    ("bleu_corpus_ids", (object(), []), TypeError, "references must be a sequence, such as a list, not an object"),
    ("bleu_sentence_ids", ([], [1]), PurebleuError, EMPTY.replace("references", "references[0]", 1)),
    ("bleu_sentence_ids", ([[1]], 1), TypeError, "candidates[0] must be a sequence, such as a list, not an int"),
    ("bleu_corpus", ([["a"]], [b"a"]), TypeError, "candidates[0] must be a string, not b'a'"),
    ("bleu_corpus", (["a"], ["a"]), TypeError, "references[0] must be a sequence, such as a list, not a str"),
    ("bleu_sentence", (["a", 1], "a"), TypeError, "references[0][1] must be a string, not 1"),
    ("bleu_sentence", (["a"], ["a"]), TypeError, "candidates[0] must be a string, not ['a']"),
    ("bleu_sentence", ("a", "a"), TypeError, "references[0] must be a sequence, such as a list, not a str"),
    ("bleu_sentence", (["a"], "a", 3), TypeError, "a tokenizer is a name or a callable, not int"),
    ("bleu_of_sums", ([1, 2, 3],), PurebleuError,
     "there are 3 sums, but 5 are needed for 1 n-gram order (one order for each weight)"),
    ("bleu_of_sums", ([1, 1, 1, 1, 0], [0.5, 0.5]), PurebleuError,
     "there are 5 sums, but 8 are needed for 2 n-gram orders (one order for each weight)"),
]


def test_wrong_arguments_are_refused() -> None:
    for name, arguments, error, message in WRONG_ARGUMENTS:
        with pytest.raises(error) as caught:
            getattr(r_sacrebleu, name)(*arguments)
        assert str(caught.value) == message
    with pytest.raises(PurebleuError, match="unknown tokenizer 'bert'"):
        r_sacrebleu.bleu_corpus([["a"]], ["a"], "bert")
