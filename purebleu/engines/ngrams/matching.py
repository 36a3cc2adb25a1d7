"""Clipped n-gram counts of many segments at once, on bit planes.

**The idea.** The clipped count of an order is the size of a largest pairing: each n-gram of the hypothesis with an
equal one of the reference, each used at most once. Equal n-grams may be paired at will, so any greedy pairing is as
large as any other, and neither hashing nor counting is needed: only tests whether position i of the hypothesis equals
position i + d of the reference. Those run along the diagonals d, for all positions of hundreds of segments at once.

**The layout.** Symbols get codes (see `codes`) that mean something only within their segment. Segments of similar
length make a bucket; bit k of all codes of a bucket makes the k-th plane, one integer in which bit
`position * lanes + segment` belongs to that place (see `bitfields`). Two sides are equal where no plane differs; n + 1
symbols are equal in a row where n are, and n are one position further. The time grows with the square of the length,
so very long segments, and lone ones, are counted the plain way.
"""

from __future__ import annotations

from functools import reduce
from operator import and_, xor

from ..bitfields import bit_planes, lane_sums
from .counting import count_matches
from .ids import ENDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Sequence

    from .counting import Symbols
    from .ids import Codes

    Planes = list[int]

    #: Clipped counts of a segment, by order.
    Counts = tuple[int, ...]

#: The widths of buckets, in symbols. At every other one, the codes of tokens just fit into a number of bits, together
#: with the three codes that no symbol has.
_WIDTHS = (5, 13, 21, 29, 45, 61, 93, 125, 189, 253, 381, 509, 765, 1021, 1533, 2045)
_WIDTH_OF_LENGTH = [width for below, width in zip((-1, *_WIDTHS), _WIDTHS) for _ in range(below, width)]

#: By how many rows the planes of one side turn at once.
_TURNS = 8


