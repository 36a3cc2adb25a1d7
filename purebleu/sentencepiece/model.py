"""The file of a SentencePiece model: a message of protocol buffers, with pieces, and settings for segmentation."""

from __future__ import annotations

import struct

from ..errors import PurebleuError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterator, Union

    Fields = Dict[int, Union[int, bytes]]

#: Kinds of pieces.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)

#: Algorithms that pieces may be made for. (There are also 3, words, and 4, characters.)
UNIGRAM, BPE = 1, 2

#: Numbers of fields, in the messages of a model, its trainer and its normalizer.
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_TRAINER_ALGORITHM, _TRAINER_SUFFIX, _TRAINER_BYTES = 3, 24, 35
_NORMALIZER_MAP, _NORMALIZER_PREFIX, _NORMALIZER_TRIM, _NORMALIZER_ESCAPE = 2, 3, 4, 5

_FLOAT = struct.Struct("<f")

#: A piece takes about 150 bytes of memory, one that is not normal about twice as much. A model that is not small has
#: more bytes than these for each, unless it is made to fill up the memory.
_FEWEST_BYTES = 15
_SMALL = 1 << 16

_DAMAGED = "not a SentencePiece model, or damaged"


class Model:
    """What a model's file says.

    `scores` has the scores of the pieces that text is segmented into; of these, `user_defined` ones stay whole, and
    `unused` ones are taken apart again. `reserved` has the kinds of all other pieces, whose texts mean nothing.
    `algorithm` is `UNIGRAM` or `BPE`; with `byte_fallback`, unknown characters become pieces of bytes.
    `character_map` is the compiled map of the normalizer (see `normalization`), which the other attributes set, too:
    whether a space is added before the text (`add_dummy_prefix`), or behind it (`whitespace_as_suffix`), whether
    spaces at its ends and repeated ones are removed, and whether spaces become `▁`.

    Raises `PurebleuError` for content that is no such file, or is one that text can't be segmented with.
    """

    def __init__(self, content: bytes) -> None:
        self.scores: dict[str, float] = {}
        self.user_defined: set[str] = set()
        self.unused: set[str] = set()
        self.reserved: dict[str, int] = {}
        settings: dict[int, bytearray] = {}
        most = max(_SMALL, len(content) // _FEWEST_BYTES)
        try:
            for number, value in _fields(content):
                if number == _PIECES and isinstance(value, bytes):
                    self._take_piece(*_piece(value))
                    pieces = len(self.scores) + len(self.reserved) + len(self.user_defined) + len(self.unused)
                    if pieces > most:
                        raise PurebleuError(f"{_DAMAGED}: too many pieces for its size")
                elif number in (_TRAINER, _NORMALIZER) and isinstance(value, bytes):
                    settings.setdefault(number, bytearray()).extend(value)
            if len(settings) < 2:  # they come last, so this is what is missing where a file is cut off
                raise PurebleuError(_DAMAGED)
            self._take_settings(*[dict(_fields(bytes(settings[number]))) for number in (_TRAINER, _NORMALIZER)])
        except (IndexError, OverflowError, struct.error, UnicodeDecodeError):
            raise PurebleuError(_DAMAGED) from None
        if list(self.reserved.values()).count(UNKNOWN) != 1:
            raise PurebleuError(_DAMAGED)
        if self.byte_fallback and any(self.reserved.get(byte_piece(byte)) != BYTE for byte in range(256)):
            raise PurebleuError(_DAMAGED)

    def _take_piece(self, text: str, score: float, kind: int) -> None:
        if not text or score != score or text in self.scores or text in self.reserved:
            raise PurebleuError(_DAMAGED)
        if kind in (CONTROL, UNKNOWN, BYTE):
            self.reserved[text] = kind
            return
        self.scores[text] = score
        if kind == USER_DEFINED:
            self.user_defined.add(text)
        elif kind == UNUSED:
            self.unused.add(text)
        elif kind != NORMAL:
            raise PurebleuError(_DAMAGED)

    def _take_settings(self, trainer: Fields, normalizer: Fields) -> None:
        self.algorithm = _number(trainer, _TRAINER_ALGORITHM, UNIGRAM)
        if self.algorithm not in (UNIGRAM, BPE):
            raise PurebleuError("the model is neither a unigram nor a BPE model")
        self.byte_fallback = bool(_number(trainer, _TRAINER_BYTES, 0))
        self.whitespace_as_suffix = bool(_number(trainer, _TRAINER_SUFFIX, 0))
        character_map = normalizer.get(_NORMALIZER_MAP, b"")
        if isinstance(character_map, int):
            raise PurebleuError(_DAMAGED)
        self.character_map = character_map
        self.add_dummy_prefix = bool(_number(normalizer, _NORMALIZER_PREFIX, 1))
        self.remove_extra_whitespaces = bool(_number(normalizer, _NORMALIZER_TRIM, 1))
        self.escape_whitespaces = bool(_number(normalizer, _NORMALIZER_ESCAPE, 1))


def byte_piece(byte: int) -> str:
    """The piece that stands for a byte of an unknown character."""
    return f"<0x{byte:02X}>"


def _number(fields: Fields, number: int, default: int) -> int:
    value = fields.get(number, default)
    if isinstance(value, bytes):
        raise PurebleuError(_DAMAGED)
    return value


def _piece(message: bytes) -> tuple[str, float, int]:
    """The text, score and kind of a piece."""
    # Nearly all messages have these two fields, in this order, and then perhaps the kind. There are up to 256,000.
    end = 2 + message[1]
    if message[0] == 0x0A and end < 0x82 and message[end:end + 1] == b"\x15" and len(message) in (end + 5, end + 7):
        if len(message) == end + 5:
            return message[2:end].decode("utf-8"), _FLOAT.unpack_from(message, end + 1)[0], NORMAL
        if message[end + 5] == 0x18:
            return message[2:end].decode("utf-8"), _FLOAT.unpack_from(message, end + 1)[0], message[end + 6]
    fields = dict(_fields(message))
    text, score = fields.get(1, b""), fields.get(2, 0)
    if isinstance(text, int) or isinstance(score, bytes):
        raise PurebleuError(_DAMAGED)
    return text.decode("utf-8"), _FLOAT.unpack(score.to_bytes(4, "little"))[0], _number(fields, 3, NORMAL)


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message of protocol buffers, each with its number: integers, or bytes.

    Raises `IndexError` or `struct.error` where it breaks off.
    """
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        kind = tag & 7
        value: int | bytes
        if kind == 0:
            value, place = _varint(message, place)
        elif kind == 1:
            (value,), place = struct.unpack_from("<Q", message, place), place + 8
        elif kind == 2:
            size, place = _varint(message, place)
            value, place = message[place:place + size], place + size
            if place > len(message):
                raise IndexError
        elif kind == 5:
            (value,), place = struct.unpack_from("<I", message, place), place + 4
        else:
            raise IndexError
        yield tag >> 3, value


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """The integer at a place, of seven bits a byte, and the place behind it."""
    value = message[place]
    if value < 0x80:
        return value, place + 1
    value &= 0x7F
    for shift in range(7, 70, 7):
        place += 1
        value |= (message[place] & 0x7F) << shift
        if message[place] < 0x80:
            return value, place + 1
    raise IndexError
