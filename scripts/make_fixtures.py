"""Write the golden files in `tests/fixtures`: what sacreBLEU, the oracle, makes of many inputs.

    ORACLE/bin/python scripts/make_fixtures.py [--data DIR] [NAME ...]

Runs with the oracle's interpreter and writes the fixtures with these names, by default all of `FIXTURES`, whose
functions say what is in them. The same oracle writes the same bytes each time. Text is made up by `generated_lines` or
lies beside its results: the files in `tests/fixtures/cli` called `reference*.txt` and `hypothesis*.txt` are written by
hand, `CLI_FILES` lists those that are made from them. Of the data in DIR, only numbers go into a fixture; without such
a folder, that fixture stays as it is.

All of them are JSON objects with the members `oracle` (its version) and `cases`. Floats that have to be equal to the
last bit are written as `float.hex` has them.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import json
import logging
import os
import random
import shlex
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from functools import partial
from importlib import import_module
from itertools import chain, product
from pathlib import Path

from generated_lines import (
    Segment,
    as_streams,
    random_lines,
    random_segments,
    random_word_segments,
    short_lines,
    special_lines,
)
from mecab_dictionary import ALPHABET, write_dictionary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

    #: A name, hypotheses, and streams of references.
    Corpus = Tuple[str, List[str], List[List[Optional[str]]]]

    Options = Dict[str, Any]

CHECKOUT = Path(__file__).resolve().parent.parent
TARGET = CHECKOUT / "tests" / "fixtures"
DATA = CHECKOUT.parent / "shared" / "data"

TOKENIZERS = ("13a", "intl", "zh", "char", "none")

#: Smoothing methods with their values. The first ones, the defaults, go into every evaluation.
SMOOTHING: tuple[tuple[str, float | None], ...] = (
    ("exp", None), ("none", None), ("floor", None), ("add-k", None),
    ("floor", 0.0), ("add-k", 0.5), ("floor", 0.5), ("add-k", 0), ("exp", 0.0), ("floor", 1e-9), ("add-k", 2.5),
    ("none", 3.0), ("floor", 1), ("add-k", 0.1),
)
_DEFAULTS = 4

#: The ways of Tercom's tokenizer, each named by the options that it takes. (Asian support is part of the other two.)
TERCOM_WAYS = ("", "normalized", "no_punct", "normalized no_punct", "normalized asian_support",
               "no_punct asian_support", "normalized no_punct asian_support")

#: Stretches of code points whose digests are compared: so many each, in the planes that have characters.
CODE_POINTS_IN_STRETCH = 0x1000
CODE_POINTS = (*range(0, 0x40000, CODE_POINTS_IN_STRETCH), 0xE0000)

#: Where a character is put to see what a tokenizer does with it, and what lower-casing does.
CHARACTER_IN_LINE = "a_b 1_2 _. _3 ._, x_"
CHARACTER_IN_CASED_LINE = "_ x_ \u0391\u03a3_ \u0391\u03a3_\u0391 _\u03a3"
CHARACTER_IN_TERCOM_LINE = "a_b 1_2 _. ._, _'s 's_ __ x_"


def main(argv: Sequence[str] | None = None) -> int:
    """Write what the arguments ask for; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the golden files in tests/fixtures.")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FIXTURES))
    options = parser.parse_args(argv)
    logging.disable(logging.WARNING)  # the oracle warns of what is done to it here on purpose
    for name in options.names or FIXTURES:
        if name not in FIXTURES:
            parser.error(f"unknown fixture {name!r}; there are {', '.join(FIXTURES)}")
        of_data = name.startswith("shared_")
        if of_data and not options.data.is_dir():
            print(f"{name}: left as it is, for there is no {options.data}")
            continue
        cases = FIXTURES[name](options.data) if of_data else FIXTURES[name]()
        path = TARGET / (name + (".json" if name in UNCOMPRESSED else ".json.gz"))
        count = write_fixture(path, cases)
        print(f"{path.name}: {count} cases, {path.stat().st_size:,} bytes")
    return 0


def write_fixture(path: Path, cases: Iterable[object]) -> int:
    """Write a JSON file with a case on each line (compressed if it is called `.gz`); returns their number."""
    lines = [json.dumps(case) for case in cases]
    header = f'"oracle": {json.dumps(oracle().__version__)}, "cases"'
    content = "\n".join([f"{{{header}: [", ",\n".join(lines), "]}", ""]).encode("ascii")
    path.write_bytes(compressed(content) if path.suffix == ".gz" else content)
    return len(lines)


def compressed(content: bytes) -> bytes:
    """The content in gzip's format, without name and time."""
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, buffer, mtime=0) as file:
        file.write(content)
    return buffer.getvalue()


def oracle() -> Any:
    """The package sacreBLEU. (Other scripts import this module where there is none.)"""
    return import_module("sacrebleu")


def make_oracle_metric(options: Mapping[str, object]) -> Any:
    """Its metric BLEU."""
    return oracle().BLEU(**options)


# What is recorded of results

def score_record(score: Any) -> dict[str, object]:
    """All that a BLEU score holds, fit for JSON, its floats to the last bit."""
    return {
        "score": float(score.score).hex(), "bp": float(score.bp).hex(),
        "precisions": [float(precision).hex() for precision in score.precisions],
        "counts": list(score.counts), "totals": list(score.totals), "sys_len": score.sys_len, "ref_len": score.ref_len,
        "text": str(score),
    }


def scored(metric: Any, score: Any) -> dict[str, object]:
    """The record of a score, and the signature that the metric gives."""
    signature = metric.get_signature()
    return {"result": score_record(score), "signature": signature.format(), "short": signature.format(True)}


def digest_of_rows(rows: Iterable[Iterable[float]]) -> str:
    """SHA-256 of rows of statistics, each written as its numbers in decimal, commas between, a line feed behind."""
    text = "".join([",".join(map(str, row)) + "\n" for row in rows])
    return hashlib.sha256(text.encode("ascii")).hexdigest()


# Tokens

def tokens_of(name: str) -> Callable[[], Iterator[list[object]]]:
    def cases() -> Iterator[list[object]]:
        """`[line, tokens]`; the tokens are joined by blanks, which is nothing that tokens can hold."""
        tokenizer = make_oracle_metric({"tokenize": name}).tokenizer
        lines = special_lines() + random_lines(20, 2500)
        if name in ("13a", "intl", "zh"):
            lines += short_lines("1a.,- ", 4)
            lines += short_lines("½.—$a", 4) if name == "intl" else short_lines("1字。.", 4)
        for line in dict.fromkeys(lines):
            yield [line, " ".join(tokenizer(line).split())]
    return cases


#: What Tercom's tokenizer has rules for, or seems to have: possessives, entities, kana, hangul, full-width marks, the
#: ends of its ranges; and line feeds that a hyphen follows, which only the Python API lets through.
TERCOM_LINES = (
    "Ann's, x", "'s", "it's\u00a0x", "it's", "its' s", "'s's 's", "a's\u2028b", "x's. y's", "'S IT'S", "the boys' 's",
    "&apos;s", "&quot;'s &amp;s &lt;'s&gt;", "&lt;b&gt;it&amp;quot;s&lt;/b&gt;", "&amp;amp;lt; &ampquot;", "&amp;quot;",
    "ひらがな", "カタカナ", "ㇰㇱ", "ひらがな です", "カタカナ、ひらがな。", "ひ", "ひカㇰ", "カひ漢字ひカ",
    "Ｔシャツ・ひ", "한국어 문장, 입니다.", "한국어、문장입니다。", "ㄅㄆㄇ ㆍ", "日本語(の)文、です.",
    "Ｗｉｄｅ，ｆｏｒｍｓ．？：；！＂（）", "１，０００．５ 1，5．a", "⺀⻳⼀⿰ 豈\ufaff\ufb00 ︰﹏﹐", "｡｢｣､･ｦ",
    "、。〃〆〈《「『』」》〉【】〒〓〔〖〗〘〙〚〛〜〝〞〟〠・ー",
    "\u3f22\u3f23x\u4dbf\u4dc0\u4dffy\u4e00\u9fff\ua000", "\u31ef\u31f0\u31ffa\u3200\u32ff\u3300\u33ff\u3400b",
    "a\n-b", "a-\nb", "a\n-", "\n-", "a\n\n-b", "a\n-\n-b", "a\n b", "1\n-2", "a\r\n-b", "a -\n- b", "a\n-'s\n",
    "3-4 a-4 -4 3- 3--4 3 -4", "1,5 a,5 5,a ,5 5, .5 5. 3.,4 1.,a a.,1", "[x] {y} `z` ~ | \\ / @ _ ^ $5% #6 *7* 8+9=17",
)


def tercom_token_cases() -> Iterator[list[object]]:
    """`[line, {way: tokens}]` for each of `TERCOM_WAYS`; the tokens are joined by blanks."""
    tokenizer_class = import_module("sacrebleu.tokenizers.tokenizer_ter").TercomTokenizer
    tokenizers = {way: tokenizer_class(case_sensitive=True, **tercom_options(way)) for way in TERCOM_WAYS}
    lines = [*TERCOM_LINES, *special_lines(), *random_lines(21, 400), *short_lines("1a.,-", 3),
             *short_lines("'s, ", 4), *short_lines("\n-1", 4), *short_lines("字、あ!", 3)]
    for line in dict.fromkeys(lines):
        yield [line, {way: tokenizer(line) for way, tokenizer in tokenizers.items()}]


def tercom_options(way: str) -> Options:
    """The options that one of `TERCOM_WAYS` takes."""
    return dict.fromkeys(way.split(), True)


def code_point_cases() -> Iterator[dict[str, object]]:
    """For a tokenizer, or for lower case: digests of what it makes of each character, by stretches of code points.

    Each character takes the places of `_` in `line`. The tokens of such lines, blanks between and a line feed behind,
    are digested as UTF-8 (of lone surrogates, too); of SHA-256, the first 16 digits are enough. `starts` are the first
    code points of the stretches.
    """
    for name in (*TOKENIZERS, "lower case"):
        lower = name == "lower case"
        metric = make_oracle_metric({"tokenize": "none" if lower else name, "lowercase": lower})
        pattern = CHARACTER_IN_CASED_LINE if lower else CHARACTER_IN_LINE
        yield {"tokenizer": "none" if lower else name, "lowercase": lower, "line": pattern, "starts": CODE_POINTS,
               "size": CODE_POINTS_IN_STRETCH, "digests": list(digests_of_code_points(metric, pattern))}


def digests_of_code_points(metric: Any, pattern: str) -> Iterator[str]:
    """For each stretch, a digest of what a metric compares of lines in which its characters take the places of `_`."""
    for start in CODE_POINTS:
        digest = hashlib.sha256()
        for code in range(start, start + CODE_POINTS_IN_STRETCH):
            tokens = metric._preprocess_segment(pattern.replace("_", chr(code))).split()
            digest.update((" ".join(tokens) + "\n").encode("utf-8", "surrogatepass"))
        yield digest.hexdigest()[:16]


