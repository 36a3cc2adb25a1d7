"""Agreement with people: figures of the published curves, where there is none, worth, the reviewer's sentence."""

from __future__ import annotations

import csv
import functools
import io
import json
from pathlib import Path
from typing import Any

import pytest

import purebleu
from purebleu.report.formats import PairResults
from purebleu.report.worth import Fit, agreement, agreement_text, fit_of, reviewer_sentence
from purebleu.rows import parsed_signature
from purebleu.significance.sampling import Units

from ..helpers import output_of, read_fixture, results_of

#: Curves, as the tool of Kocmi et al. (2024) has them.
CURVES = [case for case in read_fixture("trust.json.gz")["cases"] if case["kind"] == "agreement"]

#: Signatures of scores that curves were fitted to.
FITTED = {
    "BLEU": "nrefs:1|case:mixed|eff:no|tok:{tok}|smooth:exp|version:x",
    "chrF2": "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:x",
}

SYSTEMS = {"a": 0.95, "b": 0.93, "c": 0.8}


def fitted(name: str, tokenizer: str | None = "13a") -> Any:
    """A signature that a curve holds for."""
    return parsed_signature(FITTED[name].format(tok=tokenizer), {})


SHARES, SEGMENTS = {"ref": 1.0, **SYSTEMS}, 30


# The curves

def test_figures_are_those_of_the_published_curves() -> None:
    assert len(CURVES) == 4
    for curve in CURVES:
        signature = fitted(curve["name"], curve["tok"])
        for difference, percent in curve["percent"]:
            for direction in (difference, -difference):
                assert agreement(curve["name"], signature, direction) == pytest.approx(percent, rel=1e-12)
        for percent, difference in curve["differences"]:
            assert agreement(curve["name"], signature, difference) == pytest.approx(percent, rel=1e-12)


def test_the_end_of_a_curve_is_said(folder: Path) -> None:
    fit = fit_of("BLEU", fitted("BLEU"))
    assert isinstance(fit, Fit) and fit.plateau == pytest.approx(agreement("BLEU", fitted("BLEU"), 99))
    assert fit_of("TER", fitted("BLEU")) == "no curve of agreement was fitted to scores of TER"
    text = output_of(["test", "ref", "-i", *SYSTEMS, "-m", "bleu", "ter", "-q"], folder)
    assert "the agreement with people approaches a limit: 88.3 % under BLEU" in " ".join(text.split())


def test_tables_of_differences_are_no_wider_than_80_columns(folder: Path) -> None:
    text = output_of(["test", "ref", "-i", *SYSTEMS, "-m", "bleu", "chrf", "-q"], folder)
    tables = [line for line in text.partition("\nDifferences\n")[2].splitlines() if line.startswith("│")]
    assert len(tables) > 20 and max(map(len, tables)) <= 80
    assert text.count("Difference in BLEU") == 2  # (the power has a table of its own)


def test_below_half_it_is_a_coin_toss() -> None:
    for name, below, above in (("BLEU", 0.27, 0.28), ("chrF2", 0.13, 0.14)):
        for difference, text in ((0, "a coin toss"), (below, "a coin toss"), (above, "50.1 %")):
            for direction in (difference, -difference):
                assert agreement_text(name, fitted(name), direction) == text


def _fitted_to(field: str, other: str) -> str:
    return f"the curve of agreement was fitted to scores with {field}, but these scores have {other}"


@pytest.mark.parametrize("metric, options, references, reason", [
    ("TER", {}, 1, "no curve of agreement was fitted to scores of TER"),
    ("WER", {}, 1, "no curve of agreement was fitted to scores of WER"),
    ("CHRF", {"word_order": 2}, 1, "no curve of agreement was fitted to scores of chrF2++"),
    ("CHRF", {"beta": 3}, 1, "no curve of agreement was fitted to scores of chrF3"),
    ("BLEU", {"tokenize": "intl"}, 1, "curves of agreement were fitted to scores with tok:13a or flores200 or "
                                      "flores101, but these scores have tok:intl"),
    ("BLEU", {"lowercase": True}, 1, _fitted_to("case:mixed", "case:lc")),
    ("BLEU", {"lowercase": True, "tokenize": "intl"}, 1, _fitted_to("case:mixed", "case:lc")),
    ("BLEU", {}, 2, _fitted_to("nrefs:1", "nrefs:2")),
    ("BLEU", {"effective_order": True}, 1, _fitted_to("eff:no", "eff:yes")),
    ("BLEU", {"smooth_method": "floor"}, 1, _fitted_to("smooth:exp", "smooth:floor[0.10]")),
    ("BLEU", {"max_ngram_order": 2}, 1, _fitted_to("order:usual", "order:2")),
    ("CHRF", {}, 2, _fitted_to("nrefs:1", "nrefs:2")),
    ("CHRF", {"lowercase": True}, 1, _fitted_to("case:mixed", "case:lc")),
    ("CHRF", {"char_order": 4}, 1, _fitted_to("nc:6", "nc:4")),
    ("CHRF", {"whitespace": True}, 1, _fitted_to("space:no", "space:yes")),
    ("CHRF", {"eps_smoothing": True}, 1, _fitted_to("eff:yes", "eff:no")),
])
def test_other_scores_have_a_reason_instead(metric: str, options: Any, references: int, reason: str) -> None:
    evaluated = getattr(purebleu.metrics, metric)(**options)
    score = evaluated.corpus_score(["a b c d"], [["a b c d"]] * references)
    assert fit_of(score.name, evaluated.get_signature()) == reason
    assert agreement(score.name, evaluated.get_signature(), 5.0) is None


# The command line

