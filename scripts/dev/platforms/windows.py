"""Windows's CPython on this machine, for `foreign.py`: made of public packages, run by wine, tried with all tests.

python.org's builds for Windows are in no index of packages by themselves, but the wheels of panda3d for Windows have
the library and the extension modules of one, which are compiled by MSVC. What is written in Python is the same on all
systems, so it comes from another Python of this minor version on this machine. mingw compiles the program that starts
it. Wine keeps what it knows in the machine's folder; nothing else on this machine is changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from dev.platforms.places import ROOT, Place, Unavailable, checked, lines_of, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, Sequence

#: The versions of Python that are tried: the oldest that is supported, and two of those in wide use.
VERSIONS = ("3.8", "3.12", "3.13")

#: Commands that this needs, and Debian's packages that have them.
PROGRAMS = {"wine": "wine", "wineserver": "wine", "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64"}

#: The platform, as pip calls it.
PLATFORM = "win_amd64"

#: Libraries of the wheel that are left behind: wine has a C runtime of its own, there is no screen for Tk, and the
#: services that `_wmi` asks (for `platform`) end a process under wine.
LEFT_BEHIND = ("api-ms-win-*", "ucrtbase.dll", "tcl*", "tk*", "_tkinter*", "_wmi*")

#: Libraries that have to stand beside the program.
BESIDE = ("python3*.dll", "vcruntime*.dll")

#: Parts of the standard library that no Windows has, that its extension modules take the place of, or nobody needs.
NOT_COPIED = ("site-packages", "dist-packages", "lib-dynload", "config-*", "test", "idlelib", "tkinter", "turtledemo",
              "ensurepip", "__pycache__")

#: Changes of the standard library: in a file, a text becomes another one, where it is there.
CHANGES = (
    # Wine 8 lacks CopyFile2: the process that calls it is ended.
    ("shutil.py", 'hasattr(_winapi, "CopyFile2")', "False"),
    # The library may be some releases older than the extension modules, whose importlib calls this of the class.
    ("importlib/metadata/__init__.py", "@classmethod\n    def invalidate_caches(", "def invalidate_caches("),
    ("importlib/metadata/__init__.py", "def invalidate_caches(", "@classmethod\n    def invalidate_caches("),
)

#: Requirements of the tests; and those on Windows, or with an old Python, which pip, run here, does not know.
TEST_REQUIREMENTS = ("pytest", "hypothesis", "colorama")
OLD_REQUIREMENTS = ("exceptiongroup", "tomli", "typing_extensions")

#: The program: it takes its name and its arguments as Windows has them, and hands them on.
PROGRAM = """\
#include <windows.h>

typedef int (*python_main)(int, wchar_t **);

