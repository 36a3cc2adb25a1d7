"""Pieces of SentencePiece models: as SentencePiece has them, and what becomes of models that are not right."""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import os
import pickle
import random
import re
import struct
import sys
import threading
import warnings
from array import array
from operator import itemgetter
from pathlib import Path
from typing import Any, Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from purebleu import errors
from purebleu.cli.modes.carried import name_is_at_hand
from purebleu.datasets import bundle
from purebleu.engines.sentencepiece import (
    merging,
    messages,
    normalization,
    segmentation,
    unigram,
)
from purebleu.engines.sentencepiece import (
    model as model_file,
)
from purebleu.engines.sentencepiece import (
    pieces as piece_table,
)
from purebleu.engines.sentencepiece import (
    published as models,
)
from purebleu.errors import PurebleuError
from purebleu.files import download as downloading
from purebleu.metrics.bleu import BLEU
from purebleu.tokenizers import make_tokenizer, spm

from ..helpers import call_cli, read_fixture, unpacked

CASES = {case["name"]: case["cases"] for case in read_fixture("sentencepiece.json.gz")["cases"]}
CONTENTS = {case["name"]: unpacked(case["content"]) for case in read_fixture("sentencepiece.models.json.gz")["cases"]}


def test_the_fixture_is_not_empty() -> None:
    assert len(CASES) > 30
    assert CASES.keys() == CONTENTS.keys()
    assert all(len(cases) > 200 for cases in CASES.values())


def segmenter(name: str) -> Any:
    return spm.Segmenter(model_file.Model(CONTENTS[name]))


@pytest.mark.parametrize("name", CASES)
def test_lines_have_the_pieces_of_sentencepiece(name: str) -> None:
    one = segmenter(name)
    found = [(line, " ".join(token.decode() for token in one.tokens(line))) for line, _ in CASES[name]]
    expected = [(line, " ".join(pieces.encode().decode().split())) for line, pieces in CASES[name]]
    assert [pair for pair, other in zip(found, expected) if pair != other] == []


def test_words_are_segmented_one_by_one_where_that_is_possible() -> None:
    assert {name for name in CASES if segmenter(name)._by_word} >= {"trained 0", "trained 1", "trained 2", "trained 3"}
    assert not segmenter("trained 4")._by_word  # its pieces may have spaces inside


@pytest.mark.parametrize("name", [name for name in CASES if segmenter(name)._by_word])
@given(line=st.one_of(st.text(max_size=60), st.text("abcdeß x\u2581.", max_size=200)))
@example(line="ab " + "ab\u2581" * 200)  # a word that is too long to be cached, with a space of the model in it
@example(line="ab " + "ab" * 200)
def test_words_one_by_one_have_the_pieces_of_the_line(name: str, line: str) -> None:
    one = segmenter_of(name)
    found = one.tokens(line)
    one_by_one, one._by_word = one._by_word, False
    try:
        assert found == one.tokens(line)
    finally:
        one._by_word = one_by_one


_SEGMENTERS: dict[str, Any] = {}


def segmenter_of(name: str) -> Any:
    if name not in _SEGMENTERS:
        _SEGMENTERS[name] = segmenter(name)
    return _SEGMENTERS[name]


def best_segmentation(text: str, pieces: Any, unknown: float) -> float:
    """The highest sum of scores of any segmentation, by the definition."""
    best = [0.0]
    for end in range(1, len(text) + 1):
        sums = []
        for start in range(end):
            score, kind = pieces.score_and_kind(text[start:end].encode())
            if kind != piece_table.NORMAL:
                score = unknown if end == start + 1 else -1e9
            sums.append(best[start] + score)
        best.append(max(sums))
    return best[-1]


@given(st.text("abcdeß\u2581", max_size=30))
def test_no_segmentation_has_a_higher_probability(text: str) -> None:
    model = model_file.Model(CONTENTS["trained 0"])
    algorithm = segmentation.make_algorithm(model, normalization.UserDefinedSymbols(model.pieces))
    found, _ = algorithm.segment(text)
    unknown = min(model.pieces.by_kind[piece_table.NORMAL].values()) - 10
    score = sum([algorithm.scores.get(piece, unknown) for piece in found])
    assert b"".join(found).decode() == text
    assert score == pytest.approx(best_segmentation(text, model.pieces, unknown), rel=1e-5)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("trained")])
@given(st.lists(st.text("aeé\u0301\u3099かきﾊﾟﾟ①ß\U0001F600\u1100\u1161\ufb01.", max_size=6), max_size=4))
def test_words_are_normalized_like_each_of_them_alone(name: str, words: list[str]) -> None:
    model = model_file.Model(CONTENTS[name])
    normalizer = normalization.Normalizer(model, normalization.UserDefinedSymbols(model.pieces))
    parts = [normalizer.parts(word) for word in words]
    expected = [None if undecided else "".join(texts) for texts, undecided in parts]
    assert normalizer.words(words) == expected


