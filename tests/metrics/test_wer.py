"""WER, CER, MER and WIL: jiwer's numbers and alignments, held to what jiwer gave and to plain definitions."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purebleu
from purebleu.engines.edits import alignment
from purebleu.metrics.wer import jiwer_words
from purebleu.runtime.errors import PurebleuError

from ..helpers import load_script, needs_wmt22, part, read_fixture, shares, wmt22_lines

cases = load_script("dev/oracles/cases/wer")
large_pair, random_corpus, random_pair = cases.large_pair, cases.random_corpus, cases.random_pair

CASES = read_fixture("wer.json.gz")["cases"]
NAMES = ("WER", "CER", "MER", "WIL")

#: jiwer's names of steps.
KINDS = {"equal": "hit", "substitute": "substitution", "delete": "deletion", "insert": "insertion"}


def corpus_of(case: dict[str, Any]) -> Any:
    """The hypotheses and the references of a case."""
    if "seed" in case:
        return random_corpus(case["seed"])
    if "large" in case:
        return [[line] for line in large_pair(case["large"])]
    return case["hypotheses"], case["references"]


def align(hypothesis: Any, reference: Any) -> list[list[Any]]:
    return [list(run) for run in alignment.align(hypothesis, reference)]


# Equal to jiwer

# Some cases have lines without spaces.
@pytest.mark.filterwarnings("ignore:most lines of references have hardly any spaces")
@pytest.mark.parametrize("name", NAMES)
@shares(4)
def test_rows_and_scores_are_jiwers(name: str, share: int) -> None:
    metric = part("metrics", name)()
    written = [case for case in CASES if "seed" not in case]
    assert len(CASES) >= 400 and len(written) >= 14
    for case in [*written, *CASES[share::4]]:
        hypotheses, references = corpus_of(case)
        rows = metric.corpus_statistics(hypotheses, [references])
        assert [list(row) for row in rows] == case["characters" if name == "CER" else "words"], case
        totals = purebleu.sum_statistics(rows)
        assert metric.rate(totals).hex() == case["rates"][name], case
        score = metric.score(totals)
        assert score.score == 100 * metric.rate(totals)
        assert [score.hits, score.substitutions, score.deletions, score.insertions] == totals


def test_alignments_are_jiwers() -> None:
    for case in CASES:
        (hypothesis, *_), (reference, *_) = map(jiwer_words, corpus_of(case))
        assert align(hypothesis, reference) == [[KINDS[kind], *ends] for kind, *ends in case["alignment"]], case


@needs_wmt22
def test_figures_of_real_data() -> None:
    hypotheses, references = wmt22_lines("hyp.Online-B", "ref.B")
    scores = {name: getattr(purebleu.metrics, name)().corpus_score(hypotheses, [references]) for name in NAMES}
    assert {name: round(score.score, 8) for name, score in scores.items()} == {
        "WER": 51.97185597, "MER": 48.23045267, "WIL": 68.55817787, "CER": 35.93651149}
    for name, counts in (("WER", (18870, 11986, 2970, 2624)), ("CER", (170412, 37079, 24866, 21556))):
        score = scores[name]
        assert (score.hits, score.substitutions, score.deletions, score.insertions) == counts


# Held to plain definitions

def expanded(runs: Sequence[Sequence[Any]]) -> list[str]:
    """The steps of an alignment one by one; the runs follow each other."""
    steps: list[str] = []
    column = row = 0
    for kind, first, end, first_row, end_row in runs:
        assert (first, first_row) == (column, row) and max(end - first, end_row - first_row) > 0
        column, row = end, end_row
        steps += [kind] * max(end - first, end_row - first_row)
    return steps


letters = st.text(alphabet="abc", max_size=12)


def test_split_matrices_have_the_same_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(25)
    pairs = [random_pair(rng, 200) for _ in range(60)]
    whole = alignment.count_operations(pairs)
    monkeypatch.setattr(alignment, "_SPLIT_BYTES", 40)
    split = alignment.count_operations(pairs)
    assert [sum(counts[1:]) for counts in split] == [sum(counts[1:]) for counts in whole]
    steps = [expanded(align(*pair)) for pair in pairs]
    assert [tuple(map(pair_steps.count, KINDS.values())) for pair_steps in steps] == split
    assert split != whole


def exact_loss(hits: int, substitutions: int, deletions: int, insertions: int) -> Fraction:
    """WIL by its definition."""
    if not hits:
        return Fraction(int(substitutions + deletions + insertions > 0))
    return 1 - Fraction(hits, hits + substitutions + deletions) * Fraction(hits, hits + substitutions + insertions)


def exact_rate(hits: int, substitutions: int, deletions: int, insertions: int) -> Fraction:
    """WER and CER by their definition."""
    return Fraction(substitutions + deletions + insertions, hits + substitutions + deletions or 1)


#: The score of a segment from its row.
DEFINITIONS: dict[str, Callable[..., Fraction]] = {
    "WER": exact_rate, "CER": exact_rate, "MER": lambda *row: Fraction(sum(row[1:]), sum(row) or 1), "WIL": exact_loss}


@pytest.mark.parametrize("name", NAMES)
@given(segments=st.lists(st.tuples(letters, letters, letters, st.none() | letters), min_size=1, max_size=5))
def test_the_best_reference_counts_and_the_first_of_equals(name: str, segments: list[tuple[str, ...]]) -> None:
    metric = part("metrics", name)()
    # (Words of one letter each.)
    corpus = [[text if text is None or name == "CER" else " ".join(text) for text in segment] for segment in segments]
    hypotheses, *streams = map(list, zip(*corpus))
    by_stream = [metric.corpus_statistics(hypotheses, [[text or "" for text in stream]]) for stream in streams]
    expected = [min([row for row, text in zip(rows, references) if text is not None],
                    key=lambda row: DEFINITIONS[name](*row))
                for (_, *references), rows in zip(corpus, zip(*by_stream))]
    assert metric.corpus_statistics(hypotheses, streams) == expected
    for (hypothesis, *references), row in zip(corpus, expected):
        assert metric.alignment(hypothesis, references).statistics() == row
        # No further reference makes a segment worse.
        present = [text for text in references if text is not None]
        assert metric.sentence_score(hypothesis, present).score <= min([
            metric.sentence_score(hypothesis, [text]).score for text in present])


def test_case_counts_unless_lowercase() -> None:
    for name, rate in (("WER", 50.0), ("CER", 100 * (1 / 3)), ("MER", 50.0), ("WIL", 75.0)):
        metric = getattr(purebleu.metrics, name)
        assert metric().sentence_score("A b", ["a b"]).score == rate
        assert metric(lowercase=True).sentence_score("A b", ["a b"]).score == 0
        assert re.fullmatch(rf"<{name} case:lc\|tok:(words|characters)\|refs:best\|oracle:jiwer-4.0.0\|version:.*>",
                            repr(metric(lowercase=True)))
        assert str(metric().sentence_score("A b", ["a b", "c"])) == f"{name} = {rate:.2f}"
    with pytest.raises(PurebleuError, match="there are 3 sums, but a row has"):
        purebleu.metrics.WER().score([1, 2, 3])
