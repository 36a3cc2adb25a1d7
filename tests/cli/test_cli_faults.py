"""Faults of the command line, with real processes: messages, exit codes, streams, limits."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from purebleu.cli import complain
from purebleu.runtime.errors import printable

from .. import PACKAGE
from ..helpers import call_cli, environment, needs_pipes, needs_processes, output_of, run_cli, write_lines, write_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Sequence

    Process = subprocess.CompletedProcess[bytes]

FINE, BAD_INPUT, WRONG_USAGE, GATE_FAILED, WRONG_FIELD_COUNT, BUG, BROKEN_PIPE = 0, 1, 2, 3, 17, 70, 141

PYPY = sys.implementation.name == "pypy"

pytestmark = needs_processes

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell, its signals and its kinds of files")
needs_dev_full = pytest.mark.skipif(os.name != "posix" or not os.path.exists("/dev/full"),
                                    reason="this system has no /dev/full")
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/status"),
                                reason="the peak of a process's own memory is read from Linux's /proc")
needs_any_file_name = pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin",
                                         reason="this system's file names are Unicode text")

REFERENCES = b"The cat sat on the mat.\nIt was a rainy day, and nobody came.\nThe end.\n"
HYPOTHESES = b"The cat sat on a mat.\nIt was a rainy day and no one came.\nThe end.\n"


# Helpers

@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with three parallel lines in `ref` and `hyp`, and other files of names that say what they are."""
    write_texts(tmp_path, {"ref": REFERENCES, "hyp": HYPOTHESES, "empty": b""})
    (tmp_path / "folder").mkdir()
    return tmp_path


def shell(redirection: str, *arguments: str, cwd: Path, start: Sequence[str] = ("-m", PACKAGE)) -> Process:
    """Run the command line with its standard streams redirected as a shell understands it."""
    return run_cli(arguments, cwd=cwd, start=start, wrapper=["sh", "-c", f'exec "$@" {redirection}', "sh"])


