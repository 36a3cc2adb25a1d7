"""The oracle: its metrics, the options that they are given, and what is recorded of their results."""

from __future__ import annotations

import hashlib
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, Iterator, Mapping

    Options = Dict[str, Any]

TOKENIZERS = ("13a", "intl", "zh", "char", "none")


def statistics_options() -> Iterator[dict[str, object]]:
    """The options that rows depend on."""
    for tokenizer in TOKENIZERS:
        for lowercase in (False, True):
            yield {"tokenize": tokenizer, "lowercase": lowercase, "max_ngram_order": 4}
    for order in (1, 2, 3, 5):
        yield {"tokenize": "13a", "lowercase": False, "max_ngram_order": order}
        yield {"tokenize": "zh", "lowercase": True, "max_ngram_order": order}


def oracle() -> Any:
    """The package sacreBLEU. (Other scripts import this module where there is none.)"""
    return import_module("sacrebleu")


def make_oracle_metric(options: Mapping[str, object]) -> Any:
    """Its metric BLEU."""
    return oracle().BLEU(**options)


def score_record(score: Any) -> dict[str, object]:
    """All that a BLEU score holds, fit for JSON, its floats to the last bit."""
    return {
        "score": float(score.score).hex(), "bp": float(score.bp).hex(),
        "precisions": [float(precision).hex() for precision in score.precisions],
        "counts": list(score.counts), "totals": list(score.totals), "sys_len": score.sys_len, "ref_len": score.ref_len,
        "text": str(score),
    }


def scored(metric: Any, score: Any) -> dict[str, object]:
    """The record of a score, and the signature that the metric gives."""
    signature = metric.get_signature()
    return {"result": score_record(score), "signature": signature.format(), "short": signature.format(True)}


def digest_of_rows(rows: Iterable[Iterable[float]]) -> str:
    """SHA-256 of rows of statistics, each written as its numbers in decimal, commas between, a line feed behind."""
    text = "".join([",".join(map(str, row)) + "\n" for row in rows])
    return hashlib.sha256(text.encode("ascii")).hexdigest()
