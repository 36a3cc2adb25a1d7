"""EED, the extended edit distance (Stanchev et al., 2019): edits of characters, with jumps between words."""

from __future__ import annotations

from ..unicode.properties import SPACES, WHITESPACE
from .means import MeanOfSegments, MeanScore

#: The costs of a deletion, of any other edit, and of a jump; and the cost of each column of the grid that is never
#: visited, and of each repeated visit of a column.
_DELETION_COST, _EDIT_COST, _JUMP_COST, _VISIT_COST = 0.2, 1.0, 2.0, 0.3


def extended_edit_distance(hypothesis: str, reference: str) -> float:
    """Return the cost of turning a hypothesis into a reference, per character of the reference; at most 1.

    All numbers are rounded as in torchmetrics, because rounding decides between steps with equal costs.

    Args:
        hypothesis: a text with a space at each end.
        reference: a text with a space at each end.

    Example:
        >>> round(extended_edit_distance(" the cat ", " a cat "), 4)
        0.3846
    """
    # `row` has the costs of the cheapest paths to the cells of one row in the grid of CDER (Leusch et al., 2006). After
    # row 0 and column 0, the grid has a row for each character of the reference, and a column for each character of the
    # hypothesis.
    row = [0.0] + [_EDIT_COST] * len(hypothesis)
    visits = [-1] * len(row)
    for character in reference:
        diagonal = row[0]
        cheapest = cost = diagonal + _EDIT_COST
        cheapest_column = 0
        costs = [cost]
        for column, (other, above) in enumerate(zip(hypothesis, row[1:]), 1):
            cost += _DELETION_COST
            if other != character:
                diagonal += _EDIT_COST
            if diagonal < cost:
                cost = diagonal
            diagonal = above
            above += _EDIT_COST
            if above < cost:
                cost = above
            if cost < cheapest:
                cheapest, cheapest_column = cost, column
            costs.append(cost)
        visits[cheapest_column] += 1
        if character == " ":
            cheapest += _JUMP_COST
            costs = [cost if cost < cheapest else cheapest for cost in costs]
        row = costs
    coverage = _VISIT_COST * sum([count if count >= 0 else 1 for count in visits])
    return min(1.0, (row[-1] + coverage) / (len(reference) + coverage))


#: The punctuation marks that get a space before them.
_SPACED_MARKS = ".!?,"

#: A title with a space and any character after it. A full stop replaces the space and the character.
_TITLE = r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) ."

#: Abbreviations whose full stops have been separated, and their usual spelling.
_ABBREVIATIONS = (("e . g .", "e.g."), ("i . e .", "i.e."), ("U . S .", "U.S."))


class EEDScore(MeanScore):
    """An EED score: the mean over segments, from 0 (no edits) to 100."""

    lower_is_better = True
    NAME = "EED"


class EED(MeanOfSegments[EEDScore]):
    """Extended edit distance (Stanchev et al., 2019). Lower is better.

    First, rules for English separate punctuation from words. A row of sufficient statistics is (score of the segment,
    1). The score, from 0 to 1, is an integer in units of 2 ** -104. If a segment has several references, its score is
    the lowest score against any reference.

    Args:
        lowercase: compare in lower case.
        references: streams of references, which are preprocessed only once, even for many systems.

    Example:
        >>> EED().corpus_score(["this is the prediction"], [["this is the reference"]])
        EED = 38.35
    """

    LOWER_IS_BETTER = True
    SLOW_LENGTH = 10_000
    ORACLE = "torchmetrics-1.9.0"
    SCORE = EEDScore

    def prepared(self, line: str) -> str:
        """Return the line with separated punctuation, and with a space at each end.

        >>> EED().prepared("Mr. Smith,  e.g., has 3. 5.")
        ' Mr. Smith , e .g . , has 3.5 . '
        """
        import re

        line = line.rstrip(WHITESPACE)
        for mark in _SPACED_MARKS:
            line = line.replace(mark, " " + mark)
        line = line.translate(SPACES)
        words = [word for word in line.split(" ") if word]
        line = (" " if line.startswith(" ") else "") + " ".join(words)
        line = re.sub(_TITLE, r"\1.", _with_decimals(line))
        for separated, together in _ABBREVIATIONS:
            line = line.replace(separated, together)
        return f" {line} "

    def pair_score(self, hypothesis: str, reference: str) -> float:
        return extended_edit_distance(hypothesis, reference)


def _with_decimals(line: str) -> str:
    """Remove the spaces around a full stop or comma between two digits. (Each digit belongs to one mark at most.)

    >>> _with_decimals("1 . 2 , 3 . 4")
    '1.2 , 3.4'
    """
    pieces: list[str] = []
    done = end = 0
    for index in range(1, len(line) - 3):
        if (line[index] == line[index + 2] == " " and line[index + 1] in ".," and index > end
                and _is_digit(line[index - 1]) and _is_digit(line[index + 3])):
            pieces += [line[done:index], line[index + 1]]
            done, end = index + 3, index + 4
    return "".join([*pieces, line[done:]])


def _is_digit(character: str) -> bool:
    if character.isascii():
        return "0" <= character <= "9"
    from ..unicode.letters import DECIMAL_DIGITS
    from ..unicode.properties import has_property

    return has_property(DECIMAL_DIGITS, character)
