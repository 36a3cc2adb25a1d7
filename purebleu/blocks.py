"""Sizes of the blocks in which a corpus is read, scored and sent to workers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

#: Segments that are read, scored and sent to a worker together; a block of lines ends earlier where it has this many
#: characters. Large enough that work on whole blocks pays, small enough that memory stays flat.
BLOCK_SEGMENTS = 4096
BLOCK_CHARACTERS = 1 << 20

#: The smallest piece of a block that is worth sending to a worker.
MIN_PIECE_SEGMENTS = 500

#: Segments whose edits are searched for together: enough to fill large integers, and few enough for a processor's
#: cache.
EDIT_SEGMENTS = 512

#: Segments whose tokens and n-grams, with all that is made of them on the way, stay in a processor's cache: it saves a
#: fifth of the time (measured).
CACHED_SEGMENTS = 100


def slices(length: int, size: int) -> Iterator[slice]:
    """Slices of `size` that cover a sequence of this length.

    >>> list(slices(5, 3))
    [slice(0, 3, None), slice(3, 6, None)]
    """
    return (slice(start, start + size) for start in range(0, length, size))
