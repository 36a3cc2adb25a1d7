"""Connections, no more than a server can have at a time: those without a job make room for new ones."""

from __future__ import annotations

from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket


class Connections:
    """The connections that are open.

    Anybody on this machine can open one, and send nothing, or a byte now and then. So none of them can be waited for
    until it has shown the token and got a job: where there are too many, the oldest of the others is dropped. A browser
    sends its whole request at once, and is out of danger a moment later.

    Args:
        limit: the number of connections at a time; there are fewer jobs than that.
    """

    def __init__(self, limit: int) -> None:
        from threading import Lock

        self._limit = limit
        self._lock = Lock()
        self._open: dict[socket, None] = {}  # without a job, in the order in which they came
        self._kept: set[socket] = set()

    def admit(self, connection: socket) -> None:
        """Take note of a connection; where that makes too many of them, drop the oldest one without a job."""
        with self._lock:
            self._open[connection] = None
            if len(self._open) + len(self._kept) > self._limit:
                self._drop_oldest()

    def keep(self, connection: socket) -> None:
        """It has a job: from now on, it is not dropped."""
        with self._lock:
            if connection in self._open:
                del self._open[connection]
                self._kept.add(connection)

    def forget(self, connection: socket) -> None:
        """It is about to be closed."""
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
                connection.shutdown(socket.SHUT_RDWR)  # whoever waits for it in another thread wakes up, and closes it
            return
