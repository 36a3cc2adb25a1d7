"""Gates: both sides of each, the baseline as text and as rows, what is refused, and each form of telling it."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from html import unescape
from pathlib import Path

import pytest

import purebleu
from purebleu.report import gates
from purebleu.significance.paired import Difference

from .. import PACKAGE
from ..helpers import first_by_default, folder_of_package, refusal, refused, texts_of, told, write_lines, write_systems

PAGE = Path(__file__).resolve().parents[2] / "purebleu" / "manual" / "continuous-integration.md"

FEW = 100


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gates")
    write_systems(folder, {"ref": 1.0, "good": 0.9, "similar": 0.89, "bad": 0.5}, 200)
    for name in ("ref", "good", "bad"):
        for count in (1, 2, 5, 9, 19, 20):
            write_lines(folder / f"{name}{count}", texts_of(folder, name)[0][:count])
        told(folder, "ref", "-i", name, "--save-rows", f"{name}.rows", "-m", "bleu", "ter")
    told(folder, "ref", "-i", "good", "bad", "--save-rows", "both.rows")
    write_lines(folder / "all.tsv", ["name\tpair\treferences\thypothesis", "A\ta-b\tref\tgood", "A\ta-c\tref\tbad"])
    return folder


def gated(folder: Path, *arguments: str, code: int = 0, stdin: bytes = b"", **env: str) -> tuple[str, str]:
    samples = ["--samples", str(FEW)] if "--baseline" in arguments else []
    return told(folder, "gate", *arguments, *samples, code=code, stdin=stdin, **env)


# Limits

def test_a_margin_is_not_to_be_reached() -> None:
    margin = gates.Gate("margin", 2.0)
    for low, keeps_up in ((-2.0, False), (-1.9999999, True)):
        assert gates.keeps_up(margin, Difference(0.0, low, 3.0, 1.0), 1.0, False) == keeps_up
        assert gates.keeps_up(margin, Difference(0.0, -3.0, -low, 1.0), 1.0, True) == keeps_up


def test_limits_are_exact(folder: Path) -> None:
    score = float(told(folder, "ref", "-i", "good", "-b", "-w", "20")[0])
    for option, limit, code in (("--min", score, 0), ("--max", score, 0),
                                ("--min", score * (1 + 2**-52), 3), ("--max", score * (1 - 2**-52), 3)):
        _, errors = gated(folder, "ref", "-i", "good", option, f"Bleu={limit!r}", "-q", code=code)
        found = re.findall(rf"FAILED: {option} BLEU={limit!r}: BLEU of good is ([\d.]+), (below|above) the", errors)
        assert errors.count("\n") == len(found) == (code == 3)
        for number, side in found:  # what is told is on the side that counts
            assert float(number) < limit if side == "below" else float(number) > limit


def test_every_gate_is_reported(folder: Path) -> None:
    gates = ["--min", "bleu=70", "--max", "TER=15", "ter=1000"]
    printed, errors = gated(folder, "ref", "-i", "good", "bad", "-m", "bleu", "ter", *gates, "-f", "markdown", code=3)
    assert printed.startswith("| System | BLEU | TER |")
    lines = errors.splitlines()
    assert lines[0].endswith(", not below the limit") and lines[3].endswith(", above the limit")
    assert [line.split(" is ")[0] for line in lines] == [
        "purebleu: gate passed: --min BLEU=70: BLEU of good",
        "purebleu: gate FAILED: --min BLEU=70: BLEU of bad",
        "purebleu: gate passed: --max TER=15: TER of good",
        "purebleu: gate FAILED: --max TER=15: TER of bad",
        "purebleu: gate passed: --max TER=1000: TER of good",
        "purebleu: gate passed: --max TER=1000: TER of bad"]


def test_a_lower_limit_of_an_error_rate_is_a_limit_like_any_other_if_there_is_an_upper_one(folder: Path) -> None:
    _, errors = gated(folder, "ref", "-i", "good", "--min", "ter=5", "--max", "TER=50", "bleu=1", code=3)
    assert (errors.count("gate passed"), errors.count("gate FAILED: --max BLEU=1: ")) == (2, 1)


def test_a_limit_that_looks_like_a_mistake_is_warned_of(folder: Path) -> None:
    for option, limit, warning in (("--min", "bleu=0.3", "0.3 on a scale up to 100: for 30 %, write --min bleu=30"),
                                   ("--max", "ter=0.6", "0.6 on a scale up to 100: for 60 %, write --max ter=60"),
                                   ("--min", "bleu=0", "no score is below 0, so every system passes --min bleu=0"),
                                   ("--min", "nist=0.5", "")):
        _, errors = gated(folder, "ref", "-i", "good", option, limit, code=3 if option == "--max" else 0)
        assert warning in errors and ("warning: " in errors) == bool(warning)


def test_metrics_of_limits_are_scored_beside_those_of_the_options(folder: Path) -> None:
    for metrics, scored in ([], ["chrf2", "ter"]), (["-m", "bleu"], ["bleu", "chrf2", "ter"]):
        printed, _ = gated(folder, "ref", "-i", "good", *metrics, "--max", "ter=99", "--min", "chrf=1", "-f", "csv")
        assert [line.split(",")[1].lower() for line in printed.splitlines()[1:]] == scored


def test_each_pair_of_a_manifest_has_its_gates(folder: Path) -> None:
    manifest = ["--manifest", "all.tsv", "--min", "bleu=60", "--junit", "pairs.xml"]
    printed, errors = gated(folder, *manifest, "-f", "csv", code=3)
    assert [line.split(",")[1] for line in printed.splitlines()] == ["pair", "a-b", "a-c", "mean"]
    assert [line.split(" is ")[0] for line in errors.splitlines()] == [
        f"purebleu: gate {verdict}: --min BLEU=60: BLEU of A on {pair}"
        for verdict, pair in (("passed", "a-b"), ("FAILED", "a-c"))]
    assert (folder / "pairs.xml").read_text().count("<testcase ") == 2
    assert gated(folder, *manifest, "-l", "a-b")[1].count("gate passed: --min BLEU=60: BLEU of A is") == 1


def test_page_and_table_have_the_same_verdicts_from_one_run(folder: Path) -> None:
    gates = ["--min", "bleu=99", "--max", "ter=99", "--fail-on", "empty"]
    printed, errors = gated(folder, "ref", "-i", "bad", "--baseline", "good", *gates, "-f", "csv", "--report",
                            "gates.html", code=3)
    page = (folder / "gates.html").read_text(encoding="utf-8")
    section = re.sub("<[^>]*>", "\t", page[page.index("<section id=\"gates\""):].partition("</section>")[0])
    table = list(csv.DictReader(io.StringIO(printed)))
    verdicts = re.findall("gate (passed|FAILED): (.*?): (.*)", errors)
    assert [passed for passed, _, _ in verdicts] == ["FAILED", "passed", "FAILED", "FAILED", "passed"]
    assert section.count("\tGates\t") == 1
    for passed, gate, sentence in verdicts:
        assert all(text in unescape(section) for text in (passed, gate, sentence)), gate
    for line in table[2:]:
        for figure in (f"{-float(line['difference']):+.2f}", f"{float(line['p_value']):.4f}"):
            assert f"{figure}</td>" in page


def test_gates_do_not_change_what_is_printed(folder: Path) -> None:
    for form in ("text", "csv", "latex", "html"):
        plain, _ = told(folder, "ref", "-i", "good", "bad", "-f", form)
        assert gated(folder, "ref", "-i", "good", "bad", "-f", form, "--min", "bleu=1")[0] == plain


# A baseline

@pytest.mark.parametrize("baseline", ["good", "good.rows"])
@pytest.mark.parametrize("test", first_by_default(1, [[], ["--paired-bs"], ["--rng", "numpy"]]), ids=" ".join)
def test_a_system_must_not_lose(baseline: str, test: list[str], folder: Path) -> None:
    arguments = ["--baseline", baseline, "-m", "bleu", "ter", *test]
    printed, errors = gated(folder, "ref", "-i", "bad", *arguments, "--must-not-lose", "-f", "markdown", code=3)
    assert printed.splitlines()[2].startswith(f"| {baseline} | ")
    assert [line.split(":")[1] for line in errors.splitlines() if "gate" in line] == [" gate FAILED"] * 2
    assert re.search(r"BLEU of bad is [\d.]+, -[\d.]+ from the baseline's [\d.]+ "
                     r"\(95 % interval: -[\d.]+ to [-+][\d.]+; p = [\d.]+\), significantly worse", errors)
    _, errors = gated(folder, "ref", "-i", "similar", *arguments, "--must-not-lose")
    assert errors.count(", not significantly worse\n") == 2
    gated(folder, "ref", "-i", "bad", *arguments, "--must-not-lose", "0.0001")  # no p is as small as that
    arguments[1] = baseline.replace("good", "bad")
    _, errors = gated(folder, "ref", "-i", "good", *arguments, "--must-not-lose", "--margin", "0")
    assert errors.count("gate passed") == 4


@pytest.mark.parametrize(("metric", "sign"), [("bleu", -1), ("ter", 1)])
def test_margins_are_kept_by_the_interval(metric: str, sign: int, folder: Path) -> None:
    arguments = ["ref", "-i", "bad", "--baseline", "good", "-m", metric]
    _, errors = gated(folder, *arguments, "--margin", "1e9")
    low, high = map(float, re.findall(r"interval: (\S+) to (\S+)\)", errors)[0])
    worst = max(sign * low, sign * high)
    assert low < high and sign * low > 0
    for margin, code, verdict in (worst + 0.001, 0, "within"), (worst - 0.001, 3, "not shown to be within"):
        _, errors = gated(folder, *arguments, "--margin", f"{margin:.4f}", code=code)
        assert errors.endswith(f"), {verdict} the margin\n")


def test_margins_of_few_segments(folder: Path) -> None:
    message = "needs the interval of bad1, but resampling needs at least 2 segments, not 1"
    assert message in gated(folder, "ref1", "-i", "bad1", "--baseline", "good1", "--margin", "99", code=1)[1]
    for count, share in (2, "41 %"), (19, "3 %"), (20, ""):
        _, errors = gated(folder, f"ref{count}", "-i", f"bad{count}", "--baseline", f"good{count}", "--margin", "99")
        assert (f"too narrow: with {count} segments, by {share} or more" in errors) == bool(share)
        assert ("warning" in errors) == bool(share)


def test_rows_alone_have_gates(folder: Path) -> None:
    gate = ["-m", "ter", "--baseline", "good.rows", "--must-not-lose"]
    assert gated(folder, "--rows", "bad.rows", *gate, code=3) == gated(folder, "ref", "-i", "bad", *gate, code=3)
    assert "--max TER=1: TER of bad is" in gated(folder, "--rows", "bad.rows", "--max", "ter=1", code=3)[1]


def test_columns_of_standard_input_are_systems_beside_any_baseline(folder: Path) -> None:
    columns = "".join([f"{one}\t{other}\n" for one, other in zip(*texts_of(folder, "bad", "good"))]).encode()
    tables = set()
    for baseline in ("good", "good.rows"):
        for options, names in (([], ["System 1", "System 2"]), (["--names", "A", "B"], ["A", "B"])):
            printed, _ = told(folder, "gate", "ref", "-f", "csv", "--samples", "99", "--baseline", baseline, *options,
                              code=3, stdin=columns)
            systems, cells = zip(*[line.split(",", 1) for line in printed.splitlines()])
            assert systems == ("system", baseline, *names)
            tables.add("\n".join(cells).replace("good.rows", "good"))
    assert len(tables) == 1


def test_a_system_that_is_the_baseline_is_held_to_limits_too(folder: Path) -> None:
    for bad, baseline in (("bad", "bad"), ("./bad", "bad"), ("bad", "bad.rows")):
        _, errors = gated(folder, "ref", "-i", "good", bad, "--baseline", baseline, "--min", "BLEU=50", code=3)
        assert errors.count("gate passed") == 3 and errors.count("gate FAILED") == 1
        assert "gate FAILED: --min BLEU=50: BLEU of " in errors


def test_a_baseline_is_not_compared_with_itself_alone(folder: Path) -> None:
    (folder / "link").symlink_to("good")
    for arguments in (["ref", "-i", "./good", "--baseline", "good"], ["ref", "-i", "link", "--baseline", "B=good"],
                      ["--rows", "good.rows", "--baseline", "./good.rows"]):
        assert "the baseline is the only system" in refusal(folder, "gate", *arguments)


def test_p_of_the_limit_fails_and_one_that_can_not_be_reached_is_warned_of(folder: Path) -> None:
    command = ["gate", "ref", "-i", "bad", "--baseline", "good", "--samples"]
    assert "; p = 0.0500), significantly worse" in told(folder, *command, "19", code=3)[1]
    assert ("purebleu: warning: with 18 samples, no p-value is as low as 0.05, so no system can fail: at least "
            "19 samples are needed\n") in told(folder, *command, "18")[1]


def test_other_levels_and_corrected_values_are_named(folder: Path) -> None:
    options = ["ref", "-i", "similar", "--baseline", "good", "-m", "bleu", "chrf"]
    rows = list(csv.DictReader(io.StringIO(gated(folder, *options, "-f", "csv", "--correction", "holm")[0])))[2:]
    p_values = [float(row[column]) for row in rows for column in ("p_value", "p_holm")]
    for limit, code in (0.9999, 3), (0.0001, 0):
        errors = gated(folder, *options, "--must-not-lose", f"{limit}", "--correction", "holm", code=code)[1]
        assert "significantly" not in errors
        found = re.findall(rf"{limit} \((BLEU|chrF2)\): \1 of similar .*; p = ([\d.]+), Holm ([\d.]+)\), "
                           rf"(?:not )?worse at p <= {limit}", errors)
        assert [float(p_value) for _, *both in found for p_value in both] == [round(p, 4) for p in p_values]


def test_losses_that_a_corrected_test_may_overlook_are_those_at_the_corrected_level(folder: Path) -> None:
    options = ["ref", "-i", "similar", "--baseline", "good", "-m", "bleu", "chrf", "--must-not-lose"]
    found: list[tuple[str, ...]] = []
    for limit, correction in ("0.02", "none"), ("0.04", "holm"):
        errors = gated(folder, *options, limit, "--correction", correction)[1]
        found += re.findall(r"losses below (\S+ BLEU, \S+ chrF2): .* \(at p <= 0.02(.*)\)\n", errors)
    reason = ", which Holm's correction for 2 tests requires of the lowest p"
    assert found == [(found[0][0], ""), (found[0][0], reason)]
    # (The lowest possible p is 1 / 101, which is above 0.04 / 5.)
    errors = gated(folder, *options, "0.04", "--correction", "holm", "-m", "bleu", "chrf", "ter", "wer", "gleu")[1]
    assert errors.count("but with so few samples, no system can fail") == 5 and "may overlook" not in errors


def test_numbers_near_a_limit_of_a_paired_gate_look_different_from_it(folder: Path) -> None:
    options = ["ref9", "-i", "bad9", "--baseline", "good9"]
    errors = told(folder, "gate", *options, "--exact", "--must-not-lose", "0.0078")[1]
    assert "; p = 0.00781), not worse at p <= 0.0078\n" in errors
    low = float(re.findall(r"interval: (\S+) to", told(folder, "gate", *options, "--margin", "99", "-w", "9")[1])[0])
    for margin, code in (-low + 1e-7, 0), (-low - 1e-7, 3):
        errors = told(folder, "gate", *options, "--margin", f"{margin:.9f}", code=code)[1]
        [shown] = re.findall(r"interval: (\S+) to", errors)
        assert (float(shown) > -margin) == (code == 0)


def test_a_test_that_no_system_can_fail_has_no_power(folder: Path) -> None:
    write_lines(folder / "five-docs", [f"d{number // 40}" for number in range(200)])
    options = ["ref", "-i", "bad", "--baseline", "good"]
    for few, sampling in (("documents", ["--docs", "five-docs"]), ("samples", ["--samples", "18"])):
        _, errors = told(folder, "gate", *options, *sampling)
        assert f", not significantly worse, but with so few {few}, no system can fail\n" in errors
        assert "may overlook" not in errors
        printed, _ = told(folder, "test", "ref", "-i", "good", "bad", *sampling, "-f", "markdown")
        assert printed.count("| – | – | – |\n") == 1
        lowest = "0.0625" if few == "documents" else "0.05263"
        assert f"because the lowest possible p (about {lowest}) is above 0.05." in printed
    assert "may overlook losses below" in told(folder, "gate", *options, "--samples", "19", code=3)[1]
    told(folder, "report", "ref5", "-i", "good5", "bad5", "-q", "--no-checks")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "the lowest possible p (about 0.0625)" in page and "the lowest possible p is 1 / (" not in page


@refused("gates")
def test_wrong_gates_are_refused_and_files_that_are_read_not_replaced(folder: Path, arguments: list[str], code: int,
                                                                      message: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert message in refusal(folder, *arguments, code=code)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@refused("gates before scoring")
def test_options_that_do_not_go_together_are_found_before_outputs_are_scored(folder: Path, arguments: list[str],
                                                                             code: int, message: str) -> None:
    # (The lines of "good9" are fewer than those of "ref", which would be the error after reading them.)
    assert message in refusal(folder, *arguments, code=code)
    with_all_lines = ["bad" if argument == "good9" else argument for argument in arguments]
    assert message in " ".join(told(folder, "doctor", *with_all_lines, code=1)[0].split())


def test_a_baseline_of_another_corpus_is_refused(folder: Path) -> None:
    gate = ["--baseline", "good.rows", "--must-not-lose"]
    assert "has 200 segments, but the systems have 1" in gated(folder, "ref1", "-i", "bad1", *gate, code=1)[1]
    assert "against other references" in gated(folder, "similar", "-i", "bad", *gate, code=1)[1]
    refused = gated(folder, "--rows", "bad.rows", "--baseline", "good", "--margin", "1", code=2)[1]
    assert "--rows needs a baseline of stored rows, but good has none" in refused


# How it is told

def test_annotations_and_summary_of_github(folder: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    printed, errors = gated(folder, "ref", "-i", "bad", "good", "-f", "github", "--min", "bleu=60", code=3,
                           GITHUB_STEP_SUMMARY=str(summary))
    assert errors == ""
    assert [line.split("::")[1] for line in printed.splitlines()] == [
        "error title=--min BLEU=60", "notice title=--min BLEU=60", *["notice title=BLEU"] * 2]
    text = summary.read_text()
    assert text.startswith("before\n## Gates\n\n| Gate | Result | What was found |\n") and "| bad | " in text
    assert told(folder, "ref", "-i", "good", "-f", "github")[0].startswith("::notice title=BLEU::good: ")
    refused = told(folder, "ref", "-i", "good", "-f", "github", code=1, GITHUB_STEP_SUMMARY=str(tmp_path))[1]
    # (Windows says no more of a folder than that it can't be opened.)
    assert refused.lower().endswith("is a directory\n" if os.name == "posix" else "permission denied\n")


#: The program of the action for GitHub, in a checkout.
ACTION = Path(__file__).resolve().parents[2] / ".github" / "actions" / "gate" / "gate.py"


@pytest.mark.full
@pytest.mark.skipif(not ACTION.is_file() or PACKAGE != "purebleu", reason="only the checkout has the action")
def test_the_action_for_github(folder: Path, tmp_path: Path) -> None:
    for name in ("ref", "bad"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "go od").write_bytes((folder / "good").read_bytes())
    summary = tmp_path / "summary.md"
    for arguments, code, found in (
            ("ref -i 'go od' --min BLEU=60", 0, "::notice title=--min BLEU=60::"),
            ("ref -i bad --min BLEU=60", 3, "::error title=--min BLEU=60::"),
            ("ref -i missing --min BLEU=60", 1, "purebleu: error: missing: No such file or directory"),
            ("ref -i bad", 2, "purebleu: error: gate needs at least one of --min M=X"),
            ("ref -i 'bad", 1, "gate.py: error: arguments: No closing quotation"),
            ("ref -i bad --names $GATE_NOTHING", 1, "gate.py: error: arguments: GATE_NOTHING is not set"),
            ("score ref -i bad --names $(touch;touched)`touch`", 0, "$(touch;touched)`touch`")):
        done = subprocess.run([sys.executable, str(ACTION)], cwd=str(tmp_path), capture_output=True, env={
            **os.environ, "GATE_ARGUMENTS": arguments, "GITHUB_STEP_SUMMARY": str(summary)})
        assert done.returncode == code, done.stderr
        assert found in (done.stdout + done.stderr).decode()
        assert summary.exists() == (code in (0, 3))
        if summary.exists():
            summary.unlink()


@pytest.mark.full
@pytest.mark.skipif(not ACTION.is_file() or PACKAGE != "purebleu", reason="only the checkout has the action")
@pytest.mark.skipif(os.name != "posix" or shutil.which("bash") is None, reason="the action is for bash")
@pytest.mark.parametrize("title", ['" --report=report.html "', "' --report report.html '", "--report=report.html",
                                   "`touch report.html`; $(touch report.html)", "a\nb", ""])
def test_a_runner_starts_the_action_with_a_title_of_somebody_else(folder: Path, tmp_path: Path, title: str) -> None:
    """As a runner does it: the inputs are put into the environment, and the command into a script for bash."""
    for name in ("ref", "bad"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    inputs = {"arguments": "score ref -i bad --names=\"$GATE_TITLE\"", "python": sys.executable}
    text = ACTION.with_name("action.yml").read_text(encoding="utf-8")
    variables = dict(re.findall(r"(GATE_\w+): \$\{\{ inputs\.(\w+) \}\}", text))
    [command] = re.findall("^ *run: '(.*)'$", text, re.MULTILINE)
    (tmp_path / "script.sh").write_text(command + "\n", encoding="utf-8")
    environment = {**os.environ, **{name: inputs[value] for name, value in variables.items()}, "GATE_TITLE": title,
                   "GITHUB_ACTION_PATH": str(ACTION.parent), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
    done = subprocess.run([*shell, "script.sh"], cwd=tmp_path, env=environment, capture_output=True)
    assert not (tmp_path / "report.html").exists()
    if title:
        shown = title.replace("\n", "%0A")
        assert (done.returncode, done.stderr) == (0, b"") and f"::notice title=BLEU::{shown}: " in done.stdout.decode()
    else:
        assert done.returncode == 2 and done.stderr.count(b"\n") == 1
    # Before an option, the same value could be an option itself.
    environment["GATE_ARGUMENTS"] = 'score ref -i bad --names "$GATE_TITLE"'
    done = subprocess.run([*shell, "script.sh"], cwd=tmp_path, env=environment, capture_output=True)
    assert not (tmp_path / "report.html").exists()
    refused = b"gate.py: error: arguments: the value of $GATE_TITLE begins with -" in done.stderr
    assert refused == title.startswith("-")


def test_junit(folder: Path, tmp_path: Path) -> None:
    name = 'a "<b>" & \x07c'
    # (Windows has no file with such a name.)
    system = [name] if os.name == "posix" else ["bad", "--names", name]
    (tmp_path / system[0]).write_bytes((folder / "bad").read_bytes())
    gated(tmp_path, str(folder / "ref"), "-i", *system, "--min", "bleu=80", "bleu=1", "--junit", "gates.xml", code=3)
    suite = xml.etree.ElementTree.parse(tmp_path / "gates.xml").getroot()[0]
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "2", "1")
    assert [(case.get("classname"), case.get("name"), case.find("failure") is None) for case in suite] == [
        ('a "<b>" & \ufffdc', "--min BLEU=80", False), ('a "<b>" & \ufffdc', "--min BLEU=1", True)]


@pytest.mark.full
@pytest.mark.skipif(os.name != "posix", reason="the commands are for a shell")
def test_the_workflow_in_the_readme_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [block] = [block for block in blocks if block.startswith("on: [pull_request]")]
    [command] = re.findall("- run: (.*)", block)
    write_systems(tmp_path, {"ref.txt": 1.0, "out.txt": 0.9, "cut.txt": 0.5}, 100)
    told(tmp_path, "ref.txt", "-i", "out.txt", "--save-rows", "baseline.rows")
    (tmp_path / "python3").symlink_to(sys.executable)
    (tmp_path / "tools").symlink_to(folder_of_package())
    [folder] = re.findall("PYTHONPATH: (.*)", block)
    assert f"uses: ./{folder}/.github/actions/gate" in PAGE.read_text(encoding="utf-8")
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": folder}
    for output, code in (("out.txt", 0), ("ref.txt", 0), ("cut.txt", 3)):
        line = command.replace("out.txt", output).replace("-m purebleu", f"-m {purebleu.__name__}")
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert done.returncode == code and b"::notice title=BLEU::" in done.stdout
