"""Try vendored copies where they are meant for: in clones of real projects that use sacreBLEU, with their own tests.

    python3 scripts/dev/platforms hosts                      # in all of them
    python3 scripts/dev/platforms hosts --only NAME ...      # in some
    python3 scripts/dev/platforms hosts --source-root DIR    # clone from bare mirrors: DIR/OWNER+NAME/repo
    python3 scripts/dev/platforms hosts --list               # what there is

Each project, the host, is cloned at the revision named here. Its tests run with sacreBLEU from the package index. Then
`vendor.py` puts a copy into it, sacreBLEU is taken from its requirements, and its imports are edited; the tests run
again, in an environment where sacreBLEU can't be imported. Command lines of the host have to print the same as before,
and `vendor.py --check` has to be content with the copy. Only those tests run that have to do with scores, and need
neither the weights of models nor a network.

Clones and environments are kept for the next run (`--folder`), with all edits, to look at. PyTorch from PyPI has some
gigabytes on Linux; `PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu` lets pip find the smaller one.

The table that is printed is Markdown. Lines changed are those of `git diff --numstat`, without the copy.
Exit codes: 0 all is well, 1 something fails, 2 this cannot be done here.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple, Sequence

ROOT = Path(__file__).resolve().parents[3]

#: The package that the hosts' tests import before anything is changed.
ORIGINAL = "sacrebleu==2.6.0"

#: The files of text that command lines may name as `{files}`.
FILES = ROOT / "tests" / "fixtures" / "cli"


class Edit(NamedTuple):
    """Text of a host's file, which is there exactly once, and what replaces it."""

    file: str
    old: str
    new: str


class Host(NamedTuple):
    """A project that a copy is put into.

    Attributes:
        name: what it is called here.
        repository: owner and name on GitHub.
        revision: the hash of the commit that is cloned.
        copy: where the copy goes; a path that ends with `.py` is a single file.
        options: what `vendor.py` is told of the copy.
        edits: the host's lines that change.
        tests: arguments of Python that run its tests.
        commands: arguments of Python that have to print the same before and after.
        packages: what pip installs for it.
        stand_ins: modules that it imports, but that no score needs; importing them gives something that does nothing.
        absent: files that are not checked out, because mirrors may lack them for their size.
    """

    name: str
    repository: str
    revision: str
    copy: str
    options: Sequence[str]
    edits: Sequence[Edit]
    tests: Sequence[str]
    commands: Sequence[Sequence[str]] = ()
    packages: Sequence[str] = ()
    stand_ins: Sequence[str] = ()
    absent: Sequence[str] = ()


PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
TELESCOPE = "from telescope import purebleu as sacrebleu\n"

#: Prints the scores that MT-Telescope gives its own test data, with all digits: its tests look at two or three.
TELESCOPE_SCORES = (
    "from telescope.metrics import GLEU, TER, chrF, sacreBLEU; from tests.data import DATA_PATH as path; "
    "hyp, ref = [open(f'{path}/{name}_100.no').read().splitlines() for name in ('hyp1', 'ref')]; "
    "print(*[metric('no').score(ref, hyp, ref).sys_score for metric in (sacreBLEU, chrF, TER, GLEU)])"
)

