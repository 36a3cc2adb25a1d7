"""Every option of every command: it has an effect, or it is refused in one line."""

from __future__ import annotations

import ast
import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Sequence

import pytest

from purebleu.cli.commands import command_named
from purebleu.cli.output import page

from .. import PACKAGE
from ..helpers import call_cli, lines_of_section, one_in, refusal, refused, run_cli, write_lines
from ..test_minimal_python import MISSING

pytestmark = pytest.mark.skipif(sys.platform in ("emscripten", "wasi"), reason="there are no such files")

#: With these, tests of significance take a fraction of the time.
FEW = ["--samples", "59"]

#: Command lines of each command, by what they score; the texts are those of `folder`.
LINES: dict[str, dict[str, list[str]]] = {}
for _line in lines_of_section("commands.txt", "lines"):
    _kind, _, _words = _line.partition(": ")
    LINES.setdefault(_kind.partition(", ")[0], {})[_kind.partition(", ")[2]] = _words.split()

#: Values of each option, one of which has to have an effect. (Without any, it is a switch.)
VALUES: dict[str, Sequence[Sequence[str]]] = {
    "references": [["second"]], "input": [["three"]], "num_refs": [["2"]], "names": [["X"], ["X", "Y"]],
    "runs": [["C=three"]], "ids": [["ids"]], "manifest": [["all.tsv"]], "encoding": [["latin-1"]],
    "reference_encoding": [["latin-1"]], "normalize": [["nfkc"]], "save_resegmented": [["x.txt"]],
    "langpair": [["en-zh"], ["en-de"], ["de-en"]], "test_set": [["sample"], ["wmt17"]],
    "origlang": [["de"], ["non-de"]], "subset": [["x"]], "echo": [["ref"]], "download": [["sample"]],
    "mirror": [["."]], "save_rows": [["x.rows"]], "offset": [["3"]], "sha256": [["0" * 64]], "rows": [["saved.rows"]],
    "metrics": [["chrf"], ["ter"], ["bleu", "chrf"]],
    "signature": [["BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp"],
                  ["chrF2|nrefs:1|case:lc|eff:yes|nc:6|nw:0|space:no"]],
    "gleu_min_order": [["2"]], "gleu_max_order": [["2"]], "rouge_tokenize": [["unicode"]],
    "bleu_tokenize": [["char"]], "bleu_smooth_method": [["floor"], ["add-k"]], "bleu_smooth_value": [["0.5"]],
    "nonbreaking_prefixes": [["prefixes"]], "counts": [["counts"]], "chrf_char_order": [["2"]],
    "chrf_word_order": [["2"]], "chrf_beta": [["1"]], "confidence_n": [["9"]], "paired_bs_n": [["9"]],
    "paired_ar_n": [["9"]], "samples": [["9"]], "correction": [["none"], ["holm"]], "against": [["two"], ["B"]],
    "seed": [["7"]], "rng": [["numpy"]], "min": [["bleu=99"]], "max": [["bleu=1"]],
    "baseline": [["two"]], "must_not_lose": [["0.1"]], "margin": [["1"]], "junit": [["junit.xml"]],
    "buckets": [["length"]], "worst": [["2"]], "best": [["1"]], "differences": [["1"]],
    "show": [["1"]], "confusions": [["2"]], "only": [["length"], ["empty"]],
    "format": [["text"], ["json"], ["csv"], ["html"], ["github"], ["paper"]],
    "power": [["0.5"]], "unit": [["doc"]], "docs": [["docs"]], "strata": [["docs"], ["origlang"]],
    "report": [["other.html"]], "output": [["other.html"], ["other.json"]], "title": [["A title"]], "source": [["ids"]],
    "segments": [["1"]], "width": [["6"]], "scores": [["x=numbers"], ["x=numbers", "numbers2"]],
    "scores_lower": [["x"]], "scores_signature": [["x=v1"]], "equal_outputs": [["tie"]],
    "human": [["numbers"], ["numbers", "numbers2"]],
    "human_systems": [["systems"]], "measures": [["pearson"]], "trials": [["20"]], "count": [["2"]],
    "fail_on": [["tokenized"], ["length,empty"]], "check_threshold": [["length=1.1"], ["empty=40"]],
    "words": [["sample", "-l", "en-de"]], "files": [["one.rows"]],
}