def tercom_code_point_cases() -> Iterator[dict[str, object]]:
    """The same of TER with options: the ways of its tokenizer that look beyond ASCII."""
    for way in ("normalized asian_support", "no_punct asian_support"):
        options = {**tercom_options(way), "case_sensitive": True}
        digests = list(digests_of_code_points(oracle().TER(**options), CHARACTER_IN_TERCOM_LINE))
        yield {"options": options, "line": CHARACTER_IN_TERCOM_LINE, "starts": CODE_POINTS,
               "size": CODE_POINTS_IN_STRETCH, "digests": digests}


# Statistics and scores

def corpora() -> list[Corpus]:
    """Small corpora, made up or written for a purpose."""
    made: list[Corpus] = []
    for seed, (streams, missing) in enumerate([(1, False), (1, False), (2, False), (3, False), (4, False), (2, True),
                                               (4, True), (1, False)]):
        name = f"generated, {streams} references{' at most' if missing else ''}, {seed}"
        made.append((name, *as_streams(random_segments(100 + seed, 18, streams, missing))))
    return [
        *made,
        ("equal", ["The cat sat on the mat.", "No, it did not."], [["The cat sat on the mat.", "No, it did not."]]),
        ("nothing in common", ["a b c d", "e f"], [["g h i j", "k"]]),
        ("only single words in common", ["d c b a", "f x e"], [["a b c d", "e f"]]),
        ("shorter than the order", ["a b", "c", "d e f"], [["a b", "c", "d e g"]]),
        ("empty hypotheses", ["", ""], [["a b c", "d"], ["", "d e"]]),
        ("nothing at all", ["", " "], [["", "\u3000"]]),
        ("empty references", ["a b c d e", "f"], [["", "f"], ["", None]]),
        ("a tie of lengths", ["a b c d e", "a b c d"], [["a b c d e f g", "a b c"], ["a b c", "a b c d e"]]),
        ("short", ["the cat"], [["the cat sat on the mat and looked at the dog"]]),
        ("clipped", ["the the the the the the the"], [["the cat is on the mat"], ["there is a cat on the mat the"]]),
        ("long", ["a b c a b " * 60, "x y " * 130], [["b a c a b " * 61, "y x z " * 90], ["c " * 254, None]]),
    ]


def statistics_options() -> Iterator[dict[str, object]]:
    """The options that rows depend on."""
    for tokenizer in TOKENIZERS:
        for lowercase in (False, True):
            yield {"tokenize": tokenizer, "lowercase": lowercase, "max_ngram_order": 4}
    for order in (1, 2, 3, 5):
        yield {"tokenize": "13a", "lowercase": False, "max_ngram_order": order}
        yield {"tokenize": "zh", "lowercase": True, "max_ngram_order": order}


def statistics_cases() -> Iterator[dict[str, object]]:
    """A corpus, options, the row of statistics of each segment, and scores with further options.

    `repeat` tells how many times the corpus is put behind itself for a score, so that it is larger than what is worked
    on at once.
    """
    turn = 0
    for name, hypotheses, references in corpora():
        for options in statistics_options():
            rows = make_oracle_metric(options)._extract_corpus_statistics(hypotheses, references)
            scores = []
            further = [_DEFAULTS + (turn + step) % (len(SMOOTHING) - _DEFAULTS) for step in range(3)]
            for index in (*range(_DEFAULTS), *further):
                method, value = SMOOTHING[index]
                more = {"smooth_method": method, "smooth_value": value, "effective_order": (turn + index) % 3 == 0}
                repeat = 150 if turn % 10 == 0 and index == 0 else 1
                metric = make_oracle_metric({**options, **more})
                score = metric.corpus_score(hypotheses * repeat, [stream * repeat for stream in references])
                scores.append({"options": more, "repeat": repeat, **scored(metric, score)})
            yield {"corpus": name, "hypotheses": hypotheses, "references": references, "options": options,
                   "rows": rows, "scores": scores}
            turn += 1


def sentence_cases() -> Iterator[dict[str, object]]:
    """Scores of single segments."""
    segments = [random_segments(200 + streams, 50, streams, missing=streams > 1) for streams in (1, 2, 4)]
    for turn, segment in enumerate(chain.from_iterable(segments)):
        method, value = SMOOTHING[turn % len(SMOOTHING)]
        options = {"tokenize": TOKENIZERS[turn % 5], "lowercase": turn % 4 == 1, "smooth_method": method,
                   "smooth_value": value, "effective_order": turn % 3 != 1}
        metric = make_oracle_metric(options)
        score = metric.sentence_score(segment.hypothesis, segment.references)
        yield {"hypothesis": segment.hypothesis, "references": segment.references, "options": options,
               **scored(metric, score)}


def chrf_options() -> Iterator[dict[str, object]]:
    """Options of chrF: each on its own, and some together."""
    yield {}
    for name in ("lowercase", "whitespace", "eps_smoothing"):
        yield {name: True}
    yield {"beta": 1}
    yield {"char_order": 2}
    for order in (1, 2, 3):
        yield {"word_order": order}
    yield {"char_order": 0, "word_order": 2}
    yield {"char_order": 0, "word_order": 1, "eps_smoothing": True}
    yield {"char_order": 40, "word_order": 12}
    yield {"char_order": 8, "word_order": 2, "beta": 3, "lowercase": True, "whitespace": True, "eps_smoothing": True}


def chrf_cases() -> Iterator[dict[str, object]]:
    """A corpus, options of chrF, the row of each segment, the score of the corpus and of its first segment."""
    for name, hypotheses, references in corpora():
        for options in chrf_options():
            metric = oracle().CHRF(**options)
            rows = metric._extract_corpus_statistics(hypotheses, references)
            score = metric.corpus_score(hypotheses, references)
            signature = metric.get_signature()
            sentence = metric.sentence_score(hypotheses[0], [stream[0] for stream in references])
            yield {"corpus": name, "hypotheses": hypotheses, "references": references, "options": options,
                   "rows": rows, "score": float(score.score).hex(), "name": score.name, "text": str(score),
                   "signature": signature.format(), "short": signature.format(True),
                   "sentence": float(sentence.score).hex()}


# TER

#: Segments that are tokenized in ways of TER's own: a reference twice, which parts "Ann's," only then.
TER_PAIRS = (
    ("Ann's, x", "Ann's, x"), ("Ann 's , x", "Ann's, x"), ("it's Ann's.", "It's Ann's ."), ("&lt; a", "&amp;amp;lt; A"),
    ("日本語、です。", "日本語です"), ("日本語、です。", "日 本 語 です 。"), ("（全角）です！", "(全角)です!"),
    ("ひらがな", "ひら がな"), ("line\n-feed", "line feed"), ("line\n-feed", "linefeed"), ("end\n-", "end"),
    ("A\u00a0b\u3000c\x1cd", "a b c d"), ("it's\u00a0", "it 's"), ("it 's", "it's\u2028"), ("it's\u00a0x", "it 's x"),
)

def equal_in_a_row(rows: int, columns: int, row: int, column: int, ahead: bool) -> tuple[list[object], list[object]]:
    """A pair of so many words whose only equal ones are a run that begins, or ends, at that row and column."""
    hypothesis, reference = ["z"] * rows, ["x"] * columns
    length = 1 + min(rows - row, columns - column) if ahead else min(row, column)
    for step in range(length):
        place = step if ahead else -step
        hypothesis[row - 1 + place] = reference[column - 1 + place] = str(step)
    return [*hypothesis], [*reference]


#: Pairs, words or letters, whose edits are others where a limit of the search is one less or one more.
LIMITS: dict[str, list[tuple[Sequence[object], Sequence[object]]]] = {
    "1,000 shifts tried": [
        ("acccaacccbaccczacabaaacaaba", "cccacaabcaaababaacaccaccacz"),
        ("aababzbbbbbbbbbaaaabbb", "babbbbaaaababbbbbbbabz"),
        ("aabbbaabbbabbbbbaaaabbba", "abbabbbbbaaaabbbaababbba"),
        ("cccbabbabccacabbbbbabcaa", "ccabbbbbabcaacaccbabbabc")],
    "10 words in a block": [
        ("almnopqrstubcdefghijkv", "abcdefghijklmnopqrstuv"),
        ("lmnopqrstuvwxabcdefghijk", "abcdefghijklmnopqrstuvwx")],
    "50 words to go": [
        *[([*range(1, length), 0], range(length)) for length in (50, 51, 52, 53)],
        *[([1, *range(length, 1, -1), 0], range(length, -1, -1)) for length in (49, 50, 51, 52)]],
    "25 words beside the diagonal": [
        *[(range(length), [*range(length), *"x" * length]) for length in (23, 24, 25, 26, 27)],
        *[([*"x" * 30, *range(length)], range(more)) for length, more in ((25, 48), (39, 60), (41, 64))],
        *[(range(length), [*"x" * 25, *range(less)]) for length, less in ((26, 15), (26, 25), (28, 15))]],
    "a beam that grows": [
        *[("a", "a" + "x" * length) for length in (48, 49, 50, 51)],
        *[("za", "x" * before + "a" + "x" * behind) for before in range(48, 55) for behind in range(45, 55)]],
    "a diagonal in floating point": [
        equal_in_a_row(69, 39, 23, 37, False), equal_in_a_row(66, 45, 44, 4, True),
        equal_in_a_row(74, 78, 37, 15, True), equal_in_a_row(65, 75, 13, 39, True)],
}

#: Numbers of words of a short side, and how many times as many there are on the other side: the beam grows at 50.
FAR_LONGER = ((2, 65), (1, 48), (1, 49), (1, 50), (1, 51), (1, 52), (2, 51), (3, 50), (3, 53), (4, 26))


