"""The edits of TER for many pairs at once: insertions, deletions, substitutions, and shifts of blocks of words.

Finding the fewest edits is NP-hard. So Snover et al. (2006) shift greedily: while a shift lowers the edit distance to
the reference, the best shift is applied. Their program, Tercom, tries only certain shifts, which `ter` defines. This
module finds the same edits as Tercom. The search has rounds, each for hundreds of pairs together:

1. Compute the edit distance of each pair, and its steps (`myers`).
2. Find the shifts to try, for each pair that a shift may still improve.
3. Compute the edit distances after all of these shifts, and apply the best shift of each pair.

Matrices of edit distances depend only on which words are equal. So each word of a hypothesis is stored as a bit mask of
its positions in the reference. A shift does not change the rows of the matrix above the first changed word. So only the
lower rows are computed again.

**The limit of a gain.** A shift swaps two neighbouring blocks of words. Edits can swap two blocks, too: they delete the
shorter block, and insert its words on the other side of the longer block. So a shift lowers the edit distance by at
most 2 for each word of the shorter block. Most shifts swap a single word with a block, so they gain at most 2. Shifts
that swap a single word are tried last, and only if they may still be the best. If Tercom's beam makes the distance
before a shift higher than the edit distance without a beam, a shift may gain the difference, too. (The beam never makes
a distance lower.)
"""

from __future__ import annotations

from ...runtime.blocks import EDIT_SEGMENTS, slices
from ..bits import positions_of_items
from .myers import Beam, batches_by_width, beam_matters, field_width, items_in_common, last_rows, rows_in_bytes
from .ter import MAX_DISTANCE, MAX_SHIFT_LENGTH, MAX_TRIED, TERCOM, edits_and_shifts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence, Tuple

    from .myers import Field, History
    from .ter import Rules, Shift, Words

    #: A shift to try. The first three numbers are the length of the block, its start (negated), and its target
    #: (negated). The last three numbers describe the shift as a swap of two neighbouring blocks: the start of the first
    #: block, the start of the second block, and the end of the second block. (If several shifts have the same gain, the
    #: one with the highest tuple is applied.)
    Candidate = Tuple[int, int, int, int, int, int]

    #: A matrix after a shift: the width of its field, the number of rows to compute, the search, and the shift.
    Trial = Tuple[int, int, "_Search", Candidate]

#: If the matrix of a pair has more cells than this, `ter` counts the edits with less memory.
_MAX_CELLS = 1 << 27

#: A bit mask of words of the reference: those at most `MAX_DISTANCE` away from word number `MAX_DISTANCE` of the
#: hypothesis. (The mask is shifted for other words.)
_NEAR = (1 << 2 * MAX_DISTANCE + 1) - 1


def edits_of_pairs(pairs: Sequence[tuple[Words, Words]], rules: Rules = TERCOM) -> list[int]:
    """Count the edits that turn each hypothesis into its reference (Snover et al., 2006).

    Args:
        pairs: pairs of a hypothesis and a reference, as sequences of words.
        rules: the limits of alignments.

    Returns:
        For each pair, the number of words inserted, deleted and substituted, plus the number of blocks shifted.

    Example:
        >>> edits_of_pairs([("d a b c".split(), "a b c d".split())])
        [1]
    """
    return [edits for edits, _ in _search_all(pairs, rules, min_gain=2)]


def shifts_of_pairs(pairs: Sequence[tuple[Words, Words]], rules: Rules = TERCOM) -> list[tuple[int, list[Shift]]]:
    """Count the edits that turn each hypothesis into its reference, and return the shifts among them.

    Args:
        pairs: pairs of a hypothesis and a reference, as sequences of words.
        rules: the limits of alignments.

    Returns:
        For each pair, the number from `edits_of_pairs`, and the shifts from `ter.trace_edits`.

    Example:
        >>> shifts_of_pairs([("d a b c".split(), "a b c d".split())])
        [(1, [(0, 1, 4)])]
    """
    # (Tercom also applies shifts that save just one edit. Because a shift costs one edit, such a shift does not change
    # the number of edits, so `edits_of_pairs` ignores it.)
    return _search_all(pairs, rules, min_gain=1)


