"""CharacTER (Wang et al., 2016) of many pairs at once: blocks of words are moved, then characters are edited.

The search is greedy: each round makes the move that lowers the edit distance of words the most. As for TER, the rounds
work on hundreds of pairs together (see `ter_search`), and `myers` computes the matrices. The moves of CharacTER differ
from the shifts of TER in three ways: a move costs nothing in the search, a block moves exactly to its position in the
reference, and all moves are tried.
"""

from __future__ import annotations

from ...runtime.blocks import EDIT_SEGMENTS, slices
from ..bits import positions_of_items
from .myers import batches_by_width, common_ends, field_maker, field_width, items_in_common, last_rows, rows_in_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence, Tuple, TypeVar

    from .myers import History

    Item = TypeVar("Item", str, int)

    #: The words of a hypothesis and of its reference.
    PairOfWords = Tuple[Sequence[str], Sequence[str]]

    #: A swap of two neighbouring blocks of words: the start of the first block, the start of the second block, and the
    #: end of the second block.
    Exchange = Tuple[int, int, int]

    #: A matrix after a move: the width of its field, the number of rows to compute, the search, the higher columns and
    #: the lower columns (see `myers`) of the row before the rows to compute, and the move.
    Trial = Tuple[int, int, "_MoveSearch", Tuple[bytes, bytes], Exchange]

#: A matrix with more cells than this is computed alone, row by row. (Other matrices take one bit of memory for each
#: cell.)
MAX_MATRIX_CELLS = 1 << 24


def edit_distances(pairs: Sequence[tuple[Sequence[Hashable], Sequence[Hashable]]]) -> list[int]:
    """Return the edit distance of each pair of sequences: the fewest insertions, deletions and substitutions.

    Example:
        >>> edit_distances([("kitten", "sitting"), ("", "abc")])
        [3, 3]
    """
    distances: list[int] = []
    # For each matrix: the width of its field, its number of rows, the index of the pair, and both sides (ends removed).
    matrices: list[tuple[int, int, int, Sequence[Hashable], Sequence[Hashable]]] = []
    for index, (one, other) in enumerate(pairs):
        start, end = common_ends(one, other)
        one, other = one[start:len(one) - end], other[start:len(other) - end]
        distances.append(max(len(one), len(other)))
        if len(one) * len(other) > MAX_MATRIX_CELLS:
            distances[index] = long_distance(one, other)
        elif one and other:
            matrices.append((field_width(len(other)), len(one), index, one, other))
    for width, batch in batches_by_width(matrices):
        rises = last_rows([field_maker(other, width)(one) for _, _, _, one, other in batch], width)
        for (_, rows, index, _, _), rise in zip(batch, rises):
            distances[index] = rows + rise
    return distances


