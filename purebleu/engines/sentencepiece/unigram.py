"""Segmenting normalized text by a unigram language model (Kudo, 2018)."""

from __future__ import annotations

from array import array

from ...runtime.hints import Iterable, Iterator, Sequence
from .model_file import NORMAL, USER_DEFINED, Pieces

#: The score of an unknown character is lower than the lowest score of a normal piece by this penalty.
_UNKNOWN_PENALTY = 10.0

#: The score of a user-defined piece for each byte of UTF-8 after the first one.
_USER_DEFINED_BONUS = 0.1

#: The largest number of entries in each of two caches: `Unigram._short_endings` and `_EncodedCharacters`.
_MAX_CACHED = 1 << 15

#: Bytes that are put before a text. No text contains them.
_BEFORE_TEXT = b"\xff" * 3

_INFINITY = float("inf")

#: The largest relative rounding error of the difference between two sums, for each addition. (There are four errors of
#: up to 2 ** -24, because each of the two sums is rounded in this text, and in a longer text.)
_ROUNDING_OF_DIFFERENCE = 4 * 2.0 ** -24


class Unigram:
    """The most probable segmentation under a unigram language model.

    Log-probabilities are added in float32, piece by piece, as SentencePiece does.
    """

    def __init__(self, pieces: Pieces) -> None:
        normal, symbols = pieces.by_kind[NORMAL], pieces.by_kind[USER_DEFINED]
        #: The score of an unknown character.
        self.unknown = _to_float32(min(normal.values()) - _UNKNOWN_PENALTY)
        # User-defined symbols get high scores, so that they are usually chosen. (Their scores in the model's file are
        # ignored.)
        bonuses = {length: _to_float32((length - 1) * _USER_DEFINED_BONUS) for length in set(map(len, symbols))}
        for text in symbols:
            symbols[text] = bonuses[len(text)]
        #: The scores of the pieces that a segmentation can contain.
        self.scores = pieces.scores_for(NORMAL, USER_DEFINED)
        #: Whether the scores allow words to be segmented one by one (see `segment`).
        self.by_word = max(normal.values()) <= 0 and not symbols
        #: The results of `_endings_of`, by the last three bytes of the text.
        self._short_endings: dict[int, list[tuple[int, float]]] = {}
        self._characters: dict[str, tuple[int, int, int]] = _EncodedCharacters()
        #: A hash table of pieces of four bytes or more. The slot of a piece is its last four bytes, as a number, modulo
        #: the number of slots. Bit n of an entry is set if a piece of n bytes has this slot. (Pieces with different
        #: endings may share a slot, so the table is small.)
        slots = 2 * len(self.scores) + 1
        self._bits_by_slot = bits_by_slot = [0] * slots
        for text in self.scores:
            if len(text) > 3:
                bits_by_slot[int.from_bytes(text[-4:], "big") % slots] |= 1 << len(text)
        self._lengths_by_bits: dict[int, tuple[int, ...]] = _LengthsOfBits()

    def segment(self, text: str) -> tuple[list[bytes], float]:
        """Return the most probable segmentation of a normalized text.

        Returns:
            The pieces in UTF-8 (some may be unknown characters), and a limit. If the text is a part of a longer text,
            it has the same pieces there if no score is above zero, and if the absolute score of the longer text is
            below the limit. (The score of a longer text is a larger sum, so float32 rounds it more coarsely. Rounding
            may decide between two segmentations that are almost equally good.)
        """
        return next(self.segment_sorted([text]))

    def segment_sorted(self, texts: Iterable[str]) -> Iterator[tuple[list[bytes], float]]:
        """Yield the result of `segment` for each text. A prefix that two neighbouring texts share is searched once."""
        paths = _Paths()
        for text, content in self._searched(texts, paths):
            # (A sum has at most one addition for each character.)
            rounding = _ROUNDING_OF_DIFFERENCE * (len(text) + 1)
            yield paths.pieces(content), paths.margins[len(content)] / rounding

    def _searched(self, texts: Iterable[str], paths: _Paths) -> Iterator[tuple[str, bytes]]:
        """Find the best paths of each text by Viterbi's search, and set `paths`. Then yield the text, also in UTF-8.

        For each character:

        1. Find the pieces that end with this character (`endings`), each with its length and its score.
        2. To the score of each piece, add the score of the best path to its start, which is known. Select the best sum.
        3. Compute the margin: the lead of the best sum over the second-best sum, but at most the margin at the start of
           the selected piece.
        """
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
            # The last four bytes, as a number. (With bytes as keys, hashing would take most of the time.)
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
                if len(endings) == 1:  # (the usual case in Japanese: two of three characters)
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
                scores[end] = top  # (the array rounds the sum to float32)
                margin = top - second
                if margin <= _ROUNDING_OF_DIFFERENCE * abs(top):
                    start = _first_best([(end - length, scores[end - length] + score) for length, score in endings])
                starts[end] = start
                other = margins[start]
                margins[end] = margin if margin < other else other
            yield text, content
            before = text

    def _endings_of(self, text: bytes, last: int) -> list[tuple[int, float]]:
        """Return the length in UTF-8 and the score of each piece of up to three bytes that ends a text.

        If the last character is not a piece, the result has the length and the score of an unknown character.
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
    """Return the start with the best total. If totals are equal in float32, return the first of these starts."""
    totals = sorted(totals)
    rounded = array("f", [total for _, total in totals])
    return totals[rounded.index(max(rounded))][0]


class _Paths:
    """The best segmentation of a text up to each boundary between characters. Its lists are indexed by offset in UTF-8.

    `scores` has the sum of the scores of the pieces, and `starts` has the start of the last piece. `margins` has the
    smallest lead of a piece over a second-best piece. (Values at offsets within a character have no meaning.)
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
        pieces: list[bytes] = []
        end = len(content)
        while end:
            start = self.starts[end]
            pieces.append(content[start:end])
            end = start
        pieces.reverse()
        return pieces


class _LengthsOfBits(dict):  # type: ignore[type-arg]
    """A table from bit masks of lengths to the lengths. Entries are added when they are first looked up."""

    def __missing__(self, bits: int) -> tuple[int, ...]:
        self[bits] = lengths = tuple([length for length in range(bits.bit_length()) if bits >> length & 1])
        return lengths


class _EncodedCharacters(dict):  # type: ignore[type-arg]
    r"""A table of characters in UTF-8: the number of bytes, the number of bits, and the bytes as a number.

    Entries are added when they are first looked up.

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
    """Return the length of the longest prefix that two texts have in common.

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
