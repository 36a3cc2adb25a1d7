"""Edit distances of many pairs of sequences at once (Levenshtein, 1966), of any length."""

from __future__ import annotations

from ..bits import positions_of_items
from .myers import batches_by_width, field_maker, field_width, last_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence, Tuple

    #: A matrix to compute: the width of its field, its number of rows, the index of the pair, and both sides of the
    #: pair without their common prefix and suffix.
    Matrix = Tuple[int, int, int, Sequence[Hashable], Sequence[Hashable]]

#: A matrix with more cells than this is computed alone, row by row: a field takes a bit of memory for each cell.
MAX_MATRIX_CELLS = 1 << 24


def edit_distances(pairs: Sequence[tuple[Sequence[Hashable], Sequence[Hashable]]]) -> list[int]:
    """Return the edit distance of each pair: the fewest insertions, deletions and substitutions between its sequences.

    Example:
        >>> edit_distances([("kitten", "sitting"), ("", "abc")])
        [3, 3]
    """
    distances: list[int] = []
    matrices: list[Matrix] = []
    for index, (one, other) in enumerate(pairs):
        start, end = _common_ends(one, other)
        one, other = one[start:len(one) - end], other[start:len(other) - end]
        distances.append(max(len(one), len(other)))
        if len(one) * len(other) > MAX_MATRIX_CELLS:
            distances[index] = long_distance(one, other)
        elif one and other:
            matrices.append((field_width(len(other)), len(one), index, one, other))
    for width, batch in batches_by_width(matrices):
        rises = last_rows([field_maker(other, width)(one) for _, _, _, one, other in batch], width)
        for (_, rows, index, _, _), rise in zip(batch, rises):
            distances[index] = rows + rise
    return distances


def _common_ends(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[int, int]:
    """Return the length of the common prefix, and that of the common suffix of the rest."""
    shorter = min(len(one), len(other))
    start = end = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return start, end


def long_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return the edit distance of a single pair, row by row (see `last_rows`)."""
    masks = positions_of_items(other)
    every = higher = (1 << len(other)) - 1
    lower = 0
    for item in one:
        same = masks.get(item, 0)
        free = ((same & higher) + higher ^ higher) | same | lower
        above = ((every ^ (free | higher)) | lower) << 1 | 1
        free, above = free & every, above & every
        higher, lower = (free & higher) << 1 | (every ^ (free | above)), above & free
        higher &= every
    return len(one) + bin(higher).count("1") - bin(lower).count("1")
