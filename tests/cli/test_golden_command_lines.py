"""Command lines against the oracle's: the same bytes on standard output, and the same exit code."""

from __future__ import annotations

from typing import Any, Callable

import pytest

from ..helpers import FIXTURES, call_cli, program, read_fixture, run_cli, with_two_decimals

FOLDER = FIXTURES / "cli"
FIXTURE = read_fixture("command_lines.json")
CASES = {case["line"]: case for case in FIXTURE["cases"]}

#: Of the lines in processes of their own, the full tier runs a part.
IN_PROCESSES = [pytest.param(run_cli, line, marks=pytest.mark.heavy if number % 6 else pytest.mark.full)
                for number, line in enumerate(CASES)]


@pytest.mark.parametrize(("run", "line"), [*[(call_cli, line) for line in CASES], *IN_PROCESSES])
def test_command_line(run: Callable[..., Any], line: str) -> None:
    case = CASES[line]
    stdin = (FOLDER / case["stdin"]).read_bytes() if case["stdin"] else b""
    done = run(case["arguments"], stdin=stdin, cwd=FOLDER, env=case["environment"])
    stdout = done.stdout.replace(program().encode(), FIXTURE["oracle"].encode())
    found = with_two_decimals(stdout.decode())
    assert (found, done.returncode) == (case["stdout"], case["exit_code"]), done.stderr.decode()
    assert b"Traceback" not in done.stderr
