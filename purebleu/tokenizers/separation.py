"""Faster functions for `tokenizer_13a`, `_zh`, `_intl`, `_char`, `_none` and `_ter`, for many lines at once.

A faster function returns the tokens that `tokenize_line` of the class defines, in UTF-8. The definitions apply regular
expressions to one line. The faster functions put many lines into a *block*: a byte string in UTF-8, with a line feed
before, between and after the lines. A search finds the few marks that the regular expressions leave glued to a
digit. Then `bytes.replace` separates all other marks.

**Which marks stay glued.** Two expressions separate marks: first "non-digit, mark", then "mark, non-digit". Each
expression runs from left to right and never uses a character twice. Take a run of `k` marks between the characters `p`
and `q`. If `q` is not a digit, all marks are separated. If `q` is a digit, all marks but the last are separated. The
last mark stays glued to `q` in two cases: `k` is odd and `p` is a digit, or `k` is even and `p` is not a digit. (If `k`
is 1, the mark then stays glued to both digits, as in "3.5".)

Both expressions need a non-digit next to the mark. A mark at the end of a line has no such neighbour, unless the
definition adds spaces around the line. So the line feeds around lines without added spaces count as digits.

Several metrics also find their words or characters in blocks.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import chain

from ..runtime.hints import Any, Callable, CharacterTable, Iterable, Iterator, Mapping, Sequence
from ..unicode.properties import SPACES, WHITESPACE, boundaries_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tokenizer_base import BaseTokenizer
    from .tokenizer_ter import TercomTokenizer
    from .tokenizer_zh import TokenizerZh

#: The classes of bytes for `glued_marks`. The last byte of a mark has the class MARK, and all bytes before it have
#: MARK_START. All bytes of a digit have the class DIGIT.
MARK, MARK_START, DIGIT, OTHER = b".", b",", b"0", b" "

_ASCII = bytes(range(128))

#: Whitespace characters at which `bytes.split` does not split.
_FOREIGN_WHITESPACE = "".join([space for space in WHITESPACE if space > "\x7f" or "\x1c" <= space < " "])

#: A table that replaces the whitespace at which `bytes.split` splits, except line feeds, by spaces.
_SPACES = bytes.maketrans(b"\t\v\f\r", b"    ")

#: The placeholder for exceptions. (UTF-8 never has this byte.)
_PLACE_HOLDER = b"\xff"


def join_lines(lines: Iterable[str]) -> bytes:
    """Return the block of lines, which must not contain line feeds."""
    # (Strings may contain lone surrogates, which count as characters.)
    return "\n".join(["", *lines, ""]).encode("utf-8", "surrogatepass")


def join_spaced(lines: Iterable[str]) -> bytes:
    """Return the block of lines, with spaces in place of whitespace that `bytes.split` does not know."""
    return with_spaces("\n".join(["", *lines, ""])).encode("utf-8", "surrogatepass")


def unbroken(lines: Iterable[str]) -> list[str]:
    """Return the lines with spaces in place of line feeds. (Lines from Python programs may contain line feeds.)"""
    return [line.replace("\n", " ") for line in lines]


def block_with_spaces(lines: Iterable[str]) -> bytes:
    """Return the block of lines, with a space in place of each whitespace character."""
    return join_spaced(unbroken(lines)).translate(_SPACES)


def words_of_lines(lines: Iterable[str]) -> list[list[bytes]]:
    """Return the words of each line, separated by whitespace, in UTF-8."""
    return split_block(block_with_spaces(lines))


def lines_without_spaces(block: bytes) -> list[str]:
    """Return the lines of a `block_with_spaces` without their spaces."""
    return block.replace(b" ", b"").decode("utf-8", "surrogatepass").split("\n")[1:-1]


def foreign_characters(block: bytes) -> set[str]:
    """Return the set of non-ASCII characters of a block. (The set is small, so a search for each of them is fast.)"""
    return set(block.translate(None, _ASCII).decode("utf-8", "surrogatepass"))


def with_spaces(text: str) -> str:
    """Return the text with spaces in place of whitespace that `bytes.split` does not know."""
    for space in _FOREIGN_WHITESPACE:
        text = text.replace(space, " ")
    return text


def split_block(block: bytes) -> list[list[bytes]]:
    """Return the words of each line of a block, split at whitespace by `bytes.split`."""
    return [line.split() for line in block.split(b"\n")[1:-1]]


def spaced(characters: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
    """Return a pair for each character (in UTF-8): the character, and the character with a space on each side."""
    return [(character, b" " + character + b" ") for character in characters]


def separate(block: bytes, characters: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Put spaces around characters of a block. `characters` has the pairs that `spaced` returns."""
    for character, apart in characters:
        block = block.replace(character, apart)
    return block


