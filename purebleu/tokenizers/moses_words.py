"""The rules inside of one word of the tokenizer of Moses (Koehn et al., 2007).

The original rewrites a line step by step. Once symbols stand apart, no step looks beyond the spaces around a word, so
here the steps run over one word between two spaces, and what they make of it can be kept. The edges of a line are no
spaces: some marks that stand there stay where they are.

Each step goes from left to right, and a character that a mark has met, on either side of it, is not there for the
next mark: in a run of marks, every other one may be left.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from ..unicode.letters import ALPHANUMERIC, DECIMAL_DIGITS, LOWER_CASE, OTHER_LOWER_CASE
from ..unicode.properties import has_property
from ..unicode.tables import NUMBERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Optional, Tuple

    Test = Callable[[str], bool]

    #: The characters before and after a mark, and what becomes of the mark between them. `None`: any, or the edge.
    Rule = Tuple[Optional[Test], Optional[Test], str]

#: Stands for a run of dots while words are split: a line that has it already comes out with dots in its place.
#: A run of n dots is n times the first half and once the other.
_DOT, _MULTI = "DOT", "MULTI"
_DOTS = _DOT + _MULTI


def is_alphanumeric(character: str) -> bool:
    return has_property(ALPHANUMERIC, character)


@lru_cache(maxsize=1 << 12)
def is_alphabetic(character: str) -> bool:
    return has_property(ALPHANUMERIC, character) and not has_property(DECIMAL_DIGITS, character)


def is_lower(character: str) -> bool:
    return has_property(LOWER_CASE, character)


def _is_lower_letter(character: str) -> bool:
    return has_property(LOWER_CASE, character) and not has_property(OTHER_LOWER_CASE, character)


@lru_cache(maxsize=1 << 12)
def _is_number(character: str) -> bool:
    return has_property(NUMBERS, character)


def _is_no_number(character: str) -> bool:
    return not _is_number(character)


def _is_not_alphabetic(character: str) -> bool:
    return not is_alphabetic(character)


def _is_neither(character: str) -> bool:
    return not is_alphabetic(character) and not _is_number(character)


#: Commas are separated unless between numbers.
_COMMAS: tuple[Rule, ...] = ((_is_no_number, None, " , "), (None, _is_no_number, " , "))

#: Apostrophes, wherever there are rules for them: first those that are not between letters.
_QUOTES: tuple[Rule, ...] = ((_is_not_alphabetic, _is_not_alphabetic, " ' "),)
_ENGLISH: tuple[Rule, ...] = (
    *_QUOTES, (_is_neither, is_alphabetic, " ' "), (is_alphabetic, _is_not_alphabetic, " ' "),
    (is_alphabetic, is_alphabetic, " '"), (_is_number, "s".__eq__, " '"),  # it 's, 1990 's
)
_GLOTTAL: tuple[Rule, ...] = (
    *_QUOTES, (_is_not_alphabetic, is_alphabetic, " ' "), (is_alphabetic, _is_not_alphabetic, " ' "))
_ROMANCE: tuple[Rule, ...] = (*_GLOTTAL, (is_alphabetic, is_alphabetic, "' "))  # l' eau

#: The rules for apostrophes by language; in others, all are separated.
APOSTROPHES: dict[str, tuple[Rule, ...]] = {
    "en": _ENGLISH, "fr": _ROMANCE, "it": _ROMANCE, "ga": _ROMANCE, "ca": _ROMANCE, "so": _GLOTTAL, "tdt": _GLOTTAL,
}

#: Marks that belong to a word where a lower-case letter follows, and are separated elsewhere.
#: (For Catalan, the original means the middle dot, but its source is read as Latin-1: so it has two characters there.)
INNER_MARKS = {"fi": ":", "sv": ":", "tdt": "'", "ca": "\u00c2\u00b7"}


def split_word(word: str, language: str, aggressive: bool, at_start: bool = False, at_end: bool = False) -> list[str]:
    """The tokens of a word, with what `with_dots` turns into runs of dots.

    Args:
        word: characters between spaces, symbols apart; or several words with a space between each two.
        language: the code of the language.
        aggressive: split compounds at their hyphens, too.
        at_start: the word starts the line.
        at_end: the word ends the line.

    Example:
        >>> split_word("'it's", "en", False)
        ["'", 'it', "'s"]
    """
    # (A comma at the end of a line is separated as before a space.)
    text = ("" if at_start else " ") + word + ("" if at_end and word[-1] == "'" else " ")
    inner_mark = INNER_MARKS.get(language)
    if inner_mark and inner_mark in word:
        text = _with_inner_marks(text, inner_mark)
    if aggressive and "-" in word:
        text = _with_hyphens_apart(text)
    if ".." in word or _DOTS in word:
        text = _with_dots_marked(text)
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
    """The text after one step: what the rule makes of those marks that have such characters around them."""
    before, after, replacement = rule
    pieces: list[str] = []
    done = met = 0  # up to where the text is in `pieces`, and has been met
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
    first, *others = text.split(mark)
    pieces = [first]
    for part in others:
        pieces += (mark if part and _is_lower_letter(part[0]) else f" {mark} ", part)
    return "".join(pieces)


def _with_hyphens_apart(text: str) -> str:
    """Hyphens between letters or digits as words of their own, marked so that they can be joined again."""
    first, *others = text.split("-")
    pieces = [first]
    before = first
    for part in others:
        joins = before and part and is_alphanumeric(before[-1]) and is_alphanumeric(part[0])
        pieces += (" @-@ " if joins else "-", part)
        before = part
    return "".join(pieces)


def _with_dots_marked(text: str) -> str:
    """Runs of dots as words of their own, which hold no dots while the line is split."""
    pieces: list[str] = []
    for character, group in groupby(text):
        length = len(list(group))
        if character != "." or length == 1:
            pieces.append(character * length)
        else:  # Two are what a line may have, too: the mark and a dot.
            pieces.append(f" {_DOTS}." if length == 2 else f" {_DOT * length}{_MULTI} ")
    return _rewritten_marks("".join(pieces))


def _rewritten_marks(text: str) -> str:
    """The dot after a mark becomes part of it, and what follows starts a word (unless it has been met)."""
    pieces: list[str] = []
    done = 0
    marked = _DOTS + "."
    index = text.find(marked)
    while index >= 0:
        end = index + len(marked)
        if end < len(text) and text[end] != ".":
            pieces += (text[done:index], _DOT, _DOTS, " ", text[end])
            done = end + 1
            index = text.find(marked, done)
        else:
            index = text.find(marked, end)
    return "".join([*pieces, text[done:]]).replace(marked, _DOT + _DOTS)


def with_dots(token: str) -> str:
    """The token with its runs of dots.

    Example:
        >>> with_dots("DOTDOTDOTMULTI")
        '...'
    """
    *parts, last = token.split(_DOTS)
    pieces: list[str] = []
    for part in parts:
        end = len(part)
        while part.endswith(_DOT, 0, end):
            end -= len(_DOT)
        pieces.append(part[:end] + "." * (1 + (len(part) - end) // len(_DOT)))
    return "".join([*pieces, last])
