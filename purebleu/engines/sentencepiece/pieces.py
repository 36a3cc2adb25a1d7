"""The pieces of a SentencePiece model: their texts, scores and kinds."""

from __future__ import annotations

import struct

from ...errors import PurebleuError
from .messages import bytes_of, chosen_fields, number_of
from .records import plain_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Tuple, Union

    #: A table of the scores of pieces, by their texts.
    Scores = Union[Dict[bytes, float], "UnionOfScores"]

    #: The pieces of a text, in UTF-8, some of which may be characters that the model does not know; and the largest
    #: absolute score of a longer text for which this segmentation of a part of it stays optimal under float32 rounding
    #: (provided that no score is above zero).
    Segmentation = Tuple[List[bytes], float]

#: Kinds of pieces. Text is segmented into those that are normal or user-defined, of which the latter are never split,
#: and into unused ones, which are split again. The texts of other pieces mean nothing.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
OF_TEXT = (NORMAL, USER_DEFINED, UNUSED)

#: The character that stands for a space in pieces, and the same in UTF-8.
SPACE = "\u2581"
SPACE_BYTES = b"\xe2\x96\x81"

DAMAGED = "not a SentencePiece model, or damaged"

#: Limits of the characters of a piece (those that SentencePiece makes have no more), and of the bytes of its message
#: beside the text.
_MAX_PIECE_LENGTH = 512
_MAX_REST = 64

#: Minimum number of bytes of the file per piece, on average, where there are more pieces than `_MIN_LIMIT`; so a model
#: takes at most some ten times the memory of its file. (The pieces that SentencePiece makes have nine bytes and a text,
#: and few texts have less than three bytes. No more than one or two pieces have no score.)
_MIN_SIZE, _MIN_SIZE_WITHOUT_SCORE = 12, 18
_MIN_LIMIT = 10_000

_INFINITY = float("inf")

#: The fields of a piece.
_TEXT, _SCORE, _KIND = 1, 2, 3

_FLOAT = struct.Struct("<f")


class Pieces:
    """The pieces of a model, by their texts.

    `by_kind` has for each kind the scores of its pieces by their texts in UTF-8. (Byte strings, as in the file, take
    less memory than strings.)

    Args:
        size: that of the model's file, in bytes; a file with too many pieces for its size is refused.
    """

    def __init__(self, size: int) -> None:
        self._free = max(_MIN_LIMIT * _MIN_SIZE_WITHOUT_SCORE, size)  # in bytes
        self.by_kind: list[dict[bytes, float]] = [{} for _ in range(BYTE + 1)]
        #: Whether there are pieces with spaces anywhere but at their beginning.
        self.has_inner_spaces = False

    def add(self, message: bytes) -> int:
        """Add a piece.

        Args:
            message: the value of a field of the model's file.

        Returns:
            Its kind.

        Raises:
            PurebleuError: it is no piece, or one that has been added before; some of the former raise one of
                `messages.MALFORMED` instead.
        """
        text, score, kind = _piece(message)
        if (not 0 < len(text.decode("utf-8")) <= _MAX_PIECE_LENGTH or not -_INFINITY < score < _INFINITY
                or not NORMAL <= kind <= BYTE or any(text in scores for scores in self.by_kind)):
            raise PurebleuError(DAMAGED)
        self._take(_MIN_SIZE if score else _MIN_SIZE_WITHOUT_SCORE)
        self.by_kind[kind][text] = score
        if kind in OF_TEXT and (b" " in text or SPACE_BYTES in text[1:]):
            self.has_inner_spaces = True
        return kind

    def add_plain(self, content: bytes, offset: int) -> int:
        """Add the `plain_records` at an offset of a model's file; return the offset behind them.

        Raises as `add` does.
        """
        normal = self.by_kind[NORMAL]
        others = [scores.keys() for scores in self.by_kind if scores and scores is not normal]
        end = offset
        for texts, scores, end in plain_records(content, offset):  # noqa: B007
            b"\n".join(texts).decode("utf-8")
            self._take(_MIN_SIZE * len(texts))
            count = len(normal) + len(texts)
            normal.update(zip(texts, scores))
            total = sum(scores)  # of float32, so it is finite if they are
            if len(normal) < count or not all(map(normal.keys().isdisjoint, others)) or not abs(total) < _INFINITY:
                raise PurebleuError(DAMAGED)
            joined = b"\xff".join(texts)  # (a text may have a line feed, but not this byte, which UTF-8 lacks)
            first = joined.startswith(SPACE_BYTES)
            if b" " in joined or joined.count(SPACE_BYTES) > joined.count(b"\xff" + SPACE_BYTES) + first:
                self.has_inner_spaces = True
        return end

    def _take(self, size: int) -> None:
        self._free -= size
        if self._free < 0:
            raise PurebleuError(DAMAGED)

    def score_and_kind(self, text: bytes) -> tuple[float, int]:
        """The score and the kind of the piece with this text; zeros if there is none."""
        for kind, scores in enumerate(self.by_kind):
            if text in scores:
                return scores[text], kind
        return 0.0, 0

    def scores_for(self, *kinds: int) -> Scores:
        """The scores of the pieces of these kinds, by their texts."""
        found = [self.by_kind[kind] for kind in kinds if self.by_kind[kind]]
        return found[0] if len(found) == 1 else UnionOfScores(found)


class UnionOfScores:
    """Several dictionaries as one; a real one would take too much memory."""

    def __init__(self, parts: list[dict[bytes, float]]) -> None:
        self._parts = parts

    def __contains__(self, text: object) -> bool:
        return any(text in part for part in self._parts)

    def get(self, text: bytes, default: Any = None) -> Any:
        """The value of a key, as of a dictionary."""
        for part in self._parts:
            if text in part:
                return part[text]
        return default


def byte_piece(byte: int) -> bytes:
    """The piece that stands for a byte of an unknown character."""
    return b"<0x%02X>" % byte


def _piece(message: bytes) -> tuple[bytes, float, int]:
    """The text, score and kind of a piece."""
    size = len(message)
    if size > 4 * _MAX_PIECE_LENGTH + _MAX_REST:
        raise PurebleuError(DAMAGED)
    found = chosen_fields(message, (_TEXT, _SCORE, _KIND))
    text = bytes_of(found, _TEXT)
    if size - len(text) > _MAX_REST:
        raise PurebleuError(DAMAGED)
    score = 0.0  # (One object for all pieces without a score.)
    if number_of(found, _SCORE, 0):
        score = _FLOAT.unpack(number_of(found, _SCORE, 0).to_bytes(4, "little"))[0]
    return text, score, number_of(found, _KIND, NORMAL)
