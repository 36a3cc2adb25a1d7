"""Command lines against the oracle's: the same bytes on standard output, and the same exit code."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import purebleu

from ..helpers import FIXTURES, call_cli, read_fixture, run_cli, with_two_decimals

FOLDER = FIXTURES / "cli"
FIXTURE = read_fixture("command_lines.json")


def test_fixture_holds_cases() -> None:
    assert len(FIXTURE["cases"]) >= 100


@pytest.mark.parametrize("run", [call_cli, pytest.param(run_cli, marks=pytest.mark.full)],
                         ids=["in this process", "in one of its own"])
@pytest.mark.parametrize("case", FIXTURE["cases"], ids=lambda case: case["line"])
def test_command_line(case: dict[str, Any], run: Callable[..., Any]) -> None:
    stdin = (FOLDER / case["stdin"]).read_bytes() if case["stdin"] else b""
    done = run(case["arguments"], stdin=stdin, cwd=FOLDER, env=case["environment"])
    program = f"purebleu-{purebleu.__version__}".encode()
    stdout = done.stdout.replace(program, FIXTURE["oracle"].encode())
    found = with_two_decimals(stdout.decode())
    assert (found, done.returncode) == (case["stdout"], case["exit_code"]), done.stderr.decode()
    assert b"Traceback" not in done.stderr
