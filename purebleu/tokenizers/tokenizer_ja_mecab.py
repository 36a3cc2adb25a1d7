"""The tokenizer for Japanese: MeCab with the IPA dictionary."""

from __future__ import annotations

from ..engines.mecab import Distribution, fastest_split, find_dictionary
from ..runtime.hints import Any
from ..unicode.properties import WHITESPACE
from .tokenizer_base import BaseTokenizer, words_of


class MecabTokenizer(BaseTokenizer):
    """Splits text into the words of a MeCab dictionary. In `SIGNATURE`, `{}` stands for the version of MeCab."""

    DICTIONARY: Distribution

    def __init__(self) -> None:
        self._split, self._version = fastest_split(find_dictionary(self.DICTIONARY), self.DICTIONARY)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()  # (a memory-mapped dictionary can't be sent to another process)

    def signature(self) -> str:
        return self.SIGNATURE.format(self._version)

    def tokenize_line(self, line: str) -> list[bytes]:
        return words_of(self(line))

    def __call__(self, line: str) -> str:
        """Return MeCab's words, joined by spaces. (BLEU ignores Unicode spaces, which MeCab may return as words.)"""
        return " ".join(self._split(line.strip(WHITESPACE))).strip(WHITESPACE)


class TokenizerJaMecab(MecabTokenizer):
    """Splits Japanese into words, as MeCab does."""

    SIGNATURE = "ja-mecab-{}-IPA"
    DICTIONARY = Distribution(
        "the IPA dictionary", 392126, variable="PUREBLEU_MECAB_DICDIR", package="ipadic",
        folders=("/var/lib/mecab/dic/ipadic-utf8", "/usr/share/mecab/dic/ipadic"), binding="MeCab", version="0.996",
        advice="ja-mecab needs MeCab's IPA dictionary: install ipadic (from PyPI) or mecab-ipadic-utf8 (of Debian), or "
               "take -tok char or -m chrf")
