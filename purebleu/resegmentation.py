"""Gives outputs the line breaks of their references: those of speech translation have others.

The tokens of all lines of an output are aligned to those of the references with the fewest edits. What is aligned to a
segment becomes its line. Tokens are compared with the letters A to Z in lower case, as by mweralign. In the text, only
white space changes.

**The alignment.** AS-WER (Matusov et al., 2005): the words of a hypothesis are one stream, and the words of the
references another one. Both are aligned with the fewest insertions, deletions and substitutions. If a segment has
several references, the one with the lowest cost is taken, for each position where it may end.

Of alignments with the same cost, this finds mweralign's. It goes back from the end. A deletion (of a word of the
reference) comes first, then an insertion (of a word of the hypothesis), then a diagonal step, even between equal words.
As in mweralign, the end of a segment costs a word in row 0, too. So segments at the start are less often left empty.

**Columns as integers.** A column of the matrix belongs to a word of a reference, and a row to a word of the hypothesis.
From row to row, costs differ by -1, 0 or 1. So two integers describe a column: one has a bit for each row that is
higher than the row above, the other one for each that is lower. A few operations compute the next column (Myers, 1999;
Hyyrö, 2003). Row 0 breaks this rule, because the ends of segments cost something there. So the costs of rows 0 and 1
are kept as numbers, and bit 0 of the integers is for the difference between rows 1 and 2.

**Memory.** Only the columns at the ends of some segments are kept: of about the square root of their number, at equal
distances. On the way back, the columns between them are computed again.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, groupby
from math import isqrt
from operator import sub

from .errors import LengthError, check_text
from .hints import Any, Callable, Hashable, Iterable, Iterator, Sequence, Tokens
from .metrics.segments import listed, listed_streams
from .tokenizers import make_tokenizer
from .unicode.casing import lower_case
from .unicode.scripts import UNSPACED_BLOCKS, is_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

    #: A function from a text to the smallest parts that lines may consist of, each with its tokens.
    Splitter = Callable[[str], List[Tuple[str, Sequence[bytes]]]]

#: Kinds of tokens that need no tokenizer.
WORDS, UNPUNCTUATED, CHARACTERS = "words", "unpunctuated", "characters"

#: On the command line, in place of tokens: words of subtitles are assigned by their times.
TIME = "time"

_WITHOUT_PUNCTUATION = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))

#: The languages whose tokens are characters by default.
LANGUAGES_OF_CHARACTERS = ("ja", "zh")

#: The last Latin character (of Latin-1) whose words stay together in texts of other scripts.
_LAST_LATIN = "\xff"


def resegment(hypothesis: Iterable[str], references: Iterable[Any], tokens: str = WORDS,
              documents: Sequence[str] | None = None) -> list[str]:
    """Give an output the line breaks of its references.

    Args:
        hypothesis: the lines of the output, in any number; with `documents`, one line for each document.
        references: streams of references, with `None` for a missing one; or a list of strings, which is one stream.
        tokens: what is compared:
            `words`: between spaces (of ASCII);
            `unpunctuated`: these without ASCII punctuation, in lower case, as is usual for subtitles;
            `characters`: as is right for Chinese and Japanese (runs of Latin letters stay together);
            the name of a tokenizer: its tokens; lines do not begin within words of scripts that write spaces.
            With the last two, lines of scripts that write no spaces are joined without one.
        documents: the document of each segment; segments of a document follow each other.

    Returns:
        A line for each segment, which may be empty. Together, they are the output's text.

    Raises:
        LengthError: streams, or documents, have another number of segments.
        OptionError: the tokenizer is unknown.

    Source:
        Matusov et al.: Evaluating machine translation output with automatic sentence segmentation, IWSLT 2005; the
        choice among alignments with the same cost is that of mweralign 1.4.1.

    Example:
        >>> resegment(["hello", "world how are", "you"], [["Hello world.", "How are you?"]])
        ['hello world', 'how are you']
    """
    hypothesis = listed(hypothesis, "hypothesis")
    for line in hypothesis:
        check_text("a line of the hypothesis", line)
    references = [listed(stream, f"references[{index}]") for index, stream in enumerate(listed_streams(references))]
    segments = len(references[0])
    if any(len(stream) != segments for stream in references[1:]):
        raise LengthError("streams of references have different numbers of lines: "
                          + ", ".join([str(len(stream)) for stream in references]))
    if documents is None:
        sizes, texts = [segments], [" ".join(hypothesis) if tokens in (WORDS, UNPUNCTUATED) else _joined(hypothesis)]
    else:
        documents = listed(documents, "documents")
        if len(documents) != segments:
            raise LengthError(f"there are {segments} segments, but documents has length {len(documents)}")
        sizes, texts = [len(list(run)) for _, run in groupby(documents)], list(hypothesis)
        if len(texts) != len(sizes):
            raise LengthError(f"there are {len(texts)} lines, but {len(sizes)} documents: each document is one line")
    split = splitter_of(tokens)
    lines: list[str] = []
    for text, size in zip(texts, sizes):
        in_document = [[line for line in segment if line is not None]
                       for segment in zip(*[stream[len(lines):len(lines) + size] for stream in references])]
        lines += _resegmented(text, in_document, split)
    return lines


def _joined(lines: Sequence[str]) -> str:
    """The lines as one, with spaces between them unless their script writes none."""
    stripped = [line for line in map(str.strip, lines) if line]
    after = ["" if is_in(line[-1], UNSPACED_BLOCKS) or is_in(next_line[0], UNSPACED_BLOCKS) else " "
             for line, next_line in zip(stripped, stripped[1:])]
    return "".join([text for pair in zip(stripped, [*after, ""]) for text in pair])


def _resegmented(text: str, segments: Sequence[Sequence[str]], split: Splitter) -> list[str]:
    """Split the text of a document into a line for each of its segments."""
    parts = split(text)
    ends = segment_ends([token for _, tokens in parts for token in tokens],
                        [[[token for _, tokens in split(line) for token in tokens] for line in references]
                         for references in segments])
    # A part belongs to the segment that its first token is aligned to.
    first_tokens = [0, *accumulate([len(tokens) for _, tokens in parts])][:-1]
    bounds = [0, *[bisect_left(first_tokens, end) for end in ends]]
    return ["".join([part for part, _ in parts[start:end]]).strip() for start, end in zip(bounds, bounds[1:])]


def splitter_of(tokens: str) -> Splitter:
    """The function that splits a text into parts with their tokens.

    Raises:
        OptionError: for an unknown tokenizer.
    """
    if tokens == WORDS:
        return _word_parts
    if tokens == UNPUNCTUATED:
        return _unpunctuated_parts
    if tokens == CHARACTERS:
        return _character_parts
    tokenizer = make_tokenizer(tokens)
    known: dict[str, list[tuple[str, Sequence[bytes]]]] = {}  # the parts of words that were split before

    def parts(text: str) -> list[tuple[str, Sequence[bytes]]]:
        words = _words_between_spaces(text)
        new = [word for word in dict.fromkeys(words) if word not in known]
        for word, word_tokens in zip(new, tokenizer.tokenize_lines(new)):
            known[word] = list(_unspaced_parts(word, [_bytes(token) for token in word_tokens]))
        return [part for word in words for part in known[word]]

    return parts


def _word_parts(text: str) -> list[tuple[str, Sequence[bytes]]]:
    return [(word + " ", [_symbol(word)]) for word in _words_between_spaces(text)]


def _unpunctuated_parts(text: str) -> list[tuple[str, Sequence[bytes]]]:
    """The words, compared without punctuation unless they have nothing else. Breaks stay with the words before them."""
    from .files.subtitles import words_of_text

    parts: list[tuple[str, Sequence[bytes]]] = []
    for word, end in words_of_text(text):
        lower = lower_case(word)
        bare = lower.translate(_WITHOUT_PUNCTUATION) or lower
        parts.append((f"{word} {end} " if end else f"{word} ", [_symbol(bare)]))
    return parts


def _words_between_spaces(text: str) -> list[str]:
    # (`bytes.split` knows only the white space of ASCII.)
    return [word.decode("utf-8", "surrogatepass") for word in text.encode("utf-8", "surrogatepass").split()]


def _character_parts(text: str) -> list[tuple[str, Sequence[bytes]]]:
    parts: list[tuple[str, Sequence[bytes]]] = []
    for is_latin, run in groupby(text.strip(), key=lambda character: character <= _LAST_LATIN):
        parts += [(part, [_symbol(part)]) for part in (["".join(run)] if is_latin else run)]
    return parts


def _unspaced_parts(word: str, tokens: Sequence[bytes]) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Yield the parts of a word that can be on different lines: only words of scripts without spaces have several.

    The tokens of such a word must have as many characters as the word.
    """
    texts = [token.decode("utf-8", "surrogatepass").replace("▁", "") for token in tokens]
    symbols = [token.lower() for token in tokens]
    if sum(map(len, texts)) == len(word):
        first = begin = place = 0
        for index, text in enumerate(texts):
            if place and any(is_in(character, UNSPACED_BLOCKS) for character in word[place - 1:place + 1]):
                yield word[begin:place], symbols[first:index]
                first, begin = index, place
            place += len(text)
        yield word[begin:] + " ", symbols[first:]
    else:
        yield word + " ", symbols


