"""Try vendored copies in clones of real projects that use sacreBLEU, with the tests of these projects.

    python3 scripts/dev/platforms hosts                      # in all of them
    python3 scripts/dev/platforms hosts --only NAME ...      # in some
    python3 scripts/dev/platforms hosts --source-root DIR    # clone from bare mirrors: DIR/OWNER+NAME/repo

Each project, the host, is cloned at the revision named here. Its tests run with sacreBLEU from the package index. Then
`vendor.py` puts a copy into it, sacreBLEU is taken from its requirements, and its imports are edited; the tests run
again, in an environment where sacreBLEU can't be imported. Command lines of the host have to print the same as before,
and `vendor.py --check` has to be content with the copy. Only those tests run that have to do with scores, and need
neither the weights of models nor a network.

Clones and environments are kept in `.environments/hosts`, with all edits, to look at. PyTorch from PyPI has some
gigabytes on Linux; `PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu` lets pip find the smaller one.

The table that is printed is Markdown. Lines changed are those of `git diff --numstat`, without the copy.
Exit codes: 0 all is well, 1 something fails, 2 wrong usage.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import NamedTuple, Sequence

from dev.platforms.steps import ENVIRONMENTS, PIP, ROOT, Failed, checked, environment, tell

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
        ("--only", "bleu", "chrf", "ter", "--tokenizers", "none", "13a"),
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
        ("--only", "bleu", "--tokenizers", "13a"),
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
        ("--only", "bleu", "chrf", "ter", "--tokenizers", "13a", "zh", "ja-mecab"),
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

#: A `sitecustomize` that lets other modules be imported without being there.
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


class Place(NamedTuple):
    """A host's clone, its Python, and the folders that are on the path of that: with sacreBLEU and without."""

    host: Host
    clone: Path
    python: Path
    original: Path
    stand_ins: Path

    @property
    def copy(self) -> Path:
        return self.clone / self.host.copy

    def run(self, arguments: Sequence[str], with_original: bool) -> tuple[int, str]:
        """Run Python in the clone; returns its exit code and what it prints."""
        path = os.pathsep.join(map(str, [self.stand_ins, *[self.original] * with_original]))
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        # (With random hashes, some reports have ties in another order each time.)
        done = subprocess.run([str(self.python), *[argument.replace("{files}", str(FILES)) for argument in arguments]],
                              cwd=self.clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**clean, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
                                   "PYTHONUTF8": "1"})
        return done.returncode, done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")


class Trial(NamedTuple):
    """How many tests passed, whether none of them failed, and what each command line printed, after its exit code."""

    passed: int
    is_fine: bool
    outputs: Sequence[str]


# The host's files


def place_of(host: Host, folder: Path, source_root: Path | None) -> Place:
    """The host at its revision, with no edits, and its environment; an earlier run may have left both."""
    stand_ins = folder / f"{host.name}-stand-ins"
    stand_ins.mkdir(parents=True, exist_ok=True)
    (stand_ins / "sitecustomize.py").write_text(STAND_INS.format(names=host.stand_ins), encoding="utf-8")
    return Place(host, clone_of(host, folder, source_root), environment(folder / f"{host.name}-python", host.packages),
                 original(folder), stand_ins)


def original(folder: Path) -> Path:
    """A folder with sacreBLEU and what it needs."""
    target = folder / ORIGINAL
    if not target.is_dir():
        checked(sys.executable, *PIP, "--target", target, ORIGINAL)
    return target


def clone_of(host: Host, folder: Path, source_root: Path | None) -> Path:
    """The host at its revision, with no edits: cloned now, unless an earlier run has left it."""
    clone = folder / f"{host.name}-{host.revision[:12]}"
    if not clone.is_dir():
        address = (str(source_root / host.repository.replace("/", "+") / "repo") if source_root
                   else f"https://github.com/{host.repository}")
        checked("git", "clone", "--quiet", "--no-checkout", "--config", "core.autocrlf=false", address, clone)
    if host.absent:
        patterns = ["/*", *[f"!/{path}" for path in host.absent]]
        checked("git", "sparse-checkout", "set", "--no-cone", *patterns, folder=clone)
    checked("git", "checkout", "--quiet", "--force", "--detach", host.revision, folder=clone)
    checked("git", "clean", "--quiet", "-ffdx", folder=clone)
    return clone


def apply(edits: Sequence[Edit], folder: Path) -> None:
    """Make the edits; raises `Failed` where a file has not the text that is to be replaced, once."""
    for edit in edits:
        path = folder / edit.file
        text = path.read_bytes().decode("utf-8") if path.is_file() else ""
        if text.count(edit.old) != 1:
            raise Failed(f"{edit.file} has {edit.old!r} {text.count(edit.old)} times, not once")
        path.write_bytes(text.replace(edit.old, edit.new).encode("utf-8"))


