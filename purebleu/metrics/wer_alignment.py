"""The alignment of WER and CER in one segment, word by word, or character by character: that of jiwer."""

from __future__ import annotations

from ..engines.edits.alignment import DELETION, HIT, INSERTION, SUBSTITUTION, align
from .alignments import DELETED, INSERTED, MATCHED, SUBSTITUTED, Alignment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .alignments import Operation

_KINDS_OF_RUNS = {HIT: MATCHED, SUBSTITUTION: SUBSTITUTED, DELETION: DELETED, INSERTION: INSERTED}


class WERAlignment(Alignment):
    """The edits that turn a hypothesis into the reference with the lowest score, word by word.

    Attributes:
        hypothesis: its words, or its characters, as they are compared.
        reference: those of the reference.
        reference_index: which one that is of the given ones, from 0; of several with as low a score, the first.
        shifts: none.
        shifted: the same as `hypothesis`.
        num_edits: the number of errors.
        ref_length: the number of words (or characters) of the reference.
    """

    __slots__ = ()

    def __init__(self, hypothesis: Sequence[str], reference: Sequence[str], reference_index: int,
                 num_edits: int) -> None:
        self.hypothesis = self.shifted = list(hypothesis)
        self.reference = list(reference)
        self.reference_index = reference_index
        self.num_edits = num_edits
        self.ref_length = len(reference)
        self.shifts = []

    def operations(self) -> list[Operation]:
        """The steps that turn the hypothesis into the reference, from left to right.

        Returns:
            As `TERAlignment.operations` has them.

        Example:
            >>> from purebleu import WER
            >>> WER().alignment("b a", ["a b"]).operations()
            [('insertion', 'b', None), ('match', 'a', 'a'), ('deletion', None, 'b')]
        """
        found: list[Operation] = []
        for run, first, end, first_of_hypothesis, end_of_hypothesis in align(self.hypothesis, self.reference):
            length = max(end - first, end_of_hypothesis - first_of_hypothesis)
            ours: list[str | None] = [*self.hypothesis[first_of_hypothesis:end_of_hypothesis]]
            theirs: list[str | None] = [*self.reference[first:end]]
            found += zip([_KINDS_OF_RUNS[run]] * length, ours or [None] * length, theirs or [None] * length)
        return found

    def statistics(self) -> tuple[float, ...]:
        kinds = [kind for kind, _, _ in self.operations()]
        return tuple([kinds.count(kind) for kind in _KINDS_OF_RUNS.values()])

    def __repr__(self) -> str:
        return f"<WERAlignment {self.num_edits} errors>"
