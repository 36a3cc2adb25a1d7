r"""The tokenizer of the mteval-v14 script (NIST), which separates punctuation and symbols of all languages.

P, S and N are Unicode's categories of punctuation, symbols and numbers (which include digits). The steps, in this
order:

 1. Spaces are put on both sides of each P after a character that is not N: `([^N])(P)` becomes `\1 \2 `.
 2. Spaces are put on both sides of each P before a character that is not N: `(P)([^N])` becomes ` \1 \2`.
 3. Spaces are put on both sides of each S.
 4. The tokens are the words between whitespace.

Each substitution goes from left to right and uses no character twice. The categories come from `unicode.tables`, so
they are the same in all versions of Python.
`separation` finds the same tokens in many lines at once.
"""

from __future__ import annotations

from functools import lru_cache

from ..runtime.hints import Any
from .tokenizer_base import BaseTokenizer, brackets, words_of


class TokenizerV14International(BaseTokenizer):
    """Separates all symbols, and punctuation except in numbers (mteval-v14, NIST).

    >>> TokenizerV14International()("“It cost 3.50 €”…")
    '“ It cost 3.50 € ” …'
    """

    SIGNATURE = "intl"
    FASTER = "intl"

    def tokenize_line(self, line: str) -> list[bytes]:
        for pattern, replacement in _substitutions():
            line = pattern.sub(replacement, line)
        return words_of(line)


@lru_cache(maxsize=None)
def _substitutions() -> tuple[tuple[Any, str], ...]:
    """Return the patterns of the three substitutions, with their replacements."""
    import re

    from ..unicode.properties import boundaries_of
    from ..unicode.tables import NUMERIC, PUNCTUATION, SYMBOLS

    number, mark, symbol = [brackets(boundaries_of(table)) for table in (NUMERIC, PUNCTUATION, SYMBOLS)]
    return ((re.compile(f"([^{number}])([{mark}])"), r"\1 \2 "), (re.compile(f"([{mark}])([^{number}])"), r" \1 \2"),
            (re.compile(f"([{symbol}])"), r" \1 "))