def word_corpora() -> Iterator[Corpus]:
    """Corpora of plain words: blocks of them have moved, and the search for these meets its limits."""
    rng = random.Random(500)
    many = [f"w{number}" for number in range(200)]
    short = [some_words(rng, rng.choice(("abc", "abcd", "abcde")), 4, 13) for _ in range(400)]
    yield of_pairs("short pairs", [(rearranged(rng, words, rng.randint(1, 3)), words) for words in short])
    few = [some_words(rng, rng.choice(("ab", "abc", "abcd")), 0, 60) for _ in range(50)]
    yield of_pairs("many repetitions", [(rearranged(rng, words, rng.randint(0, 4)), words) for words in few])
    yield of_pairs("unrelated, many repetitions", [(some_words(rng, "abc", 0, 40), words) for words in few[:20]])
    permuted = [some_words(rng, many[:rng.choice((5, 20, 200))], 5, 25) for _ in range(30)]
    yield of_pairs("permuted", [(rng.sample(words, len(words)), words) for words in permuted])
    long = [some_words(rng, many, 20, 75) for _ in range(20)]
    yield of_pairs("blocks moved", [(rearranged(rng, words, rng.randint(1, 3)), words) for words in long])
    beside = [(some_words(rng, many, 60, 75), some_words(rng, "xy", 15, 45), 20 * (number % 4)) for number in range(16)]
    yield of_pairs("beside the diagonal", both_ways([
        (words[:place] + added + words[place:], words) for words, added, place in beside]))
    yield of_pairs("far longer", both_ways([
        (some_words(rng, "abc", length, length), some_words(rng, "abcde", times * length - 1, times * length + 1))
        for length, times in FAR_LONGER]))
    for limit, pairs in LIMITS.items():
        yield of_pairs(f"at a limit: {limit}", [(list(map(str, one)), list(map(str, two))) for one, two in pairs])
    for missing in (False, True):
        segments = []
        for words in [some_words(rng, rng.choice(("abc", many[:12])), 0, 30) for _ in range(30)]:
            references: list[str | None] = [" ".join(rearranged(rng, words, changes)) for changes in (0, 2, 3)]
            if missing:
                references[1:] = [rng.choice((reference, reference, None, "")) for reference in references[1:]]
            segments.append(Segment(" ".join(rearranged(rng, words, 2)), references))
        yield (f"words, three references{' at most' if missing else ''}", *as_streams(segments))


def some_words(rng: random.Random, vocabulary: Sequence[str], least: int, most: int) -> list[str]:
    return [rng.choice(vocabulary) for _ in range(rng.randint(least, most))]


def rearranged(rng: random.Random, words: Sequence[str], changes: int) -> list[str]:
    """The words after so many changes: a block moved each time, and a word put in, replaced or left out."""
    words = list(words)
    for _ in range(changes):
        start = rng.randint(0, len(words))
        end = start + rng.randint(1, 12)
        rest = words[:start] + words[end:]
        target = max(0, min(len(rest), start + rng.randint(-60, 60)))
        words = rest[:target] + words[start:end] + rest[target:]
        place = rng.randint(0, len(words))
        words[place:place + rng.randint(0, 1)] = rng.choice((["new"], words[:1], []))
    return words


def both_ways(pairs: Sequence[tuple[list[str], list[str]]]) -> list[tuple[list[str], list[str]]]:
    return [*pairs, *[(two, one) for one, two in pairs]]


def of_pairs(name: str, pairs: Iterable[tuple[list[str], list[str]]]) -> Corpus:
    """A corpus of pairs of a hypothesis and a reference, in words."""
    return (name, *as_streams([Segment(" ".join(one), [" ".join(two)]) for one, two in pairs]))


def ter_cases() -> Iterator[dict[str, object]]:
    """A corpus, options of TER, the row of each segment, the score of the corpus and of its first segment.

    Corpora of words, for which options do not matter, and others with very long lines have the default options only.
    """
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    every: list[Options] = [dict(zip(names, chosen)) for chosen in product((False, True), repeat=len(names))]
    pairs: Corpus = ("tokens", [one for one, _ in TER_PAIRS], [[two for _, two in TER_PAIRS]])
    for corpus in (pairs, *corpora()):
        has_long_lines = max(map(len, corpus[1])) > 500
        for options in every[:1] if has_long_lines else every:
            yield ter_case(corpus, options)
    for corpus in word_corpora():
        yield ter_case(corpus, every[0])


def ter_case(corpus: Corpus, options: Options) -> dict[str, object]:
    name, hypotheses, references = corpus
    metric = oracle().TER(**options)
    rows = metric._extract_corpus_statistics(hypotheses, references)
    score, signature = metric._aggregate_and_compute(rows), metric.get_signature()
    sentence = metric.sentence_score(hypotheses[0], [stream[0] for stream in references])
    return {"corpus": name, "hypotheses": hypotheses, "references": references, "options": options,
            "rows": [[edits, length.hex()] for edits, length in rows], "score": float(score.score).hex(),
            "num_edits": score.num_edits, "ref_length": score.ref_length.hex(), "text": str(score),
            "signature": signature.format(), "short": signature.format(True),
            "sentence": float(sentence.score).hex()}


def compute_bleu_cases() -> Iterator[dict[str, object]]:
    """Scores from counts: some of them as no corpus has them."""
    rng = random.Random(300)
    counts: list[tuple[list[float], list[float], int, int]] = [
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0), ([0, 0, 0, 0], [0, 0, 0, 0], 0, 9), ([0, 0, 0, 0], [9, 8, 7, 6], 9, 0),
        ([9, 8, 7, 6], [9, 8, 7, 6], 9, 9), ([1, 0, 0, 0], [1, 0, 0, 0], 1, 1), ([2, 1, 0, 0], [2, 1, 0, 0], 2, 5000),
        ([5, 0, 1, 0], [9, 8, 7, 6], 9, 8), ([0, 0, 0, 1], [9, 8, 7, 6], 9, 10), ([3, 1, 0, 0], [3, 2, 0, 4], 3, 3),
        ([2.5, 1.25, 0.5, 0.0], [7.5, 6.5, 5.5, 4.5], 7, 8), ([7, 5, 3, 2], [5, 4, 3, 2], 5, 5), ([1], [7], 7, 3),
        ([4, 2, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1], 6, 7), ([10**12, 9, 8, 7], [10**13, 9**9, 8**9, 7**9], 10**13, 10**14),
    ]
    for length in range(1, 40):
        totals: list[float] = [max(0, length - order) for order in range(4)]
        counts.append(([rng.randint(0, int(total)) for total in totals], totals, length, rng.randint(1, 50)))
    for correct, total, sys_len, ref_len in counts:
        for method, value in SMOOTHING[:8]:
            for effective in (False, True):
                arguments = {"correct": correct, "total": total, "sys_len": sys_len, "ref_len": ref_len,
                             "smooth_method": method, "smooth_value": value, "effective_order": effective,
                             "max_ngram_order": len(correct)}
                score = oracle().BLEU.compute_bleu(**{**arguments, "correct": correct[:], "total": total[:]})
                yield {"arguments": arguments, "result": score_record(score)}


def function_cases() -> Iterator[dict[str, object]]:
    """Calls of the functions on top: `corpus_bleu`, `raw_corpus_bleu`, `sentence_bleu`."""
    calls: list[tuple[str, dict[str, object]]] = [
        ("corpus_bleu", {}), ("corpus_bleu", {"smooth_method": "floor", "smooth_value": 0.01, "lowercase": True}),
        ("corpus_bleu", {"tokenize": "intl", "use_effective_order": True}),
        ("corpus_bleu", {"tokenize": "char", "force": True}),
        ("raw_corpus_bleu", {}), ("raw_corpus_bleu", {"smooth_value": 0.5}),
        ("raw_corpus_bleu", {"smooth_value": None}),
    ]
    for _, hypotheses, references in corpora():
        for function, arguments in calls:
            score = getattr(oracle(), function)(hypotheses, references, **arguments)
            yield {"function": function, "input": [hypotheses, references], "arguments": arguments,
                   "result": score_record(score)}
    for segment in random_segments(400, 40, 2):
        for arguments in ({}, {"smooth_method": "add-k", "tokenize": "zh", "lowercase": True},
                          {"use_effective_order": False, "tokenize": "none"}):
            score = oracle().sentence_bleu(segment.hypothesis, segment.references, **arguments)
            yield {"function": "sentence_bleu", "input": [segment.hypothesis, segment.references],
                   "arguments": arguments, "result": score_record(score)}


# The command line

ODD_LINES = (
    ("a line separator\u2028inside\u2028", "a line separator\u2028inside"),
    ("a next line\u0085inside, and at the end\u0085", "a next line\u0085inside, and at its end"),
    ("separators\x1c\x1d\x1e\x1f of information\x1f", "separators of information"),
    ("a form feed\x0c and a\x0bvertical one", "a form feed and a vertical one\x0c"),
    ("no-break\u00a0spaces, wide\u3000ones\u3000", "no-break spaces, wide ones"),
    ("", ""),
    ("   ", "there is nothing in the reference"),
    ("the hypothesis has nothing", "\t \t"),
    ("Ben &amp; Jerry&quot;s 3 &lt; 4 &amp;gt; 2", "Ben & Jerry\"s 3 < 4 &gt; 2"),
    ("<skipped>1.000,5 -- 2-3 x-y .5 5. ...", "1.000,5 -- 2 - 3 x - y .5 5. .. ."),
    ("nul\0inside, joiner\u200dinside, mark\ufeffinside", "nul\0inside, joiner\u200dinside, markinside"),
    ("ISTANBUL İstanbul STRASSE straße ΌΔΟΣ", "istanbul i\u0307stanbul strasse STRASSE όδος"),
    ("😀 🫠 👩\u200d👩\u200d👧 e\u0301 é ｆｕｌｌ １２３", "😀🫠 👩\u200d👩\u200d👧 é é full １２３"),
    ("\r\r carriage returns \r inside \r", "carriage returns inside"),
    ("a vowel separator\u180einside, and at the end\u180e", "a vowel separator inside, and at the end"),
)


def cli_files() -> dict[str, bytes]:
    """The input files that are made from the handwritten ones, or from nothing."""
    folder = TARGET / "cli"
    reference, reference2, hypothesis = [(folder / f"{name}.txt").read_bytes()
                                         for name in ("reference", "reference2", "hypothesis")]
    german = {side: (folder / f"{side}.de.txt").read_text("utf-8") for side in ("reference", "hypothesis")}
    pairs = list(zip(reference.splitlines(), reference2.splitlines()))
    incomplete = [pair[:1] if index == 7 else pair for index, pair in enumerate(pairs)]
    first_five = b"".join(hypothesis.splitlines(keepends=True)[:5])
    files = {
        "reference.txt.gz": compressed(reference),
        "hypothesis.txt.gz": compressed(hypothesis),
        "hypothesis.members.gz": compressed(first_five) + compressed(hypothesis[len(first_five):]),
        "hypothesis.truncated.gz": compressed(hypothesis)[:-40],
        "references.tsv": b"".join([b"\t".join(pair) + b"\n" for pair in pairs]),
        "references.more.tsv": b"".join([b"\t".join((*pair, pair[0], b"more")) + b"\n" for pair in pairs]),
        "references.short.tsv": b"".join([b"\t".join(pair) + b"\n" for pair in incomplete]),
        "hypothesis.crlf.txt": hypothesis.replace(b"\n", b"\r\n"),
        "reference.crlf.txt": reference.replace(b"\n", b" \r\n"),
        "hypothesis.bom.txt": b"\xef\xbb\xbf" + hypothesis,
        "reference.bom.txt": b"\xef\xbb\xbf" + reference,
        "hypothesis.unended.txt": hypothesis.rstrip(b"\n"),
        "hypothesis.blank-end.txt": hypothesis + b"\n",
        "hypothesis.invalid.txt": hypothesis.replace(b"flood", b"fl\xf6\xf6d"),
        "empty.txt": b"",
        "blank.txt": b"\n" * 12,
        "capitals.txt": hypothesis.upper(),
        "little.txt": b"".join([line[:15] + b"\n" for line in hypothesis.splitlines()]),
        "shuffled.txt": b"".join([b" ".join(sorted(line.split())) + b"\n" for line in hypothesis.splitlines()]),
        "tokenized.txt": b"This line has been tokenized .\n" * 120,
        "tokenized.reference.txt": b"This line has not been tokenized.\n" * 120,
        "odd.reference.txt": "".join([line + "\n" for line, _ in ODD_LINES]).encode(),
        "odd.hypothesis.txt": "".join([line + "\n" for _, line in ODD_LINES]).encode(),
    }
    systems = [hypothesis, files["capitals.txt"], files["shuffled.txt"], files["little.txt"]]
    columns = [system.splitlines() for system in systems]
    files["systems.tsv"] = b"".join([b"\t".join(line) + b"\n" for line in zip(*columns)])
    files["systems.short.tsv"] = files["systems.tsv"].replace(b"\t", b" ", 1)
    for side, text in german.items():
        files[f"{side}.latin-1.txt"] = text.encode("latin-1")
        files[f"{side}.utf-16.txt"] = b"\xff\xfe" + text.encode("utf-16-le")
    return files


