"""Conversion to lower case with the same result in all versions of Python.

`str.lower` depends on the interpreter's version of Unicode. The functions of this module always return the lower case
of Python 3.11 (Unicode 14). Python 3.12 and 3.13 have the same lower case. Generated tables have the characters whose
lower case may differ between versions.
"""

from __future__ import annotations

from functools import lru_cache

from ..runtime.hints import Sequence

_SIGMA, _SMALL_SIGMA, _FINAL_SIGMA = "\u03a3", "\u03c3", "\u03c2"


def lower_case(text: str) -> str:
    r"""Return the text in lower case, as `str.lower` of Python 3.11 does.

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
    """Return each line in lower case. (For speed, all lines are converted as one text, with the same result.)"""
    lowered = lower_case("\n".join(lines)).split("\n")
    # (Lines from Python programs may contain line feeds.)
    return lowered if len(lowered) == len(lines) else list(map(lower_case, lines))


class _Casing:
    """The differences between `str.lower` of this Python and of Python 3.11."""

    def __init__(self) -> None:
        from .properties import code_points
        from .tables import CASE_IGNORABLE, CASED, CHANGING_CASING, NEWER_LETTERS, UNCHANGED_LETTERS

        newer = list(map(chr, code_points(NEWER_LETTERS)))
        #: Letters that Python 3.11 changes, but this Python does not, with their lower case.
        self.missing = {letter: lower for letter, lower in zip(newer[::2], newer[1::2]) if letter.lower() == letter}
        unchanged = map(chr, code_points(UNCHANGED_LETTERS))
        #: Letters that this Python changes, but Python 3.11 does not.
        self.premature = frozenset([letter for letter in unchanged if letter.lower() != letter])
        #: Characters whose effect on a neighbouring sigma depends on the Unicode version. In Unicode 14, some of them
        #: are cased, some are ignored between cased characters, and the others are neither.
        self.changing = _characters(CHANGING_CASING)
        self.cased = _characters(CASED)
        self.ignorable = _characters(CASE_IGNORABLE)


#: Returns the only `_Casing`, which the first call makes.
_casing = lru_cache(maxsize=None)(_Casing)


def _characters(table: str) -> frozenset[str]:
    """Return the characters that have the property of a table."""
    from .properties import boundaries_of

    boundaries = boundaries_of(table)
    found: set[str] = set()
    for start, end in zip(boundaries[::2], boundaries[1::2]):
        found.update(map(chr, range(start, end)))
    return frozenset(found)


def _lower_case_of_letters(text: str, casing: _Casing) -> str:
    """Return the text in lower case. The text must not have both a sigma and a character of `changing`."""
    if any(letter in text for letter in casing.premature):
        return "".join([letter if letter in casing.premature else letter.lower() for letter in text])
    lowered = text.lower()
    for letter, lower in casing.missing.items():
        lowered = lowered.replace(letter, lower)
    return lowered


def _lower_case_with_sigmas(text: str, casing: _Casing) -> str:
    """Return a text with capital sigmas in lower case.

    At the end of a word, a capital sigma becomes a final sigma. The Unicode version decides which characters belong to
    a word. So sigmas are converted in a copy of the text. In this copy, ASCII characters replace the characters that
    depend on the version, with the same effect as in Unicode 14.
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