def _search_all(pairs: Sequence[tuple[Words, Words]], rules: Rules, min_gain: int) -> list[tuple[int, list[Shift]]]:
    """Return the number of edits of each pair, and its shifts. A search ends if shifts can't gain `min_gain` edits."""
    results: list[tuple[int, list[Shift]]] = []
    for indices in slices(len(pairs), EDIT_SEGMENTS):
        searches = [_Search(hypothesis, reference, rules, min_gain)
                    if 0 < len(hypothesis) * len(reference) <= _MAX_CELLS else None
                    for hypothesis, reference in pairs[indices]]
        live = [search for search in searches if search]
        while live:
            live = _find_shifts(live)
            _try_shifts(live)
            live = [search for search in live if search.apply_best()]
        for pair, search in zip(pairs[indices], searches):
            if search:
                results.append((len(search.shifts) + search.distance, search.shifts))
            else:
                results.append(edits_and_shifts(*pair, rules))
    return results


class _Search:
    """The search for the edits of a pair. Both sides have a word or more.

    Attributes:
        rows, columns: the numbers of words of the hypothesis and of the reference.
        words: the hypothesis after `shifts`, each word as a bit mask of its positions in the reference.
        equal: the bit masks of `words` in bytes, one after another.
        beam: the beam of the matrix; `None` if the beam makes no difference.
        seen: `equal` without the words outside the beam.
        shifts: the shifts that have been applied.
        tried: the number of shifts that Tercom would have tried so far.
        distance: the edit distance after `shifts`.
        distance_without_beam: the edit distance after `shifts` without the beam; 0 if this distance is unknown.
        bound: a lower bound of `distance` after any further shifts.
        best: the gain of the best shift of this round so far, then the shift itself; empty if no shift gains.
        to_try: groups of shifts to try. The last group is tried next.
        rows_before: by the first changed word of a shift in `to_try`, the higher columns and the lower columns of the
            row before this word (see `myers`). (`_set_shifts` sets `to_try` and `rows_before`.)
        half: the width of half a field (see `myers`) if the rules say which words may be aligned; else 0.
    """

    to_try: list[list[Trial]]
    rows_before: dict[int, tuple[bytes, bytes]]

    def __init__(self, hypothesis: Words, reference: Words, rules: Rules, min_gain: int) -> None:
        positions = positions_of_items(reference)
        self.words = words = [positions.get(word, 0) for word in hypothesis]
        self.rows, self.columns = len(hypothesis), len(reference)
        self.width = width = field_width(self.columns)
        self.rules = rules
        self.half = 0
        rows = words
        if rules.may_align:
            allowed = _alignable_positions(hypothesis, reference, rules)
            self.words = words = [positions_of_word & others for positions_of_word, others in zip(words, allowed)]
            self.half = width
            self.width = width = 2 * width
            rows = [equal | others << 8 * self.half for equal, others in zip(words, allowed)]
        self.every_column = ((1 << self.columns) - 1).to_bytes(width, "little")
        self.equal = self.seen = rows_in_bytes(rows, width)
        self.beam: Beam | None = None
        self.distance = self.distance_without_beam = self.tried = 0
        self.shifts: list[Shift] = []
        self.min_gain = min_gain
        # This rough bound is enough for most pairs. `may_gain` computes a better bound.
        self.bound = max(0, self.columns - self.rows) + words.count(0)
        self.is_bound_rough = True
        self.best: tuple[int, ...] = ()

    def field(self, equal: bytes) -> Field:
        """Return the `Field` of the whole matrix. In row 0, each column is higher than the column before."""
        return equal, self.every_column, bytes(self.width), self.every_column

    def field_after(self, candidate: Candidate) -> Field:
        """Return the input for the rows of the matrix after a shift, from the first changed word on."""
        _, _, _, first, second, rest = candidate
        higher, lower = self.rows_before[first]
        equal, width = self.equal, self.width
        first, second, rest = first * width, second * width, rest * width
        swapped = equal[second:rest] + equal[first:second]
        if self.beam:
            swapped = self.beam.seen(swapped, first)
        return swapped + self.seen[rest:], higher, lower, self.every_column

    def next_trials(self) -> list[Trial]:
        """Return the next group of shifts to try, without shifts that can't be the best. (Empty if none are left.)"""
        while self.to_try:
            trials = self.to_try.pop()
            if self.best:  # (the second group swaps a single word with a block)
                max_gain = 2 + self.distance - self.distance_without_beam
                trials = [trial for trial in trials if (max_gain, *trial[3]) > self.best]
            if trials:
                return trials
        return []

    def apply_best(self) -> bool:
        """Apply the best shift, if there is one; return whether another shift may follow."""
        if not self.best:
            return False
        gain, length, start, target, first, second, rest = self.best
        self.shifts.append((-start, length, -target))
        words, equal, width = self.words, self.equal, self.width
        self.words = words[:first] + words[second:rest] + words[first:second] + words[rest:]
        first, second, rest = first * width, second * width, rest * width
        self.equal = equal[:first] + equal[second:rest] + equal[first:second] + equal[rest:]
        self.seen = self.beam.seen(self.equal) if self.beam else self.equal
        self.distance -= gain
        self.distance_without_beam = 0
        self.best = ()
        return self.may_gain()

    def may_gain(self) -> bool:
        """Return whether further shifts may save `min_gain` edits or more."""
        if self.is_bound_rough and self.distance - self.bound >= self.min_gain:
            self.bound = max(self.rows, self.columns) - items_in_common(self.words)
            self.is_bound_rough = False
        return self.distance - self.bound >= self.min_gain


