"""The cache of test sets under real faults: the Nth call failing, full disks, kills, rights, servers, archives.

Each test runs a driver: a process that has the samples in its catalogue and runs the command line again and again, in
a child of its own each time. In a child, it can make any call fail, or drop rights, without a trace in the next one.
"""

from __future__ import annotations

import gzip
import hashlib
import inspect
import json
import os
import signal
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Sequence

import pytest

import purebleu
from purebleu.files import writing

from .. import PACKAGE
from ..cli.test_cli_faults import PEAK, PYPY, needs_proc
from ..helpers import run_python
from .conftest import ARCHIVES, Server
from .test_datasets import SAMPLES, record_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver of these tests forks")

# (PyPy takes ten times as long to begin, so only some of the runs are made with it; and it frees memory when it likes.)

SGML = ["-t", "sample/iwslt", "-l", "en-de", "--echo", "src"]
XML = ["-t", "sample/xml", "-l", "en-de", "--echo", "src"]

#: Puts the samples into the catalogue; the arguments: the package, the address of their archives, and a file of them.
ADD_SAMPLES = "from __future__ import annotations\n\n" + inspect.getsource(record_of) + """
import importlib, json, sys
package, address, fixture = sys.argv[1:4]
sys.argv[1:4] = []
testsets = importlib.import_module(package + ".datasets.registry")
importlib.import_module(package + ".files.download").PAUSES = (0, 0)
for case in json.load(open(fixture, encoding="utf-8")):
    testsets.DATASETS[case["name"]] = testsets.TestSet(case["name"], record_of(case, address))
"""

DRIVER = ADD_SAMPLES + """
import http.client, os, pkgutil, shutil, signal, subprocess, tarfile, tempfile, traceback, urllib.request, zipfile
from pathlib import Path
import gc, mimetypes
mimetypes.init()  # as urllib does for each file, if nobody has
for found in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
    importlib.import_module(found.name)
cli = sys.modules[package + ".cli"]
downloading = sys.modules[package + ".files.download"]
work = Path(sys.argv[1])
cache = work / "cache"
setting = json.loads(sys.argv[2])
if hasattr(gc, "freeze"):
    gc.disable()
    gc.freeze()  # so that children share what they don't change

def start(arguments, before=lambda: None):
    # Starts the command line in a child, after a call of `before` there.
    sides = os.pipe(), os.pipe()
    child = os.fork()
    if child:
        for _, end in sides:
            os.close(end)
        return child, [start for start, _ in sides]
    try:
        os.environ["PUREBLEU_CACHE"] = str(cache)
        for descriptor, (_, end) in zip((1, 2), sides):
            os.dup2(end, descriptor)
        os.closerange(3, 64)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv[1:] = arguments
        before()
        cli.run()
    finally:
        traceback.print_exc()
        os._exit(99)

def text_of(descriptor):
    # (Closed at once: PyPy would do so some time later, in the next child, where another file has that number.)
    with open(descriptor, "rb") as file:
        return file.read().decode()

def outcome(started):
    # Its exit code (or the signal that ended it, negated), and what it printed.
    child, starts = started
    printed = [text_of(start) for start in starts]
    status = os.waitpid(child, 0)[1]
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return {"code": code, "out": printed[0], "err": printed[1]}

def run(arguments, before=lambda: None):
    return outcome(start(arguments, before))

def contents():
    # The files below the working folder, and what they hold; those without a final name are empty here.
    return {str(path.relative_to(work)): "" if path.name.startswith(".purebleu-") else path.read_bytes().hex()
            for path in sorted(work.rglob("*")) if path.is_file()}

def clear():
    for path in work.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
"""

#: Makes a call of the operating system fail: the one with a given number, among all that change the disk.
INJECTION = """
import builtins, errno

REACHED = work.parent / "reached"
os.fsync = lambda descriptor: None  # it takes long, and only a power cut would tell

class File:
    def __init__(self, file, step):
        self._file, self._step = file, step

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *error):
        return self._file.__exit__(*error)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def write(self, data):
        # A write that fails has written a part all the same.
        self._step(lambda: (self._file.write(data[:len(data) // 2]), self._file.flush()))
        return self._file.write(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

def injected(number, fault):
    # What to call in a child, so that there the fault occurs in place of the change with this number.
    calls = []

    def step(halfway=lambda: None):
        calls.append(None)
        if len(calls) != number:
            return
        REACHED.touch()
        halfway()
        if fault == "error":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.kill(os.getpid(), signal.SIGKILL if fault == "kill" else signal.SIGINT)
        signal.pause()  # the signal comes as soon as Python looks for it

    def counted(function):
        def call(*arguments, **named):
            step()
            return function(*arguments, **named)
        return call

    def before():
        for name in ("fsync", "replace", "fchmod"):
            setattr(os, name, counted(getattr(os, name)))
        make_folder, open_file, open_descriptor = os.mkdir, open, os.open

        def mkdir(path, *arguments):
            os.path.isdir(path) or step()
            make_folder(path, *arguments)

        os.mkdir = mkdir

        def opened(path, mode="r", *arguments, **named):
            file = open_file(path, mode, *arguments, **named)
            return File(file, step) if isinstance(path, int) and "w" in mode else file

        def opened_descriptor(path, flags, *arguments):
            flags & os.O_CREAT and step()
            return open_descriptor(path, flags, *arguments)

        builtins.open, os.open = opened, opened_descriptor
    return before
"""

