"""Verdicts of `scripts/dev/platforms/foreign.py` on interpreters; the interpreters themselves are tried by hand."""

from __future__ import annotations

import re
import sys
import unittest
import zipfile
from pathlib import Path

import pytest

from .. import PACKAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

pytestmark = [
    pytest.mark.skipif(not (SCRIPTS / "dev" / "platforms" / "foreign.py").is_file() or PACKAGE != "purebleu",
                       reason="only the checkout has scripts"),
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi", "win32"), reason="for a Debian, with its processes"),
]

WITHOUT_GZIP = "raise ModuleNotFoundError(\"No module named 'gzip'\", name='gzip')\n"


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from dev.platforms import foreign as module

    return module


@pytest.fixture
def new_place(foreign: ModuleType, tmp_path: Path) -> Callable[..., Any]:
    """Makes copies of the checkout for this interpreter, in which files are added or replaced."""
    def new(name: str, **files: str) -> Any:
        folder = tmp_path / name
        foreign.copy_checkout(folder)
        for file, text in files.items():
            (folder / "project" / file.replace("__", "/")).with_suffix(".py").write_text(text, encoding="ascii")
        return foreign.Place(folder, [sys.executable], is_root=False)

    return new


def test_missing_modules_are_found(foreign: ModuleType, new_place: Callable[..., Any]) -> None:
    here, there = new_place("here"), new_place("there", gzip=WITHOUT_GZIP)
    assert foreign.missing_modules(there) - foreign.missing_modules(here) == {"gzip"}


