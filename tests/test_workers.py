"""Work spread over processes: the same results, errors that come back, and nothing left behind."""

from __future__ import annotations

import gzip
import os
import pickle
import random
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from . import PACKAGE
from .helpers import folder_of_package, load, run_cli

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator

errors = load("errors")
textio = load("textio")
workers = load("workers")

needs_proc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children are found in Linux's /proc")


def square(number: int) -> int:
    return number * number


def check(number: int) -> int:
    if number == 5:
        raise errors.PurebleuError("five is too much")
    if number == 3:
        errors.warn("three is a lot")
    return number


def die(number: int) -> int:
    if number == 4:
        os._exit(3)
    return number


def no_processes(*_: object, **__: object) -> None:
    raise ImportError("This platform lacks a functioning sem_open implementation")


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 50])
def test_results_come_in_order(jobs: int, count: int) -> None:
    assert list(workers.spread(square, range(count), jobs)) == [number * number for number in range(count)]


def test_items_are_taken_when_they_are_needed() -> None:
    taken = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = workers.spread(square, numbers(), 2)
    assert next(results) == 0
    assert len(taken) < 10
    results.close()


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_and_warnings_of_workers_come_up_here(jobs: int) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert list(workers.spread(check, range(5), jobs)) == list(range(5))
    assert [str(warning.message) for warning in caught if warning.category is errors.PurebleuWarning] == [
        "three is a lot"]
    with pytest.raises(errors.PurebleuError, match="five is too much"):
        list(workers.spread(check, range(4, 40), jobs))


def test_a_worker_that_dies_is_an_error() -> None:
    with pytest.raises(errors.PurebleuError, match="a worker process died"):
        list(workers.spread(die, range(40), 2))


def test_without_processes_the_work_is_done_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", no_processes)
    assert list(workers.spread(square, range(5), 4)) == [0, 1, 4, 9, 16]


def test_zero_is_a_process_for_each_processor() -> None:
    assert workers.number_of_workers(0) >= 1
    assert workers.number_of_workers(3) == 3


def test_windows_has_no_more_processes_than_it_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert [workers.number_of_workers(jobs) for jobs in (2, 61, 62, 1000)] == [2, 61, 61, 61]


# The command line

