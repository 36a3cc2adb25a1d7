"""Functions on n-grams that clients of sacreBLEU import; purebleu itself counts otherwise."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """How often each n-gram of `tokens` occurs; an n-gram is its words, joined by blanks.

    >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
    Counter({'a b': 2, 'b a': 1})
    """
    return Counter(" ".join(tokens[start:start + n]) for start in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """How often each n-gram of characters occurs in `line`, its white space aside unless `include_whitespace`.

    >>> extract_char_ngrams("a ba", 2)
    Counter({'ab': 1, 'ba': 1})
    """
    if not include_whitespace:
        line = "".join(line.split())
    return Counter(line[start:start + n] for start in range(len(line) - n + 1))