HOSTS = (
    Host(
        "sockeye", "awslabs/sockeye", "871d9863d6a657d87de1c90f44977c5b70c99c7e",
        "sockeye/bleu",
        ("--only", "bleu", "chrf", "ter", "--tokenizers", "none", "13a",
         "--without", "datasets", "mecab", "sentencepiece", "significance", "agreement", "audit", "checks", "rows",
         "page", "evaluate", "ids", "report", "cli"),
        (
            Edit("requirements/requirements.txt", "sacrebleu>=2.3.0\n", ""),
            Edit("sockeye/evaluate.py", "import sacrebleu\n", ""),
            Edit("sockeye/evaluate.py", "from . import arguments\n",
                 "from . import arguments\nfrom . import bleu as sacrebleu\n"),
            Edit("sockeye/rerank.py", "import sacrebleu\n", ""),
            Edit("sockeye/rerank.py", "from . import arguments\n",
                 "from . import arguments\nfrom . import bleu as sacrebleu\n"),
            Edit("test/unit/test_bleu.py", "import sacrebleu\n", "from sockeye import bleu as sacrebleu\n"),
            Edit("test/unit/test_chrf.py", "import sacrebleu\n", "from sockeye import bleu as sacrebleu\n"),
        ),
        (*PYTEST, "test/unit/test_bleu.py", "test/unit/test_chrf.py", "test/unit/test_reranking.py",
         "test/unit/test_rouge.py"),
        commands=[("-m", "sockeye.evaluate", "--references", "{files}/reference.txt",
                   "--hypotheses", "{files}/hypothesis.txt", "{files}/shuffled.txt",
                   "--metrics", "bleu", "chrf", "ter")],
        packages=("pytest", "numpy", "pyyaml", "torch==2.13.0"),
    ),
    Host(
        "compare-mt", "neulab/compare-mt", "b6d8f79d02043243c3d8aa58373a0f4c55e17a69",
        "compare_mt/bleu.py",
        ("--only", "bleu", "--tokenizers", "13a", "--without", "significance", "ids", "report", "cli"),
        (
            Edit("requirements.txt", "sacrebleu\n", ""),
            Edit("setup.py", '    "sacrebleu"\n', ""),
            Edit("compare_mt/scorers.py", "import sacrebleu\n", ""),
            Edit("compare_mt/scorers.py", "from compare_mt import align_utils\n",
                 "from compare_mt import align_utils\nfrom compare_mt import bleu as sacrebleu\n"),
        ),
        (*PYTEST, "tests"),
        commands=[("-m", "compare_mt.compare_mt_main", "example/ted.ref.detok.eng", "example/ted.sys1.detok.eng",
                   "example/ted.sys2.detok.eng", "--compare_scores", "score_type=sacrebleu,bootstrap=20",
                   "--seed", "1")],
        packages=("pytest", "numpy", "nltk", "matplotlib", "absl-py", "six"),
        absent=("example/ted.train.eng",),
    ),
    Host(
        "MT-Telescope", "Unbabel/MT-Telescope", "3aad7dd76a228a8bd17daa317b86715f0b058f5b",
        "telescope/purebleu",
        ("--only", "bleu", "chrf", "ter", "--tokenizers", "13a", "zh", "ja-mecab",
         "--without", "datasets", "sentencepiece", "significance", "agreement", "audit", "checks", "rows", "page",
         "evaluate", "ids", "report", "cli"),
        (
            Edit("pyproject.toml", 'sacrebleu = ">=2.0.0"\n', ""),
            Edit("telescope/metrics/chrf/metric.py", "import sacrebleu\n", TELESCOPE),
            Edit("telescope/metrics/gleu/metric.py", "from sacrebleu.metrics.bleu import _get_tokenizer\n",
                 "from telescope.purebleu.metrics.bleu import _get_tokenizer\n"),
            Edit("telescope/metrics/sacrebleu/metric.py", "import sacrebleu\n", TELESCOPE),
            Edit("telescope/metrics/ter/metric.py", "import sacrebleu\n", TELESCOPE),
        ),
        ("-m", "unittest", *[f"tests.unit.metrics.test_{name}" for name in
                             ("sacrebleu", "chrf", "ter", "gleu", "zero_Edit")]),
        commands=[("-c", TELESCOPE_SCORES)],
        # (Its lock file still has sacreBLEU, for unbabel-comet needs that.)
        packages=("numpy", "pandas", "requests"),
        stand_ins=("altair", "bert_score", "comet", "matplotlib", "plotly", "pytorch_lightning", "seaborn", "stanza",
                   "streamlit", "torch"),
    ),
)

