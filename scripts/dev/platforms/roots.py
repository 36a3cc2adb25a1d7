"""Make the smallest root folders in which purebleu runs, and measure it there: what images of containers would hold.

    python3 scripts/dev/platforms roots --data DIR                      # all of them; DIR has WMT22 en-de
    python3 scripts/dev/platforms roots --data DIR --only slim scratch  # some
    python3 scripts/dev/platforms roots --data DIR --runs 21            # more runs of each program

The roots follow the files in `scripts/containers/`, whose scripts make them here, too; but packages are unpacked, not
installed, so what their own scripts would do is left out. (The interpreter's library is compiled, as they do.) All
packages are from Debian trixie:

- `slim`: what the image debian:trixie-slim has (essential packages and apt) and python3-minimal. As in that image,
  there is no documentation, no manual, no translation (`NOT_IN_SLIM`), and no list or cache of apt.
- `distroless`, `python3`, `pypy3`: an interpreter, its library (without `test`, `idlelib`, `turtledemo`, `pydoc_data`),
  and the shared libraries that these load. Nothing else of the packages is kept: no shell, no tools (dpkg, perl, tar),
  no locales, no documentation. From python3-minimal, `_ssl` and `_hashlib` are left out, with the OpenSSL that they
  load: nothing can be fetched there.
- `scratch`: a static CPython with musl, built from Debian's source, and one archive of bytecode with what purebleu
  imports of the standard library.

A container gives each of them /dev, /proc and /tmp; here they are empty folders and devices, which count nothing.
Each is run with its root folder read-only, with PYTHONDONTWRITEBYTECODE=1, on the BLEU of one system: purebleu.pyz,
whose modules are compiled anew in each run; the folder `purebleu` with its bytecode; and sacreBLEU with what it needs
and its bytecode, from PyPI's wheels. (Where that fails, it gets a folder /tmp to write to.) The runs of all programs
take turns. A root is only kept if purebleu prints the same there as on the Python that runs this script.

Prints a table in Markdown. It needs Linux, root's rights, apt, and pip; building takes ten minutes, a network, and
1.5 GB of disk. Roots are kept for the next run; to get newer packages, remove them. Exit codes: 0 all is well, 1 a root
could not be made or prints something else, 2 this cannot be done here.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import build_backend
from make_zipapp import write_zipapp

from dev.benchmarks.corpora import original_files
from dev.benchmarks.errors import Failed, Skipped
from dev.benchmarks.measuring import MEGABYTE, VERSION_FIELD, launched
from dev.benchmarks.table import markdown
from dev.benchmarks.tasks import EN_DE
from dev.platforms.foreign import (
    EQUAL,
    FAILED,
    LACKING,
    Root,
    cases,
    check_rights,
    copy_checkout,
    ending,
    furnish,
    made,
    missing_modules,
    named_module,
    own_apt,
)
from dev.platforms.places import ENTER, ROOT, Place, Unavailable, checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Iterable, Iterator, Mapping, Sequence

    from dev.benchmarks.measuring import Sample

CONTAINERS = ROOT / "scripts" / "containers"
RELEASE = "trixie"
SACREBLEU = "2.6.0"

#: Paths of Debian's packages that debian:trixie-slim leaves out, and those that apt leaves behind.
NOT_IN_SLIM = ("usr/share/doc", "usr/share/groff", "usr/share/info", "usr/share/linda", "usr/share/lintian",
               "usr/share/locale", "usr/share/man", "var/cache/apt", "var/lib/apt/lists")

#: Settings that nobody changes inside a container.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/tmp"}

#: Makes the root folder read-only with other folders in it, for this process alone, and goes on with a command. `$1` is
#: the root; then come pairs of a folder and where it is to be, an empty word, and the command. /tmp is read-only, too,
#: unless `WRITABLE` says something.
ENCLOSE = """\
set -e
root=$1
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
while [ "$1" ]; do
    mount --bind "$1" "$root$2"
    mount -o remount,bind,ro "$root$2"
    shift 2
done
shift
mount -o remount,bind,ro "$root"
if [ "$WRITABLE" ]; then
    mount -t tmpfs tmpfs "$root/tmp"
