"""The edits of TER, the plain way: what Tercom's heuristics try, within Tercom's limits.

`shifts` counts the same edits of many pairs at once. This form defines what they are, and serves for pairs that are
so long that memory matters: it keeps no more of the matrix of edit distances than the band that the beam leaves.
"""

from __future__ import annotations

import math
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Iterator, List, Sequence, Tuple, TypeVar

    Words = Sequence[Hashable]

    #: A block of words that is moved: its first position, its length, and the position of the word that it goes before.
    Shift = Tuple[int, int, int]

    #: For each row of a matrix, from 0 on, the band's first column and the first one behind it.
    Band = List[Tuple[int, int]]

    AnyWords = TypeVar("AnyWords", bytes, List[Hashable], List[int], List[str])

#: Limits of Tercom: the words of a block, and the distance between it and the equal words of the reference.
MAX_SHIFT_LENGTH = 10
MAX_DISTANCE = 50

#: The search ends when this number of shifts of a pair have been tried; the round in which that happens does not count.
MAX_TRIED = 1000

#: Half the width of the beam, unless the diagonal goes so far to the side in a row that it takes more.
BEAM = 25

#: Steps in the matrix; of those that cost the same, the first is taken.
_MATCH, _SUBSTITUTION, _DELETION, _INSERTION = range(4)

_NEVER = math.inf


def count_edits(hypothesis: Words, reference: Words) -> int:
    """Return the number of edits that turn a hypothesis into a reference (Snover et al., 2006).

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.

    Returns:
        The number of words inserted, deleted and substituted, and of blocks shifted.

    Example:
        >>> count_edits("d a b c".split(), "a b c d".split())
        1
    """
    return number_of_edits(*trace_edits(hypothesis, reference))


def trace_edits(hypothesis: Words, reference: Words) -> tuple[list[Shift], list[int]]:
    """Return the edits that turn a hypothesis into a reference, one by one (Snover et al., 2006).

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.

    Returns:
        The shifts, each of the words as the one before has left them; and the steps of `edit_distance` that turn the
        words after all shifts into the reference.

    Example:
        >>> trace_edits("d a b c".split(), "a b c d".split())
        ([(0, 1, 4)], [0, 0, 0, 0])
    """
    words = list(hypothesis)
    shifts: list[Shift] = []
    tried = 0
    while True:
        distance, steps = edit_distance(words, reference)
        candidates = list(islice(_shifts_to_try(words, reference, steps), MAX_TRIED - tried))
        tried += len(candidates)
        if tried >= MAX_TRIED or not candidates:
            return shifts, steps
        gain, length, start, target = max([
            (distance - edit_distance(shifted(words, *shift), reference)[0], shift[1], -shift[0], -shift[2])
            for shift in candidates
        ])
        if gain <= 0:
            return shifts, steps
        shifts.append((-start, length, -target))
        words = shifted(words, *shifts[-1])


def number_of_edits(shifts: Sequence[Shift], steps: Sequence[int]) -> int:
    """Return the number of edits in shifts and steps, as `trace_edits` returns them."""
    return len(shifts) + len(steps) - steps.count(_MATCH)


def shifted(words: AnyWords, start: int, length: int, target: int) -> AnyWords:
    """Return the words, with the block of `length` words at `start` moved before the word at `target`.

    sacreBLEU-compat: a target within the block, or at its end, is taken `length` words to the right, as in Tercom.

    Example:
        >>> "".join(shifted(list("abcdef"), 3, 2, 1)), "".join(shifted(list("abcdef"), 1, 2, 2))
        ('adebcf', 'adbcef')
    """
    end = start + length
    if target < start:
        return words[:target] + words[start:end] + words[target:start] + words[end:]
    if target <= end:
        target += length
    return words[:start] + words[end:target] + words[start:end] + words[target:]


def band_of(rows: int, columns: int) -> Band:
    """Return the band that the beam leaves of a matrix with `rows` rows after row 0 and `columns` columns after column 0."""
    # sacreBLEU-compat: in floating point, so that the diagonal may be off by one.
    slope = columns / rows if rows else 1.0
    beam = math.ceil(slope / 2 + BEAM) if slope / 2 > BEAM else BEAM
    diagonal = [math.floor(row * slope) for row in range(1, rows + 1)]
    return [(0, columns + 1), *[(max(0, column - beam), min(columns + 1, column + beam)) for column in diagonal]]


