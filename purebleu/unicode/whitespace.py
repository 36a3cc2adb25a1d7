"""Whitespace, the same on every interpreter."""

from __future__ import annotations

#: The characters that `str.split` and `str.strip` of CPython remove. (PyPy's differ in a few characters.)
WHITESPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

#: A table for `str.translate` that replaces each of them by a space.
SPACES = dict.fromkeys(map(ord, WHITESPACE), " ")


def clean(text: str) -> str:
    r"""Return the text with one space for each run of whitespace, and none at its ends.

    >>> clean(" a\t \u3000b\n")
    'a b'
    """
    return " ".join(filter(None, text.translate(SPACES).split(" ")))
