"""Integer ids for the characters of segments (see `ids`)."""

from __future__ import annotations

from itertools import accumulate

from .ids import Ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

_ASCII_BYTES = bytes(range(128))
_BYTES = bytes(range(256))


def ids_of_characters(columns: Sequence[Sequence[str]]) -> Ids | None:
    """The ids of characters, the same for all of these segments: of one byte where that suffices, else of two.

    Args:
        columns: the hypotheses, then each stream of references.

    Returns:
        `None` where there are more different characters beyond the Basic Multilingual Plane than stand-ins for them.
    """
    strings = [string for column in columns for string in column]
    text = "".join(strings)
    foreign = set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII_BYTES).decode("utf-8", "surrogatepass"))
    beyond_latin = [character for character in foreign if character > "\xff"]
    free = _BYTES.translate(None, text.encode("latin-1", "ignore"))
    if len(beyond_latin) <= len(free) - 3:
        # Letters beyond Latin-1 are replaced by letters in it that do not occur: then each is one byte. (Three ids are
        # left over: two of padding, and the one with all bits set.)
        for character, stand_in in zip(beyond_latin, free):
            text = text.replace(character, chr(stand_in))
        data = text.encode("latin-1")
        used = _BYTES.translate(None, _BYTES.translate(None, data))
        ids = data.translate(bytes.maketrans(used, _BYTES[:len(used)]))
        return Ids(_split(ids, 1, strings, columns), 1, len(used))
    # Two bytes are UTF-16; what takes four there is replaced by surrogates that do not occur.
    too_large = [character for character in foreign if character > "\uffff" or character in "\ud8d8\udcdc\uffff"]
    reserved = foreign.union("\ud8d8\udcdc")
    free_surrogates = [chr(code) for code in range(0xD800, 0xE000) if chr(code) not in reserved]
    if len(too_large) > len(free_surrogates):
        return None
    for character, surrogate in zip(too_large, free_surrogates):
        text = text.replace(character, surrogate)
    return Ids(_split(text.encode("utf-16-le", "surrogatepass"), 2, strings, columns), 2, 0)


def _split(ids: bytes, size: int, strings: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[bytes]]:
    """The ids of all `strings` of the columns, one after another, split into those of each."""
    ends = list(accumulate([size * len(string) for string in strings]))
    pieces = [ids[start:end] for start, end in zip([0, *ends], ends)]
    return [pieces[start:start + len(columns[0])] for start in range(0, len(pieces), max(1, len(columns[0])))]
