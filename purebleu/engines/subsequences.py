"""Longest common subsequences of two sequences, by operations on bits (Crochemore et al., 2001; Hyyrö, 2004).

**The matrix.** Cell L[i][j] is the length of a longest common subsequence of the first i items of the one sequence and
the first j of the other. Neighbours in a column differ by 0 or 1; so a bit for each row describes a column (it is
cleared where the cell is larger than the one above it), and the next column follows by four operations on integers.
"""

from __future__ import annotations

from .bitfields import positions_of_items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence


def longest_common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The length of a longest common subsequence.

    Example:
        >>> longest_common("abcbdab", "bdcaba")
        4
    """
    masks = positions_of_items(one)
    # The bit of each row is set until the column has a step there.
    column = full = (1 << len(one)) - 1
    for item in other:
        same = column & masks.get(item, 0)
        if same:
            # In each run of set bits, the carry moves the step behind the run to the first equal item in it (or adds
            # a step, where none is behind it).
            column = (column + same) | (column - same)
    return len(one) - bin(column & full).count("1")


def common_positions(one: Sequence[Hashable], other: Sequence[Hashable]) -> list[int]:
    """The positions in `one` of a longest common subsequence, in descending order.

    Of several, it is the one that is found from the ends of both: equal items belong to it; else the last item of `one`
    is left out or, if the subsequence would get shorter without it, that of `other`.

    Example:
        >>> common_positions("abcbdab", "bdcaba")
        [5, 3, 2, 1]
    """
    masks = positions_of_items(one)
    column = (1 << len(one)) - 1
    columns = [column]
    for item in other:
        same = column & masks.get(item, 0)
        column = (column + same) | (column - same)
        columns.append(column)
    positions: list[int] = []
    row, index = len(one) - 1, len(other)
    while row >= 0 and index > 0:
        if one[row] == other[index - 1]:
            positions.append(row)
            row -= 1
            index -= 1
        elif columns[index] >> row & 1:
            row -= 1  # the cell equals the one above it
        else:
            index -= 1
    return positions


def union_matches(references: Sequence[Sequence[Hashable]], hypotheses: Sequence[Sequence[Hashable]]) -> int:
    """The number of matched items of a text in parts, by unions of subsequences (Lin, 2004, section 3.2).

    An item of a part of the reference matches if it is in a longest common subsequence of that part and any part of the
    hypothesis. No item matches more often than either text has it.

    Example:
        The first part has "a b" in common with the one, "a d" with the other: "a b d" together.

        >>> union_matches(["abcde"], ["abx", "ady"])
        3
    """
    if len(references) == len(hypotheses) == 1:
        return longest_common(references[0], hypotheses[0])
    left = _counts(hypotheses)
    matches = 0
    for reference in references:
        found = {position for hypothesis in hypotheses for position in common_positions(reference, hypothesis)}
        for position in found:
            item = reference[position]
            # (Positions differ, so an item of the reference can't match too often for the reference.)
            if left.get(item, 0) > 0:
                left[item] -= 1
                matches += 1
    return matches


def _counts(parts: Sequence[Sequence[Hashable]]) -> dict[Hashable, int]:
    counts: dict[Hashable, int] = {}
    for part in parts:
        for item in part:
            counts[item] = counts.get(item, 0) + 1
    return counts