def _alignable_positions(hypothesis: Sequence[Any], reference: Sequence[Any], rules: Rules) -> list[int]:
    """Return a bit mask for each word of the hypothesis: the words of the reference that it may be aligned with."""
    by_place = positions_of_items([word.place for word in reference])
    masks: dict[Any, int] = {}
    for place in dict.fromkeys([word.place for word in hypothesis]):
        mask = 0
        for other, positions in by_place.items():
            if rules.may_align and rules.may_align(place, other):
                mask |= positions
        masks[place] = mask
    return [masks[word.place] for word in hypothesis]


def _find_shifts(searches: Sequence[_Search]) -> list[_Search]:
    """Compute the edit distances, and find the shifts to try; return the searches that a shift may improve."""
    improvable: list[_Search] = []
    beamed: list[_Search] = []
    for width, tasks in batches_by_width([(search.width, search.rows, search) for search in searches]):
        history: History = []
        rises = last_rows([search.field(search.seen) for _, _, search in tasks], width, history, tasks[0][2].half)
        for index, ((_, rows, search), rise) in enumerate(zip(tasks, rises)):
            search.distance = rows + rise
            if not search.beam:
                search.distance_without_beam = search.distance
                if beam_matters(search.distance, rows, search.columns, search.rules.beam):
                    search.beam = Beam(rows, search.columns, width, search.rules, search.half)
                    search.seen = search.beam.seen(search.equal)
                    beamed.append(search)
                    continue
            if search.may_gain():
                _set_shifts(search, history, index * width)
                improvable.append(search)
    if beamed:
        improvable += _find_shifts(beamed)
    return improvable


def _try_shifts(searches: Sequence[_Search]) -> None:
    """Compute the edit distances after the shifts to try, and set the `best` shift of each search."""
    while searches:
        trials = [trial for search in searches for trial in search.next_trials()]
        for width, tasks in batches_by_width(trials):
            rises = last_rows([search.field_after(candidate) for _, _, search, candidate in tasks], width, None,
                              tasks[0][2].half)
            for (_, _, search, candidate), rise in zip(tasks, rises):
                gain = search.distance - search.rows - rise
                if gain > 0:
                    search.best = max(search.best, (gain, *candidate))
        searches = [search for search in searches if search.to_try]
        # (Distances without the beam rule out shifts only if the best shift gains two edits or more.)
        _find_distances_without_beam([search for search in searches
                                      if not search.distance_without_beam and search.best and search.best[0] >= 2])


def _find_distances_without_beam(searches: Sequence[_Search]) -> None:
    """Set `distance_without_beam` of each search."""
    for width, tasks in batches_by_width([(search.width, search.rows, search) for search in searches]):
        rises = last_rows([search.field(search.equal) for _, _, search in tasks], width, None, tasks[0][2].half)
        for (_, rows, search), rise in zip(tasks, rises):
            search.distance_without_beam = rows + rise


def _set_shifts(search: _Search, history: History, offset: int) -> None:
    """Set the shifts to try. Shifts that swap two blocks of two words or more are tried first.

    Args:
        history: the masks of all rows of several matrices. The last rows belong to the matrix of the search.
        offset: the offset of the field of the search in each mask, in bytes.
    """
    word_shifts: list[Trial] = []
    block_shifts: list[Trial] = []
    field = slice(offset, offset + search.width)
    first_row = len(history) - search.rows
    search.rows_before = rows_before = {}
    for start, length, targets in _blocks_to_shift(search, _alignment_in_band(search, history, offset)):
        end = start + length
        for target in targets:
            # (The swap gives the same words as `ter.shifted`.)
            if target < start:
                first, second, rest = target, start, end
                passed = start - target
            else:
                first, second, rest = start, end, target + length if target <= end else target
                passed = rest - end
            if first not in rows_before:
                _, higher, lower = history[first_row + first]
                rows_before[first] = higher[field], lower[field]
            trial = search.width, search.rows - first, search, (length, -start, -target, first, second, rest)
            if length == 1 or passed == 1:
                word_shifts.append(trial)
            else:
                block_shifts.append(trial)
    search.to_try = [group for group in (word_shifts, block_shifts) if group]


