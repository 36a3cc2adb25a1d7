"""Integer ids for the symbols of segments, from an interning table per segment: equal where the symbols are.

The ids of a segment are bytes, `size` of them a symbol. They mean something only within their segment (a hypothesis
and its references); so ids can be small, and the fewer bits they take, the faster they are matched.
"""

from __future__ import annotations

from itertools import accumulate, repeat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    from .counting import Symbols

#: The length, in tokens, of the longest segment that `ids_of_tokens` takes: ids are positions in it, and the two
#: highest bytes are padding.
MAX_TOKENS = 253

#: The bytes, by the size of ids, that ids of padding consist of, which no symbol has: after the end of a hypothesis;
#: and after the end of a reference, also of tokens there that the hypothesis does not have. (Nor has any symbol the id
#: with all bits set.)
PADDING = {1: (b"\xfe", b"\xff"), 2: (b"\xd8", b"\xdc")}

_ASCII_BYTES = bytes(range(128))
_BYTES = bytes(range(256))


class Ids:
    """The ids of some segments.

    Args:
        sides: for each side (hypotheses, then each stream of references), the ids of each segment.
        size: the number of bytes of an id, 1 or 2.
        limit: larger than any id of one byte, so 0 where all take two; `None` where an id may be any position in its
            segment.
    """

    def __init__(self, sides: Sequence[list[bytes]], size: int, limit: int | None) -> None:
        self.sides = sides
        self.size = size
        self.limit = limit


def ids_of_tokens(columns: Sequence[Sequence[Symbols]]) -> Ids:
    """The ids of tokens: the position of a token's first occurrence in the hypothesis.

    Args:
        columns: the hypotheses, then each stream of references; no segment is longer than `MAX_TOKENS` tokens.
    """
    hypotheses, *references = columns
    tables: list[dict[Hashable, int]] = [{} for _ in hypotheses]
    positions, absent = range(MAX_TOKENS), repeat(PADDING[1][1][0])
    # Most of the time of BLEU goes into these maps, so there is as little as possible around them.
    sides = [[bytes(map(table.setdefault, tokens, positions)) for table, tokens in zip(tables, hypotheses)]]
    for column in references:
        sides.append([bytes(map(table.get, tokens, absent)) for table, tokens in zip(tables, column)])
    return Ids(sides, 1, None)


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
