"""The server: one page, and one address that takes requests. It listens on this machine alone, and stores nothing."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from io import BufferedReader, RawIOBase

from ..errors import PurebleuError
from .access import Access
from .bodies import Refused, body_length, read_body
from .connections import Connections
from .jobs import PROGRESS, Jobs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from socket import socket
    from typing import Any, Callable

    from .jobs import Job, Work

LOOPBACK = "127.0.0.1"

#: The seconds in which the head of a request has to arrive, then its body, and without progress after which an answer
#: is given up.
_HEAD_SECONDS = 10.0
_REQUEST_SECONDS = 60.0
_ANSWER_SECONDS = 60.0

#: Limit of the head of a request, in bytes. (Python's own is 64 kB a line, and 100 lines.)
_MAX_HEAD = 128 << 10

#: Limits of the rest of a request that is read after the answer, so that its sender can read that: bytes, and seconds.
_MAX_IGNORED = 1 << 30
_IGNORED_SECONDS = 5.0

#: The number of connections at a time.
_MAX_CONNECTIONS = 64

#: The seconds before the next try to accept a connection where that failed: at first, and at most.
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 1.0

#: The header that has the token.
_TOKEN = "X-Purebleu-Token"

#: The beginning of every answer, and the seconds before its second byte is sent, which are four times as many before
#: each further one (see `Exchange._probe`).
_BEGINNING = b"HTTP/1.1 "
_PROBE_SECONDS = 0.05

#: The paths of the server, and the method of each.
_METHODS = {"/": "GET", "/proof": "GET", "/test-sets": "GET", "/score": "POST"}

#: The paths that need no token.
_FREE = ("/", "/proof")

#: The type of answers that are lines of JSON: those of progress, and the result.
LINES_OF_JSON = "application/x-ndjson"

#: The beginning of the line with the result.
_RESULT = b'{"result":'

#: The headers of every answer: it is not framed, not cached, not taken for something else, and closed to other pages.
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_NO_CONTENT_POLICY = "default-src 'none'"


class Site:
    """The content of the server.

    Attributes:
        page: HTML, the same for everybody on this machine: whoever can reach the port gets it, for a browser that asks
            for it has nothing to show but an address, which others may see.
        policy: its Content-Security-Policy.
        test_sets: JSON, for those who have the token: the test sets at hand, which depend on who started this.
        jobs: those that requests ask for.
        access: the conditions of requests.
        greeted: whether somebody has shown the token.
    """

    def __init__(self, page: bytes, policy: str, work: Work, access: Callable[[int], Access],
                 test_sets: bytes = b"{}", memory: int = 0) -> None:
        from threading import Event

        self.page = page
        self.policy = policy
        self.test_sets = test_sets
        self.jobs = Jobs(work, memory=memory)
        self._access = access
        self.access = access(0)
        self.greeted = Event()
        self.connections = Connections(_MAX_CONNECTIONS)

    def listens_on(self, port: int) -> None:
        """Take note of the server's port."""
        self.access = self._access(port)


