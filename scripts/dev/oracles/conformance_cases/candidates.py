"""Candidates for cases: texts, corpora and options, all made up by seeded generators."""

from __future__ import annotations

import random
import sys
import unicodedata
from itertools import product

from dev.oracles.cases.generated_lines import (
    random_lines,
    random_segments,
    random_word_segments,
    short_lines,
    special_lines,
)
from dev.oracles.sacrebleu.corpora import corpora
from dev.oracles.sacrebleu.ter import TER_PAIRS, word_corpora
from dev.oracles.sacrebleu.tokens import TERCOM_LINES, TERCOM_WAYS, tercom_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, List, Sequence, Tuple

    from conformance.serving import Request

    from dev.oracles.cases.generated_lines import Segment

    from .word_variants import Options, Sets

    #: A hypothesis and its references.
    Pair = Tuple[str, List[str]]

#: The longest text of a case for a tokenizer, the most characters of a corpus, of one for TER, and of one that meets a
#: limit of its search.
LONGEST_LINE = 90
LONGEST_CORPUS = 330
LONGEST_OF_TER = 160
LONGEST_OF_WORDS = 700

#: How many pairs are tried at each limit of TER's search, for they take long.
AT_EACH_LIMIT = 6

#: Texts for the rules of each tokenizer, in the smallest contexts.
RULE_LINES = (
    "&amp;lt; &amp;amp; &quot;x&quot; &apos; &lt;b&gt; &AMP; &lt x", "a<skipped>b <skip<skipped>ped>",
    "end-\nof line\nnext",
    "a 's b's c'S it's", "Ann's's 's", "a.b,c a.1 1.a 1.1 .1 1. a. .a ,, .. ., 1,.2", "1-2 a-b 1-a a-1 - -1 1--2",
    "x_y x'y x`y x\"y", "\u0661.\u0662 a.\u0662 \u0661-2 \u0661,a", "\ufeffa \u200bb\u200b c\xadd \u2060e",
    "a\xa0b\u3000c\u2028d\x85e\x1cf\u202fg\u2007h", "caf\xe9 cafe\u0301 \ufb01x \u212b",
    "\U0001f600a\U0001d54f.\U00020000",
    "I\u0130\u0131i \u039f\u0394\u039f\u03a3 \u03a3 STRASSE stra\xdfe \u1e9e \U00010400 \u01c5",
    "\u2018a\u2019 \u201cb\u201d c\u2013d e\u2014f",
    "  a  ", "\ta\t", "", " ", "a", ".", "-",
)


def is_settled(text: str) -> bool:
    """Whether all characters are assigned, so that all versions of Unicode agree; no surrogates, which JSON lacks."""
    return not any(unicodedata.category(character) in ("Cn", "Cs") for character in text)


def shortest_first(texts: Iterable[str], longest: int = LONGEST_LINE) -> list[str]:
    return sorted({text for text in texts if len(text) <= longest and is_settled(text)},
                  key=lambda text: (len(text), text))


def word_options() -> Iterator[Options]:
    """The options of tokenizers: each, in lower case, too, and each way of Tercom's."""
    for name, lowercase in product(("13a", "intl", "zh", "char", "none"), (False, True)):
        yield {"tokenize": name, **({"lowercase": True} if lowercase else {})}
    for way in TERCOM_WAYS:
        yield {"tokenize": "tercom", **tercom_options(way), "case_sensitive": True}
    for way in ("", "normalized no_punct"):
        yield {"tokenize": "tercom", **tercom_options(way)}


def lines_for(options: Options, sets: Sets) -> list[str]:
    """Lines to try a tokenizer with: those that its rules are about, and others of all kinds."""
    name = options["tokenize"]
    lines = [*RULE_LINES, *special_lines(), *category_lines(), *random_lines(60, 600)]
    if name != "char" and name != "none":
        lines += short_lines("1a.,- ", 4)
    if name == "intl":
        lines += short_lines("½.—$a", 4)
    if name == "zh":
        lines += [*short_lines("1字。.", 4), *range_lines(sets.chinese)]
    if name == "tercom":
        lines += [*TERCOM_LINES, *short_lines("'s, ", 4), *short_lines("\n-1", 4), *short_lines("字、あ!", 3)]
        if options.get("asian_support"):
            lines += [*range_lines(sets.asian), *range_lines(sets.asian_marks)]
    return shortest_first(lines)