fi
exec "$@"
"""

#: Compiles the library of an interpreter, as its package does when it is installed.
COMPILE_LIBRARY = "import compileall, os; compileall.compile_dir(os.path.dirname(os.__file__), quiet=1)"

#: Compiles what sacreBLEU needs. (Of the files that are templates, not all are Python.)
COMPILE_SITE = "import compileall; compileall.compile_dir('/site', quiet=2)"

#: Prints the options of pip for the wheels that fit to an interpreter.
WHEELS = """
import sys
number = "%d%d" % sys.version_info[:2]
version = "%d.%d" % sys.version_info[:2]
if sys.implementation.name == "pypy":
    print("--implementation", "pp", "--abi", "pypy%s_pp73" % number, "--python-version", version)
else:
    print("--implementation", "cp", "--abi", "cp" + number, "--abi", "abi3", "--python-version", version)
"""

#: Where things are in each root.
ZIPAPP, APP, DATA, SITE = "/purebleu.pyz", "/app", "/data", "/site"


class Image(NamedTuple):
    """A root folder: how the table calls it, the packages it is made from, its interpreter, the function that makes it.

    The function gets the name of the interpreter, the folder with the unpacked packages, and the folder to fill.
    """

    name: str
    title: str
    packages: str
    python: str
    make: Callable[[str, Path, Path], None]


class Program(NamedTuple):
    """A program that is run and measured: a column of the table. The folder is where Python finds its modules."""

    title: str
    arguments: tuple[str, ...]
    folder: str = ""


ZIPPED = Program("`purebleu.pyz`", (ZIPAPP,))
COMPILED = Program("purebleu, compiled", ("-m", "purebleu"), APP)
RIVAL = Program(f"sacreBLEU {SACREBLEU}, compiled", ("-m", "sacrebleu"), SITE)
PROGRAMS = (ZIPPED, COMPILED, RIVAL)


# How roots are made

def make_slim(python: str, base: Path, target: Path) -> None:
    """Everything, except what Debian's slim images lack."""
    checked(["cp", "--archive", str(base), str(target)])
    remove(target, NOT_IN_SLIM)
    inside(target, [python, "-c", COMPILE_LIBRARY])


def make_bare(python: str, base: Path, target: Path) -> None:
    """The interpreter, its library, and what these load."""
    with steps(base, ("interpreter_only.sh",)):
        inside(base, ["sh", "/steps/interpreter_only.sh", python, "/steps/image"])
        (base / "steps" / "image").rename(target)
    furnish(target)


def make_static(python: str, base: Path, target: Path) -> None:
    """A static Python, built from its source."""
    with steps(base, ("static_python.sh", "zip_library.py")) as folder, tempfile.TemporaryDirectory() as apt:
        source = own_apt(Root("", RELEASE, "", python), Path(apt), "deb-src")
        checked([*source, "source", "--download-only", "python3.13", "zlib"], folder)
        shutil.copytree(ROOT / "purebleu", folder / "purebleu", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "image").mkdir()
        inside(base, ["sh", "/steps/static_python.sh", "/steps", "/steps/purebleu", "/steps/image"])
        (folder / "image").rename(target)
    furnish(target)


@contextmanager
def steps(base: Path, scripts: Iterable[str]) -> Iterator[Path]:
    """A folder `steps` in the base while this lasts, with these scripts for containers."""
    folder = base / "steps"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        for name in scripts:
            shutil.copy(CONTAINERS / name, folder)
        yield folder
    finally:
        shutil.rmtree(folder)


def inside(root: Path, command: Sequence[str]) -> str:
    """Run a command in the root folder, which it may change; returns what it prints, or raises `Unavailable`."""
    variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    return checked(["env", "-i", *variables, *ENTER, f"--root={root}", "--wd=/", *command])


def remove(root: Path, names: Iterable[str]) -> None:
    """Remove these files and folders from the root, as far as they are there."""
    for name in names:
        path = root / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.exists() or path.is_symlink():
            path.unlink()


