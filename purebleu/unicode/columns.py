"""Text in a terminal: its width in columns, and text that is written from right to left."""

from __future__ import annotations

from ..runtime.hints import Iterator

#: The characters that start and end isolated text. (Isolated text has the direction of its first letter.)
_FIRST_STRONG_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"

#: Characters that change the direction of all text that follows them.
_DIRECTION_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")


def columns_taken(text: str) -> int:
    """Return the width of a text in columns. A wide character takes two columns, and a combining mark takes none.

    >>> columns_taken("cafe\u0301"), columns_taken("\u732b")
    (4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns_of_character, text))


def _columns_of_character(character: str) -> int:
    from unicodedata import category, east_asian_width

    # (Characters below U+0300 take one column. Vowels and final consonants of Hangul take none: they join a syllable.)
    if character < "\u0300":
        return 1
    if category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1


def isolated(text: str) -> str:
    r"""Return the text, isolated if it has letters from right to left, so that they do not move the text around it.

    >>> ascii(isolated("\u05d0")), isolated("a")
    ("'\\u2068\\u05d0\\u2069'", 'a')
    """
    if text.isascii():
        return text
    from unicodedata import bidirectional

    if any(bidirectional(character) in ("R", "AL", "AN") for character in text):
        return f"{_FIRST_STRONG_ISOLATE}{text}{_END_OF_ISOLATE}"
    return text


def without_direction_controls(text: str) -> str:
    """Replace characters that change the direction of all text after them by U+FFFD."""
    return text if text.isascii() else text.translate(_DIRECTION_CONTROLS)


def pieces_of_width(text: str, columns: int) -> Iterator[str]:
    """Yield pieces of the text that take at most `columns` columns. A combining mark stays with its character.

    >>> list(pieces_of_width("abcde", 2))
    ['ab', 'cd', 'e']
    """
    piece, taken = "", 0
    for character in text:
        width = columns_taken(character)
        if piece and taken + width > columns:
            yield piece
            piece, taken = "", 0
        piece += character
        taken += width
    if piece:
        yield piece