def separate_with_exceptions(block: bytes, marks: Iterable[tuple[bytes, bytes]],
                             exceptions: Iterable[tuple[int, int, bytes]]) -> bytes:
    """Put spaces around marks of a block, except at `exceptions`. `marks` has the pairs that `spaced` returns.

    Each exception is a start, an end, and the bytes to put there. Exceptions are in ascending order.
    """
    pieces: list[bytes] = []
    replacements: list[bytes] = []
    end_of_last = 0
    for start, end, replacement in exceptions:
        pieces.append(block[end_of_last:start])
        replacements.append(replacement)
        end_of_last = end
    pieces.append(block[end_of_last:])
    pieces = separate(_PLACE_HOLDER.join(pieces), marks).split(_PLACE_HOLDER)
    replacements.append(b"")
    return b"".join(chain.from_iterable(zip(pieces, replacements)))


def glued_marks(block: bytes, classes: bytes) -> list[tuple[int, int, bytes]]:
    """Return the start, the end and the bytes of each mark that stays glued.

    `classes` is the block with every byte replaced by its class.

    Example:
        >>> glued_marks(b"3.5 .5 3..5 ..5", b"0.0 .0 0..0 ..0")
        [(1, 2, b'.'), (13, 14, b'.')]
    """
    glued: list[tuple[int, int, bytes]] = []
    for position in positions_of(MARK + DIGIT, classes):
        # A mark before a digit is the end of a run of marks, so each run is checked once.
        before = position
        while before >= 0 and classes[before] in b".,":
            before -= 1
        run = classes[before + 1:position + 1]
        follows_digit = before >= 0 and classes[before] in DIGIT
        if (run.count(MARK) % 2 == 1) == follows_digit:
            start = position
            while classes[start - 1:start] == MARK_START:
                start -= 1
            glued.append((start, position + 1, block[start:position + 1]))
    return glued


def positions_of(part: bytes, whole: bytes) -> Iterator[int]:
    """Yield the positions at which `part` starts in `whole`, from left to right.

    Example:
        >>> list(positions_of(b"aa", b"aaa a"))
        [0, 1]
    """
    position = whole.find(part)
    while position >= 0:
        yield position
        position = whole.find(part, position + 1)


def in_category(boundaries: Sequence[int], characters: Iterable[str]) -> list[bytes]:
    """Return, in UTF-8, those characters that are in the category with these boundaries."""
    return [character.encode("utf-8", "surrogatepass") for character in characters
            if bisect_right(boundaries, ord(character)) % 2]


class Spacing(CharacterTable):
    """A table for `str.translate` that puts spaces around the characters of a category.

    Entries are added when they are first looked up. `replacements` has entries for further characters.
    """

    def __init__(self, boundaries: Sequence[int], replacements: dict[int, str]) -> None:
        super().__init__(replacements)
        self._boundaries = boundaries

    def __missing__(self, code_point: int) -> Any:
        replacement: Any = code_point
        if bisect_right(self._boundaries, code_point) % 2:
            replacement = f" {chr(code_point)} "
        if code_point <= self._boundaries[-1]:  # (entries of later characters would make the table large)
            self[code_point] = replacement
        return replacement


# 13a and zh

#: Symbols that are always separated: the ASCII symbols except `'`, `,`, `-` and `.`.
_SYMBOLS = spaced(bytes([byte]) for byte in b'!"#$%&()*+/:;<=>?@[\\]^_`{|}~')

#: Marks that are separated unless they are glued to a digit.
_STOP_AND_COMMA = spaced([b".", b","])

#: The mark that is separated only after a digit.
_DASH = b"-"


def _byte_classes(line_feed: bytes) -> bytes:
    """Return a table for `bytes.translate` from bytes to their classes. `line_feed` is the class of a line feed."""
    table = bytearray(OTHER * 256)
    for digit in b"0123456789":
        table[digit] = ord(DIGIT)
    for mark, _ in _STOP_AND_COMMA:
        table[ord(mark)] = ord(MARK)
    table[ord("\n")] = ord(line_feed)
    return bytes(table)


_CLASSES_OF_PADDED_LINES = _byte_classes(line_feed=OTHER)
_CLASSES_OF_BARE_LINES = _byte_classes(line_feed=DIGIT)


def _separate_block_marks(block: bytes, padded: bool) -> bytes:
    """Separate full stops, commas and dashes in a block whose symbols are separated already.

    `padded`: whether the tokenizer adds a space before and after each line, as 13a does. (zh does not.)
    """
    classes = block.translate(_CLASSES_OF_PADDED_LINES if padded else _CLASSES_OF_BARE_LINES)
    exceptions = glued_marks(block, classes)
    exceptions += [(dash, dash + 1, b" - ") for dash in positions_of(_DASH, block) if block[dash - 1:dash].isdigit()]
    return separate_with_exceptions(block, _STOP_AND_COMMA, sorted(exceptions))


def _resolve_block_entities(block: bytes) -> bytes:
    if b"&" in block:
        for entity, character in ((b"&quot;", b'"'), (b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">")):
            block = block.replace(entity, character)
    return block


