"""Try the package on interpreters that this machine does not have: of other releases and processors, and of Windows.

    python3 scripts/dev/platforms foreign                     # in all roots: the digest, and command lines
    python3 scripts/dev/platforms foreign NAME ...            # in some of the roots
    python3 scripts/dev/platforms foreign --suite             # the core of the tests, too
    python3 scripts/dev/platforms foreign windows             # on Windows's CPython of several versions, with all tests
    python3 scripts/dev/platforms foreign windows-3.13        # of this version
    python3 scripts/dev/platforms foreign windows-3.8 --tests rows/test_rows.py ...    # with these files of tests alone
    python3 scripts/dev/platforms foreign --list              # what there is

apt downloads the packages of an interpreter, from the mirror that this machine uses, and they are unpacked into a
folder that becomes the root folder of its processes (so this has to be run by root, on a Debian). Other processors are
emulated by qemu-user-static. Nothing on the machine is installed or changed. The roots are kept for the next run; to
get newer packages, remove them.

Debian's smallest Python, python3-minimal, lacks much of the standard library: there, what needs none of that has to
work, and the rest may end with one line that names the missing module. The tests need all of it, and emulated they
would take hours; so where they cannot be run, `--suite` runs the golden command lines alone.

Windows's CPython is run by wine (`windows.py`). It has the whole standard library, and nothing may be missing
there. Files of tests are run one after the other, each with a limit of time; what is skipped is listed with the reason.

Each command line has to print the same bytes as on the Python that runs this script, with the same exit code.
Exit codes: 0 all is well, 1 something differs or fails, 2 this cannot be done here.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from digest import differences, golden_lines

from dev.platforms import windows
from dev.platforms.places import ENTER, ROOT, Place, Unavailable, checked, lines_of, tell
from dev.platforms.wasm import COPIED, install_test_requirements
from dev.platforms.wasm import FOLDER as WEBASSEMBLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Collection, Iterable, Mapping, Sequence

    from dev.platforms.places import Process


class Root(NamedTuple):
    """A root folder with an interpreter: the package of a release of Debian, with all that it depends on.

    Several packages are separated by spaces.
    """

    name: str
    release: str
    package: str
    python: str
    architecture: str = ""  # this machine's


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

#: How programs for another architecture are run. (A processor without pointer authentication: it would take ten times
#: as long.)
EMULATORS = {
    "amd64": ("qemu-x86_64-static",),
    "arm64": ("qemu-aarch64-static", "-cpu", "cortex-a72"),
    "i386": ("qemu-i386-static",),
    "s390x": ("qemu-s390x-static",),
}

#: The keys that Debian signs with, for apt, which may not trust them by default.
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

#: apt with folders of its own: it knows of no installed package, and runs nothing after an update.
APT_CONFIGURATION = """\
Dir::State "{folder}";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "-";
APT::Architecture "{architecture}";
APT::Sandbox::User "root";
Acquire::Languages "none";
#clear APT::Architectures;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""

#: Devices that processes expect in /dev: the numbers of each.
DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9)}

#: Symbolic links at the top of a Debian system.
MERGED = ("bin", "sbin", "lib", "lib32", "lib64")

#: The name of all of Windows's machines.
WINDOWS = "windows"

SCORE = "reference.txt -i hypothesis.txt"
SYSTEMS = "reference.txt -i hypothesis.txt shuffled.txt capitals.txt"
TEST_SET = "-t sample -l en-de"

#: Command lines that work wherever there is a Python. (Files are those of `tests/fixtures/cli`, and two long ones.)
CORE = (
    "--version",
    "--help",
    SCORE,
    f"{SCORE} -f text",
    f"{SCORE} -f text -m bleu chrf ter -w 14",
    f"{SCORE} -m bleu chrf ter",
    f"{SCORE} -sl -w 14",
    f"{SCORE} -tok char -lc -b",
    f"{SCORE} -tok intl -f text",
    f"{SCORE} -m chrf -cw 2 -b -w 14",
    f"{SCORE} -m ter --ter-normalized --ter-asian-support",
    "reference.zh.txt -i hypothesis.zh.txt -tok zh -f text",
    "reference.txt reference2.txt -i hypothesis.txt -m bleu chrf ter -f text",
    "long.reference.txt -i long.txt -m bleu chrf -j 2 -w 14",  # in one process, where there is no other way
    f"{TEST_SET} --echo all",
    f"{TEST_SET} -f text",
    "--list",
    "reference.txt -i missing.txt",
    "reference.txt -i hypothesis.invalid.txt",
    "reference.txt -i empty.txt",
    f"{SCORE} -w -1",
)

