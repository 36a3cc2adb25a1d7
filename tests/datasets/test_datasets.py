"""Test sets: the catalogue, every format against the oracle, and faults of servers, archives, files and processes."""

from __future__ import annotations

import _thread
import contextlib
import email.message
import errno
import gzip
import hashlib
import importlib.util
import io
import itertools
import json
import os
import re
import shutil
import signal
import socket
import socketserver
import stat
import sys
import tarfile
import threading
import time
import urllib.request
import urllib.response
import zipfile
from pathlib import Path
from typing import Any, Callable

import pytest

import purebleu
from purebleu import utils
from purebleu.cli import main
from purebleu.dataset import DATASETS
from purebleu.datasets import archives, wmt_xml
from purebleu.datasets import bundle as bundle_module
from purebleu.datasets import catalogue as catalogue_module
from purebleu.datasets import registry as testsets
from purebleu.datasets.bundle import read_bundle, write_bundle
from purebleu.datasets.catalogue import Record, catalogue
from purebleu.datasets.testset import StoredPair, TestSet
from purebleu.files import download as downloading
from purebleu.files.download import cache_folder
from purebleu.runtime.errors import PurebleuError

from ..helpers import SHARED, call_cli, needs_pipes, program, read_fixture, refusal, refused, run_python, told
from .conftest import ARCHIVES, SAMPLES, Call, Server, checksums_of, files_in, lines_of, sample, sha256
from .test_language_pairs import GENERATE, SETS, needs_scripts

CATALOGUE = read_fixture("catalogue.json.gz")["cases"]
WMT = ("-t", "sample/wmt", "-l", "en-de")

needs_posix = pytest.mark.skipif(os.name != "posix", reason="permissions and signals as POSIX has them")


def unset(monkeypatch: pytest.MonkeyPatch, *variables: str) -> None:
    for name in variables:
        monkeypatch.delenv(name, raising=False)


# The catalogue

def test_the_catalogue_expands_to_sacrebleus() -> None:
    assert (len(CATALOGUE), sum(len(case["pairs"]) for case in CATALOGUE)) == (67, 452)
    for case in CATALOGUE:
        one = testsets.DATASETS[case["name"]]
        assert [list(archive) for archive in one.archives] == case["archives"], one.name
        assert one.langpairs == {pair: record["files"] for pair, record in case["pairs"].items()}, one.name
        assert list(one.langpairs) == list(case["pairs"]), one.name
        for pair, record in case["pairs"].items():
            assert (one._known_fields(pair) or None) == record["fields"], (one.name, pair)
            if record["references"] is not None:
                assert one._record.references(pair) == record["references"], (one.name, pair)
        assert one._record.topics == (case["tags"] or {}), one.name
        assert one.description and one.description.isprintable(), one.name


def test_names_come_in_sacrebleus_order() -> None:
    assert list(testsets.DATASETS) == [case["name"] for case in CATALOGUE] + [*SETS, "sample"]
    assert testsets.get_available_testsets()[0] == "wmt24"
    assert testsets.get_langpairs_for_testset("wmt21/C") == ["en-de"]
    assert testsets.get_langpairs_for_testset("none") == []
    assert testsets.get_available_testsets_for_langpair("liv-en") == ["wmt22"]


def test_records_have_documented_values_and_archives_with_one_checksum_each() -> None:
    known = set(re.findall(r"`([a-z ]+)`: ", (catalogue_module.__doc__ or "").replace("\n", " ")))
    assert {"description", "archive", "sums", "like", "topics as"} <= known and len(known) == 17
    checksums: dict[str, str] = {}
    for name, text in catalogue().items():
        assert set(catalogue_module._values_of(text)) <= known, name
        for url, checksum in Record(name, text).archives:
            assert url.startswith("https://"), name
            assert re.fullmatch("[0-9a-f]{32}|sha256:[0-9a-f]{64}|git:[0-9a-f]{40}", checksum), name
            assert checksums.setdefault(url, checksum) == checksum, name
    assert (len(catalogue()), len(checksums)) == (72, 192)


def test_citations_are_bibtex() -> None:
    cited = [one.citation for one in testsets.DATASETS.values() if one.citation]
    assert len(cited) >= 20
    for text in cited:
        assert text.startswith("@") and text.endswith("}") and text.count("{") == text.count("}")


# Formats

def test_fields_are_the_oracles(server: Server) -> None:
    assert {case["format"] for case in SAMPLES.values()} == {"sgml", "xml", "tsv", "text"}
    for name, case in SAMPLES.items():
        one = sample(name, server.address)
        for pair, fields in case["fields"].items():
            assert dict(zip(one.fieldnames(pair), map(lines_of, one.get_files(pair)))) == fields, (name, pair)
            found = [path.rpartition(f"{pair}.")[2] for path in one.get_reference_files(pair)]
            assert sorted(found) == sorted(case["references"][pair]), (name, pair)
            assert list(one.source(pair)) == [line.strip() for line in fields["src"]], (name, pair)
            references = [[f"{line}\n" for line in fields[field.replace("-", ":")]] for field in found]
            assert list(map(list, zip(*one.references(pair)))) == references, (name, pair)
        assert len(server.requests) == len(set(server.requests)), "nothing is fetched twice"
        server.requests.clear()


def test_sgml_and_columns_without_a_segment_a_line_are_refused() -> None:
    for text in ('<seg id="1">over two\nlines</seg>\n', '<seg id="1">a</seg><seg id="2">b</seg>\n',
                 '  <seg id="1">indented</seg>\n', '<seg id="1">a</seg> more\n', '<seg id="1" a</seg>\n',
                 '<segment><seg id="1">a</seg>\n'):
        with pytest.raises(PurebleuError, match="line 2 does not have exactly one complete segment"):
            archives.sgml_fields(["<doc docid=\"1\">\n", *text.splitlines(keepends=True)])
    with pytest.raises(PurebleuError, match="line 2 has 1 columns"):
        archives.tsv_column(["a\tb\n", "a\n"], 1)


@pytest.mark.parametrize(("text", "part"), [
    ("<dataset>" + "<p>" * 40 + "</p>" * 40 + "</dataset>", "nested"), ("<dataset/>", "0 languages"),
    ('<dataset><doc id="1"><src/></doc></dataset>', "origlang"),
    ('<dataset><doc id="1" origlang="de"><src lang="de"><seg id="1">a <b>c</b></seg></src></doc></dataset>', "<b>"),
    ('<dataset><doc id="1" origlang="de"><src lang="de"><seg>a</seg></src></doc></dataset>', "number"),
    ('<dataset><doc id="1" origlang="de"><src lang="de"/><src lang="en"/><ref lang="en"/></doc></dataset>',
     "2 languages"),
])
def test_xml_that_is_dangerous_or_incomplete_is_refused(text: str, part: str) -> None:
    with pytest.raises(PurebleuError, match=part):
        wmt_xml.xml_fields(io.BytesIO(text.encode()))


# Downloads

@pytest.mark.parametrize(("fault", "part", "requests"), [
    ("404", "404", 1), ("403", "403", 1), ("500", "500", 3), ("503", "503", 3), ("429", "429", 3), ("html", "MD5", 1),
    ("nothing", "MD5", 1), ("short", "broke off", 3), ("too much", "broke off", 3), ("no number", "many", 1),
    ("reset", "reset|forcibly", 3), ("no HTTP", r"wmt\.tgz", 3),
    pytest.param("stalls", "timed out", 3, marks=pytest.mark.full)])
