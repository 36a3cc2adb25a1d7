"""Blocks of characters by the writing of their scripts: without spaces between words, or from right to left."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Sequence

    CharacterTable = Dict[int, str]
else:
    CharacterTable = dict

#: The first and the last character of blocks of scripts that write no spaces between words: Thai and Lao, Burmese,
#: Khmer, Chinese characters with kana and their punctuation, compatibility forms, wide forms, further Chinese ones.
UNSPACED_BLOCKS = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFF01, 0xFFEF),
    (0x20000, 0x3FFFF),
)

#: Those of Hangul, which has spaces between phrases rather than between words.
HANGUL_BLOCKS = ((0x1100, 0x11FF), (0xAC00, 0xD7FF))

#: Those of scripts that are written from right to left: Hebrew, Arabic and their neighbours, presentation forms, and
#: those of the supplementary planes.
RIGHT_TO_LEFT_BLOCKS = ((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFE), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF))


def is_in(character: str, blocks: Sequence[tuple[int, int]]) -> bool:
    """Whether a character is in one of some blocks.

    >>> is_in("字", UNSPACED_BLOCKS), is_in("字", RIGHT_TO_LEFT_BLOCKS)
    (True, False)
    """
    code = ord(character)
    return any(first <= code <= last for first, last in blocks)


class _Unspaced(CharacterTable):
    """A table for `str.translate` that makes `U` of a character of `UNSPACED_BLOCKS`, and a space of any other one."""

    def __missing__(self, code: int) -> str:
        self[code] = "U" if is_in(chr(code), UNSPACED_BLOCKS) else " "
        return self[code]


_UNSPACED = _Unspaced()

#: The first of these characters.
_FIRST_UNSPACED = chr(UNSPACED_BLOCKS[0][0])


def unspaced_characters(line: str) -> int:
    """The number of characters of scripts that write no spaces between words.

    >>> unspaced_characters("東京 (Tokyo)"), unspaced_characters("Füße")
    (2, 0)
    """
    # (Most lines have none: to find that out is far faster than to count.)
    return 0 if line.isascii() or max(line) < _FIRST_UNSPACED else line.translate(_UNSPACED).count("U")


def lacks_spaces(line: str) -> bool:
    """Whether a line is of a script without spaces between words, so that the text between two spaces is no word.

    >>> lacks_spaces("他昨天去了学校,没有回来。"), lacks_spaces("He went to 東京 yesterday.")
    (True, False)
    """
    unspaced = unspaced_characters(line)
    return unspaced >= 10 and unspaced > 5 * len(line.split())
