"""The numbers of a report: kinds of segments and words, wins and losses, n-grams; by hand, and of real data."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from purebleu.analysis import summary as summary_module
from purebleu.analysis.segments import outcome
from purebleu.analysis.summary import different_ngrams, matched_counts, word_rows_of
from purebleu.metrics.bleu import BLEU
from purebleu.metrics.ter import TER
from purebleu.significance import estimate_ci
from purebleu.significance.sampling import Sampling, Units

from ..helpers import needs_wmt22, wmt22_lines

words = st.lists(st.sampled_from("abcd"), max_size=8)


def summary_of(systems: list[list[str]], references: list[list[str]], labels: Any = None, units: Any = None,
               rank: bool = False) -> Any:
    """The summary of systems under BLEU and TER; their words are split at spaces."""
    metrics = [BLEU(), TER()]
    rows = [[metric.corpus_statistics(system, references) for metric in metrics] for system in systems]
    signatures = [metric.get_signature() for metric in metrics]
    tokens = ([[line.split() for line in system] for system in systems],
              [[line.split() for line in segment] for segment in zip(*references)])
    sampling = Sampling("bs" if len(systems) > 1 else None, 200, 200, 200, units=units, rng="mt19937", seed=1)
    scored = summary_module.SummaryInput(rows, metrics, signatures, labels or {}, tokens)
    return summary_module.summary_of(scored, sampling, rank=rank)


@given(pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20), lower=st.booleans())
def test_wins_and_losses(pairs: list[tuple[int, int]], lower: bool) -> None:
    scores, others = map(list, zip(*pairs))
    found = outcome(scores, others, lower)
    gains = [(other - own if lower else own - other) for own, other in pairs]
    assert found[:3] == (sum(gain > 0 for gain in gains), gains.count(0), sum(gain < 0 for gain in gains))


@given(segments=st.lists(st.tuples(words, words), min_size=1, max_size=6))
def test_words_by_frequency_add_up(segments: list[tuple[list[str], list[str]]]) -> None:
    outputs, references = map(list, zip(*segments))
    sums = [sum(column) for column in zip(*word_rows_of(([outputs], [[reference] for reference in references]))[0])]
    known = {word for reference in references for word in reference}
    assert sum(sums[2::3]) == sum(map(len, references))
    assert sum(sums[1::3]) == sum(word in known for output in outputs for word in output)
    assert sum(sums[::3]) == sum(sum((Counter(output) & Counter(reference)).values()) for output, reference in segments)


@given(segments=st.lists(st.tuples(words, words, words), min_size=1, max_size=5))
def test_matched_ngrams_are_those_of_bleu(segments: list[tuple[list[str], list[str], list[str]]]) -> None:
    outputs, *streams = zip(*segments)
    lines, *references = [list(map(" ".join, texts)) for texts in zip(*segments)]
    rows = BLEU(tokenize="none").corpus_statistics(lines, references)
    for order in range(1, 5):
        matched, again = matched_counts([outputs, outputs], list(zip(*streams)), order)
        assert matched == again
        assert sum(matched.values()) == sum(row[1 + order] for row in rows)
        assert {*map(len, matched)} <= {order}


def test_the_ngrams_of_all_orders_are_in_one_list() -> None:
    references = [[["a", "b", "c"]], [["a", "b", "d"]]]
    found = different_ngrams(([[["a"], ["d"]], [["a", "b", "c"], ["a", "b"]]], references), 3)
    assert found == {(0, 1): ([(("a", "b"), 2, 0), (("b",), 2, 0), (("a", "b", "c"), 1, 0)], [(("d",), 1, 0)])}
    assert different_ngrams(([], references)) == {}


def test_a_summary_is_made_of_results() -> None:
    source = random.Random(5)
    references = [[" ".join(source.choices("abcdefgh", k=source.randrange(1, 70))) for _ in range(80)]]
    systems = [[" ".join(word for word in line.split() if source.random() < share) for line in references[0]]
               for share in (0.9, 0.8, 0.5)]
    labels = {"domain": ["news", "speech"] * 40, "docid": [str(number) for number in range(80)]}
    summary = summary_of(systems, references, labels)
    assert [[len(samples) for samples in metric_samples] for metric_samples in summary.resampled] == [[200] * 3] * 2
    for index in range(2):
        for system in range(3):
            result = summary.results.systems[system][index]
            assert (result.mean, result.ci) == estimate_ci(summary.resampled[index][system])
    assert [buckets.title for buckets in summary.buckets] == ["Reference length in tokens", "Domains"]
    assert summary.buckets[1].groups == [("news", 40), ("speech", 40)]
    for lines, [(score, _), _] in zip(systems, summary.buckets[1].estimates[0]):
        assert score == BLEU().corpus_score(lines[::2], [references[0][::2]]).score
    assert sum(count for _, count in summary.words.groups) == sum(len(line.split()) for line in references[0])
    assert {*summary.outcomes[0]} == {*summary.ngrams} == {(0, 1), (0, 2), (1, 2)}
    assert not summary.results.rankings and summary_of(systems, references, labels, rank=True).results.rankings


def test_words_are_resampled_by_document_too() -> None:
    source = random.Random(6)
    references = [[" ".join(source.choices("abcdefgh", k=9)) for _ in range(40)]]
    systems = [[" ".join(word for word in line.split() if source.random() < share) for line in references[0]]
               for share in (0.9, 0.5)]

    segment_scores, singles, document_scores = [
        summary_of(systems, references, units=units).words.estimates
        for units in (None, *[Units([str(number // size) for number in range(40)]) for size in (1, 2)])]
    assert singles == segment_scores
    assert [score for [(score, _)] in document_scores[0]] == [score for [(score, _)] in segment_scores[0]]
    assert document_scores != segment_scores


@needs_wmt22
def test_figures_of_real_systems() -> None:
    references, *outputs = wmt22_lines("ref.B", "hyp.OpenNMT", "hyp.Online-B")
    bleu = BLEU()
    systems = [[bleu.corpus_statistics(output, [references])] for output in outputs]
    tokens = ([[[""]] * 2037] * 2, [[[str(token) for token in bleu.preprocess(line)]] for line in references])
    scored = summary_module.SummaryInput(systems, [bleu], [bleu.get_signature()], {}, tokens)
    summary = summary_module.summary_of(scored, Sampling("bs", 50, differences=50, rng="mt19937", seed=1))
    [buckets] = summary.buckets
    assert buckets.groups == [("0-9", 427), ("10-19", 766), ("20-29", 473), ("30-39", 245), ("40-49", 84),
                              ("50-59", 28), ("60+", 14)]
    other, own = [[round(estimate[0], 4) for estimate in estimates if estimate] for estimates in buckets.estimates[0]]
    assert own == [36.4979, 39.2143, 38.8315, 39.3626, 34.0162, 34.5440, 38.0732]
    assert other == [32.6751, 35.2305, 35.6731, 37.0567, 33.0975, 33.7258, 39.6412]
    # (Six segments have exactly 50, which floating point computes as 50.000000000000014 or as 49.99999999999999.)
    assert summary.deciles[0][1] == [190, 388, 356, 327, 261, 181, 142, 82, 27, 83]
    assert summary.outcomes[0][0, 1] == (965, 392, 680)
