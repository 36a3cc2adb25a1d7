"""Worker processes, which apply a function to many items.

Each worker has its own pipe, and shares nothing with other workers, so a worker can be killed at any time without harm
to the other workers. (`ProcessPoolExecutor` is not used: it needs /dev/shm, and its workers outlive a killed parent.)
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock
from collections import deque
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from itertools import chain, islice

from .errors import PurebleuError, PurebleuWarning, warn, whole_number
from .hints import Any, Callable, Iterable, Iterator
from .progress import Observer, observe, observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

#: A program that removes the current folder from `sys.path`, and then runs the program after a second `-c`. (Python
#: 3.11 has `-P` for this. On Windows, multiprocessing quotes the program, so the program must have no double quotes.)
_WITHOUT_CURRENT_FOLDER = ("import sys; sys.path = [path for path in sys.path if path]; program = sys.argv[2]; "
                           "del sys.argv[1:3]; exec(program)")

#: A lock for replacing a function of multiprocessing, because several threads may start processes at the same time.
_STARTING = allocate_lock()


@contextmanager
def isolated_start() -> Iterator[None]:
    """Let processes that start in a `with` block look for modules in the same folders as this process."""
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
    with suppress(OSError, TypeError):  # the current folder was deleted, or an entry of `sys.path` is no path
        return os.path.realpath(os.curdir) in map(os.path.realpath, sys.path)
    return False


#: For each process, at most this many items are being processed, or have results that wait for earlier results.
_AHEAD = 2

#: The largest number of workers on Windows, where a process can wait for 63 handles at once.
_MAX_ON_WINDOWS = 61

#: A worker is started only if this many further pipes can be opened. (The fork server fails if it can't open pipes.)
_PIPES_TO_SPARE = 8

#: The name of a worker's process, and the exit code of a worker whose main module tries to start more workers.
_NAME = "purebleu worker"
_NO_MAIN_GUARD = 76

_NEEDS_MAIN_GUARD = ("worker processes import the main module, which would start the same work again: put its "
                     "work under `if __name__ == \"__main__\":`")

#: Whether a worker sends a greeting before it gets items. (On Windows, the worker's end of the pipe stays open in this
#: process until the worker takes it over. If the worker died before that, items would be lost without an error.)
_SAYS_HELLO = sys.platform == "win32"

#: The argument with which a frozen program starts as a worker, and the error if the program ignores it.
_FROZEN_WORKER = "--multiprocessing-fork"
_NEEDS_FREEZE_SUPPORT = ("worker processes of a frozen program start the program again: the program has to call "
                         "multiprocessing.freeze_support() before anything else")


def number_of_workers(jobs: int) -> int:
    """Return the number of processes for the option `jobs` (0: one for each processor).

    If `jobs` is larger than the number of processors, warn, and return the number of processors. (Two processes are
    always allowed.)
    """
    jobs = whole_number("jobs", jobs)
    processors = number_of_processors()
    limit = max(2, processors)
    if jobs > limit:
        warn(f"this machine has fewer processors than {jobs}: at most {limit} processes are used")
    workers = min(jobs, limit) or processors
    return min(workers, _MAX_ON_WINDOWS) if sys.platform == "win32" else workers


def number_of_processors() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # some operating systems lack `sched_getaffinity`
        return os.cpu_count() or 1


def spread(function: Callable[[Any], Any], items: Iterable[Any], jobs: int, own_process: bool = False) -> Iterator[Any]:
    """Yield the result of a function for each item, in order. Worker processes compute the results.

    Args:
        function: the function. It must be picklable, and so must the items. (If there is only one job or one item, or
            if no process can be started, this process does the work, and nothing is pickled.)
        items: the items. An item is read only when it is needed.
        jobs: the maximum number of processes.
        own_process: whether this process is the command line, so that its child processes ignore Ctrl-C.

    Raises:
        PurebleuError: a process died. (Errors and warnings in a worker are raised or issued again in this process.)
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
    """At most `limit` processes that apply a function to items. A process is started when it is needed."""

    def __init__(self, function: Callable[[Any], Any], limit: int, own_process: bool) -> None:
        self._function = function
        self._limit = limit
        self._own_process = own_process
        self._processes: dict[Connection, BaseProcess] = {}
        self._idle: list[Connection] = []
        self._busy: dict[Connection, list[bytes]] = {}  # for each busy worker, the list that will hold its answer
        self._places: deque[list[bytes]] = deque()  # the same lists, in the order of the items

    def add(self) -> bool:
        """Start another worker; return whether that was possible."""
        try:
            from multiprocessing import Pipe, Process, current_process, get_start_method

            if current_process().daemon:
                return False  # a daemon may not have child processes
            if getattr(sys, "frozen", False) and _FROZEN_WORKER in sys.argv:
                raise SystemExit(f"purebleu: error: {_NEEDS_FREEZE_SUPPORT}")
            with ExitStack() as spare:
                for _ in range(_PIPES_TO_SPARE):
                    for end in Pipe():
                        spare.enter_context(end)
            here, there = Pipe()
            process = Process(target=_serve, args=(self._function, there), name=_NAME, daemon=True)
            with child_starts(get_start_method(), self._own_process):
                process.start()
                self._processes[here] = process
        except (EOFError, ConnectionError):  # the fork server first imports the main module, which ended the server
            if self._own_process:
                return False
            raise PurebleuError(_NEEDS_MAIN_GUARD) from None
        except (ImportError, NotImplementedError, OSError):
            return False  # WebAssembly has no processes, and a container may have too many
        except RuntimeError:
            _check_main_guard()
            return False  # an isolated interpreter
        there.close()
        if _SAYS_HELLO:
            self._wait_for_hello(here)
        self._idle.append(here)
        return True

    def _wait_for_hello(self, connection: Connection) -> None:
        """Wait for the greeting of a worker. Raise `PurebleuError` if the worker dies first."""
        from multiprocessing.connection import wait

        if connection not in wait([connection, self._processes[connection].sentinel]):
            raise self._died(connection)
        try:
            connection.recv_bytes()
        except (EOFError, OSError):
            raise self._died(connection) from None

    def results(self, items: Iterator[Any]) -> Iterator[Any]:
        """Yield the results of the items in order. At least one worker must have been started."""
        failure: PurebleuError | None = None
        while True:
            try:
                item = next(items)
            except StopIteration:
                break
            except PurebleuError as error:
                failure = error  # errors in earlier items are raised first
                break
            self._hand_out(item)
            while self._places and (self._places[0] or len(self._places) == _AHEAD * self._limit):
                yield self._next_result()
        while self._places:
            yield self._next_result()
        if failure is not None:
            raise failure

    def _hand_out(self, item: Any) -> None:
        """Send an item to an idle worker. If no worker is idle, start a worker, or wait for one."""
        while not self._idle and not (len(self._processes) < self._limit and self.add()):
            self._receive()
        connection = self._idle.pop()
        try:
            connection.send(item)
        except OSError:
            raise self._died(connection) from None
        self._busy[connection] = []
        self._places.append(self._busy[connection])

    def _next_result(self) -> Any:
        """Wait for the result of the next item, and return it."""
        import pickle

        while not self._places[0]:
            self._receive()
        error, content = pickle.loads(self._places.popleft()[0])
        if error is not None:
            raise error from _TracebackInWorker("\n" + content)
        result, warnings, steps = content
        for message in warnings:
            warn(message)
        observer().advance(steps)
        return result

    def _receive(self) -> None:
        """Wait until a worker has answered, and store all answers that have arrived."""
        from multiprocessing.connection import wait

        sentinels = {connection: self._processes[connection].sentinel for connection in self._busy}
        ready = wait([*sentinels, *sentinels.values()])
        for connection, sentinel in sentinels.items():
            try:
                if connection in ready or (sentinel in ready and connection.poll()):
                    self._busy[connection].append(connection.recv_bytes())
                elif sentinel in ready:
                    raise EOFError  # (on some systems, a pipe stays open after its process has ended)
                else:
                    continue
            except (EOFError, OSError):
                raise self._died(connection) from None
            del self._busy[connection]
            self._idle.append(connection)

    def _died(self, connection: Connection) -> PurebleuError:
        process = self._processes[connection]
        process.join(10)  # (the process is about to end, because its pipe has ended)
        return PurebleuError(_NEEDS_MAIN_GUARD if process.exitcode == _NO_MAIN_GUARD else
                             "a worker process died (was it killed, or out of memory?)")

    def end(self) -> None:
        """Kill all workers."""
        for process in self._processes.values():
            if process.is_alive():  # (the id of a process that has ended may belong to a new process)
                process.kill()
        for connection, process in self._processes.items():
            process.join()
            connection.close()


