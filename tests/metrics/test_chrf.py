"""chrF: its fast way against its plain one, and its options."""

from __future__ import annotations

import random
from typing import Any, Sequence

import pytest

import purebleu
from purebleu.engines.ngrams import matching
from purebleu.metrics import CHRF

from ..helpers import call_cli, first_by_default, one_in

#: Alphabets for which ids are made in different ways: Latin-1, Latin-1 with stand-ins, two bytes, surrogates.
ALPHABETS = {
    "few": "ab (c)",
    "latin": "".join(map(chr, range(32, 256))),
    "stand-ins": "„“–…€ŁåÅäabc .,",
    "two bytes": "".join(map(chr, range(0x4E00, 0x5200))),
    "beyond": "𝔸😀👩\u200d🦰\ud800\ud801\udfffab" + "".join(map(chr, range(0x4E00, 0x4F80))),
}


def assert_rows_are_plain(metric: Any, hypotheses: Sequence[str], streams: Sequence[Sequence[str | None]]) -> None:
    """The rows of a corpus are those of its segments on their own, without bit planes."""
    assert metric.corpus_statistics(hypotheses, streams) == [
        metric.segment_statistics(metric.preprocess(hypothesis),
                                  [metric.preprocess(text) for text in texts if text is not None])
        for hypothesis, texts in zip(hypotheses, zip(*streams))]


def random_text(source: random.Random, alphabet: str, longest: int) -> str:
    return "".join(source.choices(alphabet, k=source.randrange(longest + 1)))


@pytest.mark.parametrize("alphabet", one_in(3, ALPHABETS.values()), ids=list(ALPHABETS))
@pytest.mark.parametrize("options", [{}, {"word_order": 2}, {"whitespace": True, "char_order": 3, "lowercase": True}],
                         ids=["chrF", "chrF++", "whitespace"])
@pytest.mark.parametrize("references", first_by_default(1, [3, 1]))
def test_many_segments_have_the_rows_of_single_ones(alphabet: str, options: dict[str, Any], references: int) -> None:
    source = random.Random(len(alphabet) + references)
    hypotheses, streams = [], [[] for _ in range(references)]  # type: list[str], list[list[str | None]]
    for number in range(230):
        longest = 700 if number % 50 == 0 else 60
        hypotheses.append(random_text(source, alphabet, longest))
        for index, stream in enumerate(streams):
            missing = index > 0 and source.random() < 0.2
            edited = [character for character in hypotheses[-1] if source.random() < 0.8]
            stream.append(None if missing else source.choice(["".join(edited), random_text(source, alphabet, longest)]))
    assert_rows_are_plain(CHRF(**options), hypotheses, streams)


def test_more_large_characters_than_stand_ins_are_counted_the_plain_way() -> None:
    text = "".join(map(chr, range(0x10000, 0x10000 + 2100)))
    assert matching.ids_of_characters([[text], [text]]) is None
    assert_rows_are_plain(CHRF(), [text, "ab"], [[text[::-1], "ab"]])
    # So are characters that stand for something else.
    for character in ("\0", "\ufffd", "\ufffe", "\uffff", "\ud8d8", "\udcdc", "\U0010ffff"):
        lines = [character, f"ab{character}b", f"{character}я😀"]
        assert_rows_are_plain(CHRF(), lines, [lines[::-1]])


def test_wrong_options_and_input_are_refused() -> None:
    options: list[dict[str, Any]] = [{"char_order": 0}, {"char_order": -1}, {"char_order": 1001}, {"word_order": -2},
                                     {"beta": -1}, {"beta": float("nan")}, {"beta": float("inf")}]
    for wrong in options:
        with pytest.raises(purebleu.PurebleuError):
            CHRF(**wrong)
    with pytest.raises(TypeError, match=r"hypotheses\[0\]"):
        CHRF().corpus_score([["a", "b"]], [[["a", "b"]]])
    with pytest.raises(purebleu.PurebleuError):
        CHRF().score([1, 2, 3])


def test_help_names_the_defaults_of_the_metric() -> None:
    text = " ".join(call_cli(["--help", "chrf"]).stdout.decode().split())
    for words, default in (("character n-grams", CHRF.CHAR_ORDER), ("word n-grams", CHRF.WORD_ORDER),
                           ("recall relative to precision", CHRF.BETA)):
        assert f"{words} (default: {default})" in text


@pytest.mark.parametrize("characters", ["".join(map(chr, range(0xA1, 0xA1 + count))) for count in (30, 61, 62, 63, 126)]
                         + ["".join(map(chr, range(0x4E00, 0x4F80))) + "\uffff"], ids=lambda text: str(len(text)))
@pytest.mark.parametrize("length", first_by_default(1, [76, 75, 77]))
def test_positions_beyond_the_end_match_no_symbol(characters: str, length: int) -> None:
    # Positions beyond the end have a code that no symbol may have, whichever symbols there are, and however many.
    source = random.Random(3)
    hypotheses = ["".join(source.choices(characters, k=length)) for _ in range(90)]
    references = [line[source.randrange(length):] for line in hypotheses]
    references[::2] = [line + characters[-1] * 2 for line in references[::2]]
    assert_rows_are_plain(CHRF(), hypotheses, [references])
    assert_rows_are_plain(CHRF(), references, [hypotheses])
