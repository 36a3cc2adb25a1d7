"""The differences between the words of an output and those of a reference, for people to read.

`page_words.js` has the same functions in JavaScript; tests compare the two.

Words are separated by whitespace (`unicode.whitespace`), whatever the tokenizer of a score. A token is a word, or a
single character in Hangul and in scripts without spaces between words.
"""

from __future__ import annotations

from ...unicode.scripts import HANGUL_BLOCKS, RIGHT_TO_LEFT_BLOCKS, UNSPACED_BLOCKS, is_in
from ...unicode.whitespace import SPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Sequence, Tuple

    #: A run of tokens: its kind, and its start and its end as indices, in the reference if the tokens are deleted, else
    #: in the output.
    Run = Tuple[str, int, int]

    #: A run in stretches, each of which is or is not part of matched n-grams: `True` or `False`, start and end.
    MarkedRun = Tuple[str, List[Tuple[bool, int, int]]]

    #: A run as text: its kind, its text, and whether a space precedes it.
    Difference = Tuple[str, str, bool]

#: Kinds of runs: in both texts; in the reference only; in the output only.
SAME, DELETED, INSERTED = "same", "del", "ins"

#: Limit of the product of the two numbers of tokens; texts beyond it are not compared.
MAX_WORD_PAIRS = 250_000

#: The order of the n-grams that are marked, which is the highest that BLEU counts.
MARKED_ORDER = 4

#: Blocks whose characters are tokens.
_CHARACTER_BLOCKS = (*UNSPACED_BLOCKS, *HANGUL_BLOCKS)


class Tokens:
    """The tokens of a text.

    Attributes:
        words: the tokens.
        gaps: for each token, whether it begins a word, as the first one always does.
    """

    __slots__ = ("gaps", "words")

    def __init__(self, words: list[str], gaps: list[bool]) -> None:
        self.words = words
        self.gaps = gaps


def split_words(text: str) -> list[str]:
    r"""The words of a text.

    >>> split_words(" a\t \u3000b\n")
    ['a', 'b']
    """
    return [word for word in text.translate(SPACES).split(" ") if word]


def split_tokens(text: str) -> Tokens:
    """The tokens of a text: words, and single characters in scripts without spaces.

    Example:
        >>> split_tokens("用 Python 写程序").words
        ['用', 'Python', '写', '程', '序']
    """
    words = split_words(text)
    if text.isascii():
        return Tokens(words, [True] * len(words))
    tokens = Tokens([], [])
    for word in words:
        parts = [word] if word.isascii() else _tokens_of_word(word)
        tokens.words.extend(parts)
        tokens.gaps.extend([True] + [False] * (len(parts) - 1))
    return tokens


def _tokens_of_word(word: str) -> list[str]:
    """The tokens of a word: single characters of some scripts, with their combining marks, and the text between them.
    """
    from unicodedata import category

    starts: list[int] = []
    ends = True  # whether the next character begins a token
    for index, character in enumerate(word):
        if starts and category(character)[0] == "M":
            continue
        is_token = is_in(character, _CHARACTER_BLOCKS)
        if ends or is_token:
            starts.append(index)
            ends = is_token
    return [word[start:end] for start, end in zip(starts, [*starts[1:], len(word)])]


def text_of(tokens: Tokens, start: int, end: int) -> str:
    """The tokens from `start` to `end` as a text, without a space in front of it.

    >>> text_of(split_tokens("用 Python 写"), 1, 3)
    'Python 写'
    """
    pairs = zip(tokens.words[start:end], tokens.gaps[start:end])
    return "".join([" " * gap + word for word, gap in pairs])[start < end and tokens.gaps[start]:]


def direction(*texts: str) -> str:
    """The direction of the first text that has letters: "rtl" (right to left) or "ltr".

    The majority of the letters decides, so that a Latin name at the start of a Hebrew text does not change its
    direction.

    >>> direction("123", "Google שלום לכולם"), direction("שלום means peace"), direction("")
    ('rtl', 'ltr', 'ltr')
    """
    for text in texts:
        letters = list(filter(str.isalpha, text))
        if letters:
            right = 0 if text.isascii() else sum(is_in(letter, RIGHT_TO_LEFT_BLOCKS) for letter in letters)
            return "rtl" if 2 * right > len(letters) else "ltr"
    return "ltr"