EVERY_CHANGE = DRIVER + INJECTION + """
arguments = setting["arguments"]
for first in setting["first"]:
    assert run(first)["code"] == 0
for name, content in setting["damage"].items():
    (work / name).write_text(content)
had = contents()
beginning = shutil.copytree(work, work.parent / "beginning")
usual = run(arguments)
whole = contents()
results = []
while not results or results[-1]["reached"]:
    shutil.rmtree(work)
    shutil.copytree(beginning, work)
    REACHED.exists() and REACHED.unlink()
    result = run(arguments, injected(setting["step"] * len(results) + 1, setting["fault"]))
    left = contents()
    results.append({**result, "reached": REACHED.exists(),
                    "temporary": [name for name, content in left.items() if not content],
                    # (A list of fields may say that they are being replaced.)
                    "wrong": [name for name, content in left.items() if content not in (
                        "", whole.get(name), had.get(name)) and content != b"\\t-1\\n".hex()],
                    "next": run(arguments)})
    at_last = contents()
    results[-1]["other"] = [name for name, content in at_last.items() if content and content != whole.get(name)]
    results[-1]["missing"] = [name for name in whole if name not in at_last]
print(json.dumps({"usual": usual, "results": results}))
"""


class Driver:
    """Runs drivers in an empty working folder, with the samples' archives in a mirror that is a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir()
        self.cases = list(SAMPLES.values())
        self.address = "http://archives.example"
        self._mirror = folder / "mirror" / "archives.example"
        self._mirror.mkdir(parents=True)
        for path in ARCHIVES.iterdir():
            (self._mirror / path.name).write_bytes(path.read_bytes())

    def add_case(self, name: str, archive: str, content: bytes, members: Sequence[str]) -> list[str]:
        """Add a test set of text with this archive, for en-de; returns the command line that reads it."""
        (self._mirror / archive).write_bytes(content)
        self.cases.append({"name": name, "format": "text", "pairs": {"en-de": members},
                           "archives": [[archive, hashlib.md5(content).hexdigest()]]})
        return ["-t", name, "-l", "en-de", "--echo", "src"]

    def run(self, script: str, setting: dict[str, Any] | Sequence[object], wrapper: Sequence[str] = (),
            **options: Any) -> Any:
        """The output of the script, as JSON."""
        (self.folder / "samples").write_text(json.dumps(self.cases), encoding="utf-8")
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("PUREBLEU", "SACREBLEU", "NO_COLOR"))}
        environment["PYTHONPATH"] = str(Path(purebleu.__file__).resolve().parents[1 + PACKAGE.count(".")])
        if self.address.endswith(".example"):
            environment.update(PUREBLEU_MIRROR=str(self._mirror.parent), PUREBLEU_OFFLINE="1")
        done = run_python(
            ["-c", script, PACKAGE, self.address, str(self.folder / "samples"), str(self.work), json.dumps(setting)],
            wrapper, env=environment, stdin=subprocess.DEVNULL, timeout=120, **options)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)


@pytest.fixture
def driver(tmp_path: Path) -> Driver:
    return Driver(tmp_path)


def assert_failed(result: dict[str, Any], part: str) -> None:
    """The command line has reported an error of one line with this part, and printed no result."""
    assert (result["code"], result["out"]) == (1, ""), result
    assert result["err"].startswith("purebleu: error: ")
    assert result["err"].count("\n") == 1
    assert part in result["err"]


def assert_fine(result: dict[str, Any]) -> None:
    """The command line has printed a result, and nothing on standard error."""
    assert (result["code"], result["err"]) == (0, ""), result
    assert result["out"]


# Every single change of the disk failing, and a kill or an interrupt in place of it

COMMANDS: dict[str, dict[str, Any]] = {
    "a cold cache": {"arguments": SGML},
    "a cold cache for XML": {"arguments": ["-t", "sample/xml", "-l", "liv-en", "--echo", "src"]},
    "a file that is cut off": {"first": [SGML], "damage": {"cache/sample/iwslt/sample_iwslt.en-de.ref": "cut "},
                               "arguments": SGML},
    "a bundle in place of another": {"first": [SGML, XML, ["bundle", "BUNDLE", "sample/xml"]],
                                     "arguments": ["bundle", "BUNDLE", "sample/iwslt"]},
    "unbundling": {"first": [["bundle", "BUNDLE", "sample/text"]],
                   "damage": {"cache/sample/text/sample_text.en-de.src": "cut "},
                   "arguments": ["unbundle", "BUNDLE"]},
}


@pytest.mark.parametrize(("command", "fault", "step"), [
    ("a cold cache", "error", 2), ("unbundling", "kill", 2),
    *[pytest.param(command, fault, 1, marks=pytest.mark.heavy) for command, fault in (
        ("a cold cache", "error"), ("unbundling", "kill"), ("a cold cache", "kill"), ("a cold cache", "interrupt"),
        ("a cold cache for XML", "kill"), ("a file that is cut off", "kill"),
        ("a bundle in place of another", "error"))],
])
def test_whichever_change_of_the_disk_fails_files_are_whole_and_the_next_run_is_fine(
        driver: Driver, command: str, fault: str, step: int) -> None:
    setting = {"first": [], "damage": {}, **COMMANDS[command], "fault": fault, "step": 7 if PYPY else step}
    described = json.dumps(setting).replace("BUNDLE", str(driver.work / "bundle"))
    found = driver.run(EVERY_CHANGE, json.loads(described))
    assert (found["usual"]["code"], found["usual"]["err"]) == (0, "")
    *faulty, last = found["results"]
    assert len(faulty) * step > (2 if PYPY else 20)
    assert {key: last[key] for key in found["usual"]} == found["usual"]
    for result in faulty:
        if fault == "error":
            assert_failed(result, "No space left on device")
        else:
            number = signal.SIGKILL if fault == "kill" else signal.SIGINT
            assert (result["code"], result["out"]) == (-number, "")
            assert result["err"] == ("" if fault == "kill" else "purebleu: interrupted\n")
        assert result["wrong"] == []
        assert fault == "kill" or result["temporary"] == []
        assert (result["next"], result["other"]) == (found["usual"], [])
        # Files that are all there, and of the same length, are as good without the list of their sizes.
        assert {name.rpartition(".")[2] for name in result["missing"]} <= {"purebleu"}


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
    assert (tmp_path / "other").read_bytes() == b"before"
    assert not failures
    assert [entry.name for entry in tmp_path.iterdir()] == ["other"]


# Many processes

CROWD = DRIVER + """
rounds = []
for _ in range(setting["rounds"]):
    clear()
    crowd = [start(arguments) for arguments in setting["commands"] * setting["times"]]
    rounds += [outcome(started) for started in crowd]
    left = contents()
    rounds[-1]["temporary"] = [name for name, content in left.items() if not content]
