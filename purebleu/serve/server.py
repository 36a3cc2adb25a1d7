"""The server of the page and of requests to score. It listens on the loopback address alone, and stores nothing."""

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

#: Limits in seconds: until the head of a request has arrived, until its body has, and for sending a piece of an answer.
_HEAD_SECONDS = 10.0
_REQUEST_SECONDS = 60.0
_ANSWER_SECONDS = 60.0

#: Limit of the head of a request, in bytes. (Python's own limit is 100 lines of 64 kB.)
_MAX_HEAD = 128 << 10

#: Limits, in bytes and seconds, of the rest of a request that is read after the answer (see `_ignore_the_rest`).
_MAX_IGNORED = 1 << 30
_IGNORED_SECONDS = 5.0

#: The maximum number of connections at a time.
_MAX_CONNECTIONS = 64

#: The minimum and the maximum of seconds before the next try, where a connection could not be accepted.
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 1.0

#: The header that has the token.
_TOKEN = "X-Purebleu-Token"

#: The beginning of every answer; and the seconds before its second byte is sent as a probe. Before each further byte,
#: that interval becomes four times as long (see `Exchange._probe`).
_BEGINNING = b"HTTP/1.1 "
_PROBE_SECONDS = 0.05

#: The paths of the server, and the method of each.
_METHODS = {"/": "GET", "/proof": "GET", "/test-sets": "GET", "/score": "POST"}

#: The paths that need no token.
_FREE = ("/", "/proof")

#: The media type of answers in lines of JSON: lines with progress, and the result.
LINES_OF_JSON = "application/x-ndjson"

#: The beginning of the line with the result.
_RESULT = b'{"result":'

#: The headers of every answer: no frames, no cache, no guessing of its type, and no access from other pages.
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
        page: the page as HTML. It needs no token, so that every user of this machine can read it, and it is the same
            for all of them.
        policy: the Content-Security-Policy of the page.
        test_sets: the cached test sets as JSON; they depend on the user, and need the token.
        jobs: the running jobs.
        access: the conditions of requests.
        greeted: an event that is set once a request has shown the token.
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
        """Set the server's port."""
        self.access = self._access(port)


def open_server(site: Site, port: int) -> HTTPServer:
    """A server that listens on a port of this machine (0: any free one); the caller has to close it.

    Raises:
        PurebleuError: the port is taken, or this user may not use it.
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
                accepted = super().get_request()
            except OSError:
                # Perhaps too many files are open. The connection keeps waiting, so that without a pause, this would be
                # tried again and again.
                self.connections.drop_oldest()
                time.sleep(self.pause)
                self.pause = min(2 * self.pause, _LONGEST_PAUSE)
                raise
            self.pause = _FIRST_PAUSE
            return accepted

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
    """Block SIGINT in this thread, so that Ctrl-C wakes up the main one."""
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
            return True  # (100 Continue is sent once the request has been checked)

        def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
            self.close_connection = True
            Exchange(self, site).refuse(Refused(int(code), message or self.responses[code][0]))

        def log_message(self, format: str, *_: Any) -> None:
            """Nothing: requests are not logged."""

    return Handler


class _TimedReader(RawIOBase):
    """The bytes that a socket receives, within limits of time and of bytes."""

    def __init__(self, connection: socket, seconds: float, limit: int) -> None:
        self._connection = connection
        self._end = time.monotonic() + seconds
        self._left: int | None = limit

    def allow(self, seconds: float) -> None:
        """Allow this number of seconds from now on, and any number of bytes."""
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
        """The target of the request, as it was sent. (The handler's `path` is normalized.)"""
        return [*self._handler.requestline.split(), "", ""][1]

    @property
    def _path(self) -> str:
        return self._target.partition("?")[0]

    def _values(self, header: str) -> list[str]:
        return self._handler.headers.get_all(header) or []

    def _check(self) -> None:
        """Raise `Refused` for a request that is not allowed; the host is checked first."""
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
        """Do the job of the body, and send its result."""
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
        """Whether the client waits for 100 Continue before it sends the body. (In HTTP/1.0, that is no status.)"""
        expected = ",".join(self._values("Expect")).lower()
        return "100-continue" in expected and self._handler.request_version != "HTTP/1.0"

    def _probe(self, job: Job) -> None:
        """Test whether a client that has closed its side still reads; raises `ConnectionError` where it does not.

        Only sending something can show that. Of the answer, nothing is known yet but the version of HTTP, with which
        every answer begins. So these few bytes are sent one by one, in growing intervals.
        """
        now = time.monotonic()
        if job.client_is_done and self._begun < len(_BEGINNING) and now >= self._next_probe:
            self._handler.connection.settimeout(_ANSWER_SECONDS)
            self._write(_BEGINNING[self._begun:self._begun + 1])
            self._begun += 1
            self._next_probe = now + _PROBE_SECONDS * 4 ** (self._begun - 1)

    def _stream(self, job: Job, body: bytes) -> None:
        """Send lines as they come. The last one is sent after the job has ended, so that the next request gets a job.
        """
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
        """Send bytes in pieces, as the time limit is for each piece."""
        for start in range(0, len(content), 1 << 16):
            self._handler.wfile.write(content[start:start + (1 << 16)])


def _ignore_the_rest(connection: socket) -> None:
    """Read the rest of a request: closing a connection with unread data could destroy the answer before it is read."""
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
