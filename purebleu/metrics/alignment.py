"""The base classes of metrics that count edits, and of their alignments.

An alignment lists the edits that turn a hypothesis into a reference, word by word.
"""

from __future__ import annotations

from ..runtime.blocks import EDIT_SEGMENTS, slices
from ..runtime.hints import Any, Iterable, Segment, Sequence, Streams
from .base import Metric
from .score import OfScore, OwnScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Generic, Optional, Tuple, TypeVar

    Item = TypeVar("Item")

    #: A step of an alignment: its kind, the word of the hypothesis (after all shifts), and the word of the reference.
    Operation = Tuple[str, Optional[str], Optional[str]]

#: The kinds of operations. They say what the system did: if it added a word, the kind is "insertion".
MATCHED, SUBSTITUTED, INSERTED, DELETED = "match", "substitution", "insertion", "deletion"


class TERShift:
    """A block of words that TER shifts. Positions are those after all earlier shifts.

    Attributes:
        start: the position of the block's first word, from 0.
        target: the position of the word before which the block is put; the number of words if it is put at the end.
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
        """Apply the shift to a sequence with one item for each word. Return a new list.

        >>> TERShift(0, 3, ["a"]).applied("abc")
        ['b', 'c', 'a']
        """
        end = self.start + len(self.words)
        others = [*items[:self.start], *items[end:]]
        return [*others[:self.start_after], *items[self.start:end], *others[self.start_after:]]

    def __repr__(self) -> str:
        return f"TERShift(start={self.start}, target={self.target}, words={self.words})"


class Alignment:
    """The edits that turn a hypothesis into its best reference, word by word.

    Attributes:
        hypothesis: the preprocessed words (or characters) of the hypothesis.
        reference: the preprocessed words (or characters) of the best reference.
        reference_index: the index of the best reference (at a tie, the first).
        shifts: the shifts, which come before all other edits. (Only TER and SubER have shifts.)
        shifted: the words of the hypothesis after all shifts.
        num_edits: the number of edits. A shift of several words is one edit.
        ref_length: the number of words by which the metric divides the number of edits.
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
        """Return the steps that turn the shifted words into the reference, from left to right."""
        raise NotImplementedError

    def moved(self) -> list[tuple[int, ...]]:
        """Return, for each word of `shifted`, the indices of the shifts that moved it."""
        found: list[tuple[int, ...]] = [()] * len(self.hypothesis)
        for number, shift in enumerate(self.shifts):
            for position in range(shift.start, shift.start + len(shift.words)):
                found[position] = (*found[position], number)
            found = shift.applied(found)
        return found

    def statistics(self) -> tuple[float, ...]:
        """Return the segment's row of sufficient statistics."""
        raise NotImplementedError

    def counts(self) -> dict[str, int]:
        """Return the number of edits of each kind, and the number of shifted words."""
        kinds = [kind for kind, _, _ in self.operations()]
        return {"insertions": kinds.count(INSERTED), "deletions": kinds.count(DELETED),
                "substitutions": kinds.count(SUBSTITUTED), "shifts": len(self.shifts),
                "shifted_words": sum([len(shift.words) for shift in self.shifts])}


if TYPE_CHECKING:
    #: A type variable for subclasses of `Alignment`.
    OwnAlignment = TypeVar("OwnAlignment", bound=Alignment, covariant=True)

    class OfAlignment(Generic[OwnAlignment]):
        """The base class that makes metrics generic in the type of their alignments."""
else:
    OwnAlignment, OfAlignment = object, OfScore


class AlignedMetric(Metric[OwnScore], OfAlignment[OwnAlignment], abstract=True):
    """A metric that counts the edits of alignments. A subclass defines `alignments_of`."""

    #: The units that the metric aligns: `words` or `characters`.
    UNITS: str = "words"

    def alignments_of(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[OwnAlignment]:
        """Return the alignment of each preprocessed segment. A missing reference is `None`."""
        raise NotImplementedError

    def alignment(self, hypothesis: str, references: Sequence[str | None]) -> OwnAlignment:
        """Return the alignment of a segment with its best reference: a list of the edits that the score counts.

        For the errors, see `corpus_score`.

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
        """Return the alignment of each segment of a corpus (see `alignment`).

        For the arguments and the errors, see `corpus_score`.

        Example:
            >>> from purebleu.metrics import TER, WER
            >>> TER().corpus_alignments(["b a", "a"], [["a b", "a"]])
            [<TERAlignment 1 edits, 1 of them shifts>, <TERAlignment 0 edits, 0 of them shifts>]
            >>> WER().corpus_alignments(["b a", "a"], [["a b", "a"]])
            [<WERAlignment 2 errors>, <WERAlignment 0 errors>]
        """
        alignments: list[OwnAlignment] = []
        lines, all_references = self._checked_corpus(hypotheses, references, transpose_references, "")
        for indices in slices(len(lines), EDIT_SEGMENTS):
            by_segment = list(zip(*all_references.part(indices).preprocessed_streams()))
            alignments += self.alignments_of(self.preprocess_lines(lines[indices]), by_segment)
        return alignments