#: A module for an environment that lets other modules be imported without being there.
STAND_INS = '''\
"""Importing one of these modules, or one inside of it, gives a module where every name is a mock."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from unittest.mock import MagicMock

NAMES = {names!r}


class StandIn(ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return MagicMock()


class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return ModuleSpec(name, cls, is_package=True) if name.partition(".")[0] in NAMES else None

    @staticmethod
    def create_module(spec):
        return StandIn(spec.name)

    @staticmethod
    def exec_module(module):
        pass


sys.meta_path.append(Finder)
'''


class HostError(Exception):
    """Why a copy can't be tried in a host."""


class Place(NamedTuple):
    """A host's clone, and the folder of its environments."""

    host: Host
    clone: Path
    environments: Path

    @property
    def copy(self) -> Path:
        return self.clone / self.host.copy

    @property
    def is_file(self) -> bool:
        """Whether the copy is a single file."""
        return self.copy.suffix == ".py"


class Trial(NamedTuple):
    """The outcome of a host's tests and command lines.

    Attributes:
        passed: how many tests passed.
        is_fine: whether none of them failed.
        outputs: what each command line printed, after its exit code.
    """

    passed: int
    is_fine: bool
    outputs: Sequence[str]


def checked(command: Sequence[str | Path], folder: Path = ROOT) -> str:
    """Run a command; returns what it prints, or raises `HostError` with its last words."""
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True)
    if done.returncode:
        last = (done.stderr or done.stdout).decode(errors="replace").splitlines()[-4:]
        raise HostError("\n    ".join([" ".join([Path(command[0]).name, *map(str, command[1:3])]), *last]))
    return done.stdout.decode(errors="replace")


# The host's files


def clone_of(host: Host, folder: Path, source_root: Path | None) -> Path:
    """The host at its revision, with no edits: cloned now, unless an earlier run has left it."""
    clone = folder / f"{host.name}-{host.revision[:12]}"
    if not clone.is_dir():
        address = (str(source_root / host.repository.replace("/", "+") / "repo") if source_root
                   else f"https://github.com/{host.repository}")
        print(f"cloning {address}", flush=True)
        checked(["git", "clone", "--quiet", "--no-checkout", "--config", "core.autocrlf=false", address, clone])
    if host.absent:
        patterns = ["/*", *[f"!/{path}" for path in host.absent]]
        checked(["git", "sparse-checkout", "set", "--no-cone", *patterns], clone)
    checked(["git", "checkout", "--quiet", "--force", "--detach", host.revision], clone)
    checked(["git", "clean", "--quiet", "-ffdx"], clone)
    return clone


def apply(edits: Sequence[Edit], folder: Path) -> None:
    """Make the edits; raises `HostError` where a file has not the text that is to be replaced, once."""
    for edit in edits:
        path = folder / edit.file
        if not path.is_file():
            raise HostError(f"{edit.file} is to be edited, but it is not there")
        text = path.read_bytes().decode("utf-8")
        if text.count(edit.old) != 1:
            raise HostError(f"{edit.file} has {edit.old!r} {text.count(edit.old)} times, not once")
        path.write_bytes(text.replace(edit.old, edit.new).encode("utf-8"))


def put_copy(place: Place) -> None:
    """Let `vendor.py` make the copy; raises `HostError` if the host's git would ignore files of it."""
    copy = place.copy
    where: list[str | Path] = ["--single-file", copy] if place.is_file else [copy.parent, "--name", copy.name]
    checked([sys.executable, ROOT / "scripts" / "vendor.py", *where, *place.host.options])
    ignored = checked(["git", "ls-files", "--others", "--ignored", "--exclude-standard", "--", place.host.copy],
                      place.clone).split()
    if ignored:
        raise HostError(f"{place.host.name}'s .gitignore matches files of the copy: {', '.join(ignored)}")


def lines_changed(place: Place) -> str:
    """The numbers of lines that the host gained and lost, outside of the copy."""
    checked(["git", "add", "--all"], place.clone)
    stat = checked(["git", "diff", "--cached", "--numstat", "HEAD", "--", ".", f":(exclude){place.host.copy}"],
                   place.clone)
    counts = [[int(count) for count in line.split("\t")[:2]] for line in stat.splitlines()]
    return f"+{sum([added for added, _ in counts])} -{sum([removed for _, removed in counts])} in {len(counts)} files"


