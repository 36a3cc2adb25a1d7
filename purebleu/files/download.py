"""Fetching files: from a mirror or from where they are published, verified before they get their names."""

from __future__ import annotations

import io
import os
import sys
import time
from contextlib import contextmanager, suppress

from ..errors import PurebleuError
from ..runtime.progress import observer
from .writing import read_whole, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Callable, Iterator, Sequence
    from urllib.error import URLError
    from urllib.request import AbstractHTTPHandler, OpenerDirector, Request
    from urllib.response import addinfourl

    #: Verifies a downloaded file: raises `PurebleuError` if it is not the right one.
    Check = Callable[[IO[bytes]], object]

#: Seconds without an answer, or without anything more of it, after which a server counts as dead.
TIMEOUT = 30

#: Seconds to wait before each further attempt, where the reason for a failure may pass.
PAUSES = (1, 3, 9)

#: An attempt ends where the server sends fewer than `_MIN_RATE` bytes a second over `_SLOW_SPANS` times `TIMEOUT`
#: seconds, and in any case after `_SPANS_IN_ALL` times `TIMEOUT` seconds (an hour).
_MIN_RATE = 1000
_SLOW_SPANS = 2
_SPANS_IN_ALL = 120

#: Limit of the headers and redirections before an answer, in bytes.
_MAX_BEFORE_ANSWER = 1 << 20

#: Limit of a download, in bytes; no archive is larger.
MAX_BYTES = 2 << 30

_CHUNK = 1 << 16

#: The variable that names a file with checksums of downloads.
CHECKSUMS_VARIABLE = "PUREBLEU_CHECKSUMS"

_SHA256_DIGITS = 64


class _Passing(PurebleuError):
    """A failure that may be over at the next attempt."""


class Source:
    """The source of archives: a `mirror` first, if there is one, then the published address unless `offline`.

    A mirror is a folder or an address (http, https, file), below which the archives lie as `wget -x` arranges them: by
    host and path.
    """

    def __init__(self, mirror: str | None = None, offline: bool = False) -> None:
        self.mirror = mirror
        self.offline = offline

    def addresses(self, *urls: str) -> list[str]:
        """The addresses to try for a file that is published under these, the best first."""
        addresses: list[str] = []
        if self.mirror:
            from urllib.request import pathname2url

            mirror = self.mirror
            if "://" not in mirror and not mirror.startswith("file:"):
                mirror = "file:" + pathname2url(os.path.abspath(mirror))
            if not self.offline or mirror.startswith("file:"):
                addresses += [mirror.rstrip("/") + "/" + url.split("://", 1)[1] for url in urls]
        if not self.offline:
            addresses += urls
        return addresses


#: The source that options ask for, beyond the environment.
_chosen = Source()


@contextmanager
def fetching(mirror: str | None, offline: bool) -> Iterator[None]:
    """Meanwhile, archives are fetched from this mirror, and only from there (if it is a folder) where `offline`.

    As otherwise, `PUREBLEU_MIRROR` and `PUREBLEU_OFFLINE` in the environment count for an argument that is not given.
    """
    global _chosen
    before, _chosen = _chosen, Source(mirror, offline)
    try:
        yield
    finally:
        _chosen = before


def chosen_source() -> Source:
    """The source that archives are fetched from now."""
    return Source(_chosen.mirror or os.environ.get("PUREBLEU_MIRROR"),
                  _chosen.offline or os.environ.get("PUREBLEU_OFFLINE", "") not in ("", "0"))


def fetch(urls: Sequence[str], path: str, check: Check) -> None:
    """Download a published file; a corrupted or tampered download is never stored.

    Args:
        urls: where it is published, the best address first; a mirror is tried before them, if there is one.
        path: where it is stored.
        check: verifies the downloaded file, and raises `PurebleuError` where it is not the right one.

    Raises:
        PurebleuError: no address gave it; the message has the reason for each that was tried.
    """
    reasons: list[str] = []
    path_in_mirror = urls[0].split("://", 1)[1]
    advice = f" (without a network: --mirror FOLDER with the file {path_in_mirror} in it, or purebleu unbundle FILE)"
    for address in chosen_source().addresses(*urls):
        try:
            return _fetch_patiently(address, check, path)
        except PurebleuError as error:
            reasons.append(f"{address}: {error}" + advice * isinstance(error, _Passing))
    if not reasons:
        raise PurebleuError(f"{urls[0]} is not in the cache, and --offline forbids to fetch it{advice}")
    raise PurebleuError("; ".join(reasons))


