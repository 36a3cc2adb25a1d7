"""Tokens, statistics and scores against the oracle's, as `scripts/dev/oracles sacrebleu` has written them down."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any, Sequence

import pytest

from ..helpers import load, oracle_of, part, plain_tokenizers, program, read_fixture, shares, with_two_decimals

# Some of what is scored here deserves the warnings that it gets.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

TOKENIZERS = tuple(plain_tokenizers())

#: The ways of Tercom's tokenizer, named by the options that they take.
TERCOM_WAYS = ("", "normalized", "no_punct", "normalized no_punct", "normalized asian_support",
               "no_punct asian_support", "normalized no_punct asian_support")

#: All white space of CPython's `str.split`, made blanks.
BLANKS = dict.fromkeys([*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                        0x202F, 0x205F, 0x3000], " ")


@pytest.fixture(params=["faster", "plain", pytest.param("all, plain", marks=pytest.mark.heavy)])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The definitions alone (which take longer, so that all cases are tried in the heavy tier), or faster code."""
    monkeypatch.setenv("PUREBLEU_PLAIN", str(int(request.param != "faster")))
    return str(request.param)


def share_of(cases: Sequence[Any], share: int, count: int, way: str) -> Sequence[Any]:
    return cases[share::3 * count if way == "plain" else count]


@functools.lru_cache(maxsize=2)  # (A test reads the same file for each of its shares.)
def cases_of(name: str) -> list[Any]:
    cases: list[Any] = read_fixture(name)["cases"]
    assert cases
    return cases


def record(score: Any) -> dict[str, object]:
    """The attributes of a score in the fixtures."""
    return {
        "score": score.score.hex(), "bp": score.bp.hex(),
        "precisions": [precision.hex() for precision in score.precisions],
        "counts": score.counts, "totals": score.totals, "sys_len": score.sys_len, "ref_len": score.ref_len,
        "text": str(score),
    }


def assert_same(ours: object, theirs: object) -> None:
    """Equal, and of equal types: 2.0 is not 2, for it is printed otherwise."""
    assert json.dumps(ours, indent=1) == json.dumps(theirs, indent=1)


def assert_same_signature(metric: Any, case: dict[str, Any], version: str) -> None:
    """But for the version, and for the n-gram order, which the oracle leaves out."""
    signature = metric.get_signature()
    order = metric.max_ngram_order
    for is_short, theirs, key in ((False, case["signature"], "order"), (True, case["short"], "n")):
        ours = with_two_decimals(signature.format(is_short)).replace(program(), version)
        if order != 4:
            assert f"|{key}:{order}" in ours
            ours = ours.replace(f"|{key}:{order}", "")
        assert ours == theirs


def as_text(tokens: Sequence[Any]) -> str:
    """The tokens, which may be bytes, with a blank between any two."""
    return " ".join([token.decode("utf-8", "surrogatepass") if isinstance(token, bytes) else token for token in tokens])


def with_single_blanks(text: str) -> str:
    """White space made uniform. (`str.split` would do that, but PyPy's does not always split in the same places.)"""
    return " ".join(filter(None, text.translate(BLANKS).split(" ")))


def differences(lines: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[str, str, str]]:
    """The first few lines that are tokenized otherwise; all three sequences are as long."""
    assert len(lines) == len(ours) == len(theirs)
    return [found for found in zip(lines, ours, theirs) if found[1] != found[2]][:5]


def lines_with_tokens(fixture: str, name: str) -> tuple[list[str], list[str]]:
    """The lines of a golden file, and their tokens by one of the tokenizers that its first case names."""
    names, *cases = cases_of(fixture)
    column = names.index(name)
    return [case[0] for case in cases], [case[column] for case in cases]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_tokenizers(name: str) -> None:
    lines, theirs = lines_with_tokens("tokens.json.gz", name)
    tokenizer = load("tokenizers").tokenizer_class(name)()
    assert differences(lines, [with_single_blanks(tokenizer(line)) for line in lines], theirs) == []
    tokens = load("metrics.bleu").BLEU(tokenize=name).tokenizer.tokenize_lines(lines)
    assert differences(lines, list(map(as_text, tokens)), theirs) == []


@pytest.mark.parametrize("way", TERCOM_WAYS)
def test_tokenizer_of_tercom(way: str) -> None:
    assert cases_of("tokens.tercom.json.gz")[0] == ["line", *TERCOM_WAYS]
    lines, expected = lines_with_tokens("tokens.tercom.json.gz", way)
    part("metrics", "TER")  # a copy that lacks it lacks its tokenizer, too
    tokenizer_class = load("tokenizers.tokenizer_ter").TercomTokenizer
    tokenizer = tokenizer_class(case_sensitive=True, **dict.fromkeys(way.split(), True))
    assert differences(lines, list(map(as_text, tokenizer.tokenize_lines(lines))), expected) == []
    assert differences(lines, [with_single_blanks(tokenizer(line)) for line in lines], expected) == []


#: The planes of Unicode whose characters are tried: further ones have hardly anything but Chinese characters.
planes = pytest.mark.parametrize("planes", [
    range(1), pytest.param(range(1, 2), marks=pytest.mark.full), pytest.param(range(2, 17), marks=pytest.mark.heavy)])


