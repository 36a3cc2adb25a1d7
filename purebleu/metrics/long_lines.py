"""Warnings of segments that a metric takes long for, before it starts: often, whole files are in one line."""

from __future__ import annotations

from itertools import count

from ..errors import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Sequence

    from .contract import Contract
    from .score import Score


class LongLines:
    """Looks at segments before they are scored under a metric, and warns of the first one that will take long.

    Args:
        metric: its class.
        name: what the metric's scores are called.
    """

    def __init__(self, metric: type[Contract[Score]], name: str) -> None:
        self._metric = metric
        self._name = name
        self._more = 0
        self._has_warned = False

    def see(self, hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], where: str,
            numbers: Iterable[int]) -> None:
        """Take in the next segments, of text or of bytes.

        Args:
            hypotheses: one for each segment.
            references: streams of them, with `None` where a segment has no such reference.
            where: what segments are called, before their number.
            numbers: that of each.
        """
        limit = self._metric.LONG_LINE
        if limit is None or max(map(_longest, (hypotheses, *references))) <= limit:
            return
        for number, hypothesis, *others in zip(numbers, hypotheses, *references):
            texts = [_text_of_line(line) for line in (hypothesis, *others) if line is not None]
            if max(map(len, texts)) > limit and any(
                    self._metric.takes_long(texts[0], reference) for reference in texts[1:]):
                self._more += self._has_warned
                if not self._has_warned:
                    self._has_warned = True
                    warn(f"{where} {number}: {self._name} takes long for {self._metric.length_text(texts)} (is every "
                         "segment on a line of its own?)")

    def warn_of_more(self) -> None:
        """Warn of the number of slow segments after the first one, if there are any."""
        if self._more:
            warn(f"{self._name} takes long for {self._more:,} more segments")


def _longest(lines: Sequence[Any]) -> int:
    return max([len(line) for line in lines if line is not None], default=0)


def _text_of_line(line: Any) -> str:
    """A line as text; bytes are decoded."""
    return line.decode("utf-8", "replace") if isinstance(line, bytes) else line


def warn_of_long_segments(metric: Contract[Score], hypotheses: Sequence[Any],
                          references: Sequence[Sequence[Any]]) -> None:
    """Warn of segments for which a metric takes seconds, by their indices in the corpus."""
    if metric.LONG_LINE is not None:
        lines = LongLines(type(metric), type(metric).__name__)
        lines.see(hypotheses, references, "segment", count())
        lines.warn_of_more()