def test_a_failure_is_an_error_and_leaves_nothing(server: Server, cache_folder: Path, monkeypatch: pytest.MonkeyPatch,
                                                  fault: str, part: str, requests: int) -> None:
    one = sample("sample/wmt", server.address)
    server.faults = [fault] * requests
    with monkeypatch.context() as patched:
        patched.setattr(downloading, "TIMEOUT", 1 if fault == "stalls" else 30)
        patched.setattr(downloading, "_MIN_RATE", 0)  # (on a busy machine, that guard would be first)
        with pytest.raises(PurebleuError, match=part) as caught:
            one.get_files("en-de")
        assert "\n" not in str(caught.value)
        assert len(server.requests) == requests
        assert not files_in(cache_folder)
        # What passes is tried again; and so the next run is fine.
        server.faults, server.requests = [fault] * (requests - 1), []
        assert one.get_files("en-de")
        assert len(server.requests) == requests


def test_bodies_need_no_length_and_have_an_end(server: Server, cache_folder: Path,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched, pytest.raises(PurebleuError, match="larger than"):
        patched.setattr(downloading, "MAX_BYTES", 100)
        sample("sample/wmt", server.address).get_files("en-de")
    assert len(server.requests) == 1 and not files_in(cache_folder)
    monkeypatch.setattr(downloading, "_CHUNK", 100)
    server.faults = ["unannounced"]
    assert sample("sample/wmt", server.address).get_files("en-de")
    assert len(server.requests) == 2


class RawServer(socketserver.ThreadingTCPServer):
    """Answers each request with `start`, and then with a `piece` every `pause` seconds, for ten seconds in all."""

    def __init__(self, start: bytes, piece: bytes, pause: float = 0.05) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self._start, self._piece, self._pause = start, piece, pause
        self._closing = threading.Event()
        self.address = f"127.0.0.1:{self.server_address[1]}"
        self.requests = 0

    def __enter__(self) -> RawServer:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self.shutdown()
        self.server_close()

    def finish_request(self, request: Any, client_address: Any) -> None:
        with contextlib.suppress(OSError):
            request.recv(1 << 16)
            self.requests += 1
            request.sendall(self._start)
            end = time.monotonic() + 10
            while time.monotonic() < end and not self._closing.wait(self._pause):
                request.sendall(self._piece)


OK = b"HTTP/1.1 200 OK\r\n"
TOO_SLOW = r"slower than 1,000 bytes|timed out"

#: The first bytes of a server, and those that follow from time to time.
DRIPS = {
    "nothing": (b"", b""),
    "a status": (b"", b"H"),
    "a header": (OK, b"x"),
    "headers without end": (OK, b"x: y\r\n"),
    "interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a body": (OK + b"Content-Length: 100000\r\n\r\n", b"x"),
    "a body of unknown length": (OK + b"\r\n", b"x"),
    "chunks": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    "the size of a chunk": (OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
    "what follows the chunks": (OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"x: y\r\n"),
}


@pytest.mark.parametrize(("start", "piece"), DRIPS.values(), ids=list(DRIPS))
@pytest.mark.full
def test_a_server_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch, cache_folder: Path, start: bytes,
                                         piece: bytes) -> None:
    monkeypatch.setattr(downloading, "TIMEOUT", 0.25)
    monkeypatch.setattr(downloading, "PAUSES", (0,))
    with RawServer(start, piece) as server, pytest.raises(PurebleuError, match=TOO_SLOW):
        sample("sample/wmt", f"http://{server.address}").get_files("en-de")
    assert server.requests == 2  # it may have been over
    assert not files_in(cache_folder)


@pytest.mark.skipif(importlib.util.find_spec("_ssl") is None, reason="this Python has no ssl")
@pytest.mark.full
@pytest.mark.parametrize(("start", "piece", "proxies"), [
    (OK, b"x: y\r\n", ("https_proxy", "HTTPS_PROXY")), (b"\x16\x03\x03\x40\x00", b"\2", ())],
    ids=["a proxy", "a handshake"])
def test_a_server_that_drips_before_anything_is_encrypted_is_given_up(
        monkeypatch: pytest.MonkeyPatch, start: bytes, piece: bytes, proxies: tuple[str, ...]) -> None:
    monkeypatch.setattr(downloading, "TIMEOUT", 0.25)
    monkeypatch.setattr(downloading, "PAUSES", ())
    unset(monkeypatch, "no_proxy", "NO_PROXY", "REQUEST_METHOD")
    with RawServer(start, piece) as server, pytest.raises(PurebleuError, match=TOO_SLOW):
        for name in proxies:
            monkeypatch.setenv(name, f"http://{server.address}")
        sample("sample/wmt", f"https://{server.address}").get_files("en-de")


@pytest.mark.full
def test_an_answer_that_takes_too_long_in_all_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "_MAX_SECONDS", 2)
    with RawServer(OK + b"\r\n", bytes(999), 0.01) as server, pytest.raises(PurebleuError, match="after 2 seconds"):
        sample("sample/wmt", f"http://{server.address}").get_files("en-de")
    assert server.requests == 1  # the next attempt would not be faster


