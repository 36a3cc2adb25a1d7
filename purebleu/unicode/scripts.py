"""Scripts without spaces between words: their blocks of characters, and checks of lines."""

from __future__ import annotations

from ..runtime.hints import CharacterTable, Sequence

#: Blocks of scripts without spaces between words, each with its first and its last code point: Thai and Lao, Burmese,
#: Khmer, Chinese characters with kana and punctuation, compatibility forms, wide forms, further Chinese characters.
UNSPACED_BLOCKS = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFF01, 0xFFEF),
    (0x20000, 0x3FFFF),
)

#: The block of Tibetan, which has marks between syllables, and spaces between clauses.
_TIBETAN_BLOCKS = ((0x0F00, 0x0FFF),)

#: The blocks of kana.
_KANA_BLOCKS = ((0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F))

#: The blocks of Chinese characters.
_HAN_BLOCKS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))

#: The blocks of Hangul, which has spaces between phrases rather than between words.
HANGUL_BLOCKS = ((0x1100, 0x11FF), (0xAC00, 0xD7FF))


def is_in(character: str, blocks: Sequence[tuple[int, int]]) -> bool:
    """Whether a character is in one of `blocks`.

    >>> is_in("字", UNSPACED_BLOCKS), is_in("字", HANGUL_BLOCKS)
    (True, False)
    """
    code = ord(character)
    return any(first <= code <= last for first, last in blocks)


class _Unspaced(CharacterTable):
    """A table for `str.translate` that replaces the characters of some blocks by `U`, and all others by spaces."""

    def __init__(self, blocks: Sequence[tuple[int, int]]) -> None:
        super().__init__()
        self._blocks = blocks

    def __missing__(self, code: int) -> str:
        self[code] = " "
        for first, last in self._blocks:  # (a call of `is_in` would take twice the time)
            if first <= code <= last:
                self[code] = "U"
        return self[code]


_UNSPACED = _Unspaced(UNSPACED_BLOCKS)
_UNSPACED_OR_TIBETAN = _Unspaced((*UNSPACED_BLOCKS, *_TIBETAN_BLOCKS))
_KANA = _Unspaced(_KANA_BLOCKS)
_HAN = _Unspaced(_HAN_BLOCKS)

#: The first character of scripts without spaces.
_FIRST_UNSPACED = chr(UNSPACED_BLOCKS[0][0])


def unspaced_characters(line: str) -> int:
    """Return the number of characters of scripts that write no spaces between words.

    >>> unspaced_characters("東京 (Tokyo)"), unspaced_characters("Füße")
    (2, 0)
    """
    # (Most lines have no such characters, and this check is far faster than counting.)
    return 0 if line.isascii() or max(line) < _FIRST_UNSPACED else line.translate(_UNSPACED).count("U")


def lacks_spaces(line: str) -> bool:
    """Whether most of a line is in a script without spaces between words.

    >>> lacks_spaces("他昨天去了学校,没有回来。"), lacks_spaces("He went to 東京 yesterday.")
    (True, False)
    """
    unspaced = unspaced_characters(line)
    return unspaced >= 10 and unspaced > 5 * len(line.split())


def words_in(line: str) -> Sequence[str]:
    """Return the words of a line in lower case, or the characters of a line that `lacks_spaces`."""
    return line if lacks_spaces(line) else line.lower().split()


def is_unspaced(line: str) -> bool:
    """Whether a line is in Tibetan or in a script without spaces, and has hardly any spaces.

    The text between two spaces has, on average, more than five characters of these scripts. A line without any space
    has two of them or more.

    >>> is_unspaced("你好。"), is_unspaced("他 昨天 去 了 学校 。"), is_unspaced("བོད་སྐད་ཤེས་ཀྱི་ཡོད།")
    (True, False, True)
    """
    if line.isascii() or max(line) < _FIRST_UNSPACED:
        return False
    unspaced, words = line.translate(_UNSPACED_OR_TIBETAN).count("U"), len(line.split())
    if words <= 1:
        return words == 1 and unspaced > 1
    return unspaced > 5 * words


def usual_language(lines: Sequence[str]) -> str:
    """Return the likely language of lines without spaces: `ja`, `zh`, or an empty string for another language.

    >>> usual_language(["彼は学校に行きました。"]), usual_language(["他去了学校。"]), usual_language(["เขาไปโรงเรียน"])
    ('ja', 'zh', '')
    """
    text = "".join(lines)
    kana, han = text.translate(_KANA).count("U"), text.translate(_HAN).count("U")
    if 10 * kana > han:
        return "ja"
    return "zh" if han else ""
