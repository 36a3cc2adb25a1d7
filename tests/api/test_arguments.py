"""Arguments of public functions: wrong kinds are answered by an error of ours, and annotations can be read."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
import typing
import warnings
from typing import Any, Callable, Iterator

import pytest

import purebleu
from purebleu import meta_evaluation

HYPOTHESES = ["the cat sat on the mat", "it rained all day long here"]
REFERENCES = ["the cat sat on a mat", "it rained all day here"]

#: Values of which each is of a wrong kind for most arguments.
WRONG: tuple[Any, ...] = (None, 5, -1, 3.5, float("nan"), "text", "", b"bytes", [], [None], [1, 2], ["a"],
                           [["a"], ["b"]], {}, {"a": 1}, object(), purebleu.BLEU, True)

METRICS = ("BLEU", "CHRF", "TER", "WER", "CER", "MER", "WIL", "GLEU", "NIST", "ROUGE", "RIBES", "CharacTER",
           "EED")


def functions() -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    """Public functions, each with arguments that are right."""
    corpus, segment = (HYPOTHESES, [REFERENCES]), (HYPOTHESES[0], [REFERENCES[0]])
    bleu = purebleu.BLEU()
    rows = bleu.corpus_statistics(*corpus)
    human = [[1.0, 2.0, 3.0], [2.0, 1.0, 3.5], [3.0, 3.0, 1.0]]
    running = purebleu.Accumulator(bleu)
    by_name = {
        "corpus_bleu": corpus, "corpus_chrf": corpus, "corpus_ter": corpus, "raw_corpus_bleu": corpus,
        "sentence_bleu": segment, "sentence_chrf": segment, "sentence_ter": segment, "resegment": corpus,
        "compare": ({"a": HYPOTHESES, "b": REFERENCES}, [REFERENCES]), "metric": ("bleu",), "Accumulator": (bleu,),
        "metric_from": ("MINE", lambda hypothesis, references: 1.0),
        "compare_rows": ({"a": [rows], "b": [rows]}, [bleu]), "mbr": (HYPOTHESES,), "sum_statistics": (rows,),
        "extract_word_ngrams": (["a", "b"], 1, 2), "extract_char_ngrams": ("abc", 2),
        "SegmentScores": ("mine", [1.0]),
    }
    for name, good in by_name.items():
        yield name, getattr(purebleu, name), good
    for name, good in (("results_of", ([[rows], [rows]], [bleu])), ("Sampling", ()),
                       ("PairedTest", ([("a", HYPOTHESES), ("b", REFERENCES)], {"BLEU": bleu}, [REFERENCES]))):
        yield name, getattr(purebleu.significance, name), good
    for name in METRICS:
        of_corpus = (HYPOTHESES, None) if name == "NIST" else corpus
        metric = getattr(purebleu, name)(references=[REFERENCES] if name == "NIST" else None)
        yield name, getattr(purebleu, name), ()
        for method, good in (("corpus_score", of_corpus), ("corpus_statistics", of_corpus), ("sentence_score", segment),
                             ("sentence_scores", (HYPOTHESES, REFERENCES)), ("pairwise", (HYPOTHESES, REFERENCES)),
                             ("score", ([1] * len(metric.column_names()),))):
            yield f"{name}.{method}", getattr(metric, method), good
    yield "Accumulator.update", running.update, corpus
    yield "Accumulator.merge", running.merge, (running.state(),)
    for name, good in (("Judged", (human,)), ("agreement_of", ("pearson", human, human)),
                       ("rank_metrics", ("pearson", human, {"a": human})),
                       ("compare_by_scores", ("pearson", human, human, human)), ("rank_systems_by_people", (human,)),
                       ("pearson", (human[0], human[1])), ("kendall_tau_b", (human[0], human[1]))):
        yield name, getattr(meta_evaluation, name), good


def is_ours(error: Exception) -> bool:
    """Whether the package raised an error, or Python refused the call itself: not one from inside a computation."""
    stack = traceback.extract_tb(error.__traceback__)
    return isinstance(error, purebleu.PurebleuError) or len(stack) == 1 or (
        isinstance(error, (TypeError, ValueError)) and (stack[-1].line or "").startswith("raise"))


@pytest.mark.full
def test_a_wrong_kind_of_each_argument_is_answered_by_an_error_of_ours() -> None:
    raw: list[str] = []
    calls = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, function, good in functions():
            parameters = list(inspect.signature(function).parameters.values())
            for place, parameter in enumerate(parameters):
                if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                    continue
                for wrong in WRONG:
                    calls += 1
                    arguments = [*good[:place], wrong, *good[place + 1:]] if place < len(good) else list(good)
                    try:
                        function(*arguments, **({} if place < len(good) else {parameter.name: wrong}))
                    except Exception as error:
                        if not is_ours(error):
                            raw.append(f"{name}({parameter.name}={wrong!r:.40}): {error!r}")
    assert calls > 5000
    assert raw == []


def public_objects() -> Iterator[tuple[str, Any]]:
    """Each public function, class, and documented method of a class."""
    for module in (purebleu, *[importlib.import_module(f"purebleu.{name}") for name in (
            "compat", "datasets", "errors", "evaluate", "meta_evaluation", "metrics", "rows", "significance",
            "tokenizers")]):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value):
                yield name, value
                yield f"{name}.__init__", value.__init__
                for method in ("corpus_score", "corpus_statistics", "sentence_score", "sentence_scores", "pairwise",
                               "from_signature", "get_signature", "score"):
                    if hasattr(value, method) and callable(getattr(value, method)):
                        yield f"{name}.{method}", getattr(value, method)
            elif inspect.isfunction(value):
                yield name, value


@pytest.mark.skipif(sys.version_info < (3, 10), reason="`int | None` is evaluated from 3.10 on")
def test_annotations_of_public_names_can_be_evaluated() -> None:
    for name, value in public_objects():
        try:
            typing.get_type_hints(value)
        except NameError as error:
            pytest.fail(f"{name}: {error}")