def started(folder: Path, *arguments: str, stdin: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """The command line in a process whose standard streams are pipes."""
    return subprocess.Popen([sys.executable, "-m", PACKAGE, *arguments], cwd=str(folder), env=environment(),
                            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def numbered_lines(count: int) -> bytes:
    return b"".join([b"this is line number %d\n" % number for number in range(1, count + 1)])


def assert_error(process: Process, code: int, *parts: str) -> None:
    """The process failed with this code, printed no result, and one line that holds all the parts."""
    message = process.stderr.decode()
    assert (process.returncode, process.stdout) == (code, b""), message
    assert message.startswith("purebleu: error: ") and message.endswith("\n")
    assert len(message.splitlines()) == 1, message
    for part in parts:
        assert part in message


def assert_fine(process: Process, *warnings: str) -> None:
    """The process succeeded, and printed nothing on standard error but a line for each of the warnings."""
    messages = process.stderr.decode().splitlines()
    assert (process.returncode, len(messages), process.stdout != b"") == (FINE, len(warnings), True), messages
    for message, warning in zip(messages, warnings):
        assert message.startswith("purebleu: warning: ") and warning in message


# Names and text that are harmful

#: Names and text that do something to a terminal, or that GitHub's runners take for commands.
HOSTILE_NAMES = ["::stop-commands::x \x1b[2J", "a ::error title=b::c\n::error::d\x9b5m\u202e##[error]e"]
HOSTILE_LINE = "::error::f \x1b[2J \x9b5m ##[error]g"

#: Lines whose text has names, lines and scores of files, and the formats that are text.
HOSTILE_COMMANDS = [
    *[(form, line) for form in ("text", "latex", "markdown", "html") for line in (
        "score --paired-bs -pbsn 20", "test --samples 20", "check", "audit", "compare --cross", "compare --lengths",
        "gate --min bleu=99", "gate --min bleu=99 --quiet")],
    ("paper", "score"), ("paper", "test --paired-bs --samples 20"),
    *[(form, line) for form in ("text", "markdown") for line in (
        "compare --worst 2", "compare --differences 2", "align --show 2", "compare --buckets length",
        "align --confusions 3", "compare")],
    ("text", "agree --human people1 people2 people3"),
    ("text", "test --manifest m.jsonl --paired-bs --samples 20 --autorank"),
]


def assert_harmless(output: bytes) -> None:
    for line in output.decode().split("\n"):
        assert not [character for character in line if not character.isprintable()], line
        assert not line.lstrip().startswith("::"), line
        assert "##[" not in line


@pytest.fixture
def hostile_corpus(tmp_path: Path) -> Path:
    for name, text in (("ref", "the cat sat on the mat"), ("one", f"a cat sat on {HOSTILE_LINE}"),
                       ("two", f"{HOSTILE_LINE} the mat"), ("ids", HOSTILE_LINE)):
        write_lines(tmp_path / name, [text] * 5)
    for name in ("people1", "people2", "people3"):
        write_lines(tmp_path / name, range(5))
    write_lines(tmp_path / "m.jsonl", [
        json.dumps({"name": name, "pair": f"{name}-x", "references": "ref", "hypothesis": file})
        for name, file in zip(HOSTILE_NAMES, ("one", "two"))])
    return tmp_path


@pytest.mark.parametrize(("form", "line"), HOSTILE_COMMANDS)
def test_no_text_from_files_controls_a_terminal_or_a_runner(hostile_corpus: Path, form: str, line: str) -> None:
    word, *options = line.split()
    inputs = ["ref", "-i", "one", "two", "ref", "--names", *HOSTILE_NAMES, "best"] * ("--manifest" not in line)
    process = call_cli([word, *inputs, *options, "-f", form], cwd=hostile_corpus)
    assert process.returncode in (FINE, GATE_FAILED) and process.stdout, process.stderr
    assert_harmless(process.stdout + process.stderr)
    assert all(line.startswith("purebleu: ") for line in process.stderr.decode().splitlines())


@pytest.mark.parametrize("line", ["score --paired-bs -pbsn 20", "check", "audit", "compare --cross",
                                  "compare --lengths", "compare --buckets length", "align --confusions 3",
                                  "agree --human people1 people2"])
def test_names_in_text_are_shown_as_if_they_were_printable(hostile_corpus: Path, line: str) -> None:
    word, *options = line.split()
    names = ["in/a\nb\x1b[31mc", "in/\td\x1b[0m"]
    as_they_are, as_printable = [
        output_of([word, "ref", "-i", "one", "two", "--names", *given, *options, "-q", "-f", "text"], hostile_corpus)
        for given in (names, map(printable, names))]
    assert as_they_are == as_printable


def test_data_stays_as_it_is(hostile_corpus: Path) -> None:
    write_lines(hostile_corpus / "samples", [HOSTILE_LINE])
    assert output_of(["mbr", "-i", "samples"], hostile_corpus) == f"{HOSTILE_LINE}\n"
    command = ["ref", "-i", "one", "two", "-q", "--names", HOSTILE_NAMES[1], "two", "-f"]
    for form, delimiter in (("csv", ","), ("tsv", "\t")):
        rows = csv.reader(io.StringIO(output_of([*command, form], hostile_corpus), newline=""), delimiter=delimiter)
        assert [row[0] for row in rows] == ["system", HOSTILE_NAMES[1], "two"]
    table = json.loads(output_of([*command, "json"], hostile_corpus))
    assert [system["system"] for system in table] == [HOSTILE_NAMES[1], "two"]


def test_annotations_are_the_only_commands_to_a_runner(hostile_corpus: Path) -> None:
    process = call_cli(["gate", "ref", "-i", "one", "two", "--names", *HOSTILE_NAMES, "--min", "bleu=99", "-f",
                        "github"], cwd=hostile_corpus)
    lines = process.stdout.decode().splitlines()
    assert len(lines) == 4 and "".join(lines).isprintable()
    for line in lines:
        assert line.startswith(("::error title=--min BLEU=99::", "::notice title=BLEU::"))


def test_every_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain(f"warning: {HOSTILE_NAMES[1]}" + "\n" * 2_000_000)
    message = capsys.readouterr().err
    assert_harmless(message.rstrip("\n").encode())
    assert message.startswith("purebleu: warning: a ::error title=b::c\\n::error::d\\x9b5m\\u202e#\\x23[error]e\\n")
    assert 5000 < len(message) < 5100


# Streams that are not parallel, or empty

@pytest.mark.parametrize("line", [
    "ref short -i hyp", "ref short -i hyp -sl", "ref short -i hyp -b",
    *[f"ref -i {systems} {test}" for test in ("--paired-bs", "--paired-ar")
      for systems in ("hyp short", "short hyp", "hyp hyp2 long")],
])
def test_every_number_of_lines_is_named_if_they_differ(corpus: Path, line: str) -> None:
    write_texts(corpus, {"short": "one line\n", "long": HYPOTHESES + b"and one more\n",
                         "hyp2": HYPOTHESES.replace(b"day", b"night")})
    counts = {"ref": 3, "hyp": 3, "hyp2": 3, "short": 1, "long": 4}
    parts = [f"{count} in {name}" for name, count in counts.items() if name in line.split()]
    assert_error(call_cli(line.split(), cwd=corpus), BAD_INPUT, *parts)


@pytest.mark.parametrize(("line", "name"), [
    ("ref", "standard input"), ("empty", "standard input"), ("ref -i empty", "empty"), ("empty -i empty", "empty"),
    ("ref -i empty.gz", "empty.gz"), ("empty -i hyp", "empty"),
])
def test_an_empty_stream_is_an_error_that_names_it(corpus: Path, line: str, name: str) -> None:
    (corpus / "empty.gz").write_bytes(gzip.compress(b""))
    process = call_cli(line.split(), cwd=corpus)
    assert_error(process, BAD_INPUT, name)
    assert (b"is -i missing?" in process.stderr) == (name == "standard input")


# Values of options

def test_seed_0_is_a_seed(corpus: Path) -> None:
    args = ["ref", "-i", "hyp", "-ci", "-cin", "50", "-w", "9", "-f", "text"]
    first, again, other = [call_cli([*args, "--seed", seed], cwd=corpus) for seed in ("0", "0", "1")]
    in_environment = call_cli(args, cwd=corpus, env={"PUREBLEU_SEED": "0"})
    assert_fine(first)
    assert b"|seed:0|" in first.stdout and first.stdout == again.stdout == in_environment.stdout
    assert first.stdout.partition(b" ")[2] != other.stdout.partition(b" ")[2]


@pytest.mark.parametrize(("lines", "references"), [
    (b"\n", b"\n"), (b"\n\n\n", b"y\n"), (b"x\n", b"\n"), (b"x\n", b"y\n"), (b".\n\n", b"x\n"), (b" \n \n", b"\n"),
], ids=repr)
def test_json_holds_numbers_alone_if_there_is_nothing_to_count(tmp_path: Path, lines: bytes, references: bytes) -> None:
    write_texts(tmp_path, {"hyp": lines, "ref": references * lines.count(b"\n")})
    metrics = ["-m", "bleu", "chrf", "ter", "-s", "none"]
    for options in (["-i", "hyp"], ["-i", "hyp", "-ci", "-cin", "5"],
                    ["-i", "hyp", "ref", "hyp", "--paired-bs", "-pbsn", "5"],
                    ["-i", "hyp", "ref", "hyp", "--paired-ar", "-parn", "5"]):
        process = call_cli(["ref", *options, *metrics, "-f", "json", "-q"], cwd=tmp_path)
        assert_fine(process)
        assert json.loads(process.stdout, parse_constant=pytest.fail)


@pytest.mark.parametrize("options", [["--help"], ["-h"], ["-h", "all"], ["--help", "tests"], ["--version"], ["-V"],
                                     ["-i", "none-such", "--version"]])
def test_help_and_version_are_results(options: list[str]) -> None:
    assert_fine(call_cli(options, env={"PUREBLEU_FORMAT": "xml"}))


# Tab-separated fields

@pytest.mark.parametrize("number", [1, 2, 1500])
def test_another_number_of_tabs_in_standard_input_is_refused_with_its_line(tmp_path: Path, number: int) -> None:
    lines = numbered_lines(number) + b"one system\tanother\n" + numbered_lines(3)
    (tmp_path / "ref").write_bytes(numbered_lines(number + 4))
    assert_error(call_cli(["ref"], stdin=lines, cwd=tmp_path), WRONG_FIELD_COUNT, "standard input",
                 f"line {number + 1} has ")


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_standard_input_with_tabs_holds_several_systems(tmp_path: Path, quiet: list[str]) -> None:
    (tmp_path / "ref").write_bytes(b"a b c d e\nf g h i j\n")
    done = call_cli(["ref", "-f", "text", *quiet], stdin=b"a b c d e\tx\nf g h i j\ty\n", cwd=tmp_path)
    assert all(row in done.stdout.decode() for row in ("│ System 1 │ 100.0  │", "│ System 2 │  0.0   │"))
    assert (done.returncode, b"has 2 systems" in done.stderr) == (0, not quiet)


@pytest.mark.parametrize(("references", "fields", "number"), [
    (b"a\tb\nc\nd\te\n", "2", 2), (b"a\nc\td\nd\te\n", "2", 1), (b"a\tb\nc\td\n\n", "2", 3),
    (b"a\tb\nc\td\ne\t\n", "2", 3), (b"a\tb\tc\na\tb\tc\na\tb\n", "3", 3),
    (b"a\tb\n" * 1499 + b"a b\n" + b"a\tb\n", "2", 1500),
])
def test_too_few_fields_are_refused_with_the_line(tmp_path: Path, references: bytes, fields: str, number: int) -> None:
    (tmp_path / "ref").write_bytes(references)
    for options in ([], ["-sl"]):
        process = call_cli(["ref", "-nr", fields, *options], stdin=b"a\n" * references.count(b"\n"), cwd=tmp_path)
        assert_error(process, WRONG_FIELD_COUNT, "ref", f"line {number} has ", fields)


@pytest.mark.parametrize(("references", "outputs", "options"), [
    (b"a b c d\nb", b"a b c d\nb\n", []),  # without a line feed at the end
    (b"a\nb\n", b"a\t\nb\n", ["-m", "chrf"]), (b"a\nb\n", b"a\r\t\r\nb \t\n", ["-m", "chrf"]),  # tabs at the end
    (b"a b c d e\n", b"a\tb\tc\td\te\n", ["-i", "hyp"]),  # tabs in a file, which has one system
    (b"x\ta b\tc d\n", b"a b c d\n", ["-nr", "2"]),  # tabs beyond the last field
])
def test_such_tabs_are_white_space(tmp_path: Path, references: bytes, outputs: bytes, options: list[str]) -> None:
    write_texts(tmp_path, {"ref": references, "hyp": outputs})
    assert output_of(["ref", "-b", *options], tmp_path, outputs) == "100.0\n"


# Files that can't be read

def flipped(content: bytes, place: int) -> bytes:
    """The content with another byte in one place."""
    changed = bytearray(content)
    changed[place] ^= 0xFF
    return bytes(changed)


UNREADABLE = {
    "truncated.gz": gzip.compress(numbered_lines(1000))[:-20],
    "no-trailer.gz": gzip.compress(HYPOTHESES)[:-8],
    "start.gz": gzip.compress(HYPOTHESES)[:5],
    "damaged.gz": flipped(gzip.compress(numbered_lines(1000)), 1000),
    "checksum.gz": flipped(gzip.compress(HYPOTHESES), -8),
    "plain.gz": HYPOTHESES,
    "garbage.gz": gzip.compress(HYPOTHESES) + b"garbage",
    "zlib.gz": zlib.compress(HYPOTHESES),
}
CUT_OFF = ("truncated.gz", "no-trailer.gz", "start.gz")


@pytest.mark.parametrize("name", ["missing", "missing.gz", os.path.join("missing", "file"), "folder", *UNREADABLE])
@pytest.mark.parametrize("as_reference", [False, True], ids=["hypotheses", "references"])
def test_a_file_that_cannot_be_read_is_named(corpus: Path, name: str, as_reference: bool) -> None:
    if name in UNREADABLE:
        (corpus / name).write_bytes(UNREADABLE[name])
    process = call_cli([name, "-i", "hyp"] if as_reference else ["ref", "-i", name], cwd=corpus)
    assert_error(process, BAD_INPUT, name)
    assert (b"the compressed data is cut off" in process.stderr) == (name in CUT_OFF)


@needs_posix
def test_a_file_without_permission_is_named(corpus: Path) -> None:
    (corpus / "secret").write_bytes(HYPOTHESES)
    (corpus / "secret").chmod(0)
    if os.access(str(corpus / "secret"), os.R_OK):
        pytest.skip("this user may read everything")
    assert_error(call_cli(["ref", "-i", "secret"], cwd=corpus), BAD_INPUT, "secret")


@pytest.mark.parametrize("encoding", ["no-such-encoding", "base64", "rot13",
                                      pytest.param("\udcff", marks=needs_any_file_name)], ids=ascii)
@pytest.mark.parametrize("line", ["ref", "ref -i hyp", "ref -i hyp -j 2"])
def test_an_unknown_encoding_is_named(corpus: Path, line: str, encoding: str) -> None:
    assert_error(call_cli([*line.split(), "-e", encoding], cwd=corpus), BAD_INPUT, f"unknown encoding {encoding!r}")


@needs_pipes
def test_a_column_of_a_pipe_needs_a_format(corpus: Path) -> None:
    os.mkfifo(corpus / "pipe")
    assert_error(call_cli(["ref", "-i", "pipe:text"], cwd=corpus), BAD_INPUT,
                 "the format of a pipe with columns is not recognized", "as in -:jsonl:text")


# Bytes that are no text

@pytest.mark.parametrize(("line", "name"), [("good -i bad", "bad"), ("good", "standard input"),
                                            ("good -i bad.gz", "bad.gz"), ("good bad -i good", "bad")])
@pytest.mark.parametrize("number", [1, 2, 1024, 1025, 5000])
def test_invalid_text_is_an_error_with_its_line(tmp_path: Path, line: str, name: str, number: int) -> None:
    bad = numbered_lines(number - 1) + b"caf\xc3 au lait\n" + numbered_lines(300)
    write_texts(tmp_path, {"good": numbered_lines(number + 300), "bad": bad, "bad.gz": gzip.compress(bad)})
    process = call_cli([*line.split(), "-sl"], stdin=bad, cwd=tmp_path)
    assert_error(process, BAD_INPUT, f"{name}: line {number}: ", "utf-8")


@pytest.mark.parametrize("line", [b"caf\xff", b"caf\xc3 au lait", b"caf\xed\xa0\x80", b"caf\xc0\xaf"],
                         ids=["a byte that never occurs", "cut off", "an encoded surrogate", "an overlong form"])
@pytest.mark.parametrize("end", [b"", b"\n", b"\nand so on\n"], ids=["no line feed", "last line", "in the middle"])
def test_every_kind_of_invalid_text_is_found(tmp_path: Path, line: bytes, end: bytes) -> None:
    (tmp_path / "ref").write_bytes(b"good\n" * 4)
    process = call_cli(["ref"], stdin=b"good\n\n" + line + end, cwd=tmp_path)
    assert_error(process, BAD_INPUT, "standard input: line 3: ")


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_other_encodings_are_read_as_they_are_named(tmp_path: Path, encoding: str) -> None:
    text = "Fünf Wörter für dich hier\n".encode("latin-1")
    (tmp_path / "ref").write_bytes(text)
    assert_error(call_cli(["ref", "-e", encoding], stdin=text, cwd=tmp_path), BAD_INPUT, "line 1:")
    assert_fine(call_cli(["ref", "-e", "latin-1"], stdin=text, cwd=tmp_path))


#: Command lines of a corpus in `-e latin-1`, whose references are UTF-8: the same as with all in UTF-8.
MIXED = (["ref"], ["ref", "-j", "2"], ["ref", "-m", "nist"], ["ref.jsonl:text"], ["pairs", "-nr", "2"],
         ["check", "ref", "--source", "ref"], ["ref", "--resegment"], ["mbr", "ref", "-q"],
         ["ref", "--docs", "ref", "-ci"], ["--manifest", "all.tsv"])


@pytest.mark.parametrize("arguments", MIXED, ids=" ".join)
def test_references_may_have_another_encoding(tmp_path: Path, arguments: list[str]) -> None:
    lines = [f"Fünf Wörter für dich, Nummer {number}" for number in range(30)]
    for name, written in {"ref": lines, "pairs": [f"{line}\t{line}" for line in lines],
                          "ref.jsonl": [f'{{"text": "{line}"}}' for line in lines],
                          "all.tsv": ["name\tpair\treferences\thypothesis", "A\ten-de\tref\thyp"]}.items():
        write_lines(tmp_path / name, written)
    another = "\tfünf" if "mbr" in arguments else ""  # (it chooses among samples)
    outputs = "".join([f"{line[:30]} über{another}\n" for line in lines])
    texts = [] if "--manifest" in arguments else ["-i", "hyp"]
    (tmp_path / "hyp").write_bytes(outputs.encode())
    expected = output_of([*arguments, *texts], tmp_path)
    (tmp_path / "hyp").write_bytes(outputs.encode("latin-1"))
    encodings = ["-e", "latin-1", "--reference-encoding", "utf-8"]
    assert output_of([*arguments, *texts, *encodings], tmp_path) == expected != ""


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_the_line_of_invalid_text_is_right_in_encodings_of_two_bytes(tmp_path: Path, encoding: str) -> None:
    codec = "utf-16-be" if encoding == "utf-16" else encoding
    mark = "\ufeff".encode(codec) if encoding == "utf-16" else b""
    good = "".join([f"this is line {number}\n" for number in range(1, 5000)]).encode(codec)
    rest = "and so on\n".encode(codec) * 2
    write_texts(tmp_path, {"ref": mark + good + rest,
                           "hyp": mark + good + "\udc00".encode(codec, "surrogatepass") + rest})
    process = call_cli(["ref", "-i", "hyp", "-e", encoding], cwd=tmp_path)
    assert_error(process, BAD_INPUT, "hyp: line 5000: ")


# Warnings

MARK = "\ufeff".encode()


@pytest.mark.parametrize(("line", "marked"), [("ref -i hyp.bom", "hyp.bom"), ("ref.bom -i hyp", "ref.bom"),
                                              ("ref", "standard input"), ("ref -i hyp.gz", "hyp.gz")])
def test_a_byte_order_mark_is_scored_with_a_warning_that_names_the_file(corpus: Path, line: str, marked: str) -> None:
    write_texts(corpus, {"hyp.bom": MARK + HYPOTHESES, "ref.bom": MARK + REFERENCES,
                         "hyp.gz": gzip.compress(MARK + HYPOTHESES)})
    process, quiet = [call_cli([*line.split(), *options], stdin=MARK + HYPOTHESES, cwd=corpus)
                      for options in ([], ["-q"])]
    assert_fine(process, f"{marked} starts with a byte-order mark")
    assert_fine(quiet)
    assert quiet.stdout == process.stdout != call_cli(["ref", "-i", "hyp"], cwd=corpus).stdout


@pytest.mark.parametrize("option", ["--docs", "--strata", "--ids"])
def test_a_byte_order_mark_of_a_file_that_is_not_scored_is_dropped(corpus: Path, option: str) -> None:
    way, labels = (["-sl", "-f", "csv"], b"0\n1\n2\n") if option == "--ids" else (["-ci", "-cin", "20"], b"0\n0\n1\n")
    write_texts(corpus, {"unmarked": labels, "marked": MARK + labels})
    unmarked, marked = [call_cli([*way, "ref", "-i", "hyp", option, name], cwd=corpus)
                        for name in ("unmarked", "marked")]
    assert (marked.returncode, marked.stdout, marked.stderr) == (0, unmarked.stdout, unmarked.stderr)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_reported_once_for_each_file(tmp_path: Path, encoding: str) -> None:
    for name in ("ref", "hyp"):
        (tmp_path / name).write_bytes("a few words here\n".encode(encoding) * 3000)
    process = call_cli(["ref", "-i", "hyp", "-m", "chrf", "-ci", "-cin", "9"], cwd=tmp_path)
    assert [line.partition(":")[0] for line in process.stderr.decode().split("purebleu: warning: ")[1:]] == [
        "hyp has NUL characters", "ref has NUL characters"]
    assert_fine(call_cli(["ref", "-i", "hyp", "-e", encoding], cwd=tmp_path))


def test_utf_8_sig_reads_over_a_byte_order_mark(corpus: Path) -> None:
    assert output_of(["ref", "-e", "utf-8-sig"], corpus, MARK + HYPOTHESES) == output_of(["ref"], corpus, HYPOTHESES)


@pytest.mark.parametrize("setting", ["error", "ignore", "error::UserWarning", "always"])
def test_the_interpreters_warning_settings_do_not_matter(corpus: Path, setting: str) -> None:
    process = run_cli(["ref"], stdin=MARK + HYPOTHESES, cwd=corpus, env={"PYTHONWARNINGS": setting})
    assert_fine(process, "byte-order mark")


@pytest.mark.parametrize("args", [["ref", "-i", "short"], ["ref", "-i", "bad"], ["ref", "ref", "-i", "short"]])
def test_an_error_is_one_line_in_development_mode_too(corpus: Path, args: list[str]) -> None:
    write_texts(corpus, {"short": "one line\n", "bad": b"\xff\n\n\n"})
    assert_error(run_cli(args, cwd=corpus, start=["-X", "dev", "-m", PACKAGE]), BAD_INPUT)


# Standard streams that are closed, full or broken

CLOSED_STDIN, CLOSED_STDOUT, CLOSED_STDERR = "<&-", ">&-", "2>&-"


@needs_posix
def test_closed_standard_input_is_an_error_if_it_is_read(corpus: Path) -> None:
    assert_error(shell(CLOSED_STDIN, "ref", cwd=corpus), BAD_INPUT, "standard input")
    process = shell(CLOSED_STDIN, "ref", "-i", "hyp", cwd=corpus)
    assert_fine(process)
    assert process.stdout == call_cli(["ref", "-i", "hyp"], cwd=corpus).stdout


@needs_posix
@pytest.mark.parametrize("args", [["ref", "-i", "hyp"], ["ref", "-i", "missing"], ["--help"], ["--version"], []])
def test_closed_standard_output_is_an_error(corpus: Path, args: list[str]) -> None:
    assert_error(shell(CLOSED_STDOUT, *args, cwd=corpus), BAD_INPUT, "standard output")


@needs_posix
@pytest.mark.parametrize("redirection", [CLOSED_STDERR, pytest.param("2>/dev/full", marks=needs_dev_full)])
def test_a_closed_or_full_standard_error_hides_warnings_and_nothing_else(corpus: Path, redirection: str) -> None:
    (corpus / "hyp").write_bytes(MARK + HYPOTHESES)
    process = shell(redirection, "ref", "-i", "hyp", cwd=corpus)
    assert_fine(process)
    assert process.stdout == call_cli(["ref", "-i", "hyp"], cwd=corpus).stdout


FAILING = [("ref -i missing", BAD_INPUT), ("ref -i empty", BAD_INPUT), ("ref -w -1", WRONG_USAGE),
           ("ref -i hyp -nr 2", WRONG_FIELD_COUNT)]


@needs_posix
@pytest.mark.parametrize(("redirection", "line", "code"), [
    *[(redirection, *failing) for redirection in (CLOSED_STDERR, "<&- 2>&-") for failing in FAILING],
    *[pytest.param("2>/dev/full", *failing, marks=needs_dev_full) for failing in FAILING],
    ("<&- >&- 2>&-", "ref -i hyp", BAD_INPUT),
])
def test_exit_codes_hold_without_standard_error(corpus: Path, redirection: str, line: str, code: int) -> None:
    process = shell(redirection, *line.split(), cwd=corpus)
    assert (process.returncode, process.stdout, process.stderr) == (code, b"", b"")


@needs_posix
def test_exit_codes_hold_if_nobody_reads_standard_error(corpus: Path) -> None:
    with started(corpus, "ref") as process:
        assert process.stdin and process.stderr
        process.stderr.close()  # before there can be any message
        process.stdin.close()
        assert process.wait(60) == BAD_INPUT


@needs_posix
@needs_dev_full
@pytest.mark.parametrize("args", [["ref", "-i", "hyp"], ["ref", "-i", "hyp", "-b"], ["lines", "-i", "lines", "-sl"],
                                  ["--help"], ["--version"]])
def test_a_full_disk_behind_standard_output_is_an_error(corpus: Path, args: list[str]) -> None:
    (corpus / "lines").write_bytes(numbered_lines(5000))
    assert_error(shell(">/dev/full", *args, cwd=corpus), BAD_INPUT, "standard output")


@needs_posix
@pytest.mark.parametrize(("options", "lines_read"), [(["-sl"], 1), (["-sl"], 0), ([], 0)])
def test_a_reader_that_stops_early_ends_it_silently(tmp_path: Path, options: list[str], lines_read: int) -> None:
    (tmp_path / "lines").write_bytes(numbered_lines(5000))
    with started(tmp_path, "lines", *options) as process:
        assert process.stdin and process.stdout and process.stderr
        if lines_read:
            process.stdin.write(numbered_lines(5000))
            process.stdin.close()
            assert process.stdout.readline().startswith(b"BLEU|")
            process.stdout.close()
        else:
            process.stdout.close()  # before there can be any output
            process.stdin.write(numbered_lines(5000))
            process.stdin.close()
        assert process.wait(60) == BROKEN_PIPE
        assert process.stderr.read() == b""


@needs_posix
def test_an_interrupt_ends_it_by_the_signal_with_one_line(tmp_path: Path) -> None:
    # Its standard input never ends. All but the last 64 KiB or so have been read once they are written.
    lines = b"x\n" * 200_000
    (tmp_path / "ref").write_bytes(lines)
    with started(tmp_path, "ref") as process:
        assert process.stdin and process.stdout and process.stderr
        try:
            process.stdin.write(lines)
            process.stdin.flush()
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == -signal.SIGINT
        finally:
            process.kill()
        assert (process.stderr.read(), process.stdout.read()) == (b"purebleu: interrupted\n", b"")


# Names of files

@pytest.mark.parametrize("name", ["two words", "name.with.dots", "-dash", "größe", "100%s {} %(x)s", "a,b;c"])
def test_files_may_have_odd_names(corpus: Path, name: str) -> None:
    path = os.path.join(".", name)
    (corpus / name).write_bytes(HYPOTHESES)
    assert output_of(["ref", "-i", path], corpus) == output_of(["ref", "-i", "hyp"], corpus)
    (corpus / name).write_bytes(b"one line\n")
    assert_error(call_cli(["ref", "-i", path], cwd=corpus), BAD_INPUT, f"1 in {path}")


@needs_any_file_name
@pytest.mark.parametrize("variables", [{}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}])
def test_files_may_have_names_that_are_no_text(corpus: Path, variables: dict[str, str]) -> None:
    name = os.fsdecode(b"caf\xe9 \xff")
    (corpus / name).write_bytes(MARK + HYPOTHESES)
    assert_fine(run_cli(["ref", "-i", name], cwd=corpus, env=variables), "byte-order mark")
    process = run_cli([name, "-i", "empty", "-q"], cwd=corpus, env=variables)
    assert_error(process, BAD_INPUT, "0 in empty", "3 in caf")
    (corpus / name).unlink()
    assert_error(run_cli(["ref", "-i", name], cwd=corpus, env=variables), BAD_INPUT, "caf")


@needs_posix
@pytest.mark.parametrize("args", [["ref", "-i", "no such\nfile"], ["ref", "--no-such\noption"]])
def test_an_error_is_one_line_whatever_the_arguments(corpus: Path, args: list[str]) -> None:
    process = call_cli(args, cwd=corpus)
    assert_error(process, process.returncode, "no")


# Lines

ODD_LINES = (
    "lone\rcarriage return\r\n"
    "vertical\x0btab and form\x0cfeed\n"
    "separators \x1c \x1d \x1e \x1f here\n"
    "next\x85line, line\u2028separator, paragraph\u2029separator\n"
    "\r\n"
    "\ufeffa mark that is not at the start\n"
    "nothing\x00but NUL\n"
    "the last line has no end"
).encode()


def test_lines_are_the_same_from_every_source(tmp_path: Path) -> None:
    write_texts(tmp_path, {"ref": ODD_LINES, "hyp": ODD_LINES, "hyp.gz": gzip.compress(ODD_LINES)})
    [output] = {output_of(["ref", "-sl", *args], tmp_path, ODD_LINES) for args in ([], ["-i", "hyp"], ["-i", "hyp.gz"])}
    assert output.count("\n") == ODD_LINES.count(b"\n") + 1


# The same bytes everywhere

@pytest.fixture(scope="module")
def many_scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    lines = ["Füße, “quotes” – and 3.5 €, 10.000 ½!", "他说：“你好，世界。” 2020年", "КОТ сидел на ковре…",
             "😀 İSTANBUL ΣΑΣ ǅ", "ٱلسَّلَامُ عَلَيْكُمْ ١٢٫٥", "&quot;x&amp;lt;y&quot; a-b 5-4", "한국어 문장입니다.", ""]
    write_lines(folder / "ref", lines)
    write_lines(folder / "hyp", [line[1:].replace("и", "е") for line in lines])
    return folder


SCORING = [["ref", "-i", "hyp", "-tok", "intl", "-f", "text", "-lc", "-w", "14"],
           ["ref", "ref", "-sl", "-tok", "zh", "-w", "14"]]  # (the second is of standard input)

ENVIRONMENTS: list[tuple[dict[str, str], list[str]]] = [
    ({"LC_ALL": "C"}, []),
    ({"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, []),
    ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}, []),
    *[({name: value}, []) for name, value in (
        ("PYTHONUTF8", "1"), ("PYTHONIOENCODING", "ascii"), ("PYTHONIOENCODING", "utf-16"), ("PYTHONHASHSEED", "0"),
        ("PYTHONHASHSEED", "1"), ("NO_COLOR", "1"), ("PYTHONWARNINGS", "error"))],
    *[({}, flags.split()) for flags in ("-O", "-OO", "-B -s -u", "-bb", "-X dev")],
]


@pytest.mark.parametrize(("variables", "flags"), ENVIRONMENTS, ids=[
    "+".join([f"{name}={value}" for name, value in variables.items()] + flags) for variables, flags in ENVIRONMENTS])
def test_the_bytes_do_not_depend_on_the_environment(many_scripts: Path, variables: dict[str, str],
                                                    flags: list[str]) -> None:
    stdin = (many_scripts / "hyp").read_bytes()
    for args in SCORING:
        process = run_cli(args, cwd=many_scripts, stdin=stdin, env=variables, start=[*flags, "-m", PACKAGE])
        assert_fine(process)
        assert process.stdout == call_cli(args, stdin=stdin, cwd=many_scripts).stdout


# Large input

#: Has a process report the peak of its memory in MiB after everything else on standard error. (The figure of
#: `resource.getrusage` would include that of the tests' own process, from which it was forked.)
PEAK = """
import os, sys

def report_peak():
    leave = os._exit

    def report_and_leave(code):
        with open("/proc/self/status") as status:
            kilobytes = [line.split()[1] for line in status if line.startswith("VmHWM:")]
        sys.stderr.write(str(int(kilobytes[0]) // 1024))
        sys.stderr.flush()
        leave(code)

    os._exit = report_and_leave
"""

MEASURED = PEAK + """
report_peak()
package = sys.argv.pop(1)
__import__(package + ".cli", fromlist=["run"]).run()
"""


def peak_memory(*args: str, cwd: Path) -> float:
    """The most memory, in MiB, that the command line takes for this task."""
    # (PyPy's young objects may fill as much as fits into the processor's cache, which may be a lot.)
    process = run_cli(args, cwd=cwd, env={"PYPY_GC_NURSERY": "4M"}, start=["-c", MEASURED, PACKAGE])
    assert process.returncode == FINE, process.stderr
    return float(process.stderr.split()[-1])  # (signatures and warnings may stand before it)


def words(seed: int, count: int, vocabulary: int = 5000) -> str:
    source = random.Random(seed)
    return " ".join([f"w{number}" for number in source.choices(range(vocabulary), k=count)])


def symbols(seed: int) -> str:
    """A megabyte that falls into a million tokens, among whose n-grams few are equal."""
    return "".join(random.Random(seed).choices("!\"#$%()*+/:;<=>?@[]^_`{|}~abcdefgh", k=1 << 20))


@pytest.mark.heavy
@needs_proc
@pytest.mark.parametrize(("make_line", "options"), [
    pytest.param(lambda seed: words(seed, 220_000), [], id="words"),
    pytest.param(lambda seed: words(seed, 220_000), ["-tok", "intl", "-lc"], id="intl"),
    pytest.param(lambda seed: ".1" * (1 << 19), [], id="marks between digits"),
    pytest.param(lambda seed: "." * (1 << 20) + "1", ["-tok", "zh"], id="marks"),
    pytest.param(symbols, [], id="symbols", marks=pytest.mark.skipif(PYPY, reason="PyPy's objects take more")),
    pytest.param(lambda seed: words(seed, 220_000), ["-m", "chrf"], id="chrF"),
])
def test_a_line_of_a_megabyte_takes_seconds_and_little_memory(
        tmp_path: Path, make_line: Callable[[int], str], options: list[str]) -> None:
    for seed, name in enumerate(["ref", "hyp"]):
        write_lines(tmp_path / name, [make_line(seed)])
    assert peak_memory("ref", "-i", "hyp", "-b", "-q", *options, cwd=tmp_path) < 500


@pytest.mark.heavy
@needs_proc
@pytest.mark.parametrize("count", [pytest.param(10_000, id="in matrices"), pytest.param(40_000, id="in a band")])
def test_long_lines_take_ter_little_memory(tmp_path: Path, count: int) -> None:
    # Without a word in common, there is nothing to shift, which would take long.
    for name in ("ref", "hyp"):
        write_lines(tmp_path / name, [" ".join([f"{name}{number}" for number in range(count)])])
    assert peak_memory("ref", "-i", "hyp", "-m", "ter", "-q", cwd=tmp_path) < 500


@pytest.mark.heavy
@needs_proc
@pytest.mark.parametrize("options", [[], ["-tok", "intl"], ["-m", "chrf"], ["-m", "ter"]])
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path, options: list[str]) -> None:
    pieces = [words(seed, 12) for seed in range(500)]
    lines = [f"{pieces[number % 499]} {number}, {pieces[number % 397]}" for number in range(60_000)]
    write_lines(tmp_path / "few", lines[:2000])
    write_lines(tmp_path / "many", lines)
    few, many = [peak_memory(name, "-i", name, "-b", *options, cwd=tmp_path) for name in ("few", "many")]
    assert many - few < 40


