"""The words and the characters that jiwer compares. (They are no choice for BLEU, so they are not in the registry.)"""

from __future__ import annotations

from itertools import groupby

from ..hints import Sequence
from ..unicode.whitespace import WHITESPACE

_OTHER_WHITESPACE = WHITESPACE.replace(" ", "")


def jiwer_words(lines: Sequence[str]) -> list[list[str]]:
    r"""Return the words of lines. Two or more whitespace characters become a space, and spaces separate words.

    So a single tab or no-break space stays within a word, unless it is at the beginning or end of the line.

    >>> jiwer_words(["one  two \t", "one\ttwo\t three"])
    [['one', 'two'], ['one\ttwo', 'three']]
    """
    if _has_other_whitespace("\n".join(lines), beside_line_feeds=len(lines) - 1):
        lines = [_with_spaces(line) if _has_other_whitespace(line) else line for line in lines]
    return [[word for word in line.split(" ") if word] for line in lines]


def jiwer_characters(lines: Sequence[str]) -> list[str]:
    """Return the characters of lines, without whitespace at their ends.

    >>> jiwer_characters([" one two "])
    ['one two']
    """
    return [line.strip(WHITESPACE) for line in lines]


def _has_other_whitespace(text: str, beside_line_feeds: int = 0) -> bool:
    """Whether there is whitespace other than spaces and this number of line feeds."""
    return text.count("\n") > max(0, beside_line_feeds) or any(space in text for space in _OTHER_WHITESPACE
                                                               if space != "\n")


def _with_spaces(line: str) -> str:
    """Return a line without whitespace at its ends, and with a space in place of two or more whitespace characters."""
    runs = [(is_space, "".join(run)) for is_space, run in groupby(line.strip(WHITESPACE), WHITESPACE.__contains__)]
    return "".join([" " if is_space and len(run) > 1 else run for is_space, run in runs])
