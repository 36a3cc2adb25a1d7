"""Many small numbers in one Python integer.

CPython adds, shifts and combines integers of thousands of bits at C speed, in a few nanoseconds a byte. So one
integer can contain hundreds of small numbers, and one operation on the integer works on all of them. There are two
layouts:

- *lanes*, of bit planes (bit-slicing): a lane is, for example, a segment, and a row is a position in it. Numbers
  of k bits take k integers, the planes. Bit `row * lanes + lane` of a plane is one bit of the number at that row of
  that lane;
- *fields* (SIMD within a register): each number has a fixed number of bytes. The first number has the lowest bytes.
"""

from __future__ import annotations

import sys
from array import array

from ..hints import Hashable, Sequence

#: The steps of a transposition of 8 x 8 bits (Warren, Hacker's Delight, 7-3): two bits that are `distance` apart are
#: swapped, if `mask` has the lower one of them.
_TRANSPOSITION = (
    (7, b"\xaa\x00\xaa\x00\xaa\x00\xaa\x00"),
    (14, b"\xcc\xcc\x00\x00\xcc\xcc\x00\x00"),
    (28, b"\xf0\xf0\xf0\xf0\x00\x00\x00\x00"),
)


def _transpose(data: bytes | bytearray) -> bytes:
    """Swap bit `i` of byte `k` and bit `k` of byte `i` in each group of eight bytes. (The last group is filled up.)"""
    groups = -(-len(data) // 8)
    matrix = int.from_bytes(data, "little")
    # All groups are transposed together: 2 x 2 bits first, then blocks of those, then blocks of 4 x 4 bits.
    for distance, mask in _TRANSPOSITION:
        swapped = (matrix ^ matrix >> distance) & int.from_bytes(mask * groups, "little")
        matrix ^= swapped ^ swapped << distance
    return matrix.to_bytes(8 * groups, "little")


def bit_planes(numbers: bytes, bits: int) -> list[int]:
    """Return the bit planes of many numbers: bit `i` of plane `k` is bit `k` of `numbers[i]`.

    Args:
        numbers: one byte for each number.
        bits: the number of planes, at most 8; they are those of the lowest bits.

    Returns:
        `bits` integers, each with a bit for each number.

    Example:
        >>> [bin(plane) for plane in bit_planes(bytes([1, 2, 3]), 2)]
        ['0b101', '0b110']
    """
    transposed = _transpose(numbers)
    return [int.from_bytes(transposed[bit::8], "little") for bit in range(bits)]


def lane_sums(integers: Sequence[int], rows: int, lanes: int) -> list[Sequence[int]]:
    """Count the bits that are set in each lane of each integer, over all rows.

    Args:
        integers: bit planes, each of `rows` times `lanes` bits.
        rows: 1 or more.
        lanes: a multiple of 8.

    Returns:
        For each integer, a number for each lane.

    Example:
        >>> [list(sums) for sums in lane_sums([0b00000001_00000101], rows=2, lanes=8)]
        [[2, 0, 1, 0, 0, 0, 0, 0]]
    """
    row_sums = [_add_rows(integer, rows, lanes) for integer in integers]
    # The lanes of all integers side by side, so that each step that follows works on all of them.
    planes = [int.from_bytes(b"".join([plane.to_bytes(lanes // 8, "little") for plane in side_by_side]), "little")
              for side_by_side in zip(*row_sums)]
    sums: Sequence[int] = _numbers_of_planes(planes[:8], lanes * len(integers))
    if len(planes) > 8:  # (the sums of more than 128 rows need more than a byte)
        high = _numbers_of_planes(planes[8:], lanes * len(integers))
        sums = [low + 256 * high for low, high in zip(sums, high)]
    return [sums[start:start + lanes] for start in range(0, len(sums), lanes)]


def _add_rows(integer: int, rows: int, lanes: int) -> list[int]:
    """Add up the bits in each lane with a tree of carry-save (full) adders; return the bit planes of the sums.

    The lower half of the rows is added to the upper half, plane by plane, until one row is left.
    """
    planes = [integer]
    while rows > 1:
        rows = (rows + 1) // 2
        lower_half = (1 << rows * lanes) - 1
        carry = 0
        sums: list[int] = []
        for plane in planes:
            low, high = plane & lower_half, plane >> rows * lanes
            # A full adder for each row and lane: the sum of three bits, and whether at least two of them are set.
            different = low ^ high
            sums.append(different ^ carry)
            carry = low & high | different & carry
        planes = [*sums, carry]
    return planes


def _numbers_of_planes(planes: Sequence[int], count: int) -> bytes:
    """Return the numbers with these bit planes: the inverse of `bit_planes`. There are at most eight planes."""
    data = bytearray(count)
    for bit, plane in enumerate(planes):
        data[bit::8] = plane.to_bytes(count // 8, "little")
    return _transpose(data)


def positions_of_items(items: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return the positions of each item, as a bit mask.

    >>> positions_of_items("aba")
    {'a': 5, 'b': 2}
    """
    masks: dict[Hashable, int] = {}
    bit = 1
    for item in items:
        masks[item] = masks.get(item, 0) | bit
        bit <<= 1
    return masks


#: The number of bits that are set in each byte.
_BITS_OF_BYTES = bytes([bin(byte).count("1") for byte in range(256)])


def field_numbers(integer: int, size: int, code: str = "Q") -> array[int]:
    """Return the fields of an integer of `size` bytes. They have the width of the items of an `array` of this type."""
    numbers = array(code, integer.to_bytes(size, "little"))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def field_popcounts(integer: int, fields: int, width: int) -> Sequence[int]:
    """Count the bits that are set in each field.

    Args:
        integer: the fields. The first field has the lowest bytes.
        fields: the number of fields.
        width: the width of each field, in bytes.

    Returns:
        A number for each field.

    Example:
        >>> list(field_popcounts(0x0003_0101, fields=2, width=2))
        [2, 2]
    """
    counts = integer.to_bytes(fields * width, "little").translate(_BITS_OF_BYTES)
    if 8 * width > 255:  # (each of the sums below has one byte)
        return [sum(counts[start:start + width]) for start in range(0, len(counts), width)]
    by_byte = int.from_bytes(counts, "little")
    sums = by_byte
    for byte in range(1, width):
        sums += by_byte >> 8 * byte
    # The lowest byte of a field is now the sum of all its bytes; its other bytes are sums across fields. The sums of
    # the bytes shifted out of the lowest field are lost, and the extra byte takes the carry out of the last field.
    return sums.to_bytes(fields * width + 1, "little")[:-1:width]
