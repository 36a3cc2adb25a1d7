"""Lower case that is the same on every Python.

`str.lower` depends on the Unicode version of the interpreter. Here, lower case is always that of Python 3.11 (Unicode
14; 3.12 and 3.13 have the same). Generated tables have the differences.
"""

from __future__ import annotations

from functools import lru_cache

from ..hints import Sequence

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
    """Return each line in lower case. (No line has an effect on another one, so they are converted as one text.)"""
    lowered = lower_case("\n".join(lines)).split("\n")
    # (In the API, a line may contain line feeds.)
    return lowered if len(lowered) == len(lines) else list(map(lower_case, lines))


class _Casing:
    """The differences between `str.lower` of this Python and of Python 3.11."""

    def __init__(self) -> None:
        from .properties import code_points
        from .tables import CASE_IGNORABLE, CASED, CHANGING_CASING, NEWER_LETTERS, UNCHANGED_LETTERS

        newer = list(map(chr, code_points(NEWER_LETTERS)))
        #: Letters that this Python leaves as they are, but should not, each with its lower case.
        self.missing = {letter: lower for letter, lower in zip(newer[::2], newer[1::2]) if letter.lower() == letter}
        unchanged = map(chr, code_points(UNCHANGED_LETTERS))
        #: Letters that this Python changes, but should not.
        self.premature = frozenset([letter for letter in unchanged if letter.lower() != letter])
        #: Characters whose effect on a sigma beside them depends on the Unicode version: in version 14, some are cased,
        #: some are ignored between cased ones, and others are neither.
        self.changing = _characters(CHANGING_CASING)
        self.cased = _characters(CASED)
        self.ignorable = _characters(CASE_IGNORABLE)


#: Makes the `_Casing`, once.
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
    """Return text in lower case. It must have no sigma, or no characters of `changing`."""
    if any(letter in text for letter in casing.premature):
        return "".join([letter if letter in casing.premature else letter.lower() for letter in text])
    lowered = text.lower()
    for letter, lower in casing.missing.items():
        lowered = lowered.replace(letter, lower)
    return lowered


def _lower_case_with_sigmas(text: str, casing: _Casing) -> str:
    """Return any text in lower case.

    At the end of a word, a capital sigma becomes a final sigma. Which characters belong to a word depends on the
    Unicode version. So sigmas are converted in a copy of the text, whose other characters have the same effect in all
    versions.
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
