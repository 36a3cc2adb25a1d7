"""Copies that `scripts/dev/platforms/hosts.py` puts into hosts; the real hosts are tried by hand."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ..helpers import SCRIPTS, needs_checkout, needs_processes

pytestmark = [
    needs_checkout,
    needs_processes,
    pytest.mark.skipif(shutil.which("git") is None, reason="there is no git"),
]

#: The files of a host; its command line prints a score.
HOST = {
    "requirements.txt": "numpy\nsacrebleu>=2.3\n",
    "scoring/__init__.py": "",
    "scoring/score.py": """\
import sacrebleu


def score(hypothesis, reference):
    return sacrebleu.corpus_bleu([hypothesis], [[reference]]).score


if __name__ == "__main__":
    print("%.6f" % score("The cat sat on a mat.", "The cat sat on the mat."))
""",
    "tests/__init__.py": "",
    "tests/test_score.py": """\
import unittest

from scoring.score import score


class TestScore(unittest.TestCase):
    def test_equal(self):
        self.assertAlmostEqual(score("one two three four five", "one two three four five"), 100)

    def test_different(self):
        self.assertEqual(score("one two three four five", "six"), 0)
""",
}


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script as a module. Nothing is installed: this interpreter is the host's, this checkout is sacreBLEU."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from dev.platforms import hosts as module

    original = tmp_path / module.ORIGINAL
    original.mkdir()
    (original / "sacrebleu.py").write_text(f"import sys\nsys.path.append({str(SCRIPTS.parent)!r})\n"
                                           "from purebleu import *\n", encoding="utf-8")
    monkeypatch.setattr(module, "original", lambda folder: original)
    monkeypatch.setattr(module, "environment", lambda folder, packages: Path(sys.executable))
    return module


@pytest.fixture
def mirrors(tmp_path: Path) -> Path:
    """A folder with the repository of a host."""
    folder = tmp_path / "mirrors" / "someone+scoring" / "repo"
    for path, text in HOST.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("ascii"))
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=someone", "-c", "user.email=someone@example.org", "commit", "--quiet", "-m", "a host")
    return tmp_path / "mirrors"


def git(folder: Path, *arguments: str) -> str:
    """The output of git."""
    return subprocess.run(["git", "-c", "core.autocrlf=false", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          check=True).stdout.decode().strip()


def host_of(hosts: ModuleType, mirrors: Path, **others: Any) -> Any:
    """The host of `mirrors` as an entry of the table, with some of its fields replaced."""
    revision = git(mirrors / "someone+scoring" / "repo", "rev-parse", "HEAD")
    edits = (hosts.Edit("requirements.txt", "sacrebleu>=2.3\n", ""),
             hosts.Edit("scoring/score.py", "import sacrebleu\n", "from scoring import bleu as sacrebleu\n"))
    host = hosts.Host("scoring", "someone/scoring", revision, "scoring/bleu.py", ("--only", "bleu"), edits,
                      ("-m", "unittest"), commands=[("-m", "scoring.score")])
    return host._replace(**others)


@pytest.mark.heavy
def test_a_host_is_walked_to_its_end_and_then_with_a_test_that_fails(
        hosts: ModuleType, mirrors: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    host, folder = host_of(hosts, mirrors), tmp_path / "hosts"
    assert hosts.try_hosts([host], folder, mirrors), capfd.readouterr().out
    row = capfd.readouterr().out.splitlines()[-1]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:-1] == ["scoring", host.revision[:12], "2", "2", "+1 -2 in 2 files", "`--single-file --only bleu`"]
    assert int(cells[-1]) > 100
    clone = folder / f"scoring-{host.revision[:12]}"
    assert (clone / "requirements.txt").read_text(encoding="ascii") == "numpy\n"
    assert (clone / "scoring" / "bleu.py").is_file()
    # A folder that this left is used again, without its edits.
    spoil = hosts.Edit("tests/test_score.py", '"six"), 0)', '"six"), 1)')
    assert not hosts.try_hosts([host._replace(edits=(*host.edits, spoil))], folder, mirrors)
    output = capfd.readouterr().out
    assert "failed: the tests of scoring with the copy\n" in output
    assert f"failed: 1 tests pass, 2 with {hosts.ORIGINAL}\n" in output
    assert "| 2 | 1 | +2 -3 in 3 files |" in output


def test_what_cannot_be_tried_is_one_row_without_figures(hosts: ModuleType, mirrors: Path, tmp_path: Path,
                                                         capfd: pytest.CaptureFixture[str]) -> None:
    lost = host_of(hosts, mirrors, repository="nobody/nothing")
    assert not hosts.try_hosts([lost], tmp_path / "hosts", mirrors)
    output = capfd.readouterr().out
    assert "failed: git " in output
    assert output.splitlines()[-1] == f"| scoring | {lost.revision[:12]} | - | - | - | - | - |"


def test_an_edit_finds_its_text_once_or_says_so(hosts: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes("import sacrebleu\r\n\u00e9\n".encode())
    hosts.apply([hosts.Edit("a.py", "import sacrebleu\r\n", "import bleu\r\n")], tmp_path)
    assert file.read_bytes() == "import bleu\r\n\u00e9\n".encode()
    for name, old, complaint in (("a.py", "sacrebleu", "a.py has 'sacrebleu' 0 times, not once"),
                                 ("a.py", "\n", "a.py has '\\n' 2 times, not once"),
                                 ("b.py", "e", "b.py has 'e' 0 times, not once")):
        with pytest.raises(hosts.Failed) as caught:
            hosts.apply([hosts.Edit(name, old, "")], tmp_path)
        assert str(caught.value) == complaint


def test_a_copy_that_the_host_would_not_commit_is_refused(hosts: ModuleType, mirrors: Path, tmp_path: Path) -> None:
    place = hosts.place_of(host_of(hosts, mirrors, copy="scoring/bleu"), tmp_path, mirrors)
    (place.clone / ".gitignore").write_text("engines/\n", encoding="ascii")
    with pytest.raises(hosts.Failed, match=r"scoring's .gitignore matches files of the copy: .*/engines/"):
        hosts.put_copy(place)


def test_passed_tests_are_counted(hosts: ModuleType) -> None:
    for output, passed in (("..F\n1 failed, 51 passed, 2 warnings in 0.10s\n", 51),
                           ("ERROR: file or directory not found: x\nno tests ran in 0.00s\n", 0),
                           ("Ran 10 tests in 0.1s\n\nOK\n", 10),
                           ("Ran 10 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=3)\n", 4)):
        assert hosts.passed_tests(output) == passed, output


def test_stand_ins_can_be_imported_and_sacrebleu_cannot(hosts: ModuleType, mirrors: Path, tmp_path: Path) -> None:
    place = hosts.place_of(host_of(hosts, mirrors, stand_ins=("no_torch",)), tmp_path, mirrors)
    script = "import no_torch.utils.data as t; from no_torch import nn; print(nn.Module(), t.x(1)); import comet"
    _, output = place.run(["-c", script], with_original=False)
    assert "<MagicMock" in output and "No module named 'comet'" in output
    hosts.check_absence(place)
    (place.clone / "sacrebleu.py").touch()
    with pytest.raises(hosts.Failed, match="sacrebleu can be imported"):
        hosts.check_absence(place)
