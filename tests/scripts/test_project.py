"""The files around the package agree; folders of scripts list their commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import purebleu

from ..helpers import load_script, needs_checkout

ROOT = Path(__file__).resolve().parents[2]
DEV = ROOT / "scripts" / "dev"

pytestmark = needs_checkout


def test_declared_pythons_are_those_that_the_tests_take() -> None:
    project = load_script("build_backend").read_project(ROOT).tables["project"]
    declared = [re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", classifier)
                for classifier in project["classifiers"]]
    minors = [int(classifier[1]) for classifier in declared if classifier]
    assert minors == list(range(minors[0], minors[-1] + 1))
    assert (3, minors[0]) == load_script("test").OLDEST_SUPPORTED
    assert project["requires-python"] == f">=3.{minors[0]}"


def test_version_changelog_and_citation_agree() -> None:
    project = load_script("build_backend").read_project(ROOT)
    public, _, local = project.version.partition("+")
    assert public == purebleu.__version__ and local in ("", "dev")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    day = "" if local else r" - \d{4}-\d\d-\d\d"  # (Between two releases, there is no date yet.)
    assert re.search(rf"^## {re.escape(public)}{day}$", changelog, re.MULTILINE)
    assert ("\ndate-released: " in citation) == (not local)
    assert f"\nversion: {public}\n" in citation
    # (What indexes refuse: other versions than in PEP 440's normal form, long names of links.)
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.post\d+)?(\.dev\d+)?", public)
    assert all(len(label) <= 32 and "," not in label for label in project.tables["project.urls"])


def test_tests_that_documents_name_are_there() -> None:
    for name in ("CONTRIBUTING.md", "tests/README.md", "scripts/README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for path, test in re.findall(r"\btests/([\w/]+\.py)(?:::(\w+))?", text):
            assert f"def {test}" in (ROOT / "tests" / path).read_text(encoding="utf-8"), (name, path, test)
        for path in re.findall(r"`([a-z_]+/test_\w+\.py)`", text):
            assert (ROOT / "tests" / path).is_file(), (name, path)


def place_in_map(path: str) -> Path:
    """The file that the map means: paths inside the package may lack its name."""
    return ROOT / path if path.startswith(("scripts/", "tests/", "purebleu/")) else ROOT / "purebleu" / path


def test_modules_and_functions_that_the_map_names_are_there() -> None:
    text = " ".join((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split())
    for path in re.findall(r"`([a-z]\w*/[\w/]+\.(?:py|txt))`", text):
        assert "xyz" in path or place_in_map(path).is_file(), path
    named = re.findall(r"`([\w.]+)` in `(\w[\w/]*/\w+\.py)`", text)
    assert len(named) > 30
    for name, path in named:
        last = name.rpartition(".")[2]
        source = place_in_map(path).read_text(encoding="utf-8")
        assert re.search(rf"\b(def|class) {last}\b|^ *{last}\b.* = ", source, re.MULTILINE), (name, path)


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=DEV, capture_output=True, encoding="utf-8", check=False)


def test_a_folder_of_scripts_lists_its_commands() -> None:
    for folder in ("generate", "oracles", "platforms"):
        done = run_script(folder)
        _, _, usage, _, *commands = done.stdout.splitlines()
        assert (done.returncode, done.stderr) == (0, "")
        assert usage == f"usage: python3 scripts/dev/{folder} NAME ..., where NAME is one of"
        for line in commands:
            name, _, words = line.strip().partition(" ")
            assert (DEV / folder / f"{name}.py").is_file() or (DEV / folder / name / "__init__.py").is_file()
            assert words.strip(), line


def test_commands_of_a_folder_are_refused_in_one_line() -> None:
    for line, code, message in (
            ("generate man_page --wrong", 2, "generate man_page: error: unrecognized arguments: --wrong"),
            ("platforms toaster", 2, "platforms: error: no command 'toaster': choose from foreign, hosts, "),
            ("-S oracles wer", 1, "oracles: error: wer needs jiwer 4.0.0: this Python, ")):  # (without packages)
        done = run_script(*line.split())
        *usage, complaint = done.stderr.splitlines()
        assert (done.returncode, done.stdout, bool(usage)) == (code, "", "--wrong" in line)
        assert complaint.startswith(message)


def test_names_of_tests_are_looked_up_before_the_tests_run() -> None:
    names = ["test_a_folder_of_scripts_lists_its_commands", "test_a_folder_of_scripts_lists_its_commands[x::y]",
             "test_a_folder_of_scripts", "run_script::test_no_such"]
    assert [load_script("test").has_test(Path(__file__), name) for name in names] == [True, True, False, False]
