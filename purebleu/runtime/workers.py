"""Work that is spread over processes.

Each worker has a pipe of its own, and shares nothing with the others. So it can be killed at any time: its pipe ends
then, and nothing else is left of it. (`ProcessPoolExecutor` needs /dev/shm, and its workers outlive a killed parent.)
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, contextmanager
from itertools import chain, islice

from ..errors import PurebleuError, PurebleuWarning, warn
from .isolation import isolated_start, process_context
from .progress import Observer, observe, observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from typing import Any, Callable, Iterable, Iterator, List, NoReturn, Tuple

    #: The outcome of a worker's item: the result, the warnings that came up, and the number of steps of the work.
    Outcome = Tuple[Any, List[str], int]

#: Limit, per process, of items that were taken and whose results have not been returned yet.
_AHEAD = 2

#: Limit of workers on Windows, where a process can wait for 63 things at once.
_MAX_ON_WINDOWS = 61

#: The number of further pipes without which no worker is started: to run out of them halfway confuses the fork server.
_PIPES_TO_SPARE = 8

#: The name of a worker's process, and its exit code if the main module is about to start workers in it.
_NAME = "purebleu worker"
_NO_MAIN_GUARD = 76

_NEEDS_MAIN_GUARD = ("worker processes import the main module, which starts the same work again there: put what it "
                     "does under `if __name__ == \"__main__\":`")

#: Whether a worker says that it is there, before anything is sent to it. On Windows, its end of the pipe stays open in
#: this process until the worker takes it over. If the worker died before that, sending would neither arrive nor fail.
_SAYS_HELLO = sys.platform == "win32"

#: The argument of a frozen program that is to be a worker, and the error if it starts its own work again.
_FROZEN_WORKER = "--multiprocessing-fork"
_NEEDS_FREEZE_SUPPORT = ("worker processes of a frozen program start the program again: it has to call "
                         "multiprocessing.freeze_support() before anything else")


def number_of_workers(jobs: int) -> int:
    """Return the number of processes that `jobs` asks for: for 0, as many as there are processors to use.

    There are at most as many as processors, which is warned about; though there may always be two.
    """
    processors = number_of_processors()
    limit = max(2, processors)
    if jobs > limit:
        warn(f"{jobs} processes are more than this machine has processors for; it will be {limit}")
    workers = min(jobs, limit) or processors
    return min(workers, _MAX_ON_WINDOWS) if sys.platform == "win32" else workers


def number_of_processors() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def spread(function: Callable[[Any], Any], items: Iterable[Any], jobs: int, own_process: bool = False) -> Iterator[Any]:
    """Yield the function's result for each item, in order, computed by worker processes, which end when this ends.

    Args:
        function: it and the items are pickled. If there is one job, or one item, or no way to start other processes,
            this process does the work, and nothing is pickled.
        items: no more of them are taken than are worked on soon.
        jobs: the maximum number of processes.
        own_process: true for the command line: child processes never hear of Ctrl-C.

    Raises:
        PurebleuError: a process died. (An error in one is raised here, too, and so is a `PurebleuWarning` issued.)
    """
    iterator = iter(items)
    first = list(islice(iterator, 2))
    iterator = chain(first, iterator)
    workers = _Workers(function, jobs, own_process)
    try:
        if jobs > 1 and len(first) > 1 and workers.add():
            yield from workers.results(iterator)
        else:
            yield from map(function, iterator)
    finally:
        workers.end()


class _Workers:
    """At most `limit` processes, started as items come, each of which applies a function to one item at a time."""

    def __init__(self, function: Callable[[Any], Any], limit: int, own_process: bool) -> None:
        self._function = function
        self._limit = limit
        self._own_process = own_process
        self._processes: dict[Connection, BaseProcess] = {}
        self._idle: list[Connection] = []
        self._busy: dict[Connection, int] = {}  # with the number of the item
        self._answers: dict[int, bytes] = {}  # by the number of the item
        self._handed_out = 0
        self._pending = 0  # results that are still to come

    def add(self) -> bool:
        """Start another worker, if one may be had."""
        try:
            from multiprocessing import Pipe, current_process, get_start_method
        except (ImportError, NotImplementedError, OSError):
            return False  # WebAssembly has no processes
        try:
            if current_process().daemon:
                return False  # it may not have children
            if getattr(sys, "frozen", False) and _FROZEN_WORKER in sys.argv:
                raise SystemExit(f"purebleu: error: {_NEEDS_FREEZE_SUPPORT}")
            with ExitStack() as spare:
                for _ in range(_PIPES_TO_SPARE):
                    for end in Pipe():
                        spare.enter_context(end)
            here, there = Pipe()
            method = get_start_method()
            process = process_context(method).Process(target=_serve, args=(self._function, there), name=_NAME,
                                                      daemon=True)
            with interrupts_held_back(method, self._own_process):
                process.start()
                self._processes[here] = process
        except (EOFError, ConnectionError):  # the fork server, which imports the main module first, has ended
            if self._own_process:
                return False
            raise PurebleuError(_NEEDS_MAIN_GUARD) from None
        except (ImportError, NotImplementedError, OSError):
            return False  # a container may have too many processes
        except RuntimeError:
            if getattr(current_process(), "_inheriting", False):
                _refuse_to_start_workers()
            return False  # an isolated interpreter
        there.close()
        if _SAYS_HELLO:
            self._wait_for_hello(here)
        self._idle.append(here)
        return True

    def _wait_for_hello(self, connection: Connection) -> None:
        """Wait until a worker has its end of a pipe; raises `PurebleuError` if it has died before that."""
        from multiprocessing.connection import wait

        if connection not in wait([connection, self._processes[connection].sentinel]):
            raise self._died(connection)
        try:
            connection.recv_bytes()
        except (EOFError, OSError):
            raise self._died(connection) from None

    def results(self, items: Iterator[Any]) -> Iterator[Any]:
        """The results of the items, in their order; there has to be a worker."""
        failure: PurebleuError | None = None
        while True:
            try:
                item = next(items)
            except StopIteration:
                break
            except PurebleuError as error:
                failure = error  # what comes up in the items before it is raised first
                break
            self._hand_out(item)
            while self._has_result() or self._pending == _AHEAD * self._limit:
                yield self._next_result()
        while self._pending:
            yield self._next_result()
        if failure is not None:
            raise failure

    def _hand_out(self, item: Any) -> None:
        """Have an item worked on, as soon as a worker has nothing else to do."""
        while not self._idle and not (len(self._processes) < self._limit and self.add()):
            self._receive()
        connection = self._idle.pop()
        try:
            connection.send(item)
        except OSError:
            raise self._died(connection) from None
        self._busy[connection] = self._handed_out
        self._handed_out += 1
        self._pending += 1

    def _has_result(self) -> bool:
        return self._handed_out - self._pending in self._answers

    def _next_result(self) -> Any:
        """The next result, in the order of the items, as soon as it is there."""
        import pickle

        while not self._has_result():
            self._receive()
        error, content = pickle.loads(self._answers.pop(self._handed_out - self._pending))
        self._pending -= 1
        if error is not None:
            raise error from _TracebackInWorker("\n" + content)
        result, warnings, steps = content
        for message in warnings:
            warn(message)
        observer().advance(steps)
        return result

    def _receive(self) -> None:
        """Wait for an answer, and take all that there are."""
        from multiprocessing.connection import wait

        sentinels = {connection: self._processes[connection].sentinel for connection in self._busy}
        ready = wait([*sentinels, *sentinels.values()])
        for connection, sentinel in sentinels.items():
            try:
                if connection in ready or (sentinel in ready and connection.poll()):
                    self._answers[self._busy[connection]] = connection.recv_bytes()
                elif sentinel in ready:
                    raise EOFError  # (not every pipe ends with its process)
                else:
                    continue
            except (EOFError, OSError):
                raise self._died(connection) from None
            del self._busy[connection]
            self._idle.append(connection)

    def _died(self, connection: Connection) -> PurebleuError:
        process = self._processes[connection]
        process.join(10)  # its pipe has ended already
        return PurebleuError(_NEEDS_MAIN_GUARD if process.exitcode == _NO_MAIN_GUARD else
                             "a worker process died (was it killed, or out of memory?)")

    def end(self) -> None:
        """End the workers at once, whatever they do."""
        for process in self._processes.values():
            if process.is_alive():  # else its number may be another's by now
                process.kill()
        for connection, process in self._processes.items():
            process.join()
            connection.close()


class _TracebackInWorker(Exception):
    """The traceback of an error in a worker, as text: the error itself is sent without that."""


@contextmanager
def interrupts_held_back(method: str, from_all: bool) -> Iterator[None]:
    """Context manager: processes that are started in its block never hear of Ctrl-C; this one does, at the end of it.

    Args:
        method: the method by which they are started.
        from_all: whether a fork server that is started in the block, and all that it ever starts, never hear of it.
    """
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    if method == "forkserver" and not from_all:
        from multiprocessing import forkserver

        with isolated_start():
            forkserver.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _refuse_to_start_workers() -> NoReturn:
    """End this process: it is one that merely imports the main module, which tries to start workers there, too."""
    from multiprocessing import current_process

    if current_process().name == _NAME:
        os._exit(_NO_MAIN_GUARD)  # the process that it was to work for says it
    raise SystemExit(f"purebleu: error: {_NEEDS_MAIN_GUARD}")


# In a worker

def _serve(function: Callable[[Any], Any], connection: Connection) -> None:
    """Apply the function to each item that arrives."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one decides
    Thread(target=end_with_parent, daemon=True).start()
    try:
        if _SAYS_HELLO:
            connection.send_bytes(b"hello")
        while True:
            connection.send_bytes(_answer(function, connection.recv_bytes()))
    except (EOFError, OSError):
        return  # nobody is there any more


def end_with_parent() -> None:
    """Wait for the end of the process that this one works for, however it comes about, and end, too."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _answer(function: Callable[[Any], Any], item: bytes) -> bytes:
    """An error and its traceback, or `None` and the outcome; pickled, as the item is."""
    import pickle

    try:
        return pickle.dumps((None, _work(function, pickle.loads(item))))
    except Exception as error:
        from traceback import format_exc

        return pickle.dumps((error, format_exc()))


def _work(function: Callable[[Any], Any], item: Any) -> Outcome:
    import warnings

    counter = _Counter()
    observe(counter)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(item)
    messages = [str(warning.message) for warning in caught if issubclass(warning.category, PurebleuWarning)]
    return result, messages, counter.steps


class _Counter(Observer):
    def __init__(self) -> None:
        self.steps = 0

    def advance(self, steps: int = 1) -> None:
        self.steps += steps
