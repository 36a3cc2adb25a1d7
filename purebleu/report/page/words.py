"""How the words of an output differ from those of a reference, for people to read.

`page_words.js` has the same in JavaScript, and the tests hold the two together.

A word is what whitespace separates (`unicode.whitespace`), whatever tokenizer a score was made with.
"""

from __future__ import annotations

from ...unicode.whitespace import SPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence, Tuple

    #: What happened to some words, as one text with a space between two of them.
    Difference = Tuple[str, str]

    #: The same, in stretches that are matched n-grams, or are not: `True` or `False`, and the text.
    MarkedRun = Tuple[str, List[Tuple[bool, str]]]

#: In both texts; in the reference only; in the output only.
SAME, DELETED, INSERTED = "same", "del", "ins"

#: Words of the output times words of the reference, at most: beyond that, they are not compared.
MAX_WORD_PAIRS = 250_000

#: The order of the n-grams that are marked, as that of the longest that BLEU counts.
MARKED_ORDER = 4


def split_words(text: str) -> list[str]:
    r"""The words of a text.

    >>> split_words(" a\t \u3000b\n")
    ['a', 'b']
    """
    return [word for word in text.translate(SPACES).split(" ") if word]


def word_difference(output: str, reference: str) -> list[Difference]:
    """How to make an output of a reference, by a longest common subsequence of their words.

    Which of several it is, is fixed, since `page_words.js` has to find the same. Both texts are read from their starts.
    Where the next two words are equal, they are common. Else, the reference's word is deleted where the rests then have
    as long a common subsequence as after the insertion of the output's word; if not, that is inserted. Between two
    common words, deletions come first.

    Args:
        output: a system's segment.
        reference: what it is compared with.

    Returns:
        Pairs of a kind ("same", "del" or "ins") and the words; no two neighbours are of the same kind. Where there
        would be more than `MAX_WORD_PAIRS` pairs of words to compare, the output's words are all the "same".

    Example:
        >>> word_difference("the cat sat down", "the dog sat")
        [('same', 'the'), ('del', 'dog'), ('ins', 'cat'), ('same', 'sat'), ('ins', 'down')]
    """
    ours, theirs = split_words(output), split_words(reference)
    if len(ours) * len(theirs) > MAX_WORD_PAIRS:
        return [(SAME, " ".join(ours))]
    lengths = _common_lengths(ours, theirs)
    found: list[tuple[str, list[str]]] = []
    pending: tuple[list[str], list[str]] = ([], [])  # deleted and inserted since the last common word
    mine = other = 0
    while mine < len(ours) or other < len(theirs):
        if mine < len(ours) and other < len(theirs) and ours[mine] == theirs[other]:
            found += [(DELETED, pending[0]), (INSERTED, pending[1]), (SAME, [ours[mine]])]
            pending = [], []
            mine += 1
            other += 1
        elif other < len(theirs) and (
                mine == len(ours) or lengths[mine][other + 1] >= lengths[mine + 1][other]):
            pending[0].append(theirs[other])
            other += 1
        else:
            pending[1].append(ours[mine])
            mine += 1
    return _joined([*found, (DELETED, pending[0]), (INSERTED, pending[1])])


def _common_lengths(ours: Sequence[str], theirs: Sequence[str]) -> list[list[int]]:
    """Of each pair of rests, from these indices on, the length of the longest common subsequence."""
    rows = [[0] * (len(theirs) + 1)]
    for word in reversed(ours):
        row = rows[-1][:]
        for index in range(len(theirs) - 1, -1, -1):
            if word == theirs[index]:
                row[index] = rows[-1][index + 1] + 1
            elif row[index + 1] > row[index]:
                row[index] = row[index + 1]
        rows.append(row)
    rows.reverse()
    return rows


def _joined(found: Sequence[tuple[str, list[str]]]) -> list[Difference]:
    """Neighbours of the same kind as one, without those that have no words."""
    runs: list[tuple[str, list[str]]] = []
    for kind, words in found:
        if words and runs and runs[-1][0] == kind:
            runs[-1][1].extend(words)
        elif words:
            runs.append((kind, [*words]))
    return [(kind, " ".join(words)) for kind, words in runs]


def matched_ngrams(output: Sequence[str], references: Sequence[Sequence[str]], order: int = MARKED_ORDER) -> list[bool]:
    """Of each word of an output, whether it is part of an n-gram that stands in a reference.

    Counts are not clipped: an n-gram of the output matches as often as it is there.

    Args:
        output: the words of a system's segment.
        references: the words of each reference.
        order: the length of n-grams.

    Example:
        >>> matched_ngrams("so the cat sat on it".split(), ["the cat sat on the mat".split()])
        [False, True, True, True, True, False]
    """
    known = {tuple(words[start:start + order])
             for words in references for start in range(len(words) - order + 1)}
    flags = [False] * len(output)
    for start in range(len(output) - order + 1):
        if tuple(output[start:start + order]) in known:
            flags[start:start + order] = [True] * order
    return flags


def marked_runs(difference: Sequence[Difference], matched: Sequence[bool]) -> list[MarkedRun]:
    """The runs of a difference, each in stretches of words that are matched and words that are not.

    Args:
        difference: what `word_difference` returned.
        matched: what `matched_ngrams` returned for the same output.

    Example:
        >>> marked_runs([("del", "a b"), ("ins", "c d")], [False, True])
        [('del', [(False, 'a b')]), ('ins', [(False, 'c'), (True, 'd')])]
    """
    runs: list[MarkedRun] = []
    position = 0
    for kind, text in difference:
        words = text.split(" ")
        flags = [False] * len(words)
        if kind != DELETED:
            flags = [*matched[position:position + len(words)]]
            position += len(words)
        stretches: list[tuple[bool, list[str]]] = []
        for word, flag in zip(words, flags):
            if stretches and stretches[-1][0] == flag:
                stretches[-1][1].append(word)
            else:
                stretches.append((flag, [word]))
        runs.append((kind, [(flag, " ".join(some)) for flag, some in stretches]))
    return runs
