"""Runs programs in separate processes, and measures their time and memory."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Iterator, NamedTuple, Sequence

from .corpora import CHECKOUT, Failed, Files, Skipped, prepare
from .tasks import Calling, CommandLine, Task

PROGRAMS = Path(__file__).with_name("programs.py")
SCRIPTS = CHECKOUT / "scripts"

MEGABYTE = 1e6
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes on macOS, else kB

#: Environment variables with these prefixes are removed: they would change the code or the output of only one side, or
#: would turn off the cache of bytecode, which is unfair to a side that is not installed.
DROPPED_VARIABLES = ("PYTHON", "PUREBLEU", "SACREBLEU", "NO_COLOR")

#: The program and its version in reports: in signatures (long and short), and in a member of JSON.
VERSION = re.compile(rb"""\b(version:|v:|version":\ ") (purebleu-)? \d+(?:[.+]\w+)*""", re.VERBOSE)


class Side(NamedTuple):
    """A package in an interpreter. `folder` is the working folder, and is first on the import path."""

    package: str
    python: str
    folder: Path


class Sample(NamedTuple):
    """One run: CPU seconds (user and system), wall seconds, peak memory in MB, and its output or result."""

    cpu: float
    wall: float
    memory: float
    result: bytes


def run(side: Side, arguments: Sequence[str], cache: Path | None = None) -> Sample:
    """Run the side's interpreter with `arguments` and measure the whole process. Raise `Failed`.

    `cache` is the folder with test sets and models. The function `launch` of `programs.py` starts the process.
    """
    environment = {key: value for key, value in os.environ.items() if not key.startswith(DROPPED_VARIABLES)}
    if cache is not None:
        environment["SACREBLEU"] = str(cache)
    launcher = [side.python, "-I", "-S", str(PROGRAMS), "launch"]
    process = subprocess.Popen([*launcher, side.python, *arguments], cwd=str(side.folder), env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        output, errors = process.communicate()
    except BaseException:  # (After any error, even Ctrl-C, no process is left running.)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    stdout, _, report = output.rpartition(b"\0")
    status, cpu, wall, maxrss = report.split() if not process.returncode else (b"1", b"0", b"0", b"0")
    if int(status):
        last = " / ".join(errors.decode("utf-8", "replace").split("\n")[-4:])
        raise Failed(f"{side.package} failed with status {int(status)}: {last[-300:]}")
    return Sample(float(cpu), float(wall), int(maxrss) * MAXRSS_UNIT / MEGABYTE, stdout)


def python_of(side: Side) -> str:
    """Return the name and version of a side's interpreter. Raise `Failed`."""
    program = "import platform as p; print(p.python_implementation(), p.python_version())"
    return run(side, ["-c", program]).result.decode().strip()


def versions_of(side: Side, packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of the side's package, and of `packages` that its environment has. Raise `Failed`."""
    program = ("import importlib.metadata as m, json, sys; there = {d.metadata['Name'].lower().replace('-', '_'): "
               "d.version for d in m.distributions()}; "
               "print(json.dumps({name: there[name] for name in sys.argv[1:] if name in there}))")
    found: dict[str, str] = json.loads(run(side, ["-c", program, *packages]).result)
    return {**found, side.package: run(side, ["-m", side.package, "--version"]).result.decode().split()[-1]}


def measure(task: Task, side: Side, files: Files | None, ours: bool, model: Path | None = None,
            start: Sequence[str] = ()) -> Sample:
    """Do a task's work once on a side. `start` replaces `-m PACKAGE` in the command that starts Python."""
    work = task.work
    if isinstance(work, CommandLine):
        paths = [] if files is None else [*map(str, files.references), "-i", *map(str, files.systems)]
        arguments = [*(start or ("-m", side.package)), *paths, *work.options, *(work.ours if ours else work.theirs)]
        return run(side, arguments, model and model.parent.parent)
    assert files is not None, "only command lines need no corpus"
    if isinstance(work, Calling):
        program = ["call", side.package, work.job, work.metric, json.dumps(dict(work.options)), str(work.size),
                   str(files.systems[0]), *map(str, files.references)]
    else:
        program = ["segment", side.package, work.algorithm, "again" if work.again else "", str(model or ""),
                   str(files.references[0])]
    sample = run(side, [str(PROGRAMS), *program])
    report = json.loads(sample.result)
    return sample._replace(cpu=report["cpu"], wall=report["wall"], result=json.dumps(report["figures"]).encode())


#: Other forms of purebleu than the checkout's folder: the arguments of Python that start it, and the script that makes
#: it, with its arguments.
FORMS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "without bytecode": (["-B", "-m", "purebleu"], []),
    "compiled zipapp": (["purebleu.pyz"], ["make_zipapp.py", "--compile", "-o", "{folder}/purebleu.pyz"]),
    "slim copy": (["-m", "bleu"], ["vendor.py", "{folder}", "--name", "bleu", "--only", "bleu", "--tokenizers", "13a",
                                   "--with", "cli"]),
    "single file": (["-m", "bleu"], ["vendor.py", "--single-file", "{folder}/bleu.py", "--only", "bleu", "chrf",
                                     "ter", "--with", "cli", "report", "significance"]),
}