#: One command line each, as a shell has it: `VARIABLE=value` before it, `<file` for standard input.
COMMAND_LINES = """
reference.txt -i hypothesis.txt -m chrf
reference.txt -i hypothesis.txt --metrics chrf -f text
reference.txt reference2.txt -i hypothesis.txt -m chrf -f text
reference.txt -i hypothesis.txt -m bleu chrf
reference.txt -i hypothesis.txt -m chrf bleu -f text
reference.txt -i hypothesis.txt -m chrf bleu -f text -sh
reference.txt -i hypothesis.txt -m chrf bleu chrf -b
reference.txt -i hypothesis.txt -m chrf bleu -b -f text -w 4
reference.txt -i hypothesis.txt -m chrf --chrf-word-order 2 -f text
reference.txt -i hypothesis.txt -m chrf -cw 1 -f text -sh
reference.txt -i hypothesis.txt -m chrf --chrf-char-order 4 -f text -w 3
reference.txt -i hypothesis.txt -m chrf -cc 3 -cw 2 --chrf-beta 3
reference.txt -i hypothesis.txt -m chrf --chrf-beta 1 -b -w 6
reference.txt -i hypothesis.txt -m chrf --chrf-whitespace -f text
reference.txt -i hypothesis.txt -m chrf --chrf-lowercase -f text -w 5
reference.txt -i hypothesis.txt -m chrf --chrf-eps-smoothing -f text
reference.txt -i hypothesis.txt -m chrf -sl
reference.txt reference2.txt -i hypothesis.txt -m chrf -sl -b -cw 2
reference.txt -i hypothesis.txt -m bleu chrf -lc -tok intl -s floor -f text
references.tsv -nr 2 -i hypothesis.txt -m bleu chrf -f text
reference.de.txt -i hypothesis.de.txt -m chrf bleu -w 7 -f text
reference.zh.txt -i hypothesis.zh.txt -m chrf bleu -l en-zh -f text
reference.txt -i hypothesis.txt -m ter
reference.txt -i hypothesis.txt --metrics ter -f text
reference.txt -m ter -f text < hypothesis.txt
reference.txt reference2.txt -i hypothesis.txt -m ter
reference.txt reference2.txt -i hypothesis.txt -m ter -f text -w 12
references.tsv -nr 2 -i hypothesis.txt -m ter -f text -w 4
references.more.tsv -nr 4 -i hypothesis.txt -m ter -f text -sh
references.tsv -nr 2 -sl -i hypothesis.txt -m ter
reference.txt -i hypothesis.txt -m ter -b
reference.txt -i hypothesis.txt -m ter -b -w 0
reference.txt -i hypothesis.txt -m ter -b -f text -w 20
reference.txt -i hypothesis.txt -m ter -sh
reference.txt -i hypothesis.txt -m ter -sh -f text -w 6 --ter-normalized --ter-no-punct
reference.txt -i capitals.txt -m ter -f text
reference.txt -i capitals.txt -m ter -f text --ter-case-sensitive
reference.txt -i hypothesis.txt -m ter --ter-case-sensitive -lc
reference.txt -i hypothesis.txt -m ter --ter-normalized -f text -w 5
reference.txt -i hypothesis.txt -m ter --ter-normalized
reference.txt -i hypothesis.txt -m ter --ter-no-punct -f text -w 5
reference.txt -i hypothesis.txt -m ter --ter-asian-support -f text -w 5
reference.txt -i hypothesis.txt -m ter -f text --ter-asian-support --ter-normalized --ter-no-punct --ter-case-sensitive
reference.txt -i shuffled.txt -m ter -f text -w 6
reference.txt -i shuffled.txt -m ter -sl -w 3
reference.txt -i little.txt -m ter -f text -w 6 --ter-normalized
hypothesis.txt -i shuffled.txt -m ter -sl -b
reference.txt -i hypothesis.txt -m ter -sl
reference.txt reference2.txt -i hypothesis.txt -m ter -sl -b -w 4
reference.txt -i hypothesis.txt -m ter -sl -sh --ter-no-punct
reference.txt -i hypothesis.txt -m ter -q -f text --force
tokenized.reference.txt -i tokenized.txt -m ter -f text
reference.txt -i blank.txt -m ter -sl -b
reference.txt -i blank.txt -m ter
blank.txt -i hypothesis.txt -m ter -sl -f text
blank.txt -i blank.txt -m ter -f text
blank.txt reference.txt -i hypothesis.txt -m ter -f text -w 4
reference.zh.txt -i hypothesis.zh.txt -m ter -f text
reference.zh.txt -i hypothesis.zh.txt -m ter -f text -l en-zh --ter-normalized --ter-asian-support
reference.zh.txt -i hypothesis.zh.txt -m ter -sl --ter-no-punct --ter-asian-support
reference.de.txt -i hypothesis.de.txt -m ter -f text -w 4 --ter-normalized
reference.latin-1.txt -i hypothesis.latin-1.txt -m ter -e latin-1 -f text -w 4
odd.reference.txt -i odd.hypothesis.txt -m ter -sl -b -w 10
odd.reference.txt -i odd.hypothesis.txt -m ter -f text -w 10 --ter-normalized --ter-asian-support
odd.reference.txt -i odd.hypothesis.txt -m ter -sl -b -w 10 --ter-normalized --ter-no-punct --ter-asian-support
odd.reference.txt -i odd.hypothesis.txt -m ter -sl -b -w 10 --ter-no-punct --ter-asian-support --ter-case-sensitive
SACREBLEU_FORMAT=text reference.txt -i hypothesis.txt -m ter
reference.txt -i hypothesis.txt -m bleu chrf ter
reference.txt -i hypothesis.txt -m bleu chrf ter -f text
reference.txt -i hypothesis.txt --metrics ter chrf bleu --format text --short
reference.txt -i hypothesis.txt -m ter bleu ter chrf -b
reference.txt reference2.txt -i hypothesis.txt -m bleu chrf ter -b -f text -w 4
reference.txt reference2.txt -i hypothesis.txt -m bleu chrf ter -f text -w 3
references.tsv -nr 2 -i hypothesis.txt -m bleu chrf ter -w 2
reference.txt -m bleu chrf ter -f text < hypothesis.txt
reference.txt -i shuffled.txt -m bleu chrf ter -lc --chrf-word-order 2 --ter-case-sensitive -tok intl -s floor -f text
reference.zh.txt -i hypothesis.zh.txt -m bleu chrf ter -l en-zh -f text -sh
reference.zh.txt -i hypothesis.zh.txt -m bleu chrf ter -l en-zh --ter-asian-support --ter-normalized
reference.de.txt -i hypothesis.de.txt -m chrf ter -f text -w 5
reference.txt -i hypothesis.txt -m bleu ter -f text
reference.txt -i hypothesis.txt -m chrf -cc 0 -cw 2 -f text -w 4
reference.txt -i blank.txt -m bleu chrf ter -f text
blank.txt -i blank.txt -m bleu chrf ter
reference.txt -i hypothesis.txt
reference.txt --input hypothesis.txt
reference.txt < hypothesis.txt
reference.txt -i hypothesis.txt -f text
reference.txt -i hypothesis.txt --format text
reference.txt -i hypothesis.txt --format=json
reference.txt reference2.txt -i hypothesis.txt
reference.txt reference2.txt -i hypothesis.txt -f text
reference.txt reference2.txt -f text < hypothesis.txt
-f text reference.txt reference2.txt hypothesis.txt -i hypothesis.txt
-i hypothesis.txt -f text -- reference.txt
reference.txt -i hypothesis.txt -b
reference.txt -i hypothesis.txt --score-only
reference.txt -i hypothesis.txt -b -f text
reference.txt -i hypothesis.txt -b -w 0
reference.txt -i hypothesis.txt -b -w 4
reference.txt -i hypothesis.txt -b --width 12
reference.txt -i hypothesis.txt -b --width=60
reference.txt -i hypothesis.txt -w3
reference.txt -i hypothesis.txt -w 0 -f text
reference.txt -i hypothesis.txt -w 0
reference.txt -i reference.txt -w 20
reference.txt -i hypothesis.txt -bw4
reference.txt -i hypothesis.txt -sh -f text
reference.txt -i hypothesis.txt --short --format text
reference.txt -i hypothesis.txt -sh
reference.txt reference2.txt -i hypothesis.txt -sh -f text -lc -s floor -sv 0.25
reference.txt -i capitals.txt -f text
reference.txt -i capitals.txt -f text -lc
reference.txt -i capitals.txt -f text --lowercase
reference.txt -i hypothesis.txt -tok 13a
reference.txt -i hypothesis.txt -tok intl
reference.txt -i hypothesis.txt -tok zh -f text
reference.txt -i hypothesis.txt -tok char -f text
reference.txt -i hypothesis.txt -tok none -f text
reference.txt -i hypothesis.txt --tokenize intl -lc -f text -w 6
reference.txt -i hypothesis.txt --tok none -f text
reference.txt -i little.txt -f text -w 6
reference.txt -i little.txt -f text -w 6 -s none
reference.txt -i shuffled.txt -f text -w 6 -s exp
reference.txt -i shuffled.txt -f text -w 6 --smooth-method none
reference.txt -i shuffled.txt -f text -w 6 -s floor
reference.txt -i shuffled.txt -f text -w 6 -s floor -sv 0.5
reference.txt -i shuffled.txt -f text -w 6 -s floor --smooth-value 0
reference.txt -i shuffled.txt -f text -w 6 -s add-k
reference.txt -i shuffled.txt -f text -w 6 -s add-k -sv 0.5
reference.txt -i shuffled.txt -w 6 -s add-k --smooth-value=1e-3
reference.txt -i shuffled.txt -sfloor -sv 2 -f text
reference.txt -i shuffled.txt -sv2 -f text
reference.txt -i hypothesis.txt -s exp -sv 7 -f text
reference.txt -i hypothesis.txt -m bleu -f text
reference.txt -i hypothesis.txt --metrics bleu
reference.txt -i hypothesis.txt -m bleu bleu -f text
reference.txt -i hypothesis.txt -sl
reference.txt -i hypothesis.txt --sentence-level -f json
reference.txt -sl < hypothesis.txt
reference.txt -i hypothesis.txt -sl -b
reference.txt -i hypothesis.txt -sl -b -w 8
reference.txt -i hypothesis.txt -sl -sh
reference.txt reference2.txt -i hypothesis.txt -sl -sh -w 3 -lc -tok intl
reference.txt -i little.txt -sl -w 4
reference.txt -i little.txt -sl -w 4 -s add-k
reference.txt -i shuffled.txt -sl -s floor -sv 0.01 -w 4
reference.txt -i blank.txt -sl
references.tsv -nr 2 -sl -i hypothesis.txt
references.tsv -nr 2 -i hypothesis.txt -f text
references.tsv --num-refs 2 -f text < hypothesis.txt
references.tsv -nr 1 -i hypothesis.txt -f text
references.tsv -i hypothesis.txt -f text
references.more.tsv -nr 2 -i hypothesis.txt -f text
references.more.tsv -nr 3 -i hypothesis.txt -f text
references.more.tsv -nr 4 -i hypothesis.txt -f text -sh
references.short.tsv -nr 2 -i hypothesis.txt
references.tsv -nr 3 -i hypothesis.txt
reference.txt.gz -i hypothesis.txt.gz
reference.txt.gz reference2.txt -f text < hypothesis.txt
reference.txt.gz -i hypothesis.members.gz -f text
reference.crlf.txt -i hypothesis.crlf.txt -f text -w 8
reference.crlf.txt -f text -w 8 < hypothesis.crlf.txt
reference.txt -i hypothesis.crlf.txt -sl -b
reference.bom.txt -i hypothesis.bom.txt -f text -q
reference.bom.txt -i hypothesis.txt -f text -w 8
reference.txt -i hypothesis.bom.txt -f text -w 8 --quiet
reference.bom.txt -i hypothesis.bom.txt -e utf-8-sig -f text -w 8
reference.txt -i hypothesis.unended.txt
reference.txt -f text < hypothesis.unended.txt
reference.de.txt -i hypothesis.de.txt -f text -w 4
reference.de.txt -i hypothesis.de.txt -f text -w 4 -tok intl -l en-de
reference.latin-1.txt -i hypothesis.latin-1.txt -e latin-1 -f text -w 4
reference.latin-1.txt -i hypothesis.latin-1.txt --encoding ISO-8859-1 -f text -w 4 -lc
reference.latin-1.txt -e latin-1 -f text -w 4 < hypothesis.latin-1.txt
reference.utf-16.txt -i hypothesis.utf-16.txt -e utf-16 -f text -w 4
reference.utf-16.txt -e utf-16 -f text -w 4 < hypothesis.utf-16.txt
reference.de.txt -i hypothesis.de.txt -e latin-1 -f text -w 4
reference.zh.txt -i hypothesis.zh.txt -f text
reference.zh.txt -i hypothesis.zh.txt -f text -tok zh
reference.zh.txt -i hypothesis.zh.txt -f text -l en-zh
reference.zh.txt -i hypothesis.zh.txt -l en-zh
reference.zh.txt -i hypothesis.zh.txt -f text --language-pair en-zh -tok 13a
reference.zh.txt -i hypothesis.zh.txt -f text -l ja-en -tok char
reference.zh.txt -i hypothesis.zh.txt -sl -l en-zh -sh
odd.reference.txt -i odd.hypothesis.txt -f text -w 10
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10
odd.reference.txt -i odd.hypothesis.txt -f text -w 10 -lc -tok intl
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -lc -tok intl
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -lc -tok zh
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -tok char
odd.reference.txt -i odd.hypothesis.txt -sl -b -w 10 -tok none
reference.txt -i blank.txt
reference.txt -i blank.txt -f text
blank.txt -i blank.txt -f text
blank.txt -i hypothesis.txt
blank.txt reference.txt -i hypothesis.txt -f text -sl
reference.txt < blank.txt
tokenized.reference.txt -i tokenized.txt -f text
tokenized.reference.txt -i tokenized.txt -f text --force
tokenized.reference.txt -i tokenized.txt -q -tok none
reference.txt -i hypothesis.txt -q
reference.txt -i hypothesis.txt --quiet --no-color
reference.txt -i hypothesis.txt -nc -f text
NO_COLOR=1 reference.txt -i hypothesis.txt -f text
SACREBLEU_FORMAT=text reference.txt -i hypothesis.txt
SACREBLEU_FORMAT=text reference.txt -i hypothesis.txt -f json
SACREBLEU_FORMAT=json reference.txt -i hypothesis.txt -f text
SACREBLEU_FORMAT=TEXT reference.txt -i hypothesis.txt -sh
SACREBLEU_FORMAT= reference.txt -i hypothesis.txt -f text
SACREBLEU_FORMAT=json reference.txt -i hypothesis.txt -sl
PYTHONIOENCODING=ascii reference.zh.txt -i hypothesis.zh.txt -sl -tok zh
LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 reference.de.txt -f text -w 4 < hypothesis.de.txt
reference.txt -i no-such-file.txt
no-such-file.txt -i hypothesis.txt
reference.txt -i .
reference.txt -i empty.txt
empty.txt -i hypothesis.txt
reference.de.txt -i hypothesis.txt
reference.txt -i hypothesis.blank-end.txt
reference.txt reference.de.txt -i hypothesis.txt
reference.de.txt < hypothesis.txt
reference.txt -i hypothesis.invalid.txt
reference.txt < hypothesis.invalid.txt
reference.txt -i hypothesis.truncated.gz
reference.txt -i hypothesis.txt -e no-such-encoding
reference.txt -i hypothesis.txt -tok no-such-tokenizer
reference.txt -i hypothesis.txt -s no-such-method
reference.txt -i hypothesis.txt -m no-such-metric
reference.txt -i hypothesis.txt -f no-such-format
reference.txt -i hypothesis.txt -w x
reference.txt -i hypothesis.txt -sv x
reference.txt -i hypothesis.txt -nr x
reference.txt -i hypothesis.txt --no-such-option
"""

