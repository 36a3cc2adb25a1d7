"""`--mbr`: of the samples of each segment, the one with the highest expected utility."""

from __future__ import annotations

import math

from ...decoding import best_samples
from ...errors import PurebleuError
from ...files.text import LineStream, aligned_blocks, may_have_columns
from ...report.delimited import delimited
from ...runtime.progress import observer
from ...unicode.whitespace import WHITESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Sequence, Tuple

    from ...decoding import Candidates
    from ...metrics.base import Metric
    from ...metrics.score import Score
    from ..arguments.options import Options

    #: The number of a segment, from 1; the index, the expected utility and the text of its chosen sample.
    Row = Tuple[int, int, float, str]


def chosen_samples(options: Options, metric: Metric[Score]) -> str:
    """The chosen sample of each segment, as text; nothing is printed before the last one has been chosen."""
    waiting: list[Sequence[str]] = []
    rows: list[Row] = []
    observer().begin("choosing", 0)
    for index, utility in best_samples(metric, read_segments(options, waiting), options.jobs, own_process=True):
        rows.append((len(rows) + 1, index, utility, waiting[len(rows)][index]))
        waiting[len(rows) - 1] = ()  # (their texts are not needed any more)
    if options.format == "text":
        return "\n".join([f"{utility:.{options.width}f}\t{index}\t{text}" if options.sentence_level else text
                          for _, index, utility, text in _checked_lines(rows)])
    if options.format == "json":
        from ...runtime.json_writer import to_json

        return to_json([{"line": line, "index": index, "utility": round(utility, options.width), "text": text}
                        for line, index, utility, text in rows], indent=1, ascii_only=False)
    return delimited(options.format, ("line", "index", "utility", "text"),
                     [(line, index, f"{utility:.{options.width}f}", text) for line, index, utility, text in rows])


def _checked_lines(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows, unless a text in them (of JSON) takes more than a line, which raises `PurebleuError`."""
    for line, _, _, text in rows:
        if "\n" in text:
            raise PurebleuError(f"the sample chosen for segment {line} has a line feed in it: use another format (-f)")
    return rows


def read_segments(options: Options, waiting: list[Sequence[str]]) -> Iterator[Candidates]:
    """The candidates for each segment; its samples are also appended to `waiting`."""
    streams = _open_samples(options)
    first = 1
    for columns in aligned_blocks(streams, "" if options.input else " (is -i missing?)"):
        texts = [[_texts_of(value, isinstance(stream, LineStream), f"{stream.name}: line {number}")
                  for number, value in enumerate(column, first)] for stream, column in zip(streams, columns)]
        first += len(columns[0])
        if fraction := streams[0].fraction_read():
            observer().expect(math.ceil((first - 1) / fraction))
        for samples, *references in zip(*texts):
            waiting.append(samples)
            yield samples, references[0] if references else None, None


def _open_samples(options: Options) -> list[Any]:
    """A stream for each file of samples (by default, standard input), and for that of references."""
    inputs: Sequence[str | None] = options.input or (None,)
    names = [*inputs, *options.references]
    encodings = options.encodings_of(len(inputs), len(options.references))
    if any(name is not None and may_have_columns(name) for name in names):
        from ..scoring.streams import open_columns

        return open_columns([], ["-" if name is None else name for name in names], {}, encodings)
    return list(map(LineStream, names, encodings))


def _texts_of(value: str | list[str | None] | None, is_line: bool, where: str) -> list[str]:
    """The samples in a line, separated by tabs, or in a value of a column.

    Raises `PurebleuError` where there are no samples, or one of them is `null`.
    """
    if isinstance(value, str):
        texts_of_line = value.split("\t") if is_line else [value]
        value = [text.rstrip(WHITESPACE) for text in texts_of_line] if value else []
    if not value:
        raise PurebleuError(f"{where} has no samples")
    texts = [text for text in value if text is not None]
    if len(texts) < len(value):
        raise PurebleuError(f"{where} has null among its samples")
    return texts
