"""On Pythons that lack modules, such as Debian's `python3-minimal`: what can work does, the rest names the module."""

from __future__ import annotations

import gzip
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.engines.resampling.intervals import exact_mean
from purebleu.engines.resampling.streams import Single
from purebleu.runtime.json_writer import _text, to_json

from . import PACKAGE
from .cli.test_cli_faults import BAD_INPUT, WRONG_USAGE, assert_error
from .helpers import call_cli, needs_processes, run_cli

#: Modules that Debian's package lacks.
MISSING: tuple[str, ...] = (
    "_json", "bz2", "concurrent.futures", "csv", "ctypes", "dataclasses", "decimal", "difflib", "fractions", "gzip",
    "html", "http", "inspect", "json", "lzma", "mmap", "multiprocessing", "pathlib", "secrets", "shlex", "socket",
    "ssl", "statistics", "tarfile", "tempfile", "urllib.error", "urllib.request", "xml", "xml.parsers", "zipfile")

if sys.version_info >= (3, 9):  # before that, argparse always needs it
    MISSING += ("shutil",)

#: Runs the command line where these modules can't be imported. (Those that Python's own start has imported go, too.)
MINIMAL = f"""\
import runpy, sys
for name in [name for name in sys.modules if name.split(".")[0] in {MISSING!r} or name in {MISSING!r}]:
    del sys.modules[name]
sys.modules.update(dict.fromkeys({MISSING!r}))
sys.argv[0] = "purebleu"
runpy.run_module({PACKAGE!r}, run_name="__main__", alter_sys=True)
"""

SHARES, SEGMENTS = {"ref": 1.0, "a": 0.9, "b": 0.7, "c": 0.5}, 40


def minimal(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return run_cli(arguments, cwd=folder, start=["-c", MINIMAL])


@needs_processes
def test_command_lines_that_need_no_missing_module_give_the_same_bytes(folder: Path) -> None:
    for options in (
        "", "-m bleu chrf ter -f text", "-sl -tok zh", "-ci -cin 50 -m bleu chrf ter", "-tok intl -lc -f markdown",
        "-i b c --paired-bs -pbsn 50 -f json", "-i b c --paired-ar -parn 50 -f latex", "-f json-signed -tok char",
        "-j 2", "--rng numpy -ci -cin 20", "--help", "--version", "test -i b c --samples 60 -q", "gate --min bleu=1 -q",
        "check -f json", "compare -i b --lengths", "align -m wer --confusions", "test --help",
    ):
        command = options.split()[:1] if options[:1].isalpha() else []
        arguments = [*command, "ref", "-i", "a", *options.split()[len(command):]]
        process = minimal(folder, *arguments)
        assert (process.returncode, process.stderr) == (0, b""), arguments
        assert process.stdout == call_cli(arguments, cwd=folder).stdout, arguments
    arguments = ["-t", "sample", "-l", "en-de", "--echo", "src"]
    assert minimal(folder, *arguments).stdout == call_cli(arguments, cwd=folder).stdout != b""


@needs_processes
def test_command_lines_that_need_a_missing_module_name_it(folder: Path) -> None:
    (folder / "two").write_bytes(b"another short reference\n" * 40)
    for name in ("ref.gz", "compressed"):
        (folder / name).write_bytes(gzip.compress((folder / "ref").read_bytes()))
    for arguments, module in {
        "ref.gz -i a": "gzip", "compressed -i a": "gzip", "ref -i a -f html": "html",
        "ref two -i a -m ter -ci -cin 9": "fractions", "unbundle ref": "zipfile", "-t wmt18 -l en-de -i a": "http",
    }.items():
        assert_error(minimal(folder, *arguments.split()), BAD_INPUT, module)
    assert_error(minimal(folder, "ref", "-i", "a", "--no-such-option"), WRONG_USAGE, "no-such-option")
    script = MINIMAL.replace("sys.argv[0] =", "sys.modules['argparse'] = None; sys.argv[0] =")
    assert run_cli(["ref", "-i", "a"], cwd=folder, start=["-c", script]).returncode == 0


@needs_processes
@pytest.mark.parametrize(("line", "modules"), [
    ("ref two -i a -m ter -ci", ["decimal", "fractions"]), ("test ref two -i a b -m bleu ter", ["fractions"]),
    ("ref -i a --save-rows a.gz", ["gzip", "json"]), ("ref -i a -f html", ["html"]),
    ("report ref -i a", ["decimal", "html", "json", "shlex"]), ("gate ref -i a --min bleu=1 --junit x.xml", ["html"]),
    ("gate ref -i a --min bleu=1 --report x.html", ["decimal", "html", "json", "shlex"]),
    ("bundle x.pyz -t sample -l en-de", ["json", "tarfile", "zipfile"]), ("unbundle ref", ["zipfile"]),
    ("serve", ["json", "shlex"]),
])
def test_the_doctor_names_the_modules_that_a_line_lacks(folder: Path, line: str, modules: list[str]) -> None:
    (folder / "two").write_bytes(b"another short reference\n" * 40)
    done = minimal(folder, "doctor", *line.split())
    assert done.returncode == 1
    text = " ".join(done.stdout.decode().split())
    for module in modules:
        assert f"this Python lacks the module '{module}', which this command line needs" in text


@needs_processes
def test_a_missing_part_of_the_package_is_a_bug(folder: Path) -> None:
    script = MINIMAL.replace("sys.argv[0] =", f"sys.modules[{PACKAGE + '.report'!r}] = None; sys.argv[0] =")
    process = run_cli(["ref", "-i", "a"], cwd=folder, start=["-c", script])
    assert (process.returncode, process.stdout) == (70, b"")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12)


@given(value=VALUES, indent=st.none() | st.integers(1, 4), ascii_only=st.booleans())
def test_json_without_its_module_is_the_same(value: Any, indent: int | None, ascii_only: bool) -> None:
    expected = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert _text(value, indent, ascii_only) == to_json(value, indent, ascii_only) == expected


def test_json_of_every_character_is_the_same() -> None:
    text = "".join(map(chr, range(0x3000))) + "\ud800\udfff\uffff\U00010000\U0010ffff"
    for ascii_only in (False, True):
        assert to_json([text], 1, ascii_only) == json.dumps([text], indent=1, ensure_ascii=ascii_only)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_means_are_those_of_statistics(numbers: list[float]) -> None:
    assert exact_mean(numbers).hex() == statistics.mean(numbers).hex()
    singles = list(map(Single, numbers))
    assert exact_mean(singles) == statistics.mean(singles)
    assert type(exact_mean(singles)) is type(statistics.mean(singles)) is Single
