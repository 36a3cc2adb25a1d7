"""How `scripts/run_foreign.py` judges an interpreter; the interpreters themselves are tried by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from . import PACKAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"

pytestmark = [
    pytest.mark.skipif(not (SCRIPTS / "run_foreign.py").is_file() or PACKAGE != "purebleu",
                       reason="only the checkout has scripts"),
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi", "win32"), reason="for a Debian, with its processes"),
]

WITHOUT_GZIP = "raise ModuleNotFoundError(\"No module named 'gzip'\", name='gzip')\n"


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import run_foreign as module

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


def test_every_other_processor_has_an_emulator(foreign: ModuleType) -> None:
    assert {root.architecture for root in foreign.ROOTS} - {""} <= {*foreign.EMULATORS}
    assert len({root.name for root in foreign.ROOTS}) == len(foreign.ROOTS) > 5
