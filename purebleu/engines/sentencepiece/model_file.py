"""The file of a SentencePiece model: its pieces, and settings for segmentation.

The file is a message of protocol buffers: a sequence of fields. Nearly all fields are pieces. Many pieces are read at
once (`plain_records`), and all other fields one by one (`fields`).
"""

from __future__ import annotations

import struct

from ...runtime.errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterator, Sequence, TypeVar, Union

    Value = Union[int, bytes]
    AnyValue = TypeVar("AnyValue", int, bytes)

    #: The values of fields, by the numbers of the fields.
    Values = Dict[int, Value]

# The model

#: The algorithms of models. (SentencePiece has two more algorithms: 3 for words, and 4 for characters.)
UNIGRAM, BPE = 1, 2

#: The numbers of fields: in the file of a model, in the message of its trainer, and in that of its normalizer.
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_ALGORITHM, _WHITESPACE_AS_SUFFIX, _BYTE_FALLBACK = 3, 24, 35
_CHARACTER_MAP, _ADD_DUMMY_PREFIX, _REMOVE_EXTRA_WHITESPACES, _ESCAPE_WHITESPACES = 2, 3, 4, 5


class Model:
    """The contents of a model's file.

    Args:
        content: the content of the file.

    Attributes:
        pieces: the pieces of the model.
        algorithm: `UNIGRAM` or `BPE`.
        byte_fallback: whether unknown characters become pieces of bytes.
        character_map: the compiled map of the normalizer (see `normalizer`).
        add_dummy_prefix: whether the normalizer adds a space before the text.
        whitespace_as_suffix: whether `add_dummy_prefix` adds the space after the text instead.
        remove_extra_whitespaces: whether repeated spaces, and spaces at both ends of the text, are removed.
        escape_whitespaces: whether spaces become `▁`.

    Raises:
        PurebleuError: the content is not a model, or text can't be segmented with the model.
    """

    def __init__(self, content: bytes) -> None:
        self.pieces = Pieces()
        try:
            settings = self._read(content)
            if len(settings) < 2:  # (the settings are at the end of the file, and the end is missing)
                raise PurebleuError(DAMAGED)
            self._take_trainer({number: value for number, value, _ in fields(bytes(settings[_TRAINER]))})
            self._take_normalizer({number: value for number, value, _ in fields(bytes(settings[_NORMALIZER]))})
        except MALFORMED:
            raise PurebleuError(DAMAGED) from None
        self._check_pieces()

    def _read(self, content: bytes) -> dict[int, bytearray]:
        """Add the pieces. Return the messages with settings, by the numbers of their fields."""
        settings: dict[int, bytearray] = {}
        end = 0
        while end < len(content):
            for number, value, end in fields(content, end):  # noqa: B007, B020
                if number == _PIECES and isinstance(value, bytes):
                    if self.pieces.add(value) == NORMAL and len(self.pieces.by_kind[NORMAL]) == 1:
                        break  # (`add_plain` is faster for the pieces after the first normal piece)
                elif number in (_TRAINER, _NORMALIZER) and isinstance(value, bytes):
                    settings.setdefault(number, bytearray()).extend(value)
            end = self.pieces.add_plain(content, end)
        return settings

    def _check_pieces(self) -> None:
        pieces = self.pieces
        if len(pieces.by_kind[UNKNOWN]) != 1 or (pieces.by_kind[BYTE] and not self.byte_fallback):
            raise PurebleuError(DAMAGED)
        if self.byte_fallback and not all(byte_piece(byte) in pieces.by_kind[BYTE] for byte in range(256)):
            raise PurebleuError(DAMAGED)
        if self.algorithm == UNIGRAM and not pieces.by_kind[NORMAL]:
            raise PurebleuError("the model has no pieces to segment text into")

    def _take_trainer(self, settings: Values) -> None:
        self.algorithm = value_of(settings, _ALGORITHM, UNIGRAM)
        if self.algorithm not in (UNIGRAM, BPE):
            raise PurebleuError("the model is neither a unigram nor a BPE model")
        self.byte_fallback = bool(value_of(settings, _BYTE_FALLBACK, 0))
        self.whitespace_as_suffix = bool(value_of(settings, _WHITESPACE_AS_SUFFIX, 0))

    def _take_normalizer(self, settings: Values) -> None:
        self.character_map = value_of(settings, _CHARACTER_MAP, b"")
        self.add_dummy_prefix = bool(value_of(settings, _ADD_DUMMY_PREFIX, 1))
        self.remove_extra_whitespaces = bool(value_of(settings, _REMOVE_EXTRA_WHITESPACES, 1))
        self.escape_whitespaces = bool(value_of(settings, _ESCAPE_WHITESPACES, 1))


