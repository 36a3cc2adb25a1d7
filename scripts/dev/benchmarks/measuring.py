"""Running programs, each in a process of its own, and what one run took."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from .corpora import prepare
from .errors import Failed, Skipped
from .forms import start_of
from .programs import CALL, LAUNCH, NEIGHBOUR, SCORE, SEGMENT, TRAIN
from .tasks import Calling, CommandLine, Scoring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, Sequence

    from .corpora import Files
    from .tasks import Task, Work

CHECKOUT = Path(__file__).resolve().parents[3]
MEGABYTE = 1e6
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes on macOS, else kB

#: Variables with these prefixes would change what is run or printed on one side only, or would keep bytecode from
#: being cached, which favours what is installed.
DROPPED_VARIABLES = ("PYTHON", "PUREBLEU", "SACREBLEU", "NO_COLOR")

#: Where reports name the program: the signature (long and short) and the JSON field.
VERSION_FIELD = re.compile(rb"""\b(version:|v:|version":\ ") purebleu- \d+(?:[.+]\w+)*""", re.VERBOSE)


class Side(NamedTuple):
    """A package in an interpreter. `folder` is the working folder, first on the import path."""

    package: str
    python: str
    folder: Path


class Sample(NamedTuple):
    """One run: seconds of CPU (user and system) and wall, peak memory in MB, and what it printed or computed."""

    cpu: float
    wall: float
    memory: float
    result: bytes


def run(side: Side, arguments: Sequence[str], cache: Path | None = None) -> Sample:
    """Run the side's interpreter with `arguments` and measure the whole process. Raises `Failed`.

    `cache` is the folder that test sets and models are in.
    """
    environment = {key: value for key, value in os.environ.items() if not key.startswith(DROPPED_VARIABLES)}
    if cache is not None:
        environment["SACREBLEU"] = str(cache)
    return launched(side.package, [side.python], [side.python, *arguments], environment, side.folder)


def launched(name: str, launcher: Sequence[str], command: Sequence[str], environment: Mapping[str, str],
             folder: Path) -> Sample:
    """Run a command in the folder and measure the whole process. Raises `Failed`, with that name.

    It is started by a Python of its own; the launcher is the command of that.
    """
    process = subprocess.Popen([*launcher, "-I", "-S", "-c", LAUNCH, *command], cwd=str(folder), env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        output, errors = process.communicate()
    except BaseException:  # leave nothing running behind, whatever stops us
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    stdout, mark, report = output.rpartition(b"\0")
    if process.returncode or not mark:
        raise Failed(f"{name}: the launcher died{tail(errors)}")
    status, cpu, wall, maxrss = report.split()
    if int(status):
        raise Failed(f"{name} {ending(int(status))}{tail(errors)}")
    return Sample(float(cpu), float(wall), int(maxrss) * MAXRSS_UNIT / MEGABYTE, stdout)


def ending(status: int) -> str:
    """The meaning of a wait status other than 0, in words."""
    if os.WIFSIGNALED(status):
        return f"was killed by signal {os.WTERMSIG(status)}"
    return f"ended with exit code {os.WEXITSTATUS(status)}"


def tail(errors: bytes) -> str:
    """The end of what was on standard error, on one line, to append to a message."""
    lines = errors.decode("utf-8", "replace").split("\n")
    last = " / ".join([line.strip() for line in lines if line.strip(" ^~\r")][-3:])
    return f": {last[-300:]}" if last else " and said nothing"


def version_of(side: Side) -> str:
    """The package's version as its command line states it. Raises `Failed`."""
    words = run(side, ["-m", side.package, "--version"]).result.decode("utf-8", "replace").split()
    return words[-1] if words else "unknown"


def python_of(side: Side) -> str:
    """The name and version of a side's interpreter. Raises `Failed`."""
    program = "import platform as p; print(p.python_implementation(), p.python_version())"
    return run(side, ["-c", program]).result.decode().strip()


def versions_of(side: Side, packages: Sequence[str]) -> dict[str, str]:
    """The versions of those packages that a side's environment has. Raises `Failed`."""
    program = ("import importlib.metadata as m, json, sys; there = {d.metadata['Name'].lower().replace('-', '_'): "
               "d.version for d in m.distributions()}; "
               "print(json.dumps({name: there[name] for name in sys.argv[1:] if name in there}))")
    found: dict[str, str] = json.loads(run(side, ["-c", program, *packages]).result)
    return found


