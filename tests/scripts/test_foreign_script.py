"""Verdicts of `scripts/dev/platforms/foreign.py` on interpreters; the interpreters themselves are tried by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ..helpers import SCRIPTS, needs_checkout

pytestmark = [
    needs_checkout,
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi", "win32"), reason="for a Debian, with its processes"),
]


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from dev.platforms import foreign as module

    return module


def place_at(foreign: ModuleType, folder: Path, **files: str) -> Any:
    """A copy of the checkout for this interpreter, in which files are added or replaced."""
    foreign.copy_checkout(folder)
    for name, text in files.items():
        (folder / "project" / f"{name.replace('__', '/')}.py").write_text(text, encoding="ascii")
    return foreign.Place(folder, [sys.executable], is_root=False)


def test_an_ending_is_equal_or_names_what_is_missing(foreign: ModuleType, tmp_path: Path,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    without_gzip = "raise ModuleNotFoundError(\"No module named 'gzip'\", name='gzip')\n"
    here, there = place_at(foreign, tmp_path / "here"), place_at(foreign, tmp_path / "there", gzip=without_gzip)
    assert foreign.missing_modules(there) - foreign.missing_modules(here) == {"gzip"}
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


def test_a_traceback_and_another_score_are_failures(foreign: ModuleType, tmp_path: Path,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    case = foreign.Case(["reference.txt", "-i", "hypothesis.txt"], b"")
    here = place_at(foreign, tmp_path / "here")
    expected = case.answer(here)
    bug = place_at(foreign, tmp_path / "bug", purebleu__metrics__bleu="raise KeyError('gzip_of_old')\n")
    assert foreign.ending(case, expected, case.answer(bug), {"gzip_of_old"}) == "failed"
    assert "KeyError: 'gzip_of_old'" in capsys.readouterr().out
    other = foreign.Case(["reference.txt", "-i", "shuffled.txt"], b"").answer(here)
    assert foreign.ending(case, expected, other, set()) == "failed"
    assert "exit code 0 for 0, another output" in capsys.readouterr().out