def _symbol(text: str) -> bytes:
    """A token as it is compared: with the letters A to Z in lower case."""
    return text.encode("utf-8", "surrogatepass").lower()


def _bytes(token: object) -> bytes:
    return token if isinstance(token, bytes) else str(token).encode("utf-8", "surrogatepass")


# The alignment

#: The bits of a word are kept if it occurs this often or more.
_FREQUENT = 32

#: A byte for each difference of two rows (-1 is an index from the end); and a table that keeps only falls, as 1.
_CHANGES = b"01-"
_FALLS = bytes.maketrans(b"1-", b"01")


class _Column:
    """A column of the matrix of costs.

    Attributes:
        rising: a bit for each row from 2 on, which is set if the row costs more than the row above.
        falling: the same, but set if the row costs less.
        zeroth: the cost of row 0, before all words of the hypothesis.
        first: the cost of row 1.
    """

    __slots__ = ("falling", "first", "rising", "zeroth")

    def __init__(self, rising: int, falling: int, zeroth: int, first: int) -> None:
        self.rising = rising
        self.falling = falling
        self.zeroth = zeroth
        self.first = first

    def cost(self, row: int) -> int:
        """Return the cost of a row, from 1 on."""
        below = (1 << row - 1) - 1
        return self.first + bin(self.rising & below).count("1") - bin(self.falling & below).count("1")

    def upper_rows(self, rows: int) -> _Column:
        """Return the column for only the first `rows` words of the hypothesis."""
        below = (1 << max(0, rows - 1)) - 1
        return _Column(self.rising & below, self.falling & below, self.zeroth, self.first)

    def costs(self, rows: int) -> Iterator[int]:
        """Return the costs of the rows 1 to `rows`."""
        higher, lower = [f"{bits:0{rows}b}"[:0:-1].encode() for bits in (self.rising, self.falling)]
        return accumulate(map(sub, higher, lower), initial=self.first)


