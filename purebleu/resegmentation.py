"""Gives an output the line breaks of its references. (Systems for speech translation often break lines elsewhere.)

The tokens of the whole output are aligned to the tokens of the references with the fewest edits. The tokens that are
aligned to a segment become the line of the segment. As in mweralign, tokens are compared with the letters A to Z in
lower case. Only white space changes in the text of the output.

**The alignment** is AS-WER (Matusov et al., 2005). The words of the whole hypothesis are aligned to the words of all
references with the fewest insertions, deletions and substitutions. If a segment has several references, each position
at which the segment may end has the cost of the cheapest reference.

If several alignments have the lowest cost, the choice is the same as in mweralign. The alignment is traced back from
the end. Of several cheapest steps, a deletion (of a word of the reference) is taken first, then an insertion (of a word
of the hypothesis), then a diagonal step (even if its two words are equal). As in mweralign, the end of a segment costs
one edit in row 0, so that fewer segments at the start are left empty.

**Columns as integers.** The matrix of costs has a column for each word of the references, and a row for each word of
the hypothesis. The costs of neighbouring rows differ by -1, 0 or 1. So two integers describe a column: one has a bit
for each row that costs more than the row above, and the other has a bit for each row that costs less. A few operations
compute the next column (Myers, 1999; Hyyrö, 2003). The costs of rows 0 and 1 can differ by more than 1, because the
ends of segments have a cost in row 0. So these two costs are numbers, and bit 0 of the integers compares rows 1 and 2.

**Memory.** The column at the start of a segment is stored only for about sqrt(N) of N segments, at equal distances. The
traceback computes all other columns again.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, groupby
from math import isqrt
from operator import sub

from .metrics.segments import checked_references, listed, listed_streams
from .runtime.errors import LengthError, check_text, counted
from .runtime.hints import Any, Callable, Hashable, Iterable, Iterator, Sequence, Tokens
from .tokenizers import make_tokenizer
from .unicode.casing import lower_case
from .unicode.scripts import UNSPACED_BLOCKS, is_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

    #: A function that splits a text into parts, such as words, each with its tokens. No part is split between lines.
    Splitter = Callable[[str], List[Tuple[str, Sequence[bytes]]]]

#: The values of `tokens` that need no tokenizer.
WORDS, UNPUNCTUATED, CHARACTERS = "words", "unpunctuated", "characters"

#: A value of `--resegment` for subtitles: the time of a word decides to which segment it belongs.
TIME = "time"

_WITHOUT_PUNCTUATION = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))

#: The languages for which the command line uses `characters` by default.
LANGUAGES_OF_CHARACTERS = ("ja", "zh")

#: The last character of Latin-1. With `characters`, a run of characters up to this character is one token.
_LAST_LATIN = "\xff"


def resegment(hypothesis: Iterable[str], references: Iterable[Any], tokens: str = WORDS,
              documents: Sequence[str] | None = None) -> list[str]:
    """Give an output the line breaks of its references.

    Args:
        hypothesis: any number of lines; if there are `documents`, one line for each document.
        references: streams of references, with `None` for a missing reference; or one stream, as a list of strings.
        tokens: the units that are aligned:
            `words`: the words between ASCII white space;
            `unpunctuated`: words in lower case, without ASCII punctuation, as is usual for subtitles;
            `characters`: for Chinese and Japanese (a run of Latin letters is one unit);
            the name of a tokenizer: its tokens. Words in scripts with spaces are not split between lines.
            With `characters` or a tokenizer, lines in scripts without spaces are joined without a space.
        documents: the name of the document of each segment. All segments of a document must be consecutive.

    Returns:
        A line for each segment. The line may be empty. All lines together are the text of the output.

    Raises:
        LengthError: references or `documents` differ in length, or the numbers of lines and documents differ.
        OptionError: the tokenizer is unknown.

    Source:
        Matusov et al.: Evaluating machine translation output with automatic sentence segmentation, IWSLT 2005. If
        several alignments have the lowest cost, the choice is the same as in mweralign 1.4.1.

    Example:
        >>> resegment(["hello", "world how are", "you"], [["Hello world.", "How are you?"]])
        ['hello world', 'how are you']
    """
    hypothesis = listed(hypothesis, "hypothesis")
    for line in hypothesis:
        check_text("a line of the hypothesis", line)
    streams: list[list[Any]] = [*checked_references(listed_streams(references), tokens_allowed=False)]
    segments = len(streams[0])
    if documents is None:
        sizes, texts = [segments], [" ".join(hypothesis) if tokens in (WORDS, UNPUNCTUATED) else _joined(hypothesis)]
    else:
        documents = listed(documents, "documents")
        if len(documents) != segments:
            raise LengthError(f"there are {segments} segments, but the list documents has "
                              f"{counted(len(documents), 'item')}")
        sizes, texts = [len(list(run)) for _, run in groupby(documents)], list(hypothesis)
        if len(texts) != len(sizes):
            raise LengthError(f"the number of lines is {len(texts)}, but each of the {len(sizes)} documents must be "
                              "one line")
    split = splitter_of(tokens)
    lines: list[str] = []
    for text, size in zip(texts, sizes):
        in_document: list[list[str]] = []
        for segment in range(len(lines), len(lines) + size):
            in_document.append([stream[segment] for stream in streams if stream[segment] is not None])
        lines += _resegmented(text, in_document, split)
    return lines


def _joined(lines: Sequence[str]) -> str:
    """Join lines into one line. Lines in scripts without spaces are joined without a space."""
    stripped = [line for line in map(str.strip, lines) if line]
    after = ["" if is_in(line[-1], UNSPACED_BLOCKS) or is_in(next_line[0], UNSPACED_BLOCKS) else " "
             for line, next_line in zip(stripped, stripped[1:])]
    return "".join([text for pair in zip(stripped, [*after, ""]) for text in pair])


def _resegmented(text: str, segments: Sequence[Sequence[str]], split: Splitter) -> list[str]:
    """Split the text of a document into a line for each of its segments."""
    parts = split(text)
    reference_tokens: list[list[list[bytes]]] = []
    for references in segments:
        reference_tokens.append([_tokens_of_parts(split(line)) for line in references])
    ends = segment_ends(_tokens_of_parts(parts), reference_tokens)
    # A part is put into the segment to which its first token is aligned.
    first_tokens = [0, *accumulate([len(tokens) for _, tokens in parts])][:-1]
    bounds = [0, *[bisect_left(first_tokens, end) for end in ends]]
    lines: list[str] = []
    for start, end in zip(bounds, bounds[1:]):
        texts = [part for part, _ in parts[start:end]]
        lines.append("".join(texts).strip())
    return lines


def _tokens_of_parts(parts: Sequence[tuple[str, Sequence[bytes]]]) -> list[bytes]:
    return [token for _, tokens in parts for token in tokens]


def splitter_of(tokens: str) -> Splitter:
    """Return the function that splits a text into parts, each with its tokens.

    Raises:
        OptionError: the tokenizer is unknown.
    """
    if tokens == WORDS:
        return _word_parts
    if tokens == UNPUNCTUATED:
        return _unpunctuated_parts
    if tokens == CHARACTERS:
        return _character_parts
    tokenizer = make_tokenizer(tokens)
    known: dict[str, list[tuple[str, Sequence[bytes]]]] = {}  # the parts of each word that has been split

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
    """Split a text into words. A word is compared without its punctuation, unless it has only punctuation.

    A line break of a subtitle stays with the word before it.
    """
    from .files.subtitles import words_of_text

    parts: list[tuple[str, Sequence[bytes]]] = []
    for word, end in words_of_text(text):
        lower = lower_case(word)
        bare = lower.translate(_WITHOUT_PUNCTUATION) or lower
        parts.append((f"{word} {end} " if end else f"{word} ", [_symbol(bare)]))
    return parts


def _words_between_spaces(text: str) -> list[str]:
    # (The method `split` of a string would also split at white space outside ASCII.)
    return [word.decode("utf-8", "surrogatepass") for word in text.encode("utf-8", "surrogatepass").split()]


def _character_parts(text: str) -> list[tuple[str, Sequence[bytes]]]:
    parts: list[tuple[str, Sequence[bytes]]] = []
    for is_latin, run in groupby(text.strip(), key=lambda character: character <= _LAST_LATIN):
        parts += [(part, [_symbol(part)]) for part in (["".join(run)] if is_latin else run)]
    return parts


def _unspaced_parts(word: str, tokens: Sequence[bytes]) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Yield the parts of a word that can be on different lines, each with its tokens.

    A word is split only next to characters of scripts without spaces, and only if its tokens together have as many
    characters as the word.
    """
    texts = [token.decode("utf-8", "surrogatepass").replace("▁", "") for token in tokens]
    symbols = [token.lower() for token in tokens]
    if sum(map(len, texts)) == len(word):
        first = begin = end = 0
        for index, text in enumerate(texts):
            if end and any(is_in(character, UNSPACED_BLOCKS) for character in word[end - 1:end + 1]):
                yield word[begin:end], symbols[first:index]
                first, begin = index, end
            end += len(text)
        yield word[begin:] + " ", symbols[first:]
    else:
        yield word + " ", symbols


