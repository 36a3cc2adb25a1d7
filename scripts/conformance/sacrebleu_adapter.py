"""sacreBLEU: `dev/oracles/conformance.py` takes the expected values of the conformance set from this module."""

from __future__ import annotations

import logging
import os
from importlib import import_module
from typing import Any

from .serving import Answer, Request, by_task, scored_by, streams_of, tokenizing_metric

#: sacreBLEU's class for each task.
METRICS = {"bleu": "BLEU", "chrf": "CHRF", "ter": "TER"}


def make_metric(name: str, options: dict[str, Any]) -> Any:
    return getattr(import_module("sacrebleu"), METRICS[name])(**options)


def tokens(request: Request) -> Answer:
    """Return the words that the metric compares."""
    return {"tokens": tokenizing_metric(request, make_metric)._preprocess_segment(request["text"]).split()}


def scored(request: Request) -> Answer:
    """Return the rows and the score of a corpus or of a single sentence."""
    metric = make_metric(request["task"], request["options"])
    return scored_by(metric, request, metric._extract_corpus_statistics(request["hypotheses"], streams_of(request)))


def signature(request: Request) -> Answer:
    """Return the name of the score, and its long and its short signature."""
    metric = make_metric(request["metric"], request["options"])
    score = metric.corpus_score(request["hypotheses"], streams_of(request))
    signed = metric.get_signature()
    return {"name": score.name, "long": signed.format(), "short": signed.format(True)}


def draws(request: Request) -> Answer:
    """Return the indices of bootstrap resamples."""
    generator = import_module("numpy").random.default_rng(request["seed"])
    size = (request["resamples"], request["segments"])
    return {"indices": generator.choice(request["segments"], size=size, replace=True).tolist()}


def swaps(request: Request) -> Answer:
    """Return the random bits of the trials of a randomization test."""
    generator = import_module("numpy").random.default_rng(request["seed"])
    bits = generator.integers(2, size=(request["trials"], request["segments"]), dtype=bool)
    return {"bits": ["".join(map(str, trial)) for trial in bits.astype(int).tolist()]}


def bootstrap(request: Request) -> Answer:
    """Return the scores of bootstrap resamples, and the confidence interval from them."""
    significance = import_module("sacrebleu.significance")
    metric = make_metric(request["metric"], request["options"])
    rows = metric._extract_corpus_statistics(request["hypotheses"], streams_of(request))
    os.environ["SACREBLEU_SEED"] = str(request["seed"])
    _, scores = significance._bootstrap_resample(rows, metric, len(request["indices"]))
    values = [float(score.score) for score in scores]
    mean, half_width = significance.estimate_ci(values)
    return {"scores": values, "mean": float(mean), "half_width": float(half_width)}


def paired(request: Request) -> Answer:
    """Return the p-value of a paired test and the scores of both systems. A bootstrap test also has intervals."""
    significance = import_module("sacrebleu.significance")
    os.environ["SACREBLEU_SEED"] = str(request["seed"])
    systems = [("baseline", request["baseline"]), ("system", request["hypotheses"])]
    metric = make_metric(request["metric"], request["options"])
    test = request["task"][-2:]
    samples = len(request["indices"] if test == "bs" else request["bits"])
    _, table = significance.PairedTest(systems, {"metric": metric}, streams_of(request), test_type=test,
                                       n_samples=samples)()
    (baseline, system), = [results for name, results in table.items() if name != "System"]
    answer = {"p": float(system.p_value), "score": float(system.score), "baseline_score": float(baseline.score)}
    if test == "bs":
        answer.update(mean=float(system.mean), half_width=float(system.ci), baseline_mean=float(baseline.mean),
                      baseline_half_width=float(baseline.ci))
    return answer


logging.getLogger("sacrebleu").setLevel(logging.ERROR)

answer = by_task({
    "tokens": tokens, "bleu": scored, "chrf": scored, "ter": scored, "signature": signature, "draws": draws,
    "swaps": swaps, "bootstrap": bootstrap, "paired_bs": paired, "paired_ar": paired,
})
