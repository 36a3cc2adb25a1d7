"""The edits of TER in one segment, one by one: blocks of words that are shifted, and what becomes of each word then."""

from __future__ import annotations

from ..engines.edits.tercom import edit_distance, reference_position, shifted
from .alignments import DELETED, INSERTED, MATCHED, SUBSTITUTED, Alignment, TERShift

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .alignments import Operation

#: Tercom's names of the words of steps, by step: to delete a word of the hypothesis is to take an insertion
#: of the system's back.
_KINDS_OF_STEPS = (MATCHED, SUBSTITUTED, INSERTED, DELETED)


class TERAlignment(Alignment):
    """The edits by which TER turns a hypothesis into the reference that takes the fewest: shifts, then word by word.

    Attributes:
        hypothesis: its words, as they are compared: in lower case, unless the metric is case-sensitive.
        reference: the words of the reference.
        reference_index: which one that is of the given ones, from 0; of several with as few edits, the first.
        shifts: the shifts, in the order in which they are applied.
        shifted: the words of the hypothesis after all shifts.
        num_edits: the number of edits, as the score has it; a shift is one, however many words it moves.
        ref_length: the mean number of words of all references.
    """

    __slots__ = ("_blocks",)

    def __init__(self, hypothesis: list[str], reference: list[str], reference_index: int,
                 blocks: Sequence[tuple[int, int, int]], num_edits: int, ref_length: float) -> None:
        self.hypothesis = hypothesis
        self.reference = reference
        self.reference_index = reference_index
        self.num_edits = num_edits
        self.ref_length = ref_length
        self._blocks = blocks
        self.shifts: list[TERShift] = []
        words = hypothesis
        for start, length, target in blocks:
            if start <= target <= start + length:  # as `shifted` takes it
                target = min(target + length, len(words))
            self.shifts.append(TERShift(start, target, words[start:start + length]))
            words = shifted(words, start, length, target)
        self.shifted = words

    def operations(self) -> list[Operation]:
        """The steps that turn the shifted words into the reference, from left to right.

        Returns:
            For each position a kind, and the words of the hypothesis and of the reference there: "match",
            "substitution", "insertion" (the reference has no such word: `None`), or "deletion" (the hypothesis lacks
            it: `None`). These are Tercom's names for what a system has done to the reference.

        Example:
            >>> from purebleu import TER
            >>> TER().alignment("a c b", ["b c d"]).operations()
            [('substitution', 'a', 'b'), ('match', 'c', 'c'), ('substitution', 'b', 'd')]
        """
        found: list[Operation] = []
        ours, theirs = iter(self.shifted), iter(self.reference)
        for step in edit_distance(self.shifted, self.reference)[1]:
            kind = _KINDS_OF_STEPS[step]
            one = None if kind == DELETED else next(ours)
            found.append((kind, one, None if kind == INSERTED else next(theirs)))
        return found

    def statistics(self) -> tuple[float, ...]:
        return self.num_edits, self.ref_length

    def reference_positions(self) -> list[int]:
        """For each shift, the position of a word of the reference behind whose counterpart the block goes.

        It is -1 where the block goes to the beginning. Of several words, it is the one that Tercom tells.

        Example:
            >>> from purebleu import TER
            >>> TER().alignment("d a b x c", ["a b c d"]).reference_positions()
            [3]
        """
        found: list[int] = []
        words = self.hypothesis
        for block in self._blocks:
            found.append(reference_position(words, self.reference, block))
            words = shifted(words, *block)
        return found

    def __repr__(self) -> str:
        return f"<TERAlignment {self.num_edits} edits, {len(self.shifts)} of them shifts>"
