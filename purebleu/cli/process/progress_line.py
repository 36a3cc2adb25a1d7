"""A line in the terminal that shows the progress of work that takes long."""

from __future__ import annotations

import time

from ...hints import Callable, TextFile
from ...runtime.progress import Observer
from .terminal import columns_of

#: Seconds before the line appears, and between two updates of it.
_PATIENCE = 2.0
_INTERVAL = 0.1

#: A task with at least this many steps takes long on every machine: its line appears at once.
_MANY_STEPS = 1_000_000


class ProgressLine(Observer):
    """Shows work that takes longer than two seconds on the last line of a terminal: its name, progress and time left.

    Tasks with millions of steps are shown at once.

    >>> import io
    >>> seconds = iter([0.0, 1.0, 2.0, 4.0])
    >>> line = ProgressLine(io.StringIO(), seconds.__next__)
    >>> line.begin("resampling", 100)
    >>> line.advance(); line.advance(29)
    >>> line._stream.getvalue()
    '\\rresampling: 30 %, 7 s left'
    """

    def __init__(self, stream: TextFile, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._shown = 0  # characters
        self.begin("", 0)

    def begin(self, what: str, total: float, unit: str = "segments") -> None:
        self.clear()
        self._what, self._total, self._unit, self._done = what, total, unit, 0
        self._start = self._clock()
        takes_long = total >= _MANY_STEPS and unit != "bytes"
        self._next = self._start + (0 if takes_long else _PATIENCE)

    def expect(self, total: float) -> None:
        self._total = total

    def advance(self, steps: int = 1) -> None:
        self._done += steps
        now = self._clock()
        if now >= self._next:
            self._next = now + _INTERVAL
            self._show(now - self._start)

    def clear(self) -> None:
        """Make the line blank."""
        if self._shown:
            self._write("\r" + " " * self._shown + "\r")
            self._shown = 0

    def _show(self, seconds: float) -> None:
        text = f"{self._what}: {self._done:,} {self._unit}"
        if self._total and self._done:
            left = seconds * max(0.0, self._total / self._done - 1)
            text = f"{self._what}: {min(100, int(100 * self._done / self._total))} %, {_duration(left)} left"
        text = text[:columns_of(self._stream) - 1]
        self._write("\r" + text.ljust(self._shown))
        self._shown = len(text)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            pass  # the terminal is gone


def _duration(seconds: float) -> str:
    """A duration, for people.

    >>> _duration(7.2), _duration(100), _duration(7300)
    ('7 s', '1:40 min', '2:01 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"