def size_of(copy: Path) -> int:
    """The bytes of all files of a copy."""
    files = [file for file in copy.rglob("*") if file.is_file()] if copy.is_dir() else [copy]
    return sum([file.stat().st_size for file in files])


# Environments


def environment(folder: Path, packages: Sequence[str], lines: Sequence[str] = (),
                stand_ins: Sequence[str] = ()) -> Path:
    """The Python of a virtual environment, made now unless an earlier run has left one for the same.

    Args:
        folder: where it is.
        packages: what is installed in it.
        lines: what its Python does first, as lines of a `.pth` file.
        stand_ins: modules that do nothing.
    """
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = repr((sys.version, packages, lines, stand_ins, STAND_INS))
    mark = folder / "made-of.txt"
    if mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    checked([sys.executable, "-m", "venv", "--without-pip", folder])
    site = site_of(python)
    if stand_ins:
        (site / "stand_ins.py").write_text(STAND_INS.format(names=stand_ins), encoding="utf-8")
        lines = ["import stand_ins", *lines]
    (site / "first.pth").write_text("".join([f"{line}\n" for line in lines]), encoding="utf-8")
    if packages:
        install(python, packages)
    mark.write_text(wanted, encoding="utf-8")
    return python


def site_of(python: Path) -> Path:
    """The folder of an environment's packages."""
    return Path(checked([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip())


def install(python: Path, packages: Sequence[str]) -> None:
    print(f"installing {' '.join(packages)}", flush=True)
    checked([python, "-m", "ensurepip"])
    checked([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages])


def environments(place: Place) -> tuple[Path, Path]:
    """The Pythons with and without sacreBLEU; both have what the host needs besides."""
    host = place.host
    without = environment(place.environments / "without", host.packages, stand_ins=host.stand_ins)
    inherited = f"import site; site.addsitedir({str(site_of(without))!r})"
    return environment(place.environments / "with", [ORIGINAL], [inherited]), without


def check_absence(python: Path, folder: Path) -> None:
    """Raise `HostError` if this Python can import sacreBLEU in that folder."""
    done = subprocess.run([str(python), "-c", "import sacrebleu"], cwd=folder, stderr=subprocess.PIPE)
    if done.returncode == 0 or b"No module named 'sacrebleu'" not in done.stderr:
        raise HostError("sacrebleu can be imported in the environment that must not have it")


# The host's tests


def run(python: Path, arguments: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run Python in a clone; returns its exit code and what it prints."""
    # (With random hashes, some reports have ties in another order each time.)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([str(python), *[argument.replace("{files}", str(FILES)) for argument in arguments]],
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**clean, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"})
    return done.returncode, done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")


def passed_tests(output: str) -> int:
    """The number of tests that passed, as the last lines by pytest or unittest say."""
    by_unittest = re.findall(r"(?m)^Ran (\d+) tests? in ", output)
    if by_unittest:
        others = re.findall(r"(?:failures|errors|skipped|expected failures)=(\d+)", output.splitlines()[-1])
        return int(by_unittest[-1]) - sum(map(int, others))
    return int(([0, *re.findall(r"(\d+) passed", output)])[-1])


def tried(place: Place, python: Path, how: str) -> Trial:
    """Run the host's tests and command lines; tells what fails."""
    code, output = run(python, place.host.tests, place.clone)
    if code:
        tell(f"the tests of {place.host.name} {how}", output.splitlines()[-12:])
    outputs = []
    for command in place.host.commands:
        code_of_command, printed = run(python, command, place.clone)
        outputs.append(f"exit code {code_of_command}\n{printed}")
        if code_of_command:
            tell(f"{' '.join(command[:2])} {how}", printed.splitlines()[-4:])
    return Trial(passed_tests(output), not code, outputs)


def same_commands(host: Host, before: Trial, after: Trial) -> int:
    """The number of command lines that succeed and print the same before and after; tells of the others."""
    differing = [command for command, old, new in zip(host.commands, before.outputs, after.outputs)
                 if old != new or not old.startswith("exit code 0\n")]
    for command in differing:
        tell(f"{' '.join(command[:2])} fails, or prints something else than with {ORIGINAL}")
    return len(host.commands) - len(differing)


def same_tests(before: Trial, after: Trial) -> bool:
    """Whether no test fails, and as many pass as before; tells where it is not so."""
    if before.passed != after.passed or not after.passed:
        tell(f"{after.passed} tests pass, {before.passed} with {ORIGINAL}")
        return False
    return before.is_fine and after.is_fine


# The report


def tell(failure: str, details: Sequence[str] = ()) -> None:
    """Print at once what fails."""
    print("\n".join([f"failed: {failure}", *[f"    {line}" for line in details]]), flush=True)


def report(host: Host, folder: Path, source_root: Path | None) -> tuple[list[str], bool]:
    """Try a copy in the host; returns its row of the table, and whether all is well."""
    place = Place(host, clone_of(host, folder, source_root), folder / f"{host.name}-environments")
    with_original, without = environments(place)
    before = tried(place, with_original, f"with {ORIGINAL}")
    checked(["git", "clean", "--quiet", "-ffdx"], place.clone)  # what its tests have written
    apply(host.edits, place.clone)
    put_copy(place)
    changed, size = lines_changed(place), size_of(place.copy)
    check_absence(without, place.clone)
    after = tried(place, without, "with the copy")
    same, passed = same_commands(host, before, after), same_tests(before, after)
    checked([sys.executable, ROOT / "scripts" / "vendor.py", "--check", place.copy])
    commands = f"{same} of {len(host.commands)}" if host.commands else "-"
    options = ["--single-file", *host.options] if place.is_file else host.options
    row = [host.name, host.revision[:12], str(before.passed), str(after.passed), commands, changed,
           f"`{' '.join(options)}`", str(size // 1000)]
    return row, passed and same == len(host.commands)


HEADINGS = ("host", "revision", f"tests passed with {ORIGINAL.replace('==', ' ')}", "with the copy",
            "same command lines", "lines changed outside of it", "options of `vendor.py`", "kB of the copy")


def table(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a table in Markdown."""
    return "\n".join([f"| {' | '.join(row)} |" for row in (HEADINGS, ["---"] * len(HEADINGS), *rows)])


def try_hosts(hosts: Sequence[Host], folder: Path, source_root: Path | None = None) -> bool:
    """Try these hosts, and print the table; whether all is well."""
    rows, all_fine = [], True
    for host in hosts:
        print(f"== {host.name}", flush=True)
        start = time.monotonic()
        try:
            row, is_fine = report(host, folder, source_root)
        except (HostError, OSError) as error:
            tell(str(error))
            row, is_fine = [host.name, host.revision[:12], *["-"] * (len(HEADINGS) - 2)], False
        print(f"{time.monotonic() - start:.0f} seconds", flush=True)
        rows.append(row)
        all_fine &= is_fine
    print(table(rows))
    return all_fine


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[host.name for host in HOSTS], help="these hosts")
    parser.add_argument("--list", action="store_true", help="list the hosts")
    parser.add_argument("--source-root", metavar="DIR", type=Path,
                        help="a folder with bare mirrors, OWNER+NAME/repo (default: clone from GitHub)")
    parser.add_argument("--folder", metavar="DIR", type=Path, default=ROOT / "build" / "hosts",
                        help="where clones and environments are kept (default: build/hosts)")
    options = parser.parse_args(argv)
    if options.list:
        for host in HOSTS:
            print(f"{host.name}: {host.repository} at {host.revision[:12]}, the copy in {host.copy}")
        return 0
    missing = [*[name for name in ("git",) if shutil.which(name) is None],
               *[name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]]
    if missing:
        print(f"this cannot be done here: there is no {' and no '.join(missing)}", file=sys.stderr)
        return 2
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    hosts = [host for host in HOSTS if not options.only or host.name in options.only]
    return 0 if try_hosts(hosts, folder, options.source_root and options.source_root.resolve()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
