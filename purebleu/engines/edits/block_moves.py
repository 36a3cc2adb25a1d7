"""CharacTER (Wang et al., 2016), of many pairs at once: blocks of words are moved, then characters are edited.

Moves are searched greedily, by the edit distance of words. As for TER, the search goes in rounds for hundreds of pairs
together (see `shifts`), whose matrices `levenshtein` computes; here, a move costs nothing, blocks go to the very
position that the reference has them at, and the number of tried moves has no limit.
"""

from __future__ import annotations

from ...blocks import EDIT_SEGMENTS, slices
from ...runtime.progress import observer
from ..bitfields import positions_of_items
from .distances import edit_distances
from .levenshtein import batches_by_width, field_width, items_in_common, last_rows, rows_in_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence, Tuple, TypeVar

    from .levenshtein import History

    Item = TypeVar("Item", str, int)

    #: The words of a hypothesis and of its reference.
    PairOfWords = Tuple[Sequence[str], Sequence[str]]

    #: A swap of two neighbouring blocks of words: where the first, the second, and what follows them begin.
    Exchange = Tuple[int, int, int]

    #: A matrix after a move: the width of its field, the number of rows to compute, the search, the columns that are
    #: higher and lower in the row before, and the move.
    Trial = Tuple[int, int, "_MoveSearch", Tuple[bytes, bytes], Exchange]


def character_scores(pairs: Sequence[PairOfWords]) -> list[float]:
    """The score of each hypothesis against its reference: the cost of edits per character, from 0 to 1.

    Args:
        pairs: the words of both. (A reference without words is matched by a hypothesis without words alone.)

    Example:
        "c" is moved, which costs its length; then nothing is left to edit in 5 characters.

        >>> character_scores([("c a b".split(), "a b c".split())])
        [0.2]
    """
    scores: list[float] = []
    for indices in slices(len(pairs), EDIT_SEGMENTS):
        scores += _scores(pairs[indices])
    return scores


def _scores(pairs: Sequence[PairOfWords]) -> list[float]:
    searches = {index: _MoveSearch(hypothesis, reference) for index, (hypothesis, reference) in enumerate(pairs)
                if hypothesis and reference and hypothesis != reference}
    live = list(searches.values())
    while live:
        live = _move_once(live)
        if len(live) == 1:
            observer().advance_within_step(live[0].share_done())  # (of a long segment; others are together)
    texts = [(" ".join(search.moved), " ".join(search.reference)) for search in searches.values()]
    # Without a word on one side, all is wrong, unless the other side has none, either.
    scores = [float(not hypothesis or not reference) * (hypothesis != reference) for hypothesis, reference in pairs]
    for (index, search), (text, _), distance in zip(searches.items(), texts, edit_distances(texts)):
        scores[index] = min(1.0, (distance + _cost_of_moves(search.hypothesis, search.moved)) / len(text))
    return scores


