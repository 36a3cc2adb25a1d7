"""Integer ids for the symbols of segments, from an interning table per segment: equal where the symbols are.

The ids of a segment are bytes, `size` of them a symbol. They mean something only within their segment (a hypothesis
and its references); so ids can be small, and the fewer bits they take, the faster they are matched.
"""

from __future__ import annotations

from itertools import repeat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Hashable, Sequence

    from .counting import Symbols

#: The length, in tokens, of the longest segment that `ids_of_tokens` takes: ids are positions in it, and the two
#: highest bytes are padding.
MAX_TOKENS = 253

#: The bytes, by the size of ids, that ids of padding consist of, which no symbol has: after the end of a hypothesis;
#: and after the end of a reference, also of tokens there that the hypothesis does not have. (Nor has any symbol the id
#: with all bits set.)
PADDING = {1: (b"\xfe", b"\xff"), 2: (b"\xd8", b"\xdc")}


class Ids:
    """The ids of some segments.

    Args:
        sides: for each side (hypotheses, then each stream of references), the ids of each segment.
        size: the number of bytes of an id, 1 or 2.
        limit: larger than any id of one byte, so 0 where all take two; `None` where an id may be any position in its
            segment.
    """

    def __init__(self, sides: Sequence[list[bytes]], size: int, limit: int | None) -> None:
        self.sides = sides
        self.size = size
        self.limit = limit


def ids_of_tokens(columns: Sequence[Sequence[Symbols]]) -> Ids:
    """The ids of tokens: the position of a token's first occurrence in the hypothesis.

    Args:
        columns: the hypotheses, then each stream of references; no segment is longer than `MAX_TOKENS` tokens.
    """
    hypotheses, *references = columns
    tables: list[dict[Hashable, int]] = [{} for _ in hypotheses]
    positions, absent = range(MAX_TOKENS), repeat(PADDING[1][1][0])
    # Most of the time of BLEU goes into these maps, so there is as little as possible around them.
    sides = [[bytes(map(table.setdefault, tokens, positions)) for table, tokens in zip(tables, hypotheses)]]
    for column in references:
        sides.append([bytes(map(table.get, tokens, absent)) for table, tokens in zip(tables, column)])
    return Ids(sides, 1, None)
