"""The local page's server: what it refuses, how its jobs end, and that its answers are those of the command line.

The page in a browser is in `test_form.py`.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shlex
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from purebleu.cli import page_job
from purebleu.serve import jobs as jobs_module

from .. import PACKAGE, work
from ..groups import end_group, group_is_alive, is_alive, start_group
from ..helpers import FIXTURES, call_cli, environment, refusal, run_cli, texts_of, wait_for, write_systems

server_module = pytest.importorskip(f"{PACKAGE}.serve.server")

pytestmark = pytest.mark.skipif(sys.platform == "emscripten", reason="WebAssembly has no servers")

#: Long enough for any machine: what is waited for comes much sooner.
PATIENCE = 120

TOKEN = "the-token-of-these-tests"
POLICY = "default-src 'none'"


class Answer:
    def __init__(self, content: bytes) -> None:
        head, _, self.body = content.partition(b"\r\n\r\n")
        lines = head.decode("ascii").split("\r\n")
        self.status = int(lines[0].split(" ")[1]) if lines[0] else 0
        self.headers = {name.lower(): value for name, _, value in [line.partition(": ") for line in lines[1:]]}

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Sends requests to a server on a port of this machine."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def raw(self, content: bytes) -> Answer:
        with self.connect() as connection:
            connection.sendall(content)
            return Answer(received(connection))

    def head(self, method: str = "GET", path: str = "/", **headers: str | None) -> bytes:
        """The head of a request, with further headers (or without one, which is `None`); `_` stands for `-`."""
        all_headers = {"Host": f"127.0.0.1:{self.port}", **headers}
        lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in all_headers.items() if value is not None]
        return f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode()

    def get(self, path: str = "/", method: str = "GET", **headers: str | None) -> Answer:
        return self.raw(self.head(method, path, **headers))

    def request(self, value: Any, **headers: str | None) -> bytes:
        """A request to score, with a value as JSON, or with bytes."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        given: dict[str, str | None] = {"X_Purebleu_Token": self.token, "Content_Type": "application/json",
                                        "Content_Length": str(len(body))}
        return self.head("POST", "/score", **{**given, **headers}) + body

    def post(self, value: Any, **headers: str | None) -> Answer:
        return self.raw(self.request(value, **headers))


def received(connection: socket.socket) -> bytes:
    content = b""
    while more := connection.recv(1 << 16):
        content += more
    return content


