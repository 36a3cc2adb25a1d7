"""Warnings about suspicious input: files that can be scored, but are hardly the ones that were meant."""

from __future__ import annotations

from ...errors import LengthError, warn
from ...files.text import aligned_blocks, is_blank
from ...metrics.long_lines import LongLines
from ...metrics.text_warnings import TextWarnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Mapping, Sequence, Union

    from ...files.text import Line, ParallelStream
    from ...metrics.base import Metric
    from ...metrics.contract import Contract
    from ...metrics.score import Score
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
    """Warnings about files that are odd in every line, texts that hardly are what was meant, and slow lines.

    Args:
        metrics: the metrics that the lines are scored with, if any.
        warned: the kinds of warnings about texts that have been issued, as `TextWarnings` has it.
    """

    def __init__(self, metrics: Sequence[Metric[Score]] = (), warned: set[str] | None = None) -> None:
        self._metrics = [metric for metric in metrics if metric.COUNTS_TEXT]
        self._long = [LongLines(type(metric), type(metric).__name__) for metric in self._metrics]
        self._warned = warned
        self.open([], [], False)

    def open(self, hypotheses: Sequence[str], references: Sequence[str], splits_references: bool) -> None:
        """Take in the names of files, in the order in which `see` gets their lines.

        `splits_references` says whether a tab separates references.
        """
        self._names = hypotheses
        self._blank: Mapping[int, str] = dict(enumerate(hypotheses))
        self._tabbed: Mapping[int, str] = {} if splits_references else dict(enumerate(references))
        self._texts = TextWarnings(self._metrics, hypotheses, references, "line", self._warned)

    def see(self, hypotheses: Sequence[Lines], references: Sequence[Lines]) -> None:
        """Take in the next lines of each file."""
        self._blank = {index: name for index, name in self._blank.items() if all(map(is_blank, hypotheses[index]))}
        self._tabbed = {index: name for index, name in self._tabbed.items() if all(map(_has_tab, references[index]))}

    def see_segments(self, systems: Sequence[Lines], references: Sequence[Sequence[Any]], lines: Sequence[int]) -> None:
        """Take in the next segments before they are scored, with the numbers of their lines."""
        self._texts.see(systems, references, lines)
        for long_lines in self._long:
            for index, hypotheses in enumerate(systems):
                # (The last name may be that of standard input, with several systems.)
                name = self._names[min(index, len(self._names) - 1)]
                long_lines.see(hypotheses, references, f"{name}: line", lines)

    def suits(self, metric: Contract[Score]) -> bool:
        """Whether a metric finds the words of these texts."""
        return self._texts.suits(metric)

    def warn(self) -> None:
        """Issue the warnings, after the last line. (That of the first line that takes long has been issued before.)"""
        for long_lines in self._long:
            long_lines.warn_of_more()
        for name in self._blank.values():
            warn(f"{name}: all hypotheses are blank")
        self._texts.warn()
        for name in self._tabbed.values():
            warn(f"{name} has a tab on every line, which counts as whitespace (--num-refs splits lines into several "
                 "references)")


def _has_tab(line: str | bytes) -> bool:
    return b"\t" in line if isinstance(line, bytes) else "\t" in line
