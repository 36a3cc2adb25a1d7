"""Lenience of the command line: options given twice, names as people write them, near misses and slips."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import purebleu
from purebleu import cli
from purebleu.cli import main, process
from purebleu.cli.arguments import values
from purebleu.engines.ngrams import matching
from purebleu.engines.ngrams.matching import ids_of_characters

from .. import PACKAGE
from ..helpers import call_cli, needs_processes, one_in, output_of, refusal, refused, run_cli, told, write_lines
from .test_cli_faults import BAD_INPUT, BROKEN_PIPE, FINE, WRONG_USAGE, assert_error, assert_fine, needs_posix, started

pytestmark = needs_processes

SHARES, SEGMENTS = {"ref": 1.0, "a": 0.9, "b": 0.7, "c": 0.5}, 40


#: Runs the command line; `sys` is imported before.
RUN = f"sys.argv[0] = 'x'; import runpy; runpy.run_module({PACKAGE!r}, run_name='__main__')"


# Options that are given more than once

@pytest.mark.parametrize("names", [["-m", "ter", "-m", "bleu"], ["-m", "ter,bleu"], ["-m", "TER", "Bleu"],
                                   ["-m", "TER,BLEU", "-m", "bleu"]])
def test_metrics_may_be_named_as_people_do(corpus: Path, names: list[str]) -> None:
    expected = output_of(["ref", "-i", "a", "-m", "bleu", "ter"], corpus)
    assert output_of(["ref", "-i", "a", *names], corpus) == expected


# Numbers that can't be meant

def test_the_largest_number_is_taken() -> None:
    for read, largest in ((values.port, 65535), (values.not_negative, values.MAX_NUMBER)):
        assert read(str(largest)) == largest
        with pytest.raises(ValueError, match=f"'{largest + 1}' is more than {largest}"):
            read(str(largest + 1))


def test_orders_beyond_the_longest_segment_are_not_looked_for() -> None:
    """Calls are counted: a plane for each order that a segment of a bucket can have, and no more."""
    matcher = matching.NgramMatcher(1000, ids_of_characters)
    matcher.add(["abc"] * 8, [["abd"] * 8])
    looked_for: list[int] = []

    def match(planes: Any, rows: int, lanes: int, order: int) -> Any:
        looked_for.append(order)
        return matching._match_one_by_one(planes, rows, lanes, order)

    assert matcher._counted(match, 1) == [[(2, 1, *[0] * 998)] * 8]
    assert max(looked_for) <= matching._WIDTHS[0]


# Arguments and streams of a caller in Python

@pytest.mark.parametrize("arguments", [["ref\0", "-i", "a"], ["ref", "-i", "a\0b"], ["-t", "sample\0", "-l", "en-de"],
                                       ["ref", "-i", "a", "-e", "utf\0-8"], ["ref", "-i", "a", "-tok", "spm:\0"]])
def test_a_nul_in_an_argument_is_an_error(corpus: Path, monkeypatch: pytest.MonkeyPatch,
                                          capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    monkeypatch.chdir(corpus)
    assert main(arguments) == WRONG_USAGE
    output, errors = capsys.readouterr()
    assert (output, errors.count("\n")) == ("", 1) and "NUL" in errors and "\\x00" in errors


# Errors of the system that are not of output

@needs_posix
@pytest.mark.parametrize("line", ["ref -i a -j 2", "-t wmt18 -l en-de -i a --mirror here --offline"])
@pytest.mark.full
def test_a_deleted_working_folder_is_not_taken_for_standard_output(tmp_path: Path, line: str) -> None:
    start = ["-c", "import os, sys; os.rmdir(os.getcwd()); " + RUN]
    (tmp_path / "gone").mkdir()
    process = run_cli(line.split(), cwd=tmp_path / "gone", env={"PUREBLEU_CACHE": "cache"}, start=start)
    assert_error(process, BAD_INPUT, "No such file")
    assert b"standard output" not in process.stderr


@needs_posix
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.full
def test_too_few_file_descriptors_are_an_error_of_one_line(corpus: Path, jobs: str) -> None:
    # (How many are needed depends on the Python; with so few it may still succeed. Its own module `site` would fail
    # before us, in several lines.)
    for descriptors in (3, 4, 5, 6, 8, 10, 12, 16):
        script = f"import {PACKAGE}.cli, argparse, os, sys; " + RUN
        process = run_cli(["ref", "-i", "a", "-j", jobs], cwd=corpus, start=["-S", "-c", script],
                          wrapper=["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh"])
        if b"purebleu: " in process.stderr:  # else, Python itself did not get so far
            assert (process.returncode, process.stderr.count(b"\n")) == (BAD_INPUT, 1), process.stderr
            assert b"standard output" not in process.stderr


@pytest.mark.parametrize(("system", "number", "code"), [
    ("nt", errno.EINVAL, BROKEN_PIPE), ("nt", errno.ENOSPC, BAD_INPUT), ("posix", errno.EINVAL, BAD_INPUT),
    ("posix", errno.EPIPE, BROKEN_PIPE),
])
def test_a_closed_pipe_has_another_name_on_windows(monkeypatch: pytest.MonkeyPatch, system: str, number: int,
                                                   code: int) -> None:
    def fail() -> None:
        raise OSError(number, os.strerror(number))

    output = io.StringIO()  # (its reader has gone, or it is full)
    monkeypatch.setattr(output, "flush", fail)
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setattr(os, "name", system)
    shown = cli._show(["a result"])
    monkeypatch.undo()
    assert shown == code


@pytest.mark.full
def test_lines_end_with_a_line_feed_on_every_system(corpus: Path) -> None:
    # As on Windows, where standard output would write "\r\n".
    start = ["-c", "import sys; sys.stdout.reconfigure(newline='\\r\\n'); " + RUN]
    process = run_cli(["ref", "-i", "a", "b", "-f", "text"], cwd=corpus, start=start)
    assert process.returncode == FINE, process.stderr
    assert process.stdout.decode() == output_of(["ref", "-i", "a", "b", "-f", "text"], corpus)
    assert b"\r" not in process.stdout


# Ctrl-C

DESTRUCTOR = """\
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from importlib import import_module
cli, score = import_module(sys.argv[1] + ".cli"), import_module(sys.argv[1] + ".cli.commands.score")
Answer = import_module(sys.argv[1] + ".cli.arguments.command").Answer

