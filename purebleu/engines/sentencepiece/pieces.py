"""The pieces of a SentencePiece model: their texts, scores and kinds."""

from __future__ import annotations

import struct
from array import array

from ...errors import PurebleuError
from .messages import bytes_of, chosen_fields, number_of, sized

#: Kinds of pieces. Text is segmented into those that are normal or user-defined, of which the latter are never split,
#: and into unused ones, which are split again. The texts of other pieces mean nothing.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
OF_TEXT = (NORMAL, USER_DEFINED, UNUSED)

#: What spaces become in pieces.
SPACE = "\u2581"

DAMAGED = "not a SentencePiece model, or damaged"

#: The number of characters of a text that tell how long the pieces may be that it begins with.
BEGINNING = 4

#: Limits of the characters of a piece (those that SentencePiece makes have no more), and of the bytes of its message
#: beside the text.
_MAX_LENGTH = 512
_MAX_REST = 64

#: Limit of the slots that a search looks at. (There are some thirty, unless texts were chosen to collide.)
_MAX_PROBES = 1 << 10

_INFINITY = float("inf")

#: The fields of a piece, and the first bytes of the usual ones.
_TEXT, _SCORE, _KIND = 1, 2, 3
_TEXT_TAG, _SCORE_TAG, _KIND_TAG = 0x0A, 0x15, 0x18

_FLOAT = struct.Struct("<f")


class Pieces:
    """The pieces of a model, by their texts.

    They stay in the content of the model's file, and are read again when they are looked up. What is held besides is a
    hash table (with open addressing, and linear probing) of their offsets there. That takes less than five bytes
    for each of the file, whatever the file says; a dictionary of tiny pieces would take twenty.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        # A piece takes five bytes at least, nearly all take seven or more, so most slots stay free.
        slots = 1 << (len(content) // 2).bit_length()
        #: The offsets of pieces in the file, or 0. The search for a text begins at `offsets[hash(text) & mask]`, and
        #: nearly always ends there for what is no piece.
        self.offsets = array("I", [0]) * slots
        self.mask = slots - 1
        #: `reach[hash(text[:BEGINNING]) & reach_mask]` is an upper bound of the characters of pieces that begin like a
        #: text.
        self.reach_mask = self.mask >> 3
        self.reach = array("H", [BEGINNING - 1]) * (self.reach_mask + 1)
        self._symbol_reach = array("H", [0]) * (self.reach_mask + 1)
        #: The lengths of user-defined symbols, in characters.
        self.symbol_lengths: set[int] = set()
        #: The scores of normal pieces are between these.
        self.lowest, self.highest = _INFINITY, -_INFINITY
        #: The number of pieces of each kind.
        self.counts = [0] * (BYTE + 1)
        #: Whether there are pieces with spaces anywhere but at their beginning.
        self.has_inner_spaces = False

    def add(self, message: bytes, offset: int) -> None:
        """Add a piece.

        Args:
            message: the value of a field of the model's file.
            offset: where that value begins in the file.

        Raises:
            PurebleuError: it is no piece, or one that has been added before; some of the former raise one of
                `messages.MALFORMED` instead.
        """
        text, score, kind = _piece(message)
        if not 0 < len(text) <= _MAX_LENGTH or not -_INFINITY < score < _INFINITY or not NORMAL <= kind <= BYTE:
            raise PurebleuError(DAMAGED)
        slot = hash(text) & self.mask
        if self.offsets[slot]:  # which is rare; so most pieces are added without a call
            slot, _, other = self._look_up(text)
            if other:
                raise PurebleuError(DAMAGED)
        self.offsets[slot] = offset
        self.counts[kind] += 1
        if kind == NORMAL:
            if score < self.lowest:
                self.lowest = score
            if score > self.highest:
                self.highest = score
        elif kind == USER_DEFINED:
            self.symbol_lengths.add(len(text))
            start = hash(text[0]) & self.reach_mask
            self._symbol_reach[start] = max(self._symbol_reach[start], len(text))
        elif kind != UNUSED:
            return
        if len(text) >= BEGINNING:
            start = hash(text[:BEGINNING]) & self.reach_mask
            if len(text) > self.reach[start]:
                self.reach[start] = len(text)
        if " " in text or SPACE in text[1:]:
            self.has_inner_spaces = True

    def find(self, text: str) -> tuple[float, int]:
        """The score and the kind of a piece; zeros for what is none."""
        return self._look_up(text)[1:]

    def longest_symbol(self, start: str) -> int:
        """An upper bound of the lengths of user-defined symbols that begin with a character; 0 if none does."""
        return self._symbol_reach[hash(start) & self.reach_mask]

    def _look_up(self, text: str) -> tuple[int, float, int]:
        """The slot of a text, or the one to put it into, and its score and kind."""
        first = hash(text)
        for step in range(_MAX_PROBES):
            slot = first + step & self.mask
            if not self.offsets[slot]:
                return slot, 0.0, 0
            other, score, kind = _piece(sized(self._content, self.offsets[slot])[0])
            if other == text:
                return slot, score, kind
        raise PurebleuError(DAMAGED)


def byte_piece(byte: int) -> str:
    """The piece that stands for a byte of an unknown character."""
    return f"<0x{byte:02X}>"


def _piece(message: bytes) -> tuple[str, float, int]:
    """The text, score and kind of a piece."""
    # Nearly all have the text, the score, and perhaps the kind, in this order. There are up to 256,000.
    size = len(message)
    if message[0] == _TEXT_TAG and size < 0x80:
        if message[1] == size - 7 and message[-5] == _SCORE_TAG:
            return message[2:-5].decode("utf-8"), _FLOAT.unpack_from(message, size - 4)[0], NORMAL
        if message[1] == size - 9 and message[-7] == _SCORE_TAG and message[-2] == _KIND_TAG:
            return message[2:-7].decode("utf-8"), _FLOAT.unpack_from(message, size - 6)[0], message[-1]
    if size > 4 * _MAX_LENGTH + _MAX_REST:
        raise PurebleuError(DAMAGED)
    found = chosen_fields(message, (_TEXT, _SCORE, _KIND))
    text = bytes_of(found, _TEXT)
    if size - len(text) > _MAX_REST:
        raise PurebleuError(DAMAGED)
    score = number_of(found, _SCORE, 0).to_bytes(4, "little")
    return text.decode("utf-8"), _FLOAT.unpack(score)[0], number_of(found, _KIND, NORMAL)
