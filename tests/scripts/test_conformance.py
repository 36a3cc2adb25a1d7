"""The conformance set: purebleu against all of it, the runner with programs that fail, and how the set is made."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .. import PACKAGE
from ..cli.test_cli_faults import environment
from ..helpers import FIXTURES, SCRIPTS, load_script, run_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SET = FIXTURES / "conformance.jsonl"
RUNNER = SCRIPTS / "run_conformance.py"
#: The number of cases of which one is put to purebleu.
PART = 10

LEVELS = ("tokenizers", "bleu", "chrf", "ter", "signatures", "resampling", "significance")

pytestmark = [
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi"), reason="WebAssembly cannot start processes"),
    pytest.mark.skipif(not RUNNER.is_file() or PACKAGE != "purebleu", reason="only the checkout has scripts"),
]

#: The head of programs that answer: `cases` are the right answers by id, which a real program does not know.
PROGRAM = f"""
import json, sys
cases = {{}}
for line in open({str(SET)!r}, encoding="utf-8"):
    case = json.loads(line)
    cases[case["id"]] = {{"id": case["id"], **case["expected"]}}
def answer(found):
    print(json.dumps(found), flush=True)
"""

#: purebleu without one of the rules of 13a.
WRONG = f"""
import sys
sys.path.insert(0, {str(SCRIPTS)!r})
from conformance.purebleu_adapter import answer
from conformance.serving import serve
raise SystemExit(serve(lambda request: answer({{**request, "text": request["text"].replace("&quot;", "&;quot;")}})))
"""


def lines_of_set() -> list[str]:
    """The lines of the set."""
    return SET.read_bytes().decode("utf-8").split("\n")[:-1]


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    """All cases of the set."""
    return [json.loads(line) for line in lines_of_set()]


@pytest.fixture
def runner() -> Any:
    """The runner as a module."""
    return load_script("run_conformance")


def run(command: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """The output of the runner for a program."""
    quoted = subprocess.list2cmdline(command) if os.name == "nt" else " ".join([f"'{word}'" for word in command])
    done = run_python([str(RUNNER), quoted, *arguments], env=environment())
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def run_program(folder: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The output of the runner for a program in Python, on the level of signatures."""
    path = folder / "program.py"
    path.write_text(PROGRAM + text, encoding="utf-8")
    return run([sys.executable, str(path)], "--level", "signatures", *arguments)


# The set


def test_the_set_has_its_checksum_and_its_size() -> None:
    content = SET.read_bytes()
    digest, name = SET.with_name(SET.name + ".sha256").read_text(encoding="ascii").split()
    assert (digest, name) == (hashlib.sha256(content).hexdigest(), SET.name)
    assert 500_000 < len(content) < 2_000_000


def test_the_set_has_all_levels_tokenizers_and_options(cases: list[dict[str, Any]]) -> None:
    assert len({case["id"] for case in cases}) == len(cases) > 4000
    counts = Counter([case["level"] for case in cases])
    assert tuple(counts) == LEVELS and min(counts.values()) > 50
    by_task: dict[str, set[str]] = {}
    for case in cases:
        for name, value in case.get("options", {}).items():
            by_task.setdefault(case["task"], set()).add(f"{name}={value}")
            by_task[case["task"]].add(name)
    assert {f"tokenize={name}" for name in ("13a", "intl", "zh", "char", "none", "tercom")} <= by_task["tokens"]
    assert {"tokenize", "lowercase", "max_ngram_order", "effective_order", "force", "smooth_value",
            *[f"smooth_method={name}" for name in ("exp", "none", "floor", "add-k")]} <= by_task["bleu"]
    assert {"char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing"} <= by_task["chrf"]
    assert {"normalized", "no_punct", "asian_support", "case_sensitive"} <= by_task["ter"]


def test_the_set_has_empty_texts_sentences_and_various_numbers_of_references(cases: list[dict[str, Any]]) -> None:
    for task in ("bleu", "chrf", "ter"):
        task_cases = [case for case in cases if case["task"] == task]
        assert any(case.get("sentence") for case in task_cases)
        assert any(text == "" for case in task_cases for text in case["hypotheses"])
        assert any(text == "" for case in task_cases for several in case["references"] for text in several)
        assert any(len(set(map(len, case["references"]))) > 1 for case in task_cases)
        assert {1, 2, 3} <= {len(several) for case in task_cases for several in case["references"]}


def test_numbers_read_back_exactly_and_texts_are_unicode(cases: list[dict[str, Any]]) -> None:
    assert list(map(load_script("dev/oracles/conformance").line_of, cases)) == lines_of_set()


def test_all_readers_of_lines_find_the_same_lines() -> None:
    # (Python's `splitlines`, and readers in JavaScript, end lines at characters of some texts, too.)
    assert SET.read_bytes().decode("utf-8").splitlines() == lines_of_set()
    assert any("\\u2028" in line for line in lines_of_set()) and any("\\u0085" in line for line in lines_of_set())