# Pieces

#: Kinds of pieces. Text is first segmented into normal, user-defined and unused pieces. User-defined pieces are never
#: split, and unused pieces are then split into other pieces. Text is never segmented into pieces of other kinds.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
OF_TEXT = (NORMAL, USER_DEFINED, UNUSED)

#: The character that stands for a space in pieces, as a string and in UTF-8.
SPACE = "\u2581"
SPACE_BYTES = b"\xe2\x96\x81"

DAMAGED = "the file is damaged or is not a SentencePiece model"

#: The largest number of characters of a piece. (SentencePiece does not make longer pieces.)
_MAX_PIECE_LENGTH = 512

_INFINITY = float("inf")

#: The numbers of the fields of a piece.
_TEXT, _SCORE, _KIND = 1, 2, 3

_FLOAT = struct.Struct("<f")


class Pieces:
    """The pieces of a model, by their texts.

    `by_kind` has the scores of the pieces of each kind, by text in UTF-8. (Bytes take less memory than strings.)
    """

    def __init__(self) -> None:
        self.by_kind: list[dict[bytes, float]] = [{} for _ in range(BYTE + 1)]
        #: Whether a piece has a space that is not at its start.
        self.has_inner_spaces = False

    def add(self, message: bytes) -> int:
        """Add the piece in a field of the model's file. Return the kind of the piece.

        Raises:
            PurebleuError: the message is not a piece, or the piece was added before.
            MALFORMED: if the message is not a piece, one of the errors in `MALFORMED` may be raised instead.
        """
        values = {number: value for number, value, _ in fields(message)}
        text, kind = value_of(values, _TEXT, b""), value_of(values, _KIND, NORMAL)
        score = _FLOAT.unpack(value_of(values, _SCORE, 0).to_bytes(4, "little"))[0]
        if (not 0 < len(text.decode("utf-8")) <= _MAX_PIECE_LENGTH or not -_INFINITY < score < _INFINITY
                or not NORMAL <= kind <= BYTE or any(text in scores for scores in self.by_kind)):
            raise PurebleuError(DAMAGED)
        self.by_kind[kind][text] = score
        if kind in OF_TEXT and (b" " in text or SPACE_BYTES in text[1:]):
            self.has_inner_spaces = True
        return kind

    def add_plain(self, content: bytes, offset: int) -> int:
        """Add the `plain_records` at an offset of a model's file. Return the offset after these records.

        Raises the same errors as `add`.
        """
        normal = self.by_kind[NORMAL]
        others = [scores.keys() for scores in self.by_kind if scores and scores is not normal]
        end = offset
        for texts, scores, end in plain_records(content, offset):  # noqa: B007
            b"\n".join(texts).decode("utf-8")
            count = len(normal) + len(texts)
            normal.update(zip(texts, scores))
            total = sum(scores)  # (finite if all scores are finite, so one test is enough)
            if len(normal) < count or not all(map(normal.keys().isdisjoint, others)) or not abs(total) < _INFINITY:
                raise PurebleuError(DAMAGED)
            joined = b"\xff".join(texts)  # (a text may contain a line feed, but never the byte FF)
            first = joined.startswith(SPACE_BYTES)
            if b" " in joined or joined.count(SPACE_BYTES) > joined.count(b"\xff" + SPACE_BYTES) + first:
                self.has_inner_spaces = True
        return end

    def scores_for(self, *kinds: int) -> dict[bytes, float]:
        """Return the scores of the pieces of these kinds, by the texts of the pieces."""
        tables = [self.by_kind[kind] for kind in kinds if self.by_kind[kind]]
        if len(tables) == 1:
            return tables[0]
        scores: dict[bytes, float] = {}
        for scores_of_kind in tables:
            scores.update(scores_of_kind)
        return scores


def byte_piece(byte: int) -> bytes:
    """Return the piece that stands for a byte of an unknown character."""
    return b"<0x%02X>" % byte


# Many pieces at once

#: The number of bytes that are read at once. (This number fits into the processor's cache.)
_BLOCK = 1 << 14

