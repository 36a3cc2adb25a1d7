"""Helpers of all tests: reaching the package under its name of the day, running its command line, reading fixtures."""

from __future__ import annotations

import base64
import contextlib
import csv
import functools
import gzip
import http.server
import importlib
import importlib.util
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import zlib
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import pytest

from . import PACKAGE

FIXTURES = Path(__file__).resolve().parent / "fixtures"
SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"

#: The folder of real data and archives. It is not part of the project, and what needs it takes a minute.
SHARED = Path(os.environ.get("PUREBLEU_SHARED") or os.devnull)

#: Tokenizers that read a dictionary or a model, which may not be there.
NEED_DATA = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")

#: How PyPy's failure ends.
_PYPY_ISSUE_3299 = b"RuntimeError: dictionary changed size during iteration"

#: The number of the error (of Windows) with which wine now and then makes no process.
_INTERNAL_ERROR_OF_WINE = 1359

#: Variables with these names, or starting like this, would change what the command line does.
_INFLUENCES = ("PUREBLEU", "SACREBLEU", "NO_COLOR", "GITHUB_STEP_SUMMARY", "PYTHON")

#: Variables that start like this and change nothing.
_HARMLESS = ("PYTHONHOME", "PYTHONDONTWRITEBYTECODE")


needs_processes = pytest.mark.skipif(sys.platform in ("emscripten", "wasi"),
                                     reason="WebAssembly cannot start processes")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo") or sys.platform == "emscripten",
                                 reason="needs pipes with names")
needs_checkout = pytest.mark.skipif(not SCRIPTS.is_dir() or PACKAGE != "purebleu", reason="only a checkout has them")


#: The metrics that take no text but that of subtitles.
OF_SUBTITLES = ("SubER", "SubERCased")


def load(submodule: str = "") -> Any:
    """The package under test, or one of its modules, such as `load("metrics.bleu")`; a single file is all of them."""
    if submodule and not hasattr(importlib.import_module(PACKAGE), "__path__"):
        submodule = ""
    return importlib.import_module(f"{PACKAGE}.{submodule}" if submodule else PACKAGE)


def program() -> str:
    """The name of the program with its full version, as signatures have it."""
    return f"purebleu-{load('version').FULL_VERSION}"


def part(submodule: str, name: str) -> Any:
    """The value of `name` in a module of the package under test; skips the test where this copy was made without that.

    (For tests of properties: `hypothesis` would try again and again.)
    """
    try:
        module = load(submodule)
        if not hasattr(load(), "__path__") and name not in vars(module):
            pytest.skip(f"this single file has no {name}")
        return getattr(module, name)
    except load("runtime.errors").LeftOutError as error:
        pytest.skip(str(error))


def results_of(systems: Sequence[Any], metrics: Sequence[Any], *, rank: bool = False, holm: bool = False,
               **drawn: Any) -> Any:
    """The results of systems, with what is drawn as keywords."""
    significance = load("significance")
    return significance.results_of(systems, metrics, significance.Sampling(**drawn), rank=rank, holm=holm)


def runs_of(systems: Sequence[Any], metrics: Sequence[Any], *, holm: bool = False, **drawn: Any) -> Any:
    """The results of systems with several runs, with what is drawn as keywords; no samples: no test."""
    significance = load("significance")
    test = None if drawn.get("samples") == 0 else "sar"
    return significance.runs_of(systems, metrics, significance.Sampling(test, **drawn), holm=holm)


def sampled_results(test: str, systems: Sequence[Any], metrics: Sequence[Any], stream: Any, count: int) -> Any:
    """The results of a paired test, `bs` or `ar`, from a random stream of any kind."""
    paired = load("significance.paired")
    results = results_of(systems, metrics).systems
    pairs = [(0, index) for index in range(1, len(systems))]
    if test == "ar":
        paired.add_p_values(results, paired.randomization_p_values(systems, metrics, pairs, stream, count))
        return results
    resampled, _ = paired.resampled_scores(systems, metrics, stream, count)
    roundings = [paired.rounding_of(metric, stream) for metric in metrics]
    paired.add_p_values(results, load("significance.results").bootstrap_p_values(results, resampled, roundings, pairs))
    for system, scores in zip(results, resampled):
        for result, sampled in zip(system, scores):
            result.mean, result.ci = load("significance").estimate_ci(sampled)
    return results