#: Promises about any run, which it keeps; and statements about its input, which need not change a score.
#: (Lines that are those of the references stay so under --resegment, and ASCII under --normalize.)
KEPT = {"quiet", "no_color", "offline", "mirror", "jobs", "version", "help", "encoding", "langpair", "bleu_force",
        "resegment", "normalize", "scores_lower", "paths", "no_tests", "no_checks", "no_power", "no_worth"}


#: Variables with which nothing is fetched, and the cache is empty.
NO_NETWORK = {"PUREBLEU_CACHE": "cache", "PUREBLEU_OFFLINE": "1"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that command lines need."""
    made = tmp_path_factory.mktemp("commands")
    lines = ["The cat sat on the mat in the hall.", "It was a rainy day, and nobody came!", "Füße, “quotes” – 3.5 €!",
             "Dogs and cats ran home again today.", "Oh no."]
    texts = {"ref": lines, "second": [line.upper() for line in lines], "ids": [f"id-{line[:3]}" for line in lines],
             "one": [line.replace("a", "o", 1).replace(",", "") for line in lines],
             "two": [line.rpartition(" ")[0].lower() for line in lines], "three": lines[::-1],
             "samples": [f"{line}\t{line.lower()} {line[:9]}\t{line[4:]}x, y, and zz" for line in lines],
             "prefixes": ["Dr"], "counts": ["cat\t1"], "short": lines[:2], "empty": ["a\tb", ""], "docs": [*"xxyyy"],
             "many": lines * 5, "more": lines[::-1] * 5, "numbers": [*"13254"], "numbers2": [*"22155"],
             "numbers3": [*"41223"], "systems": ["one 3", "two 4"],
             "mixed.systems": ["mixed 3", "mixed2 4", "mixed3 1"],
             "all.tsv": ["name\tpair\treferences\thypothesis", "A\ten-de\tref\tone", "B\ten-de\tref\ttwo"]}
    texts["wrong.tsv"] = [*texts["all.tsv"], "C\ten-de\tref\tnope"]
    texts["short.tsv"] = [*texts["all.tsv"], "A\ten-fr\tref\tshort", "B\ten-fr\tref\ttwo"]
    texts["other.scores"] = [f"{system} {line}" for line in range(5) for system in ("three", "two")]
    texts["good.jsonl"] = [f'{{"x": "{line}"}}' for line in lines]
    texts["bad.jsonl"] = [*texts["good.jsonl"][1:], "{"]
    (made / "latin").write_bytes("".join([f"{line[:20]} ä\n" for line in lines]).encode("latin-1", "replace"))
    (made / "ref.gz").write_bytes(b"no gzip\n")
    for name, text in texts.items():
        write_lines(made / name, text)
    mixed = run(made, ["-t", "sample", "-l", "en-de", "--echo", "mixed"])[1].splitlines()
    for name, old, new in (("mixed", ",", ""), ("mixed2", "e", "a"), ("mixed3", "ie", "EI")):
        write_lines(made / name, [line.replace(old, new) for line in mixed])
    for arguments in (["ref", "-i", "one", "two", "--save-rows", "saved.rows", "-q"],
                      ["ref", "-i", "one", "--save-rows", "one.rows", "-q"], ["bundle", "sample.pb", "sample"]):
        for name, content in run(made, arguments)[3].items():
            (made / name).write_bytes(content)
    return made


def run(folder: Path, arguments: Sequence[str]) -> tuple[int, str, str, dict[str, bytes]]:
    """The exit code, both outputs, and what is written, of a command line that can fetch nothing."""
    before = times_of_files(folder)
    done = call_cli(arguments, cwd=folder, env=NO_NETWORK)
    changed = [name for name, time in times_of_files(folder).items() if before.get(name) != time]
    written = {name: (folder / name).read_bytes() for name in changed}
    for name in {*changed} - {*before}:
        (folder / name).unlink()
    return done.returncode, done.stdout.decode(), done.stderr.decode(), written


def times_of_files(folder: Path) -> dict[str, int]:
    """When each file in a folder was changed. (This is asked for thousands of times, so that no paths are made.)"""
    return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(folder) if entry.is_file()}


def given(option: Any, values: Sequence[str]) -> list[str]:
    return list(values) if option.form == "positional" else [option.names[0], *values]


#: The lines of each command that the default tier tries with all options, apart from reports, which take long; and
#: those that the full tier tries.
IN_DEFAULT, IN_FULL = 1, 3


@pytest.mark.parametrize(("word", "kind"), [
    pytest.param(word, kind, marks=pytest.mark.heavy if place >= IN_FULL else
                 pytest.mark.full if place >= IN_DEFAULT or word == "report" else ())
    for word, kinds in LINES.items() for place, kind in enumerate(kinds)])
def test_an_option_has_an_effect_or_is_refused(folder: Path, word: str, kind: str,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "_command", lambda settings: "")  # (a page shows all options and files)
    monkeypatch.setattr(page, "input_files", lambda inputs, settings: [])
    line = [word, *LINES[word][kind]]
    usual = run(folder, line)
    assert usual[0] == 0, usual[2]
    silent: list[str] = []
    command = command_named(word)
    for group in command.all_groups:
        for option in group.options:
            tried = VALUES.get(option.destination, [[]])
            if option.destination in KEPT or (any(name in line for name in option.names) and (
                    option.form != "one" or tried[0][0] in line)):
                continue  # (given twice, it says the same)
            if option.form == "switch" and getattr(command.values, option.destination) == option.constant:
                continue  # (the default)
            effects = [run(folder, [*line, *given(option, values)]) for values in tried]
            assert all(code in (0, 3) or (code in (1, 2, 17) and error.count("purebleu: error: ") == 1)
                       for code, _, error, _ in effects), effects
            if all(effect == usual for effect in effects):
                silent.append(option.names[0])
    assert silent == []


@pytest.mark.parametrize("word", one_in(2, [word for word in LINES if command_named(word).formats]))
def test_every_format_is_printed(folder: Path, word: str) -> None:
    """`-w` and `-sh` have an effect on each, or are refused: formats for programs have all digits."""
    command, line = command_named(word), next(iter(LINES[word].values()))
    line = [argument for argument in line if argument not in ("-f", "json", "-sl")]
    line += ["--cross"] if word == "compare" else []
    assert run(folder, [word, *line])[1] == run(folder, [word, *line, "-f", command.formats[0]])[1]
    for form in command.formats:
        usual = run(folder, [word, *line, "-f", form])
        assert usual[0] == 0 and usual[1].strip(), usual
        if form.startswith("json"):
            json.loads(usual[1])
        if form in ("csv", "tsv"):
            assert len({len(row) for row in csv.reader(usual[1].splitlines(), delimiter=",\t"[form == "tsv"])}) == 1
        for options in (["-w", "9"], ["-sh"]):
            if options[0] in command.names and (form, options[0]) != ("github", "-sh"):  # (for the summary alone)
                changed = run(folder, [word, *line, "-f", form, *options])
                assert changed != usual and (changed[0] == 0 or (changed[0], changed[2].count("\n")) == (2, 1))
    refused = run(folder, [word, *line, "-f", "nope"])
    assert refused[0] == 2 and all(form in refused[2] for form in command.formats)


def test_options_without_effect_are_reported(folder: Path) -> None:
    text = "\n".join(["", *lines_of_section("commands.txt", "messages")])
    for block in text.split("\npurebleu ")[1:]:
        line, *expected = block.splitlines()
        code, _, errors, _ = run(folder, line.split())
        assert errors.splitlines() == [f"purebleu: {message}" for message in expected]
        assert code == (2 if expected and expected[0].startswith("error") else 0), line


@pytest.mark.skipif(os.name != "posix", reason="on Windows, a colon in a file's name has a meaning")
def test_values_may_begin_like_columns_of_standard_input(folder: Path) -> None:
    """They do everywhere: a file, a title, a name, and such a column (of human scores)."""
    assert sorted(run(folder, ["ref", "-i", "one", "--save-rows", "-:x"])[3]) == ["-:x"]
    written = run(folder, ["report", "ref", "-i", "one", "two", "--title", "-: x", "-o", "-:page", "-q"])[3]
    assert b"<title>-: x</title>" in written["-:page"]
    assert '"system": "-:a"' in run(folder, ["ref", "-i", "one", "two", "--names", "-:a", "b"])[1]
    scores = "".join([f"{system}\t{line}\t{line + len(system)}\n" for line in range(1, 6) for system in ("one", "two")])
    done = call_cli(["agree", "ref", "-i", "one", "two", "--human", "-:tsv:score"],
                    stdin=f"system\tseg_id\tscore\n{scores}".encode(), cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("first", ["two", "one"])
def test_the_system_to_test_against_keeps_its_rows_and_its_judgements(folder: Path, first: str) -> None:
    kept = run(folder, ["test", "ref", "-i", "one", "two", "--against", first, "--save-rows", "x.rows", "-q"])[3]
    assert kept["x.rows"] == (folder / "saved.rows").read_bytes()
    line = ["report", "ref", "-i", "one", "two", "--human", "numbers", "numbers2", "-q", "-o", "page", *FEW]
    pages = [run(folder, [*line, "--against", name])[3]["page"].decode() for name in ("one", first)]
    parts = [page[page.index(">Measures and ranks<"):].partition("</table>")[0] for page in pages]
    assert parts[0] == parts[1]


def test_of_two_systems_the_better_is_named_or_no_difference(folder: Path) -> None:
    """The sentence is by its definition: the better score, if the p-value that is marked is 0.05 or less."""
    line = ["test", "-t", "sample", "-l", "en-de", "-i", "mixed", "mixed2", "-m", "bleu", "ter", "wer", "-q", "-f"]
    for option in ([], ["--against", "mixed2"], ["--correction", "none"]):
        table = json.loads(run(folder, [*line, "json", *option])[1])
        text = " ".join(run(folder, [*line, "text", *option])[1].split())
        names = [system["system"] for system in table]
        for metric in ("BLEU", "TER", "WER"):
            first, second = [system[metric] for system in table]
            p, holm = second["p_value"], second["p_holm"]
            shown = f"(p = {p:.4f})." if holm is None else f"(p = {p:.4f}, Holm {holm:.4f})."
            better = names[(second["score"] > first["score"]) != (metric != "BLEU")]
            worse = next(name for name in names if name != better)
            told = f"{metric}: the test does not show a difference between {names[0]} and {names[1]} {shown}"
            if (p if holm is None else holm) <= 0.05:
                by = abs(first["score"] - second["score"])
                told = f"{metric}: {better} is better than {worse} by {by:.2f} {shown}"
            assert told in text, (told, text)
    (folder / "equal").write_bytes((folder / "one").read_bytes())
    assert "BLEU: one and equal have the same score." in run(folder, ["test", "ref", "-i", "one", "equal", "-q"])[1]
    assert "does not show" not in run(folder, [*line, "json"])[1] + run(folder, [*line, "csv"])[1]
    assert "does not show a difference between" not in run(folder, ["ref", "-i", "one", "two", "-par", "-f", "text"])[1]


def test_scores_of_segments_are_signed_as_the_score_command_signs_them(folder: Path) -> None:
    line = ["ref", "-i", "one", "-m", "bleu", "chrf", "-f", "json"]
    table = json.loads(run(folder, [*line, "-sl"])[1])["signatures"]
    assert "|eff:yes|" in table["BLEU"]
    bleu = table["BLEU"].replace("eff:yes", "eff:no")
    for options, expected in ((["--worst", "2"], table), (["--buckets", "score"], table),
                              (["--buckets", "length"], {**table, "BLEU": bleu}),
                              (["--buckets", "length", "--best", "1"],
                               {"BLEU": bleu, "chrF2": table["chrF2"], "BLEU of segments": table["BLEU"]})):
        assert json.loads(run(folder, ["compare", *line, *options])[1])["signatures"] == expected, options


def test_agreement_with_people_is_the_same_in_text_and_for_programs(folder: Path) -> None:
    (folder / "equal").write_bytes((folder / "one").read_bytes())
    line = ["-i", "one", "equal", "-q", "-f"]
    assert "a coin toss  " in run(folder, ["test", "ref", *line, "text"])[1]
    assert json.loads(run(folder, ["test", "ref", *line, "json"])[1])[1]["BLEU"]["agreement"] == 50
    fitted = "the curve of agreement was fitted to scores with nrefs:1, but these scores have nrefs:2"
    for further, reason in (([], fitted), (["-m", "ter"], "no curve of agreement was fitted to scores of TER")):
        text = " ".join(run(folder, ["test", "ref", "second", *line, "text", *further])[1].split())
        assert f"The agreement of people with these scores is not known: {reason}." in text
        assert "a coin toss" not in text and "Agreement (with" not in text


def test_results_that_no_test_can_show_say_so_in_quiet_output(folder: Path) -> None:
    gate = ["gate", "ref", "-i", "one", "--baseline", "two", "-q"]
    for few, options in (("samples", ["--samples", "10", "--must-not-lose", "0.07"]), ("segments", ["--samples", "10"]),
                         ("segments", ["--exact", "--must-not-lose", "0.01"])):
        printed = run(folder, [*gate, *options, "-f", "github"])[1]
        assert f", but with so few {few}, no system can fail" in printed
    assert "can fail" not in run(folder, [*gate, "--must-not-lose", "0.2", "-f", "github"])[1]
    few = run(folder, [*gate, "--must-not-lose", "0.01", "-f", "github"])[1]
    assert "not worse at p <= 0.01, but with so few segments, no system can fail" in few
    line = ["test", "ref", "-i", "one", "two", "three", "-q", "-f", "markdown", "--samples"]
    told = "no p-value can be significant after the correction for 3 tests"
    assert f"With 10 samples, {told}: at least 59 samples are needed." in run(folder, [*line, "10"])[1]
    assert told not in run(folder, [*line, "59"])[1]


@refused("commands")
def test_wrong_lines_are_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    error = refusal(folder, *arguments, code=code)
    assert message in error and "\\x00" not in error


def test_a_check_needs_something_to_look_at(folder: Path) -> None:
    check = ["check", "-i", "one", "--only"]
    assert run(folder, [*check, "copied,empty"])[0] == 0
    assert "in a line of three words or more" in run(folder, [*check, "copied", "--source", "ref"])[1]


def test_a_report_of_one_system_prints_its_power_as_a_test_does(folder: Path) -> None:
    line = ["ref", "-i", "one", "--power", "2"]
    _, printed, error, _ = run(folder, ["report", *line, "-f", "text"])
    assert printed.partition("\nPower\n")[2] == run(folder, ["test", *line])[1].partition("\nPower\n")[2] != ""
    assert "no effect" not in error


def test_references_among_the_outputs_are_named(folder: Path, tmp_path: Path) -> None:
    for name in ("ref", "second", "one"):
        (tmp_path / name).write_bytes((folder / name).read_bytes() * 4)
    line = ["test", "ref", "second", "-i", "one", "A=second", "B=ref", *FEW]
    told = "hypotheses are scored against a reference with the same text: "
    assert f"warning: {told}second (as second), ref (as ref)\n" in run(tmp_path, line)[2]
    assert told not in run(tmp_path, ["test", "ref", "-i", "one", "A=second", *FEW])[2]
    assert told not in run(folder, line)[2]  # (A few lines may be as good as the reference.)


def test_a_gate_tells_the_loss_that_it_could_have_shown(folder: Path) -> None:
    line = ["gate", "-t", "sample", "-l", "en-de", "-i", "mixed", "--baseline", "mixed2", "-m", "bleu", "ter"]
    table = json.loads(run(folder, ["test", *line[1:5], "-i", "mixed2", "mixed", "-m", "bleu", "ter", "-f", "json",
                                    "-q"])[1])
    errors = run(folder, line)[2]
    told = ", ".join([f"{table[1][metric]['mde']:.2f} {metric}" for metric in ("BLEU", "TER")])
    assert (f"purebleu: the test may overlook losses below {told}: it finds such a loss with a probability of less "
            "than 80 % ") in errors
    stricter = run(folder, [*line, "--must-not-lose", "0.01"])[2]
    # (By the quantiles of the normal distribution: 2.57583 at 1 %, 1.95996 at 5 %, 0.84162 at 80 %.)
    assert f"{(2.57583 + 0.84162) / (1.95996 + 0.84162) * table[1]['BLEU']['mde']:.2f} BLEU" in stricter
    assert "may overlook" not in run(folder, [*line, "-q"])[2] + run(folder, [*line, "--margin", "99"])[2]
    rows = list(csv.DictReader(run(folder, [*line, "-f", "csv"])[1].splitlines()))
    assert rows[2]["difference_low"] and "bs:1000" in rows[2]["signature"]  # (the verdict has the interval)


def test_runs_in_json_have_their_baseline(folder: Path) -> None:
    line = ["ref", "--runs", "A=one", "B=two", "-f", "json"]
    assert [row["baseline"] for row in json.loads(run(folder, ["test", *line])[1])] == [True, False]
    assert [row["baseline"] for row in json.loads(run(folder, line)[1])] == [False, False]


def test_a_pattern_with_a_column_is_several_files(folder: Path) -> None:
    for name in ("a.1.jsonl", "a.2.jsonl"):
        shutil.copy(folder / "good.jsonl", folder / name)
    expected = run(folder, ["ref", "-i", "a.1.jsonl:x", "a.2.jsonl:x"])
    for pattern in ("a.*.jsonl:x", "a.[12].jsonl:x"):
        assert run(folder, ["ref", "-i", pattern]) == expected


@pytest.mark.parametrize(("word", "command"), [
    ("one point", "test"), ("regression", "gate"), ("n-best", "mbr"), ("annotators", "agree"), ("N-best", "mbr"),
    ("three seeds", "test"), ("which words are wrong", "align")])
def test_words_of_newcomers_lead_to_a_command(folder: Path, word: str, command: str) -> None:
    assert run(folder, ["help", *word.split()])[1].startswith(f"purebleu {command}: ")


def test_signatures_have_the_resampling_that_is_printed(folder: Path) -> None:
    bare = "--no-power --no-worth"
    for options, is_resampled in (("one two", True), (f"one two {bare}", False), (f"one two {bare} -ci", True),
                                  ("one two -f paper", False), (f"one two {bare} -f json-signed", True),
                                  (f"one two {bare} -f csv", True), (f"one {bare}", False), ("one", True),
                                  (f"one {bare} -f csv", False)):
        printed = run(folder, ["test", "ref", "-q", "-i", *options.split()])[1]
        assert printed and ("bs:1000" in printed or "bs:1k" in printed) == is_resampled, options


def test_a_system_is_named_as_it_is_shown_or_as_it_was_given(folder: Path) -> None:
    (folder / "sub").mkdir(exist_ok=True)
    for name in ("one", "two"):
        shutil.copy(str(folder / name), str(folder / "sub" / f"out.{name}.txt"))
    files = ["sub/out.one.txt", "sub/out.two.txt"]
    for word in ("test", "report"):
        by_name = {name: run(folder, [word, "ref", "-i", *files, "--against", name, "-f", "json", *FEW])
                   for name in ("two", files[1], "out.two.txt")}
        assert all(of_name[0] == 0 and of_name[1] == by_name["two"][1] for of_name in by_name.values()), by_name
    named = ["test", "ref", "-i", f"A={files[0]}", f"B={files[1]}", *FEW, "--against"]
    assert run(folder, [*named, files[1]])[1] == run(folder, [*named, "B"])[1] != ""


#: Lines that lack something, such as a file, or whose inputs do not go together.
FAULTS = [line.split() for section in ("faults", "contradictions")
          for line in lines_of_section("commands.txt", section)]

#: The lines that the doctor examines.
EXAMINED = [*[[word, *line] for word, lines in LINES.items() for line in lines.values()], *FAULTS]


@pytest.mark.parametrize("arguments", one_in(5, EXAMINED), ids=" ".join)
def test_the_doctor_says_beforehand_what_is_missing(folder: Path, arguments: list[str]) -> None:
    before = sorted(path.name for path in folder.iterdir())
    code, told, error, written = run(folder, ["doctor", *arguments])
    assert (code, error, written) == (int(arguments in FAULTS), "", {})
    assert sorted(path.name for path in folder.iterdir()) == before
    if arguments in FAULTS:
        code, _, error, _ = run(folder, arguments)
        message = error.splitlines()[-1].partition("error: ")[2]
        assert code in (1, 2)
        assert message in " ".join(told.split()) or "wmt17" in arguments  # (of a test set, it knows more)


@pytest.mark.parametrize(("line", "told"), [
    ("ref -i one two --scores x=numbers x=numbers2", "inputs match"),
    ("agree ref -i one two --human numbers numbers2", "inputs match"),
    ("ref -i one -m ter --chrf-beta 3", "--chrf-beta has no effect without -m chrf"),
    ("report ref -i one two --human numbers numbers2 -o x.html", "can be written"),
    ("-m bleu -m ter -tok zh -j 2", "the metrics can be computed on this machine")])
def test_the_doctor_says_what_is_fine(folder: Path, line: str, told: str) -> None:
    code, out, _, written = run(folder, ["doctor", *line.split()])
    assert (code, told in " ".join(out.split()), written) == (0, True, {})


#: Asks the doctor about command lines, and runs them, where some modules can't be imported; prints both exit codes.
DRIVER = """\
import ast, contextlib, io, sys
missing, lines = map(ast.literal_eval, sys.argv[1:])
for name in [name for name in sys.modules if name.split(".")[0] in missing or name in missing]:
    del sys.modules[name]
sys.modules.update(dict.fromkeys(missing))
from PACKAGE.cli import main
found = []
for arguments in lines:
    codes = []
    for more in (["doctor"], []):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as told:
            codes.append(main(more + arguments))
    found.append((*codes, told.getvalue()))
print(found)
"""


@pytest.mark.parametrize("where", [
    *[pytest.param(where, marks=pytest.mark.heavy) for where in ("where modules are missing", "in a read-only folder")],
    "both",
])
@pytest.mark.full
def test_the_doctor_is_right_also(where: str, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(str(folder), str(copy))
    start: list[str] = []
    if where != "where modules are missing":
        start = ["unshare", "--user"]  # without root's right to write anywhere
        if sys.platform != "linux" or not shutil.which("unshare") or subprocess.run([*start, "true"]).returncode:
            pytest.skip("needs Linux's unshare, and the right to make a namespace of users")
        for path in copy.rglob("*"):
            path.chmod(0o444 if path.is_file() else 0o555)
        copy.chmod(0o555)
    missing = () if where == "in a read-only folder" else MISSING
    done = run_cli([repr(missing), repr(EXAMINED)], cwd=copy, env=NO_NETWORK, wrapper=start,
                   start=["-c", DRIVER.replace("PACKAGE", PACKAGE)])
    assert done.returncode == 0, done.stderr.decode()
    for line, (asked, ran, told) in zip(EXAMINED, ast.literal_eval(done.stdout.decode())):
        assert (ran in (1, 2)) == (asked == 1), (" ".join(line), asked, ran, told)
