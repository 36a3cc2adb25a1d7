"""Sizes of the blocks in which a corpus is read, scored and sent to workers."""

from __future__ import annotations

from .hints import Iterator

#: Segments that are read, scored and sent to a worker together. (Large enough for work on whole blocks, and small
#: enough for flat memory.)
BLOCK_SEGMENTS = 4096

#: Fewer are taken together if they have more characters than this.
BLOCK_CHARACTERS = 1 << 20

#: The smallest piece of a block that is worth sending to a worker.
MIN_PIECE_SEGMENTS = 500

#: Segments that are preprocessed and counted together. Metrics of edits search for all of theirs at once: these are
#: enough to fill large integers, and few enough for a cache.
EDIT_SEGMENTS = 512

#: Segments whose tokens and n-grams stay in a processor's cache, which saves a fifth of the time.
CACHED_SEGMENTS = 100


def slices(length: int, size: int) -> Iterator[slice]:
    """Slices of `size` that cover a sequence of this length.

    >>> list(slices(5, 3))
    [slice(0, 3, None), slice(3, 6, None)]
    """
    return (slice(start, start + size) for start in range(0, length, size))
