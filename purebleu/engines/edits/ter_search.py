"""The edits of TER for many pairs at once: insertions, deletions, substitutions, and shifts of blocks of words.

To find the fewest edits is NP-hard. So Snover et al. (2006) shift greedily: while a shift lowers the edit distance to
the reference, the best shift is applied. Their program, Tercom, tries only some shifts, and scores depend on which
ones: `ter` defines that. Here, the search goes in rounds, for hundreds of pairs together:

1. compute the edit distance of each pair, and its steps (`myers`);
2. find the shifts to try, for each pair that a shift may still improve;
3. compute the edit distances after all of these shifts, and apply the best shift of each pair.

Only the positions of a word in the reference matter, so a bit mask of these represents it. A shift does not change the
rows of the matrix above it, so only the rows below are computed again.

**What a shift may gain.** A shift swaps two neighbouring blocks of words. The same is possible by edits: delete the
words of the shorter block, and insert them on the other side of the longer one. So a shift lowers the edit distance by
at most two for each word of the shorter block. Most shifts swap a single word with a block. They are tried last, and
only if they may gain more than the best shift so far. With the beam, the distance before a shift may be too high, and a
shift may gain that difference, too. (The beam never lowers a distance.)
"""

from __future__ import annotations

from ...blocks import EDIT_SEGMENTS, slices
from ..bits import positions_of_items
from .myers import Beam, batches_by_width, beam_matters, field_width, items_in_common, last_rows, rows_in_bytes
from .ter import MAX_DISTANCE, MAX_SHIFT_LENGTH, MAX_TRIED, TERCOM, edits_and_shifts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence, Tuple

    from .myers import Field, History
    from .ter import Rules, Shift, Words

    #: A shift to try: its length; its start and its target, both negated; and the same shift as a swap of two
    #: neighbouring blocks of words: the start of the first block, the start of the second, and the end of both. (Of
    #: shifts with the same gain, the highest tuple is applied.)
    Candidate = Tuple[int, int, int, int, int, int]

    #: A matrix after a shift: the width of its field, the number of rows to compute, the search, and the shift.
    Trial = Tuple[int, int, "_Search", Candidate]

#: A matrix with more cells than this is left to the plain form, which needs less memory.
_MAX_CELLS = 1 << 27

#: The words of the reference that are near enough to word number `MAX_DISTANCE` of the hypothesis.
_NEAR = (1 << 2 * MAX_DISTANCE + 1) - 1


def edits_of_pairs(pairs: Sequence[tuple[Words, Words]], rules: Rules = TERCOM) -> list[int]:
    """Count the edits that turn each hypothesis into its reference (Snover et al., 2006).

    Args:
        pairs: a hypothesis and a reference each, as sequences of words.
        rules: what an alignment may do.

    Returns:
        For each pair, the number of words inserted, deleted and substituted, and of blocks shifted.

    Example:
        >>> edits_of_pairs([("d a b c".split(), "a b c d".split())])
        [1]
    """
    return [edits for edits, _ in _found(pairs, rules, min_gain=2)]


def shifts_of_pairs(pairs: Sequence[tuple[Words, Words]], rules: Rules = TERCOM) -> list[tuple[int, list[Shift]]]:
    """Count the edits that turn each hypothesis into its reference, and return the shifts among them.

    Args:
        pairs: a hypothesis and a reference each, as sequences of words.
        rules: what an alignment may do.

    Returns:
        For each pair, the number from `edits_of_pairs`, and the shifts from `ter.trace_edits`.

    Example:
        >>> shifts_of_pairs([("d a b c".split(), "a b c d".split())])
        [(1, [(0, 1, 4)])]
    """
    # (A shift that saves just one edit, which is what it costs, leaves the number of edits the same. But Tercom applies
    # such shifts, too.)
    return _found(pairs, rules, min_gain=1)


def _found(pairs: Sequence[tuple[Words, Words]], rules: Rules, min_gain: int) -> list[tuple[int, list[Shift]]]:
    """Return the number of edits of each pair, and its shifts. A search goes on if a gain of `min_gain` is possible."""
    found: list[tuple[int, list[Shift]]] = []
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
                found.append((len(search.shifts) + search.distance, search.shifts))
            else:
                found.append(edits_and_shifts(*pair, rules))
    return found