def test_an_interrupted_download_leaves_nothing(cache_folder: Path) -> None:
    with RawServer(OK + b"Content-Length: 100000\r\n\r\n", b"x") as server:
        threading.Timer(0.3, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            downloading.fetch([f"http://{server.address}/x"], str(cache_folder / "x"), str)
    assert not files_in(cache_folder)


def poison(path: str | Path) -> None:
    """Put another text of the same size at a path."""
    Path(path).write_bytes(Path(path).read_bytes()[:-2] + b"!\n")


@pytest.mark.parametrize(("used", "field", "arguments"), [
    ("get_source_file", "src", []), ("get_reference_files", "ref:A", []), ("get_files", "src", []),
    ("read_fields", "ref:A", [["src", "ref:A"]])])
def test_a_text_in_the_cache_is_verified_when_it_is_used(server: Server, cache_folder: Path, used: str, field: str,
                                                         arguments: list[list[str]]) -> None:
    def use() -> None:
        getattr(sample("sample/xml", server.address), used)("en-de", *arguments)  # (as another process)

    changed = Path(sample("sample/xml", server.address).files("en-de")[field])
    right = changed.read_bytes()
    for wrong in (b"", right[:-5], right.replace(b"First", b"Another"), right[:-2] + b"!\n"):
        changed.write_bytes(wrong)
        use()
        assert changed.read_bytes() == right
    for path in [changed, *cache_folder.rglob("*.verified")]:
        poison(path)
    with downloading.fetching(None, True), \
            pytest.raises(PurebleuError, match=r"its text differs from the stored text; .* --offline forbids"):
        use()
    assert changed.read_bytes() == right[:-2] + b"!\n"
    changed.unlink()
    use()
    assert changed.read_bytes() == right


def test_a_text_in_the_cache_is_the_published_one(server: Server, cache_folder: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    test_set = sample("sample/xml", server.address)
    paths = test_set.files("en-de")
    checksums = checksums_of(paths)
    monkeypatch.setattr(Record, "checksums", lambda self, langpair: checksums)
    poison(paths["src"])
    [listing] = listings(cache_folder)  # whoever changes one file can change the other
    listing.write_text(listing.read_text().replace(checksums["src"], sha256(paths["src"])))
    with downloading.fetching(None, True):
        test_set.get_source_file("en-de")  # from the archive
        poison(paths["src"])
        next(iter(cache_folder.rglob("*.verified"))).unlink()
        for use in (lambda one: one.get_source_file("en-de"),
                    lambda one: write_bundle(str(cache_folder / "bundle"), [(one, "en-de")])):
            with pytest.raises(PurebleuError, match="its text differs from the published text"):
                use(sample("sample/xml", server.address))


@pytest.mark.parametrize("name", ["sample/xml", "sample/wmt"])
def test_a_list_of_fields_that_was_changed_or_cut_is_made_again(server: Server, cache_folder: Path, name: str) -> None:
    files = sample(name, server.address).files("en-de")
    [listing] = listings(cache_folder)
    whole, lines = listing.read_bytes(), without_number(listing)
    checksums = checksums_of(files)
    contents: list[bytes] = []
    for changed in (b"\n", b"\t\t\n", b"src\n", b"src\t1\t2\t3\n", b"\0\t1\n", b"x/y\t1\n", b"\xff\n"):
        contents += [changed, changed + whole, whole + changed]
    for length in range(len(lines)):  # (cut at its end, or in its middle)
        contents += [b"".join(lines[:length]), b"".join(lines[:length]) + b"\t%d\n" % len(lines)]
    for content in contents:
        listing.write_bytes(content)
        assert sample(name, server.address).files("en-de") == files, content
        assert (checksums_of(files), listing.read_bytes()) == (checksums, whole), content


@needs_pipes
def test_neither_a_pipe_nor_a_huge_file_in_the_cache_is_read(server: Server, cache_folder: Path) -> None:
    right = Path(sample("sample/xml", server.address).files("en-de")["src"])
    text = right.read_bytes()
    for pattern, is_pipe in itertools.product(("*.fields.purebleu", "*.src", "*.verified"), (True, False)):
        path, = cache_folder.rglob(pattern)
        if pattern == "*.verified":
            right.unlink()
        if is_pipe:
            path.unlink()
            os.mkfifo(path)
        else:
            os.truncate(path, 64 << 30)  # with holes
        sample("sample/xml", server.address).get_files("en-de")
        assert right.read_bytes() == text and path.is_file() and path.stat().st_size < 1 << 20, pattern


def test_an_archive_is_held_to_the_checksums_that_the_user_names(server: Server, cache_folder: Path,
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    test_set = sample("sample/xml", server.address)
    pins = cache_folder.parent / "pins"
    monkeypatch.setenv("PUREBLEU_CHECKSUMS", str(pins))
    pins.write_text(f"{'0' * 64}  xml.tar.gz\n")
    with pytest.raises(PurebleuError, match=f"but {'0' * 64} is listed in .*pins"):
        test_set.files("en-de")
    assert not list(cache_folder.rglob("*.verified"))
    pins.write_text(f"{sha256(ARCHIVES / 'xml.tar.gz')}  xml.tar.gz\n{'0' * 64}  other.gz\n")
    assert test_set.files("en-de")


class Leading(urllib.request.BaseHandler):
    """Answers for https, where nothing listens, with a redirection to an address."""

    handler_order = 1

    def __init__(self, address: str) -> None:
        self.address = address

    def https_open(self, request: urllib.request.Request) -> Any:
        headers = email.message.Message()
        headers["Location"] = self.address
        answer: Any = urllib.response.addinfourl(io.BytesIO(), headers, request.full_url, 302)
        answer.msg = "Found"
        return answer


def test_no_redirection_leaves_https(server: Server, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = urllib.request.build_opener
    leading = Leading(f"{server.address}/x")
    monkeypatch.setattr(urllib.request, "build_opener", lambda *handlers: make(*handlers, leading))
    message = f"redirects from https to {server.address}/x, which is not secure"
    with pytest.raises(PurebleuError, match=message):
        downloading.fetch(["https://example.org/x"], str(cache_folder / "x"), str)
    assert message in str(downloading.obstacle_to("https://example.org/x", str))  # (which the doctor asks for)
    assert server.requests == []


def test_redirections_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "PAUSES", ())
    start = b"HTTP/1.1 302 Found\r\nLocation: /wmt.tgz\r\n\r\n"
    with RawServer(start, bytes(1 << 20), 0.01) as server, pytest.raises(PurebleuError, match="302 The HTTP"):
        sample("sample/wmt", f"http://{server.address}").get_files("en-de")


def test_a_server_that_waits_for_more_requests_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "PAUSES", ())
    content = (ARCHIVES / "wmt.tgz").read_bytes()
    start = OK + b"Content-Length: %d\r\n\r\n" % len(content) + content
    with RawServer(start, b"", 60) as server:
        assert sample("sample/wmt", f"http://{server.address}").get_files("en-de")


def test_a_host_without_an_address_is_asked_for_once(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    pauses: list[float] = []

    def resolve(host: str, *_: object) -> None:
        asked.append(host)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    unset(monkeypatch, "http_proxy", "https_proxy")
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(downloading, "PAUSES", (1, 3, 9))
    monkeypatch.setattr(downloading, "_unresolved", {})
    for name in ("a.tgz", "b.tgz"):
        with pytest.raises(PurebleuError, match=r"name resolution \(this .*; https://host-2/x: .*\(without a network"):
            downloading.fetch([f"https://host-1/{name}", "https://host-2/x"], str(cache_folder / "x"), str)
    assert (asked, pauses) == (["host-1", "host-2"], [])


def test_a_mirror_that_cannot_be_right_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    (tmp_path / "file").write_bytes(b"an archive")
    (tmp_path / "mirror" / "host" / "wmt.tgz").mkdir(parents=True)
    for mirror, part in (("file", "Not a directory"), ("mirror", "this is not a regular file")):
        with downloading.fetching(str(tmp_path / mirror), True), pytest.raises(PurebleuError) as caught:
            sample("sample/wmt", "http://host").get_files("en-de")
        assert os.name != "posix" or str(caught.value).endswith(f"wmt.tgz: {part}")
    assert pauses == []


def test_mirrors_are_asked_first_and_proxies_are_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with downloading.fetching(server.address + "/mirrored/", False):
        assert sample("sample/wmt", "http://published.example/some/where").get_files("en-de")
    assert server.requests == ["/mirrored/published.example/some/where/wmt.tgz"]
    server.faults = ["404"]
    with downloading.fetching(server.address + "/mirror", False):
        assert sample("sample/xml", server.address).get_files("en-de")
    assert server.requests[1:] == [f"/mirror/{server.address[7:]}/xml.tar.gz", "/xml.tar.gz"]
    monkeypatch.setattr(urllib.request, "_opener", None)  # which knows the proxies of its first use
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, server.address)
    unset(monkeypatch, "no_proxy", "NO_PROXY", "REQUEST_METHOD")
    shutil.rmtree(cache_folder())
    assert sample("sample/wmt", "http://published.example").get_files("en-de")
    assert server.requests[3:] == ["http://published.example/wmt.tgz"]


def test_a_mirror_may_be_a_folder_also_offline(tmp_path: Path) -> None:
    mirror = tmp_path / "a mirror"
    shutil.copytree(ARCHIVES, mirror / "published.example" / "some")
    for address in (mirror.as_uri(), str(mirror)):
        with downloading.fetching(address, True):
            assert sample("sample/wmt", "http://published.example/some").get_files("en-de")
        shutil.rmtree(cache_folder())


def test_the_environment_may_name_a_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUREBLEU_MIRROR", "file:///mirror")
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")

    def addresses(mirror: str | None = None, offline: bool = False) -> list[str]:
        with downloading.fetching(mirror, offline):
            return list(downloading.chosen_source().addresses("https://host/path"))

    assert addresses() == ["file:///mirror/host/path"]
    assert addresses(mirror="file:///other") == ["file:///other/host/path"]
    monkeypatch.setenv("PUREBLEU_OFFLINE", "0")
    for offline in (False, True, False):
        assert addresses(offline=offline) == ["file:///mirror/host/path", *["https://host/path"] * (not offline)]


def test_offline_opens_no_connection(server: Server) -> None:
    one = sample("sample/wmt", server.address)
    with downloading.fetching(server.address, True), pytest.raises(PurebleuError, match="the cache, and --offline"):
        one.get_files("en-de")
    assert server.requests == []
    files = one.get_files("en-de")
    with downloading.fetching(None, True):
        assert one.get_files("en-de") == files


# Archives

def read_of(path: Path, wanted: set[str]) -> list[tuple[str, bytes]]:
    """What is read of the wanted members of an archive."""
    found: list[tuple[str, bytes]] = []
    archives.read_members(str(path), path.name, wanted, lambda name, stream: found.append((name, stream.read())))
    return found


def test_archives_are_not_extracted(tmp_path: Path) -> None:
    # Members want to be everywhere and everything; the last one is wanted.
    with tarfile.open(tmp_path / "hostile.tgz", mode="w:gz") as tar:
        for name, kind, target in (
                ("../escaped", tarfile.REGTYPE, ""), (str(tmp_path / "absolute"), tarfile.REGTYPE, ""),
                ("src", tarfile.SYMTYPE, "/etc/passwd"), ("src", tarfile.LNKTYPE, "/etc/passwd"),
                ("src", tarfile.CHRTYPE, ""), ("src", tarfile.FIFOTYPE, ""), ("src", tarfile.DIRTYPE, ""),
                ("src", tarfile.REGTYPE, "")):
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.mode = kind, target, 0o6777
            content = b"wanted\n" if kind == tarfile.REGTYPE else b""
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    with zipfile.ZipFile(tmp_path / "hostile.zip", "w") as archive:
        for name in ("../escaped", str(tmp_path / "absolute"), "folder/../../escaped", "src"):
            archive.writestr(name, "wanted\n")
        link = zipfile.ZipInfo("ref")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    before = sorted(tmp_path.rglob("*"))
    assert read_of(tmp_path / "hostile.tgz", {"src"}) == [("src", b"wanted\n")]
    # (The text of the link, not of what it leads to.)
    assert read_of(tmp_path / "hostile.zip", {"src", "ref"}) == [("src", b"wanted\n"), ("ref", b"/etc/passwd")]
    assert sorted(tmp_path.rglob("*")) == before


def test_an_encrypted_member_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "secret.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("src", "wanted\n")
    content = bytearray(path.read_bytes())
    content[6] |= 1  # as the member's header says it
    content[content.index(b"PK\x01\x02") + 8] |= 1  # as the archive's directory does
    path.write_bytes(content)
    with pytest.raises(PurebleuError, match="src is encrypted"):
        read_of(path, {"src"})


@pytest.mark.parametrize(("name", "member"), [("bomb.tgz", "bomb"), ("bomb.zip", "bomb"), ("bomb.gz", "bomb.gz")])
def test_archives_that_expand_too_much_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str,
                                                   member: str) -> None:
    def read_pieces(_: str, stream: Any) -> None:
        while stream.read(1000):
            pass

    path = tmp_path / name
    for limit, size, message in ((archives.MAX_BYTES, 9 << 20, "expands to more than 300 times its size"),
                                 (1 << 20, 2 << 20, "larger than 1 MB")):
        monkeypatch.setattr(archives, "MAX_BYTES", limit)
        (tmp_path / "bomb").write_bytes(bytes(size))
        if name == "bomb.zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(tmp_path / "bomb", "bomb")
        elif name == "bomb.tgz":
            with tarfile.open(path, "w:gz") as tar:
                tar.add(tmp_path / "bomb", "bomb")
        else:
            path.write_bytes(gzip.compress(bytes(size)))
        for read in (lambda name, stream: stream.read(), read_pieces):
            with pytest.raises(PurebleuError, match=message):
                archives.read_members(str(path), name, {member}, read)


@pytest.mark.parametrize("name", ["wmt.tgz", "text.zip", "more.txt.gz"])
def test_a_damaged_archive_is_an_error(tmp_path: Path, name: str) -> None:
    content = (ARCHIVES / name).read_bytes()
    middle = len(content) // 2
    for damage, damaged in (("cut off", content[:middle]), ("empty", b""), ("no archive", b"<html>" * 99),
                            ("flipped", content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1:])):
        (tmp_path / name).write_bytes(damaged)
        try:
            found = read_of(tmp_path / name, {"sgm/news-ende-src.en.sgm", "text/set-ende.en", name})
        except PurebleuError as error:
            assert name in str(error) and "\n" not in str(error), damage
        else:  # A flipped bit may go unnoticed here: before, the checksum tells. And nothing is a compressed file, too.
            assert damage == "flipped" or (damage, found) == ("empty", [(name, b"")])


