"""The cache of test sets under real faults: the Nth change of the disk failing, kills, many processes, huge input."""

from __future__ import annotations

import builtins
import contextlib
import errno
import gzip
import hashlib
import itertools
import json
import os
import re
import shutil
import signal
import struct
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

import pytest

import purebleu
from purebleu.cli import main
from purebleu.datasets import registry
from purebleu.files import writing

from .. import PACKAGE
from ..cli.test_cli_faults import BAD_INPUT, PEAK, PYPY, assert_error, assert_fine, needs_proc
from ..helpers import run_cli
from .conftest import SAMPLES, Server, files_in, record_of, sample

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="these tests fork")

SGML, XML, OTHER_XML = [["-t", f"sample/{name}", "-l", pair, "--echo", "src"]
                        for name, pair in (("iwslt", "en-de"), ("xml", "en-de"), ("xml", "liv-en"))]

#: A function that runs a command line: its exit code, and what it prints.
Run = Callable[[Sequence[str]], "tuple[int, str, str]"]


# Every single change of the disk failing, and a kill or an interrupt in place of it

class Halting:
    """A file each of whose writes calls `step`; a write that fails has written a part all the same."""

    def __init__(self, file: Any, step: Callable[..., None]) -> None:
        self._file, self._step = file, step

    def __enter__(self) -> Halting:
        self._file.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._file.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: Any) -> Any:
        self._step(lambda: (self._file.write(data[:len(data) // 2]), self._file.flush()))
        return self._file.write(data)

    def writelines(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            self.write(line)


@contextlib.contextmanager
def failing(number: int, fail: Callable[[], object]) -> Iterator[list[object]]:
    """Have the change of the disk with this number fail, among all; yields a list with an item for each so far."""
    changes: list[object] = []

    def step(halfway: Callable[[], object] = lambda: None) -> None:
        changes.append(None)
        if len(changes) == number:
            halfway()
            fail()

    def counted(function: Any, is_change: Callable[..., bool] = lambda *_: True) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            if is_change(*arguments):
                step()
            return function(*arguments, **named)

        return call

    open_file = open

    def opened(path: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        file = open_file(path, mode, *arguments, **named)
        return Halting(file, step) if isinstance(path, int) and "w" in mode else file

    replacements = {"fsync": counted(lambda descriptor: None),  # (it takes long; only a power cut would tell)
                    "replace": counted(os.replace), "fchmod": counted(os.fchmod),
                    "mkdir": counted(os.mkdir, lambda path, *_: not os.path.isdir(path)),
                    "open": counted(os.open, lambda path, flags, *_: bool(flags & os.O_CREAT))}
    with pytest.MonkeyPatch.context() as patched:
        for name, function in replacements.items():
            patched.setattr(os, name, function)
        patched.setattr(builtins, "open", opened)
        yield changes


def run_out_of_space() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupt() -> None:
    raise KeyboardInterrupt


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def outcome(run: Run, arguments: Sequence[str], number: int, fault: str) -> object:
    """What a line ends with if the change of the disk with this number is a fault: as `run` returns it, or a signal."""
    if fault == "kill":
        child = os.fork()
        if child == 0:
            try:
                with failing(number, kill):
                    run(arguments)
            finally:
                os._exit(0)
        return os.waitpid(child, 0)[1]
    with failing(number, run_out_of_space if fault == "error" else interrupt):
        try:
            return run(arguments)
        except KeyboardInterrupt:
            return signal.SIGINT


def contents(folder: Path) -> dict[str, bytes]:
    """What the files in a folder hold; those without a final name are empty here."""
    return {str(path.relative_to(folder)): b"" if path.name.startswith(".purebleu-") else content
            for path, content in files_in(folder).items()}


@pytest.fixture
def run(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs a command line beside the folder `work`: its exit code, and what it prints."""
    def run_line(arguments: Sequence[str]) -> tuple[int, str, str]:
        with pytest.MonkeyPatch.context() as patched:
            for name in SAMPLES:
                patched.setitem(registry.DATASETS, name, sample(name, server.address))
            code = main(arguments)
        return (code, *capsys.readouterr())

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUREBLEU_CACHE", str(tmp_path / "work" / "cache"))
    (tmp_path / "work").mkdir()
    return run_line


#: Lines that write files, each with those before it, and with files that are damaged before it.
LINES: dict[str, tuple[list[list[str]], dict[str, str], list[str]]] = {
    "a cold cache": ([], {}, SGML),
    "a cold cache for XML": ([], {}, OTHER_XML),
    "a file that is cut off": ([SGML], {"cache/sample/iwslt/sample_iwslt.en-de.ref": "cut "}, SGML),
    "a bundle in place of another": ([SGML, XML, ["bundle", "work/BUNDLE", "sample/xml"]], {},
                                     ["bundle", "work/BUNDLE", "sample/iwslt"]),
    "unbundling": ([["bundle", "work/BUNDLE", "sample/text"]],
                   {"cache/sample/text/sample_text.en-de.src": "cut "}, ["unbundle", "work/BUNDLE"]),
}


@pytest.mark.parametrize(("line", "fault", "step"), [
    ("a cold cache", "error", 2), ("unbundling", "kill", 2),
    *[pytest.param(line, fault, 1, marks=pytest.mark.heavy) for line, fault in (
        ("a cold cache", "error"), ("unbundling", "kill"), ("a cold cache", "kill"), ("a cold cache", "interrupt"),
        ("a cold cache for XML", "kill"), ("a file that is cut off", "kill"),
        ("a bundle in place of another", "error"))],
])
def test_whichever_change_of_the_disk_fails_files_are_whole_and_the_next_run_is_fine(
        run: Run, tmp_path: Path, line: str, fault: str, step: int) -> None:
    before, damage, arguments = LINES[line]
    work, beginning = tmp_path / "work", tmp_path / "beginning"
    for earlier in before:
        assert run(earlier)[0] == 0
    for name, text in damage.items():
        (work / name).write_text(text)
    had = contents(work)
    shutil.copytree(work, beginning)
    usual, whole = run(arguments), contents(work)
    assert (usual[0], usual[2]) == (0, "")
    expected = {"error": BAD_INPUT, "kill": signal.SIGKILL, "interrupt": signal.SIGINT}[fault]
    for number in itertools.count(1, 7 if PYPY else step):
        shutil.rmtree(work)
        shutil.copytree(beginning, work)
        found = outcome(run, arguments, number, fault)
        if found in (usual, 0):  # there are no more changes
            break
        if isinstance(found, tuple):
            found, output, error = found
            assert output == "" and re.fullmatch("purebleu: error: .*: No space left on device\n", error)
        assert found == expected
        left = contents(work)
        assert fault == "kill" or b"" not in left.values()
        # (A list of fields may say that they are being replaced.)
        assert all(content in (b"", whole.get(name), had.get(name), b"\t-1\n") for name, content in left.items())
        assert run(arguments) == usual
        at_last = contents(work)
        assert all(content in (b"", whole.get(name)) for name, content in at_last.items())
        # Files that are all there, and of the same length, are as good without the list of their sizes.
        assert {name.rpartition(".")[2] for name in {*whole} - {*at_last}} <= {"purebleu"}
    assert number > 20


def test_a_file_that_another_process_has_open_is_replaced_later_on_windows(monkeypatch: pytest.MonkeyPatch,
                                                                           tmp_path: Path) -> None:
    replace = os.replace
    failures = [PermissionError(13, "in use")] * 3

    def replace_at_last(source: str, target: str) -> None:
        if failures:
            raise failures.pop()
        replace(source, target)

    path = tmp_path / "file"
    path.write_bytes(b"before")
    monkeypatch.setattr(writing, "_PAUSE", 0)
    monkeypatch.setattr(os, "replace", replace_at_last)
    with pytest.raises(purebleu.PurebleuError, match="in use"):
        writing.store(str(path), lambda file: file.write(b"after"))
    assert path.read_bytes() == b"before"
    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        writing._place(str(path), str(tmp_path / "other"), "other")
    assert not failures and files_in(tmp_path) == {tmp_path / "other": b"before"}


# Processes of their own

#: Runs the command line with test sets in its catalogue: those whose records a file has.
WITH_TEST_SETS = """
import json, sys
from importlib import import_module
package, records = sys.argv[1:3]
del sys.argv[1:3]
registry = import_module(package + ".datasets.registry")
import_module(package + ".files.download").PAUSES = ()
for name, record in json.loads(records).items():
    registry.DATASETS[name] = registry.TestSet(name, record)
import_module(package + ".cli").run()
"""


def run_apart(folder: Path, records: Mapping[str, str], arguments: Sequence[str], before: str = "") -> Any:
    """Run a command line with test sets of these records, and with an empty cache in a folder, after some Python."""
    return run_cli(arguments, cwd=folder, env={"PUREBLEU_CACHE": "cache", "PUREBLEU_MIRROR": "mirror"},
                   start=["-c", before + WITH_TEST_SETS, PACKAGE, json.dumps(records)])


def measured(folder: Path, records: Mapping[str, str], *arguments: str) -> tuple[Any, int, list[int]]:
    """What a command line prints, the peak of its memory in MiB, and the sizes of the files that are in its cache."""
    shutil.rmtree(folder / "cache", ignore_errors=True)
    done = run_apart(folder, records, arguments, f"{PEAK}\nreport_peak()\n")
    complaint, end, peak = done.stderr.rpartition(b"\n")
    done.stderr = complaint + end
    return done, int(peak), [path.stat().st_size for path in files_in(folder / "cache")]


def test_many_processes_on_a_cold_cache_all_succeed(server: Server, tmp_path: Path) -> None:
    records = {name: record_of(case, server.address) for name, case in SAMPLES.items()}
    lines = [SGML, XML, OTHER_XML, SGML] * 2
    for _ in range(1 if PYPY else 2):
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
        with ThreadPoolExecutor(len(lines)) as pool:
            crowd = [pool.submit(run_apart, tmp_path, records, line) for line in lines]
        for place, result in enumerate(crowd):
            assert_fine(result.result())
            assert result.result().stdout == crowd[place % 4].result().stdout
        assert not [*tmp_path.rglob(".purebleu-*")]


# Archives that are not what they should be

@needs_proc
def test_an_archive_that_unpacks_to_a_gigabyte_is_refused(tmp_path: Path) -> None:
    # In several members, which count as one: too much by its ratio, and by its size.
    mirror = tmp_path / "mirror" / "archives.example"
    mirror.mkdir(parents=True)
    for content, part in ((bytes(4 << 20), "expands to more than 300 times"),
                          ((bytes(499) + bytes(range(256))) * (6 << 10), "larger than 256 MB")):
        bomb = gzip.compress(content) * 256
        (mirror / "bomb.gz").write_bytes(bomb)
        record = record_of({"format": "text", "pairs": {"en-de": ["sample_bomb.bomb.gz"] * 2},
                            "archives": [["bomb.gz", hashlib.md5(bomb).hexdigest()]]}, "http://archives.example")
        done, peak, sizes = measured(tmp_path, {"sample/bomb": record}, "-t", "sample/bomb", *SGML[2:], "--offline")
        assert_error(done, BAD_INPUT, part)
        assert PYPY or peak < 700
        assert sum(sizes) == len(bomb) < 16 << 20


# Bundles of people who wish one ill

def hostile_bundle(path: Path, contents: str, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bundle.json", f'{{"version": 1, "contents": [{contents}]}}')
        for name, content in members.items():
            archive.writestr(name, content)


def many_lines(path: Path, content: bytes = b"\n" * (32 << 20)) -> None:
    fields = dict.fromkeys(["src", "ref:A"], hashlib.sha256(content).hexdigest())
    hostile_bundle(path, json.dumps({"test_set": "sample/xml", "langpair": "en-de", "fields": fields}),
                   {f"sample/xml/en-de/{field}": content for field in fields})


def large_text(path: Path) -> None:
    lines = [hashlib.sha256(b"%d" % number).hexdigest().encode() + b" " * 959 + b"\n" for number in range(32 << 10)]
    many_lines(path, b"".join(lines))


def long_description(path: Path) -> None:
    hostile_bundle(path, "[]," * (8 << 20) + "[]", {})


def many_members(path: Path) -> None:
    listed = (b"PK\1\2" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"a") * 100_000
    path.write_bytes(listed + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(listed), 0, 0))


def large_model(path: Path) -> None:
    content = (b"\x0a\x00" * 250 + bytes(range(12))) * (80 << 10)  # as if it had twenty million pieces
    hostile_bundle(path, json.dumps({"model": "flores200", "checksum": hashlib.sha256(content).hexdigest()}),
                   {"models/flores200": content})


@needs_proc
@pytest.mark.parametrize(("make", "part"), [
    (large_text, ""), (many_lines, "it expands to more than 300 times its size"),
    (long_description, "larger than 4 MB"), (many_members, "more members than"),
    (large_model, "larger than 32 MB, too large for a model")])
def test_no_bundle_takes_much_memory(tmp_path: Path, make: Callable[[Path], None], part: str) -> None:
    make(tmp_path / "bundle")
    assert (tmp_path / "bundle").stat().st_size < 5 << 20
    records = {"sample/xml": record_of(SAMPLES["sample/xml"], "http://archives.example")}
    done, peak, sizes = measured(tmp_path, records, "unbundle", "bundle")
    assert PYPY or peak < 150
    if part:
        assert_error(done, BAD_INPUT, part)
        assert sizes == []
    else:  # there is nothing wrong with it
        assert_fine(done)
        assert (done.stdout, max(sizes)) == (b"sample/xml en-de\n", 32 << 20)


# Servers

@needs_proc
def test_no_answer_of_a_server_takes_much_memory(tmp_path: Path, server: Server) -> None:
    records = {"sample/iwslt": record_of(SAMPLES["sample/iwslt"], server.address)}
    server.faults = ["huge"]
    done, peak, sizes = measured(tmp_path, records, *SGML)
    assert_error(done, BAD_INPUT, "MD5 sum")
    assert sizes == []
    assert PYPY or peak < 100
    good, _, _ = measured(tmp_path, records, *SGML)
    assert good.stdout.decode().splitlines() == SAMPLES["sample/iwslt"]["fields"]["en-de"]["src"]


#: Runs the command line where modules are missing, and nobody may wait.
WITHOUT_MODULES = """
import sys, time
for name in sys.argv[2].split():
    sys.modules[name] = None
package, time.sleep = sys.argv[1], None
del sys.argv[1:3]
__import__(package + ".cli", fromlist=["run"]).run()
"""


@pytest.mark.parametrize(("missing", "part"), [
    ("ssl _ssl", "this Python has no module ssl, which https needs"),
    pytest.param("socket _socket", "this Python can't download files", marks=pytest.mark.skipif(
        PYPY, reason="PyPy's hashlib warns, too, where it misses a module")),
])
def test_files_that_cannot_be_fetched_here_are_said_at_once(tmp_path: Path, missing: str, part: str) -> None:
    done = run_cli(["-t", "wmt17", "-l", "en-de", "--echo", "src"], cwd=tmp_path, env={"PUREBLEU_CACHE": "cache"},
                   start=["-c", WITHOUT_MODULES, PACKAGE, missing])
    assert_error(done, BAD_INPUT, part)
    assert not files_in(tmp_path)
