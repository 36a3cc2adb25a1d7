"""Tokens: what each tokenizer makes of lines, and of every character of Unicode."""

from __future__ import annotations

import hashlib
from importlib import import_module

from dev.oracles.cases.generated_lines import random_lines, short_lines, special_lines

from .oracle import TOKENIZERS, make_oracle_metric, oracle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator

    from .oracle import Options

#: The ways of Tercom's tokenizer, each named by the options that it takes. (Asian support is part of the other two.)
TERCOM_WAYS = ("", "normalized", "no_punct", "normalized no_punct", "normalized asian_support",
               "no_punct asian_support", "normalized no_punct asian_support")

#: The length of the stretches of code points whose digests are compared, and their starts, in the planes that have
#: characters.
CODE_POINTS_IN_STRETCH = 0x1000
CODE_POINTS = (*range(0, 0x40000, CODE_POINTS_IN_STRETCH), 0xE0000)

#: Where a character is put to see what a tokenizer does with it, and what lower-casing does.
CHARACTER_IN_LINE = "a_b 1_2 _. _3 ._, x_"
CHARACTER_IN_CASED_LINE = "_ x_ \u0391\u03a3_ \u0391\u03a3_\u0391 _\u03a3"
CHARACTER_IN_TERCOM_LINE = "a_b 1_2 _. ._, _'s 's_ __ x_"


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


#: Lines for which Tercom's tokenizer has rules, or seems to: possessives, entities, kana, hangul, full-width marks, the
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
