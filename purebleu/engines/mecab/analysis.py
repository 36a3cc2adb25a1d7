"""The cheapest way to split a text into words of a MeCab dictionary: Viterbi's search through a lattice of words."""

from __future__ import annotations

from ...errors import PurebleuError
from .dictionary import NO_WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple

    from .dictionary import Category, Dictionary, Entries

    #: A word of the text: its start, its end, and the cheapest word before it; `None` comes before the first word. (As
    #: words are linked, those that no longer matter are freed during the search.)
    Word = Optional[Tuple[int, int, Any]]

    #: The words that end at a position, each with the cost of the text up to there, and with its id in connections.
    Ends = List[Tuple[int, int, Word]]

#: A run of more characters than this is not considered as one unknown word.
_MAX_RUN = 25

#: The largest number of characters of a word (the IPA dictionary has up to 26), and of words that cross a position (in
#: Japanese text, some 200). With a malicious dictionary, more of them would fill the memory.
_MAX_WORD = 1 << 8
_MAX_WORDS = 1 << 10

#: The id in connections that stands for the start and the end of a text.
_BOUNDARY = 0


def split(text: str, dictionary: Dictionary) -> list[str]:
    """Split a text into words, as MeCab does (Kudo et al., 2004). Whitespace between words is left out.

    Raises:
        PurebleuError: the dictionary is damaged.
    """
    # sacreBLEU-compat: MeCab takes C strings, which end at a NUL. (fixtures: mecab)
    text = text.partition("\0")[0]
    try:
        word = _last_word(text, dictionary)
    except IndexError:
        raise PurebleuError(f"{dictionary.folder}: the dictionary is damaged") from None
    words: list[str] = []
    while word is not None:
        begin, end, word = word
        words.append(text[begin:end])
    return words[::-1]


def _last_word(text: str, dictionary: Dictionary) -> Word:
    categories = [dictionary.category(character) for character in text]
    runs = _ends_of_runs(categories)
    spaces = dictionary.category(" ")[0]
    ends: list[Ends] = [[] for _ in range(len(text) + 1)]
    ends[0].append((0, _BOUNDARY, None))
    latest: Ends = []
    waiting = 0  # the number of words that cross the position
    for position, category in enumerate(categories):
        if ends[position]:
            # Of equally cheap words, MeCab takes the one that starts last in the text; of these, the one that comes
            # first in the dictionary. So candidates are looked at in reverse order.
            latest = ends[position][::-1]
            begin = runs[position] if category[0] & spaces else position
            if begin < len(text):
                candidates = _candidates(text, begin, categories, runs, dictionary)
                waiting += sum([len(entries) for _, entries in candidates])
                if waiting > _MAX_WORDS:
                    raise PurebleuError(f"{dictionary.folder}: the dictionary is damaged")
                _extend(ends, latest, begin, position < begin, candidates, dictionary)
        waiting -= len(ends[position])
        ends[position] = []
    # (Whitespace at the end belongs to no word: the text ends with the last word.)
    _, word = _cheapest(ends[-1][::-1] or latest, dictionary.connections(_BOUNDARY))
    return word


def _ends_of_runs(categories: list[Category]) -> list[int]:
    """Return, for each character, the end of the run that starts with it. In a run, neighbours share a category."""
    runs = list(range(1, len(categories) + 1))
    for position in range(len(categories) - 2, -1, -1):
        if categories[position][0] & categories[position + 1][0]:
            runs[position] = runs[position + 1]
    return runs


def _candidates(text: str, begin: int, categories: list[Category], runs: list[int],
                dictionary: Dictionary) -> list[tuple[int, Entries]]:
    """Return the words that may start at a position, in MeCab's order: the end of each, and its entries."""
    found: list[tuple[int, Entries]] = []
    lexicon = dictionary.words
    step, node = lexicon.step, lexicon.root
    count = 0
    for end in range(begin + 1, min(begin + _MAX_WORD, len(text)) + 1):
        node, word = step(node, text[end - 1])
        entries = lexicon.entries(word) if word != NO_WORD else ()
        if entries:
            found.append((end, entries))
            count += len(entries)
            if count > _MAX_WORDS:
                break  # (the caller refuses so many)
        if node < 0:
            break
    kinds, unknown, longest, groups, always = categories[begin]
    if found and not always:
        return found
    run = 0
    if groups:
        run = runs[begin]
        if run - begin <= _MAX_RUN:
            found.append((run, unknown))
    end = begin + 1
    for _ in range(longest):
        if end == run:
            break
        found.append((end, unknown))
        if end == len(text) or not kinds & categories[end][0]:
            break
        end += 1
    return found or [(end, unknown)]


def _extend(ends: list[Ends], lefts: Ends, begin: int, spaced: bool, candidates: list[tuple[int, Entries]],
            dictionary: Dictionary) -> None:
    """Connect each word that may start at a position to the cheapest word before it."""
    cheapest: dict[int, tuple[int, Word]] = {}
    for end, entries in reversed(candidates):
        for left, right, cost, cost_after_space in reversed(entries):
            if left not in cheapest:
                cheapest[left] = _cheapest(lefts, dictionary.connections(left))
            before, word = cheapest[left]
            ends[end].append((before + (cost_after_space if spaced else cost), right, (begin, end, word)))


def _cheapest(lefts: Ends, connections: memoryview) -> tuple[int, Word]:
    """Return the lowest cost of a connection to a word on the left, and that word."""
    if not lefts:
        raise PurebleuError("the dictionary has no words for this text")
    costs = [cost + connections[right] for cost, right, _ in lefts]
    minimum = min(costs)
    return minimum, lefts[costs.index(minimum)][2]
