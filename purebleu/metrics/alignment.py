"""Alignments of metrics of edits: the words of a segment and those of a reference, side by side.

`AlignedMetric` is the base of metrics whose rows come from them. Each has its own kind, as `ter.TERAlignment`.
"""

from __future__ import annotations

from ..blocks import EDIT_SEGMENTS, slices
from ..hints import Any, Iterable, Segment, Sequence, Streams
from .base import Metric
from .score import OfScore, OwnScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Generic, Optional, Tuple, TypeVar

    Item = TypeVar("Item")

    #: A kind of operation, and the words of the hypothesis (after all shifts) and of the reference that it is about.
    Operation = Tuple[str, Optional[str], Optional[str]]

#: The kinds of operations: what the system did to the reference.
MATCHED, SUBSTITUTED, INSERTED, DELETED = "match", "substitution", "insertion", "deletion"


class TERShift:
    """A block of words that TER moves. Positions are those after the shifts before it.

    Attributes:
        start: the position of the block's first word, from 0.
        target: the position of the word that the block is moved before; the number of words if it is moved to the end.
        words: the words of the block.
    """

    __slots__ = ("start", "target", "words")

    def __init__(self, start: int, target: int, words: list[str]) -> None:
        self.start = start
        self.target = target
        self.words = words

    @property
    def start_after(self) -> int:
        """The position of the block's first word after the shift."""
        return self.target if self.target <= self.start else self.target - len(self.words)

    def applied(self, items: Sequence[Item]) -> list[Item]:
        """The items (one for each word) after this shift.

        >>> TERShift(0, 3, ["a"]).applied("abc")
        ['b', 'c', 'a']
        """
        end = self.start + len(self.words)
        others = [*items[:self.start], *items[end:]]
        return [*others[:self.start_after], *items[self.start:end], *others[self.start_after:]]

    def __repr__(self) -> str:
        return f"TERShift(start={self.start}, target={self.target}, words={self.words})"


class Alignment:
    """The edits that turn a hypothesis into the best of its references, word by word.

    Attributes:
        hypothesis: its words (or characters), as they are compared.
        reference: those of the reference.
        reference_index: the index of that reference; of equally good ones, the first.
        shifts: the blocks of words that are moved first (by TER alone).
        shifted: the words of the hypothesis after all shifts.
        num_edits: the number of edits; a shift of several words is one.
        ref_length: the number of words that edits are divided by.
    """

    __slots__ = ("hypothesis", "num_edits", "ref_length", "reference", "reference_index", "shifted", "shifts")

    def __init__(self, hypothesis: list[str], reference: list[str], reference_index: int, num_edits: int,
                 ref_length: float) -> None:
        self.hypothesis = hypothesis
        self.shifted: list[str] = hypothesis
        self.reference = reference
        self.reference_index = reference_index
        self.num_edits = num_edits
        self.ref_length = ref_length
        self.shifts: list[TERShift] = []

    def operations(self) -> list[Operation]:
        """The steps that turn the shifted words into the reference, from left to right."""
        raise NotImplementedError

    def moved(self) -> list[tuple[int, ...]]:
        """For each of the shifted words, the indices of the shifts that moved it."""
        found: list[tuple[int, ...]] = [()] * len(self.hypothesis)
        for number, shift in enumerate(self.shifts):
            for position in range(shift.start, shift.start + len(shift.words)):
                found[position] = (*found[position], number)
            found = shift.applied(found)
        return found

    def statistics(self) -> tuple[float, ...]:
        """The segment's row of sufficient statistics."""
        raise NotImplementedError

    def counts(self) -> dict[str, int]:
        """The number of edits of each kind, and of words that shifts move."""
        kinds = [kind for kind, _, _ in self.operations()]
        return {"insertions": kinds.count(INSERTED), "deletions": kinds.count(DELETED),
                "substitutions": kinds.count(SUBSTITUTED), "shifts": len(self.shifts),
                "shifted_words": sum([len(shift.words) for shift in self.shifts])}


if TYPE_CHECKING:
    #: A metric's own kind of alignment.
    OwnAlignment = TypeVar("OwnAlignment", bound=Alignment, covariant=True)

    class OfAlignment(Generic[OwnAlignment]):
        """The generic part of metrics by their kind of alignment."""
else:
    OwnAlignment, OfAlignment = object, OfScore


class AlignedMetric(Metric[OwnScore], OfAlignment[OwnAlignment], abstract=True):
    """A metric whose rows come from alignments. A derived class defines `alignments_of`."""

    #: The units that are aligned.
    UNITS: str = "words"

    def alignments_of(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[OwnAlignment]:
        """The alignments of preprocessed segments; a reference that is `None` is missing."""
        raise NotImplementedError

    def alignment(self, hypothesis: str, references: Sequence[str | None]) -> OwnAlignment:
        """The alignment of a segment with its best reference: the edits that the score counts, one by one.

        Errors are those of `corpus_score`.

        Example:
            >>> from purebleu.metrics import CER, TER
            >>> found = TER().alignment("Today the cat slept", ["No cat slept", "The cat slept today"])
            >>> found.num_edits, found.shifts
            (1, [TERShift(start=0, target=4, words=['today'])])
            >>> found.operations()[:2]
            [('match', 'the', 'the'), ('match', 'cat', 'cat')]
            >>> CER().alignment("cut", ["cat", "dog"]).operations()
            [('match', 'c', 'c'), ('substitution', 'u', 'a'), ('match', 't', 't')]
        """
        from .segments import checked_segment

        return self.corpus_alignments(*checked_segment(hypothesis, references, tokens_allowed=False))[0]

    def corpus_alignments(self, hypotheses: Iterable[Segment], references: Streams | None, *,
                          transpose_references: bool = False) -> list[OwnAlignment]:
        """The alignment of each segment of a corpus (see `alignment`).

        Arguments and errors are those of `corpus_score`.

        Example:
            >>> from purebleu.metrics import TER, WER
            >>> TER().corpus_alignments(["b a", "a"], [["a b", "a"]])
            [<TERAlignment 1 edits, 1 of them shifts>, <TERAlignment 0 edits, 0 of them shifts>]
            >>> WER().corpus_alignments(["b a", "a"], [["a b", "a"]])
            [<WERAlignment 2 errors>, <WERAlignment 0 errors>]
        """
        found: list[OwnAlignment] = []
        lines, every = self._checked(hypotheses, references, transpose_references, "")
        for indices in slices(len(lines), EDIT_SEGMENTS):
            found += self.alignments_of(self.preprocess_lines(lines[indices]), [*zip(*every.part(indices).columns())])
        return found
