"""Rows and scores of corpora and segments, scores by sacreBLEU's functions, random streams, paired tests.

The input of each case (corpora, segments, counts, options) comes from the golden file. The answers are computed again.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Iterator

from ..files import golden_cases
from .oracle import Options, oracle, score_record, scored


def statistics_cases() -> Iterator[Options]:
    """Yield corpora with options, the row of statistics of each segment, and scores with further options.

    For a score, the corpus is repeated `repeat` times, to make it larger than a block of purebleu.
    """
    for case in golden_cases("statistics.json.gz"):
        options, hypotheses, references = case["options"], case["hypotheses"], case["references"]
        rows = oracle().BLEU(**options)._extract_corpus_statistics(hypotheses, references)
        scores = []
        for asked in case["scores"]:
            metric, repeat = oracle().BLEU(**{**options, **asked["options"]}), asked["repeat"]
            score = metric.corpus_score(hypotheses * repeat, [stream * repeat for stream in references])
            scores.append({**asked, **scored(metric, score)})
        yield {**case, "rows": rows, "scores": scores}


def sentence_cases() -> Iterator[Options]:
    """Yield scores of single segments."""
    for case in golden_cases("sentences.json.gz"):
        metric = oracle().BLEU(**case["options"])
        yield {**case, **scored(metric, metric.sentence_score(case["hypothesis"], case["references"]))}


def chrf_cases() -> Iterator[Options]:
    """Yield corpora with options of chrF, the row of each segment, and scores of the corpus and its first segment."""
    for case in golden_cases("chrf.json.gz"):
        metric = oracle().CHRF(**case["options"])
        score = metric.corpus_score(case["hypotheses"], case["references"])
        yield {**case, "rows": metric._extract_corpus_statistics(case["hypotheses"], case["references"]),
               "name": score.name, **told(metric, score, case)}


def ter_cases() -> Iterator[Options]:
    """Yield corpora with the same figures for TER. Some corpora reach a limit of TER's search."""
    for case in golden_cases("ter.json.gz"):
        metric = oracle().TER(**case["options"])
        rows = metric._extract_corpus_statistics(case["hypotheses"], case["references"])
        score = metric._aggregate_and_compute(rows)
        yield {**case, "rows": [[edits, length.hex()] for edits, length in rows], "num_edits": score.num_edits,
               "ref_length": score.ref_length.hex(), **told(metric, score, case)}


def told(metric: Any, score: Any, case: Options) -> Options:
    """Return a score with its signatures, and the score of the corpus's first segment."""
    signature = metric.get_signature()  # (It is computed first, because it depends on the latest score.)
    sentence = metric.sentence_score(case["hypotheses"][0], [stream[0] for stream in case["references"]])
    return {"score": float(score.score).hex(), "text": str(score), "signature": signature.format(),
            "short": signature.format(True), "sentence": float(sentence.score).hex()}


def compute_bleu_cases() -> Iterator[Options]:
    """Yield scores from counts. No corpus has some of these counts."""
    for case in golden_cases("compute_bleu.json.gz"):
        counts = {name: list(case["arguments"][name]) for name in ("correct", "total")}
        yield {**case, "result": score_record(oracle().BLEU.compute_bleu(**{**case["arguments"], **counts}))}


def function_cases() -> Iterator[Options]:
    """Yield calls of `corpus_bleu`, `raw_corpus_bleu` and `sentence_bleu`, with their results."""
    for case in golden_cases("functions.json.gz"):
        score = getattr(oracle(), case["function"])(*case["input"], **case["arguments"])
        yield {**case, "result": score_record(score)}


def client_cases() -> Iterator[Options]:
    """Yield the results of the calls that known clients make."""
    clients = import_module("tests.clients")
    for name, calls in clients.CALLS.items():
        names: dict[str, Any] = {}
        exec(clients.TEXT + calls, names)
        yield {"client": name, "result": names["result"]}


def random_stream_cases() -> Iterator[Options]:
    """Yield random numbers of NumPy's default_rng: three samples of indices, and of bits, for each seed and count."""
    numpy = import_module("numpy")
    for case in golden_cases("random_streams.json.gz"):
        seed, size = int(case["seed"]), (3, case["count"])
        draws = numpy.random.default_rng(seed).choice(case["count"], size=size, replace=True)
        coins = numpy.random.default_rng(seed).integers(2, size=size, dtype=bool)
        yield {**case, "draws": draws.tolist(), "coins": ["".join(map(str, map(int, trial))) for trial in coins]}


def paired_test_cases() -> Iterator[Options]:
    """Yield randomization tests with confidence intervals. (sacreBLEU's command line has no option for these.)

    Corpora have one reference. With several references, TER's rows have fractions, and sacreBLEU sums them in float32.
    """
    significance = import_module("sacrebleu.significance")
    for case in golden_cases("paired_tests.json.gz"):
        metrics = {name: getattr(oracle(), name)() for name in ("BLEU", "CHRF", "TER")}
        test = significance.PairedTest(list(map(tuple, case["systems"])), metrics, case["references"], test_type="ar",
                                       n_samples=case["trials"], n_ar_confidence=case["resamples"])
        signatures, table = test()
        yield {**case, "signatures": {name: signature.format() for name, signature in signatures.items()},
               "results": {name: [{key: None if value is None else float(value).hex()
                                   for key, value in vars(result).items()} for result in table[name]]
                           for name in signatures}}
