"""`--save-rows`: the rows of a scoring, in a file, with checksums of the text that they were counted from."""

from __future__ import annotations

import hashlib

from ..rows.file import write
from ..rows.stored import StoredRows
from .corpus import evaluate_systems
from .results import naming_of, system_inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Callable, Iterator, Sequence

    from ..metrics.base import Metric
    from ..metrics.score import Score
    from .corpus import Block, SegmentList, System

#: What stands for a reference that a segment does not have; no text is encoded like this.
_MISSING = b"\xff\n"


class TextDigests:
    """The SHA-256 sums of the text that passes through `see`: of each system, and of each stream of references.

    There may be more streams of references in later blocks, where segments have more of them.
    """

    def __init__(self) -> None:
        self._columns: list[list[hashlib._Hash]] = [[], []]
        self._lines = 0

    def see(self, block: Block) -> None:
        """Take in the next block."""
        lines_here = len(block[0][0])
        for digests, streams in zip(self._columns, block):
            digests += [hashlib.sha256(_MISSING * self._lines) for _ in streams[len(digests):]]
            missing: list[list[None]] = [[None] * lines_here for _ in digests[len(streams):]]
            for digest, lines in zip(digests, [*streams, *missing]):
                digest.update(b"".join([_MISSING if line is None else (line + "\n").encode("utf-8", "surrogatepass")
                                        for line in lines]))
        self._lines += lines_here

    def sums(self) -> list[list[str]]:
        """Those of the systems, and those of the references."""
        return [[digest.hexdigest() for digest in digests] for digests in self._columns]


def evaluate_with_digests(options: Namespace, metrics: Sequence[Metric[Score]], see: Callable[[Block], None] | None,
                          listed: SegmentList | None) -> tuple[list[System], list[str]]:
    """What `evaluate_systems` returns, and the SHA-256 sums of the references.

    First, the rows are written to the file that the options name, if they name one.
    """
    digests = TextDigests()

    def see_too(block: Block) -> None:
        digests.see(block)
        if see is not None:
            see(block)

    systems = evaluate_systems(options, metrics, see_too, listed)
    of_systems, of_references = digests.sums()
    if systems and options.save_rows:
        write(options.save_rows, stored_parts(options, metrics, systems, of_systems, of_references))
    return systems, of_references


def stored_parts(options: Namespace, metrics: Sequence[Metric[Score]], systems: Sequence[System],
                 of_systems: Sequence[str], of_references: Sequence[str]) -> Iterator[StoredRows]:
    """The rows of each system under each metric; `metrics` are in the order of `options.metrics`."""
    inputs = system_inputs(options, len(systems))
    # (In the order given, as tables of a paired test have them.)
    order: list[int] = [options.metrics.index(name) for name in options.metrics_as_given]
    for name, (evaluations, rows), digest in zip(inputs, systems, of_systems):
        for index in order:
            yield StoredRows.of_evaluation(name, metrics[index], evaluations[index].signature(), rows[index],
                                           offset=options.offset, hypothesis_sha256=digest,
                                           references_sha256=of_references, naming=naming_of(options))