def measure(work: Work, side: Side, files: Files | None, ours: bool, model: Path | None = None,
            start: Sequence[str] = ()) -> Sample:
    """Do `work` once on a side, with the options `work.ours` where `ours`, else `work.theirs`.

    `start` is what Python is started with, where that is not the side's package.
    """
    if isinstance(work, CommandLine):
        paths = [] if files is None else [*map(str, files.references), "-i", *map(str, files.systems)]
        own_options = work.ours if ours else work.theirs
        arguments = [*(start or ("-m", side.package)), *paths, *work.options, *own_options]
        return run(side, arguments, model and model.parent.parent)
    if files is None:
        raise ValueError("what is done in process needs a corpus")
    if isinstance(work, Scoring):
        program = [SCORE, side.package, work.metric, json.dumps(dict(work.options)), str(files.systems[0]),
                   *map(str, files.references)]
    elif isinstance(work, Calling):
        program = [CALL, side.package, work.job, work.metric, json.dumps(dict(work.options)), str(work.size),
                   str(files.systems[0]), str(files.references[0])]
    else:
        program = [SEGMENT, side.package, work.algorithm, "again" if work.again else "", str(model or ""),
                   str(files.references[0])]
    sample = run(side, ["-c", *program])
    report = json.loads(sample.result)
    return sample._replace(cpu=report["cpu"], wall=report["wall"], result=json.dumps(report["figures"]).encode())


@contextmanager
def neighbour(python: str) -> Iterator[None]:
    """A process that goes through more memory than the processors' shared cache holds, again and again."""
    process = subprocess.Popen([python, "-I", "-S", "-c", NEIGHBOUR], stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


class Measurement(NamedTuple):
    """All counted runs of a task, in pairs; `smaller` are purebleu's runs on the smaller corpus, if there is one.

    `difference` describes the first pair with different results; `None` if all were equal or are not compared.
    """

    theirs: list[Sample]
    ours: list[Sample]
    smaller: list[Sample]
    difference: str | None


class Bench(NamedTuple):
    """Settings and files that all tasks share."""

    sides: dict[str, Side]  # by package
    oracle_version: str
    data: Path
    folder: Path  # for generated files
    runs: int

    def measure(self, task: Task) -> Measurement:
        """Run a task, the warm-up included. Raises `Skipped` or `Failed`."""
        files = task.corpus and prepare(task.corpus, self.data, self.folder)
        smaller_files = task.smaller and prepare(task.smaller, self.data, self.folder)
        model = self.model(task)
        own = self.sides["purebleu"]
        rival = self.rival(task.rival)
        start: Sequence[str] = ()
        if isinstance(task.work, CommandLine) and task.work.form:
            place, start = start_of(task.work.form, self.folder, own.python)
            own = own._replace(folder=place)
        theirs, ours, smaller = [], [], []
        with neighbour(own.python) if task.neighbour else nullcontext():
            for _ in range(1 + (task.runs or self.runs)):
                theirs.append(measure(task.work, rival, files, False, model))
                ours.append(measure(task.work, own, files, True, model, start))
                if smaller_files:
                    smaller.append(measure(task.work, self.sides["purebleu"], smaller_files, True))
        pairs = zip(theirs, ours) if task.compare else ()
        differences = [self.difference(one.result, other.result) for one, other in pairs]
        return Measurement(theirs[1:], ours[1:], smaller[1:], next(filter(None, differences), None))

    def rival(self, package: str) -> Side:
        """The other side of a task: a package that the oracle's interpreter has, or else `Skipped` is raised."""
        if package in self.sides:
            return self.sides[package]
        side = self.sides["sacrebleu"]._replace(package=package)
        program = f"import importlib.util as u; print(int(u.find_spec({package!r}) is not None))"
        if run(side, ["-c", program]).result.strip() != b"1":
            raise Skipped(f"{side.python} has no {package}")
        return side

    def model(self, task: Task) -> Path | None:
        """The path of the SentencePiece model that a task needs, trained (once) on all the data. Raises `Failed`.

        It is where `flores101` would be in a cache. (`flores200` would be held to its checksum.)
        """
        if isinstance(task.work, (Scoring, Calling)) or task.work.algorithm not in ("bpe", "unigram"):
            return None
        algorithm, pieces = task.work.algorithm, str(task.work.pieces)
        path = self.folder / f"{algorithm}-{pieces}" / "models" / "sacrebleu_tokenizer_spm.model"
        if not path.exists():
            path.parent.mkdir(parents=True)
            texts = [str(file) for file in sorted(self.data.rglob("*")) if file.is_file()]
            run(self.sides["sacrebleu"], ["-c", TRAIN, algorithm, pieces, str(path), *texts])
            path.with_name(path.name + ".model").rename(path)
        return path

    def difference(self, theirs: bytes, ours: bytes) -> str | None:
        """Where two results first differ, the version of the program apart; `None` if they do not."""
        version = self.oracle_version.encode()
        theirs, ours = (VERSION_FIELD.sub(lambda match: match.group(1) + version, text) for text in (theirs, ours))
        if theirs == ours:
            return None
        index = next((i for i, pair in enumerate(zip(theirs, ours)) if pair[0] != pair[1]), min(len(theirs), len(ours)))
        start = max(0, index - 20)
        return f"{theirs[start:start + 60]!r} against {ours[start:start + 60]!r}"