IMAGES = (
    Image("slim", "Debian slim with `python3-minimal`", "?essential apt python3-minimal", "/usr/bin/python3",
          make_slim),
    Image("distroless", "`python3-minimal` and its libraries alone", "?essential python3-minimal", "/usr/bin/python3",
          make_bare),
    Image("python3", "`python3` and its libraries alone", "?essential python3", "/usr/bin/python3", make_bare),
    Image("pypy3", "`pypy3` and its libraries alone", "?essential pypy3", "/usr/bin/pypy3", make_bare),
    Image("scratch", "a static Python alone", "?essential gcc make musl-tools xz-utils", "/usr/bin/python",
          make_static),
)


def prepared(image: Image, folder: Path) -> Path:
    """The image's root, with purebleu in it; made now, unless an earlier run has left it."""
    kept = folder / image.name
    target = kept if kept.is_dir() else folder / f"{image.name}.new"
    if target != kept:
        base = made(Root(f"{image.name}.packages", RELEASE, image.packages, image.python), folder)
        shutil.rmtree(target, ignore_errors=True)
        image.make(image.python, base, target)
    remove(target, [name[1:] for name in (ZIPAPP, APP, DATA, SITE)])
    for name in (DATA, SITE):
        (target / name[1:]).mkdir()
    write_zipapp(build_backend.ROOT, target / ZIPAPP[1:])
    shutil.copytree(ROOT / "purebleu", target / APP[1:] / "purebleu", ignore=shutil.ignore_patterns("__pycache__"))
    inside(target, [image.python, "-m", "compileall", "-q", APP])
    return target


def folder_size(folder: Path) -> int:
    """The bytes of all files in a folder, each once whatever its number of names; links and devices count nothing."""
    files = (path.lstat() for path in folder.rglob("*"))
    sizes = {(status.st_dev, status.st_ino): status.st_size for status in files if stat.S_ISREG(status.st_mode)}
    return sum(sizes.values())


# Runs in the roots

class Bench(NamedTuple):
    """Data that all roots share: this Python's own output, the files that are scored, and the folder of all roots."""

    folder: Path
    data: Path
    names: tuple[str, ...]
    expected: bytes

    def run(self, root: Path, python: str, program: Program, site: Path | None = None, writable: str = "") -> Sample:
        """Run a program in the root, which is read-only, and measure the process. Raises `Failed`.

        `site` is the folder with sacreBLEU. Whether /tmp can be written to: `writable` is empty or not.
        """
        folders = [(self.data, DATA), *([(site, SITE)] if site and program is RIVAL else [])]
        enclose = ["unshare", "--mount", "sh", "-c", ENCLOSE, "sh", str(root),
                   *(str(word) for pair in folders for word in pair), "", sys.executable]
        reference, hypothesis = (f"{DATA}/{name}" for name in self.names)
        command = [shutil.which("chroot") or "", str(root), python, *program.arguments, reference, "-i", hypothesis]
        environment = {**ENVIRONMENT, "PYTHONPATH": program.folder, "PYTHONDONTWRITEBYTECODE": "1",
                       "WRITABLE": writable}
        return launched(program.title, enclose, command, environment, self.folder)

    def is_right(self, program: Program, output: bytes) -> bool:
        """Whether this is what the program has to print: for sacreBLEU, but for the version that it states."""
        return output == (VERSION_FIELD.sub(rb"\g<1>" + SACREBLEU.encode(), self.expected)
                          if program is RIVAL else self.expected)


class Outcome(NamedTuple):
    """Findings on a root: bytes, command lines that run there, and each program's runs, or why it has none."""

    image: Image
    root: Path
    site: Path | None
    size: int
    what_runs: str
    samples: dict[Program, list[Sample]]
    reasons: dict[Program, str]
    writable: str  # not empty if sacreBLEU has to write to /tmp


