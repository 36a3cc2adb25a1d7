"""`purebleu agree` and `select`: forms of human scores, measures, reports, and what is refused."""

from __future__ import annotations

import hashlib
import json
import random
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, Sequence

import pytest

import purebleu
from purebleu.files.scores import read_human_scores
from purebleu.meta_evaluation import measures
from purebleu.meta_evaluation.diversity import chosen_segments, similarities
from purebleu.meta_evaluation.system_ranks import autorank, rank_systems_by_people
from purebleu.runtime.errors import PurebleuWarning

from .. import helpers
from ..helpers import csv_rows, read_fixture, refusal, refused, texts_of, told, write_lines, write_systems

SYSTEMS = ("a.txt", "b.txt", "c.txt", "d.txt")
SEGMENTS = 40
COMET = ["--scores", *[f"COMET={name}.comet" for name in "abcd"]]

#: Segments that nobody judged, by their indices.
UNJUDGED = (3, 17, SEGMENTS - 1)

MQM = [case for case in read_fixture("scores.json.gz")["cases"] if case["kind"] == "mqm"]


def human_scores() -> dict[str, list[float | None]]:
    source = random.Random(5)
    return {name: [None if index in UNJUDGED else float(source.choice([0, 0, -1, -1, -5, -6])) - shift
                   for index in range(SEGMENTS)] for name, shift in (("a", 0), ("b", 3), ("c", 1), ("d", 2))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """References, systems, and human scores in every form."""
    folder = tmp_path_factory.mktemp("agreement")
    write_systems(folder, dict(zip(("ref", *SYSTEMS), (1.0, 0.9, 0.5, 0.8, 0.7))), SEGMENTS)
    human = human_scores()
    for name, scores in human.items():
        write_lines(folder / f"{name}.human", ["" if score is None else score for score in scores])
        # (A learned metric, which agrees with people.)
        write_lines(folder / f"{name}.comet", [0.8 + (score or 0) / 100 for score in scores])
    write_lines(folder / "human.seg.score", [f"{name}\t{score}" for name, scores in human.items() for score in scores])
    (folder / "more.seg.score").write_text("refA\t0.0\n" * SEGMENTS + (folder / "human.seg.score").read_text())
    write_lines(folder / "average.tsv", ["system mqm_avg_score seg_id", *[
        f"{name}\t{score} {number}" for name, scores in human.items() for number, score in enumerate(scores, 1)]])
    rows = [(name, number, score) for name, scores in human.items() for number, score in enumerate(scores)
            if score is not None]
    write_lines(folder / "long.csv", ["rater,system,seg_id,score", *[
        f"r{turn},{name},{number + 1},{score + turn}" for name, number, score in rows for turn in (-1, 1)]])
    write_lines(folder / "long.jsonl", [
        json.dumps({"system": name, "line_id": number, "langs": "en-de", "esa_score": score})
        for name, number, score in rows])
    write_lines(folder / "human.sys.score", [f"{name} {-index}" for index, name in enumerate("acdb")])
    return folder


def command(*further: str) -> list[str]:
    return ["agree", "ref", "-i", *SYSTEMS, "-m", "chrf", "--trials", "0", "-f", "json", *further]


def agreed(folder: Path, *further: str) -> Any:
    return json.loads(told(folder, *command(*further))[0])


# Human scores

@pytest.mark.parametrize("files", [
    ["human.seg.score"], ["a.human", "b.human", "c.human", "d.human"], ["average.tsv"], ["long.csv:score"],
    ["long.jsonl:esa_score"], ["more.seg.score"]])
def test_every_form_has_the_same_figures(folder: Path, files: Sequence[str]) -> None:
    found, expected = [agreed(folder, "--human", *names, "-q") for names in (files, ["human.seg.score"])]
    assert found["measures"] == expected["measures"] and found["human"] == files
    _, errors = told(folder, *command("--human", *files))
    assert ("more.seg.score also has human scores of refA, which are not among the outputs" in errors) == (
        files == ["more.seg.score"])


def test_a_file_for_each_system_is_matched_by_its_name(folder: Path) -> None:
    [lines] = texts_of(folder, "human.seg.score")
    for name in "abcd":
        write_lines(folder / f"{name}.seg.score", [line for line in lines if line[0] == name])
    in_another_order = [f"{name}.seg.score" for name in "bdca"]
    assert agreed(folder, "--human", *in_another_order)["measures"] == agreed(
        folder, "--human", "human.seg.score")["measures"]
    other = command("--human", "b.seg.score", "b.human", "c.human", "d.human")
    assert "b.seg.score should have the scores of a.txt, but has the scores of b" in refusal(folder, *other, code=1)


@pytest.mark.parametrize("case", MQM)
def test_scores_of_mqm_are_those_of_mt_metrics_eval(case: Any, tmp_path: Path) -> None:
    (tmp_path / "mqm.tsv").write_text(case["text"], encoding="utf-8")
    found = read_human_scores(str(tmp_path / "mqm.tsv"))
    assert {name: list(scores.by_line) for name, scores in found.items()} == {
        name: list(range(1, 9)) for name in case["scores"]}
    for name, scores in found.items():
        assert list(map(float, scores.by_line.values())) == pytest.approx(case["scores"][name], abs=1e-12)


def test_averages_of_judgements_are_exact_in_any_order(tmp_path: Path) -> None:
    def averages(*judgements: str) -> Any:
        write_lines(tmp_path / "judgements.csv", ["system,seg_id,score", *judgements])
        return [scores.by_line for scores in read_human_scores(f"{tmp_path / 'judgements.csv'}:score").values()]

    for judgements in permutations(["a,1,0.1", "a,1,0.2", "a,1,0.3", "a,1,1e-29"]):
        assert averages(*judgements) == [{1: (Fraction("0.6") + Fraction(1, 10**29)) / 4}]
    assert averages(*["a,1,1.1"] * 6, "b,1,1.1", *["a,2,1"] * 3, "b,2,0", "b,2,1", "b,2,2") == [
        {1: Fraction("1.1"), 2: 1}] * 2


def test_selected_rows_keep_the_numbers_that_people_used(folder: Path, tmp_path: Path) -> None:
    for name, lines in zip(("ref", *SYSTEMS), texts_of(folder, "ref", *SYSTEMS)):
        write_lines(tmp_path / f"{name}.jsonl", [json.dumps({"text": line, "part": index % 3})
                                                 for index, line in enumerate(lines)])
        write_lines(tmp_path / name, lines[1::3])
    for name, scores in human_scores().items():
        write_lines(tmp_path / f"{name}.human", scores[1::3])
    expected = agreed(tmp_path, "--human", *[f"{name}.human" for name in "abcd"])["measures"]
    rows = ["ref.jsonl:text", *[f"{name[0]}={name}.jsonl:text" for name in SYSTEMS]]
    asked = ("agree", rows[0], "-i", *rows[1:], "-m", "chrf", "--trials", "0", "-f", "json", "--where", "part=1")
    for human in ("human.seg.score", "long.csv:score"):
        assert json.loads(told(tmp_path, *asked, "--human", str(folder / human))[0])["measures"] == expected
    assert "from 1 (if they count from 0, add 1 to each)" in told(folder, *command("--human", "long.csv:score"))[1]
    assert "add 1" not in told(folder, *command("--human", "long.jsonl:esa_score"))[1]


def test_the_order_of_errors_does_not_matter(tmp_path: Path) -> None:
    errors = [("Accuracy", "Major"), ("Fluency/Punctuation", "Minor"), ("Fluency/Punctuation", "Minor")]
    lines = ["system\tseg_id\trater\tcategory\tseverity"]
    lines += [f"{system}\t1\tr\t{category}\t{severity}" for system, in_order in (
        ("a", errors), ("b", errors[::-1]), ("c", errors[1:] + errors[:1])) for category, severity in in_order]
    (tmp_path / "mqm.tsv").write_text("\n".join([*lines, ""]))
    found = read_human_scores(str(tmp_path / "mqm.tsv"))
    assert [found[system].by_line for system in "abc"] == [{1: Fraction("-5.2")}] * 3
    (tmp_path / "mqm.tsv").write_text("\n".join([*lines, "a\t1\tr\tAccuracy\tCritical", ""]))
    with pytest.warns(PurebleuWarning, match="no weight, so they count as 0: Critical"):
        assert read_human_scores(str(tmp_path / "mqm.tsv")) == found


def test_figures_are_those_of_the_library(folder: Path) -> None:
    asked_for = ["spa", "acc-eq", "acc-eq:none", "accuracy:item", "pearson", "tau-b:item", "tau-b:system",
                 "sys:accuracy", "sys:pearson", "sys:tau-b"]
    found = agreed(folder, "-m", "ter", *COMET, "--human", "human.seg.score", "--measures", *asked_for)
    human = list(human_scores().values())
    references, *systems = texts_of(folder, "ref", *SYSTEMS)
    segment_scores = [list(map(float, scores)) for scores in texts_of(folder, *[f"{name}.comet" for name in "abcd"])]
    scores_by_metric = {"COMET": (segment_scores, [[sum(scores) / SEGMENTS] for scores in segment_scores])}
    for name, metric, sign in (("chrF2", purebleu.CHRF(), 1), ("TER", purebleu.TER(), -1)):
        scores_by_metric[name] = (
            [[sign * metric.sentence_score(*pair).score for pair in zip(lines, [[line] for line in references])]
             for lines in systems],
            [[sign * metric.corpus_score(lines, [references]).score] for lines in systems])
    judged = [[score for score in scores if score is not None] for scores in human]
    system_means = [[sum(scores) / len(scores)] for scores in judged]
    assert [answer["measure"] for answer in found["measures"]] == asked_for
    for answer, text in zip(found["measures"], asked_for):
        is_of_systems = text.startswith("sys:")
        name, _, by = text.replace("sys:", "").partition(":")
        for line in answer["metrics"]:
            scores = scores_by_metric[line["metric"]][is_of_systems]
            expected = measures.agreement_of(name, system_means if is_of_systems else human, scores,
                                             "none" if is_of_systems else by or None)
            assert line["agreement"] == pytest.approx(expected, abs=1e-12)
        assert answer["judged"] == (len(SYSTEMS) if is_of_systems else len(SYSTEMS) * (SEGMENTS - len(UNJUDGED)))


def test_scores_of_systems_from_a_file_of_their_own(folder: Path) -> None:
    # (The systems get worse in the order of the file, as their outputs do.)
    for options, agreement in (([], 1.0), (["--human-lower"], 0.0)):
        accuracy, pearson = agreed(folder, "--human-systems", "human.sys.score", *options)["measures"]
        assert (accuracy["measure"], pearson["measure"]) == ("sys:accuracy", "sys:pearson")
        assert accuracy["metrics"] == [{"metric": "chrF2", "agreement": agreement}]


def test_two_systems_and_scores_upside_down_are_reported(tmp_path: Path) -> None:
    write_lines(tmp_path / "ref", ["a b c d e", "f g h i j", "k l m n o"])
    write_lines(tmp_path / "good", ["a b c d e", "f g x i j", "k l m y z"])
    write_lines(tmp_path / "bad", ["a b c d x", "f y x i j", "q r m y z"])
    write_lines(tmp_path / "good.errors", ["1", "2", "3"])
    write_lines(tmp_path / "bad.errors", ["2", "3", "4"])
    arguments = ["agree", "ref", "-i", "good", "bad", "-m", "chrf", "--human", "good.errors", "bad.errors"]
    text, warned = told(tmp_path, *arguments)
    assert " ".join(text.split()).count("the measure has either its highest or its lowest value.") == 2
    assert "if lower human scores are better, add --human-lower" in warned
    assert "--human-lower" not in told(tmp_path, *arguments, "--human-lower")[1]


def test_ranks_and_tests_have_a_seed(folder: Path) -> None:
    arguments = ["agree", "ref", "-i", *SYSTEMS, "-m", "chrf", "ter", *COMET, "--human", "human.seg.score",
                 "--measures", "pearson", "acc-eq", "--trials", "200"]
    first, again, other = [told(folder, *arguments, "-f", "json", "--seed", seed)[0] for seed in "112"]
    assert first == again and first != other
    [pearson, _] = json.loads(first)["measures"]
    assert pearson["metrics"][0] == {"metric": "COMET", "agreement": pytest.approx(1.0), "rank": 1}
    assert {test["better"] for test in pearson["tests"] if test["p_value"] <= 0.05} >= {"COMET"}
    assert [line["rank"] for line in pearson["metrics"]][1:] != [1, 1]


def test_tables_in_all_formats_and_in_reports(folder: Path) -> None:
    arguments = ["ref", "-i", *SYSTEMS, "-m", "chrf", "ter", "--human", "human.seg.score", "--trials", "20"]
    for form in ("text", "latex", "html", "markdown"):
        text, _ = told(folder, "agree", *arguments, "-f", form)
        assert "acc-eq" in text and "Tests between metrics" in text
    for form in ("csv", "tsv"):
        lines = csv_rows(folder, "agree", *arguments, form=form)
        assert {line["measure"] for line in lines} == {"spa", "acc-eq", "sys:accuracy", "sys:pearson"}
        assert {line["rank"] for line in lines} <= {"1", "2"}
    sections = []
    for against in ([], ["--against", "c"]):
        told(folder, "report", *arguments, *against, "-o", "page.html", "-q", "--samples", "50", "-cin", "20")
        page = (folder / "page.html").read_text(encoding="utf-8")
        sections.append(page.partition('<section id="agreement"')[2].partition("</section>")[0])
    assert sections[0] == sections[1] and "Soft pairwise accuracy" in sections[0]
    assert hashlib.sha256((folder / "human.seg.score").read_bytes()).hexdigest() in page


@refused("agreement")
def test_wrong_scores_and_options_are_refused(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "e.txt").write_bytes((folder / "a.txt").read_bytes())
    write_lines(folder / "short.seg.score", [f"{name} 1" for name in "abcd"])
    (folder / "twice.tsv").write_text("system mqm_avg_score seg_id\na\t1 1\na\t2 1\n")
    (folder / "words.tsv").write_text("system mqm_avg_score seg_id\na\t1 first\n")
    write_lines(folder / "beyond.tsv", ["system mqm_avg_score seg_id", *[
        f"{name}\t1 {number}" for name in "abcd" for number in range(1, 42)]])
    write_lines(folder / "pairs.jsonl", [
        json.dumps({"system": "a", "seg_id": 1, "langs": pair, "score": 1}) for pair in ("en-de", "en-fr")])
    assert message in refusal(folder, *arguments, code=code)


# Ranks of systems, and what to annotate

def test_systems_by_human_scores(folder: Path) -> None:
    found = agreed(folder, "--human", "human.seg.score")["systems"]
    ranks = rank_systems_by_people(list(human_scores().values()))
    assert [line["system"] for line in found] == ["abcd"[system] for system in ranks.order] == [*"acdb"]
    assert [line["mean"] for line in found] == [ranks.means[system] for system in ranks.order]
    ends = [line["rank"].split("-") for line in found]
    assert [(int(end[0]), int(end[-1])) for end in ends] == [ranks.ranges[system] for system in ranks.order]


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_segments_to_annotate(folder: Path, metric: str) -> None:
    write_lines(folder / "ids", [f"id{line}" for line in range(SEGMENTS)])
    utility = getattr(purebleu.metrics, metric.upper())()
    chosen = chosen_segments(similarities(texts_of(folder, *SYSTEMS), utility), 3, utility.LOWER_IS_BETTER)
    assert told(folder, "select", "-i", *SYSTEMS, "--count", "3", "-m", "bleu")[1] == ""  # (with effective order)
    arguments = ["select", "-i", *SYSTEMS, "--count", "3", "-m", metric]
    text, _ = told(folder, *arguments)
    assert [int(line.split("\t")[0]) for line in text.splitlines()] == [index + 1 for index in chosen]
    rows = json.loads(told(folder, *arguments, "-f", "json", "--ids", "ids", "--source", "ref")[0])
    assert [row["id"] for row in rows] == [f"id{index}" for index in chosen]
    lines = csv_rows(folder, *arguments, "--source", "ref", "-w", "3")
    assert [line["source"] for line in lines] == [row["source"] for row in rows]
    assert [line["similarity"] for line in lines] == [f"{row['similarity']:.3f}" for row in rows]


def test_autorank_of_a_manifest(folder: Path) -> None:
    names_by_pair = {"en-de": "abcd", "en-fr": "abc"}
    write_lines(folder / "manifest.tsv", ["name\tpair\treferences\thypothesis\tcomet", *[
        f"{name}\t{pair}\tref\t{name}.txt\t{name}.comet" for pair, names in names_by_pair.items() for name in names]])
    arguments = ["test", "--manifest", "manifest.tsv", "-m", "chrf", "ter", "--scores", "COMET=comet", "--autorank",
                 "--samples", "200"]
    found = json.loads(told(folder, *arguments, "-f", "json")[0])["systems"]
    signs = {"chrF2": 1, "TER": -1, "COMET": 1}
    for pair, names in names_by_pair.items():
        scores = [[sign * system["pairs"][pair][metric]["score"] for system in found if pair in system["pairs"]]
                  for metric, sign in signs.items()]
        expected = autorank(scores)
        assert [system["autorank"][pair] for system in found if pair in system["pairs"]] == expected
        assert len(expected) == len(names)
    assert [line["metric"] for line in csv_rows(folder, *arguments)].count("AutoRank") == 7
    text, _ = told(folder, *arguments, "-f", "text")
    assert "AutoRank" in text and "Kocmi et al., 2025" in " ".join(text.split())


@helpers.needs_pipes
@pytest.mark.parametrize(("name", "column"), [("human.seg.score", ""), ("long.csv", ":score")])
def test_human_scores_may_come_from_a_pipe(folder: Path, tmp_path: Path, name: str, column: str) -> None:
    """A file is opened once: what is opened again, would wait for ever."""
    with helpers.sent_through(tmp_path / name, (folder / name).read_bytes()):
        piped, plain = [agreed(folder, "--human", f"{where / name}{column}") for where in (tmp_path, folder)]
    assert piped["measures"] == plain["measures"]