def _alignment_in_band(search: _Search, history: History, offset: int) -> tuple[list[int], list[int], int, int]:
    """Follow the best path through the matrix, from its end, and return its alignment.

    Only steps within the band count. If several steps have the same cost, a diagonal step is taken, or else a deletion.

    Returns:
        `passed`: for each position of the reference, the number of words of the hypothesis that the path has passed.
        `reached`: for each number of words of the hypothesis, a bit mask of the words of the reference that have this
        number in `passed`.
        The third and fourth member are bit masks: the errors in the hypothesis, and the errors in the reference.
    """
    words, beam = search.words, search.beam
    if beam:
        words = [word & inside for word, inside in zip(words, beam.inside)]
    row, column = search.rows, search.columns
    passed, reached = [0] * (column + 1), [0] * (row + 1)
    errors = reference_errors = 0
    first_row = len(history) - row
    word = 1 << column - 1  # the word of the reference before `column`, as a bit mask
    while row and column:
        if words[row - 1] & word:  # a match
            passed[column] = row
            reached[row] |= word
            row -= 1
            column -= 1
            word >>= 1
            continue
        delete, insert = True, True  # (a substitution sets both)
        if not beam or beam.inside[row - 1] & word:
            free, _, falling = history[first_row + row - 1]
            byte, bit = offset + (column - 1 >> 3), 1 << (column - 1 & 7)
            if free[byte] & bit:
                deletes = free[byte + search.half] if search.half else falling[byte]
                # (If fields have halves, the mask may have a deletion that comes from a cell to the right of the band.)
                if deletes & bit and not (beam and column >= beam.band[row - 1][1]):
                    insert = False
                else:
                    delete = False
        elif column - 1 < beam.band[row - 1][0]:
            insert = False
        else:
            delete = False
        if insert:
            passed[column] = row
            reached[row] |= word
            reference_errors |= word
            column -= 1
            word >>= 1
        if delete:
            row -= 1
            errors |= 1 << row
    return passed, reached, errors | (1 << row) - 1, reference_errors | (1 << column) - 1


def _blocks_to_shift(search: _Search, alignment: Sequence[Any]) -> list[tuple[int, int, set[int]]]:
    """Return the blocks to shift, as (start, length, targets). If `MAX_TRIED` shifts have been tried, return none.

    (The three loops are one function, because generators would take 5 % more time.)
    """
    words, rows = search.words, search.rows
    passed, reached, errors, reference_errors = alignment
    if not errors or not reference_errors:
        return []
    has_far_words = max(rows, search.columns) > MAX_DISTANCE
    blocks: list[tuple[int, int, set[int]]] = []
    tried = search.tried
    # 1. Loop over the first words of blocks.
    for start, matches in enumerate([word & ~there for word, there in zip(words, reached[1:])]):
        # `matches`: the positions of the same word in the reference, without a position that the word already has.
        if not matches:
            continue
        if has_far_words:
            matches &= _NEAR << start >> MAX_DISTANCE
        # 2. Loop over the blocks that start with this word and that the reference has elsewhere, the shortest first.
        length = with_error = 0
        while matches:
            with_error |= reference_errors >> length  # (starts of blocks in the reference that have an error)
            length += 1
            if errors >> start & (1 << length) - 1:
                # 3. Loop over the positions of the block in the reference. `targets` are positions in the hypothesis.
                targets: set[int] = set()
                to_try = matches & with_error
                while to_try:
                    lowest = to_try & -to_try
                    to_try ^= lowest
                    match = lowest.bit_length() - 1
                    targets_here = set(passed[match:match + length + 1])
                    tried += len(targets_here)
                    targets |= targets_here
                if tried >= MAX_TRIED:
                    search.tried = tried
                    return []
                targets.discard(start)
                if targets:
                    blocks.append((start, length, targets))
            if length == MAX_SHIFT_LENGTH or start + length == rows:
                break
            matches &= words[start + length] >> length & ~reached[start + length + 1]
    search.tried = tried
    return blocks
