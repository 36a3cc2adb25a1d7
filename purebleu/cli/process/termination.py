"""Ending by a signal, and the files to remove before that."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator


def die_of(number: int) -> None:
    """End the process by a signal, as if nobody had handled it."""
    import signal

    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


#: The signals that end a process by default, besides Ctrl-C and those of faults. Some come from batch systems, from
#: timers, and from limits of time.
_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGXCPU", "SIGALRM", "SIGVTALRM", "SIGPROF")


#: The files to remove before the process ends.
_files: list[str] = []


@contextmanager
def removed_by_signals(path: str) -> Iterator[None]:
    """Context manager: in its block, a signal that ends the process removes the file at `path` first.

    Signals that have another handler are left alone. Blocks may be nested.
    """
    import signal

    def remove_and_die(number: int, _: object) -> None:
        for file in _files:
            with suppress(OSError):
                os.remove(file)
        die_of(number)
        os._exit(128 + number)  # the first process of a container outlives signals

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    handled: list[int] = []
    _files.append(path)
    try:
        for number in numbers:
            if signal.getsignal(number) is signal.SIG_DFL:
                with suppress(ValueError):  # only the main thread may decide this
                    signal.signal(number, remove_and_die)
                    handled.append(number)
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
        _files.remove(path)


class _Signal(BaseException):
    """A signal that ends the process."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Context manager: in its block, a signal raises an exception, so that all is cleaned up before the process ends.

    It works in the main thread only. Signals that have another handler, or are ignored (`nohup`), are left alone.
    """
    import signal

    received: list[int] = []

    def note(number: int, _: object) -> None:
        received.append(number)
        if len(received) == 1:  # (a second signal does not interrupt the clean-up)
            raise _Signal

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, note)
    try:
        yield
    except _Signal:
        die_of(received[0])
        os._exit(128 + received[0])  # the first process of a container outlives signals
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
