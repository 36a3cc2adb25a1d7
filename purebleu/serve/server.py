"""The server of the local page, which listens only on the loopback address, and stores nothing.

Any page in a browser can send requests to this machine. An attacker can also let their own host name resolve to this
machine (DNS rebinding). So a request must name this server as its host, and must not come from a page of another
server. Each request must also have a token, except a request for the page.

The token is in the fragment of the page's address, which browsers do not send. The page sends the token in a header. A
cookie would be unsafe, because browsers send a cookie to the servers on all ports of a machine.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress

from ..runtime.errors import PurebleuError, warn
from ..runtime.hints import Any, Callable, Iterator, Sequence
from .jobs import Jobs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from socket import socket

LOOPBACK = "127.0.0.1"

#: The names of this machine that the header `Host` may have.
_HOSTS = (LOOPBACK, "localhost", "[::1]")

#: The number of random bytes in a token, and the header that has the token.
_TOKEN_BYTES = 24
_TOKEN = "X-Purebleu-Token"

#: The largest number of bytes in the body of a request.
MAX_BODY = 64 << 20

#: A connection is closed if no byte arrives for this many seconds. The shorter limit is for the time after an answer,
#: when the rest of the request is read and ignored.
_SECONDS = 30.0
_SECONDS_IGNORED = 2.0

#: The number of bytes of an answer that one call sends.
_PIECE = 1 << 16

#: The paths of the server, and the HTTP method of each path.
_METHODS = {"/": "GET", "/test-sets": "GET", "/score": "POST"}

#: The media type of an answer in lines of JSON. The last line has the result, and the lines before it have progress.
_LINES_OF_JSON = "application/x-ndjson"

#: The headers of every answer forbid frames, caches, guesses of the content type, and access from other pages.
_HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_NO_CONTENT_POLICY = "default-src 'none'"


class Site:
    """The content of the server, and the checks of requests.

    Attributes:
        page: the page as HTML. Every user of this machine can read the page, so the page has no data of the user.
        policy: the Content-Security-Policy of the page.
        test_sets: the names of the user's cached test sets as JSON. A request for these names needs the token.
        jobs: the running jobs.

    Args:
        work, memory: as for `Jobs`.
        token: a secret, in characters of URL-safe base64.
    """

    def __init__(self, page: bytes, policy: str, work: Callable[[Any], Any], token: str, test_sets: bytes = b"{}",
                 memory: int = 0) -> None:
        self.page = page
        self.policy = policy
        self.test_sets = test_sets
        self.jobs = Jobs(work, memory)
        self._token = token.encode("ascii")
        self._hosts: set[str] = set()

    def admit_port(self, port: int) -> None:
        """Admit requests to a port of this machine."""
        self._hosts.update([f"{host}:{port}" for host in _HOSTS])
        if port == 80:
            self._hosts.update(_HOSTS)  # Browsers leave out the default port of HTTP.

    def admits(self, hosts: Sequence[str], origins: Sequence[str]) -> bool:
        """Whether a request has exactly one host, and host and origins are this server.

        A request may have no origin. (Scripts send none, and browsers send none if a user opens an address.)
        """
        servers = {f"http://{host}" for host in self._hosts}
        is_own = len(hosts) == 1 and hosts[0].lower() in self._hosts
        return is_own and all(origin.lower() in servers for origin in origins)

    def admits_token(self, tokens: Sequence[str]) -> bool:
        """Whether one of `tokens` is the token."""
        from hmac import compare_digest

        return True in [compare_digest(self._token, token.encode("utf-8", "surrogateescape")) for token in tokens]


def address_with(token: str, port: int) -> str:
    """Return the address of the page, with its token."""
    return f"http://{LOOPBACK}:{port}/#token={token}"


def new_token() -> str:
    """Return a new random token."""
    from secrets import token_urlsafe

    return token_urlsafe(_TOKEN_BYTES)


def open_server(site: Site, port: int) -> HTTPServer:
    """Open a server on a port of this machine (0: any free port). The caller must close the server.

    Raises:
        PurebleuError: the port is taken, or this user may not use it.
    """
    from http.server import ThreadingHTTPServer
    from socketserver import TCPServer

    class Server(ThreadingHTTPServer):
        allow_reuse_address = os.name == "posix"  # On Windows, other programs could use the same port.
        request_queue_size = 128

        def server_bind(self) -> None:
            TCPServer.server_bind(self)  # (`server_bind` of `HTTPServer` looks up this machine's name.)
            self.server_name, self.server_port = LOOPBACK, self.server_address[1]

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Do nothing: the client has closed the connection."""

    try:
        server = Server((LOOPBACK, port), _handler_class(site))
    except (OSError, OverflowError) as error:
        raise PurebleuError(f"port {port}: {getattr(error, 'strerror', None) or error}") from error
    site.admit_port(server.server_port)
    return server


