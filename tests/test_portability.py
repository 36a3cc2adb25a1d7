"""Results are the same whatever Python lacks, whatever a user may not do, and whatever files are called.

(That locales, variables and flags of the interpreter don't matter is in `test_cli_faults.py`; `test_digest.py` holds
every interpreter to the same figures.)
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Sequence

import pytest

import purebleu
from purebleu.datasets import archives
from purebleu.datasets.registry import get_test_set
from purebleu.runtime.errors import PurebleuError

from . import PACKAGE
from .cli.test_cli_faults import BAD_INPUT, assert_error, assert_fine
from .helpers import FIXTURES, needs_processes, run_cli, write_lines

needs_any_file_name = pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin",
                                         reason="this system's file names are Unicode text")
from_a_folder = pytest.mark.skipif(not os.path.exists(purebleu.__file__),
                                   reason="a package in an archive takes zlib, and a cache for its sample")


# Helpers for the command line

REFERENCES = ("The cat sat on the mat.", "It was a rainy day, and nobody came.", "Füße, “quotes” – 3.5 €!", "x")
HYPOTHESES = ("The cat sat on a mat.", "It was rainy day and no one came.", "Füße, 'quotes' - 3.5 €.", "more")

#: Command lines that need nothing but to read files.
TASKS = {
    "metrics": ["ref", "-i", "hyp", "-m", "bleu", "chrf", "ter", "-w", "14"],
    "sentences": ["ref", "-i", "hyp", "-sl", "-tok", "intl", "-w", "14"],
    "jobs": ["long.ref", "-i", "long.hyp", "-m", "bleu", "chrf", "-j", "2", "-w", "14"],
    "intervals": ["ref", "-i", "hyp", "-m", "bleu", "chrf", "-ci", "-cin", "100", "-w", "12"],
    "systems": ["test", "ref", "-i", "hyp", "other", "-j", "2", "--samples", "100", "-q"],
    "sample": ["-t", "sample", "-l", "en-de", "--echo", "all"],
    "test set": ["-t", "wmt18", "-l", "en-de", "-i", "hyp", "-m", "chrf"],
    "list": ["--list"],
    "version": ["--version"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the tasks read, a compressed file, a bundle, and a cache with one test set in it."""
    made = tmp_path_factory.mktemp("tasks")
    files = {"ref": REFERENCES, "hyp": HYPOTHESES, "other": REFERENCES[::-1], "long.ref": REFERENCES * 800,
             "long.hyp": HYPOTHESES * 800}
    for name, lines in files.items():
        write_lines(made / name, lines)
    (made / "hyp.gz").write_bytes(gzip.compress((made / "hyp").read_bytes()))
    test_set = get_test_set("wmt18")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUREBLEU_CACHE", str(made / "cache"))
        test_set.stored("en-de").store({field: list(REFERENCES) for field in test_set.fieldnames("en-de")})
    assert_fine(run(["bundle", "packed", "wmt18", "-l", "en-de"], made))
    return made


def run(args: Sequence[str], cwd: Path, prefix: Sequence[str] = (), script: str | None = None,
        **variables: str | None) -> subprocess.CompletedProcess[bytes]:
    """Run the command line, by a command that starts it, or with a script that stands for it.

    It finds the cache in `cwd` and connects to nothing. A variable that is `None` is taken from the environment.
    """
    return run_cli(args, cwd=cwd, env={"PUREBLEU_CACHE": str(cwd / "cache"), "PUREBLEU_OFFLINE": "1", **variables},
                   start=["-m", PACKAGE] if script is None else ["-c", script, PACKAGE], wrapper=prefix)


@pytest.fixture(scope="module")
def outputs(folder: Path) -> dict[str, bytes]:
    """The output of each task on a machine that lacks nothing."""
    return {name: fine_output(run(args, folder)) for name, args in TASKS.items()}


def fine_output(process: subprocess.CompletedProcess[bytes]) -> bytes:
    assert_fine(process)
    return process.stdout


# Modules that a Python may lack

# Runs the command line as a Python does that lacks some modules.
LACKING = """
import importlib, sys

class Lacking:
    names = LACKED

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacking())
for name in Lacking.names:
    sys.modules.pop(name, None)
package = sys.argv.pop(1)
importlib.import_module(package + ".cli").run()
"""