#: Of several systems, or with resampling. (sacreBLEU's JSON fails for chrF and TER with --paired-bs.)
TABLE_LINES = """
reference.txt -i hypothesis.txt capitals.txt
reference.txt -i hypothesis.txt capitals.txt -f text
reference.txt -i hypothesis.txt capitals.txt -f latex
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -m ter chrf bleu
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -m ter chrf bleu -f text
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -m ter chrf bleu -f latex
reference.txt reference2.txt -i hypothesis.txt capitals.txt shuffled.txt -m ter chrf bleu -f text -w 3 -sh
reference.txt -i hypothesis.txt capitals.txt -f text -b
reference.txt -i hypothesis.txt capitals.txt -f text -w 0 -lc -tok intl
reference.txt -i hypothesis.txt capitals.txt -w 5 -q
references.tsv -nr 2 -i hypothesis.txt shuffled.txt -f text -m chrf -cw 2
reference.txt -f text < systems.tsv
reference.txt -m bleu chrf < systems.tsv
reference.txt -m chrf -f latex < systems.tsv
SACREBLEU_FORMAT=latex reference.txt -i hypothesis.txt capitals.txt
NO_COLOR=1 reference.txt -i hypothesis.txt capitals.txt -f text
reference.txt -i hypothesis.txt -ci
reference.txt -i hypothesis.txt --confidence -f text
reference.txt -i hypothesis.txt -ci -f text -sh -w 4
reference.txt -i hypothesis.txt -ci -b
reference.txt -i hypothesis.txt -ci -b -f text -w 3
reference.txt -i hypothesis.txt -ci -cin 100
reference.txt -i hypothesis.txt -ci --confidence-n 7 -f text -w 12
reference.txt -i hypothesis.txt -ci -m bleu chrf ter
reference.txt -i hypothesis.txt -ci -m bleu chrf ter -f text -w 10
reference.txt reference2.txt -i hypothesis.txt -ci -m chrf ter -w 12 -cin 250
reference.txt -i shuffled.txt -ci -m chrf -cw 2 --chrf-eps-smoothing -f text -w 9
reference.txt -i little.txt -ci -f text -w 9 -s floor -sv 0.3
reference.txt -i little.txt -ci -f text -w 9 -s add-k
reference.txt -i capitals.txt -ci -f text -w 9
reference.txt -i blank.txt -ci -f text -m bleu chrf ter
SACREBLEU_SEED=7 reference.txt -i hypothesis.txt -ci -w 12
SACREBLEU_SEED=123456789012345678901234567890123456789012345 reference.txt -i hypothesis.txt -ci -w 12
reference.txt -ci -f text < hypothesis.txt
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-bs
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-bs -f text -m bleu chrf ter
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt -pbs -f latex -m bleu chrf ter -w 4
reference.txt -i hypothesis.txt capitals.txt shuffled.txt -pbs -pbsn 333 -f text -w 12 -sh
reference.txt -i hypothesis.txt capitals.txt -pbs --paired-bs-n 20 -f text -w 12 -m chrf ter
reference.txt -i capitals.txt hypothesis.txt capitals.txt -pbs -pbsn 50 -f text
SACREBLEU_SEED=1 reference.txt -i hypothesis.txt shuffled.txt -pbs -pbsn 100
reference.txt -pbs -pbsn 50 -f text < systems.tsv
reference.txt -pbs -pbsn 50 < systems.tsv
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-ar -parn 500
reference.txt -i hypothesis.txt capitals.txt shuffled.txt little.txt --paired-ar -f text -m bleu chrf ter -parn 400
reference.txt -i hypothesis.txt capitals.txt shuffled.txt -par -f latex -m bleu chrf ter -w 4 --paired-ar-n 400
reference.txt reference2.txt -i hypothesis.txt shuffled.txt -par -parn 99 -m chrf ter bleu -w 12
SACREBLEU_SEED=99 reference.txt -i hypothesis.txt shuffled.txt -par -parn 100 -f text -sh
reference.txt -par -parn 50 -f text < systems.tsv
reference.txt -i hypothesis.txt reference.de.txt -f text
reference.txt < systems.short.tsv
reference.txt -pbs -i hypothesis.txt no-such-file.txt
"""

#: What would change the oracle's results: the same that the tests keep from the command line.
_INFLUENCES = ("PUREBLEU", "SACREBLEU", "NO_COLOR", "PYTHONPATH")


