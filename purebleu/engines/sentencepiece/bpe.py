"""Segmenting normalized text by byte-pair encoding, which merges pairs of neighbours (Sennrich et al., 2016)."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import repeat
from operator import add

from ...hints import Iterable, Iterator
from .model_file import NORMAL, USER_DEFINED, Pieces
from .normalizer import UserDefinedSymbols

#: From this number of symbols on, the best pair is found with a heap.
_MANY_SYMBOLS = 150

_INFINITY = float("inf")


class PairMerging:
    """Byte-pair encoding: the neighbours that make the best piece are merged first. User-defined symbols never are."""

    #: The score of unknown characters. (It never counts.)
    unknown = 0.0

    #: Words can be segmented one by one.
    by_word = True

    def __init__(self, pieces: Pieces, symbols: UserDefinedSymbols) -> None:
        self._symbols = symbols
        #: The scores of the pieces that a segmentation can contain.
        self.scores = pieces.scores_for(NORMAL, USER_DEFINED)

    def segment(self, text: str) -> tuple[list[bytes], float]:
        """Return the segmentation of a normalized text (see `Unigram.segment`). In any longer text, it is the same."""
        return next(self.segment_sorted([text]))

    def segment_sorted(self, texts: Iterable[str]) -> Iterator[tuple[list[bytes], float]]:
        """Return the segmentation of each text."""
        for text in texts:
            found: list[bytes] = []
            for part, is_symbol in self._symbols.split(text):
                if is_symbol:
                    found.append(part.encode("utf-8", "surrogatepass"))
                else:
                    merge = merged if len(part) < _MANY_SYMBOLS else merged_with_heap
                    found += merge(_characters(part), self.scores)
            yield found, _INFINITY


def merged(symbols: list[bytes], scores: dict[bytes, float]) -> list[bytes]:
    """Merge neighbours as long as that makes a piece; return the symbols. The best piece comes first, or the leftmost.

    Example:
        >>> merged([b"a", b"b", b"c", b"b", b"c"], {b"ab": -3.0, b"bc": -1.0, b"bcbc": -2.0})
        [b'a', b'bcbc']
    """
    # `max` of a list runs in C. For few symbols, it is faster than a heap.
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


def merged_with_heap(symbols: list[bytes], scores: dict[bytes, float]) -> list[bytes]:
    """Return the same as `merged`, for many symbols."""
    before, after = list(range(-1, len(symbols))), list(range(1, len(symbols) + 1))
    candidates: list[tuple[float, int, bytes]] = []  # (of equally good pairs, the leftmost comes first)

    def consider(left: int) -> None:
        if left >= 0 and after[left] < len(symbols):
            pair = symbols[left] + symbols[after[left]]
            score = scores.get(pair)
            if score is not None:
                heappush(candidates, (-score, left, pair))

    for left in range(len(symbols)):
        consider(left)
    while candidates:
        _, left, pair = heappop(candidates)
        right = after[left]
        if not symbols[left] or right == len(symbols) or symbols[left] + symbols[right] != pair:
            continue  # (one of the two has been merged with another one)
        symbols[left], symbols[right] = pair, b""
        after[left] = after[right]
        before[after[right]] = left
        consider(before[left])
        consider(left)
    return list(filter(None, symbols))


def _characters(text: str) -> list[bytes]:
    """Return the characters of a text in UTF-8."""
    if "\0" in text:
        return [character.encode("utf-8", "surrogatepass") for character in text]
    return "\0".join(text).encode("utf-8", "surrogatepass").split(b"\0")
