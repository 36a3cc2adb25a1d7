"""Segmenting normalized text into pieces: by a unigram language model, or by merging pairs (BPE)."""

from __future__ import annotations

from array import array
from heapq import heappop, heappush

from .model import BPE, byte_piece
from .normalization import Symbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence, Tuple

    from .model import Model

    #: A piece of text, and whether the model knows it.
    Segment = Tuple[str, bool]

#: How much worse than the worst piece an unknown character is.
_UNKNOWN_PENALTY = 10.0

#: The score of a user-defined piece for each byte of UTF-8 after its first.
_USER_DEFINED_BONUS = 0.1

_INFINITY = float("inf")

#: The relative error of rounding to single precision.
_ROUNDING = 2.0 ** -24


class Unigram:
    """The segmentation that is the most probable one under a unigram language model (Kudo, 2018).

    Probabilities are added in single precision, character by character, as SentencePiece does.
    """

    def __init__(self, model: Model) -> None:
        self._scores = model.scores
        if model.user_defined or model.unused:
            special = model.user_defined | model.unused
            self._scores = {piece: score for piece, score in model.scores.items() if piece not in special}
        self._unknown = array("f", [min(self._scores.values(), default=0.0) - _UNKNOWN_PENALTY])[0]
        for piece in model.user_defined:
            # Whatever else there is, these are likely to be chosen.
            self._scores[piece] = array("f", [(len(piece.encode()) - 1) * _USER_DEFINED_BONUS])[0]
        # By their first characters, the lengths of the longest pieces.
        self._longest: dict[str, int] = {}
        for piece in self._scores:
            if len(piece) > self._longest.get(piece[0], 1):
                self._longest[piece[0]] = len(piece)
        #: Whether words can be segmented one by one, as far as the scores are concerned: see `segment`.
        self.by_word = max(self._scores.values(), default=0.0) <= 0

    def segment(self, text: str) -> tuple[list[Segment], float, float]:
        """The segments of `text`, the sum of their scores, and how far from zero that may get.

        In a longer text, the sums are larger, so they are rounded to larger steps, which decides between
        segmentations that are about equally good. Those of `text` stay the same where it is part of one the sum of
        whose scores is nearer to zero than the last of the returned numbers (provided that no score is above zero).
        """
        scores, longest = self._scores, self._longest
        best = array("f", bytes(4 * (len(text) + 1)))
        starts = [-1] * (len(text) + 1)
        margins = [_INFINITY] * (len(text) + 1)
        for start, character in enumerate(text):
            before = best[start]
            for end in range(start + 1, min(start + longest.get(character, 1), len(text)) + 1):
                score = scores.get(text[start:end])
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
            margin = min(margin, margins[end])
            piece = text[starts[end]:end]
            segments.append((piece, piece in scores))
            end = starts[end]
        # Two sums of so many numbers each, in either text, are off by less than this times the sum.
        rounding = 4 * _ROUNDING * (len(text) + 1)
        return segments[::-1], best[len(text)], margin / rounding


class PairMerging:
    """Byte-pair encoding (Sennrich et al., 2016): neighbours are merged, those first that make the best piece."""

    def __init__(self, model: Model, symbols: Symbols) -> None:
        self._scores = model.scores
        self._symbols = symbols
        self._unused = model.unused
        #: Whether words can be segmented one by one. (How an unused piece is taken apart again is decided by its
        #: last occurrence in the text.)
        self.by_word = not self._unused

    def segment(self, text: str) -> tuple[list[Segment], float, float]:
        """The segments of `text`; the other numbers, as in `Unigram`, say that it may be part of any longer text."""
        scores, unused = self._scores, self._unused
        ends, frozen = self._symbols_of(text)
        starts = [-1] * (len(text) + 1)  # where the symbol begins that ends at a place
        parts: dict[str, tuple[str, str]] = {}
        candidates: list[tuple[float, int, int, int]] = []

        def consider(left: int, middle: int, right: int) -> None:
            merged = text[left:right]
            score = scores.get(merged)
            if score is not None and left not in frozen and middle not in frozen:
                heappush(candidates, (-score, left, middle, right))
                if merged in unused:
                    parts[merged] = text[left:middle], text[middle:right]

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
        segments = [(piece, piece in scores and piece not in unused) for start, end in enumerate(ends) if end
                    for piece in _used(text[start:end], parts)]
        return segments, 0.0, _INFINITY

    def _symbols_of(self, text: str) -> tuple[list[int], set[int]]:
        """For each place, where the symbol ends that begins there, or 0; and where those begin that never merge."""
        ends = list(range(1, len(text) + 1))
        frozen: set[int] = set()
        place = 0
        while self._symbols.by_start and place < len(text):
            end = self._symbols.end_of_match(text, place)
            if end > place:
                frozen.add(place)
                ends[place:end] = [end, *[0] * (end - place - 1)]
            place = max(end, place + 1)
        return ends, frozen


def _used(piece: str, parts: dict[str, tuple[str, str]]) -> list[str]:
    """The piece, or the used ones that it was merged from, should it be one of those that have `parts`."""
    pending, used = [piece], []
    while pending:
        piece = pending.pop()
        if piece in parts:
            pending.extend(reversed(parts[piece]))
        else:
            used.append(piece)
    return used


def make_algorithm(model: Model, symbols: Symbols) -> Unigram | PairMerging:
    """What segments text with a model."""
    return PairMerging(model, symbols) if model.algorithm == BPE else Unigram(model)


def pieces(segments: Sequence[Segment], byte_fallback: bool) -> list[str]:
    """The pieces of a text: unknown ones in a row become one, or with `byte_fallback` their bytes."""
    found: list[str] = []
    after_unknown = False
    for piece, known in segments:
        if not known and byte_fallback:
            found += map(byte_piece, piece.encode("utf-8", "surrogatepass"))
        elif not known and after_unknown:
            found[-1] += piece
        else:
            found.append(piece)
        after_unknown = not known
    return found
