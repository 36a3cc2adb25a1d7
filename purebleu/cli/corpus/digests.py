"""`--save-rows`: the rows of a scoring, in a file, with checksums of the text that they were counted from."""

from __future__ import annotations

from ...rows.checksums import added_checksums, text_checksum
from ...rows.stored import StoredRows
from .units import labels_of_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator

    from .inputs import Inputs
    from .metrics import MetricChoice
    from .scored import Block, Scored


class TextChecksums:
    """The checksums of a text that `see` takes in block by block.

    Attributes:
        offset: the index of its first segment.
        systems: the checksum of each system's outputs.
        references: the checksum of each stream of references. (A later block may have more streams than the first.)
    """

    def __init__(self, offset: int) -> None:
        self.systems: list[str] = []
        self.references: list[str] = []
        self.offset = offset
        self._seen = 0

    def see(self, block: Block) -> None:
        """Take in the next block."""
        for checksums, streams in zip((self.systems, self.references), block):
            checksums += [text_checksum([])] * (len(streams) - len(checksums))
            for index, lines in enumerate(streams):
                checksums[index] = added_checksums([checksums[index], text_checksum(lines, self.offset + self._seen)])
        self._seen += len(block[0][0])


def stored_parts(scored: Scored, inputs: Inputs, choice: MetricChoice) -> Iterator[StoredRows]:
    """The rows of each system under each metric."""
    checksums, listed = scored.checksums, scored.listed
    assert checksums is not None, "they were asked for"
    labels = labels_of_units(inputs, listed)
    names = inputs.system_names(len(checksums.systems))
    # (In the order given, as tables of a paired test have them. A baseline that was stored before comes first.)
    order = [choice.names.index(name) for name in choice.as_given]
    systems = scored.as_given(scored.systems)[len(scored.systems) - len(names):]
    for name, system, checksum in zip(names, systems, checksums.systems):
        for index in order:
            yield StoredRows.of_evaluation(name, scored.metrics[index], system.evaluations[index].signature(),
                                           system.rows[index], offset=checksums.offset, hypothesis_sha256=checksum,
                                           references_sha256=checksums.references, naming=inputs.naming,
                                           labels=labels)
