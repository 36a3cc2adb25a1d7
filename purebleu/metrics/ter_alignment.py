"""The edits of TER in one segment, one by one: blocks of words that are shifted, and what becomes of each word then."""

from __future__ import annotations

from ..engines.edits.tercom import KINDS_OF_STEPS, edit_distance, shifted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Sequence, Tuple

    #: A kind of operation, and the words of the shifted hypothesis and of the reference that it is about.
    Operation = Tuple[str, Optional[str], Optional[str]]

_, _SUBSTITUTED, _INSERTED, _DELETED = KINDS_OF_STEPS


class TERShift:
    """A block of words that is moved. Its positions are those in the words as the shift before it has left them.

    Attributes:
        start: the position of the block's first word, from 0.
        target: the position of the word that it is moved in front of; the number of words, where it is moved to the
            end.
        words: the words of the block.
    """

    __slots__ = ("start", "target", "words")

    def __init__(self, start: int, target: int, words: list[str]) -> None:
        self.start = start
        self.target = target
        self.words = words

    def __repr__(self) -> str:
        return f"TERShift(start={self.start}, target={self.target}, words={self.words})"


class TERAlignment:
    """How TER turns a hypothesis into the reference that takes the fewest edits: by shifts, then word by word.

    Attributes:
        hypothesis: its words, as they are compared: in lower case, unless the metric is case-sensitive.
        reference: the words of the reference.
        reference_index: which one that is of the given ones, from 0; of several with as few edits, the first.
        shifts: the shifts, in the order in which they are applied.
        shifted: the words of the hypothesis after all shifts.
        num_edits: the number of edits, as the score has it; a shift is one, however many words it moves.
        ref_length: the mean number of words of all references.
    """

    __slots__ = ("hypothesis", "num_edits", "ref_length", "reference", "reference_index", "shifted", "shifts")

    def __init__(self, hypothesis: list[str], reference: list[str], reference_index: int,
                 blocks: Sequence[tuple[int, int, int]], num_edits: int, ref_length: float) -> None:
        self.hypothesis = hypothesis
        self.reference = reference
        self.reference_index = reference_index
        self.num_edits = num_edits
        self.ref_length = ref_length
        self.shifts: list[TERShift] = []
        words = hypothesis
        for start, length, target in blocks:
            if start <= target <= start + length:  # as `shifted` takes it
                target = min(target + length, len(words))
            self.shifts.append(TERShift(start, target, words[start:start + length]))
            words = shifted(words, start, length, target)
        self.shifted = words

    def operations(self) -> list[Operation]:
        """What turns the shifted words into the reference, from left to right.

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
            kind = KINDS_OF_STEPS[step]
            one = None if kind == _DELETED else next(ours)
            found.append((kind, one, None if kind == _INSERTED else next(theirs)))
        return found

    def counts(self) -> dict[str, int]:
        """How many edits of each kind there are, and the number of words that shifts move.

        Example:
            >>> from purebleu import TER
            >>> TER().alignment("d a b x c", ["a b c d"]).counts()
            {'insertions': 1, 'deletions': 0, 'substitutions': 0, 'shifts': 1, 'shifted_words': 1}
        """
        kinds = [kind for kind, _, _ in self.operations()]
        return {"insertions": kinds.count(_INSERTED), "deletions": kinds.count(_DELETED),
                "substitutions": kinds.count(_SUBSTITUTED), "shifts": len(self.shifts),
                "shifted_words": sum([len(shift.words) for shift in self.shifts])}

    def __repr__(self) -> str:
        return f"<TERAlignment {self.num_edits} edits, {len(self.shifts)} of them shifts>"