def test_each_case_of_the_first_levels_names_a_mistake_that_it_tells_apart(cases: list[dict[str, Any]]) -> None:
    assert all(bool(case.get("apart")) == (case["level"] in LEVELS[:4]) for case in cases)
    assert len({case["apart"] for case in cases if "apart" in case}) > 100


# purebleu


def test_purebleu_passes_a_part_of_the_set(tmp_path: Path) -> None:
    part = lines_of_set()[::PART]
    path = tmp_path / "part.jsonl"
    path.write_bytes("".join([line + "\n" for line in part]).encode("utf-8"))
    done = run([sys.executable, str(SCRIPTS / "conformance"), "purebleu"], "--set", str(path))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    counts = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert tuple(counts) == ("level", *LEVELS, "all")
    assert counts["all"] == [f"{len(part):,}", f"{len(part):,}", "0", "0", "0"]


def test_a_purebleu_with_a_mistake_fails_where_it_tells(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    part = [line for line in lines_of_set() if '"task":"tokens","options":{"tokenize":"13a"}' in line]
    path = tmp_path / "part.jsonl"
    path.write_bytes("".join([line + "\n" for line in part]).encode("utf-8"))
    done = run([sys.executable, str(tmp_path / "wrong.py")], "--set", str(path), "--show", "1000")
    cases, passed, *others = done.stdout.split("\nall ")[1].split("\n")[0].split()
    failed = int(cases) - int(passed)
    assert (done.returncode, done.stderr, others) == (1, "", ["0", str(failed), "0"])
    assert 0 < failed < len(part) / 2 and "(as in: without: &quot;)" in done.stdout


@pytest.mark.heavy
def test_purebleu_passes() -> None:
    done = run([sys.executable, str(SCRIPTS / "conformance"), "purebleu"])
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    total = done.stdout.splitlines()[-1].split()
    assert total[0] == "all" and total[1] == total[2] and total[3:] == ["0", "0", "0"]


# Programs


def test_a_program_may_read_everything_before_it_answers(tmp_path: Path) -> None:
    done = run_program(tmp_path, "for line in list(sys.stdin):\n    answer(cases[json.loads(line)['id']])\n")
    assert done.returncode == 0, done.stderr


def test_large_output_and_input_do_not_block(tmp_path: Path) -> None:
    # (Pipes hold less than this, on both sides.)
    done = run_program(tmp_path, "for line in sys.stdin:\n"
                                 "    answer({**cases[json.loads(line)['id']], 'more': 'x' * 100_000})\n")
    assert done.returncode == 0, done.stderr


def test_what_the_program_gets_lacks_what_is_expected(tmp_path: Path) -> None:
    done = run_program(tmp_path, "for line in sys.stdin:\n    request = json.loads(line)\n"
                                 "    assert not {'expected', 'apart', 'tolerance'} & set(request)\n"
                                 "    answer(cases[request['id']])\n")
    assert done.returncode == 0, done.stderr


def test_wrong_answers_are_counted_and_the_first_are_shown(tmp_path: Path) -> None:
    text = ("for line in sys.stdin:\n    found = cases[json.loads(line)['id']]\n"
            "    is_wrong = found['id'] in ('signatures-0002', 'signatures-0004', 'signatures-0005')\n"
            "    answer({**found, 'name': 'X'} if is_wrong else found)\n")
    done = run_program(tmp_path, text, "--show", "2")
    assert (done.returncode, done.stderr) == (1, "")
    cases, passed, *others = done.stdout.split("\nall ")[1].split("\n")[0].split()
    assert int(cases) - int(passed) == 3 and others == ["0", "3", "0"]
    assert "signatures-0002: name: expected BLEU, found X\n" in done.stdout
    assert "signatures-0004: " in done.stdout and "signatures-0005: " not in done.stdout
    assert done.stdout.endswith("\n... and 1 more\n")
    assert run_program(tmp_path, text, "--allow-unsupported").returncode == 1


def test_unsupported_and_partial_answers_are_counted_apart(tmp_path: Path) -> None:
    text = ("for line in sys.stdin:\n    found = cases[json.loads(line)['id']]\n"
            "    number = int(found['id'][-4:])\n"
            "    if number < 3:\n        found = {'id': found['id'], 'unsupported': 'no signatures'}\n"
            "    elif number < 4:\n        del found['short']\n"
            "    answer(found)\n")
    done = run_program(tmp_path, text)
    assert done.returncode == 1
    cases, passed, *others = done.stdout.split("\nall ")[1].split("\n")[0].split()
    assert int(cases) - int(passed) == 3 and others == ["1", "0", "2"]
    assert "unsupported: no signatures (2)" in done.stdout
    assert run_program(tmp_path, text, "--allow-unsupported").returncode == 0


@pytest.mark.parametrize(("text", "message"), [
    ("sys.exit(7)", "the program ended with exit code 7 before it answered signatures-0001"),
    ("answer(cases['signatures-0001'])", "the program ended with exit code 0 before it answered signatures-0002"),
    ("print('hello', flush=True)\nsys.stdin.read()", "the answer to signatures-0001 is no JSON object: hello\\n"),
    ("print('[1]', flush=True)\nsys.stdin.read()", "the answer to signatures-0001 is no JSON object: [1]\\n"),
    ("sys.stdout.buffer.write(b'\\xff\\n')\nsys.stdout.flush()\nsys.stdin.read()",
     "the answer to signatures-0001 is no JSON object: \\ufffd\\n"),
    ("print('[' * 100_000, flush=True)\nsys.stdin.read()",
     "the answer to signatures-0001 is no JSON object: " + "[" * 300 + " ..."),
    ("answer({'id': 'other'})\nsys.stdin.read()", "the answer to signatures-0001 has the id other"),
    ("import time\ntime.sleep(60)", "no answer to signatures-0001 within 0.5 seconds"),
])
def test_a_program_that_gives_no_answers_ends_the_run_with_one_line(tmp_path: Path, text: str, message: str) -> None:
    limit = ["--limit", "0.5"] if "sleep" in text else []
    done = run_program(tmp_path, text + "\n", *limit)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message + "\n")


