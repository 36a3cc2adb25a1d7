"""`scripts/mutate.py`: which faults it finds in a module, and what it says of them, on a toy project."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path

import pytest

from .. import PACKAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"

pytestmark = [
    pytest.mark.skipif(not (SCRIPTS / "mutate.py").is_file() or PACKAGE != "purebleu",
                       reason="only the checkout has scripts"),
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi", "win32"), reason="for systems with POSIX's processes"),
]

#: Lines, and the edits of each.
CHANGED = {
    "x = a < b": ["< -> <=", "< -> >="],
    "x = a == b != c": ["== -> !=", "!= -> =="],
    "x = a is  not b": ["is not -> is"],
    "x = (a) not in (b)": ["not in -> in"],
    "x = a ** b // c": ["** -> *", "// -> /"],
    "x = (a -  # no - but\n     b)": ["- -> +"],
    "x += 1": ["+ -> -", "1 -> 2"],
    "x = -y": ["- -> nothing"],
    "x = True": ["True -> False"],
    "x = 0.5": ["0.5 -> 1.5"],
    "x = 0xFF": ["0xFF -> 256"],
    "x = a and b or c": ["and -> or", "or -> and"],
    "if a: pass": ["condition negated"],
    "if not a: pass": ["not -> nothing"],
    "while a < b: pass": ["< -> <=", "< -> >="],
    "x = y if a else z": ["condition negated"],
    "x = [y for y in z if y]": ["condition negated"],
    "def f(x: int = 1) -> 2: pass": ["1 -> 2"],
}

#: Lines without a mutant.
KEPT = (
    '"""Text: 1 < 2."""',
    "x: Literal[1]",
    "def f(x: Literal[1], *y: Literal[2]) -> Literal[3]: pass",
    "TYPE_CHECKING = False",
    "if TYPE_CHECKING: x = 1",
    "__all__ = ['a', *[1]]",
    "x = 'a' + b",
    "x = 'a %d' % b",
    "x = f'{1 + 1}'",
    "raise ValueError(1 + 1)",
    "x = None",
)

TOY = '''
"""A toy, whose text is no mutant: 1 < 2 — é."""


def larger(one: int, other: int) -> int:
    return one if one > other else other


def opposite(number: int) -> int:
    """Reached in a process alone."""
    return -number


def forgotten(number: int) -> int:
    return number - 1
'''

TOY_TESTS = '''
import subprocess
import sys

from purebleu.toy import larger


def test_larger():
    assert (larger(1, 2), larger(2, 1), larger(1, 1)) == (2, 2, 1)


def test_opposite():
    code = "from purebleu.toy import opposite; raise SystemExit(opposite(2) != -2)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
'''

EQUIVALENT = """
# A comment.

purebleu/toy.py larger
    return one if one > other else other
    > -> >=
Of two equal numbers,
either is the larger one.
"""


@pytest.fixture
def mutate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    pytest.importorskip("venv")
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import mutate as module

    return module


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a module and two tests, and a file of reasons beside it."""
    for name, text in {"purebleu/__init__.py": "", "purebleu/toy.py": TOY, "tests/test_toy.py": TOY_TESTS}.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "equivalent.txt").write_text(EQUIVALENT, encoding="utf-8")
    return tmp_path / "project"


@pytest.fixture
def run(mutate: ModuleType, project: Path) -> Callable[..., int]:
    """Runs the script on the toy project: arguments to exit code. Files are those beside the project."""
    def run_script(*arguments: str) -> int:
        arguments = tuple(str(project.parent / argument) if argument.endswith(("json", "jsonl")) else argument
                          for argument in arguments)
        exit_code: int = mutate.main(["--map", *arguments], project, project.parent / "equivalent.txt")
        return exit_code

    return run_script


def report(path: Path) -> dict[str, str]:
    """The outcomes in a report, by function and edit."""
    results: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {f"{result['scope']}: {result['edit']}": result["outcome"] for result in results}


@pytest.mark.parametrize("line", CHANGED)
def test_edits_of_a_line(mutate: ModuleType, line: str) -> None:
    assert [mutant.key.edit for mutant in mutate.mutants_of("m.py", line.encode())] == CHANGED[line]


@pytest.mark.parametrize("line", KEPT)
def test_lines_without_a_mutant(mutate: ModuleType, line: str) -> None:
    assert mutate.mutants_of("m.py", line.encode()) == []


def test_text_around_a_mutant_stays_as_it_is(mutate: ModuleType) -> None:
    source = TOY.replace("\n", "\r\n").encode()
    mutants = mutate.mutants_of("m.py", source)
    new = [mutant.applied(source) for mutant in mutants]
    assert len(set(new)) == len(new) == 5
    assert source.replace(b"one > other", b"one >= other") in new
    assert source.replace(b"number - 1", b"number + 1") in new
    for mutant, text in zip(mutants, new):
        assert text.startswith(source[: mutant.start]) and text.endswith(source[mutant.end :])
        compile(text, "m.py", "exec")


