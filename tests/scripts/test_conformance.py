"""The conformance set: purebleu against all of it, the runner with programs that fail, and how the set is made."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .. import helpers
from ..helpers import FIXTURES, SCRIPTS, load_script, needs_checkout, needs_processes, run_cli, write_lines

SET = FIXTURES / "conformance.jsonl"
RUNNER = SCRIPTS / "run_conformance.py"
helpers.skip_in_source_archive(SET)

#: The number of cases of which one is put to purebleu. (The heavy tier takes all.)
PART = 10

LEVELS = ("tokenizers", "bleu", "chrf", "ter", "signatures", "resampling", "significance")

pytestmark = [needs_checkout, needs_processes]

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
    return SET.read_bytes().decode("utf-8").split("\n")[:-1]


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of_set()]


runner: Any = load_script("run_conformance") if RUNNER.is_file() else None


def run(command: list[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code and the output of the runner for a program."""
    quoted = subprocess.list2cmdline(command) if os.name == "nt" else " ".join([f"'{word}'" for word in command])
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = runner.main([quoted, *arguments])
    return code, output.getvalue(), errors.getvalue()


def run_program(folder: Path, text: str, *arguments: str) -> tuple[int, str, str]:
    """The same for a program in Python, on the level of signatures."""
    (folder / "program.py").write_text(PROGRAM + text, encoding="utf-8")
    return run([sys.executable, str(folder / "program.py")], "--level", "signatures", *arguments)


def counts_of(output: str) -> list[int]:
    """The counts of all cases: there are, passed, in part, failed, unsupported."""
    line, = [line for line in output.splitlines() if line.startswith("all ")]
    return [int(count.replace(",", "")) for count in line.split()[1:]]


# The set

def test_the_set_has_its_checksum() -> None:
    digest, name = SET.with_name(SET.name + ".sha256").read_text(encoding="ascii").split()
    assert (digest, name) == (hashlib.sha256(SET.read_bytes()).hexdigest(), SET.name)


def test_the_set_has_all_levels_tokenizers_and_options(cases: list[dict[str, Any]]) -> None:
    assert len({case["id"] for case in cases}) == len(cases) > 4000
    counts = Counter([case["level"] for case in cases])
    assert tuple(counts) == LEVELS and min(counts.values()) > 50
    by_task: dict[str, set[str]] = {}
    for case in cases:
        for name, value in case.get("options", {}).items():
            by_task.setdefault(case["task"], set()).update([name, f"{name}={value}"])
    assert {f"tokenize={name}" for name in ("13a", "intl", "zh", "char", "none", "tercom")} <= by_task["tokens"]
    assert {"tokenize", "lowercase", "max_ngram_order", "effective_order", "force", "smooth_value",
            *[f"smooth_method={name}" for name in ("exp", "none", "floor", "add-k")]} <= by_task["bleu"]
    assert {"char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing"} <= by_task["chrf"]
    assert {"normalized", "no_punct", "asian_support", "case_sensitive"} <= by_task["ter"]


def test_numbers_read_back_exactly_and_texts_are_unicode(cases: list[dict[str, Any]]) -> None:
    assert list(map(load_script("dev/oracles/conformance").line_of, cases)) == lines_of_set()


def test_all_readers_of_lines_find_the_same_lines() -> None:
    # (Python's `splitlines`, and readers in JavaScript, end lines at characters of some texts, too.)
    assert SET.read_bytes().decode("utf-8").splitlines() == lines_of_set()
    assert any("\\u2028" in line for line in lines_of_set()) and any("\\u0085" in line for line in lines_of_set())


# purebleu

@pytest.mark.parametrize("part", [PART, pytest.param(1, marks=pytest.mark.heavy)])
def test_purebleu_passes_a_part_of_the_set(tmp_path: Path, part: int) -> None:
    lines = lines_of_set()[::part]
    write_lines(tmp_path / "part.jsonl", lines)
    code, output, errors = run([sys.executable, str(SCRIPTS / "conformance"), "purebleu"], "--set",
                               str(tmp_path / "part.jsonl"))
    assert (code, errors) == (0, ""), output
    assert tuple([line.split()[0] for line in output.splitlines()]) == ("level", *LEVELS, "all")
    assert counts_of(output) == [len(lines), len(lines), 0, 0, 0]


