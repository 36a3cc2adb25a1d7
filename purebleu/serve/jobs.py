"""Jobs: each runs in a separate process with a limit of memory, and the process ends with the job in any case."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

from ..errors import PurebleuError, one_line
from ..runtime.isolation import process_context
from ..runtime.progress import Observer, observe
from ..runtime.workers import end_with_parent, interrupts_held_back
from .memory import NO_MEMORY, end_without_memory, limit_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from socket import socket
    from typing import Any, Callable, Iterator

    #: Does a job: makes the dict of an answer from the parsed JSON of a request. After an error, the dict has `error`.
    Work = Callable[[Any], Any]

#: The number of jobs at a time.
MAX_JOBS = 2

#: The seconds that a job may take.
_MAX_SECONDS = 3600.0

#: The minimum and the maximum of seconds between two lines of progress. (Only by sending can the server notice that a
#: client has gone away.)
_INTERVAL = 0.1
_LONGEST_INTERVAL = 1.0

#: The first interval after a client has closed its side of the connection: most of these clients have gone away.
_FIRST_INTERVAL = 0.05

#: The beginning of lines of progress; and the line that is sent while there is no progress yet.
PROGRESS = b'{"progress"'
_NO_PROGRESS = b'{"progress":{"what":"starting","done":0,"total":0}}\n'

#: The seconds that a process may take to end after its pipe has ended.
_SECONDS_TO_DIE = 10

_ENDED = "the server was ended before it was done."
_DIED = "the process that did this died (was it killed, or out of memory?)"


class Jobs:
    """The running jobs: at most `limit` at a time, each with at most `memory` MiB (0: without a limit)."""

    def __init__(self, work: Work, limit: int = MAX_JOBS, memory: int = 0) -> None:
        from threading import Lock

        self._work = work
        self._limit = limit
        self.memory = memory
        self._lock = Lock()
        self._jobs: set[Job] = set()

    def reserve(self) -> Job | None:
        """A new job, which has not begun; `None` where the limit is reached."""
        with self._lock:
            if len(self._jobs) >= self._limit:
                return None
            job = Job(self)
            self._jobs.add(job)
            return job

    def start(self, job: Job) -> None:
        """Start the process of a job; raises `PurebleuError` where all jobs have been ended."""
        context = process_context("spawn")  # (a fork would copy the half-changed state of other threads)
        with self._lock:
            if job not in self._jobs:
                raise PurebleuError(_ENDED)
            here, there = context.Pipe()
            arguments = (self._work, there, self.memory)
            process = context.Process(target=_do, args=arguments, name="purebleu job", daemon=True)
            with interrupts_held_back("spawn", False):
                process.start()
            there.close()
            job.connection, job.process = here, process

    def release(self, job: Job) -> None:
        """End a job, if it has not ended, so that another one can be reserved."""
        with self._lock:
            job.end()
            self._jobs.discard(job)

    def end(self) -> None:
        """End all jobs, and accept no more."""
        with self._lock:
            self._limit = 0
            for job in self._jobs:
                job.end()
            self._jobs.clear()

    @property
    def is_ending(self) -> bool:
        """Whether all jobs have been ended, and no more are accepted."""
        return self._limit == 0


class Job:
    """A running job.

    Attributes:
        connection: the connection to its process.
        process: its process; `None` before it begins.
        status: the status of an answer with an error: 400 where the job itself reported the error, else another one.
        client_is_done: whether the client has closed its side of the connection; it may still read, or have gone away.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self.connection: Connection | None = None
        self.process: BaseProcess | None = None
        self.status = 400
        self.client_is_done = False

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self._jobs.release(self)

    def lines(self, body: bytes, client: socket) -> Iterator[bytes]:
        """Do the job of a body: lines of JSON with `progress`, and a last one with `result` or `error`.

        Lines with progress come at least every second, because only by sending can the server notice that a client has
        gone away. Where it is noticed in here, there is no last line.
        """
        try:
            self._jobs.start(self)
        except (OSError, PurebleuError) as error:
            yield self._failure(str(error))
            return
        assert self.connection is not None
        try:
            with suppress(BrokenPipeError):  # the process has died, which is noticed below
                self.connection.send_bytes(body)
            with suppress(_Gone):
                yield from self._received(self.connection, client)
        except (EOFError, OSError):
            if self._jobs.is_ending:
                yield self._failure(_ENDED)
            elif self._exit_code() == NO_MEMORY:
                yield self._failure(_out_of_memory(self._jobs.memory), 413)
            else:
                yield self._failure(_DIED)

    def _exit_code(self) -> int | None:
        """The exit code of the process, whose pipe has ended already."""
        process = self.process
        if process is None:
            return None  # the server is being shut down
        process.join(_SECONDS_TO_DIE)
        return process.exitcode

    def _received(self, connection: Connection, client: socket) -> Iterator[bytes]:
        from multiprocessing.connection import wait

        watched: list[Any] = [connection, client]
        end, interval, progress = time.monotonic() + _MAX_SECONDS, _LONGEST_INTERVAL, _NO_PROGRESS
        while True:
            left = end - time.monotonic()
            if left <= 0:
                yield self._failure(f"this took longer than {_MAX_SECONDS:.0f} seconds")
                return
            ready = wait(watched, min(left, interval))
            if client in ready:
                watched.remove(client)  # it has sent something unexpected, or closed its side
                self.client_is_done = not _has_more(client)
                interval = _FIRST_INTERVAL if self.client_is_done else interval
            elif self.client_is_done:
                interval = min(2 * interval, _LONGEST_INTERVAL)
                _raise_error_of(client)
            if connection not in ready:
                yield progress
                continue
            line = connection.recv_bytes()
            yield line
            if not line.startswith(PROGRESS):
                return
            progress = line

    def _failure(self, message: str, status: int = 500) -> bytes:
        self.status = status
        return _json_line({"error": _described(message)})

    def end(self) -> None:
        """End the process at once."""
        if self.process is not None and self.connection is not None:
            self.process.kill()
            self.process.join()
            self.connection.close()
            self.process = None


