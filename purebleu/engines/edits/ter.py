"""The edits of TER and SubER, as Tercom finds them by greedy search. This plain, slow code defines the edits.

SubER restricts which words may be aligned (`Rules`). `ter_search` counts the same edits for many pairs at once. For
very long pairs, `ter_search` calls this module, which needs less memory because it stores only the cells within the
beam.
"""

from __future__ import annotations

import math
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Hashable, Iterator, List, Sequence, Tuple, TypeVar

    Words = Sequence[Hashable]

    #: A shift of a block of words: the start of the block, its length, and the position of the word before which the
    #: block is put.
    Shift = Tuple[int, int, int]

    #: For each row of a matrix, from row 0 on, the first column of the band, and the first column after the band.
    Band = List[Tuple[int, int]]

    AnyWords = TypeVar("AnyWords", bytes, List[Hashable], List[int], List[str])

#: Tercom's limits for a shift: the number of words of the block, and the distance between the start of the block and
#: the start of the same words in the reference.
MAX_SHIFT_LENGTH = 10
MAX_DISTANCE = 50

#: The search for a pair ends when this number of shifts has been tried. The last round of such a search makes no shift.
MAX_TRIED = 1000

#: Steps in the matrix. If several steps have the same cost, the step with the lowest number is taken.
_MATCH, _SUBSTITUTION, _DELETION, _INSERTION = range(4)

#: The cost of a cell that no path may go through.
_NEVER = math.inf


class Rules:
    """Limits of an alignment.

    Attributes:
        beam: half the width of the beam, in columns.
        max_slope: if a matrix has more than this number of columns for each row, the beam is wider.
        may_align: a function that returns whether two words may be aligned, from the attribute `place` of each word.
            `None`: any two words may be aligned.
    """

    def __init__(self, beam: int, may_align: Callable[[Any, Any], bool] | None = None) -> None:
        self.beam = beam
        self.may_align = may_align
        # (If some diagonal steps are forbidden, the bands of neighbouring rows must have a column in common.)
        self.max_slope = 2 * beam if may_align is None else 2 * beam - 2

    def allows(self, word: Any, other: Any) -> bool:
        """Return whether a word of the hypothesis and a word of the reference may be aligned."""
        return self.may_align is None or self.may_align(word.place, other.place)


#: The rules of Tercom.
TERCOM = Rules(beam=25)


def count_edits(hypothesis: Words, reference: Words, rules: Rules = TERCOM) -> int:
    """Count the edits that turn a hypothesis into a reference (Snover et al., 2006).

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.
        rules: the limits of alignments.

    Returns:
        The number of words inserted, deleted and substituted, plus the number of blocks shifted.

    Example:
        >>> count_edits("d a b c".split(), "a b c d".split())
        1
    """
    return edits_and_shifts(hypothesis, reference, rules)[0]


def trace_edits(hypothesis: Words, reference: Words, rules: Rules = TERCOM) -> tuple[list[Shift], list[int]]:
    """Return the edits that turn a hypothesis into a reference, one by one (Snover et al., 2006).

    The search is greedy. Each round has three steps:

    1. Align the words with the reference (`edit_distance`).
    2. Try all shifts that Tercom tries under this alignment (`_shifts_to_try`).
    3. Make the shift that lowers the edit distance the most. If no shift lowers the distance, the search ends.

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.
        rules: the limits of alignments.

    Returns:
        The shifts in order, and the steps of `edit_distance` after all shifts. (The positions in a shift refer to the
        hypothesis after all earlier shifts.)

    Example:
        >>> trace_edits("d a b c".split(), "a b c d".split())
        ([(0, 1, 4)], [0, 0, 0, 0])
    """
    words = list(hypothesis)
    shifts: list[Shift] = []
    tried = 0
    while True:
        distance, steps = edit_distance(words, reference, rules)
        candidates = list(islice(_shifts_to_try(words, reference, steps, rules), MAX_TRIED - tried))
        tried += len(candidates)
        if tried >= MAX_TRIED or not candidates:
            return shifts, steps
        gain, length, start, target = max([
            (distance - edit_distance(shifted(words, *shift), reference, rules)[0], shift[1], -shift[0], -shift[2])
            for shift in candidates
        ])
        if gain <= 0:
            return shifts, steps
        shifts.append((-start, length, -target))
        words = shifted(words, *shifts[-1])


