"""`--save-rows`: the rows of a scoring, in a file, with checksums of the text that they were counted from."""

from __future__ import annotations

from ...rows.checksums import added_checksums, text_checksum
from ...rows.file import write
from ...rows.stored import StoredRows
from .corpus import evaluate_systems
from .naming import naming_of, system_inputs
from .units import labels_of_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterator, Sequence

    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.options import Options
    from .types import Block, SegmentList, System


class TextChecksums:
    """The checksums of a text that `see` takes in block by block; `offset` is the index of its first segment.

    Attributes:
        systems: the checksum of each system's outputs.
        references: the checksum of each stream of references. (A later block may have more streams than the first.)
    """

    def __init__(self, offset: int) -> None:
        self.systems: list[str] = []
        self.references: list[str] = []
        self._offset = offset

    def see(self, block: Block) -> None:
        """Take in the next block."""
        for checksums, streams in zip((self.systems, self.references), block):
            checksums += [text_checksum([])] * (len(streams) - len(checksums))
            for index, lines in enumerate(streams):
                checksums[index] = added_checksums([checksums[index], text_checksum(lines, self._offset)])
        self._offset += len(block[0][0])


def evaluate_with_checksums(options: Options, metrics: Sequence[Metric[Score]], see: Callable[[Block], None] | None,
                          listed: SegmentList | None) -> tuple[list[System], list[str]]:
    """The results of `evaluate_systems`, and the checksums of the references; `--save-rows` is written, if given."""
    checksums = TextChecksums(options.offset)

    def see_block(block: Block) -> None:
        checksums.see(block)
        if see is not None:
            see(block)

    systems = evaluate_systems(options, metrics, see_block, listed)
    if systems and options.save_rows:
        write(options.save_rows, stored_parts(options, metrics, systems, checksums, listed))
    return systems, checksums.references


def stored_parts(options: Options, metrics: Sequence[Metric[Score]], systems: Sequence[System],
                 checksums: TextChecksums, listed: SegmentList | None) -> Iterator[StoredRows]:
    """The rows of each system under each metric; `metrics` are in the order of `options.metrics`."""
    labels = labels_of_units(options, listed)
    inputs = system_inputs(options, len(systems))
    # (In the order given, as tables of a paired test have them.)
    order: list[int] = [options.metrics.index(name) for name in options.metrics_as_given]
    for name, system, checksum in zip(inputs, systems, checksums.systems):
        for index in order:
            yield StoredRows.of_evaluation(name, metrics[index], system.evaluations[index].signature(),
                                           system.rows[index], offset=options.offset, hypothesis_sha256=checksum,
                                           references_sha256=checksums.references, naming=naming_of(options),
                                           labels=labels)
