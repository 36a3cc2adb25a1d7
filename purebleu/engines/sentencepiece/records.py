"""Reading the pieces of a model's file, many at once."""

from __future__ import annotations

from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, List, Tuple

    #: The texts of pieces, their scores, and the offset in the file behind them.
    Records = Tuple[List[bytes], List[float], int]

#: The number of bytes read at once, so few that their records stay in a processor's cache and take little memory.
_BLOCK = 1 << 14

#: The bytes between the texts of two plain records: the score of the one; the size of the other, and that of its text.
#: (A size of more than 127 would take more than one byte.)
_BETWEEN = rb"\x15(....)\n([\x08-\x7f])\n([\x01-\x78])"

_NO_SCORE = b"\x15\0\0\0\0"

#: The bytes of a plain record beside its text. Its size counts two fewer; `_SIZES` maps a text's size to that.
_BESIDE_TEXT = 9
_SIZES = bytes(range(7, 256)) + bytes(7)


def plain_records(content: bytes, offset: int) -> Iterator[Records]:
    """The plain records from an offset of a model's file on, as far as there are any, in parts.

    A plain record is the field of a piece that has a short text and a score, in this order, and nothing else. Nearly
    all pieces of a file are such records; so expressions that run over all of it find them in a tenth of the time that
    it takes to read its fields one by one. A match is a record only if all of the sizes fit.

    Example:
        >>> list(plain_records(bytes.fromhex("0a 09 0a 02 61 62 15 00 00 80 bf 0a 08 0a 01 63"), 0))
        [([b'ab'], [-1.0], 11)]
    """
    import re

    between = re.compile(_BETWEEN, re.DOTALL)
    fits = True
    while fits:
        # (In front of the first record is a score, too, to split at.)
        parts = between.split(_NO_SCORE + content[offset:offset + _BLOCK])
        texts = parts[4:-1:4]  # without the last, which has no end here
        if parts[0] or not texts:
            return
        sizes, text_sizes = b"".join(parts[2:-4:4]), b"".join(parts[3:-4:4])
        fits = sizes == text_sizes.translate(_SIZES) and list(text_sizes) == list(map(len, texts))
        if not fits:
            texts = texts[:_fitting(texts, sizes, text_sizes)]
        scores = array("f", b"".join(parts[5::4]))
        if array("H", b"\1\0")[0] != 1:  # the machine is big-endian, the file is not
            scores.byteswap()
        offset += sum(map(len, texts)) + _BESIDE_TEXT * len(texts)
        yield texts, scores[:len(texts)].tolist(), offset


def _fitting(texts: list[bytes], sizes: bytes, text_sizes: bytes) -> int:
    """The number of texts, from the first on, that have the sizes that stand before them."""
    for count, (text, size, text_size) in enumerate(zip(texts, sizes, text_sizes)):
        if len(text) != text_size or size != _SIZES[text_size]:
            return count
    return len(texts)
