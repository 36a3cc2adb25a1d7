"""Test the package on Debian's interpreters of other releases and processors.

    python3 scripts/dev/platforms foreign                     # in all roots: the digest, and command lines
    python3 scripts/dev/platforms foreign NAME ...            # in some of the roots

apt downloads the packages of an interpreter from this machine's mirror. They are unpacked into a folder, which becomes
the root folder of the interpreter's processes. So this command has to be run by root, on Debian. qemu-user-static
emulates other processors. Nothing on the machine is installed or changed. The root folders are kept in
`.environments/foreign`. To get newer packages, remove them.

Each command line has to print the same bytes, with the same exit code, as on the Python that runs this script. Debian's
smallest Python, python3-minimal, lacks much of the standard library. On it, some command lines may instead end with one
line that names a missing module.

Exit codes: 0 all is well, 1 something differs or fails, 2 this machine can't run the command.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from functools import lru_cache
from pathlib import Path
from subprocess import CompletedProcess
from typing import Collection, NamedTuple, Sequence

from digest import differences, golden_lines

from dev.platforms import steps
from dev.platforms.steps import ENVIRONMENTS, ROOT, Failed, checked, lines_of, tell

FOLDER = ENVIRONMENTS / "foreign"

#: Folders of this checkout that are copied.
COPIED = ("purebleu", "scripts", "tests")

#: Runs a program with /proc in its root folder. (Only this program sees this /proc.)
ENTER = ("unshare", "--mount-proc")

#: The time limit of a process, in seconds. (Emulated programs take twenty times longer.)
PATIENCE = 3600


class Root(NamedTuple):
    """A root folder with an interpreter: a package of a Debian release, with its dependencies."""

    name: str
    release: str
    package: str
    python: str
    architecture: str = ""  # '': this machine's


ROOTS = (
    Root("minimal-bookworm", "bookworm", "python3-minimal", "/usr/bin/python3"),
    Root("minimal-trixie", "trixie", "python3-minimal", "/usr/bin/python3"),
    Root("pypy-trixie", "trixie", "pypy3", "/usr/bin/pypy3"),
    Root("pypy-sid", "sid", "pypy3", "/usr/bin/pypy3"),
    Root("cpython-sid", "sid", "python3", "/usr/bin/python3"),
    Root("cpython-3.15", "sid", "python3.15", "/usr/bin/python3.15"),
    Root("i386", "trixie", "python3", "/usr/bin/python3", "i386"),
    Root("s390x", "trixie", "python3", "/usr/bin/python3", "s390x"),
    Root("arm64", "trixie", "python3", "/usr/bin/python3", "arm64"),
)

#: Commands that run programs of another architecture. (The processor cortex-a72 has no pointer authentication, which
#: would take ten times longer.)
EMULATORS = {
    "amd64": ("qemu-x86_64-static",),
    "arm64": ("qemu-aarch64-static", "-cpu", "cortex-a72"),
    "i386": ("qemu-i386-static",),
    "s390x": ("qemu-s390x-static",),
}

#: Debian's keys, for an apt that does not trust them by default.
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

#: The configuration of apt, with its own folder.
APT_CONFIGURATION = Path(__file__).with_suffix(".apt.conf")

#: Devices in /dev, with their numbers.
DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9)}

#: Symbolic links at the top of a Debian system.
MERGED = ("bin", "sbin", "lib", "lib32", "lib64")

#: Prints the name and version of the interpreter, and the processor and system that it was built for.
DESCRIBE = """
import sys
version = ".".join(map(str, sys.implementation.version[:3]))
python = sys.version.split()[0]
print(sys.implementation.name, version, "" if python.startswith(version) else "(%s)" % python)
print(sys.implementation._multiarch)
"""

#: Imports modules. Prints the names of those that can't be imported, and of the missing modules that these need.
PROBE = """
import sys
for name in sys.argv[1:]:
    try:
        __import__(name)
    except ImportError as error:
        print(name, error.name or "")
    except NameError:  # Debian's own patch of `tempfile` forgets an import
        print(name)
"""

#: The outcomes of a command line: as on this machine, with one line that names a missing module, or wrong.
ENDINGS = EQUAL, LACKING, FAILED = "equal", "lacking", "failed"


class Place(NamedTuple):
    """An interpreter, and a folder with a copy of this checkout. The folder may be the interpreter's root folder."""

    folder: Path
    command: Sequence[str]
    is_root: bool

    def run(self, arguments: Sequence[str], stdin: bytes = b"", folder: str = ".") -> CompletedProcess[bytes]:
        """Run the interpreter in a folder of the checkout, in an environment that is the same everywhere."""
        project = Path("/project") if self.is_root else self.folder / "project"
        # (The C locale is the only one that needs no files.)
        everywhere = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(project.parent / "tmp"),
                      "PYTHONPATH": str(project)}
        inside = [*ENTER, f"--root={self.folder}", f"--wd={project / folder}"] if self.is_root else []
        return subprocess.run([*inside, *self.command, *arguments], cwd=None if inside else project / folder,
                              input=stdin, capture_output=True, env=everywhere, timeout=PATIENCE)


