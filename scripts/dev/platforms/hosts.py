"""Test vendored copies in clones of real projects (hosts) that use sacreBLEU, or have a copy of it.

    python3 scripts/dev/platforms hosts                      # in all of them
    python3 scripts/dev/platforms hosts --only NAME ...      # in some
    python3 scripts/dev/platforms hosts --source-root DIR    # clone from bare mirrors: DIR/OWNER+NAME/repo

Each host is cloned at a fixed revision. Its tests run with sacreBLEU from the package index. Then `vendor.py` puts a
copy into it, sacreBLEU is removed from its requirements, and its imports are edited. The tests run again, in an
environment where sacreBLEU can't be imported. Command lines of the host have to print the same as before, and
`vendor.py --check` has to accept the copy. Only tests of scores run that need no network and no weights of models. If a
host has a module with sacreBLEU 1.x, the copy replaces it, and nothing else changes.

Clones with all edits, and environments, are kept in `.environments/hosts`. On Linux, PyTorch from PyPI has some
gigabytes. With `PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu`, pip finds a smaller one.

Prints a table in Markdown. "Lines changed" comes from `git diff --numstat`, without the copy.
Exit codes: 0 all is well, 1 something fails, 2 wrong usage.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import NamedTuple, Sequence

from dev.platforms.steps import ENVIRONMENTS, PIP, ROOT, Failed, checked, environment, tell

#: The package that the hosts' tests import before anything is changed.
ORIGINAL = "sacrebleu==2.6.0"


class Edit(NamedTuple):
    """A text that a file of the host has exactly once, and its replacement."""

    file: str
    old: str
    new: str


class Host(NamedTuple):
    """A project that gets a copy. Lists of words are strings, separated by spaces.

    Attributes:
        name: the name in the table.
        repository: owner and name on GitHub.
        revision: the hash of the commit that is cloned.
        copy: the path of the copy. If it ends with `.py`, the copy is a single file.
        options: the options of `vendor.py`.
        edits: the edits of the host's files.
        tests: arguments of Python that run the host's tests. Empty if only command lines are compared.
        commands: arguments of Python that print the same before and after. They may have `{names}` of `NAMED`.
        packages: packages that pip installs for the host.
        stand_ins: modules that the host imports, but that no score needs. They are replaced by mocks.
        absent: large files that mirrors may lack. They are not checked out.
        replaced: a module of the host (a file or a folder) that the copy replaces.
    """

    name: str
    repository: str
    revision: str
    copy: str
    options: str
    edits: Sequence[Edit] = ()
    tests: str = ""
    commands: Sequence[str] = ()
    packages: str = ""
    stand_ins: str = ""
    absent: str = ""
    replaced: str = ""


#: The records of the hosts, with edits as lists. (MT-Telescope's lock file keeps sacreBLEU for unbabel-comet.)
RECORDS = json.loads(Path(__file__).with_name("hosts.json").read_text(encoding="utf-8"))
HOSTS = [Host(**{**record, "edits": [Edit(*edit) for edit in record.get("edits", ())]}) for record in RECORDS]

#: Values for names in braces in command lines: a folder with text files, and programs.
NAMED = {
    "files": str(ROOT / "tests" / "fixtures" / "cli"),
    # MT-Telescope's scores of its own test data, with all digits. (Its tests compare only two or three digits.)
    "telescope_scores": """
from telescope.metrics import GLEU, TER, chrF, sacreBLEU
from tests.data import DATA_PATH
hyp, ref = [open(f"{DATA_PATH}/{name}_100.no").read().splitlines() for name in ("hyp1", "ref")]
print(*[metric("no").score(ref, hyp, ref).sys_score for metric in (sacreBLEU, chrF, TER, GLEU)])
""",
    # The scores of files in a folder, by a module with metrics for sign-language translation.
    "sign_scores": """
import importlib, sys
metrics = importlib.import_module(sys.argv[1])
hyp, ref = [open(f"{sys.argv[2]}/{name}.txt", encoding="utf-8").read().splitlines()[:50]
            for name in ("hypothesis", "reference")]