int wmain(int count, wchar_t **arguments)
{
    HMODULE library = LoadLibraryA("%s");
    python_main start = library ? (python_main) (void *) GetProcAddress(library, "Py_Main") : NULL;
    return start ? start(count, arguments) : 127;
}
"""

#: Folders of the checkout that are no part of the copy.
NOT_IN_COPIES = (".git", ".venv", ".hypothesis", ".*_cache", "__pycache__", "build", "dist")

#: The longest that the tests of a file may take, in seconds: each process that they start costs half a second.
LIMIT = 1800


class Outcome(NamedTuple):
    """Outcomes of the tests of a file: the number of each kind, and the reasons of skipped tests."""

    name: str
    passed: int
    failed: int
    reasons: Sequence[str]
    seconds: float

    def __str__(self) -> str:
        ended = [f"{number} {what}" for number, what in (
            (self.passed, "passed"), (self.failed, "failed"), (len(self.reasons), "skipped")) if number]
        return f"{self.name}: {', '.join(ended) or 'nothing'}, {self.seconds:.0f} s"


# Making a machine

def check_programs() -> None:
    """Raise `Unavailable` where something is not there that this needs."""
    absent = [f"{name} (Debian's {package})" for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if absent:
        raise Unavailable(f"there is no {', no '.join(absent)}")


def machine_of(version: str, folder: Path) -> Place:
    """The machine with this version of Python as a place to run things, with a fresh copy of the checkout.

    It is made now, unless an earlier run has left it in the folder.
    """
    check_programs()
    target = folder / f"windows-{version}"
    if not target.is_dir():
        print("downloading and putting together", flush=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            new = Path(temporary, "machine")
            (new / "tmp").mkdir(parents=True)
            put_together(version, new / "python", Path(temporary, "wheels"))
            new.rename(target)
    shutil.rmtree(target / "project", ignore_errors=True)
    shutil.copytree(ROOT, target / "project", ignore=shutil.ignore_patterns(*NOT_IN_COPIES))
    # (Wine shows the files of this machine as drive Z.)
    variables = {"LC_ALL": "C.UTF-8", "WINEPREFIX": str(target / "wine"), "WINEDEBUG": "-all",
                 "PYTHONPATH": "Z:" + str(target / "project").replace("/", "\\")}
    place = Place(target, ["wine", str(target / "python" / "python.exe")], is_root=False, variables=variables)
    begin(place)
    return place


def put_together(version: str, folder: Path, wheels: Path) -> None:
    """Make the folder of an interpreter, with what the tests need."""
    library = standard_library(version)
    folder.mkdir()
    name = unpack_binaries(downloaded(version, wheels / "binaries", "--no-deps", "panda3d")[0], folder)
    source = folder / "python.c"
    source.write_text(PROGRAM % name, encoding="ascii")
    checked(["x86_64-w64-mingw32-gcc", "-municode", "-O2", "-o", str(folder / "python.exe"), str(source)])
    shutil.copytree(library, folder / "Lib", ignore=shutil.ignore_patterns(*NOT_COPIED))
    for path, old, new in CHANGES:
        if (folder / "Lib" / path).is_file():
            change(folder / "Lib" / path, old, new)
    # (`pip install` would take what needs a newer Python, if the index does not tell: it asks wheels for this one.)
    further = OLD_REQUIREMENTS if minor(version) < 11 else ()
    for wheel in downloaded(version, wheels / "tests", *TEST_REQUIREMENTS, *further):
        with zipfile.ZipFile(str(wheel)) as archive:
            archive.extractall(str(folder / "Lib" / "site-packages"))


def minor(version: str) -> int:
    return int(version.partition(".")[2])


def change(path: Path, old: str, new: str) -> None:
    """Replace a text wherever it stands in a file."""
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def downloaded(version: str, folder: Path, *arguments: str) -> list[Path]:
    """The wheels that pip gets into a folder for these arguments, for this version of Python on Windows."""
    checked([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--only-binary=:all:",
             "--implementation", "cp", "--platform", PLATFORM, "--python-version", version, "--dest", str(folder),
             *arguments])
    return sorted(folder.glob("*.whl"))


def unpack_binaries(wheel: Path, folder: Path) -> str:
    """Put the interpreter's library and its extension modules where they belong; returns the name of the library."""
    with zipfile.ZipFile(str(wheel)) as archive:
        for member in archive.namelist():
            parent, _, name = member.rpartition("/")
            if parent == "deploy_libs" and name.lower().endswith((".dll", ".pyd")) and not matches(name, LEFT_BEHIND):
                target = folder if matches(name, BESIDE) else folder / "DLLs"
                target.mkdir(exist_ok=True)
                (target / name).write_bytes(archive.read(member))
    names = [path.name for path in folder.glob("python3?*.dll")]
    if len(names) != 1:
        raise Unavailable(f"{wheel.name} has no library of an interpreter, or more than one: {', '.join(names)}")
    return names[0]


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name.lower(), pattern) for pattern in patterns)


