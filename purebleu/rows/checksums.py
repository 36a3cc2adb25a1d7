"""Checksums in place of text: rows of other texts, or of other documents, are known as such without the text.

The checksum of a stream of lines is the sum, modulo 2 ** 256, of one number for each line: the SHA-256 sum of its index
in the corpus (8 bytes, the highest first) and of the SHA-256 sum of its text. So the checksums of parts of a corpus add
up to that of the whole, however it was split. They guard against mistakes, not against forgers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence

_MODULUS = 1 << 256

#: The names of labels of segments: documents, and strata by their names in signatures.
LABELS = ("docid", "domain", "origlang", "file")

#: As many hexadecimal digits of a SHA-256 sum stand for the name of a document or stratum.
_DIGITS = 16


def digests_of_lines(lines: Iterable[str | None]) -> list[bytes]:
    """Return the SHA-256 sum of each line, in UTF-8; no bytes for a line that a segment does not have."""
    from hashlib import sha256

    return [b"" if line is None else sha256(line.encode("utf-8", "surrogatepass")).digest() for line in lines]


def checksum_of_digests(digests: Iterable[bytes], offset: int = 0) -> str:
    """Return the checksum of lines, from `digests_of_lines`; the first line has the index `offset`."""
    from hashlib import sha256

    numbers = [int.from_bytes(sha256(index.to_bytes(8, "big") + digest).digest(), "big")
               for index, digest in enumerate(digests, offset) if digest]
    return f"{sum(numbers) % _MODULUS:064x}"


def text_checksum(lines: Iterable[str | None], offset: int = 0) -> str:
    """Return the checksum of a stream of lines, as `StoredRows` has it of hypotheses, of references, and of ids.

    Args:
        lines: hypotheses, say, without the ends of lines; `None` if a segment has no such reference.
        offset: the number of segments of the corpus before the first one.

    Returns:
        64 hexadecimal digits.

    Example:
        The checksums of parts add up to that of the whole:

        >>> parts = [text_checksum(["a", "b"]), text_checksum(["c"], offset=2)]
        >>> added_checksums(parts) == text_checksum(["a", "b", "c"])
        True
    """
    return checksum_of_digests(digests_of_lines(lines), offset)


def added_checksums(parts: Iterable[str]) -> str:
    """Return the checksum of a corpus from those of its parts; an empty string if one of them is empty."""
    checksums = list(parts)
    if not all(checksums):
        return ""
    return f"{sum([int(checksum, 16) for checksum in checksums]) % _MODULUS:064x}"


def label_digests(names: Sequence[str]) -> list[str]:
    """Return a short checksum in place of each name: the same one for the same name in another part of the corpus.

    >>> label_digests(["a", "b", "a"])
    ['ca978112ca1bbdca', '3e23e8160039594a', 'ca978112ca1bbdca']
    """
    from hashlib import sha256

    digests = {name: sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
               for name in dict.fromkeys(names)}
    return [digests[name] for name in names]
