"""Extended edit distances of many pairs at once: those of `jumps.extended_edit_distance`, to the last bit.

The result depends on rounding errors: among cells of equal cost but for these errors, the lowest is chosen. So floats
are needed, but only for the few cells (2 % of a grid) that matter: those on a cheapest path to the cheapest cell of a
row, or to the last cell. Integers find them, in three passes over a grid:

1. *Downwards*, row by row, in units of a fifth. Let a cell's gain be 5 * row - cost: a step down or diagonally keeps
   the gain of the cell before (an edit), or adds 5 (diagonally, where characters are equal), and a step to the right
   takes 1. A cell's *deficit* is the highest gain of its row minus its own. It is kept in bit planes, a bit for each
   column, and columns of hundreds of pairs side by side, in fields (see `bitfields`).
2. *Upwards*, from the cells that matter to all cells from which a cheapest step leads to one of them, as bit masks.
3. *Downwards again*, with floats, each cell from those before it that matter: `_cost_and_visited` reads like the plain
   definition. (Steps from other cells cost more, by far more than rounding errors, so that they need not be tried.)

**The first pass.** A row follows from the row before by two kinds of differences, both bounded: a cell's gain minus
that of its left neighbour is in -1..5 (`at_most[d]` has the columns where it is at most d), and its rise from one row
to the next is in 0..6 (`rises[r]` has the columns where it is at least r). A rise is carried on to the right: the
difference d of the next column lowers it by 1 + d. Where d is -1, it stays the same: along such columns, it runs
as the carries of an addition do (as in Hyyrö's form of Myers' algorithm; see `levenshtein`).
"""

from __future__ import annotations

from ...runtime.progress import tracked_within
from ..bitfields import positions_of_items
from .jumps import DELETION_COST, EDIT_COST, JUMP_COST, extended_edit_distance, rate_of_costs
from .levenshtein import batches_by_width, by_row, field_maker, field_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple, Sequence, Tuple

    #: A grid to compute: the width of its field, the number of characters of the reference, and the index of the pair.
    Grid = Tuple[int, int, int]

    class GridRow(NamedTuple):
        """Masks of a row's columns in packed fields, for the way back."""

        cheapest: int
        kept: int  # not reached by a jump alone
        from_left: int
        from_above: int
        from_diagonal: int
else:
    from collections import namedtuple

    GridRow = namedtuple("GridRow", "cheapest kept from_left from_above from_diagonal")

#: With fewer columns in all its fields, a batch takes less time by the plain definition (measured).
_MIN_COLUMNS = 250

#: A grid with more cells is computed by the plain definition, which needs no memory for it (here: some bits a cell).
_MAX_GRID_CELLS = 1 << 27

#: A grid with more cells takes long enough to report progress.
_LONG_CELLS = 10**6

#: Costs more than any step.
_NO_STEP = float("inf")

#: A jump in units of a fifth, which is the highest deficit behind a blank; and an edit.
_JUMP, _EDIT = 10, 5


