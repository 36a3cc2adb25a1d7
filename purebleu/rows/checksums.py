"""Checksums of texts and of documents: they show, without the text, that rows come from other texts.

Each line of a stream has a number: the SHA-256 sum of 8 bytes with its index in the corpus (the highest byte first),
followed by the SHA-256 sum of its text. The checksum of the stream is the sum of these numbers, modulo 2 ** 256. So the
checksums of parts of a corpus add up to the checksum of the whole. They guard against mistakes, not against forgers.
"""

from __future__ import annotations

from ..hints import Iterable, Sequence

_MODULUS = 1 << 256

#: The names of labels of segments: documents, and strata by their names in signatures.
LABELS = ("docid", "domain", "origlang", "file")

#: The number of hexadecimal digits of a SHA-256 sum that stand for the name of a document or stratum.
_DIGITS = 16


def digests_of_lines(lines: Iterable[str | None]) -> list[bytes]:
    """Return the SHA-256 sum of each line in UTF-8; for `None`, no bytes."""
    from hashlib import sha256

    return [b"" if line is None else sha256(line.encode("utf-8", "surrogatepass")).digest() for line in lines]


def checksum_of_digests(digests: Iterable[bytes], offset: int = 0) -> str:
    """Return the checksum of lines from their `digests_of_lines`. The first line has the index `offset`."""
    from hashlib import sha256

    numbers = [int.from_bytes(sha256(index.to_bytes(8, "big") + digest).digest(), "big")
               for index, digest in enumerate(digests, offset) if digest]
    return f"{sum(numbers) % _MODULUS:064x}"


def text_checksum(lines: Iterable[str | None], offset: int = 0) -> str:
    """Return the checksum of lines: hypotheses, references or ids (see `StoredRows`).

    Args:
        lines: the lines without their line feeds; `None` if a segment has no such reference.
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
    """Return a short checksum for each name. It is the same for the same name in any part of a corpus.

    >>> label_digests(["a", "b", "a"])
    ['ca978112ca1bbdca', '3e23e8160039594a', 'ca978112ca1bbdca']
    """
    from hashlib import sha256

    digests = {name: sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
               for name in dict.fromkeys(names)}
    return [digests[name] for name in names]


class TextChecksums:
    """The checksums of a text that `see` takes in block by block.

    Attributes:
        offset: the index of its first segment.
        systems: the checksum of each system's outputs.
        references: the checksum of each stream of references. (A later block may have more streams than the first.)
    """

    def __init__(self, offset: int) -> None:
        self.systems: list[str] = []
        self.references: list[str] = []
        self.offset = offset
        self._seen = 0

    def see(self, block: Sequence[Sequence[Sequence[str | None]]]) -> None:
        """Take in the next block: the hypotheses of each system, and the streams of references."""
        for checksums, streams in zip((self.systems, self.references), block):
            checksums += [text_checksum([])] * (len(streams) - len(checksums))
            for index, lines in enumerate(streams):
                checksums[index] = added_checksums([checksums[index], text_checksum(lines, self.offset + self._seen)])
        self._seen += len(block[0][0])
