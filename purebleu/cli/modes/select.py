"""`--select N`: the segments most worth annotating, which are those that systems translate most differently."""

from __future__ import annotations

from ...errors import OptionError, printable
from ...meta_evaluation.selection import chosen_segments, similarities
from ...metrics import CHRF
from ..scoring.corpus import read_blocks
from ..scoring.metrics import make_metrics
from ..scoring.types import SegmentList
from .results import NOTHING_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Mapping, Sequence

    from ..arguments.options import Options

#: The columns of the table, and the members of JSON.
_COLUMNS = ("line", "id", "similarity", "source")


def select_segments(options: Options) -> str:
    """A table of the segments whose outputs differ most, the most different first: line, id, similarity, source."""
    listed = SegmentList()
    outputs: list[list[str]] = []
    for systems, _ in read_blocks(options, listed):
        outputs = outputs or [[] for _ in systems]
        for lines, further in zip(outputs, systems):
            lines += further
    if not outputs:
        raise OptionError(NOTHING_LEFT)
    if len(outputs) < 2:
        raise OptionError("--select compares two systems or more", option="select")
    [metric] = make_metrics(options) or [CHRF()]
    if metric.lacks_weights():
        raise OptionError("--select compares outputs without references, which NIST needs: choose another metric with "
                          "-m", option="metrics")
    scores = similarities(outputs, metric)
    rows = [{"line": listed.numbers[index], "similarity": scores[index],
             **{name: listed.columns[column][index] for name, column in (("id", "id"), ("source", "src"))
                if column in listed.columns}}
            for index in chosen_segments(scores, options.select or 0, metric.LOWER_IS_BETTER)]
    return _written(options, rows)


def _written(options: Options, rows: Sequence[Mapping[str, object]]) -> str:
    if options.format == "json":
        from ...runtime.json_writer import to_json

        return to_json(rows, indent=1, ascii_only=False)
    table = [{**row, "similarity": f"{row['similarity']:.{options.width}f}"} for row in rows]
    columns = [column for column in _COLUMNS if column in table[0]]
    if options.format == "text":
        return "\n".join(["\t".join([printable(str(row[column])) for column in columns]) for row in table])
    from ...report.delimited import delimited

    return delimited(options.format, columns, [[row[column] for column in columns] for row in table])
