"""Messages of protocol buffers: the format of a SentencePiece model's file."""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Container, Dict, Iterator, Tuple, Union

    Value = Union[int, bytes]

    #: Values by the numbers of their fields.
    Values = Dict[int, Value]

    #: The number of a field, its value, and the offset in the message behind it.
    Field = Tuple[int, Value, int]

#: The errors that are raised for bytes that are no message, or one that breaks off.
MALFORMED = (IndexError, OverflowError, struct.error, UnicodeDecodeError)


def fields(message: bytes, offset: int = 0) -> Iterator[Field]:
    """The fields of a message from an offset on; raises one of `MALFORMED`."""
    while offset < len(message):
        tag, begin = message[offset], offset + 1
        if tag >= 0x80:
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


def sized(message: bytes, offset: int) -> tuple[bytes, int]:
    """The bytes whose number stands at an offset, and the offset behind them."""
    size, offset = message[offset], offset + 1
    if size >= 0x80:
        size, offset = varint(message, offset - 1)
    end = offset + size
    if end > len(message):
        raise IndexError
    return message[offset:end], end


def varint(message: bytes, offset: int) -> tuple[int, int]:
    """The integer at an offset, of seven bits a byte, and the offset behind it."""
    value = message[offset]
    if value < 0x80:
        return value, offset + 1
    value &= 0x7F
    for shift in range(7, 70, 7):
        offset += 1
        value |= (message[offset] & 0x7F) << shift
        if message[offset] < 0x80:
            return value, offset + 1
    raise IndexError
