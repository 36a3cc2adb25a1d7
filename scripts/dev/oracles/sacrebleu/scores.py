"""Statistics and scores of corpora, of single segments, and by the functions on top; random streams, paired tests.

The questions are those of the golden files: corpora, segments, counts and options. Answers take the places of answers.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Iterator

from ..files import golden_cases
from .oracle import Options, oracle, score_record, scored


def statistics_cases() -> Iterator[Options]:
    """A corpus, options, the row of statistics of each segment, and scores with further options.

    `repeat` tells how many times the corpus is put behind itself for a score, so that it is larger than what is worked
    on at once.
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
    """Scores of single segments."""
    for case in golden_cases("sentences.json.gz"):
        metric = oracle().BLEU(**case["options"])
        yield {**case, **scored(metric, metric.sentence_score(case["hypothesis"], case["references"]))}


def chrf_cases() -> Iterator[Options]:
    """A corpus, options of chrF, the row of each segment, the score of the corpus and of its first segment."""
    for case in golden_cases("chrf.json.gz"):
        metric = oracle().CHRF(**case["options"])
        score = metric.corpus_score(case["hypotheses"], case["references"])
        yield {**case, "rows": metric._extract_corpus_statistics(case["hypotheses"], case["references"]),
               "name": score.name, **told(metric, score, case)}


def ter_cases() -> Iterator[Options]:
    """The same of TER: in corpora of plain words, too, some of which meet a limit of its search."""
    for case in golden_cases("ter.json.gz"):
        metric = oracle().TER(**case["options"])
        rows = metric._extract_corpus_statistics(case["hypotheses"], case["references"])
        score = metric._aggregate_and_compute(rows)
        yield {**case, "rows": [[edits, length.hex()] for edits, length in rows], "num_edits": score.num_edits,
               "ref_length": score.ref_length.hex(), **told(metric, score, case)}


def told(metric: Any, score: Any, case: Options) -> Options:
    """A score with its signature, and that of the corpus's first segment."""
    signature = metric.get_signature()  # (It is of what was scored last.)
    sentence = metric.sentence_score(case["hypotheses"][0], [stream[0] for stream in case["references"]])
    return {"score": float(score.score).hex(), "text": str(score), "signature": signature.format(),
            "short": signature.format(True), "sentence": float(sentence.score).hex()}


def compute_bleu_cases() -> Iterator[Options]:
    """Scores from counts: some of them as no corpus has them."""
    for case in golden_cases("compute_bleu.json.gz"):
        counts = {name: list(case["arguments"][name]) for name in ("correct", "total")}
        yield {**case, "result": score_record(oracle().BLEU.compute_bleu(**{**case["arguments"], **counts}))}


def function_cases() -> Iterator[Options]:
    """Calls of the functions on top: `corpus_bleu`, `raw_corpus_bleu`, `sentence_bleu`."""
    for case in golden_cases("functions.json.gz"):
        score = getattr(oracle(), case["function"])(*case["input"], **case["arguments"])
        yield {**case, "result": score_record(score)}


def client_cases() -> Iterator[Options]:
    """The results of known clients, by their names, from the names that they import and their calls."""
    clients = import_module("tests.clients")
    for name, calls in clients.CALLS.items():
        names: dict[str, Any] = {}
        exec(clients.TEXT + calls, names)
        yield {"client": name, "result": names["result"]}


def random_stream_cases() -> Iterator[Options]:
    """Samples of NumPy's default_rng from a seed: indices below a count, and random bits, three times each."""
    numpy = import_module("numpy")
    for case in golden_cases("random_streams.json.gz"):
        seed, size = int(case["seed"]), (3, case["count"])
        draws = numpy.random.default_rng(seed).choice(case["count"], size=size, replace=True)
        coins = numpy.random.default_rng(seed).integers(2, size=size, dtype=bool)
        yield {**case, "draws": draws.tolist(), "coins": ["".join(map(str, map(int, trial))) for trial in coins]}


def paired_test_cases() -> Iterator[Options]:
    """Intervals beside a randomization test, for which sacreBLEU's command line has no option.

    TER has one reference, because the sums of fractions are in single precision there.
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
