"""Functions that count n-grams for programs that call sacreBLEU. (purebleu's metrics use `engines.ngrams` instead.)"""

from __future__ import annotations

from collections import Counter

from ..engines.ngrams.counting import ngram_counts
from ..runtime.errors import check_text, whole_number
from ..runtime.hints import Any, Sequence


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Return the counts of the n-grams of one order in a sequence of words.

    Args:
        tokens: the words.
        n: the order, from 1.

    Returns:
        The count of each n-gram. The words of an n-gram are joined by spaces.

    Example:
        >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
        Counter({'a b': 2, 'b a': 1})
    """
    n = whole_number("n", n)
    return Counter(" ".join(tokens[start:start + n]) for start in range(len(tokens) - n + 1))


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[Any], int]:
    """Return the counts of a line's word n-grams (as tuples) of several orders, and the number of words of the line.

    Example:
        >>> extract_all_word_ngrams("a b a", 1, 2)
        (Counter({('a',): 2, ('b',): 1, ('a', 'b'): 1, ('b', 'a'): 1}), 3)
    """
    words = line.split()
    counts: Counter[Any] = Counter()
    for order in range(min_order, max_order + 1):
        counts.update(ngram_counts(words, order))
    return counts, len(words)


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Return the counts of the character n-grams of one order in a line.

    Args:
        line: any text.
        n: the order, from 1.
        include_whitespace: whether n-grams include whitespace. If not, whitespace is removed first.

    Returns:
        The count of each n-gram.

    Example:
        >>> extract_char_ngrams("a ba", 2)
        Counter({'ab': 1, 'ba': 1})
    """
    check_text("line", line)
    n = whole_number("n", n)
    if not include_whitespace:
        line = "".join(line.split())
    return Counter(line[start:start + n] for start in range(len(line) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """Return the result of `extract_char_ngrams` for each order from 1 to `max_order`.

    Example:
        >>> extract_all_char_ngrams("a a", 2)
        [Counter({'a': 2}), Counter({'aa': 1})]
    """
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
