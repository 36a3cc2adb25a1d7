"""Clipped n-gram counts of many segments at once, on bit planes.

**The idea.** The clipped count of an order is the size of a largest pairing: each n-gram of the hypothesis with an
equal one of the reference, each used at most once. Equal n-grams may be paired at will, so any greedy pairing is as
large as any other, and neither hashing nor counting is needed: only tests whether position i of the hypothesis equals
position i + d of the reference. Those run along the diagonals d, for all positions of hundreds of segments at once.

**The layout.** Symbols get codes, segment by segment. Segments of similar length make a bucket; bit k of all codes of
a bucket makes the k-th plane, one integer in which bit `position * lanes + segment` belongs to that place (see
`bitfields`). Two sides are equal where no plane differs; n + 1 symbols are equal in a row where n are, and n are one
position further. The time grows with the square of the length, so very long segments, and lone ones, are counted the
plain way.
"""

from __future__ import annotations

from itertools import repeat

from ..bitfields import bit_planes, lane_sums
from .ngrams import count_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    from .ngrams import Symbols

    Planes = list[int]

#: Codes of symbols are smaller than this; so this is also the length of the longest segment that has codes.
_CODES = 253

#: The code after the end of a hypothesis; and that of symbols which are not in it and after the end of a reference.
_END, _ABSENT = 254, 255

#: The widths of buckets, in symbols. With those two, the codes of most just fit into so many bits.
_WIDTHS = (6, 10, 14, 18, 22, 26, 30, 38, 46, 54, 62, 78, 94, 110, 126, 158, 190, 222, _CODES)
_WIDTH_OF_LENGTH = [width for below, width in zip((-1, *_WIDTHS), _WIDTHS) for _ in range(below, width)]


class NgramMatcher:
    """Counts the matches of many segments, as `ngrams.count_matches` does for one.

    Segments are taken in few at a time (while they are in the processor's cache) and kept as codes, a byte a symbol;
    the matches of all of them are then counted at once.
    """

    def __init__(self, max_order: int) -> None:
        self._max_order = max_order
        self._codes: list[list[bytes]] = []
        self._counted: dict[int, tuple[int, ...]] = {}

    def add(self, hypotheses: Sequence[Symbols], references: Sequence[Sequence[Symbols]]) -> None:
        """Take in segments; `references` has a column for each stream of them (always as many)."""
        columns = [hypotheses, *references]
        if not self._codes:
            self._codes = [[] for _ in columns]
        if max(max(map(len, column)) for column in columns) > _CODES:
            columns = self._count_long(columns)
        known: list[dict[Hashable, int]] = [{} for _ in hypotheses]
        numbers, absent = range(_CODES), repeat(_ABSENT)
        # Most of the time goes into these maps, so there is as little as possible around them. The code of a symbol is
        # the position of its first occurrence in the hypothesis.
        self._codes[0] += [bytes(map(codes.setdefault, symbols, numbers)) for codes, symbols in zip(known, columns[0])]
        for side, column in zip(self._codes[1:], columns[1:]):
            side += [bytes(map(codes.get, symbols, absent)) for codes, symbols in zip(known, column)]

    def counts(self) -> list[tuple[int, ...]]:
        """The clipped counts by order of each segment, in the order in which they were taken in."""
        counts: list[tuple[int, ...]] = [()] * len(self._codes[0])
        for width, places in self._buckets().items():
            bucket = [[side[place] for place in places] for side in self._codes]
            if len(places) >= 2 + width / 32:  # measured: from here on planes are faster
                counted = _count_matches_of_bucket(bucket, width, self._max_order)
            else:
                counted = [count_matches(hypothesis, others, self._max_order) for hypothesis, *others in zip(*bucket)]
            for place, matches in zip(places, counted):
                counts[place] = matches
        for place, matches in self._counted.items():
            counts[place] = matches
        return counts

    def _count_long(self, columns: Sequence[Sequence[Symbols]]) -> list[Sequence[Symbols]]:
        """Count the matches of segments too long for codes; returns the columns with nothing in their place."""
        kept = list(zip(*columns))
        for place, (hypothesis, *references) in enumerate(kept):
            if max(map(len, kept[place])) > _CODES:
                self._counted[len(self._codes[0]) + place] = count_matches(hypothesis, references, self._max_order)
                kept[place] = ((),) * len(columns)
        return list(zip(*kept))

    def _buckets(self) -> dict[int, list[int]]:
        """The places of segments by the width of the bucket that holds them."""
        buckets: dict[int, list[int]] = {}
        for place, length in enumerate(map(max, *[map(len, side) for side in self._codes])):
            buckets.setdefault(_WIDTH_OF_LENGTH[length], []).append(place)
        return buckets