def test_keys_do_not_depend_on_line_numbers(mutate: ModuleType) -> None:
    keys = [mutant.key for mutant in mutate.mutants_of("m.py", TOY.encode())]
    assert [mutant.key for mutant in mutate.mutants_of("m.py", b"\nimport os\n" + TOY.encode())] == keys
    twice = mutate.mutants_of("m.py", b"def f():\n    x = 1 + 1\n    x = 1 + 1\n")
    assert [mutant.key.edit for mutant in twice][-2:] == ["+ -> - (2)", "1 -> 2 (4)"]
    assert {mutant.key.scope for mutant in twice} == {"f"}


def test_code_that_runs_at_import_is_told_apart(mutate: ModuleType) -> None:
    source = textwrap.dedent("""
        class C:
            a = 1
            def f(self, b=2):
                return 3
        d = lambda: 4
    """)
    mutants = mutate.mutants_of("m.py", source.encode())
    assert [(mutant.key.scope, mutant.at_import) for mutant in mutants] == \
        [("C", True), ("C.f", True), ("C.f", False), ("", False)]


def test_a_sample_is_the_same_for_the_same_seed(mutate: ModuleType) -> None:
    mutants = list(range(100))
    assert mutate.sampled(mutants, 30, 1) == mutate.sampled(mutants, 30, 1) != mutate.sampled(mutants, 30, 2)
    assert sorted(mutate.sampled(mutants, 1000, 1)) == mutants


@pytest.mark.heavy
def test_killed_survived_and_equivalent_mutants(run: Callable[..., int], project: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    source = (project / "purebleu" / "toy.py").read_bytes()
    assert run("map.json") == 0
    assert capsys.readouterr().out.startswith("2 tests reach ")
    assert run("map.json", "--sample", "100", "--report", "first.jsonl", "--under", "purebleu") == 1
    assert report(project.parent / "first.jsonl") == {
        "larger: > -> >=": "equivalent", "larger: > -> <=": "killed",
        "opposite: - -> nothing": "killed", "forgotten: - -> +": "survived", "forgotten: 1 -> 2": "survived",
    }
    output = capsys.readouterr().out
    assert "purebleu/toy.py forgotten\n    return number - 1\n    - -> +\n" in output
    assert output.endswith("killed: 2, timed out: 0, survived: 2, equivalent: 1; noticed: 2 of 4 (50.0 %)\n")
    assert (project / "purebleu" / "toy.py").read_bytes() == source

    tests = project / "tests" / "test_forgotten.py"
    tests.write_text("from purebleu.toy import forgotten\n\n\ndef test_it():\n    assert forgotten(3) == 2\n")
    assert run("map.json", "tests/test_forgotten.py") == 0
    assert run("map.json", "--again", "first.jsonl", "--report", "second.jsonl", "--under", "purebleu") == 0
    assert report(project.parent / "second.jsonl") == {"forgotten: - -> +": "killed", "forgotten: 1 -> 2": "killed"}


@pytest.mark.heavy
def test_a_run_ends_at_its_limit(mutate: ModuleType, tmp_path: Path) -> None:
    from mutants.copies import run_limited

    (tmp_path / "empty").mkdir()
    commands = ("print(1, flush=True)\nwhile True: pass", "raise SystemExit(3)")
    codes = [run_limited([sys.executable, "-c", command], tmp_path / "empty", {}, limit)
             for command, limit in zip(commands, (1.5, 60))]
    assert [exit_code for exit_code, _ in codes] == [None, 3]


@pytest.mark.parametrize(("files", "message"), [
    ({"map.json": None}, "map.json"),
    ({"map.json": "[]"}, "map.json is no map of this script"),
    ({"purebleu/toy.py": "x = 1\n"}, "purebleu/toy.py has changed since the map was made"),
    ({"equivalent.txt": "purebleu/toy.py larger\n    x\n    < -> <=\n"}, "a block needs"),
    ({"equivalent.txt": 2 * EQUIVALENT}, "a second reason"),
    ({"purebleu/toy.py": None, "purebleu/__init__.py": None}, "there is no Python file in 'purebleu'"),
])
def test_bad_input_is_one_line_and_exit_code_2(run: Callable[..., int], project: Path, mutate: ModuleType,
                                               files: dict[str, str | None], message: str,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    from mutants.reach import Reach, digest

    Reach({}, {}, {"purebleu/toy.py": digest(TOY.encode())}).write(project.parent / "map.json")
    for name, text in files.items():
        path = (project if name.startswith("purebleu/") else project.parent) / name
        path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    assert run("map.json", "--sample", "1", "--report", "report.jsonl", "--under", "purebleu") == 2
    error = capsys.readouterr().err
    assert error.startswith("mutate.py: ") and message in error and error.count("\n") == 1


@pytest.mark.parametrize("arguments", [
    ["--sample", "1"],
    ["--report", "report.jsonl"],
    ["--sample", "0", "--report", "report.jsonl"],
    ["--sample", "1", "--again", "report.jsonl", "--report", "report.jsonl"],
    ["--sample", "1", "--report", "report.jsonl", "--limit", "0"],
])
def test_options_that_do_not_go_together(run: Callable[..., int], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        run("map.json", *arguments)
    assert raised.value.code == 2


def test_every_reason_is_of_a_mutant_that_there_is(mutate: ModuleType) -> None:
    reasons = mutate.read_reasons(mutate.EQUIVALENT)
    keys = {mutant.key for path in {key.path for key in reasons}
            for mutant in mutate.mutants_of(path, (ROOT / path).read_bytes())}
    assert reasons.keys() - keys == set()