def command_line_cases() -> Iterator[dict[str, object]]:
    """Command lines to run in `tests/fixtures/cli`, with standard output and exit code. Writes the input files."""
    folder = TARGET / "cli"
    for name, content in cli_files().items():
        (folder / name).write_bytes(content)
    for line in COMMAND_LINES.strip().splitlines():
        case = parse_command_line(line)
        done = run_oracle(case)
        yield {**case, "stdout": done.stdout.decode("utf-8"), "exit_code": done.returncode}


def table_cases() -> Iterator[dict[str, object]]:
    """The same for several systems, and resampling: how standard output starts and ends.

    What lies between is sacreBLEU's explanation of its test, in its own words.
    """
    for line in TABLE_LINES.strip().splitlines():
        case = parse_command_line(line)
        done = run_oracle(case)
        start = end = done.stdout.decode("utf-8")
        if "paired" in start.lower() and not start.startswith("["):
            start = start[:start.index("\n\n---") + 1]
            end = end[end.rindex("---\nMetric signatures"):]
        yield {**case, "start": start, "end": end, "exit_code": done.returncode}


def run_oracle(case: Mapping[str, Any]) -> subprocess.CompletedProcess[bytes]:
    """Run a case of `parse_command_line` with the oracle."""
    folder = TARGET / "cli"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_INFLUENCES)}
    with open(folder / case["stdin"] if case["stdin"] else os.devnull, "rb") as stdin:
        return subprocess.run([sys.executable, "-m", "sacrebleu", *case["arguments"]], stdin=stdin, cwd=folder,
                              env={**clean, **case["environment"]}, capture_output=True, check=False)


def random_stream_cases() -> Iterator[dict[str, object]]:
    """What default_rng of NumPy draws from a seed: places among so many, in three resamples; coins, in three trials."""
    numpy = import_module("numpy")

    for seed in (0, 1, 7, 12345, 2 ** 32 - 1, 2 ** 32, 2 ** 64 + 5, 3 ** 90, 10 ** 60):
        for count in (1, 2, 3, 7, 10, 64, 100, 1000):
            draws = numpy.random.default_rng(seed).choice(count, size=(3, count), replace=True)
            coins = numpy.random.default_rng(seed).integers(2, size=(3, count), dtype=bool)
            yield {"seed": str(seed), "count": count, "draws": draws.tolist(),
                   "coins": ["".join(map(str, map(int, trial))) for trial in coins]}


def paired_test_cases() -> Iterator[dict[str, object]]:
    """Intervals beside a randomization test, for which sacreBLEU's command line has no option.

    TER has one reference, because the sums of fractions are in single precision there.
    """
    significance = import_module("sacrebleu.significance")
    hypotheses, references = as_streams(random_word_segments(7, 61, streams=1))
    rng = random.Random(7)
    systems = [(name, [rng.choice([line, line, reference]) for line, reference in zip(hypotheses, references[0])])
               for name in ("baseline", "second", "third")]
    for trials, resamples in ((40, 50), (7, 41), (100, 100)):
        metrics = {name: getattr(oracle(), name)() for name in ("BLEU", "CHRF", "TER")}
        test = significance.PairedTest(systems, metrics, references, test_type="ar", n_samples=trials,
                                       n_ar_confidence=resamples)
        signatures, table = test()
        yield {"systems": systems, "references": references, "trials": trials, "resamples": resamples,
               "signatures": {name: signature.format() for name, signature in signatures.items()},
               "results": {name: [{key: None if value is None else float(value).hex()
                                   for key, value in vars(result).items()} for result in table[name]]
                           for name in signatures}}


def parse_command_line(line: str) -> dict[str, Any]:
    """Variables, arguments and the name of the file for standard input of a line of `COMMAND_LINES`."""
    command, _, stdin = line.partition(" < ")
    words = shlex.split(command)
    variables = {}
    while "=" in words[0]:
        name, _, variables[name] = words.pop(0).partition("=")
    return {"line": line, "environment": variables, "arguments": words, "stdin": stdin or None}


# Test sets

def catalogue_cases() -> Iterator[dict[str, object]]:
    """Each test set, expanded: addresses with checksums; by pair its files, its references by default, and its fields.

    (Fields are told where that needs no data.)
    """
    for name, dataset in oracle().DATASETS.items():
        pairs = {}
        for pair, files in dataset.langpairs.items():
            is_xml = hasattr(dataset, "_get_langpair_allowed_refs")
            pairs[pair] = {"files": [files["path"]] if isinstance(files, dict) else files,
                           "references": dataset._get_langpair_allowed_refs(pair) if is_xml else None,
                           "fields": None if is_xml else dataset.fieldnames(pair)}
        yield {"name": name, "archives": list(zip(dataset.data, dataset.md5)), "pairs": pairs,
               "tags": import_module("sacrebleu.dataset").SUBSETS.get(name)}


SGML_SOURCE = """<srcset setid="sample" srclang="any">
<doc sysid="ref" docid="one.1" genre="news" origlang="de">
<hl>
<seg id="1">A  headline &amp; its &lt;tags&gt;</seg>
</hl>
<p>
<seg id="2"> Blanks around, a tab\there,\u00a0a no-break space \u3000 and a wide one. </seg>
<seg id="3"></seg>
</p>
</doc>
<doc docid="two" origlang="en">
<seg id="1">"Quoted" > greater, < less.</seg>\r
<seg id="2">The end</seg> \n</doc>
</srcset>
"""
SGML_REFERENCE = "".join([line.replace("The end", "Das Ende").replace("Quoted", "Zitiert")
                          for line in SGML_SOURCE.splitlines(keepends=True)])
IWSLT_SOURCE = """<?xml version="1.0" encoding="UTF-8"?>
<mteval>
<srcset setid="tst" srclang="english">
<doc docid="7" genre="lectures">
<url>http://example.org</url>
<talkid>7</talkid>
<title>A talk</title>
<seg id="1"> What is a talk? </seg>
<seg id="2"> This is. </seg>
</doc>
</srcset>
</mteval>
"""
XML_FILE = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="sample">
  <collection id="general">
    <doc origlang="en" id="doc.1" domain="news">
      <src lang="en"><p><seg id="1">First &amp; foremost</seg><seg id="2">Second</seg></p><p><seg id="10">Tenth</seg>
      <seg id="3">Third,  with   blanks
      and a line feed</seg></p></src>
      <ref lang="de" translator="A"><p><seg id="1">Zuerst</seg><seg id="2">Zweiter</seg><seg id="3">Dritter</seg>
      <seg id="10">Zehnter</seg></p></ref>
      <ref lang="de" translator="B"><p><seg id="1">Erstens</seg><seg id="2"></seg><seg id="3">Drittens</seg></p></ref>
      <hyp system="Online-Z"><p><seg id="1">h1</seg><seg id="2">h2</seg><seg id="3">h3</seg><seg id="10"/></p></hyp>
    </doc>
    <doc origlang="de" id="doc.2" domain="social">
      <src lang="en"><seg id="1">Has a reference</seg><seg id="2">Has none</seg></src>
      <ref lang="de" translator="A"><seg id="1">Hat eine</seg></ref>
      <hyp system="Online-Z"><seg id="1">z1</seg><seg id="2">z2</seg></hyp>
    </doc>
    <doc origlang="de" id="suite" domain="other" testsuite="numbers">
      <src lang="en"><seg id="1">Left out</seg></src><ref lang="de" translator="C"><seg id="1">Weg</seg></ref>
    </doc>
    <doc origlang="cs" id="doc.3" domain="news">
      <src lang="en"><seg id="1">Last \u2028 one</seg></src>
      <ref lang="de" translator="B"><seg id="1">Letzter</seg></ref>
      <ref lang="de" translator="A"><seg id="1">Der letzte</seg></ref>
      <hyp system="Online-Z"><seg id="1">last</seg></hyp>
    </doc>
  </collection>