OPTIONAL = ("_ssl", "ssl", "_lzma", "_bz2", "bz2", "zlib", "_multiprocessing", "_posixshmem", "_ctypes", "_decimal")


def lacking(*modules: str) -> str:
    return LACKING.replace("LACKED", repr(modules))


@needs_processes
@from_a_folder
def test_results_are_the_same_if_python_lacks_modules(folder: Path, outputs: dict[str, bytes]) -> None:
    for task, args in TASKS.items():
        assert fine_output(run(args, folder, script=lacking(*OPTIONAL))) == outputs[task], task


@needs_processes
@from_a_folder
def test_compressed_files_need_zlib(folder: Path) -> None:
    for file, line in {"hyp.gz": "ref -i hyp.gz", "new": "bundle new wmt18 -l en-de",
                       "packed": "unbundle packed"}.items():
        assert run(line.split(), folder).returncode == 0
        (folder / "new").unlink(missing_ok=True)
        process = run(line.split(), folder, script=lacking("zlib"))
        assert_error(process, BAD_INPUT, f"{file}: this Python can't", "decompress ", " (No module named 'zlib')")
        assert not (folder / "new").exists()


def test_archives_need_zlib_and_plain_files_do_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "zlib", None)
    found = {}

    def use(member: str, stream: object) -> None:
        found[member] = stream.lines()  # type: ignore[attr-defined]

    (tmp_path / "file").write_bytes(b"one\ntwo\n")
    for name in ("set.tar.gz", "set.tgz", "set.zip", "set.txt.gz"):
        with pytest.raises(PurebleuError, match=rf"^{name}: this Python can't .*decompress"):
            archives.read_members(str(tmp_path / "file"), name, ["member"], use)
    archives.read_members(str(tmp_path / "file"), "set.tsv", ["set.tsv"], use)
    assert found == {"set.tsv": ["one", "two"]}


# Rights that a user may lack

# Makes every mounted file system read-only, for itself and what it starts.
REMOUNT = """
while read -r _ _ _ _ place _; do mount -o remount,bind,ro "$place"; done < /proc/self/mountinfo 2> /dev/null
exec "$@"
"""

#: How to start a process that may not write: a user who may read everything, and one on file systems without writing.
CONFINED = {
    "another user": ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                     *[f"--{which}=-all,+dac_read_search" for which in ("bounding-set", "inh-caps", "ambient-caps")]],
    "read-only file systems": ["unshare", *(() if hasattr(os, "geteuid") and os.geteuid() == 0 else ["-r"]), "-m",
                               "sh", "-c", REMOUNT, "sh"],
}

# Prints which of the folders can be written to.
WRITABLE = """
import sys, tempfile
for folder in sys.argv[1:]:
    try:
        tempfile.TemporaryFile(dir=folder).close()
        print(folder)
    except OSError:
        pass
"""


@pytest.fixture(scope="module", params=CONFINED)
def confinement(request: pytest.FixtureRequest, folder: Path) -> list[str]:
    """A command that starts a process that can't write into the folder (or, with the latter, anywhere)."""
    prefix = CONFINED[request.param]
    if shutil.which(prefix[0]) is None:
        pytest.skip(f"this system has no {prefix[0]}")
    places = [str(folder), *(["/tmp", "/dev/shm"] if "only" in request.param else [])]
    probe = subprocess.run([*prefix, sys.executable, "-c", WRITABLE, *places], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"{request.param}: not allowed here: {probe.stderr.decode('utf-8', 'replace').strip()[-200:]}")
    if os.geteuid() != 0 and probe.stdout:
        pytest.skip(f"{request.param}: only root can take away the right to write")
    assert probe.stdout == b""
    return prefix


@needs_processes
def test_results_are_the_same_if_no_file_can_be_written(
        folder: Path, outputs: dict[str, bytes], confinement: list[str]) -> None:
    for task, args in TASKS.items():
        confined = run(args, folder, confinement, HOME=str(folder), TMPDIR=str(folder))
        assert fine_output(confined) == outputs[task], task


@needs_processes
def test_a_file_that_cannot_be_written_is_named(folder: Path, confinement: list[str]) -> None:
    for line, name in {"--download wmt19": str(folder), "bundle new wmt18 -l en-de": "new",
                       "unbundle packed": str(folder)}.items():
        process = run(line.split(), folder, confinement, HOME=str(folder), TMPDIR=str(folder),
                      PUREBLEU_MIRROR=str(folder))
        assert_error(process, BAD_INPUT, name)
        assert process.stderr.decode().strip().endswith(("Read-only file system", "Permission denied"))


