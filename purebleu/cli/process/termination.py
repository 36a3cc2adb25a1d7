"""The end of the process by a signal, after what it has begun is removed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def die_of(number: int) -> None:
    """End the process by a signal, as if nobody had handled it."""
    import signal

    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


#: The signals that batch systems, and terminals that are closed, end a process by.
_ENDING = ("SIGTERM", "SIGHUP")


class _Signal(BaseException):
    """A signal that ends the process; its argument is the number of the signal."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Context manager: in its block, SIGTERM and SIGHUP raise an exception, so that files are removed before the end.

    Blocks may be nested. Signals that have another handler, or are ignored (`nohup`), are left alone, and so are all of
    them outside of the main thread.
    """
    import signal

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one does not wait for the clean-up
        raise _Signal(number)

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in numbers:
            signal.signal(number, end)
    except ValueError:  # only the main thread may decide this
        numbers = []
    try:
        yield
    except _Signal as received:
        if not numbers:
            raise  # an outer block has something to remove, too
        [number] = received.args
        die_of(number)
        os._exit(128 + number)  # the first process of a container outlives signals
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
