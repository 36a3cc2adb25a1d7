"""Put small faults into the package, one at a time, and see which of them no test notices.

    python3 scripts/mutate.py --map FILE                  # one run of the suite: which tests reach which lines
    python3 scripts/mutate.py --map FILE TEST_FILE ...    # only the part of the map that is of these test files
    python3 scripts/mutate.py --map FILE --sample 600 --seed 1 --report REPORT [--under purebleu/engines ...]
    python3 scripts/mutate.py --map FILE --again REPORT --report OTHER    # those that have survived in a report

Each mutant is one edit of a module (`mutants/edits.py`) in a temporary copy of the project. The tests that reach its
lines run on it, fastest first, until one fails (killed), the limit is over (timed out) or none has failed (survived).
Mutants in `mutants/equivalent.txt` are not run: each has a reason there why no test can tell it from the package.
A report has one line of JSON for each mutant. Exit code: 0 if none survived, 1 if any did, 2 after an error.

Standard library and, for the tests, pytest: run it with a Python that has that, such as those in `.venv/`; on 3.12 or
later, the map takes little longer than the suite itself.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Sequence

from mutants.copies import Copy, Run
from mutants.edits import Key, Mutant, mutants_of
from mutants.reach import Reach, make_reach, read_reach
from mutants.reasons import read_reasons

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "purebleu"
EQUIVALENT = ROOT / "scripts" / "mutants" / "equivalent.txt"

#: Folders of the package that are sampled from, unless `--under` names others.
UNDER = tuple(f"{PACKAGE}/{name}" for name in ("metrics", "engines", "significance", "tokenizers", "rows", "files",
                                               "datasets", "cli"))

#: Numbers of tests in the first runs on a mutant: most are killed by one of the fastest, and tests take time to import.
FIRST_RUNS = (8, 60)

#: A run of tests may take this many times as long as the tests took for the map, after what pytest needs to start.
PATIENCE = 4
START = 15.0

OUTCOMES = ("killed", "timed out", "survived", "equivalent")


class Result(NamedTuple):
    """The outcome of a mutant, one of `OUTCOMES`, and its reason."""

    key: Key
    line: int
    outcome: str
    why: str
    seconds: float

    def as_json(self) -> str:
        fields = {**self.key._asdict(), "line": self.line, "outcome": self.outcome, "why": self.why,
                  "seconds": round(self.seconds, 1)}
        return json.dumps(fields, ensure_ascii=False)


class Limits(NamedTuple):
    """Limits for each mutant: seconds for a run of tests, and how many tests."""

    seconds: float
    tests: int


def mutants_under(project: Path, folders: Sequence[str]) -> list[Mutant]:
    """All mutants of the modules in these folders of a project (or of single modules), in order."""
    modules: set[Path] = set()
    for folder in folders:
        path = project / folder
        found = [path] if path.suffix == ".py" and path.is_file() else sorted(path.rglob("*.py"))
        if not found:
            raise ValueError(f"there is no Python file in {folder!r} (paths start at {project})")
        modules.update(found)
    return [mutant for module in sorted(modules)
            for mutant in mutants_of(module.relative_to(project).as_posix(), module.read_bytes())]


def sampled(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """A random sample of mutants, the same for the same seed; its beginning is a random sample, too."""
    return random.Random(seed).sample(mutants, min(count, len(mutants)))


def survivors_in(report: Path, mutants: Sequence[Mutant]) -> list[Mutant]:
    """The mutants that survived in a report, as far as the source still has their lines."""
    try:
        results: list[dict[str, Any]] = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
        keys = {Key(*[result[field] for field in Key._fields]) for result in results if result["outcome"] == "survived"}
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{report} is no report of this script") from error
    return [mutant for mutant in mutants if mutant.key in keys]


def test_runs(tests: Sequence[str]) -> Iterator[Sequence[str]]:
    """Tests in the order of their runs: a few, more, then all that are left."""
    start = 0
    for count in (*FIRST_RUNS, len(tests)):
        if start < len(tests):
            yield tests[start : start + count]
        start += count


def affordable(tests: Sequence[str], reach: Reach, limits: Limits) -> list[str]:
    """The first ones of these tests that are no more, and take no longer, than the limits allow."""
    chosen, seconds = [], 0.0
    for test in tests[: limits.tests]:
        seconds += reach.seconds[test]
        if START + PATIENCE * seconds > limits.seconds:
            break
        chosen.append(test)
    return chosen


def try_mutant(mutant: Mutant, copy: Copy, reach: Reach, limits: Limits) -> Result:
    """Run the tests that reach a mutant, until one of them fails."""
    began = time.monotonic()
    tests = affordable(reach.tests_of(mutant), reach, limits)

    def result(outcome: str, why: str) -> Result:
        return Result(mutant.key, mutant.line, outcome, why, time.monotonic() - began)

    for chosen in test_runs(tests):
        limit = START + PATIENCE * sum(reach.seconds[test] for test in chosen)
        run = copy.run_with(mutant, chosen, limit)
        if run.exit_code is None:
            return result("timed out", f"after {limit:.0f} s")
        if run.exit_code not in (0, 5):  # 5: no such test, where the names of parameters depend on the package
            return result("killed", failure(run))
    return result("survived", f"passed: {len(tests)} of the {len(reach.tests_of(mutant))} tests that reach it")


def failure(run: Run) -> str:
    """The test that failed, or the last line of output of a run that ended otherwise."""
    failed = [outcome.test for outcome in run.outcomes if not outcome.passed]
    return failed[-1] if failed else last_line(run.output) or f"exit code {run.exit_code}"


def last_line(output: str) -> str:
    """The last line of an output that is not empty; "" without one."""
    return (output.strip().splitlines() or [""])[-1]


def try_all(mutants: Sequence[Mutant], reach: Reach, limits: Limits, project: Path,
               equivalent: Path) -> Iterator[Result]:
    """Try each mutant; those with a written reason are not run."""
    reasons = read_reasons(equivalent)
    for path in sorted({mutant.key.path for mutant in mutants}):
        if not reach.is_of(path, (project / path).read_bytes()):
            raise ValueError(f"{path} has changed since the map was made; make it again")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Copy(project, PACKAGE, Path(folder))
        for mutant in mutants:
            if mutant.key in reasons:
                yield Result(mutant.key, mutant.line, "equivalent", reasons[mutant.key], 0.0)
            else:
                yield try_mutant(mutant, copy, reach, limits)


def print_summary(results: Sequence[Result]) -> None:
    """Print the survivors, and how many mutants there are of each outcome."""
    for result in results:
        if result.outcome == "survived":
            print(f"survived ({result.why}), line {result.line}:\n{result.key}")
    counts = Counter(result.outcome for result in results)
    print(", ".join(f"{outcome}: {counts[outcome]}" for outcome in OUTCOMES), end="")
    noticed, tried = counts["killed"] + counts["timed out"], len(results) - counts["equivalent"]
    print(f"; noticed: {noticed} of {tried}" + (f" ({100 * noticed / tried:.1f} %)" if tried else ""))


def make_map(path: Path, arguments: Sequence[str], project: Path) -> int:
    """Make the map, or renew the part of it that is of some test files."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Copy(project, PACKAGE, Path(folder))
        spread = ["-n", str(os.cpu_count() or 1)] if importlib.util.find_spec("xdist") else []
        reach, failed, output = make_reach(copy, [*spread, *arguments])
    if not reach.seconds:
        raise ValueError(f"no test passed, so there is nothing to map; pytest's last line: {last_line(output)!r}")
    if arguments and path.exists():
        reach = read_reach(path).renewed(reach)
    reach.write(path)
    print(f"{len(reach.seconds)} tests reach {sum(map(len, reach.lines.values()))} lines; "
          f"left out, because they failed or were skipped: {len(failed)}")
    return 0