def open_server(site: Site, port: int) -> HTTPServer:
    """A server that listens on a port of this machine, 0 for any that is free. It is to be closed in the end.

    Raises:
        PurebleuError: the port is taken, or may not be used.
    """
    from http.server import ThreadingHTTPServer
    from socketserver import TCPServer

    class Server(ThreadingHTTPServer):
        allow_reuse_address = os.name == "posix"  # elsewhere, that would share the port with other programs
        daemon_threads = True
        request_queue_size = 2 * _MAX_CONNECTIONS
        connections = site.connections
        pause = _FIRST_PAUSE

        def server_bind(self) -> None:
            TCPServer.server_bind(self)  # (HTTPServer asks the network for the name of this machine)
            self.server_name, self.server_port = LOOPBACK, self.server_address[1]

        def get_request(self) -> tuple[socket, Any]:
            try:
                found = super().get_request()
            except OSError:  # there are too many open files, say: the connection stays, and this would be tried at once
                self.connections.drop_oldest()
                time.sleep(self.pause)
                self.pause = min(2 * self.pause, _LONGEST_PAUSE)
                raise
            self.pause = _FIRST_PAUSE
            return found

        def process_request(self, request: Any, client_address: Any) -> None:
            self.connections.admit(request)
            super().process_request(request, client_address)

        def process_request_thread(self, request: Any, client_address: Any) -> None:
            _leave_interrupts_to_others()
            super().process_request_thread(request, client_address)

        def shutdown_request(self, request: Any) -> None:
            self.connections.forget(request)
            super().shutdown_request(request)

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Nothing: the client has gone away."""

    try:
        server = Server((LOOPBACK, port), _handler_class(site))
    except (OSError, OverflowError) as error:
        raise PurebleuError(f"port {port}: {getattr(error, 'strerror', None) or error}") from error
    site.listens_on(server.server_port)
    return server


def _leave_interrupts_to_others() -> None:
    """Let this thread not be the one that Ctrl-C wakes up: that is the main one."""
    import signal

    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


def _handler_class(site: Site) -> type[BaseHTTPRequestHandler]:
    from http.server import BaseHTTPRequestHandler

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version = "purebleu"
        sys_version = ""

        def setup(self) -> None:
            super().setup()
            self.rfile.close()
            self.received = _TimedReader(self.connection, _HEAD_SECONDS, _MAX_HEAD)
            self.rfile = BufferedReader(self.received)

        def parse_request(self) -> bool:
            if not super().parse_request():
                return False
            self.received.allow(_REQUEST_SECONDS)
            self.close_connection = True
            Exchange(self, site).answer()
            return False  # nothing is left to be done

        def handle_expect_100(self) -> bool:
            return True  # it is said when the request has been looked at

        def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
            self.close_connection = True
            Exchange(self, site).refuse(Refused(int(code), message or self.responses[code][0]))

        def log_message(self, format: str, *_: Any) -> None:
            """Nothing: requests are not logged."""

    return Handler


class _TimedReader(RawIOBase):
    """The bytes that a socket receives, with limits of seconds and of bytes."""

    def __init__(self, connection: socket, seconds: float, limit: int) -> None:
        self._connection = connection
        self._end = time.monotonic() + seconds
        self._left: int | None = limit

    def allow(self, seconds: float) -> None:
        """From now on, allow this number of seconds, and any number of bytes."""
        self._end = time.monotonic() + seconds
        self._left = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._left is not None and self._left <= 0:
            from http.client import HTTPException

            raise HTTPException("the head of the request is too large")  # (the handler answers this with 431)
        self._connection.settimeout(max(0.001, self._end - time.monotonic()))
        received = self._connection.recv_into(buffer)
        if self._left is not None:
            self._left -= received
        return received


class Exchange:
    """A request, whose head has been read, and its answer."""

    def __init__(self, handler: BaseHTTPRequestHandler, site: Site) -> None:
        self._handler = handler
        self._site = site
        self._begun = 0  # bytes of `_BEGINNING` that have been sent
        self._next_probe = 0.0

    def answer(self) -> None:
        """Answer the request."""
        with suppress(ConnectionError):
            try:
                self._check()
                if self._path == "/":
                    self._send(200, "text/html; charset=utf-8", self._site.page, self._site.policy)
                elif self._path == "/proof":
                    proof = self._site.access.proof(self._target.partition("?")[2])
                    self._send(200, "text/plain; charset=utf-8", f"{proof}\n".encode("ascii"))
                elif self._path == "/test-sets":
                    self._send(200, "application/json", self._site.test_sets)
                else:
                    self._score()
            except Refused as refused:
                self.refuse(refused)
            else:
                _ignore_the_rest(self._handler.connection)

    def refuse(self, refused: Refused) -> None:
        """Answer with a status and a line of text."""
        further = {"Allow": _METHODS.get(self._path, "GET")} if refused.status == 405 else {}
        if refused.status == 503:
            further = {"Retry-After": "5"}
        with suppress(OSError):
            self._send(refused.status, "text/plain; charset=utf-8", f"{refused.reason}\n".encode(), further=further)
            _ignore_the_rest(self._handler.connection)

    @property
    def _target(self) -> str:
        """The target of the request, as it was sent. (The handler's `path` is tidied up.)"""
        return [*self._handler.requestline.split(), "", ""][1]

    @property
    def _path(self) -> str:
        return self._target.partition("?")[0]

    def _values(self, header: str) -> list[str]:
        return self._handler.headers.get_all(header) or []

    def _check(self) -> None:
        """Raise `Refused` for a request that is not answered; the host is checked first."""
        access = self._site.access
        if not access.admits_host(self._values("Host")):
            raise Refused(403, "the host is another one")
        if not access.admits_origin(self._values("Origin")):
            raise Refused(403, "the origin is another one")
        if self._path not in _METHODS:
            raise Refused(404, "there is nothing of this name")
        if self._handler.command != _METHODS[self._path]:
            raise Refused(405, "this method is not for this address")
        if self._path in _FREE:
            return
        if not access.admits_token(self._values(_TOKEN)):
            raise Refused(403, "the token is missing, or another server's: it stands in the address that purebleu "
                               f"printed when it started, and belongs into the header {_TOKEN}")
        self._site.greeted.set()

    def _score(self) -> None:
        """Do the job that the body asks for."""
        from socket import timeout

        length = body_length(self._handler.headers)
        job = self._site.jobs.reserve()
        if job is None:
            raise Refused(503, "two requests are being worked on: try again when one of them is done")
        with job:
            self._site.connections.keep(self._handler.connection)
            if self._is_waiting():
                self._write(b"HTTP/1.1 100 Continue\r\n\r\n")
            try:
                body = read_body(self._handler.headers, self._handler.rfile, length)
            except timeout:
                raise Refused(408, "the body did not arrive in time") from None
            if LINES_OF_JSON in ", ".join(self._values("Accept")):
                self._stream(job, body)
                return
            last = b""
            for line in job.lines(body, self._handler.connection):
                if line.startswith(PROGRESS):
                    self._probe(job)
                else:
                    last = line
        if last.startswith(_RESULT):
            self._send(200, "application/json", last[len(_RESULT):-2] + b"\n")
        elif last:
            self._send(job.status, "application/json", last)

    def _is_waiting(self) -> bool:
        """Whether the client wants to be told to send the body. (One of HTTP/1.0 would take that for the answer.)"""
        expected = ",".join(self._values("Expect")).lower()
        return "100-continue" in expected and self._handler.request_version != "HTTP/1.0"

    def _probe(self, job: Job) -> None:
        """Find out whether a client that sends no more still reads; raises `ConnectionError` where it does not.

        Only sending something can show that, and the answer is not known yet, but for the version of HTTP, which every
        answer begins with: so that is sent byte by byte, in ever longer intervals.
        """
        now = time.monotonic()
        if job.client_is_done and self._begun < len(_BEGINNING) and now >= self._next_probe:
            self._handler.connection.settimeout(_ANSWER_SECONDS)
            self._write(_BEGINNING[self._begun:self._begun + 1])
            self._begun += 1
            self._next_probe = now + _PROBE_SECONDS * 4 ** (self._begun - 1)

    def _stream(self, job: Job, body: bytes) -> None:
        """Send lines as they come, and the last one when the job is over, so that the next request is not refused."""
        self._send_head(200, LINES_OF_JSON, {})
        last = b""
        for line in job.lines(body, self._handler.connection):
            if line.startswith(PROGRESS):
                self._write(line)
            else:
                last = line
        self._site.jobs.release(job)
        self._write(last)

    def _send(self, status: int, kind: str, content: bytes, policy: str = _NO_CONTENT_POLICY,
              further: dict[str, str] | None = None) -> None:
        self._send_head(status, kind, {"Content-Length": str(len(content)), **(further or {})}, policy)
        if self._handler.command != "HEAD":
            self._write(content)

    def _send_head(self, status: int, kind: str, further: dict[str, str], policy: str = _NO_CONTENT_POLICY) -> None:
        handler = self._handler
        handler.connection.settimeout(_ANSWER_SECONDS)
        policy = f"{policy}; frame-ancestors 'none'"
        headers = {"Server": handler.version_string(), "Date": handler.date_time_string(), "Content-Type": kind,
                   "Content-Security-Policy": policy, **_HEADERS, **further, "Connection": "close"}
        lines = [f"{status} {handler.responses[status][0]}", *[f"{name}: {value}" for name, value in headers.items()]]
        self._write(_BEGINNING[self._begun:] + "\r\n".join([*lines, "", ""]).encode("ascii"))

    def _write(self, content: bytes) -> None:
        """Send something, piece by piece, for the time limit is that of one."""
        for start in range(0, len(content), 1 << 16):
            self._handler.wfile.write(content[start:start + (1 << 16)])


def _ignore_the_rest(connection: socket) -> None:
    """Read the rest of a request: closing the connection before that would take the answer away from its reader."""
    import socket

    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        end, left = time.monotonic() + _IGNORED_SECONDS, _MAX_IGNORED
        while left > 0 and time.monotonic() < end:
            connection.settimeout(max(0.001, end - time.monotonic()))
            content = connection.recv(1 << 16)
            if not content:
                return
            left -= len(content)
