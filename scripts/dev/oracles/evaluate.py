"""Write tests/fixtures/evaluate.json.gz with evaluate's own results.

    PYTHON scripts/dev/oracles evaluate --metrics DIR

PYTHON is an interpreter that has `evaluate==0.4.6 sacrebleu==2.6.0 nltk==3.10.0 jiwer==4.0.0 rouge_score==0.1.2
cer==1.2.0`; DIR a folder with evaluate's own metrics, one folder each, as its repository has them at v0.4.6 in
`metrics/` (with `bleu/nmt_bleu.py`, which `bleu/bleu.py` says where to find). Nothing is downloaded.
"""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Iterator, Sequence

from dev.oracles.cases.evaluate import METRIC_OPTIONS, arguments_of
from dev.oracles.making import maker_parser, write_cases

#: The number of cases of each metric in the fixture; their seeds count from 0.
CASES = 400

#: Arguments that the cards of the metrics document, by metric.
_SENTENCES = ["does this sentence match??", "what about this sentence?",
              "What did the TER metric user say to the developer?"]
_REFERENCES = [["does this sentence match", "does this sentence match!?!"],
               ["wHaT aBoUt ThIs SeNtEnCe?", "wHaT aBoUt ThIs SeNtEnCe?"], ["Your jokes are...", "...TERrible"]]
_CATS = ["The relationship between cats and dogs is not exactly friendly.",
         "a good bookshop is just a genteel black hole that knows how to read."]
_CATS_REFERENCES = [["The relationship between dogs and cats is not exactly friendly."],
                    ["A good bookshop is just a genteel Black Hole that knows how to read."]]
_DUCKS = ["It is a guide to action which ensures that the rubber duck always disobeys the commands of the cat",
          "he read the book because he was interested in world history"]
_DUCK = ("It is the guiding principle which guarantees the rubber duck forces never being under the command of the cat")
_MORE_DUCKS = [_DUCK, "It is a guide to action that ensures that the rubber duck will never heed the cat commands",
               "It is the practical guide for the rubber duck army never to heed the directions of the cat"]
_HISTORY = ["he was interested in world history because he read the book"]
_SPOKEN: dict[str, Any] = {"predictions": ["this is the prediction", "there is an other sample"],
                           "references": ["this is the reference", "there is another one"]}
_SAUDIS = ["this week the saudis denied information published in the new york times", "this is in fact an estimate"]
_SAUDI_REFERENCES = ["saudi arabia denied this week information published in the american new york times",
                     "this is actually an estimate"]
_MORE_SAUDIS = "the saudis have denied new information published in the ny times"
DOCUMENTED: dict[str, Sequence[dict[str, Any]]] = {
    "ter": [
        {"predictions": _SENTENCES, "references": _REFERENCES, "case_sensitive": True},
        {"predictions": _SENTENCES[:2], "references": _REFERENCES[:2], "case_sensitive": True},
        {"predictions": _SENTENCES[:2], "references": _REFERENCES[:2], "normalized": True, "case_sensitive": True},
        {"predictions": _SENTENCES[:2], "references": _REFERENCES[:2], "ignore_punct": True, "case_sensitive": False},
        {"predictions": _SENTENCES, "references": _REFERENCES, "ignore_punct": True, "case_sensitive": False},
    ],
    "chrf": [
        {"predictions": _CATS, "references": _CATS_REFERENCES},
        {"predictions": _CATS, "references": _CATS_REFERENCES, "word_order": 2},
        {"predictions": _CATS, "references": _CATS_REFERENCES, "word_order": 2, "lowercase": True},
    ],
    "sacrebleu": [
        {"predictions": ["hello there general kenobi", "foo bar foobar"],
         "references": [["hello there general kenobi", "hello there !"], ["foo bar foobar", "foo bar foobar"]]},
        {"predictions": ["hello there general kenobi", "on our way to ankh morpork"],
         "references": [["hello there general kenobi", "hello there !"],
                        ["goodbye ankh morpork", "ankh morpork"]]},
    ],
    "bleu": [
        {"predictions": ["hello there general kenobi", "foo bar foobar"],
         "references": [["hello there general kenobi", "hello there!"], ["foo bar foobar"]]},
        {"predictions": ["hello there general kenobi", "foo bar foobar"],
         "references": ["hello there general kenobi", "foo bar foobar"], "max_order": 2},
    ],
    "google_bleu": [
        {"predictions": _DUCKS, "references": [[_DUCK], _HISTORY]},
        {"predictions": _DUCKS, "references": [_MORE_DUCKS, _HISTORY]},
        {"predictions": _DUCKS, "references": [_MORE_DUCKS, _HISTORY], "min_len": 2},
        {"predictions": _DUCKS, "references": [_MORE_DUCKS, _HISTORY], "min_len": 2, "max_len": 6},
    ],
    "wer": [_SPOKEN, {**_SPOKEN, "concatenate_texts": True}],
    "cer": [_SPOKEN, {**_SPOKEN, "concatenate_texts": True}],
    "rouge": [
        {"predictions": ["hello there", "general kenobi"], "references": ["hello there", "general kenobi"]},
        {**_SPOKEN, "use_aggregator": False},
    ],
    "character": [
        {"predictions": _SAUDIS[:1], "references": _SAUDI_REFERENCES[:1]},
        {"predictions": _SAUDIS, "references": _SAUDI_REFERENCES, "aggregate": "sum", "return_all_scores": True},
        {"predictions": _SAUDIS[:1], "references": [[_SAUDI_REFERENCES[0], _MORE_SAUDIS]], "aggregate": "median",
         "return_all_scores": True},
    ],
}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture; returns the exit code."""
    parser = maker_parser(__doc__)
    parser.add_argument("--metrics", required=True, type=Path, metavar="DIR", help="evaluate's own metrics")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HF_HOME=folder, HF_HUB_OFFLINE="1")
        modules = {name: theirs(options.metrics, name) for name in METRIC_OPTIONS}
        return write_cases("evaluate.json.gz", cases(modules), f"evaluate {version('evaluate')}")


def theirs(folder: Path, name: str) -> Any:
    """A metric as evaluate loads it from its own file, always with the same random state of NumPy."""
    return import_module("evaluate").load(str(folder / name / f"{name}.py"), keep_in_memory=True, seed=1)


def cases(modules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The documented cases with their arguments; the random ones with their seeds."""
    for name, module in modules.items():
        for arguments in DOCUMENTED[name]:
            yield {"metric": name, "arguments": arguments, **outcome(module, arguments)}
        for seed in range(CASES):
            yield {"metric": name, "seed": seed, **outcome(module, arguments_of(name, seed))}


def outcome(module: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of `compute`; or the kind of error that it raises."""
    try:
        return {"result": _plain(module.compute(**arguments))}
    except Exception as error:
        return {"error": type(error).__name__}


def _plain(value: Any) -> Any:
    """A result with numbers of Python's own: those of NumPy are printed in another way, but are the same."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(_plain, value))
    return value.item() if hasattr(value, "item") else value


if __name__ == "__main__":
    raise SystemExit(main())