found = metrics.bleu(references=ref, hypotheses=hyp)
found = found if isinstance(found, dict) else {"bleu": found}
chrf = metrics.chrf(references=ref, hypotheses=hyp)
found["chrf"] = getattr(chrf, "score", chrf)
found["rouge"] = metrics.rouge(references=ref, hypotheses=hyp)
print({name: format(score, ".12g") for name, score in found.items()})
""",
}

#: A module `sitecustomize` that makes missing modules importable.
STAND_INS = '''\
"""If one of these modules (or a submodule) is imported, every name in it is a mock."""

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


class Place(NamedTuple):
    """A host's clone, its Python, and two folders for Python's path: with sacreBLEU, and with mocks of modules."""

    host: Host
    clone: Path
    python: Path
    original: Path
    stand_ins: Path

    @property
    def copy(self) -> Path:
        return self.clone / self.host.copy

    def run(self, arguments: str, with_original: bool) -> tuple[int, str]:
        """Run Python in the clone; return its exit code and its output."""
        path = os.pathsep.join(map(str, [self.stand_ins, *[self.original] * with_original]))
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        # (With random hashes, the order of ties in some reports would change.)
        done = subprocess.run([str(self.python), *[word.format(**NAMED) for word in arguments.split()]],
                              cwd=self.clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**clean, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
                                   "PYTHONUTF8": "1"})
        return done.returncode, done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")


# The host's files


def place_of(host: Host, folder: Path, source_root: Path | None) -> Place:
    """Return the host's clone without edits, and its environment. Make them if they are missing."""
    stand_ins = folder / f"{host.name}-stand-ins"
    stand_ins.mkdir(parents=True, exist_ok=True)
    (stand_ins / "sitecustomize.py").write_text(STAND_INS.format(names=host.stand_ins.split()), encoding="utf-8")
    python = environment(folder / f"{host.name}-python", host.packages.split())
    return Place(host, clone_of(host, folder, source_root), python, original(folder), stand_ins)


def original(folder: Path) -> Path:
    """Return a folder with sacreBLEU and its requirements. Install them if the folder is missing."""
    target = folder / ORIGINAL
    if not target.is_dir():
        checked(sys.executable, *PIP, "--target", target, ORIGINAL)
    return target


def clone_of(host: Host, folder: Path, source_root: Path | None) -> Path:
    """Return the host's clone at its revision, without edits. Clone the host if the clone is missing."""
    clone = folder / f"{host.name}-{host.revision[:12]}"
    if not clone.is_dir():
        address = (str(source_root / host.repository.replace("/", "+") / "repo") if source_root
                   else f"https://github.com/{host.repository}")
        checked("git", "clone", "--quiet", "--no-checkout", "--config", "core.autocrlf=false", address, clone)
    if host.absent:
        patterns = ["/*", *[f"!/{path}" for path in host.absent.split()]]
        checked("git", "sparse-checkout", "set", "--no-cone", *patterns, folder=clone)
    checked("git", "checkout", "--quiet", "--force", "--detach", host.revision, folder=clone)
    checked("git", "clean", "--quiet", "-ffdx", folder=clone)
    return clone


def apply(edits: Sequence[Edit], folder: Path) -> None:
    """Make the edits. Raise `Failed` if a file does not have the old text exactly once."""
    for edit in edits:
        path = folder / edit.file
        text = path.read_bytes().decode("utf-8") if path.is_file() else ""
        if text.count(edit.old) != 1:
            raise Failed(f"{edit.file} has {edit.old!r} {text.count(edit.old)} times, not once")
        path.write_bytes(text.replace(edit.old, edit.new).encode("utf-8"))


def put_copy(place: Place) -> None:
    """Make the copy with `vendor.py`, and remove the old module. Raise `Failed` if git ignores files of the copy."""
    copy, old = place.copy, place.clone / place.host.replaced
    if place.host.replaced:
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    where = ["--single-file", copy] if copy.suffix == ".py" else [copy.parent, "--name", copy.name]
    checked(sys.executable, ROOT / "scripts" / "vendor.py", *where, *place.host.options.split())
    ignored = checked("git", "ls-files", "--others", "--ignored", "--exclude-standard", "--", place.host.copy,
                      folder=place.clone).split()
    if ignored:
        raise Failed(f"{place.host.name}'s .gitignore matches files of the copy: {', '.join(ignored)}")


