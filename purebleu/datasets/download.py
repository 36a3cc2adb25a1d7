"""Fetching archives: from a mirror or from where they are published, verified before they get their names."""

from __future__ import annotations

import os
import sys
import time

from ..errors import PurebleuError
from ..progress import observer
from .cache import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Iterator

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
        self._mirror = mirror
        self._offline = offline

    def addresses(self, url: str) -> list[str]:
        """The addresses to try for what is published under `url`."""
        addresses = []
        if self._mirror:
            from urllib.request import pathname2url

            mirror = self._mirror
            if "://" not in mirror and not mirror.startswith("file:"):
                mirror = "file:" + pathname2url(os.path.abspath(mirror))
            if not self._offline or mirror.startswith("file:"):
                addresses.append(mirror.rstrip("/") + "/" + url.split("://", 1)[1])
        if not self._offline:
            addresses.append(url)
        return addresses


def source_from_environment(mirror: str | None = None, offline: bool = False) -> Source:
    """The source that `PUREBLEU_MIRROR` and `PUREBLEU_OFFLINE` describe, unless the arguments do."""
    return Source(mirror or os.environ.get("PUREBLEU_MIRROR"),
                  offline or os.environ.get("PUREBLEU_OFFLINE", "") not in ("", "0"))


def fetch(url: str, checksum: str, path: str, source: Source) -> None:
    """Write what is published under `url` to `path`, if its MD5 sum is right; else raise `PurebleuError`."""
    reasons = []
    for address in source.addresses(url):
        try:
            return _fetch_patiently(address, checksum, path)
        except PurebleuError as error:
            reasons.append(f"{address}: {error}")
    if not reasons:
        raise PurebleuError(f"{url} is not in the cache, and --offline forbids to fetch it")
    raise PurebleuError("; ".join(reasons))


def _fetch_patiently(address: str, checksum: str, path: str) -> None:
    for pause in (*PAUSES, None):
        try:
            return write_whole(path, lambda file: _download(address, checksum, file))
        except _Passing:
            if pause is None:
                raise
            time.sleep(pause)


def _download(address: str, checksum: str, file: IO[bytes]) -> None:
    """Write what is at the address to the file, and verify it."""
    digest = md5()
    received = 0
    for chunk in _chunks(address):
        received += len(chunk)
        if received > MOST_BYTES:
            raise PurebleuError(f"it is larger than {MOST_BYTES >> 30} GB, which no archive is")
        digest.update(chunk)
        file.write(chunk)
    if digest.hexdigest() != checksum:
        raise PurebleuError(f"its MD5 sum is {digest.hexdigest()}, but {checksum} is registered")


def _chunks(address: str) -> Iterator[bytes]:
    """What is at the address, piece by piece; whatever goes wrong with it is a `PurebleuError`."""
    import http.client
    from urllib.error import HTTPError, URLError
    from urllib.request import urlopen

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
        raise _Passing(str(error.reason)) from error
    except (http.client.HTTPException, OSError) as error:
        raise _Passing(str(error) or type(error).__name__) from error
    except (ValueError, ImportError) as error:  # an address of no known kind; a Python without ssl
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


def checksum_of(path: str) -> str:
    """The MD5 sum of a file."""
    digest = md5()
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return str(digest.hexdigest())