class Interrupted:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass

def interrupted(values):
    one = Interrupted()
    del one
    import gc
    gc.collect(), gc.collect()  # PyPy runs destructors after a collection
    time.sleep(1000)
    return Answer()

score.SCORE.run = interrupted
sys.argv[1:2] = []
cli.run()
"""


@needs_posix
@pytest.mark.full
def test_an_interrupt_in_a_destructor_is_not_lost(corpus: Path) -> None:
    process = run_cli(["ref", "-i", "a"], cwd=corpus, start=["-c", DESTRUCTOR, PACKAGE])
    assert (process.returncode, process.stdout, process.stderr) == (-signal.SIGINT, b"", b"purebleu: interrupted\n")


@pytest.mark.full
def test_other_errors_in_destructors_are_shown_as_usual(corpus: Path) -> None:
    script = DESTRUCTOR.replace("sleep(1000)", "sleep(0)").replace("os.kill(os.getpid(), signal.SIGINT)",
                                                                   "raise KeyError('lost')")
    process = run_cli(["ref", "-i", "a"], cwd=corpus, start=["-c", script, PACKAGE])
    assert process.returncode == FINE
    assert b"KeyError" in process.stderr and b"bug" not in process.stderr


# Suspicious input

@needs_posix
@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.full
def test_at_a_terminal_it_says_that_it_reads_from_it(corpus: Path, quiet: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    with started(corpus, "ref", "-b", *["-q"] * quiet, stdin=theirs) as process:
        os.close(theirs)
        os.write(ours, (corpus / "ref").read_bytes() + b"\x04")  # Ctrl-D
        output, errors = process.communicate(timeout=60)
    os.close(ours)
    assert (process.returncode, output.strip()) == (FINE, b"100.0")
    assert errors.count(b"\n") == errors.count(b"from the terminal") == (not quiet)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.full
def test_tabs_in_references_and_blank_hypotheses_are_warned_about(corpus: Path, jobs: str) -> None:
    lines = (corpus / "ref").read_text().splitlines()
    write_lines(corpus / "tabs", [f"{line}\t{line}" for line in lines])
    write_lines(corpus / "one", [*lines[1:], "a\tb"])
    write_lines(corpus / "blank", ["", " ", "\t", "\u3000"] * 10)
    write_lines(corpus / "nearly", [*[""] * 39, "a word"])
    for line, warnings in (("ref tabs -i a", ["tabs has a tab on every line"]), ("tabs -nr 2 -i a", []),
                           ("one -i a", []), ("ref -i a blank nearly -m bleu chrf ter", [
                               "blank: all hypotheses are blank"])):
        assert_fine(call_cli([*line.split(), "-j", jobs], cwd=corpus), *warnings)


@pytest.mark.parametrize("options", [[], pytest.param(["-j", "2"], marks=pytest.mark.full),
                                     ["-m", "chrf", "bleu", "ter"], ["-i", "other", "-pbs"]])
def test_blank_references_are_counted_once(corpus: Path, options: list[str]) -> None:
    write_lines(corpus / "ref", ["a b c d", "", " \u3000", "e f g h", *[""] * 8])
    for name in ("hyp", "other", "second"):
        write_lines(corpus / name, ["a b c d"] * 12)
    assert told(corpus, "ref", "-i", "hyp", *options)[1] == (
        "purebleu: warning: the references of 10 segments are blank (first: line 2), so all words of the hypotheses "
        "for these segments count as wrong\n")
    assert [text.count("\n") for text in told(corpus, "ref", "-i", "hyp", "-sl")] == [12, 1]
    # Another reference will do, and a few blank ones are usual.
    output_of(["ref", "second", "-i", "hyp"], corpus)
    (corpus / "ref").write_text("a b c d\n" * 3 + "\n" * 9, encoding="utf-8")
    output_of(["ref", "-i", "hyp"], corpus)


def test_a_score_of_zero_for_want_of_4_grams_is_warned_of(corpus: Path) -> None:
    write_lines(corpus / "two", ["two words"] * 3)
    write_lines(corpus / "four", ["two words", "now there are four"])
    assert told(corpus, "two", "-i", "two", "-b") == ("0.0\n", (
        "purebleu: warning: no hypothesis has 4 words or more, so BLEU with n-grams of up to 4 words is 0 even if all "
        "words match (-sl, or effective_order=True in Python, leaves out n-grams longer than the hypotheses)\n"))
    score, warning = told(corpus, "two", "-i", "two", "-b", "-s", "add-k")
    assert score == "100.0\n" and "hypotheses as matched (with another smoothing, -sl, or effective_order" in warning
    for line in ("two -i two -sl", "two -i two -m chrf", "two -i two -q", "four -i four"):
        output_of(line.split(), corpus)


@pytest.mark.parametrize("line", one_in(3, [
    "score", "score -ci -cin 5", "score --paired-ar -parn 5", "test --samples 99", "compare --worst 1",
    "compare --lengths", "audit", "report", "score -m bleu chrf", "gate --min bleu=1"]))
def test_each_system_that_looks_tokenized_is_warned_of_once(corpus: Path, line: str) -> None:
    for name, end in (("ref", "."), ("plain", "."), ("one", " ."), ("two", " .")):
        write_lines(corpus / name, [f"a few words and {name} {number}{end}" for number in range(120)])
    word, *options = line.split()
    _, errors = told(corpus, word, "ref", "-i", "plain", "one", "two", *options)
    assert re.findall("purebleu: warning: (.*) hypotheses", errors) == ["one: 120", "two: 120"]
    assert errors.count("purebleu: warning: ") == 2
    assert "warning" not in told(corpus, word, "ref", "-i", "plain", "one", "two", "--force", *options)[1]


def test_runs_and_systems_of_a_manifest_that_look_tokenized_are_warned_of(corpus: Path) -> None:
    write_lines(corpus / "tokenized", ["a few words ."] * 100)
    write_lines(corpus / "plain", ["a few words."] * 100)
    write_lines(corpus / "m.tsv", ["name\tpair\treferences\thypothesis", "A\ten-de\tplain\ttokenized"])
    for line, name in (("plain --runs A=plain B=tokenized", "tokenized"), ("--manifest m.tsv", "A on en-de")):
        _, warning = told(corpus, *line.split())
        assert warning.startswith(f"purebleu: warning: {name}: 100 hypotheses end in ' .'") and warning.count("\n") == 1


def test_a_wrong_length_names_the_test_set(tmp_path: Path) -> None:
    process = call_cli(["-t", "sample", "-l", "en-de"], stdin=b"one line\n", cwd=tmp_path)
    assert_error(process, BAD_INPUT, "of sample en-de", "1 in standard input")
    assert b".sacrebleu" not in process.stderr and b"datasets" not in process.stderr


# Missing files

@pytest.mark.parametrize("options", [["--offline"], ["--mirror", "http://localhost:9"]])
@pytest.mark.full
def test_without_a_network_the_message_says_what_to_do(tmp_path: Path, options: list[str]) -> None:
    """Port 9 discards, or (as nearly everywhere) is closed."""
    script = (f"import sys, {PACKAGE}.files.download as download, {PACKAGE}.cli as cli; download.PAUSES = (); "
              "download.Source.addresses = lambda self, url: [] if self.offline else [self.mirror]; "
              "raise SystemExit(cli.main())")
    process = run_cli(["-t", "wmt18", "-l", "en-de", "--echo", "src", *options], cwd=tmp_path,
                      env={"PUREBLEU_CACHE": "cache"}, start=["-c", script])
    assert_error(process, BAD_INPUT, "--mirror FOLDER with a folder that has the file data.statmt.org/wmt18/",
                 "unbundle FILE")


@pytest.mark.full
def test_a_copy_without_its_data_says_so(tmp_path: Path) -> None:
    source = Path(purebleu.__file__).parent
    shutil.copytree(source, tmp_path / "slim", ignore=shutil.ignore_patterns("sample", "__pycache__"))
    for arguments in (["--echo", "src"], ["-i", "hyp"]):
        process = run_cli(["-t", "sample", "-l", "en-de", *arguments], cwd=tmp_path, start=["-m", "slim"],
                          env={"PUREBLEU_CACHE": "cache"})
        assert_error(process, BAD_INPUT, "lacks its file datasets/sample/sample.en-de.")


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython can say what it imports")
@pytest.mark.parametrize(("line", "module"), [("--version", "manual"), ("ref -i a -b", "datasets")])
@pytest.mark.full
def test_a_run_imports_no_module_that_it_does_not_need(corpus: Path, line: str, module: str) -> None:
    done = run_cli(line.split(), cwd=corpus, env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0 and f"{PACKAGE}.cli".encode() in done.stderr
    assert f"{PACKAGE}.{module}".encode() not in done.stderr


FROZEN = """\
import multiprocessing, sys
from importlib import import_module
sys.frozen = True
workers, cli = import_module(sys.argv[1] + ".runtime.workers"), import_module(sys.argv[1] + ".cli")
if sys.argv[2] == "library":
    sys.argv.append("--multiprocessing-fork")
    list(workers.spread(str, [1, 2, 3], 2))
