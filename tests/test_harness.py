"""`purebleu.harness`: the harnesses' own numbers, from rows."""

from __future__ import annotations

import random
import statistics
from types import SimpleNamespace
from typing import Any

import pytest

import purebleu
from purebleu import harness
from purebleu.runtime.errors import LengthError, OptionError

from .helpers import assert_errors

pytestmark = pytest.mark.filterwarnings("ignore:no hypothesis has 4 words")

PREDICTIONS = ["The cat sat on the mat.", "It rained.", "No one came at all.", "We left early, as always."]
REFERENCES: list[Any] = ["The cat sat on a mat.", ["It was raining.", "It rained all day."], ["Nobody came."],
                         ["We all left early, as always."]]
LISTS = [[one] if isinstance(one, str) else one for one in REFERENCES]

FUNCTIONS = {"bleu": harness.bleu, "chrf": harness.chrf, "chrf++": harness.chrf_plus, "ter": harness.ter}


def score_of(name: str, pairs: Any) -> float:
    lists, predictions = zip(*pairs)
    return float(purebleu.metric(name).corpus_score(list(predictions), list(lists), transpose_references=True))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_standard_errors_are_those_of_resampled_texts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(zip(LISTS, PREDICTIONS))

    def expected(*drawn: tuple[random.Random, int]) -> Any:
        scores = [score_of(name, stream.choices(pairs, k=len(pairs))) for stream, count in drawn for _ in range(count)]
        return pytest.approx(statistics.stdev(scores), rel=1e-12)

    assert harness.stderr(name, PREDICTIONS, REFERENCES, 20) == expected((random.Random(0), 20))
    assert harness.stderr(purebleu.metric(name), PREDICTIONS, REFERENCES, n=9,
                          choices=random.Random(7).choices) == expected((random.Random(7), 9))
    assert harness.bootstrap_stderr(FUNCTIONS[name], list(zip(REFERENCES, PREDICTIONS)), iters=20) == (
        harness.stderr(name, PREDICTIONS, REFERENCES, 20))
    # (Harnesses draw whole thousands with one seed after another.)
    monkeypatch.setattr(harness, "_RESAMPLES_OF_A_SEED", 5)
    assert harness.stderr(name, PREDICTIONS, REFERENCES, 14) == expected((random.Random(0), 5), (random.Random(1), 5))


def test_functions_of_others_are_called_in_each_resample() -> None:
    def bleu(items: Any) -> float:
        return float(sum(items))

    stream = random.Random(0)
    sums = [float(sum(stream.choices([1, 2, 4], k=3))) for _ in range(10)]
    assert harness.bootstrap_stderr(bleu, [1, 2, 4], 10) == pytest.approx(statistics.stdev(sums), rel=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_the_items_of_harnesses(name: str) -> None:
    expected = score_of(name, zip(LISTS, PREDICTIONS))
    assert FUNCTIONS[name](zip(REFERENCES, PREDICTIONS)) == expected
    assert FUNCTIONS[name]([SimpleNamespace(golds=golds, preds=[text]) for golds, text in zip(LISTS, PREDICTIONS)]
                           ) == expected


def test_all_figures_of_a_corpus() -> None:
    names = ["bleu", "bleu2", "bleu4", "chrf++", "ter", "nist"]
    scores = harness.score(PREDICTIONS, REFERENCES, names, resamples=50)
    assert list(scores) == names and scores["bleu4"] == scores["bleu"]
    for name, figures in scores.items():
        whole: Any = purebleu.metric(name).corpus_score(PREDICTIONS, LISTS, 50, transpose_references=True)
        assert (figures["score"], figures["signature"]) == (whole.score, str(whole.signature))
        assert (figures["high"] - figures["low"]) / 2 == pytest.approx(whole.ci)
        assert figures["low"] <= figures["high"] and 0 < figures["standard_error"] < whole.score
        assert figures["lower_is_better"] == (name == "ter")
    assert "|order:2|" in scores["bleu2"]["signature"]
    bare = harness.score(PREDICTIONS, REFERENCES)
    assert list(bare) == ["bleu", "chrf", "ter"]
    assert {bare["ter"][name] for name in ("low", "high", "standard_error")} == {None}
    assert bare["ter"]["signature"] == str(purebleu.TER().corpus_score(PREDICTIONS, LISTS,
                                                                      transpose_references=True).signature)


def test_wrong_arguments_are_refused() -> None:
    assert_errors(harness.score, (PREDICTIONS, REFERENCES[:3], LengthError, "predictions: 4 hyp.* 3 segments"),
                  (PREDICTIONS, REFERENCES, ["bleu", "bleu"], OptionError, "give each metric once"))
    assert_errors(harness.stderr, ("bleu", PREDICTIONS, REFERENCES, 1, OptionError, "n must be at least 2"),
                  ("blue", PREDICTIONS, REFERENCES, OptionError, "did you mean 'bleu'"))
