"""Many small numbers in one Python integer.

CPython adds, shifts and combines integers of thousands of bits at C speed, for a few nanoseconds a byte. So work on
many equal things at once is laid out as *lanes*: bit `row * lanes + lane` of an integer belongs to one lane (one
segment of a corpus, say) at one row (a position in it), and one operation on the integer works on all of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

#: The steps of a transposition of 8 x 8 bits: what is swapped lies `distance` bits apart, at the places in `mask`.
_TRANSPOSITION = (
    (7, b"\xaa\x00\xaa\x00\xaa\x00\xaa\x00"),
    (14, b"\xcc\xcc\x00\x00\xcc\xcc\x00\x00"),
    (28, b"\xf0\xf0\xf0\xf0\x00\x00\x00\x00"),
)

#: Each byte's bits as eight bytes of 0 or 1, lowest bit first.
_SPREAD = [bytes([byte >> bit & 1 for bit in range(8)]) for byte in range(256)]


def bit_planes(codes: bytes, bits: int) -> list[int]:
    """The lowest `bits` bits of many codes: bit `i` of the k-th integer is bit `k` of `codes[i]`.

    >>> [bin(plane) for plane in bit_planes(bytes([1, 2, 3]), 2)]
    ['0b101', '0b110']
    """
    groups = -(-len(codes) // 8)
    matrix = int.from_bytes(codes, "little")
    for distance, mask in _TRANSPOSITION:
        swapped = (matrix ^ matrix >> distance) & int.from_bytes(mask * groups, "little")
        matrix ^= swapped ^ swapped << distance
    transposed = matrix.to_bytes(8 * groups, "little")
    return [int.from_bytes(transposed[bit::8], "little") for bit in range(bits)]


def lane_sums(bits: int, lanes: int) -> bytes:
    """How many bits are set in each lane, over all rows: a byte for each lane, so at most 255.

    `lanes` is a multiple of 8.

    >>> list(lane_sums(0b00000001_00000101, 8))
    [2, 0, 1, 0, 0, 0, 0, 0]
    """
    row_bytes = lanes // 8
    rows = bits.to_bytes(-(-bits.bit_length() // lanes) * row_bytes, "little")
    digits: list[int] = []  # binary digits of all sums: bit `lane` of the k-th integer is the k-th digit of its sum
    for start in range(0, len(rows), row_bytes):
        carry = int.from_bytes(rows[start:start + row_bytes], "little")
        for place, digit in enumerate(digits):
            if not carry:
                break
            digits[place] = digit ^ carry
            carry &= digit
        if carry:
            digits.append(carry)
    total = 0
    for place, digit in enumerate(digits):
        spread = b"".join([_SPREAD[byte] for byte in digit.to_bytes(row_bytes, "little")])
        total += int.from_bytes(spread, "little") << place
    return total.to_bytes(lanes, "little")