#: The bytes between the texts of two plain records: the score of the first record, then the size of the second record
#: and the size of its text. (A size above 127 would take more than one byte.)
_BETWEEN = rb"\x15(....)\n([\x08-\x7f])\n([\x01-\x78])"

_NO_SCORE = b"\x15\0\0\0\0"

#: The number of bytes of a plain record without its text.
_BESIDE_TEXT = 9

#: For each size of a text, the size that is stated in its record. (This size excludes the first two bytes of the
#: record.)
_SIZES = bytes(range(7, 256)) + bytes(7)


def plain_records(content: bytes, offset: int) -> Iterator[tuple[list[bytes], Sequence[float], int]]:
    """Yield the texts and scores of many plain records at once, from an offset on, and the offset after these records.

    A plain record is the field of a piece that has a short text, then a score, and nothing else. Nearly all pieces of a
    file are plain records. A regular expression finds them in a tenth of the time that `fields` takes. A match of the
    expression is a record only if the sizes in the record are right.

    Example:
        >>> list(plain_records(bytes.fromhex("0a 09 0a 02 61 62 15 00 00 80 bf 0a 08 0a 01 63"), 0))
        [([b'ab'], (-1.0,), 11)]
    """
    import re

    between = re.compile(_BETWEEN, re.DOTALL)
    fits = True
    while fits:
        # (A score is put before the first record, so that the expression matches there, too.)
        parts = between.split(_NO_SCORE + content[offset:offset + _BLOCK])
        texts = parts[4:-1:4]  # (without the last text, which may not be complete)
        if parts[0] or not texts:
            return
        sizes, text_sizes = b"".join(parts[2:-4:4]), b"".join(parts[3:-4:4])
        fits = sizes == text_sizes.translate(_SIZES) and list(text_sizes) == list(map(len, texts))
        if not fits:
            texts = texts[:_fitting(texts, sizes, text_sizes)]
        scores = struct.unpack(f"<{len(parts) // 4 - 1}f", b"".join(parts[5::4]))
        offset += sum(map(len, texts)) + _BESIDE_TEXT * len(texts)
        yield texts, scores[:len(texts)], offset


def _fitting(texts: list[bytes], sizes: bytes, text_sizes: bytes) -> int:
    """Return how many texts, counted up to the first wrong size, have the sizes that are stated before them."""
    for count, (text, size, text_size) in enumerate(zip(texts, sizes, text_sizes)):
        if len(text) != text_size or size != _SIZES[text_size]:
            return count
    return len(texts)


# Messages

#: The errors that are raised if bytes are not a message, or if the message is cut off.
MALFORMED = (IndexError, OverflowError, struct.error, UnicodeDecodeError)


def fields(message: bytes, offset: int = 0) -> Iterator[tuple[int, Value, int]]:
    """Yield the number and the value of each field of a message, and the offset after the field.

    Raises one of `MALFORMED` if the bytes are not a message.
    """
    while offset < len(message):
        tag, begin = varint(message, offset)
        kind = tag & 7
        value: Value
        if kind == 2:
            value, offset = sized(message, begin)
        elif kind == 0:
            value, offset = varint(message, begin)
        elif kind == 1:
            (value,), offset = struct.unpack_from("<Q", message, begin), begin + 8
        elif kind == 5:
            (value,), offset = struct.unpack_from("<I", message, begin), begin + 4
        else:
            raise IndexError
        yield tag >> 3, value, offset


def value_of(values: Values, number: int, default: AnyValue) -> AnyValue:
    """Return the value of a field. If the value has another type than the default, raise one of `MALFORMED`."""
    value = values.get(number, default)
    if not isinstance(value, type(default)):
        raise struct.error("the value of the field has the wrong type")
    return value


def sized(message: bytes, offset: int) -> tuple[bytes, int]:
    """Read a size at an offset, and then this number of bytes. Return the bytes, and the offset after them."""
    size, offset = varint(message, offset)
    end = offset + size
    if end > len(message):
        raise IndexError
    return message[offset:end], end


def varint(message: bytes, offset: int) -> tuple[int, int]:
    """Read an integer with seven bits in each byte, the lowest first. Return the integer, and the offset after it."""
    value = 0
    for shift in range(0, 70, 7):
        byte, offset = message[offset], offset + 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, offset
    raise IndexError
