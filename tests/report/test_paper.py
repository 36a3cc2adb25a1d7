"""Tables for papers, `-f paper`: read back, held to the same results as JSON, and (heavy) typeset by a real LaTeX."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.report.paper import best_as_printed, not_worse_than_best, paper_text, score_cells
from purebleu.significance.results import Ranking
from purebleu.version import FULL_VERSION

from ..helpers import csv_rows, first_by_default, output_of, refusal, refused, write_lines, write_systems
from .test_reports import LATEX, names

SYSTEMS = {"first": 0.89, "best": 0.9, "like-best": 0.9, "fair": 0.7, "poor": 0.68, "bad": 0.4}

#: Of `paper_text`, beyond `LATEX`.
PAPER = {**LATEX, "{[}": "[", "{*}": "*", r"\textbar{}": "|", r"\char34{}": '"', r"\/": ""}

#: Names with all that means something to LaTeX; those of the alphabets that its usual fonts have.
HOSTILE = ["a_b%c&d#e~f^g\\h{i}j$k", "[x]", "*star", "a--b ``q'' <<c>> \"d\"", "<b>|c|", "?`!`,,", "Über-ñ", "-"]


class Table:
    """The content of a table: cells as LaTeX, the caption as plain text, signatures (notes) by what they are of.

    `lines_before` has the indices of rows with a line above them.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        before, _, after = text.partition("\\toprule\n")
        self.start = before.split("\n")
        heads, body, after = re.split(r"\\midrule\n|\\bottomrule\n", after.replace("\n\\midrule\n", "\n\\line", 1)
                                      .replace("\\midrule\n", "\\cluster").replace("\\line", "\\midrule\n"), maxsplit=2)
        self.heads = self._cells(heads.split("\n")[-2])
        lines = body.strip("\n").split("\n")
        self.lines_before = {index for index, line in enumerate(lines) if line.startswith("\\cluster")}
        self.rows = [self._cells(line.replace("\\cluster", "")) for line in lines]
        found = re.search(r"\\caption\{(.*)\}\n\\label\{tab:purebleu\}\n\\end\{table\*?\}\n$", after, re.DOTALL)
        assert found, after
        self.caption = " ".join(found[1].split())
        notes = re.findall(r"^(.*): \\texttt\{(.*)\}\\par$", after, re.MULTILINE)
        self.notes = {plain(name): plain(signature.replace(r"\allowbreak ", "")) for name, signature in notes}

    @staticmethod
    def _cells(line: str) -> list[str]:
        assert line.endswith(r" \\")
        return [cell.strip(" ") for cell in line[:-3].split(" & ")]

    def column(self, head: str, first: int = 0) -> dict[str, str]:
        """The cells under a head, by the names of systems; it is that of a column from `first` on."""
        index = self.heads.index(head, first)
        return {plain(row[0]): row[index] for row in self.rows}


def plain(text: str) -> str:
    commands = re.compile("|".join(map(re.escape, sorted(PAPER, key=len, reverse=True))))
    return commands.sub(lambda found: PAPER[found.group()], text)


def number(cell: str) -> str:
    found = re.match(r"(?:\\textbf\{)?([0-9.]+)", cell)
    assert found, cell
    return found[1]


def spread(cell: str) -> str:
    """The half width or deviation behind the score."""
    found = re.search(r"\\scriptsize\\,(.*)\}$", cell)
    assert found, cell
    return re.sub(r"\\phantom\{.*\}", "", found[1]).replace(r"$\pm$", "±")


def bold_of(column: dict[str, str]) -> set[str]:
    return {name for name, cell in column.items() if cell.startswith(r"\textbf{")}