def obstacle_to(address: str, check: Check, seconds: float = 5.0) -> str | None:
    """The reason why the file at an address can't be had, as far as can be told in this number of seconds, or `None`.

    Args:
        address: as `Source.addresses` tells it.
        check: as `fetch` takes it. (A file of this machine is read; of others, it is asked whether they are there.)
        seconds: the time that a server is given.
    """
    try:
        from http.client import HTTPException
        from urllib.request import Request
    except ImportError as error:
        return f"this Python can't fetch anything ({error})"
    try:
        with _opener(_Patience()).open(Request(address, method="HEAD"), timeout=seconds) as answer:
            if address.startswith("file:"):
                check(answer)
    except (HTTPException, OSError, ValueError, PurebleuError) as error:
        return str(getattr(error, "reason", None) or error)
    return None


def _fetch_patiently(address: str, check: Check, path: str) -> None:
    for pause in (*PAUSES, None):
        try:
            return store(path, lambda file: _download(address, check, file))
        except _Passing:
            if pause is None:
                raise
            time.sleep(pause)


def _download(address: str, check: Check, file: IO[bytes]) -> None:
    """Write the content of the address to the file, and verify it."""
    received = 0
    for chunk in chunks_of(address):
        received += len(chunk)
        if received > MAX_BYTES:
            raise PurebleuError(f"it is larger than {MAX_BYTES >> 30} GB, which no archive is")
        file.write(chunk)
    file.seek(0)
    check(file)


def chunks_of(address: str) -> Iterator[bytes]:
    """The content of the address, piece by piece; whatever goes wrong with it is a `PurebleuError`."""
    try:
        import http.client
        from urllib.error import HTTPError, URLError
    except ImportError as error:  # without sockets, for one
        raise PurebleuError(f"this Python can't fetch anything ({error})") from error
    received, patience = 0, _Patience()
    try:
        with _opener(patience).open(address, timeout=TIMEOUT) as answer:
            patience.is_answered = True
            announced = int(answer.headers.get("Content-Length") or 0)
            observer().begin("fetching", announced, "bytes")
            while not announced or received < announced:  # behind that, some servers wait for the next request
                chunk = answer.read1(_CHUNK)
                if not chunk:
                    break
                received += len(chunk)
                observer().advance(len(chunk))
                yield chunk
    except HTTPError as error:
        failure = f"{error.code} {error.reason}"
        raise (_Passing if error.code >= 500 or error.code in (408, 429) else PurebleuError)(failure) from error
    except URLError as error:
        raise _failure_to_open(address, error) from error
    except _TooLong as error:
        raise PurebleuError(str(error)) from error
    except http.client.InvalidURL as error:
        raise PurebleuError(str(error)) from error
    except (http.client.HTTPException, OSError) as error:
        raise _Passing(str(error) or type(error).__name__) from error
    except ValueError as error:  # an address that is none
        raise PurebleuError(str(error)) from error
    if received < announced:
        raise _Passing(f"the connection broke off after {received:,} of {announced:,} bytes")


def _failure_to_open(address: str, error: URLError) -> PurebleuError:
    """The error to raise where an address could not even be opened."""
    reason = error.reason
    if isinstance(reason, FileNotFoundError):
        return PurebleuError("there is no such file")
    if isinstance(reason, (NotADirectoryError, IsADirectoryError, PermissionError)):  # of a mirror that is a folder
        return PurebleuError(reason.strerror or str(reason))
    if isinstance(reason, _TooLong):
        return PurebleuError(str(reason))
    if isinstance(reason, OSError):
        return _Passing(str(reason))
    import http.client

    if address.startswith("https:") and not hasattr(http.client, "HTTPSConnection"):
        return PurebleuError("this Python has no ssl, which https needs")
    return PurebleuError(str(reason))  # an address of no known kind


