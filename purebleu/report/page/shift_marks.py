"""TER's shifts in the texts of a page: the words of an output that are moved, and their targets.

`page_words.js` reads the stored shifts in JavaScript; tests compare the two.
"""

from __future__ import annotations

from ...unicode.casing import lower_case
from .words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Sequence, Tuple, Union

    from ...metrics.ter_alignment import TERAlignment

    #: A shift in the page's data. First, the index of the word in front of which the block goes (for the end, the
    #: number of all words); then the start and the length of each run of words in the block.
    StoredShift = List[int]

    #: The shifts of an output. If TER's words differ from those that the page shows, the first element is a text of
    #: TER's words, and indices refer to these.
    StoredShifts = Sequence[Union[str, StoredShift]]

    #: The marks in front of each word, by its index: whether a block goes there (else: is taken from there), and the
    #: number of the shift.
    Marks = Dict[int, List[Tuple[bool, int]]]

    #: The words of a block, and the word in front of which it goes; `None`: it goes to the end.
    Move = Tuple[str, Optional[str]]


def stored_shifts(alignment: TERAlignment, output: str) -> StoredShifts:
    """The shifts of an output, with the indices that words have in the output before any shift.

    Args:
        alignment: an alignment with at least one shift.
        output: the text of its output.

    Example:
        >>> from purebleu import TER
        >>> stored_shifts(TER().alignment("Today the cat slept", ["The cat slept today"]), "Today the cat slept")
        [[4, 0, 1]]
    """
    words = alignment.hypothesis
    order = list(range(len(words)))
    stored: list[str | StoredShift] = []
    if words not in (split_words(output), split_words(lower_case(output))):
        stored.append(" ".join(words))
    for shift in alignment.shifts:
        end = shift.start + len(shift.words)
        target = [*order, len(order)][shift.target]
        stored.append([target, *_runs(order[shift.start:end])])
        order = shift.applied(order)
    return stored


def _runs(indices: Sequence[int]) -> list[int]:
    """The start and the length of each run of consecutive indices.

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
    """The marks of shifts in front of words; empty where TER's words are not those that the page shows.

    Of the marks in front of one word, those of blocks that go there come first.

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
    by_position: Marks = {}
    for position, is_source, number in sorted(marks):
        by_position.setdefault(position, []).append((not is_source, number))
    return by_position


def shift_moves(shifts: StoredShifts, words: Sequence[str]) -> list[Move]:
    """For each shift, the words that it moves, and the word in front of which they go.

    Args:
        shifts: the shifts of an output.
        words: the words of the output that the page shows.

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