@planes
@shares(6, full=3)
@pytest.mark.parametrize(("name", "options", "case"), [
    *[("BLEU", {"tokenize": case["tokenizer"], "lowercase": case["lowercase"]}, case)
      for case in cases_of("code_points.json")],
    *[("TER", case["options"], case) for case in cases_of("code_points.tercom.json")]])
def test_preprocessing_of_every_character(name: str, options: Any, case: Any, share: int, planes: range) -> None:
    metric = getattr(load("metrics"), name)(**options)
    assert len(case["starts"]) == len(case["digests"]) > 60
    stretches = [stretch for stretch in zip(case["starts"], case["digests"]) if stretch[0] >> 16 in planes]
    for start, theirs in stretches[share::6]:
        lines = [case["line"].replace("_", chr(code)) for code in range(start, start + case["size"])]
        tokenized = "".join([as_text(tokens) + "\n" for tokens in metric.preprocess_lines(lines)])
        assert hashlib.sha256(tokenized.encode("utf-8", "surrogatepass")).hexdigest()[:16] == theirs, (options, start)


@shares(36)
def test_statistics_and_scores_of_corpora(share: int, way: str) -> None:
    """Each case is a corpus with options that the rows depend on."""
    version = oracle_of("compute_bleu.json.gz")
    for case in share_of(cases_of("statistics.json.gz"), share, 36, way):
        metric = load("metrics").BLEU(**case["options"])
        rows = metric.corpus_statistics(case["hypotheses"], case["references"])
        assert_same(list(map(list, rows)), case["rows"])
        prepared = load("metrics").BLEU(**case["options"], references=case["references"])
        assert_same([list(row) for row in prepared.corpus_statistics(case["hypotheses"], None)], case["rows"])
        assert case["scores"]
        for expected in case["scores"]:
            metric = load("metrics").BLEU(**case["options"], **expected["options"])
            streams = [stream * expected["repeat"] for stream in case["references"]]
            score = metric.corpus_score(case["hypotheses"] * expected["repeat"], streams)
            assert_same(record(score), expected["result"])
            assert_same_signature(metric, expected, version)
            sums = load().sum_statistics(case["rows"] * expected["repeat"])
            assert_same(record(metric.score(sums)), expected["result"])


def test_scores_of_sentences(way: str) -> None:
    fixture = read_fixture("sentences.json.gz")
    for case in fixture["cases"]:
        metric = load("metrics").BLEU(**case["options"])
        assert_same(record(metric.sentence_score(case["hypothesis"], case["references"])), case["result"])
        assert_same_signature(metric, case, fixture["oracle"])


def test_scores_from_counts() -> None:
    for case in cases_of("compute_bleu.json.gz"):
        assert_same(record(load("metrics").BLEU.compute_bleu(**case["arguments"])), case["result"])


def test_functions_on_top() -> None:
    cases = cases_of("functions.json.gz")
    assert {case["function"] for case in cases} == {"corpus_bleu", "raw_corpus_bleu", "sentence_bleu"}
    for case in cases:
        score = getattr(load(), case["function"])(*case["input"], **case["arguments"])
        assert_same(record(score), case["result"])


@shares(12)
def test_chrf(share: int, way: str) -> None:
    for case in share_of(cases_of("chrf.json.gz"), share, 12, way):
        metric = load("metrics").CHRF(**case["options"])
        rows = metric.corpus_statistics(case["hypotheses"], case["references"])
        assert_same(list(map(list, rows)), case["rows"])
        score = metric.corpus_score(case["hypotheses"], case["references"])
        assert (score.score.hex(), score.name, str(score)) == (case["score"], case["name"], case["text"])
        name, version = program(), oracle_of("chrf.json.gz")
        signatures = [score.signature.format(short).replace(name, version) for short in (False, True)]
        assert signatures == [case["signature"], case["short"]]
        prepared = load("metrics").CHRF(**case["options"], references=case["references"])
        assert [list(row) for row in prepared.corpus_statistics(case["hypotheses"], None)] == case["rows"]
        sentence = metric.sentence_score(case["hypotheses"][0], [stream[0] for stream in case["references"]])
        assert sentence.score.hex() == case["sentence"]


@shares(12)
def test_ter(share: int, way: str) -> None:
    # (The definition takes thirty times as long.)
    for case in cases_of("ter.json.gz")[share::{"faster": 12, "plain": 240}.get(way, 60)]:
        metric = load("metrics").TER(**case["options"])
        rows = [(edits, float.fromhex(length)) for edits, length in case["rows"]]
        assert_same(metric.corpus_statistics(case["hypotheses"], case["references"]), rows)
        score = metric.corpus_score(case["hypotheses"], case["references"])
        assert (score.score.hex(), score.num_edits, score.ref_length.hex(), str(score)) == (
            case["score"], case["num_edits"], case["ref_length"], case["text"])
        name, version = program(), oracle_of("code_points.tercom.json")
        signatures = [score.signature.format(short).replace(name, version) for short in (False, True)]
        assert signatures == [case["signature"], case["short"]]
        prepared = load("metrics").TER(**case["options"], references=case["references"])
        assert_same(prepared.corpus_statistics(case["hypotheses"], None), rows)
        sentence = metric.sentence_score(case["hypotheses"][0], [stream[0] for stream in case["references"]])
        assert sentence.score.hex() == case["sentence"]
