"""The edits of TER for all pairs of hypotheses and references, where most pairs need no search for shifts.

The edit distances of all hypotheses to one reference are computed together, in fields of the same width (see
`levenshtein`). Where a distance is so low that no shift can lower the edits, that is their number; the other pairs are
left to `shifts`.
"""

from __future__ import annotations

from itertools import repeat

from ..bitfields import positions_of_items
from ..ngrams.pairs import matches_of_pairs
from .levenshtein import beam_matters, field_width, fields_together, last_rows
from .shifts import edits_of_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .tercom import Words

#: A matrix with more cells than this is left to `shifts`, which saves memory.
_MAX_CELLS_TOGETHER = 1 << 24


def edits_of_all_pairs(hypotheses: Sequence[Words], references: Sequence[Words]) -> list[list[int]]:
    """The number of edits that turn each hypothesis into each reference, as `edits_of_pairs` has them.

    Args:
        hypotheses: one sequence of words or more.
        references: likewise.

    Returns:
        For each hypothesis, a number for each reference.

    Example:
        >>> edits_of_all_pairs(["d a b c".split(), ["a"]], ["a b c d".split(), []])
        [[1, 4], [3, 1]]
    """
    edits = [[0] * len(references) for _ in hypotheses]
    to_search: list[tuple[int, int]] = []
    by_length = sorted(range(len(hypotheses)), key=lambda index: len(hypotheses[index]), reverse=True)
    in_common = _words_in_common(hypotheses, references)
    for column, reference in enumerate(references):
        short = [row for row in by_length if len(hypotheses[row]) * len(reference) <= _MAX_CELLS_TOGETHER]
        to_search += [(row, column) for row in by_length[:len(by_length) - len(short)]]
        for row, distance in zip(short, _distances([hypotheses[row] for row in short], reference)):
            edits[row][column] = distance
            length = len(hypotheses[row])
            lowest = max(length, len(reference)) - in_common[row][column]
            # A shift is an edit itself, so it has to save two; and with the beam, the distance may be another.
            if distance > lowest + 1 or beam_matters(distance, length, len(reference)):
                to_search.append((row, column))
    found = edits_of_pairs([(hypotheses[row], references[column]) for row, column in to_search])
    for (row, column), of_pair in zip(to_search, found):
        edits[row][column] = of_pair
    return edits


def _words_in_common(hypotheses: Sequence[Words], references: Sequence[Words]) -> list[list[int]]:
    """For each hypothesis and each reference, the number of words that can each be paired with an equal one."""
    in_common: list[list[int]] = [[] for _ in hypotheses]
    for _, by_hypothesis in matches_of_pairs(hypotheses, references, max_order=1):
        for row, [matches] in zip(in_common, by_hypothesis):
            row += matches
    return in_common


def _distances(hypotheses: Sequence[Words], reference: Words) -> list[int]:
    """The edit distances to a reference, of hypotheses in order of their lengths, the longest first."""
    width = field_width(len(reference))
    masks = {word: columns.to_bytes(width, "little") for word, columns in positions_of_items(reference).items()}
    nowhere = bytes(width)
    every_column = ((1 << len(reference)) - 1).to_bytes(width, "little")
    distances: list[int] = []
    for together in fields_together([(len(words), words) for words in hypotheses], width):
        fields = [(b"".join(map(masks.get, words, repeat(nowhere))), every_column, nowhere, every_column)
                  for _, words in together]
        distances += [length + rise for (length, _), rise in zip(together, last_rows(fields, width))]
    return distances
