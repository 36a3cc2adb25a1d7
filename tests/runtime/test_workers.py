"""Work spread over processes: the same results, errors that come back, and nothing left behind."""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from itertools import cycle, product
from multiprocessing import util as multiprocessing_util
from pathlib import Path
from typing import Any, Iterator
from unittest.mock import Mock

import pytest

from purebleu.runtime import errors, workers
from purebleu.runtime.workers import isolated_start

from .. import PACKAGE
from ..helpers import call_cli, environment, run_cli, wait_for, write_lines, write_systems
from ..work import check, die_while_answering, look_up, spread_squares, square, work_long

#: How processes are started: "fork" by default on Linux before CPython 3.14, "forkserver" since, "spawn" elsewhere.
METHODS = sorted(multiprocessing.get_all_start_methods())

#: The number of lines of the corpus: more than two blocks.
LINES = 3000

#: Runs the command line (without its name before the arguments) as where this start method is the default.
LAUNCHER = f"""
import multiprocessing, runpy, sys
multiprocessing.set_start_method(sys.argv.pop(1))
runpy.run_module({PACKAGE!r}, run_name="__main__", alter_sys=True)
"""

needs_proc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children are found in Linux's /proc")
with_each_method = pytest.mark.parametrize("method", METHODS)


@pytest.fixture
def start_method(method: str) -> Iterator[str]:
    """While a test runs, this is how processes are started."""
    before = multiprocessing.get_start_method()
    multiprocessing.set_start_method(method, force=True)
    yield method
    multiprocessing.set_start_method(before, force=True)


def test_results_come_in_order() -> None:
    for jobs, count in product((1, 2, 3), (0, 1, 2, 3, 50)):
        squares = [number * number for number in range(count)]
        assert list(workers.spread(square, range(count), jobs)) == squares, (jobs, count)


def test_work_is_taken_when_it_is_needed_and_results_before_an_error_handed_on() -> None:
    taken = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results: Any = workers.spread(square, numbers(), 2)
    assert next(results) == 0 and len(taken) < 10
    results.close()

    def some_numbers() -> Iterator[int]:
        yield from range(5)
        raise errors.PurebleuError("no more numbers")

    results = workers.spread(square, some_numbers(), 2)
    assert [next(results) for _ in range(5)] == [0, 1, 4, 9, 16]
    with pytest.raises(errors.PurebleuError, match="no more numbers"):
        next(results)


@pytest.mark.parametrize("jobs", [1, 2])
@with_each_method
def test_errors_and_warnings_of_workers_come_up_here(start_method: str, jobs: int) -> None:
    with pytest.warns(errors.PurebleuWarning) as caught:
        assert list(workers.spread(check, range(5), jobs)) == list(range(5))
    assert [str(warning.message) for warning in caught if warning.category is errors.PurebleuWarning] == [
        "three is a lot"]
    with pytest.raises(errors.PurebleuError, match="five is too much"):
        list(workers.spread(check, range(4, 40), jobs))


def test_an_error_names_the_place_where_a_worker_failed() -> None:
    with pytest.raises(KeyError) as caught:
        list(workers.spread(look_up, range(4), 2))
    assert caught.value.args == (2,)
    assert "in look_up" in str(caught.value.__cause__)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX's signals")
def test_a_worker_that_dies_in_the_middle_of_an_answer_is_an_error() -> None:
    others = len(multiprocessing.active_children())

    def numbers() -> Iterator[int]:
        yield from (0, 1)
        while len(multiprocessing.active_children()) == others + 2:  # nobody takes an answer meanwhile
            time.sleep(0.01)
        yield from range(2, 10)

    with pytest.raises(errors.PurebleuError, match="a worker process died"):
        list(workers.spread(die_while_answering, numbers(), 2))


