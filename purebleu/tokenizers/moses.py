"""The words of Moses (Koehn et al., 2007), as its `tokenizer.perl -no-escape` splits lines."""

from __future__ import annotations

from ..unicode.letters import ALPHANUMERIC
from ..unicode.properties import boundaries_of
from ..unicode.whitespace import WHITESPACE
from .base import BaseTokenizer
from .categories import Spacing
from .moses_words import INNER_MARKS, is_alphabetic, is_lower, split_word, with_dots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, List, Mapping, Optional, Sequence, Tuple

    #: The tokens of a word; where it ends in a period that may be part of it, those with the period apart; and when
    #: the period is part of it: one of the next three. (A tuple, because all of it is read for every word.)
    Word = Tuple[List[str], Optional[List[str]], int]
    _Words = Dict[str, Word]
else:
    _Words = dict  # Python 3.8 cannot subscript it

_ALWAYS, _BEFORE_LOWER_CASE, _BEFORE_LOWER_CASE_AND_DIGITS = range(3)

#: Marks that stay in words, other than in the middle of some languages'.
_MARKS = ".'`,-"

#: Limits of the words that are cached: their number, and the length of each.
_MAX_WORDS = 1 << 17
_MAX_WORD_LENGTH = 64


class MosesWords(BaseTokenizer):
    """Splits lines into the tokens of Moses' tokenizer, without its escapes: punctuation apart, abbreviations whole.

    Args:
        language: the code of the language, such as `de`; apostrophes, colons and abbreviations depend on it.
        aggressive: split compounds at their hyphens as well, which become `@-@` (Moses' option `-a`).
        prefixes: words that keep a period after them, as from `files.prefixes.read_prefixes`; None: a built-in table
            for English and German, nothing for other languages. (Moses takes English's where it has no file for one.)

    Example:
        >>> MosesWords("en")('Mr. Smith said: "It\\'s 5,000 miles..."')
        'Mr. Smith said : " It \\'s 5,000 miles ... "'
    """

    def __init__(self, language: str, aggressive: bool = False, prefixes: Mapping[str, bool] | None = None) -> None:
        self._arguments = language, aggressive, prefixes
        marks = _MARKS + INNER_MARKS.get(language, "")
        replacements = {
            **dict.fromkeys(map(ord, WHITESPACE), " "),
            **dict.fromkeys(set(range(0x20)) - set(map(ord, "\t\n\v\f\r")), ""),  # not spaces in Perl
            **{ord(mark): mark for mark in marks},
        }
        # (With a boundary at the start of all, it is what is not alphanumeric.)
        self._spacing = Spacing((0, *boundaries_of(ALPHANUMERIC)), replacements)
        self._splitter = _Splitter(language, aggressive, own_prefixes(language) if prefixes is None else prefixes)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._arguments  # what is cached can't be sent to another process

    def signature(self) -> str:
        language, aggressive, prefixes = self._arguments
        name = f"moses-{language}{'-a' if aggressive else ''}"
        return name if prefixes is None else f"{name}-prefixes-sha256-{_checksum(prefixes)}"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[str]]:
        return [self._tokens(line.translate(self._spacing)) for line in lines]

    def _tokens(self, text: str) -> list[str]:
        """The tokens of a line in which symbols stand apart."""
        texts = [text for text in text.split(" ") if text]
        if not texts:
            return []
        if "'" in text:
            texts = _with_quotes_joined(texts)
        cached = self._splitter
        words = [cached[text] for text in texts]
        last = len(texts) - 1
        # The edges of a line are no spaces, but that matters only to these marks.
        if texts[0][0] in ",'":
            words[0] = cached.word(texts[0], True, last == 0)
        if texts[last][-1] == "'":
            words[last] = cached.word(texts[last], last == 0, True)
        tokens: list[str] = []
        for index, (whole, apart, kind) in enumerate(words):
            if apart is None or (index < last and _keeps_period(kind, texts[index + 1][0])):
                tokens += whole
            else:
                tokens += apart
        return tokens


class _Splitter(_Words):
    """A cache of words by their text. (Those at the start or the end of a line may be split otherwise: see `word`.)"""

    def __init__(self, language: str, aggressive: bool, prefixes: Mapping[str, bool]) -> None:
        super().__init__()
        self._language = language
        self._aggressive = aggressive
        self._prefixes = prefixes

    def __missing__(self, text: str) -> Word:
        if text.isalnum() and "DOTMULTI" not in text:  # whatever else this Python takes for a letter, no mark is one
            word: Word = [text], None, _ALWAYS
        else:
            word = self.word(text, False, False)
        if len(text) <= _MAX_WORD_LENGTH:
            if len(self) >= _MAX_WORDS:
                self.clear()  # those that come often are soon there again
            self[text] = word
        return word

    def word(self, text: str, at_start: bool, at_end: bool) -> Word:
        """The parts of a word at the start, at the end or inside of a line."""
        *inner, last = split_word(text, self._language, self._aggressive, at_start, at_end)
        tokens: list[str] = []
        for token in inner:
            # (A mark follows, so only prefixes that always keep their periods do so here.)
            ends = _ends_in_period(token) and self._kind_of(token[:-1]) != _ALWAYS
            tokens += (with_dots(token[:-1]), ".") if ends else (with_dots(token),)
        whole = [*tokens, with_dots(last)]
        if not _ends_in_period(last):
            return whole, None, _ALWAYS
        return whole, [*tokens, with_dots(last[:-1]), "."], self._kind_of(last[:-1])

    def _kind_of(self, prefix: str) -> int:
        """When a period that follows this is part of it."""
        if not self._prefixes.get(prefix, True) or ("." in prefix and any(map(is_alphabetic, prefix))):
            return _ALWAYS
        return _BEFORE_LOWER_CASE_AND_DIGITS if prefix in self._prefixes else _BEFORE_LOWER_CASE


def _with_quotes_joined(texts: Sequence[str]) -> list[str]:
    """The words, but those as one that have a space between apostrophes: only one of the two can meet it."""
    joined: list[list[str]] = []
    before = ""
    for text in texts:
        if before == text[0] == "'":
            joined[-1].append(text)
        else:
            joined.append([text])
        before = text[-1]
    return list(map(" ".join, joined))


def _ends_in_period(token: str) -> bool:
    return len(token) > 1 and token[-1] == "."


def _keeps_period(kind: int, following: str) -> bool:
    """Whether a period before a word that starts with this character is part of the word before it."""
    return kind == _ALWAYS or is_lower(following) or (
        kind == _BEFORE_LOWER_CASE_AND_DIGITS and following in "0123456789")


def own_prefixes(language: str) -> dict[str, bool]:
    """The prefixes of the built-in table for a language, in the form of `read_prefixes`; none for most of them."""
    from .abbreviations import ABBREVIATIONS, ABBREVIATIONS_BEFORE_NUMBERS

    return {**dict.fromkeys(ABBREVIATIONS.get(language, "").split(), False),
            **dict.fromkeys(ABBREVIATIONS_BEFORE_NUMBERS.get(language, "").split(), True)}


def _checksum(prefixes: Mapping[str, bool]) -> str:
    """The start of a checksum of the set of prefixes, whatever their order."""
    import hashlib

    text = "".join([f"{prefix}\t{prefixes[prefix]}\n" for prefix in sorted(prefixes)])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
