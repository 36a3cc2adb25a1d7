"""TER's shifts in the texts of a page: which words of an output are moved, and where they go.

`page_words.js` has the reading part in JavaScript, and the tests hold the two together.
"""

from __future__ import annotations

from ...unicode.casing import lower_case
from .words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Sequence, Tuple, Union

    from ...metrics.ter_alignment import TERAlignment

    #: A shift in the page's data: the index of the word that its block goes in front of (the number of all words: to
    #: the end), and where each run of the block's words begins, and its length.
    StoredShift = List[int]

    #: The shifts of an output. Where TER does not compare the words that the page shows, its own words come first, as
    #: one text, and indices are theirs.
    StoredShifts = Sequence[Union[str, StoredShift]]

    #: By the index of a word, the marks in front of it: whether a block goes there (or is there), and its number.
    Marks = Dict[int, List[Tuple[bool, int]]]

    #: The words of a block, and the one that it goes in front of; `None`: to the end.
    Move = Tuple[str, Optional[str]]


def stored_shifts(alignment: TERAlignment, output: str) -> StoredShifts:
    """The shifts of an output, by its words as they stand in it, which one shift after the other moves.

    Args:
        alignment: with at least one shift.
        output: what it is of.

    Example:
        >>> from purebleu import TER
        >>> stored_shifts(TER().alignment("Today the cat slept", ["The cat slept today"]), "Today the cat slept")
        [[4, 0, 1]]
    """
    words = alignment.hypothesis
    order = list(range(len(words)))
    found: list[str | StoredShift] = []
    if words not in (split_words(output), split_words(lower_case(output))):
        found.append(" ".join(words))
    for shift in alignment.shifts:
        end = shift.start + len(shift.words)
        target = [*order, len(order)][shift.target]
        found.append([target, *_runs(order[shift.start:end])])
        order = shift.applied(order)
    return found


def _runs(indices: Sequence[int]) -> list[int]:
    """Where each run of consecutive indices begins, and its length.

    >>> _runs([4, 5, 2])
    [4, 2, 2, 1]
    """
    runs: list[int] = []
    for index in indices:
        if runs and index == runs[-2] + runs[-1]:
            runs[-1] += 1
        else:
            runs += [index, 1]
    return runs


def shift_marks(shifts: StoredShifts) -> Marks:
    """The marks of shifts in front of words; none where TER's words are not those that the page shows.

    At the same word, blocks that go there come first.

    Example:
        >>> shift_marks([[4, 0, 1], [0, 2, 1]])
        {0: [(True, 2), (False, 1)], 2: [(False, 2)], 4: [(True, 1)]}
    """
    marks: list[tuple[int, bool, int]] = []
    for number, shift in enumerate(shifts, 1):
        if isinstance(shift, str):
            return {}
        target, *runs = shift
        marks += [(target, False, number), *[(start, True, number) for start in runs[::2]]]
    found: Marks = {}
    for position, stands, number in sorted(marks):
        found.setdefault(position, []).append((not stands, number))
    return found


def shift_moves(shifts: StoredShifts, words: Sequence[str]) -> list[Move]:
    """The words that are moved, and the word in front of which they go.

    Args:
        shifts: of an output.
        words: those that the page shows of it.

    Example:
        >>> shift_moves([[4, 0, 1], [0, 2, 2]], "Today the cat slept".split())
        [('Today', None), ('cat slept', 'Today')]
    """
    moves: list[Move] = []
    for shift in shifts:
        if isinstance(shift, str):
            words = shift.split(" ")
            continue
        target, *runs = shift
        block = [word for start, length in zip(runs[::2], runs[1::2]) for word in words[start:start + length]]
        moves.append((" ".join(block), words[target] if target < len(words) else None))
    return moves