def _count_matches_of_bucket(bucket: Sequence[Sequence[bytes]], width: int, max_order: int) -> list[tuple[int, ...]]:
    """The clipped counts of segments of at most `width` symbols; `bucket` is the codes of each side."""
    lanes = -(-len(bucket[0]) // 8) * 8
    ends = [_END] + [_ABSENT] * (len(bucket) - 1)
    hypotheses, *references = [_planes(codes, end, width, lanes) for codes, end in zip(bucket, ends)]
    everywhere = (1 << width * lanes) - 1
    unmatched = [everywhere] * max_order
    earlier: list[tuple[Planes, Planes]] = []
    for planes in references:
        # An n-gram counts as often as in the reference that has most of it, so what earlier ones have too is cancelled.
        # (Codes for "absent" are equal there without meaning it; but no n-gram with one of them is in the hypothesis.)
        left = [everywhere] * max_order
        for other_planes, other_left in earlier:
            _pair(other_planes, planes, other_left[:], left, lanes, everywhere)
        earlier.append((planes, left[:]))
        _pair(hypotheses, planes, unmatched, left, lanes, everywhere)
    return list(zip(*lane_sums([everywhere ^ free for free in unmatched], width, lanes)))


def _planes(codes: Sequence[bytes], end: int, width: int, lanes: int) -> Planes:
    """The planes of one side, `end` being the code after the ends of its segments."""
    filler = bytes([end])
    by_segment = b"".join([segment.ljust(width, filler) for segment in codes]).ljust(width * lanes, filler)
    # No symbol's code reaches the width; so with these two just above it, the codes need the fewest bits.
    by_segment = by_segment.translate(bytes([*range(_END), width, width + 1]))
    by_position = b"".join([by_segment[position::width] for position in range(width)])
    return bit_planes(by_position, (width + 1).bit_length())


def _pair(left: Planes, right: Planes, free_left: Planes, free_right: Planes, lanes: int, everywhere: int) -> None:
    """Pair equal n-grams of the two sides, as many as can be, taking them out of what is free, order by order."""
    _pair_along_diagonals(left, right, free_left, free_right, range(0, everywhere.bit_length(), lanes), everywhere)
    _pair_along_diagonals(right, left, free_right, free_left, range(lanes, everywhere.bit_length(), lanes), everywhere)


def _pair_along_diagonals(fixed: Planes, sliding: Planes, free_fixed: Planes, free_sliding: Planes,
                          shifts: range, everywhere: int) -> None:
    """`_pair` each position of the fixed side with the one `shift` bits further on the sliding side, for all shifts."""
    one_position = shifts.step
    for shift in shifts:
        within = everywhere >> shift
        different = 0
        for one, other in zip(fixed, sliding):
            different |= one ^ other >> shift
        equal = different & within ^ within
        for order, free in enumerate(free_fixed):
            if not equal:
                break
            pairs = equal & free & free_sliding[order] >> shift
            if pairs:
                free_fixed[order] = free ^ pairs
                free_sliding[order] ^= pairs << shift
            equal &= equal >> one_position
