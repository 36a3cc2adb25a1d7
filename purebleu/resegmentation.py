"""Gives outputs the line breaks of their references: those of speech translation have others.

The tokens of all lines of an output are aligned to those of the references with the fewest edits
(`engines.edits.resegmentation`). What is aligned to a segment becomes its line. Tokens are compared with the letters A
to Z in lower case, as by mweralign. In the text, only white space changes.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, groupby

from .engines.edits.resegmentation import segment_ends
from .errors import LengthError, check_text
from .hints import Any, Callable, Iterable, Iterator, Sequence
from .metrics.segments import listed, listed_streams
from .tokenizers import make_tokenizer
from .unicode.casing import lower_case
from .unicode.scripts import UNSPACED_BLOCKS, is_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Tuple

    #: A function from a text to the smallest parts that lines may consist of, each with its tokens.
    Splitter = Callable[[str], List[Tuple[str, Sequence[bytes]]]]

    #: The parts of words that were split before.
    KnownParts = Dict[str, List[Tuple[str, Sequence[bytes]]]]

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
    known: KnownParts = {}

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
