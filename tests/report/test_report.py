"""The report's page as a file: what it tells, from text, test sets and rows, for whom, and what it never has."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from purebleu.metrics import TER
from purebleu.report.page import content, markup

from ..helpers import csv_rows, one_in, output_of, refusal, refused, texts_of, told, write_lines, write_systems
from ..pages import Elements, seen_in_chromium, skip_without_chromium

FEW = ["-cin", "60", "--samples", "120"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "out").mkdir()
    shares = {"ref": 1.0, "ref2": 0.95, "out/sys.A.de": 0.9, "out/sys.B.de": 0.8, "out/sys.C.de": 0.5}
    write_systems(folder, shares, 120)
    write_lines(folder / "src", [f"source {number}" for number in range(120)])
    return folder


class Page(Elements):
    """A page, checked for being well-formed: its text by section, its data."""

    def __init__(self, content: str) -> None:
        self.text: dict[str, str] = {}
        self.section = ""
        self.scripts: list[str] = []
        super().__init__(content)
        assert self.open == []
        assert len({*self.ids}) == len(self.ids)
        # (The script makes targets of segments.)
        assert {link[1:] for link in self.links if re.match(r"#(?!(p\d+-)?(s\d+$|segments\?))", link)} <= {*self.ids}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not [name for name in given if name == "style" or name.startswith("on")]
        super().handle_starttag(tag, attrs)
        if tag == "section":
            self.section = str(given["id"])
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if tag == "section":
            self.section = ""

    def handle_data(self, data: str) -> None:
        if "script" in self.open:
            self.scripts[-1] += data
        elif "style" not in self.open:
            self.text[self.section] = self.text.get(self.section, "") + data


@functools.lru_cache(maxsize=None)
def report_of(folder: Path, *arguments: str, name: str = "report.html", checks: bool = False) -> str:
    """The page of a report, which is made once. (Checks take half of the time.)"""
    options = FEW if checks else [*FEW, "--no-checks"]
    output_of(["report", *options, *arguments, "-o", name, "-q"], folder)
    return (folder / name).read_text(encoding="utf-8")


def segments_of(page: Page) -> Any:
    return json.loads(page.scripts[0])


SYSTEMS = ["ref", "ref2", "-i", "out/sys.A.de", "out/sys.B.de", "out/sys.C.de"]


def test_a_report_has_every_part(folder: Path) -> None:
    content = report_of(folder, *SYSTEMS, "-m", "bleu", "ter", "--source", "src", "--audit", checks=True)
    page = Page(content)
    assert [*page.text] == ["", "scores", "worth", "distributions", "buckets", "pairs", "segments", "checks", "audit",
                            "origin"]
    assert "Under BLEU, A is best" in page.text["scores"] and "<h1>BLEU and TER: A, B and C</h1>" in content
    command = "report -cin 60 --samples 120 ref ref2 -i sys.A.de sys.B.de sys.C.de -m bleu ter --source src --audit"
    assert page.text[""].rstrip().endswith(f"{command} -o report.html -q")
    for path in ("ref", "ref2", "out/sys.B.de", "src"):
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() in page.text["origin"]
    data = segments_of(page)
    assert (data["systems"], data["numbers"]) == (["A", "B", "C"], list(range(1, 121)))
    assert data["metrics"] == [{"name": "BLEU", "lower": False, "limits": [0, 100], "places": 2},
                               {"name": "TER", "lower": True, "limits": [0, 100], "places": 2}]
    assert data["source"] == [f"source {number}" for number in range(120)]
    *references, outputs = texts_of(folder, "ref", "ref2", "out/sys.A.de")
    assert data["references"] == references and [first for first, *_ in data["outputs"]] == outputs
    single = output_of(["ref", "ref2", "-i", "out/sys.A.de", "-sl", "-b", "-w", "4"], folder).splitlines()
    assert [f"{score:.4f}" for score in data["scores"][0][0]] == single
    assert "The segments need JavaScript." in page.text["segments"]
    assert '<ol class="segments" data-from="data"></ol>' in content


def test_ter_has_its_shifts_in_the_segments_that_are_shown(folder: Path) -> None:
    page = Page(report_of(folder, *SYSTEMS, "-m", "bleu", "ter", "--segments", "110"))
    shifts = segments_of(page)["shifts"]
    streams = texts_of(folder, "ref", "ref2")
    for outputs, system_shifts in zip(texts_of(folder, *SYSTEMS[3:]), shifts):
        assert system_shifts == {
            str(index): content.stored_shifts(alignment, output) for index, (alignment, output)
            in enumerate(zip(TER().corpus_alignments(outputs, streams)[:110], outputs)) if alignment.shifts}
    assert any(shifts)
    assert "TER shifts blocks of words" in page.text["segments"]
    for options in (["-m", "bleu"], ["-m", "ter", "--segments", "0"]):
        assert segments_of(Page(report_of(folder, *SYSTEMS, *options)))["shifts"] is None


def test_worth_is_that_of_the_table(folder: Path) -> None:
    options = [*SYSTEMS, "-m", "bleu", "ter", "--samples", "199"]
    worth = Page(report_of(folder, *options)).text["worth"]
    table = json.loads(output_of(["test", *FEW, *options, "-f", "json-signed", "-q"], folder))
    systems = {system["system"]: system for system in table["systems"]}
    for metric in ("BLEU", "TER"):
        text = worth.partition(f"All pairs under {metric}")[2]
        for one, other in ("AB", "AC", "BC"):
            pair = systems[one][metric]["pairs"][other]
            star = "*" * (pair["p_holm"] <= 0.05)
            assert (f"{one}{other}{pair['difference']:+.2f}{star}{pair['difference_low']:+.2f} to "
                    f"{pair['difference_high']:+.2f}{pair['p_holm']:.4f}") in text
            assert one == "B" or metric == "TER" or f"{pair['mde']:.2f}" in worth
    assert pair["agreement"] is None  # (There are two references.)
    assert "Agreement with people" not in worth and "no curve of agreement was fitted to scores of TER" in worth
    assert all("yes (Holm, all 6 tests together)" in text for text in (worth, table["review"]))


def test_the_best_system_comes_first_and_in_bold(folder: Path) -> None:
    content = report_of(folder, "ref", "-i", "out/sys.C.de", "out/sys.A.de", "out/sys.B.de", "-m", "ter", "bleu")
    table = content.partition('aria-label="Scores of all systems"')[2].partition("</table>")[0]
    assert re.findall(r'<th scope="row" dir="auto" data-text="(.)">', table) == ["A", "B", "C"]
    assert re.findall(r'data-text="(.)">. <span class="note">baseline</span>', table) == ["C"]
    [best_cells] = re.findall('data-text="A">A</th>(.*?)</tr>', table)
    assert table.count("<b>") == best_cells.count("><b>") == 2
    assert '<th scope="col" data-first="ascending" data-metric="0">TER</th>' in table
    assert '<th scope="col" data-metric="1">BLEU</th>' in table


def test_documents_beside_segments(folder: Path) -> None:
    write_lines(folder / "docs", [number // 24 for number in range(120)])
    two = ["ref", "-i", "out/sys.A.de", "out/sys.C.de"]
    page = Page(report_of(folder, *two, "--docs", "docs", "--samples", "10000"))
    # Five documents have 32 ways to swap outputs, so that p is 2 / 32 at least.
    assert "A is best (75.98), but not significantly better than C (p\xa0=\xa00.0625)." in page.text["scores"]
    assert ("Systems were compared with A twice: by tests on documents, and by tests on 120 segments. Only one of the "
            "two tests finds a significant difference (p ≤ 0.05, not corrected): C against A under BLEU (p = 0.0625 on "
            "documents, p ≤ 0.0001 on segments).") in page.text["worth"]
    assert "documents" not in Page(report_of(folder, *two)).text["worth"]


def test_scores_and_tests_are_those_of_the_tables(folder: Path) -> None:
    content = report_of(folder, *SYSTEMS, "-w", "4")
    labels = re.findall(r'class="chart interval" role="img" aria-label="([\d.]+) ', content)
    assert labels and all(re.fullmatch(r"\d+\.\d{4}", label) for label in labels)
    options = [*SYSTEMS, "-m", "bleu", "ter", "-l", "en-de"]
    scores = Page(report_of(folder, *options)).text["scores"]
    for line in csv_rows(folder, "test", *FEW, *options, "-ci"):
        if line["score"]:
            assert f"{float(line['score']):.2f}" in scores and f"±\xa0{float(line['ci']):.2f}" in scores
            assert not line["p_value"] or f"{float(line['p_value']):.4f}" in scores
    assert output_of(["test", *FEW, *options, "-ci", "-f", "paper", "-q"], folder).strip() in scores


def test_the_same_input_gives_the_same_bytes(folder: Path) -> None:
    content = report_of(folder, *SYSTEMS)
    assert report_of(folder, *SYSTEMS, name="two.html").replace("two.html", "report.html") == content
    assert not re.search(r"20\d\d-\d\d-\d\d", content)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', content)
    scripts = re.findall(r"<script>(.*?)</script>", content, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", content, re.DOTALL)
    assert policy == (f"default-src 'none'; script-src {markup.csp_hash(scripts[0])}; "
                      f"style-src {markup.csp_hash(styles[0])}; "
                      "img-src blob:; base-uri 'none'; form-action 'none'")  # (a picture that is made to be saved)
    assert (len(scripts), len(styles)) == (1, 1)
    assert not re.search(r"(src|href)=[\"']?(https?:|//)|@import|url\(", content)


def test_texts_are_left_out_on_request(folder: Path) -> None:
    systems = ["out/sys.A.de", "out/sys.B.de"]
    for name, lines in zip(systems, texts_of(folder, *systems)):
        lines[2:4] = [f"Note: zebra{number} http://zebra.example/{number} 4711" for number in (2, 3)]
        write_lines(folder / f"{name}.zebra", lines)
    write_lines(folder / "zebra.src", [f"zebra source {number}" for number in range(120)])
    options = ["ref", "-i", *[f"{name}.zebra" for name in systems], "--source", "zebra.src"]
    content = report_of(folder, *options, "--segments", "0", checks=True)
    assert not re.search(r"zebra source|zebra\d|zebra\.example", content)
    private, some = Page(content), Page(report_of(folder, *options, "--segments", "3", checks=True))
    assert not re.search("zebra|4711", re.sub(r"[\w.]*\.(zebra|src)", "", " ".join(private.text.values())))
    words = (folder / "ref").read_text().split()
    assert not [ngram for ngram in zip(*[words[start:] for start in range(4)]) if " ".join(ngram) in content]
    assert "addresses" in private.text["checks"] and "N-grams" not in private.text["pairs"]
    data = segments_of(private)
    assert (data["source"], data["references"], data["outputs"], len(data["numbers"])) == (None, None, None, 120)
    assert "zebra.example/2" in some.text["checks"] and "zebra.example/3" not in some.text["checks"]
    assert "N-grams" in some.text["pairs"]
    assert [len(segments_of(some)[name]) for name in ("numbers", "lengths", "outputs")] == [3, 3, 3]


def test_rows_alone_make_a_page(folder: Path) -> None:
    output_of([*SYSTEMS, "-m", "bleu", "ter", "--save-rows", "all.rows"], folder)
    page = Page(report_of(folder, "--rows", "all.rows"))
    assert [*page.text] == ["", "scores", "worth", "distributions", "buckets", "pairs", "segments", "origin"]
    from_text = Page(report_of(folder, *SYSTEMS, "-m", "bleu", "ter"))
    assert page.text["scores"].partition("System")[2] == from_text.text["scores"].partition("System")[2]
    data = segments_of(page)
    assert (data["scores"], data["outputs"]) == (segments_of(from_text)["scores"], None)


def test_a_baseline_of_rows_has_numbers_but_no_text(folder: Path) -> None:
    output_of(["ref", "-i", "out/sys.C.de", "--save-rows", "base.rows"], folder)
    two = ["gate", "ref", "-i", "out/sys.A.de", "out/sys.B.de", "--baseline", "base.rows"]
    told(folder, *two, "--margin", "99", "--report", "page.html")
    page = Page((folder / "page.html").read_text(encoding="utf-8"))
    text = Page(report_of(folder, "ref", "-i", "base=out/sys.C.de", "A=out/sys.A.de", "B=out/sys.B.de"))
    data, expected = segments_of(page), segments_of(text)
    assert (data["systems"][0], data["scores"]) == ("base.rows", expected["scores"])
    assert data["outputs"] == [[None, *outputs[1:]] for outputs in expected["outputs"]]
    ngrams = page.text["pairs"].partition("N-grams that")[2].partition("BLEU of each segment")[0]
    assert "sys.B.de against sys.A.de" in ngrams and "sys.A.de against base.rows" not in ngrams
    # (Its path stays out, too.)
    told(folder, "gate", "ref", "-i", str(folder / "out" / "sys.A.de"), "--baseline", str(folder / "base.rows"),
         "--report", "page.html")
    assert str(folder) not in (folder / "page.html").read_text(encoding="utf-8")


def test_a_single_system_and_a_test_set(folder: Path) -> None:
    test_set = ["-t", "sample", "-l", "en-de"]
    (folder / "mixed").write_text(output_of([*test_set, "--echo", "mixed"], folder), encoding="utf-8")
    page = Page(report_of(folder, *test_set, "-i", "mixed"))
    assert "pairs" not in page.text and "original languages" in page.text["buckets"].lower()
    assert None not in (segments_of(page)["source"], segments_of(page)["ids"])


def test_files_that_are_read_are_listed_and_standard_input_is_not(folder: Path) -> None:
    told(folder, "report", *FEW, "--no-checks", "ref", "-i", "-", "-o", "x.html", stdin=(folder / "ref2").read_bytes())
    origin = Page((folder / "x.html").read_text(encoding="utf-8")).text["origin"]
    assert f"ref{hashlib.sha256((folder / 'ref').read_bytes()).hexdigest()}120" in origin
    assert len(re.findall("[0-9a-f]{64}", origin)) == 1


def test_private_folders_are_not_shown(folder: Path) -> None:
    (folder / "blank").write_text("\n" * 120)
    output = str(folder / "out/sys.A.de")
    for arguments in (["-i", output, str(folder / "src")], ["-i", output, f"NAME={folder / 'src'}"],
                      ["-i", f"A={output}", f"B={folder / 'blank'}"],
                      ["--source", str(folder / "src"), "-i", f"A={output}"]):
        assert str(folder) not in report_of(folder, str(folder / "ref"), *arguments), arguments
    assert str(folder / "ref") in report_of(folder, str(folder / "ref"), *arguments, "--paths")


def test_hostile_text_and_names(folder: Path) -> None:
    hostile = ["</script><script>alert(1)</script>", "<!-- <script>", "a\u2028b", "\0 \x07", "\u202eabc", "&lt; \" '",
               "x " * 20_000]
    write_lines(folder / "hostile", hostile)
    data = segments_of(Page(report_of(folder, "hostile", "-i", "hostile", "--names", "</title><b>")))
    assert (data["outputs"][0][0], data["systems"]) == (hostile[0], ["</title><b>"])


def test_the_audit_is_asked_for_with_its_options(folder: Path) -> None:
    assert "audit" not in Page(report_of(folder, "ref", "-i", "out/sys.A.de")).text
    (folder / "counts").write_text("a\t1\n")
    usual, counted = [Page(report_of(folder, "ref", "-i", "out/sys.A.de", "--audit", *more)).text["audit"]
                      for more in ([], ["--counts", "counts"])]
    assert "unk" in usual and usual != counted


def test_reports_have_checks_by_default(folder: Path) -> None:
    [lines] = texts_of(folder, "out/sys.A.de")
    lines[6], lines[20] = "", "a b c d " * 30
    write_lines(folder / "faulty", lines)
    options = ["ref", "-i", "out/sys.B.de", "faulty", "--source", "src"]
    content = report_of(folder, *options, checks=True)
    page = Page(content)
    assert [*page.text][-3:] == ["segments", "checks", "origin"]
    findings = json.loads(output_of(["check", *options, "-f", "json", "-q"], folder))["findings"]
    assert [finding["lines"] for finding in findings if finding["check"] == "empty"] == [[7]]
    assert "emptyfaulty7" in page.text["checks"] and '<a href="#s7">7</a></td>' in content
    assert '<a href="#segments?first=1&amp;check=empty">faulty: 1 line (0.83 %) without text</a>' in content
    for finding in findings:
        start, end = finding["check"] + finding["system"], f"{finding['count']}{100 * finding['share']:.2f} %"
        assert re.search(f"^{start}.*{end}$", page.text["checks"], re.MULTILINE)
    assert "Looked for" in page.text["checks"]
    assert "checks" not in Page(report_of(folder, *options)).text


@refused("reports")
def test_options_that_do_not_go_with_a_report_are_refused(folder: Path, arguments: list[str], code: int,
                                                          message: str) -> None:
    for number in range(21):
        (folder / str(number + 1)).write_bytes((folder / "src").read_bytes())
    assert message in refusal(folder, *arguments, code=code)


def test_the_usual_file_is_that_of_purebleu_alone(folder: Path, tmp_path: Path) -> None:
    two = ["report", *FEW, str(folder / "ref"), "-i", *[str(folder / f"out/sys.{name}.de") for name in "AB"]]
    for _ in range(2):
        assert told(tmp_path, *two)[1].endswith("purebleu: the report is in report.html\n")
    page = tmp_path / "report.html"
    expected = report_of(folder, *two[5:], checks=True)
    assert page.read_text(encoding="utf-8") == expected.replace(" -o report.html -q<", "<")
    for other in ("<!DOCTYPE html>\n<title>coverage</title>\n", ""):
        page.write_text(other)
        message = "report.html exists, and purebleu did not write it: choose another file with -o"
        assert message in refusal(tmp_path, *two)
        assert page.read_text() == other
    assert told(tmp_path, *two, "-o", "report.html", "-q") == ("", "")
    assert "<h1>" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", one_in(3, ["text", "csv", "json"]))
def test_a_report_prints_what_test_prints(folder: Path, form: str) -> None:
    for systems in (SYSTEMS, SYSTEMS[:5]):
        options = [*systems, *FEW, "-f", form]
        printed, errors = told(folder, "report", *options, "-o", "x.html")
        assert (printed, errors.replace("purebleu: the report is in x.html\n", "")) == told(
            folder, "test", "-ci", *options)


def test_a_report_without_tests_says_so(folder: Path) -> None:
    command = ["report", *SYSTEMS, "--no-tests", "-o", "x.html"]
    assert not any(line["p_value"] for line in csv_rows(folder, *command))
    assert "purebleu: not tested\n" in told(folder, *command)[1]
    one = [*SYSTEMS[:4], "-f", "json"]
    assert told(folder, "report", *one, "-o", "x.html")[0] == told(folder, *one)[0]


def test_titles_and_languages(folder: Path) -> None:
    two = ["ref", "-i", "out/sys.A.de", "out/sys.B.de", "-m", "bleu", "chrf"]
    content = report_of(folder, *two, "-l", "en-zh_CN", "--source", "src")
    assert "<h1>BLEU and chrF2 on en-zh_CN: A and B</h1><p>2 systems, 120 segments</p>" in content
    assert segments_of(Page(content))["languages"] == ["en", "zh-CN"]
    content = report_of(folder, *two, "--title", "A < B")
    assert "<title>A &lt; B</title>" in content and "<h1>A &lt; B</h1>" in content
    content = report_of(folder, *two)
    assert "<title>BLEU and chrF2: A and B</title>" in content and "<h1>BLEU and chrF2: A and B</h1>" in content


def test_kinds_of_segments_have_paired_differences(folder: Path) -> None:
    write_lines(folder / "domains", ["news" if number % 3 else "chat" for number in range(120)])
    page = Page(report_of(folder, "ref", "-i", "out/sys.B.de", "out/sys.A.de", "--docs", "domains", "-m", "ter"))
    assert "TER by documents: the difference from A, the best system under TER. Below zero" in page.text["buckets"]
    # Each kind by itself, as a corpus of its own
    for kind, keep in (("chat", 0), ("news", 1)):
        for name, lines in zip(["ref", "A", "B"], texts_of(folder, "ref", "out/sys.A.de", "out/sys.B.de")):
            write_lines(folder / f"{name}.{kind}", [line for line, way in zip(lines, cycle([0, 1, 1])) if way == keep])
        files = [f"ref.{kind}", "-i", f"A.{kind}", f"B.{kind}", "-m", "ter", *FEW]
        table = json.loads(output_of(["test", *files, "-f", "json-signed", "-q"], folder))
        one, two = [system["TER"]["score"] for system in table["systems"]]
        pair = table["systems"][1]["TER"]
        assert f"{kind}{80 if keep else 40}{one:.2f}{two:.2f}; {pair['difference']:+.2f} (" \
            f"{pair['difference_low']:+.2f} to {pair['difference_high']:+.2f})" in page.text["buckets"]
    [group] = segments_of(page)["groups"]
    assert (group["title"], group["labels"]) == ("Documents", ["chat", "news"])
    assert group["kinds"] == [int(number % 3 > 0) for number in range(120)]


def test_a_single_segment_has_no_interval(folder: Path) -> None:
    write_lines(folder / "single", ["chat", *["news"] * 119])
    page = Page(report_of(folder, "ref", "-i", "out/sys.A.de", "out/sys.B.de", "--docs", "single"))
    assert re.search(r"chat1[\d.]+; [+-]\d+\.\d\d\nnews119", page.text["buckets"])
    assert "Differences on kinds of segments are not tested." in page.text["buckets"]
    assert "The p-value (not the interval) decides whether a difference is" in page.text["distributions"]


@pytest.fixture(scope="module")
def looked_at(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """axe-core's findings in a browser, in a report of each kind."""
    skip_without_chromium()
    pages = Path(os.environ.get("PUREBLEU_SCREENSHOTS") or str(tmp_path_factory.mktemp("reports")))
    write_systems(folder, {f"system-{number}": 0.9 - number / 60 for number in range(20)}, 120)
    (folder / "zh").write_text("他昨天去了学校。\n" * 10 + "今天下雨。\n" * 10, encoding="utf-8")
    (folder / "zh.a").write_text("昨天他去学校了。\n" * 10 + "今天会下雨。\n" * 10, encoding="utf-8")
    (folder / "he").write_text("שלום לכולם היום\n" * 20, encoding="utf-8")
    (folder / "he.a").write_text("לכולם שלום Google\n" * 20, encoding="utf-8")
    (folder / "all.tsv").write_text("name\tpair\treferences\thypothesis\tsource\nA\ten-zh\tzh\tzh.a\tzh\n"
                                    "B\ten-zh\tzh\tzh\tzh\nA\ten-he\the\the.a\the\n")
    output_of([*SYSTEMS, "-m", "bleu", "ter", "--save-rows", "kept.rows"], folder)
    kinds = {"one": ["ref", "-i", "out/sys.A.de", "-m", "bleu", "chrf"],
             "two": [*SYSTEMS[:5], "-m", "bleu", "chrf", "ter", "--source", "src", "--audit"],
             "eight": ["ref", "-i", *[f"system-{number}" for number in range(8)], "-m", "bleu", "chrf", "ter"],
             "twenty": ["ref", "-i", *[f"system-{number}" for number in range(20)], "-m", "bleu", "chrf", "ter"],
             "zh": ["zh", "-i", "zh.a", "zh", "-l", "en-zh", "-m", "bleu", "ter", "--ter-asian-support"],
             "he": ["he", "-i", "he.a", "he", "-l", "en-he", "-m", "bleu", "ter"],
             "rows": ["--rows", "kept.rows"], "manifest": ["--manifest", "all.tsv", "-m", "bleu", "chrf"]}
    for name, arguments in kinds.items():
        (pages / f"{name}.html").write_text(report_of(folder, *arguments), encoding="utf-8")
    return seen_in_chromium("reports.mjs", pages, *kinds)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["one", "two", "eight", "twenty", "zh", "he", "rows", "manifest"])
def test_every_kind_of_report_is_accessible_and_fits(kind: str, looked_at: Any) -> None:
    for view, found in looked_at[kind].items():
        assert (found["violations"], found["complaints"], found["overflow"]) == ([], [], 0), view
        assert found["hidden"] <= 0, view