def range_lines(some: frozenset[str]) -> Iterator[str]:
    """A line about both ends of each range of characters."""
    from .word_variants import ranges_of

    for first, last in ranges_of(some):
        ends = [code for code in (first - 1, first, last, last + 1) if is_settled(chr(code))]
        yield "a" + "a".join(map(chr, dict.fromkeys(ends))) + "a"
        for code in ends:
            yield f"a{chr(code)}a"


def category_lines() -> Iterator[str]:
    """Lines about a few characters of each general category, some of them beyond the first plane."""
    by_category: dict[str, list[str]] = {}
    for code in range(0x80, sys.maxunicode + 1):
        by_category.setdefault(unicodedata.category(chr(code)), []).append(chr(code))
    rng = random.Random(61)
    for category, characters in sorted(by_category.items()):
        if category not in ("Cn", "Cs"):
            astral = [character for character in characters if character > "\uffff"]
            some = rng.sample(characters, min(6, len(characters)))
            for character in [*some, *rng.sample(astral, min(3, len(astral)))]:
                yield f"a{character}b"
                yield f"a{character}1 1{character}2 {character}. {character}3"


# Corpora

def bleu_options() -> Iterator[Options]:
    """Options of BLEU: each on its own, and some together."""
    yield {}
    for name in ("intl", "zh", "char", "none"):
        yield {"tokenize": name}
    for method, value in (("none", None), ("floor", None), ("add-k", None), ("floor", 0.0), ("floor", 0.5),
                          ("floor", 1e-9), ("add-k", 0.5), ("add-k", 2.5), ("add-k", 0), ("exp", 0.3), ("none", 3.0)):
        yield {"smooth_method": method, **({} if value is None else {"smooth_value": value})}
    for method in ("exp", "none", "floor", "add-k"):
        yield {"effective_order": True, "smooth_method": method}
    for method in ("none", "floor", "add-k"):
        yield {"tokenize": "none", "smooth_method": method}  # for libraries that take tokens
    for order in (1, 2, 3, 5, 6):
        yield {"max_ngram_order": order}
    yield {"lowercase": True}
    yield {"force": True}
    yield {"max_ngram_order": 6, "effective_order": True, "smooth_method": "add-k", "smooth_value": 0.1}
    yield {"max_ngram_order": 2, "smooth_method": "floor", "lowercase": True, "tokenize": "intl"}
    yield {"tokenize": "char", "lowercase": True, "max_ngram_order": 5, "effective_order": True}
    yield {"tokenize": "zh", "effective_order": True, "lowercase": True}


def chrf_options() -> Iterator[Options]:
    """Options of chrF: each on its own, and some together."""
    yield {}
    for order in (1, 2, 3):
        yield {"word_order": order}
    for order in (1, 2, 4, 8):
        yield {"char_order": order}
    for beta in (0, 0.5, 1, 3):
        yield {"beta": beta}
    for name in ("lowercase", "whitespace", "eps_smoothing"):
        yield {name: True}
    yield {"char_order": 0, "word_order": 2}
    yield {"char_order": 0, "word_order": 1, "eps_smoothing": True}
    yield {"word_order": 2, "eps_smoothing": True}
    yield {"word_order": 2, "lowercase": True, "beta": 1}
    yield {"word_order": 2, "whitespace": True, "beta": 3}
    yield {"whitespace": True, "eps_smoothing": True, "lowercase": True}
    yield {"char_order": 3, "word_order": 1, "beta": 3, "eps_smoothing": True, "whitespace": True}
    yield {"char_order": 12, "word_order": 4}


def ter_options() -> Iterator[Options]:
    """All combinations of the options of TER."""
    names = ("normalized", "no_punct", "asian_support", "case_sensitive")
    for chosen in product((False, True), repeat=len(names)):
        yield {name: True for name, value in zip(names, chosen) if value}


OPTIONS = {"bleu": bleu_options, "chrf": chrf_options, "ter": ter_options}


def requests_for(task: str, options: Options, turn: int) -> list[Request]:
    """Corpora and single sentences to try a metric with, the shortest first; `turn` tells which generated ones."""
    made = [*_written_corpora(), *_generated_corpora(turn)]
    longest = LONGEST_CORPUS
    if task == "ter":
        longest = LONGEST_OF_TER
        made += [[(one, [two])] for one, two in TER_PAIRS]
        made += _corpora_of_words(turn)
    made = [pairs for pairs in made if size(pairs) <= longest]
    if task == "ter" and not options:
        made += [pairs for pairs in _corpora_at_limits() if size(pairs) <= LONGEST_OF_WORDS]
    requests = [request_of(task, options, pairs, index) for index, pairs in enumerate(made)
                if all(map(is_settled, texts_of(pairs)))]
    return sorted(requests, key=lambda request: size(list(zip(request["hypotheses"], request["references"]))))