def token_difference(output: Tokens, reference: Tokens) -> list[Run]:
    """The runs of tokens that turn a reference into an output, from a longest common subsequence of their tokens.

    There may be several such subsequences. As `page_words.js` has to find the same one, a rule chooses it: both texts
    are read from their starts. If the next two tokens are equal, they are common. Else, the token of the reference is
    deleted, unless inserting the token of the output leaves rests with a longer common subsequence. Between two common
    tokens, deletions come before insertions.

    Args:
        output: the tokens of a system's segment.
        reference: the tokens of the reference.

    Returns:
        Runs of a kind ("same", "del" or "ins"), each with the indices of its tokens in the reference ("del") or the
        output; neighbouring runs have different kinds. Beyond `MAX_WORD_PAIRS` pairs of tokens, texts are not compared,
        and the whole output is a single run "same".

    Example:
        >>> token_difference(split_tokens("the cat sat down"), split_tokens("the dog sat"))
        [('same', 0, 1), ('del', 1, 2), ('ins', 1, 2), ('same', 2, 3), ('ins', 3, 4)]
    """
    ours, theirs = output.words, reference.words
    if len(ours) * len(theirs) > MAX_WORD_PAIRS:
        return [(SAME, 0, len(ours))]
    lengths = _common_lengths(ours, theirs)
    runs: list[Run] = []
    mine = other = 0
    while mine < len(ours) or other < len(theirs):
        start, reference_start = mine, other
        while mine < len(ours) and other < len(theirs) and ours[mine] == theirs[other]:
            mine += 1
            other += 1
        runs += [(SAME, start, mine)] * (start < mine)
        start, reference_start = mine, other
        while mine < len(ours) or other < len(theirs):
            if mine < len(ours) and other < len(theirs) and ours[mine] == theirs[other]:
                break
            if other < len(theirs) and (mine == len(ours) or lengths[mine][other + 1] >= lengths[mine + 1][other]):
                other += 1
            else:
                mine += 1
        runs += [(DELETED, reference_start, other)] * (reference_start < other)
        runs += [(INSERTED, start, mine)] * (start < mine)
    return runs


def closest_reference(output: Tokens, references: Sequence[Tokens]) -> int:
    """The index of the reference that differs from an output in the fewest tokens; the first one of several.

    A reference that is too long to be compared counts as one without common tokens.

    >>> output = split_tokens("the cat sat")
    >>> closest_reference(output, [split_tokens("a dog sat down"), split_tokens("the cat sits")])
    1
    """
    if len(references) == 1:
        return 0
    distances: list[int] = []
    for reference in references:
        is_short = len(output.words) * len(reference.words) <= MAX_WORD_PAIRS
        common = _common_lengths(output.words, reference.words)[0][0] if is_short else 0
        distances.append(len(reference.words) - 2 * common)
    return distances.index(min(distances))


def difference_texts(output: str, references: Sequence[str]) -> tuple[int, list[Difference]]:
    """The index of the closest reference, and the runs of the output's difference from it, as texts.

    >>> difference_texts("我爱你", ["我想你"])
    (0, [('same', '我', True), ('del', '想', False), ('ins', '爱', False), ('same', '你', False)])
    """
    ours, reference_tokens = split_tokens(output), list(map(split_tokens, references))
    closest = closest_reference(ours, reference_tokens)
    runs: list[Difference] = []
    for kind, start, end in token_difference(ours, reference_tokens[closest]):
        tokens = reference_tokens[closest] if kind == DELETED else ours
        runs.append((kind, text_of(tokens, start, end), start < end and tokens.gaps[start]))
    return closest, [run for run in runs if run[1]]


def _common_lengths(ours: Sequence[str], theirs: Sequence[str]) -> list[list[int]]:
    """The length of the longest common subsequence of the two rests that begin at each pair of indices."""
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


def matched_ngrams(output: Sequence[str], references: Sequence[Sequence[str]], order: int = MARKED_ORDER) -> list[bool]:
    """For each word of an output, whether it is part of an n-gram that a reference has.

    Counts are not clipped: all occurrences of such an n-gram in the output match.

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


def marked_runs(difference: Sequence[Run], matched: Sequence[bool]) -> list[MarkedRun]:
    """The runs of a difference, divided into stretches of matched and of other tokens.

    Args:
        difference: the result of `token_difference`.
        matched: the result of `matched_ngrams` for the same output.

    Example:
        >>> marked_runs([("del", 0, 2), ("ins", 0, 2)], [False, True])
        [('del', [(False, 0, 2)]), ('ins', [(False, 0, 1), (True, 1, 2)])]
    """
    runs: list[MarkedRun] = []
    for kind, start, end in difference:
        stretches: list[tuple[bool, int, int]] = []
        for index in range(start, end):
            flag = kind != DELETED and matched[index]
            if stretches and stretches[-1][0] == flag:
                stretches[-1] = (flag, stretches[-1][1], index + 1)
            else:
                stretches.append((flag, index, index + 1))
        runs.append((kind, stretches))
    return runs
