"""Write tests/fixtures/trust.json.gz: what others' programs say of differences, clusters and exact tests.

    PYTHON scripts/dev/oracles trust

PYTHON is an interpreter that has `mt-thresholds==1.0.4`, `inspect-ai==0.3.285`, `scipy==1.17.1`, `sacrebleu==2.6.0` and
`jiwer==4.0.0`.

Exit codes: 0 fine, 2 wrong usage.
"""

from __future__ import annotations

import random
from importlib import import_module
from importlib.metadata import version
from typing import Any, Callable, Iterator, Sequence

from dev.oracles.making import maker_parser, write_cases

ORACLES = ("mt-thresholds", "inspect-ai", "scipy", "sacrebleu", "jiwer")

#: The curves of mt-thresholds, by the names of scores and tokenizers.
CURVES = [("BLEU", "13a", "bleu"), ("BLEU", "flores200", "spbleu200"), ("BLEU", "flores101", "spbleu101"),
          ("chrF2", None, "chrf")]

#: Differences whose agreement is written, and agreements whose difference is.
DIFFERENCES = [0.0, 0.1, 0.13, 0.14, 0.15, 0.26, 0.27, 0.28, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 40.0]
AGREEMENTS = [60, 70, 80]

#: The number of corpora of clusters, and of exact tests under each metric.
CLUSTERED = 12
EXACT = 6

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "slept"]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the fixture; returns the exit code."""
    maker_parser(__doc__).parse_args(argv)
    cases = [*agreements(), *clusters(), *exact_tests()]
    return write_cases("trust.json.gz", cases, ", ".join([f"{name} {version(name)}" for name in ORACLES]))


def agreements() -> Iterator[dict[str, Any]]:
    """Points of each curve, from both functions of mt-thresholds."""
    thresholds: Any = import_module("mt_thresholds")
    for name, tokenizer, curve in CURVES:
        yield {"kind": "agreement", "name": name, "tok": tokenizer,
               "percent": [[difference, thresholds.accuracy(difference, curve)] for difference in DIFFERENCES],
               "differences": [[percent, thresholds.delta(percent / 100, curve)] for percent in AGREEMENTS]}


def clusters() -> Iterator[dict[str, Any]]:
    """Values in clusters, and what inspect-ai says of the standard error of their mean."""
    scorer: Any = import_module("inspect_ai.scorer")
    for seed in range(CLUSTERED):
        source = random.Random(seed)
        number = source.choice([2, 3, 8])
        documents = [f"d{source.randrange(number)}" for _ in range(30)]
        shifts = {document: source.gauss(0, 1) for document in documents}
        values = [round(shifts[document] + source.gauss(0, 0.5), 3) for document in documents]
        if seed % 4 == 3:
            documents = [str(index) for index in range(30)]
        scores = [scorer.SampleScore(score=scorer.Score(value=value), sample_metadata={"document": document})
                  for value, document in zip(values, documents)]
        yield {"kind": "clustered", "values": values, "documents": documents,
               "standard_error": float(scorer.stderr(cluster="document")(scores))}


def exact_tests() -> Iterator[dict[str, Any]]:
    """Two systems under several metrics, with the p-value from all trials of a randomization test, as scipy has it."""
    numpy: Any = import_module("numpy")
    stats: Any = import_module("scipy.stats")
    for name, score in corpus_scores().items():
        for seed in range(EXACT):
            source = random.Random(f"{name} {seed}")
            references = [source.choices(WORDS, k=source.randrange(4, 9)) for _ in range(source.randrange(5, 8))]
            systems = [[" ".join([word if source.random() < share else source.choice(WORDS) for word in line])
                        for line in references] for share in (0.8, 0.7)]
            lines = list(map(" ".join, references))
            outputs = [*systems[0], *systems[1]]

            def statistic(one: Any, other: Any, outputs: Sequence[str] = outputs, lines: Sequence[str] = lines,
                          score: Callable[..., float] = score) -> float:
                return abs(score([outputs[index] for index in one], lines)
                           - score([outputs[index] for index in other], lines))

            result = stats.permutation_test(
                [numpy.arange(len(lines)), numpy.arange(len(lines), len(outputs))], statistic, vectorized=False,
                permutation_type="samples", alternative="greater", n_resamples=numpy.inf)
            yield {"kind": "exact", "metric": name, "systems": systems, "references": lines,
                   "p_value": float(result.pvalue)}


def corpus_scores() -> dict[str, Callable[[Sequence[str], Sequence[str]], float]]:
    """The score of a corpus under each metric, from others' programs."""
    sacrebleu: Any = import_module("sacrebleu.metrics")
    jiwer: Any = import_module("jiwer")
    metrics = {"BLEU": sacrebleu.BLEU(), "CHRF": sacrebleu.CHRF(), "TER": sacrebleu.TER()}

    def corpus_scorer(metric: Any) -> Callable[[Sequence[str], Sequence[str]], float]:
        return lambda hypotheses, references: metric.corpus_score(list(hypotheses), [list(references)]).score

    return {**{name: corpus_scorer(metric) for name, metric in metrics.items()},
            "WER": lambda hypotheses, references: 100 * jiwer.wer(list(references), list(hypotheses))}


if __name__ == "__main__":
    raise SystemExit(main())
