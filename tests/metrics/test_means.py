"""Metrics that are means of segments (ROUGE, RIBES, CharacTER, EED), held to oracles; and what they are made of."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import Any, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import purebleu
from purebleu.engines import exact
from purebleu.engines.edits import character
from purebleu.metrics import EED, RIBES, CharacTER
from purebleu.metrics.eed import _with_decimals
from purebleu.runtime.errors import OptionError
from purebleu.tokenizers.rouge_words import RougeTokenizer, UnicodeWordTokenizer, stem
from purebleu.version import FULL_VERSION

from ..helpers import first_by_default, needs_wmt22, output_of, read_fixture, refusal, told, wmt22_lines, write_lines
from .test_ter import plain_distance

FIRST, *CASES = read_fixture("means.json.gz")["cases"]

#: The largest difference to an oracle, where that takes powers and exponentials: these are the C library's.
TOLERANCE = 1e-12


def figures_of(metric: Any, row: Sequence[Any]) -> Any:
    """The numbers in a row: one, or several."""
    *numbers, _ = [Fraction(number, 2 ** metric.BITS) for number in row]
    assert all(Fraction(float(number)) == number for number in numbers)
    return list(map(float, numbers)) if len(numbers) > 1 else float(numbers[0])


# Equal to the oracles

@pytest.mark.parametrize("case", first_by_default(6, [*CASES[::2], *CASES[1::2]]),
                         ids=lambda case: f"{case['metric']} {case['options']}")
def test_segments_are_scored_as_by_the_oracle(case: Any) -> None:
    assert len(CASES) == 12
    metric = getattr(purebleu.metrics, case["metric"])(**case["options"])
    pairs = [(pair, expected) for pair, expected in zip(FIRST["segments"], case["figures"]) if expected is not None]
    assert len(pairs) >= 400
    hypotheses, references = zip(*[pair for pair, _ in pairs])
    rows = metric.corpus_statistics(hypotheses, [*zip_longest(*references)])
    for (pair, expected), row in zip(pairs, rows):
        found = figures_of(metric, row)
        assert found == (expected if isinstance(expected, list) else pytest.approx(expected, abs=TOLERANCE)), pair


@needs_wmt22
def test_figures_of_real_data() -> None:
    hypotheses, other, references = wmt22_lines("hyp.Online-B", "ref.A", "ref.B")
    stemmed = {"stemmer": True}
    figures: list[tuple[str, dict[str, Any], int, float]] = [
        ("ROUGE1", {}, 9, 0.663956791), ("ROUGE2", {}, 10, 0.4527338694), ("ROUGEL", {}, 10, 0.6324589296),
        ("ROUGE1", stemmed, 10, 0.6721868995), ("ROUGE2", stemmed, 10, 0.4582614025),
        ("ROUGEL", stemmed, 10, 0.6394521911), ("ROUGELSUM", {}, 10, 0.6324589296), ("RIBES", {}, 6, 0.817210),
        ("RIBES", {"lowercase": True}, 6, 0.820260), ("CharacTER", {}, 14, 0.36509773815697)]
    for name, options, digits, figure in figures:
        score = getattr(purebleu.metrics, name)(**options).corpus_score(hypotheses, [references])
        assert round(score.score / 100, digits) == figure, (name, options)
        if (name, options) == ("ROUGE1", {}):
            assert (round(score.precision / 100, 9), round(score.recall / 100, 10)) == (0.670684501, 0.6636325895)
    assert round(RIBES().corpus_score(hypotheses, [other, references]).score / 100, 6) == 0.866594


@needs_wmt22
def test_segments_of_real_data() -> None:
    hypotheses, references = [lines[:500] for lines in wmt22_lines("hyp.Online-B", "ref.B")]
    for metric, digits, figures in ((CharacTER(), 6, [0.387097, 0.209302, 0.494845, 0.131579, 0.264368]),
                                    (EED(), 10, [0.3786078098, 0.226039783, 0.447806354, 0.1510204082, 0.2246294185])):
        rows = metric.corpus_statistics(hypotheses, [references])
        assert [round(figures_of(metric, row), digits) for row in rows[:5]] == figures
    assert round(metric.score(purebleu.sum_statistics(rows)).score / 100, 10) == 0.2998076458


# Parts of the scores

@given(st.lists(st.floats(0, 1).filter(lambda number: number == 0 or number > 2 ** -52), min_size=1), st.randoms())
def test_sums_of_fixed_point_are_exact(numbers: list[float], source: random.Random) -> None:
    bits = exact.QUOTIENT_BITS
    integers = [exact.truncate_to_fixed(number, bits) for number in numbers]
    assert [Fraction(integer, 2 ** bits) for integer in integers] == list(map(Fraction, numbers))
    source.shuffle(integers)
    mean = exact.fixed_mean(sum(integers), len(integers), bits)
    assert mean == float(sum(map(Fraction, numbers)) / len(numbers))
    assert exact.fixed_mean(0, 0, bits) == 0.0


def test_stems_of_words_are_known() -> None:
    stems = {
        "caresses": "caress", "ponies": "poni", "dies": "die", "cats": "cat", "feed": "feed", "agreed": "agre",
        "plastered": "plaster", "motoring": "motor", "sing": "sing", "conflated": "conflat", "hissing": "hiss",
        "filing": "file", "happy": "happi", "enjoy": "enjoy", "by": "by", "rationally": "ration", "news": "news",
        "apologies": "apolog", "geology": "geolog", "vietnamization": "vietnam", "adoption": "adopt", "skies": "sky",
        "replacement": "replac", "controll": "control", "rate": "rate", "a": "a", "died": "die", "spied": "spi",
    }
    assert {word: stem(word) for word in stems} == stems


def test_words_of_rouge() -> None:
    lines = ["The Cat's 3.5\u00e9 \u212aelvin \u0130s", "", "a\nb", "\u4e2d\u6587 \u0939\u093f\u0928\u094d\u0926\u0940"]
    assert RougeTokenizer().tokenize_lines(lines) == [b"the cat s 3 5 kelvin i s".split(), [], [b"a", b"b"], []]
    assert RougeTokenizer(stemmer=True).tokenize_lines(["Ran running skis ski"]) == [b"ran run ski ski".split()]
    assert UnicodeWordTokenizer().tokenize_lines(lines) == [
        "the cat s 3 5\u00e9 kelvin i\u0307s".encode().split(), [], [b"a", b"b"],
        "\u4e2d \u6587 \u0939\u093f\u0928\u094d\u0926\u0940".encode().split()]
    assert RougeTokenizer().tokenize_lines([]) == UnicodeWordTokenizer().tokenize_lines([]) == []


@given(*[st.lists(st.sampled_from("abcd"), max_size=80)] * 2)
def test_edit_distances_are_the_plain_ones(one: list[str], other: list[str]) -> None:
    expected = plain_distance(one, other)
    assert character.edit_distances([(one, other), (other, one), (one, one)]) == [expected, expected, 0]
    assert character.long_distance(one, other) == expected


# Their options

def test_the_reference_with_the_higher_f_measure_counts() -> None:
    score = purebleu.metrics.ROUGEL().sentence_score("a b", ["a b c d", "a b", None])  # 1 against 2/3
    assert (score.precision, score.recall, score.score) == (100, 100, 100)
    assert str(score) == "ROUGE-L = 100.00 (P = 100.0 R = 100.0)"


@given(st.text("12 .,a", max_size=30))
@example("1 . 23 . 4")
@example("1 . 2 , 3 . 4")
def test_decimals_are_joined_as_by_a_substitution(text: str) -> None:
    line = f"x{text}x"  # (marks at the ends are not separated from anything)
    assert _with_decimals(line) == re.sub("([0-9]) ([.,]) ([0-9])", r"\1\2\3", line)


def test_rouge_signs_what_it_depends_on() -> None:
    signed: dict[str, dict[str, Any]] = {
        "case:lc|tok:rouge|stem:no|refs:best|oracle:rouge_score-0.1.2": {},
        "case:lc|tok:rouge|stem:yes|refs:best|oracle:rouge_score-0.1.2": {"stemmer": True},
        "case:lc|tok:unicode|stem:no|refs:best": {"tokenize": "unicode"},
        "tok:custom[split]|stem:no|refs:best|oracle:rouge_score-0.1.2": {"tokenize": str.split},
    }
    for text, options in signed.items():
        signature = purebleu.metrics.ROUGE1(**options).sentence_score("a", ["a", "b"]).signature
        assert str(signature) == f"nrefs:2|{text}|version:purebleu-{FULL_VERSION}"
    wrong: list[dict[str, Any]] = [{"tokenize": "13a"}, {"tokenize": "unicode", "stemmer": True}]
    for options in wrong:
        with pytest.raises(OptionError, match=r"unknown tokenizer '13a'|stemmer works only with"):
            purebleu.metrics.ROUGEL(**options)


def test_references_without_words() -> None:
    # RIBES leaves segments without them out of the mean, as RIBES.py's option -z does.
    assert RIBES().corpus_statistics(["a", "a b"], [["", "a b"]]) == [(0, 0), (2 ** 272, 1)]
    assert RIBES().corpus_score(["a", "a b"], [["", "a b"]]).score == 100.0
    assert RIBES().sentence_score("a", [" "]).score == 0.0
    for hypothesis, reference, expected in (("a", "", 100.0), ("", "", 0.0), ("", "a", 100.0)):
        assert CharacTER().sentence_score(hypothesis, [reference]).score == expected


def test_the_best_of_several_references_counts() -> None:
    for kind in (RIBES, CharacTER, EED):
        metric: Any = kind()
        lowered = kind(lowercase=True)
        score = metric.sentence_score("the cat sat", ["a dog ran off", "the cat sat", None])
        assert score.score == metric.sentence_score("the cat sat", ["the cat sat"]).score
        assert f"|case:mixed|refs:best|oracle:{metric.ORACLE}|" in str(score.signature)
        assert lowered.sentence_score("The CAT sat", ["the cat sat"]).score == score.score
        assert "|case:lc|" in str(lowered.get_signature())


# On the command line

ALL = "character,eed,ribes,rouge1,rouge2,rougel,rougelsum"
NAMES = ["CharacTER", "EED", "RIBES", "ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"]

SHARES, SEGMENTS = {"ref": 1.0, "ref2": 0.9, "a.txt": 0.9, "b.txt": 0.7, "c.txt": 0.5}, 80


def test_all_of_them_in_one_run(folder: Path) -> None:
    command = ["ref", "ref2", "-i", "a.txt", "-m", ALL, "bleu", "ter", "-w", "6", "-q"]
    assert [result["name"] for result in json.loads(output_of(command, folder))] == ["BLEU", *NAMES, "TER"]
    output_of(["report", *command, "-o", "page.html"], folder)
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert all(name in page for name in NAMES)
    command = ["ref", "-i", "a.txt", "-m"]
    assert output_of([*command, "rougeL", "-b", "-w", "6"], folder) == output_of(
        [*command, "rougelsum", "-b", "-w", "6"], folder)
    assert len(output_of([*command, "rouge1", "-sl", "--rouge-stemmer"], folder).splitlines()) == 80
    assert "unknown metric 'rouge3'" in refusal(folder, *command, "rouge3")
    assert "stemmer works only" in refusal(folder, *command, "rouge", "--rouge-stemmer", "--rouge-tokenize", "unicode")


@pytest.mark.parametrize(("processes", "options"), first_by_default(2, [
    (False, "-ci -cin 30"), (False, "-f json-signed"), (True, "-ci -cin 30"), (True, "-f json-signed"),
    (True, "test --samples 200"), (True, "--paired-bs -pbsn 30 --rng numpy -f text"),
    (True, "--paired-ar -parn 30 -f csv")]))
def test_neither_processes_nor_stored_rows_change_anything(folder: Path, options: str, processes: bool) -> None:
    metrics = ["-m", ALL, "wer,cer,mer,wil,gleu,nist,bleu", "-w", "12", "-q"]
    command = [*options.split(), "ref", "-i", "a.txt", "b.txt", "c.txt", *metrics]
    expected = output_of([*command, "--save-rows", "rows.gz"], folder)
    if processes:
        assert output_of([*command, "-j", "2"], folder) == expected
    assert output_of([*options.split(), "--rows", "rows.gz", *metrics], folder) == expected


# Segments that take long

def long_pair(metric: str) -> tuple[str, str]:
    """A hypothesis and a reference that the metric takes seconds for."""
    source = random.Random(7)
    words, length = {"CharacTER": ([*"abcdefghij"], 1001), "EED": (["tea", "for", "two"], 3000),
                     "CER": (["tea", "for", "two"], 12_000), "TER": (["tea"], 2501),
                     "WER": (["a", "b"], 100_001)}[metric]
    return " ".join(source.choices(words, k=length)), " ".join(source.choices(words, k=length))


@pytest.mark.parametrize(("metric", "length"), [
    ("CharacTER", "2,001"), ("EED", "11,999"), ("CER", "47,999"), ("TER", "10,003"), ("WER", "200,001")])
def test_segments_that_take_long_are_warned_of_before_they_are_scored(metric: str, length: str,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = getattr(purebleu.metrics, metric)()
    hypothesis, reference = long_pair(metric)

    def fail(*_: object) -> None:
        raise KeyboardInterrupt  # (so that the test need not wait)

    for name in ("block_statistics", "rows_of"):
        monkeypatch.setattr(type(scorer), name, fail)
    with pytest.warns(purebleu.PurebleuWarning, match="take long to score") as caught, pytest.raises(KeyboardInterrupt):
        scorer.corpus_score(["", hypothesis, "", hypothesis], [["", reference, "", reference], [None, "x", "c", "c"]])
    first, second = [str(warning.message) for warning in caught]
    assert f"segment 1: {metric} may take long to score a line of {length} characters" in first
    assert second == f"{metric} may also take long to score 1 other segment with long lines"
    with pytest.warns(purebleu.PurebleuWarning, match="segment 0"), pytest.raises(KeyboardInterrupt):
        scorer.sentence_score(hypothesis, [reference])


@pytest.mark.parametrize("arguments", [
    ["ref"], pytest.param(["ref", "-j", "2"], marks=pytest.mark.full), ["ref.jsonl:r"]], ids=" ".join)
def test_the_command_line_names_the_line_before_it_starts(tmp_path: Path, arguments: list[str]) -> None:
    hypothesis, reference = long_pair("TER")  # (the same words throughout: quick, for all that the warning says)
    lines = ["a b", "c d", reference, reference]
    write_lines(tmp_path / "ref", lines)
    write_lines(tmp_path / "ref.jsonl", [json.dumps({"r": [line, "x"]}) for line in lines])
    write_lines(tmp_path / "out", ["a b", "c d", hypothesis, hypothesis])
    _, errors = told(tmp_path, *arguments, "-i", "out", "-m", "ter")
    assert errors.splitlines() == [
        "purebleu: warning: out: line 3: TER may take long to score a line of 10,003 characters (is every "
        "segment on a line of its own?)",
        "purebleu: warning: TER may also take long to score 1 other segment with long lines"]
