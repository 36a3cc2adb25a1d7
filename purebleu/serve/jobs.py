"""Run each job (the scoring of one request) in its own process, which has a memory limit and ends with the job."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

from ..runtime.errors import PurebleuError, one_line
from ..runtime.hints import Any, Callable
from ..runtime.progress import Observer, observe
from ..runtime.workers import child_starts, follow_parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from socket import socket

#: The largest number of jobs that run at the same time.
MAX_JOBS = 2

#: A job that takes longer than this many seconds is ended.
_MAX_SECONDS = 3600.0

#: The minimum number of seconds between two lines of progress.
_INTERVAL = 0.1

#: The number of seconds to wait for the exit code of a process whose pipe was closed.
_SECONDS_TO_DIE = 10

#: The exit code of a process that reached its limit of memory. (The process has no memory left to send a message.)
NO_MEMORY = 77

#: The number of seconds between two checks of the memory, if the operating system does not enforce a limit.
_INTERVAL_OF_MEMORY = 0.1

_ENDED = "the server was stopped before the request was done."
_DIED = "the process of this request died (was it killed, or out of memory?)"


class Jobs:
    """The running jobs. Each job has at most `memory` MiB (0: no limit).

    The function `work` does a job: it takes the parsed JSON of a request, and returns the answer as a dict. After an
    error, the dict has the key `error`.

    Attributes:
        places: a semaphore that limits the number of jobs. Callers acquire it before a job, and release it afterwards.
    """

    def __init__(self, work: Callable[[Any], Any], memory: int = 0) -> None:
        from threading import BoundedSemaphore, Lock

        self.places = BoundedSemaphore(MAX_JOBS)
        self._work = work
        self._memory = memory
        self._lock = Lock()
        self._processes: set[BaseProcess] = set()
        self._is_ended = False

    def do(self, body: bytes, client: socket, show: Callable[[bytes], object] | None) -> tuple[int, str, bytes]:
        """Do the job of a request in its own process.

        Args:
            body: the JSON of the request.
            client: the connection to the client. If the client closes the connection, the job ends.
            show: a function that receives lines of JSON with progress; `None`: no progress is sent.

        Returns:
            The HTTP status of the answer, the key of the answer (`result` or `error`), and the JSON of its value.

        Raises:
            ConnectionError: the client has closed the connection.
        """
        try:
            process, connection = self._start()
        except (OSError, PurebleuError) as error:
            return _failure(500, str(error))
        try:
            with suppress(OSError):  # (If the process has died, `_outcome` returns an error.)
                connection.send_bytes(body)
            return self._outcome(process, connection, client, show)
        finally:
            with self._lock:
                self._processes.discard(process)
                process.kill()
                process.join()
                connection.close()

    def _start(self) -> tuple[BaseProcess, Connection]:
        """Start a process. Raise `PurebleuError` if `end` has been called."""
        from multiprocessing import get_context

        context = get_context("spawn")  # (A fork would copy data while other threads change it.)
        with self._lock:
            if self._is_ended:
                raise PurebleuError(_ENDED)
            here, there = context.Pipe()
            process = context.Process(target=_do, args=(self._work, there, self._memory), name="purebleu job",
                                      daemon=True)
            with child_starts("spawn", False):
                process.start()
            there.close()
            self._processes.add(process)
            return process, here

    def _outcome(self, process: BaseProcess, connection: Connection, client: socket,
                 show: Callable[[bytes], object] | None) -> tuple[int, str, bytes]:
        """Wait for the result or the error of a job whose process has started."""
        from multiprocessing.connection import wait
        from socket import MSG_PEEK

        watched: list[Any] = [connection, client]
        end = time.monotonic() + _MAX_SECONDS
        while True:
            ready = wait(watched, max(0.0, end - time.monotonic()))
            if not ready:
                return _failure(500, f"this request took longer than {_MAX_SECONDS:.0f} seconds")
            if client in ready:
                if not client.recv(1, MSG_PEEK):
                    raise ConnectionAbortedError
                watched.remove(client)  # The client has sent more bytes than the request.
            if connection not in ready:
                continue
            try:
                key, content = connection.recv()
            except (EOFError, OSError):
                return self._failure_of(process)
            if key != "progress":
                return (400 if key == "error" else 200), key, content
            if show is not None:
                show(b'{"progress":%s}\n' % content)

    def _failure_of(self, process: BaseProcess) -> tuple[int, str, bytes]:
        """Return the error of a job whose process has died without an answer."""
        process.join(_SECONDS_TO_DIE)
        if self._is_ended:
            return _failure(500, _ENDED)
        if process.exitcode == NO_MEMORY:
            return _failure(413, _out_of_memory(self._memory))
        return _failure(500, _DIED)

    def end(self) -> None:
        """End all jobs. Further jobs can't start."""
        with self._lock:
            self._is_ended = True
            for process in self._processes:
                process.kill()


