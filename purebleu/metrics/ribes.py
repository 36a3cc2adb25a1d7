"""RIBES (Isozaki et al., 2010): a rank correlation between the word orders of a hypothesis and its reference."""

from __future__ import annotations

import math

from ..engines.word_order import aligned_positions, ascending_pairs
from ..runtime.hints import Sequence
from ..tokenizers.tokenizer_base import words_of
from .means import MeanOfSegments, MeanScore

#: The exponents of the precision and of the brevity penalty.
_ALPHA, _BETA = 0.25, 0.10


class RIBESScore(MeanScore):
    """A RIBES score: the mean over segments, from 0 to 100."""

    NAME = "RIBES"


class RIBES(MeanOfSegments[RIBESScore]):
    """RIBES (Isozaki et al., 2010): a rank correlation between word orders.

    A row of sufficient statistics is (score of the segment, 1). The score, from 0 to 1, is an integer in units of
    2 ** -272. If a segment has several references, its score is the highest score against any reference. References
    without words do not count. If all references of a segment are without words, its row is (0, 0), and the mean leaves
    the segment out.

    Args:
        lowercase: compare in lower case.
        references: streams of references, which are preprocessed only once, even for many systems.

    Example:
        >>> RIBES().corpus_score(["on the mat the cat sat"], [["the cat sat on the mat"]])
        RIBES = 40.00
    """

    ORACLE = "RIBES.py-1.03.1"
    SCORE = RIBESScore

    #: The number of fractional bits, which keeps each score exact. In a segment of n words, a correlation above 0 is
    #: more than n ** -2, and the precision is at least 1 / n. A penalty above 0 is at least 2 ** -1074, the smallest
    #: float. The precision has the exponent 1 / 4, and the penalty has the exponent 1 / 10. Up to 2 ** 50 words (see
    #: `exact`), a score above 0 is therefore above 2 ** -(100 + 50 / 4 + 1074 / 10), which is more than 2 ** -220. A
    #: float above 2 ** -220 has 53 bits, so it is a multiple of 2 ** -272.
    BITS = 272

    def prepared(self, line: str) -> Sequence[bytes]:
        return words_of(line)

    def pair_score(self, hypothesis: Sequence[bytes], reference: Sequence[bytes]) -> float | None:
        if not reference:
            return None
        positions = aligned_positions(hypothesis, reference)
        aligned = len(positions)
        if aligned > 1:
            correlation = ascending_pairs(positions) / (aligned * (aligned - 1) / 2)
        else:
            correlation = float(aligned == len(reference) == 1)
        if not correlation:
            return 0.0
        penalty = min(1.0, math.exp(1.0 - len(reference) / len(hypothesis)))
        # The operations have the same order as in RIBES.py, because their order determines the last bit.
        return float(correlation * (aligned / len(hypothesis)) ** _ALPHA * penalty ** _BETA)

    def advice_without_spaces(self, language: str) -> str:
        return "-m chrf"
