"""The sizes of blocks of segments, and functions that divide a corpus into blocks."""

from __future__ import annotations

from .hints import Any, Iterable, Iterator

#: The number of segments that are read and scored together. (More would need more memory, and fewer would take longer.)
BLOCK_SEGMENTS = 4096

#: A block ends early if its segments have this many characters.
BLOCK_CHARACTERS = 1 << 20

#: A block is split into pieces of at least this many segments, because sending a piece to a worker takes time.
MIN_PIECE_SEGMENTS = 500

#: The number of segments that a metric preprocesses and counts together. (Metrics that count edits use large integers
#: with the bits of all these segments, which should fit into the processor's cache.)
EDIT_SEGMENTS = 512

#: The number of segments whose tokens and n-grams fit into the processor's cache, which saves a fifth of the time.
CACHED_SEGMENTS = 100


def slices(length: int, size: int) -> Iterator[slice]:
    """Return slices of `size` items that divide a sequence of this length.

    >>> list(slices(5, 3))
    [slice(0, 3, None), slice(3, 6, None)]
    """
    return (slice(start, start + size) for start in range(0, length, size))


def divided_blocks(blocks: Iterable[tuple[Any, Any]], workers: int) -> Iterator[tuple[Any, Any]]:
    """Divide each block (the lines of each system, and the streams of references) into pieces for the workers.

    If a block is long enough, there is a piece of equal length for each worker.
    """
    for systems, references in blocks:
        length = len(systems[0])
        for indices in slices(length, max(MIN_PIECE_SEGMENTS, -(-length // workers))):
            yield [lines[indices] for lines in systems], [stream[indices] for stream in references]
