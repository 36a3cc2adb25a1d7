"""Write tests/fixtures/v1.json.gz anew, with the results of sacreBLEU 1.x for calls of its functions.

    ORACLE/bin/python scripts/dev/oracles v1

ORACLE has `sacrebleu==1.4.2`. Segments have six characters or more: chrF differs for shorter ones.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections import Counter
from importlib import import_module
from typing import Any, Dict, Iterator, List, Tuple

from dev.oracles.files import write_cases

WORDS = ["the", "a", "cat", "dogs", "sat", "on", "mat", ".", ",", "it's", "3.5", "ü", "犬", "(x)", "&amp;", "foo-bar"]
METHODS = (("exp", 0.0), ("floor", 0.0), ("floor", 0.1), ("none", 0.0))

#: A call: the name of a function, its arguments, and its keywords.
Call = Tuple[str, List[Any], Dict[str, Any]]


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    sacrebleu = import_module("sacrebleu")

    cases = [[name, arguments, keywords, plain(getattr(sacrebleu, name)(*arguments, **keywords))]
             for name, arguments, keywords in calls(random.Random(1))]
    return write_cases("v1.json.gz", cases, f"sacreBLEU {sacrebleu.VERSION}")


def calls(rng: random.Random) -> Iterator[Call]:
    """The calls, in an order that does not change."""
    for number in range(12):
        hypotheses, first, second = [[segment(rng) for _ in range(1 + number % 4)] for _ in range(3)]
        hypotheses[0] = first[0] if number % 3 else hypotheses[0]
        for method, value in METHODS:
            keywords = {"smooth_method": method, "smooth_value": value, "use_effective_order": bool(number % 2),
                        "tokenize": ("13a", "intl", "zh", "none")[number % 4], "lowercase": not number}
            yield "corpus_bleu", [hypotheses, [first, second][:1 + number % 2]], keywords
        yield "corpus_bleu", [], {"sys_stream": hypotheses[0], "ref_streams": second[0]}
        yield "raw_corpus_bleu", [hypotheses, [first]], {}
        yield "sentence_bleu", [hypotheses[0], first[0]], {}
        yield "corpus_chrf", [hypotheses, first], {"order": 3 + number % 4, "remove_whitespace": number > 3}
        yield "sentence_chrf", [hypotheses[0], second[0]], {"beta": 1 + number % 3}
        yield "extract_ngrams", [hypotheses[0]], {}
        yield "extract_char_ngrams", [hypotheses[0], 2], {}
        yield "ref_stats", [hypotheses[0], [first[0], second[0]]], {}
        yield "compute_bleu", [[9, 4, number % 3, 0], [10, 8, 6, number]], {"sys_len": 10, "ref_len": 9 + number}
        for name in ("tokenize_13a", "tokenize_v14_international", "tokenize_zh"):
            yield name, [hypotheses[0]], {}


def segment(rng: random.Random) -> str:
    """A few words, of six characters or more."""
    return " ".join(["cat", *[rng.choice(WORDS) for _ in range(rng.randint(3, 9))]])


def plain(result: Any) -> Any:
    """A result as JSON can hold it."""
    if hasattr(result, "precisions"):
        return [result.score, list(result.counts), list(result.totals), list(result.precisions), result.bp]
    if isinstance(result, Counter):
        return sorted(result.items())
    if isinstance(result, tuple):
        return list(map(plain, result))
    if isinstance(result, str):
        return " ".join(result.split())  # (Its tokens. There may be several spaces between two.)
    return getattr(result, "score", result)
