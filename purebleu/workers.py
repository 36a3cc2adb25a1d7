"""Work on many things, spread over processes."""

from __future__ import annotations

import os
import sys
from collections import deque
from itertools import islice

from .errors import PurebleuError, PurebleuWarning, warn
from .progress import Observer, observe, observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from typing import Any, Callable, Iterable, Iterator, List, Tuple

    #: What a worker sends back: the result, the warnings that came up, and how many steps the work had.
    Answer = Tuple[Any, List[str], int]

#: For each process, so many things are handed out at once: one to work on, and one so as not to wait.
_AHEAD = 2

#: A process on Windows can wait for 63 things at once, of which an executor needs two for itself.
_MOST_ON_WINDOWS = 61

#: What a worker does with what it gets.
_function: Callable[[Any], Any]


def number_of_workers(jobs: int) -> int:
    """How many processes `jobs` asks for: so many, or for 0 as many as there are processors to use."""
    workers = jobs or _number_of_processors()
    return min(workers, _MOST_ON_WINDOWS) if sys.platform == "win32" else workers


def _number_of_processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def spread(function: Callable[[Any], Any], items: Iterable[Any], jobs: int) -> Iterator[Any]:
    """What the function makes of each item, in order, worked on by so many processes.

    The function and the items have to be pickled, unless there is one process, or one item, or no way to have other
    processes; then this one does it. No more items are taken than are worked on soon. Raises `PurebleuError` where a
    process dies; an error in one comes up here, and so does a `PurebleuWarning`.
    """
    iterator = iter(items)
    first = list(islice(iterator, 2))
    pool = _pool(function, jobs) if jobs > 1 and len(first) > 1 else None
    if pool is None:
        yield from map(function, first)
        yield from map(function, iterator)
        return
    from concurrent.futures.process import BrokenProcessPool

    pending: deque[Future[Answer]] = deque()
    failure: PurebleuError | None = None
    try:
        pending.extend([pool.submit(_work, item) for item in first])
        while True:
            if len(pending) >= _AHEAD * jobs:
                yield _result(pending.popleft())
            try:
                pending.append(pool.submit(_work, next(iterator)))
            except StopIteration:
                break
            except PurebleuError as error:
                failure = error  # what comes up in the items before it is raised first
                break
        while pending:
            yield _result(pending.popleft())
        pool.shutdown()
        if failure is not None:
            raise failure
    except BrokenProcessPool as error:
        raise PurebleuError("a worker process died (was it killed, or out of memory?)") from error
    finally:
        # After an error, nobody waits for what is being worked on; the pool ends when it is collected.
        for future in pending:
            future.cancel()


def _pool(function: Callable[[Any], Any], jobs: int) -> ProcessPoolExecutor | None:
    try:
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor(jobs, initializer=_begin, initargs=(function,))
    except (ImportError, NotImplementedError, OSError):
        return None  # WebAssembly has no processes; some containers have no semaphores


def _result(future: Future[Answer]) -> Any:
    result, warnings, steps = future.result()
    for message in warnings:
        warn(message)
    observer().advance(steps)
    return result


# In a worker

def _begin(function: Callable[[Any], Any]) -> None:
    """Prepare a worker."""
    global _function
    import signal
    from threading import Thread

    _function = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one decides
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the process that this one works for, however it comes about, and end, too."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(item: Any) -> Answer:
    import warnings

    counter = _Counter()
    observe(counter)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = _function(item)
    messages = [str(warning.message) for warning in caught if issubclass(warning.category, PurebleuWarning)]
    return result, messages, counter.steps


class _Counter(Observer):
    def __init__(self) -> None:
        self.steps = 0

    def advance(self, steps: int = 1) -> None:
        self.steps += steps