class _MoveSearch:
    """The search for the moves of a pair, with at least one word on either side.

    `moved` is the hypothesis after the moves so far, and `words` the same as bit masks of the positions where the
    reference has each word; `distance` is the edit distance to the reference, `per_word` the rounded value that is used
    for it per word of the reference, `bound` its lower bound, and `first_distance` that before the first move.
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
        self.distance = self.first_distance = -1
        self.per_word = 0.0
        self.lowest = 0
        self.moves: list[Exchange] = []

    def set_words(self, words: list[int]) -> None:
        self.words = words
        self.equal = rows_in_bytes(words, self.width)

    def set_distance(self, distance: int) -> None:
        """Take in the edit distance of the words as they are."""
        if self.distance < 0:
            self.per_word = distance / self.columns
            self.first_distance = distance
        self.distance = distance

    def share_done(self) -> float:
        """The share of the search that is done, estimated from the distance that is left."""
        return 1 - (self.distance - self.bound) / max(1, self.first_distance - self.bound)

    def may_gain(self) -> bool:
        """Whether a move may lower the value used for the distance, if only by a rounding error."""
        return self.per_word > 0 and (self.distance > self.bound or self.per_word > self.distance / self.columns)

    def equal_after(self, move: Exchange) -> bytes:
        """`equal` after a move, from the first word on that changes."""
        equal, width = self.equal, self.width
        first, second, rest = move[0] * width, move[1] * width, move[2] * width
        return equal[second:rest] + equal[first:second] + equal[rest:]

    def take(self, distance: int, move: Exchange) -> None:
        """Take in the edit distance after a move."""
        if not self.moves or distance < self.lowest:
            self.lowest, self.moves = distance, [move]
        elif distance == self.lowest:
            self.moves.append(move)

    def apply_best(self) -> bool:
        """Apply the best move, if it gains something; returns whether another one may follow."""
        # The oracle subtracts each gain, so that its distance differs from the true one by rounding.
        gain = self.per_word - self.lowest / self.columns
        if gain <= 0:
            return False
        # Of moves with the same gain, the one whose words come last in alphabetical order is applied.
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
    """A round of the search; returns those that have moved, and may move further."""
    trials: list[Trial] = []
    for width, batch in batches_by_width([(search.width, search.rows, search) for search in searches]):
        history: History = []
        rises = last_rows([(search.equal, search.every_column, bytes(width), search.every_column)
                           for _, _, search in batch], width, history)
        for index, ((_, rows, search), rise) in enumerate(zip(batch, rises)):
            search.set_distance(rows + rise)
            if search.may_gain():
                trials += _trials_of(search, history[-rows:], index * width)
    _try_moves(trials)
    return [search for search in dict.fromkeys([trial[2] for trial in trials]) if search.apply_best()]


def _trials_of(search: _MoveSearch, history: History, offset: int) -> list[Trial]:
    """The moves to try, given the history of the search's matrix, which begins at byte `offset` of every row."""
    before: dict[int, tuple[bytes, bytes]] = {}
    trials: list[Trial] = []
    for move in _moves_of(search.words, search.rows):
        first = move[0]
        if first not in before:
            _, higher, lower = history[first]
            before[first] = higher[offset:offset + search.width], lower[offset:offset + search.width]
        trials.append((search.width, search.rows - first, search, before[first], move))
    return trials


def _moves_of(words: Sequence[int], rows: int) -> set[Exchange]:
    """The moves of each block of words to where the reference has it, for as long as both are the same."""
    moves: set[Exchange] = set()
    for start, word in enumerate(words):
        places = word & ~(1 << start)
        while places:
            place = (places & -places).bit_length() - 1
            places &= places - 1
            end, match = start + 1, place + 1
            while end < rows and words[end] >> match & 1:
                end += 1
                match += 1
            # The block moves to its position in the reference, or to the end; the words between give way.
            moves.add((place, start, end) if place < start else (start, end, min(match, rows)))
    return moves


def _try_moves(trials: Sequence[Trial]) -> None:
    """Find the edit distances after moves, and with them the best ones of each search."""
    for width, batch in batches_by_width(trials):
        rises = last_rows([(search.equal_after(move), higher, lower, search.every_column)
                           for _, _, search, (higher, lower), move in batch], width)
        for (_, _, search, _, move), rise in zip(batch, rises):
            search.take(search.rows + rise, move)


def _cost_of_moves(words: Sequence[str], moved: Sequence[str]) -> float:
    """The mean length of the words of each block that has moved to the right, added up.

    Such a block is searched from the left, behind its own position.
    """
    cost = 0.0
    start = 0
    while start < len(words):
        length = 1
        if words[start] != moved[start] and words[start] in moved[start + 1:]:
            place = moved.index(words[start], start + 1)
            while (start + length < len(words) and place + length < len(words)
                   and words[start + length] == moved[place + length]):
                length += 1
            cost += sum(map(len, words[start:start + length])) / length
        start += length
    return cost
