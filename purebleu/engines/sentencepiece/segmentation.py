"""Segmenting normalized text into pieces: by a unigram language model, or by merging pairs (BPE)."""

from __future__ import annotations

from array import array
from heapq import heappop, heappush
from itertools import chain, repeat
from operator import add

from .model import BPE
from .pieces import MAX_PIECE_LENGTH, NORMAL, OF_TEXT, SPACE, SPACE_BYTES, UNUSED, USER_DEFINED, byte_piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, List, Sequence, Tuple

    from .model import Model
    from .normalization import UserDefinedSymbols
    from .pieces import Pieces, Scores

    #: What the last characters of a text tell of the pieces that it may end with: the lengths and scores of those of up
    #: to `_TAIL` characters, the longest first; and an upper bound of the lengths of others.
    Arcs = Tuple[List[Tuple[int, float]], int]

#: How much worse than the worst piece an unknown character is.
_UNKNOWN_PENALTY = 10.0

#: The score of a user-defined piece for each byte of UTF-8 after its first.
_USER_DEFINED_BONUS = 0.1

#: The number of last characters of a text whose `Arcs` are cached, and the limit of the cache.
_TAIL = 3
_MAX_CACHED = 1 << 15

#: The number of symbols from which on the best pair is found with a heap.
_MANY_SYMBOLS = 150

_INFINITY = float("inf")

#: The relative error of rounding to float32.
_ROUNDING = 2.0 ** -24


class Segmentation:
    """What a text is segmented into.

    Args:
        pieces: the pieces of the text, in order, in UTF-8; some may be characters that the model does not know.
        score: the sum of their scores (0 for byte-pair encoding).
        max_score: the largest absolute score, of a longer text, for which this segmentation of a part of it stays
            optimal under float32 rounding (provided that no score is above zero).
    """

    __slots__ = ("max_score", "pieces", "score")

    def __init__(self, pieces: list[bytes], score: float, max_score: float) -> None:
        self.pieces = pieces
        self.score = score
        self.max_score = max_score


class Unigram:
    """The most probable segmentation under a unigram language model (Kudo, 2018).

    Log-probabilities are added in float32, piece by piece, as SentencePiece does.
    """

    def __init__(self, pieces: Pieces) -> None:
        normal, symbols = pieces.by_kind[NORMAL], pieces.by_kind[USER_DEFINED]
        #: The score of an unknown character.
        self.unknown = _to_float32(min(normal.values()) - _UNKNOWN_PENALTY)
        # Whatever else there is, symbols are likely to be chosen. (Their own scores mean nothing.)
        bonuses = {length: _to_float32((length - 1) * _USER_DEFINED_BONUS) for length in set(map(len, symbols))}
        for text in symbols:
            symbols[text] = bonuses[len(text)]
        #: The scores of the pieces that text may end up in.
        self.scores = pieces.of_kinds(NORMAL, USER_DEFINED)
        #: Whether words can be segmented one by one, as far as the scores are concerned: see `segment`.
        self.by_word = max(normal.values()) <= 0 and not symbols
        self._arcs: dict[bytes, Arcs] = {}
        self._reach = _Reach(len(normal) + len(symbols), chain(normal, symbols))

    def segment(self, text: str) -> Segmentation:
        """The most probable segmentation of a normalized text.

        In a longer text, the sums are larger, so they are rounded to larger steps, which decides between
        segmentations that are about equally good. That is what `max_score` of the result is about.
        """
        return next(self.segment_sorted([text]))

    def segment_sorted(self, texts: Iterable[str]) -> Iterator[Segmentation]:
        """`segment`, for many texts: where one begins like the one before it, that takes no time again."""
        paths = _Paths()
        last = ""
        for text in texts:
            common = _common_prefix(last, text)
            paths.cut(common)
            content = text.encode("utf-8", "surrogatepass")
            boundaries = _boundaries(text, content)
            self._extend(paths, content, boundaries, max(0, text.rfind(SPACE, 0, common)))
            # Two sums with an addition for each character, in either text, are off by less than this times the sum.
            rounding = 4 * _ROUNDING * (len(text) + 1)
            yield Segmentation(paths.pieces(content, boundaries), paths.scores[-1], paths.margins[-1] / rounding)
            last = text

    def _extend(self, paths: _Paths, content: bytes, boundaries: Sequence[int], word: int) -> None:
        """Viterbi's search, from where the paths end to the end of a text; `word` is the last space before it."""
        best, starts, margins = paths.scores, paths.starts, paths.margins
        score_of, known_arcs = self.scores.get, self._arcs
        for index in range(len(best), len(boundaries)):
            end = boundaries[index]
            tail = content[boundaries[index - _TAIL] if index > _TAIL else 0:end]
            arcs, reach = known_arcs.get(tail) or self._arcs_of(tail)
            if index > _TAIL:
                longer: list[tuple[int, float]] = []
                if reach < index - word <= MAX_PIECE_LENGTH:
                    # Pieces that begin with a space have no other, so there is one position where they may begin.
                    score = score_of(content[boundaries[word]:end])
                    if score is not None:
                        longer.append((index - word, score))
                for length in range(reach if reach < index else index, _TAIL, -1):
                    score = score_of(content[boundaries[index - length]:end])
                    if score is not None:
                        longer.append((length, score))
                if longer:
                    arcs = longer + arcs
            start, top, second = 0, -_INFINITY, -_INFINITY
            for length, score in arcs:
                total = best[index - length] + score
                if total > top:
                    start, top, second = index - length, total, top
                elif total > second:
                    second = total
            best.append(top)  # rounded to float32, as it is put into the array
            if top - second <= 4 * _ROUNDING * abs(top):
                start = _first_best([(index - length, best[index - length] + score) for length, score in arcs])
            starts.append(start)
            margin = margins[start]
            margins.append(margin if margin < top - second else top - second)
            if tail.endswith(SPACE_BYTES):
                word = index - 1

    def _arcs_of(self, tail: bytes) -> Arcs:
        """The `Arcs` of the last characters of a text, which are cached."""
        text = tail.decode("utf-8", "surrogatepass")
        lengths = range(len(text), 0, -1)
        scores = [self.scores.get(text[-length:].encode("utf-8", "surrogatepass")) for length in lengths]
        if scores[-1] is None:
            scores[-1] = self.unknown
        arcs = [(length, score) for length, score in zip(lengths, scores) if score is not None]
        if len(self._arcs) >= _MAX_CACHED:
            self._arcs.clear()
        self._arcs[tail] = found = arcs, self._reach.of(text)
        return found


