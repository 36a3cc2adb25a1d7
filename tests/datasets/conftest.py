"""What tests of test sets share: an empty cache, and a server of the samples' archives."""

from __future__ import annotations

import hashlib
import http.server
import socket
import struct
import threading
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping

import pytest

from purebleu.datasets import registry
from purebleu.datasets.testset import TestSet
from purebleu.files import download

from ..helpers import FIXTURES, read_fixture

Call = Callable[..., Any]

ARCHIVES = FIXTURES / "datasets"
SAMPLES = {case["name"]: case for case in read_fixture("test_sets.json.gz")["cases"]}


def record_of(case: Any, address: str) -> str:
    """A sample as a record of the catalogue, with its archives at this address."""
    return "\n".join([
        "description: sample", f"format: {case['format']}",
        *[f"archive: {address}/{archive} {checksum}" for archive, checksum in case["archives"]],
        *["files: " + "\n  ".join([pair, *files]) for pair, files in case["pairs"].items()],
        *(["references: ref:B ref:A"] if case["format"] == "xml" else [])])


def sample(name: str, address: str = "http://127.0.0.1:9") -> Any:
    """A sample as a test set whose archives are at this address."""
    return TestSet(name, record_of(SAMPLES[name], address))


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and servers that are asked again at once."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PUREBLEU_CACHE", str(folder))
    monkeypatch.delenv("PUREBLEU_MIRROR", raising=False)
    monkeypatch.delenv("PUREBLEU_OFFLINE", raising=False)
    monkeypatch.setattr(download, "PAUSES", (0, 0))
    return folder


def sha256(path: str | Path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def checksums_of(files: Mapping[str, str]) -> dict[str, str]:
    """The checksum of each field's file."""
    return {field: sha256(path) for field, path in files.items()}


def files_in(folder: Path) -> dict[Path, bytes]:
    """The content of every file in a folder, by its path."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines_of(path: str) -> list[str]:
    """The lines of a file, without their ends."""
    return Path(path).read_bytes().decode("utf-8").split("\n")[:-1]


class Server(http.server.ThreadingHTTPServer):
    """Serves the files of a folder; `faults` are what happens to the next requests, before it serves them well."""

    daemon_threads = True

    def __init__(self, folder: Path = ARCHIVES) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.closing = threading.Event()
        self.address = f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        fault = self.server.faults.pop(0) if self.server.faults else ""
        path = self.server.folder / self.path.rpartition("/")[2]
        if fault == "reset":
            # Without this, the other side would be told that it is over, in place of an error.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        elif fault == "no HTTP":
            self.wfile.write(b"\x00\xff" * 99)
        elif fault.isdigit() or not path.is_file():
            self.send_error(int(fault or 404))
        else:
            whole = path.read_bytes()
            content = {"html": b"<html><title>Welcome to this network</title></html>", "nothing": b"",
                       "huge": whole * (1 + (128 << 20) // len(whole) * (fault == "huge")),
                       "short": whole[:len(whole) // 2], "stalls": whole[:len(whole) // 2]}.get(fault, whole)
            length = {"too much": 3 << 30, "no number": "many", "short": len(whole), "stalls": len(whole)}
            self.send_response(200)
            if fault != "unannounced":
                self.send_header("Content-Length", str(length.get(fault, len(content))))
            self.end_headers()
            self.wfile.write(content)
            if fault == "stalls":
                self.wfile.flush()
                self.server.closing.wait()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server of the archives, or of the folder that the fixture `served` of a test's file returns."""
    folder = request.getfixturevalue("served") if hasattr(request.module, "served") else ARCHIVES
    with Server(folder) as one:
        thread = threading.Thread(target=one.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield one
        one.closing.set()
        one.shutdown()


@pytest.fixture
def with_samples(server: Server, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """A function that calls `told` or `refusal` with a command line, with the samples in the catalogue."""
    def call(function: Call, *arguments: str, **options: Any) -> Any:
        with monkeypatch.context() as patched:
            for name in SAMPLES:
                patched.setitem(registry.DATASETS, name, sample(name, server.address))
            return function(".", *arguments, **options, PUREBLEU_CACHE=str(cache_folder))

    return call