else:
    multiprocessing.freeze_support = lambda: sys.exit("worked")
    cli.run()
"""


@pytest.mark.parametrize(("way", "message"), [("library", "multiprocessing.freeze_support() before anything else"),
                                              ("program", "worked")])
@pytest.mark.full
def test_a_frozen_program_starts_no_crowd(tmp_path: Path, way: str, message: str) -> None:
    process = run_cli([], cwd=tmp_path, start=["-c", FROZEN, PACKAGE, way])
    assert (process.returncode, process.stdout, process.stderr.count(b"\n")) == (1, b"", 1)
    assert message in process.stderr.decode()


# JSON with signatures

@pytest.mark.parametrize("options", [["-ci", "-cin", "20"], ["-pbs", "-pbsn", "20", "-m", "chrf", "bleu"], []])
def test_signed_json_is_json_with_signatures(corpus: Path, options: list[str]) -> None:
    arguments = ["ref", "-i", "a", "b", "c", *options]
    signed = json.loads(output_of([*arguments, "-f", "json-signed"], corpus))
    assert list(signed) == ["signatures", "systems", "review", "metrics"]
    assert list(signed["metrics"]) == list(signed["signatures"])
    for system, plain in zip(signed["systems"], json.loads(output_of([*arguments, "-f", "json"], corpus))):
        for metric in signed["signatures"]:
            cell = plain[metric] if isinstance(plain[metric], dict) else {"score": float(plain[metric])}
            common = {*cell} & {*system[metric]}
            assert all(system[metric][key] == pytest.approx(cell[key], abs=0.051) for key in common)
    text = output_of([*arguments, "-f", "text"], corpus)
    for metric, signature in signed["signatures"].items():
        assert f" - {metric:<10} {signature}" in text
    assert {*signed["systems"][0]} == {"system", "baseline", *signed["signatures"]}


def test_signed_json_of_one_system_has_the_same_form(corpus: Path) -> None:
    signed, single = [json.loads(output_of(["ref", "-i", "a", "-m", "bleu", "ter", "-f", form], corpus))
                      for form in ("json-signed", "json")]
    assert signed["signatures"] == {score["name"]: score["signature"] for score in single}
    [system] = signed["systems"]
    assert {name: round(system[name]["score"], 1) for name in signed["signatures"]} == {
        score["name"]: score["score"] for score in single}


# Colours in consoles of Windows

class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


@pytest.mark.parametrize(("modes", "taken"), [({"get": 1, "set": 1}, True), ({"get": 1, "set": 0}, False),
                                              ({"get": 0, "set": 1}, False)])
def test_colours_only_if_a_console_takes_escape_codes(monkeypatch: pytest.MonkeyPatch, modes: dict[str, int],
                                                      taken: bool) -> None:
    import ctypes

    asked: list[int] = []

    def set_mode(handle: int, mode: int) -> int:
        asked.append(mode)
        return modes["set"]

    assert os.name == "nt" or not process._enable_escape_codes(Terminal())  # (there is no console)
    kernel32 = SimpleNamespace(GetConsoleMode=lambda handle, mode: modes["get"], SetConsoleMode=set_mode)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel32), raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(get_osfhandle=lambda number: number))
    assert process._enable_escape_codes(Terminal()) == taken
    assert asked == [4] * modes["get"]
    assert process.takes_colors(Terminal()) or os.name == "nt"
    assert not process.takes_colors(io.StringIO()) and not process.takes_colors(None)


# Refusals

#: Options whose last word is refused; a number in the answer may be written otherwise.
WRONG_VALUES = [
    "-sv nan", "-sv inf", "-sv -1", "-s floor -sv -0.5", "-s add-k -sv nan", "-s floor -sv 1e999", "-sv much",
    "-s none-such", "-w -1", "-w x", "-w 1.5", "-w 1000000000", "-nr 0", "-nr -2", "-nr two", "-l ende", "-l en-",
    "-tok klingon", "-f xml", "-f JSON", "-m chrf -cw -2", "-m chrf -cc 0", "-m chrf --chrf-beta nan", "-ci -cin 0",
    "-ci -cin -5", "-i a b --paired-bs -pbsn -5", "-i a b --paired-ar -parn 0", "-j -1", "-j x", "-ci --seed 1.5",
    "-ci --seed -1", "-ci --rng dice", "--smooth-value=-inf", "--language-pair=-de", "--no-such-option",
]

#: Further lines that are wrong usage, and what the answer has.
REFUSED = [
    *[(f"ref -i a {options}", (re.split("[ =]", options)[-1],)) for options in WRONG_VALUES], ("", ("reference",)),
    (f"ref -i a -m chrf --chrf-beta 1{'0' * 160}", ("10000",)), (f"ref -i a -ci --seed {'9' * 5000}", ("5000 digits",)),
    # (A difference that no score shows.)
    *[(f"test ref -i a --power {value}", (f"{value!r} is not a {kind}number",)) for value, kind in (
        ("1e-300", ""), ("5e-324", ""), ("0", ""), ("1e-10", ""), ("-1", ""), ("nan", "finite "), ("inf", "finite "))],
    *[(f"ref -i a b {ways} 1", ("'1'", ways.split()[1])) for ways in ("-ci -cin", "-pbs -pbsn")],
    *[(f"ref -i a -m chrf {option} {'9' * 20}", ("9" * 20,)) for option in ("-nr", "-cc", "-cw", "-cin", "-parn")],
    *[(f"ref -i a -m chrf {option} 100000", ("100000", "1000")) for option in ("-cc", "-cw")],
    ("ref -i a -m bleu,", ("''", "bleu, chrf, ter")), ("ref -i a -m tre", ("'tre'", "did you mean 'ter'?")),
    ("ref -i a -m comet", ("'comet'", "for scores of another program, give --scores comet=FILE")),
]


@refused("usage", "near misses")
def test_wrong_usage_is_refused(corpus: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(corpus, *arguments, code=code)


def test_values_that_are_wrong_are_refused(corpus: Path) -> None:
    for line, parts in REFUSED:
        assert_error(call_cli(line.split(), cwd=corpus), WRONG_USAGE, *parts)
    assert_error(call_cli(["ref", ""], cwd=corpus), WRONG_USAGE, "an argument: the value is empty")
    for two in (["-ci", "-cin", "2"], ["-pbs", "-pbsn", "2"]):  # (an interval needs as many resamples)
        assert_fine(call_cli(["ref", "-i", "a", "b", *two], cwd=corpus))