def _failure(status: int, message: str) -> tuple[int, str, bytes]:
    return status, "error", _error(message)


def _out_of_memory(limit: int) -> str:
    if not limit:
        return "this request needs more memory than is available: send fewer or shorter texts"
    return (f"this request needs more memory than its limit of {limit} MiB: send fewer or shorter texts, or raise the "
            "limit with --memory")


def _error(message: str) -> bytes:
    return _json({"message": message, "field": "", "line": None})


def _json(value: Any) -> bytes:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


# In the process of a job


def _do(work: Callable[[Any], Any], connection: Connection, memory: int) -> None:
    """Receive a job, do it within `memory` MiB, and send its answer. (The process of a job runs this function.)"""
    follow_parent()
    try:
        body = connection.recv_bytes()
        if memory:
            limit_memory(memory << 20)
        connection.send(_answer_to(work, body, connection.send))
    except MemoryError:
        os._exit(NO_MEMORY)
    except (EOFError, OSError):
        return  # The server has ended.


def answered(work: Callable[[Any], Any], body: bytes, send: Callable[[bytes], object]) -> bytes:
    """Do a job in this process. Send lines with progress, and return a line with the result or the error."""
    def show(part: tuple[str, bytes]) -> None:
        send(b'{"progress":%s}\n' % part[1])

    try:
        key, content = _answer_to(work, body, show)
    except MemoryError:
        key, content = "error", _error(_out_of_memory(0))
    return b'{"%s":%s}\n' % (key.encode("ascii"), content)


def _answer_to(work: Callable[[Any], Any], body: bytes, send: Callable[..., object]) -> tuple[str, bytes]:
    """Do a job. Return the key of the answer (`result` or `error`) and the JSON of its value."""
    import json

    try:
        request = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return "error", _error(f"the request is not JSON in UTF-8 ({error})")
    observe(_SentProgress(send))
    try:
        answer: dict[str, Any] = work(request)
    except MemoryError:
        raise
    except Exception as error:
        from traceback import format_exc

        lines = [f"purebleu: {one_line(line)}\n" for line in format_exc().splitlines()]
        if sys.stderr is not None:
            sys.stderr.writelines(lines)
        return "error", _error(f"this is a bug in purebleu; please report it ({error!r})")
    return ("error", _json(answer["error"])) if "error" in answer else ("result", _json(answer))


class _SentProgress(Observer):
    """Sends the progress of a job, at most once in `_INTERVAL` seconds."""

    def __init__(self, send: Callable[[tuple[str, bytes]], object]) -> None:
        self._send = send
        self._next = 0.0

    def advance(self, steps: int = 1) -> None:
        super().advance(steps)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _INTERVAL
            total = round(max(self.total, self.done))
            self._send(("progress", _json({"what": self.what, "done": self.done, "total": total})))


# The limit of memory


def limit_memory(limit: int) -> None:
    """Limit the memory of this process to `limit` bytes, if the operating system can do so.

    Linux and other systems limit the address space, so Python raises `MemoryError` beyond the limit. macOS accepts such
    a limit but ignores it, so a thread checks the peak memory, and ends the process if it is above the limit. On
    Windows, there is no limit, because Python has no function for it.
    """
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [limit, *[one for one in (soft, hard) if one != resource.RLIM_INFINITY]]
    with suppress(ValueError, OverflowError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    if sys.platform == "darwin":
        from threading import Thread

        Thread(target=end_beyond, args=(limit,), daemon=True).start()


def end_beyond(limit: int) -> None:
    """Check the peak memory of this process at intervals. End the process if its peak memory is above `limit` bytes."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= limit:
        time.sleep(_INTERVAL_OF_MEMORY)
    os._exit(NO_MEMORY)
