"""Fetching files: from a mirror or from where they are published, verified before they get their names."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager

from .cache import write_whole
from .errors import PurebleuError
from .progress import observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Callable, Iterator

#: Seconds without an answer, or without anything more of it, after which a server counts as dead.
TIMEOUT = 30

#: Seconds to wait before each further attempt, where the reason for a failure may pass.
PAUSES = (1, 3, 9)

#: No archive is larger than this, in bytes.
MOST_BYTES = 2 << 30

_CHUNK = 1 << 16


class _Passing(PurebleuError):
    """A failure that may be over at the next attempt."""


class Source:
    """Where archives are fetched from: a `mirror` first, if there is one, then the published address unless `offline`.

    A mirror is a folder or an address (http, https, file), below which the archives lie as `wget -x` arranges them: by
    host and path.
    """

    def __init__(self, mirror: str | None = None, offline: bool = False) -> None:
        self.mirror = mirror
        self.offline = offline

    def addresses(self, url: str) -> list[str]:
        """The addresses to try for what is published under `url`."""
        addresses = []
        if self.mirror:
            from urllib.request import pathname2url

            mirror = self.mirror
            if "://" not in mirror and not mirror.startswith("file:"):
                mirror = "file:" + pathname2url(os.path.abspath(mirror))
            if not self.offline or mirror.startswith("file:"):
                addresses.append(mirror.rstrip("/") + "/" + url.split("://", 1)[1])
        if not self.offline:
            addresses.append(url)
        return addresses


#: What options ask for beyond the environment.
_chosen = Source()


@contextmanager
def fetching(mirror: str | None, offline: bool) -> Iterator[None]:
    """Meanwhile, archives are fetched from this mirror, and only from there (if it is a folder) where `offline`.

    What is not given, `PUREBLEU_MIRROR` and `PUREBLEU_OFFLINE` in the environment say, as they do otherwise.
    """
    global _chosen
    before, _chosen = _chosen, Source(mirror, offline)
    try:
        yield
    finally:
        _chosen = before


def chosen_source() -> Source:
    """Where archives are fetched from now."""
    return Source(_chosen.mirror or os.environ.get("PUREBLEU_MIRROR"),
                  _chosen.offline or os.environ.get("PUREBLEU_OFFLINE", "") not in ("", "0"))


def fetch(url: str, path: str, check: Callable[[IO[bytes]], None]) -> None:
    """Write what is published under `url` to `path`, if `check`, which gets it as a file, raises no `PurebleuError`.

    Raises `PurebleuError` with the reasons, for each address that was tried.
    """
    reasons = []
    for address in chosen_source().addresses(url):
        try:
            return _fetch_patiently(address, check, path)
        except PurebleuError as error:
            reasons.append(f"{address}: {error}")
    if not reasons:
        raise PurebleuError(f"{url} is not in the cache, and --offline forbids to fetch it")
    raise PurebleuError("; ".join(reasons))


def _fetch_patiently(address: str, check: Callable[[IO[bytes]], None], path: str) -> None:
    for pause in (*PAUSES, None):
        try:
            return write_whole(path, lambda file: _download(address, check, file))
        except _Passing:
            if pause is None:
                raise
            time.sleep(pause)


def _download(address: str, check: Callable[[IO[bytes]], None], file: IO[bytes]) -> None:
    """Write what is at the address to the file, and verify it."""
    received = 0
    for chunk in _chunks(address):
        received += len(chunk)
        if received > MOST_BYTES:
            raise PurebleuError(f"it is larger than {MOST_BYTES >> 30} GB, which no archive is")
        file.write(chunk)
    file.seek(0)
    check(file)


def _chunks(address: str) -> Iterator[bytes]:
    """What is at the address, piece by piece; whatever goes wrong with it is a `PurebleuError`."""
    try:
        import http.client
        from urllib.error import HTTPError, URLError
        from urllib.request import urlopen
    except ImportError as error:  # without sockets, for one
        raise PurebleuError(f"this Python can't fetch anything ({error})") from error
    received = 0
    try:
        with urlopen(address, timeout=TIMEOUT) as answer:
            announced = int(answer.headers.get("Content-Length") or 0)
            observer().begin("fetching", announced, "bytes")
            while chunk := answer.read(_CHUNK):
                received += len(chunk)
                observer().advance(len(chunk))
                yield chunk
    except HTTPError as error:
        failure = f"{error.code} {error.reason}"
        raise (_Passing if error.code >= 500 or error.code in (408, 429) else PurebleuError)(failure) from error
    except URLError as error:
        if isinstance(error.reason, FileNotFoundError):
            raise PurebleuError("there is no such file") from error
        if not isinstance(error.reason, OSError):  # an address of no known kind
            without_ssl = address.startswith("https:") and not hasattr(http.client, "HTTPSConnection")
            raise PurebleuError("this Python has no ssl, which https needs" if without_ssl
                                else str(error.reason)) from error
        raise _Passing(str(error.reason)) from error
    except (http.client.HTTPException, OSError) as error:
        raise _Passing(str(error) or type(error).__name__) from error
    except ValueError as error:  # an address that is none
        raise PurebleuError(str(error)) from error
    if received < announced:
        raise _Passing(f"the connection broke off after {received:,} of {announced:,} bytes")


def md5() -> Any:
    """An MD5 hash. It tells whether a file is the one that was registered, and guards against nothing else."""
    import hashlib

    try:
        if sys.version_info >= (3, 9):
            return hashlib.md5(usedforsecurity=False)
        return hashlib.md5()
    except ValueError:  # where only what is approved for security is allowed
        from importlib import import_module

        try:
            return import_module("_md5").md5()
        except ImportError:
            raise PurebleuError("this Python has no MD5, with which test sets are registered") from None


def checksum_of(file: IO[bytes]) -> str:
    """The MD5 sum of the rest of a file."""
    digest = md5()
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return str(digest.hexdigest())
