"""Separating symbols and punctuation marks, in many lines at once: what 13a, zh and intl have in common.

The mteval scripts define these tokenizers as regular expressions that run one after another over a line. Here a block
of lines is one byte string (UTF-8; a line feed before, between and after the lines), and C-speed `bytes.replace`
does the work: every mark is separated, except those few that the expressions leave glued, which are found beforehand.
The tests hold this to the plain expressions.

**Which marks stay glued.** The two expressions for marks, "non-digit, mark" and then "mark, non-digit", each run from
left to right and never use a character twice. Followed through a run of `k` marks between a character `p` and a
character `q`, they come to this: every mark is separated, except that the *last* mark of the run stays glued to `q`
if `q` is a digit and either `k` is odd and `p` is a digit, or `k` is even and `p` is none. (With `k` = 1 that mark
then touches `p` too: "3.5".)

At the edge of a line that is not padded with spaces, neither expression finds the non-digit that it needs, so there
the line feed counts as a digit.
"""

from __future__ import annotations

from itertools import chain

from ..unicode.whitespace import WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator

#: The classes that `glued_marks` knows, as single bytes. A character of several bytes has several of them: a mark ends
#: with MARK and starts with MARK_START where it has more than one byte; a digit is DIGIT throughout.
MARK, MARK_START, DIGIT, OTHER = b".", b",", b"0", b" "

_ASCII = bytes(range(128))

#: Whitespace that `bytes.split` does not know.
_FOREIGN_WHITESPACE = "".join([space for space in WHITESPACE if space > "\x7f" or "\x1c" <= space < " "])

#: Makes spaces of the whitespace, other than line feeds, that `bytes.split` knows.
_SPACES = bytes.maketrans(b"\t\v\f\r", b"    ")

#: Stands for a glued mark meanwhile; UTF-8 never contains this byte.
_PLACE_HOLDER = b"\xff"


def join_lines(lines: Iterable[str]) -> bytes:
    """The block of `lines`, none of which should contain a line feed."""
    # Python strings may hold lone surrogates, which are characters like any other here.
    return "\n".join(["", *lines, ""]).encode("utf-8", "surrogatepass")


def join_spaced(lines: Iterable[str]) -> bytes:
    """The block of `lines`, with a space for each character of whitespace that `bytes.split` does not know."""
    return with_spaces("\n".join(["", *lines, ""])).encode("utf-8", "surrogatepass")


def unbroken(lines: Iterable[str]) -> list[str]:
    """The lines with spaces for line feeds in them (which only the API can bring)."""
    return [line.replace("\n", " ") for line in lines]


def block_with_spaces(lines: Iterable[str]) -> bytes:
    """The block of `lines`, with a space for each character of whitespace in them."""
    return join_spaced(unbroken(lines)).translate(_SPACES)


def words_of_lines(lines: Iterable[str]) -> list[list[bytes]]:
    """The words between whitespace of each line, in UTF-8."""
    return split_block(block_with_spaces(lines))


def lines_without_spaces(block: bytes) -> list[str]:
    """The lines of a `block_with_spaces`, without the spaces."""
    return block.replace(b" ", b"").decode("utf-8", "surrogatepass").split("\n")[1:-1]


def foreign_characters(block: bytes) -> set[str]:
    """The characters of `block` beyond ASCII. They are few, so it pays to look at them before looking for each."""
    return set(block.translate(None, _ASCII).decode("utf-8", "surrogatepass"))


def with_spaces(text: str) -> str:
    """The text with a space for each character of whitespace that `bytes.split` does not know."""
    for space in _FOREIGN_WHITESPACE:
        text = text.replace(space, " ")
    return text


def split_block(block: bytes) -> list[list[bytes]]:
    """The tokens of each line of `block`: the words between whitespace, as `bytes.split` finds it."""
    return [line.split() for line in block.split(b"\n")[1:-1]]


def spaced(characters: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
    """Each of `characters` (UTF-8, one character each), and itself with a space on either side."""
    return [(character, b" " + character + b" ") for character in characters]


def separate(block: bytes, characters: Iterable[tuple[bytes, bytes]]) -> bytes:
    """`block` with the `spaced` characters separated."""
    for character, apart in characters:
        block = block.replace(character, apart)
    return block


def separate_with_exceptions(block: bytes, marks: Iterable[tuple[bytes, bytes]],
                             exceptions: Iterable[tuple[int, int, bytes]]) -> bytes:
    """`block` with the `spaced` marks separated, and the `exceptions` replaced instead.

    An exception is a start, an end, and the bytes that go there; they come in the order of their positions.
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
    """The marks that stay glued: the (start, end) of each and itself.

    `classes` is the block with every byte replaced by its class.

    Example:
        >>> glued_marks(b"3.5 .5 3..5 ..5", b"0.0 .0 0..0 ..0")
        [(1, 2, b'.'), (13, 14, b'.')]
    """
    glued: list[tuple[int, int, bytes]] = []
    for position in positions_of(MARK + DIGIT, classes):
        # A run ends before each of these positions, so that every run is walked through only once.
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
    """The positions at which `part` starts in `whole`, from left to right.

    Example:
        >>> list(positions_of(b"aa", b"aaa a"))
        [0, 1]
    """
    position = whole.find(part)
    while position >= 0:
        yield position
        position = whole.find(part, position + 1)