def lines_changed(place: Place) -> str:
    """Return the numbers of added and removed lines outside the copy."""
    checked("git", "add", "--all", folder=place.clone)
    stat = checked("git", "diff", "--cached", "--numstat", "HEAD", "--", ".", f":(exclude){place.host.copy}",
                   folder=place.clone)
    counts = [[int(count) for count in line.split("\t")[:2]] for line in stat.splitlines()]
    return f"+{sum([added for added, _ in counts])} -{sum([removed for _, removed in counts])} in {len(counts)} files"


def size_of(copy: Path) -> int:
    """Return the size of a copy in bytes."""
    files = [file for file in copy.rglob("*") if file.is_file()] if copy.is_dir() else [copy]
    return sum([file.stat().st_size for file in files])


# The host's tests


def passed_tests(output: str) -> int:
    """Return the number of passed tests from the output of pytest or unittest."""
    by_unittest = re.findall(r"(?m)^Ran (\d+) tests? in ", output)
    if by_unittest:
        others = re.findall(r"(?:failures|errors|skipped|expected failures)=(\d+)", output.splitlines()[-1])
        return int(by_unittest[-1]) - sum(map(int, others))
    return int(([0, *re.findall(r"(\d+) passed", output)])[-1])


def tried(place: Place, with_original: bool) -> dict[str, tuple[int, object]]:
    """Run the host's tests and command lines. Return the exit codes, with the number of passed tests, or the output."""
    found: dict[str, tuple[int, object]] = {}
    for arguments in filter(None, [place.host.tests, *place.host.commands]):
        code, output = place.run(arguments, with_original)
        found[arguments] = code, passed_tests(output) if arguments == place.host.tests else output
        if code:
            tell(f"{arguments[:40]!r} {'before' if with_original else 'with the copy'}", output.splitlines()[-12:])
    return found


# The report

HEADINGS = ("host", "revision", "tests passed before", "with the copy", "lines changed outside of it",
            "options of `vendor.py`", "kB of the copy")


def report(place: Place) -> tuple[list[str], bool]:
    """Test a copy in the host; return its row of the table, and whether all is well."""
    host = place.host
    before = tried(place, with_original=True)
    checked("git", "clean", "--quiet", "-ffdx", folder=place.clone)  # remove files that tests wrote
    apply(host.edits, place.clone)
    put_copy(place)
    changed, size = lines_changed(place), size_of(place.copy)
    _, output = place.run("-m sacrebleu", with_original=False)
    if "No module named sacrebleu" not in output:
        raise Failed("sacrebleu can be imported in the environment that should lack it")
    after = tried(place, with_original=False)
    checked(sys.executable, ROOT / "scripts" / "vendor.py", "--check", place.copy)
    options = f"--single-file {host.options}" if place.copy.suffix == ".py" else host.options
    differing = [arguments for arguments, result in after.items() if result != before[arguments]]
    for arguments in differing:
        tell(f"{arguments[:40]!r} gives another result than before")
    passed = [str(found[host.tests][1]) if host.tests else "-" for found in (before, after)]
    is_fine = not differing and not any(code for code, _ in after.values()) and "0" not in passed
    return [host.name, host.revision[:12], *passed, changed, f"`{options}`", str(size // 1000)], is_fine


def try_hosts(hosts: Sequence[Host], folder: Path, source_root: Path | None = None) -> bool:
    """Test these hosts, and print the table; return whether all is well."""
    rows, all_fine = [[*HEADINGS], ["---"] * len(HEADINGS)], True
    for host in hosts:
        print(f"== {host.name}", flush=True)
        try:
            row, is_fine = report(place_of(host, folder, source_root))
        except (Failed, OSError) as error:
            tell(str(error))
            row, is_fine = [host.name, host.revision[:12], *["-"] * (len(HEADINGS) - 2)], False
        rows.append(row)
        all_fine &= is_fine
    print("\n".join([f"| {' | '.join(row)} |" for row in rows]))
    return all_fine


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[host.name for host in HOSTS],
                        help=f"these hosts, of {', '.join(host.name for host in HOSTS)}")
    parser.add_argument("--source-root", metavar="DIR", type=Path,
                        help="a folder with bare mirrors, OWNER+NAME/repo (default: clone from GitHub)")
    options = parser.parse_args()
    hosts = [host for host in HOSTS if not options.only or host.name in options.only]
    return 0 if try_hosts(hosts, ENVIRONMENTS / "hosts", options.source_root and options.source_root.resolve()) else 1