def _first_best(totals: Sequence[tuple[int, float]]) -> int:
    """The start of the best total, the first of those that are equal once they are rounded to float32."""
    rounded = array("f", [total for _, total in totals])
    return totals[rounded.index(max(rounded))][0]


class _Paths:
    """The best segmentations of a text up to each boundary between characters.

    `scores` are their sums, `starts` the boundaries where the last piece begins, and `margins` the least by which any
    other last piece is worse, anywhere on the path.
    """

    def __init__(self) -> None:
        self.scores = array("f", [0.0])
        self.starts = [0]
        self.margins = [_INFINITY]

    def cut(self, length: int) -> None:
        """Forget what is behind the first `length` characters."""
        del self.scores[length + 1:], self.starts[length + 1:], self.margins[length + 1:]

    def pieces(self, content: bytes, boundaries: Sequence[int]) -> list[bytes]:
        """The pieces on the best path to the end of a text."""
        found: list[bytes] = []
        end = len(boundaries) - 1
        while end:
            start = self.starts[end]
            found.append(content[boundaries[start]:boundaries[end]])
            end = start
        return found[::-1]


class _Reach:
    """Upper bounds of the lengths of pieces, in characters, by their last ones.

    Pieces that have a space at their beginning and nowhere else do not count. The bounds are kept by hash values, so
    that they take little memory, however many endings there are.
    """

    def __init__(self, count: int, texts: Iterable[bytes]) -> None:
        self._mask = mask = (1 << count.bit_length()) - 1
        self._longest = longest = array("H", [_TAIL]) * (mask + 1)
        for text in map(bytes.decode, texts):
            length = len(text)
            if length > _TAIL and (text[0] != SPACE or SPACE in text[1:]):
                slot = hash(text[-_TAIL:]) & mask
                if length > longest[slot]:
                    longest[slot] = length

    def of(self, text: str) -> int:
        """An upper bound of the lengths of pieces that end with the last characters of a text."""
        return self._longest[hash(text[-_TAIL:]) & self._mask]


def _common_prefix(first: str, second: str) -> int:
    """The number of characters that two texts have in common at their beginning.

    >>> _common_prefix("abcd", "abed")
    2
    """
    count = 0
    for one, other in zip(first, second):
        if one != other:
            break
        count += 1
    return count


#: The boundaries between the characters of a space (as in pieces) and ASCII characters, in UTF-8.
_AFTER_SPACE = [0, *range(len(SPACE_BYTES), 64)]


def _boundaries(text: str, content: bytes) -> list[int]:
    """The offsets of characters in a text in UTF-8, and its length."""
    if len(content) == len(text) + 2 < 64 and text[0] == SPACE:
        return _AFTER_SPACE[:len(text) + 1]
    return [offset for offset, byte in enumerate(content) if byte & 0xC0 != 0x80] + [len(content)]