def edit_distance(hypothesis: Words, reference: Words) -> tuple[int, list[int]]:
    """Return the edit distance within the band, and the steps from the beginning to the end that make it up.

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.

    Returns:
        The distance, and the steps: `_MATCH`, `_SUBSTITUTION`, `_DELETION` (of a word of the hypothesis) or
        `_INSERTION`.
    """
    band = band_of(len(hypothesis), len(reference))
    words: list[object] = [object(), *reference]  # by column; column 0 has none, so nothing equals it
    above: list[float] = list(range(len(words)))
    steps = [bytes([_INSERTION]) * len(words)]
    for word, (first_above, end_above), (first, end) in zip(hypothesis, band, band[1:]):
        # From the column before the first one on. (Cells outside the band are never reached.)
        above = [_NEVER, *above, *[_NEVER] * (end - end_above)][first - first_above:]
        costs: list[float] = []
        steps_of_row = bytearray()
        cost = _NEVER
        for other, diagonal, upper in zip(words[first:end], above, above[1:]):
            left = cost
            if word == other:
                cost, step = diagonal, _MATCH
            else:
                cost, step = diagonal + 1, _SUBSTITUTION
            if upper + 1 < cost:
                cost, step = upper + 1, _DELETION
            if left + 1 < cost:
                cost, step = left + 1, _INSERTION
            costs.append(cost)
            steps_of_row.append(step)
        above = costs
        steps.append(bytes(steps_of_row))
    return int(above[-1]), _trace(steps, band)


def _trace(steps: Sequence[bytes], band: Band) -> list[int]:
    """Return the steps from the beginning of the matrix to its end; each cell has the last step of the best path to it."""
    path: list[int] = []
    row, column = len(band) - 1, band[-1][1] - 1
    while row or column:
        step = steps[row][column - band[row][0]]
        path.append(step)
        if step != _INSERTION:
            row -= 1
        if step != _DELETION:
            column -= 1
    return path[::-1]


def _shifts_to_try(words: Words, reference: Words, steps: Sequence[int]) -> Iterator[Shift]:
    """Yield the shifts that Tercom tries (some of them repeatedly) if these steps lead from the words to the reference.

    A block of words is moved to the same words of the reference in the alignment, or to some of them, if both have
    errors as they are, and the block is not there already.
    """
    ends, errors, reference_errors = _alignment(steps)
    for start in range(len(words)):
        for match in range(max(0, start - MAX_DISTANCE), min(len(reference), start + MAX_DISTANCE + 1)):
            for length in range(1, 1 + min(MAX_SHIFT_LENGTH, len(words) - start, len(reference) - match)):
                if words[start + length - 1] != reference[match + length - 1]:
                    break
                if (any(errors[start:start + length]) and any(reference_errors[match:match + length])
                        and not start < ends[match + 1] <= start + length):
                    for target in sorted(set(ends[match:match + length + 1])):
                        yield start, length, target


def reference_position(words: Words, reference: Words, shift: Shift) -> int:
    """Return the position in the reference that Tercom reports as the target of a shift.

    Args:
        words: the words before the shift.
        reference: a sequence of words.
        shift: one that `trace_edits` has found for them.

    Returns:
        A position; -1 before the first word.
    """
    start, length, target = shift
    end = start + length
    if start <= target <= end:  # as `shifted` takes it
        target = min(target + length, len(words))
    ends, _, reference_errors = _alignment(edit_distance(words, reference)[1])
    block = list(words[start:end])
    for match in range(max(0, start - MAX_DISTANCE), min(len(reference) - length, start + MAX_DISTANCE) + 1):
        if (list(reference[match:match + length]) == block and any(reference_errors[match:match + length])
                and not start < ends[match + 1] <= end):
            for position in range(match - 1, match + length):
                if ends[position + 1] == target and (position == match or position < 0 or target != ends[match + 1]):
                    return position
    return target - 1


def _alignment(steps: Sequence[int]) -> tuple[list[int], list[bool], list[bool]]:
    """Return the number of hypothesis words passed when each number of reference words is reached; and the errors.

    The errors are two lists: whether each word of the hypothesis is one, and each word of the reference.
    """
    ends = [0]
    errors: list[bool] = []
    reference_errors: list[bool] = []
    for step in steps:
        if step != _INSERTION:
            errors.append(step != _MATCH)
        if step != _DELETION:
            reference_errors.append(step != _MATCH)
            ends.append(len(errors))
    return ends, errors, reference_errors
