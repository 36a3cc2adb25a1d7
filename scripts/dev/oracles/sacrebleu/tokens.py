"""Tokens: what each tokenizer makes of the lines of the golden file, and of every character of Unicode."""

from __future__ import annotations

import hashlib
from importlib import import_module
from typing import Any, Iterator

from ..files import golden_cases
from .oracle import TOKENIZERS, Options, oracle

#: The length of the stretches of code points whose digests are compared, and their starts, in the planes that have
#: characters.
CODE_POINTS_IN_STRETCH = 0x1000
CODE_POINTS = (*range(0, 0x40000, CODE_POINTS_IN_STRETCH), 0xE0000)

#: Where a character is put to see what a tokenizer does with it, and what lower-casing does.
CHARACTER_IN_LINE = "a_b 1_2 _. _3 ._, x_"
CHARACTER_IN_CASED_LINE = "_ x_ \u0391\u03a3_ \u0391\u03a3_\u0391 _\u03a3"
CHARACTER_IN_TERCOM_LINE = "a_b 1_2 _. ._, _'s 's_ __ x_"


def token_cases() -> Iterator[list[str]]:
    """The names of tokenizers, then lines, each with its tokens by these tokenizers, joined by blanks."""
    _, *golden = golden_cases("tokens.json.gz")
    tokenizers = [oracle().BLEU(tokenize=name).tokenizer for name in TOKENIZERS]
    return tokenized(["line", *TOKENIZERS], golden, tokenizers)


def tercom_token_cases() -> Iterator[list[str]]:
    """The same with the ways of Tercom's tokenizer, which are named by their options."""
    tokenizer_class = import_module("sacrebleu.tokenizers.tokenizer_ter").TercomTokenizer
    head, *golden = golden_cases("tokens.tercom.json.gz")
    return tokenized(head, golden, [tokenizer_class(case_sensitive=True, **tercom_options(way)) for way in head[1:]])


def tokenized(head: list[str], golden: list[list[str]], tokenizers: list[Any]) -> Iterator[list[str]]:
    """The lines of a golden file, tokenized anew. (No token can hold the blanks that join them.)"""
    yield head
    for line, *_ in golden:
        yield [line, *[" ".join(tokenizer(line).split()) for tokenizer in tokenizers]]


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
        metric = oracle().BLEU(tokenize="none" if lower else name, lowercase=lower)
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
