r"""The tokenizer of the mteval-v13a script (NIST): BLEU's default.

It does this to a line, in this order:

 1. `<skipped>` is removed. A hyphen before a line feed is removed together with it; another line feed is a space. (Only
    the API can bring line feeds inside of a line.)
 2. If the line has an `&`, then `&quot;` becomes `"`, `&amp;` becomes `&`, `&lt;` becomes `<`, and `&gt;` becomes `>`,
    one after the other; so `&amp;lt;` ends as `<`.
 3. A space is added before and after the line.
 4. Four substitutions, each of which goes through the line from left to right:
     * a space on either side of each ASCII symbol but `'`, `,`, `-` and `.`;
     * a space on either side of a full stop or comma that follows anything but a digit;
     * a space on either side of a full stop or comma that anything but a digit follows;
     * a space on either side of a hyphen that follows a digit.
 5. The tokens are the words between whitespace.

A substitution uses no character twice, so of neighbouring marks every other one may stay: see `separation`, which finds
the same tokens in many lines at once.
"""

from __future__ import annotations

from .tokenizer_base import BaseTokenizer, words_of

#: Entities, in the order in which they are resolved.
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


class Tokenizer13a(BaseTokenizer):
    """Separates ASCII punctuation, except in numbers, after resolving four entities (mteval-v13a, NIST).

    >>> Tokenizer13a()('It cost 3.50, "&lt;he&gt;" said (1-2).')
    'It cost 3.50 , " < he > " said ( 1 - 2 ) .'
    """

    FASTER = "13a"

    def signature(self) -> str:
        return "13a"

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
    """Put spaces around the symbols that mteval-v13a always separates: the first of its four substitutions."""
    import re

    return re.sub(r"([!-&(-+/:-@\[-`{-~])", r" \1 ", line)


def separate_marks(line: str) -> str:
    """Put spaces around full stops, commas and hyphens: the other three of the substitutions, in their order."""
    import re

    line = re.sub("([^0-9])([.,])", r"\1 \2 ", line)
    line = re.sub("([.,])([^0-9])", r" \1 \2", line)
    return re.sub("([0-9])(-)", r"\1 \2 ", line)
