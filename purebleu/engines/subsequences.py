"""Longest common subsequences of two sequences, computed with bits (Crochemore et al., 2001; Hyyrö, 2004).

**The matrix.** Cell L[i][j] is the length of a longest common subsequence of the first i items of one sequence and the
first j items of the other one. Neighbours in a column differ by 0 or 1. So one bit per row describes a column: it is 0
if the cell is larger than the one above it. Four operations on integers compute the next column.
"""

from __future__ import annotations

from ..hints import Hashable, Sequence
from .bits import positions_of_items


def longest_common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return the length of a longest common subsequence.

    Example:
        >>> longest_common("abcbdab", "bdcaba")
        4
    """
    masks = positions_of_items(one)
    # The bit of a row is 1 until the column has a step there.
    column = full = (1 << len(one)) - 1
    for item in other:
        same = column & masks.get(item, 0)
        if same:
            # A run of bits that are 1 is a run of equal cells. A step (a 0) follows it. The carry of the addition moves
            # that step to the first equal item in the run. A run at the end gets a new step.
            column = (column + same) | (column - same)
    return len(one) - bin(column & full).count("1")


def common_positions(one: Sequence[Hashable], other: Sequence[Hashable]) -> list[int]:
    """Return the positions in `one` of a longest common subsequence, in descending order.

    Of several subsequences, it is the one found from the ends of both sequences: if the last items are equal, they
    belong to it. Else the last item of `one` is left out; or if that would make the subsequence shorter, the last item
    of `other`.

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
            row -= 1  # (the cell is equal to the one above it)
        else:
            index -= 1
    return positions


def union_matches(references: Sequence[Sequence[Hashable]], hypotheses: Sequence[Sequence[Hashable]]) -> int:
    """Count the matched items of texts in several parts (sentences), by unions of subsequences (Lin, 2004, 3.2).

    An item in a part of the reference matches if it is in the longest common subsequence of that part and some part of
    the hypothesis. No item matches more often than it occurs in either text.

    Example:
        The reference has "a b" in common with the first part of the hypothesis, and "a d" with the second one. The
        union is "a b d".

        >>> union_matches(["abcde"], ["abx", "ady"])
        3
    """
    if len(references) == len(hypotheses) == 1:
        return longest_common(references[0], hypotheses[0])
    remaining = _counts(hypotheses)
    matches = 0
    for reference in references:
        positions = {position for hypothesis in hypotheses for position in common_positions(reference, hypothesis)}
        for position in positions:
            item = reference[position]
            # (A position of the reference counts only once. So only the occurrences in the hypothesis have to be
            # counted.)
            if remaining.get(item, 0) > 0:
                remaining[item] -= 1
                matches += 1
    return matches


def _counts(parts: Sequence[Sequence[Hashable]]) -> dict[Hashable, int]:
    counts: dict[Hashable, int] = {}
    for part in parts:
        for item in part:
            counts[item] = counts.get(item, 0) + 1
    return counts
