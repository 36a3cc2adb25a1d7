"""Segmenting normalized text by a unigram language model (Kudo, 2018)."""

from __future__ import annotations

from array import array

from ...hints import Iterable, Iterator, Sequence
from .model_file import NORMAL, USER_DEFINED, Pieces

#: The score of an unknown character is lower than that of the worst piece by this penalty.
_UNKNOWN_PENALTY = 10.0

#: The score of a user-defined piece for each byte of UTF-8 after the first one.
_USER_DEFINED_BONUS = 0.1

#: The limit of each of two caches: of the last three bytes of a text, and of characters.
_MAX_CACHED = 1 << 15

#: Bytes that are put before a text. No text contains them.
_BEFORE_TEXT = b"\xff" * 3

_INFINITY = float("inf")

#: The largest relative error of the difference of two sums, for each addition. (Both sums are rounded by up to 2 **
#: -24, here and in a longer text.)
_ROUNDING_OF_DIFFERENCE = 4 * 2.0 ** -24


class Unigram:
    """The most probable segmentation under a unigram language model.

    Log-probabilities are added in float32, piece by piece, as SentencePiece does.
    """

    def __init__(self, pieces: Pieces) -> None:
        normal, symbols = pieces.by_kind[NORMAL], pieces.by_kind[USER_DEFINED]
        #: The score of an unknown character.
        self.unknown = _to_float32(min(normal.values()) - _UNKNOWN_PENALTY)
        # These scores are so high that symbols are usually chosen. (The scores in the file do not count.)
        bonuses = {length: _to_float32((length - 1) * _USER_DEFINED_BONUS) for length in set(map(len, symbols))}
        for text in symbols:
            symbols[text] = bonuses[len(text)]
        #: The scores of the pieces that a segmentation can contain.
        self.scores = pieces.scores_for(NORMAL, USER_DEFINED)
        #: Whether scores allow that words are segmented one by one (see `segment`).
        self.by_word = max(normal.values()) <= 0 and not symbols
        self._short_endings: dict[int, list[tuple[int, float]]] = {}
        self._characters: dict[str, tuple[int, int, int]] = _EncodedCharacters()
        #: The possible lengths of pieces that end with certain bytes, in UTF-8, as bits, by slots. A slot is the number
        #: of the last four bytes, modulo the number of slots. Several endings may share a slot, so this takes little
        #: memory, however many endings there are.
        slots = 2 * len(self.scores) + 1
        self._bits_by_slot = bits_by_slot = [0] * slots
        for text in self.scores:
            if len(text) > 3:
                bits_by_slot[int.from_bytes(text[-4:], "big") % slots] |= 1 << len(text)
        self._lengths_by_bits: dict[int, tuple[int, ...]] = _LengthsOfBits()

    def segment(self, text: str) -> tuple[list[bytes], float]:
        """Return the most probable segmentation of a normalized text.

        Returns:
            The pieces in UTF-8, some of which may be unknown characters; and a limit. As a part of a longer text, the
            text has the same pieces if the absolute score of the longer text is below the limit, and no score is above
            zero. (In a longer text, sums are larger, and float32 rounds them more coarsely. That may decide between
            segmentations that are about equally good.)
        """
        return next(self.segment_sorted([text]))

    def segment_sorted(self, texts: Iterable[str]) -> Iterator[tuple[list[bytes], float]]:
        """Return the segmentation of each text. The part in common with the text before is not computed again."""
        paths = _Paths()
        for text, content in self._searched(texts, paths):
            # (There is at most one addition for each character.)
            rounding = _ROUNDING_OF_DIFFERENCE * (len(text) + 1)
            yield paths.pieces(content), paths.margins[len(content)] / rounding

    def _searched(self, texts: Iterable[str], paths: _Paths) -> Iterator[tuple[str, bytes]]:
        """Yield each text, and the same in UTF-8, when `_Paths` has the best paths through it (by Viterbi's search)."""
        scores, starts, margins = paths.scores, paths.starts, paths.margins
        score_of, short_endings, characters = self.scores.get, self._short_endings.get, self._characters
        bits_by_slot, lengths_by_bits = self._bits_by_slot, self._lengths_by_bits
        slots = len(bits_by_slot)
        before = ""
        for text in texts:
            content = text.encode("utf-8", "surrogatepass")
            paths.grow(len(content))
            common = _common_prefix(before, text)
            end = len(text[:common].encode("utf-8", "surrogatepass"))
            # The last four bytes, as a number. (With bytes as keys, most of the time would be spent on hashing.)
            last = int.from_bytes(_BEFORE_TEXT + content[max(0, end - 3):end], "big")
            for character in text[common:]:
                size, bits, code = characters[character]
                end += size
                last = (last << bits | code) & 0xFFFFFFFF
                endings = short_endings(last & 0xFFFFFF) or self._endings_of(content[max(0, end - 4):end], last)
                bits = bits_by_slot[last % slots]
                if bits:
                    for length in lengths_by_bits[bits]:
                        score = score_of(content[end - length:end])
                        if score is not None and length <= end:
                            endings = [(length, score), *endings]
                if len(endings) == 1:  # (There is no choice. This is so for two of three characters of Japanese.)
                    (length, score), = endings
                    starts[end] = start = end - length
                    scores[end] = scores[start] + score
                    margins[end] = margins[start]
                    continue
                start, top, second = 0, -_INFINITY, -_INFINITY
                for length, score in endings:
                    total = scores[end - length] + score
                    if total > top:
                        start, top, second = end - length, total, top
                    elif total > second:
                        second = total
                scores[end] = top  # (the array rounds it to float32)
                margin = top - second
                if margin <= _ROUNDING_OF_DIFFERENCE * abs(top):
                    start = _first_best([(end - length, scores[end - length] + score) for length, score in endings])
                starts[end] = start
                other = margins[start]
                margins[end] = margin if margin < other else other
            yield text, content
            before = text

    def _endings_of(self, text: bytes, last: int) -> list[tuple[int, float]]:
        """Return the pieces of up to three bytes that a text ends with, and the last character if it is no piece.

        Each is described by its length in UTF-8 and its score.
        """
        score_of = self.scores.get
        size = 1
        while text[-size] & 0xC0 == 0x80:
            size += 1
        if size > 3:
            return [] if text[-size:] in self.scores else [(size, self.unknown)]
        endings = [(size, score_of(text[-size:], self.unknown))]
        for length in range(size + 1, min(3, len(text)) + 1):
            score = score_of(text[-length:])
            if score is not None:
                endings.append((length, score))
        if len(self._short_endings) >= _MAX_CACHED:
            self._short_endings.clear()
        self._short_endings[last & 0xFFFFFF] = endings
        return endings