#: Command lines that may need more of the standard library than there is.
MORE = (
    f"{SCORE} -ci -cin 200 -m bleu chrf ter -f text",
    f"{SCORE} -ci -cin 200 -m ter --rng numpy",
    SYSTEMS,
    f"{SYSTEMS} -m bleu chrf ter -f text",
    f"{SYSTEMS} -f markdown",
    f"{SYSTEMS} -f html",
    f"{SYSTEMS} -f latex",
    f"{SCORE} -f html",
    f"{SYSTEMS} -ci -cin 200",
    f"{SYSTEMS} -m bleu chrf ter --paired-bs -pbsn 200 -f text",
    f"{SYSTEMS} -m bleu --paired-ar -parn 200",
    f"{SYSTEMS} -m bleu chrf --rank --paired-bs -pbsn 200 -f text",
    "reference.txt.gz -i hypothesis.txt.gz -f text",
    "reference.txt -i hypothesis.truncated.gz",
    f"{TEST_SET} --citation",
    "-t wmt18 -l en-de --offline --echo src",
)

#: Forms of file names on Windows: command lines, and those that have to print the same here.
NAMES_ON_WINDOWS = {
    "REFERENCE.TXT -i Hypothesis.txt -f text": f"{SCORE} -f text",
    r".\reference.txt -i .\hypothesis.txt -f text": f"{SCORE} -f text",
    r"..\cli\reference.txt -i ../cli\hypothesis.txt -m chrf": f"{SCORE} -m chrf",
    r"{folder}\reference.txt -i {folder}/hypothesis.txt": SCORE,
    r"\\?\{folder}\reference.txt -i {folder}\hypothesis.txt": SCORE,
    r"{folder}\reference.txt.gz -i .\hypothesis.txt.gz -f text": "reference.txt.gz -i hypothesis.txt.gz -f text",
}

#: The core of the tests: whatever does not depend on how it was installed.
SUITE = ("test_golden*.py", "test_portability.py", "test_significance.py", "test_ter.py", "test_workers.py")

#: Prints the name and version of the interpreter, and the processor and system it was built for.
DESCRIBE = """
import sys
version = ".".join(map(str, sys.implementation.version[:3]))
python = sys.version.split()[0]
print(sys.implementation.name, version, "" if python.startswith(version) else "(%s)" % python)
print(sys.implementation._multiarch)
"""

#: Tries to import what it is given; prints the names of what fails, and of the modules that these need in vain.
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

#: How a command line may end: like here, with one line that names a missing module, or not as it should.
ENDINGS = EQUAL, LACKING, FAILED = "equal", "lacking", "failed"


class Case(NamedTuple):
    """A command line, what it finds, and whether it may end because a module is missing."""

    arguments: Sequence[str]
    stdin: bytes
    environment: Mapping[str, str] = MappingProxyType({})
    may_miss: bool = True

    def answer(self, place: Place) -> Process:
        return place.run(["-m", "purebleu", *self.arguments], self.stdin, self.environment, "tests/fixtures/cli")


# The roots