class Case(NamedTuple):
    """A command line, its standard input, and whether it may end because a module is missing."""

    arguments: Sequence[str]
    stdin: bytes
    may_miss: bool = True

    def answer(self, place: Place) -> CompletedProcess[bytes]:
        return place.run(["-m", "purebleu", *self.arguments], self.stdin, "tests/fixtures/cli")


# The roots

def made(root: Root) -> Path:
    """Return the folder of the root. If it is missing, download and unpack it."""
    target = FOLDER / root.name
    if not target.is_dir():
        print("downloading and unpacking", flush=True)
        with tempfile.TemporaryDirectory(dir=FOLDER) as temporary:
            new = Path(temporary, "root")
            for package in downloaded(root, Path(temporary, "apt")):
                checked("dpkg-deb", "--extract", package, new)
            furnish(new)
            new.rename(target)
    return target


def downloaded(root: Root, folder: Path) -> list[Path]:
    """Download the root's package and its dependencies into the folder; return the paths of the packages."""
    for name in ("archives", "lists"):
        (folder / name / "partial").mkdir(parents=True)
    (folder / "status").touch()
    options = f"[signed-by={KEYRING}] " if KEYRING.is_file() else ""
    (folder / "sources.list").write_text(f"deb {options}{mirror()} {root.release} main\n", encoding="utf-8")
    configuration = folder / "apt.conf"
    text = APT_CONFIGURATION.read_text(encoding="utf-8")
    configuration.write_text(text.format(folder=folder, architecture=root.architecture or architecture()),
                             encoding="utf-8")
    apt = ("apt-get", "--quiet", "--config-file", configuration)
    checked(*apt, "update")
    checked(*apt, "install", "--yes", "--no-install-recommends", "--download-only", root.package)
    return sorted((folder / "archives").glob("*.deb"))


@lru_cache(maxsize=None)
def mirror() -> str:
    """Return the address of the Debian mirror of this machine's apt."""
    found = checked("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian")
    if not found:
        raise Failed("apt has no mirror of Debian here")
    return found.split()[0]


@lru_cache(maxsize=None)
def architecture() -> str:
    """Return the architecture of this machine."""
    return checked("dpkg", "--print-architecture").strip()


def furnish(folder: Path) -> None:
    """Add the links, folders and devices that an installation of Debian would make."""
    for name in MERGED:
        if not (folder / name).exists():
            (folder / name).symlink_to(f"usr/{name}")
    for name in ("dev/shm", "proc", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, numbers in DEVICES.items():
        device = folder / "dev" / name
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(*numbers))
        device.chmod(0o666)


def place_of(root: Root) -> Place:
    """Return the interpreter of the root, with a new copy of the checkout."""
    target = made(root)
    copy_checkout(target)
    return Place(target, [*emulator(root, target), root.python], is_root=True)


def emulator(root: Root, folder: Path) -> list[str]:
    """Copy the root's emulator into the root; return the start of a command that runs it ([] if none is needed)."""
    if root.architecture in ("", architecture()) or (root.architecture, architecture()) == ("i386", "amd64"):
        return []
    name, *options = EMULATORS[root.architecture]
    program = shutil.which(name)
    if program is None:
        raise Failed(f"{name} is not on the PATH: install Debian's qemu-user-static")
    shutil.copy(program, folder / name)
    return [f"/{name}", *options]


def copy_checkout(folder: Path) -> None:
    """Copy parts of this checkout into the folder, and write the long files for the command lines."""
    project = folder / "project"
    shutil.rmtree(project, ignore_errors=True)
    for name in COPIED:
        shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tmp").mkdir(exist_ok=True)
    steps.write_long_files(project / "tests" / "fixtures" / "cli")


# Trials

def cases(here: Place) -> list[Case]:
    """Return the command lines, with their standard input."""
    hypotheses = here.run(["-m", "purebleu", *steps.ECHO.split()]).stdout
    core, more = steps.command_lines()
    return [*[Case(line.split(), hypotheses, may_miss=False) for line in core],
            *[Case(line.split(), hypotheses) for line in more]]


def missing_modules(place: Place) -> set[str]:
    """Return the missing modules: those that the package imports, and those that these modules need."""
    return {*place.run(["-c", PROBE, *imported_modules()]).stdout.decode().split()}


@lru_cache(maxsize=None)
def imported_modules() -> list[str]:
    """Return all modules of the standard library that the package imports."""
    names: set[str] = set()
    for file in (ROOT / "purebleu").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    return sorted(names)