def _symbol(text: str) -> bytes:
    """Return what is compared of a token: its UTF-8, with the letters A to Z in lower case."""
    return text.encode("utf-8", "surrogatepass").lower()


def _bytes(token: object) -> bytes:
    return token if isinstance(token, bytes) else str(token).encode("utf-8", "surrogatepass")


# The alignment

#: The bit mask of a word is cached if the word occurs at least this often.
_FREQUENT = 32

#: `_CHANGES[d]` is the byte for a difference of -1, 0 or 1 between the costs of two rows. `_FALLS` maps the byte "-" to
#: "1", and the byte "1" to "0".
_CHANGES = b"01-"
_FALLS = bytes.maketrans(b"1-", b"01")


class _Column:
    """A column of the matrix of costs.

    Attributes:
        rising: a bit for each row from 2 on, set if the row costs more than the row above.
        falling: a bit for each row from 2 on, set if the row costs less than the row above.
        zeroth: the cost of row 0, which is the row before the first word of the hypothesis.
        first: the cost of row 1.
    """

    __slots__ = ("falling", "first", "rising", "zeroth")

    def __init__(self, rising: int, falling: int, zeroth: int, first: int) -> None:
        self.rising = rising
        self.falling = falling
        self.zeroth = zeroth
        self.first = first

    def cost(self, row: int) -> int:
        """Return the cost of a row, which must be at least 1."""
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
    """The words of a hypothesis up to the current row of the traceback, and the positions of each word."""

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
        """Return a bit mask of the rows of this word. Bit 0 is for row 2."""
        rows = self._frequent_bits.get(word)
        if rows is None:  # (If all masks were cached, memory would grow with the square of the length of a text.)
            rows = _bits_at(self._positions.get(word, ()), self.rows)
        return rows & self._below

    def cut(self, rows: int) -> None:
        """Keep only the first `rows` words."""
        self.rows = rows
        self._below = (1 << max(0, rows - 1)) - 1

    def after(self, column: _Column, words: Tokens, steps: list[tuple[int, int]] | None = None) -> _Column:
        """Return the column that follows `column` after these words of a reference.

        For each word, two bit masks are appended to `steps`. The first mask has the rows that cost more than the same
        row in the column before. The second mask has the rows that cost more than the row above.
        """
        below, first_word = self._below, self._first
        rising, falling, zeroth, first = column.rising, column.falling, column.zeroth, column.first
        for word in words:
            equal = self._rows_of(word)
            before = first
            first = min(first + 1, zeroth + 2, zeroth + (word != first_word))
            zeroth += 1
            change = first - before  # the change of row 1, which is shifted into the bits of the next row
            lower_or_equal = equal | falling
            if change < 0:
                equal |= 1 & below  # (see Hyyrö: if the cost of row 1 falls, the diagonal step into row 2 is free)
            diagonal = (((equal & rising) + rising) ^ rising) | equal
            higher = falling | (below ^ ((diagonal | rising) & below))
            lower = rising & diagonal
            risen = higher  # `steps` needs the bits of `higher` before the shift
            higher = (higher << 1 | (change > 0)) & below
            lower = (lower << 1 | (change < 0)) & below
            rising = lower | (below ^ ((lower_or_equal | higher) & below))
            falling = higher & lower_or_equal
            if steps is not None:
                steps.append((risen << 1 | (change > 0), rising << 1 | (first > zeroth)))
        return _Column(rising, falling, zeroth, first)

    def after_segment(self, column: _Column, references: Sequence[Tokens]) -> _Column:
        """Return the column after the end of a segment. Each of its rows has the lowest cost of all references."""
        zeroth = column.zeroth + max(map(len, references)) + 1
        ends = [self.after(column, words) for words in references]
        if len(ends) == 1:
            return _Column(ends[0].rising, ends[0].falling, zeroth, ends[0].first)
        costs = list(map(min, *[end.costs(self.rows) for end in ends]))
        changes = bytes([*map(_CHANGES.__getitem__, map(sub, costs[1:], costs))])[::-1]
        return _Column(int(b"0" + changes.replace(b"-", b"0"), 2), int(b"0" + changes.translate(_FALLS), 2), zeroth,
                       costs[0])

    def segment_start(self, column: _Column, references: Sequence[Tokens]) -> int:
        """Trace a segment back from the last row to its start, and return this row.

        `column` is the column before the segment.
        """
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
    """Align the words of a hypothesis to segments, and return the end of each segment.

    Args:
        hypothesis: the words of all lines.
        segments: for each segment, the words of each of its references.

    Returns:
        For each segment, the number of words of the hypothesis up to the end of the segment.

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
    ends: list[int] = []  # in reverse order: the end of the last segment comes first
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
    """Return an integer with a bit at each of the ascending `positions`. Positions from `size` on are left out."""
    bits = bytearray(size // 8 + 1)
    for position in positions:
        if position >= size:
            break
        bits[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(bits, "little")