def load_script(name: str) -> Any:
    """A script of the project as a module, by its path in `scripts`: the standard library has a `test`, too.

    While it is loaded, it may import other scripts.
    """
    spec = importlib.util.spec_from_file_location("scripts_" + name.replace("/", "_"), str(SCRIPTS / f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.append(str(SCRIPTS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPTS))
    return module


def plain_tokenizers() -> list[str]:
    """The names of the tokenizers that need no data."""
    return [name for name in load("tokenizers").TOKENIZERS if name not in NEED_DATA]


def environment(**further: str | None) -> dict[str, str]:
    """Variables for a process that finds the package, and nothing that would influence it, but these; `None`: unset."""
    kept = {name: value for name, value in os.environ.items() if _is_harmless(name)}
    variables = {**kept, "PYTHONPATH": str(folder_of_package()), **further}
    return {name: value for name, value in variables.items() if value is not None}


def _is_harmless(name: str) -> bool:
    return name in _HARMLESS or not name.startswith(_INFLUENCES)


def run_cli(args: Sequence[str], *, stdin: bytes = b"", cwd: str | Path | None = None,
            env: Mapping[str, str | None] | None = None, start: Sequence[str] = ("-m", PACKAGE),
            wrapper: Sequence[str] = ()) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m PACKAGE` with the arguments, in a process of its own, and return it with what it printed.

    `stdin` is what it finds in standard input, `cwd` the folder that it runs in, `env` what it finds in its
    `environment`, `start` what comes between Python and the arguments, `wrapper` a command that starts Python.
    """
    return run_python([*start, *args], wrapper, input=stdin, cwd=None if cwd is None else str(cwd),
                      env=environment(**env or {}))


def call_cli(args: Sequence[str], *, stdin: bytes = b"", cwd: str | Path | None = None,
             env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in this process, and return the same as `run_cli`.

    It takes a fraction of the time, and serves wherever nothing depends on the process: its end, its signals, its
    memory, the modules that it imports. (The golden command lines are run as processes.) With `-j`, it is a process
    after all: this one has threads, beside which none can be forked safely.
    """
    if "-j" in args:
        return run_cli(args, stdin=stdin, cwd=cwd, env=env)
    output, errors = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=handler, newline="\n")
                      for handler in ("surrogateescape", "backslashreplace")]
    with _environment(env or {}), _folder(cwd), _standard_input(stdin), \
            contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = load("cli").main([*args])
    output.flush()
    errors.flush()
    return subprocess.CompletedProcess([*args], code, output.buffer.getvalue(), errors.buffer.getvalue())


@contextlib.contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """These variables in an environment that is otherwise free of everything that would influence a command line."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if not _is_harmless(name)]:
            patch.delenv(name)
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


@contextlib.contextmanager
def _folder(path: str | Path | None) -> Iterator[None]:
    """This working folder; `None`: the present one."""
    before = os.getcwd()
    os.chdir(path or before)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _standard_input(content: bytes) -> Iterator[None]:
    """This content as standard input."""
    before = os.dup(0)
    try:
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.seek(0)
            os.dup2(file.fileno(), 0)
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)


def run_python(args: Sequence[str], wrapper: Sequence[str] = (), **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run this Python with the arguments, in a process of its own, and return it with what it printed.

    PyPy fails at random where it imports `ssl` or `hashlib`, the more often the busier the machine is (its issue 3299,
    open), and wine where it makes a process: then the process has done nothing yet, and is run again.
    """
    for is_last in (False, False, True):
        try:
            done = subprocess.run([*wrapper, sys.executable, *args], capture_output=True, check=False, **options)
        except OSError as error:
            if is_last or getattr(error, "winerror", None) != _INTERNAL_ERROR_OF_WINE:
                raise
            continue
        if sys.implementation.name != "pypy" or _PYPY_ISSUE_3299 not in done.stderr:
            break
    return done


def output_of(args: Sequence[str], folder: Path, stdin: bytes = b"", **env: str) -> str:
    """The output of the command line in a folder where all goes well."""
    done = call_cli(args, cwd=folder, stdin=stdin, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def write_systems(folder: Path, shares: Mapping[str, float], segments: int) -> None:
    """Write files of parallel segments: in each, this share of the words is left as it is."""
    source = random.Random(1)
    words = ["a", "few", "words", "that", "make", "some", "lines", "of", "text"]
    lines = [source.choices(words, k=12) for _ in range(segments)]
    for name, share in shares.items():
        text = [" ".join([word if source.random() < share else "or" for word in line]) + "\n" for line in lines]
        (folder / name).write_bytes("".join(text).encode("ascii"))


def skip_in_source_archive(path: Path) -> None:
    """Skip a test, or a module, for want of a large golden file: an unpacked source archive has none."""
    if not path.exists() and (SCRIPTS.parent / "PKG-INFO").exists():
        pytest.skip(f"the source archive has no {path.name}", allow_module_level=True)


def read_fixture(name: str) -> Any:
    """The content of a JSON file in `tests/fixtures`, compressed where its name says so."""
    skip_in_source_archive(FIXTURES / name)
    content = (FIXTURES / name).read_bytes()
    return json.loads(gzip.decompress(content) if name.endswith(".gz") else content)


@functools.lru_cache(maxsize=None)
def oracle_of(name: str) -> str:
    """The version of the program that a fixture was made with. (To read one for each of its cases takes seconds.)"""
    return str(read_fixture(name)["oracle"])


def unpacked(content: str) -> bytes:
    """The bytes that a fixture has as text."""
    return zlib.decompress(base64.b85decode(content))


def folder_of_package() -> Path:
    """The folder (or archive) that has to be on the path for the package to be imported under its full name."""
    return Path(load().__file__).resolve().parents[PACKAGE.count(".") + hasattr(load(), "__path__")]


def with_two_decimals(text: str) -> str:
    """A text with parameters of smoothing as sacreBLEU signs them; here, they are signed so that they read back."""
    return re.sub(r"\b(floor|add-k)\[([^\]]*)\]", lambda match: f"{match[1]}[{float(match[2]):.2f}]", text)


#: Real data of WMT 2022, if `SHARED` has it.
WMT22 = SHARED / "data" / "wmt22"

needs_wmt22 = pytest.mark.skipif(not WMT22.is_dir(), reason="PUREBLEU_SHARED names no folder with real data")


def wmt22_lines(*names: str) -> list[list[str]]:
    """The lines of German files, such as `hyp.Online-B` and `ref.B`."""
    paths = [WMT22 / f"generaltest2022.en-de.{name}.de" for name in names]
    return [path.read_text(encoding="utf-8").split("\n")[:-1] for path in paths]


def refusal(folder: str | Path, *arguments: str, code: int = 2, stdin: bytes = b"", **env: str) -> str:
    """The one line with which the command line refuses something: it ends with this exit code, and prints nothing."""
    done = call_cli(arguments, cwd=folder, stdin=stdin, env=env)
    error = done.stderr.decode()
    assert (done.returncode, done.stdout, error.count("\n")) == (code, b"", 1), error
    return error


def texts_of(folder: Path, *names: str) -> list[list[str]]:
    """The lines of files in a folder."""
    return [(folder / name).read_text(encoding="utf-8").splitlines() for name in names]


def write_lines(path: Path, lines: Iterable[object]) -> None:
    """Write a text file, each item a line."""
    path.write_text("".join([f"{line}\n" for line in lines]), encoding="utf-8")


def csv_rows(folder: str | Path, *arguments: str, form: str = "csv") -> list[dict[str, str]]:
    """The rows of the table that the command line prints as CSV, or as TSV."""
    text = told(folder, *arguments, "-f", form)[0]
    return list(csv.DictReader(io.StringIO(text), delimiter="\t" if form == "tsv" else ","))


@contextlib.contextmanager
def sent_through(pipe: Path, content: bytes) -> Iterator[None]:
    """A pipe of this name, into which the content is written while it is read."""
    def write() -> None:
        with contextlib.suppress(BrokenPipeError):
            pipe.write_bytes(content)

    os.mkfifo(pipe)
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield
    writer.join(10)


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a web server that has the files of a folder."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *_: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def lines_of_section(name: str, section: str) -> list[str]:
    """The lines of a section of a text file in `tests/fixtures`, below the heading that begins with its name."""
    text = (FIXTURES / name).read_text(encoding="utf-8")
    return text[text.index(f"\n# {section} (") + 1:].partition("\n\n")[0].splitlines()[1:]


def refused(section: str) -> pytest.MarkDecorator:
    """Mark a test that tries the command lines of a section of `refusals.txt`, which says how they are refused."""
    lines = lines_of_section("refusals.txt", section)
    cases = []
    for line, answer in zip(lines[::2], lines[1::2]):
        _, *arguments = shlex.split(line)
        code, _, message = answer.partition(" ")
        cases.append((arguments, int(code), message))
    return pytest.mark.parametrize(("arguments", "code", "message"), cases)


def shares(count: int, full: int | None = None) -> pytest.MarkDecorator:
    """Mark a test that tries `cases[share::count]`.

    The default tier tries the first share, the full tier the first `full` shares (`None`: all), the heavy tier all.
    """
    in_full = count if full is None else full
    others = [pytest.param(share, marks=pytest.mark.full if share < in_full else pytest.mark.heavy)
              for share in range(1, count)]
    return pytest.mark.parametrize("share", [0, *others])


def first_by_default(count: int, cases: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize` (a case with several values is a tuple): all but the first ones are in the full tier."""
    return _full_unless(lambda place: place < count, cases)


def one_in(count: int, cases: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`, of which the default tier tries one in `count`, and the full tier all."""
    return _full_unless(lambda place: place % count == 0, cases)


def _full_unless(is_default: Callable[[int], bool], cases: Iterable[Any]) -> list[Any]:
    marked = []
    for place, case in enumerate(cases):
        marks = [] if is_default(place) else [pytest.mark.full]
        marked.append(pytest.param(*case if isinstance(case, tuple) else (case,), marks=marks))
    return marked


def told(folder: str | Path, *arguments: str, code: int = 0, stdin: bytes = b"", **env: str) -> tuple[str, str]:
    """Standard output and standard error of the command line, which ends with this exit code."""
    done = call_cli(arguments, cwd=folder, stdin=stdin, env=env)
    assert done.returncode == code, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()