def _lines_of_13a(_: BaseTokenizer, lines: Sequence[str]) -> list[list[bytes]]:
    block = join_spaced(lines).replace(b"<skipped>", b"")
    if block.count(b"\n") > len(lines) + 1:
        # A line contains line feeds, so the rules of 13a for line feeds have to be applied in their order.
        block = join_spaced([line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ") for line in lines])
    return split_block(_separate_block_marks(separate(_resolve_block_entities(block), _SYMBOLS), padded=True))


def _lines_of_zh(tokenizer: TokenizerZh, lines: Sequence[str]) -> list[list[bytes]]:
    spacing = _spacing(tokenizer.CHINESE, True)
    block = join_lines([line.strip(WHITESPACE).translate(spacing) for line in lines])
    return split_block(_separate_block_marks(separate(block, _SYMBOLS), padded=False))


@lru_cache(maxsize=None)
def _spacing(boundaries: tuple[int, ...], replaces_spaces: bool) -> Spacing:
    """Return a table that puts spaces around characters and, if `replaces_spaces`, replaces whitespace by spaces."""
    return Spacing(boundaries, SPACES if replaces_spaces else {})


# intl


@lru_cache(maxsize=None)
def _ascii_categories() -> tuple[list[tuple[bytes, bytes]], list[tuple[bytes, bytes]], bytes]:
    """Return the pairs of `spaced` for ASCII marks and for ASCII symbols, and a table from bytes to their classes."""
    from ..unicode.tables import NUMERIC, PUNCTUATION, SYMBOLS

    characters = _ASCII.decode()
    marks = in_category(boundaries_of(PUNCTUATION), characters)
    table = bytearray(OTHER * 128 + bytes(range(128, 256)))
    for mark in marks:
        table[ord(mark)] = ord(MARK)
    for number in in_category(boundaries_of(NUMERIC), characters):
        table[ord(number)] = ord(DIGIT)
    table[ord("\n")] = ord(DIGIT)
    return spaced(marks), spaced(in_category(boundaries_of(SYMBOLS), characters)), bytes(table)


def _lines_of_intl(_: BaseTokenizer, lines: Sequence[str]) -> list[list[bytes]]:
    from ..unicode.tables import NUMERIC, PUNCTUATION, SYMBOLS

    ascii_marks, ascii_symbols, ascii_classes = _ascii_categories()
    block = join_spaced(unbroken(lines))
    foreign = foreign_characters(block)
    marks = in_category(boundaries_of(PUNCTUATION), foreign)
    classes = block.translate(ascii_classes)
    for mark in marks:
        classes = classes.replace(mark, MARK_START * (len(mark) - 1) + MARK)
    for number in in_category(boundaries_of(NUMERIC), foreign):
        classes = classes.replace(number, DIGIT * len(number))
    block = separate_with_exceptions(block, ascii_marks + spaced(marks), glued_marks(block, classes))
    return split_block(separate(block, ascii_symbols + spaced(in_category(boundaries_of(SYMBOLS), foreign))))


def _lines_of_words(_: BaseTokenizer, lines: Sequence[str]) -> list[list[bytes]]:
    return words_of_lines(lines)


def _lines_of_characters(_: BaseTokenizer, lines: Sequence[str]) -> list[str]:
    return lines_without_spaces(block_with_spaces(lines))


# Tercom

#: The ASCII marks that `no_punct` removes.
_REMOVED_MARKS = b'.,?:;!"()'


def _lines_of_tercom(tokenizer: TercomTokenizer, lines: Sequence[str]) -> list[list[bytes]]:
    if not tokenizer.case_sensitive:
        from ..unicode.casing import lower_case_of_lines

        lines = lower_case_of_lines(lines)
    # (Lines from Python programs may contain line feeds. Without `normalized`, line feeds are whitespace.)
    block = _normalized_block(tokenizer, lines) if tokenizer.normalized else join_lines(unbroken(lines))
    if tokenizer.no_punct:
        block = block.translate(None, _REMOVED_MARKS)
        if tokenizer.asian_support:
            for mark in in_category(tokenizer.ASIAN_MARKS, foreign_characters(block)):
                block = block.replace(mark, b"")
    return split_block(with_spaces(block.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass"))


def _normalized_block(tokenizer: TercomTokenizer, lines: Sequence[str]) -> bytes:
    block = join_lines([line.replace("\n-", "").replace("\n", " ") for line in lines])
    block = separate(_resolve_block_entities(block), _SYMBOLS)
    for end in (b" ", b"\n"):
        block = block.replace(b"'s" + end, b" 's" + end)
    block = _separate_block_marks(block, padded=True)
    if tokenizer.asian_support:
        letters_and_marks = tuple(sorted(tokenizer.ASIAN_LETTERS + tokenizer.ASIAN_MARKS))
        text = block.decode("utf-8", "surrogatepass").translate(_spacing(letters_and_marks, False))
        block = text.encode("utf-8", "surrogatepass")
    return block


# The table of faster functions

#: The faster functions by the attribute `FASTER` of tokenizer classes. A function takes a tokenizer and lines, and
#: returns the tokens of each line.
FASTER: Mapping[str, Callable[..., Sequence[Sequence[bytes | str]]]] = {
    "13a": _lines_of_13a, "zh": _lines_of_zh, "intl": _lines_of_intl, "char": _lines_of_characters,
    "none": _lines_of_words, "tercom": _lines_of_tercom,
}
