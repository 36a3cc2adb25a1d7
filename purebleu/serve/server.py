"""The server: one page, and one address that takes requests. It listens on this machine alone, and stores nothing."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from io import BufferedReader, RawIOBase

from ..errors import PurebleuError
from .access import Access
from .bodies import Refused, body_length, read_body
from .jobs import Jobs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from socket import socket
    from typing import Any, Callable

    from .jobs import Job, Work

LOOPBACK = "127.0.0.1"

#: The seconds in which a request has to arrive, and without progress after which an answer is given up.
_REQUEST_SECONDS = 60.0
_ANSWER_SECONDS = 60.0

#: What is read of a refused request, for its sender to be able to read the answer: bytes, and seconds.
_MAX_IGNORED = 1 << 30
_IGNORED_SECONDS = 5.0

#: The number of connections at a time.
_MAX_CONNECTIONS = 64

#: The type of answers that are lines of JSON: those of progress, and the result.
LINES_OF_JSON = "application/x-ndjson"

#: What the line with the result begins with.
_RESULT = b'{"result":'

#: What every answer has: it is not framed, not kept, not taken for something else, and no other page's business.
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
    """What is served.

    Attributes:
        page: HTML.
        policy: its Content-Security-Policy.
        jobs: what requests ask for.
        access: who may ask for it.
    """

    def __init__(self, page: bytes, policy: str, work: Work, access: Callable[[int], Access]) -> None:
        self.page = page
        self.policy = policy
        self.jobs = Jobs(work)
        self._access = access
        self.access = access(0)

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
    from threading import BoundedSemaphore

    class Server(ThreadingHTTPServer):
        allow_reuse_address = os.name == "posix"  # elsewhere, that would share the port with other programs
        daemon_threads = True
        request_queue_size = 2 * _MAX_CONNECTIONS
        connections = BoundedSemaphore(_MAX_CONNECTIONS)

        def server_bind(self) -> None:
            TCPServer.server_bind(self)  # (HTTPServer asks the network for the name of this machine)
            self.server_name, self.server_port = LOOPBACK, self.server_address[1]

        def process_request(self, request: Any, client_address: Any) -> None:
            if self.connections.acquire(blocking=False):
                super().process_request(request, client_address)
            else:
                self.shutdown_request(request)

        def process_request_thread(self, request: Any, client_address: Any) -> None:
            try:
                _leave_interrupts_to_others()
                super().process_request_thread(request, client_address)
            finally:
                self.connections.release()

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
            self.rfile = BufferedReader(_TimedReader(self.connection, time.monotonic() + _REQUEST_SECONDS))

        def parse_request(self) -> bool:
            if not super().parse_request():
                return False
            self.close_connection = True
            Exchange(self, site).answer()
            return False  # nothing is left to be done

        def handle_expect_100(self) -> bool:
            return True  # it is said when the request has been looked at

        def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
            self.close_connection = True
            Exchange(self, site).refuse(Refused(int(code), message or self.responses[code][0]))

        def log_message(self, format: str, *_: Any) -> None:
            """Nothing: what is asked for is nobody's business."""

    return Handler


class _TimedReader(RawIOBase):
    """What a socket receives, until a point in time."""

    def __init__(self, connection: socket, end: float) -> None:
        self._connection = connection
        self._end = end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(max(0.001, self._end - time.monotonic()))
        return self._connection.recv_into(buffer)


