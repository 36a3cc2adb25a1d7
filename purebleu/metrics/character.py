"""CharacTER (Wang et al., 2016): the edits of characters, after moves of words, per character of the hypothesis."""

from __future__ import annotations

from ..engines.edits.character import character_scores
from ..hints import Sequence
from ..unicode.properties import SPACES
from .means import MeanOfSegments, MeanScore


class CharacTERScore(MeanScore):
    """A CharacTER score, from 0 (nothing to edit) to 100: the mean of segments."""

    lower_is_better = True
    NAME = "CharacTER"


class CharacTER(MeanOfSegments[CharacTERScore]):
    """CharacTER (Wang et al., 2016). Lower is better.

    A row of sufficient statistics is (score of the segment, 1): the former from 0 to 1, as an integer that counts
    2 ** -104. Of several references, it is the lowest score.

    Args:
        lowercase: compare in lower case.
        references: streams that are prepared once, for scoring many systems against them.

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
