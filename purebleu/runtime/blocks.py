"""The sizes of the blocks of segments into which a corpus is divided, and pieces of blocks for worker processes."""

from __future__ import annotations

from .hints import Any, Iterable, Iterator

#: The number of segments that are read and scored together. (Larger blocks would need more memory, and smaller blocks
#: would need more time.)
BLOCK_SEGMENTS = 4096

#: A block ends early if its segments have this many characters.
BLOCK_CHARACTERS = 1 << 20

#: A block is split into pieces of at least this many segments, because it takes time to send a piece to a worker.
MIN_PIECE_SEGMENTS = 500

#: The number of segments that a metric preprocesses and counts together. (Metrics such as TER compute the edits of
#: these segments together, as bits of one large integer, which should fit into the processor's cache.)
EDIT_SEGMENTS = 512

#: The number of segments whose tokens and n-grams fit into a processor's cache. (This size saves a fifth of the time.)
CACHED_SEGMENTS = 100


def slices(length: int, size: int) -> Iterator[slice]:
    """Return the slices of `size` items that cover a sequence of this length.

    >>> list(slices(5, 3))
    [slice(0, 3, None), slice(3, 6, None)]
    """
    return (slice(start, start + size) for start in range(0, length, size))


def divided_blocks(blocks: Iterable[tuple[Any, Any]], workers: int) -> Iterator[tuple[Any, Any]]:
    """Divide each block, which has columns of outputs and columns of references, into pieces for the workers.

    The pieces of a block have about the same length. If the block is long, there is a piece for each worker.
    """
    for systems, references in blocks:
        length = len(systems[0])
        for indices in slices(length, max(MIN_PIECE_SEGMENTS, -(-length // workers))):
            yield [column[indices] for column in systems], [column[indices] for column in references]
