"""Rows in files: the same results as from the text, parts put together, and files that are refused."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .helpers import SHARED, load, output_of, part, run_cli, write_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

WMT22 = SHARED / "data" / "wmt22"
needs_data = pytest.mark.skipif(not WMT22.is_dir(), reason="PUREBLEU_SHARED names no folder with real data")

PurebleuError = load("errors").PurebleuError

#: What is done with systems, beside scoring them.
WAYS: list[list[str]] = [
    [], ["-ci", "-cin", "50"], ["--paired-bs", "-pbsn", "60"], ["--paired-ar", "-parn", "50"],
    ["--paired-ar", "-parn", "50", "-ci", "-cin", "30"], ["--rank", "-parn", "150"],
    ["--paired-bs", "-pbsn", "60", "--rng", "numpy", "--seed", "7"],
]
FORMATS = ["json", "json-signed", "text", "latex", "html", "markdown", "csv", "tsv"]

SYSTEMS = {"a.txt": 0.9, "b.txt": 0.8, "c.txt": 0.5}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_systems(tmp_path, {"ref": 1.0, "ref2": 0.95, **SYSTEMS}, 150)
    return tmp_path


def save(folder: Path, *arguments: str, to: str = "all.rows", systems: Sequence[str] = tuple(SYSTEMS)) -> None:
    done = run_cli(["ref", "-i", *systems, "--save-rows", to, *arguments], cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")


def refusal(folder: Path, *arguments: str) -> str:
    """What is said where files of rows are refused."""
    done = run_cli(["--rows", *arguments], cwd=folder)
    assert (done.returncode, done.stdout) == (1, b""), done.stderr
    assert done.stderr.count(b"\n") == 1
    return done.stderr.decode()


# The same results as from the text


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_results_are_those_of_the_text(folder: Path, way: list[str]) -> None:
    save(folder, "-m", "ter", "bleu", "chrf", "-cw", "2")
    for number, form in enumerate(FORMATS):
        options = [*way, "-f", form, "-w", str(1 + number), *["-sh"] * (number % 2)]
        from_text = output_of(["ref", "-i", *SYSTEMS, "-m", "ter", "bleu", "chrf", "-cw", "2", *options], folder)
        assert output_of(["--rows", "all.rows", *options], folder) == from_text
    chosen = output_of(["ref", "-i", *SYSTEMS, "-m", "chrf", "-cw", "2", *way], folder)
    assert output_of(["--rows", "all.rows", "-m", "chrf", *way], folder) == chosen


@pytest.mark.parametrize("options", [
    ["-m", "bleu", "-s", "floor", "-sv", "0.123"], ["-m", "bleu", "-s", "add-k"], ["-m", "chrf", "--chrf-beta", "3"],
    ["-m", "chrf", "--chrf-eps-smoothing", "-cc", "3"], ["-m", "ter", "--ter-case-sensitive"],
    ["-m", "bleu", "-tok", "zh", "-lc"],
], ids=" ".join)
def test_options_of_the_metric_are_in_the_file(folder: Path, options: list[str]) -> None:
    save(folder, *options, systems=["c.txt"])
    for output in (["-w", "9"], ["-f", "text", "-sh"], ["-b"], ["-ci", "-cin", "20"]):
        from_text = output_of(["ref", "-i", "c.txt", *options, *output], folder)
        assert output_of(["--rows", "all.rows", *output], folder) == from_text


def test_systems_of_standard_input_have_numbers(folder: Path) -> None:
    lines = zip(*[(folder / name).read_text().splitlines() for name in SYSTEMS])
    columns = "".join(["\t".join(line) + "\n" for line in lines]).encode()
    options = ["--paired-ar", "-parn", "30", "-f", "text"]
    done = run_cli(["ref", "ref2", "--save-rows", "in.rows.gz", *options], stdin=columns, cwd=folder)
    assert done.returncode == 0
    assert output_of(["--rows", "in.rows.gz", *options], folder) == done.stdout.decode()
    assert b"Baseline" in done.stdout and b"System 2" in done.stdout


def test_test_sets_processes_and_columns_of_references_save_the_same(folder: Path) -> None:
    save(folder, to="one.rows")
    save(folder, "-j", "2", to="two.rows")
    assert (folder / "one.rows").read_bytes() == (folder / "two.rows").read_bytes()
    references = [(folder / name).read_text().splitlines() for name in ("ref", "ref2")]
    (folder / "both").write_text("".join([f"{one}\t{other}\n" for one, other in zip(*references)]))
    save(folder, "-w", "1", to="files.rows", systems=["a.txt"])
    for arguments in (["both", "-nr", "2"], ["ref", "ref2"]):
        assert run_cli([*arguments, "-i", "a.txt", "--save-rows", f"{len(arguments)}.rows"], cwd=folder).returncode == 0
    assert (folder / "3.rows").read_bytes() == (folder / "2.rows").read_bytes()
    assert (folder / "2.rows").read_bytes() != (folder / "files.rows").read_bytes()
    sample = load("datasets").get_test_set("sample").get_reference_files("en-de")[0]
    done = run_cli(["-t", "sample", "-l", "en-de", "-i", sample, "--save-rows", "sample.rows"], cwd=folder)
    assert output_of(["--rows", "sample.rows"], folder) == done.stdout.decode()


def test_a_file_of_rows_has_no_text(folder: Path) -> None:
    (folder / "ref").write_text("a secret sentence that nobody sees\n")
    (folder / "a.txt").write_text("another secret sentence for nobody\n")
    save(folder, "-m", "bleu", "chrf", "ter", systems=["a.txt"])
    content = (folder / "all.rows").read_text()
    assert not re.search("secret|sentence|nobody|another", content)
    header = json.loads(content.splitlines()[0])
    assert (header["system"], header["segments"], header["columns"][:3]) == ("a.txt", 1, [
        "sys_len", "ref_len", "correct_1"])
    assert all(re.fullmatch("[0-9a-f]{64}", digest)
               for digest in [header["hypothesis_sha256"], *header["references_sha256"]])
    assert len(content.splitlines()) == 9


def test_compressed_files_are_the_same_each_time(folder: Path) -> None:
    save(folder, to="plain.rows")
    save(folder, to="one.rows.gz")
    save(folder, to="two.rows.gz")
    assert (folder / "one.rows.gz").read_bytes() == (folder / "two.rows.gz").read_bytes()
    assert gzip.decompress((folder / "one.rows.gz").read_bytes()) == (folder / "plain.rows").read_bytes()


# Parts


def split_corpus(folder: Path, cuts: Sequence[int]) -> list[str]:
    """Save the rows of parts of the corpus; returns the names of the files."""
    names = []
    for start, end in zip([0, *cuts], [*cuts, 150]):
        for name in ("ref", "a.txt", "b.txt"):
            lines = (folder / name).read_text().splitlines(keepends=True)[start:end]
            (folder / str(start)).mkdir(exist_ok=True)
            (folder / str(start) / name).write_text("".join(lines))
        done = run_cli(["ref", "-i", "a.txt", "b.txt", "-m", "ter", "bleu", "--save-rows", "part.rows",
                        *(["--offset", str(start)] if start else [])], cwd=folder / str(start))
        assert done.returncode == 0, done.stderr
        names.append(f"{start}/part.rows")
    return names


def test_parts_give_the_results_of_the_whole_in_any_order(folder: Path) -> None:
    names = split_corpus(folder, [40, 41, 130])
    options = ["--paired-bs", "-pbsn", "40", "-f", "json", "-m", "ter", "bleu"]
    whole = output_of(["ref", "-i", "a.txt", "b.txt", *options], folder)
    for seed in range(3):
        random.Random(seed).shuffle(names)
        found = output_of(["--rows", *names, *options], folder)
        assert json.loads(found) == json.loads(whole)
    in_order = sorted(names, key=lambda name: int(name.partition("/")[0]))
    (folder / "one.rows").write_bytes(b"".join([(folder / name).read_bytes() for name in in_order]))
    assert output_of(["--rows", "one.rows", *options], folder) == whole


def test_parts_that_are_missing_or_there_twice_are_named(folder: Path) -> None:
    names = split_corpus(folder, [40, 130])
    assert "0/part.rows and 130/part.rows: of a.txt, segments from 40 to 129 are missing" in refusal(
        folder, names[0], names[2])
    assert "40/part.rows: the rows of a.txt start at segment 40; those before are missing" in refusal(folder, names[1])
    assert "0/part.rows and 0/part.rows: of a.txt, segments from 0 to 39 are there twice" in refusal(
        folder, names[0], names[0])


@pytest.mark.parametrize(("other", "field"), [
    (["-tok", "intl"], "the signature's tok: 13a and intl"), (["-s", "floor"], "options: "),
    (["-lc"], "the signature's case: mixed and lc"),
])
def test_systems_that_were_not_scored_alike_are_named(folder: Path, other: list[str], field: str) -> None:
    save(folder, to="a.rows", systems=["a.txt"])
    save(folder, *other, to="b.rows", systems=["b.txt"])
    assert f"a.rows and b.rows differ in {field}" in refusal(folder, "a.rows", "b.rows")


def test_systems_of_other_references_or_lengths_are_named(folder: Path) -> None:
    save(folder, to="a.rows", systems=["a.txt"])
    assert run_cli(["ref2", "-i", "b.txt", "--save-rows", "b.rows"], cwd=folder).returncode == 0
    assert "a.rows and b.rows differ in the checksums of the references: " in refusal(folder, "a.rows", "b.rows")
    for name in ("ref", "c.txt"):
        (folder / name).write_text("".join((folder / name).read_text().splitlines(keepends=True)[:100]))
    save(folder, to="c.rows", systems=["c.txt"])
    assert "a.rows and c.rows differ in the number of segments: 150 and 100" in refusal(folder, "a.rows", "c.rows")


# Files that are refused


@given(data=st.data())
@settings(max_examples=60)
def test_a_changed_file_is_refused_or_means_the_same(data: st.DataObject,
                                                     tmp_path_factory: pytest.TempPathFactory) -> None:
    read, write = part("rows", "read"), part("rows", "write")
    metric = load().TER()
    rows = metric.corpus_statistics(["a b c", "d", "e f"], [["a b", "d", "e g h"]])
    stored = part("rows", "StoredRows").of_evaluation("out", metric, metric.get_signature(), rows)
    path = str(tmp_path_factory.mktemp("rows") / "file.rows")
    write(path, [stored])
    content = bytearray(Path(path).read_bytes())
    position = data.draw(st.integers(0, len(content) - 1))
    kind = data.draw(st.sampled_from(["cut", "change", "insert", "delete"]))
    byte = data.draw(st.sampled_from(b"0123456789,.[]{}\"ab\n -"))
    if kind == "cut":
        del content[position:]
    elif kind == "change":
        content[position] = byte
    elif kind == "insert":
        content.insert(position, byte)
    else:
        del content[position]
    Path(path).write_bytes(content)
    try:
        found, = read(path)
    except PurebleuError as error:
        assert str(error).startswith(path) and "\n" not in str(error)
    else:
        assert (found.rows, found.signature, found.system, found.options, found.offset) == (
            stored.rows, stored.signature, stored.system, stored.options, 0)


@pytest.mark.parametrize(("content", "message"), [
    ("", "no rows, the file is empty"), ("a line of text\n", "line 1: not a line of a file of rows"),
    ("{}\n", "line 1: not the header of a file of rows"), ("[1, 2]\n", "line 1: not the header of a file of rows"),
    ('{"format": "purebleu-rows", "version": 2}\n', "line 1: version 2 of the format is unknown here"),
    ('{"format": "purebleu-rows", "version": 1, "metric": 5}\n', "line 1: the header's 'metric' is 5"),
    ("[" * 100_000 + "\n", "line 1: not a line of a file of rows"),
])
def test_foreign_files_are_refused(folder: Path, content: str, message: str) -> None:
    (folder / "foreign.rows").write_text(content)
    assert f"foreign.rows{', ' if message.startswith('line') else ': '}{message}" in refusal(folder, "foreign.rows")


@pytest.mark.parametrize(("field", "value", "message"), [
    ("metric", "PAPER", "the metric 'PAPER' is unknown here"), ("offset", -1, "a negative offset"),
    ("offset", True, "the header's 'offset' is True"), ("columns", ["x"], "the columns of BLEU are ['x']"),
    ("options", {"tokenize": "spm:/etc/passwd"}, "the options of BLEU are ['tokenize']"),
    ("signature", "nrefs:1\n", "a signature that can't be printed"), ("system", None, "the header's 'system' is None"),
])
def test_headers_are_looked_through(folder: Path, field: str, value: object, message: str) -> None:
    save(folder, systems=["a.txt"])
    header, *rest = (folder / "all.rows").read_text().splitlines(keepends=True)
    changed = {**json.loads(header), field: value}
    (folder / "all.rows").write_text(json.dumps(changed) + "\n" + "".join(rest))
    assert message in refusal(folder, "all.rows")


def test_numbers_that_are_none_are_refused(folder: Path) -> None:
    save(folder, systems=["a.txt"])
    lines = (folder / "all.rows").read_text().splitlines(keepends=True)
    for row in ("[1,2,3]\n", lines[1].replace("[", '["x",', 1), lines[1].replace("[", "[NaN,", 1),
                "[true" + lines[1][2:], "7\n"):
        (folder / "all.rows").write_text("".join([lines[0], row, *lines[2:]]))
        assert "line 2: " in refusal(folder, "all.rows")


# The command line


def test_list_tells_what_is_there(folder: Path) -> None:
    save(folder, "-m", "bleu", "ter", systems=["a.txt"])
    assert output_of(["--rows", "all.rows", "--list"], folder).splitlines() == [
        "all.rows\ta.txt\tBLEU\t0\t150\tnrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:purebleu-"
        + load().__version__,
        "all.rows\ta.txt\tTER\t0\t150\tnrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:purebleu-"
        + load().__version__]


@pytest.mark.parametrize(("arguments", "message"), [
    (["ref", "--rows", "all.rows"], "--rows needs no text"), (["--rows", "all.rows", "-i", "a.txt"], "needs no text"),
    (["--rows", "all.rows", "-sl"], "--rows tells nothing of single segments"),
    (["--rows", "all.rows", "-sv", "0"], "--rows were counted with the options in their signature"),
    (["--rows", "all.rows", "-tok", "zh"], "--rows were counted with the options in their signature"),
    (["--rows", "all.rows", "-m", "ter"], "there are no rows of ter, but of bleu"),
    (["ref", "-i", "a.txt", "--save-rows", "x", "-sl"], "--save-rows goes with scores of whole files"),
    (["ref", "-i", "a.txt", "--offset", "3"], "--offset goes with --save-rows"),
])
def test_what_does_not_go_together_is_wrong_usage(folder: Path, arguments: list[str], message: str) -> None:
    save(folder, systems=["a.txt"])
    done = run_cli(arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()


def test_a_file_that_can_not_be_written_or_read_is_an_error(folder: Path) -> None:
    done = run_cli(["ref", "-i", "a.txt", "--save-rows", "ref/x.rows"], cwd=folder)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"ref/x.rows: " in done.stderr and done.stderr.count(b"\n") == 1
    assert "nothing.rows: No such file or directory" in refusal(folder, "nothing.rows")


# The Python API


def test_rows_from_python(tmp_path: Path) -> None:
    rows, metric = load("rows"), load().CHRF(word_order=2)
    part("rows", "read")
    texts, references = ["a b c d", "e f g"], [["a b c x", "e f h"]]
    parts = []
    for start, end in ((0, 1), (1, 2)):
        counted = metric.corpus_statistics(texts[start:end], [references[0][start:end]])
        parts.append(rows.StoredRows.of_evaluation("system", metric, metric.get_signature(), counted, offset=start))
    path = str(tmp_path / "parts.rows")
    rows.write(path, parts)
    stored, = rows.merge(reversed(rows.read(path)))
    score = stored.evaluation(stored.make_metric()).score()
    assert score == metric.corpus_score(texts, references)
    assert str(score.signature) == str(metric.get_signature())
    assert repr(stored) == f"<StoredRows 'system' CHRF|{metric.get_signature()}, segments 0 to 2>"


# Real data


@needs_data
@pytest.mark.parametrize("way", [[], ["-ci"], ["--paired-bs"], ["--rank", "-parn", "1000"]], ids=" ".join)
def test_rows_of_five_real_systems_give_the_bytes_of_the_text(tmp_path: Path, way: list[str]) -> None:
    systems = [str(path) for path in sorted(WMT22.glob("generaltest2022.en-de.hyp.*"))]
    text = [str(WMT22 / "generaltest2022.en-de.ref.B.de"), "-i", *systems, "-m", "bleu", "chrf", "ter"]
    output_of([*text, "--save-rows", "five.rows.gz", "-j", "2"], tmp_path)
    for form in ("json-signed", "text"):  # (all of them are above, on less)
        assert output_of(["--rows", "five.rows.gz", *way, "-f", form], tmp_path) == output_of(
            [*text, *way, "-f", form, "-j", "2"], tmp_path)
