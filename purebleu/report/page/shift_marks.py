"""TER's shifts in the data of a page: the words of an output that are moved, and their targets."""

from __future__ import annotations

from ...unicode.casing import lower_case
from .words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence, Union

    from ...metrics.ter import TERAlignment

    #: A shift in the page's data. First, the index of the word in front of which the block goes (for the end, the
    #: number of all words); then the start and the length of each run of words in the block.
    StoredShift = List[int]

    #: The shifts of an output. If TER's words differ from those that the page shows, the first element is a text of
    #: TER's words, and indices refer to these.
    StoredShifts = Sequence[Union[str, StoredShift]]


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
