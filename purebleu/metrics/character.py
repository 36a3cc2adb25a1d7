"""CharacTER (Wang et al., 2016): moves of words and edits of characters, per character of the hypothesis."""

from __future__ import annotations

from ..engines.edits.character import character_scores
from ..runtime.hints import Sequence
from ..unicode.properties import SPACES
from .means import MeanOfSegments, MeanScore


class CharacTERScore(MeanScore):
    """A CharacTER score: the mean over segments, from 0 (no edits) to 100."""

    lower_is_better = True
    NAME = "CharacTER"


class CharacTER(MeanOfSegments[CharacTERScore]):
    """CharacTER (Wang et al., 2016). Lower is better.

    A row of sufficient statistics is (score of the segment, 1). The score, from 0 to 1, is an integer in units of
    2 ** -104. If a segment has several references, its score is the lowest score against any reference.

    Args:
        lowercase: compare in lower case.
        references: streams of references, which are preprocessed only once, even for many systems.

    Example:
        >>> CharacTER().corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
        CharacTER = 15.00
    """

    LOWER_IS_BETTER = True
    SLOW_LENGTH = 2_000
    ORACLE = "cer-1.2.0"
    SCORE = CharacTERScore

    def prepared(self, line: str) -> Sequence[str]:
        return line.translate(SPACES).split()

    def pair_score(self, hypothesis: Sequence[str], reference: Sequence[str]) -> float:
        [score] = character_scores([(hypothesis, reference)])
        return score
