"""The parts of `spark_score.py` that need no Spark; `scripts/dev/platforms spark` tries all of it, with PySpark."""

from __future__ import annotations

import pickle
from functools import partial, reduce
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Sequence

import pytest

import purebleu
from purebleu.runtime.errors import OptionError, PurebleuError

from ..helpers import load_script, needs_checkout, needs_processes, refusal, told, write_lines

pytestmark = [needs_checkout, needs_processes]

COLUMNS = ["--group", "g", "--id", "i", "--hypothesis", "h", "--references", "a", "b"]

#: Group, id, hypothesis and references.
ROWS = [
    ("one", 10, "The cat sat on a mat.", "The cat sat on the mat.", "A cat sat on the mat."),
    ("one", 9, "Nobody came to the house by the river .", "Nobody came to the house at the river.", "No one came."),
    ("two", 1, "It was a rainy day, wasn't it?  ", "It was a rainy day.", "It rained all day long, or so they say."),
    ("one", 11, "", "A line that is missing.", "Another one, a longer line, that is missing."),
    ("two", 2, "他说 今天 会 下雨。", "他说 明天 会 下雨。", "他说 今天 不 下雨。"),
    ("blank", 1, "", "Something.", "Something else."),
    ("one", 12, "The price is 1,000.5 dollars.", "Its price is 1,000 dollars.", "The price: 1,000.5 dollars"),
]


@pytest.fixture(scope="module")
def script() -> Any:
    return load_script("spark_score")


def options_of(script: Any, *further: str, path: str = "rows.jsonl") -> Any:
    return script.parsed(["--input", path, *COLUMNS, *further])


def scored(script: Any, monkeypatch: pytest.MonkeyPatch, options: Any, partitions: Sequence[Sequence[Any]]) -> str:
    """The results, where Spark's part is played by loops: what it sends from process to process is pickled."""
    def pieces(options: Any) -> dict[str, Any]:
        found: dict[str, list[Any]] = {}
        for rows in partitions:
            for group, piece in script.pieces_of_partition(options, iter(rows)):
                found.setdefault(group, []).append(pickle.loads(pickle.dumps(piece)))
        return {group: reduce(partial(script.merged, options.keeps_rows), some) for group, some in found.items()}

    monkeypatch.setattr(script, "pieces_from_spark", pieces)
    return str(script.results_of_input(options))


def from_command_line(folder: Path, group: str, *arguments: str) -> list[str]:
    """The lines for the group that the command line gives."""
    chosen = sorted([row for row in ROWS if row[0] == group], key=lambda row: row[1])
    for name, column in zip("hab", list(zip(*chosen))[2:]):
        write_lines(folder / name, column)
    printed, _ = told(folder, "a", "b", "-i", "h", "-f", "tsv", "-q", *arguments)
    lines = [line.split("\t") for line in printed.splitlines()[1:]]
    return ["\t".join([group, *line[1:3], *filter(None, line[3:5]), line[-1]]) for line in lines]


@pytest.mark.parametrize("further", [[], ["-ci", "-cin", "50", "--seed", "3"]])
def test_groups_get_the_figures_of_the_command_line(script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                                    further: list[str]) -> None:
    options = options_of(script, "--metric", "bleu", "chrf", "ter", "-cw", "2", "-q", *further)
    wanted = [line for group in ("blank", "one", "two")
              for line in from_command_line(tmp_path, group, "-m", "bleu", "chrf", "ter", "-cw", "2", *further)]
    for partitions in ([ROWS], [ROWS[:1], ROWS[1:4], [], ROWS[4:]], [[row] for row in reversed(ROWS)]):
        assert scored(script, monkeypatch, options, partitions).splitlines() == wanted