def request_of(task: str, options: Options, pairs: Sequence[Pair], turn: int = 0) -> Request:
    """A request; every other one of a single segment is about a sentence."""
    sentence = {"sentence": True} if len(pairs) == 1 and turn % 2 else {}
    return {"task": task, **sentence, "options": dict(options), "hypotheses": [pair[0] for pair in pairs],
            "references": [pair[1] for pair in pairs]}


def texts_of(pairs: Sequence[Pair]) -> list[str]:
    return [text for hypothesis, references in pairs for text in (hypothesis, *references)]


def size(pairs: Sequence[Pair]) -> int:
    return sum(map(len, texts_of(pairs)))


def pairs_of(segments: Iterable[Segment]) -> list[Pair]:
    """Segments without the references that are missing."""
    return [(segment.hypothesis, [text for text in segment.references if text is not None]) for segment in segments]


def _written_corpora() -> Iterator[list[Pair]]:
    """The corpora that fixtures are made from, and single texts that rules of metrics are about."""
    for _, hypotheses, streams in corpora():
        yield [(hypothesis, [text for text in texts if text is not None])
               for hypothesis, texts in zip(hypotheses, zip(*streams))]
    for line in RULE_LINES:
        yield [(line, ["a b c d", line.replace("a", "b")])]
        yield [(line, [line])]
    yield [("(hi) \"you\" 'x' ... .,! -", ["( hi ) \"you \" ' x ' .. . ,! -"])]
    yield [("“hi” ‘you’ 、x。", ["“ hi ” ‘you ’ 、 x 。"])]
    yield [("a b c d e", ["a b c", "a b c d e f g"]), ("a b c d", ["a b c d e f", "a b"])]
    yield [("a b c d e", ["a b c d e f g", "a b c"]), ("a b c d", ["a b", "a b c d e f"])]
    yield [("the cat the cat on the mat", ["the cat is on the mat", "the cat on the mat the"])] * 2
    yield [("a", ["a"]), ("b", ["b"]), ("c d", ["c d"])]
    yield [("caf\xe9 a b c", ["cafe\u0301 a b d"])]
    yield [("\U0001f600\U0001d400 a b c", ["\U0001f601\U0001d401 a b d"])]
    yield [("a b", ["a b c d e f g h"]), ("", ["a"]), ("a b c d e f", ["a b"])]


def _generated_corpora(turn: int) -> Iterator[list[Pair]]:
    rng = random.Random(600 + turn)
    for number in range(90):
        streams, missing = rng.choice(((1, False), (1, False), (2, False), (3, False), (2, True), (4, True)))
        segments = random_segments(rng.randrange(10 ** 6), 25, streams, missing)
        pairs = sorted(pairs_of(segments), key=lambda pair: size([pair]))
        count = rng.choice((1, 1, 1, 2, 3, 5))
        first = rng.randrange(len(pairs) - count)
        yield pairs[first:first + count]
        if number % 3 == 0:
            yield [shared_words(rng, streams) for _ in range(count)]


def shared_words(rng: random.Random, references: int) -> Pair:
    """Sentences of few words, so that many n-grams match."""
    vocabulary = rng.choice((("the", "cat", "sat", "on", "a", "mat."), ("The", "the", "A", "a", "it's", "3.5", "x,"),
                             ("\u5b57", "\u8bcd\u3002", "a", "B.", "\u03a3\u0391\u03a3", "\xe9t\xe9")))

    def text() -> str:
        return " ".join([rng.choice(vocabulary) for _ in range(rng.randint(1, 9))])
    return text(), [text() for _ in range(rng.randint(1, references))]


def _corpora_of_words(turn: int) -> Iterator[list[Pair]]:
    rng = random.Random(700 + turn)
    for streams, missing in ((1, False), (2, False), (3, True)):
        pairs = [pair for pair in pairs_of(random_word_segments(rng.randrange(10 ** 6), 60, streams, missing))
                 if size([pair]) <= LONGEST_CORPUS]
        for first in range(0, len(pairs) - 3, 3):
            yield pairs[first:first + 1 + first % 3]


def _corpora_at_limits() -> Iterator[list[Pair]]:
    for name, hypotheses, streams in word_corpora():
        if name.startswith("at a limit"):
            pairs = list(zip(hypotheses, *streams))
            for hypothesis, *references in pairs[::-(-len(pairs) // AT_EACH_LIMIT)]:
                yield [(hypothesis, [text for text in references if text is not None])]