@needs_proc
@pytest.mark.parametrize("method", ["fork"])
@pytest.mark.parametrize(("items", "jobs", "processes"), [([*range(10)], 2, 2), ([0, 1, 1], 40, 3)])
def test_there_are_no_more_processes_than_items_and_all_end_when_nobody_wants_more(
        start_method: str, items: list[int], jobs: int, processes: int) -> None:
    before = children_of(os.getpid())
    results: Any = workers.spread(work_long, items, jobs)
    assert next(results) == 0
    assert len(children_of(os.getpid()) - before) == processes
    results.close()
    assert children_of(os.getpid()) == before


def test_without_processes_the_work_is_done_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (ImportError("No module named '_multiprocessing'"), BlockingIOError("temporarily unavailable"),
                  RuntimeError("fork not supported for isolated subinterpreters")):
        monkeypatch.setattr("multiprocessing.Pipe", Mock(side_effect=error))
        assert list(workers.spread(square, range(5), 4)) == [0, 1, 4, 9, 16], error


def test_a_process_that_may_have_no_children_works_alone() -> None:
    with multiprocessing.Pool(1) as pool:  # its processes are daemons
        assert pool.apply(spread_squares, (4,)) == [0, 1, 4, 9]


# How many

def test_there_are_no_more_processes_than_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    for processors, expected in ((1, [1, 1, 2, 2, 2]), (2, [2, 1, 2, 2, 2]), (8, [8, 1, 2, 8, 8])):
        monkeypatch.setattr(workers, "number_of_processors", lambda: processors)  # noqa: B023  # (called here)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert [workers.number_of_workers(jobs) for jobs in (0, 1, 2, 400, 1 << 40)] == expected
        assert [str(warning.message) for warning in caught] == [
            f"this machine has fewer processors than {jobs}: at most {max(2, processors)} processes are used"
            for jobs in (400, 1 << 40)]


def test_windows_has_no_more_processes_than_it_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(workers, "number_of_processors", lambda: 2000)
    assert [workers.number_of_workers(jobs) for jobs in (2, 61, 62, 1000, 0)] == [2, 61, 61, 61, 61]


# The command line

