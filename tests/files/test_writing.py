"""Files that the command line writes: whole or as before, for those who might read them before, and nothing beside."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from typing import Sequence

import pytest

from purebleu.cli import process
from purebleu.cli.commands import select
from purebleu.files import writing
from purebleu.files.opening import SOURCE
from purebleu.files.records import CSVFile
from purebleu.files.writing import store, write_named
from purebleu.report.formats import Style, delimited
from purebleu.runtime.errors import PurebleuError

from .. import PACKAGE
from ..helpers import SCRIPTS, environment, needs_checkout, needs_processes, refusal, run_cli, told, write_texts

pytestmark = needs_processes

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX's permissions, links and signals")

#: Options that write a file; the name of the file follows.
WRITERS: dict[str, Sequence[str]] = {
    "rows": ("ref", "-i", "a", "--save-rows"), "report": ("report", "ref", "-i", "a", "-o"),
    "junit": ("gate", "ref", "-i", "a", "--min", "bleu=0", "--junit"),
    "alignments": ("align", "ref", "-i", "a", "-o"), "bundle": ("bundle",),
    "resegmented": ("ref", "-i", "a", "--resegment", "--save-resegmented"),
}
ENDINGS = {"alignments": "file.json"}

SHARES, SEGMENTS = {"ref": 1.0, "a": 0.9}, 30


def arguments_of(writer: str, path: str) -> list[str]:
    further = ["sample", "-l", "en-de"] if writer == "bundle" else []
    return [*WRITERS[writer], path, *further]


def temporary_files(corpus: Path) -> list[str]:
    return sorted(path.name for path in corpus.rglob(".purebleu-*"))


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@needs_posix
@pytest.mark.parametrize(("writer", "mode"), [*zip(WRITERS, cycle([0o600, 0o640, 0o664, 0o400]))])
def test_the_permissions_of_a_file_stay(corpus: Path, writer: str, mode: int) -> None:
    name = ENDINGS.get(writer, "file")
    told(corpus, *arguments_of(writer, name))
    for _ in range(2):
        (corpus / name).chmod(mode)
        told(corpus, *arguments_of(writer, name))
        assert stat.S_IMODE((corpus / name).stat().st_mode) == mode
    assert temporary_files(corpus) == []


@needs_posix
def test_nobody_reads_the_temporary_file_who_may_not_read_the_one_that_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_bytes(b"before")
    path.chmod(0o600)
    seen: list[int] = []

    def write(file: object) -> None:
        other, = tmp_path.glob(".purebleu-*")
        seen.append(stat.S_IMODE(other.stat().st_mode))

    write_named(str(path), write)
    assert seen == [0o600]


@needs_posix
def test_symbolic_links_lead_to_the_file_and_hard_links_keep_what_was_there(corpus: Path) -> None:
    (corpus / "inner").mkdir()
    (corpus / "inner" / "file").write_bytes(b"before")
    os.link(corpus / "inner" / "file", corpus / "hard")
    os.symlink("inner/file", corpus / "soft")
    told(corpus, *arguments_of("rows", "soft"))
    assert (corpus / "soft").is_symlink() and (corpus / "hard").read_bytes() == b"before"
    assert b"purebleu-rows" in (corpus / "inner" / "file").read_bytes()
    os.symlink("nowhere/file", corpus / "dangling")
    assert refusal(corpus, *arguments_of("rows", "dangling"), code=1) == (
        "purebleu: error: dangling: No such file or directory\n")


def test_failures_leave_no_new_folders(tmp_path: Path) -> None:
    def fail(file: object) -> None:
        raise OSError("the network is gone")

    (tmp_path / "there").mkdir()
    for path in ("new/raw/archive", "there/raw/archive", "there/raw/other"):
        if path == "there/raw/other":
            store(str(tmp_path / "there/raw/archive"), lambda file: file.write(b"x"))
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises((OSError, PurebleuError)):
            store(str(tmp_path / path), fail)
        assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "there/raw/archive").read_bytes() == b"x"


def test_a_folder_that_is_missing_is_not_made_and_errors_name_the_file_that_was_asked_for(corpus: Path) -> None:
    for writer in WRITERS:
        end = ENDINGS.get(writer, "file")
        (corpus / end).mkdir(exist_ok=True)
        for name, reason in ((f"missing/{end}", ": No such file or directory\n"),
                             (f"ref/{end}", ": "), (end, "")):  # (a file where a folder belongs, and a folder)
            error = refusal(corpus, *arguments_of(writer, name), code=1)
            assert error.startswith(f"purebleu: error: {name}{reason}")
        assert not (corpus / "missing").exists()
        assert not [*(corpus / end).iterdir()] and temporary_files(corpus) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs a file system that can't be written")
def test_errors_of_a_file_system_name_the_file_that_was_asked_for(corpus: Path) -> None:
    for name in ("/proc/self/file", "/proc/file"):
        error = refusal(corpus, *arguments_of("rows", name), code=1)
        assert error.startswith(f"purebleu: error: {name}: ") and ".purebleu-" not in error


# Ends by a signal

#: Writes a file, says so on standard output when half of it is written, and waits.
HALFWAY = """
import sys, time
from importlib import import_module

