"""NIST, held to mteval-v13a.pl; its weights from all references, and what they are made of."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.engines import exact
from purebleu.metrics import NIST
from purebleu.metrics.evaluation import References
from purebleu.runtime.errors import PurebleuError

from ..helpers import needs_wmt22, output_of, read_fixture, refusal, texts_of, told, wmt22_lines, write_lines

CASES = read_fixture("nist.json.gz")["cases"]


def close(number: float) -> Any:
    """A number that equals one of the oracle's, which adds floats."""
    return pytest.approx(number, rel=0, abs=1e-12)


def test_scores_are_those_of_mteval() -> None:
    assert len(CASES) >= 40
    for case in CASES:
        hypotheses, streams = case["hypotheses"], case["references"]
        metric = NIST(lowercase=case["lowercase"], references=streams)
        score = metric.corpus_score(hypotheses, None)
        assert score.score == close(case["corpus"])
        assert [round(order, 4) for order in score.orders] == pytest.approx(case["orders"], abs=1.01e-4)
        segments = zip(hypotheses, zip(*streams))
        assert [metric.sentence_score(*segment).score for segment in segments] == list(map(close, case["segments"]))
        assert NIST(lowercase=case["lowercase"]).corpus_score(hypotheses, streams) == score


@needs_wmt22
def test_figures_of_real_data() -> None:
    hypotheses, first, second = wmt22_lines("hyp.Online-B", "ref.A", "ref.B")
    scores = [NIST(lowercase=lowercase).corpus_score(hypotheses, streams)
              for lowercase, streams in ((False, [second]), (True, [second]), (False, [first, second]))]
    assert [round(order, 4) for order in scores[0].orders] == [6.2753, 1.7693, 0.3353, 0.0540, 0.0115]
    assert [round(score.score, 4) for score in scores] == [8.4453, 8.4908, 10.8252]


# Weights and rows

words = st.sampled_from(["a", "b", "c", "d", "A", "0", "."])
segments = st.lists(words, max_size=9).map(" ".join)
corpora = st.integers(2, 4).flatmap(lambda columns: st.lists(st.tuples(*[segments] * columns), min_size=1, max_size=6))


@given(corpus=corpora, source=st.randoms(use_true_random=False))
def test_weights_do_not_depend_on_the_order_of_references(corpus: Any, source: random.Random) -> None:
    hypotheses, *streams = map(list, zip(*corpus))
    signature = str(NIST().corpus_score(hypotheses, streams).signature)
    texts = [text for stream in streams for text in stream]
    source.shuffle(texts)
    in_one_stream = str(NIST().corpus_score([""] * len(texts), [texts]).signature)
    assert in_one_stream == signature.replace(f"nrefs:{len(streams)}", "nrefs:1")


def test_a_signature_tells_weights_apart() -> None:
    def weights_of(*references: str, **options: Any) -> Any:
        return NIST(**options).corpus_score(list(references), [list(references)]).signature.info["weights"]

    different = [weights_of(text) for text in ("a b a b", "a b a c", "a a b b", "a b a b a", "A b A b")]
    assert len(set(different)) == len(different)
    assert weights_of("A b A b", lowercase=True) == different[0]
    # The choice of n-grams that occur once does not matter.
    assert weights_of("a b a d") == different[1]
    assert weights_of("a b", "a b") == different[0]