@needs_processes
def test_scoring_needs_no_home(folder: Path, outputs: dict[str, bytes]) -> None:
    nowhere = {"HOME": None, "USERPROFILE": None, "HOMEDRIVE": None, "HOMEPATH": None, "PUREBLEU_CACHE": None}
    tasks = ["metrics", "jobs", "list", *["sample"] * os.path.exists(purebleu.__file__)]
    for task, prefix in itertools.product(tasks, [[], *[stranger()] * may_be_anyone()]):
        assert fine_output(run(TASKS[task], folder, prefix, **nowhere)) == outputs[task], task


def stranger() -> list[str]:
    """The start of a command that a user runs whom the system does not know, and who may read everything."""
    return [part.replace("65534", "54321") for part in CONFINED["another user"]]


def may_be_anyone() -> bool:
    """Whether that user can be had here."""
    return shutil.which("setpriv") is not None and subprocess.run(
        [*stranger(), sys.executable, "-c", ""], stderr=subprocess.DEVNULL, check=False).returncode == 0


@needs_processes
def test_test_sets_need_a_home_or_a_cache(folder: Path) -> None:
    if not may_be_anyone():
        pytest.skip("this user can't become another one, and the system knows the home of this one")
    args = ["-t", "wmt18", "-l", "en-de", "--echo", "src"]
    process = run(args, folder, stranger(), HOME=None, PUREBLEU_CACHE=None)
    assert_error(process, BAD_INPUT, "no home folder", "PUREBLEU_CACHE")
    assert_fine(run(args, folder, stranger(), HOME=None))


# Names of files that are no text, where they become part of results

@needs_processes
@needs_any_file_name
def test_systems_may_have_names_that_are_no_text(folder: Path) -> None:
    names = [b"caf\xe9", b"\xff\xfe x"]
    for name in names:
        (folder / os.fsdecode(name)).write_bytes((folder / "hyp").read_bytes())
    for layout in ("text", "json", "latex", "html", "markdown"):
        args = ["ref", "-i", *map(os.fsdecode, names), "-f", layout]
        output = fine_output(run(args, folder))
        assert output == fine_output(run(args, folder, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0",
                                         PYTHONIOENCODING="ascii"))
        if layout == "json":
            assert [os.fsencode(record["system"]) for record in json.loads(output.decode("ascii"))] == names
        else:
            assert all(name in output for name in names), layout


@needs_processes
@needs_any_file_name
def test_bundles_may_have_names_that_are_no_text(folder: Path, tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(str(tmp_path)) + b"/caf\xe9")
    assert_fine(run(["bundle", name, "wmt18", "-l", "en-de"], folder))
    variables = {"PUREBLEU_CACHE": str(tmp_path / "cache"), "LC_ALL": "C", "PYTHONUTF8": "0"}
    assert_fine(run(["unbundle", name], folder, **variables))
    os.remove(name)
    assert_error(run(["unbundle", name], folder, **variables), BAD_INPUT, "caf")


#: Command lines with names of files in the forms that only Windows has, and those that have to print the same.
ON_WINDOWS = {
    "REFERENCE.TXT -i Hypothesis.txt": "reference.txt -i hypothesis.txt",
    r".\reference.txt -i ..\cli/hypothesis.txt": "reference.txt -i hypothesis.txt",
    r"{folder}\reference.txt -i {folder}/hypothesis.txt": "reference.txt -i hypothesis.txt",
    r"\\?\{folder}\reference.txt -i {folder}\hypothesis.txt": "reference.txt -i hypothesis.txt",
    r"{folder}\reference.txt.gz -i .\hypothesis.txt.gz": "reference.txt.gz -i hypothesis.txt.gz",
}


@pytest.mark.skipif(sys.platform != "win32", reason="Windows has these names")
def test_names_of_files_on_windows_are_those_of_files() -> None:
    folder = str(FIXTURES / "cli")
    for line, same in ON_WINDOWS.items():
        found, expected = [run_cli([word.replace("{folder}", folder) for word in text.split()], cwd=folder)
                           for text in (line, same)]
        assert (found.returncode, found.stdout) == (0, expected.stdout), line
