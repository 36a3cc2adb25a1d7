"""`--check` and `--fail-on`: each check with faults put into lines and held to its definition, and all ways to tell."""

from __future__ import annotations

import json
import random
import re
import sys
import tarfile
import unicodedata
import xml.etree.ElementTree
from collections import Counter
from pathlib import Path
from typing import Callable, Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.checks import findings
from purebleu.checks.forms import _Scripts
from purebleu.checks.table import CHECKS
from purebleu.checks.texts import Against
from purebleu.metrics import CHRF, input_checks
from purebleu.metrics.input_checks import TextSample, near_references
from purebleu.unicode.letters import SCRIPT_RUNS, SCRIPTS_OF_RUNS
from purebleu.unicode.properties import boundaries_of, code_points

from .. import helpers
from ..helpers import FIXTURES, SHARED, call_cli, csv_rows, needs_wmt22, refusal, refused, write_lines

PAGE = Path(__file__).resolve().parents[2] / "purebleu" / "manual" / "checks.md"


def found(check: str, outputs: Sequence[str], source: Sequence[str] | None = None,
          references: Sequence[Sequence[str | None]] = (), threshold: float | None = None,
          others: Sequence[Sequence[str]] = ()) -> dict[int, float]:
    """The values of the lines that a check finds in a system, by their indices."""
    against = Against(source, references, [outputs, *others])
    names = list(map(str, range(len(against.systems))))
    checked = findings.checked_systems(names, against, {} if threshold is None else {check: threshold}, [check])
    assert checked.not_looked_at == {}
    return {line - 1: value for finding in checked.findings if finding.system == "0"
            for line, value in zip(finding.lines, finding.values)}


# Faults that are put into lines

#: English sources, and outputs and references in scripts with and without spaces, which the authors wrote.
_COLUMNS = {head: lines for head, *lines in zip(*[
    line.split("\t") for line in (FIXTURES / "parallel.tsv").read_text(encoding="utf-8").splitlines()])}
ENGLISH = _COLUMNS["en"]
TEXTS = {language: (_COLUMNS[language], _COLUMNS[f"{language} (reference)"]) for language in ("zh", "ja", "ru", "de")}