</dataset>
"""
XML_WITHOUT_TRANSLATOR = """<dataset><doc origlang="liv" id="d"><src lang="liv"><seg id="1">a</seg></src>
<ref lang="en"><seg id="1">b</seg></ref></doc></dataset>
"""
TSV_FILE = "0\tsource one\ttarget one\tmore\n1\t \t\t\n2\t source three\ttarget\u2028three \tmore\r\n"
TEXT_FILE = "one \ntwo\u00a0\n\n  four\r\nfive\x0bfive"

#: Archives of every kind, with what is in them.
SAMPLE_ARCHIVES: dict[str, dict[str, str]] = {
    "wmt.tgz": {"sgm/news-ende-src.en.sgm": SGML_SOURCE, "./sgm/news-ende-ref.de.sgm": SGML_REFERENCE},
    "iwslt.tgz": {"en-de/tst.en-de.en.xml": IWSLT_SOURCE, "de-en/tst.de-en.de.xml": IWSLT_SOURCE.upper().lower()},
    "xml.tar.gz": {"xml/test.en-de.all.xml": XML_FILE, "xml/test.liv-en.all.xml": XML_WITHOUT_TRANSLATOR},
    "table.tar.gz": {"T/test.en-fr.tsv": TSV_FILE},
    "text.zip": {"text/set-ende.en": TEXT_FILE, "text/set-ende.de": TEXT_FILE.upper()},
    "more.txt.gz": {"": TEXT_FILE},
    "paraphrased.ref": {"": "A reference \n  B\n\nD\nE"},
}

#: The oracle's class, and the record for purebleu's catalogue: format, archives, files by pair.
SAMPLE_SETS: dict[str, tuple[str, str, list[str], dict[str, list[str]]]] = {
    "sample/wmt": ("fake_sgml.FakeSGMLDataset", "sgml", ["wmt.tgz"],
                   {"en-de": ["sgm/news-ende-src.en.sgm", "sgm/news-ende-ref.de.sgm"]}),
    "sample/tworefs": ("fake_sgml.FakeSGMLDataset", "sgml", ["wmt.tgz"], {
        "en-de": ["sgm/news-ende-src.en.sgm", "sgm/news-ende-ref.de.sgm", "sgm/news-ende-src.en.sgm"]}),
    "wmt08/sample": ("fake_sgml.FakeSGMLDataset", "sgml", ["wmt.tgz"],
                     {"en-de": ["sgm/news-ende-src.en.sgm", "sgm/news-ende-ref.de.sgm"]}),
    "sample/iwslt": ("iwslt_xml.IWSLTXMLDataset", "sgml", ["iwslt.tgz"],
                     {"en-de": ["en-de/tst.en-de.en.xml", "de-en/tst.de-en.de.xml"]}),
    "sample/xml": ("wmt_xml.WMTXMLDataset", "xml", ["xml.tar.gz"],
                   {"en-de": ["xml/test.en-de.all.xml"], "liv-en": ["xml/test.liv-en.all.xml"]}),
    "sample/tsv": ("tsv.TSVDataset", "tsv", ["table.tar.gz"],
                   {"en-fr": ["1:T/test.en-fr.tsv", "2:T/test.en-fr.tsv"]}),
    "sample/tsv2": ("tsv.TSVDataset", "tsv", ["table.tar.gz"], {"en-fr": ["T/test.en-fr.tsv", "T/test.en-fr.tsv"]}),
    "sample/text": ("plain_text.PlainTextDataset", "text", ["text.zip", "more.txt.gz"], {
        "en-de": ["text/set-ende.en", "text/set-ende.de"], "en-en": ["text/set-ende.en", "sample_text.more.txt.gz"]}),
    "sample/google": ("fake_sgml.WMTAdditionDataset", "sgml", ["wmt.tgz", "paraphrased.ref"],
                      {"en-de": ["sgm/news-ende-src.en.sgm", "sample_google.paraphrased.ref"]}),
}


def write_sample_archives(folder: Path) -> None:
    """Write `SAMPLE_ARCHIVES`, the same bytes every time."""
    folder.mkdir(exist_ok=True)
    for name, members in SAMPLE_ARCHIVES.items():
        encoded = {member: text.encode("utf-8") for member, text in members.items()}
        buffer = io.BytesIO()
        if name.endswith(".zip"):
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                for member, data in encoded.items():
                    archive.writestr(zipfile.ZipInfo(member), data)
            content = buffer.getvalue()
        elif "" in encoded:
            content = compressed(encoded[""]) if name.endswith(".gz") else encoded[""]
        else:
            with tarfile.open(fileobj=buffer, mode="w") as tar:
                for member, data in encoded.items():
                    information = tarfile.TarInfo(member)
                    information.size = len(data)
                    tar.addfile(information, io.BytesIO(data))
            content = compressed(buffer.getvalue())
        (folder / name).write_bytes(content)


def test_set_cases() -> Iterator[dict[str, object]]:
    """`SAMPLE_SETS` as records of purebleu's catalogue, and the text that the oracle makes of each field.

    Writes the archives into `tests/fixtures/datasets`.
    """
    folder = TARGET / "datasets"
    write_sample_archives(folder)
    for name, (class_name, form, archives, pairs) in SAMPLE_SETS.items():
        sums = [hashlib.md5((folder / archive).read_bytes()).hexdigest() for archive in archives]
        module, _, class_name = class_name.rpartition(".")
        dataset = getattr(import_module(f"sacrebleu.dataset.{module}"), class_name)(
            name, data=[(folder / archive).as_uri() for archive in archives], md5=sums, langpairs=pairs,
            refs=["B", "A"])
        with tempfile.TemporaryDirectory() as cache:
            dataset._outdir = cache
            dataset._rawdir = os.path.join(cache, "raw")
            texts = {pair: dict(zip(dataset.fieldnames(pair), [Path(path).read_text("utf-8").split("\n")[:-1]
                                                               for path in dataset.get_files(pair)])) for pair in pairs}
            references = {pair: [Path(path).name.partition(f"{pair}.")[2] for path in dataset.get_reference_files(pair)]
                          for pair in pairs}
        yield {"name": name, "format": form, "archives": list(zip(archives, sums)), "pairs": pairs, "fields": texts,
               "references": references}


#: Runs the oracle's command line with one more test set, which is described as JSON.
_ORACLE_WITH_SAMPLE = """
import importlib, json, sys
name, class_name, data, md5, langpairs = json.loads(sys.argv[1])
module, _, class_name = class_name.rpartition(".")
make = getattr(importlib.import_module("sacrebleu.dataset." + module), class_name)
importlib.import_module("sacrebleu.dataset").DATASETS[name] = make(name, data=data, md5=md5, langpairs=langpairs,
                                                                   refs=["B", "A"], description="")
sys.argv[1:2] = []
importlib.import_module("sacrebleu.sacrebleu").main()
"""

#: Command lines for `SAMPLE_SETS`, and what is in standard input: the references, or some of their words.
TEST_SET_LINES = """
sample/wmt -l en-de
sample/wmt -l en-de -m bleu chrf ter -f text
sample/wmt -l en-de --detail
sample/wmt -l en-de -d -m bleu chrf -f text -w 3
sample/wmt -l en-de -ol de -m chrf
sample/wmt -l en-de -ol non-de -m chrf -f text
sample/wmt -l en-de -ol fr
sample/wmt -l en-de --echo src
sample/wmt -l en-de --echo docid ref origlang
sample/wmt -l en-de --echo all
sample/wmt -l en-de --echo src -ol de
sample/wmt -l en-de --echo none
sample/wmt -l en-de --list
sample/tworefs -l en-de -m chrf -f text
sample/tworefs -l en-de --echo ref
sample/iwslt -l en-de -f text -m chrf
sample/iwslt -l en-de --echo all
sample/xml -l en-de -m chrf bleu -f text
sample/xml -l en-de --detail -m chrf
sample/xml -l en-de --detail -m chrf bleu -sh
sample/xml -l en-de --subset news -m chrf
sample/xml -l en-de --subset so -ol de -m chrf -f text
sample/xml -l en-de --echo src --subset s
sample/xml -l en-de --echo domain docid src
sample/tsv -l en-fr -m chrf
sample/tsv -l en-fr --list
sample/text -l en-de -m ter
sample/google -l en-de -m chrf --echo ref
"""


def run_with_sample(described: str, cache: str, *arguments: str,
                    stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run the oracle's command line with a sample, and with this folder for its cache."""
    return subprocess.run([sys.executable, "-c", _ORACLE_WITH_SAMPLE, described, *arguments], input=stdin.encode(),
                          env={**os.environ, "SACREBLEU": cache, "NO_COLOR": "1"}, capture_output=True, check=False)


def test_set_command_cases() -> Iterator[dict[str, object]]:
    """Command lines for the samples: what follows `-t`, standard input, standard output and exit code."""
    folder = TARGET / "datasets"
    write_sample_archives(folder)
    for line in TEST_SET_LINES.strip().splitlines():
        name, *arguments = shlex.split(line)
        class_name, _, archives, pairs = SAMPLE_SETS[name]
        sums = [hashlib.md5((folder / archive).read_bytes()).hexdigest() for archive in archives]
        described = json.dumps([name, class_name, [(folder / archive).as_uri() for archive in archives], sums, pairs])
        with tempfile.TemporaryDirectory() as cache:
            run = partial(run_with_sample, described, cache, "-t", name)
            references = run(*arguments[:2], "--echo", "ref").stdout.decode("utf-8")
            stdin = "".join([" ".join(line.split()[place % 3 == 0:]) + "\n"
                             for place, line in enumerate(references.split("\n")[:-1])])
            done = run(*arguments, stdin=stdin)
        yield {"line": line, "arguments": ["-t", name, *arguments], "stdin": stdin,
               "stdout": done.stdout.decode("utf-8"), "exit_code": done.returncode}


# Real data, of which only numbers are kept

class SharedCorpus:
    """Files of hypotheses of several systems, and of one or two references to them, as paths below a folder."""

    def __init__(self, systems: list[str], references: list[str]) -> None:
        self.systems = systems
        self.references = references


def shared_corpora(folder: Path) -> list[SharedCorpus]:
    """What there is in the folder; files belong together that are called the same up to `.hyp` and `.ref`."""
    found: dict[str, SharedCorpus] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        for part in (".hyp.", ".ref."):
            if part in name:
                corpus = found.setdefault(name.partition(part)[0], SharedCorpus([], []))
                (corpus.systems if part == ".hyp." else corpus.references).append(name)
    return [corpus for corpus in found.values() if corpus.systems and corpus.references]


