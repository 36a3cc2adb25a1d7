"""The process of a command: its terminal, its warnings, its progress, and signals that end the process."""

from __future__ import annotations

import os
import time
import warnings
from contextlib import contextmanager

from ..runtime.errors import PurebleuWarning
from ..runtime.hints import Any, Callable, Iterator, TextFile
from ..runtime.progress import Observer

#: The number of columns of a terminal whose width is unknown.
_USUAL_COLUMNS = 80

#: The largest width of lines of help, because longer lines are hard to read.
_MAX_COLUMNS = 100

#: The mode in which a Windows console interprets escape codes.
_ENABLE_VIRTUAL_TERMINAL_PROCESSING = 4


def is_terminal(stream: TextFile | None) -> bool:
    """Whether a standard stream is a terminal. The stream may be closed or missing."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def columns_of(stream: TextFile) -> int:
    """Return the number of columns of a terminal, or `_USUAL_COLUMNS` if the number is unknown."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_COLUMNS
    except (OSError, ValueError):
        return _USUAL_COLUMNS


def width_of_help(stream: TextFile | None) -> int:
    """Return the width of lines of help: `COLUMNS` in the environment, or else the width of the terminal."""
    columns = os.environ.get("COLUMNS", "")
    if not columns.isdecimal() or len(columns) > 9 or not int(columns):  # (`int` refuses thousands of digits)
        columns = str(columns_of(stream) if stream is not None else _USUAL_COLUMNS)
    return min(int(columns), _MAX_COLUMNS) - 2


def takes_colors(stream: TextFile | None) -> bool:
    """Whether a standard stream is a terminal that interprets escape codes for colours."""
    if not is_terminal(stream):
        return False
    return os.name != "nt" or _enable_escape_codes(stream)


def _enable_escape_codes(stream: Any) -> bool:
    """Make a Windows console interpret escape codes. Return `False` if the console is too old for escape codes."""
    try:
        import ctypes
        import msvcrt

        handle = msvcrt.get_osfhandle(stream.fileno())  # type: ignore[attr-defined, unused-ignore]
        library: Any = ctypes  # (its type stubs depend on the system)
        kernel32 = library.windll.kernel32
        mode = ctypes.c_ulong()
        return bool(kernel32.GetConsoleMode(handle, ctypes.byref(mode))
                    and kernel32.SetConsoleMode(handle, mode.value | _ENABLE_VIRTUAL_TERMINAL_PROCESSING))
    except (AttributeError, ImportError, OSError, ValueError):
        return False


# Warnings


def show_nothing(message: str) -> None:
    """Discard the text of a warning."""


@contextmanager
def collected_warnings(show: Callable[[str], object] | None = None) -> Iterator[list[str]]:
    """Context manager: collect the texts of warnings, and pass each text to `show` once.

    Args:
        show: a function that shows a text; `None`: warnings are shown as they are outside of the block.
    """
    collected: list[str] = []
    show_outside = warnings.showwarning

    def collect(message: Warning | str, *others: Any) -> None:
        if str(message) in collected:
            return  # (several language pairs may issue the same warning)
        collected.append(str(message))
        if show is None:
            show_outside(message, *others)
        else:
            show(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", PurebleuWarning)
        warnings.showwarning = collect  # type: ignore[assignment]  # fewer parameters are enough
        yield collected


# The progress of work

#: The number of seconds before the progress line appears, and the number of seconds between two updates of the line.
_PATIENCE = 2.0
_INTERVAL = 0.1

#: The progress line of a task with at least this many steps appears at once.
_MANY_STEPS = 1_000_000


class ProgressLine(Observer):
    """Shows the name, the progress and the remaining time of a task in the last line of a terminal.

    The line appears after two seconds, or at once if the task has at least `_MANY_STEPS` steps.

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
        self._shown = 0  # (the number of characters in the line)
        self.begin("", 0)

    def begin(self, what: str, total: float, unit: str = "segments") -> None:
        self.clear()
        super().begin(what, total, unit)
        self._start = self._clock()
        takes_long = total >= _MANY_STEPS and unit != "bytes"
        self._next = self._start + (0 if takes_long else _PATIENCE)

    def advance(self, steps: int = 1) -> None:
        super().advance(steps)
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
        text = f"{self.what}: {self.done:,} {self.unit}"
        if self.total and self.done:
            left = seconds * max(0.0, self.total / self.done - 1)
            text = f"{self.what}: {min(100, int(100 * self.done / self.total))} %, {_duration(left)} left"
        text = text[:columns_of(self._stream) - 1]
        self._write("\r" + text.ljust(self._shown))
        self._shown = len(text)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            pass  # (the terminal is closed)


def _duration(seconds: float) -> str:
    """Return a duration as text.

    >>> _duration(7.2), _duration(100), _duration(7300)
    ('7 s', '1:40 min', '2:01 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"


# Signals that end the process


def die_of(number: int) -> None:
    """End the process by the default action of a signal."""
    import signal

    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


#: Signals that end the process: batch systems send SIGTERM, and a closed terminal sends SIGHUP.
_ENDING = ("SIGTERM", "SIGHUP")


class _Signal(BaseException):
    """Raised when a signal should end the process; the argument is the number of the signal."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Context manager: SIGTERM and SIGHUP raise an exception, so that files are removed before the process ends.

    Blocks may be nested. A signal is left alone if it is ignored (`nohup`) or already has a handler. Outside of the
    main thread, all signals are left alone.
    """
    import signal

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # (a second signal ends the process at once)
        raise _Signal(number)

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in numbers:
            signal.signal(number, end)
    except ValueError:  # (only the main thread may set handlers)
        numbers = []
    try:
        yield
    except _Signal as received:
        if not numbers:
            raise  # (the outer block, which set the handler, may have files to remove)
        [number] = received.args
        die_of(number)
        os._exit(128 + number)  # (signals may not end the first process of a container)
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
