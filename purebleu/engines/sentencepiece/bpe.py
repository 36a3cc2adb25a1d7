"""Segmenting normalized text by byte-pair encoding, which merges pairs of neighbours (Sennrich et al., 2016)."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import repeat
from operator import add

from ...runtime.hints import Iterable, Iterator, Sequence
from .model_file import NORMAL, OF_TEXT, UNUSED, USER_DEFINED, Pieces
from .normalizer import UserDefinedSymbols

#: If a text has at least this number of symbols, the best pair is found with a heap.
_MANY_SYMBOLS = 150

_INFINITY = float("inf")


class PairMerging:
    """Byte-pair encoding: in each step, the two neighbouring symbols that make the best piece are merged."""

    #: The score of unknown characters. (It changes no segmentation.)
    unknown = 0.0

    def __init__(self, pieces: Pieces, symbols: UserDefinedSymbols) -> None:
        self._symbols = symbols
        #: The scores of the pieces into which two neighbouring symbols can be merged.
        self._mergeable = pieces.scores_for(*OF_TEXT)
        #: The scores of the pieces that a segmentation can contain.
        self.scores = pieces.scores_for(NORMAL, USER_DEFINED) if pieces.by_kind[UNUSED] else self._mergeable
        #: Whether words can be segmented one by one. (SentencePiece splits each unused piece again, in the same way as
        #: the last occurrence of this piece in the text. So with unused pieces, words depend on the whole text.)
        self.by_word = not pieces.by_kind[UNUSED]

    def segment(self, text: str) -> tuple[list[bytes], float]:
        """Return the pieces of a normalized text, and its limit (see `Unigram.segment`), which is infinite."""
        return next(self.segment_sorted([text]))

    def segment_sorted(self, texts: Iterable[str]) -> Iterator[tuple[list[bytes], float]]:
        """Yield the result of `segment` for each text."""
        plain = self.by_word and not self._symbols.by_character
        for text in texts:
            if plain and len(text) < _MANY_SYMBOLS:
                pieces = merged(_characters(text), self._mergeable)
            else:
                pieces = self._merge_with_heap(text)
            yield pieces, _INFINITY

    def _merge_with_heap(self, text: str) -> list[bytes]:
        """Merge neighbours as `merged` does, with the possible pairs in a heap. Then split unused pieces again."""
        content = text.encode("utf-8", "surrogatepass")
        score_of, used = self._mergeable.get, self.scores
        starts, ends, frozen = self._symbols_of(text, _boundaries(content))
        parts: dict[bytes, tuple[int, int, int]] = {}  # for unused pieces, the last occurrence: start, middle, end
        candidates: list[tuple[float, int, int, int]] = []

        def consider(left: int, middle: int, right: int) -> None:
            piece = content[left:right]
            score = score_of(piece)
            if score is not None and left not in frozen and middle not in frozen:
                heappush(candidates, (-score, left, middle, right))  # (if scores are equal, the leftmost comes first)
                if piece not in used:
                    parts[piece] = left, middle, right

        for start, end in enumerate(ends):
            if 0 < end < len(content):
                consider(start, end, ends[end])
        while candidates:
            _, left, middle, right = heappop(candidates)
            if ends[left] != middle or ends[middle] != right:
                continue  # (one of the two symbols has already been merged with another symbol)
            ends[left], ends[middle], starts[right] = right, 0, left
            if left > 0:
                consider(starts[left], left, right)
            if right < len(content):
                consider(left, right, ends[right])
        symbols = [content[start:end] for start, end in enumerate(ends) if end]
        return [piece for symbol in symbols for piece in _used(symbol, parts, content)] if parts else symbols

    def _symbols_of(self, text: str, boundaries: Sequence[int]) -> tuple[list[int], list[int], set[int]]:
        """Return the symbols at the start of merging: single characters, and user-defined symbols.

        Returns:
            Two lists, indexed by offset in UTF-8, and a set. The first list has the start of the symbol that ends at
            the offset (or -1). The second list has the end of the symbol that starts at the offset (or 0). The set has
            the starts of user-defined symbols, which are never merged.
        """
        starts, ends = [-1] * (boundaries[-1] + 1), [0] * boundaries[-1]
        frozen: set[int] = set()
        position = 0
        while position < len(text):
            end = self._symbols.end_of_match(text, position) if self._symbols.by_character else position
            start = boundaries[position]
            if end > position:
                frozen.add(start)
            position = max(end, position + 1)
            ends[start], starts[boundaries[position]] = boundaries[position], start
        return starts, ends, frozen


def merged(symbols: list[bytes], scores: dict[bytes, float]) -> list[bytes]:
    """Merge neighbouring symbols while two of them make a piece; return the symbols that remain.

    The pair with the best score is merged first. If several pairs have this score, the leftmost pair is merged first.

    Example:
        >>> merged([b"a", b"b", b"c", b"b", b"c"], {b"ab": -3.0, b"bc": -1.0, b"bcbc": -2.0})
        [b'a', b'bcbc']
    """
    # (For few symbols, `max`, which runs in C, is faster than a heap.)
    score_of = scores.get
    pairs = list(map(add, symbols, symbols[1:]))
    ranks = list(map(score_of, pairs, repeat(-_INFINITY)))
    while ranks:
        best = max(ranks)
        if best == -_INFINITY:
            break
        index = ranks.index(best)
        symbols[index] = symbol = pairs[index]
        del symbols[index + 1], pairs[index], ranks[index]
        if index:
            pairs[index - 1] = pair = symbols[index - 1] + symbol
            ranks[index - 1] = score_of(pair, -_INFINITY)
        if index < len(ranks):
            pairs[index] = pair = symbol + symbols[index + 1]
            ranks[index] = score_of(pair, -_INFINITY)
    return symbols


def _characters(text: str) -> list[bytes]:
    """Return the characters of a text in UTF-8."""
    if "\0" in text:
        return [character.encode("utf-8", "surrogatepass") for character in text]
    return "\0".join(text).encode("utf-8", "surrogatepass").split(b"\0")


def _used(piece: bytes, parts: dict[bytes, tuple[int, int, int]], text: bytes) -> list[bytes]:
    """Split an unused piece into the used pieces that were merged into it. (A used piece is not split.)"""
    pending = [piece]
    used: list[bytes] = []
    while pending:
        piece = pending.pop()
        if piece in parts:
            left, middle, right = parts[piece]
            pending += [text[middle:right], text[left:middle]]
        else:
            used.append(piece)
    return used


def _boundaries(content: bytes) -> list[int]:
    """Return the offset of each character in a text in UTF-8, and then the length of the text in bytes."""
    return [offset for offset, byte in enumerate(content) if byte & 0xC0 != 0x80] + [len(content)]