@pytest.mark.parametrize(("arguments", "message"), [
    (["--level", "meteor"], "unknown level 'meteor'; there are tokenizers, bleu, "),
    (["--set", "nothing.jsonl"], "cannot read the set nothing.jsonl: "),
])
def test_wrong_usage(arguments: list[str], message: str) -> None:
    done = run([sys.executable, "-c", "0"], *arguments)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1


def test_a_program_that_cannot_be_started() -> None:
    done = run(["no-such-program-anywhere"])
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("cannot start ")


def test_a_set_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(SET.read_bytes().replace(b"the", b"The", 1))
    path.with_name("set.jsonl.sha256").write_bytes(SET.with_name(SET.name + ".sha256").read_bytes())
    done = run([sys.executable, "-c", "0"], "--set", str(path))
    assert done.returncode == 2 and "another checksum" in done.stderr


# Verdicts


@pytest.mark.parametrize(("expected", "found", "is_same"), [
    (1, 1, True), (1, 1.0, True), (1, 1 + 1e-12, False), (1.0, 1, True), (1.0, 1 + 1e-12, True), (1.0, 1 + 1e-8, False),
    (0.0, 0, True), (0.0, 1e-13, True), (0.0, 1e-11, False), (1e-14, 0.0, True),
    (1.0, True, False), (1, True, False), (1.0, float("nan"), False),
    ([1, 2.0], [1, 2], True), ([1, 2.0], [1], False), ([1], 1, False), ("a", "a", True), ("a", "b", False),
    (None, None, True), (1.0, None, False), (1.0, 10 ** 400, False), (1.0, float("inf"), False),
])
def test_values_are_compared(runner: Any, expected: object, found: object, is_same: bool) -> None:
    assert runner.same(expected, found, 1e-9, 0.0) is is_same


def test_a_tolerance_of_a_case_is_not_for_p_values(runner: Any) -> None:
    case = {"task": "paired_bs", "tolerance": 0.01, "expected": {"p": 0.5, "score": 50.0}}
    assert runner.judged(case, {"p": 0.5, "score": 50.005}, 1e-9) == ("passed", "")
    assert runner.judged(case, {"p": 0.505, "score": 50.0}, 1e-9)[0] == "failed"


@pytest.mark.parametrize(("found", "is_same"), [
    ("nrefs:1|case:lc|version:9", True), ("nrefs:1|case:lc|order:2|version:9", True), ("nrefs:1|case:lc", True),
    ("case:lc|nrefs:1|version:2.6.0", False), ("nrefs:1|version:2.6.0", False), ("nrefs:1|case:mixed", False),
    (None, False),
])
def test_signatures_are_compared_without_their_version(runner: Any, found: object, is_same: bool) -> None:
    assert runner.same_signature("nrefs:1|case:lc|version:2.6.0", found) is is_same


# How it is made


def test_every_adapter_is_there() -> None:
    names = {path.name[:-len("_adapter.py")] for path in (SCRIPTS / "conformance").glob("*_adapter.py")}
    done = run_python([str(SCRIPTS / "conformance"), "nothing"], env=environment())
    assert done.returncode == 2
    listed = done.stderr.decode().partition("(one of ")[2].partition(")")[0]
    assert set(listed.split(", ")) == names


@pytest.mark.heavy
@pytest.mark.skipif(not os.environ.get("PUREBLEU_ORACLE"), reason="PUREBLEU_ORACLE names no Python with sacreBLEU")
def test_the_set_is_made_again_byte_for_byte(tmp_path: Path) -> None:
    done = run_python([str(SCRIPTS / "dev" / "oracles"), "conformance", str(tmp_path / SET.name), "--oracle",
                       os.environ["PUREBLEU_ORACLE"]], env=environment())
    assert done.returncode == 0, done.stderr
    for name in (SET.name, SET.name + ".sha256"):
        assert (tmp_path / name).read_bytes() == (FIXTURES / name).read_bytes()