package, path = sys.argv[1:]
cli, writing = import_module(package + ".cli"), import_module(package + ".files.writing")

def lines_of(parts):
    yield b"half"
    print("halfway", flush=True)
    for _ in range(1200):  # (a signal just before one long sleep would be handled after it)
        time.sleep(0.05)

import_module(package + ".rows").lines_of = lines_of
sys.argv[1:] = ["ref", "-i", "a", "--save-rows", path]
cli.run()
"""


def halfway(corpus: Path, path: str, program: str = HALFWAY) -> subprocess.Popen[bytes]:
    """A process that has written half of a file, and waits."""
    process = subprocess.Popen([sys.executable, "-c", program, PACKAGE, path], cwd=str(corpus), env=environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline().strip() == b"halfway"
    return process


@needs_posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.full
def test_signals_leave_nothing_behind(corpus: Path, name: str) -> None:
    (corpus / "file").write_bytes(b"before")
    process = halfway(corpus, "file")
    assert len(temporary_files(corpus)) == 1
    process.send_signal(getattr(signal, name))
    process.communicate(timeout=120)
    assert process.returncode == -getattr(signal, name)
    assert temporary_files(corpus) == [] and (corpus / "file").read_bytes() == b"before"


#: As `HALFWAY`, of a bundle whose second member is being begun: the library has not given it to anybody yet.
BUNDLE_HALFWAY = """
import sys, time, zipfile
from importlib import import_module

package, path = sys.argv[1:]
cli = import_module(package + ".cli")
begin = zipfile.ZipFile._open_to_write

def begin_slowly(archive, *others, **more):
    begun = begin(archive, *others, **more)
    if len(archive.filelist) > 1:
        print("halfway", flush=True)
        for _ in range(1200):
            time.sleep(0.05)
    return begun

