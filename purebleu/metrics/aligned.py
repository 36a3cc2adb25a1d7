"""The base of metrics that align the words (or characters) of a segment with those of a reference."""

from __future__ import annotations

from ..blocks import EDIT_SEGMENTS, slices
from .base import Metric
from .score import OwnScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, Sequence, TypeVar

    from .alignments import Alignment
    from .segments import Segment

    #: A metric's own kind of alignment.
    OwnAlignment = TypeVar("OwnAlignment", bound=Alignment, covariant=True)

    class OfAlignment(Generic[OwnAlignment]):
        """The generic part of metrics by their kind of alignment."""
else:
    OwnAlignment = object

    class OfAlignment:
        """`typing.Generic`, without the time that it takes to import `typing`."""

        def __class_getitem__(cls, alignment: object) -> type:
            return cls


class AlignedMetric(Metric[OwnScore], OfAlignment[OwnAlignment]):
    """A metric whose rows come from alignments. A derived class defines `alignments_of`."""

    #: The units that are aligned.
    UNITS: str = "words"

    def alignments_of(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> list[OwnAlignment]:
        """The alignments of preprocessed segments; a reference that is `None` is missing."""
        raise NotImplementedError

    def alignment(self, hypothesis: str, references: Sequence[str | None]) -> OwnAlignment:
        """The alignment of a segment with the best of its references: the edits that the score counts, one by one.

        Args:
            hypothesis: a segment.
            references: its references, at least one of which is not `None`.

        Returns:
            The operations, after the shifts (of TER); their number is that of the edits in the score.

        Raises:
            TypeError: for elements of a wrong type, and for references that are a string, not a list.
            PurebleuError: where there is no reference.

        Example:
            >>> from purebleu import CER, TER
            >>> found = TER().alignment("Today the cat slept", ["No cat slept", "The cat slept today"])
            >>> found.num_edits, found.shifts
            (1, [TERShift(start=0, target=4, words=['today'])])
            >>> found.operations()[:2]
            [('match', 'the', 'the'), ('match', 'cat', 'cat')]
            >>> CER().alignment("cut", ["cat", "dog"]).operations()
            [('match', 'c', 'c'), ('substitution', 'u', 'a'), ('match', 't', 't')]
        """
        from .segments import checked_segment

        return self.corpus_alignments(*checked_segment(hypothesis, references))[0]

    def corpus_alignments(self, hypotheses: Sequence[Segment], references: Sequence[Sequence[Segment | None]] | None, *,
                          transpose_references: bool = False) -> list[OwnAlignment]:
        """The alignment of each segment of a corpus, as `alignment` gives it.

        Args and errors are those of `corpus_score`.

        Returns:
            The alignments, in the order of the segments; the sum of their `num_edits` is that of the corpus.

        Example:
            >>> from purebleu import TER, WER
            >>> TER().corpus_alignments(["b a", "a"], [["a b", "a"]])
            [<TERAlignment 1 edits, 1 of them shifts>, <TERAlignment 0 edits, 0 of them shifts>]
            >>> WER().corpus_alignments(["b a", "a"], [["a b", "a"]])
            [<WERAlignment 2 errors>, <WERAlignment 0 errors>]
        """
        found: list[OwnAlignment] = []
        for block, streams in self._corpus(hypotheses, references, transpose_references)[1]:
            for indices in slices(len(block), EDIT_SEGMENTS):
                found += self.alignments_of(self.preprocess_lines(block[indices]),
                                            [*zip(*streams.part(indices).columns())])
        return found
