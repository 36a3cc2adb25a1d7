"""Segmenting normalized text into pieces: by a unigram language model, or by merging pairs (BPE)."""

from __future__ import annotations

from array import array
from heapq import heappop, heappush

from .model import BPE
from .pieces import BEGINNING, NORMAL, OF_TEXT, UNUSED, USER_DEFINED, byte_piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Sequence, Tuple

    from .model import Model
    from .normalization import UserDefinedSymbols
    from .pieces import Pieces

    #: A piece of text, and whether the model knows it.
    TextPiece = Tuple[str, bool]

#: How much worse than the worst piece an unknown character is.
_UNKNOWN_PENALTY = 10.0

#: The score of a user-defined piece for each byte of UTF-8 after its first.
_USER_DEFINED_BONUS = 0.1

#: Limit of the number of cached scores, about as many as a large corpus needs, and of the characters of their pieces.
_MAX_CACHED = 1 << 15
_MAX_CACHED_LENGTH = 32

_INFINITY = float("inf")

#: The relative error of rounding to float32.
_ROUNDING = 2.0 ** -24


class Segmentation:
    """What a text is segmented into.

    Args:
        pieces: the pieces of the text, in order.
        score: the sum of their scores (0 for byte-pair encoding).
        max_score: the largest absolute score, of a longer text, for which this segmentation of a part of it stays
            optimal under float32 rounding (provided that no score is above zero).
    """

    __slots__ = ("max_score", "pieces", "score")

    def __init__(self, pieces: list[TextPiece], score: float, max_score: float) -> None:
        self.pieces = pieces
        self.score = score
        self.max_score = max_score


class Scores:
    """The scores of pieces, which `score_of` finds; it returns `None` for what is no piece.

    `known` caches those of pieces, as most are asked for again and again, and `None` for a few texts that only looked
    as if they might be pieces. (Inner loops ask it themselves, as a call of `of` takes longer.)
    """

    def __init__(self, pieces: Pieces, score_of: Callable[[str], float | None]) -> None:
        self._offsets, self._mask = pieces.offsets, pieces.mask
        self._score_of = score_of
        self.known: dict[str, float | None] = {}

    def of(self, text: str) -> float | None:
        """The score of a text."""
        score = self.known.get(text)
        return self.look_up(text) if score is None else score

    def look_up(self, text: str) -> float | None:
        """The score of a text that `known` has none for."""
        if not self._offsets[hash(text) & self._mask] or text in self.known:
            return None
        score = self._score_of(text)
        if len(text) <= _MAX_CACHED_LENGTH:
            if len(self.known) >= _MAX_CACHED:
                self.known.clear()
            self.known[text] = score
        return score


class Unigram:
    """The most probable segmentation under a unigram language model (Kudo, 2018).

    Log-probabilities are added in float32, piece by piece, as SentencePiece does.
    """

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._unknown = _to_float32(pieces.lowest - _UNKNOWN_PENALTY)
        self._scores = Scores(pieces, self._score_of)
        #: Whether words can be segmented one by one, as far as the scores are concerned: see `segment`.
        self.by_word = pieces.highest <= 0 and not pieces.symbol_lengths

    def _score_of(self, text: str) -> float | None:
        score, kind = self._pieces.find(text)
        if kind == USER_DEFINED:
            # Whatever else there is, these are likely to be chosen.
            return _to_float32((len(text.encode()) - 1) * _USER_DEFINED_BONUS)
        return score if kind == NORMAL else None

    def segment(self, text: str) -> Segmentation:
        """The most probable segmentation of a normalized text.

        In a longer text, the sums are larger, so they are rounded to larger steps, which decides between
        segmentations that are about equally good. That is what `max_score` of the result is about.
        """
        best, starts, margins = self._search(text)
        pieces: list[TextPiece] = []
        margin = _INFINITY
        end = len(text)
        while end > 0:
            if margins[end] < margin:
                margin = margins[end]
            piece = text[starts[end]:end]
            # (Only single characters may be unknown.)
            pieces.append((piece, len(piece) > 1 or self._scores.of(piece) is not None))
            end = starts[end]
        # Two sums with an addition for each character, in either text, are off by less than this times the sum.
        rounding = 4 * _ROUNDING * (len(text) + 1)
        return Segmentation(pieces[::-1], best[len(text)], margin / rounding)

    def _search(self, text: str) -> tuple[array[float], list[int], list[float]]:
        """Viterbi's search: for each position, the score of the best segmentation of the text before it, the start of
        its last piece, and the margin by which any other last piece is worse."""
        known, look_up = self._scores.known, self._scores.look_up
        reach, reach_mask = self._pieces.reach, self._pieces.reach_mask
        best = array("f", bytes(4 * (len(text) + 1)))
        starts = [-1] * (len(text) + 1)
        margins = [_INFINITY] * (len(text) + 1)
        for start in range(len(text)):
            before = best[start]
            longest = reach[hash(text[start:start + BEGINNING]) & reach_mask]
            for end in range(start + 1, min(start + longest, len(text)) + 1):
                piece = text[start:end]
                score = known.get(piece)
                if score is None:
                    score = look_up(piece)
                if score is None:
                    if end > start + 1:
                        continue
                    score = self._unknown
                previous = best[end]
                best[end] = before + score  # rounded to float32, as it is put into the array
                if starts[end] < 0:
                    starts[end] = start
                    continue
                margin = best[end] - previous
                if margin > 0:
                    starts[end] = start
                else:
                    best[end] = previous
                    margin = -margin
                if margin < margins[end]:
                    margins[end] = margin
        return best, starts, margins


