"""Clipped n-gram counts of many segments at once, on bit planes.

**The idea.** The clipped count of an order is the size of a largest pairing: each n-gram of the hypothesis with an
equal one of the reference, each used at most once. Equal n-grams may be paired at will, so any greedy pairing is as
large as any other, and neither hashing nor counting is needed: only tests whether position i of the hypothesis equals
position i + d of the reference. Those run along the diagonals d, for all positions of hundreds of segments at once.

**The layout.** Segments of similar length make a bucket. Symbols get codes, segment by segment; bit k of all codes of
a bucket makes the k-th plane, one integer in which bit `position * lanes + segment` belongs to that place (see
`bitfields`). Two sides are equal where no plane differs; n + 1 symbols are equal in a row where n are, and n are one
position further. The time grows with the square of the length, so very long segments, and lone ones, are counted the
plain way.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import repeat

from ..bitfields import bit_planes, lane_sums
from .ngrams import count_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Iterable, List, Sequence

    from .ngrams import Symbols

    Planes = List[int]

#: The widths of buckets, in symbols. Two codes beyond the symbols are needed, so the codes of most widths just fit
#: into one bit less than they would with a few symbols more.
_WIDTHS = (6, 10, 14, 18, 22, 26, 30, 38, 46, 54, 62, 78, 94, 110, 126, 158, 190, 222, 253)


def count_matches_of_segments(hypotheses: Sequence[Symbols], references: Sequence[Sequence[Symbols]],
                              max_order: int) -> list[tuple[int, ...]]:
    """`count_matches` of each hypothesis against its references; `references` has a column for each stream of them."""
    segments = list(zip(hypotheses, *references))
    lengths = map(max, map(len, hypotheses), *[map(len, column) for column in references])
    matches: list[tuple[int, ...]] = [()] * len(segments)
    for width, places in _buckets(lengths).items():
        bucket = [segments[place] for place in places]
        if width <= _WIDTHS[-1] and len(bucket) >= 2 + width / 32:  # measured: from here on planes are faster
            counted = _count_matches_of_bucket(bucket, width, max_order)
        else:
            counted = [count_matches(hypothesis, others, max_order) for hypothesis, *others in bucket]
        for place, counts in zip(places, counted):
            matches[place] = counts
    return matches


def _buckets(lengths: Iterable[int]) -> dict[int, list[int]]:
    """The places of segments of these lengths by the width of the bucket that holds them."""
    buckets: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        width = _WIDTHS[bisect_left(_WIDTHS, length)] if length <= _WIDTHS[-1] else length
        buckets.setdefault(width, []).append(place)
    return buckets


def _count_matches_of_bucket(bucket: Sequence[tuple[Symbols, ...]], width: int,
                             max_order: int) -> list[tuple[int, ...]]:
    lanes = -(-len(bucket) // 8) * 8
    hypotheses, *references = _planes_of_bucket(bucket, width, lanes)
    everywhere = (1 << width * lanes) - 1
    unmatched = [everywhere] * max_order
    earlier: list[tuple[Planes, Planes]] = []
    for planes in references:
        # An n-gram counts as often as in the reference that has most of it: what earlier ones have too is cancelled.
        left = [everywhere] * max_order
        for other_planes, other_left in earlier:
            _pair(other_planes, planes, other_left[:], left, lanes, everywhere)
        earlier.append((planes, left[:]))
        _pair(hypotheses, planes, unmatched, left, lanes, everywhere)
    sums = [lane_sums(everywhere ^ free, lanes) for free in unmatched]
    return list(zip(*sums))[:len(bucket)]


def _planes_of_bucket(bucket: Sequence[tuple[Symbols, ...]], width: int, lanes: int) -> list[Planes]:
    """The planes of the hypotheses and of each reference.

    A symbol's code is the position of its first occurrence in the hypothesis. Symbols of references that are not in
    it share a code that no hypothesis has, and so do the ends of references beyond their length; the ends of
    hypotheses have another one. So nothing is equal there. (Between two references it may be, which cancels only what
    the hypothesis does not hold anyway.)
    """
    end, absent = width, width + 1
    sides: list[list[bytes]] = [[] for _ in bucket[0]]
    end_of_hypothesis, end_of_reference = bytes([end]), bytes([absent])
    for hypothesis, *references in bucket:
        codes: dict[Hashable, int] = {}
        sides[0].append(bytes(map(codes.setdefault, hypothesis, range(width))).ljust(width, end_of_hypothesis))
        for side, reference in zip(sides[1:], references):
            side.append(bytes(map(codes.get, reference, repeat(absent))).ljust(width, end_of_reference))
    planes = []
    for side, filler in zip(sides, [end_of_hypothesis] + [end_of_reference] * len(bucket[0])):
        by_segment = b"".join(side).ljust(width * lanes, filler)
        by_position = b"".join([by_segment[position::width] for position in range(width)])
        planes.append(bit_planes(by_position, absent.bit_length()))
    return planes


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