class _Search:
    """The search for the edits of a pair. Both sides have a word or more.

    `distance` is the edit distance after `shifts`, and `bound` a lower bound of it after any further shifts.
    `words` is the hypothesis after the shifts, as a bit mask for each word of its positions in the reference. `equal`
    is the same in bytes. `seen` is the part of it within the `beam`, or all of it without a beam. (There is none if it
    would make no difference.)

    `best` is the gain of the best shift so far, and this shift. `to_try` has groups of shifts to try; the last group is
    next. `rows_before` describes the row before each row at which one of these shifts begins: the columns that are
    higher there, and those that are lower. (`_set_shifts` sets both.) `distance_without_beam` is 0 if it is unknown.

    `half` is the width of the halves of fields (see `myers`) if the rules restrict what may be aligned; else 0.
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
        # This rough bound is enough for most pairs. `may_gain` computes a better one.
        self.bound = max(0, self.columns - self.rows) + words.count(0)
        self.is_bound_rough = True
        self.best: tuple[int, ...] = ()

    def field(self, equal: bytes) -> Field:
        """Return the whole matrix. In row 0, each column is higher than the one before."""
        return equal, self.every_column, bytes(self.width), self.every_column

    def field_after(self, candidate: Candidate) -> Field:
        """Return the rows of the matrix after a shift, from the first word that changes."""
        _, _, _, first, second, rest = candidate
        higher, lower = self.rows_before[first]
        equal, width = self.equal, self.width
        first, second, rest = first * width, second * width, rest * width
        swapped = equal[second:rest] + equal[first:second]
        if self.beam:
            swapped = self.beam.seen(swapped, first)
        return swapped + self.seen[rest:], higher, lower, self.every_column

    def next_trials(self) -> list[Trial]:
        """Return the next group of shifts to try, without those that can't be the best; empty if none are left."""
        while self.to_try:
            trials = self.to_try.pop()
            if self.best:  # (so only shifts that swap a single word with a block are left)
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
        """Whether further shifts may lower the number of edits."""
        if self.is_bound_rough and self.distance - self.bound >= self.min_gain:
            self.bound = max(self.rows, self.columns) - items_in_common(self.words)
            self.is_bound_rough = False
        return self.distance - self.bound >= self.min_gain


def _alignable_positions(hypothesis: Sequence[Any], reference: Sequence[Any], rules: Rules) -> list[int]:
    """Return, for each word of the hypothesis, a bit mask of the words of the reference that it may be aligned with."""
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
    """Find the edit distances and the shifts to try; return the searches that a shift may improve."""
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
    """Find the edit distances after shifts, and so the best shift of each search."""
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
        # (These distances rule out shifts only if the best one gains two edits or more.)
        _find_distances_without_beam([search for search in searches
                                      if not search.distance_without_beam and search.best and search.best[0] >= 2])


def _find_distances_without_beam(searches: Sequence[_Search]) -> None:
    """Find the edit distances of the words after all shifts so far, without the beam of the searches."""
    for width, tasks in batches_by_width([(search.width, search.rows, search) for search in searches]):
        rises = last_rows([search.field(search.equal) for _, _, search in tasks], width, None, tasks[0][2].half)
        for (_, rows, search), rise in zip(tasks, rises):
            search.distance_without_beam = rows + rise


def _set_shifts(search: _Search, history: History, offset: int) -> None:
    """Find the shifts to try. Those that swap two blocks of two words or more come first.

    Args:
        history: masks of rows, the last of which are those of the matrix of the search.
        offset: the offset of the matrix in each row, in bytes.
    """
    word_shifts: list[Trial] = []
    block_shifts: list[Trial] = []
    field = slice(offset, offset + search.width)
    first_row = len(history) - search.rows
    search.rows_before = rows_before = {}
    for start, length, targets in _blocks_to_shift(search, _alignment_in_band(search, history, offset)):
        end = start + length
        for target in targets:
            # (This does the same as `ter.shifted`.)
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

    Only steps within the band count. Of steps with the same cost, a diagonal step comes first, then a deletion.

    Returns:
        For each word of the reference, the number of words of the hypothesis before it; for each such number, the words
        of the reference that have it, as a bit mask; the words with an error in the hypothesis, and in the reference,
        as bit masks.
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
        delete, insert = True, True  # (a substitution is both)
        if not beam or beam.inside[row - 1] & word:
            free, _, falling = history[first_row + row - 1]
            byte, bit = offset + (column - 1 >> 3), 1 << (column - 1 & 7)
            if free[byte] & bit:
                deletes = free[byte + search.half] if search.half else falling[byte]
                # (With halves, a deletion may seem possible that would come from the right of the band.)
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
    """Return the blocks to shift, as (start, length, targets); none if the limit of shifts to try is reached.

    (Generators for its phases would take a twentieth more time.)
    """
    words, rows = search.words, search.rows
    passed, reached, errors, reference_errors = alignment
    if not errors or not reference_errors:
        return []
    has_far_words = max(rows, search.columns) > MAX_DISTANCE
    blocks: list[tuple[int, int, set[int]]] = []
    tried = search.tried
    # 1. Each word that a block may start with.
    for start, matches in enumerate([word & ~there for word, there in zip(words, reached[1:])]):
        # `matches`: the starts of blocks of the reference that are the same as this one.
        if not matches:
            continue
        if has_far_words:
            matches &= _NEAR << start >> MAX_DISTANCE
        # 2. Each block that starts there, and that the reference has in another place: one word longer each time.
        length = with_error = 0
        while matches:
            with_error |= reference_errors >> length  # (the starts of blocks of the reference with an error)
            length += 1
            if errors >> start & (1 << length) - 1:
                # 3. Each position in the reference that the block may move to, as a position in the hypothesis.
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