def test_members_that_are_missing_are_named(server: Server) -> None:
    one = sample("sample/wmt", server.address)
    one.langpairs["en-de"] = ["sgm/none.sgm", "sgm/news-ende-ref.de.sgm"]
    with pytest.raises(PurebleuError, match=r"sgm/none\.sgm"):
        one.get_files("en-de")


# The cache

def test_the_folder_is_sacrebleus_by_default_and_has_to_be_somewhere(monkeypatch: pytest.MonkeyPatch,
                                                                     tmp_path: Path) -> None:
    unset(monkeypatch, "PUREBLEU_CACHE", "SACREBLEU")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path.replace("~", str(tmp_path)))
    assert cache_folder() == str(tmp_path / ".sacrebleu")
    with monkeypatch.context() as patched, pytest.raises(PurebleuError, match="set PUREBLEU_CACHE"):
        patched.setenv("HOME", "")
        cache_folder()
    with monkeypatch.context() as patched, pytest.raises(PurebleuError, match="set PUREBLEU_CACHE"):
        patched.setattr(os.path, "expanduser", lambda path: path)
        cache_folder()
    for name in ("SACREBLEU", "PUREBLEU_CACHE"):  # (the second is asked first)
        monkeypatch.setenv(name, "")
        with pytest.raises(PurebleuError, match=f"{name} is empty"):
            cache_folder()


