r"""The tokenizer of the mteval-v14 script (NIST), for any script: it separates the punctuation of all of Unicode.

It does this to a line, P, S and N being Unicode's categories of punctuation, symbols and numbers (digits among them):

 1. a space on either side of each P that follows a character which is no N: `([^N])(P)` becomes `\1 \2 `;
 2. a space on either side of each P before a character which is no N: `(P)([^N])` becomes ` \1 \2`;
 3. a space on either side of each S.
 4. The tokens are the words between whitespace.

Each substitution goes from left to right and uses no character twice. The categories are those of `unicode.tables`,
whatever Python this is.
`separation` finds the same tokens in many lines at once.
"""

from __future__ import annotations

from functools import lru_cache

from ..hints import Any
from .tokenizer_base import BaseTokenizer, brackets, words_of


class TokenizerV14International(BaseTokenizer):
    """Separates punctuation, except next to numbers as in 13a, and every symbol (mteval-v14, NIST).

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
    """Return the three patterns, each with what takes its place."""
    import re

    from ..unicode.properties import boundaries_of
    from ..unicode.tables import NUMERIC, PUNCTUATION, SYMBOLS

    number, mark, symbol = [brackets(boundaries_of(table)) for table in (NUMERIC, PUNCTUATION, SYMBOLS)]
    return ((re.compile(f"([^{number}])([{mark}])"), r"\1 \2 "), (re.compile(f"([{mark}])([^{number}])"), r" \1 \2"),
            (re.compile(f"([{symbol}])"), r" \1 "))
