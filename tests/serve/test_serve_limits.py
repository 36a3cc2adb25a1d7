"""The local page's server under attack, and under limits: connections, memory, files, clients that go away, signals."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Iterator
from unittest.mock import Mock

import pytest

from purebleu.cli.commands import serve as serve_command
from purebleu.serve import server as server_module
from purebleu.serve.jobs import NO_MEMORY, Jobs

from .. import PACKAGE, work
from ..groups import group_is_alive, start_group
from ..helpers import call_cli, environment, run_cli, wait_for
from .test_serve import CARD, PATIENCE, Client, interrupt, long_request, processes_in, serving, start_command

pytestmark = pytest.mark.skipif(sys.platform == "emscripten", reason="WebAssembly has no servers")

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX's signals and permissions")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="of Linux")

STREAMED = "application/x-ndjson"


# Clients that send something else

def test_a_head_of_any_size_is_not_taken() -> None:
    with serving(work.answer_request) as client:
        request = client.request([1]).replace(b"\r\n\r\n", b"\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", 1)
        assert client.raw(request).status == 431
        assert client.post([1], X="x" * 60_000).status == 200


def test_bytes_after_a_body_do_not_take_the_answer_away() -> None:
    with serving(work.answer_request) as client:
        for further in (client.request([2]), b"x" * 1_000_000):
            assert client.raw(client.request([1]) + further).json == {"got": [1]}


# Memory

@contextlib.contextmanager
def serving_within(memory: int) -> Iterator[Client]:
    """A server each of whose jobs may take `memory` MiB."""
    init = Jobs.__init__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Jobs, "__init__", lambda self, work, _: init(self, work, memory))
        with serving(work.take_memory) as client:
            yield client


@on_linux
def test_a_job_has_so_much_memory_and_no_more() -> None:
    with serving_within(500) as client:
        for _ in range(3):
            answer = client.post({"MiB": 600})
            assert (answer.status, answer.headers["content-type"]) == (413, "application/json")
            assert answer.json["error"] == {"message": "this request needs more memory than its limit of 500 MiB: send "
                                            "fewer or shorter texts, or raise the limit with --memory",
                                            "field": "", "line": None}
        answer = client.post({"MiB": 600}, Accept=STREAMED)
        assert "500 MiB" in json.loads(answer.body.splitlines()[-1])["error"]["message"]
        assert client.post({"MiB": 100}).json == {"taken": 100 << 20}
    with serving_within(0) as client:
        assert client.post({"MiB": 600}).status == 200


@on_linux
def test_the_limit_of_memory_is_an_option() -> None:
    lines = "\n".join([f"line {number} of some text that is not short at all" for number in range(200_000)])
    process, client = start_command("--memory", "100")
    try:
        answer = client.post({"references": [lines], "systems": [lines], "options": {"metrics": "bleu"}})
        assert answer.status == 413 and "100 MiB" in answer.json["error"]["message"]
        assert client.post(CARD).status == 200
    finally:
        assert interrupt(process) == b""


@pytest.mark.heavy
@on_linux
def test_every_limit_of_memory_has_an_answer() -> None:
    lines = "\n".join([f"line {number} of some text" for number in range(50_000)])
    request = {"references": [lines], "systems": [lines, lines], "outputs": ["json", "report"], "options": {
        "metrics": ["bleu", "chrf"]}}
    statuses = set()
    for memory in range(1, 400, 19):
        process, client = start_command("--memory", str(memory))
        answer = client.post(request)
        process.send_signal(signal.SIGINT)
        process.communicate()
        assert (answer.status, next(iter(answer.json))) in ((200, "scores"), (413, "error"), (500, "error")), memory
        statuses.add(answer.status)
    assert {200, 413} <= statuses


def test_memory_that_a_system_does_not_limit_is_looked_at() -> None:
    pytest.importorskip("resource")
    script = f"""
