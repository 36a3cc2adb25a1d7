"""Child processes that look for modules in the same folders as this process.

multiprocessing starts them as `python -c`, which looks in the current folder before it has the `sys.path` of this
process. That folder may be anybody's: a file `pickle.py` in it would run.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock
from contextlib import contextmanager, suppress
from functools import partial

from ..hints import Any, Iterator

#: A program that removes the current folder from `sys.path`, and then runs the program after a second `-c`. (Python
#: 3.11 has `-P` for this. On Windows, multiprocessing puts double quotes around it, so it must not have any.)
_WITHOUT_CURRENT_FOLDER = ("import sys; sys.path = [path for path in sys.path if path]; program = sys.argv[2]; "
                           "del sys.argv[1:3]; exec(program)")

#: Held while a function of multiprocessing is replaced, because threads may start processes at the same time.
_STARTING = allocate_lock()


def process_context(method: str) -> Any:
    """Return a context of multiprocessing whose processes look for modules in the same folders as this process."""
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
    process._Popen = _start  # (multiprocessing pickles this function, by its name, with the process)
    return process


def _start(process: Any) -> Any:
    with isolated_start():
        return process.__class__._Popen(process)


@contextmanager
def isolated_start() -> Iterator[None]:
    """Context manager: processes that start in its block look for modules in the same folders as this process."""
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
    with suppress(OSError, TypeError):  # the folder is gone, or `sys.path` has an entry that is no path
        return os.path.realpath(os.curdir) in map(os.path.realpath, sys.path)
    return False
