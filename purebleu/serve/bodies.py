"""The bodies of requests, within limits."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import zlib
    from email.message import Message
    from io import BufferedIOBase

#: Limit of a body, in bytes, also after decompression.
MAX_BODY = 64 << 20

#: The number of bytes that are read and decompressed at once.
_CHUNK = 1 << 16

_GZIP = 31  # zlib's parameter for gzip's own header


class Refused(Exception):
    """A request that is answered by an error status only.

    Attributes:
        status: the status, such as 403.
        reason: the reason, in one line.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def body_length(headers: Message, limit: int = MAX_BODY) -> int:
    """The length of a body before decompression; raises `Refused` unless it is JSON of a known length in the limit."""
    if headers.get_content_type() != "application/json":
        raise Refused(415, "the body is JSON, as Content-Type: application/json says")
    if headers.get("Content-Encoding", "identity").lower() not in ("identity", "gzip"):
        raise Refused(415, "the body may be compressed by gzip, and in no other way")
    lengths = headers.get_all("Content-Length") or []
    if "Transfer-Encoding" in headers or not lengths:
        raise Refused(411, "the length of the body has to be given in Content-Length")
    if len(lengths) > 1 or not (lengths[0].isascii() and lengths[0].isdigit()):
        raise Refused(400, "Content-Length is not one whole number")
    if len(lengths[0]) > len(str(limit)) or int(lengths[0]) > limit:
        raise Refused(413, f"the body is larger than {limit} bytes")
    return int(lengths[0])


def read_body(headers: Message, file: BufferedIOBase, length: int, limit: int = MAX_BODY) -> bytes:
    """The body, decompressed; raises `Refused` where it is cut off, damaged, or too large once decompressed."""
    is_compressed = headers.get("Content-Encoding", "identity").lower() == "gzip"
    body = bytearray()
    unpack = None
    if is_compressed:
        from zlib import decompressobj

        unpack = decompressobj(_GZIP)
    while length:
        content = file.read(min(length, _CHUNK))
        if not content:
            raise Refused(400, "the body is shorter than Content-Length says")
        length -= len(content)
        body += content if unpack is None else _unpacked(unpack, content, limit - len(body))
    if unpack is not None and (not unpack.eof or unpack.unused_data):
        raise Refused(400, "the body is not one whole stream of gzip")
    return bytes(body)


def _unpacked(unpack: zlib._Decompress, content: bytes, limit: int) -> bytes:
    """The next piece of a compressed body, decompressed; raises `Refused` where it has more than `limit` bytes."""
    from zlib import error

    try:
        unpacked = unpack.decompress(content, limit + 1)
    except error:
        raise Refused(400, "the body is not compressed by gzip, as Content-Encoding says") from None
    if len(unpacked) > limit:
        raise Refused(413, "the body is too large once decompressed")
    return unpacked
