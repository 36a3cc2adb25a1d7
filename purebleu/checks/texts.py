"""The texts that checks compare (`Against`), and functions that count words in any script.

In scripts without spaces between words, characters are counted instead of words.
"""

from __future__ import annotations

from functools import lru_cache

from ..runtime.hints import Any, Callable, Iterator, Sequence
from ..unicode.scripts import lacks_spaces, unspaced_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern
    from typing import List, Tuple, TypeVar

    #: A part of an output: its start, its end, and its text. If start and end are equal, the output lacks this text.
    Span = Tuple[int, int, str]

    #: The index of each segment that a check found, and the value that the check measured.
    Found = List[Tuple[int, float]]

    Line = TypeVar("Line")
else:
    Span, Found = tuple, list

#: In scripts without spaces between words, this many characters count as a word.
CHARACTERS_OF_WORD = 2

#: The approximate number of lines in a sample of a long text.
_SAMPLED_LINES = 400

#: Invisible characters that are not whitespace: joiners, direction marks, soft hyphens, byte-order marks.
_INVISIBLE = "\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


class Against:
    """The parallel texts of a check: source, references and outputs.

    Attributes:
        source: a text for each segment; `None` if there is no source.
        references: streams of references, perhaps none. A stream has a text for each segment, or `None` if the segment
            has no reference in this stream.
        systems: the outputs of all systems, each with a text for each segment.
    """

    def __init__(self, source: Sequence[str] | None = None,
                 references: Sequence[Sequence[str | None]] = (), systems: Sequence[Sequence[str]] = ()) -> None:
        self.source = source
        self.references = references
        self.systems = systems
        self._values: dict[object, Any] = {}

    def references_of(self, index: int) -> list[str]:
        """Return the references of a segment."""
        texts = [stream[index] for stream in self.references]
        return [text for text in texts if text is not None]

    def texts_of(self, index: int) -> list[str]:
        """Return the source of a segment, if there is one, and its references."""
        references = self.references_of(index)
        return references if self.source is None else [self.source[index], *references]

    def all_references(self) -> Iterator[str]:
        """Yield the references of all segments, stream by stream."""
        for stream in self.references:
            yield from [text for text in stream if text is not None]

    def cached(self, function: Callable[[Against], Any]) -> Any:
        """Return the result of `function` for this object. The result is computed only once."""
        if function not in self._values:
            self._values[function] = function(self)
        return self._values[function]


@lru_cache(maxsize=None)
def compiled(pattern: str) -> Pattern[str]:
    """Compile a regular expression when it is first used, and cache it."""
    import re

    return re.compile(pattern)


def sampled(lines: Sequence[Line]) -> Sequence[Line]:
    """Return a sample of at least 400 lines, spread over the whole text. If the text is short, return all lines.

    >>> len(sampled(range(500))), len(sampled(range(1000)))
    (500, 500)
    """
    return lines[::max(1, len(lines) // _SAMPLED_LINES)]


def words_or_characters(line: str) -> tuple[list[str], bool]:
    """Return the words of a line and `False`; for a script without spaces, the visible characters and `True`.

    >>> words_or_characters("He is here."), words_or_characters("他昨天去了学校没有回来")[1]
    ((['He', 'is', 'here.'], False), True)
    """
    if lacks_spaces(line):
        return list(visible_characters(line)), True
    return line.split(), False


def visible_characters(line: str) -> str:
    """Return the visible characters of a line.

    >>> visible_characters(" a\\xa0\\u200bb ")
    'ab'
    """
    text = "".join(line.split())
    if not text.isascii():
        for character in _INVISIBLE:
            text = text.replace(character, "")
    return text


def has_words(line: str, count: int) -> bool:
    """Return whether a line has at least `count` words with a letter, or as much text in a script without spaces.

    >>> has_words("1 2 3 - 4", 3), has_words("Oh no !", 3), has_words("He is here.", 3), has_words("他昨天去学校", 3)
    (False, False, True, True)
    """
    words = sum([any(map(str.isalpha, word)) for word in line.split()])
    return words >= count or (words > 0 and unspaced_characters(line) >= CHARACTERS_OF_WORD * count)
