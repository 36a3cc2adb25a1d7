"""Whitespace and properties of characters (the same in all versions of Python), and normal forms."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

#: The characters that `str.split` and `str.strip` of CPython remove. (The methods of PyPy differ in a few characters.)
WHITESPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

#: A table for `str.translate` that replaces each whitespace character by a space.
SPACES = dict.fromkeys(map(ord, WHITESPACE), " ")

#: The characters of the digit 0 in tables (see `code_points`): before the last digit, and as the last digit.
_FIRST_DIGIT, _FIRST_LAST_DIGIT = ord("#"), ord("?")


def clean(text: str) -> str:
    r"""Return the text with one space for each run of whitespace, and without whitespace at its ends.

    >>> clean(" a\t \u3000b\n")
    'a b'
    """
    return " ".join(filter(None, text.translate(SPACES).split(" ")))


@lru_cache(maxsize=None)
def boundaries_of(table: str) -> tuple[int, ...]:
    """Return, for each run of characters with the property of a table, its first code point and its end.

    The end is the first code point after the run.

    >>> boundaries_of("Ic@")
    (10, 46, 47)
    """
    return tuple(accumulate(code_points(table)))


def code_points(table: str) -> list[int]:
    """Return the numbers in a table.

    The last digit of a number is a character from `?` to `~`, for the number modulo 64. The earlier digits, from `#` to
    `>`, are the number divided by 64, in base 28.

    >>> code_points("`a$?")
    [33, 34, 64]
    """
    numbers: list[int] = []
    rest = 0
    for digit in table.replace("\n", "").encode("ascii"):
        if digit < _FIRST_LAST_DIGIT:
            rest = 28 * rest + digit - _FIRST_DIGIT
        else:
            numbers.append(64 * rest + digit - _FIRST_LAST_DIGIT)
            rest = 0
    return numbers


def has_property(table: str, character: str) -> bool:
    """Whether a character has the property of a table.

    >>> from purebleu.unicode.tables import NUMERIC
    >>> has_property(NUMERIC, "7"), has_property(NUMERIC, "x")
    (True, False)
    """
    return bisect_right(boundaries_of(table), ord(character)) % 2 == 1


#: The names of normal forms in options and signatures.
NORMAL_FORMS = ("nfc", "nfkc")

#: The first combining mark. A text in which all characters come before it is in the form `nfc`.
_FIRST_COMBINING = "\u0300"


def normal_form(line: str, form: str) -> str:
    """Return a line in one of `NORMAL_FORMS`.

    >>> len(normal_form("e\\u0301", "nfc")), normal_form("\\uff21", "nfkc")
    (1, 'A')
    """
    if line.isascii() or (form == "nfc" and max(line) < _FIRST_COMBINING):
        return line
    from unicodedata import normalize

    return normalize("NFC" if form == "nfc" else "NFKC", line)
