"""Warnings about suspicious input: files that can be scored, but are hardly the ones that were meant."""

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
        options: the options of the run.
        streams: the streams to read.
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
    """Warnings about files that are odd in every line, blank references, and lines that a metric takes long for.

    `hypotheses` and `references` are the names of files, in the order in which `see` gets their lines; `metrics` are
    names in the registry.
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
        for long_lines in self._long:
            for name, hypotheses in zip(self._names, systems):
                long_lines.see(hypotheses, references, f"{name}: line", lines)

    def warn(self) -> None:
        """Issue the warnings, after the last line. (That of the first line that takes long has been issued before.)"""
        for long_lines in self._long:
            long_lines.warn_of_more()
        for name in self._blank.values():
            warn(f"{name}: all hypotheses are blank")
        self._references.warn()
        for name in self._tabbed.values():
            warn(f"{name} has a tab on every line, which counts as whitespace (--num-refs splits lines into several "
                 "references)")


def _has_tab(line: str | bytes) -> bool:
    return b"\t" in line if isinstance(line, bytes) else "\t" in line
