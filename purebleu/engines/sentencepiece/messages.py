"""Messages of protocol buffers: the format of a SentencePiece model's file."""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Container, Dict, Iterator, Tuple, Union

    Value = Union[int, bytes]

    #: Values by the numbers of their fields.
    Values = Dict[int, Value]

    #: The number of a field, its value, and where the value begins in the message (behind its tag: a value of bytes
    #: has its length there).
    Field = Tuple[int, Value, int]

#: What is raised for what is no message, or one that breaks off.
MALFORMED = (IndexError, OverflowError, struct.error, UnicodeDecodeError)


def fields(message: bytes) -> Iterator[Field]:
    """The fields of a message; raises one of `MALFORMED`."""
    place = 0
    while place < len(message):
        tag, begin = message[place], place + 1
        if tag >= 0x80:
            tag, begin = varint(message, place)
        kind = tag & 7
        value: Value
        if kind == 2:
            value, place = sized(message, begin)
        elif kind == 0:
            value, place = varint(message, begin)
        elif kind == 1:
            (value,), place = struct.unpack_from("<Q", message, begin), begin + 8
        elif kind == 5:
            (value,), place = struct.unpack_from("<I", message, begin), begin + 4
        else:
            raise IndexError
        yield tag >> 3, value, begin


def chosen_fields(message: bytes, numbers: Container[int]) -> Values:
    """The values of the fields that have these numbers, as far as there are any; raises one of `MALFORMED`."""
    return {number: value for number, value, _ in fields(message) if number in numbers}


def number_of(values: Values, number: int, default: int) -> int:
    """The value of a field, which has to be an integer; raises one of `MALFORMED`."""
    value = values.get(number, default)
    if isinstance(value, bytes):
        raise struct.error("a field of another type")
    return value


def bytes_of(values: Values, number: int) -> bytes:
    """The value of a field, which has to be bytes, and may be missing; raises one of `MALFORMED`."""
    value = values.get(number, b"")
    if isinstance(value, int):
        raise struct.error("a field of another type")
    return value


def sized(message: bytes, place: int) -> tuple[bytes, int]:
    """The bytes behind a place where their number stands, and the place behind them."""
    size, place = message[place], place + 1
    if size >= 0x80:
        size, place = varint(message, place - 1)
    end = place + size
    if end > len(message):
        raise IndexError
    return message[place:end], end


def varint(message: bytes, place: int) -> tuple[int, int]:
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