def tried(image: Image, bench: Bench) -> Outcome:
    """Make the root, and try everything in it once. Raises `Unavailable` if purebleu is not right there."""
    tell(f"{image.name}: making the root")
    root = prepared(image, bench.folder)
    size = folder_size(root) - (root / ZIPAPP[1:]).stat().st_size
    samples: dict[Program, list[Sample]] = {}
    for program in (ZIPPED, COMPILED):
        if not bench.is_right(program, bench.run(root, image.python, program).result):
            raise Unavailable(f"{program.title} prints something else in {root}")
        samples[program] = []
    if root.name != image.name:
        root = root.rename(bench.folder / image.name)
    tell(f"{image.name}: trying sacreBLEU")
    site, writable = None, ""
    reasons: dict[Program, str] = {}
    try:
        site = site_of(image, root, bench.folder)
        writable = need_of_rival(image, root, bench, site)
        samples[RIVAL] = []
    except (Unavailable, Failed) as error:
        reasons[RIVAL] = last_words(str(error))
    tell(f"{image.name}: trying command lines")
    words = what_runs(image, root, bench.folder)
    return Outcome(image, root, site, size, words, samples, reasons, writable)


def need_of_rival(image: Image, root: Path, bench: Bench, site: Path) -> str:
    """The condition for sacreBLEU to run in this root: empty, or a word if /tmp must be writable. Raises `Failed`."""
    try:
        output, writable = bench.run(root, image.python, RIVAL, site).result, ""
    except Failed:
        output, writable = bench.run(root, image.python, RIVAL, site, "yes").result, "yes"
    if not bench.is_right(RIVAL, output):
        raise Failed("it prints something else")
    return writable


def site_of(image: Image, root: Path, folder: Path) -> Path:
    """The folder with sacreBLEU and all it needs for the root's interpreter; unpacked now, unless it is there."""
    options = inside(root, [image.python, "-c", WHEELS]).split()
    site = folder / f"sacrebleu-{options[1]}{options[-1]}"
    if not site.is_dir():
        machine = platform.machine()
        # (Debian trixie has glibc 2.41; the oldest wheels are for 2.17.)
        platforms = [f"manylinux2014_{machine}", *(f"manylinux_2_{minor}_{machine}" for minor in range(17, 42))]
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:",
               "--no-compile", *options, *(f"--platform={name}" for name in platforms)]
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            checked([*pip, "--target", f"{temporary}/site", f"sacrebleu=={SACREBLEU}"])
            (root / SITE[1:]).rmdir()
            shutil.copytree(f"{temporary}/site", root / SITE[1:])
            try:
                inside(root, [image.python, "-c", COMPILE_SITE])
                (root / SITE[1:]).rename(site)
            finally:
                remove(root, [SITE[1:]])
                (root / SITE[1:]).mkdir()
    return site


def last_words(message: str) -> str:
    """The end of an error's message: of its last line, or of what stands after the last slash between spaces."""
    return message.splitlines()[-1].rpartition(" / ")[2].replace("ERROR:", "pip:").strip()


def what_runs(image: Image, root: Path, folder: Path) -> str:
    """In words, which of the command lines of `foreign.py` do in this root what they do here."""
    copy_checkout(folder / "here")
    copy_checkout(root)
    try:
        here, place = Place(folder / "here", [sys.executable], False), Place(root, [image.python], True)
        missing = missing_modules(place) - missing_modules(here)
        endings: Counter[str] = Counter()
        lacking: set[str] = set()
        for case in cases(here, with_golden=False):
            found = case.answer(place)
            word = ending(case, case.answer(here), found, missing)
            endings[word] += 1
            if word == LACKING:
                lacking.add(named_module(found.stderr, missing) or "")
    finally:
        remove(root, ["project"])
    return in_words(endings, lacking)


def in_words(endings: Mapping[str, int], lacking: Iterable[str]) -> str:
    """The outcomes of the command lines, as a cell of a table.

    >>> in_words({"equal": 30, "lacking": 7}, {"html", "gzip"})
    '30 of 37 command lines; the others lack `gzip`, `html`'
    """
    total = sum(endings.values())
    if endings.get(EQUAL) == total:
        return f"all of {total} command lines"
    parts = [f"{endings.get(EQUAL, 0)} of {total} command lines"]
    if endings.get(LACKING):
        parts.append("the others lack " + ", ".join(f"`{name}`" for name in sorted(lacking)))
    if endings.get(FAILED):
        parts.append(f"{endings[FAILED]} fail")
    return "; ".join(parts)


def measure(outcomes: Sequence[Outcome], bench: Bench, runs: int) -> None:
    """Run each program `runs` times, taking turns, and add the runs to the outcomes. Raises `Failed`."""
    for number in range(runs):
        tell(f"run {number + 1} of {runs}")
        for outcome in outcomes:
            for program, samples in outcome.samples.items():
                samples.append(bench.run(outcome.root, outcome.image.python, program, outcome.site, outcome.writable))


