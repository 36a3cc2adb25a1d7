"""The names of sacreBLEU 1.x: its numbers, and the shapes and errors of its functions."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import Any

import pytest

from purebleu.compat import v1
from purebleu.metrics.bleu import BLEU
from purebleu.runtime.errors import LengthError

from ..helpers import read_fixture

HYPOTHESES = ["The cat sat on a mat.", "It was one rainy day."]
REFERENCES = ["The cat sat on the mat.", "It was a rainy day."]

pytestmark = pytest.mark.filterwarnings("ignore:no hypothesis:UserWarning", "ignore:hypotheses:UserWarning",
                                        "ignore:lines of:UserWarning")


def plain(result: Any) -> Any:
    """A result as the fixture has it."""
    if hasattr(result, "precisions"):
        return [result.score, result.counts, result.totals, result.precisions, result.bp]
    if isinstance(result, Counter):
        return list(map(list, sorted(result.items())))
    return list(map(plain, result)) if isinstance(result, tuple) else result


def test_functions_give_what_sacrebleu_1_gives() -> None:
    cases = read_fixture("v1.json.gz")["cases"]
    assert len(cases) > 150
    for name, arguments, keywords, expected in cases:
        found = plain(getattr(v1, name)(*arguments, **keywords))
        if name.endswith("bleu"):
            found, expected = [found[0], *found[3], found[4]], [expected[0], *expected[3], expected[4]]
        is_score = name.endswith(("bleu", "chrf"))
        assert found == (pytest.approx(expected, rel=1e-12) if is_score else expected), (name, arguments)


def test_keywords_of_every_version_are_taken() -> None:
    expected = v1.corpus_bleu(HYPOTHESES, [REFERENCES], "floor", 0.01, False, True, "none", True)
    assert v1.raw_corpus_bleu(iter(HYPOTHESES), iter([iter(REFERENCES)]), smooth_floor=0.01) == expected
    for keywords in ({"smooth": "floor", "smooth_floor": 0.01, "lc": True},
                     {"smooth_method": "floor", "smooth_value": 0.01, "lowercase": True}):
        found = v1.corpus_bleu(sys_stream=HYPOTHESES, ref_streams=[REFERENCES], tokenize="none",
                               use_effective_order=True, **keywords)
        assert found == expected.score
    assert v1.sentence_bleu("a b", "a c", 0.5) == v1.sentence_bleu("a b", ["a c"], smooth_floor=0.5) > 0
    with pytest.raises(TypeError, match="smoothing"):
        v1.corpus_bleu(HYPOTHESES, [REFERENCES], smoothing="exp")


def test_a_string_is_a_segment_and_chrf_takes_one_stream() -> None:
    assert v1.corpus_bleu(HYPOTHESES[0], REFERENCES[0]) == v1.corpus_bleu(HYPOTHESES[:1], [REFERENCES[:1]])
    both = v1.corpus_bleu(HYPOTHESES[0], REFERENCES)
    assert both == v1.corpus_bleu(HYPOTHESES[:1], [[reference] for reference in REFERENCES])
    assert v1.corpus_chrf(HYPOTHESES, REFERENCES) == v1.corpus_chrf(HYPOTHESES, [REFERENCES]) < 1
    assert v1.sentence_chrf(HYPOTHESES[0], REFERENCES[0]) == v1.corpus_chrf(HYPOTHESES[:1], REFERENCES[:1])


def test_streams_of_other_lengths_are_the_end_of_a_file() -> None:
    for references in ([REFERENCES[:1]], [REFERENCES, [*REFERENCES, "more"]], REFERENCES):
        with pytest.raises(EOFError, match="stream") as caught:
            v1.corpus_bleu(HYPOTHESES, references)
        assert isinstance(caught.value, LengthError)
    with pytest.raises(EOFError):
        v1.corpus_chrf(HYPOTHESES, REFERENCES[:1])


def test_a_score_is_a_number_with_attributes() -> None:
    score = v1.corpus_bleu(HYPOTHESES, [REFERENCES])
    assert score + 1 == score.score + 1 and score.score == score.scores[-1]
    orders = [BLEU(max_ngram_order=order).corpus_score(HYPOTHESES, [REFERENCES]).score for order in range(1, 5)]
    assert score.scores == pytest.approx(orders)
    assert str(score).startswith(f"BLEU = {score:.2f} ") and score.format(1, signature="x").startswith("BLEU+x = ")
    for again in (copy.deepcopy(score), pickle.loads(pickle.dumps(score))):
        assert again == score and vars(again) == vars(score)
    chrf = v1.corpus_chrf(HYPOTHESES, REFERENCES)
    assert chrf.format() == f"chrF2 = {chrf:.2f}" and chrf.format(score_only=True) == f"{chrf.score:.2f}"


def test_all_names_are_public() -> None:
    names: dict[str, Any] = {}
    exec(f"from {v1.__name__} import *", names)
    assert names["TOKENIZERS"]["13a"]("a.") == names["tokenize_13a"]("a.") == "a ."
    assert (names["CHRF_ORDER"], names["CHRF_BETA"], names["NGRAM_ORDER"]) == (6, 2, 4)