@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two references and two systems, in several blocks; and segments that take TER long."""
    folder = tmp_path_factory.mktemp("corpus")
    source = random.Random(1)
    words = [f"word{number}" for number in range(300)]
    lines = [source.choices(words, k=source.randrange(12)) for _ in range(5000)]
    for name, share in (("ref", 1.0), ("ref2", 0.5), ("one", 0.9), ("two", 0.7)):
        text = [" ".join([word if source.random() < share else "or" for word in line]) + "\n" for line in lines]
        (folder / name).write_bytes("".join(text).encode())
    for name in ("slow", "slow.ref"):
        text = [" ".join(source.choices(words[:60], k=150)) + "\n" for _ in range(4000)]
        (folder / name).write_bytes("".join(text).encode())
    return folder


@pytest.mark.parametrize("args", [
    ["-i", "one", "-m", "bleu", "chrf", "ter", "-w", "14"],
    ["-i", "one", "two", "-m", "bleu", "ter", "-w", "14", "-f", "text"],
    ["-i", "one", "two", "-m", "bleu", "ter", "--paired-bs", "-pbsn", "20"],
    ["-i", "one", "-ci", "-cin", "20", "-w", "12"],
    ["-i", "one", "-sl", "-m", "ter"],
], ids=" ".join)
def test_the_number_of_processes_changes_no_byte(corpus: Path, args: list[str]) -> None:
    outputs = {run_cli(["ref", "ref2", "ref", *args, "-j", jobs], cwd=corpus).stdout for jobs in ("1", "2", "4", "0")}
    assert len(outputs) == 1
    assert outputs != {b""}


def odd_files(corpus: Path, folder: Path) -> None:
    """The corpus's files in other shapes."""
    one, ref = (corpus / "one").read_bytes(), (corpus / "ref").read_bytes()
    (folder / "one").write_bytes(one)
    (folder / "ref").write_bytes(ref)
    (folder / "odd").write_bytes(b"\xef\xbb\xbf" + one.replace(b" ", "\u2028\r".encode()).rstrip(b"\n") + b" end")
    (folder / "one.gz").write_bytes(gzip.compress(one))
    (folder / "two.tsv").write_bytes(ref.replace(b"\n", b"\tor\n"))
    (folder / "latin").write_bytes(one.replace(b"word1", b"w\xf6rd"))
    (folder / "long").write_bytes(b"".join([line.strip() * 400 + b"\n" for line in one.splitlines()[:80]])
                                  + b"\n" * 4920)
    (folder / "invalid").write_bytes(b"\n" * 4321 + b"\xff" + b"\n" * 679)
    (folder / "short").write_bytes(one[:one.index(b"\n", len(one) // 2) + 1])
    (folder / "empty").write_bytes(b"")


@pytest.mark.parametrize(("code", "args"), [
    (0, ["ref", "-i", "odd"]),
    (0, ["odd", "ref", "-i", "ref", "odd"]),
    (0, ["ref", "-i", "long"]),
    (0, ["one.gz", "-i", "ref"]),
    (0, ["two.tsv", "-nr", "2", "-i", "one"]),
    (0, ["ref", "-i", "latin", "-e", "latin-1"]),
    (1, ["ref", "-i", "latin"]),
    (1, ["ref", "-i", "invalid"]),
    (1, ["ref", "-i", "short"]),
    (1, ["empty", "-i", "empty"]),
    (1, ["ref", "-i", "missing"]),
    (1, ["ref", "-i", "one", "-e", "unknown"]),
], ids=lambda arguments: " ".join(arguments) if isinstance(arguments, list) else "")
def test_whoever_reads_the_files_it_makes_no_difference(corpus: Path, tmp_path: Path, code: int,
                                                        args: list[str]) -> None:
    odd_files(corpus, tmp_path)
    alone, spread = [run_cli([*args, "-w", "12", "-j", jobs], cwd=tmp_path) for jobs in ("1", "2")]
    assert (spread.returncode, spread.stdout, spread.stderr) == (alone.returncode, alone.stdout, alone.stderr)
    assert alone.returncode == code


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="no such file")
def test_standard_input_under_another_name(corpus: Path) -> None:
    outputs = []
    for jobs in ("1", "2"):
        with open(corpus / "one", "rb") as stdin:
            outputs.append(subprocess.run(
                [sys.executable, "-m", PACKAGE, "ref", "-i", "/dev/stdin", "-j", jobs], cwd=str(corpus), stdin=stdin,
                env={**os.environ, "PYTHONPATH": str(folder_of_package())}, stdout=subprocess.PIPE, check=True).stdout)
    assert outputs[0] == outputs[1] != b""


def test_a_file_that_is_cut_off_meanwhile_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\ntwo\nthree\n")
    section = textio.Section(str(path)).following([b"one\n"], 0)
    assert pickle.loads(pickle.dumps(section)).lines() == ["one"]
    rest = section.following([b"two\n", b"three\n"], 1)
    path.write_bytes(b"one\ntwo\n")
    with pytest.raises(errors.PurebleuError, match="file was cut off while it was read"):
        rest.lines()


@needs_proc
@pytest.mark.parametrize("args", [[], ["-sl"]])
def test_scoring_is_spread_over_processes(corpus: Path, args: list[str]) -> None:
    process = start_slow_run(corpus, *args)
    assert wait_for(lambda: len(children_of(process.pid)) == 2)
    process.kill()
    process.communicate()


def test_an_error_of_input_stays_what_it_is(corpus: Path) -> None:
    done = run_cli(["ref", "slow.ref", "-i", "one", "-j", "2"], cwd=corpus)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().splitlines() == [
        "purebleu: error: the numbers of lines differ: 5000 in one, 5000 in ref, 4000 in slow.ref"]


def unignore_interrupts() -> None:
    """As they would be if these tests did not run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start_slow_run(corpus: Path, *args: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(folder_of_package())}
    return subprocess.Popen(
        [sys.executable, "-m", PACKAGE, "slow.ref", "-i", "slow", "-m", "ter", "-j", "2", *args], cwd=str(corpus),
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=unignore_interrupts)


def children_of(pid: int) -> list[int]:
    """The processes whose parent this is, those that wait to be collected excepted."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # has just ended
        if int(parent) == pid and state != "Z":
            found.append(int(path.parent.name))
    return found


def wait_for(condition: Callable[[], Any], seconds: float = 5) -> Any:
    """What the condition says as soon as it is true."""
    deadline = time.monotonic() + seconds
    while not (result := condition()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return result


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@needs_proc
def test_a_killed_worker_ends_the_run(corpus: Path) -> None:
    process = start_slow_run(corpus)
    workers_of_run = wait_for(lambda: children_of(process.pid) if len(children_of(process.pid)) == 2 else [])
    assert len(workers_of_run) == 2
    os.kill(workers_of_run[0], signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=5)
    assert (process.returncode, stdout) == (1, b"")
    assert stderr.decode().splitlines() == [
        "purebleu: error: a worker process died (was it killed, or out of memory?)"]
    assert wait_for(lambda: not any(map(is_alive, workers_of_run)))


@needs_proc
@pytest.mark.parametrize("whole_group", [True, False], ids=["Ctrl-C", "kill -INT"])
def test_an_interrupt_leaves_no_process_behind(corpus: Path, whole_group: bool) -> None:
    process = start_slow_run(corpus)
    workers_of_run = wait_for(lambda: children_of(process.pid) if len(children_of(process.pid)) == 2 else [])
    time.sleep(0.3)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=5)
    assert (process.returncode, stdout, stderr) == (-signal.SIGINT, b"", b"purebleu: interrupted\n")
    assert wait_for(lambda: not any(map(is_alive, workers_of_run)))


@needs_proc
def test_workers_end_with_the_process_that_they_work_for(corpus: Path) -> None:
    process = start_slow_run(corpus)
    workers_of_run = wait_for(lambda: children_of(process.pid) if len(children_of(process.pid)) == 2 else [])
    time.sleep(0.3)
    process.kill()
    process.communicate()
    assert len(workers_of_run) == 2
    assert wait_for(lambda: not any(map(is_alive, workers_of_run)))
