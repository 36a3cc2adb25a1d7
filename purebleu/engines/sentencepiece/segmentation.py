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
    from .normalization import Symbols
    from .pieces import Pieces

    #: A piece of text, and whether the model knows it.
    Segment = Tuple[str, bool]

#: How much worse than the worst piece an unknown character is.
_UNKNOWN_PENALTY = 10.0

#: The score of a user-defined piece for each byte of UTF-8 after its first.
_USER_DEFINED_BONUS = 0.1

#: So many scores of pieces are kept at hand, about as many as a large corpus needs; but not those of longer ones.
_REMEMBERED = 1 << 15
_LONGEST_REMEMBERED = 32

_INFINITY = float("inf")

#: The relative error of rounding to single precision.
_ROUNDING = 2.0 ** -24


class Scores:
    """The scores of pieces, which `score_of` finds; it returns `None` for what is no piece.

    `known` has those of pieces that were looked up before, as most are asked for again and again, and of a few texts
    that only looked as if they might be pieces. (Inner loops ask it themselves, as a call of `of` takes longer.)
    """

    def __init__(self, pieces: Pieces, score_of: Callable[[str], float | None]) -> None:
        self._places, self._mask = pieces.places, pieces.mask
        self._score_of = score_of
        self.known: dict[str, float | None] = {}

    def of(self, text: str) -> float | None:
        """The score of a text."""
        score = self.known.get(text)
        return self.look_up(text) if score is None else score

    def look_up(self, text: str) -> float | None:
        """The score of a text that `known` has none for."""
        if not self._places[hash(text) & self._mask] or text in self.known:
            return None
        score = self._score_of(text)
        if len(text) <= _LONGEST_REMEMBERED:
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            self.known[text] = score
        return score


class Unigram:
    """The segmentation that is the most probable one under a unigram language model (Kudo, 2018).

    Probabilities are added in single precision, character by character, as SentencePiece does.
    """

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._unknown = _single_precision(pieces.lowest - _UNKNOWN_PENALTY)
        self._scores = Scores(pieces, self._score_of)
        #: Whether words can be segmented one by one, as far as the scores are concerned: see `segment`.
        self.by_word = pieces.highest <= 0 and not pieces.symbol_lengths

    def _score_of(self, text: str) -> float | None:
        score, kind = self._pieces.find(text)
        if kind == USER_DEFINED:
            # Whatever else there is, these are likely to be chosen.
            return _single_precision((len(text.encode()) - 1) * _USER_DEFINED_BONUS)
        return score if kind == NORMAL else None

    def segment(self, text: str) -> tuple[list[Segment], float, float]:
        """The segments of `text`, the sum of their scores, and how far from zero that may get.

        In a longer text, the sums are larger, so they are rounded to larger steps, which decides between
        segmentations that are about equally good. Those of `text` stay the same where it is part of one the sum of
        whose scores is nearer to zero than the last of the returned numbers (provided that no score is above zero).
        """
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
                best[end] = before + score  # in single precision
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
        segments = []
        margin = _INFINITY
        end = len(text)
        while end > 0:
            if margins[end] < margin:
                margin = margins[end]
            piece = text[starts[end]:end]
            # (Only single characters may be unknown.)
            segments.append((piece, len(piece) > 1 or self._scores.of(piece) is not None))
            end = starts[end]
        # Two sums of so many numbers each, in either text, are off by less than this times the sum.
        rounding = 4 * _ROUNDING * (len(text) + 1)
        return segments[::-1], best[len(text)], margin / rounding


class PairMerging:
    """Byte-pair encoding (Sennrich et al., 2016): neighbours are merged, those first that make the best piece."""

    def __init__(self, pieces: Pieces, symbols: Symbols) -> None:
        self._pieces = pieces
        self._symbols = symbols
        self._scores = Scores(pieces, self._score_of)
        self._has_unused = pieces.counts[UNUSED] > 0
        #: Whether words can be segmented one by one. (How an unused piece is taken apart again is decided by its
        #: last occurrence in the text.)
        self.by_word = not self._has_unused

    def _score_of(self, text: str) -> float | None:
        score, kind = self._pieces.find(text)
        return score if kind in OF_TEXT else None

    def _is_used(self, text: str) -> bool:
        """Whether text may end up in a piece."""
        return self._scores.of(text) is not None and not (self._has_unused and self._pieces.find(text)[1] == UNUSED)

    def segment(self, text: str) -> tuple[list[Segment], float, float]:
        """The segments of `text`; the other numbers, as in `Unigram`, say that it may be part of any longer text."""
        known, look_up, has_unused = self._scores.known, self._scores.look_up, self._has_unused
        ends, frozen = self._symbols_of(text)
        starts = [-1] * (len(text) + 1)  # where the symbol begins that ends at a place
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
            if end:
                starts[end] = start
                if end < len(text):
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
        found = [text[start:end] for start, end in enumerate(ends) if end]
        if parts:
            found = [used for piece in found for used in _used(piece, parts, text)]
        # (Only single characters may be unknown.)
        segments = [(piece, len(piece) > 1 or self._is_used(piece)) for piece in found]
        return segments, 0.0, _INFINITY

    def _symbols_of(self, text: str) -> tuple[list[int], set[int]]:
        """For each place, where the symbol ends that begins there, or 0; and where those begin that never merge."""
        ends = list(range(1, len(text) + 1))
        frozen: set[int] = set()
        place = 0
        while self._symbols.lengths and place < len(text):
            end = self._symbols.end_of_match(text, place)
            if end > place:
                frozen.add(place)
                ends[place:end] = [end, *[0] * (end - place - 1)]
            place = max(end, place + 1)
        return ends, frozen


def _used(piece: str, parts: dict[str, tuple[int, int, int]], text: str) -> list[str]:
    """The piece, or the used ones that it was merged from, should it be one of those that have `parts` in the text."""
    pending, used = [piece], []
    while pending:
        piece = pending.pop()
        if piece in parts:
            left, middle, right = parts[piece]
            pending += [text[middle:right], text[left:middle]]
        else:
            used.append(piece)
    return used


def make_algorithm(model: Model, symbols: Symbols) -> Unigram | PairMerging:
    """What segments text with a model."""
    return PairMerging(model.pieces, symbols) if model.algorithm == BPE else Unigram(model.pieces)


def _single_precision(number: float) -> float:
    return array("f", [number])[0]


def pieces(segments: Sequence[Segment], byte_fallback: bool) -> list[str]:
    """The pieces of a text: unknown ones in a row become one, or with `byte_fallback` their bytes."""
    found: list[str] = []
    unknown: list[str] = []
    for text, known in segments:
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
