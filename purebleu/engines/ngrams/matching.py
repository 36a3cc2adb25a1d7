"""Clipped n-gram counts of many segments at once, on bit planes.

**The idea.** N-grams of the hypothesis are paired with equal n-grams of the reference, each n-gram at most once. The
clipped count is the largest number of pairs. Any order of pairing reaches this number, because equal n-grams are
interchangeable. So n-grams need not be hashed or counted. Position i of the hypothesis is compared with position i + d
of the reference, for all i. The number d is a *diagonal*, and all diagonals are compared one after another. Each
comparison takes all positions of hundreds of segments at once.

**The layout.** Symbols get integer ids (`Ids`). An id only has to be valid for one hypothesis and its references, so
ids are small numbers. Ids with fewer bits are matched faster. Segments of similar length form a bucket. A bucket is
stored as *bit planes* (see `bits`): plane k is one integer with bit k of all ids. The planes have a row for each
position, and a *lane* (column) for each segment.

**The comparison.** Two symbols are equal if they are equal in all planes. Two n-grams of n + 1 symbols are equal if
their first n symbols are equal, and their last n symbols are equal. So the equal n-grams of each order follow from the
order before. The time for a segment grows with the square of its length, so `counting.count_matches` counts very long
segments instead. The segments of very small buckets are also counted by `count_matches`.
"""

from __future__ import annotations

from codecs import charmap_build, charmap_encode
from functools import reduce
from itertools import accumulate, repeat

from ...runtime.hints import Any, Callable, Hashable, Iterable, NamedTuple, Sequence, Tokens
from ..bits import bit_planes, lane_sums
from .counting import count_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

    #: The bit planes of the hypotheses of a bucket, or of a stream of its references.
    Planes = List[int]

    #: The clipped counts of a segment, by order.
    Counts = Tuple[int, ...]

    # (Type checkers have less exact types for the functions of `operator`.)
    def and_(one: int, other: int) -> int: ...
    def xor(one: int, other: int) -> int: ...
else:
    from operator import and_, xor

#: The widths of buckets, in symbols. From 13 on, every other width is a power of two, minus 3. So the ids of tokens,
#: together with three ids that no symbol has, use all values of their bits.
_WIDTHS = (5, 13, 21, 29, 45, 61, 93, 125, 189, 253, 381, 509, 765, 1021, 1533, 2045)
#: For each length of a segment, the width of its bucket.
_WIDTH_OF_LENGTH: list[int] = [width for below, width in zip((-1, *_WIDTHS), _WIDTHS) for _ in range(below, width)]

#: The planes of one side are rotated by this number of rows at once (see `_pair`).
_STRIDE = 8