def test_rows_and_scores_by_hand() -> None:
    metric = NIST(references=[["a b a b c d e f"]])
    one = 1 << 64
    # 8 tokens, of which a and b occur twice, and are always followed by b and once by a.
    assert metric.corpus_statistics(["a b"], [["a b"]]) == [(4 * one, 0, 0, 0, 0, 2, 1, 0, 0, 0, 2 * one)]
    assert metric.sentence_score("b a x", ["b a"]).orders[:2] == [4 / 3, 0.5]
    streams: list[list[str | None]] = [["a b", "a"], ["a", None]]
    assert NIST(references=streams).corpus_statistics(["a", ""], None)[0][5:] == (1, 0, 0, 0, 0, 3 * one // 2)
    score = metric.score((4 * one, 0, 0, 0, 0, 2, 1, 0, 0, 0, 3 * one))
    assert (score.score, score.bp, score.sys_len, score.ref_len, score.ratio) == (1.0, 0.5, 2, 3.0, 2 / 3)
    assert str(score) == ("NIST = 1.00 1.0000/0.0000/0.0000/0.0000/0.0000 "
                          "(BP = 0.500 ratio = 0.667 hyp_len = 2 ref_len = 3)")
    assert metric.score([0] * 11).score == metric.score([0] * 10 + [one]).score == 0.0
    assert NIST().sentence_score("a b", ["a b"]).score == 1.0
    with pytest.raises(PurebleuError, match="there are 3 sums, but a row has"):
        metric.score((1, 2, 3))


def test_lower_case_is_of_ascii_letters() -> None:
    for tokenizer in ("13a", "intl"):
        [tokens] = NIST(lowercase=True, tokenize=tokenizer).preprocess_lines(["Ab ÄB É"])
        assert [token.decode() if isinstance(token, bytes) else token for token in tokens] == ["ab", "Äb", "É"]


def test_rows_of_a_corpus_need_its_references() -> None:
    for arguments in ({}, {"normalize": "nfc"}, {"transpose_references": True}):
        with pytest.raises(PurebleuError, match=r"references to the constructor, as NIST\(references=\[\.\.\.\]\)"):
            NIST().corpus_statistics(["a b"], [["a b"]], **arguments)
    references = References(NIST(), [["a b"]])
    with pytest.raises(PurebleuError, match="NIST first needs weights from all references of a corpus"):
        NIST().block_statistics(["a b"], references)
    with pytest.raises(PurebleuError, match="NIST needs all references of a corpus"):
        purebleu.mbr(["a", "b"], NIST())
    assert purebleu.mbr(["a", "b"], NIST(references=[["a b c"]]))[0] == 0
    assert "|weights:segment|" in str(NIST().sentence_score("a", ["a"]).signature)


@given(st.integers(1, 1 << 90))
def test_logarithms_are_rounded_down(number: int) -> None:
    found = exact.fixed_log2(number)
    assert found / 2 ** exact.LOGARITHM_BITS == pytest.approx(math.log2(number), abs=1e-13)
    assert exact.fixed_log2(number << 5) == found + (5 << exact.LOGARITHM_BITS)
    # Two to the power of a whole multiple of it: that is exact in integers.
    bits = 12
    power = found >> exact.LOGARITHM_BITS - bits
    assert 1 << power <= number ** (1 << bits) < 1 << power + 1


@given(st.floats(-120, 0))
def test_powers_of_two(exponent: float) -> None:
    fixed = math.floor(Fraction(exponent) * 2 ** exact.LOGARITHM_BITS)
    found = Fraction(exact.fixed_exp2(fixed), 2 ** exact.POWER_BITS)
    assert float(found) == pytest.approx(2 ** exponent, rel=1e-6, abs=2.0 ** -140)
    assert float(found) == pytest.approx(2 ** exponent, rel=1e-12, abs=2.0 ** -90)
    assert exact.fixed_exp2(-(10 ** 9) << exact.LOGARITHM_BITS) == 0


# The command line

SHARES, SEGMENTS = {"ref": 1.0, "ref2": 0.9, "good": 0.95, "fair": 0.8, "bad": 0.6}, 60

TEXT = ("-f", "text", "-w", "9", "-m", "nist")


def test_references_that_can_be_read_once(folder: Path) -> None:
    expected = output_of(["ref", "ref2", "-i", "fair", *TEXT], folder)
    segments = list(zip(*texts_of(folder, "fair", "ref", "ref2")))
    write_lines(folder / "both", [f"{one}\t{two}" for _, one, two in segments])
    write_lines(folder / "all.jsonl", [json.dumps({"h": text, "r": references}) for text, *references in segments])
    for arguments, stdin in ((["both", "-nr", "2", "-i", "fair"], None), (["-", "-nr", "2", "-i", "fair"], "both"),
                             (["all.jsonl:r", "-i", "all.jsonl:h"], None),
                             (["-:jsonl:r", "-i", "-:jsonl:h"], "all.jsonl"),
                             (["-:jsonl:r", "-i", "-:jsonl:h", "-j", "2"], "all.jsonl")):
        content = (folder / stdin).read_bytes() if stdin else b""
        assert output_of([*arguments, *TEXT], folder, content) == expected
    one = output_of(["ref", "-i", "fair", *TEXT], folder)
    assert output_of(["ref", *TEXT], folder, (folder / "fair").read_bytes()) == one
    error = refusal(folder, "-", "-i", "fair", *TEXT, code=1, stdin=b"a\n")
    assert "the numbers of lines differ: 60 in fair, 1 in" in error


def test_segments_have_the_weights_of_the_corpus(folder: Path) -> None:
    hypotheses, references = texts_of(folder, "fair", "ref")
    metric = NIST(references=[references])
    expected = [f"{metric.sentence_score(hypothesis, [reference]).score:.9f}"
                for hypothesis, reference in zip(hypotheses, references)]
    for reference in ("ref", "-"):
        text = output_of([reference, "-i", "fair", "-sl", "-b", *TEXT], folder, (folder / "ref").read_bytes())
        assert text.splitlines() == expected


def test_selected_segments_are_a_corpus(tmp_path: Path) -> None:
    columns = output_of(["-t", "sample", "-l", "en-de", "--echo", "origlang", "ref:A", "ref:B"], tmp_path)
    lines = [line.split("\t") for line in columns.splitlines()]
    write_lines(tmp_path / "B", [line[2] for line in lines])
    for name, index in (("A.en", 1), ("B.en", 2)):
        write_lines(tmp_path / name, [line[index] for line in lines if line[0] == "en"])
    expected = output_of(["A.en", "B.en", "-i", "B.en", "-b", *TEXT], tmp_path)
    selected = ["-t", "sample", "-l", "en-de", "--origlang", "en", "-i", "B", "-b", *TEXT]
    assert output_of(selected, tmp_path) == expected
    assert output_of([*selected, "--detail"], tmp_path).startswith(expected.strip())


def test_rows_with_other_weights_are_refused(folder: Path) -> None:
    for name, reference, offset in (("1.rows", "ref", "0"), ("2.rows", "ref2", "60")):
        output_of([reference, "-i", "fair", "-m", "nist", "--save-rows", name, "--offset", offset], folder)
    assert "1.rows and 2.rows have different values of weights in their signatures: " in refusal(
        folder, "--rows", "1.rows", "2.rows", code=1)


def test_a_signature_of_other_weights_is_reported(folder: Path) -> None:
    signature = output_of(["ref", "-i", "fair", "-lc", "-tok", "intl", *TEXT], folder).partition(" = ")[0]
    assert "|case:lc|tok:intl|weights:" in signature
    output_of(["ref", "-i", "fair", "--signature", signature], folder)
    _, errors = told(folder, "ref2", "-i", "fair", "--signature", signature)
    assert "the signature of the result differs from the given signature: weights:" in errors


def test_tables_go_up_to_20(folder: Path) -> None:
    systems = ["ref", "-i", "good", "bad", "-m", "nist", "-q"]
    text = output_of(["compare", *systems, "--buckets", "score", "length"], folder)
    assert " 0-2 " in text and " 18+ " in text
    output_of(["report", *systems, "-o", "page.html"], folder)
    assert "The first tenth is from 0 to below 2." in (folder / "page.html").read_text(encoding="utf-8")
