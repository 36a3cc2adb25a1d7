"""A client of the package, with the types that a checker has to see: every public name is here.

mypy and pyright check it in strict mode (`scripts/test.py --lint`); `test_types.py` runs it.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from typing import IO

import purebleu
import purebleu.metrics.base
import purebleu.metrics.bleu
import purebleu.metrics.chrf
import purebleu.metrics.helpers
import purebleu.metrics.ter
import purebleu.runtime.errors
from purebleu import BLEU, CHRF, TER, PurebleuError, PurebleuWarning
from purebleu.compat import r_sacrebleu
from purebleu.datasets import TestSet
from purebleu.evaluate import CombinedEvaluations, EvaluationModule
from purebleu.metrics import CER, EED, GLEU, MER, NIST, RIBES, ROUGE, WER, WIL, BLEUScore, CharacTER, CHRFScore
from purebleu.metrics.base import Metric, Score, Signature
from purebleu.metrics.character import CharacTERScore
from purebleu.metrics.eed import EEDScore
from purebleu.metrics.gleu import GLEUScore
from purebleu.metrics.nist import NISTScore
from purebleu.metrics.ribes import RIBESScore
from purebleu.metrics.rouge import ROUGEScore
from purebleu.metrics.suber import SubERCasedScore, SubERScore
from purebleu.metrics.ter import TERAlignment, TERScore
from purebleu.metrics.wer import CERScore, MERScore, WERAlignment, WERScore, WILScore
from purebleu.significance import PairedTest, Result, Results, RunsResult, RunsResults, Sampling, Units

HYPOTHESES = ["the cat sat on the mat", "a dog barked"]
REFERENCES: list[list[str | None]] = [["the cat sat on a mat", "a dog barked"], ["a cat sat on the mat", None]]
STREAMS = [["the cat sat on a mat", "a dog barked"]]


def check_metrics() -> None:
    bleu = BLEU(lowercase=True, force=True, tokenize="13a", smooth_method="exp", smooth_value=None, max_ngram_order=4,
                effective_order=True, trg_lang="de", references=REFERENCES)
    bleu_score: BLEUScore = bleu.corpus_score(HYPOTHESES, None, n_bootstrap=10, rng="numpy")
    bleu_score = bleu.sentence_score(["the", "cat"], [["the", "cat"], None])
    [bleu_score] = bleu.sentence_scores(["the cat"], [["the cat", None]])
    precisions: list[float] = bleu_score.precisions
    lengths: tuple[int, int] = bleu_score.sys_len, bleu_score.ref_len
    bp: float = bleu_score.bp + bleu_score.ratio
    bleu_score = BLEU.compute_bleu([1, 1, 1, 1], [2, 2, 2, 2], 2, 2)
    by_function: BLEUScore = BLEU(tokenize=str.split).corpus_score([[1, 2, 3, 4]], [[(1, 2, 3, 4)]])
    chrf_score: CHRFScore = CHRF(char_order=6, word_order=2, beta=2, lowercase=False, whitespace=False,
                                 eps_smoothing=False).corpus_score(HYPOTHESES, REFERENCES)
    chrf_score = CHRF(references=STREAMS).sentence_score("a", ["b"])
    orders: tuple[int, int, int] = chrf_score.char_order, chrf_score.word_order, chrf_score.beta
    ter_score: TERScore = TER(normalized=False, no_punct=False, asian_support=False, case_sensitive=False,
                              references=STREAMS).corpus_score(HYPOTHESES, STREAMS, transpose_references=False)
    ter_score = TER().sentence_score("a", ["b"])
    edits: tuple[int, float] = ter_score.num_edits, ter_score.ref_length
    alignment: TERAlignment = TER().alignment("a", ["b", None])
    alignments: list[TERAlignment] = TER().corpus_alignments(HYPOTHESES, REFERENCES, transpose_references=False)
    shifted: list[tuple[int, int, list[str]]] = [(one.start, one.target, one.words) for one in alignment.shifts]
    operations: list[tuple[str, str | None, str | None]] = alignments[0].operations()
    kinds: dict[str, int] = alignment.counts()
    told: TERScore = TER(kinds=True).corpus_score(HYPOTHESES, STREAMS)
    counts_of_kinds: list[int | None] = [told.insertions, told.deletions, told.substitutions, told.shifts]
    counts_of_kinds.append(told.shifted_words)
    word_alignment: WERAlignment = WER().alignment("a", ["b", None])
    rates: list[WERAlignment] = CER().corpus_alignments(HYPOTHESES, STREAMS, transpose_references=False)
    operations += word_alignment.operations() + rates[0].operations()
    gleu_score: GLEUScore = GLEU(lowercase=False, tokenize=None, min_order=1, max_order=4, trg_lang="",
                                 references=STREAMS).corpus_score(HYPOTHESES, None)
    ngrams: tuple[int, int] = gleu_score.matches, gleu_score.ngrams
    nist_score: NISTScore = NIST(lowercase=False, tokenize=None, trg_lang="", references=STREAMS).corpus_score(
        HYPOTHESES, None)
    penalty_and_lengths: tuple[float, int, float, float] = (
        nist_score.bp, nist_score.sys_len, nist_score.ref_len, nist_score.ratio)
    assert penalty_and_lengths[0] <= 1 and sum(nist_score.orders) >= 0
    wer_score: WERScore = WER(lowercase=True, references=STREAMS).corpus_score(HYPOTHESES, None)
    for metric in (CER(), MER(), WIL()):
        wer_score = metric.sentence_score("a", ["b"])
        assert isinstance(wer_score, (CERScore, MERScore, WILScore))
    counts: tuple[int, int, int, int] = (wer_score.hits, wer_score.substitutions, wer_score.deletions,
                                         wer_score.insertions)
    rouge1: ROUGEScore = ROUGE("1", stemmer=True, tokenize="rouge", references=STREAMS).corpus_score(HYPOTHESES, None)
    rouge2: ROUGEScore = ROUGE("2", tokenize=str.split).sentence_score("a", ["b"])
    rouge_l: ROUGEScore = ROUGE("L").sentence_score("a", ["b"])
    rouge_lsum: ROUGEScore = ROUGE("Lsum").sentence_score("a", ["b"])
    parts: tuple[float, float] = rouge1.precision, rouge2.recall
    ribes: RIBESScore = RIBES(lowercase=True, references=STREAMS).corpus_score(HYPOTHESES, None)
    character: CharacTERScore = CharacTER(lowercase=True).sentence_score("a", ["b"])
    eed: EEDScore = EED().sentence_score("a", ["b"])
    suber: TERScore = purebleu.metrics.SubER(trg_lang="zh", kinds=True).corpus_score([""], [[""]])
    cased: TERScore = purebleu.metrics.SubERCased(tokenize="zh").sentence_score("", [""])
    assert isinstance(suber, SubERScore) and isinstance(cased, SubERCasedScore)
    assert min(ribes.score, character.score, eed.score, suber.score, cased.score) >= 0
    outside = purebleu.metrics.SegmentScores("COMET", [0.5, "0.25"], lower_is_better=False,
                                             signature="Comet2.2.2", width=3)
    mean: float = outside.score(purebleu.sum_statistics(outside.rows)).score
    assert mean == 0.375
    for score in (bleu_score, by_function, chrf_score, ter_score, gleu_score, nist_score, wer_score, rouge1, rouge_l,
                  rouge_lsum):
        value: float = score.score
        name: str = score.name + score.format(width=1, score_only=True) + repr(score)
        interval: tuple[float | None, float | None] = score.mean, score.ci
        assert (value >= 0, interval) == (True, (None, None)) and name
    signature: Signature = ter_score.signature
    text: str = signature.format(short=True) + str(signature) + str(signature.info["nrefs"])
    assert text and edits and orders and bp and lengths and precisions and ngrams and counts
    assert operations and kinds and not shifted and parts


def check_programs() -> None:
    comparison = purebleu.compare({"a": HYPOTHESES, "b": STREAMS[0]}, STREAMS[0], metrics=["bleu", TER()], trials=50)
    p_value: float | None = comparison["b", "BLEU"].p_value
    text: str = str(comparison) + comparison.format("markdown") + str(comparison.to_records()[0]["system"])
    runs = purebleu.compare_runs({"a": [HYPOTHESES, STREAMS[0]], "b": [STREAMS[0]]}, STREAMS, trials=50)
    deviation: float | None = runs["a", "BLEU"].deviation
    text += str(runs.to_records()[0]["runs"])
    running: purebleu.Accumulator[BLEUScore] = purebleu.Accumulator(BLEU())
    running.update(HYPOTHESES, STREAMS)
    running.merge(running.state())
    score: BLEUScore = running.compute()
    interval: tuple[float, float] | None = score.interval
    numbers: list[float] = [float(one) for one in CHRF().sentence_scores(HYPOTHESES, STREAMS[0])]
    exact = purebleu.metric_from("EXACT", lambda hypothesis, references: float(hypothesis in references))
    named: purebleu.Score = purebleu.metric("chrF++").corpus_score(HYPOTHESES, STREAMS)
    pair = purebleu.test_set("sample", "en-de")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lines")
        with open(path, "w", encoding="utf-8") as file:
            file.write("a\n")
        scores: dict[str, purebleu.Score] = purebleu.score_files(path, [path], metrics=["chrf", exact])
    signature: purebleu.Signature = scores["EXACT"].signature or score.signature
    assert signature and text and numbers and named and interval is None and pair.source and pair.references
    assert p_value is not None and deviation is not None and isinstance(exact, purebleu.Metric)


def check_rows() -> None:
    metrics: list[Metric[Score]] = [BLEU(), CHRF(), TER()]
    rows = [[metric.corpus_statistics(system, STREAMS) for metric in metrics] for system in (HYPOTHESES, STREAMS[0])]
    totals = purebleu.sum_statistics(rows[0][0])
    score: Score = metrics[0].score(totals)
    value: float = metrics[0].value(totals) + score.score
    signature: Signature = metrics[0].get_signature()
    sampling: Sampling = purebleu.significance.Sampling("ar", 10, resamples=10, rng="mt19937", seed=None)
    results: Results = purebleu.significance.results_of(rows, metrics, sampling, rank=False)
    compared = purebleu.compare_rows({"a": rows[0], "b": rows[1]}, metrics, test=None)["b", "BLEU"].p_value
    found: list[list[Result]] = results.systems
    scores: list[list[Score]] = results.scores
    p_values: list[float | None] = [result.p_value for result in found[1]]
    signature = results.signed(signature)
    units: Units = purebleu.significance.Units([str(segment) for segment in range(8)], strata=None)
    longer = [[metric_rows * 4 for metric_rows in system] for system in rows]
    results = purebleu.significance.results_of(longer, metrics, Sampling("ar", 10, exact=True, units=units), holm=True)
    assert units.count == len(units.sums(longer[0][0])) and units.name + units.plural and units.strata is None
    signatures, table = PairedTest([("A", HYPOTHESES), ("B", STREAMS[0])], {"BLEU": BLEU()}, STREAMS, "bs", 10)()
    signed: Signature = signatures["BLEU"]
    names: list[str] = table["System"]
    run_results: RunsResults = purebleu.significance.runs_of([[rows[0], rows[1]], [rows[1]]], metrics,
                                                             Sampling("sar", 10, 10, rng="mt19937", seed=1))
    runs_result: RunsResult = run_results.systems[0][0]
    mean_of_runs: float = runs_result.mean
    deviation: float | None = runs_result.deviation
    chances: tuple[float | None, float | None] = runs_result.selection, runs_result.p_value
    signature = run_results.signed(metrics[0].get_signature())
    assert mean_of_runs and deviation and chances and runs_result.scores
    assert run_results.samples + run_results.drawn == 20
    mean, ci = purebleu.significance.estimate_ci([1.0, 2.0])
    half: float = mean + ci
    check_agreement()
    pairs: list[list[float]] = metrics[1].pairwise(HYPOTHESES, STREAMS[0])
    broken_anew: list[str] = purebleu.resegment(HYPOTHESES, STREAMS, "13a", documents=None)
    choice: tuple[int, float] = purebleu.mbr(HYPOTHESES, CHRF(), STREAMS[0], [0.5, 0.5])
    choices: list[tuple[int, float]] = purebleu.mbr([HYPOTHESES, ["a"]], metrics[1], jobs=1)
    assert pairs and choice and choices and broken_anew
    assert value and signed and compared is None and names and half and scores and p_values


def check_functions() -> None:
    bleu: BLEUScore = purebleu.corpus_bleu(HYPOTHESES, REFERENCES, tokenize="intl", transpose_references=False)
    bleu = purebleu.raw_corpus_bleu(HYPOTHESES, STREAMS, 0.1)
    bleu = purebleu.sentence_bleu("a", ["b"], "floor", 0.1, lowercase=True, use_effective_order=True)
    chrf: CHRFScore = purebleu.corpus_chrf(HYPOTHESES, STREAMS, 6, 2, 2, True, False)
    chrf = purebleu.sentence_chrf("a", ["b"], remove_whitespace=False)
    ter: TERScore = purebleu.corpus_ter(HYPOTHESES, STREAMS, True, True, True, True)
    ter = purebleu.sentence_ter("a", ["b"])
    counts: dict[str, int] = {**purebleu.extract_word_ngrams(["a"], 1), **purebleu.extract_char_ngrams("a", 1)}
    purebleu.install_as_sacrebleu()
    version: str = purebleu.__version__
    assert bleu and chrf and ter and counts and version


def check_harness() -> None:
    figures: dict[str, float] = purebleu.harness.score(["a"], ["a"], ["ter"])["ter"]
    error: float = purebleu.harness.stderr("ter", ["a", "b"], ["a", ["b"]], n=2)
    whole: float = purebleu.harness.ter([("a", "a")])
    assert figures["score"] == error == whole == 0


def check_evaluate() -> None:
    module: EvaluationModule = purebleu.evaluate.load("ter")
    module.add(prediction="a b", reference="a c")
    module.add_batch(predictions=["a"], references=[["a", "b"]])
    module.compute(predictions=["a"], references=[["b", "c"]], case_sensitive=True) if len(module) > 9 else None
    combined: CombinedEvaluations = purebleu.evaluate.combine(["bleu", module], force_prefix=True)
    values: dict[str, float | list[float]] = purebleu.evaluate.load("chrf").compute(predictions=["a"], references=["a"])
    rate: float = purebleu.evaluate.load("wer").compute(predictions=["a"], references=["a"], concatenate_texts=True)
    signature: Signature | None = module.signature
    names: str = module.name + module.description + module.citation + module.features
    assert values and names and combined and signature is None and not rate


def check_ids() -> None:
    references = [[[1, 2, 3], [2, 3, 4]], [[1, 2, 6]]]
    score: float = r_sacrebleu.bleu_corpus_ids(references, [[1, 2, 3], [1, 2]], n=4, weights=None, smoothing="floor",
                                               epsilon=0.1, k=1)
    score += r_sacrebleu.bleu_sentence_ids([(1, 2), range(3)], array("i", [1, 2]), weights=[0.5, 0.5])
    score += r_sacrebleu.bleu_corpus([["a b"]], ["a b"], lambda text: text.split(), smoothing="add-k", k=1.5)
    score += r_sacrebleu.bleu_sentence(["a b"], "a b", "13a", n=2)
    rows: list[tuple[int, ...]] = r_sacrebleu.corpus_statistics_ids(references, [[1], [2]], n=2)
    score += r_sacrebleu.bleu_of_sums(rows[0], smoothing="floor")
    assert score and r_sacrebleu.bleu_of_sums(purebleu.sum_statistics(rows), [0.5, 0.5], "add-k", k=2)


def check_stored_rows() -> None:
    metric = TER()
    part = purebleu.rows.StoredRows.of_evaluation("out", metric, Signature(1, {}, {}),
                                                  metric.corpus_statistics(HYPOTHESES, STREAMS), offset=0)
    with tempfile.TemporaryDirectory() as folder:
        purebleu.rows.write(os.path.join(folder, "out.rows"), [part])
        parts: list[purebleu.rows.StoredRows] = purebleu.rows.read(os.path.join(folder, "out.rows"))
    merged = purebleu.rows.merge(parts, ["out.rows"])
    score: Score = merged[0].evaluation(merged[0].make_metric()).score()
    described: str = part.system + part.metric + part.signature + part.hypothesis_sha256
    assert score and described and part.columns and part.end == 2


def check_test_sets() -> None:
    test_set: TestSet = purebleu.DATASETS["sample"]
    source: str = purebleu.get_source_file("sample", "en-de")
    references: list[str] = purebleu.get_reference_files("sample", "en-de")
    files: list[str] = purebleu.download_test_set("sample", "en-de")
    names: list[str] = purebleu.get_available_testsets()
    names += purebleu.datasets.get_available_testsets_for_langpair("en-de")
    pairs: list[str] = purebleu.get_langpairs_for_testset("sample")
    lines: list[str] = list(test_set.source("en-de"))
    opened: IO[str] = purebleu.smart_open(source)
    with opened as file:
        first: str = file.readline()
    folder: str = purebleu.SACREBLEU_DIR
    assert references and files and names and pairs and lines and first and folder


def check_agreement() -> None:
    agree = purebleu.meta_evaluation
    human: list[list[float | None]] = [[1, 2.5, None], [2, 3, 1]]
    metric: list[list[float]] = [[0.1, 0.2, 0.3], [0.2, 0.4, 0.1]]
    shares: list[float] = [agree.agreement_of("spa", human, metric),
                           agree.agreement_of("accuracy", human, metric, [1, 1])]
    p_value: float = agree.compare_by_scores("tau-b", human, metric, metric, trials=10, seed=1).p_value
    ranks: list[int] = agree.rank_metrics("pearson", human, {"a": metric}, trials=10).ranks
    order: list[int] = agree.rank_systems_by_people(human).order
    scales: list[float] = agree.autorank(metric)
    assert shares and p_value and ranks and order and scales


def check_modules_and_errors() -> None:
    error: type[ValueError] = PurebleuError
    warning: type[UserWarning] = PurebleuWarning
    paths: list[str] = [module.__name__ for module in (
        purebleu.compat, purebleu.dataset, purebleu.datasets, purebleu.runtime.errors, purebleu.evaluate,
        purebleu.metrics, purebleu.significance, purebleu.tokenizers, purebleu.utils, purebleu.metrics.base,
        purebleu.metrics.bleu, purebleu.metrics.chrf, purebleu.metrics.helpers, purebleu.metrics.ter)]
    metric: Metric[Score] = purebleu.metrics.METRICS["BLEU"]()
    names: list[str] = list(purebleu.tokenizers.TOKENIZERS)
    assert error and warning and paths and metric and names


if __name__ == "__main__":
    check_metrics()
    check_programs()
    check_rows()
    check_functions()
    check_evaluate()
    check_harness()
    check_ids()
    check_stored_rows()
    check_test_sets()
    check_modules_and_errors()
