"""Metrics in evaluate's shape, held to evaluate's own results; and GLEU, which one of them is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import purebleu
from purebleu import evaluate
from purebleu.runtime.errors import OptionError, PurebleuError

from ..helpers import SCRIPTS, load_script, needs_wmt22, read_fixture, shares, wmt22_lines

cases = load_script("dev/oracles/cases/evaluate")
METRIC_OPTIONS, arguments_of = cases.METRIC_OPTIONS, cases.arguments_of

CASES = read_fixture("evaluate.json.gz")["cases"]

#: evaluate's errors, by their names, and what purebleu raises in their stead. (Others come from deep inside of it.)
ERRORS = {"ValueError": ValueError, "ZeroDivisionError": ZeroDivisionError, "TypeError": TypeError}


def types_in(value: Any) -> Any:
    """The types in a result, which should be Python's own."""
    if isinstance(value, dict):
        return {key: types_in(item) for key, item in value.items()}
    return [type(item) for item in value] if isinstance(value, list) else type(value)


# Equal to evaluate

# (The cases are random texts, many of which deserve a warning; evaluate gives none.)
@pytest.mark.filterwarnings("ignore::purebleu.runtime.errors.PurebleuWarning")
@pytest.mark.parametrize("name", METRIC_OPTIONS)
@shares(4)
def test_results_and_errors_are_evaluates(name: str, share: int) -> None:
    module = evaluate.load(name)
    metric_cases = [case for case in CASES if case["metric"] == name]
    assert len(metric_cases) >= 130
    assert sum("arguments" in case for case in metric_cases) >= 2
    assert sum("result" in case for case in metric_cases) > 100
    for case in metric_cases[share::4]:
        arguments = case.get("arguments") or arguments_of(name, case["seed"])
        if "error" in case:
            with pytest.raises(ERRORS[case["error"]]):
                module.compute(**arguments)
        else:
            found = module.compute(**arguments)
            assert json.dumps(found) == json.dumps(case["result"]), case
            assert types_in(found) == types_in(case["result"]), case
            assert "version:purebleu-" in str(module.signature)


@needs_wmt22
def test_figures_of_gleu_of_real_data() -> None:
    hypotheses, first, second = wmt22_lines("hyp.Online-B", "ref.B", "ref.A")
    found = evaluate.load("google_bleu").compute(predictions=hypotheses, references=first, min_len=2, max_len=6)
    assert found["google_bleu"] == 0.25383539340014216
    gleu = purebleu.metrics.GLEU()
    assert round(gleu.corpus_score(hypotheses, [first]).score, 8) == 40.61906771
    assert round(gleu.corpus_score(hypotheses, [second, first]).score, 8) == 47.62485668


# Its methods

def test_added_texts_come_before_those_of_compute() -> None:
    module = evaluate.load("ter")
    texts = {"predictions": ["a b", "c d", "e f"], "references": ["a b", "c x", "y z"]}
    whole = module.compute(**texts)
    module.add(prediction="a b", reference="a b")
    module.add_batch(predictions=["c d"], references=[["c x"]])
    assert len(module) == 2
    assert module.compute(predictions=["e f"], references=[["y z"]]) == whole
    assert len(module) == 0
    module.add_batch(**texts)
    assert module.compute() == whole
    # Texts are gone after an error.
    with pytest.raises(ValueError, match="the same number of references for each prediction, but predictions"):
        module.compute(predictions=["a", "b"], references=[["a"], ["b", "c"]])
    assert module.compute(**texts) == whole


@pytest.mark.parametrize(("arguments", "message"), [
    ({}, "there are no predictions"),
    ({"predictions": [], "references": []}, "there are no predictions"),
    ({"predictions": ["a"]}, r"the numbers of predictions \(1\) and references \(0\) differ"),
    ({"predictions": ["a"], "references": ["a", "b"]}, r"predictions \(1\) and references \(2\) differ"),
    ({"predictions": "a", "references": ["a"]}, "predictions must be a list, .* not 'a'"),
    ({"predictions": ["a"], "references": "a"}, "references must be a list, .* not 'a'"),
    ({"predictions": 5, "references": ["a"]}, "predictions must be a list"),
    ({"predictions": [["a"]], "references": ["a"]}, r"predictions\[0\] is \['a'\], not a string"),
    ({"predictions": ["a"], "references": [[["a"]]]}, r"references\[0\]\[0\] is \['a'\], not a string"),
    ({"predictions": ["a"], "references": [None]}, r"references\[0\] must be a list"),
    ({"predictions": ["a"], "references": [["a", None]]}, r"references\[0\]\[1\] is None, not a string"),
    ({"predictions": ["a"], "references": [[]]}, r"references\[0\] is empty: each prediction needs a reference"),
    ({"predictions": ["a", "b"], "references": ["a", ["b"]]}, r"references\[1\] is \['b'\], not a string"),
    ({"predictions": ["a", "b"], "references": [["a"], "b"]}, r"references\[1\] must be a list"),
])
def test_wrong_input_is_an_error(arguments: dict[str, Any], message: str) -> None:
    for name in ("sacrebleu", "google_bleu"):
        with pytest.raises(PurebleuError, match=message):
            evaluate.load(name).compute(**arguments)