def extended_edit_distances(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The extended edit distance of each pair, as `extended_edit_distance` has it.

    Args:
        pairs: a hypothesis and a reference each, both with a space at either end.

    Example:
        >>> [round(distance, 4) for distance in extended_edit_distances([(" the cat ", " a cat "), ("  ", "  ")])]
        [0.3846, 0.1304]
    """
    distances = [0.0] * len(pairs)
    grids: list[Grid] = []
    for index, (hypothesis, reference) in enumerate(pairs):
        if len(hypothesis) * len(reference) > _MAX_GRID_CELLS:
            distances[index] = extended_edit_distance(hypothesis, reference)
        else:
            grids.append((field_width(len(hypothesis) + 1), len(reference), index))
    for width, batch in batches_by_width(grids):
        in_batch = [pairs[index] for _, _, index in batch]
        if sum([len(hypothesis) for hypothesis, _ in in_batch]) >= _MIN_COLUMNS:
            batch_distances = _packed_grid_distances(in_batch, width)
        else:
            batch_distances = [extended_edit_distance(*pair) for pair in in_batch]
        for (_, _, index), distance in zip(batch, batch_distances):
            distances[index] = distance
    return distances


def _packed_grid_distances(pairs: Sequence[tuple[str, str]], width: int) -> list[float]:
    """The distances of pairs whose fields have the same width, those with the longest references first."""
    rows = _cells_that_matter(pairs, _grid_rows(pairs, width), width)
    size = width * len(pairs)
    packed = b"".join([row.to_bytes(size, "little") for row in rows])
    distances: list[float] = []
    for field, (hypothesis, reference) in enumerate(pairs):
        first = field * width
        cells = [int.from_bytes(packed[start:start + width], "little")
                 for start in range(first, first + size * len(reference), size)]
        cost, visited = _cost_and_visited(hypothesis, reference, cells)
        visits = len(reference) + len(hypothesis) + 1 - 2 * visited
        distances.append(rate_of_costs(cost, visits, len(reference)))
    return distances


# Pass 1: the cheapest steps

def _grid_rows(pairs: Sequence[tuple[str, str]], width: int) -> list[GridRow]:
    """The rows of all grids from row 1 on; shorter grids have further ones, which do not matter."""
    longest = len(pairs[0][1])
    fields = [field_maker([None, *hypothesis], width)(reference) for hypothesis, reference in pairs]
    every = int.from_bytes(b"".join([columns for *_, columns in fields]), "little")
    first = int.from_bytes((b"\1" + bytes(width - 1)) * len(pairs), "little")
    equal = by_row([columns.ljust(width * longest, b"\0") for columns, *_ in fields], width)
    blank = by_row([b"".join([columns if character == " " else bytes(width) for character in reference])
                    .ljust(width * longest, b"\0") for (_, reference), (*_, columns) in zip(pairs, fields)], width)
    most = _JUMP + _EDIT * max([max(map(len, reference.split(" "))) + 1 for _, reference in pairs])
    deficits = _first_deficits(next(equal), every, first, most.bit_length())
    next(blank)
    at_most = _gain_differences(deficits, every ^ first)
    rows = [GridRow(first << 1, every, at_most[-1], every, every)]
    steps = zip(equal, blank)
    is_long = len(pairs) == 1 and longest * width * 8 > _LONG_CELLS
    for _ in tracked_within(range(1, longest)) if is_long else range(1, longest):
        same, jumps = next(steps)
        rises, moved = _rises(same, at_most)
        from_diagonal = same | at_most[0] & ~moved
        deficits = _normalized(*_deficits_minus_rises(deficits, rises), every, first, 8 * width - 1)
        cheapest = _zero_columns(deficits, every)
        over = _above_jump(deficits) & jumps
        if over:
            deficits = [plane | over if _JUMP >> bit & 1 else plane & ~over for bit, plane in enumerate(deficits)]
        at_most = _gain_differences(deficits, every ^ first)
        rows.append(GridRow(cheapest, every ^ over, at_most[-1], every ^ rises[1], from_diagonal))
    return rows


def _first_deficits(equal: int, every: int, first: int, bits: int) -> list[int]:
    """The deficits of row 1, with the spaces that both texts begin with, as `bits` planes."""
    # The space in column 1 has the highest gain. Without a jump, the other equal columns and column 0 would cost 5
    # more; steps to the right follow from all of these.
    planes = [0] * bits
    reached = 0
    for deficit in range(_JUMP + 1):
        now = reached << 1 | reached if deficit else first << 1
        if deficit == _EDIT:
            now |= equal | first
        if deficit == _JUMP:
            now = every
        now &= every
        for bit in range(bits):
            if deficit >> bit & 1:
                planes[bit] |= now & ~reached
        reached |= now
    return planes


def _rises(equal: int, at_most: dict[int, int]) -> tuple[dict[int, int], int]:
    """The columns whose gain rises from a row to the next, by how much at least; and those right of a rise of 2."""
    falling = at_most[-1]
    rises: dict[int, int] = {}
    moved: dict[int, int] = {}
    for rise in range(6, 0, -1):
        here = equal & at_most[5 - rise]
        for left_rise, columns in moved.items():
            here |= columns & at_most[left_rise - 1 - rise]
        if rise == 1:
            here |= falling  # (a diagonal step at the cost of an edit)
        else:
            run = here << 1 & falling
            here |= run | (run + falling ^ falling) & falling
            moved[rise] = here << 1
        rises[rise] = here
    return rises, moved[2]


def _deficits_minus_rises(deficits: Sequence[int], rises: dict[int, int]) -> tuple[list[int], int]:
    """The deficits minus the rises; and the columns where that is below zero (modulo a power of two)."""
    # The rises as three bit planes, from their masks of "at least" (a thermometer code).
    even = rises[2] ^ rises[4] ^ rises[6]
    numbers = [rises[1] ^ rises[3] ^ rises[5] ^ even, even, rises[4]]
    lowered: list[int] = []
    borrow = 0
    for plane, number in zip(deficits, numbers):
        different = plane ^ number
        lowered.append(different ^ borrow)
        borrow ^= different & (borrow ^ number)
    for plane in deficits[3:]:
        lowered.append(plane ^ borrow)
        borrow &= lowered[-1]
    return lowered, borrow


def _normalized(deficits: list[int], negative: int, every: int, first: int, top: int) -> list[int]:
    """The deficits, raised in each field so that the lowest is zero; `top` is the index of a field's spare bit."""
    if not negative:
        return deficits
    low, middle, high = deficits[:3]
    # Where negative, they are -1 to -5, so that the lowest three bits are 111 to 011.
    most = high & middle
    at_least = (negative, negative & ~(most & low), negative & ~most, negative & ~(high & (middle | low)),
                negative & ~high)
    tops = first << top
    below = tops - first
    raised = [(found - (found >> top)) & every for found in [(columns + below) & tops for columns in at_least]]
    even = raised[1] ^ raised[3]
    numbers = [raised[0] ^ raised[2] ^ raised[4] ^ even, even, raised[3]]
    found: list[int] = []
    carry = 0
    for plane, number in zip(deficits, numbers):
        different = plane ^ number
        found.append(different ^ carry)
        carry = number ^ different & (carry ^ number)
    for plane in deficits[3:]:
        found.append(plane ^ carry)
        carry &= plane
    return found


def _zero_columns(planes: Sequence[int], every: int) -> int:
    """The columns that no plane has."""
    for plane in planes:
        every &= ~plane
    return every


def _above_jump(deficits: Sequence[int]) -> int:
    """The columns whose deficit is more than 10."""
    one, two, four, eight, *others = deficits
    above = eight & (four | two & one)
    for plane in others:
        above |= plane
    return above


def _gain_differences(deficits: Sequence[int], inner: int) -> dict[int, int]:
    """The columns whose gain exceeds that of the left neighbour by at most so much; `inner` are all that have one."""
    bits: list[int] = []
    borrow = 0
    for plane in deficits[:3]:
        left = plane << 1
        different = left ^ plane
        bits.append(different ^ borrow)
        borrow ^= different & (borrow ^ plane)
    low, middle, high = bits  # of -1 to 5, modulo 8
    falling = high & middle & inner
    from_4 = high & ~middle
    from_2 = from_4 | middle & ~high
    return {-1: falling, 0: inner & ~(from_2 | low) | falling, 1: inner & ~from_2,
            2: inner & ~(from_4 | middle & low) | falling, 3: inner & ~from_4, 4: inner & ~(from_4 & low)}


# Pass 2: the cells that matter

def _cells_that_matter(pairs: Sequence[tuple[str, str]], rows: Sequence[GridRow], width: int) -> list[int]:
    """Masks of the cells of each row on a cheapest path to the last cell, or to a cheapest cell of a row."""
    masks: list[int] = []
    needed = ended = active = 0
    for index in range(len(rows) - 1, -1, -1):
        row = rows[index]
        while ended < len(pairs) and len(pairs[ended][1]) > index:
            needed |= 1 << 8 * width * ended + len(pairs[ended][0])
            ended += 1
            active = (1 << 8 * width * ended) - 1
        cells = needed & row.kept | row.cheapest & active
        # Steps to the right, by doubling: after n rounds, all runs of less than 2 ** n steps have been followed.
        run, length = row.from_left, 1
        while run:
            cells |= (cells & run) >> length
            run &= run << length
            length *= 2
        masks.append(cells)
        needed = cells & row.from_above | (cells & row.from_diagonal) >> 1
    return masks[::-1]


# Pass 3: the costs of these cells

def _cost_and_visited(hypothesis: str, reference: str, rows: Sequence[int]) -> tuple[float, int]:
    """The cost of the last cell, and the number of columns that are visited.

    Args:
        hypothesis: with a space at either end.
        reference: likewise.
        rows: for each character of the reference, a mask of the columns that matter.
    """
    positions = positions_of_items([None, *hypothesis])
    costs, other = {1: 0.0}, EDIT_COST  # of the row before: of columns that matter, and of others
    visited = alone = 0
    for character, cells in zip(reference, rows):
        equal = positions.get(character, 0)
        if cells == alone << 1 and cells & equal:
            # The only column that matters is reached at no cost.
            alone = visited_now = cells
            cheapest = costs[cells >> 1]
            costs = {cells: cheapest}
        else:
            alone = 0 if cells & cells - 1 else cells
            now: dict[int, float] = {}
            cheapest, visited_now = _NO_STEP, 0
            left, cost = 0, _NO_STEP
            while cells:
                column = cells & -cells
                cells ^= column
                cost = cost + DELETION_COST if column == left << 1 else _NO_STEP
                above = costs.get(column, other) + EDIT_COST
                if above < cost:
                    cost = above
                left = column >> 1
                diagonal = costs.get(left, other)
                if not column & equal:
                    diagonal += EDIT_COST
                if diagonal < cost:
                    cost = diagonal
                now[column] = cost
                if cost < cheapest:
                    cheapest, visited_now = cost, column
                left = column
            costs = now
        visited |= visited_now
        other = _NO_STEP
        if character == " ":
            other = cheapest + JUMP_COST
            for column in costs:
                if costs[column] > other:
                    costs[column] = other
    return costs.get(1 << len(hypothesis), other), bin(visited).count("1")
