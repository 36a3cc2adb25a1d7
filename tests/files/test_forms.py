"""Columns of files as hypotheses and references: what other programs write, any text, and what is refused."""

from __future__ import annotations

import csv
import importlib
import io
import json
import re
import warnings
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import purebleu
from purebleu import rows as file_module
from purebleu.cli.arguments.parser import read_line
from purebleu.cli.corpus.inputs import inputs_of
from purebleu.cli.corpus.read import open_files
from purebleu.datasets.wmt_xml import read_xml
from purebleu.files.forms import advice_on_lines
from purebleu.files.lines import HeldLines, LineStream, aligned_blocks, read_lines
from purebleu.files.opening import HYPOTHESES, REFERENCES, SAMPLES, SOURCE, column_of, may_have_columns
from purebleu.files.records import paragraphs, reference_streams
from purebleu.metrics.ter import TER
from purebleu.runtime.errors import PurebleuError, PurebleuWarning
from purebleu.unicode.properties import WHITESPACE

from ..helpers import FIXTURES, SHARED, call_cli, output_of, refusal, refused, told, write_lines, write_texts

FORMS = FIXTURES / "forms"
TEXT: dict[str, list[str]] = json.loads((FORMS / "text.json").read_bytes())
SCORING = ["-m", "bleu", "chrf", "ter", "-w", "9", "-f", "text"]


def values_of(name: str, role: str = "hyp") -> list[Any]:
    """All values of a column."""
    inputs: Any = SimpleNamespace(texts=None, columns={name: column_of(name)}, encoding="utf-8",
                                  reference_encoding="utf-8")
    [stream] = open_files(inputs, [name], [role])
    values: list[Any] = []
    with closing(stream):
        while found := stream.read(3):
            values += found
    return values


def write_records(folder: Path, records: Sequence[object], name: str = "x.jsonl", **form: Any) -> None:
    """Write JSON Lines."""
    write_lines(folder / name, [json.dumps(record, **form) for record in records])


