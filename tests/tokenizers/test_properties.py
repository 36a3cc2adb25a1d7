"""Properties that hold for all input: fast forms equal plain ones, and scores depend on what they should depend on.

A tokenizer's definition is its `tokenize_line`, that of BLEU's rows its `segment_statistics`.
"""

from __future__ import annotations

import random
import sys
from typing import Any, Hashable, Sequence
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu import BLEU, tokenizers
from purebleu.engines import bits as bits_module
from purebleu.engines.ngrams import counting
from purebleu.tokenizers.tokenizer_13a import Tokenizer13a
from purebleu.tokenizers.tokenizer_ter import TercomTokenizer
from purebleu.unicode import casing, tables
from purebleu.unicode.properties import boundaries_of, clean, code_points

from ..helpers import plain_tokenizers, shares

Symbols = Sequence[Hashable]

# Text, biased towards what tokenizers look at

SPACES = ["\t", "\x0b", "\x0c", "\r", "\x1c", "\x1d", "\x1e", "\x1f", " ", "\x85", "\xa0", "\u1680",
          *map(chr, range(0x2000, 0x200b)), "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"]
NEARLY_SPACES = ["\u180e", "\u200b", "\u2060", "\ufeff", "\x00", "\u00ad"]
MARKS = [*".,-.,-'\"!(%&;<>_`~$+|^/:@[\\"]
FOREIGN_MARKS = [*"“”–—…·¿،。，、（％－．„٫𐄀\U0001e95e‰§"]
SYMBOLS = [*"€£¬×→☃✓©＋😀\U0001fae8\U0001faea\u0384⺀ℏ℃"]
NUMBERS = [*"019½²११४Ⅷ〇㉈𝟘４\U0001fbf0零"]
LETTERS = [*"aZéßİΣяا\u0e01中文龥龻かカ한𠀀\u0301ǅ\U0010ffff\ue000\ud800\udfff\u0378"]
FRAGMENTS = [
    "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&amp", "quot;",
    "<skipped>", "<skipped", "skipped>", "<skip<skipped>ped>", "-<skipped>\n",
    "-\n", "\n", "\n-", "3.5", "1,000", "1-2", "a.b", "..", ".,", "5.", ".5", "1.,2", "a..1", "'s", "'s ", "、", "（",
]

pieces = st.one_of(*map(st.sampled_from, [
    MARKS, ["0", "1", "2", ".", ",", "-"], FRAGMENTS, NUMBERS, FOREIGN_MARKS, SYMBOLS, LETTERS, SPACES, NEARLY_SPACES,
    [chr(code) for code in range(256)],
]))
texts = st.one_of(
    st.lists(pieces, max_size=14).map("".join),
    st.lists(st.sampled_from([*"01.,-ab ", "½", "。", "é"]), max_size=24).map("".join),
    st.text(max_size=12),
)
blocks = st.lists(texts, max_size=6)


# Tokenizers

#: Those that need no data; Tercom's, which is no choice for BLEU, with each of its options.
TOKENIZERS: dict[str, Any] = {
    **{name: tokenizers.make_tokenizer(name) for name in plain_tokenizers()},
    **{f"tercom {way}": TercomTokenizer(**dict.fromkeys(way.split(), True)) for way in (
        "", "normalized", "no_punct", "normalized no_punct", "normalized asian_support", "no_punct asian_support",
        "normalized no_punct asian_support")},
}


def as_text(token: Any) -> str:
    return token.decode("utf-8", "surrogatepass") if isinstance(token, bytes) else str(token)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(lines=blocks)
def test_tokens_are_those_of_the_definition(name: str, lines: list[str]) -> None:
    tokenizer = TOKENIZERS[name]
    expected = [list(map(as_text, tokenizer.tokenize_line(line))) for line in lines]
    for found in (tokenizer.tokenize_lines(lines), [tokenizer.tokenize_lines([line])[0] for line in lines]):
        assert [list(map(as_text, tokens)) for tokens in found] == expected
    assert [clean(tokenizer(line)).split(" ") if tokens else [] for line, tokens in zip(lines, expected)] == expected


