"""A limit of memory for the process of a job."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

#: The exit code of a process that came to its limit of memory: it has none left to say more.
NO_MEMORY = 77

#: The seconds between two looks at the memory, where there is no other way.
_INTERVAL = 0.1


def limit_memory(limit: int) -> None:
    """Let this process have no more than `limit` bytes of memory, as far as the system can see to that.

    On Linux, and where else the size of the address space can be limited, exceeding it raises `MemoryError`. macOS
    takes such a limit, and ignores it: there, the process looks now and then at the memory that it has had, and ends
    itself. On Windows, Python has neither.
    """
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    given = [one for one in (soft, hard) if one != resource.RLIM_INFINITY]
    with suppress(ValueError, OverflowError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (min([limit, *given]), hard))
    if sys.platform == "darwin":
        from threading import Thread

        Thread(target=end_beyond, args=(limit,), daemon=True).start()


def end_beyond(limit: int) -> None:
    """End this process as soon as it is seen to have had more than `limit` bytes of memory."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= limit:
        time.sleep(_INTERVAL)
    end_without_memory()


def end_without_memory() -> NoReturn:
    """End this process in a way that says why."""
    os._exit(NO_MEMORY)