def standard_library(version: str) -> Path:
    """The folder of the standard library of a CPython of this version on this machine."""
    script = "import os, sys; print(*sys.version_info[:2], sys.implementation.name, os.path.dirname(os.__file__))"
    for python in candidates(version):
        done = subprocess.run([python, "-c", script], capture_output=True)
        major, smaller, name, path = [*done.stdout.decode().rstrip().split(" ", 3), "", "", "", ""][:4]
        if (f"{major}.{smaller}", name) == (version, "cpython"):
            return Path(path)
    raise Unavailable(f"there is no Python {version} on this machine, whose standard library could be taken")


def candidates(version: str) -> Iterator[str]:
    """Where there may be an interpreter of this version: the one that runs this, pyenv's, and on the PATH."""
    yield sys.executable
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from map(str, sorted(versions.glob(f"{version}.*/bin/python3"), reverse=True))
    yield from filter(None, [shutil.which(f"python{version}")])


def begin(place: Place) -> None:
    """Have wine make its folder, or bring it up to date."""
    done = subprocess.run(["wineboot", "--update"], env={**os.environ, **place.variables}, capture_output=True)
    if done.returncode:
        raise Unavailable("\n    ".join(["wineboot", *lines_of(done.stderr)[-4:]]))


def end(place: Place) -> None:
    """End all that runs on the machine."""
    subprocess.run(["wineserver", "--kill"], env={**os.environ, **place.variables}, capture_output=True)


# Trying all tests

def names_of_tests() -> list[str]:
    """The files of tests, by their paths in `tests`."""
    folder = ROOT / "tests"
    return sorted([path.relative_to(folder).as_posix() for path in folder.rglob("test_*.py")])


def suite(place: Place, names: Sequence[str], limit: float) -> list[Outcome]:
    """Run the tests of these files, one after the other; prints how each of them ends."""
    outcomes = []
    for name in names:
        outcomes.append(outcome_of(place, name, limit))
        print(outcomes[-1], flush=True)
    return outcomes


def outcome_of(place: Place, name: str, limit: float) -> Outcome:
    """Run the tests of a file, but for those that take long everywhere."""
    results = place.project / "results.xml"
    if results.exists():
        results.unlink()
    start = time.monotonic()
    try:
        done = place.run(["-m", "pytest", "-p", "no:cacheprovider", "-m", "not heavy", "--junitxml", results.name,
                          f"tests/{name}"], patience=limit)
    except subprocess.TimeoutExpired as error:
        end(place)
        tell(f"{name} takes more than {limit:.0f} s", lines_of(error.stdout or b"")[-20:])
        return Outcome(name, 0, 1, (), time.monotonic() - start)
    seconds = time.monotonic() - start
    outcome = outcome_in(name, results.read_bytes(), seconds) if results.exists() else Outcome(name, 0, 1, (), seconds)
    if done.returncode not in (0, 5):  # (5: there was nothing but heavy ones)
        outcome = outcome._replace(failed=max(outcome.failed, 1))
    if outcome.failed:
        tell(f"{name}: exit code {done.returncode}", lines_of(done.stdout + done.stderr)[-200:])
    return outcome


def outcome_in(name: str, results: bytes, seconds: float) -> Outcome:
    """The outcome of the tests in a report in the form of JUnit."""
    cases = list(xml.etree.ElementTree.fromstring(results).iter("testcase"))
    failed = sum([case.find("failure") is not None or case.find("error") is not None for case in cases])
    reasons = [skipped.get("message", "") for case in cases for skipped in case.findall("skipped")]
    return Outcome(name, len(cases) - failed - len(reasons), failed, reasons, seconds)


def list_skips(outcomes: Iterable[Outcome]) -> None:
    """Print why tests were skipped, and how many in which files."""
    found: dict[str, dict[str, int]] = {}
    for outcome in outcomes:
        for reason in outcome.reasons:
            files = found.setdefault(reason, {})
            files[outcome.name] = files.get(outcome.name, 0) + 1
    for reason, files in sorted(found.items(), key=lambda item: (-sum(item[1].values()), item[0])):
        print(f"skipped: {sum(files.values())}: {reason} ({', '.join(files)})", flush=True)
