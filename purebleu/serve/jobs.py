"""Jobs: each is done in a process of its own, which ends with it, however it ends."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

from ..errors import PurebleuError
from ..runtime.progress import Observer, observe
from ..runtime.workers import end_with_parent, interrupts_held_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from socket import socket
    from typing import Any, Callable, Iterator

    #: What is done: from the parsed JSON of a request to the dict of an answer, which has `error` where it is one.
    Work = Callable[[Any], Any]

#: The number of jobs at a time.
MAX_JOBS = 2

#: The seconds that a job may take.
_MAX_SECONDS = 3600.0

#: The seconds between two lines of progress.
_INTERVAL = 0.1

_DIED = "the process that did this died (was it killed, or out of memory?)"


class Jobs:
    """The jobs that are being done, no more than `limit` at a time."""

    def __init__(self, work: Work, limit: int = MAX_JOBS) -> None:
        from threading import Lock

        self._work = work
        self._limit = limit
        self._lock = Lock()
        self._jobs: set[Job] = set()

    def reserve(self) -> Job | None:
        """A job that has not begun; `None` where the limit is reached."""
        with self._lock:
            if len(self._jobs) >= self._limit:
                return None
            job = Job(self)
            self._jobs.add(job)
            return job

    def start(self, job: Job) -> None:
        """Start the process of a job; raises `PurebleuError` where that can't be."""
        from multiprocessing import get_context

        context = get_context("spawn")  # (a fork would copy whatever state other threads are in the middle of)
        with self._lock:
            if job not in self._jobs:
                raise PurebleuError("the server is being shut down")
            here, there = context.Pipe()
            process = context.Process(target=_do, args=(self._work, there), name="purebleu job", daemon=True)
            with interrupts_held_back("spawn", False):
                process.start()
            there.close()
            job.connection, job.process = here, process

    def release(self, job: Job) -> None:
        """End a job, if it has not ended; then another one may be reserved."""
        with self._lock:
            job.end()
            self._jobs.discard(job)

    def end(self) -> None:
        """End all jobs, and take no more."""
        with self._lock:
            self._limit = 0
            for job in self._jobs:
                job.end()
            self._jobs.clear()


class Job:
    """One of the jobs that are being done.

    Attributes:
        connection: to its process.
        process: that does it, `None` before it begins.
        failed: whether it came to no end of its own.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self.connection: Connection | None = None
        self.process: BaseProcess | None = None
        self.failed = False

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self._jobs.release(self)

    def lines(self, body: bytes, client: socket) -> Iterator[bytes]:
        """Do what a body asks for: lines of JSON with `progress`, and at last one with `result` or `error`.

        There is no such last line where the client has gone away.
        """
        try:
            self._jobs.start(self)
        except (OSError, PurebleuError) as error:
            yield self._failure(str(error))
            return
        assert self.connection is not None
        try:
            with suppress(BrokenPipeError):  # then it died, as is seen at once
                self.connection.send_bytes(body)
            yield from self._received(self.connection, client)
        except (EOFError, OSError):
            yield self._failure(_DIED)

    def _received(self, connection: Connection, client: socket) -> Iterator[bytes]:
        from multiprocessing.connection import wait

        watched: list[Any] = [connection, client]
        end = time.monotonic() + _MAX_SECONDS
        while True:
            ready = wait(watched, max(0.0, end - time.monotonic()))
            if not ready:
                yield self._failure(f"this took longer than {_MAX_SECONDS:.0f} seconds")
                return
            if client in ready:
                if not _is_open(client):
                    return
                watched.remove(client)  # it sends something that nobody asked for
            if connection in ready:
                line = connection.recv_bytes()
                yield line
                if not line.startswith(b'{"progress"'):
                    return

    def _failure(self, message: str) -> bytes:
        self.failed = True
        return _json_line({"error": _described(message)})

    def end(self) -> None:
        """End the process at once, whatever it does."""
        if self.process is not None and self.connection is not None:
            self.process.kill()
            self.process.join()
            self.connection.close()
            self.process = None


def _is_open(client: socket) -> bool:
    """Whether a socket that can be read has something to read, and not its end."""
    import socket

    try:
        return bool(client.recv(1, socket.MSG_PEEK))
    except OSError:
        return False


def _described(message: str) -> dict[str, Any]:
    return {"message": message, "field": "", "line": None}


def _json_line(value: Any) -> bytes:
    import json

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


# In the process of a job


def _do(work: Work, connection: Connection) -> None:
    """Do what arrives, once."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the server decides
    Thread(target=end_with_parent, daemon=True).start()
    try:
        connection.send_bytes(answered(work, connection.recv_bytes(), connection.send_bytes))
    except (EOFError, OSError):
        return  # nobody is there any more


def answered(work: Work, body: bytes, send: Callable[[bytes], object]) -> bytes:
    """Do what a body asks for; returns the line that `Job.lines` ends with, and sends those before it."""
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
    except Exception as error:
        from traceback import print_exc

        print_exc(file=sys.stderr)
        return {"error": _described(f"this is a bug in purebleu; please report it ({error!r})")}


class _SentProgress(Observer):
    """Sends lines about how far work has come, now and then."""

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
