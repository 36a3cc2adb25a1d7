"""Real data against the oracle's results; the fixture holds only numbers, so the data has to be there too."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any

import pytest

import purebleu
from purebleu import metrics
from purebleu.compat.r_sacrebleu import bleu_corpus_ids
from purebleu.metrics import BLEU
from purebleu.tokenizers import make_tokenizer

from ..helpers import SHARED, read_fixture

#: The folder `shared` beside the checkout, or the one that the environment names in its place.
DATA = SHARED / "data"
CASES = read_fixture("shared_data.json.gz")["cases"]

#: Of other metrics, for the first segments of each system.
MORE_CASES = read_fixture("shared_data.more.json.gz")["cases"]

#: Of the R package sacRebleu, for 13a tokens as ids.
ID_CASES = read_fixture("shared_data.ids.json.gz")["cases"]

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="PUREBLEU_SHARED names no folder with real data")


@lru_cache(maxsize=8)
def lines_of(name: str) -> list[str]:
    with open(DATA / name, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


@lru_cache(maxsize=1)
def metric_for(references: tuple[str, ...], options: str) -> Any:
    """The metric with its references; several systems in a row are scored against the same ones."""
    return BLEU(**json.loads(options), references=[lines_of(name) for name in references])


@lru_cache(maxsize=2)
def ids_of_corpus(candidates: str, references: tuple[str, ...]) -> tuple[list[list[list[int]]], list[list[int]]]:
    """The 13a tokens of files as ids: the references of each candidate, and the candidates."""
    table: dict[object, int] = {}
    tokenize = make_tokenizer("13a").tokenize_lines
    files = [tokenize(lines_of(name)) for name in (candidates, *references)]
    first, *columns = [[[table.setdefault(token, len(table)) for token in tokens] for tokens in file] for file in files]
    return list(map(list, zip(*columns))), first


def digest_of(rows: list[tuple[float, ...]]) -> str:
    text = "".join([",".join(map(str, row)) + "\n" for row in rows])
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def test_statistics_of_every_segment_and_scores() -> None:
    assert len(CASES) >= 400
    for case in CASES:
        metric = metric_for(tuple(case["references"]), json.dumps(case["options"]))
        rows = metric.corpus_statistics(lines_of(case["hypotheses"]), None)
        sums = purebleu.sum_statistics(rows)
        assert (len(rows), list(sums)) == (case["segments"], case["sums"]), case
        assert digest_of(rows) == case["digest"], case
        for method, value, expected in case["scores"]:
            smoothed = BLEU(**case["options"], smooth_method=method, smooth_value=value)
            assert smoothed.score(sums).score.hex() == expected, (case, method)


def test_other_metrics() -> None:
    assert len(MORE_CASES) >= 80
    for case in MORE_CASES:
        metric = getattr(metrics, case["metric"])(**case["options"])
        streams = [lines_of(name)[:case["segments"]] for name in case["references"]]
        rows = metric.corpus_statistics(lines_of(case["hypotheses"])[:case["segments"]], streams)
        assert digest_of(rows) == case["digest"], case
        assert metric.score(purebleu.sum_statistics(rows)).score.hex() == case["score"], case


def test_token_ids() -> None:
    assert len(ID_CASES) >= 200
    for case in ID_CASES:
        references, candidates = ids_of_corpus(case["candidates"], tuple(case["references"]))
        score = bleu_corpus_ids(references, candidates, **case["options"])
        assert score == pytest.approx(float.fromhex(case["score"]), rel=1e-14, abs=0), case