@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two references and two systems, in several blocks; and segments that take TER long."""
    folder, source = tmp_path_factory.mktemp("corpus"), random.Random(1)
    write_systems(folder, {"ref": 1.0, "ref2": 0.5, "one": 0.9, "two": 0.7}, LINES)
    words = [f"word{number}" for number in range(60)]
    for name in ("slow", "slow.ref"):
        write_lines(folder / name, [" ".join(source.choices(words, k=150)) for _ in range(LINES - 500)])
    return folder


@pytest.mark.parametrize("line", [
    "ref ref2 -i one -m bleu ter -w 14", "ref ref2 -i one two -m chrf --paired-bs -pbsn 20",
    "ref ref2 -i one two -sl -f csv -m bleu wer -w 4", "ref -i one two -b --save-rows written",
    "align ref -i one two -m wer -q --show -o written.json", "compare ref -i one two --buckets length --differences 2",
    *[pytest.param(line, marks=pytest.mark.heavy) for line in (
        "ref --runs A=one B=two", "audit ref -i one two -f json -q",
        "compare ref -i one two --cross --lengths -m bleu chrf",
        "ref ref2 -i one -m bleu chrf ter -w 14", "ref ref2 -i one -ci -cin 20 -w 12", "ref ref2 -i one -sl -m ter")],
])
def test_the_number_of_processes_changes_no_byte(corpus: Path, line: str) -> None:
    outputs: set[tuple[bytes, ...]] = set()
    for jobs, method in zip(("1", "2", "0"), cycle(METHODS)):
        done = run_cli([*line.split(), "-j", jobs], cwd=corpus, start=["-c", LAUNCHER, method])
        written = [path.read_bytes() for path in corpus.glob("written*")]
        outputs.add((done.stdout, *written))
    for path in corpus.glob("written*"):
        path.unlink()
    [output] = outputs
    assert b"" not in output and len(output) == 1 + ("written" in line)


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@with_each_method
def test_few_open_files_do_no_harm(corpus: Path, method: str) -> None:
    expected = call_cli(["ref", "-i", "one", "-b"], cwd=corpus).stdout
    for limit in (16, 22):
        done = run_cli(["ref", "-i", "one", "-b", "-j", "2"], cwd=corpus, start=["-c", LAUNCHER, method],
                       wrapper=["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh"])
        assert (done.returncode, done.stderr, done.stdout) == (0, b"", expected), limit


def odd_files(corpus: Path, folder: Path) -> None:
    """The corpus's files in other shapes."""
    one, ref = (corpus / "one").read_bytes(), (corpus / "ref").read_bytes()
    for name, content in {
        "one": one, "ref": ref, "two.tsv": ref.replace(b"\n", b"\tor\n"),
        "odd": b"\xef\xbb\xbf" + one.replace(b" ", "\u2028\r".encode()).rstrip(b"\n") + b" end",
        "long": b"".join([line.strip() * 400 + b"\n" for line in one.splitlines()[:80]]) + b"\n" * (LINES - 80),
        "invalid": b"\n" * (LINES - 700) + b"\xff" + b"\n" * 700, "short": one[:one.index(b"\n", len(one) // 2) + 1],
    }.items():
        (folder / name).write_bytes(content)


@pytest.mark.parametrize(("code", "args"), [
    (0, ["odd", "ref", "-i", "ref", "odd"]),
    (0, ["ref", "-i", "long"]),
    (0, ["two.tsv", "-nr", "2", "-i", "one"]),
    (1, ["ref", "-i", "invalid"]),
    (1, ["ref", "-i", "short"]),
    (1, ["ref", "-i", "missing"]),
], ids=lambda arguments: " ".join(arguments) if isinstance(arguments, list) else "")
def test_the_number_of_processes_changes_no_result_of_odd_files(corpus: Path, tmp_path: Path, code: int,
                                                                args: list[str]) -> None:
    odd_files(corpus, tmp_path)
    alone, spread = [call_cli([*args, "-w", "12", *jobs], cwd=tmp_path) for jobs in ([], ["-j", "2"])]
    assert (spread.returncode, spread.stdout, spread.stderr) == (code, alone.stdout, alone.stderr)
    assert alone.returncode == code


@with_each_method
def test_an_error_of_input_stays_what_it_is(corpus: Path, tmp_path: Path, method: str) -> None:
    done = run_cli(["ref", "slow.ref", "-i", "one", "-j", "2"], cwd=corpus, start=["-c", LAUNCHER, method],
                   env={"TMPDIR": str(tmp_path)})
    assert (done.returncode, done.stdout) == (1, b"")
    [complaint] = done.stderr.decode().splitlines()
    assert complaint.startswith(f"purebleu: error: the numbers of lines differ: {LINES} in one, {LINES} in ref, "
                                f"{LINES - 500} in slow.ref; one and slow.ref have hardly a word in common")
    assert os.listdir(tmp_path) == []


#: A command line that takes its workers long.
SLOWLY = ("slow.ref", "-i", "slow", "-m", "ter")


def start(corpus: Path, temporary: Path, method: str, *args: str) -> subprocess.Popen[bytes]:
    """A run in a session of its own, with a folder for temporary files."""
    return subprocess.Popen([sys.executable, "-c", LAUNCHER, method, *args, "-j", "2"], cwd=str(corpus),
                            env=environment(TMPDIR=str(temporary)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def processes() -> Iterator[tuple[int, int, int]]:
    """Each process with its parent and its session; those that wait to be collected are left out."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, _, session = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue  # has just ended
        if state != "Z":
            yield int(path.parent.name), int(parent), int(session)


def children_of(number: int) -> set[int]:
    return {pid for pid, parent, _ in processes() if parent == number}


def session_of(process: subprocess.Popen[bytes]) -> dict[int, int]:
    """All processes of a run, with their parents."""
    return {pid: parent for pid, parent, session in processes() if session == process.pid}


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes of a run that neither start others nor keep account of what has to be removed."""
    session = session_of(process)
    found = []
    for pid in set(session) - set(session.values()) - {process.pid}:
        with contextlib.suppress(OSError):  # (It may have just ended.)
            if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def wait_for_workers(process: subprocess.Popen[bytes]) -> list[int]:
    """The two workers of a run, as soon as they are there."""
    wait_for(lambda: len(workers_of(process)) == 2)
    return workers_of(process)


def assert_ends_cleanly(process: subprocess.Popen[bytes], code: int, message: str, temporary: Path) -> None:
    """It ends soon, has nothing to say but this message, and leaves no process and no file."""
    stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stdout or b"", stderr.decode()) == (code, b"", message)
    wait_for(lambda: not session_of(process), 20)
    assert os.listdir(temporary) == []


@needs_proc
@with_each_method
def test_a_killed_worker_ends_the_run(corpus: Path, tmp_path: Path, method: str) -> None:
    process = start(corpus, tmp_path, method, *SLOWLY)
    os.kill(wait_for_workers(process)[0], signal.SIGKILL)
    message = "purebleu: error: a worker process died (was it killed, or out of memory?)\n"
    assert_ends_cleanly(process, 1, message, tmp_path)


@needs_proc
@pytest.mark.parametrize("whole_group", [
    pytest.param(True, id="Ctrl-C"), pytest.param(False, id="kill -INT", marks=pytest.mark.heavy)])
@with_each_method
def test_an_interrupt_leaves_no_process_behind(corpus: Path, tmp_path: Path, method: str, whole_group: bool) -> None:
    process = start(corpus, tmp_path, method, *SLOWLY)
    wait_for_workers(process)
    time.sleep(0.3)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    assert_ends_cleanly(process, -signal.SIGINT, "purebleu: interrupted\n", tmp_path)


@needs_proc
@pytest.mark.parametrize("delay", [0, pytest.param(0.03, marks=pytest.mark.heavy), 0.1])
@with_each_method
def test_an_interrupt_while_workers_start_is_one_line(corpus: Path, tmp_path: Path, method: str, delay: float) -> None:
    process = start(corpus, tmp_path, method, *SLOWLY)
    wait_for(lambda: len(session_of(process)) > 1)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    assert_ends_cleanly(process, -signal.SIGINT, "purebleu: interrupted\n", tmp_path)


@needs_proc
@with_each_method
def test_a_reader_that_stops_early_ends_the_workers(corpus: Path, tmp_path: Path, method: str) -> None:
    process = start(corpus, tmp_path, method, "ref", "-i", "one", "-sl")
    assert process.stdout
    process.stdout.readline()
    process.stdout.close()
    process.stdout = None
    assert_ends_cleanly(process, 141, "", tmp_path)


@needs_proc
@with_each_method
def test_workers_end_with_the_process_that_they_work_for(corpus: Path, tmp_path: Path, method: str) -> None:
    process = start(corpus, tmp_path, method, *SLOWLY)
    wait_for_workers(process)
    time.sleep(0.3)
    process.kill()
    assert process.communicate() == (b"", b"")
    wait_for(lambda: not session_of(process), 20)


# In programs of others

SCRIPT = f"""
import multiprocessing
from {PACKAGE} import BLEU
from {PACKAGE}.significance import PairedTest

def main(jobs):
    systems = [("a", ["a b c d e"] * 9), ("b", ["a b c d"] * 9)]
    print(PairedTest(systems, {{"BLEU": BLEU()}}, [["a b c d e"] * 9], "bs", 9, n_jobs=jobs)()[1])

"""


@with_each_method
def test_a_script_without_a_main_guard_is_an_error(tmp_path: Path, method: str) -> None:
    path = tmp_path / "script.py"
    outcomes = []
    for last_line in ("main(1)", "if __name__ == '__main__':\n    main(2)", "main(2)"):
        path.write_text(f"{SCRIPT}multiprocessing.set_start_method({method!r}, force=True)\n{last_line}\n")
        outcomes.append(run_cli([], start=[str(path)]))
    alone, guarded, bare = outcomes
    assert (guarded.returncode, guarded.stdout, guarded.stderr) == (0, alone.stdout, b"")
    if method == "fork":  # a worker does not import anything then
        assert (bare.returncode, bare.stdout, bare.stderr) == (0, alone.stdout, b"")
        return
    message = bare.stderr.decode()
    assert (bare.returncode, bare.stdout) == (1, b"")
    assert message.count("Traceback") == 1
    assert message.splitlines()[-1] == (
        f"{PACKAGE}.runtime.errors.PurebleuError: worker processes import the main module, which would start the same "
        "work again: put its work under `if __name__ == \"__main__\":`")


@pytest.mark.skipif(not importlib.util.find_spec("_interpreters"), reason="needs Python 3.13's interpreters")
def test_an_isolated_interpreter_works_alone() -> None:
    alone = run_cli([], start=["-c", f"{SCRIPT}main(1)"])
    for method in METHODS:
        code = f"{SCRIPT}multiprocessing.set_start_method({method!r})\nmain(2)"
        isolated = run_cli([], start=["-c", "import _interpreters\ninterpreter = _interpreters.create('isolated')\n"
                                            f"print(_interpreters.exec(interpreter, {code!r}) or '')\n"
                                            "_interpreters.destroy(interpreter)"])
        assert isolated.stdout.split() == alone.stdout.split()
        assert isolated.stderr == b""


# Modules of the current folder

#: A program, as a command that is installed elsewhere: it starts processes of each kind, and prints what they return.
PROGRAM = f"""
import multiprocessing, socket, sys
from {PACKAGE}.runtime.workers import spread
from {PACKAGE}.serve.jobs import Jobs
from {__name__.partition(".")[0]}.work import answer_request, square

def job():
    client, server = socket.socketpair()
    return Jobs(answer_request).do(b"1", server, None)

if __name__ == "__main__":
    method = sys.argv[1]
    multiprocessing.set_start_method(method)
    answers = [list(spread(square, range(3), 2, True)), list(spread(square, range(3), 2)), job()]
    print(answers)
"""

#: A module of the standard library, as somebody may have put it into a folder.
FOREIGN_MODULE = """
import os
os.close(os.open(os.path.join(os.path.dirname(__file__), "it-ran"), os.O_CREAT))
raise SystemExit(1)
"""


def run_beside_foreign_modules(folder: Path, method: str, cwd: str) -> subprocess.CompletedProcess[bytes]:
    """`PROGRAM`, in a folder of its own, run in another folder, which has modules of the standard library's names."""
    for name in ("here", "there"):
        (folder / name).mkdir()
    (folder / "here" / "program.py").write_text(PROGRAM)
    for name in ("multiprocessing", "pickle", "signal", "socket", PACKAGE.partition(".")[0]):
        (folder / "there" / f"{name}.py").write_text(FOREIGN_MODULE)
    return run_cli([method], cwd=folder / cwd, start=[str(folder / "here" / "program.py")])


@with_each_method
def test_processes_run_no_modules_of_the_current_folder(tmp_path: Path, method: str) -> None:
    done = run_beside_foreign_modules(tmp_path, method, cwd="there")
    assert not (tmp_path / "there" / "it-ran").exists()
    assert done.stdout == b"[[0, 1, 4], [0, 1, 4], (200, 'result', b'{\"got\":1}')]\n"
    assert (done.returncode, done.stderr) == (0, b"")


@with_each_method
def test_a_program_of_the_current_folder_finds_its_modules_in_processes(tmp_path: Path, method: str) -> None:
    done = run_beside_foreign_modules(tmp_path, method, cwd="here")
    assert (done.returncode, done.stderr) == (0, b"")


def test_multiprocessing_is_as_it_was_after_a_process_has_started(tmp_path: Path,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = multiprocessing_util._args_from_interpreter_flags  # type: ignore[attr-defined]
    with isolated_start():
        assert multiprocessing_util._args_from_interpreter_flags != before  # type: ignore[attr-defined]
    assert multiprocessing_util._args_from_interpreter_flags == before  # type: ignore[attr-defined]