class NgramMatcher:
    """Counts the matches of many segments at once, as `counting.count_matches` does for one segment.

    `add` takes in a few segments at a time, while they are in the processor's cache, and keeps their ids. Then `counts`
    counts the matches of all segments.

    Args:
        max_order: the highest order of n-grams.
        encode: `ids_of_tokens`, `ids_of_characters`, or a similar function. The function returns `None` if there are
            too few ids for all symbols.
        max_length: the largest number of symbols of a segment that `encode` takes.
    """

    def __init__(self, max_order: int, encode: Callable[[Sequence[Sequence[Any]]], Ids | None],
                 max_length: int = _WIDTHS[-1]) -> None:
        self._max_order = max_order
        self._encode = encode
        self._max_length = max_length
        self._sides: list[list[bytes]] = []  # for each side, the ids of each segment (see `Ids`)
        self._sizes: list[int] = []  # for each segment, the size of its ids
        self._limit: int | None = 0  # the largest `limit` of all `Ids`
        #: The length of each hypothesis; and for each stream of references, the length of each reference (`None` if the
        #: reference is missing).
        self.hypothesis_lengths: list[int] = []
        self.reference_lengths: list[list[int | None]] = []
        #: The segments that `count_matches` counts, by the index of the segment.
        self._lone: dict[int, tuple[Tokens, ...]] = {}

    def add(self, hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens | None]]) -> None:
        """Take in segments.

        Args:
            hypotheses: one hypothesis or more.
            references: for each stream of references, the reference of each hypothesis. `None` is a missing reference,
                which matches nothing. The number of streams must be the same in each call.
        """
        self.hypothesis_lengths += map(len, hypotheses)
        columns = [hypotheses, *[self._filled(stream, column, hypotheses[0][:0])
                                 for stream, column in enumerate(references)]]
        if max([max(map(len, column)) for column in columns]) > self._max_length:
            columns = self._set_aside(columns, self._max_length)
        ids = self._encode(columns)
        if ids is None:
            columns = self._set_aside(columns, 0)
            ids = self._encode(columns)
            assert ids is not None, "too few ids for empty segments"
        self._sides = self._sides or [[] for _ in columns]
        for side, added in zip(self._sides, ids.sides):
            side += added
        self._sizes += [ids.size] * len(hypotheses)
        self._limit = None if ids.limit is None or self._limit is None else max(ids.limit, self._limit)

    def _filled(self, stream: int, column: Sequence[Tokens | None], nothing: Tokens) -> Sequence[Tokens]:
        """Store the lengths of a stream's references; return the references, with `nothing` for missing references."""
        if stream == len(self.reference_lengths):
            self.reference_lengths.append([])
        if None not in column:
            self.reference_lengths[stream] += map(len, column)  # type: ignore[arg-type]  # just checked
            return column  # type: ignore[return-value]  # likewise
        self.reference_lengths[stream] += [None if segment is None else len(segment) for segment in column]
        return [nothing if segment is None else segment for segment in column]

    def _set_aside(self, columns: Sequence[Sequence[Tokens]], max_length: int) -> list[Sequence[Tokens]]:
        """Move segments longer than `max_length` to `_lone`; return the columns with empty segments instead."""
        segments = list(zip(*columns))
        for index, segment in enumerate(segments):
            if max(map(len, segment)) > max_length:
                self._lone[len(self._sizes) + index] = segment
                segments[index] = tuple([symbols[:0] for symbols in segment])
        return list(zip(*segments))

    def counts(self) -> list[Counts]:
        """Return the clipped counts of each segment, in order, against all of its references together."""
        return self._counted(_match_together, 1)[0]

    def counts_by_reference(self) -> list[list[Counts]]:
        """Return, for each stream of references, the clipped counts of each segment, in order."""
        return self._counted(_match_one_by_one, len(self._sides) - 1)

    def against_each(self) -> list[list[tuple[int, Counts]]]:
        """Return, for each segment and each of its references, the length of the reference, and the clipped counts."""
        by_segment: list[list[tuple[int, Counts]]] = []
        for lengths, counts in zip(zip(*self.reference_lengths), zip(*self.counts_by_reference())):
            by_segment.append([(length, clipped) for length, clipped in zip(lengths, counts) if length is not None])
        return by_segment

    def _counted(self, match: Callable[[list[Planes], int, int, int], list[Iterable[Counts]]],
                 streams: int) -> list[list[Counts]]:
        """Return a list of the counts of all segments for each stream. `match` counts the segments of a bucket."""
        results: list[list[Counts]] = [[()] * len(self._sizes) for _ in range(streams)]
        for (width, size), indices in self._buckets().items():
            bucket = [list(map(side.__getitem__, indices)) for side in self._sides]
            if len(indices) >= 1 + width / 400:  # (bit planes are faster from this number of segments on)
                rows, lanes = width + 1, -(-len(indices) // 8) * 8
                limit = width if self._limit is None else self._limit
                hypothesis_padding, reference_padding = PADDING[size]
                paddings = [hypothesis_padding] + [reference_padding] * (len(bucket) - 1)
                planes = [_planes(side, padding, size, limit, rows, lanes) for side, padding in zip(bucket, paddings)]
                order = min(self._max_order, width)
                beyond = (0,) * (self._max_order - order)
                for result, counted in zip(results, match(planes, rows, lanes, order)):
                    for index, counts in zip(indices, counted):
                        result[index] = counts + beyond
            else:
                for index, segment in zip(indices, zip(*bucket)):
                    self._count_lone(results, index, [_symbols(ids, size) for ids in segment])
        for index, segment in self._lone.items():
            self._count_lone(results, index, segment)
        return results

    def _count_lone(self, results: list[list[Counts]], index: int, segment: Sequence[Tokens]) -> None:
        """Count a segment with `count_matches`. If there is one list of results, all references count together."""
        hypothesis, *references = segment
        groups = [references] if len(results) == 1 else [[reference] for reference in references]
        for result, group in zip(results, groups):
            result[index] = count_matches(hypothesis, group, self._max_order)

    def _buckets(self) -> dict[tuple[int, int], list[int]]:
        """Return the indices of segments in each bucket, by the width of the bucket and the size of its ids."""
        buckets: dict[tuple[int, int], list[int]] = {}
        longest: Iterable[int] = map(max, *[map(len, side) for side in self._sides])
        for index, (length, size) in enumerate(zip(longest, self._sizes)):
            buckets.setdefault((_WIDTH_OF_LENGTH[length // size], size), []).append(index)
        return buckets


def _symbols(ids: bytes, size: int) -> Tokens:
    """Return the ids as symbols for `count_matches`."""
    return ids if size == 1 else [ids[start:start + size] for start in range(0, len(ids), size)]


def _planes(side: Sequence[bytes], padding: bytes, size: int, limit: int, rows: int, lanes: int) -> Planes:
    """Return the bit planes of one side of a bucket."""
    by_segment = b"".join([ids.ljust(size * rows, padding) for ids in side]).ljust(size * rows * lanes, padding)
    bits = 8
    if size == 1:
        # The two ids of padding are replaced by the two ids just above all others, so that ids need the fewest bits.
        # (The third id above all others stays unused.)
        by_segment = by_segment.translate(bytes([*range(254), limit, limit + 1]))
        bits = (limit + 2).bit_length()
    planes: Planes = []
    for byte in range(size):
        starts = range(byte, rows * size, size)
        planes += bit_planes(b"".join([by_segment[start::rows * size] for start in starts]), bits)
    return planes


def _match_together(sides: list[Planes], rows: int, lanes: int, max_order: int) -> list[Iterable[Counts]]:
    """Return the clipped counts of the segment in each lane, against all references of the segment together."""
    hypotheses, *references = sides
    everywhere = (1 << rows * lanes) - 1
    unmatched = [everywhere] * max_order
    earlier: list[tuple[Planes, Planes]] = []
    for planes in references:
        # An n-gram of this reference may match only if no earlier reference has it. (All tokens that the hypothesis
        # lacks share one id. This does no harm, because no n-gram of the hypothesis contains the id.)
        new = [everywhere] * max_order
        for other_planes, other_new in earlier:
            _pair(other_planes, planes, other_new[:], new, lanes, everywhere)
        earlier.append((planes, new[:]))
        _pair(hypotheses, planes, unmatched, new, lanes, everywhere)
    return [zip(*lane_sums([everywhere ^ free for free in unmatched], rows, lanes))]


def _match_one_by_one(sides: list[Planes], rows: int, lanes: int, max_order: int) -> list[Iterable[Counts]]:
    """Return, for each stream of references, the clipped counts of the segment in each lane."""
    by_reference: list[Iterable[Counts]] = []
    for planes in sides[1:]:
        by_reference += _match_together([sides[0], planes], rows, lanes, max_order)
    return by_reference


def _pair(left: Planes, right: Planes, free_left: Planes, free_right: Planes, lanes: int, everywhere: int) -> None:
    """Pair equal n-grams of each order that are *free* (not yet paired) on both sides, and mark them as not free.

    1. The right side is rotated row by row: in each rotation, the first row becomes the last row, so integers always
       have their full length. After a rotation by d rows, position i of the left side is next to position i + d of the
       right side. In the last d rows, position i of the left side is next to position i + d - rows of the right side.
       So each rotation compares two diagonals.
    2. The rows with equal symbols are found. A row has equal bigrams if this row and the next row have equal symbols. A
       row has equal trigrams if this row and the next row have equal bigrams, and so on.
    3. Equal n-grams that are free on both sides are paired.

    An example has 3 rows and 2 lanes (segments): "a b" against "b a", and "a c" against "a c". `^` and `$` are padding:

                left    right   equal   right, rotated by 1 row   equal
        lane    0 1     0 1     0 1     0 1                       0 1
        row 0   a a     b a     . 1     a c                       1 .     diagonal 1 (the next position)
        row 1   b c     a c     . 1     $ $                       . .     diagonal 1
        row 2   ^ ^     $ $     . .     b a                       . .     diagonal -2

    Without a rotation, lane 1 has equal symbols in two neighbouring rows, so a bigram matches. The last row of both
    sides is always padding, which never counts as equal. So no n-gram extends from one diagonal into the other.
    """
    rows = everywhere.bit_length() // lanes
    # Shifting integers takes most of the time. So the planes of the right side (`twice` has two copies of each) are
    # rotated only every `_STRIDE` rows. For the rotations in between, copies of the left side are moved in the other
    # direction. The bits of equal symbols are then moved back.
    moved = [[plane << step * lanes for plane in left] for step in range(min(_STRIDE, rows))]
    # (The right side is inverted, so equal symbols differ in all planes.)
    inverted = [everywhere ^ plane for plane in right]
    twice = [plane | plane << rows * lanes for plane in inverted]
    window = (1 << (rows + _STRIDE) * lanes) - 1
    rotated_by = [0] * len(free_right)
    for first in range(0, rows, _STRIDE):
        in_window = [plane >> first * lanes & window for plane in twice]
        for rotation, planes in zip(range(first, rows), moved):
            equal = reduce(and_, map(xor, planes, in_window)) >> (rotation - first) * lanes
            for order, free in enumerate(free_left):
                pairs = equal & free
                if pairs:
                    # (The free n-grams of the right side are rotated only if they are needed.)
                    if rotated_by[order] < rotation:
                        free_right[order] = _rotated(free_right[order], rotation - rotated_by[order], rows, lanes)
                        rotated_by[order] = rotation
                    pairs &= free_right[order]
                    if pairs:
                        free_left[order] = free ^ pairs
                        free_right[order] ^= pairs
                equal &= equal >> lanes
                if not equal:
                    break
    for order, rotation in enumerate(rotated_by):
        free_right[order] = _rotated(free_right[order], rows - rotation, rows, lanes)


def _rotated(plane: int, by: int, rows: int, lanes: int) -> int:
    """Return the plane with its first `by` rows moved to its end."""
    return plane >> by * lanes | (plane & (1 << by * lanes) - 1) << (rows - by) * lanes


# Ids of symbols

#: The largest number of tokens of a segment for `ids_of_tokens`. (An id is a byte: a position in the segment, or one of
#: the two highest bytes, which are padding.)
MAX_TOKENS = 253

#: The two ids of padding, by the size of ids in bytes. The first id fills up hypotheses, and the second id fills up
#: references. No symbol of a hypothesis has one of these ids. A token that only references have gets the second id. (An
#: id of two bytes is this byte, repeated.)
PADDING = {1: (b"\xfe", b"\xff"), 2: (b"\xd8", b"\xdc")}


class Ids(NamedTuple):
    """The ids of some segments.

    Attributes:
        sides: for each side (hypotheses, then each stream of references), the ids of each segment.
        size: the number of bytes of an id, 1 or 2.
        limit: a number above all ids of one byte; 0 for ids of two bytes; `None` if each id is a position in its
            segment.
    """

    sides: Sequence[list[bytes]]
    size: int
    limit: int | None


def ids_of_tokens(columns: Sequence[Sequence[Tokens]]) -> Ids:
    """Return the ids of tokens. The id of a token is the first position of the token in the hypothesis.

    Args:
        columns: the hypotheses, then each stream of references. No segment has more than `MAX_TOKENS` tokens.
    """
    hypotheses, *references = columns
    tables: list[dict[Hashable, int]] = [{} for _ in hypotheses]
    positions, absent = range(MAX_TOKENS), repeat(PADDING[1][1][0])
    # (BLEU spends most of its time in these maps, so they do nothing else.)
    sides = [[bytes(map(table.setdefault, tokens, positions)) for table, tokens in zip(tables, hypotheses)]]
    for column in references:
        sides.append([bytes(map(table.get, tokens, absent)) for table, tokens in zip(tables, column)])
    return Ids(sides, 1, None)


_BYTES = bytes(range(256))

#: The largest number of different characters with ids of one byte. (Of 256 ids, two are padding, and one is not used.)
_MAX_ONE_BYTE_IDS = 253

#: Characters whose two bytes in UTF-16 can't be their id, because these bytes are an id of padding, or have all bits
#: set.
_RESERVED = "\ud8d8\udcdc\uffff"

#: The characters of the last text whose ids had one byte. (The next text usually has most of these characters.) The
#: first character is U+0000: without it, `charmap_build` makes a dict, which is slower than a table in C.
_LAST_ALPHABET = ["\0"]


def ids_of_characters(columns: Sequence[Sequence[str]]) -> Ids | None:
    """Return the ids of characters, in one byte if possible, else in two bytes. All segments share the ids.

    Args:
        columns: the hypotheses, then each stream of references.

    Returns:
        The ids, or `None` if too many different characters are beyond U+FFFF.
    """
    strings = [string for column in columns for string in column]
    text = _in_two_bytes("".join(strings))
    if text is None:
        return None
    data = _in_one_byte(text)
    # The bytes that occur in `data`, in order.
    used = _BYTES if data is None else _BYTES.translate(None, _BYTES.translate(None, data))
    if data is None or len(used) > _MAX_ONE_BYTE_IDS:
        return Ids(_split(text.encode("utf-16-le", "surrogatepass"), 2, strings, columns), 2, 0)
    ids = data.translate(bytes.maketrans(used, _BYTES[:len(used)]))
    return Ids(_split(ids, 1, strings, columns), 1, len(used))


def _in_two_bytes(text: str) -> str | None:
    """Replace characters beyond U+FFFF, and characters in `_RESERVED`, by surrogates that the text does not have.

    Returns the text, or `None` if there are too few surrogates.
    """
    if len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text) and not any(
            character in text for character in _RESERVED):
        return text
    characters = set(text)
    replaced = [character for character in characters if character > "\uffff" or character in _RESERVED]
    taken = characters.union(_RESERVED)
    free = [chr(code) for code in range(0xD800, 0xE000) if chr(code) not in taken]
    if len(replaced) > len(free):
        return None
    for character, surrogate in zip(replaced, free):
        text = text.replace(character, surrogate)
    return text


def _in_one_byte(text: str) -> bytes | None:
    """Encode a text of `_in_two_bytes` with one byte for each character. Return `None` if too many characters differ.

    Collecting the different characters of a text would take as long as matching its n-grams. So the alphabet starts
    with the characters of the last text, and missing characters are added.
    """
    for alphabet in dict.fromkeys((*_LAST_ALPHABET, "\0")):
        while len(alphabet) <= len(_BYTES):
            try:
                data, _ = charmap_encode(text, "strict", charmap_build(alphabet))
            except UnicodeEncodeError as error:
                missing = set(text[error.start:error.start + 1000]).difference(alphabet)
                if not missing:
                    return None  # (a table of `charmap_build` can't contain U+FFFE)
                alphabet += "".join(sorted(missing))
            else:
                _LAST_ALPHABET[:] = [alphabet]
                return data
    return None


def _split(ids: bytes, size: int, strings: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[bytes]]:
    """Split the joined ids of all strings into the ids of each string; return a list for each column."""
    ends = list(accumulate([size * len(string) for string in strings]))
    pieces = [ids[start:end] for start, end in zip([0, *ends], ends)]
    return [pieces[start:start + len(columns[0])] for start in range(0, len(pieces), max(1, len(columns[0])))]