class PairMerging:
    """Byte-pair encoding (Sennrich et al., 2016): neighbours are merged, those first that make the best piece."""

    def __init__(self, pieces: Pieces, symbols: UserDefinedSymbols) -> None:
        self._pieces = pieces
        self._symbols = symbols
        self._scores = Scores(pieces, self._score_of)
        self._has_unused = pieces.counts[UNUSED] > 0
        #: Whether words can be segmented one by one. (How an unused piece is split again is decided by its last
        #: occurrence in the text.)
        self.by_word = not self._has_unused

    def _score_of(self, text: str) -> float | None:
        score, kind = self._pieces.find(text)
        return score if kind in OF_TEXT else None

    def _is_used(self, text: str) -> bool:
        """Whether text may end up in a piece."""
        return self._scores.of(text) is not None and not (self._has_unused and self._pieces.find(text)[1] == UNUSED)

    def segment(self, text: str) -> Segmentation:
        """The segmentation of a normalized text; it stays as it is in any longer text, so its score is not needed."""
        known, look_up, has_unused = self._scores.known, self._scores.look_up, self._has_unused
        starts, ends, frozen = self._symbols_of(text)
        parts: dict[str, tuple[int, int, int]] = {}  # where an unused piece is, and its two parts meet
        candidates: list[tuple[float, int, int, int]] = []

        def consider(left: int, middle: int, right: int) -> None:
            merged = text[left:right]
            score = known.get(merged)
            if score is None:
                score = look_up(merged)
            if score is not None and left not in frozen and middle not in frozen:
                heappush(candidates, (-score, left, middle, right))
                if has_unused and not self._is_used(merged):
                    parts[merged] = left, middle, right

        for start, end in enumerate(ends):
            if 0 < end < len(text):
                consider(start, end, ends[end])
        while candidates:
            _, left, middle, right = heappop(candidates)
            if ends[left] != middle or ends[middle] != right:
                continue  # one of the two has been merged with another
            ends[left], ends[middle], starts[right] = right, 0, left
            if left > 0:
                consider(starts[left], left, right)
            if right < len(text):
                consider(left, right, ends[right])
        return Segmentation(self._pieces_of(text, ends, parts), 0.0, _INFINITY)

    def _symbols_of(self, text: str) -> tuple[list[int], list[int], set[int]]:
        """What is merged: single characters, and user-defined symbols.

        Returns for each position the start of the symbol that ends there, or -1, and the end of the one that starts
        there, or 0; and the starts of those that never merge.
        """
        ends = list(range(1, len(text) + 1))
        starts = list(range(-1, len(text)))
        frozen: set[int] = set()
        position = 0
        while self._symbols.lengths and position < len(text):
            end = self._symbols.end_of_match(text, position)
            if end > position:
                frozen.add(position)
                ends[position:end] = [end, *[0] * (end - position - 1)]
                starts[position + 1:end + 1] = [*[-1] * (end - position - 1), position]
            position = max(end, position + 1)
        return starts, ends, frozen

    def _pieces_of(self, text: str, ends: list[int], parts: dict[str, tuple[int, int, int]]) -> list[TextPiece]:
        """The pieces that the symbols with these ends are, unused ones split into their parts again."""
        found = [text[start:end] for start, end in enumerate(ends) if end]
        if parts:
            found = [used for piece in found for used in _used(piece, parts, text)]
        # (Only single characters may be unknown.)
        return [(piece, len(piece) > 1 or self._is_used(piece)) for piece in found]


def _used(piece: str, parts: dict[str, tuple[int, int, int]], text: str) -> list[str]:
    """The piece, or the used ones that it was merged from, should it be one of those that have `parts` in the text."""
    pending = [piece]
    used: list[str] = []
    while pending:
        piece = pending.pop()
        if piece in parts:
            left, middle, right = parts[piece]
            pending += [text[middle:right], text[left:middle]]
        else:
            used.append(piece)
    return used


def make_algorithm(model: Model, symbols: UserDefinedSymbols) -> Unigram | PairMerging:
    """The algorithm that the pieces of a model were made for."""
    return PairMerging(model.pieces, symbols) if model.algorithm == BPE else Unigram(model.pieces)


def _to_float32(number: float) -> float:
    return array("f", [number])[0]


def pieces(segmented: Sequence[TextPiece], byte_fallback: bool) -> list[str]:
    """The pieces of a text as SentencePiece shows them.

    Args:
        segmented: the pieces of a `Segmentation`.
        byte_fallback: whether unknown pieces become pieces for their bytes; else, neighbouring ones become one.

    Example:
        >>> pieces([("a", True), ("b", False), ("c", False)], False), pieces([("b", False)], True)
        (['a', 'bc'], ['<0x62>'])
    """
    found: list[str] = []
    unknown: list[str] = []
    for text, known in segmented:
        if not known:
            unknown.append(text)
            continue
        if unknown:
            found += _unknown_pieces(unknown, byte_fallback)
            unknown = []
        found.append(text)
    return found + _unknown_pieces(unknown, byte_fallback) if unknown else found


def _unknown_pieces(texts: Sequence[str], byte_fallback: bool) -> list[str]:
    text = "".join(texts)
    return list(map(byte_piece, text.encode("utf-8", "surrogatepass"))) if byte_fallback else [text]
