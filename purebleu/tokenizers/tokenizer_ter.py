r"""The tokenizer of Tercom, for TER. (BLEU can't use this tokenizer, so the registry lacks it.)

The steps, in this order:

 1. The line is converted to lower case, unless `case_sensitive`.
 2. With `normalized`:
     * A line feed before a hyphen is removed with the hyphen. Other line feeds become spaces.
     * The entities of `tokenizer_13a` are resolved. A space is added before and after the line. Then the first
       substitution of `tokenizer_13a` separates symbols.
     * A space is put before each "'s" that has a space after it.
     * The other three substitutions of `tokenizer_13a` follow.
     * With `asian_support`, spaces are put on both sides of each character of `ASIAN_LETTERS` and of `ASIAN_MARKS`.
 3. With `no_punct`, the marks `.,?:;!"()` are removed. With `asian_support`, the `ASIAN_MARKS` are removed, too.
 4. The tokens are the words between whitespace.

`separation` finds the same tokens in many lines at once.
"""

from __future__ import annotations

from ..unicode.casing import lower_case
from .tokenizer_13a import resolve_entities, separate_marks, separate_symbols
from .tokenizer_base import BaseTokenizer, brackets, words_of


class TercomTokenizer(BaseTokenizer):
    """Splits a line at whitespace, in lower case unless `case_sensitive`. Further options change the line first.

    `normalized` resolves entities, and separates ASCII punctuation (as 13a does) and the possessive "'s". `no_punct`
    removes punctuation. `asian_support` extends both options to Chinese and Japanese.

    >>> TercomTokenizer(normalized=True)("Tom's hat, 3.5"), TercomTokenizer(no_punct=True)("Tom's hat, 3.5")
    ("tom 's hat , 3.5", "tom's hat 35")
    """

    SIGNATURE = "tercom"
    FASTER = "tercom"

    #: The boundaries (see `boundaries_of`) of marks that are removed or separated with `asian_support`.
    ASIAN_MARKS = (
        0x3001, 0x3003, 0x3008, 0x3012, 0x3014, 0x3020, 0x30FB, 0x30FC,  # CJK punctuation, the middle dot of katakana
        0xFF01, 0xFF03, 0xFF08, 0xFF0A, 0xFF0C, 0xFF0D, 0xFF0E, 0xFF0F, 0xFF1A, 0xFF1C, 0xFF1F, 0xFF20,  # full width
        0xFF61, 0xFF66,  # half-width forms
    )

    #: The boundaries of letters that are words of their own with `normalized` and `asian_support`.
    ASIAN_LETTERS = (
        # sacreBLEU-compat: hangul and kana are left out. (sacreBLEU has rules for kana at the start of a line, but
        # every line starts with a space.) (fixtures: tokens of tercom)
        0x2E80, 0x2F00,  # radicals
        0x31C0, 0x31F0,  # strokes
        0x3200, 0x4DC0,  # enclosed letters, compatibility, ideographs of extension A
        0x4E00, 0xA000,  # ideographs
        0xF900, 0xFB00,  # compatibility ideographs
        0xFE30, 0xFE50,  # compatibility forms
    )

    def __init__(self, normalized: bool = False, no_punct: bool = False, asian_support: bool = False,
                 case_sensitive: bool = False) -> None:
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive

    def tokenize_line(self, line: str) -> list[bytes]:
        import re

        if not self.case_sensitive:
            line = lower_case(line)
        if self.normalized:
            line = resolve_entities(line.replace("\n-", "").replace("\n", " "))
            line = separate_symbols(f" {line} ").replace("'s ", " 's ")
            line = separate_marks(line)
            if self.asian_support:
                line = re.sub(f"([{brackets(self.ASIAN_LETTERS)}{brackets(self.ASIAN_MARKS)}])", r" \1 ", line)
        if self.no_punct:
            line = re.sub('[.,?:;!"()]', "", line)
            if self.asian_support:
                line = re.sub(f"[{brackets(self.ASIAN_MARKS)}]", "", line)
        return words_of(line)