@pytest.mark.heavy
@needs_proc
@pytest.mark.parametrize(("options", "limit"), [([], 20), (["-f", "csv"], 50)], ids=["text", "csv"])
def test_lines_of_segments_that_are_held_back_take_little_memory(tmp_path: Path, options: list[str],
                                                                 limit: int) -> None:
    # (As text, they would take 100 MB; for CSV, it is the numbers of the lines that stay in memory.)
    for name, count in (("few", 20_000), ("many", 400_000)):
        write_lines(tmp_path / name, [f"a b c d {number}" for number in range(count)])
    few, many = [peak_memory(name, "-i", name, "-sl", *options, cwd=tmp_path) for name in ("few", "many")]
    assert many - few < limit


@pytest.mark.heavy
@needs_proc
@pytest.mark.parametrize("line", ["ref -i one -ci -cin 10000", "ref -i one two --paired-ar -parn 10000"])
def test_many_resamples_take_little_memory(tmp_path: Path, line: str) -> None:
    lines = [words(seed, 12) for seed in range(5000)]
    for name, removed in (("ref", ""), ("one", "7"), ("two", "3")):
        write_lines(tmp_path / name, [line.replace(removed, "") for line in lines])
    assert peak_memory(*line.split(), cwd=tmp_path) < 300