print(json.dumps(rounds))
"""


def test_many_processes_on_a_cold_cache_all_succeed(driver: Driver) -> None:
    commands = [SGML, XML, ["-t", "sample/xml", "-l", "liv-en", "--echo", "src"], SGML]
    results = driver.run(CROWD, {"rounds": 1 if PYPY else 3, "commands": commands, "times": 2})
    assert len(results) % 8 == 0
    for place, result in enumerate(results):
        assert_fine(result)
        assert result["out"] == results[place % 4]["out"]
        assert result.get("temporary", []) == []


# Archives that are not what they should be

#: Runs command lines, each with an empty cache, and says what each printed, its peak, and the sizes of its files.
MEASURED = DRIVER + PEAK + """
results = []
for arguments in setting:
    result = run(arguments, report_peak)
    complaint, end, peak = result["err"].rpartition("\\n")
    results.append([{**result, "err": complaint + end, "peak": int(peak)},
                    [path.stat().st_size for path in work.rglob("*") if path.is_file()]])
    clear()
print(json.dumps(results))
"""


@needs_proc
def test_an_archive_that_unpacks_to_a_gigabyte_is_refused(driver: Driver) -> None:
    # In several members, which count as one: too much by its ratio, and by its size.
    bombs = [gzip.compress(content) * 256 for content in (
        bytes(4 << 20), (bytes(499) + bytes(range(256))) * (6 << 10))]
    commands = [driver.add_case(f"sample/bomb{number}", f"bomb{number}.gz", bomb,
                                [f"sample_bomb{number}.bomb{number}.gz"] * 2) for number, bomb in enumerate(bombs)]
    found = driver.run(MEASURED, commands)
    for bomb, (result, sizes), part in zip(bombs, found, ("expands to more than 300 times", "larger than 256 MB")):
        assert_failed(result, part)
        assert PYPY or result["peak"] < 700
        assert sum(sizes) == len(bomb) < 16 << 20


# Bundles of people who wish one ill

def hostile_bundle(path: Path, described: bytes, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in {"bundle.json": described, **members}.items():
            archive.writestr(name, content)


def described_bundle(entry: dict[str, Any]) -> bytes:
    return json.dumps({"version": 1, "contents": [entry]}).encode()


def many_lines(path: Path, content: bytes = b"\n" * (32 << 20)) -> None:
    fields = dict.fromkeys(["src", "ref:A"], content)
    hostile_bundle(path, described_bundle({
        "test_set": "sample/xml", "langpair": "en-de",
        "fields": {field: hashlib.sha256(content).hexdigest() for field in fields}},
    ), {f"sample/xml/en-de/{field}": content for field in fields})


def large_text(path: Path) -> None:
    lines = [hashlib.sha256(b"%d" % number).hexdigest().encode() + b" " * 959 + b"\n" for number in range(32 << 10)]
    many_lines(path, b"".join(lines))


def long_description(path: Path) -> None:
    hostile_bundle(path, b'{"version": 1, "contents": [' + b"[]," * (8 << 20) + b"[]]}", {})


def odd_compression(path: Path) -> None:
    # (This method expands a few bytes all at once, so 500 MB would fit into a kilobyte.)
    hostile_bundle(path, described_bundle({"model": "flores200", "checksum": ""}), {}, zipfile.ZIP_BZIP2)


def many_members(path: Path) -> None:
    listed = (b"PK\1\2" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"a") * 100_000
    path.write_bytes(listed + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(listed), 0, 0))


def large_model(path: Path) -> None:
    content = (b"\x0a\x00" * 250 + bytes(range(12))) * (80 << 10)  # as if it had twenty million pieces
    hostile_bundle(path, described_bundle({"model": "flores200", "checksum": hashlib.sha256(content).hexdigest()}),
                   {"models/flores200": content})


@needs_proc
def test_no_bundle_takes_much_memory(driver: Driver) -> None:
    bundles: list[tuple[Any, str]] = [
        (large_text, ""), (many_lines, "it expands to more than 300 times its size"),
        (long_description, "larger than 4 MB"), (odd_compression, "compressed in a way that bundles do not use"),
        (many_members, "more members than"), (large_model, "larger than 32 MB, too large for a model")]
    for make, _ in bundles:
        make(driver.folder / make.__name__)
        assert (driver.folder / make.__name__).stat().st_size < 5 << 20
    found = driver.run(MEASURED, [["unbundle", str(driver.folder / make.__name__)] for make, _ in bundles])
    for (_, part), (result, sizes) in zip(bundles, found):
        if not part:  # there is nothing wrong with it
            assert (result["code"], result["out"], result["err"]) == (0, "sample/xml en-de\n", "")
            assert max(sizes) == 32 << 20
        else:
            assert_failed(result, part)
            assert sizes == []
        assert PYPY or result["peak"] < 150


# Servers

@needs_proc
def test_no_answer_of_a_server_takes_much_memory(driver: Driver, server: Server) -> None:
    driver.address, server.faults = server.address, ["huge"]
    (result, sizes), (good, _) = driver.run(MEASURED, [SGML, SGML])
    assert_failed(result, "MD5 sum")
    assert sizes == []
    assert PYPY or result["peak"] < 100
    assert good["out"].splitlines() == SAMPLES["sample/iwslt"]["fields"]["en-de"]["src"]


WITHOUT_MODULES = """
import sys
for name in sys.argv[2].split():
    sys.modules[name] = None
package = sys.argv[1]
del sys.argv[1:3]
__import__(package + ".cli", fromlist=["run"]).run()
"""


@pytest.mark.parametrize(("missing", "part"), [
    ("ssl _ssl", "this Python has no ssl, which https needs"),
    pytest.param("socket _socket", "this Python can't fetch anything", marks=pytest.mark.skipif(
        PYPY, reason="PyPy's hashlib warns, too, where it misses a module")),
])
def test_files_that_cannot_be_fetched_here_are_said_at_once(tmp_path: Path, missing: str, part: str) -> None:
    # (It would take 13 seconds to try it four times.)
    environment = {**os.environ, "PUREBLEU_CACHE": str(tmp_path / "cache"),
                   "PYTHONPATH": str(Path(purebleu.__file__).resolve().parents[1 + PACKAGE.count(".")])}
    arguments = ["-t", "wmt17", "-l", "en-de", "--echo", "src"]
    done = subprocess.run([sys.executable, "-c", WITHOUT_MODULES, PACKAGE, missing, *arguments], env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
    assert_failed({"code": done.returncode, "out": done.stdout.decode(), "err": done.stderr.decode()}, part)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
