"""The edits of TER for all pairs of hypotheses and references, where most pairs need no search for shifts.

The edit distances of hundreds of pairs are computed together (see `levenshtein`). Where a distance is so low that no
shift can lower the edits, that is their number; the other pairs are left to `shifts`.
"""

from __future__ import annotations

from itertools import groupby

from ...blocks import slices
from ..ngrams.pairs import matches_of_pairs
from .levenshtein import batches_by_width, beam_matters, field_maker, field_width, last_rows
from .shifts import edits_of_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from .tercom import Words

#: About the number of pairs from which matrices of similar lengths are put together; and the limit of the bytes of the
#: masks of their references, if there are several references.
_PAIRS_TOGETHER = 1024
_MAX_BYTES_OF_MASKS = 1 << 22

#: A matrix with more cells than this is left to `shifts`, which saves memory.
_MAX_CELLS_TOGETHER = 1 << 24

#: Stands for the number of edits of a pair that is left to `shifts`.
_UNKNOWN = -1


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
    edits = [[_UNKNOWN] * len(references) for _ in hypotheses]
    in_common = _words_in_common(hypotheses, references)
    hypothesis_lengths, reference_lengths = list(map(len, hypotheses)), list(map(len, references))
    for row, column, distance in _distances(hypotheses, references):
        rows, columns = hypothesis_lengths[row], reference_lengths[column]
        lowest = max(rows, columns) - in_common[row][column]
        # A shift is an edit itself, so it has to save two; and with the beam, the distance may be another.
        if distance <= lowest + 1 and not beam_matters(distance, rows, columns):
            edits[row][column] = distance
    to_search = [(row, column) for row, row_edits in enumerate(edits)
                 for column, pair_edits in enumerate(row_edits) if pair_edits == _UNKNOWN]
    searched = edits_of_pairs([(hypotheses[row], references[column]) for row, column in to_search])
    for (row, column), pair_edits in zip(to_search, searched):
        edits[row][column] = pair_edits
    return edits


def _words_in_common(hypotheses: Sequence[Words], references: Sequence[Words]) -> list[list[int]]:
    """For each hypothesis and each reference, the number of words that can each be paired with an equal one."""
    in_common: list[list[int]] = [[] for _ in hypotheses]
    for _, by_hypothesis in matches_of_pairs(hypotheses, references, max_order=1):
        for row, [matches] in zip(in_common, by_hypothesis):
            row += matches
    return in_common


def _distances(hypotheses: Sequence[Words], references: Sequence[Words]) -> Iterator[tuple[int, int, int]]:
    """The edit distances of all pairs that are not too long, each after the indices of hypothesis and reference."""
    # The samples of a segment are often compared with one another, and a distance is the same in both directions.
    same = hypotheses == references
    width_of = [field_width(len(reference)) for reference in references].__getitem__
    for width, same_width in groupby(sorted(range(len(references)), key=width_of), key=width_of):
        columns = list(same_width)
        mask_bytes = 8 * width * width  # of a reference: it has up to 8 * width words, each with a mask of `width`
        together = min(_PAIRS_TOGETHER // len(hypotheses), _MAX_BYTES_OF_MASKS // mask_bytes)
        for indices in slices(len(columns), max(1, together)):
            tasks = [(width, len(hypotheses[row]), row, column) for column in columns[indices]
                     for row in range(column if same else 0, len(hypotheses))
                     if len(hypotheses[row]) * len(references[column]) <= _MAX_CELLS_TOGETHER]
            field_of = {column: field_maker(references[column], width) for column in columns[indices]}
            for _, batch in batches_by_width(tasks):
                fields = [field_of[column](hypotheses[row]) for _, _, row, column in batch]
                for (_, rows, row, column), rise in zip(batch, last_rows(fields, width)):
                    yield row, column, rows + rise
                    if same and row != column:
                        yield column, row, rows + rise
