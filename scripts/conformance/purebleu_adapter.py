"""purebleu, from the checkout that contains this file."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from typing import Any

from purebleu import BLEU, CHRF, TER  # the package beside the scripts
from purebleu.engines.resampling.intervals import bootstrap_scores, estimate_ci
from purebleu.engines.resampling.streams import make_stream
from purebleu.metrics.base import Metric, Score
from purebleu.significance import Sampling, results_of

from .serving import Answer, Request, by_task, scored_by, streams_of, tokenizing_metric

#: The classes by the names of tasks.
METRICS: dict[str, type[Metric[Any]]] = {"bleu": BLEU, "chrf": CHRF, "ter": TER}

#: NumPy's random stream, which sacreBLEU uses.
STREAM = "numpy"


def make_metric(name: str, options: dict[str, Any]) -> Metric[Score]:
    return METRICS[name](**options)


def words_of(text: str, options: dict[str, Any]) -> list[str]:
    """Return the words that BLEU compares, for libraries that take words."""
    chosen = {name: value for name, value in options.items() if name in ("tokenize", "lowercase")}
    return words_by(make_metric("bleu", chosen), text)


def words_by(metric: Metric[Any], text: str) -> list[str]:
    words, = metric.preprocess_lines([text])
    return [word.decode("utf-8") if isinstance(word, bytes) else word for word in words]


def tokens(request: Request) -> Answer:
    """Return the words that the metric compares."""
    return {"tokens": words_by(tokenizing_metric(request, make_metric), request["text"])}


def scored(request: Request) -> Answer:
    """Return the rows and the score of a corpus or of a single sentence."""
    metric = make_metric(request["task"], request["options"])
    return scored_by(metric, request, metric.corpus_statistics(request["hypotheses"], streams_of(request)))


def signature(request: Request) -> Answer:
    """Return the name of the score, and its long and its short signature."""
    score = make_metric(request["metric"], request["options"]).corpus_score(request["hypotheses"], streams_of(request))
    return {"name": score.name, "long": score.signature.format(), "short": score.signature.format(short=True)}


def draws(request: Request) -> Answer:
    """Return the indices of bootstrap resamples."""
    segments, resamples = request["segments"], request["resamples"]
    sample = make_stream(STREAM, request["seed"]).sampler(range(segments))
    indices = list(sample(resamples * segments))
    return {"indices": [indices[start:start + segments] for start in range(0, len(indices), segments)]}


def swaps(request: Request) -> Answer:
    """Return the random bits of the trials of a randomization test."""
    segments, stream = request["segments"], make_stream(STREAM, request["seed"])
    bits = "".join([f"{byte:08b}"[::-1] for byte in stream.bits(segments * request["trials"])])
    return {"bits": [bits[trial * segments:(trial + 1) * segments] for trial in range(request["trials"])]}


def bootstrap(request: Request) -> Answer:
    """Return the scores of bootstrap resamples, and the confidence interval from them."""
    metric = make_metric(request["metric"], request["options"])
    rows = metric.corpus_statistics(request["hypotheses"], streams_of(request))
    stream = make_stream(STREAM, request["seed"])
    scores, = bootstrap_scores([rows], [metric.values], stream, len(request["indices"]))
    mean, half_width = estimate_ci(scores)
    return {"scores": list(map(float, scores)), "mean": mean, "half_width": half_width}


def paired(request: Request) -> Answer:
    """Return the p-value of a paired test and the scores of both systems. A bootstrap test also has intervals."""
    metric = make_metric(request["metric"], request["options"])
    streams, test = streams_of(request), request["task"][-2:]
    systems = [[metric.corpus_statistics(request[name], streams)] for name in ("baseline", "hypotheses")]
    samples = len(request["indices"] if test == "bs" else request["bits"])
    sampling = Sampling(test, samples, rng=STREAM, seed=request["seed"])
    (baseline,), (system,) = results_of(systems, [metric], sampling).systems
    answer = {"p": system.p_value, "score": system.score, "baseline_score": baseline.score}
    if test == "bs":
        answer.update(mean=system.mean, half_width=system.ci, baseline_mean=baseline.mean,
                      baseline_half_width=baseline.ci)
    return answer


warnings.simplefilter("ignore")  # (Some cases have blank or tokenized segments on purpose.)

answer = by_task({
    "tokens": tokens, "bleu": scored, "chrf": scored, "ter": scored, "signature": signature, "draws": draws,
    "swaps": swaps, "bootstrap": bootstrap, "paired_bs": paired, "paired_ar": paired,
})
