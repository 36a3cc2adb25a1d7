"""The files around the package, which hosts of code, package indexes and reference managers read, agree.

That each is valid is for the linters' schemas (`scripts/test.py --lint`); no YAML is parsed here.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .. import PACKAGE
from ..helpers import load_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
WORKFLOWS = ROOT / ".github" / "workflows"

pytestmark = pytest.mark.skipif(not WORKFLOWS.is_dir() or PACKAGE != "purebleu", reason="only the checkout has them")


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """`scripts/upkeep/release.py` as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from upkeep import release as module

    return module


@pytest.fixture
def tests_script() -> ModuleType:
    module: ModuleType = load_script("test")
    return module


@pytest.fixture
def workflows() -> dict[str, str]:
    """The text of each workflow by its file's name."""
    return {path.name: path.read_text(encoding="utf-8") for path in WORKFLOWS.iterdir()}


def matrix(workflow: str, key: str) -> list[str]:
    """The values of a key of a workflow's matrix, which stand on one line."""
    (values,) = re.findall(rf"^ +{key}: \[(.*)\]$", workflow, re.MULTILINE)
    return [value.strip('"') for value in values.split(", ")]


def commands(workflow: str) -> list[str]:
    """The commands of a workflow."""
    found = re.findall(r"^ +(?:- )?run: (.*)$", workflow, re.MULTILINE)
    assert len(found) == len(re.findall(r"\brun:", workflow))
    return found


def test_tested_and_declared_pythons_are_the_same(
    workflows: dict[str, str], release: ModuleType, tests_script: ModuleType
) -> None:
    tested = matrix(workflows["ci.yml"], "python")
    project = release.build_backend.read_project(ROOT)
    declared = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", classifier)
                for classifier in project.texts("project", "classifiers")]
    pythons = [classifier[1] for classifier in declared if classifier]
    assert [python for python in tested if not python.startswith("pypy")] == pythons
    assert any(python.startswith("pypy") for python in tested)
    oldest, newest = (int(python.partition(".")[2]) for python in (pythons[0], pythons[-1]))
    assert pythons == [f"3.{minor}" for minor in range(oldest, newest + 1)]
    assert (3, oldest) == tests_script.OLDEST_SUPPORTED
    assert project.text("project", "requires-python") == f">=3.{oldest}"


def test_every_system_runs_the_one_test_command_and_tells_its_digest(workflows: dict[str, str],
                                                                     release: ModuleType) -> None:
    systems = matrix(workflows["ci.yml"], "system")
    assert {system.partition("-")[0] for system in systems} == {"ubuntu", "macos", "windows"}
    assert commands(workflows["ci.yml"]) == ["python scripts/test.py ${{ matrix.options }}",
                                             "python scripts/digest.py > digest.txt"]
    assert "name: digest-${{ matrix.system }}-${{ matrix.python }}\n" in workflows["ci.yml"]
    assert list(release.MACHINES) == [f"{system}-{python}" for system in systems
                                      for python in matrix(workflows["ci.yml"], "python")]
    options = re.findall(r"^ +options: (.*)$", workflows["ci.yml"], re.MULTILINE)
    assert ["--lint" in option for option in options].count(True) == 1


def test_scripts_of_the_workflows_exist(workflows: dict[str, str]) -> None:
    scripts = {script for workflow in workflows.values() for script in re.findall(r"python (scripts/\S+)", workflow)}
    assert scripts == {"scripts/test.py", "scripts/digest.py", "scripts/upkeep"}
    assert all((ROOT / script).exists() for script in scripts)


# Scripts


FOLDERS = ("comparisons", "fixtures", "machines", "upkeep")


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=str(SCRIPTS), capture_output=True, encoding="utf-8",
                          check=False)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_of_scripts_lists_its_commands(folder: str) -> None:
    done = run_script(folder)
    head, _, usage, _, *commands = done.stdout.splitlines()
    assert (done.returncode, done.stderr, head.partition(" ")[0]) == (0, "", "For")
    assert usage == f"usage: python3 scripts/{folder} NAME ..., where NAME is one of"
    for line in commands:
        name, _, words = line.strip().partition(" ")
        assert (SCRIPTS / folder / f"{name}.py").is_file() or (SCRIPTS / folder / name / "__main__.py").is_file()
        assert words.strip(), line
    modules = {path.stem for path in (SCRIPTS / folder).glob("[a-z]*.py")}
    assert len(commands) >= 0.6 * len(modules)


def test_a_command_of_a_folder_gets_its_arguments() -> None:
    done = run_script("upkeep", "manual_pages", "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = run_script("upkeep", "shell_files", "--wrong")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == "shell_files.py: error: unrecognized arguments: --wrong"


def test_an_unknown_command_of_a_folder_is_refused() -> None:
    done = run_script("machines", "toaster")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("machines: error: no command 'toaster': choose from foreign, hosts, ")
    assert len(done.stderr.splitlines()) == 1


# Workflows


def test_release_is_tested_and_built_before_it_is_published(workflows: dict[str, str]) -> None:
    build, publish = workflows["release.yml"].split("\n  publish:\n")
    assert "\n  test:\n    uses: ./.github/workflows/ci.yml\n" in build
    assert "\n  workflow_call:" in workflows["ci.yml"]
    assert 'python scripts/upkeep release "$GITHUB_REF_NAME" --digests digests' in commands(build)
    assert "\n  build:\n    name: Build and check\n    needs: test " in build
    assert "    needs: [test, build]\n" in publish


def test_workflows_may_only_read_except_for_the_jobs_that_attest_and_publish(workflows: dict[str, str]) -> None:
    for name, workflow in workflows.items():
        assert "\npermissions:\n  contents: read\n\n" in workflow, name
        assert workflow.count(": write") == (3 if name == "release.yml" else 0), name
    attest, publish = workflows["release.yml"].split("\n  attest:\n")[1].split("\n  publish:\n")
    assert "\n      id-token: write" in publish and publish.count(": write") == 1
    assert "\n      id-token: write" in attest and "\n      attestations: write\n" in attest
    for job in (attest, publish):
        assert commands(job) == []


def test_files_that_the_index_does_not_get_are_attested(workflows: dict[str, str]) -> None:
    attest = workflows["release.yml"].split("\n  attest:\n")[1].split("\n  publish:\n")[0]
    for path in ("dist/*.pyz", "dist/purebleu.py", "dist/conformance.jsonl"):
        assert f"            {path}\n" in attest


def test_actions_have_one_major_version_each(workflows: dict[str, str]) -> None:
    used = {action for workflow in workflows.values() for action in re.findall(r"uses: ([^.\s]\S*)", workflow)}
    assert len(used) == len({action.partition("@")[0] for action in used}) > 3
    assert [action for action in used if not re.search(r"@(release/)?v\d+$", action)] == []


def test_version_changelog_and_citation_agree(release: ModuleType) -> None:
    project = release.build_backend.read_project(ROOT)
    release.check_tag(project, f"v{project.version}")
