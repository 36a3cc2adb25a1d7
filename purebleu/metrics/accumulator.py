"""The score of a corpus that comes in batches, or is scored by several processes."""

from __future__ import annotations

from ..errors import LengthError, PurebleuError
from ..hints import Any, Segment, Sequence
from .base import Metric
from .evaluation import Part, signature_of, sum_statistics
from .making import made_metrics
from .score import OfScore, OwnScore
from .segments import listed, listed_streams

#: The last numbers of a state: segments, the sum of their numbers of references, that of their squares, and the
#: segments that came as tokens.
_COUNTS = 4


class Accumulator(OfScore[OwnScore]):
    """Adds up a corpus batch by batch; its score is that of all batches as one corpus, and it is signed.

    Args:
        metric: the metric, or its name.

    Raises:
        OptionError: rows of the metric don't add up: NIST needs all references, in its constructor.

    Example:
        >>> from purebleu import BLEU
        >>> running = Accumulator(BLEU())
        >>> running.update(["The cat sat."], [["The cat sat down."]])
        >>> elsewhere = Accumulator(BLEU())
        >>> elsewhere.update(["It rained all day long."], [["It rained all day."]])
        >>> running.merge(elsewhere.state())
        >>> print(f"{running.compute():.1f}")
        51.5
    """

    def __init__(self, metric: Metric[OwnScore] | str) -> None:
        _, [self.metric] = made_metrics([metric])
        self.metric._check_weights()
        self._columns = len(self.metric.column_names())
        self.reset()

    def reset(self) -> None:
        """Begin again, without rows."""
        self._state: list[float] = [0] * (self._columns + _COUNTS)

    def update(self, hypotheses: Sequence[Segment], references: Sequence[Any] | None) -> None:
        """Take in a batch.

        Arguments and errors are those of the metric's `corpus_score`; a list of strings is one stream of references.
        """
        streams = None if references is None else listed_streams(references)
        metric, blocks, _ = self.metric._corpus(hypotheses, streams, False, warns=True)
        state = self._state
        for lines, block in blocks:
            part = Part(metric, lines, block, keep_rows=False)
            sums = sum_statistics([state[:self._columns], *part.rows])
            counts = block.counts_by_segment()
            added = (part.segments, sum(counts), sum([count * count for count in counts]),
                     part.segments if part.given_tokens else 0)
            state = [*sums, *[one + other for one, other in zip(state[self._columns:], added)]]
        self._state = state

    def state(self) -> list[float]:
        """The sums so far: numbers that may be added up over processes, one by one (`all_reduce` of a sum), and merged.

        Sums of RIBES, CharacTER, EED and NIST are integers that a float can't hold: send lists of them whole, as
        `all_gather_object` does, and merge each.
        """
        return list(self._state)

    def merge(self, state: Sequence[float] | Accumulator[OwnScore]) -> None:
        """Add the state of another one, which has the same metric.

        Raises:
            LengthError: it has more or fewer numbers than that of this metric.
        """
        numbers = listed(state.state() if isinstance(state, Accumulator) else state, "state")
        if len(numbers) != len(self._state):
            raise LengthError(f"a state of {self.metric.registered_name} has {len(self._state)} numbers, not "
                              f"{len(numbers)}")
        self._state = sum_statistics([self._state, numbers])

    def compute(self) -> OwnScore:
        """The score of all segments so far, with its signature.

        Raises:
            PurebleuError: there are no segments.
        """
        segments, references, squares, given_as_tokens = map(int, self._state[self._columns:])
        if not segments:
            raise PurebleuError("there are no segments to score: update comes first")
        score: OwnScore = self.metric.score(self._state[:self._columns])
        # (All segments have equally many references if these two are equal.)
        counts = {references // segments} if segments * squares == references * references else {0, 1}
        if self.metric.IS_SIGNED:
            score.signature = signature_of(self.metric, counts, bool(given_as_tokens))
        return score

    def __repr__(self) -> str:
        return f"<Accumulator of {self.metric.registered_name}: {int(self._state[self._columns])} segments>"