def read_lines(path: Path) -> list[str]:
    """The lines of a file as the command line reads them."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


def shared_data_cases(folder: Path) -> Iterator[dict[str, object]]:
    """For each corpus, number of references, and options: what the rows of each system digest and sum up to.

    `digest` is that of `digest_of_rows`, `sums` are the column sums; `scores` come from them: smoothing method, value,
    score.
    """
    for corpus in shared_corpora(folder):
        systems = {name: read_lines(folder / name) for name in corpus.systems}
        streams = [read_lines(folder / name) for name in corpus.references]
        for count in range(1, len(streams) + 1):
            for options in statistics_options():
                metric = make_oracle_metric({**options, "references": streams[:count]})
                for name, hypotheses in systems.items():
                    rows = metric._extract_corpus_statistics(hypotheses, None)
                    sums = [sum(column) for column in zip(*rows)]
                    yield {"hypotheses": name, "references": corpus.references[:count], "options": options,
                           "segments": len(rows), "digest": digest_of_rows(rows), "sums": sums,
                           "scores": list(_smoothed_scores(metric, sums))}


def _smoothed_scores(metric: Any, sums: Sequence[int]) -> Iterator[list[object]]:
    for method, value in (("exp", None), ("none", None), ("floor", None), ("add-k", 0.5)):
        metric.smooth_method, metric.smooth_value = method, value
        yield [method, value, metric._compute_score_from_stats(list(sums)).score.hex()]


#: Metrics with their options, for fewer segments: the oracle's TER is slow.
MORE_OF_SHARED_DATA: tuple[tuple[str, Options], ...] = (
    ("CHRF", {}), ("CHRF", {"word_order": 2, "lowercase": True}),
    ("TER", {}), ("TER", {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True}),
)
SEGMENTS_FOR_MORE = 120


def more_shared_data_cases(folder: Path) -> Iterator[dict[str, object]]:
    """The same of other metrics and the first segments; of the scores, just that of the sums, which are floats too."""
    for corpus in shared_corpora(folder):
        systems = {name: read_lines(folder / name)[:SEGMENTS_FOR_MORE] for name in corpus.systems}
        streams = [read_lines(folder / name)[:SEGMENTS_FOR_MORE] for name in corpus.references]
        for count in sorted({1, len(streams)}):
            for metric_name, options in MORE_OF_SHARED_DATA:
                metric = getattr(oracle(), metric_name)(**options, references=streams[:count])
                for name, hypotheses in systems.items():
                    rows = metric._extract_corpus_statistics(hypotheses, None)
                    yield {"metric": metric_name, "hypotheses": name, "references": corpus.references[:count],
                           "options": options, "segments": len(rows), "digest": digest_of_rows(rows),
                           "score": float(metric._aggregate_and_compute(rows).score).hex()}


def shared_archive_cases(folder: Path) -> Iterator[dict[str, object]]:
    """For the test sets whose archives are in `../archives`: the SHA-256 sum of the text of each field of each pair."""
    there = {hashlib.md5(path.read_bytes()).hexdigest(): path for path in (folder.parent / "archives").iterdir()}
    for name, dataset in oracle().DATASETS.items():
        if all(checksum in there for checksum in dataset.md5):
            with tempfile.TemporaryDirectory() as cache:
                dataset._outdir = cache
                dataset._rawdir = os.path.join(cache, "raw")
                dataset.maybe_download = partial(lay_out_archives, dataset, there)
                for pair in dataset.langpairs:
                    sums = {field: hashlib.sha256(Path(path).read_bytes()).hexdigest()
                            for field, path in zip(dataset.fieldnames(pair), dataset.get_files(pair))}
                    yield {"name": name, "pair": pair, "fields": sums}


def lay_out_archives(dataset: Any, there: Mapping[str, Path]) -> None:
    """Do what the oracle does where it fetches archives, with those that are there by their checksums."""
    os.makedirs(dataset._rawdir, exist_ok=True)
    for url, checksum in zip(dataset.data, dataset.md5):
        path = os.path.join(dataset._rawdir, dataset._get_tarball_filename(url))
        Path(path).write_bytes(there[checksum].read_bytes())
        import_module("sacrebleu.utils").extract_tarball(path, dataset._rawdir)


# Segmentation by MeCab and SentencePiece

MECAB_SEED = 20
MECAB_LINES = 3000


def mecab_dictionary_cases() -> Iterator[dict[str, str]]:
    """The files of a small, made-up dictionary: their names and contents, compressed."""
    with tempfile.TemporaryDirectory() as folder:
        write_dictionary(Path(folder), MECAB_SEED)
        for path in sorted(Path(folder).iterdir()):
            yield {"name": path.name, "content": packed(path.read_bytes())}


def mecab_cases() -> Iterator[list[Any]]:
    """Lines, and their words by that dictionary, as MeCab splits them, and as mecab-ko does."""
    with tempfile.TemporaryDirectory() as folder:
        write_dictionary(Path(folder), MECAB_SEED)
        taggers = [import_module(name).Tagger(f"-r {os.devnull} -d {folder} -Owakati")
                   for name in ("MeCab", "mecab_ko")]
        for line in [*mecab_lines(random.Random(MECAB_SEED)), *filter(encodable, random_lines(MECAB_SEED, 500))]:
            yield [line, *[tagger.parse(line.strip()).split() for tagger in taggers]]


def mecab_lines(rng: random.Random) -> Iterator[str]:
    """Lines of words of the dictionary and of none, with runs that are longer than MeCab takes for one word."""
    kinds: Sequence[Sequence[str]] = (ALPHABET, ALPHABET, ALPHABET, " \t\u3000\u00d0",
                                      "、。!１2ーー一二漢字ßÑ😀ゃ각ᄀ\uffff\0")
    for _ in range(MECAB_LINES):
        yield "".join([rng.choice(rng.choice(kinds)) * rng.choice((1, 1, 1, 1, 2, 25, 26))
                       for _ in range(rng.randrange(16))])


def encodable(line: str) -> bool:
    """Whether a line has no lone surrogates, which native libraries refuse."""
    return not any("\ud800" <= character <= "\udfff" for character in line)


def packed(content: bytes) -> str:
    """Binary content as text."""
    return base64.b85encode(zlib.compress(content, 9)).decode("ascii")


#: Rules of a normalizer: code points of strings, and of what they become. (A space within one, for one thing.)
NORMALIZER_RULES = """\
41\t61
41 42\t78 20 79
64 20 69\t7a
e9\t65
ff21\t41
300\t
b7\t20
3b1 3b2 3b3\t20 20 78
"""

#: Options of trained models, beside those that all of them have.
TRAINED_MODELS: tuple[Options, ...] = (
    {"model_type": "unigram", "normalization_rule_name": "nmt_nfkc"},
    {"model_type": "bpe", "normalization_rule_name": "identity", "byte_fallback": True, "vocab_size": 600},
    {"model_type": "unigram", "normalization_rule_name": "identity", "byte_fallback": True, "vocab_size": 600},
    {"model_type": "bpe", "normalization_rule_tsv": NORMALIZER_RULES},
    {"model_type": "unigram", "normalization_rule_tsv": NORMALIZER_RULES, "split_by_whitespace": False},
    *[{"model_type": kind, "normalization_rule_name": "identity", **options} for kind in ("unigram", "bpe")
      for options in ({"user_defined_symbols": ["<sep>", "the", "er ", "..", "\u2581a"],
                       "control_symbols": ["<ctl>", "x"]},
                      {"treat_whitespace_as_suffix": True}, {"add_dummy_prefix": False},
                      {"remove_extra_whitespaces": False}, {"allow_whitespace_only_pieces": True})],
)

#: Kinds of pieces, in the numbers of the format.
NORMAL_PIECE, UNKNOWN_PIECE, USER_DEFINED_PIECE, UNUSED_PIECE = 1, 2, 4, 5


def sentencepiece_models() -> Iterator[tuple[str, bytes]]:
    """Small models: trained ones, and made-up ones, with their names."""
    sentencepiece = import_module("sentencepiece")
    every = random_lines(21, 6000)
    frequent = {character for character, _ in Counter("".join(every)).most_common(110)}
    text = [line for line in every if frequent.issuperset(line)]
    with tempfile.TemporaryDirectory() as folder:
        rules = os.path.relpath(os.path.join(folder, "rules.tsv"))
        for number, options in enumerate(TRAINED_MODELS):
            model = io.BytesIO()
            if "normalization_rule_tsv" in options:
                Path(rules).write_text(options["normalization_rule_tsv"], encoding="utf-8")
                options = {**options, "normalization_rule_tsv": rules}
            sentencepiece.SentencePieceTrainer.train(**{
                "sentence_iterator": iter(text), "model_writer": model, "vocab_size": 350, "num_threads": 1,
                "hard_vocab_limit": False, "character_coverage": 0.98, "minloglevel": 2, **options})
            # (The model says where its rules came from.)
            yield f"trained {number}", model.getvalue().replace(rules.encode(), b"-" * len(rules))
    for number in range(16):
        yield f"made up {number}", made_up_model(random.Random(number), 1 + number % 2)


def made_up_model(rng: random.Random, algorithm: int) -> bytes:
    """A model with strings over a few letters for pieces, of all kinds, and scores that are often equal."""
    texts = {"\u2581", *"abcde"[:rng.randrange(2, 6)]}
    while len(texts) < 60:
        texts.add(rng.choice(("", "", "\u2581")) + "".join(rng.choices("abcdeß", k=rng.randrange(1, 6))))
    kinds = (NORMAL_PIECE,) * 12 + ((USER_DEFINED_PIECE,) * (rng.random() < 0.5)
                                    + (UNUSED_PIECE,) * 3 * (rng.random() < 0.5))
    highest = rng.choice((0, 0, 3))
    pieces = b"".join([message(1, piece(text, highest - rng.randrange(1, 17) / 4, rng.choice(kinds)))
                       for text in sorted(texts)])
    return (message(1, piece("<unk>", 0, UNKNOWN_PIECE)) + pieces + message(2, bytes([3 << 3, algorithm]))
            + message(3, b""))


def piece(text: str, score: float, kind: int) -> bytes:
    """A piece, as a message of protocol buffers."""
    return message(1, text.encode("utf-8")) + b"\x15" + struct.pack("<f", score) + bytes([3 << 3, kind])


def message(field: int, content: bytes) -> bytes:
    """A field of protocol buffers that holds another message, or a text, of less than 128 bytes."""
    return bytes([field << 3 | 2, len(content)]) + content


def sentencepiece_model_cases() -> Iterator[dict[str, str]]:
    """The models: their names and the contents of their files, compressed."""
    for name, content in sentencepiece_models():
        yield {"name": name, "content": packed(content)}


def sentencepiece_cases() -> Iterator[dict[str, Any]]:
    """Lines by the models that segment them, with their pieces, separated by blanks."""
    sentencepiece = import_module("sentencepiece")
    for name, content in sentencepiece_models():
        processor = sentencepiece.SentencePieceProcessor(model_proto=content)
        lines = list(filter(encodable, random_lines(22, 150)))
        if name.startswith("made up"):
            rng = random.Random(name)
            lines = ["".join(rng.choices("abcdeß x\u2581", (9, 9, 9, 9, 9, 3, 6, 1, 1), k=rng.randrange(40)))
                     for _ in range(150)]
        lines += special_segmentation_lines(random.Random(name))
        yield {"name": name, "cases": [[line, " ".join(processor.EncodeAsPieces(line))] for line in lines]}


def special_segmentation_lines(rng: random.Random) -> Iterator[str]:
    """Lines of what is special to a normalizer, and to pieces."""
    odd = ("\u2581", " ", "  ", "\u3000", "\t", "\u00a8", "e\u0301", "\ufb01", "\uff76\uff9e", "\u1100\u1161\u11a8",
           "\u200b", "\ufeff", "\u0130", "ß", "\u00bd", "\u2026", "<s>", "</s>", "<unk>", "<ctl>", "x", "<sep>",
           "<0x41>", "the", "er ", "..", "a", "A", "AB", "d i", "é", "\uff21", "a\u0300", "·", "αβγ", "αβ", "\0",
           "😀", "b" * 40)
    for _ in range(60):
        yield "".join(rng.choices(odd, k=rng.randrange(8)))


def client_cases() -> Iterator[dict[str, Any]]:
    """What known clients, by their names, get from what they import and call."""
    sys.path.insert(0, str(CHECKOUT))
    clients = import_module("tests.clients")
    for name, calls in clients.CALLS.items():
        names: dict[str, Any] = {}
        exec(clients.TEXT + calls, names)
        yield {"client": name, "result": names["result"]}


#: The fixtures by name; what the cases of each are, its function says. (Those of `shared_...` take the folder, too.)
FIXTURES: dict[str, Callable[..., Iterable[object]]] = {
    **{f"tokens.{name}": tokens_of(name) for name in TOKENIZERS},
    "tokens.tercom": tercom_token_cases,
    "code_points": code_point_cases,
    "code_points.tercom": tercom_code_point_cases,
    "statistics": statistics_cases,
    "sentences": sentence_cases,
    "chrf": chrf_cases,
    "ter": ter_cases,
    "compute_bleu": compute_bleu_cases,
    "functions": function_cases,
    "clients": client_cases,
    "command_lines": command_line_cases,
    "tables": table_cases,
    "catalogue": catalogue_cases,
    "test_sets": test_set_cases,
    "test_set_commands": test_set_command_cases,
    "paired_tests": paired_test_cases,
    "random_streams": random_stream_cases,
    "mecab": mecab_cases,
    "mecab.dictionary": mecab_dictionary_cases,
    "sentencepiece": sentencepiece_cases,
    "sentencepiece.models": sentencepiece_model_cases,
    "shared_data": shared_data_cases,
    "shared_data.more": more_shared_data_cases,
    "shared_archives": shared_archive_cases,
}

#: Those that a reader may want to look into, and small enough.
UNCOMPRESSED = ("code_points", "code_points.tercom", "command_lines", "shared_archives", "shared_data",
                "shared_data.more", "tables", "test_set_commands")

if __name__ == "__main__":
    raise SystemExit(main())
