"""The words of ROUGE. (They are no choice for BLEU, so this is not in the registry.)"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from ..hints import Any, CharacterTable, Sequence
from ..unicode.casing import lower_case_of_lines
from .tokenizer_base import BaseTokenizer

#: Words of up to this many characters are not stemmed.
_MAX_UNSTEMMED = 3

#: Characters whose lower case has an ASCII letter: the Kelvin sign, the capital I with a dot (the dot is none).
_ASCII_IN_LOWER_CASE = (("\u212a", "k"), ("\u0130", "i "))


def _ascii_table() -> bytes:
    """Return a table for `bytes.translate`: letters get lower case, digits and line feeds stay, the rest is spaces."""
    table = bytearray(b" " * 256)
    for byte in b"abcdefghijklmnopqrstuvwxyz0123456789\n":
        table[byte] = table[byte - 32 if byte >= 97 else byte] = byte
    return bytes(table)


class RougeTokenizer(BaseTokenizer):
    """Words of ASCII letters and digits, in lower case, as rouge_score has them.

    Args:
        stemmer: whether words are replaced by their stems (Porter, 1980).
    """

    def __init__(self, stemmer: bool = False) -> None:
        self._stemmer = stemmer
        self._table = _ascii_table()

    def signature(self) -> str:
        return "rouge"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        if not lines:
            return []
        text = "\n".join(lines)
        if text.count("\n") >= len(lines):  # (only in the API, a line may contain line feeds)
            text = "\n".join([line.replace("\n", " ") for line in lines])
        if not text.isascii():
            for letter, lower in _ASCII_IN_LOWER_CASE:
                text = text.replace(letter, lower)
        words = [line.split() for line in text.encode("ascii", "replace").translate(self._table).split(b"\n")]
        if self._stemmer:
            return [[_stem(word) if len(word) > _MAX_UNSTEMMED else word for word in line] for line in words]
        return words


@lru_cache(maxsize=1 << 16)
def _stem(word: bytes) -> bytes:
    from ..engines.porter import stem

    return stem(word.decode("ascii")).encode("ascii")


class UnicodeWordTokenizer(BaseTokenizer):
    """Words of any script, in lower case: runs of letters, marks and digits; an ideograph is a word of its own."""

    def __init__(self) -> None:
        self._table = _WordTable()

    def signature(self) -> str:
        return "unicode"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        return [line.translate(self._table).encode("utf-8", "surrogatepass").split()
                for line in lower_case_of_lines(lines)]


class _WordTable(CharacterTable):
    """A table for `str.translate` that puts spaces around ideographs, and in place of characters outside of words.

    Entries are added when they are first looked up.
    """

    def __init__(self) -> None:
        from ..unicode.letters import ALPHANUMERIC, IDEOGRAPHS, NOT_IN_BOTH
        from ..unicode.properties import boundaries_of

        super().__init__()
        self._ideographs = boundaries_of(IDEOGRAPHS)
        # Letters, marks and numbers. (They begin or end where only one of the two tables has a boundary.)
        self._word_characters = sorted({*boundaries_of(ALPHANUMERIC)} ^ {*boundaries_of(NOT_IN_BOTH)})

    def __missing__(self, code_point: int) -> Any:
        replacement: Any = code_point
        if not bisect_right(self._word_characters, code_point) % 2:
            replacement = " "
        elif bisect_right(self._ideographs, code_point) % 2:
            replacement = f" {chr(code_point)} "
        self[code_point] = replacement
        return replacement
