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
from .codes import ENDS
from .ngrams import count_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Sequence

    from .codes import Codes
    from .ngrams import Symbols

    Planes = list[int]

    #: Clipped counts of a segment, by order.
    Counts = tuple[int, ...]

#: The widths of buckets, in symbols. The codes of a bucket of tokens just fit into the fewest bits at most of them.
_WIDTHS = (5, 9, 13, 17, 21, 25, 29, 37, 45, 53, 61, 77, 93, 109, 125, 157, 189, 221, 253,
           304, 365, 438, 526, 631, 757, 908, 1090, 1308, 1570, 1884)
#: For how many diagonals one of the sides slides only once.
_STEPS = 8

_WIDTH_OF_LENGTH = [width for below, width in zip((-1, *_WIDTHS), _WIDTHS) for _ in range(below, width)]


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
            if len(places) >= 2 + width / 300:  # measured: from here on planes are faster
                lanes = -(-len(places) // 8) * 8
                limit = width if self._limit is None else self._limit
                hypothesis_end, reference_end = ENDS[size]
                ends = [hypothesis_end] + [reference_end] * (len(bucket) - 1)
                planes = [_planes(side, end, size, limit, width, lanes) for side, end in zip(bucket, ends)]
                for result, counted in zip(results, match(planes, width, lanes, self._max_order)):
                    for place, counts in zip(places, counted):
                        result[place] = counts
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


def _planes(side: Sequence[bytes], end: bytes, size: int, limit: int, width: int, lanes: int) -> Planes:
    """The planes of one side of a bucket, `end` being the byte that fills up its segments."""
    by_segment = b"".join([codes.ljust(size * width, end) for codes in side]).ljust(size * width * lanes, end)
    bits = 8
    if size == 1:
        # With the two codes of ends just above all others, the codes need the fewest bits (and one stays unused).
        by_segment = by_segment.translate(bytes([*range(254), limit, limit + 1]))
        bits = (limit + 2).bit_length()
    planes = []
    for byte in range(size):
        starts = range(byte, width * size, size)
        planes += bit_planes(b"".join([by_segment[start::width * size] for start in starts]), bits)
    return planes


def _match_together(sides: list[Planes], width: int, lanes: int, max_order: int) -> list[Iterable[Counts]]:
    """The clipped counts of each lane, an n-gram counting as often as in the reference that has most of it."""
    hypotheses, *references = sides
    everywhere = (1 << width * lanes) - 1
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
    return [zip(*lane_sums([everywhere ^ free for free in unmatched], width, lanes))]


def _match_one_by_one(sides: list[Planes], width: int, lanes: int, max_order: int) -> list[Iterable[Counts]]:
    """For each stream of references, the clipped counts of each lane."""
    hypotheses, *references = sides
    everywhere = (1 << width * lanes) - 1
    by_reference: list[Iterable[Counts]] = []
    for planes in references:
        unmatched = [everywhere] * max_order
        _pair(hypotheses, planes, unmatched, [everywhere] * max_order, lanes, everywhere)
        by_reference.append(zip(*lane_sums([everywhere ^ free for free in unmatched], width, lanes)))
    return by_reference


def _pair(left: Planes, right: Planes, free_left: Planes, free_right: Planes, lanes: int, everywhere: int) -> None:
    """Pair equal n-grams of the two sides, as many as can be, taking them out of what is free, order by order."""
    width = everywhere.bit_length() // lanes
    moved_left, moved_right = _moved(left, lanes, width), _moved(right, lanes, width)
    left, right = _inverted(left, everywhere), _inverted(right, everywhere)
    for first in range(0, width, _STEPS):
        # Most pairs are near the main diagonal; what is paired early makes less work later.
        steps = range(min(_STEPS, width - first))
        _pair_along_diagonals(moved_left, right, free_left, free_right, first, steps, lanes)
        # (The main diagonal is the same seen from either side.)
        _pair_along_diagonals(moved_right, left, free_right, free_left, first, steps[not first:], lanes)


def _moved(planes: Planes, lanes: int, width: int) -> list[Planes]:
    """The planes, each position being some steps further on: no step, one, ..."""
    return [[plane << step * lanes for plane in planes] for step in range(min(_STEPS, width))]


def _inverted(planes: Planes, everywhere: int) -> Planes:
    return [everywhere ^ plane for plane in planes]


def _pair_along_diagonals(fixed: Sequence[Planes], sliding: Planes, free_fixed: Planes, free_sliding: Planes,
                          first: int, steps: range, lanes: int) -> None:
    """`_pair` each position of the fixed side with those `first + step` further on the sliding side, for all steps.

    Shifting integers takes most of the time. So the sliding side slides once for all steps, and what is `fixed` comes
    `_moved` by each of them. The sliding side is `_inverted`, so that all planes differ where the symbols are equal;
    beyond its end, only the code with all bits set would be equal, which no symbol has.
    """
    slid = [plane >> first * lanes for plane in sliding]
    for step in steps:
        equal = reduce(and_, map(xor, fixed[step], slid)) >> step * lanes
        distance = (first + step) * lanes
        for order, free in enumerate(free_fixed):
            if not equal:
                break
            pairs = equal & free
            if pairs:
                pairs &= free_sliding[order] >> distance
                if pairs:
                    free_fixed[order] = free ^ pairs
                    free_sliding[order] ^= pairs << distance
            equal &= equal >> lanes
