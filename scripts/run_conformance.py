"""Hold a program to the conformance set, over its standard input and output.

    python3 scripts/run_conformance.py COMMAND [--set FILE] [--level NAME ...] [--limit SECONDS] [--tolerance NUMBER]
                                       [--show N] [--allow-unsupported]

COMMAND starts the program, as one argument, such as 'python3 scripts/conformance purebleu'. It gets a case on each
line, as a JSON object without what is expected, and answers each with a line: a JSON object with the case's id. The
file tests/fixtures/conformance.md has the tasks. A table tells, for each level, how many cases

- passed: the answer has all that is expected, and all of it is right;
- passed in part: what it has is right, but something is missing, such as the statistics;
- failed: something is wrong, or the answer tells an error;
- are unsupported: the answer is `{"id": ..., "unsupported": "why"}`.

Words, strings and integers are compared exactly; other numbers may differ by a relative 1e-9 (`--tolerance`), by 1e-12,
or by as much as the case's `tolerance` says. The version in signatures does not count, and neither do fields that
sacreBLEU lacks.

Exit codes: 0 all passed (with `--allow-unsupported`: none failed, and one passed at least), 1 the others, 2 wrong
usage, or a program that dies, hangs or prints something else than answers. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import queue
import shlex
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, Sequence, Tuple

Case = Dict[str, Any]
#: A verdict, and what is to be said of it.
Verdict = Tuple[str, str]

SET = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "conformance.jsonl"

PASSED, IN_PART, FAILED, UNSUPPORTED = VERDICTS = ("passed", "in part", "failed", "unsupported")

#: Members of a case that are for readers and for this script, not for the program.
KEPT_BACK = ("expected", "apart", "tolerance")

#: Scores that differ by less are the same, however small they are.
NOTHING = 1e-12

#: The longest piece of a program's output, or of a value, that is shown.
MAX_SHOWN = 300


class RunError(Exception):
    """A set or a program that is not there; a program that stopped, or that gave no answer."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for; returns the exit code."""
    options = parse_options(argv)
    try:
        cases = read_cases(options.set, options.level)
        verdicts = run(options.command, cases, options)
    except RunError as error:
        print(error, file=sys.stderr)
        return 2
    print(table(cases, verdicts))
    for line in lines_of_failures(cases, verdicts, options.show):
        print(line)
    counts = Counter([verdict for verdict, _ in verdicts])
    if options.allow_unsupported:
        return 0 if counts[PASSED] + counts[IN_PART] and not counts[FAILED] else 1
    return 0 if counts[PASSED] == len(cases) else 1


def parse_options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Test a program with the cases of the conformance set.")
    parser.add_argument("command", metavar="COMMAND", help="how the program is started, as one argument")
    parser.add_argument("--set", type=Path, default=SET, metavar="FILE", help="the set (default: the project's)")
    parser.add_argument("--level", nargs="+", default=[], metavar="NAME", help="levels to run (default: all)")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS",
                        help="the longest time between two answers (default: 60)")
    parser.add_argument("--tolerance", type=float, default=1e-9, metavar="NUMBER",
                        help="the largest relative difference of scores (default: 1e-9)")
    parser.add_argument("--show", type=int, default=5, metavar="N", help="failures to show (default: 5)")
    parser.add_argument("--allow-unsupported", action="store_true",
                        help="exit code 0 if no case fails, even if some are unsupported or passed in part")
    return parser.parse_args(argv)


def read_cases(path: Path, levels: Sequence[str]) -> list[Case]:
    """The cases of these levels (of all of them, where none is named), once the set has the checksum beside it."""
    try:
        content = path.read_bytes()
        cases: list[Case] = [json.loads(line) for line in content.decode("utf-8").split("\n")[:-1]]
        known = list(dict.fromkeys([case["level"] for case in cases]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"cannot read the set {path}: {error}") from None
    checksum = path.with_name(path.name + ".sha256")
    if checksum.is_file() and checksum.read_text(encoding="ascii").split()[:1] != [hashlib.sha256(content).hexdigest()]:
        raise RunError(f"{path} has another checksum than {checksum.name} says")
    for level in levels:
        if level not in known:
            raise RunError(f"unknown level {level!r}; choose from {', '.join(known)}")
    chosen = [case for case in cases if not levels or case["level"] in levels]
    if not chosen:
        raise RunError(f"the set {path} has no cases")
    return chosen


# The program

def run(command: str, cases: Sequence[Case], options: argparse.Namespace) -> list[Verdict]:
    """The verdict on each case, after the program has answered it; raises `RunError` if it does not."""
    arguments: Any = command if os.name == "nt" else shlex.split(command)
    try:
        process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except (OSError, ValueError, IndexError) as error:
        raise RunError(f"cannot start {command!r}: {error}") from None
    try:
        return [judged(case, found, options.tolerance)
                for case, found in zip(cases, answers(process, cases, options.limit))]
    finally:
        process.kill()
        process.wait()


def answers(process: subprocess.Popen[bytes], cases: Sequence[Case], limit: float) -> Iterator[Case]:
    """The answers of the program to the cases, until it ends.

    A thread writes and another one reads, so that a program may also read everything before it answers.
    """
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=write_requests, args=(process, cases), daemon=True).start()
    threading.Thread(target=read_lines, args=(process, lines), daemon=True).start()
    for case in cases:
        try:
            line = lines.get(timeout=limit)
        except queue.Empty:
            raise RunError(f"no answer to {case['id']} within {limit:g} seconds") from None
        if not line:
            code = process.wait()
            raise RunError(f"the program ended with exit code {code} before it answered {case['id']}")
        yield parsed(line, case)