def on_one_line(texts: Sequence[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts]


# Files of other programs

def test_columns_of_files_of_other_programs() -> None:
    assert len(list(FORMS.iterdir())) == 9
    assert {len(column) for column in TEXT.values()} == {6}
    for name, column in (("spreadsheet.csv:output", "output"), ("spreadsheet.csv:ref A", "ref A"),
                         ("spreadsheet.csv:id", "id"), ("spreadsheet-semicolons.csv:output", "output"),
                         ("spreadsheet-semicolons.csv:src", "src"), ("pandas.csv:output", "output"),
                         ("pandas.csv:ref B", "ref B"), ("pandas.jsonl:output", "output"),
                         ("pandas.jsonl:src", "src"), ("pandas.jsonl.gz:output", "output")):
        assert values_of(str(FORMS / name)) == TEXT[column], name
    assert values_of(str(FORMS / "pandas.jsonl:references"), "ref") == [
        list(pair) for pair in zip(TEXT["ref A"], TEXT["ref B"])]


def test_sgml_is_refused(tmp_path: Path) -> None:
    write_texts(tmp_path, {"x": "a\nb\n", "output.sgm": (FORMS / "output.sgm").read_bytes()})
    for arguments in (["output.sgm", "-i", "x"], ["x", "-i", "output.sgm:KETTLE"]):
        assert "output.sgm: SGML can't be read: convert the file to text with one segment on each line" in refusal(
            tmp_path, *arguments, code=1)


def test_columns_of_wmts_xml() -> None:
    pytest.importorskip("xml.parsers.expat")
    for name, role, column in (("wmt.xml:src", "ref", "src"), ("wmt.xml:ref:A", "ref", "ref A"),
                               ("wmt.xml:ref:B", "ref", "ref B"), ("wmt.xml:hyp:KETTLE", "hyp", "output"),
                               ("wmt.xml:hyp", "hyp", "output"), ("wmt.xml", "hyp", "output"),
                               ("submission.xml", "hyp", "output"), ("submission.xml:src", "hyp", "src")):
        assert values_of(str(FORMS / name), role) == on_one_line(TEXT[column]), name
    assert values_of(str(FORMS / "wmt.xml:id"), "id") == [f"{name}:{number}" for name in ("kitchen", "garden")
                                                          for number in (1, 2, 3)]


@pytest.mark.parametrize(("references", "output"), [
    (["wmt.xml:ref:A", "wmt.xml:ref:B"], "wmt.xml"), (["pandas.jsonl:references"], "pandas.jsonl.gz:output"),
    (["spreadsheet.csv:ref A", "spreadsheet-semicolons.csv:ref B"], "submission.xml:hyp:KETTLE"),
    (["pandas.csv:ref A", "spreadsheet.csv:ref B"], "pandas.jsonl:output"),
], ids=" ".join)
@pytest.mark.full
def test_mixed_forms_score_as_text_does(references: list[str], output: str, tmp_path: Path) -> None:
    for name, column in (("a", "ref A"), ("b", "ref B"), ("out", "output")):
        write_lines(tmp_path / name, on_one_line(TEXT[column]))
    expected = output_of(["a", "b", "-i", "out", *SCORING], tmp_path)
    assert output_of([*references, "-i", output, *SCORING], FORMS) == expected
    assert output_of([*references, "-i", output, *SCORING, "-j", "2"], FORMS) == expected


def test_columns_of_standard_input(tmp_path: Path) -> None:
    table, errors = told(tmp_path, "-:jsonl:references", "-i", "-:jsonl:output", "-sl", "--ids", "-:jsonl:id", "-f",
                         "csv", stdin=(FORMS / "pandas.jsonl").read_bytes())
    assert errors.startswith("purebleu: BLEU|nrefs:2")
    heading, *rows = csv.reader(io.StringIO(table))
    assert heading == ["line", "id", "system", "hyp_len", "ref_len", "BLEU"]
    assert [row[:2] for row in rows] == [[str(number), name] for number, name in enumerate(TEXT["id"], 1)]


def test_lines_of_standard_input(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c d\te\n")
    # (A tab is white space here, and does not separate systems.)
    assert told(tmp_path, "ref", "-i", "-", "-b", stdin=b"a b c d\te\n")[0] == "100.0\n"


def test_the_numbers_of_lines_that_are_selected(tmp_path: Path) -> None:
    write_lines(tmp_path / "out", ["a"] * 24)
    write_lines(tmp_path / "ids", [f"id{number}" for number in range(1, 25)])
    lines = output_of(["-t", "sample", "-l", "en-de", "--origlang", "fr", "-i", "out", "-sl", "-f", "tsv", "-q",
                       "--ids", "ids"], tmp_path).splitlines()[1:]
    found = [line.split("\t")[:2] for line in lines]
    assert len(found) == 6 and found[0][0] != "1"
    assert all(name == f"id{number}" for number, name in found)


def test_rows_of_varying_references_are_stored(tmp_path: Path) -> None:
    records = [{"h": "a b c e", "r": ["a b", "a b c d"]}] * 3 + [{"h": "a b", "r": ["a x", None, "b", "c"]}]
    write_records(tmp_path, records)
    arguments = ["x.jsonl:r", "-i", "x.jsonl:h", *SCORING]
    assert "nrefs:var" in output_of([*arguments, "--save-rows", "x.rows"], tmp_path)
    assert output_of(["--rows", "x.rows", *SCORING], tmp_path) == output_of(arguments, tmp_path)


def test_more_references_in_later_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("purebleu.files.lines.BLOCK_SEGMENTS", 60)
    write_records(tmp_path, [{"h": "a b", "r": "a b"}] * 90 + [{"h": "a b", "r": ["x", "a b c", "y z a"]}] * 90)
    found = output_of(["x.jsonl:r", "-i", "x.jsonl:h", "-m", "ter", "-f", "text", "-w", "4", "--save-rows",
                       "x.rows.gz"], tmp_path)
    streams: Any = [["a b"] * 90 + ["x"] * 90, *[[None] * 90 + [text] * 90 for text in ("a b c", "y z a")]]
    rows = TER().corpus_statistics(["a b"] * 180, streams)
    assert found.endswith(f" = {TER().score(purebleu.sum_statistics(rows)).score:.4f}\n")


# Any text

texts = st.text(st.one_of(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"),
                          st.sampled_from("\"',;\t\n\ufeff\u2028 ")), max_size=9)
pairs_of_texts = st.lists(st.lists(texts, min_size=2, max_size=2), min_size=1, max_size=6)


def trimmed(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[text.rstrip(WHITESPACE) for text in column] for column in zip(*rows)]


@given(rows=pairs_of_texts, quoting=st.sampled_from([0, 1]), delimiter=st.sampled_from(",;"))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_reads_back_from_csv(tmp_path: Path, rows: list[list[str]], quoting: Any, delimiter: str) -> None:
    with open(tmp_path / "x.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter, quoting=quoting)
        writer.writerows([["one", "two, and"], *rows])
    assert [values_of(f"{tmp_path}/x.csv:{name}") for name in ("one", "two, and")] == trimmed(rows)


@given(rows=pairs_of_texts, ascii_only=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_reads_back_from_json(tmp_path: Path, rows: list[list[str]], ascii_only: bool) -> None:
    write_records(tmp_path, [{"a": {"b": one}, "a.c": two} for one, two in rows], ensure_ascii=ascii_only)
    assert [values_of(f"{tmp_path}/x.jsonl:{name}") for name in ("a.b", "a.c")] == trimmed(rows)


def test_paths_in_json_may_have_indices_of_lists(tmp_path: Path) -> None:
    # (As an answer of a chat model has its text; a member of the whole name comes first.)
    write_records(tmp_path, [{"choices": [{"text": "one"}, {"text": "two"}], "0": {"1": "three"},
                              "choices.0": "four"}] * 2)
    for path, value in (("choices.0.text", "one"), ("choices.1.text", "two"), ("0.1", "three"), ("choices.0", "four"),
                        ("choices.-1.text", "two"), ("choices[-2].text", "one"), ("choices[1].text", "two")):
        assert values_of(f"{tmp_path}/x.jsonl:{path}") == [value] * 2
    for path in ("choices.2.text", "choices.-3.text", "choices[-3].text", "choices.text",
                 "choices.99999999999999999999.text", "0.0"):
        with pytest.raises(PurebleuError, match=re.escape(f"line 1 has no '{path}'")):
            values_of(f"{tmp_path}/x.jsonl:{path}")


def test_a_list_of_one_text_is_that_text(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"out": ["one"], "more": ["one", "two"], "ids": [7]}\n')
    assert values_of(f"{tmp_path}/x.jsonl:out") == ["one"]
    with pytest.raises(PurebleuError, match="is a list, not text"):
        values_of(f"{tmp_path}/x.jsonl:more")


def test_tsv_is_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text('"a\tb"\r\n"c" d\t""\n')
    assert values_of(f"{tmp_path}/x.tsv:1") == ['"a', '"c" d']
    assert values_of(f"{tmp_path}/x.tsv:2") == ['b"', '""']
    (tmp_path / "y.tsv").write_text('one\ttwo\na\t"she said ""b"""\n')
    assert "warning: y.tsv: line 2 has a field in quotes" in told(tmp_path, "y.tsv:one", "-i", "y.tsv:two")[1]


def test_one_column_may_have_blank_lines(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("one\na\n\nb\n")
    assert values_of(f"{tmp_path}/x.csv:one") == ["a", "", "b"]
    (tmp_path / "x.csv").write_text("one,two\na,b\n\nc,d\n\n")
    assert values_of(f"{tmp_path}/x.csv:one") == ["a", "c"]


def test_a_field_of_a_megabyte(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("one,two\n" + "a " * 500_000 + ",b\n")
    assert values_of(f"{tmp_path}/x.csv:one") == ["a " * 499_999 + "a"]


# Meanings of names

def test_files_with_the_whole_name_or_without_a_selector_are_text(tmp_path: Path) -> None:
    write_texts(tmp_path, dict.fromkeys(("x.csv:one", "-", "x.csv", "x.jsonl"), "a,b c d\n"))
    for reference, output in (("x.csv:one", "-"), ("x.csv", "x.jsonl")):
        assert output_of([reference, "-i", output, "-b", "-m", "chrf"], tmp_path) == "100.0\n"


def test_names() -> None:
    names: list[tuple[str, str | None, str, str]] = [
        ("a.txt", "a.txt", "", ""), ("C:\\a.csv:b", "C:\\a.csv", "csv", "b"), ("a.csv.GZ:b", "a.csv.GZ:b", "", ""),
        ("a.JSONL:b:c", "a.JSONL", "jsonl", "b:c"), ("a:b.tsv:1", "a:b.tsv", "tsv", "1"),
        ("a.xml", "a.xml", "xml", ""), ("a.sgm.gz", "a.sgm.gz", "sgm", ""), ("a.xml:ref:A", "a.xml", "xml", "ref:A"),
        ("-", None, "", ""), ("-:csv:b", None, "csv", "b"), ("a.txt:b", "a.txt:b", "", ""),
        ("host:a", "host:a", "", "")]
    for name, path, kind, selector in names:
        column = column_of(name)
        assert (column.path, column.kind, column.selector) == (path, kind, selector), name
        if kind or path is None:
            assert may_have_columns(name), name


# Refusals

def test_bad_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("x\n")
    for content, message in (
            ('{"a": "x"}\n{"a": 3\n', "x.jsonl: line 2, column "),
            ('{"a": "x"}\n["a"]\n', "line 2 is a list, not an object"),
            ('{"a": 3}\n', "line 1: 'a' is a number, not text"),
            ('{"a": null}\n', 'is null, not text (write "" for an empty text)'),
            ('{"a": true}\n', "is true or false, not text"),
            ('{"a": ["x", "y"]}\n', "line 1: 'a' is a list, not text"),
            ('{"b": "x"}\n', "line 1 has no 'a'; this record has 'b'"), ("{}\n", "'a'; this record has nothing"),
            ('{"a": "\\ud83d"}\n', "half of a surrogate pair"),
            ('{"a": ' * 100_000 + "\n", "line 1: the JSON can't be read"),
            ('{"a": NaN}\n', "is a number, not text"), ("", "0 in x.jsonl:a, 1 in ref"),
            ("\n \n", "0 in x.jsonl:a, 1 in ref"),
            ('{"a": "x"}\n{"a": "y"}\n', "the numbers of lines differ: 2 in x.jsonl:a, 1 in ref")):
        (tmp_path / "x.jsonl").write_text(content)
        assert message in refusal(tmp_path, "ref", "-i", "x.jsonl:a", code=1)


def test_bad_lists_of_references_are_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x\n")
    for value, message in (("[]", "x.jsonl:a: segment 1 has no reference"), ("null", "segment 1 has no reference"),
                           ("[null]", "segment 1 has no reference"), ('["x", 3]', "line 1: 'a' is a number, not text"),
                           ('[["x"]]', "line 1: 'a' is a list, not text")):
        (tmp_path / "x.jsonl").write_text(f'{{"a": {value}}}\n')
        assert message in refusal(tmp_path, "x.jsonl:a", "-i", "out", code=1)


@pytest.mark.parametrize(("content", "name", "code", "message"), [
    ('a,b\n"x,y\n', "x.csv:a", 1, "unexpected end of data)"),
    ('a,b\n"x"y,z\n', "x.csv:a", 1, "line 2: not CSV"), ("a,b\nx\0,z\n", "x.csv:a", 1, "NUL"),
    ('a,b\n"x\ny",z\nx\n', "x.csv:a", 17, "line 4 has 1 field, but the first line has 2"),
    ("a,a\nx,y\n", "x.csv:a", 1, "several columns are called 'a'"),
    ("b,c\nx,y\n", "x.csv:a", 1, "no column is called 'a'; the first line has 'b', 'c'"),
    ("b,c\nx,y\n", "x.csv:3", 17, "there is no column 3 (columns in the first line: 2)"),
    ("b,c\nx,y\n", "x.csv:0", 17, "there is no column 0"), ("", "x.csv:a", 1, "0 in x.csv:a, 1 in ref"),
    ("a\n", "x.csv:a", 1, "0 in x.csv:a, 1 in ref"), ("a\tb\nc\n", "x.tsv:1", 17, "line 2 has 1 field, but"),
    ("b\n", "x.csv:", 2, "after the colon, the name of a column is missing"),
])
def test_bad_columns_are_refused(content: str, name: str, code: int, message: str, tmp_path: Path) -> None:
    write_texts(tmp_path, {name.partition(":")[0]: content, "ref": "x\n"})
    assert message in refusal(tmp_path, "ref", "-i", name, code=code)


def test_columns_that_wmts_files_lack() -> None:
    for name, role, message in (
            ("wmt.xml:ref", "ref", "the file has the translators 'A', 'B': choose one, such as ref:A"),
            ("wmt.xml", "ref", "the translators 'A', 'B'"), ("wmt.xml:ref:C", "ref", "the translators 'A', 'B'"),
            ("wmt.xml:hyp:X", "hyp", "the systems 'KETTLE'"), ("submission.xml:ref", "ref", "has no <ref>"),
            ("wmt.xml:docid", "hyp", "there is no column 'docid'")):
        with pytest.raises(PurebleuError, match=re.escape(message)):
            values_of(str(FORMS / name), role)


def test_bad_xml_is_refused(tmp_path: Path) -> None:
    for content, message in (
            ("<dataset><doc>", "x.xml: line 1, column 10: a document has no attribute id"),
            ("<dataset", "not well-formed XML: .*line 1"),
            ('<!DOCTYPE d [<!ENTITY a "b">]><d/>', "document type declaration"),
            ("", "not well-formed XML: no element found"),
            ('<d>\n<doc id="1" origlang="x"><hyp system="S"><seg id="x"/></hyp></doc></d>',
             "line 2, column 42: .* is 'x', not a number"),
            ('<d><doc id="1" origlang="x"><src><seg id="1">a</seg></src><hyp system="S"/></doc></d>', "no segment 1")):
        (tmp_path / "x.xml").write_text(content)
        with pytest.raises(PurebleuError, match=message):
            values_of(str(tmp_path / "x.xml"))


#: A document; A has translated one of its segments, B both, and S has an output of each.
DOCUMENT = ('<d><doc id="k" origlang="de"><src lang="de"><seg id="1">a</seg><seg id="2">b</seg></src>\n'
            '<ref lang="en" translator="A"><seg id="1">a</seg></ref>\n'
            '<ref lang="en" translator="B"><seg id="1">a</seg><seg id="2">b</seg></ref>\n'
            '<hyp system="S"><seg id="1">a</seg><seg id="2">b</seg></hyp></doc></d>')


def test_a_segment_that_one_translator_lacks_has_the_references_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(DOCUMENT)
    assert values_of(f"{tmp_path}/x.xml:ref:A", "ref") == ["a", []]
    assert told(tmp_path, "x.xml:ref:A", "x.xml:ref:B", "-i", "x.xml:hyp", "-m", "chrf", "-b")[0] == "100.0\n"
    assert "segment 2 has no reference" in refusal(tmp_path, "x.xml:ref:A", "-i", "x.xml:hyp", code=1)
    # As outputs, they would be no more parallel.
    assert values_of(f"{tmp_path}/x.xml:ref:B") == ["a", "b"]
    with pytest.raises(PurebleuError, match=r"x\.xml: the translator A has no segment 2 of document k"):
        values_of(f"{tmp_path}/x.xml:ref:A")


@pytest.mark.parametrize(("old", "new", "message"), [
    (*[f'<hyp system="S">{seg}' for seg in ("", '<seg id="2">x</seg>')], "line 4, .*document k has segment 2 twice"),
    (*[f'translator="B">{seg}' for seg in ("", '<seg id="1"/>')], "line 3, .*document k has segment 1 twice"),
    (*[f'<src lang="de">{seg}' for seg in ("", '<seg id="1"/>')], "line 1, .*document k has segment 1 twice"),
    ("</hyp>", '</hyp><hyp system="S"><seg id="1">x</seg></hyp>', "line 4, .*document k has segment 1 twice"),
    ("</hyp>", '<seg id="3"/></hyp>', "line 4, .*document k has no segment 3 in its source, but the system S has one"),
    ('translator="A">', 'translator="A"><seg id="7"/>', "no segment 7 in its source, but the translator A has one"),
])
def test_segments_that_would_vanish_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(DOCUMENT.replace(old, new, 1))
    with pytest.raises(PurebleuError, match=message):
        values_of(str(tmp_path / "x.xml"))


@pytest.mark.parametrize("token", ["<!--%s-->", "<a b='%s'/>", "<?pi %s?>"])
def test_a_long_token_of_xml_is_read_in_pieces_that_grow(token: str) -> None:
    pytest.importorskip("xml.parsers.expat")

    class Counted(io.BytesIO):
        reads = 0

        def read(self, size: int | None = -1) -> bytes:
            self.reads += 1
            return super().read(size)

    # (Pieces of 64 kB would be 64, and expat would read the token anew with each of them.)
    stream = Counted(DOCUMENT.replace("\n", token % ("x" * (4 << 20)), 1).encode())
    content = read_xml(stream)
    assert (len(list(content.segments())), stream.reads < 12) == (2, True)


@pytest.mark.parametrize("separator", ['"', "'"])
def test_xml_in_encodings_that_it_may_have(separator: str, tmp_path: Path) -> None:
    pytest.importorskip("xml.parsers.expat")
    for encodings, text in (("latin-1 ISO-8859-1", "d\xe9j\xe0"), ("us-ascii", "rain"),
                            ("utf-8 UTF-16", "d\xe9j\xe0 \u4e2d\u6587")):
        many = "".join([f'<seg id="{number}">{text} {number}</seg>' for number in range(1, 3000)])
        for encoding in encodings.split():  # (of more than is read at once)
            content = (f'<?xml version={separator}1.0{separator} encoding={separator}{encoding}{separator}?>\n'
                       f'<d><doc id="1" origlang="x"><src>{many}</src></doc></d>')
            (tmp_path / "x.xml").write_bytes(content.encode(encoding))
            assert values_of(f"{tmp_path}/x.xml:src") == [f"{text} {number}" for number in range(1, 3000)], encoding


def test_xml_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("x\n")
    for declared, content, message in (
            *[(name, b"<d/>", f"the XML declaration names the encoding '{name}', but only UTF-8, UTF-16, ISO-8859-1")
              for name in ("hex", "rot13", "no-such", "undefined", "gb2312", "shift_jis", "euc-kr", "koi8-r", "hz",
                           "iso-2022-jp", "utf-7", "utf-32")],
            ("utf-8", b"<d>\xff</d>", "not well-formed XML"),
            ("utf-16", b"<d/>", "not well-formed XML")):
        (tmp_path / "x.xml").write_bytes(b'<?xml version="1.0" encoding="%s"?>' % declared.encode() + content)
        assert message in refusal(tmp_path, "ref", "-i", "x.xml", code=1)


def test_numbers_of_thousands_of_digits_are_refused(tmp_path: Path) -> None:
    write_texts(tmp_path, {"c.csv": "a,b\n", "ref": "x\n", "counts": "a\t" + "9" * 5000 + "\n"})
    assert "c.csv: there is no column 99999999999999999999 (columns in the first line: 2)" in refusal(
        tmp_path, "ref", "-i", "c.csv:" + "9" * 5000, code=17)
    assert "counts, line 1: 'a\\t999" in refusal(tmp_path, "audit", "ref", "-i", "ref", "--counts", "counts", code=1)
    assert call_cli(["--help"], env={"COLUMNS": "9" * 5000}).returncode == 0


#: Ways in for compressed data: the end of a file's name, what reads the file, and what its content begins with.
WAYS_IN: list[tuple[str, Callable[[str], object], str]] = [
    ("", read_lines, "line\n"), ("", file_module.read, '{"format": "purebleu-rows", "version": 2}\n'),
    (".jsonl:a", values_of, '{"a": "x"}\n'), (".csv:1", values_of, "a\n"), (".tsv:1", values_of, "a\n"),
    (".xml.gz:src", values_of, "<d>"),
]


@pytest.mark.parametrize("form", ["gzip", pytest.param("bz2", marks=pytest.mark.full),
                                  pytest.param("lzma", marks=pytest.mark.full)])
def test_files_that_expand_without_measure_are_refused(form: str, tmp_path: Path) -> None:
    pytest.importorskip("xml.parsers.expat")
    compress = importlib.import_module(form).compress
    for end, read, start in WAYS_IN:
        if end.partition(":")[0].endswith(".gz") and form != "gzip":
            end = end.replace(".gz", "")
        (tmp_path / f"bomb{end.partition(':')[0]}").write_bytes(compress(start.encode() + b" " * (9 << 20)))
        with pytest.raises(PurebleuError, match="expands to more than 300 times its size"):
            read(f"{tmp_path}/bomb{end}")


def test_references_keep_their_position_if_others_are_missing() -> None:
    columns: list[list[object]] = [[None, None], ["q r", None], ["a b", "c"]]
    assert reference_streams(columns, [True] * 3, "ref", 1) == columns
    # The first references of all columns come first: so a part of a corpus has the streams of the whole.
    columns = [[["a", "b"], ["c"], None], [["d"], ["e", "f"], ["g"]]]
    whole = reference_streams(columns, [True, True], "ref", 1)
    assert whole == [["a", "c", None], ["d", "e", "g"], ["b", None, None], [None, "f", None]]
    for start, end in ((0, 1), (1, 2), (2, 3), (0, 2)):
        part = reference_streams([column[start:end] for column in columns], [True, True], "ref", 1)
        expected = [stream[start:end] for stream in whole]
        assert part == expected[:len(part)] and not any(map(any, expected[len(part):]))


@refused("columns")
def test_what_columns_do_not_allow_is_refused(tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    write_records(tmp_path, [{"a": ["x", "y"], "b": "x"}, {"a": ["x"], "b": "x"}])
    assert message in refusal(tmp_path, *arguments, code=code)


# Paragraphs

DOCUMENTS = [("One line.\n\nAnother one.", ["One line.\n\nAnother.", "A line.\n\n\nAnd another."], "d1"),
             ("Only one,\nwith a line break.", ["Only one, with a break.", "Just one with a line break."], "d2"),
             ("", ["Nothing here.", "Nothing."], "d3"),
             ("\n\nA.\n \nB.\n\nC.\n", ["A.\n\nB.\n\nC d.", "A.\n\nB b.\n\nC."], "d4")]


def write_documents(folder: Path) -> None:
    """Write the documents as JSON Lines, and each of their paragraphs as a line of text."""
    write_records(folder, [{"hyp": output, "refs": references, "id": name} for output, references, name in DOCUMENTS],
                  "doc.jsonl")
    names = [name for output, _, name in DOCUMENTS for _ in paragraphs(output)]
    write_lines(folder / "ids", names)
    for name, texts in (("hyp", [output for output, _, _ in DOCUMENTS]),
                        *[(f"ref{number + 1}", [pair[number] for _, pair, _ in DOCUMENTS]) for number in (0, 1)]):
        write_lines(folder / name, [line.replace("\n", " ") for text in texts for line in paragraphs(text)])


def test_paragraphs_are_segments(tmp_path: Path) -> None:
    write_documents(tmp_path)
    assert len((tmp_path / "hyp").read_text().splitlines()) == 7
    for options, ids, ids_of_columns in ((["-m", "bleu", "chrf", "ter", "-w", "9"], [], []),
                                         (["-sl", "-m", "chrf"], ["--ids", "ids"], ["--ids", "doc.jsonl:id"])):
        scored_lines, _ = told(tmp_path, "ref1", "ref2", "-i", "hyp", *options, *ids, "-f", "csv")
        scored_columns, _ = told(tmp_path, "doc.jsonl:refs", "-i", "doc.jsonl:hyp", "--paragraphs", *options,
                                 *ids_of_columns, "-f", "csv")
        assert scored_columns.replace("doc.jsonl:hyp", "hyp") == scored_lines


@refused("paragraphs")
def test_paragraphs_that_do_not_match(tmp_path: Path, arguments: list[str], code: int, message: str) -> None:
    write_documents(tmp_path)
    write_records(tmp_path, [{"hyp": "a", "ref": "a", "refs": ["a", "b\n\nc"], "two": "a\n\nb"},
                             {"hyp": "a", "ref": "b\n\nc", "refs": ["a"], "two": "c"}], "more.jsonl")
    write_records(tmp_path, [{"hyp": text} for text in ("a\n\nb", "c", "d")], "longer.jsonl")
    assert message in refusal(tmp_path, *arguments, code=code)


# Files that look like something else than lines of text

RECORDS = [{"id": f"doc-{number}", "hypothesis": f"Sentence {number}, of the output.", "tags": ["x"]}
           for number in range(12)]
OBJECTS = [json.dumps(record) for record in RECORDS]
HEADED = ["id,hypothesis", *[f'{number},"Sentence {number}, of the output."' for number in range(12)]]
PLAIN = [f"Sentence {number}, of the reference." for number in range(12)]


def _advice_on(folder: Path, monkeypatch: pytest.MonkeyPatch, lines: Sequence[str], name: str = "out.txt") -> list[str]:
    """The warnings about a file with these lines beside a plain one."""
    monkeypatch.chdir(folder)
    write_lines(folder / name, lines)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with suppress(PurebleuError):  # (the other file may have another number of lines)
            list(aligned_blocks([LineStream(name), HeldLines("ref", PLAIN)]))
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize(("lines", "name", "what", "column"), [
    (OBJECTS, "out.jsonl", "JSON objects (id, hypothesis, tags)", "hypothesis"),
    (OBJECTS, "out.txt", "JSON objects (id, hypothesis, tags)", "hypothesis"),
    ([json.dumps(RECORDS)], "out.json", "a JSON array of objects (id, hypothesis, tags)", "hypothesis"),
    (json.dumps(RECORDS, indent=2).split("\n"), "out.json", "a JSON array of objects (id, hypothesis, tags)",
     "hypothesis"),
    (json.dumps(PLAIN, indent=1).split("\n"), "out.json", "a JSON array", ""),
    (json.dumps([dict.fromkeys("abcdefghijk", "x")], indent=1).split("\n"), "out.json", "a JSON array", ""),
    (json.dumps({"outputs": RECORDS}, indent=1).split("\n"), "out.json", "a JSON object over several lines", ""),
    ([json.dumps({"outputs": RECORDS})], "out.json", "JSON objects (outputs)", ""),
    (HEADED, "out.csv", "a heading (id, hypothesis)", "hypothesis"),
    ([line.replace(",", "\t", 1) for line in HEADED], "out.txt", "a heading (id, hypothesis)", "hypothesis"),
])
def test_lines_of_another_form_are_reported_with_their_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                               lines: Sequence[str], name: str, what: str,
                                                               column: str) -> None:
    advice = f"{name} has {what}, but is scored as text"
    if column:
        advice += f": to score only one column, name the column, as in {name}:{column}"
    assert _advice_on(tmp_path, monkeypatch, lines, name) == [advice]


def test_lines_of_text_are_not_taken_for_another_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [PLAIN, ["Source, output", *["No such list"] * 11], ["{}"] * 12, [], ["{"], [""] * 12]
    for first in ("{", "{} are braces, {text}", "[1] Smith", "[laughs]", OBJECTS[0], "Text, and more text here",
                  '["Hello," he said]'):
        texts.append([first, *PLAIN[1:]])
    for lines in texts:
        assert _advice_on(tmp_path, monkeypatch, lines) == [], lines[:1]


def test_the_column_that_is_advised_has_the_role_of_the_file(tmp_path: Path) -> None:
    columns = {"id": "d1", "src": "a longer source", "ref": "the longest text here", "prediction": "text",
               "outputs": ["a", "b"], "text": "a"}
    for present, role, advised in (
        ("id src ref prediction", HYPOTHESES, "prediction"), ("id src ref prediction", REFERENCES, "ref"),
        ("id src ref prediction", SOURCE, "src"), ("src ref", HYPOTHESES, "ref"),
        ("src ref prediction outputs", HYPOTHESES, "prediction"), ("src ref prediction outputs", SAMPLES, "outputs"),
        ("id src ref", HYPOTHESES, "ref"), ("id text", HYPOTHESES, "text"),
    ):
        line = json.dumps({name: columns[name] for name in present.split()})
        assert advice_on_lines("out.jsonl", [line, line], role=role).endswith(
            f": to score only one column, name the column, as in out.jsonl:{advised}"), (present, role)
    for name in ("ref", "one", "two", "three"):
        write_records(tmp_path, [columns] * 9, f"{name}.jsonl")
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("one", "two", "three", "ref")]
    inputs = inputs_of(read_line([paths[3], "-i", *paths[:3]])[1])
    with pytest.warns(PurebleuWarning) as caught:
        list(aligned_blocks(open_files(inputs, paths, [HYPOTHESES] * 3 + [REFERENCES])))
    [message] = [str(warning.message) for warning in caught]
    assert message.count("JSON objects") == 2 and message.endswith(f"as in {paths[3]}:ref")
    assert f"as in {paths[0]}:prediction; the same for 2 other files; " in message


def test_json_arrays_have_columns(tmp_path: Path) -> None:
    texts = [record["hypothesis"] for record in RECORDS]
    for content in (json.dumps(RECORDS), "\n" + json.dumps(RECORDS, indent=1), "\n".join(OBJECTS)):
        (tmp_path / "x.json").write_text(content)
        assert values_of(f"{tmp_path}/x.json:hypothesis") == texts
    for content, message in (('[{"a": "b"}, 5]', "item 2 is a number, not an object"),
                             ("[{]", "line 1, column 3: not JSON"),
                             ('[\n{"a": "b"},\n{"b": "b"}]', "item 2 has no 'a'; this record has 'b'")):
        (tmp_path / "x.json").write_text(content)
        with pytest.raises(PurebleuError, match=re.escape(message)):
            values_of(f"{tmp_path}/x.json:a")


def test_a_number_of_a_column_under_a_heading_is_reported(tmp_path: Path) -> None:
    for name, column, fields, lines in (("x.csv", 2, "id, hypothesis", HEADED),
                                        ("x.tsv", 3, "doc, text, mt", ["doc\ttext\tmt", "1\ta b\tThe words."])):
        write_lines(tmp_path / name, lines)
        with pytest.warns(PurebleuWarning, match=re.escape(f"{tmp_path / name} has a heading ({fields})")):
            values_of(f"{tmp_path / name}:{column}")
    (tmp_path / "x.csv").write_text('7,"The output, whole"\n8,The source\n')
    values_of(f"{tmp_path}/x.csv:2")  # (a warning would fail the test)


@pytest.mark.full
def test_files_that_are_no_text_are_named(tmp_path: Path) -> None:
    spreadsheet = ("is a spreadsheet, not text", "CSV")
    for name, content, words in (
            ("x.parquet", b"PAR1\x15\x04\x15\x10\x80", ("is Parquet, not text", "to_json")),
            ("x.xlsx", b"PK\x03\x04\x14\0\0\0[Content_Types].xml\xff...PK\x03\x04xl/workbook.xml", spreadsheet),
            ("x.ods", b"PK\x03\x04\x14\0\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet\xff", spreadsheet),
            ("x.zip", b"PK\x03\x04\x14\0\0\0out.txt\xff", ("is a ZIP archive, not text",))):
        write_texts(tmp_path, {name: content, "ref": "a b c d\n"})
        for arguments in (["-i", name], ["-i", name, "-j", "2"], ["-i", f"{name}:text"]):
            complaint = refusal(tmp_path, "ref", *arguments, code=1)
            assert all(word in complaint for word in (f"{name} is", *words))
    (tmp_path / "ref").write_text("PAR1 is a word, PK another\n")
    assert told(tmp_path, "ref", "-i", "ref")[1] == ""


def test_a_column_of_a_file_that_has_none_is_reported(tmp_path: Path) -> None:
    write_texts(tmp_path, {"out.txt": "a b c d\n", "ref": "a b c d\n", "instances.log": '{"prediction": "a b c d"}\n'})
    assert refusal(tmp_path, "ref", "-i", "out.txt:text", code=1) == (
        "purebleu: error: out.txt:text: No such file or directory (out.txt has no columns, because it does not look "
        "like JSON Lines, CSV, TSV or XML)\n")
    assert told(tmp_path, "ref", "-i", "instances.log:prediction", "-b")[0] == "100.0\n"
    complaint = refusal(tmp_path, "ref", "-i", "instances.log:output", code=1)
    assert "instances.log (which looks like jsonl): line 1 has no 'output'; this record has 'prediction'" in complaint


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="PUREBLEU_SHARED names no folder with real data")
def test_files_of_shared_data_are_lines_of_text() -> None:
    paths = [path for path in sorted((SHARED / "data").rglob("*")) if path.is_file()]
    assert len(paths) > 20
    for path in paths:  # (a warning would fail the test)
        assert len(list(aligned_blocks([LineStream(str(path))]))) > 0