def _has_more(client: socket) -> bool:
    """Whether a readable socket has data, and is not at its end; raises `_Gone` where the connection is broken."""
    import socket

    try:
        return bool(client.recv(1, socket.MSG_PEEK))
    except OSError:
        raise _Gone from None


def _raise_error_of(client: socket) -> None:
    """Raise `_Gone` where a socket has an error, as after its other end has gone away."""
    import socket

    try:
        error = client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    except OSError:
        raise _Gone from None
    if error:
        raise _Gone


class _Gone(Exception):
    """The client has gone away."""


def _out_of_memory(limit: int) -> str:
    allowed = f" than the {limit} MiB that it may have" if limit else " than there is"
    return f"this takes more memory{allowed}: send fewer or shorter texts{', or see --memory' if limit else ''}"


def _described(message: str) -> dict[str, Any]:
    return {"message": message, "field": "", "line": None}


def _json_line(value: Any) -> bytes:
    import json

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


# In the process of a job


def _do(work: Work, connection: Connection, memory: int) -> None:
    """The main function of a job's process: do the one job that arrives, within `memory` MiB."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the server decides
    Thread(target=end_with_parent, daemon=True).start()
    try:
        body = connection.recv_bytes()
        if memory:
            limit_memory(memory << 20)
        connection.send_bytes(_answered(work, body, connection.send_bytes))
    except MemoryError:
        end_without_memory()
    except (EOFError, OSError):
        return  # the server has ended


def answered(work: Work, body: bytes, send: Callable[[bytes], object]) -> bytes:
    """Do the job of a body in this process: send the lines of progress, and return the last line of `Job.lines`."""
    try:
        return _answered(work, body, send)
    except MemoryError:
        return _json_line({"error": _described(_out_of_memory(0))})


def _answered(work: Work, body: bytes, send: Callable[[bytes], object]) -> bytes:
    answer = _answer_to(work, body, send)
    return _json_line(answer if "error" in answer else {"result": answer})


def _answer_to(work: Work, body: bytes, send: Callable[[bytes], object]) -> dict[str, Any]:
    import json

    try:
        request = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return {"error": _described(f"the request is not JSON in UTF-8 ({error})")}
    observe(_SentProgress(send))
    try:
        answer: dict[str, Any] = work(request)
        return answer
    except MemoryError:
        raise
    except Exception as error:
        from traceback import format_exc

        lines = [f"purebleu: {one_line(line)}\n" for line in format_exc().splitlines()]
        if sys.stderr is not None:
            sys.stderr.writelines(lines)
        return {"error": _described(f"this is a bug in purebleu; please report it ({error!r})")}


class _SentProgress(Observer):
    """Sends lines with the progress of work, now and then."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send
        self._next = 0.0
        self.begin("", 0)

    def begin(self, what: str, total: float, unit: str = "segments") -> None:
        self._what, self._total, self._done = what, total, 0

    def expect(self, total: float) -> None:
        self._total = total

    def advance(self, steps: int = 1) -> None:
        self._done += steps
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _INTERVAL
            progress = {"what": self._what, "done": self._done, "total": round(max(self._total, self._done))}
            self._send(_json_line({"progress": progress}))