def long_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return the edit distance of a single pair, computed row by row (see `last_rows` for the variables)."""
    masks = positions_of_items(other)
    every = higher = (1 << len(other)) - 1
    lower = 0
    for item in one:
        same = masks.get(item, 0)
        free = ((same & higher) + higher ^ higher) | same | lower
        above = ((every ^ (free | higher)) | lower) << 1 | 1
        free, above = free & every, above & every
        higher, lower = (free & higher) << 1 | (every ^ (free | above)), above & free
        higher &= every
    return len(one) + bin(higher).count("1") - bin(lower).count("1")


def character_scores(pairs: Sequence[PairOfWords]) -> list[float]:
    """Return the score of each hypothesis against its reference, from 0 to 1: the cost of edits per character.

    Args:
        pairs: for each pair, the words of both sides. If both sides have no words, the score is 0. If only one side has
            no words, the score is 1.

    Example:
        The move of "c" costs its length, 1. After this move, no edit is needed. The hypothesis has 5 characters, with
        spaces, so its score is 1/5.

        >>> character_scores([("c a b".split(), "a b c".split())])
        [0.2]
    """
    scores: list[float] = []
    for indices in slices(len(pairs), EDIT_SEGMENTS):
        scores += _scores(pairs[indices])
    return scores


def _scores(pairs: Sequence[PairOfWords]) -> list[float]:
    """Return the scores of a block of pairs (see `character_scores`)."""
    searches = {index: _MoveSearch(hypothesis, reference) for index, (hypothesis, reference) in enumerate(pairs)
                if hypothesis and reference and hypothesis != reference}
    live = list(searches.values())
    while live:
        live = _move_once(live)
    texts = [(" ".join(search.moved), " ".join(search.reference)) for search in searches.values()]
    # A pair without a search has the score 0 if both sides are equal, and the score 1 if only one side has words.
    scores = [1.0 if hypothesis != reference else 0.0 for hypothesis, reference in pairs]
    for (index, search), (text, _), distance in zip(searches.items(), texts, edit_distances(texts)):
        scores[index] = min(1.0, (distance + _move_cost(search.hypothesis, search.moved)) / len(text))
    return scores


class _MoveSearch:
    """The search for the moves of a pair. Both sides have a word or more.

    Attributes:
        rows, columns: the numbers of words of the hypothesis and of the reference.
        moved: the hypothesis after the moves so far.
        words: the words of `moved`, each as a bit mask of its positions in the reference.
        equal: the bit masks of `words` in bytes, one after another.
        distance: the edit distance of `moved` from the reference.
        per_word: the `distance` divided by the number of words of the reference, with the rounding errors of the
            original program.
        bound: a lower bound of `distance` after any further moves.
        lowest: the lowest edit distance after a move of this round.
        moves: the moves that lead to the `lowest` distance.
    """

    def __init__(self, hypothesis: Sequence[str], reference: Sequence[str]) -> None:
        self.hypothesis, self.reference = hypothesis, reference
        positions = positions_of_items(reference)
        self.moved = list(hypothesis)
        self.rows, self.columns = len(hypothesis), len(reference)
        self.width = width = field_width(self.columns)
        self.every_column = ((1 << self.columns) - 1).to_bytes(width, "little")
        self.set_words([positions.get(word, 0) for word in hypothesis])
        self.bound = max(self.rows, self.columns) - items_in_common(self.words)
        self.distance = -1  # (the distance is unknown before the first round)
        self.per_word = 0.0
        self.lowest = 0
        self.moves: list[Exchange] = []

    def set_words(self, words: list[int]) -> None:
        self.words = words
        self.equal = rows_in_bytes(words, self.width)

    def may_gain(self) -> bool:
        """Return whether a move may lower `per_word`, even if only by a rounding error."""
        return self.per_word > 0 and (self.distance > self.bound or self.per_word > self.distance / self.columns)

    def equal_after(self, move: Exchange) -> bytes:
        """Return the part of `equal` after a move that begins with the first changed word."""
        equal, width = self.equal, self.width
        first, second, rest = move[0] * width, move[1] * width, move[2] * width
        return equal[second:rest] + equal[first:second] + equal[rest:]

    def apply_best(self) -> bool:
        """Apply the best move, if it lowers the distance; return whether another move may follow."""
        # The original program subtracts the gain of each move, so its distance accumulates rounding errors.
        gain = self.per_word - self.lowest / self.columns
        if gain <= 0:
            return False
        # If several moves have the lowest distance, take the move whose result comes last in alphabetical order of
        # words.
        _, (first, second, rest) = max([(_exchanged(self.moved, move), move) for move in self.moves])
        self.moved = _exchanged(self.moved, (first, second, rest))
        self.set_words(_exchanged(self.words, (first, second, rest)))
        self.per_word -= gain
        self.distance = self.lowest
        self.moves = []
        return self.may_gain()


def _exchanged(words: list[Item], move: Exchange) -> list[Item]:
    first, second, rest = move
    return words[:first] + words[second:rest] + words[first:second] + words[rest:]


def _move_once(searches: Sequence[_MoveSearch]) -> list[_MoveSearch]:
    """Make the best move of each search. Return the searches in which another move may follow."""
    trials: list[Trial] = []
    for width, batch in batches_by_width([(search.width, search.rows, search) for search in searches]):
        history: History = []
        rises = last_rows([(search.equal, search.every_column, bytes(width), search.every_column)
                           for _, _, search in batch], width, history)
        for index, ((_, rows, search), rise) in enumerate(zip(batch, rises)):
            if search.distance < 0:
                search.per_word = (rows + rise) / search.columns
            search.distance = rows + rise
            if search.may_gain():
                trials += _trials_of_moves(search, history[-rows:], index * width)
    for width, same_width in batches_by_width(trials):
        rises = last_rows([(search.equal_after(move), higher, lower, search.every_column)
                           for _, _, search, (higher, lower), move in same_width], width)
        for (_, _, search, _, move), rise in zip(same_width, rises):
            distance = search.rows + rise
            if not search.moves or distance < search.lowest:
                search.lowest, search.moves = distance, [move]
            elif distance == search.lowest:
                search.moves.append(move)
    searches_with_trials = dict.fromkeys([search for _, _, search, _, _ in trials])
    return [search for search in searches_with_trials if search.apply_best()]


def _trials_of_moves(search: _MoveSearch, history: History, offset: int) -> list[Trial]:
    """Return the moves to try. The search's field begins at byte `offset` of each mask in `history`."""
    rows_before: dict[int, tuple[bytes, bytes]] = {}
    trials: list[Trial] = []
    for move in _possible_moves(search.words, search.rows):
        first = move[0]
        if first not in rows_before:
            _, higher, lower = history[first]
            rows_before[first] = higher[offset:offset + search.width], lower[offset:offset + search.width]
        trials.append((search.width, search.rows - first, search, rows_before[first], move))
    return trials


def _possible_moves(words: Sequence[int], rows: int) -> set[Exchange]:
    """Return the moves of each block of words to each position where the reference has the same block."""
    moves: set[Exchange] = set()
    for start, word in enumerate(words):
        matches = word & ~(1 << start)
        while matches:
            target = (matches & -matches).bit_length() - 1
            matches &= matches - 1
            end, match = start + 1, target + 1
            while end < rows and words[end] >> match & 1:
                end += 1
                match += 1
            # The block moves to its position in the reference, or to the end of the hypothesis if this position is
            # beyond the end. The block is swapped with the words that it passes.
            moves.add((target, start, end) if target < start else (start, end, min(match, rows)))
    return moves


def _move_cost(words: Sequence[str], moved: Sequence[str]) -> float:
    """Return the cost of the moves. A block that has moved to the right costs the mean length of its words.

    Blocks are found from left to right. A block is a run of words of `words` that is further to the right in `moved`.
    """
    cost = 0.0
    start = 0
    while start < len(words):
        length = 1
        if words[start] != moved[start] and words[start] in moved[start + 1:]:
            target = moved.index(words[start], start + 1)
            while (start + length < len(words) and target + length < len(words)
                   and words[start + length] == moved[target + length]):
                length += 1
            cost += sum(map(len, words[start:start + length])) / length
        start += length
    return cost
