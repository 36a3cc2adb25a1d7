"""Segments for people to read: their texts and scores, and the words in which an output differs from a reference.

`page_words.js` has the same functions in JavaScript, and tests compare both versions.

Words are separated by whitespace (`unicode.properties`), even if scores use another tokenizer. A token is a word, but
in Hangul and in scripts without spaces between words, each character is a token.
"""

from __future__ import annotations

from ...runtime.hints import NamedTuple, Sequence
from ...unicode.properties import SPACES
from ...unicode.scripts import HANGUL_BLOCKS, UNSPACED_BLOCKS, is_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple

    #: A run of tokens: its kind, start and end. The start and the end are indices of tokens in the reference if the
    #: kind is `DELETED`, or else in the output.
    Run = Tuple[str, int, int]

    #: A run as text: its kind, the text, and whether a space precedes it.
    Difference = Tuple[str, str, bool]

#: The kinds of runs: tokens of both texts, tokens that only the reference has, tokens that only the output has.
SAME, DELETED, INSERTED = "same", "del", "ins"

#: Two texts are compared only if their numbers of tokens, multiplied, are at most this number.
MAX_WORD_PAIRS = 250_000

#: The default number of decimal places of the scores of segments.
SEGMENT_PLACES = 2

#: Unicode blocks whose characters are tokens.
_CHARACTER_BLOCKS = (*UNSPACED_BLOCKS, *HANGUL_BLOCKS)

#: Whitespace that HTML forbids or changes.
_ODD_LINE_BREAKS = "\v\f\r\x1c\x1d\x1e\x1f\x85"


class Tokens(NamedTuple):
    """The tokens of a text.

    Attributes:
        words: the tokens.
        gaps: for each token, whether it begins a word.
    """

    words: list[str]
    gaps: list[bool]


def visible(text: str) -> str:
    r"""Return the text with replacements for characters that HTML forbids or changes.

    The words stay the same: a control character becomes a space if it separates words, or else U+FFFD.

    >>> ascii(visible("a\0b\x1cc\td"))
    "'a\\ufffdb c\\td'"
    """
    return "".join([character if character.isprintable() else _as_visible(character) for character in text])


def _as_visible(character: str) -> str:
    code = ord(character)
    if character in _ODD_LINE_BREAKS:
        return " "
    is_control = (code < 32 and character not in "\t\n") or 127 <= code < 160
    return "\ufffd" if is_control or 0xD800 <= code < 0xE000 else character


def score_text(score: float, places: int = SEGMENT_PLACES) -> str:
    """Return a score with `places` decimal places; zero has no sign."""
    return f"{score + 0.0:.{places}f}"


def split_words(text: str) -> list[str]:
    r"""Return the words of a text.

    >>> split_words(" a\t \u3000b\n")
    ['a', 'b']
    """
    return [word for word in text.translate(SPACES).split(" ") if word]


def split_tokens(text: str) -> Tokens:
    """Return the tokens of a text: words, and single characters in scripts without spaces.

    Example:
        >>> split_tokens("用 Python 写程序").words
        ['用', 'Python', '写', '程', '序']
    """
    tokens = Tokens([], [])
    for word in split_words(text):
        parts = [word] if word.isascii() else _tokens_of_word(word)
        tokens.words.extend(parts)
        tokens.gaps.extend([True] + [False] * (len(parts) - 1))
    return tokens


def _tokens_of_word(word: str) -> list[str]:
    """Return the tokens of a word: characters of some scripts, with their combining marks, and the text between them.
    """
    from unicodedata import category

    starts: list[int] = []
    ends = True  # (true: the next character begins a token)
    for index, character in enumerate(word):
        if starts and category(character)[0] == "M":
            continue
        is_token = is_in(character, _CHARACTER_BLOCKS)
        if ends or is_token:
            starts.append(index)
            ends = is_token
    return [word[start:end] for start, end in zip(starts, [*starts[1:], len(word)])]


