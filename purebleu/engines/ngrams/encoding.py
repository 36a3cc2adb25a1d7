"""Integer ids for the tokens or the characters of segments. Equal symbols have equal ids.

The ids of a segment are bytes, `size` of them for each symbol. They are valid only within their segment (a hypothesis
and its references). So ids can be small: the fewer bits they have, the faster they are matched.
"""

from __future__ import annotations

from codecs import charmap_build, charmap_encode
from itertools import accumulate, repeat

from ...hints import Hashable, NamedTuple, Sequence, Tokens

#: The number of tokens of the longest segment that `ids_of_tokens` accepts. (An id is a position in the segment, and
#: the two highest bytes are padding.)
MAX_TOKENS = 253

#: Two ids for padding, as bytes, by the size of ids. The first follows the end of a hypothesis, the second the end of a
#: reference. No symbol of a hypothesis has either. A token that only the reference has gets the second one. (No symbol
#: has the id with all bits set.)
PADDING = {1: (b"\xfe", b"\xff"), 2: (b"\xd8", b"\xdc")}


class Ids(NamedTuple):
    """The ids of some segments.

    Attributes:
        sides: for each side (hypotheses, then each stream of references), the ids of each segment.
        size: the number of bytes of an id, 1 or 2.
        limit: a number above all ids of one byte, 0 if ids have two bytes; `None` if an id may be any position in its
            segment.
    """

    sides: Sequence[list[bytes]]
    size: int
    limit: int | None


def ids_of_tokens(columns: Sequence[Sequence[Tokens]]) -> Ids:
    """Return the ids of tokens: each is the position at which the token first occurs in the hypothesis.

    Args:
        columns: the hypotheses, then each stream of references. No segment has more than `MAX_TOKENS` tokens.
    """
    hypotheses, *references = columns
    tables: list[dict[Hashable, int]] = [{} for _ in hypotheses]
    positions, absent = range(MAX_TOKENS), repeat(PADDING[1][1][0])
    # (BLEU takes most of its time in these maps, so nothing else is done here.)
    sides = [[bytes(map(table.setdefault, tokens, positions)) for table, tokens in zip(tables, hypotheses)]]
    for column in references:
        sides.append([bytes(map(table.get, tokens, absent)) for table, tokens in zip(tables, column)])
    return Ids(sides, 1, None)


_BYTES = bytes(range(256))

#: The largest number of different characters with ids of one byte. (Two of 256 ids are padding, and one has all bits
#: set.)
_MAX_ONE_BYTE_IDS = 253

#: Characters whose two bytes in UTF-16 are the id of padding, or have all bits set: they need another id.
_RESERVED = "\ud8d8\udcdc\uffff"

#: The characters of the last text whose ids had one byte. The next text has most of them, too. The first character has
#: to be U+0000, or else `charmap_build` would not make a table that is read in C.
_LAST_ALPHABET = ["\0"]


def ids_of_characters(columns: Sequence[Sequence[str]]) -> Ids | None:
    """Return the ids of characters, which are valid for all of these segments: of one byte if possible, else of two.

    Args:
        columns: the hypotheses, then each stream of references.

    Returns:
        The ids; `None` if too many different characters are beyond U+FFFF.
    """
    strings = [string for column in columns for string in column]
    text = _in_two_bytes("".join(strings))
    if text is None:
        return None
    data = _in_one_byte(text)
    used = _BYTES if data is None else _BYTES.translate(None, _BYTES.translate(None, data))
    if data is None or len(used) > _MAX_ONE_BYTE_IDS:
        return Ids(_split(text.encode("utf-16-le", "surrogatepass"), 2, strings, columns), 2, 0)
    ids = data.translate(bytes.maketrans(used, _BYTES[:len(used)]))
    return Ids(_split(ids, 1, strings, columns), 1, len(used))


def _in_two_bytes(text: str) -> str | None:
    """Replace characters beyond U+FFFF, and reserved ones, by surrogates that the text does not have.

    Returns the text; `None` if there are too few surrogates.
    """
    if len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text) and not any(
            character in text for character in _RESERVED):
        return text
    characters = set(text)
    replaced = [character for character in characters if character > "\uffff" or character in _RESERVED]
    taken = characters.union(_RESERVED)
    free = [chr(code) for code in range(0xD800, 0xE000) if chr(code) not in taken]
    if len(replaced) > len(free):
        return None
    for character, surrogate in zip(replaced, free):
        text = text.replace(character, surrogate)
    return text


def _in_one_byte(text: str) -> bytes | None:
    """Return a text of `_in_two_bytes` with one byte for each character; `None` if too many of them are different.

    To collect the different characters of a text would take as long as to match its n-grams. So the table of the last
    text is used, and the characters that it lacks are added.
    """
    for alphabet in dict.fromkeys((*_LAST_ALPHABET, "\0")):
        while len(alphabet) <= len(_BYTES):
            try:
                data, _ = charmap_encode(text, "strict", charmap_build(alphabet))
            except UnicodeEncodeError as error:
                missing = set(text[error.start:error.start + 1000]).difference(alphabet)
                if not missing:
                    return None  # (U+FFFE can't be in such a table)
                alphabet += "".join(sorted(missing))
            else:
                _LAST_ALPHABET[:] = [alphabet]
                return data
    return None


def _split(ids: bytes, size: int, strings: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[bytes]]:
    """Split the ids of all strings of the columns, which follow each other, into those of each string."""
    ends = list(accumulate([size * len(string) for string in strings]))
    pieces = [ids[start:end] for start, end in zip([0, *ends], ends)]
    return [pieces[start:start + len(columns[0])] for start in range(0, len(pieces), max(1, len(columns[0])))]