zipfile.ZipFile._open_to_write = begin_slowly
sys.argv[1:] = ["bundle", path, "sample"]
cli.run()
"""


@needs_posix
@pytest.mark.full
def test_ctrl_c_within_a_member_of_a_bundle_is_no_bug(corpus: Path) -> None:
    (corpus / "file").write_bytes(b"before")
    process = halfway(corpus, "file", BUNDLE_HALFWAY)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (-signal.SIGINT, b"purebleu: interrupted\n")
    assert temporary_files(corpus) == [] and (corpus / "file").read_bytes() == b"before"


@needs_posix
@pytest.mark.full
def test_a_signal_that_somebody_ignores_stays_ignored(corpus: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = halfway(corpus, "file")
    finally:
        signal.signal(signal.SIGHUP, before)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    assert process.poll() is None and len(temporary_files(corpus)) == 1
    process.kill()
    process.communicate()


# Scripts

@needs_checkout
def test_scripts_write_whole_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from vendoring import archives  # type: ignore[import-not-found, unused-ignore]

    path = tmp_path / "file"
    archives.write_whole(path, b"before")
    path.chmod(0o640)

    def fail(*_: object) -> None:
        raise OSError("no space")

    with monkeypatch.context() as patched, pytest.raises(OSError, match="no space"):
        patched.setattr(os, "replace", fail)
        archives.write_whole(path, b"after")
    assert path.read_bytes() == b"before" and [entry.name for entry in tmp_path.iterdir()] == ["file"]
    archives.write_whole(path, b"after", is_program=True)
    assert path.read_bytes() == b"after"
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o750
        (tmp_path / "link").symlink_to(path)
        archives.write_whole(tmp_path / "link", b"through a link")
        assert path.read_bytes() == b"through a link" and (tmp_path / "link").is_symlink()
        os.mkfifo(tmp_path / "pipe")
        for wrong in (tmp_path / "pipe", tmp_path):
            with pytest.raises(archives.BuildError, match="is no file"):
                archives.write_whole(wrong, b"after")
        assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


# Several files, and files of standard streams

@pytest.mark.parametrize("options", [["--save-rows"], ["--report"], ["--resegment", "--save-resegmented"]],
                         ids=" ".join)
def test_no_file_stays_behind_if_a_later_one_fails(corpus: Path, options: list[str]) -> None:
    gate = ["gate", "ref", "-i", "a", "--min", "bleu=0", "--junit", "missing/junit", *options, "file"]
    for texts in ({}, {"file": b"before"}):
        write_texts(corpus, texts)
        before = contents_of(corpus)
        assert refusal(corpus, *gate, code=1).startswith("purebleu: error: missing/junit: ")
        assert contents_of(corpus) == before


def test_files_written_together_get_their_names_at_the_end(tmp_path: Path) -> None:
    with writing.written_together():
        for name in ("first", "second"):
            write_named(str(tmp_path / name), lambda file: file.write(b"whole"))
        assert len(temporary_files(tmp_path)) == len(contents_of(tmp_path)) == 2
    assert contents_of(tmp_path) == {"first": b"whole", "second": b"whole"}
    with pytest.raises(KeyboardInterrupt), writing.written_together():
        write_named(str(tmp_path / "first"), lambda file: file.write(b"another"))
        raise KeyboardInterrupt
    assert contents_of(tmp_path) == {"first": b"whole", "second": b"whole"}


@needs_posix
@pytest.mark.full
def test_all_files_that_wait_are_removed_by_a_signal(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        with contextlib.suppress(Exception), writing.written_together(process.ended_by_signals):
            for name in ("one", "two"):
                write_named(str(tmp_path / name), lambda file: file.write(b"whole"))
            assert len(temporary_files(tmp_path)) == 2
            os.kill(os.getpid(), signal.SIGTERM)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGTERM
    assert [*tmp_path.iterdir()] == []


@needs_posix
@pytest.mark.full
def test_results_follow_a_file_that_goes_to_standard_output(corpus: Path) -> None:
    alone, _ = told(corpus, "ref", "-i", "a", "-b", "--save-rows", "rows")
    for path in ("/dev/stdout", "/dev/fd/1", "both"):
        run_cli(["ref", "-i", "a", "-b", "--save-rows", path], cwd=corpus, wrapper=["sh", "-c", '"$@" > both', "sh"])
        assert (corpus / "both").read_bytes() == (corpus / "rows").read_bytes() + alone.encode(), path


def test_each_row_of_text_and_csv_is_a_line(corpus: Path) -> None:
    assert delimited("csv", ["x", "y"], [["a\rb", 1.5], ["::error::a", None]]) == 'x,y\n"a\rb",1.5\n"::error::a",'
    assert delimited("tsv", ["x"], [["::a"], ["b,c"]]) == 'x\n"::a"\nb,c'
    told(corpus, "ref", "-i", "a", "--names", "a\rb\nc\td", "--save-rows", "rows")
    listed, _ = told(corpus, "rows", "rows")
    assert listed.startswith("rows\ta\\rb\\nc\\td\tBLEU\t0\t30\t") and listed.count("\n") == 1
    text = select._written(Style("text"), [{"line": 1, "id": "a\tb\n", "similarity": 1.0, "source": "c\r\nd"}])
    assert text == "1\ta\\tb\\n\t1.0\tc\\r\\nd"  # (selected segments)


@pytest.mark.parametrize(("arguments", "column"), [
    (["select", "--count", "30", "--source", "odd"], "source"), (["ref", "--names", "a\rb", "\rc"], "system"),
], ids=["selected segments", "comparison"])
def test_a_carriage_return_in_csv_is_read_back(corpus: Path, arguments: list[str], column: str) -> None:
    (corpus / "odd").write_bytes(b"a\rb\n\rc\n" * 15)
    written, _ = told(corpus, *arguments, "-i", "a", "ref", "-q", "-f", "csv")
    (corpus / "written.csv").write_bytes(written.encode())
    reader = CSVFile(str(corpus / "written.csv"), "utf-8")
    found = reader.column("", column, SOURCE)
    assert {*found.read(100)} == {"a\rb", "\rc"}
    reader.stream.close()
