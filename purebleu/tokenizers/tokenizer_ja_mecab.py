"""The tokenizer for Japanese: MeCab's words, by the IPA dictionary."""

from __future__ import annotations

from ..engines.mecab.installation import fastest_split, find_dictionary
from ..hints import Any
from ..unicode.properties import WHITESPACE
from .tokenizer_base import BaseTokenizer, words_of

_VARIABLE = "PUREBLEU_MECAB_DICDIR"
_DEBIAN = ("/var/lib/mecab/dic/ipadic-utf8", "/usr/share/mecab/dic/ipadic")
_ADVICE = ("ja-mecab needs MeCab's IPA dictionary: install ipadic (from PyPI) or mecab-ipadic-utf8 (of Debian), or "
           "take -tok char or -m chrf")
_SIZE = 392126


class TokenizerJaMecab(BaseTokenizer):
    """Splits Japanese into words, as MeCab does."""

    def __init__(self) -> None:
        folder = find_dictionary(_VARIABLE, "ipadic", _DEBIAN, _ADVICE)
        self._split, self._version = fastest_split(folder, _SIZE, "the IPA dictionary", "MeCab", "0.996")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()  # a mapped dictionary can't be sent to another process

    def signature(self) -> str:
        return f"ja-mecab-{self._version}-IPA"

    def tokenize_line(self, line: str) -> list[bytes]:
        return words_of(self(line))

    def __call__(self, line: str) -> str:
        """Return MeCab's words. (They may be spaces of Unicode, which BLEU takes for spaces between words.)"""
        return " ".join(self._split(line.strip(WHITESPACE))).strip(WHITESPACE)