def _first_best(totals: Sequence[tuple[int, float]]) -> int:
    """Return the start with the best total. Of totals that are equal in float32, it is the first one."""
    totals = sorted(totals)
    rounded = array("f", [total for _, total in totals])
    return totals[rounded.index(max(rounded))][0]


class _Paths:
    """The best segmentation of a text up to each boundary between characters, by the offset of the boundary in UTF-8.

    `scores` has the sum of its scores, and `starts` the offset at which its last piece begins. `margins` has the
    smallest lead, along the path, over a second-best piece. (At other offsets, the values mean nothing.)
    """

    def __init__(self) -> None:
        self.scores = array("f", [0.0])
        self.starts = array("L", [0])
        self.margins = array("d", [_INFINITY])

    def grow(self, size: int) -> None:
        """Make room for a text of this number of bytes."""
        missing = size + 1 - len(self.scores)
        if missing > 0:
            for numbers in (self.scores, self.starts, self.margins):
                numbers.frombytes(bytes(missing * numbers.itemsize))

    def pieces(self, content: bytes) -> list[bytes]:
        """Return the pieces on the best path to the end of a text."""
        found: list[bytes] = []
        end = len(content)
        while end:
            start = self.starts[end]
            found.append(content[start:end])
            end = start
        found.reverse()
        return found


class _LengthsOfBits(dict):  # type: ignore[type-arg]
    """A table from bits to lengths. Entries are added when they are first looked up."""

    def __missing__(self, bits: int) -> tuple[int, ...]:
        self[bits] = lengths = tuple([length for length in range(bits.bit_length()) if bits >> length & 1])
        return lengths


class _EncodedCharacters(dict):  # type: ignore[type-arg]
    r"""A table from characters to their sizes in UTF-8, in bytes and in bits, and to these bits. It fills itself.

    >>> _EncodedCharacters()["\u2581"] == (3, 24, 0xE29681)
    True
    """

    def __missing__(self, character: str) -> tuple[int, int, int]:
        if len(self) >= _MAX_CACHED:
            self.clear()
        encoded = character.encode("utf-8", "surrogatepass")
        self[character] = entry = len(encoded), 8 * len(encoded), int.from_bytes(encoded, "big")
        return entry


def _common_prefix(first: str, second: str) -> int:
    """Return the number of characters that two texts have in common at their beginning.

    >>> _common_prefix("abcd", "abed")
    2
    """
    count = 0
    for one, other in zip(first, second):
        if one != other:
            break
        count += 1
    return count


def _to_float32(number: float) -> float:
    return array("f", [number])[0]