def test_an_archive_of_sacrebleus_is_used_if_it_is_right(server: Server, cache_folder: Path) -> None:
    raw = cache_folder / "sample" / "xml" / "raw"
    raw.mkdir(parents=True)
    shutil.copy(ARCHIVES / "xml.tar.gz", raw / "sample_xml.xml.tar.gz")
    assert sample("sample/xml", server.address).get_files("en-de")
    assert server.requests == []
    (raw / "sample_xml.xml.tar.gz").write_bytes(b"an error page")
    assert sample("sample/xml", server.address).get_files("liv-en")
    assert len(server.requests) == 1


def listings(cache_folder: Path) -> list[Path]:
    return list(cache_folder.rglob("*.fields.purebleu"))


def without_number(listing: Path) -> list[bytes]:
    """The lines of a list of fields without its end, their number."""
    *lines, number = listing.read_bytes().splitlines(keepends=True)
    assert number == b"\t%d\n" % len(lines)
    return lines


@needs_posix
def test_files_may_be_read_as_the_umask_says(with_samples: Call, tmp_path: Path, cache_folder: Path) -> None:
    bundle = tmp_path / "bundle"
    for umask in (0o077, 0o027, 0o002):
        before = os.umask(umask)
        try:
            assert with_samples(told, "bundle", str(bundle), "sample/wmt")[1] == ""
        finally:
            os.umask(before)
        files = [bundle, *files_in(cache_folder)]
        assert len(files) > 5
        assert {oct(stat.S_IMODE(path.stat().st_mode)) for path in files} == {oct(0o666 & ~umask)}
        shutil.rmtree(cache_folder)
        bundle.unlink()


def test_files_of_killed_processes_are_swept_after_a_day(server: Server, cache_folder: Path) -> None:
    kept: list[Path] = []
    for folder in (cache_folder / "sample" / "wmt", cache_folder / "sample" / "wmt" / "raw"):
        folder.mkdir(parents=True)
        for name, age in ((".purebleu-old", 24.1), (".purebleu-young", 23.9), ("purebleu-notes", 999),
                          (".purebleu", 999)):
            (folder / name).write_bytes(b"half")
            os.utime(folder / name, (time.time() - age * 3600,) * 2)
        (folder / ".purebleu-folder").mkdir()
        os.utime(folder / ".purebleu-folder", (0, 0))
        kept += [path for path in folder.iterdir() if path.name not in (".purebleu-old", "raw")]
    assert sample("sample/wmt", server.address).get_files("en-de")
    assert not list(cache_folder.rglob(".purebleu-old")) and all(path.exists() for path in kept)


