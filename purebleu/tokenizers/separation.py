"""Setting symbols and punctuation marks apart, in many lines at once: what 13a, zh and intl have in common.

The mteval scripts define these tokenizers as regular expressions that run one after another over a line. Here a block
of lines is one byte string (UTF-8; a line feed before, between and after the lines), and C-speed `bytes.replace`
does the work: every mark is set apart, except those few that the expressions leave glued, which are found beforehand.
The tests hold this to the plain expressions.

**Which marks stay glued.** The two expressions for marks, "non-digit, mark" and then "mark, non-digit", each run from
left to right and never use a character twice. Followed through a run of `k` marks between a character `p` and a
character `q`, they come to this: every mark is set apart, except that the *last* mark of the run stays glued to `q`
if `q` is a digit and either `k` is odd and `p` is a digit, or `k` is even and `p` is none. (With `k` = 1 that mark
then touches `p` too: "3.5".)

At the edge of a line that is not padded with blanks, neither expression finds the non-digit that it needs, so there
the line feed counts as a digit.
"""

from __future__ import annotations

from itertools import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

#: The classes that `glued_marks` knows, as single bytes. A character of several bytes has several of them: a mark ends
#: with MARK and starts with MARK_START where it has more than one byte; a digit is DIGIT throughout.
MARK, MARK_START, DIGIT, OTHER = b".", b",", b"0", b" "

_ASCII = bytes(range(128))

#: White space of `str.split` that `bytes.split` does not know: in ASCII, and beyond.
_SEPARATORS = b"\x1c\x1d\x1e\x1f"
_FOREIGN_WHITE_SPACE = frozenset(
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

#: Takes the place of a glued mark meanwhile; UTF-8 never contains this byte.
_PLACE_HOLDER = b"\xff"


def join_lines(lines: Sequence[str]) -> bytes:
    """The block of `lines`, none of which should contain a line feed."""
    # Python strings may hold lone surrogates, which are characters like any other here.
    return "\n".join(["", *lines, ""]).encode("utf-8", "surrogatepass")


def foreign_characters(block: bytes) -> set[str]:
    """The characters of `block` beyond ASCII. They are few, so it pays to look at them before looking at each place."""
    return set(block.translate(None, _ASCII).decode("utf-8", "surrogatepass"))


def split_block(block: bytes) -> list[list[bytes]]:
    """The tokens of each line of `block`: the words between white space, as `str.split` finds it."""
    for separator in _SEPARATORS:
        block = block.replace(bytes([separator]), b" ")
    for space in _FOREIGN_WHITE_SPACE & foreign_characters(block):
        block = block.replace(space.encode(), b" ")
    return [line.split() for line in block.split(b"\n")[1:-1]]


def set_apart(block: bytes, characters: Iterable[bytes]) -> bytes:
    """`block` with a blank on either side of each of `characters` (UTF-8, one character each)."""
    for character in characters:
        block = block.replace(character, b" " + character + b" ")
    return block


def set_marks_apart(block: bytes, marks: Iterable[bytes], glued: Iterable[tuple[int, int]]) -> bytes:
    """`block` with a blank on either side of each of `marks`, but for those at the (start, end) places in `glued`."""
    pieces, kept, end_of_last = [], [], 0
    for start, end in glued:
        pieces.append(block[end_of_last:start])
        kept.append(block[start:end])
        end_of_last = end
    pieces.append(block[end_of_last:])
    pieces = set_apart(_PLACE_HOLDER.join(pieces), marks).split(_PLACE_HOLDER)
    kept.append(b"")
    return b"".join(chain.from_iterable(zip(pieces, kept)))


def glued_marks(classes: bytes) -> list[tuple[int, int]]:
    """The (start, end) places of the marks that stay glued, in a block of which every byte is replaced by its class.

    >>> glued_marks(b"  0.0 .0 0..0 ..0  ")     # 3.5 .5 3..5 ..5
    [(3, 4), (15, 16)]
    """
    glued = []
    mark_before_digit = MARK + DIGIT
    position = classes.find(mark_before_digit)
    while position >= 0:
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
            glued.append((start, position + 1))
        position = classes.find(mark_before_digit, position + 1)
    return glued