# Servers that take their time

class _TooLong(TimeoutError):
    """An attempt has taken so long that there is no sense in another one."""


class _Patience:
    """Watches the bytes that a server sends in one attempt, and the time that they take."""

    def __init__(self) -> None:
        self.is_answered = False
        self._waited = self._waited_in_all = 0.0
        self._received = 0

    def note(self, size: int, seconds: float) -> None:
        """Record that `size` bytes came after `seconds` of waiting; raises `OSError` where a limit is exceeded."""
        self._received += size
        self._waited += seconds
        self._waited_in_all += seconds
        if self._waited_in_all > _SPANS_IN_ALL * TIMEOUT:
            raise _TooLong(f"it was not there as a whole after {_SPANS_IN_ALL * TIMEOUT:,} seconds")
        if not self.is_answered and self._received > _MAX_BEFORE_ANSWER:
            raise OSError("it sends headers or redirections without end")
        if self._waited > _SLOW_SPANS * TIMEOUT:
            if self._received < _MIN_RATE * self._waited:
                raise TimeoutError(f"less than {_MIN_RATE:,} bytes came a second")
            self._received, self._waited = 0, 0.0


class _Watched(io.RawIOBase):
    """The bytes from a socket, watched by a `_Patience`.

    Each single read ends after `TIMEOUT`, but a server that sends a byte from time to time, be it of a header, could
    make one wait for ever.
    """

    def __init__(self, stream: io.RawIOBase, patience: _Patience) -> None:
        self._stream = stream
        self._patience = patience

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        start = time.monotonic()
        size = self._stream.readinto(buffer) or 0
        self._patience.note(size, time.monotonic() - start)
        return size

    def close(self) -> None:
        self._stream.close()
        super().close()


def _opener(patience: _Patience) -> OpenerDirector:
    """An opener of addresses (http, https, file; through proxies, if there are any) that watches servers' answers."""
    from urllib import request
    from urllib.error import URLError

    class RegularFiles(request.FileHandler):
        """Opens files, but no pipes and devices, which may never end."""

        def open_local_file(self, req: Request) -> addinfourl:
            path = request.url2pathname(req.selector)
            if os.path.exists(path) and not os.path.isfile(path):
                raise URLError("it is no regular file")
            return super().open_local_file(req)

    class SecureRedirects(request.HTTPRedirectHandler):
        """Follows redirections, but not from https to anything else."""

        def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any,
                             newurl: str) -> Request | None:
            if req.type == "https" and not newurl.lower().startswith("https:"):
                raise URLError(f"it leads from https to {newurl}, which is not secure")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    opener = request.OpenerDirector()
    handlers = [request.ProxyHandler(), request.UnknownHandler(), request.HTTPDefaultErrorHandler(),
                SecureRedirects(), request.HTTPErrorProcessor(), RegularFiles(),
                _watched(request.HTTPHandler(), patience)]
    if hasattr(request, "HTTPSHandler"):  # not without ssl
        handlers.append(_watched(request.HTTPSHandler(), patience))
    for handler in handlers:
        opener.add_handler(handler)
    return opener


