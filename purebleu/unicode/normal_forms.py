"""Unicode's normal forms, as Python's own tables have them (of Unicode 12.1 or later)."""

from __future__ import annotations

#: The names of the forms, in options and in signatures.
NORMAL_FORMS = ("nfc", "nfkc")

#: The first combining mark. Text in which all characters come before it is in the form `nfc`.
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