def text_of(tokens: Tokens, start: int, end: int) -> str:
    """Return the text of the tokens from `start` to before `end`, without a leading space.

    >>> text_of(split_tokens("用 Python 写"), 1, 3)
    'Python 写'
    """
    text = ""
    for index in range(start, end):
        if tokens.gaps[index] and index > start:
            text += " "
        text += tokens.words[index]
    return text


def token_difference(output: Tokens, reference: Tokens) -> list[Run]:
    """Return the runs of tokens that turn a reference into an output, from a longest common subsequence of tokens.

    There may be several longest subsequences. To choose the same one as `page_words.js`, both texts are read from
    their starts. If the next tokens of both texts are equal, they are common. If they differ, the reference's token is
    deleted, unless the insertion of the output's token leaves a longer common subsequence of the remaining texts.
    Between two common tokens, deletions come before insertions.

    Args:
        output: the tokens of a system's segment.
        reference: the tokens of the reference.

    Returns:
        Runs: the kind ("same", "del" or "ins"), and the start and the end in the reference ("del") or in the output.
        Adjacent runs have different kinds. If there are more than `MAX_WORD_PAIRS` pairs of tokens, the whole output
        is one run "same".

    Example:
        >>> token_difference(split_tokens("the cat sat down"), split_tokens("the dog sat"))
        [('same', 0, 1), ('del', 1, 2), ('ins', 1, 2), ('same', 2, 3), ('ins', 3, 4)]
    """
    words, reference_words = output.words, reference.words
    if len(words) * len(reference_words) > MAX_WORD_PAIRS:
        return [(SAME, 0, len(words))]
    lengths = _common_lengths(words, reference_words)
    common: list[tuple[int, int]] = []
    index = other = 0
    while index < len(words) and other < len(reference_words):
        if words[index] == reference_words[other]:
            common.append((index, other))
            index += 1
            other += 1
        elif lengths[index][other + 1] >= lengths[index + 1][other]:
            other += 1
        else:
            index += 1
    runs: list[Run] = []
    end = reference_end = 0
    for index, other in [*common, (len(words), len(reference_words))]:
        if reference_end < other:
            runs.append((DELETED, reference_end, other))
        if end < index:
            runs.append((INSERTED, end, index))
        if index < len(words):
            start = runs.pop()[1] if runs and runs[-1][0] == SAME else index
            runs.append((SAME, start, index + 1))
        end, reference_end = index + 1, other + 1
    return runs


def closest_reference(output: Tokens, references: Sequence[Tokens]) -> int:
    """Return the index of the reference that differs from an output in the fewest tokens (the first of them, if tied).

    If a reference is too long to be compared, the function assumes that it has no common tokens.

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
    """Return the index of the closest reference, and the output's difference from this reference as runs.

    >>> difference_texts("我爱你", ["我想你"])
    (0, [('same', '我', True), ('del', '想', False), ('ins', '爱', False), ('same', '你', False)])
    """
    output_tokens, reference_tokens = split_tokens(output), list(map(split_tokens, references))
    closest = closest_reference(output_tokens, reference_tokens)
    runs: list[Difference] = []
    for kind, start, end in token_difference(output_tokens, reference_tokens[closest]):
        tokens = reference_tokens[closest] if kind == DELETED else output_tokens
        runs.append((kind, text_of(tokens, start, end), start < end and tokens.gaps[start]))
    return closest, [run for run in runs if run[1]]


def _common_lengths(words: Sequence[str], reference_words: Sequence[str]) -> list[list[int]]:
    """Return, by i and j, the length of the longest common subsequence of `words[i:]` and `reference_words[j:]`."""
    rows = [[0] * (len(reference_words) + 1)]
    for word in reversed(words):
        row = rows[-1][:]
        for index in range(len(reference_words) - 1, -1, -1):
            if word == reference_words[index]:
                row[index] = rows[-1][index + 1] + 1
            elif row[index + 1] > row[index]:
                row[index] = row[index + 1]
        rows.append(row)
    rows.reverse()
    return rows
