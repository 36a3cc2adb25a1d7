"""Ending by a signal, and what has to be removed before that."""

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


@contextmanager
def removed_by_sigterm(path: str) -> Iterator[None]:
    """Meanwhile, SIGTERM removes the file at `path` before it ends the process, unless somebody else handles it."""
    import signal

    def remove_and_die(number: int, _: object) -> None:
        with suppress(OSError):
            os.remove(path)
        die_of(number)
        os._exit(128 + number)  # the first process of a container outlives signals

    ours = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        try:
            signal.signal(signal.SIGTERM, remove_and_die)
        except ValueError:  # only the main thread may decide this
            ours = False
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
