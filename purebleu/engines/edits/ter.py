"""The edits of TER, as Tercom's heuristics find them, within Tercom's limits: the plain form.

This form defines the edits, for TER and for SubER, which restricts what may be aligned (`Rules`). `ter_search` counts
the same edits for many pairs at once. It leaves very long pairs to this form, which needs less memory: it keeps only
the band of the beam of the matrix of edit distances.
"""

from __future__ import annotations

import math
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Hashable, Iterator, List, Sequence, Tuple, TypeVar

    Words = Sequence[Hashable]

    #: A block of words that is moved: its start, its length, and the position of the word that it is put before.
    Shift = Tuple[int, int, int]

    #: For each row of a matrix, from row 0 on, the first column of the band, and the first column after it.
    Band = List[Tuple[int, int]]

    AnyWords = TypeVar("AnyWords", bytes, List[Hashable], List[int], List[str])

#: Tercom's limits: the number of words of a block, and the distance between it and the same words of the reference.
MAX_SHIFT_LENGTH = 10
MAX_DISTANCE = 50

#: The search for a pair ends when this many shifts have been tried. The round in which that happens has no effect.
MAX_TRIED = 1000

#: Steps in the matrix. Of steps with the same cost, the first is taken.
_MATCH, _SUBSTITUTION, _DELETION, _INSERTION = range(4)

_NEVER = math.inf


class Rules:
    """What an alignment may do.

    Attributes:
        beam: half the width of the beam. It is wider if the diagonal is steeper than `max_slope`, in columns a row.
        may_align: whether words at two places may be aligned; then each word has an attribute `place`. `None`: any two
            words may be.
    """

    def __init__(self, beam: int, may_align: Callable[[Any, Any], bool] | None = None) -> None:
        self.beam = beam
        self.may_align = may_align
        # (If no diagonal step is allowed, the bands of two rows have to have a column in common.)
        self.max_slope = 2 * beam if may_align is None else 2 * beam - 2

    def allows(self, word: Any, other: Any) -> bool:
        """Whether a word of the hypothesis and one of the reference may be aligned."""
        return self.may_align is None or self.may_align(word.place, other.place)


#: The rules of Tercom.
TERCOM = Rules(beam=25)


def count_edits(hypothesis: Words, reference: Words, rules: Rules = TERCOM) -> int:
    """Count the edits that turn a hypothesis into a reference (Snover et al., 2006).

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.
        rules: what an alignment may do.

    Returns:
        The number of words inserted, deleted and substituted, and of blocks shifted.

    Example:
        >>> count_edits("d a b c".split(), "a b c d".split())
        1
    """
    return edits_and_shifts(hypothesis, reference, rules)[0]


def trace_edits(hypothesis: Words, reference: Words, rules: Rules = TERCOM) -> tuple[list[Shift], list[int]]:
    """Return the edits that turn a hypothesis into a reference, one by one (Snover et al., 2006).

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.
        rules: what an alignment may do.

    Returns:
        The shifts, in the order in which they are made; and the steps of `edit_distance` from the words after all
        shifts to the reference. (The positions in a shift are those after the shifts before it.)

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
    """Move the block of `length` words at `start` to before the word at `target`; return all words.

    sacreBLEU-compat: a target in the block, or at its end, counts as `length` words further right, as in Tercom.

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
    """Return the band of the beam, for a matrix with `rows` rows after row 0 and `columns` columns after column 0."""
    # sacreBLEU-compat: in floating point, so that the diagonal may be off by one.
    slope = columns / rows if rows else 1.0
    beam = math.ceil(slope / 2 + rules.beam) if slope > rules.max_slope else rules.beam
    diagonal = [math.floor(row * slope) for row in range(1, rows + 1)]
    return [(0, columns + 1), *[(max(0, column - beam), min(columns + 1, column + beam)) for column in diagonal]]


def edit_distance(hypothesis: Words, reference: Words, rules: Rules = TERCOM) -> tuple[int, list[int]]:
    """Return the edit distance within the band, and the steps of the best path, in order.

    Args:
        hypothesis: a sequence of words.
        reference: a sequence of words.
        rules: what an alignment may do.

    Returns:
        The distance, and the steps: `_MATCH`, `_SUBSTITUTION`, `_DELETION` (of a word of the hypothesis) or
        `_INSERTION`.
    """
    band = band_of(len(hypothesis), len(reference), rules)
    words: list[object] = [object(), *reference]  # by column; no word equals that of column 0
    above: list[float] = list(range(len(words)))
    steps = [bytes([_INSERTION]) * len(words)]
    for word, (first_above, end_above), (first, end) in zip(hypothesis, band, band[1:]):
        # The cells of the row above, from the column before the first one. (Those outside the band can't be reached.)
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
    """Return the steps from the start of the matrix to its end. Each cell has the last step of the best path to it."""
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
    """Yield the shifts that Tercom tries, given the steps from the words to the reference. Some come repeatedly.

    A block of words is moved to the position of the same words in the reference, according to the alignment of the
    steps; or to after some of these words. Both the block and these words must have an error, and the block must not be
    there already.
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
    """Return the number of hypothesis words before each position of the reference; and the errors.

    The errors are two lists of flags: one for the words of the hypothesis, and one for those of the reference.
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
