"""Warnings about suspicious input: whole files that are scored as they stand, but were hardly meant like that."""

from __future__ import annotations

from ...errors import LengthError, warn
from ...files.text import aligned_blocks, is_blank
from ...metrics import metric_class
from ...metrics.blank import BlankReferences
from ...metrics.long_lines import LongLines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Mapping, Sequence, Union

    from ...files.text import Line, ParallelStream
    from ..arguments.options import Options

    Lines = Union[Sequence[str], Sequence[bytes]]


def advised_blocks(options: Options, streams: Sequence[ParallelStream[Line]],
                   reopen: Callable[[], Sequence[ParallelStream[str]]], advice: str = "") -> Iterator[list[list[Line]]]:
    """As `aligned_blocks`; where numbers of lines differ, the error names the line where files diverge, and a remedy.

    Args:
        options: those of the run.
        streams: those that are read.
        reopen: opens the text of systems and references once more.
        advice: as for `aligned_blocks`.
    """
    try:
        yield from aligned_blocks(streams, advice)
    except LengthError as error:
        from .mismatch import advice_on_lengths, can_be_read_again

        if options.resegment or not can_be_read_again(options):
            raise
        raise LengthError(f"{error}{advice_on_lengths(options, reopen())}") from None


class InputChecks:
    """Looks at lines as they are read, and warns of files that are odd from the first line to the last.

    `hypotheses` and `references` are the names of files, whose lines `see` gets in the same order; `metrics` are names
    in the registry. Segments with blank references are warned of, too, and lines that a metric takes long for.
    """

    def __init__(self, hypotheses: Sequence[str], references: Sequence[str], metrics: Sequence[str]) -> None:
        self._names = hypotheses
        self._blank: Mapping[int, str] = dict(enumerate(hypotheses))
        self._tabbed: Mapping[int, str] = dict(enumerate(references))
        self._references = BlankReferences("line")
        self._long = [LongLines(metric_class(name.upper()), name.upper()) for name in metrics]

    def see(self, hypotheses: Sequence[Lines], references: Sequence[Lines]) -> None:
        """Take in the next lines of each file."""
        self._blank = {index: name for index, name in self._blank.items() if all(map(is_blank, hypotheses[index]))}
        self._tabbed = {index: name for index, name in self._tabbed.items() if all(map(_has_tab, references[index]))}

    def see_segments(self, systems: Sequence[Lines], references: Sequence[Sequence[Any]], lines: Sequence[int]) -> None:
        """Take in the next segments before they are scored, with the numbers of their lines."""
        if references:
            self._references.see(references, lines)
        for of_metric in self._long:
            for name, hypotheses in zip(self._names, systems):
                of_metric.see(hypotheses, references, f"{name}: line", lines)

    def warn(self) -> None:
        """Issue the warnings, after the last line. (Of lines that take long, the first is warned of at once.)"""
        for of_metric in self._long:
            of_metric.warn_of_more()
        for name in self._blank.values():
            warn(f"{name}: all hypotheses are blank")
        self._references.warn()
        for name in self._tabbed.values():
            warn(f"{name} has a tab on every line, which counts as whitespace (--num-refs splits lines into several "
                 "references)")


def _has_tab(line: str | bytes) -> bool:
    return b"\t" in line if isinstance(line, bytes) else "\t" in line
