"""`-sl` of several metrics and systems: a table whose numbers are those of each metric and system by itself."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path

from ..helpers import csv_rows, output_of, refusal, refused, texts_of, told, write_lines

#: The options of a metric, and the name of its score.
METRICS = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER", "nist": "NIST"}
SYSTEMS = ("good", "bad", "other")
SHARES, SEGMENTS = {"ref": 1.0, "good": 0.9, "bad": 0.4, "other": 0.7}, 400


def printed(folder: Path, *arguments: str) -> str:
    return output_of(["ref", *arguments, "-q"], folder)


def rows_of(folder: Path, *arguments: str, form: str = "csv") -> list[dict[str, str]]:
    return csv_rows(folder, "ref", *arguments, "-sl", form=form)


def test_the_columns_are_what_each_metric_gives_for_each_system(folder: Path) -> None:
    write_lines(folder / "ids", [f"s,{number}" for number in range(SEGMENTS)])
    arguments = ["-i", *SYSTEMS, "-m", *METRICS, "--ids", "ids", "-w", "4"]
    rows = rows_of(folder, *arguments)
    assert len(rows) == SEGMENTS * len(SYSTEMS)
    assert [row["system"] for row in rows[:4]] == ["good", "bad", "other", "good"]
    assert [(row["line"], row["id"]) for row in rows[2:5]] == [("1", "s,0"), ("2", "s,1"), ("2", "s,1")]
    signatures = told(folder, "ref", *arguments, "-sl", "-f", "csv")[1].splitlines()
    # One system under each metric, in turns.
    for (metric, name), index in zip(METRICS.items(), cycle(range(len(SYSTEMS)))):
        alone = ["-i", SYSTEMS[index], "-m", metric, "-w", "4"]
        assert [row[name] for row in rows[index::3]] == [row[name] for row in rows_of(folder, *alone)]
        assert "purebleu: " + printed(folder, *alone, "-sl").partition(" = ")[0] in signatures


def test_lengths_are_tokens_of_bleu_whatever_is_scored(folder: Path) -> None:
    with_bleu = rows_of(folder, "-i", "good", "bad", "-m", "bleu", "chrf")
    without = rows_of(folder, "-i", "A=good", "B=bad", "-m", "chrf")
    assert [(row["hyp_len"], row["ref_len"]) for row in with_bleu] == [(row["hyp_len"], row["ref_len"])
                                                                       for row in without]
    assert [row["system"] for row in without[:2]] == ["A", "B"]
    assert with_bleu[0]["hyp_len"] == "12" and "BLEU" not in without[0]
    by_characters = rows_of(folder, "-i", "good", "bad", "-tok", "char", "-m", "bleu", "ter")
    assert by_characters[0]["hyp_len"] == str(len(texts_of(folder, "good")[0][0].replace(" ", "")))


def test_forms_say_the_same(folder: Path) -> None:
    arguments = ["-i", "good", "bad", "-m", "bleu", "ter"]
    rows = rows_of(folder, *arguments)
    assert rows_of(folder, *arguments, form="tsv") == rows
    found = json.loads(printed(folder, *arguments, "-sl", "-f", "json"))
    lines = found["segments"]
    assert [(str(line["line"]), line["system"], str(line["hyp_len"]), line["scores"]["TER"]) for line in lines] == [
        (row["line"], row["system"], row["hyp_len"], float(row["TER"])) for row in rows]
    assert [*found["signatures"]] == ["BLEU", "TER"] and lines[0]["id"] is None


@refused("tables of segments")
def test_tables_need_a_format_of_tables(folder: Path, arguments: list[str], code: int, message: str) -> None:
    assert message in refusal(folder, *arguments, code=code)