# Bugs

# Makes the computation of the score raise an error that nobody expects.
BROKEN = """
import importlib, sys
package, fault = sys.argv[1:3]
sys.argv[1:3] = []

def broken(*arguments, **named):
    raise getattr(__import__("builtins"), fault)("injected\\n::error::\\x1b[31m" + "x" * 9000)

importlib.import_module(package + ".metrics.bleu").BLEU.compute_bleu = broken
raise SystemExit(importlib.import_module(package + ".cli").run())
"""


@pytest.mark.parametrize(("fault", "options"), [("ZeroDivisionError", []), ("KeyError", ["-sl"]), ("ValueError", []),
                                                ("RecursionError", []), ("EOFError", [])])
def test_a_bug_is_reported_with_its_traceback(corpus: Path, fault: str, options: list[str]) -> None:
    process = run_cli(["ref", "-i", "hyp", *options], cwd=corpus, start=["-c", BROKEN, PACKAGE, fault])
    message = process.stderr.decode()
    assert (process.returncode, process.stdout) == (BUG, b""), message
    lines = message.splitlines()
    assert len(lines) > 9 and max(map(len, lines)) < 5100
    assert all(line.startswith("purebleu: ") and line[10:] for line in lines)
    assert lines[0].startswith("purebleu: Traceback") and f"{fault}: " in message and "bug in purebleu" in lines[-1]
    assert_harmless(message.replace("purebleu: ", "").encode())