def made(form: str, folder: Path, python: str) -> tuple[Path, Sequence[str]]:
    """Make a form of purebleu; return its folder, and the arguments of Python that start it. Raise `Failed`."""
    start, script = FORMS[form]
    place = folder / form.replace(" ", "-")
    place.mkdir()
    if not script:
        shutil.copytree(CHECKOUT / "purebleu", place / "purebleu", ignore=shutil.ignore_patterns("__pycache__"))
    else:
        command = [python, str(SCRIPTS / script[0]), *[word.replace("{folder}", str(place)) for word in script[1:]]]
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
            raise Failed(f"{script[0]} failed")
    return place, start


@contextmanager
def neighbour(python: str) -> Iterator[None]:
    """Run a process in the background that keeps overwriting the processors' shared cache."""
    process = subprocess.Popen([python, "-I", "-S", str(PROGRAMS), "fill_the_cache"], stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


class Measurement(NamedTuple):
    """All counted runs of a task, in pairs. `smaller` has purebleu's runs on the smaller corpus, if there is one."""

    theirs: list[Sample]
    ours: list[Sample]
    smaller: list[Sample]
    differs: bool

    def ratios(self, name: str) -> list[float]:
        """Return, for each pair, the other side's value divided by purebleu's. `name` is an attribute of `Sample`."""
        return [getattr(one, name) / (getattr(other, name) or 1e-9) for one, other in zip(self.theirs, self.ours)]


class Bench(NamedTuple):
    """Settings and files that all tasks share."""

    sides: dict[str, Side]  # by package
    data: Path
    folder: Path  # for generated files
    runs: int

    def measure(self, task: Task) -> Measurement:
        """Run a task, with one warm-up. Raise `Skipped` or `Failed`."""
        files = task.corpus and prepare(task.corpus, self.data, self.folder)
        smaller_files = task.smaller and prepare(task.smaller, self.data, self.folder)
        model = self.model(task)
        own = self.sides["purebleu"]
        rival = self.rival(task.rival)
        start: Sequence[str] = ()
        if isinstance(task.work, CommandLine) and task.work.form:
            place, start = made(task.work.form, self.folder, own.python)
            own = own._replace(folder=place)
        theirs, ours, smaller = [], [], []
        with neighbour(own.python) if task.neighbour else nullcontext():
            for _ in range(1 + (task.runs or self.runs)):
                theirs.append(measure(task, rival, files, False, model))
                ours.append(measure(task, own, files, True, model, start))
                if smaller_files:
                    smaller.append(measure(task, self.sides["purebleu"], smaller_files, True))
        results = [[VERSION.sub(rb"\1", sample.result) for sample in side] for side in (theirs, ours)]
        return Measurement(theirs[1:], ours[1:], smaller[1:], task.compare and results[0] != results[1])

    def rival(self, package: str) -> Side:
        """Return the other side of a task. Raise `Skipped` if the oracle's interpreter lacks its package."""
        if package in self.sides:
            return self.sides[package]
        side = self.sides["sacrebleu"]._replace(package=package)
        program = f"import importlib.util as u; print(int(u.find_spec({package!r}) is not None))"
        if run(side, ["-c", program]).result.strip() != b"1":
            raise Skipped(f"{side.python} has no {package}")
        return side

    def model(self, task: Task) -> Path | None:
        """Return the path of the SentencePiece model that a task needs. Raise `Failed`.

        The model is trained once, on all data. It has the path of `flores101` in a cache. (A model at the path of
        `flores200` would be refused, because its checksum is wrong.)
        """
        if isinstance(task.work, Calling) or task.work.algorithm not in ("bpe", "unigram"):
            return None
        algorithm, pieces = task.work.algorithm, str(task.work.pieces)
        path = self.folder / f"{algorithm}-{pieces}" / "models" / "sacrebleu_tokenizer_spm.model"
        if not path.exists():
            path.parent.mkdir(parents=True)
            texts = [str(file) for file in sorted(self.data.rglob("*")) if file.is_file()]
            run(self.sides["sacrebleu"], [str(PROGRAMS), "train", algorithm, pieces, str(path), *texts])
            path.with_name(path.name + ".model").rename(path)
        return path
