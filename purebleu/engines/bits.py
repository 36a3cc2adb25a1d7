"""Many small numbers in one Python integer.

CPython adds, shifts and combines integers of thousands of bits at C speed, in a few nanoseconds a byte. So one
integer can contain hundreds of small numbers, and one operation on the integer works on all of them. There are two
layouts:

- *Bit planes* (bit-slicing). The numbers form a table of rows and *lanes* (columns). For example, each segment has a
  lane, and each position in a segment has a row. Numbers of k bits are stored in k integers, the planes. The first
  plane has the lowest bit of each number. Bit `row * lanes + lane` of a plane belongs to the number in that row and
  lane.
- *Fields* (SIMD within a register). Each number has its own consecutive bits, a field. The first field has the lowest
  bits of the integer. (In this module, all fields of an integer have the same number of bytes.)
"""

from __future__ import annotations

import sys
from array import array

from ..runtime.hints import Hashable, Sequence

#: The three steps that transpose 8 x 8 bits (Warren, Hacker's Delight, 7-3): a distance and a mask for each step. A
#: step swaps each bit that is set in the mask with the bit that is `distance` places higher.
_TRANSPOSITION = (
    (7, b"\xaa\x00\xaa\x00\xaa\x00\xaa\x00"),
    (14, b"\xcc\xcc\x00\x00\xcc\xcc\x00\x00"),
    (28, b"\xf0\xf0\xf0\xf0\x00\x00\x00\x00"),
)


def _transpose(data: bytes | bytearray) -> bytes:
    """Swap bit `i` of byte `k` and bit `k` of byte `i` in each group of eight bytes. (Zeros fill up the last group.)"""
    groups = -(-len(data) // 8)
    matrix = int.from_bytes(data, "little")
    # All groups of bytes are transposed together. The steps swap single bits, then 2 x 2 blocks, then 4 x 4 blocks.
    for distance, mask in _TRANSPOSITION:
        swapped = (matrix ^ matrix >> distance) & int.from_bytes(mask * groups, "little")
        matrix ^= swapped ^ swapped << distance
    return matrix.to_bytes(8 * groups, "little")


def bit_planes(numbers: bytes, bits: int) -> list[int]:
    """Return the bit planes of many numbers: bit `i` of plane `k` is bit `k` of `numbers[i]`.

    Args:
        numbers: one byte for each number.
        bits: the number of planes, at most 8. The higher bits of the numbers are ignored.

    Returns:
        The planes, from the lowest bit to the highest. Each plane is an integer with one bit for each number.

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
        rows: the number of rows, 1 or more.
        lanes: the number of lanes, a multiple of 8.

    Returns:
        For each integer, the number of set bits in each lane.

    Example:
        >>> [list(sums) for sums in lane_sums([0b00000001_00000101], rows=2, lanes=8)]
        [[2, 0, 1, 0, 0, 0, 0, 0]]
    """
    row_sums = [_add_rows(integer, rows, lanes) for integer in integers]
    # The lanes of all integers are put side by side, so that each step below works on all integers together.
    planes: list[int] = []
    for same_bits in zip(*row_sums):
        side_by_side = [plane.to_bytes(lanes // 8, "little") for plane in same_bits]
        planes.append(int.from_bytes(b"".join(side_by_side), "little"))
    sums: Sequence[int] = _numbers_of_planes(planes[:8], lanes * len(integers))
    if len(planes) > 8:  # (the sums of more than 128 rows have more than eight planes)
        high = _numbers_of_planes(planes[8:], lanes * len(integers))
        sums = [low + 256 * high for low, high in zip(sums, high)]
    return [sums[start:start + lanes] for start in range(0, len(sums), lanes)]


def _add_rows(integer: int, rows: int, lanes: int) -> list[int]:
    """Add up the bits in each lane with full adders; return the bit planes of the sums.

    Each round adds the upper half of the rows to the lower half, one bit plane after the other. One row is left.
    """
    planes = [integer]
    while rows > 1:
        rows = (rows + 1) // 2
        lower_half = (1 << rows * lanes) - 1
        carry = 0
        sums: list[int] = []
        for plane in planes:
            low, high = plane & lower_half, plane >> rows * lanes
            # A full adder for each row and lane adds three bits. The higher bit of the sum is the carry.
            different = low ^ high
            sums.append(different ^ carry)
            carry = low & high | different & carry
        planes = [*sums, carry]
    return planes


def _numbers_of_planes(planes: Sequence[int], count: int) -> bytes:
    """Return `count` numbers from at most eight bit planes. (This function is the inverse of `bit_planes`.)"""
    data = bytearray(count)
    for bit, plane in enumerate(planes):
        data[bit::8] = plane.to_bytes(count // 8, "little")
    return _transpose(data)


def positions_of_items(items: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return a bit mask for each different item: bit `i` is set if the item is at position `i`.

    >>> positions_of_items("aba")
    {'a': 5, 'b': 2}
    """
    masks: dict[Hashable, int] = {}
    bit = 1
    for item in items:
        masks[item] = masks.get(item, 0) | bit
        bit <<= 1
    return masks


#: For each byte from 0 to 255, the number of its bits that are set.
_BITS_OF_BYTES = bytes([bin(byte).count("1") for byte in range(256)])


def field_numbers(integer: int, size: int, code: str = "Q") -> array[int]:
    """Return the fields of an integer of `size` bytes. A field is as wide as an item of an `array` of type `code`."""
    numbers = array(code, integer.to_bytes(size, "little"))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def field_popcounts(integer: int, fields: int, width: int) -> Sequence[int]:
    """Count the bits that are set in each field.

    Args:
        integer: the fields.
        fields: the number of fields.
        width: the width of each field, in bytes.

    Returns:
        For each field, the number of set bits.

    Example:
        >>> list(field_popcounts(0x0003_0101, fields=2, width=2))
        [2, 2]
    """
    counts = integer.to_bytes(fields * width, "little").translate(_BITS_OF_BYTES)
    if 8 * width > 255:  # (the code below stores each count in one byte)
        return [sum(counts[start:start + width]) for start in range(0, len(counts), width)]
    by_byte = int.from_bytes(counts, "little")
    sums = by_byte
    for byte in range(1, width):
        sums += by_byte >> 8 * byte
    # The lowest byte of each field has the count of the field. (The other bytes have counts that mix two fields.)
    return sums.to_bytes(fields * width, "little")[::width]
