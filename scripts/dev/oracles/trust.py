"""Write tests/fixtures/trust.json.gz: accuracies of score differences, clustered errors, and exact tests.

    PYTHON scripts/dev/oracles trust

PYTHON is an interpreter that has `mt-thresholds==1.0.4`, `inspect-ai==0.3.285`, `scipy==1.17.1`, `sacrebleu==2.6.0` and
`jiwer==4.0.0`.
"""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from importlib.metadata import version
from typing import Any, Callable, Sequence

from dev.oracles.files import Case, write_answers

ORACLES = ("mt-thresholds", "inspect-ai", "scipy", "sacrebleu", "jiwer")

#: The curves of mt-thresholds, by name of the score and tokenizer.
CURVES = {("BLEU", "13a"): "bleu", ("BLEU", "flores200"): "spbleu200", ("BLEU", "flores101"): "spbleu101",
          ("chrF2", None): "chrf"}


def main(parser: ArgumentParser) -> int:
    parser.parse_args()
    answers = {"agreement": agreement, "clustered": clustered, "exact": exact}
    return write_answers("trust.json.gz", lambda case: answers[case["kind"]](case),
                         ", ".join([f"{name} {version(name)}" for name in ORACLES]))


def agreement(case: Case) -> Case:
    """Return points of a curve, from both functions of mt-thresholds."""
    thresholds: Any = import_module("mt_thresholds")
    curve = CURVES[case["name"], case["tok"]]
    return {"percent": [[difference, thresholds.accuracy(difference, curve)] for difference, _ in case["percent"]],
            "differences": [[percent, thresholds.delta(percent / 100, curve)] for percent, _ in case["differences"]]}


def clustered(case: Case) -> Case:
    """Return inspect-ai's standard error of the mean of clustered values."""
    scorer: Any = import_module("inspect_ai.scorer")
    scores = [scorer.SampleScore(score=scorer.Score(value=value), sample_metadata={"document": document})
              for value, document in zip(case["values"], case["documents"])]
    return {"standard_error": float(scorer.stderr(cluster="document")(scores))}


def exact(case: Case) -> Case:
    """Return scipy's p-value of two systems under a metric, from all trials of a randomization test."""
    numpy: Any = import_module("numpy")
    stats: Any = import_module("scipy.stats")
    score, lines = corpus_scores()[case["metric"]], case["references"]
    outputs = [output for system in case["systems"] for output in system]

    def statistic(one: Any, other: Any) -> float:
        return abs(score([outputs[index] for index in one], lines) - score([outputs[index] for index in other], lines))

    result = stats.permutation_test(
        [numpy.arange(len(lines)), numpy.arange(len(lines), len(outputs))], statistic, vectorized=False,
        permutation_type="samples", alternative="greater", n_resamples=numpy.inf)
    return {"p_value": float(result.pvalue)}


def corpus_scores() -> dict[str, Callable[[Sequence[str], Sequence[str]], float]]:
    """Return, for each metric, a function of another program that scores a corpus."""
    sacrebleu: Any = import_module("sacrebleu.metrics")
    jiwer: Any = import_module("jiwer")
    metrics = {"BLEU": sacrebleu.BLEU(), "CHRF": sacrebleu.CHRF(), "TER": sacrebleu.TER()}

    def corpus_scorer(metric: Any) -> Callable[[Sequence[str], Sequence[str]], float]:
        return lambda hypotheses, references: metric.corpus_score(list(hypotheses), [list(references)]).score

    return {**{name: corpus_scorer(metric) for name, metric in metrics.items()},
            "WER": lambda hypotheses, references: 100 * jiwer.wer(list(references), list(hypotheses))}
