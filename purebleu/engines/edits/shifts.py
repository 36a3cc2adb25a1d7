"""The edits of TER, of many pairs at once: insertions, deletions, substitutions, and shifts of blocks of words.

Finding the fewest is NP-hard, so Snover et al. (2006) shift greedily: as long as some shift lowers the edit distance
to the reference, the best one is applied. Their program, Tercom, tries but some shifts, and numbers depend on which:
`tercom` defines that. Here the search goes in rounds, for hundreds of pairs together:

1. the edit distance of each pair, and the steps that it consists of (`levenshtein`);
2. for those that a shift may still improve, the shifts to try;
3. the edit distances after all of these shifts; the best shift of each pair is applied.

A word matters only by where the reference has it, too, so it is represented by that: a bit mask of positions. And a
shift leaves the rows of the matrix before it as they are, so only the rest is computed again.
"""

from __future__ import annotations

from ...blocks import EDIT_SEGMENTS, slices
from ..bitfields import positions_of_items
from .levenshtein import beam_matters, field_width, fields_together, items_in_common, last_rows, steps_inside
from .tercom import MAX_DISTANCE, MAX_SHIFT_LENGTH, MAX_TRIED, band_of, count_edits, number_of_edits, trace_edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, List, Sequence, Tuple, TypeVar

    from .levenshtein import Field, History
    from .tercom import Band, Shift, Words

    #: Two neighbouring blocks of words that change places: where the first, the second, and what follows them begin.
    Swap = Tuple[int, int, int]

    #: The number of rows of a matrix that are to be computed, and for which search. A trial adds the columns that are
    #: higher and lower in the row before, the shift as a swap, and the shift itself.
    Task = Tuple[Any, ...]

    #: The number of words of the hypothesis that the steps have passed when they reach each word of the reference; for
    #: each such number, the words of the reference that are reached then, as a bit mask; the errors in the one and in
    #: the other, as bit masks.
    Alignment = Tuple[List[int], List[int], int, int]

    AnySearch = TypeVar("AnySearch", bound="_Search")

#: A matrix with more cells than this is left to the plain form, which keeps only the band of the beam in memory.
_MAX_CELLS = 1 << 27

#: The words of the reference that are near enough to word `MAX_DISTANCE` of the hypothesis.
_NEAR = (1 << 2 * MAX_DISTANCE + 1) - 1


def edits_of_pairs(pairs: Sequence[tuple[Words, Words]]) -> list[int]:
    """The number of edits that turn each hypothesis into its reference (Snover et al., 2006).

    Args:
        pairs: a hypothesis and a reference each, as sequences of words.

    Returns:
        For each pair, the number of words inserted, deleted and substituted, and of blocks shifted.

    Example:
        >>> edits_of_pairs([("d a b c".split(), "a b c d".split())])
        [1]
    """
    edits: list[int] = []
    for indices in slices(len(pairs), EDIT_SEGMENTS):
        batch = pairs[indices]
        searches = _finished(batch, _Search)
        edits += [searches[index].shifts + searches[index].distance if index in searches else count_edits(*pair)
                  for index, pair in enumerate(batch)]
    return edits


def shifts_of_pairs(pairs: Sequence[tuple[Words, Words]]) -> list[tuple[int, list[Shift]]]:
    """The number of edits that turn each hypothesis into its reference, and those among them that are shifts.

    Args:
        pairs: a hypothesis and a reference each, as sequences of words.

    Returns:
        For each pair, the number that `edits_of_pairs` returns, and the shifts of `tercom.trace_edits`.

    Example:
        >>> shifts_of_pairs([("d a b c".split(), "a b c d".split())])
        [(1, [(0, 1, 4)])]
    """
    found: list[tuple[int, list[Shift]]] = []
    for indices in slices(len(pairs), EDIT_SEGMENTS):
        batch = pairs[indices]
        searches = _finished(batch, _TracedSearch)
        for index, pair in enumerate(batch):
            search = searches.get(index)
            if search is None:
                shifts, steps = trace_edits(*pair)
                found.append((number_of_edits(shifts, steps), shifts))
            else:
                found.append((search.shifts + search.distance, search.applied))
    return found


def _finished(pairs: Sequence[tuple[Words, Words]], kind: type[AnySearch]) -> dict[int, AnySearch]:
    """The searches at their ends, by the pairs' indices; the plain form is left those that it is for."""
    searches = {index: kind(hypothesis, reference) for index, (hypothesis, reference) in enumerate(pairs)
                if 0 < len(hypothesis) * len(reference) <= _MAX_CELLS}
    live: list[_Search] = list(searches.values())
    while live:
        live = _shift_once(live)
    return searches


