"""The tokenizer of the mteval-v13a script: BLEU's default, and the post-processing of `zh`."""

from __future__ import annotations

from .base import BaseTokenizer
from .separation import (
    DIGIT,
    MARK,
    OTHER,
    glued_marks,
    join_spaced,
    positions_of,
    separate,
    separate_with_exceptions,
    spaced,
    split_block,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

#: Always separated: ASCII punctuation and symbols other than `'`, `,`, `-` and `.`.
_SYMBOLS = spaced(bytes([byte]) for byte in b'!"#$%&()*+/:;<=>?@[\\]^_`{|}~')

#: Separated unless they are glued to a digit.
_MARKS = spaced([b".", b","])

#: Separated where it follows a digit.
_DASH = b"-"

#: Entities, in the order in which they are resolved.
_ENTITIES = ((b"&quot;", b'"'), (b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">"))


def _classes(line_feed: bytes) -> bytes:
    """A table for `bytes.translate` from a byte to its class, a line feed counting as `line_feed`."""
    table = bytearray(OTHER * 256)
    for digit in b"0123456789":
        table[digit] = ord(DIGIT)
    for mark, _ in _MARKS:
        table[ord(mark)] = ord(MARK)
    table[ord("\n")] = ord(line_feed)
    return bytes(table)


_CLASSES_OF_PADDED_LINES = _classes(line_feed=OTHER)
_CLASSES_OF_BARE_LINES = _classes(line_feed=DIGIT)


def separate_symbols(block: bytes) -> bytes:
    """The block of lines with the symbols separated that mteval-v13a always separates."""
    return separate(block, _SYMBOLS)


def separate_marks(block: bytes, padded: bool) -> bytes:
    """The block with mteval-v13a's full stops, commas and dashes separated, after `separate_symbols`.

    With `padded`, the rules see a space before and after each line, as those of 13a do (those of zh do not).
    """
    classes = block.translate(_CLASSES_OF_PADDED_LINES if padded else _CLASSES_OF_BARE_LINES)
    exceptions = glued_marks(block, classes)
    exceptions += [(dash, dash + 1, b" - ") for dash in positions_of(_DASH, block) if block[dash - 1:dash].isdigit()]
    return separate_with_exceptions(block, _MARKS, sorted(exceptions))


def resolve_entities(block: bytes) -> bytes:
    """The block with four entities resolved, one after the other: so `&amp;lt;` ends as `<`."""
    if b"&" in block:
        for entity, character in _ENTITIES:
            block = block.replace(entity, character)
    return block


class Tokenizer13a(BaseTokenizer):
    """Separates ASCII punctuation, except in numbers, after resolving four entities (mteval-v13a, NIST)."""

    def signature(self) -> str:
        return "13a"

    def tokenize_lines(self, lines: Sequence[str]) -> list[list[bytes]]:
        block = join_spaced(lines).replace(b"<skipped>", b"")
        if block.count(b"\n") > len(lines) + 1:
            # Only the API can bring line feeds inside of a line; their hyphens need the rules in the order of mteval.
            block = join_spaced(map(_join_hyphenated, lines))
        return split_block(separate_marks(separate_symbols(resolve_entities(block)), padded=True))


def _join_hyphenated(line: str) -> str:
    """`line` with the line feeds inside it removed: with the hyphen before them, or else replaced by a space."""
    return line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