def test_a_purebleu_with_a_mistake_fails_at_cases_that_tell(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    part = [line for line in lines_of_set() if '"task":"tokens","options":{"tokenize":"13a"}' in line]
    write_lines(tmp_path / "part.jsonl", part)
    code, output, errors = run([sys.executable, str(tmp_path / "wrong.py")], "--show", "1000", "--set",
                               str(tmp_path / "part.jsonl"))
    count, passed, in_part, failed, unsupported = counts_of(output)
    assert (code, errors, in_part, unsupported) == (1, "", 0, 0)
    assert 0 < failed == count - passed < len(part) / 2 and "(as in: without: &quot;)" in output


# Programs

def test_programs_may_read_all_first_and_write_much_and_get_nothing_of_the_answers(tmp_path: Path) -> None:
    # (Pipes hold less than 100 kB, on both sides.)
    for text in ("for line in list(sys.stdin):\n    answer(cases[json.loads(line)['id']])\n",
                 "for line in sys.stdin:\n    answer({**cases[json.loads(line)['id']], 'more': 'x' * 100_000})\n",
                 "for line in sys.stdin:\n    request = json.loads(line)\n"
                 "    assert not {'expected', 'apart', 'tolerance'} & {*request}\n    answer(cases[request['id']])\n"):
        code, _, errors = run_program(tmp_path, text)
        assert code == 0, (text, errors)


def test_wrong_answers_are_counted_and_the_first_are_shown(tmp_path: Path) -> None:
    text = ("for line in sys.stdin:\n    found = cases[json.loads(line)['id']]\n"
            "    is_wrong = found['id'] in ('signatures-0002', 'signatures-0004', 'signatures-0005')\n"
            "    answer({**found, 'name': 'X'} if is_wrong else found)\n")
    code, output, errors = run_program(tmp_path, text, "--show", "2")
    count, passed, *others = counts_of(output)
    assert (code, errors, count - passed, others) == (1, "", 3, [0, 3, 0])
    assert "signatures-0002: name: expected BLEU, found X\n" in output
    assert "signatures-0004: " in output and "signatures-0005: " not in output
    assert output.endswith("\n... and 1 more\n")
    assert run_program(tmp_path, text, "--allow-unsupported")[0] == 1


def test_unsupported_and_partial_answers_are_counted_apart(tmp_path: Path) -> None:
    text = ("for line in sys.stdin:\n    found = cases[json.loads(line)['id']]\n"
            "    number = int(found['id'][-4:])\n"
            "    if number < 3:\n        found = {'id': found['id'], 'unsupported': 'no signatures'}\n"
            "    elif number < 4:\n        del found['short']\n"
            "    answer(found)\n")
    code, output, _ = run_program(tmp_path, text)
    count, passed, *others = counts_of(output)
    assert (code, count - passed, others) == (1, 3, [1, 0, 2])
    assert "unsupported: no signatures (2)" in output
    assert run_program(tmp_path, text, "--allow-unsupported")[0] == 0


def test_a_program_that_gives_no_answers_ends_the_run_with_one_line(tmp_path: Path) -> None:
    wait = "\nsys.stdin.read()"
    for text, message in [
        ("sys.exit(7)", "the program ended with exit code 7 before it answered signatures-0001"),
        ("answer(cases['signatures-0001'])", "the program ended with exit code 0 before it answered signatures-0002"),
        (f"print('hello', flush=True){wait}", "the answer to signatures-0001 is not a JSON object: hello\\n"),
        (f"print('[1]', flush=True){wait}", "the answer to signatures-0001 is not a JSON object: [1]\\n"),
        (f"sys.stdout.buffer.write(b'\\xff\\n')\nsys.stdout.flush(){wait}",
         "the answer to signatures-0001 is not a JSON object: \\ufffd\\n"),
        (f"print('[' * 100_000, flush=True){wait}",
         "the answer to signatures-0001 is not a JSON object: " + "[" * 300 + " ..."),
        (f"answer({{'id': 'other'}}){wait}", "the answer to signatures-0001 has the id other"),
        ("import time\ntime.sleep(60)", "no answer to signatures-0001 within 0.5 seconds"),
    ]:
        limit = ["--limit", "0.5"] if "sleep" in text else []
        assert run_program(tmp_path, text + "\n", *limit) == (2, "", message + "\n")


def test_wrong_usage_and_changed_sets_are_refused(tmp_path: Path) -> None:
    changed = tmp_path / "set.jsonl"
    changed.write_bytes(SET.read_bytes().replace(b"the", b"The", 1))
    changed.with_name("set.jsonl.sha256").write_bytes(SET.with_name(SET.name + ".sha256").read_bytes())
    program = [sys.executable, "-c", "0"]
    for command, arguments, message in [
            (program, ["--level", "meteor"], "unknown level 'meteor'; choose from tokenizers, bleu, "),
            (program, ["--set", "nothing.jsonl"], "cannot read the set nothing.jsonl: "),
            (program, ["--set", str(changed)], f"{changed} does not have the checksum in "),
            (["no-such-program-anywhere"], [], "cannot start ")]:
        code, output, errors = run(command, *arguments)
        assert (code, output, errors.count("\n")) == (2, "", 1)
        assert errors.startswith(message)
    done = run_cli(["x", "--level", "meteor"], start=[str(RUNNER)])
    assert (done.returncode, done.stdout) == (2, b"")


# Verdicts

def test_values_are_compared() -> None:
    same: list[tuple[object, object]] = [
        (1, 1), (1, 1.0), (1.0, 1), (1.0, 1 + 1e-12), (0.0, 0), (0.0, 1e-13), (1e-14, 0.0), ([1, 2.0], [1, 2]),
        ("a", "a"), (None, None)]
    different: list[tuple[object, object]] = [
        (1, 1 + 1e-12), (1.0, 1 + 1e-8), (0.0, 1e-11), (1.0, True), (1, True), (1.0, float("nan")),
        ([1, 2.0], [1]), ([1], 1), ("a", "b"), (1.0, None), (1.0, 10 ** 400), (1.0, float("inf"))]
    assert all(runner.same(*pair, 1e-9, 0.0) for pair in same)
    assert not any(runner.same(*pair, 1e-9, 0.0) for pair in different)


def test_a_tolerance_of_a_case_is_not_for_p_values() -> None:
    case = {"task": "paired_bs", "tolerance": 0.01, "expected": {"p": 0.5, "score": 50.0}}
    assert runner.judged(case, {"p": 0.5, "score": 50.005}, 1e-9) == ("passed", "")
    assert runner.judged(case, {"p": 0.505, "score": 50.0}, 1e-9)[0] == "failed"


def test_signatures_are_compared_without_their_version() -> None:
    for found in ("nrefs:1|case:lc|version:9", "nrefs:1|case:lc|order:2|version:9", "nrefs:1|case:lc"):
        assert runner.same_signature("nrefs:1|case:lc|version:2.6.0", found)
    for wrong in ("case:lc|nrefs:1|version:2.6.0", "nrefs:1|version:2.6.0", "nrefs:1|case:mixed", None):
        assert not runner.same_signature("nrefs:1|case:lc|version:2.6.0", wrong)


# How it is made

def test_every_adapter_is_there() -> None:
    names = {path.name[:-len("_adapter.py")] for path in (SCRIPTS / "conformance").glob("*_adapter.py")}
    done = run_cli(["nothing"], start=[str(SCRIPTS / "conformance")])
    assert done.returncode == 2
    assert {*done.stderr.decode().partition("(one of ")[2].partition(")")[0].split(", ")} == names


@pytest.mark.heavy
@pytest.mark.skipif(not os.environ.get("PUREBLEU_ORACLE"), reason="PUREBLEU_ORACLE names no Python with sacreBLEU")
def test_the_set_is_made_again_byte_for_byte(tmp_path: Path) -> None:
    done = run_cli(["conformance", str(tmp_path / SET.name), "--oracle", os.environ["PUREBLEU_ORACLE"]],
                   start=[str(SCRIPTS / "dev" / "oracles")])
    assert done.returncode == 0, done.stderr
    for name in (SET.name, SET.name + ".sha256"):
        assert (tmp_path / name).read_bytes() == (FIXTURES / name).read_bytes()
