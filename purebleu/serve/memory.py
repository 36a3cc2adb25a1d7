"""A limit of memory for the process of a job."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

#: The exit code of a process that reached its limit of memory. (It has no memory left for a message.)
NO_MEMORY = 77

#: The seconds between two checks of the memory, on systems without an enforced limit.
_INTERVAL = 0.1


def limit_memory(limit: int) -> None:
    """Limit the memory of this process to `limit` bytes, as far as the system allows.

    On Linux, and wherever else the size of the address space can be limited, `MemoryError` is raised beyond the limit.
    macOS accepts such a limit but ignores it: there, a thread checks the peak memory now and then, and ends the process
    beyond the limit. On Windows, Python has neither, and there is no limit.
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
    """Check the peak memory of this process again and again, and end the process beyond `limit` bytes."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= limit:
        time.sleep(_INTERVAL)
    end_without_memory()


def end_without_memory() -> NoReturn:
    """End this process with the exit code for a lack of memory."""
    os._exit(NO_MEMORY)