class _Stream:
    """The words of a hypothesis that the way back has not passed yet, and the positions of each word."""

    def __init__(self, words: Tokens) -> None:
        self.rows = len(words)
        self._first = words[0]
        self._below = (1 << self.rows - 1) - 1
        positions: dict[Hashable, list[int]] = {}
        for position, word in enumerate(words[1:]):
            positions.setdefault(word, []).append(position)
        self._positions = positions
        self._frequent_bits = {word: _bits_at(word_positions, self.rows) for word, word_positions in positions.items()
                               if len(word_positions) >= _FREQUENT}

    def _rows_of(self, word: Hashable) -> int:
        """Return a bit for each row from the second on that belongs to this word."""
        rows = self._frequent_bits.get(word)
        if rows is None:  # (If all were kept, memory would grow with the square of the length of a text.)
            rows = _bits_at(self._positions.get(word, ()), self.rows)
        return rows & self._below

    def cut(self, rows: int) -> None:
        """Leave out all words but the first `rows`."""
        self.rows = rows
        self._below = (1 << max(0, rows - 1)) - 1

    def after(self, column: _Column, words: Tokens, steps: list[tuple[int, int]] | None = None) -> _Column:
        """Return the column after some words of a reference.

        The steps into each column are appended to `steps`, as two bit masks: the rows that are higher than in the
        column before, and the rows that are higher than the row above.
        """
        below, first_word = self._below, self._first
        rising, falling, zeroth, first = column.rising, column.falling, column.zeroth, column.first
        for word in words:
            equal = self._rows_of(word)
            before = first
            first = min(first + 1, zeroth + 2, zeroth + (word != first_word))
            zeroth += 1
            change = first - before  # the change of row 1, which is shifted into the bits of the rows below
            lower_or_equal = equal | falling
            if change < 0:
                equal |= 1 & below  # (Hyyrö: if the cost falls above, the diagonal step into row 2 is free.)
            diagonal = (((equal & rising) + rising) ^ rising) | equal
            higher = falling | (below ^ ((diagonal | rising) & below))
            lower = rising & diagonal
            risen = higher  # (against the column before; `steps` needs it unshifted)
            higher = (higher << 1 | (change > 0)) & below
            lower = (lower << 1 | (change < 0)) & below
            rising = lower | (below ^ ((lower_or_equal | higher) & below))
            falling = higher & lower_or_equal
            if steps is not None:
                steps.append((risen << 1 | (change > 0), rising << 1 | (first > zeroth)))
        return _Column(rising, falling, zeroth, first)

    def after_segment(self, column: _Column, references: Sequence[Tokens]) -> _Column:
        """Return the column after the end of a segment. In each row, the reference with the lowest cost counts."""
        zeroth = column.zeroth + max(map(len, references)) + 1
        ends = [self.after(column, words) for words in references]
        if len(ends) == 1:
            return _Column(ends[0].rising, ends[0].falling, zeroth, ends[0].first)
        costs = list(map(min, *[end.costs(self.rows) for end in ends]))
        changes = bytes([*map(_CHANGES.__getitem__, map(sub, costs[1:], costs))])[::-1]
        return _Column(int(b"0" + changes.replace(b"-", b"0"), 2), int(b"0" + changes.translate(_FALLS), 2), zeroth,
                       costs[0])

    def segment_start(self, column: _Column, references: Sequence[Tokens]) -> int:
        """Return the row at which the segment begins that ends at the last row; `column` is the column before it."""
        candidates: list[tuple[int, list[tuple[int, int]]]] = []
        for words in references:
            steps: list[tuple[int, int]] = []
            candidates.append((self.after(column, words, steps).cost(self.rows), steps))
        _, best = min(candidates, key=lambda way: way[0])
        row, index = self.rows, len(best)
        while row and index:
            bit = 1 << row - 1
            deletion, insertion = best[index - 1]
            if deletion & bit:
                index -= 1
            elif insertion & bit:
                row -= 1
            else:
                index -= 1
                row -= 1
        return row