def _watched(handler: AbstractHTTPHandler, patience: _Patience) -> AbstractHTTPHandler:
    """The handler, whose answers are watched from their first byte on."""
    from http.client import HTTPResponse

    def respond(*arguments: Any, **named: Any) -> HTTPResponse:
        response = HTTPResponse(*arguments, **named)
        response.fp = io.BufferedReader(_Watched(response.fp.detach(), patience))
        return response

    def open_watched(make_connection: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        def connect(*where: Any, **how: Any) -> Any:
            connection = make_connection(*where, **how)
            connection.response_class = respond
            return connection

        return do_open(connect, *arguments, **named)

    do_open, handler.do_open = handler.do_open, open_watched  # type: ignore[assignment,method-assign]
    return handler


# Checksums

#: The kinds of checksums, the hash that each is made with, and their names in messages.
_CHECKSUMS = {"md5": ("md5", "MD5 sum"), "sha256": ("sha256", "SHA-256 sum"), "git": ("sha1", "git id")}


def kind_of_checksum(registered: str) -> tuple[str, str]:
    """The kind and the digits of a registered checksum.

    It is `sha256:...`, `git:...` (the id that git gives such a file), or an MD5 sum, which needs no `md5:` before it.

    >>> kind_of_checksum("git:e69de29bb2d1"), kind_of_checksum("d41d8cd98f00")
    (('git', 'e69de29bb2d1'), ('md5', 'd41d8cd98f00'))
    """
    kind, _, digits = registered.rpartition(":")
    return kind or "md5", digits


def check_file(file: IO[bytes], registered: str, urls: Sequence[str] = ()) -> None:
    """Raise `PurebleuError` unless the rest of a file has the checksums that it is known by.

    Args:
        file: the file.
        registered: the checksum in the catalogue; empty if there is none.
        urls: where it is published; the file that `PUREBLEU_CHECKSUMS` names may have its checksum.
    """
    start = file.tell()
    known = [(registered, "is registered")] if registered else []
    pins = os.environ.get(CHECKSUMS_VARIABLE, "") if urls else ""
    for name, checksum in checksums_in(read_whole(pins), pins) if pins else ():
        if any(_is_end(name, url) for url in urls):
            known.append((f"sha256:{checksum}", f"stands in {pins}"))
    for checksum, origin in known:
        kind, expected = kind_of_checksum(checksum)
        file.seek(start)
        found = checksum_of(file, kind)
        if found != expected:
            raise PurebleuError(f"its {_CHECKSUMS[kind][1]} is {found}, but {expected} {origin}")


def _is_end(name: str, url: str) -> bool:
    """Whether the path of a file in a mirror, or its end, is that of an address, or its end.

    >>> _is_end("./example.org/a/b.tgz", "https://example.org/a/b.tgz"), _is_end("b.tgz", "https://example.org/a/b.tgz")
    (True, True)
    """
    import posixpath

    path, published = posixpath.join("/", posixpath.normpath(name)), "/" + url.split("://", 1)[1]
    return path.endswith(published) or published.endswith(path)


def checksums_in(content: bytes, path: str) -> list[tuple[str, str]]:
    """The names and the SHA-256 sums in a file that `sha256sum` wrote; raises `PurebleuError` if it is none."""
    found: list[tuple[str, str]] = []
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        checksum, _, name = line.partition(" ")
        if len(checksum) != _SHA256_DIGITS or set(checksum.lower()) - set("0123456789abcdef") or not name[1:]:
            raise PurebleuError(f"{path}: line {number} is not a SHA-256 sum with a name, as sha256sum writes them")
        found.append((name[1:], checksum.lower()))
    return found


def checksum_of(file: IO[bytes], kind: str = "md5") -> str:
    """The checksum of the rest of a file, in hexadecimal digits; `kind` is `md5`, `sha256` or `git`."""
    digest = make_hash(_CHECKSUMS[kind][0])
    if kind == "git":
        start = file.tell()
        digest.update(b"blob %d\0" % (file.seek(0, os.SEEK_END) - start))
        file.seek(start)
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return str(digest.hexdigest())


def make_hash(name: str) -> Any:
    """A hash, such as `md5`, to tell whether a file is the registered one. (MD5 and SHA-1 do not prevent forgery.)"""
    import hashlib

    try:
        make = getattr(hashlib, name)
        return make(usedforsecurity=False) if sys.version_info >= (3, 9) else make()
    except ValueError:  # where only hashes that are approved for security are allowed
        from importlib import import_module

        try:
            return getattr(import_module(f"_{name}"), name)()
        except ImportError:
            raise PurebleuError(f"this Python has no {name.upper()}, with which test sets are registered") from None


#: The size, in bytes, of contents for which it is worth the time to load OpenSSL, as hashlib does.
_MIN_FOR_HASHLIB = 1 << 20


def sha256_of(content: bytes) -> str:
    """The SHA-256 sum of a content."""
    if len(content) < _MIN_FOR_HASHLIB and sys.implementation.name == "cpython" and "hashlib" not in sys.modules:
        with suppress(ImportError):
            return str(__import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256(content).hexdigest())
    import hashlib

    return hashlib.sha256(content).hexdigest()
