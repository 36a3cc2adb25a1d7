r"""The tokenizer of the mteval-v13a script (NIST), which is the default of BLEU.

The steps, in this order:

 1. `<skipped>` is removed. A hyphen before a line feed is removed with the line feed. Other line feeds become spaces.
    (Only lines from Python programs may contain line feeds.)
 2. `&quot;` becomes `"`, then `&amp;` becomes `&`, then `&lt;` becomes `<`, and then `&gt;` becomes `>`. (So `&amp;lt;`
    becomes `<`, too.)
 3. A space is added before and after the line.
 4. Four substitutions put spaces on both sides of
     * each ASCII symbol except `'`, `,`, `-` and `.`;
     * a full stop or comma after a character that is not a digit;
     * a full stop or comma before a character that is not a digit;
     * a hyphen after a digit.
 5. The tokens are the words between whitespace.

Each substitution goes from left to right and uses no character twice. So a mark in a run of marks may stay as it is:
`5...5` becomes `5 . . .5`.
`separation` finds the same tokens in many lines at once.
"""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer, words_of

#: Entities, in the order in which they are resolved.
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


class Tokenizer13a(BaseTokenizer):
    """Resolves four entities, and separates ASCII punctuation except in numbers (mteval-v13a, NIST).

    >>> Tokenizer13a()('It cost 3.50, "&lt;he&gt;" said (1-2).')
    'It cost 3.50 , " < he > " said ( 1 - 2 ) .'
    """

    SIGNATURE = "13a"
    FASTER = "13a"

    def tokenize_line(self, line: str) -> list[bytes]:
        line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        return words_of(separate_marks(separate_symbols(f" {resolve_entities(line)} ")))


def resolve_entities(line: str) -> str:
    """Replace four entities, one after the other."""
    if "&" in line:
        for entity, character in _ENTITIES:
            line = line.replace(entity, character)
    return line


def separate_symbols(line: str) -> str:
    """Put spaces around the symbols that are always separated (the first substitution)."""
    import re

    return re.sub(r"([!-&(-+/:-@\[-`{-~])", r" \1 ", line)


def separate_marks(line: str) -> str:
    """Put spaces around full stops, commas and hyphens (the other three substitutions)."""
    import re

    line = re.sub("([^0-9])([.,])", r"\1 \2 ", line)
    line = re.sub("([.,])([^0-9])", r" \1 \2", line)
    return re.sub("([0-9])(-)", r"\1 \2 ", line)