def segment_ends(hypothesis: Tokens, segments: Sequence[Sequence[Tokens]]) -> list[int]:
    """Return the end of each segment in the words of a hypothesis.

    Args:
        hypothesis: the words of all lines.
        segments: for each segment, the words of one reference or more.

    Returns:
        For each segment, the number of words of the hypothesis up to its end.

    Example:
        >>> segment_ends("a b c d e".split(), [["a x".split()], ["c d".split()]])
        [2, 5]
    """
    if not hypothesis:
        return [0] * len(segments)
    stream = _Stream(hypothesis)
    column = _Column((1 << len(hypothesis) - 1) - 1, 0, 0, 1)
    spacing = isqrt(len(segments)) + 1
    checkpoints: list[_Column] = []
    for number, references in enumerate(segments):
        if number % spacing == 0:
            checkpoints.append(column)
        column = stream.after_segment(column, references)
    ends: list[int] = []  # from the last segment on, backwards
    row = len(hypothesis)
    for group in reversed(range(len(checkpoints))):
        part = segments[group * spacing:(group + 1) * spacing]
        starts = [checkpoints[group].upper_rows(row)]
        for references in part[:-1]:
            starts.append(stream.after_segment(starts[-1], references))
        for start, references in zip(reversed(starts), reversed(part)):
            ends.append(row)
            if row:
                row = stream.segment_start(start.upper_rows(row), references)
                stream.cut(row)
    return ends[::-1]


def _bits_at(positions: Sequence[int], size: int) -> int:
    """Return an integer with a bit for each position below `size`. Positions are in ascending order."""
    bits = bytearray(size // 8 + 1)
    for position in positions:
        if position >= size:
            break
        bits[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(bits, "little")
