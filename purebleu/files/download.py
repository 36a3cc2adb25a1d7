"""Download test sets and models, and store them in the cache.

A file comes from a mirror or from the published address. A corrupted or tampered download is never stored.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress

from ..runtime.errors import PurebleuError
from ..runtime.hints import Any, BinaryFile, Callable, Iterator, NamedTuple, Sequence
from ..runtime.progress import observer
from .writing import can_write_into, named_errors, read_whole, store

#: A server counts as dead after this many seconds without a byte.
TIMEOUT = 30

#: If a server is only asked whether it has a file, it has to answer within this many seconds.
_SHORT_TIMEOUT = 5

#: The seconds to wait before each further attempt. (A download is tried again only after a temporary failure.)
PAUSES = (1, 3, 9)

#: A download fails if it takes longer than `_MAX_SECONDS`, or if it takes longer than twice `TIMEOUT` and has received
#: fewer than `_MIN_RATE` bytes a second.
_MAX_SECONDS = 3600
_MIN_RATE = 1000

#: The seconds between two checks of the rate of a download.
_INTERVAL = 0.1

#: The largest number of bytes of a download. (No archive is larger.)
MAX_BYTES = 2 << 30

_CHUNK = 1 << 16

#: The environment variable that names a file with checksums of downloads.
CHECKSUMS_VARIABLE = "PUREBLEU_CHECKSUMS"

_SHA256_DIGITS = 64


class _Passing(PurebleuError):
    """A temporary failure: another attempt may succeed."""


class _Unresolved(_Passing):
    """The name of a host could not be resolved (perhaps there is no network). The host is not tried again."""


#: The error for each host whose name could not be resolved. This process does not try these hosts again.
_unresolved: dict[str, str] = {}


class Source(NamedTuple):
    """The places that archives come from: first the `mirror`, if there is one; then, unless `offline`, the network.

    A mirror is a folder or an address (http, https, file). In a mirror, the path of an archive is HOST/PATH, as
    `wget -x` makes it.
    """

    mirror: str | None = None
    offline: bool = False

    def addresses(self, *urls: str) -> list[str]:
        """Return the addresses to try for a file that is published at `urls`; the best address comes first."""
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


#: The `Source` that `fetching` has set.
_chosen = Source()


@contextmanager
def fetching(mirror: str | None, offline: bool) -> Iterator[None]:
    """Context manager: sets the `Source` of archives in its block.

    If `offline` is true, archives come only from a mirror on this machine. If an argument is missing, the environment
    variable `PUREBLEU_MIRROR` or `PUREBLEU_OFFLINE` takes its place.
    """
    global _chosen
    before, _chosen = _chosen, Source(mirror, offline)
    try:
        yield
    finally:
        _chosen = before


def chosen_source() -> Source:
    """Return the source of archives that `fetching` or else the environment has set."""
    return Source(_chosen.mirror or os.environ.get("PUREBLEU_MIRROR"),
                  _chosen.offline or os.environ.get("PUREBLEU_OFFLINE", "") not in ("", "0"))


def fetch(urls: Sequence[str], path: str, check: Callable[[BinaryFile], object]) -> None:
    """Download a published file. A corrupted or tampered download is never stored.

    Args:
        urls: the addresses of the file, the best address first. A mirror is tried before the addresses.
        path: the path where the file is stored.
        check: a function that raises `PurebleuError` if the downloaded file is not the right file.

    Raises:
        PurebleuError: the file could not be downloaded. The message has the reason for each address.
    """
    reasons: list[str] = []
    path_in_mirror = urls[0].split("://", 1)[1]
    advice = (" (without a network, use purebleu unbundle FILE, or --mirror FOLDER with a folder that has the file "
              f"{path_in_mirror})")
    for address in chosen_source().addresses(*urls):
        try:
            return _fetch_patiently(address, check, path)
        except PurebleuError as error:
            reasons.append(f"{address}: {error}" + (advice if isinstance(error, _Passing) else ""))
    if not reasons:
        raise PurebleuError(f"{urls[0]} is not in the cache, and --offline forbids fetching it{advice}")
    raise PurebleuError("; ".join(reasons))


def obstacle_to(address: str, check: Callable[[BinaryFile], object]) -> str | None:
    """Return the reason why the file at an address can't be fetched; `None` if a quick check finds no reason.

    Args:
        address: one of `Source.addresses`.
        check: as for `fetch`. Only a file on this machine is checked. A server is asked whether it has the file.
    """
    try:
        with _opened(address, _SHORT_TIMEOUT, "HEAD") as answer:
            if address.startswith("file:"):
                check(answer)
    except PurebleuError as error:
        return str(error)
    return None


def _fetch_patiently(address: str, check: Callable[[BinaryFile], object], path: str) -> None:
    """Download a file. After a temporary failure, wait and try again."""
    for pause in (*PAUSES, None):
        try:
            return store(path, lambda file: _download(address, check, file))
        except _Passing as error:
            if pause is None or isinstance(error, _Unresolved):
                raise
            time.sleep(pause)


def _download(address: str, check: Callable[[BinaryFile], object], file: BinaryFile) -> None:
    """Write the content of the address to the file, and verify it.

    A thread downloads the file, because the standard library can wait forever for a server that sends the bytes of a
    header very slowly. If the download takes too long, the thread is abandoned: the thread ends when it tries to write
    to the closed file.
    """
    from threading import Thread

    received = 0
    failure: BaseException | None = None

    def transfer() -> None:
        nonlocal received, failure
        try:
            for chunk in chunks_of(address):
                received += len(chunk)
                if received > MAX_BYTES:
                    raise PurebleuError(f"the file is larger than {MAX_BYTES >> 30} GB, the limit for archives")
                file.write(chunk)
        except BaseException as error:
            failure = error

    thread = Thread(target=transfer, daemon=True)
    start = time.monotonic()
    thread.start()
    while thread.is_alive():
        thread.join(_INTERVAL)
        seconds = time.monotonic() - start
        if seconds > _MAX_SECONDS:
            raise PurebleuError(f"the download was not complete after {_MAX_SECONDS:,} seconds")
        if seconds > 2 * TIMEOUT and received < _MIN_RATE * seconds:
            raise _Passing(f"the download was slower than {_MIN_RATE:,} bytes a second")
    if failure is not None:
        raise failure
    file.seek(0)
    check(file)


def chunks_of(address: str) -> Iterator[bytes]:
    """Yield the content of an address, piece by piece. Any failure is raised as a `PurebleuError`."""
    received = announced = 0
    with _opened(address, TIMEOUT) as answer:
        announced = int(answer.headers.get("Content-Length") or 0)
        observer().begin("fetching", announced, "bytes")
        while not announced or received < announced:  # (some servers keep the connection open at the end)
            chunk = answer.read1(_CHUNK)
            if not chunk:
                break
            received += len(chunk)
            observer().advance(len(chunk))
            yield chunk
    if received < announced:
        raise _Passing(f"the connection broke off after {received:,} of {announced:,} bytes")


@contextmanager
def _opened(address: str, seconds: float, method: str = "GET") -> Iterator[Any]:
    """Context manager: opens an address. Any failure in the block is raised as a `PurebleuError`.

    Args:
        address: the address of an archive (http, https, file). Proxies of the environment are used.
        seconds: the server counts as dead after this time without a byte.
        method: the method of the request.
    """
    try:
        import http.client
        from socket import gaierror
        from urllib.error import HTTPError, URLError
        from urllib.request import HTTPRedirectHandler, Request, build_opener, url2pathname
    except ImportError as error:  # (some builds of Python have no sockets)
        raise PurebleuError(f"this Python can't download files ({error})") from error

    class SecureRedirects(HTTPRedirectHandler):
        """Follows redirections, but not from https to anything else."""

        def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            if req.type == "https" and not newurl.lower().startswith("https:"):
                raise PurebleuError(f"the server redirects from https to {newurl}, which is not secure")
            fp.close()  # (otherwise, the method of the base class would read the whole body)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    host = ""
    try:
        request = Request(address, method=method)
        host = request.host or ""
        path = url2pathname(request.selector) if request.type == "file" else ""
        if path and os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device, which may never end
            raise PurebleuError("this is not a regular file")
        if host in _unresolved:
            raise _Unresolved(_unresolved[host])
        with build_opener(SecureRedirects).open(request, timeout=seconds) as answer:
            yield answer
    except PurebleuError:
        raise
    except HTTPError as error:
        failure = f"{error.code} {error.reason}".splitlines()[0]
        is_temporary = error.code >= 500 or error.code in (408, 429)
        raise (_Passing if is_temporary else PurebleuError)(failure) from error
    except URLError as error:
        reason = error.reason
        if address.startswith("https:") and not hasattr(http.client, "HTTPSConnection"):
            reason = "this Python has no module ssl, which https needs"
        if not isinstance(reason, OSError):
            raise PurebleuError(str(reason)) from error  # (for example, the scheme of the address is unknown)
        if isinstance(reason, (FileNotFoundError, NotADirectoryError, PermissionError)):  # a mirror lacks the file
            raise PurebleuError(reason.strerror or str(reason)) from error
        if isinstance(reason, gaierror):
            _unresolved[host] = f"{reason} (this process does not try {host} again)"
            raise _Unresolved(_unresolved[host]) from error
        raise _Passing(str(reason)) from error
    except (http.client.InvalidURL, ValueError) as error:  # the address or the length is not valid
        raise PurebleuError(str(error)) from error
    except (http.client.HTTPException, OSError) as error:
        raise _Passing(str(error) or type(error).__name__) from error


# Checksums

#: The kinds of checksums, each with its hash and its name in messages.
_CHECKSUMS = {"md5": ("md5", "MD5 sum"), "sha256": ("sha256", "SHA-256 sum"), "git": ("sha1", "git id")}


def kind_of_checksum(registered: str) -> tuple[str, str]:
    """Return the kind and the digits of a registered checksum.

    A checksum is `sha256:...`, `git:...` (the id of the file in git), or an MD5 sum, with or without `md5:` before it.

    >>> kind_of_checksum("git:e69de29bb2d1"), kind_of_checksum("d41d8cd98f00")
    (('git', 'e69de29bb2d1'), ('md5', 'd41d8cd98f00'))
    """
    kind, _, digits = registered.rpartition(":")
    return kind or "md5", digits


def check_file(file: BinaryFile, registered: str, urls: Sequence[str] = ()) -> None:
    """Raise `PurebleuError` if the content of a file does not have the known checksums.

    Args:
        file: the file. Only the content after its current position counts.
        registered: the checksum in the catalogue; empty if there is none.
        urls: the addresses of the file. The list of checksums that `PUREBLEU_CHECKSUMS` names may have an entry for
            one of these addresses.
    """
    start = file.tell()
    known = [(registered, "registered")] if registered else []
    pins = os.environ.get(CHECKSUMS_VARIABLE, "") if urls else ""
    for name, checksum in checksums_in(read_whole(pins), pins) if pins else ():
        if any(_is_end(name, url) for url in urls):
            known.append((f"sha256:{checksum}", f"listed in {pins}"))
    for checksum, origin in known:
        kind, expected = kind_of_checksum(checksum)
        file.seek(start)
        actual = checksum_of(file, kind)
        if actual != expected:
            raise PurebleuError(f"the {_CHECKSUMS[kind][1]} of the file is {actual}, but {expected} is {origin}")


def _is_end(name: str, url: str) -> bool:
    """Return whether a name in a list of checksums means the file at `url`. (The name may lack the first folders.)

    >>> _is_end("./example.org/a/b.tgz", "https://example.org/a/b.tgz"), _is_end("b.tgz", "https://example.org/a/b.tgz")
    (True, True)
    """
    import posixpath

    path, published = posixpath.join("/", posixpath.normpath(name)), "/" + url.split("://", 1)[1]
    return path.endswith(published) or published.endswith(path)


def checksums_in(content: bytes, path: str) -> list[tuple[str, str]]:
    """Return the names and SHA-256 sums in an output of `sha256sum`; raises `PurebleuError` for another format."""
    checksums: list[tuple[str, str]] = []
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        checksum, _, name = line.partition(" ")
        if len(checksum) != _SHA256_DIGITS or set(checksum.lower()) - set("0123456789abcdef") or not name[1:]:
            raise PurebleuError(f"{path}: line {number} is not a SHA-256 sum with a name, as sha256sum prints them")
        checksums.append((name[1:], checksum.lower()))
    return checksums


def checksum_of(file: BinaryFile, kind: str = "md5") -> str:
    """Return the checksum of the rest of a file in hexadecimal digits. `kind` is `md5`, `sha256` or `git`."""
    digest = make_hash(_CHECKSUMS[kind][0])
    if kind == "git":
        start = file.tell()
        digest.update(b"blob %d\0" % (file.seek(0, os.SEEK_END) - start))
        file.seek(start)
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return str(digest.hexdigest())


def make_hash(name: str) -> Any:
    """Return a hash by its name, such as `md5`, for checksums of files. (MD5 and SHA-1 do not prevent forgery.)"""
    import hashlib

    try:
        make = getattr(hashlib, name)
        return make(usedforsecurity=False) if sys.version_info >= (3, 9) else make()
    except ValueError:  # this Python allows only hashes that are approved for security
        from importlib import import_module

        try:
            return getattr(import_module(f"_{name}"), name)()
        except ImportError:
            raise PurebleuError(f"this Python has no {name.upper()}, which the checksums of test sets need") from None


#: For content of fewer bytes, the import of `hashlib` (which loads OpenSSL) would take too long.
_MIN_FOR_HASHLIB = 1 << 20


def sha256_of(content: bytes) -> str:
    """Return the SHA-256 sum of `content` in hexadecimal digits."""
    if len(content) < _MIN_FOR_HASHLIB and sys.implementation.name == "cpython" and "hashlib" not in sys.modules:
        with suppress(ImportError):
            return str(__import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256(content).hexdigest())
    import hashlib

    return hashlib.sha256(content).hexdigest()


# The cache, which has the same folders as sacreBLEU's cache

#: The environment variables that may name the folder of the cache, and the default folder.
VARIABLES = ("PUREBLEU_CACHE", "SACREBLEU")
_DEFAULT = os.path.join("~", ".sacrebleu")


def cache_folder() -> str:
    """Return the folder that `PUREBLEU_CACHE`, or else `SACREBLEU`, names; by default, `.sacrebleu` in the home folder.

    Raises:
        PurebleuError: the variable is empty, or there is no home folder.
    """
    for variable in VARIABLES:
        if variable in os.environ:
            if not os.environ[variable]:
                raise PurebleuError(f"{variable} is empty, but it should name the folder for test sets")
            return os.path.abspath(os.environ[variable])
    folder = os.path.expanduser(_DEFAULT)
    # (If HOME or USERPROFILE is empty, `folder` could be in the root of the file system.)
    if not os.path.isabs(folder) or "" in (os.environ.get("HOME"), os.environ.get("USERPROFILE")):
        raise PurebleuError(f"there is no home folder to keep test sets in: set {VARIABLES[0]} to a folder")
    return folder


def read_cached(path: str, limit: int) -> bytes:
    """Return the content of a file in the cache, which must be a plain file of at most `limit` bytes.

    (The file is checked because other users may be able to write into the cache.)

    Raises:
        PurebleuError: the file is not a plain file, is too large, or can't be read.
    """
    if not os.path.isfile(path) and os.path.exists(path):
        raise PurebleuError(f"{path} is not a regular file")
    with named_errors(path):
        if os.path.getsize(path) > limit:
            raise PurebleuError(f"{path} is larger than {limit:,} bytes, the limit for this file")
    return read_whole(path)


def cache_is_writable() -> bool:
    """Return whether files can be written into the cache, or its missing folder can be created."""
    try:
        folder = cache_folder()
    except PurebleuError:
        return False
    while not os.path.exists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return can_write_into(folder)