def marked_of(column: dict[str, str]) -> set[str]:
    return {name for name, cell in column.items() if r"$^\dagger$" in cell.replace(r"\phantom{$^\dagger$}", "")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("paper")
    write_systems(made, {"ref": 1, **SYSTEMS}, 150)
    write_systems(made, {"ref2": 1, "a.1": 0.9, "a.2": 0.88, "a.3": 0.89, "b.1": 0.9, "b.2": 0.89, "c.1": 0.5}, 100)
    (made / "copy").write_bytes((made / "first").read_bytes())
    write_lines(made / "docs", [line // 5 for line in range(150)])
    write_lines(made / "all.tsv", ["\t".join(row.split()) for row in (
        "name pair references hypothesis", "A en-de ref first", "B en-de ref best", "C en-de ref fair",
        "B en-zh ref2 a.1", "A en-zh ref2 a.2", "D en-zh ref2 c.1")])
    return made


def table(folder: Path, *args: str) -> Table:
    return Table(output_of([*args, "-f", "paper", "-q"], folder))


def as_json(folder: Path, *args: str) -> Any:
    return json.loads(output_of([*args, "-f", "json", "-q"], folder))


@given(st.one_of(names, st.sampled_from(HOSTILE)))
def test_names_read_back(name: str) -> None:
    written = paper_text(name)
    assert plain(written) == name.replace("\t", " ").replace("\u2028", " ").replace("\u2029", " ")
    rest = re.sub("|".join(map(re.escape, sorted(PAPER, key=len, reverse=True))), "", written)
    assert not set(rest) & set("&%$#_^{}~\\<>|\"[*")
    # (Two of these in a row would be another character.)
    assert not re.search("[-'`,?!][-'`,]", written)


def test_characters_that_no_font_has_are_left_out() -> None:
    assert paper_text("a\nb\0c\x1bd\udce9") == "a b c d?"


# The environment

def test_a_whole_environment(folder: Path) -> None:
    command = ["ref", "-i", "first", "best", "fair", "-m", "bleu", "ter"]
    text = output_of([*command, "-f", "paper"], folder)
    scores = [[system["BLEU"], system["TER"]] for system in as_json(folder, *command)]
    assert re.sub(" +", " ", text) == rf"""% Needs \usepackage{{booktabs}}.
\begin{{table}}[t]
\centering
\begin{{tabular}}{{lrr}}
\toprule
System & BLEU $\uparrow$ & TER $\downarrow$ \\
\midrule
first & {scores[0][0]} & {scores[0][1]} \\
best & \textbf{{{scores[1][0]}}} & \textbf{{{scores[1][1]}}} \\
fair & {scores[2][0]} & {scores[2][1]} \\
\bottomrule
\end{{tabular}}
\par\smallskip
{{\footnotesize\raggedright
BLEU: \texttt{{nrefs:1|\allowbreak case:mixed|\allowbreak eff:no|\allowbreak tok:13a|\allowbreak smooth:exp|"""\
        rf"""\allowbreak version:purebleu-{FULL_VERSION}}}\par
TER: \texttt{{nrefs:1|\allowbreak case:lc|\allowbreak tok:tercom|\allowbreak norm:no|\allowbreak punct:yes|"""\
        rf"""\allowbreak asian:no|\allowbreak version:purebleu-{FULL_VERSION}}}\par
}}
\caption{{Scores of 3 systems on 150 segments.
 Bold: in each column, the best score; no significance test was made.}}
\label{{tab:purebleu}}
\end{{table}}
"""


def test_wide_tables_take_both_columns(folder: Path) -> None:
    narrow, wide = [table(folder, "ref", "-i", "first", "best", "-m", *metrics) for metrics in (
        ["bleu"], ["bleu", "chrf", "ter", "wer", "cer"])]
    assert (narrow.start[1], wide.start[1]) == (r"\begin{table}[t]", r"\begin{table*}[t]")
    assert narrow.text.endswith("\\end{table}\n") and wide.text.endswith("\\end{table*}\n")
    long_name = table(folder, "ref", "-i", "first", "best", "--names", "A system with quite a long name", "B")
    assert long_name.start[1] == r"\begin{table*}[t]"
    assert long_name.rows[0][0] == "A system with quite a long name"


def test_tables_of_many_columns_have_smaller_type_and_a_label_of_their_own(folder: Path) -> None:
    command = ["test", "ref", "-i", "first", "best", "bad", "--samples", "400", "-f", "paper", "-q"]
    assert "\\centering\n" in output_of([*command, "-m", "bleu", "chrf", "ter"], folder)
    text = output_of([*command, "-m", "bleu", "chrf", "ter", "gleu", "wer", "cer", "--label", "tab:mine"], folder)
    assert "\\centering\\footnotesize\n" in text and "\\label{tab:mine}\n" in text
    assert "Holm's correction for all 18 tests" in text


def test_test_sets_are_in_the_caption(folder: Path) -> None:
    mixed = output_of(["-t", "sample", "-l", "en-de", "--echo", "mixed"], folder)
    (folder / "mixed").write_text(mixed, encoding="utf-8")
    segments = mixed.count("\n")
    args = ["-t", "sample", "-l", "en-de", "-i", "mixed"]
    assert f"Scores of one system on sample, en-de ({segments} segments)." == table(folder, *args).caption
    assert " on sample, en-de, original language en (12 segments)." in table(folder, *args, "--origlang", "en").caption
    assert " on en-de (150 segments)." in table(folder, "ref", "-i", "first", "-l", "en-de").caption


# Scores, intervals, tests

@pytest.mark.parametrize(("args", "width"), first_by_default(3, [
    ([], 3), (["-ci", "-cin", "40"], 1), (["-pbs", "-pbsn", "60"], 1),
    (["test", "--against", "first", "--samples", "100"], 1), (["test", "--samples", "1000", "-ci", "-cin", "30"], 2)]))
def test_figures_are_those_of_other_formats(folder: Path, args: list[str], width: int) -> None:
    command = [*args, "ref", "-i", *SYSTEMS, "-m", "bleu", "ter", "chrf"]
    found = table(folder, *command, "-w", str(width))
    lines = [line for line in csv_rows(folder, *command) if line["score"]]
    heads = {"BLEU": r"BLEU $\uparrow$", "chrF2": r"chrF2 $\uparrow$", "TER": r"TER $\downarrow$"}
    assert len(lines) == 18
    for line in lines:
        cell = found.column(heads[line["metric"]])[line["system"]]
        assert number(cell) == f"{float(line['score']):.{width}f}"
        assert ("scriptsize" in cell) == bool(line["ci"])
        if line["ci"]:
            assert spread(cell) == f"±{float(line['ci']):.{width}f}"
        if line["rank"]:
            position = found.heads.index(heads[line["metric"]]) + 1
            assert found.column("Rank", position)[line["system"]] == line["rank"].replace("-", "--")
    # (The signatures of csv are also of the intervals of differences, which no paper's table has.)
    assert found.notes == {line["metric"]: line["signature"].replace("|bs:1000", "") for line in lines}
    assert ("Rank" in found.heads) == ("1000" in args)
    intervals = re.search(r"\\pm\$: half the width of the 95\\,\\% confidence interval, from (\d+) bootstrap resamples",
                          found.caption)
    assert (intervals and intervals[1]) == (args[-1] if {"-cin", "-pbsn"} & {*args} else None)


def test_bold_are_those_not_worse_than_the_best(folder: Path) -> None:
    command = ["test", "ref", "-i", *SYSTEMS, "-m", "bleu", "ter", "--samples", "2000", "-cin", "20"]
    found, systems = table(folder, *command), as_json(folder, *command)
    for metric, head in (("BLEU", r"BLEU $\uparrow$"), ("TER", r"TER $\downarrow$")):
        scores = {system["system"]: system[metric] for system in systems}
        best = (max if metric == "BLEU" else min)(scores, key=lambda name: scores[name]["score"])
        p_values = {name: figures["p_holm"] for name, figures in scores[best]["pairs"].items()}
        bold = bold_of(found.column(head))
        assert bold == {best, *[name for name, p_value in p_values.items() if p_value > 0.05]}
        assert 1 < len(bold) < len(SYSTEMS)
    ordered = [float(number(cell)) for cell in found.column(r"BLEU $\uparrow$").values()]
    assert ordered == sorted(ordered, reverse=True)
    assert "2,000 trials; Holm's correction for all 30 tests together)" in found.caption
    assert ("Bold: in each column, the best score and the scores of systems that are not significantly worse"
            in found.caption)
    assert "dagger" not in found.text


def test_lines_are_between_clusters(folder: Path) -> None:
    command = ["test", "ref", "-i", *SYSTEMS, "-m", "chrf", "--samples", "1000"]
    found = table(folder, *command)
    clusters = {system["system"]: system["chrF2"]["cluster"] for system in as_json(folder, *command)}
    order = [clusters[row[0]] for row in found.rows]
    assert order == sorted(order) and len({*order}) > 2
    assert found.lines_before == {index for index in range(1, len(order)) if order[index] > order[index - 1]}
    assert "Every system above a line differs significantly from every system below it." in found.caption
    assert "1,000 trials; Holm's correction for all 15 tests together)" in found.caption


def test_bold_of_rankings() -> None:
    # System 2 is not told apart from the best one, 0, but from 1; system 3 is worse than all.
    scores = [30.0, 29.0, 28.0, 20.0]
    p_values = {(0, 1): 0.2, (0, 2): 0.06, (1, 2): 0.01, (0, 3): 0.001, (1, 3): 0.001, (2, 3): 0.001}
    assert not_worse_than_best(Ranking(scores, False, p_values), scores) == {0, 1, 2}
    assert not_worse_than_best(Ranking(scores, True, p_values), scores) == {3}
    # Two are best; what is worse than one of them is not bold.
    scores, p_values = [30.0, 30.0, 28.0], {(0, 1): 1.0, (0, 2): 0.2, (1, 2): 0.04}
    assert not_worse_than_best(Ranking(scores, False, p_values), scores) == {0, 1}


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=6), st.booleans(), st.integers(0, 2))
def test_the_best_as_printed_are_bold(hundredths: list[int], lower_is_better: bool, width: int) -> None:
    scores = [number / 100 for number in hundredths]
    values = [float(f"{score:.{width}f}") for score in scores]
    best = (min if lower_is_better else max)(values)
    assert best_as_printed(scores, lower_is_better, width) == (
        {index for index, value in enumerate(values) if value == best} if len(scores) > 1 else set())


@pytest.mark.parametrize(("args", "said"), first_by_default(2, [
    (["-par", "-parn", "1000"], "paired approximate randomization, 1,000 trials; 10 tests, without a correction"),
    (["test", "--against", "first", "--samples", "1000"],
     "paired approximate randomization, 1,000 trials; Holm's correction for all 10 tests"),
    (["--paired-bs", "-pbsn", "300"], "paired bootstrap resampling, 300 resamples; 10 tests, without a correction"),
    (["-par", "-parn", "1000", "--unit", "doc", "--docs", "docs"],
     "paired approximate randomization, 1,000 trials with whole documents; 10 tests, without a correction"),
    (["test", "--against", "first", "--paired-bs", "--docs", "docs"],
     "paired bootstrap resampling, 1,000 resamples of documents; Holm's correction for all 10 tests"),
]))
def test_daggers_tell_what_differs_from_the_baseline(folder: Path, args: list[str], said: str) -> None:
    command = [*args, "ref", "-i", *SYSTEMS, "-m", "bleu", "ter"]
    found, systems = table(folder, *command), as_json(folder, *command)
    for metric, head in (("BLEU", r"BLEU $\uparrow$"), ("TER", r"TER $\downarrow$")):
        cells = {system["system"].replace("Baseline: ", ""): system[metric] for system in systems}
        p_values = {name: cell.get("p_holm") or cell["p_value"] for name, cell in cells.items()}
        marked = marked_of(found.column(head))
        assert marked == {name for name, p_value in p_values.items() if p_value is not None and p_value <= 0.05}
        assert 0 < len(marked) < len(SYSTEMS)
    assert rf"$^\dagger$: significantly different from first (${{p \le 0.05}}$; {said})." in found.caption
    assert "Bold: in each column, the best score, even if not significantly better." in found.caption
    assert len(bold_of(found.column(r"BLEU $\uparrow$"))) == 1


def test_a_table_without_significant_differences_says_so(folder: Path) -> None:
    command = ["ref", "-i", "first", "copy", "-pbs", "-pbsn", "100"]
    assert as_json(folder, *command)[1]["BLEU"]["p_value"] == 1
    found = table(folder, *command)
    assert "dagger" not in found.text and "100 resamples; the only test)." in found.caption
    assert "No system differs significantly from first (" in found.caption
    assert bold_of(found.column(r"BLEU $\uparrow$")) == {"first", "copy"}


def test_scores_stand_below_each_other() -> None:
    cells = score_cells([41.2, 9.5, -0.5], 1, {0}, {1}, ["±0.4", "±10.2", "±1.0"])
    assert cells == [r"\textbf{41.2}\phantom{$^\dagger$}{\scriptsize\,$\pm$0.4\phantom{0}}",
                     r"9.5$^\dagger${\scriptsize\,$\pm$10.2}",
                     r"$-$0.5\phantom{$^\dagger$}{\scriptsize\,$\pm$1.0\phantom{0}}"]


def test_kinds_of_edits(folder: Path) -> None:
    command = ["ref", "-i", "first", "bad", "-m", "ter", "--ter-kinds"]
    found = table(folder, *command)
    assert found.heads[2:] == ["Ins", "Del", "Sub", "Shft", "WdSh"]
    assert [[row[0], *map(int, row[2:])] for row in found.rows] == [
        [system["system"], *[system[head] for head in found.heads[2:]]] for system in as_json(folder, *command)]
    assert "Ins: insertions; Del: deletions; " in found.caption


# Runs and language pairs

def test_runs(folder: Path) -> None:
    command = ["test", "ref2", "--runs", "A=a.?", "B=b.?", "C=c.1", "-m", "bleu", "ter", "--samples", "300"]
    for more in (["--correction", "none"], ["-ci", "-cin", "30"]):
        has_intervals = "-ci" in more
        found, expected = table(folder, *command, *more), as_json(folder, *command, *more)
        assert [row[:2] for row in found.rows] == [["A", "3"], ["B", "2"], ["C", "1"]]
        for metric, head in (("BLEU", r"BLEU $\uparrow$"), ("TER", r"TER $\downarrow$")):
            column = found.column(head)
            for name, result in zip("ABC", [system[metric] for system in expected]):
                assert number(column[name]) == f"{result['mean']:.1f}"
                deviation = "" if result["deviation"] is None else f"±{result['deviation']:.1f}"
                assert spread(column[name]) == deviation + (f" ({result['selection']:.1f})" if has_intervals else "")
            best = (max if metric == "BLEU" else min)([float(number(cell)) for cell in column.values()])
            assert bold_of(column) == {name for name, cell in column.items() if float(number(cell)) == best}
            p_values = [system[metric]["p_holm" if has_intervals else "p_value"] for system in expected]
            assert marked_of(column) == {name for name, p_value in zip("ABC", p_values)
                                         if p_value is not None and p_value <= 0.05} == {"C"}
        tests = "Holm's correction for all 4 tests" if has_intervals else "4 tests, without a correction"
        assert f"stratified approximate randomization, 300 trials; {tests})" in found.caption
        assert found.caption.startswith("Mean scores over the runs of 3 systems on 100 segments.")
        assert ("In parentheses: the standard deviation that comes from the choice of segments (30 bootstrap" in
                found.caption) == has_intervals


def test_runs_of_one_number(folder: Path) -> None:
    found = table(folder, "test", "ref2", "--runs", "A=a.[12]", "B=b.?", "--samples", "50")
    assert found.heads == ["System", r"BLEU $\uparrow$"]
    assert found.caption.startswith("Mean scores over 2 runs of 2 systems on 100 segments.")
    single = table(folder, "ref2", "--runs", "A=a.1", "-l", "en-de")
    assert single.caption == "Mean scores over a single run of 1 system on en-de (100 segments)."
    assert "scriptsize" not in single.text


def test_language_pairs(folder: Path) -> None:
    command = ["test", "--manifest", "all.tsv", "-m", "bleu", "ter", "--samples", "300", "--correction", "none"]
    found = table(folder, *command)
    assert found.heads == ["System", *["en-de", "en-zh", "Mean"] * 2]
    groups, rules = found.text.partition("\\toprule\n")[2].split("\n")[:2]
    assert groups == r" & \multicolumn{3}{c}{BLEU $\uparrow$} & \multicolumn{3}{c}{TER $\downarrow$} \\"
    assert rules == r"\cmidrule(lr){2-4} \cmidrule(lr){5-7}"
    systems = as_json(folder, *command)["systems"]
    for first, metric in ((1, "BLEU"), (4, "TER")):
        for pair in ("en-de", "en-zh"):
            column = found.column(pair, first)
            results = {system["system"]: system["pairs"].get(pair, {}).get(metric) for system in systems}
            for name, result in results.items():
                assert (column[name] == "--") if result is None else (number(column[name]) == f"{result['score']:.1f}")
            assert marked_of(column) == {name for name, result in results.items()
                                         if result and result["p_value"] is not None and result["p_value"] <= 0.05}
            assert len(bold_of(column)) == 1
        means = {system["system"]: system["mean"][metric] for system in systems}
        for name, cell in found.column("Mean", first).items():
            assert (cell == "--") if means[name] is None else (number(cell) == f"{means[name]:.1f}")
        assert len(bold_of(found.column("Mean", first))) == 1
    assert found.caption.startswith(
        "Scores of 4 systems on 2 language pairs: en-de (150 segments), en-zh (100 segments).")
    assert r"en-de: $^\dagger$: significantly different from A (" in found.caption
    assert r"en-zh: $^\dagger$: significantly different from B (" in found.caption
    assert "300 trials; 8 tests, without a correction)" in found.caption
    assert [*found.notes] == ["BLEU, en-de", "BLEU, en-zh", "TER"]
    assert "tok:zh" in found.notes["BLEU, en-zh"]


def test_ranks_of_language_pairs(folder: Path) -> None:
    command = ["test", "--manifest", "all.tsv", "-m", "ter", "--samples", "700"]
    found = table(folder, *command)
    assert found.heads == ["System", "en-de", "Rank", "en-zh", "Rank", "Mean"]
    pairs = {system["system"]: system["pairs"] for system in as_json(folder, *command)["systems"]}
    for pair, position in (("en-de", 2), ("en-zh", 4)):
        assert found.column("Rank", position) == {
            name: system_scores[pair]["TER"]["rank"].replace("-", "--") if pair in system_scores else "--"
            for name, system_scores in pairs.items()}
    assert "Holm's correction for all 6 tests together)" in found.caption
    assert not found.lines_before


@refused("papers")
def test_options_that_a_table_has_no_room_for_are_refused(folder: Path, arguments: list[str], code: int,
                                                          message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)


# A real LaTeX

#: A paper with two columns, as wide as those of conferences.
DOCUMENT = r"""\documentclass[11pt,twocolumn]{article}
\usepackage[a4paper,margin=2.5cm]{geometry} \usepackage{booktabs} \setlength{\columnsep}{0.6cm}
\begin{document}
%s
\end{document}
"""

EIGHT = [*SYSTEMS, "copy", "last"]

#: Tables to typeset.
CASES: list[list[str]] = [
    ["ref", "-i", "first"], ["ref", "-i", "first", "-m", "bleu", "chrf", "ter", "-ci"],
    ["ref", "-i", "first", "best", "-par"], ["ref", "-i", *SYSTEMS, "-m", "bleu", "chrf", "ter", "-pbs"],
    ["test", "ref", "-i", *EIGHT], ["test", "ref", "-i", *EIGHT, "-m", "bleu", "ter", "-ci", "-sh"],
    ["ref", "-i", *EIGHT, "--names", *HOSTILE, "-pbs", "-m", "ter"], ["ref", "-i", *EIGHT, "--names", *HOSTILE],
    ["test", "ref2", "--runs", "A=a.?", "B=b.?", "C=c.1", "-m", "bleu", "ter", "-ci"],
    ["--manifest", "all.tsv", "-m", "bleu", "chrf", "-par"], ["test", "--manifest", "all.tsv"],
    ["ref", "-i", "first", "bad", "-m", "ter", "--ter-kinds"],
]


@pytest.mark.heavy
@pytest.mark.parametrize("engine", [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed"))
    for name in ("pdflatex", "xelatex", "lualatex")])
def test_a_real_latex_takes_the_tables(folder: Path, tmp_path: Path, engine: str) -> None:
    (folder / "last").write_text("".join(sorted((folder / "bad").read_text().splitlines(True))))
    tables = [output_of([*args, "-f", "paper", "-q"], folder) for args in CASES]
    (tmp_path / "paper.tex").write_text(DOCUMENT % "\n".join(tables), encoding="utf-8")
    done = subprocess.run([engine, "-interaction=nonstopmode", "paper.tex"], cwd=str(tmp_path),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log
    # Nothing is wider than its column, and every character is there.
    assert not re.search("^!|Overfull|Missing character|undefined", log, re.MULTILINE), log
    if shutil.which("pdftotext"):
        read = subprocess.run(["pdftotext", "-layout", "paper.pdf", "-"], cwd=str(tmp_path), check=True,
                              capture_output=True).stdout.decode()
        assert [read.count(f"Table {number}:") for number in range(1, len(CASES) + 1)] == [1] * len(CASES)
        for name in HOSTILE:
            assert squeezed(read).count(squeezed(name)) >= 2, name


def squeezed(text: str) -> str:
    """A text without what programs that read PDF take for something else: accents, spaces, and lines such as `_`."""
    for printed, character in (("‘", "`"), ("’", "'"), ("“", '"'), ("”", '"')):
        text = text.replace(printed, character)
    return "".join([character for character in unicodedata.normalize("NFD", text)
                    if character.isascii() and character not in " _^~"])
