"""Tables in each format: read back by a parser, whatever the systems are called; the progress line."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.cli import main, process
from purebleu.report import tables
from purebleu.report.formats import Style, width_of

from .. import PACKAGE
from ..helpers import call_cli, csv_rows, folder_of_package, output_of, refusal, refused, texts_of, told, write_systems
from ..pages import Elements

#: Names that file systems, shells and markup languages stumble over.
ODD_NAMES = ["a_b&<c>", "50 % of #1 {x} ^~\\", "pipe|star*`tick`", "“ünï” 中文 e\u0301", "  blank ", "$HOME/x\ty"]

names = st.one_of(st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=20),
                  st.sampled_from(ODD_NAMES))


class TableReader(Elements):
    """Collects the cells of tables, row by row."""

    def __init__(self, text: str) -> None:
        self.rows: list[list[str]] = []
        super().__init__(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag == "br":
            self.rows[-1][-1] += "\n"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def markdown_rows(text: str) -> list[list[str]]:
    """The cells of a Markdown table, without backslashes before marks."""
    return [[re.sub(r"\\(.)", r"\1", cell).strip(" ") for cell in re.findall(r"(?:\\.|[^|\\])+", line[1:-1])]
            for line in text.split("\n")]


@given(st.lists(names, min_size=1, max_size=4), names)
def test_html_and_markdown_read_back(systems: list[str], metric: str) -> None:
    columns = [("System", systems), (metric, [f"{place}.0\n(p = 0.1)" for place, _ in enumerate(systems)])]
    reader = TableReader(tables.html_table(columns))
    assert reader.rows == [["System", metric], *[[name, f"{place}.0\n(p = 0.1)"] for place, name in enumerate(systems)]]
    assert reader.open == []
    head, rule, *rows = markdown_rows(tables.markdown_table([("System", systems), (metric, ["1.0"] * len(systems))]))
    assert rule == ["---:", ":---:"]
    assert [head, *rows] == [[name.strip(" "), cell] for name, cell in (
        ("System", metric.strip(" ")), *[(name, "1.0") for name in systems])]


#: Characters that LaTeX prints for its commands.
LATEX = {r"\textasciitilde{}": "~", r"\textbackslash{}": "\\", r"\ensuremath{<}": "<", r"\ensuremath{>}": ">",
         r"\^{}": "^", **{"\\" + character: character for character in "&%$#_{}"}}


@given(st.lists(names, min_size=1, max_size=4, unique=True))
def test_latex_and_json_read_back(systems: list[str]) -> None:
    rows = tables.latex_table([("System", systems), ("BLEU", ["1.0"] * len(systems))]).split("\n")[4:-2]
    commands = re.compile("|".join(map(re.escape, LATEX)))
    cells = [row.rpartition(" & ")[0] for row in rows]
    read = [commands.sub(lambda found: LATEX[found.group()], cell) for cell in cells]
    assert [name.strip(" ") for name in read] == [name.strip(" ") for name in systems]
    assert not set(commands.sub("", "".join(cells))) & set("&%$#_^{}~\\<>")
    text = tables.json_table({"System": systems, "BLEU": ["1.0"] * len(systems)})
    assert json.loads(text) == [{"system": name, "BLEU": "1.0"} for name in systems]


#: References and five systems, the first two of which hardly differ, as little as the last two.
SHARES, SEGMENTS = {"ref": 1, "best": 0.95, "good": 0.95, "fair": 0.8, "poor": 0.5, "bad": 0.5}, 150


def output(corpus: Path, *args: str) -> str:
    return output_of(["ref", *args], corpus)


def test_latex_escapes_text_around_tables_too() -> None:
    section = tables.Section("a_b", ["50 % of a_b & {c}\n\\input{d}"],
                             [[("System", ["[5cm]", "*", "a\x1b"]), ("#", ["1"] * 3)]], [("x_y", "#:1|^")])
    text = tables.LAYOUTS["latex"].section(section)
    assert r"50 \% of a\_b \& \{c\}\textbackslash{}n\textbackslash{}input\{d\}" in text
    assert r" - x\_y       \#:1|\^{}" in text
    assert "\na\\_b\n" in text
    # A row that begins with a bracket or an asterisk would be an argument of the command before it.
    assert [line.lstrip()[0] for line in text.splitlines() if line.endswith("\\\\")] == ["S", "{", "{", "a"]
    assert r"a\textbackslash{}x1b" in text


# Progress

def watched_line(what: str, total: float, *unit: str) -> tuple[process.ProgressLine, io.StringIO, Callable[..., None]]:
    """A progress line of work that has begun, what it shows, and a function that lets time pass, then advances it."""
    stream, clock = io.StringIO(), SimpleNamespace(now=0.0)
    line = process.ProgressLine(stream, lambda: clock.now)
    line.begin(what, total, *unit)

    def advance(seconds: float, steps: int) -> None:
        clock.now += seconds
        line.advance(steps)

    return line, stream, advance


def test_short_work_shows_nothing() -> None:
    line, stream, advance = watched_line("scoring", 10)
    for _ in range(10):
        advance(0.19, 1)
    line.clear()
    assert stream.getvalue() == ""


def test_long_work_shows_one_line_that_disappears() -> None:
    line, stream, advance = watched_line("scoring", 0)
    for _ in range(100):
        advance(0.05, 1000)
    assert re.match(r"\rscoring: (39|40|41),000 segments\r", stream.getvalue())
    line.expect(400_000)
    advance(5, 0)
    assert stream.getvalue().rstrip(" ").endswith("\rscoring: 25 %, 30 s left")
    line.clear()
    assert stream.getvalue().endswith("\r" + " " * len("scoring: 25 %, 30 s left") + "\r")
    assert "\n" not in stream.getvalue() and stream.getvalue().count("\r") <= 35 + 3


def test_millions_of_steps_are_shown_at_once() -> None:
    for work, shown in (
            (("fetching", 5_000_000, "bytes"), ""), (("resampling", 5_000_000), "\rresampling: 1 %, 1 s left"),
            (("resampling", 999_999), ""), (("resampling", 1_000_000), "\rresampling: 5 %, 0 s left")):
        _, stream, advance = watched_line(*work)
        advance(0.01, 50_000)
        assert stream.getvalue() == shown


def test_progress_is_for_terminals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_PATIENCE", 0.0)
    (tmp_path / "ref").write_text("a line of text\n" * 10, encoding="utf-8")
    for is_terminal, options in ((True, []), (True, ["-q"]), (False, []), (False, ["-q"])):
        errors = io.StringIO()
        monkeypatch.setattr(errors, "isatty", lambda is_one=is_terminal: is_one)
        monkeypatch.setattr(sys, "stderr", errors)
        assert main([str(tmp_path / "ref"), "-i", str(tmp_path / "ref"), *options]) == 0
        is_shown = is_terminal and not options
        assert ("scoring: " in errors.getvalue()) == bool(errors.getvalue()) == is_shown, (is_terminal, options)


# CSV and TSV

@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_lines_for_spreadsheets_have_the_figures_of_json(tmp_path: Path, form: str) -> None:
    names = {"one, \"two\".txt": 0.9, "b\tc.txt": 0.8, "c.txt": 0.4}
    # (Windows has no files with such names.)
    files = names if os.name == "posix" else dict(zip("abc", names.values()))
    write_systems(tmp_path, {"ref": 1.0, **files}, 60)
    named = [] if files is names else ["--names", *names]
    command = ["test", "ref", "-i", *files, *named, "-m", "bleu", "chrf", "--samples", "200", "-ci", "-cin", "20", "-q"]
    table = json.loads(output_of([*command, "-f", "json-signed"], tmp_path))
    found = csv_rows(tmp_path, *command, form=form)
    assert list(found[0]) == [
        "system", "metric", "score", "mean", "ci", "p_value", "p_holm", "rank", "cluster", "against", "difference",
        "difference_low", "difference_high", "agreement", "mde", "segments_needed", "power", "correlation",
        "lower_is_better", "lowest_possible", "highest_possible", "signature"]
    assert len([line for line in found if not line["score"]]) == 2  # (further pairs)
    found = [line for line in found if line["score"]]
    assert [line["system"] for line in found] == [name[:-len(".txt")] for name in names for _ in range(2)]
    for system, lines in zip(table["systems"], zip(found[::2], found[1::2])):
        for line in lines:
            cell = system[line["metric"]]
            assert line["signature"] == table["signatures"][line["metric"]]
            for key in list(found[0])[2:9] + list(found[0])[10:17]:
                assert line[key] == ("" if cell[key] is None else str(cell[key]))


@pytest.mark.parametrize("options", [["-i", "a"], ["-i", "a", "b"], ["-i", "a", "b", "-ci", "-cin", "5"],
                                     ["--rows", "rows"], ["--runs", "A=a", "B=b"],
                                     ["--manifest", "all.tsv"], ["-i", "a", "b", "--paired-ar", "-parn", "5"]],
                         ids=" ".join)
def test_output_for_programs_says_which_direction_is_better(tmp_path: Path, options: list[str]) -> None:
    write_systems(tmp_path, {"ref": 1.0, "a": 0.9, "b": 0.4}, 20)
    (tmp_path / "all.tsv").write_text("name\tpair\treferences\thypothesis\nA\ten-de\tref\ta\nB\ten-de\tref\tb\n")
    metrics = ["-m", "bleu", "ter", "-q"]
    if "--rows" in options:
        output_of(["ref", "-i", "a", "b", "--save-rows", "rows", *metrics], tmp_path)
    command = [*(["ref"] if options[0] in ("-i", "--runs") else []), *options, *metrics]
    table = json.loads(output_of([*command, "-f", "json-signed"], tmp_path))
    assert table["metrics"] == {"BLEU": {"lower_is_better": False, "range": [0, 100]},
                                "TER": {"lower_is_better": True, "range": [0, None]}}
    lines = csv_rows(tmp_path, *command)
    columns = ("metric", "lower_is_better", "lowest_possible", "highest_possible")
    assert {tuple([line[column] for column in columns]) for line in lines} == {
        ("BLEU", "False", "0", "100"), ("TER", "True", "0", "")}
    if "--manifest" not in options:
        assert "lower_is_better" not in output_of([*command, "-f", "json"], tmp_path)  # (which is sacreBLEU's)


# Names of systems

def test_systems_have_the_names_that_are_given(corpus: Path) -> None:
    for named, expected in ((["best", "bad", "--names", "A", "B: 2"], ["A", "B: 2"]),
                            (["A=best", "B: 2=bad"], ["A", "B: 2"]), (["best", "--names", "A"], ["A"])):
        lines = output(corpus, "-i", *named, "-f", "csv", "-q").splitlines()
        assert [line.split(",")[0] for line in lines[1:]] == expected
    (corpus / "a=bad").write_bytes((corpus / "best").read_bytes())  # (a file may have an equals sign)
    assert output(corpus, "-i", "a=bad", "-b") == output(corpus, "-i", "best", "-b")


def test_names_are_everywhere(corpus: Path) -> None:
    named = ["ref", "-i", "one=best", "two=bad", "-pbsn", "50", "-q"]
    for form in ("json", "text", "latex", "html", "markdown"):
        found = output_of([*named, "-f", form, "--paired-bs"], corpus)
        assert "Baseline: one" in found and "two" in found and "best" not in found
    output_of([*named, "--save-rows", "named.rows"], corpus)
    assert output_of(["--rows", "named.rows", "-f", "html"], corpus) == output_of([*named, "-f", "html"], corpus)
    renamed = output_of(["--rows", "named.rows", "-f", "csv", "--names", "three", "four"], corpus)
    assert [line.split(",")[0] for line in renamed.splitlines()] == ["system", "three", "four"]
    assert "three" in output_of(["audit", "ref", "-i", "best", "bad", "--names", "three", "four"], corpus)


def test_systems_of_standard_input_are_called_the_same_everywhere(corpus: Path) -> None:
    lines = "".join(["\t".join(line) + "\n" for line in zip(*texts_of(corpus, "best", "bad", "best"))]).encode()
    for options, expected in (([], ["System 1", "System 2", "System 3"]), (["--names", "A", "B", "C"], ["A", "B", "C"]),
                              (["--paired-ar", "-parn", "50"], ["Baseline", "System 1", "System 2"])):
        args = ["ref", *options, "-q", "--save-rows", "in.rows"]
        for form in ("json", "csv"):
            done = call_cli([*args, "-f", form], cwd=corpus, stdin=lines)
            found = [system["system"] for system in json.loads(done.stdout)] if form == "json" else [
                line.split(",")[0] for line in done.stdout.decode().splitlines()[1:]]
            assert found == expected
            assert call_cli(["--rows", "in.rows", *options, "-f", form], cwd=corpus).stdout == done.stdout
    errors = told(corpus, "gate", "ref", "--min", "BLEU=0", stdin=lines)[1]
    assert [line.split(" is ")[0][-8:] for line in errors.splitlines()[-3:]] == ["System 1", "System 2", "System 3"]


def test_rows_are_those_of_their_systems_whichever_is_tested_against(corpus: Path) -> None:
    kept = []
    for against in ([], ["--against", "bad"]):
        told(corpus, "test", "ref", "-i", "best", "fair", "bad", *against, "--samples", "9", "--save-rows", "some.rows")
        kept.append(output_of(["--rows", "some.rows", "-f", "csv"], corpus))
    assert kept[0] == kept[1] == output(corpus, "-i", "best", "fair", "bad", "-f", "csv")


@refused("names")
def test_names_that_are_wrong(corpus: Path, arguments: list[str], code: int, message: str) -> None:
    output(corpus, "-i", "best", "bad", "--save-rows", "two.rows")
    assert message in refusal(corpus, *arguments, code=code, stdin=b"a b\tc d\n" * 150)


@pytest.mark.parametrize(("count", "limit"), [(1, 60), (3, 80), (8, 80), (8, 200)])
def test_tables_and_signatures_fit_a_terminal(count: int, limit: int) -> None:
    column = ("chrF2 (μ ± 95% CI)", ["50.1 (50.1 ± 1.2) (p = 0.0001, Holm 0.0002)*", "7.0"])
    fitted = tables.fitted_tables([("System", ["a/long/name", "b"]), *[column] * count], limit)
    assert sum([len(table) - 1 for table in fitted]) == count
    lines = "\n".join(map(tables.text_table, fitted)).split("\n")
    assert max(map(len, lines)) <= limit
    assert all(number in " ".join(lines) for number in ("50.1 ± 1.2", "p = 0.0001", "Holm 0.0002)*"))
    signature = "nrefs:1|bs:1000|seed:12345|rng:mt19937|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    items = tables.fitted_items([("BLEU", signature), ("name of a metric", signature)], limit)
    assert "".join([value for _, value in items]) == signature * 2
    assert all(value.endswith(("|", "2.6.0")) and len(value) < limit - 16 for _, value in items)


@pytest.mark.parametrize("name", ["x" * 90, "系统" * 30, "机器翻译\n系统"])
def test_names_of_any_width_stand_beside_their_values(name: str) -> None:
    signature = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    section = tables.Section("系统", [f"BLEU: {name} is best." * 3], items=[(name, signature), ("BLEU", "a b")])
    lines = tables.document_of([section], Style("text", columns=60)).split("\n")
    assert "".join([line.split()[-1] for line in lines if "|" in line or line.endswith("2.6.0")]) == signature
    before = [line[:line.index(value)] for line in lines for value in ("nrefs:1", "a b") if value in line]
    assert len({*map(width_of, before)}) == 1
    assert width_of(lines[0]) == len("----")


def test_common_parts_of_names_are_left_out_for_readers(corpus: Path) -> None:
    (corpus / "out").mkdir()
    for name in ("best", "bad"):
        (corpus / name).rename(corpus / "out" / f"wmt.{name}.de")
    systems = ["ref", "-i", "out/wmt.best.de", "out/wmt.bad.de"]
    for form in ("markdown", "html", "csv"):
        found = output_of([*systems, "-f", form], corpus)
        assert "best" in found and "wmt" not in found
    for form in ("json", "text", "latex"):
        assert "out/wmt.best.de" in output_of([*systems, "-f", form], corpus)
        assert "wmt" not in told(corpus, "test", *systems, "--samples", "50", "-f", form)[0]
    found = output_of(["ref", "-i", "A=fair", "out/wmt.bad.de", "-f", "csv"], corpus)
    assert [line.split(",")[0] for line in found.splitlines()] == ["system", "A", "wmt.bad.de"]


def test_ranks_under_all_metrics_are_one_table(corpus: Path) -> None:
    found = output_of(["test", "ref", "-i", "best", "bad", "poor", "-m", "bleu", "ter", "--samples", "200", "-f",
                       "markdown", "-q"], corpus)
    table = found.partition("| System | BLEU | Rank | Cluster | TER | Rank | Cluster |\n")[2].splitlines()
    assert [line.split(" | ")[0] for line in table[1:4]] == ["| best", "| poor", "| bad"]
    assert found.count("| Rank |") == 2


def printed_in_terminal(args: list[str], folder: Path, columns: int, with_errors: bool = False) -> str:
    """The output of the command line in a terminal of this number of columns; also standard error, if asked for."""
    pty, fcntl, termios = map(pytest.importorskip, ("pty", "fcntl", "termios"))
    own, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {**os.environ, "PYTHONPATH": str(folder_of_package())}
    process = subprocess.Popen([sys.executable, "-m", PACKAGE, *args], cwd=folder, stdout=other, env=environment,
                               stderr=other if with_errors else None)
    os.close(other)
    found = b""
    try:
        while content := os.read(own, 65536):
            found += content
    except OSError:
        pass  # so Linux says that the other end is closed
    os.close(own)
    assert process.wait() == 0
    return found.decode()


@pytest.mark.full
def test_output_says_if_p_values_are_not_corrected(corpus: Path) -> None:
    command = ["ref", "-i", "best", "bad", "poor", "--paired-ar", "-parn", "60"]
    message = "the p-values are not corrected for the number of tests (2): purebleu test corrects p-values"
    assert message in printed_in_terminal(command, corpus, 200, with_errors=True)
    assert message not in call_cli(command, cwd=corpus).stderr.decode()  # (which no program is told)


@pytest.mark.full
def test_a_table_fits_the_terminal(corpus: Path) -> None:
    names = [f"{name}-with-a-name-that-is-long" for name in ("first", "second")]
    command = ["ref", "-i", f"{names[0]}=best", f"{names[1]}=bad", "-m", "bleu", "chrf", "ter", "-f", "text", "-nc",
               "--paired-bs", "-pbsn", "50"]
    for columns in (66, 80, 200):
        printed = printed_in_terminal(command, corpus, columns)
        table = [line for line in printed.splitlines() if line[:1] in "╒│├╘"]
        assert {len(line) for line in table} <= set(range(columns + 1))
        assert names[1] in printed  # (what does not fit becomes several tables)
        assert (printed.count("╒") == 1) == (columns == 200)