class PairMerging:
    """Byte-pair encoding (Sennrich et al., 2016): neighbours are merged, those first that make the best piece."""

    #: No score is below zero by which unknown characters would count.
    unknown = 0.0

    def __init__(self, pieces: Pieces, symbols: UserDefinedSymbols) -> None:
        self._symbols = symbols
        #: The scores of what may be merged.
        self._mergeable = pieces.of_kinds(*OF_TEXT)
        #: The scores of the pieces that text may end up in.
        self.scores = pieces.of_kinds(NORMAL, USER_DEFINED) if pieces.by_kind[UNUSED] else self._mergeable
        self._has_unused = bool(pieces.by_kind[UNUSED])
        #: Whether words can be segmented one by one. (How an unused piece is split again is decided by its last
        #: occurrence in the text.)
        self.by_word = not self._has_unused

    def segment(self, text: str) -> Segmentation:
        """The segmentation of a normalized text; it stays as it is in any longer text, so its score is not needed."""
        return next(self.segment_sorted([text]))

    def segment_sorted(self, texts: Iterable[str]) -> Iterator[Segmentation]:
        """`segment`, for many texts."""
        plain = not self._has_unused and not self._symbols.lengths
        for text in texts:
            if plain and len(text) < _MANY_SYMBOLS:
                found = merged(_characters(text), self._mergeable)
            else:
                found = self._merge_with_heap(text)
            yield Segmentation(found, 0.0, _INFINITY)

    def _merge_with_heap(self, text: str) -> list[bytes]:
        content = text.encode("utf-8", "surrogatepass")
        score_of, used = self._mergeable.get, self.scores
        starts, ends, frozen = self._symbols_of(text, _boundaries(text, content))
        parts: dict[bytes, tuple[int, int, int]] = {}  # where an unused piece is, and its two parts meet
        candidates: list[tuple[float, int, int, int]] = []

        def consider(left: int, middle: int, right: int) -> None:
            merged = content[left:right]
            score = score_of(merged)
            if score is not None and left not in frozen and middle not in frozen:
                heappush(candidates, (-score, left, middle, right))
                if merged not in used:
                    parts[merged] = left, middle, right

        for start, end in enumerate(ends):
            if 0 < end < len(content):
                consider(start, end, ends[end])
        while candidates:
            _, left, middle, right = heappop(candidates)
            if ends[left] != middle or ends[middle] != right:
                continue  # one of the two has been merged with another
            ends[left], ends[middle], starts[right] = right, 0, left
            if left > 0:
                consider(starts[left], left, right)
            if right < len(content):
                consider(left, right, ends[right])
        found = [content[start:end] for start, end in enumerate(ends) if end]
        return [piece for symbol in found for piece in _used(symbol, parts, content)] if parts else found

    def _symbols_of(self, text: str, boundaries: Sequence[int]) -> tuple[list[int], list[int], set[int]]:
        """What is merged: single characters, and user-defined symbols.

        Returns for each offset in UTF-8 the start of the symbol that ends there, or -1, and the end of the one that
        starts there, or 0; and the starts of those that never merge.
        """
        starts, ends = [-1] * (boundaries[-1] + 1), [0] * boundaries[-1]
        frozen: set[int] = set()
        position = 0
        while position < len(text):
            end = self._symbols.end_of_match(text, position) if self._symbols.lengths else position
            start = boundaries[position]
            if end > position:
                frozen.add(start)
            position = max(end, position + 1)
            ends[start], starts[boundaries[position]] = boundaries[position], start
        return starts, ends, frozen


def merged(symbols: list[bytes], scores: Scores) -> list[bytes]:
    """The symbols, neighbours merged as long as that makes a piece: the one with the highest score, the first of those.

    Example:
        >>> merged([b"a", b"b", b"c", b"b", b"c"], {b"ab": -3.0, b"bc": -1.0, b"bcbc": -2.0})
        [b'a', b'bcbc']
    """
    # A search for the maximum in a list of scores is all in C, so it is faster than a heap, as long as there are few.
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
    """The characters of a text in UTF-8."""
    if "\0" in text:
        return [character.encode("utf-8", "surrogatepass") for character in text]
    return "\0".join(text).encode("utf-8", "surrogatepass").split(b"\0")


def _used(piece: bytes, parts: dict[bytes, tuple[int, int, int]], text: bytes) -> list[bytes]:
    """The piece, or the used ones that it was merged from, should it be one of those that have `parts` in the text."""
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


def make_algorithm(model: Model, symbols: UserDefinedSymbols) -> Unigram | PairMerging:
    """The algorithm that the pieces of a model were made for."""
    return PairMerging(model.pieces, symbols) if model.algorithm == BPE else Unigram(model.pieces)


def _to_float32(number: float) -> float:
    return array("f", [number])[0]


def pieces(segmented: Sequence[bytes], known: Scores, byte_fallback: bool) -> list[bytes]:
    """The pieces of a text as SentencePiece shows them.

    Args:
        segmented: the pieces of a `Segmentation`.
        known: the pieces of the model that text may end up in; others are single characters.
        byte_fallback: whether unknown pieces become pieces for their bytes; else, neighbouring ones become one.

    Example:
        >>> pieces([b"a", b"b", b"c"], {b"a": -1.0}, False), pieces([b"b"], {}, True)
        ([b'a', b'bc'], [b'<0x62>'])
    """
    found: list[bytes] = []
    unknown: list[bytes] = []
    for text in segmented:
        if text not in known:
            unknown.append(text)
            continue
        if unknown:
            found += _unknown_pieces(unknown, byte_fallback)
            unknown = []
        found.append(text)
    return found + _unknown_pieces(unknown, byte_fallback) if unknown else found


def _unknown_pieces(texts: Sequence[bytes], byte_fallback: bool) -> list[bytes]:
    text = b"".join(texts)
    return list(map(byte_piece, text)) if byte_fallback else [text]
