"""The open connections of a server, up to a limit: connections without a job make room for new ones."""

from __future__ import annotations

from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket


class Connections:
    """The open connections.

    Anybody on this machine can open connections, and then send nothing, or a byte now and then, to block the server. So
    where there are too many, the oldest one without a job is dropped. A request gets a job once it has shown the token.
    A browser sends its whole request at once, so that it is not dropped for long.

    Args:
        limit: the maximum number of connections at a time; it is larger than that of jobs.
    """

    def __init__(self, limit: int) -> None:
        from threading import Lock

        self._limit = limit
        self._lock = Lock()
        self._open: dict[socket, None] = {}  # without a job, in the order in which they came
        self._kept: set[socket] = set()

    def admit(self, connection: socket) -> None:
        """Add a connection; where there are too many then, drop the oldest one without a job."""
        with self._lock:
            self._open[connection] = None
            if len(self._open) + len(self._kept) > self._limit:
                self._drop_oldest()

    def keep(self, connection: socket) -> None:
        """Never drop a connection from now on, as it has a job."""
        with self._lock:
            if connection in self._open:
                del self._open[connection]
                self._kept.add(connection)

    def forget(self, connection: socket) -> None:
        """Remove a connection that is about to be closed."""
        with self._lock:
            self._open.pop(connection, None)
            self._kept.discard(connection)

    def drop_oldest(self) -> None:
        """Drop the oldest connection without a job, if there is one."""
        with self._lock:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        import socket

        for connection in self._open:
            del self._open[connection]
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # the thread that waits for it wakes up, and closes it
            return
