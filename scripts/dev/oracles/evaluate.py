"""Write tests/fixtures/evaluate.json.gz with evaluate's own results.

    PYTHON scripts/dev/oracles evaluate --metrics DIR

PYTHON is an interpreter that has `evaluate==0.4.6 sacrebleu==2.6.0 nltk==3.10.0 jiwer==4.0.0 rouge_score==0.1.2
cer==1.2.0`. DIR is the folder `metrics/` of evaluate's repository at v0.4.6. It also needs `bleu/nmt_bleu.py`, whose
address is in `bleu/bleu.py`. Nothing is downloaded.
"""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Iterator

from dev.oracles.cases.evaluate import METRIC_OPTIONS, arguments_of
from dev.oracles.files import golden_cases, write_cases


def main(parser: ArgumentParser) -> int:
    parser.add_argument("--metrics", required=True, type=Path, metavar="DIR", help="evaluate's own metrics")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HF_HOME=folder, HF_HUB_OFFLINE="1")
        modules = {name: theirs(options.metrics, name) for name in METRIC_OPTIONS}
        return write_cases("evaluate.json.gz", cases(modules), f"evaluate {version('evaluate')}")


def theirs(folder: Path, name: str) -> Any:
    """Return a metric that evaluate loads from its own file, always with the same random state of NumPy."""
    return import_module("evaluate").load(str(folder / name / f"{name}.py"), keep_in_memory=True, seed=1)


def cases(modules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the cases of the fixture with new results. Documented cases have arguments; random cases have a seed."""
    for case in golden_cases("evaluate.json.gz"):
        name, asked = case["metric"], {key: case[key] for key in ("metric", "arguments", "seed") if key in case}
        arguments = asked["arguments"] if "arguments" in asked else arguments_of(name, asked["seed"])
        yield {**asked, **outcome(modules[name], arguments)}


def outcome(module: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the result of `compute`, or the name of the error that it raises."""
    try:
        return {"result": _plain(module.compute(**arguments))}
    except Exception as error:
        return {"error": type(error).__name__}


def _plain(value: Any) -> Any:
    """Return a result with Python's numbers in place of NumPy's."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(_plain, value))
    return value.item() if hasattr(value, "item") else value