#: For each check of lines, faults: from an output and its source to the line with the fault in it.
FAULTS: dict[str, Sequence[str | Callable[[str, str], str]]] = {
    "copied": ("{source}", lambda output, source: source.replace(",", "").replace(".", " ."),
               lambda output, source: "  " + source.replace(" ", "\u3000", 1) + "!"),
    "empty": ("", " \t\u3000", "\u200b\ufeff"),
    "script": ("Ἐν ἀρχῇ ἦν ὁ λόγος.", "שלום לכולם, מה שלומכם?", "मुझे नहीं पता कि वह कहाँ है।"),
    "loop": (lambda output, source: output + " и" * 9 if " " in output else output + "的" * 20,
             "{output}" + " and so it was" * 5, "{output}" + "abcde" * 9, "{output} " + "ung" * 20),
    "length": ("{output}" * 4, lambda output, source: output[:1]),
    "tokenized": (lambda output, source: re.sub(r"([,.，。、])", r" \1", output),),
    "escapes": ("{output}&quot;", "&#39;{output}", r"{output}\n", "▁{output}", r"{output} \u00e9", "<unk> {output}",
                "{output} Ã©", "schÃ¶n {output}", "{output} donâ€™t", "{output} ä¸\xad",
                lambda output, source: output[:3] + "@@ " + output[3:]),
    "chatter": ("Here is the translation: {output}", "译文：{output}", "{output} (Note: literal.)",
                "{output}\n\n{output}", "{output} Дайте знать, если нужны правки."),
    "refusal": ("I'm sorry, but I can't translate this.", "申し訳ありませんが、この文は翻訳できません。"),
    "reasoning": ("<think>Hm.</think> {output}", "</think>{output}", "Okay, the user wants a translation. {output}"),
    "markup": ("**{output}**", "```\n{output}\n```", "<b>{output}", "[{output}](https://a.org)"),
    "unicode": ("{output}\u200b", "\u202e{output}", "{output}\ufffd", "{output} e\u0301"),
    "truncated": (lambda output, source: output[:len(output) // 2], lambda output, source: f"{output[:-2]}...",
                  lambda output, source: f"{output[:9]} [continues]"),
}


def with_fault(fault: str | Callable[[str, str], str], output: str, source: str) -> str:
    return fault.format(output=output, source=source) if isinstance(fault, str) else fault(output, source)


@pytest.mark.parametrize("language", list(TEXTS))
@pytest.mark.parametrize("check", list(FAULTS))
def test_a_fault_is_found_where_it_is_and_nowhere_else(check: str, language: str) -> None:
    outputs, references = TEXTS[language]
    assert found(check, outputs, ENGLISH, [references]) == {}
    for fault in FAULTS[check]:
        for index in range(len(outputs)):
            lines = list(outputs)
            lines[index] = with_fault(fault, lines[index], ENGLISH[index])
            assert list(found(check, lines, ENGLISH, [references])) == [index], lines[index]


def test_a_reference_or_a_source_with_the_fault_excuses_the_output() -> None:
    outputs, references = TEXTS["de"]
    for check, fault in [(check, fault) for check, faults in FAULTS.items() for fault in faults]:
        if check == "truncated":
            continue
        # (One of two references is enough.)
        usual = ["Der Satz ist deutsch, und er hat viele Buchstaben darin."] * 9
        faulty, faulty_references = [[with_fault(fault, line, source) for line, source in zip(lines, ENGLISH)]
                                     for lines in (outputs, references)]
        assert found(check, usual + faulty, ["x"] * 9 + ENGLISH,
                     [usual + references, [*[None] * 9, *faulty_references]]) == {}
    # So does a source.
    lines = ["A &amp; B", "", "no " * 12]
    assert found("escapes", lines, ["C &amp; D", "x", "x"]) == found("empty", lines, ["x", " ", "x"]) == {}
    assert found("loop", lines, ["x", "x", "nein " * 12]) == {}
    assert found("escapes", ["A &amp; B &amp; C"], ["A &amp; B"]) == {0: 1}


def test_sentences_of_scripts_without_spaces_have_ends() -> None:
    for line, shorter in (("គាត់ទៅសាលារៀន។", "គាត់ទៅសាលា"), ("ཁོ་སློབ་གྲྭར་འགྲོ་གི་འདུག།", "ཁོ་སློབ་གྲྭར་འགྲོ")):
        source, references = ["He goes to school."] * 4, [[line] * 4]
        assert list(found("truncated", [line, line, shorter, line], source, references)) == [2]
        assert found("truncated", [line, line, shorter + line[-1], line], source, references, threshold=1) == {}


# Each check, held to its definition

words = st.sampled_from(["the", "cat", "sat", "Tür", "3.5", ",", ".", "(", ")", "中文字", "字", "&amp;", "", "\u200b"])
lines_of_words = st.lists(words, max_size=12).map(" ".join)
parallel = st.integers(1, 6).flatmap(
    lambda count: st.tuples(*[st.lists(lines_of_words, min_size=count, max_size=count)] * 3))


@given(parallel, st.integers(20, 100))
def test_copied_is_chrf_of_lines_with_three_words(texts: tuple[list[str], ...], threshold: int) -> None:
    outputs, source, references = texts
    metric = CHRF()

    def score(text: str, other: str) -> float:
        return float(metric.sentence_score(text, [other]).score)

    def is_long(line: str) -> bool:
        spoken = [word for word in line.split() if any(character.isalpha() for character in word)]
        return len(spoken) >= 3 or (bool(spoken) and sum(character in "中文字" for character in line) >= 6)

    expected = {index: score(output, source[index]) for index, output in enumerate(outputs)
                if is_long(output) and score(output, source[index]) >= threshold
                and score(references[index], source[index]) < threshold}
    assert found("copied", outputs, source, [references], threshold) == expected


@given(parallel, st.floats(1.01, 3))
def test_length_is_a_factor_of_characters(texts: tuple[list[str], ...], threshold: float) -> None:
    outputs, source, references = texts

    def length(line: str) -> int:
        shown = [character for character in line if not character.isspace() and character != "\u200b"]
        return sum(2 if character in "中文字" else 1 for character in shown)

    def factor(output: str, expected: float) -> float:
        ours = length(output) + 10
        return max(ours / (expected + 10), (expected + 10) / ours)

    def at_least(factors: Iterable[float]) -> dict[int, float]:
        return {index: value for index, (output, value) in enumerate(zip(outputs, factors))
                if length(output) and value >= threshold}

    assert found("length", outputs, None, [references, source], threshold) == at_least([
        min(factor(output, length(text)) for text in texts) for output, *texts in zip(outputs, references, source)])
    ratios = sorted(length(output) / length(text) for output, text in zip(outputs, source)
                    if length(output) and length(text))
    ratio = ratios[len(ratios) // 2] if ratios else 1.0
    assert found("length", outputs, source, [], threshold) == at_least([
        factor(output, ratio * length(text)) for output, text in zip(outputs, source)])


def highest_count(units: Sequence[str], order: int) -> int:
    counts = Counter(tuple(units[start:start + order]) for start in range(len(units) - order + 1))
    return max(counts.values(), default=0)


@given(st.lists(st.lists(st.sampled_from("ab"), max_size=20).map(" ".join), min_size=2, max_size=2),
       st.sampled_from([1.5, 2, 3, 4]))
def test_loop_is_the_highest_count_of_a_4_gram(texts: list[str], threshold: float) -> None:
    output, source = texts
    value = highest_count(output.split(), 4) / max(1, highest_count(source.split(), 4))
    assert found("loop", [output], [source], threshold=threshold) == ({0: value} if value >= threshold else {})


@given(st.text("中文", min_size=10, max_size=40), st.sampled_from([2, 3, 4]))
def test_loop_is_of_8_characters_if_there_are_no_spaces(output: str, threshold: float) -> None:
    value = highest_count(output, 8)
    assert found("loop", [output], threshold=threshold) == ({0: value} if value >= threshold else {})


@given(parallel)
def test_identical_and_reference_are_shares_of_lines(texts: tuple[list[str], ...]) -> None:
    outputs, others, references = texts
    same = [index for index, (output, other) in enumerate(zip(outputs, others)) if output == other]
    share = len(same) / len(outputs)
    for threshold in (0.01, 0.3, 0.5, 1):
        assert found("identical", outputs, threshold=threshold, others=[others]) == (
            dict.fromkeys(same, share) if share >= threshold else {})
    with_text = [index for index, output in enumerate(outputs) if output.replace("\u200b", "").strip()]
    same = [index for index in with_text if outputs[index] in (references[index], others[index])]
    share = len(same) / max(1, len(with_text))
    assert found("reference", outputs, None, [references, others], 0.5) == (
        dict.fromkeys(same, share) if share >= 0.5 else {})


def test_repeated_counts_sources_that_differ() -> None:
    assert found("repeated", ENGLISH * 4, TEXTS["de"][0] * 4) == {}  # (the sources are repeated, as are the outputs)
    lines = ["I can't help with that."] * 5 + ["Yes."] * 5
    assert found("repeated", lines, TEXTS["de"][0][:5] * 2) == dict.fromkeys(range(5), 5)
    assert found("repeated", lines, None, [TEXTS["de"][0][:5] * 2]) == dict.fromkeys(range(5), 5)
    alike = [f"Das ist der Brief Nummer {number}, den er uns gesendet hat." for number in range(10)]
    assert found("repeated", lines, alike) == found("repeated", lines, TEXTS["de"][0][:5] * 2, [alike]) == {}
    many = [" ".join(random.Random(number).sample("abcdefghijklmnopqrstuvwxyz", 12)) for number in range(500)]
    [value] = set(found("repeated", [lines[0]] * 500, many).values())
    assert 4 <= value <= 20


def test_script_takes_what_the_references_have() -> None:
    others = TEXTS["ja"][1]
    assert found("script", ["テレビ", "東京都庁舎", "iPhone 12 Pro", "OK", "Where is it?", "12345"],
                 None, [[*others[:2], "iPhone 12 プロ", *others[3:]]]) == {4: 1.0}
    # Han, which are a third of Japanese, are at home; Latin letters, which are few, are not.
    assert found("script", TEXTS["zh"][0], None, [[f"{line} (TV)" for line in others]]) == {}
    assert list(found("script", ENGLISH, None, [[f"{line} (TV)" for line in others]])) == [*range(6)]
    # A fifth of letters is enough: Serbian in two scripts.
    assert found("script", ENGLISH[:2], None, [["Ово је реченица на српском.", "A ovo je druga rečenica."]]) == {}
    assert found("script", ["12", "?!"], None, [["34", "5"]]) == {}


def test_the_scripts_of_letters_are_those_of_their_names() -> None:
    names = {"HIRAGANA": "Kana", "KATAKANA": "Kana", "CJK": "Han", "LATIN": "Latin", "FULLWIDTH LATIN": "Latin",
             "HANGUL": "Hangul", "CYRILLIC": "Cyrillic", "GREEK": "Greek", "ARABIC": "Arabic", "THAI": "Thai",
             "DEVANAGARI": "Devanagari", "HEBREW": "Hebrew", "GEORGIAN": "Georgian", "HALFWIDTH KATAKANA": "Kana"}
    table = _Scripts()
    numbers = {"": "\0", **{script: character.translate(table) for script, character in zip(
        ("Kana", "Han", "Latin", "Hangul", "Cyrillic", "Greek", "Arabic", "Thai", "Devanagari", "Hebrew", "Georgian"),
        "あ字a한жωبกकאა")}}
    assert len({*numbers.values()}) == len(numbers)
    seen: Counter[str] = Counter()
    for character in map(chr, [*range(0x41, 0x1200), *range(0x3041, 0x3100), *range(0x4E00, 0x4F00),
                               *range(0xAC00, 0xAD00), *range(0xFF21, 0xFF9E)]):
        script = character.translate(table)
        name, category = unicodedata.name(character, ""), unicodedata.category(character)
        start = re.match("(?:FULLWIDTH |HALFWIDTH )?[A-Z]+", name)
        if category[0] not in "LMC":
            assert script == "\0", character
        elif category in ("Lo", "Ll", "Lu") and start and start[0] in names:  # (others are common to several)
            assert script in (numbers[names[start[0]]], "\0"), character  # (newer letters have none)
            seen[start[0]] += script != "\0"
    assert all(seen[name] > 20 for name in names), seen
    assert [character.translate(table) for character in "aÉжΩＡ1.ー"] == [
        numbers[script] for script in ("Latin", "Latin", "Cyrillic", "Greek", "Latin", "", "", "")]
    starts = boundaries_of(SCRIPT_RUNS)
    assert list(starts) == sorted(set(starts))
    assert len(starts) == len(code_points(SCRIPTS_OF_RUNS))


def test_tokenized_is_found_in_both_directions() -> None:
    tokenized = ["Yes , he came .", "No ( never ) .", "It was late , and cold ."]
    plain = ["Yes, he came.", "No (never).", "It was late, and cold."]
    assert found("tokenized", tokenized, None, [plain]) == {0: 1, 1: 1, 2: 1}
    assert found("tokenized", plain, None, [tokenized]) == {0: 1, 1: 1, 2: 1}
    assert found("tokenized", tokenized, None, [tokenized]) == found("tokenized", plain, None, [plain]) == {}
    assert found("tokenized", tokenized, None, [plain, tokenized]) == {}
    # References without marks are as all others are; a typing error is a small share.
    assert found("tokenized", tokenized, None, [[tokenized[0], "No", tokenized[2]]]) == {}
    assert found("tokenized", ["He came , saw, and left, too."], None, [["He came, saw, and left."]]) == {}
    # French, numbers, and points that belong to what follows.
    french = ["Vraiment ? Oui !", "Il a dit : non ; c'est tout.", "Le prix : 3,5 €, ou .5 ..."]
    assert found("tokenized", french, None, [[line.replace(" ?", "?") for line in french]]) == {}


def test_usual_text_has_no_escapes() -> None:
    for line in (
            "AT&T and R&D", "AMANHÃ, IRMÃO!", "CORAÇÃO", "«MANHû", "él está aquí", "Ñandú", "Ð og Þ", "a@b.org, @ 5",
            "5 < 6 > 4", "à « Paris »", "50 % [1]", "voilà…", "naïve café", "Æ ø å", "#1 & #2;", "C:/tmp", "&c.",
            "à l’été", "e\u0301"):
        assert found("escapes", [line]) == {}, line


@given(st.text("äöüßéèñçÜÄ", min_size=1, max_size=5))  # (of quotation marks after a letter, nobody can tell)
def test_garbled_text_is_found(text: str) -> None:
    assert found("escapes", [f"x {text.encode().decode('cp1252')} y"])[0] == len(text)


def test_checks_without_their_texts_are_named() -> None:
    everything = findings.checked_systems(["A", "B"], Against(["x"] * 50, [["y"] * 50], [["a"] * 50, ["b"] * 50]))
    assert everything.not_looked_at == {} and [*everything.thresholds] == [*CHECKS]
    nothing = findings.checked_systems(["A"], Against(systems=[["a"]]))
    assert [*nothing.thresholds] == ["empty", "loop", "escapes", "chatter", "refusal", "reasoning", "markup", "unicode"]
    assert nothing.not_looked_at == {name: " or ".join(check.needs) for name, check in CHECKS.items() if check.needs}


def test_thresholds_are_those_of_the_manual() -> None:
    if not PAGE.is_file():
        pytest.skip("the repository is not there")
    rows = re.findall(r"^\| `(\w+)` \| .* \| ([\d.]+) \|$", PAGE.read_text(encoding="utf-8").partition("## False")[0],
                      re.MULTILINE)
    assert [(name, float(threshold)) for name, threshold in rows] == [
        (name, check.threshold) for name, check in CHECKS.items()]
    for check in CHECKS.values():
        assert check.lowest <= check.threshold <= check.highest


# The command line

@pytest.fixture
def folder(tmp_path: Path) -> Path:
    outputs, references = TEXTS["de"]
    faulty = [ENGLISH[0], "", *outputs[2:4], outputs[4] + " so" * 12, outputs[5].replace(".", " .")]
    for name, lines in {"src": ENGLISH, "ref": references, "good": outputs, "faulty": faulty, "same": outputs}.items():
        write_lines(tmp_path / name, lines)
    return tmp_path


def told(folder: Path, *arguments: str, code: int = 0, stdin: bytes = b"") -> tuple[str, list[str]]:
    """Standard output, and the lines of standard error."""
    printed, errors = helpers.told(folder, *arguments, code=code, stdin=stdin)
    return printed, errors.splitlines()


def findings_of(text: str) -> dict[tuple[str, str], list[int]]:
    return {(finding["check"], finding["system"]): finding["lines"] for finding in json.loads(text)["findings"]}


FOUND = {"copied": [1], "empty": [2], "loop": [5], "tokenized": [6]}


def test_json_has_what_was_found(folder: Path) -> None:
    checked = json.loads(told(folder, "check", "ref", "-i", "good", "faulty", "--source", "src", "-f", "json")[0])
    assert checked["systems"] == ["good", "faulty"] and checked["segments"] == 6
    assert {finding["check"]: finding["lines"] for finding in checked["findings"]} == FOUND
    for finding in checked["findings"]:
        assert finding["system"] == "faulty" and finding["count"] == len(finding["lines"]) == len(finding["values"])
        assert finding["share"] == finding["count"] / 6
        assert finding["threshold"] == CHECKS[finding["check"]].threshold
    assert [one["check"] for one in checked["looked_for"]] == [check for check in CHECKS if check != "language"]
    assert checked["not_looked_at"] == [{"check": "language", "needs": "50 lines or more"}]


def test_every_format_tells_the_same(folder: Path) -> None:
    arguments = ["check", "ref", "-i", "good", "faulty", "-f"]
    expected = {check: lines for check, lines in FOUND.items() if check != "copied"}
    for form in ("csv", "tsv"):
        rows = csv_rows(folder, *arguments[:-1], form=form)
        assert {(row["check"], row["system"]) for row in rows} == {
            (check, system) for check in CHECKS for system in ("good", "faulty")}
        assert {row["check"]: list(map(int, row["lines"].split())) for row in rows if row["lines"]} == expected
        assert {row["check"] for row in rows if not row["count"]} == {
            "copied", "placeholders", "numbers", "addresses", "language"}
        assert {row["count"] for row in rows if row["check"] == "length"} == {"0"}
    for form in ("text", "markdown", "html", "latex"):
        text, errors = told(folder, *arguments, form)
        assert all(check in text for check in CHECKS) and "needs a source" in text and not errors
        assert text.count("16.67") == 3
    assert [line.split("::")[1] for line in told(folder, *arguments, "github")[0].splitlines()] == [
        *[f"warning title={check}" for check in expected], *[f"notice title={check}" for check in (
            "copied", "placeholders", "numbers", "addresses", "language")]]


def test_some_checks_alone(folder: Path) -> None:
    arguments = ["check", "ref", "-i", "faulty", "--source", "src", "--only", "Copied,loop", "--only", "identical"]
    checked = json.loads(told(folder, *arguments, "--check-threshold", "loop=4", "-f", "json")[0])
    assert {finding["check"]: finding["lines"] for finding in checked["findings"]} == {"copied": [1], "loop": [5]}
    assert [(one["check"], one["threshold"]) for one in checked["looked_for"]] == [
        ("copied", CHECKS["copied"].threshold), ("loop", 4)]
    assert [one["check"] for one in checked["not_looked_at"]] == ["identical"]
    assert "gate FAILED: --fail-on loop: faulty has" in told(folder, *arguments, "--fail-on", "loop", code=3)[1][0]


def test_identical_systems_and_references(folder: Path) -> None:
    arguments = ["check", "ref", "-i", "good", "same", "ref", "--fail-on", "identical,reference"]
    text, errors = told(folder, *arguments, "-f", "json", code=3)
    assert [(finding["check"], finding["system"], finding.get("other"), finding["lines"])
            for finding in json.loads(text)["findings"]] == [
        ("identical", "good", "same", [*range(1, 7)]), ("reference", "ref", None, [*range(1, 7)])]
    assert [line.split(" (")[0] for line in errors] == [
        "purebleu: gate FAILED: --fail-on identical: good has 6 lines",
        "purebleu: gate FAILED: --fail-on identical: same has 6 lines",
        "purebleu: gate passed: --fail-on identical: nothing was found in ref",
        "purebleu: gate passed: --fail-on reference: nothing was found in good",
        "purebleu: gate passed: --fail-on reference: nothing was found in same",
        "purebleu: gate FAILED: --fail-on reference: ref has 6 lines"]
    assert "that good has, too" in errors[1]
    assert "good = same" in told(folder, *arguments[:6])[0]


@pytest.mark.parametrize(("command", "options"), [("check", ["-f", "text"]), ("check", ["-f", "csv"]), (
    "gate", ["-m", "bleu", "chrf", "-f", "text"]), ("gate", ["-m", "ter", "-f", "csv"])])
def test_gates_fail_with_and_without_scores(command: str, options: list[str], folder: Path) -> None:
    arguments = [command, "ref", "-i", "faulty", "--source", "src", *options]
    plain, _ = told(folder, *(arguments if command == "check" else ["ref", "-i", "faulty", *options]))
    for names, failed in (("copied,empty", 2), ("length,loop", 1), ("length,script,escapes", 0)):
        for quiet, count in ([], len(names.split(","))), (["-q"], failed):
            text, errors = told(folder, *arguments, "--fail-on", names, *quiet, code=3 if failed else 0)
            assert (text, len(errors)) == (plain, count)
            assert sum("gate FAILED: --fail-on " in line for line in errors) == failed


def test_gates_of_scores_and_of_checks_are_reported_together(folder: Path) -> None:
    _, errors = told(folder, "gate", "ref", "-i", "good", "faulty", "--min", "bleu=1", "--fail-on", "empty",
                     "--fail-on", "loop,empty", "--junit", "junit.xml", code=3)
    assert [line.split(": ")[1] for line in errors] == [
        "gate passed", "gate passed", "gate passed", "gate FAILED", "gate passed", "gate FAILED"]
    cases = xml.etree.ElementTree.parse(str(folder / "junit.xml")).findall(".//testcase")
    assert [(case.get("classname"), case.get("name"), case.find("failure") is not None) for case in cases[2:]] == [
        ("good", "--fail-on empty", False), ("faulty", "--fail-on empty", True), ("good", "--fail-on loop", False),
        ("faulty", "--fail-on loop", True)]
    text, errors = told(folder, "gate", "ref", "-i", "faulty", "--fail-on", "empty", "-f", "github", code=3)
    assert text.startswith("::error title=--fail-on empty::faulty has 1 line (16.67 %25) without text") and not errors


@pytest.mark.parametrize("baseline", ["faulty", "faulty.rows"])
def test_a_baseline_is_not_looked_at(baseline: str, folder: Path) -> None:
    told(folder, "ref", "-i", "faulty", "--save-rows", "faulty.rows")
    arguments = ["gate", "ref", "--baseline", baseline, "--samples", "9", "--fail-on", "empty,loop", "-q"]
    assert told(folder, *arguments, "-i", "good") == told(folder, *arguments[:-3], "-q", "-i", "good")
    told(folder, *arguments, "-i", "ref", "good", "faulty=src")
    assert told(folder, *arguments, "-i", "good", "x=same", stdin=b"")[1] == []


def test_thresholds_are_set_and_shown(folder: Path) -> None:
    arguments = ["check", "ref", "-i", "good", "-f", "json", "--check-threshold", "length=1.1"]
    checked = json.loads(told(folder, *arguments, "--check-threshold", "Empty=50")[0])
    assert {(finding["check"], finding["threshold"]) for finding in checked["findings"]} == {("length", 1.1)}
    thresholds = {one["check"]: one["threshold"] for one in checked["looked_for"]}
    assert thresholds == {**{name: CHECKS[name].threshold for name in thresholds}, "length": 1.1, "empty": 50}
    _, errors = told(folder, "gate", *arguments[1:4], "--fail-on", "length", *arguments[-2:], code=3)
    assert "by a factor of at least 1.1" in errors[0]


def test_the_source_of_a_test_set_is_looked_at(folder: Path) -> None:
    source = told(folder, "-t", "sample", "-l", "en-de", "--echo", "src")[0].encode()
    arguments = ["-t", "sample", "-l", "en-de"]
    for more in ([], ["--origlang", "de"], ["--origlang", "en"]):
        text, _ = told(folder, "check", *arguments, *more, "-f", "json", stdin=source)
        [lines] = [lines for (check, _), lines in findings_of(text).items() if check == "copied"]
        assert len(lines) == json.loads(text)["segments"] and set(lines) <= set(range(1, 25))
        assert (lines == [*range(1, 25)]) == (not more)
    text, errors = told(folder, "gate", *arguments, "--fail-on", "copied", stdin=source, code=3)
    assert text.startswith("BLEU|") and "24 lines (100.00 %) copied from the source" in " ".join(errors)


def test_systems_in_standard_input(folder: Path) -> None:
    columns = b"x\ty\n\ty\n"
    text, [error] = told(folder, "check", "-f", "json", stdin=columns)
    assert findings_of(text) == {("empty", "System 1"): [2]} and "standard input has 2 systems" in error
    text, _ = told(folder, "check", "--names", "A", "B", "-f", "json", stdin=columns)
    assert json.loads(text)["systems"] == ["A", "B"]


def test_several_references_of_a_line_and_columns(folder: Path) -> None:
    write_lines(folder / "two", ["Sie kam , spät .\tSie kam, spät.", "\tx"])
    write_lines(folder / "out.jsonl", ['{"o": "Sie kam , zu spät .", "s": "She came late."}', '{"o": " ", "s": "y"}'])
    options = ["-i", "out.jsonl:o", "--source", "out.jsonl:s", "-f", "json"]
    for references, expected in (["two", "-nr", "2"], {}), ([], {("empty", "out.jsonl:o"): [2]}):
        assert findings_of(told(folder, "check", *references, *options)[0]) == expected


@refused("checks")
def test_options_that_do_not_go_together_are_refused(folder: Path, arguments: list[str], code: int,
                                                     message: str) -> None:
    assert message in refusal(folder, *arguments, code=code, stdin=b"a\n" * 6)


# False alarms on real data

def lines_of(content: bytes) -> list[str]:
    return [line.rstrip() for line in content.decode("utf-8").split("\n")[:-1]]


def real_texts() -> Iterable[tuple[str, list[str] | None, list[list[str]], dict[str, list[str]]]]:
    """Sources, references and outputs: the column of the manual's table, and these."""
    data, archives = SHARED / "data", SHARED / "archives"

    def read(path: Path) -> list[str]:
        return lines_of(path.read_bytes())

    for pair in ("en-de", "en-ja", "en-zh", "zh-en"):
        start = f"generaltest2022.{pair}"
        yield ("WMT22", read(data / "wmt22" / f"{start}.src.{pair[:2]}"),
               [read(path) for path in sorted((data / "wmt22").glob(f"{start}.ref.*"))],
               {path.name: read(path) for path in sorted((data / "wmt22").glob(f"{start}.hyp.*"))})
    for name in ("kyoto-ja/kyoto-test.{}.ja", "flores-ko/flores101.devtest.en-ko.{}.ko"):
        yield ("Japanese and Korean", None, [read(data / name.format("ref"))], {name: read(data / name.format("hyp"))})
    for code in ("deu", "kor", "rus", "spa"):
        yield ("human translations", read(archives / "ntrex" / "newstest2019-src.eng.txt"), [],
               {code: read(archives / "ntrex" / f"newstest2019-ref.{code}.txt")})
    for name in ("mtedx-test.tar.gz", "multi30k_test_sets_d3ec2a38.tar.gz"):
        with tarfile.open(archives / name) as archive:
            members = {member.name.lstrip("./"): member for member in archive.getmembers() if member.isfile()}
            for path in sorted(members):
                start, _, language = path.rpartition(".")
                source = start.rpartition("-")[2][:2] if name.startswith("mtedx") else "en"
                if language != source and f"{start}.{source}" in members:
                    texts = [lines_of(archive.extractfile(members[f"{start}.{code}"]).read())  # type: ignore[union-attr]
                             for code in (source, language)]
                    yield "human translations", texts[0], [], {path: texts[1]}


@needs_wmt22
@pytest.mark.skipif(sys.platform in ("emscripten", "wasi"), reason="takes long")
def test_false_alarms_on_real_data_are_those_of_the_table() -> None:
    text = (Path(__file__).parent / "false_alarms.md").read_text(encoding="utf-8")
    head, _, *rows = re.findall(r"^\|.*\|$", text, re.MULTILINE)
    columns = [cell.strip() for cell in head.split("|")[2:-1]]
    table = {row.split("|")[1].strip(" `"): [cell.strip() for cell in row.split("|")[2:-1]] for row in rows}
    counts: dict[str, Counter[str]] = {column: Counter() for column in columns}
    for column, source, references, systems in real_texts():
        checked = findings.checked_systems(list(systems), Against(source, references, list(systems.values())))
        counts[column].update({"texts": len(systems), "lines": sum(map(len, systems.values()))})
        counts[column].update(dict.fromkeys(checked.thresholds, 0))
        for finding in checked.findings:
            counts[column][finding.check] += len(finding.lines)
    assert table == {name: [f"{counts[column][name]:,}" if name in counts[column] else "–" for column in columns]
                     for name in ("texts", "lines", *CHECKS)}


def test_references_made_from_a_system_are_warned_of(tmp_path: Path) -> None:
    rng = random.Random(5)
    words = [f"word{number}" for number in range(3000)]

    def changed(line: str, share: float) -> str:
        return " ".join([word if rng.random() < share else rng.choice(words) for word in line.split()])

    meant = [" ".join(rng.choices(words, k=12)) for _ in range(150)]
    systems = {name: [changed(line, 0.6) for line in meant] for name in "AB"}
    references = {"independent": [changed(line, 0.5) for line in meant],
                  "edited": [changed(line, 0.95) for line in systems["B"]]}
    for name, lines in {**systems, **references}.items():
        write_lines(tmp_path / name, lines)
    write_lines(tmp_path / "all.tsv", ["name\tpair\treferences\thypothesis", *[
        f"{name}\t{pair}-de\tedited\t{name}" for pair in ("en", "zh") for name in "AB"]])
    two = ["edited", "-i", "A", "B"]
    for command in (["check", *two], ["check", *two, "-q"], ["check", "independent", *two],
                    [*two, "--paired-bs", "-pbsn", "20"], ["report", *two, "-m", "chrf"], ["test", *two, "independent"],
                    ["gate", *two, "--baseline", "A"], ["test", "--manifest", "all.tsv"],
                    ["--manifest", "all.tsv", "--paired-ar", "-parn", "20"]):
        lines = call_cli(command, cwd=tmp_path).stderr.decode().splitlines()
        warnings = [line.partition("references")[0] for line in lines if "nearer" in line and "(chrF2 9" in line]
        assert warnings == ["purebleu: warning: B is far nearer to the "] * ("-q" not in command)
        assert len(lines) == len(warnings) or "check" not in command
    for command in (["check", "independent", "-i", "A", "B"], ["independent", "-i", "A", "B", "--paired-ar"], two,
                    ["edited", "-i", "B"]):
        assert "nearer" not in call_cli(command, cwd=tmp_path).stderr.decode()
    assert near_references([systems["B"]], [references["edited"]]) == []
    assert near_references([lines[:99] for lines in systems.values()], [references["edited"][:99]]) == []


def test_many_similar_systems_are_not_all_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"{number} {number ** 5} {number ** 7} words" for number in range(100)]
    systems = [[f"{line} {system}" for line in lines] for system in range(12)]
    compared: list[Sequence[str]] = []

    def similarity(lines: Sequence[str], reference: Sequence[str]) -> float:
        compared.append(lines)
        return 90

    monkeypatch.setattr(input_checks, "_similarity", similarity)
    assert near_references(systems, [lines]) == [] and len(compared) == 2 * len(systems)


def test_a_sample_of_text_is_spread_over_all_of_it() -> None:
    sample = TextSample()
    lines = [f"{number} {number ** 5} {number ** 7} words" for number in range(5000)]
    others = [f"{number ** 3} text" for number in range(5000)]
    for start in range(0, 5000, 700):
        block = lines[start:start + 700]
        # (The first segments have one reference.)
        sample.see([block, others[start:start + 700]], [others[:len(block)], lines[start:start + 700]][start == 0:])
    assert sample._segments[0][0] == [lines[0], others[0]] and 250 <= len(sample._segments) <= 500
    assert [segment[0][0] for segment in sample._segments] == lines[::16]
    [(system, with_reference, _)] = sample.near_references()
    assert system == 0 and with_reference == 100


@needs_wmt22
def test_references_of_shared_data_were_made_from_no_system() -> None:
    for pair, target in (("en-de", "de"), ("en-zh", "zh"), ("en-ja", "ja"), ("zh-en", "en")):
        outputs, references = [
            [path.read_text(encoding="utf-8").split("\n")[:-1] for path in
             sorted((SHARED / "data" / "wmt22").glob(f"*.{pair}.{kind}.*.{target}"))] for kind in ("hyp", "ref")]
        assert len(outputs) > 1 and near_references(outputs, references) == []
        sample = TextSample()
        sample.see(outputs, references)
        assert sample.near_references() == []
        edited = [line[:len(line) // 2] + line[len(line) // 2 + 2:] for line in outputs[0]]
        assert [system for system, _, _ in near_references(outputs, [edited])] == [0]
