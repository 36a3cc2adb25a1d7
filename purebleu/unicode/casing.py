"""Lower case that is the same on every Python.

`str.lower` follows the Unicode version of the interpreter, and each release knows more letters. Here, lower case is
that of Python 3.11 everywhere (Unicode 14, whose casing 3.12 and 3.13 share): the generated tables have the
differences.
"""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

_SIGMA, _SMALL_SIGMA, _FINAL_SIGMA = "\u03a3", "\u03c3", "\u03c2"


def lower_case(text: str) -> str:
    r"""The text in lower case, as `str.lower` of Python 3.11 has it.

    Example:
        >>> lower_case("\u0130STANBUL") == "i\u0307stanbul"
        True
    """
    if text.isascii():
        return text.lower()
    casing = _casing()
    if _SIGMA in text and not casing.changing.isdisjoint(text):
        return _lower_case_with_sigmas(text, casing)
    return _lower_case_of_letters(text, casing)


def lower_case_of_lines(lines: Sequence[str]) -> list[str]:
    """`lower_case` of each line. It never depends on text beyond a line feed, so all lines are done at once."""
    lowered = lower_case("\n".join(lines)).split("\n")
    # (Only the API can bring lines that have line feeds in them.)
    return lowered if len(lowered) == len(lines) else list(map(lower_case, lines))


class _Casing:
    """The differences between this Python's casing and the pinned one."""

    def __init__(self) -> None:
        from .properties import code_points
        from .tables import (
            CASE_IGNORABLE,
            CASED,
            CHANGING_CASING,
            LETTERS_WITHOUT_LOWER_CASE_YET,
            LOWER_CASE_OF_NEWER_LETTERS,
        )

        newer = list(map(chr, code_points(LOWER_CASE_OF_NEWER_LETTERS)))
        #: Letters that this Python should lower-case but does not, with their lower case.
        self.missing = {letter: lower for letter, lower in zip(newer[::2], newer[1::2]) if letter.lower() == letter}
        without = map(chr, code_points(LETTERS_WITHOUT_LOWER_CASE_YET))
        #: Letters that this Python lower-cases but should not.
        self.premature = frozenset([letter for letter in without if letter.lower() != letter])
        #: Characters whose meaning to a sigma next to them depends on the Unicode version, and that meaning.
        self.changing = _characters(CHANGING_CASING)
        self.cased = _characters(CASED)
        self.ignorable = _characters(CASE_IGNORABLE)


@lru_cache(maxsize=None)
def _casing() -> _Casing:
    return _Casing()


def _characters(table: str) -> frozenset[str]:
    """The characters that have the property of a table."""
    from .properties import boundaries_of

    boundaries = boundaries_of(table)
    found: set[str] = set()
    for start, end in zip(boundaries[::2], boundaries[1::2]):
        found.update(map(chr, range(start, end)))
    return frozenset(found)


def _lower_case_of_letters(text: str, casing: _Casing) -> str:
    """The lower case of text in which no sigma is next to a character whose casing changes."""
    if any(letter in text for letter in casing.premature):
        return "".join([letter if letter in casing.premature else letter.lower() for letter in text])
    lowered = text.lower()
    for letter, lower in casing.missing.items():
        lowered = lowered.replace(letter, lower)
    return lowered


def _lower_case_with_sigmas(text: str, casing: _Casing) -> str:
    """The lower case of any text.

    A capital sigma becomes a final one at the end of a word, and Unicode versions differ in which characters make a
    word. So sigmas are lower-cased in a stand-in for the text, whose characters mean the same in every version.
    """
    stand_in: list[str] = []
    for character in text:
        if character in (_SMALL_SIGMA, _FINAL_SIGMA) or character in casing.cased:
            character = "a"
        elif character in casing.ignorable:
            character = "'"
        elif character in casing.changing:
            character = " "
        stand_in.append(character)
    sigmas = [letter for letter in "".join(stand_in).lower() if letter in (_SMALL_SIGMA, _FINAL_SIGMA)]
    first, *others = [_lower_case_of_letters(part, casing) for part in text.split(_SIGMA)]
    return first + "".join([sigma + part for sigma, part in zip(sigmas, others)])