def named_module(errors: bytes, missing: Collection[str]) -> str | None:
    """Return the missing module that the last line names, or `None`."""
    last = "".join(lines_of(errors)[-1:])
    return next((name for name in sorted(missing) if re.search(rf"(?<![\w.]){re.escape(name)}\b", last)), None)


def ending(case: Case, expected: CompletedProcess[bytes], found: CompletedProcess[bytes],
           missing: Collection[str]) -> str:
    """Return the outcome of a command line, one of `ENDINGS`. Print a message if it is `FAILED`."""
    same_output = comparable(case, found.stdout) == comparable(case, expected.stdout)
    if found.returncode == expected.returncode and same_output and b"Traceback" not in found.stderr:
        return EQUAL
    if (case.may_miss and found.returncode == 1 and not found.stdout and found.stderr.count(b"\n") == 1
            and named_module(found.stderr, missing)):
        return LACKING
    tell(f"purebleu {' '.join(case.arguments)}: exit code {found.returncode} for {expected.returncode}, "
         f"{'the same' if same_output else 'another'} output", lines_of(found.stderr)[-4:])
    return FAILED


def comparable(case: Case, output: bytes) -> object:
    """Return the part of an output that has to be equal. (The layout of help varies, so only option names count.)"""
    return re.findall(rb"(?m)^  (--[a-z-]+)", output) if "--help" in case.arguments else output


def digest_of(place: Place, missing: Collection[str]) -> tuple[str, bool]:
    """Return the digest's cell of the table, and whether the digest is as expected."""
    done = place.run(["scripts/digest.py"])
    lines, golden = lines_of(done.stdout), golden_lines()
    found = "the same"
    if done.returncode:
        module = named_module(done.stderr, missing)
        if module is None or not lines:
            tell("digest.py", lines_of(done.stderr)[-4:])
            return "failed", False
        found = f"{len(lines)} of {len(golden)} parts, then it needs {module}"
        golden = golden[:len(lines)]
    differing = differences(lines, golden)
    if differing:
        tell("digest.py: parts differ", differing)
        return "differs", False
    return found, True


# The report

def report(root: Root, here: Place, answered: Sequence[tuple[Case, CompletedProcess[bytes]]]) -> tuple[list[str], bool]:
    """Run all tests in the root; return its row of the table, and whether all is well."""
    place = place_of(root)
    interpreter, processor = lines_of(place.run(["-c", DESCRIBE]).stdout)
    missing = missing_modules(place) - missing_modules(here)
    if missing:
        print(f"of the modules that the package imports, these fail: {', '.join(sorted(missing))}", flush=True)
    digest, digest_is_fine = digest_of(place, missing)
    endings = Counter(ending(case, expected, case.answer(place), missing) for case, expected in answered)
    emulated = " (emulated)" if len(place.command) > 1 else ""
    row = [root.name, interpreter.strip(), f"{processor}{emulated}", digest, *[str(endings[name]) for name in ENDINGS]]
    return row, digest_is_fine and not endings[FAILED]


def check_rights() -> None:
    """Raise `Failed` if a program or a right is missing."""
    absent = [name for name in ("apt-get", "dpkg", "dpkg-deb", ENTER[0]) if shutil.which(name) is None]
    if absent:
        raise Failed(f"there is no {', no '.join(absent)}")
    checked(*ENTER, "--root=/", "true")
    try:
        with tempfile.TemporaryDirectory(dir=FOLDER) as temporary:
            os.mknod(f"{temporary}/null", stat.S_IFCHR, os.makedev(*DEVICES["null"]))
    except PermissionError as error:
        raise Failed(f"making a device: {error.strerror}") from error


def try_roots(roots: Sequence[Root]) -> bool:
    """Test these roots, and print the table; return whether all is well."""
    copy_checkout(FOLDER / "here")
    here = Place(FOLDER / "here", [sys.executable], is_root=False)
    answered = [(case, case.answer(here)) for case in cases(here)]
    rows, all_fine = [["machine", "interpreter", "built for", "digest", *ENDINGS]], True
    for root in roots:
        print(f"== {root.name}", flush=True)
        try:
            row, is_fine = report(root, here, answered)
        except (Failed, OSError, subprocess.SubprocessError) as error:
            tell(str(error))
            row, is_fine = [root.name, "-", "-", "not tried", *["-"] * len(ENDINGS)], False
        rows.append(row)
        all_fine &= is_fine
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(map(str.ljust, row, widths)).rstrip())
    return all_fine


def main(parser: ArgumentParser) -> int:
    roots = {root.name: root for root in ROOTS}
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(roots)} (default: all)")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in roots]
    if unknown:
        parser.error(f"{unknown[0]}: not one of {', '.join(roots)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        check_rights()
    except Failed as error:
        print(f"foreign: error: {error} (run this as root, on Debian)", file=sys.stderr)
        return 2
    return 0 if try_roots([roots[name] for name in options.names or roots]) else 1
