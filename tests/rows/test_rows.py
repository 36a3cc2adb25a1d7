"""Rows in files: the same results as from the text, parts put together, and files that are refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import random
import re
from pathlib import Path
from typing import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu import rows
from purebleu.datasets import get_test_set
from purebleu.metrics import FURTHER_MODULES, MODULES
from purebleu.rows import added_checksums, merge, text_checksum
from purebleu.runtime.errors import PurebleuError

from ..helpers import OF_SUBTITLES, first_by_default, output_of, program, refused, texts_of, told, write_lines
from ..helpers import refusal as refusal_of

#: Commands on systems.
WAYS = [
    "score -pbs -pbsn 60 --rng numpy --seed 7", "score", "test --samples 50 -cin 50 --against b --correction none",
    "score -ci -cin 50", "score -pbs -pbsn 60", "score -par -parn 50", "score -par -parn 50 -ci -cin 30",
    "test --samples 150 -cin 50"]
FORMATS = ["json", "json-signed", "text", "latex", "html", "markdown", "csv", "tsv", "paper"]

SYSTEMS = {"a.txt": 0.9, "b.txt": 0.8, "c.txt": 0.5}
SHARES, SEGMENTS = {"ref": 1.0, "ref2": 0.95, **SYSTEMS}, 150


def save(folder: Path, *arguments: str, to: str = "all.rows", systems: Sequence[str] = tuple(SYSTEMS)) -> None:
    output_of(["ref", "-i", *systems, "--save-rows", to, *arguments], folder)


def refusal(folder: Path, *arguments: str, command: str = "score") -> str:
    """The message with which files of rows are refused."""
    return refusal_of(folder, command, "--rows", *arguments, code=1)


def rows_of_ter(output: Sequence[str], reference: Sequence[str], name: str) -> rows.StoredRows:
    """Rows that were counted in Python, without checksums of texts."""
    metric = purebleu.TER()
    counted = metric.corpus_statistics(output, [reference])
    return rows.StoredRows.of_evaluation(name, metric, metric.get_signature(), counted)


def copy_lines(source: Path, target: Path, start: int, end: int | None) -> None:
    """Write some lines of a file into another one."""
    target.parent.mkdir(exist_ok=True)
    target.write_text("".join(source.read_text().splitlines(keepends=True)[start:end]))


def forge(path: Path, **fields: object) -> None:
    """Change fields of the header of the only part, and its checksum with it."""
    header, *rows_written, _ = path.read_text().splitlines()
    lines = [json.dumps({**json.loads(header), **fields}), *rows_written]
    checksum = hashlib.sha256("".join([line + "\n" for line in lines]).encode()).hexdigest()
    write_lines(path, [*lines, json.dumps({"rows": len(rows_written), "sha256": checksum})])


# The same results as from the text

@pytest.mark.parametrize("way", first_by_default(2, WAYS))
def test_results_are_those_of_the_text(corpus: Path, way: str) -> None:
    save(corpus, "-m", "ter", "bleu", "chrf", "-cw", "2")
    of_text, of_rows = [*way.split(), "ref", "-i", *SYSTEMS, "-cw", "2", "-m"], [*way.split(), "--rows", "all.rows"]
    # (All formats are made of the same results, so they are tried in one of the ways only.)
    for number, form in enumerate(FORMATS if way == WAYS[0] else ("json", "text")):
        options = ["-f", form, "-w", str(1 + number), *["-sh"] * (number % 2), "-q"]
        from_text = output_of([*of_text, "ter", "bleu", "chrf", *options], corpus)
        assert output_of([*of_rows, *options], corpus) == from_text
    assert output_of([*of_rows, "-m", "chrf", "-q"], corpus) == output_of([*of_text, "chrf", "-q"], corpus)


@pytest.mark.parametrize("name", first_by_default(
    4, [name for name in (*MODULES, *FURTHER_MODULES) if name not in OF_SUBTITLES]))
def test_scores_of_segments_are_those_of_the_text(corpus: Path, name: str) -> None:
    metric = name.lower()
    for options in ([], ["-b", "-w", "4"]):
        from_text = output_of(["ref", "-i", "a.txt", "-m", metric, "-sl", *options], corpus)
        output_of(["ref", "-i", "a.txt", "-m", metric, "--save-rows", "a.rows"], corpus)
        assert output_of(["--rows", "a.rows", "-sl", *options], corpus) == from_text
    metrics = ["-m", *dict.fromkeys(["bleu", metric])]  # (without rows of BLEU, no lengths are known)
    save(corpus, *metrics, systems=["a.txt", "b.txt"])
    for form in ("csv", "json"):
        options = [*metrics, "-sl", "-f", form]
        assert told(corpus, "--rows", "all.rows", *options) == told(corpus, "ref", "-i", "a.txt", "b.txt", *options)
    assert "several metrics or systems needs a table: add -f csv" in refusal_of(corpus, "--rows", "all.rows", "-sl")


def test_options_of_the_metric_are_in_the_file(corpus: Path) -> None:
    options = ["-m", "bleu", "chrf", "ter", "-w", "9", "-s", "floor", "-sv", "0.123", "-tok", "zh", "-lc",
               "--chrf-beta", "3", "--chrf-eps-smoothing", "-cc", "3", "--ter-case-sensitive"]
    save(corpus, *options, systems=["c.txt"])
    assert output_of(["--rows", "all.rows", "-w", "9"], corpus) == output_of(["ref", "-i", "c.txt", *options], corpus)


def test_warnings_count_the_segments_of_rows(corpus: Path) -> None:
    (corpus / "short").write_text("a b\nc d\n")
    _, errors = told(corpus, "short", "-i", "short", "--save-rows", "short.rows")
    assert "no hypothesis has 4 words or more" in errors and told(corpus, "--rows", "short.rows")[1] == errors


def test_systems_of_standard_input_have_numbers(corpus: Path) -> None:
    columns = "".join(["\t".join(line) + "\n" for line in zip(*texts_of(corpus, *SYSTEMS))]).encode()
    options = ["--paired-ar", "-parn", "30", "-f", "text"]
    output, _ = told(corpus, "ref", "ref2", "--save-rows", "in.rows.gz", *options, stdin=columns)
    assert output_of(["--rows", "in.rows.gz", *options], corpus) == output
    assert "Baseline" in output and "System 2" in output


def test_test_sets_and_columns_of_references_save_the_same(corpus: Path) -> None:
    write_lines(corpus / "both", ["\t".join(pair) for pair in zip(*texts_of(corpus, "ref", "ref2"))])
    save(corpus, "-w", "1", to="files.rows", systems=["a.txt"])
    for arguments in (["both", "-nr", "2"], ["ref", "ref2"]):
        output_of([*arguments, "-i", "a.txt", "--save-rows", f"{len(arguments)}.rows"], corpus)
    assert (corpus / "3.rows").read_bytes() == (corpus / "2.rows").read_bytes()
    assert (corpus / "2.rows").read_bytes() != (corpus / "files.rows").read_bytes()
    sample = get_test_set("sample").get_reference_files("en-de")[0]
    output, _ = told(corpus, "-t", "sample", "-l", "en-de", "-i", sample, "--save-rows", "sample.rows")
    assert output_of(["--rows", "sample.rows"], corpus) == output


def test_a_file_of_rows_has_no_text(corpus: Path) -> None:
    (corpus / "ref").write_text("a secret sentence that nobody sees\n")
    (corpus / "a.txt").write_text("another secret sentence for nobody\n")
    save(corpus, "-m", "bleu", "chrf", "ter", systems=["a.txt"])
    content = (corpus / "all.rows").read_text()
    assert not re.search("secret|sentence|nobody|another", content)
    header = json.loads(content.splitlines()[0])
    assert [*header.items()][:2] == [("format", "purebleu-rows"), ("version", 1)]
    assert (header["system"], header["columns"][:3]) == ("a.txt", ["sys_len", "ref_len", "correct_1"])
    digests = [header["hypothesis_sha256"], *header["references_sha256"]]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
    assert len(content.splitlines()) == 9


def test_compressed_files_are_the_same_each_time(corpus: Path) -> None:
    for name in ("plain.rows", "one.rows.gz", "two.rows.gz"):
        save(corpus, to=name)
    assert (corpus / "one.rows.gz").read_bytes() == (corpus / "two.rows.gz").read_bytes()
    assert gzip.decompress((corpus / "one.rows.gz").read_bytes()) == (corpus / "plain.rows").read_bytes()


# Parts

def split_corpus(folder: Path, cuts: Sequence[int]) -> list[str]:
    """Save the rows of parts of the corpus; returns the names of the files."""
    names = []
    for start, end in zip([0, *cuts], [*cuts, 150]):
        for name in ("ref", "a.txt", "b.txt"):
            copy_lines(folder / name, folder / str(start) / name, start, end)
        output_of(["ref", "-i", "a.txt", "b.txt", "-m", "ter", "bleu", "--save-rows", "part.rows",
                   *(["--offset", str(start)] if start else [])], folder / str(start))
        names.append(f"{start}/part.rows")
    return names


def test_parts_give_the_results_of_the_whole_in_any_order(corpus: Path) -> None:
    names = split_corpus(corpus, [40, 41, 130])
    options = ["--paired-bs", "-pbsn", "40", "-f", "json", "-m", "ter", "bleu", "-q"]
    whole = output_of(["ref", "-i", "a.txt", "b.txt", *options], corpus)
    (corpus / "one.rows").write_bytes(b"".join([(corpus / name).read_bytes() for name in names]))
    assert output_of(["--rows", "one.rows", *options], corpus) == whole
    for seed in range(3):
        random.Random(seed).shuffle(names)
        assert json.loads(output_of(["--rows", *names, *options], corpus)) == json.loads(whole)
    segments = ["-m", "ter", "bleu", "-sl", "-f", "json"]
    of_text = output_of(["ref", "-i", "a.txt", "b.txt", *segments], corpus)
    assert output_of(["--rows", *names, *segments], corpus) == of_text


def test_parts_that_are_missing_or_there_twice_are_named(corpus: Path) -> None:
    first, second, third = split_corpus(corpus, [40, 130])
    for names, message in (
            ([first, third], "0/part.rows and 130/part.rows: segments 40 to 129 of a.txt are missing"),
            ([second], "40/part.rows: the rows of a.txt before segment 40 are missing (give all parts the same name: "
                       "-i NAME=FILE)"),
            ([first, first], "0/part.rows and 0/part.rows: segments 0 to 39 of a.txt are given twice (set the first "
                             "segment of a part with --offset)")):
        assert message in refusal(corpus, *names)


@pytest.mark.parametrize(("other", "field"), [
    (["ref", "-tok", "intl"], "have different values of tok in their signatures: 13a and intl"),
    (["ref", "-s", "floor"], "differ in options: "),
    (["ref", "-lc"], "have different values of case in their signatures: mixed and lc"),
    (["ref2"], "differ in the checksums of the references: "),
])
def test_systems_that_were_not_scored_alike_are_named(corpus: Path, other: list[str], field: str) -> None:
    save(corpus, to="a.rows", systems=["a.txt"])
    output_of([*other, "-i", "b.txt", "--save-rows", "b.rows"], corpus)
    assert f"a.rows and b.rows {field}" in refusal(corpus, "a.rows", "b.rows")


def test_rows_of_another_copy_of_the_same_version_are_joined_with_a_warning(corpus: Path) -> None:
    names = split_corpus(corpus, [40])
    save(corpus, to="a.rows", systems=["a.txt"])
    save(corpus, to="b.rows", systems=["b.txt"])
    header = json.loads((corpus / "a.rows").read_text().splitlines()[0])
    version = header["signature"].rpartition("version:")[2]
    warning = f"the rows come from different versions of purebleu: purebleu-2.6.0+gabc1234 and {version}"
    forge(corpus / "a.rows", signature=header["signature"].replace(version, "purebleu-2.6.0+gabc1234"))
    of_gate = ["gate", "ref", "-i", "b.txt", "--baseline", "a.rows", "--margin", "99"]
    for command in (["test", "--rows", "a.rows", "b.rows", "--samples", "50"], ["--rows", "a.rows", "b.rows"], of_gate):
        assert told(corpus, *command)[1].count(warning) == 1
    parts = [part for name in names for part in rows.read(str(corpus / name)) if part.system == "a.txt"]
    parts[0].signature = parts[0].signature.replace(version, "purebleu-2.6.0+gabc1234")
    with pytest.warns(purebleu.PurebleuWarning, match=re.escape(warning)):
        assert len(merge(parts[::2])[0].rows) == 150
    forge(corpus / "a.rows", signature=header["signature"].replace(version, "purebleu-2.6.1"))
    assert "different values of version in their signatures: purebleu-2.6.1" in refusal(corpus, "a.rows", "b.rows")
    assert "the baseline a.rows has the signature" in refusal_of(corpus, *of_gate)


def test_a_name_of_two_outputs_does_not_become_one_system(corpus: Path) -> None:
    for number, (lines, metric) in enumerate([(150, "bleu"), (150, "ter"), (100, "ter")]):
        inner = corpus / str(number)
        copy_lines(corpus / "ref", inner / "ref", 0, lines)
        copy_lines(corpus / list(SYSTEMS)[number], inner / "out.txt", 0, lines)
        save(inner, "-m", metric, systems=["out.txt"])
    for command, *further in (["score", "-ci"], ["test"], ["report"], ["score", "-m", "bleu", "ter"]):
        assert ("0/all.rows and 1/all.rows both have a system called out.txt, but checksums do not show that its "
                "outputs are the same: save different systems under different names (-i NAME=FILE)") in refusal(
                    corpus, "0/all.rows", "1/all.rows", *further, command=command)
        assert "0/all.rows and 2/all.rows differ in the number of segments: 150 and 100" in refusal(
            corpus, "0/all.rows", "2/all.rows", *further, command=command)
    # Two metrics of the same output do become one system, also from two files.
    save(corpus / "0", "-m", "ter", to="ter.rows", systems=["out.txt"])
    together = output_of(["ref", "-i", "out.txt", "-m", "bleu", "ter"], corpus / "0")
    assert output_of(["--rows", "0/all.rows", "0/ter.rows"], corpus) == together


def test_the_same_segments_of_two_outputs_are_not_parts_of_one(corpus: Path) -> None:
    save(corpus, to="a.rows", systems=["out=a.txt"])
    save(corpus, to="b.rows", systems=["out=b.txt"])
    assert "a.rows and b.rows both have a system called out, but checksums do not show that its outputs" in refusal(
        corpus, "a.rows", "b.rows")
    for name, metric in (("c.rows", "bleu"), ("d.rows", "ter")):
        output_of(["ref2", "-i", "out=a.txt", "-m", metric, "--save-rows", name], corpus)
        assert f"a.rows and {name} differ in the checksums of the references" in refusal(corpus, "a.rows", name)


def test_references_are_compared_however_the_corpus_was_split(corpus: Path) -> None:
    """Systems whose parts are of different sizes are compared where all references together are the same."""
    named: dict[str, list[str]] = {}
    for name, cuts in (("a.txt", [0, 70, 150]), ("b.txt", [0, 20, 90, 150])):
        for start, end in zip(cuts, cuts[1:]):
            for source in ("ref", name):
                copy_lines(corpus / source, corpus / f"part-{source}", start, end)
            saved = f"{name}-{start}.rows"
            output_of(["part-ref", "-i", f"{name}=part-{name}", "--offset", str(start), "--save-rows", saved], corpus)
            named.setdefault(name, []).append(saved)
    test = ["--paired-ar", "-parn", "50", "-q"]
    from_text = output_of(["ref", "-i", "a.txt", "b.txt", *test], corpus)
    assert output_of(["--rows", *named["a.txt"], *named["b.txt"], *test], corpus) == from_text
    merged = merge([part for name in named["a.txt"] for part in rows.read(str(corpus / name))])
    assert merged[0].hypothesis_sha256 == text_checksum(texts_of(corpus, "a.txt")[0])
    rows.write(str(corpus / "merged.rows"), merged)
    assert output_of(["--rows", "merged.rows", *named["b.txt"], *test], corpus) == from_text
    # One line of a reference is another one.
    write_lines(corpus / "part-ref", [*texts_of(corpus, "ref")[0][90:149], "another line"])
    copy_lines(corpus / "b.txt", corpus / "part-b.txt", 90, None)
    output_of(["part-ref", "-i", "b.txt=part-b.txt", "--offset", "90", "--save-rows", "b.txt-90.rows"], corpus)
    for further in ([], test):
        assert "differ in the checksums of the ref" in refusal(corpus, *named["a.txt"], *named["b.txt"], *further)


def test_rows_without_checksums_are_not_compared_in_pairs(corpus: Path) -> None:
    paths = [f"{name}.rows" for name in SYSTEMS]
    for name, path in zip(SYSTEMS, paths):
        output, reference = texts_of(corpus, name, "ref")
        rows.write(str(corpus / path), [rows_of_ter(output, reference, name)])
    told(corpus, "--rows", *paths)
    output_of(["test", "--rows", paths[0], "-q"], corpus)
    for command, *arguments in (["score", "-pbs"], ["test"], ["report"], ["compare", "--differences", "2"]):
        assert "a.txt.rows: the rows of a.txt have no checksums of references" in refusal(
            corpus, *paths, *arguments, command=command)
    assert "the baseline c.txt.rows may have been scored against other references" in refusal(
        corpus, "a.txt.rows", "--baseline", "c.txt.rows", command="gate")


@given(lines=st.lists(st.one_of(st.none(), st.text(max_size=3)), max_size=8), cut=st.integers(0, 8),
       offset=st.integers(0, 10**6))
def test_checksums_of_parts_add_up_and_tell_texts_apart(lines: list[str | None], cut: int, offset: int) -> None:
    whole = text_checksum(lines, offset)
    parts = [text_checksum(lines[:cut], offset), text_checksum(lines[cut:], offset + len(lines[:cut]))]
    assert added_checksums(parts) == whole
    assert added_checksums([whole, ""]) == ""
    if any(line is not None for line in lines):
        assert whole != text_checksum(lines, offset + 1)
        assert whole != text_checksum([*lines, ""], offset)
    plain = sum([int(hashlib.sha256((index + offset).to_bytes(8, "big") + hashlib.sha256(line.encode()).digest())
                     .hexdigest(), 16) for index, line in enumerate(lines) if line is not None])
    assert int(whole, 16) == plain % 2 ** 256


# Files that are refused

#: The first line of a file of rows, but for its version and what follows it.
OPENING = '{{"format": "purebleu-rows", "version": {}{}}}\n'


@given(data=st.data())
def test_a_changed_file_is_refused_or_means_the_same(data: st.DataObject,
                                                     tmp_path_factory: pytest.TempPathFactory) -> None:
    stored = rows_of_ter(["a b c", "d", "e f"], ["a b", "d", "e g h"], "out")
    path = str(tmp_path_factory.mktemp("rows") / "file.rows")
    rows.write(path, [stored])
    content = Path(path).read_bytes()
    position = data.draw(st.integers(0, len(content) - 1))
    byte = bytes([data.draw(st.sampled_from(b"0123456789,.[]{}\"ab\n -"))])
    start, end = content[:position], content[position + 1:]
    cut_off, changed, inserted, left_out = start, start + byte + end, start + byte + content[position:], start + end
    Path(path).write_bytes(data.draw(st.sampled_from([cut_off, changed, inserted, left_out])))
    try:
        found, = rows.read(path)
    except PurebleuError as error:
        assert str(error).startswith(path) and "\n" not in str(error)
    else:
        assert (found.rows, found.signature, found.system, found.options, found.offset) == (
            stored.rows, stored.signature, stored.system, stored.options, 0)


@pytest.mark.parametrize(("content", "message"), [
    ("", "the file is empty, so it has no rows"), ("a line of text\n", "line 1: not a line of a file of rows"),
    ("{}\n", "line 1: expected the header of stored rows"),
    ("[1, 2]\n", "line 1: expected the header of stored rows"),
    (OPENING.format(2, ""), "line 1: unknown version 2 of the file format"),
    (OPENING.format("true", ""), "line 1: unknown version True of the file format"),
    (OPENING.format("1.0", ""), "line 1: unknown version 1.0 of the file format"),
    (OPENING.format(1, ""), "line 1: the header's 'metric' is wrong: None"),
    (OPENING.format(1, ', "metric": 5'), "line 1: the header's 'metric' is wrong: 5"),
    pytest.param("[" * 100_000 + "\n", "line 1: not a line of a file of rows", id="deep"),
])
def test_foreign_files_are_refused(corpus: Path, content: str, message: str) -> None:
    (corpus / "foreign.rows").write_text(content)
    assert f"foreign.rows{', ' if message.startswith('line') else ': '}{message}" in refusal(corpus, "foreign.rows")


@pytest.mark.parametrize(("field", "value", "message"), [
    ("metric", "PAPER", "unknown metric 'PAPER'"), ("offset", -1, "naming, offset or labels are wrong"),
    ("offset", True, "the header's 'offset' is wrong: True"), ("columns", ["x"], "not a row of 1 numbers"),
    ("options", {"tokenize": "spm:/etc/passwd"}, "line 152: the part that ends on this line was changed"),
    ("options", {"max_ngram_order": 3}, "wrong columns of BLEU: ["),
    ("system", None, "the header's 'system' is wrong: None"),
    ("labels", {"docid": [["a", 100]]}, "there are labels of 100 segments, but 150 rows"),
    ("labels", {"docid": [["a"]]}, "the part that ends on this line was changed"),
    ("labels", {"docid": [["a", -50], ["b", 200]]}, "there are labels of 150 segments, but 150 rows"),
])
def test_headers_that_are_not_right_are_refused(corpus: Path, field: str, value: object, message: str) -> None:
    save(corpus, systems=["a.txt"])
    forge(corpus / "all.rows", **{field: value})
    assert message in refusal(corpus, "all.rows")


def test_numbers_that_are_none_are_refused(corpus: Path) -> None:
    save(corpus, systems=["a.txt"])
    lines = (corpus / "all.rows").read_text().splitlines(keepends=True)
    for row in ("[1,2,3]\n", lines[1].replace("[", '["x",', 1), lines[1].replace("[", "[NaN,", 1),
                '["x' + lines[1][2:].replace(",", '",', 1), "[true" + lines[1][lines[1].index(","):], "7\n"):
        (corpus / "all.rows").write_text("".join([*lines[:1], row, *lines[2:]]))
        assert "line 2: " in refusal(corpus, "all.rows")


def test_a_file_that_was_cut_off_is_refused_wherever_that_was(corpus: Path) -> None:
    save(corpus, "-m", "bleu", "ter", systems=["a.txt", "b.txt"])
    lines = (corpus / "all.rows").read_text().splitlines(keepends=True)
    ends = [index for index, line in enumerate(lines) if line.startswith('{"rows"')]
    assert len(ends) == 4 and ends[-1] == len(lines) - 1
    for changed, message in (*[(lines[:end], f"cut off after line {end}, in the rows of a.txt")
                               for end in (1, 2, 41, ends[0])],
                             ([*lines[:40], *lines[41:]], "the rows of a.txt do not match their checksum"),
                             ([*lines[:40], *lines], "the rows of a.txt do not match their checksum"),
                             ([*lines, *lines[1:]], f"line {len(lines) + 1}: expected the header of stored rows")):
        (corpus / "all.rows").write_text("".join(changed))
        assert message in refusal(corpus, "all.rows")


# The command line

def test_list_tells_what_is_there(corpus: Path) -> None:
    save(corpus, "-m", "bleu", "ter", systems=["a.txt"])
    assert output_of(["rows", "all.rows"], corpus).splitlines() == [
        f"all.rows\ta.txt\tBLEU\t0\t150\tnrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{program()}",
        f"all.rows\ta.txt\tTER\t0\t150\tnrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{program()}"]


@refused("rows")
def test_options_that_do_not_match_are_refused(corpus: Path, arguments: list[str], code: int, message: str) -> None:
    save(corpus, systems=["a.txt"])
    assert message in refusal_of(corpus, *arguments, code=code)


def test_rows_from_python(tmp_path: Path) -> None:
    metric = purebleu.CHRF(word_order=2)
    texts, references = ["a b c d", "e f g"], [["a b c x", "e f h"]]
    counted = metric.corpus_statistics(texts, references)
    parts = [rows.StoredRows.of_evaluation("system", metric, metric.get_signature(), [row], offset=offset)
             for offset, row in enumerate(counted)]
    path = str(tmp_path / "parts.rows")
    rows.write(path, parts)
    stored, = rows.merge(reversed(rows.read(path)))
    score = stored.evaluation(stored.make_metric()).score()
    assert score == metric.corpus_score(texts, references)
    assert str(score.signature) == str(metric.get_signature())
    assert repr(stored) == f"<StoredRows 'system' CHRF|{metric.get_signature()}, segments 0 to 2>"


def test_only_rows_that_can_be_read_back_are_stored(tmp_path: Path) -> None:
    mine = purebleu.metric_from("EXACT", lambda line, references: float(line in references), signature="case:mixed")
    counted = mine.corpus_statistics(["a", "b"], [["a", "x"]])
    part = rows.StoredRows.of_evaluation("out", mine, mine.get_signature(), counted)
    rows.write(tmp_path / "out.rows", [part])
    [stored] = rows.read(str(tmp_path / "out.rows"))
    assert stored.rows == counted and stored.make_metric().value([sum(column) for column in zip(*counted)]) == 0.5
    own = type("Own", (purebleu.BLEU,), {})()
    with pytest.raises(PurebleuError, match="rows of Own can't be stored: the class is not a metric of purebleu"):
        rows.StoredRows.of_evaluation("out", own, mine.get_signature(), [])
    for row in ((1,), (1, math.nan), (math.inf, 1)):
        part.rows = [(1, 1), row]
        with pytest.raises(PurebleuError, match=r"out, SegmentScores: a row must have 2 finite numbers, but is \["):
            rows.write(tmp_path / "out.rows", [part])
    assert [stored.rows for stored in rows.read(str(tmp_path / "out.rows"))] == [counted]
    part.rows = [(1, 1), (True, 1)]  # (only the second row has a value of another type)
    rows.write(tmp_path / "out.rows", [part])
    assert [stored.rows for stored in rows.read(str(tmp_path / "out.rows"))] == [[(1, 1), (1, 1)]]