@contextlib.contextmanager
def serving(work_of_server: Callable[[Any], Any]) -> Iterator[Client]:
    """A server in this process that does this work, in further ones."""
    site = server_module.Site(b"<p>A page", POLICY, work_of_server, TOKEN)
    server = server_module.open_server(site, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Client(server.server_port, TOKEN)
    finally:
        site.jobs.end()
        server.shutdown()
        server.server_close()
        thread.join()


def start_command(*arguments: str) -> tuple[subprocess.Popen[bytes], Client]:
    """The command in a process of its own, and in a group of its own; and a client of it."""
    process = start_group([sys.executable, "-m", PACKAGE, "serve", *arguments], environment())
    assert process.stdout
    too_late = threading.Timer(PATIENCE, process.kill)
    too_late.start()
    address = process.stdout.readline().decode().strip()
    too_late.cancel()
    assert address.startswith("http://127.0.0.1:"), process.communicate()
    port, _, token = address[len("http://127.0.0.1:"):].partition("/#token=")
    return process, Client(int(port), token)


def interrupt(process: subprocess.Popen[bytes]) -> bytes:
    """End the command with Ctrl-C, as a terminal does, where that can be; what it has printed on standard error."""
    code = end_group(process)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, errors
    wait_for(lambda: not group_is_alive(process.pid))
    return errors


needs_interrupts = pytest.mark.skipif(os.name != "posix", reason="on Windows, Ctrl-C needs a console")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of the command itself."""
    process, found = start_command()
    yield found
    assert interrupt(process) == b""


CARD = {"references": [["does this sentence match", "wHaT aBoUt ThIs SeNtEnCe?"]],
        "systems": ["does this sentence match??\nwhat about this sentence?\n"],
        "options": {"metrics": "ter", "ter-case-sensitive": True}}


# Paths and answers

def test_the_page_is_given_to_everybody_and_has_no_secret(client: Client) -> None:
    answer = client.get()
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.body.startswith(b"<!DOCTYPE html>") and answer.body.endswith(b"</html>\n")
    assert client.token.encode() not in answer.body
    assert b'"testSets"' not in answer.body and str(Path.home()).encode() not in answer.body
    assert client.get(X_Purebleu_Token=client.token).body == client.get("/?anything").body == answer.body


def test_every_answer_keeps_to_itself(client: Client) -> None:
    for answer in (client.get("/none"), client.get(), client.post(CARD), client.post(b"")):
        for name, value in {"cache-control": "no-store", "x-content-type-options": "nosniff",
                            "referrer-policy": "no-referrer", "x-frame-options": "DENY", "connection": "close",
                            "cross-origin-resource-policy": "same-origin"}.items():
            assert answer.headers[name] == value
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'") and "frame-ancestors 'none'" in policy
        assert not [name for name in answer.headers if name.startswith(("access-control", "set-cookie"))]
        assert "Python" not in str(answer.headers)


def test_the_example_of_evaluates_card_with_its_progress(client: Client) -> None:
    answer = client.post(CARD)
    [score] = answer.json["scores"]
    assert (answer.status, score["score"], score["num_edits"], score["ref_length"]) == (200, 62.5, 5, 8.0)
    assert {"mean", "ci"}.isdisjoint(score)
    assert answer.json["command"] == "purebleu report reference.txt -i system.txt --metrics ter --ter-case-sensitive"
    answer = client.post(CARD, Accept="application/x-ndjson")
    assert answer.headers["content-type"] == "application/x-ndjson"
    *progress, last = map(json.loads, answer.body.splitlines())
    assert progress and all(set(line["progress"]) == {"what", "done", "total"} for line in progress)
    assert last["result"]["scores"][0]["score"] == 62.5


def test_errors_name_their_field(client: Client) -> None:
    answer = client.post({**CARD, "systems": ["one line"]})
    assert (answer.status, answer.json["error"]["field"], answer.json["error"]["line"]) == (400, "systems.0", 2)
    answer = client.post(b"{")
    assert answer.status == 400 and "not JSON" in answer.json["error"]["message"]


# Who is refused

def test_a_rebound_name_gets_nothing(client: Client) -> None:
    for host in ("evil.example:{}", "127.0.0.1.evil.example:{}", "127.0.0.1", "127.0.0.1:1", "", None,
                 "127.0.0.1:{}@evil.example", "0.0.0.0:{}", "[::]:{}", "localhost.:{}", "x"):
        given = None if host is None else host.format(client.port)
        for path in ("/", "/score", "/none"):
            assert client.get(path, Host=given, X_Purebleu_Token=client.token).status == 403, (host, path)
        assert client.post(CARD, Host=given).status == 403, host
    assert client.raw(client.head().replace(b"\r\n\r\n", b"\r\nHost: evil.example\r\n\r\n")).status == 403
    for host in ("localhost:{}", "[::1]:{}", "LOCALHOST:{}"):  # names of this machine
        assert client.get(Host=host.format(client.port)).status == 200, host


def test_a_foreign_page_gets_nothing(client: Client) -> None:
    for origin in ("http://evil.example", "null", "https://127.0.0.1:{}", "http://127.0.0.1:1", "http://127.0.0.1",
                   "file://", ""):
        given = origin.format(client.port)
        assert client.post(CARD, Origin=given).status == 403, origin
        assert client.get(Origin=given, X_Purebleu_Token=client.token).status == 403, origin
    assert client.post(CARD, Origin=f"http://localhost:{client.port}").status == 200


def test_without_the_token_there_is_nothing(client: Client) -> None:
    for token in (None, "", "x", "é", "{}~", "{} "):  # (no token ends in ~ or a space)
        given = None if token is None else token.format(client.token[:-1])
        assert client.post(CARD, X_Purebleu_Token=given).status == 403, token
        assert client.get("/test-sets", X_Purebleu_Token=given).status == 403, token
    assert sorted(client.get("/test-sets", X_Purebleu_Token=client.token).json["sample"]) == ["de-en", "en-de", "en-fr"]


def test_the_token_is_in_its_header_and_nowhere_else(client: Client) -> None:
    places: list[tuple[str, dict[str, str]]] = [
        ("/score?token={token}", {}), ("/score#token={token}", {}), ("/score", {"Authorization": "Bearer {token}"}),
        ("/score", {"Cookie": "token={token}; purebleu={token}; purebleu-{port}={token}"}),
        ("/score", {"Referer": "http://127.0.0.1:{port}/#token={token}"})]
    names = {"token": client.token, "port": str(client.port)}
    for target, headers in places:
        filled = {name: value.format(**names) for name, value in headers.items()}
        request = client.request(CARD, X_Purebleu_Token=None, **filled)
        request = request.replace(b"POST /score", f"POST {target.format(**names)}".encode())
        assert client.raw(request).status in (403, 404), (target, headers)
    # (One of several is enough; another one takes nothing away.)
    several = client.request(CARD).replace(b"\r\n\r\n", b"\r\nX-Purebleu-Token: x\r\n\r\n", 1)
    assert client.raw(several).status == 200


def test_no_other_path_is_there(client: Client) -> None:
    for path in ("/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/form.js", "/score/", "/score/..",
                 "/./", "/\\", "/%00", "*", "http://127.0.0.1/", "score", "//evil.example/", "/;",
                 "/purebleu/cli/modes/serve.py", "/favicon.ico"):
        assert client.get(path, X_Purebleu_Token=client.token).status == 404, path
        assert client.get(path, "POST", X_Purebleu_Token=client.token, Content_Length="0").status == 404, path


def test_there_are_two_methods(client: Client) -> None:
    for method in ("HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "X", "get"):
        assert client.get("/", method).status == 501, method
        assert client.get("/score", method, X_Purebleu_Token=client.token).status == 501, method
    assert client.get("/", "POST", Content_Length="0").status == 405
    assert client.get("/score", X_Purebleu_Token=client.token).status == 405
    assert client.get("/", "HEAD").body == b""


def test_bytes_that_are_no_request_get_nothing(client: Client) -> None:
    for content in (b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0\xff\x80\r\n\r\n",
                    b"GET / HTTP/1.1 x\r\n\r\n", b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
                    b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", b"\x16\x03\x01\x02\0\x01\0",
                    b"GET / HTTP/1.1\r\nHost: " + b"a" * 70_000 + b"\r\n\r\n", b"GET /\r\n\r\n", b""):
        with client.connect() as connection:
            with contextlib.suppress(OSError):
                connection.sendall(content)
                connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionError):
                answer = received(connection)
                assert not answer.startswith(b"HTTP/1.1 2") and b"<!DOCTYPE" not in answer, content[:30]
        assert client.get().status == 200


# Bodies

def test_bodies_that_are_refused(client: Client) -> None:
    refused: list[tuple[int, dict[str, str | None]]] = [
        (413, {"Content_Length": str((64 << 20) + 1)}), (413, {"Content_Length": "9" * 5000}),
        (411, {"Content_Length": "-1"}), (411, {"Content_Length": "+5"}), (411, {"Content_Length": "0x10"}),
        (411, {"Content_Length": "\u0662".encode().decode("latin-1")}), (411, {"Content_Length": None}),
        (411, {"Transfer_Encoding": "chunked", "Content_Length": None})]
    for status, headers in refused:
        assert client.raw(client.request(CARD, **headers).decode().encode("latin-1")).status == status, headers
    assert client.post(bytes((64 << 20) + 1)).status == 413  # (while it is sent)
    answer = client.post(gzip.compress(json.dumps(CARD).encode()), Content_Encoding="gzip")
    assert answer.status == 400 and "not JSON" in answer.json["error"]["message"]


def test_a_body_is_asked_for_if_the_client_waits(client: Client) -> None:
    head, _, body = client.request(CARD, Expect="100-continue").partition(b"\r\n\r\n")
    with client.connect() as connection:
        connection.sendall(head + b"\r\n\r\n")
        assert connection.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert Answer(received(connection)).status == 200
    # A client of HTTP/1.0 would take the question for the answer.
    assert client.raw(head.replace(b"HTTP/1.1", b"HTTP/1.0") + b"\r\n\r\n" + body).status == 200


# Time

def test_a_request_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_SECONDS", 0.5)
    with serving(work.answer_request) as client:
        request = client.request({"a": 1})
        for part in (b"", request[:20], request[:-30], request[:-1]):
            with client.connect() as connection:
                connection.sendall(part)
                assert received(connection) == b""


# Jobs

def processes_in(folder: Path) -> list[int]:
    return [int(path.name[len("process-"):]) for path in folder.glob("process-*")]


def test_two_jobs_at_a_time(tmp_path: Path) -> None:
    with serving(work.wait_for_file) as client, ThreadPoolExecutor(50) as pool:
        answers = [pool.submit(client.post, {"folder": str(tmp_path)}) for _ in range(50)]
        wait_for(lambda: sum(answer.done() for answer in answers) == 48)
        wait_for(lambda: len(processes_in(tmp_path)) == 2)
        (tmp_path / "go").write_bytes(b"")
        assert sorted([answer.result().status for answer in answers]) == [200] * 2 + [503] * 48
        processes = processes_in(tmp_path)
        assert len(processes) == 2
        wait_for(lambda: not any(map(is_alive, processes)))
        assert client.post({"folder": str(tmp_path)}).status == 200


def test_a_refused_body_leaves_its_place() -> None:
    with serving(work.answer_request) as client:
        for _ in range(5):
            assert client.post(b"x").status == 400
        assert client.post([1]).json == {"got": [1]}


def test_a_killed_process_is_an_error() -> None:
    with serving(work.die_of_request) as client:
        for accept in ("application/json", "application/x-ndjson", "application/json"):
            answer = client.post({}, Accept=accept)
            assert answer.status == (500 if accept.endswith("/json") else 200)
            assert "was it killed" in json.loads(answer.body.splitlines()[-1])["error"]["message"]


def test_a_bug_is_reported_as_one(capfd: pytest.CaptureFixture[str]) -> None:
    with serving(work.fail_at_request) as client:
        answer = client.post({})
        assert answer.status == 400 and "nothing there" in answer.json["error"]["message"]
    first, *lines = capfd.readouterr().err.splitlines()
    assert first.startswith("purebleu: Traceback") and len(lines) > 1
    for line in lines:
        assert line.startswith("purebleu: ") and line.isprintable() and len(line) < 5100


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_closing_the_connection_ends_the_job(tmp_path: Path, accept: str) -> None:
    with serving(work.wait_for_file) as client:
        for _ in range(3):  # more than there are places
            with client.connect() as connection:
                connection.sendall(client.request({"folder": str(tmp_path)}, Accept=accept))
                wait_for(lambda: bool(processes_in(tmp_path)))
            [process] = processes_in(tmp_path)
            wait_for(lambda number=process: not is_alive(number))  # type: ignore[misc]
            (tmp_path / f"process-{process}").unlink()


def test_a_job_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "_MAX_SECONDS", 0.5)
    with serving(work.wait_for_file) as client:
        answer = client.post({"folder": str(tmp_path)})
        assert answer.status == 500 and "took longer" in answer.json["error"]["message"]


def long_request() -> dict[str, Any]:
    lines = [f"line {number} of a system" for number in range(2000)]
    return {"references": [lines], "systems": [lines, [line + " x" for line in lines]],
            "options": {"samples": 100_000_000}, "outputs": ["json"]}


@needs_interrupts
@pytest.mark.parametrize("at", [0.0, 0.3])
def test_ctrl_c_leaves_no_process(at: float) -> None:
    process, client = start_command()
    with client.connect() as connection, client.connect() as other:
        connection.sendall(client.request(long_request(), Accept="application/x-ndjson"))
        other.sendall(b"GET /")
        if at:
            connection.recv(20)
        time.sleep(at)
        assert interrupt(process) == b""


# The command

def test_a_forwarded_port(client: Client) -> None:
    process, forwarded = start_command("--public-port", "1234")
    try:
        assert forwarded.token != client.token
        assert forwarded.port == 1234  # as printed; the server has another one
        assert process.stdout
        _, forwarding, own = process.stdout.readline().decode().partition(" 1234:127.0.0.1:")
        assert forwarding
        there = Client(int(own.split(" ")[0]), forwarded.token)
        assert there.get(Host="localhost:1234").status == 200
        assert there.post(CARD, Host="localhost:1234", Origin="http://localhost:1234").status == 200
        assert there.get(Host="localhost:1235").status == 403
    finally:
        interrupt(process)


def test_a_port_that_is_taken(client: Client) -> None:
    taken = refusal(Path.cwd(), "serve", "--port", str(client.port), code=1)
    assert taken.startswith(f"purebleu: error: port {client.port}: ")


def test_wrong_usage() -> None:
    for line, part in (("--port 5", "is an option of purebleu serve"), ("--serve", "purebleu serve"),
                       ("serve --port 0", "at least 1"), ("serve --port 70000", "more than 655"),
                       ("serve ref", "purebleu serve takes only options, not ref")):
        assert part in refusal(Path.cwd(), *line.split())


# The job: as the command line

OPTIONS: list[dict[str, Any]] = [
    {}, {"metrics": ["bleu", "chrf", "ter"], "samples": 100}, {"metrics": ["bleu", "ter"], "confidence-n": 50},
    {"metrics": "chrf", "chrf-word-order": 2, "width": 4}, {"tokenize": "zh", "lowercase": True, "no-tests": True},
    {"paired-bs": True, "samples": 100, "seed": 7}, {"correction": "none", "samples": 100, "metrics": ["bleu", "chrf"]},
    {"samples": 100, "rng": "numpy", "segments": 5, "against": "-b c"}, {"smooth-method": "floor", "no-checks": True},
    {"samples": 100, "audit": True, "no-power": True, "no-worth": True},
]


@pytest.mark.parametrize("options, names", [
    pytest.param(*case, marks=[pytest.mark.heavy] * (place % 3 > 0))
    for place, case in enumerate(zip(OPTIONS, cycle([None, ["A", "-b c", "Ü 'x'"]])))])
def test_results_are_the_command_lines(tmp_path: Path, options: dict[str, Any], names: list[str] | None) -> None:
    shares = {"reference.txt": 1.0, "system1.txt": 0.9, "system2.txt": 0.8, "system3.txt": 0.7, "source.txt": 0.1}
    write_systems(tmp_path, shares, 60)
    reference, *systems, source = texts_of(tmp_path, *shares)
    named: list[Any] = [{"name": name, "text": "\n".join(system)} for name, system in zip(names or [], systems)]
    answer = page_job.score_request({"references": [reference], "systems": named or systems, "source": source,
                                     "options": options, "outputs": [*page_job.OUTPUTS]})
    program, *arguments = shlex.split(answer["command"])
    assert (program, arguments[0]) == ("purebleu", "report")
    for form in ("json", "tsv", "latex") if options in OPTIONS[4:7] else ("json",):
        done = call_cli([*arguments, "-f", form, "--save-rows", "rows"], cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, answer[form].encode()), done.stderr
    shown = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert answer["report"] == shown.replace(f" -f {form} --save-rows rows</code>", "</code>")
    assert answer["rows"].encode() == (tmp_path / "rows").read_bytes()


def test_a_test_set() -> None:
    sample = ["-t", "sample", "-l", "en-de"]
    output = call_cli([*sample, "--echo", "mixed"]).stdout
    options = {"test-set": "sample", "language-pair": "en-de", "metrics": ["bleu", "chrf"]}
    answer = page_job.score_request({"systems": [output.decode()], "outputs": ["json", "report"],
                                     "options": options})
    assert answer["json"].encode() == call_cli([*sample, "-m", "bleu", "chrf"], stdin=output).stdout
    assert answer["command"] == (
        "purebleu report -i system.txt --test-set sample --language-pair en-de --metrics bleu chrf")


def test_warnings_are_reported() -> None:
    answer = page_job.score_request({"references": ["a\tb\n"], "systems": ["\ufeffa b .\n"], "outputs": ["report"]})
    starts = [warning.split(" ")[0] for warning in answer["warnings"]]
    assert starts == ["system.txt", "reference.txt", "with"]  # (with one segment, intervals have no width)
    assert all(warning in answer["report"] for warning in answer["warnings"])


@pytest.mark.parametrize("case", (FIXTURES / "wrong_requests.jsonl").read_text(encoding="utf-8").splitlines())
def test_errors_say_where(case: str) -> None:
    """A case has the field and the line that the error names, and the change of a request (or what is in its place)."""
    field, line, change = json.loads(case)
    request = {"references": ["a\nb\n"], "systems": ["a\nb\n"]}
    answer = page_job.score_request({**request, **change} if isinstance(change, dict) else change)
    assert list(answer) == ["error"], answer
    assert (answer["error"]["field"], answer["error"]["line"]) == (field, line), answer
    assert "\n" not in answer["error"]["message"]


def test_errors_are_short_whatever_they_quote() -> None:
    long = "k" * 100_000
    changes: list[dict[str, Any]] = [{long: 1}, *[{"options": option} for option in (
        {long: 1}, {"tokenize": long}, {"seed": long})]]
    for change in changes:
        answer = page_job.score_request({"references": ["a\n"], "systems": ["a\n"], **change})
        assert 0 < len(answer["error"]["message"]) < 1100


def test_no_name_is_a_path(tmp_path: Path) -> None:
    """Nothing that a request names is opened, looked for, or written."""
    (tmp_path / "secret.txt").write_bytes(b"secret\n")
    request = {"references": [{"text": "a\n", "file": "secret.txt"}], "outputs": [*page_job.OUTPUTS],
               "systems": [{"text": "a\n", "file": "../secret.txt", "name": "secret.txt"},
                           {"text": "b\n", "file": "secret.txt:1", "name": "x=secret.txt"}], "source": {
                               "text": "s\n", "file": "C:\\secret"}, "options": {"metrics": ["bleu", "ter"]}}
    script = f"""
import json, sys
from {PACKAGE}.cli.page_job import score_request
def hook(event, arguments):
    if event in ("open", "os.listdir", "os.remove", "os.mkdir", "os.rename") and "secret" in str(arguments):
        raise SystemExit(f"opened: {{arguments}}")
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        raise SystemExit(f"written: {{arguments}}")
    if event.startswith(("socket.", "subprocess.", "os.system", "shutil.", "tempfile.")):
        raise SystemExit(event)
sys.dont_write_bytecode = True
sys.addaudithook(hook)
print(json.dumps(score_request(json.loads({json.dumps(request)!r}))))
"""
    done = run_cli([], cwd=tmp_path, start=["-c", script])
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert "/" not in answer["command"] and "scores" in answer
    assert [path.name for path in tmp_path.iterdir()] == ["secret.txt"]