class _Search:
    """The search for the edits of a pair, with at least one word on either side.

    `distance` is the edit distance after `shifts` shifts, and `bound` its lower bound; `words` is the shifted
    hypothesis, for each word a bit mask of the positions where the reference has it, `equal` the same in bytes, and
    `seen` what the beam sees of that (all, without a beam).
    """

    def __init__(self, hypothesis: Words, reference: Words) -> None:
        positions = positions_of_items(reference)
        self.words = words = [positions.get(word, 0) for word in hypothesis]
        self.rows, self.columns = len(hypothesis), len(reference)
        self.width = width = field_width(self.columns)
        self.every_column = ((1 << self.columns) - 1).to_bytes(width, "little")
        self.equal = b"".join([word.to_bytes(width, "little") for word in words])
        self.bound = max(self.rows, self.columns) - items_in_common(words)
        self.distance = self.shifts = self.tried = 0
        self.band: Band | None = None
        self.seen = self.equal
        self.inside = 0  # in the layout of `equal`, all that the beam sees
        self.best: tuple[Any, ...] = ()

    def use_beam(self) -> None:
        self.band = band_of(self.rows, self.columns)
        inside = b"".join([columns.to_bytes(self.width, "little") for columns in steps_inside(self.band)])
        self.inside = int.from_bytes(inside, "little")

    def field(self) -> Field:
        """The whole matrix; in row 0, each column is higher than the one before."""
        self.seen = self.equal if self.band is None else self.inside_band(self.equal, 0)
        return self.seen, self.every_column, bytes(self.width), self.every_column

    def equal_after(self, swap: Swap) -> bytes:
        """`seen` after a shift, from the first word on that changes."""
        equal, width = self.equal, self.width
        first, second, rest = swap[0] * width, swap[1] * width, swap[2] * width
        swapped = equal[second:rest] + equal[first:second]
        if self.band is not None:
            swapped = self.inside_band(swapped, first)
        return swapped + self.seen[rest:]

    def inside_band(self, equal: bytes, start: int) -> bytes:
        """What the beam sees of `equal`, or of a part of it from this byte on."""
        return (int.from_bytes(equal, "little") & self.inside >> 8 * start).to_bytes(len(equal), "little")

    def apply_best(self) -> bool:
        """Apply the best shift, if there is one; returns whether another may follow."""
        if not self.best:
            return False
        gain, _, (first, second, rest) = self.best
        words = self.words
        self.words = words[:first] + words[second:rest] + words[first:second] + words[rest:]
        self.equal = b"".join([word.to_bytes(self.width, "little") for word in self.words])
        self.shifts += 1
        self.distance -= gain
        self.best = ()
        return self.may_gain()

    def may_gain(self) -> bool:
        """Whether further shifts may make for fewer edits. (A shift is one itself, so it has to save two.)"""
        return self.distance > self.bound + 1


class _TracedSearch(_Search):
    """A search that keeps the shifts that are `applied`.

    It goes on where a shift may save as many edits as it is: one. That makes no difference to their number, but Tercom
    applies such shifts, too.
    """

    def __init__(self, hypothesis: Words, reference: Words) -> None:
        super().__init__(hypothesis, reference)
        self.applied: list[Shift] = []

    def apply_best(self) -> bool:
        if self.best:
            length, start, target = self.best[1]
            self.applied.append((-start, length, -target))
        return super().apply_best()

    def may_gain(self) -> bool:
        return self.distance > self.bound


def _shift_once(searches: Sequence[_Search]) -> list[_Search]:
    """A round of the search; returns those whose edit distance has fallen, and may fall further."""
    trials = _find_trials(searches)
    _try(trials)
    return [search for search in {trial[1]: None for trial in trials} if search.apply_best()]


def _find_trials(searches: Sequence[_Search]) -> list[Task]:
    """Find the edit distances; returns the shifts to try."""
    trials: list[Task] = []
    beamed: list[_Search] = []
    for tasks in _together([(search.rows, search) for search in searches]):
        history: History = []
        width = tasks[0][1].width
        rises = last_rows([search.field() for _, search in tasks], width, history)
        for index, ((rows, search), rise) in enumerate(zip(tasks, rises)):
            search.distance = rows + rise
            if search.band is None and beam_matters(search.distance, rows, search.columns):
                search.use_beam()
                beamed.append(search)
            elif search.may_gain():
                trials += _trials(search, history[-rows:], index * width)
    if beamed:
        trials += _find_trials(beamed)
    return trials