import sys, time
from {PACKAGE}.serve import jobs
import threading
threading.Thread(target=jobs.end_beyond, args=(int(sys.argv[1]) << 20,), daemon=True).start()
taken = b"x" * (300 << 20)
time.sleep(float(sys.argv[2]))
"""
    assert run_cli(["200", "600"], start=["-c", script]).returncode == NO_MEMORY
    assert run_cli(["100000", "0.5"], start=["-c", script]).returncode == 0


def test_the_help_tells_the_limits() -> None:
    told = " ".join(call_cli(["--help", "serve"]).stdout.decode().split())
    assert f"default: {serve_command.ServeValues.memory}" in told
    assert f"{server_module.MAX_BODY >> 20} MiB" in told and "--open" in told and "413" in told


# Opening the page

@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A program that writes down what it is started with, and what is in the file that this names."""
    program = tmp_path / "browser"
    program.write_text(f"""#!{sys.executable}
import json, os, stat, sys, urllib.parse
path = urllib.parse.unquote(sys.argv[1][len("file://"):])
seen = {{"argument": sys.argv[1], "text": open(path).read(), "modes": [
    stat.S_IMODE(os.stat(name).st_mode) for name in (path, os.path.dirname(path))]}}
with open({str(tmp_path / "new")!r}, "w") as file:
    json.dump(seen, file)
os.rename({str(tmp_path / "new")!r}, {str(tmp_path / "seen")!r})
""")
    program.chmod(0o755)
    return program


@contextlib.contextmanager
def opened(browser: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[subprocess.Popen[bytes], Client, Path]]:
    """The command with `--open`, and the home folder of its user."""
    home = browser.parent / "home"
    home.mkdir()
    for name, value in (("HOME", str(home)), ("TMPDIR", str(home)), ("BROWSER", f"{browser} %s")):
        monkeypatch.setenv(name, value)
    process, client = start_command("--open")
    yield process, client, home
    process.kill()
    process.communicate()


@needs_posix
def test_a_browser_gets_the_token_from_a_private_file(browser: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(browser, monkeypatch) as (process, client, home):
        wait_for((browser.parent / "seen").exists)
        seen = json.loads((browser.parent / "seen").read_text())
        assert client.token not in seen["argument"]
        assert f"http://127.0.0.1:{client.port}/#token={client.token}" in seen["text"]
        assert seen["modes"] == [stat.S_IRUSR | stat.S_IWUSR, stat.S_IRWXU]
        assert not {path.name for path in home.rglob("*") if path.name.startswith(".")}  # what a snap can read
        assert client.get("/").status == 200
        assert client.get("/test-sets", X_Purebleu_Token="x").status == 403
        assert client.get("/test-sets", X_Purebleu_Token=client.token).status == 200
        assert len([*home.iterdir()]) == 1
        assert interrupt(process) == b""
        assert not [*home.iterdir()]


@needs_posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None)])
def test_a_signal_leaves_no_file_and_no_process(browser: Path, monkeypatch: pytest.MonkeyPatch,
                                                number: signal.Signals) -> None:
    with opened(browser, monkeypatch) as (process, client, home), client.connect() as connection:
        wait_for((browser.parent / "seen").exists)
        connection.sendall(client.request(long_request(), Accept=STREAMED))
        assert [*home.iterdir()]
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0 if number == signal.SIGINT else -number, b"")
        assert not [*home.iterdir()]


@needs_posix
@pytest.mark.parametrize("number", [getattr(signal, "SIGKILL", None), signal.SIGTERM, pytest.param(
    getattr(signal, "SIGHUP", None), marks=pytest.mark.heavy)])
def test_a_signal_ends_jobs(number: signal.Signals) -> None:
    process, client = start_command()
    with client.connect() as connection:
        connection.sendall(client.request(long_request(), Accept=STREAMED))
        connection.recv(20)
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (-number, b"")
        wait_for(lambda: not group_is_alive(process.pid))


def test_a_job_that_the_end_of_the_server_ends_says_so(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        with serving(work.wait_for_file) as client:
            answers = [pool.submit(client.post, {"folder": str(tmp_path)}, Accept=accept)
                       for accept in ("application/json", STREAMED)]
            wait_for(lambda: len(processes_in(tmp_path)) == 2)
        for answer in answers:
            last = json.loads(answer.result().body.splitlines()[-1])
            assert last["error"]["message"] == "the server was stopped before the request was done."


@needs_posix
def test_no_browser_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    script = f"""
import sys, webbrowser
webbrowser.open = lambda address: False
from {PACKAGE}.cli import run
sys.argv[1:] = ["serve", "--open"]
run()
"""
    process = start_group([sys.executable, "-c", script], environment())
    assert process.stderr
    assert b"no browser could be started" in process.stderr.readline()
    assert interrupt(process) == b""
    assert not [*tmp_path.iterdir()]


def test_browsers_of_windows_are_given_no_file_of_wsl(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Mock(return_value=True)
    monkeypatch.setattr("platform.release", lambda: "5.15.90.1-microsoft-standard-WSL2")
    monkeypatch.setattr("webbrowser.open", browser)
    with server_module.opened("secret", 1234):
        wait_for(lambda: browser.called)
    browser.assert_called_once_with("http://127.0.0.1:1234/")