@pytest.mark.parametrize("limit", ["_MAX_NODES", "_MAX_FOLLOWING", "_MAX_JOINING", "_MAX_CACHED_CHARACTERS"])
@pytest.mark.parametrize("name", ["trained 0", "trained 3"])
def test_limits_of_the_normalizer_change_no_word(name: str, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = sorted({word for line, _ in CASES[name] for word in line.split(" ")})
    model = model_file.Model(CONTENTS[name])
    symbols = normalization.UserDefinedSymbols(model.pieces)
    expected = normalization.Normalizer(model, symbols).words(words)
    monkeypatch.setattr(normalization, limit, 0)
    normalizer = normalization.Normalizer(model, symbols)
    found = [text for start in range(0, len(words), 50) for text in normalizer.words(words[start:start + 50])]
    assert found == expected


def segmented_by_definition(text: str, scores: dict[str, float], unknown: float) -> list[str]:
    """Viterbi's search through all parts of a text; sums are of float32, and of equal ones the longest piece counts."""
    best: list[tuple[float, list[str]]] = [(0.0, [])]
    for end in range(1, len(text) + 1):
        paths = [(array("f", [best[start][0] + scores.get(text[start:end], unknown)])[0],
                  [*best[start][1], text[start:end]])
                 for start in range(end) if text[start:end] in scores or start == end - 1]
        best.append(max(paths, key=itemgetter(0)))
    return best[-1][1]


@given(st.lists(st.text("ae\u00e9\u3042\u3044\u4e00\U0001F600", max_size=20), min_size=1, max_size=8),
       st.dictionaries(st.text("ae\u00e9\u3042\u3044\u4e00\U0001F600", min_size=1, max_size=5),
                       st.integers(-8, 0).map(float), min_size=1, max_size=40))
@example(["\u3042\u3044\u4e00"], {"a": -1.0})  # no choice anywhere
@example(["\u3042\u3044\u4e00", "\u3042\u3044a"], {"\u3042\u3044": -1.0, "\u3044\u4e00": -2.0, "\u3044": -3.0})
def test_the_best_segmentation_is_that_of_the_definition(texts: list[str], scores: dict[str, float]) -> None:
    pieces = piece_table.Pieces(1000)
    pieces.by_kind[piece_table.NORMAL].update({text.encode(): score for text, score in scores.items()})
    algorithm = unigram.Unigram(pieces)
    found = [[piece.decode() for piece in segmented] for segmented, _ in algorithm.segment_sorted(texts)]
    assert found == [segmented_by_definition(text, scores, algorithm.unknown) for text in texts]


def test_the_same_segmentation_holds_up_to_a_smaller_score_in_a_longer_text() -> None:
    pieces = piece_table.Pieces(1000)
    pieces.by_kind[piece_table.NORMAL].update({b"a": -1.0, b"b": -1.0, b"c": -1.0, b"ab": -1.5})
    algorithm = unigram.Unigram(pieces)
    scores = {text: algorithm.segment(text)[1] for text in ("ab", "cab", "ccccccab")}
    # What decides is the same difference of 0.5; what it has to exceed grows with the number of additions.
    assert scores == {text: pytest.approx(scores["ab"] * 3 / (len(text) + 1)) for text in scores}


def test_the_closest_choice_in_a_text_tells_up_to_which_score_it_holds() -> None:
    pieces = piece_table.Pieces(1000)
    pieces.by_kind[piece_table.NORMAL].update({b"a": -1.0, b"b": -1.0, b"c": -1.0, b"ab": -1.5, b"cc": -1.75})
    algorithm = unigram.Unigram(pieces)
    close_margin = algorithm.segment("cc")[1]
    # (A difference of 0.25, and not of 0.5. Where there is no choice, it holds for ever.)
    assert close_margin == pytest.approx(algorithm.segment("ab")[1] / 2)
    assert close_margin < algorithm.segment("c")[1] == float("inf")
    assert [algorithm.segment(text)[1] for text in ("ccab", "abcc")] == [pytest.approx(close_margin * 3 / 5)] * 2


def test_cached_endings_are_not_taken_for_those_of_shorter_texts() -> None:
    pieces = piece_table.Pieces(1000)
    pieces.by_kind[piece_table.NORMAL].update({b"\0": -3.0, b"a": -3.0, b"\0a": -1.0, b"\0\0a": -5.0})
    algorithm = unigram.Unigram(pieces)
    assert [algorithm.segment(text)[0] for text in ("\0\0a", "a", "\0a")] == [[b"\0", b"\0a"], [b"a"], [b"\0a"]]


def test_texts_that_part_inside_of_a_character_are_segmented_like_each_of_them() -> None:
    pieces = piece_table.Pieces(1000)
    pieces.by_kind[piece_table.NORMAL].update({b"x": -1.0, b"xx": -2.0, b"y": -3.4e38})  # so an unknown one has -inf
    algorithm = unigram.Unigram(pieces)
    texts = ["a\u00e9", "\u00e9\u4e00", "\u00e9\u4e00x", "\u00ea", "\u00eax"]
    assert list(algorithm.segment_sorted(texts)) == list(map(algorithm.segment, texts))


def test_long_pieces_cost_time_only_where_they_may_end() -> None:
    pieces = piece_table.Pieces(1 << 20)
    texts = [b"x", b"y" * 60 + b"xxxx", "\U0001F600".encode() * 512]
    texts += [b"x" * (60 + length) + b"%04d" % ending for ending in range(200) for length in range(11)
              if (ending * 2654435761 >> length) & 1]
    pieces.by_kind[piece_table.NORMAL].update(dict.fromkeys(texts, -1.0))
    lengths = unigram.Unigram(pieces)._lengths
    slots = len(lengths.bits_by_slot)
    assert sorted(lengths.in_slot(int.from_bytes(b"xxxx", "big") % slots)) == [64]
    assert sum(len(lengths.in_slot(slot)) for slot in range(slots)) <= len(texts)


def merged_by_definition(symbols: list[bytes], scores: dict[bytes, float]) -> list[bytes]:
    """Neighbours merged one pair after another: always the first of those with the highest score."""
    while True:
        pairs = [(-scores[one + other], index) for index, (one, other) in enumerate(zip(symbols, symbols[1:]))
                 if one + other in scores]
        if not pairs:
            return symbols
        index = min(pairs)[1]
        symbols = [*symbols[:index], symbols[index] + symbols[index + 1], *symbols[index + 2:]]


@given(st.text("abc", max_size=40),
       st.dictionaries(st.text("abc", min_size=2, max_size=6), st.integers(-4, 0).map(float), max_size=30))
def test_pairs_are_merged_by_their_scores(text: str, scores: dict[str, float]) -> None:
    symbols = [character.encode() for character in text]
    by_bytes = {piece.encode(): score for piece, score in scores.items()}
    assert merging.merged(symbols.copy(), by_bytes) == merged_by_definition(symbols, by_bytes)


@pytest.mark.parametrize("limit", [0, 150])
@pytest.mark.parametrize("name", ["trained 0", "trained 1", "trained 2", "trained 3"])
def test_many_texts_are_segmented_like_each_of_them(name: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_file.Model(CONTENTS[name])
    algorithm = segmentation.make_algorithm(model, normalization.UserDefinedSymbols(model.pieces))
    texts = sorted({"\u2581" + line[:30] for line, _ in CASES[name]})
    monkeypatch.setattr(merging, "_MANY_SYMBOLS", limit)
    together = list(algorithm.segment_sorted(texts))
    monkeypatch.undo()
    for text, found in zip(texts, together):
        assert found == algorithm.segment(text)
        assert b"".join(found[0]).decode() == text


@pytest.mark.parametrize("name", CASES)
def test_many_lines_have_the_pieces_of_each_of_them(name: str) -> None:
    lines = [line for line, _ in CASES[name]]
    assert segmenter(name).tokens_of_lines(lines) == [segmenter_of(name).tokens(line) for line in lines]


@pytest.mark.parametrize("word", ["word{}", "\u2581\u2581{}"], ids=["usual words", "words that depend on others"])
def test_words_are_cached_up_to_a_limit(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spm, "_MAX_CACHED", 10)
    one = segmenter("trained 0")
    for number in range(40):
        one.tokens_of_lines([word.format(number)])
        assert len(one._tokens) + len(one._doubtful) <= 11
    assert one._tokens or one._doubtful


@pytest.mark.parametrize("name", ["trained 0", "trained 1"])
def test_a_very_long_line_without_spaces_is_segmented(name: str) -> None:
    line = ("".join(filter(str.isalpha, "".join([line for line, _ in CASES[name]]))) * 20)[:50_000]
    assert len(line) == 50_000
    assert len(b"".join(segmenter(name).tokens(line)).decode()) > 40_000


# Files that are not right

@pytest.mark.parametrize("name", ["trained 0", "trained 5", "made up 4"])
def test_a_model_that_is_cut_off_is_an_error(name: str) -> None:
    content = CONTENTS[name]
    for size in {0, 1, 2, 10, 50, len(content) // 2, len(content) - 300, len(content) - 1} | set(range(60, 120)):
        with pytest.raises(errors.PurebleuError):
            model_file.Model(content[:min(size, len(content) - 1)])


@pytest.mark.parametrize("seed", range(200))
def test_damage_is_an_error_or_changes_pieces_at_most(seed: int) -> None:
    rng = random.Random(seed)
    name = rng.choice(sorted(CASES))
    content = bytearray(CONTENTS[name])
    for _ in range(rng.choice((1, 1, 5, 100))):
        content[rng.randrange(len(content))] = rng.choice((0, 0x7F, 0x80, 0xFF, rng.randrange(256)))
    try:
        one = spm.Segmenter(model_file.Model(bytes(content)))
        for line, _ in rng.sample(CASES[name], 20):
            assert all(isinstance(token, bytes) for token in one.tokens(line))
    except errors.PurebleuError:
        pass


@pytest.mark.parametrize("content", [
    b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\x0b", b"\x08",
    b"a line of text\n", b"<html>", bytes(1000), b"\x12\x00\x1a\x00",
])
def test_what_is_no_model_is_an_error(content: bytes) -> None:
    with pytest.raises(errors.PurebleuError, match="not a SentencePiece model"):
        model_file.Model(content)


@pytest.mark.parametrize(("size", "is_fine"), [(10, True), (11, False)])
def test_numbers_have_ten_bytes_at_most(size: int, is_fine: bool) -> None:
    unknown = varint(9 << 3) + b"\x80" * (size - 1) + b"\0"
    content = unknown + model_of(piece("a", -1))
    if is_fine:
        assert model_file.Model(content).pieces.score_and_kind(b"a") == (-1, piece_table.NORMAL)
    else:
        with pytest.raises(errors.PurebleuError, match="not a SentencePiece model"):
            model_file.Model(content)


def varint(number: int) -> bytes:
    low = number & 0x7F
    return bytes([low]) if number == low else bytes([low | 0x80]) + varint(number >> 7)


def field(number: int, value: bytes | int) -> bytes:
    """A field of a message of protocol buffers."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def piece(text: str, score: float | None = None, kind: int | None = None) -> bytes:
    """The field of a piece, without what is `None`."""
    return field(1, field(1, text.encode()) + (b"" if score is None else b"\x15" + struct.pack("<f", score))
                 + (b"" if kind is None else field(3, kind)))


def model_of(pieces: bytes, trainer: bytes = b"", normalizer: bytes = b"") -> bytes:
    """The content of a model's file."""
    return (piece("<unk>", 0, piece_table.UNKNOWN) + pieces + field(2, field(3, model_file.UNIGRAM) + trainer)
            + field(3, normalizer))


@given(st.dictionaries(st.one_of(st.text("ab\u2581 ß\U0001f600", min_size=1, max_size=5),
                                 st.sampled_from(["a" * 40, "b" * 130, "c" * 512])),
                       st.tuples(st.floats(width=32, allow_nan=False, allow_infinity=False), st.integers(1, 6)),
                       max_size=40),
       st.integers(0, 3))
def test_pieces_are_found_by_their_texts(expected: dict[str, tuple[float, int]], form: int) -> None:
    expected.pop("<unk>", None)
    pieces = piece_table.Pieces(3000)
    for text, (score, kind) in expected.items():
        parts = [field(1, text.encode()), b"\x15" + struct.pack("<f", score), field(3, kind), field(7, b"other")]
        order = [(0, 1, 2), (2, 1, 0), (3, 0, 1, 3, 2), (2, 0, 1, 2)][form]
        message = b"".join([parts[number] for number in order])
        assert pieces.add(message) == kind
        with pytest.raises(errors.PurebleuError, match="damaged"):
            pieces.add(message)
    assert {text: pieces.score_and_kind(text.encode()) for text in expected} == expected
    assert pieces.score_and_kind(b"another") == pieces.score_and_kind(b"") == (0.0, 0)


def many_pieces(count: int, kind: int | None = None, scores: bool = False) -> bytes:
    """A model with tiny pieces."""
    texts = map("".join, itertools.product(map(chr, range(33, 93)), repeat=3))
    return model_of(b"".join([piece(text, -index - 1 if scores else None, kind)
                              for index, text in enumerate(itertools.islice(texts, count))]))


#: Content of files, by number, that should take a lot of memory.
HOSTILE: dict[str, Callable[[int], bytes]] = {
    "pieces": many_pieces,
    "plain pieces": lambda count: many_pieces(count, None, True),
    "plain pieces with kinds": lambda count: many_pieces(count, piece_table.NORMAL, True),
    "symbols with scores": lambda count: piece("a", 0) + many_pieces(count, piece_table.USER_DEFINED, True),
    "control pieces": lambda count: many_pieces(count, piece_table.CONTROL),
    "user-defined pieces": lambda count: many_pieces(count, piece_table.USER_DEFINED),
    "unused pieces": lambda count: many_pieces(count, piece_table.UNUSED),
    "user-defined characters": lambda count: model_of(
        b"".join([piece(chr(0x10000 + number), None, 4) for number in range(count)])),
    "different beginnings": lambda count: model_of(
        b"".join([piece(chr(0x10000 + number) + "a") for number in range(count)])),
    "different lengths": lambda count: model_of(b"".join([piece("a" * length, None, 4) for length in range(1, 500)])),
    "a long piece": lambda count: model_of(piece("\U0001f600" + "a" * 20 * count, -1)),
    "unknown fields": lambda count: b"".join([field(number, 1) for number in range(4, count)]) + model_of(b""),
    "unknown fields of pieces": lambda count: model_of(
        field(1, field(1, b"a") + b"".join([field(number, 1) for number in range(4, count)]))),
    "unknown fields of the trainer": lambda count: model_of(
        b"", b"".join([field(number, b"") for number in range(40, count)])),
    "parts of the trainer": lambda count: model_of(b"") + field(2, field(3, 1)) * count,
    "parts of the normalizer": lambda count: model_of(b"") + field(3, field(2, b"a")) * count,
    "a map": lambda count: model_of(b"", b"", field(2, struct.pack("<I", 4 * count) + bytes(4 * count + 1))),
    "texts of a map": lambda count: model_of(b"", b"", field(2, struct.pack("<II", 4, 0) + bytes(4 * count))),
}


@pytest.mark.parametrize("count", [17_000, pytest.param(33_000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("name", HOSTILE)
def test_no_model_takes_more_than_ten_times_its_file(name: str, count: int) -> None:
    content = HOSTILE[name](count)
    tracemalloc = pytest.importorskip("tracemalloc")  # not on PyPy
    tracemalloc.start()
    try:
        with contextlib.suppress(errors.PurebleuError):
            spm.Segmenter(model_file.Model(content)).tokens("a line")
        assert len(content) + tracemalloc.get_traced_memory()[1] < 10 * len(content)
    finally:
        tracemalloc.stop()


def test_so_many_pieces_are_not_tiny() -> None:
    assert len(model_file.Model(many_pieces(9_999)).pieces.by_kind[piece_table.NORMAL]) == 9_999
    assert len(model_file.Model(many_pieces(20_000, None, True)).pieces.by_kind[piece_table.NORMAL]) == 20_000
    with pytest.raises(errors.PurebleuError, match="damaged"):
        model_file.Model(many_pieces(10_000))


def read_one_by_one(content: bytes) -> Any:
    """The pieces of a model, by the definition of its file: field by field."""
    found = piece_table.Pieces(len(content))
    for number, value, _ in messages.fields(content):
        if number == 1:
            assert isinstance(value, bytes)
            found.add(value)
    return found


_TEXTS = st.text("ab\n\x15\x0a\u2581 ß\U0001f600", min_size=1, max_size=20)


@given(st.dictionaries(_TEXTS, st.tuples(st.floats(width=32, allow_nan=False, allow_infinity=False),
                                         st.sampled_from([None, None, None, None, 1, 3, 4, 5]),
                                         st.sampled_from([0, 0, 0, 0, 0, 1, 2])), max_size=80))
@example({"a": (0.0, None, 0), "\n\u2581": (0.0, None, 0)})
def test_plain_pieces_are_read_like_others(expected: dict[str, tuple[float, int | None, int]]) -> None:
    expected.pop("<unk>", None)
    forms = [b"", field(7, b"other"), b"\x15\n\x05\n\x03"]
    content = model_of(b"".join([
        piece(text, score, kind) if not form else field(1, forms[form] + piece(text, score, kind)[2:])
        for text, (score, kind, form) in expected.items()]) + piece("c", -1))
    found = model_file.Model(content).pieces
    plain = read_one_by_one(content)
    assert [list(scores.items()) for scores in found.by_kind] == [list(scores.items()) for scores in plain.by_kind]
    assert found.has_inner_spaces == plain.has_inner_spaces


@pytest.mark.parametrize("name", CASES)
def test_the_pieces_of_models_are_read_like_others(name: str) -> None:
    found, plain = model_file.Model(CONTENTS[name]).pieces, read_one_by_one(CONTENTS[name])
    assert {**found.by_kind[1], **plain.by_kind[1]} == found.by_kind[1] == plain.by_kind[1]
    assert found.by_kind == plain.by_kind and found.has_inner_spaces == plain.has_inner_spaces


@pytest.mark.parametrize("bad", [
    piece("ab", -1), piece("<unk>", -1), piece("c", float("nan")), piece("c", float("inf")),
    field(1, field(1, b"\xff") + b"\x15" + struct.pack("<f", -1)),
])
def test_plain_pieces_that_are_not_right_are_an_error(bad: bytes) -> None:
    others = [piece(text, -1) for text in ("a", "ab", "abc", "abcd")]
    assert model_file.Model(model_of(b"".join([*others, piece("d", -1), *[piece("e", -1)]])))
    with pytest.raises(errors.PurebleuError, match="damaged"):
        model_file.Model(model_of(b"".join([*others, bad, piece("d", -1), piece("e", -1)])))


@pytest.mark.parametrize("length", [512, 513, 100_000])
def test_pieces_are_not_long(length: int) -> None:
    content = model_of(piece("a" * length, -1))
    if length == 512:
        assert model_file.Model(content).pieces.score_and_kind(b"a" * length) == (-1, piece_table.NORMAL)
    else:
        with pytest.raises(errors.PurebleuError, match="damaged"):
            model_file.Model(content)


@pytest.mark.parametrize("size", [10, 31, 32, 500_000])
def test_pieces_have_little_beside_their_texts(size: int) -> None:
    content = model_of(field(1, field(1, b"a") + field(4, 0) * size))
    if size <= 31:
        assert model_file.Model(content).pieces.score_and_kind(b"a") == (0, piece_table.NORMAL)
    else:
        with pytest.raises(errors.PurebleuError, match="damaged"):
            model_file.Model(content)


def test_scores_are_numbers() -> None:
    for score in (float("inf"), -float("inf"), float("nan")):
        with pytest.raises(errors.PurebleuError, match="damaged"):
            model_file.Model(model_of(piece("a", score)))


def test_byte_pieces_without_byte_fallback_are_an_error() -> None:
    with pytest.raises(errors.PurebleuError, match="damaged"):
        model_file.Model(model_of(piece("<0x41>", 0, piece_table.BYTE)))


def test_a_map_without_end_is_not_followed_to_the_end_of_the_text() -> None:
    # From the root at 0 to a node that leads to itself with each "a".
    units = [0] * 256
    units[0] = 128 << 10
    units[128 ^ ord("a")] = ord("a") | ord("a") << 10
    content = model_of(piece("a", -1), b"", field(2, struct.pack("<257I", 4 * len(units), *units) + b"\0"))
    model = model_file.Model(content)
    one = normalization.Normalizer(model, normalization.UserDefinedSymbols(model.pieces))
    step, steps = one._map.step, 0

    def counted(node: int, character: str) -> Any:
        nonlocal steps
        steps += 1
        return step(node, character)

    one._map.step = counted
    assert "".join(one.parts("a" * 1000)[0]) == "a" * 1000
    assert 1000 * 60 < steps < 1000 * 70


def map_of_a(text: bytes) -> bytes:
    """A character map with nothing but "a", which is mapped to a text."""
    # From the root at 0 to a node, and from there to its value, the text at 0.
    units = [0] * 256
    units[0] = 128 << 10
    units[128 ^ ord("a")] = ord("a") | 1 << 8 | 1 << 10
    units[128 ^ ord("a") ^ 1] = 1 << 31
    return struct.pack("<257I", 4 * len(units), *units) + text + b"\0"


@pytest.mark.parametrize("length", [0, 128, 129, 1_000_000])
def test_what_a_character_is_mapped_to_is_short(length: int) -> None:
    one = normalization.CharacterMap(map_of_a(b"x" * length))
    assert one.step(one.root, "b") == (-1, None)
    if length <= 128:
        assert one.step(one.root, "a")[1] == "x" * length
    else:
        with pytest.raises(errors.PurebleuError, match="character map is damaged"):
            one.step(one.root, "a")


def test_letters_of_english_may_be_mapped() -> None:
    pieces = b"".join([piece(text, -1) for text in ("\u2581", "\u2581x", "\u2581b")])
    content = model_of(pieces, b"", field(2, map_of_a(b"x")))
    one = spm.Segmenter(model_file.Model(content))
    assert one.tokens_of_lines(["a b", "b x"]) == [
        ["\u2581x".encode(), "\u2581b".encode()], ["\u2581b".encode(), "\u2581x".encode()]]


def test_symbols_are_not_mapped_and_what_is_left_of_a_word_is() -> None:
    pieces = b"".join([piece(text, None, piece_table.USER_DEFINED) for text in ("aa", " b", "ab")])
    model = model_file.Model(model_of(pieces + piece("x", -1), b"", field(2, map_of_a(b"x"))))
    one = normalization.Normalizer(model, normalization.UserDefinedSymbols(model.pieces))
    assert one.words(["aa", "a"]) == ["aa", "x"]
    assert one.words(["ab", "a", "xab", "b", "aaab"]) == ["ab", "x", "xab", "b", "aaab"]


@pytest.mark.parametrize("content", [
    struct.pack("<I", 5) + bytes(20), struct.pack("<I", 400) + bytes(20), struct.pack("<I", 0) + bytes(20), b"\4"])
def test_a_map_of_a_wrong_size_is_refused(content: bytes) -> None:
    with pytest.raises(errors.PurebleuError, match="character map is damaged"):
        spm.Segmenter(model_file.Model(model_of(piece("a", -1), b"", field(2, content))))


def test_a_small_map_leads_nowhere_beyond_its_end() -> None:
    one = normalization.CharacterMap(struct.pack("<I", 4 * 65) + bytes(4 * 65) + b"\0")
    assert [one.step(one.root, character) for character in "@AB"] == [(-1, None)] * 3


def test_symbols_at_the_end_of_a_text() -> None:
    content = model_of(piece("ab", None, piece_table.USER_DEFINED) + piece("abcd", None, piece_table.USER_DEFINED)
                       + piece("xa", -1))
    symbols = normalization.UserDefinedSymbols(model_file.Model(content).pieces)
    assert [symbols.end_of_match("xabc", 1), symbols.end_of_match("xabcd", 1), symbols.end_of_match("xac", 1)] == [
        3, 5, 1]


def test_a_unigram_model_without_normal_pieces_is_refused() -> None:
    with pytest.raises(errors.PurebleuError, match="no pieces to segment text into"):
        model_file.Model(model_of(piece("ab", 0, piece_table.USER_DEFINED)))


def test_models_of_words_and_characters_are_refused() -> None:
    for algorithm in (3, 4):
        with pytest.raises(errors.PurebleuError, match="neither a unigram nor a BPE model"):
            model_file.Model(CONTENTS["made up 0"].replace(b"\x12\x02\x18\x01", bytes([0x12, 2, 0x18, algorithm])))


# The tokenizers

@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUREBLEU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")
    return tmp_path / "cache"


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with small models under the addresses of the large ones; their checksums count as the known ones."""
    for (name, urls), content in zip(models.MODELS.items(), CONTENTS.values()):
        path = in_mirror(tmp_path / "mirror", urls[0])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if name in models.SUMS:
            monkeypatch.setitem(models.SUMS, name, hashlib.sha256(content).hexdigest())
    return tmp_path / "mirror"


def in_mirror(mirror: Path, url: str) -> Path:
    return mirror / url.split("://")[1]


def files_below(folder: Path) -> list[str]:
    return sorted([path.name for path in folder.rglob("*") if path.is_file()])


@pytest.mark.parametrize(("name", "signature"), [("flores101", "flores101"), ("flores200", "flores200"),
                                                 ("spBLEU-1K", "spBLEU-1K"), ("spm", "flores101")])
def test_a_model_is_fetched_once(name: str, signature: str, cache_folder: Path, mirror: Path) -> None:
    make = make_tokenizer
    with warnings.catch_warnings(record=True) as caught, downloading.fetching(str(mirror), True):
        warnings.simplefilter("always")
        tokenizer = make(name)
    assert [str(warning.message)[:20] for warning in caught] == (["the tokenizer 'spm' "] if name == "spm" else [])
    assert tokenizer.signature() == signature
    file = os.path.basename(models.model_path(signature))
    assert files_below(cache_folder / "models") == [file, f"{file}.sha256"][:1 + (signature != "flores200")]
    again = pickle.loads(pickle.dumps(tokenizer))  # from the cache, without the mirror
    assert again("a line of text") == tokenizer("a line of text")


def test_what_need_not_be_fetched_is_known(cache_folder: Path, mirror: Path) -> None:
    is_at_hand = name_is_at_hand
    assert (is_at_hand("flores200"), is_at_hand("13a")) == (False, True)
    with downloading.fetching(str(mirror), True):
        make_tokenizer("flores200")("a")
    assert is_at_hand("flores200")


def test_a_damaged_model_never_gets_into_the_cache(cache_folder: Path, mirror: Path) -> None:
    for name, reason in (("flores200", r"its SHA-256 sum is \w+, but \w+ is registered"), ("flores101", "damaged")):
        path = in_mirror(mirror, models.MODELS[name][0])
        path.write_bytes(path.read_bytes()[:-20])
        with downloading.fetching(str(mirror), True), pytest.raises(errors.PurebleuError, match=f"{name}: .*{reason}"):
            models.get_model(name)
    assert files_below(cache_folder) == []


def test_the_model_with_a_registered_checksum_is_that_one_and_no_other(cache_folder: Path, mirror: Path) -> None:
    assert models.SUMS.keys() == {"flores200"}
    path = in_mirror(mirror, models.MODELS["flores200"][0])
    right, other = path.read_bytes(), CONTENTS["trained 5"]
    path.write_bytes(other)
    with downloading.fetching(str(mirror), True), pytest.raises(errors.PurebleuError, match="is registered"):
        models.get_model("flores200")
    assert files_below(cache_folder) == []
    # sacreBLEU's address is the last one.
    in_mirror(mirror, models.MODELS["flores200"][-1]).parent.mkdir()
    in_mirror(mirror, models.MODELS["flores200"][-1]).write_bytes(right)
    with downloading.fetching(str(mirror), True):
        assert models.published_content("flores200") == right


def test_a_model_in_the_cache_is_verified_when_it_is_used(cache_folder: Path, mirror: Path) -> None:
    for name in models.MODELS:
        with downloading.fetching(str(mirror), True):
            right = models.published_content(name)
        path = Path(models.model_path(name))
        path.write_bytes(CONTENTS["trained 7"])
        assert not models.model_is_at_hand(name)
        with pytest.raises(errors.PurebleuError, match=rf"{re.escape(str(path))}: its SHA-256 sum is \w+, but "):
            models.get_model(name)
        with downloading.fetching(str(mirror), True):
            assert models.published_content(name) == right  # fetched again
        in_mirror(mirror, models.MODELS[name][0]).write_bytes(CONTENTS["trained 7"])
        path.unlink()
        with downloading.fetching(str(mirror), True), pytest.raises(errors.PurebleuError, match="its SHA-256 sum is"):
            models.get_model(name)
        assert not path.exists()


def test_the_first_file_counts_where_no_checksum_is_known(cache_folder: Path) -> None:
    path = Path(models.model_path("flores101"))
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENTS["trained 0"])  # as sacreBLEU leaves it
    models.get_model("flores101")
    checksum = hashlib.sha256(CONTENTS["trained 0"]).hexdigest()
    record = Path(f"{path}.sha256")
    assert record.read_text() == f"{checksum}  {path.name}\n"
    assert models.cached_checksum("flores101") == checksum
    path.write_bytes(CONTENTS["trained 5"])
    with pytest.raises(errors.PurebleuError, match=f"but that of the first file, in .*, is {checksum}"):
        models.cached_checksum("flores101")
    for damaged in (f"{checksum[1:]}  {path.name}\n", f"{checksum}\n", "x\n"):
        record.write_text(damaged)
        with pytest.raises(errors.PurebleuError, match="line 1 is not a SHA-256 sum with a name"):
            models.cached_checksum("flores101")


@pytest.mark.parametrize("name", ["{file}", "./{file}", "*{file}", "/srv/mirror/{url}"])
def test_a_model_is_held_to_the_checksums_that_the_user_names(
        name: str, cache_folder: Path, mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = models.MODELS["flores101"][0].split("://")[1]
    name = name.format(file=url.rpartition("/")[2], url=url)
    right, other = [hashlib.sha256(CONTENTS[f"trained {number}"]).hexdigest() for number in (0, 1)]
    pins = tmp_path / "pins"
    monkeypatch.setenv("PUREBLEU_CHECKSUMS", str(pins))
    line = "{} {}\n".format if name.startswith("*") else "{}  {}\n".format
    in_mirror(mirror, models.MODELS["flores101"][0]).write_bytes(CONTENTS["trained 0"])
    with downloading.fetching(str(mirror), True):
        pins.write_text(f"{right}  other\n" + line(other, name))
        with pytest.raises(errors.PurebleuError, match=f"its SHA-256 sum is {right}, but {other} stands in "):
            models.get_model("flores101")
        assert files_below(cache_folder) == []
        pins.write_text(line(right.upper(), name))
        models.get_model("flores101")
        pins.write_text(line(other, name))  # when it is used, too
        assert not models.model_is_at_hand("flores101")
        pins.write_text("no sum\n")
        with pytest.raises(errors.PurebleuError, match="pins: line 1 is not a SHA-256 sum with a name"):
            models.get_model("flores101")
        pins.unlink()
        with pytest.raises(errors.PurebleuError, match="pins: "):
            models.get_model("flores101")


@pytest.mark.skipif(not hasattr(os, "mkfifo") or sys.platform == "emscripten", reason="needs pipes with names")
def test_a_model_in_the_cache_is_no_pipe(cache_folder: Path, mirror: Path) -> None:
    path = Path(models.model_path("flores101"))
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert not models.model_is_at_hand("flores101")
    with downloading.fetching(str(mirror), True):
        models.get_model("flores101")
    assert path.is_file()
    record = Path(f"{path}.sha256")
    record.unlink()
    os.mkfifo(record)
    with pytest.raises(errors.PurebleuError, match="sha256 is no regular file"):
        models.get_model("flores101")


def test_a_file_in_the_cache_may_not_fill_the_memory(cache_folder: Path, mirror: Path) -> None:
    with downloading.fetching(str(mirror), True):
        models.get_model("flores101")
    path = Path(models.model_path("flores101"))
    for file, message in ((path, "larger than 33,554,432 bytes"), (Path(f"{path}.sha256"), "larger than 1,024 bytes")):
        with file.open("r+b") as opened:
            opened.truncate(64 << 30)  # with holes
        with pytest.raises(errors.PurebleuError, match=message):
            models.get_model("flores101")
        file.unlink()
        with downloading.fetching(str(mirror), True):
            models.get_model("flores101")


def test_what_sacrebleu_left_of_a_model_is_fetched_again(cache_folder: Path, mirror: Path) -> None:
    with downloading.fetching(str(mirror), True):
        models.get_model("flores200")
        path = Path(models.model_path("flores200"))
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        models.get_model("flores200")
        assert path.read_bytes() == whole


def test_a_model_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a model: mine"
    path.write_bytes(CONTENTS["trained 0"])
    metric = BLEU(tokenize=f"spm:{path}")
    checksum = hashlib.sha256(CONTENTS["trained 0"]).hexdigest()
    score = metric.corpus_score(["one line", "another line"], [["one line", "another one"]])
    assert f"|tok:spm-sha256-{checksum}|" in str(score.signature)


@pytest.mark.skipif(os.name != "posix" or not os.path.exists("/dev/zero"), reason="needs a device without an end")
def test_a_model_is_no_device() -> None:
    with pytest.raises(PurebleuError, match="/dev/zero is a device, not a file"):
        BLEU(tokenize="spm:/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo") or sys.platform == "emscripten", reason="needs pipes with names")
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.full)])
def test_a_model_may_come_through_a_pipe(tmp_path: Path, jobs: str) -> None:
    content = CONTENTS["trained 0"]
    (tmp_path / "text").write_text("a word\nand another\n" * 600, encoding="ascii")
    os.mkfifo(tmp_path / "model")
    writer = threading.Thread(target=(tmp_path / "model").write_bytes, args=[content], daemon=True)
    writer.start()
    done = call_cli(["text", "-i", "text", "-tok", "spm:model", "-j", jobs, "-f", "text"], cwd=tmp_path)
    writer.join(10)
    assert done.returncode == 0, done.stderr
    assert f"|tok:spm-sha256-{hashlib.sha256(content).hexdigest()}|" in done.stdout.decode()


def test_the_command_line_takes_a_model(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(CONTENTS["trained 0"])
    (tmp_path / "text").write_text("one line\n", encoding="utf-8")
    done = call_cli(["text", "-i", "text", "-tok", "spm:model", "-b"], cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", b"100.0\n")
    missing = b"nowhere: No such file" if os.name == "posix" else b"nowhere: "  # (in Windows's own words)
    for path, reason in (("nowhere", missing), ("text", b"text: not a SentencePiece model")):
        done = call_cli(["text", "-i", "text", "-tok", f"spm:{path}"], cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, b"")
        assert reason in done.stderr and done.stderr.count(b"\n") == 1


def test_models_are_fetched_and_bundled_by_name(tmp_path: Path, mirror: Path) -> None:
    first, second = {"PUREBLEU_CACHE": str(tmp_path / "1")}, {"PUREBLEU_CACHE": str(tmp_path / "2")}
    commands = (
        (["--download", "flores200", "--mirror", str(mirror)], first),
        (["--bundle", "bundle", "flores200", "sample", "-l", "en-de", "--offline"], first),
        (["--unbundle", "bundle", "--offline"], second),
    )
    for arguments, environment in commands:
        done = call_cli(arguments, cwd=tmp_path, env=environment)
        assert (done.returncode, done.stderr) == (0, b""), arguments
    assert done.stdout == b"sample en-de\nflores200\n"
    (tmp_path / "text").write_text("one line\n", encoding="utf-8")
    done = call_cli(["text", "-i", "text", "-tok", "flores200", "--offline", "-f", "text"], cwd=tmp_path, env=second)
    assert b"|tok:flores200|" in done.stdout
    done = call_cli(["text", "-i", "text", "-tok", "flores101", "--offline"], cwd=tmp_path, env=second)
    assert done.returncode == 1 and b"not in the cache, and --offline" in done.stderr


def test_a_damaged_model_in_a_bundle_is_refused(tmp_path: Path, cache_folder: Path, mirror: Path) -> None:
    import zipfile

    with downloading.fetching(str(mirror), True):
        bundle.write_bundle(str(tmp_path / "bundle"), [], ["flores200"])
    os.remove(models.model_path("flores200"))
    with zipfile.ZipFile(tmp_path / "bundle") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["models/flores200"] = members["models/flores200"][:-1] + b"!"
    with zipfile.ZipFile(tmp_path / "bundle", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(errors.PurebleuError, match="models/flores200 is damaged"):
        bundle.read_bundle(str(tmp_path / "bundle"))
    assert not os.path.exists(models.model_path("flores200"))


def test_bundles_neither_take_nor_pass_on_another_model(tmp_path: Path, cache_folder: Path, mirror: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    right, path = models.SUMS["flores200"], str(tmp_path / "bundle")
    Path(models.model_path("flores200")).parent.mkdir(parents=True)
    Path(models.model_path("flores200")).write_bytes(CONTENTS["trained 5"])
    with pytest.raises(errors.PurebleuError, match="is registered"):
        bundle.write_bundle(path, [], ["flores200"])
    assert not os.path.exists(path)
    other = hashlib.sha256(CONTENTS["trained 5"]).hexdigest()
    monkeypatch.setitem(models.SUMS, "flores200", other)
    Path(models.model_path("flores101")).write_bytes(CONTENTS["trained 5"])
    bundle.write_bundle(path, [], ["flores200", "flores101"])
    monkeypatch.setitem(models.SUMS, "flores200", right)
    for name in ("flores200", "flores101"):
        os.remove(models.model_path(name))
    with pytest.raises(errors.PurebleuError, match=f"its SHA-256 sum is {other}, but {right} is registered"):
        bundle.read_bundle(path)
    assert "flores200: its SHA-256 sum" in bundle.examine_bundle(path)[1][0]
    monkeypatch.setitem(models.SUMS, "flores200", other)
    Path(f"{models.model_path('flores101')}.sha256").write_text(f"{right}  x\n")
    with pytest.raises(errors.PurebleuError, match="but that of the first file, in "):
        bundle.read_bundle(path)
    assert files_below(cache_folder) == [os.path.basename(models.model_path("flores101")) + ".sha256"]
    Path(f"{models.model_path('flores101')}.sha256").unlink()
    assert bundle.read_bundle(path) == ["flores200", "flores101"]
    assert Path(f"{models.model_path('flores101')}.sha256").read_text().startswith(other)


def test_checks_read_a_file_to_its_end(cache_folder: Path) -> None:
    models.check_model("flores101", io.BytesIO(CONTENTS["trained 0"]))
    with pytest.raises(errors.PurebleuError):
        models.check_model("flores101", io.BytesIO(b"<html>"))
    with pytest.raises(errors.PurebleuError, match="larger than 32 MB"):
        models.check_model("flores101", io.BytesIO(bytes((32 << 20) + 1)))