def _try(trials: Sequence[Task]) -> None:
    """Find the edit distances after shifts, and with them the best shift of each search."""
    for tasks in _together(trials):
        rises = last_rows([(search.equal_after(swap), higher, lower, search.every_column)
                           for _, search, (higher, lower), swap, _ in tasks], tasks[0][1].width)
        for (_, search, _, swap, (start, length, target)), rise in zip(tasks, rises):
            gain = search.distance - search.rows - rise
            if gain > 0:
                # Of shifts that gain as much, it is the longest, then the first, then the one with the first target.
                search.best = max(search.best, (gain, (length, -start, -target), swap))


def _together(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    """The tasks in groups whose fields are of the same width, the longest first."""
    by_width: dict[int, list[Task]] = {}
    for task in tasks:
        by_width.setdefault(task[1].width, []).append(task)
    for width, group in by_width.items():
        yield from fields_together(group, width)


def _trials(search: _Search, history: History, offset: int) -> list[Task]:
    """The shifts to try, given the history of the search's matrix, which begins at byte `offset` of every row."""
    field = slice(offset, offset + search.width)
    rows_before: dict[int, tuple[bytes, bytes]] = {}
    trials: list[Task] = []
    for shift in _different_shifts(search, _alignment_in_band(search, history, offset)):
        start, length, target = shift
        end = start + length
        # The same as `tercom.shifted`.
        swap = (target, start, end) if target < start else (start, end, target + length if target <= end else target)
        first = swap[0]
        if first not in rows_before:
            _, higher, lower = history[first]
            rows_before[first] = higher[field], lower[field]
        trials.append((search.rows - first, search, rows_before[first], swap, shift))
    return trials


def _alignment_in_band(search: _Search, history: History, offset: int) -> Alignment:
    """Trace the best path through the matrix back.

    Of steps that cost the same, a diagonal one comes first, then a deletion; and only steps within the band count.
    """
    words, band = search.words, search.band
    row, column = search.rows, search.columns
    passed, reached = [0] * (column + 1), [0] * (row + 1)
    errors = reference_errors = 0
    while row and column:
        before = column - 1
        word = 1 << before
        in_band = band is None or band[row - 1][0] <= before < band[row - 1][1]
        if in_band and words[row - 1] & word:  # a match
            passed[column] = row
            reached[row] |= word
            column = before
            row -= 1
            continue
        delete, insert = True, True  # a substitution is both
        if band is None or in_band:
            free, _, falling = history[row - 1]
            byte, bit = offset + (before >> 3), 1 << (before & 7)
            if free[byte] & bit:
                if falling[byte] & bit:
                    insert = False
                else:
                    delete = False
        elif before < band[row - 1][0]:
            insert = False
        else:
            delete = False
        if insert:
            passed[column] = row
            reached[row] |= word
            column = before
            reference_errors |= word
        if delete:
            row -= 1
            errors |= 1 << row
    return passed, reached, errors | (1 << row) - 1, reference_errors | (1 << column) - 1


def _different_shifts(search: _Search, alignment: Alignment) -> Sequence[Shift]:
    """The different shifts to try: none where they bring those tried so far to the limit.

    (It is one function, because generators of its phases cost a twentieth of its time.)
    """
    words, rows = search.words, search.rows
    passed, reached, errors, reference_errors = alignment
    if not errors or not reference_errors:
        return ()
    has_far_words = max(rows, search.columns) > MAX_DISTANCE
    shifts: set[Shift] = set()
    tried = search.tried
    # 1. Every word that a block may start with.
    for start in range(rows):
        matches = words[start] & ~reached[start + 1]  # where blocks of the reference start that equal the one here
        if matches and has_far_words:
            matches &= _NEAR << start >> MAX_DISTANCE
        # 2. Every block from there on that the reference has somewhere else, too: word by word longer.
        length = with_error = 0
        while matches:
            with_error |= reference_errors >> length  # where blocks of the reference start that have an error in them
            length += 1
            if errors >> start & (1 << length) - 1:
                # 3. Every position in the reference that it may come to, and where that is in the hypothesis.
                to_try = matches & with_error
                while to_try:
                    match = (to_try & -to_try).bit_length() - 1
                    to_try &= to_try - 1
                    targets = set(passed[match:match + length + 1])
                    tried += len(targets)
                    for target in targets:
                        shifts.add((start, length, target))
                if tried >= MAX_TRIED:
                    search.tried = tried
                    return ()
            if length == MAX_SHIFT_LENGTH or start + length == rows:
                break
            matches &= words[start + length] >> length & ~reached[start + length + 1]
    search.tried = tried
    return [shift for shift in shifts if shift[0] != shift[2]]
