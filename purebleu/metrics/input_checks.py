"""Warnings about files that can be scored, but are probably not what was meant."""

from __future__ import annotations

from ..errors import warn
from ..files.lines import is_blank
from ..hints import Any, Mapping, Sequence
from .base import Metric
from .score import Score
from .warnings import SlowLines, TextWarnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    from .near_references import TextSample

    Lines = Union[Sequence[str], Sequence[bytes]]


class InputChecks:
    """Warns of files with the same fault in every line, of dubious texts, and of lines that may take long.

    Attributes:
        metrics: the metrics that the lines are scored with.

    Args:
        metrics: the metrics that the lines are scored with, if any.
        warned: as for `TextWarnings`.
        samples: whether to keep a sample of the text, to see whether references are near one of several systems.
    """

    def __init__(self, metrics: Sequence[Metric[Score]] = (), warned: set[str] | None = None,
                 samples: bool = False) -> None:
        self.metrics = [metric for metric in metrics if metric.COUNTS_TEXT]
        self._slow = [SlowLines(metric) for metric in self.metrics]
        self._warned: set[str] = set() if warned is None else warned
        self._samples = samples
        self._sample: TextSample | None = None
        self._systems = 0
        self.open([], [], False)

    def open(self, hypotheses: Sequence[str], references: Sequence[str], splits_references: bool) -> None:
        """Take in the names of files, in the order in which `see` gets their lines.

        `splits_references` says whether a tab separates references.
        """
        self._references = references
        self._blank: Mapping[int, str] = dict(enumerate(hypotheses))
        self._tabbed: Mapping[int, str] = {} if splits_references else dict(enumerate(references))
        self._texts = TextWarnings(self.metrics, hypotheses, references, "line", self._warned)
        if self._samples and "near" not in self._warned:
            from .near_references import TextSample

            self._sample = TextSample()

    def see(self, hypotheses: Sequence[Lines], references: Sequence[Lines]) -> None:
        """Take in the next lines of each file."""
        self._blank = {index: name for index, name in self._blank.items() if all(map(is_blank, hypotheses[index]))}
        self._tabbed = {index: name for index, name in self._tabbed.items() if all(map(_has_tab, references[index]))}

    def see_segments(self, systems: Sequence[Lines], references: Sequence[Sequence[Any]], lines: Sequence[int]) -> None:
        """Take in the next segments before they are scored, with the numbers of their lines."""
        self._texts.see(systems, references, lines)
        if self._sample is not None and len(systems) > 1:
            self._systems = len(systems)
            self._sample.see(systems, references)
        for slow_lines in self._slow:
            for index, hypotheses in enumerate(systems):
                slow_lines.see(hypotheses, references, f"{self._texts.name_of(index)}: line", lines)

    def suits(self, metric: Metric[Score]) -> bool:
        """Whether a metric finds the words of these texts."""
        return self._texts.suits(metric)

    def warn(self) -> None:
        """Issue the warnings, after the last line. (That of the first slow line is issued before.)"""
        for slow_lines in self._slow:
            slow_lines.warn_of_more()
        for name in self._blank.values():
            warn(f"{name}: all hypotheses are blank")
        self._texts.warn()
        if self._sample is not None and self._sample.warn(
                [self._texts.name_of(system) for system in range(self._systems)], self._references, bool(self.metrics)):
            self._warned.add("near")
        for name in self._tabbed.values():
            warn(f"{name} has a tab on every line, which counts as whitespace (--num-refs splits lines into several "
                 "references)")


def _has_tab(line: str | bytes) -> bool:
    return b"\t" in line if isinstance(line, bytes) else "\t" in line
