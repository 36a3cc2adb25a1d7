"""RIBES (Isozaki et al., 2010): whether the words of a translation come in the order of its reference."""

from __future__ import annotations

import math

from ..engines.word_order import aligned_positions, ascending_pairs
from ..hints import Sequence
from ..tokenizers.tokenizer_base import words_of
from .means import MeanOfSegments, MeanScore

#: The weights of precision and of the brevity penalty, as exponents.
_ALPHA, _BETA = 0.25, 0.10


class RIBESScore(MeanScore):
    """A RIBES score, from 0 to 100: the mean of segments."""

    NAME = "RIBES"


class RIBES(MeanOfSegments[RIBESScore]):
    """RIBES (Isozaki et al., 2010): a rank correlation of words.

    A row of sufficient statistics is (score of the segment, 1): the former from 0 to 1, as an integer that counts
    2 ** -272. Of several references, it is the highest score. References without words don't count; if a segment has no
    other, its row is (0, 0), and it is not part of the mean.

    Args:
        lowercase: compare in lower case.
        references: streams that are prepared once, for scoring many systems against them.

    Example:
        >>> RIBES().corpus_score(["on the mat the cat sat"], [["the cat sat on the mat"]])
        RIBES = 40.00
    """

    ORACLE = "RIBES.py-1.03.1"
    SCORE = RIBESScore

    #: Of n words, the correlation is 0 or above n ** -2, and precision at least 1 / n; the penalty is 0 or at least
    #: 2 ** -1074, the smallest float. Precision counts to the power of `_ALPHA` (1 / 4), the penalty to that of `_BETA`
    #: (1 / 10). So up to 2 ** 50 words (see `exact`), the product is above 2 ** -(100 + 50 / 4 + 1074 / 10), which is
    #: more than 2 ** -220. A float has 53 bits: one above 2 ** -220 is a multiple of 2 ** -272.
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
        # Rounded as the oracle rounds: a power, a product, a power, a product.
        return float(correlation * (aligned / len(hypothesis)) ** _ALPHA * penalty ** _BETA)

    def advice_without_spaces(self, language: str) -> str:
        return "-m chrf"
