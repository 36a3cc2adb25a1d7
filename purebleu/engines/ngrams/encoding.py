"""Integer ids for the tokens and the characters of segments, which are equal if the symbols are.

The ids of a segment are bytes, `size` of them a symbol. They mean something only within their segment (a hypothesis
and its references); so ids can be small, and the fewer bits they take, the faster they are matched.
"""

from __future__ import annotations

from codecs import charmap_build, charmap_encode
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


class Ids:
    """The ids of some segments.

    Args:
        sides: for each side (hypotheses, then each stream of references), the ids of each segment.
        size: the number of bytes of an id, 1 or 2.
        limit: larger than any id of one byte, so 0 if all take two; `None` if an id may be any position in its
            segment.
    """

    def __init__(self, sides: Sequence[list[bytes]], size: int, limit: int | None) -> None:
        self.sides = sides
        self.size = size
        self.limit = limit


def ids_of_tokens(columns: Sequence[Sequence[Symbols]]) -> Ids:
    """Return the ids of tokens: the position of a token's first occurrence in the hypothesis.

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


_BYTES = bytes(range(256))

#: Limit of the different characters that get ids of one byte: two are padding, and one has all bits set.
_MAX_ONE_BYTE_IDS = 253

#: Characters whose two bytes in UTF-16 can be no id: the ids of padding, and the one with all bits set.
_RESERVED = "\ud8d8\udcdc\uffff"

#: The characters of the last text that had ids of one byte: the next text has mostly the same. The first one has to be
#: U+0000, for only then does `charmap_build` make a table that is read in C.
_LAST_ALPHABET = ["\0"]


def ids_of_characters(columns: Sequence[Sequence[str]]) -> Ids | None:
    """Return the ids of characters, the same for all of these segments: of one byte if that suffices, else of two.

    Args:
        columns: the hypotheses, then each stream of references.

    Returns:
        `None` if there are more different characters beyond the Basic Multilingual Plane than stand-ins for them.
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
    """Return the text, in which unused surrogates stand for characters beyond two bytes of UTF-16, and for reserved ones.

    `None` if there are too few surrogates.
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
    """Return a text of `_in_two_bytes` with a byte for each character; `None` if there are too many different ones.

    To collect the different characters of a text takes as long as to match its n-grams; so the table starts from those
    of the last text, and grows by those that it turns out to lack.
    """
    for alphabet in dict.fromkeys((*_LAST_ALPHABET, "\0")):
        while len(alphabet) <= len(_BYTES):
            try:
                data, _ = charmap_encode(text, "strict", charmap_build(alphabet))
            except UnicodeEncodeError as error:
                missing = set(text[error.start:error.start + 1000]).difference(alphabet)
                if not missing:
                    return None  # U+FFFE, which stands for no character in such a table
                alphabet += "".join(sorted(missing))
            else:
                _LAST_ALPHABET[:] = [alphabet]
                return data
    return None


def _split(ids: bytes, size: int, strings: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[bytes]]:
    """Return the ids of all `strings` of the columns, one after another, split into those of each."""
    ends = list(accumulate([size * len(string) for string in strings]))
    pieces = [ids[start:end] for start, end in zip([0, *ends], ends)]
    return [pieces[start:start + len(columns[0])] for start in range(0, len(pieces), max(1, len(columns[0])))]
