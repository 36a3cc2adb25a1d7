"""Child processes that look for modules where this process does.

multiprocessing starts them by `python -c`, which looks in the current folder first, before it takes over this process's
`sys.path`. That folder may be anybody's: a file `pickle.py` in it would run.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock
from contextlib import contextmanager, suppress
from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

#: Removes the current folder, then runs the program that follows as a second `-c`. (Python 3.11 has `-P` for this. It
#: has no double quotes, because multiprocessing puts it between two on Windows.)
_WITHOUT_CURRENT_FOLDER = ("import sys; sys.path = [path for path in sys.path if path]; program = sys.argv[2]; "
                           "del sys.argv[1:3]; exec(program)")

#: Held while multiprocessing's function is another one: threads may start processes at the same time.
_STARTING = allocate_lock()


def process_context(method: str) -> Any:
    """Return multiprocessing's context of a start method; its processes look for modules where this process does."""
    from multiprocessing import get_context

    context = get_context(method)
    if method == "fork":
        return context
    if os.name == "posix":
        from multiprocessing import resource_tracker

        with isolated_start():
            resource_tracker.ensure_running()
    isolated: Any = type(context)()
    isolated.Process = partial(_isolated_process, isolated.Process)
    return isolated


def _isolated_process(kind: Any, *arguments: Any, **named: Any) -> Any:
    process = kind(*arguments, **named)
    process._Popen = _start  # (It is pickled with the process, by its name.)
    return process


def _start(process: Any) -> Any:
    with isolated_start():
        return process.__class__._Popen(process)


@contextmanager
def isolated_start() -> Iterator[None]:
    """Context manager: processes that multiprocessing starts in its block look for modules where this process does."""
    from multiprocessing import util as multiprocessing_util

    util: Any = multiprocessing_util
    if getattr(sys, "frozen", False) or _looks_in_current_folder():
        yield
        return
    with _STARTING:
        usual = util._args_from_interpreter_flags
        util._args_from_interpreter_flags = lambda: [*usual(), "-c", _WITHOUT_CURRENT_FOLDER]
        try:
            yield
        finally:
            util._args_from_interpreter_flags = usual


def _looks_in_current_folder() -> bool:
    """Whether this process looks for modules in the current folder."""
    with suppress(OSError, TypeError):  # the folder is gone, or the path has something odd
        return os.path.realpath(os.curdir) in map(os.path.realpath, sys.path)
    return False