def made(root: Root, folder: Path) -> Path:
    """The folder of the root; unpacked now, unless an earlier run has left it."""
    target = folder / root.name
    if not target.is_dir():
        print("downloading and unpacking", flush=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            new = Path(temporary, "root")
            for package in downloaded(root, Path(temporary, "apt")):
                checked(["dpkg-deb", "--extract", str(package), str(new)])
            furnish(new)
            new.rename(target)
    return target


def downloaded(root: Root, folder: Path) -> list[Path]:
    """Download the root's packages and all that they depend on."""
    apt = own_apt(root, folder)
    checked([*apt, "install", "--yes", "--no-install-recommends", "--download-only", *root.package.split()])
    return sorted((folder / "archives").glob("*.deb"))


def own_apt(root: Root, folder: Path, kind: str = "deb") -> list[str]:
    """The start of a command of apt that keeps all it has in the folder, and knows the packages of the root's release.

    With the kind `deb-src`, it knows their sources.
    """
    for name in ("archives", "lists"):
        (folder / name / "partial").mkdir(parents=True)
    (folder / "status").touch()
    options = f"[signed-by={KEYRING}] " if KEYRING.is_file() else ""
    (folder / "sources.list").write_text(f"{kind} {options}{mirror()} {root.release} main\n", encoding="utf-8")
    configuration = folder / "apt.conf"
    configuration.write_text(APT_CONFIGURATION.format(folder=folder, architecture=architecture_of(root)),
                             encoding="utf-8")
    apt = ["apt-get", "--quiet", "--config-file", str(configuration)]
    checked([*apt, "update"])
    return apt


@lru_cache(maxsize=None)
def mirror() -> str:
    """The address that this machine's own apt has Debian's packages from."""
    found = checked(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"])
    if not found:
        raise Unavailable("apt is set up for no mirror of Debian here")
    return found.split()[0]


@lru_cache(maxsize=None)
def own_architecture() -> str:
    return checked(["dpkg", "--print-architecture"]).strip()


def architecture_of(root: Root) -> str:
    return root.architecture or own_architecture()


def furnish(folder: Path) -> None:
    """Add what an installation would make."""
    for name in MERGED:
        if not (folder / name).exists():
            (folder / name).symlink_to(f"usr/{name}")
    for name in ("dev/shm", "proc", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, numbers in DEVICES.items():
        device = folder / "dev" / name
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(*numbers))
        device.chmod(0o666)


def place_of(root: Root, folder: Path) -> Place:
    """The root as a place to run things, with a fresh copy of the checkout."""
    target = made(root, folder)
    copy_checkout(target)
    return Place(target, [*emulator(root, target), root.python], is_root=True)


def emulator(root: Root, folder: Path) -> list[str]:
    """The start of a command that runs programs of another architecture, copied into the root; empty without need."""
    architecture = architecture_of(root)
    if architecture == own_architecture() or (architecture, own_architecture()) == ("i386", "amd64"):
        return []
    name, *options = EMULATORS[architecture]
    program = shutil.which(name)
    if program is None:
        raise Unavailable(f"there is no {name} here, which Debian's qemu-user-static has")
    shutil.copy(program, folder / name)
    return [f"/{name}", *options]


def copy_checkout(folder: Path) -> None:
    """Copy what is needed of this checkout into the folder, with long files for the command lines."""
    project = folder / "project"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir(parents=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, project)
    (folder / "tmp").mkdir(exist_ok=True)
    add_long_files(project)


def add_long_files(project: Path) -> None:
    """Add long files for the command lines to a copy of the checkout."""
    files = project / "tests" / "fixtures" / "cli"
    for name in ("reference.txt", "hypothesis.txt"):
        (files / f"long.{name}").write_bytes((files / name).read_bytes() * 300)


# Trials

def cases_on_windows(here: Place, there: Place) -> list[tuple[Case, Process]]:
    """Command lines with names of files as only Windows has them, and what they have to print there."""
    folder = "Z:" + str(there.project / "tests" / "fixtures" / "cli").replace("/", "\\")
    return [(Case(line.format(folder=folder).split(), b"", may_miss=False), Case(same.split(), b"").answer(here))
            for line, same in NAMES_ON_WINDOWS.items()]


def cases(here: Place, with_golden: bool) -> list[Case]:
    """The command lines; with those that the oracle answered, if they are asked for."""
    hypotheses = here.run(["-m", "purebleu", *TEST_SET.split(), "--echo", "mixed"]).stdout
    chosen = [Case(line.split(), hypotheses, may_miss=False) for line in CORE]
    chosen += [Case(line.split(), hypotheses) for line in MORE]
    if with_golden:
        fixtures = ROOT / "tests" / "fixtures"
        for golden in json.loads((fixtures / "command_lines.json").read_bytes())["cases"]:
            stdin = (fixtures / "cli" / golden["stdin"]).read_bytes() if golden["stdin"] else b""
            chosen.append(Case(golden["arguments"], stdin, golden["environment"]))
    return chosen


def missing_modules(place: Place) -> set[str]:
    """The modules imported anywhere in the package that are not there, or need others that are not."""
    return {*place.run(["-c", PROBE, *imported_modules()]).stdout.decode().split()}


@lru_cache(maxsize=None)
def imported_modules() -> list[str]:
    """All modules of the standard library that the package imports anywhere."""
    names: set[str] = set()
    for file in (ROOT / "purebleu").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    return sorted(names)


def named_module(errors: bytes, missing: Collection[str]) -> str | None:
    """The missing module that the last line names."""
    last = "".join(lines_of(errors)[-1:])
    return next((name for name in sorted(missing) if re.search(rf"(?<![\w.]){re.escape(name)}\b", last)), None)


def ending(case: Case, expected: Process, found: Process, missing: Collection[str]) -> str:
    """The outcome of a command line, one of `ENDINGS`; prints what is wrong, if something is."""
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
    """The part of an output that has to be equal: of the help, whose layout varies, the names of its options."""
    return re.findall(rb"(?m)^  (--[a-z-]+)", output) if "--help" in case.arguments else output


def digest_of(place: Place, missing: Collection[str]) -> tuple[str, bool]:
    """A line about the digest, and whether all is well with it."""
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


def suite(place: Place) -> tuple[str, bool]:
    """Run the core of the tests; returns pytest's last line, and whether they pass."""
    install_test_requirements()
    shutil.copytree(WEBASSEMBLY / "site", place.folder / "project" / "site")
    files = [file for pattern in SUITE for file in sorted((ROOT / "tests").rglob(pattern))]
    tests = [file.relative_to(ROOT).as_posix() for file in files]
    done = place.run(["-m", "pytest", "-p", "no:cacheprovider", *tests])
    lines = lines_of(done.stdout or done.stderr)
    if done.returncode:
        tell("the tests", lines)
    return "".join(lines[-1:]), not done.returncode


# The report

def report(root: Root, place: Place, here: Place, answered: Sequence[tuple[Case, Process]],
           with_suite: bool) -> tuple[list[str], bool]:
    """Try everything in the root; returns its row of the table, and whether all is well."""
    interpreter, processor = lines_of(place.run(["-c", DESCRIBE]).stdout)
    is_emulated = len(place.command) > 1
    missing = missing_modules(place) - missing_modules(here)
    if missing:
        print(f"of the modules that the package imports, these fail: {', '.join(sorted(missing))}", flush=True)
    digest, digest_is_fine = digest_of(place, missing)
    endings = Counter(ending(case, expected, case.answer(place), missing) for case, expected in answered)
    tests, passed = "-", True
    if with_suite and not missing and not is_emulated:  # pytest needs all of them, and emulation would take hours
        tests, passed = suite(place)
    row = [root.name, interpreter.strip(), f"{processor}{' (emulated)' if is_emulated else ''}", digest,
           *[str(endings[name]) for name in ENDINGS], tests]
    return row, digest_is_fine and passed and not endings[FAILED]


def report_of_windows(name: str, place: Place, here: Place, answered: Sequence[tuple[Case, Process]],
                      tests: Sequence[str], limit: float) -> tuple[list[str], bool]:
    """Try everything on the machine; returns its row of the table, and whether all is well."""
    start = time.monotonic()
    interpreter, _ = lines_of(place.run(["-c", DESCRIBE.replace("sys.implementation._multiarch", "''")]).stdout)
    digest, digest_is_fine = digest_of(place, ())
    answered = [*answered, *cases_on_windows(here, place)]
    endings = Counter(ending(case, expected, case.answer(place), ()) for case, expected in answered)
    print(f"digest: {digest}; command lines: {endings[EQUAL]} of {len(answered)} equal", flush=True)
    outcomes = windows.suite(place, tests, limit)
    windows.list_skips(outcomes)
    failed = sum([outcome.failed for outcome in outcomes])
    told = (f"{sum([outcome.passed for outcome in outcomes])} passed, {failed} failed, "
            f"{sum([len(outcome.reasons) for outcome in outcomes])} skipped in {time.monotonic() - start:.0f} s")
    row = [name, interpreter.strip(), "Windows (wine)", digest, *[str(endings[name]) for name in ENDINGS], told]
    return row, digest_is_fine and not failed and endings[EQUAL] == len(answered)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print the rows in columns."""
    table = [("machine", "interpreter", "built for", "digest", *ENDINGS, "tests"), *rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    for row in table:
        print("  ".join(map(str.ljust, row, widths)).rstrip())


def list_machines(folder: Path) -> None:
    described = {root.name: f"{root.package} of {root.release}, {root.architecture or 'this architecture'}"
                 for root in ROOTS}
    described.update({f"{WINDOWS}-{version}": "Windows's CPython" for version in windows.VERSIONS})
    for name, text in described.items():
        print(f"{name}: {text}{' (unpacked)' if (folder / name).is_dir() else ''}")


def check_rights(folder: Path) -> None:
    """Raise `Unavailable` where this script has not what it needs."""
    needed = ("apt-get", "dpkg", "dpkg-deb", ENTER[0])
    absent = [name for name in needed if shutil.which(name) is None]
    if absent:
        raise Unavailable(f"there is no {', no '.join(absent)}")
    checked([*ENTER, "--root=/", "true"])
    try:
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            os.mknod(f"{temporary}/null", stat.S_IFCHR, os.makedev(*DEVICES["null"]))
    except PermissionError as error:
        raise Unavailable(f"making a device: {error.strerror}") from error


def place_here(folder: Path) -> Place:
    """This interpreter, with a fresh copy of the checkout."""
    copy_checkout(folder / "here")
    return Place(folder / "here", [sys.executable], is_root=False)


def try_roots(roots: Sequence[Root], folder: Path, with_suite: bool) -> bool:
    """Try these roots, and print the table; whether all is well."""
    here = place_here(folder)
    answered = [(case, case.answer(here)) for case in cases(here, with_suite)]
    return try_each([(root.name, partial(report_of_root, root, folder, here, answered, with_suite)) for root in roots])


def report_of_root(root: Root, folder: Path, here: Place, answered: Sequence[tuple[Case, Process]],
                   with_suite: bool) -> tuple[list[str], bool]:
    return report(root, place_of(root, folder), here, answered, with_suite)


def try_windows(versions: Sequence[str], folder: Path, tests: Sequence[str], limit: float) -> bool:
    """Try Windows's CPython of these versions, and print the table; whether all is well."""
    here = place_here(folder)
    answered = [(case, case.answer(here)) for case in cases(here, with_golden=False)]

    def tried(version: str) -> tuple[list[str], bool]:
        place = windows.machine_of(version, folder)
        add_long_files(place.project)
        try:
            return report_of_windows(f"{WINDOWS}-{version}", place, here, answered, tests, limit)
        finally:
            windows.end(place)

    return try_each([(f"{WINDOWS}-{version}", partial(tried, version)) for version in versions])


def try_each(machines: Iterable[tuple[str, Callable[[], tuple[list[str], bool]]]]) -> bool:
    """Try machines, each of which tells its row of the table, and whether all is well; print the table."""
    rows, all_fine = [], True
    for name, tried in machines:
        print(f"== {name}", flush=True)
        try:
            row, is_fine = tried()
        except (Unavailable, OSError, subprocess.SubprocessError) as error:
            tell(str(error))
            row, is_fine = [name, "-", "-", "not tried", *["-"] * len(ENDINGS), "-"], False
        rows.append(row)
        all_fine &= is_fine
    print_table(rows)
    return all_fine


def chosen(names: Sequence[str]) -> tuple[list[Root], list[str]]:
    """The roots, and the versions of Windows's CPython, that have these names; raises `ValueError` with another one."""
    roots = {root.name: root for root in ROOTS}
    versions: list[str] = []
    for name in names:
        if name == WINDOWS:
            versions += windows.VERSIONS
        elif re.fullmatch(WINDOWS + r"-3\.([89]|[1-9]\d)", name):
            versions.append(name[len(WINDOWS) + 1:])
        elif name not in roots:
            raise ValueError(f"{name}: not one of {', '.join([*roots, WINDOWS, f'{WINDOWS}-VERSION'])}")
    return [root for root in ROOTS if root.name in names], list(dict.fromkeys(versions))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"these machines (default: all but {WINDOWS})")
    parser.add_argument("--suite", action="store_true", help="the core of the tests, and the golden command lines, too")
    tests = windows.names_of_tests()
    parser.add_argument("--tests", nargs="+", metavar="FILE", default=tests, choices=tests,
                        help="on Windows: these files of tests (default: all)")
    parser.add_argument("--limit", type=float, metavar="SECONDS", default=windows.LIMIT,
                        help="on Windows: how long a file of tests may take (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the machines")
    parser.add_argument("--root-folder", metavar="DIR", type=Path, default=ROOT / ".environments" / "foreign",
                        help="where the machines are kept (default: .environments/foreign)")
    options = parser.parse_args(argv)
    folder = options.root_folder.resolve()
    if options.list:
        list_machines(folder)
        return 0
    try:
        roots, versions = chosen(options.names)
    except ValueError as error:
        parser.error(str(error))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if versions:
            windows.check_programs()
        if not versions or roots:
            check_rights(folder)
    except Unavailable as error:
        by_root = "" if versions and not roots else " (it has to be done by root)"
        print(f"this cannot be done here{by_root}: {error}", file=sys.stderr)
        return 2
    is_fine = True
    if not versions or roots:
        is_fine &= try_roots(roots or ROOTS, folder, options.suite)
    if versions:
        is_fine &= try_windows(versions, folder, options.tests, options.limit)
    return 0 if is_fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
