"""Properties of every metric: rows add up in any order and in any pieces, a text is perfect against itself.

And the results: JSON reads back to the numbers that it was made of.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from typing import Any, Callable, Sequence, Tuple
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..helpers import OF_SUBTITLES, load, part

Corpus = Sequence[Tuple[str, ...]]

# (Random texts deserve many warnings; those of a copy have another name.)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

metrics = load("metrics")
sum_statistics = load().sum_statistics

WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "BLEU": ("BLEU", {}),
    "BLEU, other options": ("BLEU", {"tokenize": "intl", "lowercase": True, "smooth_method": "floor",
                                     "smooth_value": 0.123, "effective_order": True, "max_ngram_order": 2}),
    "BLEU-1": ("BLEU1", {}),
    "BLEU-2, other options": ("BLEU2", {"tokenize": "intl", "smooth_method": "add-k"}),
    "BLEU-3": ("BLEU3", {"effective_order": True}),
    "chrF": ("CHRF", {}),
    "chrF++, other options": ("CHRF", {"word_order": 2, "lowercase": True, "whitespace": True, "eps_smoothing": True}),
    "CharacTER": ("CharacTER", {"lowercase": True}),
    "EED": ("EED", {}),
    "GLEU": ("GLEU", {}),
    "GLEU, other options": ("GLEU", {"tokenize": "intl", "lowercase": True, "min_order": 2, "max_order": 3}),
    "NIST": ("NIST", {}),
    "NIST, other options": ("NIST", {"tokenize": "intl", "lowercase": True}),
    "WER": ("WER", {}),
    "WER, other options": ("WER", {"lowercase": True}),
    "CER": ("CER", {}),
    "MER": ("MER", {}),
    "WIL": ("WIL", {"lowercase": True}),
    "RIBES": ("RIBES", {}),
    "ROUGE-1": ("ROUGE1", {}),
    "ROUGE-2, other options": ("ROUGE2", {"stemmer": True}),
    "ROUGE-L": ("ROUGEL", {"tokenize": "unicode"}),
    "ROUGE-Lsum": ("ROUGELSUM", {}),
    "TER": ("TER", {}),
    "TER, kinds": ("TER", {"kinds": True}),
    "TER, other options": ("TER", {"normalized": True, "no_punct": True, "asian_support": True,
                                   "case_sensitive": True}),
}

words = st.sampled_from(["the", "cat", "Cat", "sat", "on", "3.5", "(mat)", "it's", "中文", "é", "&amp;", ".", "-"])
lines = st.one_of(st.lists(words, max_size=12).map(" ".join), st.text(max_size=8))
corpora = st.integers(1, 2).flatmap(lambda references: st.lists(
    st.tuples(*[lines] * (1 + references)), min_size=1, max_size=10))


def test_every_metric_is_here() -> None:
    if not hasattr(metrics, "MODULES"):
        pytest.skip("a single file has no registry, unless something asks it")
    assert {name for name, _ in WAYS.values()} == {*metrics.MODULES, *metrics.FURTHER_MODULES}.difference(OF_SUBTITLES)


def of_every_way(**strategies: Any) -> Callable[[Any], Any]:
    """Mark a property of each way of each metric, which is a test of its own: with a quarter of the usual examples."""
    few = settings(max_examples=settings().max_examples // 4)
    return lambda test: pytest.mark.parametrize("way", list(WAYS))(few(given(**strategies)(test)))


def make_metric(way: str, **further: Any) -> Any:
    name, options = WAYS[way]
    return part("metrics", name)(**options, **further)


def rows_of(metric: Any, corpus: Corpus) -> list[Any]:
    hypotheses, *streams = map(list, zip(*corpus))
    return list(metric._rows_of_corpus(hypotheses, streams))


@of_every_way(corpus=corpora, source=st.randoms(use_true_random=False))
def test_rows_add_up_in_any_order_and_in_any_pieces(way: str, corpus: Corpus, source: random.Random) -> None:
    metric = make_metric(way)
    hypotheses, *streams = map(list, zip(*corpus))
    expected = metric.corpus_score(hypotheses, streams).score
    if way.startswith("NIST"):  # (rows need weights from the whole corpus)
        metric = make_metric(way, references=streams)
    rows = rows_of(metric, corpus)
    assert metric.score(sum_statistics(rows)).score == expected
    places = list(range(len(corpus)))
    source.shuffle(places)
    shuffled = [corpus[place] for place in places]
    cuts = sorted([0, len(corpus), source.randint(0, len(corpus)), source.randint(0, len(corpus))])
    pieces = [rows_of(metric, shuffled[start:end]) for start, end in zip(cuts, cuts[1:]) if start < end]
    assert [row for piece in pieces for row in piece] == [rows[place] for place in places]
    # (With up to two references, their mean length is a number that adds up exactly.)
    assert metric.score(sum_statistics(list(map(sum_statistics, pieces)))).score == expected
    for (hypothesis, *references), row in zip(corpus, rows):
        prepared = metric.preprocess_references(references)
        assert metric.segment_statistics(metric.preprocess(hypothesis), prepared) == row


@of_every_way(corpus=corpora)
def test_faster_ways_equal_the_definitions(way: str, corpus: Corpus) -> None:
    hypotheses, *streams = map(list, zip(*corpus))
    results: list[list[Any]] = []
    for plain in "01":
        with mock.patch.dict(os.environ, PUREBLEU_PLAIN=plain):
            metric = make_metric(way, references=streams)
            rows = metric.corpus_statistics(hypotheses, None)
            results.append([rows, metric.values(list(zip(*rows))), metric.pairwise(hypotheses, streams[0])])
    assert results[0] == results[1]


@pytest.mark.parametrize("way", list(WAYS))
def test_a_subclass_that_defines_a_step_anew_has_no_faster_way(way: str) -> None:
    name, options = WAYS[way]
    base = part("metrics", name)

    def segment_statistics(self: Any, hypothesis: Any, references: Sequence[Any]) -> Any:
        return tuple([7 * number for number in base.segment_statistics(self, hypothesis, references)])

    mine = type(name, (base,), {"segment_statistics": segment_statistics})
    corpus = [("the cat", "the mat"), ("the cat sat", "a cat sat on it")]
    hypotheses, references = map(list, zip(*corpus))
    rows, usual = [metric(**options, references=[references]).corpus_statistics(hypotheses, None)
                   for metric in (mine, base)]
    assert rows == [tuple([7 * number for number in row]) for row in usual]


@of_every_way(corpus=corpora, missing=st.sets(st.integers(0, 9)), with_corpus=st.booleans())
def test_scores_of_segments_are_those_of_each(way: str, corpus: Corpus, missing: set[int], with_corpus: bool) -> None:
    hypotheses, *streams = map(list, zip(*corpus))
    references: list[list[str | None]] = [list(segment[1:]) for segment in corpus]
    for index in missing:
        if index < len(references) and len(references[index]) > 1:
            references[index][index % 2] = None
    metric = make_metric(way, **({"references": streams} if with_corpus else {}))
    expected = [metric.sentence_score(*segment) for segment in zip(hypotheses, references)]
    found = metric.sentence_scores(hypotheses, references)
    assert [vars(score) for score in found] == [vars(score) for score in expected]
    assert metric.get_signature().format().startswith(
        f"nrefs:{'var' if len({len(segment) - segment.count(None) for segment in references}) > 1 else ''}")


@pytest.mark.parametrize("number", [None, "Single"])
@of_every_way(corpus=corpora)
def test_many_values_are_those_one_by_one(way: str, number: str | None, corpus: Corpus) -> None:
    metric = make_metric(way)
    rows = rows_of(metric, corpus)
    # (Sums that have no zero take another way.)
    references = ["the cat sat on a mat, and so on"] * (len(corpus[0]) - 1)
    longer, = rows_of(metric, [("the cat sat on the mat, and so on", *references)])
    for totals in (rows, [sum_statistics([longer, row]) for row in rows]):
        if number and max(map(max, totals)) < 1 << 63:
            totals = [list(map(part("engines.resampling.streams", number), total)) for total in totals]
        assert metric.values(list(zip(*totals))) == list(map(metric.value, totals))


@of_every_way(corpus=corpora)
def test_rows_that_are_written_can_be_read(way: str, corpus: Corpus) -> None:
    stored_rows, read, write = part("rows", "StoredRows"), part("rows", "read"), part("rows", "write")
    metric = make_metric(way)
    rows = rows_of(metric, corpus)
    stored = stored_rows.of_evaluation("a", metric, metric.get_signature(), rows)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.rows")
        write(path, [stored, stored])
        found = read(path)
    assert [(one.rows, one.signature, one.options) for one in found] == [
        (rows, stored.signature, metric.scoring_options())] * 2
    assert found[0].make_metric().scoring_options() == metric.scoring_options()


@of_every_way(corpus=corpora, width=st.integers(0, 6), intervals=st.booleans())
def test_json_of_a_result_reads_back(way: str, corpus: Corpus, width: int, intervals: bool) -> None:
    hypotheses, *streams = map(list, zip(*corpus))
    system_results, style = part("report.formats", "system_results"), part("report.formats", "Style")("json", width)
    part("significance", "results_of")  # for intervals
    score = make_metric(way).corpus_score(hypotheses, streams, n_bootstrap=5 if intervals else 1)
    record = json.loads(system_results([score], style), parse_constant=pytest.fail)
    assert record["name"] == score.name
    assert record["score"] == float(f"{score.score:.{width}f}")
    assert record["signature"] == str(score.signature)
    for pair in str(score.signature).split("|"):
        key, _, value = pair.partition(":")
        assert record[key] == value
    if intervals and score.mean:
        assert record["confidence_mean"] == float(f"{score.mean:.{width}f}")
        assert record["confidence_var"] == float(f"{score.ci:.{width}f}")
    both = json.loads(system_results([score, score], style))
    assert both == [record, record]
    assert json.loads(system_results([score], style, score_only=True).partition(" ")[0]) == record["score"]