def write_requests(process: subprocess.Popen[bytes], cases: Sequence[Case]) -> None:
    assert process.stdin is not None
    try:
        for case in cases:
            request = {name: value for name, value in case.items() if name not in KEPT_BACK}
            process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            process.stdin.flush()
        process.stdin.close()
    except OSError:
        pass  # the program reads no more; its answers tell why


def read_lines(process: subprocess.Popen[bytes], lines: queue.Queue[bytes]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(b"")


def parsed(line: bytes, case: Case) -> Case:
    """The answer to a case."""
    try:
        found = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RunError(f"the answer to {case['id']} is not a JSON object: {shown(line.decode('utf-8', 'replace'))}")
    if found.get("id") != case["id"]:
        raise RunError(f"the answer to {case['id']} has the id {shown(found.get('id'))}")
    return found


# Verdicts

def judged(case: Case, found: Case, tolerance: float) -> Verdict:
    """The verdict on an answer."""
    if "unsupported" in found:
        return UNSUPPORTED, str(found["unsupported"])
    if "error" in found:
        return FAILED, f"error {shown(found['error'])}"
    expected = case["expected"]
    for name in expected:
        if name in found and not agrees(name, expected[name], found[name], case, tolerance):
            return FAILED, f"{name}: expected {shown(expected[name])}, found {shown(found[name])}"
    missing = [name for name in expected if name not in found]
    if len(missing) == len(expected):
        return FAILED, f"none of {', '.join(expected)} is there"
    return (IN_PART, f"no {', '.join(missing)}") if missing else (PASSED, "")


def agrees(name: str, expected: Any, found: Any, case: Case, tolerance: float) -> bool:
    if case["task"] == "signature" and name != "name":
        return same_signature(expected, found)
    # (A p-value is a count of trials.)
    absolute = 0.0 if name == "p" else case.get("tolerance", 0.0)
    return same(expected, found, tolerance, absolute)


def same(expected: Any, found: Any, relative: float, absolute: float) -> bool:
    """Whether values are equal: floats up to a difference, all others exactly."""
    if isinstance(expected, list):
        return (isinstance(found, list) and len(found) == len(expected)
                and all(same(one, other, relative, absolute) for one, other in zip(expected, found)))
    if isinstance(expected, bool) or not isinstance(expected, (int, float)):
        return bool(found == expected)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return False
    if isinstance(expected, int):
        return found == expected
    if abs(found) > sys.float_info.max:  # an integer, perhaps, that no float can hold
        return False
    return abs(found - expected) <= max(relative * abs(expected), absolute, NOTHING)


def same_signature(expected: str, found: Any) -> bool:
    """Whether signatures have the same fields in the same order, but for the version and for further fields."""
    if not isinstance(found, str):
        return False
    ours, theirs = [[field.partition(":") for field in text.split("|")] for text in (expected, found)]
    names = [name for name, _, _ in ours if name not in ("version", "v")]
    return ([field for field in ours if field[0] in names] == [field for field in theirs if field[0] in names])


def shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = ascii(text)[1:-1] if isinstance(value, str) else text
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + " ..."


# The output

def table(cases: Sequence[Case], verdicts: Sequence[Verdict]) -> str:
    """The numbers of cases by level and verdict."""
    counts: dict[str, Counter[str]] = {}
    for case, (verdict, _) in zip(cases, verdicts):
        counts.setdefault(case["level"], Counter())[verdict] += 1
    rows: list[tuple[str, ...]] = [("level", "cases", *VERDICTS)]
    for level, level_counts in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        rows.append((level, *[f"{number:,}" for number in (
            sum(level_counts.values()), *[level_counts[verdict] for verdict in VERDICTS])]))
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(["  ".join([row[0].ljust(widths[0]), *[cell.rjust(width) for cell, width in zip(
        row[1:], widths[1:])]]) for row in rows])


def lines_of_failures(cases: Sequence[Case], verdicts: Sequence[Verdict], count: int) -> Iterator[str]:
    """The first failures, with what they are about; and how many cases are unsupported for which reason."""
    failures = [(case, text) for case, (verdict, text) in zip(cases, verdicts) if verdict == FAILED]
    for case, text in failures[:count]:
        names = [name for name in ("options", "text", "hypotheses", "references") if name in case]
        told = [f"{name} {shown(case[name])}" for name in names]
        apart = f" (as in: {case['apart']})" if "apart" in case else ""
        yield f"\n{case['id']}{apart}: {text}\n    {', '.join(told)}"
    if len(failures) > count > 0:
        yield f"\n... and {len(failures) - count:,} more"
    reasons = Counter([text for verdict, text in verdicts if verdict == UNSUPPORTED])
    if reasons:
        yield "\nunsupported: " + "; ".join([f"{reason} ({number:,})" for reason, number in reasons.most_common()])


if __name__ == "__main__":
    raise SystemExit(main())