def test_the_definition_runs_if_it_is_asked_for_or_overridden(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine(Tokenizer13a):
        def tokenize_line(self, line: str) -> list[bytes]:
            return [b"mine"]

    assert Mine().tokenize_lines(["a", "b"]) == [[b"mine"]] * 2
    monkeypatch.setattr(Tokenizer13a, "tokenize_line", Mine.tokenize_line)
    assert Tokenizer13a().tokenize_lines(["a."]) == [[b"a", b"."]]
    monkeypatch.setenv("PUREBLEU_PLAIN", "1")
    assert Tokenizer13a()("a.") == "mine"


# Lower case

CHANGING = boundaries_of(tables.CHANGING_CASING)
NEWER_PAIRS = list(map(chr, code_points(tables.NEWER_LETTERS)))
WITHOUT_LOWER_CASE = list(map(chr, code_points(tables.UNCHANGED_LETTERS)))
VERSIONED = {*NEWER_PAIRS, *WITHOUT_LOWER_CASE,
             *[chr(code) for start, end in zip(CHANGING[::2], CHANGING[1::2]) for code in range(start, end)]}
LOWER_CASE = dict(zip(NEWER_PAIRS[::2], NEWER_PAIRS[1::2]))


@given(text=st.one_of(texts, st.lists(st.sampled_from([*"ΣσAaİI .,-\u0301ǅßẞ", "\u00ad"]), max_size=12).map("".join)))
def test_lower_case_is_pythons_for_letters_of_all_versions(text: str) -> None:
    text = "".join([character for character in text if character not in VERSIONED])
    assert casing.lower_case(text) == text.lower()


@shares(8)
def test_every_character_has_the_lower_case_of_one_unicode_version(share: int) -> None:
    for code in range(share, sys.maxunicode + 1, 8):
        character = chr(code)
        expected = LOWER_CASE.get(character, character if character in VERSIONED else character.lower())
        assert casing.lower_case(character) == expected


@given(letter=st.sampled_from(WITHOUT_LOWER_CASE[:3]),
       text=st.lists(st.sampled_from(["Σ", "A", "İ", "\u0301", ".", " ", "1", "NEW"]), max_size=8))
def test_a_letter_without_lower_case_ends_a_word(letter: str, text: list[str]) -> None:
    assert casing.lower_case("".join([letter if part == "NEW" else part for part in text])) == letter.join(
        [part.lower() for part in "".join([part if part != "NEW" else "\n" for part in text]).split("\n")])


# Bit fields

@given(codes=st.binary(max_size=70), bits=st.integers(0, 8))
def test_bit_planes_hold_a_bit_of_each_code(codes: bytes, bits: int) -> None:
    expected = [sum((code >> plane & 1) << place for place, code in enumerate(codes)) for plane in range(bits)]
    assert bits_module.bit_planes(codes, bits) == expected


def test_sums_reach_the_largest_byte_and_whole_fields() -> None:
    for rows in (1, 2, 127, 128, 254, 255):
        everything = (1 << rows * 16) - 1
        assert [list(sums) for sums in bits_module.lane_sums([everything, 0], rows, 16)] == [[rows] * 16, [0] * 16]
    for width in (1, 8, 24, 30, 31, 32, 33, 64):
        everything = (1 << 8 * width * 9) - 1
        assert list(bits_module.field_popcounts(everything, 9, width)) == [8 * width] * 9
        assert list(bits_module.field_popcounts(0, 9, width)) == [0] * 9


# Counting matches

def plain_row(hypothesis: Symbols, references: Sequence[Symbols | None], max_order: int) -> Any:
    """The row of a segment by the metric's definition, which `test_golden.py` holds to the oracle's."""
    present = [reference for reference in references if reference is not None]
    return BLEU(max_ngram_order=max_order).segment_statistics(hypothesis, present)


def random_segment(source: random.Random, count: int, longest: int) -> tuple[list[int], list[list[int] | None]]:
    """A segment of ids, and its references: related, unrelated or missing; short alphabets make many repeats."""
    alphabet, center = source.choice([1, 2, 3, 10, 400]), source.randrange(longest + 1)

    def line() -> list[int]:
        length = max(0, min(longest, center + source.randrange(-3, 4)))
        return [source.randrange(alphabet) for _ in range(length)]

    hypothesis = line()
    references: list[list[int] | None] = []
    for _ in range(count):
        related = hypothesis[:]
        for _ in range(source.randrange(4)):
            place = source.randrange(len(related) + 1)
            related[place:place + source.randrange(3)] = line()[:source.randrange(3)]
        references.append(source.choice([None, line(), line(), *[related[:longest]] * 3]))
    if references.count(None) == count:
        references[source.randrange(count)] = line()
    return hypothesis, references


@given(seed=st.integers(0, 2**32), segments=st.integers(1, 60), references=st.integers(1, 4), order=st.integers(1, 6),
       longest=st.sampled_from([0, 1, 5, 6, 7, 12, 30, 70, 300]))
def test_rows_are_those_of_the_plain_form(seed: int, segments: int, references: int, order: int, longest: int) -> None:
    source = random.Random(seed)
    corpus = [random_segment(source, references, longest) for _ in range(segments)]
    hypotheses, by_hypothesis = zip(*corpus)
    rows = BLEU(max_ngram_order=order).corpus_statistics(hypotheses, [*zip(*by_hypothesis)])
    assert rows == [plain_row(*segment, order) for segment in corpus]


@pytest.mark.parametrize("length", [*range(5, 8), 13, 14, 15, 30, 31, 126, 127, 221, 222, 223, 252, 253, 254, 255, 256])
@pytest.mark.parametrize("copies", [2, *[pytest.param(copies, marks=pytest.mark.full) for copies in (1, 9, 17)]])
def test_rows_at_the_limits_of_the_layout_are_those_of_the_plain_form(length: int, copies: int) -> None:
    source = random.Random(length)
    different = list(range(length))
    equal = [7] * length
    shuffled = source.sample(different, length)
    pairs = [(different, different), (different, different[::-1]), (equal, equal), (equal, different),
             (different, shuffled), (different, [*different[1:], 0]), (equal[1:], equal), ([], different), (equal, [])]
    hypotheses, references = map(list, zip(*pairs * copies))
    streams = [references, [shuffled, *[equal] * (len(pairs) - 1)] * copies]
    rows = BLEU().corpus_statistics(hypotheses, streams)
    assert rows == [plain_row(hypothesis, segment, 4) for hypothesis, segment in zip(hypotheses, zip(*streams))]


@given(hypothesis=st.text("abc", max_size=30), reference=st.text("abc", max_size=30), most=st.integers(0, 30))
def test_long_segments_are_counted_as_short_ones_are(hypothesis: str, reference: str, most: int) -> None:
    counts = []
    for limit in (counting.MAX_LISTED_SYMBOLS, most):
        with mock.patch.object(counting, "MAX_LISTED_SYMBOLS", limit):
            counts.append([counting.count_matches(hypothesis, [reference], 6),
                           counting.count_matches([*hypothesis], [[*reference]], 6)])
    assert counts[0] == counts[1]


# Scores

counts_of_orders = st.integers(1, 6).flatmap(lambda orders: st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=orders, max_size=orders))


@given(counts=counts_of_orders, lengths=st.tuples(st.integers(0, 60), st.integers(0, 60)),
       method=st.sampled_from(["exp", "floor", "add-k", "none"]), effective=st.booleans(),
       value=st.one_of(st.none(), st.floats(0, 10)))
def test_scores_of_all_sums_are_finite(counts: list[tuple[int, int]], lengths: tuple[int, int], method: str,
                                       effective: bool, value: float | None) -> None:
    score = BLEU.compute_bleu(list(map(min, counts)), list(map(max, counts)), *lengths, smooth_method=method,
                              smooth_value=value, effective_order=effective, max_ngram_order=len(counts))
    assert all(0 <= precision < float("inf") for precision in score.precisions)
    assert 0 <= score.score < float("inf") and 0 <= score.bp <= 1
    assert "nan" not in score.format(is_json=True)
    if lengths[0] == 0 and lengths[1] > 0:
        assert score.score == 0