def try_mutants(args: argparse.Namespace, project: Path, equivalent: Path) -> int:
    """Try a sample of mutants, or those that have survived before, and write the report."""
    reach = read_reach(args.map)
    mutants = mutants_under(project, args.under)
    chosen = survivors_in(args.again, mutants) if args.again else sampled(mutants, args.sample, args.seed)
    print(f"{len(chosen)} of {len(mutants)} mutants", flush=True)
    results: list[Result] = []
    with open(args.report, "w", encoding="utf-8") as report:
        try:
            for result in try_all(chosen, reach, Limits(args.limit, args.tests), project, equivalent):
                results.append(result)
                print(result.as_json(), file=report, flush=True)
        except KeyboardInterrupt:
            print("interrupted; these are the first ones of the sample:")
    print_summary(results)
    return int(any(result.outcome == "survived" for result in results))


def main(argv: Sequence[str] | None = None, project: Path = ROOT, equivalent: Path = EQUIVALENT) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", type=Path, metavar="FILE", required=True, help="the map from lines to tests")
    parser.add_argument("--sample", type=int, metavar="N", help="try N random mutants")
    parser.add_argument("--seed", type=int, metavar="S", default=1, help="seed of the sample (1)")
    parser.add_argument("--again", type=Path, metavar="REPORT", help="try those that have survived in this report")
    parser.add_argument("--under", nargs="+", metavar="DIR", default=UNDER,
                        help="folders or modules to take mutants from")
    parser.add_argument("--report", type=Path, metavar="FILE", help="where the results are written")
    parser.add_argument("--limit", type=float, metavar="SECONDS", default=120.0, help="longest run on a mutant (120)")
    parser.add_argument("--tests", type=int, metavar="N", default=2000, help="most tests to run on a mutant (2000)")
    parser.add_argument("test_files", nargs="*", metavar="TEST_FILE", help="renew the map for these alone")
    args = parser.parse_args(argv)
    is_trial = args.sample is not None or args.again is not None
    if is_trial != (args.report is not None) or (args.sample is not None and args.again is not None):
        parser.error("--report goes with --sample or with --again")
    if is_trial and args.test_files:
        parser.error("test files are for making the map")
    if min(1 if args.sample is None else args.sample, args.limit, args.tests) <= 0:
        parser.error("--sample, --limit and --tests must be more than 0")
    try:
        if importlib.util.find_spec("pytest") is None:
            raise ValueError(f"{sys.executable} has no pytest; those in .venv/, which scripts/test.py makes, have it")
        return try_mutants(args, project, equivalent) if is_trial else make_map(args.map, args.test_files, project)
    except (OSError, ValueError) as error:
        print(f"mutate.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
