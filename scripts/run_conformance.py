"""Test a program with the cases of the conformance set, over its standard input and output.

    python3 scripts/run_conformance.py COMMAND [--set FILE] [--level NAME ...] [--limit SECONDS] [--tolerance NUMBER]
                                       [--show N] [--allow-unsupported]

COMMAND starts the program. It is one argument, such as 'python3 scripts/conformance purebleu'. The program reads a case
from each line: a JSON object without the expected values. It answers with a line that is a JSON object with the case's
id. The file tests/fixtures/conformance.md explains the tasks. A table shows, for each level, the number of cases that

- passed: the answer has all expected values, and all are right;
- passed in part: all values in the answer are right, but some are missing, such as the statistics;
- failed: a value is wrong, or the answer is an error;
- are unsupported: the answer is `{"id": ..., "unsupported": "why"}`.

Strings and integers are compared exactly. Floats may differ by a relative 1e-9 (`--tolerance`), by 1e-12, or by the
case's `tolerance`. In signatures, the version is not compared, and neither are fields that sacreBLEU lacks.

Exit codes: 0 if all passed (with `--allow-unsupported`: if at least one passed and none failed), 1 otherwise, 2 for
wrong usage, or if the program dies, hangs or prints a line that is not an answer. Standard library only.
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
#: A verdict, and the reason for it.
Verdict = Tuple[str, str]

SET = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "conformance.jsonl"

PASSED, IN_PART, FAILED, UNSUPPORTED = VERDICTS = ("passed", "in part", "failed", "unsupported")

#: Members of a case that the program does not get.
KEPT_BACK = ("expected", "apart", "tolerance")

#: Floats with a smaller difference are equal, even if the relative difference is large.
NOTHING = 1e-12

#: The maximum number of characters of a value (or of a line of output) in a message.
MAX_SHOWN = 300


class RunError(Exception):
    """The set can't be read, or the program does not start, stops, or gives no valid answer."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
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
    """Return the cases of the levels (if there are none, of all). Raise `RunError` if the set's checksum is wrong."""
    try:
        content = path.read_bytes()
        cases: list[Case] = [json.loads(line) for line in content.decode("utf-8").split("\n")[:-1]]
        known = list(dict.fromkeys([case["level"] for case in cases]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"cannot read the set {path}: {error}") from None
    checksum = path.with_name(path.name + ".sha256")
    if checksum.is_file() and checksum.read_text(encoding="ascii").split()[:1] != [hashlib.sha256(content).hexdigest()]:
        raise RunError(f"{path} does not have the checksum in {checksum.name}: one of the two files was changed")
    for level in levels:
        if level not in known:
            raise RunError(f"unknown level {level!r}; choose from {', '.join(known)}")
    chosen = [case for case in cases if not levels or case["level"] in levels]
    if not chosen:
        raise RunError(f"the set {path} has no cases")
    return chosen


# The program

def run(command: str, cases: Sequence[Case], options: argparse.Namespace) -> list[Verdict]:
    """Return the verdict on each case. Raise `RunError` if the program does not answer it."""
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
    """Yield the program's answers to the cases.

    One thread writes and another thread reads, so a program may read all cases before it answers the first one.
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
        pass  # the program reads no more; `answers` reports that it ended


def read_lines(process: subprocess.Popen[bytes], lines: queue.Queue[bytes]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(b"")


def parsed(line: bytes, case: Case) -> Case:
    """Return the answer to a case. Raise `RunError` if the line is not an answer to it."""
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
    """Return the verdict on an answer."""
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
        return FAILED, f"the answer has no {' and no '.join(expected)}"
    return (IN_PART, f"no {', '.join(missing)}") if missing else (PASSED, "")


def agrees(name: str, expected: Any, found: Any, case: Case, tolerance: float) -> bool:
    if case["task"] == "signature" and name != "name":
        return same_signature(expected, found)
    # (A p-value is a fraction of the trials, so `tolerance` does not apply to it.)
    absolute = 0.0 if name == "p" else case.get("tolerance", 0.0)
    return same(expected, found, tolerance, absolute)


def same(expected: Any, found: Any, relative: float, absolute: float) -> bool:
    """Whether values are equal: floats up to a relative or absolute difference, other values exactly."""
    if isinstance(expected, list):
        return (isinstance(found, list) and len(found) == len(expected)
                and all(same(one, other, relative, absolute) for one, other in zip(expected, found)))
    if isinstance(expected, bool) or not isinstance(expected, (int, float)):
        return bool(found == expected)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return False
    if isinstance(expected, int):
        return found == expected
    if abs(found) > sys.float_info.max:  # (It can be an integer that is too large for a float.)
        return False
    return abs(found - expected) <= max(relative * abs(expected), absolute, NOTHING)


def same_signature(expected: str, found: Any) -> bool:
    """Whether signatures have the same fields in the same order. Versions and further fields are ignored."""
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
    """Return a table with the number of cases by level and verdict."""
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
    """Yield the first failures with their input, and the number of unsupported cases for each reason."""
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
