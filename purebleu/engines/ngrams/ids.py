"""Codes for the symbols of segments: small numbers that are equal where the symbols of a segment are.

A segment's codes are bytes, `size` of them a symbol. They mean something only within their segment (a hypothesis and
its references); so codes can be small, and the fewer bits they take, the faster they are matched.
"""

from __future__ import annotations

from itertools import accumulate, repeat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    from .counting import Symbols

#: The longest segment that `codes_of_symbols` takes.
LONGEST = 253

#: The bytes of codes that no symbol has, of either size: after the end of a hypothesis; and after the end of a
#: reference, also of symbols there that the hypothesis does not have. (Nor has any symbol the code with all bits set.)
ENDS = {1: (b"\xfe", b"\xff"), 2: (b"\xd8", b"\xdc")}

_ASCII = bytes(range(128))
_BYTES = bytes(range(256))


class Codes:
    """The codes of some segments: for each side (hypotheses, then each stream of references) a list of them.

    `limit` is larger than any code of one byte, so 0 where all take two; `None` where a code may be any position in its
    segment.
    """

    def __init__(self, sides: Sequence[list[bytes]], size: int, limit: int | None) -> None:
        self.sides = sides
        self.size = size
        self.limit = limit


def codes_of_symbols(columns: Sequence[Sequence[Symbols]]) -> Codes:
    """Codes of tokens: the position of a token's first occurrence in the hypothesis.

    `columns` are the hypotheses, then each stream of references; no segment is longer than `LONGEST`.
    """
    hypotheses, *references = columns
    known: list[dict[Hashable, int]] = [{} for _ in hypotheses]
    positions, absent = range(LONGEST), repeat(ENDS[1][1][0])
    # Most of the time of BLEU goes into these maps, so there is as little as possible around them.
    sides = [[bytes(map(code.setdefault, symbols, positions)) for code, symbols in zip(known, hypotheses)]]
    for column in references:
        sides.append([bytes(map(code.get, symbols, absent)) for code, symbols in zip(known, column)])
    return Codes(sides, 1, None)


def codes_of_characters(columns: Sequence[Sequence[str]]) -> Codes | None:
    """Codes of characters, the same for all of these segments: one byte where so many suffice, else two.

    `columns` are the hypotheses, then each stream of references. `None` where there are more different characters
    beyond the first plane of Unicode than stand-ins for them.
    """
    strings = [string for column in columns for string in column]
    text = "".join(strings)
    foreign = set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    beyond_latin = [character for character in foreign if character > "\xff"]
    free = _BYTES.translate(None, text.encode("latin-1", "ignore"))
    if len(beyond_latin) <= len(free) - 3:
        # Letters beyond Latin-1 take the place of letters in it that do not occur: then each is one byte.
        for character, stand_in in zip(beyond_latin, free):
            text = text.replace(character, chr(stand_in))
        data = text.encode("latin-1")
        used = _BYTES.translate(None, _BYTES.translate(None, data))
        return Codes(_cut(data.translate(bytes.maketrans(used, _BYTES[:len(used)])), 1, strings, columns), 1, len(used))
    # Two bytes are UTF-16; what takes four there takes the place of surrogates that do not occur.
    too_large = [character for character in foreign if character > "\uffff" or character in "\ud8d8\udcdc\uffff"]
    reserved = foreign.union("\ud8d8\udcdc")
    free_surrogates = [chr(code) for code in range(0xD800, 0xE000) if chr(code) not in reserved]
    if len(too_large) > len(free_surrogates):
        return None
    for character, surrogate in zip(too_large, free_surrogates):
        text = text.replace(character, surrogate)
    return Codes(_cut(text.encode("utf-16-le", "surrogatepass"), 2, strings, columns), 2, 0)


def _cut(data: bytes, size: int, strings: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[bytes]]:
    """`data`, the codes of all `strings` of the columns one after another, cut into those of each."""
    ends = list(accumulate([size * len(string) for string in strings]))
    pieces = [data[start:end] for start, end in zip([0, *ends], ends)]
    return [pieces[place:place + len(columns[0])] for place in range(0, len(pieces), max(1, len(columns[0])))]
