"""Tokens of the golden file's lines, and of every character of Unicode, by each tokenizer."""

from __future__ import annotations

import hashlib
from importlib import import_module
from typing import Any, Iterator

from ..files import golden_cases
from .oracle import TOKENIZERS, Options, oracle

#: Ranges of code points, each with a digest: the number of code points in a range, and the first code points of ranges.
#: (Planes without characters are left out.)
CODE_POINTS_IN_STRETCH = 0x1000
CODE_POINTS = (*range(0, 0x40000, CODE_POINTS_IN_STRETCH), 0xE0000)

#: Lines in which a character replaces `_`, to test tokenizers and lower-casing.
CHARACTER_IN_LINE = "a_b 1_2 _. _3 ._, x_"
CHARACTER_IN_CASED_LINE = "_ x_ \u0391\u03a3_ \u0391\u03a3_\u0391 _\u03a3"
CHARACTER_IN_TERCOM_LINE = "a_b 1_2 _. ._, _'s 's_ __ x_"


def token_cases() -> Iterator[list[str]]:
    """Yield the names of tokenizers, and then lines, each with its tokens by each tokenizer, joined by spaces."""
    _, *golden = golden_cases("tokens.json.gz")
    tokenizers = [oracle().BLEU(tokenize=name).tokenizer for name in TOKENIZERS]
    return tokenized(["line", *TOKENIZERS], golden, tokenizers)


def tercom_token_cases() -> Iterator[list[str]]:
    """Yield the options of Tercom's tokenizer, and then lines, each with its tokens for each of these options."""
    tokenizer_class = import_module("sacrebleu.tokenizers.tokenizer_ter").TercomTokenizer
    head, *golden = golden_cases("tokens.tercom.json.gz")
    return tokenized(head, golden, [tokenizer_class(case_sensitive=True, **tercom_options(way)) for way in head[1:]])


def tokenized(head: list[str], golden: list[list[str]], tokenizers: list[Any]) -> Iterator[list[str]]:
    """Yield the head, and then the lines of a golden file with new tokens. (Tokens have no spaces, which join them.)"""
    yield head
    for line, *_ in golden:
        yield [line, *[" ".join(tokenizer(line).split()) for tokenizer in tokenizers]]


def tercom_options(way: str) -> Options:
    """Return the options that are named in a text."""
    return dict.fromkeys(way.split(), True)


def code_point_cases() -> Iterator[dict[str, object]]:
    """Yield, for each tokenizer and for lower case, a digest of the tokens of each range of code points.

    Each character replaces `_` in `line`. The tokens of each line are joined by spaces and followed by a line feed. A
    digest has the first 16 digits of the SHA-256 sum of these lines in UTF-8 (also of lone surrogates). `starts` has
    the first code points of the ranges.
    """
    for name in (*TOKENIZERS, "lower case"):
        lower = name == "lower case"
        metric = oracle().BLEU(tokenize="none" if lower else name, lowercase=lower)
        pattern = CHARACTER_IN_CASED_LINE if lower else CHARACTER_IN_LINE
        yield {"tokenizer": "none" if lower else name, "lowercase": lower, "line": pattern, "starts": CODE_POINTS,
               "size": CODE_POINTS_IN_STRETCH, "digests": list(digests_of_code_points(metric, pattern))}


def digests_of_code_points(metric: Any, pattern: str) -> Iterator[str]:
    """Yield, for each range of code points, a digest of a metric's tokens. Each character replaces `_` in `pattern`."""
    for start in CODE_POINTS:
        digest = hashlib.sha256()
        for code in range(start, start + CODE_POINTS_IN_STRETCH):
            tokens = metric._preprocess_segment(pattern.replace("_", chr(code))).split()
            digest.update((" ".join(tokens) + "\n").encode("utf-8", "surrogatepass"))
        yield digest.hexdigest()[:16]


def tercom_code_point_cases() -> Iterator[dict[str, object]]:
    """Yield digests as `code_point_cases` does, for the options of Tercom's tokenizer that treat non-ASCII text."""
    for way in ("normalized asian_support", "no_punct asian_support"):
        options = {**tercom_options(way), "case_sensitive": True}
        digests = list(digests_of_code_points(oracle().TER(**options), CHARACTER_IN_TERCOM_LINE))
        yield {"options": options, "line": CHARACTER_IN_TERCOM_LINE, "starts": CODE_POINTS,
               "size": CODE_POINTS_IN_STRETCH, "digests": digests}