def test_scores_of_other_programs(script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    numbers = [0.5, "0.25", 1, -2.125, 0.1, 0.2, 0.30000000000000004]
    rows: list[list[Any]] = [[*row, number] for row, number in zip(ROWS, numbers)]
    signed = ["--scores-signature", "COMET=Comet2.2.2|fp32"]
    options = options_of(script, "-m", "ter", "--scores", "COMET=c", *signed, "-q", "-ci", "-cin", "50", "--save-rows",
                         str(tmp_path / "rows"))
    chosen = sorted([row for row in rows if row[0] == "one"], key=lambda row: row[1])
    write_lines(tmp_path / "comet", [row[-1] for row in chosen])
    wanted = from_command_line(tmp_path, "one", "-m", "ter", "--scores", "COMET=comet", *signed, "-ci", "-cin", "50")
    for partitions in ([rows], [rows[4:], rows[:4]], [[row] for row in rows]):
        lines = scored(script, monkeypatch, options, partitions).splitlines()
        assert [line for line in lines if line.startswith("one\t")] == wanted
    assert "COMET" in wanted[1] and "Comet2.2.2|fp32" in wanted[1]
    assert ",COMET," in told(tmp_path, "--rows", "rows/one.rows.gz", "-f", "csv")[0]
    for wrong in (["COMET=c"], ["COMET=c", "--scores-signature", "BLEURT=x"], ["COMET=c", "comet=d", *signed]):
        with pytest.raises(OptionError, match="--scores takes one column for each name"):
            options_of(script, "--scores", *wrong)
    for number, message in ((None, "None is not a number"), (10**400, "an integer is too large for a score")):
        assert [*script.pieces_of_partition(options, [(*ROWS[0], number)])] == [(script.FAILED, f"score 0: {message}")]


def test_sums_do_not_depend_on_the_partitions(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    options = options_of(script, "-m", "ter")
    rows = [("g", number, "a b c", ["a b " * (number % 7)] * 2 + ["c " * (number % 11)]) for number in range(300)]
    found = {scored(script, monkeypatch, options, [rows[start::count] for start in range(count)])
             for count in (1, 2, 3, 7, 100)}
    assert len(found) == 1


def test_saved_rows_give_what_the_text_gives(script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    options = options_of(script, "-m", "bleu", "ter", "-q", "--save-rows", str(tmp_path / "rows"))
    scored(script, monkeypatch, options, [ROWS[3:], ROWS[:3]])
    assert {path.name for path in (tmp_path / "rows").iterdir()} == {"blank.rows.gz", "one.rows.gz", "two.rows.gz"}
    from_command_line(tmp_path, "one")
    for arguments in (["-w", "9"], ["-ci", "-f", "text"]):
        from_text = told(tmp_path, "a", "b", "-i", "h", "-m", "bleu", "ter", *arguments)[0]
        assert told(tmp_path, "--rows", "rows/one.rows.gz", *arguments)[0] == from_text


def test_rows_of_spark_and_of_the_command_line_are_compared_only_if_segments_are_the_same(
        script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts = [f"the {number % 7} cats sat on {number % 5} mats, and so did {number}" for number in range(60)]
    outputs = [text.replace("cats" if number % 3 else "mats", "dogs") for number, text in enumerate(texts)]
    others = [text.replace("sat", "lay") if number % 2 else text for number, text in enumerate(texts)]
    for name, lines in (("ref", texts), ("out", outputs), ("other", others), ("ref-shifted", texts[1:] + texts[:1])):
        write_lines(tmp_path / name, lines)
    rows = [("g", f"seg-{number}", output, [text]) for number, (output, text) in enumerate(zip(outputs, texts))]
    scored(script, monkeypatch, options_of(script, "-q", "--save-rows", str(tmp_path)), [rows[30:], rows[:30]])
    for name in ("ref", "ref-shifted"):
        told(tmp_path, name, "-i", "other", "--save-rows", f"{name}.rows", "-q")
    together = ["-f", "json", "--paired-ar", "-parn", "500"]
    for text, rows_of_it, options in (
            (["ref", "-i", "g=out", "other"], ["g.rows.gz", "ref.rows"], together),
            (["ref", "-i", "out"], ["g.rows.gz"], ["-ci", "-cin", "100"])):
        assert told(tmp_path, *text, *options)[0] == told(tmp_path, "--rows", *rows_of_it, *options)[0] != ""
    assert "g.rows.gz and ref-shifted.rows differ in the checksums of the references" in refusal(
        tmp_path, "--rows", "g.rows.gz", "ref-shifted.rows", *together, code=1)


def test_metrics_with_the_same_rows_are_merged_one_by_one(script: Any, monkeypatch: pytest.MonkeyPatch,
                                                          tmp_path: Path) -> None:
    rows = [("g", number, "a b c" if number % 3 else "a b", ["a x" if number % 2 else "a b"]) for number in range(30)]
    for further in ([], ["-ci", "-cin", "20"]):
        options = options_of(script, "-q", "-m", "wer", "mer", "wil", "--save-rows", str(tmp_path), *further)
        whole = scored(script, monkeypatch, options, [rows])
        saved = (tmp_path / "g.rows.gz").read_bytes()
        for count in (2, 7):
            assert scored(script, monkeypatch, options, [rows[start::count] for start in range(count)]) == whole
            assert (tmp_path / "g.rows.gz").read_bytes() == saved
    plain = options_of(script, "-q", "-m", "wer", "mer", "wil")
    assert scored(script, monkeypatch, plain, [rows[:11], rows[11:]]) == scored(script, monkeypatch, plain, [rows])


def test_tokenizers_by_group(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(group, 1, "他说 今天。", "他说 明天。") for group in ("en-zh", "zh", "zh-en", "de")]
    lines = scored(script, monkeypatch, options_of(script, "--tokenize-by-group", "-q"), [rows]).splitlines()
    assert [(line.split("\t")[0], line.split("tok:")[1][:3]) for line in lines] == [
        ("de", "13a"), ("en-zh", "zh|"), ("zh", "zh|"), ("zh-en", "13a")]


def test_lists_of_references_may_differ_in_length(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("g", 1, "a b c d e", ["a b c d x"]), ("g", 2, "a b c d", ["a b c", "b c d x"])]
    line = scored(script, monkeypatch, options_of(script), [rows[:1], rows[1:]])
    score = purebleu.BLEU().corpus_score(["a b c d e", "a b c d"], [["a b c d x", "a b c"], [None, "b c d x"]])
    assert line == f"g\tBLEU\t{score.score!r}\t{score.signature}\n"
    assert "nrefs:var" in line


def test_output_in_a_folder(script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    options = options_of(script, "-ci", "-m", "chrf", "--output", str(tmp_path / "out"))
    assert scored(script, monkeypatch, options, [[('a,"b"', 1, "The cat sat.", "The cat sits.")]]) == ""
    heading, line = (tmp_path / "out" / "scores.csv").read_bytes().decode("utf-8").splitlines()
    assert heading == "group,metric,score,mean,ci,signature"
    assert line.startswith('"a,""b""",chrF2,')


def test_warnings_name_the_group(script: Any, monkeypatch: pytest.MonkeyPatch,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("g", number, "a b c .", "a b c") for number in range(100)] + [("blank", 1, " ", "a")]
    scored(script, monkeypatch, options_of(script), [rows[:50], rows[50:]])
    blank, tokenized = capsys.readouterr().err.splitlines()
    assert blank == "spark_score.py: warning: rows.jsonl: group blank: all hypotheses are blank"
    assert tokenized.startswith("spark_score.py: warning: rows.jsonl: group g: 100 hypotheses end in ' .'")


def test_values_of_lines(script: Any) -> None:
    cases: list[tuple[str, str, str, list[Any]]] = [
        ("jsonl", "", '\ufeff{"b": "x", "a": ["y", null], "h": "\\ud83d\\ude00", "i": 5, "g": "t", "more": 1}\r',
         ["t", 5, "\U0001f600", ["y", None], "x"]),
        ("csv", "\ufeffi,g,h,b,a", '7,t,"say ""so"", he said",,x y ', ["t", "7", 'say "so", he said', "x y ", ""]),
        ("tsv", "i\tg\th\tb\ta", '7\tt\t"a\\\tb\t', ["t", "7", '"a\\', "", "b"])]
    for form, header, line, values in cases:
        options = options_of(script, "--format", form)
        assert list(script.values_of_lines(options, header, [header, line, "", header, "\r"])) == [values]


def test_columns_of_text_are_numbers(script: Any) -> None:
    options = script.parsed(["--input", "x.txt", "--group", "2", "--id", "1", "--hypothesis", "4", "--references", "3"])
    assert list(script.values_of_lines(options, "", ["7\tg\tr\th\tmore"])) == [["g", "7", "h", "r"]]


def test_lines_of_another_format_are_refused(script: Any) -> None:
    for form, header, line in [
        ("jsonl", "", '{"g": "t", "i": 1}'), ("jsonl", "", "[1, 2]"), ("jsonl", "", '{"g": '),
        ("csv", "g,i,h,a,b", "t,1,x,y"), ("csv", "g,i,h,a,b", 't,1,x,y,"z'),
        ("tsv", "g\ti\th\ta\tb", "t\t1\tx\ty\tz\tz"), ("text", "", "t\t1"),
    ]:
        options = options_of(script, "--format", form)
        pieces = script.pieces_of_partition(options, script.values_of_lines(options, header, [line]))
        assert list(pieces) == [(script.FAILED, f"not {form} with g, i, h, a, b: {line!r}")]


def test_rows_that_cannot_be_scored_are_refused(script: Any) -> None:
    rows: list[tuple[Sequence[Any], str]] = [
        (("g", 7, None, "a"), "group 'g', id 7: None instead of text"),
        (("g", 7, "h", "a", None), "group 'g', id 7: None instead of text"),
        (("g", 7, "h", ["a", 5]), "group 'g', id 7: 5 instead of text"),
        (("g", "x", "h", []), "group 'g', id 'x': no group, no reference, or no id"),
        (("g", 1, "h \ud800", "a"), "group 'g', id 1: half of a surrogate pair, which is not a character"),
        (("\ud800", 1, "h", "a"), "group '\\ud800', id 1: half of a surrogate pair, which is not a character"),
        (("g", "\ud800", "h", "a"), "group 'g', id '\\ud800': half of a surrogate pair, which is not a character"),
        ((None, 1, "h", "a"), "group None, id 1: no group, no reference, or no id"),
        (("g", None, "h", "a"), "group 'g', id None: no group, no reference, or no id")]
    for row, reason in rows:
        pieces = script.pieces_of_partition(options_of(script), [("g", 1, "h", "a"), row])
        assert list(pieces) == [(script.FAILED, reason)]
    assert script.merged(False, "one reason", "another") == "another"


def test_order_of_ids(script: Any) -> None:
    assert script.order_of("g", [10, 9, -1]) == [2, 1, 0]
    assert script.order_of("g", ["10", "9", "011"]) == [1, 0, 2]
    assert script.order_of("g", ["10", "9", "x"]) == [1, 0, 2]
    assert script.order_of("g", []) == []
    assert script.order_of("g", ["1", "01", "2"]) == [1, 0, 2] and script.order_of("g", ["01", "1"]) == [0, 1]
    in_order = ["", "0", "00", "1", "9", "10", "--5", "a", "seg-02", "seg-2", "seg-2a9", "seg-2a10", "seg-2b", "seg-10",
                "seg-" + "9" * 5000, "x", "x٣"]
    assert script.order_of("g", in_order[::-1]) == list(reversed(range(len(in_order))))
    with pytest.raises(PurebleuError, match=r"^group g: the id 7 is there more than once$"):
        script.order_of("g", [7, 8, "8", "7"])


def test_format_by_name(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for path, form in {"x.parquet": "parquet", "hdfs://host/x.jsonl.gz": "jsonl", "x.JSON": "jsonl",
                       "folder.csv/": "csv", "x.tsv.bz2": "tsv", "some/*.txt": "text", "folder.csv/*": "csv"}.items():
        assert options_of(script, path=path).format == form, path
    assert script.main(["--input", "folder", *COLUMNS]) == 2
    message = "spark_score.py: error: folder: the name does not say the format: give --format\n"
    assert capsys.readouterr() == ("", message)


def test_text_of_the_input_is_shown_without_control_characters(
        script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    group = "g\n::error::\x1b[2J"
    scored(script, monkeypatch, options_of(script), [[(group, 1, " ", "a")]])
    warned = capsys.readouterr().err
    assert warned.startswith("spark_score.py: warning: rows.jsonl: group g\\n::error::\\x1b[2J: ")
    with pytest.raises(script.PurebleuError) as refused:
        scored(script, monkeypatch, options_of(script, "-ci"), [[(group, 1, "a", "a")], [(group, 1, "a", "a")]])
    script.complain(f"error: {refused.value}" + "x" * 10**6)
    for text in (warned, capsys.readouterr().err):
        assert text[:-1].isprintable() and len(text) < 6000


def test_a_column_that_is_there_twice_is_refused(script: Any) -> None:
    class Lines:
        def textFile(self, _: str) -> Lines:
            return self

        def take(self, _: int) -> list[str]:
            return ["g,i,h,a,b,a"]

    with pytest.raises(script.PurebleuError, match=r"rows\.csv: there are 2 columns 'a'"):
        script.rows_of_input(SimpleNamespace(sparkContext=Lines()), options_of(script, path="rows.csv"))


def test_wrong_usage_is_one_line(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in {
        "--paired-bs": "--paired-bs works only on the command line",
        "-sl": "--sentence-level works only on the command line",
        "-i file": "--input works only on the command line",
        "--tokenise 13a": "unrecognized arguments: --tokenise (did you mean '--tokenize'?) (see purebleu score --help)",
    }.items():
        assert script.main(["--input", "x.csv", *COLUMNS, *arguments.split()]) == 2
        assert capsys.readouterr() == ("", f"spark_score.py: error: {message}\n")
    with pytest.raises(SystemExit):
        script.main(["--input", "x.csv"])
    assert capsys.readouterr().err.splitlines()[0].startswith("spark_score.py: error: the following arguments are")