def put_copy(place: Place) -> None:
    """Let `vendor.py` make the copy; raises `Failed` if the host's git would ignore files of it."""
    copy = place.copy
    where = ["--single-file", copy] if copy.suffix == ".py" else [copy.parent, "--name", copy.name]
    checked(sys.executable, ROOT / "scripts" / "vendor.py", *where, *place.host.options)
    ignored = checked("git", "ls-files", "--others", "--ignored", "--exclude-standard", "--", place.host.copy,
                      folder=place.clone).split()
    if ignored:
        raise Failed(f"{place.host.name}'s .gitignore matches files of the copy: {', '.join(ignored)}")


def lines_changed(place: Place) -> str:
    """The numbers of lines that the host gained and lost, outside of the copy."""
    checked("git", "add", "--all", folder=place.clone)
    stat = checked("git", "diff", "--cached", "--numstat", "HEAD", "--", ".", f":(exclude){place.host.copy}",
                   folder=place.clone)
    counts = [[int(count) for count in line.split("\t")[:2]] for line in stat.splitlines()]
    return f"+{sum([added for added, _ in counts])} -{sum([removed for _, removed in counts])} in {len(counts)} files"


def size_of(copy: Path) -> int:
    """The bytes of all files of a copy."""
    files = [file for file in copy.rglob("*") if file.is_file()] if copy.is_dir() else [copy]
    return sum([file.stat().st_size for file in files])


# The host's tests


def passed_tests(output: str) -> int:
    """The number of tests that passed, as the last lines by pytest or unittest say."""
    by_unittest = re.findall(r"(?m)^Ran (\d+) tests? in ", output)
    if by_unittest:
        others = re.findall(r"(?:failures|errors|skipped|expected failures)=(\d+)", output.splitlines()[-1])
        return int(by_unittest[-1]) - sum(map(int, others))
    return int(([0, *re.findall(r"(\d+) passed", output)])[-1])


def tried(place: Place, with_original: bool) -> Trial:
    """Run the host's tests and command lines; tells what fails."""
    how = f"with {ORIGINAL}" if with_original else "with the copy"
    code, output = place.run(place.host.tests, with_original)
    if code:
        tell(f"the tests of {place.host.name} {how}", output.splitlines()[-12:])
    outputs = []
    for command in place.host.commands:
        code_of_command, printed = place.run(command, with_original)
        outputs.append(f"exit code {code_of_command}\n{printed}")
        if code_of_command:
            tell(f"{' '.join(command[:2])} {how}", printed.splitlines()[-4:])
    return Trial(passed_tests(output), not code, outputs)


def is_same(host: Host, before: Trial, after: Trial) -> bool:
    """Whether no test fails, as many pass as before, and command lines print the same; tells where it is not so."""
    differing = [command for command, old, new in zip(host.commands, before.outputs, after.outputs)
                 if old != new or not old.startswith("exit code 0\n")]
    for command in differing:
        tell(f"{' '.join(command[:2])} fails, or prints something else than with {ORIGINAL}")
    if before.passed != after.passed or not after.passed:
        tell(f"{after.passed} tests pass, {before.passed} with {ORIGINAL}")
        return False
    return before.is_fine and after.is_fine and not differing


# The report

HEADINGS = ("host", "revision", f"tests passed with {ORIGINAL.replace('==', ' ')}", "with the copy",
            "lines changed outside of it", "options of `vendor.py`", "kB of the copy")


def report(place: Place) -> tuple[list[str], bool]:
    """Try a copy in the host; returns its row of the table, and whether all is well."""
    host = place.host
    before = tried(place, with_original=True)
    checked("git", "clean", "--quiet", "-ffdx", folder=place.clone)  # what its tests have written
    apply(host.edits, place.clone)
    put_copy(place)
    changed, size = lines_changed(place), size_of(place.copy)
    _, output = place.run(["-c", "import sacrebleu"], with_original=False)
    if "No module named 'sacrebleu'" not in output:
        raise Failed("sacrebleu can be imported in the environment that must not have it")
    after = tried(place, with_original=False)
    checked(sys.executable, ROOT / "scripts" / "vendor.py", "--check", place.copy)
    options = ["--single-file", *host.options] if place.copy.suffix == ".py" else host.options
    row = [host.name, host.revision[:12], str(before.passed), str(after.passed), changed, f"`{' '.join(options)}`",
           str(size // 1000)]
    return row, is_same(host, before, after)


def try_hosts(hosts: Sequence[Host], folder: Path, source_root: Path | None = None) -> bool:
    """Try these hosts, and print the table; whether all is well."""
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
