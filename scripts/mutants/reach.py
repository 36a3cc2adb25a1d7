"""The map from lines of the package to the tests that reach them, from one run of the suite."""

from __future__ import annotations

import hashlib
import json
import platform
from collections import defaultdict
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from .copies import Copy, Outcome
from .edits import Mutant


class Reach:
    """The tests that reach each line, and the time of each test. Only tests that passed in that run count."""

    def __init__(self, seconds: Mapping[str, float], lines: Mapping[str, Mapping[int, Iterable[str]]],
                 digests: Mapping[str, str]) -> None:
        self.seconds = dict(seconds)
        self.lines = {path: {line: set(tests) for line, tests in by_line.items()} for path, by_line in lines.items()}
        #: Of the modules as they were: the numbers of lines are theirs.
        self.digests = dict(digests)

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that reach a mutant's lines, fastest first.

        Lines that run at import are reached by all tests that run anything of the module, since only the first of them
        has imported it.
        """
        lines = self.lines.get(mutant.key.path, {})
        first, last = mutant.lines
        chosen = lines.values() if mutant.at_import else [lines.get(line, set()) for line in range(first, last + 1)]
        tests = set().union(*chosen) & self.seconds.keys()
        return sorted(tests, key=lambda test: (self.seconds[test], test))

    def is_of(self, path: str, source: bytes) -> bool:
        """Whether a module is as it was when the map was made."""
        return self.digests.get(path) == digest(source)

    def renewed(self, newer: Reach) -> Reach:
        """This map, with the test files of a newer map replaced by what that says."""
        files = {test.partition("::")[0] for test in newer.seconds}
        kept = {test: seconds for test, seconds in self.seconds.items() if test.partition("::")[0] not in files}
        lines: dict[str, dict[int, set[str]]] = {path: dict(by_line) for path, by_line in newer.lines.items()}
        for path, by_line in self.lines.items():
            if newer.digests.get(path) == self.digests[path]:
                for line, tests in by_line.items():
                    lines.setdefault(path, {}).setdefault(line, set()).update(tests & kept.keys())
        return Reach({**kept, **newer.seconds}, lines, newer.digests)

    def write(self, path: Path) -> None:
        """Write the map as JSON; tests stand in it as numbers."""
        number = {test: index for index, test in enumerate(self.seconds)}
        lines = {path: {line: sorted(number[test] for test in tests if test in number)
                        for line, tests in sorted(by_line.items())} for path, by_line in sorted(self.lines.items())}
        content = {"python": platform.python_version(), "digests": self.digests, "tests": self.seconds, "lines": lines}
        path.write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")


def read_reach(path: Path) -> Reach:
    """The map in a file; `ValueError` where that is none."""
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        tests = list(content["tests"])
        lines = {path: {int(line): [tests[index] for index in indices] for line, indices in by_line.items()}
                 for path, by_line in content["lines"].items()}
        return Reach(content["tests"], lines, content["digests"])
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise ValueError(f"{path} is no map of this script; --map FILE alone makes one") from error


def make_reach(copy: Copy, arguments: Sequence[str]) -> tuple[Reach, list[Outcome], str]:
    """The map from a run of pytest with these arguments on a copy; the tests that did not pass, and its output."""
    copy.write_down_lines()
    _, outcomes, output = copy.run(arguments)
    lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for file in copy.lines.iterdir():
        test = ""
        for record in file.read_text(encoding="utf-8").split("\n"):
            path, separator, rest = record.partition("\t")
            if separator and not path:
                test = rest
            elif test and rest.isdigit():  # (some tests have files that may grow no further: half a record)
                lines[f"{copy.package}/{path}".replace("\\", "/")][int(rest)].add(test)
    modules = (copy.project / copy.package).rglob("*.py")
    digests = {module.relative_to(copy.project).as_posix(): digest(module.read_bytes()) for module in modules}
    seconds = {outcome.test: round(outcome.seconds, 4) for outcome in outcomes if outcome.passed}
    return Reach(seconds, lines, digests), [outcome for outcome in outcomes if not outcome.passed], output


def digest(source: bytes) -> str:
    """The SHA-256 sum of a module."""
    return hashlib.sha256(source).hexdigest()
