"""The tokenizers of ROUGE, and stems of English words. (The registry lacks these tokenizers: BLEU can't use them.)"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from ..runtime.hints import Any, CharacterTable, Sequence
from ..unicode.casing import lower_case_of_lines
from .tokenizer_base import BaseTokenizer

#: Words of up to this length are not stemmed.
_MAX_UNSTEMMED = 3

#: Non-ASCII characters with an ASCII letter in their lower case: the Kelvin sign, and the capital I with a dot. (The
#: dot of the lower-case letter becomes a space, because it is not ASCII.)
_ASCII_IN_LOWER_CASE = (("\u212a", "k"), ("\u0130", "i "))


def _ascii_table() -> bytes:
    """Return a table for `bytes.translate`: letters become lower case, and all bytes outside of words become spaces."""
    kept = b"abcdefghijklmnopqrstuvwxyz0123456789\n"
    return bytes([byte if byte in kept else ord(" ") for byte in bytes(range(256)).lower()])


class RougeTokenizer(BaseTokenizer):
    """Splits text into runs of ASCII letters and digits, in lower case, as rouge_score does.

    Args:
        stemmer: whether words are replaced by their stems (Porter, 1980).
    """

    SIGNATURE = "rouge"

    def __init__(self, stemmer: bool = False) -> None:
        self._stemmer = stemmer
        self._table = _ascii_table()

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        if not lines:
            return []
        text = "\n".join(lines)
        if text.count("\n") >= len(lines):  # (a line from a Python program may contain line feeds)
            text = "\n".join([line.replace("\n", " ") for line in lines])
        if not text.isascii():
            for letter, lower in _ASCII_IN_LOWER_CASE:
                text = text.replace(letter, lower)
        words = [line.split() for line in text.encode("ascii", "replace").translate(self._table).split(b"\n")]
        return [list(map(_stem, line)) for line in words] if self._stemmer else words


@lru_cache(maxsize=1 << 16)
def _stem(word: bytes) -> bytes:
    return stem(word.decode("ascii")).encode("ascii") if len(word) > _MAX_UNSTEMMED else word


class UnicodeWordTokenizer(BaseTokenizer):
    """Splits text into runs of letters, marks and digits of any script, in lower case. Each ideograph is a word."""

    SIGNATURE = "unicode"

    def __init__(self) -> None:
        self._table = _WordTable()

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        return [line.translate(self._table).encode("utf-8", "surrogatepass").split()
                for line in lower_case_of_lines(lines)]


class _WordTable(CharacterTable):
    """A table for `str.translate`: ideographs get spaces around them, and characters outside of words become spaces.

    Entries are added when they are first looked up.
    """

    def __init__(self) -> None:
        from ..unicode.letters import ALPHANUMERIC, IDEOGRAPHS, NOT_IN_BOTH
        from ..unicode.properties import boundaries_of

        super().__init__()
        self._ideographs = boundaries_of(IDEOGRAPHS)
        # (Letters, marks and numbers differ from `ALPHANUMERIC` in the characters of `NOT_IN_BOTH`. So each boundary of
        # them is in exactly one of the two tables.)
        self._word_characters = sorted({*boundaries_of(ALPHANUMERIC)} ^ {*boundaries_of(NOT_IN_BOTH)})

    def __missing__(self, code_point: int) -> Any:
        replacement: Any = code_point
        if not bisect_right(self._word_characters, code_point) % 2:
            replacement = " "
        elif bisect_right(self._ideographs, code_point) % 2:
            replacement = f" {chr(code_point)} "
        self[code_point] = replacement
        return replacement


# Stems of English words: the algorithm of Porter (1980), with the later changes by Porter and by NLTK.
#
# The rules depend on vowels (y is a vowel after a consonant) and on the *measure* of a stem. The measure is the number
# of times a consonant follows a vowel.

#: Irregular words, with their stems in NLTK.
_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news", "innings": "inning",
    "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning", "canning": "canning",
    "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}

#: Steps 2 and 3: endings, and their replacements. Only the first ending that a word has is replaced, and only if the
#: rest of the word has a measure above 0.
_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
)
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)

#: Step 4: endings. Only the first ending that a word has is removed, and only if the rest of the word has a measure
#: above 1. ("ement" comes before "ment", and "ment" before "ent", so the longest ending is tried first.)
_STEP_4 = ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate",
           "iti", "ous", "ive", "ize")


def stem(word: str) -> str:
    """Return the stem of a word (Porter, 1980), as NLTK's `PorterStemmer` does.

    Args:
        word: a word in lower case. Digits, and letters other than a to z, count as consonants.

    Example:
        >>> [stem(word) for word in ("relational", "hopping", "skies", "enjoyed")]
        ['relat', 'hop', 'sky', 'enjoy']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_past(_without_plural(word))
    if word.endswith("y") and len(word) > 2 and not _vowels(word)[-2]:
        word = word[:-1] + "i"
    word = _derived(word)
    word = _replaced(word, _STEP_3)
    return _without_last_e(_without_suffix(word))


def _vowels(word: str) -> list[bool]:
    """Return, for each letter, whether it is a vowel."""
    are_vowels: list[bool] = []
    for letter in word:
        are_vowels.append(letter in "aeiou" or (letter == "y" and bool(are_vowels) and not are_vowels[-1]))
    return are_vowels


def _measure(text: str) -> int:
    """Return the number of times a consonant follows a vowel.

    >>> [_measure(text) for text in ("tree", "trouble", "troubles")]
    [0, 1, 2]
    """
    vowels = _vowels(text)
    return sum([before and not after for before, after in zip(vowels, vowels[1:])])


def _is_short(text: str) -> bool:
    """Whether a word is a vowel and a consonant, or ends in a consonant, a vowel and a consonant (not w, x or y)."""
    ends = _vowels(text)[-3:]
    if len(text) == 2:
        return ends == [True, False]
    return ends == [False, True, False] and text[-1] not in "wxy"


def _without_plural(word: str) -> str:
    """Do step 1a: remove the ending of a plural."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    """Do step 1b: remove the endings of past tenses and participles."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word[:-len(ending)]
        if word.endswith(ending) and True in _vowels(rest):
            return _completed(rest)
    return word


def _completed(rest: str) -> str:
    """Return the right spelling of a word whose ending has been removed."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and not _vowels(rest)[-1]:
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _is_short(rest) else rest


def _derived(word: str) -> str:
    """Shorten the ending "alli" (from "ally", by step 1c) to "al", then do step 2."""
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith("logi"):
        # (As in NLTK, the measure of the word without "ogi" counts.)
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2)


def _replaced(word: str, endings: Sequence[tuple[str, str]]) -> str:
    for ending, replacement in endings:
        if word.endswith(ending):
            rest = word[:-len(ending)]
            return rest + replacement if _measure(rest) > 0 else word
    return word


def _without_suffix(word: str) -> str:
    """Do step 4: remove a suffix."""
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word[:-len(ending)]
            is_removed = _measure(rest) > 1 and (ending != "ion" or rest.endswith(("s", "t")))
            return rest if is_removed else word
    return word


def _without_last_e(word: str) -> str:
    """Do step 5: remove a final e, and shorten a final ll to l."""
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
