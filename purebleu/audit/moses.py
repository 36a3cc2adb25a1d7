"""Splits lines into tokens as `tokenizer.perl -no-escape` of Moses does (Koehn et al., 2007).

Moses' program rewrites a line step by step. The first steps separate symbols. Each further step depends only on one
word and the spaces around it. So this module makes these steps for single words (`split_word`), and caches the results
(`MosesWords`). Some marks of the first and the last word of a line stay unchanged, because there is no space at the
start and at the end of the line.

Each step goes from left to right, and uses each character only once, as a mark or as the neighbour of a mark. So if
several marks follow each other, every second mark can stay unchanged.

Moses replaces several dots by a word that starts with `DOTMULTI`, and later replaces all words of this form by dots,
even if they come from the text. This module does not replace words of the text.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from ..files.lines import read_lines
from ..files.opening import KEYS
from ..tokenizers.separation import Spacing
from ..tokenizers.tokenizer_base import BaseTokenizer
from ..unicode.letters import ALPHANUMERIC, DECIMAL_DIGITS, LOWER_CASE, OTHER_LOWER_CASE
from ..unicode.properties import WHITESPACE, boundaries_of, has_property
from ..unicode.tables import NUMERIC

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

    Test = Callable[[str], bool]

    #: Tests of the characters before and after a mark (`None`: no test), and the replacement of the mark.
    Rule = Tuple[Optional[Test], Optional[Test], str]

    #: A split word: its tokens, its tokens with the final period separated (`None` if there is no final period), and
    #: when the word keeps the final period, such as `_ALWAYS`. (A tuple is faster than a class.)
    Word = Tuple[List[str], Optional[List[str]], int]
    _Words = Dict[str, Word]
else:
    _Words = dict  # (Python 3.8 cannot subscript `dict`.)


def is_alphanumeric(character: str) -> bool:
    return has_property(ALPHANUMERIC, character)


@lru_cache(maxsize=1 << 12)
def is_alphabetic(character: str) -> bool:
    return has_property(ALPHANUMERIC, character) and not has_property(DECIMAL_DIGITS, character)


def _is_lower_letter(character: str) -> bool:
    return has_property(LOWER_CASE, character) and not has_property(OTHER_LOWER_CASE, character)


@lru_cache(maxsize=1 << 12)
def _is_number(character: str) -> bool:
    return has_property(NUMERIC, character)


def _is_no_number(character: str) -> bool:
    return not _is_number(character)


def _is_not_alphabetic(character: str) -> bool:
    return not is_alphabetic(character)


def _is_neither(character: str) -> bool:
    return not is_alphabetic(character) and not _is_number(character)


#: The rules for commas: a comma is separated from words, unless the comma is between numbers.
_COMMAS: tuple[Rule, ...] = ((_is_no_number, None, " , "), (None, _is_no_number, " , "))

#: The rules for apostrophes. The first rule is for an apostrophe that is not next to a letter.
_QUOTES: tuple[Rule, ...] = ((_is_not_alphabetic, _is_not_alphabetic, " ' "),)
_ENGLISH: tuple[Rule, ...] = (
    *_QUOTES, (_is_neither, is_alphabetic, " ' "), (is_alphabetic, _is_not_alphabetic, " ' "),
    (is_alphabetic, is_alphabetic, " '"), (_is_number, "s".__eq__, " '"),  # it 's, 1990 's
)
_GLOTTAL: tuple[Rule, ...] = (
    *_QUOTES, (_is_not_alphabetic, is_alphabetic, " ' "), (is_alphabetic, _is_not_alphabetic, " ' "))
_ROMANCE: tuple[Rule, ...] = (*_GLOTTAL, (is_alphabetic, is_alphabetic, "' "))  # l' eau

#: The rules for apostrophes by language. In all other languages, every apostrophe is separated.
APOSTROPHES: dict[str, tuple[Rule, ...]] = {
    "en": _ENGLISH, "fr": _ROMANCE, "it": _ROMANCE, "ga": _ROMANCE, "ca": _ROMANCE, "so": _GLOTTAL, "tdt": _GLOTTAL,
}

#: The marks that are not separated if a lower-case letter follows, by language. (For Catalan, Moses' program has the
#: middle dot, but Perl reads the program as Latin-1, so the dot becomes two characters.)
INNER_MARKS = {"fi": ":", "sv": ":", "tdt": "'", "ca": "\u00c2\u00b7"}


def split_word(word: str, language: str, aggressive: bool, at_start: bool = False, at_end: bool = False) -> list[str]:
    """Return the tokens of a word.

    Args:
        word: a word of a line in which symbols are separated; or several such words with spaces between them.
        language: the code of the language.
        aggressive: whether compounds are also split at their hyphens.
        at_start: whether the word starts the line.
        at_end: whether the word ends the line.

    Example:
        >>> split_word("'it's", "en", False)
        ["'", 'it', "'s"]
    """
    # (A comma at the end of a line is treated as if a space followed, so only apostrophes need `at_end`.)
    text = ("" if at_start else " ") + word + ("" if at_end and word[-1] == "'" else " ")
    inner_mark = INNER_MARKS.get(language)
    if inner_mark and inner_mark in word:
        text = _with_inner_marks(text, inner_mark)
    if aggressive and "-" in word:
        text = _with_hyphens_apart(text)
    if ".." in word:
        text = _with_dots_apart(text)
    if "," in word:
        for rule in _COMMAS:
            text = _rewritten(text, ",", rule)
    if "'" in word:
        for rule in APOSTROPHES.get(language, ((None, None, " ' "),)):
            text = _rewritten(text, "'", rule)
    tokens = [token for token in text.split(" ") if token]
    if at_end and tokens[-1].endswith(".'"):
        tokens[-1:] = [token for token in (tokens[-1][:-2], ".", "'") if token]
    return tokens


def _rewritten(text: str, mark: str, rule: Rule) -> str:
    """Replace the marks whose neighbours match a rule."""
    before, after, replacement = rule
    pieces: list[str] = []
    done = met = 0  # the end of the text that is in `pieces`, and the end of the last match
    index = text.find(mark)
    while index >= 0:
        start, end = index - (before is not None), index + 1 + (after is not None)
        if (met <= start and end <= len(text) and (before is None or before(text[start]))
                and (after is None or after(text[end - 1]))):
            pieces += (text[done:index], replacement)
            done, met = index + 1, end
        index = text.find(mark, index + 1)
    return "".join([*pieces, text[done:]])


def _with_inner_marks(text: str, mark: str) -> str:
    """Separate each mark that is not before a lower-case letter."""
    first, *others = text.split(mark)
    pieces = [first]
    for part in others:
        pieces += (mark if part and _is_lower_letter(part[0]) else f" {mark} ", part)
    return "".join(pieces)


def _with_hyphens_apart(text: str) -> str:
    """Separate hyphens between letters or digits. Hyphens become `@-@`, so that compounds can be joined again."""
    first, *others = text.split("-")
    pieces = [first]
    before = first
    for part in others:
        joins = before and part and is_alphanumeric(before[-1]) and is_alphanumeric(part[0])
        pieces += (" @-@ " if joins else "-", part)
        before = part
    return "".join(pieces)


def _with_dots_apart(text: str) -> str:
    """Separate each run of two or more dots."""
    pieces: list[str] = []
    for character, group in groupby(text):
        run = "".join(group)
        pieces.append(f" {run} " if character == "." and len(run) > 1 else run)
    return "".join(pieces)


# Lines

_ALWAYS, _BEFORE_LOWER_CASE, _BEFORE_LOWER_CASE_AND_DIGITS = range(3)

#: The marks that are not separated before `split_word`, in any language.
_MARKS = ".'`,-"

#: The largest number of cached words, and the largest length of a cached word.
_MAX_WORDS = 1 << 17
_MAX_WORD_LENGTH = 64


class MosesWords(BaseTokenizer):
    """Splits lines into the tokens of Moses' tokenizer, without its escapes. Abbreviations keep their periods.

    Args:
        language: the code of the language, such as `de`. Apostrophes, colons and abbreviations are treated according to
            the language.
        aggressive: whether compounds are also split at their hyphens, which become `@-@` (Moses' option `-a`).
        prefixes: words that keep a period after them, as `read_prefixes` returns them. `None`: a built-in table for
            English and German, and no such words for other languages. (For a language without a file of prefixes,
            Moses takes the English file.)

    Example:
        >>> MosesWords("en")('Mr. Smith said: "It\\'s 5,000 miles..."')
        'Mr. Smith said : " It \\'s 5,000 miles ... "'
    """

    def __init__(self, language: str, aggressive: bool = False, prefixes: Mapping[str, bool] | None = None) -> None:
        self._arguments = language, aggressive, prefixes
        marks = _MARKS + INNER_MARKS.get(language, "")
        replacements = {
            **dict.fromkeys(map(ord, WHITESPACE), " "),
            **dict.fromkeys(set(range(0x20)) - set(map(ord, "\t\n\v\f\r")), ""),  # (Moses deletes controls.)
            **{ord(mark): mark for mark in marks},
        }
        # (The additional boundary 0 inverts the property, so characters that are not alphanumeric are separated.)
        self._spacing = Spacing((0, *boundaries_of(ALPHANUMERIC)), replacements)
        self._splitter = _Splitter(language, aggressive, own_prefixes(language) if prefixes is None else prefixes)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._arguments  # (Another process makes its own caches.)

    def signature(self) -> str:
        language, aggressive, prefixes = self._arguments
        name = f"moses-{language}{'-a' if aggressive else ''}"
        if prefixes is None:
            return name
        text = "".join([f"{prefix}\t{prefixes[prefix]}\n" for prefix in sorted(prefixes)])
        return f"{name}-prefixes-sha256-{short_checksum(text)}"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[str]]:
        return [self._tokens(line.translate(self._spacing)) for line in lines]

    def _tokens(self, text: str) -> list[str]:
        """Return the tokens of a line in which symbols are separated."""
        texts = [text for text in text.split(" ") if text]
        if not texts:
            return []
        if "'" in text:
            texts = _with_quotes_joined(texts)
        cached = self._splitter
        words = [cached[text] for text in texts]
        last = len(texts) - 1
        # A comma or apostrophe at the start of a line, and an apostrophe at the end of a line, are treated differently,
        # because there is no space next to them.
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
    """A cache of split words by their text, for words inside a line. (`word` also splits the first and last word.)"""

    def __init__(self, language: str, aggressive: bool, prefixes: Mapping[str, bool]) -> None:
        super().__init__()
        self._language = language
        self._aggressive = aggressive
        self._prefixes = prefixes

    def __missing__(self, text: str) -> Word:
        if text.isalnum():  # (a text without marks)
            word: Word = [text], None, _ALWAYS
        else:
            word = self.word(text, False, False)
        if len(text) <= _MAX_WORD_LENGTH:
            if len(self) >= _MAX_WORDS:
                self.clear()  # (Frequent words are soon cached again.)
            self[text] = word
        return word

    def word(self, text: str, at_start: bool, at_end: bool) -> Word:
        """Split a word, which may be at the start or at the end of a line."""
        *inner, last = split_word(text, self._language, self._aggressive, at_start, at_end)
        tokens: list[str] = []
        for token in inner:
            # (A mark follows this token, so the token's period is separated, unless the prefix always keeps its
            # period.)
            ends = _ends_in_period(token) and self._kind_of(token[:-1]) != _ALWAYS
            tokens += (token[:-1], ".") if ends else (token,)
        if not _ends_in_period(last):
            return [*tokens, last], None, _ALWAYS
        return [*tokens, last], [*tokens, last[:-1], "."], self._kind_of(last[:-1])

    def _kind_of(self, prefix: str) -> int:
        """Return when `prefix` keeps a period after it, such as `_ALWAYS`."""
        if not self._prefixes.get(prefix, True) or ("." in prefix and any(map(is_alphabetic, prefix))):
            return _ALWAYS
        return _BEFORE_LOWER_CASE_AND_DIGITS if prefix in self._prefixes else _BEFORE_LOWER_CASE


def _with_quotes_joined(texts: Sequence[str]) -> list[str]:
    """Join two words if both neighbours of the space between them are apostrophes.

    In each step, only one of the two apostrophes can use the space as its neighbour, so `split_word` needs both words.
    """
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
    """Return whether a token ends in a single period, and has other characters before the period."""
    return len(token) > 1 and token[-1] == "." != token[-2]


def _keeps_period(kind: int, following: str) -> bool:
    """Return whether a word keeps its period if the next word starts with the character `following`."""
    return kind == _ALWAYS or has_property(LOWER_CASE, following) or (
        kind == _BEFORE_LOWER_CASE_AND_DIGITS and following in "0123456789")


def own_prefixes(language: str) -> dict[str, bool]:
    """Return the built-in prefixes of a language, as `read_prefixes` returns them. Most languages have none."""
    return {**dict.fromkeys(ABBREVIATIONS.get(language, "").split(), False),
            **dict.fromkeys(ABBREVIATIONS_BEFORE_NUMBERS.get(language, "").split(), True)}


def short_checksum(text: str) -> str:
    """Return the start of the SHA-256 sum of a text."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# Abbreviations of English and German, collected for this project. The abbreviations are common, and hardly ever end a
# sentence. Each abbreviation was tested with Moses' tokenizer. The lists are sorted.

#: The words that always keep their periods (titles, initials, months, ordinals), by language.
ABBREVIATIONS = {
    "en": """
        A Adm Apr Aug B Brig Bros C Capt Cmdr Col Corp Cpl D Dec Dr Drs E F Feb G Gen Gov H Hon I J Jan Jul Jun K L Lt
        M Maj Mar Messrs Mme Mr Mrs Ms N Nos Nov O Oct P Ph Prof Pvt Q R Rep Reps Rev S Sen Sens Sep Sgt Sr St T U V W
        X Y Z v vs
    """,
    "de": """
        1 10 11 12 13 14 15 16 17 18 19 2 20 21 22 23 24 25 26 27 28 29 3 30 31 32 33 34 35 36 37 38 39 4 40 41 42 43
        44 45 46 47 48 49 5 50 51 52 53 54 55 56 57 58 59 6 60 61 62 63 64 65 66 67 68 69 7 70 71 72 73 74 75 76 77 78
        79 8 80 81 82 83 84 85 86 87 88 89 9 90 91 92 93 94 95 96 97 98 99 A Art B C Co D Dr E F G H I II III IV IX J
        K L M Mio Mr Mrd Mrs Ms N Nr O P Prof Q R S Sgt Sr St Std T U V VI VII VIII W X XI XII XIII XIV XIX XV XVI
        XVII XVIII XX Y Z a b bzw c ca d dgl e etc evtl f ff g ggf h i j k l m n o p pp q r s sog t u usf usw v vgl vs
        w x y z
    """,
}

#: The words that keep a period only before digits ("No. 5", but "No. Never"), by language.
ABBREVIATIONS_BEFORE_NUMBERS = {"en": "Art No pp"}


#: The mark in files of prefixes after a prefix that keeps its period only before digits.
_MARK_OF_NUMERIC = "#NUMERIC_ONLY#"


def read_prefixes(path: str) -> dict[str, bool]:
    """Read a file of prefixes in Moses' format (such as `nonbreaking_prefix.de`), for `MosesWords`.

    Args:
        path: a UTF-8 file with a prefix on each line. A prefix with ` #NUMERIC_ONLY#` behind it keeps its period only
            before digits. Lines that start with `#` are comments.

    Returns:
        For each prefix, whether it keeps its period only before digits.

    Raises:
        PurebleuError: the file can't be read.
    """
    prefixes: dict[str, bool] = {}
    for line in read_lines(path, ends="\n", role=KEYS):
        # (Moses treats the line "0" as empty.)
        if line in ("", "0") or line.startswith("#"):
            continue
        prefix, mark, _ = line.rpartition(_MARK_OF_NUMERIC)
        if mark and prefix and prefix[-1] in WHITESPACE:
            prefixes[prefix[:-1]] = True
        else:
            prefixes[line] = False
    return prefixes