class Exchange:
    """A request, whose head has been read, and its answer."""

    def __init__(self, handler: BaseHTTPRequestHandler, site: Site) -> None:
        self._handler = handler
        self._site = site

    def answer(self) -> None:
        """Answer the request."""
        with suppress(ConnectionError):
            try:
                self._check()
                if self._path == "/":
                    self._send(200, "text/html; charset=utf-8", self._site.page, self._site.policy,
                               {"Set-Cookie": self._site.access.cookie_header()})
                else:
                    self._score()
            except Refused as refused:
                self.refuse(refused)

    def refuse(self, refused: Refused) -> None:
        """Answer with a status and a line of text."""
        further = {"Allow": "POST" if self._path == "/score" else "GET"} if refused.status == 405 else {}
        if refused.status == 503:
            further = {"Retry-After": "5"}
        with suppress(OSError):
            self._send(refused.status, "text/plain; charset=utf-8", f"{refused.reason}\n".encode(), further=further)
            _ignore_the_rest(self._handler.connection)

    @property
    def _target(self) -> str:
        """What is asked for, as it was sent. (The handler's `path` is tidied up.)"""
        return [*self._handler.requestline.split(), "", ""][1]

    @property
    def _path(self) -> str:
        return self._target.partition("?")[0]

    def _values(self, header: str) -> list[str]:
        return self._handler.headers.get_all(header) or []

    def _check(self) -> None:
        """Raise `Refused` for what is not answered; the host comes first."""
        access = self._site.access
        if not access.admits_host(self._values("Host")):
            raise Refused(403, "the host is another one")
        if not access.admits_origin(self._values("Origin")):
            raise Refused(403, "the origin is another one")
        if self._path not in ("/", "/score"):
            raise Refused(404, "there is nothing of this name")
        if self._handler.command != ("GET" if self._path == "/" else "POST"):
            raise Refused(405, "this method is not for this address")
        tokens = access.tokens_in_cookies(self._values("Cookie"))
        if self._path == "/":
            query = self._target.partition("?")[2]
            tokens += [value for name, _, value in [pair.partition("=") for pair in query.split("&")]
                       if name == "token"]
        else:
            tokens += self._values("X-Purebleu-Token")
        if not access.admits_token(tokens):
            raise Refused(403, "the token is missing: open the address that purebleu printed")

    def _score(self) -> None:
        """Do what the body asks for."""
        from socket import timeout

        length = body_length(self._handler.headers)
        job = self._site.jobs.reserve()
        if job is None:
            raise Refused(503, "two requests are being worked on: try again when one of them is done")
        with job:
            if "100-continue" in self._handler.headers.get("Expect", "").lower():
                self._handler.send_response_only(100)
                self._handler.end_headers()
            try:
                body = read_body(self._handler.headers, self._handler.rfile, length)
            except timeout:
                raise Refused(408, "the body did not arrive in time") from None
            if LINES_OF_JSON in ", ".join(self._values("Accept")):
                self._stream(job, body)
                return
            last = b""
            for line in job.lines(body, self._handler.connection):
                last = line
        if last.startswith(_RESULT):
            self._send(200, "application/json", last[len(_RESULT):-2] + b"\n")
        elif last:
            self._send(500 if job.failed else 400, "application/json", last)

    def _stream(self, job: Job, body: bytes) -> None:
        """Send lines as they come, and the last one when the job is over, so that the next request is not refused."""
        self._send_head(200, LINES_OF_JSON, {})
        last = b""
        for line in job.lines(body, self._handler.connection):
            if line.startswith(b'{"progress"'):
                self._write(line)
            else:
                last = line
        self._site.jobs.release(job)
        self._write(last)

    def _send(self, status: int, kind: str, content: bytes, policy: str = _NO_CONTENT_POLICY,
              further: dict[str, str] | None = None) -> None:
        self._send_head(status, kind, {"Content-Length": str(len(content)), **(further or {})}, policy)
        self._write(content)

    def _send_head(self, status: int, kind: str, further: dict[str, str], policy: str = _NO_CONTENT_POLICY) -> None:
        handler = self._handler
        handler.connection.settimeout(_ANSWER_SECONDS)
        handler.send_response(status)
        policy = f"{policy}; frame-ancestors 'none'"
        for name, value in {"Content-Type": kind, "Content-Security-Policy": policy, **_HEADERS, **further,
                            "Connection": "close"}.items():
            handler.send_header(name, value)
        handler.end_headers()

    def _write(self, content: bytes) -> None:
        """Send something, piece by piece, for the time limit is that of one."""
        for start in range(0, len(content), 1 << 16):
            self._handler.wfile.write(content[start:start + (1 << 16)])


def _ignore_the_rest(connection: socket) -> None:
    """Read what is still sent: to close a connection before that would take the answer away from its reader."""
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
