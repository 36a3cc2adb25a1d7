"""The parts of `dev/platforms/roots.py` that need no root folder, and the container files; the rest runs by hand."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .. import PACKAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

PROJECT = Path(__file__).resolve().parents[2]
SCRIPTS = PROJECT / "scripts"
CONTAINERS = SCRIPTS / "containers"

pytestmark = [
    pytest.mark.skipif(not (SCRIPTS / "dev" / "platforms" / "roots.py").is_file() or PACKAGE != "purebleu",
                       reason="only the checkout has scripts"),
    pytest.mark.skipif(sys.platform in ("emscripten", "wasi", "win32"), reason="for a Linux, with its processes"),
]

#: Instructions of container files that copy from the checkout: the paths, and where they go.
COPY = re.compile(r"(?m)^COPY (?!--from)(.*) \S+$")

#: Settings of a container.
RULES = "ENV PYTHONPATH=/app PYTHONDONTWRITEBYTECODE=1\n"


@pytest.fixture
def roots(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from dev.platforms import roots as module

    return module


def container_files() -> list[Path]:
    return sorted(CONTAINERS.glob("*.Containerfile"))


def test_examples(roots: ModuleType) -> None:
    results = doctest.testmod(roots)
    assert results.attempted >= 2 and not results.failed


def test_the_size_of_a_folder_counts_each_file_once(roots: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "file").write_bytes(b"x" * 1000)
    (tmp_path / "below" / "other").write_bytes(b"y" * 30)
    os.link(tmp_path / "file", tmp_path / "below" / "second name")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "nowhere").symlink_to("missing")
    os.mkfifo(tmp_path / "pipe")
    assert roots.folder_size(tmp_path) == 1030


def test_what_slim_lacks_is_removed_and_the_rest_stays(roots: ModuleType, tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    kept = ["usr/bin/python3", "usr/lib/python3.13/os.py", "usr/share/doc-base/file", "var/lib/dpkg/status"]
    for name in [*kept, "usr/share/doc/python3/copyright", "usr/share/locale/de/file", "var/lib/apt/lists/list"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / "usr/share/man").symlink_to(outside, target_is_directory=True)
    roots.remove(root, [*roots.NOT_IN_SLIM, "purebleu.pyz"])
    assert sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()) == kept
    assert (outside / "file").exists()


def test_the_table_has_figures_or_reasons(roots: ModuleType, tmp_path: Path,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    from dev.benchmarks.measuring import Sample

    (tmp_path / "wheel").write_bytes(b"x" * 5_000_000)
    ours = [Sample(0.1, wall, 15.04, b"") for wall in (0.084, 0.122, 0.079)]
    theirs = [Sample(0.4, 0.4256, 44.0, b"")]
    slim, *_, scratch = roots.IMAGES
    outcomes = [
        roots.Outcome(slim, tmp_path, tmp_path, 88_000_000, "all of 37 command lines",
                      {roots.ZIPPED: ours, roots.COMPILED: ours, roots.RIVAL: theirs}, {}, "yes"),
        roots.Outcome(scratch, tmp_path, None, 12_340_000, "all of 37 command lines",
                      {roots.ZIPPED: ours, roots.COMPILED: ours}, {roots.RIVAL: "ImportError: why"}, ""),
    ]
    roots.print_table(outcomes, 3)
    heading, rule, first, second, *_ = capsys.readouterr().out.splitlines()
    our_cell = "84 ms (79-122), 15.0 MB"
    assert first == (f"| {slim.title} | 88 | all of 37 command lines | {our_cell} | {our_cell} | 426 ms (426-426), "
                     "44.0 MB; root of 93 MB with it, and a writable `/tmp` |")
    assert second == (f"| {scratch.title} | 12.3 | all of 37 command lines | {our_cell} | {our_cell} | "
                      "`ImportError: why` |")
    assert {line.count("|") for line in (heading, rule, first, second)} == {7}


def test_words_on_what_runs(roots: ModuleType) -> None:
    assert roots.in_words({"equal": 37}, set()) == "all of 37 command lines"
    assert roots.in_words({"equal": 36, "failed": 1}, set()) == "36 of 37 command lines; 1 fail"


@pytest.mark.parametrize(("message", "end"), [
    ("sacreBLEU ended with exit code 1: File x, line 1 / import gzip / ModuleNotFoundError: No module named 'gzip'",
     "ModuleNotFoundError: No module named 'gzip'"),
    ("pip\n    ERROR: no version\n    ERROR: No matching distribution found for regex",
     "pip: No matching distribution found for regex"),
    ("unshare and said nothing", "unshare and said nothing"),
])
def test_reasons_are_the_end_of_a_message(roots: ModuleType, message: str, end: str) -> None:
    assert roots.last_words(message) == end


def test_container_files_copy_what_there_is(roots: ModuleType) -> None:
    assert len(container_files()) == 3
    for file in container_files():
        text = file.read_text(encoding="utf-8")
        sources = [path for copied in COPY.findall(text) for path in copied.split()]
        assert "purebleu" in sources and RULES in text, file.name
        assert [path for path in sources if not (PROJECT / path).exists()] == [], file.name
        for script in re.findall(r"\bsh /(\S+)", text):
            assert f"scripts/containers/{script}" in sources, file.name
        assert f"FROM debian:{roots.RELEASE}-slim" in text
    users = [*container_files(), SCRIPTS / "dev" / "platforms" / "roots.py"]
    used = "".join([file.read_text(encoding="utf-8") for file in users])
    assert [path.name for path in CONTAINERS.iterdir() if path.is_file() and path.name not in used
            and path.suffix != ".Containerfile"] == []


def test_container_files_name_the_roots_of_the_script(roots: ModuleType) -> None:
    named = [re.search(r"[Tt]he root `(\w+)` of scripts/dev/platforms/roots\.py", file.read_text(encoding="utf-8"))
             for file in container_files()]
    assert [match and match.group(1) for match in named] == [file.stem for file in container_files()]
    assert {file.stem for file in container_files()} <= {image.name for image in roots.IMAGES}


@pytest.mark.parametrize("script", ["interpreter_only.sh", "static_python.sh"])
def test_shell_scripts_are_well_formed(script: str) -> None:
    subprocess.run(["sh", "-n", str(CONTAINERS / script)], check=True)


def test_the_archive_of_the_library_has_what_the_package_imports(monkeypatch: pytest.MonkeyPatch,
                                                                 tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(CONTAINERS))
    from zip_library import modules

    package, library = tmp_path / "package", tmp_path / "library"
    for folder in (package, library / "encodings"):
        folder.mkdir(parents=True)
    for name in ("runpy", "site", "compileall", "unused", "doctest", "encodings/__init__", "encodings/utf_8",
                 "encodings/gbk"):
        (library / f"{name}.py").touch()
    (package / "__init__.py").touch()
    (package / "part.py").write_text("def late():\n    from first import name\n", encoding="utf-8")
    (library / "first.py").write_text("import doctest, second\n", encoding="utf-8")
    (library / "second.py").touch()
    assert [file.relative_to(library).with_suffix("").as_posix() for file in modules(library, package)] == [
        "compileall", "encodings/__init__", "encodings/gbk", "encodings/utf_8", "first", "runpy", "second", "site"]