@functools.lru_cache(maxsize=None)
def worth(folder: Path, *arguments: str) -> str:
    return output_of(["test", "ref", "-i", *SYSTEMS, "-m", "bleu", "chrf", "ter", "--samples", "200", "-cin", "50",
                      "-q", *arguments], folder)


def test_every_format_has_the_figures_and_the_caveat(folder: Path) -> None:
    table = json.loads(worth(folder, "-f", "json"))
    assert [line["system"] for line in table] == list(SYSTEMS)
    review = json.loads(worth(folder, "-f", "json-signed"))["review"]
    assert "yes (Holm, all 9 tests together); all systems scored on the same data: yes" in review
    texts = {form: worth(folder, "-f", form) for form in ("text", "markdown", "latex", "html")}
    for system in table[1:]:
        for name in ("BLEU", "chrF2"):
            percent = agreement(name, fitted(name), system[name]["difference"])
            assert percent is not None
            assert system[name]["agreement"] == max(percent, 50)
            for form, text in texts.items():
                told = "a coin toss" if percent < 50 else f"{percent:.1f} %"
                assert told in text.replace(r"\%", "%"), form
        assert system["TER"]["agreement"] is None
    assert table[0]["BLEU"]["agreement"] is None
    for form, text in texts.items():
        said = " ".join(text.replace(r"\%", "%").split())
        assert "People agree with a metric less often if systems are unrelated" in said, form
        assert ("The agreement of people with other scores is not known: no curve of agreement was fitted to scores of "
                "TER.") in said, form
        assert "no figure" in said and "For a reviewer" in said and review in said, form


def test_differences_have_their_intervals(folder: Path) -> None:
    baseline, *others = json.loads(worth(folder, "-f", "json"))
    assert (baseline["system"], len(others)) == ("a", 2)
    for name in ("BLEU", "chrF2", "TER"):
        for cell in [other[name] for other in others]:
            assert cell["difference"] == cell["score"] - baseline[name]["score"]
            assert cell["difference_low"] < cell["difference"] < cell["difference_high"]


def test_no_other_table_has_figures(folder: Path) -> None:
    for arguments in ([], ["-ci", "-cin", "50"], ["-par", "-parn", "50"]):
        for form in ("json", "text", "markdown"):
            text = output_of(["ref", "-i", *SYSTEMS, *arguments, "-f", form], folder)
            assert "greement" not in text
            assert "reviewer" not in text
        lines = csv.DictReader(io.StringIO(output_of(["ref", "-i", *SYSTEMS, *arguments, "-f", "csv"], folder)))
        assert {line["agreement"] for line in lines} == {""}
    assert "No figure" not in worth(folder, "--no-worth")


# Properties that a reviewer asks for

def reviewed(metrics: Any = ("TER",), systems: int = 2, documents: Any = None, **options: Any) -> dict[str, str]:
    """The answers of the sentence, by what is asked, of systems with these options of a test."""
    metric_objects = [getattr(purebleu.metrics, name.upper())() for name in metrics]
    texts = [[f"w{index * system % 7} b c d" for index in range(5)] for system in range(1, systems + 1)]
    counted = [[metric.corpus_statistics(text, [["w1 b c d"] * 5]) for metric in metric_objects] for text in texts]
    results = results_of(counted, metric_objects, differences=9, units=documents and Units(documents), **options)
    signatures: Any = {score.name: None for score in results.scores[0]}
    start, _, answers = reviewer_sentence(PairResults("", [], results, signatures)).partition(": ")
    assert (start, answers[-1]) == ("Answers to the questions of Marie et al. (2021)", ".")
    return dict(answer.split(": ") for answer in answers[:-1].split("; "))


TESTED = "differences tested for significance"
CORRECTED = "p-values corrected for the number of tests"
UNITS = "units that were resampled or swapped"

#: A test of three systems; and the same under two metrics.
OF_THREE: dict[str, Any] = {"test": "ar", "samples": 200, "systems": 3}
OF_TWO_METRICS = {**OF_THREE, "metrics": ("TER", "WER")}


@pytest.mark.parametrize("options, answers", [
    ({}, {TESTED: "no", CORRECTED: "no"}),
    ({"test": "bs", "samples": 20}, {TESTED: "yes (paired bootstrap resampling, 20 resamples)",
                                     CORRECTED: "no (there is one test)"}),
    ({"test": "ar", "samples": 1200}, {TESTED: "yes (paired approximate randomization, 1,200 trials)"}),
    ({"test": "ar", "exact": True}, {TESTED: "yes (paired approximate randomization, all 32 trials)"}),
    (OF_THREE, {CORRECTED: "no (2 tests)"}),
    (OF_TWO_METRICS, {CORRECTED: "no (4 tests)"}),
    ({**OF_TWO_METRICS, "holm": True}, {CORRECTED: "yes (Holm, all 4 tests together)"}),
    ({**OF_TWO_METRICS, "holm": True, "rank": True}, {CORRECTED: "yes (Holm, all 6 tests together)"}),
    ({**OF_TWO_METRICS, "rank": True}, {CORRECTED: "yes (Holm, the 3 tests under each metric)"}),
    ({}, {"all systems scored on the same data": "yes (the same references)", UNITS: "segments"}),
    ({"metrics": ("BLEU",)}, {"a metric besides BLEU": "no"}),
    ({"metrics": ("BLEU", "CHRF", "TER")}, {"a metric besides BLEU": "yes (chrF2, TER)"}),
    ({"metrics": ("TER",)}, {"a metric besides BLEU": "yes (TER)"}),
    ({"documents": [0, 0, 1, 1, 2]}, {UNITS: "documents"}),
])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_reviewers_sentence(options: Any, answers: dict[str, str]) -> None:
    found = reviewed(**options)
    assert len(found) == 5
    for asked, answer in answers.items():
        assert found[asked] == answer
