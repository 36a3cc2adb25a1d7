"""Arguments of public functions: wrong kinds are answered by an error of ours, and annotations can be read."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import traceback
import typing
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

import purebleu
from purebleu import metrics

from ..helpers import shares

HYPOTHESES = ["the cat sat on the mat", "it rained all day long here"]
REFERENCES = ["the cat sat on a mat", "it rained all day here"]

#: Values of which each is of a wrong kind for most arguments.
WRONG: tuple[Any, ...] = (None, 5, -1, 3.5, float("nan"), "text", "", b"bytes", [], [None], [1, 2], ["a"],
                           [["a"], ["b"]], {}, {"a": 1}, object(), purebleu.BLEU, True)

MODULES = ("", "compat", "compat.r_sacrebleu", "dataset", "datasets", "evaluate", "harness", "meta_evaluation",
           "metrics", "rows", "runtime.errors", "significance", "tokenizers", "utils")

METRICS = tuple(name for name in metrics.__all__ if name in (*metrics.MODULES, *metrics.FURTHER_MODULES))


def public_module(name: str) -> Any:
    return importlib.import_module(f"purebleu.{name}".rstrip("."))


def good_arguments() -> dict[str, dict[str, tuple[Any, ...]]]:
    """For each public module, its functions and classes, each with arguments that are right."""
    corpus, segment = (HYPOTHESES, [REFERENCES]), (HYPOTHESES[0], [REFERENCES[0]])
    bleu = purebleu.BLEU()
    rows = bleu.corpus_statistics(*corpus)
    human = [[1.0, 2.0, 3.0], [2.0, 1.0, 3.5], [3.0, 3.0, 1.0]]
    ids = [[1, 2, 3], [4, 5]]
    items = list(zip(REFERENCES, HYPOTHESES))
    of_sacrebleu = {"corpus_bleu": corpus, "corpus_chrf": corpus, "corpus_ter": corpus, "raw_corpus_bleu": corpus,
                    "sentence_bleu": segment, "sentence_chrf": segment, "sentence_ter": segment}
    test_sets: dict[str, tuple[Any, ...]] = {
        "download_test_set": ("sample", "en-de"), "get_available_testsets": (), "get_files": ("sample", "en-de"),
        "get_available_testsets_for_langpair": ("en-de",), "get_langpairs_for_testset": ("sample",),
        "get_reference_files": ("sample", "en-de"), "get_source_file": ("sample", "en-de")}
    return {
        "": {
            **of_sacrebleu, **{name: test_sets[name] for name in test_sets if name in purebleu.__all__},
            "BLEU": (), "CHRF": (), "TER": (), "Score": ("BLEU", 1.0), "Accumulator": (bleu,), "check": (HYPOTHESES,),
            "resegment": corpus,
            "compare": ({"a": HYPOTHESES, "b": REFERENCES}, [REFERENCES]), "metric": ("bleu",),
            "compare_rows": ({"a": [rows], "b": [rows]}, [bleu]), "mbr": (HYPOTHESES, bleu),
            "compare_runs": ({"a": [HYPOTHESES], "b": [REFERENCES, HYPOTHESES]}, [REFERENCES]),
            "extract_char_ngrams": ("abc", 2), "extract_word_ngrams": (["a", "b"], 1), "sum_statistics": (rows,),
            "metric_from": ("MINE", lambda hypothesis, references: 1.0), "score_files": (__file__, [__file__]),
            "test_set": ("sample", "en-de"), "install_as_sacrebleu": (), "smart_open": (__file__,),
        },
        "compat": of_sacrebleu,
        "compat.r_sacrebleu": {
            "bleu_corpus": ([REFERENCES[:1], REFERENCES[1:]], HYPOTHESES), "bleu_sentence": (REFERENCES, HYPOTHESES[0]),
            "bleu_corpus_ids": ([ids, ids], ids), "bleu_sentence_ids": (ids, ids[0]),
            "bleu_of_sums": ([4, 5, 3, 1, 4, 3, 0, 1],), "corpus_statistics_ids": ([ids, ids], ids),
        },
        "datasets": {**test_sets, "get_test_set": ("sample",)},
        "evaluate": {"load": ("bleu",), "combine": (["bleu"],)},
        "harness": {
            "bleu": (items,), "chrf": (items,), "chrf_plus": (items,), "ter": (items,),
            "bootstrap_stderr": (purebleu.harness.ter, items, 2), "score": (HYPOTHESES, REFERENCES),
            "stderr": ("ter", HYPOTHESES, REFERENCES, 2),
        },
        "meta_evaluation": {
            "agreement_of": ("pearson", human, human), "autorank": (human,), "rank_systems_by_people": (human,),
            "rank_metrics": ("pearson", human, {"a": human}),
            "compare_by_scores": ("pearson", human, human, human),
        },
        "metrics": {**dict.fromkeys(METRICS, ()), "ROUGE": ("L",), "SegmentScores": ("mine", [1.0])},
        "rows": {"merge": ([],), "read": ("a.rows",), "text_checksum": (HYPOTHESES,), "write": ("b.rows", [])},
        "significance": {
            "results_of": ([[rows], [rows]], [bleu]), "runs_of": ([[[rows]], [[rows]]], [bleu]), "Sampling": (),
            "Units": (["a", "b"],), "estimate_ci": ([1.0, 2.0],), "_compute_p_value": ([1.0], 2.0), "Result": (1.0,),
            "PairedTest": ([("a", HYPOTHESES), ("b", REFERENCES)], {"BLEU": bleu}, [REFERENCES]),
        },
        "tokenizers": {"make_tokenizer": ("13a",)},
        "utils": {**test_sets, "smart_open": (__file__,)},
    }


#: Bases, results and other classes that nobody makes, and a function of objects of any kind.
NOT_CALLED = {
    "": ("Metric", "Signature"), "datasets": ("TestSet",), "evaluate": ("CombinedEvaluations", "EvaluationModule"),
    "metrics": ("BLEUScore", "CHRFScore", "TERScore"), "rows": ("StoredRows",),
    "significance": ("Results", "RunsResult", "RunsResults"), "tokenizers": ("BaseTokenizer",),
    "utils": ("print_results_table",),
}

#: Functions that other programs call, as sacreBLEU's or a harness's, with their own arguments: errors are Python's.
OF_PROGRAMS = (".extract_word_ngrams", ".smart_open", "utils.smart_open", "harness.", "significance.estimate_ci",
               "significance._compute_p_value", "compat.r_sacrebleu.bleu_of_sums", "evaluate.combine", "rows.")


def test_every_public_function_has_arguments_here() -> None:
    good = good_arguments()
    for name in MODULES:
        public = {public: getattr(public_module(name), public) for public in public_module(name).__all__}
        called = {public for public, value in public.items()
                  if callable(value) and not (inspect.isclass(value) and issubclass(value, Exception))}
        assert called == {*good.get(name, ()), *NOT_CALLED.get(name, ())}, name


def functions() -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    """Public functions, and methods of metrics, each with arguments that are right."""
    for name, by_name in good_arguments().items():
        for public, good in by_name.items():
            yield f"{name}.{public}", getattr(public_module(name), public), good
    corpus, segment = (HYPOTHESES, [REFERENCES]), (HYPOTHESES[0], [REFERENCES[0]])
    for name in METRICS:
        of_corpus = (HYPOTHESES, None) if name == "NIST" else corpus
        metric = getattr(metrics, name)(references=[REFERENCES] if name == "NIST" else None)
        for method, good in (("corpus_score", of_corpus), ("corpus_statistics", of_corpus), ("sentence_score", segment),
                             ("sentence_scores", (HYPOTHESES, REFERENCES)), ("pairwise", (HYPOTHESES, REFERENCES)),
                             ("score", ([1] * len(metric.column_names()),))):
            yield f"{name}.{method}", getattr(metric, method), good
    running: Any = purebleu.Accumulator("bleu")
    yield "Accumulator.update", running.update, corpus
    yield "Accumulator.merge", running.merge, (running.state(),)


def is_ours(error: Exception) -> bool:
    """Whether the package raised an error, or Python refused the call itself: not one from inside a computation."""
    stack = traceback.extract_tb(error.__traceback__)
    if re.match("expected str, bytes or os.PathLike object|a bytes-like object is required", str(error)):
        return True
    return isinstance(error, purebleu.PurebleuError) or len(stack) == 1 or (
        isinstance(error, (TypeError, ValueError)) and (stack[-1].line or "").startswith("raise"))


@pytest.mark.full
@shares(6, full=1)
def test_arguments_of_a_wrong_kind_are_errors_of_purebleu(share: int, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    raw: list[str] = []
    calls = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, function, good in functions():
            for place, parameter in enumerate(inspect.signature(function).parameters.values()):
                if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                    continue
                for wrong in WRONG[(share + place) % 6::6]:
                    calls += 1
                    arguments = [*good[:place], wrong, *good[place + 1:]] if place < len(good) else list(good)
                    try:
                        function(*arguments, **({} if place < len(good) else {parameter.name: wrong}))
                    except Exception as error:
                        if not is_ours(error) and not name.startswith(OF_PROGRAMS):
                            raw.append(f"{name}({parameter.name}={wrong!r:.40}): {error!r}")
    assert calls > 850
    assert raw == []


@pytest.mark.skipif(sys.version_info < (3, 10), reason="`int | None` is evaluated from 3.10 on")
def test_annotations_of_public_names_can_be_evaluated() -> None:
    methods = ("__init__", "corpus_score", "corpus_statistics", "sentence_score", "sentence_scores", "pairwise",
               "from_signature", "get_signature", "score")
    for module in map(public_module, MODULES):
        for value in [getattr(module, name) for name in module.__all__]:
            if inspect.isclass(value) or inspect.isfunction(value):
                members = [getattr(value, name, None) for name in methods] if inspect.isclass(value) else []
                for one in filter(callable, [value, *members]):
                    typing.get_type_hints(one)