def test_wrong_options_are_errors() -> None:
    table: list[tuple[str, dict[str, Any], type[Exception], str]] = [
        *[(name, {"unknown": 1}, TypeError, "unknown") for name in METRIC_OPTIONS],
        ("bleu", {"tokenizer": "13a"}, TypeError, "not callable"),
        ("google_bleu", {"min_len": 3, "max_len": 2}, ValueError, "the maximum n-gram order must be from 3"),
        ("wer", {"predictions": ["a b"], "references": [" "]}, ZeroDivisionError,
         r"the result is the number of insertions \(2\)"),
        ("bleu", {"predictions": [""]}, ZeroDivisionError, "the length ratio can't be computed without words")]
    for name, arguments, error, message in table:
        with pytest.raises(error, match=message):
            evaluate.load(name).compute(**{"predictions": ["a"], "references": ["a"], **arguments})


def test_load_knows_names_of_metrics_only() -> None:
    assert evaluate.load("evaluate-metric/ter", module_type="metric", keep_in_memory=True).name == "ter"
    assert evaluate.load("chrf").name == "chr_f"
    refused: list[tuple[Any, str]] = [
        (("accuracy",), "no metric with evaluate's interface is called 'accuracy'; choose from sacreb"),
        (("ter", None, "comparison"), "'ter' is a metric, not a comparison"),
        (("ter", None, None, 1, 2), "num_process must be 1")]
    for arguments, message in refused:
        with pytest.raises(OptionError, match=message):
            evaluate.load(*arguments)


def test_a_module_says_what_it_is() -> None:
    for name in METRIC_OPTIONS:
        module = evaluate.load(name)
        assert (module.module_type, module.signature) == ("metric", None)
        assert module.description.endswith(".") and "references" in module.features and " https://" in module.citation
        assert repr(module) == f"<EvaluationModule {module.name!r}, 0 predictions>"


def test_other_containers_than_lists_are_taken() -> None:
    module = evaluate.load("google_bleu")
    assert module.compute(predictions=("a b", "c"), references=(text for text in ["a b", "d"])) == {"google_bleu": 0.75}
    assert module.compute(predictions=iter(["a b"]), references=[("a b", "c d")]) == {"google_bleu": 1.0}


def test_combine_puts_names_before_keys_that_several_have() -> None:
    texts = {"predictions": ["a b c d"], "references": ["a b c d"]}
    merged = evaluate.combine(["chrf", evaluate.load("ter")]).compute(**texts)
    assert list(merged) == ["chr_f_score", "char_order", "word_order", "beta", "ter_score", "num_edits", "ref_length"]
    assert list(evaluate.combine(["ter", "ter"]).compute(**texts))[::3] == ["ter_0_score", "ter_1_score"]
    merged = evaluate.combine({"one": "google_bleu", "two": "bleu"}, True).compute(**texts)
    assert list(merged)[:2] == ["one_google_bleu", "two_bleu"]
    both = evaluate.combine(["google_bleu", "bleu"])
    both.add("a b c d", "a b c d")
    both.add_batch(["a b c d"], [["a b c x"]])
    assert both.compute()["google_bleu"] == 16 / 20
    rates = evaluate.combine(["wer", "cer"])
    assert rates.compute(predictions=["a b"], references=["a c"]) == {"wer": 0.5, "cer": 1 / 3}


def test_wer_takes_several_references_here() -> None:
    wer = evaluate.load("wer")
    assert wer.compute(predictions=["a b", "c"], references=[["x", "a b"], ["d"]]) == 1 / 3
    assert str(wer.signature).startswith("nrefs:var|case:mixed|tok:words|refs:best|oracle:jiwer-4.0.0|version:")


def test_gleu_signs_what_it_depends_on() -> None:
    gleu = purebleu.metrics.GLEU(lowercase=True, tokenize="intl", min_order=2, max_order=6)
    score = gleu.sentence_score("a b", ["a b", "c"])
    assert str(score.signature).startswith("nrefs:2|case:lc|tok:intl|min:2|order:6|oracle:nltk-3.10|version:purebleu-")
    assert "|tok:custom|" in str(purebleu.metrics.GLEU().sentence_score(["a"], [["a"]]).signature)


def test_rouge_takes_several_references_and_a_tokenizer() -> None:
    rouge = evaluate.load("rouge")
    texts: dict[str, Any] = {"predictions": ["hello there", "general kenobi", "a b"],
                             "references": [["x"], ["x", "general kenobi"], ["a c", "b"]]}
    assert rouge.compute(**texts, use_aggregator=False, rouge_types=["rougeL", "rouge3"]) == {
        "rougeL": [0.0, 1.0, 2 / 3], "rouge3": [0.0, 0.0, 0.0]}
    # Of a string, the characters are tokens, and case counts.
    assert rouge.compute(predictions=["aB"], references=["ab"], rouge_types=["rouge1"], tokenizer=str) == {
        "rouge1": 0.5}
    for kind in ("rouge0", "rougeX", "rouge10", "bleu"):
        with pytest.raises(ValueError, match="unknown type"):
            rouge.compute(**texts, rouge_types=[kind])


@pytest.mark.parametrize("name", list(METRIC_OPTIONS))
def test_the_files_for_evaluate_are_one_but_for_names(name: str) -> None:
    texts = {other: (SCRIPTS / "evaluate_metrics" / other / f"{other}.py").read_text(encoding="utf-8")
             for other in (name, "ter")}
    class_name, = re.findall(r"^class (\w+)\(", texts[name], re.MULTILINE)
    assert texts[name] == texts["ter"].replace('"ter"', f'"{name}"').replace("`ter`", f"`{name}`").replace(
        "evaluate_metrics/ter`", f"evaluate_metrics/{name}`").replace("Ter(", f"{class_name}(").replace(
        'evaluate_metrics/ter")', f'evaluate_metrics/{name}")')
    assert re.sub(r"(?<!^)([A-Z])", r"_\1", class_name).lower() == evaluate.load(name).name