def edits_and_shifts(hypothesis: Words, reference: Words, rules: Rules = TERCOM) -> tuple[int, list[Shift]]:
    """Return the number from `count_edits`, and the shifts from `trace_edits`."""
    shifts, steps = trace_edits(hypothesis, reference, rules)
    return len(shifts) + len(steps) - steps.count(_MATCH), shifts


def shifted(words: AnyWords, start: int, length: int, target: int) -> AnyWords:
    """Return the words after the block of `length` words at `start` has been put before the word at `target`.

    sacreBLEU-compat: if the target is in the block or at its end, `length` is added to the target, as in Tercom.

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


def band_of(rows: int, columns: int, rules: Rules) -> Band:
    """Return the band of the beam in a matrix. (`rows` excludes row 0, and `columns` excludes column 0.)"""
    # sacreBLEU-compat: the diagonal is computed in floating point, so the diagonal may be off by one column.
    slope = columns / rows if rows else 1.0
    beam = math.ceil(slope / 2 + rules.beam) if slope > rules.max_slope else rules.beam
    diagonal = [math.floor(row * slope) for row in range(1, rows + 1)]
    return [(0, columns + 1), *[(max(0, column - beam), min(columns + 1, column + beam)) for column in diagonal]]


def edit_distance(hypothesis: Words, reference: Words, rules: Rules = TERCOM) -> tuple[int, list[int]]:
    """Return the edit distance within the band of the beam, and the steps of the best path, in order.

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.
        rules: the limits of alignments.

    Returns:
        The distance, and the steps: `_MATCH`, `_SUBSTITUTION`, `_DELETION` (of a word of the hypothesis) or
        `_INSERTION`.
    """
    band = band_of(len(hypothesis), len(reference), rules)
    words: list[object] = [object(), *reference]  # column 0 has an object that equals no word
    above: list[float] = list(range(len(words)))
    steps = [bytes([_INSERTION]) * len(words)]
    for word, (first_above, end_above), (first, end) in zip(hypothesis, band, band[1:]):
        # The cells of the row above from the column `first - 1` on. (No path goes through cells outside the band.)
        above = [_NEVER, *above, *[_NEVER] * (end - end_above)][first - first_above:]
        diagonals = above
        if rules.may_align:
            diagonals = [cost if column and rules.allows(word, words[column]) else _NEVER
                         for column, cost in zip(range(first, end), above)]
        costs: list[float] = []
        steps_of_row = bytearray()
        cost = _NEVER
        for other, diagonal, upper in zip(words[first:end], diagonals, above[1:]):
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
    """Return the steps of the best path through the matrix. `steps` has the last step to each cell."""
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


def _shifts_to_try(words: Words, reference: Words, steps: Sequence[int], rules: Rules) -> Iterator[Shift]:
    """Yield the shifts that Tercom tries (some shifts more than once).

    The steps align the words with the reference. A block may be shifted if the reference has the same words nearby, if
    the block and these words have errors, and if the block is not aligned with these words already. The block is put
    before the first of these words, or after any of them. The alignment gives the positions in `words` that correspond
    to these positions of the reference.
    """
    ends, errors, reference_errors = _alignment(steps)
    for start in range(len(words)):
        for match in range(max(0, start - MAX_DISTANCE), min(len(reference), start + MAX_DISTANCE + 1)):
            for length in range(1, 1 + min(MAX_SHIFT_LENGTH, len(words) - start, len(reference) - match)):
                word, other = words[start + length - 1], reference[match + length - 1]
                if word != other or not rules.allows(word, other):
                    break
                if (any(errors[start:start + length]) and any(reference_errors[match:match + length])
                        and not start < ends[match + 1] <= start + length):
                    for target in sorted(set(ends[match:match + length + 1])):
                        yield start, length, target


def _alignment(steps: Sequence[int]) -> tuple[list[int], list[bool], list[bool]]:
    """Return how many words of the hypothesis are before each position of the reference, and two lists of flags.

    The first flags say which words of the hypothesis are errors. The second flags say which words of the reference are
    errors.
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