def test_fetching_leaves_signals_alone(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    sync = os.fsync

    def look_and_sync(file: int) -> None:
        found.append(signal.getsignal(signal.SIGTERM))
        sync(file)

    monkeypatch.setattr(os, "fsync", look_and_sync)
    before = signal.getsignal(signal.SIGTERM)
    assert sample("sample/wmt", server.address).get_files("en-de")
    assert found and set(found) == {before}
    found.clear()
    monkeypatch.setitem(testsets.DATASETS, "sample/xml", sample("sample/xml", server.address))
    assert main(["--download", "sample/xml", "-l", "en-de"]) == 0
    assert found and before not in found  # the command line may
    assert signal.getsignal(signal.SIGTERM) == before


# Text that is known

def test_the_known_text_is_the_oracles() -> None:
    known = {(name, pair): one._record.checksums(pair) for name, one in testsets.DATASETS.items()
             if name not in (*SETS, "sample") for pair in one.langpairs}
    assert {pair: fields for pair, fields in known.items() if fields} == {
        (case["name"], case["pair"]): case["fields"] for case in SHARED_CASES}
    one = testsets.DATASETS["sample"]
    for pair in one.langpairs:
        assert checksums_of(one.files(pair)) == one._record.checksums(pair)


@pytest.mark.full
@needs_scripts
def test_the_known_text_is_made_by_a_script(tmp_path: Path) -> None:
    for folder in ("purebleu", "scripts"):
        source = Path(GENERATE).parents[2] / folder
        shutil.copytree(source, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    made = tmp_path / "purebleu" / "datasets" / "data" / "test_sets.txt"
    whole = made.read_text(encoding="utf-8")
    before, start, after = whole.rpartition("sums: de-en\n  src ")
    made.write_text(before, encoding="utf-8")
    (tmp_path / "archives").mkdir()
    done = run_python([str(tmp_path / "scripts" / "dev" / "generate"), "field_checksums", str(tmp_path / "archives")])
    assert (done.returncode, done.stdout.strip()) == (0, b"sample: 3 language pairs"), done.stderr
    assert start and after and made.read_text(encoding="utf-8") == whole


def text_of(lines: list[str]) -> bytes:
    return "".join([f"{line}\n" for line in lines]).encode()


@pytest.fixture
def known_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the text of the samples were known."""
    known = {name: {pair: {field: hashlib.sha256(text_of(lines)).hexdigest() for field, lines in fields.items()}
                    for pair, fields in case["fields"].items()} for name, case in SAMPLES.items()}
    monkeypatch.setattr(Record, "checksums", lambda self, langpair: known[self._name].get(langpair, {}))


@pytest.mark.parametrize("is_known", [True, False])
def test_sacrebleus_cache_is_used_after_a_check(server: Server, cache_folder: Path, request: pytest.FixtureRequest,
                                                is_known: bool) -> None:
    if is_known:
        request.getfixturevalue("known_text")
    fields = SAMPLES["sample/wmt"]["fields"]["en-de"]
    folder = cache_folder / "sample" / "wmt"
    folder.mkdir(parents=True)
    for field, lines in fields.items():
        (folder / f"sample_wmt.en-de.{field}").write_bytes(text_of(lines))
    one = sample("sample/wmt", server.address)
    assert one.get_files("en-de")
    assert server.requests == []
    wrong = ["another", *fields["ref"][1:]] if is_known else ["cut off"]
    (folder / "sample_wmt.en-de.ref").write_bytes(text_of(wrong))
    assert lines_of(one.get_files("en-de")[1]) == fields["ref"]
    assert len(server.requests) == 1


def test_converted_text_is_held_to_the_known_text(server: Server, cache_folder: Path, known_text: None,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "clean", str.strip)  # as if a Python did it in another way
    with pytest.raises(PurebleuError, match="sample/wmt/en-de: these fields differ from the published text: src, ref"):
        sample("sample/wmt", server.address).files("en-de")
    assert not list(cache_folder.rglob("*.src"))


def test_known_fields_are_all_listed(server: Server, cache_folder: Path, known_text: None) -> None:
    one = sample("sample/xml", server.address)
    files = one.files("en-de")
    [listing] = listings(cache_folder)
    lines = without_number(listing)
    listing.write_bytes(b"".join(lines[:-1]) + b"\t%d\n" % (len(lines) - 1))
    assert one.files("en-de") == files


def test_a_file_of_the_cache_that_is_no_text_is_named(with_samples: Call, cache_folder: Path) -> None:
    with_samples(told, "--download", "sample/wmt")
    [listing] = listings(cache_folder)
    for path in {*cache_folder.glob("sample/wmt/*.??-??.*")} - {listing}:
        before = sha256(path)
        path.write_bytes(b"\xff" + path.read_bytes()[1:])
        # (With the checksum of the text before, the text would be converted again.)
        listing.write_text(listing.read_text().replace(before, sha256(path)))
    for args in (["--echo", "src"], ["--echo", "src", "-ol", "de"], ["-ol", "de"]):
        error = with_samples(refusal, *WMT, *args, code=1)
        assert re.match(r"purebleu: error: .*sample_wmt\.en-de\..*not valid utf-8", error), args


@pytest.mark.parametrize("listed", [True, False], ids=["purebleu's", "sacreBLEU's"])
def test_an_error_of_reading_the_cache_names_the_file(server: Server, cache_folder: Path, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch, listed: bool) -> None:
    one = sample("sample/wmt", server.address)
    one.get_files("en-de")
    if not listed:
        next(cache_folder.rglob("*.purebleu")).unlink()

    def refuse(path: Any, *arguments: Any, **named: Any) -> Any:
        if str(path).startswith(str(cache_folder)) and not str(path).endswith(".purebleu"):
            raise PermissionError(13, "Permission denied")
        return original(path, *arguments, **named)

    original = open
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.open", refuse)
    for read in (lambda: one.read_fields("en-de", ["src"]), lambda: list(one.source("en-de")),
                 lambda: list(one.references("en-de")), lambda: one.select("en-de", "de", None),
                 lambda: write_bundle("bundle", [(one, "en-de")])):
        with pytest.raises(PurebleuError, match=r"sample_wmt\.en-de\..*: Permission denied"):
            read()


def test_a_filled_cache_is_not_written_to(server: Server, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = sample("sample/xml", server.address)
    files = one.get_files("en-de")
    before = {path: path.stat().st_mtime_ns for path in cache_folder.rglob("*")}

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    for name in ("makedirs", "replace", "mkdir", "remove"):
        monkeypatch.setattr(os, name, refuse)
    assert one.get_files("en-de") == files
    assert {path: path.stat().st_mtime_ns for path in cache_folder.rglob("*")} == before


@pytest.mark.full
@needs_scripts
def test_a_record_is_made_from_an_archive() -> None:
    command = [GENERATE, "test_set", "new"]
    for archive, name in (("wmt.tgz", "sample/wmt"), ("xml.tar.gz", "sample/xml"), ("text.zip", "sample/text")):
        done = run_python([*command, str(ARCHIVES / archive)])
        start, _, text = done.stdout.decode().replace("\r\n", "\n").partition("\n")
        record = Record("new", text)
        expected = {pair: members for pair, members in SAMPLES[name]["pairs"].items() if pair != "en-en"}
        assert (start, record.value("format"), record.pairs) == ("[new]", SAMPLES[name]["format"], expected)
        assert dict(SAMPLES[name]["archives"])[archive] == record.archives[0][1]
    failed = run_python([*command, str(ARCHIVES / "more.txt.gz")])
    assert (failed.returncode, len(failed.stderr.splitlines())) == (1, 1)


# Real archives, served by a mirror

SHARED_ARCHIVES = SHARED / "archives"
SHARED_CASES = read_fixture("shared_archives.json")["cases"]


@pytest.mark.skipif(not SHARED_ARCHIVES.is_dir(), reason="no folder of archives")
def test_real_archives_have_the_oracles_text(tmp_path: Path) -> None:
    assert {case["name"] for case in SHARED_CASES} == {"mtedx/test", "multi30k/2016", "multi30k/2017", "multi30k/2018"}
    there = {hashlib.md5(path.read_bytes()).hexdigest(): path for path in SHARED_ARCHIVES.iterdir() if path.is_file()}
    for case in SHARED_CASES:
        one = TestSet(case["name"], catalogue()[case["name"]])
        for url, checksum in one.archives:
            path = tmp_path / "mirror" / url.split("://")[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(there[checksum].read_bytes())
        with downloading.fetching(str(tmp_path / "mirror"), True):
            paths = dict(zip(one.fieldnames(case["pair"]), one.get_files(case["pair"])))
        assert checksums_of(paths) == case["fields"], (one.name, case["pair"])


# The embedded set

def test_the_sample_needs_nothing(cache_folder: Path) -> None:
    one = testsets.DATASETS["sample"]
    for pair in ("en-de", "en-fr", "de-en"):
        fields = dict(zip(one.fieldnames(pair), map(lines_of, one.get_files(pair))))
        assert list(fields) == ["src", "ref:A", "ref:B", "docid", "origlang", "mixed"]
        assert {len(lines) for lines in fields.values()} == {24}
        assert all(line == line.strip() != "" for lines in fields.values() for line in lines)
        assert len(one.get_reference_files(pair)) == 2
    assert not cache_folder.exists() or not list(cache_folder.rglob("*.src")) or "zip" in purebleu.__file__


# Names that clients call

def test_clients_find_their_names(server: Server, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(testsets.DATASETS, "sample/wmt", sample("sample/wmt", server.address))
    assert purebleu.DATASETS is DATASETS is utils.DATASETS
    assert str(cache_folder) == utils.SACREBLEU_DIR
    assert os.path.isabs(purebleu.SACREBLEU_DIR)  # as it was when it was first asked for
    fields = SAMPLES["sample/wmt"]["fields"]["en-de"]
    assert lines_of(purebleu.get_source_file("sample/wmt", "en-de")) == fields["src"]
    assert [lines_of(path) for path in purebleu.get_reference_files("sample/wmt", "en-de")] == [fields["ref"]]
    assert len(purebleu.download_test_set("sample/wmt")) == len(fields)
    assert list(purebleu.DATASETS["sample/wmt"].references("en-de")) == [(line + "\n",) for line in fields["ref"]]
    for name, pair, what in (("none", "en-de", "test set 'none'"), ("sample/wmt", "de-en", "language pair 'de-en'")):
        with pytest.raises(PurebleuError, match=f"no {what}"):
            purebleu.get_source_file(name, pair)


# The command line

COMMANDS = read_fixture("test_set_commands.json")


def test_command_lines_are_the_oracles(with_samples: Call) -> None:
    assert len(COMMANDS["cases"]) >= 25
    for case in COMMANDS["cases"]:
        done = with_samples(lambda _, *line, stdin, **env: call_cli(line, stdin=stdin, env=env), *case["arguments"],
                            stdin=case["stdin"].encode("utf-8"))
        stdout = done.stdout.decode("utf-8").replace(program(), COMMANDS["oracle"])
        assert stdout == case["stdout"], case["line"]
        assert (done.returncode == 0) == (case["exit_code"] == 0), case["line"]
        # (Words that count for nothing are warned of, and a BLEU of 0 for want of 4-grams; the oracle does neither.)
        errors = [line for line in done.stderr.splitlines() if not line.startswith(b"purebleu: warning: ")]
        assert len(errors) == (done.returncode > 0), case["line"]


def test_parts_can_be_those_of_one_language(with_samples: Call) -> None:
    for name, options, expected in (
            ("sample/wmt", ["-ol", "de"], ["origlang=de domain=ALL : sentences=3      chrF2 = 100.0"]),
            ("sample/text", [], ["No subset information found. Consider using --origlang argument."])):
        asked = ["-t", name, "-l", "en-de"]
        references = with_samples(told, *asked, "--echo", "ref")[0].encode()
        text, _ = with_samples(told, *asked, "-d", *options, "-m", "chrf", stdin=references)
        assert text.splitlines()[1:] == expected


def test_without_parts_segments_are_left_out_with_detail_too(with_samples: Call) -> None:
    args = [*WMT, "-m", "chrf", "-q"]
    for systems, options in ((1, ["-f", "html"]), (1, ["-f", "markdown"]), (1, ["-sl"]), (2, ["-f", "text"]),
                             (2, ["-f", "html"])):
        lines = ["\t".join(["a" * place + line, line + "b" * place][:systems])
                 for place, line in enumerate(SAMPLES["sample/wmt"]["fields"]["en-de"]["ref"])]
        filtered, detailed, whole = [with_samples(told, *args, *options, *more, stdin=text_of(lines))[0]
                                     for more in (["-ol", "de"], ["-ol", "de", "--detail"], [])]
        assert filtered == detailed != whole, options


def test_fields_of_two_texts_are_not_taken_for_one(cache_folder: Path) -> None:
    stored = StoredPair("unknown", "en-de", [], Record("unknown", ""))

    def fail(_: Any) -> None:
        raise OSError("no space left")

    old, new = [{field: lambda file, text=text: file.write(text) for field in ("src", "ref")}
                for text in (b"old\n", b"new\n")]
    checksums = dict.fromkeys(["src", "ref"], "0" * 64)
    with pytest.raises(PurebleuError):
        stored.write({"src": fail}, checksums)
    assert not files_in(cache_folder)
    stored.write(old, checksums)
    assert set(stored.find() or ()) == {"src", "ref"}
    with pytest.raises(PurebleuError):
        stored.write({"src": new["src"], "ref": fail}, checksums)
    assert stored.find() is None
    stored.write(new, checksums)
    assert set(stored.find() or ()) == {"src", "ref"}


# Bundles

def test_a_bundle_fills_another_cache(with_samples: Call, server: Server, tmp_path: Path, cache_folder: Path) -> None:
    bundle = str(tmp_path / "sets.bundle")
    output, errors = with_samples(told, "bundle", bundle, "sample/wmt", "sample/xml")
    assert (output.split(), errors) == ([sha256(bundle), bundle], "")
    assert with_samples(told, "bundle", bundle, "sample/wmt,sample/xml")[0] == output
    before = {path: content for path, content in files_in(cache_folder).items() if path.parent.name != "raw"}
    shutil.rmtree(cache_folder)
    server.requests.clear()
    assert with_samples(told, "unbundle", bundle)[0] == "sample/wmt en-de\nsample/xml en-de\nsample/xml liv-en\n"
    assert files_in(cache_folder) == before
    with_samples(told, "-t", "sample/xml", "-l", "en-de", "--echo", "src", "--offline")
    with_samples(refusal, "-t", "sample/tsv", "-l", "en-fr", "--echo", "src", "--offline", code=1)
    assert server.requests == []


@pytest.fixture(scope="module")
def sample_bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A bundle of what the package has in itself."""
    path = tmp_path_factory.mktemp("bundle") / "small"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PUREBLEU_CACHE", str(path.parent))
        write_bundle(str(path), [(testsets.DATASETS["sample"], "en-de")])
    return path.read_bytes()


@needs_posix
def test_a_bundle_goes_through_a_fifo(tmp_path: Path, sample_bundle: bytes) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    assert told(tmp_path, "bundle", "fifo", "sample", "-l", "en-de")[1] == ""
    assert stat.S_ISFIFO(path.lstat().st_mode)
    reader.join(30)
    assert read == [sample_bundle]


def full_device(folder: Path) -> Path:
    """A device that is always full: root gets one that is not missed where a test fails."""
    device = Path("/dev/full")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        device = folder / "full"
        with contextlib.suppress(OSError):
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    try:
        device.write_bytes(b"x")
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return device
    return pytest.skip("needs Linux's full device, or the right to make one")


@needs_posix
def test_a_device_stays_a_device(tmp_path: Path) -> None:
    device = full_device(tmp_path)
    (tmp_path / "link").symlink_to(device)
    before = sorted(tmp_path.iterdir())
    for path in (device, tmp_path / "link"):
        error = refusal(tmp_path, "bundle", str(path), "sample", "-l", "en-de", code=1)
        assert error == f"purebleu: error: {path}: No space left on device\n"
        assert stat.S_ISCHR(path.stat().st_mode)
    assert (tmp_path / "link").is_symlink() and sorted(tmp_path.iterdir()) == before


def test_a_bundle_that_says_something_else_than_was_published_changes_nothing(tmp_path: Path, sample_bundle: bytes,
                                                                              cache_folder: Path) -> None:
    (tmp_path / "good").write_bytes(sample_bundle)
    # As somebody would who wants to score 100.
    path = rewritten(tmp_path / "good", lambda bundle: bundle.set(bundle.get("src"), "ref:A"))
    error = refusal(tmp_path, "unbundle", path, code=1, PUREBLEU_CACHE=str(cache_folder))
    assert error.endswith("sample/en-de: these fields differ from the published text: ref:A\n")
    assert not cache_folder.exists()
    assert told(tmp_path, "unbundle", "good", PUREBLEU_CACHE=str(cache_folder))[0] == "sample en-de\n"


class Unpacked:
    """The description and the members of a bundle of one language pair."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}
        self.description = json.loads(self.members.pop("bundle.json"))
        [self.pair] = self.description["contents"]
        self._folder = f"{self.pair['test_set']}/{self.pair['langpair']}"

    def set(self, content: bytes, *fields: str) -> None:
        """Add fields, or change their text, with the checksums."""
        for field in fields:
            self.members[f"{self._folder}/{field}"] = content
            self.pair["fields"][field] = hashlib.sha256(content).hexdigest()

    def get(self, field: str) -> bytes:
        return self.members[f"{self._folder}/{field}"]


def rewritten(path: Path, change: Callable[[Unpacked], object]) -> str:
    """The path of a copy of a bundle after a change."""
    bundle = Unpacked(path)
    change(bundle)
    with zipfile.ZipFile(path.with_name("rewritten"), "w") as archive:
        for name, content in [("bundle.json", json.dumps(bundle.description).encode()), *bundle.members.items()]:
            archive.writestr(name, content)
    return str(path.with_name("rewritten"))


#: Changes of a bundle, each with what the error says.
CHANGES: list[tuple[Callable[[Unpacked], object], str]] = [
    (lambda bundle: bundle.members.update({"sample/xml/en-de/src": b"false\n"}), "src is damaged"),
    (lambda bundle: bundle.members.pop("sample/xml/en-de/src"), "not a bundle, or is damaged"),
    (lambda bundle: bundle.description.update(version=2), "this version of purebleu"),
    (lambda bundle: bundle.description.clear(), "this version of purebleu"),
    (lambda bundle: bundle.description.update(contents=[3]), "not a bundle, or is damaged"),
    (lambda bundle: bundle.pair.update(test_set="none"), "no test set 'none'"),
    (lambda bundle: bundle.pair.update(langpair="../x"), "language pair"),
    (lambda bundle: bundle.set(bundle.get("src")[:8] + b"\n", "src"), "or are empty: 1 lines of src, 6 lines of ref:A"),
    (lambda bundle: bundle.set(bundle.get("src") + b"more", *bundle.pair["fields"]), "has no line feed"),
    (lambda bundle: bundle.set(bundle.get("src"), *[f"field{number}" for number in range(100)]), "at most 100"),
    *[(lambda bundle, name=name: bundle.set(bundle.get("src"), name), part) for name, part in (
        ("", "can't be the name of a file"), ("../../escaped", "can't be the name of a file"),
        ("a" * 101, "can't be the name of a file"), ("\x1b]0;x\x07", "'\\x1b]0;x\\x07'"), ("SRC", "same file"),
        ("ref-A", "same file"), ("fields.purebleu", "same file"))],
]


def test_a_false_bundle_changes_nothing(with_samples: Call, tmp_path: Path, cache_folder: Path) -> None:
    with_samples(told, "bundle", str(tmp_path / "good"), "sample/xml", "-l", "en-de")
    shutil.rmtree(cache_folder)
    for change, part in CHANGES:
        path = rewritten(tmp_path / "good", change)
        before = sorted(tmp_path.rglob("*"))
        assert part in with_samples(refusal, "unbundle", path, code=1)
        assert sorted(tmp_path.rglob("*")) == before, part


def test_a_bundle_may_not_unpack_to_too_much(sample_bundle: bytes, tmp_path: Path, cache_folder: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bundle"
    path.write_bytes(sample_bundle)
    unpacked = sum(map(len, Unpacked(path).members.values()))
    monkeypatch.setattr(bundle_module, "_MAX_UNPACKED", unpacked - 1)
    with pytest.raises(PurebleuError, match="the unpacked members have more than"):
        read_bundle(str(path))
    assert not cache_folder.exists()
    monkeypatch.setattr(bundle_module, "_MAX_UNPACKED", unpacked)
    assert read_bundle(str(path)) == ["sample en-de"]


def test_a_bundle_that_changes_meanwhile_is_noticed(sample_bundle: bytes, tmp_path: Path, cache_folder: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bundle"
    write_bundle(str(path), [(testsets.DATASETS["sample"], "en-de")] * 2)
    assert path.read_bytes() == sample_bundle  # (a test set that is named twice is bundled once)
    verify = bundle_module._verify

    def change_after(*arguments: Any) -> None:
        verify(*arguments)
        content = bytearray(sample_bundle)
        content[content.index(b"sample/en-de/src") + 40] ^= 255
        path.write_bytes(content)

    monkeypatch.setattr(bundle_module, "_verify", change_after)
    with pytest.raises(PurebleuError, match="damaged"):
        read_bundle(str(path))
    assert not files_in(cache_folder)


@pytest.mark.full
def test_damage_anywhere_in_a_bundle_is_noticed(sample_bundle: bytes, tmp_path: Path, cache_folder: Path) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(sample_bundle)
    assert read_bundle(str(path)) == ["sample en-de"]
    whole = files_in(cache_folder)
    shutil.rmtree(cache_folder)
    size = len(sample_bundle)
    damaged = [sample_bundle[:length] for length in range(0, size, 255)]
    for place in [*range(0, size, 255), *range(60), *range(size - 200, size)]:
        damaged.append(sample_bundle[:place] + bytes([sample_bundle[place] ^ 255]) + sample_bundle[place + 1:])
    noticed = 0
    for content in damaged:
        path.write_bytes(content)
        try:
            read_bundle(str(path))
        except PurebleuError as error:
            noticed += 1
            assert str(error).startswith(str(path))
            assert not cache_folder.exists()
        else:  # what is not read does not matter, such as dates
            assert files_in(cache_folder) == whole
            shutil.rmtree(cache_folder)
    assert noticed > len(damaged) // 2


def test_files_that_are_no_bundles_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("bz2")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_bytes(b"x" * 999)
    with zipfile.ZipFile(tmp_path / "odd", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("bundle.json", b'{"version": 1}' * 99)
    for name, part in (("none", "No such file"), ("empty", "not a bundle"), ("text", "not a bundle"),
                       ("odd", "compressed in a way that bundles do not use")):
        assert part in refusal(tmp_path, "unbundle", name, code=1)
    refusal(tmp_path, "bundle", "text")


def test_several_test_sets_are_one(with_samples: Call) -> None:
    both = "sample/wmt,sample/iwslt"
    echoed, *one_by_one = [with_samples(told, "-t", names, "-l", "en-de", "--echo", "ref")[0].encode()
                           for names in (both, *both.split(","))]
    assert echoed == b"".join(one_by_one)
    assert with_samples(told, "-t", both, "-l", "en-de", "-b", "-m", "chrf", stdin=echoed)[0] == "100.0\n"
    with_samples(refusal, "-t", both, "-l", "en-de", "-b", stdin=one_by_one[0], code=1)


def test_without_any_segment_left_there_is_no_score(with_samples: Call) -> None:
    references = with_samples(told, *WMT, "--echo", "ref")[0].encode()
    for options in ([], ["-sl"], ["-d"], ["-f", "html"]):
        error = with_samples(refusal, *WMT, "-ol", "fr", *options, stdin=references)
        assert "no segment of the test set meets" in error, options
    assert with_samples(told, *WMT, "-ol", "fr", "--echo", "src") == ("", "")


def test_the_length_is_checked_before_segments_are_left_out(with_samples: Call) -> None:
    args = ["-t", "sample/xml", "-l", "en-de"]
    every = with_samples(told, *args, "--echo", "ref")[0].encode()
    for choice in (["--subset", "news"], ["-ol", "en"], ["-ol", "de"]):
        chosen = with_samples(told, *args, "--echo", "ref", *choice)[0].encode()
        if chosen:
            assert with_samples(told, *args, *choice, "-m", "chrf", "-b", stdin=every)[0] == "100.0\n", choice
        else:
            with_samples(refusal, *args, *choice, "-m", "chrf", "-b", stdin=every)
        for hypotheses, detail in ((chosen, []), (chosen, ["-d"]), (every + b"one more\n", [])):
            error = with_samples(refusal, *args, *choice, *detail, stdin=hypotheses, code=1)
            assert "differ" in error or (hypotheses, "empty" in error) == (b"", True)


def test_lists(with_samples: Call) -> None:
    assert "The available test sets are:\nflores200/dev " in with_samples(told, "--list")[0]
    heading, *names = with_samples(told, "--list", "-l", "en-liv")[0].splitlines()
    assert heading == "The available test sets for en-liv are:"
    assert [line.split()[0] for line in names] == ["sample/xml", "wmt22"]
    assert with_samples(told, "--list", "-t", "sample/wmt")[0] == "en-de: src, ref, docid, genre, origlang\n"


@refused("test sets")
def test_errors_name_what_there_is(with_samples: Call, arguments: list[str], code: int, message: str) -> None:
    assert message in with_samples(refusal, *arguments, code=code)


def test_without_md5_the_error_says_so(server: Server, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("disabled for FIPS")

    monkeypatch.setattr(hashlib, "md5", refuse)
    if importlib.util.find_spec("_md5"):  # Python's own
        assert sample("sample/wmt", server.address).get_files("en-de")
        server.faults = ["html"]
        with pytest.raises(PurebleuError, match="MD5 sum"):
            sample("sample/xml", server.address).get_files("en-de")
        shutil.rmtree(cache_folder)
    monkeypatch.setitem(sys.modules, "_md5", None)
    with pytest.raises(PurebleuError, match="no MD5"):
        sample("sample/wmt", server.address).get_files("en-de")
    assert not files_in(cache_folder)