def _handler_class(site: Site) -> type[BaseHTTPRequestHandler]:
    from http.server import BaseHTTPRequestHandler

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = _SECONDS
        server_version = "purebleu"
        sys_version = ""
        error_content_type = "text/plain; charset=utf-8"
        error_message_format = "%(message)s\n"
        policy = _NO_CONTENT_POLICY

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if not self._is_admitted(path):
                return
            if path == "/":
                self.policy = site.policy
                self._send(200, "text/html; charset=utf-8", site.page)
            elif path == "/test-sets":
                self._send(200, "application/json", site.test_sets)
            elif site.jobs.places.acquire(blocking=False):
                self._score()
            else:
                self.send_error(503, "two requests are running: try again when one of them is done")

        do_POST = do_GET

        def _is_admitted(self, path: str) -> bool:
            """Return whether a request is allowed. If the request is not allowed, answer with an error."""
            status, reason = 0, ""
            if not site.admits(self._values("Host"), self._values("Origin")):
                status, reason = 403, "the host or the origin of the request is not this server"
            elif path not in _METHODS:
                status, reason = 404, "the server has no page at this address"
            elif self.command != _METHODS[path]:
                status, reason = 405, f"this address only takes the HTTP method {_METHODS[path]}"
            elif path != "/" and not site.admits_token(self._values(_TOKEN)):
                status, reason = 403, ("the token is missing, or belongs to another server: send the token from the "
                                       f"address that purebleu printed, in the header {_TOKEN}")
            if status:
                self.send_error(status, reason)
            return not status

        def _values(self, header: str) -> list[str]:
            return self.headers.get_all(header) or []

        def _score(self) -> None:
            """Do the job of a request, and send its result. A new job can start before the result is sent."""
            is_streamed = _LINES_OF_JSON in ", ".join(self._values("Accept"))
            try:
                body = self._body()
                if body is None:
                    return
                if is_streamed:
                    self._send_head(200, _LINES_OF_JSON)
                status, key, answer = site.jobs.do(body, self.connection, self.wfile.write if is_streamed else None)
            finally:
                site.jobs.places.release()
            if is_streamed:
                self._write(b'{"%s":%s}\n' % (key.encode("ascii"), answer))
            elif key == "error":
                self._send(status, "application/json", b'{"error":%s}\n' % answer)
            else:
                self._send(status, "application/json", answer + b"\n")

        def _body(self) -> bytes | None:
            """Return the body of a request. If the body is refused, send an error and return `None`."""
            length = self.headers.get("Content-Length", "")
            if not (length.isascii() and length.isdigit()):
                self.send_error(411, "the request needs the header Content-Length with the length of its body")
                return None
            if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
                self.send_error(413, f"the body is larger than {MAX_BODY} bytes")
                return None
            return self.rfile.read(int(length))

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self._send_head(status, kind, len(content))
            self._write(content)

        def _write(self, content: bytes) -> None:
            for start in range(0, len(content), _PIECE):  # (`timeout` is the limit of each call.)
                self.wfile.write(content[start:start + _PIECE])

        def _send_head(self, status: int, kind: str, length: int | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            if length is not None:
                self.send_header("Content-Length", str(length))
            self.end_headers()

        def send_response(self, code: int, message: str | None = None) -> None:
            super().send_response(code)  # (The body has the message, so the status line has none.)
            self.send_header("Content-Security-Policy", f"{self.policy}; frame-ancestors 'none'")
            for name, value in _HEADERS.items():
                self.send_header(name, value)

        def finish(self) -> None:
            super().finish()
            _ignore_the_rest(self.connection)

        def log_message(self, format: str, *_: Any) -> None:
            """Do nothing: requests are not logged."""

    return Handler


def _ignore_the_rest(connection: socket) -> None:
    """Read and ignore the rest of a request. (An answer can be lost if its connection is closed with unread data.)"""
    import socket

    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(_SECONDS_IGNORED)
        for _ in range(MAX_BODY >> 10):
            if not connection.recv(1 << 16):
                return


# A browser

#: A browser first opens this page, which redirects to the form. The browser's history does not keep this page.
_REDIRECTION = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>purebleu</title>
"""

_NO_BROWSER = "no browser could be started: open the address above in a browser"


@contextmanager
def opened(token: str, port: int) -> Iterator[None]:
    """Open the page in a browser during a `with` block.

    Every user of this machine can read the arguments of a browser (`ps`), so the arguments must not have the token. The
    browser opens a temporary file that only this user can read, and that redirects to the address with the token. The
    file is removed at the end of the block. Under WSL, browsers of Windows cannot read such a file, so the browser
    opens the address without the token, and the page asks for the token.
    """
    from pathlib import Path
    from platform import release
    from shutil import rmtree
    from threading import Thread

    if "microsoft" in release().lower():  # WSL
        Thread(target=_browse, args=(f"http://{LOOPBACK}:{port}/",), daemon=True).start()
        yield
        return
    folder = _private_folder()
    path = os.path.join(folder, "open.html")
    try:
        with open(path, "x", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(_REDIRECTION.format(address=address_with(token, port)))
        Thread(target=_browse, args=(Path(path).as_uri(),), daemon=True).start()
        yield
    finally:
        rmtree(folder, ignore_errors=True)


def _browse(address: str) -> None:
    """Start a browser. Warn if no browser could be started."""
    import webbrowser

    if not webbrowser.open(address):
        warn(_NO_BROWSER)


def _private_folder() -> str:
    """Make a temporary folder that no other user can read, and return its path."""
    import sys
    from tempfile import mkdtemp

    # Browsers in snaps (Ubuntu's Firefox and Chromium) have a separate /tmp, and see no hidden folders at home.
    home = os.path.expanduser("~") if sys.platform == "linux" else None
    try:
        return mkdtemp(prefix="purebleu-", dir=home)
    except OSError:
        return mkdtemp(prefix="purebleu-")