class NgramMatcher:
    """Counts the matches of many segments, as `ngrams.count_matches` does for one.

    Segments are taken in few at a time (while they are in the processor's cache) and kept as codes; the matches of all
    of them are then counted at once. `encode` makes the codes of segments of at most `longest` symbols.
    """

    def __init__(self, max_order: int, encode: Callable[[Sequence[Sequence[Any]]], Codes | None],
                 longest: int = _WIDTHS[-1]) -> None:
        self._max_order = max_order
        self._encode = encode
        self._longest = longest
        self._sides: list[list[bytes]] = []
        self._sizes: list[int] = []
        self._limit: int | None = 0
        #: Segments that can't be matched with others, by their place.
        self._lone: dict[int, tuple[Symbols, ...]] = {}

    def add(self, hypotheses: Sequence[Symbols], references: Sequence[Sequence[Symbols]]) -> None:
        """Take in segments; `references` has a column for each stream of them (always as many)."""
        columns = [hypotheses, *references]
        if max(max(map(len, column)) for column in columns) > self._longest:
            columns = self._set_aside(columns, self._longest)
        codes = self._encode(columns)
        if codes is None:
            columns = self._set_aside(columns, 0)
            codes = self._encode(columns)
            assert codes is not None, "nothing is left to encode"
        self._sides = self._sides or [[] for _ in columns]
        for side, added in zip(self._sides, codes.sides):
            side += added
        self._sizes += [codes.size] * len(hypotheses)
        self._limit = None if codes.limit is None or self._limit is None else max(codes.limit, self._limit)

    def _set_aside(self, columns: Sequence[Sequence[Symbols]], longest: int) -> list[Sequence[Symbols]]:
        """Set segments longer than this aside; returns the columns with nothing in their place."""
        segments = list(zip(*columns))
        for place, segment in enumerate(segments):
            if max(map(len, segment)) > longest:
                self._lone[len(self._sizes) + place] = segment
                segments[place] = tuple([symbols[:0] for symbols in segment])
        return list(zip(*segments))

    def counts(self) -> list[Counts]:
        """The clipped counts of each segment, against all of its references together, in the order taken in."""
        return self._counted(_match_together, 1)[0]

    def counts_by_reference(self) -> list[list[Counts]]:
        """For each stream of references, the clipped counts of each segment, in the order taken in."""
        return self._counted(_match_one_by_one, len(self._sides) - 1)

    def _counted(self, match: Callable[[list[Planes], int, int, int], list[Iterable[Counts]]],
                 streams: int) -> list[list[Counts]]:
        """The counts of segments in so many streams, as `match` finds them for those that share planes."""
        results: list[list[Counts]] = [[()] * len(self._sizes) for _ in range(streams)]
        for (width, size), places in self._buckets().items():
            bucket = [list(map(side.__getitem__, places)) for side in self._sides]
            if len(places) >= 1 + width / 400:  # measured: from here on planes are faster
                rows, lanes = width + 1, -(-len(places) // 8) * 8
                limit = width if self._limit is None else self._limit
                hypothesis_end, reference_end = ENDS[size]
                ends = [hypothesis_end] + [reference_end] * (len(bucket) - 1)
                planes = [_planes(side, end, size, limit, rows, lanes) for side, end in zip(bucket, ends)]
                order = min(self._max_order, width)
                beyond = (0,) * (self._max_order - order)
                for result, counted in zip(results, match(planes, rows, lanes, order)):
                    for place, counts in zip(places, counted):
                        result[place] = counts + beyond
            else:
                for place, segment in zip(places, zip(*bucket)):
                    self._count_lone(results, place, [_symbols(codes, size) for codes in segment])
        for place, segment in self._lone.items():
            self._count_lone(results, place, segment)
        return results

    def _count_lone(self, results: list[list[Counts]], place: int, segment: Sequence[Symbols]) -> None:
        """Count a segment the plain way: against each reference, or all together where there is but one result."""
        hypothesis, *references = segment
        in_streams = [references] if len(results) == 1 else [[reference] for reference in references]
        for result, of_stream in zip(results, in_streams):
            result[place] = count_matches(hypothesis, of_stream, self._max_order)

    def _buckets(self) -> dict[tuple[int, int], list[int]]:
        """The places of segments by width and size of codes of the bucket that holds them."""
        buckets: dict[tuple[int, int], list[int]] = {}
        longest = map(max, *[map(len, side) for side in self._sides])
        for place, (length, size) in enumerate(zip(longest, self._sizes)):
            buckets.setdefault((_WIDTH_OF_LENGTH[length // size], size), []).append(place)
        return buckets


def _symbols(codes: bytes, size: int) -> Symbols:
    """The codes as symbols to count the plain way."""
    return codes if size == 1 else [codes[start:start + size] for start in range(0, len(codes), size)]


def _planes(side: Sequence[bytes], end: bytes, size: int, limit: int, rows: int, lanes: int) -> Planes:
    """The planes of one side of a bucket, `end` being the byte that fills up its segments."""
    by_segment = b"".join([codes.ljust(size * rows, end) for codes in side]).ljust(size * rows * lanes, end)
    bits = 8
    if size == 1:
        # With the two codes of ends just above all others, the codes need the fewest bits (and one stays unused).
        by_segment = by_segment.translate(bytes([*range(254), limit, limit + 1]))
        bits = (limit + 2).bit_length()
    planes = []
    for byte in range(size):
        starts = range(byte, rows * size, size)
        planes += bit_planes(b"".join([by_segment[start::rows * size] for start in starts]), bits)
    return planes


def _match_together(sides: list[Planes], rows: int, lanes: int, max_order: int) -> list[Iterable[Counts]]:
    """The clipped counts of each lane, an n-gram counting as often as in the reference that has most of it."""
    hypotheses, *references = sides
    everywhere = (1 << rows * lanes) - 1
    unmatched = [everywhere] * max_order
    earlier: list[tuple[Planes, Planes]] = []
    for planes in references:
        # What earlier references have too is cancelled. (Codes for "absent" are equal there without meaning it; but no
        # n-gram with one of them is in the hypothesis.)
        left = [everywhere] * max_order
        for other_planes, other_left in earlier:
            _pair(other_planes, planes, other_left[:], left, lanes, everywhere)
        earlier.append((planes, left[:]))
        _pair(hypotheses, planes, unmatched, left, lanes, everywhere)
    return [zip(*lane_sums([everywhere ^ free for free in unmatched], rows, lanes))]


def _match_one_by_one(sides: list[Planes], rows: int, lanes: int, max_order: int) -> list[Iterable[Counts]]:
    """For each stream of references, the clipped counts of each lane."""
    hypotheses, *references = sides
    everywhere = (1 << rows * lanes) - 1
    by_reference: list[Iterable[Counts]] = []
    for planes in references:
        unmatched = [everywhere] * max_order
        _pair(hypotheses, planes, unmatched, [everywhere] * max_order, lanes, everywhere)
        by_reference.append(zip(*lane_sums([everywhere ^ free for free in unmatched], rows, lanes)))
    return by_reference


def _pair(left: Planes, right: Planes, free_left: Planes, free_right: Planes, lanes: int, everywhere: int) -> None:
    """Pair equal n-grams of the two sides, as many as can be, taking them out of what is free, order by order.

    The right side turns past the left one, row by row; what leaves at the first row comes in again at the last. So each
    turn compares two diagonals, and integers always have their full length. The last row of both sides holds nothing
    but ends. So what reaches from one diagonal into the other has an end in it, which no n-gram of a hypothesis has.
    """
    rows = everywhere.bit_length() // lanes
    # Shifting integers takes most of the time. So the planes of the right side, one turn after another in `twice`, turn
    # only once in a while; in between, the left side moves the other way, and what is equal is moved back.
    moved = [[plane << step * lanes for plane in left] for step in range(min(_TURNS, rows))]
    # Inverted, all planes differ where the symbols are equal.
    inverted = [everywhere ^ plane for plane in right]
    twice = [plane | plane << rows * lanes for plane in inverted]
    seen = (1 << (rows + _TURNS) * lanes) - 1
    turned = [0] * len(free_right)
    for first in range(0, rows, _TURNS):
        turning = [plane >> first * lanes & seen for plane in twice]
        for turn, planes in zip(range(first, rows), moved):
            equal = reduce(and_, map(xor, planes, turning)) >> (turn - first) * lanes
            for order, free in enumerate(free_left):
                pairs = equal & free
                if pairs:
                    if turned[order] < turn:
                        free_right[order] = _turned(free_right[order], turn - turned[order], rows, lanes)
                        turned[order] = turn
                    pairs &= free_right[order]
                    if pairs:
                        free_left[order] = free ^ pairs
                        free_right[order] ^= pairs
                equal &= equal >> lanes
                if not equal:
                    break
    for order, turn in enumerate(turned):
        free_right[order] = _turned(free_right[order], rows - turn, rows, lanes)


def _turned(plane: int, turns: int, rows: int, lanes: int) -> int:
    """The plane with so many of its first rows at its end."""
    return plane >> turns * lanes | (plane & (1 << turns * lanes) - 1) << (rows - turns) * lanes
