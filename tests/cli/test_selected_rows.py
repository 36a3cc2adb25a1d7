"""`--where`, `--group`, lists of scores: rows of files, and tests over groups."""

from __future__ import annotations

import csv
import io
import json
from itertools import product
from math import fsum, sqrt
from pathlib import Path
from typing import Any, Sequence

import pytest

from purebleu.metrics import BLEU, TER, WER
from purebleu.metrics.base import Metric
from purebleu.metrics.evaluation import sum_statistics
from purebleu.significance import Sampling, results_of
from purebleu.significance.groups import MacroMean, wide_row
from purebleu.significance.sampling import Units

from ..helpers import csv_rows, refusal, refused, told, write_lines

ROWS = [("en-is_#_news_#_1", "news", "The cat sat on the mat.", "A cat sat on the mat."),
        ("en-is_#_talk_#_1", "talk", "Yes, we can do it today.", "Yes, we do it today."),
        ("cs-de_#_news_#_1", "news", "Two dogs ran home at night.", "Two dogs went home at night."),
        ("cs-de_#_talk_#_2", "talk", "No, that is not what I said.", "No, it is not what I said.")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """References as a text and a table, outputs as JSON Lines and a table: the columns of both tell groups."""
    write_lines(tmp_path / "ref.txt", [row[2] for row in ROWS])
    write_lines(tmp_path / "ref.tsv", ["domain\tref", *[f"{row[1]}\t{row[2]}" for row in ROWS]])
    write_lines(tmp_path / "a.jsonl", [json.dumps({"id": row[0], "meta": {"domain": row[1], "ok": True}, "hyp": row[3],
                                                   "domain": row[1]}) for row in ROWS])
    write_lines(tmp_path / "b.csv", ["id,hyp", *[f'{row[0]},"{row[2]}"' for row in ROWS]])
    return tmp_path


def test_conditions_keep_the_same_rows_of_all_files(folder: Path) -> None:
    for where, kept in ((["domain=news"], (0, 2)), (["domain!=news"], (1, 3)), (["id~^cs-de", "domain=talk"], (3,)),
                        (["meta.domain=news"], (0, 2)), (["meta.ok=true"], (0, 1, 2, 3))):
        write_lines(folder / "kept.ref", [ROWS[index][2] for index in kept])
        write_lines(folder / "kept.hyp", [ROWS[index][3] for index in kept])
        expected, _ = told(folder, "kept.ref", "-i", "kept.hyp", "-m", "bleu", "nist", "-w", "9", "-b")
        conditions = [argument for text in where for argument in ("--where", text)]
        for reference in ("ref.txt", "ref.tsv:ref"):
            asked = (reference, "-i", "a.jsonl:hyp", *conditions, "-m", "bleu", "nist", "-w", "9")
            assert told(folder, *asked, "-b")[0] == expected
        signature = told(folder, *asked, "-f", "text")[0].split(" = ")[0]
        assert f"|where:{','.join(where)}|" in signature
        assert "where:(none) instead of" in told(folder, *asked[:3], "--signature", signature)[1]
    write_lines(folder / "news.csv", ["domain,hyp", *[f'{row[1]},"{row[3]}"' for row in ROWS if row[1] == "news"]])
    both = ("ref.tsv:ref", "-i", "a.jsonl:hyp", "news.csv:hyp", "--where", "domain=news")
    scores = [line["score"] for line in csv_rows(folder, *both)]
    assert scores[0] == scores[1]  # (each file has its own rows of it)


def test_columns_are_read_in_the_encodings_of_their_files(folder: Path) -> None:
    lines = ["domain\tsrc", *[f"{'Köln' if row[1] == 'news' else row[1]}\t{row[2]}" for row in ROWS]]
    write_lines(folder / "src.tsv", lines)
    (folder / "out.txt").write_text("".join([f"{row[3]}\n" for row in ROWS]), encoding="utf-16")
    asked = ("ref.txt", "-i", "out.txt", "-e", "utf-16", "--reference-encoding", "utf-8", "--source", "src.tsv:src")
    told(folder, "report", *asked, "--where", "domain~.", "--group", "domain", "--no-checks", "-q")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "BLEU by domain" in page and page.count('<th scope="row">Köln</th>') == 1


def test_rows_of_standard_input_are_selected(folder: Path) -> None:
    rows = (folder / "a.jsonl").read_bytes()
    kept = ("ref.txt", "--where", "domain=news", "-b")
    assert told(folder, *kept, "-i", "-:jsonl:hyp", stdin=rows) == told(folder, *kept, "-i", "a.jsonl:hyp")


@refused("selected rows")
def test_what_selects_no_rows_is_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    write_lines(folder / "short.txt", ["The cat."])
    write_lines(folder / "other.tsv", ["domain\tref", *[f"{row[1][::-1]}\t{row[2]}" for row in ROWS]])
    assert message in refusal(folder, *arguments, code=code)


def test_lists_of_scores_are_counted_against_paragraphs(folder: Path) -> None:
    write_lines(folder / "docs.jsonl", [json.dumps({"hyp": "One.\n\nTwo.", "pair": "en-is"}),
                                        json.dumps({"hyp": "Three.", "pair": "cs-de"})])
    write_lines(folder / "kiwi.jsonl", [json.dumps({"s": {"XL-4.1": [0.5, 0.25]}, "pair": "en-is"}),
                                        json.dumps({"s": {"XL-4.1": [1]}, "pair": "cs-de"})])
    asked = ("-i", "docs.jsonl:hyp", "-m", "kiwi", "--scores", "kiwi=kiwi.jsonl:s.XL-4.1", "-w", "4")
    assert told(folder, *asked, "--paragraphs", "-b")[0] == "0.5833\n"
    assert told(folder, *asked, "--paragraphs", "--where", "pair=en-is", "-b")[0] == "0.3750\n"
    assert "record 1 has a list of scores, which is possible only with --paragraphs" in refusal(folder, *asked, code=1)
    lines = csv_rows(folder, *asked, "--paragraphs", "--group", "pair~^..")
    assert [line["group"] + line["score"] for line in lines] == [
        "en0.375", "cs1.0", "macro mean0.6875", "pooled0.5833333333333334"]
    write_lines(folder / "kiwi.jsonl", [json.dumps({"s": {"XL-4.1": [0.5]}}), json.dumps({"s": {"XL-4.1": [1, 2]}})])
    assert "have different numbers of paragraphs: 2 in docs.jsonl:hyp, 1 in kiwi.jsonl:s.XL-4.1" in refusal(
        folder, *asked, "--paragraphs", code=1)


def test_scores_keep_the_rows_of_their_outputs(folder: Path) -> None:
    write_lines(folder / "c.jsonl", [json.dumps({"hyp": row[3], "domain": row[1]}) for row in [*ROWS[1:], *ROWS[:2]]])
    for name, scores in (("a", [1, 0, 2, 0]), ("c", [0, 3, 0, 4, 0])):
        write_lines(folder / f"{name}.kiwi.jsonl", [json.dumps({"kiwi": score}) for score in scores])
    lines = csv_rows(folder, "-i", "a.jsonl:hyp", "c.jsonl:hyp", "-m", "kiwi", "--scores", "kiwi=a.kiwi.jsonl:kiwi",
                     "kiwi=c.kiwi.jsonl:kiwi", "--where", "domain=news")
    assert [line["score"] for line in lines] == ["1.5", "3.5"]
    text, _ = told(folder, "-i", "a.jsonl:hyp", "-m", "kiwi", "--scores", "kiwi=a.kiwi.jsonl:kiwi", "--where",
                   "domain=news", "-f", "text", "--scores-signature", "kiwi=model:1")
    assert text.startswith("kiwi|where:domain=news|model:1|")


def test_groups_have_the_scores_of_their_rows(folder: Path) -> None:
    asked = ("ref.txt", "-i", "a.jsonl:hyp", "b.csv:hyp", "-m", "ter")
    table = json.loads(told(folder, "test", *asked, "--group", "domain", "-f", "json", "--exact")[0])
    first, second = [system["groups"] for system in table["systems"]]
    assert [*first] == ["news", "talk", "macro mean", "pooled"]
    for group in ("news", "talk"):
        apart = json.loads(told(folder, "test", *asked, "--where", f"domain={group}", "-f", "json", "--exact",
                                "--no-worth", "--no-power")[0])
        assert [row["TER"]["score"] for row in apart] == [first[group]["TER"]["score"], second[group]["TER"]["score"]]
        assert apart[1]["TER"]["p_value"] == second[group]["TER"]["p_value"]
    assert first["macro mean"]["TER"]["score"] == (first["news"]["TER"]["score"] + first["talk"]["TER"]["score"]) / 2
    assert {"strata:domain", "group:domain", "mean:macro"} < {*table["signatures"]["macro mean"]["TER"].split("|")}
    assert "|group:domain=talk|" in table["signatures"]["talk"]["TER"]
    write_lines(folder / "odd.jsonl", [json.dumps({"a:b|c": row[1], "hyp": row[3]}) for row in ROWS])
    odd = ("test", "ref.txt", "-i", "odd.jsonl:hyp", "b.csv:hyp", "--group", "a:b|c", "-f", "json")
    signed = json.loads(told(folder, *odd)[0])["signatures"]["macro mean"]["BLEU"]
    assert "group:a=b/c|" in signed and "strata:a=b/c|" in signed
    text = " ".join(told(folder, "test", *asked, "--group", "domain", "-f", "text")[0].split())
    assert "TER by domain" in text and "Over all groups" in text and "corrected together" in text
    assert "and are marked (*) if they are significant." in text and "corrected separately" not in text
    text, messages = told(folder, "report", *asked, "chrf", "--group", "domain", "--no-checks")
    assert ("corrected for all 4 tests together; for the macro mean and the pooled score, separately for all 2 tests "
            "together (Holm, 1979). After the correction, the probability that any true null hypothesis of tests that "
            "are corrected together is rejected is at most 0.05.") in " ".join(text.split())
    page = (folder / "report.html").read_text()
    assert "questions of Marie" in page and "These answers do not cover the tests by group." in page
    tested = [line for line in messages.splitlines() if "tested: " in line]
    assert [line.split(": ", 2)[1] + line[line.rindex(","):] for line in tested] == [
        "news and talk, Holm's correction for all 4 tests together", "macro mean and pooled, separately for each"]
    for options, has_resamples in (((), False), (("--confidence",), True), (("--paired-ar",), True)):
        text = " ".join(told(folder, *asked, "--group", "domain", "-f", "text", *options)[0].split())
        assert "The macro mean is the mean" in text and "p-values of all groups" not in text
        assert ("every group keeps its size" in text) == has_resamples
    text, messages = told(folder, "test", *asked, "--group", "domain", "--correction", "none")
    assert "p-values of all groups" not in text
    assert "macro mean and pooled: " in messages and ", 4 tests without a correction\n" in messages
    write_lines(folder / "docs", [f"d{number}" for number in range(len(ROWS))])
    text, _ = told(folder, "test", *asked, "--group", "domain", "--docs", "docs", "--samples", "9")
    assert "In groups with few documents, the test makes all possible trials." in " ".join(text.split())
    sample = ("-t", "sample", "-l", "en-de")
    write_lines(folder / "mixed", told(folder, *sample, "--echo", "mixed")[0].splitlines())
    lines = csv_rows(folder, *sample, "--group", "origlang", "-i", "mixed")
    assert [line["group"] for line in lines] == ["en", "de", "fr", "macro mean", "pooled"]


def test_gates_judge_each_group_and_all_together(folder: Path) -> None:
    write_lines(folder / "worse.jsonl", [json.dumps({"hyp": row[3] if row[1] == "news" else "No."}) for row in ROWS])
    asked = ("ref.tsv:ref", "-m", "ter", "--group", "domain", "-f", "csv")
    table, lines = told(folder, "gate", *asked, "-i", "a.jsonl:hyp", "--max", "ter=17")
    scores = {line["group"]: float(line["score"]) for line in csv.DictReader(io.StringIO(table))}
    assert max(scores.values()) < 17 and lines.count("gate passed") == 4 and "on macro mean" in lines
    lines = told(folder, "gate", *asked, "-i", "a.jsonl:hyp", "--max", f"ter={scores['macro mean']}", code=3)[1]
    [failed] = [line for line in lines.splitlines() if "FAILED" in line]
    assert "on news is" in failed
    lines = told(folder, "gate", *asked, "-i", "worse.jsonl:hyp", "--baseline", "a.jsonl:hyp", "--margin", "1",
                 "--fail-on", "empty", "--junit", "gates.xml", code=3)[1]
    assert "FAIL" in lines and "on talk" in lines and "on pooled" in lines and "empty" in lines
    assert "on macro mean" in (folder / "gates.xml").read_text()


# The tests over groups, against their definitions

def rows_under(metric: Metric[Any], outputs: Sequence[str]) -> Any:
    return metric.corpus_statistics(outputs, [[row[2] for row in ROWS]])


def macro(metric: Metric[Any], rows: Sequence[Any], groups: Sequence[int]) -> float:
    """The definition: each group's score by itself, and the mean of these."""
    scores = [metric.score(sum_statistics([row for row, group in zip(rows, groups) if group == chosen])).score
              for chosen in sorted({*groups})]
    return fsum(scores) / len(scores)


@pytest.mark.parametrize("metric", [WER(), TER(), BLEU(effective_order=True)], ids=str)
@pytest.mark.parametrize("groups", [[0, 0, 1, 1], [0, 1, 1, 1]])
def test_randomization_of_macro_means_equals_enumeration(metric: Metric[Any], groups: list[int]) -> None:
    outputs = [row[3] for row in ROWS], ["A cat.", *[row[2] for row in ROWS[1:]]]
    systems = [rows_under(metric, lines) for lines in outputs]
    observed = abs(macro(metric, systems[0], groups) - macro(metric, systems[1], groups))
    extreme = 0
    for swaps in product((0, 1), repeat=len(ROWS)):
        one, other = [[systems[side ^ swap][index] for index, swap in enumerate(swaps)] for side in (0, 1)]
        extreme += abs(macro(metric, one, groups) - macro(metric, other, groups)) >= observed * (1 - 1e-12)
    wide = [[[wide_row(group, 2, row) for group, row in zip(groups, rows)]] for rows in systems]
    sampling = Sampling("ar", units=Units(strata=groups), exact=True)
    results = results_of(wide, [MacroMean(metric, 2)], sampling)
    assert results.systems[0][0].score == pytest.approx(macro(metric, systems[0], groups), abs=1e-12)
    assert results.systems[1][0].p_value == extreme / 2 ** len(ROWS)


def test_bootstrap_within_groups_equals_enumeration() -> None:
    groups, metric, count = [0, 0, 1, 1], TER(), 4000
    rows = rows_under(metric, [row[3] for row in ROWS])
    expected: dict[float, int] = {}
    for drawn in product((0, 1), (0, 1), (2, 3), (2, 3)):
        score = round(macro(metric, [rows[index] for index in drawn], groups), 9)
        expected[score] = expected.get(score, 0) + 1
    wide = [[[wide_row(group, 2, row) for group, row in zip(groups, rows)]]]
    results = results_of(wide, [MacroMean(metric, 2)], Sampling(differences=count, seed=1, units=Units(strata=groups)))
    found = [round(float(score), 9) for score in results.resampled[0][0]]
    assert {*found} == {*expected}
    for score, times in expected.items():
        share = times / 16
        assert abs(found.count(score) - count * share) < 4 * sqrt(count * share * (1 - share))
