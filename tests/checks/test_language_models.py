"""Checks of what language models write: phrases, numbers, parts that a translation keeps, languages; fixed outputs."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from purebleu import check, manual
from purebleu.checks.parts import figures_in
from purebleu.checks.phrases.matching import _BEHIND, fixed, phrase_lines, phrases_in
from purebleu.checks.texts import Against
from purebleu.runtime.errors import LengthError, OptionError, UnknownNameError

from ..helpers import SCRIPTS, SHARED, call_cli, load_script, needs_wmt22, refusal, told, write_lines

LANGUAGES = {"en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "ru", "uk", "zh", "ja", "ko", "ar", "hi", "tr", "vi",
             "id"}


def found(name: str, output: str, source: str, *references: str) -> list[str]:
    """The parts that a check finds in an output; those that it lacks have a minus sign."""
    records = check([output], source=[source], references=[[text] for text in references] or None, checks=[name])
    return [("-" if record.span[0] == record.span[1] else "") + record.text for record in records]


# Phrases

def test_every_pattern_finds_its_example_in_every_language() -> None:
    kinds: dict[str, set[str]] = {}
    for kind, language, pattern, example in phrase_lines():
        text = f"Ok. {example}" if kind in _BEHIND else example
        assert phrases_in(text, kind), (kind, language, example)
        assert re.match(pattern, example.lower()), (kind, language, example)
        # (Without repeats of any length, a match ends in time that does not depend on the text.)
        assert not re.search(r"(?<!\\)[*+]|\{\d*,\}", re.sub(r"\[[^]]*\]|\\.", "", pattern)), pattern
        kinds.setdefault(kind, set()).add(language)
    assert {*kinds} == {"preamble", "label", "note", "offer", "candidate", "refusal", "apology", "reasoning"}
    assert all(languages == LANGUAGES for languages in kinds.values())


def test_phrases_of_the_source_are_excused_in_another_language() -> None:
    assert found("chatter", "Ja. Hinweis: Das geht.", "Yes. Note: That works.") == []
    assert found("refusal", "Es tut mir leid, ich kann Ihnen dabei nicht helfen.", "很抱歉，我不能帮您。") == []
    assert found("reasoning", "Analysieren wir das. <think>", "Let's analyze this. <think>") == []
    assert found("reasoning", "İ<Think>", "x") == ["<Think>"]  # (which is longer in lower case)
    assert found("chatter", "a\nb", "c\nd") == [] and found("chatter", "a\nb", "c d") == ["b"]


def test_fixed_outputs_stay_as_they_are() -> None:
    against = Against(["He is here."], [["Er ist da."]])
    for output, expected in (
            ("Sure! Here is the translation:\n\nEr ist da.", "Er ist da."), ("Ja.</think>", "Ja.</think>"),
            ("<think>\nA\n</think>\nÜbersetzung: ```\nEr ist da.\n```", "Er ist da."), ("译文：他在。", "他在。"),
            ("Translation:", "Translation:"), ("```Er ist da.```", "Er ist da."), ("``````", "``````"),
            ("**Translation:** Er ist da.", "Er ist da."), ("Er ist da. (Note: a)", "Er ist da. (Note: a)"),
            ("Translation: **Er** ist da.", "**Er** ist da."), ("_Translation:_ __NAME__ ist da.", "__NAME__ ist da."),
            ("[THINK]A[/THINK]Er ist da.", "Er ist da.")):
        assert fixed(output, against, 0)[0] == expected == fixed(expected, against, 0)[0], output
        assert bool(fixed(output, against, 0)[1]) == (output != expected)
    assert fixed("Translation: x", Against(["Übersetzung: y"]), 0) == ("Translation: x", [])
    assert fixed("**Translation:** x", against, 0)[1] == ["**Translation:**"]


# Numbers

@pytest.mark.parametrize(("text", "values"), [
    ("1,000", ["1/1000"]), ("1.000", ["1/1000"]), ("1 000 000", ["1000000"]), ("1'234.50", ["1234.5"]),
    ("1.234,5", ["1234.5"]), ("12,34,567", ["1234567"]), ("3,5 und 007", ["3.5", "7"]), ("１２．５", ["12.5"]),
    ("१२३", ["123"]), ("١٢٫٥", ["12.5"]), ("3.5.2021", ["3", "5", "2021"]), ("615万2524", ["6152524"]),
    ("2億8,600万", ["286000000"]), ("IV, vier, 四", []), ("1" * 9000, ["1" * 9000]),
    ("12万億3", ["12000000000003"]), ("3万5万", ["3", "5"]),
    ("3兆兆兆5", ["3", "5"])])
def test_figures_are_read_as_people_write_them(text: str, values: list[str]) -> None:
    assert ["/".join(sorted(figure.values)) for figure in figures_in(text)] == values


@pytest.mark.parametrize(("name", "source", "output", "parts"), [
    *[("numbers", *case) for case in (
        ("3.5 km", "35 km", ["35", "-3.5"]), ("3.5 km", "3,5 km", []), ("1.5 million", "150万", []),
        ("1.5 million", "15万", ["15", "-1.5"]), ("177 Milliarden", "1,770 亿", []), ("at 5.30pm", "um 17:30 Uhr", []),
        ("the '80s", "die 1980er", []), ("two", "2", []), ("May 9", "5月9日", []), ("4 cats", "vier Katzen", []),
        ("4 cats", "5 Katzen", ["5", "-4"]), ("1990", "", ["-1990"]), ("新冠", "COVID-19", []),
        ("3643", "3463", ["3463", "-3643"]))],
    ("placeholders", "{n} of %s, 100% sure", "%s von {n}, 100% sicher", []),
    ("placeholders", "%(a)d {{b}} ${c}", "%(a)d {{b}}", ["-${c}"]),
    ("placeholders", "{count, plural, one {#}}", "{Anzahl, plural, one {#}}", ["{Anzahl, plural", "-{count, plural"]),
    ("placeholders", '<x id="1"/> #NAME#', '<x id="2"/> # NAME #', ['<x id="2"/>', '-<x id="1"/>', "-#NAME#"]),
    ("addresses", "See www.a.org, a@b.org.", "Siehe www.a.de, a@b.org에.", ["www.a.de", "-www.a.org"]),
    ("addresses", "@someone in file.pdf", "@jemand in Datei.pdf", ["Datei.pdf", "-@someone", "-file.pdf"]),
    ("markup", '<a title="x">b</a> **c**', '<a title="y">b</a> c', ["-**", "-**"]),
    ("markup", "a", "# a `b`", ["# ", "`", "`"]), ("markup", "a < b > c", "a < b > c", [])])
def test_values_of_numbers_and_other_parts_are_kept(name: str, source: str, output: str, parts: list[str]) -> None:
    assert found(name, output, source) == parts
    assert found(name, output, source, output) == []  # (a reference excuses)


def test_tags_that_are_not_closed_are_found_without_a_source() -> None:
    outputs = ["<b>a</b> <foo/><BR>", "<b>a<br/>", "a</b>"]
    assert [record.text for record in check(outputs, checks=["markup"])] == ["<b>", "</b>"]


def test_joiners_and_marks_of_direction_may_be_needed() -> None:
    for output in ("می\u200cخواهم", "क्\u200dष", "👩\u200d💻", "\u200fשלום", "e\u0301" * 0 + "é"):
        assert found("unicode", output, "x") == [], output
    assert found("unicode", "a\u200db\ud800", "x") == ["U+200D", "U+D800"]
    assert found("unicode", "Vie\u0323\u0302t", "x", "Việt") == ["not NFC"]


def test_lines_in_another_language_are_found() -> None:
    rng = random.Random(3)

    def lines(words: str) -> list[str]:
        return [" ".join(rng.choices(words.split(), k=12)) for _ in range(60)]

    english = lines("the house is near that river and this man was with his brother when they saw each other there")
    german = lines("das haus ist nicht weit vom fluss und dieser mann war mit seinem bruder dort als sie sich sahen")
    dutch = lines("het huis staat niet ver van de rivier en deze man was bij zijn broer toen zij elkaar daar zagen")
    outputs = [*rng.sample(german, 58), english[7], "the"]
    assert [record.line for record in check(outputs, source=english, references=german, checks=["language"])] == [59]
    # Another system is in a third language.
    from purebleu.checks.findings import checked_systems
    against = Against(english, [german], [[*outputs[:59], dutch[3]], dutch])
    checked = checked_systems(["A", "B"], against, checks=["language"])
    assert [(finding.system, [*finding.lines]) for finding in checked.findings] == [
        ("A", [59, 60]), ("B", [*range(1, 61)])]
    assert check(["the"] * 60, source=[""] * 60, references=[""] * 60, checks=["language"]) == []
    with pytest.raises(OptionError, match="language needs 50 lines or more"):
        check(outputs[:49], references=german[:49], checks=["language"])


@pytest.mark.full
@needs_wmt22
@pytest.mark.skipif(not SCRIPTS.is_dir(), reason="there are no scripts")
def test_the_table_of_shared_data_is_as_good_as_promised() -> None:
    table = load_script("dev/generate/check_table").table(SHARED / "data" / "wmt22")
    assert table in manual.page_text("checks")
    rows = {cells[0].strip(" `"): [float(cell) for cell in cells[1:] if cell.strip()]
            for cells in [line.strip("| ").split("|") for line in table.splitlines()[2:]]}
    for name in ("chatter", "refusal", "reasoning"):
        assert rows[name][0] == 0
    assert max(rows.pop("any of these")) < 2
    assert len(rows) == 10
    for alarms, _, found in rows.values():
        assert alarms < 0.5 and found >= 95


# The function and the command

def test_check_in_python() -> None:
    records = check(iter(["Note: a", ""]), source=["b", "c"], references=["Note: e", "d"])
    assert [tuple(record) for record in records] == [(2, "empty", 0, (0, 0), "")]
    for error, arguments in ((UnknownNameError, {"checks": ["loops"]}), (OptionError, {"checks": ["numbers"]}),
                             (LengthError, {"source": ["a", "b"]}), (TypeError, {"source": [None]})):
        with pytest.raises(error):
            check(["a"], **arguments)
    assert check(["a b", "c"], references=[[None, "c"]], checks=["truncated"]) == []
    assert check(["a b c d e f g h"], references=["a"], thresholds={"length": 9}, checks=["length"]) == []


def test_fix_writes_a_file_that_scores_are_signed_by(tmp_path: Path) -> None:
    answers = ["Here is the translation:\n\nEr ist da.", "Sie kam."]
    write_lines(tmp_path / "o.jsonl", [json.dumps({"o": answer}) for answer in answers])
    write_lines(tmp_path / "ref", ["Er ist da.", "Sie kam."])
    done = call_cli(["check", "ref", "-i", "o.jsonl:o", "--fix", "c.jsonl", "-f", "json"], cwd=tmp_path)
    assert done.stderr.decode().splitlines() == [
        'purebleu: o.jsonl:o, line 1: removed "Here is the translation:"', "purebleu: c.jsonl: 1 line of 2 fixed"]
    assert [finding["spans"] for finding in json.loads(done.stdout)["findings"] if finding["check"] == "chatter"] == [
        [[[0, 24, "Here is the translation:"]]]]
    lines = (tmp_path / "c.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["Er ist da.", "Sie kam."]
    assert "--fix has 2 files for 1 system" in refusal(
        tmp_path, "check", "ref", "-i", "c.jsonl:text", "--fix", "d.jsonl", "e.txt", "-q")
    told(tmp_path, "check", "ref", "-i", "c.jsonl:text", "--fix", "e.txt", "-q")
    assert (tmp_path / "e.txt").read_text(encoding="utf-8") == "Er ist da.\nSie kam.\n"
    for name, is_signed in (("c.jsonl:text", True), ("e.txt", False), ("o.jsonl:o", False)):
        assert ("|fix:1|" in json.loads(told(tmp_path, "ref", "-i", name)[0])["signature"]) == is_signed
    for options in (["ref", "-f", "json-signed", "--save-rows", "rows"], ["ref", "-sl", "-f", "csv"], ["audit", "ref"]):
        mixed, messages = told(tmp_path, *options, "-i", "c.jsonl:text", "o.jsonl:o")
        assert "fixed: c.jsonl:text; not fixed: o.jsonl:o" in messages and "fix:1" not in mixed
    assert "fix:1" not in told(tmp_path, "rows", "rows")[0]
    assert "--fix would replace the input o.jsonl" in refusal(tmp_path, "check", "-i", "o.jsonl:o", "--fix", "o.jsonl")


def test_reports_have_the_parts_that_were_found(tmp_path: Path) -> None:
    write_lines(tmp_path / "o", ["Translation: Er ist da.", "Er mag {Anzahl} Äpfel."])
    write_lines(tmp_path / "r", ["Er ist da.", "Er mag {count} Äpfel."])
    call_cli(["report", "r", "-i", "o", "--source", "r", "-o", "p.html", "-q"], cwd=tmp_path)
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert ('"findings":[{"0":[["chatter","Translation:",false]],"1":[["placeholders","{Anzahl}",false],'
            '["placeholders","{count}",true]]}]') in page
    assert '<a href="#s1">1</a> “Translation:”' in page


def test_gates_with_tolerances(tmp_path: Path) -> None:
    write_lines(tmp_path / "o", ["Note: a", "", "", *["a"] * 7])
    for tolerance, code in (("1", 3), ("2", 0), ("19.9%", 3), ("20%", 0), ("0", 3)):
        _, errors = told(tmp_path, "check", "-i", "o", "--fail-on", f"empty={tolerance},loop", code=code)
        assert f"--fail-on empty={tolerance}: o has 2 lines (20.00 %)".replace("=0", "") in errors
