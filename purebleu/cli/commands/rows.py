"""`purebleu rows`: what files of stored rows contain."""

from __future__ import annotations

from ..arguments.command import Answer, Command
from ..arguments.groups import Option, OutputValues
from ..arguments.values import check_needs
from ..corpus.rows import list_of_rows


class RowsValues(OutputValues):
    """The values of the options of `purebleu rows`."""

    files: list[str] = []


def run_rows(values: RowsValues) -> Answer:
    """List the parts of files that have stored rows."""
    check_needs(values.files, "rows", "files that --save-rows wrote")
    return Answer(list_of_rows(values.files))


ROWS = Command(
    "rows", "rows FILE ...",
    "Show what files of --save-rows contain. Each part has a line with the file, the system, the metric, the number of "
    "earlier segments, the number of segments, and the signature.",
    run_rows, RowsValues, (
        Option("files", form="positional", metavar="FILE", help="a file of --save-rows"),
    ), (), (), (
        ("stored.rows", "the parts of a file"),
        ("part1.rows.gz part2.rows.gz", "the parts of two files"),
    ))