class _TracebackInWorker(Exception):
    """The traceback of an error in a worker, as text. (A pickled error has no traceback.)"""


@contextmanager
def child_starts(method: str, from_all: bool) -> Iterator[None]:
    """Context manager: processes that start in its block are isolated (`isolated_start`) and ignore Ctrl-C.

    If Ctrl-C is pressed during the block, this process handles it after the block.

    Args:
        method: multiprocessing's method of starting processes.
        from_all: whether a fork server that starts in the block also ignores Ctrl-C, with all its processes.
    """
    import signal

    with isolated_start() if method != "fork" else nullcontext():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        if method != "fork":
            from multiprocessing import forkserver, resource_tracker

            resource_tracker.ensure_running()  # (if it started below, it would let Ctrl-C through)
            if method == "forkserver" and not from_all:
                forkserver.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _check_main_guard() -> None:
    """End this process if it is a worker whose main module tries to start the same work again."""
    from multiprocessing import current_process

    process = current_process()
    if getattr(process, "_inheriting", False):
        if process.name == _NAME:
            os._exit(_NO_MAIN_GUARD)  # (the main process reports the error)
        raise SystemExit(f"purebleu: error: {_NEEDS_MAIN_GUARD}")


# In a worker

def _serve(function: Callable[[Any], Any], connection: Connection) -> None:
    """Run a worker: send back the `_answer` for each item that arrives."""
    follow_parent()
    try:
        if _SAYS_HELLO:
            connection.send_bytes(b"hello")
        while True:
            connection.send_bytes(_answer(function, connection.recv_bytes()))
    except (EOFError, OSError):
        return  # the main process has ended


def follow_parent() -> None:
    """Ignore Ctrl-C, which the parent process handles, and end when the parent ends, even if it is killed."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    def end() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end, daemon=True).start()


def _answer(function: Callable[[Any], Any], item: bytes) -> bytes:
    """Return a pickled pair: an error and its traceback, or `None` and the result of `_work` for a pickled item."""
    import pickle

    try:
        return pickle.dumps((None, _work(function, pickle.loads(item))))
    except Exception as error:
        from traceback import format_exc

        return pickle.dumps((error, format_exc()))


def _work(function: Callable[[Any], Any], item: Any) -> tuple[Any, list[str], int]:
    """Return the result for an item, the messages of warnings, and the number of steps that were done."""
    import warnings

    counter = Observer()
    observe(counter)
    os.environ.pop("PUREBLEU_WARNINGS", None)  # (the main process logs warnings)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(item)
    messages = [str(warning.message) for warning in caught if issubclass(warning.category, PurebleuWarning)]
    return result, messages, counter.done
