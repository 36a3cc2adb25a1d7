"""Stored rows: written to a file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..corpus.inputs import Inputs
    from ..corpus.metrics import MetricChoice
    from ..corpus.scored import Scored


def write_rows(path: str, scored: Scored, inputs: Inputs, choice: MetricChoice) -> None:
    """Write the rows of a scoring to a file, with checksums of the text that they were counted from."""
    from ...rows.file import write
    from ..corpus.digests import stored_parts

    write(path, stored_parts(scored, inputs, choice))