def test_an_ending_is_equal_or_names_what_is_missing(foreign: ModuleType, new_place: Callable[..., Any],
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    here, there = new_place("here"), new_place("there", gzip=WITHOUT_GZIP)
    plain, packed, packed_core, unread = [
        foreign.Case(["reference.txt", "-i", file], b"", may_miss=may_miss)
        for file, may_miss in (("hypothesis.txt", False), ("hypothesis.txt.gz", True), ("hypothesis.txt.gz", False),
                               ("missing.txt", False))]

    def ending(case: Any, missing: set[str]) -> Any:
        return foreign.ending(case, case.answer(here), case.answer(there), missing)

    assert [ending(case, {"gzip"}) for case in (plain, packed, unread)] == ["equal", "lacking", "equal"]
    assert capsys.readouterr().out == ""
    assert ending(packed, {"json"}) == "failed"  # it names another module than those that are known to be missing
    assert ending(packed_core, {"gzip"}) == "failed"  # what has to work everywhere
    assert capsys.readouterr().out.count("exit code 1 for 0, another output") == 2


def test_a_traceback_and_another_score_are_failures(foreign: ModuleType, new_place: Callable[..., Any],
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    case = foreign.Case(["reference.txt", "-i", "hypothesis.txt"], b"")
    expected = case.answer(new_place("here"))
    bug = case.answer(new_place("bug", purebleu__metrics__bleu="raise KeyError('gzip_of_old')\n"))
    assert foreign.ending(case, expected, bug, {"gzip_of_old"}) == "failed"
    assert "KeyError: 'gzip_of_old'" in capsys.readouterr().out
    other = foreign.Case(["reference.txt", "-i", "shuffled.txt"], b"").answer(new_place("other"))
    assert foreign.ending(case, expected, other, set()) == "failed"
    assert "exit code 0 for 0, another output" in capsys.readouterr().out


def test_names_choose_machines(foreign: ModuleType) -> None:
    assert foreign.chosen([]) == ([], [])
    assert foreign.chosen(["windows"]) == ([], ["3.8", "3.12", "3.13"])
    roots, versions = foreign.chosen(["windows-3.13", "s390x", "windows-3.9", "windows"])
    assert ([root.name for root in roots], versions) == (["s390x"], ["3.13", "3.9", "3.8", "3.12"])
    for name in ("windows-", "windows-3.7", "windows-3.13.1", "windows-4.0", "linux", ""):
        with pytest.raises(ValueError, match=f"^{re.escape(name)}: not one of minimal-bookworm, "):
            foreign.chosen([name])


def test_names_of_files_on_windows_are_those_of_files_here(foreign: ModuleType, new_place: Callable[..., Any]) -> None:
    here = new_place("here")
    found = foreign.cases_on_windows(here, here)
    assert len(found) == len(foreign.NAMES_ON_WINDOWS)
    files = {path.name for path in (SCRIPTS.parent / "tests" / "fixtures" / "cli").iterdir()}
    for case, expected in found:
        assert expected.returncode == 0 and expected.stdout
        assert {*re.findall(r"[\w.]+\.(?:txt|gz)", " ".join(case.arguments).lower())} <= files


def test_every_other_processor_has_an_emulator(foreign: ModuleType) -> None:
    assert {root.architecture for root in foreign.ROOTS} - {""} <= {*foreign.EMULATORS}
    assert len({root.name for root in foreign.ROOTS}) == len(foreign.ROOTS) > 5


# Windows's machines

TESTS = """
import time
import unittest

import pytest

def test_passes():
    pass

def test_waits():
    time.sleep({seconds})

@pytest.mark.heavy
def test_takes_long():
    assert False

@pytest.mark.parametrize("number", [1, 2])
def test_is_skipped(number):
    pytest.skip("no <signals> here")

def test_raises():
    {failure}
"""


@pytest.fixture
def windows(foreign: ModuleType) -> Any:
    """The module with Windows's machines."""
    return foreign.windows


@pytest.fixture
def tried(foreign: ModuleType, windows: ModuleType, tmp_path: Path,
          monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a file of tests as on a machine, on this interpreter."""
    def run(content: str, limit: float = 600) -> Any:
        (tmp_path / "project" / "tests").mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / "tests" / "test_it.py").write_text(content, encoding="ascii")
        (tmp_path / "project" / "pyproject.toml").write_bytes((SCRIPTS.parent / "pyproject.toml").read_bytes())
        return windows.outcome_of(foreign.Place(tmp_path, [sys.executable], is_root=False), "test_it.py", limit)

    monkeypatch.setattr(windows, "end", lambda place: None)
    return run


def test_a_file_of_tests_has_its_figures(windows: ModuleType, tried: Callable[..., Any],
                                         capsys: pytest.CaptureFixture[str]) -> None:
    outcome = tried(TESTS.format(seconds=0, failure="pass"))
    assert (outcome.passed, outcome.failed, outcome.reasons) == (3, 0, ["no <signals> here"] * 2)
    assert str(outcome).startswith("test_it.py: 3 passed, 2 skipped, ")
    assert capsys.readouterr().out == ""
    windows.list_skips([outcome, outcome._replace(name="test_other.py", reasons=["no <signals> here", "no links"])])
    assert capsys.readouterr().out == ("skipped: 3: no <signals> here (test_it.py, test_other.py)\n"
                                       "skipped: 1: no links (test_other.py)\n")


@pytest.mark.parametrize(("failure", "passed", "failed"), [
    ("assert 0 == 'nothing'", 2, 1), ("import os; os._exit(5)", 0, 1), ("import os; os._exit(0)", 0, 1)])
def test_a_file_that_fails_is_told(tried: Callable[..., Any], capsys: pytest.CaptureFixture[str], failure: str,
                                   passed: int, failed: int) -> None:
    outcome = tried(TESTS.format(seconds=0, failure=failure))
    assert (outcome.passed, outcome.failed) == (passed, failed)
    told = capsys.readouterr().out
    assert told.startswith("failed: test_it.py: exit code ")
    assert ("0 == 'nothing'" in told) == ("nothing" in failure)


def test_a_file_of_heavy_tests_has_none(tried: Callable[..., Any]) -> None:
    outcome = tried("import pytest\n@pytest.mark.heavy\ndef test_it():\n    pass\n")
    assert (outcome.passed, outcome.failed, outcome.reasons) == (0, 0, [])


def test_a_file_that_takes_too_long_is_given_up(tried: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    outcome = tried(TESTS.format(seconds=10_000, failure="pass"), limit=1)
    assert (outcome.passed, outcome.failed) == (0, 1)
    assert capsys.readouterr().out.startswith("failed: test_it.py takes more than 1 s")


def test_binaries_are_where_they_belong(windows: ModuleType, foreign: ModuleType, tmp_path: Path) -> None:
    def unpacked(*names: str) -> tuple[str, list[str]]:
        (tmp_path / "folder").mkdir(exist_ok=True)
        with zipfile.ZipFile(str(tmp_path / "it.whl"), "w") as wheel:
            for name in names:
                wheel.writestr(name, b"")
        library = windows.unpack_binaries(tmp_path / "it.whl", tmp_path / "folder")
        return library, sorted([path.relative_to(tmp_path / "folder").as_posix()
                                for path in (tmp_path / "folder").rglob("*") if path.is_file()])

    with pytest.raises(foreign.Unavailable, match=r"^it\.whl has no library of an interpreter, or more than one: $"):
        unpacked("deploy_libs/_ssl.pyd")
    assert unpacked(*[f"deploy_libs/{name}" for name in (
        "python3.dll", "python312.dll", "VCRUNTIME140.dll", "api-ms-win-crt-heap-l1-1-0.dll", "ucrtbase.dll",
        "tcl86t.dll", "_tkinter.pyd", "_wmi.pyd", "_ssl.pyd", "libffi-8.dll", "notes.txt")], "panda3d/core.pyd") == (
            "python312.dll", ["DLLs/_ssl.pyd", "DLLs/libffi-8.dll", "VCRUNTIME140.dll", "python3.dll", "python312.dll"])
    with pytest.raises(foreign.Unavailable, match="more than one: python3"):
        unpacked("deploy_libs/python313.dll")


@pytest.mark.parametrize("source", [
    "    def invalidate_caches(cls):", "    @classmethod\n    def invalidate_caches(cls):"])
def test_changes_of_the_standard_library_are_made_once(windows: ModuleType, tmp_path: Path, source: str) -> None:
    file = tmp_path / "file.py"
    file.write_text(source, encoding="ascii")
    for _ in range(2):
        for path, old, new in windows.CHANGES:
            if path.startswith("importlib/"):
                windows.change(file, old, new)
    assert file.read_text(encoding="ascii").rstrip() == "    @classmethod\n    def invalidate_caches(cls):"


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="Windows's machines are CPython")
def test_the_standard_library_is_that_of_this_version(windows: ModuleType, foreign: ModuleType,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    assert windows.standard_library("{}.{}".format(*sys.version_info)) == Path(unittest.__file__).parents[1]
    monkeypatch.setattr(windows, "candidates", lambda version: [sys.executable])
    with pytest.raises(foreign.Unavailable, match=r"no Python 3\.7 on this machine"):
        windows.standard_library("3.7")