def test_running_out_of_memory_is_an_error_of_one_line(corpus: Path) -> None:
    process = run_cli(["ref", "-i", "hyp"], cwd=corpus, start=["-c", BROKEN, PACKAGE, "MemoryError"])
    assert_error(process, BAD_INPUT, "memory")


@needs_posix
def test_a_bug_is_a_bug_with_closed_standard_error(corpus: Path) -> None:
    process = shell(CLOSED_STDERR, "ref", "-i", "hyp", cwd=corpus, start=["-c", BROKEN, PACKAGE, "KeyError"])
    assert (process.returncode, process.stdout) == (BUG, b"")


# The command line as a function

@pytest.mark.skipif(os.name != "posix" or not os.path.exists("/dev/zero"), reason="this system has no /dev/zero")
@pytest.mark.parametrize("arguments", [
    ["/dev/zero", "-i", "hyp"], ["ref", "-i", "/dev/zero"], ["ref", "-i", "hyp", "--scores", "A=/dev/zero"],
    ["--rows", "/dev/zero"], ["unbundle", "/dev/zero"],
    ["agree", "ref", "-i", "hyp", "ref", "--human", "/dev/urandom"]])
def test_a_device_without_an_end_is_not_read(corpus: Path, arguments: list[str]) -> None:
    assert_error(call_cli(arguments, cwd=corpus), BAD_INPUT, "is a device that never ends")