# The table

HEADINGS = ("root", "MB", "what of purebleu runs there", *(program.title for program in PROGRAMS))


def row(outcome: Outcome) -> list[str]:
    """The cells of a root, as in `HEADINGS`."""
    cells = [outcome.image.title, megabytes(outcome.size), outcome.what_runs]
    for program in PROGRAMS:
        if program in outcome.reasons:
            cells.append(f"`{outcome.reasons[program]}`")
        else:
            cells.append(run_cell(outcome.samples[program]))
    if outcome.site and RIVAL in outcome.samples:
        cells[-1] += f"; root of {megabytes(outcome.size + folder_size(outcome.site))} MB with it"
        cells[-1] += ", and a writable `/tmp`" if outcome.writable else ""
    return cells


def run_cell(samples: Sequence[Sample]) -> str:
    """The median time of runs with its spread, and their median peak of memory."""
    times = [1000 * sample.wall for sample in samples]
    memory = median([sample.memory for sample in samples])
    return f"{median(times):.0f} ms ({min(times):.0f}-{max(times):.0f}), {memory:.1f} MB"


def megabytes(size: int) -> str:
    """Bytes in MB, to three digits or so.

    >>> megabytes(9_449_000), megabytes(94_490_000)
    ('9.4', '94')
    """
    return f"{size / MEGABYTE:.1f}" if size < 20 * MEGABYTE else f"{size / MEGABYTE:.0f}"


def print_table(outcomes: Sequence[Outcome], runs: int) -> None:
    """Print the table, and how it was measured."""
    print(markdown(HEADINGS))
    print(markdown(["---"] * len(HEADINGS)))
    for outcome in outcomes:
        print(markdown(row(outcome)))
    print(f"\nMB: all files of the root, with purebleu and its bytecode. Programs: one process, median of {runs} runs "
          f"in turn (lowest-highest), and the peak of its memory; BLEU of {EN_DE.systems[0]} on WMT22 {EN_DE.pair}; "
          f"the root is read-only. Linux {platform.release()}, {platform.machine()}, {os.cpu_count()} processors.")


def tell(message: str) -> None:
    """Print at once what is done now, where it does not mix with the table."""
    print(f"== {message}", file=sys.stderr, flush=True)


def bench_of(data: Path, folder: Path) -> Bench:
    """Data of all roots, with this Python's own score. Raises `Skipped` where data is missing, or `Failed`."""
    files = original_files(EN_DE, data)
    paths = [*files.references, *files.systems]
    command = [sys.executable, "-m", "purebleu", str(paths[0]), "-i", str(paths[1])]
    expected = launched("purebleu here", [sys.executable], command, {**ENVIRONMENT, "PYTHONPATH": str(ROOT)}, folder)
    return Bench(folder, paths[0].parent, tuple(path.name for path in paths), expected.result)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the folder with WMT22 en-de")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[image.name for image in IMAGES],
                        help=f"these roots, of {', '.join(image.name for image in IMAGES)}")
    parser.add_argument("--runs", type=int, default=11, help="of each program in each root (default: %(default)s)")
    parser.add_argument("--root-folder", metavar="DIR", type=Path, default=ROOT / ".environments" / "roots",
                        help="where the roots are kept (default: .environments/roots)")
    options = parser.parse_args(argv)
    folder = options.root_folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        check_rights(folder)
        bench = bench_of(options.data.resolve(), folder)
    except (Unavailable, Skipped, Failed) as error:
        print(f"this cannot be done here (it has to be done by root): {error}", file=sys.stderr)
        return 2
    outcomes, all_fine = [], True
    for image in IMAGES:
        if options.only and image.name not in options.only:
            continue
        try:
            outcomes.append(tried(image, bench))
        except (Unavailable, Failed, OSError, subprocess.SubprocessError) as error:
            tell(f"{image.name}: {error}")
            all_fine = False
    measure(outcomes, bench, options.runs)
    print_table(outcomes, options.runs)
    return 0 if all_fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
