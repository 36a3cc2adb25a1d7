"""Minimum Bayes risk decoding: `mbr`, held to its definition, and on the command line."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu import decoding
from purebleu.metrics import CHRF
from purebleu.runtime import errors

from ..helpers import output_of, part, refusal, write_lines

mbr: Any = decoding.mbr

METRICS: list[tuple[str, dict[str, Any]]] = [("BLEU", {"effective_order": True}), ("CHRF", {"word_order": 2}),
                                             ("GLEU", {}), ("TER", {})]

words = st.sampled_from(["the", "cat", "sat", "on", "3.5", "中文", "."])
samples_of_segment = st.lists(st.lists(words, max_size=6).map(" ".join), min_size=1, max_size=5)


def make_metric(name: str, options: dict[str, Any]) -> Any:
    return part("metrics", name)(**options)


def by_definition(metric: Any, samples: Sequence[str], references: Sequence[str],
                  weights: Sequence[float]) -> tuple[int, float]:
    utilities = [math.fsum([weight * metric.sentence_score(sample, [reference]).score
                            for weight, reference in zip(weights, references)]) / math.fsum(weights)
                 for sample in samples]
    best = min(utilities) if metric.LOWER_IS_BETTER else max(utilities)
    index = [math.isclose(utility, best, rel_tol=1e-12) for utility in utilities].index(True)
    return index, utilities[index]


@pytest.mark.parametrize(("name", "options"), METRICS, ids=repr)
@given(samples=samples_of_segment, references=samples_of_segment, weight=st.floats(0.1, 9))
def test_the_choice_is_the_first_with_the_best_mean(name: str, options: dict[str, Any], samples: list[str],
                                                    references: list[str], weight: float) -> None:
    metric = make_metric(name, options)
    assert mbr(samples, metric) == by_definition(metric, samples, samples, [1] * len(samples))
    assert mbr(samples, metric, references) == by_definition(metric, samples, references, [1] * len(references))
    weights = [weight, *[1] * (len(references) - 1)]
    assert mbr(samples, metric, references, weights) == by_definition(metric, samples, references, weights)


@pytest.mark.parametrize(("name", "samples"), [
    ("WER", ["b c b", "c c b", "b a a", "a b"]), ("TER", ["c c a", "b a", "c c a", "b b a"]),
    ("GLEU", ["c c a", "c c c", "c b", "b b"]), ("ROUGE1", ["c c a b", "c b c", "a c b b", "b b b"]),
])
def test_samples_whose_means_differ_by_rounding_alone_are_tied(name: str, samples: list[str]) -> None:
    metric = make_metric(name, {})
    utilities = [math.fsum(row) / len(row) for row in metric.pairwise(samples, samples)]
    assert utilities.index(min(utilities) if metric.LOWER_IS_BETTER else max(utilities)) > 0
    assert mbr(samples, metric) == (0, utilities[0])


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.full)])
def test_several_segments(jobs: int) -> None:
    metric = CHRF()
    segments = [["a b", "a c", "a b"], ["x"], ["y z", ""]]
    assert mbr(segments, metric, jobs=jobs) == [mbr(samples, metric) for samples in segments]
    references, weights = [["a"], ["b", "c"], ["d", "e", "z"]], [[1], [0, 2], [0.5, 0.25, 3]]
    assert mbr(segments, metric, references, weights, jobs) == [
        mbr(samples, metric, *others) for samples, *others in zip(segments, references, weights)]


@pytest.mark.parametrize(("args", "kind", "message"), [
    (([],), "PurebleuError", "there are no samples"),
    (([["a"], []],), "PurebleuError", "segment 1 has no samples"),
    ((["a"], []), "PurebleuError", "there are no references"),
    (([["a"]], [[]]), "PurebleuError", "segment 0 has no references"),
    (([["a"], ["b"]], [["a"]]), "LengthError", "there are samples for 2 segments, but references for 1"),
    (([["a"]], None, [[1], [1]]), "LengthError", "there are samples for 1 segments, but weights for 2"),
    ((["a", "b"], None, [1]), "LengthError", "weights has 1 number, but there are 2 references"),
    *[((["a", "b"], None, weights), "PurebleuError", "weights must be finite numbers of at least 0, and not all .* 0")
      for weights in ([1, -1], [0, 0], [math.nan, 1], [math.inf, 1])],
    (("abc",), "TypeError", "samples must be a sequence, such as a list, not a str"),
    (([["a"], "b"],), "TypeError", r"samples\[1\] is a string, but must be a list of strings"),
    ((["a", ["b"]],), "TypeError", "samples must be a list of strings for each segment"),
    (([[["a", "b"]]],), "TypeError", "samples must be a list of strings for each segment"),
    ((["a"], "a"), "TypeError", "references must be a sequence, such as a list, not a str"),
])
def test_samples_that_cannot_be_chosen_from_are_refused(args: Any, kind: str, message: str) -> None:
    error = TypeError if kind == "TypeError" else getattr(errors, kind)
    with pytest.raises(error, match=message):
        mbr(args[0], CHRF(), *args[1:])


def test_the_metric_is_an_object() -> None:
    with pytest.raises(TypeError, match=r"metric must be a metric, such as purebleu.CHRF\(\), not 'chrf'"):
        mbr(["a"], "chrf")


# The command line

SAMPLES = "a cat\tthe cat sat\tthe cat sits\nx\n\ty\ty  \t\n"


def printed(folder: Path, *args: str, stdin: str = "") -> str:
    return output_of(["mbr", *args], folder, stdin.encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "samples.tsv").write_text(SAMPLES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("options", [
    (), pytest.param(("-j", "1"), marks=pytest.mark.full), pytest.param(("-j", "2"), marks=pytest.mark.full),
    ("-m", "bleu"), ("-m", "chrf", "-cw", "2")])
def test_mbr_prints_the_chosen_lines(folder: Path, options: tuple[str, ...]) -> None:
    assert printed(folder, "-i", "samples.tsv", *options) == "the cat sat\nx\ny\n"
    assert printed(folder, *options, stdin=SAMPLES) == "the cat sat\nx\ny\n"


def test_utilities_and_indices(folder: Path) -> None:
    metric = CHRF()
    expected = [mbr(line.split("\t"), metric) for line in ["a cat\tthe cat sat\tthe cat sits", "x", "\ty\ty"]]
    rows = [(line, index, utility, text) for line, ((index, utility), text) in enumerate(
        zip(expected, ["the cat sat", "x", "y"]), 1)]
    asked = ("-i", "samples.tsv", "-m", "chrf")
    assert printed(folder, *asked, "-sl", "-w", "3").splitlines() == [
        f"{utility:.3f}\t{index}\t{text}" for _, index, utility, text in rows]
    names = ("line", "index", "utility", "text")
    assert json.loads(printed(folder, *asked, "-f", "json", "-w", "3")) == [
        dict(zip(names, (line, index, round(utility, 3), text))) for line, index, utility, text in rows]
    assert printed(folder, *asked, "-f", "tsv").splitlines() == [
        "\t".join(names), *[f"{line}\t{index}\t{utility:.1f}\t{text}" for line, index, utility, text in rows]]


def test_lists_of_json_and_references(folder: Path) -> None:
    write_lines(folder / "out.jsonl", map(json.dumps, [{"out": ["a b", "b c"], "pseudo": ["c"]},
                                                       {"out": ["x"], "pseudo": ["y", "z"]}]))
    assert printed(folder, "-i", "out.jsonl:out", "-m", "chrf", "-sl") == "62.5\t0\ta b\n100.0\t0\tx\n"
    assert printed(folder, "out.jsonl:pseudo", "-i", "out.jsonl:out", "-m", "chrf").splitlines() == ["b c", "x"]


@pytest.mark.parametrize(("args", "stdin", "code", "message"), [
    ((), "a\n\nb\n", 1, "standard input: line 2 has no samples"),
    ((), "a\n\t\t\n", 1, "standard input: line 2 has no samples"),
    ((), "", 1, "standard input is empty (is -i missing?)"),
    (("-i", "-:jsonl:h"), '{"h": []}\n', 1, "-:jsonl:h: line 1 has no samples"),
    (("-i", "-:jsonl:h"), '{"h": ["a", null]}\n', 1, "-:jsonl:h: line 1 has null among its samples"),
    *[(("-i", "-:jsonl:h"), f'{{"h": ["a{feeds}b"]}}\n', 1,
       "the sample chosen for segment 1 has a line feed in it: use another format (-f)")
      for feeds in ("\\n\\n", "\\n")],
    (("samples.tsv",), "a\n", 1, "the numbers of lines differ: 1 in standard input, 3 in samples.tsv"),
    (("-m", "bleu", "chrf"), "", 2, "mbr takes only one metric"),
    (("-i", "a", "b"), "", 2, "mbr takes only one file of samples (-i) and one file of references "
                         "(paste joins files line by line)"),
    (("-f", "latex"), "", 2, "argument --format/-f: invalid choice: 'latex' (choose from 'text', 'json', 'csv', "
                            "'tsv') (did you mean 'text'?) (see purebleu mbr --help)"),
])
def test_errors_of_the_command_line(folder: Path, args: tuple[str, ...], stdin: str, code: int, message: str) -> None:
    assert refusal(folder, "mbr", *args, code=code, stdin=stdin.encode()) == f"purebleu: error: {message}\n"
